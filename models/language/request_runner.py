"""Asks one question until there is an answer: in turn, within the budget, with retries; every cent is written down."""

from __future__ import annotations

import asyncio
import math
import random
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from demopack.domain.records import Record
from demopack.settings import LanguageSettings
from models.language.connection import Reply, ServerConnection, UnreadableError, complaint, read_answer
from models.language.failures import Failure, error_of, retry_wait_s
from models.language.port import BudgetError, LanguageError, Usage
from models.language.request_address import Question
from models.language.servers import Prices, Server, prices_of
from models.language.usage_log import SpendingLimit, StoredAnswer, UsageLog

_FREE = Usage(input_tokens=0, output_tokens=0, cost=0.0)


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
class PendingRequest:
    """One question under way.

    Attributes:
        question: what is asked; with more room for the answer once that was cut off.
        schema: whether its schema is sent beside the prompt.
        waiters: how many wait for it; without any, what is on the line is finished, and no further attempt begins.
        on_line: an attempt is under way; cutting it off would not save its cost.
        began: when its turn came.
        spent: what the attempts that failed took.
        again: the last answer and what was wrong with it.
        failures: how many of each kind there were.
    """

    question: Question
    schema: bool = True
    waiters: int = 0
    on_line: bool = False
    began: float = 0.0
    spent: Usage = _FREE
    again: tuple[str, str] | None = None
    failures: Counter[str] = field(default_factory=Counter[str])


class RequestRunner:
    """Asks questions of one server; to be used from one event loop."""

    def __init__(
        self,
        connection: ServerConnection,
        log: UsageLog,
        *,
        server: Server,
        settings: LanguageSettings,
        limits: Sequence[SpendingLimit],
        clock: Clock,
    ) -> None:
        """Prepare; nothing is sent.

        Args:
            connection: sends one attempt.
            log: written before and after each.
            server: who is asked.
            settings: prices, how many at once, for how long, with schemas or without.
            limits: what everything in the log may cost.
            clock: time between attempts.
        """
        self._connection = connection
        self._log = log
        self._server = server
        self._settings = settings
        self._prices = prices_of(server, settings)
        self._limits = limits
        self._clock = clock
        self._turns = asyncio.Semaphore(settings.in_flight)
        self._schema = settings.structured != "prompt"
        self._schema_proven = settings.structured == "schema"
        self._quiet_until = -math.inf
        self._open = 0
        self._settled = asyncio.Event()
        self._underrated = 1.0

    async def ask(self, pending: PendingRequest) -> StoredAnswer:
        """Ask until there is an answer.

        Raises:
            LanguageError: one of its subclasses says why there is none.
            DiskFullError: the answer could not be stored.
        """
        if self._prices is None:
            raise BudgetError(
                f"The price of {self._server.name} is not known, so no budget can be kept; nothing was sent.",
                hint="Set language.input_price and language.output_price, dollars for a million tokens; 0 if free.",
            )
        async with self._turns:
            pending.schema, pending.began = self._schema, self._clock.now()
            while pending.waiters:
                while (left := self._quiet_until - self._clock.now()) > 0:
                    await self._clock.sleep(left)
                try:
                    return await self._attempt(pending, self._prices)
                except Failure as failure:
                    await self._recover(failure, pending)
            raise asyncio.CancelledError

    async def _recover(self, failure: Failure, pending: PendingRequest) -> None:
        """Prepare the next attempt, or give up."""
        if failure.kind == "rejected" and pending.schema and not self._schema_proven:
            pending.schema = False
            return
        earlier = pending.failures[failure.kind]
        pending.failures[failure.kind] += 1
        wait = retry_wait_s(failure, earlier, chance=self._clock.chance())
        if wait is None:
            raise error_of(failure, self._server.name) from failure
        if failure.kind == "busy":  # the others would only be sent away, too
            self._quiet_until = max(self._quiet_until, self._clock.now() + wait)
        elif wait:
            await self._clock.sleep(wait)

    async def _attempt(self, pending: PendingRequest, prices: Prices) -> StoredAnswer:
        question = pending.question
        heaviest = question.most_input + sum(len(text.encode()) for text in pending.again or ())
        most = prices.cost(math.ceil(heaviest * self._underrated), question.request.max_tokens)
        attempt = await self._reserve(question, most)
        began = self._clock.now()
        # What ends this attempt from outside may have come after the server began to charge.
        outcome, usage = "stopped", replace(_FREE, cost=most)
        self._open += 1
        pending.on_line = True
        try:
            reply = await self._connection.ask(
                question, schema=pending.schema, again=pending.again, timeout_s=self._settings.timeout_s
            )
            usage = self._priced(reply.usage, heaviest, most, prices)
            outcome = "unreadable"
            value = self._read(reply, pending)
            outcome = ""
            now = self._clock.now()
            answer = StoredAnswer(
                value=value, usage=pending.spent + usage, model=reply.model, seconds=now - pending.began
            )
            self._log.keep(attempt, question, answer, usage=usage, seconds=now - began)
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
            self._open -= 1
            try:
                if outcome:
                    self._log.settle(attempt, outcome=outcome, usage=usage, seconds=self._clock.now() - began)
            finally:
                self._settled.set()
        if not self._schema_proven:  # it works without a schema where it did not with one
            self._schema = self._schema_proven = pending.schema
        return answer

    async def _reserve(self, question: Question, most: float) -> int:
        while True:
            try:
                return self._log.reserve(question, model=self._server.name, most=most, limits=self._limits)
            except BudgetError:
                if not self._open:
                    raise
            # Those under way will mostly cost less than they could have.
            self._settled.clear()
            await self._settled.wait()

    def _read(self, reply: Reply, pending: PendingRequest) -> str:
        """The answer as JSON; what cannot be read prepares the next attempt."""
        request = pending.question.request
        try:
            answer: Record = read_answer(reply.text, request.answer)
            return answer.model_dump_json()
        except UnreadableError as error:
            words = str(error)
            if reply.ended:
                pending.again = (reply.text, complaint(words))
                if not self._schema_proven and "{" not in reply.text:
                    pending.schema = False
            else:  # models that think first need more room than their answer takes
                words = f"It was cut off at {request.max_tokens} tokens."
                pending.question = replace(
                    pending.question, request=replace(request, max_tokens=2 * request.max_tokens)
                )
            raise Failure("unreadable", words, billed=True, usage=reply.usage) from error

    def _priced(self, told: Usage | None, heaviest: int, otherwise: float, prices: Prices) -> Usage:
        """What an attempt took, with its price; where the server does not count, with the price that is supposed."""
        if told is None:
            return replace(_FREE, cost=otherwise)
        # Services change how they count pictures; the next estimate must not be too low again.
        self._underrated = max(self._underrated, told.input_tokens / heaviest)
        return replace(told, cost=prices.cost(told.input_tokens, told.output_tokens))
