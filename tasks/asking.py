"""Asks a language model about many tasks at once, and writes each answer into the bank as soon as it is there.

A job is a generator: it yields requests, one after the other, gets their answers, and returns what is to be written.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias, TypeVar

from demopack.domain.provenance import Provenance, by_program
from demopack.domain.records import Record, new_id
from demopack.domain.tasks import Task
from demopack.domain.words import shorten
from demopack.errors import BadInputError
from demopack.jobs import JobControl, Progress
from models.language.port import (
    AnswerError,
    BudgetError,
    LanguageAnswer,
    LanguageError,
    LanguagePort,
    LanguageRequest,
    NoKeyError,
    ServerError,
)
from models.language.reports import usage_sums
from tasks.bank import TaskBank

T = TypeVar("T", bound=Record)
_POLL_S: Final = 0.2
"""How soon a cancelled run stops to wait for answers, seconds."""
_IN_A_ROW: Final = 3
"""So many failures of the server one after the other end a run: the next thousand would fail, too."""
_TOLD, _TOLD_FAULTS, _TOLD_LETTERS = 4000, 8, 300
"""Of a wrong answer so many characters, and so many faults of so many characters, are told back and reported."""
TRIES: Final = 3
"""Answers that are asked for: the first, and one more each time that the model is told what was wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobResult:
    """What a job has found.

    Attributes:
        changed: tasks as they were read, and as they are to be.
        added: new tasks.
        faults: why there is not more, each a sentence.
    """

    changed: tuple[tuple[Task, Task], ...] = ()
    added: tuple[Task, ...] = ()
    faults: tuple[str, ...] = ()


