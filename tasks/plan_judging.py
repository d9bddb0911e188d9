"""Judges plans against reference plans (Appendix D of the LAM paper): task success, step precision, step recall."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import Field, model_validator

from demopack.codecs.tasks.records import numbered
from demopack.domain.records import Record
from demopack.domain.words import counted
from demopack.jobs import JobControl
from demopack.prompting.scoring.predictions import TaskAnswer, read_task_answers
from models.language.port import LanguageError, LanguageRequest
from models.language.prompts import PromptCatalogue
from tasks.answer_checks import clean_steps
from tasks.asking import AskingReport, Job, JobResult, ask_right, run_jobs
from tasks.bank import TaskBank
from tasks.writing import Line, TaskWriter

_NUMBERED: Final = re.compile(r"^\s*\d+\s*[.):]\s+")
_THOUGHT: Final = re.compile(r"^\s*<think>.*?(?:</think>|$)", re.DOTALL)
_MOST_ITEMS: Final = 6
"""Of a step."""
RULES: Final = "plan-rules-1"
"""Who judges where no model is asked."""


class PlanComparison(Record):
    """What a model says about two plans; numbers instead of pairs of texts, so that nothing is counted by it."""

    first_solves: Literal["yes", "no"] = Field(description="Whether plan 1 does the task.")
    second_solves: Literal["yes", "no"] = Field(description="Whether plan 2 does the task.")
    first_items: tuple[Line, ...] = Field(description="The actions of plan 1, in order.")
    second_items: tuple[Line, ...] = Field(description="The actions of plan 2, in order.")
    similar_first: tuple[int, ...] = Field(description="Items of plan 1 that have a partner, counted from 1.")
    similar_second: tuple[int, ...] = Field(description="For each of these the number of its partner in plan 2.")
    better: Literal["first", "second"] = Field(description="Which of the plans helps more.")
    reason: str = Field(description="Why.")

    @model_validator(mode="after")
    def _paired(self) -> PlanComparison:
        if len(self.similar_first) != len(self.similar_second):
            raise ValueError("similar_first and similar_second must have the same length")
        return self


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanScore:
    """One plan, as it was judged.

    Attributes:
        task_id: of the task.
        solves: whether it does the task.
        reference_solves: whether the reference plan does; None where nobody was asked.
        items: how many actions it has.
        reference_items: how many the reference has.
        matched: pairs of actions with the same aim, of each action at most one.
        better: whether it helps more than the reference; None where nobody was asked.
        reason: why.
        judge: the model, or :data:`RULES`.
    """

    task_id: str
    solves: bool
    reference_solves: bool | None = None
    items: int
    reference_items: int
    matched: int
    better: bool | None = None
    reason: str
    judge: str

    def to_json(self) -> dict[str, object]:
        """A line of the file of judged plans."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(slots=True, kw_only=True)
class PlanJudging:
    """What became of all plans.

    Attributes:
        scores: of those that were judged, in the order of the set.
        asking: what was asked, and what of it failed.
        unknown: answers to tasks that the set does not have.
    """

    scores: list[PlanScore] = field(default_factory=list[PlanScore])
    asking: AskingReport
    unknown: int = 0

    def figures(self) -> dict[str, float | None]:
        """The paper's three figures over all judged plans, and two that tell how far the judge is to be trusted.

        ``step_precision`` is matched actions of those of the plans, ``step_recall`` of those of the references;
        ``reference_success`` and ``better`` are of the plans that a model was asked about. None where there is nothing.
        """
        asked = [one for one in self.scores if one.reference_solves is not None]
        matched = sum(one.matched for one in self.scores)
        return {
            "task_success": _share(sum(one.solves for one in self.scores), len(self.scores)),
            "step_precision": _share(matched, sum(one.items for one in self.scores)),
            "step_recall": _share(matched, sum(one.reference_items for one in self.scores)),
            "reference_success": _share(sum(bool(one.reference_solves) for one in asked), len(asked)),
            "better": _share(sum(bool(one.better) for one in asked), len(asked)),
        }

    def to_json(self) -> dict[str, Any]:
        """For ``--json``."""
        plans = {"judged": len(self.scores), "unknown": self.unknown}
        return {**self.figures(), "plans": plans, **self.asking.to_json()}


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def judge_plans(
    answers: Path, references: Path, bank: TaskBank, writer: TaskWriter, *, control: JobControl
) -> PlanJudging:
    """Judge the plans that a model made against those of a set.

    A task of the set without an answer, or with one that has no steps, is not done, and a plan that is the reference
    word for word is right: nobody is asked about these.

    Args:
        answers: JSON Lines with ``task_id`` and ``answer`` (or what else :func:`read_task_answers` takes).
        references: likewise, a set that ``tasks export --form plans`` wrote: ``prompt`` is the question.
        bank: beside which answers are kept, so that none is paid for twice; nothing in it is changed.
        writer: who is asked.
        control: progress and cancelling.

    Raises:
        BadInputError: a file cannot be read, or a person's own prompt is broken.
        CancelledError: it was stopped; what was paid for is kept.
    """
    given = read_task_answers(answers)
    wanted = read_task_answers(references)
    found: dict[str, PlanScore] = {}
    asked: dict[str, tuple[TaskAnswer, tuple[str, ...], tuple[str, ...]]] = {}
    for name, reference in wanted.items():
        plan = steps_of(given[name].text) if name in given else ()
        right = steps_of(reference.text)
        if not plan or plan == right:
            found[name] = _by_rule(name, plan, right)
        else:
            asked[name] = (reference, plan, right)
    jobs = ((name, _judging(name, *of, writer, found)) for name, of in asked.items())
    report = run_jobs(
        bank, writer.port, jobs, total=len(asked), label="Judge plans", control=control, at_once=writer.at_once
    )
    scores = [found[name] for name in wanted if name in found]
    return PlanJudging(scores=scores, asking=report, unknown=len(given.keys() - wanted.keys()))


