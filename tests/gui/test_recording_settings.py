"""The settings page: made from the model, searchable, saved as it changes; keys that clash are solved in a dialog."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QLabel, QPlainTextEdit, QPushButton, QSpinBox
from pytestqt.qtbot import QtBot

from annotator.ui.services import Services
from annotator.ui.settings.key_field import KeyField
from annotator.ui.settings.setting_row import groups, value_of, with_value
from annotator.ui.settings.settings_page import KeyDialog, SettingsPage, look_at_key
from annotator.ui.theme.manager import Theme
from demopack.errors import BadInputError
from demopack.settings import HotkeySettings, Settings, load_settings, save_settings, settings_path
from demopack.store import Library
from tests.gui.conftest import App, make_app
from tests.support.services import with_calls

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def open_page(app: App) -> SettingsPage:
    app.qtbot.keyClick(app.window, Qt.Key.Key_Comma, Qt.KeyboardModifier.ControlModifier)
    app.settle()
    page = app.window.settings_page
    assert page.isVisible()
    return page


def shown(page: SettingsPage) -> list[str]:
    return [row.title for row in page.rows.values() if not row.isHidden()]


def key_field(page: SettingsPage, name: str) -> KeyField:
    found = page.rows["recorder", "hotkeys", name].findChild(KeyField)
    assert isinstance(found, KeyField)
    return found


def choose(app: App, name: str, key: Qt.Key, held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    field = key_field(app.window.settings_page, name)
    field.click()
    assert field.text() == "Press the keys …"
    app.qtbot.keyClick(field, key, held)
    app.settle()
    app.settle()


def dialog(app: App) -> KeyDialog:
    return next(found for found in app.window.findChildren(KeyDialog) if found.isVisible())


def hotkeys() -> HotkeySettings:
    return load_settings().recorder.hotkeys


def test_every_setting_has_a_row() -> None:
    fields = {path: info for group in groups() for path, info in group.fields.items()}
    paths = set(fields)
    assert ("recorder", "hotkeys", "panic") in paths
    assert ("recorder", "privacy", "blocked_regions") in paths
    assert ("recorder", "timeline_mb") in paths
    assert all(value_of(Settings(), path) == info.default for path, info in fields.items())
    assert all(info.title and info.description for info in fields.values())


def test_a_value_that_is_not_allowed_is_refused() -> None:
    with pytest.raises(BadInputError, match="not possible"):
        with_value(Settings(), ("recorder", "frame_interval_ms"), 3)


def test_switches_numbers_and_lists_are_saved_as_they_change(app: App) -> None:
    page = open_page(app)
    page.rows["recorder", "timeline"].findChild(QCheckBox).click()
    number = page.rows["recorder", "double_click_ms"].findChild(QSpinBox)
    number.setValue(700)
    number.editingFinished.emit()
    lines = page.rows["recorder", "privacy", "blocked_apps"].findChild(QPlainTextEdit)
    lines.setFocus()
    app.qtbot.keyClicks(lines, "KeePassXC")
    app.qtbot.keyClick(lines, Qt.Key.Key_Return)
    app.qtbot.keyClicks(lines, "Signal")
    app.qtbot.keyClick(lines, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    app.settle()
    saved = load_settings().recorder
    assert (saved.timeline, saved.double_click_ms) == (True, 700)
    assert saved.privacy.blocked_apps == ("KeePassXC", "Signal")
    # The next recording goes by it, and the start panel says so.
    assert "KeePassXC, Signal" in app.window.library_page.panel.privacy.text()
    assert app.window.desk.settings.recorder.double_click_ms == 700


def test_a_setting_goes_back_to_its_default(app: App) -> None:
    save_settings(with_value(Settings(), ("recorder", "drag_px"), 20))
    page = open_page(app)
    row = page.rows["recorder", "drag_px"]
    back = next(b for b in row.findChildren(object) if getattr(b, "accessibleName", str)() == "Set Drag distance back")
    assert back.isVisible()
    back.click()
    app.settle()
    assert load_settings().recorder.drag_px == 8
    assert not back.isVisible()


def test_a_region_is_four_numbers(app: App) -> None:
    page = open_page(app)
    row = page.rows["recorder", "privacy", "blocked_regions"]
    text = row.findChild(QPlainTextEdit)
    text.setPlainText("10 10 5 5")
    text.flush()
    assert "Write four whole numbers a line" in row.wrong.text()
    text.setPlainText("0, 0, 300, 200")
    text.flush()
    app.settle()
    assert row.wrong.text() == ""
    assert load_settings().recorder.privacy.blocked_regions == ((0, 0, 300, 200),)


def test_it_is_told_from_when_a_setting_counts(app: App) -> None:
    page = open_page(app)
    starts = {path for path, row in page.rows.items() if "from the next start on" in str(row._info.description)}
    assert starts == {("ui", "language"), ("ui", "scale")}
    told = {("ui", "theme"): "Saved", ("recorder", "timeline"): "Saved; it counts from the next recording on"}
    for path, words in (told | dict.fromkeys(starts, "Saved; it counts from the next start on")).items():
        page.rows[path].changed.emit(path, value_of(Settings(), path))
        app.settle()
        assert page._told.text() == words


def test_settings_that_another_page_wrote_are_kept(app: App) -> None:
    page = open_page(app)
    save_settings(with_value(Settings(), ("player", "corner_px"), 9))
    page.rows["recorder", "timeline"].findChild(QCheckBox).click()
    app.settle()
    assert load_settings().player.corner_px == 9


def test_the_search_narrows(app: App) -> None:
    page = open_page(app)
    page.search.setText("clipboard")
    assert shown(page) == ["Keep clipboard texts"]
    page.search.setText("hot-keys pause")
    assert shown(page) == ["Pause", "Panic pause"]
    page.search.setText("no such thing")
    assert shown(page) == []
    assert page._nothing.isVisible()


def test_the_page_says_where_the_settings_are_kept(app: App) -> None:
    page = open_page(app)
    assert any(text.text().endswith(f"kept in {settings_path()}") for text in page.findChildren(QLabel))


def test_the_page_is_left_by_esc(app: App) -> None:
    page = open_page(app)
    app.qtbot.keyClick(page.search, Qt.Key.Key_Escape)
    assert not page.isVisible()
    assert app.window.library_page.isVisible()


# Hot-keys -------------------------------------------------------------------------------------------------------------


def test_a_key_is_pressed_to_choose_it(app: App) -> None:
    open_page(app)
    choose(app, "pause", Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
    # That is the key of the panic pause: a dialog asks.
    assert dialog(app).problem.title == "Ctrl+Alt+P is taken"
    dialog(app).reject()
    app.settle()
    assert hotkeys() == HotkeySettings()
    choose(app, "pause", Qt.Key.Key_F7)
    assert hotkeys().pause == "F7"
    assert key_field(app.window.settings_page, "pause").keys == "F7"


def test_two_meanings_of_one_key_are_swapped(app: App) -> None:
    open_page(app)
    choose(app, "pause", Qt.Key.Key_F9)
    page = app.window.settings_page
    assert page.rows["recorder", "hotkeys", "pause"].wrong.text() == "F9 is taken."
    next(b for b in dialog(app).findChildren(QPushButton) if b.text() == "Swap: “Add a shot” gets F8").click()
    app.settle()
    assert (hotkeys().pause, hotkeys().shot) == ("F9", "F8")
    assert page.rows["recorder", "hotkeys", "pause"].wrong.text() == ""


def test_or_the_other_one_goes_without(app: App) -> None:
    open_page(app)
    choose(app, "note", Qt.Key.Key_F10)
    next(b for b in dialog(app).findChildren(QPushButton) if b.text().startswith("Use it for “Note”")).click()
    app.settle()
    assert (hotkeys().note, hotkeys().variable) == ("F10", "")


def test_a_key_that_types_is_refused(app: App) -> None:
    open_page(app)
    choose(app, "pause", Qt.Key.Key_A)
    assert dialog(app).problem.title == "A cannot be a hot-key"
    assert dialog(app).problem.ways == ()
    dialog(app).reject()
    app.settle()
    assert hotkeys() == HotkeySettings()


def test_a_key_of_another_program_can_be_used_all_the_same(
    library: Library, theme: Theme, services: Services, qtbot: QtBot
) -> None:

    app = make_app(library, theme, with_calls(services, key_taken=lambda key: key == "F7"), qtbot)
    open_page(app)
    choose(app, "pause", Qt.Key.Key_F7)
    assert dialog(app).problem.title == "F7 belongs to another program"
    next(b for b in dialog(app).findChildren(QPushButton) if b.text() == "Use F7 all the same").click()
    app.settle()
    assert hotkeys().pause == "F7"
    app.window.close()


def test_esc_leaves_a_key_and_backspace_takes_it_away(app: App) -> None:
    page = open_page(app)
    choose(app, "shot", Qt.Key.Key_Escape)
    assert (hotkeys().shot, page.isVisible()) == ("F9", True)
    choose(app, "shot", Qt.Key.Key_Backspace)
    assert hotkeys().shot == ""
    assert key_field(page, "shot").text() == "No key"


def test_the_global_key_is_mute_while_keys_are_pressed(app: App) -> None:
    page = open_page(app)
    field = key_field(page, "start_stop")
    field.click()
    app.window.desk._on_idle_key("start_stop")
    app.settle()
    assert not app.recorders
    app.qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert not app.window.desk._muted


def test_conflicts_that_stand_in_the_file_are_shown_in_place(app: App) -> None:
    save_settings(with_value(Settings(), ("recorder", "hotkeys", "note"), "F8"))
    page = open_page(app)
    assert page.rows["recorder", "hotkeys", "note"].wrong.text() == "F8 belongs to “Pause” as well."
    assert page.rows["recorder", "hotkeys", "pause"].wrong.text() == "F8 belongs to “Note” as well."


@pytest.mark.parametrize(("key", "ways"), [("F9", 2), ("F7", None), ("Enter", 0), ("Ctrl+Shift", 0), ("Q", 0)])
def test_what_can_be_done_about_a_key(key: str, ways: Any) -> None:
    problem = look_at_key(HotkeySettings(), "pause", key)
    assert (None if problem is None else len(problem.ways)) == ways
