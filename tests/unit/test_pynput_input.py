"""The input adapter for Windows and macOS, with a stand-in for pynput that the test plays."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import pytest

from demopack.domain.events import InputEvent
from demopack.errors import CaptureError
from demopack.reduction.fold import reduce_all
from demopack.reduction.gestures import GestureThresholds
from recorder.backends.pynput_input import PynputInput
from tests.support.notation import render


class Listener:
    """A hook of pynput's: keeps its callbacks for the test."""

    IS_TRUSTED = True
    made: list[Listener]

    def __init__(self, **callbacks: Any) -> None:
        self.callbacks = callbacks
        self.stopped = False
        type(self).made.append(self)

    def start(self) -> None: ...

    def wait(self) -> None: ...

    def stop(self) -> None:
        self.stopped = True

    def join(self, timeout: float) -> None: ...


@pytest.fixture
def listeners(monkeypatch: pytest.MonkeyPatch) -> list[Listener]:
    Listener.made = []
    monkeypatch.setattr(Listener, "IS_TRUSTED", True)
    for name in ("pynput.keyboard", "pynput.mouse"):
        monkeypatch.setitem(sys.modules, name, SimpleNamespace(Listener=Listener))
    return Listener.made


def named(name: str) -> SimpleNamespace:
    return SimpleNamespace(name=name)


def coded(char: str | None, *, vk: int | None = None, is_dead: bool = False) -> SimpleNamespace:
    return SimpleNamespace(char=char, vk=vk, is_dead=is_dead)


def test_everything_arrives_as_gestures(listeners: list[Listener]) -> None:
    events: list[InputEvent] = []
    source = PynputInput()
    source.start(events.append)
    mouse, keyboard = (listener.callbacks for listener in listeners)
    left = named("left")
    mouse["on_move"](10.4, 20.6)
    mouse["on_click"](10.4, 20.6, left, True)
    mouse["on_click"](10.4, 20.6, left, False)
    mouse["on_scroll"](10, 21, 0.0, -0.25)
    for key in (named("shift_r"), coded("H")):
        keyboard["on_press"](key)
    keyboard["on_release"](coded("H"))
    keyboard["on_release"](named("shift_r"))
    for key in (coded("é"), named("space"), coded("中"), coded("^", is_dead=True), named("enter"), coded(None), None):
        keyboard["on_press"](key)
        keyboard["on_release"](key)
    keyboard["on_press"](named("ctrl_l"))
    # With Ctrl held Windows reports the control character, and for digits the code alone.
    for key in (coded("\x03"), coded(None, vk=53)):
        keyboard["on_press"](key)
        keyboard["on_release"](key)
    keyboard["on_release"](named("ctrl_l"))
    source.stop()
    assert [render(gesture) for gesture in reduce_all(events, GestureThresholds())] == [
        "click 10,21",
        "scroll down 1 @10,21",
        'type "Hé 中"',
        "key Enter",
        'type "\ufffd\ufffd"',
        "key Ctrl+C",
        "key Ctrl+5",
    ]
    assert all(listener.stopped for listener in listeners)
    assert [e.t_ns for e in events] == sorted(e.t_ns for e in events)


def test_a_missing_permission_is_said_at_once(listeners: list[Listener], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Listener, "IS_TRUSTED", False)
    source = PynputInput()
    with pytest.raises(CaptureError, match="Input Monitoring"):
        source.start(lambda _: None)
    assert listeners[0].stopped


def test_without_pynput_s_back_end_the_session_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pynput.keyboard", None)
    with pytest.raises(CaptureError, match="cannot be watched"):
        PynputInput()
