"""Step of a demonstration: the screen before, what was done, the screen after, and how well all that is known."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from demopack.domain.actions import Action
from demopack.domain.elements import Box, Review
from demopack.domain.events import InputEvent
from demopack.domain.frames import Frame
from demopack.domain.geometry import Point
from demopack.domain.rationale import Rationale
from demopack.domain.records import Milliseconds, Nanoseconds, Pixels, Record
from demopack.domain.trees import TreeReading
from demopack.domain.verdicts import StepVerdict

POSITION_GAP = 1024
"""Between the positions of two steps that follow each other, so that an editor can insert between them."""

STALE_FRAME_MS = 1000.0
"""A before-frame that was last confirmed longer ago than this is in doubt; twice the slowest cadence when idle."""

Doubt = Literal[
    "no_element",
    "stale_frame",
    "changed_before_event",
    "not_settled",
    "no_before",
    "no_after",
    "unknown_text",
    "off_element",
    "not_responding",
    "fields_unknown",
]
"""Why a step should be looked at: the pointer hit no element; the before-frame is old; the screen changed between that
frame and the event; it had not come to rest when the after-frame was taken; a frame is missing; a key's text is not
known; what accessibility says lies under the pointer does not contain it; the program did not respond; it is not known
which secure fields it showed."""

_POSITION_MAX = 2**53  # SQLite has 64 bits for it, and a step behind the last one must find room, too


class PathPoint(Record):
    """One way-point of the pointer, in pixels of the before-frame, with milliseconds since the step's first event."""

    x: Pixels
    y: Pixels
    t_ms: Milliseconds


class Pointer(Record):
    """Where exactly the pointer acted, in pixels of the before-frame.

    Attributes:
        x: of the press, wheel or hover.
        y: as ``x``.
        end_x: of a drag's release; None otherwise.
        end_y: as ``end_x``.
        path: a drag's way, at most a few dozen points.
    """

    x: Pixels
    y: Pixels
    end_x: Pixels | None = None
    end_y: Pixels | None = None
    path: tuple[PathPoint, ...] = ()

    @property
    def at(self) -> Point:
        """Where it acted, or where a drag began."""
        return Point(self.x, self.y)

    @property
    def end(self) -> Point | None:
        """Where a drag ended; None otherwise."""
        return None if self.end_x is None or self.end_y is None else Point(self.end_x, self.end_y)


class WindowInfo(Record):
    """The window that had the input.

    Attributes:
        title: as shown.
        app: the program's name; empty when the OS does not tell.
        box: frame of the window in pixels of the virtual desktop; None when unknown.
    """

    title: str = ""
    app: str = ""
    box: Box | None = None


class AccessibleElement(Record):
    """What the system's accessibility interface told about one element.

    Attributes:
        role: its role in that interface's words, lower case, for instance ``push button`` or ``password text``.
        name: its label; empty when it has none.
        value: its text or number; always empty for a secure field.
        box: where it lies, in pixels of the virtual desktop; None when unknown.
        states: in that interface's words, sorted, for instance ``("checked", "focused")``.
        app: the program that it belongs to.
        secure: whether what is typed into it is a secret.
    """

    role: str
    name: str = ""
    value: str = ""
    box: Box | None = None
    states: tuple[str, ...] = ()
    app: str = ""
    secure: bool = False


class CaptureQuality(Record):
    """How far the step's frames can be trusted.

    Attributes:
        frame_age_ms: from the end of the before-frame's grab to the first event; None without a before-frame.
        changed_before_event: the screen changed between that frame and the event, as later frames show; None when
            nothing could be compared.
        settled: the after-frame equals the one after it; False when the next event or the time-out came first.
        settle_ms: from the last event to the end of the after-frame's grab; None without an after-frame.
        responded: whether the program that was acted on still read its input; None when it could not be asked.
        fields_known: whether all secure fields were known that it showed; None where programs tell nothing.
    """

    frame_age_ms: Milliseconds | None = None
    changed_before_event: bool | None = None
    settled: bool | None = None
    settle_ms: Milliseconds | None = None
    responded: bool | None = None
    fields_known: bool | None = None


