"""The little HTML that the page needs: everything that is not a tag is escaped, always."""

from __future__ import annotations

import html
import json
from typing import Any, cast

__all__ = ["Markup", "json_html", "tag", "text"]


class Markup(str):
    """A string that is HTML already; any other string is text and gets escaped."""

    __slots__ = ()


_CONTROL = {code: "\ufffd" for code in (*range(0x20), *range(0x7F, 0xA0)) if code not in {9, 10, 13}}


def text(value: object) -> Markup:
    """Text as HTML; characters that HTML forbids become the replacement character."""
    return Markup(html.escape(str(value).translate(_CONTROL), quote=True))


def tag(name: str, /, *children: object, **attributes: object) -> Markup:
    """An element. Children that are not :class:`Markup` are escaped.

    Args:
        name: of the element.
        children: what it contains; without any it is left empty (and unclosed where HTML wants that).
        attributes: a trailing underscore is dropped, others become hyphens; None and False leave the attribute out,
            True writes its bare name.
    """
    written = "".join(_attribute(key, value) for key, value in attributes.items())
    inner = "".join(child if isinstance(child, Markup) else text(child) for child in children)
    if name in {"img", "meta", "link"}:
        return Markup(f"<{name}{written}>")
    return Markup(f"<{name}{written}>{inner}</{name}>")


def _attribute(key: str, value: object) -> str:
    if value is None or value is False:
        return ""
    name = key.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{text(value)}"'


def json_html(value: Any, depth: int = 0) -> Markup:  # noqa: ANN401 - any JSON value
    """JSON with its keys, texts and numbers marked, lists of plain values on one line."""
    if isinstance(value, dict) and value:
        pairs = cast("dict[str, Any]", value).items()
        return _block("{", "}", [_pair(key, item, depth) for key, item in pairs], depth)
    if isinstance(value, list):
        items = cast("list[Any]", value)
        if any(isinstance(item, (dict, list)) for item in items):
            return _block("[", "]", [json_html(item, depth + 1) for item in items], depth)
        return Markup(f"[{', '.join(json_html(item) for item in items)}]")
    kind = "s" if isinstance(value, str) else "n"
    return tag("span", json.dumps(value, ensure_ascii=False), class_=kind)


def _pair(key: str, value: Any, depth: int) -> str:  # noqa: ANN401 - any JSON value
    return f"{tag('span', json.dumps(key, ensure_ascii=False), class_='k')}: {json_html(value, depth + 1)}"


def _block(opening: str, closing: str, items: list[str], depth: int) -> Markup:
    inner = ",\n".join("  " * (depth + 1) + item for item in items)
    return Markup(f"{opening}\n{inner}\n{'  ' * depth}{closing}")
