"""Joins what was detected, read and described into one list of elements, and keeps who said what.

Text inside a control that owns its text (a button, a field) becomes that control's text and is no element itself, so
that a click on the words of a button binds to the button. A detected line of text takes the box of its ink and the
words that were read there. A box to tick takes the text of its label, and in the end its box (:func:`with_labels`): a
click on it is a click on the control. Where sources disagree the element says what the likelier one says, and keeps the
rest as evidence.
"""

from __future__ import annotations

import dataclasses
import unicodedata
from collections.abc import Mapping, Sequence
from functools import reduce

from pydantic import BaseModel, ConfigDict

from demopack.domain.elements import ATTRIBUTES, ELEMENT_TYPES, STATES, ElementType, Evidence, State
from demopack.domain.geometry import Rect, iou
from demopack.domain.marks import MARKS, label_box, labels_beside, owned_labels
from demopack.domain.text_likeness import letters_in
from models.vision.description import Description
from models.vision.detection import Detection
from models.vision.rules import Switches, is_cornered, is_outline

LINE_TYPES: frozenset[ElementType] = frozenset({"text", "hyperlink", "tabled_text", "draggable_text"})
"""Types that are one line of text and nothing else."""
ROWS: frozenset[ElementType] = frozenset({"list_item", "tree_item"})
"""Types that own their text only where it is one label."""
CONTROLS: frozenset[ElementType] = frozenset(
    {"button", "tab", "menu", "menu_item", "dropdown", "input_field", "text_area", "spinner"}
)
"""Types whose words are no elements of their own."""
OWNS_TEXT: frozenset[ElementType] = LINE_TYPES | ROWS | CONTROLS
PARTS: frozenset[ElementType] = frozenset(kind for kind in ELEMENT_TYPES if kind.startswith("scrollbar_"))
"""Parts of a scroll bar: they come from its pixels alone."""
ROUND_OR_SQUARE: frozenset[ElementType] = frozenset({"checkbox", "radio"})
"""Marks that their outlines tell apart."""
_INSIDE_SHARE = 0.75
"""Share of a line that must lie in a control to be its text."""
_DUPLICATE_IOU = 0.7
"""Detections that overlap more (IoU) are one thing."""
_UNREAD_FACTOR = 0.5
"""What is left of the confidence in a line of text in which nothing could be read."""
_MIN_NUMBER_CONFIDENCE = 0.9
"""A number that was read so surely on an icon is text."""
_MIN_SHORT_CONFIDENCE = 0.98
"""The same for two letters."""
_SPINNER_SIGNS = " +-|_\N{MINUS SIGN}\N{EM DASH}\N{EN DASH}\u4e00\u5341"
"""As the minus and the plus of a number field are read; the last two are Chinese."""
_MIN_LINE_CONFIDENCE = 0.25
"""A detected line with less is none: nothing could be read in it, and the detector was not sure either."""
_MIN_SIGN_PX = 10
"""Pixels of the smallest icon or mark for the pointer."""
_SELDOM_SEEN: Mapping[ElementType, frozenset[State]] = {
    "button": frozenset({"checked", "expanded"}),
    "icon": frozenset({"checked"}),
    "list_item": frozenset({"checked"}),
    "menu_item": frozenset({"checked", "expanded"}),
    "tree_item": frozenset({"checked", "expanded"}),
    "dialog": frozenset({"focused"}),
    "other": frozenset(STATES),
}
"""States that most elements of a type do not show at all: left out unless the describer tells them. All others could be
told on at least 97 of 100 elements of the training screens, and are "no" where it is unsure."""
_SURELY_READ, _WORD_LETTERS = 0.8, 3
"""Confidence and letters of a word that is no picture."""
_DISAGREE_FACTOR = 0.8
"""What is left of the confidence where the describer sees another type, and is not believed or it was only read."""


class Rules(BaseModel):
    """Who is believed; measured on held-out screens and stated among the ``options`` of the describer's card.

    Attributes:
        type_at: the describer's type wins from this confidence on.
        read_at: the same for what was only read.
        nothing_at: an element that the describer takes for nothing is dropped from this confidence on, unless it was
            read; below it is only trusted less.
        subtype_at: least confidence of a subtype.
        state_at: least confidence of a state; below it is left out.
        yes_at: least confidence of a state that is said to hold; below it does not. Rare states are learned more often
            than they are seen, so a bare majority claims too many.
        text_at: least confidence of the describer's text, where it is meant to read.
        without: rules that are switched off.
    """

    model_config = ConfigDict(frozen=True)

    type_at: float = 0.85
    read_at: float = 0.7
    nothing_at: float = 0.8
    subtype_at: float = 0.5
    state_at: float = 0.5
    yes_at: float = 0.8
    text_at: float = 0.8
    without: Switches = frozenset()


