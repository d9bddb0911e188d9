"""UFO's dataflow: one result file for each demo, filed by how it ended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from demopack.codecs import ufo
from demopack.codecs.losses import Loss
from demopack.codecs.observation import Observation
from demopack.codecs.output import encode_step
from demopack.codecs.recorded_demo import RecordedDemo, RecordedStep
from demopack.codecs.sets.base import Format, FormatWriter
from demopack.codecs.sets.questions import demo_name
from demopack.codecs.ufo_results import named, outdated, sub_scores_in
from demopack.domain.demos import DemoHead
from demopack.domain.labels import told_name
from demopack.domain.verdicts import Answer
from demopack.errors import ActionError
from demopack.json_text import object_in

_FOLDERS: Final[dict[Answer, str]] = {"yes": "pass", "no": "fail", "unsure": "unsure"}
_SUCCESS: Final[dict[Answer, bool | None]] = {"yes": True, "no": False, "unsure": None}


class _Dataflow(FormatWriter):
    note = (
        "What nobody said is null: templates, times and feasibility are the source's where a demo came from UFO. "
        "Success is false where a judge found the step wrong. Complete is what a judge said, else the person."
    )

    def add(self, demo: RecordedDemo) -> None:
        rows = (row for step in demo.steps for row in self._rows(demo, step))
        plan = [{"Step": 0, **row} | {"Step": number} for number, row in enumerate(rows, start=1)]
        folder = _FOLDERS[demo.head.done]
        self.output.json(f"dataflow/execution_{folder}/{demo_name(demo)}.json", self._result(demo, plan))

    def _rows(self, demo: RecordedDemo, step: RecordedStep) -> Iterator[dict[str, Any]]:
        """The plan's rows of a step: those of an imported plan as long as the step still says the same."""
        own: dict[str, Any] | None = None
        after: list[dict[str, Any]] = []
        for row in _source(demo.head)[1].get(step.recorded.id, ()):
            if str(row.get("Function")).strip().partition("(")[0] in ufo.ON_DOCUMENTS:
                # What UFO did to the document is no step of ours; it stays where it was.
                if own is None:
                    yield row
                else:
                    after.append(row)
            else:
                own = row
        if own is not None and _says(own, step):
            self.output.rows_out += 1
            yield own | _success(step, said=own.get("Success"))
        elif step.ends:
            # The verdict says it; a plan has no step for it.
            self.output.rows_out += 1
        else:
            encoded = encode_step(self.output, ufo.CODEC, step)
            if encoded is not None:
                self.output.rows_out += 1
                for call in encoded.calls:
                    yield _row(step, call)
        yield from after

    def _result(self, demo: RecordedDemo, plan: Sequence[dict[str, Any]]) -> dict[str, Any]:
        head, (said, _) = demo.head, _source(demo.head)
        complete, verdict = head.done, head.verdict
        made = object_in(said.get("instantiation_result"))
        # That it was done says that it can be done; UFO's own filter says it before.
        judged = {"judge": True, "thought": "The task was carried out.", "request_type": "None"}
        is_judged = complete == "yes" and "instantiation_evaluation" not in made
        times = [step.started_ms + step.duration_ms for step in demo.steps if step.started_ms is not None]
        seconds = round(max(times) / 1000, 3) if times else None
        fresh: dict[str, Any] = {
            "unique_id": head.id,
            "app": head.app,
            "original": {
                "original_task": head.task,
                "original_steps": [f"{row['Step']}. {row.get('Subtask', '')}" for row in plan],
            },
            "execution_result": {
                "result": {
                    "reason": head.outcome_reason if verdict is None else verdict.reason,
                    "sub_scores": named(() if verdict is None else verdict.sub_scores),
                    "complete": complete,
                },
                "error": None,
            },
            "instantiation_result": {
                "choose_template": {"result": None, "error": None},
                "prefill": {
                    "result": {"instantiated_request": head.task, "instantiated_plan": list(plan)},
                    "error": None,
                },
                "instantiation_evaluation": {"result": judged if is_judged else None, "error": None},
            },
            "time_cost": {
                "choose_template": None,
                "prefill": None,
                "instantiation_evaluation": None,
                "execute": seconds,
                "execute_eval": None,
                "total": seconds,
            },
        }
        return _joined(fresh, _standing(said, head, fresh, has_plan=bool(plan)))


