"""Where a recorded target is by what its program reports now, and when that does not tell."""

from __future__ import annotations

from typing import Any

import pytest

from demopack.domain.actions import ActionTarget, ClickAction
from demopack.domain.elements import Element
from demopack.domain.frames import Frame
from demopack.domain.geometry import Rect
from demopack.domain.steps import AccessibleElement, Pointer, Step, WindowInfo
from demopack.domain.trees import TreeNode, TreeReading, WindowTree
from player.reported_targets import (
    HiddenTarget,
    ReportedPlace,
    ReportedTarget,
    find_around,
    find_hidden,
    find_reported,
    recorded_report,
)

FRAME = Frame(id="a" * 64, width=800, height=600)
TARGET = ReportedTarget(
    type="button", name="Save", box=Rect(10, 10, 60, 30), app="notes", title="a.txt - notes", role="push button"
)


def window(*named: tuple[str, str, tuple[int, int, int, int]], **fields: Any) -> tuple[TreeReading, WindowTree]:
    box = Rect(100, 100, 500, 400)
    top = TreeNode(role="frame", name="Notes", box=box, states=("showing",))
    nodes = [
        TreeNode(role=role, name=name, box=Rect(*place), parent=0, states=("showing",)) for role, name, place in named
    ]
    given: dict[str, Any] = {"app": "notes", "title": "a.txt - notes", "box": box, **fields}
    return TreeReading(tree="", started_ns=0, ended_ns=1, proved=True), WindowTree(nodes=(top, *nodes), **given)


SAVE = ("push button", "Save", (110, 110, 160, 130))
OPEN = ("push button", "Open", (170, 110, 220, 130))


class TestLiveScreen:
    def test_the_element_of_that_role_and_name_is_found_wherever_it_lies(self) -> None:
        assert find_reported(TARGET, [window(OPEN, SAVE)], FRAME) == ReportedPlace(box=Rect(110, 110, 160, 130))

    def test_a_word_that_is_no_button_is_none(self) -> None:
        label = ("label", "Save", (110, 110, 160, 130))
        assert find_reported(TARGET, [window(label)], FRAME) == "no elements are a button called “Save”"

    def test_two_of_one_name_are_left_to_what_is_seen(self) -> None:
        twin = ("push button", "Save", (110, 210, 160, 230))
        assert find_reported(TARGET, [window(SAVE, twin)], FRAME) == "2 elements are a button called “Save”"

    @pytest.mark.parametrize(
        "fields",
        [
            pytest.param({"app": "other"}, id="another program"),
            pytest.param({"title": "Really quit?"}, id="another window of the program"),
            pytest.param({"boxes": "window"}, id="a program whose places are not to be believed"),
        ],
    )
    def test_another_window_does_not_tell(self, fields: dict[str, Any]) -> None:
        assert find_reported(TARGET, [window(SAVE, **fields)], FRAME) == "its program reports no such window now"

    def test_what_another_window_covers_is_not_there(self) -> None:
        above = (
            TreeReading(tree="", started_ns=0, ended_ns=1, proved=True),
            WindowTree(app="other", title="Over it", box=Rect(90, 90, 300, 200)),
        )
        assert find_reported(TARGET, [above, window(SAVE)], FRAME) == "no elements are a button called “Save”"

    def test_a_renamed_document_is_the_same_window(self) -> None:
        assert isinstance(find_reported(TARGET, [window(SAVE, title="*a.txt - notes")], FRAME), ReportedPlace)


