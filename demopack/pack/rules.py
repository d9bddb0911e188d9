"""The rules of a good pack, as data, and findings about them. Ids are stable: tools and people refer to them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final, Literal

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that is wrong with a pack.

    Attributes:
        rule: the stable id, for instance ``G05``.
        severity: an error makes the pack unfit; a warning should be looked at.
        file: path inside the pack.
        line: of that file, from 1; None where the file as a whole is meant.
        message: what is wrong, with the values.
        fix: what to do about it.
    """

    rule: str
    severity: Severity
    file: str
    line: int | None
    message: str
    fix: str

    def to_json(self) -> dict[str, Any]:
        """All fields as a plain dict."""
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckReport:
    """What was looked at, and what was found.

    Attributes:
        kind: what the folder is: one of :data:`demopack.pack.report.KINDS`.
        findings: errors first.
        checked: ids of the rules that were applied.
        skipped: rule id -> why it could not be applied.
        files: how many were looked at.
        unchanged: of these, known from an earlier check and not read again.
    """

    kind: str
    findings: Sequence[Finding]
    checked: Sequence[str]
    skipped: dict[str, str] = field(default_factory=dict[str, str])
    files: int = 0
    unchanged: int = 0

    @property
    def ok(self) -> bool:
        """Whether there is no error."""
        return all(finding.severity != "error" for finding in self.findings)


