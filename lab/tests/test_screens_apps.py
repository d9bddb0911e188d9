"""What is true on screens of applications: rules for what programs tell wrongly, on moments that were kept."""

from __future__ import annotations

import dataclasses
import random
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from demopack.domain.geometry import Rect, iou
from demopack.errors import DemopackError
from lab.screens.apps.desktop_state import Moment, Node, Window
from lab.screens.apps.desktop_style import TITLE_FAMILY, choose_look
from lab.screens.apps.menus import key_words
from lab.screens.apps.moments import Visit, load_moment, save_visit
from lab.screens.apps.names import subtype_of
from lab.screens.apps.programs import PROGRAMS, Program
from lab.screens.apps.reading import TextFinder
from lab.screens.apps.source import AppsSource
from lab.screens.apps.strips import thumb_of
from lab.screens.apps.tabs import with_drawn_tabs
from lab.screens.apps.truth import Cleaned, clean
from lab.screens.apps.words import broken_into
from models.training.labelled_screens import GroundTruth

MOMENTS = Path(__file__).parent / "data" / "app_moments"
FONT = TextFinder(TITLE_FAMILY, 40 / 3)
TITLES = TextFinder(TITLE_FAMILY, 12)
SHOWN = frozenset({"showing", "visible", "enabled", "sensitive"})


def _clean(name: str, *, scale: int = 1) -> Cleaned:
    finder = TextFinder(TITLE_FAMILY, 40 / 3 * scale)
    return clean(load_moment(name, folder=MOMENTS), finder, titles=TITLES, scale=scale)


def _only(cleaned: Cleaned, kind: str, text: str | None) -> GroundTruth:
    (found,) = [e for e in cleaned.elements if e.type == kind and e.text == text]
    return found


def _is_at(element: GroundTruth, box: tuple[int, int, int, int], *, least: float = 0.9) -> bool:
    return iou(element.box, Rect(*box)) >= least


def test_a_labels_box_is_its_ink_and_a_button_reaches_to_its_edge() -> None:
    form = _clean("gtk_form")

    assert _is_at(_only(form, "text", "New customer"), (106, 111, 217, 128))
    assert _is_at(_only(form, "button", "Cancel"), (316, 334, 402, 368))
    assert _only(form, "button", "OK").states == {"disabled": False, "focused": False}
    assert form.painted == 0


def test_a_secret_field_has_no_text_and_only_the_one_with_the_caret_is_focused() -> None:
    fields = [e for e in _clean("gtk_form").elements if e.type == "input_field"]

    assert [(e.text, e.states["focused"]) for e in sorted(fields, key=lambda e: e.box.y1)] == [
        (None, True),
        (None, False),
    ]


def test_a_title_bar_has_its_text_and_its_buttons() -> None:
    form = _clean("gtk_form")

    assert _is_at(_only(form, "text", "zenity"), (279, 83, 322, 101), least=0.7)
    assert {e.subtype for e in form.elements if e.type == "icon"} == {"logo", "minimize", "maximize", "close"}
    (window,) = [e for e in form.elements if e.type == "window"]
    assert not window.leaf
    assert _is_at(window, (100, 80, 500, 380), least=0.99)


def test_cells_become_rows_with_their_marks_and_lines() -> None:
    goods = _clean("gtk_checklist")

    rows = sorted((e for e in goods.elements if e.type == "list_item"), key=lambda e: e.box.y1)
    assert [(row.text, row.leaf, row.states["checked"]) for row in rows] == [(None, False, True), (None, False, False)]
    assert rows[0].box.width > 460  # the whole width, not that of a cell
    marks = sorted((e for e in goods.elements if e.type == "checkbox"), key=lambda e: e.box.y1)
    assert [mark.states["checked"] for mark in marks] == [True, False]
    assert all(mark.box.width <= 18 and abs(mark.box.width - mark.box.height) <= 2 for mark in marks)
    assert [e.text for e in goods.elements if e.type == "tabled_text"] == ["Apples", "2.40", "Pears", "3.10"]
    heads = [(e.text, e.box.corners) for e in goods.elements if e.type == "button" and e.box.y1 < 120]
    assert heads == [("Buy", [74, 118, 115, 143]), ("Item", [115, 118, 180, 143]), ("Price", [180, 118, 546, 143])]


def test_the_rows_of_an_opened_menu_tell_their_keys_at_twice_the_size() -> None:
    search = _clean("gtk_menu_scaled", scale=2)

    assert _only(search, "menu", "Search").states["expanded"]
    assert not _only(search, "menu", "File").states["expanded"]
    assert [e.text for e in search.elements if e.type == "menu_item"] == [
        "Find Ctrl+F", "Find Next Ctrl+G", "Find Previous Shift+Ctrl+G", "Find and Replace... Ctrl+R",
        "Incremental Search", "Highlight All", "Go to... Ctrl+L",
    ]  # fmt: skip
    assert _is_at(_only(search, "menu_item", "Highlight All"), (180, 344, 724, 394))


