"""Names of icons by their looks, learned from what was approved in a library and given to suggestions."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from pydantic import PlainSerializer, PlainValidator, PositiveFloat

from annotator.commands import element_changes
from annotator.document import Document
from annotator.words import tr
from demopack.atomic import write_text_atomic
from demopack.domain.edits import Edit
from demopack.domain.elements import ATTRIBUTES, Element, ElementType
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect
from demopack.domain.provenance import by_program
from demopack.domain.records import Record, new_id
from demopack.pixels.colours import border_background
from demopack.pixels.masks import crop, tight_box
from demopack.settings import cache_folder

_Floats: TypeAlias = npt.NDArray[np.float32]

MAX_ICON_PX: Final = 64
"""Pixels of the longer side; what is larger is no icon."""
_SIDE, _SAMPLES = 16, 3
"""A look has so many points on each side, each the mean of so many times so many."""
_MIN_CONTRAST: Final = 20
"""Difference of gray values from the background, 0..255, above which something is to be seen."""
_MIN_ICON_PX: Final = 5
_MIN_CORRELATION, _MIN_MIDDLE_CORRELATION = 0.92, 0.82
"""Least correlation of the whole, and of the middle alone."""
_MIDDLE: Final = slice(4, 12)
_MAX_LOG_ASPECT: Final = 0.15
_MIN_LEAD: Final = 0.03
"""So much more alike the best must be than the best one of another name."""
_MAX_ENTRIES, _MAX_UIDS = 600, 40


class Name(NamedTuple):
    """What something is.

    Attributes:
        type: of the element.
        subtype: which icon; empty for none.
    """

    type: ElementType
    subtype: str


def _decoded(points: _Floats | str) -> _Floats:
    """Points as they are, or as a file has them: base64 of bytes with sign."""
    if isinstance(points, np.ndarray):
        return points
    raw = np.frombuffer(base64.b64decode(str(points)), dtype=np.int8).astype(np.float32)
    found = _unit(raw) if raw.shape == (_SIDE * _SIDE,) else None
    if found is None:
        raise ValueError("a look is damaged")
    return found


def _encoded(points: _Floats) -> str:
    return base64.b64encode((points * 127).round().astype(np.int8).tobytes()).decode()


class IconDescriptor(Record):
    """How something looks, apart from size, colour and strength.

    Attributes:
        points: shape (256,), mean 0, length 1.
        aspect: width by height of what is to be seen.
    """

    points: Annotated[_Floats, PlainValidator(_decoded), PlainSerializer(_encoded)]
    aspect: PositiveFloat


class NamedLook(IconDescriptor):
    """A look, what it is called, and the elements that taught it."""

    type: ElementType
    subtype: str
    uids: tuple[str, ...]

    @property
    def name(self) -> Name:
        """What it is called."""
        return Name(self.type, self.subtype)


class _LooksFile(Record):
    schema_version: Literal[1] = 1
    looks: tuple[NamedLook, ...]
    refused: tuple[str, ...]


def thumbnail_of(image: RgbImage, box: Rect) -> IconDescriptor | None:
    """The look of what is in a box; None where it is too large, or nothing is to be seen.

    What is drawn is taken, not the box, so that boxes that are a little off have the same look.

    Args:
        image: the frame's pixels, shape (height, width, 3 or more).
        box: pixels of the frame.
    """
    if max(box.width, box.height) > MAX_ICON_PX:
        return None
    part = image[max(box.y1, 0) : box.y2, max(box.x1, 0) : box.x2, :3].astype(np.float32)
    if part.shape[0] < _MIN_ICON_PX or part.shape[1] < _MIN_ICON_PX:
        return None
    gray: _Floats = part.mean(axis=2)
    shown = tight_box(np.abs(gray - border_background(gray)) > _MIN_CONTRAST)
    if shown is None:
        return None
    gray = crop(gray, shown)
    if min(gray.shape) < 2 or max(gray.shape) < _MIN_ICON_PX:
        return None
    height, width = gray.shape
    fine = (np.arange(_SIDE * _SAMPLES) + 0.5) / (_SIDE * _SAMPLES)
    picked = gray[(fine * height).astype(np.int64)][:, (fine * width).astype(np.int64)]
    points = _unit(picked.reshape(_SIDE, _SAMPLES, _SIDE, _SAMPLES).mean(axis=(1, 3)).ravel())
    return None if points is None else IconDescriptor(points=points, aspect=round(width / height, 4))


def _unit(points: _Floats) -> _Floats | None:
    centred: _Floats = points - points.mean()
    length = float(np.sqrt((centred * centred).sum()))
    return None if length < 1e-3 else (centred / length).astype(np.float32)


def _fits(one: IconDescriptor, other: IconDescriptor) -> bool:
    if abs(np.log(one.aspect / other.aspect)) > _MAX_LOG_ASPECT:
        return False
    first, second = (_unit(two.points.reshape(_SIDE, _SIDE)[_MIDDLE, _MIDDLE].ravel()) for two in (one, other))
    if first is None or second is None:
        return first is second
    return abs(float(first @ second)) >= _MIN_MIDDLE_CORRELATION


class KnownLooks:
    """A table of looks and names; each element of a library counts once, by what it was called last.

    Attributes:
        entries: looks with their names, the latest last.
        refused: uids of elements that were named and taken back.
    """

    def __init__(self, entries: Sequence[NamedLook] = (), refused: Iterable[str] = ()) -> None:
        self._hold(entries)
        self.refused = set(refused)

    def _hold(self, entries: Sequence[NamedLook]) -> None:
        self.entries = tuple(entries)
        self._points: _Floats = np.array([entry.points for entry in entries], dtype=np.float32)

    def __len__(self) -> int:
        return len(self.entries)

    def copy(self) -> KnownLooks:
        """The table as it is now; another thread may look into it while this one learns."""
        return KnownLooks(self.entries, self.refused)

    def learn(self, uid: str, look: IconDescriptor, name: Name) -> bool:
        """An element of this look has this name; whether that is new."""
        if any(uid in entry.uids and entry.name == name for entry in self.entries):
            return False
        same = next((place for place in self._alike(look) if self.entries[place].name == name), None)
        entries = list(self.entries)
        for place, entry in enumerate(entries):
            if uid in entry.uids or place == same:
                uids = [other for other in entry.uids if other != uid]
                taught = (*uids[-_MAX_UIDS:], uid) if place == same else tuple(uids)
                entries[place] = entry.model_copy(update={"uids": taught})
        if same is None:
            entries.append(NamedLook(**dict(look), **name._asdict(), uids=(uid,)))
        self._hold([entry for entry in entries if entry.uids][-_MAX_ENTRIES:])
        return True

    def name_of(self, look: IconDescriptor) -> Name | None:
        """What something of this look is called; None where that is not known, or not clear."""
        places = self._alike(look)
        if not places:
            return None
        best = self.entries[places[0]]
        scores = np.abs(self._points[places] @ look.points)
        for place, score in zip(places, scores.tolist(), strict=True):
            other = self.entries[place]
            near = score > float(scores[0]) - _MIN_LEAD
            if other.name != best.name and near and len(other.uids) >= len(best.uids):
                return None
        return best.name

    def _alike(self, look: IconDescriptor) -> list[int]:
        """Places of the entries of the same look, the most alike first."""
        if not self.entries:
            return []
        scores = np.abs(self._points @ look.points)
        near = [int(i) for i in np.argsort(-scores, kind="stable") if scores[i] >= _MIN_CORRELATION]
        return [i for i in near if _fits(self.entries[i], look)]


def looks_path(library: Path) -> Path:
    """The file of a library's looks: a cache, which may be deleted at any time."""
    name = hashlib.sha256(str(library.resolve()).encode()).hexdigest()[:16]
    return cache_folder() / "looks" / f"{name}.json"


