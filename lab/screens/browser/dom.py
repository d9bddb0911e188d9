"""From what the page says about itself to what a person would mark on its picture.

``truth*.js`` walks the page and reports boxes in CSS pixels; here they become boxes of the picture: lines and icons
shrink to their ink, scroll bars are taken apart, names become subtypes, what is double goes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, cast, get_args

from demopack.domain.elements import ATTRIBUTES, ElementType, State
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect, Size, iou
from demopack.errors import CaptureError
from demopack.pixels.foreground import foreground_box
from lab.screens.browser.names import icon_subtype
from lab.screens.browser.popups import popup_of
from lab.screens.browser.scrollbars import bar_parts
from models.training.labelled_screens import GroundTruth

_SCRIPTS = ("truth_seen", "truth_kinds", "truth_text", "truth_parts", "truth_icons", "truth")
_SMALLEST = 3
_GROUPS = frozenset[ElementType]({"window", "dialog", "toolbar"})
_TYPES = frozenset[str](get_args(ElementType))


@cache
def page_script() -> str:
    """The body of the function that reports what is on a page; it takes a selector and the picture's box."""
    folder = Path(__file__).parent
    return "\n".join((folder / f"{name}.js").read_text(encoding="utf-8") for name in _SCRIPTS)


def truths(
    said: Sequence[Mapping[str, Any]], image: RgbImage, *, origin: tuple[float, float], scale: float
) -> list[GroundTruth]:
    """The elements of a picture.

    Args:
        said: what ``page_script`` returned.
        image: shape (height, width, 3), uint8, taken of the same page.
        origin: CSS pixel of the page that is the picture's first.
        scale: picture pixels for one CSS pixel.

    Raises:
        CaptureError: the opened list of a drop-down cannot be made out.
    """
    size = Size(image.shape[1], image.shape[0])
    roughs = [_pixels(one["box"], origin, scale, outward=bool(one.get("ink"))).clamped(size) for one in said]
    lines = [i for i, one in enumerate(said) if one.get("line")]
    for index, rough in zip(lines, _apart([roughs[i] for i in lines]), strict=True):
        roughs[index] = rough
    for index, one in enumerate(said):
        if one["type"] == "icon" and one.get("ink"):
            roughs[index] = _beside(roughs[index], [roughs[i] for i in lines])
    found: list[GroundTruth] = []
    for one, rough in zip(said, roughs, strict=True):
        found.extend(_elements(one, rough, image))
    for one, rough in zip(said, roughs, strict=True):
        if one.get("options"):
            found = _with_popup(found, one, rough, image)
    return with_leaves(_single(t for t in found if min(t.box.width, t.box.height) >= _SMALLEST))


def with_leaves(found: Sequence[GroundTruth]) -> list[GroundTruth]:
    """The same elements, each told whether another one lies in it."""
    return [
        one.model_copy(update={"leaf": one.type not in _GROUPS and not any(_holds(one, other) for other in found)})
        for one in found
    ]


def _pixels(box: Sequence[float], origin: tuple[float, float], scale: float, *, outward: bool) -> Rect:
    left, top, right, bottom = (
        (value - origin[i % 2]) * scale for i, value in enumerate(box)
    )  # fmt: skip
    if outward:
        return Rect(math.floor(left), math.floor(top), math.ceil(right), math.ceil(bottom))
    # Edges are drawn at the nearest pixel, halves down and right.
    return Rect(*(math.floor(v + 0.5) for v in (left, top, right, bottom)))


def _apart(lines: Sequence[Rect]) -> list[Rect]:
    """Boxes of lines that overlap their neighbours above and below a little, cut in the middle of what they share."""
    cut = list(lines)
    for i, a in enumerate(lines):
        for j, b in enumerate(lines):
            shared = a.intersection(b) if i != j else None
            if shared is None or a.y1 > b.y1 or shared.height * 2 > min(a.height, b.height):
                continue
            middle = (shared.y1 + shared.y2) // 2
            cut[i] = Rect(cut[i].x1, cut[i].y1, cut[i].x2, max(cut[i].y1, min(cut[i].y2, middle)))
            cut[j] = Rect(cut[j].x1, min(cut[j].y2, max(cut[j].y1, middle)), cut[j].x2, cut[j].y2)
    return cut


