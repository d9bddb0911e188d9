"""What a group of golden files collects: texts as they are, everything else as a sum, and how two of them differ."""

from __future__ import annotations

import base64
import difflib
import hashlib
import io
import json
import lzma
import re
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from PIL import Image

from tests.golden.doors import Said
from tests.golden.inputs import HERE

EXPECTED = HERE / "expected"
_EMBEDDED = re.compile(r"[A-Za-z0-9+/]{400,}={0,2}")
_SHOWN_LINES, _SHOWN_FILES, _WIDTH = 24, 6, 240


class Outputs:
    """Texts by name. What is no text stands in it as a line that tells its size and sum."""

    def __init__(self, work: Path) -> None:
        self.texts: dict[str, str] = {}
        self._work = work

    def said(self, name: str, said: Said) -> None:
        """What a command printed."""
        self.text(name, said.text)

    def text(self, name: str, text: str) -> None:
        """A text, without what names this machine's folders."""
        assert name not in self.texts, name
        for folder in {str(self._work.resolve()), str(self._work)}:
            text = text.replace(folder, "WORK")
        self.texts[name] = _EMBEDDED.sub(lambda found: _embedded(found.group()), text)

    def data(self, name: str, data: bytes) -> None:
        """A file: its text, what is in it where it is an archive, or its sum."""
        if name.endswith(".parquet"):
            self.text(name, _parquet(data))
        elif name.endswith((".tar", ".zip")):
            for inner, content in _members(data):
                self.data(f"{name}/{inner}", content)
        elif (text := _as_text(data)) is not None:
            self.text(name, text)
        else:
            self.text(name, f"{_sum(data)}\n")

    def folder(self, name: str, folder: Path) -> None:
        """All files of a folder. Sums in a pack's manifest are held to its files, and then left out."""
        for path in sorted(folder.rglob("*")):
            if path.is_dir():
                continue
            data = path.read_bytes()
            if path.name == "pack.json":
                data = _without_sums(path.parent, data)
            self.data(f"{name}/{path.relative_to(folder).as_posix()}", data)


# Keeping ---------------------------------------------------------------------------------------------------------


def write_expected(group: str, texts: dict[str, str]) -> None:
    """Keep the texts of a group in an archive, and beside it their sums, which a version control can show."""
    EXPECTED.mkdir(exist_ok=True)
    packed = json.dumps(texts, ensure_ascii=True, sort_keys=True).encode()
    # What several files share lies further apart than the usual dictionary reaches.
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "dict_size": 1 << 26}]
    (EXPECTED / f"{group}.json.xz").write_bytes(lzma.compress(packed, filters=filters))
    lines = [f"{hashlib.sha256(text.encode()).hexdigest()[:20]} {len(text.encode()):8} {name}\n"
             for name, text in sorted(texts.items())]  # fmt: skip
    (EXPECTED / f"{group}.sums").write_text("".join(lines), encoding="utf-8")


def read_expected(group: str) -> dict[str, str]:
    """The texts that were kept; none where the group is new."""
    path = EXPECTED / f"{group}.json.xz"
    if not path.is_file():
        return {}
    texts: dict[str, str] = json.loads(lzma.decompress(path.read_bytes()))
    return texts


# Differing -------------------------------------------------------------------------------------------------------


def differences(expected: dict[str, str], found: dict[str, str]) -> list[str]:
    """In words and as unified diffs, the first ones at length."""
    said: list[str] = []
    changed = [name for name in sorted(expected.keys() | found.keys()) if expected.get(name) != found.get(name)]
    for number, name in enumerate(changed):
        if name not in found:
            said.append(f"MISSING {name}")
        elif name not in expected:
            said.append(f"NEW     {name}")
        else:
            said.append(f"CHANGED {name}")
            if number < _SHOWN_FILES:
                said += _diff(expected[name], found[name])
    return said


def _diff(old: str, new: str) -> Iterator[str]:
    lines = difflib.unified_diff(_readable(old), _readable(new), "expected", "found", n=2, lineterm="")
    for number, line in enumerate(lines):
        if number == _SHOWN_LINES:
            yield "    ..."
            return
        yield f"    {line if len(line) <= _WIDTH else line[:_WIDTH] + ' ...'}"


def _readable(text: str) -> list[str]:
    """The lines; long lines of JSON are spread over many, or a diff would show two screens of one line each."""
    spread: list[str] = []
    for line in text.splitlines():
        if len(line) > 120 and line[0] in "[{":
            try:
                spread += json.dumps(json.loads(line), indent=1, ensure_ascii=False).splitlines()
            except ValueError:
                spread.append(line)
        else:
            spread.append(line)
    return spread


# Reading ---------------------------------------------------------------------------------------------------------


def _as_text(data: bytes) -> str | None:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text


_PICTURES: dict[str, str] = {}


def _sum(data: bytes) -> str:
    """A picture by its pixels, as how well they are packed hangs on a library; anything else by its bytes."""
    digest = hashlib.sha256(data).hexdigest()
    if not data.startswith(b"\x89PNG"):
        return f"<{len(data)} bytes {digest}>"
    if digest not in _PICTURES:  # most formats carry the same ones
        with Image.open(io.BytesIO(data)) as picture:
            pixels = hashlib.sha256(picture.tobytes()).hexdigest()
            _PICTURES[digest] = f"<PNG {picture.width}x{picture.height} {picture.mode} {sorted(picture.info)} {pixels}>"
    return _PICTURES[digest]


def _embedded(text: str) -> str:
    try:
        return f"<base64 {_sum(base64.b64decode(text, validate=True))}>"
    except ValueError:
        return text


def _members(data: bytes) -> Iterator[tuple[str, bytes]]:
    if data.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            for info in packed.infolist():
                yield info.filename, packed.read(info)
        return
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        for member in archive.getmembers():
            file = archive.extractfile(member)
            yield member.name, b"" if file is None else file.read()


def _parquet(data: bytes) -> str:
    from pyarrow import parquet

    table = parquet.read_table(io.BytesIO(data))
    rows = [json.dumps(_plain(row), ensure_ascii=False) for row in table.to_pylist()]
    metadata = {key.decode(): value.decode() for key, value in (table.schema.metadata or {}).items()}
    return "\n".join([str(table.schema.remove_metadata()), json.dumps(metadata), *rows, ""])


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    if isinstance(value, bytes):
        return _sum(value)
    return value if isinstance(value, (str, int, float, bool, type(None))) else str(value)


def _without_sums(folder: Path, data: bytes) -> bytes:
    """``pack.json`` with its sums held to the files that lie there: those files are compared themselves."""
    manifest = json.loads(data)
    for entry in manifest.get("files", []):
        content = (folder / entry["path"]).read_bytes()
        is_right = entry == {
            "path": entry["path"], "size": len(content), "sha256": hashlib.sha256(content).hexdigest()
        }  # fmt: skip
        entry.update(size="as the file" if is_right else "WRONG", sha256="as the file" if is_right else "WRONG")
    return json.dumps(manifest, ensure_ascii=False, indent=2).encode()
