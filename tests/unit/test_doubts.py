from __future__ import annotations

import pytest

from demopack.domain.actions import AgentAction
from demopack.domain.frames import Frame
from demopack.domain.steps import CaptureQuality, Doubt, Pointer, Step

FRAME = Frame(id="f", width=100, height=100)
GOOD = Step(
    id="s",
    position=0,
    action=AgentAction(action_type="click", target={"text": "OK"}),
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
        (
            {"action": AgentAction(action_type="type", parameters={"text_to_type": "a\ufffdb"}), "pointer": None},
            "unknown_text",
        ),
    ],
)
def test_each_doubt_is_seen(change: dict[str, object], doubt: Doubt) -> None:
    assert GOOD.model_copy(update=change).doubts(parsed=True) == [doubt]


def test_the_last_step_needs_no_after_frame() -> None:
    end = Step(id="s", position=9, action=AgentAction(action_type="finish_goal"), before=FRAME)
    assert end.doubts(parsed=True) == []
