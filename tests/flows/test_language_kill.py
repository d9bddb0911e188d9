"""A run that is killed without warning, and the one after it: nothing is lost, and nothing is paid for twice."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

import pytest

from models.language.usage_log import UsageLog
from tests.support.language import asking, paid
from tests.support.language_run import step
from tests.support.openai_server import Asked, OpenAIServer, Reply, content, fill, good, hang

pytest.importorskip("pydantic_ai", reason="the client of language models is an extra")
pytest.importorskip("openai", reason="the client of language models is an extra")

ROOT = Path(__file__).parents[2]
STEPS, IN_FLIGHT = 40, 8


def test_after_a_kill_the_next_run_pays_only_for_what_was_never_answered(tmp_path: Path) -> None:
    answered, release = 17, threading.Event()
    lock, served = threading.Lock(), [0]

    def answer(asked: Asked) -> Reply:
        with lock:
            served[0] += 1
            return _good(asked) if served[0] <= answered else hang(release)

    with OpenAIServer(answer=answer) as server:
        run = _start(server, tmp_path)
        assert run.stdout is not None
        first = {int(run.stdout.readline().split()[0]) for _ in range(answered)}
        server.wait_asked(answered + IN_FLIGHT)  # the next are under way
        run.send_signal(signal.SIGKILL)
        assert run.wait(30) == -signal.SIGKILL
        run.stdout.close()
        release.set()
        served[0] = -STEPS
        said = _run_here(server, tmp_path)
        paid = Counter(_step(asked) for asked in server.paid)
        charged = _cost(server)
    assert set(said) == set(range(STEPS))
    assert {step for step, cached in said.items() if cached} == first
    assert paid == Counter(range(STEPS))
    assert _spent(tmp_path) >= charged


@pytest.mark.parametrize("moment", [1, 20])
def test_killed_at_any_moment_at_most_what_is_on_the_line_is_paid_again(tmp_path: Path, moment: int) -> None:
    """What has left the server but not arrived cannot be kept by anybody; the log counts it all the same."""
    with OpenAIServer(answer=_good) as server:
        run = _start(server, tmp_path)
        server.wait_paid(moment)
        run.kill()
        assert run.stdout is not None
        before = {int(line.split()[0]) for line in run.communicate(timeout=30)[0].splitlines()}
        said = _run_here(server, tmp_path)
        paid = Counter(_step(asked) for asked in server.paid)
        charged = _cost(server)
    assert set(said) == set(range(STEPS))
    assert all(said[step] for step in before)
    twice = [step for step, times in paid.items() if times > 1]
    assert max(paid.values()) <= 2
    assert len(twice) <= IN_FLIGHT
    assert before.isdisjoint(twice)
    assert _spent(tmp_path) >= charged


def test_two_runs_at_once_share_what_is_answered_and_one_budget(tmp_path: Path) -> None:
    with OpenAIServer(answer=_good) as server:
        runs = [_start(server, tmp_path) for _ in range(2)]
        said = [_finish(run) for run in runs]
        later = _run_here(server, tmp_path)
        charged = _cost(server)
    assert [set(one) for one in said] == [set(range(STEPS))] * 2
    assert all(later.values())
    assert _spent(tmp_path) == pytest.approx(charged)


def _start(server: OpenAIServer, folder: Path) -> subprocess.Popen[str]:
    program = [sys.executable, "-m", "tests.support.language_run"]
    command = [*program, server.base_url, str(folder), str(STEPS), str(IN_FLIGHT)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def _run_here(server: OpenAIServer, folder: Path) -> dict[int, bool]:
    """The same run once more, in this process."""
    with asking(server, folder, in_flight=IN_FLIGHT) as client:
        futures = {n: client.submit(step(n)) for n in range(STEPS)}
        return {n: future.result(60).cached for n, future in futures.items()}


def _finish(run: subprocess.Popen[str]) -> dict[int, bool]:
    out, _ = run.communicate(timeout=120)
    assert run.returncode == 0
    return {int(step): cached == "1" for step, cached in (line.split() for line in out.splitlines())}


def _good(asked: Asked) -> Reply:
    return good(fill(asked.schema)) if asked.schema else content("")


def _step(asked: Asked) -> int:
    return int(asked.texts.rsplit(" ", 1)[1])


def _cost(server: OpenAIServer) -> float:
    """Dollars, by the prices of the run."""
    return (server.charged[0] + 2 * server.charged[1]) / 1e6


def _spent(folder: Path) -> float:
    log = UsageLog(folder)
    try:
        return paid(log)
    finally:
        log.close()
