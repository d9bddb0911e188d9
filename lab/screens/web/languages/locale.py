"""What a language must offer to fill screens."""

from __future__ import annotations

from dataclasses import dataclass


def table(text: str) -> tuple[str, ...]:
    """The entries of a list that is written with semicolons; line breaks count as blanks."""
    return tuple(" ".join(entry.split()) for entry in text.split(";") if entry.strip())


@dataclass(frozen=True, slots=True, kw_only=True)
class Locale:
    """The words of one language.

    Attributes:
        code: of HTML's ``lang``.
        commands: words of buttons and menu entries, by the icon subtype that says the same.
        verbs: further words of buttons that no icon stands for.
        labels: names of fields of a form.
        settings: names of things that can be switched on and off.
        things: what is sold, filed or talked of; plural or singular, never a sentence.
        headings: titles of columns.
        statuses: one word of a badge.
        folders: places of a mailbox or of a disk.
        menus: entries of a menu bar.
        firsts: given names.
        lasts: family names.
        cities: places.
        days: from Monday, short.
        months: from January.
        phrases: short messages, two to six words.
        sentences: whole sentences; ``{name}``, ``{city}``, ``{thing}`` and ``{n}`` are filled in.
        decimal: the sign between units and tenths.
    """

    code: str
    commands: dict[str, str]
    verbs: tuple[str, ...]
    labels: tuple[str, ...]
    settings: tuple[str, ...]
    things: tuple[str, ...]
    headings: tuple[str, ...]
    statuses: tuple[str, ...]
    folders: tuple[str, ...]
    menus: tuple[str, ...]
    firsts: tuple[str, ...]
    lasts: tuple[str, ...]
    cities: tuple[str, ...]
    days: tuple[str, ...]
    months: tuple[str, ...]
    phrases: tuple[str, ...]
    sentences: tuple[str, ...]
    decimal: str = ","
