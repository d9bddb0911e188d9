"""Tasks from manuals and how-to pages in HTML or Markdown: a heading and the numbered list under it."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any, Final, Literal

from demopack.json_text import as_list, object_in, parse_json

_LEVELS: Final = {f"h{level}": level for level in range(1, 7)}
_SILENT: Final = frozenset({"script", "style", "head", "nav", "footer", "template", "noscript"})
"""Tags whose text is none of the page's."""
_BLOCKS: Final = frozenset(
    {"p", "div", "section", "article", "table", "tr", "pre", "blockquote", "dl", "dt", "dd", "body"}
)
_ENDS_STEP: Final = frozenset({"aside", "figure", "figcaption"})
_LEAD_IN: Final = re.compile(r"^(?:to|how to)\s+(?P<what>.{3,160}?)[:,.]?$", re.IGNORECASE)
"""A sentence that says what the list after it is for: "To insert a page break:"."""
_HOW_TO: Final = re.compile(r"^(?:how (?:to|do i|can i|do you)|to)\s+", re.IGNORECASE)
_SECTION_NUMBER: Final = re.compile(r"^(?:(?i:chapter|section|appendix|part)\s+)?(?:\d+|[A-Z])(?:\.\d+)*\.?\s+(?=\S)")
_METHOD: Final = re.compile(r"^(?:method|part|option|way)\s*\d*\s*(?:of\s+\d+)?\s*[:.]?\s*", re.IGNORECASE)
_ORPHANS: Final = frozenset({
    "steps", "procedure", "instructions", "the steps", "to do this", "do this", "do the following", "how to do it",
    "how", "what to do",
})  # fmt: skip
"""Headings and sentences that say only that steps follow."""
_SITE: Final = re.compile(r"\s+[-|\u2013\u2014]\s+\w[\w .]*$")
"""The name of the site behind the title of a page."""
_FOLLOW: Final = re.compile(
    r",?\s*(?:please\s+)?(?:follow|do|use|perform|take|complete)\s+(?:these|the following|this).*$", re.IGNORECASE
)
_SPACE: Final = re.compile(r"\s+")
_BEFORE_SIGN: Final = re.compile(r" (?=[.,;:!?](?:\s|$))")


@dataclass(frozen=True, slots=True, kw_only=True)
class PageTask:
    """A task that a page describes.

    Attributes:
        task: what is done, as an order with a capital.
        plan: its steps.
        place: the headings that lead to it.
    """

    task: str
    plan: tuple[str, ...]
    place: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PagePortion:
    """A part of a page as it reads.

    Attributes:
        place: the headings that lead to its beginning.
        text: its headings, paragraphs and points, a line each.
    """

    place: str
    text: str


@dataclass(slots=True, kw_only=True)
class _Block:
    """A heading, a paragraph, a numbered list or a point of another list.

    Attributes:
        kind: which.
        text: of it; empty for a list.
        level: of a heading.
        steps: of a list.
    """

    kind: Literal["heading", "text", "list", "point"]
    text: str = ""
    level: int = 0
    steps: list[str] = field(default_factory=list[str])


