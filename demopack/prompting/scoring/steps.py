"""Judges one action against one recorded step: object, operation, status."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from demopack.domain.actions import AgentAction, LLMResponse
from demopack.domain.geometry import Size
from demopack.pack.rows import ElementRow
from demopack.prompting.scoring.targets import Aim, Goal, aim_of, hits

__all__ = ["Truth", "Verdict", "judge_action", "status_of"]

_NEEDS_OBJECT: Final = frozenset({"click", "hover", "drag"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """What was recorded at one step.

    Attributes:
        action: as recorded.
        goals: what is right to aim at; empty where the action has no place.
        ends: the same for the end of a drag.
        elements: of the picture.
        size: of the picture; None without one.
        statuses: what may be said about the task: ``continue``, ``success`` or ``failure``.
    """

    action: AgentAction
    goals: Sequence[Goal]
    ends: Sequence[Goal]
    elements: Sequence[ElementRow]
    size: Size | None
    statuses: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What is right about one action.

    Attributes:
        object: the target is an acceptable one; None where the action has none to be judged.
        kind: the action is of the right type.
        operation: type and arguments are right.
        aim: what it was aimed at; None without a target.
        inside: a given place lies in the box of an acceptable target; None where either gives no place.
    """

    object: bool | None
    kind: bool
    operation: bool
    aim: Aim | None
    inside: bool | None

    @property
    def right(self) -> bool:
        """Object and operation are right."""
        return self.object is not False and self.operation


def judge_action(action: AgentAction, truth: Truth, *, aim: Aim | None = None, end: Aim | None = None) -> Verdict:
    """Hold an action against what was recorded.

    Args:
        action: the model's.
        truth: what was recorded.
        aim: what its target means, where that was found out on another picture.
        end: the same for the end of a drag.
    """
    aim = aim or aim_of(action.target, truth.elements, truth.size)
    end = end or aim_of(action.end_target, truth.elements, truth.size)
    kind = action.action_type == truth.action.action_type
    placed = bool(aim is not None and aim.box is not None and truth.goals)
    return Verdict(
        object=_object(action, truth, aim, end),
        kind=kind,
        operation=kind and _ARGUMENTS[action.action_type](action.parameters, truth.action.parameters),
        aim=aim,
        inside=hits(None if aim is None else Aim(box=aim.box), truth.goals) if placed else None,
    )


def _object(action: AgentAction, truth: Truth, aim: Aim | None, end: Aim | None) -> bool | None:
    recorded = truth.action.action_type
    if recorded in _NEEDS_OBJECT:
        return hits(aim, truth.goals) and (recorded != "drag" or hits(end, truth.ends))
    if recorded == "type" and truth.goals and aim is not None and action.action_type == "type":
        # Who types without saying where types into the field that has the cursor: that is judged by the step before.
        return hits(aim, truth.goals)
    return None


def status_of(responses: Sequence[LLMResponse]) -> str:
    """What an answer says about the task: ``continue``, ``success`` or ``failure``."""
    for response in responses:
        if response.action.action_type == "finish_goal":
            return "success" if response.is_goal_complete else "failure"
    return "continue"


_Parameters = dict[str, Any]


def _same(*names: str) -> Callable[[_Parameters, _Parameters], bool]:
    """Whether these parameters are equal; both sides leave out what is at its default."""
    return lambda given, wanted: all(given.get(name) == wanted.get(name) for name in names)


def _same_text(given: _Parameters, wanted: _Parameters) -> bool:
    texts = [unicodedata.normalize("NFC", str(p.get("text_to_type", ""))).strip() for p in (given, wanted)]
    return texts[0] == texts[1] and bool(given.get("submit")) == bool(wanted.get("submit"))


def _same_app(given: _Parameters, wanted: _Parameters) -> bool:
    return str(given.get("app", "")).strip().casefold() == str(wanted.get("app", "")).strip().casefold()


# How far a scroll or a wait goes, and what is done with data that was read, is not for one recording to say.
_ARGUMENTS: Final[dict[str, Callable[[_Parameters, _Parameters], bool]]] = {
    "click": _same("click_type", "modifiers"),
    "type": _same_text,
    "press_key": _same("key_info", "presses"),
    "scroll": _same("scroll_direction", "modifiers"),
    "hover": _same(),
    "wait": _same(),
    "drag": _same("button", "modifiers"),
    "launch": _same_app,
    "extract_data": _same(),
    "finish_goal": _same("status"),
}
