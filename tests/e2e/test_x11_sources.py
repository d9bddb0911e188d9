"""The X11 sources against a real server: what keys type under any layout, and whose windows are where."""

from __future__ import annotations

import contextlib
import os
import subprocess
import threading
from collections.abc import Generator
from typing import Any

import pytest

from demopack.domain.events import InputEvent
from demopack.domain.geometry import ScreenSpace, subtract
from demopack.errors import CaptureError
from demopack.reduction.fold import reduce_all
from demopack.reduction.gestures import GestureThresholds
from recorder.backends import open_input, open_screen, open_windows
from recorder.backends.x11.windows import X11Windows
from recorder.backends.x11.xlib import open_display
from recorder.desktop.private_display import PrivateDisplay
from tests.support.injector import Injector
from tests.support.notation import render
from tests.support.x_servers import XServer

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def screen() -> Generator[PrivateDisplay]:
    with PrivateDisplay(width=800, height=600) as display:
        yield display


class Ear:
    """Everything an input source has heard."""

    def __init__(self, name: str) -> None:
        self.events: list[InputEvent] = []
        self._condition = threading.Condition()
        self._source = open_input(name)
        self._source.start(self._hear)

    def _hear(self, event: InputEvent) -> None:
        with self._condition:
            self.events.append(event)
            self._condition.notify_all()

    def gestures(self, injector: Injector) -> list[str]:
        """What was heard so far, as gestures; a last move shows that nothing is still on its way."""
        injector.move(799, 599, steps=1)
        with self._condition:
            assert self._condition.wait_for(
                lambda: any(e.kind == "move" and (e.x, e.y) == (799, 599) for e in self.events), timeout=20
            )
        self._source.stop()
        self._source.stop()
        return [render(gesture) for gesture in reduce_all(self.events, GestureThresholds())]


def layout(screen: PrivateDisplay, *arguments: str) -> None:
    subprocess.run(["setxkbmap", *arguments], env=screen.environment(), check=True)


def xdotool(screen: PrivateDisplay, *arguments: str) -> None:
    subprocess.run(["xdotool", *arguments], env=screen.environment(), check=True)


