"""When the next look is due, and when the screen's word is checked."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from demopack.settings import RecorderSettings
from recorder.screen.grabber import Cadence, ChangeNoticeCheck
from tests.support.sources import grab

MS, S = 1_000_000, 1_000_000_000
START = 1000 * S


def cadence(*, cost_ms: float = 1) -> Cadence:
    made = Cadence(RecorderSettings())
    made.began(START)
    for _ in range(60):
        made.grabbed(round(cost_ms * MS))
    return made


def gap_ms(made: Cadence, *, news: bool = False, tells: bool = True, after_s: float = 0) -> int:
    return round((made.due(START + round(after_s * S), news=news, tells=tells) - START) / MS)


@pytest.mark.parametrize(
    ("cost_ms", "news", "tells", "expected"),
    [
        (1, False, True, 500),
        (1, True, True, 80),
        (10, True, True, 120),
        (100, True, True, 200),  # never slower: a before-frame must not be old
        (1, False, False, 80),
        (4, False, False, 200),
        (100, False, False, 500),
    ],
)
def test_while_nothing_is_done(cost_ms: float, news: bool, tells: bool, expected: int) -> None:
    assert gap_ms(cadence(cost_ms=cost_ms), news=news, tells=tells) == expected


def test_single_changes_are_grabbed_at_once_and_a_busy_screen_at_its_pace() -> None:
    made = Cadence(RecorderSettings())
    made.began(START)
    made.grabbed(MS)
    grabs, now = [0.0], START
    while now < START + 2 * S:
        now = max(now + MS, made.due(now, news=True, tells=True))  # it changes all the time
        made.began(now)
        made.grabbed(MS)
        grabs.append((now - START) / MS)
    gaps = [round(b - a) for a, b in itertools.pairwise(grabs)]
    assert gaps[:4] == [20] * 4
    assert set(gaps[8:]) == {80}
    made.began(now + S)
    assert made.due(now + S, news=True, tells=True) <= now + S, "after a rest at once again"


def test_input_makes_it_look_closely_for_a_while() -> None:
    made = cadence()
    made.input_came(START, acts=False)
    assert made.is_active(START + S)
    assert gap_ms(made) == 80
    assert gap_ms(made, after_s=2) == 500


def test_after_an_act_it_looks_soon_and_says_so() -> None:
    made = cadence()
    made.input_came(START, acts=True)
    assert gap_ms(made) == 25
    assert made.began(START + 25 * MS)
    assert made.due(START + 25 * MS, news=False, tells=True) - START == 60 * MS
    assert not made.began(START + 40 * MS)
    assert made.began(START + 61 * MS)
    assert not made.began(START + 141 * MS)


def test_a_change_keeps_it_looking() -> None:
    made = cadence()
    made.screen_changed(START)
    assert gap_ms(made) == 80


def never() -> int | None:
    pytest.fail("nobody had to ask")


def test_the_word_of_a_screen_is_checked_first_often_then_seldom() -> None:
    trust = ChangeNoticeCheck()
    assert trust.must_grab(START, active=True, wanted=False), "nothing has been grabbed yet"
    for n in range(4):
        assert trust.must_grab(START, active=True, wanted=True), "its word has not proved right yet"
        trust.judge(replace(grab(n, end_ms=START / MS), changed_ns=START), changed=True, asked=never)
    assert not trust.must_grab(START, active=True, wanted=True)
    assert not trust.must_grab(START + 4 * S, active=True, wanted=False)
    assert trust.must_grab(START + 5 * S, active=True, wanted=False)
    assert not trust.must_grab(START + 29 * S, active=False, wanted=False)
    assert trust.must_grab(START + 30 * S, active=False, wanted=False)


def test_a_second_change_without_notice_ends_the_trust() -> None:
    trust = ChangeNoticeCheck()
    quiet = replace(grab(1, end_ms=START / MS), changed_ns=0)
    trust.judge(quiet, changed=False, asked=never)
    trust.judge(quiet, changed=True, asked=lambda: START)
    assert trust.holds, "the notice came in the moment of the grab"
    trust.judge(quiet, changed=True, asked=lambda: 0)
    assert trust.holds, "a window of ours may have come while it was read"
    assert trust.must_grab(START, active=True, wanted=False), "it is looked at once more soon"
    trust.judge(quiet, changed=True, asked=lambda: 0)
    assert not trust.holds
    assert trust.must_grab(START, active=False, wanted=False)


def test_a_source_that_tells_nothing_is_not_judged() -> None:
    trust = ChangeNoticeCheck()
    trust.judge(grab(1, end_ms=START / MS), changed=True, asked=never)
    assert trust.holds
