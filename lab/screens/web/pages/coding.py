"""Editors and terminals: a tree of files, tabs, numbered lines, what a program has written."""

from __future__ import annotations

from lab.screens.web.controls import text_input, tool, tools
from lab.screens.web.maker import Maker
from lab.screens.web.markup import div, esc, span, tag, truth
from lab.screens.web.pages.windows import program_bar
from lab.screens.web.parts import status_bar, tabs, toolbar, tree

_LINES = (
    "from pathlib import Path", "import json", "", "class Basket:", "    def __init__(self, owner: str) -> None:",
    "        self.owner = owner", "        self.items: list[Item] = []", "", "    def total(self) -> float:",
    "        return sum(item.price for item in self.items)", "", "def read(path: Path) -> dict[str, str]:",
    "    with path.open() as opened:", "        return json.load(opened)", "", "if __name__ == '__main__':",
    "    main()",
    "const rows = await load('/api/rows');", "rows.forEach(row => table.append(line(row)));", "export default App;",
    "#include <stdio.h>", "int main(void) {", "    printf(\"%d\\n\", count);", "    return 0;", "}",
    "// see the note above",
    "SELECT city, COUNT(*) FROM guests GROUP BY city;", "<div class=\"card\">", "  <h2>{{ title }}</h2>", "</div>",
    "body { margin: 0; color: #333; }", "for (let i = 0; i < n; i++) {", "    total += values[i];",
)  # fmt: skip
_SHELL = (
    "$ ls -l", "total 48", "drwxr-xr-x 2 anna users 4096 May 17 09:12 docs",
    "-rw-r--r-- 1 anna users  812 May 16 22:40 notes.txt",
    "$ make test", "collected 214 items", "tests/test_basket.py ........ [ 40%]", "==== 214 passed in 3.12s ====",
    "$ git status", "On branch main", "nothing to commit, working tree clean", "$ ping example.com",
    "64 bytes from 192.0.2.1: icmp_seq=1 ttl=57 time=11.3 ms", "$ python3 run.py --fast", "Loading model ... done",
    "warning: 2 rows were skipped", "error: cannot open file 'a.csv'", "$ df -h",
    "/dev/sda1  251G  81G  158G  34% /", "$ _",
)  # fmt: skip


def code_lines(m: Maker) -> str:
    """A text area of a program's lines with their numbers; the numbers are in it, but not of its text."""
    dark = m.habit("code_dark", "y", "n", "page")
    ground = {"y": "background:#1e1e1e;color:#d4d4d4", "n": "background:#ffffff;color:#222222", "page": ""}[dark]
    size = m.habits_int("code_size", 11, 12, 13, 15)
    start = m.rng.randrange(len(_LINES))
    many = m.rng.randint(8, 60)
    here = m.rng.randrange(many)
    writes = m.chance(0.5)
    numbered = m.habit("code_numbers", "y", "y", "y", "n") == "y"
    caret = span(
        "", style="display:inline-block;width:1.5px;height:1.15em;background:currentColor;vertical-align:-.2em"
    )
    made: list[str] = []
    for i in range(many):
        text = _LINES[(start + i) % len(_LINES)]
        on = ";background:rgba(128,128,128,.18)" if i == here else ""
        style = "width:38px;flex:none;text-align:right;margin-right:14px;opacity:.55"
        number = span("", str(i + 1), style=style, data_truth_skip="all") if numbered else ""
        words = span("", _coloured(m, text), caret if writes and i == here else "")
        made.append(div("x-code", number, words, style=f"display:flex;min-height:1.4em{on}"))
    told = truth("text_area", focused=writes, disabled=False)
    return div("x-scroll x-grow", *made, style=f"font-size:{size}px;line-height:1.4;{ground}", extra=told)


def _coloured(m: Maker, text: str) -> str:
    if m.habit("code_colours", "y", "y", "n") == "n":
        return esc(text)
    words: list[str] = []
    for word in text.split(" "):
        bare = word.strip("():;{},")
        if bare in _KEYS:
            words.append(
                span("", esc(word), style="color:#c678dd" if m.habits["code_dark"] == "y" else "color:#7a1fa2")
            )
        else:
            words.append(esc(word))
    return " ".join(words)


_KEYS = frozenset(
    [
        "from",
        "import",
        "class",
        "def",
        "return",
        "if",
        "for",
        "in",
        "with",
        "as",
        "const",
        "await",
        "export",
        "default",
        "int",
        "void",
        "let",
        "SELECT",
        "FROM",
    ]
)


def terminal_lines(m: Maker) -> str:
    """What a shell has written."""
    start, many = m.rng.randrange(len(_SHELL)), m.rng.randint(6, 28)
    colour = m.rng.choice(("#d0d0d0", "#33ff33", "#ffcc66", "#ffffff"))
    made = [div("x-code", esc(_SHELL[(start + i) % len(_SHELL)]), style="min-height:1.35em") for i in range(many)]
    ground = m.rng.choice(("#000", "#111", "#300a24", "#002b36"))
    style = f"background:{ground};color:{colour};padding:6px;line-height:1.35;"
    return div("x-scroll x-grow", *made, style=style + f"font-size:{m.rng.choice((11, 12, 13, 14))}px")


def editor_page(m: Maker) -> str:
    """An editor with files at the side and a terminal below."""
    entries: list[tuple[int, str, bool | None, str]] = []
    for _ in range(m.rng.randint(2, 4)):
        opened = m.chance(0.7)
        entries.append((0, m.words.folder().lower(), opened, "folder"))
        if opened:
            entries.extend((1, m.words.file_name(), None, "file") for _ in range(m.rng.randint(2, 6)))
    heading = div(
        "x-row x-small",
        tag("b", esc(m.words.folder())),
        span("x-end", tool(m, icon="new", size=14), tool(m, icon="refresh", size=14)),
    )
    side = (
        div("x-side x", heading, tree(m, entries=entries, active=m.rng.randrange(len(entries))))
        if m.width > 560
        else ""
    )
    rail = ""
    if m.chance(0.5):
        icons = ("file", "search", "share", "play", "grid", "user", "settings")
        rail = div(
            "x-side x",
            *(div("", tool(m, icon=one, size=22), style="margin:8px 0") for one in icons),
            style="--side:46px",
        )
    strip = tabs(m, labels=[m.words.file_name() for _ in range(m.rng.randint(2, 4))], active=1)
    find = ""
    if m.chance(0.3):
        field = div("", text_input(m, value=m.words.verb().lower()), style="width:180px")
        find = toolbar(field, tools(m, icons=("up", "down", "close"), apart=0))
    below = ""
    if m.chance(0.5) and m.height > 500:
        below = div(
            "",
            terminal_lines(m),
            style="height:170px;display:flex;flex-direction:column;border-top:1px solid var(--line)",
        )
    main = div("x-grow", strip, find, code_lines(m), below, style="display:flex;flex-direction:column;min-height:0")
    top = program_bar(m) if m.chance(0.7) else ""
    foot = status_bar(m, words=["main", "UTF-8", "LF", f"{m.rng.randint(1, 90)}:{m.rng.randint(1, 60)}", "Python"])
    return div("x-fill", top, div("x-body", rail, side, main), foot)
