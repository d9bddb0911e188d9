"""What the pointer does, without a window."""

from __future__ import annotations

from typing import Any

import pytest

from annotator.box_commands import SetBoxes
from annotator.commands import AddElement, MoveElements
from annotator.hit_testing import BoxIndex
from annotator.tools import TOOLS, GestureOutcome, GesturePreview, PointerInput, ToolContext, ToolName
from demopack.domain.geometry import Rect, Size
from tests.support.editing import element

BOXES = [
    element("panel", (100, 100, 300, 300), type="other"),
    element("button", (120, 120, 180, 150)),
    element("other", (200, 120, 260, 150)),
]


class Driver:
    """A tool with its context, driven as the canvas does it."""

    def __init__(self) -> None:
        self.context = ToolContext(frame_id="f", size=Size(400, 400), boxes=BoxIndex(BOXES))
        self.preview: GesturePreview | None = None
        self.use("select")

    def use(self, name: ToolName) -> None:
        self.tool = TOOLS[name](self.context)

    def press(self, at: PointerInput, *, selection: tuple[str, ...]) -> Any:
        self.context.selection = selection
        return self.tool.press(at)

    def move(self, at: PointerInput) -> None:
        self.preview = self.tool.move(at)

    def release(self, at: PointerInput, *, selection: tuple[str, ...]) -> Any:
        self.context.selection = selection
        return self.tool.release(at)

    def hover(self, at: PointerInput, *, selection: tuple[str, ...]) -> Any:
        self.context.selection = selection
        return self.tool.hover(at)


@pytest.fixture
def tool() -> Driver:
    return Driver()


def at(x: float, y: float, **fields: Any) -> PointerInput:
    return PointerInput(x=x, y=y, **{"reach": 4.0, "free": True, **fields})


def drag(tool: Driver, start: PointerInput, end: PointerInput, *selection: str) -> Any:
    tool.press(start, selection=selection)
    tool.move(at((start.x + end.x) / 2, (start.y + end.y) / 2))
    return tool.release(end, selection=selection)


def test_dragging_on_empty_ground_draws(tool: Driver) -> None:
    tool.context.new_type = "checkbox"
    done = drag(tool, at(20.4, 20.6), at(60, 50))
    assert isinstance(done.command, AddElement)
    new = done.command.element
    assert (new.box, new.type, new.source, new.review) == (Rect(20, 21, 60, 50), "checkbox", "human", "approved")
    assert done.selection == (new.uid,)


def test_a_box_may_be_drawn_from_any_corner_and_stays_on_the_frame(tool: Driver) -> None:
    done = drag(tool, at(60, 50), at(-500, 20))
    assert done.command.element.box == Rect(0, 20, 60, 50)


def test_dragging_a_box_moves_it_and_shows_it_meanwhile(tool: Driver) -> None:
    tool.press(at(150, 130), selection=())
    assert tool.tool.move(at(150, 131)) is None, "still a click"
    tool.move(at(160, 133))
    preview = tool.preview
    assert preview is not None
    assert preview.boxes == {"button": Rect(130, 123, 190, 153)}
    done = tool.release(at(160, 133), selection=())
    assert done.command == MoveElements(uids=("button",), dx=10, dy=3, frame_size=Size(400, 400))
    assert done.selection == ("button",)


def test_what_is_selected_is_moved_even_where_something_smaller_lies_on_it(tool: Driver) -> None:
    assert drag(tool, at(150, 130), at(160, 130), "panel").command.uids == ("panel",)


def test_a_selection_of_several_moves_together(tool: Driver) -> None:
    done = drag(tool, at(150, 130), at(150, 9000), "button", "other")
    assert done.command.uids == ("button", "other")
    tool.press(at(150, 130), selection=("button", "other"))
    tool.move(at(150, 9000))
    preview = tool.preview
    assert preview is not None
    assert {box.y2 for box in preview.boxes.values()} == {400}  # at the edge of the frame


def test_a_handle_of_the_selected_box_resizes_it(tool: Driver) -> None:
    done = drag(tool, at(181, 151), at(191, 161), "button")
    assert done.command == SetBoxes(boxes={"button": Rect(120, 120, 190, 160)})


def test_a_box_cannot_be_made_flat(tool: Driver) -> None:
    assert drag(tool, at(180, 135), at(120, 135), "button").command is None


def test_alt_or_the_draw_mode_draws_on_top_of_a_box(tool: Driver) -> None:
    assert isinstance(drag(tool, at(150, 130, force_draw=True), at(170, 145)).command, AddElement)
    tool.use("draw")
    assert isinstance(drag(tool, at(150, 130), at(170, 145)).command, AddElement)


def test_a_click_selects_and_a_repeated_click_digs_down(tool: Driver) -> None:
    selection: tuple[str, ...] = ()
    seen = []
    for _ in range(3):
        tool.press(at(150, 130), selection=selection)
        done = tool.release(at(150.5, 130.5), selection=selection)
        assert done.command is None
        selection = done.selection
        seen.append(selection)
    assert seen == [("button",), ("panel",), ("button",)]


