"""AgentNet / OpenCUA: one line for each demo, PyAutoGUI calls with fractions of the picture."""

from __future__ import annotations

from typing import Any, Final

from demopack.codecs.code_calls import code_calls
from demopack.codecs.files.base import ImportOptions, json_lines
from demopack.codecs.files.builder import DemoBuilder, demo_id, file_importer
from demopack.codecs.files.json_object import JsonObject
from demopack.codecs.files.source import SourceFiles
from demopack.codecs.observation import Observation
from demopack.domain.verdicts import Answer, StepVerdict
from demopack.errors import ActionError
from demopack.json_text import as_list, object_in

_POINTING: Final = frozenset(
    {"click", "leftClick", "doubleClick", "tripleClick", "rightClick", "middleClick", "moveTo", "dragTo"}
)
_SCORES: Final = ("alignment_score", "efficiency_score", "task_difficulty")
_HINT: Final = "AgentNet writes fractions 0..1. Say what these are: --coordinates percent, thousand or pixels."


def _is_ours(files: SourceFiles, name: str) -> bool:
    """Whether the first line has a list of steps called ``traj``; also where it is no JSON, which is told."""
    found = files.peek(name)
    if found is None:
        return name.endswith(".jsonl") and files.holds(name, (b'"traj"',))
    return "traj" in object_in(found)


def _demo(row: JsonObject, builder: DemoBuilder) -> dict[str, Any]:
    steps = row.rows("traj")
    if not steps:
        raise row.wrong("traj", "it has no steps", code="no_steps")
    builder.demo = demo_id("agentnet", row.text("task_id"), repr(sorted(row.data.items())))
    log = builder.log
    builder.note_gaps(steps, "index")
    way = _way_of(steps, builder.options)
    for step in steps:
        log.rows_in += 1
        with builder.guarded(step.place):
            _step(step, builder, way)
    builder.follow()
    words = row.text("instruction")
    if not words and row.text("natural_language_task"):
        log.assume("task_words", "the instruction is missing; natural_language_task stands for it", row.place)
        words = row.text("natural_language_task")
    for name in (*_SCORES, "actual_task"):
        if row.get(name) is not None:
            log.lose(name, f"{name}: a verdict on the demo needs more than AgentNet says", row.place)
    done = row.flag("task_completed")
    outcome = None if done is None else "success" if done else "failure"
    return {"task": words, "outcome": outcome, "outcome_reason": row.text("reason")}


def _way_of(steps: list[JsonObject], options: ImportOptions) -> str:
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
    return "\n".join(str(line) for line in as_list(code)) if isinstance(code, list) else str(code or "")


def _step(step: JsonObject, builder: DemoBuilder, way: str) -> None:
    value = step.row("value")
    if value is None:
        raise step.wrong("value", "it is missing", code="no_value")
    code = _code_text(value.get("code"))
    if not code.strip():
        raise value.wrong("code", "there is no call in it", code="no_action")
    before = builder.picture(step, "image")
    log = builder.log
    observation = Observation(size=builder.units(otherwise=way, frame=before, where=step.place), space="pixels")
    actions = builder.decode(value, "code", code, dialect="agentnet", observation=observation, where=step.place)
    builder.several(
        actions,
        before=before,
        where=step.place,
        rationale=builder.rationale(value.text("thought"), observation=value.text("observation")),
        verdict=_verdict(value, builder),
    )
    if value.text("thought"):
        log.assume("no_hindsight", "thoughts are taken to be written without knowing what came of the step", step.place)
    if value.text("action"):
        log.lose("action_words", "the action in words: ours are made from the action", step.place)


def _verdict(value: JsonObject, builder: DemoBuilder) -> StepVerdict | None:
    """The verdict of OpenCUA's reflector; it speaks of the step itself, whose screens before and after it saw."""
    correct, redundant = value.flag("last_step_correct"), value.flag("last_step_redundant")
    reflection = value.text("reflection")
    if correct is None and redundant is None and not reflection:
        return None
    why = "last_step_correct, last_step_redundant and reflection are taken to speak of the step they stand in"
    builder.log.assume("verdicts", why, value.place)
    return StepVerdict(
        correct=_answer(correct), redundant=_answer(redundant), reflection=reflection, provenance=builder.provenance()
    )


def _answer(value: bool | None) -> Answer | None:  # noqa: FBT001 - JSON's own three values
    return None if value is None else "yes" if value else "no"


IMPORTER: Final = file_importer(
    name="agentnet",
    title="AgentNet / OpenCUA",
    files="*.jsonl with traj, the pictures beside it or in images/",
    before="the picture that each step names",
    ending=".jsonl",
    is_ours=_is_ours,
    rows=json_lines,
    demo=_demo,
)
