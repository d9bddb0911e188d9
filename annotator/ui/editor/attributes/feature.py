"""Attributes by mouse and keyboard: digits, attribute mode, habits, the enlarged and read text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from itertools import islice
from typing import ClassVar, Final

from PySide6.QtCore import QTimer
from PySide6.QtGui import QImage

from annotator.attributes.commands import FillStates
from annotator.attributes.digits import DIGITS, load_digits, save_digits
from annotator.attributes.habits import Habits, read_reviewed
from annotator.attributes.mode import AttributeMode, command_of
from annotator.editing import EditKind
from annotator.ui.editor.attributes.card import AttributeCard
from annotator.ui.editor.attributes.mode_keys import ModeKeys
from annotator.ui.editor.attributes.reading import Reading
from annotator.ui.editor.feature import Desk, Feature
from annotator.ui.editor.keys import Key
from demopack.domain.edits import Edit
from demopack.domain.elements import ATTRIBUTES, Element, ElementType
from demopack.errors import DemopackError

__all__ = ["AttributesFeature"]

_LEARNED_AT_ONCE: Final = 50
"""Of an edit of thousands of elements no more are counted: it is one habit."""


class AttributesFeature(Feature):
    """Sets attributes of the selected elements, and knows what is usual.

    Attributes:
        mode: which attribute the digits mean.
        card: what is shown beside the element.
        reading: reads texts in the background.
    """

    KEYS: ClassVar[tuple[Key, ...]] = (
        Key(name="attribute_mode", words="Set attributes by keyboard, or end it", keys=("Q",), group="Attributes"),
        Key(
            name="attribute_lines", words="Attribute mode: another attribute", keys=("Up", "Down"), group="Attributes",
            scope="shown",
        ),
        *(
            Key(name=f"digit_{digit}", words="Type of the selection, or of the next box", keys=(digit,),
                group="Attributes")
            for digit in DIGITS
        ),
    )  # fmt: skip

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.mode = AttributeMode()
        self._habits = Habits()
        self._digits = load_digits()
        self.card = AttributeCard(desk.theme, end=self.end_mode)
        self.reading = Reading(desk.services, desk.runner, tell=self._on_read)
        self._keys = ModeKeys(desk.canvas, moved=self._on_arrow, active=lambda: self.card.on)
        desk.canvas.add_layer(self.card)
        element = desk.panel.element
        element.set_digits(self._digits)
        element.digit_fixed.connect(self._fix_digit)
        view = desk.view
        self._ends = [
            view.selection_changed.connect(self._on_selection),
            view.frame_changed.connect(self._on_selection),
            view.filters_changed.connect(self._show_mode),
            desk.document.elements_changed.connect(lambda _: self._on_selection()),
            desk.session.edited.connect(self._on_edited),
        ]
        desk.pictures.frame_ready.connect(self._on_picture)
        self._learn()
        self._on_selection()

    def calls(self) -> Mapping[str, Callable[[], object]]:
        """See :class:`Feature`."""
        return {
            "attribute_mode": self.toggle_mode,
            **{f"digit_{digit}": partial(self.press_digit, digit) for digit in DIGITS},
        }

    def close_view(self) -> None:
        """See :class:`Feature`."""
        for end in self._ends:
            end()
        self.desk.pictures.frame_ready.disconnect(self._on_picture)
        self._keys.close()
        self.reading.close()

    # Habits and digits ----------------------------------------------------------------------------------------

    @property
    def habits(self) -> Habits:
        """What is usual in this library."""
        return self._habits

    def _learn(self) -> None:
        library, demo_id = self.desk.session.library, self.desk.session.demo_id

        def use(elements: list[Element]) -> None:
            self._habits.add(elements)
            self._use_habits()
            digits = self._digits.relearned(self._habits.types_by_use())
            if digits != self._digits:
                self._digits = digits
                self._keep_digits()

        def ignore(error: Exception) -> None:
            # Habits are a help: a library that cannot be read says so where it is read for its own sake.
            del error
            self._use_habits()

        self._digits = self._digits.relearned(self._habits.types_by_use()) if not self._digits.learned else self._digits
        self.desk.panel.element.set_digits(self._digits)
        self.desk.runner.background(lambda: read_reviewed(library, first=demo_id), on_result=use, on_error=ignore)

    def _use_habits(self) -> None:
        if not self.desk.session.closed:
            self.desk.panel.element.set_habits(self._habits)
            self._show_mode()

    def _fix_digit(self, digit: str, kind: ElementType | None) -> None:
        self._digits = self._digits.fix(digit, kind).relearned(self._habits.types_by_use())
        self._keep_digits()

    def _keep_digits(self) -> None:
        if self.desk.session.closed:
            return
        self.desk.panel.element.set_digits(self._digits)
        self._show_mode()
        try:
            save_digits(self._digits)
        except DemopackError as error:
            self.desk.messages.show_error(error)

    # Digits and the mode --------------------------------------------------------------------------------------

    def press_digit(self, digit: str) -> None:
        """The value of the current attribute in attribute mode, else the type of the selection or the next box."""
        if self.card.on:
            command = command_of(self.card.lines, digit, usual=self._habits.all_usual_states())
            if command is not None:
                self.desk.do(command)
            return
        kind = self._digits.type_of(digit)
        if kind is not None:
            self.desk.panel.element.use_type(kind)
            if not self.desk.view.selection:
                self.desk.say(f"The next box is a {kind.replace('_', ' ')}.")

    def toggle_mode(self) -> None:
        """Begin to set attributes by keyboard, with the first element where none is selected; or end it."""
        if self.mode.on:
            self.end_mode()
            return
        self.mode.begin()
        self.desk.leave()
        if not self.desk.view.selection:
            self.desk.view.select_next(1)
        self.desk.canvas.setFocus()
        self._show_mode()
        if not self.card.on:
            self.end_mode()
            self.desk.say("There is no element on this picture.")

    def end_mode(self) -> None:
        """Set no more attributes by keyboard."""
        self.mode.end()
        self._show_mode()

    def _on_arrow(self, offset: int) -> None:
        self.mode.move(self._selected(), offset)
        self._show_mode()

    def _show_mode(self) -> None:
        elements = self._selected() if self.mode.on else []
        lines = self.mode.lines(elements, digits=self._digits, habits=self._habits)
        self.card.show(lines, [element.box for element in elements])
        self.desk.canvas.update()

    def _selected(self) -> list[Element]:
        document = self.desk.document
        return [element for uid in self.desk.view.selection if (element := document.element(uid)) is not None]

    # Following ------------------------------------------------------------------------------------------------

    def _on_selection(self) -> None:
        self._show_mode()
        self._show_picture()

    def _on_picture(self, frame_id: str) -> None:
        frame = self.desk.view.frame
        if frame is not None and frame.id == frame_id:
            self._show_picture()

    def _on_edited(self, edit: Edit, kind: EditKind) -> None:
        if kind != "done":
            return
        if edit.merge_key is not None and edit.merge_key.startswith("draw-"):
            # What is filled in by habit must not make the habit stronger.
            drawn = _drawn(edit)
            if drawn is not None:
                # After the drawing itself was handed to the log.
                QTimer.singleShot(0, self.desk.page, lambda: self._fill(drawn.uid, edit.merge_key))
            return
        said = (change.after for change in edit.changes if _is_said(change.kind, change.after))
        self._habits.add(Element.model_validate(after) for after in islice(said, _LEARNED_AT_ONCE))

    def _fill(self, uid: str, merge_key: str | None) -> None:
        element = self.desk.document.element(uid)
        if element is None or element.states or self.desk.session.closed:
            return
        states = self._habits.usual_states(element.type)
        if states:
            self.desk.session.do(FillStates(uid=uid, states=states, merge_key=merge_key))
            self.desk.panel.element.note_usual(uid, states)

    # The text on the element ----------------------------------------------------------------------------------

    def _show_picture(self) -> None:
        element, panel = self.desk.view.element, self.desk.panel.element
        image = None if element is None else self.desk.pictures.frame(element.frame)
        if element is None or not isinstance(image, QImage) or not ATTRIBUTES[element.type].text:
            panel.show_crop(None, None)
            self.reading.forget_wish()
            return
        panel.show_crop(image, element)
        panel.offer_text("" if element.text else self.reading.text_of(element.frame, element.box))
        if element.text:
            self.reading.forget_wish()
        else:
            self.reading.want(element.frame, element.box, image)

    def _on_read(self) -> None:
        if not self.desk.session.closed:
            self._show_picture()


def _is_said(kind: str, after: Mapping[str, object] | None) -> bool:
    return kind == "element" and after is not None and after.get("review") == "approved"


def _drawn(edit: Edit) -> Element | None:
    """The box that an edit drew; None for any other edit."""
    if edit.merge_key is None or not edit.merge_key.startswith("draw-"):
        return None
    made = [change for change in edit.changes if change.kind == "element" and change.before is None]
    return Element.model_validate(made[0].after) if len(made) == 1 else None
