"""The language port over real servers: at most so many requests at once, nothing paid for twice, never over budget.

Each attempt is written down with the most that it can cost before it is sent, and with its true cost afterwards.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import math
import random
import re
import threading
import time
from collections import Counter
from collections.abc import Coroutine
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from demopack.domain.records import Record
from demopack.settings import LanguageSettings
from models.language.connection import Failure, Reply, ServerConnection, error_of, retry_wait_s
from models.language.port import (
    AnswerError,
    BudgetError,
    LanguageAnswer,
    LanguageError,
    LanguageRequest,
    PlainText,
    T,
    Usage,
    V,
)
from models.language.servers import Prices, find_key, prices_of, server_of
from models.language.usage_log import SpendingLimit, UsageLog, address_of, most_input

_END_S: Final = 10.0
"""Cancelled requests end at once; longer than this the thread is not waited for."""
_FREE: Final = Usage(input_tokens=0, output_tokens=0, cost=0.0)


class Clock:
    """Time and chance between attempts; tests bring their own."""

    def now(self) -> float:
        """Seconds since some moment."""
        return time.monotonic()

    def chance(self) -> float:
        """A number from 0 to 1."""
        return random.SystemRandom().random()

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)


@dataclass(slots=True, kw_only=True)
class _Pending:
    """One question under way, for all who asked it.

    Attributes:
        key: its address.
        request: what is asked; with more room for the answer once that was cut off.
        most_input: tokens that the question takes at most.
        task: asks until there is an answer.
        waiters: how many wait for it; without any, what is on the line is finished, and no further attempt begins.
        on_line: an attempt is under way; cutting it off would not save its cost.
        schema: whether its schema is sent beside the prompt.
        spent: what the attempts that failed took.
        again: the last answer and what was wrong with it.
        failures: how many of each kind there were.
    """

    key: str
    request: LanguageRequest[Any]
    most_input: int
    task: asyncio.Task[LanguageAnswer[str]] = field(init=False)
    waiters: int = 0
    on_line: bool = False
    schema: bool = True
    spent: Usage = _FREE
    again: tuple[str, str] | None = None
    failures: Counter[str] = field(default_factory=Counter[str])


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
        self._settings = settings
        self._server = server_of(settings)
        self._prices = prices_of(self._server, settings)
        self.name, self.sees = self._server.name, self._server.sees
        self._connection = ServerConnection(self._server, find_key(self._server.key))
        self.log = UsageLog(folder)
        self._limits = [SpendingLimit(name="this library", dollars=settings.budget)]
        if allowance is not None:
            self._limits.append(SpendingLimit(name="this run", dollars=allowance, after=self.log.last()))
        self._clock = clock or Clock()
        self._pending: dict[str, _Pending] = {}
        self._turns = asyncio.Semaphore(settings.in_flight)
        self._schema = settings.structured != "prompt"
        self._schema_proven = settings.structured == "schema"
        self._quiet_until = -math.inf
        self._was_reached = False
        self._on_line = 0
        self._settled = asyncio.Event()
        self._underrated = 1.0
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
        """Cancel what waits and what runs, and free connections, files and the thread; a second call does nothing."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            ending = self._start(self._end())
        ending.result(_END_S)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_END_S)
        self.log.close()

    def _start(self, work: Coroutine[Any, Any, V]) -> Future[V]:
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
        if request.images and not self.sees:
            raise LanguageError(
                f"The language model {self.name} takes no pictures.",
                hint="Choose one that does, or say that it does (setting language.sees).",
            )
        key, most = address_of(request, self._server), most_input(request, self._server)
        stored = self.log.answer(key)
        if stored is not None:
            with contextlib.suppress(AnswerError):  # a rule of the type that its schema cannot tell has changed
                return _given(stored, request)
        shared = key in self._pending
        if not shared:
            self._pending[key] = pending = _Pending(key=key, request=request, most_input=most)
            pending.task = asyncio.ensure_future(self._ask(pending))
            # Everybody who waited may have left: somebody has to look at the error.
            pending.task.add_done_callback(lambda task: None if task.cancelled() else task.exception())
        answer = await self._wait(self._pending[key])
        return _given(replace(answer, cached=True, seconds=0.0) if shared else answer, request)

    async def _wait(self, pending: _Pending) -> LanguageAnswer[str]:
        pending.waiters += 1
        try:
            return await asyncio.shield(pending.task)
        finally:
            pending.waiters -= 1
            if not pending.waiters and not pending.on_line and not pending.task.done():
                self._leave(pending)  # who asks the same from now on must not get this one's end
                pending.task.cancel()

    def _leave(self, pending: _Pending) -> None:
        if self._pending.get(pending.key) is pending:
            del self._pending[pending.key]

    async def _ask(self, pending: _Pending) -> LanguageAnswer[str]:
        """Ask until there is an answer."""
        try:
            if self._prices is None:
                raise BudgetError(
                    f"The price of {self.name} is not known, so no budget can be kept; nothing was sent.",
                    hint="Set language.input_price and language.output_price, dollars for a million tokens; 0 if free.",
                )
            async with self._turns:
                pending.schema, began = self._schema, self._clock.now()
                while pending.waiters:
                    while (left := self._quiet_until - self._clock.now()) > 0:
                        await self._clock.sleep(left)
                    try:
                        return await self._attempt(pending, self._prices, began)
                    except Failure as failure:
                        await self._recover(failure, pending)
                raise asyncio.CancelledError
        finally:
            self._leave(pending)

    async def _recover(self, failure: Failure, pending: _Pending) -> None:
        """Prepare the next attempt, or give up."""
        if failure.kind == "rejected" and pending.schema and not self._schema_proven and not pending.request.is_plain:
            pending.schema = False
            return
        earlier = pending.failures[failure.kind]
        pending.failures[failure.kind] += 1
        self._was_reached = self._was_reached or failure.kind != "unreachable"
        wait = retry_wait_s(failure, earlier, chance=self._clock.chance(), was_reached=self._was_reached)
        if wait is None:
            raise error_of(failure, self.name) from failure
        if failure.kind == "busy":  # the others would only be sent away, too
            self._quiet_until = max(self._quiet_until, self._clock.now() + wait)
        elif wait:
            await self._clock.sleep(wait)

    async def _attempt(self, pending: _Pending, prices: Prices, began: float) -> LanguageAnswer[str]:
        heaviest = pending.most_input + sum(len(text.encode()) for text in pending.again or ())
        most = prices.cost(math.ceil(heaviest * self._underrated), pending.request.max_tokens)
        attempt = await self._reserve(pending, most)
        sent = self._clock.now()
        # What ends this attempt from outside may have come after the server began to charge.
        outcome, usage, answer = "stopped", replace(_FREE, cost=most), None
        self._on_line += 1
        pending.on_line = True
        try:
            reply = await self._connection.ask(
                pending.request, schema=pending.schema, again=pending.again, timeout_s=self._settings.timeout_s
            )
            self._was_reached = True
            usage = self._priced(reply.usage, heaviest, most, prices)
            try:
                value = _value_of(reply, pending.request).model_dump_json()
            except Failure as failure:
                failure.usage = reply.usage
                self._prepare_again(pending, reply.text, failure, ended=reply.ended)
                raise
            now = self._clock.now()
            paid = pending.spent + usage
            answer = LanguageAnswer(value=value, usage=paid, model=reply.model, seconds=now - began)
            outcome = "answered"
            if not self._schema_proven and not pending.request.is_plain:
                # It works without a schema where it did not with one.
                self._schema = self._schema_proven = pending.schema
            return answer
        except Failure as failure:
            outcome = failure.kind
            usage = self._priced(failure.usage, heaviest, most if failure.billed else 0.0, prices)
            pending.spent += usage
            raise
        except LanguageError:  # the switch for tests: nothing left this process
            outcome, usage = "forbidden", _FREE
            raise
        finally:
            pending.on_line = False
            self._on_line -= 1
            try:
                seconds = self._clock.now() - sent
                self.log.settle(attempt, outcome=outcome, usage=usage, seconds=seconds, answer=answer)
            finally:
                self._settled.set()

    async def _reserve(self, pending: _Pending, most: float) -> int:
        while True:
            try:
                return self.log.reserve(pending.request, pending.key, model=self.name, most=most, limits=self._limits)
            except BudgetError:
                if not self._on_line:
                    raise
            # Those under way will mostly cost less than they could have.
            self._settled.clear()
            await self._settled.wait()

    def _prepare_again(self, pending: _Pending, text: str, failure: Failure, *, ended: bool) -> None:
        """Make the next attempt one that may be readable."""
        if not ended:  # models that think first need more room than their answer takes
            failure.words = f"It was cut off at {pending.request.max_tokens} tokens."
            pending.request = replace(pending.request, max_tokens=2 * pending.request.max_tokens)
            return
        form = "." if pending.request.is_plain else ", with the JSON object only."
        pending.again = (text, f"Your last answer could not be used. {failure.words} Answer again{form}")
        if not self._schema_proven and "{" not in text:
            pending.schema = False

    def _priced(self, told: Usage | None, heaviest: int, otherwise: float, prices: Prices) -> Usage:
        """What an attempt took, with its price; where the server does not count, with the price that is supposed."""
        if told is None:
            return replace(_FREE, cost=otherwise)
        # Services change how they count pictures; the next estimate must not be too low again.
        self._underrated = max(self._underrated, told.input_tokens / heaviest)
        return replace(told, cost=prices.cost(told.input_tokens, told.output_tokens))