def test_tabs_reach_to_one_another_and_colour_samples_are_buttons_without_words() -> None:
    shown = _clean("gtk_tabs")

    tabs = sorted((e for e in shown.elements if e.type == "tab"), key=lambda e: e.box.x1)
    assert [tab.text for tab in tabs] == ["Display", "Buttons", "Constants", "Functions", "Numbers", "General"]
    assert [tab.states["checked"] for tab in tabs] == [True, False, False, False, False, False]
    assert all(left.box.x2 == right.box.x1 for left, right in pairwise(tabs))
    assert sum(e.type == "button" and e.text is None for e in shown.elements) == 5
    assert shown.painted == 0


def test_a_qt_window_has_marks_beside_their_labels_and_drop_downs_with_their_choice() -> None:
    shown = _clean("qt_window")

    mark = _only(shown, "checkbox", "Auto Reconnect")
    assert mark.states == {"disabled": False, "focused": False, "checked": False}
    assert _is_at(mark, (379, 68, 393, 82))
    assert _is_at(_only(shown, "text", "Auto Reconnect"), (396, 69, 502, 82), least=0.8)
    assert _only(shown, "dropdown", "/dev/ttyS0").states["expanded"] is False
    assert _only(shown, "spinner", "0 ms").states["disabled"] is False
    assert _only(shown, "button", "Send file...").states["disabled"] is True


# What is not told ------------------------------------------------------------------------------------------------


def _moment(image: np.ndarray, *nodes: Node) -> Moment:  # type: ignore[type-arg]
    box = Rect(0, 0, image.shape[1], image.shape[0])
    top = Node(role="frame", states=SHOWN, box=box, children=nodes)
    window = Window(kind="normal", box=box, frame=box, active=True)
    return Moment(image=image, windows=(window,), programs=(Node(role="application", children=(top,)),))


def test_what_nobody_tells_is_painted_over_and_what_is_not_drawn_is_left_out() -> None:
    image = np.full((120, 300, 3), 240, dtype=np.uint8)
    image[40:60:2, 30:60] = 20
    invisible = Node(role="push button", name="Ghost", states=SHOWN, box=Rect(150, 30, 220, 60))

    cleaned = clean(_moment(image, invisible), FONT, titles=TITLES, scale=1)

    assert cleaned.elements == ()
    assert (cleaned.image == 240).all()
    assert cleaned.painted > 0


def test_a_tool_tips_name_is_no_text_but_tells_what_an_icon_stands_for() -> None:
    image = np.full((120, 300, 3), 240, dtype=np.uint8)
    image[20:36, 20:36] = 40
    node = Node(role="push button", name="Save the document", states=SHOWN, box=Rect(12, 12, 44, 44))

    (icon,) = clean(_moment(image, node), FONT, titles=TITLES, scale=1).elements

    assert (icon.type, icon.text, icon.subtype) == ("icon", None, "save")
    assert icon.box == Rect(18, 18, 38, 38)


def test_elements_outside_their_parent_or_under_another_window_are_left_out() -> None:
    image = np.full((200, 300, 3), 240, dtype=np.uint8)
    image[20:36, 20:36] = image[150:166, 20:36] = image[20:36, 200:216] = 40
    below = Node(role="push button", name="Save", states=SHOWN, box=Rect(12, 142, 44, 174))
    pane = Node(role="scroll pane", states=SHOWN, box=Rect(0, 0, 100, 100), children=(below,))
    covered = Node(role="push button", name="Open", states=SHOWN, box=Rect(192, 12, 224, 44))
    moment = _moment(image, pane, covered)
    other = Window(kind="popup", box=Rect(190, 0, 300, 90), frame=Rect(190, 0, 300, 90))

    cleaned = clean(
        Moment(image=image, windows=(other, *moment.windows), programs=moment.programs), FONT, titles=TITLES, scale=1
    )

    assert [e for e in cleaned.elements if e.leaf] == []


# Single rules ----------------------------------------------------------------------------------------------------


def test_a_text_is_found_where_it_is_drawn_and_nowhere_else() -> None:
    form = load_moment("gtk_form", folder=MOMENTS)

    assert FONT.find(form.image, Rect(316, 334, 402, 368), "Cancel") is not None
    for other in ("OK", "Delete", "Cancel all", "Apply"):
        assert FONT.find(form.image, Rect(316, 334, 402, 368), other) is None
    assert FONT.find(form.image, Rect(110, 230, 300, 300), "Cancel") is None  # a plain ground


def test_a_text_is_broken_by_the_width_of_its_lines() -> None:
    assert broken_into("one two three", [70, 50], lambda text: 10.0 * len(text)) == ["one two", "three"]
    assert broken_into("one\ntwo", [30, 30], lambda text: 10.0 * len(text)) == ["one", "two"]
    assert broken_into("one two three", [30, 30], lambda text: 10.0 * len(text)) is None
    assert broken_into("one", [], lambda text: 10.0 * len(text)) is None


