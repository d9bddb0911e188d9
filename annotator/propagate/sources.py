"""Source and target pictures of a propagation, in the words of the steps that show them."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from annotator.document import Document
from annotator.propagate.tracks import frames_in_order
from demopack.domain.frames import Frame
from demopack.domain.steps import WindowInfo


@dataclass(frozen=True, slots=True, kw_only=True)
class PropagationStep:
    """Two pictures, the second one later.

    Attributes:
        source: where the elements are.
        target: where they are taken.
        source_step: number, from 1, of the step that was done on the source.
        target_step: as ``source_step``, for the target.
        other_window: whether another window had the input on the target, as far as the steps tell.
    """

    source: Frame
    target: Frame
    source_step: int
    target_step: int
    other_window: bool = False


def step_numbers(document: Document) -> dict[str, int]:
    """By frame id: the number, from 1, of the first step that was done on a picture, or else led to it."""
    numbers: dict[str, int] = {}
    steps = document.steps
    for frames in ([step.before for step in steps], [step.after for step in steps]):
        for number, frame in enumerate(frames, start=1):
            if frame is not None:
                numbers.setdefault(frame.id, number)
    return numbers


def hop_to(document: Document, frame: Frame) -> PropagationStep | None:
    """From the nearest earlier picture that has elements to this one; None where there is none.

    A picture that only shows what came of a step gets the elements of the picture before that step.
    """
    earlier: dict[str, Frame] = {}
    for step in document.steps:
        if step.before is not None:
            if step.before.id == frame.id:
                break
            earlier.setdefault(step.before.id, step.before)
        if step.after is not None and step.after.id == frame.id:
            break
    source = next((one for one in reversed(earlier.values()) if document.elements(one.id)), None)
    return None if source is None else _hop(document, source, frame)


def hops_from(document: Document, frame: Frame, *, count: int | None) -> list[PropagationStep]:
    """From this picture over the next ones, each to its successor.

    Args:
        document: the demo.
        frame: where to begin.
        count: how many pictures to reach at most; None for all.
    """
    frames = frames_in_order(document.steps)
    places = [i for i, one in enumerate(frames) if one.id == frame.id]
    if not places:
        return []
    later = frames[places[0] :] if count is None else frames[places[0] : places[0] + count + 1]
    return [_hop(document, source, target) for source, target in itertools.pairwise(later)]


def _hop(document: Document, source: Frame, target: Frame) -> PropagationStep:
    numbers = step_numbers(document)
    return PropagationStep(
        source=source,
        target=target,
        source_step=numbers.get(source.id, 0),
        target_step=numbers.get(target.id, 0),
        other_window=_is_other(_window_on(document, source), _window_on(document, target)),
    )


def _window_on(document: Document, frame: Frame) -> WindowInfo | None:
    return next((step.window for step in document.steps_on(frame.id) if step.window is not None), None)


def _is_other(one: WindowInfo | None, other: WindowInfo | None) -> bool:
    """A window may be renamed, moved or enlarged and stay the same; what has another title elsewhere is another one."""
    if one is None or other is None:
        return False
    if one.app != other.app:
        return True
    return one.title != other.title and one.box != other.box
