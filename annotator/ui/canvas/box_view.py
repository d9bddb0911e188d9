"""The current screenshot with its boxes; who drives it with pointer and keys is :mod:`annotator.ui.canvas.canvas`."""

from __future__ import annotations

import functools
from collections import OrderedDict
from collections.abc import Iterable

from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QImage, QPainter, QRegion
from PySide6.QtWidgets import QWidget

from annotator.tighten import Image
from annotator.tools import BoxTool, Preview
from annotator.ui.canvas.action_mark import ActionMark, paint_action
from annotator.ui.canvas.gestures import guide_rect, paint_band, paint_guides, paint_selected
from annotator.ui.canvas.layered_view import LayeredView
from annotator.ui.canvas.layers import pixels_of
from annotator.ui.canvas.marks import mark_of
from annotator.ui.canvas.overlay import (
    paint_box,
    paint_handles,
    paint_tag,
    tag_rect,
    window_rect,
)
from annotator.ui.canvas.still_boxes import StillBoxes
from annotator.ui.pictures import Pictures
from annotator.ui.theme.manager import Theme
from annotator.view_state import ViewState
from demopack.domain.elements import Element, ElementType
from demopack.domain.frames import Frame
from demopack.domain.geometry import Rect

__all__ = ["BoxView"]

_FRAMES_KEPT = 4
_HANDLED_UP_TO = 60
"""Selected boxes; more of them are drawn into the still layer."""