def fuse(
    lines: Sequence[Detection], detections: Sequence[Detection], *, without: Switches = frozenset()
) -> list[Detection]:
    """Every detection with the text inside it, and every line and sign that belongs to none.

    Args:
        lines: text that was read, type ``text``, and signs among it, type ``icon``.
        detections: elements that were detected; their own text, if any, is kept where nothing was read inside.
        without: rules that are switched off.
    """
    kept = _without_doubles(detections)
    if "control_words" not in without:
        kept = _without_words(kept)
    inside: dict[int, list[Detection]] = {}
    free: list[Detection] = []
    for line in lines:
        if line.type == "icon":
            # A sign on something that was detected is that thing, or a part of it.
            around = [one for one in kept if line.box.share_in(one.box) >= _INSIDE_SHARE]
            part = any(one.type in OWNS_TEXT | MARKS or one.box.area <= 6 * line.box.area for one in around)
            free += [] if part else [line]
            continue
        owner = _owner(line, kept)
        if owner is None:
            free.append(line)
        else:
            inside.setdefault(owner, []).append(line)
    result: list[Detection] = []
    for i, found in enumerate(kept):
        own = inside.get(i, [])
        if found.type in LINE_TYPES:
            # A part of a line that was read in another detection, or in none, says nothing of its own, nor does a line
            # whose words are those of controls.
            others = [(found.box.share_in(line.box), line.box.share_in(found.box)) for line in lines]
            covered = not own and any(max(shares) >= _INSIDE_SHARE for shares in others)
            result += [] if covered else _lines(found, own, without)
        elif found.type in ROWS and (
            len(own) > 1 or any(line.type == "hyperlink" for line in own) or _holds_lines(found, kept)
        ):
            result += [found, *own]
        elif found.type in CONTROLS and sum(line.type == "hyperlink" for line in own) > 1:
            # A region of a page, and no control: each of its links can be clicked.
            result += own
        else:
            result.append(_with_text(found, own, without))
    result += free
    return result if "mark_labels" in without else _labelled(result)


def _without_doubles(detections: Sequence[Detection]) -> list[Detection]:
    """The detections, of two that overlap too much the surer one; a type says more than ``other``."""
    kept: list[Detection] = []
    for found in sorted(detections, key=lambda f: (f.type == "other", -f.confidence, f.box.y1, f.box.x1)):
        if all(iou(found.box, other.box) <= _DUPLICATE_IOU for other in kept):
            kept.append(found)
    return kept


def _without_words(detections: Sequence[Detection]) -> list[Detection]:
    """The detections without the lines that are the words of a control, or the only line of a row."""
    words = [one for one in detections if one.type in LINE_TYPES]
    spoken: set[int] = set()
    for control in detections:
        if control.type in CONTROLS | ROWS:
            inside = [id(word) for word in words if word.box.share_in(control.box) >= _INSIDE_SHARE]
            if control.type in CONTROLS or len(inside) == 1:
                spoken.update(inside)
    return [one for one in detections if id(one) not in spoken]


def _holds_lines(row: Detection, detections: Sequence[Detection]) -> bool:
    """Whether lines were detected in a row of a table: then what else was read there is a cell, and not its label."""
    return row.source == "rule" and any(
        one.type in LINE_TYPES and one.box.share_in(row.box) >= _INSIDE_SHARE for one in detections
    )


def _owner(line: Detection, detections: Sequence[Detection]) -> int | None:
    """The smallest detection around a line, if it is one that owns its text, or an icon that was taken for letters."""
    around = [i for i, one in enumerate(detections) if line.box.share_in(one.box) >= _INSIDE_SHARE]
    if not around:
        return None
    smallest = min(around, key=lambda i: detections[i].box.area)
    found = detections[smallest]
    if found.type == "icon" and len(line.text or "") <= 2 and found.box.area <= 6 * line.box.area:
        return smallest
    return smallest if found.type in OWNS_TEXT else None


def _said_by(found: Detection) -> Evidence:
    """What one source said, as evidence."""
    # Letters say nothing of what they stand on, but the pixels of a link do.
    kind = None if found.source == "ocr" and found.type != "hyperlink" else found.type
    sure = round(found.confidence, 4)
    return Evidence(source=found.source, type=kind, box=found.box, text=found.text, confidence=sure)


