"""Looks through everything of a demo that goes into a pack, and says what may be private, and where."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from demopack.domain.demos import Demo, PrivateValue
from demopack.redaction.matches import KINDS, PLACEHOLDER, SECRET_KINDS, Kind
from demopack.redaction.recognisers import recognise, recognise_named
from demopack.redaction.text_locations import TextLocation, texts_of
from demopack.redaction.values import Value, ValueFinder

Decision = Literal["open", "replace", "keep"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivateFinding:
    """One private value and all its places.

    Attributes:
        value: as it was met first.
        kind: what it is.
        placeholder: what stands for it, the same in every place, for instance ``<email:1>``.
        places: where it occurs, at least one.
        decision: what a person wants done with it; ``replace`` means that it is still to be done here.
        digest: its name in the library.
    """

    value: str
    kind: Kind
    placeholder: str
    places: tuple[TextLocation, ...]
    decision: Decision
    digest: str

    @property
    def secret(self) -> bool:
        """Whether whoever reads it can use it."""
        return self.kind in SECRET_KINDS

    @property
    def replaceable(self) -> bool:
        """Whether it stands anywhere but in ids, which cannot be replaced."""
        return any(not place.fixed for place in self.places)


def scan_demo(demo: Demo, *, also: Sequence[str] = ()) -> list[PrivateFinding]:
    """Everything in a demo that may be private: secrets first, then in the order of the demo.

    Args:
        demo: as it stands now; its head says what was decided before.
        also: texts that a person named and no recogniser knows, for instance somebody's name; found in any case.
    """
    known = demo.head.redaction
    texts = list(texts_of(demo))
    values = _values(texts)
    for named in also:
        value = Value(kind="text", text=named)
        if value.normal:
            values.setdefault(value.digest, value)
    names = _placeholders(values, known, texts)
    places = _places(texts, values)
    found = [
        PrivateFinding(
            value=value.text,
            kind=value.kind,
            placeholder=names[key],
            places=tuple(places[key]),
            decision=known[key].decision if key in known else "open",
            digest=key,
        )
        for key, value in values.items()
        if places[key]
    ]
    return sorted(found, key=lambda one: not one.secret)


def is_meant(found: PrivateFinding, which: str) -> bool:
    """Whether a word means a finding: its kind, placeholder, value in any spelling, or ``all`` that are open."""
    if which == "all":
        return found.decision == "open"
    return which in {found.kind, found.placeholder} or Value(kind=found.kind, text=which).digest == found.digest


def decided(found: Sequence[PrivateFinding], decision: Decision, *, which: str = "all") -> list[PrivateFinding]:
    """The findings with a new decision for those that are meant (:func:`is_meant`)."""
    return [dataclasses.replace(one, decision=decision) if is_meant(one, which) else one for one in found]


def open_findings(demo: Demo) -> list[PrivateFinding]:
    """What an export of the demo would show although nobody said that it may."""
    return [one for one in scan_demo(demo) if one.decision != "keep"]


def left_over(demo: Demo, found: Sequence[PrivateFinding]) -> list[tuple[PrivateFinding, TextLocation]]:
    """Where values with the decision ``replace`` still stand once that has been done: in ids, which cannot be replaced.

    Args:
        demo: as it stands after :func:`demopack.redaction.apply.redact`.
        found: what was decided.
    """
    replaced = {one.digest: one for one in found if one.decision == "replace"}
    finder = ValueFinder(Value(kind=one.kind, text=one.value) for one in replaced.values())
    return [(replaced[value.digest], text) for text in texts_of(demo) for value in finder.find(text.text)]


def _values(texts: Sequence[TextLocation]) -> dict[str, Value]:
    """Digest -> value, in the order of the demo; of two kinds the more specific."""
    values: dict[str, Value] = {}
    read: dict[tuple[str, str, bool, bool], list[Value]] = {}
    for text in texts:
        key = (text.text, text.name, text.typed, text.fixed)
        if key not in read:
            matches = recognise_named(text.name, text.text) if text.name else recognise(text.text)
            # A guess about a lone word is worth a question only where somebody typed the word; ids are thrown by dice.
            guesses = {"key", "maybe_password"} if text.fixed else set[str]() if text.typed else {"maybe_password"}
            read[key] = [Value(kind=m.kind, text=m.value) for m in matches if m.kind not in guesses]
        for value in read[key]:
            old = values.get(value.digest)
            if old is None or KINDS.index(value.kind) < KINDS.index(old.kind):
                values[value.digest] = value if old is None else Value(kind=value.kind, text=old.text)
    return values


_NUMBERED = re.compile(r"<([a-z_]+):([0-9]+)>")


def _placeholders(
    values: Mapping[str, Value], known: Mapping[str, PrivateValue], texts: Sequence[TextLocation]
) -> dict[str, str]:
    """What stands for each value: as before where that is known, else the next number that is free in this demo."""
    names = {key: known[key].placeholder for key in values if key in known}
    used = {private.placeholder for private in known.values()}
    used |= {name for text in texts for name in PLACEHOLDER.findall(text.text)}
    last: dict[str, int] = {}
    for name in used:
        numbered = _NUMBERED.fullmatch(name)
        if numbered is not None:
            last[numbered[1]] = max(last.get(numbered[1], 0), int(numbered[2]))
    for key, value in values.items():
        if key not in names:
            last[value.kind] = last.get(value.kind, 0) + 1
            names[key] = f"<{value.kind}:{last[value.kind]}>"
    return names


def _places(texts: Sequence[TextLocation], values: Mapping[str, Value]) -> dict[str, list[TextLocation]]:
    """Where each value occurs, alone, inside a longer text, or read wrongly off a picture."""
    finder = ValueFinder(values.values())
    places: dict[str, list[TextLocation]] = {key: [] for key in values}
    cache: dict[tuple[str, bool], list[str]] = {}
    for text in texts:
        on_screen = text.element is not None
        key = (text.text, on_screen)
        if key not in cache:
            found = finder.find(text.text)
            alike = finder.alike(text.text) if on_screen and not found else None
            cache[key] = list(dict.fromkeys(value.digest for value in found)) if alike is None else [alike.digest]
        for one in cache[key]:
            places[one].append(text)
    return places
