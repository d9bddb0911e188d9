"""Names for elements by which no other of the picture can be meant, such as ``the second button "Edit" from the top``.

Two elements are one thing for this where the middle of one lies in the box of the other: pointing at either hits both.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final, Literal

from demopack.codecs.element_words import element_words, kind_words
from demopack.domain.elements import NumberedElement
from demopack.domain.geometry import Rect
from demopack.domain.labels import Label, holds, is_between, labels_in, nearest_label, stands_by, trusted_text

NamedBy = Literal["text", "type", "label", "kind", "neighbour", "order"]
"""What tells an element apart: its text; text and type; the label by it; its kind, as there is one alone; a text on
its row; or its place among those that are called the same."""
_ORDINALS: Final = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_MAX_NEIGHBOUR: Final = 40
"""Characters of a text that stands for a row."""
_MAX_ROW: Final = 40
"""How far along a row a text stands for it, in heights of the lower of the two."""
_MUCH_NEARER: Final = 2
"""Where another is so many times as far from a label, the nearer one is meant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ElementName:
    """How an element is called on its picture.

    Attributes:
        element: the element.
        words: the name; empty where none means it alone.
        by: what tells it apart; None without a name.
        distractors: other elements of the same text, elsewhere; for one without a text, or called by
            its label, those called the same.
    """

    element: NumberedElement
    words: str
    by: NamedBy | None
    distractors: Sequence[NumberedElement]


def element_names(
    elements: Sequence[NumberedElement], *, of: Collection[NumberedElement] | None = None
) -> list[ElementName]:
    """A name for each element of a picture, in the order given; those without area are not looked at.

    A text that may be misread is quoted nowhere; it may be right, so what says the same is told from it.

    Args:
        elements: on the picture.
        of: those of them that are to be named; None for all.
    """
    screen = _Screen([element for element in elements if element.box.area])
    wanted = None if of is None else {one.uid for one in of}
    names: list[ElementName] = []
    for element, read in zip(screen.given, screen.seen, strict=True):
        if wanted is None or element.uid in wanted:
            words, by, others = screen.named(read)
            names.append(ElementName(element=element, words=words, by=by, distractors=_missed(element, others)))
    return names


class _Screen:
    """What stands on a picture, by what is told of it.

    Args:
        given: its elements, each with an area.
    """

    def __init__(self, given: Sequence[NumberedElement]) -> None:
        self.given = given
        told = ((one, trusted_text(one) if one.text else None) for one in given)
        self.seen = [one if text == one.text else one.but(text=text or None) for one, text in told]

    # Each is made when it is asked for: one element's name needs few of them.
    @cached_property
    def _labels(self) -> Sequence[tuple[NumberedElement, str]]:
        return labels_in(self.seen)

    @cached_property
    def _texts(self) -> Mapping[str, Sequence[NumberedElement]]:
        return _grouped(self.seen, self.given, lambda one: _plain(one.text or ""))

    @cached_property
    def _called(self) -> Mapping[str, Sequence[NumberedElement]]:
        return _grouped(self.seen, self.given, lambda one: element_words(one, "", None).casefold())

    @cached_property
    def _kinds(self) -> Mapping[str, Sequence[NumberedElement]]:
        return _grouped(self.seen, self.given, lambda one: one.type)

    @cached_property
    def _alone(self) -> Sequence[NumberedElement]:
        return [
            one
            for one in self.seen
            if one.text and len(text := _plain(one.text)) <= _MAX_NEIGHBOUR and len(self._texts[text]) == 1
        ]

    def named(self, element: NumberedElement) -> tuple[str, NamedBy | None, Sequence[NumberedElement]]:
        """The name of one that was seen, what tells it apart, and what else is called so or says the same."""
        label = nearest_label(element, self._labels, self.seen)
        if label is not None:
            return self._by_label(element, label)
        words = element_words(element, "", None)
        if element.text:
            others = _elsewhere(element, self._texts[_plain(element.text)])
            # "The element" may be anything that says so.
            rivals = others if element.type == "other" else _elsewhere(element, self._called[words.casefold()])
            by: NamedBy = "type" if others else "text"
        elif element.type == "other":
            return "", None, ()
        else:
            rivals = others = _elsewhere(element, self._of_kind(element))
            by = "kind"
            if rivals and element.subtype is None:
                # One more that nobody found would change the number of every other.
                row = self._by_row(element, words, rivals)
                return (row, "neighbour", others) if row else ("", None, others)
        if not rivals:
            return words, by, others
        row = self._by_row(element, words, rivals)
        if row:
            return row, "neighbour", others
        return *_by_order(element, words, rivals), others

    def _by_label(
        self, element: NumberedElement, label: Label
    ) -> tuple[str, NamedBy | None, Sequence[NumberedElement]]:
        kin, words = self._of_kind(element), element_words(element, "", None, label=label)
        rivals = _elsewhere(element, _labelled(kin, label, self._texts[_plain(label.text)], self.seen))
        if not rivals:
            return words, "label", rivals
        row = self._by_row(element, kind_words(element.but(text=None)), _elsewhere(element, kin))
        if row or element.type == "other":
            return row, "neighbour" if row else None, rivals
        return *_by_order(element, words, rivals), rivals

    def _of_kind(self, element: NumberedElement) -> Sequence[NumberedElement]:
        """Those that its kind means as well: without a subtype all of its type, those that have one, too."""
        if element.type == "other":
            return self.seen
        return [one for one in self._kinds[element.type] if element.subtype in {None, one.subtype}]

    def _by_row(self, element: NumberedElement, words: str, rivals: Sequence[NumberedElement]) -> str:
        """The words with a text of its row, on which no other stands that is called so; empty without one."""
        row = [
            (not _is_beside(element, one, self.seen), gap, one.number, one)
            for one in self._alone
            if _on_one_row(element, one)
            and (gap := _gap(element, one)) <= _MAX_ROW * min(element.box.height, one.box.height)
            and not any(_on_one_row(rival, one) for rival in rivals)
        ]
        if not row:
            return ""
        is_far, _, _, near = min(row)
        return f'{words} {"in the row of" if is_far else "beside"} "{near.text}"'


