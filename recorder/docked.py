"""Where parts of ours lie inside windows of other programs: above all the icon in the tray."""

from __future__ import annotations

from demopack.domain.geometry import Rect

__all__ = ["dock", "docked"]

_places: dict[str, Rect] = {}


def dock(name: str, box: Rect | None) -> None:
    """Say where such a part is now; a click there is meant for us and leaves no step. May be called from any thread.

    Args:
        name: of the part; a process has one of each.
        box: pixels of the virtual desktop; None when it is not on the screen.
    """
    if box is None:
        _places.pop(name, None)
    else:
        _places[name] = box


def docked() -> tuple[Rect, ...]:
    """Where they are."""
    return tuple(_places.values())
