"""Controls in every state: greyed, ticked, chosen, opened, marked as wrong, in panels side by side."""

from __future__ import annotations

from collections.abc import Callable

from lab.screens.web.controls import (
    area,
    button,
    checkbox,
    field,
    radios,
    select,
    slider,
    spinner,
    text_input,
    toggle,
    tool,
)
from lab.screens.web.icons import sign
from lab.screens.web.maker import Maker
from lab.screens.web.markup import div, esc, span, tag, truth
from lab.screens.web.parts import card, menubar, row, tabs, tree
from lab.screens.web.popups import some_menu

_OFF = 0.33
"""Share of greyed controls; elsewhere they are rare."""


def switches_page(m: Maker) -> str:
    """Panels of controls of one kind each."""
    columns = max(1, m.width // m.rng.choice((240, 300, 380)))
    count = columns * max(1, m.height // 200)
    makers = [m.rng.choice(_PANELS) for _ in range(count)]
    made = "".join(_panel(m, make) for make in makers)
    bar = menubar(words=m.words.menus(5), pops=[some_menu(m) for _ in range(5)]) if m.chance(0.4) else ""
    style = f"column-count:{columns};column-gap:{m.rng.choice((6, 12, 20))}px;padding:8px;flex:1"
    return div("x-fill", bar, div("x-scroll x", made, style=style))


def _panel(m: Maker, make: Callable[[Maker], str]) -> str:
    inside = make(m)
    manner = m.habit("panel", "card", "box", "plain", "card")
    title = m.words.label()
    style = "break-inside:avoid;margin-bottom:10px;position:relative"
    if manner == "card":
        return div("", card(m, title=title, content=inside), style=style)
    if manner == "box":
        return tag("fieldset", tag("legend", esc(title)), inside, style=style)
    return div("", tag("h4", esc(title), style="margin:4px 0"), inside, style=style)


def _checks(m: Maker) -> str:
    make = m.rng.choice((checkbox, checkbox, toggle))
    marks = [
        div("", make(m, label=one, on=m.chance(0.5), disabled=m.chance(_OFF)), style="margin:3px 0")
        for one in m.words.several(m.words.locale.settings, m.rng.randint(3, 7))
    ]
    return "".join(marks)


def _radios(m: Maker) -> str:
    found: list[str] = []
    for _ in range(m.rng.randint(1, 3)):
        options = m.words.several(m.words.locale.statuses, m.rng.randint(2, 4))
        marks = radios(m, labels=options, chosen=m.rng.randrange(len(options)), disabled=m.chance(_OFF))
        found.append(div("x-wrap" if m.chance(0.5) else "x-col", marks, style="margin:5px 0"))
    return "".join(found)


def _buttons(m: Maker) -> str:
    made: list[str] = []
    for _ in range(m.rng.randint(4, 9)):
        kind = m.rng.choice(("", "", "primary", "danger", "quiet"))
        meaning, word = m.words.any_command()
        icon = meaning if m.chance(0.3) else None
        made.append(button(m, label=word, kind=kind, icon=icon, disabled=m.chance(_OFF)))
    return div("x-wrap", *made)


def _segments(m: Maker) -> str:
    """Buttons joined to a bar, one or several of them held down."""
    made: list[str] = []
    for _ in range(m.rng.randint(1, 3)):
        words = m.words.several(m.words.locale.statuses, m.rng.randint(2, 4))
        down = m.rng.randrange(len(words))
        several = m.chance(0.3)
        inside = "".join(_segment(m, one, down=m.chance(0.5) if several else i == down) for i, one in enumerate(words))
        frame = f"display:inline-flex;border:1px solid var(--line);border-radius:{m.look.radius}px;overflow:hidden"
        made.append(div("", div("", inside, style=frame)))
    return "".join(made)


def _segment(m: Maker, word: str, *, down: bool) -> str:
    off = m.chance(0.15)
    ground = "background:var(--accent);color:var(--on-accent)" if down else "background:var(--field);color:var(--text)"
    edge = "border:0;border-right:1px solid var(--line);border-radius:0;padding:4px 12px"
    style = f"{edge};{ground};opacity:{0.4 if off else 1}"
    told = truth("button", checked=down, disabled=off)
    return tag("button", esc(word), type="button", class_="x-tool", style=style, disabled=off, extra=told)


def _fields(m: Maker) -> str:
    made: list[str] = []
    for _ in range(m.rng.randint(2, 4)):
        label, own, bad, off = m.words.label(), m.new_id(), m.chance(0.2), m.chance(_OFF)
        value, hint = (m.words.value(label), "") if m.chance(0.6) else ("", m.words.phrase() if m.chance(0.6) else "")
        kind = m.rng.choice(("text", "text", "text", "password", "search", "date"))
        if kind == "date" and value:
            value = "2025-03-09"
        control = text_input(m, value=value, hint=hint, kind=kind, disabled=off, id_=own, bad=bad)
        note = m.words.phrase() if bad else ""
        made.append(field(m, label=label, control=control, id_=own, note=note, bad=bad))
    return "".join(made)


def _areas(m: Maker) -> str:
    made: list[str] = []
    for _ in range(m.rng.randint(1, 2)):
        value = m.words.paragraph(m.rng.randint(1, 5)) if m.chance(0.75) else ""
        rows = m.rng.randint(2, 8)
        made.append(area(m, value=value, hint=m.words.phrase(), rows=rows, disabled=m.chance(_OFF)))
    return "".join(made)


def _choices(m: Maker) -> str:
    made: list[str] = []
    for _ in range(m.rng.randint(2, 4)):
        options = m.words.several(m.words.locale.things, m.rng.randint(3, 6))
        if m.chance(0.5):
            made.append(div("", select(m, options=options, chosen=1, disabled=m.chance(_OFF)), style="margin:4px 0"))
        else:
            made.append(combo(m, options=options, opened=m.chance(0.35), off=m.chance(0.25)))
    made += [div("", spinner(m, value=m.words.number(99), disabled=m.chance(_OFF))) for _ in range(m.rng.randint(0, 2))]
    return "".join(made)


def combo(m: Maker, *, options: list[str], opened: bool, off: bool) -> str:
    """A drop-down that is drawn by the page: the chosen word, an arrow, and its list below when it is open."""
    off = off and not opened
    manner = m.habit("combo", "field", "field", "button", "line")
    frame = {
        "field": "border:1px solid var(--line);background:var(--field)",
        "button": "border:1px solid var(--line);background:var(--panel);box-shadow:0 1px 2px #0004",
        "line": "border:0;border-bottom:2px solid var(--line);background:none",
    }[manner]
    arrow = m.habit("combo_arrow", "sign", "icon")
    end = sign("down", size=10) if arrow == "sign" else m.icons.draw("down", size=14)
    words = span("x-one x-grow", esc(options[0]))
    style = (
        f"display:flex;gap:8px;align-items:center;padding:{m.look.pad}px 8px;border-radius:{m.look.radius}px;"
        f"width:180px;box-sizing:border-box;color:var(--text);{frame};opacity:{0.4 if off else 1};margin:4px 0"
    )
    told = truth("dropdown", expanded=opened, disabled=off, focused=False)
    box = div("", words, end, style=style, extra=told, role="combobox")
    if not opened:
        return box
    on = m.rng.randrange(len(options))
    rows_ = [row(m, content=esc(one), role="menuitem", on=i == on) for i, one in enumerate(options)]
    down = "position:absolute;left:0;top:100%;width:180px;z-index:5;box-sizing:border-box;margin-top:-3px"
    return div("", box, div("x-menu", *rows_, style=down), style="position:relative;width:180px")


def _sliders(m: Maker) -> str:
    lines: list[str] = []
    for one in m.words.several(m.words.locale.settings, m.rng.randint(2, 5)):
        moved = slider(m, value=m.rng.randint(0, 100), disabled=m.chance(_OFF))
        lines.append(div("x-row", span("x-one", esc(one), style="width:90px"), moved))
    return "".join(lines)


def _tab_strips(m: Maker) -> str:
    return "".join(
        div("", tabs(m, labels=m.words.several(m.words.locale.folders, m.rng.randint(2, 4)), active=m.rng.randrange(2)),
            style="margin:5px 0")
        for _ in range(m.rng.randint(1, 3))
    )  # fmt: skip


def _rows(m: Maker) -> str:
    names = m.words.several(m.words.locale.folders, m.rng.randint(4, 9))
    made = [row(m, content=esc(one), on=m.chance(0.3), off=m.chance(0.2)) for one in names]
    return tag("div", *made, class_="x-list", role="listbox")


def _branches(m: Maker) -> str:
    entries: list[tuple[int, str, bool | None, str]] = []
    for _ in range(m.rng.randint(2, 4)):
        opened = m.chance(0.5)
        entries.append((0, m.words.folder(), opened, "folder"))
        if opened:
            entries.extend((1, m.words.thing(), m.chance(0.4) if m.chance(0.3) else None, "file") for _ in range(3))
    return tree(m, entries=entries, active=m.rng.randrange(len(entries)))


def open_menu(m: Maker) -> str:
    """A menu that stands open among the rest: ticked, greyed and chosen entries, some that lead on."""
    made: list[str] = []
    for meaning, word in m.words.several(sorted(m.words.locale.commands.items()), m.rng.randint(4, 9)):
        tick = m.chance(0.5) if m.chance(0.3) else None
        front = span("", sign("check", size=12) if tick else "", style="width:1em;flex:none")
        if tick is None and m.chance(0.3):
            front = m.icons.draw(meaning, size=16)
        more = m.chance(0.15)
        end = span("x-end", sign("right")) if more else ""
        on, off = m.chance(0.15), m.chance(0.3)
        content = f"{front}<span>{esc(word)}</span>{end}"
        opened = False if more else None
        made.append(row(m, content=content, role="menuitem", on=on, off=off, checked=tick, opened=opened))
    style = "position:static;display:inline-block;max-height:none"
    return tag("div", *made, class_="x-menu", role="menu", style=style)


def _tool_switches(m: Maker) -> str:
    made = [
        tool(m, icon=meaning, pressed=m.chance(0.5), disabled=m.chance(_OFF), framed=m.chance(0.5))
        for meaning, _ in m.words.several(sorted(m.words.locale.commands.items()), m.rng.randint(5, 12))
    ]
    return div("x-wrap", *made)


_PANELS: tuple[Callable[[Maker], str], ...] = (
    _checks, _checks, _radios, _radios, _buttons, _segments, _fields, _areas, _choices, _choices, _sliders,
    _tab_strips, _rows, _branches, open_menu, _tool_switches,
)  # fmt: skip
