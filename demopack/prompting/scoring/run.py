"""Goes through a pack demo by demo and judges the answers to its steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from demopack.domain.actions import ActionTarget, LLMResponse, parse_response
from demopack.domain.geometry import Size
from demopack.errors import ActionError
from demopack.jobs import JobControl, Progress
from demopack.pack.rows import StepRow
from demopack.pack.stream import DemoRows, DemoSource
from demopack.prompting.answers.read import parse_answer
from demopack.prompting.scene import Scene, scene_before
from demopack.prompting.scoring.metrics import Counts, Group, ScoreReport, figures
from demopack.prompting.scoring.predictions import Alternatives, Answer, Predictions
from demopack.prompting.scoring.steps import Truth, Verdict, judge_action, status_of
from demopack.prompting.scoring.targets import Aim, aim_of, goals_of

__all__ = ["Reader", "StepScore", "score"]

Reader = Callable[[str | dict[str, Any], str, Scene], Sequence[LLMResponse]]
"""Answer, dialect and screen -> what is to be done, in order; raises ActionError where it cannot be read."""


def _read(answer: str | dict[str, Any], dialect: str, scene: Scene) -> Sequence[LLMResponse]:
    return parse_answer(answer, dialect=dialect, scene=scene).responses


@dataclass(frozen=True, slots=True, kw_only=True)
class StepScore:
    """How the answer to one step did.

    Attributes:
        row: the step as recorded.
        truth: what was right.
        responses: what the answer said, in order; empty where there is none or it cannot be read.
        verdict: of the first of them; None where there is none.
        status: whether it says the right thing about the task.
        problem: why the answer cannot be read, or that there is none; empty for a good one.
    """

    row: StepRow
    truth: Truth
    responses: Sequence[LLMResponse]
    verdict: Verdict | None
    status: bool
    problem: str = ""

    @property
    def right(self) -> bool:
        """Object, operation and status are right."""
        return self.verdict is not None and self.verdict.right and self.status


@dataclass(slots=True)
class _Sum:
    """What adds up over the demos."""

    tasks: list[Counts] = field(default_factory=list[Counts])
    by_action: dict[str, list[Counts]] = field(default_factory=dict[str, list[Counts]])
    by_app: dict[str, list[Counts]] = field(default_factory=dict[str, list[Counts]])
    steps: Counter[str] = field(default_factory=Counter[str])
    unreadable: Counter[str] = field(default_factory=Counter[str])
    answered: int = 0


def score(
    predictions: Predictions,
    demos: DemoSource,
    *,
    pack: str,
    dialect: str = "llmresponse",
    alternatives: Alternatives | None = None,
    seed: int = 0,
    read: Reader = _read,
    on_failure: Callable[[DemoRows, StepScore], None] | None = None,
    control: JobControl | None = None,
) -> ScoreReport:
    """Hold answers against the steps of a pack. A step without an answer counts as wrong.

    Args:
        predictions: the answers.
        demos: the pack.
        pack: its name, for the report.
        dialect: of answers that do not say their own.
        alternatives: step id -> further targets that are right, beside those that the pack itself names.
        seed: of the intervals.
        read: reads one answer.
        on_failure: is told every step that is not right.
        control: progress and cancel.

    Raises:
        PackError: the pack cannot be read.
        BadInputError: there is no such dialect.
        CancelledError: it was cancelled.
    """
    control = control or JobControl()
    total = _Sum()
    for done, demo in enumerate(demos.demos()):
        control.token.check()
        control.report(Progress(done=done, total=demos.total, text=f"Scoring {demo.head.demo}"))
        scores = [
            _judge(demo, number, predictions, dialect, alternatives or {}, read, total.unreadable)
            for number in range(len(demo.steps))
        ]
        _add(total, demo, scores)
        for one in scores:
            if not one.right and on_failure is not None:
                on_failure(demo, one)
    steps = sum(total.steps[f"app:{name}"] for name in total.by_app)
    return ScoreReport(
        predictions=predictions.name,
        pack=pack,
        dialect=dialect,
        tasks=len(total.tasks),
        steps=steps,
        answered=total.answered,
        unreadable=dict(sorted(total.unreadable.items())),
        unused=predictions.total - len(predictions.used),
        figures=figures(total.tasks, seed=seed),
        by_action=_groups(total.by_action, total.steps, "action", seed),
        by_app=_groups(total.by_app, total.steps, "app", seed),
        seed=seed,
    )


def _groups(counts: Mapping[str, list[Counts]], steps: Counter[str], what: str, seed: int) -> list[Group]:
    return [
        Group(name=name, steps=steps[f"{what}:{name}"], figures=figures(counts[name], seed=seed))
        for name in sorted(counts)
    ]


def _judge(
    demo: DemoRows,
    number: int,
    predictions: Predictions,
    dialect: str,
    alternatives: Alternatives,
    read: Reader,
    unreadable: Counter[str],
) -> StepScore:
    row = demo.steps[number]
    truth = _truth(demo, number, alternatives)
    answer = predictions.of(row.demo, row.step, row.index)
    if answer is None:
        return StepScore(row=row, truth=truth, responses=(), verdict=None, status=False, problem="There is no answer.")
    try:
        responses = _responses(answer, dialect, scene_before(row, demo), read)
    except ActionError as error:
        unreadable[error.code] += 1
        return StepScore(row=row, truth=truth, responses=(), verdict=None, status=False, problem=str(error))
    if not responses:
        unreadable["nothing_to_do"] += 1
        return StepScore(
            row=row, truth=truth, responses=(), verdict=None, status=False, problem="The answer does nothing."
        )
    return StepScore(
        row=row,
        truth=truth,
        responses=responses,
        verdict=judge_action(responses[0].action, truth),
        status=status_of(responses) in truth.statuses,
    )


def _responses(answer: Answer, dialect: str, scene: Scene, read: Reader) -> list[LLMResponse]:
    if answer.size is not None:
        scene = replace(scene, size=answer.size)
    return [response for part in answer.parts for response in read(part, answer.dialect or dialect, scene)]


def _truth(demo: DemoRows, number: int, alternatives: Alternatives) -> Truth:
    row = demo.steps[number]
    response = parse_response(row.response)
    action = response.action
    elements = [one for one in demo.on(row) if one.element_id is not None]
    size = None if row.image_size is None else Size(row.image_size[0], row.image_size[1])
    statuses = {status_of([response])}
    if number + 1 < len(demo.steps):
        following = parse_response(demo.steps[number + 1].response)
        # Some vocabularies say with the last action that the task is done, others after it.
        statuses.add(status_of([following]))
    own = [ActionTarget.model_validate(one.target) for one in row.alternatives]
    goals = goals_of(action.target, row.target_uid, [*own, *alternatives.get(row.step, ())], elements, size)
    return Truth(
        action=action,
        goals=goals,
        ends=goals_of(action.end_target, row.end_uid, (), elements, size),
        elements=elements,
        size=size,
        statuses=frozenset(statuses),
    )


def _add(total: _Sum, demo: DemoRows, scores: Sequence[StepScore]) -> None:
    whole = {**_counts(scores), "task": (int(all(one.right for one in scores)), 1)}
    matched, given = _matched(scores)
    whole["precision"] = (matched, given)
    whole["recall"] = (matched, len(scores))
    total.tasks.append(whole)
    total.answered += sum(bool(one.responses) for one in scores)
    by_action: dict[str, list[StepScore]] = {}
    for one in scores:
        by_action.setdefault(one.truth.action.action_type, []).append(one)
    for name, some in by_action.items():
        total.by_action.setdefault(name, []).append(_counts(some))
        total.steps[f"action:{name}"] += len(some)
    app = demo.head.app or "unknown"
    total.by_app.setdefault(app, []).append(whole)
    total.steps[f"app:{app}"] += len(scores)


def _counts(scores: Sequence[StepScore]) -> dict[str, tuple[int, int]]:
    verdicts = [one.verdict for one in scores]
    objects = [
        one.verdict is not None and one.verdict.object is True
        for one in scores
        if (one.truth.goals and one.truth.action.action_type in {"click", "hover", "drag"})
        or (one.verdict is not None and one.verdict.object is not None)
    ]
    inside = [one.inside for one in verdicts if one is not None and one.inside is not None]
    return {
        "object": (sum(objects), len(objects)),
        "kind": (sum(one is not None and one.kind for one in verdicts), len(scores)),
        "operation": (sum(one is not None and one.operation for one in verdicts), len(scores)),
        "status": (sum(one.status for one in scores), len(scores)),
        "step": (sum(one.right for one in scores), len(scores)),
        "inside": (sum(inside), len(inside)),
    }


def _matched(scores: Sequence[StepScore]) -> tuple[int, int]:
    """How many of the answered actions are the task's, in its order (longest common subsequence), and of how many."""
    given: list[tuple[LLMResponse, Aim | None, Aim | None]] = []
    for one in scores:
        for response in one.responses:
            action = response.action
            aim = aim_of(action.target, one.truth.elements, one.truth.size)
            given.append((response, aim, aim_of(action.end_target, one.truth.elements, one.truth.size)))
    best = [0] * (len(scores) + 1)
    for response, aim, end in given:
        above = best[:]
        for j, one in enumerate(scores, start=1):
            same = judge_action(response.action, one.truth, aim=aim, end=end).right
            best[j] = above[j - 1] + 1 if same else max(above[j], best[j - 1])
    return best[-1], len(given)
