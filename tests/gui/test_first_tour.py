"""The tour: beside what it explains, by keyboard, never in the way, never again by itself."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QPoint, QRect, Qt

from annotator.ui.tour_guide import place_beside
from demopack.settings import default_library_dir
from tests.gui.conftest import App, make_app


def test_it_leads_from_the_library_through_the_editor(app: App) -> None:
    window, guide = app.window, app.window.guide
    assert guide.bubble.text == ""
    guide.begin()
    app.qtbot.waitUntil(lambda: guide.bubble.text.startswith("Double-click it"))
    card = window.library_page.first_card
    assert card is not None
    assert not guide.bubble.geometry().contains(card[0].mapTo(window, card[1].center()))
    page = app.open()
    app.qtbot.waitUntil(lambda: guide.number == 2)
    assert page.canvas.hasFocus()
    app.qtbot.keyClick(page.canvas, Qt.Key.Key_F3)
    app.qtbot.waitUntil(lambda: guide.bubble.text.startswith("Y / X: accept or reject"))
    index = page.view.index
    app.qtbot.keyClick(page.canvas, "d")
    assert page.view.index == index + 1
    for number in (4, 5, 6, 7):
        app.qtbot.keyClick(page.canvas, Qt.Key.Key_F3)
        app.qtbot.waitUntil(lambda number=number: guide.number == number and guide.bubble.text != "")
    app.qtbot.keyClick(page.canvas, Qt.Key.Key_F3)
    app.qtbot.waitUntil(lambda: guide.bubble.text == "")
    assert guide.seen
    page.tour_wanted.emit()
    app.qtbot.waitUntil(lambda: guide.number == 2 and guide.bubble.isVisible())


def test_esc_ends_it_for_good(app: App) -> None:
    guide = app.window.guide
    page = app.open()
    guide.offer()
    app.qtbot.waitUntil(lambda: guide.bubble.text != "")
    app.qtbot.keyClick(page.canvas, Qt.Key.Key_Escape)
    app.qtbot.waitUntil(lambda: guide.bubble.text == "")
    guide.offer()
    assert guide.number == 0
    page.view.select_next(1)
    app.qtbot.keyClick(page.canvas, Qt.Key.Key_Escape)  # Esc is the picture's own again
    assert page.view.selection == ()


def test_it_comes_by_itself_only_in_ones_own_library(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    assert app.library.folder != default_library_dir()
    app.window.offer_tour()
    assert app.window.guide.number == 0
    monkeypatch.setenv("DEMOPACK_LIBRARY", str(app.library.folder))
    app.window.offer_tour()
    assert app.window.guide.number == 1


def test_the_window_is_set_up_as_it_was_left(app: App, theme: Any, services: Any) -> None:
    page = app.open()
    for name in ("crosshair", "minimap", "toggle_snap", "toggle_film", "toggle_steps"):
        page.context.keyring.actions[name].trigger()
    page.canvas.zoom_to(2.0)
    page.context.panel.show_tab("history")
    app.window.close()
    again = make_app(app.library, theme, services, app.qtbot)
    page = again.open()
    assert page.canvas.viewport.scale == 2.0
    assert not page.canvas.tools.snaps
    assert page.steps.isHidden()
    assert page.context.panel.shown_tab == "history"
    assert not page.review.film.isHidden()
    page.context.keyring.actions["crosshair"].trigger()
    page.context.keyring.actions["fit"].trigger()
    again.window.close_editor()
    page = again.open()
    assert page.canvas.viewport.fitted
    again.window.close()


@pytest.mark.parametrize(
    "target", [QRect(0, 0, 50, 50), QRect(900, 600, 50, 50), QRect(10, 300, 980, 40), QRect(0, 0, 1000, 700)]
)
def test_a_hint_lies_in_the_window_and_beside_its_target(target: QRect) -> None:
    room, size = QRect(0, 0, 1000, 700), QRect(0, 0, 300, 120)
    placed = QRect(place_beside(target, size, room), size.size())
    assert room.contains(placed)
    assert target == room or not placed.intersects(target)
    assert placed.topLeft() != QPoint(0, 0)
