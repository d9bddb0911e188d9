"""A frame view on which features put layers."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QMouseEvent, QPainter
from PySide6.QtWidgets import QWidget

from annotator.ui.canvas.frame_view import FrameView
from annotator.ui.canvas.layer import CanvasLayer, LayerPointer
from annotator.ui.pictures import Pictures
from annotator.ui.theme.manager import Theme
from annotator.view_state import ViewState

__all__ = ["LayeredView"]


class LayeredView(FrameView):
    """Paints layers, and lets them see the pointer before anybody else."""

    def __init__(self, view: ViewState, pictures: Pictures, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(view, pictures, theme, parent)
        self._under: list[CanvasLayer] = []
        self._over: list[CanvasLayer] = []
        self._taken_by: CanvasLayer | None = None

    def add_layer(self, layer: CanvasLayer, *, under: bool = False) -> None:
        """Paint a layer on each repaint, over those that came before.

        Args:
            layer: what to paint.
            under: below the selection and what the step did, instead of over everything.
        """
        (self._under if under else self._over).append(layer)
        self.update()

    def remove_layer(self, layer: CanvasLayer) -> None:
        """Take a layer away; one that is not there is no error."""
        for layers in (self._under, self._over):
            if layer in layers:
                layers.remove(layer)
        if self._taken_by is layer:
            self._taken_by = None
        self.update()

    # For those who inherit ------------------------------------------------------------------------------------

    def paint_things(self, painter: QPainter) -> None:
        """Paint what moves between the layers below and above."""

    def paint_moving(self, painter: QPainter) -> None:
        """Layers below, what moves, layers above."""
        for layers, between in ((self._under, True), (self._over, False)):
            for layer in layers:
                painter.save()
                layer.paint(painter, self._viewport)
                painter.restore()
            if between:
                self.paint_things(painter)

    def layer_pressed(self, event: QMouseEvent) -> bool:
        """Whether a layer took the gesture that begins here; the topmost is asked first."""
        at = self._layer_pointer(event)
        self._taken_by = next((layer for layer in self._front_first() if layer.pressed(at)), None)
        return self._taken_by is not None

    def tell_layers(self, event: QMouseEvent) -> None:
        """Let every layer know where the pointer is."""
        at = self._layer_pointer(event)
        for layer in self._front_first():
            layer.moved(at)

    def layer_moved(self, event: QMouseEvent) -> bool:
        """Whether a layer deals with this move."""
        at = self._layer_pointer(event)
        if self._taken_by is not None:
            self._taken_by.dragged(at)
            return True
        if event.buttons() != Qt.MouseButton.NoButton:
            return False
        answers = [layer.hovered(at) for layer in self._front_first()]
        return any(answers)

    def layer_released(self, event: QMouseEvent) -> bool:
        """Whether the gesture that ends here was a layer's."""
        layer, self._taken_by = self._taken_by, None
        if layer is not None:
            layer.released(self._layer_pointer(event))
        return layer is not None

    def layer_escaped(self) -> bool:
        """Whether Esc meant a layer."""
        return any(layer.escaped() for layer in self._front_first())

    def leaveEvent(self, event: QEvent) -> None:
        """Qt's hook: the pointer is gone."""
        for layer in self._front_first():
            layer.left()
        super().leaveEvent(event)

    # ----------------------------------------------------------------------------------------------------------

    def _front_first(self) -> list[CanvasLayer]:
        return [*reversed(self._over), *reversed(self._under)]

    def _layer_pointer(self, event: QMouseEvent) -> LayerPointer:
        x, y = self._viewport.to_picture(event.position().x(), event.position().y())
        return LayerPointer(x=x, y=y, window=event.position(), held=event.modifiers(), button=event.button())
