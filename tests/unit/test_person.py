"""The scripted person: what reaches the device, in which order. The device is the port; the rest is real."""

from __future__ import annotations

import pytest

from demopack.domain.geometry import Point
from demopack.errors import CancelledError
from demopack.jobs import CancelToken
from demopack.quickstart.person import Pace, Person
from demopack.quickstart.xdevice import KeyStroke

_NAMED = {"Ctrl": 37, "Shift": 50, "A": 38, "Enter": 36, "Backspace": 22}


class NotedDevice:
    """Writes down what it is told."""

    def __init__(self) -> None:
        self.at = (10, 10)
        self.log: list[str] = []
        self.way: list[tuple[int, int]] = []

    def position(self) -> tuple[int, int]:
        return self.at

    def move(self, x: int, y: int) -> None:
        self.at = (x, y)
        self.way.append(self.at)

    def button(self, number: int, *, down: bool) -> None:
        self.log.append(f"{'press' if down else 'release'} {number} at {self.at[0]},{self.at[1]}")

    def key(self, keycode: int, *, down: bool) -> None:
        self.log.append(f"{'+' if down else '-'}{keycode}")

    def stroke_for(self, character: str) -> KeyStroke:
        return KeyStroke(keycode=ord(character.lower()), shift=character.isupper())

    def named_key(self, name: str) -> int:
        return _NAMED[name]


@pytest.fixture
def device() -> NotedDevice:
    return NotedDevice()


def person_with(device: NotedDevice, **given: object) -> Person:
    return Person(device, pace=Pace(speed=5000), **given)  # type: ignore[arg-type]


def test_a_click_ends_its_way_exactly_on_the_point(device: NotedDevice) -> None:
    person_with(device).click(Point(300, 200))
    assert device.log == ["press 1 at 300,200", "release 1 at 300,200"]


def test_the_way_is_eased_and_has_many_points(device: NotedDevice) -> None:
    Person(device, pace=Pace(move_s=(0.05, 0.05))).move(Point(410, 10))  # type: ignore[arg-type]
    steps = [b[0] - a[0] for a, b in zip([(10, 10), *device.way], device.way, strict=False)]
    assert len(device.way) >= 3
    assert steps[0] < max(steps), "starts slowly"
    assert steps[-1] < max(steps), "ends slowly"


def test_double_and_right_click(device: NotedDevice) -> None:
    person = person_with(device)
    person.double_click(Point(5, 6))
    person.click(Point(5, 6), button="right")
    assert [line.split(" at ")[0] for line in device.log] == [
        *("press 1", "release 1", "press 1", "release 1"),
        *("press 3", "release 3"),
    ]


def test_a_click_with_a_held_key(device: NotedDevice) -> None:
    person_with(device).click(Point(5, 6), holding="Ctrl")
    assert device.log == ["+37", "press 1 at 5,6", "release 1 at 5,6", "-37"]


def test_a_drag_presses_here_and_releases_there(device: NotedDevice) -> None:
    person_with(device).drag(Point(50, 60), Point(150, 90))
    assert device.log == ["press 1 at 50,60", "release 1 at 150,90"]


@pytest.mark.parametrize(("down", "button"), [(3, 5), (-2, 4)])
def test_the_wheel_turns_as_often_as_asked(device: NotedDevice, down: int, button: int) -> None:
    person_with(device).scroll(Point(50, 60), down=down)
    assert device.log == [f"press {button} at 50,60", f"release {button} at 50,60"] * abs(down)


def test_capitals_hold_shift(device: NotedDevice) -> None:
    person_with(device).type_text("Ab")
    assert device.log == ["+50", "+97", "-97", "-50", "+98", "-98"]


def test_a_combination_is_nested_and_a_key_can_repeat(device: NotedDevice) -> None:
    person = person_with(device)
    person.press("Ctrl+A")
    person.press("Backspace", times=2)
    assert device.log == ["+37", "+38", "-38", "-37", "+22", "-22", "+22", "-22"]


def test_a_cancelled_person_stops_at_once(device: NotedDevice) -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(CancelledError):
        person_with(device, token=token).click(Point(300, 200))
    assert device.log == []
