"""Careful reading of files that other programs wrote: every complaint names the file, the field and the way out."""

from __future__ import annotations

import errno
import importlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NoReturn, cast

from demopack.errors import BadInputError
from demopack.regular_files import read_regular, regular_files

__all__ = [
    "IMAGE_SUFFIXES",
    "LARGEST",
    "LOG",
    "files_of",
    "find_picture",
    "floats",
    "items",
    "number_of",
    "objects",
    "picture_files",
    "read_bytes",
    "read_json",
    "read_yaml",
    "rows",
    "text_of",
    "whole",
    "wrong",
]

IMAGE_SUFFIXES: Final = frozenset({".png", ".jpg", ".jpeg", ".bmp", ".webp", ".tif", ".tiff", ".gif"})
LOG: Final = "EXPORT_LOG.json"
LARGEST: Final = 128 << 20
"""Bytes of a file; what is read out of it takes many times as much room."""
_LARGEST_YAML: Final = 256 << 10


def wrong(where: object, what: str, fix: str, *, details: str = "") -> NoReturn:
    """Refuse a file.

    Raises:
        BadInputError: always.
    """
    raise BadInputError(f"{where}: {what} Nothing was imported.", hint=fix, details=details)


def read_bytes(path: Path, *, limit: int = LARGEST) -> bytes:
    """The content of a file.

    Raises:
        BadInputError: it cannot be read, is a FIFO or a device, or has more than ``limit`` bytes.
    """
    try:
        return read_regular(path, limit=limit)
    except OSError as error:
        if error.errno == errno.EFBIG:
            wrong(path, f"The file has more than {limit >> 20} MB.", "Split it into parts, or leave it out.")
        wrong(path, "The file cannot be read.", "Check its name and its permissions.", details=str(error))


def read_json(path: Path) -> Any:  # noqa: ANN401 - whatever the file holds
    """The content of a JSON file; a byte order mark is passed over.

    Raises:
        BadInputError: it cannot be read.
    """
    try:
        return json.loads(read_bytes(path).decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        wrong(path, "The file is not JSON.", f"Mend it ({error}), or leave it out.")


def read_yaml(path: Path) -> Any:  # noqa: ANN401 - whatever the file holds
    """The content of a YAML file of plain values; its package has to be installed.

    Raises:
        BadInputError: it cannot be read, is larger than any description of a data set, or has aliases: a few lines of
            them stand for more than any memory holds.
    """
    yaml: Any = importlib.import_module("yaml")
    text = read_bytes(path, limit=_LARGEST_YAML)
    try:
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, Loader=yaml.SafeLoader)):
            wrong(path, "The file has aliases (*name), which are not followed.", "Write out what they stand for.")
        return yaml.safe_load(text)
    except (ValueError, RecursionError, yaml.YAMLError) as error:
        wrong(path, "The file cannot be read as YAML.", "Mend it, or export it again.", details=str(error))


def files_of(path: Path, *patterns: str) -> list[Path]:
    """A file itself, or every file below a folder whose name fits, sorted; no FIFO or device is among them."""
    return [path] if path.is_file() else regular_files(path, *patterns)


def items(value: object) -> list[object]:
    """The value as a list, or an empty one."""
    return cast("list[object]", value) if isinstance(value, list) else []


def objects(value: object) -> Mapping[str, Any]:
    """The value as an object, or an empty one."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def rows(value: object, where: object, name: str) -> Sequence[Mapping[str, Any]]:
    """A list of objects.

    Raises:
        BadInputError: it is something else.
    """
    given = cast("list[object]", value) if isinstance(value, list) else None
    if given is None or not all(isinstance(one, dict) for one in given):
        wrong(where, f"“{name}” must be a list of objects.", f"Give “{name}” as [{{…}}, …].")
    return cast("list[dict[str, Any]]", given)


def floats(value: object, count: int, where: object, name: str) -> tuple[float, ...]:
    """Some numbers.

    Raises:
        BadInputError: there are fewer or more, or one is no finite number.
    """
    given = list(cast("tuple[object, ...]", value)) if isinstance(value, tuple) else items(value)
    found = [number for one in given if (number := number_of(one)) is not None]
    if len(given) != count or len(found) != count:
        words = shown(given) if given else "something else"
        wrong(where, f"“{name}” must be {count} numbers, not {words}.", f"Correct “{name}” in the file.")
    return tuple(found)


def number_of(value: object) -> float | None:
    """A finite number, also where it is written as text; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if abs(number) < 1e9 else None


def whole(value: object, where: object, name: str) -> int | None:
    """A whole number, or None.

    Raises:
        BadInputError: it is something else.
    """
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int):
        wrong(where, f"“{name}” must be a whole number or null, not {shown(value)}.", f"Correct “{name}” in the file.")
    return value


def text_of(value: object) -> str:
    """A text that can be stored: anything that is no text becomes one, and halves of characters become “�”."""
    text = value if isinstance(value, str) else "" if value is None else str(value)
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def shown(value: object) -> str:
    """A value for a message, shortened."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}…"


def find_picture(name: str, *folders: Path) -> Path | None:
    """A picture by the name that a file gives it, in one of some folders; backslashes count as slashes."""
    plain = name.replace("\\", "/")
    base = plain.rpartition("/")[2]
    if not base:
        return None
    for folder in folders:
        for candidate in (folder / plain, folder / "images" / plain, folder / base, folder / "images" / base):
            if candidate.suffix.lower() in IMAGE_SUFFIXES and candidate.is_file():
                return candidate
    return None


def picture_files(folder: Path) -> list[Path]:
    """The pictures below a folder, in order of their names."""
    return [path for path in regular_files(folder) if path.suffix.lower() in IMAGE_SUFFIXES]
