"""Likeness of screens: those that are nearly the same, and groups of those that look alike; what is held out."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from PIL import Image

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Size
from models.training.labelled_screens import GroundTruth

_Cells: TypeAlias = "npt.NDArray[np.int16]"

_FINE, _COARSE = 8, 16
"""Pixels of a cell."""
_STEP = 12
"""Steps of grey between two cells that differ."""
_CARET_CELLS = 6
"""Fine cells in which pictures of one screen may differ: a caret, a clock."""
_MAX_DIFFERING_CELLS_SHARE = 0.4
"""Of the cells that show something, the share in which pictures that look alike may differ."""
_MIN_COMMON_WORDS_SHARE = 0.5
"""Share of common texts that makes pictures alike when they were scrolled or moved."""
_MIN_WORDS = 4
_VAL_SHARE, _MAX_VAL_SHARE = 0.15, 0.2
"""Of the screens that are held out: about, and at most. In one look a program's screens are mostly one group: to hold
more out would mean to learn nothing of that program."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenSignature:
    """What is compared of a picture.

    Attributes:
        key: id of the frame.
        size: width and height.
        fine: grey of cells of 8 pixels.
        coarse: grey of cells of 16 pixels.
        words: texts on it.
        truth: digest of its elements.
    """

    key: str
    size: Size
    fine: _Cells
    coarse: _Cells
    words: frozenset[str]
    truth: str


def signature_of(key: str, image: RgbImage, elements: Sequence[GroundTruth]) -> ScreenSignature:
    """The look of a picture of shape (height, width, 3), uint8."""
    grey = Image.fromarray(np.ascontiguousarray(image)).convert("L")
    told = sorted(element.model_dump_json() for element in elements)
    return ScreenSignature(
        key=key,
        size=Size(*grey.size),
        fine=np.asarray(grey.reduce(_FINE), dtype=np.int16),
        coarse=np.asarray(grey.reduce(_COARSE), dtype=np.int16),
        words=frozenset(element.text for element in elements if element.text),
        truth=hashlib.sha256("\n".join(told).encode()).hexdigest(),
    )


def nearly_same(a: ScreenSignature, b: ScreenSignature) -> bool:
    """Whether two pictures have the same elements and differ in a caret or less."""
    if a.size != b.size or a.truth != b.truth:
        return False
    return int((np.abs(a.fine - b.fine) > _STEP).sum()) <= _CARET_CELLS


def is_similar(a: ScreenSignature, b: ScreenSignature) -> bool:
    """Whether two pictures show the same screen, perhaps scrolled, or with parts of it changed."""
    if min(len(a.words), len(b.words)) >= _MIN_WORDS and len(a.words & b.words) >= _MIN_COMMON_WORDS_SHARE * len(
        a.words | b.words
    ):
        return True
    if a.size != b.size:
        return False
    content = _content(a.coarse) | _content(b.coarse)
    changed = np.abs(a.coarse - b.coarse) > _STEP
    return int((changed & content).sum()) <= _MAX_DIFFERING_CELLS_SHARE * int(content.sum())


def group_similar(looks: Sequence[ScreenSignature]) -> list[str]:
    """The group of each picture: the smallest key of all that are connected to it by being alike."""
    groups: list[list[ScreenSignature]] = []
    for look in looks:
        joined, apart = [look], list[list[ScreenSignature]]()
        for group in groups:
            if any(is_similar(look, other) for other in group):
                joined += group
            else:
                apart.append(group)
        groups = [*apart, joined]
    names: dict[str, str] = {}
    for group in groups:
        names |= dict.fromkeys((look.key for look in group), min(look.key for look in group))
    return [names[look.key] for look in looks]


def choose_val(screens: Sequence[tuple[str, str]], *, seed: int) -> frozenset[tuple[str, str]]:
    """What is held out to see when to stop: about a seventh of the screens, never all of them.

    Screens of one recording that look alike stay together. A look that was recorded several times is held out first,
    and never all of it: what is learned shall help with the programs that were learned from.

    Args:
        screens: the group and the recording of each screen.
        seed: another seed, others.

    Returns:
        Groups with a recording.
    """
    counts = Counter(screens)
    if len(counts) < 2:
        return frozenset()
    recordings = Counter(group for group, _ in counts)

    def drawn(unit: tuple[str, str]) -> tuple[bool, str]:
        group, recording = unit
        return recordings[group] < 2, hashlib.sha256(f"{seed}:{group}:{recording}".encode()).hexdigest()

    chosen: list[tuple[str, str]] = []
    left, held = dict(recordings), 0
    for unit in sorted(counts, key=drawn):
        is_last = recordings[unit[0]] > 1 and left[unit[0]] < 2
        if is_last or held >= _VAL_SHARE * len(screens) or held + counts[unit] > _MAX_VAL_SHARE * len(screens):
            continue
        chosen.append(unit)
        left[unit[0]] -= 1
        held += counts[unit]
    return frozenset(chosen or [min(sorted(counts, key=drawn), key=lambda unit: counts[unit])])


def _content(cells: _Cells) -> npt.NDArray[np.bool_]:
    """Cells that differ from the picture's most common grey."""
    ground = int(np.bincount(cells.ravel(), minlength=256).argmax())
    return np.abs(cells - ground) > _STEP
