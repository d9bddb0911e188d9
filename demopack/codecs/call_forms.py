"""The exact forms of the calls that a vocabulary's encoder writes, learnt from what it makes of the specimens.

Decoders forgive what models get wrong. A file that a program loads must not need that: a whole number is none where
the program's types ask for one, and a field that is missing there is missing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final, cast

from demopack.codecs.catalogue import CODECS
from demopack.codecs.code_calls import CodeCall, code_calls
from demopack.codecs.placed_action import PlacedAction
from demopack.codecs.specimens import SPECIMENS
from demopack.domain.actions import parse_action
from demopack.json_text import as_row

_NAMES: Final = ("action_type", "type", "name")
_FREE: Final = frozenset({"data"})
"""Fields that hold any JSON value."""
_ROOT: Final = "#"


@dataclass(frozen=True, slots=True, kw_only=True)
class CallForm:
    """How an encoder writes one call.

    Attributes:
        needed: fields that every such call has.
        kinds: field -> kinds of its values; ``a[].b`` is the field ``b`` of the objects in the list ``a``.
    """

    needed: frozenset[str]
    kinds: Mapping[str, frozenset[str]]


def call_problem(codec: str, call: Any) -> str | None:  # noqa: ANN401 - a JSON object, or a call in code
    """What is wrong with the form of one call, as a sentence; None for nothing.

    Args:
        codec: name of the vocabulary.
        call: an object or a line of code as the encoder makes it.

    Raises:
        ActionError: code cannot be read.
    """
    return next((problem for one in _plain(call) if (problem := _problem(codec, one)) is not None), None)


def _problem(codec: str, call: Mapping[str, Any]) -> str | None:
    name = _name(call)
    form = call_forms(codec).get(name)
    if form is None:
        return f"{name!r} is no call that is written in this vocabulary."
    seen = dict[str, str]()
    for field, kind in _fields(call):
        may = form.kinds.get(field)
        if may is None:
            return f"{name} has no field {field.lstrip('.')}."
        if kind not in may and not ("a number" in may and kind == "a whole number"):
            return f"{field.lstrip('.')} of {name} is {kind}, not {' or '.join(sorted(may))}."
        seen[field] = kind
    missing = sorted(field.lstrip(".") for field in form.needed if field not in seen and _parent(field) in {"", *seen})
    return f"{name} lacks {', '.join(missing)}." if missing else None


def _parent(field: str) -> str:
    return field.rpartition(".")[0].removesuffix("[]")


@cache
def call_forms(codec: str) -> Mapping[str, CallForm]:
    """The forms of a vocabulary's calls by name."""
    found: dict[str, list[dict[str, set[str]]]] = {}
    for placed in _specimens():
        for call in CODECS[codec].encode(placed).calls:
            for one in _plain(call):
                kinds: dict[str, set[str]] = {}
                for field, kind in _fields(one):
                    kinds.setdefault(field, set()).add(kind)
                found.setdefault(_name(one), []).append(kinds)
    return {
        name: CallForm(
            needed=frozenset[str].intersection(*(frozenset(one) for one in calls)),
            kinds={
                field: frozenset(kind for one in calls for kind in one.get(field, ()))
                for field in {field for one in calls for field in one}
            },
        )
        for name, calls in found.items()
    }


def _specimens() -> Iterator[PlacedAction]:
    """The specimens, also with a key held, on an element, on a bare place, and on nothing: not all can be said."""
    button, at = SPECIMENS["click"].target, SPECIMENS["click"].at
    for placed in SPECIMENS.values():
        yield placed
        wire = placed.action.to_wire()
        if "modifiers" in type(placed.action).model_fields:
            held = {**wire, "parameters": {**wire["parameters"], "modifiers": ["ctrl"]}}
            yield replace(placed, action=parse_action(held))
        if placed.at is not None or placed.target is not None:
            yield replace(placed, target=button, at=at, end=button if placed.to is not None else None)
            yield replace(placed, target=None, target_text="")
            yield replace(placed, target=None, target_text="", at=None)


def _plain(call: Any) -> list[Mapping[str, Any]]:  # noqa: ANN401 - as above
    """A call as an object; calls in code, of which a line may hold several, with their names among the arguments."""
    if isinstance(call, str):
        return [_coded(one) for one in code_calls(call)]
    row = as_row(call) or {}
    # Qwen has one tool; what it does is an argument.
    inner = as_row(row.get("arguments"))
    return [row if inner is None else {"name": inner.get("action"), "arguments": inner}]


def _coded(call: CodeCall) -> dict[str, Any]:
    return {"name": call.name, **call.named, **({_ROOT: list(call.args)} if call.args else {})}


def _name(call: Mapping[str, Any]) -> str:
    return str(next((call[name] for name in _NAMES if call.get(name) is not None), None))


def _fields(value: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, str]]:
    for key, item in value.items():
        field = f"{path}.{key}"
        if key not in _FREE:
            yield from _field(field, item)


def _field(field: str, value: object) -> Iterator[tuple[str, str]]:
    row = as_row(value)
    if row is not None:
        yield field, "an object"
        yield from _fields(row, field)
    elif isinstance(value, list):
        yield field, "a list"
        for item in cast("list[object]", value):
            yield from _field(f"{field}[]", item)
    else:
        yield field, _kind(value)


def _kind(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, int):
        return "a whole number"
    return "a number" if isinstance(value, float) else "text"