Job: TypeAlias = Generator[LanguageRequest[Any], LanguageAnswer[Any], JobResult]
Asking: TypeAlias = Generator[LanguageRequest[Any], LanguageAnswer[Any], tuple[LanguageAnswer[T], list[str]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedTask:
    """A task, or a part of a page, for which there is less than was asked for.

    Attributes:
        name: id of the task, or the page.
        reason: why, for a person.
    """

    name: str
    reason: str


@dataclass(slots=True, kw_only=True)
class AskingReport:
    """What became of a run.

    Attributes:
        model: who was asked.
        total: jobs that there were.
        changed: ids of the tasks that were changed.
        added: ids of new tasks.
        known: new tasks that the bank had already.
        failed: what there is less of, and why; nothing of it is in the bank.
        asked: every answer.
        trouble: why the run was ended early; empty when it was not.
    """

    model: str
    total: int
    changed: list[str] = field(default_factory=list[str])
    added: list[str] = field(default_factory=list[str])
    known: int = 0
    failed: list[FailedTask] = field(default_factory=list[FailedTask])
    asked: list[LanguageAnswer[Any]] = field(default_factory=list[LanguageAnswer[Any]])
    trouble: str = ""

    def to_json(self) -> dict[str, Any]:
        """For ``--json``."""
        return {
            "model": self.model,
            "total": self.total,
            "changed": self.changed,
            "added": self.added,
            "known": self.known,
            "failed": [{"name": one.name, "reason": one.reason} for one in self.failed],
            "trouble": self.trouble,
            **usage_sums(self.asked),
        }


def ask_checked(request: Callable[[str], LanguageRequest[T]], faults: Callable[[T], list[str]]) -> Asking[T]:
    """The first answer without a fault, else the last one; the model is told of each what was wrong with it.

    Args:
        request: the question, with what was wrong with the last answer.
        faults: what is wrong with an answer, in sentences.

    Returns:
        The answer and its faults.

    Raises:
        LanguageError: there was no answer at all.
    """

    def told_faults(value: T) -> list[str]:
        found = faults(value)
        more = [f"And {len(found) - _TOLD_FAULTS} more."] if len(found) > _TOLD_FAULTS else []
        return [*(shorten(fault, _TOLD_LETTERS) for fault in found[:_TOLD_FAULTS]), *more]

    answer = yield request("")
    wrong = told_faults(answer.value)
    for _ in range(TRIES - 1):
        if not wrong:
            break
        told = "\n".join([answer.value.model_dump_json()[:_TOLD], *(f"- {fault}" for fault in wrong)])
        try:
            answer = yield request(told)
        except LanguageError as error:
            return answer, [*wrong, str(error)]  # it was paid for
        wrong = told_faults(answer.value)
    return answer, wrong


def ask_right(
    request: Callable[[str], LanguageRequest[T]], faults: Callable[[T], list[str]]
) -> Generator[LanguageRequest[Any], LanguageAnswer[Any], LanguageAnswer[T]]:
    """As :func:`ask_checked`, but an answer with faults is none.

    Raises:
        LanguageError: there is no right answer; it says why.
    """
    answer, wrong = yield from ask_checked(request, faults)
    if wrong:
        raise AnswerError(" ".join(wrong))
    return answer


def run_jobs(
    bank: TaskBank,
    port: LanguagePort,
    jobs: Iterator[tuple[str, Job]],
    *,
    total: int,
    label: str,
    control: JobControl,
    at_once: int = 8,
) -> AskingReport:
    """Work on jobs, so many at once, and write what each has found as soon as it is there.

    All of a run is undone in one go. A failure that would meet every other job too (no budget, no key, no server) ends
    the run; what was found before is kept. Answers are paid for once: a run that is started again goes on.

    Args:
        bank: where to.
        port: the model.
        jobs: each with a name for the report; taken one after the other.
        total: how many they are.
        label: a sentence for the history and for the progress.
        control: progress, with what was paid so far; and cancelling.
        at_once: jobs that are under way at the same time.

    Raises:
        CancelledError: what was found before is kept.
        BadInputError: a person's own prompt is broken.
        LibraryError: the bank cannot be written.
    """
    run = _Run(bank=bank, port=port, label=label, report=AskingReport(model=port.name, total=total))
    try:
        while True:
            control.token.check()
            while run.ended is None and len(run.waiting) < at_once and len(run.found) < at_once:
                one = next(jobs, None)
                if one is None:
                    break
                run.go_on(*one, None)
            if run.waiting and not run.found:
                for future in wait(run.waiting, timeout=_POLL_S, return_when=FIRST_COMPLETED).done:
                    run.take(future)
            elif not run.found:
                return run.report
            if run.found:
                run.keep()
                cost = f"; ${run.paid:.4f} so far" if run.report.asked else ""
                control.report(Progress(done=run.done, total=total, text=f"{label}{cost}"))
    finally:
        for future in run.waiting:
            future.cancel()


@dataclass(kw_only=True)
class _Run:
    """Jobs under way.

    Attributes:
        waiting: what is asked, with the job that waits for it.
        found: results that are not written yet.
        ended: why no more is asked.
    """

    bank: TaskBank
    port: LanguagePort
    label: str
    report: AskingReport
    waiting: dict[Future[LanguageAnswer[Any]], tuple[str, Job]] = field(
        default_factory=dict[Future[LanguageAnswer[Any]], tuple[str, Job]]
    )
    found: list[tuple[str, JobResult]] = field(default_factory=list[tuple[str, JobResult]])
    ended: LanguageError | None = None
    failures: int = 0
    done: int = 0
    paid: float = 0.0
    gesture: str = field(default_factory=lambda: new_id("asking"))

    def __post_init__(self) -> None:
        self.by: Provenance = by_program("model", self.port.name, reason=self.label)

    def go_on(self, name: str, job: Job, answer: LanguageAnswer[Any] | LanguageError | None) -> None:
        """Give a job its answer, or why there is none, and ask what it asks next."""
        try:
            # A job under way when the run ends must not ask on.
            while True:
                request = job.throw(answer) if isinstance(answer, LanguageError) else job.send(answer)  # type: ignore[arg-type]
                if self.ended is None:
                    break
                answer = self.ended
        except StopIteration as end:
            self.found.append((name, end.value))
        except LanguageError as error:
            self.found.append((name, JobResult(faults=(str(error),))))
        else:
            self.waiting[self.port.submit(request)] = (name, job)

    def take(self, future: Future[LanguageAnswer[Any]]) -> None:
        """Hand an answer to the job that waits for it."""
        name, job = self.waiting.pop(future)
        try:
            answer = future.result()
        except LanguageError as error:
            self.failures = self.failures + 1 if isinstance(error, ServerError) else 0
            if isinstance(error, (BudgetError, NoKeyError)) or self.failures >= _IN_A_ROW:
                self.ended = self.ended or error
                self.report.trouble = str(self.ended)
            self.go_on(name, job, error)
            return
        self.failures = 0
        self.paid += answer.paid or 0.0
        self.report.asked.append(answer)
        self.go_on(name, job, answer)

    def keep(self) -> None:
        """Write what was found."""
        report = self.report
        pairs: list[tuple[Task, Task]] = []
        for name, result in self.found:
            faults = [one for one in result.faults if not report.trouble or report.trouble not in one]
            for old, new in result.changed:
                if self._is_as_read(old):
                    pairs.append((old, new))
                else:
                    faults.append("It was changed elsewhere meanwhile, and is left as it is now.")
            if faults:
                report.failed.append(FailedTask(name=name, reason=" ".join(faults)))
        self.bank.change(pairs, label=self.label, provenance=self.by, gesture=self.gesture)
        report.changed += [new.id for _, new in pairs]
        fresh = [task for _, result in self.found for task in result.added]
        done = self.bank.add(fresh, label=self.label, provenance=self.by, gesture=self.gesture)
        report.added += done.added
        report.known += done.known
        self.done += len(self.found)
        self.found.clear()

    def _is_as_read(self, task: Task) -> bool:
        try:
            return self.bank.get(task.id) == task
        except BadInputError:
            return False
