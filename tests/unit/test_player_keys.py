"""Which key of an X11 keyboard makes a character, and which keys are lent."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demopack.domain.keys import NAMED_KEYS
from demopack.errors import CaptureError, ReplayError
from player.backends import open_performer
from player.backends.x11_keys import KeyTable, SpareKeys, Stroke, key_keysym, keysym_name, text_keysyms

A, BIG_A, ONE, BANG, EF, BIG_EF = 0x61, 0x41, 0x31, 0x21, 0x6C6, 0x6E6
PLAY, MUTE, SHIFT = 0x1008FF14, 0x1008FF12, 0xFFE1
ROWS = [
    (A, BIG_A, EF, BIG_EF),  # 10: Latin and Cyrillic
    (ONE, BANG, ONE, BANG),  # 11
    (SHIFT, 0, SHIFT, 0),  # 12
    (0, 0, 0, 0),  # 13
    (0, 0, 0, 0),  # 14
    (PLAY, 0, PLAY, 0),  # 15
    (0xFF0D, 0, 0xFF0D, 0),  # 16: Return
    (MUTE, 0, 0, 0),  # 17
]


def table(group: int = 0) -> KeyTable:
    return KeyTable(ROWS, first=10, modifiers={12}, group=group)


def test_signs_of_the_layout_in_force() -> None:
    assert table().stroke(A) == Stroke(10)
    assert table().stroke(BIG_A) == Stroke(10, shift=True)
    assert table().stroke(BANG) == Stroke(11, shift=True)
    assert table(1).stroke(EF) == Stroke(10)


def test_a_sign_of_the_other_layout_is_not_there() -> None:
    assert table(0).stroke(EF) is None
    assert table(1).stroke(A) is None
    assert table(2).stroke(A) is None  # nothing is taken for granted about a third layout


def test_a_shortcut_finds_its_key_under_every_layout() -> None:
    assert table(1).any_key(A) == 10
    assert table(2).any_key(ONE) == 11
    assert table().any_key(0x7A) is None


def test_modifiers_make_no_text() -> None:
    assert table().stroke(SHIFT) is None
    assert table().any_key(SHIFT) == 12


def test_only_keys_that_make_nothing_are_lent() -> None:
    assert table().spare() == [13, 14]


def test_of_several_runs_the_one_with_most_empty_keys_is_lent() -> None:
    rows = [(0,), (A,), (0,), (PLAY,), (0,), (BIG_A,), (0,)]
    assert KeyTable(rows, first=8, modifiers=(), group=0).spare() == [10, 12]


def test_a_keyboard_without_an_empty_key_lends_none() -> None:
    assert KeyTable([(A,), (PLAY,)], first=8, modifiers=(), group=0).spare() == []


def test_a_lent_key_keeps_its_sign_until_another_needs_it() -> None:
    spare = SpareKeys([13, 14])
    assert spare.lend([1, 2]) == ({13: 1, 14: 2}, False)
    assert spare.lend([2, 1]) == ({}, False)
    assert spare.lend([3]) == ({14: 3}, True)  # 2 rested longest
    assert (spare.keycode(1), spare.keycode(2), spare.keycode(3)) == (13, None, 14)
    assert spare.lent() == {13: 1, 14: 3}


def test_more_signs_than_keys_are_refused() -> None:
    with pytest.raises(ReplayError, match="no spare key"):
        SpareKeys([13]).lend([1, 2])


@given(st.lists(st.lists(st.integers(1, 30), min_size=1, max_size=5, unique=True), max_size=30))
def test_all_that_was_asked_for_together_is_lent_together(batches: list[list[int]]) -> None:
    spare = SpareKeys(range(100, 105))
    for batch in batches:
        changed, _ = spare.lend(batch)
        keycodes = [spare.keycode(keysym) for keysym in batch]
        assert None not in keycodes
        assert len(set(keycodes)) == len(batch)
        assert all(spare.keycode(keysym) == keycode for keycode, keysym in changed.items())


def test_keysyms_of_a_text() -> None:
    assert text_keysyms("aé中\r\n\t😀") == [0x61, 0xE9, 0x01004E2D, 0xFF0D, 0xFF09, 0x0101F600]


@pytest.mark.parametrize("char", ["\x00", "\x1b", "\x7f", "\x85", "\ud83d"])
def test_what_no_key_makes_is_refused(char: str) -> None:
    with pytest.raises(ReplayError, match="no key produces; nothing was typed"):
        text_keysyms(f"ok{char}")


@pytest.mark.parametrize("name", NAMED_KEYS)
def test_every_named_key_has_a_keysym_and_its_name_back(name: str) -> None:
    back = keysym_name(key_keysym(name))
    assert back == {"Space": "Space", "Plus": "Plus"}.get(name, name)


@pytest.mark.parametrize(
    ("environment", "words"),
    [
        ({}, "DISPLAY is not set"),
        ({"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"}, "Wayland"),
        ({"DISPLAY": ":0", "XDG_SESSION_TYPE": "wayland"}, "Wayland"),
    ],
)
def test_a_session_without_x11_is_refused(
    environment: dict[str, str], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "XDG_SESSION_TYPE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(CaptureError, match=words):
        open_performer()
