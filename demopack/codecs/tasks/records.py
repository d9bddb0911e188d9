"""The three JSON forms of a task: a record of the LAM paper, a task of UFO's dataflow, and one of its results."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from demopack.codecs.files.json_object import JsonObject
from demopack.codecs.tasks.differences import differences, with_differences
from demopack.codecs.ufo_results import ANSWERS, named, sub_scores_in
from demopack.domain.provenance import Provenance
from demopack.domain.tasks import (
    STAGES,
    Feasibility,
    Instantiation,
    PlannedStep,
    SourceKind,
    Stage,
    StageRecord,
    Task,
    TaskOrigin,
    TaskSource,
)
from demopack.domain.verdicts import DemoVerdict
from demopack.json_text import as_list, object_in

_NUMBERED: Final = re.compile(r"\s*(\d+)\s*[.):]\s*")
_STEP_KEYS: Final = {
    "subtask": "subtask", "controllabel": "control_label", "controltext": "control_text", "function": "function",
    "args": "args", "success": "success", "matchedcontroltext": "matched_text",
}  # fmt: skip


def task_id(*parts: str) -> str:
    """An id that the same task of the same source always gets."""
    return f"task_{hashlib.sha256(chr(0).join(parts).encode('utf-8', 'surrogatepass')).hexdigest()[:10]}"


def without_numbers(steps: Sequence[str]) -> tuple[str, ...]:
    """Steps without the numbers before them, where each has its own."""
    found = [_NUMBERED.match(step) for step in steps]
    numbers = [int(one[1]) for one in found if one is not None]
    if not steps or numbers != list(range(1, len(steps) + 1)):
        return tuple(step.strip() for step in steps)
    return tuple(step[one.end() :].strip() for step, one in zip(steps, found, strict=True) if one is not None)


def numbered(steps: Sequence[str]) -> list[str]:
    """Steps with their numbers."""
    return [f"{number}. {step}" for number, step in enumerate(steps, start=1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskFormat:
    """One form of a task.

    Attributes:
        name: of the form.
        kind: of the source that such a task comes from.
        is_ours: whether an object, its keys in lower case with underscores, is of this form.
        decode: its fields of a ``Task``; the object's keys are as they were written.
        encode: a task in this form.
    """

    name: str
    kind: SourceKind
    is_ours: Callable[[frozenset[str]], bool]
    decode: Callable[[JsonObject, Provenance], dict[str, Any]]
    encode: Callable[[Task], dict[str, Any]]


def decode_task(row: JsonObject, *, name: str, provenance: Provenance) -> Task:
    """The task that an object of any of the forms says.

    Args:
        row: the object.
        name: of its file, for the source.
        provenance: of whoever brings it in.

    Raises:
        BadRowError: it is none of the forms, or a field is wrong; file and field are named.
    """
    keys = frozenset(_plain_key(key) for key in row.data)
    form = next((one for one in TASK_FORMATS.values() if one.is_ours(keys)), None)
    if form is None:
        raise row.wrong(
            "", "it is no task: it has neither task and plan, nor task and refined_steps, nor a result", code="no_task"
        )
    plain = JsonObject(
        data={_plain_key(key): value for key, value in row.data.items()}, file=row.file, line=row.line, at=row.at
    )
    fields = form.decode(plain, provenance)
    place = f"line {row.line}" if row.line else row.at
    source = TaskSource(kind=fields.pop("kind", form.kind), name=name, place=place, id=fields.get("id", ""))
    known: dict[str, Any] = {"id": task_id(name, place, str(fields["task"])), **_set(fields)}
    task = Task(**known, source=source, provenance=provenance)
    noted = tuple(differences(form.encode(task), dict(row.data)))
    return task.but(origin=TaskOrigin(format=form.name, differences=noted))


def encode_task(task: Task, form: str) -> dict[str, Any]:
    """A task in one of :data:`TASK_FORMATS`; one that came in that form goes out as it came, edits aside."""
    ours = TASK_FORMATS[form].encode(task)
    if task.origin is None or task.origin.format != form:
        return ours
    return with_differences(ours, task.origin.differences)


def _set(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in fields.items() if value not in (None, "")} | {"task": fields["task"]}


def _plain_key(key: str) -> str:
    return key.strip().lower().replace(" ", "_")


def _steps(row: JsonObject, name: str) -> tuple[str, ...]:
    """Steps in words: a list of texts, or one text with a step a line."""
    value = row.get(name)
    if isinstance(value, str):
        return without_numbers([line for line in value.splitlines() if line.strip()])
    if value is not None and not isinstance(value, list):
        raise row.wrong(name, "it is neither a list of steps nor a text")
    steps = as_list(value)
    for number, step in enumerate(steps):
        if not isinstance(step, str):
            raise row.wrong(f"{name}[{number}]", "it is not a text")
    return without_numbers(cast("list[str]", steps))


# The paper's record -----------------------------------------------------------------------------------------------

_SOURCE_KEYS: Final = ("app", "app_version", "platform")


def _record_of(row: JsonObject, _by: Provenance) -> dict[str, Any]:
    fields: dict[str, Any] = {"id": row.text("task_id"), "task": row.text("task", default=None)}
    fields |= {name: row.text(name) for name in _SOURCE_KEYS}
    return fields | {"plan": _steps(row, "plan")}


def _record(task: Task) -> dict[str, Any]:
    told = {name: value for name in _SOURCE_KEYS if (value := getattr(task, name))}
    return {"task_id": task.source.id or task.id, "task": task.task, "plan": numbered(task.plan), **told}


# UFO's task -------------------------------------------------------------------------------------------------------


def _ufo_task_of(row: JsonObject, _by: Provenance) -> dict[str, Any]:
    return {
        "id": row.text("unique_id"),
        "app": row.text("app"),
        "platform": "windows",
        "task": row.text("task", default=None),
        "plan": _steps(row, "refined_steps"),
    }


def _ufo_task(task: Task) -> dict[str, Any]:
    return {
        "app": task.app,
        "unique_id": task.source.id or task.id,
        "task": task.task,
        "refined_steps": list(task.plan),
    }


# UFO's result -----------------------------------------------------------------------------------------------------


def _result_of(row: JsonObject, by: Provenance) -> dict[str, Any]:
    original = row.row("original")
    fields: dict[str, Any] = {
        "id": row.text("unique_id"),
        "app": row.text("app"),
        "platform": "windows",
        "task": "" if original is None else original.text("original_task"),
        "plan": () if original is None else _steps(original, "original_steps"),
    }
    made, done = row.row("instantiation_result"), row.row("execution_result")
    parts = {name: None if made is None else made.row(name) for name in ("choose_template", "prefill")}
    judged = None if made is None else made.row("instantiation_evaluation")
    prefill = None if parts["prefill"] is None else parts["prefill"].row("result")
    template = parts["choose_template"]
    document = "" if template is None else template.text("result")
    if prefill is not None or document:
        fields["instantiation"] = Instantiation(
            document=document,
            request="" if prefill is None else prefill.text("instantiated_request"),
            steps=() if prefill is None else tuple(map(_planned, prefill.rows("instantiated_plan"))),
        )
    answer = None if judged is None else judged.row("result")
    if answer is not None and answer.flag("judge") is not None:
        fields["feasibility"] = Feasibility(
            judge=bool(answer.flag("judge")), thought=answer.text("thought"), request_type=answer.text("request_type")
        )
    fields["stages"] = _stages_of(row, {**parts, "instantiation_evaluation": judged, "execute": done})
    fields["verdict"] = _verdict_of(done, by)
    return fields


def _planned(row: JsonObject) -> PlannedStep:
    plain = {_STEP_KEYS.get(key.lower().replace("_", ""), key): value for key, value in row.data.items()}
    step = JsonObject(data=plain, file=row.file, line=row.line, at=row.at)
    matched = step.get("matched_text")
    return PlannedStep(
        subtask=step.text("subtask"),
        control_label=step.text("control_label"),
        control_text=step.text("control_text"),
        function=step.text("function"),
        args=object_in(step.get("args")),
        success=step.flag("success"),
        matched_text=None if matched is None else step.text("matched_text"),
    )


def _stages_of(row: JsonObject, parts: Mapping[str, JsonObject | None]) -> dict[Stage, StageRecord]:
    times = row.row("time_cost")
    found: dict[Stage, StageRecord] = {}
    for stage in STAGES:
        part = parts.get(stage)
        seconds = None if times is None else times.number(stage)
        error = "" if part is None else _error_in(part)
        if seconds is not None and seconds < 0:
            raise row.wrong(f"time_cost.{stage}", f"{seconds:g} is no time")
        if seconds is not None or error:
            found[stage] = StageRecord(seconds=seconds, error=error)
    return found


def _error_in(part: JsonObject) -> str:
    """An error in words: an object with a message, or a text."""
    error = part.get("error")
    told = object_in(error)
    said = told.get("message") or told.get("error_message") or told.get("type") if told else error
    return said if isinstance(said, str) else ""


def _verdict_of(done: JsonObject | None, by: Provenance) -> DemoVerdict | None:
    result = None if done is None else done.row("result")
    if result is None:
        return None
    complete = ANSWERS.get(result.text("complete").strip().lower())
    if complete is None:
        raise result.wrong("complete", f"it is {result.get('complete')!r}, not yes, no or unsure")
    parts = sub_scores_in(result.get("sub_scores")) or ()
    judge = Provenance(kind="model", name="ufo", at=by.at, reason="judge")
    return DemoVerdict(reason=result.text("reason"), sub_scores=parts, complete=complete, provenance=judge)


def _result(task: Task) -> dict[str, Any]:
    made, judged, verdict = task.instantiation, task.feasibility, task.verdict

    def part(stage: Stage, result: object) -> dict[str, Any]:
        return {"result": result, "error": task.stages[stage].error or None if stage in task.stages else None}

    executed = None if verdict is None else {
        "reason": verdict.reason, "sub_scores": named(verdict.sub_scores), "complete": verdict.complete
    }  # fmt: skip
    failed = next(
        (task.stages[s].error for s in ("execute", "execute_eval") if s in task.stages and task.stages[s].error), ""
    )
    prefilled = None if made is None or not (made.request or made.steps) else {
        "instantiated_request": made.request,
        "instantiated_plan": [_plan_row(number, step) for number, step in enumerate(made.steps, start=1)],
    }  # fmt: skip
    feasible = None if judged is None else {
        "judge": judged.judge, "thought": judged.thought, "request_type": judged.request_type or "None"
    }  # fmt: skip
    times = {stage: task.stages[stage].seconds for stage in STAGES if stage in task.stages}
    known = {stage: seconds for stage, seconds in times.items() if seconds is not None}
    return {
        "unique_id": task.source.id or task.id,
        "app": task.app,
        "original": {"original_task": task.task, "original_steps": numbered(task.plan)},
        "execution_result": {"result": executed, "error": failed or None},
        "instantiation_result": {
            "choose_template": part("choose_template", made.document if made is not None and made.document else None),
            "prefill": part("prefill", prefilled),
            "instantiation_evaluation": part("instantiation_evaluation", feasible),
        },
        "time_cost": {**known, "total": round(sum(known.values()), 3)},
    }


def _plan_row(number: int, step: PlannedStep) -> dict[str, Any]:
    return {
        "Step": number,
        "Subtask": step.subtask,
        "ControlLabel": step.control_label or None,
        "ControlText": step.control_text,
        "Function": step.function,
        "Args": dict(step.args),
        "Success": step.success,
        "MatchedControlText": step.matched_text,
    }


TASK_FORMATS: Final[Mapping[str, TaskFormat]] = {
    one.name: one
    for one in (
        TaskFormat(
            name="ufo_result",
            kind="result",
            is_ours=lambda keys: "instantiation_result" in keys or {"execution_result", "original"} <= keys,
            decode=_result_of,
            encode=_result,
        ),
        TaskFormat(
            name="ufo_task",
            kind="task_file",
            is_ours=lambda keys: {"task", "refined_steps"} <= keys,
            decode=_ufo_task_of,
            encode=_ufo_task,
        ),
        TaskFormat(
            name="record",
            kind="task_file",
            is_ours=lambda keys: "task" in keys and bool(keys & {"plan", "task_id"}),
            decode=_record_of,
            encode=_record,
        ),
    )
}
"""The forms by name, the more special ones first."""
