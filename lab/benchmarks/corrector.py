"""The expert with everything that the editor offers: corrects what was found, and draws the rest with its aids; the
rules are told in ``bench_annotating.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from expert import SET_LATER, Expert, Walk, nearest_first, plain, text_of
from found_screen import FoundScreen, is_right, wrong_sides
from hand import Hand, Spent, cheapest, replacement_keys

from annotator.attributes.element_attributes import AttributeName, value_of
from annotator.attributes.keyboard_choice import AttributeMode, completed, types_by_letters
from annotator.attributes.text_updates import is_text_said
from annotator.attributes.type_defaults import retyped_states
from annotator.commands import as_suggested
from annotator.hit_testing import BoxIndex
from annotator.similar.known import KnownLooks, learn_from
from annotator.suggestions.confidence_filter import is_suggestion
from demopack.domain.elements import ATTRIBUTES, Element, ElementType, reading_order
from demopack.domain.geometry import Rect
from lab.evaluation.matching import match
from models.vision.description import IconGuesses

_PAIR = 0.3
"""Overlap below which a box is of another element."""
_SLIDER, _MENU = (60, 240), 420
"""Where the slider ends, and where the dots beside it are, in pixels of a row below the picture."""
_LEAST = [number / 20 for number in range(13)]
_NONE: tuple[int, int, list[str]] = (0, 0, [])
_WORTH = 2
"""So many elements more must be right than before, or one is mended by itself."""


@dataclass(slots=True)
class _Work:
    """One screen under correction: the elements as they are by now, and what they have to be."""

    screen: FoundScreen
    walk: Walk
    now: dict[str, Element]
    true_of: dict[str, Element]

    def groups(self, uid: str) -> list[tuple[int, list[str]]]:
        """How many presses select which elements that are like one."""
        rest: list[tuple[int, list[str]]] = []
        for presses, uids in enumerate(self.screen.likes(uid), 1):
            kept = [other for other in uids if other in self.now]
            if len(kept) > 1:
                rest.append((presses, kept))
        return rest


@dataclass(slots=True)
class Corrector(Expert):
    """Brings along the slider, too, and what icons of a known look are called."""

    least: float = 0.0
    looks: KnownLooks = field(default_factory=KnownLooks)
    _screen: FoundScreen | None = None
    _guesses: Mapping[str, IconGuesses] = field(default_factory=dict[str, IconGuesses])

    def correct(self, screen: FoundScreen, *, carried: bool = False) -> Spent:
        """From what was found, with the slider where that is cheapest; ``carried`` says that G was pressed before."""
        self._screen = screen
        start, kind = self._begin(screen.image), self.new_type
        start.key(1 if carried else 0)
        tried: list[tuple[Hand, float, ElementType]] = []
        for least in sorted({*_LEAST, self.least}) if screen.found else [self.least]:
            hand, self.new_type = start.copy(), kind
            self._correct_above(hand, screen, least)
            tried.append((hand, least, self.new_type))
        hand, self.least, self.new_type = min(tried, key=lambda one: one[0].spent.seconds)
        learn_from(self.looks, screen.image, screen.truth)
        return self._end(hand, screen.truth)

    def _correct_above(self, hand: Hand, screen: FoundScreen, least: float) -> None:
        there = [one for one in reading_order(screen.found) if one.review != "rejected"]
        shown = [one for one in there if not is_suggestion(one) or one.confidence is None or one.confidence >= least]
        self._slide(hand, least, hides=len(shown) < len(there))
        work = _work(screen, shown)
        self._reject_together(hand, work)
        self._retype_together(hand, work)
        for one in [*work.now.values()]:
            true = work.true_of.get(one.uid)
            if true is None:
                work.walk.select(hand, one.uid)
                work.walk.reject(hand, [one.uid])
                del work.now[one.uid]
            else:
                work.now[one.uid] = self._fixed(hand, work, one, true)
        made = {one.uid: (one, work.true_of[one.uid]) for one in work.now.values()}
        taken = {true.uid for _, true in made.values()}
        missing = [one for one in screen.truth if one.uid not in taken]
        hand.key(1 if missing else 0)
        for true in nearest_first(missing, hand):
            made[true.uid] = self._made(hand, screen, true), true
        hand.key(1 if missing else 0)
        ends = reading_order([element for element, _ in made.values()])
        walk = Walk([one.uid for one in ends], BoxIndex(ends))
        self._states(hand, walk, ends, [made[one.uid][1] for one in ends])
        hand.key(2 if any(is_suggestion(one) for one in shown) else 0)

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

    # Together -------------------------------------------------------------------------------------------------

    def _reject_together(self, hand: Hand, work: _Work) -> None:
        """What is wrong alike goes at once."""
        for uid in [uid for uid in work.now if uid not in work.true_of]:
            if uid not in work.now:
                continue
            wrong = [
                (presses, uids)
                for presses, uids in work.groups(uid)
                if len(uids) > _WORTH and not any(other in work.true_of for other in uids)
            ]
            if wrong:
                presses, uids = max(wrong, key=lambda one: len(one[1]))
                work.walk.select(hand, uid)
                hand.key(presses)
                work.walk.reject(hand, uids)
                for other in uids:
                    del work.now[other]

    def _retype_together(self, hand: Hand, work: _Work) -> None:
        """What has another type alike becomes it at once, where more get right than wrong."""
        for uid in [*work.now]:
            true = work.true_of.get(uid)
            if true is None or work.now[uid].type == true.type:
                continue
            ranked = [(_gain(work, uids, true.type), presses, uids) for presses, uids in work.groups(uid)]
            gain, presses, uids = max(ranked, key=lambda one: (one[0], -one[1]), default=_NONE)
            if gain >= _WORTH:
                work.walk.select(hand, uid)
                hand.key(presses)
                self._choose_type(hand, true.type)
                for other in uids:
                    retyped = self._retyped(work.now[other], true.type)
                    work.now[other] = _read_again(work, work.now[other], retyped)

    def _together(
        self, hand: Hand, walk: Walk, mode: AttributeMode, made: Sequence[Element], truth: Sequence[Element]
    ) -> Sequence[Element]:
        """States and subtypes of what is like one that is wrong, where more get right than wrong."""
        assert self._screen is not None
        said = self._screen.guesses
        self._guesses = {one.uid: said[true.uid] for one, true in zip(made, truth, strict=True) if true.uid in said}
        true_of = {one.uid: true for one, true in zip(made, truth, strict=True)}
        work = _Work(self._screen, walk, {one.uid: one for one in made}, true_of)
        for name in SET_LATER:
            self._set_together(hand, work, mode, name)
        return [*work.now.values()]

    def _likely(self, elements: Sequence[Element]) -> Sequence[str]:
        """Of one icon, as the editor asks it: the likeliest meanings, which the digits then give."""
        guesses = self._guesses.get(elements[0].uid) if len(elements) == 1 else None
        return () if guesses is None else [name for name, _ in guesses.likely]

    def _word_keys(self, word: str) -> int:
        """The letters until the word is the first that begins so."""
        words = [*dict.fromkeys([*self.defaults.subtypes("icon"), *self.defaults.subtypes("shape")])]
        return next((n for n in range(1, len(word)) if completed(word[:n], words) == word), len(word))

    def _set_together(self, hand: Hand, work: _Work, mode: AttributeMode, name: AttributeName) -> None:
        for uid in [*work.now]:
            value = value_of(work.true_of[uid], name)
            if value_of(work.now[uid], name) == value:
                continue
            ranked = [(_gain(work, uids, value, name=name), presses, uids) for presses, uids in work.groups(uid)]
            gain, presses, uids = max(ranked, key=lambda one: (one[0], -one[1]), default=_NONE)
            if gain >= _WORTH:
                work.walk.select(hand, uid)
                hand.key(presses)
                self._mode(hand)
                able = [other for other in uids if _can(work.now[other], name)]
                self._set(hand, mode, [work.now[other] for other in able], name, value)
                for other in able:
                    work.now[other] = _with(work.now[other], name, value)

    # One by one -----------------------------------------------------------------------------------------------

    def _fixed(self, hand: Hand, work: _Work, one: Element, true: Element) -> Element:
        """Box, type and text; states come later."""
        box_wrong, type_wrong = not is_right(one.box, true.box), one.type != true.type
        fixed = self._retyped(one, true.type) if type_wrong else one
        fixed = _read_again(work, one, fixed.changed(box=true.box) if box_wrong else fixed)
        text_wrong = text_of(fixed) != text_of(true)
        if box_wrong or type_wrong or text_wrong:
            work.walk.select(hand, one.uid)
        if box_wrong:
            fits = work.screen.fits(one, true)
            cheapest(hand, [partial(_dragged, box=one.box, true=true.box), partial(_fitted, fits=fits, true=true.box)])
        if type_wrong:
            self._choose_type(hand, true.type)
        if text_wrong:
            self._write(hand, text_of(fixed), text_of(true), offer=work.screen.offers.get(true.uid, ""))
        return fixed.changed(box=true.box, text=true.text)

    def _made(self, hand: Hand, screen: FoundScreen, true: Element) -> Element:
        """What was not found: by clicks where they find it, by a drag otherwise; its text is read by itself."""
        box, clicks = true.box, screen.clicks(true)
        ways: list[Callable[[Hand], None]] = [lambda one: one.drag(box.x1, box.y1, box.x2, box.y2)]
        if clicks:
            size = min(box.width, box.height)
            ways.append(lambda one: one.click(box.center.x, box.center.y, size=size, times=clicks))
        cheapest(hand, ways)
        if true.type != self.new_type:
            self.new_type = true.type
            self._choose_type(hand, true.type)
        self._write(hand, plain(screen.offers.get(true.uid, "")), text_of(true))
        said = screen.guesses.get(true.uid)
        name = said.name if said is not None else None
        return true.changed(states=self.defaults.usual_states(true.type), subtype=name).cleaned()

    def _choose_type(self, hand: Hand, kind: ElementType) -> None:
        """A digit, or the palette: the letters until it is the first one left, and Enter."""
        if self.digits.digit_of(kind):
            hand.key()
        else:
            hand.key(1 + letters_for(kind, self.defaults.types_by_use()))

    def _write(self, hand: Hand, old: str, new: str, *, offer: str = "") -> None:
        """Enter, the letters, Enter; a field that is empty begins with what was read."""
        if old != new:
            begun = old or plain(offer)
            hand.key(2 + (0 if begun == new else replacement_keys(begun, new) if new else 1))

    def _retyped(self, one: Element, kind: ElementType) -> Element:
        """With the states that are usual for the type and were not told."""
        states = retyped_states(one, kind, self.defaults.all_usual_states())
        return one.changed(type=kind, states=states).cleaned()


def _work(screen: FoundScreen, shown: Sequence[Element]) -> _Work:
    pairs = match(
        [one.box for one in screen.truth], [one.box for one in shown], least=_PAIR,
        truth_kinds=[one.type for one in screen.truth], found_kinds=[one.type for one in shown],
    )  # fmt: skip
    true_of = {shown[f].uid: screen.truth[t] for t, f, _ in pairs}
    walk = Walk([one.uid for one in shown], BoxIndex(shown))
    return _Work(screen, walk, {one.uid: one for one in shown}, true_of)


def finished(screen: FoundScreen, *, least: float) -> tuple[Element, ...]:
    """The elements of a screen as they are once it was corrected: those of the next one are carried from them."""
    there = [one for one in screen.found if one.review != "rejected"]
    work = _work(screen, [one for one in there if not is_suggestion(one) or (one.confidence or 1) >= least])
    made = {true.uid: true for true in screen.truth}
    for uid, true in work.true_of.items():
        one = work.now[uid]
        made[true.uid] = true.model_copy(update={"uid": uid, "evidence": as_suggested(one), "track_id": one.track_id})
    rejected = [one.model_copy(update={"review": "rejected"}) for one in screen.found if one.uid not in work.true_of]
    return (*made.values(), *rejected)


def _read_again(work: _Work, old: Element, new: Element) -> Element:
    """With the text that is read by itself where a box was changed, or became of a type that has a text."""
    if (new.box == old.box and ATTRIBUTES[old.type].text) or is_text_said(old):
        return new
    true = work.true_of.get(old.uid)
    read = "" if true is None else work.screen.offers.get(true.uid, "")
    return new.changed(text=plain(read) or None).cleaned()


def _gain(work: _Work, uids: Collection[str], value: object, *, name: AttributeName = "type") -> int:
    """How many more would be right with a value."""
    able = [uid for uid in uids if uid in work.true_of and (name == "type" or _can(work.now[uid], name))]
    right = sum(value_of(work.now[uid], name) == value_of(work.true_of[uid], name) for uid in able)
    return sum(value_of(work.true_of[uid], name) == value for uid in able) - right


def _can(one: Element, name: AttributeName) -> bool:
    able = ATTRIBUTES[one.type]
    return able.subtype if name == "subtype" else name in able.states


def _with(one: Element, name: AttributeName, value: object) -> Element:
    if name == "subtype":
        return one.model_copy(update={"subtype": value})
    kept: dict[str, object] = {state: told for state, told in one.states.items() if state != name}
    return one.model_copy(update={"states": kept if value is None else {**kept, name: value}})


def _fitted(hand: Hand, fits: Sequence[Rect], true: Rect) -> None:
    """T until the box is right; dragged from the first fit where it never is."""
    if is_right(fits[-1], true):
        hand.key(len(fits))
    else:
        hand.key()
        _dragged(hand, fits[0], true)


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


def letters_for(kind: ElementType, by_use: Sequence[ElementType]) -> int:
    """Keys that choose a type in the palette: letters, Down to its place, and Enter unless no other type is left."""
    name = kind.replace("_", "")
    lefts = [types_by_letters(name[:count], by_use) for count in range(1, len(name) + 1)]
    return min(count + left.index(kind) + (len(left) > 1) for count, left in enumerate(lefts, 1) if kind in left)
