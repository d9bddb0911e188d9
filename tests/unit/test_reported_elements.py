"""What programs reported, as elements of a picture, and joined with what was found in the pixels."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest

from demopack.domain.actions import ActionTarget, DragAction, ScrollAction
from demopack.domain.binding import bind
from demopack.domain.elements import Element, Evidence
from demopack.domain.frames import Frame, RgbImage
from demopack.domain.geometry import Point, Rect, iou
from demopack.domain.steps import AccessibleElement, Pointer, Step
from demopack.domain.trees import TreeNode, TreeReading, ValueRange, WindowTree
from models.vision.reports.acted_areas import with_acted_areas
from models.vision.reports.elements import ReportedElement, reported_areas, reported_elements
from models.vision.reports.joining import join_reports
from models.vision.reports.texts import without_caret
from models.vision.reports.unreported import grounds_of
from tests.support.small_demos import click_step, key_step, type_step

FRAME = Frame(id="a" * 64, width=400, height=300)
WINDOW = Rect(0, 0, 400, 300)
SHOWN = ("enabled", "showing")


def node(role: str, *box: int, parent: int | None = 0, states: tuple[str, ...] = (), **more: Any) -> TreeNode:
    place = Rect(*box) if box else None
    return TreeNode(role=role, box=place, parent=parent, states=(*SHOWN, *states), **more)


def window(*nodes: TreeNode, box: Rect = WINDOW, **more: Any) -> WindowTree:
    top = TreeNode(role="frame", name="Notes", box=box)
    given: dict[str, Any] = {"app": "notes", "title": "Notes", "toolkit": "gtk 3.24", **more}
    return WindowTree(box=box, nodes=(top, *nodes), **given)


def read(tree: WindowTree, *, proved: bool = True, changed: tuple[Rect, ...] = ()) -> tuple[TreeReading, WindowTree]:
    return TreeReading(tree="0" * 64, started_ns=0, ended_ns=1, proved=proved, changed=changed), tree


def reported(*trees: WindowTree) -> list[ReportedElement]:
    return reported_elements([read(tree) for tree in trees], FRAME)


def found(kind: str, *box: int, text: str | None = None, **more: Any) -> Element:
    given = {"uid": f"el_{kind}_{box[0]}_{box[1]}", "frame": FRAME.id, "type": kind, "box": Rect(*box), "text": text}
    source = "ocr" if kind == "text" else "detector"
    return Element.model_validate({**given, "source": source, "confidence": 0.9, **more})


def drawn(*boxes: Rect) -> RgbImage:
    """A white picture with a black outline for each box."""
    image = np.full((300, 400, 3), 255, dtype=np.uint8)
    for box in boxes:
        image[box.y1 : box.y2, box.x1 : box.x2] = 0
        image[box.y1 + 1 : box.y2 - 1, box.x1 + 1 : box.x2 - 1] = 230
        image[box.center.y, box.x1 + 4 : box.x2 - 4] = 0
    return image


def joined(elements: list[Element], *trees: WindowTree, proved: bool = True, **more: Any) -> list[Element]:
    reports = [read(tree, proved=proved) for tree in trees]
    told, grounds = reported_elements(reports, FRAME), grounds_of(reports, FRAME)
    boxes = [one.box for one in told if one.box is not None]
    return join_reports(elements, told, drawn(*boxes), FRAME, grounds=grounds, **more)


# What is reported -----------------------------------------------------------------------------------------------------


def test_roles_become_types_and_states_are_true_or_false() -> None:
    tree = window(
        node("push button", 10, 10, 60, 30, name="OK"),
        node("check box", 10, 40, 90, 60, name="News", states=("checked", "checkable")),
        node("radio button", 10, 70, 90, 90, name="Left", states=("checkable",)),
        node("text", 10, 100, 200, 120, name="Mail", value="a@b.c", states=("editable", "focused")),
        node("text", 10, 130, 200, 190, value="one\ntwo", states=("editable", "multi line")),
        node("text", 210, 130, 300, 150, name="Just words"),
        node("slider", 10, 200, 100, 220, name="Size", range=ValueRange(minimum=0, value=3, maximum=9)),
        TreeNode(role="push button", name="Off", parent=0, box=Rect(110, 200, 150, 220), states=("showing",)),
        node("page tab", 160, 200, 200, 220, name="More", states=("selected",)),
    )
    told = {one.name or one.text: (one.type, dict(one.states)) for one in reported(tree)}
    assert told == {
        "OK": ("button", {"disabled": False, "focused": False}),
        "News": ("checkbox", {"checked": True, "disabled": False, "focused": False}),
        "Left": ("radio", {"checked": False, "disabled": False, "focused": False}),
        "Mail": ("input_field", {"disabled": False, "focused": True}),
        "one\ntwo": ("text_area", {"disabled": False, "focused": False}),
        "Just words": ("text", {"highlighted": False}),
        "Size": ("slider", {"disabled": False, "focused": False}),
        "Off": ("button", {"disabled": True, "focused": False}),
        "More": ("tab", {"checked": True, "disabled": False, "focused": False}),
    }


def test_what_is_in_a_control_is_a_part_of_it_but_not_what_drops_down_from_it() -> None:
    popup = WindowTree(app="notes", title="", box=Rect(10, 30, 110, 90))
    tree = window(
        node("combo box", 10, 10, 110, 30, name="Seoul", states=("expanded",)),
        node("push button", 90, 10, 110, 30, parent=1, name="open"),
        node("list", 10, 30, 110, 90, parent=1),
        node("list item", 10, 30, 200, 60, parent=3, name="Seoul", states=("selected", "selectable")),
        node("list item", 10, 60, 200, 90, parent=3, name="Berlin", states=("selectable",)),
    )
    told = [(one.type, one.name, one.box) for one in reported(popup, tree)]
    assert told == [
        ("dropdown", "Seoul", Rect(10, 10, 110, 30)),
        ("list_item", "Seoul", Rect(10, 30, 110, 60)),
        ("list_item", "Berlin", Rect(10, 60, 110, 90)),
    ]


def test_what_a_tab_an_expander_or_an_area_holds_is_no_part_of_it() -> None:
    tree = window(
        node("page tab list", 0, 40, 400, 300),
        node("page tab", 20, 46, 60, 66, parent=1, name="Split", states=("selected", "selectable")),
        node("filler", 0, 72, 400, 300, parent=2),
        node("check box", 10, 80, 200, 100, parent=3, name="Frame mode"),
        node("toggle button", 10, 110, 390, 200, parent=3, name="Files", states=("expandable", "expanded")),
        node("push button", 10, 140, 80, 160, parent=5, name="Add"),
        node("page tab", 84, 46, 120, 66, parent=1, name="Tags", states=("selectable",)),
    )
    area = window(
        node("label", 0, 20, 400, 280, states=("multi line", "focusable", "read only")),
        node("filler", 380, 20, 400, 280, parent=1),
        node("scroll bar", 380, 20, 400, 280, parent=2),
        toolkit="Qt 6.4",
    )
    assert [(one.type, one.name, one.box) for one in reported(tree)] == [
        ("tab", "Split", Rect(8, 40, 72, 72)),
        ("checkbox", "Frame mode", Rect(10, 80, 200, 100)),
        ("button", "Files", Rect(10, 110, 390, 140)),
        ("button", "Add", Rect(10, 140, 80, 160)),
        ("tab", "Tags", Rect(72, 40, 132, 72)),
    ]
    assert [(one.type, one.box) for one in reported(area)] == [
        ("text_area", Rect(0, 20, 400, 280)),
        ("scrollbar", Rect(380, 20, 400, 280)),
    ]


def test_a_group_with_a_box_to_tick_is_its_title_and_what_is_in_it_stays() -> None:
    """Qt calls the whole group a check box."""
    tree = window(
        node("check box", 10, 20, 390, 200, name="Proxy", states=("checked", "checkable")),
        node("label", 20, 60, 60, 80, parent=1, name="Host"),
        node("text", 70, 58, 300, 82, parent=1, states=("editable", "focusable")),
        node("check box", 10, 220, 390, 244, name="Log"),
        toolkit="Qt 5.15",
    )
    assert [(one.type, one.name, one.box) for one in reported(tree)] == [
        ("checkbox", "Proxy", Rect(10, 20, 390, 58)),
        ("text", "Host", Rect(20, 60, 60, 80)),
        ("input_field", "", Rect(70, 58, 300, 82)),
        ("checkbox", "Log", Rect(10, 220, 390, 244)),
    ]


def test_a_notebook_that_shows_no_tabs_still_shows_its_page() -> None:
    tree = window(
        node("page tab list", 0, 20, 400, 280),
        node("page tab", parent=1, name="notes.txt"),
        node("text", 0, 20, 400, 280, parent=2, states=("editable", "multi line"), value="Buy bread"),
    )
    assert [(one.type, one.box) for one in reported(tree)] == [("text_area", Rect(0, 20, 400, 280))]


def test_tabs_at_the_side_of_a_notebook_reach_from_its_edge_to_its_page() -> None:
    tree = window(
        node("page tab list", 0, 40, 400, 300),
        node("page tab", 20, 60, 60, 80, parent=1, name="Status", states=("selected",)),
        node("filler", 80, 40, 400, 300, parent=2),
        node("page tab", 20, 100, 60, 120, parent=1, name="Compiler"),
    )
    alone = window(node("page tab list", 0, 40, 400, 300), node("page tab", 20, 60, 60, 80, parent=1, name="Status"))
    assert [one.box for one in reported(tree)] == [Rect(0, 50, 80, 90), Rect(0, 90, 80, 130)]
    assert [one.box for one in reported(alone)] == [Rect(8, 56, 72, 84)]


def test_the_shown_tab_of_qt_says_that_it_has_the_focus() -> None:
    tabs = [
        node("page tab list", 10, 10, 99, 30),
        node("page tab", 10, 10, 60, 30, parent=1, name="One", states=("focused",)),
        node("page tab", 60, 10, 99, 30, parent=1),
    ]
    told = [dict(one.states) for one in reported(window(*tabs, toolkit="Qt 6.4"))]
    assert told == [
        {"checked": True, "focused": False, "disabled": False},
        {"checked": False, "focused": False, "disabled": False},
    ]


def test_a_menu_is_expanded_while_its_entries_are_told() -> None:
    popup = WindowTree(app="notes", title="", box=Rect(10, 20, 90, 60))
    tree = window(
        node("menu bar", 0, 0, 400, 20),
        node("menu item", 10, 0, 50, 20, parent=1, name="Tools"),
        node("popup menu", 10, 20, 90, 60, parent=2),
        node("menu item", 10, 20, 90, 40, parent=3, name="Build"),
        node("menu item", 50, 0, 90, 20, parent=1, name="Help"),
        toolkit="Qt 5.15",
    )
    told = {one.name: one.states.get("expanded") for one in reported(popup, tree) if one.type == "menu"}
    assert told == {"Tools": True, "Help": False}


def test_a_menu_bar_without_a_place_shows_none_of_its_menus() -> None:
    tree = window(
        node("menu bar", 0, 0, 400, 25),
        node("menu", 0, 0, 40, 25, parent=1, name="File"),
        node("menu bar"),
        node("menu", 0, 25, 35, 44, parent=3, name="File"),
    )
    assert [one.box for one in reported(tree)] == [Rect(0, 0, 40, 25)]


def test_the_arrow_of_a_control_is_no_letter_of_what_it_shows() -> None:
    tree = window(
        node("combo box", 10, 10, 150, 40, name="Letter"),
        node("spin button", 10, 50, 150, 80, range=ValueRange(minimum=0, value=11, maximum=99), value="11"),
    )
    seen = [
        found("dropdown", 10, 10, 150, 40, text="Letter 4"),
        found("spinner", 10, 50, 150, 80, text="11.0000 in é"),
    ]
    assert [one.text for one in joined(seen, tree)] == ["Letter", "11.0000 in"]


def test_a_slider_as_high_as_wide_is_a_button_and_a_dial_is_a_slider() -> None:
    tree = window(
        node("slider", 10, 10, 50, 50, name="Volume"),
        node("slider", 60, 10, 200, 40, name="Zoom"),
        node("dial", 10, 60, 60, 110, name="Gain"),
        node("text", 10, 120, 90, 140, value="b", states=("focusable", "single line")),
    )
    assert [one.type for one in reported(tree)] == ["button", "slider", "slider", "input_field"]


def test_what_lies_behind_a_popover_of_its_own_window_is_covered() -> None:
    tree = window(
        node("table", 0, 40, 400, 300, states=("manages descendants",)),
        node("table cell", 250, 100, 300, 120, parent=1, name="ZIP"),
        node("table cell", 10, 100, 100, 120, parent=1, name="backup"),
        node("panel", 190, 30, 390, 290, states=("modal",)),
        node("panel", 200, 40, 380, 280, parent=4),
        node("radio button", 210, 100, 370, 120, parent=5, name="View All Files"),
    )
    assert {one.name or one.text for one in reported(tree)} == {"backup", "View All Files"}


def test_a_row_is_called_what_its_only_label_says_and_may_hold_a_box_to_tick() -> None:
    tree = window(
        node("list box", 0, 0, 200, 90),
        node("list item", 0, 0, 200, 30, parent=1, states=("selectable",)),
        node("label", 30, 0, 200, 30, parent=2, name="Home"),
        node("table", 0, 100, 200, 190, states=("manages descendants",)),
        node("table cell", 0, 100, 40, 130, parent=4),
        node("table cell", 40, 100, 200, 130, parent=4, name="Swap files"),
        node("table cell", 0, 130, 40, 160, parent=4),
        node("table cell", 40, 130, 200, 160, parent=4, name="Caches"),
    )
    image = drawn(Rect(12, 108, 26, 122))
    image[8:22, 34:80:2] = image[108:122, 50:120:2] = image[138:152, 50:110:2] = 0
    made = join_reports([found("text", 34, 6, 82, 24, text="Home")], reported(tree), image, FRAME)
    assert [(one.type, one.text) for one in made] == [
        ("list_item", "Home"), ("list_item", "Swap files"), ("checkbox", "Swap files"), ("list_item", "Caches"),
    ]  # fmt: skip
    assert made[2].box.encloses(Rect(12, 108, 26, 122))


def test_a_button_of_a_bar_that_stays_down_is_no_box_to_tick() -> None:
    tree = window(
        node("tool bar", 0, 0, 400, 40),
        node("check box", 10, 4, 42, 36, parent=1, name="Shuffle"),
        node("check box", 60, 4, 200, 36, parent=1, name="Repeat all"),
        toolkit="Qt 5.15",
    )
    assert [(one.type, one.name) for one in reported(tree)] == [
        ("toolbar", ""), ("button", "Shuffle"), ("checkbox", "Repeat all"),
    ]  # fmt: skip


def test_what_is_cut_off_covered_or_elsewhere_is_no_element() -> None:
    dialog = window(node("push button", 210, 110, 290, 130, name="Close"), box=Rect(200, 100, 400, 300), app="other")
    tree = window(
        node("scroll pane", 0, 0, 400, 50),
        node("push button", 10, 10, 60, 30, parent=1, name="In sight"),
        node("push button", 10, 45, 60, 65, parent=1, name="Nearly scrolled out"),
        node("push button", 10, 80, 60, 99, parent=1, name="Scrolled out"),
        node("push button", 250, 150, 300, 170, name="Under the dialog"),
        node("push button", 150, 150, 250, 170, name="Half under it"),
        node("push button", 500, 150, 550, 170, name="Off the screen"),
        node("push button", 10, 200, 10, 220, name="Without size"),
        node("text", 100, 20, 395, 290, name="Under its corner", states=("editable", "multi line")),
    )
    told = {one.name: one.box for one in reported(dialog, tree)}
    assert told == {
        "Close": Rect(210, 110, 290, 130),
        "In sight": Rect(10, 10, 60, 30),
        "Half under it": Rect(150, 150, 200, 170),
        "Under its corner": Rect(100, 20, 395, 290),
    }


@pytest.mark.parametrize(
    ("first", "second", "states", "kind"),
    [
        (20, 20, (), "list_item"),
        (20, 20, ("expandable",), "tree_item"),
        (20, 34, (), "tree_item"),
        (40, 40, (), "tree_item"),
    ],
    ids=["flat", "with a branch", "indented", "twigs"],
)
def test_a_tree_without_branches_is_a_list(first: int, second: int, states: tuple[str, ...], kind: str) -> None:
    tree = window(
        node("tree table", 0, 0, 300, 100),
        node("table cell", first, 10, 300, 30, parent=1, name="Music"),
        node("table cell", second, 30, 300, 50, parent=1, name="Radio", states=states),
    )
    assert [(one.type, one.text) for one in reported(tree)] == [(kind, "Music"), (kind, "Radio")]


def test_cells_at_one_height_are_a_row_and_points_of_a_list_on_a_page_are_words() -> None:
    table = window(
        node("tree table", 0, 0, 300, 100),
        node("table cell", 20, 10, 80, 30, parent=1, name="a.txt", states=("selectable", "selected")),
        node("table cell", 100, 10, 160, 30, parent=1, name="2 kB", states=("selectable",)),
        node("table cell", 20, 30, 80, 50, parent=1, name="b.txt", states=("selectable",)),
    )
    told = [(one.type, one.text, one.box, one.states.get("highlighted")) for one in reported(table)]
    assert told == [
        ("list_item", "a.txt 2 kB", Rect(0, 10, 300, 30), True),
        ("tabled_text", "a.txt", Rect(20, 10, 80, 30), True),
        ("tabled_text", "2 kB", Rect(100, 10, 160, 30), False),
        ("list_item", "b.txt", Rect(0, 30, 300, 50), False),
    ]
    page = window(
        node("document web", 0, 0, 400, 300),
        node("list", 0, 0, 300, 100, parent=1),
        node("list item", 0, 0, 300, 20, parent=2, name="• Read this"),
        node("link", 10, 0, 100, 20, parent=3, name="Read this"),
    )
    assert [(one.type, one.name) for one in reported(page)] == [("hyperlink", "Read this")]


# Joined with pixels ---------------------------------------------------------------------------------------------------


def test_a_page_has_switches_dates_and_branches_that_hold_their_twigs() -> None:
    checkable = ("checkable",)
    page = window(
        node("document web", 0, 0, 400, 300),
        node("toggle button", 10, 10, 90, 30, parent=1, name="Sounds", states=checkable),
        node("toggle button", 100, 10, 190, 30, parent=1, name="Pinned", states=("pressed",)),
        node("date editor", 200, 10, 390, 30, parent=1, name="On"),
        node("section", 202, 12, 300, 28, parent=4),
        node("spin button", 202, 12, 230, 28, parent=5, name="Month On", value="5"),
        node("static", 230, 12, 236, 28, parent=5, name="/"),
        node("spin button", 236, 12, 260, 28, parent=5, name="Day On", value="4"),
        node("push button", 370, 12, 388, 28, parent=4, name="Show date picker On"),
        node("tree", 10, 50, 200, 170, parent=1),
        node("tree item", 20, 50, 200, 110, parent=10, name="Engine", states=("expandable", "expanded", "selectable")),
        node("panel", 20, 70, 200, 110, parent=11),
        node("tree item", 40, 70, 200, 90, parent=12, name="Piston", states=("selectable",)),
        node("tree item", 40, 90, 200, 110, parent=12, name="Valve", states=("selectable",)),
        node("tree item", 20, 110, 200, 130, parent=10, name="Wheels", states=("expandable", "selectable")),
    )
    told = {one.name: one for one in reported(page)}
    assert {name: one.type for name, one in told.items()} == {
        "Sounds": "toggle", "Pinned": "button", "On": "input_field",
        "Engine": "tree_item", "Piston": "tree_item", "Valve": "tree_item", "Wheels": "tree_item",
    }  # fmt: skip
    assert told["On"].text == "5/4"
    assert told["Engine"].box == Rect(10, 50, 200, 70)
    assert (told["Engine"].states["expanded"], told["Wheels"].states["expanded"]) == (True, False)


def test_a_date_is_written_as_it_is_drawn() -> None:
    tree = window(
        node("date editor", 10, 10, 200, 30, name="On"),
        node("spin button", 12, 12, 40, 28, parent=1, name="Month On", value="5"),
        node("static", 40, 12, 46, 28, parent=1, name="/"),
        node("spin button", 46, 12, 90, 28, parent=1, name="Day On", value="4"),
    )
    (date,) = joined([found("dropdown", 10, 10, 200, 30, text="05/04")], tree)
    assert (date.type, date.text, date.placeholder) == ("input_field", "05/04", None)
    (other,) = joined([found("dropdown", 10, 10, 200, 30, text="08/04")], tree)
    assert other.text == "5/4"


def test_a_link_beside_a_control_that_reaches_over_it_is_a_link() -> None:
    tree = window(
        node("push button", 10, 100, 390, 120, name="More choices"),
        node("link", 300, 90, 380, 111, name="care notes"),
    )
    image = drawn(Rect(10, 100, 390, 120))
    image[98:104, 302:378:3] = 0
    elements = join_reports([found("text", 300, 92, 380, 109, text="care notes")], reported(tree), image, FRAME)
    assert {one.type for one in elements} == {"button", "hyperlink"}


def test_a_link_is_where_its_words_are_and_a_button_where_it_is_drawn_as_one() -> None:
    tree = window(
        node("link", 0, 10, 300, 40, name="\uf015 First steps"),
        node("link", 50, 100, 150, 130, name="Log in"),
        node("link", 200, 100, 230, 130, name="\uf007"),
        node("link", 0, 200, 300, 230, name="Next page"),
    )
    image = drawn(Rect(50, 100, 150, 130))
    image[200:230, 0:300] = 215  # a row of a list, lit up
    for box in (Rect(30, 18, 110, 32), Rect(205, 105, 225, 125), Rect(10, 208, 90, 222)):
        image[box.y1 : box.y2, box.x1 : box.x2 : 3] = 0
    words = {"source": "ocr", "type": None, "box": (28, 16, 112, 34), "text": "First steps", "confidence": 0.9}
    row = found("menu_item", 0, 10, 300, 40, text="First steps", evidence=(words,))
    elements = join_reports(
        [row, found("text", 80, 105, 120, 125, text="Log in"), found("text", 8, 206, 92, 224, text="Next page")],
        reported(tree), image, FRAME,
    )  # fmt: skip
    made = {one.text: (one.type, one.box) for one in elements}
    assert made["First steps"] == ("hyperlink", Rect(28, 16, 112, 34))
    assert made["Log in"] == ("button", Rect(50, 100, 150, 130))
    assert made["Next page"][0] == "hyperlink"
    assert made[None] == ("icon", Rect(200, 100, 230, 130))


def test_words_that_alone_were_found_on_a_button_are_its_evidence_and_a_blank_header_is_none() -> None:
    tree = window(
        node("table column header", 10, 10, 110, 34, name="Memo"), node("table column header", 110, 10, 300, 34)
    )
    image = np.full((300, 400, 3), 255, np.uint8)
    for box in (Rect(10, 10, 110, 34), Rect(110, 10, 300, 34)):
        image[box.y1 : box.y2, box.x1 : box.x2] = 0
        image[box.y1 + 1 : box.y2 - 1, box.x1 + 1 : box.x2 - 1] = 255
    image[18:26, 16:50:2] = 0
    words = found("text", 14, 16, 52, 28, text="Memo")
    (header,) = join_reports([words], reported(tree), image, FRAME)
    assert (header.text, [said.source for said in header.evidence]) == ("Memo", ["ocr", "accessibility"])
    hit = join_reports([words], reported(tree), image, FRAME, pointers=[Point(200, 20)])
    assert [one.box for one in hit] == [Rect(10, 10, 110, 34), Rect(110, 10, 300, 34)], "somebody pointed at it"


def test_what_was_reported_wins_and_what_was_read_stays_as_evidence() -> None:
    tree = window(node("push button", 10, 10, 90, 40, name="Close"))
    (one,) = joined([found("tab", 12, 10, 90, 40, text="Cl lose"), found("icon", 15, 15, 30, 30)], tree)
    assert (one.type, one.text, one.source, one.uid) == ("button", "Close", "accessibility", "el_tab_12_10")
    assert [(e.source, e.type, e.text) for e in one.evidence] == [
        ("detector", "tab", "Cl lose"),
        ("accessibility", "button", "Close"),
    ]


def test_a_field_has_its_value_or_a_placeholder_and_what_is_written_beside_stays() -> None:
    tree = window(
        node("label", 10, 10, 100, 30, name="Name"),
        node("text", 110, 10, 200, 30, name="Name", states=("editable",)),
        node("text", 110, 50, 200, 70, name="Mail", value="a@b.c", states=("editable",)),
    )
    seen = [
        found("text", 12, 12, 50, 28, text="Name"),
        found("text", 114, 12, 190, 28, text="First and last"),
        found("text", 114, 52, 190, 68, text="a@b.cl"),
        found("icon", 300, 200, 320, 220),
    ]
    told = {(one.type, one.text, one.placeholder, one.box) for one in joined(seen, tree)}
    assert told == {
        ("text", "Name", None, Rect(12, 12, 50, 28)),
        ("input_field", None, "First and last", Rect(110, 10, 200, 30)),
        ("input_field", "a@b.c", None, Rect(110, 50, 200, 70)),
        ("icon", None, None, Rect(300, 200, 320, 220)),
    }


def test_a_box_to_tick_owns_its_label_wherever_that_is_reported() -> None:
    tree = window(
        node("check box", 10, 10, 300, 30, name="Send news", states=("checked", "checkable")),
        node("radio button", 10, 50, 24, 64, name="By mail", states=("checkable",)),
        node("label", 30, 50, 90, 64, name="By mail"),
    )
    seen = [
        found("checkbox", 12, 12, 26, 26),
        found("text", 32, 12, 110, 27, text="Send news"),
        found("radio", 10, 50, 24, 64),
        found("text", 30, 50, 88, 64, text="By mail"),
    ]
    told = [(one.type, one.text, one.box, one.mark_box) for one in joined(seen, tree)]
    assert told == [
        ("checkbox", "Send news", Rect(12, 12, 110, 27), Rect(12, 12, 26, 26)),
        ("radio", "By mail", Rect(10, 50, 88, 64), Rect(10, 50, 24, 64)),
    ]


def test_a_label_of_several_lines_or_before_its_mark_belongs_to_it() -> None:
    tree = window(
        node("check box", 10, 10, 200, 60, name="Send news about it", states=("checkable",)),
        node("check box", 300, 100, 314, 114, name="On top", states=("checkable",)),
        node("check box", 10, 150, 24, 164, name="All that is new", states=("checkable",)),
        node("label", 30, 148, 120, 184, name="All that is new"),
    )
    seen = [
        found("checkbox", 12, 28, 26, 42),
        found("text", 32, 17, 110, 33, text="Send news"),
        found("text", 32, 35, 95, 51, text="about it"),
        found("checkbox", 300, 100, 314, 114),
        found("text", 230, 99, 290, 115, text="On top"),
        found("checkbox", 10, 150, 24, 164),
        found("text", 30, 149, 90, 165, text="AlI that"),
        found("text", 30, 167, 86, 183, text="is new"),
    ]
    expected = [
        ("Send news about it", Rect(12, 17, 110, 51), Rect(12, 28, 26, 42)),
        ("On top", Rect(230, 99, 314, 115), Rect(300, 100, 314, 114)),
        ("All that is new", Rect(10, 149, 90, 183), Rect(10, 150, 24, 164)),
    ]
    assert [(one.text, one.box, one.mark_box) for one in joined(seen, tree)] == expected
    # The pixels alone may have found the same before.
    whole = [found("checkbox", *box.corners, text=text, mark_box=mark) for text, box, mark in expected]
    assert [(one.text, one.box, one.mark_box) for one in joined(whole, tree)] == expected
    # What was hit beside the words belongs to the control, too.
    (hit, *_) = joined(seen, tree, pointers=[Point(190, 30)])
    assert hit.box == Rect(10, 10, 200, 60)


def test_a_mark_that_nobody_found_is_told_from_a_button_by_its_label() -> None:
    tree = window(
        node("radio button", 100, 12, 114, 26, name="Pick up", states=("checkable",)),
        node("radio button", 200, 12, 224, 36, name="Left", states=("checkable",)),
    )
    seen = [found("text", 40, 11, 92, 27, text="Pick up"), found("text", 40, 80, 92, 96, text="Left")]
    image = np.full((300, 400, 3), 255, dtype=np.uint8)
    image[14:16, 102:112] = image[22:24, 102:112] = image[14:34, 204:206] = image[14:34, 216:218] = 0
    made = join_reports(seen, reported(tree), image, FRAME)
    assert [(one.type, one.text, one.box, one.mark_box) for one in made if one.type != "text"] == [
        ("radio", "Pick up", Rect(40, 11, 114, 27), Rect(100, 12, 114, 26)),
        ("button", "Left", Rect(202, 12, 220, 36), None),
    ]


def test_a_switch_that_is_called_a_button_is_a_switch_where_one_is_drawn() -> None:
    tree = window(
        node("toggle button", 100, 10, 140, 30, name="Dark mode", states=("pressed",)),
        node("toggle button", 200, 10, 240, 30, name="Bold", states=("pressed",)),
        node("label", 20, 10, 90, 30, name="Dark mode"),
    )
    seen = [found("toggle", 100, 10, 140, 30), found("text", 22, 12, 88, 28, text="Dark mode")]
    told = {(one.type, one.text, one.box, one.states["checked"]) for one in joined(seen, tree)}
    assert told == {
        ("toggle", "Dark mode", Rect(22, 10, 140, 30), True),
        ("button", "Bold", Rect(200, 10, 240, 30), True),
    }


def test_a_stale_element_counts_only_where_pixels_agree() -> None:
    tree = window(
        node("push button", 10, 10, 90, 40, name="Open"),
        node("push button", 10, 50, 90, 80, name="Gone"),
    )
    seen = [found("text", 20, 15, 60, 35, text="Open"), found("text", 20, 55, 60, 75, text="Start")]
    told = [(one.type, one.text) for one in joined(seen, tree, proved=False)]
    assert told == [("text", "Start"), ("button", "Open")]
    other = found("button", 10, 50, 90, 80, text="Start again")
    assert [(one.type, one.text) for one in joined([other], tree, proved=False)] == [("button", "Start again")]


def test_a_stale_row_is_there_where_its_words_are_however_much_of_them_is_in_sight() -> None:
    rows = [
        node("tree item", 10, 40, 300, 60, parent=1, name="Ethernet frame 6: Source and destination, length 91"),
        node("tree item", 10, 60, 300, 80, parent=1, name="Ethernet frame 7: Source and destination, length 91"),
    ]
    tree = window(node("tree", 10, 40, 300, 200), *rows, toolkit="Qt 5.15")

    def kept(*lines: str) -> list[str | None]:
        seen = [found("text", 20, 42 + 20 * n, 298, 58 + 20 * n, text=line) for n, line in enumerate(lines)]
        return [one.text for one in joined(seen, tree, proved=False) if one.type == "tree_item"]

    first, second = (row.name for row in rows)
    assert kept("Ethernet frame 6: Source and dest", "Ethernet frame 7: Source and dest") == [first, second]
    assert kept("Ethernet frame 6: Source and destination, length 9") == [first]
    assert kept("Ethernet frame 7: Source and dest", "Ethernet frame 8: Source and dest") == []
    assert kept("Internet protocol of Source and dest", "Ethernet") == []


@pytest.mark.parametrize("with_labels", [False, True])
def test_a_label_that_was_read_as_a_part_of_something_else_is_what_is_drawn_beside_its_mark(
    *, with_labels: bool
) -> None:
    """Chromium reports the words of a label as well, as words of their own."""
    labels = (node("static", 41, 20, 94, 36, name="By mail"), node("static", 131, 20, 180, 36, name="Collect"))
    tree = window(
        node("radio button", 20, 20, 34, 34, name="By mail", states=("checkable", "checked")),
        node("radio button", 110, 20, 124, 34, name="Collect", states=("checkable",)),
        *(labels if with_labels else ()),
    )
    image = drawn(Rect(20, 20, 34, 34), Rect(110, 20, 124, 34))
    image[21:34, 42:60:2] = image[21:34, 66:94:2] = image[21:34, 132:180:2] = 0
    both = found("dropdown", 10, 14, 190, 40, text="By mailCollect").but(review="rejected")
    told = join_reports([both], reported(tree), image, FRAME)
    assert [(one.text, one.box) for one in told] == [
        ("By mail", Rect(20, 18, 93, 37)),
        ("Collect", Rect(110, 18, 179, 37)),
    ]


def test_a_mark_that_the_pointer_has_lit_up_is_still_there_beside_its_name() -> None:
    tree = window(node("radio button", 100, 10, 114, 24, name="Pick up", states=("checkable",)))
    words = found("text", 30, 8, 92, 26, text="Pick up")
    ((kind, box),) = [(one.type, one.box) for one in joined([words], tree, proved=False)]
    assert (kind, box) == ("radio", Rect(30, 8, 114, 26))
    assert [one.type for one in joined([words.but(text="Collect")], tree, proved=False)] == ["text"]


def test_a_button_that_the_pointer_has_lit_up_is_still_that_button() -> None:
    tree = window(node("push button", 10, 10, 40, 40, name="Bold"), node("push button", 50, 10, 80, 40, name="Gone"))
    lit = [read(tree, changed=(Rect(5, 5, 90, 50),))]
    image = drawn(Rect(10, 10, 40, 40), Rect(50, 10, 80, 40))
    (one,) = join_reports([found("icon", 12, 11, 40, 40)], reported_elements(lit, FRAME), image, FRAME)
    assert (one.type, one.text, one.source) == ("button", "Bold", "accessibility")


def test_nothing_is_reported_where_nothing_is_drawn() -> None:
    tree = window(node("push button", 10, 10, 90, 40, name="Ghost"))
    assert join_reports([], reported(tree), np.full((300, 400, 3), 255, np.uint8), FRAME) == []


def test_an_empty_sheet_on_which_nothing_is_drawn_is_there_where_that_is_proved() -> None:
    tree = window(node("text", 50, 50, 350, 250, states=("editable", "multi line", "focusable")))
    blank = np.full((300, 400, 3), 250, np.uint8)
    (sheet,) = join_reports([], reported(tree), blank, FRAME)
    assert (sheet.type, sheet.box) == ("text_area", Rect(50, 50, 350, 250))
    assert join_reports([], reported_elements([read(tree, proved=False)], FRAME), blank, FRAME) == []
    full = window(node("text", 50, 50, 350, 250, states=("editable", "multi line"), value="Dear Ann"))
    assert join_reports([], reported(full), blank, FRAME) == [], "its words are not drawn"


def test_pictures_at_the_ends_of_a_field_are_its_own_buttons() -> None:
    field = window(node("text", 10, 10, 200, 40, states=("editable", "focusable"), value="ann@home"))
    ends = [found("icon", 14, 16, 32, 34, subtype="search"), found("icon", 178, 16, 196, 34, subtype="close")]
    others = [
        found("icon", 100, 16, 118, 34),
        found("icon", 40, 20, 43, 24),
        found("text", 40, 16, 96, 34, text="ann@home"),
    ]
    made = joined([*ends, *others], field)
    assert sorted((one.type, one.subtype) for one in made if one.type == "icon") == [
        ("icon", "close"), ("icon", "search"),
    ]  # fmt: skip
    assert all(one.states == {"disabled": False} for one in made if one.type == "icon"), "as the field is"
    combo = window(node("combo box", 10, 10, 200, 40, value="Letter"))
    assert [one.type for one in joined(ends, combo)] == ["dropdown"]
    tab = window(node("page tab", 10, 10, 200, 40, name="Console", states=("selected",)))
    assert sorted((one.type, one.subtype) for one in joined(ends, tab)) == [("icon", "close"), ("tab", None)]
    side = window(node("page tab", 0, 40, 83, 107, name="Files"))
    assert [one.type for one in joined([found("icon", 20, 47, 62, 85)], side)] == ["tab"], "it stands above its words"


def test_a_field_in_which_something_changed_is_still_there_where_its_frame_is() -> None:
    tree = window(node("text", 10, 10, 200, 40, states=("editable", "focused"), value="Oslo"))
    caret, all_of_it = (
        reported_elements([read(tree, changed=(part,))], FRAME) for part in (Rect(50, 14, 53, 36), Rect(0, 0, 200, 60))
    )
    seen = [found("text", 14, 16, 50, 34, text="Oslo")]
    image = drawn(Rect(10, 10, 200, 40))
    for told in (caret, all_of_it):
        assert [(one.type, one.box) for one in join_reports(seen, told, image, FRAME)] == [
            ("input_field", Rect(10, 10, 200, 40)),
        ]  # fmt: skip
    image[:] = 255
    image[20:30, 20:40:3] = 0
    assert [one.type for one in join_reports(seen, all_of_it, image, FRAME)] == ["text"], "its frame is gone"
    assert [one.type for one in join_reports(seen, caret, image, FRAME)] == ["input_field"], "it needs none"


def test_who_passes_the_input_on_to_an_editor_has_it_not() -> None:
    tree = window(
        node("push button", 10, 10, 60, 30, name="Mode", states=("focused",)),
        node("text", 10, 40, 300, 200, states=("editable", "focused", "multi line")),
        toolkit="Qt 5.15",
    )
    assert {one.type: one.states["focused"] for one in reported(tree)} == {"button": False, "text_area": True}


@pytest.mark.parametrize(
    "role", ["push button", "check box", "link", "list item", "text", "slider", "page tab", "menu"]
)
@pytest.mark.parametrize(("width", "height"), [(1, 1), (1, 30), (5, 12), (30, 1), (2, 3)])
def test_a_control_of_hardly_any_size_is_joined_as_any_other(role: str, width: int, height: int) -> None:
    box = Rect(10, 10, 10 + width, 10 + height)
    tree = window(node("list", 0, 0, 200, 100), node(role, *box.corners, parent=1))
    image = drawn()
    image[10:40:2, 8:40:3] = 0
    made = join_reports([], reported(tree), image, FRAME)
    assert all(one.box.area > 0 for one in made)


def test_what_an_open_menu_covers_is_not_shown_through_it() -> None:
    """A combo box is drawn in its own window, and its list alone in another."""
    popup = WindowTree(app="notes", title="", box=Rect(40, 30, 240, 200), complete=False)
    tree = window(
        node("menu bar", 0, 10, 400, 30),
        node("menu", 40, 10, 80, 30, parent=1, name="Edit"),
        node("menu item", 40, 40, 240, 60, parent=2, name="Undo"),
        node("combo box", 60, 100, 160, 124, value="Letter"),
        toolkit="Qt 5.15",
    )
    assert [one.name for one in reported(popup, tree)] == ["Edit", "Undo"]


def test_an_entry_of_a_menu_is_called_what_it_is_called_without_its_keys() -> None:
    tree = window(
        node("menu", 10, 20, 60, 40, name="Edit"), node("menu item", 10, 40, 200, 64, parent=1, name="Find...")
    )
    rows = joined([found("menu_item", 10, 40, 200, 64, text="Find... Ctrl+F")], tree)
    assert [one.text for one in rows if one.type == "menu_item" and one.box.y1 == 40] == ["Find..."]


def test_on_a_shaded_ground_a_sign_has_the_box_of_its_ink() -> None:
    tree = window(node("push button", 10, 10, 34, 34), node("push button", 50, 10, 74, 34, name="Save"))
    image = np.full((300, 400, 3), 60, np.uint8)
    image[0:60] = np.arange(0, 180, 3, dtype=np.uint8)[:, None, None]
    image[26:28, 18:26] = 255
    image[14:30, 54:70] = 255
    seen = [found("icon", 14, 14, 30, 32, subtype="minimize"), found("icon", 54, 14, 70, 30, subtype="save")]
    sign, save = sorted(join_reports(seen, reported(tree), image, FRAME), key=lambda one: one.box.x1)
    assert (sign.type, sign.text, sign.subtype, sign.box) == ("icon", None, "minimize", Rect(16, 24, 28, 30))
    assert (save.type, save.text) == ("button", "Save")
    assert {said.source for said in save.evidence} == {"detector", "accessibility"}, "what was found there is known"


def test_a_button_of_nothing_but_words_on_a_shaded_bar_is_where_these_are() -> None:
    tree = window(node("push button", 10, 10, 110, 40, name="Save as"))
    image = np.full((300, 400, 3), 60, np.uint8)
    image[0:60] = np.arange(70, 250, 3, dtype=np.uint8)[:, None, None]
    image[20:30, 40:80:3] = 0
    seen = [found("text", 38, 18, 82, 32, text="Save as")]
    (button,) = join_reports(seen, reported(tree), image, FRAME)
    assert (button.type, button.box) == ("button", Rect(38, 18, 82, 32))
    image[10:40, 10], image[10:40, 109], image[10, 10:110], image[39, 10:110] = 40, 40, 40, 40
    (framed,) = join_reports(seen, reported(tree), image, FRAME)
    assert framed.box == Rect(10, 10, 110, 40)


def test_a_window_whose_boxes_are_off_by_its_title_bar_is_moved_as_a_whole() -> None:
    names = ["Open", "Save", "Print", "Close", "Help"]
    tree = window(*(node("push button", 10, 10 + 40 * i, 90, 36 + 40 * i, name=name) for i, name in enumerate(names)))
    seen = [found("text", 25, 52 + 40 * i, 70, 68 + 40 * i, text=name) for i, name in enumerate(names)]
    image = drawn(*(Rect(10, 47 + 40 * i, 90, 73 + 40 * i) for i in range(5)))
    told = join_reports(seen, reported(tree), image, FRAME)
    assert [one.text for one in told] == names
    assert all(one.type == "button" and abs(one.box.y1 - (47 + 40 * i)) <= 1 for i, one in enumerate(told))


def test_boxes_in_units_of_their_own_are_scaled_as_a_whole() -> None:
    places = {"Open": (20, 20), "Save": (120, 20), "Print": (20, 100), "Close": (140, 110), "Help": (60, 60)}
    tree = window(*(node("push button", x, y, x + 30, y + 12, name=name) for name, (x, y) in places.items()))
    seen = [found("text", 2 * x + 6, 2 * y + 4, 2 * x + 54, 2 * y + 20, text=n) for n, (x, y) in places.items()]
    image = drawn(*(Rect(2 * x, 2 * y, 2 * x + 60, 2 * y + 24) for x, y in places.values()))
    told = {one.text: one.box for one in join_reports(seen, reported(tree), image, FRAME)}
    assert all(abs(told[name].x1 - 2 * x) <= 2 and told[name].width == 60 for name, (x, _) in places.items())


def test_where_no_box_can_be_believed_names_and_roles_help() -> None:
    tree = window(node("push button", name="Replace all"), node("label", name="Find"), boxes="none")
    seen = [found("text", 20, 15, 90, 35, text="Replace all"), found("text", 20, 55, 60, 75, text="Find")]
    told = [(one.type, one.text, one.box) for one in joined(seen, tree)]
    assert told == [("button", "Replace all", Rect(20, 15, 90, 35)), ("text", "Find", Rect(20, 55, 60, 75))]


def test_a_persons_element_is_left_alone() -> None:
    mine = found("text", 12, 10, 90, 40, text="Mine", source="human", confidence=None)
    tree = window(node("push button", 10, 10, 90, 40, name="Close"))
    assert joined([mine], tree) == [mine]


def test_a_flat_button_is_its_picture_unless_it_was_hit_beside_it() -> None:
    tree = window(node("push button", 10, 10, 50, 50, name="Bold"))
    image = np.full((300, 400, 3), 255, np.uint8)
    image[22:38, 22:38] = 0
    (flat,) = join_reports([], reported(tree), image, FRAME)
    assert (flat.text, flat.box) == ("Bold", Rect(20, 20, 40, 40))
    (hit,) = join_reports([], reported(tree), image, FRAME, pointers=[Point(12, 12)])
    assert hit.box == Rect(10, 10, 50, 50)


def test_the_signs_of_a_title_bar_are_icons_with_the_box_of_their_ink_and_nothing_else_is_a_control_there() -> None:
    """Nobody names them: all that is known of them is what they show."""
    bar = WindowTree(
        app="notes",
        title="Notes",
        toolkit="x11",
        box=Rect(0, 0, 400, 20),
        nodes=(
            node("title bar", 0, 0, 400, 20, parent=None),
            node("push button", 360, 3, 376, 17),
            node("push button", 380, 3, 396, 17),
        ),
    )
    image = np.full((300, 400, 3), 255, np.uint8)
    image[12:14, 364:372] = 0
    image[5:15, 383:393] = 0
    seen = [
        found("menu", 150, 2, 230, 18, text="Notes"),
        found("icon", 362, 10, 374, 16, subtype="minimize"),
        found("icon", 300, 4, 312, 16),
    ]
    reports = [read(bar), read(window(node("push button", 20, 60, 80, 80, name="OK")))]
    made = join_reports(seen, reported_elements(reports, FRAME), image, FRAME, grounds=grounds_of(reports, FRAME))
    assert sorted(((one.type, one.subtype, one.box, one.text) for one in made), key=str) == [
        ("icon", "minimize", Rect(362, 10, 374, 16), None),
        ("icon", None, Rect(381, 3, 395, 17), None),
        ("text", None, Rect(150, 2, 230, 18), "Notes"),
    ]


def test_a_caret_before_a_placeholder_is_no_letter_of_it() -> None:
    def field(placeholder: str, *, focused: bool, y: int = 10) -> Element:
        return found("input_field", 10, y, 200, y + 20, placeholder=placeholder, states={"focused": focused})

    seen: dict[Rect, str] = {}
    first = [field("name@example.org", focused=False), field("First", focused=True, y=50)]
    assert without_caret(first, seen) == first
    later = [field("Ihame@example.org", focused=True), field("First", focused=False, y=50)]
    assert [one.placeholder for one in without_caret(later, seen)] == ["name@example.org", "First"]
    (other,) = without_caret([field("Something else", focused=True)], seen)
    assert other.placeholder == "Something else"


def test_the_header_of_a_column_is_pressed_in_a_window_and_read_on_a_page() -> None:
    cells = [
        node("table column header", 12, 12, 98, 34, parent=1, name="Task"),
        node("table cell", 12, 36, 98, 58, parent=1, name="Paint the fence", states=("selectable",)),
    ]
    told = {one.name: one.type for one in reported(window(node("table", 10, 10, 390, 290), *cells))}
    assert told == {"Task": "button", "Paint the fence": "list_item"}
    page = window(
        node("document web", 0, 0, 400, 300),
        node("table", 10, 10, 390, 290, parent=1),
        node("column header", 12, 12, 98, 34, parent=2, name="Task"),
    )
    assert {one.name: one.type for one in reported(page)} == {"Task": "tabled_text"}


# What nobody reported -------------------------------------------------------------------------------------------------


def test_what_a_program_would_have_told_is_words_where_it_told_a_label_or_a_panel() -> None:
    tree = window(
        node("panel", 10, 30, 390, 200, name="Reverb"),
        node("push button", 20, 60, 80, 80, parent=1, name="OK"),
        node("label", 20, 90, 200, 110, parent=1, name="between 0 and 1"),
        node("drawing area", 20, 120, 200, 190, parent=1),
        node("status bar", 0, 270, 400, 300),
    )
    seen = [
        found("menu", 150, 4, 250, 18, text="Notes"),
        found("hyperlink", 20, 34, 80, 50, text="Reverb"),
        found("icon", 100, 92, 110, 106),
        found("button", 30, 130, 90, 150, text="Play"),
        found("input_field", 0, 270, 400, 300, text="Ready"),
        found("icon", 370, 4, 390, 18),
        found("input_field", 220, 120, 380, 190),
        found("tree_item", 12, 55, 395, 88),
        found("scrollbar", 380, 30, 390, 200),
    ]
    kept = [(one.type, one.text) for one in joined(seen, tree) if one.source != "accessibility"]
    words = [("text", "Notes"), ("text", "Reverb"), ("text", "Ready")]
    assert sorted(kept, key=str) == sorted([*words, ("button", "Play"), ("icon", None), ("scrollbar", None)], key=str)


def test_a_row_may_hold_a_box_to_tick_that_nobody_reported_and_bars_hold_nothing_but_what_was() -> None:
    tree = window(
        node("tool bar", 0, 20, 400, 50),
        node("push button", 20, 24, 60, 46, parent=1, name="New"),
        node("table", 0, 60, 400, 200, states=("manages descendants",)),
        node("table cell", 0, 60, 400, 90, parent=3, name="Wrap lines"),
        toolkit="Qt 5.15",
    )
    seen = [found("checkbox", 4, 64, 24, 84), found("icon", 4, 24, 14, 46), found("icon", 380, 70, 392, 82)]
    assert [one.type for one in joined(seen, tree) if one.source != "accessibility"] == ["checkbox"]


def test_a_sign_in_a_bar_of_which_a_model_is_sure_stays() -> None:
    """Qt does not report the buttons of a window that fills another; they stand in its menu bar."""
    tree = window(
        node("menu bar", 0, 0, 400, 24),
        node("menu item", 4, 0, 50, 24, parent=1, name="File"),
        toolkit="Qt 5.15",
    )
    seen = [found("icon", x, 4, x + 16, 20, confidence=sure) for x, sure in ((340, 0.8), (360, 0.3))]
    kept = joined([*seen, found("icon", 380, 2, 386, 22)], tree)
    assert [one.box.x1 for one in kept if one.type == "icon"] == [340], "a handle, and what may be a letter, are none"


def test_names_that_stand_in_the_opposite_order_scale_no_window() -> None:
    names = ("Alpha", "Bravo", "Carol", "Delta")
    tree = window(*(node("push button", 20, 20 + 60 * n, 90, 40 + 60 * n, name=one) for n, one in enumerate(names)))
    seen = [found("text", 200 + n, 230 - 60 * n, 260 + n, 246 - 60 * n, text=one) for n, one in enumerate(names)]
    assert [one.text for one in joined(seen, tree)] == ["Alpha", "Bravo", "Carol", "Delta"]


def test_a_panel_of_a_program_that_draws_in_it_may_hold_anything() -> None:
    tree = window(
        node("panel", 0, 20, 400, 100, states=("focusable",)), node("push button", 10, 120, 60, 140, name="OK")
    )
    assert "tab" in {one.type for one in joined([found("tab", 20, 30, 120, 60, text="Failed transfers")], tree)}


def test_what_looks_like_a_control_in_a_text_or_a_picture_is_none() -> None:
    tree = window(
        node("label", 0, 20, 400, 150, states=("multi line", "focusable")),
        node("filler", 2, 22, 380, 148, parent=1),
        node("scroll bar", 380, 22, 398, 148, parent=1),
        node("image", 0, 160, 200, 290),
        node("image", 220, 160, 300, 180),
        toolkit="Qt 6.4",
    )
    seen = [
        found("hyperlink", 10, 40, 200, 56, text="07:31 failed"),
        found("checkbox", 20, 180, 40, 200),
        found("button", 220, 160, 300, 180, text="Structure"),
    ]
    kept = {(one.type, one.text) for one in joined(seen, tree)}
    assert kept >= {("text", "07:31 failed"), ("button", "Structure"), ("scrollbar", None)}
    assert not {"checkbox", "hyperlink"} & {kind for kind, _ in kept}


def test_what_lies_on_the_page_of_a_tab_without_a_name_is_told_by_its_own_nodes() -> None:
    tree = window(
        node("page tab list", 0, 20, 400, 300),
        node("page tab", 10, 24, 40, 40, parent=1, states=("multi line", "selected")),
        node("filler", 0, 50, 400, 300, parent=2),
        node("push button", 20, 60, 80, 80, parent=3, name="OK"),
        node("drawing area", 20, 100, 300, 290, parent=3),
    )
    assert "button" in {
        one.type for one in joined([found("button", 40, 150, 120, 180, text="Play")], tree) if one.text == "Play"
    }


def test_what_nobody_reported_stays_where_the_tree_is_not_proved_or_not_whole() -> None:
    nodes = (node("panel", 10, 30, 390, 200), node("push button", 20, 60, 80, 80, parent=1, name="OK"))
    seen = [found("hyperlink", 20, 34, 80, 50, text="Reverb")]
    assert "hyperlink" not in {one.type for one in joined(seen, window(*nodes))}
    assert "hyperlink" in {one.type for one in joined(seen, window(*nodes), proved=False)}
    assert "hyperlink" in {one.type for one in joined(seen, window(*nodes, complete=False))}
    menu = WindowTree(app="notes", title="", box=Rect(10, 30, 110, 90))
    assert "hyperlink" in {one.type for one in joined(seen, menu, window(*nodes))}


def _underlined(image: RgbImage, box: Rect) -> RgbImage:
    """A picture with letters in a box, 2 pixels of air around them, and a line below them."""
    for x in range(box.x1 + 4, box.x2 - 6, 8):
        image[box.y1 + 4 : box.y2 - 6, x : x + 4] = (0, 80, 200)
    image[box.y2 - 3, box.x1 + 2 : box.x2 - 2] = (0, 80, 200)
    return image


def test_a_link_in_the_words_of_a_label_is_underlined_and_a_person_is_right() -> None:
    tree = window(
        node("label", 20, 30, 380, 60, name="See the manual"), node("push button", 20, 90, 80, 110, name="OK")
    )
    link = found("hyperlink", 100, 34, 160, 50, text="manual")
    drawn_by_hand = found("menu", 200, 34, 240, 50, text="x").but(source="human")
    reports = [read(tree)]
    told, grounds = reported_elements(reports, FRAME), grounds_of(reports, FRAME)
    plain = np.full((300, 400, 3), 255, np.uint8)
    kinds = [
        {one.type for one in join_reports([link, drawn_by_hand], told, image, FRAME, grounds=grounds)}
        for image in (plain, _underlined(plain.copy(), link.box))
    ]
    assert "hyperlink" not in kinds[0]
    assert {"hyperlink", "menu"} <= kinds[1]
    assert "menu" in kinds[0]


def test_a_button_without_edges_whose_words_are_underlined_is_a_link() -> None:
    words = Rect(20, 40, 120, 56)
    image = _underlined(np.full((300, 400, 3), 255, np.uint8), words)
    tree = window(node("push button", 10, 36, 140, 60, name="example.org"))
    (one,) = join_reports([found("text", *words.corners, text="example.org")], reported(tree), image, FRAME)
    assert (one.type, one.text) == ("hyperlink", "example.org")


def test_a_link_without_words_is_the_whole_picture_that_can_be_clicked() -> None:
    box = Rect(100, 100, 140, 140)
    tree = window(node("document web", 0, 0, 400, 300), node("link", *box.corners, parent=1))
    (one,) = join_reports([found("icon", 112, 112, 128, 128)], reported(tree), drawn(box), FRAME)
    assert (one.type, one.box) == ("icon", box)


def test_the_row_of_an_expander_is_its_words_though_others_have_edges_beside_it() -> None:
    image = np.full((300, 400, 3), 255, np.uint8)
    image[100, :] = image[131, :] = 0
    image[108:122, 20:90:2] = 0
    tree = window(node("toggle button", 0, 100, 400, 132, name="Files", states=("expandable",)))
    (one,) = join_reports([], reported(tree), image, FRAME)
    assert (one.type, one.box) == ("button", Rect(18, 106, 91, 124))


def test_a_row_keeps_its_picture_to_itself_and_a_gap_is_no_row() -> None:
    tree = window(
        node("table", 0, 0, 200, 90, states=("manages descendants",)),
        node("table cell", 0, 0, 200, 30, parent=1),
        node("table cell", 0, 0, 30, 30, parent=2),
        node("table cell", 30, 0, 200, 30, parent=2, name="Paused"),
        node("table cell", 0, 30, 200, 60, parent=1),
    )
    image = np.full((300, 400, 3), 255, np.uint8)
    image[8:22, 8:120:3] = 0
    elements = [found("icon", 6, 6, 24, 24), found("text", 34, 6, 122, 24, text="V Paused")]
    told = join_reports(elements, reported(tree), image, FRAME)
    assert [(one.type, one.text) for one in told] == [("list_item", "Paused")]


# Areas ----------------------------------------------------------------------------------------------------------------


def acted_on(*steps: Step, tree: WindowTree, proved: bool = True) -> list[tuple[str | None, Rect, bool | None]]:
    reports = [read(tree, proved=proved)]
    elements = joined([], tree, proved=proved)
    shown = with_acted_areas(elements, reported_areas(reports, FRAME), FRAME, steps)
    assert shown[: len(elements)] == elements
    return [(one.subtype, one.box, one.states.get("focused")) for one in shown[len(elements) :]]


def hit(*at: int) -> Step:
    return click_step(0, FRAME, FRAME, Point(*at))


def scrolled(*at: int) -> Step:
    return hit(*at).but(action=ScrollAction(scroll_direction="down"))


PLAYER = window(
    node("tree", 0, 40, 120, 300),
    node("table cell", 0, 40, 120, 60, parent=1, name="Songs"),
    node("layered pane", 120, 40, 400, 300),
    node("frame", 120, 40, 400, 300, parent=3, states=("focused",)),
    node("filler", 120, 40, 400, 300, parent=4),
    node("scroll bar", 390, 40, 400, 300, parent=5),
    node("panel", 120, 0, 400, 40),
    node("push button", 130, 5, 180, 35, parent=7, name="Run"),
)
CANVAS, SONGS = Rect(120, 40, 400, 300), Rect(0, 40, 120, 300)


def test_what_a_program_draws_itself_is_an_element_where_a_step_acted_on_nothing_else() -> None:
    told = partial(acted_on, tree=PLAYER)
    assert told() == []
    assert told(hit(250, 200), hit(260, 210)) == [("canvas", CANVAS, True)]
    assert told(hit(60, 200)) == [("tree", SONGS, None)]
    assert told(hit(60, 50)) == told(hit(150, 20)) == told(hit(300, 20)) == []  # a row, a button, a panel of controls
    assert told(hit(250, 200), hit(60, 200)) == [("canvas", CANVAS, True), ("tree", SONGS, None)]
    assert told(hit(250, 200), proved=False) == []
    typed = type_step(0, FRAME, FRAME, "li")
    assert told(typed) == []
    assert told(typed.but(focused=AccessibleElement(role="frame", box=CANVAS))) == [("canvas", CANVAS, True)]


def test_what_is_scrolled_is_the_list_and_not_its_row() -> None:
    told = partial(acted_on, tree=PLAYER)
    assert told(scrolled(60, 50), scrolled(60, 90)) == [("tree", SONGS, None)]
    pane = window(
        node("scroll pane", 0, 0, 400, 200),
        node("label", 10, 10, 90, 30, parent=1, name="Street"),
        node("text", 10, 40, 300, 120, parent=1, value="one", states=("editable", "multi line")),
    )
    assert acted_on(scrolled(50, 20), tree=pane) == [("scroll area", Rect(0, 0, 400, 200), None)]
    assert acted_on(scrolled(50, 100), tree=pane) == []  # the text is
    assert acted_on(hit(50, 150), tree=pane) == []


def test_the_buttons_that_fill_a_popover_are_a_menu() -> None:
    rows = [node("push button", 110, 60 + 30 * n, 290, 90 + 30 * n, parent=2, name=f"Row {n}") for n in range(3)]
    tree = window(
        node("panel", 90, 40, 310, 180, states=("modal",)),
        node("panel", 100, 50, 300, 170, parent=1),
        *rows,
        node("push button", 10, 250, 60, 280, name="OK"),
    )
    told = {one.name: (one.type, one.states.get("highlighted")) for one in reported(tree)}
    assert told == {**{f"Row {n}": ("menu_item", False) for n in range(3)}, "OK": ("button", None)}
    alone = window(*tree.nodes[1:4], tree.nodes[-1])
    assert {one.type for one in reported(alone)} == {"button"}
    signs = [node("push button", 110, y, 146, y + 34, parent=2, name=name) for y, name in ((60, "Up"), (200, "Down"))]
    volume = window(
        node("panel", 100, 50, 156, 250, states=("modal",)), node("panel", 106, 56, 150, 240, parent=1), *signs
    )
    assert {one.name: one.type for one in reported(volume)} == {"Up": "button", "Down": "button"}


def test_a_row_that_can_be_ticked_has_a_box_whose_words_are_the_row_s() -> None:
    image = np.full((300, 400, 3), 255, dtype=np.uint8)
    ticked, lit = Rect(14, 42, 28, 56), Rect(14, 62, 28, 76)
    image[60:78, 31:400] = (60, 120, 200)  # chosen: lit up behind its box
    for box in (ticked, lit):
        image[box.y1 : box.y2, box.x1 : box.x2] = 90
        image[box.y1 + 1 : box.y2 - 1, box.x1 + 1 : box.x2 - 1] = 250
    image[45:53, 40:100:3] = image[65:73, 40:90:3] = image[85:93, 40:90:3] = 0
    rows = [
        node("list item", 10, 40 + 20 * n, 400, 58 + 20 * n, parent=1, name=name, states=states)
        for n, (name, states) in enumerate(
            {
                "Spelling": ("checked",),  # Qt 5 says no more,
                "Search": ("checkable",),
                "Colours": ("checkable",),
            }.items()
        )
    ]
    tree = window(node("list", 10, 40, 400, 300), *rows, toolkit="Qt 6.4")
    told = reported_elements([read(tree)], FRAME)
    shown = join_reports([found("text", 40, 44, 100, 54, text="Spelling")], told, image, FRAME)
    boxes = {one.text: (one.box, one.mark_box, one.states["checked"]) for one in shown if one.type == "checkbox"}
    assert boxes["Spelling"] == (ticked, None, True)
    assert boxes["Search"][2] is False
    assert iou(boxes["Search"][0], lit) > 0.6
    assert "Colours" not in boxes  # none is drawn
    assert [one.text for one in shown if one.type == "list_item"] == ["Spelling", "Search", "Colours"]


def test_the_cells_of_a_board_are_chosen_one_by_one_and_those_of_a_table_by_rows() -> None:
    cells = [
        node("table cell", 10 + 30 * x, 60 + 30 * y, 38 + 30 * x, 88 + 30 * y, parent=1, name="ABCD"[2 * y + x])
        for y in range(2)
        for x in range(2)
    ]

    def kinds(*chosen: int, headed: bool = False, toolkit: str = "Qt 5.15") -> set[str]:
        shown = [one.but(states=(*one.states, "selected")) if n in chosen else one for n, one in enumerate(cells)]
        head = [node("table column header", 10, 40, 38, 58, parent=1, name="Letter")] if headed else []
        tree = window(node("table", 10, 40, 300, 200), *head, *shown, toolkit=toolkit)
        return {one.type for one in reported(tree)} - {"button"}

    rows, board = {"list_item", "tabled_text"}, {"tabled_text"}
    assert kinds() == kinds(1) == kinds(1, headed=True) == board
    assert kinds(0, 1) == kinds(headed=True) == kinds(toolkit="gtk 3.24") == rows


def test_what_is_read_on_one_line_is_put_together_from_left_to_right() -> None:
    tree = window(node("push button", 10, 10, 200, 40))
    seen = [found("text", 100, 15, 150, 30, text="2.40"), found("text", 20, 16, 80, 30, text="Apples")]
    assert [one.text for one in joined(seen, tree)] == ["Apples 2.40"]


# What was told as a step began ----------------------------------------------------------------------------------------


def test_what_a_program_says_again_as_a_step_begins_is_there_whatever_moved_meanwhile() -> None:
    tree = window(
        node("table", 10, 10, 390, 100),
        node("table cell", 12, 12, 100, 32, parent=1, name="Me"),
        node("table cell", 102, 12, 200, 32, parent=1, name="12.50"),
        node("unknown", 10, 120, 390, 290),
    )

    def told(*pointed: AccessibleElement) -> tuple[dict[str, bool], dict[str, bool]]:
        reports = [read(tree, proved=False)]
        rows = {one.text: one.stale for one in reported_elements(reports, FRAME, pointed=pointed)}
        return rows, {one.kind: one.stale for one in reported_areas(reports, FRAME, pointed=pointed)}

    cell = AccessibleElement(role="table cell", name="Me", box=Rect(12, 12, 100, 32))
    page = AccessibleElement(role="unknown", box=Rect(10, 120, 390, 290))
    everything = {"Me 12.50": True, "Me": True, "12.50": True}
    assert told() == (everything, {"table": True, "canvas": True})
    assert told(cell) == ({**everything, "Me 12.50": False, "Me": False}, {"table": False, "canvas": True})
    assert told(page) == (everything, {"table": True, "canvas": False})
    assert told(cell.but(role="panel"), cell.but(box=Rect(12, 13, 100, 32)))[0] == everything


def test_what_is_scrolled_is_what_holds_more_than_it_shows() -> None:
    tree = window(
        node("filler", 0, 100, 400, 250, states=("focusable",)),
        node("filler", 0, 60, 400, 500, parent=1),
        node("check box", 10, 110, 200, 130, parent=2, name="Lock"),
        toolkit="Qt 5.15",
    )
    assert acted_on(scrolled(300, 200), tree=tree) == [("scroll area", Rect(0, 100, 400, 250), None)]
    assert acted_on(hit(300, 200), tree=tree) == []


def test_the_words_of_a_window_on_top_are_no_names_of_what_lies_below() -> None:
    names = [f"Name {letter}" for letter in "ABCDE"]
    below = window(
        *(node("push button", 10, 10 + 40 * n, 90, 40 + 40 * n, name=name) for n, name in enumerate(names)),
        node("push button", 110, 260, 190, 290, name="Down"),
    )
    seen = [found("text", 20, 18 + 40 * n, 80, 32 + 40 * n, text=name) for n, name in enumerate(names)]
    dialog = WindowTree(
        app="notes", title="Find", toolkit="gtk 3.24", box=Rect(200, 0, 400, 200),
        nodes=(TreeNode(role="dialog", name="Find", box=Rect(200, 0, 400, 200)),
               node("combo box", 220, 50, 320, 80, name="Down")),
    )  # fmt: skip
    shown = joined([*seen, found("button", 220, 50, 320, 80, text="Down")], dialog, below)
    assert {one.type: one.box for one in shown if one.text == "Down"} == {
        "dropdown": Rect(220, 50, 320, 80), "button": Rect(110, 260, 190, 290),
    }  # fmt: skip
    # Where the boxes of what lies below are not believed, its names are not looked for in what hides it.
    shifted = below.but(nodes=tuple(one.but(box=one.box and one.box.moved(150, 0)) for one in below.nodes))
    shown = joined([*seen, found("button", 220, 50, 320, 80, text="Down")], dialog, shifted)
    assert [one.type for one in shown if one.box == Rect(220, 50, 320, 80)] == ["dropdown"]


def test_the_arrows_of_spinners_below_each_other_are_no_scroll_bar() -> None:
    tree = window(node("spin button", 10, 10, 120, 40, value="10"), node("spin button", 10, 50, 120, 80, value="64"))
    ghosts = [
        found("scrollbar", 100, 12, 118, 78),
        found("scrollbar_up_button", 100, 12, 118, 24),
        found("scrollbar_down_button", 100, 66, 118, 78),
    ]
    shown = joined([found("spinner", 10, 10, 120, 40, text="10"), *ghosts], tree)
    assert {one.type for one in shown} == {"spinner"}


def test_what_only_a_programmer_calls_it_is_no_name() -> None:
    tree = window(
        node("push button", 10, 10, 40, 40, name="toolbutton2"),
        node("push button", 50, 10, 90, 40, name="Button 2"),
        node("check box", 10, 50, 90, 80, name="checkbutton_14"),
    )
    assert [one.name for one in reported(tree)] == ["", "Button 2", ""]


def test_what_is_drawn_in_the_middle_of_an_area_does_not_stand_for_it_where_keys_went() -> None:
    areas = reported_areas([read(PLAYER)], FRAME)
    typed = type_step(0, FRAME, FRAME, "x").but(focused=AccessibleElement(role="frame", box=CANVAS))
    line, editor = found("list_item", 150, 160, 390, 180), found("text_area", 122, 42, 398, 298)
    made = with_acted_areas([line], areas, FRAME, [typed, typed])
    assert [one.subtype for one in made[1:]] == ["canvas"]
    assert with_acted_areas([line, editor], areas, FRAME, [typed]) == [line, editor]


def test_what_is_typed_goes_where_the_input_is_though_completions_that_nobody_sees_say_that_they_have_it() -> None:
    areas = reported_areas([read(PLAYER)], FRAME)
    hidden = AccessibleElement(role="table cell", name="please", box=Rect(0, 0, 107, 18))
    typed = type_step(0, FRAME, FRAME, "pl").but(focused=hidden)
    (made,) = with_acted_areas([], areas, FRAME, [typed])
    assert (made.subtype, made.box) == ("canvas", CANVAS)
    field = found("input_field", 150, 5, 300, 35, states={"focused": True})
    assert with_acted_areas([field], areas, FRAME, [typed]) == [field]


# Sheets and documents -------------------------------------------------------------------------------------------------


def test_an_empty_cell_of_a_sheet_is_an_element_only_where_a_step_acted_on_it() -> None:
    sheet = window(
        node("document spreadsheet", 0, 20, 400, 300),
        node("table", 0, 20, 400, 300, parent=1, name="Sheet1", states=("focused",)),
        node("table cell", 0, 20, 80, 40, parent=2, name="A1", value="12"),
        node("table cell", 80, 20, 160, 40, parent=2, name="B1", states=("focused",)),
        node("table cell", 0, 40, 80, 60, parent=2, name="A2"),
        node("table cell", 80, 40, 160, 60, parent=2, name="B2"),
    )
    assert [(one.type, one.text, one.box) for one in reported(sheet)] == [("tabled_text", "12", Rect(0, 20, 80, 40))]
    areas = reported_areas([read(sheet)], FRAME)
    written = type_step(0, FRAME, FRAME, "x").but(
        focused=AccessibleElement(role="panel", name="Cell B1", box=Rect(81, 20, 159, 39), states=("editable",))
    )
    # While a text stands in the cell and is edited, the program says that only that has the input, and anywhere.
    entered = key_step(1, FRAME, "Enter").but(
        focused=AccessibleElement(role="paragraph", value="x", box=Rect(300, 20, 310, 39), states=("editable",))
    )
    for steps, acted in [
        ([hit(100, 50)], ["B2"]),
        ([hit(40, 30)], []),
        ([written], ["B1"]),
        ([entered], []),
        ([written.but(before=None), entered], ["B1"]),
    ]:
        made = with_acted_areas(joined([], sheet), areas, FRAME, steps)[1:]
        assert [(one.type, one.text) for one in made] == [("tabled_text", name) for name in acted], steps
    (whole,) = with_acted_areas(joined([], sheet), areas, FRAME, [scrolled(100, 50)])[1:]
    assert (whole.subtype, whole.box) == ("table", Rect(0, 20, 400, 300)), "the wheel turns the sheet, not its cell"


def test_a_document_is_what_its_paragraphs_are_written_in() -> None:
    lines = [
        node("paragraph", 40, 40 + 20 * n, 360, 60 + 20 * n, parent=1, value=text, states=("editable", "focusable"))
        for n, text in enumerate(["Dear Ann,", "All is well."])
    ]
    picture = node("image", 300, 200, 360, 280, parent=1, name="A hill")
    paper = window(node("document text", 0, 20, 400, 300, states=("editable",)), *lines, picture)
    read_only = window(node("document text", 0, 20, 400, 300), *lines)
    assert [(one.type, one.text) for one in reported(paper)] == [
        ("text_area", "Dear Ann,\nAll is well."),
        ("image", "A hill"),
    ]
    assert [one.type for one in reported(read_only)] == ["text", "text"]


def test_a_gap_between_lines_that_a_program_draws_is_no_row_of_its_canvas() -> None:
    areas = reported_areas([read(PLAYER)], FRAME)
    gap, row = found("list_item", 130, 100, 390, 120), found("list_item", 130, 140, 390, 160, text="Anna")
    made = with_acted_areas([gap, row], areas, FRAME, [hit(200, 110)])
    assert [(one.type, one.subtype) for one in made] == [("list_item", None), ("other", "canvas")]
    assert made[0] == row
    for kept in ([hit(200, 150)], [hit(60, 30)]):
        assert with_acted_areas([gap, row], areas, FRAME, kept) == [gap, row]
    approved = gap.but(review="approved")
    assert with_acted_areas([approved], areas, FRAME, [hit(200, 110)]) == [approved]


# Drop-down lists that can be written in ------------------------------------------------------------------------------


def test_what_is_in_a_list_that_can_be_written_in_is_what_its_field_says() -> None:
    def shown(
        value: str, read: str, *, field: tuple[int, ...] = (10, 10, 90, 30), **more: Any
    ) -> list[tuple[Any, ...]]:
        tree = window(
            node("combo box", 10, 10, 110, 30),
            node("text", *field, parent=1, value=value, states=("editable",)),
            toolkit="Qt 5.15",
        )
        words = [found("text", 12, 12, 60, 28, text=read)] if read else []
        return [(one.type, one.text, one.placeholder) for one in joined(words, tree)]

    assert shown("kitchen", "kitchem") == [("dropdown", "kitchen", None)]
    assert shown("", "4") == [("dropdown", None, None)]  # its arrow
    assert shown("", "Search...")[0][:2] == ("dropdown", None)
    # GTK shows some without an arrow: they look like any field, and are one.
    assert shown("", "Search...", field=(10, 10, 110, 30)) == [("input_field", None, "Search...")]


def test_what_empties_a_field_is_an_element_of_its_own() -> None:
    tree = window(
        node("text", 10, 10, 210, 30, value="anna", states=("editable",)),
        node("push button", 190, 12, 206, 28, parent=1),
        node("label", 12, 12, 60, 28, parent=1, name="anna"),
    )
    assert [(one.type, one.box) for one in reported(tree)] == [
        ("input_field", Rect(10, 10, 210, 30)),
        ("button", Rect(190, 12, 206, 28)),
    ]


# Sliders --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("upright", [False, True])
def test_a_slider_is_its_track_with_the_handle_and_not_the_number_beside_them(upright: bool) -> None:
    image = np.full((300, 400, 3), 255, np.uint8)
    image[14:24, 90:110] = 60  # the number
    image[36:40, 20:180] = 120
    image[30:46, 92:108] = 90
    box, track, below = Rect(10, 10, 190, 54), Rect(20, 30, 180, 46), Point(60, 50)
    if upright:
        image = np.ascontiguousarray(np.swapaxes(np.pad(image, ((0, 100), (0, 0), (0, 0)), constant_values=255), 0, 1))
        image = image[:300, :400]
        box, track, below = (Rect(one.y1, one.x1, one.y2, one.x2) for one in (box, track, track))
        below = Point(50, 60)
    tree = window(TreeNode(role="slider", box=box, parent=0, states=SHOWN))
    (shown,) = join_reports([], reported(tree), image, FRAME)
    assert (shown.type, shown.box) == ("slider", track)
    (hit_beside,) = join_reports([], reported(tree), image, FRAME, pointers=[below])
    assert hit_beside.box == box


# What models see in windows that tell ---------------------------------------------------------------------------------


def test_in_a_window_whose_menus_are_known_a_menu_in_its_list_is_a_row() -> None:
    tree = window(node("panel", 0, 40, 400, 300), node("menu", 0, 0, 40, 20, name="File"), toolkit="gtk 3.24")
    seen = [found("menu_item", 10, 60, 200, 80, text="Mouse"), found("menu", 10, 100, 60, 120, text="Keys")]
    described = seen[0].but(evidence=(Evidence(source="describer", type="tree_item"),))

    def shown(*elements: Element, **more: Any) -> list[str]:
        told = joined(list(elements), tree.model_copy(update=more))
        return [one.type for one in told if one.source != "accessibility"]

    assert shown(*seen, toolkit="qt 6.4") == ["list_item", "list_item"]
    assert shown(described, toolkit="qt 6.4") == ["tree_item"]
    assert shown(*seen, toolkit="chromium 120") == ["menu_item", "menu"]  # pages draw menus of their own
    assert shown(*seen, complete=False) == ["menu_item", "menu"]


def test_no_window_is_seen_where_the_screen_has_none() -> None:
    tree = window(node("push button", 10, 10, 60, 30, name="OK"))
    ghost, whole = found("window", 0, 0, 400, 140), found("window", 2, 2, 398, 298)
    assert [one.box for one in joined([ghost, whole], tree) if one.type == "window"] == [whole.box]
    alone = [ghost, whole]
    assert [one.type for one in join_reports(alone, [], drawn(), FRAME)] == ["window", "window"]


def test_a_stale_box_to_tick_is_there_only_with_its_own_label() -> None:
    tree = window(node("check box", 10, 40, 190, 60, name="Maximum number of peers"))
    mark = found("checkbox", 12, 43, 26, 57)
    others = found("text", 32, 42, 180, 58, text="Alternative limits")
    own = others.but(text="Maximum number of peers")
    (told,) = joined([mark, own], tree, proved=False)
    assert (told.type, told.text, told.source) == ("checkbox", "Maximum number of peers", "accessibility")
    assert "Maximum number of peers" not in [one.text for one in joined([mark, others], tree, proved=False)]


def test_a_box_to_tick_whose_mark_cannot_be_made_out_stays_one_and_a_framed_one_is_a_button() -> None:
    tree = window(node("check box", 10, 40, 190, 60, name="Run this before"))
    plain = np.full((300, 400, 3), 255, np.uint8)
    plain[46:54, 40:150:3] = 0
    framed = drawn(Rect(10, 40, 190, 60))
    for image, kind in ((plain, "checkbox"), (framed, "button")):
        assert [one.type for one in join_reports([], reported(tree), image, FRAME)] == [kind]


def test_the_words_of_a_row_are_its_own_whatever_they_are_taken_for() -> None:
    tree = window(
        node("list", 0, 20, 200, 80),
        node("list item", 0, 20, 200, 40, parent=1, name="Files", states=("selectable",)),
    )
    seen = [found("menu", 8, 22, 44, 38, text="Files"), found("button", 150, 22, 190, 38, text="Open")]
    assert {(one.type, one.text) for one in joined(seen, tree)} == {("list_item", "Files"), ("button", "Open")}


def test_a_cell_that_was_hit_beside_its_words_is_hit() -> None:
    tree = window(
        node("table", 0, 20, 200, 80, states=("focused",)),
        node("table cell", 0, 20, 100, 40, parent=1, name="Nina"),
        node("table cell", 100, 20, 200, 40, parent=1, name="Blues"),
        toolkit="Qt 5.15",
    )
    seen = [found("tabled_text", 4, 24, 30, 36, text="Nina")]

    def box(*at: Point) -> Rect:
        return next(one.box for one in joined(seen, tree, pointers=at) if one.text == "Nina")

    assert box() == Rect(4, 24, 30, 36)
    assert box(Point(20, 30)) == Rect(4, 24, 30, 36)
    assert box(Point(80, 30)) == Rect(0, 20, 100, 40)


def test_a_row_is_called_what_the_label_in_its_first_cell_says_too() -> None:
    tree = window(
        node("table", 0, 20, 300, 80),
        node("table cell", 0, 20, 100, 40, parent=1),
        node("table cell", 20, 20, 104, 40, parent=2, name="Documents"),
        node("table cell", 100, 20, 200, 40, parent=1, name="4.0 KiB"),
    )
    assert [one.text for one in reported(tree) if one.type == "list_item"] == ["Documents 4.0 KiB"]


def test_a_row_of_other_words_than_its_program_tells_is_called_what_is_read() -> None:
    tree = window(
        node("table", 0, 20, 390, 80),
        node("table cell", 0, 20, 200, 40, parent=1, name="backup.zip"),
        node("table cell", 200, 20, 390, 40, parent=1, name="250.1 KiB Zip archive Today"),
    )

    def text(*read: str, confidence: float = 0.9) -> str | None:
        words = [
            found("text", 4 + 196 * n, 24, 90 + 196 * n, 36, text=one, confidence=confidence)
            for n, one in enumerate(read)
        ]
        return next(one.text for one in joined(words, tree) if one.type == "list_item")

    told = "backup.zip 250.1 KiB Zip archive Today"
    assert text("sort.py", "218 bytes Python script Today") == "sort.py 218 bytes Python script Today"
    assert text("backup.z1p", "250.1KiB Zlp archive Today") == told
    assert text("notes.zip", "250.1 KiB Zip archive Today") == "notes.zip 250.1 KiB Zip archive Today"
    assert text("archive", "Today") == told  # all that could be read
    assert text("sort.py", "218 bytes Python script Today", confidence=0.6) == told
    assert text() == told


def test_a_menu_over_a_text_keeps_its_words_also_where_the_pointer_lit_it_up() -> None:
    tree = window(
        node("text", 0, 20, 400, 300, value="Dear Ann", states=("multi line", "editable")),
        node("panel", 200, 40, 360, 200, states=("modal",)),
        node("filler", 205, 45, 355, 195, parent=2),
        node("push button", 210, 50, 350, 70, parent=3, name="Find"),
        node("push button", 210, 75, 350, 95, parent=3, name="Find and Replace"),
    )
    reports = [read(tree, changed=(Rect(205, 70, 355, 100),))]
    words = [found("text", 214, 54, 250, 68, text="Find"), found("text", 214, 78, 330, 92, text="Find and Replace")]
    image = drawn(*(one.box for one in words))
    told = join_reports(words, reported_elements(reports, FRAME), image, FRAME)
    assert [(one.type, one.text) for one in told if one.type == "menu_item"] == [
        ("menu_item", "Find"),
        ("menu_item", "Find and Replace"),
    ]


def test_the_ring_around_what_has_the_input_is_no_frame_of_a_button() -> None:
    tree = window(node("check box", 10, 40, 190, 62, name="Run this before"))
    image = np.full((300, 400, 3), 255, np.uint8)
    image[40:62:21, 10:190:2] = image[40:62:2, 10:190:179] = 150
    image[43:59, 14:30], image[44:58, 15:29] = 190, 240
    image[46:54, 40:150:3] = 0
    (told,) = join_reports([found("text", 38, 44, 152, 56, text="Run this before")], reported(tree), image, FRAME)
    assert (told.type, told.mark_box) == ("checkbox", Rect(14, 43, 30, 59))


def test_a_piece_of_a_reported_row_is_no_row_of_its_own() -> None:
    tree = window(
        node("tree table", 0, 20, 390, 80),
        node("table cell", 0, 20, 200, 40, parent=1, name="letter.txt"),
        node("table cell", 200, 20, 390, 40, parent=1, name="727 B"),
    )
    piece, words = found("tree_item", 0, 20, 120, 40), found("text", 4, 24, 60, 36, text="letter.txt")
    assert [(one.type, one.text) for one in joined([piece, words], tree) if one.type in {"list_item", "tree_item"}] == [
        ("list_item", "letter.txt 727 B")
    ]


def test_a_page_of_a_document_is_an_area() -> None:
    paper = window(node("scroll pane", 0, 20, 400, 300), node("document frame", 0, 20, 400, 300, parent=1))
    assert acted_on(hit(100, 100), tree=paper) == [("page", Rect(0, 20, 400, 300), None)]
    written = window(node("document text", 0, 20, 400, 300, states=("editable",)))
    assert acted_on(hit(100, 100), tree=written) == []


def test_where_tabs_tell_nothing_of_the_page_that_they_show_models_may_see_it() -> None:
    tabs = [node("page tab", x, 20, x + 56, 40, parent=1, name=name) for x, name in ((10, "A"), (70, "B"))]
    mark = found("checkbox", 20, 100, 180, 120, text="Keep")
    empty = window(node("page tab list", 0, 10, 400, 300), *tabs)
    told = window(
        node("page tab list", 0, 10, 400, 300),
        *tabs,
        node("filler", 0, 50, 400, 300, parent=2),
        node("push button", 20, 200, 80, 220, parent=4, name="OK"),
    )
    assert "checkbox" in [one.type for one in joined([mark], empty)]
    assert "checkbox" not in [one.type for one in joined([mark], told)]


def test_a_box_to_tick_is_called_what_is_drawn_beside_it_and_not_what_its_group_is() -> None:
    tree = window(node("check box", 10, 40, 190, 60, name="Operations:"))
    mark = found("checkbox", 12, 43, 26, 57)
    label = found("text", 32, 42, 150, 58, text="Multiplication:")
    assert [one.text for one in joined([mark, label], tree) if one.type == "checkbox"] == ["Multiplication:"]
    unsure = label.but(confidence=0.5)
    assert [one.text for one in joined([mark, unsure], tree) if one.type == "checkbox"] == ["Operations:"]


def test_a_list_that_qt_calls_by_what_is_written_in_it_says_so() -> None:
    tree = window(
        node("combo box", 10, 10, 110, 30, name="words"),
        node("text", 10, 10, 90, 30, parent=1, states=("editable",)),
        toolkit="Qt 5.15",
    )
    assert [one.text for one in joined([found("text", 12, 12, 60, 28, text="words")], tree)] == ["words"]
    assert [one.text for one in joined([], tree)] == [None]


def test_pictures_that_can_be_chosen_are_rows_called_what_is_written_below_them() -> None:
    view = Rect(0, 20, 400, 280)
    pictures = [node("icon", x, 30, x + 100, 150, parent=1, states=("selectable",)) for x in (10, 120)]
    tree = window(node("layered pane", 0, 20, 400, 280), *pictures)
    seen = [found("text", 30, 130, 90, 144, text="page 1"), found("icon", 20, 34, 90, 120)]
    first, second = joined(seen, tree)
    assert (first.type, first.text, first.box) == ("list_item", "page 1", Rect(10, 30, 110, 150))
    assert (second.type, second.text) == ("list_item", None)
    assert acted_on(hit(300, 250), tree=tree) == [("list", view, None)], "beside them"
    signs = window(node("layered pane", 0, 20, 400, 280), node("icon", 10, 30, 26, 46, parent=1))
    assert [one.type for one in reported(signs)] == ["icon"], "nobody can choose it"


def test_a_strip_that_a_program_draws_is_an_area_and_a_narrow_panel_none() -> None:
    for role, areas in (("drawing area", [("canvas", Rect(370, 20, 400, 280), None)]), ("panel", [])):
        assert acted_on(hit(385, 100), tree=window(node(role, 370, 20, 400, 280))) == areas


def test_the_entries_of_a_menu_that_a_button_opens_without_one_are_shown_in_its_window() -> None:
    popup = WindowTree(app="notes", title="Notes", box=Rect(20, 60, 160, 120), complete=False)
    tree = window(
        node("toggle button", 20, 120, 40, 140, name="Repeat", states=("checked",)),
        node("radio menu item", 20, 64, 160, 88, parent=1, name="Repeat all"),
        node("radio menu item", 20, 88, 160, 112, parent=1, name="One song"),
    )
    told = [(one.type, one.text) for one in reported(popup, tree)]
    assert told == [("button", "Repeat"), ("menu_item", "Repeat all"), ("menu_item", "One song")]


def test_a_button_that_can_be_written_in_is_a_field() -> None:
    (field,) = reported(window(node("push button", 20, 30, 300, 54, states=("editable", "focused")), toolkit="Qt 5.15"))
    assert (field.type, field.states.get("focused")) == ("input_field", True)


def test_rows_with_air_between_them_share_it() -> None:
    tree = window(
        node("table", 0, 20, 200, 120),
        node("table cell", 0, 20, 200, 41, parent=1, name="Low"),
        node("table cell", 0, 43, 200, 64, parent=1, name="Tide"),
        node("table cell", 0, 90, 200, 111, parent=1, name="Far"),
    )
    rows = [one.box for one in reported(tree) if one.type == "list_item"]
    assert [(box.y1, box.y2) for box in rows] == [(20, 42), (42, 64), (90, 111)]


def test_a_row_that_was_seen_where_a_box_to_tick_is_goes_with_it() -> None:
    tree = window(node("check box", 20, 40, 220, 62, name="Backwards"))
    seen = [found("checkbox", 22, 44, 37, 59), found("list_item", 20, 39, 219, 60, text="Backwards")]
    (mark,) = joined(seen, tree)
    assert (mark.type, mark.text) == ("checkbox", "Backwards")


def test_what_is_read_across_two_controls_is_theirs() -> None:
    tree = window(
        node("page tab list", 0, 20, 400, 50),
        node("page tab", 0, 20, 70, 50, parent=1, name="garden"),
        node("list", 90, 24, 200, 80, states=("manages descendants",)),
        node("list item", 90, 30, 200, 50, parent=3, name="rosemary", states=("selectable",)),
    )
    line = found("text", 10, 30, 150, 46, text="garden X rosemary")
    assert "garden X rosemary" not in {one.text for one in joined([line], tree)}
    other = found("text", 10, 30, 150, 46, text="garden X lavender")
    assert "garden X lavender" in {one.text for one in joined([other], tree)}, "no line is lost"


def test_a_drop_down_list_has_the_words_that_it_shows_not_the_key_that_is_told_for_them() -> None:
    tree = window(node("combo box", 10, 10, 200, 40, name="ora"))
    (shown,) = joined([found("dropdown", 10, 10, 200, 40, text="Ora picture (*.ora)")], tree)
    assert shown.text == "Ora picture (*.ora)"
    assert [said.text for said in shown.evidence if said.source == "accessibility"] == ["ora"]
    (with_arrow,) = joined([found("dropdown", 10, 10, 200, 40, text="ora v")], tree)
    assert with_arrow.text == "ora"


def test_a_cell_without_room_for_its_words_that_are_those_of_another_shows_a_picture() -> None:
    cells = [
        node("table cell", 0, 40, 22, 66, parent=1, name="Background"),
        node("table cell", 22, 40, 200, 66, parent=1, name="Background"),
        node("table cell", 0, 66, 22, 92, parent=1, name="12"),
        node("table cell", 22, 66, 110, 92, parent=1, name="Ink"),
        node("table cell", 110, 66, 200, 92, parent=1, name="Ink"),
    ]
    tree = window(node("tree", 0, 40, 200, 200), *cells, toolkit="Qt 5.15")
    assert [one.text for one in reported(tree) if one.type == "list_item"] == ["Background", "12 Ink Ink"]


def test_a_button_that_is_called_by_three_dots_has_no_name_where_a_picture_is_on_it() -> None:
    tree = window(node("push button", 10, 10, 40, 40, name="..."), node("push button", 60, 10, 90, 40, name="..."))
    told = joined([found("icon", 12, 12, 38, 38, subtype="add")], tree)
    assert [(one.type, one.text, one.subtype) for one in told] == [("icon", None, "add"), ("button", "...", None)]


def test_a_button_without_a_name_is_called_what_stands_right_below_it() -> None:
    def named(*inside: TreeNode) -> list[tuple[str, str]]:
        tree = window(node("filler", 10, 10, 90, 200), node("toggle button", 10, 10, 90, 70, parent=1), *inside)
        return [(one.type, one.name) for one in reported(tree) if one.type == "button"]

    label = node("label", 10, 72, 90, 88, parent=1, name="Gantt")
    assert named(label) == [("button", "Gantt")]
    assert named(label, node("label", 10, 90, 90, 106, parent=1, name="Chart")) == [("button", "")]
    assert named(node("label", 10, 160, 90, 176, parent=1, name="Gantt")) == [("button", "")]
    assert named(node("label", 100, 30, 160, 46, parent=1, name="Gantt")) == [("button", "")]


def test_boxes_to_tick_that_touch_are_the_tools_of_a_program() -> None:
    def kinds(gap: int, size: int = 24, **more: Any) -> set[str]:
        places = [10 + n * (size + gap) for n in range(3)]
        boxes = [node("check box", x, 40, x + size, 40 + size, parent=1, **more) for x in places]
        return {one.type for one in reported(window(node("filler", 0, 30, 200, 200), *boxes, toolkit="Qt 5.15"))}

    assert kinds(0) == kinds(6) == kinds(0, 16) == {"button"}
    assert kinds(20) == kinds(6, 16) == kinds(0, name="Grid") == {"checkbox"}


def test_a_window_that_was_moved_is_bound_to_its_title_bar_and_its_buttons_stay() -> None:
    bar = WindowTree(
        app="notes", title="Equalizer", toolkit="x11", box=Rect(50, 20, 250, 40), nodes=(
            TreeNode(role="title bar", box=Rect(50, 20, 250, 40)),
            node("push button", 230, 24, 242, 36),
        ),
    )  # fmt: skip
    areas = reported_areas([read(bar), read(PLAYER)], FRAME)
    title, close = found("text", 120, 22, 180, 38, text="Equalizer"), found("icon", 230, 24, 242, 36)
    (kept, moved) = with_acted_areas([title, close], areas, FRAME, [hit(150, 30)])
    assert (kept, moved.subtype, moved.text, moved.box) == (close, "title bar", "Equalizer", Rect(50, 20, 250, 40))
    assert with_acted_areas([title, close], areas, FRAME, [hit(236, 30)]) == [title, close]
    ends = {"target": ActionTarget(bbox=[0.3, 0.1, 0, 0]), "end_target": ActionTarget(bbox=[0.4, 0.2, 0, 0])}
    drag = hit(150, 30).but(action=DragAction(**ends), pointer=Pointer(x=150, y=30, end_x=200, end_y=60))
    bound = bind(drag, [moved, found("button", 180, 50, 240, 70)])
    assert (bound.target_uid, bound.end_uid) == (moved.uid, None), "it went to a place"


def test_what_lies_below_another_window_was_not_hit() -> None:
    dialog = WindowTree(
        app="notes",
        title="Find",
        box=Rect(30, 180, 110, 260),
        nodes=(TreeNode(role="dialog", box=Rect(30, 180, 110, 260)),),
    )
    areas = reported_areas([read(dialog), read(PLAYER)], FRAME)
    assert with_acted_areas([], areas, FRAME, [hit(60, 200)]) == []
    (whole,) = with_acted_areas([], areas, FRAME, [hit(60, 280)])
    assert whole.subtype == "tree"


def test_a_picture_that_can_be_chosen_is_a_button_however_its_toolkit_calls_it() -> None:
    places = [Rect(0, 40 + 32 * n, 32, 72 + 32 * n) for n in range(2)]
    inside = [
        part
        for n, box in enumerate(places)
        for part in (
            node("list item", *box.corners, parent=1),
            node("radio button", *box.corners, parent=2 + 2 * n, states=("checked",) if n else ()),
        )
    ]
    tools = window(node("table", 0, 40, 32, 104, states=("manages descendants",)), *inside)
    pictures = [found("icon", 4, box.y1 + 4, 28, box.y2 - 4) for box in places]
    told = joined(pictures, tools)
    assert [(one.type, one.box, one.states.get("checked")) for one in told] == [
        ("icon", places[0], False), ("icon", places[1], True),
    ]  # fmt: skip
    marks = [found("radio", 6, box.y1 + 6, 26, box.y2 - 6) for box in places]
    assert {one.type for one in joined(marks, tools)} == {"radio"}
    small = window(node("radio button", 10, 40, 32, 62, name="Star"))
    assert [one.type for one in joined([found("radio", 13, 43, 29, 59)], small)] == ["radio"]


def test_what_is_drawn_around_the_pointer_on_a_canvas_is_no_icon_of_it() -> None:
    areas = reported_areas([read(PLAYER)], FRAME)
    brush, other = found("icon", 226, 176, 276, 224), found("icon", 300, 176, 350, 224)
    told = with_acted_areas([brush, other], areas, FRAME, [hit(250, 200)])
    assert [(one.type, one.subtype) for one in told] == [("icon", None), ("other", "canvas")]
    assert told[0] == other
    assert with_acted_areas([brush, other], areas, FRAME, [hit(240, 190)]) == [brush, other]
    list_icon = found("icon", 36, 176, 86, 224)
    assert list_icon in with_acted_areas([list_icon], areas, FRAME, [hit(61, 200)])


def test_a_label_does_not_go_on_in_the_list_that_dropped_down_over_its_end() -> None:
    tree = window(node("check box", 10, 40, 300, 60, name="Mark what most likely is wanted"))
    dropped = WindowTree(
        app="notes", title="", toolkit="gtk 3.24", box=Rect(160, 36, 380, 100), nodes=(
            TreeNode(role="window", box=Rect(160, 36, 380, 100)),
            node("menu", 160, 36, 380, 100),
            node("menu item", 160, 40, 380, 66, parent=1, name="Keep"),
            node("menu item", 160, 68, 380, 96, parent=1, name="Remove"),
        ),
    )  # fmt: skip
    mark = found("checkbox", 12, 43, 26, 57)
    line = found("text", 30, 42, 200, 58, text="Mark what most likKeep")
    told = joined([mark, line], dropped, tree)
    (box,) = (one.box for one in told if one.type == "checkbox")
    assert box.x2 <= 164
    assert {one.text for one in told if one.type == "menu_item"} == {"Keep", "Remove"}


def test_tabs_below_each_other_between_two_arrows_are_no_scroll_bar() -> None:
    tabs = [node("page tab", 0, y, 77, y + 50, parent=1, name=name) for y, name in ((60, "Status"), (112, "Details"))]
    tree = window(node("page tab list", 0, 20, 400, 300), *tabs)
    bar = [found("scrollbar", 28, 30, 48, 190), found("scrollbar_thumb", 28, 114, 48, 158)]
    beside = found("scrollbar", 380, 30, 396, 290)
    told = joined([*bar, beside], tree)
    assert [(one.type, one.text) for one in told] == [("scrollbar", None), ("tab", "Status"), ("tab", "Details")]
    assert told[0] == beside


def test_a_line_of_a_row_of_two_lines_is_no_row_of_its_own() -> None:
    cell = node("table cell", 10, 40, 300, 80, parent=1, name="Salt and stone\nEpisode number 7")
    tree = window(node("tree table", 10, 40, 300, 200, states=("manages descendants",)), cell)
    lines = [
        found("list_item", 12, 41, 200, 60, text="Salt and stone"),
        found("menu_item", 12, 60, 200, 79, text="Episode number 7"),
    ]
    told = joined(lines, tree)
    assert [(one.type, one.box.y1, one.box.y2) for one in told] == [("list_item", 40, 80)]


def test_signs_below_each_other_that_open_rows_are_no_word() -> None:
    rows = [
        node("table cell", 24, y, 200, y + 14, parent=1, name=name, states=("expandable",))
        for y, name in ((30, "Fruit"), (44, "Vegetables"), (58, "Nuts"))
    ]
    tree = window(node("tree", 0, 20, 200, 200, states=("manages descendants",)), *rows)
    down, along = found("text", 4, 30, 18, 72, text="AAA"), found("text", 30, 100, 90, 114, text="Lavender")
    told = joined([down, along], tree)
    assert [one.text for one in told if one.source == "ocr"] == ["Lavender"]
    assert [one.text for one in told if one.type == "tree_item"] == ["Fruit", "Vegetables", "Nuts"]


def test_a_picture_on_a_button_and_the_arrow_of_a_list_are_no_letters() -> None:
    ocr = {"source": "ocr", "text": "B", "confidence": 0.5}
    tree = window(node("push button", 20, 30, 60, 60), node("combo box", 100, 30, 240, 55, name="Binding:"))
    folder = found(
        "button", 22, 32, 58, 58, text="B", evidence=[{"source": "rule"}, {**ocr, "box": Rect(30, 36, 48, 54)}]
    )
    sure = {"source": "ocr", "text": "4", "confidence": 0.97, "box": Rect(224, 38, 234, 47)}
    shown = found("dropdown", 100, 30, 240, 55, text="4", evidence=[{"source": "detector"}, sure])
    assert [(one.type, one.text) for one in joined([folder, shown], tree)] == [("button", None), ("dropdown", None)]
    bold = {**ocr, "confidence": 0.95, "box": Rect(30, 36, 48, 54)}
    told = joined([found("button", 22, 32, 58, 58, text="B", evidence=[{"source": "rule"}, bold])], tree)
    assert told[0].text == "B", "a letter that was surely read is one"


def test_a_button_that_stays_down_is_one_where_its_picture_has_no_four_edges() -> None:
    tree = window(node("check box", 20, 30, 44, 53), toolkit="Qt 5.15")
    image = np.full((300, 400, 3), 255, np.uint8)
    image[36:48, 26:39] = 90
    image[38:41, 26:39] = 255
    assert [one.type for one in join_reports([], reported(tree), image, FRAME)] != ["checkbox"]
    image[34:49, 25:40] = 0
    image[35:48, 26:39] = 255
    assert [one.type for one in join_reports([], reported(tree), image, FRAME)] == ["checkbox"]


def test_what_looks_like_the_picture_of_a_row_is_no_box_to_tick() -> None:
    tree = window(
        node("table", 0, 60, 400, 200, states=("manages descendants",)),
        node("table cell", 30, 60, 400, 90, parent=1, name="Backlinks"),
    )
    looks = [{"source": "rule", "type": "checkbox"}, {"source": "describer", "type": "icon", "confidence": 0.89}]
    for evidence, kinds in ((looks, ["list_item"]), (looks[:1], ["checkbox", "list_item"])):
        mark = found("checkbox", 4, 64, 24, 84, evidence=evidence)
        assert sorted(one.type for one in joined([mark], tree)) == kinds


def test_a_label_that_was_hit_beside_its_words_is_hit() -> None:
    tree = window(node("label", 20, 40, 280, 60, name="Look for:"))
    words = found("text", 20, 42, 80, 58, text="Look for:")
    for at, box in ((Point(200, 50), Rect(20, 40, 280, 60)), (Point(40, 50), words.box)):
        assert [one.box for one in joined([words], tree, pointers=[at])] == [box]


def test_marks_that_touch_each_other_have_no_words_between_them() -> None:
    tree = window(*(node("radio button", x, 40, x + 18, 58, name="Butt cap") for x in (20, 38, 56)))
    assert [one.type for one in joined([], tree)] == ["radio"] * 3


def test_a_sign_at_the_edge_of_the_screen_stays_on_it() -> None:
    image = np.full((300, 400, 3), np.linspace(200, 240, 300, dtype=np.uint8)[:, None, None], dtype=np.uint8)
    image[4:10, 372:399] = 20
    (sign,) = join_reports([], reported(window(node("push button", 368, 0, 400, 20))), image, FRAME)
    assert Rect(0, 0, 400, 300).encloses(sign.box)


def test_a_tab_whose_page_is_told_elsewhere_is_its_label() -> None:
    for label, page in ((Rect(10, 60, 60, 80), Rect(70, 0, 90, 90)), (Rect(110, 2, 160, 8), Rect(100, 10, 300, 15))):
        tree = window(
            node("page tab list", 100, 20, 300, 120),
            node("page tab", label.x1, label.y1, label.x2, label.y2, parent=1, name="Tags"),
            node("panel", page.x1, page.y1, page.x2, page.y2, parent=2),
        )
        assert [one.box for one in reported(tree) if one.type == "tab"] == [label]


def test_a_splitter_is_what_was_dragged_and_it_went_to_a_place() -> None:
    pane = node("split pane", 0, 20, 400, 280)
    qt = [node("unknown", 198, 20, 202, 280, parent=1)]
    gtk = [node("panel", 0, 20, 199, 280, parent=1), node("panel", 201, 20, 400, 280, parent=1)]
    ends = {"target": ActionTarget(bbox=[0.5, 0.5, 0, 0]), "end_target": ActionTarget(bbox=[0.6, 0.5, 0, 0])}
    way = Pointer(x=200, y=150, end_x=240, end_y=150)
    drag = hit(200, 150).but(action=DragAction(**ends), pointer=way)
    for parts in (qt, gtk):
        areas = reported_areas([read(window(pane, *parts))], FRAME)
        (handle,) = with_acted_areas([], areas, FRAME, [drag])
        assert (handle.type, handle.box.center.x, handle.box.y1) == ("resize_handle", 200, 20)
        list_beside = found("list_item", 210, 140, 390, 160)
        bound = bind(drag, [handle, list_beside])
        assert (bound.target_uid, bound.end_uid) == (handle.uid, None)
        assert with_acted_areas([], areas, FRAME, [hit(200, 150)]) == [], "it was no drag"
    apart = [node("panel", 0, 20, 150, 280, parent=1), node("panel", 250, 20, 400, 280, parent=1)]
    assert "splitter" not in {one.kind for one in reported_areas([read(window(pane, *apart))], FRAME)}


def test_what_is_between_the_docks_of_qt_can_be_dragged() -> None:
    def splitters(*docks: tuple[int, int, int, int]) -> list[Rect]:
        tree = window(*(node("frame", *dock) for dock in docks), toolkit="Qt 5.15")
        return [one.box for one in reported_areas([read(tree)], FRAME) if one.kind == "splitter"]

    assert splitters((0, 20, 400, 120), (0, 126, 400, 300)) == [Rect(0, 120, 400, 126)]
    assert splitters((0, 20, 150, 300), (154, 20, 400, 300)) == [Rect(150, 20, 154, 300)]
    assert splitters((0, 20, 400, 120), (0, 160, 400, 300)) == [], "too far apart"
    assert splitters((0, 20, 400, 120), (100, 126, 300, 300)) == [], "one beside the other's end"
    assert splitters((0, 20, 400, 120), (0, 120, 400, 300)) == []


def test_a_box_to_tick_that_is_surely_drawn_round_is_a_radio_button() -> None:
    tree = window(node("check box", 20, 40, 120, 60, name="3 Buch"), toolkit="Qt 5.15")
    for sources, kind in ((("detector", "rule"), "radio"), (("detector",), "checkbox")):
        evidence = [{"source": source, "type": "radio", "confidence": 0.9} for source in sources]
        mark = found("radio", 20, 42, 36, 58, evidence=evidence)
        assert [one.type for one in joined([mark], tree)] == [kind]


def test_what_is_written_and_drawn_on_a_row_is_the_row() -> None:
    def rows(*inside: TreeNode) -> list[tuple[str, str]]:
        tree = window(
            node("list box", 0, 20, 200, 100),
            node("list item", 0, 20, 200, 60, parent=1, states=("selectable",)),
            node("filler", 10, 30, 190, 50, parent=2),
            *inside,
        )
        return [(one.type, one.text) for one in reported(tree)]

    label = node("label", 40, 32, 80, 48, parent=3, name="Text")
    icon = node("icon", 10, 30, 30, 50, parent=3)
    assert rows(icon, label) == [("list_item", "Text")]
    more = node("label", 100, 32, 140, 48, parent=3, name="More")
    assert ("text", "More") in rows(label, more), "no word is lost"
    assert ("icon", "") in rows(icon), "all that a row without words shows"


def test_a_control_that_the_pointer_lights_up_is_the_same_control() -> None:
    tree = window(node("radio button", 20, 40, 68, 72, name="Green"), node("text", 100, 40, 180, 72, name="Size"))

    def stale(*changed: Rect) -> list[bool]:
        return [one.stale for one in reported_elements([read(tree, changed=changed)], FRAME)]

    assert stale(Rect(19, 39, 69, 73), Rect(100, 40, 180, 72)) == [False, True]
    assert stale(Rect(0, 30, 300, 200)) == [True, True]


def test_a_sentence_of_several_texts_over_several_lines_loses_none_of_its_words() -> None:
    # As Chromium told it: a text that begins in the middle of a line has a box from the left edge on.
    said = [
        ("Find the email by ", (26, 26, 184, 48)), ("Clare", (183, 26, 234, 48)),
        (" and reply to them with the text \"", (26, 26, 322, 71)), ("Erat viverra sed proin.", (26, 49, 328, 94)),
        ("\".", (121, 72, 135, 94)),
    ]  # fmt: skip
    page = window(*(node("static", *box, name=name) for name, box in said))
    read = [
        found("text", 25, 26, 324, 50, text="Find the email by Clare and reply"),
        found("text", 24, 49, 330, 69, text='to thern with the text "Erat viverra'),
        found("text", 25, 72, 138, 96, text='sed proin.".'),
    ]
    made = sorted(joined(read, page), key=lambda one: (one.box.y1 // 20, one.box.x1))
    assert [(one.text, one.source, one.box.y1) for one in made] == [
        ("Find the email by", "accessibility", 26), ("Clare", "accessibility", 26), ("and reply", "accessibility", 26),
        ("to them with the text \"", "accessibility", 49), ("Erat viverra", "accessibility", 49),
        ("sed proin.", "accessibility", 72), ("\".", "accessibility", 72),
    ]  # fmt: skip


def test_a_text_that_is_not_what_was_read_leaves_the_lines_alone() -> None:
    page = window(node("static", 20, 20, 300, 64, name="The weather of tomorrow in all towns"))
    read = [found("text", 20, 20, 280, 40, text="Quarterly figures"), found("text", 20, 44, 280, 64, text="by branch")]
    assert [(one.text, one.source) for one in joined(read, page)] == [
        ("Quarterly figures", "ocr"),
        ("by branch", "ocr"),
    ]


def test_marks_whose_names_stand_beside_them_move_no_window() -> None:
    # A page tells of a box to tick the mark alone; all names are as far to the right of theirs.
    words = ["launch", "tragic", "archaic", "conceal", "bunnies"]
    marks = [node("check box", 32, 30 + 38 * n, 72, 56 + 38 * n, name=word) for n, word in enumerate(words)]
    send = node("push button", 24, 240, 215, 290, name="Submit")
    seen = [found("text", 77, 34 + 38 * n, 140, 54 + 38 * n, text=word) for n, word in enumerate(words)]
    made = joined([*seen, found("button", 24, 240, 215, 290, text="Submit")], window(*marks, send))
    assert [one.box for one in made if one.type == "button"] == [Rect(24, 240, 215, 290)]
    assert [one.text for one in made if one.type == "checkbox"] == words


def test_what_was_typed_from_a_sentence_says_nothing_of_where_that_sentence_stands() -> None:
    said = [("Search for ", 0), ("drama", 90), (" movies by ", 140), ("Costner", 230)]
    sentence = [node("static", 10 + x, 10, 90 + x, 30, name=name) for name, x in said]
    labels = [
        node("static", 10, 60 + 60 * n, 90, 80 + 60 * n, name=name) for n, name in enumerate(["Genre", "Director"])
    ]
    fields = [
        node("entry", 100, 55 + 60 * n, 300, 85 + 60 * n, value=value, states=("editable",))
        for n, value in enumerate(["drama", "Costner"])
    ]
    seen = [
        found("text", 10, 10, 320, 30, text="Search for drama movies by Costner"),
        *(found("text", 10, 60 + 60 * n, 80, 80 + 60 * n, text=text) for n, text in enumerate(["Genre", "Director"])),
        *(found("text", 104, 60 + 60 * n, 170, 80 + 60 * n, text=text) for n, text in enumerate(["drama", "Costner"])),
    ]
    made = joined(seen, window(*sentence, *labels, *fields))
    assert [(one.type, one.text) for one in made if one.type == "input_field"] == [
        ("input_field", "drama"), ("input_field", "Costner"),
    ]  # fmt: skip


def test_words_of_a_page_that_can_be_clicked_are_a_link_or_the_button_that_is_drawn() -> None:
    page = window(
        node("section", 20, 40, 120, 70, states=("clickable",)),
        node("static", 50, 45, 90, 65, parent=1, name="Submit"),
        node("paragraph", 20, 100, 380, 140),
        node("static", 20, 100, 80, 120, parent=3, name="Lorem "),
        node("section", 84, 100, 130, 120, parent=3, states=("clickable",)),
        node("static", 84, 100, 130, 120, parent=5, name="ipsum"),
        node("section", 0, 150, 400, 300, states=("clickable",)),
        node("static", 20, 160, 100, 180, parent=7, name="A row of"),
        node("section", 20, 190, 100, 210, parent=7),
        node("static", 20, 190, 100, 210, parent=9, name="several"),
        box=Rect(0, 0, 400, 300),
    )
    told = reported(page)
    assert [(one.type, one.name) for one in told] == [
        ("hyperlink", "Submit"), ("text", "Lorem"), ("hyperlink", "ipsum"), ("text", "A row of"), ("text", "several"),
    ]  # fmt: skip
    image = np.full((300, 400, 3), 255, dtype=np.uint8)
    image[40:70, 20:120] = (255, 236, 220)
    for x1, y1, x2, y2 in ((50, 50, 90, 60), (20, 104, 76, 116), (86, 104, 128, 116)):
        image[y1:y2, x1:x2:2] = 0
    read_there = [found("text", 50, 48, 90, 62, text="Submit"), found("text", 84, 102, 130, 118, text="ipsum")]
    made = join_reports(read_there, told, image, FRAME)
    assert ("button", "Submit", Rect(20, 40, 120, 70)) in [(one.type, one.text, one.box) for one in made]
    assert ("hyperlink", "ipsum", Rect(84, 102, 130, 118)) in [(one.type, one.text, one.box) for one in made]


def test_a_cell_of_a_page_in_its_lines_is_no_button_and_its_words_are_there_once() -> None:
    page = window(
        node("document web", 0, 0, 400, 300),
        node("table", 20, 20, 320, 120, parent=1),
        node("table row", 20, 20, 320, 70, parent=2),
        node("table cell", 20, 20, 120, 70, parent=3, name="Country"),
        node("static", 24, 34, 100, 56, parent=4, name="Country"),
        node("table cell", 120, 20, 320, 70, parent=3, name="Bosnia and Herzegovina"),
        node("static", 124, 23, 240, 67, parent=6, name="Bosnia and Herzegovina"),
        toolkit="Chromium",
    )
    seen = [
        found("button", 21, 22, 119, 69, text="Country"),
        found("text", 23, 36, 101, 56, text="Country"),
        found("text", 23, 23, 101, 45, text="Country"),
        found("tabled_text", 124, 23, 230, 44, text="Bosnia and"),
        found("tabled_text", 124, 46, 240, 67, text="Herzegovina"),
    ]
    assert sorted((one.type, one.text) for one in joined(seen, page)) == [
        ("tabled_text", "Bosnia and"), ("tabled_text", "Country"), ("tabled_text", "Herzegovina"),
    ]  # fmt: skip
