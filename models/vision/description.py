"""What a describer says about one element, and the one text form of it: ``button focused=no disabled=no text=OK``.

What is short and what most depends on comes first, so that decoding can stop before the text:

    TYPE ["subtype=" WORD] {STATE "=" ("yes" | "no")} ["text=" everything to the end]

``nothing`` in place of a type means that no element stands there. A state that cannot be seen is left out. Printing is
strict, parsing is not: models make mistakes, and models from elsewhere speak CAAP's JSON. One bad answer is None, never
an error.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, cast

from demopack.domain.elements import ATTRIBUTES, ELEMENT_TYPES, STATES, ElementType, State
from demopack.domain.geometry import Rect, Size


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """What one box holds.

    Attributes:
        type: what it is; None when nothing that a person would point at stands there, so that the box is a false alarm.
        type_confidence: 0..1.
        subtype: for icons and shapes; None when it has none that is known.
        subtype_confidence: 0..1; 1 where there is no subtype to doubt.
        states: what could be seen, true or false; left out where it could not.
        state_confidence: 0..1 for each of the states.
        text: what is written on it; None when nothing is, or when this describer does not read.
        text_confidence: 0..1, of the least sure character.
    """

    type: ElementType | None
    type_confidence: float = 1.0
    subtype: str | None = None
    subtype_confidence: float = 1.0
    states: dict[State, bool] = field(default_factory=dict[State, bool])
    state_confidence: dict[State, float] = field(default_factory=dict[State, float])
    text: str | None = None
    text_confidence: float = 1.0

    def cleaned(self) -> Description:
        """The same without what its type cannot carry; white space in the text is single, no text is None."""
        if self.type is None:
            return Description(type=None, type_confidence=self.type_confidence)
        may = ATTRIBUTES[self.type]
        text = " ".join(self.text.split()) if self.text is not None and may.text else ""
        return replace(
            self,
            subtype=self.subtype if may.subtype else None,
            states={state: value for state, value in self.states.items() if state in may.states},
            state_confidence={state: value for state, value in self.state_confidence.items() if state in may.states},
            text=text or None,
        )


_AIR_SHARE: Final = 0.1
_AIR: Final = 2
"""How much wider than an icon the square is that tells about it: a share of the icon, and pixels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IconGuesses:
    """What one icon may mean.

    Attributes:
        name: what it means where the network is sure; None where it is not.
        likely: what it may mean and how likely that is, 0..1; the likeliest first.
    """

    name: str | None = None
    likely: tuple[tuple[str, float], ...] = ()


def icon_square(box: Rect, *, wider: float = 1.0) -> tuple[float, float, float]:
    """Left and top edge and side of the square around an icon, pixels; of one so many times wider."""
    side = wider * (max(box.width, box.height) * (1 + _AIR_SHARE) + _AIR)
    return (box.x1 + box.x2 - side) / 2, (box.y1 + box.y2 - side) / 2, side


def surroundings(box: Rect, size: Size) -> Rect:
    """The part of a picture that tells as much about an icon as the whole of it: what ``icons.cut_icons`` looks at.

    Args:
        box: the icon, in pixels of the picture.
        size: of the picture.
    """
    x, y, reach = icon_square(box)
    return Rect(math.floor(x), math.floor(y), math.ceil(x + reach), math.ceil(y + reach)).clamped(size)


NOTHING: Final = "nothing"
SUBTYPE: Final = "subtype="
TEXT: Final = "text="

