"""Which digit sets which type: learned from use, kept steady so that fingers can learn it too, and fixed by choice."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, cast

from demopack.atomic import write_text_atomic
from demopack.domain.elements import ELEMENT_TYPES, ElementType
from demopack.settings import settings_path

__all__ = ["DIGITS", "TypeDigits", "digits_path", "load_digits", "save_digits"]

DIGITS: Final = "1234567890"
"""In the order of the keyboard: the most used type has 1, the tenth 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeDigits:
    """The map.

    Attributes:
        fixed: digits that a person gave to a type; learning leaves them alone.
        learned: the other digits.
    """

    fixed: Mapping[str, ElementType] = field(default_factory=dict[str, ElementType])
    learned: Mapping[str, ElementType] = field(default_factory=dict[str, ElementType])

    def type_of(self, digit: str) -> ElementType | None:
        """What a digit sets; None for one that sets nothing."""
        return self.fixed.get(digit) or self.learned.get(digit)

    def digit_of(self, kind: ElementType) -> str:
        """The digit of a type; empty when it has none."""
        return next((digit for digit in DIGITS if self.type_of(digit) == kind), "")

    def relearned(self, by_use: Sequence[ElementType]) -> TypeDigits:
        """The map for types in the order of their use.

        A type that is still among the most used keeps its digit: newcomers get the digits of those that dropped out.
        """
        free = [digit for digit in DIGITS if digit not in self.fixed]
        others: list[ElementType] = [kind for kind in by_use if kind not in set(self.fixed.values())]
        wanted = others[: len(free)]
        kept: dict[str, ElementType] = {
            digit: kind for digit, kind in self.learned.items() if digit in free and kind in wanted
        }
        rest: list[ElementType] = [kind for kind in wanted if kind not in set(kept.values())]
        for digit in free:
            if digit not in kept and rest:
                kept[digit] = rest.pop(0)
        return TypeDigits(fixed=self.fixed, learned=kept)

    def fix(self, digit: str, kind: ElementType | None) -> TypeDigits:
        """The map with a digit given to a type for good; None leaves that digit to learning again."""
        fixed: dict[str, ElementType] = {
            other: old for other, old in self.fixed.items() if other != digit and old != kind
        }
        if kind is not None:
            fixed[digit] = kind
        learned: dict[str, ElementType] = {
            other: old for other, old in self.learned.items() if other not in fixed and old != kind
        }
        was = self.type_of(digit)
        before = self.digit_of(kind) if kind is not None else ""
        if kind is not None and was is not None and was != kind and before and before not in fixed:
            # The two change places, so that no type is lost by giving another one its digit.
            learned[before] = was
        return TypeDigits(fixed=fixed, learned=learned)


def digits_path() -> Path:
    """The file beside the settings."""
    return settings_path().with_name("type_digits.json")


def load_digits(path: Path | None = None) -> TypeDigits:
    """The map as it was kept; an empty one where there is none, or the file is damaged: nothing depends on it."""
    try:
        data: Any = json.loads((path or digits_path()).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return TypeDigits()
    if not isinstance(data, dict):
        return TypeDigits()
    known = cast("dict[str, Any]", data)
    return TypeDigits(fixed=_map(known.get("fixed")), learned=_map(known.get("learned")))


def _map(value: object) -> dict[str, ElementType]:
    if not isinstance(value, dict):
        return {}
    known = cast("Mapping[str, object]", value)
    kinds: dict[str, ElementType] = {str(kind): kind for kind in ELEMENT_TYPES}
    found: dict[str, ElementType] = {}
    for digit, name in known.items():
        kind = kinds.get(str(name))
        if digit in tuple(DIGITS) and kind is not None:
            found[digit] = kind
    return found


def save_digits(digits: TypeDigits, path: Path | None = None) -> None:
    """Keep the map.

    Raises:
        DemopackError: it cannot be written.
    """
    data = {"schema_version": 1, "fixed": dict(digits.fixed), "learned": dict(digits.learned)}
    file = path or digits_path()
    file.parent.mkdir(parents=True, exist_ok=True)
    write_text_atomic(file, json.dumps(data, indent=2) + "\n")
