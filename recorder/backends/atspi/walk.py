"""Walk over what a program shows, for certain elements, in small questions that cannot cost it much.

A program is never asked to search for itself (``Collection.GetMatches``): it would go through everything that it has,
and a spreadsheet has a thousand million cells. Here only what can be seen is opened, the number of children is asked
before the children, and where there are very many, or a container makes them up as they are asked for, none is.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from recorder.backends.atspi.bus import BusQuery, Ref
from recorder.backends.atspi.element_queries import (
    MOST_CHILDREN,
    ElementQueries,
    about,
    child_count,
    children_of,
    number,
    refs_of,
    variant,
)
from recorder.backends.atspi.roles import (
    BARS,
    CELLS,
    CLOSED,
    FOCUSED,
    MANAGES_DESCENDANTS,
    PASSWORD_TEXT,
    TEXTS,
    has_state,
)

_MAX_CELLS = 64
"""A table, list or tree with more is not opened: it is no form."""
_MAX_ELEMENTS = 1500
_AT_ONCE = 64
_ANSWER_S = 0.5
_NO_STATES: Sequence[int] = (0, 0)


@dataclass(frozen=True, slots=True)
class _Seen:
    """What an element told.

    Attributes:
        states: two words of bits; none where they were not asked for.
        children: how many; 0 for what is not to be opened.
    """

    ref: Ref
    role: int
    states: Sequence[int]
    children: int


@dataclass(frozen=True, slots=True)
class TreeWalk:
    """What was found.

    Attributes:
        found: in the order in which the program has them.
        complete: whether everything that is shown was looked at. What lies in a table, list or tree that is too large
            to be opened does not count: none of its cells is a field of its own.
        answered: whether every question was answered in time.
    """

    found: tuple[Ref, ...]
    complete: bool
    answered: bool = True


class Walker:
    """Walks from windows down, level by level; may be used from any thread but the one that reads the bus.

    Attributes:
        asker: puts the questions.
    """

    def __init__(self, asker: ElementQueries) -> None:
        self.asker = asker
        self._roles: dict[str, dict[Ref, int]] = {}
        self._shut: set[Ref] = set()

    def secure_fields(self, bus: str, windows: Iterable[Ref], *, until_s: float) -> TreeWalk:
        """The secure fields in some windows of one program.

        Args:
            bus: the program.
            windows: where to begin.
            until_s: monotonic seconds at which to stop, even if not everything has been looked at.
        """
        known: dict[Ref, int] = {}
        walk = self._walk(
            windows, lambda seen: seen.role == PASSWORD_TEXT, closed=CLOSED | BARS, until_s=until_s, known=known
        )
        if walk.complete:
            self._roles[bus] = known
        else:
            self._roles.setdefault(bus, {}).update(known)
        return walk

    def focused(self, windows: Iterable[Ref], *, until_s: float) -> Ref | None:
        """The element in these windows that has the input; None when none says so. Arguments as above."""
        walk = self._walk(
            windows,
            lambda seen: has_state(seen.states, FOCUSED),
            closed=CLOSED,
            until_s=until_s,
            all_states=True,
            first=True,
        )
        return walk.found[0] if walk.found else None

    def with_roles(self, windows: Iterable[Ref], roles: frozenset[int], *, until_s: float) -> tuple[Ref, ...]:
        """The elements in these windows that have one of these roles. Arguments as above."""
        return self._walk(windows, lambda seen: seen.role in roles, until_s=until_s).found

    def forget(self, bus: str) -> None:
        """The program has ended."""
        self._roles.pop(bus, None)
        self._shut = {ref for ref in self._shut if ref.bus != bus}

    def _walk(
        self,
        windows: Iterable[Ref],
        wanted: Callable[[_Seen], bool],
        *,
        closed: frozenset[int] = frozenset(),
        until_s: float,
        all_states: bool = False,
        first: bool = False,
        known: dict[Ref, int] | None = None,
    ) -> TreeWalk:
        waiting = deque(dict.fromkeys(windows))
        met, looked_at = set(waiting), 0
        found: list[Ref] = []
        complete = True
        while waiting:
            if looked_at >= _MAX_ELEMENTS or time.monotonic() > until_s:
                return TreeWalk(tuple(found), complete=False)
            batch = [waiting.popleft() for _ in range(min(len(waiting), _AT_ONCE))]
            looked_at += len(batch)
            seen = self._look(batch, closed, all_states=all_states, known=known)
            if seen is None:
                return TreeWalk(tuple(found), complete=False, answered=False)
            found += [each.ref for each in seen if wanted(each)]
            if first and found:
                break
            opened = [each for each in seen if each.children]
            large = [each for each in opened if not self._may_open(each)]
            complete = complete and all(
                each.role in CELLS or has_state(each.states, MANAGES_DESCENDANTS) for each in large
            )
            below = self._open([each.ref for each in opened if self._may_open(each)])
            if below is None:
                return TreeWalk(tuple(found), complete=False, answered=False)
            waiting.extend(ref for ref in dict.fromkeys(below) if ref not in met)
            met.update(below)
        return TreeWalk(tuple(found), complete=complete)

    def _may_open(self, seen: _Seen) -> bool:
        most = _MAX_CELLS if seen.role in CELLS else MOST_CHILDREN
        many = seen.children > most or has_state(seen.states, MANAGES_DESCENDANTS)
        return not many and seen.ref not in self._shut

    def _look(
        self, refs: Sequence[Ref], closed: frozenset[int], *, all_states: bool, known: dict[Ref, int] | None
    ) -> list[_Seen] | None:
        """What these elements are now; without those that are gone. None when the program does not answer.

        Of what is known never to hold anything nothing is asked again.
        """
        roles = {ref: self._roles.get(ref.bus, {}).get(ref) for ref in refs}
        asked: dict[tuple[Ref, str], BusQuery] = {}
        for ref, role in roles.items():
            if role is None or role in TEXTS:
                asked[ref, "role"] = about(ref, "GetRole")
            if role is None or role not in closed or all_states:
                asked[ref, "states"] = about(ref, "GetState")
            if role is None:
                # Somebody may wait for the first walk: one turn less.
                asked[ref, "children"] = child_count(ref)
        told = self._told(asked)
        if told is None:
            return None
        found: list[_Seen] = []
        for ref, role in roles.items():
            answer = told.get((ref, "role"))
            role = number(answer) if answer else role
            if role is None:
                continue
            if known is not None:
                known[ref] = role
            states = told.get((ref, "states"))
            found.append(_Seen(ref, role, states[0] if states else _NO_STATES, 0))
        opens = [each for each in found if each.role not in closed and self.asker.is_shown(each.ref.bus, each.states)]
        uncounted = [each.ref for each in opens if (each.ref, "children") not in told]
        counted = self._told({(ref, "children"): child_count(ref) for ref in uncounted})
        if counted is None:
            return None
        every = {**told, **counted}
        counts = {each.ref: variant(every[each.ref, "children"], 0) for each in opens}
        # Some tell of more children than a number can hold.
        counts = {ref: count if count >= 0 else MOST_CHILDREN + 1 for ref, count in counts.items()}
        return [replace(each, children=counts.get(each.ref, 0)) for each in found]

    def _told(self, asked: dict[tuple[Ref, str], BusQuery]) -> dict[tuple[Ref, str], tuple[Any, ...] | None] | None:
        """The answers; None when a program that is asked does not answer."""
        told = dict(zip(asked, self.asker.ask(list(asked.values()), _ANSWER_S), strict=True))
        missing = {ref.bus for (ref, _), answer in told.items() if answer is None}
        return None if any(self.asker.bus.is_silent(bus) for bus in missing) else told

    def _open(self, refs: Sequence[Ref]) -> list[Ref] | None:
        """The children of some elements; None when the program does not answer: then they are not opened again."""
        answers = self.asker.ask([children_of(ref) for ref in refs], _ANSWER_S)
        below: list[Ref] = []
        for ref, answer in zip(refs, answers, strict=True):
            if answer is None and self.asker.bus.is_silent(ref.bus):
                self._shut.add(ref)
                return None
            below += refs_of(answer)[: MOST_CHILDREN + 1]
        return below
