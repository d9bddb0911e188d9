"""Features draw in layers and may take a gesture; filters hide boxes from sight and from the pointer."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QPainter

from annotator.ui.canvas.layer import CanvasLayer, LayerPointer
from annotator.viewport import Viewport
from tests.gui.conftest import App

LEFT = Qt.MouseButton.LeftButton


class Patch(CanvasLayer):
    """Paints one green square, takes what is pressed on it, and notes what it hears."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def paint(self, painter: QPainter, viewport: Viewport) -> None:
        del viewport
        painter.fillRect(10, 10, 30, 30, QColor(0, 200, 0))

    def pressed(self, at: LayerPointer) -> bool:
        self.heard.append("pressed")
        return at.window.x() < 40 and at.window.y() < 40

    def dragged(self, at: LayerPointer) -> None:
        self.heard.append(f"dragged {at.window.x():.0f}")

    def released(self, at: LayerPointer) -> None:
        del at
        self.heard.append("released")

    def escaped(self) -> bool:
        self.heard.append("escaped")
        return True


@pytest.fixture
def page(app: App) -> Any:
    page = app.open()
    page.canvas.zoom_to(1.0)
    return page


def pixel(page: Any) -> QColor:
    return QColor(page.canvas.grab().toImage().pixelColor(20, 20))


def test_a_layer_is_painted_until_it_is_removed(page: Any) -> None:
    before, patch = pixel(page), Patch()
    page.canvas.add_layer(patch)
    assert pixel(page) == QColor(0, 200, 0)
    page.canvas.remove_layer(patch)
    page.canvas.remove_layer(patch)
    assert pixel(page) == before != QColor(0, 200, 0)


def test_a_gesture_that_a_layer_takes_draws_no_box(app: App, page: Any) -> None:
    before, patch, canvas = app.stored(), Patch(), page.canvas
    page.canvas.add_layer(patch)
    app.qtbot.mousePress(canvas, LEFT, pos=QPoint(20, 20))
    app.qtbot.mouseMove(canvas, QPoint(90, 90))
    app.qtbot.mouseRelease(canvas, LEFT, pos=QPoint(90, 90))
    assert patch.heard == ["pressed", "dragged 90", "released"]
    assert app.stored() == before
    app.qtbot.keyClick(canvas, Qt.Key.Key_Escape)
    assert patch.heard[-1] == "escaped"


def test_a_filter_hides_boxes_from_sight_and_from_the_pointer(app: App, page: Any) -> None:
    view, canvas = page.view, page.canvas
    save = next(e for e in view.document.elements(view.frame.id) if e.text == "Save customer")
    x, y = canvas.viewport.to_window(save.box.center.x, save.box.center.y)
    spot = QPoint(round(x), round(y))
    seen = canvas.grab().toImage()
    view.set_filter("test", lambda element: element.uid != save.uid)
    assert canvas.grab().toImage() != seen
    app.qtbot.mouseClick(canvas, LEFT, pos=spot)
    assert save.uid not in view.selection
    view.select(())
    view.set_filter("test", None)
    app.qtbot.mouseMove(canvas, QPoint(2, 2))
    app.qtbot.mouseClick(canvas, LEFT, pos=spot)
    assert view.selection == (save.uid,)
