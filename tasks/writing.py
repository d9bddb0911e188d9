"""What a language model writes for the task bank: requests, plans, harder forms of tasks, and tasks out of pages.

Everything is held against what it was made of (:mod:`tasks.answer_checks`); what does not hold never reaches the bank.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Annotated, Final, TypeVar

from pydantic import AfterValidator, Field, model_validator

from demopack.codecs.tasks.files import TaskFileOptions, TaskReading, read_portions
from demopack.codecs.tasks.pages import PagePortion, as_order
from demopack.codecs.tasks.records import numbered, task_id
from demopack.domain.provenance import Provenance, by_program
from demopack.domain.records import Record
from demopack.domain.tasks import Task, TaskSource, TaskState, WrittenParts
from demopack.errors import BadInputError
from demopack.jobs import JobControl
from demopack.pack.import_demos import open_files
from models.language.port import LanguageAnswer, LanguageError, LanguagePort, LanguageRequest
from models.language.prompts import PromptCatalogue
from tasks.answer_checks import (
    MAX_LETTERS,
    MAX_STEPS,
    clean_steps,
    faults_of_evolution,
    faults_of_extract,
    faults_of_plan,
    faults_of_request,
    most_words,
)
from tasks.asking import AskingReport, Job, JobResult, ask_checked, ask_right, run_jobs
from tasks.bank import TaskBank, TaskQuery
from tasks.filters import tell_languages_apart

T = TypeVar("T", bound=Record)
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]+")
_MOST_TASKS: Final = 100
"""Of one part of a page."""
Line = Annotated[str, AfterValidator(lambda text: " ".join(_CONTROL.sub(" ", text).split())[: MAX_LETTERS + 1])]
Lines = Annotated[tuple[Line, ...], AfterValidator(lambda lines: lines[: MAX_STEPS + 1])]
"""What is cut off is too long in any case, and says so; nobody has to read megabytes."""
_WRITABLE: Final[tuple[TaskState, ...]] = ("collected", "kept")
"""What was tried already stays as it was tried."""
_EVOLVABLE: Final[tuple[TaskState, ...]] = ("collected", "kept", "instantiated", "executed", "complete")


class RequestReply(Record):
    """A search query as a request."""

    request: Line = Field(description="What is asked to be done, in one sentence; empty if nothing can be.")


class PlanReply(Record):
    """A plan for a task."""

    steps: Lines = Field(description="One order for each step.")


class EvolutionReply(Record):
    """A harder form of a task."""

    task: Line = Field(description="The harder task, in one sentence.")
    steps: Lines = Field(description="One order for each step.")


class ExtractReply(Record):
    """What a page tells how to do; two lists of one length instead of a mapping, which strict schemas do not know."""

    tasks: tuple[Line, ...] = Field(description="What the page tells how to do.")
    plans: tuple[Lines, ...] = Field(description="For each of the tasks, its steps.")

    @model_validator(mode="after")
    def _paired(self) -> ExtractReply:
        if len(self.tasks) != len(self.plans):
            raise ValueError("tasks and plans must have the same length")
        return self


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskWriter:
    """A language model that writes for the bank.

    Attributes:
        port: the model; it stays the caller's to close.
        catalogue: the prompts.
        at_once: tasks that are under way at the same time.
    """

    port: LanguagePort
    catalogue: PromptCatalogue
    at_once: int = 8


# Requests and plans -------------------------------------------------------------------------------------------------


def write_tasks(bank: TaskBank, writer: TaskWriter, query: TaskQuery, *, control: JobControl) -> AskingReport:
    """Reword search queries as requests, and write plans for tasks that have none.

    Args:
        bank: with the tasks.
        writer: the model.
        query: which tasks; without a state those that were not tried yet and are not left out.
        control: progress and cancelling.

    Raises:
        CancelledError: what was written before is kept.
        BadInputError: what tells languages apart is not installed, or a person's own prompt is broken.
        LibraryError: the bank cannot be written.
    """
    tell_languages_apart()
    names = [
        task.id
        for task in bank.tasks(query)
        if (query.state or task.state in _WRITABLE) and (_is_query(task) or not task.plan)
    ]
    jobs = ((name, _writing(task, writer)) for name in names if (task := _task(bank, name)) is not None)
    return run_jobs(
        bank, writer.port, jobs, total=len(names), label="Write tasks", control=control, at_once=writer.at_once
    )


def _task(bank: TaskBank, name: str) -> Task | None:
    try:
        return bank.get(name)
    except BadInputError:
        return None  # removed meanwhile


def _is_query(task: Task) -> bool:
    return task.source.kind == "query" and not (task.written is not None and task.written.query)


def _writing(task: Task, writer: TaskWriter) -> Job:
    new, faults = task, list[str]()
    try:
        if _is_query(task):
            said = yield from ask_right(
                lambda wrong: request_question(task, writer.catalogue, wrong=wrong),
                lambda reply: faults_of_request(reply.request, task.task) if reply.request else [],
            )
            if not said.value.request:
                return JobResult(faults=("The model finds nothing in the query that can be done in a program.",))
            new = new.but(task=said.value.request, written=_signed(new, writer, said, query=task.task))
        if not new.plan:
            made = yield from ask_right(
                lambda wrong: plan_question(new, writer.catalogue, wrong=wrong),
                lambda reply: faults_of_plan(clean_steps(reply.steps)),
            )
            new = new.but(plan=clean_steps(made.value.steps), written=_signed(new, writer, made, plan=True))
    except LanguageError as error:
        faults.append(str(error))
    return JobResult(changed=((task, new),) if new != task else (), faults=tuple(faults))


def _signed(
    task: Task, writer: TaskWriter, answer: LanguageAnswer[T], *, query: str = "", plan: bool = False
) -> WrittenParts:
    """What is written of a task now, and what was written before."""
    old, by = task.written, _provenance(writer, answer)
    if old is None:
        return WrittenParts(query=query, plan=plan, provenance=by)
    earlier = (
        old.provenance.reason if old.provenance.name == by.name else f"{old.provenance.name}: {old.provenance.reason}"
    )
    by = by.but(reason=f"{earlier}; {by.reason}")
    return WrittenParts(query=query or old.query, plan=plan or old.plan, provenance=by)


def _provenance(writer: TaskWriter, answer: LanguageAnswer[T]) -> Provenance:
    name = writer.port.name
    model = f" ({answer.model})" if answer.model and not name.endswith(answer.model) else ""
    return by_program("model", name, reason=f"{answer.prompt}{model}")


def request_question(task: Task, catalogue: PromptCatalogue, *, wrong: str = "") -> LanguageRequest[RequestReply]:
    """What is asked about a search query; ``wrong`` is the last answer and its faults."""
    values = {"query": task.task, "program": _program(task), "findings": wrong}
    return _filled("tasks/reword", RequestReply, values, catalogue, task.id, max_tokens=300)


def plan_question(task: Task, catalogue: PromptCatalogue, *, wrong: str = "") -> LanguageRequest[PlanReply]:
    """What is asked about a task without a plan; ``wrong`` is the last answer and its faults."""
    query = "" if task.written is None else task.written.query
    values = {
        "task": task.task, "query": query, "program": _program(task), "most": str(MAX_STEPS), "findings": wrong,
    }  # fmt: skip
    return _filled("tasks/plan", PlanReply, values, catalogue, task.id, max_tokens=1500)


def next_question(task: Task, catalogue: PromptCatalogue) -> LanguageRequest[RequestReply] | LanguageRequest[PlanReply]:
    """What :func:`write_tasks` would ask first about a task, for a person to look at."""
    return request_question(task, catalogue) if _is_query(task) else plan_question(task, catalogue)


def _program(task: Task) -> str:
    named = " ".join(part for part in (task.app, task.app_version) if part)
    return " on ".join(part for part in (named, task.platform) if part)


def _filled(
    prompt: str, answer: type[T], values: dict[str, str], catalogue: PromptCatalogue, subject: str, *, max_tokens: int
) -> LanguageRequest[T]:
    return catalogue.get(prompt).fill(answer, values, pictures={}, max_tokens=max_tokens, subject=f"tasks/{subject}")


# Harder forms -------------------------------------------------------------------------------------------------------


def evolve_tasks(
    bank: TaskBank,
    writer: TaskWriter,
    query: TaskQuery,
    *,
    control: JobControl,
    per_task: int = 1,
    again: bool = False,
) -> AskingReport:
    """Make harder forms of tasks that have a plan, each a task of its own with a plan anew.

    Args:
        bank: with the tasks.
        writer: the model.
        query: of which tasks; without a state those that are not left out, without a kind those that are not harder
            forms themselves.
        control: progress and cancelling.
        per_task: forms of each task, those included that it has already.
        again: make so many further ones, however many there are.

    Raises:
        CancelledError: what was written before is kept.
        BadInputError: what tells languages apart is not installed, or a person's own prompt is broken.
        LibraryError: the bank cannot be written.
    """
    tell_languages_apart()
    forms: defaultdict[str, list[str]] = defaultdict(list)
    for task in bank.tasks(TaskQuery(kind="evolved")):
        if task.evolved_from:
            forms[task.evolved_from].append(task.task)
    wanted = {
        task.id: per_task if again else per_task - len(forms[task.id])
        for task in bank.tasks(query)
        if (query.state or task.state in _EVOLVABLE)
        and (query.kind or task.source.kind != "evolved")
        and task.plan
        and not _is_query(task)
    }
    names = [name for name, count in wanted.items() if count > 0]
    jobs = (
        (name, _evolving(original, forms[name], wanted[name], writer))
        for name in names
        if (original := _task(bank, name)) is not None
    )
    return run_jobs(
        bank, writer.port, jobs, total=len(names), label="Evolve tasks", control=control, at_once=writer.at_once
    )


def _evolving(task: Task, forms: Sequence[str], count: int, writer: TaskWriter) -> Job:
    known = list(forms)
    added: list[Task] = []
    try:
        for _ in range(count):
            made = yield from ask_right(
                lambda wrong: evolution_question(task, writer.catalogue, known, wrong=wrong),
                lambda reply: faults_of_evolution(reply.task, clean_steps(reply.steps), task, known),
            )
            added.append(_evolved(task, made, writer))
            known.append(made.value.task)
    except LanguageError as error:
        return JobResult(added=tuple(added), faults=(str(error),))
    return JobResult(added=tuple(added))


def _evolved(task: Task, made: LanguageAnswer[EvolutionReply], writer: TaskWriter) -> Task:
    reply, plan = made.value, clean_steps(made.value.steps)
    return Task(
        id=task_id("evolved", task.id, reply.task, *plan),
        task=reply.task,
        plan=plan,
        app=task.app,
        app_version=task.app_version,
        platform=task.platform,
        source=TaskSource(kind="evolved"),
        evolved_from=task.id,
        provenance=_provenance(writer, made),
    )


def evolution_question(
    task: Task, catalogue: PromptCatalogue, known: Collection[str] = (), *, wrong: str = ""
) -> LanguageRequest[EvolutionReply]:
    """What is asked for a harder form of a task.

    Args:
        task: the original.
        catalogue: the prompts.
        known: forms that there are already.
        wrong: the last answer and its faults.
    """
    values = {
        "task": task.task,
        "plan": "\n".join(numbered(task.plan)),
        "program": _program(task),
        "known": "\n".join(f"- {one}" for one in known),
        "words": str(most_words(task)),
        "most": str(MAX_STEPS),
        "findings": wrong,
    }
    return _filled("tasks/evolve", EvolutionReply, values, catalogue, task.id, max_tokens=2000)


# Tasks out of pages -------------------------------------------------------------------------------------------------


def extract_tasks(
    paths: Sequence[Path], bank: TaskBank, writer: TaskWriter, options: TaskFileOptions, *, control: JobControl
) -> tuple[AskingReport, TaskReading]:
    """Find tasks and plans in the words of pages that have no list of steps; other files are passed over.

    Args:
        paths: folders, zips or files.
        bank: where to.
        writer: the model.
        options: what the person says beyond the pages.
        control: progress and cancelling.

    Returns:
        What the model found, and what was read.

    Raises:
        BadRowError: a page cannot be read, unless that is to be skipped; nothing was asked.
        BadInputError: there is no such path, or a person's own prompt is broken.
        CancelledError: what was found before is kept.
        LibraryError: the bank cannot be written.
    """
    reading = TaskReading()
    found: list[tuple[str, PagePortion]] = []
    for path in paths:
        with open_files(path) as files:
            found += read_portions(files, options, report=reading)
    jobs = (
        (f"{name} ({part.place})" if part.place else name, _extracting(name, part, writer, options))
        for name, part in found
    )
    report = run_jobs(
        bank, writer.port, jobs, total=len(found), label="Find tasks in pages", control=control, at_once=writer.at_once
    )
    return report, reading


def _extracting(name: str, part: PagePortion, writer: TaskWriter, options: TaskFileOptions) -> Job:
    program = " on ".join(one for one in (f"{options.app} {options.app_version}".strip(), options.platform) if one)

    def request(wrong: str) -> LanguageRequest[ExtractReply]:
        place = f"{name}, {part.place}" if part.place else name
        values = {"place": place, "text": part.text, "program": program, "findings": wrong}
        return _filled("tasks/extract", ExtractReply, values, writer.catalogue, name, max_tokens=3000)

    def faults(reply: ExtractReply) -> list[str]:
        return [fault for one in _plans(reply) for fault in faults_of_extract(*one, part.text)]

    answer, wrong = yield from ask_checked(request, faults)
    by = _provenance(writer, answer)
    source = TaskSource(kind=options.kind or "manual", name=name, place=part.place)
    told = {"app": options.app, "app_version": options.app_version, "platform": options.platform, "source": source}
    return JobResult(
        added=tuple(
            Task.model_validate(
                {"id": task_id(name, part.place, task, *plan), "task": task, "plan": plan, "provenance": by, **told}
            )
            for task, plan in _plans(answer.value)
            if not faults_of_extract(task, plan, part.text)
        ),
        faults=tuple(wrong),
    )


def _plans(reply: ExtractReply) -> Iterator[tuple[str, tuple[str, ...]]]:
    for task, steps in islice(zip(reply.tasks, reply.plans, strict=True), _MOST_TASKS):
        yield as_order(task), clean_steps(steps)
