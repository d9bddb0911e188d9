"""Joins what programs reported about their windows with what was found in the pixels.

What was reported wins: role, name, value and states of a control are the program's. Pixels say where the ink of words
is, what a drop-down list shows, which mark a box to tick has, what is written where no program says anything; and they
are asked whether boxes can be believed at all, and what has become of an element that may have changed since.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from demopack.domain.elements import Element, ElementType, Evidence, State, reading_order
from demopack.domain.frames import Frame, RgbImage
from demopack.domain.geometry import Point, Rect, iou
from demopack.domain.marks import MARKS, labels_beside, owned_labels
from demopack.domain.overlap import Boxes, areas, box_array, common_areas, iou_of
from demopack.domain.records import new_id
from demopack.domain.text_likeness import label_likeness, letters_in, ratio
from models.vision.fusion import LINE_TYPES, PARTS, ROWS
from models.vision.reports.drawn import LEAST_EDGES, DrawnControls, shrunk
from models.vision.reports.elements import AROUND, CONTAINERS, FIELDS, REPORTED_CONFIDENCE, ReportedElement
from models.vision.reports.placing import LEAST_LETTERS, placed_on_pixels
from models.vision.reports.texts import ALIKE, FIRST_ALIKE, content_of, differs, is_other_row, says_the_same, told_lines
from models.vision.reports.unreported import Ground, without_unreported

_SAME_IOU: Final = 0.5
_INSIDE: Final = 0.7
"""Share of what was found that must lie in a reported control to be a part of it."""
_SURELY_READ: Final = 0.8
_ALL_EDGES: Final = 4
_LEAST_SIGN: Final = 0.3
"""Height of a picture in a field, as a share of the field's."""
_SIGN_PX: Final = 48
"""Side of a button without name or words, up to which it shows a sign."""
_SIGN_LETTERS: Final = 2
_LINES: Final = 1.7
"""A label as high as so many lines has more than one."""
_LABELS_REACH: Final = 12
"""Of labels that say a mark's name, in its heights."""
_PICTURED: Final[frozenset[ElementType]] = frozenset({"button", "icon"})
"""A button without words, which the pointer may have lit up, is found as an icon."""
_LABEL_PX: Final = 4
"""So far the ink of a label may reach out of what its program says that its box to tick takes."""
_CROSSING: Final[frozenset[ElementType]] = frozenset({"button", "tab", "menu", "dropdown", "input_field"})
_CROSSED_PX: Final = 4
_LIKE_ROWS: Final[frozenset[ElementType]] = frozenset({"menu", "menu_item", "tab", "list_item", "tree_item", "button"})
"""What the words of a row are taken for."""
_KEPT_WITHIN: Final[frozenset[ElementType]] = CONTAINERS | PARTS
"""Types that never vanish into what lies around them."""


def join_reports(
    elements: Sequence[Element],
    reported: Sequence[ReportedElement],
    image: RgbImage,
    frame: Frame,
    *,
    grounds: Sequence[Ground] = (),
    pointers: Sequence[Point] = (),
) -> list[Element]:
    """The elements of a frame as programs reported them, and what else was found on it.

    Args:
        elements: what the models found.
        reported: see :func:`models.vision.reports.elements.reported_elements`.
        image: the frame's pixels, shape (height, width, 3), uint8.
        frame: which.
        grounds: what may be where; see :func:`models.vision.reports.unreported.grounds_of`.
        pointers: where steps acted on it, pixels: what was hit keeps the whole box in which it can be hit.
    """
    if not reported:
        return list(elements)
    return _Joining(elements, image, frame, pointers).join(reported, grounds)


