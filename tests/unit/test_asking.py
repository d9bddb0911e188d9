"""When programs are asked what lies under the pointer."""

from __future__ import annotations

from recorder.asking import Asking
from recorder.backends.base import PingSource
from recorder.reduction.notation import parse_events
from tests.support.hand_access import HandAccess


class Asked(HandAccess):
    def __init__(self) -> None:
        super().__init__()
        self.places: list[tuple[int, int]] = []

    def ask(self, x: int, y: int) -> None:
        self.places.append((x, y))


def asked(events: str, *, rests: bool) -> list[tuple[int, int]]:
    access = Asked()
    asking = Asking(access)
    for event in parse_events(events):
        asking.note(event)
        if rests:
            asking.look_in(event.t_ns + 100_000_000)
    return access.places


def test_a_rest_is_asked_about_once_and_answers_the_press() -> None:
    assert asked("(10,10) (20,20) L+ L-", rests=True) == [(10, 10), (20, 20)]


def test_a_press_without_a_rest_is_asked_about_itself() -> None:
    assert asked("(10,10) (20,20) L+ L-", rests=False) == [(20, 20)]


def test_the_second_press_at_a_place_is_asked_about_anew() -> None:
    assert asked("(20,20) L L", rests=False) == [(20, 20), (20, 20)]


def test_the_wheel_and_nothing_else_asks_too() -> None:
    assert asked("(20,20) w-1 a", rests=False) == [(20, 20)]


def test_a_pointer_on_its_way_is_waited_for() -> None:
    asking = Asking(Asked())
    (move,) = parse_events("(10,10)")
    assert not asking.waits
    asking.note(move)
    assert asking.waits
    asking.look_in(move.t_ns + 10_000_000)
    assert asking.waits, "it has not rested yet"
    asking.look_in(move.t_ns + 100_000_000)
    assert not asking.waits


def test_without_accessibility_nobody_is_asked() -> None:
    asking = Asking(None)
    for event in parse_events("(10,10) L"):
        asking.note(event)
    asking.look_in(2**62)
    assert not asking.waits


class _Pings(PingSource):
    def __init__(self) -> None:
        self.asked: list[tuple[int, int] | None] = []

    def start(self) -> None:
        return

    def stop(self) -> None:
        return

    def ask(self, t_ns: int, at: tuple[int, int] | None) -> None:
        assert t_ns
        self.asked.append(at)

    def responded(self, started_ns: int, ended_ns: int) -> bool | None:
        raise AssertionError((started_ns, ended_ns))


def test_every_press_and_key_asks_whether_the_program_responds() -> None:
    pings = _Pings()
    asking = Asking(None, pings)
    for event in parse_events("(10,10) (20,20) L a w-1"):
        asking.note(event)
    assert pings.asked == [(20, 20), None, (20, 20)]
