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

_IDS: Final[Mapping[type, frozenset[str]]] = {
    DemoHead: frozenset({"id", "take_of", "take_after"}),
    Step: frozenset({"id", "target_uid", "end_uid", "alternatives"}),
    Element: frozenset({"uid", "frame", "track_id", "parent"}),
    ActionTarget: frozenset({"track_id"}),
    PressKeyAction: frozenset({"key_info"}),
    Frame: frozenset({"id"}),
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


class _Shape:
    """What a value may hold; here no text: a number, a time, a word of the format."""

    def walk(self, value: Any, path: tuple[str, ...], visit: _Visit) -> Any:  # noqa: ANN401, ARG002 - any JSON value
        """The value with what ``visit`` makes of its texts."""
        return value


class _Text(_Shape):
    def walk(self, value: Any, path: tuple[str, ...], visit: _Visit) -> Any:  # noqa: ANN401 - any JSON value
        return visit(Leaf(path=path, text=value)) if isinstance(value, str) and value else value


class _Id(_Shape):
    def walk(self, value: Any, path: tuple[str, ...], visit: _Visit) -> Any:  # noqa: ANN401 - any JSON value
        for one in cast("list[object]", value) if isinstance(value, list) else [value]:
            if isinstance(one, str) and one:
                visit(Leaf(path=path, text=one, kind="id"))
        return cast("object", value)


class _Items(_Shape):
    def __init__(self, inner: _Shape) -> None:
        self._inner = inner

    def walk(self, value: Any, path: tuple[str, ...], visit: _Visit) -> Any:  # noqa: ANN401 - any JSON value
        if not isinstance(value, list):
            return value
        return [self._inner.walk(item, path, visit) for item in cast("list[object]", value)]


class _Free(_Text):
    """Any JSON value: what was read off a screen. Keys are text as well, and so are long numbers."""

    def walk(self, value: Any, path: tuple[str, ...], visit: _Visit) -> Any:  # noqa: ANN401 - any JSON value
        if _is_long_number(value):
            new = visit(Leaf(path=path, text=str(value)))
            return value if new == str(value) else new
        if isinstance(value, list):
            return [self.walk(item, path, visit) for item in cast("list[object]", value)]
        if not isinstance(value, dict):
            return super().walk(value, path, visit)
        made: dict[str, Any] = {}
        for key, item in cast("dict[str, Any]", value).items():
            name = visit(Leaf(path=path, text=key, kind="key")) if key else key
            made[_free_name(name, made)] = self.walk(item, (*path, key), visit)
        return made


class _Fields(_Shape):
    """A record; what it does not know is looked at as if anything could stand there."""

    def __init__(self, fields: Mapping[str, _Shape]) -> None:
        self.known = fields

    def walk(self, value: Any, path: tuple[str, ...], visit: _Visit) -> Any:  # noqa: ANN401 - any JSON value
        if not isinstance(value, dict):
            return value
        data = cast("dict[str, Any]", value)
        return {key: self.known.get(key, _FREE).walk(item, (*path, key), visit) for key, item in data.items()}


class _Action(_Fields):
    """An action: what its parameters hold depends on its type."""

    def walk(self, value: Any, path: tuple[str, ...], visit: _Visit) -> Any:  # noqa: ANN401 - any JSON value
        if not isinstance(value, dict):
            return value
        data = cast("dict[str, Any]", value)
        model = ACTION_MODELS.get(str(data.get("action_type")))
        parameters = _FREE if model is None else _Fields(_shapes_of(model, model.parameter_names()))
        return _Fields({**self.known, "parameters": parameters}).walk(data, path, visit)


_NOTHING, _TEXT, _ID, _FREE = _Shape(), _Text(), _Id(), _Free()


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

    _shape_of(model).walk(data, (), note)
    return found


def mapped(model: type, data: dict[str, Any], change: Callable[[str], str]) -> dict[str, Any]:
    """A record's JSON with every text of :func:`leaves` changed that is no id."""
    new: dict[str, Any] = _shape_of(model).walk(data, (), lambda leaf: change(leaf.text))
    return new


def text_fields(model: type) -> tuple[str, ...]:
    """Names of a record's own fields that are text."""
    return tuple(name for name, shape in _fields_of(model).known.items() if shape is _TEXT)


def id_fields(model: type) -> tuple[str, ...]:
    """Names of a record's own fields that are ids."""
    return tuple(name for name, shape in _fields_of(model).known.items() if shape is _ID)


@cache
def _shape_of(kind: Any) -> _Shape:  # noqa: ANN401 - any annotation
    origin, inside = get_origin(kind), get_args(kind)
    if kind is str:
        return _TEXT
    if kind in _PLAIN or origin is Literal:
        return _NOTHING
    if origin in {Union, types.UnionType} and set(inside) == set(ACTION_MODELS.values()):
        return _Action({"action_type": _NOTHING, "target": _shape_of(ActionTarget)})
    if origin in {Union, types.UnionType}:
        shapes = {shape for one in inside if (shape := _shape_of(one)) is not _NOTHING}
        return next(iter(shapes), _NOTHING) if len(shapes) <= 1 else _FREE
    if origin in {tuple, list}:
        return _Items(_shape_of(inside[0]))
    if origin is dict and get_origin(inside[0]) is Literal and _shape_of(inside[1]) is _NOTHING:
        return _NOTHING
    known = cast("type[Any]", kind) if isinstance(kind, type) else None
    if known is not None and (issubclass(known, BaseModel) or dataclasses.is_dataclass(known)):
        return _fields_of(known)
    # Whatever it is, it is looked at.
    return _FREE


def _fields_of(kind: type[Any]) -> _Fields:
    if issubclass(kind, BaseModel):
        return _Fields(_shapes_of(kind, kind.model_fields))
    return _Fields({name: _shape_of(hint) for name, hint in get_type_hints(kind).items()})


def _shapes_of(kind: type[BaseModel], names: Iterable[str]) -> dict[str, _Shape]:
    hints: dict[str, Any] = {name: kind.model_fields[name].annotation for name in names}
    shapes = {name: _shape_of(hint) for name, hint in hints.items()}
    return shapes | dict.fromkeys(_IDS.get(kind, ()), _ID) | dict.fromkeys(_NEVER_EXPORTED.get(kind, ()), _NOTHING)


def _is_long_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and len(str(abs(value))) >= _MIN_DIGITS


def _free_name(name: str, taken: Mapping[str, object]) -> str:
    """Two spellings of one value are one placeholder; as keys they stay two."""
    number, free = 2, name
    while free in taken:
        free, number = f"{name} ({number})", number + 1
    return free
