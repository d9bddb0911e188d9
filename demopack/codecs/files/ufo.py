"""UFO's dataflow: results with an executed or instantiated plan, and tasks that are words alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from demopack.codecs.files.base import ImportLog, SkippedDemos, json_object
from demopack.codecs.files.builder import DemoBuilder, demo_id, file_importer
from demopack.codecs.files.json_object import JsonObject, unpacked
from demopack.codecs.files.source import SourceFiles
from demopack.codecs.observation import Observation
from demopack.codecs.ufo import ON_DOCUMENTS
from demopack.codecs.ufo_results import ANSWERS, sub_scores_in, unlike_ours
from demopack.domain.actions import FinishGoalAction
from demopack.domain.demos import Origin
from demopack.domain.verdicts import DemoVerdict, StepVerdict
from demopack.json_text import as_list, object_in

_ENDS: Final[Mapping[str, Literal["success", "failure"]]] = {"yes": "success", "no": "failure"}
_ROW: Final = {
    name.lower(): name
    for name in ("Step", "Subtask", "ControlLabel", "ControlText", "Function", "Args", "Success", "MatchedControlText")
}
_MARKS: Final = (b'"instantiation_result"', b'"refined_steps"')
_FAILED_STEP: Final = re.compile(r"\bStep (\d+) execution failed")
"""How an execution's error names the step that it belongs to."""


def _keys(value: Mapping[Any, Any]) -> dict[str, Any]:
    """UFO lower-cases its keys and puts underscores for blanks; people write them otherwise."""
    return {str(key).strip().lower().replace(" ", "_"): item for key, item in value.items()}


def _is_ours(files: SourceFiles, name: str) -> bool:
    """Whether it is a result or a task of UFO; also one that cannot be read, which is refused with what is wrong."""
    found = files.peek(name, comments=True)
    if found is None:
        return files.holds(name, _MARKS)
    keys = _keys(object_in(found)).keys()
    return (
        {"instantiation_result"} <= keys
        or {"execution_result", "original"} <= keys
        or {"task", "refined_steps"} <= keys
    )


def _row(files: SourceFiles, name: str, _skipped: SkippedDemos) -> Iterator[JsonObject]:
    yield JsonObject(data=_keys(json_object(files.json(name, comments=True), file=name).data), file=name)


def _demo(row: JsonObject, builder: DemoBuilder) -> dict[str, Any]:
    builder.demo = demo_id("ufo", row.text("unique_id"), repr(sorted(row.data.items())))
    log = builder.log
    plan = _Plan(builder=builder, error=_error(row))
    steps = _steps(row)
    builder.note_gaps([step for _, step in steps], "step")
    for said, step in steps:
        log.rows_in += 1
        with builder.guarded(step.place):
            plan.add(said, step)
    head = {**_outcome(row, builder), "task": _task(row, log), "app": row.text("app"), "platform": "windows"}
    head["origin"] = Origin(format="ufo", said=_said(row), steps=plan.rows(head.get("outcome")))
    if not steps:
        return head | _words_alone(row, builder)
    log.lose("pictures", "pictures: UFO's results have none", row.file)
    missing = ""
    if not builder.steps:
        missing = f"What was done has no action of ours. {' '.join(builder.pending)}"
    elif not plan.executed and "outcome" not in head:
        missing = "UFO has not carried out these steps: they are a plan."
        log.assume("not_executed", missing, row.file)
    elif head.get("outcome") is None:
        missing = "Nobody was sure whether the task was done, so no step says that it was."
        log.assume("unsure", missing, row.file)
    if missing:
        head |= {"status": "partial", "missing": missing}
    return head


def _steps(row: JsonObject) -> list[tuple[dict[str, Any], JsonObject]]:
    """The steps of the instantiated plan, each under UFO's names and under the same in small letters alone."""

    def plain(key: str) -> str:
        """ControlLabel, controlLabel and control_label alike."""
        return key.lower().replace("_", "").replace(" ", "")

    result = _prefilled(row)
    return [
        (
            {_ROW.get(plain(key), key): value for key, value in step.data.items()},
            replace(step, data={plain(key): value for key, value in step.data.items()}),
        )
        for step in ([] if result is None else result.rows("instantiated_plan"))
    ]


