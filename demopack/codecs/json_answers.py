"""JSON in answers of models: found among other words, repaired where models commonly get it wrong, with notes."""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from demopack.errors import ActionError
from demopack.json_text import as_rows

MAX_ANSWER_CHARACTERS: Final = 200_000
"""Characters of an answer that are looked at; longer ones are refused rather than searched."""

_FENCE = re.compile(r"```[ \t]*(?:json|JSON|python)?[ \t]*\r?\n(.*?)```", re.DOTALL)
# Quotes that word processors and some models write; only ever mended outside of well-formed strings.
_CURLY: Final = str.maketrans({"“": '"', "”": '"', "„": '"'})


def loose_json(text: str) -> tuple[Any, list[str]]:
    """The first JSON value in a text, and what had to be mended for it.

    Looked for in this order: the whole text, each code block, the outermost braces or brackets.

    Raises:
        ActionError: (``not_json``) there is none, or it cannot be mended; (``answer_too_long``) more than 200,000
            characters.
    """
    if len(text) > MAX_ANSWER_CHARACTERS:
        raise ActionError(
            f"The answer has {len(text)} characters.",
            code="answer_too_long",
            field="",
            hint=f"At most {MAX_ANSWER_CHARACTERS:,} are read. Send one JSON object and nothing else.",
        )
    for candidate, note in _candidates(text):
        value, mended = _read(candidate)
        if value is not None:
            return value, [*([note] if note else []), *mended]
    raise ActionError(
        "The answer is not JSON.", "not_json", "", "Send one JSON object and nothing else.", details=text[:500]
    )


def as_object(value: Any, what: str) -> dict[str, Any]:  # noqa: ANN401 - whatever the model wrote
    """The value as an object with text keys; a list of one object counts as that object.

    Raises:
        ActionError: (``not_an_object``) it is something else.
    """
    if isinstance(value, list):
        items = cast("Sequence[Any]", value)
        value = items[0] if len(items) == 1 else items
    if not isinstance(value, dict):
        raise ActionError(f"{what} is {_kind(value)}, not an object.", "not_an_object", "", "Send one JSON object.")
    return {str(key): item for key, item in cast("Mapping[Any, Any]", value).items()}


