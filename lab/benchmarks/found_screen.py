"""One screen for the expert: what is on it, what was found there, and what the editor's aids make of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from annotator.similar.levels import levels_of
from annotator.snap.nested import nested_at, nested_in, next_of
from annotator.snap.tighten import tightened
from demopack.domain.elements import Element
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect, iou
from demopack.pixels.colours import edges_of
from demopack.pixels.masks import Mask
from models.vision.description import IconGuesses

_NEAR, _LIKE = 3, 0.8
"""Pixels that a side may be off; overlap that is good enough all the same."""
_MOST_PRESSES = 4
"""Nobody tries longer."""


def is_right(box: Rect, true: Rect) -> bool:
    """Whether nobody would correct it."""
    return not wrong_sides(box, true) or iou(box, true) >= _LIKE


def wrong_sides(box: Rect, true: Rect) -> str:
    """Which of left, top, right, bottom are off: some of ``ltrb``."""
    pairs = zip("ltrb", (box.x1, box.y1, box.x2, box.y2), (true.x1, true.y1, true.x2, true.y2), strict=True)
    return "".join(side for side, a, b in pairs if abs(a - b) > _NEAR)


@dataclass
class FoundScreen:
    """What is asked again for each place of the slider is computed once.

    Attributes:
        image: the pixels.
        truth: what the expert ends with.
        found: suggestions, and what was carried over.
        offers: from uid of the truth to what the reader reads there.
        guesses: from uid of the truth to what an icon may mean.
    """

    image: RgbImage
    truth: tuple[Element, ...]
    found: tuple[Element, ...]
    offers: Mapping[str, str]
    guesses: Mapping[str, IconGuesses]
    _likes: dict[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict[str, tuple[tuple[str, ...], ...]])
    _clicks: dict[str, int] = field(default_factory=dict[str, int])
    _fits: dict[tuple[str, str], list[Rect]] = field(default_factory=dict[tuple[str, str], list[Rect]])

    def __post_init__(self) -> None:
        self._edges: Mask = edges_of(self.image)

    def likes(self, uid: str) -> tuple[tuple[str, ...], ...]:
        """What each further press of the key selects beside a found element."""
        if uid not in self._likes:
            self._likes[uid] = tuple(level.uids for level in levels_of(self.image, self.found, uid))
        return self._likes[uid]

    def clicks(self, true: Element) -> int:
        """How many clicks into the middle of an element give its box; 0 where they never do."""
        if true.uid not in self._clicks:
            center = true.box.center
            near = nested_at(self._edges, round(center.x), round(center.y), others=self._boxes())[:_MOST_PRESSES]
            self._clicks[true.uid] = next((n for n, one in enumerate(near, 1) if is_right(one.box, true.box)), 0)
        return self._clicks[true.uid]

    def fits(self, one: Element, true: Element) -> list[Rect]:
        """The boxes that pressing T again and again gives, as far as the true one, or as far as anybody would press."""
        key = (one.uid, true.uid)
        if key not in self._fits:
            boxes = [tightened(self.image, one.box)]
            while not is_right(boxes[-1], true.box) and len(boxes) < _MOST_PRESSES:
                found = nested_in(self._edges, boxes[-1], others=self._boxes())
                wider = next_of(found, boxes[-1])
                if wider is None:
                    break
                boxes.append(wider.box)
            self._fits[key] = boxes
        return self._fits[key]

    def _boxes(self) -> list[Rect]:
        return [one.box for one in self.found]