class _Joining:
    """One frame; ``self._elements`` are those of the models that still stand, by their place."""

    def __init__(self, elements: Sequence[Element], image: RgbImage, frame: Frame, pointers: Sequence[Point]) -> None:
        self._found = list(elements)
        self._boxes: Boxes = box_array(one.box for one in elements)
        self._areas = areas(self._boxes)
        self._gone: set[int] = {i for i, one in enumerate(elements) if one.review == "rejected"}
        self._image = image
        self._drawn = DrawnControls(image, scale=max(1, round(frame.scale_factor or 1)), pointers=pointers)
        self._frame = frame
        self._made: list[Element] = []
        self._told: list[Rect] = []
        self._shared: set[int] = set()  # lines with words of several texts

    def join(self, reported: Sequence[ReportedElement], grounds: Sequence[Ground]) -> list[Element]:
        """Controls first, so that a label knows whether it belongs to one."""
        placed, moved, above = list[ReportedElement](), set[Rect | None](), list[Rect]()
        for window in dict.fromkeys(one.window for one in reported):
            own = [one for one in reported if one.window == window]
            seen = [one for one in self._found if not any(other.contains(one.box.center) for other in above)]
            believed = placed_on_pixels(own, seen, self._frame)
            placed += believed
            if not believed or all(one is not believed[0] for one in own):
                moved.add(window)
            if not believed:
                self._names_alone(own, seen)
            above += [] if window is None else [window]
        words = {"text", "hyperlink", "tabled_text"}
        self._told = [one.box for one in placed if one.box is not None and one.type not in CONTAINERS | words]
        # What pops up over a text is no part of it.
        for one in sorted(placed, key=lambda one: (one.type in words, one.type == "text_area")):
            if one.box is not None and self._is_there(one):
                self._join_one(one, one.box)
        self._gone |= self._shared
        left = [one for i, one in enumerate(self._found) if i not in self._gone]
        left = [one for one in left if not self._is_of_several(one) and not self._is_crossed(one)]
        grounds = [one if one.window not in moved else replace(one, holds="anything") for one in grounds]
        return [*without_unreported(left, grounds, self._made, self._image), *self._made]

    def _is_of_several(self, line: Element) -> bool:
        """Whether its words are told already: of a text it overlaps, of controls beside each other, or a list's rows.

        Signs below each other, as those that open the rows of a tree, are read as letters on their side.
        """
        if line.type not in LINE_TYPES or _is_decided(line):
            return False
        over = [one for one in self._made if one.type not in AROUND and one.box.intersection(line.box) is not None]
        if sum(one.type in ROWS and line.box.y1 < one.box.center.y < line.box.y2 for one in over) > 1:
            return True
        if any(one.type in LINE_TYPES and letters_in(one.text) == letters_in(line.text) for one in over):
            return True  # it is that text, found beside where it stands
        told = [letters_in(one.text) for one in over if one.text and one.type not in LINE_TYPES]
        words = [word for one in (line.text or "").split() if len(word := letters_in(one)) >= LEAST_LETTERS]
        return len(told) > 1 and bool(words) and all(any(word in name for name in told) for word in words)

    def _is_crossed(self, bar: Element) -> bool:
        """Whether it is a scroll bar, or a part of one, that a control crosses which was told: it is made of others."""
        if not bar.type.startswith("scrollbar") or _is_decided(bar):
            return False
        over = [one for one in self._made if one.type in _CROSSING and one.box.intersection(bar.box) is not None]
        return any(_reaches_beyond(one.box, bar.box) or _reaches_beyond(one.box.turned, bar.box.turned) for one in over)

    # Where boxes are not believed -------------------------------------------------------------------------------------

    def _names_alone(self, reported: Sequence[ReportedElement], seen: Sequence[Element]) -> None:
        """Take roles and states of what can be told by its name, where no box is believed.

        Args:
            reported: those of one window.
            seen: what no window above hides.
        """
        names = [letters_in(one.name) for one in reported]
        uids = {one.uid for one in seen}
        read = [letters_in(one.text) if one.uid in uids else "" for one in self._found]
        for one, name in zip(reported, names, strict=True):
            if len(name) < LEAST_LETTERS or names.count(name) != 1 or read.count(name) != 1 or one.type in CONTAINERS:
                continue
            place = read.index(name)
            known = self._found[place]
            if place in self._gone or _is_decided(known):
                continue
            if one.window is None or one.window.contains(known.box.center):
                self._gone.add(place)
                self._made.append(self._element(one, known.box, text=one.text or known.text, base=known))

    # One element ------------------------------------------------------------------------------------------------

    def _is_there(self, one: ReportedElement) -> bool:
        """Whether pixels allow what is reported: anything is drawn there, and where it may be stale, it is that."""
        assert one.box is not None
        if one.type in ROWS:
            if not self._drawn.is_drawn(shrunk(one.box, 2)):
                return False  # a gap between rows
        elif one.type not in CONTAINERS and not self._drawn.is_drawn(one.box):
            return one.type in FIELDS and not one.text and not one.stale  # it is empty, and its frame around it
        if not one.stale:
            return True
        if one.unsure:
            return self._is_mark(one.box)
        if one.type in FIELDS and self._drawn.edges(one.box) > LEAST_EDGES:
            return True  # its frame is still drawn, whatever stands in it
        near = self._near(one.box)
        if one.name and any(label_likeness(one.name, self._found[i].text or "") >= ALIKE for i in near):
            return True
        if one.type in ROWS and says_the_same(one.text, self._words_in(one.box, near)):
            return True  # it was lit up, or chosen; how much of it can be read depends on how much is in sight
        if one.type in MARKS and one.name:
            lines, label = self._label_of(one, one.box, one.box, None)  # the pointer may have lit up its mark
            return bool(label) and not differs(one.name, self._read(lines))
        alike = [i for i in near if self._found[i].type == one.type or {self._found[i].type, one.type} <= _PICTURED]
        alike = [i for i in alike if one.type in FIELDS or not differs(one.name, self._found[i].text or "")]
        return any(iou(self._found[i].box, one.box) >= _SAME_IOU for i in alike)

    def _near(self, box: Rect) -> list[int]:
        """Places of what still stands and has a pixel in a box."""
        if not self._found:
            return []
        common = common_areas(box_array([box]), self._boxes)[0]
        return [int(i) for i in np.flatnonzero(common) if int(i) not in self._gone]

    def _words_in(self, box: Rect, near: Sequence[int]) -> list[str]:
        """What was read within a box, a line each."""
        lines = (self._found[i] for i in near if self._found[i].type in LINE_TYPES)
        return [line.text for line in lines if line.text and line.box.center.y in range(box.y1, box.y2)]

    def _join_one(self, one: ReportedElement, box: Rect) -> None:
        if one.type in LINE_TYPES:
            self._words(one, box)
        elif one.type == "button" and "checked" in one.states and self._is_switch(box):
            self._mark(replace(one, type="toggle"), box)
        elif one.unsure and not self._is_mark(box):
            return
        elif one.type in {"checkbox", "radio"} and not one.unsure and self._is_tool(box):
            self._control(replace(one, type="button"), box)
        elif one.type in MARKS:
            self._mark(one, (self._drawn.mark_in_row(box) or box) if one.unsure else box)
        elif one.type in {"icon", "image"} and not one.acts:
            self._picture(one, box)
        elif _is_dots(one.name) and any(self._found[i].type == "icon" for i in self._near(box)):
            self._control(replace(one, name="", text=""), box)  # Qt's name for a button that nobody has named
        else:
            self._control(one, box)

    def _control(self, one: ReportedElement, box: Rect) -> None:
        near = self._near(box)
        base = self._base(one, box, near)
        inside = [i for i in near if i != base and (self._share_in(i, box) >= _INSIDE or self._is_ghost_bar(one, i))]
        lines = [i for i in inside if self._found[i].type in LINE_TYPES]
        read = self._read_on(one, [*([base] if base is not None else []), *lines], box)
        if one.type == "button" and not one.text and not read and base is None and self._drawn.is_blank(box):
            return  # the header of a column without a name
        if one.type == "button" and not one.text and self._is_picture(box, base):
            one, read = replace(one, type="icon"), ""  # all that is known of it is what it shows
        text, placeholder = content_of(one, read)
        if one.type in ROWS and lines and self._is_sure(lines):
            shown = [known.text or "" for known in reading_order([self._found[i] for i in lines])]
            text = read if is_other_row(text, shown) else text  # GTK tells what a row said before its list was sorted
        if one.type in CONTAINERS:
            is_label = one.type in ROWS and bool(text)
            parts = [i for i in lines if is_label] + [i for i in inside if self._found[i].type == one.type]
            parts += [i for i in inside if one.type in ROWS and self._is_of_row(i, text)]
        elif one.is_filled:
            parts = [i for i in inside if self._found[i].type not in LINE_TYPES]
        else:
            # The groove of a slider looks like a scroll bar, and so do the arrows of spinners below each other.
            kept = CONTAINERS if one.type in {"slider", "spinner"} else _KEPT_WITHIN
            signs = [i for i in inside if self._is_sign_in(one, i, box)]
            for i in signs:
                self._share_state(one, i)
            parts = [i for i in inside if self._found[i].type not in kept and i not in signs]
        # What covers it and hardly more is the same thing, found a little too large.
        parts += [
            i
            for i in near
            if i != base and i not in parts and one.type not in CONTAINERS and self._found[i].type == one.type
            and box.contains(self._found[i].box.center) and self._areas[i] <= 4 * box.area
        ]  # fmt: skip
        parts += self._rows_in_place_of(one, near, box)
        known = None if base is None else self._found[base]
        if known is not None and _is_decided(known):
            return
        self._gone.update(i for i in parts if not _is_decided(self._found[i]))
        if base is not None:
            self._gone.add(base)
        worded = [i for i in (base, *lines) if i is not None and self._found[i].text]
        if one.type == "button" and self._drawn.is_link(box, [self._found[i].box for i in worded]):
            one = replace(one, type="hyperlink")
        box = self._drawn.shown_part(one, box, with_words=bool(read))
        words = [self._found[i] for i in lines if i != base]
        self._made.append(self._element(one, box, text=text, base=known, words=words, placeholder=placeholder))

    def _rows_in_place_of(self, one: ReportedElement, near: Sequence[int], box: Rect) -> list[int]:
        """The rows that were seen where a control of another kind is."""
        rows = [i for i in near if self._found[i].type in ROWS and one.type not in CONTAINERS]
        return [i for i in rows if iou(self._found[i].box, box) >= _SAME_IOU]

    def _is_of_row(self, place: int, text: str) -> bool:
        """Whether it is the picture of a row, a piece of it, or the row's words under another name."""
        found = self._found[place]
        if found.type in ROWS and not found.text:
            return True
        own, other = letters_in(text), letters_in(found.text)
        same = bool(other) and (other in own or label_likeness(text, found.text or "") >= ALIKE)
        return found.type == "icon" or (same and found.type in _LIKE_ROWS)

    def _is_ghost_bar(self, one: ReportedElement, place: int) -> bool:
        """Whether it is a scroll bar that is made of the arrows of a spinner and of others."""
        return one.type == "spinner" and self._found[place].type == "scrollbar"

    def _is_picture(self, box: Rect, base: int | None) -> bool:
        """Whether a button that nobody gave a name has a picture on it, and no words."""
        if base is not None:
            return self._found[base].type == "icon"
        return max(box.width, box.height) <= _SIGN_PX and not self._read(self._near(box))

    def _read_on(self, one: ReportedElement, places: Sequence[int], box: Rect) -> str:
        """What was read on a control: no picture of a button and no arrow of a list, which are read as a letter."""
        read = self._read(places)
        said = [said for i in places for said in _said_of(self._found[i]) if said.source == "ocr" and said.text]
        if one.text or len(letters_in(read)) > _SIGN_LETTERS or not said:
            return read
        if one.type == "button" and max(word.confidence or 0.0 for word in said) < _SURELY_READ:
            return ""
        at_end = all(word.box is not None and word.box.x1 >= box.x2 - box.height for word in said)
        return "" if one.type == "dropdown" and at_end else read

    def _is_sign_in(self, one: ReportedElement, place: int, box: Rect) -> bool:
        """Whether it is a picture at an end of a field, as one that empties it, or one that closes a tab.

        Toolkits report neither. A picture before the words of a tab belongs to it.
        """
        found = self._found[place]
        sees = any(said.source in {"detector", "rule"} for said in _said_of(found))
        if one.type not in {"input_field", "tab"} or found.type != "icon" or found.text or not sees:
            return False
        before, behind = found.box.x1 - box.x1, box.x2 - found.box.x2
        at_end = (behind if one.type == "tab" else min(before, behind)) <= box.height // 2
        if one.type == "tab" and before < 2 * behind:
            return False  # above the words of a tab, or alone on it
        return at_end and _LEAST_SIGN * box.height <= found.box.height <= box.height

    def _share_state(self, one: ReportedElement, place: int) -> None:
        """A picture in a control can be used where that can be used."""
        found = self._found[place]
        if "disabled" in one.states and not _is_decided(found):
            self._found[place] = found.but(states={**found.states, "disabled": one.states["disabled"]})

    def _mark(self, one: ReportedElement, box: Rect) -> None:
        """A box to tick: its mark and its label are one element, whichever of them was reported."""
        near = self._near(box)
        marks = [i for i in near if self._found[i].type in MARKS and _mark_of(self._found[i]).share_in(box) >= 0.5]
        known = self._found[marks[0]] if marks else None
        one = one if known is None else _as_drawn(one, known)
        mark = None if known is None else _mark_of(known)
        if mark is None or mark.width > 3 * mark.height:
            mark = self._drawn.mark_at_end(box)  # or it was found with its label
        if mark is not None and known is None and one.type == "checkbox" and box.width <= 2 * box.height:
            mark = mark if self._drawn.edges(mark) == _ALL_EDGES else None  # the picture of a button that stays down
        if mark is None and box.width <= 2 * box.height and one.name and self._label_of(one, box, box, None)[1]:
            mark = box  # its name stands beside it
        is_row = box.width > 2 * box.height and one.name and self._drawn.edges(box) < LEAST_EDGES
        if mark is None and known is None and one.type != "toggle" and not is_row:
            self._control(replace(one, type="button"), box)  # programs call buttons that stay down boxes to tick
            return
        # The words beside a box to tick in a row are the row's.
        lines, label = ([], []) if one.unsure else self._label_of(one, box, mark or box, known)
        if not label and not one.unsure and one.name and box.width <= 2 * box.height and one.type != "toggle":
            label = self._drawn.words_beside(box, one.name, self._told)
        base = next((self._found[i] for i in (*marks, *lines)), None)
        if base is not None and _is_decided(base):
            return
        whole, only_mark = box, box.width <= 2 * box.height
        if mark is None and not only_mark and one.type != "toggle":
            ink = self._drawn.ink(box)
            whole = box if ink is None else _around([ink, *label])  # a mark of an unknown form, with its label
        if label and (mark is not None or only_mark):
            whole = _around([*label, *([mark] if mark is not None else []), *([box] if only_mark else [])])
            # A line may go on in what lies above it.
            whole = whole if only_mark else whole.intersection(box.grown(_LABEL_PX)) or box
            if not self._drawn.is_hit_in(whole, box):
                whole = whole.union(box)
        inside = [
            i
            for i in self._near(whole)
            if self._share_in(i, whole) >= _INSIDE and self._found[i].type not in _KEPT_WITHIN
        ]
        inside += self._rows_in_place_of(one, self._near(whole), whole)
        self._gone.update(i for i in (*marks, *lines, *inside) if not _is_decided(self._found[i]))
        read = self._read(lines)
        is_other = bool(lines) and self._is_sure(lines) and ratio(letters_in(one.name), letters_in(read)) < FIRST_ALIKE
        # Qt calls some after their group.
        name = read if is_other else one.name or read or (known.text if known else None)
        made = self._element(one, whole, text=name, base=base)
        has_label = mark is not None and (label or (one.name and whole.width > 2 * mark.width)) and not one.unsure
        self._made.append(made.model_copy(update={"mark_box": mark}) if has_label else made)

    def _is_tool(self, box: Rect) -> bool:
        """Whether it is a picture that can be chosen, too large for a mark, and none was seen in it."""
        marks = (_mark_of(self._found[i]) for i in self._near(box) if self._found[i].type in MARKS)
        return self._drawn.is_too_large_to_tick(box) and not any(mark.share_in(box) >= _SAME_IOU for mark in marks)

    def _is_switch(self, box: Rect) -> bool:
        """Whether a switch is drawn there: Chromium calls it a button that stays down."""
        near = (self._found[i] for i in self._near(box))
        return any(one.type == "toggle" and iou(_mark_of(one), box) >= _SAME_IOU for one in near)

    def _is_mark(self, box: Rect) -> bool:
        """Whether what is drawn in a cell is a box to tick, and no picture of that size."""
        mark = self._drawn.mark_in_row(box)
        if mark is None:
            return False
        found = any(
            self._found[i].type in MARKS and iou(_mark_of(self._found[i]), mark) >= _SAME_IOU for i in self._near(box)
        )
        return found or self._drawn.edges(mark) == _ALL_EDGES

    def _label_of(
        self, one: ReportedElement, box: Rect, mark: Rect, known: Element | None
    ) -> tuple[list[int], list[Rect]]:
        """The lines that label a mark: those in its reported box, else those beside it that say its name.

        Args:
            one: what was reported.
            box: where that is.
            mark: the mark alone.
            known: what was found there, maybe with lines that were taken for its label.

        Returns:
            Places of lines that still stand, and the boxes of all.
        """
        if known is not None and known.mark_box and label_likeness(one.name, known.text or "") >= ALIKE:
            return [], [known.box]
        around = box.grown(0 if box.width > 2 * mark.width else _LABELS_REACH * mark.height)
        near = [i for i in self._near(around) if self._found[i].type in LINE_TYPES and not _is_decided(self._found[i])]
        lines = [self._found[i] for i in near] + ([] if known is None else _own_lines(known))
        inside = [place for place, line in enumerate(lines) if line.box.share_in(box) >= _INSIDE]
        said: Sequence[int] = inside
        if not inside and one.name:
            plain = [line.but(text=letters_in(line.text)) for line in lines]
            pointed = Element(uid="", frame=self._frame.id, type=one.type, box=mark, text=letters_in(one.name))
            said = owned_labels([*plain, pointed]).get(len(plain), ())
            if not said:
                said = labels_beside([pointed], lines).get(0, ())
                read = " ".join(lines[place].text or "" for place in said)
                said = said if label_likeness(one.name, read) >= ALIKE else ()
        return [near[place] for place in said if place < len(near)], [lines[place].box for place in said]

    def _words(self, one: ReportedElement, box: Rect) -> None:
        """A label: its words are the program's, its box is that of the ink."""
        if any(self._owns_parts(made) and self._is_of(made, box) for made in self._made):
            return  # a control's own
        if one.type == "hyperlink" and self._drawn.is_pressed(box):
            self._control(replace(one, type="button"), box)
            return
        near = [i for i in self._near(box) if self._share_in(i, box.grown(2)) >= _INSIDE]
        lines = [i for i in near if self._found[i].type in LINE_TYPES]
        if any(_is_decided(self._found[i]) for i in near):
            return
        highest = max((self._found[i].box.height for i in lines), default=box.height)
        if "\n" in one.text or (lines and box.height > _LINES * highest and self._are_several(lines)):
            self._retype(one, lines)
            return
        read = self._read(lines)
        if lines and self._contradicts(one.text, lines):
            return
        where = _around(self._found[i].box for i in lines) if lines else self._read_box(one, box, near)
        if not self._drawn.is_hit_in(where, box):
            where = box  # it was hit beside its words
        around = [i for i in near if i not in lines and self._found[i].type != "icon"]
        self._gone.update([*lines, *around])
        base = self._found[lines[0]] if lines else (self._found[around[0]] if around else None)
        is_told = one.type == "hyperlink" or (one.type == "text" and not one.stale) or not read
        text = one.text if is_told or label_likeness(one.text, read) else read
        self._made.append(self._element(one, where, text=" ".join(text.split()), base=base))

    def _is_of(self, made: Element, box: Rect) -> bool:
        """Whether words in a box are those of a control; labels are often reported wider than they are drawn."""
        return box.share_in(made.box) >= _INSIDE or (made.mark_box is not None and made.box.contains(box.center))

    def _read_box(self, one: ReportedElement, box: Rect, near: Sequence[int]) -> Rect:
        """Where the words of a link that is larger than they are were read as those of something else."""
        read = (said for i in near for said in self._found[i].evidence if said.source == "ocr" and said.box is not None)
        same = (said.box for said in read if label_likeness(one.name, said.text or "") >= ALIKE)
        return next((words for words in same if words is not None and words.share_in(box) >= _INSIDE), box)

    def _are_several(self, lines: Sequence[int]) -> bool:
        """Whether lines stand below each other."""
        tops = sorted(self._found[i].box.center.y for i in lines)
        return tops[-1] - tops[0] > 0.6 * min(self._found[i].box.height for i in lines)

    def _retype(self, one: ReportedElement, lines: Sequence[int]) -> None:
        """The lines of a text of several: each is an element, with those of its words that were reported."""
        read = {self._found[i].uid: i for i in lines if not _is_decided(self._found[i])}
        parts = told_lines(one.text, reading_order([self._found[i] for i in read.values()]))
        if parts is None and one.type != "text":
            parts = [(self._found[i], self._found[i].box, self._found[i].text or "") for i in read.values()]
        for known, box, text in parts or ():
            is_whole = box == known.box
            (self._gone if is_whole else self._shared).add(read[known.uid])
            self._made.append(self._element(one, box, text=text, base=known if is_whole else None))

    def _contradicts(self, name: str, lines: Sequence[int]) -> bool:
        """Whether something else was read there, and surely."""
        return self._is_sure(lines) and differs(name, self._read(lines))

    def _is_sure(self, lines: Sequence[int]) -> bool:
        return min(self._found[i].confidence or 0.0 for i in lines) >= _SURELY_READ

    def _picture(self, one: ReportedElement, box: Rect) -> None:
        """Pixels know better what an icon shows and where its ink is."""
        if any(self._share_in(i, box) >= _INSIDE or iou(self._found[i].box, box) >= _SAME_IOU for i in self._near(box)):
            return
        if not any(self._owns_parts(made) and box.share_in(made.box) >= _INSIDE for made in self._made):
            self._made.append(self._element(one, box, text=one.name))

    def _owns_parts(self, made: Element) -> bool:
        """Whether words and pictures in it are parts of it."""
        return made.type not in CONTAINERS or (made.type in ROWS and bool(made.text))

    # Small parts ------------------------------------------------------------------------------------------------

    def _base(self, one: ReportedElement, box: Rect, near: Sequence[int]) -> int | None:
        """What was found of the same thing."""
        if not near:
            return None
        own = self._boxes[list(near)]
        overlap = iou_of(common_areas(box_array([box]), own), areas(box_array([box])), areas(own))[0]
        ranked = sorted(zip(overlap.tolist(), near, strict=True), reverse=True)
        same = [i for share, i in ranked if share >= _SAME_IOU]
        if not same and one.type == "button":  # a sign is drawn smaller than it can be hit
            inside = [i for i in near if self._share_in(i, box) >= _INSIDE]
            signs = [i for i in inside if self._found[i].type == "icon"]
            same = signs if len(signs) == 1 and all(self._found[i].type not in LINE_TYPES for i in inside) else []
        return next((i for i in same if self._found[i].type == one.type), same[0] if same else None)

    def _share_in(self, i: int, box: Rect) -> float:
        return self._found[i].box.share_in(box)

    def _read(self, places: Sequence[int]) -> str:
        """What was read there, from left to right and downwards."""
        known = reading_order([self._found[i] for i in places])
        return " ".join(one.text for one in known if one.text)

    def _element(
        self,
        one: ReportedElement,
        box: Rect,
        *,
        text: str | None,
        base: Element | None = None,
        words: Sequence[Element] = (),
        placeholder: str | None = None,
    ) -> Element:
        """The element of what was reported.

        Args:
            one: what was reported.
            box: where it is.
            text: what is written on it.
            base: what was found of the same thing.
            words: what was read on it beside that.
            placeholder: what an empty field shows.
        """
        said = one.name or one.text or None
        evidence = Evidence(
            source="accessibility",
            type=one.type,
            box=one.box,
            text=None if one.secure and not one.name else said,
            confidence=REPORTED_CONFIDENCE,
        )
        states: dict[State, bool] = dict(one.states)
        others: tuple[Evidence, ...] = ()
        if base is not None:
            others = tuple(e for e in _said_of(base) if e.source != "accessibility")
            states = {**base.states, **states}
        if not any(said.source == "ocr" and said.text for said in others):
            others += tuple(said for line in words for said in _said_of(line) if said.source == "ocr" and said.text)
        return Element(
            uid=new_id("el") if base is None else base.uid,
            frame=self._frame.id,
            type=one.type,
            box=box,
            text=None if one.secure else (text or None),
            placeholder=placeholder or None,
            subtype=None if base is None else base.subtype,
            states=states,
            source="accessibility",
            confidence=REPORTED_CONFIDENCE,
            evidence=(*others, evidence),
        ).cleaned()


