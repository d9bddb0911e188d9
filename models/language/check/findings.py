"""The truth check of a rationale: what it says, held against the screens, the action and the task.

Needs no model and no picture. The rules are data (:mod:`models.language.check.rules`); each finding names its rule and
points at the words.
"""

from __future__ import annotations

from typing import Final

from demopack.domain.ports import StepContext
from demopack.domain.rationale import Rationale
from models.language.check.base import AHEAD, Case, Part, RationaleFinding, Said
from models.language.check.rules import RULES
from models.language.check.screen import ScreenIndex
from models.language.check.wording import LENGTHS
from models.language.recovery import words_of_mistake

__all__ = ["RationaleFinding", "case_of", "check_rationale"]

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
    order: list[Part] = [said.part for said in case.parts]
    found = [
        RationaleFinding(
            rule=rule.id, severity=hit.severity or rule.severity, part=hit.said.part, start=hit.span.start,
            end=hit.span.end, message=hit.message,
        )
        for rule in RULES.values()
        for hit in rule.test(case)
    ]  # fmt: skip
    place = {part: index for index, part in enumerate(order)}
    return sorted(found, key=lambda one: (place.get(one.part, -1), one.start, one.rule))


def case_of(rationale: Rationale, context: StepContext, *, after_visible: bool) -> Case:
    """A rationale beside everything that it is held against."""
    before = ScreenIndex(context.before)
    after = None if context.after is None else ScreenIndex(context.after)
    both = (before,) if after is None else (before, after)
    texts: dict[Part, str] = {
        "observation": rationale.observation,
        "thought": rationale.thought,
        "expected_effect": rationale.expected_effect,
        "plan": "\n".join(rationale.plan),
        "text": rationale.text or "",
        "actual_effect": rationale.actual_effect,
        "hindsight": rationale.hindsight,
    }
    parts: list[Said] = []
    for part, text in texts.items():
        seen = (after or ScreenIndex(()),) if part == "actual_effect" else both
        ahead = (before,) if part in AHEAD and not after_visible else seen
        if text.strip():
            # What goes on for ever is too long; looking for more in it could take for ever, too.
            looked_at = text[: LENGTHS[part][0] + _BEYOND]
            parts.append(Said(part=part, text=looked_at, length=len(text.strip()), screens=ahead))
    return Case(
        rationale=rationale, context=context, parts=tuple(parts), before=before, after=after, spoken=_spoken(context),
        after_visible=after_visible,
    )  # fmt: skip


def _spoken(context: StepContext) -> tuple[str, ...]:
    """Texts that may be quoted whatever the screens show."""
    texts = [context.task, context.app, context.window_title, context.note, *context.history]
    texts += [value for value in context.action.parameters.values() if isinstance(value, str)]
    texts += words_of_mistake(context)
    return tuple(text for text in texts if text.strip())
