"""Mends what can be mended without guessing. The pack is written anew beside itself and takes its place whole."""

from __future__ import annotations

import contextlib
import re
from codecs import BOM_UTF8
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

from demopack.errors import PackError
from demopack.file_names import is_portable
from demopack.json_lines import dump_line, dump_pretty, parse_object
from demopack.json_text import as_list, as_row, as_rows
from demopack.pack.check.files import MAX_FILE_BYTES
from demopack.pack.manifest import DEMOS, ELEMENTS, MANIFEST, STEPS, TABLES, is_foreign
from demopack.pack.picture import PIXEL_CHUNKS, PNG_MAGIC, only_pixels, png_chunks
from demopack.pack.sink import replaced_when_done
from demopack.pack.source import FolderSource, PackSource, open_source, raw_lines


def fix_pack(path: Path) -> list[str]:
    """Mend a pack in place.

    Form of the lines (H04), names of files (H02), what pictures carry beside their pixels (P04), pictures that nobody
    uses (I03). Everything else would be a guess. A file whose sum was wrong before keeps its wrong sum.

    Returns:
        What was mended, one sentence for each; empty where the pack was left as it is.

    Raises:
        PackError: it is not a pack, or its manifest cannot be read. Nothing was changed.
        DiskFullError: nothing was changed.
    """
    with contextlib.ExitStack() as reading:
        mending = _Mending(reading.enter_context(open_source(path)))
        if not mending.log:
            return []
        with replaced_when_done(path, zipped=path.is_file(), dropped=mending.dropped) as (sink, _):
            files: list[dict[str, Any]] = []
            for name, data, listed in mending.files():
                sink.write(name, data)
                files += [listed] if listed is not None else []
            manifest = {**mending.manifest, "files": sorted(files, key=lambda entry: str(entry["path"]))}
            sink.write(MANIFEST, dump_pretty(manifest).encode())
            sink.close()
            reading.close()  # on Windows a file that is open cannot be replaced
    return mending.log


