"""Frames of programs: windows with title bars, menus, tool bars and status bars, as they stand on a desktop."""

from __future__ import annotations

from lab.screens.web.controls import select, text_input, tool, tools
from lab.screens.web.maker import Maker
from lab.screens.web.markup import div, esc, span, truth
from lab.screens.web.parts import menubar, status_bar, toolbar
from lab.screens.web.popups import some_menu

_EDITING = (
    "new",
    "open",
    "save",
    "print",
    "cut",
    "copy",
    "paste",
    "undo",
    "redo",
    "search",
    "zoom_in",
    "zoom_out",
    "help",
)


def window(m: Maker, *, title: str, body: str, place: tuple[int, int, int, int], front: bool) -> str:
    """A window on a desktop.

    Args:
        m: the page.
        title: in its title bar.
        body: all below the title bar.
        place: left, top, width and height in CSS pixels.
        front: whether it has the keyboard.
    """
    left, top, width, height = place
    style = f"left:{left}px;top:{top}px;width:{width}px;height:{height}px"
    names = "x-win front" if front else "x-win"
    return div(names, _title(m, title), body, style=style, extra=truth("window", focused=front))


def _title(m: Maker, title: str) -> str:
    size = m.habits_int("title_icons", 10, 12, 14, 16)
    framed = m.habit("title_framed", "y", "n", "n") == "y"
    names = m.habit(
        "title_order", "minimize maximize close", "close minimize maximize", "close", "minimize close"
    ).split()
    ends = "".join(tool(m, icon=one, size=size, framed=framed) for one in names)
    picture = m.icons.draw(m.rng.choice(("file", "folder", "mail", "image", "chart")), size=16) if m.chance(0.6) else ""
    middle = m.habit("title_align", "left", "left", "center")
    words = span("x-one x-grow x-strong", esc(title), style=f"text-align:{middle}")
    front = span("x-row", ends, style="gap:2px")
    parts = (
        (front, picture, words)
        if m.habit("title_side", "right", "right", "left") == "left"
        else (picture, words, front)
    )
    return div("x-title", *parts)


def program_bar(m: Maker) -> str:
    """Menu bar, tool bar, or both."""
    words = m.words.menus(m.rng.randint(3, 7))
    pops = [some_menu(m) if m.chance(0.8) else None for _ in words]
    bar = menubar(words=words, pops=pops) if m.chance(0.8) else ""
    strip = ""
    if m.chance(0.85):
        icons = m.rng.sample(_EDITING, m.rng.randint(4, 10))
        more = ""
        if m.chance(0.3):
            more = div("", select(m, options=["DejaVu Sans", "Serif", "Mono"], chosen=0), style="width:130px")
        if m.chance(0.3):
            more += div("", text_input(m, hint=m.words.command("search") or "", kind="search"), style="width:140px")
        strip = toolbar(tools(m, icons=icons), more)
    return bar + strip


def framed(m: Maker, *, body: str) -> str:
    """A program's inside: bars above, what it is about, a status bar below."""
    foot = status_bar(m, words=[m.words.phrase(), m.words.number(), m.words.percent()]) if m.chance(0.6) else ""
    return program_bar(m) + div("x-scroll x-grow", body, style="display:flex;flex-direction:column") + foot
