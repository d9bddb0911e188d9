"""What the live list shows of a step; knows no Qt."""

from __future__ import annotations

import re
from dataclasses import dataclass

from annotator.step_words import describe_action, doubt_words
from annotator.words import tr
from demopack.domain.steps import Step

__all__ = ["StepLine", "count_steps", "line_of", "variable_name"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StepLine:
    """One line.

    Attributes:
        id: of the step.
        words: what was done.
        doubts: why it should be looked at, sentences.
        note: the person's remark.
        variable: name of the variable whose value was typed.
        typed: the text that was typed; empty for other steps.
        field: label of the field it was typed into, as far as accessibility told.
    """

    id: str
    words: str
    doubts: tuple[str, ...] = ()
    note: str = ""
    variable: str = ""
    typed: str = ""
    field: str = ""


def line_of(step: Step) -> StepLine:
    """The line of a step that was just saved."""
    typed = step.action.parameters.get("text_to_type", "") if step.action.action_type == "type" else ""
    return StepLine(
        id=step.id,
        words=describe_action(step.action),
        doubts=tuple(doubt_words(doubt) for doubt in step.doubts(parsed=False)),
        note=step.note,
        variable=step.variable,
        typed=str(typed),
        field="" if step.focused is None else step.focused.name,
    )


def variable_name(text: str) -> str:
    """A name for a variable made of a label or of what was typed, for instance ``last_name``; empty when nothing fits.

    Letters, digits and underscores, no digit first, at most 40 characters.
    """
    name = re.sub(r"\W+", "_", text.strip().casefold()).strip("_")[:40].rstrip("_")
    return f"v_{name}" if name[:1].isdigit() else name


def count_steps(number: int) -> str:
    """``1 step`` or ``7 steps``."""
    return tr("1 step") if number == 1 else tr("{number} steps").format(number=number)
