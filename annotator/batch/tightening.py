"""Fits many boxes to what can be seen, picture by picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from annotator.tighten import DEFAULT_LEVEL, tightened
from annotator.words import tr
from demopack.domain.elements import Element
from demopack.domain.geometry import Rect
from demopack.domain.ports import FrameStore
from demopack.jobs import JobControl, Progress

__all__ = ["tighten_all"]


def tighten_all(
    store: FrameStore,
    elements: Mapping[str, Sequence[Element]],
    *,
    level: int = DEFAULT_LEVEL,
    control: JobControl,
) -> dict[str, Rect]:
    """The boxes that would move, by uid.

    Args:
        store: gives the pictures.
        elements: by frame id; rejected ones are left out.
        level: as :func:`annotator.tighten.tightened`.
        control: progress, counted in pictures, and cancelling.

    Raises:
        CancelledError: nothing was changed.
        CorruptFrameError: a picture is damaged.
    """
    moved: dict[str, Rect] = {}
    for number, (frame_id, found) in enumerate(elements.items()):
        text = tr("Tightening boxes on screen {value} of {elements}").format(value=number + 1, elements=len(elements))
        control.report(Progress(done=number, total=len(elements), text=text))
        image = store.get_image(frame_id)
        for element in found:
            control.token.check()
            if element.review == "rejected" or not element.box.area:
                continue
            box = tightened(image, element.box, level=level)
            if box != element.box and box.area:
                moved[element.uid] = box
    control.report(Progress(done=len(elements), total=len(elements), text=tr("Boxes tightened")))
    return moved
