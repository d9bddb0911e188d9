"""Reads the rows out of a damaged SQLite file, page by page and without SQLite.

SQLite gives up at the first page that makes no sense, and one of them may be the root of everything. Here a table is
read from its root as far as that leads, and every leaf that no way leads to any more is read by itself. What was
written last may still be in the write-ahead log beside the file; its complete transactions count.

See https://www.sqlite.org/fileformat2.html, whose numbers these are.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

_MAGIC: Final = b"SQLite format 3\0"
_LEAF, _INNER = 0x0D, 0x05
_DEFAULT_PAGE_BYTES = 8192  # of our own libraries; where the file does not say
_WAL_MAGIC: Final = {0x377F0682: "<", 0x377F0683: ">"}


@dataclass(frozen=True, slots=True)
class RawText:
    """A text as it lies in the file; that it is UTF-8 is not certain."""

    data: bytes

    def __str__(self) -> str:
        return self.data.decode(errors="replace")


RawValue: TypeAlias = "int | float | bytes | RawText | None"
RawRow: TypeAlias = "tuple[int, tuple[RawValue, ...]]"
"""The row id, and the columns; one that stands for the row id is None."""


class PageFile:
    """A database with its write-ahead log, as pages that are looked up when they are wanted.

    Attributes:
        size: bytes of a page.
        count: pages, from 1.
        wanted: pages there should be, as the log says, or else the first page; 0 where nobody knows.
        missing: how many of them are not there.
    """

    def __init__(self, file: Path) -> None:
        self._data = file.read_bytes() if file.stat().st_size < _MAX_IN_MEMORY_BYTES else _mapped(file)
        log = file.with_name(file.name + "-wal")
        head = bytes(self._data[:100])
        told = int.from_bytes(head[16:18], "big") if head.startswith(_MAGIC) else 0
        self.size = _page_size(told)
        self._newer, self.wanted = _logged(log.read_bytes(), self.size) if log.is_file() else ({}, 0)
        if not told and self._newer:
            self.size = len(next(iter(self._newer.values())))
        whole = len(self._data) // self.size
        self.count = max([whole, *self._newer])
        if told and not self.wanted and head[24:28] == head[92:96]:  # else what wrote last did not count the pages
            self.wanted = int.from_bytes(head[28:32], "big")
        beyond = sum(whole < number <= self.wanted for number in self._newer)
        self.missing = max(0, self.wanted - whole - beyond)

    def tables(self) -> dict[str, int]:
        """Root page by name of each table, as far as the schema can be read."""
        found: dict[str, int] = {}
        for _, values in self.rows(1, set()):
            if len(values) == 5 and isinstance(values[3], int) and str(values[0]) == "table":
                found[str(values[1])] = values[3]
        return found

    def rows(self, root: int, seen: set[int]) -> Iterator[RawRow]:
        """The rows of a table in order, without those on pages that make no sense; adds its pages to ``seen``."""
        left = [root]
        while left:
            number = left.pop()
            page = self._page(number)
            if number in seen or page is None:
                continue
            start = 100 if number == 1 else 0
            kind = page[start]
            if kind == _INNER:
                seen.add(number)
                inner = [*self._children(page, start), int.from_bytes(page[start + 8 : start + 12], "big")]
                left += reversed([child for child in inner if 0 < child <= self.count])
            elif kind == _LEAF:
                seen.add(number)
                yield from self._cells(page, start)

    def lost_rows(self, seen: set[int]) -> Iterator[tuple[int, RawRow]]:
        """The rows of leaves that belong to no table any more, each with the topmost page above it that is left."""
        above: dict[int, int] = {}
        leaves: list[int] = []
        for number in range(1, self.count + 1):
            page = self._page(number) if number not in seen else None
            if page is not None and page[0] == _INNER:
                last = int.from_bytes(page[8:12], "big")
                above.update(dict.fromkeys((*self._children(page, 0), last), number))
            elif page is not None and page[0] == _LEAF:
                leaves.append(number)
        for number in leaves:
            top, passed = number, {number}
            while above.get(top, number) not in passed:
                top = above[top]
                passed.add(top)
            page = self._page(number)
            for row in self._cells(page, 0) if page is not None else ():
                yield top, row

    def _page(self, number: int) -> bytes | None:
        if number in self._newer:
            return self._newer[number]
        page = bytes(self._data[(number - 1) * self.size : number * self.size])
        return page if len(page) == self.size else None

    def _pointers(self, page: bytes, start: int, header: int) -> Iterator[int]:
        (count,) = struct.unpack_from(">H", page, start + 3)
        for place in range(start + header, min(start + header + 2 * count, self.size - 1), 2):
            (offset,) = struct.unpack_from(">H", page, place)
            if start + header <= offset < self.size - 3:
                yield offset

    def _children(self, page: bytes, start: int) -> Iterator[int]:
        for offset in self._pointers(page, start, 12):
            yield int.from_bytes(page[offset : offset + 4], "big")

    def _cells(self, page: bytes, start: int) -> Iterator[RawRow]:
        for offset in self._pointers(page, start, 8):
            try:
                payload, at = _varint(page, offset)
                rowid, at = _varint(page, at)
                rowid -= (rowid >> 63) << 64  # it has a sign
                yield rowid, _record(self._payload(page, at, payload))
            except (IndexError, ValueError, struct.error):
                continue  # this row makes no sense; its neighbours may

    def _payload(self, page: bytes, at: int, size: int) -> bytes:
        """The content of a row, from its page and those it goes on in."""
        most, least = self.size - 35, (self.size - 12) * 32 // 255 - 23
        if size <= most:
            if at + size > self.size:
                raise ValueError("a row reaches beyond its page")
            return page[at : at + size]
        local = least + (size - least) % (self.size - 4)
        local = local if local <= most else least
        parts, length = [page[at : at + local]], local
        (following,) = struct.unpack_from(">I", page, at + local)
        if size > self.count * self.size:
            raise ValueError("a row larger than the file")
        while length < size:
            more = self._page(following)
            if more is None:
                raise ValueError("a row goes on where there is nothing")
            parts.append(more[4 : 4 + size - length])
            length += len(parts[-1])
            (following,) = struct.unpack_from(">I", more, 0)
        return b"".join(parts)


_MAX_IN_MEMORY_BYTES = 1 << 24


def _mapped(file: Path) -> memoryview:
    import mmap

    with file.open("rb") as opened:
        return memoryview(mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ))


def _page_size(told: int) -> int:
    size = 65536 if told == 1 else told
    return size if 512 <= size <= 65536 and not size & (size - 1) else _DEFAULT_PAGE_BYTES


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for place in range(at, at + 8):
        byte = data[place]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, place + 1
    return value << 8 | data[at + 8], at + 9


_INTEGER_BYTES: Final[Mapping[int, int]] = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}


def _record(data: bytes) -> tuple[RawValue, ...]:
    header, at = _varint(data, 0)
    if header > len(data) or header > 200:
        raise ValueError("no header of a row of ours")
    kinds: list[int] = []
    while at < header:
        kind, at = _varint(data, at)
        kinds.append(kind)
    values: list[RawValue] = []
    for kind in kinds:
        value, at = _value(data, at, kind)
        values.append(value)
    if at != len(data):
        raise ValueError("a row of another length than it says")
    return tuple(values)


def _value(data: bytes, at: int, kind: int) -> tuple[RawValue, int]:
    if kind == 0:
        return None, at
    if kind in _INTEGER_BYTES:
        end = at + _INTEGER_BYTES[kind]
        return int.from_bytes(data[at:end], "big", signed=True), end
    if kind == 7:
        (real,) = struct.unpack_from(">d", data, at)
        return float(real), at + 8
    if kind in {8, 9}:
        return kind - 8, at
    if kind < 12:
        raise ValueError("a column of no kind")
    end = at + (kind - 12) // 2
    if end > len(data):
        raise ValueError("a column longer than its row")
    part = data[at:end]
    return (RawText(part) if kind % 2 else part), end


def _logged(data: bytes, size: int) -> tuple[dict[int, bytes], int]:
    """The newest pages by number of the complete transactions of a write-ahead log, and how many there should be."""
    found: dict[int, bytes] = {}
    pages = 0
    if len(data) < 32 or int.from_bytes(data[:4], "big") not in _WAL_MAGIC:
        return found, pages
    order = _WAL_MAGIC[int.from_bytes(data[:4], "big")]
    said = int.from_bytes(data[8:12], "big")
    size = said if _page_size(said) == said else size
    salts, sums = data[16:24], _checksum(data[:24], (0, 0), order)
    if sums != struct.unpack(">II", data[24:32]):
        return found, pages
    pending: list[tuple[int, bytes]] = []
    for start in range(32, len(data) - 24 - size + 1, 24 + size):
        head, page = data[start : start + 24], data[start + 24 : start + 24 + size]
        sums = _checksum(page, _checksum(head[:8], sums, order), order)
        if head[8:16] != salts or sums != struct.unpack(">II", head[16:24]):
            break
        number, commits = struct.unpack(">II", head[:8])
        pending.append((number, page))
        if commits:
            found.update(pending)
            pending, pages = [], commits
    return found, pages


def _checksum(data: bytes, sums: tuple[int, int], order: str) -> tuple[int, int]:
    one, two = sums
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for first, second in zip(words[::2], words[1::2], strict=True):
        one = one + first + two & 0xFFFFFFFF
        two = two + second + one & 0xFFFFFFFF
    return one, two
