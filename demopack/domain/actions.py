"""The LLMResponse contract, wire format version 1.

``LLMResponse{reasoning, action: AgentAction, is_goal_complete}``; ``AgentAction{action_type, target, parameters}``;
``ActionTarget{track_id?, element_id?, text?, bbox?}`` in this order of trust. A consumer that has only the three
original models can read what :meth:`LLMResponse.to_wire` writes.

Here an action is one of ten models, the union :data:`Action`; its parameters are fields. On the wire they are a plain
dict in which defaults are left out. Each class of mistake raises :class:`demopack.errors.ActionError` with its own
``code``; the codes are listed in ``docs/formats/llmresponse.md``.
"""

from __future__ import annotations

import contextlib
import difflib
import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import NoneType
from typing import Annotated, Any, ClassVar, Final, Literal, Self, TypeAlias, TypeVar, cast, get_args

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    ValidationError,
    field_validator,
    model_serializer,
    model_validator,
)
from pydantic_core import PydanticKnownError, to_jsonable_python

from demopack.domain.keys import join_keys, parse_key_info
from demopack.domain.records import not_json
from demopack.errors import ActionError

ActionType = Literal[
    "click", "type", "scroll", "press_key", "wait", "finish_goal", "hover", "drag", "launch", "extract_data"
]
ACTION_TYPES: Final[tuple[str, ...]] = get_args(ActionType)

ClickType = Literal["single", "double", "triple", "right", "middle"]
Direction = Literal["up", "down", "left", "right"]
Modifier = Literal["ctrl", "alt", "shift", "meta"]
_MODIFIER_ORDER: Final[tuple[Modifier, ...]] = get_args(Modifier)

_ROUNDING_TOLERANCE = 1e-5  # six decimals are written; sums of two rounded numbers may pass 1 by this much


def _check_bbox(value: object) -> object:
    if value is None:
        return None
    given = list(cast("list[Any]", value)) if isinstance(value, (list, tuple)) else []
    numbers: list[Any] = [_unquoted(v) for v in given]
    # By comparison: a whole number of four hundred digits has no float to be looked at.
    are_numbers = [isinstance(v, (int, float)) and not isinstance(v, bool) and -1e300 < v < 1e300 for v in numbers]
    if len(numbers) != 4 or not all(are_numbers):
        raise ActionError(
            f"bbox must be four numbers [x, y, width, height], not {value!r}.", "bbox_malformed", "target.bbox"
        )
    x, y, w, h = (float(v) for v in numbers)
    if min(x, y, w, h) < 0 or x + w > 1 + _ROUNDING_TOLERANCE or y + h > 1 + _ROUNDING_TOLERANCE:
        raise ActionError(
            f"bbox {numbers} is not within 0..1.",
            code="bbox_out_of_range",
            field="target.bbox",
            hint="Divide pixels by the frame's width and height.",
        )
    return (x, y, w, h)


def _unquoted(value: object) -> object:
    """A number that was written as text; anything else as it is."""
    if isinstance(value, str):
        with contextlib.suppress(ValueError):
            return float(value)
    return value


