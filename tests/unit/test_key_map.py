"""Which keys hold when the user chose some: a choice wins, gives way on purpose, and is set back."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.ui.keys.key import Key, KeyMap
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
        ("tighten", "Alt+F4", "whole window"),
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


PAGES = (
    *TABLE,
    Key(name="record", words="Record", keys=("Ctrl+R",), group="Library", scope="library"),
    Key(name="open_demo", words="Open", keys=("Return",), group="Library", scope="shown"),
    Key(name="find", words="Find", keys=("Ctrl+F",), group="Settings", scope="settings"),
    Key(name="settings", words="Settings", keys=("Ctrl+,",), group="Window", scope="window"),
    Key(name="help_here", words="Help here", keys=("F1",), group="Window", scope="pages"),
)


def test_a_key_means_one_thing_on_a_page_and_may_mean_another_on_the_next() -> None:
    made = KeyMap(PAGES)
    assert made.others("record", "Ctrl+F") == ()
    assert made.others("tighten", "Ctrl+R") == ()
    assert made.others("remove", "Return") == ()
    both = made.given("record", "Ctrl+F").given("tighten", "Ctrl+F")
    assert both.keys_of("find") == both.keys_of("record") == both.keys_of("tighten") == ("Ctrl+F",)


def test_a_key_of_the_window_is_one_everywhere() -> None:
    made = KeyMap(PAGES)
    assert [key.name for name in ("record", "tighten", "find") for key in made.others(name, "Ctrl+,")] == [
        "settings",
        "settings",
        "settings",
    ]
    assert {key.name for key in made.others("settings", "Ctrl+F")} == {"find"}
    taken = made.given("record", "Ctrl+,")
    assert (taken.keys_of("record"), taken.keys_of("settings")) == (("Ctrl+,",), ())
    assert taken.set_back("record").keys_of("settings") == ("Ctrl+,",)


@pytest.mark.parametrize(
    ("name", "key", "said"),
    [
        ("record", "F1", "always means “Help here”"),
        ("record", "Return", "Add Ctrl or Alt"),
        ("settings", "Tab", "Add Ctrl or Alt"),
        ("find", "Escape", "whole window"),
    ],
)
def test_pages_refuse_what_their_controls_need(name: str, key: str, said: str) -> None:
    assert said in KeyMap(PAGES).refusal(name, key)


def test_another_choice_over_the_same_table() -> None:
    made = KeyMap(PAGES).given("record", "Ctrl+B")
    assert made.with_choice({"find": ("Ctrl+G",)}).keys_of("record") == ("Ctrl+R",)
    assert made.with_choice(made.chosen).keys == made.keys
