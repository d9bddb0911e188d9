"""Rules about files: version, paths, names, sums, sizes, kinds; and the page, which does nothing of its own."""

from __future__ import annotations

import html
import re
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Final

from pydantic import ValidationError

from demopack.errors import PackError
from demopack.file_names import is_portable, is_safe
from demopack.json_lines import parse_object
from demopack.pack.manifest import FORMAT, MANIFEST, SCHEMA_VERSION, FileEntry, Manifest, is_foreign
from demopack.pack.page import fixed_parts
from demopack.pack.rules import RULES, Finding, Findings
from demopack.pack.source import PackSource

if TYPE_CHECKING:
    from demopack.pack.check.cache import PackMemory

MAX_FILE_BYTES: Final = 500_000_000
"""Bytes; hosts and file systems begin to make trouble there."""
MAX_JSON_BYTES: Final = 64 << 20


def read_small(source: PackSource, name: str) -> bytes:
    """The whole of a JSON file.

    Raises:
        PackError: it is missing, damaged, or larger than ``MAX_JSON_BYTES``.
    """
    return source.read(name, limit=min(MAX_JSON_BYTES, source.size(name) or 0))


def load_manifest(source: PackSource, findings: Findings) -> Manifest | None:
    """The manifest, or None where nothing else can be checked without it."""
    try:
        data = parse_object(_text(source.read_manifest()))
    except ValueError as error:
        findings.add(RULES["H04"].broken(MANIFEST, None, f"It cannot be read: {error}."))
        return None
    version = data.get("schema_version")
    if data.get("format") != FORMAT or type(version) is not int or not 1 <= version <= SCHEMA_VERSION:
        message = f"format is {data.get('format')!r} and schema_version is {version!r}; read is 1 to {SCHEMA_VERSION}."
        findings.add(RULES["V01"].broken(MANIFEST, None, message))
        return None
    if "coordinates" not in data or "observation" not in data:
        findings.add(RULES["G03"].broken(MANIFEST, None, "coordinates or observation is missing."))
        return None
    try:
        return Manifest.model_validate_json(source.read_manifest(), strict=True)
    except ValidationError as error:
        for problem in error.errors(include_url=False):
            where = ".".join(str(part) for part in problem["loc"])
            rule = "G03" if where.startswith(("coordinates", "observation")) else "H03"
            findings.add(RULES[rule].broken(MANIFEST, None, f"{where}: {problem['msg']}."))
        return None


def _text(data: bytes) -> str:
    if data.startswith(BOM_UTF8):
        raise ValueError("it begins with a byte order mark")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError("it is not UTF-8") from error


def check_listing(source: PackSource, manifest: Manifest, memory: PackMemory) -> Iterator[Finding]:
    """Every file of the manifest is there and whole; every file that is there is in the manifest.

    The sums of PNG files are left to the check of pictures, which has to read them anyway.
    """
    listed: set[str] = set()
    for entry in manifest.files:
        if not is_safe(entry.path):
            yield RULES["P01"].broken(MANIFEST, None, f"The path {entry.path!r} leaves the pack.")
            continue
        listed.add(entry.path)
        yield from _check_file(source, entry, memory)
    for name in source.names():
        size = source.size(name) or 0
        if name in listed and not is_portable(name):
            yield RULES["H02"].broken(name, None, f"The name {name!r} is not portable.")
        if size > MAX_FILE_BYTES:
            yield RULES["Z01"].broken(name, None, f"It has {size / 1e6:.0f} MB.")
    yield from _check_foreign(source, listed)


def _check_foreign(source: PackSource, listed: Collection[str]) -> Iterator[Finding]:
    """I05: a person's own files may lie in the folder; a folder full of them is told once."""
    own_tops = {name.partition("/")[0] for name in listed}
    told: Counter[str] = Counter()
    for name in source.names():
        if is_foreign(name, listed):
            top = name.partition("/")[0]
            told[name if top in own_tops else top] += 1
    for name, times in told.items():
        files = "" if times == 1 else f" {times} files lie there."
        yield RULES["I05"].broken(name, None, f"It is no part of the pack: pack.json does not list it.{files}")
    yield from check_special(source)


def check_special(source: PackSource) -> Iterator[Finding]:
    """I05 for what lies among the files and is none."""
    for name in source.special():
        message = "It is a FIFO, a socket, a device or a link to nothing, and was not opened."
        yield RULES["I05"].broken(name, None, message)


def _check_file(source: PackSource, entry: FileEntry, memory: PackMemory) -> Iterator[Finding]:
    name, found = entry.path, source.size(entry.path)
    if found is None:
        if not name.startswith("frames/"):  # a picture is reported where it is used
            yield RULES["I02"].broken(name, None, "pack.json lists it, but it is missing.")
    elif found != entry.size:
        yield RULES["I02"].broken(name, None, f"It has {found} bytes; pack.json says {entry.size}.")
    elif not name.endswith(".png"):
        try:
            digest = memory.sha256(name)
        except PackError as error:
            yield RULES["I02"].broken(name, None, str(error))
        else:
            yield from check_sum(entry, digest)


def check_sum(entry: FileEntry, digest: str) -> Iterator[Finding]:
    """I02 for one file."""
    if digest != entry.sha256:
        message = f"Its SHA-256 begins with {digest[:12]}; pack.json says {entry.sha256[:12]}."
        yield RULES["I02"].broken(entry.path, None, message)


PAGE: Final = "index.html"
_KNOWN = re.compile(
    r"(?:demos|steps|elements|trees)\.jsonl|README\.md|CHANGES\.md|LICEN[CS]E(?:\.md|\.txt)?|index\.html|schema/[^/]+\.json"
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
