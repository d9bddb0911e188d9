"""Which words an element has, of those that a program reported and those that were read in their place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Final

from demopack.domain.elements import Element, ElementType
from demopack.domain.geometry import Rect
from demopack.domain.text_likeness import edit_distance, label_likeness, letters_in, ratio
from models.vision.reports.elements import ReportedElement
from models.vision.reports.placing import LEAST_LETTERS

ALIKE: Final = 0.76
"""Likeness from which on two labels are the same, one of them perhaps read amiss."""
_CONTRADICTED: Final = 0.4
"""Share of letters in common below which a label and what was surely read in its place are two texts."""
_SEVERAL: Final = 2
_MOST_SAME: Final = 0.8
FIRST_ALIKE: Final = 0.7
"""Share of letters in common from which on one is what the other begins with."""
_ARROW_LETTERS: Final = 2
_FIELDS: Final[frozenset[ElementType]] = frozenset({"input_field", "text_area"})
_CARET_EDITS: Final = 2
"""A caret before a letter makes another of the two."""
_LINES_SAME: Final = 0.8
"""Share of the letters of a text of several lines that must have been read in them, in this order."""
_LETTERS_OFF: Final = 1
"""Letters at the end of a line that may have been read amiss."""
_UNIT: Final = re.compile(r"(?<=\S) +[^\W\d_a-zA-Z]$")
"""A lone letter that is no unit: the arrows of a spinner, as they are read."""


def without_caret(elements: Sequence[Element], seen: dict[Rect, str]) -> list[Element]:
    """The elements, placeholders of fields with the input as they were read while these did not have it.

    A caret that stands before a placeholder is read as a letter of it.

    Args:
        elements: of one frame.
        seen: placeholders that were read without a caret, by the box of their field; those of this frame are added.
    """
    steady: list[Element] = []
    for one in elements:
        shown, known = one.placeholder or "", seen.get(one.box)
        if shown and not one.states.get("focused"):
            seen[one.box] = shown
        elif shown and known and edit_distance(shown, known, limit=_CARET_EDITS) <= _CARET_EDITS:
            one = one.but(placeholder=known)
        steady.append(one)
    return steady


def differs(name: str, read: str) -> bool:
    """Whether two labels are plainly different, both long enough to tell."""
    own, other = letters_in(name), letters_in(read)
    return min(len(own), len(other)) >= LEAST_LETTERS and ratio(own, other) < _CONTRADICTED


def says_the_same(told: str, read: Sequence[str]) -> bool:
    """Whether several words were read of a row, nearly all of them its own, and no other numbers."""
    ours, theirs = (
        [word for one in text.split() if len(word := letters_in(one)) >= LEAST_LETTERS]
        for text in (told, " ".join(read))
    )
    # Words may be joined where they were told, by a line or a colon.
    same = sum(any(word in other or ratio(word, other) >= ALIKE for other in ours) for word in theirs)
    known, numbers = (re.findall("[0-9]+", text) for text in (told, " ".join(read)))
    is_known = all(number in known for number in numbers[:-1])
    is_known = is_known and all(
        any(one.startswith(last) for one in known) for last in numbers[-1:]
    )  # it may be cut off
    return is_known and len(theirs) >= _SEVERAL and same >= _MOST_SAME * len(theirs)


def is_other_row(told: str, read: Sequence[str]) -> bool:
    """Whether a row says plainly something else than was told: its first words are none of it, or hardly one word is.

    Args:
        told: the text of the row.
        read: its lines, from left to right.
    """
    words = [word for one in told.split() if (word := letters_in(one))]
    first, several = letters_in(read[0]), [word for one in " ".join(read).split() if (word := letters_in(one))]
    if min(len(words), len(several)) < _SEVERAL:
        return False
    ours, theirs = ([word for word in some if len(word) >= LEAST_LETTERS] for some in (words, several))
    same = sum(any(ratio(word, other) >= ALIKE for other in theirs) for word in ours)
    starts = ("".join(words[place:])[: len(first)] for place in range(len(words)))
    is_other = len(first) > LEAST_LETTERS and all(ratio(first, start) < FIRST_ALIKE for start in starts)
    return is_other or same < _CONTRADICTED * min(len(ours), len(theirs))


def told_lines(told: str, read: Sequence[Element]) -> list[tuple[Element, Rect, str]] | None:
    """What of a text of several lines stands on each line that was read, and where; None where it is another text.

    A line may begin or end with other words, as that of a link in a sentence: its letters say where.

    Args:
        told: the text as it was reported.
        read: the lines from top to bottom.

    Returns:
        Each line with a part of the text, where that part is on the screen, and its words as they were reported.
    """
    whole = "\n".join(one.text or "" for one in read)
    blocks = SequenceMatcher(None, told, whole, autojunk=False).get_matching_blocks()
    if sum(block.size for block in blocks) < _LINES_SAME * len("".join(told.split())):
        return None
    found: list[_ToldLine] = []
    start = 0
    for line in read:
        end = start + len(line.text or "")
        same = [block for block in blocks if block.b < end and start < block.b + block.size]
        if same:
            first, last = max(start, same[0].b), min(end, same[-1].b + same[-1].size)
            told_first, told_end = first - same[0].b + same[0].a, last - same[-1].b + same[-1].a
            found.append(_ToldLine(line, first - start, last - start, told_first, told_end))
        start = end + 1
    breaks = [_space_near(told, (one.told_end + other.told_first) // 2) for one, other in pairwise(found)]
    words = [told[a:b].strip() for a, b in pairwise([0, *breaks, len(told)])]
    return [(one.line, one.box, said) for one, said in zip(found, words, strict=True) if said]


@dataclass(frozen=True, slots=True)
class _ToldLine:
    """A line that was read, which of its letters are those of a text, and which of the text's these are."""

    line: Element
    first: int
    end: int
    told_first: int
    told_end: int

    @property
    def box(self) -> Rect:
        """Where these letters are, taken to be as wide as each other; all of the line where hardly one is left."""
        box, letters = self.line.box, len(self.line.text or "")
        x1 = box.x1 if self.first <= _LETTERS_OFF else box.x1 + box.width * self.first // letters
        x2 = box.x2 if letters - self.end <= _LETTERS_OFF else box.x1 + box.width * self.end // letters
        return Rect(x1, box.y1, x2, box.y2)


