"""The windows of a Windows and of a macOS desktop, as the systems' own functions tell them; these are stand-ins."""

from __future__ import annotations

import os
import sys

import pytest

from demopack.domain.geometry import Rect
from demopack.domain.screenshots import Snapshot
from demopack.errors import CaptureError
from demopack.settings import PrivacySettings
from recorder.backends import open_windows
from recorder.backends.base import AccessSource, DesktopWindows, WindowSource
from recorder.backends.windows.libraries import Processes
from recorder.privacy.blocked import BlockList
from recorder.sources import Sources
from tests.support.macos_system import MacSystem
from tests.support.sources import HandInput, HandScreen, grab
from tests.support.windows_system import CLICK_THROUGH, LAYERED, Window, WindowsSystem

LEFT, RIGHT = Rect(0, 0, 400, 300), Rect(300, 0, 700, 300)


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> WindowsSystem:
    return WindowsSystem(monkeypatch)


@pytest.fixture
def mac(monkeypatch: pytest.MonkeyPatch) -> MacSystem:
    return MacSystem(monkeypatch)


def snapshot(read: DesktopWindows) -> Snapshot:
    return Snapshot(started_ns=0, ended_ns=1, screenshot=grab(0), window=read.active, stack=read.stack)


# Windows ----------------------------------------------------------------------------------------------------------


def test_windows_tells_the_stack_the_front_window_and_its_program(windows: WindowsSystem) -> None:
    windows.windows = [
        Window(handle=11, title="Vault - Passwörter", process=701, box=LEFT),
        Window(handle=12, title="Inbox", process=700, box=RIGHT, style=LAYERED),
    ]
    windows.front = 11
    read = open_windows().read()
    assert [(w.title, w.app, w.box) for w in read.stack] == [
        ("Vault - Passwörter", "KeePassXC", LEFT),
        ("Inbox", "mail", RIGHT),
    ]
    assert [(getattr(w, "process"), getattr(w, "number"), getattr(w, "see_through")) for w in read.stack] == [  # noqa: B009
        (701, 11, False),
        (700, 12, True),
    ]
    assert read.active is not None
    assert (read.active.title, read.active.app, read.active.box) == ("Vault - Passwörter", "KeePassXC", LEFT)
    assert not read.own_active


@pytest.mark.parametrize(
    "hidden",
    [
        {"visible": False},
        {"iconic": True},
        {"cloaked": True},
        {"box": Rect(5, 5, 5, 5), "shadow": 0},
        {"style": LAYERED | CLICK_THROUGH},
    ],
    ids=["invisible", "minimised", "cloaked", "empty", "overlay"],
)
def test_windows_that_cannot_be_seen_are_left_out(windows: WindowsSystem, hidden: dict[str, object]) -> None:
    windows.windows = [Window(handle=11, **hidden), Window(handle=12, process=701)]  # type: ignore[arg-type]
    assert [getattr(w, "number") for w in open_windows().read().stack] == [12]  # noqa: B009


def test_our_own_windows_are_not_asked_and_not_told(windows: WindowsSystem) -> None:
    windows.windows = [Window(handle=11, process=os.getpid()), Window(handle=12)]
    windows.front = 11
    read = open_windows().read()
    assert read.own_active
    assert [getattr(w, "number") for w in read.stack] == [12]  # noqa: B009
    assert windows.title_asked == [12]


