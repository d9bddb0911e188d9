"""What opens above a page: menus, drop-down lists, dialogs, date pickers, tooltips, messages.

Each is part of the page from the start, hidden, and shown by a moment (``moments.js``).
"""

from __future__ import annotations

from collections.abc import Sequence

from lab.screens.web.controls import any_control, button, checkbox, radios, select, text_input, tool
from lab.screens.web.icons import sign
from lab.screens.web.maker import Maker
from lab.screens.web.markup import attributes, esc, span, tag, truth
from lab.screens.web.parts import row

_KEYS = ("Ctrl+S", "Ctrl+C", "Ctrl+V", "Ctrl+Z", "F2", "F5", "Del", "Alt+F4", "Ctrl+Shift+N", "Ctrl+P", "Enter", "⌘K")


def _add(m: Maker, kind: str, inside: str, *, names: str, style: str = "", extra: str = "") -> str:
    own = m.new_id()
    attrs = attributes(id=own, class_=f"{names} x-hidden", style=style or None, data_popup=kind)
    m.popups.append(f"<div{attrs}{extra}>{inside}</div>")
    return own


def menu(m: Maker, *, entries: Sequence[tuple[str | None, str]], ticks: bool = False) -> str:
    """A menu of rows; returns its id.

    Args:
        m: the page.
        entries: an icon's subtype or None, and a word.
        ticks: some rows are ticked.
    """
    pictures = m.habit("menu_icons", "y", "n", "n") == "y"
    made: list[str] = []
    chosen = m.rng.randrange(len(entries)) if m.chance(0.7) else None
    for i, (icon, word) in enumerate(entries):
        if i and m.chance(0.2):
            made.append("<hr>")
        front = ""
        if pictures and not ticks:
            front = m.icons.draw(icon, size=16) if icon else span("", style="width:16px")
        made.append(_entry(m, word=word, front=front, on=i == chosen, ticks=ticks))
    return _add(m, "menu", "".join(made), names="x-menu", extra=' role="menu"')


def _entry(m: Maker, *, word: str, front: str, on: bool, ticks: bool) -> str:
    """A row of a menu: a tick or picture, the word, and a shortcut or the way to another menu."""
    tick = m.chance(0.4) if ticks else None
    if ticks:
        front = span("", sign("check", size=12) if tick else "", style="width:1em")
    more = m.chance(0.1)
    end = ""
    if more:
        end = span("x-end", sign("right"))
    elif m.habit("menu_keys", "y", "n") == "y" and m.chance(0.6):
        end = tag("kbd", m.rng.choice(_KEYS))
    opened = False if more else None
    content = f"{front}<span>{esc(word)}</span>{end}"
    return row(m, content=content, role="menuitem", on=on, off=m.chance(0.1), checked=tick, opened=opened)


def some_menu(m: Maker, *, count: int | None = None) -> str:
    """A menu of commands by chance; returns its id."""
    number = count or m.rng.randint(3, 11)
    entries: list[tuple[str | None, str]] = [*m.words.several(sorted(m.words.locale.commands.items()), number)]
    entries = [e if m.chance(0.7) else (None, m.words.verb()) for e in entries]
    return menu(m, entries=entries, ticks=m.chance(0.2))


def choices(m: Maker, *, options: Sequence[str], chosen: int = 0) -> str:
    """The opened list of a drop-down that is not the browser's own; returns its id."""
    made = [row(m, content=esc(o), role="menuitem", on=i == chosen) for i, o in enumerate(options)]
    return _add(m, "list", "".join(made), names="x-menu", extra=' role="listbox"')


