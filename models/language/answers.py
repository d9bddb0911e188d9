"""Reads a model's text as the record that was asked for."""

from __future__ import annotations

import json
import re
from typing import Any, Final, TypeVar

from pydantic import ValidationError

from demopack.domain.records import Record

__all__ = ["UnreadableError", "asked_in_words", "complaint", "read_answer"]

_R = TypeVar("_R", bound=Record)
_FENCE = re.compile(r"```[a-zA-Z]*\s*\n(.*?)```", re.DOTALL)
_THOUGHT = re.compile(r"<think>.*?</think>", re.DOTALL)
_SHOWN: Final = 5
"""So many mistakes are told; the rest mostly follows from them."""


class UnreadableError(Exception):
    """A text that is not what was asked for; the message says why, in words for the model."""


def read_answer(text: str, answer: type[_R]) -> _R:
    """The record in a text: plain JSON, or JSON in a fence or between sentences.

    Raises:
        UnreadableError: there is none, or it does not fit.
    """
    if not text.strip():
        raise UnreadableError("It was empty.")
    problem = "It was not JSON."
    for candidate in _candidates(_THOUGHT.sub("", text)):
        try:
            data = json.loads(candidate)
        except (ValueError, RecursionError):
            continue
        try:
            return answer.model_validate_json(json.dumps(data))
        except ValidationError as error:
            problem = _told(error)
    raise UnreadableError(problem)


def asked_in_words(schema: dict[str, Any]) -> str:
    """What is added to the system prompt for a server that takes no schemas."""
    return (
        "Answer with one JSON object and nothing else: no explanation, no code fence. "
        f"It follows this JSON schema:\n{json.dumps(schema, ensure_ascii=False)}"
    )


def complaint(problem: str) -> str:
    """What is said to the model when it is asked again."""
    return f"Your last answer could not be used. {problem} Answer again, with the JSON object only."


def _candidates(text: str) -> list[str]:
    found = [text.strip(), *(match.strip() for match in _FENCE.findall(text))]
    start, end = text.find("{"), text.rfind("}")
    if 0 <= start < end:
        found.append(text[start : end + 1])
    return found


def _told(error: ValidationError) -> str:
    mistakes = error.errors(include_url=False, include_input=False, include_context=False)[:_SHOWN]
    told = "; ".join(f"{'.'.join(map(str, one['loc'])) or 'the object'}: {one['msg']}" for one in mistakes)
    return f"It did not follow the schema: {told}."