class ActionTarget(BaseModel):
    """What an action is aimed at; an executor tries track_id, then element_id, then text, then bbox.

    Attributes:
        track_id: the element's persistent id over the frames of a demo.
        element_id: the element's number in reading order on this frame, from 1.
        text: the text on the element.
        bbox: ``[x, y, width, height]`` as fractions 0..1 of the frame; size zero means the point itself.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    track_id: Annotated[str, Field(min_length=1)] | None = None
    element_id: Annotated[int, Field(ge=1)] | None = None
    text: Annotated[str, Field(min_length=1)] | None = None
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


class ActionBase(BaseModel, frozen=True, extra="forbid", allow_inf_nan=False):
    """An action of any type: what it is called, what it is aimed at, and its form on the wire.

    JSON has no infinity; a duration that never ends would also stop every replay.

    Attributes:
        always_written: parameters that every program of ours writes, because readers count on them. An action that was
            read without one is written without it, and its default stands for it wherever a value is needed.
        action_type: the tag that tells the models of :data:`Action` apart.
        target: None where the action has none.
    """

    always_written: ClassVar[tuple[str, ...]] = ()

    action_type: ActionType
    target: ActionTarget | None

    @model_validator(mode="wrap")
    @classmethod
    def _checked(cls, value: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:  # noqa: ANN401
        try:
            return handler(value)
        except (ActionError, ValidationError) as error:
            if isinstance(value, Mapping):
                _check_target(cls, cast("Mapping[str, object]", value).get("target"))
            if isinstance(error, ActionError):
                raise
            raise _parameter_error(cls, error) from error

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters in wire form: plain JSON values, defaults left out."""
        values, unsaid = self.__dict__, self.unsaid
        return {
            name: _plain(values[name])
            for name, left_out in _defaults(type(self))
            if values[name] != left_out and name not in unsaid
        }

    @property
    def unsaid(self) -> tuple[str, ...]:
        """Parameters of :attr:`always_written` that the action was read without."""
        return tuple(name for name in self.always_written if name not in self.model_fields_set)

    @classmethod
    def parameter_names(cls) -> tuple[str, ...]:
        """The fields that are parameters, in the order in which they are written."""
        return tuple(name for name in cls.model_fields if name not in ActionBase.model_fields)

    @property
    def held(self) -> tuple[Modifier, ...]:
        """Keys held down during a click, scroll or drag; empty for every other action."""
        held: tuple[Modifier, ...] = self.__dict__.get("modifiers", ())
        return held

    @property
    def typed_text(self) -> str | None:
        """What is typed; None for every other action."""
        return self.__dict__.get("text_to_type")

    @property
    def end(self) -> ActionTarget | None:
        """Where a drag ends; None for every other action."""
        return self.__dict__.get("end_target")

    @property
    def completes_goal(self) -> bool:
        """Whether the task is done with this action: the goal was reached, and not given up."""
        return self.__dict__.get("status") == "success"

    @property
    def gives_up(self) -> bool:
        """Whether the task ends with this action without its goal."""
        return self.__dict__.get("status") == "failure"

    def replace(self, **fields: Any) -> Self:  # noqa: ANN401 - whatever the fields are
        """A checked copy with some fields replaced; None stands for a field's default.

        Raises:
            ActionError: the action would break the contract.
        """
        given = {**{name: getattr(self, name) for name in type(self).model_fields if name not in self.unsaid}, **fields}
        return type(self).model_validate({name: value for name, value in given.items() if value is not None})

    @model_serializer
    def _to_stored(self) -> dict[str, Any]:
        return {"action_type": self.action_type, "target": self.target, "parameters": self.parameters}

    def to_wire(self) -> dict[str, Any]:
        """The plain dict of the contract; ``target`` is written as null where there is none."""
        return {
            "action_type": self.action_type,
            "target": None if self.target is None else self.target.to_wire(),
            "parameters": self.parameters,
        }


@cache
def _defaults(model: type[ActionBase]) -> tuple[tuple[str, object], ...]:
    """Each parameter with the value at which it is left out; one that is always written with a value of its own."""
    fields = {name: model.model_fields[name] for name in model.parameter_names()}
    return tuple(
        (name, object() if field.is_required() or name in model.always_written else field.default)
        for name, field in fields.items()
    )


def _plain(value: object) -> object:
    """A parameter's value as plain JSON."""
    if isinstance(value, (str, int, float)):
        return value
    return value.to_wire() if isinstance(value, ActionTarget) else to_jsonable_python(value)


_CODES_IF_MISSING: Final = {
    "text_to_type": "type_without_text", "key_info": "press_key_without_key",
    "scroll_direction": "scroll_without_direction",
    "end_target": "drag_without_end", "app": "launch_without_app", "description": "extract_data_without_description",
}  # fmt: skip


def _check_target(model: type[ActionBase], given: object) -> None:
    field, kind = model.model_fields["target"], model.model_fields["action_type"].default
    if field.is_required() and given is None:
        raise ActionError(f"{kind} needs a target.", f"{kind}_without_target", "action.target")
    if field.annotation is NoneType and given is not None:
        raise ActionError(f"{kind} has no target.", "target_not_allowed", "action.target", "Make the target null.")


