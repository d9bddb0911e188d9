"""What became of elements that were there before: a mark that came or went, a value that is another one."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Final

from demopack.domain.elements import Element, State
from demopack.domain.geometry import Rect, iou
from demopack.domain.ports import StepContext
from models.language.grounding import quote
from models.language.places import HOLDS_VALUE, name

__all__ = ["read_alike", "told_changes"]

_SAME: Final = 0.7
"""Share of the area that two boxes of one untracked element have in common."""
_ALIKE: Final = 0.75
"""Share of their letters that two readings of one text have in common."""
_MOST: Final = 2
_WORDS: Final[dict[tuple[State, bool], str]] = {
    ("checked", True): "is now checked",
    ("checked", False): "is no longer checked",
    ("expanded", True): "is now expanded",
    ("expanded", False): "is now collapsed",
    ("disabled", True): "is now disabled",
    ("disabled", False): "is now enabled",
    ("focused", True): "is now focused",
    ("highlighted", True): "is now highlighted",
}
"""What is worth telling; that something lost the focus is not."""


def told_changes(context: StepContext, *, known: Sequence[str] = ()) -> list[str]:
    """One sentence for each element that is another one now, what was acted on first: at most two.

    Args:
        context: the step; empty without an after-screen and a difference.
        known: quoted texts that were told already.
    """
    # What was scrolled stands elsewhere now, and something like it may stand where it stood.
    if context.after is None or not context.changed or context.action.action_type == "scroll":
        return []
    target = context.target
    pairs = _pairs(context.before, context.after)
    pairs.sort(key=lambda pair: target is None or pair[0].uid != target.uid)
    told = [_became(was, now, context.after, known) for was, now in pairs if _touched(now, context.changed)]
    return [sentence for sentence in told if sentence][:_MOST]


def _pairs(before: Sequence[Element], after: Sequence[Element]) -> list[tuple[Element, Element]]:
    """The same element on both screens, told by its track, else by type and place."""
    tracked = {element.track_id: element for element in after if element.track_id is not None}
    pairs: list[tuple[Element, Element]] = []
    for was in before:
        now = tracked.get(was.track_id) if was.track_id is not None else _at(was, after)
        if now is not None and now.type == was.type:
            pairs.append((was, now))
    return pairs


def _at(was: Element, after: Sequence[Element]) -> Element | None:
    same = [now for now in after if now.type == was.type and iou(now.box, was.box) >= _SAME]
    return same[0] if len(same) == 1 else None


def _touched(element: Element, changed: Sequence[Rect]) -> bool:
    return any(element.box.intersection(box) for box in changed)


def _became(was: Element, now: Element, after: Sequence[Element], known: Sequence[str]) -> str:
    called = name(now, after)
    told: list[str] = []
    value = quote(now.text or "")
    if _holds_another(was, now) and value not in called and value not in known:
        told.append(f"now shows {value}")
    for (state, flag), words in _WORDS.items():
        if was.states.get(state) == (not flag) and now.states.get(state) == flag:
            told.append(words)
    return f"{called[0].upper()}{called[1:]} {' and '.join(told)}." if told else ""


def _holds_another(was: Element, now: Element) -> bool:
    """Whether a field stands where it stood and holds another value, not the same one read otherwise."""
    if now.type not in HOLDS_VALUE or not _plain(was) or not _plain(now) or iou(was.box, now.box) < _SAME:
        return False
    return not read_alike(_plain(was), _plain(now))


def read_alike(one: str, other: str) -> bool:
    """Whether two texts may be two readings of the same letters."""
    return SequenceMatcher(None, one.casefold(), other.casefold()).ratio() >= _ALIKE


def _plain(element: Element) -> str:
    return " ".join((element.text or "").split())
