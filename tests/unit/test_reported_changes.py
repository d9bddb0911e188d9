"""Whether a step did again what programs reported that it changed in the recording."""

from __future__ import annotations

from typing import Any

import pytest

from demopack.domain.geometry import Rect
from demopack.domain.trees import TreeNode, ValueRange, WindowTree
from player.reported_changes import has_changed_so


def window(
    text: str = "", *, ticked: bool = False, level: float = 10, title: str = "Form", extra: str = ""
) -> WindowTree:
    def box(line: int) -> Rect:
        return Rect(100, 30 * line, 300, 30 * line + 20)

    nodes = [
        TreeNode(role="frame", name=title, box=Rect(0, 0, 400, 300)),
        TreeNode(role="text", name="Note", value=text, states=("editable",), parent=0, box=box(1)),
        TreeNode(role="check box", name="Urgent", states=("checked",) if ticked else (), parent=0, box=box(2)),
        TreeNode(
            role="slider", name="Volume", range=ValueRange(minimum=0, value=level, maximum=100), parent=0, box=box(3)
        ),
    ]
    if extra:
        nodes.append(TreeNode(role="label", name=extra, parent=0, box=box(4)))
    return WindowTree(app="a", title=title, nodes=tuple(nodes))


@pytest.mark.parametrize(
    ("after", "live", "wanted"),
    [
        pytest.param({"text": "hello"}, {"text": "hello"}, True, id="the same text"),
        pytest.param({"text": "hello"}, {"text": "hell"}, False, id="another text"),
        pytest.param({"ticked": True}, {"ticked": True}, True, id="ticked"),
        pytest.param({"ticked": True}, {"ticked": False}, False, id="not ticked"),
        pytest.param({"level": 70}, {"level": 72}, True, id="a slider nearly there"),
        pytest.param({"level": 70}, {"level": 50}, False, id="a slider elsewhere"),
        pytest.param({}, {}, None, id="nothing changed"),
        pytest.param({"extra": "3 found"}, {"extra": "3 found"}, True, id="words that came"),
        pytest.param({"extra": "3 found"}, {"extra": "4 found"}, None, id="other words that came tell too little"),
    ],
)
def test_fields_boxes_and_sliders_decide(after: dict[str, Any], live: dict[str, Any], wanted: bool | None) -> None:
    assert has_changed_so([window()], [window(**after)], [window(**live)]) is wanted


def test_what_a_text_of_several_lines_got_has_to_be_in_it_wherever_it_stands() -> None:
    before, after = window("one\ntwo\nthree\nfour"), window("one\ntwo more\nthree\nfour")
    assert has_changed_so([before], [after], [window("three\ntwo more\none\nfour\nfive")]) is True
    assert has_changed_so([before], [after], [window("three\ntwo\none more\nfour\nfive")]) is False


def test_a_window_that_opened_or_closed_has_to_do_so_again() -> None:
    main, question = window(), window(title="Really?")
    assert has_changed_so([main], [question, main], [question, main]) is True
    assert has_changed_so([main], [question, main], [main]) is False
    assert has_changed_so([question, main], [main], [main]) is True
    assert has_changed_so([question, main], [main], [question, main]) is False
