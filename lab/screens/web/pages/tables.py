"""Lists of records: sortable heads, ticked rows, pages, badges; also very dense ones."""

from __future__ import annotations

from collections.abc import Callable

from lab.screens.web.controls import any_button, checkbox, link, select, text_input, tool, tools
from lab.screens.web.maker import Maker
from lab.screens.web.markup import esc, tag
from lab.screens.web.parts import badge, pages, progress, status_bar, table, toolbar
from lab.screens.web.popups import some_menu


def _bare_box(m: Maker, *, on: bool) -> str:
    return checkbox(m, label="", on=on)


def record_page(m: Maker) -> str:
    """A table of records with a search field, tools and pages."""
    count = m.rng.randint(4, 18)
    body = _table(m, rows=count, columns=m.rng.randint(3, 8), rich=True)
    search = text_input(m, hint=m.words.command("search") or "...", kind="search")
    filters = select(m, options=m.words.several(m.words.locale.statuses, 5))
    front = [any_button(m, kind="primary" if i == 0 else "") for i in range(m.rng.randint(0, 3))]
    icons = m.rng.sample(("filter", "sort", "refresh", "download", "print", "delete", "more", "grid", "list"), 4)
    bar = (
        f'<div class="x-wrap"><div style="width:220px">{search}</div>{filters if m.chance(0.5) else ""}{"".join(front)}'
    )
    bar += f'<span class="x-end x-row">{tools(m, icons=icons[: m.rng.randint(1, 4)])}</span></div>'
    foot = f'<div class="x-wrap" style="margin-top:10px"><span class="x-muted">{esc(m.words.phrase())}</span>'
    foot += f'<span class="x-end">{pages(m, count=m.rng.randint(3, 7), active=m.rng.randrange(3))}</span></div>'
    title = tag("h2", esc(m.words.thing())) if m.chance(0.7) else ""
    return f'<main class="x-pad">{title}{bar}<div style="margin-top:10px;overflow:auto">{body}</div>{foot}</main>'


def dense_page(m: Maker) -> str:
    """A sheet of many small cells that fills the window, up to some hundred of them."""
    size = m.rng.choice((10, 11, 12))
    columns = min(14, m.width // 90)
    # Some hundred elements are the most that a person would still call one screen.
    rows = min(40, m.height // (size + 12), 380 // max(3, columns))
    body = _table(m, rows=rows, columns=max(3, columns), rich=False)
    icons = m.rng.sample(("new", "open", "save", "print", "cut", "copy", "paste", "undo", "redo", "chart", "sort"), 8)
    bar = toolbar(tools(m, icons=icons))
    status = status_bar(m, words=[m.words.phrase(), m.words.number(), m.words.percent()])
    style = f"font-size:{size}px;--pad:{m.rng.choice((0, 1, 2))}px"
    return f'<div class="x-fill">{bar}<div class="x-scroll x-grow" style="{style}">{body}</div>{status}</div>'


def _table(m: Maker, *, rows: int, columns: int, rich: bool) -> str:
    makers = _columns(m, columns, rich=rich)
    heads = [m.words.heading() for _ in makers]
    marks = rich and m.chance(0.5)
    deeds = rich and m.chance(0.4)
    chosen = sorted(m.rng.sample(range(rows), m.rng.choice((0, 0, 1, 1, 2)) if rows > 2 else 0))
    body: list[list[str]] = []
    for i in range(rows):
        line = [make() for make in makers]
        if marks:
            line.insert(0, _bare_box(m, on=i in chosen))
        if deeds:
            icons = ("edit", "delete", "more", "eye", "copy")[: 1 + m.rng.randrange(3)]
            pop = some_menu(m) if i == 0 else None
            line.append("".join(tool(m, icon=one, size=16, pop=pop if one == "more" else None) for one in icons))
        body.append(line)
    if marks:
        heads.insert(0, _bare_box(m, on=False))
    if deeds:
        heads.append("")
    first = 1 if marks else 0
    sorted_by = m.rng.randrange(first, first + len(makers)) if m.chance(0.6) else None
    return table(m, heads=heads, body=body, chosen=chosen, sorted_by=sorted_by, extra="x-table" if m.kit.own else "")


def _columns(m: Maker, count: int, *, rich: bool) -> list[Callable[[], str]]:
    words = m.words
    plain: list[Callable[[], str]] = [
        lambda: esc(words.name()), lambda: esc(words.date()), lambda: esc(words.price()), lambda: esc(words.city()),
        lambda: esc(words.number()), lambda: esc(words.thing()), lambda: esc(words.percent()),
        lambda: esc(words.time()),
        lambda: esc(words.size()), lambda: esc(words.email()),
    ]  # fmt: skip
    special: list[Callable[[], str]] = [
        lambda: badge(m, text=words.status()),
        lambda: link(m, text=words.thing()),
        lambda: f'<div style="width:80px">{progress(m, share=m.rng.randint(0, 100))}</div>',
        lambda: m.icons.draw(m.rng.choice(("flag", "star", "lock", "info", "warning", "mail")), size=16),
    ]
    short = [plain[i] for i in (1, 2, 3, 4, 6, 7, 8)]
    pool = plain + special if rich else short
    return [m.rng.choice(pool) for _ in range(count)]
