"""Settings: switches, choices, sliders, in groups, beside a list of sections or below tabs."""

from __future__ import annotations

from lab.screens.web.controls import (
    any_button,
    any_control,
    button,
    checkbox,
    radios,
    select,
    slider,
    spinner,
    toggle,
)
from lab.screens.web.maker import Maker
from lab.screens.web.markup import div, esc, tag
from lab.screens.web.parts import card, rows, tabs

_SECTIONS = (
    "settings",
    "user",
    "bell",
    "lock",
    "eye",
    "mail",
    "download",
    "info",
    "help",
    "location",
    "music",
    "print",
)


def settings_page(m: Maker) -> str:
    """One section of a settings page, with a way to the others."""
    words, rng = m.words, m.rng
    names = words.several(words.locale.settings + words.locale.folders, rng.randint(4, 9))
    groups = "".join(_group(m) for _ in range(rng.randint(2, 4)))
    foot = f'<div class="x-wrap" style="margin-top:12px">{any_button(m, kind="primary")}{any_button(m)}</div>'
    title = tag("h1", esc(words.command("settings") or ""))
    if m.width > 640 and m.chance(0.6):
        pictures = m.chance(0.6)
        entries = [(_SECTIONS[i % len(_SECTIONS)] if pictures else None, name) for i, name in enumerate(names)]
        side = f'<div class="x-side x">{rows(m, entries=entries, active=rng.randrange(len(entries)))}</div>'
        return div("x-fill", div("x-body", side, div("x-scroll x-grow x-pad", title, groups, foot)))
    strip = tabs(m, labels=names[: max(2, min(5, m.width // 160))], active=rng.randrange(2))
    measure = f"--measure:{rng.choice((520, 680, 860))}px"
    return tag("main", title, strip, div("", style="height:12px"), groups, foot, class_="x-page", style=measure)


def _group(m: Maker) -> str:
    manner = m.habit("settings", "rows", "rows", "card", "accordion", "plain")
    lines = "".join(_line(m) for _ in range(m.rng.randint(2, 5)))
    title = m.words.label()
    if manner == "card":
        return card(m, title=title, content=lines) + '<div style="height:12px"></div>'
    if manner == "accordion":
        opened = " open" if m.chance(0.6) else ""
        return f"<details{opened}><summary>{esc(title)}</summary>{lines}</details>"
    return tag("h3", esc(title)) + lines


def _line(m: Maker) -> str:
    words, rng = m.words, m.rng
    kind = rng.choices(
        ("toggle", "check", "select", "radio", "slider", "number", "control"), weights=(8, 5, 5, 3, 3, 2, 2)
    )[0]
    label, disabled = words.setting(), m.chance(0.1)
    help_ = f'<div class="x-small x-muted">{esc(words.sentence())}</div>' if m.chance(0.3) else ""
    if kind in {"toggle", "check"}:
        make = toggle if kind == "toggle" else checkbox
        return f'<div style="margin:8px 0">{make(m, label=label, on=m.chance(0.5), disabled=disabled)}{help_}</div>'
    if kind == "radio":
        options = words.several(words.locale.statuses, rng.randint(2, 4))
        names = "x-wrap" if m.chance(0.5) else "x-col"
        marks = radios(m, labels=options, chosen=rng.randrange(len(options)), disabled=disabled)
        return f'<div style="margin:8px 0">{esc(label)}<div class="{names}">{marks}</div></div>'
    if kind == "control":
        return any_control(m)
    if kind == "select":
        control = select(m, options=words.several(words.locale.things, 5), chosen=rng.randrange(5), disabled=disabled)
    elif kind == "slider":
        control = slider(m, value=rng.randint(0, 100), disabled=disabled)
    else:
        control = spinner(m, value=str(rng.randint(1, 90)), disabled=disabled)
    if m.chance(0.2):
        control = f"{control} {button(m, label=words.verb())}"
    return div("x-row", div("x-grow", esc(label), help_), div("", control), style="margin:8px 0")
