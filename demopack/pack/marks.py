"""What is drawn on a step's picture to show what was done: the same for the card's pictures and for the page."""

from __future__ import annotations

from dataclasses import dataclass

from demopack.pack.rows import StepRow

__all__ = ["Marks", "marks_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """Everything in pixels of the picture.

    Attributes:
        width: of the picture.
        height: of the picture.
        box: the target, when it has an area.
        end_box: where a drag ends, when that has an area.
        way: the pointer's way: one point for a click, start to end for a drag; empty for the keyboard.
        direction: of a scroll: up, down, left or right; empty otherwise.
        caption: what was typed or pressed; empty for the pointer.
    """

    width: int
    height: int
    box: list[int] | None
    end_box: list[int] | None
    way: tuple[tuple[int, int], ...]
    direction: str
    caption: str

    @property
    def radius(self) -> float:
        """Of the pointer's ring: large enough to be seen when the whole picture is."""
        return max(9.0, self.width * 0.011)


def marks_of(row: StepRow) -> Marks | None:
    """The marks of a step; None where it has no picture."""
    if row.image_size is None:
        return None
    width, height = row.image_size
    parameters = row.response["action"]["parameters"]
    return Marks(
        width=width,
        height=height,
        box=_area(row.target_box),
        end_box=_area(row.end_box),
        way=_way(row, width, height),
        direction=str(parameters.get("scroll_direction", "")),
        caption=str(parameters.get("text_to_type", parameters.get("key_info", ""))),
    )


def _area(box: list[int] | None) -> list[int] | None:
    return box if box is not None and box[0] < box[2] and box[1] < box[3] else None


def _way(row: StepRow, width: int, height: int) -> tuple[tuple[int, int], ...]:
    pointer = row.pointer
    if pointer is None:
        points = [(box[0], box[1]) for box in (row.target_box, row.end_box) if box is not None and _area(box) is None]
    else:
        points = [(pointer.x, pointer.y), *((p.x, p.y) for p in pointer.path)]
        if pointer.end_x is not None and pointer.end_y is not None:
            points.append((pointer.end_x, pointer.end_y))
    return tuple((min(max(x, 0), width), min(max(y, 0), height)) for x, y in points)
