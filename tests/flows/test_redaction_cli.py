"""``demopack redact``: lists, replaces, keeps, and says what is left."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from demopack.errors import BadInputError
from demopack.redaction.scan import scan_demo
from demopack.redaction.summary import places_text
from demopack.store import Library
from demopack_cli.main import main
from tests.support.demos import sample_demo
from tests.support.pictures import swatch
from tests.support.private_demos import DEMO, Private, private_demo

P = Private()


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library") as opened:
        private_demo(opened)
        yield opened


def redact(library: Library, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["redact", *arguments, "--library", str(library.folder)])


def as_json(library: Library, *arguments: str) -> dict[str, Any]:
    done = redact(library, *arguments, "--json")
    assert done.exit_code == 0, done.output
    data: dict[str, Any] = json.loads(done.output)
    return data


def test_without_an_order_it_lists_and_changes_nothing(library: Library) -> None:
    before = library.demo(DEMO)
    done = redact(library, "last")
    assert done.exit_code == 0
    assert "6 things that may be private" in done.output
    assert P.email in done.output
    assert "<card:1>" in done.output
    assert "payment card (secret), open" in done.output
    assert "the task" in done.output
    assert done.output == redact(library, "last", "--list").output
    assert library.demo(DEMO) == before


def test_the_list_for_programs_names_every_place(library: Library) -> None:
    data = as_json(library, DEMO)
    assert data["edit"] is None
    email = next(row for row in data["found"] if row["value"] == P.email)
    assert (email["kind"], email["secret"], email["decision"]) == ("email", False, "open")
    assert email["places"][0] == {
        "where": "the task", "field": "task", "step": None, "frame": None, "element": None, "box": None,
    }  # fmt: skip
    assert any(place["box"] == [20, 40, 200, 60] for place in email["places"])


def test_all_is_replaced_but_what_is_named_to_be_kept(library: Library) -> None:
    done = redact(library, "last", "--replace", "all", "--keep", P.kept)
    assert done.exit_code == 0, done.output
    assert "5 values replaced" in done.output
    assert "4 pictures painted over, 1 kept" in done.output
    assert library.demo(DEMO).head.task == "Send mail to <email:1>"
    again = redact(library, "last")
    assert "1 thing that may be private" in again.output
    assert "e-mail address, kept" in again.output


def test_what_was_kept_before_stays_with_all_and_is_told_and_is_replaced_when_it_is_named(library: Library) -> None:
    redact(library, "last", "--keep", "all")
    done = redact(library, "last", "--replace", "all")
    assert (done.exit_code, library.demo(DEMO).head.task) == (0, f"Send mail to {P.email}")
    assert "! Kept before, and not replaced: 6 values. Give the value or its kind for that." in done.output
    assert "2 values replaced" in redact(library, "last", "--replace", "email").output


def test_a_kind_is_replaced_and_the_rest_is_said_to_be_open(library: Library) -> None:
    done = redact(library, "last", "--replace", "card", "--replace", "token")
    assert "2 values replaced" in done.output
    assert "4 things that may be private still open" in done.output
    assert {row["kind"] for row in as_json(library, "last")["found"]} == {"email", "user_path", "maybe_password"}


def test_a_value_can_be_named_in_any_spelling(library: Library) -> None:
    assert as_json(library, "last", "--replace", P.card)["edit"] is not None
    assert all(row["kind"] != "card" for row in as_json(library, "last")["found"])


def test_a_text_that_nothing_recognises_is_replaced_too(library: Library) -> None:
    redact(library, "last", "--replace", "mail")
    demo = library.demo(DEMO)
    assert demo.head.app == "<text:1>"
    assert demo.head.task.startswith("Send <text:1> to")
    texts = {e.text for found in demo.elements.values() for e in found}
    assert "<text:1>" in texts
    assert "Mail" not in texts


def test_a_text_that_does_not_occur_is_an_error_and_changes_nothing(library: Library) -> None:
    done = redact(library, "last", "--replace", "all", "--replace", "Nobody Here")
    assert isinstance(done.exception, BadInputError)
    assert "Nobody Here" in str(done.exception)
    assert library.log.labels(DEMO) == (None, None)


def test_list_and_replace_exclude_each_other(library: Library) -> None:
    assert redact(library, "last", "--list", "--replace", "all").exit_code == 2


def test_a_clean_demo_says_so_with_and_without_orders(library: Library) -> None:
    key = sample_demo(library, draw=swatch)
    assert "nothing private was found" in redact(library, key).output
    done = redact(library, key, "--replace", "all")
    assert done.exit_code == 0
    assert "nothing private was found" in done.output


def test_a_kind_that_does_not_occur_changes_nothing(library: Library) -> None:
    redact(library, "last", "--replace", "all", "--keep", P.kept)
    done = redact(library, "last", "--replace", "card")
    assert done.exit_code == 0
    assert "1 thing that may be private" in done.output
    assert library.log.labels(DEMO)[0] == "Replace 5 private values"


def test_pictures_that_nobody_looked_through_are_named(tmp_path: Path) -> None:
    with Library.open(tmp_path / "unread") as library:
        private_demo(library, parsed=False)
        assert "5 pictures not read yet" in redact(library, "last").output
        assert "5 pictures not read yet" in redact(library, "last", "--replace", "all").output


def test_places_are_told_briefly(library: Library) -> None:
    email = next(one for one in scan_demo(library.demo(DEMO)) if one.value == P.email)
    assert places_text(email) == "the task; what was captured; window title (steps 1-3); 3 pictures; and 3 more places"
    assert places_text(email, limit=1) == "3 pictures; and 6 more places"
