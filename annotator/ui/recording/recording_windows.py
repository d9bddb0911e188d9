"""A recording from the app: started and stopped off the GUI thread; bar, panels and tray follow what it says."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSettings, QTimer, Signal

from annotator.ui.operations import Operations
from annotator.ui.recording.floating import Floating, MenuItem, MenuPanel
from annotator.ui.recording.own_windows import OwnWindowTracker
from annotator.ui.recording.panels import HealthPanel, LinePrompt, PlanPanel, PromptKind, StepsPanel
from annotator.ui.recording.recorder_bar import RecorderBar
from annotator.ui.recording.recording_words import count_steps, problem_title, spoken, typed_in
from annotator.ui.recording.tray import RecorderTray
from annotator.ui.services import RecordingPlan, Services
from annotator.ui.theme.manager import Theme
from annotator.words import tr
from demopack.domain.steps import Step
from demopack.settings import HotkeySettings, Settings
from demopack.store import Library
from recorder.backends import has_x11
from recorder.event_filter import OwnWindows

if TYPE_CHECKING:
    from recorder.hotkeys import HotkeyListener
    from recorder.session import RecordingSession

_HEALTH_MS = 500
_DELAYS_S = (3, 5, 10)


class RecordingWindows(QObject):
    """One recording at a time, and everything that is shown of it.

    Attributes:
        settings: what the next recording goes by.

    Signals:
        started: it records.
        finished: id of the demo, when everything is saved.
        failed: why it did not start, or why it ended by itself.
        record_wanted: a recording was asked for in the tray, or with the global key.
        window_wanted: the app's window was asked for in the tray.
    """

    started = Signal()
    finished = Signal(str)
    failed = Signal(object)
    record_wanted = Signal()
    window_wanted = Signal()

    def __init__(
        self, library: Library, operations: Operations, services: Services, theme: Theme, places: QSettings,
        parent: QObject | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._library = library
        self._operations = operations
        self._services = services
        self.settings = services.settings
        self._places = places
        # What a recording is told about the app's own windows.
        self._own = OwnWindows()
        self._tracker = None if has_x11() else OwnWindowTracker(self._own, self)
        self._session: RecordingSession | None = None
        # Between the threads that start a recording or open the keys, and the app, which may end meanwhile.
        self._lock = threading.Lock()
        self._started: RecordingSession | None = None
        self._opened: HotkeyListener | None = None
        self._closed = False
        self._state = "ready"
        self._panicked = False
        self._muted = False
        self._keys: HotkeyListener | None = None
        self._timer = QTimer(self, interval=_HEALTH_MS)
        self._timer.timeout.connect(self._look)
        self.bar = RecorderBar(theme, places)
        self.steps = StepsPanel(theme)
        self.plan = PlanPanel(theme)
        self.health = HealthPanel(theme)
        self.menu = MenuPanel(theme, name=tr("More"))
        self.prompt = LinePrompt(theme, self._own)
        self.tray = RecorderTray(theme, self._tray_items, self._own, self)
        self._list_wanted = False
        self._orders: dict[str, Callable[[], None]] = {
            "start_stop": self.stop,
            "pause": self.toggle_pause,
            "shot": self.shot,
            "variable": partial(self.ask, "variable"),
            "note": partial(self.ask, "note"),
            "forget": self.forget,
            "panic": self.panic,
            "hold_text": self.toggle_hold,
        }
        self.bar.pause.clicked.connect(self.toggle_pause)
        self.bar.stop.clicked.connect(self.stop)
        self.bar.note.clicked.connect(self._orders["note"])
        self.bar.panel_wanted.connect(self._open)
        self.bar.placed.connect(self._place)
        self.prompt.kept.connect(self._keep)

    @property
    def active(self) -> bool:
        """Whether a recording is starting, running or being saved."""
        return self._session is not None or self._state == "starting"

    def use_settings(self, settings: Settings) -> None:
        """Go by other settings from the next recording on; the global key changes at once."""
        old, self.settings = self.settings, settings
        if self.active or old.recorder.hotkeys == settings.recorder.hotkeys:
            return
        keys, self._keys = self._keys, None
        if keys is not None:
            self._operations.start(
                keys.stop, on_result=lambda _: self.listen(), on_error=lambda _: self.listen(), lane="urgent"
            )

    def mute(self, muted: bool) -> None:  # noqa: FBT001 - a signal's slot
        """Take no notice of the global key while a key is being chosen in the settings."""
        self._muted = muted

    # Global key -----------------------------------------------------------------------------------------------

    def listen(self) -> None:
        """Wait for the global key; where the system does not allow it, there is none."""
        if self._keys is not None or self.active:
            return
        settings = self.settings

        def begin() -> HotkeyListener:
            keys = self._services.open_hotkeys(settings, self._on_idle_key)
            keys.start()
            with self._lock:
                self._opened = keys
                abandoned = self._closed
            if abandoned:
                keys.stop()
            return keys

        def keep(keys: HotkeyListener) -> None:
            if self.active or self._keys is not None:
                self._operations.start(keys.stop, on_error=lambda _: None, lane="urgent")
            else:
                self._keys = keys

        self._operations.start(begin, on_result=keep, on_error=lambda _: None, lane="urgent")

    def _on_idle_key(self, meaning: str) -> None:
        """Comes from the hook's thread."""
        if meaning == "start_stop" and not self._muted:
            self._operations.post(self.record_wanted.emit)

    # A recording ----------------------------------------------------------------------------------------------

    def begin(self, plan: RecordingPlan) -> None:
        """Show the bar and start."""
        self.steps.model.clear()
        self.plan.show_plan(plan.steps, plan.note)
        self.health.show_problems([])
        self.tray.show_problems([])
        self.bar.begin(self._keys_now)
        self._list_wanted = self._places.value("recorder_steps") in {True, "true"}
        self._place()
        self.tray.set_state("ready")
        if self._tracker is not None:
            self._tracker.start()
        if self.active:
            return
        self._state = "starting"
        self._panicked = False
        keys, self._keys = self._keys, None
        settings = self.settings

        def begin() -> RecordingSession:
            if keys is not None:
                keys.stop()
            session = self._services.open_recorder(self._library, settings, plan, self._own)
            self._listen_to(session)
            session.start()
            with self._lock:
                self._started = session
                abandoned = self._closed
            if abandoned:
                session.stop()
            return session

        self._operations.start(begin, on_result=self._begun, on_error=self._gone_wrong, lane="urgent")

    def toggle_pause(self) -> None:
        """Pause, or go on."""
        if self._session is not None:
            (self._session.resume if self._state == "paused" else self._session.pause)()

    def panic(self) -> None:
        """Pause at once and forget the last seconds."""
        if self._session is not None:
            self._panicked = True
            self._session.panic()

    def forget(self) -> None:
        """Remove the last seconds for good."""
        if self._session is not None:
            seconds = self.settings.recorder.privacy.forget_s
            self.bar.readout.say(tr("Forgetting the last {seconds:g} s …").format(seconds=seconds))
            self._session.forget(seconds)

    def shot(self, delay_s: float | None = None) -> None:
        """Keep a picture of the screen as a step, now or in so many seconds; None for what the settings say."""
        if self._session is None:
            return
        if self._state == "paused":
            self.bar.readout.say(tr("Paused, no picture"))
            return
        delay = self.settings.recorder.shot_delay_s if delay_s is None else delay_s
        self._session.add_shot(delay_s=delay)
        self.bar.readout.count_down(delay)

    @property
    def holds_text(self) -> bool:
        """Whether what is typed now is held back as a secret."""
        return self._session is not None and self._session.holds_text

    def toggle_hold(self) -> None:
        """Hold back what is typed from now on as a secret, or store it again."""
        if self._session is not None:
            hold = not self._session.holds_text
            self._session.hold_text(hold)
            self.bar.readout.say(tr("Text is held back") if hold else tr("Text is stored again"))

    def _keep(self, kind: PromptKind, text: str) -> None:
        """Write a note on the last step, or name the variable whose value was typed last."""
        if self._session is not None:
            (self._session.add_note if kind == "note" else self._session.mark_variable)(text)

    def stop(self) -> None:
        """End the recording and save it."""
        session = self._session
        if session is None or self._state == "stopping":
            return
        self._state = "stopping"
        self._timer.stop()
        self._operations.start(session.stop, on_result=self._ended, on_error=self._gone_wrong, lane="urgent")

    def close(self) -> None:
        """The app ends: save what is recorded, now."""
        with self._lock:
            # What comes up only after this is stopped by who starts it.
            self._closed = True
            session, self._started = self._started, None
            listeners = (self._keys, self._opened)
        for keys in listeners:
            if keys is not None:
                keys.stop()
        self._keys = self._session = None
        self._timer.stop()
        if session is not None and self._state != "stopping":
            session.stop()
        self._services.desktop.close()
        if self._tracker is not None:
            self._tracker.stop()
        self.tray.close()
        for window in self._windows():
            if window.isVisible():
                window.hide()
            window.deleteLater()

    def end(self) -> None:
        """Everything is saved: leave the screen."""
        if self._tracker is not None:
            self._tracker.stop()
        for window in self._windows():
            window.hide()
        self.tray.show_problems([])
        self._show_state("ready")

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
        return (self.prompt, self.menu, self.tray.menu, self.health, self.steps, self.plan, self.bar)

    @property
    def _keys_now(self) -> HotkeySettings:
        return self.settings.recorder.hotkeys

    # What the session says ------------------------------------------------------------------------------------

    def _begun(self, session: RecordingSession) -> None:
        self._session = session
        self._state = "recording"
        self._timer.start()
        self._show_state("recording")
        self.started.emit()

    def _ended(self, demo_id: str) -> None:
        session, self._session, self._started = self._session, None, None
        self._state = "ready"
        error = None if session is None else session.error
        self.finished.emit(demo_id)
        if error is not None:
            self.failed.emit(error)
        self.listen()

    def _gone_wrong(self, error: Exception) -> None:
        """It could not be started, or not be saved."""
        self._session = self._started = None
        self._state = "ready"
        self.failed.emit(error)
        self.listen()

    def _listen_to(self, session: RecordingSession) -> None:
        """What a session says comes from its own threads; everything is passed on to this one."""
        post = self._operations.post
        session.on_step = lambda step: post(lambda: self._add(step))
        session.on_changed = lambda step: post(lambda: self._change(step))
        session.on_forgotten = lambda ids: post(lambda: self._forgotten(list(ids)))
        session.on_state = lambda state: post(lambda: self._follow(state))
        session.on_hotkey = lambda meaning: post(self._orders[meaning])

    def _forgotten(self, ids: list[str]) -> None:
        self.steps.model.remove(ids)
        self._show_last()
        forgot = (
            tr("Forgot {count_steps}").format(count_steps=count_steps(len(ids)))
            if ids
            else tr("No saved step was forgotten")
        )
        self.bar.readout.say(tr("Paused. {forgot}").format(forgot=forgot) if self._panicked else forgot)
        self._panicked = False

    def _follow(self, state: str) -> None:
        if self._session is None:
            return
        if state in {"recording", "paused"}:
            self._state = state
        self._show_state(state)
        if state == "stopped" and self._state != "stopping":
            # It ended by itself, because of an error; stop() then only tells which demo it was.
            self.stop()

    def _look(self) -> None:
        if self._session is not None:
            self._show_problems(self._session.health)

    def _show_state(self, state: str) -> None:
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
            items = self._shot_items() if name == "shot" else [*self._order_items(), dot]
            self.menu.open_beside(self.bar.button_box(name), items)

    def _place(self) -> None:
        """One panel hangs on the bar at a time: health, else the list, else the plan; none on a dot."""
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
        if not self.plan.is_empty and hangs and not self.steps.isVisible() and not self.health.isVisible():
            self.plan.show_beside(anchor)
        else:
            self.plan.hide()
        bar.show_list_open(is_open=self.steps.isVisible())
        self.menu.hide()
        if self.prompt.isVisible():
            self.prompt.show_beside(anchor)

    def _item(self, order: str, icon: str, words: str) -> MenuItem:
        """A line that does what the hot-key of an order does."""
        return MenuItem(words, icon=icon, keys=getattr(self._keys_now, order), act=self._orders[order])

    def _shot_items(self) -> list[MenuItem]:
        return [
            MenuItem(tr("Picture now"), icon="shot", keys=self._keys_now.shot, act=partial(self.shot, 0)),
            *(
                MenuItem(
                    tr("Picture in {seconds} s").format(seconds=delay), icon="forget", act=partial(self.shot, delay)
                )
                for delay in _DELAYS_S
            ),
        ]

    def _order_items(self) -> list[MenuItem]:
        seconds = self.settings.recorder.privacy.forget_s
        return [
            self._item("variable", "variable", tr("Typed text is a variable …")),
            self._item("forget", "forget", tr("Forget the last {seconds:g} s").format(seconds=seconds)),
            self._item(
                "hold_text", "shield", tr("Store typed text again") if self.holds_text else tr("Hold back typed text")
            ),
            self._item("panic", "panic", tr("Panic pause")),
        ]

    def _tray_items(self) -> list[MenuItem]:
        if not self.active:
            keys = self._keys_now.start_stop
            return [
                MenuItem(tr("Record"), icon="record", keys=keys, act=self.record_wanted.emit),
                MenuItem(tr("Open demopack"), icon="restore", act=self.window_wanted.emit),
            ]
        state, readout = self.bar.state, self.bar.readout
        told = MenuItem(f"{readout.elapsed}, {readout.words}")
        if state not in {"recording", "paused"}:
            return [told]
        firsts = (problem.partition(". ")[0].removesuffix(".") for problem in self.bar.problems)
        paused = state == "paused"
        return [
            told,
            *(MenuItem(first, icon="warning") for first in firsts),
            self._item("pause", "play", tr("Go on")) if paused else self._item("pause", "pause", tr("Pause")),
            self._item("start_stop", "stop", tr("Stop and save")),
            self._item("note", "note", tr("Write a note …")),
            *([] if paused else self._shot_items()[:1]),
            *self._order_items(),
            MenuItem(tr("Show the bar"), icon="panel", act=self._show_bar),
        ]

    def _show_bar(self) -> None:
        self.bar.set_small(small=False)
        self.bar.show()
        self.bar.raise_()
