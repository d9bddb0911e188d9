"""Types, states, elements and actions as a person reads them: the words of the domain in the user's language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, get_args

from annotator.document import Document
from annotator.words import clock_words, key_words, tr
from demopack.domain import words
from demopack.domain.actions import ACTION_TYPES, Action, ClickType, Direction
from demopack.domain.demos import Demo, DemoHead
from demopack.domain.elements import ELEMENT_TYPES, STATES, AreaKind, Element
from demopack.domain.frames import Frame
from demopack.domain.steps import STALE_FRAME_MS, Doubt, Step
from demopack.domain.words import shorten

_ENGLISH: Final[Mapping[str, str]] = {"icons": "network for icons", "success": "finished", "failure": "failed"}
"""Names that are said otherwise than they are written."""
NAMES: Final[Mapping[str, str]] = {
    name: _ENGLISH.get(name, name.replace("_", " "))
    for name in (
        *ELEMENT_TYPES, *get_args(AreaKind), *STATES, "detector", "describer", "icons", *get_args(ClickType),
        *get_args(Direction), "success", "failure", *ACTION_TYPES,
    )
}  # fmt: skip
"""English words of types, states, models, clicks, ways, outcomes and actions; the catalogue has all of them."""


def type_word(kind: str) -> str:
    """A type, state, action or choice in the user's language; anything else as it is, with blanks."""
    return tr(NAMES[kind]) if kind in NAMES else kind.replace("_", " ")


def name_element(element: Element) -> str:
    """For instance ``“Submit” (button)`` or ``the slider``."""
    return words.name_element(element, tr=tr)


def doubt_words(doubt: Doubt) -> str:
    """Why a step should be looked at."""
    return tr(words.DOUBT_WORDS[doubt])


def describe_action(action: Action, element: Element | None = None, end: Element | None = None) -> str:
    """What was done, one short sentence without a full stop; see :func:`demopack.domain.words.describe_action`."""
    return words.describe_action(action, element, end, tr=tr, key_words=key_words)


def describe_step(
    step: Step, element: Element | None = None, end: Element | None = None, around: Sequence[Element] = ()
) -> str:
    """What was done, with what the program told where no element is known; see ``demopack.domain.words``."""
    return words.describe_step(step, element, end, around=around, tr=tr, key_words=key_words)


def describe_step_in(demo: Demo, step: Step, *, ahead: bool = False) -> str:
    """What was done in a demo, or is to be done where it lies ahead; see ``demopack.domain.words``."""

    def order(pattern: str) -> str:
        return tr(words.as_order(pattern))

    return words.describe_step_in(demo, step, tr=order if ahead else tr, key_words=key_words)


def words_of(document: Document, step: Step) -> str:
    """What a step did, in words, with the elements as they are called now."""
    around = () if step.before is None else document.elements(step.before.id)
    return describe_step(step, document.element(step.target_uid), document.element(step.end_uid), around)


def doubts_of(document: Document, step: Step) -> list[str]:
    """Why a step should be looked at, in sentences; none for one that a person approved."""
    if step.review == "approved":
        return []
    parsed = step.before is not None and document.is_parsed(step.before.id)
    said = [tr("You marked this step as doubtful.")] if step.review == "doubtful" else []
    return [*said, *(doubt_words(doubt) for doubt in step.doubts(parsed=parsed))]


def beside_step(side: str, step: int | str) -> str:
    """Where a picture stands: before or after a step."""
    return (tr("before step {step}") if side == "before" else tr("after step {step}")).format(step=step)


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameReference:
    """Where a frame is shown in the editor: a step from 1, and its side."""

    step: int
    side: Literal["before", "after"]


def shown_at(steps: Iterable[Step], frame_id: str) -> list[FrameReference]:
    """Every moment that a frame shows, in order."""
    found: list[FrameReference] = []
    for number, step in enumerate(steps, start=1):
        if step.before is not None and step.before.id == frame_id:
            found.append(FrameReference(step=number, side="before"))
        if step.after is not None and step.after.id == frame_id:
            found.append(FrameReference(step=number, side="after"))
    return found


def moments_of(steps: Iterable[Step], frame_id: str) -> str:
    """Which moments a frame shows, for instance ``after step 3 and before step 4``; empty for none."""
    return tr(" and ").join(beside_step(at.side, at.step) for at in shown_at(steps, frame_id))


