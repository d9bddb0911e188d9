"""Statements of each source about an element, and the fields in which the element says something else by now."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Final, Literal

from annotator.commands import as_suggested
from annotator.step_words import type_word
from annotator.suggestions.confidence_filter import ORIGINS, Origin, SuggestionCounts
from annotator.words import tr
from demopack.domain.elements import ATTRIBUTES, Element, ElementSource, Evidence
from demopack.domain.frames import Frame
from demopack.domain.geometry import iou
from demopack.domain.steps import AccessibleElement, Step
from demopack.domain.text_likeness import letters_in
from demopack.domain.words import shorten
from models.vision.fusion import LINE_TYPES
from models.vision.reports.pointed import box_on_frame
from models.vision.rules import owns_box

Field = Literal["type", "text", "box"]
FIELDS: Final[tuple[Field, ...]] = ("type", "text", "box")

_SAME_BOX_IOU = 0.75
"""Boxes that overlap more (IoU) are the same to the eye."""
_MIN_CONFIDENCE = 0.6
"""A source that is less sure has no say against the others; what it said can still be taken."""
_SAME_PLACE = 0.5
"""Overlap (IoU) from which accessibility told about this element."""


def statements(element: Element) -> tuple[Evidence, ...]:
    """What each source said, in the order in which they were asked; empty for what a person drew."""
    return () if element.source == "human" and not element.evidence else as_suggested(element)


def disputed(element: Element) -> tuple[Field, ...]:
    """The fields about which a source that is rather sure says something else than the element.

    Nothing is in dispute once a person has reviewed the element, and which kind of text a line is, is not worth a mark.
    """
    if element.review != "unreviewed" or not element.evidence:
        return ()
    found: set[Field] = set()
    for one in element.evidence:
        if one.confidence is None or one.confidence >= _MIN_CONFIDENCE:
            lines = {one.type, element.type} <= LINE_TYPES
            found.update(field for field in differing_fields(element, one) if field != "type" or not lines)
    return tuple(field for field in FIELDS if field in found)


def accessible_element(element: Element, frame: Frame, steps: Iterable[Step]) -> AccessibleElement | None:
    """What accessibility told about an element when a step began on its frame; the last word counts."""
    best: AccessibleElement | None = None
    for step in steps:
        if step.before is None or step.before.id != frame.id:
            continue
        for told in (step.focused, step.pointed):
            box = None if told is None else box_on_frame(told, frame)
            if box is not None and iou(box, element.box) >= _SAME_PLACE:
                best = told
    return best


def differing_fields(element: Element, said: Evidence) -> tuple[Field, ...]:
    """The fields in which an element says something else than one of its sources."""
    found: list[Field] = []
    if said.type not in {None, "other", element.type}:
        found.append("type")
    if said.text and ATTRIBUTES[element.type].text and letters_in(said.text) != letters_in(element.text):
        found.append("text")
    if said.box is not None and owns_box(said, element.source) and iou(said.box, element.box) < _SAME_BOX_IOU:
        found.append("box")
    return tuple(found)


SOURCE_NAMES: Final[Mapping[ElementSource, str]] = {
    "ocr": "OCR",
    "detector": tr("Detector"),
    "describer": tr("Describer"),
    "accessibility": tr("Accessibility"),
    "human": tr("Person"),
    "rule": tr("Rule"),
    "propagated": tr("Carried over"),
}
ORIGIN_NAMES: Final[Mapping[Origin, str]] = {origin: SOURCE_NAMES[origin] for origin in ORIGINS}
RULE_NAMES: Final[Mapping[str, str]] = {
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
    "scrollbar_arrows": tr("scroll bar between two arrows"),
    "scrollbar_thumb": tr("scroll bar with a thumb"),
    "table_header": tr("table with a header"),
    "close_cross": tr("cross at the end of a tab"),
    "lone_sign": tr("sign that is no letter"),
    "spin_button": tr("sign that counts a number up or down"),
    "resize_corner": tr("handle in a corner of a text area"),
}
FIELD_NAMES: Final[Mapping[Field, str]] = {"type": tr("Type"), "text": tr("Text"), "box": tr("Box")}


def source_words(evidence: Evidence) -> str:
    """Who said it, and how sure that is; of a rule its name instead, because its confidence is always the same."""
    name = SOURCE_NAMES[evidence.source]
    if evidence.source == "rule":
        rule = RULE_NAMES.get(evidence.rule or "", evidence.rule)
        return f"{name}: {rule}" if rule else name
    return name if evidence.confidence is None else f"{name} {evidence.confidence:.2f}"


def count_words(counts: SuggestionCounts) -> str:
    """How many suggestions are shown, of how many."""
    if not counts.suggestions:
        return tr("None left")
    if counts.shown == counts.suggestions:
        return tr("{suggestions} shown").format(suggestions=counts.suggestions)
    return tr("{shown} of {suggestions} shown").format(shown=counts.shown, suggestions=counts.suggestions)


def field_words(evidence: Evidence, field: Field) -> str:
    """What a source said about one field."""
    if field == "type":
        return type_word(evidence.type or "")
    if field == "text":
        return f"“{shorten(evidence.text or '', 60)}”"
    if (box := evidence.box) is None:
        return ""
    return tr("{width} x {height} at {x}, {y}").format(width=box.width, height=box.height, x=box.x1, y=box.y1)


def statement_words(evidence: Evidence, *, without: Collection[Field] = ()) -> str:
    """What a source said, in one line, some fields left out; empty where it said nothing else."""
    told: list[Field] = [name for name in FIELDS if name not in without and getattr(evidence, name) is not None]
    return ", ".join(field_words(evidence, name) for name in told)


def role_words(told: AccessibleElement) -> str:
    """How the program itself calls an element."""
    if told.name:
        return tr("The program calls it {role} “{name}”").format(role=told.role, name=shorten(told.name, 60))
    return tr("The program calls it {role}, without a name").format(role=told.role)
