"""What a model is asked at a step, and what it should answer: the words that all chat formats share."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from demopack.pack.formats.base import ExportOptions
from demopack.pack.rows import ElementRow, StepRow
from demopack.pack.stream import DemoRows

__all__ = ["SYSTEM", "answer", "answer_text", "element_line", "history", "observation", "question", "reasoning"]

SYSTEM: Final = (
    "You operate a computer for a person. You see a picture of the screen, the task and what was done so far. "
    "Answer with one JSON object: reasoning, action (action_type, target, parameters) and is_goal_complete. "
    "A bbox is [x, y, width, height] in fractions 0..1 of the picture."
)
"""What the model is told once, in formats that carry the contract's own vocabulary."""


def reasoning(row: StepRow, options: ExportOptions) -> str:
    """Why the step was taken, as far as the options let it be told.

    Words that were written by someone who had seen what came afterwards are told in the hindsight form alone.
    """
    rationale = row.rationale
    if options.rationale == "none" or rationale is None:
        return ""
    if options.rationale == "hindsight":
        told = rationale.hindsight or " ".join(
            part.strip() for part in (rationale.reasoning, rationale.actual_effect) if part.strip()
        )
        return told.strip()
    return rationale.reasoning if rationale.mode == "no_hindsight" else ""


def observation(row: StepRow, options: ExportOptions) -> str:
    """What mattered on the screen before the step, under the same rules as :func:`reasoning`."""
    rationale = row.rationale
    if options.rationale == "none" or rationale is None:
        return ""
    return rationale.observation if options.rationale == "hindsight" or rationale.mode == "no_hindsight" else ""


def answer(row: StepRow, options: ExportOptions) -> dict[str, Any]:
    """The LLMResponse in wire form, its reasoning as the options want it."""
    return {**row.response, "reasoning": reasoning(row, options)}


def answer_text(row: StepRow, options: ExportOptions) -> str:
    """:func:`answer` as JSON on one line."""
    return json.dumps(answer(row, options), ensure_ascii=False)


def history(demo: DemoRows, row: StepRow, options: ExportOptions) -> list[str]:
    """What was done before a step, in words, oldest first, at most as many as the options say."""
    done = [step.description for step in demo.steps[: row.index]]
    return done if options.history is None else done[len(done) - min(options.history, len(done)) :]


def element_line(element: ElementRow) -> str:
    """One element: ``[3] button "Save" at [0.46, 0.18, 0.08, 0.04], disabled``."""
    kind = element.type if element.subtype is None else f"{element.subtype} {element.type}"
    said = "" if element.text is None else f' "{" ".join(element.text.split())}"'
    place = ", ".join(f"{value:.3f}" for value in element.bbox)
    states = [name if value else f"not {name}" for name, value in sorted(element.states.items())]
    return ", ".join([f"[{element.element_id}] {kind}{said} at [{place}]", *states])


def question(demo: DemoRows, row: StepRow, options: ExportOptions) -> str:
    """Task, what was done, and the elements on the picture where they are wanted."""
    parts = [f"Task: {row.task}"]
    done = history(demo, row, options)
    if done:
        first = row.index - len(done)
        parts.append("\n".join(["Done so far:", *_numbered(done, first + 1)]))
    if options.elements:
        found = demo.on(row)
        parts.append("\n".join(["Elements:", *(element_line(element) for element in found)] if found else []))
    return "\n\n".join(part for part in parts if part)


def _numbered(lines: Sequence[str], first: int) -> list[str]:
    return [f"{number}. {line}" for number, line in enumerate(lines, start=first)]
