"""The tables of ``docs/prompting.md``, made from the code: what each dialect cannot express, and which texts it has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from demopack.codecs.catalogue import ANSWER_DIALECTS, CODECS
from demopack.codecs.texts import texts
from demopack.markup import table
from demopack.prompting.caap_prompts import CAAP_PARTS, TABLE_6
from demopack.prompting.dialect_losses import RoundTrip, loss_table
from demopack.prompting.function_definitions import FUNCTION_DIALECTS
from demopack.prompting.prompt_builder import PROMPT_DIALECTS

_SIGNS: Final = {"same": "=", "changed": "~", "silent": "", "refused": "!"}


def _dialects() -> str:
    rows: list[list[str]] = []
    for name in ANSWER_DIALECTS:
        known = CODECS.get(name)
        title, places = (known.title, known.places) if known else ("The contract", "whatever is known of the element")
        own = "lam" if name == "ufo" else name
        prompt = f"`{own}`, {texts(own).stamp}" if own in PROMPT_DIALECTS else ""
        rows.append([f"`{name}`", title, places, prompt, "yes" if name in FUNCTION_DIALECTS else ""])
    return table(["dialect", "what", "places", "prompts", "functions"], rows)


def _matrix() -> str:
    rows = [
        [name, *(_SIGNS[outcomes[dialect].kind] for dialect in ANSWER_DIALECTS)]
        for name, outcomes in loss_table().items()
    ]
    return table(["action", *(f"`{name}`" for name in ANSWER_DIALECTS)], rows, centred=True)


def _lost() -> str:
    outcomes_of = loss_table()
    lines: list[str] = []
    for dialect in ANSWER_DIALECTS:
        column = {name: outcomes[dialect] for name, outcomes in outcomes_of.items()}
        silent = [name for name, outcome in column.items() if outcome.kind in {"silent", "refused"}]
        lines += [f"**{dialect}**", ""]
        lines += [f"- no word for: {'; '.join(silent)}"] if silent else []
        lines += _changed(column)
        if all(outcome.kind == "same" for outcome in column.values()):
            lines.append("- nothing is lost")
        lines.append("")
    return "\n".join(lines).rstrip()


def _changed(column: Mapping[str, RoundTrip]) -> list[str]:
    groups: dict[str, list[str]] = {}
    for name, outcome in column.items():
        if outcome.kind == "changed":
            groups.setdefault(", ".join(outcome.differences), []).append(name)
    return [f"- {what}: {'; '.join(names)}" for what, names in groups.items()]


def _ablation() -> str:
    rows: list[list[str]] = []
    for name, parts in TABLE_6.items():
        off = [part for part in CAAP_PARTS if part in parts]
        rows.append([f"`{name}`", ", ".join(off) or "-"])
    return table(["configuration", "without"], rows)


TABLES: Final[Mapping[str, Callable[[], str]]] = {
    "dialects": _dialects,
    "matrix": _matrix,
    "lost": _lost,
    "ablation": _ablation,
}
