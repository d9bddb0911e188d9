"""The step's action: what, how, and on which element."""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QFormLayout, QHBoxLayout, QLabel, QWidget

from annotator.step_commands import BindTarget, SetAction, action_of_type, with_parameter
from annotator.ui.controls import flat_button, label
from annotator.ui.editor.panels.action_fields import FIELDS, Control, make_control
from annotator.ui.editor.panels.base import Do, Gesture, Section
from annotator.ui.editor.step_model import doubts_of, words_of
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.view_state import ViewState
from demopack.domain.actions import ACTION_TYPES
from demopack.domain.steps import Step
from demopack.domain.words import name_element
from demopack.errors import ActionError, DemopackError

__all__ = ["ActionSection"]

_NAMES = {
    "click": "Click", "type": "Type text", "scroll": "Scroll", "press_key": "Press keys", "wait": "Wait",
    "finish_goal": "Finish the task", "hover": "Point at", "drag": "Drag", "launch": "Start a program",
    "extract_data": "Read something",
}  # fmt: skip


class _TargetRow(QWidget):
    """Names a target; picks another one, or clears it.

    Signals:
        pick: choose one on the picture.
        clear: none.
    """

    pick = Signal()
    clear = Signal()

    def __init__(self, name: str, words: str, theme: Theme, *, keys: str = "") -> None:
        super().__init__()
        self._name = label("", wraps=True)
        self._name.setAccessibleName(name)
        pick = flat_button("cursor", f"Pick {words} on the picture", theme, keys=keys)
        pick.clicked.connect(self.pick)
        self._clear = flat_button("close", f"Clear {words}", theme)
        self._clear.clicked.connect(self.clear)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self._name, 1)
        layout.addWidget(pick)
        layout.addWidget(self._clear)

    def show_target(self, words: str, *, bound: bool) -> None:
        """Show what it is."""
        self._name.setText(words)
        self._clear.setEnabled(bound)

    @property
    def words(self) -> str:
        """What is shown."""
        return self._name.text()


class ActionSection(Section):
    """Shows and edits the current step's action.

    Signals:
        pick_wanted: choose the target on the picture; True for a drag's end.
    """

    pick_wanted = Signal(bool)

    def __init__(self, view: ViewState, do: Do, theme: Theme) -> None:
        super().__init__("Action", view, do, theme)
        self._gesture = Gesture()
        self._shown: tuple[str, str] | None = None
        self._controls: dict[str, Control] = {}
        self._words = label("", role="words", wraps=True)
        self._body.addWidget(self._words)
        self._doubts = label("", role="warning", wraps=True)
        self._body.addWidget(self._doubts)
        self._type = QComboBox()
        self._type.setAccessibleName("Kind of action")
        self._type.setToolTip("What was done")
        self._type.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        for name in ACTION_TYPES:
            self._type.addItem(_NAMES[name], name)
        self._type.activated.connect(self._set_type)
        self._body.addWidget(self._type)
        self._form = QFormLayout()
        self._form.setHorizontalSpacing(SPACE.m)
        self._form.setVerticalSpacing(SPACE.s)
        self._form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self._body.addLayout(self._form)
        self._error = label("", role="error", wraps=True)
        self._body.addWidget(self._error)
        self._target, self._target_label = self._row("Target", theme, end=False)
        self._end, self._end_label = self._row("Ends on", theme, end=True)
        targets = QFormLayout()
        targets.setHorizontalSpacing(SPACE.m)
        targets.setVerticalSpacing(SPACE.xs)
        targets.setLabelAlignment(Qt.AlignmentFlag.AlignVCenter)
        targets.addRow(self._target_label, self._target)
        targets.addRow(self._end_label, self._end)
        self._body.addLayout(targets)
        self._ends = [
            view.leaving.connect(self.flush),
            view.step_changed.connect(self._show),
            view.document.elements_changed.connect(lambda _: self._show_words()),
        ]
        self._show()

    def _row(self, name: str, theme: Theme, *, end: bool) -> tuple[_TargetRow, QLabel]:
        row = _TargetRow(name, "where it ends" if end else "the target", theme, keys="" if end else "T")
        row.pick.connect(lambda: self.pick_wanted.emit(end))
        row.clear.connect(lambda: self._bind(None, end=end))
        return row, label(name, role="muted")

    # Following ------------------------------------------------------------------------------------------------

    def _show(self) -> None:
        step = self._view.step
        self.setEnabled(step is not None)
        self._show_words()
        shown = None if step is None else (step.id, step.action.action_type)
        if shown != self._shown:
            if self._shown is None or shown is None or self._shown[0] != shown[0]:
                self._gesture.end()
            self._shown = shown
            self._rebuild(step)
        if step is not None:
            for name, control in self._controls.items():
                control.show(step.action.parameters.get(name))

    def _rebuild(self, step: Step | None) -> None:
        """Other fields, because it is another step or another kind of action."""
        while self._form.rowCount():
            self._form.removeRow(0)
        self._controls = {}
        self._tell("")
        if step is None:
            return
        self._type.setCurrentIndex(ACTION_TYPES.index(step.action.action_type))
        for field in FIELDS[step.action.action_type]:
            control = self._controls[field.name] = make_control(field, partial(self._put, field.name))
            self._form.addRow(label(field.label, role="muted"), control.widget)

    def flush(self) -> None:
        """Hand over what is being typed."""
        for control in tuple(self._controls.values()):
            control.flush()

    def _show_words(self) -> None:
        step, document = self._view.step, self._view.document
        if step is None:
            self._words.setText("No step.")
            self._doubts.hide()
            return
        self._words.setText(words_of(document, step))
        doubts = doubts_of(document, step)
        self._doubts.setText("\n".join(doubts))
        self._doubts.setVisible(bool(doubts))
        aimed = step.action.action_type not in {"wait", "finish_goal", "launch"}
        for row, caption, uid, shown in (
            (self._target, self._target_label, step.target_uid, aimed),
            (self._end, self._end_label, step.end_uid, step.action.action_type == "drag"),
        ):
            element = document.element(uid)
            spot = "A spot, no element" if step.action.target is not None else "None"
            row.show_target(spot if element is None else name_element(element), bound=element is not None)
            row.setVisible(shown)
            caption.setVisible(shown)

    # Editing --------------------------------------------------------------------------------------------------

    def _tell(self, words: str) -> None:
        self._error.setText(words)
        self._error.setVisible(bool(words))

    def _set_type(self, place: int) -> None:
        step = self._view.step
        if step is None:
            return
        try:
            action = action_of_type(step, self._view.document, ACTION_TYPES[place])  # type: ignore[arg-type]
        except DemopackError as error:
            self._type.setCurrentIndex(ACTION_TYPES.index(step.action.action_type))
            self._tell(str(error))
            return
        self._do(SetAction(step_id=step.id, action=action))

    def _put(self, name: str, value: Any) -> None:  # noqa: ANN401 - checked by the action itself
        step = self._view.step
        if step is None:
            return
        try:
            action = with_parameter(step.action, name, value)
        except ActionError as error:
            self._tell(str(error))
            return
        self._tell("")
        self._do(SetAction(step_id=step.id, action=action, merge_key=self._gesture.key(step.id, name)))

    def _bind(self, uid: str | None, *, end: bool) -> None:
        step = self._view.step
        if step is not None:
            self._do(BindTarget(step_id=step.id, uid=uid, end=end))
