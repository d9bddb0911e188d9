"""An expert who ends with the truth by what the editor offers, counting what that needs; the rules are told in
``bench_annotating.py``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from hand import Hand, Spent, cheapest, replacement_keys, typing_keys

from annotator.attributes.digits import TypeDigits
from annotator.attributes.form import value_of
from annotator.attributes.habits import Habits
from annotator.attributes.mode import AttributeMode
from annotator.hit_testing import BoxIndex
from annotator.tighten import tightened
from demopack.domain.elements import ATTRIBUTES, ELEMENT_TYPES, STATES, Element, ElementType, reading_order
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect, iou
from models.training.evaluation.match import match

__all__ = ["Expert"]

_NEAR, _LIKE, _PAIR = 3, 0.8, 0.3
"""Pixels that a side may be off; overlap that is good enough all the same; overlap below which a box is another one."""
_SLIDER, _MENU, _PANEL = (60, 240), 420, 160
"""Where things are around the picture: the slider's ends and the dots below it, the type in the panel beside it."""
_LEAST = [number / 20 for number in range(13)]
_WORTH_ALL, _WORTH_SEARCHING = 3, 8
"""So many elements must become right before something is set for all, or a search is worth its letters."""
NOTHING_READ: Mapping[str, str] = {}


def is_right(box: Rect, true: Rect) -> bool:
    """Whether nobody would correct it."""
    return not wrong_sides(box, true) or iou(box, true) >= _LIKE


def wrong_sides(box: Rect, true: Rect) -> str:
    """Which of left, top, right, bottom are off: some of ``ltrb``."""
    pairs = zip("ltrb", (box.x1, box.y1, box.x2, box.y2), (true.x1, true.y1, true.x2, true.y2), strict=True)
    return "".join(side for side, a, b in pairs if abs(a - b) > _NEAR)


def text_of(element: Element) -> str:
    return " ".join((element.text or "").split())


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

    def reject(self, hand: Hand, uid: str) -> None:
        """X, which goes on to the next."""
        self.select(hand, uid)
        hand.key()
        place = self.order.index(uid)
        self.order.remove(uid)
        self.at = place if place < len(self.order) else None