def _prefilled(row: JsonObject) -> JsonObject | None:
    return _inside(row, "instantiation_result", "prefill", "result")


def _inside(row: JsonObject, *names: str) -> JsonObject | None:
    inner: JsonObject | None = row
    for name in names:
        inner = None if inner is None else inner.row(name)
    return inner


def _task(row: JsonObject, log: ImportLog) -> str:
    """The request as it was instantiated, else as it was first put."""
    result = _prefilled(row)
    words = "" if result is None else result.text("instantiated_request")
    original = row.row("original")
    first = row.text("task") if original is None else original.text("original_task")
    if words and first and words != first:
        log.assume("original_task", "the instantiated request is the task; how it was first put is kept", row.file)
    return words or first


def _original(row: JsonObject) -> dict[str, Any]:
    """The task and the steps as they were first put, under the names that a result has for them."""
    original = row.row("original")
    if original is not None:
        return dict(original.data)
    steps, _ = unpacked(row.get("refined_steps"))
    return {"original_task": row.text("task"), "original_steps": as_list(steps)}


def _without(row: JsonObject | None, *names: str) -> dict[str, Any]:
    return {} if row is None else {key: value for key, value in row.data.items() if key not in names}


def _said(row: JsonObject) -> dict[str, Any]:
    """All that a result says, but for what an export writes alike: application, request, plan and verdict."""
    execution, made = row.row("execution_result"), row.row("instantiation_result")
    said = {
        **_without(row, "app", "task", "refined_steps", "execution_result", "instantiation_result"),
        "original": _original(row),
        **{name: None for name in ("app", "original", "execution_result") if row.data.get(name, "") is None},
    }
    if execution is not None:
        said["execution_result"] = dict(execution.data)
        result = execution.row("result")
        if result is not None:
            told = _without(result, "reason", "complete", "sub_scores")
            said["execution_result"]["result"] = told | unlike_ours(result.data)
    if made is not None:
        prefill = made.row("prefill")
        said["instantiation_result"] = dict(made.data)
        if prefill is not None:
            result = _prefilled(row)
            inner = {} if result is None else {"result": _without(result, "instantiated_request", "instantiated_plan")}
            if result is not None and result.data.get("instantiated_request", "") is None:
                inner["result"]["instantiated_request"] = None
            said["instantiation_result"]["prefill"] = {**prefill.data, **inner}
    return said


@dataclass(kw_only=True)
class _Plan:
    """Adds the steps of a plan to a demo, and remembers the row of each.

    Attributes:
        builder: of the demo.
        error: of the execution, in words; empty without one.
        executed: whether a step was carried out, or failed.
    """

    builder: DemoBuilder
    error: str
    executed: bool = False
    _found: dict[str, list[dict[str, Any]]] = field(default_factory=dict[str, list[dict[str, Any]]])
    _waiting: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    def add(self, said: dict[str, Any], step: JsonObject) -> None:
        """One row of the plan: a step, or a note with the step that follows."""
        builder, log, place = self.builder, self.builder.log, step.place
        function, known = step.text("function").strip(), len(builder.steps)
        given, twice = unpacked(step.get("args"))
        args = object_in(given)
        if twice:
            step.twice.append(step.path("args"))
        subtask, success = step.text("subtask"), step.flag("success")
        self.executed = self.executed or success is not None
        row = said if given is None else {**said, "Args": args}
        if function.partition("(")[0] in ON_DOCUMENTS:
            builder.note(f"{subtask} ({function} {args})".strip(), place)
            self._waiting.append(row)
            return
        call = {
            "function": function,
            "args": args,
            "control_label": step.text("controllabel"),
            "control_name": step.text("controltext") or step.text("matchedcontroltext"),
            "subtask": subtask,
        }
        observation = Observation(space="fraction")
        actions = builder.decode(step, "function", call, dialect="ufo", observation=observation, where=place)
        if call["control_label"] or call["control_name"]:
            log.assume("controls", "controls are named by label and text; no box of them is known", place)
        if function.endswith("_on_coordinates"):
            why = "places are fractions of a window that is not known; they are taken as fractions of the screen"
            log.assume("window", why, place)
        failed = self._failed(step)
        if success is False:
            builder.pending.append("UFO says that this step could not be carried out.")
        builder.several(actions, before=None, where=place, note=subtask, verdict=failed)
        log.assume("subtask", "the subtask is kept as a note of its step, not as a reason", place)
        self._found[builder.steps[known].id] = [*self._waiting, row]
        self._waiting.clear()

    def _failed(self, step: JsonObject) -> StepVerdict | None:
        """What is wrong with a step that could not be carried out, or that the execution's error names."""
        named = _FAILED_STEP.search(self.error)
        if step.flag("success") is not False and (named is None or step.number("step") != float(named[1])):
            return None
        reflection = self.error or "UFO says that this step could not be carried out."
        return StepVerdict(correct="no", reflection=reflection, provenance=self.builder.provenance())

    def rows(self, outcome: object) -> dict[str, tuple[dict[str, Any], ...]]:
        """The rows by the id of the step that each became, or that follows; a demo without any gets its end."""
        steps, builder = self.builder.steps, self.builder
        if self._waiting and not steps and outcome is not None:
            end = FinishGoalAction(status="success" if outcome == "success" else "failure")
            builder.add(end, before=None, where=builder.log.source)
        if self._waiting and steps:
            self._found.setdefault(steps[-1].id, []).extend(self._waiting)
        return {step: tuple(rows) for step, rows in self._found.items()}


