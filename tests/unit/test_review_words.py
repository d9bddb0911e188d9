"""What is said about a recording, and the reel of its pictures."""

from __future__ import annotations

import pytest

from annotator.frame_sequence import FrameSequence
from annotator.step_words import capture_lines, covered_words, duration_of, recorded_words
from demopack.domain.actions import FinishGoalAction, PressKeyAction
from demopack.domain.demos import DemoHead
from demopack.domain.frames import Frame
from demopack.domain.geometry import Rect
from demopack.domain.steps import AccessibleElement, CaptureQuality, Pointer, Step, WindowInfo
from demopack.store import Keyframe
from tests.support.demos import demo_head

_S = 1_000_000_000


def frame(name: str, at_ns: int = 0, **more: object) -> Frame:
    return Frame.model_validate({"id": name * 64, "width": 10, "height": 10, "grab_ended_ns": at_ns, **more})


def step(number: int = 1, **fields: object) -> Step:
    base = {
        "id": f"step_{number}",
        "position": number,
        "action": PressKeyAction(key_info="Enter"),
    }
    return Step.model_validate({**base, **fields})


def head(started_ns: int = 0) -> DemoHead:
    return demo_head("demo_1", started_ns=started_ns, final_frame=None)


def said(one: Step) -> dict[str, tuple[str, bool]]:
    return {line.name: (line.text, line.doubtful) for line in capture_lines(one)}


@pytest.mark.parametrize(
    ("quality", "before", "after"),
    [
        (CaptureQuality(frame_age_ms=41.5, settled=True, settle_ms=320), ("42 ms old", False),
         ("at rest after 320 ms", False)),
        (CaptureQuality(frame_age_ms=2500, settled=False), ("2.5 s old", True),
         ("the screen was still changing", True)),
        (CaptureQuality(frame_age_ms=3, changed_before_event=True), ("3 ms old, the screen changed since", True),
         ("not known whether the screen was at rest", False)),
    ],
)  # fmt: skip
def test_how_far_pictures_can_be_trusted(
    quality: CaptureQuality, before: tuple[str, bool], after: tuple[str, bool]
) -> None:
    lines = said(step(before=frame("a"), after=frame("b"), quality=quality))
    assert (lines["Before"], lines["After"]) == (before, after)


def test_missing_pictures_are_doubts_but_after_the_end() -> None:
    assert said(step())["Before"] == ("no picture", True)
    assert said(step())["After"] == ("no picture", True)
    assert said(step(action=FinishGoalAction()))["After"] == ("the end", False)


def test_what_is_known_around_a_step() -> None:
    lines = said(
        step(
            window=WindowInfo(title="Orders", app="shop"),
            pointer=Pointer(x=1, y=1),
            pointed=AccessibleElement(role="push button", name="Send"),
            focused=AccessibleElement(role="text", name="Name"),
            clipboard="one  two",
            before=frame("a", covered=(Rect(0, 0, 5, 5),)),
            after=frame("b", covered=(Rect(0, 0, 5, 5), Rect(5, 5, 9, 9))),
        )
    )
    assert lines["Window"][0] == "Orders · shop"
    assert lines["Pointed at"][0] == "“Send” (push button)"
    assert "Typed into" not in lines
    assert lines["Clipboard"][0] == "“one two”"
    assert lines["Covered"][0] == "3 areas"
    secret = said(step(focused=AccessibleElement(role="password text", secure=True)))
    assert secret["Typed into"][0] == "password text, secure: what was typed is not kept"


def test_only_covered_pictures_have_words_about_it() -> None:
    assert covered_words(None) == covered_words(frame("a")) == ""
    assert "not stored" in covered_words(frame("a", covered=(Rect(0, 0, 5, 5),)))


def test_how_long_a_recording_took() -> None:
    steps = [step(1, started_ns=5 * _S, ended_ns=6 * _S), step(2, started_ns=40 * _S, after=frame("a", 47 * _S))]
    assert recorded_words(head(5 * _S), steps) == "Recorded 2 steps in 00:42"
    assert duration_of(head(), steps) == 42
    assert recorded_words(head(5 * _S), [step(1, started_ns=3700 * _S, ended_ns=3700 * _S)]).endswith("in 1:01:35")
    assert recorded_words(head(), [step(1)]) == "Recorded 1 step"


def test_the_reel_holds_every_picture_once_in_its_order() -> None:
    steps = [
        step(1, before=frame("a", 1 * _S), after=frame("b", 3 * _S)),
        step(2, before=frame("b", 4 * _S), after=frame("d", 6 * _S)),
    ]
    film = [Keyframe(frame=frame(n, t * _S), shown_ns=t * _S) for n, t in (("a", 1), ("c", 2), ("b", 3), ("e", 5))]
    reel = FrameSequence.of(head(), steps, film)
    assert [reel[i].frame.id[0] for i in range(len(reel))] == ["a", "c", "b", "e", "d"]
    assert [reel.seconds(i) for i in range(len(reel))] == [0, 1, 2, 4, 5]
    assert [reel.pause_ms(i) for i in range(len(reel))] == [1000, 1000, 2000, 1000, None]
    assert reel.place_at(4 * _S) == 2
    assert reel.place_at(_S // 2) is None
    assert reel.place_of(frame("b", 4 * _S)) == 2
    assert reel.place_of(frame("e")) == 3
    assert reel.place_of(frame("x")) is None
    assert reel.place_of(None) is None


def test_pictures_without_a_time_stand_first() -> None:
    reel = FrameSequence.of(head(), [step(1, before=frame("z"), after=frame("b", 3 * _S))])
    assert [reel[i].frame.id[0] for i in range(2)] == ["z", "b"]
    assert (reel.seconds(0), reel.pause_ms(0), reel.place_at(2 * _S)) == (0, 0, None)
    assert len(FrameSequence()) == 0
