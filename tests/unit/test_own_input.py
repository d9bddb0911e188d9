"""Keys that are meant for a window of ours are told from those before and after, however old the last look is."""

from __future__ import annotations

import numpy as np
import pytest

from demopack.domain.events import InputEvent
from demopack.domain.geometry import Rect
from recorder import swallow
from recorder.backends.base import Grab
from recorder.docked import dock, docked
from recorder.own_input import OwnInput
from recorder.screen.frames import Look, Picture


def test_what_is_typed_while_our_window_has_the_input_is_ours() -> None:
    own = OwnInput()
    assert own.had(100, seen_ns=90) is None  # nobody told anything
    own.begin(200)
    own.begin(250)  # it had it already
    assert own.had(199, seen_ns=90) is None
    assert own.had(200, seen_ns=90) is True
    own.end(300)
    own.end(350)
    assert own.had(299, seen_ns=90) is True
    assert own.had(300, seen_ns=90) is False  # the look still saw our window
    assert own.had(310, seen_ns=305) is None  # this one is new enough
    own.begin(400)
    assert own.had(500, seen_ns=450) is True
    assert own.had(399, seen_ns=390) is None


def look(*, active: bool, ended_ns: int) -> Look:
    grab = Grab(image=np.zeros((4, 4, 3), np.uint8), started_ns=0, ended_ns=ended_ns)
    return Look(started_ns=0, ended_ns=ended_ns, picture=Picture(grab=grab), own_active=active)


def key(t_ns: int) -> InputEvent:
    return InputEvent(t_ns=t_ns, kind="key_down", key="T", char="t")


def test_an_old_look_does_not_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    own = OwnInput()
    monkeypatch.setattr(swallow, "OWN_INPUT", own)
    own.begin(1000)
    own.end(2000)
    assert swallow.on_own_window(key(1500), look(active=False, ended_ns=900))
    assert not swallow.on_own_window(key(2100), look(active=True, ended_ns=1900))
    # Any other window of ours is seen as before.
    assert swallow.on_own_window(key(3000), look(active=True, ended_ns=2900))
    assert not swallow.on_own_window(key(3000), look(active=False, ended_ns=2900))


def test_a_place_in_another_programs_window_is_ours_while_it_is_told() -> None:
    dock("tried", Rect(10, 10, 30, 30))
    assert Rect(10, 10, 30, 30) in docked()
    dock("tried", Rect(50, 10, 70, 30))
    assert docked().count(Rect(10, 10, 30, 30)) == 0
    dock("tried", None)
    dock("tried", None)
    assert docked() == ()
