"""Marks of what changed since the step before, and the way from one such region to the next."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from annotator.propagate.attention import AttentionRegions, Compared, changed_regions, first_open, to_look_at
from annotator.propagate.tracks import PropagationStep
from annotator.ui.canvas.layers import CanvasLayer
from annotator.ui.controls import flat_button
from annotator.ui.editor.editor_context import EditorContext
from annotator.ui.painting import faded
from annotator.ui.theme.tokens import HALO, HUES
from annotator.viewport import Viewport
from annotator.words import tr
from demopack.domain.geometry import Rect

_COLOUR = HUES["group"]
"""Stands out from light and dark screenshots alike."""
_MARGIN_PX = 3
_CORNER_PX = 9.0


class AttentionLayer(CanvasLayer):
    """Corners around each region, and a tint; the one that was gone to is marked all around.

    Attributes:
        regions: what is marked, in pixels of the picture.
        current: the one that was gone to.
    """

    def __init__(self) -> None:
        self.regions: tuple[Rect, ...] = ()
        self.current: Rect | None = None

    def show(self, regions: tuple[Rect, ...], *, current: Rect | None = None) -> None:
        """Mark these regions."""
        self.regions, self.current = regions, current

    def paint(self, painter: QPainter, viewport: Viewport) -> None:
        """See :class:`CanvasLayer`."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for region in self.regions:
            x1, y1 = viewport.to_window(region.x1, region.y1)
            x2, y2 = viewport.to_window(region.x2, region.y2)
            frame = QRectF(x1 - _MARGIN_PX, y1 - _MARGIN_PX, x2 - x1 + 2 * _MARGIN_PX, y2 - y1 + 2 * _MARGIN_PX)
            _paint_region(painter, frame, current=region == self.current)


def _paint_region(painter: QPainter, frame: QRectF, *, current: bool) -> None:
    painter.fillRect(frame, faded(_COLOUR, 46 if current else 28))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for colour, width in ((faded(HALO, 210), 4.5), (QColor(_COLOUR), 2.0)):
        painter.setPen(QPen(colour, width, c=Qt.PenCapStyle.RoundCap, j=Qt.PenJoinStyle.RoundJoin))
        if current:
            painter.drawRect(frame)
        else:
            painter.drawLines(_corners(frame))


def _corners(frame: QRectF) -> list[QLineF]:
    wide, high = min(_CORNER_PX, frame.width() / 2), min(_CORNER_PX, frame.height() / 2)
    lines: list[QLineF] = []
    for x, dx in ((frame.left(), wide), (frame.right(), -wide)):
        for y, dy in ((frame.top(), high), (frame.bottom(), -high)):
            lines += [QLineF(x, y, x + dx, y), QLineF(x, y, x, y + dy)]
    return lines


class AttentionMarks:
    """The layer on the picture, its switch in the foot, and the way to the next region.

    Attributes:
        layer: what is painted.
        switch: shows the layer, or hides it.
        attention: what is known.
    """

    def __init__(self, context: EditorContext) -> None:
        self._context = context
        self.attention = AttentionRegions(context.document)
        self.layer = AttentionLayer()
        self._current: Rect | None = None
        self._searching = False
        self.switch = flat_button("changed", tr("Mark what changed since the step before"), context.theme)
        self.switch.setCheckable(True)
        self.switch.toggled.connect(self.refresh)
        context.canvas.add_layer(self.layer, under=True)
        context.add_foot_tool(self.switch)
        view, document = context.view, context.document
        view.frame_changed.connect(self._on_frame)
        view.step_changed.connect(self.refresh)
        document.elements_changed.connect(lambda _: self.refresh())

    def show(self) -> None:
        """Mark regions from now on."""
        self.switch.setChecked(True)
        self.refresh()

    def remember(self, hop: PropagationStep, regions: tuple[Rect, ...]) -> None:
        """What changed between two pictures."""
        self.attention.remember(hop, regions)
        self.refresh()

    def refresh(self) -> None:
        """Mark what asks for attention now; look for what changed where that is not known yet."""
        frame = self._context.view.frame
        regions: tuple[Rect, ...] = ()
        if self.switch.isChecked() and frame is not None:
            regions = self.attention.open_regions(frame)
            unknown = self.attention.unknown(frame)
            if unknown is not None:
                self._find(unknown)
        if self._current not in regions:
            self._current = None
        if (regions, self._current) != (self.layer.regions, self.layer.current):
            self.layer.show(regions, current=self._current)
            self._context.canvas.update()

    def _on_frame(self) -> None:
        self._current = None
        self.refresh()

    def _find(self, hop: PropagationStep) -> None:
        library = self._context.session.library
        self._context.operations.start(
            partial(changed_regions, hop, library.get_image),
            on_result=lambda regions: self.remember(hop, regions),
            on_error=self._failed,
            lane="library",
            newest="changed",
        )

    def _failed(self, error: Exception) -> None:
        # Nothing is marked then; the picture itself says what is wrong with it.
        self._context.say(str(error))

    # To the next one ------------------------------------------------------------------------------------------

    def go_on(self) -> None:
        """Go to the next region that asks for attention, on this picture or a later one."""
        self._context.leave()
        self.show()
        frame = self._context.view.frame
        regions = () if frame is None else self.attention.open_regions(frame)
        place = regions.index(self._current) + 1 if self._current in regions else 0
        if place < len(regions):
            self._go_to(regions[place])
        else:
            self._search()

    def _go_to(self, region: Rect) -> None:
        context = self._context
        frame = context.view.frame
        if frame is None:
            return
        self._current = region
        found = to_look_at(region, context.document.elements(frame.id))
        shown = [element for element in found if context.view.shows(element)]
        context.view.select(tuple(element.uid for element in shown))
        context.canvas.set_view(context.canvas.viewport.revealing(region))
        self.refresh()
        regions = self.attention.open_regions(frame)
        place, count, hidden = regions.index(region) + 1, len(regions), len(found) - len(shown)
        if hidden:
            # Carried into a changed region means little confidence: the slider may hide just these.
            context.say(
                tr(
                    "Changed region {place} of {count} on this picture; suggestions in it that are hidden: {hidden}"
                ).format(place=place, count=count, hidden=hidden)
            )
        else:
            context.say(tr("Changed region {place} of {count} on this picture").format(place=place, count=count))

    def _search(self) -> None:
        """Look for a region on the other pictures, in a job of its own because all of them may have to be compared."""
        if self._searching:
            return
        self._searching = True
        context = self._context
        ahead, read = self.attention.ahead(context.view.index), context.session.library.get_image

        def end() -> None:
            self._searching = False

        context.operations.run(
            tr("Looking for what changed"),
            lambda control: first_open(ahead, read, control),
            on_result=self._arrive,
            on_end=end,
        )

    def _arrive(self, found: tuple[int | None, list[Compared]]) -> None:
        context, (place, compared) = self._context, found
        for hop, regions in compared:
            self.attention.remember(hop, regions)
        if place is None:
            context.say(tr("No region that changed asks for attention any more."))
            self.refresh()
            return
        context.view.go_to(place)
        context.view.set_side("before")
        frame = context.view.frame
        regions = () if frame is None else self.attention.open_regions(frame)
        if regions:
            self._go_to(regions[0])
