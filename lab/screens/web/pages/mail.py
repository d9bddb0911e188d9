"""A mail client: folders, the list of letters, the letter that is read."""

from __future__ import annotations

from lab.screens.web.controls import button, checkbox, text_input, tool, tools
from lab.screens.web.maker import Maker
from lab.screens.web.markup import div, esc, span, tag
from lab.screens.web.parts import badge, row, rows, toolbar
from lab.screens.web.pictures import avatar
from lab.screens.web.popups import some_menu

_PLACES = (
    "mail",
    "send",
    "edit",
    "warning",
    "folder",
    "delete",
    "star",
    "file",
    "download",
    "image",
    "folder",
    "folder",
)
_DEEDS = ("reply", "forward", "delete", "important", "flag", "print", "more", "mail", "refresh", "folder", "bookmark")


def mail_page(m: Maker) -> str:
    """Three panes, or two, or the list alone in a small window."""
    rng, words = m.rng, m.words
    places = words.several(words.locale.folders, rng.randint(5, 11))
    icons = m.habit("place_icons", "y", "y", "n") == "y"
    entries = [(_PLACES[i % len(_PLACES)] if icons else None, place) for i, place in enumerate(places)]
    compose = button(m, label=words.command("new") or "+", kind="primary", icon="edit" if m.chance(0.5) else None)
    side = div("x-side x", compose, div("", style="height:8px"), rows(m, entries=entries, active=0, count=True))
    search = text_input(m, hint=words.command("search") or "...", kind="search")
    front = tool(m, icon="menu") if m.chance(0.6) else ""
    head = f'<div class="x-bar">{front}<b>{esc(rng.choice(("Mail", words.folder())))}</b>'
    head += f'<div class="x-grow" style="max-width:420px">{search}</div>'
    more = tools(m, icons=rng.sample(("settings", "help", "bell", "refresh", "user"), 3))
    head += span("x-end x-row", more) + "</div>"
    wide = m.width >= 900
    letters = _letters(m, width="330px" if wide else "auto")
    reading = _letter(m) if wide else ""
    return (
        f'<div class="x-fill">{head}<div class="x-body">{side if m.width > 560 else ""}{letters}{reading}</div></div>'
    )


def _letters(m: Maker, *, width: str) -> str:
    bar = toolbar(tools(m, icons=m.rng.sample(_DEEDS, 4)))
    chosen = m.rng.randrange(6)
    style = m.habit("letters", "lines", "lines", "one")
    made = "".join(
        _entry(m, on=i == chosen, lines=style == "lines") for i in range(m.height // (64 if style == "lines" else 30))
    )
    flex = "flex:1" if width == "auto" else f"width:{width};flex:none"
    style = f"{flex};display:flex;flex-direction:column;min-height:0;min-width:0;border-right:1px solid var(--line)"
    return div("", bar, div("x-scroll x-grow", made, role="listbox"), style=style)


def _entry(m: Maker, *, on: bool, lines: bool) -> str:
    words = m.words
    name, unread = words.name(), m.chance(0.3)
    box = checkbox(m, label="", on=on) if m.habit("letter_box", "y", "n") == "y" else ""
    star = m.icons.draw("star", size=16) if m.habit("letter_star", "y", "n", "n") == "y" else ""
    face = avatar(m, name=name, size=32) if m.habit("letter_face", "y", "n") == "y" and lines else ""
    weight = "font-weight:700" if unread else ""
    if not lines:
        content = (
            f'{box}{star}<span class="x-one" style="width:130px;flex:none;{weight}">{esc(name)}</span>'
            f'<span class="x-one x-grow" style="{weight}">{esc(words.phrase())}</span>'
            f'<span class="x-small x-muted">{esc(words.time())}</span>'
        )
        return row(m, content=content, on=on, lined=True)
    clip = f" {m.icons.draw('attach', size=14)}" if m.chance(0.2) else ""
    content = (
        f'{box}{face}<div class="x-grow"><div class="x-row"><span class="x-one" style="{weight}">{esc(name)}</span>'
        f'<span class="x-end x-small x-muted" style="flex:none">{esc(words.time())}</span></div>'
        f'<div class="x-row"><span class="x-one x-grow" style="{weight}">{esc(words.phrase())}</span>{clip}</div>'
        f'<div class="x-one x-small x-muted">{esc(words.sentence())}</div></div>{star}'
    )
    return row(m, content=content, on=on, lined=True)


def _letter(m: Maker) -> str:
    words, name = m.words, m.words.name()
    bar = toolbar(tools(m, icons=m.rng.sample(_DEEDS, 6)), tool(m, icon="more", pop=some_menu(m)))
    face = avatar(m, name=name, size=40)
    mark = badge(m, text=words.status()) if m.chance(0.4) else ""
    address = span("x-muted", f"&lt;{esc(words.email())}&gt;")
    sender = div("x-grow", tag("b", esc(name)), " ", address, div("x-small x-muted", esc(words.date())))
    head = div("x-row", tag("h2", esc(words.phrase())), mark) + div("x-row", face, sender)
    body = "".join(tag("p", esc(words.paragraph(m.rng.randint(1, 3)))) for _ in range(m.rng.randint(1, 5)))
    files = ""
    if m.chance(0.4):
        chips = "".join(
            f'<span class="x-chip">{m.icons.draw("attach", size=14)}<span>{esc(words.file_name())}</span></span>'
            for _ in range(m.rng.randint(1, 3))
        )
        files = f'<div class="x-wrap">{chips}</div>'
    ends = [
        button(m, label=words.command(one) or one, icon=one if m.chance(0.5) else None) for one in ("reply", "forward")
    ]
    foot = div("x-wrap", *ends, style="margin-top:12px")
    letter = div("x-scroll x-grow x-pad", head, body, files, foot)
    return div("", bar, letter, style="flex:1;display:flex;flex-direction:column;min-width:0;min-height:0")
