"""Ways to draw the same thing, as classes of a page's body; their rules are in ``sheets/skins.css`` and ``own.css``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from lab.screens.web.page_style import PageStyle

ANY_SKINS: Final = {
    "bar": ("thin", "hair", "wide", "tint", "dark", "old"), "ring": ("glow", "dots", "thick", "air", "tight"),
    "row": ("bar", "round", "card", "stripe", "pale", "strong"), "dlg": ("bold",),
    "win": ("round", "old", "frame", "dark", "pale", "tall", "bare"),
}  # fmt: skip
"""By what they style, the names of those that suit any framework."""
OWN_SKINS: Final = {
    "fld": ("line", "fill", "thick", "sunk"), "btn": ("pill", "hollow", "flat", "deep", "lift", "square"),
    "tbl": ("stripe", "grid", "bare", "head"), "tab": ("pill", "seg", "box"), "chk": ("hollow", "fill", "round", "big"),
    "tgl": ("thin", "line", "big"), "sl": ("flat", "ring", "block", "bar"),
}  # fmt: skip
"""The same for pages in their own look."""
_SHARE = 0.6
_MANNERS = (("drawn", 0.6), ("tabs-line", 0.4), ("caps", 0.1), ("tgl-square", 0.2))


def body_classes(rng: Random, look: PageStyle, *, own: bool) -> str:
    """Classes by chance; a ring for the focus is always among them.

    Args:
        rng: where chance comes from.
        look: of the page.
        own: whether the page is dressed by no framework.
    """
    names = _skins(rng, ANY_SKINS)
    if own:
        names += [name for name, wanted in (("bevel", look.bevel), ("shine", look.gradient)) if wanted]
        names += [name for name, share in _MANNERS if rng.random() < share]
        names += _skins(rng, OWN_SKINS)
    return " ".join(names)


def _skins(rng: Random, skins: Mapping[str, Sequence[str]]) -> list[str]:
    drawn = [(part, rng.choice(names)) for part, names in skins.items() if part == "ring" or rng.random() < _SHARE]
    return [f"{part}-{name}" for part, name in drawn]
