"""An expert who ends with the truth by drawing, counting what that needs: by the rules of ``bench_annotating.py``.

How states and subtypes are set is here too: drawing and correcting have that in common.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from hand import Hand, Spent, cheapest, replacement_keys, typing_keys

from annotator.attributes.element_attributes import AttributeName, value_of
from annotator.attributes.keyboard_choice import AttributeMode, TypeDigits
from annotator.attributes.type_defaults import TypeDefaults
from annotator.hit_testing import BoxIndex
from demopack.domain.elements import ATTRIBUTES, ELEMENT_TYPES, STATES, Element, ElementType, reading_order
from demopack.domain.frames import RgbImage

_PANEL = 160
"""Pixels from the picture's edge to the type in the panel beside it."""
_WORTH_ALL, _WORTH_SEARCHING = 3, 8
"""So many elements must become right before something is set for all, or a search is worth its letters."""
SET_LATER: Final[tuple[AttributeName, ...]] = (*STATES, "subtype")
"""What is set in attribute mode, once box, type and text are right."""
NOTHING_READ: Mapping[str, str] = {}


def plain(text: str) -> str:
    """A text as it is compared: runs of blanks are one, and three dots are the sign for them."""
    return " ".join(text.replace("...", "…").split())


def text_of(element: Element) -> str:
    """An element's text as it is compared."""
    return plain(element.text or "")


def nearest_first(elements: Iterable[Element], hand: Hand) -> Iterator[Element]:
    """Always the one whose box begins nearest to the pointer, wherever that is by then."""
    left = list(elements)
    while left:
        one = min(left, key=lambda one: math.hypot(one.box.x1 - hand.x, one.box.y1 - hand.y))
        left.remove(one)
        yield one


@dataclass(slots=True)
class Walk:
    """What can be selected on the picture, and what is."""

    order: list[str]
    boxes: BoxIndex
    at: int | None = None

    def select(self, hand: Hand, uid: str) -> None:
        """By Tab, Shift+Tab or clicks."""
        place, whole = self.order.index(uid), len(self.order)
        if place == self.at:
            return
        on = place + 1 if self.at is None else (place - self.at) % whole
        back = whole - place if self.at is None else (self.at - place) % whole
        cheapest(hand, [lambda one: one.key(on), lambda one: one.key(back + 1), partial(self._click, uid=uid)])
        self.at = place

    def _click(self, hand: Hand, uid: str) -> None:
        """Where as little as possible lies on top of it; each click goes to the next larger one."""
        box = self.boxes.box(uid)
        assert box is not None
        spots = [(box.x1 + box.width * i / 6, box.y1 + box.height * j / 6) for i in range(1, 6) for j in range(1, 6)]
        ranks = [(found.index(uid), spot) for spot in spots if uid in (found := self.boxes.at(*spot))]
        rank, (x, y) = min(ranks, key=lambda one: (one[0], abs(one[1][0] - hand.x) + abs(one[1][1] - hand.y)))
        hand.click(x, y, size=min(box.width, box.height), times=rank + 1)

    def reject(self, hand: Hand, uids: Collection[str]) -> None:
        """X on what is selected, which goes on to the next."""
        hand.key()
        place = min(self.order.index(uid) for uid in uids)
        after = next((uid for uid in self.order[place:] if uid not in uids), None)
        self.order = [uid for uid in self.order if uid not in uids]
        self.at = None if after is None else self.order.index(after)


