"""Which node of a live accessibility tree a recorded one is, and when none is."""

from __future__ import annotations

from typing import Any

import pytest

from demopack.domain.geometry import Rect
from demopack.domain.steps import AccessibleElement
from demopack.domain.trees import TreeNode, WindowTree
from player.node_match import item_under, match_node, node_of, seen_instead


def tree(*nodes: tuple[str, str, int, tuple[int, int, int, int]], scale: int = 1) -> WindowTree:
    """Of nodes as (role, name, parent, box); the window itself is node 0."""
    made = [TreeNode(role="frame", name="Window", box=Rect(0, 0, 900, 900))]
    for role, name, parent, box in nodes:
        states: tuple[str, ...] = ("editable",) if role == "text" else ()
        made.append(
            TreeNode(role=role, name=name, parent=parent, box=Rect(*(side * scale for side in box)), states=states)
        )
    return WindowTree(app="a", title="Window", nodes=tuple(made))


def form(*labels: str, scale: int = 1) -> WindowTree:
    """Fields without a name, each with a label on its left; told from the last to the first, as GTK does."""
    nodes: list[Any] = [("panel", "", 0, (0, 0, 400, 400))]
    for line, label in reversed(list(enumerate(labels))):
        nodes += [
            ("text", "", 1, (100, 40 * line, 300, 40 * line + 30)),
            ("label", label, 1, (0, 40 * line, 80, 40 * line + 30)),
        ]
    return tree(*nodes, scale=scale)


def customers(*names: str) -> WindowTree:
    """A table of a page whose rows have a button each, all of one name, and a box without a name."""
    nodes: list[Any] = [("table", "", 0, (0, 0, 400, 400))]
    for line, name in enumerate(names):
        row = len(nodes) + 1
        y = 30 * line
        nodes += [
            ("table row", "", 1, (0, y, 400, y + 30)),
            ("table cell", name, row, (0, y, 100, y + 30)),
            ("push button", "Open", row, (100, y, 200, y + 30)),
            ("check box", "", row, (200, y, 300, y + 30)),
        ]
    return tree(*nodes)


def index(of: WindowTree, role: str, y: int) -> int:
    return next(i for i, node in enumerate(of.nodes) if node.role == role and node.box and node.box.y1 == y)


def test_a_name_is_found_wherever_it_lies() -> None:
    recorded = tree(("push button", "Save", 0, (0, 0, 50, 20)), ("push button", "Quit", 0, (60, 0, 90, 20)))
    live = tree(("push button", "Quit", 0, (0, 400, 50, 420)), ("push button", "Save", 0, (500, 400, 600, 440)))
    assert match_node(recorded, 1, live) == 2


@pytest.mark.parametrize("scale", [1, 2])
def test_a_field_without_a_name_is_known_by_its_label(scale: int) -> None:
    recorded, live = form("Name", "Note"), form("Title", "Note", "Name", scale=scale)
    assert match_node(recorded, index(recorded, "text", 0), live) == index(live, "text", 80 * scale)


def test_a_field_with_another_label_is_another_one() -> None:
    recorded, live = form("Name", "Note"), form("Code", "Note")
    assert match_node(recorded, index(recorded, "text", 0), live) == "no text stands beside “name”"


@pytest.mark.parametrize("role", ["push button", "check box"])
def test_what_stands_in_every_row_is_found_in_its_own(role: str) -> None:
    recorded, live = customers("Ada", "Bo", "Cleo"), customers("Cleo", "Ada", "Dora", "Bo")
    assert match_node(recorded, index(recorded, role, 30), live) == index(live, role, 90)


def test_a_row_that_is_gone_is_not_replaced_by_another() -> None:
    recorded, live = customers("Ada", "Bo", "Cleo"), customers("Ada", "Cleo")
    found = match_node(recorded, index(recorded, "push button", 30), live)
    assert found == "no push button stands in the row of “bo”"


def test_another_row_is_not_taken_where_only_that_one_is_left() -> None:
    recorded, live = customers("Ada", "Bo"), customers("Cleo")
    found = match_node(recorded, index(recorded, "push button", 30), live)
    assert found == "no push button stands in the row of “bo”"


@pytest.mark.parametrize("role", ["push button", "check box"])
def test_the_row_of_a_value_is_where_the_value_stands(role: str) -> None:
    recorded, live = customers("Ada", "Bo", "Cleo"), customers("Cleo", "Ada", "Dora", "Bo")
    node = index(recorded, role, 30)
    assert match_node(recorded, node, live, row_text="Dora") == index(live, role, 60)
    missing = match_node(recorded, node, live, row_text="Emil")
    assert isinstance(missing, str)
    assert missing.endswith("and stand in a row of “Emil”")


