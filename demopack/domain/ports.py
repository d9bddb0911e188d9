"""Ports between the packages: what each side needs of the other, without knowing it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from demopack.domain.actions import Action
from demopack.domain.elements import Element
from demopack.domain.frames import Frame, RgbImage
from demopack.domain.geometry import Point, Rect, Size
from demopack.domain.rationale import Rationale
from demopack.domain.verdicts import StepVerdict
from demopack.jobs import JobControl


class FrameStore(Protocol):
    """Reads pictures by content."""

    def get_image(self, frame_id: str) -> RgbImage:
        """The pixels of a stored picture.

        Raises:
            CorruptFrameError: it is missing or damaged.
        """
        ...


class ElementFinder(Protocol):
    """Finds UI elements on one picture."""

    @property
    def name(self) -> str:
        """Models and versions, for the provenance, for instance ``rapidocr-3.10+yolo:ui-s``."""
        ...

    def find(self, image: RgbImage, frame: Frame, *, control: JobControl, near: Sequence[Point] = ()) -> list[Element]:
        """Every element on the picture, unreviewed, without track ids.

        Args:
            image: shape (height, width, 3), uint8.
            frame: what the picture is stored as.
            control: cancelling.
            near: pixels of the picture that matter most, the pointer for instance: where time is short, elements there
                are described first.

        Raises:
            ModelError: a model could not be loaded or died.
            CancelledError: the user stopped it.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class StepBrief:
    """A step beside the one that is explained.

    Attributes:
        action: what was done, its target filled in.
        target: the element it was done to; None when none is known.
        end_target: the element a drag ended on.
        rationale: why; None where nobody said.
        before: elements on its before-frame.
        verdict: what a judge said of it; None where nobody did, where a person approved it, or where it is left out.
    """

    action: Action
    target: Element | None = None
    end_target: Element | None = None
    rationale: Rationale | None = None
    before: Sequence[Element] = ()
    verdict: StepVerdict | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StepContext:
    """What a rationale may be written from.

    Attributes:
        task: what the person set out to do.
        app: the application's name; may be empty.
        window_title: title of the window that had the input; may be empty.
        history: the steps so far, in words, oldest first.
        action: the step's action, its target filled in.
        target: the element it was done to; None when none is known.
        end_target: the element a drag ended on.
        before: elements on the before-frame, reading order.
        after: elements on the after-frame, reading order; None when it was not parsed or does not exist.
        changed: boxes in which the two frames differ, in pixels of the before-frame; None when not compared.
        size: of the before-frame in pixels; None when there is no frame.
        is_last: whether the demo ends after this step.
        note: the demonstrator's own remark on the step; first evidence of why it was taken.
        earlier: the steps before it, oldest first.
        coming: the steps after it, in order. Who writes without hindsight must not look at them.
        hidden: elements of earlier frames that are not on the before-frame: scrolled away, closed, covered.
        look: gives the before-frame's pixels; None when there is no frame.
        look_after: gives the after-frame's pixels; None when there is no such frame.
    """

    task: str
    app: str = ""
    window_title: str = ""
    history: tuple[str, ...]
    action: Action
    target: Element | None
    end_target: Element | None = None
    before: Sequence[Element]
    after: Sequence[Element] | None
    changed: tuple[Rect, ...] | None
    size: Size | None = None
    is_last: bool = False
    note: str = ""
    earlier: tuple[StepBrief, ...] = ()
    coming: tuple[StepBrief, ...] = ()
    hidden: tuple[Element, ...] = ()
    look: Callable[[], RgbImage] | None = None
    look_after: Callable[[], RgbImage] | None = None

    @property
    def mistake(self) -> StepBrief | None:
        """The step right before this one, where it was wrong and stays as a lesson: this one recovers from it."""
        last = self.earlier[-1] if self.earlier else None
        return last if last is not None and last.verdict is not None and last.verdict.correct == "no" else None
