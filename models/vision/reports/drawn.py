"""What the pixels show of a control that a program reported: its frame, its ink, its mark, its track."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Point, Rect
from demopack.pixels.drawn import (
    columns,
    drawn_frame,
    edges_of,
    ground_of,
    has_ink,
    mark_in,
    part_of,
    sign_box,
    slider_parts,
)
from demopack.pixels.foreground import foreground_box
from demopack.pixels.masks import crop
from models.vision.reports.elements import ReportedElement
from models.vision.reports.unreported import is_underlined

LEAST_EDGES: Final = 2
_BUTTON_EDGES: Final = 3
_OFF_CENTRE: Final = 0.15
"""How far what is on a button is off its middle, twice, as a share of its width."""
_GROUND_STEP: Final = 6
"""Steps of a channel between the ground of a button and the one that it stands on."""
_FLAT: Final = 10
"""Range of grey values, of 255, up to which nothing is drawn in a box."""
_TOO_LARGE_PX: Final = 30
"""Least side of a button with a picture; marks are 12 to 22 pixels large, with some air around them."""
_FRAME_PX: Final = 3
"""Of a control's frame, with the air beside it."""
_SLIMMEST_LETTER, _WIDEST_LETTER = 0.2, 1.0
"""Of a label, in heights of its mark."""