def _space_near(text: str, place: int) -> int:
    """Where the space is that is nearest to a place in a text; the place itself where there is none."""
    spaces = [at for at, letter in enumerate(text) if letter.isspace()]
    return min(spaces, key=lambda at: abs(at - place), default=place)


def content_of(one: ReportedElement, read: str) -> tuple[str, str]:
    """The text of a control and its placeholder, from what was reported and what was read."""
    if one.secure:
        return "", ""
    if one.is_filled:
        return read, ""
    if one.is_written and not one.text and one.name and label_likeness(one.name, read):
        return one.name, ""  # Qt calls some lists that can be written in by what is written there
    if one.type in _FIELDS or (one.is_written and not one.text):
        arrow = one.type == "dropdown" and len(letters_in(read)) <= 1  # it is read as a letter, too
        hint = "" if one.text else one.placeholder or ("" if arrow else read)
        return (read if _same_numbers(read, one.text) else one.text), hint
    if one.type == "dropdown":
        for said in (one.text, one.name):
            if (
                said
                and not said.endswith(":")
                and (not read or label_likeness(said, read) or _is_with_arrow(read, said))
            ):
                return said, ""  # an arrow is read as a letter, too
        return read or one.text, ""
    if one.type == "spinner":
        read = _UNIT.split(read)[0]
        return (read if _number(read) is not None and _number(read) == _number(one.text) else one.text), ""
    if one.type in {"slider", "toolbar", "scrollbar"}:
        return "", ""
    return one.name or one.text or read, ""


def _is_with_arrow(read: str, said: str) -> bool:
    """Whether what was read of a list is its words and an arrow, as a letter or two; else it shows more than that."""
    own, other = letters_in(read), letters_in(said)
    return own.startswith(other) and len(own) - len(other) <= _ARROW_LETTERS


def _same_numbers(read: str, text: str) -> bool:
    """Whether both are the same numbers and nothing else, as a date that is drawn with more zeros."""
    parts = [[int(part) for part in re.findall("[0-9]{1,9}", one)] for one in (read, text)]
    return len(parts[0]) > 1 and parts[0] == parts[1] and not any(letter.isalpha() for letter in read + text)


def _number(text: str) -> float | None:
    try:
        return float(text.replace(",", ".").replace("\N{MINUS SIGN}", "-").split()[0])
    except (ValueError, IndexError):
        return None
