"""The states that an element gets without anybody saying so: with a new type, and before a library has habits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from demopack.domain.elements import ATTRIBUTES, Element, ElementType, State

__all__ = ["START_STATES", "UsualStates", "retyped_states"]

UsualStates = Mapping[str, Mapping[State, bool]]
"""Type -> the states that an element of it usually has."""

START_STATES: Final[Mapping[ElementType, Mapping[State, bool]]] = {
    "text": {"highlighted": False},
    "hyperlink": {"highlighted": False, "focused": False, "disabled": False},
    "tabled_text": {"highlighted": False},
    "draggable_text": {"highlighted": False},
    "button": {"focused": False},
    "radio": {"focused": False},
    "toggle": {"focused": False},
    "slider": {"focused": False},
    "image": {"highlighted": False},
    "menu": {"focused": False, "disabled": False, "expanded": False},
    "tab": {"disabled": False},
    "tree_item": {"disabled": False},
    "other": {"disabled": False},
}
"""What is usual before anybody reviewed anything: where at least 95 % of the elements of a type have that value, out of
the 286,000 on the 5,044 screens that the shipped models learned from (pages, Qt windows, applications, MiniWoB tasks).
Those screens have more of what is rare than real ones, so that a state which is usual there is usual everywhere."""


def retyped_states(element: Element, kind: ElementType, usual: UsualStates) -> dict[State, bool]:
    """The states of an element that becomes one of another type: what is said stays, the rest is as usual.

    What was filled in for a drawn box goes with the type that it was usual for. A state that is missing although it is
    usual, on an element that a person reviewed and that has other states, was taken out: it stays unknown.

    Args:
        element: as it is.
        kind: what it becomes.
        usual: of all types.
    """
    before, now = usual.get(element.type, {}), usual.get(kind, {})
    if element.source == "human" and element.states == before:
        said: Mapping[State, bool] = {}
    else:
        said = element.states
    unknown = frozenset[State]()
    if said and element.review != "unreviewed":
        unknown = frozenset(before) - frozenset(said)
    may = ATTRIBUTES[kind].states
    states: dict[State, bool] = {state: value for state, value in now.items() if state not in unknown}
    states.update(said)
    return {state: value for state, value in states.items() if state in may}