@pytest.mark.parametrize(
    ("keyboard", "keys", "expected"),
    [
        (("us",), ["a", "shift+a", "1", "shift+1", "space", "plus"], ['type "aA1! +"']),
        (("us",), ["Return", "Tab", "shift+Tab", "F5", "Up"], ["Enter", "Tab", "Shift+Tab", "F5", "ArrowUp"]),
        (("us",), ["ctrl+c", "ctrl+shift+t", "ctrl+plus"], ["Ctrl+C", "Ctrl+Shift+T", "Ctrl+Shift+="]),
        (("de",), ["z", "odiaeresis", "shift+udiaeresis", "ssharp"], ['type "zöÜß"']),
        (("de",), ["dead_acute", "e", "dead_circumflex", "shift+o"], ['type "éÔ"']),
        (("de",), ["ISO_Level3_Shift+e", "ISO_Level3_Shift+q"], ['type "€@"']),
        (("ru",), ["Cyrillic_ef", "shift+Cyrillic_ef"], ['type "фФ"']),
        (("gr",), ["Greek_alpha", "Greek_beta"], ['type "\u03b1β"']),
        (("us", "-variant", "intl"), ["dead_tilde", "n"], ['type "ñ"']),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else None,
)
def test_what_keys_type_under_a_layout(
    screen: PrivateDisplay, keyboard: tuple[str, ...], keys: list[str], expected: list[str]
) -> None:
    layout(screen, *keyboard)
    ear = Ear(screen.name)
    xdotool(screen, "key", "--delay", "5", *keys)
    with Injector(screen.name) as injector:
        found = ear.gestures(injector)
    assert found == [text if " " in text else f"key {text}" for text in expected]


def test_layouts_switched_while_typing_and_a_command_under_cyrillic(screen: PrivateDisplay) -> None:
    from Xlib import display

    layout(screen, "us,ru,gr,de", "-option", "grp:menu_toggle")
    ear = Ear(screen.name)
    connection: Any = display.Display(screen.name)
    with Injector(screen.name) as injector:
        code = connection.keysym_to_keycode(ord("a"))
        next_layout = connection.keysym_to_keycode(0xFE08)
        for _ in range(4):
            injector._tap(code)
            injector._tap(next_layout)
        injector._tap(next_layout)
        injector.hold("ctrl")
        injector._tap(connection.keysym_to_keycode(ord("c")))
        injector.let_go("ctrl")
        # A new layout while the recording runs.
        layout(screen, "fr", "-option", "")
        injector._tap(code)
        found = ear.gestures(injector)
    connection.close()
    assert found == ['type "aф\u03b1a"', "key Ctrl+C", 'type "q"']


def test_characters_that_are_on_no_key(screen: PrivateDisplay) -> None:
    layout(screen, "us")
    ear = Ear(screen.name)
    xdotool(screen, "type", "--delay", "2", "né 中 😀 Ω!")
    with Injector(screen.name) as injector:
        injector.type("Fußgänger 文")
        assert ear.gestures(injector) == ['type "né 中 😀 Ω!Fußgänger 文"']


def test_events_bear_the_server_s_time(screen: PrivateDisplay) -> None:
    import time

    ear = Ear(screen.name)
    with Injector(screen.name) as injector:
        before = time.monotonic_ns()
        injector.click(40, 50)
        after = time.monotonic_ns()
        ear.gestures(injector)
    press = next(event for event in ear.events if event.kind == "down")
    # The server counts whole milliseconds.
    assert before - 1_000_000 <= press.t_ns <= after


def _window(connection: Any, x: int, y: int, size: int, *, pid: int, name: str) -> Any:
    from Xlib import X

    root = connection.screen().root
    window = root.create_window(x, y, size, size, 0, connection.screen().root_depth, X.InputOutput, X.CopyFromParent)
    window.set_wm_name(name)
    window.set_wm_class(name.lower(), name)
    window.set_wm_normal_hints(flags=1, min_width=10, min_height=10)  # user-given position
    cardinal = connection.intern_atom("CARDINAL")
    window.change_property(connection.intern_atom("_NET_WM_PID"), cardinal, 32, [pid])
    window.map()
    connection.sync()
    return window


def _until(windows: X11Windows, condition: str) -> None:
    pause = threading.Event()
    for _ in range(1000):
        active = windows.read().active
        if active is not None and active.title == condition:
            return
        pause.wait(0.01)
    pytest.fail(f"{windows.read().active}, not {condition}")


def test_own_windows_where_they_can_be_seen(screen: PrivateDisplay) -> None:
    from Xlib import display

    windows = open_windows(screen.name)
    assert isinstance(windows, X11Windows)
    assert windows.read().own == ()
    connection: Any = display.Display(screen.name)
    ours = _window(connection, 100, 100, 200, pid=os.getpid(), name="Ours")
    _until(windows, "Ours")
    assert windows.read().own_active
    active = windows.read().active
    assert active is not None
    assert (active.app, active.box) == ("Ours", windows.read().own[0])
    (box,) = windows.read().own
    assert box.contains(box.center)
    assert box.width >= 200
    theirs = _window(connection, 150, 100, 200, pid=1, name="Theirs")
    _until(windows, "Theirs")
    assert not windows.read().own_active
    covered = windows.read().active
    assert covered is not None
    assert covered.box is not None
    seen = windows.read().own
    assert list(seen) == subtract(box, [covered.box])
    assert seen
    assert sum(part.area for part in seen) < box.area
    theirs.destroy()
    connection.sync()
    _until(windows, "Ours")
    assert windows.read().own == (box,)
    ours.set_wm_name("Renamed")
    connection.sync()
    _until(windows, "Renamed")
    ours.destroy()
    connection.sync()
    connection.close()
    pause = threading.Event()
    for _ in range(1000):
        if not windows.read().own:
            break
        pause.wait(0.01)
    assert windows.read().own == ()
    windows.close()
    windows.close()


def test_the_screen_is_the_whole_desktop_without_a_copy(screen: PrivateDisplay) -> None:
    source = open_screen(screen.name)
    grab = source.grab()
    assert grab.image.shape == (600, 800, 3)
    assert grab.started_ns < grab.ended_ns
    assert (grab.space, grab.scale_factor) == (ScreenSpace(), 1.0)
    assert grab.raw is not None
    assert bytes(grab.raw[2::4]) == grab.image[:, :, 0].tobytes(), "red is the third byte"
    source.close()
    source.close()
    with pytest.raises(CaptureError, match="closed"):
        source.grab()


@pytest.mark.parametrize("opener", [open_screen, open_input, open_windows])
def test_no_display(opener: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.delenv("XDG_SESSION_TYPE", raising=False)
    with pytest.raises(CaptureError, match="no screen to record"):
        opener()
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    with pytest.raises(CaptureError, match="Wayland"):
        opener()
    with pytest.raises(CaptureError, match=":98765 cannot be reached"):
        opener(":98765")


def test_each_connection_knows_the_numbers_of_its_own_server(screen: PrivateDisplay) -> None:
    # Without some extensions the others have other numbers.
    with XServer("-extension", "DAMAGE") as other, contextlib.ExitStack() as opened:
        connections = [open_display(name) for name in (screen.name, other.name, screen.name)]
        for one in connections:
            opened.callback(one.close)
        told = [[int(one.query_extension(name).major_opcode) for one in connections] for name in ("RANDR", "RECORD")]
        known = [[one.display.get_extension_major(name) for one in connections] for name in ("RANDR", "RECORD")]
        assert told == known
        assert told[1][0] != told[1][1], "the servers number them alike"
