"""T01 and T02: what is named must be there, and must be of the kind that it is called."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from demopack.domain.elements import ELEMENT_TYPES, STATES
from demopack.domain.keys import NAMED_KEYS
from models.language.check.base import AHEAD, Case, Hit, Said
from models.language.check.kinds import fits
from models.language.check.references import Reference
from models.language.check.text import fold, within

__all__ = ["missing_names", "name_is_there", "type_is_right"]

_WORDS: Final = frozenset({*STATES, *ELEMENT_TYPES, *(key.casefold() for key in NAMED_KEYS)})
_KEYS: Final = frozenset({"ctrl", "alt", "shift", "meta", "control", "return", "esc", *map(str.casefold, NAMED_KEYS)})
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
    folded = fold(one.name)
    if set(folded) <= _KEYS or one.name.casefold() in _WORDS:
        return bool(folded)
    return len(one.name) == 1 and one.name.casefold() in _SIGNS and bool(one.kind)


def is_spoken(case: Case, name: str) -> bool:
    """Whether the task, the action's arguments, a title or an earlier step has these words."""
    bare = name.removesuffix("…").removesuffix("...").rstrip().casefold()
    folded = fold(name)
    # A name of one letter is in every text.
    if len(bare) > 1 and any(bare in " ".join(text.split()).casefold() for text in case.plain_spoken):
        return True
    return any(within(folded, fold(text)) for text in case.plain_spoken)


def type_is_right(case: Case) -> Iterator[Hit]:
    """T02: a named thing that is called a button must be one; a label lends its name to what stands beside it."""
    for said in case.parts:
        for one in said.references:
            if one.use == "guess" or not one.kind or is_value(case, one.name):
                continue
            called = [(screen, e) for screen in said.screens for e in screen.called(one.name)]
            near = [other for screen, e in called for other in screen.around(e)]
            if called and not any(fits(e, one.kind) for e in [*(e for _, e in called), *near[:60]]):
                is_one = called[0][1].type.replace("_", " ")
                yield Hit(said=said, span=one.span, message=f"“{one.name}” is no {one.kind.lower()}: it is a {is_one}.")


def is_value(case: Case, name: str) -> bool:
    """Whether a name is what was typed or what the task gives, rather than what an element is called."""
    typed = case.context.action.parameters.get("text_to_type")
    return isinstance(typed, str) and fold(name) == fold(typed)
