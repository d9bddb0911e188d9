"""T01, T02 and T04: what is named must be there, of the kind that it is called, and where it is said to be."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from demopack.domain.actions import ACTION_TYPES
from demopack.domain.elements import STATES, Element
from demopack.domain.geometry import Rect, Size
from demopack.domain.keys import NAMED_KEYS
from models.language.check.references import Reference, fits, types_of
from models.language.check.screen_index import LABELS, ScreenIndex
from models.language.check.text_spans import TextSpan, compiled, fold, within
from models.language.check.truth_rule import AHEAD, CheckedRationale, Claim, RationaleFinding
from models.language.phrases import box_of

_WORDS: Final = frozenset({
    *STATES, *ACTION_TYPES,
    "double click", "double-click", "right click", "right-click", "triple click", "triple-click", "key press",
    "keypress",
})  # fmt: skip
"""Words of the contract; whoever quotes them speaks of the act, not of the screen."""
_KEYS: Final = frozenset({"ctrl", "alt", "shift", "meta", "control", "return", "esc", *map(str.casefold, NAMED_KEYS)})
_KEYBOARD: Final = re.compile(r"\b(?:press\w*|keys?|hit|hits|hitting|shortcut|keyboard|combination)\b", re.IGNORECASE)
_GONE: Final = re.compile(
    r"\b(?:gone|disappear\w*|vanish\w*|clos(?:ed|es)|removed|deleted|cleared|hidden|replac\w*|instead|no\s+longer|away|left|was|were)\b",
    re.IGNORECASE,
)
_SIGNS: Final = frozenset("x×+-−…≡☰▼▲◀▶✓✕")  # noqa: RUF001 - as they stand on icons


def name_is_there(case: CheckedRationale) -> Iterator[RationaleFinding]:
    """T01: names that nothing on the screen, in the task or in the action accounts for."""
    for said, name, later in missing_names(case):
        if not later:
            mild = said.part == "plan" or name.use == "guess"
            where = "the screen after the step" if said.part == "actual_effect" else "the screen"
            message = f"Nothing called “{name.name}” is on {where}, in the task or in the action."
            yield said.wrong("T01", name.span, message, "warning" if mild else "error")


def missing_names(case: CheckedRationale) -> Iterator[tuple[Claim, Reference, bool]]:
    """Names without an account, and whether the after-screen, that the part may not know, has them."""
    for said in case.parts:
        for one in said.references:
            if not _accounted(case, said, one):
                hidden = case.after if said.part in AHEAD and not case.after_visible else None
                yield said, one, hidden is not None and hidden.has(one.name)


def _accounted(case: CheckedRationale, said: Claim, one: Reference) -> bool:
    if any(screen.has(one.name) for screen in said.screens) or is_spoken(case, one.name):
        return True
    if said.part == "plan" and _is_coming(case, one.name):
        return True
    if said.part == "actual_effect" and case.after is not None and _GONE.search(said.of(said.sentence(one.span))):
        return case.before.has(one.name)
    if one.name.casefold() in _WORDS:
        return True
    folded = fold(one.name)
    if folded and set(folded) <= _KEYS and not one.kind:
        near = said.text[max(0, one.span.start - 40) : one.span.end + 12]
        return case.context.action.action_type == "press_key" or _KEYBOARD.search(near) is not None
    return len(one.name) == 1 and one.name.casefold() in _SIGNS and bool(one.kind)


def _is_coming(case: CheckedRationale, name: str) -> bool:
    """Whether a step that is still to come has these words: a plan may name what no screen shows yet."""
    texts: list[str] = []
    for brief in case.context.coming:
        texts += [e.text for e in (brief.target, brief.end_target) if e is not None and e.text is not None]
        texts += [value for value in brief.action.parameters.values() if isinstance(value, str)]
    return any(within(fold(name), fold(text)) for text in texts)


def is_spoken(case: CheckedRationale, name: str) -> bool:
    """Whether the task, the action's arguments, a title or an earlier step has these words."""
    bare, folded = name.removesuffix("…").removesuffix("...").rstrip().casefold(), fold(name)
    # A name of one letter is in every text, so it has to stand alone.
    alone = re.compile(rf"(?<![^\W_]){re.escape(bare)}(?![^\W_])")
    for text in case.spoken:
        small = text.casefold()
        if bare and (small == bare or (bare in small if len(bare) > 1 else alone.search(small))):
            return True
        if within(folded, fold(text)):
            return True
    return False


def type_is_right(case: CheckedRationale) -> Iterator[RationaleFinding]:
    """T02: a named thing that is called a button must be one; a label lends its name to what stands beside it."""
    typed = case.context.action.typed_text
    for said in case.parts:
        for one in said.references:
            # What was typed is no name of an element.
            if one.use == "guess" or not one.kind or (typed is not None and fold(one.name) == fold(typed)):
                continue
            called = [e for screen in said.screens for e in _may_be_meant(screen, one.name)]
            if called and types_of(one.kind) and not any(fits(e, one.kind) for e in called):
                is_one = called[0].type.replace("_", " ")
                yield said.wrong("T02", one.span, f"“{one.name}” is no {one.kind.lower()}: it is a {is_one}.")


