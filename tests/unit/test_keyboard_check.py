"""Whether the element that has the focus is the recorded one, by what programs report."""

from __future__ import annotations

import contextlib
from types import SimpleNamespace
from typing import Any, cast

import pytest

from demopack.domain.actions import PressKeyAction, TypeAction
from demopack.domain.frames import Frame
from demopack.domain.geometry import Rect
from demopack.domain.steps import AccessibleElement, Step, WindowInfo
from demopack.domain.trees import TreeNode, TreeReading, WindowTree
from demopack.errors import ReplayError
from player.keyboard_check import Checked, KeyboardCheck
from player.reported_targets import find_reported
from player.step_plan import StepPlan

FRAME = Frame(id="a" * 64, width=800, height=600)
TITLE = "files"
FIELD = AccessibleElement(
    role="text", value="letter.txt", box=Rect(100, 38, 200, 58), states=("editable", "focused"), app="manager"
)
"""In which the name of an item is written anew; it is in no tree, and lies over the item."""


def files(*names: str) -> WindowTree:
    nodes = [
        TreeNode(role="frame", name=TITLE, box=Rect(0, 0, 400, 400), states=("showing",)),
        TreeNode(role="list", box=Rect(0, 0, 400, 400), parent=0, states=("showing",)),
    ]
    rows = {"budget.txt": 0, "letter.txt": 30, "photo.txt": 60}
    for name in names:
        box = Rect(100, rows[name], 300, rows[name] + 30)
        nodes.append(TreeNode(role="list item", name=name, box=box, parent=1, states=("showing",)))
    return WindowTree(app="manager", title=TITLE, box=Rect(0, 0, 400, 400), nodes=tuple(nodes))


def reading(tree: str) -> TreeReading:
    return TreeReading(tree=tree, started_ns=0, ended_ns=1, proved=True)


@pytest.mark.parametrize(
    ("live", "focused", "holds"),
    [
        pytest.param(files("budget.txt", "letter.txt"), FIELD, True, id="it lies over the item"),
        pytest.param(files("budget.txt", "photo.txt"), FIELD, True, id="it covers the item, and holds its name"),
        pytest.param(files("budget.txt"), FIELD.but(value="budget.txt"), False, id="it holds another name"),
        pytest.param(files("budget.txt"), FIELD.but(app="other"), False, id="another program's field"),
        pytest.param(files("budget.txt"), FIELD.but(states=("focused",)), False, id="a text that nobody can edit"),
        pytest.param(files("letter.txt"), FIELD.but(box=Rect(100, 2, 200, 22)), False, id="it lies over another item"),
    ],
)
def test_a_field_over_an_item_is_known_by_it_or_by_what_it_holds(
    live: WindowTree, focused: AccessibleElement, holds: bool
) -> None:
    step = Step(
        id="b" * 32,
        position=0,
        action=PressKeyAction(key_info="Ctrl+A"),
        focused=FIELD,
        before=FRAME,
        pointer=None,
        window=WindowInfo(title=TITLE, app="manager", box=Rect(0, 0, 400, 400)),
        trees=(reading("t"),),
    )
    matcher = SimpleNamespace(
        demo=SimpleNamespace(trees={"t": files("budget.txt", "letter.txt", "photo.txt")}),
        find_reported=lambda told, _view: find_reported(told, [(reading("now"), live)], FRAME),
    )
    check = KeyboardCheck(
        matcher=cast(Any, matcher), performer=cast(Any, None), access=cast(Any, None), gate=cast(Any, None)
    )
    plan = cast(Any, SimpleNamespace(step=step))
    assert check.has_focus(plan, cast(Any, None), focused) is holds


