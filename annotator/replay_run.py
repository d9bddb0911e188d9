"""A demo done again for the app: what a person allowed, what was seen meanwhile, and what came of it. Knows no Qt."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

import numpy as np

from annotator.words import capital, tr
from demopack.domain.demos import Demo
from demopack.domain.frames import Frame, RgbImage
from demopack.domain.geometry import Rect
from demopack.domain.proofs import ReplayProof
from demopack.domain.words import shorten
from demopack.errors import DemopackError, ReplayCode
from demopack.jobs import JobControl
from demopack.settings import Settings
from demopack.store import Library
from player.report import ReplayReport, StepReport
from player.screen_matcher import ScreenView
from player.step_gate import StepGate
from player.target_strategies import Strategy
from player.windows_in_front import WindowsInFront

_COUNTDOWN_S: Final = 3
_SLOW: Final = {"pointer_px_s": 500.0, "typing_interval_ms": 80.0, "pause_s": 1.0}
_MAX_PICTURE_BYTES: Final = 256_000_000  # of compressed pictures of one run


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayPlan:
    """What a person has read and allowed.

    Attributes:
        demo_id: what is done again.
        may_launch: the command lines of programs that may be started.
        unchecked_keys: keys are sent also where nothing tells whether they arrive where they did.
        held: it waits before the first step until the person goes on.
        slow: at a pace that a person can follow.
        countdown_s: seconds between the start and the first step.
    """

    demo_id: str
    may_launch: frozenset[str] = frozenset()
    unchecked_keys: bool = False
    held: bool = False
    slow: bool = False
    countdown_s: int = _COUNTDOWN_S


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayWatch:
    """Who follows a replay; all calls come from its thread.

    Attributes:
        gate: holds it between two steps.
        in_front: windows of ours that stay on the screen.
        on_begin: the demo that is about to be performed.
        on_countdown: so many seconds are left before the first step; 0 when it begins.
        on_next: the number of the step that comes next, from 1.
        on_step: a step was done, or could not be.
    """

    gate: StepGate
    in_front: WindowsInFront
    on_begin: Callable[[Demo], None] = lambda _: None
    on_countdown: Callable[[int], None] = lambda _: None
    on_next: Callable[[int], None] = lambda _: None
    on_step: Callable[[StepReport], None] = lambda _: None


@dataclass(frozen=True, slots=True)
class StepPicture:
    """The screen after a step of a replay.

    Attributes:
        recorded: the frame that should be there; None where the recording has none.
        width: of the live picture, pixels.
        height: as ``width``.
        packed: its pixels, compressed.
        differing: boxes in which the two differ, largest first; empty where they cannot be compared.
    """

    recorded: Frame | None
    width: int
    height: int
    packed: bytes = field(repr=False)
    differing: tuple[Rect, ...] = ()

    @staticmethod
    def of(frame: Frame | None, view: ScreenView) -> StepPicture:
        """Keep a look at the screen; takes some 20 ms for a large one."""
        pixels = np.ascontiguousarray(view.image)
        same_size = view.recorded is not None and view.recorded.shape == view.image.shape
        boxes = view.comparison.boxes if view.comparison is not None and same_size else ()
        packed = zlib.compress(pixels.tobytes(), 1)
        return StepPicture(frame, view.size.width, view.size.height, packed, tuple(boxes))

    def pixels(self) -> RgbImage:
        """Shape (height, width, 3), uint8, RGB."""
        flat = np.frombuffer(zlib.decompress(self.packed), dtype=np.uint8)
        image: RgbImage = flat.reshape(self.height, self.width, 3)
        return image


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayRun:
    """A replay that has ended.

    Attributes:
        demo: as it was performed.
        report: how it went.
        pictures: by the number of the step, from 1; the oldest are let go where they would take too much memory.
        proof: stored with the demo, as it reached the recorded state; None where it did not, or nobody can tell.
    """

    demo: Demo
    report: ReplayReport
    pictures: Mapping[int, StepPicture]
    proof: ReplayProof | None = None


class _Pictures:
    """Collects the pictures of a run within a bound."""

    def __init__(self) -> None:
        self.kept: dict[int, StepPicture] = {}
        self._bytes = 0

    def add(self, index: int, frame: Frame | None, view: ScreenView) -> None:
        made = StepPicture.of(frame, view)
        self.kept[index] = made
        self._bytes += len(made.packed)
        while self._bytes > _MAX_PICTURE_BYTES and len(self.kept) > 1:
            self._bytes -= len(self.kept.pop(next(iter(self.kept))).packed)


def run_replay(
    library: Library, plan: ReplayPlan, settings: Settings, watch: ReplayWatch, control: JobControl
) -> ReplayRun:
    """Perform a demo on this session's screen, and mark it as done again where it was.

    Raises:
        CaptureError: the screen cannot be read or acted on; says why and what to do.
        CancelledError: it was stopped before its first step.
    """
    from player.replay_stage import open_replay

    demo = library.demo(plan.demo_id)
    watch.on_begin(demo)
    if plan.slow:
        settings = settings.model_copy(update={"player": settings.player.model_copy(update=_SLOW)})
    pictures = _Pictures()
    steps_control = JobControl(token=control.token, report=lambda progress: watch.on_next(progress.done + 1))
    with open_replay(
        demo,
        library,
        settings,
        may_launch=plan.may_launch,
        unchecked_keys=plan.unchecked_keys,
        step_gate=watch.gate,
        in_front=watch.in_front,
        on_view=pictures.add,
    ) as make:
        for left in range(plan.countdown_s, 0, -1):
            watch.on_countdown(left)
            control.token.wait(1)
            control.token.check()
        watch.on_countdown(0)
        report = make(demo).run(control=steps_control, on_step=watch.on_step)
    return ReplayRun(demo=demo, report=report, pictures=pictures.kept, proof=_mark(library, demo, report))


def _mark(library: Library, demo: Demo, report: ReplayReport) -> ReplayProof | None:
    """Store with the demo that it was done again, where that is so."""
    from player.replay_proof import proof_of, store_proof
    from recorder.sources import platform_name

    proof = proof_of(demo, report, platform=platform_name())
    if proof is None:
        return None
    try:
        store_proof(library, demo, proof)
    except DemopackError:
        return None  # the demo was edited or removed meanwhile: the proof is about another one
    return proof


# Words --------------------------------------------------------------------------------------------------------------

StepState = Literal["as_recorded", "late", "differs", "not_done", "unknown"]

STATE_WORDS: Final[Mapping[StepState, str]] = {
    "as_recorded": tr("as recorded"),
    "late": tr("late"),
    "differs": tr("differs"),
    "not_done": tr("not done"),
    "unknown": tr("done"),
}
"""How a step went, in a word or two; the last where nothing was compared."""

_CODES: Final[Mapping[ReplayCode, str]] = {
    "not_found": tr("What it acts on was not found on the screen."),
    "ambiguous": tr("More than one thing on the screen may be meant."),
    "occluded": tr("Another window lies over what it acts on."),
    "no_effect": tr("Nothing changed on the screen."),
    "other_effect": tr("It changed something else than in the recording."),
    "other_window": tr("Another window or field has the keyboard."),
    "not_allowed": tr("It was not allowed."),
    "stopped": tr("It was stopped."),
    "failed": tr("It could not be done."),
}

_FOUND: Final[Mapping[Strategy, str]] = {
    "role_name": tr("found by its role and name"),
    "track_id": tr("found as the recorded element"),
    "element_id": tr("found by its number on the screen"),
    "text": tr("found by its text"),
    "bbox": tr("found by its place"),
}


def state_of(step: StepReport) -> StepState:
    """How a step went."""
    if not step.performed or step.error:
        return "not_done"
    if step.matched_after is None:
        return "unknown"
    if not step.matched_after:
        return "differs"
    return "late" if step.late else "as_recorded"


def reason_of(step: StepReport) -> str:
    """What went wrong with a step, in a sentence; empty where nothing did."""
    return _CODES[step.code] if step.code else ""


def happened_lines(step: StepReport) -> list[str]:
    """What happened in a step, line by line; the first is the most important."""
    lines = [reason_of(step)] if step.code else []
    if step.error:
        lines.append(step.error)
    elif step.matched_after is False and step.effect is not None:
        lines.append(
            tr("{share} % of what this step changed looks as recorded.").format(share=round(100 * step.effect))
        )
    elif step.late:
        lines.append(tr("It looked as recorded only when the next step began."))
    elif step.matched_after:
        lines.append(tr("The screen changed as it did in the recording."))
    elif step.performed:
        lines.append(tr("It was done; nothing tells whether it did what it should."))
    if step.strategy and step.point:
        where = tr("{found}, at {x}, {y}.").format(found=found_words(step), x=step.point[0], y=step.point[1])
        lines.append(capital(where))
    return lines


def found_words(step: StepReport) -> str:
    """How what a step acts on was found; empty for a step without a target."""
    return _FOUND[step.strategy] if step.strategy else ""


def summary_of(run: ReplayRun) -> tuple[str, bool]:
    """What came of a replay, in a sentence or two, and whether it is good news."""
    report = run.report
    done, total = sum(step.performed for step in report.steps), report.total
    if report.success:
        if report.as_recorded is None:
            return tr("All {total} steps were done; nothing was there to compare.").format(total=total), True
        return tr("Done again: all {total} steps did what they did in the recording.").format(total=total), True
    wrong = next((step for step in report.steps if state_of(step) in {"not_done", "differs"}), None)
    if wrong is None:
        return tr("Stopped after {done} of {total} steps.").format(done=done, total=total), False
    if state_of(wrong) == "not_done" and wrong.code == "stopped":
        return tr("Stopped at step {step} of {total}.").format(step=wrong.index, total=total), False
    words = (
        tr("Ended at step {step} of {total}: {why}")
        if state_of(wrong) == "not_done"
        else tr("{done} of {total} steps were done. Step {step} is the first that differs: {why}")
    )
    return words.format(step=wrong.index, done=done, total=total, why=reason_of(wrong)), False


def first_wrong(steps: Sequence[StepReport]) -> int:
    """Number of the first step that is not as recorded, from 1; 1 where all are."""
    return next((step.index for step in steps if state_of(step) in {"not_done", "differs"}), 1)


def task_words(demo: Demo) -> str:
    """The task of a demo in one line."""
    return shorten(demo.head.task, 100) or tr("No task written")
