"""Buttons, fields and switches, written the way the page's framework wants them."""

from __future__ import annotations

from collections.abc import Sequence

from lab.screens.web.icon_names import SUBTYPES
from lab.screens.web.icons import sign
from lab.screens.web.maker import Maker
from lab.screens.web.markup import attributes, esc, tag, truth


def button(
    m: Maker, *, label: str, kind: str = "", icon: str | None = None, disabled: bool = False, pop: str | None = None
) -> str:
    """A button with a word on it.

    Args:
        m: the page.
        label: the word.
        kind: ``primary``, ``danger``, ``quiet`` or nothing.
        icon: subtype of a picture beside the word.
        disabled: greyed.
        pop: id of what it opens.
    """
    picture = f"{m.icons.draw(icon, size=min(20, m.icon_size))} " if icon else ""
    end = f" {sign('down')}" if pop is not None and m.habit("caret", "y", "n") == "y" else ""
    attrs = attributes(disabled=disabled, data_pop=pop, aria_expanded="false" if pop else None)
    return m.kit.write("button", kind or "plain", attrs=attrs, content=f"{picture}{esc(label)}{end}")


def any_button(m: Maker, *, kind: str = "") -> str:
    """A button with any word, now and then with a picture or greyed."""
    disabled = m.chance(0.07)
    if m.chance(0.4):
        subtype, word = m.words.any_command()
        return button(m, label=word, kind=kind, icon=subtype if m.chance(0.5) else None, disabled=disabled)
    return button(m, label=m.words.verb(), kind=kind, disabled=disabled)


def tool(
    m: Maker,
    *,
    icon: str,
    framed: bool | None = None,
    pressed: bool | None = None,
    disabled: bool = False,
    size: int | None = None,
    pop: str | None = None,
    title: str | None = None,
) -> str:
    """A button that is nothing but an icon.

    Args:
        m: the page.
        icon: subtype; ``none`` for a picture that has no word.
        framed: with a visible edge; None does as the page does.
        pressed: held down; None when it is no switch.
        disabled: greyed.
        size: CSS pixels of the picture.
        pop: id of what it opens.
        title: what a screen reader would say.
    """
    size = size or m.icon_size
    picture = m.icons.nameless(size=size) if icon == "none" else m.icons.draw(icon, size=size)
    if framed is None:
        framed = m.habit("framed", "y", "n", "n") == "y"
    names = "x-tool" + (" framed" if framed else "") + (" pressed" if pressed else "")
    told = truth("button", subtype=icon, checked=pressed, disabled=disabled)
    attrs = attributes(disabled=disabled, data_pop=pop, title=title, data_pressable=pressed is not None)
    return f'<button type="button" class="{names}"{attrs}{told}>{picture}</button>'


def tools(m: Maker, *, icons: Sequence[str], apart: float = 0.2) -> str:
    """A strip of icon buttons, with lines between some; toolbars of the old kind have words, too."""
    manner = m.habit("tools", "bare", "bare", "bare", "beside", "below")
    parts: list[str] = []
    for wanted in icons:
        icon = _perhaps_another(m, wanted)
        if parts and m.chance(apart):
            parts.append('<span class="x-sep"></span>')
        word = m.words.command(icon)
        if manner == "bare" or word is None:
            pressed = m.chance(0.5) if m.chance(0.12) else None
            parts.append(tool(m, icon=icon, disabled=m.chance(0.1), pressed=pressed))
        else:
            names = f"x-tool {'lab' if manner == 'beside' else 'top'}"
            picture = m.icons.draw(icon, size=m.icon_size)
            inside = picture + tag("span", esc(word))
            parts.append(tag("button", inside, type="button", class_=names, disabled=m.chance(0.1)))
    return "".join(parts)


def _perhaps_another(m: Maker, icon: str) -> str:
    """The same subtype, or now and then any other, so that the rare ones are seen too; or a picture without a word."""
    if m.chance(0.06):
        return "none"
    return m.rng.choice(SUBTYPES) if m.chance(0.2) else icon


def link(m: Maker, *, text: str, extra: str = "") -> str:
    """Text that leads elsewhere."""
    del m
    return f'<a href="#"{extra}>{esc(text)}</a>'


def text_input(
    m: Maker, *, value: str = "", hint: str = "", kind: str = "text", disabled: bool = False, id_: str | None = None,
    bad: bool = False, extra: str = "",
) -> str:  # fmt: skip
    """A field for one line.

    Args:
        m: the page.
        value: what was typed.
        hint: the pale text of an empty field.
        kind: of the input: ``text``, ``password``, ``email``, ``date``, ``time``, ``search``, ``file``.
        disabled: greyed.
        id_: what its label refers to.
        bad: marked as wrong.
        extra: further classes.
    """
    attrs = attributes(
        type=kind, value=value or None, placeholder=hint or None, disabled=disabled, id=id_, autocomplete="off"
    )
    return m.kit.write("input", "bad" if bad else "", attrs=attrs, extra=extra)


