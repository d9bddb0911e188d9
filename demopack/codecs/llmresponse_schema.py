"""JSON Schemas of the LLMResponse contract, derived from the models of the actions, so that they cannot disagree."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from pydantic.json_schema import models_json_schema

from demopack.domain.actions import (
    ACTION_MODELS,
    ACTION_TYPES,
    FORBIDS_TARGET,
    NEEDS_TARGET,
    ActionBase,
    ActionTarget,
    LLMResponse,
)

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_REF = "#/$defs/{model}"
_ATTRIBUTE = re.compile(r"^    (\w+): ((?:.|\n(?=     ))+)", re.MULTILINE)
_NULL: Final = {"type": "null"}


def response_schema() -> dict[str, Any]:
    """The native wire form: one alternative per action, its parameters spelled out, optional ones may be null."""
    definitions = response_definitions()
    top = definitions.pop("LLMResponse")
    return describe({"$schema": DIALECT, **top, "$defs": definitions})


def response_definitions() -> dict[str, Any]:
    """The definitions ``LLMResponse``, ``AgentAction``, ``ActionTarget`` and one per action, for embedding."""
    _, generated = models_json_schema([(LLMResponse, "validation")], ref_template=_REF)
    target, response = generated["$defs"]["ActionTarget"], generated["$defs"]["LLMResponse"]
    # The model reads the four numbers itself, so pydantic does not know their range.
    number = {"type": "number", "minimum": 0, "maximum": 1}
    box = {"type": "array", "items": number, "minItems": 4, "maxItems": 4, "description": "[x, y, width, height]"}
    target["properties"]["bbox"] = {"anyOf": [box, _NULL], "default": None, "title": "Bbox"}
    not_null = {"not": _NULL}
    target["anyOf"] = [{"required": [name], "properties": {name: not_null}} for name in target["properties"]]
    response["properties"]["action"] = _ref("AgentAction")
    response.update(_goal_rule())
    definitions: dict[str, Any] = {
        "LLMResponse": response,
        "ActionTarget": target,
        "AgentAction": {"anyOf": [_ref(f"{_camel(name)}Action") for name in ACTION_TYPES]},
    }
    definitions |= {f"{_camel(name)}Action": _action(name, model) for name, model in ACTION_MODELS.items()}
    return {name: definitions[name] for name in sorted(definitions)}


def parameters_schema(model: type[ActionBase]) -> dict[str, Any]:
    """The ``properties`` of an action's parameters and which of them are ``required``."""
    schema = model.model_json_schema(ref_template=_REF)
    names = model.parameter_names()
    required = [name for name in names if name in schema["required"]] if "required" in schema else []
    return {"properties": {name: schema["properties"][name] for name in names}, "required": required}


