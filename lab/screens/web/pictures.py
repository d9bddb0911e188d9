"""Pictures, charts and faces for pages, drawn as SVG; nothing in them is an element of its own."""

from __future__ import annotations

import colorsys
import math
from itertools import pairwise
from random import Random

from lab.screens.web.maker import Maker
from lab.screens.web.markup import attributes, esc, tag


def _colour(rng: Random) -> str:
    r, g, b = colorsys.hls_to_rgb(rng.random(), rng.uniform(0.25, 0.85), rng.uniform(0.2, 0.9))
    return f"rgb({r * 255:.0f},{g * 255:.0f},{b * 255:.0f})"


def _svg(width: int, height: int, inside: str, *, style: str = "") -> str:
    told = attributes(data_truth_type="image")
    return (
        f'<svg class="pic" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'preserveAspectRatio="none" style="display:block;overflow:hidden;max-width:100%;{style}"{told}>{inside}</svg>'
    )


def picture(m: Maker, *, width: int, height: int) -> str:
    """Something like a photo: a landscape, a thing on a ground, or patches of colour."""
    rng = m.rng
    ground = f'<rect width="{width}" height="{height}" fill="{_colour(rng)}"/>'
    manner = rng.choice((_landscape, _thing, _patches))
    return _svg(width, height, ground + manner(rng, width, height))


def _landscape(rng: Random, width: int, height: int) -> str:
    parts = [tag("circle", cx=round(rng.uniform(0, width)), cy=height // 4, r=height // 8, fill=_colour(rng))]
    for level in (0.5, 0.65, 0.8):
        points = [f"{x * width / 8:.0f},{height * (level + rng.uniform(-0.15, 0.1)):.0f}" for x in range(9)]
        parts.append(f'<polygon points="0,{height} {" ".join(points)} {width},{height}" fill="{_colour(rng)}"/>')
    return "".join(parts)


def _thing(rng: Random, width: int, height: int) -> str:
    cx, cy, size = width / 2, height / 2, min(width, height) * rng.uniform(0.25, 0.4)
    corners = f"{cx:.0f},{cy - size:.0f} {cx + size:.0f},{cy + size:.0f} {cx - size:.0f},{cy + size:.0f}"
    left, top, wide, high = round(cx - size), round(cy - size / 2), round(size * 2), round(size)
    forms = (
        tag("circle", cx=round(cx), cy=round(cy), r=round(size), fill=_colour(rng)),
        tag("rect", x=left, y=top, width=wide, height=high, rx=8, fill=_colour(rng)),
        tag("polygon", points=corners, fill=_colour(rng)),
    )
    return "".join(rng.sample(forms, rng.randint(1, 3)))


def _patches(rng: Random, width: int, height: int) -> str:
    parts: list[str] = []
    for _ in range(rng.randint(6, 20)):
        x, y, w, h = (
            rng.uniform(-20, width),
            rng.uniform(-20, height),
            rng.uniform(9, width / 2),
            rng.uniform(9, height / 2),
        )
        parts.append(
            f'<rect x="{x:.0f}" y="{y:.0f}" width="{w:.0f}" height="{h:.0f}" fill="{_colour(rng)}" opacity="0.7"/>'
        )
    return "".join(parts)


def chart(m: Maker, *, width: int, height: int) -> str:
    """Bars, lines or a pie, with axes."""
    rng = m.rng
    ink = m.look.text if m.look.text.startswith("#") else "#555555"
    accent = m.look.accent
    axes = f'<path d="M30 6V{height - 20}H{width - 6}" fill="none" stroke="{ink}" stroke-width="1"/>'
    labels = "".join(
        f'<text x="2" y="{height - 20 - i * (height - 30) / 4:.0f}" font-size="9" fill="{ink}">{i * 25}</text>'
        for i in range(5)
    )
    manner = rng.choice(("bars", "lines", "pie"))
    if manner == "pie":
        return _svg(width, height, _pie(rng, width, height))
    if manner == "bars":
        count = rng.randint(4, 14)
        step = (width - 44) / count
        heights = [rng.uniform(0.1, 0.9) * (height - 30) for _ in range(count)]
        body = "".join(
            tag(
                "rect",
                x=round(36 + i * step),
                y=round(height - 20 - h),
                width=round(step * 0.7),
                height=round(h),
                fill=accent,
            )
            for i, h in enumerate(heights)
        )
    else:
        body = "".join(_line(rng, width, height) for _ in range(rng.randint(1, 3)))
    return _svg(width, height, axes + labels + body)


def _line(rng: Random, width: int, height: int) -> str:
    level = rng.uniform(0.3, 0.7)
    points: list[str] = []
    for i in range(12):
        level = min(0.95, max(0.05, level + rng.uniform(-0.15, 0.15)))
        points.append(f"{34 + i * (width - 44) / 11:.0f},{(height - 24) * (1 - level) + 4:.0f}")
    return f'<polyline points="{" ".join(points)}" fill="none" stroke="{_colour(rng)}" stroke-width="2"/>'


def _pie(rng: Random, width: int, height: int) -> str:
    cx, cy, r = width / 2, height / 2, min(width, height) * 0.45
    cuts = [0.0, *sorted(rng.random() for _ in range(rng.randint(2, 5))), 1.0]
    parts: list[str] = []
    for start, stop in pairwise(cuts):
        a, b = 2 * math.pi * start, 2 * math.pi * stop
        wide = 1 if b - a > math.pi else 0
        end = f"{cx + r * math.cos(b):.1f} {cy + r * math.sin(b):.1f}Z"
        parts.append(
            f'<path d="M{cx:.1f} {cy:.1f}L{cx + r * math.cos(a):.1f} {cy + r * math.sin(a):.1f}'
            f'A{r:.1f} {r:.1f} 0 {wide} 1 {end}" fill="{_colour(rng)}"/>'
        )
    return "".join(parts)


def avatar(m: Maker, *, name: str, size: int) -> str:
    """A face: initials on a disc, or a drawn head."""
    if m.habit("avatar", "initials", "head") == "initials":
        initials = "".join(part[0] for part in name.split()[:2])
        style = f"width:{size}px;height:{size}px;font-size:{size * 0.4:.0f}px"
        return f'<span class="x-avatar" style="{style}">{esc(initials)}</span>'
    rng = m.rng
    inside = (
        f'<circle cx="{size / 2}" cy="{size / 2}" r="{size / 2}" fill="{_colour(rng)}"/>'
        f'<circle cx="{size / 2}" cy="{size * 0.4}" r="{size * 0.18}" fill="#fff"/>'
        f'<path d="M{size * 0.2} {size * 0.9}a{size * 0.3} {size * 0.3} 0 0 1 {size * 0.6} 0z" fill="#fff"/>'
    )
    told = _truth_of_face(size)
    place = f'width="{size}" height="{size}" viewBox="0 0 {size} {size}"'
    return f'<svg class="pic" {place} style="flex:none"{told}>{inside}</svg>'


def _truth_of_face(size: int) -> str:
    """A small face is an icon that stands for a person, a large one a picture."""
    return attributes(data_truth_subtype="user") if size <= 64 else attributes(data_truth_type="image")
