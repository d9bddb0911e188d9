"""Colour schemes by number: light, dark, coloured and of high contrast, always readable."""

from __future__ import annotations

import colorsys
import random
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scheme:
    """The colours of a program, as ``#rrggbb``."""

    window: str
    base: str
    alternate: str
    button: str
    text: str
    faint: str
    border: str
    accent: str
    on_accent: str
    link: str
    dark: bool


def scheme(number: int) -> Scheme:
    """The colours with a number; equal numbers, equal colours."""
    rng = random.Random(f"scheme {number}")  # noqa: S311 - nothing secret
    kind = ("light", "light", "dark", "light", "dark", "tinted", "paper", "deep", "white", "contrast")[number % 10]
    hue = rng.random()
    accent = _rgb(rng.random(), rng.uniform(0.45, 0.9), rng.uniform(0.45, 0.85))
    if kind == "contrast":
        return _contrast(rng)
    if kind in {"dark", "deep"}:
        return _dark(rng, hue, accent, strong=kind == "deep")
    strength = {"light": 0.03, "tinted": 0.16, "paper": 0.08, "white": 0.0}[kind]
    level = rng.uniform(0.86, 0.96) if kind != "white" else 1.0
    window = _rgb(hue, rng.uniform(0, strength), level)
    base = "#ffffff" if rng.random() < 0.75 else mixed(window, "#ffffff", 0.6)
    text = mixed("#000000", _rgb(hue, 0.5, 0.3), rng.uniform(0, 0.6))
    return _finished(window, base, text, accent, rng)


def _dark(rng: random.Random, hue: float, accent: str, *, strong: bool) -> Scheme:
    window = _rgb(hue, rng.uniform(0.15, 0.45) if strong else rng.uniform(0, 0.15), rng.uniform(0.12, 0.3))
    base = mixed(window, "#000000", rng.uniform(0.15, 0.45)) if rng.random() < 0.7 else mixed(window, "#ffffff", 0.07)
    return _finished(window, base, mixed("#ffffff", window, rng.uniform(0, 0.2)), accent, rng)


def _contrast(rng: random.Random) -> Scheme:
    ink, ground = ("#ffffff", "#000000") if rng.random() < 0.6 else ("#000000", "#ffffff")
    accent = rng.choice(("#ffff00", "#00ffff", "#1aebff")) if ink == "#ffffff" else rng.choice(("#0000c0", "#800080"))
    on = "#000000" if ink == "#ffffff" else "#ffffff"
    return Scheme(
        ground, ground, ground, ground, ink, mixed(ink, ground, 0.4), ink, accent, on, accent, ink == "#ffffff"
    )


def _finished(window: str, base: str, text: str, accent: str, rng: random.Random) -> Scheme:
    dark = _luminance(window) < 0.3
    on = "#ffffff" if contrast(accent, "#ffffff") >= contrast(accent, "#000000") else "#000000"
    button = mixed(window, "#ffffff", rng.uniform(0.05, 0.2) if dark else rng.uniform(0, 0.6))
    return Scheme(
        window=window,
        base=base,
        alternate=mixed(base, text, rng.uniform(0.02, 0.08)),
        button=button,
        text=text,
        faint=mixed(text, window, 0.55),
        border=mixed(window, text, rng.uniform(0.2, 0.45)),
        accent=accent,
        on_accent=on,
        link=mixed("#7ab8ff" if dark else "#0a4fc4", accent, rng.uniform(0, 0.3)),
        dark=dark,
    )


def mixed(one: str, other: str, share: float) -> str:
    """A colour on the way from one to the other; at a share of 1 it is the other."""
    a, b = _parts(one), _parts(other)
    return "#" + "".join(f"{round(x + (y - x) * share):02x}" for x, y in zip(a, b, strict=True))


def contrast(one: str, other: str) -> float:
    """How well two colours can be told apart, 1..21 (WCAG)."""
    a, b = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (a + 0.05) / (b + 0.05)


def _luminance(colour: str) -> float:
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255 for v in _parts(colour))]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _parts(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _rgb(hue: float, saturation: float, value: float) -> str:
    return "#" + "".join(f"{round(c * 255):02x}" for c in colorsys.hsv_to_rgb(hue, saturation, value))
