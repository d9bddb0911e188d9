"""Packs as no writer would make them: whatever comes, nobody crashes, looks outside, or fills the memory."""

from __future__ import annotations

import contextlib
import io
import json
import stat
import struct
import sys
import tempfile
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demopack.errors import DemopackError
from demopack.json_text import as_list, as_row
from demopack.pack import check_pack, open_pack
from demopack.pack.check.fix import fix_pack
from demopack.pack.reader import open_packs
from demopack.pack.rules import RULES
from tests.support.many_demos import pack_of
from tests.support.packs import PackFolder

MEMORY = 100 << 20
"""Bytes that reading or checking a small file may take, whatever it claims to hold."""


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> PackFolder:
    return pack_of(tmp_path_factory.mktemp("fuzz"), [{}])


@pytest.fixture(scope="module")
def zipped(good: PackFolder) -> Path:
    zipped = good.path.parent / "good.zip"
    with zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(good.path.rglob("*")):
            if file.is_file():
                archive.writestr(zipfile.ZipInfo(file.relative_to(good.path).as_posix()), file.read_bytes())
    return zipped


class Opened:
    """Which files the interpreter opened, while anybody wants to know."""

    def __init__(self) -> None:
        self.listening = False
        self.files: list[str] = []
        sys.addaudithook(self._hear)

    def _hear(self, event: str, args: tuple[Any, ...]) -> None:
        if self.listening and event == "open" and isinstance(args[0], (str, bytes)):
            self.files.append(str(args[0]))


_OPENED = Opened()
_READERS: list[Callable[[Path], object]] = []


def reader(function: Callable[[Path], object]) -> Callable[[Path], object]:
    _READERS.append(function)
    return function


@reader
def checked(path: Path) -> None:
    for finding in check_pack(path):
        assert finding.rule in RULES
        assert finding.message


@reader
def opened(path: Path) -> None:
    with open_pack(path) as pack:
        for demo in pack.whole_demos():
            for frame in demo.frames():
                pack.get_image(frame.id)


@reader
def streamed(path: Path) -> None:
    with open_packs([path]) as demos:
        for demo in demos.demos():
            for file in demo.files.values():
                demo.pictures.read(file)


def survives(path: Path) -> None:
    """Everything that reads packs ends well, or with an error for a person; and opens nothing beside the pack."""
    for read in _READERS:
        _OPENED.files, _OPENED.listening = [], True
        try:
            with contextlib.suppress(DemopackError):
                read(path)
        finally:
            _OPENED.listening = False
        outside = [name for name in _OPENED.files if "secret" in name]
        assert not outside


def as_file(data: bytes, folder: Path) -> Path:
    file = folder / "pack.zip"
    file.write_bytes(data)
    return file


@pytest.fixture(scope="module")
def work() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


# Bytes ---------------------------------------------------------------------------------------------------------------


@given(st.data())
@settings(max_examples=60)
def test_damaged_bytes(zipped: Path, work: Path, data: st.DataObject) -> None:
    spoilt = bytearray(zipped.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        # Half of the damage goes to the directory at the end, which says where and how long everything is.
        low = data.draw(st.sampled_from([0, max(0, len(spoilt) - 2500)]))
        at = data.draw(st.integers(low, max(low, len(spoilt) - 1)))
        match data.draw(st.sampled_from(["flip", "cut", "insert", "zero", "end"])):
            case "flip":
                spoilt[at : at + 1] = bytes([data.draw(st.integers(0, 255))])
            case "cut":
                del spoilt[at : at + data.draw(st.integers(1, 200))]
            case "insert":
                spoilt[at:at] = data.draw(st.binary(min_size=1, max_size=40))
            case "zero":
                spoilt[at : at + 30] = bytes(30)
            case _:
                del spoilt[at:]
    survives(as_file(bytes(spoilt), work))


@given(st.binary(max_size=300))
@settings(max_examples=40)
def test_any_bytes(work: Path, data: bytes) -> None:
    survives(as_file(data, work))
    survives(as_file(b"PK\x05\x06" + data, work))


# Names ---------------------------------------------------------------------------------------------------------------

_NAMES = st.one_of(
    st.sampled_from([
        "../secret", "/etc/secret", "a/../../secret", "C:/secret", "C:secret", "a\\..\\secret", "a//b", "./a", "a/.",
        "", "/", "a\0b", "con", "frames/..", "pack.json/x", "\u202esecret", "demos.jsonl/", "é" * 90, "~/secret",
    ]),
    st.text(max_size=12),
)  # fmt: skip


@given(names=st.lists(_NAMES, min_size=1, max_size=4), kind=st.sampled_from([0, stat.S_IFLNK, stat.S_IFCHR]))
@settings(max_examples=40)
def test_names_that_lead_out(zipped: Path, work: Path, names: list[str], kind: int) -> None:
    buffer = io.BytesIO(zipped.read_bytes())
    with zipfile.ZipFile(buffer, "a") as archive:
        for name in names:
            info = zipfile.ZipInfo("placeholder")
            info.filename = name
            info.external_attr = (kind | 0o644) << 16 if kind else 0
            try:
                archive.writestr(info, "../../secret")
            except (UserWarning, ValueError, UnicodeEncodeError):
                continue  # zipfile itself does not write it
    survives(as_file(buffer.getvalue(), work))


_PATHS = ("../secret.png", "/etc/secret.png", "frames/../../secret.png", "C:\\secret.png", "frames/secret.png\0", "")


@pytest.mark.parametrize("path", _PATHS)
@pytest.mark.parametrize("table", ["demos", "steps", "elements"])
def test_rows_that_lead_out(good: PackFolder, tmp_path: Path, path: str, table: str) -> None:
    (tmp_path / "secret.png").write_bytes(b"private")
    pack = good.copy(tmp_path / "pack")
    (pack.path / "frames" / "secret.png").symlink_to(tmp_path / "secret.png")

    def change(row: dict[str, Any]) -> None:
        if table == "demos":
            row["frames"][0]["file"] = path
        else:
            row["image"] = path
        if table == "steps":
            row["before"]["file"] = path

    pack.edit_row(table, 0, change)
    survives(pack.path)
    assert "P01" in {finding.rule for finding in check_pack(pack.path)} or path == "frames/secret.png\0"


# Values --------------------------------------------------------------------------------------------------------------

_VALUES: st.SearchStrategy[Any] = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(-(10**30), 10**30), st.floats(allow_nan=False), st.text(max_size=8),
        st.sampled_from([-1, 0, 1, 10**9, "", "../secret", [], {}, [0, 0, 0, 0], [5, 5, 1, 1], "click", "drag"]),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=6), inner, max_size=3)),
    max_leaves=6,
)  # fmt: skip