def test_where_a_window_of_ours_can_be_seen_a_click_is_ours(windows: WindowsSystem) -> None:
    half = Rect(LEFT.x1, LEFT.y1, LEFT.x1 + LEFT.width // 2, LEFT.y2)
    windows.windows = [
        Window(handle=11, process=701, box=half),
        Window(handle=12, process=os.getpid(), box=LEFT),
        Window(handle=13, process=700, box=LEFT),
    ]
    assert open_windows().read().own == (Rect(half.x2, LEFT.y1, LEFT.x2, LEFT.y2),)


def test_a_dialog_counts_as_its_window_and_a_program_from_the_store_as_itself(windows: WindowsSystem) -> None:
    windows.paths[800] = r"C:\Windows\System32\ApplicationFrameHost.exe"
    windows.windows = [
        Window(handle=11, title="Calculator", process=800, hosted=21),
        Window(handle=21, title="", process=702, parent=11),
    ]
    windows.front = 21
    read = open_windows().read()
    assert read.active is not None
    assert (read.active.title, read.active.app) == ("Calculator", "other")
    assert [w.app for w in read.stack] == ["other"]


def test_no_front_window_and_a_program_that_may_not_be_looked_into(windows: WindowsSystem) -> None:
    windows.windows = [Window(handle=11, process=999)]
    read = open_windows().read()
    assert (read.active, read.own_active) == (None, False)
    assert [w.app for w in read.stack] == [""]


def test_a_number_of_a_process_that_is_given_again_is_another_program(windows: WindowsSystem) -> None:
    source = open_windows()
    windows.windows = [Window(handle=11, process=701)]
    assert source.read().stack[0].app == "KeePassXC"
    windows.windows = []
    source.read()
    windows.paths[701] = r"C:\b\paint.exe"
    windows.windows = [Window(handle=12, process=701)]
    assert source.read().stack[0].app == "paint"


def test_rights_of_a_process(windows: WindowsSystem) -> None:
    windows.elevated, windows.denied = {701}, {702}
    assert [Processes().is_elevated(number) for number in (700, 701, 702)] == [False, True, True]


# macOS ------------------------------------------------------------------------------------------------------------


def test_macos_tells_the_stack_and_the_front_window(mac: MacSystem) -> None:
    mac.show("", process=703, box=Rect(0, 0, 1440, 900), layer=20)  # the dock, as large as the screen
    mac.show("Copy", process=700, box=Rect(10, 10, 60, 40), layer=101)
    mac.show("Vault", process=701, box=LEFT)
    mac.show("Inbox", process=700, box=RIGHT, alpha=0.5)
    mac.show("Ghost", process=702, box=RIGHT, alpha=0.0)
    read = open_windows().read()
    assert [(w.title, w.app, w.box) for w in read.stack] == [
        ("Copy", "mail", Rect(10, 10, 60, 40)),
        ("Vault", "vault", LEFT),
        ("Inbox", "mail", RIGHT),
    ]
    assert [getattr(w, "see_through") for w in read.stack] == [False, False, True]  # noqa: B009
    assert read.active is not None
    assert (read.active.title, read.active.app, read.active.box) == ("Vault", "vault", LEFT)


def test_macos_tells_that_our_own_window_has_the_input(mac: MacSystem) -> None:
    mac.show("demopack", process=os.getpid())
    mac.show("Inbox")
    read = open_windows().read()
    assert read.own_active
    assert len(read.own) == 1
    assert [w.title for w in read.stack] == ["Inbox"]


def test_macos_without_a_window_in_front(mac: MacSystem) -> None:
    mac.front_process = 702
    read = open_windows().read()
    assert read == DesktopWindows()


# Both -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("platform", ["win32", "darwin"])
def test_blocked_programs_and_titles_are_known_there(monkeypatch: pytest.MonkeyPatch, platform: str) -> None:
    if platform == "win32":
        system = WindowsSystem(monkeypatch)
        system.windows = [
            Window(handle=11, title="Inbox", process=700, box=LEFT),
            Window(handle=12, title="Bank - Browser", process=702, box=RIGHT),
        ]
        system.front = 11
    else:
        other = MacSystem(monkeypatch)
        other.show("Inbox", process=700, box=LEFT)
        other.show("Bank - Browser", process=702, box=RIGHT)
    read = open_windows().read()
    by_title = BlockList(PrivacySettings(blocked_titles=("bank",)))
    assert by_title.boxes(snapshot(read)) == [Rect(400, 0, 700, 300)], "the part of it that can be seen"
    assert not by_title.point(350, 10, snapshot(read)), "another window lies above it"
    assert by_title.point(500, 10, snapshot(read))
    assert BlockList(PrivacySettings(blocked_apps=("MAIL",))).window(read.active)


@pytest.mark.parametrize("platform", ["win32", "darwin"])
def test_where_no_window_is_known_nothing_is_recorded_that_was_to_be_blocked(
    monkeypatch: pytest.MonkeyPatch, platform: str
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    assert type(open_windows()) is WindowSource
    given = {"screen": HandScreen(), "inputs": HandInput(), "access": AccessSource(), "windows": None}
    blocking = Sources(**given, privacy=PrivacySettings(blocked_apps=("KeePassXC",)))  # type: ignore[arg-type]
    with pytest.raises(CaptureError, match="cannot be kept out") as refused:
        blocking.open()
    assert refused.value.hint
    blocking.close()
    free = Sources(**given, privacy=PrivacySettings(blocked_regions=((0, 0, 9, 9),)))  # type: ignore[arg-type]
    free.open()
    free.close()