def _error(row: JsonObject) -> str:
    """The error of the execution, in words: an object with a message, or a text."""
    execution = row.row("execution_result")
    error, _ = unpacked(None if execution is None else execution.get("error"))
    told = object_in(error)
    found = told.get("message") or told.get("error_message") or told.get("type") or ("" if told else error)
    return found if isinstance(found, str) else ""


def _outcome(row: JsonObject, builder: DemoBuilder) -> dict[str, Any]:
    execution = row.row("execution_result")
    result = None if execution is None else execution.row("result")
    if result is None:
        error = _error(row)
        return {"outcome": "failure", "outcome_reason": error} if error else {}
    complete = result.text("complete").strip().lower()
    if complete not in {*ANSWERS, ""}:
        raise result.wrong("complete", f"it is {complete!r}, not yes, no or unsure")
    if result.get("complete") != (complete or None):
        why = "how it ended is written otherwise than UFO writes it: an export says yes, no or unsure"
        builder.log.assume("complete", why, result.place)
    reason, parts = result.text("reason"), sub_scores_in(result.get("sub_scores"))
    head: dict[str, Any] = {"outcome": _ENDS.get(complete), "outcome_reason": reason}
    if parts is None:
        why = "sub-scores that are not yes, no or unsure: they are kept, but are no part of the verdict"
        builder.log.assume("sub_scores", why, result.place)
    elif parts:
        answer = ANSWERS.get(complete, "unsure")
        head["verdict"] = DemoVerdict(reason=reason, sub_scores=parts, complete=answer, provenance=builder.provenance())
    return head


def _words_alone(row: JsonObject, builder: DemoBuilder) -> dict[str, Any]:
    """A task that nobody has done yet: its steps in words are what is missing."""
    steps, _ = unpacked(_original(row).get("original_steps"))
    words = [str(item) for item in as_list(steps)]
    log = builder.log
    log.rows_in += len(words)
    log.rows_noted += len(words)
    why = "the source has steps in words only; they stand in what is missing from the demo, and it has no steps"
    log.assume("words_alone", why, row.file)
    listed = " ".join(f"{number}. {word.rstrip('.')}." for number, word in enumerate(words, start=1))
    return {"status": "partial", "missing": f"Nothing was recorded; this is a plan in words. {listed}".strip()}


IMPORTER: Final = file_importer(
    name="ufo",
    title="UFO results and tasks",
    files="*.json with instantiation_result, or with task and refined_steps",
    before="nowhere: the format has no pictures",
    ending=".json",
    is_ours=_is_ours,
    rows=_row,
    demo=_demo,
)
