"""The tables of the pages on formats and prompts in ``docs``, made from the code by ``scripts/write_tables.py``."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from demopack.codecs import caap
from demopack.codecs.boxes.base import ALWAYS, FIELDS
from demopack.codecs.boxes.catalogue import FORMATS
from demopack.codecs.catalogue import ANSWER_DIALECTS, CODECS
from demopack.codecs.losses import LOSS_WORDS
from demopack.codecs.sets.catalogue import GROUPS, exporter, exporters
from demopack.codecs.specimens import SPECIMENS
from demopack.domain.elements import ELEMENT_TYPES
from demopack.markup import table
from demopack.prompting.caap_prompts import CAAP_PARTS, TABLE_6
from demopack.prompting.dialect_losses import loss_table
from demopack.prompting.function_definitions import FUNCTION_DIALECTS
from demopack.prompting.prompt_builder import PROMPT_DIALECTS, sentences_of

# Boxes ------------------------------------------------------------------------------------------------------------


def _box_formats() -> str:
    rows = [(f"`{form.name}`", form.title, form.files, form.reads) for form in FORMATS.values()]
    return table(["name", "what", "files", "read by"], rows)


def _box_fields() -> str:
    rows = [["box", *["yes"] * len(FORMATS)]]
    for name in FIELDS:
        known = [form.capabilities for form in FORMATS.values()]
        told = ["yes" if name in may.fields else "roughly" if name in may.partly else "" for may in known]
        rows.append([name, *told])
    return table(["field", *(f"`{name}`" for name in FORMATS)], rows)


def _box_losses() -> str:
    lines = [f"- every format: {loss.what}; {loss.why}." for loss in ALWAYS]
    for form in FORMATS.values():
        reasons: dict[str, list[str]] = {}
        for loss in form.capabilities.losses:
            reasons.setdefault(loss.why, []).append(loss.what)
        lines += [f"- `{form.name}`: {', '.join(lost)}; {why}." for why, lost in reasons.items()]
    return "\n".join(lines)


def _box_notes() -> str:
    return "\n".join(f"- **{form.name}**: {' '.join(form.notes)}" for form in FORMATS.values() if form.notes)


# Training and few-shot files --------------------------------------------------------------------------------------


def _set_formats() -> str:
    parts: list[str] = []
    for heading, grouped in GROUPS.items():
        rows: list[list[str]] = []
        for one in map(exporter, grouped):
            uses = ", ".join(sorted(one.uses - {"unit"})) or "-"
            unit = " or ".join(one.units) if one.rows == "steps" else one.rows.removesuffix("s")
            rows.append([f"`{one.name}`", one.about, one.files.replace("*", "\\*"), one.reads, unit, uses])
        parts += [
            f"### {heading}",
            table(["name", "what for", "files", "read by", "one sample for each", "options"], rows),
        ]
    *names, last = [f"`{one.name}`" for one in exporters().values() if one.sides]
    return "\n\n".join([*parts, f"These keep the sides of a divided pack apart: {', '.join(names)} and {last}."])


def _set_loading() -> str:
    parts: list[str] = []
    for one in exporters().values():
        is_shell = one.load.startswith("$ ")
        code = one.load.replace("$ ", "") if is_shell else one.load
        parts.append(f"`{one.name}`\n\n```{'sh' if is_shell else 'python'}\n{code}\n```")
    return "\n\n".join(parts)


def _set_never() -> str:
    groups = [
        "\n".join([f"**{one.name}**", "", *(f"- {loss.what}: {loss.why}" for loss in one.losses)])
        for one in exporters().values()
        if one.losses
    ]
    return "\n\n".join(groups)


def _vocabularies() -> str:
    rows: list[list[str]] = []
    for name, codec in CODECS.items():
        users = ", ".join(f"`{one.name}`" for one in exporters().values() if one.dialect == name)
        rows.append([f"`{name}`", codec.title, codec.places, users])
    own = ", ".join(f"`{one.name}`" for one in exporters().values() if not one.dialect and one.rows == "steps")
    written = table(["name", "what", "places", "formats"], rows)
    return f"{written}\n\nThe contract's own vocabulary, which loses nothing: {own}."


def _vocabulary_losses() -> str:
    rows: list[list[str]] = []
    for name, act in SPECIMENS.items():
        said = [codec.encode(act) for codec in CODECS.values()]
        rows.append([name, *("no" if one.is_empty else ", ".join(one.losses) or "yes" for one in said)])
    cells = table(["action", *(f"`{name}`" for name in CODECS)], rows)
    return f"{cells}\n\n{table(['code', 'meaning'], [[f'`{code}`', why] for code, why in LOSS_WORDS.items()])}"


def _vocabulary_words() -> str:
    def flat(call: Any) -> str:  # noqa: ANN401 - a JSON object or a string
        word = call if isinstance(call, str) else json.dumps(call, ensure_ascii=False)
        return word.replace("\n", "\\n")

    lines: list[str] = []
    width = max(map(len, SPECIMENS))
    for codec in CODECS.values():
        lines += [f"### {codec.title}", "", "```text"]
        for specimen, act in SPECIMENS.items():
            said = codec.encode(act).calls or ("(no word)",)
            lines += [f"{specimen if number == 0 else '':{width}}  {flat(call)}" for number, call in enumerate(said)]
        lines += ["```", ""]
    return "\n".join(lines[:-1])


# Prompts ----------------------------------------------------------------------------------------------------------


_OF_THE_CONTRACT: Final = {
    "llmresponse": ("The contract", "whatever is known of the element"),
    "swift": ("The contract, trained through ms-swift", "corners as the model writes them; 0 to 1000, or pixels"),
}


def _dialects() -> str:
    rows: list[list[str]] = []
    for name in ANSWER_DIALECTS:
        known = CODECS.get(name)
        title, places = (known.title, known.places) if known else _OF_THE_CONTRACT[name]
        own = "lam" if name == "ufo" else name
        prompt = f"`{own}`, {sentences_of(own).stamp}" if own in PROMPT_DIALECTS else ""
        rows.append([f"`{name}`", title, places, prompt, "yes" if name in FUNCTION_DIALECTS else ""])
    return table(["dialect", "what", "places", "prompts", "functions"], rows)


def _answer_matrix() -> str:
    signs = {"same": "=", "changed": "~", "silent": "", "refused": "!"}
    rows = [[name, *(signs[outcomes[one].kind] for one in ANSWER_DIALECTS)] for name, outcomes in loss_table().items()]
    return table(["action", *(f"`{name}`" for name in ANSWER_DIALECTS)], rows, centred=True)


def _answer_losses() -> str:
    outcomes_of = loss_table()
    lines: list[str] = []
    for dialect in ANSWER_DIALECTS:
        column = {name: outcomes[dialect] for name, outcomes in outcomes_of.items()}
        silent = [name for name, outcome in column.items() if outcome.kind in {"silent", "refused"}]
        changed: dict[str, list[str]] = {}
        for name, outcome in column.items():
            if outcome.kind == "changed":
                changed.setdefault(", ".join(outcome.differences), []).append(name)
        told = [f"- no word for: {'; '.join(silent)}"] if silent else []
        told += [f"- {what}: {'; '.join(names)}" for what, names in changed.items()]
        lines += [f"**{dialect}**", "", *(told or ["- nothing is lost"]), ""]
    return "\n".join(lines).rstrip()


def _ablation() -> str:
    rows = [
        [f"`{name}`", ", ".join(part for part in CAAP_PARTS if part in off) or "-"] for name, off in TABLE_6.items()
    ]
    return table(["configuration", "without"], rows)


def _caap_elements() -> str:
    rows: list[list[str]] = []
    for kind in ELEMENT_TYPES:
        seen = caap.NEAREST.get(kind, kind)
        may = caap.TABLE_2.get(seen)
        if may is None:
            rows.append([f"`{kind}`", "-", "left out; an action on it tells its place"])
            continue
        told = ["place", *(["text"] if may.text else []), *(["subtype"] if may.subtype else []), *sorted(may.states)]
        rows.append([f"`{kind}`", f"`{seen}`", ", ".join(told)])
    return table(["element", "in CAAP", "what is told"], rows)


PAGES: Final[Mapping[str, Mapping[str, Callable[[], str]]]] = {
    "formats/annotations.md": {
        "formats": _box_formats,
        "fields": _box_fields,
        "losses": _box_losses,
        "notes": _box_notes,
    },
    "formats/exports.md": {
        "formats": _set_formats,
        "loading": _set_loading,
        "never": _set_never,
        "vocabularies": _vocabularies,
        "losses": _vocabulary_losses,
        "words": _vocabulary_words,
    },
    "prompting.md": {
        "dialects": _dialects,
        "matrix": _answer_matrix,
        "lost": _answer_losses,
        "ablation": _ablation,
        "caap": _caap_elements,
    },
}
"""Page in ``docs`` -> name of each table in it -> the table in Markdown."""
