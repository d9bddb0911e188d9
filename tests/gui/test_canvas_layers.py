"""Features draw in layers and watch the pointer; filters hide boxes from sight and from the pointer."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QColor, QHelpEvent, QPainter
from PySide6.QtWidgets import QApplication, QToolTip

from annotator.ui.canvas.layers import CanvasLayer, LayerPointer
from annotator.viewport import Viewport
from tests.gui.conftest import App

LEFT = Qt.MouseButton.LeftButton


class Patch(CanvasLayer):
    """Paints one green square, and notes what it is told."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def paint(self, painter: QPainter, viewport: Viewport) -> None:
        del viewport
        painter.fillRect(10, 10, 30, 30, QColor(0, 200, 0))

    def moved(self, at: LayerPointer) -> None:
        self.heard.append(f"moved {at.window.x():.0f}")

    def left(self) -> None:
        self.heard.append("left")

    def tooltip(self, at: LayerPointer, viewport: Viewport) -> str:
        del viewport
        return "A green patch" if at.window.x() < 40 and at.window.y() < 40 else ""

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


def test_a_layer_is_painted_over_the_picture(page: Any) -> None:
    assert pixel(page) != QColor(0, 200, 0)
    page.canvas.add_layer(Patch())
    assert pixel(page) == QColor(0, 200, 0)


def test_a_layer_watches_the_pointer_and_may_have_esc(app: App, page: Any) -> None:
    patch, canvas = Patch(), page.canvas
    page.canvas.add_layer(patch)
    app.qtbot.mouseMove(canvas, QPoint(90, 90))
    assert patch.heard == ["moved 90"]
    QApplication.sendEvent(canvas, QEvent(QEvent.Type.Leave))
    assert patch.heard[-1] == "left"
    view = page.view
    view.select((view.document.elements(view.frame.id)[0].uid,))
    app.qtbot.keyClick(canvas, Qt.Key.Key_Escape)
    assert patch.heard[-1] == "escaped"
    assert view.selection, "Esc meant the layer"


def test_the_topmost_layer_with_words_has_the_tooltip(page: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    monkeypatch.setattr(QToolTip, "showText", lambda _at, words, _widget: shown.append(words))
    page.canvas.add_layer(Patch())
    for x in (20, 90):
        at = QPoint(x, 20)
        QApplication.sendEvent(page.canvas, QHelpEvent(QEvent.Type.ToolTip, at, page.canvas.mapToGlobal(at)))
    assert shown == ["A green patch"]


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
