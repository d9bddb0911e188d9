"""Whole desktops: several windows over each other, icons on the ground, a task bar."""

from __future__ import annotations

from collections.abc import Callable

from lab.screens.web.controls import any_button, any_control, checkbox, radios, slider, text_input, tool
from lab.screens.web.maker import Maker
from lab.screens.web.markup import div, esc, span, tag
from lab.screens.web.pages.coding import code_lines, terminal_lines
from lab.screens.web.pages.files import file_list, file_tiles, folder_tree
from lab.screens.web.pages.windows import framed, window
from lab.screens.web.parts import tabs, tile, toolbar
from lab.screens.web.pictures import picture
from lab.screens.web.popups import some_menu


def desktop_page(m: Maker) -> str:
    """One to four windows, the last in front."""
    rng = m.rng
    low = 34
    ground = rng.choice(("var(--panel)", "#2b5876", "#1d3b2a", "#5a3d5c", "#008080", "#3a6ea5", "#303030"))
    count = 1 if m.width < 500 else rng.randint(1, 4)
    made = "".join(_window(m, front=i == count - 1, low=low) for i in range(count))
    things = "".join(_thing(m) for _ in range(rng.randint(0, 7)))
    style = "position:absolute;left:6px;top:6px;bottom:40px;display:flex;flex-direction:column;flex-wrap:wrap;"
    shelf = div("", things, style=style + "color:#fff;gap:6px;align-content:flex-start")
    return div("", shelf, made, _task_bar(m, low), style=f"position:fixed;inset:0;background:{ground};overflow:hidden")


def _thing(m: Maker) -> str:
    return tile(
        m, icon=m.rng.choice(("folder", "file", "delete", "home", "image", "mail")), word=m.words.folder(), size=36
    )


def _window(m: Maker, *, front: bool, low: int) -> str:
    rng = m.rng
    width = rng.randint(min(260, m.width - 20), max(261, int(m.width * 0.8)))
    height = rng.randint(min(160, m.height - low - 10), max(161, int((m.height - low) * 0.9)))
    left, top = rng.randint(0, max(1, m.width - width)), rng.randint(0, max(1, m.height - low - height))
    maker = rng.choice(_INSIDES)
    column = "display:flex;flex-direction:column"
    body = framed(m, body=maker(m)) if m.chance(0.65) else div("x-scroll x-grow", maker(m), style=column)
    return window(m, title=m.words.thing(), body=body, place=(left, top, width, height), front=front)


def _task_bar(m: Maker, low: int) -> str:
    start = tool(m, icon="menu", size=18, pop=some_menu(m)) if m.chance(0.6) else any_button(m)
    words = [m.words.thing() for _ in range(m.rng.randint(0, 4))]
    entries = "".join(
        tag("button", esc(word), class_="x-tool framed lab x-one", type="button", style="max-width:150px")
        for word in words
    )
    tray = "".join(
        m.icons.draw(one, size=16) for one in m.rng.sample(("bell", "mail", "lock", "user", "music", "eye"), 3)
    )
    clock = span("", esc(m.words.time()))
    style = f"position:absolute;left:0;right:0;bottom:0;height:{low}px;flex-wrap:nowrap;overflow:hidden"
    return div("x-bar", start, entries, span("x-end x-row", tray, clock), style=style)


def _options(m: Maker) -> str:
    words = m.words
    strip = tabs(m, labels=words.several(words.locale.folders, 3))
    marks = "".join(
        div("", checkbox(m, label=one, on=m.chance(0.5))) for one in words.several(words.locale.settings, 4)
    )
    group = tag(
        "fieldset",
        tag("legend", esc(words.label())),
        radios(m, labels=words.several(words.locale.statuses, 3), chosen=1),
    )
    more = any_control(m) + slider(m, value=m.rng.randint(0, 100))
    ends = div("x-wrap", any_button(m, kind="primary"), any_button(m), any_button(m), style="justify-content:flex-end")
    return div("x-pad", strip, marks, group, more, ends)


def _text(m: Maker) -> str:
    return div("x-pad x-mine", *(tag("p", esc(m.words.paragraph(3))) for _ in range(m.rng.randint(1, 5))))


def _browser(m: Maker) -> str:
    walk = "".join(tool(m, icon=one) for one in ("back", "forward", "refresh", "home"))
    bar = toolbar(walk, div("x-grow", text_input(m, value=m.words.site())), tool(m, icon="star"), tool(m, icon="more"))
    return bar + div("x-pad", tag("h2", esc(m.words.phrase())), _text(m), picture(m, width=240, height=130))


def _calculator(m: Maker) -> str:
    keys = "".join(
        tag("button", esc(one), type="button", class_="x-tool framed", style="padding:8px")
        for one in ("7", "8", "9", "/", "4", "5", "6", "*", "1", "2", "3", "-", "0", ".", "=", "+")
    )
    show = text_input(m, value=m.words.number())
    return div(
        "x-pad", show, div("", keys, style="display:grid;grid-template-columns:repeat(4,1fr);gap:5px;margin-top:6px")
    )


def _viewer(m: Maker) -> str:
    return div("x-pad", picture(m, width=m.rng.randint(180, 480), height=m.rng.randint(120, 320)))


def _two_panes(m: Maker) -> str:
    side = div("x-side x", folder_tree(m), style="--side:170px")
    return div("x-body", side, div("x-scroll x-grow", file_list(m)), style="flex:1")


_INSIDES: tuple[Callable[[Maker], str], ...] = (
    _options, _text, _browser, _calculator, _viewer, _two_panes, file_list, file_tiles, code_lines, terminal_lines,
)  # fmt: skip


def program_page(m: Maker) -> str:
    """One program that fills the screen, with or without its title bar."""
    maker = m.rng.choice(_INSIDES)
    body = framed(m, body=maker(m))
    if m.chance(0.5):
        return window(m, title=m.words.thing(), body=body, place=(0, 0, m.width, m.height), front=True)
    return div("x-fill", body)
