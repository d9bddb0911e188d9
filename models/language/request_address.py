"""A request as the client handles it: its address by content, its size, and what the log may say about it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any, Final

from models.language.picture_views import fingerprint, most_tokens
from models.language.port import LanguageRequest, PromptImage
from models.language.servers import Server

_RULES: Final = 1
"""Raised when the same request would be sent in other words; older answers are then not taken any more."""
_OVERHEAD: Final = 400
"""Tokens that a service may add of its own: roles, names, the frame around a schema."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A request with its address.

    Attributes:
        key: SHA-256 over everything that decides the answer, hexadecimal.
        request: what is asked.
        schema: JSON schema of the answer.
        most_input: tokens that the question takes at most.
    """

    key: str
    request: LanguageRequest[Any]
    schema: dict[str, Any]
    most_input: int

    @property
    def images(self) -> list[PromptImage]:
        """The pictures in it."""
        return [part for part in self.request.parts if isinstance(part, PromptImage)]

    @property
    def characters(self) -> int:
        """Length of all texts."""
        return sum(len(text) for text in _texts(self.request))


def question_of(request: LanguageRequest[Any], server: Server) -> Question:
    """Make a question for one server.

    Raises:
        BadInputError: a picture is not a PNG file.
    """
    schema = request.answer.model_json_schema()
    parts = [part if isinstance(part, str) else {"png": fingerprint(part)} for part in request.parts]
    content = {
        "rules": _RULES, "model": server.name, "at": server.base_url, "prompt": request.prompt,
        "system": request.system, "parts": parts, "schema": schema, "max_tokens": request.max_tokens,
        "temperature": request.temperature,
    }  # fmt: skip
    # No tokenizer makes more tokens than there are bytes.
    said = sum(len(text.encode()) for text in [*_texts(request), json.dumps(schema)])
    seen = sum(most_tokens(part, model=server.model) for part in request.parts if isinstance(part, PromptImage))
    key = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
    return Question(key=key, request=request, schema=schema, most_input=said + seen + _OVERHEAD)


def _texts(request: LanguageRequest[Any]) -> list[str]:
    return [request.system, *(part for part in request.parts if isinstance(part, str))]
