"""A shop: shelves of goods with pictures and prices, filters at the side."""

from __future__ import annotations

from lab.screens.web.controls import button, checkbox, link, select, slider, spinner, text_input, tool
from lab.screens.web.maker import Maker
from lab.screens.web.markup import div, esc, span, tag
from lab.screens.web.parts import badge, card, pages
from lab.screens.web.pictures import picture


def shop_page(m: Maker) -> str:
    """A page of a catalogue."""
    goods = "".join(_good(m) for _ in range(m.rng.randint(6, 18)))
    shelf = f'<div class="x-tiles" style="--tile:{m.rng.choice((130, 160, 190, 230))}px">{goods}</div>'
    order = select(m, options=[m.words.phrase() for _ in range(4)])
    top = div("x-wrap", tag("h2", esc(m.words.thing())), span("x-end", order), style="margin:10px 0")
    foot = f'<div style="margin:16px 0">{pages(m, count=m.rng.randint(3, 6), active=0)}</div>'
    side = _filters(m) if m.width > 700 and m.chance(0.7) else ""
    main = tag("main", top, shelf, foot, class_="x-grow x-pad")
    return _header(m) + div("", side, main, style="display:flex;align-items:flex-start")


def _header(m: Maker) -> str:
    logo = (
        m.icons.draw("logo", size=m.rng.choice((24, 32)))
        if m.chance(0.4)
        else tag("b", esc(m.words.city()), style="font-size:1.3em")
    )
    places = (
        "".join(f"<span>{link(m, text=one)}</span>" for one in m.words.several(m.words.locale.folders, 4))
        if m.width > 800
        else ""
    )
    search = text_input(m, hint=m.words.command("search") or "", kind="search")
    find = (
        tool(m, icon="search", framed=True)
        if m.chance(0.6)
        else button(m, label=m.words.command("search") or "", kind="primary")
    )
    count = f'<sup class="x-badge">{m.rng.randint(1, 9)}</sup>' if m.chance(0.4) else ""
    ends = tool(m, icon="like") + tool(m, icon="user") + tool(m, icon="cart") + count
    look = div("x-row x-grow", div("x-grow", search), find, style="max-width:420px")
    return div("x-bar", logo, places, look, span("x-end x-row", ends), style="padding:8px 12px;gap:12px")


def _filters(m: Maker) -> str:
    parts: list[str] = []
    for _ in range(m.rng.randint(2, 4)):
        marks = "".join(
            f"<div>{checkbox(m, label=one, on=m.chance(0.3), disabled=m.chance(0.05))}</div>"
            for one in m.words.several(m.words.locale.statuses + m.words.locale.cities, m.rng.randint(2, 6))
        )
        parts.append(tag("h4", esc(m.words.label())) + marks)
    parts.insert(1, tag("h4", esc(m.words.heading())) + slider(m, value=m.rng.randint(10, 90)))
    if m.chance(0.5):
        parts.append(f'<div class="x-row">{spinner(m, value="10")} - {spinner(m, value="90")}</div>')
    parts.append(f'<div style="margin-top:10px">{button(m, label=m.words.verb(), kind="primary")}</div>')
    return f'<div class="x-side x" style="background:none;border:0;--side:210px;padding:12px">{"".join(parts)}</div>'


def _good(m: Maker) -> str:
    rng, words = m.rng, m.words
    image = picture(
        m, width=m.habits_int("good_width", 120, 160, 200), height=m.habits_int("good_height", 80, 110, 140)
    )
    stars = ""
    if m.habit("stars", "y", "y", "n") == "y":
        drawn = "".join(m.icons.draw("star", size=14) for _ in range(rng.randint(1, 5)))
        stars = div("", drawn, " ", span("x-small", f"({rng.randint(1, 900)})"))
    name = words.thing()
    title = link(m, text=name) if m.habit("good_links", "y", "n") == "y" else f"<b>{esc(name)}</b>"
    price = f'<span style="font-size:1.15em">{esc(words.price())}</span>'
    if m.chance(0.2):
        price += f' <s class="x-muted x-small">{esc(words.price())}</s>'
    mark = f"<div>{badge(m, text=words.status())}</div>" if m.chance(0.25) else ""
    deed = m.habit("good_deed", "button", "button", "icon", "none")
    act = ""
    if deed == "button":
        act = button(
            m,
            label=words.command("cart") or "+",
            icon="cart" if m.habit("cart_icon", "y", "n") == "y" else None,
            disabled=m.chance(0.08),
        )
    elif deed == "icon":
        act = tool(m, icon="cart", framed=True) + tool(m, icon="like")
    return card(
        m, content=f"{image}<div>{title}</div>{stars}<div>{price}</div>{mark}<div style='margin-top:6px'>{act}</div>"
    )
