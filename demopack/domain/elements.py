"""UI elements: types, the attributes each may carry, tri-state states, reading order, containment.

A state is tri-state: true, false, or *not visible*, which is written by leaving it out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Annotated, Any, Final, Literal, TypeAlias, cast, get_args

from pydantic import BeforeValidator, Field, PlainSerializer

from demopack.domain.geometry import Point, Rect, Size, to_norm_xywh
from demopack.domain.records import MAX_PX, Record
from demopack.errors import GeometryError

ElementType = Literal[
    "text", "hyperlink", "tabled_text", "draggable_text",
    "button", "radio", "checkbox", "toggle", "dropdown", "input_field", "text_area", "spinner", "slider",
    "resize_handle",
    "scrollbar", "scrollbar_up_button", "scrollbar_down_button", "scrollbar_left_button", "scrollbar_right_button",
    "scrollbar_thumb",
    "shape", "icon", "image",
    "menu", "menu_item", "tab", "list_item", "tree_item",
    "window", "dialog", "toolbar", "other",
]  # fmt: skip
ELEMENT_TYPES: Final[tuple[ElementType, ...]] = get_args(ElementType)

State = Literal["checked", "focused", "highlighted", "disabled", "expanded"]
STATES: Final[tuple[State, ...]] = get_args(State)

ElementSource = Literal["ocr", "detector", "describer", "accessibility", "human", "rule", "propagated"]
"""Who found an element. ``rule``: a rule of ours about pixels or other finds, named in the evidence; no model's
opinion. ``propagated``: a box of an earlier picture, carried over to where something changed; nothing found it here."""
Review = Literal["unreviewed", "doubtful", "approved", "rejected"]
REVIEWS: Final[tuple[Review, ...]] = get_args(Review)
"""What a person said: nothing yet, "somebody should look again", yes, or no."""

ICON_SUBTYPES: Final = (
    "back", "delete", "important", "forward", "reply", "retweet", "like", "share", "menu", "search", "send",
)  # fmt: skip
"""CAAP's eleven; the list is open, any word is accepted."""
SHAPE_SUBTYPES: Final = ("circle", "triangle", "rectangle", "point", "line")


@dataclass(frozen=True, slots=True, kw_only=True)
class Attributes:
    """What an element of one type may carry beside type and box."""

    text: bool = False
    subtype: bool = False
    mark: bool = False
    placeholder: bool = False
    states: frozenset[State] = frozenset()


def _may(
    *states: State, text: bool = True, subtype: bool = False, mark: bool = False, placeholder: bool = False
) -> Attributes:
    return Attributes(text=text, subtype=subtype, mark=mark, placeholder=placeholder, states=frozenset(states))


_TEXTLESS = _may(text=False)
ATTRIBUTES: Final[Mapping[ElementType, Attributes]] = {
    "text": _may("highlighted"),
    "hyperlink": _may("highlighted", "focused", "disabled"),
    "tabled_text": _may("highlighted"),
    "draggable_text": _may("highlighted"),
    "button": _may("focused", "disabled", "checked", "expanded"),
    "radio": _may("checked", "focused", "disabled", mark=True),
    "checkbox": _may("checked", "focused", "disabled", mark=True),
    "toggle": _may("checked", "focused", "disabled", mark=True),
    "dropdown": _may("focused", "disabled", "expanded", placeholder=True),
    "input_field": _may("focused", "disabled", placeholder=True),
    "text_area": _may("focused", "disabled", placeholder=True),
    "spinner": _may("focused", "disabled", placeholder=True),
    "slider": _may("focused", "disabled"),
    "resize_handle": _TEXTLESS,
    "scrollbar": _may("disabled", text=False),
    "scrollbar_up_button": _TEXTLESS,
    "scrollbar_down_button": _TEXTLESS,
    "scrollbar_left_button": _TEXTLESS,
    "scrollbar_right_button": _TEXTLESS,
    "scrollbar_thumb": _TEXTLESS,
    "shape": _may(text=False, subtype=True),
    "icon": _may("checked", "disabled", text=False, subtype=True),
    "image": _may("highlighted"),
    "menu": _may("focused", "disabled", "expanded"),
    "menu_item": _may("highlighted", "checked", "disabled", "expanded"),
    "tab": _may("checked", "focused", "disabled"),
    "list_item": _may("highlighted", "checked", "disabled"),
    "tree_item": _may("highlighted", "checked", "disabled", "expanded"),
    "window": _may("focused"),
    "dialog": _may("focused"),
    "toolbar": _TEXTLESS,
    "other": _may(*STATES, subtype=True),
}