def _given(stored: LanguageAnswer[str], request: LanguageRequest[T]) -> LanguageAnswer[T]:
    try:
        value = request.answer.model_validate_json(stored.value)
    except ValidationError as error:  # two types with one schema, asked at once, of which only one takes this value
        raise AnswerError(
            f"The answer of {stored.model} does not fit {request.answer.__name__}.", details=str(error)
        ) from error
    answer: LanguageAnswer[Any] = stored
    return replace(answer, value=value, prompt=request.prompt)


def _value_of(reply: Reply, request: LanguageRequest[Any]) -> Record:
    """What was asked for, in what was answered.

    Raises:
        Failure: it is not there.
    """
    if not request.is_plain:
        read: Record = read_answer(reply.text, request.answer)
        return read
    if not reply.text.strip() or not reply.ended:
        raise Failure("unreadable", "It was empty.", billed=True)
    return PlainText(text=reply.text)


_FENCE = re.compile(r"```[a-zA-Z]*\s*\n(.*?)```", re.DOTALL)
_THOUGHT = re.compile(r"<think>.*?</think>", re.DOTALL)
_SHOWN: Final = 5
"""So many mistakes are told; the rest mostly follows from them."""


def read_answer(text: str, answer: type[T]) -> T:
    """The record in a text: plain JSON, or JSON in a fence or between sentences.

    Raises:
        Failure: there is none, or it does not fit; it says why, in words for the model.
    """
    bare = _THOUGHT.sub("", text)
    braces = bare[bare.find("{") : bare.rfind("}") + 1] if "{" in bare else ""
    problem = "It was not JSON." if text.strip() else "It was empty."
    for candidate in (bare.strip(), *_FENCE.findall(bare), braces):
        try:
            return answer.model_validate_json(json.dumps(json.loads(candidate)))
        except ValidationError as error:
            mistakes = error.errors(include_url=False, include_input=False, include_context=False)[:_SHOWN]
            told = "; ".join(f"{'.'.join(map(str, one['loc'])) or 'the object'}: {one['msg']}" for one in mistakes)
            problem = f"It did not follow the schema: {told}."
        except (ValueError, RecursionError):
            continue
    raise Failure("unreadable", problem, billed=True)
