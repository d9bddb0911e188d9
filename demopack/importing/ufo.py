"""UFO's dataflow: results with an executed or instantiated plan, and tasks that are words alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal

from demopack.importing.building import Builder, Imported, ImportOptions, demo_id
from demopack.importing.errors import BadRowError
from demopack.importing.files import Files
from demopack.importing.importer import Importer, Skipped, row_of
from demopack.importing.pictures import Shelf
from demopack.importing.reading import action_in, actions_of, guarded, look_at_numbers, note_twice
from demopack.importing.report import Ledger
from demopack.importing.values import Row, list_in, object_in, unpacked
from demopack.prompting.scene import Scene

__all__ = ["IMPORTER"]

_ON_DOCUMENTS: Final = frozenset({"annotation", "select_text", "select_table", "insert_table", "set_font", "save_as"})
_ENDS: Final[Mapping[str, Literal["success", "failure"]]] = {"yes": "success", "no": "failure"}


def sniff(files: Files) -> bool:
    """Whether a JSON file is a result or a task of UFO."""
    return any(name.endswith(".json") and _is_ours(_quietly(files, name)) for name in files.tables)


def _quietly(files: Files, name: str) -> Any:  # noqa: ANN401 - any JSON value
    try:
        return files.json(name)
    except BadRowError:
        return None


def _keys(value: Mapping[Any, Any]) -> dict[str, Any]:
    """UFO lower-cases its keys and puts underscores for blanks; people write them otherwise."""
    return {str(key).strip().lower().replace(" ", "_"): item for key, item in value.items()}


def _is_ours(value: Any) -> bool:  # noqa: ANN401 - any JSON value
    keys = _keys(object_in(value)).keys()
    return (
        {"instantiation_result"} <= keys
        or {"execution_result", "original"} <= keys
        or {"task", "refined_steps"} <= keys
    )


def read(files: Files, options: ImportOptions, skipped: Skipped) -> Iterator[Imported]:
    """Every result and task.

    Raises:
        BadRowError: a file or a step is bad; with ``skip_bad`` it is counted instead.
    """
    for name in files.tables:
        if name.endswith(".json") and (files.only or _is_ours(_quietly(files, name))):
            files.taken.add(name)
            with skipped.guarding(name):
                top = row_of(files.json(name), file=name)
                yield _demo(Row(data=_keys(top.data), file=name), files, options)


def _demo(row: Row, files: Files, options: ImportOptions) -> Imported:
    ident = demo_id("ufo", row.text("unique_id"), repr(sorted(row.data.items())))
    ledger = Ledger(row.file)
    builder = Builder(title=IMPORTER.title, demo=ident, ledger=ledger, options=options)
    plan = _plan(row)
    look_at_numbers(plan, "step", ledger)
    for step in plan:
        ledger.rows_in += 1
        with guarded(builder, step.place):
            _step(step, builder)
    head: dict[str, Any] = _outcome(row, ledger)
    if not plan:
        head |= _words_alone(row, builder)
    note_twice(row, ledger)
    if plan:
        ledger.lose("pictures", "pictures: UFO's results have none", row.file)
    return builder.finish(
        Shelf(files).image,
        task=builder.task(_task(row, ledger)),
        app=row.text("app"),
        platform="windows",
        created_at=builder.untimed(None),
        **head,
    )


def _plan(row: Row) -> list[Row]:
    """The steps of the instantiated plan, with UFO's names for their fields."""
    inner = row
    for name in ("instantiation_result", "prefill", "result"):
        found = inner.row(name)
        if found is None:
            return []
        inner = found
    return [
        Row(data=_plain(step.data), file=step.file, line=step.line, at=step.at, twice=step.twice)
        for step in inner.rows("instantiated_plan")
    ]


def _plain(data: Mapping[str, Any]) -> dict[str, Any]:
    """ControlLabel, controlLabel and control_label alike."""
    return {key.lower().replace("_", "").replace(" ", ""): value for key, value in data.items()}


def _task(row: Row, ledger: Ledger) -> str:
    """The request as it was instantiated, else as it was first put."""
    inner: Row | None = row
    for name in ("instantiation_result", "prefill", "result"):
        inner = None if inner is None else inner.row(name)
    words = "" if inner is None else inner.text("instantiated_request")
    original = row.row("original")
    first = row.text("task") if original is None else original.text("original_task")
    if words and first and words != first:
        ledger.lose("original_task", "the task as it was first put: the instantiated request stands", row.file)
    return words or first


def _step(step: Row, builder: Builder) -> None:
    function, place, ledger = step.text("function").strip(), step.place, builder.ledger
    given, twice = unpacked(step.get("args"))
    args = object_in(given)
    if twice:
        step.twice.append(step.path("args"))
    subtask = step.text("subtask")
    if function.partition("(")[0] in _ON_DOCUMENTS:
        builder.note(f"{subtask} ({function} {args})".strip(), place)
        return
    said = {
        "function": function,
        "args": args,
        "control_label": step.text("controllabel"),
        "control_name": step.text("controltext") or step.text("matchedcontroltext"),
        "subtask": subtask,
    }
    actions = actions_of(action_in(step, "function", said, dialect="ufo", scene=Scene(space="fraction")), ledger, place)
    if said["control_label"] or said["control_name"]:
        ledger.assume("controls", "controls are named by label and text; no box of them is known", place)
    if function.endswith("_on_coordinates"):
        why = "places are fractions of a window that is not known; they are taken as fractions of the screen"
        ledger.assume("window", why, place)
    if step.flag("success") is False:
        builder.pending.append("UFO says that this step could not be carried out.")
    builder.several(actions, before=None, where=place, note=subtask)
    ledger.assume("subtask", "the subtask is kept as a note of its step, not as a reason", place)


def _outcome(row: Row, ledger: Ledger) -> dict[str, Any]:
    execution = row.row("execution_result")
    result = None if execution is None else execution.row("result")
    if result is None:
        return {}
    complete = result.text("complete").strip().lower()
    if result.get("sub_scores"):
        ledger.lose("sub_scores", "sub-scores: a verdict on the demo needs more than UFO says", row.file)
    if complete not in {"yes", "no", "unsure", ""}:
        raise result.wrong("complete", f"it is {complete!r}, not yes, no or unsure")
    return {"outcome": _ENDS.get(complete), "outcome_reason": result.text("reason")}


def _words_alone(row: Row, builder: Builder) -> dict[str, Any]:
    """A task that nobody has done yet: its steps in words are what is missing."""
    original = row.row("original")
    steps, _ = unpacked(row.get("refined_steps") if original is None else original.get("original_steps"))
    words = [str(item) for item in list_in(steps)]
    ledger = builder.ledger
    ledger.rows_in += len(words)
    ledger.rows_noted += len(words)
    why = "the source has steps in words only; they stand in what is missing from the demo, and it has no steps"
    ledger.assume("words_alone", why, row.file)
    listed = " ".join(f"{number}. {word.rstrip('.')}." for number, word in enumerate(words, start=1))
    return {"status": "partial", "missing": f"Nothing was recorded; this is a plan in words. {listed}".strip()}


IMPORTER: Final = Importer(
    name="ufo",
    title="UFO results and tasks",
    files="*.json with instantiation_result, or with task and refined_steps",
    before="nowhere: the format has no pictures",
    sniff=sniff,
    read=read,
)