def test_keys_are_written_as_toolkits_write_them() -> None:
    assert key_words("n;<Alt>f:n;<Primary><Shift>n")[0] == "Shift+Ctrl+N"
    assert "Ctrl+Shift+N" in key_words("n;<Alt>f:n;<Primary><Shift>n")
    assert key_words("Ctrl+N") == ["Ctrl+N"]
    assert key_words("F3") == ["F3"]
    assert key_words("m;<Alt>f:m;") == []


def test_names_tell_subtypes() -> None:
    assert [subtype_of(name) for name in ("Zoom In", "Save As...", "Go Back", "Jump", "")] == [
        "zoom_in", "save", "back", None, None,
    ]  # fmt: skip


def test_a_tab_that_is_not_shown_moves_no_other() -> None:
    page = Node(role="filler", states=SHOWN, box=Rect(0, 40, 300, 300))
    shown = Node(role="page tab", states=SHOWN, box=Rect(20, 10, 80, 30), children=(page,))
    hidden = Node(role="page tab", box=Rect(-99_999, -99_999, -99_998, -99_998))
    book = Node(role="page tab list", states=SHOWN, box=Rect(0, 0, 300, 300), children=(hidden, shown))

    drawn = with_drawn_tabs(book).children[1]

    assert drawn.box == Rect(6, 0, 94, 40)


@pytest.mark.parametrize(("share", "start"), [(0.0, 0), (0.5, 60), (1.0, 120)])
def test_a_thumb_is_where_the_value_says(share: float, start: int) -> None:
    image = np.full((200, 14, 3), 220, dtype=np.uint8)
    image[start : start + 80, 3:11] = 120

    found = thumb_of(image, Rect(0, 0, 14, 200), share=share)

    assert found == Rect(3, start, 11, start + 80)


# The source ------------------------------------------------------------------------------------------------------


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The programs that are there; a test names them."""
    there: set[str] = set()
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}" if name in there else None)
    return there


def test_applications_are_on_one_side_each_and_both_toolkits_are_on_every_side() -> None:
    assert len({program.name for program in PROGRAMS}) == len(PROGRAMS)
    for side, least in (("train", 120), ("val", 15), ("test", 8), ("frozen", 15)):
        group = [program for program in PROGRAMS if program.side == side]
        assert len(group) >= least
        assert {program.toolkit for program in group} >= {"gtk", "qt"}


def test_what_is_reserved_for_others_to_measure_with_is_on_no_side() -> None:
    reserved = {"pluma", "atril", "engrampa", "caja", "eom", "xarchiver", "catfish", "gucharmap", "xfce4-taskmanager"}
    words = {word for program in PROGRAMS for word in (program.name, program.package, program.commands[0][0])}

    assert not {word for word in words if word in reserved or word.startswith(("mate-", "qalculate"))}


def test_truth_is_made_anew_from_what_was_kept_without_starting_the_program(
    installed: set[str], tmp_path: Path
) -> None:
    assert not installed
    program = Program("calculator", "gtk", "calculator", "train", (("calculator",),))
    look = dataclasses.replace(
        choose_look(random.Random(1), qt=False, side="train"), family=TITLE_FAMILY, points=10, scale=1
    )
    moment = load_moment("gtk_tabs", folder=MOMENTS)
    (tmp_path / "calculator").mkdir()
    source = AppsSource([program], raw=tmp_path)
    (spec,) = source.specs(count=1, seed=0, side="train")
    save_visit(Visit(look, (("start", moment),)), tmp_path / "calculator", f"train-{spec.seed}")

    with source.renderer() as renderer:
        (made,) = renderer.render(spec)

    assert made.variant["state"] == "start"
    assert made.variant["font"] == f"{TITLE_FAMILY} 10"
    assert [e.type for e in made.elements].count("tab") == 6
    assert (tmp_path / "calculator" / f"train-{spec.seed}-0.png").is_file()


def test_equal_orders_are_equal_and_missing_programs_are_named(installed: set[str]) -> None:
    installed |= {"zenity", "gedit"}
    source = AppsSource()

    specs = source.specs(count=40, seed=3, side="train")

    assert {spec.group for spec in specs} == {"zenity"}
    assert specs == source.specs(count=40, seed=3, side="train")
    assert "mousepad" in source.note
    assert "zenity" not in source.note.split()


def test_a_side_without_programs_says_how_to_get_them(installed: set[str]) -> None:
    assert not installed
    program = Program("zenity", "gtk", "zenity", "train", (("zenity",),))
    source = AppsSource([program])

    with pytest.raises(DemopackError, match="No application") as caught:
        source.specs(count=4, seed=0, side="train")
    assert "apt-get install" in (caught.value.hint or "")
