"""Suggestions and their sources in the user's words."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from annotator.suggestions.sieve import Counts, Origin
from annotator.suggestions.statements import FIELDS, Field
from annotator.type_words import type_word
from annotator.words import tr
from demopack.domain.elements import ElementSource, Evidence
from demopack.domain.geometry import Rect
from demopack.domain.steps import AccessibleElement
from demopack.domain.words import shorten
from models.vision.rules import RuleName

__all__ = [
    "FIELD_NAMES",
    "ORIGIN_NAMES",
    "RULE_NAMES",
    "SOURCE_NAMES",
    "count_words",
    "field_words",
    "role_words",
    "said_words",
    "source_words",
]

SOURCE_NAMES: Final[Mapping[ElementSource, str]] = {
    "ocr": "OCR",
    "detector": tr("Detector"),
    "describer": tr("Describer"),
    "accessibility": tr("Accessibility"),
    "human": tr("Person"),
    "rule": tr("Rule"),
    "propagated": tr("Carried over"),
}
ORIGIN_NAMES: Final[Mapping[Origin, str]] = {
    "ocr": "OCR",
    "detector": tr("Detector"),
    "rule": tr("Rule"),
    "accessibility": tr("Accessibility"),
    "propagated": tr("Carried over"),
    "human": tr("Person"),
}
RULE_NAMES: Final[Mapping[RuleName, str]] = {
    "mark_outline": tr("outline, round or square"),
    "framed_control": tr("frame with words in it"),
    "labelled_mark": tr("small shape before a label"),
    "row_of_circles": tr("circles in a row"),
    "closed_shape": tr("closed shape"),
    "text_block": tr("lines of a text"),
    "list_rows": tr("evenly spaced rows"),
    "code_editor": tr("lines on a grid of letters"),
    "joined_words": tr("words a space apart"),
    "scrollbar_part": tr("part of a scroll bar"),
    "close_cross": tr("cross at the end of a tab"),
    "lone_sign": tr("sign that is no letter"),
}
FIELD_NAMES: Final[Mapping[Field, str]] = {"type": tr("Type"), "text": tr("Text"), "box": tr("Box")}


def source_words(evidence: Evidence) -> str:
    """Who said it, and how sure that is; of a rule its name instead, because its confidence is always the same."""
    name = SOURCE_NAMES[evidence.source]
    if evidence.source == "rule":
        rule = next((words for known, words in RULE_NAMES.items() if known == evidence.rule), evidence.rule)
        return f"{name}: {rule}" if rule else name
    return name if evidence.confidence is None else f"{name} {evidence.confidence:.2f}"


def count_words(counts: Counts) -> str:
    """How many suggestions are shown, of how many."""
    if not counts.suggestions:
        return tr("None left")
    if counts.shown == counts.suggestions:
        return tr("{suggestions} shown").format(suggestions=counts.suggestions)
    return tr("{shown} of {suggestions} shown").format(shown=counts.shown, suggestions=counts.suggestions)


def box_words(box: Rect) -> str:
    """Size and place, in pixels."""
    return tr("{width} x {height} at {x}, {y}").format(width=box.width, height=box.height, x=box.x1, y=box.y1)


def field_words(evidence: Evidence, field: Field) -> str:
    """What a source said about one field."""
    if field == "type":
        return type_word(evidence.type or "")
    if field == "text":
        return f"“{shorten(evidence.text or '', 60)}”"
    return "" if evidence.box is None else box_words(evidence.box)


def said_words(evidence: Evidence, *, without: Collection[Field] = ()) -> str:
    """What a source said, in one line, some fields left out; empty where it said nothing else."""
    values: dict[Field, object] = {"type": evidence.type, "text": evidence.text, "box": evidence.box}
    told = [field_words(evidence, name) for name in FIELDS if values[name] is not None and name not in without]
    return ", ".join(told)


def role_words(told: AccessibleElement) -> str:
    """How the program itself calls an element."""
    if told.name:
        return tr("The program calls it {role} “{name}”").format(role=told.role, name=shorten(told.name, 60))
    return tr("The program calls it {role}, without a name").format(role=told.role)