def object_in_answer(answer: str | dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """An answer as an object, and what had to be mended for it.

    Raises:
        ActionError: it is none, or cannot be read.
    """
    value, notes = loose_json(answer) if isinstance(answer, str) else (answer, [])
    return as_object(value, "The answer"), notes


def _kind(value: object) -> str:
    if value is None:
        return "null"
    return {"list": "a list", "str": "text", "bool": "true or false"}.get(type(value).__name__, "a number")


def _candidates(text: str) -> list[tuple[str, str]]:
    found = [(text.strip(), "")]
    found += [(match.group(1).strip(), "The code block's fence was taken off.") for match in _FENCE.finditer(text)]
    for opening, closing in (("{", "}"), ("[", "]")):
        start, end = text.find(opening), text.rfind(closing)
        if 0 <= start < end:
            found.append((text[start : end + 1], "Words around the JSON were left out."))
    return [(part, note) for part, note in found if part]


def _read(text: str) -> tuple[Any, list[str]]:
    value = _strict(text)
    if value is not None:
        return value, []
    if text[0] not in "{[":
        return None, []
    notes: list[str] = []
    for repair, note in _REPAIRS:
        mended = repair(text)
        if mended != text:
            notes.append(note)
            text = mended
        value = _strict(text)
        if value is not None:
            return value, notes
    value = _python(text)
    return value, [*notes, "Python's spelling was read as JSON."]


def _strict(text: str) -> Any:  # noqa: ANN401 - any JSON value
    try:
        value: Any = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None
    return cast("Any", value) if isinstance(value, (dict, list)) else None


def _python(text: str) -> Any:  # noqa: ANN401 - any JSON value
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value: Any = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return None
    try:
        json.dumps(value)
    except (TypeError, ValueError):
        return None
    return cast("Any", value) if isinstance(value, (dict, list)) else None


def outside_strings(text: str, pattern: str, by: str | Callable[[re.Match[str]], str]) -> str:
    """Replace a pattern, but never inside a double-quoted string."""
    whole = re.compile(rf'("(?:\\.|[^"\\])*")|{pattern}', re.DOTALL)

    def swap(match: re.Match[str]) -> str:
        if match.group(1) is not None:
            return match.group(1)
        return by if isinstance(by, str) else by(match)

    return whole.sub(swap, text)


def _closed(text: str) -> str:
    """The brackets that a cut-off answer left open, closed; a string that was cut off stays broken."""
    stack: list[str] = []
    for match in re.finditer(r'"(?:\\.|[^"\\])*"|[{}\[\]]', text, re.DOTALL):
        mark = match.group(0)
        if mark in "{[":
            stack.append("}" if mark == "{" else "]")
        elif mark in "}]" and stack:
            stack.pop()
    return text + "".join(reversed(stack))


_PLAIN_WORDS: Final = {"True": "true", "False": "false", "None": "null"}
_REPAIRS: Final[tuple[tuple[Callable[[str], str], str], ...]] = (
    (
        lambda text: outside_strings(text, r"//[^\n]*|/\*.*?\*/|(?<=[\s,{\[])#[^\n]*", ""),
        "Comments were taken out of the JSON.",
    ),
    (lambda text: outside_strings(text, r",(?=\s*[}\]])", ""), "A comma before a closing bracket was taken out."),
    (
        # Between a finished value and the key on the next line.
        lambda text: re.sub(r'("|\d|\}|\]|true|false|null)(\s*\n\s*)(?="[^"\n]*"\s*:)', r"\1,\2", text),
        "A missing comma was put in.",
    ),
    (
        lambda text: outside_strings(text, r"\b(?:True|False|None)\b", lambda match: _PLAIN_WORDS[match.group(0)]),
        "True, False or None were read as JSON's words.",
    ),
    (lambda text: text.translate(_CURLY), "Curly quotes were read as plain ones."),
    (_closed, "A bracket that was left open was closed."),
)


CALL_KEYS: Final = ("tool_calls", "function_call", "output", "arguments", "input", "content")
"""Keys of a message that function calls stand under."""


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


def first_call(message: dict[str, Any], *, keys: Collection[str] = CALL_KEYS) -> Call | None:
    """The first function call of an answer; None where it has none of the keys that calls stand under."""
    calls = calls_of(message) if any(key in message for key in keys) else []
    return calls[0] if calls else None


def words_of(message: dict[str, Any]) -> str:
    """Words of a message beside its calls."""
    content = message.get("content")
    if isinstance(content, str):
        return content.strip()
    texts = [str(part.get("text") or part.get("thinking") or "") for part in as_rows(content)]
    return "\n".join(text.strip() for text in texts if text.strip())


def _items(message: dict[str, Any]) -> Iterable[dict[str, Any]]:
    for key in ("tool_calls", "output", "parts"):
        if isinstance(message.get(key), list):
            kinds = {"function", "functionCall", "function_call", "name"}
            return [item for item in as_rows(message[key]) if kinds & item.keys()]
    if isinstance(message.get("content"), list):
        return [item for item in as_rows(message["content"]) if item.get("type") == "tool_use"]
    return [message]


def _arguments(data: dict[str, Any]) -> dict[str, Any]:
    for key in ("arguments", "input", "args", "parameters"):
        given = data.get(key)
        if isinstance(given, str) and given.strip():
            value, _ = loose_json(given)
            return as_object(value, f"The {key} of {data['name']}")
        if isinstance(given, dict):
            return as_object(given, f"The {key} of {data['name']}")
        if given is not None and not isinstance(given, str):
            raise ActionError(f"The {key} of {data['name']} are not an object.", "not_an_object", key)
    return {}
