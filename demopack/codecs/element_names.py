"""Names for elements by which no other of the picture can be meant, such as ``the second button "Edit" from the top``.

Two elements are one thing for this where the middle of one lies in the box of the other: pointing at either hits both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal

from demopack.codecs.element_words import element_words, label_of
from demopack.domain.elements import NumberedElement

NamedBy = Literal["text", "type", "label", "kind", "neighbour", "order"]
"""What tells an element apart: its text; text and type; the label beside it; its kind, as there is one alone; a text on
its row; or its place among those that are called the same."""
_ORDINALS: Final = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_MAX_NEIGHBOUR: Final = 40
"""Characters of a text that stands for a row."""


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


def element_names(elements: Sequence[NumberedElement]) -> list[ElementName]:
    """A name for each element of a picture, in the order given; those without area are not looked at."""
    seen = [element for element in elements if element.box.area]
    texts: dict[str, list[NumberedElement]] = {}
    called: dict[str, list[NumberedElement]] = {}
    kinds: dict[tuple[str, str | None], list[NumberedElement]] = {}
    plain: dict[str, str] = {}
    labelled: set[str] = set()
    for element in seen:
        label = label_of(element, seen)
        words = element_words(element, "", None, label=label)
        plain[element.uid] = words
        if label and words != element_words(element, "", None):
            labelled.add(element.uid)
        called.setdefault(words.casefold(), []).append(element)
        kinds.setdefault((element.type, element.subtype), []).append(element)
        if element.text:
            texts.setdefault(_plain(element.text), []).append(element)
    alone = [group[0] for text, group in texts.items() if len(group) == 1 and len(text) <= _MAX_NEIGHBOUR]
    names: list[ElementName] = []
    for element in seen:
        words = plain[element.uid]
        rivals = _elsewhere(element, called[words.casefold()])
        by: NamedBy
        if element.uid in labelled:
            others, by = rivals, "label"
        elif element.text:
            others = _elsewhere(element, texts[_plain(element.text)])
            by = "type" if others else "text"
        elif element.type == "other":
            names.append(ElementName(element=element, words="", by=None, distractors=()))
            continue
        else:
            others = rivals = _elsewhere(element, kinds[element.type, element.subtype])
            by = "kind"
            if rivals and element.subtype is None:
                # One more that nobody found would change the number of every other.
                names.append(ElementName(element=element, words="", by=None, distractors=_missed(element, others)))
                continue
        if rivals:
            words, told = _told_apart(element, words, rivals, alone)
            names.append(ElementName(element=element, words=words, by=told, distractors=_missed(element, others)))
        else:
            names.append(ElementName(element=element, words=words, by=by, distractors=_missed(element, others)))
    return names


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


def _told_apart(
    element: NumberedElement, words: str, rivals: Sequence[NumberedElement], alone: Sequence[NumberedElement]
) -> tuple[str, NamedBy | None]:
    """The words made longer until they mean one of those that are called so; empty where nothing tells them apart."""
    beside = [
        one for one in alone if _on_one_row(element, one) and not any(_on_one_row(rival, one) for rival in rivals)
    ]
    if beside and " beside " not in words:
        near = min(beside, key=lambda one: (_gap(element, one), one.number))
        return f'{words} beside "{" ".join((near.text or "").split())}"', "neighbour"
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


def _on_one_row(element: NumberedElement, other: NumberedElement) -> bool:
    """Whether they stand side by side: each one's middle is as high as the other, and neither lies on the other."""
    box, its = element.box, other.box
    level = box.y1 <= its.center.y < box.y2 and its.y1 <= box.center.y < its.y2
    return level and (its.x2 <= box.x1 or box.x2 <= its.x1)


def _gap(element: NumberedElement, other: NumberedElement) -> int:
    """Pixels between two elements that stand side by side."""
    return max(element.box.x1 - other.box.x2, other.box.x1 - element.box.x2)
