"""Going from page to page: back leads to where one came from, and only what is seen hears keys."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from annotator.step_commands import SetTask
from tests.gui.conftest import App
from tests.support.editing import SAMPLE, TINY

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # grabbing the keyboard, on no screen

ALT = Qt.KeyboardModifier.AltModifier
NONE = Qt.KeyboardModifier.NoModifier


def active(app: App) -> None:
    app.window.activateWindow()
    app.qtbot.waitUntil(app.window.isActiveWindow)


def type_keys(app: App, *keys: Any, held: Any = NONE) -> None:
    """What a person at the keyboard does: keys go to whatever has the focus."""
    for key in keys:
        at = QApplication.focusWidget()
        assert at is not None
        QTest.keyClick(at, key, held)
        app.settle()


def shown(app: App) -> QWidget:
    window = app.window
    pages: list[QWidget | None] = [window.library_page, window.editor, window.settings_page, window.models_page]
    found = [page for page in pages if page is not None and page.isVisible()]
    assert len(found) == 1
    return found[0]


def has_the_keyboard(app: App) -> bool:
    at = QApplication.focusWidget()
    return at is not None and at.isVisible() and (at is shown(app) or shown(app).isAncestorOf(at))


def test_back_from_an_editor_leads_to_the_library_after_settings_were_open(app: App) -> None:
    active(app)
    for demo in (SAMPLE, TINY, SAMPLE):
        app.open(demo)
        app.window.open_settings()
        app.window.settings_page.back_wanted.emit()
        assert shown(app) is app.window.editor
        app.page.back_wanted.emit()
        app.settle()
        assert shown(app) is app.window.library_page
        assert has_the_keyboard(app)


def test_pages_lie_over_one_another_and_each_is_there_once(app: App) -> None:
    active(app)
    window = app.window
    page = app.open()
    window.open_settings()
    window.open_models()
    window.open_settings()
    assert shown(app) is window.settings_page
    assert has_the_keyboard(app)
    window.settings_page.back_wanted.emit()
    assert shown(app) is page
    window.open_settings()
    window.open_models()
    window.models_page.back_wanted.emit()
    assert shown(app) is window.settings_page
    window.settings_page.back_wanted.emit()
    assert shown(app) is page
    assert has_the_keyboard(app)


def test_a_demo_that_is_opened_from_the_models_leads_back_to_the_library(app: App) -> None:
    active(app)
    app.window.open_models()
    app.open(TINY)
    app.page.back_wanted.emit()
    app.settle()
    assert shown(app) is app.window.library_page


@pytest.mark.parametrize("name", ["library", "editor", "settings", "models"])
def test_keys_reach_the_page_that_is_seen_and_no_other(app: App, name: str) -> None:
    active(app)
    window = app.window
    page = app.open()
    # All four are made; the one that is meant comes last.
    window.open_settings()
    window.open_models()
    if name == "library":
        window.close_editor()
        app.open()
        app.page.back_wanted.emit()
        app.settle()
    elif name == "editor":
        window.models_page.back_wanted.emit()
        window.settings_page.back_wanted.emit()
    elif name == "settings":
        window.open_settings()
    app.settle()
    seen = shown(app)
    hidden = [w for w in (window.library_page, window.editor, window.settings_page, window.models_page) if w]
    hidden = [w for w in hidden if w is not seen]
    before = app.stored()
    log = app.library.log.entries(SAMPLE)
    # What is done on a hidden page, and asks for the focus there, does not get it.
    window.library_page.cards.setFocus()
    assert has_the_keyboard(app)
    window.settings_page.search.setFocus()
    assert has_the_keyboard(app)
    if window.editor is not None:
        page.canvas.setFocus()
        assert has_the_keyboard(app)
    opened: list[tuple[str, ...]] = []
    window.library_page.cards.acted.connect(lambda *what: opened.append(what))
    if name != "library":
        type_keys(app, Qt.Key.Key_Return)
        assert opened == []
    if name != "editor":
        type_keys(app, "m", "n", "s", "r", "7", "e")
        assert app.stored() == before
        assert app.library.log.entries(SAMPLE) == log
    assert shown(app) is seen
    assert not any(w.isVisible() for w in hidden)
    assert has_the_keyboard(app)


def test_the_window_is_called_after_the_task_as_it_stands(app: App) -> None:
    page = app.open()
    first = app.window.windowTitle()
    page.session.do(SetTask(text="Write to Ada"))
    assert app.window.windowTitle() == "Write to Ada - demopack"
    page.session.do(SetTask(text=""))
    assert app.window.windowTitle() == "No task written - demopack"
    page.commands.undo()
    page.commands.undo()
    app.settle()
    assert app.window.windowTitle() == first
    page.context.head.task.setText("Being typed")
    app.window.close_editor()
    assert app.window.windowTitle() == "demopack"
