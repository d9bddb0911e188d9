"""Keeps what was learned about a library: the usual states of each type, and which digit sets which type."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice
from typing import Final

from PySide6.QtCore import QTimer

from annotator.attributes.commands import FillStates, SetAttribute
from annotator.attributes.digits import TypeDigits, load_digits, save_digits
from annotator.attributes.habits import Habits, read_reviewed
from annotator.commands import Command, SetType
from annotator.editing import EditKind
from annotator.ui.editor.feature import Desk
from demopack.domain.edits import Edit
from demopack.domain.elements import Element, ElementType

__all__ = ["Learning"]

_LEARNED_AT_ONCE: Final = 50
"""Of an edit of thousands of elements no more are counted: it is one habit."""


class Learning:
    """Reads the library in the background, learns from each edit, fills in what is usual.

    Attributes:
        habits: what is usual; those of an empty library until the library was read.
        digits: which digit sets which type.
    """

    def __init__(self, desk: Desk, *, changed: Callable[[], None]) -> None:
        """Begin to read.

        Args:
            desk: the editor.
            changed: called when habits or digits are others.
        """
        self.habits = Habits()
        self.digits = TypeDigits().relearned(self.habits.types_by_use())
        self._desk, self._changed = desk, changed
        self._last = ""
        desk.panel.element.set_digits(self.digits)
        desk.panel.element.digit_fixed.connect(self.fix_digit)
        self._ends = [
            desk.session.set_rewrite("habits", self._as_usual),
            desk.session.edited.connect(self._on_edited),
        ]
        library, demo_id = desk.session.library, desk.session.demo_id
        desk.runner.background(
            lambda: (load_digits(), read_reviewed(library, first=demo_id)),
            on_result=lambda read: self._use(*read),
            on_error=self._ignore,
        )

    def close(self) -> None:
        """Learn no more."""
        for end in self._ends:
            end()

    def fix_digit(self, digit: str, kind: ElementType | None) -> None:
        """Give a digit to a type for good; None lets it be learned again."""
        self._keep(self.digits.fix(digit, kind).relearned(self.habits.types_by_use()))

    # ----------------------------------------------------------------------------------------------------------

    def _as_usual(self, command: Command) -> Command:
        """A type brings its usual states along, whoever asked for it."""
        if isinstance(command, SetType):
            usual = self.habits.all_usual_states()
            command = SetAttribute(uids=(command.uid,), name="type", value=command.type, usual=usual)
        return command

    def _use(self, kept: TypeDigits, elements: list[Element]) -> None:
        if self._desk.session.closed:
            return
        self.habits.add(elements)
        self._desk.panel.element.set_habits(self.habits)
        digits = kept.relearned(self.habits.types_by_use())
        if digits != kept:
            self._keep(digits)
        else:
            self._show(digits)

    def _show(self, digits: TypeDigits) -> None:
        self.digits = digits
        self._desk.panel.element.set_digits(digits)
        self._changed()

    def _keep(self, digits: TypeDigits) -> None:
        self._show(digits)
        self._desk.runner.background(
            lambda: save_digits(digits), on_result=lambda _: None, on_error=self._desk.messages.show_error
        )

    def _ignore(self, error: Exception) -> None:
        """Habits are a help: a library that cannot be read says so where it is read for its own sake."""
        del error

    def _on_edited(self, edit: Edit, kind: EditKind) -> None:
        self._last = edit.id
        if kind != "done":
            return
        if edit.merge_key is not None and edit.merge_key.startswith("draw-"):
            # What is filled in by habit must not make the habit stronger.
            drawn = _drawn(edit)
            if drawn is not None:
                # After the drawing itself was handed to the log.
                QTimer.singleShot(0, self._desk.page, lambda: self._fill(drawn.uid, edit))
            return
        said = (change.after for change in edit.changes if _is_said(change.kind, change.after))
        self.habits.add(Element.model_validate(after) for after in islice(said, _LEARNED_AT_ONCE))

    def _fill(self, uid: str, edit: Edit) -> None:
        element = self._desk.document.element(uid)
        # After another edit it would be an entry of its own, and no part of the drawing any more.
        if element is None or element.states or self._desk.session.closed or edit.id != self._last:
            return
        states = self.habits.usual_states(element.type)
        if states:
            self._desk.session.do(FillStates(uid=uid, states=states, merge_key=edit.merge_key))
            self._desk.panel.element.note_usual(uid, states)


def _is_said(kind: str, after: Mapping[str, object] | None) -> bool:
    return kind == "element" and after is not None and after.get("review") == "approved"


def _drawn(edit: Edit) -> Element | None:
    """The box that an edit drew; None for any other edit."""
    made = [change for change in edit.changes if change.kind == "element" and change.before is None]
    return Element.model_validate(made[0].after) if len(made) == 1 else None
