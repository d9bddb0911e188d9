"""The action of a step on its picture: where the pointer acted, what it was done to, what was typed."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPainterPath, QPen, QPolygonF

from annotator.document import Document
from annotator.ui.canvas.box_painting import window_rect
from annotator.ui.painting import faded, rounded_box
from annotator.ui.theme.tokens import FONT, HALO, POINTER
from annotator.viewport import Viewport
from annotator.words import key_words, tr
from demopack.domain.actions import ActionTarget
from demopack.domain.elements import Element
from demopack.domain.geometry import Point, Rect, from_norm_xywh
from demopack.domain.steps import Step
from demopack.domain.words import shorten
from demopack.errors import GeometryError

_RING_RADIUS_PX = 13.0
_MAX_CACHED_PX = 300_000
"""Pixels of the shapes of a mark that are kept as an image; larger ones are drawn anew each time."""

_RING_COUNTS = {"double": 2, "triple": 3}
_ARROWS = {"up": "↑", "down": "↓", "left": "←", "right": "→"}
_CLICKS = {
    "single": tr("click"),
    "double": tr("double click"),
    "triple": tr("triple click"),
    "right": tr("right click"),
    "middle": tr("middle click"),
}
_KINDS = {"wait": tr("wait"), "hover": tr("hover"), "extract_data": tr("read"), "launch": tr("start")}


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionMark:
    """What a step did, as it is drawn on the picture before it.

    Attributes:
        at: where the pointer acted; None for the keyboard.
        path: way-points of a drag, its end last.
        target: box of the element it was done to.
        end: box of the element a drag ended on.
        caption: typed text, a key, or what kind of click it was; may be empty.
        rings: 2 for a double click, 3 for a triple one.
    """

    at: Point | None = None
    path: tuple[Point, ...] = ()
    target: Rect | None = None
    end: Rect | None = None
    caption: str = ""
    rings: int = 1


def mark_of(step: Step, document: Document) -> ActionMark:
    """Where and how a step acted, from its pointer, its bound elements, or else its written target."""
    action = step.action
    target, end = document.element(step.target_uid), document.element(step.end_uid)
    pointer, points = step.pointer, action.action_type in {"click", "drag", "hover", "scroll"}
    at: Point | None = None
    path: tuple[Point, ...] = ()
    if pointer is not None and points:
        at = Point(pointer.x, pointer.y)
        if action.action_type == "drag" and pointer.end_x is not None and pointer.end_y is not None:
            path = (*(Point(p.x, p.y) for p in pointer.path), Point(pointer.end_x, pointer.end_y))
    if at is None and target is None and step.before is not None:
        box = _written_box(action.target, step)
        at = box.center if box is not None and points else None
        if action.action_type == "drag" and at is not None and not path:
            to = _written_box(action.end, step)
            path = () if to is None else (to.center,)
    return ActionMark(
        at=at,
        path=path,
        target=_box_here(target, step),
        end=None if end is target else _box_here(end, step),
        caption=_action_words(step),
        rings=_RING_COUNTS.get(action.click_type, 1) if action.action_type == "click" else 1,
    )


def _box_here(element: Element | None, step: Step) -> Rect | None:
    here = element is not None and step.before is not None and element.frame == step.before.id
    return element.box if element is not None and here else None


def _written_box(target: ActionTarget | None, step: Step) -> Rect | None:
    if target is None or target.bbox is None or step.before is None:
        return None
    try:
        return from_norm_xywh(target.bbox, step.before.size)
    except GeometryError:
        return None


def _action_words(step: Step) -> str:
    action = step.action
    held = "".join(f"{key_words(m)}+" for m in action.held)
    match action.action_type:
        case "type":
            return f"“{action.text_to_type}”" + (" ⏎" if action.submit else "")
        case "press_key":
            return key_words(action.key_info)
        case "scroll":
            return f"{held}{_ARROWS[action.scroll_direction]} {action.scroll_steps}"
        case "click":
            click = action.click_type
            return f"{held}{_CLICKS.get(click, click)}" if held or click != "single" else ""
        case "drag":
            return held + tr("drag") if held else ""
        case kind:
            return _KINDS.get(kind, "")


def paint_action(painter: QPainter, view: Viewport, mark: ActionMark) -> None:
    """A ring where the pointer acted, an arrow for a drag, a caption for what was typed."""
    ratio = painter.device().devicePixelRatioF()
    place = _place(view, mark)
    if place.width() * place.height() * ratio * ratio > _MAX_CACHED_PX:
        _paint_shapes(painter, view, mark)
    elif not place.isEmpty():
        # Counted from its own corner: so it is the same image wherever the picture is pushed to.
        beside = replace(view, x=view.x - place.left(), y=view.y - place.top())
        painter.drawImage(place.topLeft(), _shapes(mark, beside, place.width(), place.height(), ratio))
    _paint_caption(painter, view, mark)


def _place(view: Viewport, mark: ActionMark) -> QRect:
    place = QRectF()
    for box in (mark.target, mark.end):
        if box is not None:
            place |= window_rect(view, box)
    for at in () if mark.at is None else (mark.at, *mark.path):
        x, y = view.to_window(at.x, at.y)
        place |= QRectF(x, y, view.scale, view.scale)
    more = math.ceil(_RING_RADIUS_PX + 4 * mark.rings)
    return QRect() if place.isNull() else place.toAlignedRect().adjusted(-more, -more, more, more)


@lru_cache(maxsize=4)
def _shapes(mark: ActionMark, view: Viewport, width: int, height: int, ratio: float) -> QImage:
    """Everything but the caption; kept, because smooth lines cost more than all else that is painted each time."""
    made = QImage(round(width * ratio), round(height * ratio), QImage.Format.Format_ARGB32_Premultiplied)
    made.setDevicePixelRatio(ratio)
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    _paint_shapes(painter, view, mark)
    painter.end()
    return made


def _paint_shapes(painter: QPainter, view: Viewport, mark: ActionMark) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for box in (mark.target, mark.end):
        if box is not None:
            path = QPainterPath()
            path.addRoundedRect(window_rect(view, box).adjusted(-2, -2, 2, 2), 4, 4)
            _haloed(painter, path, 2)
    if mark.at is not None:
        at = _pixel(view, mark.at)
        if mark.path:
            _paint_arrow(painter, at, [_pixel(view, point) for point in mark.path])
        _paint_ring(painter, at, mark.rings)


def _pixel(view: Viewport, point: Point) -> QPointF:
    """The middle of a pixel of the picture, in the window."""
    return QPointF(*view.to_window(point.x + 0.5, point.y + 0.5))


def _haloed(painter: QPainter, path: QPainterPath, width: float) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for colour, wide in ((faded(HALO, 210), width + 2.5), (QColor(POINTER), width)):
        pen = QPen(colour, wide)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        painter.drawPath(path)


def _paint_ring(painter: QPainter, at: QPointF, rings: int) -> None:
    path = QPainterPath()
    for i in range(rings):
        path.addEllipse(at, _RING_RADIUS_PX + 4 * i, _RING_RADIUS_PX + 4 * i)
    _haloed(painter, path, 2)
    painter.setPen(QPen(QColor(HALO), 1.5))
    painter.setBrush(QColor(POINTER))
    painter.drawEllipse(at, 3.5, 3.5)


def _paint_arrow(painter: QPainter, start: QPointF, places: list[QPointF]) -> None:
    path = QPainterPath(start)
    for place in places:
        path.lineTo(place)
    _haloed(painter, path, 2.5)
    end = places[-1]
    # The head follows the last stretch that is long enough to have a direction.
    before = next(
        (p for p in reversed([start, *places[:-1]]) if math.hypot(end.x() - p.x(), end.y() - p.y()) > 6), start
    )
    angle = math.atan2(end.y() - before.y(), end.x() - before.x())
    head = QPolygonF(
        [end]
        + [
            QPointF(end.x() - 13 * math.cos(angle + side), end.y() - 13 * math.sin(angle + side))
            for side in (0.42, -0.42)
        ]
    )
    painter.setPen(QPen(QColor(HALO), 1.5))
    painter.setBrush(QColor(POINTER))
    painter.drawPolygon(head)


def _paint_caption(painter: QPainter, view: Viewport, mark: ActionMark) -> None:
    if not mark.caption:
        return
    if mark.at is not None:
        at = _pixel(view, mark.at) + QPointF(_RING_RADIUS_PX + 4 * mark.rings + 4, -9)
    elif mark.target is not None:
        frame = window_rect(view, mark.target)
        at = QPointF(frame.left(), frame.bottom() + 8)
    else:
        at = QPointF(max(view.x, 0) + 12, max(view.y, 0) + 12)
    ratio = painter.device().devicePixelRatioF()
    made = _caption(shorten(mark.caption, 60), painter.font().toString(), ratio)
    width, height = made.width() / ratio, made.height() / ratio
    left = min(max(at.x(), 4), max(view.width - width - 4, 4))
    top = min(max(at.y(), 4), max(view.height - height - 4, 4))
    painter.drawImage(QPointF(round(left), round(top)), made)


@lru_cache(maxsize=32)
def _caption(words: str, base: str, ratio: float) -> QImage:
    """A caption on its ground; kept, because setting text is slow."""
    font = QFont()
    font.fromString(base)
    font.setPixelSize(FONT.base)
    font.setBold(True)
    width, height = math.ceil(QFontMetricsF(font).horizontalAdvance(words)) + 18, 24
    made = QImage(round(width * ratio), round(height * ratio), QImage.Format.Format_ARGB32_Premultiplied)
    made.setDevicePixelRatio(ratio)
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setFont(font)
    box = QRectF(1, 1, width - 2, height - 2)
    rounded_box(painter, box, 5, ground=POINTER, edge=HALO, width=1.5)
    painter.setPen(QColor(HALO))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)
    painter.end()
    return made
