"""Calendars: a month, or a week with hours."""

from __future__ import annotations

from lab.screens.web.controls import any_button, button, checkbox, select, tool
from lab.screens.web.maker import Maker
from lab.screens.web.markup import div, esc, span, tag, truth


def calendar_page(m: Maker) -> str:
    """A month or a week, with the calendars to show at the side."""
    words = m.words
    title = f"{m.rng.choice(words.locale.months)} {m.rng.randint(2020, 2027)}"
    views = select(m, options=words.several(words.locale.folders, 3)) if m.chance(0.5) else ""
    walk = tool(m, icon="left") + tool(m, icon="right")
    today = button(m, label=words.verb())
    bar = div(
        "x-bar",
        today,
        walk,
        tag("b", esc(title), style="font-size:1.3em"),
        span("x-end x-row", views, any_button(m, kind="primary")),
    )
    main = _month(m) if m.chance(0.6) else _week(m)
    side = ""
    if m.width > 800:
        marks = "".join(
            div("", checkbox(m, label=one, on=m.chance(0.7))) for one in words.several(words.locale.folders, 5)
        )
        side = div("x-side x", tag("h4", esc(words.label())), marks)
    return div("x-fill", bar, div("x-body", side, div("x-scroll x-grow", main)))


def _event(m: Maker) -> str:
    colour = m.rng.choice(
        ("var(--accent);color:var(--on-accent)", "#0b8043;color:#fff", "#d50000;color:#fff", "#f6bf26;color:#000")
    )
    time = f"{m.words.time()} " if m.chance(0.4) else ""
    style = f"background:{colour};border-radius:3px;padding:1px 5px;font-size:.85em;margin-top:2px"
    return div("x-one", esc(time + m.words.thing()), style=style, extra=truth("button", disabled=False))


def _month(m: Maker) -> str:
    heads = "".join(
        div("x-muted x-small", esc(day), style="padding:4px;text-align:center") for day in m.words.locale.days
    )
    start, now = m.rng.randint(0, 6), m.rng.randint(1, 28)
    days: list[str] = []
    for i in range(35):
        number = (i - start) % 30 + 1
        ring = (
            "background:var(--accent);color:var(--on-accent);border-radius:50%;padding:1px 5px" if number == now else ""
        )
        events = "".join(_event(m) for _ in range(m.rng.choice((0, 0, 0, 1, 1, 2))))
        cell = span("x-small", str(number), style=ring) + events
        days.append(div("", cell, style="border:1px solid var(--line);padding:3px;min-height:72px;min-width:0"))
    return div("", heads, *days, style="display:grid;grid-template-columns:repeat(7,minmax(0,1fr))")


def _week(m: Maker) -> str:
    heads = "".join(
        div("", esc(f"{day} {m.rng.randint(1, 28)}"), style="padding:4px;text-align:center")
        for day in m.words.locale.days
    )
    lines = [div("", div(""), heads, style="display:contents")]
    for hour in range(7, 19):
        cells = "".join(
            div(
                "",
                _event(m) if m.chance(0.12) else "",
                style="border:1px solid var(--line);min-height:38px;min-width:0",
            )
            for _ in range(7)
        )
        lines.append(div("", span("x-small x-muted", f"{hour}:00"), cells, style="display:contents"))
    return div("", *lines, style="display:grid;grid-template-columns:46px repeat(7,minmax(0,1fr))")
