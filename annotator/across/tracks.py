"""The same element over the pictures of a demo: names of new tracks, and who else is on one."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterator

from annotator.document import Document
from demopack.domain.elements import Element
from demopack.domain.frames import Frame

__all__ = ["TrackIndex", "all_elements", "frames_in_order", "new_track", "others_on_track", "tracks_in_use"]


def frames_in_order(document: Document) -> list[Frame]:
    """The pictures on which the steps were done, each once, in order."""
    frames: dict[str, Frame] = {}
    for step in document.steps:
        if step.before is not None:
            frames.setdefault(step.before.id, step.before)
    return list(frames.values())


def all_elements(document: Document) -> Iterator[Element]:
    """Every element on every picture of a demo."""
    for found in document.demo().elements.values():
        yield from found


def tracks_in_use(document: Document) -> set[str]:
    """The track ids of a demo."""
    return {element.track_id for element in all_elements(document) if element.track_id is not None}


def others_on_track(document: Document, element: Element) -> list[Element]:
    """The same element on the other pictures, as far as it is known to be the same; rejected ones are left out."""
    if element.track_id is None:
        return []
    return [
        other
        for other in all_elements(document)
        if other.track_id == element.track_id and other.frame != element.frame and other.review != "rejected"
    ]


class TrackIndex:
    """As :func:`others_on_track`, for whoever asks at every click: a picture is gone through once until it changes."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._known: dict[str, dict[str, list[Element]]] = {}
        self._end = document.elements_changed.connect(self._forget)

    def close(self) -> None:
        """Stop following the document."""
        self._end()

    def others(self, element: Element) -> list[Element]:
        """The same element on the other pictures; rejected ones are left out."""
        if element.track_id is None:
            return []
        found: list[Element] = []
        for frame, elements in self._document.demo().elements.items():
            if frame != element.frame:
                found += self._by_track(frame, elements).get(element.track_id, ())
        return found

    def _by_track(self, frame: str, elements: tuple[Element, ...]) -> dict[str, list[Element]]:
        known = self._known.get(frame)
        if known is None:
            known = self._known[frame] = {}
            for element in elements:
                if element.track_id is not None and element.review != "rejected":
                    known.setdefault(element.track_id, []).append(element)
        return known

    def _forget(self, frame: str) -> None:
        self._known.pop(frame, None)


def new_track(element: Element, used: Collection[str]) -> str:
    """A readable track id that is not used yet, for instance ``button_log_in_0``."""
    words = unicodedata.normalize("NFKD", (element.text or element.subtype or "").casefold())
    plain = "".join(c if c.isalnum() else " " for c in words if not unicodedata.combining(c))
    stem = "_".join([element.type, *plain.split()])[:40].strip("_")
    number = 0
    while f"{stem}_{number}" in used:
        number += 1
    return f"{stem}_{number}"