def area(
    m: Maker, *, value: str = "", hint: str = "", rows: int = 3, disabled: bool = False, id_: str | None = None
) -> str:
    """A field for several lines."""
    attrs = attributes(rows=rows, placeholder=hint or None, disabled=disabled, id=id_, cols=36)
    return m.kit.write("area", attrs=attrs, content=esc(value))


def select(
    m: Maker,
    *,
    options: Sequence[str],
    chosen: int = 0,
    disabled: bool = False,
    id_: str | None = None,
    extra: str = "",
) -> str:
    """A drop-down list."""
    entries = "".join(tag("option", esc(o), selected=i == chosen) for i, o in enumerate(options))
    return m.kit.write("select", attrs=attributes(disabled=disabled, id=id_), content=entries, extra=extra)


def _mark(m: Maker, *, role: str, label: str, on: bool, disabled: bool, group: str | None) -> str:
    attrs = attributes(checked=on, disabled=disabled, name=group, id=(own := m.new_id()))
    return m.kit.write(role, attrs=attrs + truth(text=label), label=esc(label), own=own)


def checkbox(m: Maker, *, label: str, on: bool = False, disabled: bool = False) -> str:
    """A box to tick, with its label."""
    return _mark(m, role="checkbox", label=label, on=on, disabled=disabled, group=None)


def toggle(m: Maker, *, label: str, on: bool = False, disabled: bool = False) -> str:
    """A switch, with its label."""
    return _mark(m, role="toggle", label=label, on=on, disabled=disabled, group=None)


def radios(m: Maker, *, labels: Sequence[str], chosen: int = 0, disabled: bool = False) -> str:
    """One of several."""
    group = m.new_id()
    return "".join(
        _mark(m, role="radio", label=text, on=i == chosen, disabled=disabled, group=group)
        for i, text in enumerate(labels)
    )


def slider(m: Maker, *, value: int, disabled: bool = False) -> str:
    """A handle on a track."""
    return m.kit.write("slider", attrs=attributes(min=0, max=100, value=value, disabled=disabled))


def spinner(m: Maker, *, value: str, disabled: bool = False, id_: str | None = None) -> str:
    """A field for a number, with steps."""
    attrs = attributes(type="number", value=value, disabled=disabled, id=id_)
    return m.kit.write("input", attrs=attrs, extra="num")


def field(m: Maker, *, label: str, control: str, id_: str | None = None, note: str = "", bad: bool = False) -> str:
    """A control with its label, where the page has labels, and a word of help."""
    place = m.habit("labels", "above", "above", "left", "left")
    named = m.kit.write("label", attrs=attributes(for_=id_), content=esc(label))
    told = f'<div class="x-help{" bad" if bad else ""}">{esc(note)}</div>' if note else ""
    if place == "left":
        inside = f'<div class="x-grow">{control}{told}</div>'
        return m.kit.write("field", label=named, control=inside, help="", place=place)
    return m.kit.write("field", label=named, control=control, help=told, place=place)


def any_control(m: Maker) -> str:
    """A labelled control of any kind, filled or empty, now and then greyed or wrong."""
    rng, words = m.rng, m.words
    label, own, disabled = words.label(), m.new_id(), m.chance(0.08)
    filled = m.chance(0.55)
    kind = rng.choices(("text", "select", "area", "number", "special"), weights=(55, 20, 8, 9, 8))[0]
    if kind == "select":
        options = words.several(words.locale.things + words.locale.cities, rng.randint(2, 8))
        control = select(m, options=options, chosen=rng.randrange(len(options)), disabled=disabled, id_=own)
    elif kind == "area":
        text = words.paragraph(rng.randint(1, 2)) if filled else ""
        control = area(m, value=text, hint=words.phrase() if m.chance(0.4) else "", disabled=disabled, id_=own)
    elif kind == "number":
        control = spinner(m, value=words.number(200) if filled else "", disabled=disabled, id_=own)
    elif kind == "special":
        of = rng.choice(("password", "date", "time", "password", "search"))
        value = {"password": "x" * rng.randint(4, 12), "date": "2024-05-17", "time": "14:30"}.get(of, words.thing())
        control = text_input(m, kind=of, value=value if filled else "", disabled=disabled, id_=own)
    else:
        bad = m.chance(0.08)
        value, hint = (words.value(label), "") if filled else ("", words.value(label) if m.chance(0.5) else "")
        control = text_input(m, value=value, hint=hint, disabled=disabled, id_=own, bad=bad)
        return field(
            m, label=label, control=control, id_=own, note=words.phrase() if bad or m.chance(0.1) else "", bad=bad
        )
    return field(m, label=label, control=control, id_=own, note=words.phrase() if m.chance(0.1) else "")
