"""What is told about a gesture beside its pixels."""

from __future__ import annotations

from demopack.domain.events import InputEvent
from demopack.domain.steps import AccessibleElement
from demopack.settings import PrivacySettings
from recorder.backends.base import ClipboardSource, PingSource
from recorder.pairing import Draft
from recorder.reduction.gestures import Gesture, GestureKind
from recorder.surroundings import Surroundings, Witness
from tests.support.hand_access import HandAccess

_FIELD = AccessibleElement(role="text", name="Name", value="old")
_SECRET = AccessibleElement(role="password text", name="Key", secure=True)
_BUTTON = AccessibleElement(role="push button", name="Send")


class _Clipboard(ClipboardSource):
    """``was`` was there before, ``new`` was put there meanwhile."""

    def start(self) -> None:
        return

    def stop(self) -> None:
        return

    def text_at(self, t_ns: int) -> str | None:
        return f"was at {t_ns}"

    def put_between(self, started_ns: int, ended_ns: int) -> str | None:
        return f"new in {started_ns} to {ended_ns}"


def _draft(kind: GestureKind, *, text: str = "", key: str = "") -> Draft:
    start = InputEvent(kind="down" if kind == "click" else "key_down", t_ns=100, x=5, y=6)
    gesture = Gesture(kind=kind, first=0, last=1, start=start, events=(start,), x=5, y=6, text=text, key_info=key)
    return Draft(
        gesture=gesture, before=None, changed_before_event=None, after=None, settled=None, last_ns=200, until_ns=260
    )


def _access(element: AccessibleElement | None = _FIELD, *, since: int = 0) -> HandAccess:
    access = HandAccess()
    access.focus(since, element)
    access.pointed_at = _BUTTON
    return access


def test_a_click_tells_both_elements_and_waits_for_the_news() -> None:
    access = _access()
    found = Witness(access, settings=PrivacySettings()).describe(_draft("click"))
    assert found == Surroundings(focused=_FIELD, pointed=_BUTTON)
    assert access.caught_up == 1


def test_keys_have_no_element_under_the_pointer() -> None:
    found = Witness(_access(), settings=PrivacySettings()).describe(_draft("press_key", key="Tab"))
    assert (found.focused, found.pointed) == (_FIELD, None)


def test_the_text_that_the_field_got() -> None:
    access = _access()
    access.change = ("", "привет")
    witness = Witness(access, settings=PrivacySettings())
    assert witness.describe(_draft("type", text="privet")).text == "привет"
    assert witness.describe(_draft("type", text="привет")).text is None
    assert witness.describe(_draft("click")).text is None


def test_late_news_of_the_focus_belong_to_the_typing() -> None:
    access = _access(_BUTTON)
    access.focus(150, _FIELD)
    access.change = ("before", "before it")
    found = Witness(access, settings=PrivacySettings()).describe(_draft("type", text=" it"))
    assert found.focused == _FIELD.model_copy(update={"value": "before"})


def test_of_a_secret_nothing_is_told() -> None:
    access = _access(_SECRET)
    access.change = ("", "привет")
    settings = PrivacySettings(clipboard=True, paste_as_text=True)
    witness = Witness(access, settings=settings, clipboard=_Clipboard())
    assert witness.describe(_draft("type", text="privet")) == Surroundings(focused=_SECRET)
    assert witness.describe(_draft("press_key", key="Ctrl+V")) == Surroundings(focused=_SECRET)


def test_the_clipboard_only_if_asked_for() -> None:
    paste, copy = _draft("press_key", key="Ctrl+V"), _draft("press_key", key="Ctrl+C")
    off = Witness(_access(), settings=PrivacySettings(), clipboard=_Clipboard())
    assert (off.describe(paste).clipboard, off.describe(paste).text) == (None, None)
    kept = Witness(_access(), settings=PrivacySettings(clipboard=True), clipboard=_Clipboard())
    assert (kept.describe(paste).clipboard, kept.describe(paste).text) == ("was at 100", None)
    assert (kept.describe(copy).clipboard, kept.describe(copy).text) == ("new in 100 to 260", None)
    typed = Witness(_access(), settings=PrivacySettings(paste_as_text=True), clipboard=_Clipboard())
    assert (typed.describe(paste).clipboard, typed.describe(paste).text) == (None, "was at 100")
    assert typed.describe(copy).text is None


def test_without_accessibility_only_the_clipboard() -> None:
    settings = PrivacySettings(accessibility=False, clipboard=True)
    access = _access()
    assert Witness(access, settings=settings).describe(_draft("click")) == Surroundings()
    assert access.caught_up == 0
    found = Witness(None, settings=settings, clipboard=_Clipboard()).describe(_draft("press_key", key="Ctrl+V"))
    assert found == Surroundings(clipboard="was at 100")


def test_of_a_long_text_the_beginning() -> None:
    access = _access(_FIELD.model_copy(update={"value": "x" * 5000}))
    found = Witness(access, settings=PrivacySettings()).describe(_draft("click"))
    assert found.focused is not None
    assert found.focused.value == "x" * 1000


class _Pings(PingSource):
    """Says no."""

    def start(self) -> None:
        return

    def stop(self) -> None:
        return

    def ask(self, t_ns: int, at: tuple[int, int] | None) -> None:
        raise AssertionError((t_ns, at))

    def responded(self, started_ns: int, ended_ns: int) -> bool | None:
        assert started_ns <= ended_ns
        return False


def test_whether_the_program_responded_and_its_fields_are_known() -> None:
    access = _access()
    access.known = False
    found = Witness(access, settings=PrivacySettings(), pings=_Pings()).describe(_draft("click"))
    assert (found.responded, found.fields_known) == (False, False)
    found = Witness(access, settings=PrivacySettings(accessibility=False), pings=_Pings()).describe(_draft("click"))
    assert (found.responded, found.fields_known) == (False, None), "it is seen without accessibility, too"
    found = Witness(access, settings=PrivacySettings(), pings=_Pings()).describe(_draft("wait"))
    assert found.responded is None, "a wait is done to no program"
