"""What features draw on the picture: layers over the still one, painted on each repaint."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter

from annotator.viewport import Viewport

__all__ = ["CanvasLayer", "LayerPointer"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerPointer:
    """One position of the pointer.

    Attributes:
        x: pixels of the picture; may lie outside.
        y: as ``x``.
        window: the same in pixels of the canvas.
        held: modifier keys.
        button: the button that went down or up; none while it only moves.
    """

    x: float
    y: float
    window: QPointF
    held: Qt.KeyboardModifier
    button: Qt.MouseButton = Qt.MouseButton.NoButton


class CanvasLayer:
    """Base of all layers: paints; may listen to the pointer, and may take a gesture for itself."""

    def paint(self, painter: QPainter, viewport: Viewport) -> None:
        """Paint over the still layer; the painter is in window pixels.

        It is called on each repaint, also for a part of the window only: what is off should cost nothing.
        """

    def moved(self, at: LayerPointer) -> None:
        """The pointer moves, whatever it does meanwhile; told before everything else."""

    def pressed(self, at: LayerPointer) -> bool:
        """A button goes down; True takes the gesture: the canvas and later layers do not see it."""
        del at
        return False

    def dragged(self, at: LayerPointer) -> None:
        """The pointer moves in a gesture that was taken."""

    def released(self, at: LayerPointer) -> None:
        """A gesture that was taken ends."""

    def hovered(self, at: LayerPointer) -> bool:
        """The pointer moves with no button down; True means that the canvas should not show what is under it."""
        del at
        return False

    def left(self) -> None:
        """The pointer left the canvas."""

    def escaped(self) -> bool:
        """Esc was pressed; True when it meant this layer."""
        return False
