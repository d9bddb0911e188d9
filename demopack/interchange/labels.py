"""What the words of other programs mean: labels to element types, attributes to states."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, get_args

from demopack.domain.elements import ELEMENT_TYPES, STATES, Element, ElementSource, ElementType, Review, State
from demopack.interchange.form import Reading
from demopack.interchange.reading import number_of, text_of

__all__ = ["OWN", "flat_attributes", "own_block", "own_fields", "said_attributes", "state_value", "type_fields"]

OWN: Final = "demopack"
"""The key under which files hold what their format has no field for."""

_ALIASES: Final[Mapping[str, ElementType]] = {
    "btn": "button", "push_button": "button", "submit": "button",
    "check_box": "checkbox", "radio_button": "radio", "radiobutton": "radio", "switch": "toggle",
    "combobox": "dropdown", "combo_box": "dropdown", "select": "dropdown", "drop_down": "dropdown",
    "input": "input_field", "text_field": "input_field", "textfield": "input_field", "textbox": "input_field",
    "text_box": "input_field", "edit_text": "input_field", "searchbox": "input_field", "search_box": "input_field",
    "textarea": "text_area", "spinbutton": "spinner", "spin_box": "spinner",
    "link": "hyperlink", "label": "text", "static_text": "text", "heading": "text", "paragraph": "text",
    "picture": "image", "img": "image", "menuitem": "menu_item", "listitem": "list_item", "treeitem": "tree_item",
    "scroll_bar": "scrollbar", "tool_bar": "toolbar", "popup": "dialog", "modal": "dialog",
}  # fmt: skip
"""Labels that are common elsewhere for what we call otherwise."""

_YES: Final = frozenset({"true", "yes", "1", "on"})
_NO: Final = frozenset({"false", "no", "0", "off"})
_CHOICES: Final[Mapping[str, tuple[str, ...]]] = {"source": get_args(ElementSource), "review": get_args(Review)}


def type_fields(label: object, reading: Reading) -> dict[str, Any]:
    """The element type of a label; a label that is none becomes the subtype of an ``other``, so nothing is lost."""
    text = text_of(label).strip()
    word = reading.labels.get(text, text).lower().replace(" ", "_").replace("-", "_")
    for known in ELEMENT_TYPES:
        if known == word:
            return {"type": known}
    if word in _ALIASES:
        return {"type": _ALIASES[word]}
    reading.lost.add("label", "labels that are no type of ours became “other”, the label its subtype", text)
    return {"type": "other", **({"subtype": text} if text else {})}


def state_value(value: object) -> bool | None:
    """A state as another program writes it; None where it cannot be seen."""
    if isinstance(value, bool):
        return value
    word = text_of(value).strip().lower()
    return True if word in _YES else False if word in _NO else None


def said_attributes(given: Mapping[str, Any], where: str, reading: Reading) -> dict[str, Any]:
    """Fields of an element among attributes by name; foreign ones are counted."""
    found: dict[str, Any] = {}
    states: dict[State, bool] = {}
    nested = given.get("states")
    pairs: dict[str, Any] = {**given, **(nested if isinstance(nested, dict) else {})}
    for name, value in pairs.items():
        state: State | None = next((one for one in STATES if one == name.lower()), None)
        if state is not None:
            seen = state_value(value)
            if seen is not None:
                states[state] = seen
        elif name in _PLAIN:
            found |= _PLAIN[name](name, value)
        elif name == "occluded":
            if state_value(value):
                reading.left_out.add("attribute occluded", "marks that an element is covered", where)
        elif name not in _PASSED and value not in (None, "", False, 0):
            reading.left_out.add(f"attribute {name}", f"the attribute “{name}” is none of ours", where)
    return {**found, "states": states} if states else found


def _word(name: str, value: object) -> dict[str, Any]:
    text = text_of(value)
    return {name: text} if text else {}


def _choice(name: str, value: object) -> dict[str, Any]:
    text = text_of(value)
    return {name: text} if text in _CHOICES[name] else {}


def _parent(name: str, value: object) -> dict[str, Any]:
    text = text_of(value)
    return {name: "" if text == "-" else text} if text else {}


def _number(name: str, value: object) -> dict[str, Any]:
    number = number_of(value)
    return {} if number is None else {name: number}


_PLAIN: Final[Mapping[str, Any]] = {
    "text": _word, "subtype": _word, "source": _choice, "review": _choice, "track_id": _word, "uid": _word,
    "parent": _parent, "confidence": _number,
}  # fmt: skip
_PASSED: Final = frozenset(
    {"states", "element_id", "leaf", "rotation", "keyframe", "outside", "iscrowd", "supercategory"}
)


def flat_attributes(element: Element) -> dict[str, Any]:
    """Everything of an element but type, box and confidence, as attributes by name; a state is one attribute."""
    block = own_block(element, "text", "subtype", "source", "review", "track_id", "uid")
    parent = {} if element.parent is None else {"parent": element.parent or "-"}
    states: dict[str, Any] = {str(name): value for name, value in element.states.items()}
    return {**block, **parent, **states}


def own_block(element: Element, *names: str) -> dict[str, Any]:
    """Fields for which a format has no place of its own, as JSON; what is at its default is left out."""
    data = element.to_json()
    plain = {"source": "human", "review": "unreviewed"}
    return {name: data[name] for name in names if data[name] not in (None, {}, plain.get(name))}


def own_fields(block: object) -> dict[str, Any]:
    """What :func:`own_block` wrote; other keys are passed over."""
    if not isinstance(block, dict):
        return {}
    names = (*_PLAIN, "states")
    return {name: block[name] for name in names if name in block}  # pyright: ignore[reportUnknownVariableType]
