"""How much a program may be asked: a share of its time, less after it was late, then nothing more."""

from __future__ import annotations

import time

from recorder.backends.atspi.budget import GIVEN_UP, MOST_S, TREE_SHARES, Budget
from recorder.backends.atspi.bus import Ref
from recorder.backends.atspi.element_queries import ROOT_PATH
from recorder.backends.atspi.walk import Walker
from recorder.backends.atspi.watch import KnownFieldGaps, SecureWatch
from recorder.backends.element_history import BoxHistory
from tests.support.telling_program import APP, FRAME, PASSWORD, Part, TellingProgram, queries

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


def test_a_debt_for_trees_has_to_be_waited_for() -> None:
    clock = _Clock()
    budget = Budget(lambda _: clock.late, lambda: clock.now, shares=TREE_SHARES, keeps_debts=True)
    budget.spend(_APP, MOST_S + 0.1)
    clock.now += 6
    assert budget.room_s(_APP) < 0
    clock.now += 2
    assert budget.room_s(_APP) > 0
    clock.late = 1
    clock.now += 1
    assert budget.room_s(_APP) <= 0.02, "a program that was late begins anew"


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
    gaps = KnownFieldGaps()
    assert gaps.known([_APP], 0, 1) is None
    gaps.note(_APP, complete=True, t_ns=10 * _S)
    assert gaps.known([_APP], 9 * _S, 10 * _S) is True
    gaps.note(_APP, complete=False, t_ns=11 * _S)
    gaps.note(_APP, complete=False, t_ns=12 * _S)
    assert gaps.known([_APP], 12 * _S, 12 * _S) is False
    gaps.note(_APP, complete=True, t_ns=13 * _S)
    spans = {(9, 10): True, (9, 11): False, (12, 20): False, (14, 15): True, (30, 40): False}
    assert {span: gaps.known([_APP, ":1.9"], span[0] * _S, span[1] * _S) for span in spans} == spans


def test_a_new_window_is_looked_through_when_the_budget_is_spent_but_not_of_a_program_that_was_late() -> None:
    program = TellingProgram({ROOT_PATH: Part(75, ("/one",)), "/one": Part(FRAME, ("/key",)), "/key": Part(PASSWORD)})
    clock, boxes = _Clock(), BoxHistory[Ref]()
    budget = Budget(program.times_late, lambda: clock.now)
    asker = queries(program)
    watch = SecureWatch(Walker(asker), budget, boxes=boxes, gaps=KnownFieldGaps(), on_look=lambda _: None)
    watch.start()
    try:
        assert watch.look_now(10)
        walked = program.asked["/one", "GetChildren"]
        budget.spend(APP, 10)
        assert watch.look_now(10)
        assert program.asked["/one", "GetChildren"] == walked, "nothing is left for it"
        listed = program.asked[ROOT_PATH, "GetChildren"]
        assert watch.look_now(0, since_ns=1), "it was looked at since"
        assert program.asked[ROOT_PATH, "GetChildren"] == listed
        assert watch.look_now(10, since_ns=time.monotonic_ns())
        assert program.asked[ROOT_PATH, "GetChildren"] > listed
        watch.renew(APP)
        assert watch.look_now(10)
        assert program.asked["/one", "GetChildren"] == walked + 1, "another page"
        program.parts[ROOT_PATH] = Part(75, ("/one", "/two"))
        program.parts["/two"] = Part(FRAME, ("/other",))
        program.parts["/other"] = Part(PASSWORD, box=(5, 5, 50, 50))
        budget.spend(APP, 10)
        assert watch.look_now(10)
        assert len(boxes.between(0, 1 << 62)) == 2
        program.late = 1
        program.parts[ROOT_PATH] = Part(75, ("/one",))
        walked = program.asked["/one", "GetChildren"]
        assert watch.look_now(10)
        assert program.asked["/one", "GetChildren"] == walked
    finally:
        watch.stop()


def test_whoever_waits_for_answers_may_ask_again_also_a_program_that_was_late() -> None:
    """A replay for many rows met three stalls of a busy machine, and was told nothing of any row after them."""
    clock = _Clock()
    budget = clock.budget()
    budget.spend(_APP, 10)
    budget.refill()
    assert budget.room_s(_APP) == MOST_S
    for late in range(1, GIVEN_UP + 1):
        clock.late = late
        assert budget.room_s(_APP) == 0
        budget.refill()
        assert budget.room_s(_APP) == MOST_S
