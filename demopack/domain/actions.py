"""The LLMResponse contract, wire format version 1.

``LLMResponse{reasoning, action: AgentAction, is_goal_complete}``; ``AgentAction{action_type, target, parameters}``;
``ActionTarget{track_id?, element_id?, text?, bbox?}`` in this order of trust. A consumer that has only the three
original models can read what :meth:`LLMResponse.to_wire` writes.

Each class of mistake raises :class:`demopack.errors.ActionError` with its own ``code``; the codes are listed in
``docs/formats/llmresponse.md``. The rules of each action live in :mod:`demopack.domain.parameters`.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Final, Literal, TypeVar, cast, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, field_validator, model_validator

from demopack.domain.parameters import Parameters, check_parameters
from demopack.errors import ActionError

__all__ = [
    "ACTION_TYPES",
    "FORBIDS_TARGET",
    "NEEDS_TARGET",
    "ActionTarget",
    "ActionType",
    "AgentAction",
    "LLMResponse",
    "parse_action",
    "parse_response",
]

ActionType = Literal[
    "click", "type", "scroll", "press_key", "wait", "finish_goal", "hover", "drag", "launch", "extract_data"
]
ACTION_TYPES: Final[tuple[str, ...]] = get_args(ActionType)

NEEDS_TARGET: Final = frozenset({"click", "hover", "drag"})
"""Actions that mean nothing without a place."""
FORBIDS_TARGET: Final = frozenset({"wait", "finish_goal", "launch"})
"""Actions that have no place."""
_SLACK = 1e-5  # six decimals are written; sums of two rounded numbers may pass 1 by this much


def _check_bbox(value: object) -> object:
    if value is None:
        return None
    numbers = list(cast("list[Any]", value)) if isinstance(value, (list, tuple)) else []
    if len(numbers) != 4 or not all(_is_number(v) for v in numbers):
        raise ActionError(
            f"bbox must be four numbers [x, y, width, height], not {value!r}.",
            code="bbox_malformed",
            field="target.bbox",
        )
    x, y, w, h = (float(v) for v in numbers)
    if min(x, y, w, h) < 0 or x + w > 1 + _SLACK or y + h > 1 + _SLACK:
        raise ActionError(
            f"bbox {numbers} is not within 0..1.",
            code="bbox_out_of_range",
            field="target.bbox",
            hint="Divide pixels by the frame's width and height.",
        )
    return (x, y, w, h)


def _is_number(value: object) -> bool:
    # By comparison: a whole number of four hundred digits has no float to be looked at.
    return isinstance(value, (int, float)) and not isinstance(value, bool) and -1e300 < value < 1e300


class ActionTarget(BaseModel):
    """What an action is aimed at; an executor tries track_id, then element_id, then text, then bbox.

    Attributes:
        track_id: the element's persistent id over the frames of a demo.
        element_id: the element's number in reading order on this frame, from 1.
        text: the text on the element.
        bbox: ``[x, y, width, height]`` as fractions 0..1 of the frame; size zero means the point itself.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    track_id: str | None = None
    element_id: int | None = None
    text: str | None = None
    bbox: Annotated[tuple[float, float, float, float] | None, BeforeValidator(_check_bbox)] = None

    @model_validator(mode="after")
    def _not_empty(self) -> ActionTarget:
        if self.track_id is None and self.element_id is None and self.text is None and self.bbox is None:
            raise ActionError(
                "The target names nothing.",
                code="empty_target",
                field="target",
                hint="Give at least one of track_id, element_id, text, bbox, or make the target null.",
            )
        return self

    def to_wire(self) -> dict[str, Any]:
        """The fields that are set, in the contract's order."""
        return self.model_dump(mode="json", exclude_none=True)


