"""Place of a picture in the window: scale and offset, as arithmetic."""

from __future__ import annotations

from dataclasses import dataclass, replace

from demopack.domain.geometry import Rect, Size

MIN_SCALE, MAX_SCALE = 0.02, 32.0
CRISP_ABOVE = 2.0
"""From this scale on a pixel of the picture is a square, not a blur."""

_MARGIN = 16.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Viewport:
    """A picture of ``picture`` pixels in a window of ``width`` x ``height``; scale is window pixels per picture pixel.

    Attributes:
        picture: size of the picture.
        width: of the window.
        height: of the window.
        scale: window pixels per pixel of the picture.
        x: where the picture's left edge lies in the window.
        y: where its top edge lies.
        fitted: the picture fills the window and goes on filling it when the window changes.
    """

    picture: Size
    width: float
    height: float
    scale: float = 1.0
    x: float = 0.0
    y: float = 0.0
    fitted: bool = True

    def fit(self) -> Viewport:
        """The whole picture, centred, never larger than life."""
        room_x = max(self.width - 2 * _MARGIN, 1.0)
        room_y = max(self.height - 2 * _MARGIN, 1.0)
        scale = min(room_x / self.picture.width, room_y / self.picture.height, 1.0)
        scale = max(scale, MIN_SCALE)
        return replace(
            self,
            scale=scale,
            x=round((self.width - self.picture.width * scale) / 2),
            y=round((self.height - self.picture.height * scale) / 2),
            fitted=True,
        )

    def at_scale(self, scale: float, *, x: float | None = None, y: float | None = None) -> Viewport:
        """Another scale; the window position (x, y), or the middle, keeps its pixel."""
        scale = min(max(scale, MIN_SCALE), MAX_SCALE)
        cx = self.width / 2 if x is None else x
        cy = self.height / 2 if y is None else y
        ratio = scale / self.scale
        return self._placed(cx - (cx - self.x) * ratio, cy - (cy - self.y) * ratio, scale=scale)

    def moved(self, dx: float, dy: float) -> Viewport:
        """Pushed by window pixels; some of the picture always stays in view."""
        return self._placed(self.x + dx, self.y + dy)

    def in_window(self, width: float, height: float) -> Viewport:
        """In a window of another size; fitted stays fitted, else the middle stays the middle."""
        dx, dy = (width - self.width) / 2, (height - self.height) / 2
        other = replace(self, width=width, height=height)
        return other.fit() if self.fitted else other.moved(dx, dy)

    def showing(self, picture: Size) -> Viewport:
        """With another picture; of equal size it lies where the last one lay, so that steps can be compared."""
        if picture == self.picture:
            return self
        return replace(self, picture=picture).fit()

    def revealing(self, box: Rect) -> Viewport:
        """Moved as little as it takes to bring a box into view."""
        x1, y1 = self.to_window(box.x1, box.y1)
        x2, y2 = self.to_window(box.x2, box.y2)
        dx, dy = _shift(x1, x2, self.width), _shift(y1, y2, self.height)
        return self if self.fitted or (dx, dy) == (0.0, 0.0) else self.moved(dx, dy)

    def to_picture(self, x: float, y: float) -> tuple[float, float]:
        """The picture position under a window position."""
        return ((x - self.x) / self.scale, (y - self.y) / self.scale)

    def to_window(self, x: float, y: float) -> tuple[float, float]:
        """The window position of a picture position."""
        return (x * self.scale + self.x, y * self.scale + self.y)

    def _placed(self, x: float, y: float, *, scale: float | None = None) -> Viewport:
        """At a place; at least a margin of the picture stays in the window on every side."""
        scale = self.scale if scale is None else scale
        keep = 3 * _MARGIN
        x = min(max(x, keep - self.picture.width * scale), self.width - keep)
        y = min(max(y, keep - self.picture.height * scale), self.height - keep)
        return replace(self, scale=scale, x=round(x), y=round(y), fitted=False)


def _shift(low: float, high: float, room: float) -> float:
    """How far a span has to move to lie inside the margins; one that is larger than the room stays where it is."""
    over_left, over_right = low < _MARGIN, high > room - _MARGIN
    if over_left == over_right:
        return 0.0
    return _MARGIN - low if over_left else max(room - _MARGIN - high, _MARGIN - low)