class TestRecording:
    def step(self, **told: Any) -> Step:
        given: dict[str, Any] = {"role": "push button", "name": "Save", "box": Rect(10, 10, 60, 30), **told}
        return Step(
            id="step_1",
            position=1,
            action=ClickAction(target=ActionTarget(text="Save")),
            pointer=Pointer(x=20, y=20),
            before=FRAME,
            pointed=AccessibleElement(**given),
            window=WindowInfo(title="a.txt - notes", app="notes"),
        )

    def element(self, *box: int, text: str = "Save", source: str = "detector") -> Element:
        return Element.model_validate(
            {"uid": "el", "frame": FRAME.id, "type": "button", "box": Rect(*box), "text": text, "source": source}
        )

    def test_what_was_pointed_at_is_known_by_role_and_name(self) -> None:
        assert recorded_report(self.step(), None) == TARGET
        assert recorded_report(self.step(), self.element(12, 11, 58, 29)) == TARGET

    @pytest.mark.parametrize(
        "told",
        [
            pytest.param({"name": ""}, id="without a name"),
            pytest.param({"role": "panel"}, id="of no kind that a person would name"),
            pytest.param({"box": Rect(40, 40, 90, 60)}, id="told at a place where the pointer was not"),
            pytest.param({"box": None}, id="without a place"),
        ],
    )
    def test_what_cannot_be_looked_for_is_not(self, told: dict[str, Any]) -> None:
        assert recorded_report(self.step(**told), None) is None

    def test_a_persons_target_counts_before_what_was_reported(self) -> None:
        assert recorded_report(self.step(), self.element(200, 200, 260, 230)) is None
        assert recorded_report(self.step(), self.element(12, 11, 58, 29, text="Send", source="human")) is None

    def test_what_was_not_told_under_the_pointer_is_known_by_the_tree_of_its_window(self) -> None:
        """GTK tells nothing of what lies under the pointer in a menu that is open."""
        _, tree = window(("menu item", "Save", (10, 10, 60, 30)), ("menu item", "Quit", (10, 30, 60, 50)))
        reading = TreeReading(tree="t", started_ns=0, ended_ns=1, proved=True)
        untold = self.step().but(pointed=None, trees=(reading,))
        item = self.element(10, 10, 60, 30, source="accessibility").but(type="menu_item")
        found = recorded_report(untold, item, {"t": tree})
        assert found is not None
        assert (found.role, found.name, found.node) == ("menu item", "Save", 1)
        assert recorded_report(untold, item.but(text="Open"), {"t": tree}) is None


class TestScrolledAway:
    BELOW = ("push button", "Save", (110, 900, 160, 930))

    def page(self, place: tuple[int, int, int, int]) -> tuple[TreeReading, WindowTree]:
        reading, tree = window(("document web", "", (100, 150, 500, 400)), ("push button", "Save", place))
        top, page, button = tree.nodes
        return reading, tree.but(nodes=(top, page, button.but(parent=1)))

    def target(self) -> ReportedTarget:
        _, tree = self.page((110, 200, 160, 230))
        return ReportedTarget(
            type="button", name="Save", box=Rect(110, 200, 160, 230), app="notes", title="a.txt - notes",
            role="push button", tree=tree, node=2,
        )  # fmt: skip

    def test_it_is_told_where_it_lies_and_over_what_the_wheel_is_to_be_turned(self) -> None:
        live = self.page((110, 900, 160, 930))
        assert find_reported(self.target(), [live], FRAME) == "nothing is a push button called “Save”"
        hidden = HiddenTarget(box=Rect(110, 900, 160, 930), within=Rect(100, 150, 500, 400))
        assert find_hidden(self.target(), [live], FRAME) == hidden

    def test_what_is_in_sight_or_not_there_is_not_scrolled_to(self) -> None:
        assert find_hidden(self.target(), [self.page((110, 200, 160, 230))], FRAME) is None
        assert find_hidden(self.target(), [window(OPEN)], FRAME) is None

    def test_the_page_of_what_browsers_do_not_report_is_known(self) -> None:
        reading, tree = self.page((110, 900, 160, 930))
        without = tree.but(nodes=tree.nodes[:2])
        assert find_around(self.target(), [(reading, without)], FRAME) == Rect(100, 150, 500, 400)
        assert find_around(self.target(), [window(OPEN)], FRAME) is None
