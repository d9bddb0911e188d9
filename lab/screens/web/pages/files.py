"""File managers: places at the side, things as icons or in a list, and the tree of folders."""

from __future__ import annotations

from lab.screens.web.controls import checkbox, text_input, tool, tools
from lab.screens.web.maker import Maker
from lab.screens.web.markup import div, esc, span
from lab.screens.web.pages.windows import program_bar
from lab.screens.web.parts import row, rows, status_bar, table, tile, toolbar, tree

_KINDS = ("folder", "file", "image", "music", "video", "chart", "mail", "lock")
_PLACES = ("home", "folder", "download", "image", "music", "video", "delete", "clock", "star", "grid")


def files_page(m: Maker) -> str:
    """A file manager that fills the window."""
    place = text_input(m, value=f"/home/{m.words.first().lower()}/{m.words.folder()}")
    walk = tools(m, icons=("back", "forward", "up", "refresh"), apart=0)
    views = tools(m, icons=("list", "grid", "search"), apart=0)
    bar = toolbar(walk, div("x-grow", place), views, tool(m, icon="more"))
    side = _side(m) if m.width > 520 else ""
    main = file_tiles(m) if m.chance(0.5) else file_list(m)
    foot = status_bar(m, words=[m.words.phrase(), m.words.size()]) if m.chance(0.7) else ""
    top = program_bar(m) if m.chance(0.5) else ""
    return div("x-fill", top, bar, div("x-body", side, div("x-scroll x-grow", main)), foot)


def _side(m: Maker) -> str:
    if m.chance(0.4):
        return div("x-side x", folder_tree(m))
    entries = list(zip(_PLACES, m.words.several(m.words.locale.folders, 9), strict=False))
    return div("x-side x", rows(m, entries=entries, active=m.rng.randrange(len(entries))))


def folder_tree(m: Maker) -> str:
    """Folders in folders."""
    entries: list[tuple[int, str, bool | None, str]] = []
    for _ in range(m.rng.randint(2, 4)):
        opened = m.chance(0.6)
        entries.append((0, m.words.folder(), opened, "folder"))
        for _ in range(m.rng.randint(1, 4) if opened else 0):
            deeper = m.rng.choice((None, None, False, True))
            entries.append((1, m.words.folder(), deeper, "folder"))
            if deeper:
                entries.extend((2, m.words.file_name(), None, "file") for _ in range(m.rng.randint(1, 4)))
    return tree(m, entries=entries, active=m.rng.randrange(len(entries)))


def file_tiles(m: Maker) -> str:
    """Things as pictures with names below, or beside."""
    below = m.habit("tile_names", "y", "y", "n") == "y"
    size = m.habits_int("tile_size", 28, 36, 48, 60)
    many = m.rng.randint(6, 40)
    chosen = set(m.rng.sample(range(many), m.rng.randint(0, 3)))
    made = [
        tile(m, icon="folder" if i < many // 3 else m.rng.choice(_KINDS), word=_name(m, i < many // 3), on=i in chosen,
             size=size, below=below)
        for i in range(many)
    ]  # fmt: skip
    return div(
        "",
        *made,
        style="display:flex;flex-wrap:wrap;gap:8px;padding:10px;align-content:flex-start;align-items:flex-start",
    )


def _name(m: Maker, folder: bool) -> str:  # noqa: FBT001 - one or the other
    return m.words.folder() if folder else m.words.file_name()


def file_list(m: Maker) -> str:
    """Things in lines, with size and date in columns."""
    many = m.rng.randint(5, 26)
    if m.chance(0.6):
        boxes = m.chance(0.3)
        lines: list[list[str]] = []
        for i in range(many):
            picture = m.icons.draw("folder" if i < many // 3 else m.rng.choice(_KINDS), size=m.icon_size)
            name = f"{picture} <span>{esc(_name(m, i < many // 3))}</span>"
            line = [name, esc(m.words.date()), esc(m.words.size())]
            lines.append([checkbox(m, label="", on=False), *line] if boxes else line)
        heads = ["" for _ in range(boxes)] + [m.words.heading() for _ in range(3)]
        chosen = m.rng.sample(range(many), m.rng.randint(0, 2))
        return table(
            m, heads=heads, body=lines, chosen=chosen, sorted_by=1 if boxes else 0, extra="x-table" if m.kit.own else ""
        )
    made = [
        row(
            m,
            content=m.icons.draw(m.rng.choice(_KINDS), size=m.icon_size)
            + span("x-one", esc(m.words.file_name()))
            + span("x-end x-small", esc(m.words.size())),
            on=i == 2,
            lined=True,
        )
        for i in range(many)
    ]
    return div("x-list", *made, role="listbox")
