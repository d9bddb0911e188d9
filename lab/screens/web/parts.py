"""What pages are built of beside single controls: tabs, tables, cards, rows, trees, bars."""

from __future__ import annotations

from collections.abc import Sequence

from lab.screens.web.icons import sign
from lab.screens.web.maker import Maker
from lab.screens.web.markup import attributes, esc, tag, truth


def tabs(m: Maker, *, labels: Sequence[str], active: int = 0) -> str:
    """A strip of tabs, one of them chosen."""
    made = [
        m.kit.write(
            "tab",
            "on" if i == active else "",
            extra="on" if i == active else "",
            attrs=attributes(
                href="#",
                aria_selected="true" if i == active else "false",
                data_tab=True,
                aria_disabled="true" if i != active and m.chance(0.05) else None,
            ),
            content=esc(label),
        )
        for i, label in enumerate(labels)
    ]
    return m.kit.write("tabs", content="".join(made), extra="x-tabs")


def badge(m: Maker, *, text: str) -> str:
    """A word on a coloured ground; it is text."""
    return m.kit.write("badge", m.rng.choice(("", "good", "bad", "calm")), content=esc(text))


def alert(m: Maker, *, text: str, icon: str | None = None) -> str:
    """A message in a box of its own."""
    picture = f"{m.icons.draw(icon, size=m.icon_size)} " if icon else ""
    return m.kit.write("alert", m.rng.choice(("", "good", "bad", "calm")), content=f"{picture}<span>{esc(text)}</span>")


def card(m: Maker, *, content: str, title: str = "", extra: str = "") -> str:
    """A panel with a heading."""
    heading = m.kit.write("card_title", content=esc(title)) if title else ""
    return m.kit.write("card", title=heading, content=content, extra=extra)


def progress(m: Maker, *, share: int) -> str:
    """How far something has got; it is no element."""
    return m.kit.write("progress", share=str(share))


def pages(m: Maker, *, count: int, active: int) -> str:
    """Numbers to turn pages with, between two arrows."""
    labels = [*(str(i + 1) for i in range(count))]
    ends = m.habit("page_ends", "words", "icons", "signs", "none")
    if ends == "words":
        labels = [m.words.command("previous") or "<", *labels, m.words.command("next") or ">"]
    shift = 1 if ends == "words" else 0
    made = [
        m.kit.write(
            "page",
            "on" if i - shift == active else "",
            attrs=attributes(href="#") + truth(checked=i - shift == active),
            content=esc(label),
        )
        for i, label in enumerate(labels)
    ]
    if ends in {"icons", "signs"}:
        left, right = (m.icons.draw(one, size=14) for one in ("left", "right"))
        made = [m.kit.write("page", attrs=attributes(href="#"), content=one) for one in (left,)] + made
        made.append(m.kit.write("page", attrs=attributes(href="#"), content=right))
    return m.kit.write("pages", content="".join(made), extra="" if "pages" in m.kit.forms else "x-wrap")


def row(
    m: Maker,
    *,
    content: str,
    role: str = "option",
    on: bool | None = False,
    off: bool = False,
    checked: bool | None = None,
    opened: bool | None = None,
    indent: int = 0,
    lined: bool = False,
    extra: str = "",
) -> str:
    """A row of a list, menu or tree.

    Args:
        m: the page.
        content: HTML.
        role: ``option``, ``menuitem`` or ``treeitem``.
        on: chosen, drawn on a ground of its own; None where that cannot be.
        off: greyed.
        checked: with a tick; None for rows that have none.
        opened: whether its branch or menu is open; None where it has none.
        indent: CSS pixels.
        lined: with a line below.
        extra: further attributes.
    """
    del m
    kind = {"option": "list_item", "menuitem": "menu_item", "treeitem": "tree_item"}[role]
    names = "x-item" + (" on" if on else "") + (" off" if off else "") + (" lined" if lined else "")
    told = truth(kind, highlighted=on, disabled=off, checked=checked, expanded=opened)
    attrs = attributes(role=role, style=f"padding-left:{indent + 8}px" if indent else None)
    return f'<div class="{names}"{attrs}{told}{extra}>{content}</div>'


