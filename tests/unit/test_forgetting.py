"""Forgetting the last seconds: which steps, and how a running recording is told."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from demopack.domain.actions import PressKeyAction
from demopack.domain.frames import Frame
from demopack.domain.steps import Step
from demopack.errors import BadInputError, LibraryBusyError, LibraryError
from demopack_cli.forget import command
from recorder.privacy.purge import (
    PurgeRequest,
    end_of,
    parse_duration,
    request_purge,
    steps_since,
    take_purge_request,
)

S = 1_000_000_000


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("30s", 30), ("2m", 120), ("1m30s", 90), ("1h", 3600), ("45", 45), (" 1 M 5 S ", 65), ("0.5s", 0.5)],
)
def test_durations(text: str, seconds: float) -> None:
    assert parse_duration(text) == seconds


@pytest.mark.parametrize("text", ["", "0s", "soon", "-5s", "30x", "s", "1s30m", "1.5m", "1e3s"])
def test_what_is_no_duration_is_said(text: str) -> None:
    with pytest.raises(BadInputError, match="1m30s"):
        parse_duration(text)


def step(name: str, ended_s: float, *, before_s: float = 0, after_s: float = 0) -> Step:
    def frame(seconds: float) -> Frame | None:
        return Frame(id="f", width=1, height=1, grab_ended_ns=round(seconds * S)) if seconds else None

    return Step(
        id=name,
        position=0,
        action=PressKeyAction(key_info="Enter"),
        started_ns=round((ended_s - 0.1) * S),
        ended_ns=round(ended_s * S),
        before=frame(before_s),
        after=frame(after_s),
    )


def test_a_step_goes_with_its_last_key_or_its_last_picture() -> None:
    steps = [step("a", 5), step("b", 9.9, after_s=10.5), step("c", 10), step("d", 12, before_s=11)]
    assert steps_since(steps, 10 * S) == ["b", "c", "d"]
    assert steps_since(steps, 13 * S) == []
    assert end_of(steps) == 12 * S
    assert end_of([]) == 0


class Recorder:
    """Takes orders as a running recording does, in a thread of its own."""

    def __init__(self, folder: Path, answer: Callable[[PurgeRequest], None]) -> None:
        self.orders: list[PurgeRequest] = []
        self._stop = threading.Event()
        self._answer = answer
        self._folder = folder
        self._thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        while not self._stop.wait(0.01):
            order = take_purge_request(self._folder)
            if order is not None:
                self.orders.append(order)
                self._answer(order)

    def __enter__(self) -> Recorder:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()


def left_over(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def test_a_running_recording_is_told_and_answers(tmp_path: Path) -> None:
    with Recorder(tmp_path, lambda order: order.answer(removed=3)) as recorder:
        assert request_purge(tmp_path, 30, is_recording=lambda: True) == 3
    (order,) = recorder.orders
    assert order.seconds == 30
    assert order.cutoff_ns == order.given_ns - 30 * S
    assert left_over(tmp_path) == []


def test_its_failure_is_said(tmp_path: Path) -> None:
    with (
        Recorder(tmp_path, lambda order: order.answer(problem="The disk is gone.")),
        pytest.raises(LibraryError, match="could not forget: The disk is gone"),
    ):
        request_purge(tmp_path, 30, is_recording=lambda: True)
    assert left_over(tmp_path) == []


def test_an_order_that_nobody_takes_is_withdrawn(tmp_path: Path) -> None:
    with pytest.raises(LibraryBusyError, match="does not take orders"):
        request_purge(tmp_path, 30, is_recording=lambda: True, timeout_s=0.05)
    assert left_over(tmp_path) == []


def test_an_order_that_is_not_answered_in_time(tmp_path: Path) -> None:
    taken = threading.Event()
    with Recorder(tmp_path, lambda _: taken.set()), pytest.raises(LibraryBusyError, match="not said yet"):
        request_purge(tmp_path, 30, is_recording=lambda: not taken.is_set(), timeout_s=0.3)
    assert left_over(tmp_path) == []


def test_a_recording_that_ends_meanwhile_has_removed_nothing(tmp_path: Path) -> None:
    assert request_purge(tmp_path, 30, is_recording=lambda: False) is None
    assert left_over(tmp_path) == []


def test_old_and_damaged_orders_are_thrown_away(tmp_path: Path) -> None:
    file = tmp_path / "forget.order"
    assert take_purge_request(tmp_path) is None
    for content in ("", "{", "[]", '{"id": 1}', json.dumps({"id": "x", "seconds": "?", "given_ns": 1, "until_ns": 9})):
        file.write_text(content, encoding="utf-8")
        assert take_purge_request(tmp_path) is None
        assert left_over(tmp_path) == []
    for given, until in ((100, 200), (900, 1000)):  # given up, or from before the machine was started again
        file.write_text(json.dumps({"id": "x", "seconds": 3, "given_ns": given, "until_ns": until}), encoding="utf-8")
        assert take_purge_request(tmp_path, clock=lambda: 500) is None
        assert left_over(tmp_path) == []


def test_a_wrong_duration_is_bad_usage() -> None:
    with pytest.raises(click.BadParameter, match="'soon' is not a duration"):
        command.main(["--last", "soon", "--library", "nowhere"], standalone_mode=False)


def test_an_order_reaches_back_no_further_than_the_clock() -> None:
    assert PurgeRequest(id="x", seconds=9, given_ns=5 * S, folder=Path()).cutoff_ns == 0
