"""The JSON Schemas that lie in every pack and in ``assets/schema``.

They are generated: ``python scripts/write_schemas.py`` writes ``assets/schema`` anew after a model was changed.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from pydantic import TypeAdapter

from demopack.atomic import write_text_atomic
from demopack.codecs.llmresponse_schema import DIALECT, describe, response_definitions, response_schema, strict_schema
from demopack.domain.events import InputEvent
from demopack.domain.records import Record
from demopack.domain.trees import TreeNode
from demopack.pack.manifest import Manifest
from demopack.pack.rows import DemoRow, ElementRow, StepRow, TreeRow, columns
from demopack.resources import asset, assets_root

_NAMES = (
    "demo.json",
    "element.json",
    "llmresponse.json",
    "llmresponse_strict.json",
    "pack.json",
    "step.json",
    "tree.json",
)


@cache
def schema_files() -> dict[str, str]:
    """File name -> text of every schema, as shipped.

    Raises:
        DemopackError: the installation is damaged.
    """
    return {name: asset(f"schema/{name}").read_text(encoding="utf-8") for name in _NAMES}


def generate_schemas() -> dict[str, str]:
    """File name -> text of every schema, from the models as they are now."""
    schemas = {
        "demo.json": _of(DemoRow),
        "element.json": _of(ElementRow),
        "llmresponse.json": response_schema(),
        "llmresponse_strict.json": strict_schema(),
        "pack.json": _of(Manifest),
        "step.json": _step(),
        "tree.json": _tree(),
    }
    return {name: json.dumps(schema, ensure_ascii=False, indent=2) + "\n" for name, schema in schemas.items()}


def _of(model: type[Record]) -> dict[str, Any]:
    # As it is written: a box is read from several forms, and written in one.
    schema = model.model_json_schema(mode="serialization")
    ordered = [model.model_fields[name].alias or name for name in columns(model)]
    schema["properties"] = {name: schema["properties"][name] for name in ordered if name in schema["properties"]}
    for part in [schema, *schema.get("$defs", {}).values()]:
        if part.get("type") == "object" and "properties" in part:
            part["required"] = list(part["properties"])  # what the writer always writes, a reader may count on
    return describe({"$schema": DIALECT, **schema})


def _tree() -> dict[str, Any]:
    """A tree's schema; of a node nothing but the role is required: fields at their default are left out."""
    schema = _of(TreeRow)
    nodes = TypeAdapter(tuple[TreeNode, ...]).json_schema(mode="serialization")
    schema["properties"]["nodes"] = {key: value for key, value in nodes.items() if key != "$defs"}
    schema["$defs"] = {**schema.get("$defs", {}), **nodes["$defs"]}
    return describe(schema)


def _step() -> dict[str, Any]:
    """A step's schema with the contract's inside."""
    schema = _of(StepRow)
    # Left-out defaults are the serialiser's doing, of which a schema knows nothing: an event is told as it is read.
    schema["properties"]["events"].update(type="array", items={"$ref": "#/$defs/InputEvent"})
    schema["$defs"] = {**schema.get("$defs", {}), "InputEvent": TypeAdapter(InputEvent).json_schema()}
    schema["$defs"].update(response_definitions())
    schema["properties"]["response"] = {"$ref": "#/$defs/LLMResponse"}
    schema["$defs"]["AlternativeRow"]["properties"]["target"] = {"$ref": "#/$defs/ActionTarget"}
    schema["properties"]["recorded_action"] = {"$ref": "#/$defs/AgentAction"}
    return describe(schema)


def write_schemas() -> None:
    """Write ``assets/schema`` of this checkout anew."""
    for name, text in generate_schemas().items():
        write_text_atomic(assets_root() / "schema" / name, text)