def divisions(*names: str) -> WindowTree:
    """A page whose rows are no rows to its browser: a name, a day that others have too, a button within a button."""
    nodes: list[Any] = [("document web", "", 0, (0, 0, 400, 400))]
    for line, name in enumerate(names):
        y = 30 * line
        nodes += [
            ("section", "", 1, (0, y, 400, y + 30)),
            ("static", name, len(nodes) + 1, (0, y, 100, y + 30)),
            ("static", "today", len(nodes) + 1, (100, y, 200, y + 30)),
            ("push button", "", len(nodes) + 1, (200, y, 230, y + 30)),
            ("push button", "", len(nodes) + 4, (205, y, 225, y + 30)),
        ]
    return tree(*nodes)


def test_rows_that_are_none_to_their_program_are_lines() -> None:
    recorded, live = divisions("Ada", "Bo", "Cleo"), divisions("Bo", "Cleo", "Dora")
    for inner in (0, 1):
        at, there = (index(of, "push button", y) + inner for of, y in ((recorded, 30), (live, 60)))
        assert match_node(recorded, at, live, row_text="Dora") == there


def test_flat_cells_are_in_a_row_with_what_stands_beside_them() -> None:
    """GTK tells the cells of a table without rows."""

    def packing(*things: str) -> WindowTree:
        nodes: list[Any] = [("table", "", 0, (0, 0, 400, 400))]
        for line, thing in enumerate(things):
            nodes += [
                ("table cell", "", 1, (0, 30 * line, 40, 30 * line + 28)),
                ("table cell", thing, 1, (40, 30 * line, 200, 30 * line + 28)),
            ]
        return tree(*nodes)

    recorded, live = packing("Tent", "Map", "Rope"), packing("Rope", "Tent", "Map")
    assert match_node(recorded, index(recorded, "table cell", 30), live) == index(live, "table cell", 60)


def test_two_of_one_name_that_nothing_tells_apart_are_left_alone() -> None:
    one = tree(("push button", "Save", 0, (0, 0, 50, 20)))
    two = tree(("push button", "Save", 0, (0, 0, 50, 20)), ("push button", "Save", 0, (0, 90, 50, 110)))
    assert match_node(one, 1, two) == "2 elements are a push button called “Save”"


def test_what_is_not_seen_is_not_found() -> None:
    both = tree(("push button", "Save", 0, (0, 0, 50, 20)))
    assert match_node(both, 1, both, is_seen=lambda _: False) == "nothing is a push button called “Save”"


def test_the_innermost_of_two_nodes_with_one_box_is_meant() -> None:
    page = tree(("list item", "", 0, (0, 0, 90, 20)), ("list item", "", 1, (0, 0, 90, 20)))
    told = AccessibleElement(role="list item", box=Rect(0, 0, 90, 20))
    assert node_of(page, told) == 2
    assert node_of(page, told.model_copy(update={"name": "other"})) is None


def focused_items(*names: str) -> WindowTree:
    """A list of files, in which items of these names are seen to have the focus."""
    made = tree(*((("list item", name, 0, (0, 30 * n, 90, 30 * n + 20))) for n, name in enumerate(("a", "b", "c"))))
    nodes = (node.but(states=("focused", "showing")) if node.name in names else node for node in made.nodes)
    return made.but(nodes=tuple(nodes))


def test_the_cell_of_a_hidden_column_is_the_item_that_is_seen_to_have_the_focus() -> None:
    hidden = AccessibleElement(role="list item", name="plain text document", app="a")
    seen = seen_instead(hidden, [focused_items("b")])
    assert (seen.name, seen.box) == ("b", Rect(0, 30, 90, 50))
    shown = hidden.but(states=("showing",))
    assert seen_instead(shown, [focused_items("b")]) is shown
    for trees in ([focused_items()], [focused_items("a", "b")], [focused_items("b").but(app="other")]):
        assert seen_instead(hidden, trees) is hidden


def test_a_list_is_its_item_where_it_is_compared_with_one() -> None:
    whole = AccessibleElement(role="list", box=Rect(0, 0, 90, 90), states=("manages descendants",), app="a")
    item = AccessibleElement(role="list item", name="b", box=Rect(0, 30, 90, 50), app="a")
    seen = seen_instead(whole, [focused_items("b")], other=item)
    assert (seen.role, seen.name, seen.box) == ("list item", "b", item.box)
    assert seen_instead(whole, [focused_items("b")], other=whole) is whole
    assert seen_instead(whole.but(box=Rect(0, 0, 90, 20)), [focused_items("b")], other=item).role == "list"


SHEET = AccessibleElement(
    role="table", name="Sheet Sheet1", box=Rect(0, 0, 400, 400), states=("focused", "manages descendants"), app="calc"
)
PANEL = AccessibleElement(role="panel", name="Cell B10", box=Rect(101, 31, 199, 49), states=("editable",), app="calc")
WRITTEN = AccessibleElement(
    role="paragraph", value="42", box=Rect(101, 31, 120, 49), states=("editable", "focused"), app="calc"
)