class CaptureLine(NamedTuple):
    """One fact about how a step was recorded.

    Attributes:
        name: what it is about.
        text: what is known.
        doubtful: whether it is a reason to look at the step.
        tip: what it means, in a sentence or two.
    """

    name: str
    text: str
    doubtful: bool = False
    tip: str = ""


def _ms(value: float) -> str:
    return f"{value:.0f} ms" if value < 1000 else f"{value / 1000:.1f} s"


def capture_lines(step: Step) -> list[CaptureLine]:
    """What is known about a step's pictures and surroundings; nothing where nothing is."""
    found = [_before(step), _after(step)]
    if step.quality.responded is False:
        found.append(CaptureLine(tr("Program"), tr("did not respond"), doubtful=True))
    if step.quality.fields_known is False:
        found.append(CaptureLine(tr("Fields"), tr("not all could be asked for"), doubtful=True))
    covered = sum(len(frame.covered) for frame in step.frames)
    if covered:
        areas = tr("1 area") if covered == 1 else tr("{covered} areas").format(covered=covered)
        tip = covered_words(step.before) or covered_words(step.after)
        found.append(CaptureLine(tr("Covered"), areas, tip=tip))
    window = [] if step.window is None else [part for part in (step.window.title, step.window.app) if part]
    if window:
        found.append(CaptureLine(tr("Window"), shorten(" · ".join(window), 60)))
    name, element = (tr("Typed into"), step.focused) if step.pointer is None else (tr("Pointed at"), step.pointed)
    if element is not None:
        said = f"“{shorten(element.name, 32)}” ({element.role})" if element.name else element.role
        secure = tr("{words}, secure: what was typed is not kept")
        found.append(CaptureLine(name, secure.format(words=said) if element.secure else said))
    if step.clipboard is not None:
        found.append(CaptureLine(tr("Clipboard"), f"“{shorten(step.clipboard, 60)}”"))
    return found


def _before(step: Step) -> CaptureLine:
    if step.before is None:
        return CaptureLine(tr("Before"), tr("no picture"), doubtful=True)
    age = step.quality.frame_age_ms
    text = tr("age not known") if age is None else tr("{ms} old").format(ms=_ms(age))
    if step.quality.changed_before_event:
        return CaptureLine(tr("Before"), tr("{text}, the screen changed since").format(text=text), doubtful=True)
    return CaptureLine(tr("Before"), text, doubtful=age is not None and age > STALE_FRAME_MS)


def _after(step: Step) -> CaptureLine:
    quality = step.quality
    if step.after is None:
        ends = step.action.action_type == "finish_goal"
        return CaptureLine(tr("After"), tr("the end") if ends else tr("no picture"), doubtful=not ends)
    if quality.settled is False:
        return CaptureLine(tr("After"), tr("the screen was still changing"), doubtful=True)
    if quality.settled is None:
        return CaptureLine(tr("After"), tr("not known whether the screen was at rest"))
    settle = "" if quality.settle_ms is None else tr(" after {ms}").format(ms=_ms(quality.settle_ms))
    return CaptureLine(tr("After"), tr("at rest{settle}").format(settle=settle))


def covered_words(frame: Frame | None) -> str:
    """What the hatched areas of a picture are; empty where it has none."""
    if frame is None or not frame.covered:
        return ""
    return tr(
        "Covered while recording: a secure field, a blocked program or a blocked part of the screen. "
        "What was there is not stored."
    )


def duration_of(head: DemoHead, steps: Sequence[Step]) -> float | None:
    """Seconds from the start of the recording to its last moment; None where no times are known."""
    ends = [step.ended_ns for step in steps]
    ends += [frame.grab_ended_ns for step in steps for frame in step.frames]
    starts = [step.started_ns for step in steps if step.started_ns]
    start = head.started_ns or min(starts, default=0)
    end = max(ends, default=0)
    return (end - start) / 1e9 if start and end > start else None


def recorded_words(head: DemoHead, steps: Sequence[Step]) -> str:
    """For instance ``Recorded 12 steps in 00:42``."""
    count = tr("1 step") if len(steps) == 1 else tr("{steps} steps").format(steps=len(steps))
    seconds = duration_of(head, steps)
    if seconds is None:
        return tr("Recorded {count}").format(count=count)
    return tr("Recorded {count} in {value}").format(count=count, value=clock_words(round(seconds)))
