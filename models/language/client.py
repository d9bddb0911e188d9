"""The language port over real servers: at most so many requests at once, nothing paid for twice, never over budget."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from pathlib import Path
from typing import Any, Final, TypeVar

from pydantic import ValidationError

from demopack.settings import LanguageSettings
from models.language.connection import ServerConnection
from models.language.port import AnswerError, LanguageAnswer, LanguageError, LanguageRequest, T
from models.language.request_address import question_of
from models.language.request_runner import Clock, PendingRequest, RequestRunner
from models.language.servers import find_key, server_of
from models.language.usage_log import SpendingLimit, StoredAnswer, UsageLog

_R = TypeVar("_R")
_END_S: Final = 10.0
"""Cancelled requests end at once; longer than this the thread is not waited for."""


class LanguageClient:
    """Satisfies the ``LanguagePort``. One thread with an event loop does all the asking; any thread may submit.

    Attributes:
        name: kind and model, as in provenance.
        sees: whether pictures may be sent.
        log: what was asked and paid.
    """

    def __init__(
        self,
        settings: LanguageSettings,
        *,
        folder: Path,
        allowance: float | None = None,
        clock: Clock | None = None,
    ) -> None:
        """Start the thread for the language model that the settings mean; nothing is sent yet.

        Args:
            settings: which, and within which budget.
            folder: where answers and costs are kept: one for each library, inside it.
            allowance: dollars that may be spent from now on, within the budget; None for all of the budget.
            clock: time between attempts; None for the real one.

        Raises:
            BadInputError: no model, or a wrong address.
            NoKeyError: the key is neither in the environment nor in the key ring.
            LanguageError: a library is not installed.
            LibraryError: the folder cannot be written.
        """
        self._server = server_of(settings)
        self.name, self.sees = self._server.name, self._server.sees
        self._connection = ServerConnection(self._server, find_key(self._server.key))
        self.log = UsageLog(folder)
        limits = [SpendingLimit(name="this library", dollars=settings.budget)]
        if allowance is not None:
            limits.append(SpendingLimit(name="this run", dollars=allowance, after=self.log.last()))
        self._runner = RequestRunner(
            self._connection, self.log, server=self._server, settings=settings, limits=limits, clock=clock or Clock()
        )
        self._pending: dict[str, tuple[PendingRequest, asyncio.Task[StoredAnswer]]] = {}
        self._lock = threading.Lock()
        self._closed = False
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="language", daemon=True)
        self._thread.start()

    def submit(self, request: LanguageRequest[T]) -> Future[LanguageAnswer[T]]:
        """Ask; equal requests under way are sent once, and answers from before are not sent at all.

        Cancelling the future keeps a request that still waits from being sent. One that was sent is finished and
        its answer stored, because it is paid for. Callbacks of the future run in the client's thread.
        """
        with self._lock:
            if self._closed:
                raise LanguageError("The language model was closed; nothing more can be asked.")
            return self._start(self._answer(request))

    def close(self) -> None:
        """Cancel what waits and what runs, and free connections, files and the thread."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            ending = self._start(self._end())
        ending.result(_END_S)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_END_S)
        self.log.close()

    def _start(self, work: Coroutine[Any, Any, _R]) -> Future[_R]:
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop):
            self._loop.run_forever()

    async def _end(self) -> None:
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await self._connection.close()

    async def _answer(self, request: LanguageRequest[T]) -> LanguageAnswer[T]:
        question = question_of(request, self._server)
        if question.images and not self.sees:
            raise LanguageError(
                f"The language model {self.name} takes no pictures.",
                hint="Choose one that does, or say that it does (setting language.sees).",
            )
        stored = self.log.answer(question.key)
        if stored is not None:
            with contextlib.suppress(AnswerError):  # a rule of the type that its schema cannot tell has changed
                return _given(stored, request.answer, cached=True)
        shared = question.key in self._pending
        if not shared:
            pending = PendingRequest(question=question)
            task = asyncio.ensure_future(self._runner.ask(pending))
            task.add_done_callback(lambda task: self._finish(question.key, task))
            self._pending[question.key] = pending, task
        return _given(await self._wait(question.key), request.answer, cached=shared)

    def _finish(self, key: str, task: asyncio.Task[StoredAnswer]) -> None:
        if key in self._pending and self._pending[key][1] is task:
            del self._pending[key]
        if not task.cancelled():
            task.exception()  # looked at here, because everybody who waited may have left

    async def _wait(self, key: str) -> StoredAnswer:
        pending, task = self._pending[key]
        pending.waiters += 1
        try:
            return await asyncio.shield(task)
        finally:
            pending.waiters -= 1
            if not pending.waiters and not pending.on_line and not task.done():
                self._pending.pop(key, None)  # who asks the same from now on must not get this one's end
                task.cancel()


def _given(stored: StoredAnswer, answer: type[T], *, cached: bool) -> LanguageAnswer[T]:
    try:
        value = answer.model_validate_json(stored.value)
    except ValidationError as error:  # two types with one schema, asked at once, of which only one takes this value
        raise AnswerError(
            f"The answer of {stored.model} does not fit {answer.__name__}.", details=str(error)
        ) from error
    seconds = 0.0 if cached else stored.seconds
    return LanguageAnswer(value=value, usage=stored.usage, model=stored.model, cached=cached, seconds=seconds)