def sheet(*focused: str, editor: str = "", name: str = SHEET.name) -> WindowTree:
    """A sheet in which the cells of these names are seen to have the focus, and the editor of one may be open."""
    nodes = [
        TreeNode(role="frame", name="Window", box=Rect(0, 0, 400, 400)),
        TreeNode(role="table", name=name, box=SHEET.box, parent=0, states=SHEET.states),
    ]
    for column, cell in enumerate(("A10", "B10", "AB10")):
        states = ("focused", "showing") if cell in focused else ("showing",)
        box = Rect(100 * column, 30, 100 * column + 100, 50)
        nodes.append(TreeNode(role="table cell", name=cell, box=box, parent=1, states=states))
    if editor:
        nodes.append(TreeNode(role="panel", name=f"Cell {editor}", box=PANEL.box, parent=0, states=PANEL.states))
        nodes.append(TreeNode(role="paragraph", value="42", box=WRITTEN.box, parent=5, states=WRITTEN.states))
    # The window calls the program by another name than its elements do.
    return WindowTree(app="office-calc", title="Window", box=Rect(0, 0, 400, 400), nodes=tuple(nodes))


@pytest.mark.parametrize("editor", [PANEL, WRITTEN])
def test_a_sheet_and_the_editor_that_a_key_opens_are_the_cell(editor: AccessibleElement) -> None:
    for told, other in ((SHEET, editor), (editor, SHEET)):
        seen = seen_instead(told, [sheet("B10")], other=other)
        assert (seen.role, seen.name, seen.box) == ("table cell", "B10", Rect(100, 30, 200, 50))


def test_the_editor_of_a_cell_is_that_cell_where_the_cell_itself_is_told() -> None:
    cell = AccessibleElement(role="table cell", name="B10", box=Rect(100, 30, 200, 50), states=("focused",), app="calc")
    number = WRITTEN.but(box=Rect(380, 31, 395, 49))  # told to lie at the far end of the line
    for told, other in ((PANEL, cell), (WRITTEN, cell), (number, cell), (cell, number)):
        seen = seen_instead(told, [sheet("B10")], other=other)
        assert (seen.role, seen.name, seen.box) == ("table cell", "B10", cell.box)
    for told in (PANEL, WRITTEN, number.but(box=Rect(380, 2, 395, 20))):
        assert seen_instead(told, [sheet("A10")], other=cell) is told
    assert seen_instead(cell, [sheet("A10")], other=number) is cell


@pytest.mark.parametrize("editor", [PANEL, WRITTEN, WRITTEN.but(box=Rect(380, 31, 395, 49))])
def test_a_sheet_whose_editor_is_seen_is_that_and_not_the_cell(editor: AccessibleElement) -> None:
    nodes = sheet("B10", editor="B10").nodes
    live = sheet("B10", editor="B10").but(nodes=(*nodes[:-1], nodes[-1].but(box=editor.box)))
    for told, other in ((SHEET, editor), (editor, SHEET)):
        seen = seen_instead(told, [live], other=other)
        assert (seen.role, seen.name, seen.box) == ("panel", "Cell B10", PANEL.box)


@pytest.mark.parametrize(
    "live", [sheet(), sheet("A10", "B10"), sheet("B10", name="Sheet Sheet2"), sheet("B10").but(nodes=())]
)
def test_a_sheet_is_no_cell_where_not_one_is_seen_to_have_the_focus(live: WindowTree) -> None:
    assert seen_instead(SHEET, [live], other=PANEL) is SHEET
    assert seen_instead(PANEL, [live], other=SHEET) is PANEL


@pytest.mark.parametrize(
    ("told", "live"),
    [
        pytest.param(PANEL, sheet("A10"), id="another cell"),
        pytest.param(PANEL, sheet("AB10"), id="a cell whose name ends alike"),
        pytest.param(WRITTEN, sheet("A10"), id="it lies over another cell"),
        pytest.param(PANEL.but(name=""), sheet("B10"), id="a panel without a name"),
        pytest.param(PANEL.but(name="Input line", box=Rect(0, 0, 400, 20)), sheet("B10"), id="another field"),
        pytest.param(PANEL, sheet("A10", editor="A10"), id="the editor of another cell is open"),
        pytest.param(WRITTEN.but(value="7", box=Rect(0, 2, 50, 20)), sheet("B10", editor="B10"), id="beside it"),
    ],
)
def test_an_editor_of_another_cell_is_not_the_one_that_has_the_focus(told: AccessibleElement, live: WindowTree) -> None:
    assert seen_instead(told, [live], other=SHEET) is told


def test_a_sheet_is_no_cell_for_another_program_or_another_kind_of_field() -> None:
    for other in (PANEL.but(app="other"), PANEL.but(states=()), PANEL.but(role="text"), SHEET):
        assert seen_instead(SHEET, [sheet("B10")], other=other) is SHEET


def test_a_field_in_no_tree_lies_over_the_item_whose_name_it_holds() -> None:
    field = AccessibleElement(role="text", value="b", box=Rect(0, 38, 92, 56), states=("editable",), app="a")
    item = item_under(field, [focused_items("b")])
    assert item is not None
    assert (item.role, item.name) == ("list item", "b")
    assert item_under(field.but(box=Rect(300, 300, 340, 310)), [focused_items("b")]) is None
    assert item_under(field.but(states=()), [focused_items("b")]) is None
