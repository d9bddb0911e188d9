"""The editor: composes list, canvas, panel and bars around one document, and turns wishes into commands."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QScrollArea, QSplitter, QVBoxLayout, QWidget

from annotator.editing import EditKind, EditSession
from annotator.ui.canvas.canvas import Canvas
from annotator.ui.controls import line
from annotator.ui.editor.actions import bind_keys
from annotator.ui.editor.bars import Foot, Head, Status
from annotator.ui.editor.demo_jobs import DemoJobs
from annotator.ui.editor.overlay import KeyOverlay
from annotator.ui.editor.panels.action_section import ActionSection
from annotator.ui.editor.panels.element_section import ElementSection
from annotator.ui.editor.panels.rationale_section import RationaleSection
from annotator.ui.editor.panels.review_bar import ReviewBar
from annotator.ui.editor.step_list import StepList
from annotator.ui.editor.step_model import StepModel
from annotator.ui.editor.wishes import Wishes
from annotator.ui.job_runner import JobRunner
from annotator.ui.messages import Messages
from annotator.ui.pictures import Pictures
from annotator.ui.redaction.flow import RedactionFlow
from annotator.ui.services import Services
from annotator.ui.theme.manager import Theme
from annotator.view_state import ViewState
from demopack.domain.edits import Edit

__all__ = ["EditorPage"]


class EditorPage(QWidget):
    """One open demo.

    Signals:
        back_wanted: to the library.
    """

    back_wanted = Signal()

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
        self._element = ElementSection(self._view, self._wishes.do, theme)
        self._action = ActionSection(self._view, self._wishes.do, theme)
        self._rationale = RationaleSection(self._view, self._wishes.do, theme)
        self._head = Head(document, theme)
        self._jobs = DemoJobs(session, self._view, self._head, runner=runner, services=services, messages=messages)
        self._privacy = RedactionFlow(session, self, pictures=pictures, runner=runner, theme=theme, messages=messages)
        self._foot = Foot(theme)
        self._status = Status(runner, theme)
        self._review = ReviewBar(self._view, theme)
        self._panel = self._make_panel()
        self._lay_out()
        self._overlay = KeyOverlay(self)
        self.actions_by_name = bind_keys(self._calls(), page=self, canvas=self._canvas, steps=self._steps)
        self._connect()
        self._on_step()
        self._on_mode()
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
    def canvas(self) -> Canvas:
        """The picture."""
        return self._canvas

    @property
    def privacy(self) -> RedactionFlow:
        """The review of what may be private."""
        return self._privacy

    @property
    def steps(self) -> StepList:
        """The list of steps."""
        return self._steps

    def close_view(self) -> None:
        """Hand over what is being typed, then stop following."""
        self._view.leaving.emit()
        self._privacy.close()
        self._session.close()
        for part in (self._steps, self._canvas, self._element, self._action, self._rationale):
            part.close_view()
        for bar in (self._review, self._head, self._status):
            bar.close_view()
        self._view.close()

    def _make_panel(self) -> QWidget:
        inside = QWidget()
        inside.setObjectName("panel")
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._element)
        column.addWidget(line())
        column.addWidget(self._action)
        column.addWidget(line())
        column.addWidget(self._rationale, 1)
        area = QScrollArea()
        area.setObjectName("panel")
        area.setWidget(inside)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        panel = QWidget()
        panel.setMinimumWidth(272)
        whole = QVBoxLayout(panel)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(area, 1)
        whole.addWidget(self._review)
        return panel

    def _lay_out(self) -> None:
        middle = QWidget()
        column = QVBoxLayout(middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._canvas, 1)
        column.addWidget(self._foot)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setHandleWidth(1)
        split.setChildrenCollapsible(False)
        for part, stretch in ((self._steps, 0), (middle, 1), (self._panel, 0)):
            split.addWidget(part)
            split.setStretchFactor(split.count() - 1, stretch)
        self._steps.setMinimumWidth(200)
        split.setSizes([264, 1000, 300])
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self._head)
        whole.addWidget(split, 1)
        whole.addWidget(self._status)
        self._canvas.setFocus()

    def _connect(self) -> None:
        session, view, canvas = self._session, self._view, self._canvas
        view.step_changed.connect(self._on_step)
        view.frame_changed.connect(self._on_step)
        session.edited.connect(self._on_edited)
        session.labels_changed.connect(self._on_labels)
        session.saved_changed.connect(lambda: self._status.show_saved(saved=session.saved))
        session.failed.connect(self._messages.show_error)
        canvas.commanded.connect(self._wishes.do)
        canvas.approved.connect(self._wishes.approve)
        canvas.picked.connect(self._wishes.picked)
        canvas.opened.connect(self._element.edit_text)
        canvas.zoom_changed.connect(lambda: self._foot.show_zoom(canvas.viewport.scale))
        canvas.mode_changed.connect(self._on_mode)
        self._steps.approved.connect(self._wishes.approve)
        self._steps.opened.connect(canvas.setFocus)
        self._head.back_wanted.connect(self.back_wanted)
        self._head.task_written.connect(self._wishes.reword_task)
        self._head.find_wanted.connect(self._jobs.find)
        self._head.write_wanted.connect(self._jobs.write)
        self._head.privacy_wanted.connect(self._look_for_private)
        self._head.export_wanted.connect(self._export)
        self._foot.side_chosen.connect(self._wishes.show_side)
        self._foot.draw_toggled.connect(self._wishes.set_draw)
        self._foot.zoom_wanted.connect(canvas.zoom_by)
        self._foot.actual_wanted.connect(lambda: canvas.zoom_to(1.0))
        self._foot.fit_wanted.connect(canvas.fit)
        self._element.new_type_chosen.connect(self._wishes.set_new_type)
        self._element.target_wanted.connect(self._wishes.use_target)
        self._element.duplicate_wanted.connect(self._wishes.duplicate)
        self._element.delete_wanted.connect(self._wishes.delete)
        self._action.pick_wanted.connect(self._wishes.pick)
        self._review.review_wanted.connect(self._wishes.review)
        self._review.delete_wanted.connect(self._wishes.delete_step)

    def _calls(self) -> dict[str, Callable[[], object]]:
        view, canvas, wishes = self._view, self._canvas, self._wishes
        return {
            "next_step": lambda: view.go_by(1),
            "previous_step": lambda: view.go_by(-1),
            "next_arrow": lambda: view.go_by(1),
            "previous_arrow": lambda: view.go_by(-1),
            "pick_target": self._wishes.pick,
            "edit_rationale": self._rationale.edit,
            "delete_step": self._wishes.delete_step,
            "delete_in_list": self._wishes.delete_step,
            "draw": wishes.toggle_draw,
            "next_element": lambda: view.select_next(1),
            "previous_element": lambda: view.select_next(-1),
            "edit_text": self._element.edit_text,
            "use_target": self._wishes.use_target,
            "duplicate": self._wishes.duplicate,
            "delete": self._wishes.delete,
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
            "toggle_panel": lambda: self._panel.setVisible(self._panel.isHidden()),
            "undo": wishes.undo,
            "redo": wishes.redo,
            "next_pane": self._next_pane,
            "privacy": self._look_for_private,
            "library": self.back_wanted.emit,
            "help": self._overlay.toggle,
        }

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
        scale = "" if frame is None or frame.scale_factor == 1 else f" @{frame.scale_factor:g}x"
        size = "" if frame is None else f"{frame.width} x {frame.height}{scale}"
        self._status.show_place(f"Step {view.index + 1} of {len(steps)}" if steps else "No steps", size)
        for place in (view.index + 1, view.index - 1):
            if 0 <= place < len(steps) and (near := steps[place].before) is not None:
                self._pictures.frame(near.id)

    def _on_edited(self, edit: Edit, kind: EditKind) -> None:
        if kind != "done":
            self._view.show_edit(edit)
        before = {"done": "", "undone": "Undone: ", "redone": "Done again: "}[kind]
        self._status.show_last(f"{before}{edit.label}")

    def _on_labels(self, undo: str | None, redo: str | None) -> None:
        for name, label in (("undo", undo), ("redo", redo)):
            self.actions_by_name[name].setText(f"{name.capitalize()}: {label}" if label else name.capitalize())

    def _on_mode(self) -> None:
        hint = ""
        if self._canvas.draw_mode:
            hint = "Every drag draws a box. Esc ends it."
        elif self._canvas.pick_mode:
            hint = "Click the element. Esc ends it."
        self._foot.show_mode(hint, drawing=self._canvas.draw_mode)

    def _next_pane(self) -> None:
        panes: list[QWidget] = [self._steps, self._canvas]
        here = next((i for i, pane in enumerate(panes) if pane.hasFocus()), -1)
        if here == 1 and self._panel.isVisible():
            self._element.take_focus()
        else:
            panes[(here + 1) % 2].setFocus(Qt.FocusReason.ShortcutFocusReason)