@dataclass(slots=True)
class Expert:
    """What a person brings along from screen to screen: habits, digits, the type that is set, the slider."""

    habits: Habits = field(default_factory=Habits)
    digits: TypeDigits = field(default_factory=TypeDigits)
    new_type: ElementType = "button"
    least: float = 0.0
    _size: tuple[int, int] = (0, 0)
    _offers: Mapping[str, str] = field(default_factory=dict[str, str])
    _began: bool = False

    def draw(self, image: RgbImage, truth: Sequence[Element], *, offers: Mapping[str, str] = NOTHING_READ) -> Spent:
        """Everything from nothing; with ``offers``, from uid to text, the editor's reader offers what it reads."""
        hand = self._begin(image)
        hand.key()
        ordered = reading_order(truth)
        made = [self._drawn(hand, element, offers.get(element.uid, "")) for element in ordered]
        self._states(hand, Walk([e.uid for e in ordered], BoxIndex(ordered)), made, ordered)
        return self._end(hand, truth)

    def correct(
        self, image: RgbImage, truth: Sequence[Element], found: Sequence[Element], *, offers: Mapping[str, str]
    ) -> Spent:
        """From what was found, with the slider where that is cheapest."""
        start, kind, self._offers = self._begin(image), self.new_type, offers
        tried: list[tuple[Hand, float, ElementType]] = []
        for least in sorted({*_LEAST, self.least}):
            hand, self.new_type = start.copy(), kind
            self._correct_above(hand, image, truth, found, least)
            tried.append((hand, least, self.new_type))
        hand, self.least, self.new_type = min(tried, key=lambda one: one[0].spent.seconds)
        return self._end(hand, truth)

    def _begin(self, image: RgbImage) -> Hand:
        self._size = image.shape[1], image.shape[0]
        self.digits = self.digits.relearned(self.habits.types_by_use())
        return Hand(x=self._size[0] / 2, y=self._size[1] / 2)

    def _end(self, hand: Hand, truth: Sequence[Element]) -> Spent:
        """Space approves the step and goes on."""
        hand.key()
        self.habits.add(truth)
        return hand.spent

    # Parts ----------------------------------------------------------------------------------------------------

    def _drawn(self, hand: Hand, true: Element, offer: str = "") -> Element:
        """A new box; returns the element as far as it is right by now."""
        box = true.box
        hand.drag(box.x1, box.y1, box.x2, box.y2)
        if true.type != self.new_type:
            self._type(hand, true.type)
        self._text(hand, offer, text_of(true), offered=True)
        return true.changed(states=self.habits.usual_states(true.type), subtype=None).cleaned()

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
        made = self._at_once(hand, walk, mode, made, truth)
        for element, true in zip(made, truth, strict=True):
            names = [one for one in (*STATES, "subtype") if value_of(element, one) != value_of(true, one)]
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

    def _set(self, hand: Hand, mode: AttributeMode, elements: Sequence[Element], name: str, value: object) -> None:
        """Up or down to the attribute, then a digit; a word that has none is written."""
        lines = mode.lines(elements, digits=self.digits, habits=self.habits)
        names = [line.name for line in lines]
        now, there = next(i for i, line in enumerate(lines) if line.current), names.index(name)
        ways = (there - now) % len(names), (now - there) % len(names)
        hand.key(min(ways))
        mode.move(elements, there - now)
        digits = [choice.digit for choice in lines[there].choices if choice.value == value]
        hand.key(1 if digits else 2 + (typing_keys(str(value)) if value else 1))

    # Correcting -----------------------------------------------------------------------------------------------

    def _correct_above(
        self, hand: Hand, image: RgbImage, truth: Sequence[Element], found: Sequence[Element], least: float
    ) -> None:
        shown = [one for one in reading_order(found) if one.confidence is None or one.confidence >= least]
        self._slide(hand, least, hides=len(shown) < len(found))
        boxes = BoxIndex(shown)
        walk = Walk([one.uid for one in shown], boxes)
        pairs = match(
            [one.box for one in truth], [one.box for one in shown], least=_PAIR,
            truth_kinds=[one.type for one in truth], found_kinds=[one.type for one in shown],
        )  # fmt: skip
        true_of = {shown[f].uid: truth[t] for t, f, _ in pairs}
        made: dict[str, tuple[Element, Element]] = {}
        for one in shown:
            true = true_of.get(one.uid)
            if true is None:
                walk.reject(hand, one.uid)
            else:
                made[one.uid] = self._fixed(hand, walk, image, one, true), true
        taken = {true.uid for true in true_of.values()}
        for true in reading_order([one for one in truth if one.uid not in taken]):
            # Alt, or a box below would be moved instead.
            hand.key(1 if boxes.at(true.box.x1, true.box.y1) else 0)
            made[true.uid] = self._drawn(hand, true, self._offers.get(true.uid, "")), true
        ends = reading_order([element for element, _ in made.values()])
        walk = Walk([one.uid for one in ends], BoxIndex(ends))
        self._states(hand, walk, ends, [made[one.uid][1] for one in ends])
        hand.key(2 if true_of else 0)

    def _slide(self, hand: Hand, least: float, *, hides: bool) -> None:
        """Move the slider, and reject what it hides."""
        low, width = _SLIDER
        y = self._size[1] + 30
        if least != self.least:
            steps = round(abs(least - self.least) * 20)
            drag = partial(Hand.drag, x=low + width * self.least, y=y, to_x=low + width * least, to_y=y)
            cheapest(hand, [lambda one: one.key(1 + steps), drag])
        if hides:
            hand.click(_MENU, y, size=28)
            hand.click(_MENU, y - 100, size=24)

    def _fixed(self, hand: Hand, walk: Walk, image: RgbImage, one: Element, true: Element) -> Element:
        """Box, type and text; states come later."""
        box_wrong, type_wrong = not is_right(one.box, true.box), one.type != true.type
        fixed = one.changed(type=true.type).cleaned()
        text_wrong = text_of(fixed) != text_of(true)
        if box_wrong or type_wrong or text_wrong:
            walk.select(hand, one.uid)
        if box_wrong:
            tight = tightened(image, one.box)
            ways = [lambda other: _dragged(other, one.box, true.box), lambda other: _tightened(other, tight, true.box)]
            cheapest(hand, ways)
        if type_wrong:
            self._type(hand, true.type)
        if text_wrong:
            old = text_of(fixed)
            self._text(hand, old or self._offers.get(true.uid, ""), text_of(true), offered=not old)
        return fixed.changed(box=true.box)


def _tightened(hand: Hand, tight: Rect, true: Rect) -> None:
    hand.key()
    if not is_right(tight, true):
        _dragged(hand, tight, true)


def _dragged(hand: Hand, box: Rect, true: Rect) -> None:
    """By one edge, by a corner, or by two corners; by its middle where only the place is wrong."""
    sides = wrong_sides(box, true)
    dx, dy = true.x1 - box.x1, true.y1 - box.y1
    if not wrong_sides(box.moved(dx, dy), true):
        size = min(box.width, box.height)
        hand.drag(box.center.x, box.center.y, box.center.x + dx, box.center.y + dy, size=size)
        return
    first, second = _grips(sides)
    for across, down in (first, second):
        if across or down:
            hand.drag(*_spot(box, across, down), *_spot(true, across, down))


def _grips(sides: str) -> tuple[tuple[str, str], tuple[str, str]]:
    """Which side or corner is dragged, and which after it: ("l", "t") is the corner at the top left."""
    across, down = [one for one in "lr" if one in sides], [one for one in "tb" if one in sides]
    across, down = [*across, "", ""][:2], [*down, "", ""][:2]
    return (across[0], down[0]), (across[1], down[1])


def _spot(box: Rect, across: str, down: str) -> tuple[int, int]:
    x = {"l": box.x1, "r": box.x2}.get(across, box.center.x)
    y = {"t": box.y1, "b": box.y2}.get(down, box.center.y)
    return x, y