def checked(step: Step, then: WindowTree, now: WindowTree, focused: AccessibleElement) -> Checked:
    """What tells that the element of a step has the focus on a screen of which nothing looks as it did."""
    view = SimpleNamespace(matches=False, recorded=None, comparison=None)
    matcher = SimpleNamespace(
        demo=SimpleNamespace(trees={"t": then}),
        settings=SimpleNamespace(settle_timeout_s=0.0),
        capture=lambda _frame: view,
        read_reports=lambda: [(reading("now"), now)],
        find_reported=lambda told, _view: find_reported(told, [(reading("now"), now)], FRAME),
    )
    performer = SimpleNamespace(
        sees_focus=True, focus_number=lambda: 1, window_number=lambda: 1, focused_window=lambda: step.window
    )
    access = SimpleNamespace(available=True, catch_up=lambda **_: True, focused=lambda _t_ns: focused)
    check = KeyboardCheck(
        matcher=cast(Any, matcher), performer=cast(Any, performer), access=cast(Any, access), gate=cast(Any, None)
    )
    plan = StepPlan(step=step, action=step.action, before=None, elements=(), aim=None)
    return check.before(plan, cast(Any, SimpleNamespace(keys_go=lambda *_: None, typed=False)))[0]


def for_keys(action: TypeAction | PressKeyAction, focused: AccessibleElement) -> Step:
    return Step(
        id="b" * 32,
        position=0,
        action=action,
        focused=focused,
        before=FRAME,
        window=WindowInfo(title=TITLE, app="libreoffice-calc", box=Rect(0, 0, 400, 400)),
        trees=(reading("t"),),
    )


TABLE = AccessibleElement(
    role="table", name="Sheet1", box=Rect(0, 0, 400, 400), states=("editable", "manages descendants"), app="calc"
)
EDITOR = AccessibleElement(role="panel", name="Cell B10", box=Rect(101, 31, 199, 49), states=("editable",), app="calc")


def sheet(focused: str, *, holds: str = "") -> WindowTree:
    nodes = [
        TreeNode(role="frame", name=TITLE, box=Rect(0, 0, 400, 400), states=("showing",)),
        TreeNode(role="table", name="Sheet1", box=Rect(0, 0, 400, 400), parent=0, states=("showing",)),
    ]
    for column, name in enumerate(("A10", "B10")):
        box = Rect(100 * column, 30, 100 * column + 100, 50)
        states = ("editable", "focused", "showing") if name == focused else ("editable", "showing")
        value = holds if name == focused else ""
        nodes.append(TreeNode(role="table cell", name=name, value=value, box=box, parent=1, states=states))
    return WindowTree(app="libreoffice-calc", title=TITLE, box=Rect(0, 0, 400, 400), nodes=tuple(nodes))


@pytest.mark.parametrize(("recorded", "live"), [(EDITOR, TABLE), (TABLE, EDITOR)])
def test_a_text_goes_into_the_cell_that_is_told_as_its_sheet_or_as_its_editor(
    recorded: AccessibleElement, live: AccessibleElement
) -> None:
    step = for_keys(TypeAction(text_to_type="42"), recorded)
    assert checked(step, sheet("B10"), sheet("B10"), live) == "element"
    for then, now in (("B10", "A10"), ("B10", ""), ("", "B10")):
        with pytest.raises(ReplayError, match="has the focus"):
            checked(step, sheet(then), sheet(now), live)


@pytest.mark.parametrize("live", [TABLE, EDITOR])
def test_what_stands_now_in_a_cell_that_was_empty_is_not_written_over(live: AccessibleElement) -> None:
    step = for_keys(TypeAction(text_to_type="42"), live)
    with pytest.raises(ReplayError, match=r"“KEEP ME” stands there now.*Nothing was sent") as refused:
        checked(step, sheet("B10"), sheet("B10", holds="KEEP ME"), live)
    assert refused.value.code == "other_effect"
    assert checked(step, sheet("B10"), sheet("B10", holds="42"), live) == "element", "the same again harms nothing"
    assert checked(step, sheet("B10", holds="1"), sheet("B10", holds="KEEP ME"), live) == "element", "as recorded"
    assert checked(step, sheet("B10").but(nodes=()), sheet("B10", holds="KEEP ME"), live) == "element", "not known"


