"""T01 and T02: what is named must be there, and must be of the kind that it is called."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from demopack.domain.actions import ACTION_TYPES
from demopack.domain.elements import STATES, Element
from demopack.domain.keys import NAMED_KEYS
from models.language.check.references import Reference, fits, types_of
from models.language.check.screen_index import LABELS, ScreenIndex
from models.language.check.text_spans import fold, within
from models.language.check.truth_rule import AHEAD, CheckedRationale, Claim, RationaleFinding

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
    for text in case.plain_spoken:
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
