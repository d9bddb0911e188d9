"""A language model of a few lines: it answers at once what a test says, and remembers what it was asked."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from demopack.domain.records import Record
from models.language.port import LanguageAnswer, LanguageRequest, PromptImage, T, Usage


def thought(words: str = "I click it, because the task says so.", **fields: Any) -> dict[str, Any]:
    """The fields of a good answer about a thought."""
    return {
        "observation": "It can be seen.", "thought": words, "expected_effect": "It should open.", "plan": (), **fields,
    }  # fmt: skip


def texts_of(request: LanguageRequest[Any]) -> str:
    """All texts of a question."""
    return "\n".join([request.system, *(part for part in request.parts if isinstance(part, str))])


class FakeModel:
    """Satisfies the ``LanguagePort``.

    Attributes:
        asked: every request, in order.
        sees: whether it takes pictures.
    """

    name = "fake:one"

    def __init__(self, answer: Callable[[LanguageRequest[Any]], Any], *, sees: bool = False) -> None:
        """Answer with what ``answer`` gives: the fields of the reply, or an exception."""
        self.asked: list[LanguageRequest[Any]] = []
        self.sees = sees
        self._answer = answer

    def submit(self, request: LanguageRequest[T]) -> Future[LanguageAnswer[T]]:
        """Answer at once."""
        self.asked.append(request)
        future: Future[LanguageAnswer[T]] = Future()
        given = self._answer(request)
        if isinstance(given, BaseException):
            future.set_exception(given)
            return future
        value = given if isinstance(given, Record) else request.answer.model_validate(given)
        future.set_result(
            LanguageAnswer(
                value=request.answer.model_validate(value.model_dump()),
                usage=Usage(input_tokens=100, output_tokens=10, cost=0.002),
                model="one-2026",
                cached=False,
                seconds=0.5,
                prompt=request.prompt,
            )
        )
        return future

    def pictures(self) -> list[list[str]]:
        """What each question showed."""
        return [[part.what for part in request.parts if isinstance(part, PromptImage)] for request in self.asked]
