"""Programs to write with: editors, letters, notes, documents, with text areas of every size."""

from __future__ import annotations

from collections.abc import Callable

from lab.screens.web.controls import any_button, area, button, checkbox, field, select, text_input, tools
from lab.screens.web.maker import Maker
from lab.screens.web.markup import attributes, div, esc, span, tag, truth
from lab.screens.web.pages.coding import code_lines
from lab.screens.web.pages.windows import program_bar, window
from lab.screens.web.parts import row, status_bar, tabs, toolbar

_FORMATS = (
    "edit",
    "link",
    "image",
    "list",
    "attach",
    "undo",
    "redo",
    "print",
    "cut",
    "copy",
    "paste",
    "search",
    "more",
)
_PAPERS = (
    "background:#ffffff;color:#1a1a1a",
    "background:#fdf6e3;color:#40352a",
    "background:var(--field);color:var(--text)",
)
_FONTS = ("inherit", "inherit", "DejaVu Sans Mono, monospace", "DejaVu Serif, serif", "DejaVu Sans, sans-serif")


def writing_page(m: Maker) -> str:
    """One of the ways to write, in a window of its own or all over the screen."""
    make = m.rng.choice(_WAYS)
    inside = make(m)
    if m.width < 500 or m.chance(0.6):
        return div("x-fill", inside)
    width, height = m.rng.randint(m.width * 6 // 10, m.width - 12), m.rng.randint(m.height * 6 // 10, m.height - 12)
    place = (m.rng.randint(0, m.width - width), m.rng.randint(0, m.height - height), width, height)
    ground = m.rng.choice(("var(--panel)", "#2b5876", "#1d3b2a", "#5a3d5c", "#008080", "#3a6ea5", "#303030"))
    framed_ = window(m, title=m.words.file_name(), body=inside, place=place, front=m.chance(0.8))
    return div("", framed_, style=f"position:fixed;inset:0;background:{ground};overflow:hidden")


def _text(m: Maker, lines: int) -> str:
    """Lines as people write them: paragraphs, short lines, empty ones."""
    found: list[str] = []
    while len(found) < lines:
        kind = m.rng.random()
        if kind < 0.5:
            found.append(m.words.paragraph(m.rng.randint(1, 4)))
        elif kind < 0.8:
            found.append(m.rng.choice(("- ", "* ", "", "", "> ")) + m.words.short())
        else:
            found.append("")
    return "\n".join(found)


def plain_area(m: Maker, *, full: bool = True) -> str:
    """A bare text area in a font, ground and edge of its own; it fills its place, or is as large as it wants.

    Args:
        m: the page.
        full: whether it takes all the room there is.
    """
    wrap = m.chance(0.75)
    value = _text(m, m.rng.choice((1, 3, 8, 20, 60))) if m.chance(0.9) else ""
    hint = m.words.phrase() if not value and m.chance(0.7) else None
    edge = m.rng.choice(("0", "0", "1px solid var(--line)", "2px inset #ccc", "2px solid var(--accent)"))
    size = m.rng.choice((11, 12, 13, 14, 15, 16, 18, 22))
    place = (
        "flex:1;width:100%;min-height:40px"
        if full
        else f"width:{m.rng.randint(35, 100)}%;height:{m.rng.randint(40, 240)}px"
    )
    style = (
        f"{place};resize:{m.rng.choice(('none', 'none', 'both', 'vertical'))};border:{edge};margin:0;"
        f"box-sizing:border-box;padding:{m.rng.choice((1, 4, 8, 16))}px;"
        f"font-family:{m.rng.choice(_FONTS)};font-size:{size}px;"
        f"line-height:{m.rng.choice((1.15, 1.3, 1.5, 1.8))};max-width:none;{m.rng.choice(_PAPERS)}"
    )
    attrs = attributes(
        style=style, wrap=None if wrap else "off", placeholder=hint, disabled=m.chance(0.08), readonly=m.chance(0.1),
        spellcheck="false",
    )  # fmt: skip
    return f"<textarea{attrs}>{esc(value)}</textarea>"


def _notepad(m: Maker) -> str:
    strip = ""
    if m.chance(0.4):
        strip = tabs(m, labels=[m.words.file_name() for _ in range(m.rng.randint(1, 5))], active=0)
    position = f"{m.rng.randint(1, 400)}:{m.rng.randint(1, 90)}"
    foot = status_bar(m, words=["UTF-8", position, m.words.phrase()]) if m.chance(0.6) else ""
    return program_bar(m) + strip + div("x-grow", plain_area(m), style=_COLUMN) + foot


_COLUMN = "display:flex;flex-direction:column;min-height:0;min-width:0"


def _two_editors(m: Maker) -> str:
    """Two texts side by side or one below the other, as programs compare them."""
    makers: tuple[Callable[[Maker], str], ...] = (code_lines, plain_area)
    make = m.rng.choice(makers)
    way = "row" if m.width > 700 and m.chance(0.7) else "column"
    halves = [
        div("x-grow", div("x-small x-pad", esc(m.words.file_name())), make(m), style=f"{_COLUMN};flex-basis:0")
        for _ in range(2)
    ]
    pair = div("x-grow", *halves, style=f"display:flex;flex-direction:{way};min-height:0;gap:{m.rng.choice((1, 6))}px")
    return toolbar(tools(m, icons=m.rng.sample(_FORMATS, 6))) + pair


def _letter(m: Maker) -> str:
    """A letter that is being written: to whom, about what, and its text."""
    words = m.words
    lines = [field(m, label=words.label(), control=text_input(m, value=words.email()))]
    lines.append(field(m, label=words.label(), control=text_input(m, value=words.phrase() if m.chance(0.7) else "")))
    ends = div("x-wrap", button(m, label=words.command("send") or words.verb(), kind="primary", icon="send"),
               any_button(m), tools(m, icons=m.rng.sample(_FORMATS, 3), apart=0), style="padding:6px")  # fmt: skip
    bar = toolbar(tools(m, icons=m.rng.sample(_FORMATS, min(len(_FORMATS), m.width // 70))))
    middle = div("x-grow", plain_area(m), style=_COLUMN)
    order = (ends, *lines, bar, middle) if m.chance(0.4) else (*lines, bar, middle, ends)
    return div("x-grow x-pad", *order, style=_COLUMN)


def _notes(m: Maker) -> str:
    """Notes in a list, one of them open."""
    chosen = m.rng.randrange(5)
    made = ""
    for i in range(max(3, m.height // 60)):
        first = div("x-one x-strong", esc(m.words.phrase()))
        second = div("x-one x-small x-muted", esc(m.words.date()))
        made += row(m, on=i == chosen, lined=True, content=div("x-grow", first, second))
    side = div("x-side x", tag("div", made, role="listbox"), style=f"--side:{m.rng.randint(160, 280)}px")
    head = toolbar(tools(m, icons=m.rng.sample(_FORMATS, 5)))
    title = text_input(m, value=m.words.phrase()) if m.chance(0.6) else ""
    right = div("x-grow", head, title, plain_area(m), style=_COLUMN)
    return div("x-body", side if m.width > 480 else "", right)


def _paper(m: Maker) -> str:
    """A document as it will be printed, on a desk: the sheet of paper is what is written on."""
    width = m.rng.randint(300, max(301, min(820, m.width - 60)))
    paragraphs = "".join(
        tag("p", esc(m.words.paragraph(m.rng.randint(2, 6))), style="margin:.6em 0")
        if m.chance(0.8)
        else tag("h2", esc(m.words.phrase()))
        for _ in range(m.rng.randint(2, 12))
    )
    pad, side = m.rng.choice((20, 40, 70)), m.rng.choice(("left", "left", "justify"))
    style = (
        f"width:{width}px;margin:{m.rng.choice((0, 14, 30))}px auto;padding:{pad}px;box-sizing:border-box;"
        f"{m.rng.choice(_PAPERS)};box-shadow:0 1px 5px #0006;height:{m.rng.randint(90, 165)}%;overflow:hidden;"
        f"text-align:{side};font-family:{m.rng.choice(_FONTS)}"
    )
    told = truth("text_area", focused=False, disabled=False)
    sheet = div("", paragraphs, style=style, extra=told)
    fonts = select(m, options=["DejaVu Sans", "Serif", "Liberation Mono"], chosen=0)
    sizes = select(m, options=["9", "10", "11", "12", "14", "18"], chosen=2)
    bar = toolbar(div("", fonts, style="width:140px"), div("", sizes, style="width:64px"), tools(m, icons=_FORMATS[:7]))
    desk = div("x-scroll x-grow", sheet, style="background:rgba(128,128,128,.28)")
    return program_bar(m) + bar + desk + status_bar(m, words=[m.words.percent(), m.words.number()])


def _code(m: Maker) -> str:
    strip = tabs(m, labels=[m.words.file_name() for _ in range(m.rng.randint(1, 6))], active=0)
    foot = status_bar(m, words=["main", "UTF-8", "LF", m.words.percent()]) if m.chance(0.6) else ""
    top = program_bar(m) if m.chance(0.6) else ""
    return top + strip + div("x-grow", code_lines(m), style=_COLUMN) + foot


def _comments(m: Maker) -> str:
    """Several areas below each other, as forms and talks have them."""
    parts: list[str] = [tag("h2", esc(m.words.phrase()))]
    for _ in range(m.rng.randint(2, 5)):
        named = tag("b", esc(m.words.label()))
        drawn = plain_area(m, full=False)
        if m.chance(0.3):
            drawn = area(m, value=_text(m, 3), rows=m.rng.randint(2, 9))
        words = span("x-small x-muted", esc(m.words.sentence())) if m.chance(0.4) else ""
        more = checkbox(m, label=m.words.setting(), on=m.chance(0.5)) if m.chance(0.2) else ""
        parts.append(div("", div("", named), drawn, div("", words), more, style="margin:8px 0"))
    parts.append(div("x-wrap", any_button(m, kind="primary"), any_button(m)))
    return div("x-scroll x-grow x-pad", *parts)


_WAYS: tuple[Callable[[Maker], str], ...] = (
    _notepad, _notepad, _two_editors, _two_editors, _letter, _notes, _paper, _paper, _code, _code, _code,
    _comments, _comments,
)  # fmt: skip
