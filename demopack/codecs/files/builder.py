"""Builder of imported demos: places in any unit, ids, provenance, screens; bad rows stop it or are counted."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise
from typing import Any, Final

from pydantic import ValidationError

from demopack.codecs.catalogue import decode_answer
from demopack.codecs.files.base import ImportedDemo, Importer, ImportLog, ImportOptions, SkippedDemos
from demopack.codecs.files.json_object import BadRowError, JsonObject, unfit
from demopack.codecs.files.pictures import FrameLoader
from demopack.codecs.files.source import SourceFiles
from demopack.codecs.observation import Observation
from demopack.domain.actions import Action, ActionTarget, FinishGoalAction
from demopack.domain.binding import point_target
from demopack.domain.demos import Demo, DemoHead
from demopack.domain.elements import Element
from demopack.domain.frames import Frame
from demopack.domain.geometry import Point, Size
from demopack.domain.provenance import Provenance
from demopack.domain.rationale import Rationale
from demopack.domain.steps import CaptureQuality, Pointer, Step
from demopack.errors import ActionError

START_NS: Final = 1_000_000_000
"""The monotonic clock of an import begins here: 0 means that a time is unknown."""
_UNITS: Final = {"fractions": Size(1, 1), "percent": Size(100, 100), "thousand": Size(1000, 1000)}
_WORDS: Final = {
    "fractions": "places are read as fractions 0..1 of the picture",
    "percent": "places are read as percent of the picture",
    "thousand": "places are read on a grid of 1000 by 1000 over the picture",
}
_READINGS: Final = (
    ("The Enter after", "joined_enter", "an Enter right after typing was joined with it"),
    ("The move before", "joined_move", "a move of the pointer just before an action was joined with it"),
    ("The answer does not say how far", "scroll_steps", "how far to scroll is not said; 3 notches are taken"),
    ("The answer does not say how long", "wait_seconds", "how long to wait is not said; 1 second is taken"),
    ("The wait has no duration", "wait_seconds", "how long to wait is not said; 1 second is taken"),
    ("The action has no place", "pointer_left", "an action without a place was done where the pointer had been left"),
    ("The same key", "joined_presses", "the same key several times in a row was joined"),
    ("The wait after", "joined_rest", "a wait right after a move was read as resting there"),
    ("Clearing the field", "clear_first", "a field that is cleared before typing is not said by the action"),
    ("Of a slanting scroll", "slanting", "of a slanting scroll only the longer way was read"),
    ("What follows the function", "arguments", "what stands behind the name of a function was not read"),
)


def demo_id(kind: str, *parts: str) -> str:
    """An id that the same source always gets, so that nothing is imported twice."""
    digest = hashlib.sha256("\0".join((kind, *parts)).encode("utf-8", "surrogatepass"))
    return f"demo_{digest.hexdigest()[:10]}"


def _on_picture(action: Action, frame: Frame | None) -> tuple[Action, Pointer | None]:
    """The action with its points on whole pixels of the picture, and the pointer; as it is without a picture."""
    box = None if action.target is None else action.target.bbox
    if frame is None or action.target is None or box is None or box[2] or box[3]:
        return action, None
    start = pixel_at(box, frame.size)
    update = {"target": _moved(action.target, start, frame)}
    pointer = Pointer(x=start.x, y=start.y)
    if action.end is not None and action.end.bbox is not None:
        end = pixel_at(action.end.bbox, frame.size)
        update["end_target"] = _moved(action.end, end, frame)
        pointer = Pointer(x=start.x, y=start.y, end_x=end.x, end_y=end.y)
    return action.model_copy(update=update), pointer


def _moved(target: ActionTarget, point: Point, frame: Frame) -> ActionTarget:
    return target.model_copy(update={"bbox": point_target(point, frame).bbox})


def pixel_at(fractions: Sequence[float], size: Size) -> Point:
    """The pixel of a picture that lies there; the last one at the far edges."""
    x, y = round(fractions[0] * size.width), round(fractions[1] * size.height)
    return Point(min(x, size.width - 1), min(y, size.height - 1))


@dataclass(kw_only=True)
class DemoBuilder:
    """Collects the steps of one demo.

    Attributes:
        title: of the format, for provenance.
        log: counts.
        options: of the import.
        frames: the pictures.
        demo: id.
        steps: so far.
        elements: by frame id.
        pending: notes that wait for the next step.
    """

    title: str
    log: ImportLog
    options: ImportOptions
    frames: FrameLoader
    demo: str = ""
    steps: list[Step] = field(default_factory=list[Step])
    elements: dict[str, tuple[Element, ...]] = field(default_factory=dict[str, tuple[Element, ...]])
    pending: list[str] = field(default_factory=list[str])

    def provenance(self) -> Provenance:
        """Where everything of this demo comes from."""
        return Provenance(kind="recorder", name="import", at=self.options.now, reason=f"imported from {self.title}")

    def rationale(self, thought: str, *, observation: str = "") -> Rationale | None:
        """The rationale that the source gives; None where it says nothing."""
        if not thought.strip() and not observation.strip():
            return None
        return Rationale(observation=observation.strip(), thought=thought.strip(), provenance=self.provenance())

    def add(self, action: Action, *, before: Frame | None, where: str, **given: Any) -> Step:  # noqa: ANN401
        """One more step.

        Args:
            action: its places as fractions 0..1.
            before: the screen before it.
            where: in the source, for the report.
            given: other fields of a step; ``seconds`` since the demo's begin, and ``lasted`` seconds.
        """
        placed, pointer = _on_picture(action, before)
        seconds, lasted = given.pop("seconds", None), given.pop("lasted", 0.0)
        started = 0 if seconds is None else START_NS + round(max(0.0, seconds) * 1e9)
        note = "\n".join([*self.pending, *filter(None, [given.pop("note", "")])])
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
            self.log.assume("points", "targets are points only: no element is known at them", where)
        if before is None:
            self.log.assume("no_picture", "there is no picture of the screen before the step", where)
        self.steps.append(step)
        return step

    def several(self, actions: Sequence[Action], *, before: Frame | None, where: str, **given: Any) -> None:  # noqa: ANN401
        """The steps of one row; only the first has the row's words, and the later ones are in doubt."""
        for number, action in enumerate(actions):
            if number == 0:
                self.add(action, before=before, where=where, **given)
                continue
            self.log.assume(
                "several", "one row does several things: the later ones show the screen before the first", where
            )
            quality = CaptureQuality(changed_before_event=True)
            self.add(action, before=before, where=where, quality=quality, seconds=given.get("seconds"))

    def note(self, words: str, where: str) -> None:
        """Something that is no action of ours: it is written down with the next step."""
        self.log.rows_noted += 1
        self.pending.append(words)
        self.log.lose("noted", "what has no action of ours: kept as a note of the step that follows", where)

    def follow(self) -> None:
        """Each step's screen after it is the next one's screen before it."""
        for index, (step, later) in enumerate(zip(self.steps, self.steps[1:], strict=False)):
            if step.after is None and later.before is not None:
                self.steps[index] = step.model_copy(update={"after": later.before})
                self.log.assume("after", "the screen after a step is taken to be the one before the next", step.id)

    def finish(self, *, task: str, created: datetime | None = None, **head: Any) -> ImportedDemo:  # noqa: ANN401
        """The demo, and what was assumed where the source does not tell.

        Args:
            task: in the source's words; empty where it has none.
            created: when the demo was made; None where nobody says it.
            head: other fields of its head.
        """
        source, is_timed = self.log.source, any(step.started_ns for step in self.steps)
        if not is_timed:
            self.log.assume("no_times", "the source does not say when each step was done", source)
        if created is None:
            why = "the source does not say when it was made; the time of the import stands"
            self.log.assume("created", why, source)
        if not task.strip():
            way_out = "say it with --task, or in the editor"
            way_out = "the one that was given with --task stands" if self.options.task else way_out
            self.log.assume("task", f"the source does not say what the task was; {way_out}", source)
        self._close(head.get("outcome"))
        if self.pending and self.steps:
            last = self.steps[-1]
            note = "\n".join(filter(None, [last.note, *self.pending]))
            self.steps[-1] = last.model_copy(update={"note": note})
        known = {
            "id": self.demo,
            "status": "complete",
            "started_ns": START_NS if is_timed else 0,
            "task": task.strip() or self.options.task,
            "created_at": created or self.options.now,
        }
        made = DemoHead.model_validate({**known, **head})
        demo = Demo(
            head=made,
            steps=tuple(self.steps),
            elements={key: tuple(sorted(found, key=lambda e: e.uid)) for key, found in self.elements.items() if found},
            parsed=frozenset(self.elements),
        )
        report = self.log.report(demo=self.demo, task=made.task, steps=len(demo.steps), pictures=len(demo.frames()))
        return ImportedDemo(demo=demo, image=self.frames.image, report=report)

    def _close(self, outcome: object) -> None:
        """A last step that ends the task, where the source says how it ended but not in a step."""
        if outcome is None or not self.steps or self.steps[-1].action.action_type == "finish_goal":
            return
        last = self.steps[-1]
        why = "how the task ended is said beside the steps; it became a last step"
        self.log.assume("ending", why, self.log.source)
        seconds = None if not last.ended_ns else (last.ended_ns - START_NS) / 1e9
        action = FinishGoalAction(status="success" if outcome == "success" else "failure")
        self.add(action, before=last.after, where=self.log.source, seconds=seconds)

    def units(self, *, otherwise: str, frame: Frame | None, where: str) -> Size | None:
        """Units that a place is divided by, across and down; None where pixels are meant and nobody knows of what.

        Args:
            otherwise: the format's own way, for ``auto``.
            frame: the picture.
            where: in the source.
        """
        way = otherwise if self.options.coordinates == "auto" else self.options.coordinates
        if way in _UNITS:
            self.log.assume(f"coordinates_{way}", _WORDS[way], where)
            return _UNITS[way]
        size = None if frame is None else frame.size
        screen = self.options.screen or size
        if screen is not None and size is not None and screen != size:
            why = f"places are pixels of a screen of {screen.width} x {screen.height}, drawn to the size of the picture"
            self.log.assume("coordinates_scaled", why, where)
        else:
            self.log.assume("coordinates_pixels", "places are read as pixels of the picture", where)
        return screen

    def decode(
        self,
        row: JsonObject,
        field: str,
        value: Any,  # noqa: ANN401 - whatever the vocabulary is written in
        *,
        dialect: str,
        observation: Observation,
        where: str,
    ) -> list[Action]:
        """The actions that a field holds in some vocabulary; what its decoder repaired or assumed is logged.

        Raises:
            BadRowError: it cannot be read; file, line, field and way out are named.
        """
        try:
            decoded = decode_answer(value, dialect=dialect, observation=observation)
        except ActionError as error:
            hint = {
                "off_screen": "Say how places are meant with --coordinates, or for which screen with --screen.",
                "unknown_size": "Say for which screen places are meant with --screen, for instance 1920x1080.",
            }.get(error.code, "")
            shown = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            shown = shown if len(shown) <= 120 else f"{shown[:120]}…"
            raise row.wrong(field, f"{error.user_message} It says: {shown}", code=error.code, hint=hint) from error
        for note in decoded.notes:
            known = ((code, why) for start, code, why in _READINGS if note.startswith(start))
            self.log.assume(*next(known, (note[:40], note)), where)
        return [response.action for response in decoded.responses]

    def picture(self, row: JsonObject, field: str) -> Frame | None:
        """The picture that a row names; None where it has none, or where it is bad and bad ones are passed over.

        Raises:
            BadRowError: it is missing or damaged.
        """
        name = row.text(field)
        if not name:
            return None
        try:
            found = self.frames.files.find(name, near=row.file)
            if found is None:
                hint = "Put it beside the file or into images/, or import without it by --skip-bad."
                raise row.wrong(field, f"the picture {name!r} is not there", code="missing_picture", hint=hint)
            if not found.endswith(name.replace("\\", "/")):
                why = "pictures were found by the last part of their path alone"
                self.log.assume("moved_picture", why, row.place)
            return self.frames.file(found)
        except BadRowError as error:
            if not self.options.skip_bad:
                raise
            self.log.lose(error.code, "pictures that are missing or damaged", row.place)
            return None

    @contextlib.contextmanager
    def guarded(self, place: str, *, rows: int = 1) -> Generator[None]:
        """Some rows that belong together: used when all goes well; bad ones stop the import, or are counted if asked.

        Args:
            place: of the first row.
            rows: how many they are; 0 where others count them, and only a bad one counts here.
        """
        steps, noted = len(self.steps), self.log.rows_noted
        try:
            yield
        except (BadRowError, ActionError, ValidationError) as caught:
            error = unfit(caught, place) if isinstance(caught, ValidationError) else caught
            del self.steps[steps:]
            if not self.options.skip_bad:
                raise error from caught
            for _ in range(max(1, rows)):
                self.log.skip(getattr(error, "code", "damaged"), getattr(error, "why", error.user_message), place)
            return
        self.log.rows_used += rows - (self.log.rows_noted - noted)

    def note_gaps(self, rows: Sequence[JsonObject], name: str, *, twice: bool = False) -> None:
        """Tell where the numbers of steps jump, as they do in files that lost some.

        Args:
            rows: in the order of the file.
            name: of the field with the number.
            twice: whether several rows may have one number.
        """
        numbers = [int(number) for row in rows if (number := row.number(name)) is not None]
        for last, number in pairwise(numbers):
            if number != last + 1 and not (twice and number == last):
                why = "the numbers of steps jump, as if some were missing; the order of the file stands"
                self.log.assume("jump", why, f"from {last} to {number} in {self.log.source}")

    def note_twice(self, row: JsonObject) -> None:
        """Tell that values were JSON inside a text."""
        for name in row.twice:
            self.log.assume("json_twice", "a value was JSON inside a text and was read again", f"{row.place}, {name}")
        row.twice.clear()


