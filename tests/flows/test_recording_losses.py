"""A source ends while it is recorded: told at once, what was done is kept, no text is stored that may be secret."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from demopack.domain.steps import AccessibleElement
from demopack.errors import CaptureError
from demopack.settings import PrivacySettings
from demopack.store import Library
from recorder.privacy.text_hold import ABSENT_HELD, LOST_HELD, LOST_STORED
from tests.support.desktop_programs import until
from tests.support.hand_access import HandAccess
from tests.support.leaks import traces, typed_characters
from tests.support.studio import SETTINGS, Studio

CANARY = "Zq7wXk9Vp2m"
KEYS = f'"{CANARY}"'


@pytest.fixture
def access() -> HandAccess:
    return HandAccess()


@pytest.fixture
def recording(library: Library, access: HandAccess) -> Iterator[Studio]:
    made = Studio(library, access=access)
    made.session.start()
    yield made
    if made.session.state != "stopped":
        made.session.stop()


def told(studio: Studio, text: str) -> None:
    """Wait until it is told."""
    until(lambda: any(text in problem for problem in studio.session.health), f"not told: {text}")


def never_typed(studio: Studio, text: str) -> None:
    assert traces(studio.library.folder, text) == []
    assert not typed_characters(studio.library.folder) & {*text, *text.lower()}


def in_doubt(studio: Studio) -> list[bool]:
    """For each step, whether somebody should look whether a secret can be seen on it."""
    return ["fields_unknown" in step.doubts(parsed=False) for step in studio.demo().steps]


def test_a_lost_interface_holds_back_what_is_typed_until_the_person_says_otherwise(
    recording: Studio, access: HandAccess
) -> None:
    access.focus(0, AccessibleElement(role="text", name="Name", value="before"))
    access.known = True
    recording.do("F5", 2)
    recording.wait(recording.steps, 1)
    access.answers = False
    told(recording, LOST_HELD)
    assert recording.session.holds_text
    recording.do(f"{KEYS} Backspace", 3)
    recording.do("(10,10) L", 4)
    recording.session.hold_text(False)
    told(recording, LOST_STORED)
    recording.do('"Bob"', 5)
    recording.session.stop()
    assert recording.words() == [
        "Pressed F5",
        "Typed “<secret:text>”",
        "Clicked a spot",
        "Typed “Bob”",
        "Finished the task",
    ]
    steps = recording.demo().steps
    assert steps[0].focused is not None
    assert steps[1].focused is steps[3].focused is None, "what was told last is not known to be true any more"
    assert in_doubt(recording) == [False, True, True, False, False], "pictures may show what was typed"
    assert recording.demo().head.counters.secrets_hidden == 1
    never_typed(recording, CANARY)


def test_every_step_that_is_made_while_text_is_held_back_is_in_doubt(recording: Studio, access: HandAccess) -> None:
    access.known = True
    recording.session.hold_text(True)
    recording.do(KEYS, 2)
    recording.do("(10,10) L", 3)
    recording.session.add_shot()
    recording.wait(recording.steps, 3)
    recording.session.stop()
    assert recording.words()[:2] == ["Typed “<secret:text>”", "Clicked a spot"]
    assert in_doubt(recording) == [True] * 4, "what was typed, clicked, looked at, and the last picture"


def test_a_secure_field_of_before_holds_nothing_back_once_the_person_has_said_so(
    recording: Studio, access: HandAccess
) -> None:
    access.focus(0, AccessibleElement(role="password text", name="Password", secure=True))
    access.answers = False
    told(recording, LOST_HELD)
    recording.session.hold_text(False)
    told(recording, LOST_STORED)
    recording.do('"Bob"', 5)
    recording.session.stop()
    assert recording.words()[0] == "Typed “Bob”"


def test_the_hot_key_counts_from_when_it_was_pressed(recording: Studio) -> None:
    recording.do('"Ada"', 1)
    recording.inputs.give(recording.events("+Ctrl +Alt h -Alt -Ctrl " + KEYS))
    recording.wait(recording.hotkeys, 1)
    assert recording.hotkeys == ["hold_text"]
    recording.session.hold_text(True)
    recording.screen.show(2)
    recording.session.stop()
    assert recording.words() == ["Typed “Ada”", "Typed “<secret:text>”", "Finished the task"]
    never_typed(recording, CANARY)


def test_while_text_is_held_back_no_field_s_value_is_kept(recording: Studio, access: HandAccess) -> None:
    recording.session.hold_text(True)
    recording.screen.show(1)
    access.focus(0, AccessibleElement(role="text", name="Note", value="xqzw"))
    access.pointed_at = AccessibleElement(role="text", name="Note", value="xqzw")
    recording.do('(10,10) L ~900ms "xqzw" ~100ms Tab', 2)
    recording.session.stop()
    assert [step.focused.value for step in recording.demo().steps if step.focused] == ["", "", ""]
    assert [step.pointed.value for step in recording.demo().steps if step.pointed] == [""]
    assert traces(recording.library.folder, "xqzw") == []


def test_the_film_stops_while_text_is_held_back(library: Library) -> None:
    studio = Studio(library, settings=SETTINGS.model_copy(update={"timeline": True}))
    studio.session.start()
    studio.screen.show(1)
    studio.session.hold_text(True)
    until(lambda: studio.session.holds_text, "not held back")
    for _ in range(5):  # the order to go on may come at any time within a turn of the recording
        studio.screen.show(2)
        studio.screen.show(3)
    studio.session.hold_text(False)
    until(lambda: not studio.session.holds_text, "still held back")
    studio.screen.show(4)
    studio.session.stop()
    film = library.timeline(studio.session.demo_id)
    shown = [int(library.get_image(picture.frame.id)[0, 0, 0]) for picture in film]
    assert {1, 4} <= set(shown)
    assert 2 not in shown
    assert shown.count(3) <= 1, "at most as it was when the person let texts be stored again"


def test_where_nobody_tells_everything_is_held_back_if_that_is_wanted(library: Library) -> None:
    access = HandAccess()
    access.answers = False
    privacy = PrivacySettings(hold_unknown=True)
    studio = Studio(library, access=access, settings=SETTINGS.model_copy(update={"privacy": privacy}))
    studio.session.start()
    told(studio, ABSENT_HELD)
    studio.do(KEYS, 2)
    studio.session.stop()
    assert studio.words() == ["Typed “<secret:text>”", "Finished the task"]
    never_typed(studio, CANARY)


def test_input_that_ends_is_told_and_ends_the_recording_with_its_steps(recording: Studio) -> None:
    recording.do("F5", 2)
    recording.inputs.failure = CaptureError("Keyboard and mouse can no longer be watched.", hint="Start a new one.")
    told(recording, "no longer be watched")
    recording.wait(recording.states, 3)
    assert recording.session.error is recording.inputs.failure
    assert recording.words() == ["Pressed F5"]
    assert recording.demo().head.status == "partial"


def test_an_event_that_could_not_be_read_is_told(recording: Studio) -> None:
    recording.inputs.unreadable = 1
    told(recording, "1 input event could not be read; a step may be missing.")


def test_a_source_that_cannot_be_stopped_costs_nothing(recording: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise RuntimeError("cannot join thread before it is started")

    recording.do("F5", 2)
    monkeypatch.setattr(recording.inputs, "stop", fail)
    recording.session.stop()
    assert recording.words() == ["Pressed F5"]
    assert recording.demo().head.status == "partial"
    assert recording.session.state == "stopped"
    second = Studio(recording.library)
    second.session.start()
    second.session.stop()
