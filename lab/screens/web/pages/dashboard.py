"""Dashboards: figures, charts, short tables, a way to other parts at the side."""

from __future__ import annotations

from lab.screens.web.controls import any_button, link, select, text_input, tool, tools
from lab.screens.web.maker import Maker
from lab.screens.web.markup import div, esc, span, tag
from lab.screens.web.parts import alert, badge, card, progress, rows, table, tabs
from lab.screens.web.pictures import avatar, chart
from lab.screens.web.popups import some_menu

_PLACES = ("home", "chart", "user", "mail", "calendar", "file", "settings", "help", "bell", "cart", "list", "grid")


def dashboard_page(m: Maker) -> str:
    """Tiles with figures above panels with charts and lists."""
    words, rng = m.words, m.rng
    tiles = "".join(_figure(m) for _ in range(rng.randint(2, 6)))
    panels = "".join(_panel(m) for _ in range(rng.randint(2, 5)))
    chosen = tabs(m, labels=words.several(words.locale.months, rng.randint(2, 4))) if m.chance(0.3) else ""
    top = div("x-wrap", tag("h2", esc(words.phrase())), span("x-end x-row", any_button(m), tool(m, icon="refresh")))
    main = div(
        "x-scroll x-grow x-pad",
        top,
        chosen,
        alert(m, text=words.sentence(), icon="info") if m.chance(0.2) else "",
        div("x-tiles", tiles, style=f"--tile:{rng.choice((120, 160, 200))}px;margin:10px 0"),
        div("x-tiles", panels, style=f"--tile:{rng.choice((280, 340, 420))}px"),
    )
    side = _side(m) if m.width > 620 and m.chance(0.8) else ""
    return div("x-fill", _head(m), div("x-body", side, main))


def _head(m: Maker) -> str:
    words = m.words
    face = avatar(m, name=words.name(), size=m.rng.choice((28, 32)))
    search = div("x-grow", text_input(m, hint=words.command("search") or "", kind="search"), style="max-width:300px")
    more = tools(m, icons=m.rng.sample(("bell", "mail", "help", "settings", "search", "grid"), 3), apart=0)
    ends = span("x-end x-row", more, face, tool(m, icon="down", size=14, framed=False, pop=some_menu(m)))
    front = tool(m, icon="menu") if m.chance(0.5) else m.icons.draw("logo", size=24)
    return div("x-bar", front, tag("b", esc(words.city())), search if m.width > 600 else "", ends, style="gap:10px")


def _side(m: Maker) -> str:
    words = m.words.several(m.words.locale.things + m.words.locale.folders, m.rng.randint(5, 12))
    if m.chance(0.2):
        made = "".join(div("", tool(m, icon=icon, size=22), style="margin:8px 0") for icon in _PLACES[: len(words)])
        return div("x-side x", made, style="--side:52px")
    pictures = m.chance(0.75)
    entries = [(_PLACES[i % len(_PLACES)] if pictures else None, word) for i, word in enumerate(words)]
    return div("x-side x", rows(m, entries=entries, active=m.rng.randrange(len(entries)), count=True))


def _figure(m: Maker) -> str:
    words = m.words
    value = m.rng.choice((words.number, words.price, words.percent))()
    trend = m.rng.choice(("up", "down"))
    colour = "var(--good)" if trend == "up" else "var(--danger)"
    change = span("x-small", m.icons.draw(trend, size=12), " ", esc(words.percent()), style=f"color:{colour}")
    inside = div("x-muted x-small", esc(words.heading())) + div("", esc(value), style="font-size:1.7em;font-weight:700")
    picture = span("x-end", m.icons.draw(m.rng.choice(_PLACES), size=28)) if m.habit("figures", "y", "n") == "y" else ""
    inside = div("x-row", div("", inside), picture)
    return card(m, content=inside + (change if m.chance(0.6) else ""))


def _panel(m: Maker) -> str:
    words, rng = m.words, m.rng
    kind = rng.choice(("chart", "chart", "table", "list", "progress"))
    if kind == "chart":
        body = chart(m, width=rng.choice((260, 320, 380)), height=rng.choice((140, 180, 240)))
    elif kind == "table":
        lines = [
            [esc(words.name()), esc(words.date()), badge(m, text=words.status())] for _ in range(rng.randint(3, 6))
        ]
        body = table(m, heads=[words.heading() for _ in range(3)], body=lines, extra="x-table" if m.kit.own else "")
    elif kind == "list":
        body = "".join(_event(m) for _ in range(rng.randint(2, 5)))
    else:
        body = "".join(
            div(
                "",
                div("x-row", esc(words.thing()), span("x-end", esc(words.percent()))),
                progress(m, share=rng.randint(3, 97)),
            )
            for _ in range(rng.randint(2, 5))
        )
    more = div("", link(m, text=words.phrase())) if m.chance(0.4) else ""
    pick = select(m, options=words.several(words.locale.months, 4)) if m.chance(0.25) else ""
    return card(m, title=words.thing() if m.chance(0.8) else "", content=pick + body + more)


def _event(m: Maker) -> str:
    name = m.words.name()
    face = avatar(m, name=name, size=30)
    told = div("", tag("b", esc(name)), " ", esc(m.words.phrase())) + div("x-small x-muted", esc(m.words.time()))
    return div("x-row", face, div("x-grow", told), style="margin:6px 0")
