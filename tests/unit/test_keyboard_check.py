"""Whether the element that has the focus is the recorded one, by what programs report."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from demopack.domain.actions import PressKeyAction
from demopack.domain.frames import Frame
from demopack.domain.geometry import Rect
from demopack.domain.steps import AccessibleElement, Step, WindowInfo
from demopack.domain.trees import TreeNode, TreeReading, WindowTree
from player.keyboard_check import KeyboardCheck
from player.reported_targets import find_reported

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
