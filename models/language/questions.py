"""A request as the client handles it: its address by content, its size, and what the log may say about it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any, Final

from demopack.domain.records import Record
from models.language.pictures import described, fingerprint, most_tokens
from models.language.port import LanguageRequest, Picture
from models.language.servers import Server

__all__ = ["Question", "question_of"]

_RULES: Final = 1
"""Raised when the same request would be sent in other words; older answers are then not taken any more."""
_OVERHEAD: Final = 400
"""Tokens that a service may add of its own: roles, names, the frame around a schema."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is sent, without the type of the answer.

    Attributes:
        key: SHA-256 over everything that decides the answer, hexadecimal.
        prompt: id and version of the prompt.
        system: what holds for every question of the kind.
        parts: texts and pictures.
        schema: JSON schema of the answer.
        title: name of the answer's type.
        max_tokens: longest answer.
        temperature: 0 for the likeliest.
        subject: what it is about.
        most_input: tokens that the question takes at most.
    """

    key: str
    prompt: str
    system: str
    parts: tuple[str | Picture, ...]
    schema: dict[str, Any]
    title: str
    max_tokens: int
    temperature: float
    subject: str
    most_input: int

    @property
    def sees(self) -> bool:
        """Whether there is a picture in it."""
        return any(isinstance(part, Picture) for part in self.parts)

    def pictures(self) -> list[dict[str, str | int]]:
        """What the log keeps of the pictures."""
        return [described(part) for part in self.parts if isinstance(part, Picture)]

    def characters(self) -> int:
        """Length of all texts."""
        return len(self.system) + sum(len(part) for part in self.parts if isinstance(part, str))


def question_of(request: LanguageRequest[Any], server: Server) -> Question:
    """Make a question for one server.

    Raises:
        BadInputError: a picture is not a PNG file.
    """
    answer: type[Record] = request.answer
    schema = answer.model_json_schema()
    parts = [part if isinstance(part, str) else {"png": fingerprint(part)} for part in request.parts]
    content = {
        "rules": _RULES, "model": server.name, "at": server.base_url, "prompt": request.prompt,
        "system": request.system, "parts": parts, "schema": schema, "max_tokens": request.max_tokens,
        "temperature": request.temperature,
    }  # fmt: skip
    return Question(
        key=hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest(),
        prompt=request.prompt,
        system=request.system,
        parts=request.parts,
        schema=schema,
        title=answer.__name__,
        max_tokens=request.max_tokens,
        temperature=request.temperature,
        subject=request.subject,
        most_input=_most_input(request, schema, server.model),
    )


def _most_input(request: LanguageRequest[Any], schema: dict[str, Any], model: str) -> int:
    texts = [request.system, json.dumps(schema), *(part for part in request.parts if isinstance(part, str))]
    # No tokenizer makes more tokens than there are bytes.
    said = sum(len(text.encode()) for text in texts)
    seen = sum(most_tokens(part, model=model) for part in request.parts if isinstance(part, Picture))
    return said + seen + _OVERHEAD
