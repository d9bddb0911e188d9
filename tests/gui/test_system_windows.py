"""The windows of a recording are left out of pictures by the system where it can do that, and stay in sight."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QObject, QRect, Qt
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from annotator.ui.recording.floating import Floating, MenuItem, MenuPanel
from annotator.ui.recording.own_windows import OwnWindowTracker
from annotator.ui.recording.panels import LinePrompt
from annotator.ui.recording.system_windows import leave_out_of_pictures
from annotator.ui.theme.manager import Theme
from demopack.settings import PrivacySettings
from recorder.backends.base import WindowSource
from recorder.event_filter import OwnWindows
from recorder.sources import Sources
from tests.support.sources import HandInput, HandScreen

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def panel(theme: Theme, qtbot: QtBot) -> Floating:
    made = MenuPanel(theme, name="Menu")
    qtbot.addWidget(made)
    return made


def declared(call: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *arguments: call(*arguments)


# Windows --------------------------------------------------------------------------------------------------------------


@pytest.fixture
def affinities(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """Window and value of each call; the library agrees."""
    calls: list[tuple[int, int]] = []

    def set_affinity(window: int, value: int) -> int:
        calls.append((window, value))
        return 1

    user32 = SimpleNamespace(SetWindowDisplayAffinity=declared(set_affinity))
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(ctypes, "WinDLL", lambda _: user32, raising=False)
    return calls


def test_windows_leaves_bar_menus_and_prompts_out_each_time_they_are_shown(
    affinities: list[tuple[int, int]], theme: Theme, qtbot: QtBot
) -> None:
    menu, prompt = MenuPanel(theme, name="Menu"), LinePrompt(theme, OwnWindows())
    for made in (menu, prompt):
        qtbot.addWidget(made)
    assert affinities == []
    menu.open_beside(QRect(10, 10, 20, 20), [MenuItem("one")])
    prompt.ask("note", anchor=QRect(10, 10, 20, 20), number=0, step=None)
    menu.hide()
    menu.show()
    assert affinities == [(int(window.winId()), 0x11) for window in (menu, prompt, menu)]


def test_tips_are_left_out_once_they_are_noticed_and_other_windows_stay(
    affinities: list[tuple[int, int]], qtbot: QtBot
) -> None:
    parent = QObject()
    tracker = OwnWindowTracker(OwnWindows(), parent)
    tip, window = QLabel("tip", None, Qt.WindowType.ToolTip), QWidget()
    for made in (tip, window):
        qtbot.addWidget(made)
        made.show()
    tracker.start()
    tracker.refresh()
    tracker.stop()
    assert affinities == [(int(tip.winId()), 0x11)]


def test_a_window_that_windows_is_to_leave_out_is_opaque_and_has_round_corners(
    affinities: list[tuple[int, int]], theme: Theme, qtbot: QtBot
) -> None:
    made = panel(theme, qtbot)
    made.resize(100, 60)
    made.show()
    assert not made.testAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
    assert not made.testAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
    mask = made.mask()
    assert mask.contains(made.rect().center())
    assert not mask.contains(made.rect().topLeft())


def test_a_windows_that_cannot_do_it_shows_the_bar_on_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    refusing = SimpleNamespace(SetWindowDisplayAffinity=declared(lambda *_: 0))
    monkeypatch.setattr(ctypes, "WinDLL", lambda _: refusing, raising=False)
    assert not leave_out_of_pictures(7)
    monkeypatch.setattr(ctypes, "WinDLL", lambda _: SimpleNamespace(), raising=False)  # Vista has no such function
    assert not leave_out_of_pictures(7)


# macOS ----------------------------------------------------------------------------------------------------------------


class MacWindow:
    """An ``NSWindow`` that refuses what the real one refuses."""

    def __init__(self) -> None:
        self.sharing, self.behavior = 1, 1 << 1 | 1 << 7 | 1 << 4

    def setSharingType_(self, value: int) -> None:  # noqa: N802 - the system's name
        self.sharing = value

    def collectionBehavior(self) -> int:  # noqa: N802
        return self.behavior

    def setCollectionBehavior_(self, value: int) -> None:  # noqa: N802
        for one, other in ((1 << 0, 1 << 1), (1 << 7, 1 << 8), (1 << 7, 1 << 9), (1 << 8, 1 << 9)):
            assert not (value & one and value & other), "NSInternalInconsistencyException"
        self.behavior = value


def test_macos_leaves_it_out_and_keeps_it_in_sight(monkeypatch: pytest.MonkeyPatch, theme: Theme, qtbot: QtBot) -> None:
    windows: dict[int, MacWindow] = {}

    def of_view(*, c_void_p: int) -> SimpleNamespace:
        return SimpleNamespace(window=lambda: windows.setdefault(c_void_p, MacWindow()))

    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setitem(sys.modules, "objc", SimpleNamespace(objc_object=of_view))
    made = panel(theme, qtbot)
    made.show()
    made.hide()
    made.show()
    window = windows[int(made.winId())]
    assert (window.sharing, window.behavior) == (0, 1 << 0 | 1 << 4 | 1 << 8)
    assert made.testAttribute(Qt.WidgetAttribute.WA_MacAlwaysShowToolWindow), "another program is in front"


def test_without_its_library_and_on_x11_nothing_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not leave_out_of_pictures(7)
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setitem(sys.modules, "objc", None)
    assert not leave_out_of_pictures(7)
    monkeypatch.setitem(
        sys.modules, "objc", SimpleNamespace(objc_object=lambda **_: SimpleNamespace(window=lambda: None))
    )
    assert not leave_out_of_pictures(7)


class MacProcess:
    """``NSProcessInfo``: which activities go on."""

    def __init__(self) -> None:
        self.active: list[tuple[int, str]] = []

    def beginActivityWithOptions_reason_(self, options: int, reason: str) -> tuple[int, str]:  # noqa: N802
        self.active.append((options, reason))
        return self.active[-1]

    def endActivity_(self, activity: tuple[int, str]) -> None:  # noqa: N802
        self.active.remove(activity)


@pytest.mark.parametrize(("system", "count"), [("darwin", 1), ("win32", 0), ("linux", 0)])
def test_macos_does_not_slow_a_recording_down(monkeypatch: pytest.MonkeyPatch, system: str, count: int) -> None:
    process = MacProcess()
    monkeypatch.setattr(sys, "platform", system)
    foundation = SimpleNamespace(NSProcessInfo=SimpleNamespace(processInfo=lambda: process))
    monkeypatch.setitem(sys.modules, "Foundation", foundation)
    sources = Sources(screen=HandScreen(), windows=WindowSource(), inputs=HandInput(), privacy=PrivacySettings())
    sources.open()
    assert [hex(options) for options, _ in process.active] == ["0xff00efffff"] * count
    sources.close()
    sources.close()
    assert process.active == []


def test_without_its_library_macos_records_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setitem(sys.modules, "Foundation", None)
    sources = Sources(screen=HandScreen(), windows=WindowSource(), inputs=HandInput(), privacy=PrivacySettings())
    sources.open()
    sources.close()
