"""Finds the JSON in what a model wrote, and mends what models commonly get wrong; says what it mended."""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, cast

from demopack.errors import ActionError

__all__ = ["as_object", "loose_json"]

_LIMIT: Final = 200_000
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
    if len(text) > _LIMIT:
        raise ActionError(
            f"The answer has {len(text)} characters.",
            code="answer_too_long",
            field="",
            hint=f"At most {_LIMIT:,} are read. Send one JSON object and nothing else.",
        )
    for candidate, note in _candidates(text):
        value, mended = _read(candidate)
        if value is not None:
            return value, [*([note] if note else []), *mended]
    raise ActionError(
        "The answer is not JSON.",
        code="not_json",
        field="",
        details=text[:500],
        hint="Send one JSON object and nothing else.",
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
        raise ActionError(
            f"{what} is {_kind(value)}, not an object.",
            code="not_an_object",
            field="",
            hint="Send one JSON object.",
        )
    return {str(key): item for key, item in cast("Mapping[Any, Any]", value).items()}


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
    for mend, note in _MENDS:
        mended = mend(text)
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


def _outside_strings(text: str, pattern: str, by: str | Callable[[re.Match[str]], str]) -> str:
    """Replace a pattern, but never inside a double-quoted string."""
    whole = re.compile(rf'("(?:\\.|[^"\\])*")|{pattern}', re.DOTALL)

    def swap(match: re.Match[str]) -> str:
        if match.group(1) is not None:
            return match.group(1)
        return by if isinstance(by, str) else by(match)

    return whole.sub(swap, text)


def _without_comments(text: str) -> str:
    return _outside_strings(text, r"//[^\n]*|/\*.*?\*/|(?<=[\s,{\[])#[^\n]*", "")


def _without_trailing_commas(text: str) -> str:
    return _outside_strings(text, r",(?=\s*[}\]])", "")


def _with_commas(text: str) -> str:
    """A comma between a finished value and the key on the next line."""
    return re.sub(r'("|\d|\}|\]|true|false|null)(\s*\n\s*)(?="[^"\n]*"\s*:)', r"\1,\2", text)


def _plain_words(text: str) -> str:
    words = {"True": "true", "False": "false", "None": "null"}
    return _outside_strings(text, r"\b(?:True|False|None)\b", lambda match: words[match.group(0)])


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


_MENDS: Final[tuple[tuple[Callable[[str], str], str], ...]] = (
    (_without_comments, "Comments were taken out of the JSON."),
    (_without_trailing_commas, "A comma before a closing bracket was taken out."),
    (_with_commas, "A missing comma was put in."),
    (_plain_words, "True, False or None were read as JSON's words."),
    (lambda text: text.translate(_CURLY), "Curly quotes were read as plain ones."),
    (_closed, "A bracket that was left open was closed."),
)