class DrawnControls:
    """The pixels of one frame, asked about boxes on it."""

    def __init__(self, image: RgbImage, *, scale: int, pointers: Sequence[Point]) -> None:
        """Take the pixels.

        Args:
            image: shape (height, width, 3), uint8.
            scale: how much larger than usual programs draw on it.
            pointers: where steps acted on it, pixels: what was hit keeps the whole box in which it can be hit.
        """
        self._image = image
        self._scale = scale
        self._pointers = pointers

    def is_drawn(self, box: Rect) -> bool:
        """Whether anything is drawn there."""
        part = crop(self._image, box)
        return bool(part.size) and int(part.max()) - int(part.min()) > _FLAT

    def is_blank(self, box: Rect) -> bool:
        """Whether nothing is drawn in a frame, and nobody pointed there."""
        inner = shrunk(box, _FRAME_PX)
        hit = any(box.contains(at) for at in self._pointers)
        return not hit and edges_of(self._image, box) >= LEAST_EDGES and not has_ink(self._image, inner)

    def is_hit_in(self, inner: Rect, box: Rect) -> bool:
        """Whether a part of a control can stand for it: nothing beside that was hit."""
        return not any(box.contains(at) and not inner.contains(at) for at in self._pointers)

    def edges(self, box: Rect) -> int:
        """On how many sides of a box an edge is drawn."""
        return edges_of(self._image, box)

    def ink(self, box: Rect) -> Rect | None:
        """What is drawn in a box, without its outermost pixels."""
        return foreground_box(self._image, shrunk(box, 1))

    def is_link(self, box: Rect, words: Iterable[Rect]) -> bool:
        """Whether a button looks like a link: without edges, its words underlined."""
        return edges_of(self._image, box) < LEAST_EDGES and any(is_underlined(self._image, one) for one in words)

    def shown_part(self, one: ReportedElement, box: Rect, *, with_words: bool) -> Rect:
        """Of a button without edges or a slider: what is drawn of it."""
        if one.type == "slider":
            return self._track_of(box)
        if one.type in {"button", "hyperlink"} or (one.type == "icon" and not one.acts):
            return self._ink_of(box, with_words=with_words, flat=one.type == "button" and "expanded" in one.states)
        return box

    def _ink_of(self, box: Rect, *, with_words: bool, flat: bool = False) -> Rect:
        """Of a button that has no edges: what is drawn of it, where nothing beside that was hit.

        Args:
            box: pixels of the frame.
            with_words: whether words were read on it.
            flat: whether it never has edges, as the row of an expander, which reaches to those of others.
        """
        if not flat and edges_of(self._image, box) >= LEAST_EDGES:
            return box
        sign = None if with_words else sign_box(self._image, box)
        if sign is not None and self.is_hit_in(sign, box):
            return sign
        inner = shrunk(box, 1)
        if flat:  # what is far to its right belongs to what is around it
            first = next(iter(columns(self._image, inner, gap=2 * box.height)), inner)
            inner = Rect(max(inner.x1, first.x1 - 1), inner.y1, min(inner.x2, first.x2 + 1), inner.y2)
        ink = foreground_box(self._image, inner)
        if ink is not None and ink.encloses(inner):  # a ground of many colours
            ink = sign_box(self._image, box) or ink
        frame = drawn_frame(self._image, box) if with_words else None
        if frame is not None and (ink is None or frame.width > ink.width or frame.height > ink.height):
            ink = frame
        return ink if ink is not None and self.is_hit_in(ink, box) else box

    def _track_of(self, box: Rect) -> Rect:
        """Of a slider: its track and its handle, without the air around them and the number beside them."""
        track = next(iter(slider_parts(self._image, box, gap=4 * self._scale)), box)
        is_whole = 2 * max(track.width, track.height) > max(box.width, box.height)
        return track if is_whole and self.is_hit_in(track, box) else box

    def is_pressed(self, box: Rect) -> bool:
        """Whether a link looks like a button: it stands out from what is around it, and what is on it fills it."""
        ink = foreground_box(self._image, shrunk(box, 3))
        if ink is None:
            return False
        left, right, air = ink.x1 - box.x1, box.x2 - ink.x2, max(4, box.height // 5)
        if not self._has_ground(box) and (edges_of(self._image, box) < _BUTTON_EDGES or min(left, right) < air):
            return False
        return abs(left - right) <= max(4, _OFF_CENTRE * box.width) or max(left, right) <= box.height

    def _has_ground(self, box: Rect) -> bool:
        """Whether the ground in a box is another than on its four sides."""
        wide, high = (box.x1, box.x2), (box.y1, box.y2)
        sides = [(wide, (high[0] - 4, high[0] - 2)), (wide, (high[1] + 2, high[1] + 4))]
        sides += [((wide[0] - 4, wide[0] - 2), high), ((wide[1] + 2, wide[1] + 4), high)]
        around = [part_of(self._image, Rect(x[0], y[0], x[1], y[1])) for x, y in sides]
        own = part_of(self._image, box)
        grounds = [ground_of(part) for part in around if part.size]
        return bool(own.size and grounds) and all(
            max(abs(a - b) for a, b in zip(ground_of(own), one, strict=True)) > _GROUND_STEP for one in grounds
        )

    def is_too_large_to_tick(self, box: Rect) -> bool:
        """Whether it is as wide as it is high, and larger than any mark: a button with a picture that stays down."""
        return box.width < 2 * box.height and min(box.width, box.height) >= _TOO_LARGE_PX * self._scale

    def mark_in_row(self, box: Rect) -> Rect | None:
        """The mark at an end of a cell; or at its beginning, where the rest of it is lit up."""
        beginning = Rect(box.x1, box.y1, min(box.x2, box.x1 + box.height + 3 * self._scale), box.y2)
        return self.mark_at_end(box) or mark_in(self._image, beginning, scale=self._scale)

    def mark_at_end(self, box: Rect) -> Rect | None:
        """The mark at an end of a box, or in it where there is nothing else; the ring of the input may be around it."""
        for part in (box, shrunk(box, 2 * self._scale)):
            groups = columns(self._image, part, gap=3 * self._scale, least=8)
            outermost = dict.fromkeys([*groups[:1], *groups[-1:]])
            ends = (mark_in(self._image, group, scale=self._scale) for group in outermost)
            if (mark := next((mark for mark in ends if mark is not None), None)) is not None:
                return mark
        return None

    def words_beside(self, mark: Rect, name: str, others: Iterable[Rect]) -> list[Rect]:
        """What is drawn after a mark, up to another control, as wide as its name may be: its label."""
        after = [box.x1 for box in others if box.y1 < mark.y2 and box.y2 > mark.y1 and box.x1 >= mark.x2]
        start = mark.x2 + 1
        end = min([mark.x2 + round(_WIDEST_LETTER * mark.height * len(name)), *after, self._image.shape[1]])
        if end <= start:
            return []
        words = columns(self._image, Rect(start, mark.y1 - 2, end, mark.y2 + 3), gap=mark.height)[:1]
        near = [one for one in words if one.x1 - mark.x2 <= mark.height]
        return [one for one in near if one.width >= _SLIMMEST_LETTER * mark.height * len(name)]


def shrunk(box: Rect, by: int) -> Rect:
    """A box without so many pixels on each side; of one that is hardly larger its middle is left, without size."""
    across, down = min(by, box.width // 2), min(by, box.height // 2)
    return Rect(box.x1 + across, box.y1 + down, box.x2 - across, box.y2 - down)
