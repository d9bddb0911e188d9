"""What is still to be searched: kept in a file, so that a search goes on where it stopped, also after a restart."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from demopack.atomic import write_text_atomic
from demopack.domain.records import Record

__all__ = ["DemoOrder", "ParseOrder", "load_order", "save_order"]

_NAME = "unfinished-search.json"


class DemoOrder(Record):
    """The screens of one demo.

    Attributes:
        demo: id.
        frames: ids of those that are left; None for all of the demo.
    """

    demo: str
    frames: tuple[str, ...] | None = None


class ParseOrder(Record):
    """A search of several screens.

    Attributes:
        schema_version: of this record.
        again: also look at screens that were searched before.
        demos: what is left.
    """

    schema_version: Literal[1] = 1
    again: bool = False
    demos: tuple[DemoOrder, ...]

    @property
    def screens(self) -> int | None:
        """How many are left; None where whole demos are, whose screens nobody has counted."""
        if any(one.frames is None for one in self.demos):
            return None
        return sum(len(one.frames or ()) for one in self.demos)

    def counted(self, demo: str, frames: tuple[str, ...]) -> ParseOrder:
        """With the screens of a demo named one by one, so that they can be done one by one."""
        named = (one.model_copy(update={"frames": frames}) if one.demo == demo else one for one in self.demos)
        return self.model_copy(update={"demos": tuple(named)})

    def without(self, demo: str, frame: str | None = None) -> ParseOrder:
        """What is left after one more screen, or a whole demo."""
        left: list[DemoOrder] = []
        for one in self.demos:
            if one.demo != demo:
                left.append(one)
            elif frame is not None:
                frames = None if one.frames is None else tuple(f for f in one.frames if f != frame)
                left += [one.model_copy(update={"frames": frames})] if frames is None or frames else []
        return self.model_copy(update={"demos": tuple(left)})


def save_order(folder: Path, order: ParseOrder | None) -> None:
    """Keep what is left to be done in a library; None or nothing left takes the file away."""
    path = folder / "cache" / _NAME
    if order is None or not order.demos:
        path.unlink(missing_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text_atomic(path, order.model_dump_json(), private=True)


def load_order(folder: Path) -> ParseOrder | None:
    """What was left; None where nothing was, or where the file is damaged or newer: a search can be asked for anew."""
    try:
        order = ParseOrder.model_validate_json((folder / "cache" / _NAME).read_bytes())
    except (OSError, ValidationError):
        return None
    return order if order.demos else None
