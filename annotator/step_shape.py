"""Extent of steps: one split into two, neighbours merged into one, other pictures; pure functions, and commands."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, Literal

from annotator.commands import implied, make_edit
from annotator.document import Document
from annotator.step_commands import aimed
from annotator.step_order import numbered, placed
from annotator.words import tr
from demopack.domain.actions import (
    Action,
    ClickAction,
    PressKeyAction,
    ScrollAction,
    TypeAction,
)
from demopack.domain.edits import Change, Edit
from demopack.domain.elements import Element
from demopack.domain.events import InputEvent
from demopack.domain.frames import Frame
from demopack.domain.geometry import Point
from demopack.domain.steps import CaptureQuality, Pointer, Step
from demopack.errors import BadInputError

_SECRET = re.compile(r"<secret:[^>]*>")
_NO_TEXT = frozenset({"Ctrl", "Alt", "Meta", "Shift", "AltGr"})


def parts_of(step: Step) -> int:
    """How many parts a step can be cut into: characters, clicks, notches, presses; 1 where it is whole."""
    match step.action:
        case TypeAction(text_to_type=text):
            return len(text)
        case ScrollAction(scroll_steps=steps):
            return steps
        case PressKeyAction(presses=presses):
            return presses
        case ClickAction(click_type=click) if click in _CLICKS:
            return _CLICKS.index(click) + 1
        case _:
            return 1


def split_time(step: Step, at: int) -> int | None:
    """Monotonic nanoseconds of the first event of the second part; None where the events do not tell."""
    cut = _cut(step, at)
    return None if cut is None else step.events[cut].t_ns


def split(step: Step, at: int, *, new_id: str, between: Frame | None = None) -> tuple[Step, Step]:
    """The two steps that a cut makes; the first keeps the id.

    Args:
        step: what is cut.
        at: how many of its parts (:func:`parts_of`) the first one gets.
        new_id: id of the second.
        between: the screen at the cut; without one the second starts from the same picture as the first, in doubt.

    Raises:
        BadInputError: there is no such cut; the sentence says why.
    """
    _check(step, at)
    action, text = step.action, step.action.typed_text
    if text is None:
        parts = _times(action, at), _times(action, parts_of(step) - at)
    else:
        parts = action.replace(text_to_type=text[:at], submit=False), action.replace(text_to_type=text[at:])
    cut = _cut(step, at)
    first_events = step.events if cut is None else step.events[:cut]
    second_events = () if cut is None else step.events[cut:]
    # What described the whole describes neither part.
    open_again: dict[str, Any] = {"rationale": None, "verdict": None, "review": "unreviewed", "variable": ""}
    first = step.model_copy(
        update={
            **open_again,
            "action": parts[0],
            "events": first_events,
            "ended_ns": step.ended_ns if cut is None else max(step.started_ns, first_events[-1].t_ns),
            "after": between,
            "quality": step.quality.model_copy(update={"settled": None, "settle_ms": None}),
        }
    )
    started = 0 if cut is None else step.events[cut].t_ns
    second = step.model_copy(
        update={
            **open_again,
            "id": new_id,
            "action": parts[1],
            "events": second_events,
            "started_ns": started,
            "ended_ns": step.ended_ns if started else 0,
            "before": between or step.before,
            "quality": _second_quality(step, between or step.before, started, fresh=between is not None),
            "note": "",
            "clipboard": None,
        }
    )
    return first, second


def _second_quality(step: Step, before: Frame | None, started: int, *, fresh: bool) -> CaptureQuality:
    grabbed = before.grab_ended_ns if before is not None else 0
    age = (started - grabbed) / 1e6 if started and grabbed and started >= grabbed else None
    # Without a picture of its own: the first part has been done since, and that shows.
    changed = None if fresh or before is None else True
    return step.quality.model_copy(update={"frame_age_ms": age, "changed_before_event": changed})


def _check(step: Step, at: int) -> None:
    count = parts_of(step)
    if count < 2:
        raise BadInputError(
            tr("This step is one thing and cannot be split."),
            hint=tr("Typing, scrolling, double clicks and keys pressed several times can."),
        )
    if not 0 < at < count:
        raise BadInputError(
            tr("A cut lies between 1 and {value}, not at {at}.").format(value=count - 1, at=at),
            hint=tr("Both parts must do something."),
        )
    text = step.action.typed_text or ""
    if any(found.start() < at < found.end() for found in _SECRET.finditer(text)):
        raise BadInputError(
            tr("The place-holder of a secret cannot be cut in two."), hint=tr("Split the text before or after it.")
        )


def _times(action: Action, count: int) -> Action:
    """The same action with so many parts; a text is cut, not counted."""
    match action:
        case ScrollAction():
            return action.replace(scroll_steps=count)
        case PressKeyAction():
            return action.replace(presses=count)
        case ClickAction():
            return action.replace(click_type=_CLICKS[count - 1])
        case _:
            raise AssertionError(action.action_type)  # it has one part


# Where the events are cut -----------------------------------------------------------------------------------------


def _cut(step: Step, at: int) -> int | None:
    """The place of the second part's first event; None where the events do not add up to the step."""
    text = step.action.typed_text
    cut = _counted_cut(step, at) if text is None else _text_cut(step.events, text, at)
    return cut if cut is not None and step.started_ns <= step.events[cut].t_ns <= step.ended_ns else None