def _parameter_error(model: type[ActionBase], error: ValidationError) -> ActionError:
    first, kind = error.errors(include_url=False)[0], model.model_fields["action_type"].default
    name = str(first["loc"][0]) if first["loc"] else ""
    field = f"action.parameters.{'.'.join(str(part) for part in first['loc'])}"
    if first["type"] == "missing" and len(first["loc"]) == 1:
        return ActionError(f"{kind} needs the parameter {name}.", _CODES_IF_MISSING[name], field)
    if first["type"] == "extra_forbidden":
        return _unknown_parameter(model, name)
    is_list = (name, first["type"]) == ("key_info", "string_type")
    hint = 'Write the keys as one text, for instance "Ctrl+S".' if is_list else ""
    return ActionError(f"The parameter {name} of {kind} is wrong: {first['msg']}.", "bad_parameter", field, hint)


def _unknown_parameter(model: type[ActionBase], name: str) -> ActionError:
    return ActionError(
        f"{model.model_fields['action_type'].default} has no parameter {name}.",
        code="unknown_parameter",
        field=f"action.parameters.{name}",
        hint=f"It knows {', '.join(model.parameter_names()) or 'none'}.",
    )


def _ordered_modifiers(value: Any) -> Any:  # noqa: ANN401 - whatever the wire holds
    if not isinstance(value, (list, tuple)):
        return value
    given = cast("Sequence[Any]", value)
    names = {str(v).lower() for v in given}
    # Anything unknown is left as it came: pydantic then says which value is wrong.
    return tuple(m for m in _MODIFIER_ORDER if m in names) if names <= set(_MODIFIER_ORDER) else given


class _WithModifiers(ActionBase, frozen=True):
    modifiers: Annotated[tuple[Modifier, ...], BeforeValidator(_ordered_modifiers)] = Field(
        default=(), description="Keys held down meanwhile."
    )


class ClickAction(_WithModifiers, frozen=True):
    """A press and release of a mouse button."""

    action_type: Literal["click"] = "click"
    target: ActionTarget
    click_type: ClickType = "single"
    hold_s: float | None = Field(default=None, gt=0, description="Seconds held down; only of a long press.")


class TypeAction(ActionBase, frozen=True):
    """Text as it ends up in the field."""

    action_type: Literal["type"] = "type"
    target: ActionTarget | None = None
    text_to_type: str
    submit: bool = Field(default=False, description="Enter ended the text and belongs to this step.")


class PressKeyAction(ActionBase, frozen=True):
    """A key or a combination."""

    action_type: Literal["press_key"] = "press_key"
    target: ActionTarget | None = None
    key_info: str = Field(description="For instance Ctrl+Shift+T; names of demopack.domain.keys.")
    presses: int = Field(default=1, ge=1, description="How often; a key held down counts its repeats.")

    @field_validator("key_info")
    @classmethod
    def _canonical(cls, value: str) -> str:
        return join_keys(parse_key_info(value))

    @property
    def keys(self) -> tuple[str, ...]:
        """Canonical names of the keys that are pressed together."""
        return parse_key_info(self.key_info)


class ScrollAction(_WithModifiers, frozen=True):
    """A run of wheel notches; the direction in which the view moves."""

    always_written: ClassVar[tuple[str, ...]] = ("scroll_steps",)
    action_type: Literal["scroll"] = "scroll"
    target: ActionTarget | None = None
    scroll_direction: Direction
    scroll_steps: int = Field(default=1, ge=1, description="Wheel notches.")


class HoverAction(ActionBase, frozen=True):
    """The pointer rests somewhere and the screen answers."""

    action_type: Literal["hover"] = "hover"
    target: ActionTarget
    duration_s: float | None = Field(default=None, gt=0, description="Seconds; None when it was not measured.")


class WaitAction(ActionBase, frozen=True):
    """Nothing is done until the screen has changed."""

    always_written: ClassVar[tuple[str, ...]] = ("wait_duration_s",)
    action_type: Literal["wait"] = "wait"
    target: None = None
    wait_duration_s: float = Field(default=1.0, gt=0, description="Seconds.")


def _end_target(value: object) -> object:
    if not isinstance(value, (Mapping, ActionTarget)):
        raise PydanticKnownError("dict_type")
    try:
        return ActionTarget.model_validate(value)
    except ValidationError as error:
        raise _clear(error, within=("action.parameters.end_target",)) from error


