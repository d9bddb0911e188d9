"""HTML and Markdown made of texts: everything that is not a tag is escaped, always."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

from demopack.errors import BadInputError


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


def json_html(value: Any) -> Markup:  # noqa: ANN401 - any JSON value
    """JSON with its keys, texts and numbers marked, lists of plain values on one line.

    Every line is an element of its own, so that a long one can be folded under its own indentation.
    """
    lines = "".join(_line(depth, line) for depth, line in _lines(value, 0, "", ""))
    return Markup(lines)


def _line(depth: int, line: str) -> str:
    return f'<span class="l" style="--d:{depth * 2 + 2}ch">{"  " * depth}{line}\n</span>'


def _lines(value: Any, depth: int, before: str, after: str) -> Iterator[tuple[int, str]]:  # noqa: ANN401
    """The lines of a value: depth and HTML; ``before`` (a key) and ``after`` (a comma) stand on its first and last."""
    inner = _inside(value)
    if not inner:
        yield depth, f"{before}{_scalar(value)}{after}"
    elif isinstance(value, list) and not any(_inside(item) for _, item in inner):
        yield depth, f"{before}[{', '.join(_scalar(item) for _, item in inner)}]{after}"
    else:
        opening, closing = "{}" if isinstance(value, dict) else "[]"
        yield depth, f"{before}{opening}"
        for number, (name, item) in enumerate(inner, start=1):
            yield from _lines(item, depth + 1, name, "," if number < len(inner) else "")
        yield depth, f"{closing}{after}"


def _inside(value: Any) -> list[tuple[str, Any]]:  # noqa: ANN401 - any JSON value
    """What a dict or list holds, each with its key as HTML; empty for everything else."""
    if isinstance(value, dict):
        pairs = cast("dict[str, Any]", value).items()
        return [(f"{tag('span', json.dumps(key, ensure_ascii=False), class_='k')}: ", item) for key, item in pairs]
    return [("", item) for item in cast("list[object]", value)] if isinstance(value, list) else []


def _scalar(value: object) -> Markup:
    return tag("span", json.dumps(value, ensure_ascii=False), class_="s" if isinstance(value, str) else "n")


def plain(text: str, *, limit: int = 200) -> str:
    """Text on one line that Markdown takes for text: no heading, link, table, HTML or emphasis can come of it."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return re.sub(r"([\\`*_{}\[\]<>|~&])", r"\\\1", line[:limit])


def table(head: Sequence[str], rows: Iterable[Sequence[str]], *, centred: bool = False) -> str:
    """A table in Markdown, its cells as they are; ``centred`` are all columns but the first."""
    rules = ["---", *[":-:" if centred else "---"] * (len(head) - 1)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, rules, *rows))


_BLOCK = re.compile(r"(<!-- table: (\w+) -->).*?(<!-- end -->)", re.DOTALL)


def fill(page: str, parts: Mapping[str, Callable[[], str]]) -> str:
    """A page of Markdown with its parts made anew: what stands between ``<!-- table: NAME -->`` and ``<!-- end -->``.

    Raises:
        BadInputError: the page asks for a part that there is none of.
    """

    def made(match: re.Match[str]) -> str:
        if match[2] not in parts:
            raise BadInputError(f"There is no table {match[2]!r}.", hint=f"There are {', '.join(parts)}.")
        return f"{match[1]}\n\n{parts[match[2]]()}\n\n{match[3]}"

    return _BLOCK.sub(made, page)
