"""Content of each field of a record: text that a person or a screen put in, an id, or a word or number of the format.

It is told by the records' own types, so a field that is added later is text as soon as its type is ``str``. Only ids
are named here, because their type does not tell them from text.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from functools import cache
from typing import Any, Final, Literal, TypeAlias, Union, cast, get_args, get_origin, get_type_hints

from pydantic import BaseModel

from demopack.domain.actions import ACTION_MODELS, ActionTarget, PressKeyAction
from demopack.domain.demos import DemoHead
from demopack.domain.elements import Element
from demopack.domain.frames import Frame
from demopack.domain.geometry import Rect
from demopack.domain.rationale import Rationale
from demopack.domain.steps import Step
from demopack.domain.trees import TreeReading

_IDS: Final[Mapping[type, frozenset[str]]] = {
    DemoHead: frozenset({"id", "take_of", "take_after"}),
    Step: frozenset({"id", "target_uid", "end_uid", "alternatives"}),
    Element: frozenset({"uid", "frame", "track_id", "parent"}),
    ActionTarget: frozenset({"track_id"}),
    PressKeyAction: frozenset({"key_info"}),
    Frame: frozenset({"id"}),
    TreeReading: frozenset({"tree"}),
    Rationale: frozenset({"basis"}),
}
"""Fields that programs compare: replaced, they would lead nowhere. Names of keys are checked when they are read."""

_NEVER_EXPORTED: Final[Mapping[type, frozenset[str]]] = {DemoHead: frozenset({"redaction"})}
_PLAIN: Final = (bool, int, float, datetime, Rect, type(None))
_MIN_DIGITS: Final = 9  # a shorter number is none that belongs to somebody


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """One text of a record.

    Attributes:
        path: the names of the fields that lead to it; places in a list have none.
        text: what stands there; never empty.
        kind: ``text``; ``key``: it is itself the name of a value; ``id``: it cannot be replaced.
    """

    path: tuple[str, ...]
    text: str
    kind: Literal["text", "key", "id"] = "text"


_Visit: TypeAlias = Callable[[Leaf], str]
"""Told each text; returns what is to stand there instead."""

_Shape: TypeAlias = "Literal['none', 'text', 'id', 'any', 'action'] | list[_Shape] | dict[str, _Shape]"
"""What a value may hold: no text, a text, ids, any JSON value, an action, a list of one shape, or a record's fields."""


def _walk(shape: _Shape, value: Any, path: tuple[str, ...], visit: _Visit) -> Any:  # noqa: ANN401 - any JSON value
    """The value with what ``visit`` makes of its texts."""
    if shape == "any":
        return _walk_any(value, path, visit)
    if shape == "text" and isinstance(value, str) and value:
        return visit(Leaf(path=path, text=value))
    if shape == "id":
        for one in cast("list[object]", value) if isinstance(value, list) else [value]:
            if isinstance(one, str) and one:
                visit(Leaf(path=path, text=one, kind="id"))
    elif isinstance(shape, list) and isinstance(value, list):
        return [_walk(shape[0], item, path, visit) for item in cast("list[object]", value)]
    elif isinstance(value, dict):
        data = cast("dict[str, Any]", value)
        if shape == "action":
            return _walk_fields(_action_fields(data), data, path, visit)
        if isinstance(shape, dict):
            return _walk_fields(shape, data, path, visit)
    return cast("object", value)


def _walk_fields(
    known: dict[str, _Shape], data: dict[str, Any], path: tuple[str, ...], visit: _Visit
) -> dict[str, Any]:
    # What a record does not know is looked at as if anything could stand there.
    return {key: _walk(known.get(key, "any"), item, (*path, key), visit) for key, item in data.items()}