def load_looks(path: Path) -> KnownLooks | None:
    """The table as it was kept; None where there is none, or the file is damaged."""
    try:
        kept = _LooksFile.model_validate_json(path.read_bytes())
    except (OSError, ValueError):
        return None
    return KnownLooks(kept.looks, kept.refused)


def save_looks(looks: KnownLooks, path: Path) -> None:
    """Keep a table.

    Raises:
        DemopackError: the disk is full.
        OSError: it cannot be written.
    """
    file = _LooksFile(looks=looks.entries, refused=tuple(sorted(looks.refused)))
    write_text_atomic(path, json.dumps(file.model_dump(mode="json")) + "\n", private=True)


PROGRAM: Final = "known looks"
"""Who names elements, in the history."""
_MIN_CONFIDENCE: Final = 0.6
"""A finder that was less sure of a type may be corrected."""
_MAX_FRAMES: Final = 40
"""A table is made anew from so many pictures at most."""


def lesson_of(element: Element) -> Name | None:
    """What an approved element teaches: the subtype of an icon, or a type that a person corrected."""
    if element.review != "approved":
        return None
    if element.type == "icon" and element.subtype:
        return Name("icon", element.subtype)
    said = {one.type for one in element.evidence if one.type is not None}
    corrected = element.source != "human" and bool(said) and element.type not in said
    return Name(element.type, element.subtype or "") if corrected and element.type != "icon" else None


