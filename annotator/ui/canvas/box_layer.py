"""The boxes of the frame on the canvas: cached, and over them hover, the step's action, gesture and selection."""

from __future__ import annotations

import functools
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from typing import Final

from PySide6.QtCore import QRect
from PySide6.QtGui import QImage, QPainter, QRegion

from annotator.hit_testing import BoxIndex
from annotator.tools import GesturePreview, ToolContext
from annotator.ui.canvas.action_mark import ActionMark, mark_of, paint_action
from annotator.ui.canvas.box_painting import (
    guide_rect,
    paint_band,
    paint_box,
    paint_guides,
    paint_handles,
    paint_selected,
    paint_tag,
    tag_rect,
    window_rect,
)
from annotator.ui.canvas.cached_boxes import CachedBoxes, frame_area
from annotator.ui.canvas.layers import CanvasLayer
from annotator.ui.canvas.picture_view import PictureView
from annotator.ui.theme.manager import Theme
from annotator.view_state import ViewState
from annotator.viewport import Viewport
from demopack.domain.elements import Element
from demopack.domain.geometry import Rect

_MAX_FRAMES_KEPT: Final = 4
_MAX_HANDLED: Final = 60
"""Selected boxes; more of them are drawn into the cached image."""
_NO_PREVIEW: Final = GesturePreview(boxes={})


