"""The tables of ``docs/prompting.md``, made from the code: what each dialect cannot express, and which texts it has."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from demopack.codecs.catalogue import ANSWER_DIALECTS, CODECS
from demopack.codecs.texts import texts
from demopack.errors import BadInputError
from demopack.prompting.caap_prompts import TABLE_6, CaapParts
from demopack.prompting.dialect_losses import RoundTrip, loss_table
from demopack.prompting.function_definitions import FUNCTION_DIALECTS
from demopack.prompting.prompt_builder import PROMPT_DIALECTS

_BLOCK = re.compile(r"(<!-- table: (\w+) -->).*?(<!-- end -->)", re.DOTALL)
_SIGNS: Final = {"same": "=", "changed": "~", "silent": "", "refused": "!"}


def fill(text: str) -> str:
    """The page with its tables made anew.

    Raises:
        BadInputError: the page asks for a table that there is none of.
    """

    def table(match: re.Match[str]) -> str:
        make = _TABLES.get(match.group(2))
        if make is None:
            raise BadInputError(f"There is no table {match.group(2)!r}.", hint=f"There are {', '.join(_TABLES)}.")
        return f"{match.group(1)}\n\n{make()}\n\n{match.group(3)}"

    return _BLOCK.sub(table, text)


def _dialects() -> str:
    rows = ["| dialect | what | places | prompts | functions |", "| --- | --- | --- | --- | --- |"]
    for name in ANSWER_DIALECTS:
        known = CODECS.get(name)
        title, places = (known.title, known.places) if known else ("The contract", "whatever is known of the element")
        own = "lam" if name == "ufo" else name
        prompt = f"`{own}`, {texts(own).stamp}" if own in PROMPT_DIALECTS else ""
        rows.append(f"| `{name}` | {title} | {places} | {prompt} | {'yes' if name in FUNCTION_DIALECTS else ''} |")
    return "\n".join(rows)


def _matrix() -> str:
    table = loss_table()
    rows = [
        f"| action | {' | '.join(f'`{name}`' for name in ANSWER_DIALECTS)} |",
        f"| --- |{' :-: |' * len(ANSWER_DIALECTS)}",
    ]
    for name, outcomes in table.items():
        signs = " | ".join(_SIGNS[outcomes[dialect].kind] for dialect in ANSWER_DIALECTS)
        rows.append(f"| {name} | {signs} |")
    return "\n".join(rows)


def _lost() -> str:
    table = loss_table()
    lines: list[str] = []
    for dialect in ANSWER_DIALECTS:
        column = {name: outcomes[dialect] for name, outcomes in table.items()}
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
    rows = ["| configuration | without |", "| --- | --- |"]
    full = CaapParts()
    for name, parts in TABLE_6.items():
        off = [part for part in full.__dataclass_fields__ if getattr(full, part) and not getattr(parts, part)]
        rows.append(f"| `{name}` | {', '.join(off) or '-'} |")
    return "\n".join(rows)


_TABLES: Final[Mapping[str, Callable[[], str]]] = {
    "dialects": _dialects,
    "matrix": _matrix,
    "lost": _lost,
    "ablation": _ablation,
}
