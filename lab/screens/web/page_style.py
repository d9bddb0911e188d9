"""Colours, fonts, radii and paddings of a page, drawn by chance but readable."""

from __future__ import annotations

import colorsys
from dataclasses import dataclass, replace
from random import Random

SYSTEM_FONTS = ("sans-serif", "sans-serif", "serif", "monospace", "DejaVu Sans", "DejaVu Serif", "DejaVu Sans Mono")
_GREYS = (0.0, 0.02, 0.05, 0.1)
Rgb = tuple[float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class PageStyle:
    """What the style sheet of a page is made of; colours are CSS.

    Attributes:
        dark: whether the ground is darker than the text.
        ground: of the page.
        text: upon it.
        muted: less important text.
        panel: ground of cards, bars and menus.
        line: borders.
        field: ground of input fields.
        accent: of what is chosen or most important.
        on_accent: text upon that.
        chosen: ground of a selected row.
        on_chosen: text upon that.
        danger: warnings.
        good: what went well.
        link: text that leads elsewhere.
        font: CSS families.
        size: of text, CSS pixels.
        radius: of corners.
        pad: inside controls, vertically.
        gap: between things.
        border: width of lines.
        shadow: of what floats; ``none`` for none.
        gradient: whether controls shine.
        bevel: whether controls are raised as in the nineties.
    """

    dark: bool
    ground: str
    text: str
    muted: str
    panel: str
    line: str
    field: str
    accent: str
    on_accent: str
    chosen: str
    on_chosen: str
    danger: str
    good: str
    link: str
    font: str
    size: float
    radius: int
    pad: int
    gap: int
    border: int
    shadow: str
    gradient: bool
    bevel: bool

    def variables(self) -> str:
        """The values as custom properties for the page's root."""
        names = ("ground", "text", "muted", "panel", "line", "field", "accent", "on_accent", "chosen", "on_chosen")
        values = {name: getattr(self, name) for name in (*names, "danger", "good", "link", "font", "shadow")}
        values |= {"size": f"{self.size}px", "radius": f"{self.radius}px", "pad": f"{self.pad}px"}
        values |= {"gap": f"{self.gap}px", "border": f"{self.border}px"}
        return ";".join(f"--{name.replace('_', '-')}:{value}" for name, value in values.items())


def _css(colour: Rgb) -> str:
    return "#" + "".join(f"{round(max(0.0, min(1.0, c)) * 255):02x}" for c in colour)


def _rgb(text: str) -> Rgb:
    return int(text[1:3], 16) / 255, int(text[3:5], 16) / 255, int(text[5:7], 16) / 255


def _light(colour: Rgb) -> float:
    parts = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in colour]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def is_dark(colour: str) -> bool:
    """Whether white is easier to read on it than black."""
    return _light(_rgb(colour)) < 0.18


def contrast(first: str, second: str) -> float:
    """How far two colours are apart, from 1 to 21, as accessibility guides reckon it."""
    one, two = _light(_rgb(first)), _light(_rgb(second))
    return (max(one, two) + 0.05) / (min(one, two) + 0.05)


def _shade(hue: float, lightness: float, saturation: float) -> str:
    return _css(colorsys.hls_to_rgb(hue % 1, max(0.0, min(1.0, lightness)), saturation))


def _readable(hue: float, saturation: float, ground: str, *, least: float) -> str:
    """A colour of this hue that can be read on a ground."""
    up = _light(_rgb(ground)) < 0.3
    steps = range(40, 100, 3) if up else range(55, 0, -3)
    for step in steps:
        colour = _shade(hue, step / 100, saturation)
        if contrast(colour, ground) >= least:
            return colour
    return "#ffffff" if up else "#000000"


