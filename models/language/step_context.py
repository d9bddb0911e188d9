"""Contexts of steps: all that may be said about one step of a demo, gathered from the library."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Final

from demopack.domain.binding import response_of
from demopack.domain.demos import Demo
from demopack.domain.elements import Element
from demopack.domain.geometry import Rect
from demopack.domain.ports import FrameStore, StepBrief, StepContext
from demopack.domain.rationale import Rationale
from demopack.domain.steps import Step
from demopack.domain.words import describe_action
from demopack.pixels.changes import changed_boxes

_BACK: Final = 20
"""Steps; what was seen longer ago is not told as hidden."""


class DemoStory:
    """Contexts for the steps of one demo, each knowing the rationales that were written before it.

    Attributes:
        demo: the demo.
        briefs: its steps, with their rationales.
    """

    def __init__(self, pictures: FrameStore, demo: Demo) -> None:
        self.demo = demo
        # The screen after one step mostly is the one before the next.
        self._look = lru_cache(maxsize=2)(pictures.get_image)
        self.briefs = [_brief(demo, step) for step in demo.steps]

    def told(self, index: int, rationale: Rationale) -> None:
        """A step has this rationale now; later steps see it in their history."""
        self.briefs[index] = dataclasses.replace(self.briefs[index], rationale=rationale)

    def context(self, index: int) -> StepContext:
        """All that may be said about a step, from 0, its pictures compared.

        Raises:
            CorruptFrameError: one of its two pictures is damaged.
        """
        demo, look = self.demo, self._look
        step, brief = demo.steps[index], self.briefs[index]
        earlier = tuple(self.briefs[:index])
        before = [] if step.before is None else demo.ordered(step.before.id)
        changed: tuple[Rect, ...] | None = None
        if step.before is not None and step.after is not None:
            same = step.before.id == step.after.id
            changed = () if same else changed_boxes(look(step.before.id), look(step.after.id))
        return StepContext(
            task=demo.head.task,
            app=demo.head.app or (step.window.app if step.window is not None else ""),
            window_title=step.window.title if step.window is not None else "",
            history=tuple(describe_action(one.action, one.target, one.end_target) for one in earlier),
            action=brief.action,
            target=brief.target,
            end_target=brief.end_target,
            before=before,
            after=None if step.after is None or step.after.id not in demo.parsed else demo.ordered(step.after.id),
            changed=changed,
            size=None if step.before is None else step.before.size,
            is_last=index == len(demo.steps) - 1,
            note=step.note,
            earlier=earlier,
            coming=tuple(self.briefs[index + 1 :]),
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
