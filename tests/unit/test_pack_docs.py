"""What the format pages say is true: every example is run, every code and every rule is explained."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from demopack.codecs.llmresponse import format_response, parse_dsl_response, response_from_any, to_strict
from demopack.domain.actions import ACTION_MODELS, ACTION_TYPES, parse_response
from demopack.errors import ActionError
from demopack.pack.manifest import Manifest
from demopack.pack.rows import DemoRow, ElementRow, StepRow
from demopack.pack.rules import RULES

ROOT = Path(__file__).parents[2]
CONTRACT = (ROOT / "docs" / "formats" / "llmresponse.md").read_text(encoding="utf-8")
LAYOUT = (ROOT / "docs" / "formats" / "pack.md").read_text(encoding="utf-8")
NATIVE, _, AFTER = CONTRACT.partition("## Errors")


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", text, flags=re.DOTALL)


@pytest.mark.parametrize("text", blocks(NATIVE, "json"))
def test_examples_are_in_wire_form(text: str) -> None:
    assert parse_response(text).to_wire() == json.loads(text)


def test_every_action_has_an_example_and_every_parameter_is_named() -> None:
    shown = {json.loads(text)["action"]["action_type"] for text in blocks(NATIVE, "json")}
    assert shown == set(ACTION_TYPES)
    table = dict(re.findall(r"^\| `(\w+)` \| (?:needed|may be|none) \| (.*) \|$", NATIVE, flags=re.MULTILINE))
    assert set(table) == set(ACTION_TYPES)
    for action, words in table.items():
        named = set(re.findall(r"`(\w+)`", words))
        assert set(ACTION_MODELS[action].parameter_names()) <= named, action


def test_the_strict_example_has_its_one_form() -> None:
    (text,) = blocks(AFTER, "json")
    assert to_strict(parse_response(text)) == json.loads(text)


@pytest.mark.parametrize("text", blocks(AFTER, "text"))
def test_the_notation_is_read_and_written_alike(text: str) -> None:
    assert format_response(parse_dsl_response(text)) == text.strip()


CODES = re.findall(r"^\| `(\w+)` \| [^|]+ \| `(.*)` \|$", AFTER, flags=re.MULTILINE)


READERS = {"dsl_syntax": parse_dsl_response, "unknown_form": lambda text: response_from_any(json.loads(text))}


@pytest.mark.parametrize(("code", "example"), CODES, ids=[code for code, _ in CODES])
def test_each_example_of_a_mistake_has_that_code(code: str, example: str) -> None:
    read = READERS.get(code, parse_response)
    with pytest.raises(ActionError) as caught:
        read(example)
    assert caught.value.code == code
    assert str(caught.value)


def test_every_code_of_the_sources_is_explained() -> None:
    paths = [*(ROOT / "demopack" / "domain").glob("*.py"), *(ROOT / "demopack" / "codecs").glob("llmresponse*.py")]
    sources = "\n".join(path.read_text(encoding="utf-8") for path in paths)
    found = {one or other for one, other in re.findall(r'code="(\w+)"|ActionError\(\s*f?".*?", "(\w+)"', sources)}
    found |= set(re.findall(r'"(\w+_without_\w+)"', sources))
    found |= {"missing_field", "unknown_field", "wrong_type", "bad_element_id", "empty_text"}
    found |= {f"{name}_without_target" for name in ("click", "hover", "drag")}
    assert found == {code for code, _ in CODES}


def test_every_rule_is_explained_as_it_stands() -> None:
    for rule in RULES.values():
        row = f'| <a id="{rule.id.lower()}"></a>{rule.id} | {rule.severity} | {rule.what} | {rule.fix} |'
        assert row in LAYOUT, rule.id
        assert rule.what.endswith(".")
        assert rule.fix.endswith(".")
        assert rule.anchor == f"docs/formats/pack.md#{rule.id.lower()}"
    assert len(re.findall(r'<a id="', LAYOUT)) == len(RULES)


def test_the_last_layout_is_the_one_that_is_written() -> None:
    numbers = [model.model_fields["schema_version"].default for model in (Manifest, DemoRow, StepRow, ElementRow)]
    rows = re.findall(r"^\| (\d+) \| (\d+), (\d+), (\d+) \| ", LAYOUT, re.MULTILINE)
    assert [int(number) for number in rows[-1]] == numbers
    assert LAYOUT.startswith(f"# Demo pack, layout version {numbers[0]}\n")


@pytest.mark.parametrize(("heading", "model"), [("demos", DemoRow), ("steps", StepRow), ("elements", ElementRow)])
def test_every_field_of_a_row_is_explained(heading: str, model: type[StepRow]) -> None:
    section = LAYOUT.split(f"## {heading}.jsonl\n")[1].split("\n## ")[0]
    named = set(re.findall(r"`(\w+)`", section))
    written = {field.alias or name for name, field in model.model_fields.items() if not field.exclude}
    assert written - {"schema_version"} <= named