def draw_look(rng: Random, *, dark: bool, fonts: tuple[str, ...] = SYSTEM_FONTS) -> PageStyle:
    """A look by chance: any accent, calm grounds, text that can be read.

    Args:
        rng: where chance comes from.
        dark: light text on a dark ground.
        fonts: families to choose from.
    """
    hue, tint = rng.random(), rng.choice(_GREYS)
    base = rng.uniform(0.05, 0.2) if dark else rng.choice([1.0, 1.0, rng.uniform(0.88, 0.99)])
    step = rng.choice([0.0, 0.03, 0.05]) * (1 if dark else -1)
    ground = _shade(hue, base, tint)
    panel = _shade(hue, base + step, tint)
    line = _shade(hue, base + (rng.uniform(0.12, 0.35) if dark else -rng.uniform(0.1, 0.4)), tint)
    accent = _shade(rng.random(), rng.uniform(0.3, 0.55), rng.uniform(0.4, 1))
    on_accent = "#ffffff" if contrast("#ffffff", accent) >= 3 else "#000000"
    chosen = _shade(rng.random(), base + (0.18 if dark else -rng.uniform(0.08, 0.2)), rng.uniform(0.3, 0.9))
    strong = rng.random() < 0.4
    return PageStyle(
        dark=dark,
        ground=ground,
        panel=panel,
        line=line,
        text=_readable(hue, tint, panel, least=rng.choice([7, 10, 14])),
        muted=_readable(hue, tint, panel, least=4),
        field=_shade(hue, base + (0.04 if dark else rng.choice([0, 0.05, -0.04])), tint),
        accent=accent,
        on_accent=on_accent,
        chosen=accent if strong else chosen,
        on_chosen=on_accent if strong else ("#ffffff" if contrast("#ffffff", chosen) >= 4.5 else "#000000"),
        danger=_readable(0.0, 0.75, panel, least=4),
        good=_readable(0.36, 0.6, panel, least=4),
        link=_readable(rng.choice([0.6, 0.62, 0.58, rng.random()]), 0.8, panel, least=4.5),
        font=", ".join(f'"{f}"' if " " in f else f for f in dict.fromkeys((rng.choice(fonts), "sans-serif"))),
        size=rng.choice([11, 12, 13, 13, 14, 14, 15, 16, 16, 18, 20]),
        radius=rng.choice([0, 0, 2, 3, 4, 6, 8, 12, 20]),
        pad=rng.choice([1, 2, 3, 4, 5, 6, 8, 10]),
        gap=rng.choice([3, 4, 6, 8, 10, 12, 16]),
        border=rng.choice([0, 1, 1, 1, 1, 2, 2, 3]),
        shadow=rng.choice(["none", "0 1px 3px #0005", "0 4px 14px #0006", "3px 3px 0 #0008"]),
        gradient=rng.random() < 0.15,
        bevel=rng.random() < 0.12,
    )


def fitted_look(rng: Random, *, ground: str, text: str, accent: str) -> PageStyle:
    """A look that goes with the colours of a framework; sizes and distances are drawn by chance.

    Args:
        rng: where chance comes from.
        ground: of the framework's page.
        text: upon it.
        accent: of its main button.
    """
    dark = _light(_rgb(ground)) < _light(_rgb(text))
    drawn = draw_look(rng, dark=dark)
    strong = rng.random() < 0.3
    on_accent = "#ffffff" if contrast("#ffffff", accent) >= 3 else "#000000"
    chosen = accent if strong else _mixed(ground, accent, 0.2)
    return replace(
        drawn,
        ground=ground,
        text=text,
        muted=_mixed(ground, text, 0.65),
        panel=_mixed(ground, text, rng.choice([0.0, 0.03, 0.06])),
        line=_mixed(ground, text, rng.choice([0.12, 0.2, 0.3])),
        field=ground,
        accent=accent,
        on_accent=on_accent,
        chosen=chosen,
        on_chosen=on_accent if strong else text,
        link=accent,
        font="inherit",
        border=rng.choice([0, 1, 1, 1]),
        bevel=False,
        gradient=False,
    )


def _mixed(first: str, second: str, share: float) -> str:
    (r, g, b), (s, h, c) = _rgb(first), _rgb(second)
    return _css((r + (s - r) * share, g + (h - g) * share, b + (c - b) * share))
