"""Which attributes a person may set on some elements, and their values; what a type cannot carry is masked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Final, Literal, TypeAlias, cast

from demopack.domain.elements import ATTRIBUTES, ELEMENT_TYPES, STATES, Element, ElementType, State

__all__ = ["MIXED", "Attribute", "AttributeName", "Mixed", "attributes_of", "is_state", "value_of"]

AttributeName: TypeAlias = Literal["type", "text", "subtype", "review"] | State


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

    A text belongs to one element: for several it is left out.
    """
    if not elements:
        return ()
    names: list[AttributeName] = ["type"]
    if len(elements) == 1 and ATTRIBUTES[elements[0].type].text:
        names.append("text")
    # Thousands may be selected, of a few types: what depends on the type is asked once for each.
    kinds = {element.type for element in elements}
    if not kinds.isdisjoint(_able("subtype")):
        names.append("subtype")
    names.extend(state for state in STATES if not kinds.isdisjoint(_able(state)))
    names.append("review")
    return tuple(_attribute(name, elements) for name in names)


def _attribute(name: AttributeName, elements: Sequence[Element]) -> Attribute:
    kinds = _able(name)
    able = [element for element in elements if element.type in kinds]
    values = {value_of(element, name) for element in able}
    return Attribute(
        name=name,
        value=values.pop() if len(values) == 1 else MIXED,
        uids=tuple(element.uid for element in able),
    )


@cache
def _able(name: AttributeName) -> frozenset[ElementType]:
    """The types whose elements may carry an attribute."""
    return frozenset(kind for kind in ELEMENT_TYPES if _may(kind, name))


def _may(kind: ElementType, name: AttributeName) -> bool:
    may = ATTRIBUTES[kind]
    if is_state(name):
        return name in may.states
    return {"text": may.text, "subtype": may.subtype}.get(name, True)


def value_of(element: Element, name: AttributeName) -> str | bool | None:
    """What one element says about an attribute."""
    if is_state(name):
        return element.states.get(cast("State", name))
    return cast("str | None", getattr(element, name))
