"""What a replay does on Windows and macOS, through pynput's own controllers for these systems."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest

import player.backends.pynput_performer
from demopack.clock import now_ns
from demopack.domain.events import InputEvent
from demopack.domain.geometry import Point, Rect
from demopack.errors import CaptureError, ReplayError
from demopack.jobs import CancelToken
from demopack.reduction.fold import reduce_all
from demopack.reduction.gestures import GestureThresholds
from player.abort import AbortMonitor
from player.backends.pynput_performer import PynputPerformer
from recorder.backends.pynput_input import PynputInput
from tests.support import darwin_system, win32_system
from tests.support.darwin_system import DarwinSystem
from tests.support.notation import render
from tests.support.win32_system import Win32System

INSTALL: dict[str, Callable[..., Any]] = {"win32": win32_system.install, "darwin": darwin_system.install}


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> Win32System:
    return win32_system.install(monkeypatch, "de")


@pytest.fixture
def mac(monkeypatch: pytest.MonkeyPatch) -> DarwinSystem:
    return darwin_system.install(monkeypatch, "de")


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The performer's clock; the test writes the nanoseconds."""
    now = [now_ns()]
    monkeypatch.setattr(player.backends.pynput_performer, "now_ns", lambda: now[0])
    return now


def click(performer: PynputPerformer, times: int = 1) -> None:
    for _ in range(times):
        performer.press("left")
        performer.release("left")


# macOS ----------------------------------------------------------------------------------------------------------------


def test_clicks_of_a_mac_say_how_many_they_are(mac: DarwinSystem, clock: list[int]) -> None:
    performer = PynputPerformer()
    performer.move(100, 200)
    click(performer, 3)
    clock[0] += 600_000_000
    click(performer, 2)
    performer.move(300, 200)
    click(performer)
    performer.press("right")
    performer.release("right")
    assert [word for word in mac.sent if word.startswith("+")] == [
        "+button0 click 1", "+button0 click 2", "+button0 click 3", "+button0 click 1", "+button0 click 2",
        "+button0 click 1", "+button1 click 1",
    ]  # fmt: skip
    assert [word[1:] for word in mac.sent if word.startswith("-")] == [
        word[1:] for word in mac.sent if word.startswith("+")
    ], "a release says the same as its press"


def test_a_notch_of_a_mac_is_a_line_with_its_direction(mac: DarwinSystem) -> None:
    performer = PynputPerformer()
    performer.scroll(dy=2)
    performer.scroll(dy=-1, dx=1)
    assert mac.sent == ["w1,0 lines", "w1,0 lines", "w-1,0 lines", "w0,-1 lines"]


def test_buttons_at_the_side_and_a_drag_with_one(mac: DarwinSystem) -> None:
    performer = PynputPerformer()
    performer.press("back")
    performer.move(5, 6)
    performer.release("back")
    performer.press("forward")
    performer.release_all()
    assert [word.partition(" click")[0] for word in mac.sent] == [
        "+button3", "drag3 5,6", "-button3", "+button4", "-button4",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "code"),
    [("Insert", "72"), ("Menu", "6E"), ("PrintScreen", "69"), ("ScrollLock", "6B"), ("Pause", "71"), ("NumLock", "47"),
     ("Enter", "24"), ("F5", "60"), ("ArrowLeft", "7B")],
)  # fmt: skip
def test_a_key_that_apple_s_keyboards_have_not(mac: DarwinSystem, name: str, code: str) -> None:
    performer = PynputPerformer()
    performer.key_down(name)
    performer.key_up(name)
    assert mac.sent == [f"+{code}", f"-{code}"]


def test_a_combination_has_its_key_or_is_refused(mac: DarwinSystem) -> None:
    """Keys that are not on the layout would be the key with code 0, and ``Meta+A`` selects everything."""
    performer = PynputPerformer()
    performer.key_down("Meta")
    performer.key_down("Plus")
    performer.release_all()
    assert mac.sent == ["+M37", "+M45", "-M45", "-37"], "the one of the number pad"
    with pytest.raises(ReplayError, match="There is no key"):
        performer.key_down("中")


def test_text_of_a_mac_arrives_whole(mac: DarwinSystem) -> None:
    performer = PynputPerformer()
    performer.type_text("aÜ😀\t")
    assert [word for word in mac.sent if word.startswith("+")] == ["+00", "+Ü", "+😀", "+30"]


