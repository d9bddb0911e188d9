"""From a spec's numbers to a whole page: what it looks like, what is on it, what happens to it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import TypeAlias

from lab.screens.web.fetch import PackageCache
from lab.screens.web.icons import PLAIN_KEYS, Icons
from lab.screens.web.maker import Maker
from lab.screens.web.markup import attributes
from lab.screens.web.packages import FONT_SETS, ICON_SETS
from lab.screens.web.page_style import SYSTEM_FONTS, PageStyle, draw_look, fitted_look, is_dark
from lab.screens.web.popups import date_picker, some_dialog, some_menu, toast, tooltip
from lab.screens.web.sides import HELD_ICONS, TEMPLATES, WIDGET_SETS
from lab.screens.web.skins import body_classes
from lab.screens.web.widget_set import Theme, WidgetSet
from lab.screens.web.words import Words, pick_language

SCREENS_PER_PAGE = 4
Act: TypeAlias = tuple[str, tuple[float | str, ...]]
_WINDOWS = (
    ((320, 240), 2), ((360, 640), 3), ((480, 360), 3), ((640, 480), 6), ((800, 600), 10), ((1024, 768), 20),
    ((1152, 864), 8), ((1280, 720), 12), ((1280, 800), 14), ((1366, 768), 12), ((1440, 900), 10), ((1600, 900), 3),
    ((1920, 1080), 4),
)  # fmt: skip
_SCALES = ((1.0, 70), (0.8, 3), (0.9, 4), (1.1, 4), (1.25, 7), (1.5, 7), (2.0, 5))
_DARK_SHARE = 0.42
_FAMILIES = 5
"""Manners of icons on one page; most pages show the first only."""
_BENT = 0.3
_POINTER = (
    '<svg class="x-pointer" data-truth-skip="all" width="{size}" height="{size}" viewBox="0 0 24 24" '
    'style="left:{x}px;top:{y}px"><path d="M3 1v19l5-5 3 7 3-1-3-7h7z" fill="{fill}" stroke="{edge}" '
    'stroke-width="1.4"/></svg>'
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page and what happens to it.

    Attributes:
        html: the whole document.
        moments: for each picture what is done before it.
        width: CSS pixels.
        height: CSS pixels.
        scale: picture pixels for one CSS pixel.
        dark: whether the person likes dark colours.
        variant: for the report.
    """

    html: str
    moments: tuple[tuple[Act, ...], ...]
    width: int
    height: int
    scale: float
    dark: bool
    variant: dict[str, str]


def make_page(*, template: str, kit: str, seed: int, package_cache: PackageCache | None, held: bool = False) -> Page:
    """The page of a spec; equal arguments, equal pages.

    Args:
        template: a key of ``TEMPLATES``.
        kit: a key of ``WIDGET_SETS``.
        seed: for everything that is drawn by chance.
        package_cache: where packages lie; without one only what needs none.
        held: whether icon sets may be used that are kept for tests.

    Raises:
        BadInputError: a package is missing and cannot be fetched.
    """
    rng = Random(f"{template}-{kit}-{seed}")  # noqa: S311 - nothing secret
    chosen = WIDGET_SETS[kit]
    theme = _theme(rng, chosen)
    look, font_css, font = _look(rng, chosen, theme, package_cache)
    language = pick_language(rng)
    (width, height), scale = draw_window(rng)
    icons, *families = (
        Icons(rng, key=_icon_key(rng, package_cache, held=held), package_cache=package_cache, bent=rng.random() < _BENT)
        for _ in range(_FAMILIES)
    )
    maker = Maker(
        rng=rng, words=Words(rng, code=language), icons=icons, kit=chosen, look=look, width=width, height=height,
        families=tuple(families),
    )  # fmt: skip
    body = TEMPLATES[template](maker)
    _add_popups(maker)
    head = _head(chosen, theme, look, font_css, package_cache)
    classes = body_classes(rng, look, own=chosen.own)
    pointer = _pointer(rng, width, height) if rng.random() < 0.15 else ""
    root = f'<html lang="{language}"{attributes(style=look.variables())}{theme.root}>'
    inside = f"{body}{''.join(maker.popups)}{pointer}<script>{_asset('moments.js')}</script>"
    html = (
        f'<!DOCTYPE html>{root}<head><meta charset="utf-8"><title>{template}</title>{head}</head>'
        f'<body class="{classes}">{inside}</body></html>'
    )
    variant = {
        "template": template, "kit": kit, "theme": theme.name, "language": language, "icons": icons.key, "font": font,
        "scale": f"{scale:g}", "ground": "dark" if look.dark else "light",
    }  # fmt: skip
    return Page(
        html=html,
        moments=_moments(rng, maker),
        width=width,
        height=height,
        scale=scale,
        dark=look.dark,
        variant=variant,
    )


@cache
def _asset(name: str) -> str:
    return (Path(__file__).parent / name).read_text(encoding="utf-8")


def _theme(rng: Random, kit: WidgetSet) -> Theme:
    """An appearance of a framework; dark ones come up more often than they are counted."""
    dark = [theme for theme in kit.themes if is_dark(theme.ground)]
    light = [theme for theme in kit.themes if not is_dark(theme.ground)]
    return rng.choice(dark if dark and (not light or rng.random() < _DARK_SHARE) else light)


