"""Episodes, done by workers in processes of their own, and their results in a file that survives a kill."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, cast

from pydantic import Field, ValidationError

from demopack.atomic import write_text_atomic
from demopack.domain.records import Record
from demopack.errors import CaptureError, DemopackError
from demopack.jobs import CancelToken

EpisodeKey: TypeAlias = tuple[str, int]
"""Task and seed."""

_STOP_S: Final = 20.0


class EpisodeResult(Record):
    """One episode.

    Attributes:
        schema_version: of this record.
        agent: who tried.
        task: its name.
        seed: of the task.
        reward: the task's own, raw: 1 is all of it, 0 an episode that did not end.
        seconds: from the opened page to the reward.
        error: why the episode could not be tried or judged; empty otherwise. It is tried again when the run is resumed.
        notes: of the agent.
    """

    schema_version: Literal[1] = 1
    agent: str
    task: str
    seed: int
    reward: float = 0.0
    seconds: float = 0.0
    error: str = ""
    notes: dict[str, Any] = Field(default_factory=dict[str, Any])


RunEpisode: TypeAlias = Callable[[str, int], EpisodeResult]
OpenWorker: TypeAlias = Callable[[], AbstractContextManager[RunEpisode]]
"""Opens what one worker needs (in its process; can be pickled), for as long as it works."""


def read_results(path: Path, agent: str) -> dict[EpisodeKey, EpisodeResult]:
    """An agent's results, the newest of each episode; a line that a killed process left half written is passed over."""
    found: dict[EpisodeKey, EpisodeResult] = {}
    if path.is_file():
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            with suppress(ValidationError):
                result = EpisodeResult.model_validate_json(line)
                if result.agent == agent:
                    found[result.task, result.seed] = result
    return found


def resume_results(
    path: Path, agent: str, wanted: Iterable[EpisodeKey]
) -> tuple[list[EpisodeResult], list[EpisodeKey]]:
    """The results that are there, and the episodes that are still to be done; a half written last line is removed.

    Raises:
        OSError: the file cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_file() and not (text := path.read_text(encoding="utf-8", errors="replace")).endswith("\n"):
        write_text_atomic(path, text[: text.rfind("\n") + 1])
    there = {key: result for key, result in read_results(path, agent).items() if not result.error}
    keys = list(dict.fromkeys(wanted))
    return [there[key] for key in keys if key in there], [key for key in keys if key not in there]


def append_result(path: Path, result: EpisodeResult) -> None:
    """Add one result.

    Raises:
        OSError: it was not written.
    """
    with path.open("a", encoding="utf-8", newline="\n") as file:
        file.write(result.model_dump_json() + "\n")


def run_episodes(
    todo: Sequence[EpisodeKey], *, open_worker: OpenWorker, agent: str, jobs: int, token: CancelToken | None = None
) -> Iterator[EpisodeResult]:
    """Do episodes in parallel; each result as soon as it is there, in any order.

    A worker that dies costs the one episode that it was at; another takes its place.

    Args:
        todo: what is to be done.
        open_worker: called in each worker's process.
        agent: its name, for an episode whose worker died.
        jobs: how many workers.
        token: stops after the episodes that are under way.

    Raises:
        DemopackError: a worker cannot open what it needs.
        CancelledError: it was stopped.
    """
    token = token or CancelToken()
    waiting = list(reversed(todo))
    workers: list[_Worker] = []
    try:
        while waiting or workers:
            token.check()
            while waiting and len(workers) < jobs:
                workers.append(_Worker(open_worker, waiting.pop()))
            ready = wait([worker.connection for worker in workers], timeout=0.5)
            for worker in [worker for worker in workers if worker.connection in ready]:
                result = worker.result(agent)
                alive = worker.alive
                if waiting and alive:
                    worker.begin(waiting.pop())
                else:
                    workers.remove(worker)
                    worker.close()
                yield result
    finally:
        for worker in workers:
            worker.close()


class _Worker:
    """A process that does one episode after the other."""

    def __init__(self, open_worker: OpenWorker, first: EpisodeKey) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.alive = True
        self._process = context.Process(target=_work, args=(theirs, open_worker))
        self._process.start()
        theirs.close()
        self.begin(first)

    def begin(self, key: EpisodeKey) -> None:
        """Have it do an episode."""
        self._key, self._busy = key, True
        with suppress(BrokenPipeError):
            self.connection.send(key)

    def result(self, agent: str) -> EpisodeResult:
        """What came of the episode.

        Raises:
            DemopackError: the worker cannot open what it needs.
        """
        self._busy = False
        try:
            answer, self.alive = cast("tuple[EpisodeResult | DemopackError, bool]", self.connection.recv())
        except (EOFError, ConnectionResetError):
            self.alive = False
            return EpisodeResult(agent=agent, task=self._key[0], seed=self._key[1], error="The worker died.")
        if isinstance(answer, DemopackError):
            raise answer
        return answer

    def close(self) -> None:
        """Let it end what it has opened; in the middle of an episode, too."""
        self.connection.close()
        if self._busy:
            self._process.terminate()
        self._process.join(_STOP_S)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self._process.close()


def _work(connection: Connection, open_worker: OpenWorker) -> None:
    """Runs in the worker's process until its connection is closed, or an episode breaks what it works with."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that display and browser are ended in order
    with suppress(EOFError, OSError, KeyboardInterrupt):
        try:
            with open_worker() as run:
                healthy = True
                while healthy:
                    result = run(*connection.recv())
                    healthy = not result.error
                    connection.send((result, healthy))
        except DemopackError as error:
            told = CaptureError(error.user_message, details=error.details, hint=error.hint)
            connection.send((told, False))
