"""Prompts are files; a person's own copy wins, and a broken one says what is wrong with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from demopack.errors import BadInputError
from demopack.resources import assets_root
from models.language.port import PromptImage
from models.language.prompts import PromptCatalogue
from tests.support.language import Reason

OWN = """id = "writer/thought"
version = 7
system = "Be brief."
[[sections]]
name = "task"
text = "TASK: {task} {maybe}"
[[sections]]
name = "look"
text = "See:"
picture = "before"
"""


@pytest.fixture
def catalogue(tmp_path: Path) -> PromptCatalogue:
    return PromptCatalogue(tmp_path)


def write(catalogue: PromptCatalogue, text: str, prompt: str = "writer/thought") -> Path:
    path = catalogue.own_path(prompt)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_all_shipped_prompts_are_good(catalogue: PromptCatalogue) -> None:
    root = assets_root() / "prompts"
    shipped = {path.relative_to(root).with_suffix("").as_posix() for path in root.glob("*/*.toml")}
    assert {"writer/thought", "writer/effect", "writer/hindsight"} <= shipped
    for prompt in shipped:
        assert catalogue.get(prompt).key.startswith(f"{prompt}@")


def test_an_own_copy_wins_and_its_key_tells_so(catalogue: PromptCatalogue) -> None:
    shipped = catalogue.get("writer/thought")
    write(catalogue, OWN)
    own = catalogue.get("writer/thought")
    assert own.key.startswith("writer/thought@7+")
    assert own.file.system == "Be brief."
    write(catalogue, OWN.replace("brief", "long"))
    assert catalogue.get("writer/thought").key != own.key, "other words, other answers in the cache"
    catalogue.own_path("writer/thought").unlink()
    assert catalogue.get("writer/thought") == shipped


def test_a_copy_nobody_changed_is_the_shipped_one(catalogue: PromptCatalogue) -> None:
    shipped = catalogue.get("writer/thought")
    write(catalogue, shipped.path.read_text(encoding="utf-8"))
    assert catalogue.get("writer/thought").key == shipped.key


def test_sections_with_nothing_to_say_are_left_out(catalogue: PromptCatalogue) -> None:
    write(catalogue, OWN)
    prompt = catalogue.get("writer/thought")
    assert prompt.fill(Reason, {"task": "T", "maybe": "m"}, pictures={}).headings == ("task",)
    picture = PromptImage(png=b"", what="before")
    filled = prompt.fill(Reason, {"task": "T", "maybe": ""}, pictures={"before": (picture,)})
    assert filled.parts == ("See:", picture)
    assert "[picture: before]" in filled.shown()


def test_what_is_filled_in_is_not_filled_again(catalogue: PromptCatalogue) -> None:
    write(catalogue, OWN)
    filled = catalogue.get("writer/thought").fill(Reason, {"task": "{maybe} {other}", "maybe": "m"}, pictures={})
    assert filled.parts == ("TASK: {maybe} {other} m",)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("id = ", "cannot be read"),
        (OWN.replace("version = 7", 'version = "new"'), "version in the prompt"),
        (OWN.replace('name = "task"', ""), "sections.0.name"),
        (OWN + "colour = 1\n", "sections.1.colour"),
        (OWN.replace("writer/thought", "writer/other"), "calls itself writer/other"),
    ],
)
def test_a_broken_copy_names_file_and_field(catalogue: PromptCatalogue, text: str, words: str) -> None:
    path = write(catalogue, text)
    with pytest.raises(BadInputError, match="remove the file") as caught:
        catalogue.get("writer/thought")
    assert words in caught.value.user_message
    assert str(path) in caught.value.user_message


def test_a_slot_that_does_not_exist_names_section_and_what_there_is(catalogue: PromptCatalogue) -> None:
    write(catalogue, OWN.replace("{maybe}", "{mybe}"))
    with pytest.raises(BadInputError) as caught:
        catalogue.get("writer/thought").fill(Reason, {"task": "T", "maybe": "m"}, pictures={})
    assert "“task”" in caught.value.user_message
    assert "{mybe}" in caught.value.user_message
    assert caught.value.hint == "There is {maybe}, {task}."
