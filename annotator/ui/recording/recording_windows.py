"""Windows of a running recording: bar, panels, pop-up and tray around one control."""

from __future__ import annotations

from PySide6.QtCore import QObject, QSettings, Signal

from annotator.ui.recording.floating import Floating, MenuItem, MenuPanel
from annotator.ui.recording.panels import HealthPanel, LinePrompt, PromptKind, StepsPanel
from annotator.ui.recording.recorder_bar import RecorderBar
from annotator.ui.recording.recording_control import RecordingControl
from annotator.ui.recording.recording_words import problem_title, spoken, typed_in
from annotator.ui.recording.tray import RecorderTray
from annotator.ui.services import RecordingPlan
from annotator.ui.theme.manager import Theme
from annotator.words import tr
from demopack.domain.steps import Step
from demopack.settings import HotkeySettings

_DELAYS_S = (3, 5, 10)


class RecordingWindows(QObject):
    """Shows what the control says and hands it what is pressed.

    Signals:
        record_wanted: a recording was asked for in the tray.
        window_wanted: the app's window was asked for in the tray.
    """

    record_wanted = Signal()
    window_wanted = Signal()

    def __init__(
        self,
        control: RecordingControl,
        theme: Theme,
        places: QSettings,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.control = control
        self._places = places
        self.bar = RecorderBar(theme, places)
        self.steps = StepsPanel(theme)
        self.health = HealthPanel(theme)
        self.menu = MenuPanel(theme, name=tr("More"))
        self.prompt = LinePrompt(theme, control.own_windows)
        self.tray = RecorderTray(theme, self._tray_items, control.own_windows, self)
        self._list_wanted = False
        self._connect()

    def _connect(self) -> None:
        control, bar = self.control, self.bar
        control.started.connect(lambda: self._follow("recording"))
        control.state_changed.connect(self._follow)
        control.step_seen.connect(self._add)
        control.step_changed.connect(self._change)
        control.forgotten.connect(self._remove)
        control.said.connect(bar.readout.say)
        control.counting.connect(bar.readout.count_down)
        control.health_changed.connect(self._show_problems)
        control.asked.connect(self.ask)
        bar.pause.clicked.connect(control.toggle_pause)
        bar.stop.clicked.connect(control.stop)
        bar.note.clicked.connect(lambda: self.ask("note"))
        bar.panel_wanted.connect(self._open)
        bar.placed.connect(self._place)
        self.prompt.noted.connect(control.add_note)
        self.prompt.named.connect(control.mark_variable)

    # A recording ----------------------------------------------------------------------------------------------

    def begin(self, plan: RecordingPlan) -> None:
        """Show the bar and start."""
        self.steps.model.clear()
        self.health.show_problems([])
        self.tray.show_problems([])
        self.bar.begin(self._keys)
        self._list_wanted = self._places.value("recorder_steps") in {True, "true"}
        self._place()
        self.tray.set_state("ready")
        self.control.start(plan)

    def end(self) -> None:
        """Everything is saved: leave the screen."""
        for window in self._windows():
            window.hide()
        self.tray.show_problems([])
        self.bar.set_state("ready")
        self.tray.set_state("ready")

    def close(self) -> None:
        """The app ends."""
        self.tray.close()
        for window in self._windows():
            if window.isVisible():
                window.hide()
            window.deleteLater()

    def ask(self, kind: PromptKind) -> None:
        """Ask for a note or for a variable's name."""
        self.menu.hide()
        steps = self.steps.model.steps
        typed = [number for number, step in enumerate(steps, start=1) if typed_in(step)]
        number = len(steps) if kind == "note" else typed[-1] if typed else 0
        self.prompt.ask(
            kind, anchor=self.bar.frameGeometry(), number=number, step=steps[number - 1] if number else None
        )

    def _windows(self) -> tuple[Floating, ...]:
        return (self.prompt, self.menu, self.tray.menu, self.health, self.steps, self.bar)

    @property
    def _keys(self) -> HotkeySettings:
        return self.control.settings.recorder.hotkeys

    # What the control says ------------------------------------------------------------------------------------

    def _follow(self, state: str) -> None:
        self.bar.set_state(state)
        self.tray.set_state(state)

    def _add(self, step: Step) -> None:
        self.steps.model.add(step)
        self._show_last()
        if self.prompt.isVisible():
            self.prompt.follow(self.steps.model.rowCount(), step)

    def _change(self, step: Step) -> None:
        self.steps.model.change(step)
        number = next((n for n, one in enumerate(self.steps.model.steps, start=1) if one.id == step.id), 0)
        what = (
            tr("{{{variable}}} is typed in").format(variable=step.variable)
            if step.variable and not step.note
            else tr("Note kept on")
        )
        self.bar.readout.say(tr("{what} step {number}").format(what=what, number=number))

    def _remove(self, ids: list[str]) -> None:
        self.steps.model.remove(ids)
        self._show_last()

    def _show_last(self) -> None:
        number = self.steps.model.rowCount()
        self.bar.readout.show_steps(number, self.steps.model.index(number - 1, 0).data() if number else "")

    def _show_problems(self, problems: list[str]) -> None:
        told = [spoken(problem) for problem in problems]
        before = self.bar.problems
        if told == before:
            return
        self.bar.show_problems(told)
        self.tray.show_problems(told)
        self.health.show_problems(told)
        # The sign may be amber for another reason already.
        titles = [problem_title(problem) for problem in problems if spoken(problem) not in before]
        if any(titles):
            self.bar.readout.say(next(filter(None, titles)))

    # Panels ---------------------------------------------------------------------------------------------------

    def _open(self, name: str) -> None:
        if name == "steps":
            self._list_wanted = not self._list_wanted
            self._places.setValue("recorder_steps", self._list_wanted)
            self.health.hide()
            self._place()
        elif name == "health":
            self.health.setVisible(not self.health.isVisible())
            self._place()
        else:
            dot = MenuItem(tr("Hide as a dot"), icon="dot", act=lambda: self.bar.set_small(small=True))
            items = self._shot_items() if name == "shot" else [*self._orders(), dot]
            self.menu.open_beside(self.bar.button_box(name), items)

    def _place(self) -> None:
        """One panel hangs on the bar at a time: the list, unless health is looked at; none on a dot."""
        bar, anchor = self.bar, self.bar.frameGeometry()
        hangs = bar.isVisible() and not bar.small
        if self.health.isVisible() and hangs:
            self.health.show_beside(anchor)
        else:
            self.health.hide()
        if self._list_wanted and hangs and not self.health.isVisible():
            self.steps.show_beside(anchor)
        else:
            self.steps.hide()
        bar.show_list_open(is_open=self.steps.isVisible())
        self.menu.hide()
        if self.prompt.isVisible():
            self.prompt.show_beside(anchor)

    def _shot_items(self) -> list[MenuItem]:
        now = MenuItem(tr("Picture now"), icon="shot", keys=self._keys.shot, act=lambda: self.control.shot(0))
        return [now, *(self._delayed(seconds) for seconds in _DELAYS_S)]

    def _delayed(self, seconds: int) -> MenuItem:
        return MenuItem(
            tr("Picture in {seconds} s").format(seconds=seconds), icon="forget", act=lambda: self.control.shot(seconds)
        )

    def _orders(self) -> list[MenuItem]:
        keys, control = self._keys, self.control
        seconds = control.settings.recorder.privacy.forget_s
        return [
            MenuItem(
                tr("Typed text is a variable …"), icon="variable", keys=keys.variable, act=lambda: self.ask("variable")
            ),
            MenuItem(
                tr("Forget the last {seconds:g} s").format(seconds=seconds),
                icon="forget",
                keys=keys.forget,
                act=control.forget,
            ),
            MenuItem(
                tr("Store typed text again") if control.holds_text else tr("Hold back typed text"),
                icon="shield",
                keys=keys.hold_text,
                act=control.toggle_hold,
            ),
            MenuItem(tr("Panic pause"), icon="panic", keys=keys.panic, act=control.panic),
        ]

    def _tray_items(self) -> list[MenuItem]:
        window = MenuItem(tr("Open demopack"), icon="restore", act=self.window_wanted.emit)
        keys, state, readout = self._keys, self.bar.state, self.bar.readout
        if not self.control.active:
            return [
                MenuItem(tr("Record"), icon="record", keys=keys.start_stop, act=self.record_wanted.emit),
                window,
            ]
        told = MenuItem(f"{readout.elapsed}, {readout.words}")
        firsts = (problem.partition(". ")[0].removesuffix(".") for problem in self.bar.problems)
        if state not in {"recording", "paused"}:
            return [told]
        paused = state == "paused"
        pause = MenuItem(
            tr("Go on") if paused else tr("Pause"),
            icon="play" if paused else "pause",
            keys=keys.pause,
            act=self.control.toggle_pause,
        )
        return [
            told,
            *(MenuItem(first, icon="warning") for first in firsts),
            pause,
            MenuItem(tr("Stop and save"), icon="stop", keys=keys.start_stop, act=self.control.stop),
            MenuItem(tr("Write a note …"), icon="note", keys=keys.note, act=lambda: self.ask("note")),
            *([] if paused else self._shot_items()[:1]),
            *self._orders(),
            MenuItem(tr("Show the bar"), icon="panel", act=self._show_bar),
        ]

    def _show_bar(self) -> None:
        self.bar.set_small(small=False)
        self.bar.show()
        self.bar.raise_()
