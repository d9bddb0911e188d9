"""What a recording desktop shares with its session, each by itself, judged by other programs."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from annotator.app_desktop import PANEL
from demopack.errors import CaptureError
from demopack.processes import end_process, process_start
from demopack.replacing import scratch_folder
from demopack.settings import PrivacySettings
from recorder.backends.x11.xlib import open_display
from recorder.desktop import clipboard_bridge
from recorder.desktop.clipboard_bridge import ClipboardBridge
from recorder.desktop.controls import DesktopControls
from recorder.desktop.current import end_desktop, find_desktop, opened_desktop, start_desktop, wait_for_desktop
from recorder.desktop.keyboard import XkbChannel
from recorder.desktop.private_display import PrivateDisplay
from recorder.desktop.servers import DesktopOptions
from recorder.desktop.session_mirror import SessionMirror
from tests.support.desktop_programs import until
from tests.support.injector import Injector
from tests.support.record_command import RecordCommand
from tests.support.recording_desktops import is_shown

pytestmark = pytest.mark.e2e

_HOLDER = """
import sys
from recorder.desktop.private_display import PrivateDesktop
class Desktop(PrivateDesktop):
    def told(self):
        return [process.pid for process in (self._guard, *self._processes)]
with Desktop() as desktop:
    print(*desktop.told(), flush=True)
    sys.stdin.read()