AreaKind: TypeAlias = Literal["canvas", "list", "table", "tree", "page", "scroll area", "title bar"]
"""Subtypes of ``other`` where a step acted on an area as a whole: a ground that a program draws itself, an empty list,
what was scrolled, what a window is moved by."""


def _to_rect(value: Any) -> Any:  # noqa: ANN401 - whatever the JSON holds
    if isinstance(value, Rect):
        if not all(_is_pixel(edge) for edge in (value.x1, value.y1, value.x2, value.y2)):
            raise ValueError("a box lies within a thousand million pixels")  # what is refused when it is read again
        return value
    numbers = cast("Sequence[Any]", value) if isinstance(value, (list, tuple)) else ()
    if len(numbers) != 4 or not all(_is_pixel(number) for number in numbers):
        raise ValueError("a box is [x1, y1, x2, y2] in whole pixels")
    try:
        return Rect(*(int(number) for number in numbers))
    except GeometryError as error:
        raise ValueError(error.user_message) from error


def _is_pixel(number: Any) -> bool:  # noqa: ANN401 - whatever the JSON holds
    if type(number) is not int:
        whole = number.is_integer() if isinstance(number, float) else isinstance(number, Integral)
        if not whole or isinstance(number, bool):
            return False
    return bool(-MAX_PX <= number <= MAX_PX)


Box: TypeAlias = Annotated[
    Rect,
    BeforeValidator(_to_rect),
    PlainSerializer(lambda value: value.corners, return_type=Annotated[list[int], Field(min_length=4, max_length=4)]),
]
"""A ``Rect`` that is stored as ``[x1, y1, x2, y2]``."""


class Evidence(Record):
    """What one source said about an element, kept where sources were joined, so that a person sees who disagrees.

    Attributes:
        source: who said it.
        type: what it took the element for; None when it had no opinion.
        box: where it saw it; None when it had no opinion.
        text: what it read; None when it had no opinion.
        confidence: 0..1; None when the source gives none. A rule has measured nothing here: its confidence is a
            constant of that rule, or that of what the rule began with (``docs/adr/0035-honest-sources.md``).
        rule: the rule's name where the source is ``rule``; None there means that the name was not kept.
    """

    source: ElementSource
    type: ElementType | None = None
    box: Box | None = None
    text: str | None = None
    confidence: float | None = Field(default=None, ge=0, le=1)
    rule: str | None = Field(default=None, max_length=64, pattern=r"^[a-z][a-z0-9_]*$")


class Element(Record):
    """One thing on a screenshot that a person would point at.

    Attributes:
        uid: its identity in the library; survives every edit.
        frame: id of the frame it lies on.
        type: what it is.
        box: integer pixels of the frame.
        text: what is written on it; None when nothing is, or the type has no text. Of a field its value.
        mark_box: of a check box, radio button or toggle, whose box holds its label, too: the mark alone, in pixels of
            the frame; None where the box is the mark.
        placeholder: what an empty field shows instead of a value; None when nothing.
        subtype: for icons and shapes.
        states: true or false where it can be seen; left out where it cannot.
        source: who found it.
        confidence: 0..1 of the finder; None for a person; of rules and propagated boxes a documented constant.
        review: what a person said about it.
        track_id: the same element on other frames of the demo; None until tracked.
        parent: uid of the element around it, when a person corrected what geometry says; "" for none.
        evidence: what each source said, when several were joined; the fields above are what was made of it.
    """

    uid: str
    frame: str
    type: ElementType
    box: Box
    text: str | None = None
    mark_box: Box | None = None
    placeholder: str | None = None
    subtype: str | None = None
    states: dict[State, bool] = Field(default_factory=dict[State, bool])
    source: ElementSource = "human"
    confidence: float | None = Field(default=None, ge=0, le=1)
    review: Review = "unreviewed"
    track_id: str | None = None
    parent: str | None = None
    evidence: tuple[Evidence, ...] = ()

    @property
    def made_by_person(self) -> bool:
        """Whether a person drew it or said something about it."""
        return self.source == "human" or self.review != "unreviewed"

    def cleaned(self) -> Element:
        """The same element without the attributes that its type cannot carry."""
        may = ATTRIBUTES[self.type]
        return self.model_copy(
            update={
                "text": self.text if may.text else None,
                "mark_box": self.mark_box if may.mark else None,
                "placeholder": self.placeholder if may.placeholder else None,
                "subtype": self.subtype if may.subtype else None,
                "states": {state: value for state, value in self.states.items() if state in may.states},
            }
        )

    def changed(self, **fields: Any) -> Element:  # noqa: ANN401 - each field is validated below
        """A validated copy with some fields replaced; a mark goes with its box, or is lost where it is outside."""
        if self.mark_box is not None and "box" in fields and "mark_box" not in fields:
            fields["mark_box"] = _mark_within(self.mark_box, self.box, fields["box"])
        return Element.model_validate({**self.model_dump(), "box": self.box, **fields})


