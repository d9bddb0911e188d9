"""Rules about what a person opens by hand: the page does nothing of its own, and no other kind of file lies there."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Final

from demopack.errors import PackError
from demopack.file_names import is_safe
from demopack.pack.check.files import MAX_JSON_BYTES
from demopack.pack.findings import Finding
from demopack.pack.manifest import Manifest
from demopack.pack.page import fixed_parts
from demopack.pack.rules import RULES
from demopack.pack.source import PackSource

PAGE: Final = "index.html"
_KNOWN = re.compile(
    r"(?:demos|steps|elements)\.jsonl|README\.md|CHANGES\.md|LICEN[CS]E(?:\.md|\.txt)?|index\.html|schema/[^/]+\.json"
    r"|frames/.+|media/[^/]+\.png"
    r"|exports/.+\.(?:jsonl?|md|txt|py|png|jpe?g|webp|parquet|tar|ya?ml|html|xml|csv)"
)
_TAG = re.compile(r'<(/?)([a-z][a-z0-9]*)((?: [a-zA-Z][a-zA-Z-]*(?:="[^"<>]*")?)*)>')
_ATTRIBUTE = re.compile(r' ([a-zA-Z-]+)(?:="([^"]*)")?')
_TAGS: Final = frozenset({
    "a", "article", "aside", "b", "body", "button", "circle", "dd", "div", "dl", "dt", "figcaption", "figure", "g",
    "h1", "h2", "h3", "h4", "header", "img", "kbd", "li", "main", "nav", "ol", "p", "polyline", "pre", "rect",
    "section", "small", "span", "svg", "title", "ul",
})  # fmt: skip
_ATTRIBUTES: Final = frozenset({
    "alt", "aria-hidden", "aria-label", "aria-pressed", "class", "cx", "cy", "dir", "height", "href", "id", "loading",
    "points", "preserveAspectRatio", "r", "rx", "src", "style", "tabindex", "title", "transform", "type", "value",
    "viewBox", "width", "x", "y",
})  # fmt: skip


def check_kinds(manifest: Manifest) -> Iterator[Finding]:
    """I06 for every file that the manifest lists and that is none of a pack's."""
    for entry in manifest.files:
        if is_safe(entry.path) and not _KNOWN.fullmatch(entry.path):
            yield RULES["I06"].broken(entry.path, None, "A pack holds no file of this name and kind.")


def check_page(source: PackSource) -> Iterator[Finding]:
    """I07 for the page, where there is one."""
    size = source.size(PAGE)
    if size is None:
        return
    if size > MAX_JSON_BYTES:
        yield RULES["I07"].broken(PAGE, None, f"It has {size / 1e6:.0f} MB and was not looked through.")
        return
    try:
        why = _strange(source.read(PAGE, limit=size).decode("utf-8"))
    except UnicodeDecodeError:
        why = "It is not UTF-8."
    except PackError:
        return  # reported with the sums
    if why:
        yield RULES["I07"].broken(PAGE, None, why)


def _strange(page: str) -> str:
    """What the page has that no page of ours has; empty for nothing."""
    start, middle, end = fixed_parts()
    if not page.startswith(start) or not page.endswith(end) or page.count(middle) != 1:
        return "Its head, its style or its script is not that of this version's pages."
    title, _, body = page[len(start) : -len(end)].partition(middle)
    if "<" in title or body.count("<") != sum(1 for _ in _TAG.finditer(body)):
        return "It holds what is written in no page of ours."
    for found in _TAG.finditer(body):
        if found[2] not in _TAGS:
            return f"It holds the tag {found[2][:40]}, as no page of ours does."
        for name, value in _ATTRIBUTE.findall(found[3]):
            if name not in _ATTRIBUTES or not _stays(name, html.unescape(value)):
                return f"A tag {found[2]} has {name[:40]}={value[:60]!r}, as in no page of ours."
    return ""


def _stays(name: str, value: str) -> bool:
    """Whether what an attribute leads to lies in the pack."""
    if name == "href":
        return value.startswith("#")
    return is_safe(value) if name == "src" else "url(" not in value
