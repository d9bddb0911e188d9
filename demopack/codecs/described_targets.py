"""Targets that are named in words: finds the element that is meant, or says that it cannot."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from demopack.codecs.decoded import target_at
from demopack.codecs.element_names import element_names
from demopack.codecs.observation import Observation
from demopack.codecs.target_words import part_words, parts_of
from demopack.domain.actions import ActionTarget
from demopack.domain.elements import ELEMENT_TYPES, NumberedElement
from demopack.domain.geometry import Rect, Size
from demopack.domain.labels import labels_in, nearest_label, one_line
from demopack.errors import ActionError

Grounder: TypeAlias = Callable[[str, Observation], ActionTarget]
"""Finds what a description means on a screen; raises ActionError (``not_grounded``) where it cannot."""

# Double, curly and single quotes; an apostrophe inside a word is none.
_QUOTED = re.compile(
    '"([^"]+)"|\u201c([^\u201d]+)\u201d|\u2018([^\u2019]+)\u2019'
    r"|(?<!\w)'((?:[^']|(?<=\w)'(?=\w))+)'(?!\w)"
)
_PLACE = re.compile(r"\bx=(\d+), y=(\d+)")
_PART = re.compile(
    r"\bthe (?:(?P<down>upper|lower|top|bottom) ?)?(?P<across>(?:far )?(?:left|right))? ?"
    r"(?:part|middle) of (?P<whole>.+)"
)
_SPOT = re.compile(r"\bthe spot (?P<side>left of|right of|above|below) (?P<what>.+)")
_WITHIN = re.compile(r" in (the .{0,20}(?:part|middle) of the screen)\b")
_SIDES: Final = {"left of": (-1, 0), "right of": (1, 0), "above": (0, -1), "below": (0, 1)}
_TOLD_APART = re.compile(r"\b(?:beside|in the row of) \"|\bfrom the (?:top|left)\b")
"""In names that stand apart from others of the screen."""
_PURPOSE = re.compile(r"(?<!next)\s+(?:in order )?to (?!(?:the|an?)\b|[\"'\u201c\u2018]).*$", re.IGNORECASE)
"""Why something is done: "to focus on it", "to open its menu"."""
_VERB = re.compile(
    r"^(?:please )?(?:(?:left|right|double|triple|middle)[ -])?"
    r"(?:click|press|tap|select|choose|hover|point|move|scroll|drag|type|open)(?: the mouse)?"
    r"(?: (?:on|onto|over|to|into|in|at|up|down|left|right))*\b(?! menu| list)",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")
# Words that name no particular thing; the names of types do, so they are not among these.
_STOP_WORDS: Final = frozenset({
    "a", "an", "and", "at", "below", "beside", "by", "click", "double", "drag", "element", "for", "from", "in", "into",
    "it", "its", "move", "mouse", "next", "of", "on", "onto", "or", "over", "press", "right", "scroll", "select", "so",
    "text", "that", "the", "then", "this", "to", "triple", "type", "with",
})  # fmt: skip
_KINDS: Final[Mapping[str, tuple[str, ...]]] = {
    "input_field": ("input box", "input", "text box", "textbox", "search box", "edit box", "field", "text field"),
    "text_area": ("text box", "textbox", "input box", "field", "editor"),
    "dropdown": ("dropdown list", "dropdown menu", "drop-down", "combo box", "combobox", "select box"),
    "checkbox": ("check box", "tick box"),
    "radio": ("radio button", "option"),
    "toggle": ("switch", "toggle switch"),
    "hyperlink": ("link",),
    "list_item": ("item", "entry", "option", "row", "file", "folder"),
    "tree_item": ("item", "entry", "folder"),
    "menu_item": ("item", "entry", "option"),
    "tabled_text": ("cell", "row", "table"),
    "image": ("picture", "canvas"),
    "icon": ("symbol",),
    "spinner": ("number box", "spin box"),
}
"""Type -> what people call it, beside its own name."""
_MIN_COMMON_SHARE: Final = 0.5


def target_in_words(description: str, observation: Observation) -> ActionTarget:
    """The element that a description means: by the text it quotes, else by its words, by its kind among several.

    A text is that of an element or of the label beside it. A part of the screen or of an element (``the upper left part
    of the image``), a spot beside one, and a place in pixels (``x=300, y=400``) are places.

    Without an element list the quoted text becomes the target's text, to be found later; where nothing is quoted, what
    is left of the description without the verb, the kind and the purpose.

    Raises:
        ActionError: (``not_grounded``) no element fits, or several fit equally well.
    """
    place = _PLACE.search(description)
    if place is not None and observation.size is not None:
        x, y = float(place.group(1)), float(place.group(2))
        return target_at(x, y, observation, space="pixels", field_name="description")
    within = _WITHIN.search(description)
    spot = None if within else _SPOT.search(description) or _PART.search(description)
    if spot is not None:
        return _place(spot, observation)
    if not observation.elements:
        return ActionTarget(text=_name(description))
    if _TOLD_APART.search(description):
        named = [one for one in element_names(observation.elements) if one.words and one.words in description]
        if named:
            return observation.target(max(named, key=lambda one: len(one.words)).element)
    plain = _WITHIN.sub("", description)
    found = _quoted(plain, observation.elements) or _worded(plain, observation.elements, ties=within is not None)
    if within is not None and len(found) > 1 and observation.size is not None:
        screen, part = Rect(0, 0, *observation.size), within.group(1)
        found = [one for one in found if f"{part_words(one.box.center, screen)} of the screen" == part] or found
    if not found:
        raise _lost(description)
    return observation.target(found[0])


def _place(words: re.Match[str], observation: Observation) -> ActionTarget:
    """A place in a part of something, or beside it, as a box of size zero."""
    groups = words.groupdict()
    what = str(groups.get("whole") or groups.get("what")).strip().rstrip(".")
    box = (0.0, 0.0, 1.0, 1.0)
    if what != "the screen":
        target = target_in_words(what, observation)
        if target.bbox is None:
            return target
        box = target.bbox
    x, y, width, height = box
    if "side" in groups:
        # As far away as a line of it is high: the description does not say more.
        across, down = _SIDES[groups["side"]]
        far = x + width / 2 + across * (width + height) / 2, y + height / 2 + down * height
    else:
        size = observation.size
        rows, columns = parts_of(Size(round(width * size.width), round(height * size.height)) if size else Size(1, 1))
        far = x + width * _share(groups["across"], columns), y + height * _share(groups["down"], rows)
    x, y = (round(min(max(value, 0.0), 1.0), 6) for value in far)
    return ActionTarget(bbox=(x, y, 0.0, 0.0))


def _share(word: str | None, parts: Sequence[str]) -> float:
    """How far along a thing the middle of one of its parts is; 0..1."""
    word = word or ""
    number = parts.index(word) if word in parts else (len(parts) - 1) * (word in {"lower", "bottom", "far right"})
    return (2 * number + 1) / (2 * len(parts))


def _lost(description: str) -> ActionError:
    return ActionError(
        f"No element on the screen is clearly meant by “{description}”.",
        code="not_grounded",
        field="description",
        hint="Describe the element by its text in quotes, its kind and where it is, or scroll until it can be seen.",
    )


def _plain(text: str | None) -> str:
    return " ".join((text or "").casefold().split())


def _words(text: str) -> set[str]:
    return {word for word in _WORD.findall(text.casefold().replace("_", " ")) if word not in _STOP_WORDS}


def _names(kind: str) -> tuple[str, ...]:
    return (kind.replace("_", " "), *_KINDS.get(kind, ()))


def _said_kinds(description: str, elements: Sequence[NumberedElement]) -> dict[str, int]:
    """Length of the longest name of each type of these elements that is said outside of quotes; 0 for none."""
    plain = _QUOTED.sub(" ", description).casefold()
    return {
        kind: max((len(name) for name in _names(kind) if re.search(rf"\b{name}\b", plain)), default=0)
        for kind in {one.type for one in elements}
    }


def _texts(description: str) -> list[str]:
    return [next(part for part in groups if part) for groups in _QUOTED.findall(description)]


def _quoted(description: str, elements: Sequence[NumberedElement]) -> list[NumberedElement]:
    """The elements with the first text of the description that any has, those of the kind that is named first.

    An element of a kind that is named counts, too, where the text is its label, though rather one with nothing between.
    """
    labels, kinds = labels_in(elements), _said_kinds(description, elements)
    for said in map(one_line, _texts(description)):
        text = _plain(said)
        own = [one for one in elements if _plain(one.text) == text]
        own = [one for one in own if one_line(one.text) == said] or own
        own_uids = {one.uid for one in own}
        others = [one for one in elements if kinds[one.type] and one.uid not in own_uids]
        beside = [one for one in others if _plain(_label(one, labels, elements)) == text]
        beside = beside or [one for one in others if _plain(_label(one, labels, ())) == text]
        found = [*own, *beside] or [one for one in elements if one.text and text in _plain(one.text)]
        if found:
            return sorted(found, key=lambda one: (-kinds[one.type], one.number))
    return []


def _worded(description: str, elements: Sequence[NumberedElement], *, ties: bool) -> list[NumberedElement]:
    """The one element of which most is true that the description says; ``ties`` takes several that are equally good."""
    said = _words(_PURPOSE.sub("", description))
    if not said:
        # "The text" names a kind and nothing else.
        kinds = _said_kinds(description, elements)
        of_kind = [one for one in elements if kinds[one.type]]
        return of_kind if ties or len(of_kind) == 1 else []
    labels = labels_in(elements)
    own = {one.uid: _own_words(one, _label(one, labels, elements)) for one in elements}
    if not any("first" in words for words in own.values()):
        said.discard("first")  # an ordinal, and no part of a name
    shares = sorted(((len(said & own[one.uid]) / max(1, len(said)), one.number, one) for one in elements), reverse=True)
    best = [one for share, _, one in shares if share == shares[0][0] and share >= _MIN_COMMON_SHARE]
    if len(best) > 1 and not ties:
        kinds = _said_kinds(description, best)
        best = [one for one in best if kinds[one.type] == max(kinds.values())]
        return best if len(best) == 1 else []
    return best


def _label(
    element: NumberedElement, labels: Sequence[tuple[NumberedElement, str]], elements: Sequence[NumberedElement]
) -> str:
    label = nearest_label(element, labels, elements)
    return "" if label is None else label.text


def _own_words(element: NumberedElement, label: str) -> set[str]:
    parts = (element.text, element.subtype, label, *_names(element.type))
    return _words(" ".join(filter(None, parts)))


def _name(description: str) -> str:
    """What an element seems to be called: the text in quotes, else the description without verb, kind and purpose."""
    quoted = _texts(description)
    if quoted:
        return quoted[0]
    words = _VERB.sub("", _PURPOSE.sub("", description.strip().rstrip("."))).strip()
    words = re.sub(r"^(?:the|an?) ", "", words, flags=re.IGNORECASE)
    kinds = sorted({name for kind in ELEMENT_TYPES if kind != "text" for name in _names(kind)}, key=len, reverse=True)
    kind = next((name for name in kinds if words.casefold().endswith(f" {name}")), "")
    return words.removesuffix(words[len(words) - len(kind) :]).strip() if kind else words or description.strip()
