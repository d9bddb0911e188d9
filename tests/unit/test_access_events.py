"""The accessibility source on a bus that the test plays: events in, questions out, answers kept in their time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from demopack.domain.geometry import Rect
from recorder.backends.atspi.bus import OWNER_CHANGED, AccessEvent, BusQuery, Ref
from recorder.backends.atspi.element_queries import REGISTRY, ROOT_PATH
from recorder.backends.atspi.roles import PASSWORD_TEXT, ROOT_PANE
from recorder.backends.atspi.source import AtspiAccess

_APP = ":1.7"
_WINDOW, _ENTRY, _KEY = Ref(_APP, "/window"), Ref(_APP, "/entry"), Ref(_APP, "/key")
_SHOWN = [1 << 25 | 1 << 12 | 1 << 7, 0]
_PROCESS = 77
_STATE, _TEXT_ROLE, _UNKNOWN_ROLE, _TOO_MANY = "GetState", 61, 67, 100_000


class _Bus:
    """Two fields of one program; ``texts`` are their values, ``asked`` every question about them.

    Its window says that it has ``parts`` elements.
    """

    def __init__(self) -> None:
        self.on_event: Callable[[AccessEvent], None]
        self.texts = {_ENTRY: "", _KEY: "s3cret"}
        self.asked: list[tuple[Ref, str]] = []
        self.roles = {_KEY: PASSWORD_TEXT, _WINDOW: 23}
        self.parts = 2
        self.states = {_WINDOW: [1 << 25, 0]}
        self.rules: list[str] = []
        self.wanted: list[str] = []
        self.hangs = False
        self.late = 0
        self.gone: set[Ref] = set()
        self.is_open = True

    def ask(self, question: BusQuery, *, timeout_s: float = 1.0) -> tuple[Any, ...] | None:
        return self.ask_all([question], timeout_s=timeout_s)[0]

    def ask_all(self, questions: Sequence[BusQuery], *, timeout_s: float = 1.0) -> list[tuple[Any, ...] | None]:
        assert timeout_s > 0
        return [self._answer(question) for question in questions]

    def _answer(self, question: BusQuery) -> tuple[Any, ...] | None:
        ref, member = question.ref, question.member
        if member == "RegisterEvent":
            self.wanted.append(question.arguments[0])
        if member == "Get":
            member = question.arguments[1]
        if ref == REGISTRY:
            return {"GetChildren": ([(_APP, ROOT_PATH)],), "ChildCount": (("i", 1),)}.get(member)
        if member == "GetConnectionUnixProcessID":
            return (_PROCESS,)
        if ref.bus != _APP or self.hangs or ref in self.gone:
            return None
        self.asked.append((ref, member))
        assert member != "GetMatches"
        if ref.path == ROOT_PATH and member in {"GetChildren", "ChildCount"}:
            return {"GetChildren": ([tuple(_WINDOW)],), "ChildCount": (("i", 1),)}[member]
        if ref == _WINDOW and member in {"GetChildren", "ChildCount"}:
            return {"GetChildren": ([tuple(_ENTRY), tuple(_KEY)],), "ChildCount": (("i", self.parts),)}[member]
        box = (10, 20, 100, 30) if ref == _ENTRY else (10, 60, 100, 30)
        return {
            "GetRole": (self.roles.get(ref, _TEXT_ROLE),),
            _STATE: (self.states.get(ref, _SHOWN),),
            "GetInterfaces": (["org.a11y.atspi.Component", "org.a11y.atspi.Text"],),
            "GetExtents": (box,),
            "Name": (("s", "app" if ref.path == ROOT_PATH else ref.path[1:]),),
            "CharacterCount": (("i", len(self.texts.get(ref, ""))),),
            "GetText": (self.texts.get(ref, ""),),
        }.get(member)

    def ping_all(self, programs: Sequence[str], *, timeout_s: float) -> bool:
        assert timeout_s >= 0
        return bool(programs) and not self.hangs

    def is_silent(self, bus: str) -> bool:
        return self.hangs and bus == _APP

    def wait_until_late(self, bus: str) -> bool:
        return self.is_silent(bus)

    def is_late(self, bus: str) -> bool:
        return self.is_silent(bus)

    def times_late(self, bus: str) -> int:
        return self.late if bus == _APP else 0

    def kept_up_ns(self, bus: str) -> int | None:
        assert bus == _APP
        return None

    def listen(self, rule: str) -> None:
        self.rules.append(rule)

    def close(self) -> None:
        self.is_open = False

    def tell(self, ref: Ref, kind: str, detail: str = "", on: int = 1) -> int:
        """An event arrives; when it did."""
        now = time.monotonic_ns()
        self.on_event(AccessEvent(now, ref, kind, detail, on))
        return now


@pytest.fixture
def bus(monkeypatch: pytest.MonkeyPatch) -> _Bus:
    for name in ("DISPLAY", "DBUS_SESSION_BUS_ADDRESS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AT_SPI_BUS_ADDRESS", "unix:path=/nowhere")
    return _Bus()


@pytest.fixture
def access(bus: _Bus) -> Iterator[AtspiAccess]:
    def connect(address: str, on_event: Callable[[AccessEvent], None]) -> Any:
        assert address == "unix:path=/nowhere"
        bus.on_event = on_event
        return bus

    source = AtspiAccess(connect=connect)
    source.start()
    source._starter.join(timeout=10)
    yield source
    source.stop()


def test_the_focus_and_its_value_in_their_time(bus: _Bus, access: AtspiAccess) -> None:
    assert access.available
    focused = bus.tell(_ENTRY, "Object.StateChanged", "focused")
    assert access.catch_up(timeout_s=5)
    read = time.monotonic_ns()
    bus.texts[_ENTRY] = "Ada"
    bus.tell(_ENTRY, "Object.TextChanged", "insert", 0)
    assert access.catch_up(timeout_s=5)
    now = time.monotonic_ns()
    assert access.text_change(read, now) == ("", "Ada")
    element = access.focused(now)
    assert element is not None
    assert (element.role, element.name, element.value, element.app) == ("text", "entry", "Ada", "app")
    assert element.box == Rect(10, 20, 110, 50)
    assert access.focused(focused - 1) is None


def test_a_secret_is_never_asked_for(bus: _Bus, access: AtspiAccess) -> None:
    moved = bus.tell(_KEY, "Object.StateChanged", "focused")
    bus.tell(_KEY, "Object.TextChanged", "insert", 0)
    assert access.catch_up(timeout_s=5)
    now = time.monotonic_ns()
    secure = access.secure_between(moved, now)
    assert secure is not None
    assert (secure.role, secure.value, secure.secure) == ("password text", "", True)
    assert access.secure_boxes(now, now) == (Rect(10, 60, 110, 90),)
    assert (_KEY, "GetText") not in bus.asked
    assert (_KEY, "CharacterCount") not in bus.asked


def test_a_window_that_loses_the_input(bus: _Bus, access: AtspiAccess) -> None:
    bus.tell(_ENTRY, "Object.StateChanged", "focused")
    bus.tell(_ENTRY, "Object.StateChanged", "focused", 0)
    assert access.catch_up(timeout_s=5)
    assert access.focused(time.monotonic_ns()) is not None, "what loses the focus says so too; that alone means nothing"
    left = bus.tell(Ref(_APP, "/window"), "Window.Deactivate")
    assert access.catch_up(timeout_s=5)
    assert access.focused(left) is None
    bus.tell(Ref(REGISTRY.bus, "/x"), "Object.StateChanged", "focused")
    assert access.focused(time.monotonic_ns()) is None


def test_what_got_the_input_is_looked_for_where_only_its_loss_was_told(
    bus: _Bus, access: AtspiAccess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("recorder.backends.atspi.source._GAIN_NS", 0)
    bus.tell(_ENTRY, "Object.StateChanged", "focused")
    assert access.catch_up(timeout_s=5)
    bus.states |= {_WINDOW: [1 << 25 | 1 << 1, 0], _ENTRY: [1 << 25, 0]}
    bus.tell(_ENTRY, "Object.StateChanged", "focused", 0)
    assert access.catch_up(timeout_s=5)
    assert access.catch_up(timeout_s=5)
    element = access.focused(time.monotonic_ns())
    assert element is not None
    assert element.name == "key"


def test_a_root_pane_that_is_told_to_have_the_input_stands_for_what_has_it_in_it(
    bus: _Bus, access: AtspiAccess
) -> None:
    bus.roles[_WINDOW] = ROOT_PANE
    bus.states[_ENTRY] = [1 << 25, 0]
    bus.tell(_WINDOW, "Object.StateChanged", "focused")
    assert access.catch_up(timeout_s=5)
    element = access.focused(time.monotonic_ns())
    assert element is not None
    assert element.name == "key"


def test_a_root_pane_in_which_nothing_has_the_input_yet_is_looked_through_again_and_not_for_ever(
    bus: _Bus, access: AtspiAccess
) -> None:
    bus.roles[_WINDOW] = ROOT_PANE
    bus.states |= {_ENTRY: [1 << 25, 0], _KEY: [1 << 25, 0]}
    bus.tell(_WINDOW, "Object.StateChanged", "focused")
    assert access.catch_up(timeout_s=5)
    element = access.focused(time.monotonic_ns())
    assert element is not None
    assert element.name == "window"
    bus.states[_KEY] = _SHOWN
    assert access.catch_up(timeout_s=5)
    assert access.catch_up(timeout_s=5)
    element = access.focused(time.monotonic_ns())
    assert element is not None
    assert element.name == "key"
    bus.states[_KEY] = [1 << 25, 0]
    bus.tell(_WINDOW, "Object.StateChanged", "focused")
    for _ in range(9):
        assert access.catch_up(timeout_s=5)
    asked = bus.asked.count((_WINDOW, "GetRole"))
    assert access.catch_up(timeout_s=5)
    assert access.catch_up(timeout_s=5)
    assert bus.asked.count((_WINDOW, "GetRole")) == asked


def test_a_hanging_program_is_said_and_not_waited_for(bus: _Bus, access: AtspiAccess) -> None:
    assert access.catch_up(timeout_s=5)
    bus.hangs = True
    assert not access.catch_up(timeout_s=5)
    bus.is_open = False
    assert not access.available
    assert not access.catch_up(timeout_s=5)


def test_only_what_is_needed_is_listened_to(bus: _Bus, access: AtspiAccess) -> None:
    assert access.available
    registry, *rules = bus.rules
    assert registry == "type='signal',member='NameOwnerChanged',arg0='org.a11y.atspi.Registry'"
    assert all(rule.startswith("type='signal',interface='org.a11y.atspi.Event.") for rule in rules)
    assert not any("Caret" in rule or "Mouse" in rule for rule in rules)
    assert len(rules) == 7
    assert len(set(bus.wanted)) == 6
    assert "object:state-changed:showing" not in bus.wanted, "programs would tell of each part that they show"
    asked = len(bus.asked)
    bus.tell(Ref(_APP, "/menu"), "Object.StateChanged", "showing")
    assert len(bus.asked) == asked


def test_a_registry_that_leaves_takes_everything_along_even_when_another_comes(bus: _Bus, access: AtspiAccess) -> None:
    found: list[bool] = []
    for on in (1, 0, 1):
        bus.tell(Ref(REGISTRY.bus, ""), OWNER_CHANGED, on=on)
        found.append(access.available)
    assert found == [True, False, False]


def test_all_fields_are_known_where_the_windows_were_walked_through(bus: _Bus, access: AtspiAccess) -> None:
    assert access.fields_known(0, time.monotonic_ns()) is None, "nothing has the input that tells about itself"
    moved = bus.tell(_ENTRY, "Object.StateChanged", "focused")
    assert access.catch_up(timeout_s=5)
    assert access.fields_known(moved, moved) is True
    assert access.problems == []


def test_a_window_too_large_to_be_walked_through_leaves_its_fields_unknown(bus: _Bus, access: AtspiAccess) -> None:
    bus.tell(_ENTRY, "Object.StateChanged", "focused")
    assert access.catch_up(timeout_s=5)
    before = time.monotonic_ns()
    assert access.fields_known(before, before) is True
    bus.parts = _TOO_MANY
    assert access.catch_up(timeout_s=5)
    large = time.monotonic_ns()
    assert access.fields_known(large, large) is False
    assert access.fields_known(before, before) is True
    bus.parts = 2
    assert access.catch_up(timeout_s=5)
    now = time.monotonic_ns()
    assert access.fields_known(now, now) is True
    assert access.fields_known(large, now) is False


@pytest.mark.parametrize(
    ("role", "parts", "secret"),
    [(_UNKNOWN_ROLE, _TOO_MANY, True), (_UNKNOWN_ROLE, 2, False), (_TEXT_ROLE, _TOO_MANY, False)],
)
def test_a_field_of_unknown_role_may_be_secure_where_not_all_fields_are_known(
    bus: _Bus, access: AtspiAccess, role: int, parts: int, *, secret: bool
) -> None:
    bus.roles[_ENTRY], bus.parts = role, parts
    bus.tell(_ENTRY, "Object.StateChanged", "focused")
    assert access.catch_up(timeout_s=5)
    now = time.monotonic_ns()
    assert access.unknown_between(now, now) is secret


def test_a_program_that_is_late_is_asked_less_then_no_more_and_that_is_told(bus: _Bus, access: AtspiAccess) -> None:
    moved = bus.tell(_ENTRY, "Object.StateChanged", "focused")
    assert access.catch_up(timeout_s=5)
    bus.late = 1
    (problem,) = access.problems
    assert problem.startswith("“app” answered late.")
    bus.late = 3
    assert access.catch_up(timeout_s=5)
    (problem,) = access.problems
    assert problem.startswith("“app” answers too late and is asked nothing more")
    assert access.fields_known(moved, time.monotonic_ns()) is False
    bus.asked.clear()
    access.ask(20, 30)
    assert access.catch_up(timeout_s=5)
    others = [(ref, member) for ref, member in bus.asked if ref != _KEY]
    assert others == [], "neither its windows nor what lies under the pointer"
    # What has the input is asked in any case: what is typed there may be a secret.
    bus.tell(_KEY, "Object.StateChanged", "focused")
    assert access.catch_up(timeout_s=5)
    secure = access.secure_between(time.monotonic_ns(), time.monotonic_ns())
    assert secure is not None
    assert secure.secure


def test_a_field_that_does_not_say_what_it_is_may_be_a_secure_one(bus: _Bus, access: AtspiAccess) -> None:
    now = time.monotonic_ns()
    assert not access.unknown_between(now, now), "of a program that tells nothing at all nothing is known"
    bus.tell(_ENTRY, "Object.StateChanged", "focused")
    assert access.catch_up(timeout_s=5)
    known = time.monotonic_ns()
    assert not access.unknown_between(known, known)
    bus.gone.add(_KEY)
    bus.tell(_KEY, "Object.StateChanged", "focused")
    access.catch_up(timeout_s=5)
    now = time.monotonic_ns()
    assert access.unknown_between(now, now)
    assert not access.unknown_between(known, known)
    # As soon as it answers it is known.
    bus.gone.clear()
    assert access.catch_up(timeout_s=5)
    assert access.catch_up(timeout_s=5)
    assert not access.unknown_between(now, now)


@pytest.mark.parametrize(("parts", "secret"), [(2, False), (_TOO_MANY, True)])
def test_a_row_that_popped_up_for_a_moment_hides_no_text_where_all_secure_fields_are_known(
    bus: _Bus, access: AtspiAccess, parts: int, *, secret: bool
) -> None:
    bus.parts = parts
    started = bus.tell(_ENTRY, "Object.StateChanged", "focused")
    bus.gone.add(_KEY)
    assert access.catch_up(timeout_s=5)
    access._line.moved(_KEY, t_ns=started + 1, earliest_ns=started + 1)
    access._line.moved(_ENTRY, t_ns=started + 50_000_000, earliest_ns=started + 50_000_000)
    access._reader.read(_ENTRY)
    assert access.catch_up(timeout_s=5)
    assert access.unknown_between(started, started + 60_000_000) is secret
    # Whatever is known to be secure is not passed by, and nothing that has the input for longer.
    access._line.moved(_KEY, t_ns=started + 60_000_000, earliest_ns=started + 60_000_000)
    access._line.moved(_ENTRY, t_ns=started + 900_000_000, earliest_ns=started + 900_000_000)
    assert access.unknown_between(started + 100_000_000, started + 200_000_000)
    access._watch.add(_KEY)
    assert access.unknown_between(started, started + 10_000_000)


def test_where_a_program_hangs_the_focus_may_have_moved_unseen(bus: _Bus, access: AtspiAccess) -> None:
    bus.tell(_ENTRY, "Object.StateChanged", "focused")
    assert access.catch_up(timeout_s=5)
    bus.hangs = True
    now = time.monotonic_ns()
    assert not access.unknown_between(now, now), "nothing was done that could have moved it"
    assert access.unknown_between(now, now, moved_ns=now - 1)


def test_where_a_program_with_a_secure_field_tells_no_focus_that_field_may_have_it(
    bus: _Bus, access: AtspiAccess
) -> None:
    assert access.catch_up(timeout_s=5)
    now = time.monotonic_ns()
    assert access.unknown_between(now, now, process=_PROCESS)
    assert not access.unknown_between(now, now, process=_PROCESS + 1), "another program's window had the input"
    assert not access.unknown_between(now, now)
    bus.tell(_ENTRY, "Object.StateChanged", "focused")
    assert access.catch_up(timeout_s=5)
    now = time.monotonic_ns()
    assert not access.unknown_between(now, now, process=_PROCESS)
