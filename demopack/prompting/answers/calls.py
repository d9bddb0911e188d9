"""Function calls as the providers' APIs return them: OpenAI's, Anthropic's, Gemini's, or just name and arguments."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from demopack.errors import ActionError
from demopack.prompting.answers.loose import as_object, loose_json

__all__ = ["Call", "calls_of", "words_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One function and what it is called with."""

    name: str
    arguments: dict[str, Any]


def calls_of(message: dict[str, Any]) -> list[Call]:
    """Every function call of a message, in order.

    Read are ``tool_calls`` (chat completions), ``function_call``, items ``function_call`` of an ``output`` list,
    ``tool_use`` blocks of a ``content`` list, and ``{"name", "arguments" | "input" | "args"}`` itself.

    Raises:
        ActionError: the arguments of a call cannot be read.
    """
    found: list[Call] = []
    for item in _items(message):
        inner = item.get("function") or item.get("function_call") or item.get("functionCall") or item
        data = as_object(inner, "A function call")
        name = data.get("name")
        if isinstance(name, str):
            found.append(Call(name=name.removeprefix("functions."), arguments=_arguments(data)))
    return found


def words_of(message: dict[str, Any]) -> str:
    """What the message says beside its calls."""
    content = message.get("content")
    if isinstance(content, str):
        return content.strip()
    texts = [str(part.get("text") or part.get("thinking") or "") for part in _dicts(content)]
    return "\n".join(text.strip() for text in texts if text.strip())


def _items(message: dict[str, Any]) -> Iterable[dict[str, Any]]:
    for key in ("tool_calls", "output", "parts"):
        if isinstance(message.get(key), list):
            return [item for item in _dicts(message[key]) if _is_call(item)]
    if isinstance(message.get("content"), list):
        return [item for item in _dicts(message["content"]) if item.get("type") == "tool_use"]
    return [message]


def _is_call(item: dict[str, Any]) -> bool:
    return any(key in item for key in ("function", "functionCall", "function_call", "name"))


def _dicts(value: object) -> list[dict[str, Any]]:
    return [item for item in cast("Sequence[Any]", value) if isinstance(item, dict)] if isinstance(value, list) else []


def _arguments(data: dict[str, Any]) -> dict[str, Any]:
    for key in ("arguments", "input", "args", "parameters"):
        given = data.get(key)
        if isinstance(given, str) and given.strip():
            value, _ = loose_json(given)
            return as_object(value, f"The {key} of {data['name']}")
        if isinstance(given, dict):
            return as_object(given, f"The {key} of {data['name']}")
        if given is not None and not isinstance(given, str):
            raise ActionError(f"The {key} of {data['name']} are not an object.", code="not_an_object", field=key)
    return {}
