"""Remembers which pictures the tables name, and whether they say the same about each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from demopack.pack.check.elements import is_covered
from demopack.pack.check.lines import Line
from demopack.pack.check.pictures import Picture
from demopack.pack.findings import Finding
from demopack.pack.manifest import DEMOS, ELEMENTS, STEPS
from demopack.pack.rules import RULES

__all__ = ["Named"]


class Named:
    """The pictures of a pack, in the order in which they are named.

    Attributes:
        pictures: path -> what the tables say about it first.
    """

    def __init__(self) -> None:
        self.pictures: dict[str, Picture] = {}
        self._new: list[Picture] = []

    def taken(self) -> list[Picture]:
        """The pictures that were named since this was asked last."""
        new, self._new = self._new, []
        return new

    def demo(self, line: Line) -> Iterator[Finding]:
        """The pictures of a demo; Z01 where it has one of them twice."""
        ids: dict[str, str] = {}
        for frame in line.data["frames"]:
            yield from self._frame(frame, (DEMOS, line.number))
            first = ids.setdefault(frame["id"], frame["file"])
            if first != frame["file"]:
                yield RULES["Z01"].broken(DEMOS, line.number, f"{frame['file']} is the same picture as {first}.")
        if line.data["final_frame"] is not None:
            yield from self._frame(line.data["final_frame"], (DEMOS, line.number))

    def step(self, line: Line) -> Iterator[Finding]:
        """The pictures of a step, and the place on them that it acted on."""
        row, place = line.data, (STEPS, line.number)
        for frame in (row["before"], row["after"]):
            if frame is not None:
                yield from self._frame(frame, place)
        missing = {value is None for value in (row["before"], row["image"], row["image_size"])}
        if len(missing) > 1:
            message = "Of before, image and image_size some are null and some are not."
            yield RULES["I01"].broken(*place, message)
        if True in missing:
            return
        width, height = row["image_size"]
        yield from self._add(row["image"], row["before"]["id"], (width, height), place)
        if row["target_uid"] is not None and row["pointer"] is not None and row["target_box"] is not None:
            x1, y1, x2, y2 = row["target_box"]
            if is_covered(row["target_box"], row["before"]):
                return  # it is one colour, and should be
            self.pictures[row["image"]].boxes.setdefault((x1, y1, x2, y2), line.number)

    def element(self, line: Line) -> Iterator[Finding]:
        """The picture of an element."""
        row = line.data
        width, height = row["image_size"]
        yield from self._add(row["image"], row["frame"], (width, height), (ELEMENTS, line.number))

    def _frame(self, frame: dict[str, Any], place: tuple[str, int]) -> Iterator[Finding]:
        yield from self._add(frame["file"], frame["id"], (frame["width"], frame["height"]), place)

    def _add(self, file: str, key: str, size: tuple[int, int], place: tuple[str, int]) -> Iterator[Finding]:
        first = self.pictures.get(file)
        if first is None:
            self.pictures[file] = Picture(file, key, size, place)
            self._new.append(self.pictures[file])
        elif first.size != size:
            here, there = (f"{width} x {height}" for width, height in (size, first.size))
            message = f"{file} is {here} pixels here and {there} in {first.named_in[0]}."
            yield RULES["G02"].broken(*place, message)
        elif first.id != key:
            yield RULES["I02"].broken(*place, f"{file} has two ids.")
