"""Packs in the hands of others: programs that have never heard of this one."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
from pathlib import Path
from typing import Any, Literal

import pytest
from PIL import Image
from pydantic import BaseModel, Field

from demopack.pack import export_pack
from demopack.store import Library
from tests.support.demos import sample_demo, tiny_demo

# The three models as the schema document has them; its list of actions as plain text, for the additive ones.
Bounds = tuple[float, float, float, float]  # (x, y, width, height)


class ActionTarget(BaseModel):
    track_id: str | None = Field(None, description="Persistent tracking ID (preferred)")
    element_id: int | None = Field(None, description="Per-frame UIElement ID")
    text: str | None = Field(None, description="Text content match")
    bbox: Bounds | None = Field(None, description="Normalized [x, y, w, h] box")


class AgentAction(BaseModel):
    action_type: str
    target: ActionTarget | None = None
    parameters: dict[str, Any] = Field(default_factory=dict)


class LLMResponse(BaseModel):
    reasoning: str
    action: AgentAction
    is_goal_complete: bool = False


class OriginalAction(AgentAction):
    action_type: Literal["click", "type", "scroll", "press_key", "wait", "finish_goal", "hover"]  # type: ignore[assignment]


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("consumer")
    with Library.open(root / "library") as library:
        ids = [sample_demo(library), tiny_demo(library)]
        export_pack(library, ids, root / "pack", licence="CC-BY-4.0", consent="The person agreed.")
    return root / "pack"


def rows(pack: Path, table: str) -> list[dict[str, Any]]:
    with (pack / f"{table}.jsonl").open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def test_the_original_models_read_every_response_and_lose_nothing(pack: Path) -> None:
    steps = rows(pack, "steps")
    assert len(steps) == 14
    for step in steps:
        response = LLMResponse.model_validate(step["response"])
        kept = response.model_dump(mode="json")
        if kept["action"]["target"] is not None:
            kept["action"]["target"] = response.action.target.model_dump(mode="json", exclude_none=True)  # type: ignore[union-attr]
        assert kept == step["response"]
        if step["response"]["action"]["action_type"] != "drag":
            OriginalAction.model_validate(step["response"]["action"])


def test_pixels_and_fractions_name_the_same_place(pack: Path) -> None:
    for step in rows(pack, "steps"):
        target = step["response"]["action"]["target"]
        if not target:
            continue
        width, height = step["image_size"]
        x, y, w, h = target["bbox"]
        found = [x * width, y * height, (x + w) * width, (y + h) * height]
        assert step["target_box"] == pytest.approx(found, abs=0.01)


def test_every_picture_opens_has_its_size_and_lies_below_the_pack(pack: Path) -> None:
    seen = set()
    for step in rows(pack, "steps"):
        with Image.open(pack / step["image"]) as picture:
            assert list(picture.size) == step["image_size"]
        for frame in (step["before"], step["after"]):
            if frame:
                seen.add(frame["file"])
    for demo in rows(pack, "demos"):
        seen.add(demo["final_frame"]["file"])
        assert {frame["file"] for frame in demo["frames"]} <= seen
    assert seen == {p.relative_to(pack).as_posix() for p in (pack / "frames").rglob("*.png")}


def test_a_target_leads_to_its_element(pack: Path) -> None:
    elements = {(row["demo"], row["uid"]): row for row in rows(pack, "elements")}
    followed = 0
    for step in rows(pack, "steps"):
        target = step["response"]["action"]["target"] or {}
        if "element_id" in target:
            row = elements[step["demo"], step["target_uid"]]
            assert (row["element_id"], row["track_id"], row["image"]) == (
                target["element_id"],
                target["track_id"],
                step["image"],
            )
            assert row["box"] == step["target_box"]
            followed += 1
    assert followed == 9


def test_keys_have_one_type_in_all_rows(pack: Path) -> None:
    """Loaders that make columns of rows refuse a key that is a number here and a text there."""
    for table in ("demos", "steps", "elements"):
        kinds: dict[str, set[type]] = {}
        for row in rows(pack, table):
            assert not {"type", "message"} <= set(row), "some loaders take such rows for agent traces"
            for key, value in row.items():
                if value is not None and key != "response":
                    kinds.setdefault(key, set()).add(type(value))
        assert all(len(found) == 1 for found in kinds.values()), kinds


def test_the_code_on_the_card_runs_as_it_stands(pack: Path) -> None:
    card = (pack / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", card, flags=re.DOTALL)
    assert len(blocks) == 2
    assert all(len(block.strip().splitlines()) <= 5 for block in blocks)
    output = io.StringIO()
    before = Path.cwd()
    try:
        os.chdir(pack)
        with contextlib.redirect_stdout(output):
            for block in blocks:
                exec(block, {})
    finally:
        os.chdir(before)
    assert "13 of 14 steps have a picture and no doubt" in output.getvalue()
    assert "Add Ada Lovelace" in output.getvalue()


def test_the_card_tells_what_a_hub_wants_to_know(pack: Path) -> None:
    card = (pack / "README.md").read_text(encoding="utf-8")
    header = card.split("---\n")[1]
    assert "license: cc-by-4.0" in header
    assert "size_categories:\n- n<1K" in header
    assert re.findall(r"path: (\S+)", header) == ["steps.jsonl", "demos.jsonl", "elements.jsonl"]
    pictures = re.findall(r"!\[[^\]]*\]\(([^)]+)\)", card)
    assert len(pictures) == 4
    for name in pictures:
        with Image.open(pack / name) as picture:
            assert max(picture.size) <= 720
