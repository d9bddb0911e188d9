"""Splitting one step into two, and merging neighbours into one: pure, on steps."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any, TypeVar

from annotator.words import tr
from demopack.domain.actions import (
    Action,
    ActionBase,
    ClickAction,
    PressKeyAction,
    ScrollAction,
    TypeAction,
)
from demopack.domain.elements import Element
from demopack.domain.events import InputEvent
from demopack.domain.frames import Frame
from demopack.domain.steps import CaptureQuality, Step
from demopack.errors import BadInputError

_SECRET = re.compile(r"<secret:[^>]*>")
_NO_TEXT = frozenset({"Ctrl", "Alt", "Meta"})


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
    first_action, second_action = _actions(step.action, at)
    cut = _cut(step, at)
    first_events = step.events if cut is None else step.events[:cut]
    second_events = () if cut is None else step.events[cut:]
    # What described the whole describes neither part.
    open_again: dict[str, Any] = {"rationale": None, "verdict": None, "review": "unreviewed", "variable": ""}
    first = step.model_copy(
        update={
            **open_again,
            "action": first_action,
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
            "action": second_action,
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


def _actions(action: Action, at: int) -> tuple[Action, Action]:
    match action:
        case TypeAction(text_to_type=text):
            return action.replace(text_to_type=text[:at], submit=False), action.replace(text_to_type=text[at:])
        case ScrollAction(scroll_steps=steps):
            return action.replace(scroll_steps=at), action.replace(scroll_steps=steps - at)
        case PressKeyAction(presses=presses):
            return action.replace(presses=at), action.replace(presses=presses - at)
        case ClickAction(click_type=click):
            rest = _CLICKS.index(click) - at
            return action.replace(click_type=_CLICKS[at - 1]), action.replace(click_type=_CLICKS[rest])
        case _:
            raise AssertionError(action.action_type)  # it has one part


# Where the events are cut -----------------------------------------------------------------------------------------


def _cut(step: Step, at: int) -> int | None:
    """The place of the second part's first event; None where the events do not add up to the step."""
    cut = _place(step, at)
    return cut if cut is not None and step.started_ns <= step.events[cut].t_ns <= step.ended_ns else None


def _place(step: Step, at: int) -> int | None:
    if isinstance(step.action, TypeAction):
        return _text_cut(step.events, step.action.text_to_type, at)
    weights: dict[str, Callable[[InputEvent], int]] = {
        "scroll": lambda event: max(abs(event.dx), abs(event.dy)) if event.kind == "scroll" else 0,
        "press_key": lambda event: int(event.kind == "key_down" and event.key not in {*_NO_TEXT, "Shift", "AltGr"}),
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
_A = TypeVar("_A", bound=ActionBase)
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
    last, texts = actions[-1], _all_of(TypeAction, actions[:-1])
    if texts is not None and isinstance(last, (TypeAction, PressKeyAction)):
        return _typed(texts, last) if isinstance(last, PressKeyAction) else _typed([*texts, last], None)
    if (scrolls := _all_of(ScrollAction, actions)) is not None:
        return _scrolled(scrolls)
    if (presses := _all_of(PressKeyAction, actions)) is not None:
        return _pressed(presses)
    if (clicks := _all_of(ClickAction, actions)) is not None:
        return _clicked(clicks, steps)
    different = len({action.action_type for action in actions}) > 1
    raise _refuse(
        tr("they are different kinds of action") if different else tr("actions of this kind stand alone"),
        tr("Two typings, two scrolls or two clicks can be merged."),
    )


def _all_of(kind: type[_A], actions: Sequence[ActionBase]) -> list[_A] | None:
    """The actions, where all are of one type."""
    found = [action for action in actions if isinstance(action, kind)]
    return found if len(found) == len(actions) else None


def _typed(texts: Sequence[TypeAction], enter: PressKeyAction | None) -> Action:
    if enter is not None and enter.parameters != {"key_info": "Enter"}:
        raise _refuse(tr("only Enter can end a text"))
    if any(action.submit for action in (texts if enter is not None else texts[:-1])):
        raise _refuse(tr("Enter was pressed between the texts"))
    text = "".join(action.text_to_type for action in texts)
    return texts[0].replace(text_to_type=text, submit=enter is not None or texts[-1].submit)


def _check_same(values: Iterable[object], why: str) -> None:
    if len(set(values)) > 1:
        raise _refuse(why)


def _scrolled(actions: Sequence[ScrollAction]) -> Action:
    _check_same((action.scroll_direction for action in actions), tr("they scroll in different directions"))
    _check_same((action.modifiers for action in actions), tr("other keys were held down"))
    return actions[0].replace(scroll_steps=sum(action.scroll_steps for action in actions))


def _pressed(actions: Sequence[PressKeyAction]) -> Action:
    _check_same((action.key_info for action in actions), tr("they press different keys"))
    return actions[0].replace(presses=sum(action.presses for action in actions))


def _clicked(actions: Sequence[ClickAction], steps: Sequence[Step]) -> Action:
    kinds = [action.click_type for action in actions]
    if not set(kinds) <= set(_CLICKS) or any(action.hold_s for action in actions):
        raise _refuse(tr("only short clicks of the left button make a double click"))
    _check_same((action.modifiers for action in actions), tr("other keys were held down"))
    count = sum(_CLICKS.index(kind) + 1 for kind in kinds)
    if count > len(_CLICKS):
        raise _refuse(tr("more than three clicks at one place have no name"))
    first = steps[0].pointer
    for step in steps[1:]:
        if first is None or step.pointer is None:
            raise _refuse(tr("where the clicks were made is not known"))
        if math.dist((first.x, first.y), (step.pointer.x, step.pointer.y)) > _SAME_PLACE_PX:
            raise _refuse(tr("the clicks were made at different places"))
    return actions[0].replace(click_type=_CLICKS[count - 1])
