"""Rules about files: version, paths, sums, pictures, and the form of the lines."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from demopack.domain.records import Record
from demopack.errors import PackError
from demopack.pack.findings import Finding
from demopack.pack.lines import parse_object
from demopack.pack.manifest import FORMAT, MANIFEST, SCHEMA_VERSION, Manifest
from demopack.pack.names import is_portable, is_safe
from demopack.pack.picture import PNG_MAGIC, decode, only_pixels
from demopack.pack.rules import RULES
from demopack.pack.source import PackSource

__all__ = ["Picture", "check_listing", "check_picture", "check_rows", "load_manifest"]

_LARGEST_PNG = 10_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A picture as the tables describe it.

    Attributes:
        file: path inside the pack.
        id: SHA-256 over size and pixels.
        size: width and height.
        named_in: file and line that name it first.
    """

    file: str
    id: str
    size: tuple[int, int]
    named_in: tuple[str, int]


@dataclass(slots=True)
class Line:
    """One line that fits its schema, as plain JSON.

    Attributes:
        number: of the line, from 1.
        data: the object.
    """

    number: int
    data: dict[str, Any] = field(default_factory=dict[str, Any])


def load_manifest(source: PackSource, findings: list[Finding]) -> Manifest | None:
    """The manifest, or None where nothing else can be checked without it."""
    try:
        data = parse_object(_text(source.read_manifest()))
    except ValueError as error:
        findings.append(RULES["H04"].broken(MANIFEST, None, f"It cannot be read: {error}."))
        return None
    version = data.get("schema_version")
    if data.get("format") != FORMAT or type(version) is not int or not 1 <= version <= SCHEMA_VERSION:
        message = f"format is {data.get('format')!r} and schema_version is {version!r}; read is {SCHEMA_VERSION}."
        findings.append(RULES["V01"].broken(MANIFEST, None, message))
        return None
    if "coordinates" not in data or "observation" not in data:
        findings.append(RULES["G03"].broken(MANIFEST, None, "coordinates or observation is missing."))
        return None
    try:
        return Manifest.model_validate_json(source.read_manifest(), strict=True)
    except ValidationError as error:
        for problem in error.errors(include_url=False):
            where = ".".join(str(part) for part in problem["loc"])
            rule = "G03" if where.startswith(("coordinates", "observation")) else "H03"
            findings.append(RULES[rule].broken(MANIFEST, None, f"{where}: {problem['msg']}."))
        return None


def _text(data: bytes) -> str:
    if data.startswith(b"\xef\xbb\xbf"):
        raise ValueError("it begins with a byte order mark")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError("it is not UTF-8") from error


def check_listing(source: PackSource, manifest: Manifest) -> Iterator[Finding]:
    """Every file of the manifest is there and whole; every file that is there is in the manifest."""
    listed: set[str] = set()
    for entry in manifest.files:
        if not is_safe(entry.path):
            yield RULES["P01"].broken(MANIFEST, None, f"The path {entry.path!r} leaves the pack.")
            continue
        listed.add(entry.path)
        yield from _check_file(source, entry.path, entry.size, entry.sha256)
    for name in source.names():
        if not is_portable(name):
            yield RULES["H02"].broken(name, None, f"The name {name!r} is not portable.")
        if name not in listed and name != MANIFEST and not name.startswith("frames/"):
            yield RULES["I05"].broken(name, None, "pack.json does not list it.")


def _check_file(source: PackSource, name: str, size: int, sha256: str) -> Iterator[Finding]:
    found = source.size(name)
    if found is None:
        if not name.startswith("frames/"):  # a picture is reported where it is used
            yield RULES["I02"].broken(name, None, "pack.json lists it, but it is missing.")
        return
    if found != size:
        yield RULES["I02"].broken(name, None, f"It has {found} bytes; pack.json says {size}.")
        return
    try:
        digest = hashlib.sha256(source.read(name, limit=size)).hexdigest()
    except PackError as error:
        yield RULES["I02"].broken(name, None, str(error))
        return
    if digest != sha256:
        yield RULES["I02"].broken(name, None, f"Its SHA-256 begins with {digest[:12]}; pack.json says {sha256[:12]}.")


def check_rows(
    source: PackSource, manifest: Manifest, name: str, model: type[Record], out: list[Finding]
) -> list[Line]:
    """The lines of a table that fit its schema; what is wrong with the others goes to ``out``."""
    size = next((entry.size for entry in manifest.files if entry.path == name), None)
    if size is None:
        out.append(RULES["I02"].broken(MANIFEST, None, f"{name} is not listed."))
        return []
    if source.size(name) is None:
        return []  # reported with the listing
    try:
        text = _text(source.read(name, limit=max(size, source.size(name) or 0)))
    except (ValueError, PackError) as error:
        out.append(RULES["H04"].broken(name, None, f"It cannot be read: {error}."))
        return []
    if text and not text.endswith("\n"):
        out.append(RULES["H04"].broken(name, None, "The last line has no line end; it may be cut off."))
    lines: list[Line] = []
    for number, line in enumerate(text.removesuffix("\n").split("\n") if text else [], start=1):
        problem = _fits(line, model)
        if isinstance(problem, dict):
            lines.append(Line(number, problem))
        else:
            out.append(RULES[problem[0]].broken(name, number, problem[1]))
    return lines


def _fits(line: str, model: type[Record]) -> dict[str, Any] | tuple[str, str]:
    """The object of a line, or the rule it breaks and how."""
    if line.endswith("\r"):
        return "H04", "The line ends with CR LF."
    try:
        data = parse_object(line)
    except ValueError as error:
        return "H04", f"It is not one JSON object: {error}."
    try:
        model.model_validate_json(line, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        return "H03", f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}."
    return data


def check_picture(source: PackSource, picture: Picture, limit: int) -> Iterator[Finding]:
    """One picture is there, is a PNG of nothing but pixels, and has the size and the id that the tables say."""
    file, line = picture.named_in
    if not is_safe(picture.file):
        yield RULES["P01"].broken(file, line, f"The path {picture.file!r} leaves the pack.")
        return
    if source.size(picture.file) is None:
        yield RULES["I01"].broken(file, line, f"The picture {picture.file} is missing.")
        return
    try:
        data = source.read(picture.file, limit=limit)
    except PackError:
        return  # reported with the listing
    if not data.startswith(PNG_MAGIC) or not picture.file.endswith(".png"):
        yield RULES["I04"].broken(picture.file, None, "It is not a PNG.")
        return
    if len(data) > _LARGEST_PNG:
        yield RULES["I04"].broken(picture.file, None, f"It has {len(data)} bytes.")
        return
    yield from _check_pixels(picture, data)


def _check_pixels(picture: Picture, data: bytes) -> Iterator[Finding]:
    try:
        decoded = decode(data)
    except ValueError as error:
        yield RULES["I01"].broken(picture.file, None, f"It cannot be decoded: {error}.")
        return
    height, width = decoded.image.shape[:2]
    if not only_pixels(data):
        yield RULES["P04"].broken(picture.file, None, "It carries more than pixels.")
    if decoded.mode not in {"RGB", "RGBA"}:
        yield RULES["I01"].broken(picture.file, None, f"Its colour mode is {decoded.mode}, not RGB.")
    elif (width, height) != picture.size:
        file, line = picture.named_in
        said = f"{picture.size[0]} x {picture.size[1]}"
        yield RULES["G02"].broken(file, line, f"{picture.file} is {width} x {height} pixels, not {said}.")
    elif decoded.id != picture.id:
        yield RULES["I02"].broken(picture.file, None, "Its pixels are not those of its id.")