def evidence_of(found: Detection) -> tuple[Evidence, ...]:
    """What was said about a find; where nothing was joined yet, by its own source."""
    return found.evidence or (_said_by(found),)


def _lines(found: Detection, lines: Sequence[Detection], without: Switches) -> list[Detection]:
    """A detected line as the lines that were read in it; more than one where it had joined neighbours."""
    if not lines:
        if "unread_lines" in without:
            return [found]
        left = found.confidence if found.text else found.confidence * _UNREAD_FACTOR
        return [dataclasses.replace(found, confidence=left)] if left >= _MIN_LINE_CONFIDENCE else []
    return [
        dataclasses.replace(
            found,
            # What is coloured beside plain words is a link, though the whole line was taken for text.
            type=line.type if found.type in ("text", "tabled_text") and line.type != "text" else found.type,
            box=line.box,
            text=line.text,
            evidence=(*evidence_of(found), _said_by(line)),
        )
        for line in lines
    ]


def _with_text(found: Detection, lines: Sequence[Detection], without: Switches) -> Detection:
    if not lines:
        return found
    ordered = in_reading_order(lines)
    text = " ".join(line.text for line in ordered if line.text)
    if not text:
        return found
    box = reduce(Rect.union, [line.box for line in ordered])
    sure = min(line.confidence for line in ordered)
    read = Evidence(source="ocr", box=box, text=text, confidence=round(sure, 4))
    # No icon looks like a number: the day of a calendar, a page, the title of a tab.
    is_number = found.type == "icon" and _is_sure(text, sure)
    kind = "text" if is_number and "numbers_on_icons" not in without else found.type
    return dataclasses.replace(found, type=kind, text=text, evidence=(*evidence_of(found), read))


def runs_leftwards(text: str) -> bool:
    """Whether a text is read from the right: most of its letters are Arabic, Hebrew or the like."""
    kinds = [unicodedata.bidirectional(letter) for letter in text if letter.isalpha()]
    return 2 * sum(kind in ("R", "AL") for kind in kinds) > len(kinds)


def in_reading_order(lines: Sequence[Detection]) -> list[Detection]:
    """Lines as they are read: from the top, those of one row from the left, or from the right in Arabic and Hebrew."""
    leftwards = runs_leftwards("".join(line.text or "" for line in lines))
    ordered: list[Detection] = []
    for line in sorted(lines, key=lambda one: one.box.center.y):
        place = len(ordered)
        while place:
            last = ordered[place - 1].box
            if (last.x2 >= line.box.x2) if leftwards else (last.x1 <= line.box.x1):
                break
            if min(last.y2, line.box.y2) - max(last.y1, line.box.y1) <= 0.5 * min(last.height, line.box.height):
                break
            place -= 1
        ordered.insert(place, line)
    return ordered


def label_of(mark: Rect, lines: Sequence[Detection], *, reach: float | None = None) -> Detection | None:
    """The line that labels a box to tick or a round button: at most so many pixels behind it, at its height."""
    place = label_box(mark, [line.box for line in lines], reach=reach)
    return None if place is None else lines[place]


def with_labels(elements: Sequence[Detection]) -> list[Detection]:
    """The elements, boxes to tick and their labels as one; the label's line is no element of its own any more."""
    owned = owned_labels(elements)
    whole = {
        mark: dataclasses.replace(
            elements[mark],
            box=reduce(Rect.union, [elements[line].box for line in label], elements[mark].box),
            mark_box=elements[mark].box,
            evidence=(*evidence_of(elements[mark]), *(said for line in label for said in evidence_of(elements[line]))),
        )
        for mark, label in owned.items()
    }
    lines = {line for label in owned.values() for line in label}
    return [whole.get(i, one) for i, one in enumerate(elements) if i not in lines]


def _labelled(elements: Sequence[Detection]) -> list[Detection]:
    """The elements, boxes to tick with the text beside them."""
    lines = [one for one in elements if one.type in LINE_TYPES - {"tabled_text"} and one.text]
    marks = [i for i, one in enumerate(elements) if one.type in MARKS]
    found = list(elements)
    for place, label in labels_beside([elements[i] for i in marks], lines).items():
        words = " ".join(lines[line].text or "" for line in label)
        found[marks[place]] = dataclasses.replace(elements[marks[place]], text=words)
    return found


