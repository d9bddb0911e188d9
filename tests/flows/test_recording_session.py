"""A whole recording with a screen, windows and input that the test holds in its hands; the library is a real one."""

from __future__ import annotations

import gc
import shutil
import threading

import pytest

from demopack.domain.geometry import Rect
from demopack.domain.steps import Step, WindowInfo
from demopack.errors import CaptureError, DiskFullError, LibraryBusyError, LibraryError
from demopack.store import Library, Recording
from recorder.capture import Capture
from recorder.pipeline import RecordingPipeline
from tests.support.notation import parse_events
from tests.support.studio import SETTINGS, Studio


def test_steps_with_their_frames_and_the_end(studio: Studio) -> None:
    studio.windows.window = WindowInfo(title="Notes", app="notes")
    studio.screen.show(1)
    studio.do("(10,10) L", 2)
    studio.do('"Hello you"', 3)
    studio.do("Enter", 4)
    demo_id = studio.session.stop()
    demo = studio.demo()
    assert demo.head.id == demo_id == studio.session.demo_id
    assert studio.words() == ["Clicked a spot", "Typed “Hello you”", "Pressed Enter", "Finished the task"]
    assert [studio.colours(step) for step in demo.steps] == [(1, 2), (2, 3), (3, 4), (4, None)]
    assert studio.steps == list(demo.steps)
    assert (demo.head.status, demo.head.outcome, demo.head.app) == ("complete", "success", "notes")
    assert demo.head.final_frame is not None
    assert demo.head.final_frame.id == demo.steps[-1].before.id  # type: ignore[union-attr]
    assert studio.states == ["recording", "finishing", "stopped"]
    assert demo.head.counters.events_seen == 3 + 20
    assert demo.head.counters.frames_kept == 5
    assert studio.session.stop() == demo_id, "stopping twice is harmless"
    assert len(studio.demo().steps) == 4


def test_a_step_is_safe_as_soon_as_it_is_told(studio: Studio) -> None:
    studio.do("F5", 2)
    studio.do("F6", 3)
    studio.wait(studio.steps, 1)
    with Library.open(studio.library.folder, create=False) as other:
        demo = other.demo(studio.session.demo_id)
        assert demo.head.status == "recording"
        assert demo.steps[0].action.parameters == {"key_info": "F5"}
        assert other.get_image(demo.steps[0].before.id)[0, 0, 0] == 0  # type: ignore[union-attr]


def test_a_failed_task(library: Library) -> None:
    studio = Studio(library, app="given")
    studio.session.start()
    studio.session.stop(outcome="failure", reason="no paper")
    head = studio.demo().head
    assert (head.outcome, head.outcome_reason, head.app) == ("failure", "no paper", "given")
    assert studio.words() == ["Gave up"]


def test_an_open_outcome_has_no_last_word(library: Library) -> None:
    studio = Studio(library)
    studio.session.start()
    studio.session.stop(outcome=None)
    assert studio.words() == []
    assert studio.demo().head.status == "complete"


def test_a_long_task_text(library: Library) -> None:
    studio = Studio(library, task="Straße 中 " * 1250)
    studio.session.start()
    studio.session.stop()
    assert len(studio.demo().head.task) == 11_250


def test_nothing_is_recorded_while_paused_and_what_was_open_is_saved(studio: Studio) -> None:
    studio.do('"ab"', 2)
    studio.session.pause()
    studio.wait(studio.states, 2)
    studio.do('"secret" L', 3)
    studio.session.resume()
    studio.wait(studio.states, 3)
    studio.do('"cd"', 4)
    studio.session.stop()
    assert studio.words() == ["Typed “ab”", "Typed “cd”", "Finished the task"]
    assert studio.states[:3] == ["recording", "paused", "recording"]
    assert studio.colours(studio.demo().steps[1]) == (3, 4)


def test_a_recording_can_be_stopped_while_paused(studio: Studio) -> None:
    studio.do('"ab"', 2)
    studio.session.pause()
    studio.wait(studio.states, 2)
    studio.inputs.give(parse_events('"secret"'))
    studio.session.stop()
    assert studio.words() == ["Typed “ab”", "Finished the task"]


def test_hotkeys_are_told_and_leave_no_step(studio: Studio) -> None:
    studio.do('"ab"', 2)
    studio.inputs.give(parse_events("+Ctrl +Alt r -Alt -Ctrl F8"))
    studio.wait(studio.hotkeys, 2)
    studio.do('"cd"', 3)
    studio.session.stop()
    assert studio.hotkeys == ["start_stop", "pause"]
    assert studio.words() == ["Typed “abcd”", "Finished the task"]