class BoxView(LayeredView):
    """Paints boxes, selection and what the step did, and follows the document in small steps."""

    def __init__(self, view: ViewState, pictures: Pictures, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(view, pictures, theme, parent)
        self._tool: BoxTool | None = None
        self._still = StillBoxes()
        self._known: OrderedDict[str, StillBoxes] = OrderedDict()
        self._hovered: str | None = None
        self._letters = False
        self._new_type: ElementType = "button"
        self._mark: ActionMark | None = None
        self._gesture_area = QRegion()
        self._ends += [
            view.step_changed.connect(self._on_step),
            view.selection_changed.connect(self._on_selection),
            view.document.elements_changed.connect(self._on_elements),
            view.filters_changed.connect(self._on_filters),
        ]

    @property
    def pixels(self) -> Image | None:
        """The pixels of the frame that is shown, shape (height, width, 4), blue first; None until they are there."""
        frame = self._view.frame
        if self._shot is None or frame is None or frame.id != self._shown_id:
            return None
        return pixels_of(self._shot.image)

    @property
    def picture(self) -> QImage | None:
        """The picture that is shown; None while there is none."""
        return None if self._shot is None else self._shot.image

    def toggle_letters(self) -> None:
        """Show each box's letter, and its text where there is room, or no longer."""
        self._letters = not self._letters
        self.drop_layer()

    def box_on_screen(self, uid: str) -> QRect:
        """Where an element's box lies in the widget; empty when it is gone."""
        element = self._view.document.element(uid)
        return QRect() if element is None else window_rect(self._viewport, element.box).toRect()

    def uid_at(self, at: QPoint) -> str | None:
        """The smallest box at a place of the widget; None where none lies."""
        x, y = self._viewport.to_picture(at.x(), at.y())
        found = self._still.index.at(x, y)
        return found[0] if found else None

    # Following ------------------------------------------------------------------------------------------------

    def begin_frame(self, frame: Frame | None) -> None:
        """Another picture: other boxes, and nothing under way."""
        self._hovered = None
        self._mark = None
        self._still.lift(frozenset())
        self._still.mark(())
        if frame is None:
            self._tool, self._still = None, StillBoxes()
            return
        self._still = self._known.setdefault(frame.id, StillBoxes())
        self._known.move_to_end(frame.id)
        while len(self._known) > _FRAMES_KEPT:
            self._known.popitem(last=False)
        self._still.take(self._view.shown(frame.id))
        self._tool = BoxTool(frame_id=frame.id, size=frame.size, boxes=self._still.index)
        self.drop_layer()

    def _on_elements(self, frame_id: str) -> None:
        frame = self._view.frame
        if frame is None or frame.id != frame_id:
            return
        changed = self._still.take(self._view.shown(frame_id))
        if self._tool is not None:
            self._tool.set_boxes(self._still.index)
        hovered = self._view.document.element(self._hovered)
        if hovered is None or not self._view.shows(hovered):
            self._hovered = None
        self._mark = None
        if changed is None:
            self.drop_layer()
        else:
            self._mend_after(changed)

    def _mend_after(self, changed: list[Element]) -> None:
        """Paint again what an edit changed: boxes in the still layer, and over it tags and handles beside them."""
        self.spoil_boxes(element.box for element in changed)
        step = self._view.step
        targets = () if step is None else (step.target_uid, step.end_uid)
        if len(self._view.selection) > 1 or any(element.uid in targets for element in changed):
            self.update()
            return
        for element in changed:
            self._update_around(element, 8)

    def _update_around(self, element: Element, margin: int) -> None:
        box = window_rect(self._viewport, element.box).toAlignedRect()
        self.update(box.adjusted(-margin, -margin, margin, margin))
        self.update(tag_rect(self.font(), self._viewport, element, element.box).toAlignedRect())

    def _on_filters(self) -> None:
        frame = self._view.frame
        if frame is not None:
            self._on_elements(frame.id)

    def _on_step(self) -> None:
        self._mark = None
        self.update()

    def _on_selection(self) -> None:
        element, uids = self._view.element, self._view.selection
        if element is not None and self._tool is not None and not self._tool.active:
            self.look(self._viewport.revealing(element.box))
        if self._still.mark(uids if len(uids) > _HANDLED_UP_TO else ()):
            self.drop_layer()
        self.update()

    def spoil_boxes(self, boxes: Iterable[Rect]) -> None:
        """Mend the still layer where these boxes are or were."""
        for box in boxes:
            self.spoil(window_rect(self._viewport, box).toAlignedRect().adjusted(-2, -2, 2, 2))

    def lift(self, uids: frozenset[str]) -> None:
        """Take boxes out of the still layer while they are moved over it."""
        changed = self._still.lift(uids)
        if changed is None:
            return
        self.spoil_boxes(changed)

    def follow_gesture(self) -> None:
        """Paint the gesture under way again: where it was, and where it is now."""
        preview = None if self._tool is None else self._tool.preview()
        self.lift(frozenset() if preview is None else frozenset(preview.boxes))
        area = QRegion() if preview is None else self._area_of(preview)
        if area.isEmpty() or self._gesture_area.isEmpty():
            self.update()
        else:
            self.update(area | self._gesture_area)
        self._gesture_area = area

    def _area_of(self, preview: Preview) -> QRegion:
        view, element = self._viewport, self._view.element
        boxes = [*preview.boxes.values(), *([] if preview.band is None else [preview.band])]
        area = QRegion(window_rect(view, _around(boxes)).toAlignedRect().adjusted(-8, -8, 8, 8))
        if element is not None and element.uid in preview.boxes:
            area |= tag_rect(self.font(), view, element, preview.boxes[element.uid]).toAlignedRect()
        for guide in preview.guides:
            area |= guide_rect(view, guide)
        return area

    def hover(self, uid: str | None) -> None:
        """Show which box is under the pointer; repaints what changes by it, and no more."""
        if uid == self._hovered:
            return
        for one in (self._hovered, uid):
            element = self._view.document.element(one)
            if element is not None:
                self._update_around(element, 3)
        self._hovered = uid

    # Painting -------------------------------------------------------------------------------------------------

    def paint_still(self, painter: QPainter) -> None:
        """What was covered, and the fills of all boxes but those that are being moved."""
        super().paint_still(painter)
        self._still.paint(painter, self._viewport, self._part(painter.clipBoundingRect().toAlignedRect()))

    def finish_still(self, layer: QImage, area: QRect) -> None:
        """The outlines, straight into the layer; then letters."""
        ratio = layer.devicePixelRatio()
        left, top = int(area.left() * ratio), int(area.top() * ratio)
        right, bottom = round((area.left() + area.width()) * ratio), round((area.top() + area.height()) * ratio)
        clip = QRect(left, top, right - left, bottom - top)
        self._still.outline(layer, self._viewport, self._part(area), clip)
        if self._letters:
            self._still.label(layer, self._viewport, area, clip)

    def _part(self, area: QRect) -> Rect:
        """The part of the frame that lies in an area of the window."""
        x1, y1 = self._viewport.to_picture(area.left(), area.top())
        x2, y2 = self._viewport.to_picture(area.left() + area.width(), area.top() + area.height())
        return Rect(int(x1) - 2, int(y1) - 2, int(x2) + 2, int(y2) + 2)

    def paint_things(self, painter: QPainter) -> None:
        """Hover, the step's action, the gesture under way, the selection."""
        document, view = self._view.document, self._viewport
        preview = (None if self._tool is None else self._tool.preview()) or Preview(boxes={})
        hovered = None if preview.boxes or preview.band else document.element(self._hovered)
        if hovered is not None:
            paint_box(painter, view, hovered, hovered.box, fill=70, width=2)
        self._paint_mark(painter)
        self._paint_preview(painter, preview)
        self._paint_selection(painter, preview.boxes)
        tagged = hovered if hovered is not None else self._view.element
        if tagged is not None:
            paint_tag(painter, view, tagged, preview.boxes.get(tagged.uid, tagged.box), self._theme.palette)

    def _paint_mark(self, painter: QPainter) -> None:
        step = self._view.step
        if step is not None and self._view.shows_before:
            if self._mark is None:
                self._mark = mark_of(step, self._view.document)
            paint_action(painter, self._viewport, self._mark)

    def _paint_preview(self, painter: QPainter, preview: Preview) -> None:
        document, view = self._view.document, self._viewport
        if len(preview.boxes) > _HANDLED_UP_TO:
            paint_selected(painter, view, preview.boxes.values())
        else:
            for uid, box in preview.boxes.items():
                element = document.element(uid) or Element(uid="new", frame="", type=self._new_type, box=box)
                paint_box(painter, view, element, box, fill=60, width=1)
                paint_handles(painter, view, box, handles=False)
        if preview.band is not None:
            paint_band(painter, view, preview.band)
        paint_guides(painter, view, preview.guides)

    def _paint_selection(self, painter: QPainter, moved: dict[str, Rect]) -> None:
        uids = self._view.selection
        if len(uids) <= _HANDLED_UP_TO:
            boxes = [box for uid in uids if (box := moved.get(uid) or self._still.index.box(uid)) is not None]
            for box in boxes:
                paint_handles(painter, self._viewport, box, handles=len(boxes) == 1)
        if len(uids) > 1 and self._tool is not None:
            around = _around(moved.values()) if moved else self._tool.around(uids)
            if around is not None:
                paint_handles(painter, self._viewport, around, handles=True, quiet=True)


def _around(boxes: Iterable[Rect]) -> Rect:
    return functools.reduce(Rect.union, boxes)