DOC: Final = "docs/formats/pack.md"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One rule.

    Attributes:
        id: stable; the letter says what it is about (G geometry, I pictures and files, S sequence, A actions, T trees,
            P privacy and paths, V version, H form of the lines, X completeness, R rationale, L licence, Z size).
        severity: an error makes the pack unfit; a warning should be looked at.
        what: the rule as a sentence.
        fix: what to do where it is broken.
        mends: what ``demopack check --fix`` does about it; empty where that is not safe.
        publish: whether a warning becomes an error with ``--publish``.
        folders: whether it can be checked on folders of other formats too.
    """

    id: str
    severity: Severity
    what: str
    fix: str
    mends: str = ""
    publish: bool = False
    folders: bool = False

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
_LOOK = "Look at the step in the editor; where it is right as it is, leave it."
_WRITER = "Correct the program that wrote the folder, and write it again."

_ALL = (
    Rule(id="V01", severity="error", what="pack.json says the format and a schema_version that this program reads.",
         fix="Update demopack if a newer one wrote the pack; otherwise export it again."),
    Rule(id="H01", severity="error", what="No row has `type` beside `message` or `payload` at its top: loaders take "
         "it for a log of an agent.", fix="Put the fields one level deeper, or name them otherwise.", folders=True),
    Rule(id="H03", severity="error", what="Every row has exactly the fields of its schema, with their types.",
         fix=_EXPORT, folders=True),
    Rule(id="H04", severity="error", what="Text is UTF-8 without a byte order mark, lines end with LF, every line is "
         "one JSON object, and no number is NaN, infinite or beyond 2^62.", fix=_EXPORT,
         mends="drops byte order marks, carriage returns and empty lines, and ends the last line", folders=True),
    Rule(id="H05", severity="warning", what="schema/ holds the JSON Schemas of this version: who validates by them "
         "takes every row that this program takes.", fix="Import the pack and export it again."),
    Rule(id="H06", severity="warning", what="Text reads as it was written: no letters that come of taking UTF-8 for "
         "Latin-1, as in `ZoÃ«`.", fix="Read the source again as UTF-8, and write the text anew.", folders=True),
    Rule(id="P01", severity="error", what="Every path is relative, uses forward slashes and stays inside the pack.",
         fix="Do not use this pack, or ask its author for a clean one.", folders=True),
    Rule(id="P02", severity="warning", what="No text holds a secret: a card, an account, a token, a key, a password.",
         fix=_REDACT, publish=True, folders=True),
    Rule(id="P03", severity="warning", what="No text holds personal data that nobody decided to keep: an e-mail "
         "address, a telephone number, a user name in a path, an internet address.", fix=_REDACT, publish=True,
         folders=True),
    Rule(id="H02", severity="error", what="File names are made of A-Z a-z 0-9 _ . - only.",
         fix="Rename the file where it is named, or export again.", mends="renames the file wherever it is named",
         folders=True),
    Rule(id="P04", severity="error", what="Pictures carry pixels only: no text, time, EXIF or other chunks.",
         fix="Export again, or strip the pictures with any tool that drops metadata.",
         mends="drops everything but the pixels, which stay as they are", folders=True),
    Rule(id="P05", severity="warning", what="What was painted over on a picture is not told by its elements "
         "or trees.",
         fix="Run `demopack redact` on the demo, or reject the element in the editor, and export again.",
         publish=True),
    Rule(id="P06", severity="warning", what="No text names this machine or its user (looked for with --publish).",
         fix=_REDACT, publish=True, folders=True),
    Rule(id="I01", severity="error", what="Every picture that is named exists, can be decoded and is in colour.",
         fix=_EXPORT, folders=True),
    Rule(id="I02", severity="error", what="Size and SHA-256 of every file are those of pack.json, and a picture's "
         "pixels are those of its id.", fix=_EXPORT),
    Rule(id="I03", severity="error", what="Every picture under frames/ is used by a demo.",
         fix="Remove the picture (it may show what was deleted on purpose), or export again.",
         mends="leaves the picture out", folders=True),
    Rule(id="I04", severity="error", what="Pictures are what their ending says (PNG) and have at most 10 MB.",
         fix="Convert the picture, or record a smaller part of the screen.", folders=True),
    Rule(id="I05", severity="warning", what="Every file of the folder is listed in pack.json; others are no part of "
         "the pack: an export leaves them alone, and nobody vouches for them.",
         fix="Leave it if it is yours; keep it out where the pack is given away.", folders=True),
    Rule(id="I06", severity="warning", what="Nothing but tables, pictures, the page, the card, schemas and exports is "
         "listed in pack.json.", publish=True,
         fix="Do not open a file that you did not expect; ask the pack's author."),
    Rule(id="I07", severity="warning", what="index.html is a page as `demopack export` writes it: it runs no script "
         "but ours, and leads nowhere else.", fix="Do not open it; import the pack and export it again for a page of "
         "this version.", publish=True),
    Rule(id="G01", severity="error", what="Boxes lie on their picture, 0 <= x1 < x2 <= width and 0 <= y1 < y2 <= "
         "height; a target may be a single point.", fix="Clip the box to the picture.", folders=True),
    Rule(id="G02", severity="error", what="image_size, and width and height of every frame, are those of the picture.",
         fix=_EXPORT, folders=True),
    Rule(id="G03", severity="error", what="pack.json says how coordinates are meant.", fix=_EXPORT),
    Rule(id="G04", severity="warning", what="Coordinates use the whole scale that they are said to use: not all "
         "between 0 and 1 where pixels are meant, nor all up to 1000 on pictures that are wider.",
         fix="Find out which scale the numbers have, and convert them to pixels of the stored picture.", folders=True),
    Rule(id="G05", severity="error", what="The pointer acted inside the target's box.",
         fix="Open the step in the editor; move the box, or choose the element that was really meant."),
    Rule(id="G06", severity="error", what="x and y are not exchanged: the pointers do not fit their boxes better the "
         "other way round.", fix="Exchange x and y where the pack was made, and write it again."),
    Rule(id="G07", severity="warning", what="The pointer on the picture is where the raw event was on the desktop, "
         "less the picture's origin: place and scale of the monitor are right.",
         fix="Record again, or correct origin_x, origin_y and pixels_per_unit."),
    Rule(id="G10", severity="error", what="Positions are not multiplied by the scale at which programs draw. Early "
         "versions did that on scaled X11 desktops, and painted over what is secret in the wrong places.",
         fix="Do not use or publish this pack. Where its library is, run demopack repair there and export again; from "
         "the pack alone it cannot be mended."),
    Rule(id="G08", severity="warning", what="There is something to see in a target's box: it is not one colour.",
         fix=_LOOK),
    Rule(id="G09", severity="warning", what="Nothing smaller lies over the spot that was acted on, and no element "
         "stands there twice.", fix="Open the step in the editor; choose the element on top, or remove the double."),
    Rule(id="S01", severity="error", what="The steps of a demo are numbered 0, 1, 2, ... in the order of the file.",
         fix=_EXPORT, folders=True),
    Rule(id="S02", severity="error", what="Time does not run backwards: within a step, and from step to step.",
         fix=_EDIT, folders=True),
    Rule(id="S03", severity="error", what="Every row names a demo of demos.jsonl, and the rows of a demo stand "
         "together, in the order of demos.jsonl.", fix=_EXPORT),
    Rule(id="S04", severity="warning", what="The picture of a step was finished before its first event.", fix=_EDIT),
    Rule(id="S05", severity="error", what="A complete demo ends in its only finish_goal.",
         fix="Open the demo in the editor; let its last step, and no other, finish the task."),
    Rule(id="S06", severity="warning", what="A demo has an end: it was not cut off.",
         fix="Open the demo in the editor and add a last step that finishes the task, or leave the demo out."),
    Rule(id="S07", severity="warning", what="An action on an element shows an effect: its picture after differs from "
         "that before.", fix=_LOOK),
    Rule(id="S08", severity="warning", what="What an action changed is still there before the next one: the pictures "
         "of neighbouring steps fit together. A blinking caret is no change.", fix=_LOOK),
    Rule(id="A01", severity="error", what="Scrolling says up, down, left or right: the way the view moves, no sign.",
         fix="Write the direction as a word; `down` shows what was below.", folders=True),
    Rule(id="A02", severity="error", what="A scroll goes the way of its wheel events.",
         fix="Turn the direction round: a wheel event with negative dy moves the view down."),
    Rule(id="A03", severity="error", what="A pointer action says where: its target has a box, and not at (0, 0).",
         fix="Open the step in the editor and bind it to the element that was meant."),
    Rule(id="A04", severity="error", what="response and recorded_action fulfil the LLMResponse contract.", fix=_EDIT,
         folders=True),
    Rule(id="A05", severity="error", what="What a target says about its element (element_id, track_id, text, bbox) is "
         "what elements.jsonl says, or the list of elements that stands beside it.",
         fix="Open the step in the editor and choose its element again, then export.", folders=True),
    Rule(id="A06", severity="warning", what="A track_id names one element of a picture.",
         fix="Parse the demo again, or correct the elements in the editor."),
    Rule(id="A07", severity="warning", what="A response is written as demopack writes it: is_goal_complete stands with "
         "finish_goal and with no other action, a wait says how long it is, a scroll how far.",
         fix="Open the step in the editor, or correct the program that wrote the pack; readers have to guess.",
         folders=True),
    Rule(id="A08", severity="warning", what="Typed text is that of recorded_action, and what the keys wrote where that "
         "is certain.", fix=_LOOK),
    Rule(id="T01", severity="error", what="Every accessibility tree that a step names is a row of trees.jsonl with the "
         "content of its id, and every row is named by a step.", fix=_EXPORT),
    Rule(id="T02", severity="error", what="A secure field of a tree has no value.",
         fix="Run `demopack redact` on the demo, or export it with --no-trees."),
    Rule(id="X01", severity="error", what="There are as many rows and pictures as pack.json and demos.jsonl say.",
         fix=_EXPORT),
    Rule(id="X02", severity="error", what="Every export has an EXPORT_LOG.json, and its numbers are those of the "
         "files: rows in = rows out + rows left out.", fix="Export that format again.", folders=True),
    Rule(id="X03", severity="error", what="A conversation has as many places for pictures as pictures.",
         fix=_WRITER, folders=True),
    Rule(id="X04", severity="error", what="In a conversation, user and assistant take turns, and the assistant has "
         "the last word.", fix=_WRITER, folders=True),
    Rule(id="X05", severity="error", what="Every answer in an export of ours can be read back with the codec that "
         "wrote it, and has the exact form in which that codec writes.", fix="Export that format again.", folders=True),
    Rule(id="R01", severity="warning", what="Every step has a reasoning, and it tells nothing that is seen only "
         "afterwards.", fix="Run `demopack rationale`, or write the rationale in the editor."),
    Rule(id="R02", severity="warning", what="A rationale says who wrote it: the person, or the model by name.",
         fix="Run `demopack rationale` again, or name the writer."),
    Rule(id="R03", severity="warning", what="A reasoning has at most 2,000 characters, and is not the same for three "
         "steps in a row.", fix="Shorten the rationale in the editor, or have it written again."),
    Rule(id="L01", severity="warning", what="The pack says under which licence it may be used.",
         fix="Export with --licence, for instance --licence CC-BY-4.0.", publish=True),
    Rule(id="L02", severity="warning", what="The pack says what the recorded person agreed to (looked for with "
         "--publish).", fix="Export with --consent.", publish=True),
    Rule(id="L03", severity="warning", what="Every demo names its application (looked for with --publish).",
         fix="Name it in the demo's head, and export again.", publish=True),
    Rule(id="L04", severity="warning", what="Of everything that may be private somebody decided whether it stays "
         "(looked for with --publish).", fix="Run `demopack redact --list`, decide, and export again.", publish=True),
    Rule(id="Z01", severity="warning", what="No file has more than 500 MB, and a demo stores each picture once.",
         fix="Split the pack (`demopack pack split`), or export again.", folders=True),
)  # fmt: skip

RULES: Final[dict[str, Rule]] = {rule.id: rule for rule in _ALL}

_MAX_OF_A_RULE = 1000


class Findings:
    """What a check has found so far.

    Where rows are missing or belong to nobody, everything that counts or joins them would only repeat that. Such
    findings are given to :meth:`join` and :meth:`count`, and dropped at the end if the tables turned out broken.

    Attributes:
        torn: whether a table is missing or has lines that cannot be read.
        mixed: whether rows belong to nobody, or do not stand together.
    """

    def __init__(self) -> None:
        self.torn = False
        self.mixed = False
        self._plain: list[Finding] = []
        self._joining: list[Finding] = []
        self._counting: list[Finding] = []
        self._times: Counter[str] = Counter()

    @property
    def total(self) -> int:
        """How many there were so far, kept or not."""
        return sum(self._times.values())

    def add(self, *found: Finding) -> None:
        """Keep findings that stand by themselves."""
        self._keep(self._plain, found)

    def join(self, found: Iterable[Finding]) -> None:
        """Keep findings that hold only where every row can be read."""
        self._keep(self._joining, found)

    def count(self, found: Iterable[Finding]) -> None:
        """Keep findings that hold only where every row can be read and belongs to a demo, once."""
        self._keep(self._counting, found)

    def _keep(self, where: list[Finding], found: Iterable[Finding]) -> None:
        # A pack that is wrong everywhere must not fill the memory with saying so.
        for finding in found:
            self._times[finding.rule] += 1
            if self._times[finding.rule] <= _MAX_OF_A_RULE:
                where.append(finding)

    def all(self, *, publish: bool = False) -> list[Finding]:
        """Errors first, then by rule, file and line; at most a thousand of each rule, the last of which says so.

        Where a pack is to be given away, to ``publish``, some warnings are errors; they stay in their place.
        """
        kept = list(self._plain)
        if not self.torn:
            kept += self._joining
            kept += [] if self.mixed else self._counting
        last = {finding.rule: number for number, finding in enumerate(kept)}
        for rule, number in last.items():
            more = self._times[rule] - _MAX_OF_A_RULE
            if more > 0:
                message = f"{kept[number].message} {more} more are not listed."
                kept[number] = replace(kept[number], message=message)
        kept.sort(key=lambda f: (f.severity != "error", f.rule, f.file, f.line or 0))
        return [replace(f, severity="error") if publish and RULES[f.rule].publish else f for f in kept]
