"""Attributes by mouse and keyboard: digits, attribute mode, habits, the enlarged and read text, icons' names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import ClassVar

from PySide6.QtCore import QTimer
from PySide6.QtGui import QImage

from annotator.attributes.digits import DIGITS
from annotator.attributes.habits import Habits
from annotator.attributes.mode import AttributeMode, command_of
from annotator.attributes.offered import offered_text
from annotator.type_words import type_word
from annotator.ui.editor.attributes.card import AttributeCard
from annotator.ui.editor.attributes.following import TextFollowing
from annotator.ui.editor.attributes.learning import Learning
from annotator.ui.editor.attributes.mode_keys import ModeKeys
from annotator.ui.editor.attributes.reading import Reading
from annotator.ui.editor.feature import Desk, Feature
from annotator.ui.editor.keys import Key
from annotator.words import tr
from demopack.domain.elements import ATTRIBUTES, Element

__all__ = ["AttributesFeature"]


class AttributesFeature(Feature):
    """Sets attributes of the selected elements, and knows what is usual.

    Attributes:
        mode: which attribute the digits mean.
        card: what is shown beside the element.
        reading: reads texts in the background.
        following: reads the texts of boxes that were drawn or changed.
        learning: habits and digits.
    """

    KEYS: ClassVar[tuple[Key, ...]] = (
        Key(name="attribute_mode", words=tr("Set attributes by keyboard, or end it"), keys=("Q",), group="Attributes"),
        Key(
            name="attribute_lines", words=tr("Attribute mode: another attribute"), keys=("Up", "Down"),
            group="Attributes", scope="shown",
        ),
        *(
            Key(name=f"digit_{digit}", words=tr("Type of the selection, or of the next box"), keys=(digit,),
                group="Attributes")
            for digit in DIGITS
        ),
    )  # fmt: skip

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.mode = AttributeMode()
        self._frame_id = ""
        self.card = AttributeCard(desk.theme, end=self.end_mode)
        self.reading = Reading(desk.services, desk.runner, tell=self._on_read)
        self.following = TextFollowing(desk, self.reading)
        self.learning = Learning(desk, changed=self._show_mode)
        self._keys = ModeKeys(desk.canvas, moved=self._on_arrow, active=lambda: self.card.on)
        desk.canvas.add_layer(self.card)
        desk.panel.element.left.connect(desk.canvas.setFocus)
        view = desk.view
        self._ends = [
            view.selection_changed.connect(self._on_selection),
            view.frame_changed.connect(self._on_selection),
            view.filters_changed.connect(self._show_mode),
            desk.document.elements_changed.connect(lambda _: self._on_selection()),
        ]
        desk.pictures.frame_ready.connect(self._on_picture)
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
        self.learning.close()
        self.following.close()
        self.reading.close()

    @property
    def habits(self) -> Habits:
        """What is usual in this library."""
        return self.learning.habits

    # Digits and the mode --------------------------------------------------------------------------------------

    def press_digit(self, digit: str) -> None:
        """The value of the current attribute in attribute mode, else the type of the selection or the next box."""
        if self.card.on:
            command = command_of(self.card.lines, digit, usual=self.learning.habits.all_usual_states())
            if command is not None:
                self.desk.do(command)
            return
        kind = self.learning.digits.type_of(digit)
        if kind is not None:
            self.desk.panel.element.use_type(kind)
            if not self.desk.view.selection:
                self.desk.say(tr("The next box is a {type}.").format(type=type_word(kind)))

    def toggle_mode(self) -> None:
        """Begin to set attributes by keyboard, with the first element where none is selected; or end it."""
        if self.mode.on:
            self.end_mode()
            return
        self.mode.begin()
        self._frame_id = self._shown_frame()
        self._show_picture()
        self.desk.leave()
        if not self.desk.view.selection:
            self.desk.view.select_next(1)
        self.desk.canvas.setFocus()
        self._show_mode()
        if not self.card.on:
            self.end_mode()
            self.desk.say(tr("There is no element on this picture."))

    def end_mode(self) -> None:
        """Set no more attributes by keyboard."""
        self.mode.end()
        self._show_mode()

    def _on_arrow(self, offset: int) -> None:
        self.mode.move(self._selected(), offset)
        self._show_mode()

    def _show_mode(self) -> None:
        elements = self._selected() if self.mode.on else []
        guesses = self._guesses(elements)
        lines = self.mode.lines(elements, digits=self.learning.digits, habits=self.learning.habits, guesses=guesses)
        self.card.show(lines, [element.box for element in elements])
        self.desk.canvas.update()

    def _guesses(self, elements: Sequence[Element]) -> list[str]:
        """What a single icon may mean, as far as it was looked at."""
        if len(elements) != 1 or elements[0].type != "icon":
            return []
        (one,) = elements
        return [name for name, _ in self.reading.guesses_of(one.frame, one.box).likely]

    def _selected(self) -> list[Element]:
        document = self.desk.document
        return [element for uid in self.desk.view.selection if (element := document.element(uid)) is not None]

    # Following ------------------------------------------------------------------------------------------------

    def _shown_frame(self) -> str:
        frame = self.desk.view.frame
        return "" if frame is None else frame.id

    def _go_on(self) -> None:
        """In attribute mode with nothing selected: another picture begins with its first element, else it is over."""
        if not self.mode.on or self.desk.view.selection or self.desk.session.closed:
            return
        before, self._frame_id = self._frame_id, self._shown_frame()
        if before != self._frame_id:
            self.desk.view.select_next(1)
        if not self.desk.view.selection:
            self.end_mode()

    def _on_selection(self) -> None:
        if self.mode.on and not self.desk.view.selection:
            # What follows may select something else at once, for instance the next one after a rejected one.
            QTimer.singleShot(0, self.desk.page, self._go_on)
        self._show_mode()
        self._show_picture()

    def _on_picture(self, frame_id: str) -> None:
        frame = self.desk.view.frame
        if frame is not None and frame.id == frame_id:
            self._show_picture()

    # The text on the element ----------------------------------------------------------------------------------

    def _show_picture(self) -> None:
        element, panel = self.desk.view.element, self.desk.panel.element
        image = None if element is None else self.desk.pictures.frame(element.frame)
        panel.offer_words([] if element is None else self._guesses([element]))
        if element is None or not isinstance(image, QImage) or not ATTRIBUTES[element.type].text:
            panel.show_crop(None, None)
            self.reading.forget_wish()
            if element is not None and isinstance(image, QImage):
                self._look_at(element, image)
            return
        panel.show_crop(image, element)
        self._offer(element, image)

    def _look_at(self, element: Element, image: QImage) -> None:
        """Find out soon what an icon may mean, where digits would say so or it has no name."""
        if element.type == "icon" and (self.mode.on or not element.subtype):
            self.reading.want_meaning(element.frame, element.box, image)

    def _offer(self, element: Element, image: QImage) -> None:
        """Offer what the text could be while there is none; where it must be read, it is read soon."""
        panel = self.desk.panel.element
        if element.text:
            panel.offer_text("")
            self.reading.forget_wish()
            return
        here = self.desk.document.elements(element.frame)
        offer = offered_text(element, here, self.desk.canvas.pixels)
        place = offer.place
        panel.offer_text(offer.text or ("" if place is None else self.reading.text_of(element.frame, place)))
        if place is None:
            self.reading.forget_wish()
        else:
            self.reading.want(element.frame, place, image)

    def _on_read(self) -> None:
        if not self.desk.session.closed:
            self._show_mode()
            self._show_picture()