class _Mending:
    """What is to be done to each file of a pack.

    Attributes:
        manifest: the content of ``pack.json``.
        log: what will be mended, one sentence for each.
        dropped: pictures that are left out.
    """

    def __init__(self, source: PackSource) -> None:
        self.log: list[str] = []
        self._source = source
        raw = source.read_manifest()
        try:
            self.manifest = parse_object(raw.removeprefix(BOM_UTF8).decode("utf-8"))
        except ValueError as error:
            raise PackError(
                f"{MANIFEST} in {source.path} cannot be read, so nothing can be mended: {error}.",
                hint="Get the pack again from its author.",
            ) from error
        if raw.startswith(BOM_UTF8):
            self.log.append(f"{MANIFEST}: the byte order mark is gone.")
        self._entries = {str(entry.get("path")): entry for entry in as_rows(self.manifest.get("files"))}
        # What else lies in a folder is brought along as it is; a zip has nobody who would do that.
        keeps = isinstance(source, FolderSource)
        self._names = [name for name in source.names() if not keeps or name in self._entries or name == MANIFEST]
        self._tables = {name: self._table(name) for name in TABLES if source.size(name) is not None}
        self._renamed = self._renames()
        self.dropped = self._orphans()
        for name in self._names:
            if name.endswith(".png") and name not in self.dropped:
                data = self._read(name)
                if _stripped(data) != data:
                    self.log.append(f"{name}: nothing but its pixels is left.")

    def _read(self, name: str) -> bytes:
        return self._source.read(name, limit=min(self._source.size(name) or 0, MAX_FILE_BYTES))

    def _table(self, name: str) -> bytes:
        lines: list[bytes] = []
        right = True
        try:
            for old in raw_lines(self._source, name):
                line = (old if lines else old.removeprefix(BOM_UTF8)).removesuffix(b"\n").removesuffix(b"\r")
                right = right and old == line + b"\n" and bool(line.strip())
                if line.strip():
                    lines.append(line + b"\n")
        except PackError as error:
            raise PackError(
                f"{name} in {self._source.path} cannot be read, so nothing can be mended: {error.user_message}.",
                hint="Get the pack again from its author.",
            ) from error
        if not right:
            self.log.append(f"{name}: the lines have their right form.")
        return b"".join(lines)

    def _renames(self) -> dict[str, str]:
        taken = set(self._source.names())
        renamed: dict[str, str] = {}
        for name in self._names:
            if is_portable(name):
                continue
            new = "/".join(re.sub(r"[^A-Za-z0-9_.-]+", "_", part) or "_" for part in name.split("/"))
            stem, dot, ending = new.rpartition(".")
            number = 1
            while new in taken:
                number += 1
                new = f"{stem or ending}-{number}{dot if stem else ''}{ending if stem else ''}"
            taken.add(new)
            renamed[name] = new
            self.log.append(f"{name}: is called {new} now.")
        return renamed

    def _orphans(self) -> set[str]:
        """Pictures that no row names; none where a row cannot be read, because it might name one."""
        if not {DEMOS, STEPS, ELEMENTS} <= self._tables.keys():
            return set()
        named: set[str] = set()
        try:
            for line in b"".join(self._tables.values()).decode("utf-8").split("\n"):
                named.update(_texts(parse_object(line)) if line else ())
        except ValueError:
            return set()
        pictures = {name for name in self._source.names() if name.startswith("frames/")}
        found = {name for name in pictures - named if not is_foreign(name, self._entries)}
        self.log += [f"{name}: is left out; no demo uses it." for name in sorted(found)]
        return found

    def files(self) -> Iterator[tuple[str, bytes, dict[str, Any] | None]]:
        """Name, content and the manifest's entry of every file but the manifest."""
        for name in self._names:
            if name == MANIFEST or name in self.dropped:
                continue
            old = self._read(name)
            new = self._fixed(name, old)
            path = self._renamed.get(name, name)
            entry = self._entries.pop(name, None)
            if entry is not None and (entry.get("size"), entry.get("sha256")) == (len(old), sha256(old).hexdigest()):
                entry = {"path": path, "size": len(new), "sha256": sha256(new).hexdigest()}
            yield path, new, entry if entry is None else {**entry, "path": path}

    def _fixed(self, name: str, data: bytes) -> bytes:
        if name in self._tables:
            return self._with_names(self._tables[name])
        if name.endswith(".png"):
            return _stripped(data)
        if name.endswith((".html", ".md")):
            for old, new in self._renamed.items():
                data = data.replace(old.encode(), new.encode())
        return data

    def _with_names(self, table: bytes) -> bytes:
        if not self._renamed:
            return table
        lines: list[str] = []
        for line in filter(None, table.decode("utf-8", "surrogateescape").split("\n")):
            try:
                lines.append(dump_line(cast("dict[str, Any]", _replaced(parse_object(line), self._renamed))))
            except ValueError:
                lines.append(line + "\n")
        return "".join(lines).encode("utf-8", "surrogateescape")


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for item in [*(as_row(value) or {}).values(), *as_list(value)]:
        yield from _texts(item)


def _replaced(value: object, names: dict[str, str]) -> object:
    """The same value with every text that is one of these paths replaced."""
    if isinstance(value, str):
        return names.get(value, value)
    row = as_row(value)
    if row is not None:
        return {key: _replaced(item, names) for key, item in row.items()}
    return [_replaced(item, names) for item in cast("list[object]", value)] if isinstance(value, list) else value


def _stripped(data: bytes) -> bytes:
    """A PNG's chunks that make its pixels, byte for byte, and nothing behind its end; what is no whole PNG as it is."""
    if not data.startswith(PNG_MAGIC) or only_pixels(data):
        return data
    parts = [PNG_MAGIC]
    for name, chunk in png_chunks(data):
        if name in PIXEL_CHUNKS:
            parts.append(chunk)
        if name == b"IEND":
            break
    stripped = b"".join(parts)
    return stripped if stripped.endswith(b"IEND\xaeB`\x82") else data