class _PageReader(HTMLParser):
    """Folds a page into blocks, forgiving as browsers are."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.blocks: list[_Block] = []
        self.how_tos: list[dict[str, Any]] = []
        self._words: list[str] = []
        self._heading = 0
        self._lists: list[str] = []
        self._steps: list[list[str]] = []
        self._silent: list[str] = []
        self._json: list[str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "script" and given.get("type") == "application/ld+json":
            self._json = []
        if tag in _SILENT or (tag in _ENDS_STEP and self._steps):
            self._silent.append(tag)
        if not self._silent:
            self._begin(tag, given)

    def _begin(self, tag: str, given: dict[str, str | None]) -> None:
        if tag in _LEVELS and not self._lists:
            self._flush()
            self._heading = _LEVELS[tag]
        elif tag in {"ol", "ul"}:
            self._flush()
            self._lists.append(tag)
            if tag == "ol":
                self._steps.append([])
        elif tag == "li":
            self._flush()
        elif tag in {"br", "td", "th"}:
            self._words.append(" ")
        elif tag in _BLOCKS:
            self._flush(inside=bool(self._lists))
        elif tag == "img" and self._steps and (given.get("alt") or "").strip():
            # Buttons are often shown as pictures; what they are called stands in their place.
            self._words.append(f" {given['alt']} ")

    def handle_endtag(self, tag: str) -> None:
        if tag == "script" and self._json is not None:
            self._structured("".join(self._json))
            self._json = None
        if self._silent:
            if tag == self._silent[-1]:
                self._silent.pop()
            return
        if tag in _LEVELS and self._heading:
            self._flush()
        elif tag in {"ol", "ul"} and tag in self._lists:
            self._flush()
            while self._lists:
                closed = self._lists.pop()
                if closed == "ol":
                    self._close_list()
                if closed == tag:
                    break
        elif tag == "li" or tag in _BLOCKS:
            self._flush(inside=tag != "li" and bool(self._lists))

    def handle_data(self, data: str) -> None:
        if self._json is not None:
            self._json.append(data)
        elif not self._silent:
            self._words.append(data)

    def close(self) -> None:
        super().close()
        self._flush()
        while self._lists:
            if self._lists.pop() == "ol":
                self._close_list()

    def _flush(self, *, inside: bool = False) -> None:
        """End the block that is being read; ``inside`` a step its paragraphs are one text."""
        if inside and self._steps:
            self._words.append(" ")
            return
        text = _BEFORE_SIGN.sub("", _SPACE.sub(" ", "".join(self._words))).strip()
        self._words.clear()
        level, self._heading = self._heading, 0
        if not text:
            return
        if level:
            self.blocks.append(_Block(kind="heading", text=text, level=level))
        elif self._steps:
            steps = self._steps[-1]
            if self._lists[-1] == "ul" and steps:
                # Points below a step belong to it.
                steps[-1] = f"{steps[-1]} {text}"
            else:
                steps.append(text)
        else:
            self.blocks.append(_Block(kind="point" if self._lists else "text", text=text))

    def _close_list(self) -> None:
        steps = self._steps.pop()
        if self._steps:
            self._steps[-1] += steps
        elif steps:
            self.blocks.append(_Block(kind="list", steps=steps))

    def _structured(self, text: str) -> None:
        """What a page says of itself in schema.org's words."""
        try:
            found = parse_json(text)
        except ValueError:
            return
        said = object_in(found)
        for one in [said, *map(object_in, as_list(said.get("@graph"))), *map(object_in, as_list(found))]:
            if one.get("@type") == "HowTo":
                self.how_tos.append(dict(one))


def read_page(text: str, *, markdown: bool = False, how_to: bool = False) -> Iterator[PageTask]:
    """The tasks of a page, in its order.

    What a page says of itself as a ``HowTo`` of schema.org counts first, else each numbered list is a plan: for the
    sentence before it ("To insert a page break:"), else for the heading above it.

    Args:
        text: of the page.
        markdown: whether it is Markdown.
        how_to: whether the page is about one task, its title; headings above its lists are methods then.
    """
    reader = _read(text, markdown=markdown)
    told = [task for one in reader.how_tos if (task := _how_to(one)) is not None]
    if told:
        yield from told
        return
    yield from _how_to_tasks(reader.blocks) if how_to else _manual_tasks(reader.blocks)


def _read(text: str, *, markdown: bool) -> _PageReader:
    reader = _PageReader()
    reader.feed(_rendered(text) if markdown else text)
    reader.close()
    return reader


def page_portions(text: str, *, markdown: bool = False, limit: int = 6000) -> Iterator[PagePortion]:
    """The words of a page, in its order, cut at headings where they are too many; headings alone are no portion.

    Args:
        text: of the page.
        markdown: whether it is Markdown.
        limit: characters of a portion; a paragraph that is longer is cut between words.
    """
    path: list[_Block] = []
    place, lines, full = "", list[str](), False
    sections: list[tuple[str, list[_Block]]] = []
    for block in _read(text, markdown=markdown).blocks:
        if block.kind == "heading":
            path = [*(one for one in path if one.level < block.level), block]
        if block.kind == "heading" or not sections:
            sections.append((" > ".join(one.text for one in path), []))
        sections[-1][1].append(block)
    for where, blocks in sections:
        found = [line for block in blocks for line in _lines_of(block, limit)]
        if lines and sum(map(len, lines + found)) > limit:
            if full:
                yield PagePortion(place=place, text="\n".join(lines))
            lines, full = [], False
        place = place if lines else where
        for line in found:
            if lines and sum(map(len, lines)) + len(line) > limit:
                yield PagePortion(place=place, text="\n".join(lines))
                lines, place = [], where
            lines.append(line)
        full = full or any(block.kind != "heading" for block in blocks)
    if full and lines:
        yield PagePortion(place=place, text="\n".join(lines))


