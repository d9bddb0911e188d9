"""The labels of a CVAT task: declared in the XML, and as the JSON that CVAT's set-up takes before the boxes come."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final
from xml.sax.saxutils import escape

from demopack.domain.elements import ATTRIBUTES, ELEMENT_TYPES, ICON_SUBTYPES, SHAPE_SUBTYPES, STATES

__all__ = ["labels_json", "labels_xml"]

_PLAIN: Final = ("source", "review", "track_id", "parent", "uid", "confidence")
_UNSEEN: Final = "not visible"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Attribute:
    name: str
    kind: str = "text"
    default: str = ""
    values: tuple[str, ...] = ()


def _declared(kind: str) -> list[_Attribute]:
    """What a label of this type may say; CVAT drops every attribute that its task does not declare."""
    may = next(value for name, value in ATTRIBUTES.items() if name == kind)
    subtypes = {"icon": ICON_SUBTYPES, "shape": SHAPE_SUBTYPES}.get(kind, ())
    shown = [state for state in STATES if state in may.states or kind == "other"]
    return [
        _Attribute(name="text"),
        _Attribute(name="subtype", values=tuple(subtypes)),
        *(_Attribute(name=one, kind="select", default=_UNSEEN, values=(_UNSEEN, "true", "false")) for one in shown),
        *(_Attribute(name=one) for one in _PLAIN),
    ]


def labels_xml(used: Collection[str]) -> list[str]:
    """The declaration of the labels that a file has."""
    lines: list[str] = []
    for name in (kind for kind in ELEMENT_TYPES if kind in used):
        lines += ["<label>", f"<name>{escape(name)}</name>", "<attributes>", *map(_xml, _declared(name))]
        lines.append("</attributes></label>")
    return lines


def _xml(one: _Attribute) -> str:
    parts = (
        ("name", one.name),
        ("mutable", "True"),
        ("input_type", one.kind),
        ("default_value", one.default),
        ("values", "\n".join(one.values)),
    )
    return f"<attribute>{''.join(f'<{key}>{escape(value)}</{key}>' for key, value in parts)}</attribute>"


def labels_json() -> list[dict[str, Any]]:
    """All labels as CVAT's “Raw” set-up and its command line take them."""
    return [
        {
            "name": name,
            "type": "rectangle",
            "attributes": [
                {
                    "name": one.name,
                    "mutable": True,
                    "input_type": one.kind,
                    "default_value": one.default,
                    "values": list(one.values) if one.kind == "select" else [one.default],
                }
                for one in _declared(name)
            ],
        }
        for name in ELEMENT_TYPES
    ]
