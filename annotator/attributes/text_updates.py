"""Texts of elements: where they come from, and what is read again after an edit of boxes, as part of that edit."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, cast

import numpy as np

from annotator.commands import Command, as_suggested, edit_each
from annotator.document import Document
from annotator.step_words import name_element, type_word
from annotator.words import tr
from demopack.domain.edits import Edit
from demopack.domain.elements import ATTRIBUTES, Element, Evidence
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect
from demopack.domain.words import shorten
from demopack.pixels.colours import differs
from demopack.pixels.masks import Mask, crop, runs, tight_box

_MAX_READ_ELEMENTS: Final = 60
"""Of an edit of more elements none is read: it was about something else, and reading would take too long."""


def is_text_said(element: Element) -> bool:
    """Whether a person wrote an element's text, or took it away: nothing that is read may take its place.

    What sources read stands in the evidence; a text that is none of theirs was written by a person, or may have been.
    A finder's element that nobody has reviewed says what its finder read.
    """
    if element.review == "unreviewed" and element.source != "human":
        return False
    read = {_words(one.text) for one in element.evidence if one.text}
    return _words(element.text) not in read if element.text else bool(read)


def texts_to_read(edit: Edit) -> tuple[Element, ...]:
    """The elements of an edit whose text is to be read now, as the edit leaves them.

    Those are boxes that were drawn, moved or resized, and parts of boxes that were cut or joined, unless a person wrote
    a text on one of them; and elements without a text that became something that may have one. Elements that came by
    other ways, carried over or pasted for instance, are left as they are.
    """
    pairs = _pairs(edit)
    parts = _is_recut(pairs)
    if parts and any(old is not None and is_text_said(old) for old, _ in pairs):
        return ()
    fresh = parts or edit.drawn is not None
    found = (new for old, new in pairs if new is not None and _is_open(old, new, part=parts, fresh=fresh))
    return tuple(new for new in found if ATTRIBUTES[new.type].text)


def icons_to_name(edit: Edit) -> tuple[Element, ...]:
    """The icons of an edit whose name is to be found now, as the edit leaves them.

    Those are icons without a name that were drawn or cut off, and elements that became one; and an icon whose box the
    same gesture made larger, for its name was given to what it was around before.
    """
    pairs, drawn = _pairs(edit), edit.drawn is not None
    fresh = drawn or _is_recut(pairs)
    icons = [(old, new) for old, new in pairs if new is not None and new.type == "icon" and new.review != "rejected"]
    found: list[Element] = []
    for old, new in icons:
        renamed = old is not None and old.box != new.box and drawn
        nameless = not new.subtype and (fresh if old is None else old.type != "icon" or (fresh and old.box != new.box))
        if renamed or nameless:
            found.append(new)
    return tuple(found)


def _pairs(edit: Edit) -> list[tuple[Element | None, Element | None]]:
    """Each element of an edit as it was and as it becomes; none of an edit of too many."""
    changes = [change for change in edit.changes if change.kind == "element"]
    if len(changes) > _MAX_READ_ELEMENTS:
        return []
    return [(cast("Element | None", change.was), cast("Element | None", change.becomes)) for change in changes]


def _is_recut(pairs: list[tuple[Element | None, Element | None]]) -> bool:
    """Whether an edit cut one box or joined several: what belongs together is judged together."""
    changed = any(old is not None and new is not None and old.box != new.box for old, new in pairs)
    made = any(old is None for old, _ in pairs)
    gone = any(old is not None and (new is None or new.review == "rejected") for old, new in pairs)
    return changed and (made or gone)


def _is_open(old: Element | None, new: Element, *, part: bool, fresh: bool) -> bool:
    if new.review == "rejected":
        return False
    if old is None:
        return part or (fresh and not new.text)
    if old.box != new.box:
        return part or not is_text_said(old)
    became = old.type != new.type
    return became and not new.text and not ATTRIBUTES[old.type].text and not is_text_said(new)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadableEdit:
    """A command whose edit gets a key of its own where texts are read after it, so that both are undone together."""

    command: Command
    key: str

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        made = self.command.edit(document)
        if made is None or made.merge_key is not None or not (texts_to_read(made) or icons_to_name(made)):
            return made
        return made.model_copy(update={"merge_key": self.key})


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowText:
    """What was read is written on elements that nobody wrote a text on; it is remembered as read.

    Attributes:
        texts: from uid to what was read.
        seen: from uid to the element when it was read: where box or text are others by now nothing is written.
        drawn: the boxes were just drawn.
        merge_key: of the edit that it belongs to.
    """

    texts: Mapping[str, str]
    seen: Mapping[str, Element] = field(default_factory=dict[str, Element])
    drawn: bool = False
    merge_key: str | None = None

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        return edit_each(document, self.texts, self._read, self._label, merge_key=self.merge_key)

    def _read(self, element: Element) -> Element:
        text, seen = self.texts[element.uid], self.seen.get(element.uid)
        if not text or not ATTRIBUTES[element.type].text or element.review == "rejected" or element.text == text:
            return element
        if seen is not None and (seen.box, seen.text) != (element.box, element.text):
            return element
        before = as_suggested(element) if element.source != "human" else element.evidence
        read = Evidence(source="ocr", box=element.box, text=text)
        # What was read in a box that a person made has no confidence; finders are sure to some degree.
        kept = tuple(one for one in before if (one.source, one.type, one.confidence) != ("ocr", None, None))
        return element.changed(text=text, evidence=(*kept, read))

    def _label(self, old: list[Element]) -> str:
        if len(old) > 1:
            return tr("Write what was read on {count} elements").format(count=len(old))
        (one,) = old
        text = shorten(self.texts[one.uid])
        if self.drawn:
            return tr("Draw a box ({kind}) with “{text}”, as read").format(kind=type_word(one.type), text=text)
        return tr("Write “{text}” on {element}, as read").format(element=name_element(one), text=text)


def _words(text: str | None) -> str:
    return " ".join((text or "").split())


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowName:
    """Icons get the names that a network is sure of, where nobody gave them another one meanwhile.

    Attributes:
        names: from uid to the name; None where the network is not sure.
        seen: from uid to the element when it was looked at: where box, type or name are others by now nothing changes.
        drawn: the boxes were just drawn; one that was made larger loses the name of what it was around before.
        merge_key: of the edit that it belongs to.
    """

    names: Mapping[str, str | None]
    seen: Mapping[str, Element] = field(default_factory=dict[str, Element])
    drawn: bool = False
    merge_key: str | None = None

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        return edit_each(document, self.names, self._named, self._label, merge_key=self.merge_key)

    def _named(self, element: Element) -> Element:
        name, seen = self.names[element.uid], self.seen.get(element.uid)
        if element.type != "icon" or element.review == "rejected" or element.subtype == name:
            return element
        if seen is not None and (seen.type, seen.box, seen.subtype) != (element.type, element.box, element.subtype):
            return element
        # A new box says nothing yet; of any other only what nobody named is named.
        may = self.drawn or (name is not None and not element.subtype)
        return element.changed(subtype=name) if may else element

    def _label(self, old: list[Element]) -> str:
        if len(old) > 1:
            return tr("Name {count} icons by their looks").format(count=len(old))
        (one,) = old
        name = self.names[one.uid]
        if not self.drawn:
            return tr("Name {element} “{name}”, by its looks").format(element=name_element(one), name=name)
        if name is None:
            return tr("Draw a box ({kind})").format(kind=type_word(one.type))
        return tr("Draw a box ({kind}): “{name}”, by its looks").format(kind=type_word(one.type), name=name)


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


def offered_text(element: Element, elements: Iterable[Element], image: RgbImage | None = None) -> str | Rect | None:
    """Where the text of an element comes from.

    A check box, radio button or toggle has the text of the nearest line of text to its right, or to its left where
    none is there, on the same line and within 1.5 heights; where no such element is, what is drawn there is read. Other
    types are read in their box, without the arrow of a drop-down list or the icon before the words; windows, pictures
    and what else has mostly no text of its own are not read, nor is a row in which other elements have the words.

    Args:
        element: whose text.
        elements: of its frame; rejected ones and itself are left out.
        image: the frame's pixels, shape (height, width, 3 or more); without them nothing is read beside a mark.

    Returns:
        The text as another element says it, or the pixels of the frame in which it is to be read; None for neither.
    """
    if not ATTRIBUTES[element.type].text or element.type in _UNREAD:
        return None
    others = [one for one in elements if one.uid != element.uid and one.review != "rejected"]
    told_inside = (one for one in others if one.text and one.box.area < element.box.area)
    if element.type in _HOLDERS and any(element.box.contains(one.box.center) for one in told_inside):
        return None
    if element.type not in LABELLED:
        return _words_in(element, image)
    label = _label_of(element.box, others)
    if label is not None:
        return label.text or label.box
    return None if image is None else _foreground_beside(element.box, others, image)


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
