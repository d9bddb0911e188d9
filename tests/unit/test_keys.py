from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demopack.domain.keys import MODIFIERS, NAMED_KEYS, Dialect, join_keys, parse_key_info, spell
from demopack.errors import ActionError

KEYS = st.lists(st.sampled_from([*NAMED_KEYS, "A", "7", "-", "/", "É", "ß"]), min_size=1, max_size=5, unique=True)


@given(KEYS)
def test_joined_keys_read_back(names: list[str]) -> None:
    assert set(parse_key_info(join_keys(names))) == set(names)
    assert join_keys(parse_key_info(join_keys(names))) == join_keys(names)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("ctrl-shift-t", ("Ctrl", "Shift", "T")),
        ("Shift+Ctrl+t", ("Ctrl", "Shift", "T")),
        ("cmd+space", ("Meta", "Space")),
        ("Ctrl++", ("Ctrl", "Plus")),
        ("Ctrl--", ("Ctrl", "-")),
        ("Ctrl+-", ("Ctrl", "-")),
        ("+", ("Plus",)),
        (" ", ("Space",)),
        ("PgDn", ("PageDown",)),
        ("page_down", ("PageDown",)),
        ("ß", ("ß",)),
    ],
)
def test_spellings_that_people_and_models_use(text: str, names: tuple[str, ...]) -> None:
    assert parse_key_info(text) == names


@pytest.mark.parametrize("text", ["", "Ctrl+", "Hyper", "Ctrl+Foo"])
def test_what_is_no_key_is_refused(text: str) -> None:
    with pytest.raises(ActionError) as caught:
        parse_key_info(text)
    assert caught.value.code == "unknown_key"


def test_every_named_key_has_a_spelling_in_every_dialect_that_names_all() -> None:
    for name in NAMED_KEYS:
        for dialect in set(get_args(Dialect)) - {"uipath"}:
            assert spell(name, dialect)
    assert spell("Enter", "xdotool") == "Return"
    assert spell("T", "pyautogui") == "t"
    with pytest.raises(ActionError):
        spell("F13", "uipath")


def test_modifiers_come_first() -> None:
    assert join_keys(["A", *reversed(MODIFIERS)]) == "Ctrl+Alt+Shift+Meta+A"