def _source(head: DemoHead) -> tuple[dict[str, Any], dict[str, tuple[dict[str, Any], ...]]]:
    """What the result of UFO says that the demo came from, and its rows by step; nothing for other demos."""
    origin = head.origin
    return ({}, {}) if origin is None or origin.format != "ufo" else (origin.said, origin.steps)


def _says(row: dict[str, Any], step: RecordedStep) -> bool:
    """Whether a row of an imported plan still says what the step does."""
    try:
        decoded = ufo.decode(dict(row), Observation(space="fraction"))
    except ActionError:
        return False
    return bool(decoded.responses) and decoded.responses[0].action.to_wire() == step.response.action.to_wire()


def _success(step: RecordedStep, *, said: object = True) -> dict[str, bool | None]:
    """What a judge said of the step; nothing where none was asked, or where it was no success anyhow."""
    verdict = step.recorded.verdict
    correct = None if verdict is None else verdict.correct
    return {} if correct is None or (said is not True and correct != "yes") else {"Success": _SUCCESS[correct]}


def _row(step: RecordedStep, call: dict[str, Any]) -> dict[str, Any]:
    placed = step.placed
    label, text = ufo.control_of(placed) or ("", "")
    if placed.target is not None:
        text = told_name(placed.target, placed.elements, reported=placed.reported)
    return {
        "Subtask": step.description,
        "ControlLabel": label or None,
        "ControlText": text,
        "Function": call["Function"],
        "Args": call["Args"],
        "Success": True,
        "MatchedControlText": text or None,
        **_success(step),
    }


def _standing(said: dict[str, Any], head: DemoHead, fresh: dict[str, Any], *, has_plan: bool) -> dict[str, Any]:
    """What the source said, without what somebody has said anew since: a verdict, or steps where there was no plan."""
    known = head.verdict is not None or head.outcome is not None
    anew = {"app": bool(head.app), "execution_result": known}
    standing = {name: value for name, value in said.items() if value is not None or not anew.get(name)}
    execution, made = object_in(said.get("execution_result")), object_in(said.get("instantiation_result"))
    prefill, result = object_in(made.get("prefill")), execution.get("result")
    if isinstance(result, dict):
        old = outdated(object_in(result), fresh["execution_result"]["result"])
        if head.verdict is not None and sub_scores_in(object_in(result).get("sub_scores")) is None:
            old.add("sub_scores")
        execution = {**execution, "result": {k: v for k, v in object_in(result).items() if k not in old}}
    elif result is None and known and not (execution.get("error") and head.outcome == "failure"):
        execution = {key: value for key, value in execution.items() if key != "result"}
    inner = object_in(prefill.get("result"))
    if has_plan and prefill.get("result") is None:
        prefill = {key: value for key, value in prefill.items() if key != "result"}
    elif "instantiated_request" in inner and head.task != object_in(said.get("original")).get("original_task"):
        prefill = {**prefill, "result": {k: v for k, v in inner.items() if k != "instantiated_request"}}
    return {
        **standing,
        **({"execution_result": execution} if execution else {}),
        **({"instantiation_result": {**made, "prefill": prefill}} if prefill else {}),
    }


def _joined(fresh: dict[str, Any], said: dict[str, Any]) -> dict[str, Any]:
    """The fields of both; where both have one, what was said stands."""
    both = {
        key: _joined(fresh[key], object_in(value))
        if isinstance(fresh.get(key), dict) and isinstance(value, dict)
        else value
        for key, value in said.items()
    }
    return {**fresh, **both}


FORMAT: Final = Format(
    name="ufo",
    title="UFO dataflow results",
    files="dataflow/execution_pass/*.json, or execution_fail, execution_unsure",
    reads="UFO's dataflow",
    about="A result a demo as UFO's dataflow leaves them, in folders by how it ended.",
    load=(
        "import json\n"
        "from pathlib import Path\n"
        "\n"
        'results = [json.loads(file.read_bytes()) for file in Path("FOLDER/dataflow").rglob("*.json")]'
    ),
    writer=_Dataflow,
    units=("episode",),
    dialect="ufo",
    losses=(
        Loss("picture", "the pictures", "a result holds text alone"),
        Loss("reasoning", "the reasons of steps", "a plan's step has no field for them"),
        Loss("field_text", "what a field holds that has a label", "Windows calls a control by its label"),
    ),
)
