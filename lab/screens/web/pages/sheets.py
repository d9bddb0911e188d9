"""Spreadsheets: lettered columns, numbered rows, a chosen cell, a line for what is in it, leaves at the foot."""

from __future__ import annotations

from lab.screens.web.controls import select, text_input, tool, tools
from lab.screens.web.maker import Maker
from lab.screens.web.markup import div, esc, span, tag, truth
from lab.screens.web.pages.windows import program_bar
from lab.screens.web.parts import status_bar, tabs, toolbar

_TOOLS = ("edit", "cut", "copy", "paste", "undo", "redo", "sort", "filter", "chart", "link", "print", "save")


def sheet_page(m: Maker) -> str:
    """A sheet that fills the screen, with its bars."""
    bars = program_bar(m) if m.chance(0.7) else ""
    if m.chance(0.6):
        fonts = div("", select(m, options=["DejaVu Sans", "Serif", "Mono"], chosen=0), style="width:130px")
        bars += toolbar(fonts, tools(m, icons=m.rng.sample(_TOOLS, min(len(_TOOLS), max(3, m.width // 90)))))
    place = f"{m.rng.choice('ABCDEF')}{m.rng.randint(1, 30)}"
    value = m.rng.choice((f"=SUM(B2:B{m.rng.randint(5, 40)})", m.words.price(), m.words.thing()))
    name = div("", text_input(m, value=place), style="width:76px")
    ends = tool(m, icon="close", size=14) + tool(m, icon="error", size=14) if m.chance(0.3) else ""
    bars += div("x-bar", name, ends, div("x-grow", text_input(m, value=value)), style="flex-wrap:nowrap")
    labels = m.words.several(m.words.locale.folders, m.rng.randint(1, 4))
    foot = tabs(m, labels=labels, active=0) + status_bar(
        m, words=[m.words.phrase(), m.words.number(), m.words.percent()]
    )
    return div("x-fill", bars, div("x-scroll x-grow", _cells(m)), foot if m.chance(0.8) else "")


def _cells(m: Maker) -> str:
    rng = m.rng
    widths = [rng.choice((64, 80, 100, 140)) for _ in range(max(3, m.width // 80))]
    lines = max(4, m.height // 20)
    edge = rng.choice(("1px solid var(--line)", "1px solid var(--line)", "1px dotted var(--line)", "1px solid #8884"))
    high, pad = rng.choice((18, 20, 22, 26)), rng.choice((2, 4, 6))
    top, left = rng.randrange(lines), rng.randrange(len(widths))
    bottom, right = top + rng.choice((0, 0, 1, 4)), left + rng.choice((0, 0, 1, 2))
    full = rng.uniform(0.2, 0.95)
    kinds = [rng.choice((m.words.thing, m.words.name, m.words.price, m.words.date, m.words.number)) for _ in widths]
    style = f"border:{edge};height:{high}px;padding:0 {pad}px;overflow:hidden;white-space:nowrap"
    style += f";font-size:{rng.choice((11, 12, 13, 14))}px"
    pale = f"{style};background:var(--panel);text-align:center;font-weight:400;color:var(--text)"
    heads = [tag("th", style=f"{pale};width:42px")]
    heads += [tag("th", _letter(i), style=f"{pale};width:{width}px") for i, width in enumerate(widths)]
    body: list[str] = [tag("tr", *heads)]
    for line in range(lines):
        cells = [tag("th", str(line + 1), style=pale)]
        for column, kind in enumerate(kinds):
            text = kind() if rng.random() < full else ""
            chosen = top <= line <= bottom and left <= column <= right
            more = ";text-align:right" if kind in {m.words.price, m.words.number} else ""
            more += ";background:var(--chosen);color:var(--on-chosen)" if chosen else ""
            more += ";outline:2px solid var(--accent);outline-offset:-2px" if (line, column) == (top, left) else ""
            told = truth(highlighted=True) if chosen else ""
            cells.append(tag("td", span("", esc(text), extra=told) if text else "", style=style + more))
        body.append(tag("tr", *cells))
    inside = tag("thead", body[0]) + tag("tbody", *body[1:])
    fixed = f"table-layout:fixed;border-collapse:collapse;width:{42 + sum(widths)}px;margin:0"
    return tag("table", inside, style=fixed)


def _letter(number: int) -> str:
    return chr(65 + number % 26) if number < 26 else f"A{chr(65 + number % 26)}"
