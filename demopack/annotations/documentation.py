"""The tables of ``docs/formats/annotations.md``, made from the formats themselves."""

from __future__ import annotations

from demopack.codecs.boxes.base import ALWAYS, FIELDS, FormatCapabilities
from demopack.codecs.boxes.catalogue import FORMATS

_HEAD = """# Annotations

<!-- Made by scripts/write_annotations.py; a test compares it with the code. -->

Packs carry whole demos to agents and trainers. *Annotations* are the elements alone, on their way to a labelling
program and back: boxes, types, texts, states.

```
demopack annotations formats                                        # every format, and what it cannot carry
demopack annotations export last --format yolo --dry-run            # what would be lost, element by element
demopack annotations export last -o for-labelme --format labelme
demopack annotations import for-labelme                             # one edit; undo takes it back
demopack annotations compare last ../anna/library                   # a second opinion on the same pictures
```

In the editor: Ctrl+Shift+E and Ctrl+Shift+I.

## Going out

- The demo goes out as it stands: what was redacted is redacted, what was deleted is gone. Rejected elements stay here
  unless `--rejected` is given and the format can tell them apart.
- The folder appears when it is whole; an earlier export there is replaced, anything else is left alone.
- `EXPORT_LOG.json` counts what was left out or written less exactly, with examples, and names each picture's frame.
  `--dry-run` and the editor's panel tell the same before anything is written.
- Boxes are cut at the picture's edge; such a cut is counted.

## Coming in

- A picture is found again by the frame that our own file names, by its pixels (also those inside a labelme file), or
  by a name that an export gave it; the size must fit. Pictures that no demo shows become a new demo, one step each.
- A box is found again by the identity that our own file carries, else by where it lies (overlap above one half).
- What a person drew, approved or rejected **is never changed** unless `--theirs` says so. The report counts what was
  added, changed, kept, equal, and what only the demo has; nothing is deleted.
- A suggestion that was corrected elsewhere arrives approved, so that no later search replaces it.
- A label that is no type of ours becomes `other` with the label as its subtype; `--label "Knob=slider"` says better.
- Polygons, circles, masks and turned boxes become the box around them; points, lines and masks without a place are
  left out. Both are counted, and so is what a file says of a whole picture: tags, flags, descriptions.
- Pictures are looked for beside the file, in `images`, and then anywhere below the folder that is imported.
- Of two pictures with the same pixels the first counts; where the second says otherwise, the report counts it.
- A score that another program dropped is kept. A copy that somebody made there of a box of ours is a person's box.
- A file that breaks its format's rules stops the import with the file, the entry and the way out. Nothing is half
  done.
- What was exported and imported unchanged is equal, in every field that the table below marks.

## A second opinion

`demopack annotations compare DEMO OTHER`, or *Compare with another person* in the editor. OTHER is a library, a pack or
annotations of any format; what its source does not tell is no difference.

- Differences: only theirs, only mine, other place (more than two pixels and an overlap of 0.9 or less), other type,
  text, kind, states. Elements pair up by identity, else by overlap above one half.
- Agreement: F1 of the boxes at an overlap of 0.5 and 0.75, by place alone; Cohen's kappa of type, text, subtype and
  each state over the boxes that both drew. Where everybody always said the same there is no kappa.
- *Take theirs* makes mine like theirs; *keep mine* approves it and remembers their opinion as evidence, so that it is
  asked again only when they change their mind. Every decision is an edit; all of a kind are one.
- Two people: one exports a pack, the other imports it, corrects it and exports it again; the first compares with that.
"""


def render() -> str:
    """The whole document."""
    parts = [_HEAD, "## Formats\n", _table(), "\n## What each carries\n", _fields(), "\n## What is lost\n", _losses()]
    notes = [f"- **{form.name}**: {' '.join(form.notes)}" for form in FORMATS.values() if form.notes]
    return "\n".join([*parts, "\n## Notes\n", *notes, ""])


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _table() -> str:
    rows = [_row("name", "what", "files", "read by"), _row(*["---"] * 4)]
    rows += [_row(f"`{form.name}`", form.title, form.files, form.reads) for form in FORMATS.values()]
    return "\n".join(rows)


def _fields() -> str:
    rows = [_row("field", *(f"`{name}`" for name in FORMATS)), _row(*["---"] * (len(FORMATS) + 1))]
    rows.append(_row("box", *["yes"] * len(FORMATS)))
    for field in FIELDS:
        cells = [_cell(field, form.capabilities) for form in FORMATS.values()]
        rows += [_row(field, *cells)]
    return "\n".join(rows)


def _cell(field: str, capabilities: FormatCapabilities) -> str:
    return "yes" if field in capabilities.fields else "roughly" if field in capabilities.partly else ""


def _losses() -> str:
    lines = [f"- every format: {loss.what}; {loss.why}." for loss in ALWAYS]
    for form in FORMATS.values():
        reasons: dict[str, list[str]] = {}
        for loss in form.capabilities.losses:
            reasons.setdefault(loss.why, []).append(loss.what)
        lines += [f"- `{form.name}`: {', '.join(lost)}; {why}." for why, lost in reasons.items()]
    return "\n".join(lines)
