"""The step's action: what, how, and on which element, with what is wrong with that and which others are as right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from PySide6.QtWidgets import QFormLayout, QGridLayout, QLabel, QWidget

from annotator.attributes.target_check import TargetCheck, check_target, field_words, target_words
from annotator.document import Document
from annotator.step_commands import BindTarget, MarkAlternatives, MovePointer, SetAction, action_of_type, spots_of
from annotator.step_words import doubt_words, doubts_of, name_element, words_of
from annotator.ui.controls import (
    column,
    combo_box,
    discard,
    flat_button,
    label,
    push_button,
    row,
    set_tip,
    show_words,
    table,
)
from annotator.ui.editor.attributes.attribute_fields import SPOT_WORDS, NumberFields
from annotator.ui.editor.panels.action_fields import FIELDS, Control, make_control
from annotator.ui.editor.panels.panel_section import Do, PanelSection, UndoGroup
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.view_state import ViewState
from annotator.words import tr
from demopack.domain.actions import ACTION_TYPES, FORBIDS_TARGET
from demopack.domain.elements import Element
from demopack.domain.geometry import Point
from demopack.domain.steps import Step
from demopack.errors import ActionError, DemopackError

_MAX_ROWS = 3


class TargetWarning(QWidget):
    """Hidden while all is well."""

    def __init__(self, theme: Theme, *, end: bool, choose: Callable[[str], None]) -> None:
        """Make it, hidden; ``choose`` is called with the uid of the element that was meant."""
        super().__init__()
        self._end = end
        self._aim = TargetCheck()
        self._words = label("", role="warning", wraps=True)
        tip = tr("Make this the element that was meant")
        self._buttons = [
            push_button("", tip, theme, name="target", call=partial(self._choose, choose, place))
            for place in range(_MAX_ROWS)
        ]
        for button in self._buttons:
            button.setAccessibleName(tr("It was another element"))
        column(self._words, *(row(button, None) for button in self._buttons), of=self, spacing=SPACE.xs)
        self.hide()

    def show_check(self, aim: TargetCheck) -> None:
        """Show what is wrong; nothing, and take no room, when nothing is."""
        self._aim = aim
        self._words.setText(target_words(aim, end=self._end))
        for place, button in enumerate(self._buttons):
            button.setVisible(place < len(aim.offers))
            if place < len(aim.offers):
                words = name_element(aim.offers[place])
                button.setText(words)
                button.setAccessibleName(tr("It was {element}").format(element=words))
        self.setVisible(bool(aim.trouble))

    def _choose(self, choose: Callable[[str], None], place: int, *_: object) -> None:
        choose(self._aim.offers[place].uid)


class AlternativesList(QWidget):
    """One line each; hidden while there is none.

    Attributes:
        words: the names that are shown.
    """

    def __init__(self, theme: Theme, *, drop: Callable[[str], None]) -> None:
        """Make it, empty; ``drop`` is called with the uid of an element that is no alternative any more."""
        super().__init__()
        self._theme, self._call = theme, drop
        self._uids: tuple[str, ...] = ()
        self.words: tuple[str, ...] = ()
        self._rows: list[QWidget] = []
        self._column = column(of=self, spacing=0)
        self.hide()

    def show_elements(self, elements: Sequence[Element]) -> None:
        """Show these."""
        uids, words = tuple(e.uid for e in elements), tuple(name_element(e) for e in elements)
        if (uids, words) != (self._uids, self.words):
            self._uids, self.words = uids, words
            discard(self._rows)
            self._rows = [self._row(uid, name) for uid, name in zip(uids, words, strict=True)]
            for made in self._rows:
                self._column.addWidget(made)
        self.setVisible(bool(uids))

    def _row(self, uid: str, name: str) -> QWidget:
        made, tip = QWidget(), tr("{element} is not right").format(element=name)
        drop = flat_button("close", tip, self._theme, call=lambda: self._call(uid))
        set_tip(drop, tip, action="mark_alternative")
        row((label(name, wraps=True), 1), drop, of=made)
        return made


_ROWS_OF_END = 3
_POINTED = frozenset({"click", "hover", "drag", "scroll"})
_NAMES = {
    "click": tr("Click"), "type": tr("Type text"), "scroll": tr("Scroll"), "press_key": tr("Press keys"),
    "wait": tr("Wait"), "finish_goal": tr("Finish the task"), "hover": tr("Point at"), "drag": tr("Drag"),
    "launch": tr("Start a program"), "extract_data": tr("Read something"),
}  # fmt: skip


class _TargetRows:
    """The rows about the target of a step, or about the end of a drag: the element, what is wrong with it, the spot."""

    def __init__(self, section: ActionSection, grid: QGridLayout, theme: Theme, *, end: bool) -> None:
        self._end = end
        name = tr("Ends on") if end else tr("Target")
        self._caption = label(name, role="muted")
        self._name = label("", wraps=True)
        self._name.setAccessibleName(name)
        tip = tr("Pick where it ends on the picture") if end else tr("Pick the target on the picture")
        pick = flat_button("cursor", tip, theme, action="pick_end" if end else "pick_target")
        clear = tr("Clear where it ends") if end else tr("Clear the target")
        self._clear = flat_button("close", clear, theme, call=lambda: section.bind(None, end=end))
        self._element = QWidget()
        row((self._name, 1), pick, self._clear, of=self._element, spacing=2)
        self._warning = TargetWarning(theme, end=end, choose=partial(section.bind, end=end))
        self._spot = NumberFields(SPOT_WORDS[end], change=partial(self._move, section))
        self._spot_caption = label(tr("at"), role="muted")
        first = _ROWS_OF_END if end else 0
        grid.addWidget(self._caption, first, 0)
        grid.addWidget(self._element, first, 1)
        grid.addWidget(self._warning, first + 1, 0, 1, 2)
        grid.addWidget(self._spot_caption, first + 2, 0)
        grid.addWidget(self._spot, first + 2, 1)

    def show(self, step: Step, document: Document) -> None:
        """Show what the step says; nothing where its kind of action says nothing of the sort."""
        kind, end = step.action.action_type, self._end
        shown = kind == "drag" if end else kind not in FORBIDS_TARGET
        element = document.element(step.end_uid if end else step.target_uid)
        spot = tr("A spot, no element") if step.action.target is not None else tr("None")
        self._name.setText(spot if element is None else name_element(element))
        self._clear.setEnabled(element is not None)
        for part in (self._element, self._caption):
            part.setVisible(shown)
        parsed = step.before is not None and document.is_parsed(step.before.id)
        elements = document.elements(step.before.id) if parsed and step.before is not None else ()
        self._warning.show_check(check_target(step, elements, end=end) if shown else TargetCheck())
        known = shown and kind in _POINTED and step.before is not None
        at = spots_of(step)[1 if end else 0] if known else None
        for part in (self._spot, self._spot_caption):
            part.setVisible(at is not None)
        if at is not None and step.before is not None:
            self._spot.show_numbers({"x": at.x, "y": at.y}, room=step.before.size)

    def _move(self, section: ActionSection, *_: object) -> None:
        section.move_pointer(Point(self._spot.number("x"), self._spot.number("y")), end=self._end)


class ActionSection(PanelSection):
    """Shows and edits the current step's action."""

    def __init__(self, view: ViewState, do: Do, theme: Theme) -> None:
        super().__init__(tr("Action"), view, do, theme)
        self._gesture = UndoGroup()
        self._shown: tuple[str, str] | None = None
        self._controls: dict[str, Control] = {}
        self._troubles: dict[str, QLabel] = {}
        self._words = label("", role="words", wraps=True)
        self._body.addWidget(self._words)
        self._doubts = label("", role="warning", wraps=True)
        self._body.addWidget(self._doubts)
        kinds = [(_NAMES[name], name) for name in ACTION_TYPES]
        self._type = combo_box(tr("Kind of action"), tr("What was done"), kinds)
        self._type.activated.connect(self._set_type)
        self._body.addWidget(self._type)
        self._form = QFormLayout()
        self._form.setHorizontalSpacing(SPACE.m)
        self._form.setVerticalSpacing(SPACE.s)
        self._form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self._body.addLayout(self._form)
        self._error = label("", role="error", wraps=True)
        self._body.addWidget(self._error)
        self._body.addLayout(self._targets(theme))
        view.leaving.connect(self.flush)
        view.step_changed.connect(self._show)
        view.document.elements_changed.connect(lambda _: self._show_words())
        self._show()

    def _targets(self, theme: Theme) -> QGridLayout:
        """Rows for the target and the end: the element, what is wrong with it, the exact spot."""
        # No form: it cuts words that need several lines.
        grid = table((), spacing=SPACE.m, below=SPACE.xs)
        grid.setColumnStretch(1, 1)
        self._ends_of = [_TargetRows(self, grid, theme, end=end) for end in (False, True)]
        self._others = AlternativesList(theme, drop=self._drop_alternative)
        self._others_label = label(tr("Also right"), role="muted")
        grid.addWidget(self._others_label, _ROWS_OF_END * 2, 0)
        grid.addWidget(self._others, _ROWS_OF_END * 2, 1)
        return grid

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
            parameters = step.action.parameters
            for name, control in self._controls.items():
                control.show(parameters.get(name))

    def _rebuild(self, step: Step | None) -> None:
        """Other fields, because it is another step or another kind of action."""
        while self._form.rowCount():
            self._form.removeRow(0)
        self._controls, self._troubles = {}, {}
        show_words(self._error, "")
        if step is None:
            return
        self._type.setCurrentIndex(ACTION_TYPES.index(step.action.action_type))
        for field in FIELDS[step.action.action_type]:
            control = self._controls[field.name] = make_control(field, partial(self._put, field.name))
            trouble = self._troubles[field.name] = label("", role="error", wraps=True)
            trouble.hide()
            self._form.addRow(label(field.label, role="muted"), column(control.widget, trouble, spacing=0))

    def flush(self) -> None:
        """Hand over what is being typed."""
        for control in tuple(self._controls.values()):
            control.flush()

    def _show_words(self) -> None:
        step, document = self._view.step, self._view.document
        if step is None:
            self._words.setText(tr("No step."))
            self._doubts.hide()
            return
        self._words.setText(words_of(document, step))
        # What is wrong with the target stands beside the target.
        doubts = [words for words in doubts_of(document, step) if words != doubt_words("no_element")]
        show_words(self._doubts, "\n".join(doubts))
        for rows in self._ends_of:
            rows.show(step, document)
        before = "" if step.before is None else step.before.id
        kept = [e for e in document.present(step.alternatives) if e.frame == before and e.review != "rejected"]
        self._others.show_elements(kept)
        self._others_label.setVisible(bool(kept))

    # Editing --------------------------------------------------------------------------------------------------

    def _set_type(self, place: int) -> None:
        step = self._view.step
        if step is None:
            return
        try:
            action = action_of_type(step, self._view.document, ACTION_TYPES[place])  # type: ignore[arg-type]
        except DemopackError as error:
            self._type.setCurrentIndex(ACTION_TYPES.index(step.action.action_type))
            show_words(self._error, str(error))
            return
        self._do(SetAction(step_id=step.id, action=action))

    def _put(self, name: str, value: Any) -> None:  # noqa: ANN401 - checked by the action itself
        step = self._view.step
        if step is None:
            return
        trouble = self._troubles[name]
        try:
            action = step.action.replace(**{name: value})
        except ActionError as error:
            show_words(trouble, field_words(name, value, error))
            return
        trouble.hide()
        show_words(self._error, "")
        self._do(SetAction(step_id=step.id, action=action, merge_key=self._gesture.key(step.id, name)))

    def _drop_alternative(self, uid: str) -> None:
        step = self._view.step
        if step is not None:
            self._view.leaving.emit()
            self._do(MarkAlternatives(step_id=step.id, uids=(uid,)))

    def bind(self, uid: str | None, *, end: bool) -> None:
        """Make an element the target, or the end of the drag; None for none."""
        step = self._view.step
        if step is not None:
            self._do(BindTarget(step_id=step.id, uid=uid, end=end))

    def move_pointer(self, at: Point, *, end: bool) -> None:
        """Say where the pointer acted, or where the drag ended, in pixels of the picture."""
        step = self._view.step
        if step is not None:
            key = self._gesture.key(step.id, "end" if end else "spot")
            self._do(MovePointer(step_id=step.id, at=at, end=end, merge_key=key))