def _counted_cut(step: Step, at: int) -> int | None:
    weights: dict[str, Callable[[InputEvent], int]] = {
        "scroll": lambda event: max(abs(event.dx), abs(event.dy)) if event.kind == "scroll" else 0,
        "press_key": lambda event: int(event.kind == "key_down" and event.key not in _NO_TEXT),
        "click": lambda event: int(event.kind == "down"),
    }
    done = 0
    for i, event in enumerate(step.events):
        weight = weights[step.action.action_type](event)
        if weight and done >= at:
            return i if done == at else None
        done += weight
    return None


def _text_cut(events: Sequence[InputEvent], text: str, at: int) -> int | None:
    """The key that begins the second part and is not taken back afterwards."""
    typed, cut = "", None
    for i, event in enumerate(events):
        if event.kind != "key_down":
            continue
        if event.key == "Backspace":
            typed = typed[:-1]
            if len(typed) < at:
                cut = None
        elif event.char and event.char.isprintable():
            if cut is None and typed == text[:at]:
                cut = i
            typed += event.char
    return cut if typed == text and cut else None


_CLICKS = ("single", "double", "triple")
_SAME_PLACE_PX = 8
"""Within this two clicks are at one place; desktops use 4 to 8."""
Find = Callable[[str | None], Element | None]


def merged(steps: Sequence[Step], find: Find) -> Step:
    """The one step that two or more neighbours make; it keeps the id and the beginning of the first.

    Args:
        steps: neighbours, in order.
        find: the element with a uid; None when there is none.

    Raises:
        BadInputError: they do not belong together; the sentence says why.
    """
    if len(steps) < 2:
        raise BadInputError(tr("One step alone cannot be merged."), hint=tr("Select it together with its neighbour."))
    for earlier, later in pairwise(steps):
        _check_place(earlier, later, find)
    first, last = steps[0], steps[-1]
    action = _action(steps)
    quality = first.quality.model_copy(update={"settled": last.quality.settled, "settle_ms": last.quality.settle_ms})
    return first.model_copy(
        update={
            "action": action,
            "after": last.after,
            "ended_ns": max(step.ended_ns for step in steps) if first.started_ns else 0,
            "quality": quality,
            "events": tuple(event for step in steps for event in step.events),
            "rationale": None,
            "review": "unreviewed",
            "verdict": None,
            "note": "\n".join(step.note for step in steps if step.note),
            "variable": "",
            "clipboard": next((step.clipboard for step in steps if step.clipboard is not None), None),
        }
    )


