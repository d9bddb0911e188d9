"""Attributes that a person may set on some elements: values, boxes as four numbers, the commands that set them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from typing import Any, Final, Literal, TypeAlias, cast

from annotator.attributes.type_defaults import UsualStates, retyped_states
from annotator.commands import corrected, edit_each, several_words
from annotator.document import Document
from annotator.step_words import type_word
from annotator.words import tr
from demopack.domain.edits import Edit
from demopack.domain.elements import ATTRIBUTES, ELEMENT_TYPES, STATES, Element, ElementType, State
from demopack.domain.geometry import Rect, Size
from demopack.domain.words import shorten

AttributeName: TypeAlias = Literal["type", "text", "placeholder", "subtype", "review"] | State


class Mixed(Enum):
    """The value of an attribute that differs between the elements."""

    MIXED = "mixed"


MIXED: Final = Mixed.MIXED


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    """One line of the form.

    Attributes:
        name: which attribute.
        value: what all elements that may carry it have; ``MIXED`` where they differ. A type or review is its word, a
            text or subtype a string or None, a state true, false, or None for "cannot be seen".
        uids: the elements that may carry it.
    """

    name: AttributeName
    value: str | bool | Mixed | None
    uids: tuple[str, ...]


def is_state(name: AttributeName) -> bool:
    """Whether an attribute is a tri-state state."""
    return name in STATES


def attributes_of(elements: Sequence[Element]) -> tuple[Attribute, ...]:
    """The attributes that at least one of the elements may carry, in the order of the form; the type comes first.

    A text and a placeholder belong to one element: for several they are left out.
    """
    # Thousands may be selected, of a few types: what depends on the type is asked once for each.
    kinds = {element.type for element in elements}
    found: list[Attribute] = []
    name: AttributeName
    for name in _NAMES:
        carriers = _carriers(name)
        if kinds.isdisjoint(carriers) or (name in {"text", "placeholder"} and len(elements) > 1):
            continue
        able = [element for element in elements if element.type in carriers]
        values = {value_of(element, name) for element in able}
        value = values.pop() if len(values) == 1 else MIXED
        found.append(Attribute(name=name, value=value, uids=tuple(element.uid for element in able)))
    return tuple(found)


_NAMES: Final[tuple[AttributeName, ...]] = ("type", "text", "placeholder", "subtype", *STATES, "review")


@cache
def _carriers(name: AttributeName) -> frozenset[ElementType]:
    """The types whose elements may carry an attribute."""
    if name in {"type", "review"}:
        return frozenset(ELEMENT_TYPES)
    return frozenset(
        kind for kind, may in ATTRIBUTES.items() if name in may.states or (not is_state(name) and getattr(may, name))
    )


def value_of(element: Element, name: AttributeName) -> str | bool | None:
    """What one element says about an attribute."""
    if is_state(name):
        return element.states.get(cast("State", name))
    return cast("str | None", getattr(element, name))


BoxField: TypeAlias = Literal["x", "y", "w", "h"]


def number_of(box: Rect, field: BoxField) -> int:
    """One of the four numbers, in pixels of the picture."""
    return {"x": box.x1, "y": box.y1, "w": box.width, "h": box.height}[field]


def box_with(box: Rect, field: BoxField, value: int, size: Size) -> Rect:
    """The box with one number changed: ``x`` and ``y`` move it, ``w`` and ``h`` move its right or lower edge.

    Args:
        box: as it is.
        field: which number.
        value: what was typed; the nearest number that keeps the box on the picture is taken.
        size: of the picture.
    """
    least, most = {
        "x": (0, size.width - box.width),
        "y": (0, size.height - box.height),
        "w": (1, size.width - box.x1),
        "h": (1, size.height - box.y1),
    }[field]
    # A box that is larger than its picture has no place on it: it keeps its lower bound.
    numbers = {"x": box.x1, "y": box.y1, "w": box.width, "h": box.height, field: max(least, min(value, most))}
    x, y = numbers["x"], numbers["y"]
    return Rect(x, y, x + numbers["w"], y + numbers["h"])


_STATE_LABELS: Final[Mapping[bool | None, str]] = {
    True: tr("Mark {element} as {state}"),
    False: tr("Mark {element} as not {state}"),
    None: tr("Mark {element} as {state}: not visible"),
}
_REVIEW_LABELS: Final[Mapping[str, str]] = {
    "approved": tr("Approve {element}"),
    "rejected": tr("Reject {element}"),
    "doubtful": tr("Doubt {element}"),
    "unreviewed": tr("Unmark {element}"),
}
_LABELS: Final[Mapping[tuple[str, bool], str]] = {
    ("type", True): tr("Turn {element} into {value}"),
    ("text", True): tr("Set the text of {element} to “{value}”"),
    ("text", False): tr("Clear the text of {element}"),
    ("placeholder", True): tr("Set the placeholder of {element} to “{value}”"),
    ("placeholder", False): tr("Clear the placeholder of {element}"),
    ("subtype", True): tr("Set the subtype of {element} to “{value}”"),
    ("subtype", False): tr("Clear the subtype of {element}"),
}
"""By attribute, and whether it has a value now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetAttribute:
    """One attribute of one or many elements; those whose type cannot carry it stay as they are.

    Attributes:
        uids: the elements.
        name: which attribute.
        value: as in :class:`annotator.attributes.element_attributes.Attribute`.
        usual: with another type: the states that it gets where nothing is said about them.
        merge_key: of the gesture.
    """

    uids: tuple[str, ...]
    name: AttributeName
    value: str | bool | None
    usual: UsualStates = field(default_factory=dict[str, Mapping[State, bool]])
    merge_key: str | None = None

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        return edit_each(
            document, self.uids, lambda old: corrected(old, **self._fields(old)), self._label, merge_key=self.merge_key
        )

    def _fields(self, element: Element) -> dict[str, Any]:
        if is_state(self.name):
            states = {name: value for name, value in element.states.items() if name != self.name}
            if self.value is not None:
                states[cast("State", self.name)] = bool(self.value)
            return {"states": states}
        if self.name == "type":
            if value_of(element, "type") == self.value:
                return {}
            kind = cast("ElementType", self.value)
            return {"type": kind, "states": retyped_states(element, kind, self.usual)}
        return {self.name: self.value or None}

    def _label(self, old: Sequence[Element]) -> str:
        what = several_words(old)
        if is_state(self.name):
            return _STATE_LABELS[cast("bool | None", self.value)].format(element=what, state=type_word(self.name))
        if self.name == "review":
            return _REVIEW_LABELS[str(self.value)].format(element=what)
        value = str(self.value or "")
        words = type_word(value) if self.name == "type" else shorten(value)
        return _LABELS[self.name, bool(value)].format(element=what, value=words)


@dataclass(frozen=True, slots=True, kw_only=True)
class FillStates:
    """A box that was just drawn gets the states that its type usually has; taken back together with the drawing.

    Attributes:
        uid: the new box.
        states: what it gets; states that it has already stay.
    """

    uid: str
    states: Mapping[State, bool]
    merge_key: str | None = None

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        return edit_each(document, (self.uid,), self._filled, lambda old: self._label(old[0]), merge_key=self.merge_key)

    def _filled(self, old: Element) -> Element:
        new = old.changed(states={**self.states, **old.states}).cleaned()
        return old if new == old else new

    def _label(self, old: Element) -> str:
        words = {True: "{state}", False: tr("not {state}")}
        states = self._filled(old).states
        usual = ", ".join(words[value].format(state=type_word(state)) for state, value in states.items())
        return tr("Draw a box ({kind}), as usual {states}").format(kind=type_word(old.type), states=usual)
