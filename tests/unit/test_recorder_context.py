"""The context of a gesture: what programs report, when they are asked, and the text that a field really got."""

from __future__ import annotations

import pytest

from demopack.domain.events import InputEvent
from demopack.domain.steps import AccessibleElement
from demopack.reduction.gestures import Gesture, GestureKind
from demopack.reduction.steps import PendingStep
from demopack.settings import PrivacySettings
from recorder.backends.base import AccessSource
from recorder.context import AccessibilityQueries, ContextProvider, GestureContext, inserted, read_back
from tests.support.hand_access import HandAccess
from tests.support.notation import parse_events

_FIELD = AccessibleElement(role="text", name="Name", value="old")
_SECRET = AccessibleElement(role="password text", name="Key", secure=True)
_BUTTON = AccessibleElement(role="push button", name="Send")


class _Clipboard:
    """``was`` was there before, ``new`` was put there meanwhile."""

    def put_between(self, started_ns: int, ended_ns: int) -> str | None:
        return f"new in {started_ns} to {ended_ns}" if started_ns else f"was at {ended_ns}"


def _draft(kind: GestureKind, *, text: str = "", key: str = "") -> PendingStep:
    start = InputEvent(kind="down" if kind == "click" else "key_down", t_ns=100, x=5, y=6)
    gesture = Gesture(kind=kind, first=0, last=1, start=start, events=(start,), x=5, y=6, text=text, key_info=key)
    return PendingStep(
        gesture=gesture, before=None, changed_before_event=None, after=None, settled=None, last_ns=200, until_ns=260
    )


def _access(element: AccessibleElement | None = _FIELD, *, since: int = 0) -> HandAccess:
    access = HandAccess()
    access.focus(since, element)
    access.pointed_at = _BUTTON
    return access


def test_a_click_tells_both_elements_and_waits_for_the_news() -> None:
    access = _access()
    found = ContextProvider(access, settings=PrivacySettings()).describe(_draft("click"))
    assert found == GestureContext(focused=_FIELD, pointed=_BUTTON)
    assert access.caught_up == 1


def test_keys_have_no_element_under_the_pointer() -> None:
    found = ContextProvider(_access(), settings=PrivacySettings()).describe(_draft("press_key", key="Tab"))
    assert (found.focused, found.pointed) == (_FIELD, None)


def test_the_text_that_the_field_got() -> None:
    access = _access()
    access.change = ("", "привет")
    witness = ContextProvider(access, settings=PrivacySettings())
    assert witness.describe(_draft("type", text="privet")).text == "привет"
    assert witness.describe(_draft("type", text="привет")).text is None
    assert witness.describe(_draft("click")).text is None


def test_late_news_of_the_focus_belong_to_the_typing() -> None:
    access = _access(_BUTTON)
    access.focus(150, _FIELD)
    access.change = ("before", "before it")
    found = ContextProvider(access, settings=PrivacySettings()).describe(_draft("type", text=" it"))
    assert found.focused == _FIELD.model_copy(update={"value": "before"})


def test_of_a_secret_nothing_is_told() -> None:
    access = _access(_SECRET)
    access.change = ("", "привет")
    settings = PrivacySettings(clipboard=True, paste_as_text=True)
    witness = ContextProvider(access, settings=settings, clipboard=_Clipboard())
    assert witness.describe(_draft("type", text="privet")) == GestureContext(focused=_SECRET)
    assert witness.describe(_draft("press_key", key="Ctrl+V")) == GestureContext(focused=_SECRET)


def test_the_clipboard_only_if_asked_for() -> None:
    paste, copy = _draft("press_key", key="Ctrl+V"), _draft("press_key", key="Ctrl+C")
    off = ContextProvider(_access(), settings=PrivacySettings(), clipboard=_Clipboard())
    assert (off.describe(paste).clipboard, off.describe(paste).text) == (None, None)
    kept = ContextProvider(_access(), settings=PrivacySettings(clipboard=True), clipboard=_Clipboard())
    assert (kept.describe(paste).clipboard, kept.describe(paste).text) == ("was at 100", None)
    assert (kept.describe(copy).clipboard, kept.describe(copy).text) == ("new in 100 to 260", None)
    typed = ContextProvider(_access(), settings=PrivacySettings(paste_as_text=True), clipboard=_Clipboard())
    assert (typed.describe(paste).clipboard, typed.describe(paste).text) == (None, "was at 100")
    assert typed.describe(copy).text is None


def test_without_accessibility_only_the_clipboard() -> None:
    settings = PrivacySettings(accessibility=False, clipboard=True)
    access = _access()
    assert ContextProvider(access, settings=settings).describe(_draft("click")) == GestureContext()
    assert access.caught_up == 0
    found = ContextProvider(AccessSource(), settings=settings, clipboard=_Clipboard()).describe(
        _draft("press_key", key="Ctrl+V")
    )
    assert found == GestureContext(clipboard="was at 100")


def test_of_a_long_text_the_beginning() -> None:
    access = _access(_FIELD.model_copy(update={"value": "x" * 5000}))
    found = ContextProvider(access, settings=PrivacySettings()).describe(_draft("click"))
    assert found.focused is not None
    assert found.focused.value == "x" * 1000


class _Pings:
    """Says no."""

    def ask(self, t_ns: int, at: tuple[int, int] | None) -> None:
        raise AssertionError((t_ns, at))

    def responded(self, started_ns: int, ended_ns: int) -> bool | None:
        assert started_ns <= ended_ns
        return False


