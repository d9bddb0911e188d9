"""Builder of the step that may be stored: described by accessibility, scrubbed, its pictures masked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from demopack.clock import now_ns
from demopack.domain.actions import ExtractDataAction
from demopack.domain.frames import MASK_COLOUR, Frame, RgbImage
from demopack.domain.geometry import Rect, ScreenSpace, Size, outermost
from demopack.domain.records import new_id
from demopack.domain.screenshots import Screenshot, Snapshot, rgb_of
from demopack.domain.steps import CaptureQuality, Step
from demopack.domain.trees import TreeReading
from demopack.domain.words import SHOT_WORDS
from demopack.reduction.steps import PendingStep, build_step, finish_step, frame_of
from demopack.store import Recording
from recorder.context import ContextProvider
from recorder.privacy.filter import PrivacyFilter
from recorder.tree_capture import TreeCapture

_KEPT_PICTURES = 3  # the after-frame of one step is often the before-frame of the next


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kept:
    """A picture that was prepared for storing."""

    image: RgbImage
    covered: tuple[Rect, ...]
    frame_id: str = ""


@dataclass(slots=True, kw_only=True)
class StepBuilder:
    """Used from the writer's thread alone: it may wait for accessibility and for the disk.

    Attributes:
        recording: where pictures go.
        first: the screen at the start; gives a step without any picture of its own its place.
        context: what programs report about where a step happened.
        privacy: keeps out what is secret.
        trees: the accessibility trees of the windows on a picture; None where none are kept.
        trees_bytes: no more are kept when they have taken so much.
    """

    recording: Recording
    first: Snapshot
    context: ContextProvider
    privacy: PrivacyFilter
    trees: TreeCapture | None = None
    trees_bytes: int = 0
    _recent: dict[tuple[Screenshot, tuple[Rect, ...]], _Kept] = field(
        default_factory=dict[tuple[Screenshot, tuple[Rect, ...]], _Kept]
    )

    def step(self, pending: PendingStep, *, position: int) -> Step | None:
        """The step of a pending step, its pictures stored; None where nothing of it may be stored.

        Raises:
            DiskFullError: nothing of it may be relied on.
        """
        about = self.context.describe(pending)
        if about.text is not None:
            # What an input method or a paste typed is known from the field and the clipboard, not from the keys.
            typed = replace(pending.gesture, kind="type", text=about.text, key_info="")
            pending = replace(pending, gesture=typed)
        scrubbed = self.privacy.scrub(pending)
        if scrubbed is None:
            return None
        about = self.privacy.clean(about, pending)
        pending = scrubbed
        before = None if pending.before is None else self.frame(pending.before)
        after = None if pending.after is None else self.frame(pending.after)
        step = build_step(
            pending, position=position, before=before, after=after, basis=before or after or frame_of(self.first, "")
        )
        return step.model_copy(
            update={
                "focused": about.focused,
                "pointed": about.pointed,
                "trees": self._readings(pending, before),
                "clipboard": about.clipboard,
                "quality": step.quality.model_copy(
                    update={"responded": about.responded, "fields_known": about.fields_known}
                ),
            }
        )

    @property
    def trees_are_full(self) -> bool:
        """Whether the trees have reached their size."""
        return self.trees is not None and self.recording.tree_bytes >= self.trees_bytes

    def _readings(self, pending: PendingStep, before: Frame | None) -> tuple[TreeReading, ...]:
        """The trees that were read of the windows on the picture before, staged without what must not be known."""
        if self.trees is None or before is None or pending.before is None or self.trees_are_full:
            return ()
        covered = self.privacy.boxes_to_mask(pending.before)
        found: list[TreeReading] = []
        for reading, changed in self.trees.readings(pending.before, pending.gesture.start.t_ns):
            tree = self.privacy.clean_tree(reading.tree, covered=covered, pending=pending)
            key = self.recording.stage_tree(tree)
            found.append(
                TreeReading(
                    tree=key,
                    started_ns=reading.started_ns,
                    ended_ns=reading.ended_ns,
                    proved=changed is not None,
                    changed=changed or (),
                )
            )
        return tuple(found)

    def screenshot_step(self, snapshot: Snapshot, *, t_ns: int, position: int) -> Step:
        """The step of a picture that the person asked for: somebody should read something off the screen here."""
        snapshot = self.privacy.scrub_snapshot(snapshot) or snapshot
        frame = self.frame(snapshot)
        age_ns = max(0, t_ns - snapshot.ended_ns)
        return Step(
            id=new_id("step"),
            position=position,
            action=ExtractDataAction(description=SHOT_WORDS),
            before=frame,
            after=frame,
            started_ns=t_ns,
            ended_ns=t_ns,
            quality=CaptureQuality(
                frame_age_ms=round(age_ns / 1e6, 3),
                changed_before_event=False,
                settled=True,
                fields_known=self._fields_known(snapshot.started_ns, max(snapshot.ended_ns, t_ns)),
            ),
            window=snapshot.window,
        )

    def finish(self, frame: Frame, *, position: int, outcome: Literal["success", "failure"]) -> Step:
        """The last step, made now, with the last frame that may be kept."""
        now = now_ns()
        step = finish_step(frame, position=position, outcome=outcome, now_ns=now)
        known = self._fields_known(frame.grab_started_ns, now)
        return step.model_copy(update={"quality": step.quality.model_copy(update={"fields_known": known})})

    def frame(self, snapshot: Snapshot) -> Frame:
        """The reference to a picture, staged with everything painted over that must not be seen."""
        boxes = self.privacy.boxes_to_mask(snapshot)
        key = (snapshot.screenshot, boxes)
        kept = self._recent.get(key)
        if kept is None:
            image, covered = mask_boxes(rgb_of(snapshot.screenshot), boxes, snapshot.screenshot.space)
            kept = self._recent[key] = _Kept(image=image, covered=covered)
            while len(self._recent) > _KEPT_PICTURES:
                del self._recent[next(iter(self._recent))]
        # Staged every time: what was stored before may have been forgotten since.
        kept = self._recent[key] = replace(kept, frame_id=self.recording.stage_image(kept.image, key=kept.frame_id))
        return frame_of(snapshot, kept.frame_id).model_copy(update={"covered": kept.covered})

    def _fields_known(self, first_ns: int, last_ns: int) -> bool | None:
        """False where a picture of that time may show text that is held back; None: nobody was asked."""
        return False if self.privacy.holds_text(first_ns, last_ns) else None


def mask_boxes(image: RgbImage, boxes: Iterable[Rect], space: ScreenSpace) -> tuple[RgbImage, tuple[Rect, ...]]:
    """A copy of a picture in which these boxes are one flat colour.

    Args:
        image: shape (height, width, 3), uint8; it is not changed.
        boxes: in units of the virtual desktop.
        space: of the picture. Edges are covered outwards: half a pixel of a secret is too much.

    Returns:
        The picture, and what was covered in its pixels: clipped to it, the outermost boxes only, from the top. Without
        any such box the picture itself is returned.
    """
    height, width = image.shape[:2]
    size = Size(width, height)
    kept = outermost(part for box in boxes if (part := space.to_pixels(box).clamped(size)).area)
    if not kept:
        return image, ()
    painted = np.ascontiguousarray(image).copy()
    for box in kept:
        painted[box.y1 : box.y2, box.x1 : box.x2] = MASK_COLOUR
    return painted, tuple(kept)