def test_a_click_on_empty_ground_selects_nothing(tool: Driver) -> None:
    tool.press(at(20, 20), selection=("button",))
    assert tool.release(at(20, 20), selection=("button",)).selection == ()


def test_ctrl_click_adds_and_takes_out(tool: Driver) -> None:
    def click(x: float, *selection: str) -> tuple[str, ...]:
        tool.press(at(x, 130, extend=True), selection=selection)
        done: GestureOutcome = tool.release(at(x, 130, extend=True), selection=selection)
        return done.selection

    assert click(220, "button") == ("button", "other")
    assert click(220, "button", "other") == ("button",)
    assert click(20, "button") == ("button",)


def test_escape_takes_the_gesture_back(tool: Driver) -> None:
    tool.press(at(150, 130), selection=())
    tool.move(at(200, 200))
    assert tool.tool.cancel()
    assert not tool.tool.active
    assert tool.release(at(200, 200), selection=("button",)) is None
    assert not tool.tool.cancel()


def test_a_tremble_is_a_click_and_a_speck_is_no_box(tool: Driver) -> None:
    assert drag(tool, at(20, 20), at(21, 21)).command is None
    assert drag(tool, at(20, 20), at(60, 22)).command is None


def test_the_cursor_says_what_a_press_would_do(tool: Driver) -> None:
    assert tool.hover(at(20, 20), selection=()) == (None, "draw")
    assert tool.hover(at(150, 130), selection=()) == ("button", "arrow")
    assert tool.hover(at(150, 135), selection=("button",)) == ("button", "move")
    assert tool.hover(at(120, 120), selection=("button",))[1] == "size_down"
    assert tool.hover(at(180, 135), selection=("button",))[1] == "size_h"
    assert tool.hover(at(150, 130, force_draw=True), selection=()) == (None, "draw")


def test_edges_snap_while_nothing_holds_them_free(tool: Driver) -> None:
    tool.press(at(150, 130, free=False), selection=())
    tool.move(at(228, 182, free=False))
    preview = tool.preview
    assert preview is not None
    assert preview.boxes["button"].x1 == 200  # in line with the other
    assert [guide.axis for guide in preview.guides] == ["x"]
    tool.move(at(228, 182, free=True))
    free = tool.preview
    assert free is not None
    assert (free.boxes["button"], free.guides) == (Rect(198, 172, 258, 202), ())
    tool.context.snaps = False
    done = drag(tool, at(20, 122, free=False), at(60, 152, free=False))
    assert done.command.element.box == Rect(20, 122, 60, 152)


def test_a_drawn_box_begins_and_ends_in_line(tool: Driver) -> None:
    done = drag(tool, at(20, 122, free=False), at(60, 152, free=False))
    assert (done.command.element.box.y1, done.command.element.box.y2) == (120, 150)


def test_shift_and_drag_selects_what_is_enclosed(tool: Driver) -> None:
    tool.press(at(110, 110, gather=True, extend=True), selection=("panel",))
    tool.move(at(270, 160, gather=True, extend=True))
    preview = tool.preview
    assert preview is not None
    assert (preview.boxes, preview.band) == ({}, Rect(110, 110, 270, 160))
    done = tool.release(at(270, 160, gather=True, extend=True), selection=("panel",))
    assert (done.command, done.selection) == (None, ("panel", "button", "other"))


def test_shift_and_click_still_takes_out_of_the_selection(tool: Driver) -> None:
    tool.press(at(150, 130, gather=True, extend=True), selection=("button", "other"))
    done = tool.release(at(150, 130, gather=True, extend=True), selection=("button", "other"))
    assert done.selection == ("other",)


def test_several_are_resized_together(tool: Driver) -> None:
    done = drag(tool, at(260, 150), at(400, 180), "button", "other")
    assert done.command == SetBoxes(
        boxes={"button": Rect(120, 120, 240, 180), "other": Rect(280, 120, 400, 180)},
    )


def test_a_click_in_draw_mode_or_with_alt_points_and_elsewhere_selects(tool: Driver) -> None:
    tool.press(at(150, 130), selection=())
    assert tool.release(at(150, 130), selection=()).pointed is None
    tool.press(at(150, 130, force_draw=True), selection=())
    done = tool.release(at(151, 130, force_draw=True), selection=())
    assert (done.command, done.pointed, done.selection) == (None, (151, 130), ("button",))
    tool.use("draw")
    tool.press(at(20, 20), selection=())
    assert tool.release(at(20, 20), selection=()).pointed == (20, 20)


def test_a_click_beside_an_edge_is_no_drag_from_the_edge(tool: Driver) -> None:
    tool.use("draw")
    tool.press(at(123, 135, reach=6.0, free=False), selection=())
    assert tool.release(at(123, 135, reach=6.0, free=False), selection=()).pointed == (123, 135)


def test_a_press_picks_the_smallest_box_and_elsewhere_waits(tool: Driver) -> None:
    tool.use("pick")
    assert tool.hover(at(120, 120), selection=("button",)) == ("button", "pick")
    assert tool.press(at(20, 20), selection=("other",)) is None
    assert tool.press(at(150, 130), selection=("other",)) == GestureOutcome(selection=("other",), picked="button")
    assert not tool.tool.active
