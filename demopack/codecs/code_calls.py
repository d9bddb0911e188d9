"""Answers that look like code, one call to a line. Read, never run."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from demopack.codecs.action_builder import ActionBuilder
from demopack.codecs.decoded import DecodedAnswer
from demopack.errors import ActionError

_CALL = re.compile(r"^[ \t]*(?:[A-Za-z_][\w.]*)\(", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeCall:
    """One call: the name without its module, arguments by position and by name, plain values or calls themselves."""

    name: str
    args: tuple[Any, ...]
    named: Mapping[str, Any]

    def get(self, name: str, position: int, default: object = None) -> Any:  # noqa: ANN401 - any literal
        """An argument by name or position."""
        if name in self.named:
            return self.named[name]
        return self.args[position] if len(self.args) > position else default


def code_calls(text: str, *, nested: bool = False) -> list[CodeCall]:
    """Every call of a text, in order; lines that are no calls are passed over.

    Args:
        text: of the answer.
        nested: whether an argument may be a call of plain values itself, as in ``click(on=Button("20"))``.

    Raises:
        ActionError: (``code_syntax``) a line begins a call that cannot be read, or an argument is no plain value.
    """
    found: list[CodeCall] = []
    # Python reads no text with a zero byte in it; inside quotes the escape is the same.
    lines = text.replace("\0", "\\x00").split("\n")
    nodes = _calls_in("\n".join(lines).strip())
    if nodes:  # calls and nothing else, as programs write them
        first = text.count("\n", 0, len(text) - len(text.lstrip()))
        # Python ends lines elsewhere, too; the text serves a message alone.
        where = [min(first + node.lineno, len(lines)) - 1 for node in nodes]
        return [_call(node, lines[at], depth=int(nested)) for node, at in zip(nodes, where, strict=True)]
    at = 0
    while at < len(lines):
        if not _CALL.match(lines[at]):
            at += 1
            continue
        nodes, used = _parsed(lines, at)
        found += [_call(node, lines[at], depth=int(nested)) for node in nodes]
        at += used
    return found


def _parsed(lines: Sequence[str], at: int) -> tuple[Sequence[ast.Call], int]:
    """The calls that begin on a line, semicolons between them; their text may go on over the next lines."""
    for used in range(1, min(40, len(lines) - at) + 1):
        nodes = _calls_in("\n".join(lines[at : at + used]).strip())
        if nodes:
            return nodes, used
    raise _bad(lines[at], "it cannot be read")


def is_calls(text: str) -> bool:
    """Whether a text is Python, and calls alone."""
    return bool(_calls_in(text))


@lru_cache(maxsize=8)
def _calls_in(text: str) -> Sequence[ast.Call]:
    """The calls that a text is made of; none where it is anything else."""
    try:
        with warnings.catch_warnings():
            # A model's odd backslashes are no concern of whoever reads our warnings.
            warnings.simplefilter("ignore")
            body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    nodes = [node.value for node in body if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)]
    return nodes if len(nodes) == len(body) else ()


def _call(node: ast.Call, text: str, *, depth: int) -> CodeCall:
    function = node.func
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.value.id == "time":
        name = f"time.{name}"
    try:
        args = tuple(_value(arg, text, depth=depth) for arg in node.args)
        named = {str(keyword.arg): _value(keyword.value, text, depth=depth) for keyword in node.keywords}
    except (ValueError, TypeError) as error:
        raise _bad(text, "an argument is no plain value") from error
    return CodeCall(name=name, args=args, named=named)


def _value(node: ast.expr, text: str, *, depth: int) -> Any:  # noqa: ANN401 - any literal, or a call
    return _call(node, text, depth=depth - 1) if depth and isinstance(node, ast.Call) else ast.literal_eval(node)


def _bad(text: str, why: str) -> ActionError:
    return ActionError(
        f"This line is no call: {why}.",
        code="code_syntax",
        field="",
        details=text[:300],
        hint="Write one call to a line, with plain numbers and quoted texts.",
    )


CallDecoder = Callable[[ActionBuilder, CodeCall], None]
"""What one function of a vocabulary does with the arguments of a call."""


def answer_from(builder: ActionBuilder, reasoning: str) -> DecodedAnswer:
    """The answer that was decoded; the reasoning stands with the first action.

    Raises:
        ActionError: (``no_action``) nothing.
    """
    if not builder.actions:
        raise ActionError("The answer has no action.", "no_action", "action", "End with one call to a line.")
    return builder.answer(reasoning)