def _places(value: object, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner: list[tuple[Any, Any]] = [*(as_row(value) or {}).items(), *enumerate(as_list(value))]
    return [at, *(place for key, item in inner for place in _places(item, (*at, key)))]


@given(st.data())
@settings(max_examples=60)
def test_values_that_nobody_would_write(good: PackFolder, data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as folder:
        pack = good.copy(Path(folder) / "pack")
        for _ in range(data.draw(st.integers(1, 3))):
            table = data.draw(st.sampled_from(["demos", "steps", "elements", "manifest"]))
            rows: Any = [pack.manifest()] if table == "manifest" else pack.rows(table)
            places = [place for place in _places(rows) if len(place) > 1]
            *way, last = data.draw(st.sampled_from(places))
            spot = rows
            for key in way:
                spot = spot[key]
            if data.draw(st.booleans()):
                spot[last] = data.draw(_VALUES)
            else:
                del spot[last]
            text = "".join(json.dumps(row) + "\n" for row in rows).encode()
            if table == "manifest":
                (pack.path / "pack.json").write_bytes(text)
                break
            pack.replace(f"{table}.jsonl", text)
        survives(pack.path)
        with contextlib.suppress(DemopackError):
            fix_pack(pack.path)


@pytest.mark.parametrize("name", ["pack.json", "steps.jsonl", "demos.jsonl", "elements.jsonl"])
def test_nesting_without_end(good: PackFolder, tmp_path: Path, name: str) -> None:
    pack = good.copy(tmp_path / "pack")
    text = b'{"a": ' * 100_000 + b"\n"
    if name == "pack.json":
        (pack.path / name).write_bytes(text)
    else:
        pack.replace(name, text)
    survives(pack.path)
    assert {finding.rule for finding in check_pack(pack.path)} >= {"H04"}


# Memory --------------------------------------------------------------------------------------------------------------


def _png_bomb(width: int, height: int) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    packer = zlib.compressobj(9)
    rows = b"".join(packer.compress(bytes(width * 3 + 1)) for _ in range(height)) + packer.flush()
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def _with(zipped: Path, name: str, data: bytes) -> bytes:
    """The pack with one file replaced, and a manifest that owns up to its size."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(zipped) as old, zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as new:
        for info in old.infolist():
            content = old.read(info)
            if info.filename == "pack.json" and name != "pack.json":
                manifest = json.loads(content)
                for entry in manifest["files"]:
                    if entry["path"] == name:
                        entry["size"] = len(data)
                content = json.dumps(manifest).encode()
            new.writestr(info.filename, data if info.filename == name else content)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("steps.jsonl", lambda: bytes(40 << 20)),
        ("elements.jsonl", lambda: b"\n" * (1 << 20)),
        ("demos.jsonl", lambda: b'"' + b" " * (12 << 20)),
        ("pack.json", lambda: b" " * (12 << 20)),
        ("README.md", lambda: bytes(40 << 20)),
        ("index.html", lambda: b"<p>" * (1 << 19)),
        ("frames/demo_0000000001/0001.png", lambda: _png_bomb(30_000, 4_000)),
        ("frames/demo_0000000001/0001.png", lambda: bytes(40 << 20)),
    ],
)
def test_what_unpacks_to_too_much_is_left_packed(
    zipped: Path, tmp_path: Path, name: str, make: Callable[[], bytes]
) -> None:
    file = as_file(_with(zipped, name, make()), tmp_path)
    assert file.stat().st_size < 2 << 20
    for read in (checked, opened):
        tracemalloc.start()
        try:
            with contextlib.suppress(DemopackError):
                read(file)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert peak < MEMORY, f"{peak >> 20} MB"
