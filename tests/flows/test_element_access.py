"""The accessibility sources of Windows and macOS, held to the promises of their port.

The system's own functions are stand-ins; nobody has run demopack on either system.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator

import pytest

from demopack.clock import now_ns
from demopack.domain.events import InputEvent
from demopack.domain.geometry import Rect
from demopack.settings import PrivacySettings
from demopack.store import Library
from recorder.backends import element_access, open_access
from recorder.backends.base import AccessSource
from recorder.backends.element_access import SILENT
from recorder.backends.macos import elements
from recorder.privacy.text_hold import ABSENT_HELD, ABSENT_STORED, LOST_HELD
from tests.support.desktop_programs import until
from tests.support.leaks import traces
from tests.support.macos_system import MacSystem
from tests.support.studio import SETTINGS, Studio
from tests.support.told_fields import WAIT_S, Field, ToldFields
from tests.support.windows_system import Window, WindowsSystem

SECRET = "Zq7wX-39Lm"


def _fields() -> tuple[Field, Field]:
    return Field("Name", value="Ada"), Field("Master password:", secure=True, box=Rect(10, 60, 110, 80))


@pytest.fixture(params=[WindowsSystem, MacSystem], ids=["windows", "macos"])
def system(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[ToldFields]:
    made: ToldFields = request.param(monkeypatch)
    yield made
    made.release()
    for thread in threading.enumerate():
        if thread.name.startswith("accessibility"):
            thread.join(WAIT_S)
            assert not thread.is_alive()


@pytest.fixture
def access(system: ToldFields) -> Iterator[AccessSource]:
    source = open_access()
    assert not source.available
    assert source.has_begun, "before it is started there is nothing to wait for"
    source.start()
    assert source.catch_up(timeout_s=WAIT_S) or _began(source)
    yield source
    system.release()
    source.stop()
    source.stop()
    assert not source.available


def _began(source: AccessSource) -> bool:
    until(lambda: source.available, "the layer was not opened")
    return source.catch_up(timeout_s=WAIT_S)


def act(access: AccessSource, kind: str, *, key: str = "") -> int:
    """An input of now, as the session's thread notes it."""
    event = InputEvent(t_ns=now_ns(), kind=kind, x=1, y=1, key=key)  # type: ignore[arg-type]
    access.note_input(event)
    return event.t_ns


def follow(access: AccessSource, moved_ns: int = 0) -> None:
    """Until an answer has been kept that is younger than this call, and proves where the focus has gone."""
    until(lambda: access.catch_up(timeout_s=WAIT_S), "no answer")
    until(lambda: not access.unknown_between(now_ns(), now_ns(), moved_ns=moved_ns), "no proof")
    assert access.catch_up(timeout_s=WAIT_S)


def test_what_has_the_input_is_told_with_its_value_and_a_secure_field_without(
    system: ToldFields, access: AccessSource
) -> None:
    system.focused = Field("Name", value="Ada")
    follow(access, act(access, "down"))
    found = access.focused(now_ns())
    assert found is not None
    assert (found.name, found.value, found.box, found.secure) == ("Name", "Ada", Rect(10, 20, 110, 40), False)
    assert found.app == "mail"
    assert "enabled" in found.states
    started = act(access, "key_down", key="Tab")
    system.focused = Field("Master password:", secure=True, value=SECRET)
    follow(access, started)
    found = access.focused(now_ns())
    assert found is not None
    assert (found.role, found.value, found.secure) == ("password text", "", True)
    assert access.secure_between(started + 2, now_ns()) == found
    assert access.text_change(now_ns(), now_ns()) is None
    assert access.problems == []


def test_a_field_that_had_the_input_before_the_password_field_keeps_its_text(
    system: ToldFields, access: AccessSource
) -> None:
    system.focused, key = _fields()
    moved = act(access, "down")
    follow(access, moved)
    first, last = act(access, "key_down", key="a"), act(access, "key_down", key="b")
    follow(access, moved)
    left = act(access, "key_down", key="Tab")
    system.focused = key
    follow(access, left)
    assert access.secure_between(first, left) is None
    assert not access.unknown_between(first, last, moved_ns=moved)
    assert access.secure_between(left + 2, now_ns()) is not None


def test_an_answer_that_comes_late_makes_everything_secret_that_was_typed_since_the_focus_may_have_moved(
    system: ToldFields, access: AccessSource
) -> None:
    name, key = _fields()
    system.focused = name
    follow(access, act(access, "down"))
    with system.hanging():
        moved = act(access, "key_down", key="Tab")
        first, last = act(access, "key_down", key="a"), act(access, "key_down", key="b")
        system.focused = key
        system.wait(lambda: system.waiting > 0)
        assert access.secure_between(first, last) is None
        assert access.unknown_between(first, last, moved_ns=moved)
    follow(access)
    told = access.secure_between(first, last)
    assert told is not None
    assert told.name == "Master password:"