_TRUE, _FALSE = frozenset({"yes", "true", "1"}), frozenset({"no", "false", "0"})
_NUMBERS: Final[dict[str, ElementType]] = {
    "1": "text", "2": "hyperlink", "3": "tabled_text", "11": "button", "12": "radio", "13": "checkbox",
    "20": "dropdown", "30": "input_field", "31": "text_area", "32": "resize_handle", "40": "scrollbar", "50": "icon",
    "51": "shape", "99": "draggable_text",
}  # fmt: skip
"""The class numbers of CAAP's code."""
_SYNONYMS: Final[dict[str, ElementType]] = {"scrollbar_v": "scrollbar", "scrollbar_h": "scrollbar", "link": "hyperlink"}
TYPE_WORDS: Final[Mapping[str, ElementType]] = {name: name for name in ELEMENT_TYPES}
_TYPES: Final[Mapping[str, ElementType]] = {**_NUMBERS, **_SYNONYMS, **TYPE_WORDS}
_PAIR = re.compile(r"""(['"])(\w+)\1\s*:\s*(?:"((?:[^"\\]|\\.)*)"?|'((?:[^'\\]|\\.)*)'?|([\w.+-]+))""")
_FIELD = re.compile(r"(\w+)\s*=\s*(\S+)")
_WRITTEN = re.compile(r"(?:^|\s)text\s*=", re.IGNORECASE)


def state_word(state: State, value: bool) -> str:  # noqa: FBT001 - the value of a state
    """``checked=yes``."""
    return f"{state}={'yes' if value else 'no'}"


def clean_subtype(word: str) -> str:
    """A subtype as it is written: one lower-case word of letters, digits, ``_`` and ``-``; may be empty."""
    return re.sub(r"[^a-z0-9_-]+", "_", word.strip().lower()).strip("_")


def print_description(description: Description) -> str:
    """The text that a model is taught to answer with; confidences are no part of it."""
    known = description.cleaned()
    if known.type is None:
        return NOTHING
    parts: list[str] = [known.type]
    if known.subtype and (word := clean_subtype(known.subtype)):
        parts.append(SUBTYPE + word)
    parts += [state_word(state, known.states[state]) for state in STATES if state in known.states]
    if known.text:
        parts.append(TEXT + known.text)
    return " ".join(parts)


def parse_description(answer: str) -> Description | None:
    """What an answer says, without what its type cannot carry; None when it names no type.

    Unknown words are passed over, of doubled fields the first counts, a field that was cut off is left out.
    """
    answer = answer.strip()
    if answer.startswith(("{", "[")):
        return _described(_json_fields(answer))
    # The text may hold anything, so it is cut off before the rest is looked at.
    written = _WRITTEN.search(answer)
    head = answer[: written.start()] if written else answer
    fields = [(match[1].lower(), match[2]) for match in _FIELD.finditer(head)]
    if "type" not in dict(fields):
        word = re.split(r"\s+\w+\s*=", head, maxsplit=1)[0]
        fields.append(("type", word))
    if written:
        fields.append(("text", answer[written.end() :]))
    return _described(fields)


def _described(fields: Iterable[tuple[str, str]]) -> Description | None:
    first: dict[str, str] = {}
    for name, value in fields:
        first.setdefault(name, value)
    name = re.sub(r"[\s-]+", "_", first.get("type", "").strip().lower())
    if name == NOTHING:
        return Description(type=None)
    # "button OK": the type is the first word that is one.
    kind = _TYPES.get(name) or (TYPE_WORDS.get(name.split("_", 1)[0]) if "_" in name else None)
    if kind is None:
        return None
    states: dict[State, bool] = {}
    for state in STATES:
        value = first.get(state, "").strip().lower()
        if value in _TRUE or value in _FALSE:
            states[state] = value in _TRUE
    subtype = clean_subtype(first.get("subtype", "")) or None
    return Description(type=kind, subtype=subtype, states=states, text=first.get("text")).cleaned()


def _json_fields(answer: str) -> list[tuple[str, str]]:
    """The fields of a JSON object, also of one that was cut off or printed with Python's quotes."""
    try:
        data: Any = json.loads(answer)
    except (ValueError, RecursionError):
        pairs = ((match[2].lower(), match[3] or match[4] or match[5] or "") for match in _PAIR.finditer(answer))
        return [(name, re.sub(r"\\(.)", r"\1", value)) for name, value in pairs]
    if isinstance(data, list):
        data = next(iter(cast("Sequence[Any]", data)), None)
    if not isinstance(data, dict):
        return []
    fields = cast("dict[str, Any]", data).items()
    return [(name.lower(), str(value)) for name, value in fields if isinstance(value, (str, int, float))]
