"""From actions that were read to a demo: places as pixels, ids, provenance, the screen after each step."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Literal

from demopack.clock import utc_now
from demopack.domain.actions import ActionTarget, AgentAction
from demopack.domain.binding import point_target
from demopack.domain.demos import Demo, DemoHead
from demopack.domain.elements import Element
from demopack.domain.frames import Frame, RgbImage
from demopack.domain.geometry import Point, Size
from demopack.domain.provenance import Provenance
from demopack.domain.rationale import Rationale
from demopack.domain.steps import CaptureQuality, Pointer, Step
from demopack.importing.report import DemoReport, Ledger

__all__ = ["START_NS", "Builder", "Coordinates", "ImportOptions", "Imported", "demo_id", "on_picture"]

Coordinates = Literal["auto", "pixels", "fractions", "percent", "thousand"]
"""How places are written; ``auto`` is what the format's documentation says, and doubt is an error."""

START_NS: Final = 1_000_000_000
"""The monotonic clock of an import begins here: 0 means that a time is unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportOptions:
    """What the person who imports says.

    Attributes:
        skip_bad: leave out what cannot be read, and count it, instead of stopping.
        coordinates: how places are written.
        screen: size of the screen that pixels are meant for, where the pictures have another one.
        task: of demos whose files do not say it.
        now: taken where a file has no times.
    """

    skip_bad: bool = False
    coordinates: Coordinates = "auto"
    screen: Size | None = None
    task: str = ""
    now: datetime = field(default_factory=utc_now)


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """One demo, ready to be stored.

    Attributes:
        demo: every value of it.
        image: the pixels of its pictures, by frame id.
        report: what was assumed and lost.
    """

    demo: Demo
    image: Callable[[str], RgbImage]
    report: DemoReport


def demo_id(kind: str, *parts: str) -> str:
    """An id that the same source always gets, so that nothing is imported twice."""
    digest = hashlib.sha256("\0".join((kind, *parts)).encode("utf-8", "surrogatepass"))
    return f"demo_{digest.hexdigest()[:10]}"


def on_picture(action: AgentAction, frame: Frame | None) -> tuple[AgentAction, Pointer | None]:
    """The action with its points on whole pixels of the picture, and the pointer; as it is without a picture."""
    box = None if action.target is None else action.target.bbox
    if frame is None or box is None or box[2] or box[3]:
        return action, None
    start = _pixel(box, frame.size)
    wire: dict[str, Any] = action.to_wire()
    wire["target"] = {**wire["target"], **point_target(start, frame).to_wire()}
    pointer = Pointer(x=start.x, y=start.y)
    last = action.end_target
    if last is not None and last.bbox is not None:
        end = _pixel(last.bbox, frame.size)
        wire["parameters"] = {
            **wire["parameters"],
            "end_target": {**last.to_wire(), **point_target(end, frame).to_wire()},
        }
        pointer = Pointer(x=start.x, y=start.y, end_x=end.x, end_y=end.y)
    return AgentAction.model_validate(wire), pointer


def _pixel(box: Sequence[float], size: Size) -> Point:
    x, y = round(box[0] * size.width), round(box[1] * size.height)
    return Point(min(x, size.width - 1), min(y, size.height - 1))


@dataclass(kw_only=True)
class Builder:
    """Collects the steps of one demo.

    Attributes:
        title: of the format, for provenance.
        demo: id.
        ledger: counts.
        options: of the import.
        steps: so far.
        elements: by frame id.
        pending: notes that wait for the next step.
    """

    title: str
    demo: str
    ledger: Ledger
    options: ImportOptions
    steps: list[Step] = field(default_factory=list[Step])
    elements: dict[str, tuple[Element, ...]] = field(default_factory=dict[str, tuple[Element, ...]])
    pending: list[str] = field(default_factory=list[str])

    def provenance(self, at: datetime | None = None) -> Provenance:
        """Where everything of this demo comes from."""
        return Provenance(
            kind="recorder", name="import", at=at or self.options.now, reason=f"imported from {self.title}"
        )

    def rationale(self, thought: str, *, observation: str = "") -> Rationale | None:
        """What the source says about why; None where it says nothing."""
        if not thought.strip() and not observation.strip():
            return None
        return Rationale(observation=observation.strip(), thought=thought.strip(), provenance=self.provenance())

    def add(self, action: AgentAction, *, before: Frame | None, where: str, **given: Any) -> Step:  # noqa: ANN401
        """One more step.

        Args:
            action: its places as fractions 0..1.
            before: the screen before it.
            where: in the source, for the report.
            given: other fields of a step; ``seconds`` since the demo's begin, and ``lasted`` seconds.
        """
        placed, pointer = on_picture(action, before)
        seconds, lasted = given.pop("seconds", None), given.pop("lasted", 0.0)
        started = 0 if seconds is None else START_NS + round(max(0.0, seconds) * 1e9)
        note = "\n".join([*self.pending, *([given.pop("note")] if given.get("note") else [])])
        given.pop("note", None)
        self.pending.clear()
        step = Step(
            id=f"{self.demo}_step{len(self.steps):04}",
            position=(len(self.steps) + 1) * 1000,
            action=placed,
            pointer=given.pop("pointer", pointer),
            before=before,
            started_ns=started,
            ended_ns=0 if seconds is None else started + round(max(0.0, lasted) * 1e9),
            note=note,
            **given,
        )
        if _is_point(placed.target) and step.target_uid is None:
            self.ledger.assume("points", "targets are points only: no element is known at them", where)
        if before is None:
            self.ledger.assume("no_picture", "there is no picture of the screen before the step", where)
        self.steps.append(step)
        return step

    def several(self, actions: Sequence[AgentAction], *, before: Frame | None, where: str, **given: Any) -> None:  # noqa: ANN401
        """The steps of one row; only the first has the row's words, and the later ones are in doubt."""
        for number, action in enumerate(actions):
            if number == 0:
                self.add(action, before=before, where=where, **given)
                continue
            self.ledger.assume(
                "several", "one row does several things: the later ones show the screen before the first", where
            )
            times = {name: given[name] for name in ("seconds",) if name in given}
            quality = CaptureQuality(changed_before_event=True)
            self.add(action, before=before, where=where, quality=quality, **times)

    def note(self, words: str, where: str) -> None:
        """Something that is no action of ours: it is written down with the next step."""
        self.ledger.rows_noted += 1
        self.pending.append(words)
        self.ledger.lose("noted", "what has no action of ours: kept as a note of the step that follows", where)

    def follow(self) -> None:
        """Each step's screen after it is the next one's screen before it."""
        for index, (step, later) in enumerate(zip(self.steps, self.steps[1:], strict=False)):
            if step.after is None and later.before is not None:
                self.steps[index] = step.model_copy(update={"after": later.before})
                self.ledger.assume("after", "the screen after a step is taken to be the one before the next", step.id)

    def finish(self, image: Callable[[str], RgbImage], **head: Any) -> Imported:  # noqa: ANN401 - a head's fields
        """The demo; ``head`` holds the fields of its head."""
        self._close(head.get("outcome"))
        if self.pending and self.steps:
            last = self.steps[-1]
            note = "\n".join([part for part in (last.note, *self.pending) if part])
            self.steps[-1] = last.model_copy(update={"note": note})
            self.pending.clear()
        made = DemoHead.model_validate(
            {"id": self.demo, "status": "complete", "started_ns": START_NS if self._timed else 0, **head}
        )
        demo = Demo(
            head=made,
            steps=tuple(self.steps),
            elements={key: tuple(sorted(found, key=lambda e: e.uid)) for key, found in self.elements.items() if found},
            parsed=frozenset(self.elements),
        )
        report = self.ledger.report(demo=self.demo, task=made.task, steps=len(demo.steps), pictures=len(demo.frames()))
        return Imported(demo=demo, image=image, report=report)

    def _close(self, outcome: object) -> None:
        """A last step that ends the task, where the source says how it ended but not in a step."""
        if outcome is None or not self.steps or self.steps[-1].action.action_type == "finish_goal":
            return
        last = self.steps[-1]
        why = "how the task ended is said beside the steps; it became a last step"
        self.ledger.assume("ending", why, self.ledger.source)
        parameters = {} if outcome == "success" else {"status": "failure"}
        seconds = None if not last.ended_ns else (last.ended_ns - START_NS) / 1e9
        action = AgentAction(action_type="finish_goal", parameters=parameters)
        self.add(action, before=last.after, where=self.ledger.source, seconds=seconds)

    @property
    def _timed(self) -> bool:
        return any(step.started_ns for step in self.steps)

    def untimed(self, created: datetime | None) -> datetime:
        """When the demo was made; reported where the source does not tell, as are missing times of steps."""
        if not self._timed:
            self.ledger.assume("no_times", "the source does not say when each step was done", self.ledger.source)
        if created is None:
            self.ledger.assume(
                "created", "the source does not say when it was made; the time of the import stands", self.ledger.source
            )
        return created or self.options.now

    def task(self, words: str) -> str:
        """The task in the source's words, else the one that was given; reported where nobody says it."""
        if words.strip():
            return words.strip()
        why = "the source does not say what the task was; " + (
            "the one that was given with --task stands" if self.options.task else "say it with --task, or in the editor"
        )
        self.ledger.assume("task", why, self.ledger.source)
        return self.options.task


def _is_point(target: ActionTarget | None) -> bool:
    return target is not None and target.bbox is not None and not target.bbox[2] and not target.bbox[3]