def test_no_answer_is_not_waited_for_twice_and_is_told(
    system: ToldFields, access: AccessSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    system.focused = Field("Name")
    monkeypatch.setattr(element_access, "_LATE_NS", 1_000_000)
    with system.hanging():
        moved = act(access, "down")
        system.wait(lambda: system.waiting > 0)
        until(lambda: not access.catch_up(timeout_s=0.001), "it was answered")
        started = now_ns()
        assert not access.catch_up(timeout_s=WAIT_S)
        assert now_ns() - started < 1e9 * WAIT_S / 2, "what is late is waited for no more"
        assert access.unknown_between(now_ns(), now_ns(), moved_ns=moved)
        assert access.fields_known(moved, now_ns()) is False
    until(lambda: any("answered late" in problem for problem in access.problems), "not told")


def test_questions_that_are_refused_prove_nothing(system: ToldFields, access: AccessSource) -> None:
    system.fails, asked = True, system.asked
    moved = act(access, "down")
    system.wait(lambda: system.asked >= asked + 3)
    assert access.unknown_between(now_ns(), now_ns(), moved_ns=moved)
    assert access.available
    system.fails = False
    follow(access, moved)


def test_an_answer_from_before_the_focus_may_have_moved_proves_nothing(
    system: ToldFields, access: AccessSource
) -> None:
    follow(access)
    with system.hanging():
        moved = now_ns() + 1
        assert access.unknown_between(moved + 1, moved + 2, moved_ns=moved)


def test_a_field_that_was_left_before_anybody_could_answer_is_unknown(system: ToldFields, access: AccessSource) -> None:
    with system.hanging():
        moved = act(access, "key_down", key="Tab")
        first = act(access, "key_down", key="a")
        left = act(access, "key_down", key="Tab")
    follow(access, left)
    assert access.unknown_between(first, first, moved_ns=moved)


def test_a_program_that_tells_of_no_element_proves_nothing_and_is_told(
    system: ToldFields, access: AccessSource
) -> None:
    system.focused, asked = None, system.asked
    moved = act(access, "down")
    system.wait(lambda: system.asked >= asked + 2)
    assert access.focused(now_ns()) is None
    assert access.unknown_between(now_ns(), now_ns(), moved_ns=moved)
    assert access.problems == [SILENT]
    system.focused = Field("Name")
    follow(access, act(access, "down"))
    assert access.problems == []


def test_our_own_windows_are_not_asked(system: ToldFields, access: AccessSource) -> None:
    system.focused = Field("Note", process=os.getpid())
    if isinstance(system, WindowsSystem):
        system.windows, system.front = [Window(handle=5, process=os.getpid())], 5
    moved = act(access, "down")
    follow(access, moved)
    assert access.focused(now_ns()) is None


def test_what_lies_under_the_pointer(system: ToldFields, access: AccessSource) -> None:
    system.under = Field("Send", box=Rect(200, 200, 260, 220))
    asked = now_ns()
    access.ask(210, 210)
    assert access.catch_up(timeout_s=WAIT_S)
    found = access.pointed(210, 210, now_ns())
    assert found is not None
    assert (found.name, found.box) == ("Send", Rect(200, 200, 260, 220))
    assert access.pointed(10, 10, now_ns()) is None
    assert access.secure_boxes(asked, now_ns()) == ()
    system.under = Field("PIN", secure=True, box=Rect(200, 200, 260, 220))
    access.ask(210, 210)
    assert access.catch_up(timeout_s=WAIT_S)
    assert access.secure_boxes(asked, now_ns()) == (Rect(200, 200, 260, 220),)


def test_a_secure_field_is_covered_where_it_goes_until_it_is_gone(system: ToldFields, access: AccessSource) -> None:
    _, key = _fields()
    system.focused = key
    follow(access, act(access, "down"))
    system.focused = Field("Name")
    key.box = Rect(10, 160, 110, 180)
    follow(access)
    until(lambda: key.box in access.secure_boxes(now_ns(), now_ns()), "its new place is not known")
    # Its letters are shown for a moment: it is no password for the system then.
    key.secure, key.box = False, Rect(10, 190, 110, 210)
    follow(access)
    until(lambda: key.box in access.secure_boxes(now_ns(), now_ns()), "its letters can be read")
    key.gone = True
    follow(access)
    until(lambda: access.secure_boxes(now_ns(), now_ns()) == (), "it is gone")


def test_the_text_of_an_input_method_is_read_back(system: ToldFields, access: AccessSource) -> None:
    field = Field("Name", value="a")
    system.focused = field
    follow(access, act(access, "down"))
    first = act(access, "key_down", key="z")
    act(access, "key_down", key="h")
    last = act(access, "key_down", key="Space")
    field.value = "a中"
    follow(access)
    assert access.text_change(first, max(last, now_ns())) == ("a", "a中")


def test_a_thread_that_hangs_in_the_system_is_replaced_and_at_last_given_up(
    system: ToldFields, access: AccessSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(element_access, "_STUCK_NS", 1_000_000)
    opened = system.opened
    with system.hanging():
        act(access, "down")
        system.wait(lambda: system.waiting > 0)
        until(lambda: not access.available, "a layer that never answers again counts as there")
        assert access.has_begun
    until(lambda: system.opened > opened, "no other thread went on")


def test_the_system_is_told_how_long_we_wait(system: ToldFields, access: AccessSource) -> None:
    follow(access)
    timeouts = getattr(system, "timeouts")  # noqa: B009 - of either system
    assert set(timeouts) == ({250} if isinstance(system, WindowsSystem) else {0.25})


def test_a_layer_that_does_not_open_costs_only_itself(system: ToldFields, monkeypatch: pytest.MonkeyPatch) -> None:
    system.fails = True
    if isinstance(system, MacSystem):
        system.permitted["AXIsProcessTrusted"] = False
    source = open_access()
    source.start()
    until(lambda: source.has_begun, "nobody can know")
    assert not source.available
    assert not source.unknown_between(1, 2)
    source.stop()


def test_what_is_typed_before_it_is_known_whether_programs_can_be_asked_is_not_judged_before(
    system: ToldFields, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, key = _fields()
    system.focused = key
    wait = element_access._ReaderThread.wait_begun

    def released(thread: element_access._ReaderThread, timeout_s: float) -> bool:
        system.release()
        return wait(thread, timeout_s)

    monkeypatch.setattr(element_access._ReaderThread, "wait_begun", released)
    source = open_access()
    with system.hanging():
        source.start()
        typed = act(source, "key_down", key="a")
        assert source.unknown_between(typed, typed) or source.secure_between(typed, typed) is not None
    source.stop()


# Windows alone ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("system", [WindowsSystem], indirect=True, ids=["windows"])
def test_an_event_of_the_focus_proves_a_secure_field_at_once_and_an_ordinary_one_never(
    system: WindowsSystem, access: AccessSource
) -> None:
    _, key = _fields()
    with system.hanging():
        moved = act(access, "key_down", key="Tab")
        system.tell_focus(key)
        typed = act(access, "key_down", key="a")
        found = access.secure_between(typed, typed)
        assert found is not None
        assert found.name == "Master password:"
        # It may be about the move before, and come late.
        moved = act(access, "key_down", key="Tab")
        system.tell_focus(Field("Note"))
        told = now_ns()
        assert access.unknown_between(told, told, moved_ns=moved)
    assert set(system.apartments) == {0}, "the multi-threaded apartment"


@pytest.mark.parametrize("system", [WindowsSystem], indirect=True, ids=["windows"])
def test_a_browser_that_has_not_made_its_elements_yet_proves_nothing(
    system: WindowsSystem, access: AccessSource
) -> None:
    system.focused, asked = Field("Log in", kind=50033, class_name="Chrome_WidgetWin_1", process=702), system.asked
    moved = act(access, "down")
    system.wait(lambda: system.asked >= asked + 3)
    assert access.unknown_between(now_ns(), now_ns(), moved_ns=moved)
    system.focused.kind = 50004
    follow(access, moved)


@pytest.mark.parametrize("system", [WindowsSystem], indirect=True, ids=["windows"])
def test_a_program_with_administrator_rights_is_told(system: WindowsSystem, access: AccessSource) -> None:
    system.windows, system.front = [Window(handle=5, process=701)], 5
    for rights in (system.elevated, system.denied):
        rights.add(701)
        until(lambda: any("administrator" in problem for problem in access.problems), "not told")
        assert access.problems[0].startswith("“KeePassXC” has administrator")
        rights.clear()
        until(lambda: access.problems == [], "told for ever")


# macOS alone ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("system", [MacSystem], indirect=True, ids=["macos"])
def test_secure_input_is_a_witness_for_a_field_that_does_not_say_that_it_is_secure(
    system: MacSystem, access: AccessSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(elements, "_STUCK_INPUT_NS", 0)
    system.secure_input, system.secure_by = True, 701
    moved = act(access, "down")
    follow(access, moved)
    assert access.secure_between(moved + 2, now_ns()) is not None
    assert access.secure_boxes(moved, now_ns()) == (), "some other program may have switched it on"
    until(lambda: any("“vault” has switched secure input on" in one for one in access.problems), "not told")
    system.secure_input = False
    follow(access)
    until(lambda: access.problems == [], "told for ever")


@pytest.mark.parametrize("system", [MacSystem], indirect=True, ids=["macos"])
def test_a_program_that_tells_nothing_at_once_is_not_late_proves_nothing_and_is_asked_to_tell(
    system: MacSystem, access: AccessSource
) -> None:
    system.focused, asked = Field("Editor", tells_nothing=True, process=799), system.asked
    moved = act(access, "down")
    system.wait(lambda: system.asked >= asked + 2)
    assert access.problems == [SILENT]
    assert access.unknown_between(now_ns(), now_ns(), moved_ns=moved)
    assert 799 in system.asked_to_tell


@pytest.mark.parametrize("system", [MacSystem], indirect=True, ids=["macos"])
def test_an_element_that_is_gone_before_it_has_told_what_it_is_proves_nothing(
    system: MacSystem, access: AccessSource
) -> None:
    system.focused, asked = Field("Password", secure=True, gone=True), system.asked
    moved = act(access, "key_down", key="Tab")
    system.wait(lambda: system.asked >= asked + 2)
    assert access.unknown_between(now_ns(), now_ns(), moved_ns=moved)


# From the field to the disk -----------------------------------------------------------------------------------------


def studio(library: Library, **privacy: bool) -> Studio:
    settings = SETTINGS.model_copy(update={"privacy": PrivacySettings(**privacy)})
    return Studio(library, access=open_access(), settings=settings)


def deliver(made: Studio, kind: str, *, key: str = "", char: str = "") -> None:
    """As the hook does: it returns at once, or the test does not go on."""
    button = "left" if kind in {"down", "up"} else None
    event = InputEvent(t_ns=now_ns(), kind=kind, x=20, y=30, key=key, char=char, button=button)  # type: ignore[arg-type]
    assert made.inputs._callback is not None
    made.inputs._callback(event)


def settle(made: Studio) -> None:
    """Until the programs have answered who has the input after what was done last."""
    follow(made.session._sources.access, now_ns())


def press(made: Studio, key: str) -> None:
    deliver(made, "key_down", key=key)
    deliver(made, "key_up", key=key)


def write(made: Studio, text: str) -> None:
    for char in text:
        deliver(made, "key_down", key=char.lower(), char=char)
        deliver(made, "key_up", key=char.lower())


def texts(made: Studio) -> list[str]:
    return [str(step.action.typed_text) for step in made.demo().steps if step.action.typed_text]


def test_a_password_is_stored_as_a_secret_and_a_name_as_it_is(system: ToldFields, library: Library) -> None:
    name, key = _fields()
    system.focused = name
    made = studio(library)
    made.session.start()
    deliver(made, "down")
    deliver(made, "up")
    settle(made)
    write(made, "Ada")
    settle(made)
    press(made, "Tab")
    system.focused = key
    settle(made)
    write(made, SECRET)
    settle(made)
    made.session.stop()
    assert texts(made) == ["Ada", "<secret:master_password>"]
    assert not traces(library.folder, SECRET)
    assert made.session.counters.events_dropped == 0


@pytest.mark.parametrize("answer", ["late", "never"])
def test_a_password_whose_field_is_told_late_or_never_is_stored_as_a_secret_and_the_hook_never_waits(
    system: ToldFields, library: Library, answer: str
) -> None:
    name, key = _fields()
    system.focused = name
    made = studio(library)
    made.session.start()
    settle(made)
    with system.hanging():
        press(made, "Tab")
        system.focused = key
        write(made, SECRET)
        until(lambda: made.session.counters.events_seen == 2 + 2 * len(SECRET), "the hook waits")
        if answer == "never":
            made.session.stop()
    if answer == "late":
        made.session.stop()
    found = texts(made)
    assert len(found) == 1
    assert found[0].startswith("<secret:")
    assert not traces(library.folder, SECRET)


def test_a_layer_that_hangs_from_the_beginning_is_told_and_the_rule_for_unknown_fields_counts(
    system: ToldFields, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(element_access, "_BEGIN_NS", 1_000_000)
    with system.hanging():
        for hold in (True, False):
            made = studio(library, hold_unknown=hold)
            made.session.start()
            until(lambda: made.session.health == [ABSENT_HELD if hold else ABSENT_STORED], "not told")  # noqa: B023
            write(made, SECRET)
            made.session.stop()
            assert texts(made) == (["<secret:text>"] if hold else [SECRET])


def test_a_layer_that_dies_in_the_middle_holds_all_text_back(
    system: ToldFields, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = studio(library)
    made.session.start()
    settle(made)
    monkeypatch.setattr(element_access, "_STUCK_NS", 1_000_000)
    with system.hanging():
        press(made, "Tab")
        until(lambda: LOST_HELD in made.session.health, "not told")
        write(made, SECRET)
        made.session.stop()
    assert texts(made) == ["<secret:text>"]
    assert not traces(library.folder, SECRET)