class DragAction(_WithModifiers, frozen=True):
    """Press at the target, move, release at the end target."""

    action_type: Literal["drag"] = "drag"
    target: ActionTarget
    end_target: Annotated[ActionTarget, BeforeValidator(_end_target)] = Field(
        description="An ActionTarget: where the button is released."
    )
    path: tuple[tuple[float, float], ...] = Field(
        default=(), description="Normalised way-points; empty when the way was straight."
    )
    button: Literal["left", "right", "middle"] = "left"

    @field_validator("path")
    @classmethod
    def _on_screen(cls, value: tuple[tuple[float, float], ...]) -> tuple[tuple[float, float], ...]:
        if any(not 0 <= v <= 1 for point in value for v in point):
            raise ActionError(
                "A point of the drag's path is not within 0..1.",
                code="path_out_of_range",
                field="action.parameters.path",
                hint="Divide pixels by the frame's width and height.",
            )
        return value


class LaunchAction(ActionBase, frozen=True):
    """Start an application."""

    action_type: Literal["launch"] = "launch"
    target: None = None
    app: str = Field(min_length=1)


class ExtractDataAction(ActionBase, frozen=True):
    """Read something off the screen."""

    action_type: Literal["extract_data"] = "extract_data"
    target: ActionTarget | None = None
    description: str = Field(min_length=1)
    data: Any = None

    @field_validator("data")
    @classmethod
    def _json(cls, value: Any) -> Any:  # noqa: ANN401 - whatever was read
        fault = not_json(value)
        if fault:
            raise ValueError(fault)
        return value


class FinishGoalAction(ActionBase, frozen=True):
    """The end of the task."""

    action_type: Literal["finish_goal"] = "finish_goal"
    target: None = None
    status: Literal["success", "failure"] = "success"


class AgentAction(BaseModel):
    """An action in wire form, its parameters not looked at yet; :func:`_read` makes an :data:`Action` of it."""

    model_config = ConfigDict(extra="forbid")

    action_type: ActionType
    target: ActionTarget | None = None
    parameters: dict[str, Any] = Field(default_factory=dict[str, Any])

    @field_validator("action_type", mode="before")
    @classmethod
    def _known(cls, value: object) -> object:
        if value not in ACTION_TYPES:
            near = difflib.get_close_matches(str(value), ACTION_TYPES, n=2)
            meant = f"Did you mean {' or '.join(near)}? " if near else ""
            raise ActionError(
                f"There is no action called {value!r}.",
                code="unknown_action",
                field="action.action_type",
                hint=f"{meant}Use one of {', '.join(ACTION_TYPES)}.",
            )
        return value


def _read(value: object) -> Action:
    """The action of its wire form; a null parameter counts as "not given", as strict structured output writes it."""
    if isinstance(value, ActionBase):
        return cast("Action", value)
    wire = AgentAction.model_validate(value)
    model = ACTION_MODELS[wire.action_type]
    given = {name: parameter for name, parameter in wire.parameters.items() if parameter is not None}
    action = model.model_validate({**given, "action_type": wire.action_type, "target": wire.target})
    for name in ActionBase.model_fields:
        if name in given:
            raise _unknown_parameter(model, name)
    return action


Action: TypeAlias = Annotated[
    ClickAction
    | TypeAction
    | PressKeyAction
    | ScrollAction
    | HoverAction
    | WaitAction
    | DragAction
    | LaunchAction
    | ExtractDataAction
    | FinishGoalAction,
    Field(discriminator="action_type"),
    BeforeValidator(_read),
]
"""One action: what, on what, and how."""

ACTION_MODELS: Final[dict[str, type[Action]]] = {
    model.model_fields["action_type"].default: model for model in get_args(get_args(Action)[0])
}
"""The model of every action type."""
NEEDS_TARGET: Final = frozenset(
    kind for kind, model in ACTION_MODELS.items() if model.model_fields["target"].is_required()
)
"""Actions that mean nothing without a place."""
FORBIDS_TARGET: Final = frozenset(
    kind for kind, model in ACTION_MODELS.items() if model.model_fields["target"].annotation is NoneType
)
"""Actions that have no place."""