def _grouped(
    seen: Sequence[NumberedElement], given: Sequence[NumberedElement], key: Callable[[NumberedElement], str]
) -> Mapping[str, Sequence[NumberedElement]]:
    """The elements by what is told of each, with the text that is quoted and with the one that was read."""
    groups: dict[str, list[NumberedElement]] = {}
    for element, raw in zip(seen, given, strict=True):
        for told in {key(element)} if raw is element else {key(element), key(raw)}:
            if told:
                groups.setdefault(told, []).append(element)
    return groups


def _labelled(
    kin: Sequence[NumberedElement], label: Label, texts: Sequence[NumberedElement], seen: Sequence[NumberedElement]
) -> list[NumberedElement]:
    """Those that stand to the label, or to another text that says the same, as the one that is called by it does."""
    reach = _MUCH_NEARER * max(label.gap, label.element.box.height // 4)

    def is_so(box: Rect, text: Rect) -> bool:
        stands = ("with", 0) if holds(box, text) else stands_by(box, text)
        return stands is not None and stands[0] == label.side and stands[1] <= reach and not is_between(box, text, seen)

    return [one for one in kin if any(is_so(one.box, text.box) for text in texts)]


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _elsewhere(element: NumberedElement, group: Sequence[NumberedElement]) -> list[NumberedElement]:
    """Those of a group that are another thing than the element."""
    if len(group) == 1:
        return []
    return [one for one in group if one is not element and not element.box.contains(one.box.center)]


def _missed(element: NumberedElement, others: Sequence[NumberedElement]) -> list[NumberedElement]:
    """Those that nobody hits who points at the middle of the element."""
    return [one for one in others if not one.box.contains(element.box.center)]


def _by_order(element: NumberedElement, words: str, rivals: Sequence[NumberedElement]) -> tuple[str, NamedBy | None]:
    """The words with its place among those that are called so; empty where they stand in no order."""
    group = [element, *rivals]
    ways: Mapping[str, Callable[[NumberedElement], tuple[int, int]]] = {
        "from the top": lambda one: (one.box.y1, one.box.y2),
        "from the left": lambda one: (one.box.x1, one.box.x2),
    }
    for way, span in ways.items():
        ordered = sorted(group, key=span)
        if all(span(low)[1] <= span(high)[0] for low, high in pairwise(ordered)):
            number = ordered.index(element)
            nth = _ORDINALS[number] if number < len(_ORDINALS) else _nth(number + 1)
            return f"the {nth} {words.removeprefix('the ')} {way}", "order"
    return "", None


def _nth(number: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if number % 100 in {11, 12, 13} else ending}"


def _is_beside(element: NumberedElement, other: NumberedElement, seen: Sequence[NumberedElement]) -> bool:
    return stands_by(element.box, other.box) is not None and not is_between(element.box, other.box, seen)


def _on_one_row(element: NumberedElement, other: NumberedElement) -> bool:
    """Whether they stand side by side: each one's middle is as high as the other, and neither lies on the other."""
    box, its = element.box, other.box
    level = box.y1 <= its.center.y < box.y2 and its.y1 <= box.center.y < its.y2
    return level and _gap(element, other) >= 0


def _gap(element: NumberedElement, other: NumberedElement) -> int:
    """Pixels between two elements that stand side by side."""
    return max(element.box.x1 - other.box.x2, other.box.x1 - element.box.x2)
