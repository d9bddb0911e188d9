"""When typed text is held back, and when it may be stored again; times in seconds of a clock that the test turns."""

from __future__ import annotations

import pytest

from recorder.backends.base import AccessSource
from recorder.privacy.text_hold import (
    ABSENT_HELD,
    ABSENT_STORED,
    HELD,
    LOST_HELD,
    LOST_STORED,
    TextHold,
)
from tests.support.hand_access import HandAccess


class Watched:
    """A hold over an interface that can be switched off."""

    def __init__(self, *, hold_unknown: bool = False, answers: bool = True) -> None:
        self.now = 100.0
        self.access = HandAccess()
        self.access.answers = answers
        self.hold = TextHold(self.access, hold_unknown=hold_unknown, clock=lambda: round(self.now * 1e9))
        self.hold.update()

    def at(self, seconds: float, *, answers: bool = True) -> None:
        self.now = seconds
        self.access.answers = answers
        self.hold.update()

    def order(self, *, hold: bool) -> None:
        self.hold.order(round(self.now * 1e9), hold=hold)

    def holds(self, first: float, last: float) -> bool:
        return self.hold.holds(round(first * 1e9), round(last * 1e9))


@pytest.mark.parametrize("hold_unknown", [False, True])
def test_nothing_is_held_back_while_programs_tell(hold_unknown: bool) -> None:
    watched = Watched(hold_unknown=hold_unknown)
    watched.at(200)
    assert not watched.holds(0, 150)
    assert not watched.hold.is_held
    assert watched.hold.problems == []


def test_what_is_typed_after_the_loss_or_just_before_it_is_held_back() -> None:
    watched = Watched()
    watched.at(110)
    watched.at(110.2, answers=False)
    assert not watched.holds(107, 108.9)
    assert watched.holds(107, 109.1), "its last key came when news of the field may have been on its way"
    assert watched.holds(120, 121)
    assert watched.hold.is_held
    assert watched.hold.problems == [LOST_HELD]


def test_the_loss_is_noticed_by_whoever_asks_first() -> None:
    watched = Watched()
    watched.now, watched.access.answers = 101, False
    assert watched.holds(100.5, 101)


def test_a_person_has_it_stored_again() -> None:
    watched = Watched()
    watched.at(110, answers=False)
    watched.at(120, answers=False)
    watched.order(hold=False)
    assert watched.holds(118, 122), "it began before"
    assert not watched.holds(121, 122)
    assert watched.hold.problems == [LOST_STORED]
    assert watched.hold.is_released(round(121e9))
    assert not watched.hold.is_released(round(119e9))
    watched.at(130, answers=False)
    watched.order(hold=True)
    assert watched.holds(129, 131)
    assert not watched.holds(125, 129)


def test_what_was_said_before_the_loss_does_not_count_after_it() -> None:
    watched = Watched()
    watched.at(105)
    watched.order(hold=True)
    watched.order(hold=False)
    watched.at(105.5, answers=False)
    assert watched.hold.is_held
    assert watched.holds(106, 107)


def test_an_interface_that_comes_back_changes_nothing() -> None:
    watched = Watched()
    watched.at(110, answers=False)
    watched.at(111)
    assert watched.hold.is_held


def test_where_nobody_ever_tells_the_settings_count() -> None:
    stored, held = Watched(answers=False), Watched(answers=False, hold_unknown=True)
    assert not stored.holds(100, 200)
    assert held.holds(100, 200)
    assert (stored.hold.problems, held.hold.problems) == ([ABSENT_STORED], [ABSENT_HELD])
    held.at(150, answers=False)
    held.order(hold=False)
    assert not held.holds(151, 152)
    stored.at(150, answers=False)
    stored.order(hold=True)
    assert stored.holds(151, 152)
    assert stored.hold.problems == [ABSENT_HELD]


def test_an_interface_that_has_not_answered_yet_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HandAccess, "has_begun", False, raising=False)
    watched = Watched(answers=False, hold_unknown=True)
    assert watched.hold.problems == []
    assert watched.holds(100, 101)
    watched.at(101)
    assert not watched.holds(100, 101), "programs have told by the time it is stored"


@pytest.mark.parametrize("told", [True, False])
def test_a_system_without_such_an_interface(told: bool) -> None:
    hold = TextHold(AccessSource(), told=told)
    hold.update()
    assert hold.problems == ([ABSENT_STORED] if told else [])


def test_a_person_may_hold_text_back_at_any_time() -> None:
    watched = Watched()
    watched.order(hold=True)
    assert watched.hold.problems == [HELD]
    assert watched.holds(100, 101)
    watched.at(110)
    watched.order(hold=False)
    assert watched.hold.problems == []
    assert not watched.hold.is_released(round(111e9)), "programs tell"
