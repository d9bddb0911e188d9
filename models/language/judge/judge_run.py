"""Judges a demo and keeps what was said: labels, which cost nothing; where there is a model, its answers.

The labels tell steps without effect, undone, repeated, to and fro, from frames and actions alone.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar

from demopack.domain.actions import PressKeyAction
from demopack.domain.demos import DemoHead
from demopack.domain.edits import Change, Edit
from demopack.domain.frames import Frame, RgbImage
from demopack.domain.geometry import Rect
from demopack.domain.provenance import by_human, by_program
from demopack.domain.records import Record, new_id
from demopack.domain.steps import Step
from demopack.domain.verdicts import DemoVerdict, StepLabel, StepVerdict
from demopack.jobs import JobControl, Progress
from demopack.pixels.changes import changed_boxes
from demopack.store.entities import naming_the_step
from models.language.judge.judge_questions import StepReply, demo_request, step_request
from models.language.port import (
    BudgetError,
    LanguageAnswer,
    LanguageError,
    LanguagePort,
    NoKeyError,
    ServerError,
    wait_for,
)
from models.language.prompts import PromptCatalogue
from models.language.reports import usage_sums
from models.language.step_context import DemoStory

if TYPE_CHECKING:
    from demopack.store import Library

_VISIBLE: Final = frozenset({"click", "type", "press_key", "scroll", "hover", "drag", "launch"})
"""Actions that are taken to change something on the screen."""
_SILENT_KEYS: Final = frozenset({"Ctrl+C", "Ctrl+Insert", "Ctrl+S", "PrintScreen"})
"""Keys that do their work where nobody sees it."""
_BACK: Final = 3
"""Steps within which an undoing is looked for; later returns to a screen mostly have a reason."""
_PICTURES: Final = 8
"""Pictures that are kept in memory: what is compared mostly lies close together."""
_CURSOR: Final = (4, 48)
"""Pixels, width and height: what is not larger is a cursor that blinks."""


class ScreenSimilarity:
    """Compares frames by their pixels, and remembers what it has compared; a missing frame is like no other."""

    def __init__(self, picture: Callable[[str], RgbImage]) -> None:
        """Compare with what ``picture`` gives for the id of a frame."""
        self._picture = lru_cache(maxsize=_PICTURES)(picture)
        self._known: dict[tuple[str, str], tuple[Rect, ...] | None] = {}

    def same(self, a: Frame | None, b: Frame | None) -> bool:
        """Whether nothing but a blinking cursor differs.

        Raises:
            CorruptFrameError: a picture is damaged.
        """
        boxes = self._boxes(a, b)
        return boxes is not None and all(box.width <= _CURSOR[0] and box.height <= _CURSOR[1] for box in boxes)

    def equal(self, a: Frame | None, b: Frame | None) -> bool:
        """Whether nothing differs at all."""
        return self._boxes(a, b) == ()

    def changed(self, step: Step) -> bool:
        """Whether the frames before and after a step are not the same; no when one is missing."""
        return step.before is not None and step.after is not None and not self.same(step.before, step.after)

    def _boxes(self, a: Frame | None, b: Frame | None) -> tuple[Rect, ...] | None:
        if a is None or b is None:
            return None
        if a.id == b.id:
            return ()
        key = (min(a.id, b.id), max(a.id, b.id))
        if key not in self._known:
            self._known[key] = changed_boxes(self._picture(key[0]), self._picture(key[1]))
        return self._known[key]


def local_labels(steps: Sequence[Step], look: ScreenSimilarity) -> list[tuple[StepLabel, ...]]:
    """The labels of each step of a demo, in a fixed order; a step without frames gets none."""
    found: list[set[StepLabel]] = [set() for _ in steps]
    for index, step in enumerate(steps):
        silent = isinstance(step.action, PressKeyAction) and step.action.key_info in _SILENT_KEYS
        if step.action.action_type in _VISIBLE and not silent and look.equal(step.before, step.after):
            found[index].add("no_effect")
        if index and _is_repeated(steps[index - 1], step, look):
            found[index].add("repeated")
    for first, last in _returns(steps, look):
        found[last].add("undoing")
        for index in range(first, last):
            found[index].add("undone")
    for index in _to_and_fro(steps, look):
        found[index].add("back_and_forth")
    order: tuple[StepLabel, ...] = ("no_effect", "undone", "undoing", "repeated", "back_and_forth")
    return [tuple(label for label in order if label in labels) for labels in found]


def _is_repeated(earlier: Step, step: Step, look: ScreenSimilarity) -> bool:
    """The same once more where the screen had not changed: a “next” that was pressed twice did something each time."""
    acts_again = step.action.action_type in _VISIBLE and _act(earlier) == _act(step)
    return acts_again and look.same(earlier.before, step.before)


def _act(step: Step) -> tuple[object, ...]:
    action = step.action
    where = step.target_uid or (action.target.model_dump_json() if action.target is not None else "")
    parameters = {key: value for key, value in action.parameters.items() if key not in {"duration_s", "hold_s"}}
    return (action.action_type, where, parameters)


def _returns(steps: Sequence[Step], look: ScreenSimilarity) -> list[tuple[int, int]]:
    """Pairs of a step and a later one that led back to the screen before it, with something else in between."""
    found: list[tuple[int, int]] = []
    taken = -1
    for last, step in enumerate(steps):
        if not look.changed(step):
            continue
        for first in range(last - 1, max(taken, last - 1 - _BACK), -1):
            if look.changed(steps[first]) and look.same(steps[first].before, step.after):
                found.append((first, last))
                taken = last
                break
    return found


def _to_and_fro(steps: Sequence[Step], look: ScreenSimilarity) -> list[int]:
    """Steps of a run that goes from one screen to another, back, and there again; the last way there is needed."""
    found: list[int] = []
    for index in range(2, len(steps)):
        three = steps[index - 2 : index + 1]
        a, b, c, d = three[0].before, three[0].after, three[1].after, three[2].after
        if all(map(look.changed, three)) and look.same(a, c) and look.same(b, d):
            found += [index - 2, index - 1]
    return found


LOCAL: Final = "local-labels-1"
"""Who judges where no model is asked."""


class JudgedStep(Record):
    """What became of one step.

    Attributes:
        step: number, from 1.
        state: judged now; kept, because this judge had said something already; or failed, and ``message`` says why.
        verdict: what is known about it now; None when nothing is.
        left_out: whether it is marked to be left out of exports.
        message: why there is no answer.
    """

    step: int
    state: Literal["judged", "kept", "failed"]
    verdict: StepVerdict | None = None
    left_out: bool = False
    message: str = ""


class JudgeReport(Record):
    """What was said about a demo.

    Attributes:
        demo: id.
        judge: name of the model, or ``local-labels-1``.
        steps: each of them.
        verdict: about the demo as a whole; None where no model was asked, or where it failed.
        calls: answers that were got now.
        input_tokens: that the answers took.
        output_tokens: likewise.
        cost: dollars; None when a price is not known.
        trouble: why it was ended early, or why the demo has no verdict; empty when all went well.
    """

    demo: str
    judge: str
    steps: tuple[JudgedStep, ...]
    verdict: DemoVerdict | None = None
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = 0.0
    trouble: str = ""


_AHEAD: Final = 16
"""Questions that are made before the answers to earlier ones are there; their pictures are in memory."""
_R = TypeVar("_R", bound=Record)


def judge_demo(
    library: Library,
    demo_id: str,
    port: LanguagePort | None,
    *,
    control: JobControl,
    catalogue: PromptCatalogue | None = None,
    again: bool = False,
    leave_out: bool = False,
) -> JudgeReport:
    """Judge a demo; each answer is stored as soon as it is there, and all of it is undone in one go.

    Args:
        library: where the demo is.
        demo_id: which.
        port: the model; None for labels alone.
        control: progress and cancelling.
        catalogue: the prompts; None for the shipped ones under the person's own.
        again: ask again what this model has said already.
        leave_out: mark the steps that are doubtful to be left out of exports; those that a person has looked at stay.

    Raises:
        CancelledError: the user stopped it; what was stored before is kept.
        LibraryError: the demo was changed elsewhere meanwhile, or a picture is damaged; likewise.
    """
    run = _Run(
        library=library,
        story=DemoStory(library, library.demo(demo_id)),
        port=port,
        control=control,
        catalogue=catalogue or PromptCatalogue(),
        again=again,
        leave_out=leave_out,
    )
    return run.run()


@dataclass(kw_only=True)
class _Run:
    library: Library
    story: DemoStory
    port: LanguagePort | None
    control: JobControl
    catalogue: PromptCatalogue
    again: bool
    leave_out: bool
    gesture: str = field(default_factory=lambda: new_id("judge"))
    steps: list[JudgedStep] = field(default_factory=list[JudgedStep])
    asked: list[LanguageAnswer[Any]] = field(default_factory=list[LanguageAnswer[Any]])
    labels: Sequence[tuple[StepLabel, ...]] = ()
    trouble: str = ""

    def __post_init__(self) -> None:
        self.demo = self.story.demo
        self.name = LOCAL if self.port is None else self.port.name

    def run(self) -> JudgeReport:
        with naming_the_step(self.demo):
            labels = local_labels(self.demo.steps, ScreenSimilarity(self.library.get_image))
        if self.port is None:
            for index, found in enumerate(labels):
                self._through(index, _labelled(self.demo.steps[index], found), "judged")
            return self._report(self.demo.head.verdict)
        self.labels = labels
        self._ask_steps(self.port)
        return self._report(self._ask_demo(self.port))

    def _ask_steps(self, port: LanguagePort) -> None:
        """Take the answers in order; some questions are under way before the answer to an earlier one is there."""
        total = len(self.labels)
        waiting: deque[Future[LanguageAnswer[StepReply]] | None] = deque()
        try:
            for index in range(total):
                for asked in range(index + len(waiting), min(index + _AHEAD, total)):
                    self.control.token.check()
                    waiting.append(self._question(asked, port))
                self._take(index, waiting.popleft(), port)
                if self.trouble:
                    return
        finally:
            for future in filter(None, waiting):
                future.cancel()

    def _question(self, index: int, port: LanguagePort) -> Future[LanguageAnswer[StepReply]] | None:
        """The question about a step, under way; None where this judge has said something already."""
        step = self.demo.steps[index]
        if not self.again and step.verdict is not None and step.verdict.provenance.name == port.name:
            return None
        with naming_the_step(self.demo):
            context = self.story.context(index)
            subject = f"{self.demo.head.id}/{step.id}"
            return port.submit(
                step_request(context, self.labels[index], self.catalogue, sees=port.sees, subject=subject)
            )

    def _take(self, index: int, future: Future[LanguageAnswer[StepReply]] | None, port: LanguagePort) -> None:
        step = self.demo.steps[index]
        if future is None:
            self._through(index, step.verdict, "kept")
            return
        try:
            reply = self._wait(future)
        except LanguageError as error:
            if isinstance(error, (BudgetError, NoKeyError, ServerError)):
                self.trouble = str(error)
            self._through(index, _labelled(step, self.labels[index]), "failed", message=str(error))
            return
        self._through(index, reply.verdict(labels=self.labels[index], model=port.name), "judged")

    def _ask_demo(self, port: LanguagePort) -> DemoVerdict | None:
        old = self.demo.head.verdict
        fresh = any(step.state == "judged" for step in self.steps)
        if self.trouble or (old is not None and old.provenance.name == port.name and not self.again and not fresh):
            return old
        images = self.library if port.sees else None
        verdicts = [one.verdict for one in self.steps]
        request = demo_request(self.demo, self.story.briefs, verdicts, self.catalogue, images=images)
        try:
            verdict = self._wait(port.submit(request)).verdict(model=port.name)
        except LanguageError as error:
            self.trouble = str(error)
            return old
        head = self.demo.head.model_copy(update={"verdict": verdict})
        self._commit(self.demo.head, head, "Judge a demo")
        return verdict

    def _wait(self, future: Future[LanguageAnswer[_R]]) -> _R:
        answer = wait_for(future, self.control)
        self.asked.append(answer)
        return answer.value

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
            self._commit(step, new, "Judge a step")
        self.steps.append(
            JudgedStep(step=index + 1, state=state, verdict=new.verdict, left_out=new.left_out, message=message)
        )
        total = len(self.demo.steps)
        self.control.report(Progress(done=index + 1, total=total, text=f"Judging step {index + 1} of {total}"))

    def _commit(self, before: DemoHead | Step, after: DemoHead | Step, label: str) -> None:
        by = by_program("template" if self.port is None else "model", self.name, reason="judge")
        if isinstance(after, Step) and isinstance(before, Step) and after.review != before.review:
            by = by_human(reason="left out by the judge's word")
        changes = (Change.between(before, after),)
        edit = Edit(id=new_id("edit"), label=label, changes=changes, provenance=by, merge_key=self.gesture)
        self.library.commit(self.demo.head.id, edit)

    def _report(self, verdict: DemoVerdict | None) -> JudgeReport:
        sums = usage_sums(self.asked)
        sums["calls"] -= sums.pop("cached")
        return JudgeReport(
            demo=self.demo.head.id,
            judge=self.name,
            steps=tuple(self.steps),
            verdict=verdict,
            trouble=self.trouble,
            **sums,
        )


def _labelled(step: Step, labels: tuple[StepLabel, ...]) -> StepVerdict | None:
    """What a step's verdict becomes by labels alone: what a model said stays."""
    if step.verdict is not None:
        return step.verdict.model_copy(update={"labels": labels})
    return StepVerdict(labels=labels, provenance=by_program("template", LOCAL, reason="judge")) if labels else None


def _said(verdict: StepVerdict) -> tuple[object, ...]:
    return (verdict.labels, verdict.correct, verdict.redundant, verdict.reflection, verdict.provenance.name)
