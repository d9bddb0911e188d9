"""Judges whether an instantiated task was done: rules first, which can only say no, then a model."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from demopack.domain.provenance import by_program
from demopack.domain.tasks import PlannedStep, Task
from demopack.domain.text_likeness import letters_in
from demopack.domain.verdicts import DemoVerdict, SubScore
from demopack.domain.words import counted, shorten
from tasks.documents import DocumentDifference, compare_documents, document_text

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
        return [f"{counted(len(typed), 'text')} was typed, and the document is as it was."]
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