def rows(m: Maker, *, entries: Sequence[tuple[str | None, str]], active: int | None = None, count: bool = False) -> str:
    """A list of places: an icon or none, and a word; one of them chosen."""
    made: list[str] = []
    for i, (icon, word) in enumerate(entries):
        picture = m.icons.draw(icon, size=m.icon_size) if icon else ""
        number = f'<span class="x-end x-small">{m.rng.randint(1, 99)}</span>' if count and m.chance(0.3) else ""
        words = f'<span class="x-one">{esc(word)}</span>'
        made.append(row(m, content=picture + words + number, on=i == active))
    return tag("div", "".join(made), class_="x-list", role="listbox")


def tile(m: Maker, *, icon: str, word: str, on: bool = False, size: int = 40, below: bool = True) -> str:
    """A thing of a file manager or desktop: a picture above its name."""
    picture = m.icons.draw(icon, size=size)
    style = "display:flex;gap:6px;align-items:center;padding:6px;min-width:0;"
    style += "flex-direction:column;text-align:center;width:92px" if below else "width:180px"
    wide = "max-width:100%;overflow-wrap:anywhere"
    return (
        f'<div class="x-item{" on" if on else ""}" style="{style}"{truth("list_item", highlighted=on, disabled=False)}>'
        f'{picture}<span style="{wide}">{esc(word)}</span></div>'
    )


def table(
    m: Maker,
    *,
    heads: Sequence[str],
    body: Sequence[Sequence[str]],
    chosen: Sequence[int] = (),
    sorted_by: int | None = None,
    extra: str = "",
) -> str:
    """Rows and columns; cells are HTML, heads are words."""
    cells: list[str] = []
    for i, head in enumerate(heads):
        arrow = m.icons.draw("down" if m.habit("order", "a", "d") == "a" else "up", size=12) if i == sorted_by else ""
        cells.append(tag("th", (head if head.startswith("<") else esc(head)) + (f" {arrow}" if arrow else "")))
    lines = [
        tag("tr", "".join(tag("td", cell) for cell in line), class_="on" if i in chosen else None)
        for i, line in enumerate(body)
    ]
    inside = tag("thead", tag("tr", "".join(cells))) + tag("tbody", "".join(lines))
    return m.kit.write("table", content=inside, extra=extra)


def tree(m: Maker, *, entries: Sequence[tuple[int, str, bool | None, str]], active: int | None = None) -> str:
    """Branches and leaves.

    Args:
        m: the page.
        entries: depth, word, whether the branch is open (None for a leaf), and the icon's subtype, in order of lines.
        active: the chosen line.
    """
    manner = m.habit("twist", "chevron", "box", "triangle")
    shut, opened = ("expand", "collapse") if manner == "box" else ("right", "down")
    made: list[str] = []
    for i, (depth, word, state, icon) in enumerate(entries):
        twist = '<span style="width:14px;flex:none"></span>'
        if state is not None:
            one = opened if state else shut
            inside = sign(one) if manner == "triangle" else m.icons.draw(one, size=12)
            twist = f'<span style="width:14px;flex:none;display:inline-flex" data-twist>{inside}</span>'
        picture = m.icons.draw(icon, size=m.icon_size) if icon else ""
        content = f'{twist}{picture}<span class="x-one">{esc(word)}</span>'
        made.append(row(m, content=content, role="treeitem", on=i == active, opened=state, indent=depth * 18))
    return tag("div", "".join(made), class_="x-tree", role="tree")


def menubar(*, words: Sequence[str], pops: Sequence[str | None] = ()) -> str:
    """File, Edit, View: each may open a menu."""
    made = [
        tag("span", esc(word), role="menuitem", data_pop=pop, aria_expanded="false", data_truth_type="menu")
        for word, pop in zip(words, [*pops, *[None] * len(words)], strict=False)
    ]
    return tag("div", "".join(made), class_="x-menubar", role="menubar")


def toolbar(*content: str) -> str:
    """A strip of tools with a ground and an edge of its own."""
    return tag("div", *content, class_="x-bar", role="toolbar")


def status_bar(m: Maker, *, words: Sequence[str]) -> str:
    """Small words at the foot of a window."""
    del m
    return tag("div", "".join(tag("span", esc(word)) for word in words), class_="x-status")
