"""Judges whether an instantiated task was done: rules first, which can only say no, then a model."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeAlias

from pydantic import Field, model_validator

from demopack.codecs.lam import control_items
from demopack.domain.demos import Demo
from demopack.domain.edits import Change, Edit
from demopack.domain.elements import numbered
from demopack.domain.frames import Frame
from demopack.domain.provenance import by_program
from demopack.domain.records import Record, new_id
from demopack.domain.tasks import PlannedStep, Task
from demopack.domain.text_likeness import letters_in
from demopack.domain.verdicts import Answer, DemoVerdict, SubScore, TaskQuality
from demopack.domain.words import shorten
from demopack.jobs import JobControl
from demopack.store.library import Library
from models.language.picture_views import target_pictures
from models.language.port import LanguageRequest, PromptImage
from tasks.documents import DocumentDifference, compare_documents, document_text
from tasks.instantiation import TaskModel, plan_lines

Judge: TypeAlias = Callable[[Task, Path | None, Path | None], DemoVerdict]
"""Says whether a task was done, from its document before and after; None where its program saves nothing into it."""
_CONTROLS: Final = 300
"""Of a window so many controls are told."""
RULES: Final = "task-rules-1"
"""Who judges where no model is asked."""
_WRITING: Final = frozenset({"set_edit_text", "keyboard_input", "type_keys"})
_KEYS: Final = re.compile(r"\{[^}]*\}|[\^%+](?:\([^)]*\)|\{[^}]*\}|.)")
"""What a written text presses instead of writing: named keys, and keys with Ctrl, Alt or Shift held."""
_MIN_TYPED: Final = 3
"""Letters; shorter texts are often answers to a dialog."""


def find_faults(task: Task, before: Path | None, after: Path | None) -> list[str]:
    """What makes it certain that a task was not done as it was meant, in sentences; none where nothing does.

    An empty action, a step that was not performed, and a text that was typed and that the document does not hold are
    faults, whoever says otherwise.

    Args:
        task: the task after its execution.
        before: its document as it was; None where there is none.
        after: likewise as it is.

    Raises:
        BadInputError: a document cannot be read.
    """
    steps = () if task.instantiation is None else task.instantiation.steps
    if not steps:
        return ["Its plan has no step."]
    faults: list[str] = []
    for number, step in enumerate(steps, start=1):
        if not step.function.strip():
            faults.append(f"Step {number} is empty.")
        elif step.success is not True:
            faults.append(f"Step {number} was {'not performed' if step.success is None else 'not successful'}.")
        elif step.control_text and step.matched_text is None:
            faults.append(f"Step {number} was done without its control “{shorten(step.control_text)}”.")
    execution = task.stages.get("execute")
    if execution is not None and execution.error:
        faults.append(f"The execution ended with an error: {execution.error}")
    if before is not None and after is not None and not faults:
        faults += _unwritten(steps, before, after)
    return faults


def _unwritten(steps: tuple[PlannedStep, ...], before: Path, after: Path) -> list[str]:
    """What was typed as the last thing and is nowhere in a document that did not change in any other way either."""
    typed = [text for step in steps if (text := _typed(step))]
    if not typed:
        return []
    if not compare_documents(before, after).is_changed:
        written = "1 text was" if len(typed) == 1 else f"{len(typed)} texts were"
        return [f"{written} typed, and the document is as it was."]
    words = letters_in(document_text(after))
    if not any(letters_in(text) in words for text in typed):
        return [f"The document holds nothing of what was typed, for instance “{shorten(typed[-1])}”."]
    return []


def _typed(step: PlannedStep) -> str:
    """The text that a step writes; empty where it presses keys alone, or writes little."""
    if step.function not in _WRITING:
        return ""
    said = step.args.get("text") if step.function == "set_edit_text" else step.args.get("keys", step.args.get("text"))
    text = str(said or "")
    if step.function != "set_edit_text":
        text = _KEYS.sub("\n", text)
    parts = [part.strip() for part in text.splitlines()]
    longest = max(parts, key=len, default="")
    # A formula stands in the document in other words.
    return longest if len(letters_in(longest)) >= _MIN_TYPED and not longest.startswith("=") else ""


def verdict_of_rules(task: Task, before: Path | None, after: Path | None) -> DemoVerdict:
    """The verdict without a model: no where a rule is broken, else unsure.

    Raises:
        BadInputError: a document cannot be read.
    """
    faults = find_faults(task, before, after)
    steps = () if task.instantiation is None else task.instantiation.steps
    scores = tuple(
        SubScore(name=step.subtask or f"step {number}", met="unsure" if step.success else "no")
        for number, step in enumerate(steps, start=1)
    )
    changed = _change(before, after)
    reason = " ".join(faults) or f"Every step was performed{changed}; whether that is the task, nobody has judged."
    complete = "no" if faults else "unsure"
    return DemoVerdict(
        reason=reason,
        sub_scores=scores,
        complete=complete,
        provenance=by_program("template", RULES, reason="judge"),
    )


def _change(before: Path | None, after: Path | None) -> str:
    if before is None or after is None:
        return ""
    found: DocumentDifference = compare_documents(before, after)
    return ", and the document changed" if found.is_changed else ", and the document is as it was"


def note_verdict(library: Library, task: Task) -> None:
    """Note a task's verdict in its demo: whoever exports demos to train a model then leaves out what was not done."""
    if not task.demo or task.verdict is None:
        return
    head = library.demo(task.demo).head
    edit = Edit(
        id=new_id("edit"),
        label="Judge the task",
        changes=(Change.between(head, head.but(verdict=task.verdict)),),
        provenance=task.verdict.provenance,
    )
    library.commit(task.demo, edit)