def _refuse(why: str, hint: str = "") -> BadInputError:
    return BadInputError(
        tr("These steps cannot be made one: {why}.").format(why=why), hint=hint or tr("Nothing was changed.")
    )


def _check_place(earlier: Step, later: Step, find: Find) -> None:
    """Typing and keys belong together only in one field; as far as that is known."""
    a, b = find(earlier.target_uid), find(later.target_uid)
    if a is None or b is None or earlier.pointer is not None:
        return
    same_track = a.track_id is not None and a.track_id == b.track_id
    if a.uid != b.uid and not same_track and (a.frame == b.frame or a.box.intersection(b.box) is None):
        raise _refuse(tr("they were done in different fields"))


def _action(steps: Sequence[Step]) -> Action:
    actions = [step.action for step in steps]
    kinds = {action.action_type for action in actions}
    enter = actions[-1] if actions[-1].action_type == "press_key" else None
    texts = [action for action in actions if isinstance(action, TypeAction)]
    if texts and len(texts) == len(actions) - (enter is not None):
        return _typed(texts, enter)
    if len(kinds) > 1 or not kinds <= set(_SAME):
        raise _refuse(
            tr("they are different kinds of action") if len(kinds) > 1 else tr("actions of this kind stand alone"),
            tr("Two typings, two scrolls or two clicks can be merged."),
        )
    if any(isinstance(one, ClickAction) and (one.click_type not in _CLICKS or one.hold_s) for one in actions):
        raise _refuse(tr("only short clicks of the left button make a double click"))
    for field, why in _SAME[actions[0].action_type]:
        if any(getattr(action, field) != getattr(actions[0], field) for action in actions):
            raise _refuse(why)
    if kinds == {"click"}:
        _check_clicks(steps)
    return _times(actions[0], sum(map(parts_of, steps)))


_SAME: Final[Mapping[str, tuple[tuple[str, str], ...]]] = {
    "scroll": (
        ("scroll_direction", tr("they scroll in different directions")),
        ("modifiers", tr("other keys were held down")),
    ),
    "press_key": (("key_info", tr("they press different keys")),),
    "click": (("modifiers", tr("other keys were held down")),),
}
"""Of each kind of action that can be done several times: the fields that must be equal, and what is said if not."""


def _typed(texts: Sequence[TypeAction], enter: Action | None) -> Action:
    if enter is not None and enter.parameters != {"key_info": "Enter"}:
        raise _refuse(tr("only Enter can end a text"))
    if any(action.submit for action in (texts if enter is not None else texts[:-1])):
        raise _refuse(tr("Enter was pressed between the texts"))
    text = "".join(action.text_to_type for action in texts)
    return texts[0].replace(text_to_type=text, submit=enter is not None or texts[-1].submit)


