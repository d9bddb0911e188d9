"""Sliders and switches in numbers: mixers, colour pickers, quick settings, levels; upright and lying."""

from __future__ import annotations

from collections.abc import Callable

from lab.screens.web.controls import any_button, select, slider, spinner, toggle, tools
from lab.screens.web.maker import Maker
from lab.screens.web.markup import attributes, div, esc, span, tag
from lab.screens.web.pages.windows import framed
from lab.screens.web.parts import card
from lab.screens.web.pictures import chart, picture

_OFF = 0.2
_ICONS = ("music", "eye", "bell", "zoom_in", "clock", "star", "image", "video", "settings", "phone", "location", "lock")


def mixer_page(m: Maker) -> str:
    """Two to six groups of sliders, in cards or one below the other."""
    made = [m.rng.choice(_GROUPS)(m) for _ in range(m.rng.randint(2, 4) * max(1, m.width // 520))]
    if m.chance(0.5):
        made = [card(m, title=m.words.label(), content=one) for one in made]
    least = min(m.rng.choice((260, 340, 460)), m.width - 40)
    grid = f"display:grid;grid-template-columns:repeat(auto-fit,minmax({least}px,1fr));gap:12px;padding:10px"
    inside = div("x-scroll x-grow", div("", *made, style=grid))
    return div("x-fill", framed(m, body=inside) if m.chance(0.3) else inside)


def _lane(m: Maker, *, front: str) -> str:
    """A slider with its name and value."""
    value, off = m.rng.randint(0, 100), m.chance(_OFF)
    number = span(
        "x-small", f"{value}{m.habit('unit', '', ' %', ' dB', ' px')}", style="width:54px;text-align:right;flex:none"
    )
    told = spinner(m, value=str(value), disabled=off) if m.habit("spin", "n", "n", "y") == "y" else number
    return div("x-row", front, div("x-grow", slider(m, value=value, disabled=off)), told, style="margin:6px 0")


def _levels(m: Maker) -> str:
    wide = m.rng.randint(70, 150)
    names = m.words.several(m.words.locale.settings, m.rng.randint(3, 8))
    return "".join(
        _lane(m, front=span("x-one", esc(one), style=f"width:{wide}px;flex:none")) for one in names
    )  # fmt: skip


def _pictured(m: Maker) -> str:
    """Sliders between two icons, as for loudness and brightness."""
    made: list[str] = []
    for _ in range(m.rng.randint(2, 5)):
        one, two = m.rng.sample(_ICONS, 2)
        made.append(
            div("x-row", m.icons.draw(one, size=m.icon_size), div("x-grow", slider(m, value=m.rng.randint(0, 100))),
                m.icons.draw(two, size=m.icon_size) if m.chance(0.5) else "", style="margin:8px 0")
        )  # fmt: skip
    return "".join(made)


def _upright(m: Maker) -> str:
    """Lanes of a mixing desk."""
    high = m.rng.choice((90, 130, 180))
    made: list[str] = []
    for _ in range(m.rng.randint(3, 9)):
        style = f"writing-mode:vertical-lr;direction:rtl;height:{high}px;width:auto;flex:none"
        attrs = attributes(
            type="range", min=0, max=100, value=m.rng.randint(0, 100), disabled=m.chance(_OFF), style=style
        )
        lane = tag("input", extra=f' class="up"{attrs}')
        word = span("x-small x-one", esc(m.words.status()), style="max-width:60px")
        made.append(
            div("", lane, word, style="display:flex;flex-direction:column;align-items:center;gap:4px;min-width:42px")
        )
    return div("", *made, style="display:flex;gap:10px;overflow:hidden;padding:4px")


def _switches(m: Maker) -> str:
    """Rows with a name and a switch at the end."""
    made: list[str] = []
    for one in m.words.several(m.words.locale.settings, m.rng.randint(3, 7)):
        front = m.icons.draw(m.rng.choice(_ICONS), size=m.icon_size) if m.habit("switch_icons", "y", "n") == "y" else ""
        more = div("x-small x-muted", esc(m.words.sentence())) if m.chance(0.25) else ""
        end = toggle(m, label="", on=m.chance(0.5), disabled=m.chance(_OFF))
        edge = "border-bottom:1px solid var(--line)" if m.habit("switch_lines", "y", "n") == "y" else ""
        made.append(div("x-row", front, div("x-grow", esc(one), more), div("", end), style=f"padding:6px 2px;{edge}"))
    return "".join(made)


def _colours(m: Maker) -> str:
    """A colour picker: a field of colour, three sliders and a number for each."""
    lines = "".join(_lane(m, front=span("", one, style="width:22px")) for one in m.rng.choice(("RGB", "HSV", "CMY")))
    swatches = "".join(
        div("", style=f"width:22px;height:22px;background:hsl({m.rng.randint(0, 359)},70%,50%);border:1px solid #0003")
        for _ in range(m.rng.randint(6, 14))
    )
    return picture(m, width=220, height=90) + lines + div("x-wrap", swatches, style="gap:4px", data_truth_skip="all")


def _player(m: Maker) -> str:
    walk = tools(
        m, icons=("previous", "play", "pause", "stop", "next", "retweet", "like")[: m.rng.randint(3, 7)], apart=0
    )
    times = (
        span("x-small", f"{m.rng.randint(0, 4)}:{m.rng.randint(10, 59)}"),
        span("x-small", f"{m.rng.randint(5, 9)}:07"),
    )
    line = div("x-row", times[0], div("x-grow", slider(m, value=m.rng.randint(0, 100))), times[1])
    loud = div(
        "x-row", m.icons.draw("music", size=16), div("", slider(m, value=m.rng.randint(0, 100)), style="width:110px")
    )
    return div("x-col", line, div("x-row", walk, span("x-end", loud)))


def _report(m: Maker) -> str:
    """A chart with what it is narrowed down by."""
    ways = div(
        "x-wrap",
        select(m, options=m.words.locale.months, chosen=2),
        any_button(m),
        tools(m, icons=("filter", "download")),
    )
    return ways + chart(m, width=280, height=120) + _levels(m)


_GROUPS: tuple[Callable[[Maker], str], ...] = (
    _levels, _levels, _pictured, _upright, _upright, _switches, _switches, _colours, _player, _report,
)  # fmt: skip
