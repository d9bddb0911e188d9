"""What a person might do on a page next: typing, ticking, opening, marking, scrolling, dragging, by chance."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Final

from demopack.domain.elements import ElementType
from lab.screens.browser import Browser, BrowserInput
from models.training.labelled_screens import GroundTruth

_WORDS: Final = (
    "Anna", "hello", "report 7", "42", "Ok", "lorem ipsum", "the quick brown fox", "user01", "Berlin", "a", "12.50",
    "see you", "Zoe", "passw0rd", "What a long line this is, longer than most", "yes", "x=3", "N/A",
)  # fmt: skip
_CLICKED: Final[dict[ElementType, float]] = {
    "tab": 3, "list_item": 3, "menu": 3, "menu_item": 3, "tree_item": 2, "icon": 2, "hyperlink": 1, "button": 1,
    "checkbox": 4, "radio": 4, "toggle": 4,
}  # fmt: skip
_OTHER: Final[dict[ElementType, float]] = {
    "input_field": 4, "spinner": 4, "text_area": 4, "dropdown": 4, "draggable_text": 3, "resize_handle": 3,
    "scrollbar": 3, "slider": 4, "text": 0.25, "dialog": 0.5, "shape": 2, "image": 1,
}  # fmt: skip
_DRAGGED: Final = frozenset[ElementType]({"draggable_text", "shape"})
_STAYS: Final = frozenset[ElementType]({"menu", "menu_item"})
"""Menus close or change when the pointer leaves them."""
_BAND: Final = 50
"""Where the yellow instruction ends, in CSS pixels."""
_AWAY: Final = (470.0, 300.0)


class ScriptedUser:
    """Does one thing after the other on a page.

    Args:
        browser: that shows the page.
        hand: its mouse and keyboard.
        chance: decides everything.
        task: some tasks are about marking text, which a person hardly does on the others.
    """

    def __init__(self, browser: Browser, hand: BrowserInput, chance: random.Random, *, task: str) -> None:
        self._browser = browser
        self._hand = hand
        self._chance = chance
        self._opened = False
        self._marks = task.startswith(("highlight", "copy"))
        self._ways: dict[ElementType, Callable[[GroundTruth, Sequence[GroundTruth]], None]] = {
            "input_field": self._write,
            "spinner": self._write,
            "text_area": self._write,
            "dropdown": self._choose,
            "draggable_text": self._drag,
            "slider": self._drag,
            "shape": self._drag if task.startswith("drag") else self._click,
            "resize_handle": self._pull,
            "dialog": self._pull_title,
            "scrollbar": self._scroll,
            "text": self._mark,
        }

    def act(self, elements: Sequence[GroundTruth]) -> str:
        """Do something with one of the elements in view.

        Returns:
            What was done, in a word and the type it was done to.
        """
        if self._opened:
            self._hand.press("Escape")
            self._opened = False
        if not elements or self._chance.random() < 0.18:
            return self._tab_keys()
        weights = [self._weight(one) for one in elements]
        if not sum(weights):
            return self._tab_keys()
        (one,) = self._chance.choices(elements, weights)
        self._ways.get(one.type, self._click)(one, elements)
        if one.type not in _STAYS and not self._opened and self._chance.random() < 0.8:
            self._hand.move(*_AWAY)
        return f"act-{one.type}"

    def _weight(self, one: GroundTruth) -> float:
        if one.type == "text" and self._marks:
            return 2.0 if one.box.y1 > _BAND * self._browser.scale else 0.2
        if one.type == "button" and one.text in {"Submit", "Login", "Okay"}:
            return 0.2
        return _CLICKED.get(one.type, _OTHER.get(one.type, 0.0))

    def _middle(self, one: GroundTruth) -> tuple[float, float]:
        scale = self._browser.scale
        return ((one.box.x1 + one.box.x2) / 2 / scale, (one.box.y1 + one.box.y2) / 2 / scale)

    def _tab_keys(self) -> str:
        for _ in range(self._chance.randint(1, 4)):
            self._hand.press("Tab")
        return "act-keys"

    def _click(self, one: GroundTruth, elements: Sequence[GroundTruth]) -> None:
        self._hand.click(*self._middle(one), ctrl=one.type == "list_item" and self._chance.random() < 0.3)
        if one.type in {"checkbox", "radio"}:
            others = [other for other in elements if other.type == one.type and other is not one]
            for other in self._chance.sample(others, min(len(others), self._chance.randint(0, 3))):
                self._hand.click(*self._middle(other))

    def _write(self, one: GroundTruth, elements: Sequence[GroundTruth]) -> None:
        times = self._chance.choices([1, 2, 3], [8, 1, 1])[0]
        self._hand.click(*self._middle(one), times=times)
        if self._chance.random() < 0.2:
            return
        words = [self._chance.choice(_WORDS)]
        said = [text for other in elements if other.type == "text" for text in (other.text or "").split()]
        quoted = [text for text in said if text.startswith('"')]
        if said and self._chance.random() < 0.6:
            words = [self._chance.choice(quoted or said).strip('".,')]
        if one.type == "spinner":
            words = [str(self._chance.randint(0, 99))]
        if one.type == "text_area" and self._chance.random() < 0.3:
            words = self._chance.choices(_WORDS, k=8)
        self._hand.type_text(" ".join(words))
        if self._chance.random() < 0.15:
            self._hand.press("a", ctrl=True)

    def _choose(self, one: GroundTruth, elements: Sequence[GroundTruth]) -> None:
        del elements
        # Chromium opens the list of a native drop-down only at its own scale.
        if self._browser.scale == 1 and self._chance.random() < 0.6:
            self._hand.click(*self._middle(one))
            self._opened = True
            return
        self._browser.run("document.querySelector('select')?.focus()")
        for _ in range(self._chance.randint(0, 4)):
            self._hand.press("ArrowDown")

    def _drag(self, one: GroundTruth, elements: Sequence[GroundTruth]) -> None:
        # To another thing that can be dragged: what is dragged over words or buttons makes them unreadable.
        goal = self._middle(self._chance.choice([other for other in elements if other.type in _DRAGGED] or [one]))
        x, y = goal[0] + self._chance.uniform(-25, 25), goal[1] + self._chance.uniform(-8, 8)
        self._hand.drag(self._middle(one), (x, max(y, _BAND + 10)))

    def _pull(self, one: GroundTruth, elements: Sequence[GroundTruth]) -> None:
        del elements
        x, y = self._middle(one)
        self._hand.drag((x, y), (x + self._chance.uniform(-40, 20), y + self._chance.uniform(-15, 50)))

    def _pull_title(self, one: GroundTruth, elements: Sequence[GroundTruth]) -> None:
        del elements
        scale = self._browser.scale
        x, y = one.box.x1 / scale + 20, one.box.y1 / scale + 12
        self._hand.drag((x, y), (x + self._chance.uniform(-20, 30), y + self._chance.uniform(-20, 40)))

    def _scroll(self, one: GroundTruth, elements: Sequence[GroundTruth]) -> None:
        del elements
        x, y = self._middle(one)
        self._hand.wheel(x - 20, y, down=self._chance.choice([40, 80, 120, 300, -60]))

    def _mark(self, one: GroundTruth, elements: Sequence[GroundTruth]) -> None:
        lines = [other for other in elements if other.type == "text" and other.box.y1 >= one.box.y1]
        last = self._chance.choice(lines)
        if self._chance.random() < 0.2:
            self._hand.click(*self._middle(one), times=self._chance.choice([2, 3]))
            return
        scale = self._browser.scale
        start = (one.box.x1 / scale + 1, self._middle(one)[1])
        end = (self._chance.uniform(last.box.x1, last.box.x2) / scale, self._middle(last)[1])
        self._hand.drag(start, end)
