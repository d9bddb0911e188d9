"""Pictures of the icon sets that pages use, where they lie in the cache already; nothing is ever fetched here."""

from __future__ import annotations

import functools
import re
from typing import Final

from demopack.errors import DemopackError
from lab.screens.web.fetch import PackageCache
from lab.screens.web.icon_names import ICON_NAMES, OWN_NAMES
from lab.screens.web.icons import find_icon
from lab.screens.web.packages import ICON_SETS
from lab.screens.web.sides import HELD_ICONS

_OPENING: Final = re.compile(r"<svg\b[^>]*>", re.DOTALL)


@functools.cache
def set_keys() -> tuple[str, ...]:
    """The sets that are there; those that are kept for tests are left out."""
    package_cache = PackageCache()
    return tuple(key for key in sorted(ICON_SETS) if key not in HELD_ICONS and package_cache.has(key))


def set_svg(key: str, subtype: str, *, weight: float, colour: str) -> str | None:
    """The picture that a set has for a meaning, in a colour; None when it has none.

    Args:
        key: one of ``set_keys``.
        subtype: what it stands for.
        weight: 0..1, chooses among thin, filled and the like.
        colour: ``#rrggbb``.
    """
    names = OWN_NAMES.get((key, subtype)) or ICON_NAMES.get(subtype)
    if names is None:
        return None
    try:
        path = find_icon(PackageCache().path(key), key, names, weight)
    except DemopackError:
        return None
    if path is None:
        return None
    text = path.read_text(encoding="utf-8")
    opening = _OPENING.search(text)
    if opening is None:
        return None
    head = opening.group()
    # Sets without a colour of their own are black.
    if "fill=" not in head and "stroke=" not in head:
        head = f'{head[:-1]} fill="{colour}">'
    return (head + text[opening.end() :]).replace("currentColor", colour)
