"""The tables of ``docs/formats/annotations.md``, made from the formats themselves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from demopack.codecs.boxes.base import ALWAYS, FIELDS
from demopack.codecs.boxes.catalogue import FORMATS
from demopack.markup import table


def _formats() -> str:
    rows = [(f"`{form.name}`", form.title, form.files, form.reads) for form in FORMATS.values()]
    return table(["name", "what", "files", "read by"], rows)


def _fields() -> str:
    rows = [["box", *["yes"] * len(FORMATS)]]
    for name in FIELDS:
        known = [form.capabilities for form in FORMATS.values()]
        rows.append(
            [name, *("yes" if name in may.fields else "roughly" if name in may.partly else "" for may in known)]
        )
    return table(["field", *(f"`{name}`" for name in FORMATS)], rows)


def _losses() -> str:
    lines = [f"- every format: {loss.what}; {loss.why}." for loss in ALWAYS]
    for form in FORMATS.values():
        reasons: dict[str, list[str]] = {}
        for loss in form.capabilities.losses:
            reasons.setdefault(loss.why, []).append(loss.what)
        lines += [f"- `{form.name}`: {', '.join(lost)}; {why}." for why, lost in reasons.items()]
    return "\n".join(lines)


def _notes() -> str:
    return "\n".join(f"- **{form.name}**: {' '.join(form.notes)}" for form in FORMATS.values() if form.notes)


TABLES: Final[Mapping[str, Callable[[], str]]] = {
    "formats": _formats,
    "fields": _fields,
    "losses": _losses,
    "notes": _notes,
}