def describe(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema, what the models' docstrings say about an attribute moved to that property."""
    for part in [schema, *schema.get("$defs", {}).values()]:
        text, _, attributes = part.get("description", "").partition("\n\nAttributes:\n")
        if text:
            part["description"] = _plain(text)
        for name, words in _ATTRIBUTE.findall(attributes):
            if name in part.get("properties", {}) and "$ref" not in part["properties"][name]:
                part["properties"][name]["description"] = _plain(words)
    return schema


def _plain(text: str) -> str:
    return " ".join(text.replace("``", "`").split())


def _ref(name: str) -> dict[str, str]:
    return {"$ref": _REF.format(model=name)}


def _camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


def _action(name: str, model: type[ActionBase]) -> dict[str, Any]:
    parameters = parameters_schema(model)
    needed = parameters["required"]
    required = ["action_type", *(["target"] if name in NEEDS_TARGET else []), *(["parameters"] if needed else [])]
    properties = {
        key: _or_null(key, schema, required=key in needed) for key, schema in parameters["properties"].items()
    }
    return {
        "type": "object",
        "description": _plain(model.__doc__ or ""),
        "properties": {
            "action_type": {"const": name},
            "target": _target(name, "ActionTarget"),
            "parameters": _object(properties, title=f"{_camel(name)}Parameters", required=needed),
        },
        "required": required,
        "additionalProperties": False,
    }


def _target(kind: str, definition: str) -> dict[str, Any]:
    if kind in NEEDS_TARGET:
        return dict(_ref(definition))
    return dict(_NULL) if kind in FORBIDS_TARGET else {"anyOf": [_ref(definition), _NULL]}


def _object(
    properties: Mapping[str, Any], *, title: str, required: Sequence[str], description: str = ""
) -> dict[str, Any]:
    """An object that has these keys and no others, its own keys in the order in which pydantic writes them."""
    return {
        "additionalProperties": False,
        **({"description": description} if description else {}),
        "properties": dict(properties),
        **({"required": list(required)} if required else {}),
        "title": title,
        "type": "object",
    }


def _or_null(name: str, schema: dict[str, Any], *, required: bool) -> dict[str, Any]:
    """A parameter's schema; null counts as "not given" wherever it may be left out."""
    if name == "end_target":
        return {"description": schema["description"], **_ref("ActionTarget")}
    takes_null = "type" not in schema and "enum" not in schema and _NULL in schema.get("anyOf", [_NULL])
    if required or takes_null:
        return schema
    described: dict[str, Any] = {key: schema.pop(key) for key in ("default", "description", "title") if key in schema}
    return {"anyOf": [schema, _NULL], **described}


def _goal_rule() -> dict[str, Any]:
    """``is_goal_complete`` is not true where the action is ``finish_goal`` with the status ``failure``."""
    status = {"properties": {"status": {"const": "failure"}}, "required": ["status"]}
    action = {"properties": {"action_type": {"const": "finish_goal"}, "parameters": status}, "required": ["parameters"]}
    flag = "is_goal_complete"
    return {"not": {"properties": {"action": action, flag: {"const": True}}, "required": [flag]}}


_STRICT_DESCRIPTIONS: Final[Mapping[str, str]] = {
    "click": "A click; it needs a target.",
    "type": "Typed text.",
    "press_key": "A key or a combination.",
    "scroll": "A run of wheel notches.",
    "hover": "The pointer rests on a target.",
    "wait": "Waiting for the screen.",
    "drag": "Press, move, release.",
    "launch": "Start an application.",
    "extract_data": "Read something off the screen; strict schemas allow no free-form object, so `data` is text here.",
    "finish_goal": "The end of the task.",
}


def strict_schema() -> dict[str, Any]:
    """The variant for providers' strict modes: plain ``anyOf``, every key required, no default, no free object.

    A default is *only* writable as null: each response has exactly one strict form.
    """
    definitions: dict[str, Any] = {"TargetStrict": _strict_target()}
    for kind, model in ACTION_MODELS.items():
        name = _camel(kind)
        target = _target(kind, "TargetStrict")
        properties = {
            "action_type": {"const": kind, "title": "Action Type", "type": "string"},
            "target": {"title": "Target", **target} if target == _NULL else target,
            "parameters": _ref(f"_{name}"),
        }
        definitions[f"{name}Strict"] = _all_required(
            properties, title=f"{name}Strict", description=_STRICT_DESCRIPTIONS[kind]
        )
        definitions[f"_{name}"] = _all_required(_strict_parameters(model), title=f"_{name}")
    top = _all_required(
        {
            "reasoning": {"title": "Reasoning", "type": "string"},
            "action": {"anyOf": [_ref(f"{_camel(kind)}Strict") for kind in ACTION_MODELS], "title": "Action"},
            "is_goal_complete": {"title": "Is Goal Complete", "type": "boolean"},
        },
        title="LLMResponseStrict",
        description="An LLMResponse for providers' strict modes.",
    )
    return {"$schema": DIALECT, "$defs": {name: definitions[name] for name in sorted(definitions)}, **top}


def strict_parameter_names(model: type[ActionBase]) -> list[str]:
    """An action's parameters in the order of the strict form: modifiers come last."""
    return sorted(model.parameter_names(), key=lambda name: name == "modifiers")


def _all_required(properties: Mapping[str, Any], *, title: str, description: str = "") -> dict[str, Any]:
    return _object(properties, title=title, required=list(properties), description=description)


def _strict_target() -> dict[str, Any]:
    properties = ActionTarget.model_json_schema()["properties"]
    # Strict modes have no word for a text that is not empty: that is left to the reader.
    strict = {
        name: {"anyOf": [_strict(option) for option in schema["anyOf"]], "title": schema["title"]}
        for name, schema in properties.items()
    }
    box = {"items": {"type": "number"}, "maxItems": 4, "minItems": 4, "type": "array"}
    strict["bbox"]["anyOf"] = [box, _NULL]
    return _all_required(
        strict, title="TargetStrict", description="An ActionTarget with every key; null where nothing is known."
    )


def _strict_parameters(model: type[ActionBase]) -> dict[str, Any]:
    schemas = parameters_schema(model)["properties"]
    strict: dict[str, Any] = {}
    for name in strict_parameter_names(model):
        schema, field = schemas[name], model.model_fields[name]
        if name == "end_target":
            strict[name] = _ref("TargetStrict")
        elif field.is_required():
            strict[name] = _strict(schema, title=schema["title"])
        elif name in model.always_written:
            strict[name] = {"anyOf": [_strict(schema), _NULL], "title": schema["title"]}
        else:
            strict[name] = {"anyOf": [_strict(_without(field.default, schema)), _NULL], "title": schema["title"]}
    return strict


def _without(default: object, schema: dict[str, Any]) -> dict[str, Any]:
    """Values that may be written beside the default, which is written as null."""
    if "anyOf" in schema:
        return next(option for option in schema["anyOf"] if option != _NULL)
    if "enum" in schema:
        others = [value for value in schema["enum"] if value != default]
        return {"const": others[0], "type": "string"} if len(others) == 1 else {"enum": others, "type": "string"}
    match schema.get("type"):
        case "boolean":
            return {"const": not default, "type": "boolean"}
        case "integer":
            return {"minimum": schema["minimum"] + 1, "type": "integer"}
        case "array":
            return {"items": _strict(schema["items"]), "minItems": 1, "type": "array"}
        case _:
            return {"type": "string"}


def _strict(schema: dict[str, Any], **more: str) -> dict[str, Any]:
    """A schema in the words that strict modes know: numbers without open bounds, lists of one kind."""
    kept = {"const", "enum", "items", "maxItems", "minItems", "minimum", "type"}
    found = {key: value for key, value in schema.items() if key in kept} | more
    if "prefixItems" in schema:
        found["items"] = schema["prefixItems"][0]
    return {key: found[key] for key in sorted(found)}