class BoxLayer(CanvasLayer):
    """Paints boxes, and follows the document in small steps."""

    def __init__(self, shown_on: PictureView, view: ViewState, context: ToolContext, theme: Theme) -> None:
        self._shown_on = shown_on
        self._view = view
        self._context = context
        self._theme = theme
        self._cached = CachedBoxes()
        self._recent: OrderedDict[str, CachedBoxes] = OrderedDict()
        self._hovered: str | None = None
        self._letters = False
        self._mark: ActionMark | None = None
        self._preview = _NO_PREVIEW
        self._preview_area = QRegion()
        view.step_changed.connect(self._forget_mark)
        view.selection_changed.connect(self._on_selection)
        view.document.elements_changed.connect(lambda frame_id: self._refresh() if view.is_on(frame_id) else None)
        view.filters_changed.connect(self._refresh)

    @property
    def index(self) -> BoxIndex:
        """Places of the boxes that are shown; it changes with the document, and is another one for another frame."""
        return self._cached.index

    def toggle_letters(self) -> None:
        """Show each box's letter, and its text where there is room, or no longer."""
        self._letters = not self._letters
        self._shown_on.invalidate()

    def hover(self, uid: str | None) -> None:
        """Highlight the box under the pointer; repaints what changes by it, and no more."""
        if uid == self._hovered:
            return
        for one in (self._hovered, uid):
            element = self._view.document.element(one)
            if element is not None:
                self._repaint_around(element, 3)
        self._hovered = uid

    def show_preview(self, preview: GesturePreview | None) -> None:
        """Show what a gesture would do, None for nothing; repaints where it was, and where it is now."""
        self._preview = _NO_PREVIEW if preview is None else preview
        # Boxes are taken out of the cached image while they are moved over it.
        self._invalidate_boxes(self._cached.hide(frozenset(self._preview.boxes)))
        area = QRegion() if preview is None else self._area_of(preview)
        if area.isEmpty() or self._preview_area.isEmpty():
            self._shown_on.update()
        else:
            self._shown_on.update(area | self._preview_area)
        self._preview_area = area

    # Following ------------------------------------------------------------------------------------------------

    def show_frame(self) -> None:
        """Take over the boxes of the current frame; those of the last few are kept."""
        frame = self._view.frame
        self._hovered = None
        self._mark = None
        self._preview = _NO_PREVIEW
        self._cached.hide(frozenset())
        self._cached.set_selected(())
        if frame is None:
            self._cached = CachedBoxes()
            return
        self._cached = self._recent.setdefault(frame.id, CachedBoxes())
        self._recent.move_to_end(frame.id)
        while len(self._recent) > _MAX_FRAMES_KEPT:
            self._recent.popitem(last=False)
        self._cached.update(self._view.shown(frame.id))
        self._shown_on.invalidate()

    def _refresh(self) -> None:
        """Other elements are on the frame, or pass the filters."""
        frame = self._view.frame
        if frame is None:
            return
        changed = self._cached.update(self._view.shown(frame.id))
        hovered = self._view.document.element(self._hovered)
        if hovered is None or not self._view.shows(hovered):
            self._hovered = None
        self._mark = None
        if changed is None:
            self._shown_on.invalidate()
            return
        # What an edit changed: cached boxes, and over them tags and handles beside them.
        self._invalidate_boxes(element.box for element in changed)
        step = self._view.step
        targets = () if step is None else (step.target_uid, step.end_uid)
        if len(self._view.selection) > 1 or any(element.uid in targets for element in changed):
            self._shown_on.update()
            return
        for element in changed:
            self._repaint_around(element, 8)

    def _repaint_around(self, element: Element, margin: int) -> None:
        view = self._shown_on.viewport
        box = window_rect(view, element.box).toAlignedRect()
        self._shown_on.update(box.adjusted(-margin, -margin, margin, margin))
        self._shown_on.update(tag_rect(self._shown_on.font(), view, element, element.box).toAlignedRect())

    def _invalidate_boxes(self, boxes: Iterable[Rect]) -> None:
        """Repaint the cached image where these boxes are or were."""
        for box in boxes:
            self._shown_on.invalidate(window_rect(self._shown_on.viewport, box).toAlignedRect().adjusted(-2, -2, 2, 2))

    def _forget_mark(self) -> None:
        self._mark = None
        self._shown_on.update()

    def _on_selection(self) -> None:
        uids = self._view.selection
        if self._cached.set_selected(uids if len(uids) > _MAX_HANDLED else ()):
            self._shown_on.invalidate()
        self._shown_on.update()

    def _area_of(self, preview: GesturePreview) -> QRegion:
        view, element = self._shown_on.viewport, self._view.element
        boxes = [*preview.boxes.values(), *([] if preview.band is None else [preview.band])]
        area = QRegion(window_rect(view, _around(boxes)).toAlignedRect().adjusted(-8, -8, 8, 8))
        if element is not None and element.uid in preview.boxes:
            area |= tag_rect(self._shown_on.font(), view, element, preview.boxes[element.uid]).toAlignedRect()
        for guide in preview.guides:
            area |= guide_rect(view, guide)
        return area

    # Painting -------------------------------------------------------------------------------------------------

    def paint_cached(self, painter: QPainter, viewport: Viewport, area: QRect) -> None:
        """Fill all boxes but those that are being moved."""
        self._cached.paint_fills(painter, viewport, frame_area(viewport, area))

    def write_cached(self, image: QImage, viewport: Viewport, area: QRect) -> None:
        """Draw the outlines, then letters."""
        ratio = image.devicePixelRatio()
        left, top = int(area.left() * ratio), int(area.top() * ratio)
        right, bottom = round((area.left() + area.width()) * ratio), round((area.top() + area.height()) * ratio)
        clip = QRect(left, top, right - left, bottom - top)
        self._cached.write_outlines(image, viewport, frame_area(viewport, area), clip)
        if self._letters:
            self._cached.write_labels(image, viewport, area)

    def paint(self, painter: QPainter, viewport: Viewport) -> None:
        """Paint hover, the step's action, the gesture under way, the selection, and one tag."""
        preview, document = self._preview, self._view.document
        hovered = None if preview.boxes or preview.band else document.element(self._hovered)
        if hovered is not None:
            paint_box(painter, viewport, hovered, hovered.box, fill=70, width=2)
        step = self._view.step
        if step is not None and self._view.shows_before:
            if self._mark is None:
                self._mark = mark_of(step, document)
            paint_action(painter, viewport, self._mark)
        self._paint_preview(painter, viewport, preview)
        self._paint_selection(painter, viewport, preview.boxes)
        tagged = hovered if hovered is not None else self._view.element
        if tagged is not None:
            paint_tag(painter, viewport, tagged, preview.boxes.get(tagged.uid, tagged.box), self._theme.palette)

    def _paint_preview(self, painter: QPainter, viewport: Viewport, preview: GesturePreview) -> None:
        if len(preview.boxes) > _MAX_HANDLED:
            paint_selected(painter, viewport, preview.boxes.values())
        else:
            for uid, box in preview.boxes.items():
                element = self._view.document.element(uid)
                if element is None:
                    element = Element(uid="new", frame="", type=self._context.new_type, box=box)
                paint_box(painter, viewport, element, box, fill=60, width=1)
                paint_handles(painter, viewport, box, handles=False)
        if preview.band is not None:
            paint_band(painter, viewport, preview.band)
        paint_guides(painter, viewport, preview.guides)

    def _paint_selection(self, painter: QPainter, viewport: Viewport, moved: Mapping[str, Rect]) -> None:
        uids = self._view.selection
        if len(uids) <= _MAX_HANDLED:
            boxes = [box for uid in uids if (box := moved.get(uid) or self.index.box(uid)) is not None]
            for box in boxes:
                paint_handles(painter, viewport, box, handles=len(boxes) == 1)
        if len(uids) > 1:
            around = _around(moved.values()) if moved else self.index.around(uids)
            if around is not None:
                paint_handles(painter, viewport, around, handles=True, quiet=True)


def _around(boxes: Iterable[Rect]) -> Rect:
    return functools.reduce(Rect.union, boxes)
