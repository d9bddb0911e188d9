"""A screen that is locked, or shows a question for rights, is waited for; only the systems' functions are replaced."""

from __future__ import annotations

import ctypes
import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from demopack.errors import CaptureError
from demopack.settings import RecorderSettings
from demopack.store import Library
from recorder.backends.base import ScreenAwayError
from recorder.backends.mss_screen import MssScreen
from recorder.backends.screen_lock import is_screen_locked
from recorder.desktop.servers import choose_server
from recorder.session import RecordingSession
from tests.support.desktop_programs import until
from tests.support.sources import HandInput, HandWindows

SETTINGS = RecorderSettings(frame_interval_ms=20, idle_interval_ms=50)


class User32:
    """Windows with its desktop that has the input: ``""`` is one that may not be opened."""

    def __init__(self) -> None:
        self.input_desktop = "Default"
        self.open = 0

        def open_input_desktop(_flags: int, _inherit: int, access: int) -> int | None:
            assert access == 0x0100
            self.open += bool(self.input_desktop)
            return 77 if self.input_desktop else None

        def information(_desktop: int, kind: int, name: Any, size: int, _needed: None) -> int:
            assert (kind, size) == (2, ctypes.sizeof(name))
            name.value = self.input_desktop
            return 1

        def close(_desktop: int) -> int:
            self.open -= 1
            return 1

        self.OpenInputDesktop: Any = open_input_desktop
        self.GetUserObjectInformationW: Any = information
        self.CloseDesktop: Any = close


@pytest.fixture
def user32(monkeypatch: pytest.MonkeyPatch) -> User32:
    made = User32()
    monkeypatch.setattr(ctypes, "WinDLL", lambda name: {"user32": made}[name], raising=False)
    monkeypatch.setattr(sys, "platform", "win32")
    return made


@pytest.mark.parametrize(
    ("desktop", "locked"),
    [("Default", False), ("default", False), ("Winlogon", True), ("Disconnect", True), ("", True)],
)
def test_windows_tells_by_the_desktop_that_has_the_input(user32: User32, desktop: str, locked: bool) -> None:
    user32.input_desktop = desktop
    assert is_screen_locked() is locked
    assert user32.open == 0


@pytest.mark.parametrize(
    ("session", "locked"),
    [
        (None, False),
        ({"kCGSSessionOnConsoleKey": True}, False),
        ({"kCGSSessionOnConsoleKey": True, "CGSSessionScreenIsLocked": True}, True),
        ({"kCGSSessionOnConsoleKey": False}, True),
    ],
)
def test_macos_tells_in_its_session(
    monkeypatch: pytest.MonkeyPatch, session: dict[str, bool] | None, locked: bool
) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setitem(sys.modules, "Quartz", SimpleNamespace(CGSessionCopyCurrentDictionary=lambda: session))
    assert is_screen_locked() is locked


def test_a_system_that_does_not_tell_has_no_locked_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not is_screen_locked()
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setitem(sys.modules, "Quartz", None)
    assert not is_screen_locked()


class Mss:
    """mss, which cannot read while Windows shows a desktop of its own; ``broken`` is any other reason."""

    monitors = ({"left": 0, "top": 0, "width": 40, "height": 30}, {"left": 0, "top": 0, "width": 40, "height": 30})

    def __init__(self, user32: User32) -> None:
        self._user32 = user32
        self.broken = False

    def grab(self, box: dict[str, int]) -> SimpleNamespace:
        import mss

        if self.broken or self._user32.input_desktop != "Default":
            raise mss.ScreenShotError("BitBlt failed")
        raw = bytearray(np.zeros((box["height"], box["width"], 4), np.uint8).tobytes())
        return SimpleNamespace(raw=raw, width=box["width"], height=box["height"])

    def close(self) -> None:
        pass


@pytest.fixture
def system(user32: User32, monkeypatch: pytest.MonkeyPatch) -> Mss:
    import mss

    made = Mss(user32)
    monkeypatch.setattr(mss, "MSS", lambda: made)
    monkeypatch.setattr("recorder.backends.mss_screen.monitor_scale", lambda _: 1.0)
    return made


def test_a_recording_waits_for_a_locked_screen(
    user32: User32, system: Mss, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("recorder.health._SCREEN_GONE_S", 0)
    monkeypatch.setattr("recorder.health._EVERY_S", 0.0)
    session = RecordingSession(
        library, settings=SETTINGS, task="x", screen=MssScreen(), inputs=HandInput(), windows=HandWindows()
    )
    session.start()
    user32.input_desktop = "Winlogon"
    until(lambda: any("The screen is locked" in problem for problem in session.health), "not told")
    user32.input_desktop = "Default"
    until(lambda: not session.health, "it did not go on")
    session.stop()
    assert session.error is None
    assert library.demo(session.demo_id).head.status == "complete"


def test_another_failure_names_no_display_of_another_system(user32: User32, system: Mss) -> None:
    screen = MssScreen()
    system.broken = True
    with pytest.raises(CaptureError) as refused:
        screen.grab()
    assert not isinstance(refused.value, ScreenAwayError)
    assert "DISPLAY" not in refused.value.hint
    assert "Wayland" not in refused.value.hint
    screen.close()


@pytest.mark.parametrize("platform", ["win32", "darwin"])
def test_no_recording_desktop_is_asked_for_where_there_are_none(platform: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    with pytest.raises(CaptureError, match="no recording desktops") as refused:
        choose_server(environ={})
    assert "DISPLAY" not in str(refused.value)
