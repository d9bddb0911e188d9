"""Candidates for an element's text: the label beside a check box, or the place in its box that is to be read."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np

from demopack.domain.elements import ATTRIBUTES, Element
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect
from demopack.pixels.colours import differs
from demopack.pixels.masks import Mask, crop, runs, tight_box

LABELLED: Final = frozenset({"checkbox", "radio", "toggle"})
"""Types whose box is the mark alone, with the words beside it."""
_UNREAD: Final = frozenset({"window", "dialog", "image", "slider", "other"})
"""Types that may have a text, while what is read in their box mostly is none of theirs."""
_ARROWED: Final = frozenset({"dropdown", "spinner"})
"""Types with an arrow at their right end, which looks like a letter."""
_HOLDERS: Final = frozenset({"list_item", "tree_item", "menu", "toolbar"})
"""Types that hold others: where those have the words, they have none of their own."""
_WORDS: Final = frozenset({"text", "hyperlink", "tabled_text", "draggable_text"})
_ROWS: Final = frozenset({"list_item", "tree_item", "menu_item", "tab", "menu"})
"""Types that may begin with an icon."""
_COLUMNED: Final = frozenset({"list_item", "tree_item"})
_COLUMN_GAP: Final = 1.5
"""Heights of a row; a wider gap lies between columns."""
_ARROW_PX: Final = 28
"""Pixels that an arrow takes at most."""
_ICON_GAP_PX: Final = 4
"""Pixels between an icon and the words after it, more at least."""
_MIN_ICON_PX: Final = 10
_MAX_LABEL_GAP: Final = 1.5
"""Heights of the mark within which its label begins."""
_LABEL_BREAK: Final = 1.0
"""A gap of so many heights ends a label."""
_MAX_LABEL_LENGTH: Final = 40
"""Heights that a label is long at most."""
_MIN_CONTRAST: Final = 48
"""Difference from the background, in any channel, above which a pixel is foreground."""
_MIN_HEIGHT_PX: Final = 10
"""A mark that is lower counts as so high: its label is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextCandidate:
    """What an element could be called.

    Attributes:
        text: as another element says it; None where it must be read.
        place: where it is read, in pixels of the frame; None where there is nothing to read.
    """

    text: str | None = None
    place: Rect | None = None


def offered_text(element: Element, elements: Iterable[Element], image: RgbImage | None = None) -> TextCandidate:
    """Where the text of an element comes from.

    A check box, radio button or toggle has the text of the nearest line of text to its right, or to its left where
    none is there, on the same line and within 1.5 heights; where no such element is, what is drawn there is read. Other
    types are read in their box, without the arrow of a drop-down list or the icon before the words; windows, pictures
    and what else has mostly no text of its own are not read, nor is a row in which other elements have the words.

    Args:
        element: whose text.
        elements: of its frame; rejected ones and itself are left out.
        image: the frame's pixels, shape (height, width, 3 or more); without them nothing is read beside a mark.
    """
    if not ATTRIBUTES[element.type].text or element.type in _UNREAD:
        return TextCandidate()
    others = [one for one in elements if one.uid != element.uid and one.review != "rejected"]
    told_inside = (one for one in others if one.text and one.box.area < element.box.area)
    if element.type in _HOLDERS and any(element.box.contains(one.box.center) for one in told_inside):
        return TextCandidate()
    if element.type not in LABELLED:
        return TextCandidate(place=_words_in(element, image))
    label = _label_of(element.box, others)
    if label is not None and label.text:
        return TextCandidate(text=label.text)
    if label is not None:
        return TextCandidate(place=label.box)
    return TextCandidate(place=None if image is None else _foreground_beside(element.box, others, image))


def same_foreground(image: RgbImage, old: Rect, new: Rect) -> bool:
    """Whether two boxes that overlap hold the same foreground: what only one of them covers is even.

    What was read in the one is then written in the other, too.

    Args:
        image: the frame's pixels, shape (height, width, 3 or more).
        old: pixels of the frame.
        new: as ``old``.
    """
    both = old.intersection(new)
    if both is None or not both.area:
        return False
    around = old.union(new)
    left, top = max(around.x1, 0), max(around.y1, 0)
    foreground = _foreground(image[top : around.y2, left : around.x2])
    crop(foreground, both.moved(-left, -top))[:] = False
    return not foreground.any()


