"""The gate between two steps: paused, one at a time, on again; and stopped while it is shut."""

from __future__ import annotations

import pytest

from demopack.errors import CancelledError
from player.step_gate import StepGate


class Person:
    """Does something the next time the gate waits; a second wait without a deed is a gate that never opens."""

    def __init__(self) -> None:
        self.held: list[bool] = []
        self.gate = StepGate(on_held=lambda: self.held.append(True), on_released=lambda: self.held.append(False))
        self.deeds: list[object] = []

    def wait(self, _seconds: float) -> None:
        assert self.deeds, "nobody opens it"
        deed = self.deeds.pop(0)
        if isinstance(deed, Exception):
            raise deed
        assert callable(deed)
        deed()


def test_nothing_waits_while_nobody_pauses() -> None:
    person = Person()
    person.gate.pass_through(person.wait)
    assert person.held == []


def test_a_paused_gate_waits_until_it_goes_on() -> None:
    person = Person()
    person.gate.pause()
    person.deeds = [lambda: None, person.gate.resume]
    person.gate.pass_through(person.wait)
    person.gate.pass_through(person.wait)
    assert person.held == [True, False]
    assert person.deeds == []


def test_one_step_at_a_time() -> None:
    person = Person()
    person.gate.step()
    person.gate.pass_through(person.wait)
    assert person.held == [], "the step that was asked for does not wait"
    person.deeds = [person.gate.step]
    person.gate.pass_through(person.wait)
    assert person.gate.paused
    person.deeds = [person.gate.resume]
    person.gate.pass_through(person.wait)
    assert person.held == [True, False, True, False]


def test_a_step_is_not_saved_for_later() -> None:
    person = Person()
    person.gate.step()
    person.gate.pause()
    person.deeds = [person.gate.resume]
    person.gate.pass_through(person.wait)
    assert person.deeds == []


def test_it_is_told_that_the_waiting_ended_by_a_stop() -> None:
    person = Person()
    person.gate.pause()
    person.deeds = [CancelledError("stopped")]
    with pytest.raises(CancelledError):
        person.gate.pass_through(person.wait)
    assert person.held == [True, False]


def test_the_first_step_can_be_held() -> None:
    waited: list[float] = []
    gate = StepGate(paused=True)

    def wait(seconds: float) -> None:
        waited.append(seconds)
        gate.resume()

    gate.pass_through(wait)
    assert len(waited) == 1
