"""Programs that hang, move, hide or say nothing: what is known stays right, and nobody waits."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Iterator

import pytest

from demopack.domain.geometry import Rect
from recorder.backends import open_access, open_windows
from recorder.backends.atspi.bus import AccessEvent, BusQuery, Ref, open_bus
from recorder.backends.base import AccessSource, SeenWindow
from recorder.desktop.private_display import PrivateDesktop, PrivateDisplay
from tests.support.colour_window import ColourWindow
from tests.support.desktop_programs import until, xdotool, zenity

pytestmark = pytest.mark.e2e

_PASSWORD = ("--password",)


@pytest.fixture(scope="module")
def desktop() -> Iterator[PrivateDesktop]:
    with PrivateDesktop(width=1000, height=700) as started:
        yield started


@pytest.fixture
def access(desktop: PrivateDesktop) -> Iterator[AccessSource]:
    source = open_access(desktop.name)
    source.start()
    until(lambda: source.available, "no accessibility")
    yield source
    source.stop()


def _role(access: AccessSource) -> str:
    access.catch_up(timeout_s=1)
    element = access.focused(time.monotonic_ns())
    return "" if element is None else element.role


def _boxes(access: AccessSource) -> tuple[Rect, ...]:
    access.catch_up(timeout_s=1)
    now = time.monotonic_ns()
    return access.secure_boxes(now, now)


def test_a_program_that_hangs_costs_nothing_but_its_answers(desktop: PrivateDesktop, access: AccessSource) -> None:
    with zenity(desktop, *_PASSWORD, title="Hangs") as hanging:
        until(lambda: _role(access) == "password text", "no password field")
        boxes = _boxes(access)
        assert len(boxes) == 1
        os.kill(hanging.process.pid, signal.SIGSTOP)
        try:
            access.ask(boxes[0].center.x, boxes[0].center.y)
            assert not access.catch_up(timeout_s=0.5)
            again = time.monotonic()
            assert not access.catch_up(timeout_s=60)
            assert time.monotonic() - again < 30, "a program that is known to hang is not waited for again"
            # What was known of it still counts.
            assert _boxes(access) == boxes
            assert access.secure_between(time.monotonic_ns(), time.monotonic_ns()) is not None
        finally:
            os.kill(hanging.process.pid, signal.SIGCONT)
        until(lambda: access.catch_up(timeout_s=1), "it is not heard of again")


def test_a_program_that_was_late_is_read_as_before_for_whoever_waits(
    desktop: PrivateDesktop, access: AccessSource
) -> None:
    windows = open_windows(desktop.name)

    def written() -> set[str]:
        stack = [window for window in windows.read().stack if isinstance(window, SeenWindow)]
        asked_ns = time.monotonic_ns()
        read = access.trees_now(stack, timeout_s=10)
        return {node.name for one in read if one.started_ns >= asked_ns for node in one.tree.nodes}

    with contextlib.closing(windows), zenity(desktop, "--question", "--text", "Send it?", title="Late") as program:
        until(lambda: "Send it?" in written(), "its window is not read")
        os.kill(program.process.pid, signal.SIGSTOP)
        try:
            assert not access.catch_up(timeout_s=0.5)
            until(lambda: bool(access.problems), "nobody noticed that it is late")
        finally:
            os.kill(program.process.pid, signal.SIGCONT)
        until(lambda: access.catch_up(timeout_s=1), "it is not heard of again")
        assert "Send it?" in written()


def test_what_was_typed_while_a_program_hung_may_have_gone_into_its_secure_field(
    desktop: PrivateDesktop, access: AccessSource
) -> None:
    with zenity(desktop, "--forms", "--add-entry=User", "--add-password=Key", title="Late") as late:
        until(lambda: _role(access) == "text", "no field")
        first = time.monotonic_ns()
        xdotool(desktop, "type", "bob")
        until(lambda: _change(access, first) == "bob", "the name was not read")
        name_typed = time.monotonic_ns()
        access.catch_up(timeout_s=1)
        os.kill(late.process.pid, signal.SIGSTOP)
        try:
            xdotool(desktop, "key", "Tab")
            typed = time.monotonic_ns()
            xdotool(desktop, "type", "s3cret")
            until(lambda: not access.catch_up(timeout_s=0.4), "it is not known to hang")
        finally:
            os.kill(late.process.pid, signal.SIGCONT)
        until(lambda: _role(access) == "password text", "the focus has not moved")
        secure = access.secure_between(typed, typed)
        assert secure is not None
        assert secure.secure
        assert access.secure_between(first, name_typed) is None


def _change(access: AccessSource, started: int) -> str:
    access.catch_up(timeout_s=1)
    return (access.text_change(started, time.monotonic_ns()) or ("", ""))[1]


def test_boxes_follow_a_window(desktop: PrivateDesktop, access: AccessSource) -> None:
    with zenity(desktop, *_PASSWORD, title="Wanders"):
        until(lambda: len(_boxes(access)) == 1, "no password field")
        still = time.monotonic_ns()
        (old,) = _boxes(access)
        xdotool(desktop, "search", "--name", "Wanders", "windowmove", "--sync", "40", "50")
        until(lambda: _boxes(access) not in {(), (old,)}, "the box has not moved")
        (new,) = _boxes(access)
        now = time.monotonic_ns()
        assert (new.width, new.height) == (old.width, old.height)
        # On its way it may have been anywhere in between.
        assert any(box.encloses(old.union(new)) for box in access.secure_boxes(still, now))
        assert access.secure_boxes(still, still) == (old,)


def test_a_window_that_tells_nothing_takes_the_input_away(desktop: PrivateDesktop, access: AccessSource) -> None:
    with zenity(desktop, *_PASSWORD, title="Speaks"):
        until(lambda: _role(access) == "password text", "no password field")
        with ColourWindow(desktop.name, title="Silent", app="Silent", colour=(9, 9, 9), box=(0, 0, 300, 200)):
            until(lambda: _role(access) == "", "the password field still has the input")
            now = time.monotonic_ns()
            assert access.secure_between(now, now) is None
        until(lambda: _role(access) == "password text", "the password field does not get the input back")


def test_a_field_that_another_window_covers_still_has_its_box(desktop: PrivateDesktop, access: AccessSource) -> None:
    with zenity(desktop, *_PASSWORD, title="Below"):
        until(lambda: len(_boxes(access)) == 1, "no password field")
        (box,) = _boxes(access)
        with ColourWindow(desktop.name, title="Above", app="Above", colour=(9, 9, 9), box=(0, 0, 1200, 760)):
            access.ask(box.center.x, box.center.y)
            asked = time.monotonic_ns()
            access.catch_up(timeout_s=1)
            assert access.pointed(box.center.x, box.center.y, asked) is None, "that click was meant for another"


def test_without_accessibility_there_are_just_no_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AT_SPI_BUS_ADDRESS", "DBUS_SESSION_BUS_ADDRESS"):
        monkeypatch.delenv(name, raising=False)
    with PrivateDisplay(width=300, height=200) as bare:
        source = open_access(bare.name)
        source.start()
        now = time.monotonic_ns()
        source.ask(5, 5)
        assert not source.available
        assert not source.catch_up(timeout_s=1)
        assert time.monotonic_ns() - now < 900_000_000
        assert source.focused(now) is source.pointed(5, 5, now) is source.secure_between(0, now) is None
        assert source.text_change(0, now) is None
        assert source.secure_boxes(0, now) == ()
        source.stop()


def test_no_screen_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AT_SPI_BUS_ADDRESS", "DBUS_SESSION_BUS_ADDRESS", "DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    source = open_access()
    source.start()
    assert not source.available
    source.stop()


def test_accessibility_is_switched_on_and_back(monkeypatch: pytest.MonkeyPatch) -> None:
    with PrivateDesktop(width=300, height=200, window_manager=False) as desktop:
        for name in ("DISPLAY", "DBUS_SESSION_BUS_ADDRESS"):
            monkeypatch.setenv(name, desktop.environment()[name])
        bus = open_bus(desktop.environment()["DBUS_SESSION_BUS_ADDRESS"], _ignore)
        assert bus is not None

        def is_on() -> bool:
            question = BusQuery(
                Ref("org.a11y.Bus", "/org/a11y/bus"),
                "org.freedesktop.DBus.Properties",
                "Get",
                "ss",
                ("org.a11y.Status", "IsEnabled"),
                "v",
            )
            answer = bus.ask(question)
            assert answer is not None
            return bool(answer[0][1])

        assert not is_on()
        source = open_access()
        source.start()
        until(is_on, "not switched on")
        source.stop()
        assert not is_on()
        bus.close()


def test_the_bus_may_die(desktop: PrivateDesktop) -> None:
    with PrivateDesktop(width=300, height=200, window_manager=False) as short_lived:
        source = open_access(short_lived.name)
        source.start()
        until(lambda: source.available, "no accessibility")
    until(lambda: not source.available, "it still seems to be there")
    assert not source.catch_up(timeout_s=5)
    source.stop()
    assert desktop.has_access


def _ignore(_: AccessEvent) -> None:
    """Nothing is listened to."""
