"""How much a program may be asked: a share of its time, less after it was late, then nothing more."""

from __future__ import annotations

from recorder.backends.atspi.budget import GIVEN_UP, MOST_S, Budget
from recorder.backends.atspi.gaps import Gaps

_APP = ":1.7"
_S = 1_000_000_000


class _Clock:
    def __init__(self) -> None:
        self.now = 1000.0
        self.late = 0

    def budget(self) -> Budget:
        return Budget(lambda _: self.late, lambda: self.now)


def test_what_is_spent_comes_back_slowly() -> None:
    clock = _Clock()
    budget = clock.budget()
    assert budget.room_s(_APP) == MOST_S
    budget.spend(_APP, 10)
    assert budget.room_s(_APP) == 0
    clock.now += 1
    once = budget.room_s(_APP)
    assert 0 < once <= 0.05
    clock.now += 3600
    assert budget.room_s(_APP) == MOST_S


def test_a_program_that_was_late_is_asked_less_and_less_and_then_no_more() -> None:
    clock = _Clock()
    budget = clock.budget()
    rooms: list[float] = []
    for strikes in range(GIVEN_UP + 1):
        clock.late = strikes
        budget.spend(_APP, 10)
        budget.room_s(_APP)
        clock.now += 1
        rooms.append(budget.room_s(_APP))
        assert budget.strikes(_APP) == strikes
    assert rooms == sorted(rooms, reverse=True)
    assert rooms[-1] == 0
    assert budget.late() == {_APP: GIVEN_UP}
    clock.now += 3600
    assert budget.room_s(_APP) == 0
    assert budget.strikes(_APP) == GIVEN_UP, "that is for good"


def test_being_late_once_is_forgiven_in_time() -> None:
    clock = _Clock()
    budget = clock.budget()
    clock.late = 1
    assert budget.strikes(_APP) == 1
    clock.now += 200
    assert budget.late() == {_APP: 1}
    clock.now += 200
    assert budget.late() == {}
    clock.late = 2
    assert budget.strikes(_APP) == 1
    budget.forget(_APP)
    assert budget.late() == {}


def test_when_not_everything_was_known() -> None:
    gaps = Gaps()
    assert gaps.known([_APP], 0, 1) is None
    gaps.note(_APP, complete=True, t_ns=10 * _S)
    assert gaps.known([_APP], 9 * _S, 10 * _S) is True
    gaps.note(_APP, complete=False, t_ns=11 * _S)
    gaps.note(_APP, complete=False, t_ns=12 * _S)
    assert gaps.known([_APP], 12 * _S, 12 * _S) is False
    gaps.note(_APP, complete=True, t_ns=13 * _S)
    spans = {(9, 10): True, (9, 11): False, (12, 20): False, (14, 15): True, (30, 40): False}
    assert {span: gaps.known([_APP, ":1.9"], span[0] * _S, span[1] * _S) for span in spans} == spans
