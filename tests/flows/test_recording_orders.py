"""What the person tells the recorder itself: shots, notes, variables, forgetting, panic; and the film."""

from __future__ import annotations

import time

import pytest

from demopack.domain.geometry import Rect
from demopack.domain.steps import WindowInfo
from demopack.settings import PrivacySettings, RecorderSettings
from demopack.store import Library
from recorder.area import CaptureArea
from recorder.privacy.purge import request_purge
from tests.support.desktop_programs import until
from tests.support.studio import SETTINGS, Studio


def test_a_note_belongs_to_what_was_done_last_even_while_it_is_still_open(studio: Studio) -> None:
    studio.do("(10,10) L", 2)
    studio.do('"Ada"', 3)
    studio.session.add_note("the test user")
    studio.wait(studio.changed, 1)
    studio.session.stop()
    demo = studio.demo()
    assert [step.note for step in demo.steps] == ["", "the test user", ""]
    assert studio.changed[0].action.parameters == {"text_to_type": "Ada"}


def test_a_variable_is_the_text_typed_last(studio: Studio) -> None:
    studio.do('"Ada"', 2)
    studio.do("Enter", 3)
    studio.session.mark_variable("name")
    studio.wait(studio.changed, 1)
    studio.session.stop()
    assert [step.variable for step in studio.demo().steps] == ["name", "", ""]
    assert studio.demo().steps[0].action.parameters == {"text_to_type": "Ada"}


def test_marks_before_anything_was_done_change_nothing(studio: Studio) -> None:
    studio.session.add_note("nothing yet")
    studio.session.mark_variable("nothing")
    studio.do("F5", 2)
    studio.session.stop()
    assert [(step.note, step.variable) for step in studio.demo().steps] == [("", ""), ("", "")]


def test_a_shot_keeps_the_screen_as_it_was_at_the_key(studio: Studio) -> None:
    studio.screen.show(7)
    studio.inputs.give(studio.events("F9"))
    studio.wait(studio.hotkeys, 1)
    studio.screen.show(8)
    studio.session.add_shot()
    studio.wait(studio.steps, 1)
    studio.session.stop()
    shot = studio.demo().steps[0]
    assert studio.words()[0] == "Kept a picture"
    assert studio.colours(shot) == (7, 7)
    assert shot.doubts(parsed=False) == []


def test_a_delayed_shot_shows_the_screen_of_later(studio: Studio) -> None:
    studio.screen.show(7)
    studio.session.add_shot(delay_s=0.3)
    studio.screen.show(8)
    studio.wait(studio.steps, 1)
    studio.session.stop()
    assert studio.colours(studio.demo().steps[0]) == (8, 8)


def test_a_note_and_a_variable_given_while_paused_are_kept(studio: Studio) -> None:
    studio.do('"Ada"', 2)
    studio.session.pause()
    studio.wait(studio.states, 2)
    studio.session.add_note("the test user")
    studio.session.mark_variable("name")
    studio.wait(studio.changed, 2)
    studio.session.stop()
    assert [(step.note, step.variable) for step in studio.demo().steps] == [("the test user", "name"), ("", "")]


@pytest.mark.parametrize("order", ["stop", "pause"])
def test_a_shot_that_is_still_to_come_is_taken_at_the_end(studio: Studio, order: str) -> None:
    studio.screen.show(7)
    studio.session.add_shot(delay_s=60)
    if order == "pause":
        studio.session.pause()
        studio.wait(studio.states, 2)
        studio.screen.show(9)
    studio.session.stop()
    assert studio.words() == ["Kept a picture", "Finished the task"]
    assert studio.colours(studio.demo().steps[0]) == (7, 7)


def test_a_shot_ordered_just_before_the_stop_is_kept(studio: Studio) -> None:
    studio.screen.show(7)
    studio.do('"Ada"', 8)
    studio.session.add_shot()
    studio.session.stop()
    assert studio.words() == ["Typed “Ada”", "Kept a picture", "Finished the task"]


def test_no_picture_is_kept_while_paused(studio: Studio) -> None:
    studio.session.pause()
    studio.wait(studio.states, 2)
    studio.session.add_shot()
    studio.session.stop()
    assert studio.words() == ["Finished the task"]


def test_forgetting_removes_the_last_steps_and_goes_on(studio: Studio) -> None:
    studio.do("F5", 2)
    studio.do("F6", 3)
    studio.wait(studio.steps, 1)
    studio.session.forget(60)
    studio.wait(studio.forgotten, 1)
    studio.do("F7", 4)
    studio.session.stop()
    assert studio.words() == ["Pressed F7", "Finished the task"]
    assert studio.demo().head.counters.steps_forgotten == len(studio.forgotten[0]) <= 2
    assert set(studio.forgotten[0]) <= {step.id for step in studio.steps}


