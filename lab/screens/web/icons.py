"""Icons for a page: drawings of our own, signs of a font, or the pictures of a set, each with its subtype."""

# ruff: noqa: RUF001 - signs that look like letters are meant.

from __future__ import annotations

import functools
import re
from pathlib import Path
from random import Random

from lab.screens.qt.glyphs import GLYPHS as LINES
from lab.screens.web.fetch import PackageCache
from lab.screens.web.icon_names import ICON_NAMES, NAMELESS, OWN_NAMES
from lab.screens.web.icon_shapes import ICON_SHAPES
from lab.screens.web.markup import attributes, tag, truth
from lab.screens.web.packages import ICON_SETS

PLAIN_KEYS = ("own", "glyphs", "lines")
"""Manners of icons that need no set: drawings of our own, signs of a font, the drawings of Qt windows."""

GLYPHS = {
    "close": "✕×✖", "menu": "☰≡", "more": "⋮⋯…", "star": "★☆", "like": "♥♡", "settings": "⚙", "mail": "✉",
    "phone": "☎", "edit": "✎✏", "back": "←", "forward": "→", "up": "▲↑", "down": "▼↓", "left": "◀‹", "right": "▶›",
    "add": "+＋", "remove": "−", "refresh": "↻⟳", "undo": "↶↩", "redo": "↷↪", "flag": "⚑⚐", "warning": "⚠",
    "play": "▶", "pause": "⏸", "stop": "■", "info": "ℹ", "cut": "✂", "music": "♪♫", "home": "⌂", "sort": "⇅↕",
    "important": "!", "help": "?",
}  # fmt: skip
"""Signs that stand for a picture; a page that shows one as an icon has it in a box of its own."""

_OPENING = re.compile(r"<svg\b[^>]*>", re.DOTALL)
_CLOSING = re.compile(r"</svg>\s*$")
_NOISE = re.compile(r"<\?xml.*?\?>|<!DOCTYPE.*?>|<!--.*?-->|<title>.*?</title>", re.DOTALL)
_BOX = re.compile(r'viewBox="([^"]*)"')
_KEPT = re.compile(r'\b(viewBox|fill|stroke|stroke-width|stroke-linecap|stroke-linejoin)="([^"]*)"')


class Icons:
    """Draws icons in one manner for a whole page.

    Args:
        rng: chooses among a set's weights.
        key: one of ``PLAIN_KEYS`` or a key of ``ICON_SETS``.
        package_cache: where sets lie; needed for sets only.
        bent: whether the drawings are leaning, stretched or squeezed a little, all in the same way.
    """

    def __init__(self, rng: Random, *, key: str, package_cache: PackageCache | None = None, bent: bool = False) -> None:
        self.key = key
        self._rng = rng
        self._root = None if key in PLAIN_KEYS or package_cache is None else package_cache.path(key)
        self._bend = _bend(rng) if bent else ""
        self._ends = rng.choice(("round", "round", "square", "butt"))
        self._ground = rng.choice(("none", "none", "none", "full", "pale"))
        self._choice = rng.random()
        self._weight = rng.random()
        self._pen = rng.choice([1.25, 1.5, 1.75, 2, 2, 2.5])
        self._filled = rng.random() < 0.2

    def draw(self, subtype: str, *, size: int, extra: str = "") -> str:
        """The icon of a subtype; from our own drawings where the set does not know it."""
        told = truth(subtype=subtype)
        if self.key == "glyphs" and subtype in GLYPHS:
            # The sign need not be the same all over the page. In a drawing of its own it is a picture, not a word.
            letter = tag(
                "text", self._sign(subtype), x=12, y=19, text_anchor="middle", font_size=21, fill="currentColor"
            )
            return _sized((' viewBox="0 0 24 24"', letter), told=told, size=size, extra=extra)
        if self.key == "lines" and subtype in LINES:
            return _sized(self._bent(self._lines(subtype)), told=told, size=size, extra=extra)
        return self._picture(subtype, told=told, size=size, extra=extra)

    def _sign(self, subtype: str) -> str:
        return self._rng.choice(GLYPHS[subtype])

    def _lines(self, subtype: str) -> tuple[str, str]:
        """One of the drawings of a meaning, always the same of several, as lines or filled."""
        paths = LINES[subtype]
        opacity = {"none": 0.0, "full": 0.55, "pale": 0.25}[self._ground]
        fill = attributes(fill="currentColor", fill_opacity=opacity) if opacity else ' fill="none"'
        pen = attributes(stroke="currentColor", stroke_width=self._pen, stroke_linecap=self._ends)
        return f' viewBox="0 0 24 24" stroke-linejoin="round"{fill}{pen}', tag(
            "path", d=paths[int(self._choice * len(paths))]
        )

    def _bent(self, found: tuple[str, str]) -> tuple[str, str]:
        if not self._bend:
            return found
        box = _BOX.search(found[0])
        x, y, width, height = (float(one) for one in box[1].split()) if box else (0.0, 0.0, 24.0, 24.0)
        middle = f"{x + width / 2:g} {y + height / 2:g}"
        back = f"{-x - width / 2:g} {-y - height / 2:g}"
        return found[0], tag("g", found[1], transform=f"translate({middle}) {self._bend} translate({back})")

    def nameless(self, *, size: int) -> str:
        """An icon that no subtype stands for."""
        for name in self._rng.sample(NAMELESS, 12):
            found = self._from_set((name,))
            if found is not None:
                return _sized(found, told=truth(subtype="none"), size=size, extra="")
        return self.draw(self._rng.choice(("chart", "grid", "flag")), size=size)

    def _picture(self, subtype: str, *, told: str, size: int, extra: str) -> str:
        found = self._from_set(OWN_NAMES.get((self.key, subtype), ICON_NAMES[subtype]))
        if found is None:
            fill = "currentColor" if self._filled and subtype in {"star", "like", "play", "stop", "folder"} else "none"
            pen = attributes(fill=fill, stroke="currentColor", stroke_width=self._pen, stroke_linecap="round")
            found = (f' viewBox="0 0 24 24" stroke-linejoin="round"{pen}', ICON_SHAPES[subtype])
        return _sized(self._bent(found), told=told, size=size, extra=extra)

    def _from_set(self, names: tuple[str, ...]) -> tuple[str, str] | None:
        if self._root is None:
            return None
        path = find_icon(self._root, self.key, names, self._weight)
        return None if path is None else _read(path)


