"""Judges a demo and keeps what was said: labels, which cost nothing; where there is a model, its answers."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYet
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar

from demopack.domain.demos import Demo
from demopack.domain.edits import Change, Edit
from demopack.domain.ports import StepBrief
from demopack.domain.provenance import by_human, by_program
from demopack.domain.records import Record, new_id
from demopack.domain.steps import Step
from demopack.domain.verdicts import DemoVerdict, StepLabel, StepVerdict
from demopack.jobs import JobControl, Progress
from demopack.store.blame import naming_the_step
from models.language.contexts import DemoStory
from models.language.judge.local import Sameness, local_labels
from models.language.judge.questions import demo_request, step_request
from models.language.judge.replies import StepReply
from models.language.judge.reports import LOCAL, JudgedStep, JudgeReport
from models.language.port import (
    BudgetError,
    LanguageAnswer,
    LanguageError,
    LanguagePort,
    NoKeyError,
    ServerError,
)  # fmt: skip
from models.language.prompts import PromptShelf

if TYPE_CHECKING:
    from demopack.store import Library

__all__ = ["LOCAL", "judge_demo"]

_AHEAD: Final = 16
"""Questions that are made before the answers to earlier ones are there; their pictures are in memory."""
_POLL_S: Final = 0.2
_R = TypeVar("_R", bound=Record)


def judge_demo(
    library: Library,
    demo_id: str,
    port: LanguagePort | None,
    *,
    control: JobControl,
    shelf: PromptShelf | None = None,
    again: bool = False,
    leave_out: bool = False,
) -> JudgeReport:
    """Judge a demo; each answer is stored as soon as it is there, and all of it is undone in one go.

    Args:
        library: where the demo is.
        demo_id: which.
        port: the model; None for labels alone.
        control: progress and cancelling.
        shelf: the prompts; None for the shipped ones under the person's own.
        again: ask again what this model has said already.
        leave_out: mark the steps that are doubtful to be left out of exports; those that a person has looked at stay.

    Raises:
        CancelledError: the user stopped it; what was stored before is kept.
        LibraryError: the demo was changed elsewhere meanwhile, or a picture is damaged; likewise.
    """
    return _Run(
        library=library, port=port, control=control, shelf=shelf or PromptShelf(), again=again, leave_out=leave_out,
        demo=library.demo(demo_id),
    ).run()  # fmt: skip


@dataclass(kw_only=True)
class _Run:
    library: Library
    demo: Demo
    port: LanguagePort | None
    control: JobControl
    shelf: PromptShelf
    again: bool
    leave_out: bool
    gesture: str = field(default_factory=lambda: new_id("judge"))
    steps: list[JudgedStep] = field(default_factory=list[JudgedStep])
    answers: list[LanguageAnswer[Any]] = field(default_factory=list[LanguageAnswer[Any]])
    trouble: str = ""

    def run(self) -> JudgeReport:
        with naming_the_step(self.demo):
            look = Sameness(self.library.get_image)
            labels = local_labels(self.demo.steps, same=look.same, equal=look.equal)
        if self.port is None:
            for index, found in enumerate(labels):
                self._through(index, _labelled(self.demo.steps[index], found), "judged")
            return self._report(self.demo.head.verdict)
        self._ask_steps(self.port, labels)
        return self._report(self._ask_demo(self.port))

    def _ask_steps(self, port: LanguagePort, labels: Sequence[tuple[StepLabel, ...]]) -> None:
        waiting: deque[tuple[int, Future[LanguageAnswer[StepReply]] | None]] = deque()
        questions = self._questions(port, labels)
        try:
            while not self.trouble:
                self.control.token.check()
                while len(waiting) < _AHEAD and (question := next(questions, None)) is not None:
                    waiting.append(question)
                if not waiting:
                    break
                index, future = waiting.popleft()
                self._take(index, future, labels[index], port)
        finally:
            for _, future in waiting:
                if future is not None:
                    future.cancel()

    def _questions(
        self, port: LanguagePort, labels: Sequence[tuple[StepLabel, ...]]
    ) -> Iterator[tuple[int, Future[LanguageAnswer[StepReply]] | None]]:
        """The steps in order, each with its question under way; None for those that need none."""
        story = DemoStory(self.library, self.demo)
        for index, step in enumerate(self.demo.steps):
            self.control.token.check()
            if not self.again and step.verdict is not None and step.verdict.provenance.name == port.name:
                yield index, None
                continue
            with naming_the_step(self.demo):
                subject = f"{self.demo.head.id}/{step.id}"
                request = step_request(story.context(index), labels[index], self.shelf, sees=port.sees, subject=subject)
            yield index, port.submit(request)

    def _take(
        self,
        index: int,
        future: Future[LanguageAnswer[StepReply]] | None,
        labels: tuple[StepLabel, ...],
        port: LanguagePort,
    ) -> None:
        step = self.demo.steps[index]
        if future is None:
            self._through(index, step.verdict, "kept")
            return
        try:
            answer = self._wait(future)
        except LanguageError as error:
            if isinstance(error, (BudgetError, NoKeyError, ServerError)):
                self.trouble = str(error)
            self._through(index, _labelled(step, labels), "failed", message=str(error))
            return
        self._through(index, answer.value.verdict(labels=labels, model=port.name), "judged")

    def _ask_demo(self, port: LanguagePort) -> DemoVerdict | None:
        old = self.demo.head.verdict
        fresh = any(step.state == "judged" for step in self.steps)
        if self.trouble or (old is not None and old.provenance.name == port.name and not self.again and not fresh):
            return old
        images = self.library if port.sees else None
        request = demo_request(
            self.demo, self._briefs(), [one.verdict for one in self.steps], self.shelf, images=images
        )
        try:
            verdict = self._wait(port.submit(request)).value.verdict(model=port.name)
        except LanguageError as error:
            self.trouble = str(error)
            return old
        head = self.demo.head.model_copy(update={"verdict": verdict})
        self._commit("head", head.id, self.demo.head, head, "Judge a demo", verdict.provenance.name)
        return verdict

    def _briefs(self) -> list[StepBrief]:
        """All steps with their reasons: the last one's context has those before it."""
        if not self.demo.steps:
            return []
        with naming_the_step(self.demo):
            last = DemoStory(self.library, self.demo).context(len(self.demo.steps) - 1)
        own = StepBrief(
            action=last.action, target=last.target, end_target=last.end_target, rationale=self.demo.steps[-1].rationale
        )
        return [*last.earlier, own]

    def _wait(self, future: Future[LanguageAnswer[_R]]) -> LanguageAnswer[_R]:
        while True:
            try:
                answer = future.result(timeout=_POLL_S)
            except NotYet:
                if future.done():  # a time-out of the server's, not of ours
                    raise
                try:
                    self.control.token.check()
                except BaseException:
                    future.cancel()
                    raise
                continue
            self.answers.append(answer)
            return answer

    def _through(
        self, index: int, verdict: StepVerdict | None, state: Literal["judged", "kept", "failed"], message: str = ""
    ) -> None:
        """Keep what is known about a step, and tell that it is through."""
        step = self.demo.steps[index]
        update: dict[str, Any] = {}
        if verdict is not None and (step.verdict is None or _said(verdict) != _said(step.verdict)):
            update["verdict"] = verdict
        if self.leave_out and verdict is not None and verdict.doubtful and step.review == "unreviewed":
            update["review"] = "rejected"
        new = step.model_copy(update=update)
        if update:
            name = LOCAL if self.port is None else self.port.name
            self._commit("step", step.id, step, new, "Judge a step", name)
        self.steps.append(
            JudgedStep(step=index + 1, state=state, verdict=new.verdict, left_out=new.left_out, message=message)
        )
        self.control.report(
            Progress(
                done=index + 1, total=len(self.demo.steps), text=f"Judging step {index + 1} of {len(self.demo.steps)}"
            )
        )

    def _commit(
        self, kind: Literal["head", "step"], key: str, before: Record, after: Record, label: str, name: str
    ) -> None:
        reason = "judge"
        marked = isinstance(after, Step) and isinstance(before, Step) and after.review != before.review
        by = by_human(reason="left out by the judge's word") if marked else by_program(
            "template" if name == LOCAL else "model", name, reason=reason
        )  # fmt: skip
        change = Change(kind=kind, key=key, before=before.to_json(), after=after.to_json())
        edit = Edit(id=new_id("edit"), label=label, changes=(change,), provenance=by, merge_key=self.gesture)
        self.library.commit(self.demo.head.id, edit)

    def _report(self, verdict: DemoVerdict | None) -> JudgeReport:
        costs = [0.0 if one.cached else one.usage.cost for one in self.answers]
        return JudgeReport(
            demo=self.demo.head.id,
            judge=LOCAL if self.port is None else self.port.name,
            steps=tuple(self.steps),
            verdict=verdict,
            calls=sum(not one.cached for one in self.answers),
            input_tokens=sum(one.usage.input_tokens for one in self.answers),
            output_tokens=sum(one.usage.output_tokens for one in self.answers),
            cost=None if None in costs else sum(cost for cost in costs if cost is not None),
            trouble=self.trouble,
        )


def _labelled(step: Step, labels: tuple[StepLabel, ...]) -> StepVerdict | None:
    """What a step's verdict becomes by labels alone: what a model said stays."""
    if step.verdict is not None:
        return step.verdict.model_copy(update={"labels": labels})
    return StepVerdict(labels=labels, provenance=by_program("template", LOCAL, reason="judge")) if labels else None


def _said(verdict: StepVerdict) -> tuple[object, ...]:
    return (verdict.labels, verdict.correct, verdict.redundant, verdict.reflection, verdict.provenance.name)