@pytest.mark.parametrize(
    ("then", "now", "secure", "refused"),
    [
        ("", "KEEP ME", False, True),
        ("", " ", False, False),
        ("", "pass", True, False),
        ("old", "KEEP ME", False, False),
    ],
)
def test_what_stands_now_in_a_field_that_was_empty_is_not_added_to(
    then: str, now: str, secure: bool, refused: bool
) -> None:
    field = AccessibleElement(role="text", name="Name", box=Rect(0, 0, 90, 20), states=("editable",), app="calc")
    step = for_keys(TypeAction(text_to_type="42"), field.but(value=then, secure=secure))
    live = field.but(value=now, secure=secure)
    with pytest.raises(ReplayError, match="stands there now") if refused else contextlib.nullcontext():
        assert checked(step, sheet(""), sheet(""), live) == "element"


def test_a_text_goes_into_no_other_cell_of_the_sheet() -> None:
    step = for_keys(TypeAction(text_to_type="42"), TABLE)
    assert checked(step, sheet("B10"), sheet("B10"), TABLE) == "element"
    with pytest.raises(ReplayError, match="“A10”"):
        checked(step, sheet("B10"), sheet("A10"), TABLE)


ITEM = AccessibleElement(
    role="menu item", name="Undo", box=Rect(0, 20, 200, 40), states=("selected", "showing"), app="soffice"
)
MENU = AccessibleElement(
    role="menu", name="Edit", box=Rect(0, 0, 40, 20), states=("selected", "showing"), app="soffice"
)


def menus(open_menu: str, *, above: str = "menu bar") -> WindowTree:
    """Two menus with an item of the same name each, of which one is open."""
    nodes = [
        TreeNode(role="frame", name=TITLE, box=Rect(0, 0, 400, 400), states=("showing",)),
        TreeNode(role=above, box=Rect(0, 0, 400, 20), parent=0, states=("showing",)),
    ]
    for x, name in ((0, "Edit"), (40, "View")):
        nodes.append(TreeNode(role="menu", name=name, box=Rect(x, 0, x + 40, 20), parent=1, states=("showing",)))
        box = Rect(x, 20, x + 200, 40) if name == open_menu else None
        nodes.append(TreeNode(role="menu item", name="Undo", box=box, parent=len(nodes) - 1, states=("showing",)))
    return WindowTree(app="libreoffice-calc", title=TITLE, box=Rect(0, 0, 400, 400), nodes=tuple(nodes))


@pytest.mark.parametrize(("recorded", "live"), [(ITEM, MENU), (MENU, ITEM)])
def test_an_open_menu_is_left_whether_or_not_the_pointer_lies_on_an_item(
    recorded: AccessibleElement, live: AccessibleElement
) -> None:
    edit = menus("Edit")
    assert checked(for_keys(PressKeyAction(key_info="Escape"), recorded), edit, edit, live) == "element"


@pytest.mark.parametrize(
    ("key", "then", "now", "live"),
    [
        pytest.param("Enter", menus("Edit"), menus("Edit"), MENU, id="a key that does what the item says"),
        pytest.param("ArrowDown", menus("Edit"), menus("Edit"), MENU, id="a key that goes on from the item"),
        pytest.param("Shift+Escape", menus("Edit"), menus("Edit"), MENU, id="a combination"),
        pytest.param("Escape", menus("Edit"), menus(""), MENU, id="the menu is not open now"),
        pytest.param("Escape", menus(""), menus("Edit"), MENU, id="no tree showed it open then"),
        pytest.param("Escape", menus("Edit"), menus("View"), MENU.but(name="View"), id="another menu is open"),
        pytest.param("Escape", menus("Edit"), menus("Edit"), MENU.but(app="other"), id="another program's"),
        pytest.param(
            "Escape", menus("Edit", above="menu"), menus("Edit", above="menu"), MENU, id="a menu in another one"
        ),
    ],
)
def test_an_item_is_not_its_menu_where_the_key_or_the_menu_may_be_another(
    key: str, then: WindowTree, now: WindowTree, live: AccessibleElement
) -> None:
    with pytest.raises(ReplayError, match="has the focus"):
        checked(for_keys(PressKeyAction(key_info=key), ITEM), then, now, live)
