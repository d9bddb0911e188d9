"""Ways in: sign in, register, forgotten passwords, codes."""

from __future__ import annotations

from lab.screens.web.controls import button, checkbox, field, link, text_input, tool
from lab.screens.web.maker import Maker
from lab.screens.web.markup import div, esc, span, tag
from lab.screens.web.parts import alert, card
from lab.screens.web.pictures import picture


def login_page(m: Maker) -> str:
    """A small form in the middle, at a side, or beside a picture."""
    panel = card(m, title=m.words.phrase(), content=_inside(m)) if m.chance(0.7) else div("", _inside(m))
    width = m.rng.choice((260, 300, 360, 420))
    logo = (
        div("", m.icons.draw("logo", size=m.rng.choice((32, 48, 60))), style="text-align:center;margin:10px")
        if m.chance(0.5)
        else ""
    )
    box = div("", logo, panel, style=f"width:{min(width, m.width - 20)}px")
    foot = div(
        "x-wrap x-small",
        *(span("", link(m, text=m.words.phrase())) for _ in range(3)),
        style="padding:12px;justify-content:center",
    )
    if m.width > 900 and m.chance(0.35):
        image = picture(m, width=m.width // 2, height=m.height - 60)
        middle = div("", image, div("", box, style="margin:auto"), style="display:flex;flex:1;min-height:0")
    else:
        side = m.rng.choice(("center", "center", "flex-end"))
        middle = div(
            "",
            box,
            style=f"flex:1;display:flex;justify-content:{side};align-items:center",
        )
    return div("x-fill", middle, foot, style="overflow:auto")


def _inside(m: Maker) -> str:
    words, rng = m.words, m.rng
    kind = rng.choice(("in", "in", "new", "lost", "code"))
    trouble = alert(m, text=words.phrase(), icon="error" if m.chance(0.5) else None) if m.chance(0.2) else ""
    named = {"in": 2, "new": 4, "lost": 1, "code": 0}[kind]
    fields = "".join(_field(m, secret=kind != "lost" and i >= (1 if kind == "in" else 2)) for i in range(named))
    if kind == "code":
        digits = "".join(
            div(
                "",
                text_input(m, value=str(rng.randint(0, 9)) if m.chance(0.6) else "", extra="x-digit"),
                style="width:44px",
            )
            for _ in range(6)
        )
        fields = tag("p", esc(words.sentence())) + div("x-row", digits)
    keep = div("", checkbox(m, label=words.setting(), on=m.chance(0.5)), style="margin:6px 0") if m.chance(0.6) else ""
    wide = "display:block;width:100%" if m.chance(0.5) else ""
    go = div("", button(m, label=words.verb(), kind="primary", disabled=m.chance(0.1)), style="margin:10px 0;" + wide)
    lost = div("x-small", link(m, text=words.phrase())) if m.chance(0.7) else ""
    others = ""
    if m.chance(0.4):
        others = tag("hr") + div("x-wrap", *(tool(m, icon=one, framed=True) for one in ("logo", "mail", "phone")))
    elif m.chance(0.4):
        others = tag("hr") + div("", button(m, label=f"{words.verb()} (SSO)", icon="user"))
    return trouble + fields + keep + go + lost + others


def _field(m: Maker, *, secret: bool) -> str:
    words, own = m.words, m.new_id()
    filled = m.chance(0.5)
    value = ("x" * m.rng.randint(5, 12) if secret else words.email()) if filled else ""
    label = words.label()
    inside = m.habit("login_hints", "label", "hint") == "hint"
    bad = m.chance(0.1)
    control = text_input(
        m, value=value, hint=label if inside else "", kind="password" if secret else "text", id_=own, bad=bad
    )
    if secret and m.habit("login_eye", "y", "n") == "y":
        control = div("x-row", div("x-grow", control), tool(m, icon="eye", size=16))
    if inside:
        return div("", control, style="margin:8px 0")
    return field(m, label=label, control=control, id_=own, note=words.phrase() if bad else "", bad=bad)
