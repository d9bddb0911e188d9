"""Boxes that are copied to the pictures of a range of steps, or taken away there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from annotator.commands import checked, deleted_element, edit_each, element_changes, make_edit, several_words
from annotator.document import Document
from annotator.propagate.carry import CarriedElement
from annotator.propagate.merging import merge
from annotator.propagate.tracks import frames_in_order, new_track, tracks_in_use
from annotator.words import tr
from demopack.domain.edits import Edit
from demopack.domain.elements import Element
from demopack.domain.frames import Frame, RgbImage
from demopack.domain.geometry import Size, iou
from demopack.domain.records import new_id
from demopack.jobs import JobControl
from demopack.pixels.masks import crop

Where = Mapping[str, frozenset[str]]
"""By frame id: the uids of the boxes that something is to be done about there."""

_SAME_PLACE_IOU = 0.8


def frames_between(document: Document, first: int, last: int) -> list[Frame]:
    """The pictures on which the steps of a range were done, each once.

    Args:
        document: the demo.
        first: number of a step, from 1.
        last: number of the last one; a range may be given backwards.
    """
    low, high = sorted((first, last))
    return frames_in_order(document.steps[max(low - 1, 0) : high])


def wherever(elements: Sequence[Element], frames: Sequence[Frame]) -> Where:
    """Every box on every picture on which it has room."""
    return {frame.id: frozenset(e.uid for e in elements if e.box.area and e.box.inside(frame.size)) for frame in frames}


def where_same(
    elements: Sequence[Element],
    source: Frame,
    frames: Sequence[Frame],
    read: Callable[[str], RgbImage],
    control: JobControl,
) -> Where:
    """Every box on the pictures that show in its place, pixel by pixel, what its own picture shows there.

    Raises:
        CancelledError: it was cancelled.
        CorruptFrameError: a picture is damaged.
    """
    own = read(source.id)
    found: dict[str, frozenset[str]] = {}
    for done, frame in enumerate(frames):
        control.step(done, len(frames), tr("Comparing the pictures"))
        pixels = own if frame.id == source.id else read(frame.id)
        both = Size(min(own.shape[1], pixels.shape[1]), min(own.shape[0], pixels.shape[0]))
        seen = [e for e in elements if e.box.area and e.box.inside(both)]
        found[frame.id] = frozenset(e.uid for e in seen if np.array_equal(crop(own, e.box), crop(pixels, e.box)))
    return found


def _pictures(count: int) -> str:
    return tr("1 picture") if count == 1 else tr("{count} pictures").format(count=count)


@dataclass(frozen=True, slots=True, kw_only=True)
class CopyOver:
    """Boxes that a person wants on other pictures too; there they are the same elements, and approved.

    What a person drew, approved or rejected there in the same place stays as it is.
    """

    uids: tuple[str, ...]
    where: Where

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        elements = document.present(self.uids)
        used = tracks_in_use(document)
        replaced: dict[str, Element | None] = {}
        named: list[Element] = []
        for element in elements:
            track = element.track_id or new_track(element, used)
            used.add(track)
            named.append(element.model_copy(update={"track_id": track}))
            if element.track_id is None:
                replaced[element.uid] = named[-1]
        added: list[Element] = []
        frames = 0
        for frame, uids in self.where.items():
            copies = [
                CarriedElement(
                    element=e.model_copy(update={**checked(e), "uid": new_id("el"), "frame": frame, "parent": None}),
                    origin=e.uid,
                    how="same",
                )
                for e in named
                if e.uid in uids and e.frame != frame
            ]
            merged = merge(copies, document.elements(frame))
            replaced |= merged.replaced
            added += merged.added.values()
            frames += bool(merged.replaced or merged.added)
        if not frames:
            return None
        return make_edit(
            tr("Copy {several} to {pictures}").format(several=several_words(elements), pictures=_pictures(frames)),
            element_changes(document, replaced, added),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveOver:
    """Boxes that are taken away on other pictures: the same elements, or what lies in the same place.

    As on one picture: what a finder found stays as rejected, or the next search would bring it back.
    """

    uids: tuple[str, ...]
    where: Where

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        elements = document.present(self.uids)
        gone: list[str] = []
        for frame, uids in self.where.items():
            meant = [element for element in elements if element.uid in uids]
            here = [element for element in document.elements(frame) if element.review != "rejected"]
            tracks = {one.track_id for one in meant if one.track_id is not None}
            gone += [
                element.uid
                for element in here
                if element.track_id in tracks
                or any(one.type == element.type and iou(one.box, element.box) >= _SAME_PLACE_IOU for one in meant)
            ]
        what = tr("Remove {several} from {pictures}")
        return edit_each(
            document,
            gone,
            deleted_element,
            lambda old: what.format(several=several_words(elements), pictures=_pictures(len({e.frame for e in old}))),
        )
