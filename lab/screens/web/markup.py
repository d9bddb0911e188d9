"""HTML as text: tags, attributes, escaping, and the attributes that say what is true."""

from __future__ import annotations

import html
import json

_VOID = frozenset({"input", "img", "br", "hr", "meta", "link"})
Value = str | int | float | bool | None


def esc(text: str) -> str:
    """Text as it may stand in HTML, attributes included."""
    return html.escape(text)


def attributes(**given: Value) -> str:
    """Attributes with a blank before each; ``_`` becomes ``-``, a last one is dropped, None and False are left out."""
    parts: list[str] = []
    for key, value in given.items():
        if value is None or value is False:
            continue
        name = key.rstrip("_").replace("_", "-")
        parts.append(f" {name}" if value is True else f' {name}="{esc(str(value))}"')
    return "".join(parts)


def tag(name: str, *content: str, extra: str = "", **given: Value) -> str:
    """An element; ``content`` is HTML already, ``extra`` are attributes already."""
    opened = f"<{name}{attributes(**given)}{extra}>"
    return opened if name in _VOID else f"{opened}{''.join(content)}</{name}>"


def div(names: str, *content: str, style: str = "", extra: str = "", **given: Value) -> str:
    """A block with classes."""
    return tag("div", *content, extra=extra, class_=names or None, style=style or None, **given)


def span(names: str, *content: str, style: str = "", extra: str = "", **given: Value) -> str:
    """A part of a line with classes."""
    return tag("span", *content, extra=extra, class_=names or None, style=style or None, **given)


def truth(
    kind: str | None = None, *, subtype: str | None = None, text: str | None = None, **states: bool | None
) -> str:
    """The attributes that say what an element is, where its HTML does not.

    Args:
        kind: an element type; None leaves it to what the HTML says.
        subtype: of icons and shapes; ``none`` when there is no word for it.
        text: what can be read on it, where that is not what is written in it.
        states: true or false; None says nothing.
    """
    told = {name: value for name, value in states.items() if value is not None}
    return attributes(
        data_truth_type=kind,
        data_truth_subtype=subtype,
        data_truth_text=text,
        data_truth_states=json.dumps(told) if told else None,
    )
