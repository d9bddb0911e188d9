"""The scripted person: what reaches the device, in which order. The device is the port; the rest is real."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

import pytest

from demopack.domain.geometry import Point
from demopack.errors import CancelledError
from demopack.jobs import CancelToken
from player.scripted_user import PracticeUser


class NotedDevice:
    """Writes down what it is told."""

    def __init__(self) -> None:
        self.at = (10, 10)
        self.log: list[str] = []
        self.way: list[tuple[int, int]] = []

    def position(self) -> Point:
        return Point(*self.at)

    def move(self, x: int, y: int) -> None:
        self.at = (x, y)
        self.way.append(self.at)

    def press(self, button: str) -> None:
        self.log.append(f"press {button} at {self.at[0]},{self.at[1]}")

    def release(self, button: str) -> None:
        self.log.append(f"release {button} at {self.at[0]},{self.at[1]}")

    def scroll(self, *, dy: int) -> None:
        self.log.append(f"wheel {dy} at {self.at[0]},{self.at[1]}")

    def key_down(self, name: str) -> None:
        self.log.append(f"+{name}")

    def key_up(self, name: str) -> None:
        self.log.append(f"-{name}")

    @contextmanager
    def character(self, char: str) -> Generator[None]:
        self.log.append(f"+{char!r}")
        yield
        self.log.append(f"-{char!r}")


@pytest.fixture
def device() -> NotedDevice:
    return NotedDevice()


class NotedToken(CancelToken):
    """Waits no time, and writes down how long it was to be."""

    def __init__(self) -> None:
        super().__init__()
        self.waits: list[float] = []

    def wait(self, seconds: float) -> bool:
        self.waits.append(seconds)
        return False


def person_with(device: NotedDevice, **given: object) -> PracticeUser:
    return PracticeUser(device, speed=5000, **given)  # type: ignore[arg-type]


def test_a_click_ends_its_way_exactly_on_the_point(device: NotedDevice) -> None:
    person_with(device).click(Point(300, 200))
    assert device.log == ["press left at 300,200", "release left at 300,200"]


def test_the_way_is_eased_and_has_many_points(device: NotedDevice) -> None:
    PracticeUser(device, speed=8).move(Point(410, 10))  # type: ignore[arg-type]
    steps = [b[0] - a[0] for a, b in zip([(10, 10), *device.way], device.way, strict=False)]
    assert len(device.way) >= 3
    assert steps[0] < max(steps), "starts slowly"
    assert steps[-1] < max(steps), "ends slowly"


def test_double_and_right_click(device: NotedDevice) -> None:
    person = person_with(device)
    person.click(Point(5, 6), times=2)
    person.click(Point(5, 6), button="right")
    assert [line.split(" at ")[0] for line in device.log] == [
        *("press left", "release left", "press left", "release left"),
        *("press right", "release right"),
    ]


def test_a_click_with_a_held_key(device: NotedDevice) -> None:
    person_with(device).click(Point(5, 6), holding="Ctrl")
    assert device.log == ["+Ctrl", "press left at 5,6", "release left at 5,6", "-Ctrl"]


def test_a_drag_presses_here_and_releases_there(device: NotedDevice) -> None:
    person_with(device).drag(Point(50, 60), Point(150, 90))
    assert device.log == ["press left at 50,60", "release left at 150,90"]


@pytest.mark.parametrize(("down", "notch"), [(3, -1), (-2, 1)])
def test_the_wheel_turns_as_often_as_asked(device: NotedDevice, down: int, notch: int) -> None:
    person_with(device).scroll(Point(50, 60), down=down)
    assert device.log == [f"wheel {notch} at 50,60"] * abs(down)


def test_text_is_typed_character_by_character(device: NotedDevice) -> None:
    person_with(device).type_text("Ab")
    assert device.log == ["+'A'", "-'A'", "+'b'", "-'b'"]


def test_a_combination_is_nested_and_a_key_can_repeat(device: NotedDevice) -> None:
    person = person_with(device)
    person.press("Ctrl+A")
    person.press("Backspace", times=2)
    assert device.log == ["+Ctrl", "+A", "-A", "-Ctrl", "+Backspace", "-Backspace", "+Backspace", "-Backspace"]


def test_a_cancelled_person_stops_at_once(device: NotedDevice) -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(CancelledError):
        person_with(device, token=token).click(Point(300, 200))
    assert device.log == []


def test_the_pointer_rests_until_a_menu_has_opened_however_fast_the_person_is(device: NotedDevice) -> None:
    token = NotedToken()
    person_with(device, token=token).hover(Point(200, 100))
    assert device.at == (200, 100)
    assert device.log == []
    assert token.waits[-1] >= 0.8, "a menu that opens on hover takes half a second"
    assert max(token.waits[:-1]) < 0.01