def test_whether_the_program_responded_and_its_fields_are_known() -> None:
    access = _access()
    access.known = False
    found = ContextProvider(access, settings=PrivacySettings(), pings=_Pings()).describe(_draft("click"))
    assert (found.responded, found.fields_known) == (False, False)
    found = ContextProvider(access, settings=PrivacySettings(accessibility=False), pings=_Pings()).describe(
        _draft("click")
    )
    assert (found.responded, found.fields_known) == (False, None), "it is seen without accessibility, too"
    found = ContextProvider(access, settings=PrivacySettings(), pings=_Pings()).describe(_draft("wait"))
    assert found.responded is None, "a wait is done to no program"


class Asked(HandAccess):
    def __init__(self) -> None:
        super().__init__()
        self.places: list[tuple[int, int]] = []

    def ask(self, x: int, y: int) -> None:
        self.places.append((x, y))


def asked(events: str, *, rests: bool) -> list[tuple[int, int]]:
    access = Asked()
    asking = AccessibilityQueries(access)
    for event in parse_events(events):
        asking.note(event)
        if rests:
            asking.poll(event.t_ns + 100_000_000)
    return access.places


def test_a_rest_is_asked_about_once_and_answers_the_press() -> None:
    assert asked("(10,10) (20,20) L+ L-", rests=True) == [(10, 10), (20, 20)]


def test_a_press_without_a_rest_is_asked_about_itself() -> None:
    assert asked("(10,10) (20,20) L+ L-", rests=False) == [(20, 20)]


def test_the_second_press_at_a_place_is_asked_about_anew() -> None:
    assert asked("(20,20) L L", rests=False) == [(20, 20), (20, 20)]


def test_the_wheel_and_nothing_else_asks_too() -> None:
    assert asked("(20,20) w-1 a", rests=False) == [(20, 20)]


def test_presses_releases_and_keys_are_noted_for_programs_that_do_not_tell_of_the_focus() -> None:
    access = HandAccess()
    asking = AccessibilityQueries(access)
    events = parse_events("(10,10) L+ L- w-1 a")
    for event in events:
        asking.note(event)
    assert access.inputs == [event for event in events if event.kind in {"down", "up", "key_down"}]
    assert len(access.inputs) == 3


def test_a_pointer_on_its_way_is_waited_for() -> None:
    asking = AccessibilityQueries(Asked())
    (move,) = parse_events("(10,10)")
    assert not asking.is_waiting
    asking.note(move)
    assert asking.is_waiting
    asking.poll(move.t_ns + 10_000_000)
    assert asking.is_waiting, "it has not rested yet"
    asking.poll(move.t_ns + 100_000_000)
    assert not asking.is_waiting


def test_without_accessibility_nobody_is_asked() -> None:
    asking = AccessibilityQueries(AccessSource())
    for event in parse_events("(10,10) L"):
        asking.note(event)
    asking.poll(2**62)
    assert not asking.is_waiting


class _AskedPings:
    def __init__(self) -> None:
        self.asked: list[tuple[int, int] | None] = []

    def ask(self, t_ns: int, at: tuple[int, int] | None) -> None:
        assert t_ns
        self.asked.append(at)

    def responded(self, started_ns: int, ended_ns: int) -> bool | None:
        raise AssertionError((started_ns, ended_ns))


def test_every_press_and_key_asks_whether_the_program_responds() -> None:
    pings = _AskedPings()
    asking = AccessibilityQueries(AccessSource(), pings)
    for event in parse_events("(10,10) (20,20) L a w-1"):
        asking.note(event)
    assert pings.asked == [(20, 20), None, (20, 20)]


@pytest.mark.parametrize(
    ("typed", "before", "after"),
    [
        ("hello", "", "hello"),
        ("hello", "", "Hello"),  # capitalised
        ("exa", "", "example.com"),  # completed
        ("12345678", "", "12/34/5678"),  # formatted
        ("12a34", "", "1234"),  # a character was rejected
        ("b", "ab", "abb"),
        ("secret", "", ""),  # nothing came
        ("b", "abc", "ac"),
        ("cafe\u0301", "", "caf\u00e9"),
        ("ls", "", "x" * 400),  # a terminal's answer
        ("Two lamps.", "Notes\n\nWrite here.", "Notes\n\nTwo lamps."),  # what was selected ended alike
    ],
)
def test_the_keys_are_right(typed: str, before: str, after: str) -> None:
    assert read_back(typed, before=before, after=after) is None


@pytest.mark.parametrize(
    ("typed", "before", "after", "text"),
    [
        ("privet", "", "привет", "привет"),
        ("privet", "Я: !", "Я: привет!", "привет"),
        ("nihao", "", "你好", "你好"),
        ("ka", "かき", "かかき", "か"),
        ("teh cat", "", "the cat", "the cat"),  # corrected
        ("caf\ufffd", "", "café", "café"),
        ("privet", "прибой", "привет", "привет"),  # all was selected, and both begin alike
        ("privet", "букет", "привет", "привет"),
    ],
)
def test_the_field_is_right(typed: str, before: str, after: str, text: str) -> None:
    assert read_back(typed, before=before, after=after) == text


def test_what_was_put_in() -> None:
    assert inserted("ab", "aXb", typed_length=1) == "X"
    assert inserted("aa", "aaa", typed_length=1) == "a"
    assert inserted("abc", "abc", typed_length=3) == ""
    assert inserted("", "", typed_length=0) == ""
