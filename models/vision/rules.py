"""The rules that find, correct or decide something by pixels or by other finds, each by its name.

A rule is no model: it has no opinion of how sure it is of one find. Its confidence is a constant that places its finds
among those of the detector, so that one slider can sort them, or None for that of what the rule began with.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, get_args

from demopack.domain.elements import ElementSource, ElementType, Evidence, State
from demopack.domain.geometry import Rect
from models.vision.detection import Detection

RuleName = Literal[
    "mark_outline",
    "framed_control",
    "labelled_mark",
    "row_of_circles",
    "closed_shape",
    "code_editor",
    "joined_words",
    "scrollbar_part",
    "scrollbar_arrows",
    "scrollbar_thumb",
    "table_header",
    "lone_sign",
    "spin_button",
    "resize_corner",
]
"""Round or square, by the outline; a frame with the looks of a button or field; a small shape with a label behind it; a
circle beside others of its size; any other closed shape; lines on one grid of letters; words a space apart; buttons and
thumb of a scroll bar; a scroll bar between two arrows; one that is a thumb on a track; the header of a table and the
rows below it; a sign that is no letter; one of the two signs that count a number field up and down; a text area by
the handle in its corner."""
RULES: Final[tuple[RuleName, ...]] = get_args(RuleName)

Correction = Literal[
    "container_edges",
    "decoration",
    "flat_signs",
    "line_ends",
    "mark_separation",
    "frame_clipping",
    "stacked_boxes",
    "coloured_links",
    "control_words",
    "numbers_on_icons",
    "unread_lines",
    "mark_labels",
    "usual_states",
]
"""Windows and fields on the edges drawn around them; no icons between the words of a control; a flat sign, as that to
minimise a window, has the box of its ink; a line goes on to its last letter; no mark within a line; no line over the
edge of its frame; no box over several lines; coloured or underlined text is a link; detected lines in a control are its
words; no icon looks like a number; a line in which nothing could be read is trusted less; a mark has the text beside
it; states that could be told and nobody claims are "no"."""
CORRECTIONS: Final[tuple[Correction, ...]] = get_args(Correction)

Switches = frozenset[RuleName | Correction]
"""Rules that are switched off, to measure what they are worth (``python -m lab ablate``)."""

CONFIDENCE: Final[Mapping[RuleName, float | None]] = {
    # Measured on 361 marks of validation screens.
    "mark_outline": 0.98,
    "labelled_mark": 0.7,
    "framed_control": 0.6,
    "row_of_circles": 0.5,
    "closed_shape": 0.4,
    "code_editor": 0.6,
    "joined_words": None,  # of the surest word
    "scrollbar_part": None,  # of the bar
    "scrollbar_arrows": 0.9,
    "scrollbar_thumb": 0.8,
    "table_header": 0.7,
    "lone_sign": 0.4,
    "spin_button": 0.8,
    "resize_corner": 0.7,
}


def found_by_rule(
    rule: RuleName,
    *,
    type: ElementType,
    box: Rect,
    text: str | None = None,
    subtype: str | None = None,
    states: Mapping[State, bool] | None = None,
    begun_with: float | None = None,
    was_read: bool = False,
) -> Detection:
    """What a rule found, with its name in the evidence.

    Args:
        rule: which one.
        type: what it is, by the rule.
        box: pixels of the picture.
        text: what is written on it.
        subtype: for icons.
        states: what the rule saw.
        begun_with: the confidence of what the rule began with, for those rules that have none of their own.
        was_read: see ``Detection.was_read``.
    """
    own = CONFIDENCE[rule]
    sure = begun_with if own is None else own
    if sure is None:
        raise ValueError(f"the rule {rule} is as sure as what it began with, which is not told")
    said = Evidence(source="rule", rule=rule, type=type, box=box, text=text, confidence=round(sure, 4))
    return Detection(
        type=type,
        box=box,
        source="rule",
        confidence=sure,
        text=text,
        subtype=subtype,
        states=dict(states or {}),
        evidence=(said,),
        was_read=was_read,
    )


def outline(kind: ElementType, box: Rect) -> Evidence:
    """What the outline of a mark says: whether it is one to tick or a round button."""
    return Evidence(source="rule", rule="mark_outline", type=kind, box=box, confidence=CONFIDENCE["mark_outline"])


def is_outline(said: Evidence) -> bool:
    """Whether it is the outline of a mark that says so."""
    return said.source == "rule" and said.rule == "mark_outline"


def is_cornered(said: Evidence) -> bool:
    """Whether it is the handle in its corner that says so."""
    return said.source == "rule" and said.rule == "resize_corner"


def owns_box(said: Evidence, source: ElementSource) -> bool:
    """Whether a statement's box is one for the element, which ``source`` found.

    The words on a control lie in a box of their own, and the outline of a mark is not the control with its label.
    """
    return not is_outline(said) and (said.source != "ocr" or source == "ocr")
