"""Background work: who is answered, who no longer is, and what is shown of it meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from annotator.ui.operations import Operations, Workers
from demopack.errors import BadInputError
from demopack.jobs import JobControl, Progress


@pytest.fixture
def workers(qapp: object, qtbot: QtBot) -> Iterator[Workers]:
    made = Workers()
    yield made
    made.close()
    made.deleteLater()


def settle(workers: Workers, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not workers.busy, timeout=20_000)


def test_what_arrives_after_the_end_of_its_owner_is_dropped_but_the_window_is_told(
    workers: Workers, qtbot: QtBot
) -> None:
    window, go_on = Operations(workers), threading.Event()
    page, heard = window.of_owner(), list[str]()

    def work(control: JobControl) -> str:
        go_on.wait(20)
        control.report(Progress(done=1, total=2))
        return "found"

    page.run(
        "Searching",
        work,
        on_result=lambda _: heard.append("page"),
        on_progress=lambda _: heard.append("progress"),
        on_end=lambda: heard.append("end"),
        announce=lambda words: heard.append(f"{words} at last"),
    )
    page.start(lambda: go_on.wait(20), on_result=lambda _: heard.append("short"))
    window.start(lambda: go_on.wait(20), on_result=lambda _: heard.append("window"))
    page.post(lambda: heard.append("posted"))
    page.end()
    go_on.set()
    settle(workers, qtbot)
    assert sorted(heard) == ["found at last", "window"]


def test_of_one_kind_only_the_newest_is_answered_and_owners_do_not_share_kinds(workers: Workers, qtbot: QtBot) -> None:
    window, heard = Operations(workers), list[str]()
    page = window.of_owner()
    for name, owner in (("old", page), ("new", page), ("other", window)):
        owner.start(lambda name=name: name, on_result=heard.append, lane="library", newest="list")
    settle(workers, qtbot)
    assert heard == ["new", "other"]


def test_an_error_goes_to_who_asked_or_to_the_window(workers: Workers, qtbot: QtBot) -> None:
    page, heard = Operations(workers), list[str]()
    workers.failed.connect(lambda error: heard.append(f"window: {error}"))

    def fail(_: object = None) -> None:
        raise BadInputError("no such file")

    page.start(fail, lane="library", on_error=lambda error: heard.append(f"page: {error}"))
    settle(workers, qtbot)
    page.start(fail, lane="library")
    settle(workers, qtbot)
    page.end()
    page.start(fail, lane="library", on_error=lambda _: heard.append("late"))
    page.run("Reading", fail)
    settle(workers, qtbot)
    assert heard == ["page: no such file", "window: no such file", "window: no such file"]


def test_what_is_cancelled_ends_quietly_and_is_a_job_until_then(workers: Workers, qtbot: QtBot) -> None:
    page, heard, begun = Operations(workers), list[str](), threading.Event()

    def work(control: JobControl) -> None:
        begun.set()
        control.token.wait(20)
        control.token.check()

    operation = page.run("Waiting", work, on_error=lambda _: heard.append("error"), on_end=lambda: heard.append("end"))
    assert workers.jobs == (operation,)
    assert begun.wait(20)
    operation.cancel()
    settle(workers, qtbot)
    assert (heard, workers.jobs) == (["end"], ())
