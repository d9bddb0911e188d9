"""Asks one question until there is an answer: in turn, within the budget, with retries; every cent is written down."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from pydantic import ValidationError

from demopack.domain.records import Record
from demopack.settings import LanguageSettings
from models.language.accounts import Limit, Stored
from models.language.answers import UnreadableError, complaint, read_answer
from models.language.failures import Clock, Failure, Patience, WallClock, error_of
from models.language.ledger import Ledger
from models.language.port import BudgetError, LanguageError, Usage
from models.language.prices import Prices
from models.language.questions import Question
from models.language.servers import Server
from models.language.wire import Reply, Wire

__all__ = ["Asker", "Paid", "Talk"]

_R = TypeVar("_R", bound=Record)


@dataclass(frozen=True, slots=True, kw_only=True)
class Paid:
    """An answer: its value as JSON, what all attempts took, the model, and seconds from the first to the last."""

    value: str
    usage: Usage
    model: str
    seconds: float


@dataclass(slots=True)
class Talk:
    """How far a question is.

    Attributes:
        on_line: an attempt is under way; cutting it off would not save its cost.
        abandoned: nobody waits any more: what is on the line is finished, and no further attempt begins.
    """

    on_line: bool = False
    abandoned: bool = False


@dataclass(slots=True)
class _State:
    """One question between its attempts."""

    question: Question
    schema: bool
    began: float
    spent: Usage = field(default_factory=lambda: Usage(input_tokens=0, output_tokens=0, cost=0.0))
    again: tuple[str, str] | None = None
    failures: dict[str, int] = field(default_factory=dict[str, int])
    worded: bool = False


class Asker:
    """Asks questions of one server; to be used from one event loop."""

    def __init__(
        self,
        wire: Wire,
        ledger: Ledger,
        *,
        server: Server,
        settings: LanguageSettings,
        prices: Prices | None,
        limits: Sequence[Limit],
        patience: Patience,
        clock: Clock | None = None,
    ) -> None:
        """Prepare; nothing is sent.

        Args:
            wire: sends one attempt.
            ledger: written before and after each.
            server: who is asked.
            settings: how many at once, for how long, with schemas or without.
            prices: what it costs; None when nobody knows, and then nothing is sent.
            limits: what everything in the ledger may cost.
            patience: when to ask again.
            clock: time between attempts.
        """
        self._wire = wire
        self._ledger = ledger
        self._server = server
        self._settings = settings
        self._prices = prices
        self._limits = limits
        self._patience = patience
        self._clock: Clock = clock or WallClock()
        self._turns = asyncio.Semaphore(settings.in_flight)
        self._schema = settings.structured != "prompt"
        self._schema_proven = settings.structured == "schema"
        self._quiet_until = -math.inf
        self._open = 0
        self._settled = asyncio.Event()
        self._underrated = 1.0

    def stored(self, question: Question, answer: type[Record]) -> Paid | None:
        """What was answered before; None when there is nothing, or nothing that the type takes."""
        found = self._ledger.answer(question.key)
        if found is None:
            return None
        try:
            answer.model_validate_json(found.value)
        except ValidationError:  # a rule of the type that its schema cannot tell has changed
            return None
        return Paid(value=found.value, usage=found.usage, model=found.model, seconds=0.0)

    async def ask(self, question: Question, answer: type[Record], talk: Talk) -> Paid:
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
            state = _State(question, self._schema, self._clock.now())
            while True:
                if talk.abandoned:
                    raise asyncio.CancelledError
                await self._quiet()
                result = await self._attempt(state, answer, talk, self._prices)
                if isinstance(result, Paid):
                    return result
                await self._after(result, state)

    async def _quiet(self) -> None:
        while (left := self._quiet_until - self._clock.now()) > 0:
            await self._clock.sleep(left)

    async def _after(self, failure: Failure, state: _State) -> None:
        """Prepare the next attempt, or give up."""
        if failure.kind == "rejected" and state.schema and not self._schema_proven:
            state.schema, state.worded = False, True
            return
        earlier = state.failures.get(failure.kind, 0)
        state.failures[failure.kind] = earlier + 1
        wait = self._patience.wait(failure, earlier)
        if wait is None:
            raise error_of(failure, self._server.name) from failure
        if failure.kind == "busy":  # the others would only be sent away, too
            self._quiet_until = max(self._quiet_until, self._clock.now() + wait)
        elif wait:
            await self._clock.sleep(wait)

    async def _attempt(self, state: _State, answer: type[Record], talk: Talk, prices: Prices) -> Paid | Failure:
        most = prices.cost(math.ceil(_heaviest(state) * self._underrated), state.question.max_tokens)
        attempt = await self._reserve(state.question, most)
        began = self._clock.now()
        # What ends this attempt from outside may have come after the server began to charge.
        outcome, usage = "stopped", Usage(input_tokens=0, output_tokens=0, cost=most)
        self._open += 1
        talk.on_line = True
        try:
            reply = await self._wire.ask(
                state.question, schema=state.schema, again=state.again, timeout_s=self._settings.timeout_s
            )
            usage = self._usage(reply.usage, state, most, prices)
            outcome = "unreadable"
            paid = self._read(reply, state, answer, usage)
            outcome = ""
            self._keep(attempt, state, paid, usage, self._clock.now() - began)
            return paid
        except Failure as failure:
            outcome = failure.kind
            usage = self._usage(failure.usage, state, most if failure.billed else 0.0, prices)
            state.spent = _sum(state.spent, usage)
            return failure
        except LanguageError:  # the switch for tests: nothing left this process
            outcome, usage = "forbidden", Usage(input_tokens=0, output_tokens=0, cost=0.0)
            raise
        finally:
            talk.on_line = False
            self._open -= 1
            try:
                if outcome:
                    self._ledger.settle(attempt, outcome=outcome, usage=usage, seconds=self._clock.now() - began)
            finally:
                self._settled.set()

    async def _reserve(self, question: Question, most: float) -> int:
        while True:
            try:
                return self._ledger.reserve(question, model=self._server.name, most=most, limits=self._limits)
            except BudgetError:
                if not self._open:
                    raise
            # Those under way will mostly cost less than they could have.
            self._settled.clear()
            await self._settled.wait()

    def _read(self, reply: Reply, state: _State, answer: type[_R], usage: Usage) -> Paid:
        try:
            value = read_answer(reply.text, answer)
        except UnreadableError as error:
            self._prepare_again(reply, state, str(error))
            words = str(error) if reply.ended else f"It was cut off at {state.question.max_tokens} tokens."
            raise Failure("unreadable", words, billed=True, usage=usage) from error
        return Paid(
            value=value.model_dump_json(),
            usage=_sum(state.spent, usage),
            model=reply.model,
            seconds=self._clock.now() - state.began,
        )

    def _prepare_again(self, reply: Reply, state: _State, problem: str) -> None:
        if not reply.ended:  # models that think first need more room than their answer takes
            state.question = replace(state.question, max_tokens=2 * state.question.max_tokens)
            return
        state.again = (reply.text, complaint(problem))
        if state.schema and not self._schema_proven and "{" not in reply.text:
            state.schema, state.worded = False, True

    def _keep(self, attempt: int, state: _State, paid: Paid, usage: Usage, seconds: float) -> None:
        answer = Stored(value=paid.value, usage=paid.usage, model=paid.model)
        self._ledger.keep(attempt, state.question, answer, usage=usage, seconds=seconds)
        if state.schema:
            self._schema_proven = True
        elif state.worded and not self._schema_proven:  # it works without a schema, and did not with one
            self._schema = False

    def _usage(self, told: Usage | None, state: _State, otherwise: float, prices: Prices) -> Usage:
        """What an attempt took, with its price; where the server does not count, with the price that is supposed."""
        if told is None:
            return Usage(input_tokens=0, output_tokens=0, cost=otherwise)
        if told.cost is not None:
            return told
        # Services change how they count pictures; the next estimate must not be too low again.
        self._underrated = max(self._underrated, told.input_tokens / _heaviest(state))
        return replace(told, cost=prices.cost(told.input_tokens, told.output_tokens))


def _heaviest(state: _State) -> int:
    """Tokens that the next attempt can take, by our own estimate."""
    return state.question.most_input + sum(len(text.encode()) for text in state.again or ())


def _sum(one: Usage, other: Usage) -> Usage:
    return Usage(
        input_tokens=one.input_tokens + other.input_tokens,
        output_tokens=one.output_tokens + other.output_tokens,
        cost=(one.cost or 0.0) + (other.cost or 0.0),
    )
