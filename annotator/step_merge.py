"""Joins neighbouring steps into one where they belong together: pure, on steps."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from annotator.words import tr
from demopack.domain.actions import AgentAction
from demopack.domain.elements import Element
from demopack.domain.steps import Step
from demopack.errors import BadInputError

__all__ = ["merged"]

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


def _action(steps: Sequence[Step]) -> AgentAction:
    kinds = [step.action.action_type for step in steps]
    if set(kinds) == {"type"} or (kinds[-1] == "press_key" and set(kinds[:-1]) == {"type"}):
        return _typed(steps)
    if len(set(kinds)) > 1:
        raise _refuse(
            tr("they are different kinds of action"), tr("Two typings, two scrolls or two clicks can be merged.")
        )
    make = {"scroll": _scrolled, "click": _clicked, "press_key": _pressed}.get(kinds[0])
    if make is None:
        raise _refuse(
            tr("actions of this kind stand alone"), tr("Two typings, two scrolls or two clicks can be merged.")
        )
    return make(steps)


def _with(steps: Sequence[Step], **parameters: Any) -> AgentAction:  # noqa: ANN401 - checked by the action itself
    first = steps[0].action
    return AgentAction(
        action_type=first.action_type, target=first.target, parameters={**first.parameters, **parameters}
    )


def _typed(steps: Sequence[Step]) -> AgentAction:
    enter = steps[-1].action.action_type == "press_key"
    if enter and steps[-1].action.parameters != {"key_info": "Enter"}:
        raise _refuse(tr("only Enter can end a text"))
    texts = steps[:-1] if enter else steps
    if any(step.action.parameters.get("submit") for step in (texts if enter else texts[:-1])):
        raise _refuse(tr("Enter was pressed between the texts"))
    text = "".join(str(step.action.parameters["text_to_type"]) for step in texts)
    submit = enter or bool(texts[-1].action.parameters.get("submit"))
    return _with(steps, text_to_type=text, submit=submit)


def _same(steps: Sequence[Step], name: str, why: str) -> None:
    if len({repr(step.action.parameters.get(name)) for step in steps}) > 1:
        raise _refuse(why)


def _scrolled(steps: Sequence[Step]) -> AgentAction:
    _same(steps, "scroll_direction", tr("they scroll in different directions"))
    _same(steps, "modifiers", tr("other keys were held down"))
    return _with(steps, scroll_steps=sum(int(step.action.parameters["scroll_steps"]) for step in steps))


def _pressed(steps: Sequence[Step]) -> AgentAction:
    _same(steps, "key_info", tr("they press different keys"))
    return _with(steps, presses=sum(int(step.action.parameters.get("presses", 1)) for step in steps))


def _clicked(steps: Sequence[Step]) -> AgentAction:
    kinds = [str(step.action.parameters.get("click_type", "single")) for step in steps]
    if not set(kinds) <= set(_CLICKS) or any(step.action.parameters.get("hold_s") for step in steps):
        raise _refuse(tr("only short clicks of the left button make a double click"))
    _same(steps, "modifiers", tr("other keys were held down"))
    count = sum(_CLICKS.index(kind) + 1 for kind in kinds)
    if count > len(_CLICKS):
        raise _refuse(tr("more than three clicks at one place have no name"))
    first = steps[0].pointer
    for step in steps[1:]:
        if first is None or step.pointer is None:
            raise _refuse(tr("where the clicks were made is not known"))
        if math.dist((first.x, first.y), (step.pointer.x, step.pointer.y)) > _SAME_PLACE_PX:
            raise _refuse(tr("the clicks were made at different places"))
    return _with(steps, click_type=_CLICKS[count - 1])
