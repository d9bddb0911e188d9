# /// script
# requires-python = ">=3.11"
# dependencies = ["datasets>=5.2", "pillow>=11", "pydantic>=2.10"]
# ///
"""``llmresponse`` in datasets' reader of JSON, each answer in the three models of the schema's own document."""

from __future__ import annotations

from typing import Any

from told import Told

SEED = ("click", "type", "scroll", "press_key", "wait", "finish_goal", "hover")
"""The actions that the document has; the others were added."""


def models() -> Any:  # noqa: ANN401 - a class made here
    """``LLMResponse`` as the document has it; its list of actions as plain text, for the added ones."""
    from pydantic import BaseModel, ConfigDict

    class ActionTarget(BaseModel):
        model_config = ConfigDict(extra="forbid")
        track_id: str | None = None
        element_id: int | None = None
        text: str | None = None
        bbox: tuple[float, float, float, float] | None = None

    class AgentAction(BaseModel):
        model_config = ConfigDict(extra="forbid")
        action_type: str
        target: ActionTarget | None = None
        parameters: dict[str, Any] = {}

    class LLMResponse(BaseModel):
        model_config = ConfigDict(extra="forbid")
        reasoning: str
        action: AgentAction
        is_goal_complete: bool = False

    LLMResponse.model_rebuild(_types_namespace={"AgentAction": AgentAction, "ActionTarget": ActionTarget})
    return LLMResponse


def main() -> None:
    """Rows of the folder."""
    from datasets import load_dataset
    from PIL import Image

    told = Told.of("datasets (JSON), the document's models", ("datasets", "pydantic"))
    response = models()
    rows = load_dataset("json", data_files=str(told.folder / "*.jsonl"), split="train")
    steps = told.kept(pictured=False)
    told.count(len(rows), len(steps))
    for row, step in zip(rows, steps, strict=False):
        what = f"step {step['step']}"
        told.same(f"{what}: which", (row["demo"], row["step"], row["task"]), (step["demo"], step["step"], step["task"]))
        read = response.model_validate(row["response"])
        said = read.model_dump(mode="json")
        if read.action.target is not None:
            said["action"]["target"] = read.action.target.model_dump(mode="json", exclude_none=True)
        told.response(what, said, step)
        if step["picture"] is not None:
            with Image.open(told.folder / row["image"]) as image:
                told.picture(what, image, step)
    kinds = {step["response"]["action"]["action_type"] for step in steps}
    told.true("every action of the document is in the pack", holds=kinds >= set(SEED))
    told.finish()


if __name__ == "__main__":
    main()
