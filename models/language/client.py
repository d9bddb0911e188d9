"""The language port over real servers: at most so many requests at once, nothing paid for twice, never over budget."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from pathlib import Path
from typing import Any, Final, TypeVar

from pydantic import ValidationError

from demopack.settings import LanguageSettings
from models.language.accounts import Limit, Totals
from models.language.asking import Asker, Paid, Talk
from models.language.failures import Clock, Patience
from models.language.keys import find_key
from models.language.ledger import Ledger
from models.language.port import AnswerError, LanguageAnswer, LanguageError, LanguagePort, LanguageRequest, T
from models.language.prices import prices_of
from models.language.questions import Question, question_of
from models.language.servers import Server, server_of
from models.language.wire import Wire, open_wire

__all__ = ["LanguageClient", "open_client", "open_language"]

_R = TypeVar("_R")
_END_S: Final = 10.0
"""Cancelled requests end at once; longer than this the thread is not waited for."""


class _Flight:
    """One question under way, and how many wait for it."""

    def __init__(self, task: asyncio.Task[Paid], talk: Talk) -> None:
        self.task = task
        self.talk = talk
        self.waiters = 0


class LanguageClient:
    """Satisfies the ``LanguagePort``. One thread with an event loop does all the asking; any thread may submit."""

    def __init__(self, server: Server, wire: Wire, ledger: Ledger, asker: Asker) -> None:
        """Start the thread; nothing is sent yet.

        Args:
            server: who is asked.
            wire: sends; closed with the client.
            ledger: what was answered and paid before; closed with the client.
            asker: asks one question with retries, within the budget.
        """
        self._server = server
        self._wire = wire
        self._ledger = ledger
        self._asker = asker
        self._began = ledger.last()
        self._flights: dict[str, _Flight] = {}
        self._lock = threading.Lock()
        self._closed = False
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="language", daemon=True)
        self._thread.start()

    @property
    def name(self) -> str:
        """Kind and model, as in provenance."""
        return self._server.name

    @property
    def sees(self) -> bool:
        """Whether pictures may be sent."""
        return self._server.sees

    @property
    def ledger(self) -> Ledger:
        """What was asked and paid."""
        return self._ledger

    def totals(self) -> Totals:
        """Calls, tokens and dollars since this client was opened."""
        return self._ledger.totals(after=self._began)

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
        self._ledger.close()

    def _start(self, work: Coroutine[Any, Any, _R]) -> Future[_R]:
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_forever()
        finally:
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
            self._loop.run_until_complete(self._loop.shutdown_default_executor())
            self._loop.close()

    async def _end(self) -> None:
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await self._wire.close()

    async def _answer(self, request: LanguageRequest[T]) -> LanguageAnswer[T]:
        question = question_of(request, self._server)
        if question.sees and not self._server.sees:
            raise LanguageError(
                f"The language model {self.name} takes no pictures.",
                hint="Choose one that does, or say that it does (setting language.sees).",
            )
        stored = self._asker.stored(question, request.answer)
        if stored is not None:
            return _given(stored, request.answer, cached=True)
        flight = self._flights.get(question.key)
        shared = flight is not None
        if flight is None:
            flight = self._take_off(question, request)
        return _given(await self._wait(question.key, flight), request.answer, cached=shared)

    def _take_off(self, question: Question, request: LanguageRequest[Any]) -> _Flight:
        talk = Talk()
        flight = _Flight(asyncio.ensure_future(self._asker.ask(question, request.answer, talk)), talk)
        self._flights[question.key] = flight

        def landed(task: asyncio.Task[Paid]) -> None:
            if self._flights.get(question.key) is flight:
                del self._flights[question.key]
            if not task.cancelled():
                task.exception()  # looked at here, because everybody who waited may have left

        flight.task.add_done_callback(landed)
        return flight

    async def _wait(self, key: str, flight: _Flight) -> Paid:
        flight.waiters += 1
        flight.talk.abandoned = False
        try:
            return await asyncio.shield(flight.task)
        finally:
            flight.waiters -= 1
            if not flight.waiters and not flight.task.done():
                self._leave(key, flight)

    def _leave(self, key: str, flight: _Flight) -> None:
        """Nobody waits any more: stop what is not on the line."""
        flight.talk.abandoned = True
        if not flight.talk.on_line:
            self._flights.pop(key, None)  # who asks the same from now on must not get this one's end
            flight.task.cancel()


def open_language(settings: LanguageSettings, *, folder: Path, allowance: float | None = None) -> LanguagePort:
    """The language model that the settings mean.

    Args:
        settings: which, and within which budget.
        folder: where answers and costs are kept: one for each library, inside it.
        allowance: dollars that may be spent from now on, within the budget; None for all of the budget.

    Raises:
        BadInputError: no model, or a wrong address.
        NoKeyError: the key is neither in the environment nor in the key ring.
        LanguageError: a library is not installed.
        LibraryError: the folder cannot be written.
    """
    return open_client(settings, folder=folder, allowance=allowance)


def open_client(
    settings: LanguageSettings,
    *,
    folder: Path,
    allowance: float | None = None,
    patience: Patience | None = None,
    clock: Clock | None = None,
) -> LanguageClient:
    """As :func:`open_language`, for who wants the totals, or a patience and a clock of their own."""
    server = server_of(settings)
    wire = open_wire(server, find_key(server.key))
    ledger = Ledger(folder)
    limits = [Limit(name="this library", dollars=settings.budget)]
    if allowance is not None:
        limits.append(Limit(name="this run", dollars=allowance, after=ledger.last()))
    asker = Asker(
        wire,
        ledger,
        server=server,
        settings=settings,
        prices=prices_of(server, settings),
        limits=limits,
        patience=patience or Patience(),
        clock=clock,
    )
    return LanguageClient(server, wire, ledger, asker)


def _given(paid: Paid, answer: type[T], *, cached: bool) -> LanguageAnswer[T]:
    try:
        value = answer.model_validate_json(paid.value)
    except ValidationError as error:  # two types with one schema, asked at once, of which only one takes this value
        raise AnswerError(f"The answer of {paid.model} does not fit {answer.__name__}.", details=str(error)) from error
    return LanguageAnswer(
        value=value, usage=paid.usage, model=paid.model, cached=cached, seconds=0.0 if cached else paid.seconds
    )
