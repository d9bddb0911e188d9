"""Secrets and personal data are found in texts; ordinary words, ids and dates are not.

Every value that could be a credential is put together here, so that no scanner finds one in this file.
"""

from __future__ import annotations

import random
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demopack.redaction.checked_numbers import luhn, mod_97
from demopack.redaction.matches import KINDS, SECRET_KINDS
from demopack.redaction.recognisers import recognise
from tests.support.private_values import CARDS, PRIVATE, make_card, make_iban, randomly

_CHARS = string.ascii_letters + string.digits


def kinds_and_values(text: str) -> list[tuple[str, str]]:
    return [(match.kind, match.value) for match in recognise(text)]


@pytest.mark.parametrize(("kind", "value"), PRIVATE, ids=[f"{kind}-{i}" for i, (kind, _) in enumerate(PRIVATE)])
@pytest.mark.parametrize("around", ["{}", "Send it to {} today", "“{}”", '{{"x": "{}"}}', "({}),", "a\n{}\nb"])
def test_every_kind_is_found_alone_and_inside_a_text(kind: str, value: str, around: str) -> None:
    text = around.format(value)
    found = [match for match in recognise(text) if match.value == value]
    assert [match.kind for match in found] == [kind]
    assert text[found[0].start : found[0].end] == value


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("password=hunter2", "password_like", "hunter2"),
        ('{"passwd": "sun shine"}', "password_like", "sun shine"),
        ("pw: sunshine", "password_like", "sunshine"),
        ("DB_PASSWORD='s3cret!'", "password_like", "s3cret!"),
        ("Passwort: Blume77", "password_like", "Blume77"),
        ("my password is Blume77.", "password_like", "Blume77"),
        ("PIN: 4711", "password_like", "4711"),
        ("https://x.example/?token=Zx81kLm&a=1", "password_like", "Zx81kLm"),
        ("postgres://bob:s3cr3t@db.example.com/x", "token", "s3cr3t"),
        ("https://bob:" + "longer.word" + "@example.com", "token", "longer.word"),
        ("Authorization: Bearer " + "abcdefgh" + "12345678abcd", "token", "abcdefgh" + "12345678abcd"),
        ("/home/jane/notes.txt", "user_path", "jane"),
        ("C:\\Users\\Jane.Doe\\x", "user_path", "Jane.Doe"),
        ("C:/Users/jane/x", "user_path", "jane"),
        ("file:///Users/jane/x", "user_path", "jane"),
        ("%2Fhome%2Fjane%2Fdocs", "user_path", "jane"),
    ],
)
def test_only_the_private_part_of_a_longer_text_is_the_value(text: str, kind: str, value: str) -> None:
    assert kinds_and_values(text) == [(kind, value)]


@pytest.mark.parametrize(
    "text",
    [
        "Submit", "Full name", "New customer", "2026-11-21 12:30:45", "01.02.2026 12:00", "Order 4711 of 12",
        "1,234,567.89 EUR", "0001.png", "frames/demo_5a3b1e0c77/0001.png", "1280 x 800", "12:30:45.123456",
        "Password: must be at least 8 characters", "Password", "Password:", "Password: ••••••••", "Show password",
        "The token is expired", "Forgot your password?", "PIN code", "Secret: hidden",
        "550e8400-e29b-41d4-a716-446655440000", "x86_64-linux-gnu-gcc-12", "my-long-kebab-case-name-2026-11-21",
        "text_8_files_100_2_kb_74_1_gb_0", "test_that_a_very_long_function_name_is_no_key_12",
        "RecordingSessionManagerFactoryBuilder",
        "/usr/lib/x86_64-linux-gnu/libQt6Core.so.6.8.1", "/home/user/x", "C:\\Users\\Public\\x", "version 8.8.8.8",
        "v1.2.3.4", "127.0.0.1:8080", "https://example.com/a/b/c?page=2", "1234567890123456", "4111 1111 1111 1112",
        "DE88 3704 0044 0532 0130 00", "@mention", "a@b", "12-34-56", "+1", "sk-learn-is-a-kind-of-short-name",
        "a" * 64, "<email:1> and <secret:login>", "password=<password_like:1>", "https://bob:<token:1>@example.com",
        "0123456789" * 4, "C++ 2026", "Tab 1 of 2", "id: 42", "key: value", "Höhe über alles",
    ],
)  # fmt: skip
def test_ordinary_texts_hold_nothing_private(text: str) -> None:
    assert kinds_and_values(text) == []


def test_sums_of_files_are_spared_as_names_and_found_as_values() -> None:
    digest = randomly(64, "0123456789abcdef")
    assert kinds_and_values(f"blobs/{digest}.png") == []
    assert kinds_and_values(f"/srv/{digest}/x") == []
    assert kinds_and_values(f"value {digest}") == [("key", digest)]


def test_a_lone_word_of_several_classes_is_a_guess_of_its_own() -> None:
    word = "Tr0ub4dor" + "&3xx"
    assert kinds_and_values(word) == [("maybe_password", word)]
    assert kinds_and_values(f"the word {word} in a sentence") == []
    assert kinds_and_values("Tr0u&3x") == []
    assert "maybe_password" not in SECRET_KINDS


@pytest.mark.parametrize("text", ["https://example.com/A1b2", "/Var/x1/Y2zzzzz", "Report-2026.xlsx", "+49-171-2345678"])
def test_addresses_paths_and_file_names_are_no_passwords(text: str) -> None:
    assert all(kind != "maybe_password" for kind, _ in kinds_and_values(text))


