"""Fits many boxes to what can be seen, picture by picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from annotator.tighten import DEFAULT_LEVEL, tightened
from annotator.words import tr
from demopack.domain.elements import Element, ElementType
from demopack.domain.geometry import Rect
from demopack.domain.ports import FrameStore
from demopack.jobs import JobControl, Progress

__all__ = ["WIDER", "tighten_all"]

WIDER: Final[frozenset[ElementType]] = frozenset(
    {
        "list_item", "tree_item", "menu", "menu_item", "slider",
        "scrollbar", "scrollbar_up_button", "scrollbar_down_button", "scrollbar_left_button",
        "scrollbar_right_button", "scrollbar_thumb", "window", "dialog", "toolbar",
    }
)  # fmt: skip
"""Types that reach further than their ink: a row ends where the next begins, not where its words do. Fitted to what can
be seen they would shrink to their words, so a batch leaves them alone; one by one a person sees what happens."""


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
        elements: by frame id; rejected ones are left out, and types whose box is rightly wider than their ink.
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
            if element.review == "rejected" or element.type in WIDER or not element.box.area:
                continue
            box = tightened(image, element.box, level=level)
            if box != element.box and box.area:
                moved[element.uid] = box
    control.report(Progress(done=len(elements), total=len(elements), text=tr("Boxes tightened")))
    return moved