def _is_point(target: ActionTarget | None) -> bool:
    return target is not None and target.bbox is not None and not target.bbox[2] and not target.bbox[3]


def file_importer(
    *,
    name: str,
    title: str,
    files: str,
    before: str,
    is_ours: Callable[[SourceFiles, str], bool],
    demo: Callable[[JsonObject, DemoBuilder], dict[str, Any]],
    rows: Callable[[SourceFiles, str, SkippedDemos], Iterator[JsonObject]] | None = None,
    ending: str = "",
    unit: str = "step",
) -> Importer:
    """The importer of a format whose files can be told apart one by one.

    Args:
        name: see :class:`Importer`, as are the next three.
        title: of the format.
        files: what it looks for.
        before: where the screen before each step comes from.
        is_ours: whether a file is of this format, where nobody named it.
        demo: adds the steps of a row, and returns what :meth:`DemoBuilder.finish` takes.
        rows: of a file; None where the file stands for one demo, and its row says no more than its name.
        ending: of the names of all its files.
        unit: what its demos are counted in, for people.
    """

    def sniff(found: SourceFiles) -> bool:
        return any(one.endswith(ending) and is_ours(found, one) for one in found.tables)

    def read(found: SourceFiles, options: ImportOptions, skipped: SkippedDemos) -> Iterator[ImportedDemo]:
        for one in found.tables:
            if not one.endswith(ending) or not (found.only or is_ours(found, one)):
                continue
            found.taken.add(one)
            with skipped.guarding(one):
                for row in [JsonObject(data={}, file=one)] if rows is None else rows(found, one, skipped):
                    with skipped.guarding(row.place):
                        log = ImportLog(row.place, unit=unit)
                        builder = DemoBuilder(title=title, log=log, options=options, frames=FrameLoader(found))
                        head = demo(row, builder)
                        builder.note_twice(row)
                        yield builder.finish(**head)

    return Importer(name=name, title=title, files=files, before=before, sniff=sniff, read=read)
