"""What was found on each picture, kept on the disk so that a measurement goes on where it stopped."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from demopack.atomic import write_text_atomic
from demopack.domain.elements import Element
from demopack.domain.records import Record


class Kept(Record):
    """What a finder found on one picture.

    Attributes:
        finder: its name.
        seconds: how long it took.
        elements: what it found.
    """

    finder: str
    seconds: float
    elements: tuple[Element, ...]


@dataclass(frozen=True, slots=True)
class Results:
    """A folder of them, by finder and by the pixels' file, so that a screen drawn anew is measured anew."""

    folder: Path | None
    finder: str

    def get(self, picture: Path) -> Kept | None:
        """What was found before; None where nothing was, or where what was kept is damaged."""
        path = self._path(picture)
        if path is None:
            return None
        try:
            kept = Kept.model_validate_json(path.read_bytes())
        except (OSError, ValidationError):
            return None
        return kept if kept.finder == self.finder else None

    def put(self, picture: Path, elements: Sequence[Element], *, seconds: float) -> None:
        """Keep what was found.

        Raises:
            DiskFullError: nothing was written.
        """
        path = self._path(picture)
        if path is not None:
            kept = Kept(finder=self.finder, seconds=seconds, elements=tuple(elements))
            data = kept.model_dump(mode="json", exclude_defaults=True)
            write_text_atomic(path, json.dumps(data, ensure_ascii=False))

    def _path(self, picture: Path) -> Path | None:
        if self.folder is None:
            return None
        name = re.sub(r"[^A-Za-z0-9.+-]+", "_", self.finder)[:60]
        digest = hashlib.sha256(self.finder.encode()).hexdigest()[:8]
        pixels = hashlib.sha256(picture.read_bytes()).hexdigest()[:20]
        return self.folder / "found" / f"{name}-{digest}" / f"{pixels}.json"
