"""The keys of the library, the settings and the models: shown by F1, changed by F2, and held at once and everywhere."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget

from annotator.ui.editor import features
from annotator.ui.editor.editor_keys import EDITOR_KEYS
from annotator.ui.editor.key_overlay import KeyOverlay
from annotator.ui.editor.shortcuts_panel import KeysSheet
from annotator.ui.keys.key import PAGE_KEYS
from annotator.ui.keys.ring import KeyRing
from demopack.settings import load_settings
from tests.gui.conftest import App

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # grabbing the keyboard, on no screen

CTRL = Qt.KeyboardModifier.ControlModifier
ALT = Qt.KeyboardModifier.AltModifier


def press(app: App, at: QWidget, key: Any, held: Any = Qt.KeyboardModifier.NoModifier) -> None:
    app.qtbot.keyClick(at, key, held)
    app.settle()


def sheet_of(app: App, page: QWidget, at: QWidget) -> KeysSheet:
    press(app, at, Qt.Key.Key_F2)
    found = page.findChild(KeysSheet)
    assert found is not None
    assert found.isVisible()
    return found


def record(app: App, sheet: KeysSheet, name: str, key: Any, held: Any = Qt.KeyboardModifier.NoModifier) -> None:
    sheet.panel.choose(name)
    sheet.panel.key.click()
    press(app, sheet.panel.key, key, held)


def tip_of(page: QWidget, name: str) -> str:
    return str(next(b for b in page.findChildren(QAbstractButton) if b.accessibleName() == name).toolTip())


def test_f1_shows_the_keys_of_the_page_and_any_key_closes_it(app: App) -> None:
    page = app.window.library_page
    press(app, page.cards, Qt.Key.Key_F1)
    overlay = page.findChild(KeyOverlay)
    assert overlay is not None
    assert overlay.isVisible()
    words = {label.text() for label in overlay.findChildren(QLabel)}
    assert {"Record a new demo", "Search the demos", "Settings", "Change keys", "Ctrl+R", "F2"} <= words
    assert not words & {"Tighten", "Compare", "MOUSE"}
    press(app, overlay, "d")
    assert not overlay.isVisible()


def test_a_key_of_the_library_is_changed_and_set_back(app: App) -> None:
    page = app.window.library_page
    assert tip_of(page, "Record") == "Record a new demo (Ctrl+R)"
    sheet = sheet_of(app, page, page.cards)
    assert sheet.panel.search.hasFocus()
    assert sheet.panel.chosen == "record"
    record(app, sheet, "record", "b", CTRL)
    assert load_settings().ui.keys == {"record": ("Ctrl+B",)}
    assert tip_of(page, "Record") == "Record a new demo (Ctrl+B)"
    press(app, sheet.panel.search, Qt.Key.Key_Escape)
    assert not sheet.isVisible()
    assert page.panel.isHidden()
    press(app, page.cards, "r", CTRL)
    assert page.panel.isHidden()
    press(app, page.cards, "b", CTRL)
    assert not page.panel.isHidden()
    press(app, page, Qt.Key.Key_F2)
    sheet.panel.choose("record")
    sheet.panel._back.click()
    app.settle()
    assert load_settings().ui.keys == {}
    assert tip_of(page, "Record") == "Record a new demo (Ctrl+R)"


def test_a_key_of_the_window_is_told_with_its_meaning_and_taken_away_everywhere(app: App) -> None:
    page = app.window.library_page
    sheet = sheet_of(app, page, page.cards)
    record(app, sheet, "search_demos", "m", CTRL)
    assert sheet.panel.told.text() == "Ctrl+M already means “Models”. One key can mean one thing."
    sheet.panel._keep.click()
    record(app, sheet, "open_models", "g", CTRL | ALT)
    sheet.close_overlay()
    editor = app.open()
    assert editor.context.keyring.map.keys_of("open_models") == ("Ctrl+Alt+G",)
    press(app, editor.canvas, "g", CTRL | ALT)
    assert app.window.models_page.isVisible()


def test_a_button_does_what_the_key_in_its_tip_does(app: App) -> None:
    page = app.window.library_page
    assert tip_of(page, "Models") == "Models (Ctrl+M)"
    next(b for b in page.findChildren(QAbstractButton) if b.accessibleName() == "Models").click()
    app.settle()
    assert app.window.models_page.isVisible()
    editor = app.open()
    fitted = editor.canvas.viewport.scale
    assert tip_of(editor, "100 %") == "Actual size (Ctrl+0)"
    next(b for b in editor.findChildren(QAbstractButton) if b.toolTip() == "Actual size (Ctrl+0)").click()
    assert editor.canvas.viewport.scale == 1.0
    next(b for b in editor.findChildren(QAbstractButton) if b.accessibleName() == "Whole picture").click()
    assert editor.canvas.viewport.scale == fitted


def test_the_search_finds_groups_words_and_keys(app: App) -> None:
    page = app.window.library_page
    panel = sheet_of(app, page, page.cards).panel

    def found(text: str) -> set[str]:
        panel.search.setText(text)
        return {name for name, row in panel._rows.items() if not row.isHidden()}

    assert found("whole window") == {"open_tasks", "open_settings", "open_models", "help_here", "keys_here"}
    assert found("models ctrl+1") == {"models_in_use"}
    assert found("library statistics") == {"library_figures"}


def test_the_same_key_may_mean_something_else_on_another_page(app: App) -> None:
    page = app.window.library_page
    sheet = sheet_of(app, page, page.cards)
    record(app, sheet, "record", "t", CTRL)
    assert sheet.panel.told.text() == ""
    assert load_settings().ui.keys == {"record": ("Ctrl+T",)}


def test_settings_and_models_have_their_keys_and_esc_closes_the_sheet_first(app: App) -> None:
    app.window.open_settings()
    page = app.window.settings_page
    sheet = sheet_of(app, page, page.search)
    record(app, sheet, "leave_settings", "w", CTRL)
    press(app, sheet.panel.search, Qt.Key.Key_Escape)
    assert page.isVisible()
    press(app, page.search, "w", CTRL)
    assert not page.isVisible()
    app.window.open_models()
    models = app.window.models_page
    app.settle()
    press(app, models, "2", CTRL)
    assert models.current == 1
    record(app, sheet_of(app, models, models), "models_train", "5", CTRL)
    models.findChild(KeysSheet).close_overlay()
    models.show_view(0)
    press(app, models, "5", CTRL)
    assert models.current == 1
    assert load_settings().ui.keys == {"leave_settings": ("Ctrl+W",), "models_train": ("Ctrl+5",)}


def test_what_is_chosen_in_the_editor_holds_in_the_library(app: App) -> None:
    editor = app.open()
    editor.context.keyring.use(editor.context.keyring.map.given("record", "Ctrl+B"))
    from annotator.ui.editor.shortcuts_panel import ShortcutsFeature

    feature = editor.context.feature(ShortcutsFeature)
    feature.open()
    feature.panel.choose("search_demos")
    feature.panel.key.click()
    press(app, feature.panel.key, "j", CTRL)
    assert load_settings().ui.keys == {"record": ("Ctrl+B",), "search_demos": ("Ctrl+J",)}
    app.window.close_editor()
    page = app.window.library_page
    press(app, page.cards, "j", CTRL)
    assert page.search.field.hasFocus()


def test_every_key_has_one_name_and_calls_something_unless_a_widget_handles_it(app: App) -> None:
    keys = (*EDITOR_KEYS, *features.keys(), *PAGE_KEYS)
    names = [key.name for key in keys]
    assert len(names) == len(set(names))
    for key in keys:
        assert key.call is not None or key.scope == "shown", key.name
    app.window.open_settings()
    app.window.open_models()
    for page in (app.window.library_page, app.window.settings_page, app.window.models_page):
        ring = page.findChild(KeyRing)
        assert isinstance(ring, KeyRing)
        for name in ring.actions.keys() - {"record"}:
            ring.actions[name].trigger()
            app.settle()