def _mark_within(mark: Rect, old: Rect, new: Rect) -> Rect | None:
    """Where the mark of an element lies whose box was moved or drawn anew; None where it is not in it any more."""
    if (old.width, old.height) == (new.width, new.height):
        mark = mark.moved(new.x1 - old.x1, new.y1 - old.y1)
    return mark if new.encloses(mark) else None


class NumberedElement(Element):
    """An element with the number by which prompts list it and answers refer to it.

    Attributes:
        number: in reading order on its picture, from 1; ``element_id`` in the contract and in packs.
    """

    number: int = Field(ge=1)

    def fractions(self, size: Size) -> Sequence[float]:
        """``[x, y, width, height]`` as fractions 0..1 of its picture, which has this size.

        Raises:
            GeometryError: the box does not lie on the picture.
        """
        return to_norm_xywh(self.box, size)


def numbered(ordered: Iterable[Element]) -> list[NumberedElement]:
    """Elements in reading order, each with its number from 1."""
    return [NumberedElement.trusted({**e.__dict__, "number": number}) for number, e in enumerate(ordered, start=1)]


def element_at(elements: Iterable[Element], point: Point) -> Element | None:
    """The smallest element under a point, rejected ones aside; of equal areas the later one, which lies on top."""
    under = [element for element in elements if element.review != "rejected" and element.box.contains(point)]
    return min(reversed(under), key=lambda element: element.box.area, default=None)


SCROLLED_TYPES: Final[frozenset[ElementType]] = frozenset({
    "text_area", "dropdown", "spinner", "slider", "scrollbar", "other",
})  # fmt: skip
"""Types that a turn of the wheel over them works on; over others it works on what lies around them."""


def scrolled_at(elements: Iterable[Element], point: Point) -> Element | None:
    """What the wheel works on under a point: the smallest element there that it can, else the smallest of all."""
    known = list(elements)
    return element_at((one for one in known if one.type in SCROLLED_TYPES), point) or element_at(known, point)


def containment(elements: Sequence[Element]) -> dict[str, str | None]:
    """The uid of each element's parent: the smallest larger element around it; None at the top.

    A parent that a person set (``Element.parent``) wins, unless that element is gone. Edges may touch. Of two equal
    boxes the first is the parent of the second. Runs on arrays: 5,000 elements take a fraction of a second.
    """
    if not elements:
        return {}
    from demopack.domain.overlap import box_array, smallest_around

    around: list[int] = smallest_around(box_array(e.box for e in elements)).tolist()
    uids = {element.uid for element in elements}
    parents: dict[str, str | None] = {}
    for element, place in zip(elements, around, strict=True):
        if element.parent is not None and (element.parent == "" or element.parent in uids):
            parents[element.uid] = element.parent or None
        else:
            parents[element.uid] = elements[place].uid if place >= 0 else None
    return parents


def reading_order(elements: Sequence[Element]) -> list[Element]:
    """The elements as a person would read them: rows from the top, left to right, insides right after their frame.

    The position in this list, from 1, is the ``element_id``. Rejected elements are left out.
    """
    kept = [element for element in elements if element.review != "rejected"]
    parents = containment(kept)
    children: dict[str | None, list[Element]] = {}
    for element in kept:
        children.setdefault(parents[element.uid], []).append(element)
    ordered: list[Element] = []
    seen: set[str] = set()
    stack = list(reversed(_rows(children.get(None, []))))
    while stack:
        element = stack.pop()
        if element.uid in seen:
            continue
        seen.add(element.uid)
        ordered.append(element)
        stack.extend(reversed(_rows(children.get(element.uid, []))))
    # A circle of hand-set parents has no top; its members are still there.
    ordered.extend(element for element in _rows(kept) if element.uid not in seen)
    return ordered


def _rows(siblings: Sequence[Element]) -> list[Element]:
    """Siblings in rows; two are in one row when they share more than half of the lower one's height."""
    rows: list[tuple[int, int, list[Element]]] = []
    for element in sorted(siblings, key=lambda e: (e.box.y1 + e.box.y2, e.box.x1)):
        box = element.box
        if rows:
            top, bottom, row = rows[-1]
            shared = min(bottom, box.y2) - max(top, box.y1)
            if shared * 2 > min(bottom - top, box.height):
                row.append(element)
                continue
        rows.append((box.y1, box.y2, [element]))
    return [e for _, _, row in rows for e in sorted(row, key=lambda e: (e.box.x1, e.box.y1))]
