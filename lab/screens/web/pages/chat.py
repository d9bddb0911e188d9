"""Conversations: people at the side, what was said, a field to answer in."""

from __future__ import annotations

from lab.screens.web.controls import area, button, text_input, tool
from lab.screens.web.maker import Maker
from lab.screens.web.markup import div, esc, span, tag
from lab.screens.web.parts import row
from lab.screens.web.pictures import avatar, picture
from lab.screens.web.popups import some_menu


def chat_page(m: Maker) -> str:
    """A conversation beside the list of others."""
    side = _people(m) if m.width > 600 else ""
    name = m.words.name()
    more = tool(m, icon="more", pop=some_menu(m))
    head = div(
        "x-bar", avatar(m, name=name, size=34),
        div("", tag("b", esc(name)), div("x-small x-muted", esc(m.words.status()))),
        span("x-end x-row", *(tool(m, icon=one) for one in ("phone", "video", "search")), more),
    )  # fmt: skip
    said = "".join(_message(m) for _ in range(m.rng.randint(4, 12)))
    talk = div("x-scroll x-grow", said, style="padding:12px;display:flex;flex-direction:column;gap:8px")
    return div(
        "x-fill",
        div(
            "x-body",
            side,
            div("x-grow", head, talk, _answer(m), style="display:flex;flex-direction:column;min-height:0"),
        ),
    )


def _people(m: Maker) -> str:
    search = text_input(m, hint=m.words.command("search") or "", kind="search")
    made: list[str] = []
    for i in range(m.rng.randint(4, 12)):
        name = m.words.name()
        new = span("x-badge", str(m.rng.randint(1, 9))) if m.chance(0.25) else ""
        told = div("x-grow", div("x-one x-strong", esc(name)), div("x-one x-small x-muted", esc(m.words.phrase())))
        time = div("x-small x-muted", esc(m.words.time()))
        made.append(row(m, content=avatar(m, name=name, size=36) + told + time + new, on=i == 1))
    return div("x-side x", search, div("x-list", *made, role="listbox", style="margin-top:8px"), style="--side:270px")


def _message(m: Maker) -> str:
    mine = m.chance(0.45)
    name = m.words.name()
    body = esc(m.words.sentence() if m.chance(0.7) else m.words.phrase())
    if m.chance(0.08):
        body = picture(m, width=180, height=110)
    time = div("x-small x-muted", esc(m.words.time())) if m.habit("chat_time", "y", "n") == "y" else ""
    bubble = div(f"x-bubble x{' mine' if mine else ''}", body, time)
    if m.habit("chat_faces", "y", "n") == "y" and not mine:
        return div("x-row", avatar(m, name=name, size=28), bubble, style="align-items:flex-end")
    return bubble


def _answer(m: Maker) -> str:
    hint = m.words.phrase()
    entry = (
        area(m, hint=hint, rows=2)
        if m.chance(0.3)
        else text_input(m, hint=hint, value=m.words.phrase() if m.chance(0.3) else "")
    )
    fronts = "".join(tool(m, icon=one) for one in m.rng.sample(("attach", "image", "add", "like"), 2))
    send = tool(m, icon="send") if m.chance(0.6) else button(m, label=m.words.command("send") or "OK", kind="primary")
    return div("x-bar", fronts, div("x-grow", entry), send, style="border-top:1px solid var(--line);flex-wrap:nowrap")
