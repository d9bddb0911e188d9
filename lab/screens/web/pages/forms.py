"""Forms: an application, an order, a booking; one column or several."""

from __future__ import annotations

from lab.screens.web.controls import (
    any_button,
    any_control,
    button,
    checkbox,
    field,
    link,
    radios,
    slider,
    text_input,
    toggle,
)
from lab.screens.web.maker import Maker
from lab.screens.web.markup import esc, tag
from lab.screens.web.parts import alert, progress, tabs


def form_page(m: Maker) -> str:
    """A form of one to four groups with all kinds of controls."""
    width = m.rng.choice((420, 560, 700, 900, 1200))
    most = max(1, min(width, m.width) // 270)
    groups = "".join(_group(m, most=most) for _ in range(m.rng.randint(1, 4)))
    head = tag("h1", esc(m.words.phrase())) if m.chance(0.7) else ""
    if m.chance(0.4):
        head += tag("p", esc(m.words.paragraph(m.rng.randint(1, 2))))
    if m.chance(0.2):
        head += progress(m, share=m.rng.randint(5, 95))
    if m.chance(0.25):
        head += tabs(m, labels=m.words.several(m.words.locale.folders, m.rng.randint(2, 4)), active=0)
    if m.chance(0.3):
        head += alert(m, text=m.words.sentence(), icon=m.rng.choice(("info", "warning", None)))
    return f'<main class="x-page" style="--measure:{width}px">{head}<div>{groups}</div>{_foot(m)}</main>'


def _group(m: Maker, *, most: int) -> str:
    columns = min(most, m.rng.choice((1, 1, 2, 2, 3)))
    controls = "".join(_one(m) for _ in range(m.rng.randint(2, 6)))
    style = f"display:grid;grid-template-columns:repeat({columns},minmax(0,1fr));gap:0 18px;align-items:start"
    inside = f'<div style="{style}">{controls}</div>'
    if m.habit("groups", "fieldset", "heading", "none") == "fieldset":
        return f'<fieldset style="margin:10px 0"><legend>{esc(m.words.label())}</legend>{inside}</fieldset>'
    heading = tag("h3", esc(m.words.label())) if m.habits["groups"] == "heading" else ""
    return heading + inside


def _one(m: Maker) -> str:
    kind = m.rng.choices(("control", "checks", "radios", "toggle", "slider", "file"), weights=(66, 10, 9, 6, 6, 3))[0]
    words = m.words
    if kind == "control":
        return any_control(m)
    label, own = words.label(), None
    if kind == "checks":
        marks = [checkbox(m, label=s, on=m.chance(0.5), disabled=m.chance(0.1)) for s in _settings(m, 3)]
        body = "".join(f"<div>{one}</div>" for one in marks)
    elif kind == "radios":
        marks = _settings(m, 4) if m.chance(0.5) else words.several(words.locale.cities, 3)
        direction = "x-wrap" if m.chance(0.5) else "x-col"
        body = f'<div class="{direction}">{radios(m, labels=marks, chosen=m.rng.randrange(len(marks)))}</div>'
    elif kind == "toggle":
        mark = toggle(m, label=words.setting(), on=m.chance(0.5), disabled=m.chance(0.1))
        return f'<div style="margin:6px 0">{mark}</div>'
    elif kind == "slider":
        body = slider(m, value=m.rng.randint(0, 100), disabled=m.chance(0.1))
    else:
        own = m.new_id()
        body = text_input(m, kind="file", id_=own)
    return field(m, label=label, control=f"<div>{body}</div>", id_=own)


def _settings(m: Maker, most: int) -> list[str]:
    return m.words.several(m.words.locale.settings, m.rng.randint(1, most))


def _foot(m: Maker) -> str:
    consent = checkbox(m, label=m.words.setting(), on=m.chance(0.5)) if m.chance(0.4) else ""
    buttons = [any_button(m, kind="primary"), *(any_button(m) for _ in range(m.rng.randint(0, 2)))]
    if m.chance(0.3):
        buttons.append(button(m, label=m.words.verb(), kind="danger"))
    if m.chance(0.3):
        buttons.append(link(m, text=m.words.phrase()))
    side = m.rng.choice(("flex-start", "flex-end", "center", "space-between"))
    return (
        f'<div>{consent}</div><div class="x-wrap" style="justify-content:{side};margin:12px 0">{"".join(buttons)}</div>'
    )
