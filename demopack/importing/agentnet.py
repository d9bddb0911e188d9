"""AgentNet / OpenCUA: one line for each demo, PyAutoGUI calls with fractions of the picture."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, Literal

from demopack.domain.verdicts import Answer, StepVerdict
from demopack.errors import ActionError
from demopack.importing.building import Builder, Imported, ImportOptions, demo_id
from demopack.importing.errors import BadRowError
from demopack.importing.files import Files
from demopack.importing.importer import Importer, Skipped, rows_of_lines
from demopack.importing.pictures import Shelf
from demopack.importing.reading import action_in, actions_of, guarded, look_at_numbers, note_twice, picture_of, units
from demopack.importing.report import Ledger
from demopack.importing.values import Row, list_in
from demopack.json_text import parse_json
from demopack.prompting.answers.code import code_calls
from demopack.prompting.scene import Scene

__all__ = ["IMPORTER"]

_POINTING: Final = frozenset(
    {"click", "leftClick", "doubleClick", "tripleClick", "rightClick", "middleClick", "moveTo", "dragTo"}
)
_SCORES: Final = ("alignment_score", "efficiency_score", "task_difficulty")
_HINT: Final = "AgentNet writes fractions 0..1. Say what these are: --coordinates percent, thousand or pixels."


def sniff(files: Files) -> bool:
    """Whether a line of a JSON Lines file has a list of steps called ``traj``."""
    return any(_is_ours(files, name) for name in files.tables if name.endswith(".jsonl"))


def _is_ours(files: Files, name: str) -> bool:
    try:
        first = next(files.lines(name), (0, ""))[1]
        value = parse_json(first)
    except (BadRowError, ValueError):
        return False
    return isinstance(value, dict) and "traj" in value


def read(files: Files, options: ImportOptions, skipped: Skipped) -> Iterator[Imported]:
    """Every line as a demo.

    Raises:
        BadRowError: a line, a step or a picture is bad; with ``skip_bad`` it is counted instead.
    """
    for name in files.tables:
        if name.endswith(".jsonl") and (files.only or _is_ours(files, name)):
            files.taken.add(name)
            for row in rows_of_lines(files, name, skipped):
                with skipped.guarding(row.place):
                    yield _demo(row, files, options)


def _demo(row: Row, files: Files, options: ImportOptions) -> Imported:
    shelf = Shelf(files)
    steps = row.rows("traj")
    if not steps:
        raise row.wrong("traj", "it has no steps", code="no_steps")
    ident = demo_id("agentnet", row.text("task_id"), repr(sorted(row.data.items())))
    ledger = Ledger(f"{row.file}, line {row.line}")
    builder = Builder(title=IMPORTER.title, demo=ident, ledger=ledger, options=options)
    look_at_numbers(steps, "index", ledger)
    way = _way_of(steps, options)
    for step in steps:
        ledger.rows_in += 1
        with guarded(builder, step.place):
            _step(step, shelf, builder, way)
    note_twice(row, ledger)
    builder.follow()
    words = row.text("instruction")
    if not words and row.text("natural_language_task"):
        ledger.assume("task_words", "the instruction is missing; natural_language_task stands for it", row.place)
        words = row.text("natural_language_task")
    for name in (*_SCORES, "actual_task"):
        if row.get(name) is not None:
            ledger.lose(name, f"{name}: a verdict on the demo needs more than AgentNet says", row.place)
    return builder.finish(
        shelf.image,
        task=builder.task(words),
        created_at=builder.untimed(None),
        outcome=_outcome(row),
        outcome_reason=row.text("reason"),
        final_frame=None,
    )


def _outcome(row: Row) -> Literal["success", "failure"] | None:
    done = row.flag("task_completed")
    return None if done is None else "success" if done else "failure"


def _way_of(steps: list[Row], options: ImportOptions) -> str:
    """Fractions, unless a number says that they cannot be: then the person has to say.

    Raises:
        BadRowError: a place is beyond 1.
    """
    if options.coordinates != "auto":
        return options.coordinates
    for step in steps:
        value = step.row("value") or step
        for number in _numbers(value.get("code")):
            if number > 1:
                raise value.wrong("code", f"the place {number:g} is no fraction of a picture", code="scale", hint=_HINT)
    return "fractions"


def _numbers(code: Any) -> list[float]:  # noqa: ANN401 - any JSON value
    try:
        calls = code_calls(_code_text(code))
    except ActionError:
        return []  # told when the step itself is read
    found: list[object] = []
    for call in calls:
        found += [call.named.get("x"), call.named.get("y")]
        found += call.args[:2] if call.name.rpartition(".")[2] in _POINTING else ()
    return [float(n) for n in found if isinstance(n, (int, float)) and not isinstance(n, bool)]


def _code_text(code: Any) -> str:  # noqa: ANN401 - any JSON value
    return "\n".join(str(line) for line in list_in(code)) if isinstance(code, list) else str(code or "")


def _step(step: Row, shelf: Shelf, builder: Builder, way: str) -> None:
    value = step.row("value")
    if value is None:
        raise step.wrong("value", "it is missing", code="no_value")
    code = _code_text(value.get("code"))
    if not code.strip():
        raise value.wrong("code", "there is no call in it", code="no_action")
    before = picture_of(shelf, step, "image", step.text("image"), builder)
    options, ledger = builder.options, builder.ledger
    size = units(options, otherwise=way, frame=None if before is None else before.size, ledger=ledger, where=step.place)
    parsed = action_in(value, "code", code, dialect="agentnet", scene=Scene(size=size, space="pixels"))
    builder.several(
        actions_of(parsed, ledger, step.place),
        before=before,
        where=step.place,
        rationale=builder.rationale(value.text("thought"), observation=value.text("observation")),
        verdict=_verdict(value, builder),
    )
    if value.text("thought"):
        ledger.assume(
            "no_hindsight", "thoughts are taken to be written without knowing what came of the step", step.place
        )
    if value.text("action"):
        ledger.lose("action_words", "the action in words: ours are made from the action", step.place)


def _verdict(value: Row, builder: Builder) -> StepVerdict | None:
    """What OpenCUA's reflector said; it speaks of the step itself, whose screens before and after it saw."""
    correct, redundant = value.flag("last_step_correct"), value.flag("last_step_redundant")
    reflection = value.text("reflection")
    if correct is None and redundant is None and not reflection:
        return None
    why = "last_step_correct, last_step_redundant and reflection are taken to speak of the step they stand in"
    builder.ledger.assume("verdicts", why, value.place)
    return StepVerdict(
        correct=_answer(correct), redundant=_answer(redundant), reflection=reflection, provenance=builder.provenance()
    )


def _answer(value: bool | None) -> Answer | None:  # noqa: FBT001 - JSON's own three values
    return None if value is None else "yes" if value else "no"


IMPORTER: Final = Importer(
    name="agentnet",
    title="AgentNet / OpenCUA",
    files="*.jsonl with traj, the pictures beside it or in images/",
    before="the picture that each step names",
    sniff=sniff,
    read=read,
)
