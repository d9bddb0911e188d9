"""The rules of a good pack, as data. Ids are stable: tools and people refer to them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from demopack.pack.findings import Finding, Severity

__all__ = ["RULES", "Rule"]

DOC: Final = "docs/formats/pack.md"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One rule.

    Attributes:
        id: stable; the letter says what it is about (G geometry, I pictures and files, S sequence, A actions,
            P privacy and paths, V version, H form of the lines, X completeness, R rationale, L licence).
        severity: an error makes the pack unfit; a warning should be looked at.
        what: the rule as a sentence.
        fix: what to do where it is broken.
    """

    id: str
    severity: Severity
    what: str
    fix: str

    @property
    def anchor(self) -> str:
        """Where the rule is explained."""
        return f"{DOC}#{self.id.lower()}"

    def broken(self, file: str, line: int | None, message: str) -> Finding:
        """A finding of this rule."""
        return Finding(rule=self.id, severity=self.severity, file=file, line=line, message=message, fix=self.fix)


_EXPORT = "Export the demos again, or get the pack again from its author."
_EDIT = "Open the demo in the editor, correct the step, and export again."
_REDACT = "Run `demopack redact` on the demo, replace it or say that it may stay, and export again."

_ALL = (
    Rule(id="V01", severity="error", what="pack.json says the format and a schema_version that this program reads.",
         fix="Update demopack if a newer one wrote the pack; otherwise export it again."),
    Rule(id="H03", severity="error", what="Every row has exactly the fields of its schema, with their types.",
         fix=_EXPORT),
    Rule(id="H04", severity="error", what="Text is UTF-8 without a byte order mark, lines end with LF, every line is "
         "one JSON object, and no number is NaN or infinite.", fix=_EXPORT),
    Rule(id="P01", severity="error", what="Every path is relative, uses forward slashes and stays inside the pack.",
         fix="Do not use this pack, or ask its author for a clean one."),
    Rule(id="P02", severity="warning", what="No text holds a secret: a card, an account, a token, a key, a password.",
         fix=_REDACT),
    Rule(id="P03", severity="warning", what="No text holds personal data that nobody decided to keep: an e-mail "
         "address, a telephone number, a user name in a path, an internet address.", fix=_REDACT),
    Rule(id="H02", severity="error", what="File names are made of A-Z a-z 0-9 _ . - only.",
         fix="Rename the file where it is named, or export again."),
    Rule(id="P04", severity="error", what="Pictures carry pixels only: no text, time, EXIF or other chunks.",
         fix="Export again, or strip the pictures with any tool that drops metadata."),
    Rule(id="I01", severity="error", what="Every picture that is named exists, can be decoded and is in colour.",
         fix=_EXPORT),
    Rule(id="I02", severity="error", what="Size and SHA-256 of every file are those of pack.json, and a picture's "
         "pixels are those of its id.", fix=_EXPORT),
    Rule(id="I03", severity="error", what="Every picture under frames/ is used by a demo.",
         fix="Remove the picture (it may show what was deleted on purpose), or export again."),
    Rule(id="I04", severity="error", what="Pictures are what their ending says (PNG) and have at most 10 MB.",
         fix="Convert the picture, or record a smaller part of the screen."),
    Rule(id="I05", severity="warning", what="Every file is listed in pack.json.",
         fix="Remove the file, or export again."),
    Rule(id="G01", severity="error", what="Boxes lie on their picture, 0 <= x1 < x2 <= width and 0 <= y1 < y2 <= "
         "height; a target may be a single point.", fix="Clip the box to the picture."),
    Rule(id="G02", severity="error", what="image_size, and width and height of every frame, are those of the picture.",
         fix=_EXPORT),
    Rule(id="G03", severity="error", what="pack.json says how coordinates are meant.", fix=_EXPORT),
    Rule(id="G05", severity="error", what="The pointer acted inside the target's box.",
         fix="Open the step in the editor; move the box, or choose the element that was really meant."),
    Rule(id="S01", severity="error", what="The steps of a demo are numbered 0, 1, 2, ... in the order of the file.",
         fix=_EXPORT),
    Rule(id="S02", severity="error", what="Time does not run backwards: within a step, and from step to step.",
         fix=_EDIT),
    Rule(id="S03", severity="error", what="Every row names a demo of demos.jsonl, and the rows of a demo stand "
         "together.", fix=_EXPORT),
    Rule(id="S04", severity="warning", what="The picture of a step was finished before its first event.", fix=_EDIT),
    Rule(id="S05", severity="error", what="A complete demo ends in its only finish_goal.",
         fix="Open the demo in the editor; let its last step, and no other, finish the task."),
    Rule(id="S06", severity="warning", what="A demo has an end: it was not cut off.",
         fix="Open the demo in the editor and add a last step that finishes the task, or leave the demo out."),
    Rule(id="A03", severity="error", what="A pointer action says where: its target has a box, and not at (0, 0).",
         fix="Open the step in the editor and bind it to the element that was meant."),
    Rule(id="A04", severity="error", what="response and recorded_action fulfil the LLMResponse contract.", fix=_EDIT),
    Rule(id="A05", severity="error", what="What a target says about its element (element_id, track_id, text, bbox) is "
         "what elements.jsonl says.",
         fix="Open the step in the editor and choose its element again, then export."),
    Rule(id="X01", severity="error", what="There are as many rows and pictures as pack.json and demos.jsonl say.",
         fix=_EXPORT),
    Rule(id="R01", severity="warning", what="Every step has a reasoning, and it tells nothing that is seen only "
         "afterwards.", fix="Run `demopack rationale`, or write the rationale in the editor."),
    Rule(id="L01", severity="warning", what="The pack says under which licence it may be used.",
         fix="Export with --licence, for instance --licence CC-BY-4.0."),
)  # fmt: skip

RULES: Final[dict[str, Rule]] = {rule.id: rule for rule in _ALL}