class Step(Record):
    """One recorded step.

    ``action.target`` holds what the recorder or a person wrote; where ``target_uid`` names an element, the exported
    target is derived from that element instead (:func:`demopack.domain.binding.response_of`).

    Attributes:
        schema_version: of this record.
        id: its identity; survives reordering.
        position: sorts the steps of a demo; not contiguous.
        action: what was done, in the contract's words.
        target_uid: the element it was done to; None when none was hit, or none has been looked for.
        end_uid: the element a drag ended on.
        alternatives: elements that would have been as right as the target, in the order they were marked; what is gone
            from the picture is passed over.
        pointer: exact pixels; None for the keyboard.
        before: newest frame that was finished before the first event.
        after: first settled frame after the last event, at the latest just before the next event.
        started_ns: monotonic clock of the first event.
        ended_ns: monotonic clock of the last event.
        quality: how far the frames can be trusted.
        events: the raw events, in order.
        window: the window that had the input.
        rationale: why; None until written.
        review: what a person said about the step.
        note: a person's remark.
        variable: name of the variable whose value the typed text is; empty for a text that is always the same.
        focused: the element that had the input when the step began; None when accessibility did not tell.
        pointed: the element under the pointer then, likewise.
        trees: the accessibility trees of the windows on the before-frame, topmost first; empty where none was read.
        clipboard: the text that was on the clipboard for a paste, or that the step put there; None unless asked for.
        verdict: what a judge said about it; None until judged.
    """

    schema_version: Literal[1] = 1
    id: str
    position: int = Field(ge=-_POSITION_MAX, le=_POSITION_MAX)
    action: Action
    target_uid: str | None = None
    end_uid: str | None = None
    alternatives: tuple[str, ...] = ()
    pointer: Pointer | None = None
    before: Frame | None = None
    after: Frame | None = None
    started_ns: Nanoseconds = Field(default=0, ge=0)
    ended_ns: Nanoseconds = Field(default=0, ge=0)
    quality: CaptureQuality = CaptureQuality()
    events: tuple[InputEvent, ...] = ()
    window: WindowInfo | None = None
    rationale: Rationale | None = None
    review: Review = "unreviewed"
    note: str = ""
    variable: str = ""
    focused: AccessibleElement | None = None
    pointed: AccessibleElement | None = None
    trees: tuple[TreeReading, ...] = ()
    clipboard: str | None = None
    verdict: StepVerdict | None = None

    @property
    def frames(self) -> tuple[Frame, ...]:
        """Those of its pictures that there are: before, after."""
        return tuple(frame for frame in (self.before, self.after) if frame is not None)

    @property
    def left_out(self) -> bool:
        """Whether a person said that it is to be left out of exports; a wrong step that stays is a lesson."""
        return self.review == "rejected"

    def doubts(self, *, parsed: bool) -> list[Doubt]:
        """Why this step should be looked at; ``parsed`` says whether elements have been looked for on its frame."""
        action, quality = self.action, self.quality
        age_ms = quality.frame_age_ms
        text = action.typed_text or ""
        holds: dict[Doubt, bool] = {
            "no_before": self.before is None,
            "no_after": self.after is None and action.action_type != "finish_goal",
            "no_element": parsed and self.pointer is not None and self.target_uid is None,
            "stale_frame": age_ms is not None and age_ms > STALE_FRAME_MS,
            "changed_before_event": bool(quality.changed_before_event),
            "not_settled": quality.settled is False,
            "not_responding": quality.responded is False,
            "fields_unknown": quality.fields_known is False,
            "off_element": self._is_off_element(),
            "unknown_text": "\ufffd" in text,
        }
        return [doubt for doubt, is_so in holds.items() if is_so]

    def _is_off_element(self) -> bool:
        """Whether the pointer, drawn back on the desktop, lies beside the element that was told to be under it."""
        frame, pointer = self.before, self.pointer
        box = None if self.pointed is None else self.pointed.box
        if frame is None or pointer is None or box is None or not box.area:
            return False
        return not box.contains(frame.space.to_desktop(pointer.at))
