"""JSON Schemas of the LLMResponse contract, generated from the models, so that they cannot disagree with them."""

from __future__ import annotations

import re
from typing import Any, Final

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from demopack.domain.actions import ACTION_TYPES, FORBIDS_TARGET, NEEDS_TARGET, ActionTarget, LLMResponse
from demopack.domain.parameters import PARAMETER_MODELS
from demopack.domain.strict import LLMResponseStrict

__all__ = ["DIALECT", "describe", "response_definitions", "response_schema", "strict_schema"]

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_REF = "#/$defs/{model}"
_ATTRIBUTE = re.compile(r"^    (\w+): ((?:.|\n(?=     ))+)", re.MULTILINE)


def response_schema() -> dict[str, Any]:
    """The native wire form: one alternative per action, its parameters spelled out, optional ones may be null."""
    definitions = response_definitions()
    top = definitions.pop("LLMResponse")
    return describe({"$schema": DIALECT, **top, "$defs": definitions})


def response_definitions() -> dict[str, Any]:
    """The definitions ``LLMResponse``, ``AgentAction``, ``ActionTarget`` and one per action, for embedding."""
    models: list[type[BaseModel]] = [LLMResponse, ActionTarget, *(PARAMETER_MODELS[name] for name in ACTION_TYPES)]
    _, generated = models_json_schema([(model, "validation") for model in models], ref_template=_REF)
    definitions: dict[str, Any] = generated["$defs"]
    for name in ACTION_TYPES:
        parameters = definitions.pop(PARAMETER_MODELS[name].__name__)
        definitions[f"{_camel(name)}Action"] = _action(name, _nullable(parameters))
    definitions["AgentAction"] = {"anyOf": [_ref(f"{_camel(name)}Action") for name in ACTION_TYPES]}
    target = definitions["ActionTarget"]
    _bbox(target)
    not_null = {"not": {"type": "null"}}
    target["anyOf"] = [{"required": [name], "properties": {name: not_null}} for name in target["properties"]]
    response = definitions["LLMResponse"]
    response.update(_goal_rule())
    return {name: definitions[name] for name in sorted(definitions)}


def strict_schema() -> dict[str, Any]:
    """The variant for providers' strict modes: plain ``anyOf``, every key required, no default, no free object."""
    return describe({"$schema": DIALECT, **LLMResponseStrict.model_json_schema(ref_template=_REF)})


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


def _action(name: str, parameters: dict[str, Any]) -> dict[str, Any]:
    none = {"type": "null"}
    target: dict[str, Any] = {"anyOf": [_ref("ActionTarget"), none]}
    if name in NEEDS_TARGET:
        target = _ref("ActionTarget")
    elif name in FORBIDS_TARGET:
        target = none
    description = parameters.pop("description", "")
    required = ["action_type"]
    required += ["target"] if name in NEEDS_TARGET else []
    required += ["parameters"] if parameters.get("required") else []
    return {
        "type": "object",
        "description": description,
        "properties": {"action_type": {"const": name}, "target": target, "parameters": parameters},
        "required": required,
        "additionalProperties": False,
    }


def _nullable(parameters: dict[str, Any]) -> dict[str, Any]:
    """Null counts as "not given" wherever a parameter may be left out."""
    required = parameters.get("required", [])
    for name, schema in parameters["properties"].items():
        if name == "end_target":
            parameters["properties"][name] = {"description": schema["description"], **_ref("ActionTarget")}
        elif name not in required and not _takes_null(schema):
            described = {key: schema.pop(key) for key in ("default", "description", "title") if key in schema}
            parameters["properties"][name] = {"anyOf": [schema, {"type": "null"}], **described}
    return parameters


def _takes_null(schema: dict[str, Any]) -> bool:
    return "type" not in schema and "enum" not in schema and {"type": "null"} in schema.get("anyOf", [{"type": "null"}])


def _bbox(target: dict[str, Any]) -> None:
    """A list of four numbers; the model reads them itself, so pydantic does not know their range."""
    number = {"type": "number", "minimum": 0, "maximum": 1}
    box = {"type": "array", "items": number, "minItems": 4, "maxItems": 4, "description": "[x, y, width, height]"}
    target["properties"]["bbox"] = {"anyOf": [box, {"type": "null"}], "default": None, "title": "Bbox"}


def _goal_rule() -> dict[str, Any]:
    """``is_goal_complete`` is true exactly when the action is ``finish_goal`` without the status ``failure``."""
    action = {
        "properties": {
            "action_type": {"const": "finish_goal"},
            "parameters": {"not": {"properties": {"status": {"const": "failure"}}, "required": ["status"]}},
        }
    }
    flag = "is_goal_complete"
    return {
        "if": {"properties": {"action": action}},
        "then": {"properties": {flag: {"const": True}}, "required": [flag]},
        "else": {"properties": {flag: {"const": False}}},
    }
