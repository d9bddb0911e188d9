"""From a finished draft to a step that may be stored: described by accessibility, scrubbed, its pictures covered."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import Literal, Protocol

import numpy as np

from demopack.clock import now_ns
from demopack.domain.actions import AgentAction
from demopack.domain.frames import Frame, RgbImage
from demopack.domain.geometry import Rect
from demopack.domain.records import new_id
from demopack.domain.steps import CaptureQuality, Step
from demopack.domain.words import SHOT_WORDS
from recorder.notes import Shot
from recorder.pairing import Draft
from recorder.privacy.cover import cover
from recorder.reduction.gestures import Gesture
from recorder.screen.frames import Look, Picture
from recorder.steps import build_step, finish_step, frame_of
from recorder.surroundings import Surroundings

__all__ = ["Assembler", "Describes", "Guards", "Images"]

_KEPT_PICTURES = 3  # the after-frame of one step is often the before-frame of the next


class Guards(Protocol):
    """What the assembly needs of :class:`recorder.privacy.guard.Guard`."""

    def scrub(self, draft: Draft) -> Draft | None:
        """The draft without what is secret; None where nothing of it may be stored."""
        ...

    def clean(self, around: Surroundings, draft: Draft) -> Surroundings:
        """What was around a draft, without what is secret."""
        ...

    def holds_text(self, first_ns: int, last_ns: int) -> bool:
        """Whether text is held back that was typed between the two, although pictures of then may show it."""
        ...

    def scrub_look(self, look: Look | None) -> Look | None:
        """A look without what may not be told about its window."""
        ...

    def covers(self, look: Look) -> tuple[Rect, ...]:
        """What must be painted over, in pixels of the virtual desktop."""
        ...


class Describes(Protocol):
    """What the assembly needs of :class:`recorder.surroundings.Witness`."""

    def describe(self, draft: Draft) -> Surroundings:
        """What programs tell about where the draft happened."""
        ...


class Images(Protocol):
    """What the assembly needs of :class:`demopack.store.Recording`."""

    def stage_image(self, image: RgbImage, *, key: str = "") -> str:
        """Take a picture of shape (height, width, 3), uint8, to be stored with what shows it; returns its id."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kept:
    """A picture that was prepared for storing; holding the original keeps its identity from being used again."""

    picture: Picture
    image: RgbImage
    covered: tuple[Rect, ...]
    frame_id: str = ""


class Assembler:
    """Used from the writer's thread alone: it may wait for accessibility and for the disk."""

    def __init__(self, images: Images, *, first: Look, witness: Describes, guard: Guards) -> None:
        """Take the parts.

        Args:
            images: where pictures go.
            first: the screen at the start; gives a step without any picture of its own its place.
            witness: describes a draft.
            guard: keeps out what is secret.
        """
        self._images = images
        self._first = first
        self._witness = witness
        self._guard = guard
        self._recent: OrderedDict[tuple[int, tuple[Rect, ...]], _Kept] = OrderedDict()

    def step(self, draft: Draft, *, position: int) -> Step | None:
        """The step of a draft, its pictures stored; None where nothing of it may be stored.

        Raises:
            DiskFullError: nothing of it may be relied on.
        """
        about = self._witness.describe(draft)
        scrubbed = self._guard.scrub(self._with_text(draft, about))
        if scrubbed is None:
            return None
        about = self._guard.clean(about, draft)
        draft = scrubbed
        before = None if draft.before is None else self.frame(draft.before)
        after = None if draft.after is None else self.frame(draft.after)
        step = build_step(
            draft, position=position, before=before, after=after, basis=before or after or frame_of(self._first, "")
        )
        return step.model_copy(
            update={
                "focused": about.focused,
                "pointed": about.pointed,
                "clipboard": about.clipboard,
                "quality": step.quality.model_copy(
                    update={"responded": about.responded, "fields_known": about.fields_known}
                ),
            }
        )

    def shot(self, shot: Shot, *, position: int) -> Step:
        """The step of a picture that the person asked for: somebody should read something off the screen here."""
        look = self._guard.scrub_look(shot.look) or shot.look
        frame = self.frame(look)
        age_ns = max(0, shot.t_ns - shot.look.ended_ns)
        return Step(
            id=new_id("step"),
            position=position,
            action=AgentAction(action_type="extract_data", parameters={"description": SHOT_WORDS}),
            before=frame,
            after=frame,
            started_ns=shot.t_ns,
            ended_ns=shot.t_ns,
            quality=CaptureQuality(
                frame_age_ms=round(age_ns / 1e6, 3),
                changed_before_event=False,
                settled=True,
                fields_known=self._fields_known(look, shot.t_ns),
            ),
            window=look.window,
        )

    def finish(self, final: Look, frame: Frame, *, position: int, outcome: Literal["success", "failure"]) -> Step:
        """The last step, made now, with the last look and its frame."""
        now = now_ns()
        step = finish_step(frame, position=position, outcome=outcome, now_ns=now)
        known = self._fields_known(final, now)
        return step.model_copy(update={"quality": step.quality.model_copy(update={"fields_known": known})})

    def frame(self, look: Look) -> Frame:
        """The reference to a picture, staged with everything painted over that must not be seen."""
        boxes = self._guard.covers(look)
        key = (id(look.picture), boxes)
        kept = self._recent.get(key)
        if kept is None:
            kept = self._recent[key] = self._prepare(look, boxes)
            while len(self._recent) > _KEPT_PICTURES:
                self._recent.popitem(last=False)
        # Staged every time: what was stored before may have been forgotten since.
        kept = self._recent[key] = replace(kept, frame_id=self._images.stage_image(kept.image, key=kept.frame_id))
        return frame_of(look, kept.frame_id).model_copy(update={"covered": kept.covered})

    def _fields_known(self, look: Look, t_ns: int) -> bool | None:
        """False where a look that was used at that time may show text that is held back; None: nobody was asked."""
        return False if self._guard.holds_text(look.started_ns, max(look.ended_ns, t_ns)) else None

    def _prepare(self, look: Look, boxes: tuple[Rect, ...]) -> _Kept:
        grab = look.picture.grab
        # The grab is a backwards view of the OS's pixels; from here on it is an ordinary picture.
        image: RgbImage = np.ascontiguousarray(grab.image)
        image, covered = cover(image, boxes, grab.space)
        return _Kept(picture=look.picture, image=image, covered=covered)

    def _with_text(self, draft: Draft, about: Surroundings) -> Draft:
        """What an input method or a paste typed is known from the field and the clipboard, not from the keys."""
        return draft if about.text is None else replace(draft, gesture=_typed(draft.gesture, about.text))


def _typed(gesture: Gesture, text: str) -> Gesture:
    return replace(gesture, kind="type", text=text, key_info="")