def test_forgetting_nothing_keeps_everything(studio: Studio) -> None:
    studio.do("F5", 2)
    studio.wait(studio.steps, 1)
    studio.session.forget(0)
    studio.wait(studio.forgotten, 1)
    studio.session.stop()
    assert studio.words() == ["Pressed F5", "Finished the task"]


def test_another_process_may_ask_to_forget(studio: Studio) -> None:
    studio.do("F5", 2)
    studio.wait(studio.steps, 1)
    assert request_purge(studio.library.folder, 60, is_recording=lambda: True) == 1
    studio.session.stop()
    assert studio.words() == ["Finished the task"]


def test_a_panic_throws_away_what_was_not_saved_and_pauses(studio: Studio) -> None:
    studio.do("F5", 2)
    studio.wait(studio.steps, 1)
    studio.inputs.give(studio.events('"hunter2"'))
    studio.session.panic()
    studio.wait(studio.states, 2)
    studio.inputs.give(studio.events('"more"'))
    studio.session.stop()
    assert studio.states[1] == "paused"
    assert "hunter2" not in str(studio.words())
    assert "more" not in str(studio.words())


def film(studio: Studio) -> list[int]:
    """What the pictures of the film show."""
    library, demo_id = studio.library, studio.session.demo_id
    return [int(library.get_image(keyframe.frame.id)[0, 0, 0]) for keyframe in library.timeline(demo_id)]


def test_the_film_has_every_distinct_picture_once(library: Library) -> None:
    studio = Studio(library, settings=SETTINGS.model_copy(update={"timeline": True}))
    studio.session.start()
    for colour in (1, 2, 2, 3):
        studio.screen.show(colour)
    studio.session.stop()
    assert film(studio) == [0, 1, 2, 3]
    times = [keyframe.shown_ns for keyframe in library.timeline(studio.session.demo_id)]
    assert times == sorted(times)


def test_nothing_that_was_shown_in_a_pause_is_in_the_library(library: Library) -> None:
    studio = Studio(library, settings=SETTINGS.model_copy(update={"timeline": True}))
    studio.session.start()
    studio.screen.show(1)
    studio.inputs.give(studio.events("F5"))
    studio.session.pause()
    studio.wait(studio.states, 2)
    studio.screen.show(2)
    studio.screen.show(1)
    studio.session.resume()
    studio.wait(studio.states, 3)
    studio.screen.show(4)
    studio.inputs.give(studio.events("F6"))
    studio.session.pause()
    studio.wait(studio.states, 4)
    studio.screen.show(3)
    studio.session.stop()
    assert film(studio) == [0, 1, 4]
    found = [(step.action.action_type, *studio.colours(step)) for step in studio.demo().steps]
    assert [one[:2] for one in found] == [("press_key", 1), ("press_key", 4), ("finish_goal", 4)]
    assert all(after in {before, None} for _, before, after in found), "what stood there before the pause, or nothing"


def test_a_panic_leaves_no_picture_of_the_last_seconds_nor_of_the_pause_after_it(library: Library) -> None:
    privacy = PrivacySettings(panic_forget_s=1)
    studio = Studio(library, settings=SETTINGS.model_copy(update={"timeline": True, "privacy": privacy}))
    studio.session.start()
    studio.do("F5", 1)
    studio.wait(studio.steps, 1)
    safe_until = time.monotonic() + 1
    until(lambda: time.monotonic() > safe_until, "never")
    studio.do("F6", 2)
    studio.wait(studio.steps, 2)
    studio.session.panic()
    studio.wait(studio.states, 2)
    studio.screen.show(3)
    studio.session.stop()
    assert film(studio) == [0, 1]
    found = [(step.action.action_type, *studio.colours(step)) for step in studio.demo().steps]
    assert found == [("press_key", 0, 1), ("finish_goal", 1, None)]


def test_only_the_captured_region_counts(library: Library) -> None:
    studio = Studio(library, area=CaptureArea(kind="region", region=Rect(0, 0, 64, 48)))
    studio.windows.window = WindowInfo(title="elsewhere", box=Rect(500, 0, 900, 400))
    studio.session.start()
    studio.do("(200,10) L", 2)
    studio.do("(10,10) L", 3)
    studio.do('"not here"', 4)
    studio.session.stop()
    assert studio.words() == ["Clicked a spot", "Finished the task"]
    assert studio.demo().head.area == "region:0,0,64x48"


def test_settings_without_a_film_keep_none(studio: Studio) -> None:
    assert RecorderSettings().timeline is False
    studio.screen.show(1)
    studio.session.stop()
    assert studio.library.timeline(studio.session.demo_id) == []
