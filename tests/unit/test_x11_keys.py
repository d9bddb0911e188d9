"""Keysyms, keyboard maps, dead keys and the server's clock: without a server."""

from __future__ import annotations

import pytest

from recorder.backends.x11 import keymap as x11_keymap
from recorder.backends.x11.keymap import Composer, KeyboardMap, is_dead, key_name, keysym_char, row_keysym
from recorder.backends.x11.xlib import ServerClock

ACUTE, GRAVE, CEDILLA, MULTI = 0xFE51, 0xFE50, 0xFE5B, 0xFF20
SHIFT, LOCK, NUM, LEVEL3, GROUP2 = 1, 2, 0x10, 0x80, 1 << 13
CHARS = {
    ord("a"): "a", 0xE9: "é", 0x20AC: "€", 0x01004E2D: "中", 0x0101F600: "😀", 0x6C6: "ф", 0x7E2: "β", 0x1B1: "ą",
    0xFFB5: "5", 0xFFAB: "+", 0xFF0D: "", 0xFFE1: "", ACUTE: "", 0x1008FF11: "", 0: "",
}  # fmt: skip


@pytest.mark.parametrize(("keysym", "char"), CHARS.items())
def test_keysyms_and_their_characters(keysym: int, char: str) -> None:
    assert keysym_char(keysym) == char


def test_names() -> None:
    assert key_name(0xFF8D) == "Enter"
    assert key_name(0xFE20) == "Tab"
    assert key_name(0xFFC5) == "F8"
    assert key_name(ord("a")) == ""


@pytest.mark.parametrize("tables", [True, False])
@pytest.mark.parametrize(
    ("keysyms", "texts"),
    [
        ([ord("a")], [None]),
        ([ACUTE, ord("e")], ["", "é"]),
        ([GRAVE, ord("A"), ord("b")], ["", "À", None]),
        ([CEDILLA, ord("c")], ["", "ç"]),
    ],
)
def test_dead_keys_compose(
    monkeypatch: pytest.MonkeyPatch, keysyms: list[int], texts: list[str | None], *, tables: bool
) -> None:
    if not tables:
        monkeypatch.setattr(x11_keymap, "_compose_table", lambda: None)
    composer = Composer()
    assert [composer.feed(k) for k in keysyms] == texts


def test_compose_sequences_follow_the_system_tables() -> None:
    composer = Composer()
    assert [composer.feed(k) for k in (MULTI, ord("'"), ord("e"), ord("x"))] == ["", "", "é", None]
    assert composer.feed(ACUTE) == ""
    # No such character: the sequence is given up, as toolkits do, and the next key is itself again.
    assert composer.feed(ord("q")) is not None
    assert composer.feed(ord("q")) is None
    assert is_dead(ACUTE)
    assert not is_dead(ord("e"))


ROWS = {
    10: (ord("a"), ord("A"), 0x6C6, 0x6E6),
    11: (ord("2"), 0x22, 0, 0, 0xB2),
    12: (ord("ö"), 0),
    13: (0xFF9D, 0xFFB5),
    14: (0, 0, 0, 0),
}


@pytest.mark.parametrize(
    ("keycode", "state", "char"),
    [
        (10, 0, "a"),
        (10, SHIFT, "A"),
        (10, LOCK, "A"),
        (10, LOCK | SHIFT, "a"),
        (10, GROUP2, "ф"),
        (10, GROUP2 | SHIFT, "Ф"),
        (11, SHIFT, '"'),
        (11, LOCK, "2"),
        (11, LEVEL3, "²"),
        (11, GROUP2, "2"),
        (12, SHIFT, "Ö"),
        (13, 0, ""),
        (13, NUM, "5"),
        (13, NUM | SHIFT, ""),
        (14, 0, ""),
        (99, 0, ""),
    ],
)
def test_rows_of_keysyms(keycode: int, state: int, char: str) -> None:
    assert keysym_char(row_keysym(ROWS.get(keycode, ()), state)) == char


def test_a_key_that_a_program_has_just_mapped_counts_before_the_server_s_map() -> None:
    keys = KeyboardMap()
    keys.remapped.update({14: (0x01004E2D,), 15: (ord("x"), ord("X"))})
    assert keysym_char(keys.keysym(14, 0)) == "中"
    assert keysym_char(keys.keysym(15, SHIFT)) == "X"
    keys.remapped[14] = (0, 0)
    assert keys.keysym(14, 0) == 0


def test_a_combination_is_named_by_the_latin_letter_of_the_key() -> None:
    keys = KeyboardMap()
    keys.remapped.update(ROWS)
    assert keysym_char(keys.name_keysym(10, GROUP2)) == "a"
    assert keysym_char(keys.name_keysym(12, 0)) == "ö"
    assert keys.name_keysym(14, 0) == 0


SECOND = 1_000_000_000


def test_the_server_s_time_is_ours_to_the_millisecond() -> None:
    clock = ServerClock()
    assert clock.to_ns(5_000, 5 * SECOND + 90_999_999) == 5 * SECOND
    # 32 bits of milliseconds wrap around every 49.7 days.
    now_ms = (1 << 32) + 20
    assert clock.to_ns((1 << 32) - 30 & 0xFFFFFFFF, now_ms * 1_000_000) == ((1 << 32) - 30) * 1_000_000


def test_a_time_that_cannot_be_right_is_now() -> None:
    clock = ServerClock()
    now = 100 * SECOND + 7
    assert clock.to_ns(100_050, now) == now
    assert clock.to_ns(80_000, now) == now


def test_a_remote_server_s_clock_is_shifted() -> None:
    assert ServerClock(offset_ms=70_000).to_ns(30_000, 100 * SECOND + 5) == 100 * SECOND
