"""Keeps what was found on a picture, by picture and finder, for every demo of the library."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Sequence
from pathlib import Path

from pydantic import ValidationError

from demopack.atomic import write_text_atomic
from demopack.domain.elements import Element
from models.vision.found import to_element

__all__ = ["FoundCache"]

_LOG = logging.getLogger(__name__)
_OWN = {"uid", "frame", "track_id", "review", "parent"}


class FoundCache:
    """Small JSON files under the library's ``cache`` folder; losing them costs time, nothing else."""

    def __init__(self, folder: Path, finder: str) -> None:
        self._folder = folder / "elements" / hashlib.sha256(finder.encode()).hexdigest()[:12]
        self._finder = finder

    def path(self, frame_id: str) -> Path:
        """Where the result for a picture lies, whether it is there or not."""
        return self._folder / frame_id[:2] / f"{frame_id}.json"

    def get(self, frame_id: str) -> list[Element] | None:
        """Fresh elements, with new uids; None when the picture is new or the file is unusable."""
        path = self.path(frame_id)
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            if data["finder"] != self._finder:
                return None
            return [to_element(found, frame_id=frame_id) for found in data["found"]]
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError, ValidationError):
            _LOG.warning("The cached result %s is damaged and will be made again.", path)
            return None

    def put(self, frame_id: str, elements: Sequence[Element]) -> None:
        """Keep a result.

        Raises:
            DiskFullError: nothing was written.
        """
        found = [element.model_dump(mode="json", exclude=_OWN) for element in elements]
        text = json.dumps({"finder": self._finder, "found": found}, ensure_ascii=False)
        write_text_atomic(self.path(frame_id), text, private=True)
