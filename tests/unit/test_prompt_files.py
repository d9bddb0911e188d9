"""Prompts are files; a person's own copy wins, and a broken one says what is wrong with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from demopack.errors import BadInputError
from models.language.port import Picture
from models.language.prompts import PromptShelf

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
def shelf(tmp_path: Path) -> PromptShelf:
    return PromptShelf(tmp_path)


def write(shelf: PromptShelf, text: str, prompt: str = "writer/thought") -> Path:
    path = shelf.own_path(prompt)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_all_shipped_prompts_are_good(shelf: PromptShelf) -> None:
    assert {"writer/thought", "writer/effect", "writer/hindsight"} <= set(shelf.ids())
    for prompt in shelf.ids():
        assert shelf.get(prompt).key.startswith(f"{prompt}@")


def test_an_own_copy_wins_and_its_key_tells_so(shelf: PromptShelf) -> None:
    shipped = shelf.get("writer/thought")
    write(shelf, OWN)
    own = shelf.get("writer/thought")
    assert own.key.startswith("writer/thought@7+")
    assert own.file.system == "Be brief."
    write(shelf, OWN.replace("brief", "long"))
    assert shelf.get("writer/thought").key != own.key, "other words, other answers in the cache"
    shelf.stop_editing("writer/thought")
    assert shelf.get("writer/thought") == shipped


def test_a_copy_nobody_changed_is_the_shipped_one(shelf: PromptShelf) -> None:
    path = shelf.start_editing("writer/thought")
    assert shelf.get("writer/thought").key == PromptShelf(path.parent / "none").get("writer/thought").key
    path.write_text(OWN, encoding="utf-8")
    assert shelf.start_editing("writer/thought").read_text(encoding="utf-8") == OWN, "never overwritten"


def test_sections_with_nothing_to_say_are_left_out(shelf: PromptShelf) -> None:
    write(shelf, OWN)
    prompt = shelf.get("writer/thought")
    assert [s.name for s in prompt.fill({"task": "T", "maybe": "m"}, pictures={}).sections] == ["task"]
    picture = Picture(png=b"", what="before")
    filled = prompt.fill({"task": "T", "maybe": ""}, pictures={"before": (picture,)})
    assert filled.parts() == ("See:", picture)
    assert "[picture: before]" in filled.shown()


def test_what_is_filled_in_is_not_filled_again(shelf: PromptShelf) -> None:
    write(shelf, OWN)
    filled = shelf.get("writer/thought").fill({"task": "{maybe} {other}", "maybe": "m"}, pictures={})
    assert filled.parts() == ("TASK: {maybe} {other} m",)


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
def test_a_broken_copy_names_file_and_field(shelf: PromptShelf, text: str, words: str) -> None:
    path = write(shelf, text)
    with pytest.raises(BadInputError, match="remove the file") as caught:
        shelf.get("writer/thought")
    assert words in caught.value.user_message
    assert str(path) in caught.value.user_message


def test_a_slot_that_does_not_exist_names_section_and_what_there_is(shelf: PromptShelf) -> None:
    write(shelf, OWN.replace("{maybe}", "{mybe}"))
    with pytest.raises(BadInputError) as caught:
        shelf.get("writer/thought").fill({"task": "T", "maybe": "m"}, pictures={})
    assert "“task”" in caught.value.user_message
    assert "{mybe}" in caught.value.user_message
    assert caught.value.hint == "There is {maybe}, {task}."