def test_only_the_main_thread_opens_the_keyboard_of_a_mac(mac: DarwinSystem, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[PynputPerformer] = []
    worker = threading.Thread(target=lambda: made.append(PynputPerformer()), name="worker")
    worker.start()
    mac.run_main(worker)
    assert set(mac.asked_in) == {threading.main_thread().name}
    assert made
    monkeypatch.setattr("recorder.backends.pynput_darwin._MAIN_THREAD_S", 0.01)
    refused: list[str] = []

    def open_without_a_loop() -> None:
        with pytest.raises(CaptureError, match="layout could not be read") as error:
            PynputPerformer()
        refused.append(error.value.hint)

    worker = threading.Thread(target=open_without_a_loop)
    worker.start()
    worker.join(10)
    assert refused


# Windows --------------------------------------------------------------------------------------------------------------


def test_a_notch_of_windows_is_120(windows: Win32System) -> None:
    performer = PynputPerformer()
    performer.scroll(dy=2)
    performer.scroll(dy=-1, dx=1)
    assert windows.sent == ["w120", "w120", "w-120", "h120"]


def test_buttons_of_windows(windows: Win32System) -> None:
    performer = PynputPerformer()
    for button in ("left", "right", "middle", "back", "forward"):
        performer.press(button)
        performer.release(button)
    assert windows.sent == [
        "+left", "-left", "+right", "-right", "+middle", "-middle", "+x1", "-x1", "+x2", "-x2",
    ]  # fmt: skip
    with pytest.raises(ReplayError, match="no mouse button other"):
        performer.press("other")


@pytest.mark.parametrize(
    ("layout", "name", "code"),
    [("de", "Plus", "BB"), ("us", "Plus", "BB"), ("fr", "1", "31"), ("de", "^", "DC"), ("us", "A", "41"),
     ("fr", "!", "DF"), ("us", "F5", "74"), ("us", "Insert", "2De"), ("us", "PrintScreen", "2Ce")],
)  # fmt: skip
def test_a_key_of_a_combination_goes_by_its_code(
    monkeypatch: pytest.MonkeyPatch, layout: str, name: str, code: str
) -> None:
    """A character without a key does nothing together with Ctrl."""
    system = win32_system.install(monkeypatch, layout)
    performer = PynputPerformer()
    performer.key_down(name)
    performer.key_up(name)
    assert system.sent == [f"+{code}", f"-{code}"]


# Both -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("caps", [False, True])
@pytest.mark.parametrize("platform", INSTALL)
@pytest.mark.parametrize("text", ["^e `o x^2", "Grüße, 50 €!", "a😀b", "中文 ñ~n"])
def test_text_arrives_as_it_is_whatever_keys_are_dead(
    monkeypatch: pytest.MonkeyPatch, platform: str, text: str, caps: bool
) -> None:
    system = INSTALL[platform](monkeypatch, "de")
    if caps and platform == "win32":
        system.key("Caps", pressed=True)
        system.key("Caps", pressed=False)
    events: list[InputEvent] = []
    source = PynputInput()
    source.start(events.append)
    try:
        system.wait_for_hooks()
        PynputPerformer().type_text(text)
    finally:
        source.stop()
    assert [render(gesture) for gesture in reduce_all(events, GestureThresholds())] == [f'type "{text}"']
    assert all(event.injected for event in events)


@pytest.mark.parametrize("platform", INSTALL)
def test_the_watch_takes_the_person_for_the_person_and_the_player_s_keys_for_its_own(
    monkeypatch: pytest.MonkeyPatch, platform: str
) -> None:
    system = INSTALL[platform](monkeypatch, "us")
    performer, token = PynputPerformer(), CancelToken()
    performer.move(400, 300)
    bounds = Rect(0, 0, 800, 600)
    watch = AbortMonitor(performer, token=token, bounds=bounds, hotkey="Ctrl+F5", corner_px=4, inputs=PynputInput())
    with watch:
        system.wait_for_hooks()
        for name in ("Ctrl", "F5"):
            performer.key_down(name)
        performer.release_all()
        performer.move(1, 1)
        performer.move(400, 300)
        stopped = [token.cancelled]
        system.keys("Ctrl+F5")
        stopped.append(token.cancelled)
    assert stopped == [False, True]
    assert watch.reason == "the hot-key Ctrl+F5"


@pytest.mark.parametrize("platform", INSTALL)
def test_nothing_stays_down(monkeypatch: pytest.MonkeyPatch, platform: str) -> None:
    system = INSTALL[platform](monkeypatch, "us")
    with PynputPerformer() as performer:
        performer.key_down("Shift")
        performer.key_down("a")
        performer.press("left")
        performer.move(7, 8)
        assert performer.position() == Point(7, 8)
    ups = [word for word in system.sent if word.startswith("-")]
    assert len(ups) == 3


def test_without_pynput_s_back_end_the_session_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pynput.keyboard", None)
    with pytest.raises(CaptureError, match="cannot be controlled"):
        PynputPerformer()