class AgentAction(BaseModel):
    """One action: what, on what, and how.

    Attributes:
        action_type: one of ``ACTION_TYPES``.
        target: None where the action has none.
        parameters: a plain dict of checked values; defaults are left out, so a left click has ``{}``.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    action_type: ActionType
    target: ActionTarget | None = None
    parameters: dict[str, Any] = Field(default_factory=dict[str, Any])

    @field_validator("action_type", mode="before")
    @classmethod
    def _known(cls, value: object) -> object:
        if value not in ACTION_TYPES:
            raise ActionError(
                f"There is no action called {value!r}.",
                code="unknown_action",
                field="action.action_type",
                hint=f"Use one of {', '.join(ACTION_TYPES)}.",
            )
        return value

    @model_validator(mode="after")
    def _fits(self) -> AgentAction:
        if self.target is None and self.action_type in NEEDS_TARGET:
            raise ActionError(
                f"{self.action_type} needs a target.",
                code=f"{self.action_type}_without_target",
                field="action.target",
            )
        if self.target is not None and self.action_type in FORBIDS_TARGET:
            raise ActionError(
                f"{self.action_type} has no target.",
                code="target_not_allowed",
                field="action.target",
                hint="Make the target null.",
            )
        typed = check_parameters(self.action_type, self.parameters)
        end = self.parameters.get("end_target")
        wire = typed.to_wire()
        if end is not None:
            wire["end_target"] = _end_target(end).to_wire()
        # The model is frozen to its users; this is still its construction.
        object.__setattr__(self, "parameters", wire)
        return self

    @property
    def typed(self) -> Parameters:
        """The parameters as the model of this action, with defaults filled in."""
        return check_parameters(self.action_type, self.parameters)

    @property
    def end_target(self) -> ActionTarget | None:
        """Where a drag ends; None for every other action."""
        end = self.parameters.get("end_target")
        return None if end is None else _end_target(end)

    def to_wire(self) -> dict[str, Any]:
        """The plain dict of the contract; ``target`` is written as null where there is none."""
        return {
            "action_type": self.action_type,
            "target": None if self.target is None else self.target.to_wire(),
            "parameters": dict(self.parameters),
        }


def _end_target(value: object) -> ActionTarget:
    try:
        return ActionTarget.model_validate(value)
    except ValidationError as error:
        raise _clear(error, prefix="action.parameters.end_target") from error


class LLMResponse(BaseModel):
    """A model's answer, or a recorded step in the form of one.

    Attributes:
        reasoning: why this action; may be empty while a rationale is still to be written.
        action: what to do.
        is_goal_complete: true if and only if the action is ``finish_goal`` with success.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    reasoning: str
    action: AgentAction
    is_goal_complete: bool = False

    @model_validator(mode="after")
    def _flag_agrees(self) -> LLMResponse:
        success = self.action.action_type == "finish_goal" and "status" not in self.action.parameters
        if success != self.is_goal_complete:
            said = "true" if self.is_goal_complete else "false"
            status = self.action.parameters.get("status")
            raise ActionError(
                f"is_goal_complete is {said}, but the action is {self.action.action_type}"
                f"{f' with status {status}' if status else ''}.",
                code="goal_flag_mismatch",
                field="is_goal_complete",
                hint="It is true exactly when the action is finish_goal with success.",
            )
        return self

    def to_wire(self) -> dict[str, Any]:
        """The plain dict of the contract, keys in its order."""
        return {
            "reasoning": self.reasoning,
            "action": self.action.to_wire(),
            "is_goal_complete": self.is_goal_complete,
        }

    def to_json_text(self, *, indent: int | None = None) -> str:
        """The wire form as JSON text, UTF-8 characters kept."""
        return json.dumps(self.to_wire(), ensure_ascii=False, indent=indent, allow_nan=False)


def parse_response(data: str | bytes | dict[str, Any]) -> LLMResponse:
    """Read one LLMResponse from JSON text or a plain dict.

    Raises:
        ActionError: the data break the contract; ``code`` and ``field`` say how.
    """
    return _parse(LLMResponse, data)


def parse_action(data: str | bytes | dict[str, Any]) -> AgentAction:
    """Read one AgentAction from JSON text or a plain dict.

    Raises:
        ActionError: the data break the contract; ``code`` and ``field`` say how.
    """
    return _parse(AgentAction, data)


_M = TypeVar("_M", bound=BaseModel)


def _parse(model: type[_M], data: str | bytes | dict[str, Any]) -> _M:
    if isinstance(data, (str, bytes)):
        try:
            data = json.loads(data)
        except ValueError as error:
            raise ActionError(
                "The answer is not JSON.",
                code="not_json",
                field="",
                details=str(error),
                hint="Send one JSON object.",
            ) from error
    if not isinstance(data, dict):
        raise ActionError(
            f"The answer is {type(data).__name__}, not an object.",
            code="not_an_object",
            field="",
            hint="Send one JSON object.",
        )
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise _clear(error) from error


_CODES = {"missing": "missing_field", "extra_forbidden": "unknown_field"}


def _clear(error: ValidationError, *, prefix: str = "") -> ActionError:
    """The first of pydantic's complaints as one of ours."""
    first = error.errors(include_url=False)[0]
    parts = [prefix] if prefix else []
    field = ".".join([*parts, *(str(part) for part in first["loc"])])
    code = _CODES.get(first["type"], "wrong_type")
    what = {
        "missing_field": f"The field {field} is missing.",
        "unknown_field": f"The field {field} is not part of the contract.",
        "wrong_type": f"The field {field} is wrong: {first['msg']}.",
    }[code]
    return ActionError(what, code=code, field=field, details=str(error))
