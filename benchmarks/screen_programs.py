"""The programs of ``changed_screens.py``: what a person does in each, and what of its own state a step has to reach."""

from __future__ import annotations

import json
import random
import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final

Node = Mapping[str, Any]
State = dict[str, Any]

CHROMIUM_FLAGS: Final = (
    "--no-sandbox", "--no-first-run", "--test-type", "--disable-gpu", "--disable-background-networking",
    "--password-store=basic", "--window-size=860,620", "--window-position=60,50", "--disable-smooth-scrolling",
    "--force-renderer-accessibility",
    "--disable-features=Translate,MediaRouter,PasswordManager",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Screen:
    """How the desktop looks in one run.

    Attributes:
        name: of the change.
        moved: whether the window is brought elsewhere.
        grown: whether it is made larger.
        scale: of the desktop.
        dark: whether programs are dark.
        font: points of the programs' writing; None for their own.
        reordered: whether rows stand in another order.
    """

    name: str
    moved: bool = False
    grown: bool = False
    scale: float = 1.0
    dark: bool = False
    font: int | None = None
    reordered: bool = False

    def rows(self, rows: Sequence[str]) -> list[str]:
        """The rows in their order."""
        shuffled = list(rows)
        if self.reordered:
            random.Random(5).shuffle(shuffled)
        return shuffled


RECORDED: Final = Screen(name="same")
CHANGES: Final = (
    Screen(name="moved", moved=True),
    Screen(name="resized", grown=True),
    Screen(name="1.25", scale=1.25),
    Screen(name="2.0", scale=2.0),
    Screen(name="dark", dark=True),
    Screen(name="font", font=14),
    Screen(name="rows", reordered=True),
)


class Page:
    """Serves a page on the loopback interface and hears its state from it, whenever that changes."""

    def __init__(self, html: str) -> None:
        self.state: State = {}
        page = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                body = html.encode() if self.path == "/" else b""
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_POST(self) -> None:
                page.state = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@dataclass(kw_only=True)
class Work:
    """One run of a program: its folder, its process, its page."""

    folder: Path
    screen: Screen
    page: Page | None = None
    process: subprocess.Popen[bytes] | None = None
    output: Path | None = None
    env: dict[str, str] = field(default_factory=dict[str, str])

    def printed(self) -> str:
        """What it has printed."""
        return self.output.read_text() if self.output is not None and self.output.exists() else ""

    @property
    def ended(self) -> bool:
        return self.process is not None and self.process.poll() is not None


Acts = Sequence[Callable[[Any], None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """One program with one demo.

    Attributes:
        name: of the demo.
        access: a part of its name on the accessibility bus.
        window: a part of its window's title.
        command: what is started.
        acts: what the person does, one recorded step each.
        state: what the program itself says, comparable between screens.
        has_rows: whether its rows can come in another order.
        held_out: measured at the end only; nothing was tuned on it.
        html: the page of a browser.
        line_px: height of the lines of a text whose program misplaces them.
    """

    name: str
    access: str
    window: str
    command: Callable[[Work], list[str]]
    acts: Acts
    state: Callable[[Sequence[Node], Work], State]
    has_rows: bool = True
    held_out: bool = False
    html: Callable[[Work], str] | None = None
    line_px: int | None = None


# What is the same of programs of one kind ----------------------------------------------------------------------------


def _fields(nodes: Sequence[Node]) -> list[str]:
    return [n["text"] for n in nodes if "editable" in n["states"] and "text" in n]


def _named(nodes: Sequence[Node], state: str, *roles: str) -> list[str]:
    return sorted(
        {n["name"] for n in nodes if state in n["states"] and n["name"] and (not roles or n["role"] in roles)}
    )


def _menu(nodes: Sequence[Node]) -> list[str]:
    """What is chosen in menus that are open."""
    return _named(nodes, "selected", "menu", "menu item", "check menu item", "radio menu item")


def _form(nodes: Sequence[Node], work: Work) -> State:
    """Of dialogs that print what was entered when they end."""
    if work.ended:
        return {"printed": sorted(work.printed().splitlines())}  # rows are printed in their order
    chosen = [n["name"] for n in nodes if n["role"] == "table cell" and "selected" in n["states"] and n["name"]]
    return {
        "fields": _fields(nodes),
        "chosen": chosen,
        "checked": _named(nodes, "checked"),
        "values": [n["value"][1] for n in nodes if n["role"] in {"slider", "spin button"} and "value" in n],
        "combo": [n["name"] for n in nodes if n["role"] == "combo box"],
        "menu": _menu(nodes),
    }


# zenity --------------------------------------------------------------------------------------------------------------

_FRUIT = ("Apples", "Pears", "Plums", "Quinces", "Cherries")


def _zenity_form(work: Work) -> list[str]:
    return [
        "zenity", "--forms", "--title", "Order", "--text", "Order fruit", "--add-entry=Name", "--add-entry=Note",
        "--add-list=Fruit", "--column-values=Fruit", f"--list-values={'|'.join(work.screen.rows(_FRUIT))}",
    ]  # fmt: skip


_ZENITY: Acts = (
    lambda p: p.type("Ada Lovelace"),
    lambda p: p.click("text", nth=0),  # the second field: they are told last first
    lambda p: p.type("before noon"),
    lambda p: p.click("text", nth=1),
    lambda p: p.press("Ctrl+A"),
    lambda p: p.type("Bo Li"),
    lambda p: p.click("table cell", "Plums"),
    lambda p: p.click("table cell", "Pears"),
    lambda p: p.click("push button", "OK"),
)

# galculator ----------------------------------------------------------------------------------------------------------


def _galculator(nodes: Sequence[Node], _: Work) -> State:
    shown = [n["text"].split("\n")[0].strip() for n in nodes if n["role"] == "text" and "text" in n]
    dialogs = [n["name"] for n in nodes if n["role"] == "dialog"]
    return {"shown": shown[:1], "menu": _menu(nodes), "dialogs": dialogs, "tabs": _named(nodes, "selected", "page tab")}


_GALCULATOR: Acts = (
    *[(lambda p, k=key: p.click("toggle button", k)) for key in ("7", "+", "5", "=")],
    lambda p: p.press("Escape"),
    lambda p: p.type("12*3"),
    lambda p: p.press("Enter"),
    lambda p: p.click("toggle button", "sqrt"),
    lambda p: p.click("menu", "Edit"),
    lambda p: p.click("menu item", "Preferences..."),
    lambda p: p.click("page tab", "Numbers"),
    lambda p: p.click("push button", "Close"),
    lambda p: p.click("toggle button", "C"),
)

# featherpad ----------------------------------------------------------------------------------------------------------

_LINES = ("The quick brown fox", "jumps over a lazy dog", "then homeward runs again", "past the old mill")


def _featherpad_command(work: Work) -> list[str]:
    text = work.folder / "notes.txt"
    text.write_text("\n".join([*work.screen.rows(_LINES), *(f"line {n}" for n in range(1, 60))]) + "\n")
    return ["featherpad", str(text)]


def _featherpad(nodes: Sequence[Node], work: Work) -> State:
    saved = (work.folder / "notes.txt").read_text()
    text = next((n for n in nodes if n["role"] == "text" and "quick" in n.get("text", "")), {})
    words = text.get("text", "")
    start, end = text.get("chosen") or (0, 0)
    caret = text.get("caret", -1)
    # What stands around the caret in its line.
    at = words[max(0, caret - 6) : caret].split("\n")[-1] + "|" + words[caret : caret + 4].split("\n")[0]
    at = "" if "chosen" in text else at
    return {
        "saved": sorted(saved.split("\n")),
        "text": sorted(words.split("\n")),
        "chosen": words[start:end],
        "caret": at,
        "find": [n["text"] for n in nodes if "editable" in n["states"] and n is not text and n["role"] == "text"][:1],
    }


_TEXT = "text"
_FEATHERPAD: Acts = (
    lambda p: p.click_text("quick", "brown", times=2),
    lambda p: p.type("red"),
    lambda p: p.click_text("quick", "again"),
    lambda p: p.press("End"),
    lambda p: p.type(" soon"),
    lambda p: p.drag_text("quick", "over", "lazy"),
    lambda p: p.press("Delete"),
    lambda p: p.click_text("quick", "mill", button="right"),
    lambda p: p.press("Escape"),
    lambda p: p.click_text("quick", "mill", times=2),
    lambda p: p.click("push button", "Save"),
)

# Chromium ------------------------------------------------------------------------------------------------------------

_TELL = """
const tell = () => { const s = JSON.stringify(state()); if (s !== window.told) { window.told = s;
  fetch('/state', {method: 'POST', body: s}); } };
setInterval(tell, 60);
"""
_PEOPLE = ("Ada Byron", "Bo Li", "Cleo Marsh", "Dora Quint", "Emil Voss")


def _form_page(work: Work) -> str:
    rows = "".join(
        f"<tr><td>{name}<td>{name.split()[0].lower()}@example.org"
        f"<td><button onclick=\"log('open {name}')\">Open</button>"
        f"<td><input type=checkbox aria-label='Pick {name}' data-name='{name}'>"
        for name in work.screen.rows(_PEOPLE)
    )
    return f"""<!doctype html><html lang=en><meta charset=utf-8><title>Customers</title>
<body style="font-family:sans-serif"><h2>Customers</h2>
<p><label>Search <input id=search></label> <label><input type=checkbox id=only> Only open ones</label>
<p><label>Kind <select id=kind><option>All<option>Firms<option>Persons</select></label>
<table id=rows cellpadding=4><tr><th>Name<th>Mail<th>Action<th>Pick</tr>{rows}</table>
<p><label>Note<br><textarea id=note rows=4 cols=40>call back on monday about the new offer</textarea></label>
<p><label><input type=radio name=when> Today</label> <label><input type=radio name=when> Tomorrow</label>
<p><button onclick="log('saved')">Save all</button> <button onclick="log('dropped')">Drop all</button>
<div style="height:40em"></div><p><button onclick="log('end')">At the end</button>
<script>const done = []; const log = t => done.push(t); const $ = i => document.getElementById(i);
const state = () => ({{done, search: $('search').value, only: $('only').checked, kind: $('kind').value,
  picked: [...document.querySelectorAll('[data-name]')].filter(e => e.checked).map(e => e.dataset.name).sort(),
  note: $('note').value, when: [...document.querySelectorAll('[name=when]')].map(e => e.checked),
  marked: document.activeElement === $('note') ? [$('note').selectionStart, $('note').selectionEnd] : [],
  scrolled: scrollY > 40}});{_TELL}</script>"""


_FORM_PAGE: Acts = (
    lambda p: p.click("entry", "Search"),
    lambda p: p.type("ma"),
    lambda p: p.click("check box", "Only open ones", at=(0, 0.5)),
    lambda p: p.click("check box", "Pick Cleo Marsh"),
    lambda p: p.click("push button", "Open", beside="Dora Quint"),
    lambda p: p.click_text("monday", "offer", times=2),
    lambda p: p.type("price"),
    lambda p: p.click_text("monday", "about"),
    lambda p: p.type("again "),
    lambda p: p.click("radio button", "Tomorrow"),
    lambda p: p.click("push button", "Save all"),
    lambda p: p.scroll("heading", "Customers", down=30),
    lambda p: p.click("push button", "At the end"),
)


def _canvas_page(work: Work) -> str:
    items = "".join(f"<li draggable=false tabindex=0 data-item>{name}" for name in work.screen.rows(_FRUIT))
    return f"""<!doctype html><html lang=en><meta charset=utf-8><title>Board</title>
<style>body{{font-family:sans-serif;margin:8px}} canvas{{width:100%;height:11em;border:1px solid #888}}
li{{padding:.2em;cursor:pointer}} li.on{{outline:2px solid #06c}} #menu{{position:fixed;background:#eee;color:#000;
border:1px solid #444;display:none}} #menu button{{display:block;width:8em}}</style>
<canvas id=pad aria-label=Drawing></canvas>
<p><label>Volume <input type=range id=volume min=0 max=100 value=20 style="width:60%"></label>
<ul id=list>{items}</ul><p id=words>Some longer text about orchards and harvests in autumn.</p>
<div id=menu role=menu><button role=menuitem onclick="pick('rename')">Rename</button>
<button role=menuitem onclick="pick('remove')">Remove</button></div>
<script>
const $ = i => document.getElementById(i), pad = $('pad'), hits = [], did = []; let on = '', target = '';
const marks = () => {{ const w = pad.clientWidth, h = pad.clientHeight, m = 16;
  return {{first: [2*m, 2*m], second: [5*m, 2*m], corner: [w-2*m, h-2*m], last: [w-5*m, h-2*m]}}; }};
const draw = () => {{ const r = devicePixelRatio, m = 16;
  pad.width = pad.clientWidth*r; pad.height = pad.clientHeight*r;
  const c = pad.getContext('2d'); c.scale(r, r); for (const [n, [x, y]] of Object.entries(marks())) {{
  c.fillStyle = hits.includes(n) ? '#c30' : '#39c'; c.beginPath(); c.arc(x, y, m*.9, 0, 7); c.fill(); }} }};
addEventListener('resize', draw); draw();
pad.onclick = e => {{ const b = pad.getBoundingClientRect(), m = 16;
  const x = e.clientX-b.left, y = e.clientY-b.top;
  const hit = Object.entries(marks()).find(([n, [a, c]]) => Math.hypot(a-x, c-y) < m*.9);
  hits.push(hit ? hit[0] : 'nothing'); draw(); }};
document.querySelectorAll('li').forEach(l => {{
  l.onclick = () => {{ on = l.textContent;
    document.querySelectorAll('li').forEach(o => o.className = o === l ? 'on' : ''); }};
  l.oncontextmenu = e => {{ e.preventDefault(); target = l.textContent; const m = $('menu');
    m.style.display = 'block'; m.style.left = e.clientX + 'px'; m.style.top = e.clientY + 'px'; }} }});
const pick = what => {{ did.push(what + ' ' + target); $('menu').style.display = 'none'; }};
const state = () => ({{hits, on, did, open: $('menu').style.display === 'block' ? target : '',
  volume: Math.round(+$('volume').value), marked: String(getSelection()).trim()}});{_TELL}</script>"""


_CANVAS_PAGE: Acts = (
    lambda p: p.click_mark("canvas", "first"),
    lambda p: p.click_mark("canvas", "corner"),
    lambda p: p.click_mark("canvas", "second"),
    lambda p: p.slide("slider", "Volume", 70),
    lambda p: p.click("static", "Plums"),
    lambda p: p.click("static", "Pears", button="right"),
    lambda p: p.click("menu item", "Rename"),
    lambda p: p.click_text("orchards", "harvests", times=2),
    lambda p: p.click("static", "Quinces", button="right"),
    lambda p: p.click("menu item", "Remove"),
)

# Held out ------------------------------------------------------------------------------------------------------------

_THINGS = ("Tent", "Boots", "Stove", "Map", "Rope")


def _yad_list(work: Work) -> list[str]:
    rows = [part for name in work.screen.rows(_THINGS) for part in ("FALSE", name)]
    return ["yad", "--list", "--checklist", "--title", "Packing", "--column=Take:CHK", "--column=Thing",
            "--width=300", "--height=280", *rows]  # fmt: skip


_YAD_LIST: Acts = (
    lambda p: p.click("table cell", "Stove"),
    lambda p: p.press("Space"),
    lambda p: p.click("table cell", "Boots"),
    lambda p: p.click("table cell", "", beside="Map"),
    lambda p: p.click("push button", "OK"),
)


_YAD_FORM_COMMAND: Final = (
    "yad", "--form", "--title", "Trip", "--field=Name", "--field=Window seat:CHK", "--field=Price:SCL",
    "--field=Class:CB", "--field=Remarks:TXT", "--width=360", "", "FALSE", "20", "first!second!third", "",
)  # fmt: skip


_YAD_FORM: Acts = (
    lambda p: p.type("Ada"),
    lambda p: p.click("check box", "Window seat", at=(0, 0.5)),
    lambda p: p.slide("slider", "", 60),
    lambda p: p.click("combo box", "first"),
    lambda p: p.click("menu item", "second"),
    lambda p: p.click("text", nth=0),
    lambda p: p.type("no smoking"),
    lambda p: p.click("push button", "OK"),
)


def _files(work: Work) -> list[str]:
    folder = work.folder / "files"
    folder.mkdir(exist_ok=True)
    names = ("report.txt", "letter.txt", "budget.txt", "photo.txt")
    # In another order: other files stand before and between them.
    more = ("almanac.txt", "car.txt", "maps.txt", "zoo.txt") if work.screen.reordered else ()
    for name in (*names, *more):
        (folder / name).touch()
    return ["pcmanfm-qt", str(folder)]


def _file_state(nodes: Sequence[Node], work: Work) -> State:
    extra = {"almanac.txt", "car.txt", "maps.txt", "zoo.txt"}
    return {
        "files": sorted(one.name for one in (work.folder / "files").iterdir() if one.name not in extra),
        "chosen": _named(nodes, "selected", "list item"),
        "menu": _named(nodes, "showing", "menu item")[:0],
        "dialogs": [n["name"] for n in nodes if n["role"] == "dialog"],
        "fields": [
            n["text"] for n in nodes if n["role"] == "text" and "editable" in n["states"] and "focused" in n["states"]
        ],
    }


_FILES: Acts = (
    lambda p: p.click("list item", "letter.txt", at=(0.5, 0.4)),
    lambda p: p.press("F2"),
    lambda p: p.press("Ctrl+A"),
    lambda p: p.type("answer.txt"),
    lambda p: p.press("Enter"),
    lambda p: p.click("list item", "budget.txt", at=(0.5, 0.4), button="right"),
    lambda p: p.press("Escape"),
    lambda p: p.click("list item", "photo.txt", at=(0.5, 0.4)),
    lambda p: p.click("list item", "report.txt", at=(0.5, 0.4), holding="Ctrl"),
)

PROGRAMS: Final = (
    Program(
        name="zenity", access="zenity", window="Order", command=_zenity_form, acts=_ZENITY, state=_form,
    ),
    Program(
        name="galculator", access="galculator", window="galculator", command=lambda _: ["galculator"], acts=_GALCULATOR,
        state=_galculator, has_rows=False,
    ),
    Program(
        name="featherpad", access="featherpad", window="notes.txt", command=_featherpad_command, acts=_FEATHERPAD,
        state=_featherpad, line_px=17,
    ),
    Program(
        name="page form", access="chromium", window="Customers", html=_form_page, acts=_FORM_PAGE,
        command=lambda w: ["chromium", *CHROMIUM_FLAGS, f"--user-data-dir={w.folder / 'profile'}"],
        state=lambda _, w: w.page.state if w.page else {},
    ),
    Program(
        name="page canvas", access="chromium", window="Board", html=_canvas_page, acts=_CANVAS_PAGE,
        command=lambda w: ["chromium", *CHROMIUM_FLAGS, f"--user-data-dir={w.folder / 'profile'}"],
        state=lambda _, w: w.page.state if w.page else {},
    ),
    Program(
        name="yad list", access="yad", window="Packing", command=_yad_list, acts=_YAD_LIST, state=_form, held_out=True,
    ),
    Program(
        name="yad form", access="yad", window="Trip", command=lambda _: list(_YAD_FORM_COMMAND),
        acts=_YAD_FORM, state=_form, has_rows=False,
        held_out=True,
    ),
    Program(
        name="pcmanfm-qt", access="pcmanfm", window="files", command=_files, acts=_FILES, state=_file_state,
    ),
)  # fmt: skip