def _by_rule(name: str, plan: tuple[str, ...], right: tuple[str, ...]) -> PlanScore:
    same = bool(plan)
    return PlanScore(
        task_id=name, solves=same, items=len(plan), reference_items=len(right), matched=len(plan) if same else 0,
        reason="It is the reference plan." if same else "There is no plan.", judge=RULES,
    )  # fmt: skip


def steps_of(text: str) -> tuple[str, ...]:
    """The steps of a plan as a model wrote it: its numbered lines with what follows them, else every line."""
    lines = [line for line in _THOUGHT.sub("", text).splitlines() if line.strip()]
    if not any(_NUMBERED.match(line) for line in lines):
        return clean_steps(lines)
    steps: list[str] = []
    for line in lines:
        if found := _NUMBERED.match(line):
            steps.append(line[found.end() :])
        elif steps:
            steps[-1] += f" {line.strip()}"
    return clean_steps(steps)


def _judging(
    name: str,
    reference: TaskAnswer,
    plan: tuple[str, ...],
    right: tuple[str, ...],
    writer: TaskWriter,
    found: dict[str, PlanScore],
) -> Job:
    # Judges like what comes first: which plan that is must not be the same each time.
    is_first = hashlib.sha256(name.encode()).digest()[0] % 2 == 0
    pair = (plan, right) if is_first else (right, plan)
    try:
        answer = yield from ask_right(
            lambda wrong: plan_judge_question(name, reference.question, *pair, writer.catalogue, wrong=wrong),
            lambda reply: faults_of_comparison(reply, *pair),
        )
    except LanguageError as error:
        return JobResult(faults=(str(error),))
    said = answer.value
    solves, items = (said.first_solves, said.second_solves), (len(said.first_items), len(said.second_items))
    mine, other = (0, 1) if is_first else (1, 0)
    found[name] = PlanScore(
        task_id=name,
        solves=solves[mine] == "yes",
        reference_solves=solves[other] == "yes",
        items=items[mine],
        reference_items=items[other],
        matched=len(said.similar_first),
        better=said.better == ("first" if is_first else "second"),
        reason=said.reason,
        judge=answer.model or writer.port.name,
    )
    return JobResult()


def plan_judge_question(
    name: str,
    question: str,
    first: Sequence[str],
    second: Sequence[str],
    catalogue: PromptCatalogue,
    *,
    wrong: str = "",
) -> LanguageRequest[PlanComparison]:
    """What is asked about two plans; ``wrong`` is the last answer and its faults."""
    told: Mapping[str, str] = {
        "question": question or name,
        "first": "\n".join(numbered(first)),
        "second": "\n".join(numbered(second)),
        "findings": wrong,
    }
    template = catalogue.get("tasks/judge_plan")
    return template.fill(PlanComparison, told, pictures={}, max_tokens=2500, subject=f"tasks/{name}")


def faults_of_comparison(reply: PlanComparison, first: Sequence[str], second: Sequence[str]) -> list[str]:
    """What cannot be in an answer, in sentences for the model."""
    return [
        *_faults("first", reply.first_items, reply.similar_first, first),
        *_faults("second", reply.second_items, reply.similar_second, second),
    ]


def _faults(which: str, items: Sequence[str], similar: Sequence[int], steps: Sequence[str]) -> Iterator[str]:
    most = _MOST_ITEMS * len(steps)
    if not items or len(items) > most:
        there = f"{counted(len(items), 'item')} for {counted(len(steps), 'step')}"
        yield f"{which}_items has {there}; 1 to {most} are possible."
    for number in sorted(set(similar)):
        if not 1 <= number <= len(items):
            yield f"similar_{which} names item {number}; there are {len(items)}."
        elif similar.count(number) > 1:
            yield f"similar_{which} names item {number} several times; each item has at most one partner."


def score_lines(judged: PlanJudging) -> Iterator[str]:
    """The figures for a person."""
    words = {
        "task_success": "plans that do their task",
        "step_precision": "actions of the plans that the references have (precision)",
        "step_recall": "actions of the references that the plans have (recall)",
        "reference_success": "references that do their task, as the judge says",
        "better": "plans that help more than the reference",
    }
    for name, share in judged.figures().items():
        if share is not None:
            yield f"{share:8.1%}  {words[name]}"
    if judged.unknown:
        yield f"{judged.unknown:8}  answers to tasks that the set does not have"
