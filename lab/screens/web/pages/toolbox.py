"""Icons and nothing else: strips, ribbons, grids and lists of them, of several sets, sizes, colours and grounds.

Elsewhere a page has few icons and always the same ones. What an icon stands for can only be learnt from many drawings
of each meaning, so these pages draw every meaning equally often.
"""

from __future__ import annotations

from collections.abc import Callable

from lab.screens.web.icon_names import SUBTYPES
from lab.screens.web.icons import Icons
from lab.screens.web.maker import Maker
from lab.screens.web.markup import attributes, div, esc, span, tag, truth
from lab.screens.web.parts import badge, row
from lab.screens.web.pictures import avatar

_COLOURS = ("inherit", "inherit", "inherit", "var(--accent)", "var(--muted)", "var(--danger)", "var(--good)")
_GROUNDS = (
    "", "", "background:var(--panel)", "background:var(--accent);color:var(--on-accent)",
    "background:#1e1f22;color:#e8e8e8", "background:#ffffff;color:#202020", "background:var(--field);color:var(--text)",
)  # fmt: skip
_FRAMES = (
    "border:0;background:none", "border:0;background:none", "border:0;background:none",
    "border:1px solid var(--line)", "border:1px solid var(--line);background:var(--field);color:var(--text)",
    "border:0;background:var(--accent);color:var(--on-accent)", "border:2px outset #ddd;background:#d8d8d8;color:#111",
    "border:0;background:rgba(128,128,128,.22)", "border:0;box-shadow:0 1px 4px rgba(0,0,0,.45)",
)  # fmt: skip
_HUES = ("#d03030", "#2f9e44", "#d97700", "#3b6fd4", "#8c4bc0", "#00838f", "#ad1457", "#5d4037")


def toolbox_page(m: Maker) -> str:
    """As many groups of icons as the window takes, each in a manner of its own."""
    parts: list[str] = []
    height = 0
    while height < m.height - 20:
        make, high = m.rng.choices(_GROUPS, weights=_WEIGHTS)[0]
        parts.append(make(m))
        height += high
    gap = m.rng.choice((0, 4, 10))
    inside = div("x-scroll x-grow", *parts, style=f"display:flex;flex-direction:column;gap:{gap}px")
    if m.width > 480 and m.chance(0.5):
        inside = div("x-body", _rail(m), inside)
    return div("x-fill", inside)


def _meanings(m: Maker, count: int) -> list[str]:
    """Meanings without a favourite; one after the other, so that none is left out."""
    found: list[str] = []
    while len(found) < count:
        found += m.rng.sample(SUBTYPES, len(SUBTYPES))
    return ["none" if m.chance(0.04) else one for one in found[:count]]


def _picture(icons: Icons, meaning: str, size: int) -> str:
    return icons.nameless(size=size) if meaning == "none" else icons.draw(meaning, size=size)


def _button(m: Maker, picture: str, *, meaning: str, style: str, off: float = 0.16) -> str:
    """A button of an icon; greyed or held down now and then."""
    disabled = m.chance(off)
    pressed = None if m.chance(0.75) else m.chance(0.5)
    names = "x-tool" + (" pressed" if pressed else "")
    held = ";background:var(--chosen);color:var(--on-chosen)" if pressed else ""
    told = truth("button", subtype=meaning, checked=pressed, disabled=disabled)
    return tag("button", picture, type="button", class_=names, style=style + held, disabled=disabled, extra=told)


