"""What is drawn but not told: it is painted over, so that on the picture that is kept everything is known."""

from __future__ import annotations

import numpy as np

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect
from demopack.pixels.drawn import ground_of, part_of, pieces, straight
from lab.screens.apps.sheet import Sheet
from models.training.labelled_screens import GroundTruth

_STEP = 24
_LEAST_PX = 5
_TALL, _WIDE, _DENSE = 120, 420, 0.02


def finish(sheet: Sheet) -> tuple[RgbImage, float]:
    """Drop what is doubled, paint over what nobody knows.

    Returns:
        The picture, and which part of its windows was painted over.
    """
    sheet.elements[:] = _once(sheet.elements)
    image = np.array(sheet.picture)
    doubted = [box for box in sheet.blots if not _owned(sheet, box)]
    pieces_left = _unknown(sheet, doubted)
    hidden = [*doubted, *pieces_left, *sheet.partial]
    area = sum(window.frame.area for window in sheet.windows) or 1
    sheet.elements[:] = [e for e in sheet.elements if not (e.leaf and _lost(e.box, doubted))]
    for box in [*pieces_left, *doubted]:
        _paint(image, box, sheet, inside=False)
    for box in sheet.partial:
        _paint(image, box, sheet, inside=True)
    return image, sum(box.area for box in hidden) / area


def _once(elements: list[GroundTruth]) -> list[GroundTruth]:
    """Without elements that were told twice."""
    kept: list[GroundTruth] = []
    for element in elements:
        same = next((k for k in kept if k.type == element.type and _overlap(k.box, element.box) > 0.85), None)
        if same is None:
            kept.append(element)
    return kept


def _overlap(a: Rect, b: Rect) -> float:
    common = a.intersection(b)
    return 0.0 if common is None else common.area / max(1, min(a.area, b.area))


def _lost(box: Rect, hidden: list[Rect]) -> bool:
    return any((common := box.intersection(h)) is not None and common.area > 0.6 * box.area for h in hidden)


def _owned(sheet: Sheet, box: Rect) -> bool:
    """Whether something certain was found in a doubtful box meanwhile."""
    return any(e.leaf and box.encloses(e.box) and e.box.area > 0.5 * box.area for e in sheet.elements)


def _unknown(sheet: Sheet, hidden: list[Rect]) -> list[Rect]:
    """Compact pieces of drawing inside the windows that belong to no element."""
    image = sheet.picture.astype(np.int16)
    mask = np.zeros(image.shape[:2], dtype=bool)
    mask[:, 1:] |= np.abs(np.diff(image, axis=1)).max(axis=2) > _STEP
    mask[1:] |= np.abs(np.diff(image, axis=0)).max(axis=2) > _STEP
    inside = np.zeros_like(mask)
    for window in sheet.windows:
        box = window.frame
        inside[max(0, box.y1) : max(0, box.y2), max(0, box.x1) : max(0, box.x2)] = True
    mask &= inside
    frames = [e.box for e in sheet.elements if e.leaf] + hidden + sheet.partial + sheet.known
    for box in frames:
        mask[max(0, box.y1 - 2) : box.y2 + 2, max(0, box.x1 - 2) : box.x2 + 2] = False
    reach = 3 * sheet.scale
    with_lines = [piece for piece in pieces(mask, reach=reach) if not any(piece.encloses(box) for box in frames)]
    mask &= ~straight(mask, 32 * sheet.scale)
    found: list[Rect] = []
    for piece in pieces(mask, reach=reach):
        if _is_compact(piece, mask, sheet.scale) and not any(piece.encloses(box) for box in frames):
            whole = next((w for w in with_lines if w.encloses(piece) and _is_small(w, sheet.scale)), piece)
            found.append(Rect(whole.x1 - 1, whole.y1 - 1, whole.x2 + 1, whole.y2 + 1))
    return found


def _is_compact(piece: Rect, mask: np.ndarray[tuple[int, ...], np.dtype[np.bool_]], scale: int) -> bool:
    """Whether a piece looks like a glyph, a word or an icon: not a line, and not the outline of something large."""
    if min(piece.width, piece.height) < _LEAST_PX * scale:
        return False
    large = not _is_small(piece, scale)
    part = mask[piece.y1 : piece.y2, piece.x1 : piece.x2]
    inner = part[2:-2, 2:-2]
    return bool(inner.size) and float(inner.mean()) > (_DENSE if large else 0.04)


def _is_small(piece: Rect, scale: int) -> bool:
    return piece.height <= _TALL * scale and piece.width <= _WIDE * scale


def _paint(image: RgbImage, box: Rect, sheet: Sheet, *, inside: bool) -> None:
    """Fill a box with its own ground or with that around it; elements inside stay as they are."""
    box = box.clamped(sheet.size)
    if not box.area:
        return
    around = Rect(box.x1 - 2, box.y1 - 2, box.x2 + 2, box.y2 + 2).clamped(sheet.size)
    rim = [
        part_of(sheet.picture, Rect(around.x1, around.y1, around.x2, box.y1)),
        part_of(sheet.picture, Rect(around.x1, box.y2, around.x2, around.y2)),
        part_of(sheet.picture, Rect(around.x1, box.y1, box.x1, box.y2)),
        part_of(sheet.picture, Rect(box.x2, box.y1, around.x2, box.y2)),
    ]
    pixels = [part.reshape(-1, 1, 3) for part in rim if part.size]
    if inside or not pixels:
        pixels = [part_of(sheet.picture, box)]
    colour = ground_of(np.concatenate(pixels))
    certain = [e.box for e in sheet.elements if e.leaf] + sheet.known
    kept = [k for c in certain if not c.encloses(box) and (k := c.intersection(box)) is not None]
    saved = [(k, np.array(part_of(image, k))) for k in kept]
    image[box.y1 : box.y2, box.x1 : box.x2] = colour
    for where, part in saved:
        image[where.y1 : where.y2, where.x1 : where.x2] = part
