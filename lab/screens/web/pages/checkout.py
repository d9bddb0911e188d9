"""The way to pay: what is in the cart, where it goes, how it is paid."""

from __future__ import annotations

from lab.screens.web.controls import any_control, button, checkbox, link, radios, spinner, text_input, tool
from lab.screens.web.maker import Maker
from lab.screens.web.markup import div, esc, span, tag
from lab.screens.web.parts import card, progress
from lab.screens.web.pictures import picture


def checkout_page(m: Maker) -> str:
    """Goods in lines, a form, and a sum."""
    goods = "".join(_good(m) for _ in range(m.rng.randint(1, 5)))
    form = "".join(any_control(m) for _ in range(m.rng.randint(2, 6)))
    ways = div("x-col", radios(m, labels=m.words.several(m.words.locale.settings, 3), chosen=m.rng.randrange(3)))
    left = card(m, title=m.words.phrase(), content=goods) + card(m, title=m.words.phrase(), content=form + ways)
    body = div(
        "", div("x-grow", left), div("", _sum(m), style="width:280px;flex:none"),
        style="display:flex;gap:18px;align-items:flex-start" if m.width > 760 else "",
    )  # fmt: skip
    return tag("main", _steps(m), body, class_="x-page", style="--measure:1080px")


def _steps(m: Maker) -> str:
    if m.chance(0.3):
        return progress(m, share=m.rng.choice((25, 50, 75)))
    made = [
        span(
            "x-row",
            span("x-avatar", str(i + 1), style="width:24px;height:24px;font-size:12px"),
            span("", esc(m.words.label())),
        )
        for i in range(3)
    ]
    return div("x-wrap", *made, style="gap:24px;margin-bottom:14px")


def _good(m: Maker) -> str:
    image = picture(m, width=72, height=56)
    told = div("x-grow", div("", link(m, text=m.words.thing())), div("x-small x-muted", esc(m.words.phrase())))
    number = div("", spinner(m, value=str(m.rng.randint(1, 5))), style="width:90px")
    price = span("x-strong", esc(m.words.price()))
    return div("x-row", image, told, number, price, tool(m, icon="delete", size=16), style="margin:8px 0")


def _sum(m: Maker) -> str:
    lines = [
        div("x-row", esc(m.words.heading()), span("x-end", esc(m.words.price())), style="margin:4px 0")
        for _ in range(3)
    ]
    code = div("x-row", div("x-grow", text_input(m, hint=m.words.label())), button(m, label=m.words.verb()))
    total = div("x-row x-strong", esc(m.words.heading()), span("x-end", esc(m.words.price())), style="font-size:1.2em")
    consent = checkbox(m, label=m.words.setting(), on=m.chance(0.5))
    pay = div(
        "",
        button(m, label=m.words.verb(), kind="primary", icon="lock" if m.chance(0.4) else None),
        style="margin-top:10px",
    )
    return card(m, title=m.words.phrase(), content="".join(lines) + code + tag("hr") + total + consent + pay)