"""
_COPY = ("xclip", "-selection", "clipboard")


@pytest.fixture(scope="module")
def screens() -> Generator[tuple[PrivateDisplay, PrivateDisplay]]:
    """The session's X server and the desktop's."""
    with PrivateDisplay(window_manager=False) as outer, PrivateDisplay(window_manager=False) as inner:
        yield outer, inner


@pytest.fixture
def bridge(screens: tuple[PrivateDisplay, PrivateDisplay]) -> Generator[None]:
    bridge = ClipboardBridge(screens[0].name, screens[1].name)
    bridge.start()
    yield
    bridge.stop()


def copy(screen: PrivateDisplay, data: bytes, target: str = "UTF8_STRING") -> None:
    subprocess.run([*_COPY, "-t", target], input=data, env=screen.environment(), check=True)


def paste(screen: PrivateDisplay, target: str = "UTF8_STRING") -> bytes:
    command = [*_COPY, "-o", "-t", target]
    return subprocess.run(command, env=screen.environment(), capture_output=True, check=False, timeout=30).stdout


@pytest.mark.parametrize("direction", [1, -1], ids=["into the desktop", "out of it"])
@pytest.mark.parametrize(
    ("target", "data"),
    [
        ("UTF8_STRING", "Straße & 中文 😀\n".encode()),
        ("image/png", bytes(range(256)) * 300),
        ("text/html", b"<b>bold</b>"),
        # Larger than one request: it goes in parts.
        ("UTF8_STRING", b"a long text " * 250_000),
    ],
    ids=["text", "picture", "html", "long"],
)
@pytest.mark.usefixtures("bridge")
def test_what_is_copied_on_one_side_is_pasted_on_the_other(
    screens: tuple[PrivateDisplay, PrivateDisplay], direction: int, target: str, data: bytes
) -> None:
    source, goal = screens[::direction]
    copy(source, b"something older")
    until(lambda: paste(goal) == b"something older", "the older text does not arrive")
    copy(source, data, target)
    until(lambda: paste(goal, target) == data, "it does not arrive")
    offered = paste(goal, "TARGETS").split()
    assert target.encode() in offered


def test_what_is_copied_last_counts(
    screens: tuple[PrivateDisplay, PrivateDisplay], monkeypatch: pytest.MonkeyPatch
) -> None:
    outer, inner = screens
    copy(outer, b"copied first")
    offer = clipboard_bridge.Side.offer

    def offer_late(side: clipboard_bridge.Side, *what: Any) -> None:
        """The bridge is about to offer what was copied first when somebody copies on the other side."""
        monkeypatch.undo()
        copy(inner, b"copied last")
        until(lambda: paste(inner) == b"copied last", "it was not copied")
        offer(side, *what)

    monkeypatch.setattr(clipboard_bridge.Side, "offer", offer_late)
    bridge = ClipboardBridge(outer.name, inner.name)
    bridge.start()
    try:
        until(lambda: paste(outer) == b"copied last", "what was copied first took its place")
        assert paste(inner) == b"copied last"
    finally:
        bridge.stop()


@pytest.mark.usefixtures("bridge")
def test_a_secret_stays_marked_as_one(screens: tuple[PrivateDisplay, PrivateDisplay]) -> None:
    outer, inner = screens
    copy(outer, b"secret", "x-kde-passwordManagerHint")
    until(lambda: b"x-kde-passwordManagerHint" in paste(inner, "TARGETS"), "the mark is lost")


def test_what_was_copied_before_is_there(screens: tuple[PrivateDisplay, PrivateDisplay]) -> None:
    outer, inner = screens
    copy(outer, b"copied before")
    bridge = ClipboardBridge(outer.name, inner.name)
    bridge.start()
    try:
        until(lambda: paste(inner) == b"copied before", "it does not arrive")
    finally:
        bridge.stop()
    # Without the bridge the two are apart again, and nothing hangs.
    assert paste(inner) == b""


def test_the_bridge_outlives_neither_server() -> None:
    with PrivateDisplay(window_manager=False) as inner:
        with PrivateDisplay(window_manager=False) as outer:
            bridge = ClipboardBridge(outer.name, inner.name)
            bridge.start()
        until(lambda: not bridge.is_running, "it goes on")
        bridge.stop()


@pytest.fixture
def mirror(screens: tuple[PrivateDisplay, PrivateDisplay]) -> Generator[SessionMirror]:
    outer, inner = screens
    subprocess.run(["setxkbmap", "us"], env=outer.environment(), check=True)
    mirror = SessionMirror(outer.name, inner.name, keyboard=True)
    mirror.start()
    yield mirror
    mirror.stop()


def layout(screen: PrivateDisplay) -> str:
    """The keysyms of each key and the keys of each modifier, as an independent program prints them."""
    return "".join(
        subprocess.run(["xmodmap", what], env=screen.environment(), capture_output=True, text=True, check=True).stdout
        for what in ("-pke", "-pm")
    )


@pytest.mark.usefixtures("mirror")
def test_the_keyboard_follows_the_session(screens: tuple[PrivateDisplay, PrivateDisplay]) -> None:
    outer, inner = screens
    assert layout(inner) == layout(outer)
    subprocess.run(["setxkbmap", "-layout", "de,ru"], env=outer.environment(), check=True)
    until(lambda: layout(inner) == layout(outer), "the layout is another one")
    with contextlib.closing(open_display(outer.name)) as one, contextlib.closing(open_display(inner.name)) as other:
        XkbChannel(one).lock_group(1)
        until(lambda: XkbChannel(other).group() == 1, "the second layout is not in use")
        XkbChannel(one).lock_group(0)
        until(lambda: XkbChannel(other).group() == 0, "the first layout is not in use")
    told = subprocess.run(["setxkbmap", "-query"], env=inner.environment(), capture_output=True, text=True, check=True)
    assert "de,ru" in told.stdout


@pytest.mark.usefixtures("mirror")
def test_a_key_that_is_two_modifiers_stays_the_first(screens: tuple[PrivateDisplay, PrivateDisplay]) -> None:
    outer, inner = screens
    subprocess.run(["setxkbmap", "-layout", "de", "-variant", "neo"], env=outer.environment(), check=True)
    until(lambda: "Shift_L" in layout(inner).partition("shift ")[2].splitlines()[0], "the left key is no Shift key")


@pytest.mark.skipif(not shutil.which("xsettingsd"), reason="xsettingsd is not installed")
def test_theme_and_fonts_follow_the_session(screens: tuple[PrivateDisplay, PrivateDisplay], tmp_path: Path) -> None:
    outer, inner = screens
    config = tmp_path / "xsettingsd.conf"
    config.write_text('Net/ThemeName "Breeze"\nXft/DPI 147456\nGtk/FontName "Cantarell 11"\n', encoding="utf-8")
    manager = subprocess.Popen(
        ["xsettingsd", "-c", str(config)],
        env=outer.environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    mirror: SessionMirror | None = None
    try:
        until(lambda: 'Net/ThemeName "Breeze"' in told_settings(outer), "the session has no settings")
        mirror = SessionMirror(outer.name, inner.name, keyboard=False)
        mirror.start()
        assert told_settings(inner) == told_settings(outer)
        assert mirror.scale == 1.5
        config.write_text('Net/ThemeName "Breeze Dark"\n', encoding="utf-8")
        manager.send_signal(1)
        until(lambda: 'Net/ThemeName "Breeze Dark"' in told_settings(inner), "a change is not followed")
    finally:
        if mirror is not None:
            mirror.stop()
        end_process(manager)


def told_settings(screen: PrivateDisplay) -> list[str]:
    """What an independent program reads."""
    done = subprocess.run(["dump_xsettings"], env=screen.environment(), capture_output=True, text=True, check=False)
    return sorted(done.stdout.splitlines())


@pytest.mark.skipif(os.getuid() != 0 or not shutil.which("setpriv"), reason="only root can become somebody else")
def test_another_user_of_the_machine_is_not_let_in(screens: tuple[PrivateDisplay, PrivateDisplay]) -> None:
    ask = ["xdpyinfo", "-display", screens[0].name]
    assert subprocess.run(ask, capture_output=True, check=False).returncode == 0
    other = subprocess.run(
        ["setpriv", "--reuid=65534", "--clear-groups", *ask], capture_output=True, text=True, check=False
    )
    assert other.returncode != 0
    assert "Authorization required" in other.stderr


@pytest.fixture
def runtime(monkeypatch: pytest.MonkeyPatch) -> Generator[Path]:
    """A folder where nobody else's desktop is found."""
    with scratch_folder(Path("/tmp")) as folder:
        monkeypatch.setenv("DEMOPACK_RUNTIME", str(folder))
        yield folder