def describe_all(
    elements: Sequence[Detection], descriptions: Sequence[Description | None], *, rules: Rules, reads: bool
) -> list[Detection]:
    """The elements as the describer sees them; those it says nothing about stay as they are.

    Args:
        elements: what was fused.
        descriptions: one for each of them.
        rules: who is believed.
        reads: whether the describer's texts count; else they are only kept as evidence.
    """
    result: list[Detection] = []
    for found, said in zip(elements, descriptions, strict=True):
        if said is None:
            result.append(found)
        elif said.type is None:
            # The describer takes it for nothing.
            was_read = any(one.source == "ocr" and one.text for one in evidence_of(found))
            if said.type_confidence < rules.nothing_at or was_read:
                left = found.confidence * (1 - 0.5 * said.type_confidence)
                result.append(dataclasses.replace(found, confidence=left))
        else:
            result.append(_described(found, said, said.type, rules=rules, reads=reads))
    return result


def _without_signs(text: str | None) -> str | None:
    """The number of a field without the minus and the plus behind it, which are read as letters of some script."""
    number = (text or "").rstrip(_SPINNER_SIGNS)
    return number if any(letter.isdecimal() for letter in number) else text


def _is_word(found: Detection) -> bool:
    """Whether a word or a number was surely read in it."""
    read = [(one.text or "", one.confidence or 0.0) for one in evidence_of(found) if one.source == "ocr"]
    return any(
        (sure >= _SURELY_READ and len(letters_in(text)) >= _WORD_LETTERS) or _is_sure(text, sure) for text, sure in read
    )


def _is_sure(text: str, sure: float) -> bool:
    """Whether a short text was read so surely that it is no icon: a number, or two plain letters and more."""
    if text.removeprefix("-").isdecimal() and sure >= _MIN_NUMBER_CONFIDENCE:
        return True
    return len(text) > 1 and text.isascii() and text.isalnum() and sure >= _MIN_SHORT_CONFIDENCE


def _is_bullet(found: Detection, kind: ElementType) -> bool:
    """Whether a sign that was read is too slim for the mark or icon that it is taken for: a bullet, a colon."""
    small = min(found.box.width, found.box.height) < _MIN_SIGN_PX
    return found.was_read and small and (kind in MARKS or kind == "icon")


def _described(found: Detection, said: Description, kind: ElementType, *, rules: Rules, reads: bool) -> Detection:
    words = Evidence(source="describer", type=kind, text=said.text, confidence=round(said.type_confidence, 4))
    confidence, chosen = found.confidence, found.type
    outlined = any(is_outline(one) for one in found.evidence)
    linked = any(one.source == "ocr" and one.type == "hyperlink" for one in evidence_of(found))
    cornered = any(is_cornered(one) for one in found.evidence)
    if cornered or (outlined and {kind, found.type} <= ROUND_OR_SQUARE) or (linked and kind in LINE_TYPES):
        kind = found.type
    if kind != found.type:
        # A line that was only read says little about what it is: that it is text is a guess.
        least = rules.read_at if found.was_read else rules.type_at
        believed = (said.type_confidence >= least or found.type == "other") and kind not in PARTS
        # A word that was surely read is written there, and nothing that has no text.
        believed = believed and (ATTRIBUTES[kind].text or not _is_word(found)) and not _is_bullet(found, kind)
        chosen = kind if believed else found.type
        # Where the describer's type is taken, nothing of a detection is in doubt. How surely letters were read says
        # little of the element, and less where it is none of text: of those half are where they were found.
        settled = found.type == "other" or (believed and not found.was_read)
        confidence *= 1.0 if settled else _DISAGREE_FACTOR
    may = ATTRIBUTES[chosen]
    states = dict(found.states)
    states.update(
        {
            state: value and said.state_confidence.get(state, 1.0) >= rules.yes_at
            for state, value in said.states.items()
            if state in may.states and said.state_confidence.get(state, 1.0) >= rules.state_at
        }
    )
    usual = frozenset[State]() if "usual_states" in rules.without else may.states - states.keys()
    for state in usual - _SELDOM_SEEN.get(chosen, frozenset()):
        # It can always be seen on this type, and nobody is sure that it holds.
        states[state] = False
    subtype = said.subtype if said.subtype_confidence >= rules.subtype_at else None
    text = found.text
    if reads and said.text is not None and said.text_confidence >= rules.text_at:
        text = said.text
    return dataclasses.replace(
        found,
        type=chosen,
        confidence=confidence,
        text=_without_signs(text) if chosen == "spinner" else text,
        subtype=(subtype or found.subtype) if may.subtype else None,
        states=states,
        evidence=(*evidence_of(found), words),
    )
