"""Line drawings of what icons stand for, as SVG paths on a field of 24 by 24."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final


def _read() -> dict[str, tuple[str, ...]]:
    found = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
    return {subtype: tuple(paths) for subtype, paths in found.items()}


GLYPHS: Final[dict[str, tuple[str, ...]]] = _read()
"""For each subtype, one or more paths."""


def glyph_svg(path: str, *, colour: str, width: float, fill: str = "none", badge: str = "", shape: str = "") -> str:
    """An SVG picture of a glyph.

    Args:
        path: from ``GLYPHS``.
        colour: of the lines.
        width: of the lines, on a field of 24.
        fill: of what the lines enclose.
        badge: colour of a ground below it; none when empty.
        shape: ``circle`` or ``square``, of that ground.
    """
    ground = ""
    inner = ""
    if badge:
        ground = (
            f'<circle cx="12" cy="12" r="11.500" fill="{badge}"/>'
            if shape == "circle"
            else f'<rect x=".5" y=".5" width="23" height="23" rx="5" fill="{badge}"/>'
        )
        inner = ' transform="translate(5.300 5.300) scale(.56)"'
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">'
        f'{ground}<g{inner} fill="{fill}" stroke="{colour}" stroke-width="{width}" '
        f'stroke-linecap="round" stroke-linejoin="round"><path d="{path}"/></g></svg>'
    )