def _reaches_beyond(box: Rect, other: Rect) -> bool:
    """Whether a box is to be seen on the left and on the right of another."""
    return box.x1 < other.x1 - _CROSSED_PX and other.x2 + _CROSSED_PX < box.x2


def _is_dots(name: str) -> bool:
    return bool(name) and not name.strip(".\N{HORIZONTAL ELLIPSIS}")


def _said_of(element: Element) -> tuple[Evidence, ...]:
    """What was said of it; what one model alone found, was said by that."""
    own = Evidence(
        source=element.source, type=element.type, box=element.box, text=element.text, confidence=element.confidence
    )
    return element.evidence or (own,)


def _as_drawn(one: ReportedElement, mark: Element) -> ReportedElement:
    """A box to tick that the detector and a rule see to be round, as some that Qt draws: a radio button."""
    seen = {said.source for said in mark.evidence if said.type == "radio"}
    return replace(one, type="radio") if one.type == "checkbox" and {"detector", "rule"} <= seen else one


def _mark_of(element: Element) -> Rect:
    """The mark alone of a box to tick that was found."""
    return element.mark_box or element.box


def _own_lines(element: Element) -> list[Element]:
    """The lines that were taken for the label of a box to tick."""
    return [
        element.but(type="text", box=said.box, text=said.text, mark_box=None)
        for said in element.evidence
        if said.source == "ocr" and said.box is not None and said.text and element.box.encloses(said.box)
    ]


def _is_decided(element: Element) -> bool:
    """Whether a person drew it or said something about it."""
    return element.source == "human" or element.review != "unreviewed"


def _around(boxes: Iterable[Rect]) -> Rect:
    whole: Rect | None = None
    for box in boxes:
        whole = box if whole is None else whole.union(box)
    assert whole is not None
    return whole