def test_a_hotkey_works_while_paused(studio: Studio) -> None:
    studio.session.pause()
    studio.wait(studio.states, 2)
    studio.inputs.give(parse_events("F8"))
    studio.wait(studio.hotkeys, 1)


def test_a_lone_modifier_of_a_hotkey_leaves_no_step(library: Library) -> None:
    hotkeys = SETTINGS.hotkeys.model_copy(update={"pause": "Alt+P"})
    studio = Studio(library, settings=SETTINGS.model_copy(update={"hotkeys": hotkeys}))
    studio.session.start()
    studio.inputs.give(parse_events("+Alt p -Alt"))
    studio.wait(studio.hotkeys, 1)
    studio.session.stop()
    assert studio.words() == ["Finished the task"]


def test_our_own_windows_leave_no_step(studio: Studio) -> None:
    studio.windows.own = [Rect(0, 0, 30, 30)]
    studio.screen.show(1)
    studio.do("(10,10) L w-2", 2)
    studio.do("(40,40) L", 3)
    studio.windows.own_active = True
    studio.screen.show(4)
    studio.do('"into our own field" Enter', 5)
    studio.session.stop()
    assert studio.words() == ["Clicked a spot", "Finished the task"]
    pointer = studio.demo().steps[0].pointer
    assert pointer is not None
    assert (pointer.x, pointer.y) == (40, 40)


@pytest.mark.parametrize("events", ["+Ctrl +c", "+Ctrl c -Ctrl"])
def test_the_key_that_was_the_order_to_stop_is_no_step(studio: Studio, events: str) -> None:
    studio.do("+Ctrl c -Ctrl", 2)
    studio.do("L", 3)
    studio.inputs.give(parse_events(events))
    studio.session.stop(own_key="Ctrl+C")
    assert studio.words() == ["Pressed Ctrl+C", "Clicked a spot", "Finished the task"]


def test_a_stop_from_a_callback_is_refused_not_a_deadlock(studio: Studio) -> None:
    errors = list[CaptureError]()

    def stop_here(_: str) -> None:
        try:
            studio.session.stop()
        except CaptureError as error:
            errors.append(error)
        studio._tell(studio.hotkeys, "refused")

    studio.session.on_hotkey = stop_here
    studio.inputs.give(parse_events("F8"))
    studio.wait(studio.hotkeys, 1)
    studio.session.stop()
    assert len(errors) == 1


def test_wrong_order_is_a_clear_error(library: Library) -> None:
    studio = Studio(library)
    with pytest.raises(CaptureError, match="Nothing is being recorded"):
        studio.session.stop()
    studio.session.start()
    with pytest.raises(CaptureError, match="started before"):
        studio.session.start()
    studio.session.stop()


def test_one_recording_at_a_time_and_the_second_leaves_no_trace(studio: Studio) -> None:
    second = Studio(studio.library)
    with pytest.raises(LibraryBusyError):
        second.session.start()
    assert len(studio.library.demos()) == 1
    studio.do("F5", 2)
    studio.session.stop()
    assert studio.words() == ["Pressed F5", "Finished the task"]


def test_a_screen_that_cannot_be_read_is_an_error_at_once(library: Library) -> None:
    studio = Studio(library)
    studio.screen.fails = True
    with pytest.raises(CaptureError, match="cannot be read"):
        studio.session.start()
    assert library.demos() == []
    # The library is free for the next recording.
    again = Studio(library)
    again.session.start()
    again.session.stop()


