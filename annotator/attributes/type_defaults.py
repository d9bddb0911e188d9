"""States that elements of a type get by default: learned from reviewed elements, or the usual ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from demopack.domain.elements import (
    ATTRIBUTES,
    ELEMENT_TYPES,
    SHAPE_SUBTYPES,
    STATES,
    Element,
    ElementType,
    State,
)
from demopack.store import Library
from models.vision.describer_words import SUBTYPES

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
    said = {} if element.source == "human" and element.states == before else element.states
    unknown = before.keys() - said.keys() if said and element.review != "unreviewed" else set[State]()
    filled = {state: value for state, value in now.items() if state not in unknown}
    return {state: value for state, value in {**filled, **said}.items() if state in ATTRIBUTES[kind].states}


_LEAST, _SHARE = 3, 0.6
"""A state is usual when at least so many elements of the type were reviewed, and at least this share of them has it."""
_DEMOS, _ELEMENTS = 8, 6_000
"""How far back in a library habits are looked for: what was done lately says more, and costs less, than everything."""


class TypeDefaults:
    """Counts over reviewed elements; more can be added as a person goes on."""

    def __init__(self, elements: Iterable[Element] = ()) -> None:
        self._types: Counter[ElementType] = Counter()
        self._states: Counter[tuple[ElementType, State, bool | None]] = Counter()
        self._subtypes: Counter[tuple[ElementType, str]] = Counter()
        self.add(elements)

    def add(self, elements: Iterable[Element]) -> None:
        """Count further elements; only what a person approved says anything about a person's habits."""
        for element in elements:
            if element.review != "approved":
                continue
            self._types[element.type] += 1
            for state in ATTRIBUTES[element.type].states:
                self._states[element.type, state, element.states.get(state)] += 1
            if element.subtype:
                self._subtypes[element.type, element.subtype] += 1

    def usual_states(self, kind: ElementType) -> dict[State, bool]:
        """The states that a new element of a type gets: those that most reviewed ones of it have alike.

        Before three were reviewed these are the ones that are usual everywhere.
        """
        seen = self._types[kind]
        if seen < _LEAST:
            return dict(START_STATES.get(kind, {}))
        return {
            state: value
            for state in STATES
            for value in (False, True)
            if self._states[kind, state, value] >= max(_SHARE * seen, _LEAST)
        }

    def all_usual_states(self) -> dict[str, dict[State, bool]]:
        """Every type that has usual states, and which."""
        found = {str(kind): self.usual_states(kind) for kind in ELEMENT_TYPES}
        return {kind: states for kind, states in found.items() if states}

    def types_by_use(self) -> list[ElementType]:
        """Every type, the most used first; those never used in their own order."""
        order = [*_FIRST, *ELEMENT_TYPES]
        return sorted(ELEMENT_TYPES, key=lambda kind: (-self._types[kind], order.index(kind)))

    def subtypes(self, kind: ElementType) -> list[str]:
        """Words for the subtype of a type: the most used first, then the known ones; any other word may be written."""
        used = [(count, word) for (of, word), count in self._subtypes.items() if of == kind]
        words = [word for _, word in sorted(used, key=lambda pair: (-pair[0], pair[1]))]
        known = SHAPE_SUBTYPES if kind == "shape" else SUBTYPES if kind == "icon" else ()
        return [*words, *(word for word in known if word not in words)]


_FIRST: Final[tuple[ElementType, ...]] = (
    "button", "text", "input_field", "checkbox", "icon", "hyperlink", "menu_item", "tab", "list_item", "dropdown",
)  # fmt: skip
"""The order before anything is known."""


def read_reviewed(library: Library, *, first: str) -> list[Element]:
    """The approved elements of one demo and of the newest ones beside it, up to some thousands.

    Reads the library, so it belongs off the GUI thread.

    Args:
        library: where to look.
        first: the demo that counts most: it is read in any case.

    Raises:
        LibraryError: it cannot be read.
    """
    others = [summary.head.id for summary in library.demos()[:_DEMOS] if summary.head.id != first]
    found: list[Element] = []
    for demo_id in [first, *others]:
        demo = library.demo(demo_id)
        found += [element for here in demo.elements.values() for element in here if element.review == "approved"]
        if len(found) >= _ELEMENTS:
            break
    return found
