"""``docs/formats/exports.md``, made from the exporters themselves: no table in it is written by hand."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from demopack.codecs.catalogue import CODECS
from demopack.codecs.losses import LOSS_WORDS
from demopack.codecs.placed_action import EncodedAction
from demopack.codecs.sets.base import Format
from demopack.codecs.sets.catalogue import exporters
from demopack.codecs.specimens import SPECIMENS

_LOSS_TABLE_WORDS = (
    "Made by saying one action of each kind in every vocabulary. *yes*: said exactly. *no*: there is no word, and the "
    "step is left out. Anything else is said, but loses what is named; the codes are explained below."
)
_SPECIMEN_WORDS = (
    "On a picture of 1000 x 500 pixels; the button “Save” lies around x = 500, y = 100, and a drag ends at x = 300, "
    "y = 400."
)
_HEAD = """\
# Exports

<!-- Made by scripts/write_exports.py; a test compares it with the code. -->

`demopack export DEMO|PACK... -o FOLDER --format NAME` writes demos in the form that another program reads. `--format`
may be repeated; each format then gets a folder of its name. `demopack export --format list` shows them all.

What every export has in common:

- It is made from a checked pack, demo by demo, so a pack may be larger than memory. A pack that breaks a rule is
  refused unless `--despite-errors` is given.
- Pictures are hard links to the pack's where the file system can do that, copies elsewhere. With `--marks` they are
  drawn anew, with the elements' numbers.
- The folder appears when it is whole. An earlier export there is replaced; anything else is left alone.
- `EXPORT_LOG.json` counts rows in and rows out. Every row that is missing is counted under `left_out` with its reason;
  whatever is written less exactly than it is known is counted under `lost`; `never` says what the format has no field
  for.
- `--rationale no_hindsight` (the default) tells only what could be known before the action. Words that were written by
  someone who had seen the end are then left out; `--rationale hindsight` tells them, `--rationale none` tells nothing.
- `demopack pack split` divides by task or application; the folder it makes may be exported as a whole. These keep
  the sides apart, in files and folders of their names instead of `train`: {sides}.
  The log of any other format counts under `side` the demos whose side it cannot tell.
- Steps that a person rejected are left out. `--leave-out wrong` and `--leave-out redundant` leave out what a judge
  (`demopack judge`) said that of as well, unless a person approved the step or it ends the task; where no model was
  asked, labels such as *no effect* or *undone* count as redundant. `--leave-out none` keeps everything. The log counts
  them under `rejected`, `wrong` and `redundant`, and under `lesson` the steps whose reason may tell of a wrong step
  that is not there. A wrong step that stays is a lesson. Formats made of pictures keep the pictures of every step.
- The same pack gives the same bytes.

From Python:

```python
from pathlib import Path

from demopack.codecs.sets.base import ExportOptions
from demopack.codecs.sets.catalogue import exporter
from demopack.pack.reader import open_packs

with open_packs([Path("my-pack")]) as demos:
    log = exporter("trl").export(demos, Path("for-trl"), options=ExportOptions(history=5))
print(log.rows_out, "of", log.rows_in)
```

"""


def render() -> str:
    """The whole page."""
    *names, last = [f"`{one.name}`" for one in exporters().values() if one.sides]
    head = _HEAD.replace("{sides}", f"{', '.join(names)} and {last}")
    parts = [head, _formats(), _loading(), _never(), _vocabularies(), _table(), _words()]
    return "\n".join(parts)


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _formats() -> str:
    lines = ["## Formats", "", _row(["name", "what", "files", "read by", "one sample for each", "options"])]
    lines.append(_row(["---"] * 6))
    for one in exporters().values():
        uses = ", ".join(sorted(one.uses - {"unit"})) or "-"
        lines.append(_row([f"`{one.name}`", one.title, one.files.replace("*", "\\*"), one.reads, _unit(one), uses]))
    return "\n".join([*lines, ""])


def _unit(one: Format) -> str:
    if one.rows == "pictures":
        return "picture"
    return " or ".join(one.units)


def _loading() -> str:
    lines = ["## Loading", ""]
    lines += [f"- {one.name}: `{one.load}`" for one in exporters().values() if one.load]
    return "\n".join([*lines, ""])


def _never() -> str:
    lines = ["## What a format never carries", ""]
    for one in exporters().values():
        if one.losses:
            lines += [f"**{one.name}**", ""]
            lines += [f"- {loss.what}: {loss.why}" for loss in one.losses]
            lines.append("")
    return "\n".join(lines)


def _vocabularies() -> str:
    lines = ["## Vocabularies of actions", "", _row(["name", "what", "places", "formats"]), _row(["---"] * 4)]
    for name, dialect in CODECS.items():
        users = ", ".join(f"`{one.name}`" for one in exporters().values() if one.dialect == name)
        lines.append(_row([f"`{name}`", dialect.title, dialect.places, users]))
    own = ", ".join(f"`{one.name}`" for one in exporters().values() if not one.dialect and one.rows == "steps")
    return "\n".join([*lines, "", f"The contract's own vocabulary, which loses nothing: {own}.", ""])


def _table() -> str:
    lines = [
        "## What each vocabulary cannot say",
        "",
        _LOSS_TABLE_WORDS,
        "",
        _row(["action", *(f"`{name}`" for name in CODECS)]),
        _row(["---"] * (1 + len(CODECS))),
    ]
    for name, act in SPECIMENS.items():
        lines.append(_row([name, *(_verdict(codec.encode(act)) for codec in CODECS.values())]))
    lines += ["", _row(["code", "meaning"]), _row(["---"] * 2)]
    lines += [_row([f"`{code}`", why]) for code, why in LOSS_WORDS.items()]
    return "\n".join([*lines, ""])


def _verdict(said: EncodedAction) -> str:
    if said.is_empty:
        return "no"
    return ", ".join(said.losses) if said.losses else "yes"


def _words() -> str:
    lines = [
        "## What each vocabulary says",
        "",
        _SPECIMEN_WORDS,
        "",
    ]
    width = max(map(len, SPECIMENS))
    for codec in CODECS.values():
        lines += [f"### {codec.title}", "", "```text"]
        for specimen, act in SPECIMENS.items():
            said = codec.encode(act).calls or ("(no word)",)
            lines += [f"{specimen if number == 0 else '':{width}}  {_flat(call)}" for number, call in enumerate(said)]
        lines += ["```", ""]
    return "\n".join(lines)


def _flat(call: Any) -> str:  # noqa: ANN401 - a JSON object or a string
    word = call if isinstance(call, str) else json.dumps(call, ensure_ascii=False)
    return word.replace("\n", "\\n")
