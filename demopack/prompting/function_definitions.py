"""The actions of a vocabulary as function definitions, for APIs that take them instead of text."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final, cast

from demopack.codecs import qwen
from demopack.codecs.llmresponse_schema import parameters_schema
from demopack.codecs.texts import texts
from demopack.codecs.uipath_registry import ACTIONS, ActionRegistry
from demopack.domain.actions import ACTION_MODELS, FORBIDS_TARGET, NEEDS_TARGET, ActionTarget
from demopack.errors import BadInputError
from demopack.prompting.caap_prompts import caap_functions

FUNCTION_DIALECTS: Final = ("llmresponse", "caap", "uipath", "ufo", "qwen")


def functions_for(dialect: str, *, registry: ActionRegistry = ACTIONS) -> list[dict[str, Any]]:
    """``{name, description, parameters}`` of every action of a vocabulary.

    Args:
        dialect: one of :data:`FUNCTION_DIALECTS`, or ``lam``.
        registry: the actions of UiPath's planner.

    Raises:
        BadInputError: the vocabulary is the API's own tool, or there is none of this name.
    """
    if dialect == "llmresponse":
        return native_functions()
    if dialect == "caap":
        return caap_functions()
    if dialect == "uipath":
        return [action.function() for action in registry.values()]
    if dialect in {"ufo", "lam"}:
        functions: list[dict[str, Any]] = json.loads(texts("lam").get("functions"))
        # UFO names the control beside the arguments; a function call has no other place for it.
        for parameters in (one["parameters"] for one in functions if not one["name"].endswith("_on_coordinates")):
            parameters["properties"] = {**_CONTROL, **parameters["properties"]}
        return functions
    if dialect == "qwen":
        found = qwen.tool(None)
        return [{name: found[name] for name in ("name", "description", "parameters")}]
    raise BadInputError(f"{dialect} has no function definitions.", hint=f"Use one of {', '.join(FUNCTION_DIALECTS)}.")


def as_openai(functions: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """As ``tools`` of chat completions."""
    return [{"type": "function", "function": copy.deepcopy(function)} for function in functions]


def as_anthropic(functions: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """As ``tools`` of messages."""
    return [
        {
            "name": function["name"],
            "description": function["description"],
            "input_schema": copy.deepcopy(function["parameters"]),
        }
        for function in functions
    ]


def native_functions() -> list[dict[str, Any]]:
    """The contract's ten actions: ``target`` and the action's parameters side by side, made from the models."""
    return copy.deepcopy(_native())


@cache
def _native() -> list[dict[str, Any]]:
    """Made once: an agent builds a prompt for each step, and schemas take longer than all the rest of it."""
    found: list[dict[str, Any]] = []
    for kind, model in ACTION_MODELS.items():
        schema = _plain(parameters_schema(model))
        properties: dict[str, Any] = schema["properties"]
        if "end_target" in properties:
            properties["end_target"] = _target()
        needed: list[str] = [*schema["required"], *model.always_written]
        if kind not in FORBIDS_TARGET:
            properties = {"target": _target(), **properties}
            needed = ["target", *needed] if kind in NEEDS_TARGET else needed
        about = " ".join((model.__doc__ or "").split())
        parameters = {"type": "object", "properties": properties, "required": needed, "additionalProperties": False}
        found.append({"name": kind, "description": about, "parameters": parameters})
    return found


def _target() -> dict[str, Any]:
    schema = _plain(ActionTarget.model_json_schema())
    about = "The element, by as much as is known of it: track_id, element_id, text, bbox."
    return {
        "type": "object",
        "description": about,
        "properties": schema["properties"],
        "additionalProperties": False,
    }


def _plain(schema: Any) -> Any:  # noqa: ANN401 - any part of a JSON schema
    """A schema in the words that every server knows: no titles, no null for what may be left out, no tuples."""
    if isinstance(schema, list):
        return [_plain(item) for item in cast("Sequence[Any]", schema)]
    if not isinstance(schema, dict):
        return schema
    given = cast("Mapping[str, Any]", schema)
    found = {key: _plain(value) for key, value in given.items() if key != "title" or not isinstance(value, str)}
    if "prefixItems" in found:
        # Grammars and strict modes of servers know lists of one kind only; the length says the rest.
        found["items"] = found.pop("prefixItems")[0]
    kept = [option for option in found.get("anyOf", ()) if option != {"type": "null"}]
    if len(kept) == 1:
        rest = {key: value for key, value in found.items() if key not in {"anyOf", "default"}}
        return {**kept[0], **rest}
    return found


_CONTROL: Final = {
    "control_label": {"type": "string", "description": "Label of the control in the list; empty for none."},
    "control_name": {"type": "string", "description": "Text of that control."},
}