def _words_in(element: Element, image: RgbImage | None) -> Rect | None:
    """The part of a box in which its words stand; None for a row of several columns, which has no text of its own."""
    box = element.box
    if element.type in _ARROWED and box.width > 2.5 * box.height:
        return Rect(box.x1, box.y1, box.x2 - min(box.height, _ARROW_PX), box.y2)
    if image is None or element.type not in _ROWS:
        return box
    part = image[box.y1 + 2 : box.y2 - 2, box.x1 : box.x2]
    return _behind_icon(box, _foreground(part), columned=element.type in _COLUMNED) if part.size else box


def _behind_icon(box: Rect, foreground: Mask, *, columned: bool) -> Rect | None:
    """A row without the icon it begins with: something about square that is higher than the words after it."""
    columns = runs(foreground.any(axis=0), step=_ICON_GAP_PX)
    if len(columns) < 2:
        return box
    if columned and any(b[0] - a[1] >= _COLUMN_GAP * box.height for a, b in itertools.pairwise(columns)):
        return None
    (first, last), (after, _) = columns[:2]
    high, rest = _tall(foreground[:, first:last]), _tall(foreground[:, after:])
    square = last - first >= _MIN_ICON_PX and 0.6 <= (last - first) / high <= 1.6
    return Rect(box.x1 + after - 2, box.y1, box.x2, box.y2) if square and high > rest else box


def _tall(foreground: Mask) -> int:
    """Rows from the first that is not blank to the last."""
    box = tight_box(foreground)
    return 0 if box is None else box.height


def _foreground(part: RgbImage) -> Mask:
    background = np.median(part.reshape(-1, part.shape[2])[:, :3], axis=0).astype(np.uint8)
    return differs(part[:, :, :3], background, tolerance=_MIN_CONTRAST)


def _height(box: Rect) -> int:
    return max(box.height, _MIN_HEIGHT_PX)


def _on_line(box: Rect, other: Rect) -> bool:
    shared = min(box.y2, other.y2) - max(box.y1, other.y1)
    return shared * 2 > min(box.height, other.height)


def _label_of(box: Rect, others: list[Element]) -> Element | None:
    """The nearest line of text to the right of a box, else to its left.

    What is nearer to the left is mostly the label of the column before: by this rule half as many are wrong.
    """
    near: list[tuple[int, int, int]] = []
    for place, one in enumerate(others):
        if one.type not in _WORDS or not _on_line(box, one.box):
            continue
        right = one.box.center.x >= box.center.x
        far = one.box.x1 - box.x2 if right else box.x1 - one.box.x2
        if far <= _MAX_LABEL_GAP * _height(box):
            near.append((0 if right else 1, max(far, 0), place))
    return others[min(near)[2]] if near else None


def _foreground_beside(box: Rect, others: list[Element], image: RgbImage) -> Rect | None:
    """The foreground that begins within reach to the right of a mark, else to its left, up to the first wide gap."""
    height, width = image.shape[:2]
    tall = _height(box)
    top, bottom = max(0, (box.y1 + box.y2 - tall) // 2 - 3), min(height, (box.y1 + box.y2 + tall) // 2 + 3)
    walls = [one.box for one in others if _on_line(box, one.box)]
    right = min([width, box.x2 + _MAX_LABEL_LENGTH * tall, *(b.x1 for b in walls if b.x1 >= box.x2)])
    left = max([0, box.x1 - _MAX_LABEL_LENGTH * tall, *(b.x2 for b in walls if b.x2 <= box.x1)])
    for part, start, step in (
        (image[top:bottom, box.x2 : right], box.x2, 1),
        (image[top:bottom, left : box.x1][:, ::-1], box.x1, -1),
    ):
        found = _first_foreground(part, tall)
        if found is not None:
            ends = sorted((start + step * found[0], start + step * found[1]))
            return Rect(max(0, ends[0] - 2), top, min(width, ends[1] + 2), bottom)
    return None


def _first_foreground(part: RgbImage, tall: int) -> tuple[int, int] | None:
    """First and last + 1 column of the foreground in a strip that begins at the mark."""
    if not part.size:
        return None
    columns = np.asarray(_foreground(part).any(axis=0))
    # What touches the mark is its own edge, or its shadow.
    columns[:2] = False
    first = next(iter(runs(columns, step=_LABEL_BREAK * tall)), None)
    return first if first is not None and first[0] <= _MAX_LABEL_GAP * tall else None
