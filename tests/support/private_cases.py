"""Ways to spoil a good pack that rules P02 and P03 must see: a private value in any file, in any form."""

from __future__ import annotations

import json
from collections.abc import Callable

from tests.support.packs import PackFolder, Row
from tests.support.private_values import CARDS, IBANS, randomly

Spoil = Callable[[PackFolder], object]
_TYPE, _KEY = 1, 8  # rows of the sample demo
_TOKEN = "gh" + "p_" + randomly(36)
_DASHES = "-" * 5
_BLOCK = f"{_DASHES}BEGIN PRIVATE KEY{_DASHES}\n{randomly(64)}\n{_DASHES}END PRIVATE KEY{_DASHES}"
_CARD = " ".join(CARDS[0][i : i + 4] for i in range(0, len(CARDS[0]), 4))


def _step(change: Callable[[Row], object], number: int = _KEY) -> Spoil:
    return lambda pack: pack.edit_row("steps", number, change)


def _element(change: Callable[[Row], object]) -> Spoil:
    # The last element of the sample belongs to no step's target.
    return lambda pack: pack.edit_row("elements", 20, change)


def _appended(name: str, text: str) -> Spoil:
    def spoil(pack: PackFolder) -> None:
        old = (pack.path / name).read_bytes() if (pack.path / name).exists() else b""
        pack.replace(name, old + text.encode())

    return spoil


def _in_page(text: str) -> Spoil:
    def spoil(pack: PackFolder) -> None:
        page = (pack.path / "index.html").read_text(encoding="utf-8")
        pack.replace("index.html", page.replace("<main>", f"<main>{text}").encode())

    return spoil


def _data(row: Row) -> None:
    action = {
        "action_type": "extract_data",
        "target": None,
        "parameters": {"description": "the form", "data": {"login": {"password": "sunshine"}}},
    }
    row["response"]["action"] = action
    row["recorded_action"] = json.loads(json.dumps(action))


def _keys(row: Row) -> None:
    row["clipboard"] = f"export TOKEN={_TOKEN}"


PRIVATE_CASES: list[tuple[str, str, Spoil]] = [
    ("P02", "token in a note", _step(lambda r: r.update(note=f"use {_TOKEN} here"))),
    ("P02", "card with gaps in a window title", _step(lambda r: r["window"].update(title=f"Pay with {_CARD}"))),
    ("P02", "account in what accessibility said", _step(
        lambda r: r.update(focused={"role": "entry", "name": "Account", "value": IBANS[0], "box": None, "states": [],
                                    "app": "", "secure": False}))),
    ("P02", "token on the clipboard", _step(_keys)),
    ("P02", "private key in a rationale", _step(lambda r: r["rationale"].update(observation=_BLOCK), _TYPE)),
    ("P02", "password among the data that was read", _step(_data)),
    ("P02", "key in an element's track id", _element(lambda r: r.update(track_id=f"text_{randomly(32)}"))),
    ("P02", "token in an id", _element(lambda r: r.update(uid=_TOKEN))),
    ("P02", "card in an id", _element(lambda r: r.update(uid=CARDS[0]))),
    ("P02", "password in the card", _appended("README.md", "\npassword: hunter2!\n")),
    ("P02", "password in the page", _in_page("<p>pw: &quot;hunter2!&quot;</p>\n")),
    ("P02", "token in another text file", _appended("CHANGES.md", f"{_TOKEN}\n")),
    ("P02", "token in another table", _appended("schema/notes.json", json.dumps({"a": [{"b": _TOKEN}]}) + "\n")),
    ("P02", "card in the consent", lambda p: p.edit_manifest(lambda m: m.update(consent=f"paid with {CARDS[1]}"))),
    ("P03", "address in a note", _step(lambda r: r.update(note="ask jane.doe@example.com"))),
    ("P03", "number in an element's text", _element(lambda r: r.update(text="Call +49 171 2345678"))),
    ("P03", "user name in a path", _step(lambda r: r["window"].update(title="/home/janedoe/notes - Editor"))),
    ("P03", "internet address in the page", _in_page("<p>203.0.113.77</p>\n")),
    ("P03", "address that was kept in another spelling only", lambda p: (
        p.edit_manifest(lambda m: m["redaction"].update(kept_digests=["0" * 24])),
        p.edit_row("steps", _KEY, lambda r: r.update(note="ask jane.doe@example.com")))),
]  # fmt: skip
"""Rule, name, and what to do to the pack of the sample demo."""