def _lines_of(block: _Block, limit: int) -> Iterator[str]:
    if block.kind == "heading":
        yield f"{'#' * block.level} {block.text}"[:limit]
    elif block.kind == "point":
        yield from textwrap.wrap(f"- {block.text}", limit)
    else:
        for text in block.steps or [block.text]:
            yield from textwrap.wrap(text, limit)


def _rendered(text: str) -> str:
    from markdown_it import MarkdownIt

    return str(MarkdownIt("commonmark").render(_without_front_matter(text)))


def _without_front_matter(text: str) -> str:
    if text.startswith("---\n") and (end := text.find("\n---\n", 4)) > 0:
        return text[end + 5 :]
    return text


def _how_to(said: dict[str, Any]) -> PageTask | None:
    name = str(said.get("name") or "").strip()
    steps = [step for one in as_list(said.get("step")) for step in _how_to_steps(one)]
    return PageTask(task=as_order(name), plan=tuple(steps), place=name) if name and steps else None


def _how_to_steps(said: object) -> Iterator[str]:
    """Steps in their sections, as schema.org nests them."""
    if isinstance(said, str):
        yield _SPACE.sub(" ", said).strip()
        return
    one = object_in(said)
    inner = as_list(one.get("itemListElement"))
    if one.get("@type") == "HowToSection" or (inner and not one.get("text")):
        for step in inner:
            yield from _how_to_steps(step)
    elif words := str(one.get("text") or one.get("name") or "").strip():
        yield _SPACE.sub(" ", re.sub(r"<[^>]+>", "", words)).strip()


def _manual_tasks(blocks: list[_Block]) -> Iterator[PageTask]:
    path: list[_Block] = []
    before: _Block | None = None
    for block in blocks:
        if block.kind == "heading":
            path = [*(one for one in path if one.level < block.level), block]
        elif block.kind == "list":
            said = _lead_in(before)
            title = said or next((one.text for one in reversed(path) if not _says_nothing(one.text)), "")
            if title:
                place = " > ".join(one.text for one in path)
                yield PageTask(task=as_order(title), plan=tuple(block.steps), place=place)
        if block.kind != "point":
            before = block


def _how_to_tasks(blocks: list[_Block]) -> Iterator[PageTask]:
    headings = [one for one in blocks if one.kind == "heading"]
    if not headings:
        return
    title = min(headings, key=lambda one: one.level)
    lists: list[tuple[str, list[str]]] = []
    method = ""
    for block in blocks:
        if block.kind == "heading":
            method = "" if block is title else block.text
        elif block.kind == "list":
            if lists and lists[-1][0] == method:
                lists[-1][1].extend(block.steps)
            else:
                lists.append((method, list(block.steps)))
    task = as_order(_SITE.sub("", title.text))
    parts = [name.lower().startswith("part") for name, _ in lists]
    if lists and all(parts):
        yield PageTask(task=task, plan=tuple(step for _, steps in lists for step in steps), place=title.text)
        return
    for name, steps in lists:
        way = _METHOD.sub("", name).strip()
        place = " > ".join(one for one in (title.text, name) if one)
        named = len(lists) > 1 and way and way.casefold() not in _ORPHANS
        yield PageTask(task=f"{task} ({way})" if named else task, plan=tuple(steps), place=place)


def _lead_in(before: _Block | None) -> str:
    """What the sentence right before a list says that the list is for; empty where it says nothing of the kind."""
    if before is None or before.kind != "text":
        return ""
    last = re.split(r"(?<=[.!?])\s+", before.text)[-1]
    said = _LEAD_IN.match(last)
    if said is None or not before.text.endswith((":", ",", ".")):
        return ""
    what = said["what"]
    # "To do this, follow these steps" says nothing; of "To add a row, follow these steps" the beginning does.
    what = _FOLLOW.sub("", what)
    return "" if _says_nothing(what) else what


def _says_nothing(title: str) -> bool:
    return _SECTION_NUMBER.sub("", title).strip(" :.").casefold() in _ORPHANS


def as_order(title: str) -> str:
    """A title as an order: "How to Add a Border" and "3.2 To add a border:" are "Add a border" in the end."""
    text = _SECTION_NUMBER.sub("", title.strip(), count=1) or title.strip()
    text = _HOW_TO.sub("", text).rstrip(" :.?¶#").strip()
    return text[:1].upper() + text[1:]
