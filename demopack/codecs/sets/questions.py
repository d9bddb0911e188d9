"""Words of questions and answers that the formats share: what a model is asked at a step, and what it should answer."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from demopack.codecs import element_words
from demopack.codecs.coordinates import CoordinateGrid
from demopack.codecs.losses import Loss
from demopack.codecs.output import Output
from demopack.codecs.recorded_demo import RecordedDemo, RecordedStep
from demopack.codecs.sets.base import ExportOptions
from demopack.domain.frames import Frame
from demopack.file_names import safe_name

SYSTEM: Final = (
    "You operate a computer for a person. You see a picture of the screen, the task and what was done so far. "
    "Answer with one JSON object: reasoning, action (action_type, target, parameters) and is_goal_complete. "
    "A bbox is [x, y, width, height] in fractions 0..1 of the picture."
)
"""What the model is told once, in formats that carry the contract's own vocabulary."""


def reasoning(step: RecordedStep, options: ExportOptions) -> str:
    """Why the step was taken, as far as the options let it be told.

    Words that were written by someone who had seen what came afterwards are told in the hindsight form alone.
    """
    rationale = step.recorded.rationale
    if options.rationale == "none" or rationale is None:
        return ""
    if options.rationale == "hindsight":
        told = rationale.hindsight or " ".join(
            part.strip() for part in (rationale.reasoning, rationale.actual_effect) if part.strip()
        )
        return told.strip()
    return rationale.reasoning if rationale.mode == "no_hindsight" else ""


def observation(step: RecordedStep, options: ExportOptions) -> str:
    """What mattered on the screen before the step, under the same rules as :func:`reasoning`."""
    rationale = step.recorded.rationale
    if options.rationale == "none" or rationale is None:
        return ""
    return rationale.observation if options.rationale == "hindsight" or rationale.mode == "no_hindsight" else ""


def answer(step: RecordedStep, options: ExportOptions) -> dict[str, Any]:
    """The LLMResponse in wire form, its reasoning as the options want it."""
    return {**step.response.to_wire(), "reasoning": reasoning(step, options)}


def answer_text(step: RecordedStep, options: ExportOptions) -> str:
    """:func:`answer` as JSON on one line."""
    return json.dumps(answer(step, options), ensure_ascii=False)


def visible_action(action: Mapping[str, Any]) -> dict[str, Any]:
    """An action in wire form with nothing in it that cannot be seen on the picture: no track, no element's number."""

    def visible(target: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
        return target and ({name: target[name] for name in ("text", "bbox") if name in target} or target)

    parameters: dict[str, Any] = dict(action["parameters"])
    if "end_target" in parameters:
        parameters["end_target"] = visible(parameters["end_target"])
    return {**action, "target": visible(action["target"]), "parameters": parameters}


def history_steps(demo: RecordedDemo, step: RecordedStep, options: ExportOptions) -> Sequence[RecordedStep]:
    """What was done before a step, oldest first, at most as many as the options say."""
    done = demo.steps[: step.index]
    return done if options.history is None else done[len(done) - min(options.history, len(done)) :]


def history(demo: RecordedDemo, step: RecordedStep, options: ExportOptions) -> list[str]:
    """:func:`history_steps` in words."""
    return [earlier.description for earlier in history_steps(demo, step, options)]


def element_lines(step: RecordedStep, options: ExportOptions) -> list[str]:
    """The elements on a step's picture, one to a line; empty where the options do not want them."""
    found = step.observation
    return element_words.element_lines(found.elements, found.size) if options.elements else []


def element_list(step: RecordedStep, options: ExportOptions, coordinates: CoordinateGrid | None = None) -> str:
    """The elements on a step's picture below a line that says what they are; empty without any.

    Args:
        step: the step.
        options: may not want them.
        coordinates: in which numbers their places are told; None for the contract's.
    """
    found = step.observation
    return element_words.element_list(found.elements, found.size, coordinates) if options.elements else ""


def question(demo: RecordedDemo, step: RecordedStep, options: ExportOptions, elements: str) -> str:
    """Task, what was done, and the elements on the picture; see :func:`element_list`."""
    done = history(demo, step, options)
    return "\n\n".join(question_parts(demo.head.task, done, step.index - len(done), elements).values())


def question_parts(task: str, done: Sequence[str], before: int, elements: str) -> dict[str, str]:
    """The parts of a question by name, none empty.

    Args:
        task: what is to be done.
        done: the latest actions in words, oldest first.
        before: how many there were before these.
        elements: the list of elements; empty for none.
    """
    told = [f"{number}. {line}" for number, line in enumerate(done, start=before + 1)]
    parts = {
        "task": f"Task: {task}",
        "history": "\n".join(["Done so far:", *told]) if told else "",
        "elements": elements,
    }
    return {name: text for name, text in parts.items() if text}


_PLACEHOLDERS: Final = ("<image>", "<video>", "<audio>", "<bbox>", "<ref-object>")
PLACEHOLDER_LOSS: Final = Loss(
    "placeholder",
    "words like `<image>` inside texts are written with a space, `< image>`",
    "the loaders take them for pictures",
)


def without_placeholders(text: str, output: Output, key: str) -> str:
    """A text without anything that a loader would take for a picture or a box; one too many, and a sample is dropped.

    Args:
        text: of the screen, the task or a person.
        output: counts the change under ``placeholder``.
        key: what it is a part of, in words.
    """
    for word in _PLACEHOLDERS:
        if word in text:
            output.lost.add(PLACEHOLDER_LOSS.code, PLACEHOLDER_LOSS.what, key)
    return spaced(text)


def spaced(text: str) -> str:
    """A text with a blank in each word that a loader would take for a picture or a box."""
    for word in _PLACEHOLDERS:
        text = text.replace(word, f"< {word[1:]}")
    return text


def after(demo: RecordedDemo, step: RecordedStep) -> Frame | None:
    """The picture after a step: its own, else the next step's, else the last of the demo."""
    if step.recorded.after is not None:
        return step.recorded.after
    if step.index + 1 < len(demo.steps):
        return demo.steps[step.index + 1].recorded.before
    return demo.head.final_frame or step.recorded.before


def started_at(demo: RecordedDemo, step: RecordedStep) -> datetime | None:
    """Wall clock of a step's first event; None where that is not known."""
    return None if step.started_ms is None else demo.head.created_at + timedelta(milliseconds=step.started_ms)


def demo_name(demo: RecordedDemo) -> str:
    """A file name for the demo, without an ending."""
    return safe_name(demo.head.id)