@dataclass(slots=True)
class Expert:
    """What a person brings along from screen to screen: habits, digits, the type that is set."""

    defaults: TypeDefaults = field(default_factory=TypeDefaults)
    digits: TypeDigits = field(default_factory=TypeDigits)
    new_type: ElementType = "button"
    _size: tuple[int, int] = (0, 0)
    _began: bool = False

    def draw(self, image: RgbImage, truth: Sequence[Element], *, offers: Mapping[str, str] = NOTHING_READ) -> Spent:
        """Everything from nothing; with ``offers``, from uid to text, the editor's reader offers what it reads."""
        hand = self._begin(image)
        hand.key()
        made = {one.uid: self._drawn(hand, one, offers.get(one.uid, "")) for one in nearest_first(truth, hand)}
        ordered = reading_order(truth)
        self._states(hand, Walk([e.uid for e in ordered], BoxIndex(ordered)), [made[e.uid] for e in ordered], ordered)
        return self._end(hand, truth)

    def _begin(self, image: RgbImage) -> Hand:
        self._size = image.shape[1], image.shape[0]
        self.digits = self.digits.relearned(self.defaults.types_by_use())
        return Hand(x=self._size[0] / 2, y=self._size[1] / 2)

    def _end(self, hand: Hand, truth: Sequence[Element]) -> Spent:
        """Space approves the step and goes on."""
        hand.key()
        self.defaults.add(truth)
        return hand.spent

    # Parts ----------------------------------------------------------------------------------------------------

    def _drawn(self, hand: Hand, true: Element, offer: str = "") -> Element:
        """A new box; returns the element as far as it is right by now."""
        box = true.box
        hand.drag(box.x1, box.y1, box.x2, box.y2)
        if true.type != self.new_type:
            self._type(hand, true.type)
        self._text(hand, offer, text_of(true), offered=True)
        return true.changed(states=self.defaults.usual_states(true.type), subtype=None).cleaned()

    def _type(self, hand: Hand, kind: ElementType) -> None:
        """A digit, or the first letters in the panel's list."""
        self.new_type = kind
        if self.digits.digit_of(kind):
            hand.key()
            return
        hand.click(self._size[0] + _PANEL, 60, size=28)
        before = ELEMENT_TYPES[: ELEMENT_TYPES.index(kind)]
        letters = next(n for n in range(1, 40) if n > len(kind) or not any(o.startswith(kind[:n]) for o in before))
        hand.key(letters + 1)

    def _text(self, hand: Hand, old: str, new: str, *, offered: bool = False) -> None:
        """Enter, the letters, Enter; what is offered must be taken over even where it is right."""
        if new and (old != new or offered):
            hand.key(2 + (0 if old == new else replacement_keys(old, new)))
        elif old != new:
            hand.key(3)

    def _states(self, hand: Hand, walk: Walk, made: Sequence[Element], truth: Sequence[Element]) -> None:
        """Attribute mode: what many need is set for all, or for all of a type; then one round over what is left."""
        mode = AttributeMode()
        mode.begin()
        self._began = False
        made = self._together(hand, walk, mode, made, truth)
        made = self._at_once(hand, walk, mode, made, truth)
        for element, true in zip(made, truth, strict=True):
            names: list[AttributeName] = [one for one in SET_LATER if value_of(element, one) != value_of(true, one)]
            if not names:
                continue
            walk.select(hand, element.uid)
            self._mode(hand)
            for name in names:
                self._set(hand, mode, [element], name, value_of(true, name))
        hand.key(1 if self._began else 0)

    def _mode(self, hand: Hand) -> None:
        hand.key(0 if self._began else 1)
        self._began = True

    def _together(
        self, hand: Hand, walk: Walk, mode: AttributeMode, made: Sequence[Element], truth: Sequence[Element]
    ) -> Sequence[Element]:
        """What can be set together because it is alike."""
        del hand, walk, mode, truth
        return made

    def _at_once(
        self, hand: Hand, walk: Walk, mode: AttributeMode, made: Sequence[Element], truth: Sequence[Element]
    ) -> list[Element]:
        """States of all elements (Ctrl+A), then of all of a type (a search); only where that saves keys."""
        now, selected = list(made), ""
        for kind in ("", *dict.fromkeys(true.type for true in truth)):
            for state in STATES:
                able = [
                    i for i, one in enumerate(now) if state in ATTRIBUTES[one.type].states and kind in {"", one.type}
                ]
                wanted = Counter(truth[i].states.get(state) for i in able)
                right = sum(now[i].states.get(state) == truth[i].states.get(state) for i in able)
                value, count = wanted.most_common(1)[0] if wanted else (None, 0)
                if count - right < (_WORTH_SEARCHING if kind and selected != kind else _WORTH_ALL):
                    continue
                if selected != (kind or "all"):
                    # Ctrl+A; or Ctrl+K, the search, Down, Ctrl+A, and Enter back to the picture.
                    hand.key(2 if not kind else 2 + typing_keys(f"type:{kind}") + 1 + 2 + 1)
                    selected, walk.at = kind or "all", None
                self._mode(hand)
                self._set(hand, mode, [now[i] for i in range(len(now)) if kind in {"", now[i].type}], state, value)
                for i in able:
                    states = {**now[i].states, state: value}
                    now[i] = now[i].model_copy(update={"states": {k: v for k, v in states.items() if v is not None}})
        return now

    def _set(
        self, hand: Hand, mode: AttributeMode, elements: Sequence[Element], name: AttributeName, value: object
    ) -> None:
        """Up or down to the attribute, then a digit; a word that has none is written."""
        lines = mode.lines(elements, digits=self.digits, defaults=self.defaults, guesses=self._likely(elements))
        names = [line.name for line in lines]
        now, there = next(i for i, line in enumerate(lines) if line.current), names.index(name)
        ways = (there - now) % len(names), (now - there) % len(names)
        hand.key(min(ways))
        mode.move(elements, there - now)
        digits = [choice.digit for choice in lines[there].choices if choice.value == value]
        hand.key(1 if digits else 2 + (self._word_keys(str(value)) if value else 1))

    def _likely(self, elements: Sequence[Element]) -> Sequence[str]:
        """What an icon may mean, by the editor's reader."""
        del elements
        return ()

    def _word_keys(self, word: str) -> int:
        """Keys that a subtype needs that no digit gives."""
        return typing_keys(word)
