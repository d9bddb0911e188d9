"""Waiting until the screen rests."""

from __future__ import annotations

import itertools

import pytest

from demopack.clock import now_ns
from demopack.domain.screenshots import Screenshot
from demopack.errors import CancelledError
from demopack.jobs import CancelToken, JobControl
from recorder.backends.base import ScreenSource
from recorder.screen.snapshots import wait_until_settled
from tests.support.sources import grab


class Film(ScreenSource):
    """Shows one grey value after the other, the last one for ever; every grab takes no time at all."""

    def __init__(self, *colours: int) -> None:
        self._colours = itertools.chain(colours, itertools.repeat(colours[-1]))
        self.grabs = 0

    def grab(self) -> Screenshot:
        self.grabs += 1
        now = now_ns()
        taken = grab(next(self._colours))
        return Screenshot(image=taken.image, started_ns=now, ended_ns=now, raw=taken.raw)

    def close(self) -> None:
        pass


def test_a_screen_at_rest() -> None:
    film = Film(1, 2, 3)
    found, settled = wait_until_settled(film, timeout_s=20, control=JobControl(), interval_s=0.001, quiet_s=0.02)
    assert settled
    assert int(found.image[0, 0, 0]) == 3
    assert film.grabs > 3


def test_a_screen_that_never_rests() -> None:
    film = Film(*(n % 2 for n in range(100_000)))
    _, settled = wait_until_settled(film, timeout_s=0.03, control=JobControl(), interval_s=0.001, quiet_s=0.02)
    assert not settled


def test_it_can_be_cancelled() -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(CancelledError):
        wait_until_settled(Film(1), timeout_s=20, control=JobControl(token=token))
