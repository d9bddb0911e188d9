"""Pages to read: articles, manuals, help, with links in the text and a table of contents."""

from __future__ import annotations

from lab.screens.web.controls import any_button, link, text_input, tool
from lab.screens.web.maker import Maker
from lab.screens.web.markup import div, esc, span, tag
from lab.screens.web.parts import alert, badge, table, tabs
from lab.screens.web.pictures import picture


def wiki_page(m: Maker) -> str:
    """An article."""
    sections = "".join(_section(m, i) for i in range(m.rng.randint(2, 5)))
    crumbs = _crumbs(m) if m.chance(0.5) else ""
    strip = tabs(m, labels=m.words.several(m.words.locale.menus, 3)) if m.chance(0.3) else ""
    head = tag("h1", esc(m.words.thing())) + div("x-small x-muted", esc(m.words.name()), " · ", esc(m.words.date()))
    marks = div("x-wrap", *(badge(m, text=m.words.status()) for _ in range(3))) if m.chance(0.3) else ""
    body = div("x-grow", crumbs, strip, head, marks, tag("p", _linked(m, 4)), sections, _foot(m))
    contents = _contents(m) if m.width > 760 and m.chance(0.7) else ""
    parts = (contents, body) if m.chance(0.6) else (body, contents)
    justify = "text-align:justify" if m.chance(0.15) else ""
    measure = m.rng.choice((640, 800, 1000, 1400))
    inside = div("", *parts, style="display:flex;gap:24px;align-items:flex-start;" + justify)
    return _head(m) + tag("main", inside, class_="x-page", style=f"--measure:{measure}px")


def _head(m: Maker) -> str:
    if m.chance(0.3):
        return ""
    places = "".join(span("", link(m, text=one)) for one in m.words.several(m.words.locale.folders, 4))
    search = div("", text_input(m, hint=m.words.command("search") or "", kind="search"), style="width:200px")
    return div(
        "x-bar", tag("b", esc(m.words.city())), places, span("x-end x-row", search), style="gap:14px;padding:8px 14px"
    )


def _crumbs(m: Maker) -> str:
    words = m.words.several(m.words.locale.folders, m.rng.randint(2, 4))
    sign = m.habit("crumb", " / ", " > ", " - ")
    return div("x-small", sign.join(link(m, text=one) for one in words), sign, esc(m.words.thing()))


def _linked(m: Maker, sentences: int) -> str:
    """Sentences of which some words lead elsewhere or are strong."""
    made: list[str] = []
    for _ in range(sentences):
        parts = m.words.sentence().split(" ")
        if len(parts) > 6 and m.chance(0.4):
            at = m.rng.randrange(1, len(parts) - 3)
            many = m.rng.randint(1, 3)
            inside = " ".join(parts[at : at + many])
            name = link(m, text=inside) if m.chance(0.75) else tag(m.rng.choice(("b", "i", "em")), esc(inside))
            made.append(" ".join([*map(esc, parts[:at]), name, *map(esc, parts[at + many :])]))
        else:
            made.append(esc(" ".join(parts)))
    return " ".join(made)


def _section(m: Maker, number: int) -> str:
    rng, words = m.rng, m.words
    count = f"{number + 1}. " if m.habit("numbers", "y", "n", "n") == "y" else ""
    own = (
        span("x-small", " [", link(m, text=words.command("edit") or "edit"), "]")
        if m.habit("edits", "y", "n", "n") == "y"
        else ""
    )
    title = tag(m.rng.choice(("h2", "h2", "h3")), esc(count + words.thing()), own)
    paragraphs = [tag("p", _linked(m, rng.randint(2, 5))) for _ in range(rng.randint(1, 2))]
    kind = rng.choice(("", "", "list", "table", "picture", "code", "note"))
    more = ""
    if kind == "list":
        entries = "".join(tag("li", _linked(m, 1)) for _ in range(rng.randint(2, 6)))
        more = tag(rng.choice(("ul", "ol")), entries)
    elif kind == "table":
        lines = [[esc(words.thing()), esc(words.number()), esc(words.city())] for _ in range(rng.randint(2, 5))]
        more = table(m, heads=[words.heading() for _ in range(3)], body=lines, extra="x-table" if m.kit.own else "")
    elif kind == "picture":
        image = picture(m, width=rng.choice((180, 260, 340)), height=rng.choice((120, 160, 200)))
        side = rng.choice(("float:right;margin:0 0 8px 14px", "float:left;margin:0 14px 8px 0", ""))
        paragraphs.insert(0, div("", image, div("x-small x-muted", esc(words.phrase())), style=side))
    elif kind == "code":
        code = "\n".join(rng.sample(_CODE, rng.randint(2, 5)))
        more = tag("pre", tag("code", esc(code)), class_="x-code x-panel x-pad", style="overflow:auto")
    elif kind == "note":
        more = alert(m, text=words.sentence(), icon=rng.choice(("info", "warning", "help")))
    return title + "".join(paragraphs) + more


_CODE = (
    "import sys", "pip install example", "for row in rows:", "    total += row.price", "def main() -> int:",
    "    return 0",
    "git clone https://example.com/a.git", "SELECT name, city FROM guests;", "cd projects && make test",
    "x = 3 * (y + 1)",
    "$ ls -la /home", 'print("hello")', "<a href='/start'>Start</a>", "{ \"size\": 12 }", "npm run build",
)  # fmt: skip


def _contents(m: Maker) -> str:
    entries = m.words.several(m.words.locale.things, m.rng.randint(4, 9))
    made = [
        div("", link(m, text=f"{i + 1} {one}"), style=f"margin:4px 0 4px {m.rng.choice((0, 0, 14))}px")
        for i, one in enumerate(entries)
    ]
    title = tag("h4", esc(m.words.label()))
    return div(m.rng.choice(("x-panel x-pad", "")), title, *made, style="width:190px;flex:none")


def _foot(m: Maker) -> str:
    ends = "".join(
        tool(m, icon=one) for one in m.rng.sample(("like", "share", "bookmark", "print", "chat", "retweet"), 3)
    )
    return div("x-wrap", any_button(m), any_button(m), span("x-end x-row", ends), style="margin:20px 0;clear:both")