def _strip(m: Maker) -> str:
    """A tool bar of one set."""
    icons, size = m.any_icons(), m.rng.choice((12, 14, 16, 16, 18, 20, 22, 24, 28, 32))
    kind, ground = m.rng.choice(_FRAMES), m.rng.choice(_GROUNDS)
    frame = f"{kind};border-radius:{m.rng.choice((0, 2, 4, 8, 40))}px;padding:{m.rng.choice((2, 4, 6, 9))}px"
    # A colour of their own can be seen on the page's ground only.
    frame += f";color:{m.rng.choice(_COLOURS)}" if "color:" not in kind + ground and m.chance(0.6) else ""
    count = max(4, (m.width - 20) // (size + m.rng.choice((16, 22, 34))))
    made: list[str] = []
    for one in _meanings(m, count):
        if made and m.chance(0.12):
            made.append('<span class="x-sep"></span>')
        made.append(_button(m, _picture(icons, one, size), meaning=one, style=frame))
    return tag("div", *made, class_="x-bar", role="toolbar", style=f"gap:{m.rng.choice((0, 2, 6, 12))}px;{ground}")


def _grid(m: Maker) -> str:
    """Bare icons in rows, as on a sheet of symbols; coloured or not."""
    icons, size = m.any_icons(), m.rng.choice((16, 18, 20, 24, 24, 28, 32, 40))
    many = m.chance(0.4)
    hued = m.chance(0.3)
    cell = size + m.rng.choice((10, 18, 30))
    made: list[str] = []
    for one in _meanings(m, max(6, 3 * (m.width - 30) // cell)):
        style = f"width:{cell}px;height:{cell}px;display:flex;align-items:center;justify-content:center"
        style += f";color:{m.rng.choice(_HUES)}" if hued else ""
        made.append(div("", _picture(m.any_icons() if many else icons, one, size), style=style))
    return div("", *made, style=f"display:flex;flex-wrap:wrap;padding:6px;{'' if hued else m.rng.choice(_GROUNDS)}")


def _ribbon(m: Maker) -> str:
    """Icons with their words below or beside, in named groups."""
    icons, below = m.any_icons(), m.chance(0.6)
    groups: list[str] = []
    for _ in range(max(1, m.width // 300)):
        made: list[str] = []
        for one in _meanings(m, m.rng.randint(2, 4)):
            word = m.words.command(one) or m.words.verb()
            picture = _picture(icons, one, m.rng.choice((20, 24, 32)) if below else 16)
            names = f"x-tool {'top' if below else 'lab'}"
            made.append(
                tag("button", picture, span("", esc(word)), type="button", class_=names, disabled=m.chance(0.1))
            )
        made += [
            _button(m, _picture(icons, one, 16), meaning=one, style="") for one in _meanings(m, m.rng.randint(3, 6))
        ]
        words = div("x-small x-muted", esc(m.words.heading()), style="text-align:center")
        inner = div("", *made, style="display:flex;flex-wrap:wrap;gap:3px;max-width:270px")
        groups.append(div("", inner, words, style="padding:4px 8px;border-right:1px solid var(--line)"))
    return div("", *groups, style="display:flex;flex:none;background:var(--panel);border-bottom:1px solid var(--line)")


def _badges(m: Maker) -> str:
    """White icons on coloured rounds and squares, as programs have them."""
    icons, size = m.any_icons(), m.rng.choice((14, 16, 20, 24))
    round_ = m.rng.choice((50, 50, 22, 8, 0))
    pad = m.rng.choice((5, 8, 11))
    made: list[str] = []
    for one in _meanings(m, max(4, (m.width - 20) // (size + 2 * pad + 12))):
        style = f"border:0;border-radius:{round_}%;padding:{pad}px;background:{m.rng.choice(_HUES)};color:#fff"
        made.append(_button(m, _picture(icons, one, size), meaning=one, style=style, off=0.08))
    return div("", *made, style="display:flex;flex-wrap:wrap;gap:12px;padding:8px")


def _list(m: Maker) -> str:
    """Rows with an icon before and some behind their words."""
    icons, size = m.any_icons(), m.rng.choice((14, 16, 20, 24))
    made: list[str] = []
    chosen = m.rng.randrange(4)
    for i in range(4):
        first, *rest = _meanings(m, m.rng.randint(2, 5))
        front = _picture(icons, first, size) if m.chance(0.8) else avatar(m, name=m.words.name(), size=26)
        ends = "".join(_button(m, _picture(icons, one, size - 2), meaning=one, style="") for one in rest)
        mark = badge(m, text=m.words.status()) if m.chance(0.2) else ""
        words = span("x-one", esc(m.words.short()))
        content = f'{front}{words}{mark}<span class="x-end x-small x-muted">{esc(m.words.date())}</span>{ends}'
        made.append(row(m, content=content, on=i == chosen, lined=m.habit("box_lines", "y", "n") == "y"))
    return tag("div", *made, class_="x-list", role="listbox")


def _fields(m: Maker) -> str:
    """Icons in and beside fields, and in the middle of words."""
    icons = m.any_icons()
    one, two, three, four = _meanings(m, 4)
    field = m.kit.write("input", attrs=attributes(type="text", value=m.words.short()))
    word = span("", esc(m.words.phrase()))
    return div(
        "x-row", _picture(icons, one, 18), div("x-grow", field, style="max-width:240px"), _picture(icons, two, 16),
        word, _picture(icons, three, 14), span("", m.words.number()), _picture(icons, four, 14), style="padding:6px",
    )  # fmt: skip


def _rail(m: Maker) -> str:
    icons, size = m.any_icons(), m.rng.choice((18, 22, 26))
    many = max(3, m.height // (size + 26))
    made = [
        div("", _button(m, _picture(icons, one, size), meaning=one, style="padding:6px")) for one in _meanings(m, many)
    ]
    style = (
        f"--side:{size + 26}px;display:flex;flex-direction:column;gap:6px;align-items:center;{m.rng.choice(_GROUNDS)}"
    )
    return div("x-side x", *made, style=style)


_GROUPS: tuple[tuple[Callable[[Maker], str], int], ...] = (
    (_strip, 40), (_grid, 130), (_ribbon, 90), (_badges, 60), (_list, 130), (_fields, 44),
)  # fmt: skip
_WEIGHTS = (6, 3, 2, 2, 1, 1)
