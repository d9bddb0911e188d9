"""What a dialect cannot express is found by writing and reading back; writers and parsers belong together."""

from __future__ import annotations

import pytest

from demopack.pack.formats.specimens import SPECIMENS
from demopack.pack.formats.vocabularies import DIALECTS
from demopack.prompting.answers.read import ANSWER_DIALECTS
from demopack.prompting.losses import loss_table, round_trip

TABLE = loss_table()


def test_the_contract_itself_loses_nothing() -> None:
    assert {name: row["llmresponse"].kind for name, row in TABLE.items()} == dict.fromkeys(SPECIMENS, "same")


def test_no_parser_refuses_what_its_writer_wrote() -> None:
    refused = {
        (name, d): out.differences for name, row in TABLE.items() for d, out in row.items() if out.kind == "refused"
    }
    assert refused == {}


def test_every_loss_but_hidden_ones_is_one_that_the_writer_declared() -> None:
    """A writer that says nothing of a loss would leave it out of every export's log."""
    undeclared = {
        (name, dialect): outcome.differences
        for name, row in TABLE.items()
        for dialect, outcome in row.items()
        if outcome.kind == "changed"
        and not set(outcome.differences) <= {"no target", "2 actions"}  # a text goes to what has the focus
        and not DIALECTS[dialect].say(SPECIMENS[name]).losses
    }
    assert set(undeclared) <= {("extract data", "ufo")}, undeclared


@pytest.mark.parametrize(
    ("specimen", "dialect", "kind", "differences"),
    [
        ("click, Ctrl held", "uipath", "changed", ("no modifiers",)),
        ("click, Ctrl held", "caap", "same", ()),
        ("middle click", "ui-tars", "silent", ()),
        ("triple click", "openai", "same", ()),
        ("triple click", "ufo", "silent", ()),
        ("type and Enter", "ufo", "same", ()),
        ("drag on a way", "caap", "same", ()),
        ("drag on a way", "anthropic", "changed", ("no path",)),
        ("drag on a way", "pyautogui", "same", ()),
        ("click, held 1.5 s", "pyautogui", "same", ()),
        ("wait 2.5 s", "anthropic", "changed", ("wait_duration_s reads as 2",)),
        ("wait 2.5 s", "openai", "changed", ("wait_duration_s reads as 1",)),
        ("scroll down", "ui-tars", "changed", ("no scroll_steps",)),
        ("finish, failure", "ufo", "changed", ("no status",)),
        ("finish, failure", "osworld", "same", ()),
        ("launch", "caap", "silent", ()),
    ],
)
def test_a_cell_of_the_table(specimen: str, dialect: str, kind: str, differences: tuple[str, ...]) -> None:
    outcome = round_trip(dialect, SPECIMENS[specimen])
    assert (outcome.kind, outcome.differences) == (kind, differences)


def test_every_dialect_that_is_written_for_people_and_models_is_read() -> None:
    assert set(DIALECTS) - set(ANSWER_DIALECTS) == {"openadapt"}
