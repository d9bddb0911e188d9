"""What icons are called in a library, by their looks: small, normalised gray pictures with a type and a subtype."""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from demopack.atomic import write_text_atomic
from demopack.domain.elements import ELEMENT_TYPES, ElementType
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect
from demopack.settings import cache_folder

__all__ = ["KnownLooks", "Look", "Name", "load_looks", "look_of", "looks_path", "save_looks"]

_Floats: TypeAlias = npt.NDArray[np.float32]

LARGEST: Final = 64
"""Pixels of the longer side; what is larger is no icon."""
_SIDE, _FINE = 16, 3
"""A look has so many points on each side, each the mean of so many times so many."""
_INK: Final = 20
"""Difference of gray values from the ground, 0..255, from which something is to be seen."""
_SMALLEST: Final = 5
_LIKE, _INSIDE = 0.92, 0.82
"""Least correlation of the whole, and of the middle alone."""
_MIDDLE: Final = slice(4, 12)
_ASPECT: Final = 0.15
_CLEAR: Final = 0.03
"""So much more alike the best must be than the best one of another name."""
_MOST, _MOST_UIDS = 600, 40


class Name(NamedTuple):
    """What something is.

    Attributes:
        type: of the element.
        subtype: which icon; empty for none.
    """

    type: ElementType
    subtype: str


@dataclass(frozen=True, slots=True)
class Look:
    """How something looks, apart from size, colour and strength.

    Attributes:
        points: shape (256,), mean 0, length 1.
        aspect: width by height of what is to be seen.
    """

    points: _Floats
    aspect: float


@dataclass(slots=True)
class _Entry:
    look: Look
    name: Name
    uids: list[str] = field(default_factory=list[str])