def dialog(m: Maker, *, title: str, body: str, buttons: Sequence[str], width: int = 420) -> str:
    """A window above the page, which is dimmed or not; returns its id."""
    bare = m.habit("dialog_title", "bar", "plain", "plain", "none")
    cross = f'<span class="x-end">{tool(m, icon="close", size=16, framed=False)}</span>' if m.chance(0.7) else ""
    heading = (
        "" if bare == "none" else f'<div class="x-title" style="padding:8px 12px">{tag("b", esc(title))}{cross}</div>'
    )
    if bare == "plain":
        heading = (
            f'<div class="x-row" style="padding:14px 16px 0">{tag("h3", esc(title), style="margin:0")}{cross}</div>'
        )
    side = m.habit("dialog_buttons", "flex-end", "flex-start", "center")
    foot = f'<div class="x-wrap" style="padding:12px 16px;justify-content:{side}">{"".join(buttons)}</div>'
    inside = f'{heading}<div style="padding:12px 16px">{body}</div>{foot}'
    left = max(0, (m.width - width) // 2 + m.rng.randint(-40, 40))
    top = m.rng.randint(10, max(11, m.height // 4))
    style = f"left:{left}px;top:{top}px;width:{min(width, m.width - 8)}px"
    scrim = m.rng.choice(("rgba(0,0,0,.5)", "rgba(0,0,0,.35)", "rgba(255,255,255,.45)", "rgba(20,30,60,.4)", ""))
    return _add(
        m,
        "dialog",
        inside,
        names="x-dialog",
        style=style,
        extra=attributes(data_scrim=scrim) + truth("dialog"),
    )


def some_dialog(m: Maker) -> str:
    """A question, a warning or a small form; returns its id."""
    words, rng = m.words, m.rng
    kind = rng.choice(("confirm", "form", "choice", "message"))
    okay = button(m, label=words.verb(), kind="primary")
    other = button(m, label=words.verb(), kind=rng.choice(("", "quiet", "danger")))
    buttons = [okay, other] if m.chance(0.5) else [other, okay]
    if kind == "confirm":
        icon = m.icons.draw(rng.choice(("warning", "help", "info", "error", "delete")), size=rng.choice((24, 32, 48)))
        body = f'<div class="x-row"><span>{icon}</span><div>{esc(words.sentence())}</div></div>'
    elif kind == "form":
        body = "".join(any_control(m) for _ in range(rng.randint(1, 4)))
    elif kind == "choice":
        options = words.several(words.locale.settings, rng.randint(2, 4))
        marks = radios(m, labels=options, chosen=rng.randrange(len(options))) if m.chance(0.5) else "".join(
            checkbox(m, label=o, on=m.chance(0.5)) for o in options
        )  # fmt: skip
        body = f'<p>{esc(words.phrase())}</p><div class="x-col">{marks}</div>'
    else:
        body = f"<p>{esc(words.paragraph(2))}</p>"
        buttons = [okay]
    return dialog(m, title=words.phrase(), body=body, buttons=buttons, width=rng.choice((300, 360, 420, 480, 600)))


def date_picker(m: Maker) -> str:
    """A month to choose a day from; returns its id."""
    words, rng = m.words, m.rng
    head = (
        f'<div class="x-row">{tool(m, icon="left", size=16)}<b style="flex:1;text-align:center">'
        f"{esc(rng.choice(words.locale.months))} {rng.randint(2020, 2027)}</b>{tool(m, icon='right', size=16)}</div>"
    )
    if m.chance(0.3):
        months = select(m, options=words.locale.months, chosen=rng.randrange(12))
        years = text_input(m, value=str(rng.randint(1990, 2027)))
        head = f'<div class="x-row">{months}<span style="width:90px">{years}</span></div>'
    start, today = rng.randint(0, 6), rng.randint(1, 28)
    heads = "".join(tag("th", esc(day), style="padding:3px 6px") for day in words.locale.days)
    cells: list[str] = []
    for week in range(6):
        line = "".join(_day(week * 7 + i - start + 1, today) for i in range(7))
        cells.append(f"<tr>{line}</tr>")
    body = (
        f'<table style="width:100%;text-align:center;border-collapse:collapse"><tr>{heads}</tr>{"".join(cells)}</table>'
    )
    return _add(m, "picker", head + body, names="x-menu", style="padding:8px;width:270px")


def _day(number: int, today: int) -> str:
    if not 1 <= number <= 30:
        return "<td></td>"
    ground = ";background:var(--accent);color:var(--on-accent)" if number == today else ""
    told = truth(highlighted=True) if number == today else ""
    return tag("td", span("", str(number), extra=told), style=f"padding:4px 6px{ground}")


def tooltip(m: Maker) -> str:
    """A short explanation; returns its id."""
    text = m.words.phrase() if m.chance(0.8) else m.words.sentence()
    return _add(m, "tip", esc(text), names="x-tip")


def toast(m: Maker) -> str:
    """A message in a corner, with a way to undo or to close; returns its id."""
    end = (
        tool(m, icon="close", size=14, framed=False) if m.chance(0.6) else button(m, label=m.words.verb(), kind="quiet")
    )
    icon = m.icons.draw(m.rng.choice(("info", "warning", "bell", "mail")), size=18) if m.chance(0.5) else ""
    return _add(m, "toast", f"{icon}<span>{esc(m.words.phrase())}</span>{end}", names="x-toast")
