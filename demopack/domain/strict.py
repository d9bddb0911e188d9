"""The strict variant for structured output: a plain union per action, every key required, null instead of default.

Providers' strict modes refuse ``oneOf``, defaults and free-form objects. So here every action is its own object with
all its keys, nullable where the native form may leave a key out, and a default is *only* writable as null: each
response has exactly one strict form. A strict instance parses as native (nulls mean "not given") and
:func:`to_strict` writes it back equal.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from demopack.domain.actions import ActionTarget, LLMResponse
from demopack.domain.parameters import Modifier

__all__ = ["LLMResponseStrict", "to_strict"]


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class TargetStrict(_Strict):
    """An ActionTarget with every key; null where nothing is known."""

    track_id: str | None
    element_id: int | None
    text: str | None
    bbox: Annotated[list[float], Field(min_length=4, max_length=4)] | None


_Modifiers = Annotated[list[Modifier], Field(min_length=1)] | None


class _Click(_Strict):
    click_type: Literal["double", "triple", "right", "middle"] | None
    hold_s: float | None
    modifiers: _Modifiers


class _Type(_Strict):
    text_to_type: str
    submit: Literal[True] | None


class _PressKey(_Strict):
    key_info: str
    presses: Annotated[int, Field(ge=2)] | None


class _Scroll(_Strict):
    scroll_direction: Literal["up", "down", "left", "right"]
    scroll_steps: Annotated[int, Field(ge=1)]
    modifiers: _Modifiers


class _Hover(_Strict):
    duration_s: float | None


class _Wait(_Strict):
    wait_duration_s: float


class _Drag(_Strict):
    end_target: TargetStrict
    path: Annotated[list[Annotated[list[float], Field(min_length=2, max_length=2)]], Field(min_length=1)] | None
    button: Literal["right", "middle"] | None
    modifiers: _Modifiers


class _Launch(_Strict):
    app: str


class _ExtractData(_Strict):
    description: str
    data: str | None


class _FinishGoal(_Strict):
    status: Literal["failure"] | None


class ClickStrict(_Strict):
    """A click; it needs a target."""

    action_type: Literal["click"]
    target: TargetStrict
    parameters: _Click


class TypeStrict(_Strict):
    """Typed text."""

    action_type: Literal["type"]
    target: TargetStrict | None
    parameters: _Type


class PressKeyStrict(_Strict):
    """A key or a combination."""

    action_type: Literal["press_key"]
    target: TargetStrict | None
    parameters: _PressKey


class ScrollStrict(_Strict):
    """A run of wheel notches."""

    action_type: Literal["scroll"]
    target: TargetStrict | None
    parameters: _Scroll


class HoverStrict(_Strict):
    """The pointer rests on a target."""

    action_type: Literal["hover"]
    target: TargetStrict
    parameters: _Hover


class WaitStrict(_Strict):
    """Waiting for the screen."""

    action_type: Literal["wait"]
    target: None
    parameters: _Wait


class DragStrict(_Strict):
    """Press, move, release."""

    action_type: Literal["drag"]
    target: TargetStrict
    parameters: _Drag


class LaunchStrict(_Strict):
    """Start an application."""

    action_type: Literal["launch"]
    target: None
    parameters: _Launch


class ExtractDataStrict(_Strict):
    """Read something off the screen; strict schemas allow no free-form object, so ``data`` is text here."""

    action_type: Literal["extract_data"]
    target: TargetStrict | None
    parameters: _ExtractData


class FinishGoalStrict(_Strict):
    """The end of the task."""

    action_type: Literal["finish_goal"]
    target: None
    parameters: _FinishGoal


_StrictAction = (
    ClickStrict
    | TypeStrict
    | PressKeyStrict
    | ScrollStrict
    | HoverStrict
    | WaitStrict
    | DragStrict
    | LaunchStrict
    | ExtractDataStrict
    | FinishGoalStrict
)


class LLMResponseStrict(_Strict):
    """An LLMResponse for providers' strict modes."""

    reasoning: str
    action: _StrictAction
    is_goal_complete: bool


_PARAMETERS: dict[str, type[_Strict]] = {
    "click": _Click,
    "type": _Type,
    "press_key": _PressKey,
    "scroll": _Scroll,
    "hover": _Hover,
    "wait": _Wait,
    "drag": _Drag,
    "launch": _Launch,
    "extract_data": _ExtractData,
    "finish_goal": _FinishGoal,
}


def to_strict(response: LLMResponse) -> dict[str, Any]:
    """The strict form of a response; ``data`` of extract_data becomes JSON text unless it is text already."""
    action = response.action
    given = dict(action.parameters)
    if action.end_target is not None:
        given["end_target"] = _target(action.end_target)
    if action.action_type == "extract_data" and not isinstance(given.get("data"), (str, type(None))):
        given["data"] = json.dumps(given["data"], ensure_ascii=False)
    names = _PARAMETERS[action.action_type].model_fields
    strict = {
        "reasoning": response.reasoning,
        "action": {
            "action_type": action.action_type,
            "target": None if action.target is None else _target(action.target),
            "parameters": {name: given.get(name) for name in names},
        },
        "is_goal_complete": response.is_goal_complete,
    }
    return LLMResponseStrict.model_validate(strict).model_dump(mode="json")


def _target(target: ActionTarget) -> dict[str, Any]:
    return target.model_dump(mode="json")