def learn_from(looks: KnownLooks, image: RgbImage, elements: Iterable[Element]) -> bool:
    """Take over what elements of one picture teach; whether anything is new.

    Args:
        looks: gets the lessons.
        image: the frame's pixels, shape (height, width, 3 or more).
        elements: of that frame.
    """
    learned = False
    for element in elements:
        name = lesson_of(element)
        look = None if name is None else thumbnail_of(image, element.box)
        if name is not None and look is not None:
            learned = looks.learn(element.uid, look, name) or learned
    return learned


def names_for(
    looks: KnownLooks, image: RgbImage, elements: Iterable[Element], *, ours: Mapping[str, Name] | None = None
) -> dict[str, Name]:
    """What the suggestions of a picture are called, by uid; only those that would change.

    A suggestion gets a subtype where it is an icon without one, and another type where its finder was not sure.
    Whatever a person reviewed stays, and so does what was named and taken back.

    Args:
        looks: what is known.
        image: the frame's pixels, shape (height, width, 3 or more).
        elements: of that frame.
        ours: names that were given before: they may be changed.
    """
    found: dict[str, Name] = {}
    for element in elements:
        given = (ours or {}).get(element.uid)
        if element.uid in looks.refused or element.review != "unreviewed" or element.source == "human":
            continue
        unsure = element.confidence is not None and element.confidence < _MIN_CONFIDENCE
        nameless = element.type == "icon" and not element.subtype
        may = unsure or nameless or given == (element.type, element.subtype or "")
        look = thumbnail_of(image, element.box) if may else None
        name = None if look is None else looks.name_of(look)
        if name is None:
            continue
        if name.subtype and name.subtype != element.subtype if name.type == element.type else unsure:
            found[element.uid] = name
    return found


def rebuilt(elements: Iterable[Element], pixels: Callable[[str], RgbImage | None]) -> KnownLooks:
    """A table from approved elements of a library; reads pictures, so it belongs off the GUI thread.

    Args:
        elements: the newest first.
        pixels: the picture of a frame; None where it cannot be had.
    """
    frames: dict[str, list[Element]] = {}
    for element in elements:
        if lesson_of(element) is not None and (element.frame in frames or len(frames) < _MAX_FRAMES):
            frames.setdefault(element.frame, []).append(element)
    looks = KnownLooks()
    for frame_id, found in frames.items():
        image = pixels(frame_id)
        if image is not None:
            learn_from(looks, image, found)
    return looks


@dataclass(frozen=True, slots=True, kw_only=True)
class NameKnown:
    """Suggestions get the names of what looks like them; they stay suggestions.

    Attributes:
        names: by uid.
        seen: the elements as they were when they were named; what changed meanwhile stays.
    """

    names: Mapping[str, Name]
    seen: Mapping[str, Element]

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        replaced: dict[str, Element | None] = {}
        for uid, name in self.names.items():
            element = document.element(uid)
            if element is not None and element == self.seen.get(uid):
                subtype = name.subtype if ATTRIBUTES[name.type].subtype else ""
                replaced[uid] = element.changed(type=name.type, subtype=subtype or None).cleaned()
        changes = element_changes(document, replaced)
        if not changes:
            return None
        words = tr("Known icons: 1 named") if len(replaced) == 1 else tr("Known icons: {count} named")
        by = by_program("template", PROGRAM, reason="as elements of the same look")
        return Edit(id=new_id("edit"), label=words.format(count=len(replaced)), changes=tuple(changes), provenance=by)
