"""Lists of every make: narrow and tall rows, two lines, boxes to tick, pictures, ends with icons; trees beside them."""

from __future__ import annotations

from collections.abc import Callable

from lab.screens.web.controls import any_button, checkbox, select, text_input, toggle, tool, tools
from lab.screens.web.maker import Maker
from lab.screens.web.markup import div, esc, span, tag
from lab.screens.web.parts import badge, row, tabs, toolbar, tree
from lab.screens.web.pictures import avatar, picture

_ENDS = (
    "right",
    "more",
    "edit",
    "delete",
    "star",
    "info",
    "close",
    "download",
    "share",
    "like",
    "add",
    "remove",
    "lock",
)


def list_page(m: Maker) -> str:
    """One to four columns, each a list of its own make."""
    count = max(1, min(4, m.width // m.rng.choice((260, 340, 460))))
    made = [m.rng.choice(_COLUMNS)(m) for _ in range(count)]
    edge = "border-right:1px solid var(--line)" if m.chance(0.6) else "margin:6px"
    columns = [
        div("x-scroll x-grow", one, style=f"flex-basis:0;{edge}{';background:var(--panel)' if m.chance(0.3) else ''}")
        for one in made
    ]
    top = ""
    if m.chance(0.6):
        search = div(
            "x-grow", text_input(m, hint=m.words.command("search") or "", kind="search"), style="max-width:300px"
        )
        top = toolbar(tool(m, icon="menu"), search, tools(m, icons=m.rng.sample(_ENDS, 4)))
    if m.chance(0.3):
        top += tabs(m, labels=m.words.several(m.words.locale.folders, max(2, m.width // 200)), active=0)
    foot = toolbar(any_button(m, kind="primary"), any_button(m), span("x-end x-small", esc(m.words.phrase())))
    return div("x-fill", top, div("x-body", *columns), foot if m.chance(0.4) else "")


def _many(m: Maker, high: int) -> int:
    return max(3, min(60, (m.height + 80) // high))


def _list(m: Maker, make: Callable[[int], tuple[str, int]], *, high: int) -> str:
    """Rows that ``make`` fills; it gives HTML and how far the row is set in."""
    count = _many(m, high)
    chosen = {m.rng.randrange(count) for _ in range(m.rng.choice((0, 1, 1, 1, 2, 4)))}
    lined, pad = m.chance(0.5), m.rng.choice((0, 1, 3, 6))
    made: list[str] = []
    for i in range(count):
        content, indent = make(i)
        made.append(row(m, content=content, on=i in chosen, off=m.chance(0.06), lined=lined, indent=indent))
    gap = m.rng.choice((0, 0, 1, 4))
    style = f"display:flex;flex-direction:column;gap:{gap}px;--pad:{pad}px"
    return tag("div", *made, class_="x-list", role="listbox", style=style)


def _words(m: Maker) -> str:
    """One word a row, close together."""
    icons, pictures = m.any_icons(), m.chance(0.4)
    subtype = m.rng.choice(("file", "folder", "user", "mail", "music"))
    size = m.rng.choice((11, 12, 13, 14, 16))

    def make(_: int) -> tuple[str, int]:
        front = icons.draw(subtype, size=16) if pictures else ""
        return front + span("x-one", esc(m.words.short())), 0

    return div("", _list(m, make, high=22), style=f"font-size:{size}px")


def _two_lines(m: Maker) -> str:
    """A face or picture, two or three lines, and a time or number."""
    face, lines = m.rng.choice(("avatar", "picture", "icon", "none")), m.rng.choice((2, 2, 3))
    icons = m.any_icons()

    def make(_: int) -> tuple[str, int]:
        name = m.words.name()
        front = ""
        if face == "avatar":
            front = avatar(m, name=name, size=36)
        elif face == "picture":
            front = picture(m, width=72, height=52)
        elif face == "icon":
            front = icons.draw(m.rng.choice(_ENDS), size=24)
        middle = div("x-one x-strong", esc(name)) + div("x-one x-small", esc(m.words.phrase()))
        if lines == 3:
            middle += div("x-one x-small x-muted", esc(m.words.sentence()))
        mark = badge(m, text=m.words.number(20)) if m.chance(0.2) else ""
        return f'{front}<div class="x-grow">{middle}</div><span class="x-small">{esc(m.words.time())}</span>{mark}', 0

    return _list(m, make, high=58)


def _tasks(m: Maker) -> str:
    """Boxes to tick, with what is to be done and tools behind it."""
    ends = m.rng.sample(_ENDS, m.rng.randint(0, 3))
    switch = m.chance(0.25)

    def make(_: int) -> tuple[str, int]:
        box = checkbox(m, label="", on=m.chance(0.4), disabled=m.chance(0.1))
        end = "".join(tool(m, icon=one, size=14, framed=False) for one in ends)
        end = toggle(m, label="", on=m.chance(0.5)) if switch else end
        words = span("x-one x-grow", esc(m.words.phrase()))
        return (words + end if switch else box + words + end), 0

    return _list(m, make, high=30)


def _headed(m: Maker) -> str:
    """Short lists below headings, in frames, as telephones have their settings."""
    icons = m.any_icons()
    groups: list[str] = []
    for _ in range(_many(m, 190)):
        made: list[str] = []
        for _ in range(m.rng.randint(2, 5)):
            meaning, word = m.words.any_command()
            end = m.icons.draw("right", size=14) if m.chance(0.6) else ""
            value = span("x-small x-muted", esc(m.words.status())) if m.chance(0.5) else ""
            content = f'{icons.draw(meaning, size=18)}<span class="x-one x-grow">{esc(word)}</span>{value}{end}'
            made.append(row(m, content=content, lined=True))
        frame = f"border:1px solid var(--line);border-radius:{m.look.radius}px;overflow:hidden;margin:6px 8px"
        groups.append(div("x-small x-muted", esc(m.words.heading()), style="padding:6px 12px 0"))
        groups.append(tag("div", *made, class_="x-list", role="listbox", style=frame))
    return "".join(groups)


def _branches(m: Maker) -> str:
    """A deep tree."""
    entries: list[tuple[int, str, bool | None, str]] = []
    depth = 0
    for _ in range(_many(m, 24)):
        opened = m.chance(0.6) if m.chance(0.45) else None
        entries.append(
            (
                depth,
                m.words.file_name() if opened is None else m.words.folder(),
                opened,
                "file" if opened is None else "folder",
            )
        )
        depth = min(5, depth + 1) if opened else max(0, depth - (1 if m.chance(0.35) else 0))
    return tree(m, entries=entries, active=m.rng.randrange(len(entries)))


def _sorted(m: Maker) -> str:
    """A list with a way to sort and narrow it."""
    bar = div(
        "x-row", select(m, options=m.words.several(m.words.locale.headings, 4)), tools(m, icons=("filter", "sort"))
    )
    return div("", bar, style="padding:4px") + m.rng.choice((_words, _two_lines, _tasks))(m)


_COLUMNS: tuple[Callable[[Maker], str], ...] = (
    _words,
    _words,
    _two_lines,
    _two_lines,
    _tasks,
    _headed,
    _branches,
    _sorted,
)
