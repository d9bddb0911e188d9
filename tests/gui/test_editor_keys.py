"""Keys of the user's own: recorded, shown wherever keys are shown, set back; letters stay letters in fields."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QSlider, QWidget
from shiboken6 import delete

from annotator.ui.editor import key_overlay
from annotator.ui.editor.boxes.boxes_feature import BoxesFeature
from annotator.ui.editor.key_overlay import KeyOverlay
from annotator.ui.editor.panels.panel_section import Overlay
from annotator.ui.editor.shortcuts_panel import ShortcutsFeature
from demopack.settings import load_settings
from tests.gui.conftest import App

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # grabbing the keyboard, on no screen

CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def page(app: App) -> Any:
    return app.open()


@pytest.fixture
def feature(app: App, page: Any) -> Any:
    app.qtbot.keyClick(page.canvas, Qt.Key.Key_F2)
    return page.context.feature(ShortcutsFeature)


def record(app: App, panel: Any, name: str, key: Any, modifier: Any = Qt.KeyboardModifier.NoModifier) -> None:
    panel.choose(name)
    panel.key.click()
    app.qtbot.keyClick(panel.key, key, modifier)
    app.settle()


def tip_of(page: Any, name: str) -> str:
    return str(next(b for b in page.findChildren(QAbstractButton) if b.accessibleName() == name).toolTip())


def test_f2_opens_the_keys_with_a_search(app: App, page: Any, feature: Any) -> None:
    assert page.context.panel.shown_tab == "keys"
    assert feature.panel.search.hasFocus()
    rows = dict(feature.panel._rows.items())
    app.qtbot.keyClicks(feature.panel.search, "tighten")
    assert {name for name, row in rows.items() if not row.isHidden()} == {"tighten", "tighten_side"}
    feature.panel.search.setText("nothing like this")
    assert any(label.text() == "No key fits this search." and label.isVisible() for label in page.findChildren(QLabel))


def test_a_recorded_key_holds_at_once_and_in_the_next_demo(app: App, page: Any, feature: Any) -> None:
    record(app, feature.panel, "side", "b", CTRL)
    assert load_settings().ui.keys == {"side": ("Ctrl+B",)}
    before = page.view.side
    app.qtbot.keyClick(page.canvas, "b")
    assert page.view.side == before
    app.qtbot.keyClick(page.canvas, "b", CTRL)
    assert page.view.side != before
    app.window.close_editor()
    assert app.open().context.keyring.map.keys_of("side") == ("Ctrl+B",)


def test_tool_tips_overlay_and_menu_show_the_keys_that_hold(app: App, page: Any, feature: Any) -> None:
    assert tip_of(page, "Whole picture") == "Whole picture (F)"
    record(app, feature.panel, "fit", "w", CTRL)
    assert tip_of(page, "Whole picture") == "Whole picture (Ctrl+W)"
    assert "(B)" in tip_of(page, "Picture: Before")
    record(app, feature.panel, "tighten", "t", CTRL | Qt.KeyboardModifier.AltModifier)
    menu = page.context.feature(BoxesFeature).menu_at(QPoint(2, 2))
    assert "Tighten\tCtrl+Alt+T" in [action.text() for action in menu.actions()]
    menu.deleteLater()
    app.qtbot.keyClick(page.canvas, Qt.Key.Key_F1)
    assert "Ctrl+Alt+T" in {label.text() for label in page.findChild(KeyOverlay).findChildren(QLabel)}
    app.qtbot.keyClick(page.findChild(KeyOverlay), Qt.Key.Key_Escape)
    feature.panel.choose("fit")
    feature.panel._back.click()
    assert tip_of(page, "Whole picture") == "Whole picture (F)"
    feature.panel._all_back.click()
    app.settle()
    assert load_settings().ui.keys == {}


def test_the_menu_of_jobs_the_slider_and_the_search_show_the_keys_that_hold(page: Any) -> None:
    def shown(kind: Any, start: str) -> str:
        return next(one.toolTip() for one in page.findChildren(kind) if one.toolTip().startswith(start))

    assert shown(QAction, "From those programs").endswith("(Ctrl+Shift+I)")
    assert shown(QAction, "Every key of the editor").endswith("(F2)")
    assert shown(QSlider, "Hide suggestions").endswith("(Ctrl+[, Ctrl+])")
    assert shown(QWidget, "Words are looked for").endswith("to see them (Ctrl+K)")
    assert tip_of(page, "Review: Doubt") == "Somebody should look at it again (Shift+Space)"
    keyring = page.context.keyring
    keyring.use(keyring.map.given("import_annotations", "Ctrl+Alt+J").given("show_more", "Ctrl+Alt+L"))
    assert shown(QAction, "From those programs").endswith("(Ctrl+Alt+J)")
    assert shown(QSlider, "Hide suggestions").endswith("(Ctrl+Alt+L, Ctrl+])")


def test_a_key_with_two_meanings_is_asked_about_in_words(app: App, page: Any, feature: Any) -> None:
    panel = feature.panel
    record(app, panel, "tighten", "g")
    assert panel.told.text() == "G already means “Carry over from the previous step”. One key can mean one thing."
    panel._keep.click()
    assert panel.told.text() == ""
    assert page.context.keyring.map.chosen == {}
    record(app, panel, "tighten", "g")
    panel._take.click()
    app.settle()
    assert page.context.keyring.map.keys_of("tighten") == ("G",)
    assert page.context.keyring.map.keys_of("carry_over") == ()
    assert load_settings().ui.keys == {"tighten": ("G",)}


def test_keys_that_controls_need_and_keys_that_stay(app: App, page: Any, feature: Any) -> None:
    record(app, feature.panel, "tighten", Qt.Key.Key_Left)
    assert "Add Ctrl or Alt" in feature.panel.told.text()
    feature.panel.choose("approve")
    assert not feature.panel.key.isEnabled()
    assert page.context.keyring.map.chosen == {}


def test_names_and_keys_stand_whole_where_the_panel_is_narrow(app: App, page: Any, feature: Any) -> None:
    keyring, panel = page.context.keyring, feature.panel
    keyring.use(keyring.map.given("tighten", "Ctrl+Alt+Shift+Backspace"))
    app.window.resize(880, 820)
    splitter = page.panel.parentWidget()
    splitter.setSizes([1, 2000, 1])
    app.qtbot.waitUntil(lambda: page.panel.width() == page.panel.minimumWidth())
    tree, rows = panel.list, dict(panel._rows.items())
    panel.choose("tighten")
    metrics, margin = tree.fontMetrics(), 14  # of the style sheet and of the style, left and right
    cut = [
        (name, column)
        for name, row in rows.items()
        for column in (0, 1)
        for room in (QRect(0, 0, tree.columnWidth(column) - margin, 1000),)
        for text in (row.text(column).replace("+", "+\u200b"),)
        for needed in (metrics.boundingRect(room, int(Qt.TextFlag.TextWordWrap), text),)
        if needed.width() > room.width() or needed.height() > tree.visualItemRect(row).height()
    ]
    assert cut == []
    assert tree.visualItemRect(rows["tighten"]).height() > tree.visualItemRect(rows["fit_inside"].parent()).height()
    for field in (panel.key, panel.further):
        assert field.width() >= field.sizeHint().width()


def test_letters_are_letters_while_a_field_has_the_focus(app: App, page: Any) -> None:
    called: list[str] = []
    for name, action in page.context.keyring.actions.items():
        action.triggered.disconnect()
        action.triggered.connect(lambda *_, name=name: called.append(name))
    page.panel.note.edit_note()
    fields: list[QWidget] = [page.panel.note.focusWidget(), page.context.head.task]
    for field in fields:
        field.setFocus()
        for letter in "abcdeghjklmnopqrtuvwxyz0123456789":
            app.qtbot.keyClick(field, letter)
    assert called == []
    assert "abcdeghjklmnopqrtuvwxyz0123456789" in page.context.head.task.text()
    page.canvas.setFocus()
    app.qtbot.keyClick(page.canvas, "g")
    assert len(called) == 1


def test_arrows_are_arrows_in_every_language(monkeypatch: pytest.MonkeyPatch) -> None:
    german = {"Shift+Up": "Umschalt+Hoch", "Left": "Links", "Space": "Leertaste"}
    monkeypatch.setattr(key_overlay, "native", lambda text: german.get(text, text))
    assert [key_overlay._cap(text) for text in ("Shift+Up", "Left", "Space")] == ["Umschalt+↑", "←", "Leertaste"]


def test_an_overlay_gives_the_keyboard_to_what_lies_below_where_its_owner_is_gone(app: App) -> None:
    page = app.open()
    field = QLineEdit(page)
    field.show()
    field.setFocus()
    app.qtbot.waitUntil(lambda: page.focusWidget() is field)
    overlay = Overlay(page, "Overlay")
    overlay.open_here(overlay)
    delete(field)
    overlay.close_overlay()
    assert overlay.isHidden()
    assert not overlay.hasFocus()


def test_a_hidden_part_of_an_overlay_gets_no_keyboard_back(app: App) -> None:
    page = app.open()
    first, second = Overlay(page.canvas, "first"), Overlay(page.canvas, "second")
    field = QLineEdit(first)
    first.open_here(field)
    page.steps.setFocus()
    first.hide()
    second.open_here(second)
    second.close_overlay()
    assert page.focusWidget() is page.canvas


@pytest.mark.parametrize("put_away", ["other tab", "hidden"])
@pytest.mark.parametrize(
    ("key", "step", "name"),
    [
        (Qt.Key.Key_E, 0, "Rationale"),
        (Qt.Key.Key_N, 0, "Note"),
        (Qt.Key.Key_V, 1, "Variable"),
        (Qt.Key.Key_Return, 0, "Text of the element"),
    ],
)
def test_a_key_that_begins_to_write_brings_its_field_to_the_front(
    app: App, page: Any, put_away: str, key: Any, step: int, name: str
) -> None:
    page.view.go_to(step)
    page.view.select_next(1)
    page.canvas.setFocus()
    page.panel.show_tab("history")
    page.panel.setVisible(put_away != "hidden")
    app.qtbot.keyClick(page.canvas, key)
    field = page.window().focusWidget()
    assert field.accessibleName() == name
    assert field.isVisible()
    assert page.panel.shown_tab == "element"
    # Not even at the edge of what is scrolled: all of it can be seen.
    area = page.panel._area.viewport()
    assert area.rect().contains(field.rect().translated(field.mapTo(area, QPoint())))


def test_a_key_without_a_field_to_write_in_leaves_the_panel_as_it_is(app: App, page: Any) -> None:
    page.view.select(())
    page.panel.show_tab("history")
    for key in (Qt.Key.Key_V, Qt.Key.Key_Return):
        app.qtbot.keyClick(page.canvas, key)
        assert page.canvas.hasFocus()
        assert page.panel.shown_tab == "history"


def test_f6_goes_to_the_tab_that_is_shown_and_on(app: App, page: Any) -> None:
    page.panel.show_tab("history")
    page.canvas.setFocus()
    app.qtbot.keyClick(page.canvas, Qt.Key.Key_F6)
    assert page.panel.shown_tab == "history"
    assert page.panel.isAncestorOf(page.window().focusWidget())
    app.qtbot.keyClick(page.window().focusWidget(), Qt.Key.Key_F6)
    assert page.steps.hasFocus()
