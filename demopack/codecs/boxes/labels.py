"""Labels and attributes of other programs as element types, states and other fields, and the way back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, get_args

from demopack.codecs.boxes.base import PLAIN, DecodeContext
from demopack.codecs.boxes.input_files import as_number, as_text
from demopack.domain.elements import ELEMENT_TYPES, STATES, Element, ElementSource, Review, State
from demopack.json_text import object_in

OWN: Final = "demopack"
"""The key under which files hold what their format has no field for."""

_ALIASES: Final[Mapping[str, str]] = {
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


def decode_label(label: object, context: DecodeContext) -> dict[str, Any]:
    """The element type of a label; a label that is none becomes the subtype of an ``other``, so nothing is lost."""
    text = as_text(label).strip()
    word = context.labels.get(text, text).lower().replace(" ", "_").replace("-", "_")
    if word in ELEMENT_TYPES or word in _ALIASES:
        return {"type": _ALIASES.get(word, word)}
    context.lost.add("label", "labels that are no type of ours became “other”, the label its subtype", text)
    return {"type": "other", **({"subtype": text} if text else {})}


def parse_state(value: object) -> bool | None:
    """A state as another program writes it; None where it cannot be seen."""
    if isinstance(value, bool):
        return value
    word = as_text(value).strip().lower()
    return True if word in _YES else False if word in _NO else None


def decode_attributes(given: Mapping[str, Any], where: str, context: DecodeContext) -> dict[str, Any]:
    """Fields of an element among attributes by name; foreign ones are counted."""
    found: dict[str, Any] = {}
    states: dict[State, bool] = {}
    for name, value in {**given, **object_in(given.get("states"))}.items():
        state: State | None = next((one for one in STATES if one == name.lower()), None)
        if state is not None:
            seen = parse_state(value)
            if seen is not None:
                states[state] = seen
        elif name in _FIELDS:
            read = _field_value(name, value)
            found |= {} if read is None else {name: read}
        elif name == "occluded":
            if parse_state(value):
                context.left_out.add("attribute occluded", "marks that an element is covered", where)
        elif name not in _PASSED_OVER and value not in (None, "", False, 0):
            context.left_out.add(f"attribute {name}", f"the attribute “{name}” is none of ours", where)
    return {**found, "states": states} if states else found


_FIELDS: Final = (
    "text", "mark_box", "placeholder", "subtype", "source", "review", "track_id", "uid", "parent", "confidence",
)  # fmt: skip


def _field_value(name: str, value: object) -> str | float | list[int] | None:
    """A field out of an attribute; None where it says nothing."""
    if name == "mark_box":
        numbers = as_text(value).split(",")
        return [int(number) for number in numbers] if len(numbers) == 4 and all(map(_is_number, numbers)) else None
    if name == "confidence":
        return as_number(value)
    text = as_text(value)
    if name == "parent" and text == "-":
        return ""
    return text if text and text in _CHOICES.get(name, (text,)) else None


def _is_number(text: str) -> bool:
    return text.strip().removeprefix("-").isdecimal()


_PASSED_OVER: Final = frozenset(
    {"states", "element_id", "leaf", "rotation", "keyframe", "outside", "iscrowd", "supercategory"}
)


def encode_attributes(element: Element) -> dict[str, Any]:
    """Everything of an element but type, box and confidence, as attributes by name; a state is one attribute."""
    block = encode_own_fields(element, "text", "placeholder", "subtype", "source", "review", "track_id", "uid")
    if element.mark_box is not None:
        block["mark_box"] = ",".join(map(str, element.mark_box.corners))
    parent = {} if element.parent is None else {"parent": element.parent or "-"}
    states: dict[str, Any] = {str(name): value for name, value in element.states.items()}
    return {**block, **parent, **states}


def encode_own_fields(element: Element, *names: str) -> dict[str, Any]:
    """Fields for which a format has no place of its own, as JSON; what is at its default is left out."""
    data = element.to_json()
    return {name: data[name] for name in names if data[name] not in (None, {}, PLAIN.get(name))}


def decode_own_fields(block: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON value
    """Fields that :func:`encode_own_fields` wrote; other keys are passed over."""
    data = object_in(block)
    return {name: data[name] for name in (*_FIELDS, "states") if name in data}