def _check_clicks(steps: Sequence[Step]) -> None:
    if sum(map(parts_of, steps)) > len(_CLICKS):
        raise _refuse(tr("more than three clicks at one place have no name"))
    first = steps[0].pointer
    for step in steps[1:]:
        if first is None or step.pointer is None:
            raise _refuse(tr("where the clicks were made is not known"))
        if math.dist((first.x, first.y), (step.pointer.x, step.pointer.y)) > _SAME_PLACE_PX:
            raise _refuse(tr("the clicks were made at different places"))


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitStep:
    """One step cut into two.

    Attributes:
        step_id: which.
        at: how many characters, clicks, notches or presses the first part gets.
        new_id: of the second part, chosen beforehand so that it can be shown.
        between: the screen at the cut, where one is known, for instance from the film.
    """

    step_id: str
    at: int
    new_id: str
    between: Frame | None = None

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        step = document.step(self.step_id)
        if step is None or document.step(self.new_id) is not None:
            return None
        first, second = split(step, self.at, new_id=self.new_id, between=self.between)
        if self.between is not None and (step.before is None or self.between.id != step.before.id):
            second = implied(second, document.elements(self.between.id))
        index = document.index_of(step.id) or 0
        wanted = [*document.steps[:index], first, second, *document.steps[index + 1 :]]
        return make_edit(
            tr("Split {step}").format(step=numbered(document, step)), placed(document, wanted, {second.id})
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeSteps:
    """Neighbours that belong together made one: typings, scrolls, presses of a key, clicks at one place."""

    step_ids: tuple[str, ...]

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        places = sorted(i for i, step in enumerate(document.steps) if step.id in set(self.step_ids))
        if not places:
            return None
        if places != list(range(places[0], places[-1] + 1)):
            raise BadInputError(
                tr("These steps cannot be made one: others lie between them."),
                hint=tr("Select steps that follow each other."),
            )
        steps = document.steps[places[0] : places[-1] + 1]
        one = merged(steps, document.element)
        wanted = [*document.steps[: places[0]], one, *document.steps[places[-1] + 1 :]]
        label = tr("Merge steps {value} to {value2}").format(value=places[0] + 1, value2=places[-1] + 1)
        return make_edit(label, placed(document, wanted, set()))


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplaceFrame:
    """Another picture of the screen before or after a step; the step is bound to what lies under its pointer there.

    Attributes:
        step_id: which step.
        side: which of its pictures.
        frame: the other picture, of this demo or its film.
    """

    step_id: str
    side: Literal["before", "after"]
    frame: Frame

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        step = document.step(self.step_id)
        if step is None:
            return None
        old = step.before if self.side == "before" else step.after
        if old is not None and old.id == self.frame.id:
            return None
        if self.side == "before":
            new, words = self._with_before(step, document), tr("Use another picture before {step}")
        else:
            quality = step.quality.model_copy(update={"settled": None, "settle_ms": None})
            new = step.model_copy(update={"after": self.frame, "quality": quality})
            words = tr("Use another picture after {step}")
        return make_edit(words.format(step=numbered(document, step)), [Change.between(step, new)])

    def _with_before(self, step: Step, document: Document) -> Step:
        frame, age = self.frame, None
        if step.started_ns and frame.grab_ended_ns > step.started_ns:
            # It shows how the screen looked, but was taken later: as a picture before the step it has no time.
            frame = frame.model_copy(update={"grab_started_ns": 0, "grab_ended_ns": 0})
        elif step.started_ns and frame.grab_ended_ns:
            age = (step.started_ns - frame.grab_ended_ns) / 1e6
        quality = step.quality.model_copy(update={"frame_age_ms": age, "changed_before_event": None})
        update: dict[str, Any] = {"before": frame, "quality": quality}
        pointer = _on(step.pointer, step.before, frame)
        if pointer is not None and pointer != step.pointer:
            update["pointer"] = pointer
        if pointer is not None and step.action.target is not None and step.before and step.before.size != frame.size:
            update["action"] = aimed(step.action, pointer.at, pointer.end, frame)
        return implied(step.model_copy(update=update), document.elements(frame.id))


def _on(pointer: Pointer | None, old: Frame | None, new: Frame) -> Pointer | None:
    """The pointer in pixels of another picture of the same desktop.

    Raises:
        BadInputError: that picture does not show the place.
    """
    if pointer is None or old is None:
        return pointer

    space = old.space
    at = space.pixel_on(new.space, pointer.at)
    if not (0 <= at.x < new.width and 0 <= at.y < new.height):
        raise BadInputError(
            tr("That picture does not show the place where the pointer acted."),
            hint=tr("Choose one of the same screen."),
        )
    moved: dict[str, Any] = {"x": at.x, "y": at.y}
    if pointer.end is not None:
        end = space.pixel_on(new.space, pointer.end)
        way = [(point, space.pixel_on(new.space, Point(point.x, point.y))) for point in pointer.path]
        path = tuple(point.model_copy(update={"x": there.x, "y": there.y}) for point, there in way)
        moved |= {"end_x": end.x, "end_y": end.y, "path": path}
    return pointer.model_copy(update=moved)
