"""Record, pause, stop: from the window, the bar and the keyboard; errors are one sentence and the app goes on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QSettings, Qt
from PySide6.QtWidgets import QAbstractButton, QLineEdit
from pytestqt.qtbot import QtBot

from annotator.ui.recording.recorder_bar import RecorderBar
from annotator.ui.services import Services
from annotator.ui.theme.manager import Theme
from demopack.errors import CaptureError
from demopack.store import Library
from tests.gui.conftest import App, make_app
from tests.support.fake_recorder import FakeRecorder
from tests.support.services import with_calls

# What the offscreen platform cannot do is no fault of the bar.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def ask(app: App, task: str = "") -> None:
    app.qtbot.keyClick(app.window.library_page.cards, "r", Qt.KeyboardModifier.ControlModifier)
    field = next(f for f in app.window.findChildren(QLineEdit) if f.accessibleName() == "Task" and f.isVisible())
    app.qtbot.keyClicks(field, task)
    app.qtbot.keyClick(field, Qt.Key.Key_Return)
    app.settle()


def press(bar: RecorderBar, name: str) -> None:
    next(b for b in bar.findChildren(QAbstractButton) if b.accessibleName() == name).click()


def test_a_recording_is_made_and_opened(app: App) -> None:
    ask(app, "Order a book")
    (recorder,) = app.recorders
    bar = app.window.recorder_bar
    assert recorder.task == "Order a book"
    assert app.window.isMinimized()
    assert bar.isVisible()
    assert bar.state == "recording"
    recorder.press("Enter")
    recorder.press("Ctrl+S")
    app.settle()
    app.qtbot.waitUntil(lambda: bar.readout.words == "2 steps Pressed Ctrl+S")
    press(bar, "Stop and save")
    app.settle()
    app.settle()
    assert not bar.isVisible()
    assert not app.window.isMinimized()
    assert app.page.session.demo_id == recorder.demo_id
    assert app.library.demo(recorder.demo_id).head.status == "complete"


def test_pause_and_go_on(app: App) -> None:
    ask(app)
    bar, recorder = app.window.recorder_bar, app.recorders[0]
    press(bar, "Pause")
    app.qtbot.waitUntil(lambda: bar.state == "paused")
    assert recorder.paused
    press(bar, "Go on")
    app.qtbot.waitUntil(lambda: bar.state == "recording")
    press(bar, "Stop and save")
    app.settle()


def test_the_keys_of_the_recorder_pause_and_stop(app: App) -> None:
    ask(app)
    bar, recorder = app.window.recorder_bar, app.recorders[0]
    recorder.on_hotkey("pause")
    app.qtbot.waitUntil(lambda: bar.state == "paused")
    recorder.on_hotkey("start_stop")
    app.qtbot.waitUntil(lambda: app.window.editor is not None)
    app.settle()


def test_the_global_key_starts_a_recording(library: Library, theme: Theme, services: Services, qtbot: QtBot) -> None:
    calls: list[Any] = []

    class Keys:
        running = False

        def __init__(self, _: object, call: Any) -> None:
            calls.append(call)

        def start(self) -> None:
            Keys.running = True

        def stop(self) -> None:
            Keys.running = False

    app = make_app(library, theme, with_calls(services, open_hotkeys=Keys), qtbot)
    app.window.start_listening()
    app.settle()
    assert Keys.running
    calls[0]("start_stop")
    app.qtbot.waitUntil(lambda: bool(app.recorders) and app.window.recorder_bar.state == "recording")
    assert not Keys.running  # the recorder listens itself
    press(app.window.recorder_bar, "Stop and save")
    app.settle()
    app.qtbot.waitUntil(lambda: Keys.running)
    app.settle()
    app.window.close()
    assert not Keys.running


@pytest.fixture
def refusing() -> Iterator[None]:
    FakeRecorder.refuse = CaptureError(
        "The screen cannot be captured: this session runs on Wayland.", hint="Log in with an X11 session."
    )
    yield
    FakeRecorder.refuse = None


@pytest.mark.usefixtures("refusing")
def test_a_recording_that_cannot_start_is_one_sentence(app: App) -> None:
    ask(app, "Order a book")
    assert app.window.banner.text == (
        "The screen cannot be captured: this session runs on Wayland. Log in with an X11 session."
    )
    assert not app.window.isMinimized()
    assert not app.window.recorder_bar.isVisible()
    panel = app.window.library_page.panel
    assert panel.task == "Order a book"  # what was typed is still there
    FakeRecorder.refuse = None
    ask(app)
    assert app.window.recorder_bar.state == "recording"
    press(app.window.recorder_bar, "Stop and save")
    app.settle()


def test_a_recording_that_ends_by_itself_is_kept_and_explained(app: App) -> None:
    ask(app)
    recorder = app.recorders[0]
    recorder.press()
    recorder.die()
    app.qtbot.waitUntil(lambda: app.window.editor is not None)
    app.settle()
    assert "can no longer be captured" in app.window.banner.text
    assert len(app.library.demo(recorder.demo_id).steps) == 1


def test_closing_the_app_saves_what_is_recorded(app: App) -> None:
    ask(app)
    recorder = app.recorders[0]
    recorder.press()
    app.window.close()
    assert app.library.demo(recorder.demo_id).head.status == "complete"


def test_what_is_wrong_is_shown_on_the_bar(app: App) -> None:
    ask(app)
    app.recorders[0].health = ["No pictures of the screen arrive."]
    bar = app.window.recorder_bar
    app.qtbot.waitUntil(
        lambda: any(
            b.accessibleName() == "No pictures of the screen arrive." for b in bar.findChildren(QAbstractButton)
        ),
        timeout=10_000,
    )
    press(bar, "Stop and save")
    app.settle()


def test_the_bar_is_360_by_44_remembers_its_place_and_becomes_a_dot(theme: Theme, qtbot: QtBot, tmp_path: Any) -> None:
    places = QSettings(str(tmp_path / "windows.ini"), QSettings.Format.IniFormat)
    bar = RecorderBar(theme, places)
    bar.begin()
    qtbot.waitExposed(bar)
    assert (bar.width(), bar.height()) == (360, 44)
    bar.move(300, 300)
    grip = QPoint(10, 22)
    qtbot.mousePress(bar, Qt.MouseButton.LeftButton, pos=grip)
    qtbot.mouseMove(bar, QPoint(10, 22) - QPoint(295, 0))
    qtbot.mouseRelease(bar, Qt.MouseButton.LeftButton, pos=grip)
    assert bar.x() == 0  # the edge attracts
    other = RecorderBar(theme, places)
    other.begin()
    assert other.pos() == bar.pos()
    qtbot.mouseDClick(bar, Qt.MouseButton.LeftButton, pos=grip)
    assert (bar.width(), bar.height()) == (44, 44)
    qtbot.mouseDClick(bar, Qt.MouseButton.LeftButton, pos=grip)
    assert (bar.width(), bar.height()) == (360, 44)
    for made in (bar, other):
        made.close()
        made.deleteLater()