def _walk_any(value: Any, path: tuple[str, ...], visit: _Visit) -> Any:  # noqa: ANN401 - any JSON value
    """What was read off a screen: keys are text as well, and so are long numbers."""
    if isinstance(value, int) and not isinstance(value, bool) and len(str(abs(value))) >= _MIN_DIGITS:
        new = visit(Leaf(path=path, text=str(value)))
        return value if new == str(value) else new
    if isinstance(value, list):
        return [_walk_any(item, path, visit) for item in cast("list[object]", value)]
    if not isinstance(value, dict):
        return _walk("text", value, path, visit)
    made: dict[str, Any] = {}
    for key, item in cast("dict[str, Any]", value).items():
        name = plain = visit(Leaf(path=path, text=key, kind="key")) if key else key
        number = 2
        while name in made:  # two spellings of one value are one placeholder; as keys they stay two
            name, number = f"{plain} ({number})", number + 1
        made[name] = _walk_any(item, (*path, key), visit)
    return made


def _action_fields(data: Mapping[str, Any]) -> dict[str, _Shape]:
    """The fields of an action: what its parameters hold depends on its type."""
    model = ACTION_MODELS.get(str(data.get("action_type")))
    parameters: _Shape = "any" if model is None else _fields_of(model, model.parameter_names())
    return {"action_type": "none", "target": _shape_of(ActionTarget), "parameters": parameters}


def leaves(model: type, data: dict[str, Any]) -> list[Leaf]:
    """Every text of a record.

    Args:
        model: the record's type.
        data: its JSON.
    """
    found: list[Leaf] = []

    def note(leaf: Leaf) -> str:
        found.append(leaf)
        return leaf.text

    _walk(_shape_of(model), data, (), note)
    return found


def mapped(model: type, data: dict[str, Any], change: Callable[[str], str]) -> dict[str, Any]:
    """A record's JSON with every text of :func:`leaves` changed that is no id."""
    new: dict[str, Any] = _walk(_shape_of(model), data, (), lambda leaf: change(leaf.text))
    return new


def text_fields(model: type) -> tuple[str, ...]:
    """Names of a record's own fields that are text."""
    return tuple(name for name, shape in _fields_of(model).items() if shape == "text")


def id_fields(model: type) -> tuple[str, ...]:
    """Names of a record's own fields that are ids."""
    return tuple(name for name, shape in _fields_of(model).items() if shape == "id")


@cache
def _shape_of(kind: Any) -> _Shape:  # noqa: ANN401 - any annotation
    origin, inside = get_origin(kind), get_args(kind)
    if kind is str:
        return "text"
    if kind in _PLAIN or origin is Literal:
        return "none"
    if origin in {Union, types.UnionType}:
        if set(inside) == set(ACTION_MODELS.values()):
            return "action"
        shapes: list[_Shape] = [shape for one in inside if (shape := _shape_of(one)) != "none"]
        if not shapes:
            return "none"
        return shapes[0] if all(shape == shapes[0] for shape in shapes) else "any"
    if origin in {tuple, list}:
        return [_shape_of(inside[0])]
    if origin is dict and get_origin(inside[0]) is Literal and _shape_of(inside[1]) == "none":
        return "none"
    known = cast("type[Any]", kind) if isinstance(kind, type) else None
    if known is not None and (issubclass(known, BaseModel) or dataclasses.is_dataclass(known)):
        return _fields_of(known)
    # Whatever it is, it is looked at.
    return "any"


def _fields_of(kind: type[Any], names: Iterable[str] | None = None) -> dict[str, _Shape]:
    """The shapes of a record's fields: of these, by default of all."""
    if not issubclass(kind, BaseModel):
        return {name: _shape_of(hint) for name, hint in get_type_hints(kind).items()}
    known: dict[str, _Shape] = dict.fromkeys(_IDS.get(kind, ()), "id")
    known |= dict.fromkeys(_NEVER_EXPORTED.get(kind, ()), "none")
    hints: dict[str, Any] = {name: field.annotation for name, field in kind.model_fields.items()}
    return {name: known.get(name) or _shape_of(hints[name]) for name in (hints if names is None else names)}