class EvaluationReply(Record):
    """Whether a task was done; two lists of one length instead of a mapping, which strict schemas do not know."""

    reason: str = Field(description="Why you judge so.")
    criteria: tuple[str, ...] = Field(description="The parts of the task, each as something that can be checked.")
    criteria_met: tuple[Answer, ...] = Field(
        description="For each of the criteria, in their order, whether it was met."
    )
    complete: Answer = Field(description="Whether the whole task was done.")
    task_quality: TaskQuality = Field(description="Whether the task says enough and not too much.")

    @model_validator(mode="after")
    def _paired(self) -> EvaluationReply:
        if len(self.criteria) != len(self.criteria_met):
            raise ValueError("criteria and criteria_met must have the same length")
        return self


def judge_by_model(model: TaskModel, library: Library, control: JobControl) -> Judge:
    """A judge that asks a model where no rule says no: of the instantiated task, never of the one that it came from.

    The judge raises:
        LanguageError: there is no answer.
        CancelledError: it was stopped.
    """

    def judge(task: Task, before: Path | None, after: Path | None) -> DemoVerdict:
        verdict = verdict_of_rules(task, before, after)
        if verdict.complete == "no":
            return verdict
        demo = library.demo(task.demo) if task.demo else None
        question = evaluation_question(model, library, demo, task, before, after)
        answer = model.ask(lambda _: question, lambda _: [], control)
        reply = answer.value
        pairs = zip(reply.criteria, reply.criteria_met, strict=True)
        return DemoVerdict(
            reason=reply.reason,
            sub_scores=tuple(SubScore(name=name, met=met) for name, met in pairs),
            complete=reply.complete,
            quality=reply.task_quality,
            provenance=by_program("model", answer.model or model.port.name, reason="judge"),
        )

    return judge


def evaluation_question(
    model: TaskModel, library: Library, demo: Demo | None, task: Task, before: Path | None, after: Path | None
) -> LanguageRequest[EvaluationReply]:
    """What is asked about a task after its execution.

    Raises:
        BadInputError: a document or a person's own prompt cannot be read.
    """
    made = task.instantiation
    first = None if demo is None else next((step.before for step in demo.steps if step.before is not None), None)
    frames = (first, None if demo is None else demo.head.final_frame)
    difference = "" if before is None or after is None else str(compare_documents(before, after)) or "(nothing)"
    values = {
        "task": task.task if made is None else made.request or task.task,
        "thought": "" if made is None else made.thought,
        "trajectory": "" if made is None else plan_lines(made.steps),
        "difference": difference,
        "first": _controls(demo, frames[0]),
        "last": _controls(demo, frames[1]),
    }
    pictures: dict[str, tuple[PromptImage, ...]] = {}
    if model.port.sees:
        ends = zip(frames, ("the screen at the beginning", "the screen at the end"), strict=True)
        pictures["ends"] = tuple(
            dataclasses.replace(target_pictures(library.get_image(frame.id), None)[0], what=what)
            for frame, what in ends
            if frame is not None
        )
    template = model.catalogue.get("tasks/evaluate")
    return template.fill(EvaluationReply, values, pictures=pictures, max_tokens=1200, subject=f"tasks/{task.id}")


def _controls(demo: Demo | None, frame: Frame | None) -> str:
    if demo is None or frame is None or frame.id not in demo.parsed:
        return ""
    controls = control_items(numbered(demo.ordered(frame.id)))[:_CONTROLS]
    return "\n".join(json.dumps(one, ensure_ascii=False) for one in controls)