def test_a_card_is_found_with_what_follows_it_in_the_same_row() -> None:
    card = CARDS[0]
    assert kinds_and_values(f"{card[:4]} {card[4:8]} {card[8:12]} {card[12:]} 12/27 123")[0] == (
        "card",
        f"{card[:4]} {card[4:8]} {card[8:12]} {card[12:]}",
    )


def test_a_card_that_hangs_on_other_characters_is_none() -> None:
    assert kinds_and_values("x" + CARDS[0]) == []
    assert kinds_and_values(CARDS[0] + "7") == []


def test_a_private_key_reaches_from_its_first_to_its_last_line() -> None:
    dashes = "-" * 5
    block = f"{dashes}BEGIN RSA PRIVATE KEY{dashes}\n{randomly(64, _CHARS)}\n{dashes}END RSA PRIVATE KEY{dashes}"
    assert kinds_and_values(f"a {block} b") == [("token", block)]
    cut = block[: len(block) // 2]
    assert kinds_and_values(cut) == [("token", cut)]


def test_the_more_specific_kind_wins() -> None:
    token = "gh" + "p_" + randomly(36, _CHARS)
    assert kinds_and_values(f"token={token}") == [("token", token)]
    assert kinds_and_values("password=jane@example.com") == [("email", "jane@example.com")]


@given(st.integers(0, 2**32), st.sampled_from(["", " ", "-"]))
def test_cards_of_every_network_are_found_with_any_separator(seed: int, gap: str) -> None:
    card = make_card(random.Random(seed))
    assert luhn(card)
    written = gap.join(card[i : i + 4] for i in range(0, len(card), 4)) if len(card) % 4 != 1 or not gap else card
    assert kinds_and_values(f"no. {written}.") == [("card", written)]


@given(st.integers(0, 2**32), st.booleans(), st.booleans())
def test_accounts_of_every_country_are_found_in_any_form(seed: int, small: bool, grouped: bool) -> None:
    iban = make_iban(random.Random(seed))
    assert mod_97(iban)
    written = " ".join(iban[i : i + 4] for i in range(0, len(iban), 4)) if grouped else iban
    written = written.lower() if small else written
    assert ("iban", written) in kinds_and_values(f"IBAN: {written}, thanks")


@given(st.integers(0, 2**32))
def test_one_wrong_digit_makes_a_card_none(seed: int) -> None:
    rng = random.Random(seed)
    card = make_card(rng)
    place = rng.randrange(len(card))
    wrong = card[:place] + str((int(card[place]) + rng.randint(1, 9)) % 10) + card[place + 1 :]
    assert all(kind != "card" for kind, _ in kinds_and_values(wrong))


@given(
    st.text(max_size=300)
    | st.lists(st.sampled_from([v for _, v in PRIVATE] + [" ", "=", "@", ":", "/", "x"])).map("".join)
)
def test_matches_lie_in_order_apart_from_each_other_and_say_what_they_cover(text: str) -> None:
    found = recognise(text)
    last = 0
    for match in found:
        assert last <= match.start < match.end <= len(text)
        assert text[match.start : match.end] == match.value
        assert match.kind in KINDS
        last = match.end


@given(st.text(alphabet=st.sampled_from("ab1@.:/=<>_-+ \n"), max_size=200))
def test_a_text_with_its_finds_replaced_holds_nothing_more(text: str) -> None:
    for _ in range(8):
        found = [match for match in recognise(text) if match.kind != "maybe_password"]
        if not found:
            return
        match = found[0]
        text = f"{text[: match.start]}<{match.kind}:1>{text[match.end :]}"
    assert len(found) < 8 or text.count("<") >= 8


_PIECES = [
    "a", "1 ", "4111 ", "11 11 ", "a@", "a@a.", "a.", "1.", "a:", "://a:", "ab_", "pass-", "password=", "pw:a ",
    "DE89 ", "/home/a", "+1 ", "00", "(0", "eyJ", "eyJaaaaaaaa.", "xox" + "b-", "A1b2", "Bearer ", "sk" + "-",
    "SG." + "a" * 16 + ".", "<aa:b>", "aB3/", "secret.", " ", "-" * 5 + "BEGIN PRIVATE KEY" + "-" * 5,
]  # fmt: skip


@pytest.mark.timeout(60)  # one second is plenty; anything that grows with the square of the length takes hours
def test_a_megabyte_of_everything_is_read_in_one_go() -> None:
    size = 1_000_000 // len(_PIECES)
    text = "\n".join(piece * (size // len(piece)) for piece in _PIECES)
    assert len(text) > 900_000
    assert recognise(text)


@pytest.mark.timeout(60)
@pytest.mark.parametrize("piece", ["a@a.", "1 1", "eyJaaaaaaaa.", "a:", "pass-"])
def test_one_thing_repeated_many_times_is_read_in_one_go(piece: str) -> None:
    assert len(recognise(piece * (200_000 // len(piece)))) < 200_000


@pytest.mark.parametrize("char", ["\u200b", "\u00ad", "\u2060", "\ufeff", "\u202e"])
def test_what_nobody_sees_hides_nothing(char: str) -> None:
    mail = f"ada.person{char}@example.org"
    (found,) = recognise(f"Write to {mail} today")
    assert (found.kind, found.value) == ("email", mail)
    assert recognise(f"Nothing{char} here") == []
