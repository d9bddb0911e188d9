"""The editor: composes list, canvas, panel and bars around one document, and turns wishes into commands."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from annotator.editing import EditKind, EditSession
from annotator.history.showing import show_first
from annotator.tour import HintName
from annotator.ui.canvas.canvas import Canvas
from annotator.ui.editor.actions import bind_keys
from annotator.ui.editor.bars import Head, Status
from annotator.ui.editor.boxes.aids_feature import AidsFeature
from annotator.ui.editor.demo_jobs import DemoJobs
from annotator.ui.editor.feature import Desk, Slots
from annotator.ui.editor.features import FEATURES
from annotator.ui.editor.foot import Foot
from annotator.ui.editor.keys import KEYS
from annotator.ui.editor.overlay import KeyOverlay
from annotator.ui.editor.panels.side_panel import SidePanel
from annotator.ui.editor.places import Places
from annotator.ui.editor.review.room import ReviewRoom
from annotator.ui.editor.step_list import StepList
from annotator.ui.editor.step_model import StepModel
from annotator.ui.editor.suggestions.feature import SuggestionsFeature
from annotator.ui.editor.wishes import Wishes
from annotator.ui.job_runner import JobRunner
from annotator.ui.keys.table import PAGE_KEYS
from annotator.ui.messages import Messages
from annotator.ui.pictures import Pictures
from annotator.ui.redaction.flow import RedactionFlow
from annotator.ui.services import Services
from annotator.ui.theme.manager import Theme
from annotator.view_state import ViewState
from annotator.words import tr
from demopack.domain.edits import Edit

__all__ = ["EditorPage"]


class EditorPage(QWidget):
    """One open demo.

    Signals:
        back_wanted: to the library.
        discard_wanted: delete this demo.
        join_wanted: join this take to its demo.
        take_wanted: id of the step after which to record again; empty for the beginning.
        tour_wanted: show the hints of the first time.
        settings_saved: the ``Settings``, when the user changed some of them here.
    """

    back_wanted = Signal()
    discard_wanted = Signal()
    join_wanted = Signal()
    take_wanted = Signal(str)
    tour_wanted = Signal()
    settings_saved = Signal(object)

    def __init__(
        self,
        session: EditSession,
        *,
        pictures: Pictures,
        runner: JobRunner,
        services: Services,
        theme: Theme,
        messages: Messages,
    ) -> None:
        super().__init__()
        self.setObjectName("page")
        self._session = session
        self._pictures = pictures
        self._messages = messages
        document = session.document
        # The model first: its rows must have changed before the view state points at one of them.
        self._model = StepModel(document, pictures, self)
        self._model.set_ratio(self.devicePixelRatioF())
        self._view = ViewState(document)
        self._steps = StepList(self._model, self._view, theme)
        self._canvas = Canvas(self._view, pictures, theme)
        self._wishes = Wishes(session, self._view)
        self._wishes.set_canvas(self._canvas)
        self._panel = SidePanel(self._view, self._wishes.do, theme)
        self._head = Head(document, theme)
        self._jobs = DemoJobs(session, self._view, self._head, runner=runner, services=services, messages=messages)
        self._privacy = RedactionFlow(session, self, pictures=pictures, runner=runner, theme=theme, messages=messages)
        self._foot = Foot(theme)
        self._status = Status(runner, theme)
        self._review = ReviewRoom(
            session, self._view, self._steps, pictures=pictures, runner=runner, theme=theme, page=self
        )
        self._slots = Slots(self._canvas)
        self._desk = Desk(
            session, self._view, canvas=self._canvas, panel=self._panel, head=self._head, foot=self._foot,
            status=self._status, slots=self._slots, pictures=pictures, runner=runner, services=services, theme=theme,
            messages=messages, page=self,
        )  # fmt: skip
        self._lay_out()
        self._features = self._desk.make(FEATURES)
        keys, calls = list(KEYS), self._calls()
        for feature in self._features:
            keys += feature.KEYS
            calls.update(feature.calls())
        self.actions_by_name = bind_keys(keys, calls, page=self, canvas=self._canvas, steps=self._steps)
        keyring = self._desk.keyring
        keyring.fill((*keys, *PAGE_KEYS), self.actions_by_name, chosen=services.settings.ui.keys)
        keyring.saved.connect(self.settings_saved)
        self._overlay = KeyOverlay(self, lambda: [key for key in keyring.map.keys if key.in_editor])
        self._connect()
        self._connect_bars()
        self._on_step()
        self._on_mode()
        self._places = Places(
            split=self._split, steps=self._steps, canvas=self._canvas, panel=self._panel, room=self._review,
            aids=self._desk.feature(AidsFeature),
        )  # fmt: skip
        self._places.restore()
        self._foot.show_film(shown=not self._review.film.isHidden())
        session.refresh_labels()

    # Parts ----------------------------------------------------------------------------------------------------

    @property
    def session(self) -> EditSession:
        """What is edited."""
        return self._session

    @property
    def view(self) -> ViewState:
        """Where the user is."""
        return self._view

    @property
    def desk(self) -> Desk:
        """What the features work with; ``desk.feature(kind)`` gives one of them."""
        return self._desk

    @property
    def canvas(self) -> Canvas:
        """The picture."""
        return self._canvas

    @property
    def steps(self) -> StepList:
        """The list of steps."""
        return self._steps

    @property
    def panel(self) -> SidePanel:
        """The sections at the right."""
        return self._panel

    @property
    def review(self) -> ReviewRoom:
        """Strips, film and what is done to steps."""
        return self._review

    @property
    def privacy(self) -> RedactionFlow:
        """The review of what may be private."""
        return self._privacy

    def hinted(self, name: HintName) -> QWidget | None:
        """What a hint of the tour is about; None for one that is not about the editor."""
        if name == "open":
            return None
        return {
            "slider": self._desk.feature(SuggestionsFeature).row,
            "decide": self._canvas,
            "attributes": self._panel.element,
            "carry": self._foot,
            "approve": self._panel.review,
            "export": self._head.button("export"),
        }[name]

    def close_view(self) -> None:
        """Hand over what is being typed, then stop following."""
        self._view.leaving.emit()
        self._places.remember()
        self._session.close()
        self._privacy.close()
        for feature in self._features:
            feature.close_view()
        for part in (self._review, self._steps, self._canvas, self._panel, self._head, self._status):
            part.close_view()
        self._view.close()

    def _lay_out(self) -> None:
        middle = QWidget()
        column = QVBoxLayout(middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._slots.middle, 1)
        column.addLayout(self._slots.foot_rows)
        column.addWidget(self._review.film)
        column.addWidget(self._foot)
        split = self._split = QSplitter(Qt.Orientation.Horizontal)
        split.setHandleWidth(1)
        split.setChildrenCollapsible(False)
        for part, stretch in ((self._steps, 0), (middle, 1), (self._panel, 0)):
            split.addWidget(part)
            split.setStretchFactor(split.count() - 1, stretch)
        self._steps.setMinimumWidth(200)
        split.setSizes([264, 1000, 344])
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        for bar in (self._head, self._review.strip, self._review.prepare):
            whole.addWidget(bar)
        whole.addLayout(self._slots.bars)
        whole.addWidget(split, 1)
        whole.addWidget(self._status)
        self._canvas.setFocus()

    def _connect(self) -> None:
        session, view, canvas, wishes = self._session, self._view, self._canvas, self._wishes
        view.step_changed.connect(self._on_step)
        view.frame_changed.connect(self._on_step)
        session.edited.connect(self._on_edited)
        session.labels_changed.connect(self._on_labels)
        session.saved_changed.connect(lambda: self._status.show_saved(saved=session.saved))
        session.failed.connect(self._messages.show_error)
        canvas.commanded.connect(wishes.do)
        canvas.approved.connect(self._approve)
        canvas.picked.connect(wishes.picked)
        canvas.opened.connect(self._panel.element.edit_text)
        canvas.zoom_changed.connect(lambda: self._foot.show_zoom(canvas.viewport.scale))
        canvas.mode_changed.connect(self._on_mode)
        self._steps.approved.connect(wishes.approve)
        self._steps.opened.connect(canvas.setFocus)
        self._steps.menu_wanted.connect(self._open_menu)
        self._review.discard_wanted.connect(self.discard_wanted)
        self._review.join_wanted.connect(self.join_wanted)
        self._review.take_wanted.connect(self.take_wanted)

    def _connect_bars(self) -> None:
        head, foot, panel, wishes, canvas = self._head, self._foot, self._panel, self._wishes, self._canvas
        head.back_wanted.connect(self.back_wanted)
        head.task_written.connect(wishes.reword_task)
        head.find_wanted.connect(self._jobs.find)
        head.write_wanted.connect(self._jobs.write)
        head.privacy_wanted.connect(self._look_for_private)
        head.export_wanted.connect(self._export)
        head.add_job("tour", tr("Show the tour"), self.tour_wanted.emit, tip=tr("The hints of the first time"))
        foot.side_chosen.connect(wishes.show_side)
        foot.draw_toggled.connect(wishes.set_draw)
        foot.film_toggled.connect(self._toggle_film)
        foot.zoom_wanted.connect(canvas.zoom_by)
        foot.actual_wanted.connect(lambda: canvas.zoom_to(1.0))
        foot.fit_wanted.connect(canvas.fit)
        panel.element.new_type_chosen.connect(wishes.set_new_type)
        panel.element.target_wanted.connect(wishes.use_target)
        panel.element.duplicate_wanted.connect(wishes.duplicate)
        panel.element.delete_wanted.connect(wishes.delete)
        panel.action.pick_wanted.connect(wishes.pick)
        panel.review.review_wanted.connect(wishes.review)
        panel.review.delete_wanted.connect(self._review.wishes.delete)

    def _calls(self) -> dict[str, Callable[[], object]]:
        view, canvas, wishes, panel = self._view, self._canvas, self._wishes, self._panel
        return {
            **self._review.calls(),
            "next_step": lambda: view.go_by(1),
            "previous_step": lambda: view.go_by(-1),
            "next_arrow": lambda: view.go_by(1),
            "previous_arrow": lambda: view.go_by(-1),
            "approve": wishes.approve,
            "pick_target": wishes.pick,
            "edit_rationale": panel.rationale.edit,
            "edit_note": panel.note.edit_note,
            "edit_variable": panel.note.edit_variable,
            "toggle_film": self._toggle_film,
            "draw": wishes.toggle_draw,
            "next_element": lambda: view.select_next(1),
            "previous_element": lambda: view.select_next(-1),
            "edit_text": panel.element.edit_text,
            "use_target": wishes.use_target,
            "duplicate": wishes.duplicate,
            "delete": wishes.delete,
            "nudge_left": lambda: wishes.nudge(-1, 0),
            "nudge_right": lambda: wishes.nudge(1, 0),
            "nudge_up": lambda: wishes.nudge(0, -1),
            "nudge_down": lambda: wishes.nudge(0, 1),
            "side": view.toggle_side,
            "fit": canvas.fit,
            "actual": lambda: canvas.zoom_to(1.0),
            "zoom_in": lambda: canvas.zoom_by(1.25),
            "zoom_out": lambda: canvas.zoom_by(1 / 1.25),
            "letters": canvas.toggle_letters,
            "toggle_steps": lambda: self._steps.setVisible(self._steps.isHidden()),
            "toggle_panel": lambda: panel.setVisible(panel.isHidden()),
            "undo": wishes.undo,
            "redo": wishes.redo,
            "next_pane": self._next_pane,
            "library": self.back_wanted.emit,
            "help": lambda: self._overlay.toggle(),
            "privacy": self._look_for_private,
        }

    def _approve(self) -> None:
        """Space on the picture: the selected element where a feature takes it, else the step."""
        if not self._desk.approve():
            self._wishes.approve()

    def _open_menu(self, at: QPoint) -> None:
        self._review.open_menu(at, self.actions_by_name)

    def _look_for_private(self) -> None:
        self._view.leaving.emit()
        self._privacy.review()

    def _export(self) -> None:
        self._view.leaving.emit()
        self._privacy.before_export(self._jobs.export)

    # Following ------------------------------------------------------------------------------------------------

    def _on_step(self) -> None:
        view, steps = self._view, self._session.document.steps
        step, frame = view.step, view.frame
        self._foot.show_side(0 if view.side == "before" else 1, has_after=step is not None and step.after is not None)
        self._foot.show_film(shown=not self._review.film.isHidden())
        scale = "" if frame is None or frame.scale_factor == 1 else f" @{frame.scale_factor:g}x"
        size = "" if frame is None else f"{frame.width} x {frame.height}{scale}"
        self._status.show_place(
            tr("Step {value} of {steps}").format(value=view.index + 1, steps=len(steps)) if steps else tr("No steps"),
            size,
        )
        for place in (view.index + 1, view.index - 1):
            if 0 <= place < len(steps) and (near := steps[place].before) is not None:
                self._pictures.frame(near.id)

    def _on_edited(self, edit: Edit, kind: EditKind) -> None:
        if kind != "done":
            show_first(self._view, edit.changes)
        before = {"done": "", "undone": tr("Undone: "), "redone": tr("Done again: ")}[kind]
        self._status.show_last(f"{before}{edit.label}")

    def _on_labels(self, undo: str | None, redo: str | None) -> None:
        self.actions_by_name["undo"].setText(tr("Undo: {label}").format(label=undo) if undo else tr("Undo"))
        self.actions_by_name["redo"].setText(tr("Redo: {label}").format(label=redo) if redo else tr("Redo"))

    def _on_mode(self) -> None:
        hint = ""
        if self._canvas.draw_mode:
            hint = tr("Drags and clicks draw boxes. Esc ends it.")
        elif self._canvas.pick_mode:
            hint = tr("Click the element. Esc ends it.")
        self._foot.show_mode(hint, drawing=self._canvas.draw_mode)

    def _toggle_film(self) -> None:
        self._review.toggle_film()
        self._foot.show_film(shown=not self._review.film.isHidden())

    def _next_pane(self) -> None:
        panes: list[QWidget] = [self._steps, self._canvas]
        here = next((i for i, pane in enumerate(panes) if pane.hasFocus()), -1)
        if here == 1 and self._panel.isVisible():
            self._panel.element.take_focus()
        else:
            panes[(here + 1) % 2].setFocus(Qt.FocusReason.ShortcutFocusReason)