def in_session(monkeypatch: pytest.MonkeyPatch, screen: PrivateDisplay, **more: str) -> None:
    """Be a program of the session on a screen."""
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    for name, value in {**screen.environment(), **more}.items():
        monkeypatch.setenv(name, value)


needs_xephyr = pytest.mark.skipif(not shutil.which("Xephyr"), reason="Xephyr is not installed")


@needs_xephyr
@pytest.mark.usefixtures("runtime")
def test_programs_are_opened_and_the_recording_is_stopped_in_the_panel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with PrivateDisplay(width=1300, height=900) as outer:
        in_session(monkeypatch, outer, XDG_DATA_DIRS=f"{tmp_path}:/usr/share")
        (tmp_path / "applications").mkdir()
        entry = (
            "[Desktop Entry]\nType=Application\nName=Customer form\nExec=zenity --forms --title=Form --add-entry=N\n"
        )
        (tmp_path / "applications" / "form.desktop").write_text(entry, encoding="utf-8")
        with (
            opened_desktop(DesktopOptions(size=(1000, 700), panel=PANEL)) as desktop,
            Injector(desktop.display) as person,
        ):
            until(lambda: is_shown("Panel", desktop.display), "the panel does not come")
            with RecordCommand(desktop, tmp_path / "library", privacy=PrivacySettings(), trees=False) as recording:
                until(lambda: is_shown("Recording", desktop.display), "the panel does not show the recording")
                person.click(40, 680)
                until(lambda: is_shown("Programs", desktop.display), "the list does not open")
                person.type("cust")
                person.key("enter")
                until(lambda: is_shown("Form", desktop.display), "the program does not open")
                assert find_desktop() == desktop
                person.click(960, 680)
                recording.wait_for_end()
    kinds = [one["action"]["action_type"] for one in recording.told if one["event"] == "step"]
    # The order to stop is no step.
    assert kinds == ["click", "type", "press_key", "finish_goal"]


@needs_xephyr
@pytest.mark.usefixtures("runtime")
def test_a_desktop_whose_keeper_was_killed_is_cleared_away(runtime: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with PrivateDisplay() as outer:
        in_session(monkeypatch, outer)
        process = start_desktop(DesktopOptions())
        desktop = wait_for_desktop(process)
        assert find_desktop() == desktop
        recording = DesktopControls(desktop.display, lambda _: None)
        recording.start()
        recording.show_state("recording")
        process.kill()
        process.wait()
        assert find_desktop() == desktop, "a recording of it goes on"
        recording.stop()
        assert find_desktop() is None
        until(lambda: not desktop.answers, "its server goes on")
        until(lambda: not any(Path(f"/proc/{one}").exists() for one in desktop.processes), "parts of it go on")
        end_desktop(process)


@needs_xephyr
@pytest.mark.usefixtures("runtime")
def test_a_desktop_ends_with_who_opened_it_and_is_the_only_one(monkeypatch: pytest.MonkeyPatch) -> None:
    with PrivateDisplay() as outer:
        in_session(monkeypatch, outer)
        process = start_desktop(DesktopOptions())
        desktop = wait_for_desktop(process)
        other = start_desktop(DesktopOptions())
        with pytest.raises(CaptureError, match="A recording desktop is open already"):
            wait_for_desktop(other)
        end_desktop(other)
        # As it is when the one that opened it is killed.
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(20) == 0
        assert not desktop.answers
        end_desktop(process)


@pytest.mark.usefixtures("runtime")
def test_where_none_can_be_opened_it_is_said_why(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    process = start_desktop(DesktopOptions())
    with pytest.raises(CaptureError, match="There is no screen to show a recording desktop on"):
        wait_for_desktop(process)
    assert process.wait(20) == 1
    end_desktop(process)


@pytest.mark.parametrize("signal_number", [signal.SIGKILL, signal.SIGTERM])
def test_a_private_desktop_ends_with_the_program_that_opened_it_however_that_ends(signal_number: int) -> None:
    holder = subprocess.Popen([sys.executable, "-c", _HOLDER], stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True)
    assert holder.stdout is not None
    with holder:
        begun = [int(word) for word in holder.stdout.readline().split()]
        assert all(process_start(pid) for pid in begun)
        assert len(begun) >= 3
        holder.send_signal(signal_number)
    until(lambda: not any(process_start(pid) for pid in begun), "A part of the desktop is still there.")
