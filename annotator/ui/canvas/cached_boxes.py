"""Cached image of a frame's boxes: fills by the painter in batches, outlines straight into its pixels.

An edit changes a few rows of the index and repaints a small part of the image; what it costs does not depend on how
many boxes there are. Boxes that are being moved are hidden here, and painted over the image.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QPen

from annotator.hit_testing import BoxIndex
from annotator.outlines import LINE_KINDS, Boxes, Pixels, draw_outlines
from annotator.ui.canvas.box_painting import MAX_LETTERS, MIN_LETTER_BOX_PX, paint_labels
from annotator.ui.painting import faded
from annotator.ui.theme.tokens import HUES, LINES, SELECTION, Family, family_of
from annotator.viewport import Viewport
from demopack.domain.elements import ELEMENT_TYPES, Element
from demopack.domain.geometry import Rect

_MAX_FILLED = 6000
"""Above this many boxes fills are left out: they say nothing any more, and cost more than everything else."""

_MAX_FINE = 1500
"""Above this many boxes in view fills are painted coarsely, and double lines single."""
_COARSE_PX = 3
"""Pixels of the window for each of a coarse fill: it takes a ninth of the time, and is too faint for edges to show."""

_FAMILIES: tuple[Family, ...] = tuple(HUES)
_ACCENT = QColor(SELECTION).rgb()
_FILL = ~0b111000
"""The part of a style that a fill has: not the kind of line."""
_ALPHAS = (6, 13, 20, 27, 30)
_COLOURS = np.array([QColor(HUES[family]).rgb() for family in _FAMILIES], dtype=np.uint32)


_OF_TYPE = {kind: _FAMILIES.index(family_of(kind)) * 64 for kind in ELEMENT_TYPES}
_OF_SOURCE = {source: LINE_KINDS.index(kind) * 8 for source, kind in LINES.items()}
_OTHERWISE = LINE_KINDS.index("dashed") * 8


def _style_code(element: Element) -> int:
    """Style of an element as one number: family, kind of line, strength of its fill."""
    confidence = element.confidence
    certain = confidence is None or element.review == "approved"
    fill = 4 if certain else min(int((confidence or 0) * 4), 3)
    return _OF_TYPE[element.type] + _OF_SOURCE.get(element.source, _OTHERWISE) + fill


def frame_area(view: Viewport, area: QRect) -> Rect:
    """The part of the frame that lies in an area of the window, and a little more."""
    x1, y1 = view.to_picture(area.left(), area.top())
    x2, y2 = view.to_picture(area.left() + area.width(), area.top() + area.height())
    return Rect(int(x1) - 2, int(y1) - 2, int(x2) + 2, int(y2) + 2)


class CachedBoxes:
    """All boxes of one frame, ready to be painted.

    Attributes:
        index: where they lie; shared with the tool that the pointer drives.
    """

    def __init__(self) -> None:
        self.index = BoxIndex((), code=_style_code)
        self._fills: dict[int, dict[str, QRect]] = {}
        self._hidden: frozenset[str] = frozenset()
        self._selected: tuple[str, ...] = ()
        self._coarse = QImage()

    def update(self, elements: Sequence[Element]) -> list[Element] | None:
        """Show the elements as they are now; returns those that differ, as they were and as they are, None for all."""
        change = self.index.update(elements)
        if change.whole:
            self._fills = {}
            for element, code in zip(self.index.elements, (self.index.codes & _FILL).tolist(), strict=True):
                self._fill(element, code)
            return None
        for element in change.removed:
            self._fills.get(_style_code(element) & _FILL, {}).pop(element.uid, None)
        for element in change.added:
            self._fill(element, _style_code(element) & _FILL)
        return [*change.removed, *change.added]

    def hide(self, uids: frozenset[str]) -> list[Rect]:
        """Leave these out from now on, and only these; returns the boxes that are shown or hidden by it."""
        if uids == self._hidden:
            return []
        changed = [box for uid in uids ^ self._hidden if (box := self.index.box(uid)) is not None]
        self._hidden = uids
        return changed

    def set_selected(self, uids: tuple[str, ...]) -> bool:
        """Draw these as selected: very many, more than can be painted over the image; whether they are others now."""
        changed = uids != self._selected
        self._selected = uids
        return changed

    def paint_fills(self, painter: QPainter, view: Viewport, area: Rect) -> None:
        """Fill the boxes that reach into an area of the frame; the painter is in window pixels, and clipped."""
        if len(self.index.elements) > _MAX_FILLED:
            return
        if self._seen(view) <= _MAX_FINE:
            _paint_fills(painter, view, self._fills_in(area), scale=1.0)
            return
        # What lies beside the area may reach into it by a coarse pixel.
        more = math.ceil((_COARSE_PX + 1) / view.scale)
        fills = self._fills_in(Rect(area.x1 - more, area.y1 - more, area.x2 + more, area.y2 + more))
        size = QSize(math.ceil(view.width / _COARSE_PX), math.ceil(view.height / _COARSE_PX))
        if self._coarse.size() != size:
            self._coarse = QImage(size, QImage.Format.Format_ARGB32_Premultiplied)
        self._coarse.fill(0)
        inner = QPainter(self._coarse)
        _paint_fills(inner, view, fills, scale=1 / _COARSE_PX)
        inner.end()
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, on=False)
        target = QRectF(0, 0, _COARSE_PX * size.width(), _COARSE_PX * size.height())
        painter.drawImage(target, self._coarse, QRectF(self._coarse.rect()))

    def write_outlines(self, image: QImage, view: Viewport, area: Rect, clip: QRect) -> None:
        """Draw the outlines into an image of the window's size.

        Args:
            image: format RGB32; not being painted on.
            view: how the picture lies.
            area: the part of the frame that has to be drawn.
            clip: device pixels; nothing outside is touched.
        """
        rows = self._rows_in(area)
        if not rows.size:
            return
        ratio = image.devicePixelRatio()
        boxes = self._on_image(rows, view, ratio)
        codes = self.index.codes[rows]
        pixels: Pixels = np.frombuffer(image.bits(), np.uint32).reshape(image.height(), image.bytesPerLine() // 4)
        edges = (clip.left(), clip.top(), clip.left() + clip.width(), clip.top() + clip.height())
        kinds = (codes >> 3) % 8
        if self._seen(view) > _MAX_FINE:
            kinds[kinds == LINE_KINDS.index("double")] = LINE_KINDS.index("solid")
        draw_outlines(pixels, boxes, _COLOURS[codes >> 6], kinds=kinds, clip=edges, width=max(round(ratio), 1))
        places = [place for uid in self._selected if (place := self.index.place(uid)) is not None]
        selected = np.flatnonzero(np.isin(rows, places)) if places else rows[:0]
        if selected.size:
            accent = np.full(selected.size, _ACCENT, dtype=np.uint32)
            plain = np.zeros(selected.size, dtype=np.int64)
            draw_outlines(pixels, boxes[selected], accent, kinds=plain, clip=edges, width=max(round(2 * ratio), 2))

    def write_labels(self, image: QImage, view: Viewport, area: QRect) -> None:
        """Draw letters, and texts where there is room; ``image`` as for outlines, ``area`` in window pixels."""
        # Letters on all boxes of the window would be too many to read any.
        if self._seen(view, width=MIN_LETTER_BOX_PX[0], height=MIN_LETTER_BOX_PX[1]) > MAX_LETTERS:
            return
        rows = self._rows_in(frame_area(view, area))
        boxes = self._on_image(rows, view, 1.0)
        roomy = np.flatnonzero((boxes[:, 2:] - boxes[:, :2] >= MIN_LETTER_BOX_PX).all(axis=1))
        rows, boxes = rows[roomy], boxes[roomy]
        elements: list[Element] = [self.index.elements[row] for row in rows.tolist()]
        painter = QPainter(image)
        painter.setClipRect(area)
        paint_labels(painter, boxes, elements)
        painter.end()

    def _seen(self, view: Viewport, *, width: float = 0.0, height: float = 0.0) -> int:
        """How many boxes of at least a size in window pixels lie in the window."""
        boxes, (x1, y1) = self.index.boxes, view.to_picture(0, 0)
        if len(boxes) <= min(_MAX_FINE, MAX_LETTERS):
            return len(boxes)
        x2, y2 = view.to_picture(view.width, view.height)
        seen = (boxes[:, 0] < x2) & (boxes[:, 2] > x1) & (boxes[:, 1] < y2) & (boxes[:, 3] > y1)
        if width or height:
            seen &= boxes[:, 2] - boxes[:, 0] >= width / view.scale
            seen &= boxes[:, 3] - boxes[:, 1] >= height / view.scale
        return int(np.count_nonzero(seen))

    # ----------------------------------------------------------------------------------------------------------

    def _fill(self, element: Element, code: int) -> None:
        box = element.box
        self._fills.setdefault(code, {})[element.uid] = QRect(box.x1, box.y1, box.x2 - box.x1, box.y2 - box.y1)

    def _fills_in(self, area: Rect) -> dict[int, list[QRect]]:
        rows = self._rows_in(area)
        if not self._hidden and len(rows) * 2 > len(self.index.elements):
            return {code: list(found.values()) for code, found in sorted(self._fills.items()) if found}
        fills: dict[int, list[QRect]] = {}
        codes = (self.index.codes[rows] & _FILL).tolist()
        for row, code in zip(rows.tolist(), codes, strict=True):
            fills.setdefault(code, []).append(self._fills[code][self.index.elements[int(row)].uid])
        # Always in the same order, because where fills of two hues overlap, the later is stronger.
        return dict(sorted(fills.items()))

    def _rows_in(self, area: Rect) -> npt.NDArray[np.int64]:
        """Rows of the boxes that reach into a part of the frame, hidden ones left out."""
        boxes = self.index.boxes
        inside = (boxes[:, 0] <= area.x2) & (boxes[:, 2] >= area.x1)
        inside &= (boxes[:, 1] <= area.y2) & (boxes[:, 3] >= area.y1)
        for uid in self._hidden:
            row = self.index.place(uid)
            if row is not None:
                inside[row] = False
        return np.flatnonzero(inside)

    def _on_image(self, rows: npt.NDArray[np.int64], view: Viewport, ratio: float) -> Boxes:
        corner = np.array([view.x, view.y, view.x, view.y])
        placed: Boxes = np.rint((self.index.boxes[rows] * view.scale + corner) * ratio).astype(np.int64)
        return placed


def _paint_fills(painter: QPainter, view: Viewport, fills: Mapping[int, list[QRect]], *, scale: float) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
    painter.scale(scale, scale)
    painter.translate(view.x, view.y)
    painter.scale(view.scale, view.scale)
    painter.setPen(QPen(Qt.PenStyle.NoPen))
    for code, rects in fills.items():
        painter.setBrush(_brush(code))
        painter.drawRects(rects)


@cache
def _brush(code: int) -> QBrush:
    return QBrush(faded(HUES[_FAMILIES[code >> 6]], _ALPHAS[code & 7]))