def _may_be_meant(screen: ScreenIndex, name: str) -> list[Element]:
    """The elements that a name may mean: those with these words, what they are the label of, what they lie in."""
    found: list[Element] = []
    for one in screen.called(name):
        named = screen.labelled(one) if one.type in LABELS else []
        found += named or [one]
        if one.type not in LABELS:
            found += [e for e in screen.around(one) if e.box.encloses(one.box) and e.box.area < 3 * one.box.area]
    return found


_N = r"(-?\d+(?:\.\d+)?)"
_SEP = r"\s*(?:,|/|;|x|×|and)\s*"  # noqa: RUF001 - the sign
_CAAP: Final = re.compile(rf"X:\s*{_N}\s*\[{_N}\s*-\s*{_N}\],?\s*Y:\s*{_N}\s*\[{_N}\s*-\s*{_N}\]", re.IGNORECASE)
_BOX: Final = re.compile(rf"[\[(]\s*{_N}\s*,\s*{_N}\s*,\s*{_N}\s*,\s*{_N}\s*[\])]")
_POINTS: Final = compiled(
    rf"[\[(]\s*x?\s*[=:]?\s*{_N}\s*(?:px)?\s*[,;]\s*y?\s*[=:]?\s*{_N}\s*(?:px)?\s*[\])]",
    rf"\bx\s*(?:=|:|of|is)?\s*{_N}\s*(?:px)?\s*(?:,|;|and)?\s*(?:and\s+)?y\s*(?:=|:|of|is)?\s*{_N}",
    rf"\b(?:coordinates?|position|point|pixels?|location|spot)\s*(?:of|is|are|at|:)?\s*(?:about|around|roughly)?\s*{_N}{_SEP}{_N}",
    rf"\b(?:at|near|around|to)\s+(?:about\s+|around\s+|roughly\s+)?{_N}\s*[,/]\s*{_N}(?!\s*[\d%])",
)
_SLACK: Final = 4
"""Pixels by which a coordinate may lie beside its box: models round."""
_MAX_NAMESAKES: Final = 8
"""A name that more elements have says nothing of a place."""


def coordinates_are_right(case: CheckedRationale) -> Iterator[RationaleFinding]:
    """T04: a point lies in what it is said of; a box is its box."""
    size = case.context.size
    if size is None:
        return
    for said in case.parts:
        taken: list[TextSpan] = []
        for span, box, is_box in _told(said, size):
            if span.overlaps(taken) or is_spoken(case, said.of(span)):
                continue
            taken.append(span)
            if not any(_lies(one, box, is_box=is_box) for one in _meant(case, said, span)):
                yield said.wrong("T04", span, f"Nothing that is spoken of lies at {said.of(span)}.")


def _told(said: Claim, size: Size) -> Iterator[tuple[TextSpan, tuple[float, float, float, float], bool]]:
    """Boxes and points that are told, in pixels; a point has its place twice."""
    for match in _CAAP.finditer(said.text):
        x, x1, x2, y, y1, y2 = (float(value) for value in match.groups())
        fits = abs(x * 2 - x1 - x2) <= 2 and abs(y * 2 - y1 - y2) <= 2
        # A middle that is not in the middle is no box at all.
        yield TextSpan.of(match), (x1, y1, x2, y2) if fits else (-1.0, -1.0, -1.0, -1.0), True
    for match in _BOX.finditer(said.text):
        yield TextSpan.of(match), _pixels(match, size), True
    for pattern in _POINTS:
        for match in pattern.finditer(said.text):
            yield TextSpan.of(match), _pixels(match, size), False


def _pixels(match: re.Match[str], size: Size) -> tuple[float, float, float, float]:
    values = [float(value) for value in match.groups()]
    small = all(0 <= value <= 1 for value in values) and any("." in value for value in match.groups())
    scale = (size.width, size.height) * 2 if small else (1, 1, 1, 1)
    scaled = [value * factor for value, factor in zip(values, scale, strict=False)]
    return (scaled[0], scaled[1], scaled[-2], scaled[-1])


def _meant(case: CheckedRationale, said: Claim, span: TextSpan) -> list[Rect]:
    """The boxes that coordinates in this place may be of: what its sentence names, and where the action went."""
    named: list[Element] = []
    for one in said.named_in(said.sentence(span)):
        named += [e for screen in said.screens for e in screen.called(one.name)]
    texts = Counter(e.text for e in named)
    boxes = [e.box for e in named if texts[e.text] <= _MAX_NAMESAKES]
    boxes += [e.box for e in (case.context.target, case.context.end_target) if e is not None]
    aimed = (box_of(target, case.context.size) for target in (case.context.action.target, case.context.action.end))
    boxes += [box for box in aimed if box is not None]
    if said.part in {"actual_effect", "hindsight"}:
        boxes += list(case.context.changed or ())
    return boxes


def _lies(box: Rect, told: tuple[float, float, float, float], *, is_box: bool) -> bool:
    """Whether a told place lies in a box, or is the box: corner and corner, or corner and size; in pixels."""
    if not is_box:
        x, y = told[:2]
        return box.x1 - _SLACK <= x <= box.x2 + _SLACK and box.y1 - _SLACK <= y <= box.y2 + _SLACK
    corners, sizes = (box.x1, box.y1, box.x2, box.y2), (box.x1, box.y1, box.width, box.height)
    return any(all(abs(a - b) <= _SLACK for a, b in zip(told, real, strict=True)) for real in (corners, sizes))
