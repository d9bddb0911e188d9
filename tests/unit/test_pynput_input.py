"""The input adapter for Windows and macOS: how it starts and ends, and what it says while it watches.

pynput's own back ends run; the test plays the system below them and the person at it.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from demopack.clock import now_ns
from demopack.domain.events import InputEvent
from demopack.errors import CaptureError
from demopack.reduction.gestures import OsTimings
from recorder.backends.pynput_darwin import LAPSED, SWITCHED_OFF, in_main_thread
from recorder.backends.pynput_input import PynputInput, nudge
from recorder.backends.pynput_win32 import UNSEEN
from tests.support import darwin_system, win32_system
from tests.support.darwin_system import DarwinSystem
from tests.support.win32_system import Win32System

INSTALL: dict[str, Callable[..., Any]] = {"win32": win32_system.install, "darwin": darwin_system.install}


class Desk:
    """A system, a source that watches it, and what arrives."""

    def __init__(self, system: Any) -> None:
        self.system = system
        self.events: list[InputEvent] = []
        self.source = PynputInput()

    def watch(self) -> None:
        self.source.start(self.events.append)
        self.system.wait_for_hooks()

    @property
    def listeners(self) -> list[Any]:
        return self.source._listeners


@pytest.fixture(autouse=True)
def no_thread_is_left() -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    assert not [thread for thread in threading.enumerate() if thread not in before and thread.is_alive()]


@pytest.fixture(params=list(INSTALL))
def desk(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    monkeypatch.setattr(sys, "platform", request.param)
    made = Desk(INSTALL[request.param](monkeypatch))
    yield made
    made.source.stop()


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    made = Desk(win32_system.install(monkeypatch, "de"))
    yield made
    made.source.stop()


@pytest.fixture
def mac(monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    made = Desk(darwin_system.install(monkeypatch, "de"))
    yield made
    made.source.stop()


def fails(_: InputEvent) -> None:
    raise RuntimeError("the session")


# Beginning and end ----------------------------------------------------------------------------------------------------


def test_stopping_twice_and_without_a_start_is_harmless(desk: Desk) -> None:
    desk.source.stop()
    desk.watch()
    assert desk.source.error is None
    hooks = desk.listeners
    desk.source.stop()
    desk.source.stop()
    assert desk.source.error is None, "somebody stopped it"
    assert not any(hook.is_alive() for hook in hooks)


def test_it_can_be_started_again(desk: Desk) -> None:
    desk.watch()
    desk.source.stop()
    desk.watch()
    desk.system.move(3, 4)
    assert [event.kind for event in desk.events] == ["move"]
    assert desk.source.problems == []


def test_a_callback_that_fails_is_kept_as_the_error_also_after_the_end(desk: Desk) -> None:
    desk.source.start(fails)
    desk.system.wait_for_hooks()
    for _ in range(30):  # more than pynput's queue of exceptions holds
        desk.system.move(1, 2)
    assert desk.source.error is not None
    assert desk.source.error.details == "RuntimeError: the session"
    desk.source.stop()
    assert desk.source.error is not None
    desk.watch()
    assert desk.source.error is None, "a new start is a new try"


@pytest.mark.parametrize("dead", [0, 1])
def test_a_hook_that_the_system_ends_is_told(desk: Desk, dead: int) -> None:
    desk.watch()
    hook = desk.listeners[dead]
    hook._stop_platform()
    threading.Thread.join(hook, 10)
    assert "can no longer be watched" in str(desk.source.error)
    desk.source.stop()
    assert desk.source.error is not None


def test_a_fault_of_pynput_s_own_is_told(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.watch()
    hook = desk.listeners[0]
    monkeypatch.setattr(hook, "_handle_message", lambda *_: 1 // 0)
    desk.system.move(1, 2)
    threading.Thread.join(hook, 10)
    assert "can no longer be watched" in str(desk.source.error)
    desk.source.stop()


def test_a_hook_that_fails_before_it_is_ready_is_not_waited_for(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    tools = sys.modules[f"pynput._util.{sys.platform}"]
    if sys.platform == "win32":
        monkeypatch.setattr(tools.MessageLoop, "start", lambda _: 1 // 0)
    else:
        monkeypatch.setattr(tools, "CFRunLoopGetCurrent", lambda: 1 // 0)
    found: list[CaptureError] = []

    def start() -> None:
        with pytest.raises(CaptureError, match="cannot be watched") as refused:
            desk.source.start(desk.events.append)
        found.append(refused.value)

    started = threading.Thread(target=start, daemon=True)
    started.start()
    if sys.platform == "darwin":
        desk.system.run_main(started)
    started.join(10)
    assert [error.details for error in found] == ["ZeroDivisionError: integer division or modulo by zero"]


def test_an_event_that_cannot_be_read_is_left_out_and_counted(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.watch()
    moment = desk.source._hooks._moment  # type: ignore[attr-defined]
    monkeypatch.setattr(desk.source._hooks, "_moment", lambda _: 1 // 0)
    desk.system.move(1, 2)
    monkeypatch.setattr(desk.source._hooks, "_moment", moment)
    desk.system.move(3, 4)
    assert [(event.x, event.y) for event in desk.events] == [(3, 4)]
    assert (desk.source.unreadable, desk.source.error) == (1, None)


def test_a_hook_that_windows_does_not_install_is_told_at_once(windows: Desk) -> None:
    windows.system.may_hook = False
    with pytest.raises(CaptureError) as refused:
        windows.source.start(windows.events.append)
    assert "installed no hook" in refused.value.details


def test_without_pynput_s_back_end_the_session_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pynput.keyboard", None)
    with pytest.raises(CaptureError, match="cannot be watched"):
        PynputInput()


def test_without_the_right_to_listen_nothing_is_started_for_good(mac: Desk) -> None:
    mac.system.trusted = mac.system.may_listen = False
    with pytest.raises(CaptureError, match="Input Monitoring"):
        mac.source.start(mac.events.append)
    mac.source.stop()


def test_a_keyboard_that_may_not_be_watched_is_told_at_once(mac: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    mac.system.trusted = False
    mac.system.may_listen = True
    create = mac.system.do_CGEventTapCreate
    refused = iter([True, False])  # the mouse's tap is made, the keyboard's is not
    quartz = sys.modules["pynput._util.darwin"]
    monkeypatch.setattr(quartz, "CGEventTapCreate", lambda *a: create(*a) if next(refused) else None)
    with pytest.raises(CaptureError, match="Input Monitoring"):
        mac.source.start(mac.events.append)


def test_input_monitoring_alone_is_enough(mac: Desk) -> None:
    mac.system.trusted = False
    mac.watch()
    mac.system.keys("a")
    assert [event.char for event in mac.events] == ["a", ""]


# What it says meanwhile -----------------------------------------------------------------------------------------------


def test_all_is_well(desk: Desk) -> None:
    desk.watch()
    desk.system.keys("a")
    assert desk.source.problems == []
    desk.source.stop()
    assert desk.source.problems == []


def test_input_that_reaches_windows_but_no_hook_is_told_until_something_arrives(windows: Desk) -> None:
    system: Win32System = windows.system
    windows.watch()
    system.keys("a")
    system.use_unseen(for_ms=60_000)
    assert windows.source.problems == [], "an event may be on its way"
    system.use_unseen(for_ms=1_000)
    assert windows.source.problems == []
    system.use_unseen(for_ms=1_000)
    assert windows.source.problems == [UNSEEN]
    system.keys("b")
    assert windows.source.problems == []
    system.drop_hooks()
    told: list[list[str]] = []
    for _ in range(3):
        system.use_unseen(for_ms=1_000)
        told.append(windows.source.problems)
    assert told == [[], [], [UNSEEN]]


def test_a_rest_is_no_dead_hook(windows: Desk) -> None:
    windows.watch()
    windows.system.keys("a")
    for _ in range(3):
        windows.system.tick_ms += 60_000
        assert windows.source.problems == []


def test_a_question_that_the_system_does_not_know_costs_nothing(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.watch()
    monkeypatch.setattr(desk.source._hooks, "problems", lambda: 1 // 0)
    assert desk.source.problems == []


@pytest.mark.parametrize("by_user", [False, True])
def test_taps_that_macos_switches_off_are_switched_on_again_and_told(mac: Desk, by_user: bool) -> None:
    mac.watch()
    mac.system.disable_taps(by_user=by_user)
    assert mac.source.problems == [LAPSED]
    mac.system.keys("a")
    assert [event.key for event in mac.events] == ["a", "a"], "and nothing else"
    for tap in mac.system._taps:
        tap.enabled = False
    assert mac.source.problems == [SWITCHED_OFF]


# Threads of macOS -----------------------------------------------------------------------------------------------------


def test_only_the_main_thread_asks_a_mac_for_its_layout(mac: Desk) -> None:
    system: DarwinSystem = mac.system
    worker = threading.Thread(target=mac.watch, name="worker")
    worker.start()
    system.run_main(worker)
    system.keys("Caps a Ctrl+- Caps")
    system.media_key(0)
    assert set(system.asked_in) == {threading.main_thread().name}
    assert system.events_in == [], "of which macOS makes an event in the main thread only"
    assert [event.key for event in mac.events if event.kind == "key_down"] == ["CapsLock", "a", "Ctrl", "-", "CapsLock"]


def test_a_main_thread_without_a_loop_costs_the_layout_but_no_text(mac: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("recorder.backends.pynput_darwin._MAIN_THREAD_S", 0.01)
    worker = threading.Thread(target=mac.watch, name="worker")
    worker.start()
    worker.join(10)
    mac.system.keys("Shift+h Option+l Ctrl+a Cmd+plus")
    assert mac.system.asked_in == []
    downs = [(event.key, event.char) for event in mac.events if event.kind == "key_down"]
    assert downs == [
        ("Shift", ""), ("h", "H"), ("Alt", ""), ("@", "@"), ("Ctrl", ""), ("a", ""), ("Meta", ""), ("+", ""),
    ]  # fmt: skip


def test_an_answer_of_the_main_thread_that_fails_is_none(mac: Desk) -> None:
    found: list[object] = []
    worker = threading.Thread(target=lambda: found.append(in_main_thread(lambda: 1 // 0)))
    worker.start()
    mac.system.run_main(worker)
    assert found == [None]


# Events ---------------------------------------------------------------------------------------------------------------


def test_buttons_and_moves(desk: Desk) -> None:
    desk.watch()
    desk.system.move(10, 20)
    numbers = {
        "win32": [(1, "left"), (2, "right"), (3, "middle"), (4, "back"), (5, "forward"), (6, "other")],
        "darwin": [(0, "left"), (1, "right"), (2, "middle"), (3, "back"), (4, "forward"), (5, "other")],
    }
    expected: list[tuple[str, str | None]] = [("move", None)]
    for number, name in numbers[sys.platform]:
        desk.system.button(number, pressed=True)
        desk.system.move(10, 20)
        desk.system.button(number, pressed=False)
        expected += [("down", name), ("move", None), ("up", name)]
    assert [(event.kind, event.button) for event in desk.events] == expected
    assert {(event.x, event.y) for event in desk.events} == {(10, 20)}
    desk.system.keys("a")
    assert (desk.events[-1].x, desk.events[-1].y) == (10, 20)


def test_what_a_program_injects_is_marked(desk: Desk) -> None:
    desk.watch()
    desk.system.keys("a")
    desk.system.packet("b")
    nudge()
    assert [event.injected for event in desk.events] == [False] * 2 + [True] * 4


def test_an_event_has_the_time_of_windows_and_is_never_later_than_now(windows: Desk) -> None:
    system: Win32System = windows.system
    windows.watch()
    windows.source._last_ns = 0
    before = now_ns()
    system.move(1, 1)
    after = now_ns()
    (prompt,) = windows.events
    assert before <= prompt.t_ns <= after, "the system's milliseconds are no finer than 16"
    windows.source.stop()
    windows.watch()
    windows.source._last_ns = 0
    windows.events.clear()
    system.late_ms = 300
    before = now_ns()
    system.move(1, 1)
    after = now_ns()
    waited_ms = (after - windows.events[0].t_ns) / 1e6
    assert 284 <= waited_ms <= 284 + (after - before) / 1e6
    system.late_ms = 0
    system.keys("a")
    system.late_ms = 300
    system.move(2, 2)
    times = [event.t_ns for event in windows.events]
    assert times == sorted(times), "in the order in which they came"
    system.late_ms = 10**9  # a program that writes any time on what it injects
    system.move(1, 1)
    assert windows.events[-1].t_ns >= after


@pytest.mark.parametrize("ticks", [False, True])
def test_an_event_has_the_time_of_a_mac_in_nanoseconds_or_ticks(mac: Desk, ticks: bool) -> None:
    system: DarwinSystem = mac.system
    system.ticks = ticks
    mac.watch()
    system.late_ns = 250_000_000
    before = now_ns()
    system.move(1, 1)
    after = now_ns()
    waited_ns = after - mac.events[0].t_ns
    assert 250_000_000 - 100 <= waited_ns <= 250_000_000 + (after - before) + 100
    system.late_ns = -(10**12)
    before = now_ns()
    system.move(1, 1)
    assert before <= mac.events[1].t_ns <= now_ns(), "never later than now"


def test_the_system_s_own_constants(windows: Desk, mac: Desk) -> None:
    assert windows.source.timings() == OsTimings(double_click_ms=500, double_click_px=2, drag_px=4)
    assert mac.source.timings() == OsTimings()
