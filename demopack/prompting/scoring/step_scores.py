"""Goes through a pack demo by demo and judges the answers to its steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from demopack.codecs.catalogue import decode_answer
from demopack.codecs.expected_action import AnswerTarget, ExpectedAction, answer_target, expected_action, status_of
from demopack.codecs.recorded_demo import DemoSource, RecordedDemo, RecordedStep
from demopack.domain.actions import ActionTarget, LLMResponse
from demopack.errors import ActionError
from demopack.jobs import JobControl
from demopack.prompting.scoring.answer_verdict import AnswerVerdict, judge_action
from demopack.prompting.scoring.metrics import MetricCounts, MetricGroup, ScoreReport, figures
from demopack.prompting.scoring.predictions import Alternatives, Answer, Predictions


@dataclass(frozen=True, slots=True, kw_only=True)
class StepScore:
    """How the answer to one step did.

    Attributes:
        step: as recorded.
        truth: what was right.
        responses: what the answer said, in order; empty where there is none or it cannot be read.
        verdict: of the first of them; None where there is none.
        status: whether it says the right thing about the task.
        problem: why the answer cannot be read, or that there is none; empty for a good one.
        code: of that mistake; empty where there is no answer, and for a good one.
        unanswered: whether there is none.
    """

    step: RecordedStep
    truth: ExpectedAction
    responses: Sequence[LLMResponse]
    verdict: AnswerVerdict | None
    status: bool
    problem: str = ""
    code: str = ""
    unanswered: bool = False

    @property
    def right(self) -> bool:
        """Object, operation and status are right."""
        return self.verdict is not None and self.verdict.right and self.status


def score(
    predictions: Predictions,
    demos: DemoSource,
    *,
    pack: str,
    dialect: str = "llmresponse",
    alternatives: Alternatives | None = None,
    seed: int = 0,
    on_failure: Callable[[RecordedDemo, StepScore], None] | None = None,
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
        on_failure: is told every step that is not right.
        control: progress and cancel.

    Raises:
        PackError: the pack cannot be read.
        BadInputError: there is no such dialect.
        CancelledError: it was cancelled.
    """
    control = control or JobControl()
    tasks: list[MetricCounts] = []
    by_action: dict[str, list[MetricCounts]] = {}
    by_app: dict[str, list[MetricCounts]] = {}
    unreadable: Counter[str] = Counter()
    answered = 0
    for done, demo in enumerate(demos.demos()):
        control.step(done, demos.total, f"Scoring {demo.head.id}")
        scores: list[StepScore] = []
        for number, step in enumerate(demo.steps):
            if step.implied:
                continue
            answer = predictions.of(step.demo, step.recorded.id, step.index)
            right = (alternatives or {}).get(step.recorded.id, ())
            one = score_step(demo, number, answer, dialect=dialect, alternatives=right)
            is_end = one.truth.action.action_type == "finish_goal"
            if is_end and one.unanswered and scores and _says_the_end(scores[-1]):
                scores[-1], one = _divided(scores[-1], one)
            scores.append(one)
        unreadable.update(one.code for one in scores if one.code)
        whole = _task_counts(scores)
        tasks.append(whole)
        by_app.setdefault(demo.head.app or "unknown", []).append(whole)
        kinds = [one.truth.action.action_type for one in scores]
        for kind in set(kinds):
            some = [one for one, its in zip(scores, kinds, strict=True) if its == kind]
            by_action.setdefault(kind, []).append(_counts(some))
        answered += sum(bool(one.responses) for one in scores)
        for one in scores:
            if not one.right and on_failure is not None:
                on_failure(demo, one)
    return ScoreReport(
        predictions=predictions.name,
        pack=pack,
        dialect=dialect,
        tasks=len(tasks),
        steps=_steps(tasks),
        answered=answered,
        unreadable=dict(sorted(unreadable.items())),
        unused=len(predictions.answers) - len(predictions.used),
        figures=figures(tasks, seed=seed),
        by_action=_groups(by_action, seed),
        by_app=_groups(by_app, seed),
        seed=seed,
    )


def _steps(tasks: Sequence[MetricCounts]) -> int:
    """How many steps were judged: each of them for its type of action."""
    return sum(task["kind"][1] for task in tasks)


def _groups(counts: Mapping[str, list[MetricCounts]], seed: int) -> list[MetricGroup]:
    return [
        MetricGroup(name=name, steps=_steps(found), figures=figures(found, seed=seed))
        for name, found in sorted(counts.items())
    ]


def score_step(
    demo: RecordedDemo,
    number: int,
    answer: Answer | None,
    *,
    dialect: str = "llmresponse",
    alternatives: Sequence[ActionTarget] = (),
) -> StepScore:
    """Hold one answer against one step.

    Args:
        demo: as recorded.
        number: of the step, from 0.
        answer: None where there is none, which counts as wrong.
        dialect: of an answer that does not say its own.
        alternatives: further targets that are right, beside those that the pack itself names.

    Raises:
        BadInputError: there is no such dialect.
    """
    step, truth = demo.steps[number], expected_action(demo, number, alternatives)
    responses, problem, code = list[LLMResponse](), "" if answer is not None else "There is no answer.", ""
    if answer is not None:
        sent = replace(step.observation, size=answer.size or step.observation.size, space=answer.space)
        try:
            read = [decode_answer(part, dialect=answer.dialect or dialect, observation=sent) for part in answer.parts]
            responses = [response for one in read for response in one.responses]
        except ActionError as error:
            problem, code = str(error), error.code
        else:
            if not responses:
                problem, code = "The answer does nothing.", "nothing_to_do"
    return StepScore(
        step=step,
        truth=truth,
        responses=responses,
        verdict=judge_action(responses[0].action, truth) if responses else None,
        status=bool(responses) and status_of(responses) in truth.statuses,
        problem=problem,
        code=code,
        unanswered=answer is None,
    )


def _says_the_end(score: StepScore) -> bool:
    """Whether an answer did something and said with it that the task is done, as LAM does."""
    return len(score.responses) > 1 and score.responses[-1].action.action_type == "finish_goal"


def _divided(score: StepScore, end: StepScore) -> tuple[StepScore, StepScore]:
    """What such an answer says about its own step, and about the end, which has no answer of its own."""
    *own, last = score.responses
    verdict = judge_action(last.action, end.truth)
    status = status_of([last]) in end.truth.statuses
    return replace(score, responses=own), replace(end, responses=[last], verdict=verdict, status=status, problem="")


def _task_counts(scores: Sequence[StepScore]) -> MetricCounts:
    matched, given = _matched(scores)
    return {
        **_counts(scores),
        "task": (int(all(one.right for one in scores)), 1),
        "precision": (matched, given),
        "recall": (matched, len(scores)),
    }


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
    given: list[tuple[LLMResponse, AnswerTarget | None, AnswerTarget | None]] = []
    for one in scores:
        for response in one.responses:
            action = response.action
            aim = answer_target(action.target, one.truth.elements, one.truth.size)
            given.append((response, aim, answer_target(action.end, one.truth.elements, one.truth.size)))
    best = [0] * (len(scores) + 1)
    for response, aim, end in given:
        above = best[:]
        for j, one in enumerate(scores, start=1):
            same = judge_action(response.action, one.truth, aim=aim, end=end).right
            best[j] = above[j - 1] + 1 if same else max(above[j], best[j - 1])
    return best[-1], len(given)
