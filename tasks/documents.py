"""What a document holds, and how two states of it differ: of office files the XML inside, of others their text."""

from __future__ import annotations

import difflib
import re
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from demopack.errors import BadInputError

_PARTS: Final = re.compile(r"(?:content|styles)\.xml|(?:word|xl|ppt)/(?!theme|printerSettings|_rels).*\.xml")
"""The parts of an office file that a person writes; the others are settings, thumbnails and what wrote it when."""
_TAG: Final = re.compile(r">\s*<")
_TEXT: Final = re.compile(r"<[^>]+>")
_BLOCK_END: Final = re.compile(r"</(?:text:p|text:h|w:p|a:p|table:table-row|row|t)>")
_LIMIT: Final = 32 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentDifference:
    """How a document changed.

    Attributes:
        is_changed: whether anything of it did.
        lines: what went and came, each with - or + before it, in order; of long differences the first lines.
        is_cut: whether there are more.
    """

    is_changed: bool
    lines: tuple[str, ...] = ()
    is_cut: bool = False

    def __str__(self) -> str:
        return "\n".join((*self.lines, *(["..."] if self.is_cut else [])))


def document_lines(path: Path) -> list[str]:
    """A document as lines: a tag with its text each of an office file, lines of a text, else one line with its bytes.

    Raises:
        BadInputError: it is not there, or damaged.
    """
    try:
        if zipfile.is_zipfile(path):
            return [line for _, text in _parts(path) for line in _TAG.sub(">\n<", text).splitlines()]
        data = path.read_bytes()
    except (OSError, zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise BadInputError(f"The document {path} cannot be read: {error}.", hint="Open it in its program.") from error
    try:
        return data.decode("utf-8").splitlines()
    except UnicodeDecodeError:
        return [data.hex()]


def document_text(path: Path) -> str:
    """The words of a document, a paragraph or row a line.

    Raises:
        BadInputError: it is not there, or damaged.
    """
    if not zipfile.is_zipfile(path):
        return "\n".join(document_lines(path))
    shown = [text for name, text in _parts(path) if not name.endswith("styles.xml")]
    lines = (_TEXT.sub(" ", _BLOCK_END.sub("\n", text)) for text in shown)
    return "\n".join(line for text in lines for raw in text.splitlines() if (line := " ".join(raw.split())))


def compare_documents(before: Path, after: Path, *, limit: int = 200) -> DocumentDifference:
    """How a document changed.

    Args:
        before: the file as it was.
        after: the file as it is.
        limit: lines at most.

    Raises:
        BadInputError: one is not there, or damaged.
    """
    one, other = document_lines(before), document_lines(after)
    if one == other:
        return DocumentDifference(is_changed=False)
    changes = [
        line for line in difflib.unified_diff(one, other, lineterm="", n=0) if not line.startswith(("---", "+++", "@@"))
    ]
    return DocumentDifference(is_changed=True, lines=tuple(changes[:limit]), is_cut=len(changes) > limit)


def _parts(path: Path) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    left = _LIMIT
    with zipfile.ZipFile(path) as archive:
        for info in sorted(archive.infolist(), key=lambda one: one.filename):
            if not _PARTS.fullmatch(info.filename):
                continue
            if info.file_size > left:
                raise ValueError(f"it holds more than {_LIMIT >> 20} MB")
            left -= info.file_size
            found.append((info.filename, archive.read(info).decode("utf-8", errors="replace")))
    return found
