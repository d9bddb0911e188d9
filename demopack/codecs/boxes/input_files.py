"""Careful reading of files that other programs wrote: every complaint names the file, the field and the way out."""

from __future__ import annotations

import errno
import importlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NoReturn, cast
from xml.etree.ElementTree import Element as Tag

from demopack.errors import BadInputError
from demopack.json_text import as_list
from demopack.regular_files import read_regular, regular_files

IMAGE_SUFFIXES: Final = frozenset({".png", ".jpg", ".jpeg", ".bmp", ".webp", ".tif", ".tiff", ".gif"})
MAX_FILE_BYTES: Final = 128 << 20
"""Bytes of a file; what is read out of it takes many times as much room."""
_MAX_YAML_BYTES: Final = 256 << 10


def refuse(where: object, what: str, fix: str, *, details: str = "") -> NoReturn:
    """Refuse a file.

    Raises:
        BadInputError: always.
    """
    raise BadInputError(f"{where}: {what} Nothing was imported.", hint=fix, details=details)


def read_bytes(path: Path, *, limit: int = MAX_FILE_BYTES) -> bytes:
    """The content of a file.

    Raises:
        BadInputError: it cannot be read, is a FIFO or a device, or has more than ``limit`` bytes.
    """
    try:
        return read_regular(path, limit=limit)
    except OSError as error:
        if error.errno == errno.EFBIG:
            refuse(path, f"The file has more than {limit >> 20} MB.", "Split it into parts, or leave it out.")
        refuse(path, "The file cannot be read.", "Check its name and its permissions.", details=str(error))


def read_text(path: Path, *, limit: int = MAX_FILE_BYTES, fix: str = "It holds text in UTF-8.") -> str:
    """The content of a text file; a byte order mark is passed over.

    Raises:
        BadInputError: it cannot be read, or is no UTF-8; ``fix`` is the way out.
    """
    try:
        return read_bytes(path, limit=limit).decode("utf-8-sig")
    except ValueError as error:
        refuse(path, "The file cannot be read.", fix, details=str(error))


def read_json(path: Path) -> Any:  # noqa: ANN401 - whatever the file holds
    """The content of a JSON file; a byte order mark is passed over.

    Raises:
        BadInputError: it cannot be read.
    """
    try:
        return json.loads(read_bytes(path).decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        refuse(path, "The file is not JSON.", f"Mend it ({error}), or leave it out.")


def read_yaml(path: Path) -> Any:  # noqa: ANN401 - whatever the file holds
    """The content of a YAML file of plain values; its package has to be installed.

    Raises:
        BadInputError: it cannot be read, is larger than any description of a data set, or has aliases: a few lines of
            them stand for more than any memory holds.
    """
    yaml: Any = importlib.import_module("yaml")
    text = read_bytes(path, limit=_MAX_YAML_BYTES)
    try:
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, Loader=yaml.SafeLoader)):
            refuse(path, "The file has aliases (*name), which are not followed.", "Write out what they stand for.")
        return yaml.safe_load(text)
    except (ValueError, RecursionError, yaml.YAMLError) as error:
        refuse(path, "The file cannot be read as YAML.", "Mend it, or export it again.", details=str(error))


def base_name(name: str) -> str:
    """A file's name without folders; backslashes count as slashes."""
    return name.replace("\\", "/").rpartition("/")[2]


def files_of(path: Path, *patterns: str) -> list[Path]:
    """A file itself, or every file below a folder whose name fits, sorted; no FIFO or device is among them."""
    return [path] if path.is_file() else regular_files(path, *patterns)


def list_of_objects(value: object, where: object, name: str) -> Sequence[Mapping[str, Any]]:
    """A list of objects.

    Raises:
        BadInputError: it is something else.
    """
    given = cast("list[object]", value) if isinstance(value, list) else None
    if given is None or not all(isinstance(one, dict) for one in given):
        refuse(where, f"“{name}” must be a list of objects.", f"Give “{name}” as [{{…}}, …].")
    return cast("list[dict[str, Any]]", given)


def floats(value: object, count: int, where: object, name: str) -> tuple[float, ...]:
    """Some numbers.

    Raises:
        BadInputError: there are fewer or more, or one is no finite number.
    """
    given = as_list(value)
    found = [number for one in given if (number := as_number(one)) is not None]
    if len(given) != count or len(found) != count:
        words = shortened(given) if given else "something else"
        refuse(where, f"“{name}” must be {count} numbers, not {words}.", f"Correct “{name}” in the file.")
    return tuple(found)


def numbers_of(row: Mapping[str, Any] | Tag, where: object, *names: str) -> tuple[float, ...]:
    """The numbers of some fields of an object, or of some attributes of an XML tag.

    Raises:
        BadInputError: one is missing, or no finite number.
    """
    return floats([row.get(name) for name in names], len(names), where, ", ".join(names))


def as_number(value: object) -> float | None:
    """A finite number, also where it is written as text; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if abs(number) < 1e9 else None


def score_fields(score: object) -> dict[str, Any]:
    """What another program's score says: that a detector found it, and how sure it was, 0..1; nothing without one."""
    number = as_number(score)
    return {} if number is None else {"confidence": min(max(number, 0.0), 1.0), "source": "detector"}


def whole_number(value: object, where: object, name: str) -> int | None:
    """A whole number, or None.

    Raises:
        BadInputError: it is something else.
    """
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int):
        refuse(
            where, f"“{name}” must be a whole number or null, not {shortened(value)}.", f"Correct “{name}” in the file."
        )
    return value


def as_text(value: object) -> str:
    """A text that can be stored: anything that is no text becomes one, and halves of characters become “�”."""
    text = value if isinstance(value, str) else "" if value is None else str(value)
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def shortened(value: object) -> str:
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