def test_a_screen_that_goes_away_is_a_problem_that_is_told(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("recorder.health._EVERY_S", 0.0)
    studio.screen.fails = True
    wait_for_problem(studio, "cannot be read")
    studio.screen.fails = False
    studio.screen.show(9)
    wait_for_problem(studio, None)
    studio.session.stop()
    assert studio.demo().head.status == "complete"


def test_a_screen_that_stays_away_ends_the_recording(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("recorder.health._SCREEN_GONE_S", 0)
    studio.do("F5", 2)
    studio.screen.fails = True
    studio.wait(studio.states, 3)
    assert isinstance(studio.session.error, CaptureError)
    assert studio.words() == ["Pressed F5"]
    assert studio.demo().head.status == "partial"


def test_a_window_that_is_away_is_waited_for(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("recorder.health._SCREEN_GONE_S", 0)
    monkeypatch.setattr("recorder.health._EVERY_S", 0.0)
    studio.screen.away = True
    wait_for_problem(studio, "minimised")
    studio.screen.away = False
    studio.screen.show(9)
    studio.do("F5", 2)
    studio.session.stop()
    assert studio.session.error is None
    assert studio.words() == ["Pressed F5", "Finished the task"]


def wait_for_problem(studio: Studio, text: str | None) -> None:
    reached = threading.Event()
    for _ in range(2000):
        problems = studio.session.health
        if (not problems) if text is None else any(text in problem for problem in problems):
            return
        reached.wait(0.01)
    pytest.fail(f"{studio.session.health} instead of {text}")


def test_a_disk_that_is_nearly_full_pauses_with_everything_saved(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    studio.do('"ab"', 2)
    monkeypatch.setattr("recorder.health._EVERY_S", 0.0)
    usage = shutil.disk_usage(studio.library.folder)
    monkeypatch.setattr("recorder.health.shutil.disk_usage", lambda _: usage._replace(free=1000))
    studio.wait(studio.states, 2)
    assert studio.states[-1] == "paused"
    wait_for_problem(studio, "almost full")
    studio.wait(studio.steps, 1)
    assert studio.words() == ["Typed “ab”"]


def test_a_full_disk_ends_the_recording_with_everything_saved(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    studio = Studio(library)
    studio.session.start()
    studio.do("F5", 2)
    studio.do("F6", 3)
    studio.wait(studio.steps, 1)

    def full(*_: object, **__: object) -> None:
        raise DiskFullError("The disk is full; everything saved so far is safe.")

    monkeypatch.setattr(Recording, "append_step", full)
    studio.screen.colour = 4
    studio.inputs.give(parse_events("F7"))
    studio.wait(studio.states, 3)
    assert studio.session.state == "stopped"
    assert isinstance(studio.session.error, DiskFullError)
    assert studio.session.stop() == studio.session.demo_id
    assert studio.words()[0] == "Pressed F5"
    assert studio.demo().head.status == "partial"
    assert studio.inputs.stopped


def test_given_sources_stay_open_and_input_is_stopped(studio: Studio) -> None:
    studio.session.stop()
    assert studio.inputs.stopped
    assert not studio.screen.closed
    assert not studio.windows.closed


@pytest.mark.parametrize("part", ["poll", "end", "stage_image"])
def test_a_fault_of_our_own_ends_the_recording_and_says_so(
    studio: Studio, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    studio.do("F5", 2)
    studio.do("F6", 3)
    studio.wait(studio.steps, 1)

    def fault(*_: object, **__: object) -> None:
        raise RuntimeError("a fault")

    owner = {"poll": Capture, "end": RecordingPipeline, "stage_image": Recording}[part]
    monkeypatch.setattr(owner, part, fault)
    studio.screen.colour = 4
    studio.inputs.give(parse_events("F7"))
    if part != "end":
        studio.wait(studio.states, 3)
    studio.session.stop()
    assert studio.states == ["recording", "finishing", "stopped"]
    assert studio.session.error is not None
    assert "the steps before it are saved" in studio.session.error.user_message
    assert studio.demo().head.status == "partial"
    assert [step.id for step in studio.demo().steps] == [step.id for step in studio.steps]
    # The library is free again.
    with studio.library.begin_recording(studio.demo().head.model_copy(update={"id": "demo_next"})):
        pass


def test_a_library_that_may_no_longer_be_written_ends_the_recording(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    studio.do("F5", 2)
    studio.do("F6", 3)
    studio.wait(studio.steps, 1)

    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied", "library.db")

    monkeypatch.setattr("demopack.store.pictures.PictureStore.insert", refuse)
    studio.screen.colour = 4
    studio.inputs.give(parse_events("F7"))
    studio.wait(studio.states, 3)
    studio.session.stop()
    assert isinstance(studio.session.error, LibraryError)
    assert studio.demo().head.status == "partial"


def test_a_long_recording_keeps_no_step_in_memory(library: Library) -> None:
    studio = Studio(library)
    studio.session.start()
    for number in range(12):
        studio.do("F5", 2 + number % 3)
    studio.wait(studio.steps, 12)
    ours = {id(step) for step in studio.steps}
    studio.steps.clear()
    gc.collect()
    kept = [thing for thing in gc.get_objects() if type(thing) is Step and id(thing) in ours]
    studio.session.stop()
    assert len(kept) <= 2, "the newest may still be on its way"