class LLMResponse(BaseModel):
    """A model's answer, or a recorded step in the form of one.

    Whoever writes one sets the flag exactly where the action is ``finish_goal`` with success. Whoever reads one may
    also meet another action with the flag, which is the last one of the task, and ``finish_goal`` without it, which
    gives up.

    Attributes:
        reasoning: why this action; may be empty while a rationale is still to be written.
        action: what to do.
        is_goal_complete: whether the task is done with this action.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    reasoning: str
    action: Action
    is_goal_complete: bool = False

    @classmethod
    def of(cls, action: Action, *, reasoning: str = "") -> LLMResponse:
        """The response with this action, its flag set as the action says."""
        return cls(reasoning=reasoning, action=action, is_goal_complete=action.completes_goal)

    @model_validator(mode="after")
    def _flag_agrees(self) -> LLMResponse:
        if self.is_goal_complete and self.action.gives_up:
            raise ActionError(
                "is_goal_complete is true, but the action is finish_goal with status failure.",
                code="goal_flag_mismatch",
                field="is_goal_complete",
                hint="It is true exactly when the action is finish_goal with success.",
            )
        return self

    @property
    def flag_follows(self) -> bool:
        """Whether the flag is the one that follows from the action."""
        return self.is_goal_complete == self.action.completes_goal

    def normal(self) -> tuple[LLMResponse, ...]:
        """The same in responses whose flag follows from their action.

        An action that completes the goal is followed by ``finish_goal``; a ``finish_goal`` that does not complete it
        has the status failure.
        """
        if self.flag_follows:
            return (self,)
        if self.is_goal_complete:
            first = LLMResponse.of(self.action, reasoning=self.reasoning)
            return first, LLMResponse.of(FinishGoalAction())
        return (LLMResponse.of(FinishGoalAction(status="failure"), reasoning=self.reasoning),)

    def to_wire(self) -> dict[str, Any]:
        """The plain dict of the contract, keys in its order."""
        return {
            "reasoning": self.reasoning,
            "action": self.action.to_wire(),
            "is_goal_complete": self.is_goal_complete,
        }

    def to_json_text(self) -> str:
        """The wire form as JSON text, UTF-8 characters kept."""
        return json.dumps(self.to_wire(), ensure_ascii=False, allow_nan=False)


def parse_response(data: str | bytes | dict[str, Any]) -> LLMResponse:
    """Read one LLMResponse from JSON text or a plain dict.

    Raises:
        ActionError: the data break the contract; ``code`` and ``field`` say how.
    """
    return _parse(LLMResponse.model_validate, data)


def parse_action(data: str | bytes | dict[str, Any]) -> Action:
    """Read one action in wire form from JSON text or a plain dict.

    Raises:
        ActionError: the data break the contract; ``code`` and ``field`` say how.
    """
    return _parse(_read, data)


_T = TypeVar("_T")


def _parse(read: Callable[[dict[str, Any]], _T], data: str | bytes | dict[str, Any]) -> _T:
    if isinstance(data, (str, bytes)):
        try:
            data = json.loads(data)
        except ValueError as error:
            raise ActionError(
                "The answer is not JSON.", "not_json", "", "Send one JSON object.", details=str(error)
            ) from error
    if not isinstance(data, dict):
        raise ActionError(
            f"The answer is {type(data).__name__}, not an object.", "not_an_object", "", "Send one JSON object."
        )
    try:
        return read(data)
    except ValidationError as error:
        raise _clear(error) from error


_FIELD_FAULTS: Final = {
    "missing": ("missing_field", "is missing"),
    "extra_forbidden": ("unknown_field", "is not part of the contract"),
    "greater_than_equal": ("bad_element_id", "is no number of an element; they begin with 1"),
    "string_too_short": ("empty_text", "is empty; leave it out, or make it null"),
}
"""Code and words for pydantic's complaints about a field; every other one is of a wrong type."""


def _clear(error: ValidationError, *, within: tuple[str, ...] = ()) -> ActionError:
    """The first of pydantic's complaints as one of ours."""
    first = error.errors(include_url=False)[0]
    field = ".".join(str(part) for part in (*within, *first["loc"]))
    code, what = _FIELD_FAULTS.get(first["type"], ("wrong_type", f"is wrong: {first['msg']}"))
    return ActionError(f"The field {field} {what}.", code, field, details=str(error))
