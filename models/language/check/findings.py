"""The truth check of a rationale: what it says, held against the screens, the action and the task.

Needs no model and no picture. Each finding names its rule of :data:`RULES` and points at the words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from demopack.domain.ports import StepContext
from demopack.domain.rationale import Rationale
from models.language.check.effects import effects_are_real
from models.language.check.future import nothing_from_later
from models.language.check.names import coordinates_are_right, name_is_there, type_is_right
from models.language.check.screen_index import ScreenIndex
from models.language.check.states import states_are_seen
from models.language.check.target import target_is_named, target_is_right
from models.language.check.truth_rule import AHEAD, CheckedRationale, Claim, RationaleFinding
from models.language.check.wording import (
    LENGTHS,
    is_a_rationale,
    language_is_right,
    length_is_right,
    marker_is_silent,
    no_list_numbers,
)
from models.language.phrases import plain, words_of_mistake

_BEYOND: Final = 100
"""Characters beyond the longest that is allowed that are still looked at."""


def check_rationale(rationale: Rationale, context: StepContext, *, after_visible: bool) -> list[RationaleFinding]:
    """Everything that is wrong with a rationale, in the order of its parts and words; empty when all is well.

    What is told from before the action (observation, thought, expected effect, plan, a person's own text) is held
    against the before-screen, ``actual_effect`` against after-screen and difference, ``hindsight`` against all.

    Args:
        rationale: what is said.
        context: what is known about the step.
        after_visible: whether what is told from before the action may tell what came after it; False for data that a
            model is trained on.
    """
    case = case_of(rationale, context, after_visible=after_visible)
    order = [said.part for said in case.parts]
    found = [finding for test in RULES.values() for finding in test(case)]
    return sorted(found, key=lambda one: (order.index(one.part), one.start, one.rule))


def case_of(rationale: Rationale, context: StepContext, *, after_visible: bool) -> CheckedRationale:
    """A rationale beside everything that it is held against."""
    before = ScreenIndex(context.before)
    after = None if context.after is None else ScreenIndex(context.after)
    context_texts = [context.task, context.app, context.window_title, context.note, *context.history]
    typed = [value for value in context.action.parameters.values() if isinstance(value, str)]
    spoken = (text for text in (*context_texts, *typed, *words_of_mistake(context)) if text.strip())
    parts: list[Claim] = []
    for part in LENGTHS:
        said: str | tuple[str, ...] | None = getattr(rationale, part)
        text = "\n".join(said) if isinstance(said, tuple) else said or ""
        if part in AHEAD and not after_visible:
            screens: tuple[ScreenIndex, ...] = (before,)
        elif part == "actual_effect":
            screens = (after or ScreenIndex(()),)
        else:
            screens = (before,) if after is None else (before, after)
        if text.strip():
            # What goes on for ever is too long; looking for more in it could take for ever, too.
            looked_at = text[: LENGTHS[part][0] + _BEYOND]
            parts.append(Claim(part=part, text=looked_at, length=len(text.strip()), screens=screens))
    return CheckedRationale(
        rationale=rationale, context=context, parts=tuple(parts), before=before, after=after,
        spoken=tuple(plain(text, limit=1_000_000) for text in spoken),
        after_visible=after_visible,
    )  # fmt: skip


RULES: Final[dict[str, Callable[[CheckedRationale], Iterator[RationaleFinding]]]] = {
    "T01": name_is_there,
    "T02": type_is_right,
    "T03": states_are_seen,
    "T04": coordinates_are_right,
    "T05": target_is_named,
    "T06": target_is_right,
    "T07": marker_is_silent,
    "T08": nothing_from_later,
    "T09": effects_are_real,
    "T10": language_is_right,
    "T11": length_is_right,
    "T12": is_a_rationale,
    "T13": no_list_numbers,
}
"""By their stable ids; the docstring of each test says what holds in a true rationale."""
