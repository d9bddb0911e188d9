"""Which keys hold when the user chose some: a choice wins, gives way on purpose, and is set back."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.ui.editor.keys import Key
from annotator.ui.editor.shortcuts.key_map import KeyMap
from demopack.settings import Settings, UiSettings, load_settings, save_settings

TABLE = (
    Key(name="tighten", words="Tighten", keys=("T",), group="Boxes"),
    Key(name="draw", words="Draw", keys=("R", "W"), group="Boxes"),
    Key(name="remove", words="Remove", keys=("Delete",), group="Boxes", scope="canvas"),
    Key(name="drop", words="Drop", keys=("Delete",), group="Steps", scope="list"),
    Key(name="approve", words="Approve", keys=("Space",), group="Steps", scope="shown"),
    Key(name="digit_1", words="Type", keys=("1",), group="Attributes"),
    Key(name="help", words="Help", keys=("F1",), group="Everything"),
)


def test_without_a_choice_the_table_holds() -> None:
    made = KeyMap(TABLE)
    assert made.keys == TABLE
    assert made.chosen == {}
    assert made.keys_of("nothing") == ()


def test_a_key_in_place_of_the_others_or_beside_them() -> None:
    instead = KeyMap(TABLE).given("draw", "Ctrl+B")
    assert instead.keys_of("draw") == ("Ctrl+B",)
    beside = KeyMap(TABLE).given("draw", "Ctrl+B", beside=True)
    assert beside.keys_of("draw") == ("R", "W", "Ctrl+B")
    assert KeyMap(TABLE).given("draw", "").keys_of("draw") == ()


def test_what_is_taken_away_comes_back_when_the_choice_is_set_back() -> None:
    before = KeyMap(TABLE)
    assert [key.name for key in before.others("tighten", "r")] == ["draw"]
    taken = before.given("tighten", "R")
    assert taken.keys_of("tighten") == ("R",)
    assert taken.keys_of("draw") == ("W",)
    assert taken.chosen == {"tighten": ("R",)}
    assert taken.set_back("tighten").keys == TABLE


def test_a_choice_is_taken_from_another_choice() -> None:
    both = KeyMap(TABLE).given("draw", "Ctrl+B").given("tighten", "Ctrl+B")
    assert both.keys_of("draw") == ()
    assert both.keys_of("tighten") == ("Ctrl+B",)
    assert both.set_back().keys == TABLE


def test_one_key_may_mean_two_things_in_two_places() -> None:
    made = KeyMap(TABLE)
    assert made.others("remove", "Delete") == ()
    assert [key.name for key in made.others("remove", "T")] == ["tighten"]
    assert made.given("remove", "X").others("drop", "X") == ()


def test_the_usual_key_chosen_again_is_no_choice() -> None:
    assert KeyMap(TABLE).given("tighten", "X").given("tighten", "T").chosen == {}


@pytest.mark.parametrize(
    ("name", "key", "said"),
    [
        ("tighten", "Ctrl+M", "whole window"),
        ("tighten", "Left", "Add Ctrl or Alt"),
        ("tighten", "Shift+Tab", "Add Ctrl or Alt"),
        ("remove", "Space", "always means “Approve”"),
        ("tighten", "1", "always means “Type”"),
        ("tighten", "F1", "always means “Help”"),
    ],
)
def test_some_keys_are_refused_in_words(name: str, key: str, said: str) -> None:
    made = KeyMap(TABLE)
    assert said in made.refusal(name, key)
    with pytest.raises(ValueError, match=said):
        made.given(name, key)
    assert made.refusal("remove", "Left") == ""


def test_settings_with_nonsense_harm_nothing() -> None:
    made = KeyMap(TABLE, {"gone": ("G",), "help": ("F9",), "tighten": ("D",), "draw": ("D", "W")})
    assert made.keys_of("help") == ("F1",)
    assert made.keys_of("tighten") == ("D",)
    assert made.keys_of("draw") == ("W",)
    assert made.chosen["gone"] == ("G",)


def test_keys_are_kept_in_the_settings(tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    save_settings(Settings(ui=UiSettings(keys={"tighten": ("Ctrl+B",), "draw": ()}, scale=200)), file)
    assert load_settings(file).ui.keys == {"tighten": ("Ctrl+B",), "draw": ()}
    assert load_settings(file).ui.scale == 200
    save_settings(Settings(), file)
    assert "keys" not in file.read_text(encoding="utf-8")
