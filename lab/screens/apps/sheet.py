"""A screen while its truth is worked out: what is visible of a box, and the elements that are certain by now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from demopack.domain.elements import ATTRIBUTES, ElementType, State
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect, Size, subtract
from demopack.pixels.drawn import has_ink
from demopack.pixels.foreground import foreground_box
from lab.screens.apps.desktop_state import Window
from lab.screens.apps.reading import TextFinder
from models.training.labelled_screens import GroundTruth

_LEAST_PX = 3
_HALF, _WHOLE = 0.5, 0.97
_COVERED = (128, 128, 128)


@dataclass(frozen=True, slots=True)
class Place:
    """Where an element stands: in which window, and what cuts it off there."""

    window: int
    clip: Rect


@dataclass(frozen=True, slots=True)
class Seen:
    """What can be seen of a box, and whether that is all of it."""

    box: Rect
    whole: bool


@dataclass(slots=True, kw_only=True)
class Sheet:
    """One screen.

    Attributes:
        picture: shape (height, width, 3), uint8.
        windows: topmost first.
        finder: for texts in the font of its programs.
        titles: for the window manager's title bars.
        scale: pixels for each unit of the programs.
        elements: found so far.
        blots: boxes whose content is not known for certain; they are to be painted over.
        partial: as ``blots``, in elements that remain.
        known: boxes that hold nothing more to be found, beside the elements.
        doubts: why something was left out, for whoever improves this.
    """

    picture: RgbImage
    windows: tuple[Window, ...]
    finder: TextFinder
    titles: TextFinder
    scale: int = 1
    elements: list[GroundTruth] = field(default_factory=lambda: list[GroundTruth]())
    blots: list[Rect] = field(default_factory=lambda: list[Rect]())
    partial: list[Rect] = field(default_factory=lambda: list[Rect]())
    known: list[Rect] = field(default_factory=lambda: list[Rect]())
    doubts: list[str] = field(default_factory=lambda: list[str]())
    _window: int = 0
    _views: dict[int, RgbImage] = field(default_factory=dict[int, RgbImage])

    @property
    def size(self) -> Size:
        """Of the picture."""
        return Size(self.picture.shape[1], self.picture.shape[0])

    @property
    def image(self) -> RgbImage:
        """The picture as the window would be alone that was last asked about by :meth:`seen`: nothing lies on it."""
        if not self.covers(self._window):
            return self.picture
        if self._window not in self._views:
            view = np.array(self.picture)
            for box in self.covers(self._window):
                box = box.clamped(self.size)
                view[box.y1 : box.y2, box.x1 : box.x2] = _COVERED
            self._views[self._window] = view
        return self._views[self._window]

    def covers(self, window: int) -> list[Rect]:
        """What lies on a window."""
        return [above.frame for above in self.windows[:window]]

    def seen(self, box: Rect | None, place: Place) -> Seen | None:
        """What can be seen of a box; None when it is less than half, or too small to be pointed at."""
        self._window = place.window
        if box is None or box.area == 0:
            return None
        inside = box.clamped(self.size).intersection(place.clip)
        if inside is None or inside.width < _LEAST_PX or inside.height < _LEAST_PX:
            return None
        left = subtract(inside, self.covers(place.window))
        area = sum(part.area for part in left)
        if area < _HALF * box.area:
            return None
        around = left[0]
        for part in left[1:]:
            around = around.union(part)
        if around.width < _LEAST_PX or around.height < _LEAST_PX:
            return None
        return Seen(around, area >= _WHOLE * box.area)

    def add(
        self,
        kind: ElementType,
        box: Rect,
        *,
        text: str | None = None,
        subtype: str | None = None,
        states: Mapping[State, bool] | None = None,
        leaf: bool = True,
    ) -> None:
        """An element that is certain; attributes that its type cannot have are left out."""
        box = box.clamped(self.size)
        if box.width < _LEAST_PX or box.height < _LEAST_PX:
            return
        may = ATTRIBUTES[kind]
        words = " ".join(text.split()) if text and kind != "text_area" else text
        self.elements.append(
            GroundTruth(
                type=kind,
                box=box,
                text=(words or None) if may.text else None,
                subtype=subtype if may.subtype else None,
                states={s: v for s, v in (states or {}).items() if s in may.states},
                leaf=leaf,
            )
        )

    def add_line(
        self, kind: ElementType, rough: Rect, text: str | None, *, states: Mapping[State, bool] | None = None
    ) -> bool:
        """A line of text or an icon by its ink; whether there was any."""
        box = foreground_box(self.image, rough)
        if box is None:
            return False
        self.add(kind, box, text=text, states={"highlighted": False} if states is None else states)
        return True

    def has_ink(self, box: Rect) -> bool:
        """Whether anything is drawn in a box."""
        return has_ink(self.image, box)

    def blot(self, box: Rect, why: str, *, whole: bool = True) -> None:
        """Something is drawn here of which not enough is known; ``whole``: and the elements in it go, too."""
        (self.blots if whole else self.partial).extend(subtract(box, self.covers(self._window)))
        self.doubts.append(why)

    def first_found(self, region: Rect, texts: Iterable[str | None], *, more: bool = False) -> tuple[str, Rect] | None:
        """The first of some texts that is drawn in a region, and its ink."""
        for text in texts:
            words = " ".join(text.split()) if text else ""
            found = self.finder.find(self.image, region, words, more=more) if words else None
            if found is not None:
                return words, found
        return None
