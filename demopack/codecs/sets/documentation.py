"""The tables of ``docs/formats/exports.md``, made from the exporters themselves."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from demopack.codecs.catalogue import CODECS
from demopack.codecs.losses import LOSS_WORDS
from demopack.codecs.placed_action import EncodedAction
from demopack.codecs.sets.catalogue import exporters
from demopack.codecs.specimens import SPECIMENS
from demopack.markup import table


def _formats() -> str:
    rows: list[list[str]] = []
    for one in exporters().values():
        uses = ", ".join(sorted(one.uses - {"unit"})) or "-"
        unit = "picture" if one.rows == "pictures" else " or ".join(one.units)
        rows.append([f"`{one.name}`", one.title, one.files.replace("*", "\\*"), one.reads, unit, uses])
    *names, last = [f"`{one.name}`" for one in exporters().values() if one.sides]
    written = table(["name", "what", "files", "read by", "one sample for each", "options"], rows)
    return f"{written}\n\nThese keep the sides of a divided pack apart: {', '.join(names)} and {last}."


def _loading() -> str:
    return "\n".join(f"- {one.name}: `{one.load}`" for one in exporters().values() if one.load)


def _never() -> str:
    groups = [
        "\n".join([f"**{one.name}**", "", *(f"- {loss.what}: {loss.why}" for loss in one.losses)])
        for one in exporters().values()
        if one.losses
    ]
    return "\n\n".join(groups)


def _vocabularies() -> str:
    rows: list[list[str]] = []
    for name, dialect in CODECS.items():
        users = ", ".join(f"`{one.name}`" for one in exporters().values() if one.dialect == name)
        rows.append([f"`{name}`", dialect.title, dialect.places, users])
    own = ", ".join(f"`{one.name}`" for one in exporters().values() if not one.dialect and one.rows == "steps")
    written = table(["name", "what", "places", "formats"], rows)
    return f"{written}\n\nThe contract's own vocabulary, which loses nothing: {own}."


def _losses() -> str:
    rows = [[name, *(_verdict(codec.encode(act)) for codec in CODECS.values())] for name, act in SPECIMENS.items()]
    cells = table(["action", *(f"`{name}`" for name in CODECS)], rows)
    return f"{cells}\n\n{table(['code', 'meaning'], [[f'`{code}`', why] for code, why in LOSS_WORDS.items()])}"


def _verdict(said: EncodedAction) -> str:
    if said.is_empty:
        return "no"
    return ", ".join(said.losses) if said.losses else "yes"


def _words() -> str:
    lines: list[str] = []
    width = max(map(len, SPECIMENS))
    for codec in CODECS.values():
        lines += [f"### {codec.title}", "", "```text"]
        for specimen, act in SPECIMENS.items():
            said = codec.encode(act).calls or ("(no word)",)
            lines += [f"{specimen if number == 0 else '':{width}}  {_flat(call)}" for number, call in enumerate(said)]
        lines += ["```", ""]
    return "\n".join(lines[:-1])


def _flat(call: Any) -> str:  # noqa: ANN401 - a JSON object or a string
    word = call if isinstance(call, str) else json.dumps(call, ensure_ascii=False)
    return word.replace("\n", "\\n")


TABLES: Final[Mapping[str, Callable[[], str]]] = {
    "formats": _formats,
    "loading": _loading,
    "never": _never,
    "vocabularies": _vocabularies,
    "losses": _losses,
    "words": _words,
}
