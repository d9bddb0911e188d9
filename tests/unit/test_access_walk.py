"""Looking through what a program shows: with few questions, and never into what has no end."""

from __future__ import annotations

import math
import time

import pytest

from demopack.domain.geometry import Point, Rect
from recorder.backends.atspi.element_queries import ROOT_PATH
from recorder.backends.atspi.walk import TreeWalk, Walker
from tests.support.telling_program import (
    APP,
    BUTTON,
    FOCUSED,
    FRAME,
    LAYERED,
    MANAGES,
    MENU,
    PANEL,
    PASSWORD,
    SHOWING,
    TABLE,
    TEXT,
    Part,
    TellingProgram,
    queries,
    ref,
)

_CELLS = 1 << 30
_TOGGLE_BUTTON, _CHECK_BOX = 62, 7


def _spreadsheet() -> TellingProgram:
    """A sheet with more cells than can be counted, and a side bar with a secure field."""
    return TellingProgram(
        {
            ROOT_PATH: Part(75, ("/frame",)),
            "/frame": Part(FRAME, ("/menu", "/sheet", "/side")),
            "/menu": Part(MENU, tuple(f"/item{n}" for n in range(100))),
            "/sheet": Part(TABLE, states=SHOWING | MANAGES, count=_CELLS, under="/cell"),
            "/side": Part(PANEL, ("/user", "/key", "/ok")),
            "/user": Part(TEXT),
            "/key": Part(PASSWORD),
            "/ok": Part(BUTTON, states=SHOWING | FOCUSED),
            "/cell": Part(56),
        }
    )


def _walk(program: TellingProgram, *, until_s: float = math.inf) -> TreeWalk:
    return Walker(queries(program)).secure_fields(APP, [ref("/frame")], until_s=until_s)


def test_a_sheet_with_a_thousand_million_cells_is_passed_by() -> None:
    program = _spreadsheet()
    walk = _walk(program)
    assert walk == TreeWalk((ref("/key"),), complete=True)
    assert program.calls() < 40
    assert not any(path.startswith(("/item", "/cell")) for path, _ in program.asked)
    assert program.asked["/sheet", "GetChildren"] == 0


@pytest.mark.parametrize("role", [_TOGGLE_BUTTON, _CHECK_BOX], ids=["an expander of GTK", "a group of Qt"])
def test_a_secure_field_in_what_is_called_a_toggle_button_or_a_check_box_is_found(role: int) -> None:
    program = _spreadsheet()
    program.parts["/side"] = Part(role, ("/user", "/key", "/ok"))
    assert _walk(program).found == (ref("/key"),)


def test_more_children_than_a_number_can_hold() -> None:
    program = _spreadsheet()
    program.parts["/sheet"] = Part(TABLE, count=-(1 << 30))
    assert _walk(program).complete
    assert program.asked["/sheet", "GetChildren"] == 0


def test_what_is_known_is_not_asked_again() -> None:
    program = _spreadsheet()
    walker = Walker(queries(program))
    first = walker.secure_fields(APP, [ref("/frame")], until_s=math.inf)
    calls = program.calls()
    assert walker.secure_fields(APP, [ref("/frame")], until_s=math.inf) == first
    again = program.calls() - calls
    assert again < calls * 0.75
    assert program.asked["/ok", "GetRole"] == 1
    # A field that shows what is typed may hide it next.
    program.parts["/user"] = Part(PASSWORD)
    assert walker.secure_fields(APP, [ref("/frame")], until_s=math.inf).found == (ref("/user"), ref("/key"))


def test_what_is_not_shown_stays_closed_until_it_is() -> None:
    program = _spreadsheet()
    program.parts["/side"].states = 0
    walker = Walker(queries(program))
    assert walker.secure_fields(APP, [ref("/frame")], until_s=math.inf) == TreeWalk((), complete=True)
    program.parts["/side"].states = SHOWING
    assert walker.secure_fields(APP, [ref("/frame")], until_s=math.inf).found == (ref("/key"),)


def test_very_many_parts_that_are_no_cells_are_left_out_and_that_is_said() -> None:
    program = _spreadsheet()
    program.parts["/side"] = Part(PANEL, count=10_000)
    assert _walk(program) == TreeWalk((), complete=False)
    program.parts["/side"] = Part(LAYERED, count=10_000)
    assert _walk(program) == TreeWalk((), complete=True), "files in a folder are no fields"


def test_a_window_full_of_parts_is_not_walked_to_its_end() -> None:
    parts = {ROOT_PATH: Part(75, ("/frame",)), "/frame": Part(FRAME, tuple(f"/p{n}" for n in range(300)))}
    parts |= {f"/p{n}": Part(PANEL, tuple(f"/p{n}/{m}" for m in range(30))) for n in range(300)}
    parts |= {f"/p{n}/{m}": Part(TEXT) for n in range(300) for m in range(30)}
    program = TellingProgram(parts)
    assert not _walk(program).complete
    assert program.calls() < 6000


def test_when_time_is_up_nothing_more_is_asked() -> None:
    program = _spreadsheet()
    assert _walk(program, until_s=time.monotonic() - 1) == TreeWalk((), complete=False)
    assert program.calls() == 0


def test_what_did_not_answer_is_not_opened_again() -> None:
    program = _spreadsheet()
    program.stuck = frozenset({"/side"})
    walker = Walker(queries(program))
    assert walker.secure_fields(APP, [ref("/frame")], until_s=math.inf) == TreeWalk((), complete=False, answered=False)
    program.silent = False
    assert walker.secure_fields(APP, [ref("/frame")], until_s=math.inf) == TreeWalk((), complete=False)
    assert program.asked["/side", "GetChildren"] == 1


def test_the_element_with_the_input_and_a_list_that_popped_up() -> None:
    program = _spreadsheet()
    walker = Walker(queries(program))
    assert walker.focused([ref("/frame")], until_s=math.inf) == ref("/ok")
    assert walker.with_roles([ref("/frame")], frozenset({MENU}), until_s=math.inf) == (ref("/menu"),)


def test_what_lies_under_the_pointer_is_asked_where_that_costs_nothing() -> None:
    program = _spreadsheet()
    asker = queries(program)
    assert asker.child_at(ref("/sheet"), Point(5, 5), timeout_s=1) == ref("/cell")
    program.parts["/files"] = Part(LAYERED, count=10_000, under="/cell")
    assert asker.child_at(ref("/files"), Point(5, 5), timeout_s=1) is None
    assert program.asked["/files", "GetAccessibleAtPoint"] == 0


def test_windows_of_a_program_with_very_many_are_not_listed() -> None:
    program = _spreadsheet()
    program.parts[ROOT_PATH] = Part(75, count=5000)
    assert queries(program).children(ref(ROOT_PATH), timeout_s=1) == []
    box = Rect(0, 0, 100, 20)
    assert queries(program).windows_at([ref("/frame")], Point(5, 5), popup=box, timeout_s=1) == [ref("/frame")]