def look_of(image: RgbImage, box: Rect) -> Look | None:
    """The look of what is in a box; None where it is too large, or nothing is to be seen.

    The ink is taken, not the box, so that boxes that are a little off have the same look.

    Args:
        image: the frame's pixels, shape (height, width, 3 or more).
        box: pixels of the frame.
    """
    if max(box.width, box.height) > LARGEST:
        return None
    part = image[max(box.y1, 0) : box.y2, max(box.x1, 0) : box.x2, :3].astype(np.float32)
    if part.shape[0] < _SMALLEST or part.shape[1] < _SMALLEST:
        return None
    gray: _Floats = part.mean(axis=2)
    edge = np.concatenate([gray[0], gray[-1], gray[:, 0], gray[:, -1]])
    ink = np.abs(gray - np.median(edge)) > _INK
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    if not len(rows):
        return None
    gray = gray[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    if min(gray.shape) < 2 or max(gray.shape) < _SMALLEST:
        return None
    points = _unit(_shrunk(gray))
    return None if points is None else Look(points, gray.shape[1] / gray.shape[0])


def _shrunk(gray: _Floats) -> _Floats:
    height, width = gray.shape
    fine = (np.arange(_SIDE * _FINE) + 0.5) / (_SIDE * _FINE)
    picked = gray[(fine * height).astype(np.int64)][:, (fine * width).astype(np.int64)]
    small: _Floats = picked.reshape(_SIDE, _FINE, _SIDE, _FINE).mean(axis=(1, 3))
    return small.ravel()


def _unit(points: _Floats) -> _Floats | None:
    centred: _Floats = points - points.mean()
    length = float(np.sqrt((centred * centred).sum()))
    return None if length < 1e-3 else (centred / length).astype(np.float32)


class KnownLooks:
    """A table of looks and names; each element of a library counts once, by what it was called last.

    Attributes:
        refused: uids of elements that were named and taken back.
    """

    def __init__(self) -> None:
        self._entries: list[_Entry] = []
        self._points: _Floats = np.zeros((0, _SIDE * _SIDE), dtype=np.float32)
        self.refused: set[str] = set()

    def __len__(self) -> int:
        return len(self._entries)

    def copy(self) -> KnownLooks:
        """The table as it is now; another thread may look into it while this one learns."""
        made = KnownLooks()
        made._entries = [_Entry(entry.look, entry.name, list(entry.uids)) for entry in self._entries]
        made._points, made.refused = self._points, set(self.refused)
        return made

    def learn(self, uid: str, look: Look, name: Name) -> bool:
        """An element of this look has this name; whether that is new."""
        for entry in self._entries:
            if uid in entry.uids:
                if entry.name == name:
                    return False
                entry.uids.remove(uid)
        same = next((place for place in self._alike(look) if self._entries[place].name == name), None)
        if same is None:
            self._entries.append(_Entry(look, name, [uid]))
        else:
            self._entries[same].uids = [*self._entries[same].uids[-_MOST_UIDS:], uid]
        self._entries = [entry for entry in self._entries if entry.uids][-_MOST:]
        self._points = np.array([entry.look.points for entry in self._entries], dtype=np.float32)
        return True

    def name_of(self, look: Look) -> Name | None:
        """What something of this look is called; None where that is not known, or not clear."""
        places = self._alike(look)
        if not places:
            return None
        best = self._entries[places[0]]
        scores = np.abs(self._points[places] @ look.points)
        for place, score in zip(places, scores.tolist(), strict=True):
            other = self._entries[place]
            near = score > float(scores[0]) - _CLEAR
            if other.name != best.name and near and len(other.uids) >= len(best.uids):
                return None
        return best.name

    def _alike(self, look: Look) -> list[int]:
        """Places of the entries of the same look, the most alike first."""
        if not self._entries:
            return []
        scores = np.abs(self._points @ look.points)
        near = [int(i) for i in np.argsort(-scores, kind="stable") if scores[i] >= _LIKE]
        return [i for i in near if self._fits(self._entries[i].look, look)]

    @staticmethod
    def _fits(one: Look, other: Look) -> bool:
        if abs(np.log(one.aspect / other.aspect)) > _ASPECT:
            return False
        parts = [_unit(two.points.reshape(_SIDE, _SIDE)[_MIDDLE, _MIDDLE].ravel()) for two in (one, other)]
        first, second = parts
        if first is None or second is None:
            return first is second
        return abs(float(first @ second)) >= _INSIDE

    def to_json(self) -> dict[str, Any]:
        """As it is written to a file."""
        return {
            "schema_version": 1,
            "looks": [
                {
                    "points": base64.b64encode((entry.look.points * 127).round().astype(np.int8).tobytes()).decode(),
                    "aspect": round(entry.look.aspect, 4),
                    "type": entry.name.type,
                    "subtype": entry.name.subtype,
                    "uids": entry.uids,
                }
                for entry in self._entries
            ],
            "refused": sorted(self.refused),
        }

    @staticmethod
    def from_json(data: dict[str, Any]) -> KnownLooks:
        """The table of a file.

        Raises:
            ValueError: it is none.
        """
        made = KnownLooks()
        try:
            for one in data["looks"]:
                raw = np.frombuffer(base64.b64decode(one["points"]), dtype=np.int8).astype(np.float32)
                points = _unit(raw) if raw.shape == (_SIDE * _SIDE,) else None
                if points is None or one["type"] not in ELEMENT_TYPES or one["aspect"] <= 0:
                    raise ValueError("a look is damaged")
                name = Name(cast("ElementType", one["type"]), str(one["subtype"]))
                made._entries.append(_Entry(Look(points, float(one["aspect"])), name, [str(u) for u in one["uids"]]))
            made.refused = {str(uid) for uid in data["refused"]}
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError("no table of looks") from error
        if made._entries:
            made._points = np.array([entry.look.points for entry in made._entries], dtype=np.float32)
        return made


def looks_path(library: Path) -> Path:
    """The file of a library's looks: a cache, which may be deleted at any time."""
    name = hashlib.sha256(str(library.resolve()).encode()).hexdigest()[:16]
    return cache_folder() / "looks" / f"{name}.json"


def load_looks(path: Path) -> KnownLooks | None:
    """The table as it was kept; None where there is none, or the file is damaged."""
    try:
        return KnownLooks.from_json(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return None


def save_looks(looks: dict[str, Any], path: Path) -> None:
    """Keep a table, as :meth:`KnownLooks.to_json` gives it.

    Raises:
        DemopackError: the disk is full.
        OSError: it cannot be written.
    """
    write_text_atomic(path, json.dumps(looks) + "\n", private=True)
