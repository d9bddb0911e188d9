"""UFO's dataflow: results with an executed or instantiated plan, and tasks that are words alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, Literal

from demopack.codecs.files.base import ImportLog, SkippedDemos, json_object
from demopack.codecs.files.builder import DemoBuilder, demo_id, file_importer
from demopack.codecs.files.json_object import JsonObject, unpacked
from demopack.codecs.files.source import SourceFiles
from demopack.codecs.observation import Observation
from demopack.json_text import as_list, object_in

_ON_DOCUMENTS: Final = frozenset({"annotation", "select_text", "select_table", "insert_table", "set_font", "save_as"})
_ENDS: Final[Mapping[str, Literal["success", "failure"]]] = {"yes": "success", "no": "failure"}


def _keys(value: Mapping[Any, Any]) -> dict[str, Any]:
    """UFO lower-cases its keys and puts underscores for blanks; people write them otherwise."""
    return {str(key).strip().lower().replace(" ", "_"): item for key, item in value.items()}


def _is_ours(files: SourceFiles, name: str) -> bool:
    """Whether it is a result or a task of UFO."""
    keys = _keys(object_in(files.peek(name, comments=True))).keys()
    return (
        {"instantiation_result"} <= keys
        or {"execution_result", "original"} <= keys
        or {"task", "refined_steps"} <= keys
    )


def _row(files: SourceFiles, name: str, skipped: SkippedDemos) -> Iterator[JsonObject]:
    with skipped.guarding(name):
        yield JsonObject(data=_keys(json_object(files.json(name, comments=True), file=name).data), file=name)


def _demo(row: JsonObject, builder: DemoBuilder) -> dict[str, Any]:
    builder.demo = demo_id("ufo", row.text("unique_id"), repr(sorted(row.data.items())))
    log = builder.log
    plan = _plan(row)
    builder.note_gaps(plan, "step")
    for step in plan:
        log.rows_in += 1
        with builder.guarded(step.place):
            _step(step, builder)
    head = {**_outcome(row, log), "task": _task(row, log), "app": row.text("app"), "platform": "windows"}
    if not plan:
        return head | _words_alone(row, builder)
    log.lose("pictures", "pictures: UFO's results have none", row.file)
    return head


def _plan(row: JsonObject) -> list[JsonObject]:
    """The steps of the instantiated plan, with UFO's names for their fields."""

    def plain(data: Mapping[str, Any]) -> dict[str, Any]:
        """ControlLabel, controlLabel and control_label alike."""
        return {key.lower().replace("_", "").replace(" ", ""): value for key, value in data.items()}

    result = _prefilled(row)
    return [
        replace(step, data=plain(step.data)) for step in ([] if result is None else result.rows("instantiated_plan"))
    ]


def _prefilled(row: JsonObject) -> JsonObject | None:
    inner: JsonObject | None = row
    for name in ("instantiation_result", "prefill", "result"):
        inner = None if inner is None else inner.row(name)
    return inner


def _task(row: JsonObject, log: ImportLog) -> str:
    """The request as it was instantiated, else as it was first put."""
    result = _prefilled(row)
    words = "" if result is None else result.text("instantiated_request")
    original = row.row("original")
    first = row.text("task") if original is None else original.text("original_task")
    if words and first and words != first:
        log.lose("original_task", "the task as it was first put: the instantiated request stands", row.file)
    return words or first


def _step(step: JsonObject, builder: DemoBuilder) -> None:
    function, place, log = step.text("function").strip(), step.place, builder.log
    given, twice = unpacked(step.get("args"))
    args = object_in(given)
    if twice:
        step.twice.append(step.path("args"))
    subtask = step.text("subtask")
    if function.partition("(")[0] in _ON_DOCUMENTS:
        builder.note(f"{subtask} ({function} {args})".strip(), place)
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
    if step.flag("success") is False:
        builder.pending.append("UFO says that this step could not be carried out.")
    builder.several(actions, before=None, where=place, note=subtask)
    log.assume("subtask", "the subtask is kept as a note of its step, not as a reason", place)


def _outcome(row: JsonObject, log: ImportLog) -> dict[str, Any]:
    execution = row.row("execution_result")
    result = None if execution is None else execution.row("result")
    if result is None:
        return {}
    complete = result.text("complete").strip().lower()
    if result.get("sub_scores"):
        log.lose("sub_scores", "sub-scores: a verdict on the demo needs more than UFO says", row.file)
    if complete not in {"yes", "no", "unsure", ""}:
        raise result.wrong("complete", f"it is {complete!r}, not yes, no or unsure")
    return {"outcome": _ENDS.get(complete), "outcome_reason": result.text("reason")}


def _words_alone(row: JsonObject, builder: DemoBuilder) -> dict[str, Any]:
    """A task that nobody has done yet: its steps in words are what is missing."""
    original = row.row("original")
    steps, _ = unpacked(row.get("refined_steps") if original is None else original.get("original_steps"))
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
