"""Boards of cards in columns, as teams plan their work with."""

from __future__ import annotations

from lab.screens.web.controls import any_button, button, text_input, tool, tools
from lab.screens.web.maker import Maker
from lab.screens.web.markup import div, esc, span, tag
from lab.screens.web.parts import badge
from lab.screens.web.pictures import avatar, picture
from lab.screens.web.popups import some_menu


def board_page(m: Maker) -> str:
    """Columns of cards; the last may be out of sight."""
    columns = "".join(_column(m) for _ in range(m.rng.randint(2, 5)))
    faces = "".join(avatar(m, name=m.words.name(), size=28) for _ in range(m.rng.randint(1, 4)))
    search = div("", text_input(m, hint=m.words.command("search") or "", kind="search"), style="width:180px")
    icons = tools(m, icons=m.rng.sample(("filter", "star", "settings", "share", "bell"), 3), apart=0)
    bar = div(
        "x-bar",
        tag("b", esc(m.words.thing())),
        search,
        faces,
        span("x-end x-row", icons, any_button(m, kind="primary")),
    )
    lanes = div("x-scroll x-grow", columns, style="display:flex;gap:12px;padding:12px;align-items:flex-start")
    return div("x-fill", bar, lanes)


def _column(m: Maker) -> str:
    more = tool(m, icon="more", size=16, framed=False, pop=some_menu(m) if m.chance(0.3) else None)
    head = div(
        "x-row",
        tag("b", esc(m.words.status())),
        span("x-muted x-small", str(m.rng.randint(1, 20))),
        span("x-end", more),
    )
    cards = "".join(_card(m) for _ in range(m.rng.randint(1, 6)))
    add = button(m, label=m.words.command("add") or "+", kind="quiet", icon="add" if m.chance(0.6) else None)
    width = m.habits_int("lane", 200, 240, 280)
    return div("x-panel x", head, cards, add, style=f"width:{width}px;flex:none;padding:8px")


def _card(m: Maker) -> str:
    words = m.words
    image = picture(m, width=180, height=70) if m.chance(0.12) else ""
    marks = "".join(badge(m, text=words.status()) + " " for _ in range(m.rng.randint(0, 2)))
    signs = m.rng.sample(("chat", "attach", "clock", "eye", "flag", "like"), m.rng.randint(0, 3))
    small = "".join(span("x-small", m.icons.draw(one, size=14), " ", str(m.rng.randint(1, 9))) for one in signs)
    face = span("x-end", avatar(m, name=words.name(), size=24)) if m.chance(0.5) else ""
    text = div("", esc(words.sentence() if m.chance(0.4) else words.thing()))
    return div("x-card x", image, marks, text, div("x-row", small, face), style="margin:8px 0;padding:8px")