def _beside(icon: Rect, lines: Sequence[Rect]) -> Rect:
    """The part of an icon's place that no line of text reaches into from its left or right."""
    for line in lines:
        shared = icon.intersection(line)
        if shared is None or shared.width * 2 > icon.width:
            continue
        if line.x1 > icon.x1:
            icon = Rect(icon.x1, icon.y1, shared.x1, icon.y2)
        else:
            icon = Rect(shared.x2, icon.y1, icon.x2, icon.y2)
    return icon


def _elements(one: Mapping[str, Any], rough: Rect, image: RgbImage) -> list[GroundTruth]:
    kind = str(one["type"])
    if kind not in _TYPES or rough.area == 0:
        return []
    kind = cast("ElementType", kind)
    if kind == "scrollbar":
        return _scrollbar(one, rough, image)
    box = foreground_box(image, rough) if one.get("ink") else rough
    if box is None or (kind not in _GROUPS and not one.get("ink") and _is_invisible(box, image)):
        return []
    may = ATTRIBUTES[kind]
    text = " ".join(str(one.get("text") or "").split()) or None
    return [
        GroundTruth(
            type=kind,
            box=box,
            text=text if may.text else None,
            subtype=_subtype(kind, one) if may.subtype else None,
            states=_states(one, may.states),
        )
    ]


def _is_invisible(box: Rect, image: RgbImage) -> bool:
    """Whether nothing is drawn in a box and at its edges."""
    around = image[max(0, box.y1 - 2) : box.y2 + 2, max(0, box.x1 - 2) : box.x2 + 2]
    return bool((around == around[:1, :1]).all())


def _subtype(kind: ElementType, one: Mapping[str, Any]) -> str | None:
    said = str(one.get("subtype") or "")
    if said:
        return None if said == "none" else said
    return icon_subtype(one.get("about") or ()) if kind == "icon" else None


def _states(one: Mapping[str, Any], may: frozenset[State]) -> dict[State, bool]:
    said: Mapping[str, Any] = one.get("states") or {}
    return {state: said[state] for state in sorted(may) if isinstance(said.get(state), bool)}


def _scrollbar(one: Mapping[str, Any], box: Rect, image: RgbImage) -> list[GroundTruth]:
    measured = bar_parts(
        image, box, upright=bool(one["upright"]), part=min(1.0, float(one["part"])), at=float(one["at"])
    )
    found = [GroundTruth(type="scrollbar", box=box, states={"disabled": float(one["part"]) >= 1})]
    return found + [GroundTruth(type=kind, box=part) for kind, part in measured.parts]


def _with_popup(
    found: Sequence[GroundTruth], one: Mapping[str, Any], field: Rect, image: RgbImage
) -> list[GroundTruth]:
    """The elements with the opened list of a drop-down on top of them.

    Raises:
        CaptureError: the list cannot be made out, so nobody knows what it covers.
    """
    popup = popup_of(image, field, list(one["options"]), chosen=int(one["chosen"]), height=int(one["row"]))
    if popup is None:
        raise CaptureError("The opened list of a drop-down cannot be made out on the picture.")
    common = ((other, other.box.intersection(popup.frame)) for other in found)
    kept = [other for other, over in common if over is None or over.area * 2 <= other.box.area]
    kept += popup.rows
    if popup.bar is not None:
        kept.append(GroundTruth(type="scrollbar", box=popup.bar, states={"disabled": False}))
        kept += [GroundTruth(type=kind, box=part) for kind, part in bar_parts(image, popup.bar, upright=True).parts]
    return kept


def _single(found: Iterable[GroundTruth]) -> list[GroundTruth]:
    kept: list[GroundTruth] = []
    for one in found:
        if not any(one.type == other.type and iou(one.box, other.box) > 0.95 for other in kept):
            kept.append(one)
    return kept


def _holds(outer: GroundTruth, inner: GroundTruth) -> bool:
    if inner is outer or inner.box.area >= outer.box.area:
        return False
    common = outer.box.intersection(inner.box)
    return common is not None and common.area >= 0.9 * inner.box.area
