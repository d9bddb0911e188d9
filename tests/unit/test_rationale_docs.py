"""What the page about rationales says is true."""

from __future__ import annotations

import json
import re
from pathlib import Path

from demopack.domain.rationale import (
    START_REASON,
    Rationale,
    caap_paragraph,
    lam_thought,
    previous_action_result,
)
from models.language.prompts import PromptCatalogue

PAGE = (Path(__file__).parents[2] / "docs" / "rationales.md").read_text(encoding="utf-8")
BLOCKS = dict(re.findall(r"```(\w+)\n(.*?)\n```", PAGE, re.DOTALL))
CATALOGUE = PromptCatalogue(Path("/nowhere"))


def test_each_dialect_is_rendered_as_shown() -> None:
    rationale = Rationale.model_validate(json.loads(BLOCKS["json"]))
    assert rationale.reasoning == BLOCKS["reasoning"]
    assert caap_paragraph(rationale) == BLOCKS["caap"]
    assert previous_action_result(rationale) == BLOCKS["uipath"]
    thought, *plan = BLOCKS["lam"].split("\n")
    assert lam_thought(rationale) == thought
    assert [f"{n}. {step}" for n, step in enumerate(rationale.plan, start=1)] == plan
    assert START_REASON in PAGE


def test_every_field_is_explained() -> None:
    explained = set(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE))
    assert set(Rationale.model_fields) <= explained


def test_every_slot_and_picture_of_the_prompts_is_explained() -> None:
    table = PAGE[PAGE.index("| in a text |") :]
    for prompt in ("writer/thought", "writer/effect", "writer/hindsight", "writer/caap"):
        read = CATALOGUE.get(prompt)
        short = prompt.partition("/")[2]
        for slot in re.findall(r"\{([a-z_]+)\}", " ".join(section.text for section in read.file.sections)):
            (row,) = [line for line in table.splitlines() if line.startswith("| `{") and f"{{{slot}}}" in line]
            where = row.split("|")[3]
            assert "all" in where or short in where, (prompt, slot)
        for section in read.file.sections:
            if section.picture:
                (row,) = [line for line in table.splitlines() if line.startswith(f"| picture `{section.picture}`")]
                assert short in row


def test_the_comparison_names_every_section() -> None:
    table = PAGE[PAGE.index("| figure 8 |") :].split("```")[0]
    for section in CATALOGUE.get("writer/hindsight").file.sections:
        assert f"`{section.name}`" in table
    shown = dict(re.findall(r"^\[([\w ]+)\]\n(.*?)(?=^\[|\Z)", BLOCKS["text"], re.DOTALL | re.MULTILINE))
    for section in CATALOGUE.get("writer/hindsight").file.sections:
        if section.name in shown:
            first = next(line for line in shown[section.name].splitlines() if line != "…")
            assert first.startswith(re.split(r"\{", section.text.strip())[0].split("\n")[0]) or "hindsight:" in first
