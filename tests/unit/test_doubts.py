from __future__ import annotations

import pytest

from demopack.domain.actions import ActionTarget, ClickAction, FinishGoalAction, TypeAction
from demopack.domain.frames import Frame
from demopack.domain.geometry import Rect
from demopack.domain.steps import AccessibleElement, CaptureQuality, Doubt, Pointer, Step

FRAME = Frame(id="f", width=100, height=100)
GOOD = Step(
    id="s",
    position=0,
    action=ClickAction(target=ActionTarget(text="OK")),
    target_uid="e",
    pointer=Pointer(x=1, y=1),
    before=FRAME,
    after=FRAME,
    quality=CaptureQuality(frame_age_ms=40, changed_before_event=False, settled=True),
)


def test_a_good_step_leaves_no_doubt() -> None:
    assert GOOD.doubts(parsed=True) == []


@pytest.mark.parametrize(
    ("change", "doubt"),
    [
        ({"before": None}, "no_before"),
        ({"after": None}, "no_after"),
        ({"target_uid": None}, "no_element"),
        ({"quality": CaptureQuality(frame_age_ms=1500)}, "stale_frame"),
        ({"quality": CaptureQuality(changed_before_event=True)}, "changed_before_event"),
        ({"quality": CaptureQuality(settled=False)}, "not_settled"),
        ({"quality": CaptureQuality(responded=False)}, "not_responding"),
        ({"quality": CaptureQuality(fields_known=False)}, "fields_unknown"),
        (
            {"action": TypeAction(text_to_type="a\ufffdb"), "pointer": None},
            "unknown_text",
        ),
        ({"pointed": AccessibleElement(role="push button", box=Rect(2, 0, 9, 9))}, "off_element"),
    ],
)
def test_each_doubt_is_seen(change: dict[str, object], doubt: Doubt) -> None:
    assert GOOD.model_copy(update=change).doubts(parsed=True) == [doubt]


def test_the_last_step_needs_no_after_frame() -> None:
    end = Step(id="s", position=9, action=FinishGoalAction(), before=FRAME)
    assert end.doubts(parsed=True) == []


def test_the_click_is_drawn_back_on_the_desktop() -> None:
    frame = Frame(id="f", width=100, height=100, origin_x=1000, origin_y=-50, pixels_per_unit=2.0)
    button = AccessibleElement(role="push button", box=Rect(1010, -40, 1020, -30))
    for x, y, inside in [(20, 20, True), (39, 39, True), (40, 20, False), (19, 20, False)]:
        step = GOOD.model_copy(update={"before": frame, "pointed": button, "pointer": Pointer(x=x, y=y)})
        assert ("off_element" not in step.doubts(parsed=True)) is inside
