"""A demonstration: its head, its steps, the elements on its frames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import Field

from demopack.domain.elements import Element, reading_order
from demopack.domain.frames import Frame
from demopack.domain.proofs import ReplayProof
from demopack.domain.rationale import basis_of
from demopack.domain.records import Moment, Nanoseconds, Record
from demopack.domain.steps import Step
from demopack.domain.trees import WindowTree
from demopack.domain.verdicts import Answer, DemoVerdict

DemoStatus = Literal["recording", "partial", "complete"]


class CaptureCounters(Record):
    """What went through the recorder.

    Attributes:
        events_seen: raw input events that the hooks delivered.
        events_dropped: of these, lost because the queue was full; 0 in a good recording.
        frames_grabbed: screenshots taken.
        frames_kept: of these, different from the one before.
        steps_forgotten: steps that the person had removed for good while recording.
        secrets_hidden: typed texts that were never stored because they were secret.
    """

    events_seen: int = 0
    events_dropped: int = 0
    frames_grabbed: int = 0
    frames_kept: int = 0
    steps_forgotten: int = 0
    secrets_hidden: int = 0


class PrivateValue(Record):
    """What a person decided about one private value; the value itself is not in here.

    Attributes:
        kind: what it is, for instance ``email``.
        placeholder: what stands for it, for instance ``<email:1>``.
        decision: replace it wherever it occurs, or keep it.
    """

    kind: str
    placeholder: str
    decision: Literal["replace", "keep"]


class Origin(Record):
    """What the source of an imported demo says that a demo has no field of its own for.

    An export to the same format gives it back, so that nothing of the source is lost on the way through a library.

    Attributes:
        format: that it was imported from, by the importer's name.
        said: fields of the source under its own names, without those that the demo itself says.
        steps: rows of the source by the id of the step that each became, in the order of the source; rows that became
            no step stand with the step that follows them, else with the last.
    """

    format: str
    said: dict[str, Any] = Field(default_factory=dict[str, Any])
    steps: dict[str, tuple[dict[str, Any], ...]] = Field(default_factory=dict[str, tuple[dict[str, Any], ...]])


class DemoHead(Record):
    """What is known about a demo as a whole.

    Attributes:
        schema_version: of this record.
        id: its identity.
        task: what the person set out to do, in their words.
        app: main application; may be empty.
        platform: operating system and session, for instance ``linux-x11``.
        created_at: wall clock at the start, UTC.
        started_ns: monotonic clock at the same moment.
        status: ``recording`` while it runs, ``partial`` when it was cut off, ``complete`` after a stop.
        outcome: whether the task was done; None while unknown.
        outcome_reason: why it failed; may be empty.
        missing: of a partial demo: what is not there, and why, in the user's words.
        accepted: whether a person looked at the recording and took it.
        take_of: of a re-recording that has not been joined yet: the demo whose end it replaces.
        take_after: the step of that demo after which it goes on; empty for its beginning.
        area: what was captured: ``all``, ``monitor:NAME``, ``window:TITLE`` or ``region:X,Y,WxH``.
        final_frame: the screen at the end.
        licence: SPDX identifier for publishing; empty means not to be published.
        counters: what went through the recorder.
        redaction: what was decided about private values, by the digest of each
            (:func:`demopack.redaction.values.digest`); never exported.
        verdict: what a judge said about the demo as a whole; None until a model was asked.
        origin: what an imported demo's source says beyond all this; None where there is nothing.
        proof: the last replay that reached the recorded state; None while there was none.
    """

    schema_version: Literal[1] = 1
    id: str
    task: str = ""
    app: str = ""
    platform: str = ""
    created_at: Moment
    started_ns: Nanoseconds = 0
    status: DemoStatus = "recording"
    outcome: Literal["success", "failure"] | None = None
    outcome_reason: str = ""
    missing: str = ""
    accepted: bool = False
    take_of: str = ""
    take_after: str = ""
    area: str = "all"
    final_frame: Frame | None = None
    licence: str = ""
    counters: CaptureCounters = CaptureCounters()
    redaction: dict[str, PrivateValue] = Field(default_factory=dict[str, PrivateValue])
    verdict: DemoVerdict | None = None
    origin: Origin | None = None
    proof: ReplayProof | None = None

    @property
    def done(self) -> Answer:
        """Whether the task was done: as a judge said, else as the person said; ``unsure`` where nobody did."""
        if self.verdict is not None:
            return self.verdict.complete
        return "unsure" if self.outcome is None else "yes" if self.outcome == "success" else "no"


class DemoSummary(Record):
    """One row of the library list, cheap to read.

    Attributes:
        head: the demo.
        steps: how many.
        rationales: steps that have one.
        approved: steps that a person approved.
        first_frame: picture for the list; None for an empty demo.
        doubtful: steps that a person doubts.
        elements: how many there are on its frames, rejected ones aside.
        elements_approved: of these, approved by a person.
        elements_doubtful: of these, doubted by a person.
        elements_rejected: what a finder found and a person rejected.
        types: of its elements, sorted.
        actions: kinds of action in it, sorted.
        verified: a replay reached the recorded state, and the steps are still those that it performed.
        damage: what of it cannot be read, in words; the head is then what is left of it, and the demo cannot be opened.
    """

    head: DemoHead
    steps: int
    rationales: int
    approved: int
    first_frame: str | None
    doubtful: int = 0
    elements: int = 0
    elements_approved: int = 0
    elements_doubtful: int = 0
    elements_rejected: int = 0
    types: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    verified: bool = False
    damage: str = ""

    @property
    def proof(self) -> ReplayProof | None:
        """As of the demo: the last replay that reached the recorded state, while it holds."""
        return self.head.proof if self.verified else None


@dataclass(frozen=True, kw_only=True)
class Demo:
    """A demo as it stands now, with every edit applied.

    Attributes:
        head: what is known about it as a whole.
        steps: in order.
        elements: by frame id; a frame that is missing here has none.
        parsed: ids of the frames on which a program has looked for elements, even if it found none. Boxes that a person
            drew do not make a frame parsed.
        trees: the accessibility trees that its steps name, by id; read when they are asked for, which may raise
            ``LibraryError`` for a damaged one. They belong to the steps, which name them by their content.
        log_seq: how far the log of its edits went when it was read from a library; says nothing about what it is.
    """

    head: DemoHead
    steps: tuple[Step, ...]
    elements: Mapping[str, tuple[Element, ...]]
    parsed: frozenset[str] = frozenset()
    trees: Mapping[str, WindowTree] = field(default_factory=dict[str, WindowTree], compare=False, repr=False)
    log_seq: int = field(default=0, compare=False)

    def frames(self) -> list[Frame]:
        """Every frame once, in order of first use: before, after, ..., final."""
        return frames_shown(self.steps, self.head.final_frame)

    @property
    def proof(self) -> ReplayProof | None:
        """The last replay that reached the recorded state; None where there was none, or the steps are others now."""
        proof = self.head.proof
        return proof if proof is not None and proof.holds_for(self.steps) else None

    def tree_ids(self) -> list[str]:
        """The accessibility trees that its steps name, each once, in order of first use."""
        return list(dict.fromkeys(reading.tree for step in self.steps for reading in step.trees))

    def shown_by(self, frame_id: str) -> str:
        """Which moments a frame shows, in words, for instance ``after step 3 and before step 4``; empty for none."""
        found: list[str] = []
        for number, step in enumerate(self.steps, start=1):
            found += [f"before step {number}"] * (step.before is not None and step.before.id == frame_id)
            found += [f"after step {number}"] * (step.after is not None and step.after.id == frame_id)
        return " and ".join(found)

    def ordered(self, frame_id: str) -> list[Element]:
        """The elements of one frame in reading order; the position from 1 is their ``element_id``."""
        return reading_order(self.elements.get(frame_id, ()))


def frames_shown(steps: Iterable[Step], final: Frame | None) -> list[Frame]:
    """The frames of some steps, and a final one, each once, in order of first use: before, after, ..., final."""
    shown = [frame for step in steps for frame in step.frames]
    if final is not None:
        shown.append(final)
    seen: dict[str, Frame] = {}
    for frame in shown:
        seen.setdefault(frame.id, frame)
    return list(seen.values())


def step_basis(step: Step, demo: Demo) -> str:
    """The fingerprint (:func:`demopack.domain.rationale.basis_of`) of a step as the demo stands now."""
    elements = () if step.before is None else demo.elements.get(step.before.id, ())
    return basis_on(step, task=demo.head.task, elements=elements)


def basis_on(step: Step, *, task: str, elements: Iterable[Element]) -> str:
    """As :func:`step_basis`, from the demo's task and the elements on the step's before-frame."""
    found = {element.uid: element for element in elements if element.review != "rejected"}
    target, end = found.get(step.target_uid or ""), found.get(step.end_uid or "")
    return basis_of(task=task, action=step.action, target=target, end_target=end)


def is_stale(step: Step, demo: Demo) -> bool:
    """Whether task, action, target or target's looks changed since the rationale was written.

    A rationale whose basis is not known, because an older version or a person's own words made it, is never stale.
    """
    rationale = step.rationale
    return rationale is not None and bool(rationale.basis) and rationale.basis != step_basis(step, demo)