def _look(rng: Random, kit: WidgetSet, theme: Theme, package_cache: PackageCache | None) -> tuple[PageStyle, str, str]:
    """The look, the rules that bring its font, and the font's name."""
    family, rules = "", ""
    if package_cache is not None and rng.random() < 0.6:
        family, rules = _font(rng, package_cache)
    fonts = (family,) if family else SYSTEM_FONTS
    if kit.own:
        look = draw_look(rng, dark=rng.random() < _DARK_SHARE, fonts=fonts)
        return look, rules, family or look.font
    look = fitted_look(rng, ground=theme.ground, text=theme.text, accent=theme.accent)
    if kit.package is None:
        drawn = draw_look(rng, dark=False, fonts=fonts)
        return _plain_look(look, drawn), rules, family or drawn.font
    if family and rng.random() < 0.5:
        # A shop with its own house font, dressed in a framework.
        rules += f'body,h1,h2,h3,h4,button,input,select,textarea{{font-family:"{family}",sans-serif !important}}'
        return look, rules, family
    return look, "", "framework"


def _plain_look(look: PageStyle, drawn: PageStyle) -> PageStyle:
    from dataclasses import replace

    return replace(look, font=drawn.font, size=drawn.size)


def _font(rng: Random, package_cache: PackageCache) -> tuple[str, str]:
    one = FONT_SETS[rng.choice(sorted(FONT_SETS))]
    files = package_cache.path(one.key) / "files"
    rules: list[str] = []
    for script in one.scripts:
        for weight in (400, 700):
            path = files / f"{one.key}-{script}-{weight}-normal.woff2"
            if path.is_file():
                rules.append(
                    f'@font-face{{font-family:"{one.family}";font-weight:{weight};src:url("{path.as_uri()}") '
                    f'format("woff2");unicode-range:{_RANGES[script]}}}'
                )
    return one.family, "".join(rules)


_RANGES = {
    "latin": "U+0000-00FF,U+0131,U+0152-0153,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212",
    "latin-ext": "U+0100-02BA,U+1E00-1E9F",
    "cyrillic": "U+0301,U+0400-045F,U+0490-0491,U+2116",
    "greek": "U+0370-03FF",
}


def draw_window(rng: Random) -> tuple[tuple[int, int], float]:
    """Size in CSS pixels and scale; the picture is at most as large as the largest window."""
    sizes, weights = zip(*_WINDOWS, strict=True)
    scales, shares = zip(*_SCALES, strict=True)
    width, height = rng.choices(sizes, weights=weights)[0]
    scale = rng.choices(scales, weights=shares)[0]
    if width * scale > 1920:
        scale = 1.0
    if width / scale < 640 <= width or rng.random() < 0.5:
        width, height = round(width / scale), round(height / scale)
    return (max(300, width), max(200, height)), scale


def _icon_key(rng: Random, package_cache: PackageCache | None, *, held: bool) -> str:
    sets = [key for key in ICON_SETS if held or key not in HELD_ICONS] if package_cache is not None else []
    return rng.choice([*sets, *PLAIN_KEYS, "lines"])


def _head(kit: WidgetSet, theme: Theme, look: PageStyle, font_css: str, package_cache: PackageCache | None) -> str:
    links = ""
    if kit.package is not None and package_cache is not None:
        root = package_cache.path(kit.package)
        links = "".join(f'<link rel="stylesheet" href="{(root / sheet).as_uri()}">' for sheet in theme.sheets)
    own = _asset("sheets/own.css") if kit.own else ""
    scheme = "dark" if look.dark else "light"
    rules = f"{_asset('sheets/base.css')}{own}{_asset('sheets/skins.css')}{kit.css}{font_css}"
    return f"{links}<style>:root{{color-scheme:{scheme}}}{rules}</style>"


def _pointer(rng: Random, width: int, height: int) -> str:
    light = rng.random() < 0.6
    return _POINTER.format(
        size=rng.choice((18, 22, 28)), x=rng.randrange(width), y=rng.randrange(height),
        fill="#fff" if light else "#000", edge="#000" if light else "#fff",
    )  # fmt: skip


def _add_popups(m: Maker) -> None:
    """What may open on any page."""
    some_menu(m)
    some_dialog(m)
    for make, share in ((some_menu, 0.5), (some_dialog, 0.5), (date_picker, 0.4), (tooltip, 0.5), (toast, 0.4)):
        if m.chance(share):
            make(m)


def _moments(rng: Random, m: Maker) -> tuple[tuple[Act, ...], ...]:
    """What is done before each picture of a page; first nothing or little, then more."""
    kinds = (*["open"] * 3, *["focus", "scroll", "native"] * 2, "flip", "type", "mark", "dialog")
    first: list[Act] = [("scroll", (rng.random(), rng.random()))] if rng.random() < 0.2 else []
    if rng.random() < 0.3:
        first.append(("focus", (rng.random(),)))
    found: list[tuple[Act, ...]] = [tuple(first)]
    for kind in rng.sample(kinds, SCREENS_PER_PAGE - 1):
        acts: list[Act] = [("shut", ())]
        if kind == "dialog":
            acts.append(("open", (rng.random(), 1.0, "dialog")))
        elif kind == "type":
            acts.append(("type", (rng.random(), rng.random(), m.words.short())))
        else:
            if rng.random() < 0.5:
                acts.append(("flip", (rng.random(), rng.random())))
            acts.append((kind, (rng.random(), rng.random())))
        for more, share in (("off", 0.2), ("ring", 0.2)):
            if rng.random() < share and kind != "native":
                acts.append((more, (rng.random(), rng.random())))
        found.append(tuple(acts))
    return tuple(found)