def _bend(rng: Random) -> str:
    """How all drawings of a family lean and how wide they are."""
    lean, turn = rng.choice((0, 0, -9, 7)), rng.choice((0, 0, -4, 5))
    return f"skewX({lean}) rotate({turn}) scale({rng.uniform(0.8, 1.08):.2f} {rng.uniform(0.8, 1.08):.2f})"


def _sized(found: tuple[str, str], *, told: str, size: int, extra: str) -> str:
    opening, inside = found
    return f'<svg class="ic" width="{size}" height="{size}"{opening}{told}{extra}>{inside}</svg>'


def sign(kind: str, *, size: int = 10) -> str:
    """A small filled sign inside a control: ``right``, ``down`` or ``check``; a picture, so that it is no letter."""
    shape = {
        "right": '<path d="M7 3l12 9-12 9z" fill="currentColor"/>',
        "down": '<path d="M3 7h18l-9 12z" fill="currentColor"/>',
        "check": '<path d="M4 13l5 6L20 5" fill="none" stroke="currentColor" stroke-width="3"/>',
    }[kind]
    return _sized(
        (' viewBox="0 0 24 24"', shape), told=truth(subtype="none" if kind == "check" else kind), size=size, extra=""
    )


@functools.lru_cache(maxsize=4096)
def find_icon(root: Path, key: str, names: tuple[str, ...], weight: float = 0.0) -> Path | None:
    """The picture that a set has for the first of several names it knows.

    Args:
        root: the unpacked package.
        key: of ``ICON_SETS``.
        names: the likeliest first.
        weight: 0..1, chooses among several weights of one picture.
    """
    patterns = ICON_SETS[key].patterns
    for name in names:
        found = [path for pattern in patterns if (path := _file(root, pattern.format(name))) is not None]
        if found:
            return found[int(weight * len(found))]
    return None


def _file(root: Path, relative: str) -> Path | None:
    if "*" in relative:
        return next(iter(sorted(root.glob(relative))), None)
    path = root / relative
    return path if path.is_file() else None


@functools.lru_cache(maxsize=4096)
def _read(path: Path) -> tuple[str, str]:
    """Attributes and inside of an SVG file."""
    text = _NOISE.sub("", path.read_text(encoding="utf-8"))
    opening = _OPENING.search(text)
    if opening is None:
        return ' viewBox="0 0 24 24"', ""
    kept = dict(_KEPT.findall(opening.group()))
    # Sets without a colour of their own are black; ours follow the text.
    if "stroke" not in kept and "fill" not in kept:
        kept["fill"] = "currentColor"
    inside = _CLOSING.sub("", text[opening.end() :])
    return "".join(f' {name}="{value}"' for name, value in kept.items()), inside
