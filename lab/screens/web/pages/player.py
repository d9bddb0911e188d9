"""Players of music and films: what plays, what comes next, the keys of a machine."""

from __future__ import annotations

from lab.screens.web.controls import slider, text_input, tool
from lab.screens.web.maker import Maker
from lab.screens.web.markup import div, esc, span, tag
from lab.screens.web.parts import row, rows, tabs
from lab.screens.web.pictures import picture
from lab.screens.web.popups import some_menu

_PLACES = ("home", "search", "music", "video", "list", "download", "like", "clock", "user", "folder")


def player_page(m: Maker) -> str:
    """Lists at the side, titles or a film in the middle, the keys below."""
    main = _film(m) if m.chance(0.35) else _titles(m)
    side = ""
    if m.width > 560:
        entries = list(zip(_PLACES, m.words.several(m.words.locale.folders, 9), strict=False))
        side = div("x-side x", rows(m, entries=entries, active=m.rng.randrange(len(entries))))
    return div("x-fill", div("x-body", side, div("x-scroll x-grow", main)), _keys(m))


def _film(m: Maker) -> str:
    width = max(200, min(m.width - 240, 900))
    image = picture(m, width=width, height=round(width * 0.5))
    told = tag("h2", esc(m.words.thing())) + div("x-muted", esc(m.words.name()), " · ", esc(m.words.number()))
    deeds = "".join(
        tool(m, icon=one) for one in m.rng.sample(("like", "share", "download", "flag", "more", "add", "retweet"), 4)
    )
    return div("x-pad", image, told, div("x-row", deeds))


def _titles(m: Maker) -> str:
    strip = tabs(m, labels=m.words.several(m.words.locale.things, 3)) if m.chance(0.4) else ""
    search = div(
        "", text_input(m, hint=m.words.command("search") or "", kind="search"), style="width:220px;margin:8px 0"
    )
    many, playing = m.rng.randint(5, 18), m.rng.randrange(5)
    made: list[str] = []
    for i in range(many):
        front = tool(m, icon="pause" if i == playing else "play", size=16, framed=False)
        end = span("x-end x-small", f"{m.rng.randint(1, 9)}:{m.rng.randint(10, 59)}")
        star = tool(m, icon=m.rng.choice(("like", "star", "bookmark")), size=16, framed=False) if m.chance(0.4) else ""
        words = div("x-grow x-one", esc(m.words.thing())) + span("x-muted x-one", esc(m.words.name()))
        made.append(row(m, content=front + words + star + end, on=i == playing, lined=True))
    return div("x-pad", tag("h2", esc(m.words.phrase())), strip, search, div("x-list", *made, role="listbox"))


def _keys(m: Maker) -> str:
    size = m.rng.choice((20, 24, 32))
    walk = "".join(
        tool(m, icon=one, size=size, framed=False)
        for one in ("previous", m.rng.choice(("play", "pause", "stop")), "next")
    )
    more = "".join(
        tool(m, icon=one, size=18)
        for one in m.rng.sample(("retweet", "list", "maximize", "music", "chat", "settings"), 3)
    )
    title = div(
        "x-one", tag("b", esc(m.words.thing())), div("x-small x-muted", esc(m.words.name())), style="width:150px"
    )
    line = div(
        "x-row x-grow",
        span("x-small", "1:27"),
        div("x-grow", slider(m, value=m.rng.randint(0, 100))),
        span("x-small", "4:05"),
    )
    menu = tool(m, icon="more", pop=some_menu(m))
    return div(
        "x-bar",
        title,
        walk,
        line if m.width > 600 else "",
        more,
        menu,
        style="border-top:1px solid var(--line);gap:8px",
    )
