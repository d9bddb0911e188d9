"""Contexts of steps: all that may be said about one step of a demo, gathered from the library."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Final

from demopack.domain.binding import response_of
from demopack.domain.demos import Demo
from demopack.domain.elements import Element
from demopack.domain.frames import Frame, RgbImage
from demopack.domain.geometry import Rect
from demopack.domain.ports import StepBrief, StepContext
from demopack.domain.rationale import Rationale
from demopack.domain.steps import Step
from demopack.domain.words import describe_action
from demopack.pixels.changes import changed_boxes

if TYPE_CHECKING:
    from demopack.store import Library

_BACK: Final = 20
"""Steps; what was seen longer ago is not told as hidden."""


class DemoStory:
    """Contexts for the steps of one demo, each knowing the rationales that were written before it.

    Attributes:
        demo: the demo.
        briefs: its steps, with their rationales.
    """

    def __init__(self, library: Library, demo: Demo) -> None:
        self.demo = demo
        # The screen after one step mostly is the one before the next.
        self._look = lru_cache(maxsize=2)(library.get_image)
        self.briefs = [_brief(demo, step) for step in demo.steps]

    def told(self, index: int, rationale: Rationale) -> None:
        """A step has this rationale now; later steps see it in their history."""
        self.briefs[index] = dataclasses.replace(self.briefs[index], rationale=rationale)

    def context(self, index: int) -> StepContext:
        """The context of a step, from 0.

        Raises:
            CorruptFrameError: one of its two pictures is damaged.
        """
        earlier, coming = self.briefs[:index], self.briefs[index + 1 :]
        return step_context(self._look, self.demo, index, earlier=earlier, coming=coming)


def step_context(
    look: Callable[[str], RgbImage],
    demo: Demo,
    index: int,
    *,
    earlier: Sequence[StepBrief] = (),
    coming: Sequence[StepBrief] = (),
) -> StepContext:
    """All that may be said about one step, its pictures compared.

    Args:
        look: gives a picture by its id.
        demo: the demo.
        index: which step, from 0.
        earlier: the steps before it, oldest first.
        coming: the steps after it, in order.

    Raises:
        CorruptFrameError: one of its two pictures is damaged.
    """
    step = demo.steps[index]
    before = _ordered(demo, step.before)
    changed: tuple[Rect, ...] | None = None
    if step.before is not None and step.after is not None:
        same = step.before.id == step.after.id
        changed = () if same else changed_boxes(look(step.before.id), look(step.after.id))
    brief = _brief(demo, step)
    after_parsed = step.after is not None and step.after.id in demo.parsed
    return StepContext(
        task=demo.head.task,
        app=demo.head.app or (step.window.app if step.window is not None else ""),
        window_title=step.window.title if step.window is not None else "",
        history=tuple(describe_action(one.action, one.target, one.end_target) for one in earlier),
        action=brief.action,
        target=brief.target,
        end_target=brief.end_target,
        before=before,
        after=_ordered(demo, step.after) if after_parsed else None,
        changed=changed,
        size=None if step.before is None else step.before.size,
        is_last=index == len(demo.steps) - 1,
        note=step.note,
        earlier=tuple(earlier),
        coming=tuple(coming),
        hidden=_hidden(demo, index, before),
        look=None if step.before is None else partial(look, step.before.id),
        look_after=None if step.after is None else partial(look, step.after.id),
    )


def _brief(demo: Demo, step: Step) -> StepBrief:
    shown = () if step.before is None else demo.elements.get(step.before.id, ())
    found = {element.uid: element for element in shown if element.review != "rejected"}
    return StepBrief(
        action=response_of(step, demo).action,
        target=found.get(step.target_uid or ""),
        end_target=found.get(step.end_uid or ""),
        rationale=step.rationale,
        before=tuple(found.values()),
        # A person's word stands above the judge's, and nothing is learned from a step that nobody will see.
        verdict=None if step.review in {"approved", "rejected"} else step.verdict,
    )


def _ordered(demo: Demo, frame: Frame | None) -> list[Element]:
    return [] if frame is None else demo.ordered(frame.id)


def _hidden(demo: Demo, index: int, before: Sequence[Element]) -> tuple[Element, ...]:
    """What was tracked on the last frames and is not on this one, as it was seen last; newest first."""
    there = {element.track_id for element in before}
    found: dict[str, Element] = {}
    for step in reversed(demo.steps[max(0, index - _BACK) : index]):
        for frame in (step.after, step.before):
            for element in () if frame is None else demo.elements.get(frame.id, ()):
                track = element.track_id
                if track is not None and track not in there and element.review != "rejected":
                    found.setdefault(track, element)
    return tuple(found.values())
