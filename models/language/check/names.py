"""T01 and T02: what is named must be there, and must be of the kind that it is called."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from demopack.domain.actions import ACTION_TYPES
from demopack.domain.elements import STATES, Element
from demopack.domain.keys import NAMED_KEYS
from models.language.check.base import AHEAD, Case, Hit, Said
from models.language.check.kinds import fits, types_of
from models.language.check.references import Reference
from models.language.check.screen import LABELS, ScreenIndex
from models.language.check.text import fold, within

__all__ = ["is_spoken", "is_value", "may_be_meant", "missing_names", "name_is_there", "type_is_right"]

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


def name_is_there(case: Case) -> Iterator[Hit]:
    """T01: names that nothing on the screen, in the task or in the action accounts for."""
    for said, name, later in missing_names(case):
        if not later:
            mild = said.part == "plan" or name.use == "guess"
            where = "the screen after the step" if said.part == "actual_effect" else "the screen"
            yield Hit(
                said=said, span=name.span, severity="warning" if mild else None,
                message=f"Nothing called “{name.name}” is on {where}, in the task or in the action.",
            )  # fmt: skip


def missing_names(case: Case) -> Iterator[tuple[Said, Reference, bool]]:
    """Names without an account, and whether the after-screen, that the part may not know, has them."""
    for said in case.parts:
        for one in said.references:
            if not _accounted(case, said, one):
                later = said.part in AHEAD and not case.after_visible and case.after is not None
                yield said, one, later and case.after is not None and case.after.has(one.name)


def _accounted(case: Case, said: Said, one: Reference) -> bool:
    if any(screen.has(one.name) for screen in said.screens) or is_spoken(case, one.name):
        return True
    if said.part == "plan" and any(within(fold(one.name), fold(text)) for text in _coming(case)):
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


def _coming(case: Case) -> list[str]:
    """Texts of the steps that are still to come: a plan may name what no screen shows yet."""
    found: list[str] = []
    for brief in case.context.coming:
        found += [e.text for e in (brief.target, brief.end_target) if e is not None and e.text is not None]
        found += [value for value in brief.action.parameters.values() if isinstance(value, str)]
    return found


def is_spoken(case: Case, name: str) -> bool:
    """Whether the task, the action's arguments, a title or an earlier step has these words."""
    bare = name.removesuffix("…").removesuffix("...").rstrip().casefold()
    folded = fold(name)
    texts = [text.casefold() for text in case.plain_spoken]
    if len(bare) > 1 and any(bare in text for text in texts):
        return True
    # A name of one letter is in every text, so it has to stand alone.
    alone = re.compile(rf"(?<![^\W_]){re.escape(bare)}(?![^\W_])")
    if bare and any(text == bare or alone.search(text) for text in texts):
        return True
    return any(within(folded, fold(text)) for text in case.plain_spoken)


def type_is_right(case: Case) -> Iterator[Hit]:
    """T02: a named thing that is called a button must be one; a label lends its name to what stands beside it."""
    for said in case.parts:
        for one in said.references:
            if one.use == "guess" or not one.kind or is_value(case, one.name):
                continue
            called = [e for screen in said.screens for e in may_be_meant(screen, one.name)]
            if called and types_of(one.kind) and not any(fits(e, one.kind) for e in called):
                is_one = called[0].type.replace("_", " ")
                yield Hit(said=said, span=one.span, message=f"“{one.name}” is no {one.kind.lower()}: it is a {is_one}.")


def may_be_meant(screen: ScreenIndex, name: str) -> list[Element]:
    """The elements that a name may mean: those with these words, what they are the label of, what they lie in."""
    found: list[Element] = []
    for one in screen.called(name):
        named = screen.labelled(one) if one.type in LABELS else []
        found += named or [one]
        if one.type not in LABELS:
            found += [e for e in screen.around(one) if e.box.encloses(one.box) and e.box.area < 3 * one.box.area]
    return found


def is_value(case: Case, name: str) -> bool:
    """Whether a name is what was typed or what the task gives, rather than what an element is called."""
    typed = case.context.action.parameters.get("text_to_type")
    return isinstance(typed, str) and fold(name) == fold(typed)
