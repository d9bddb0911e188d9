"""What a recording must not hold: secrets that are typed, and whatever is done in something blocked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from demopack.domain.events import InputEvent
from demopack.domain.frames import Monitor
from demopack.domain.geometry import Rect
from demopack.domain.screenshots import Snapshot
from demopack.domain.steps import AccessibleElement, WindowInfo
from demopack.reduction.fold import reduce_all
from demopack.reduction.gestures import Gesture, GestureThresholds
from demopack.reduction.steps import PendingStep
from demopack.settings import PrivacySettings
from recorder.backends.base import AccessSource, SeenWindow
from recorder.context import GestureContext
from recorder.privacy.filter import PrivacyFilter
from tests.support.hand_access import HandAccess
from tests.support.notation import parse_events
from tests.support.sources import grab

START = 1_000_000_000
MS = 1_000_000
PASSWORD = AccessibleElement(role="password text", name="Master password:", app="bank", secure=True)
NAME = AccessibleElement(role="text", name="Name", app="bank")
CARD = "4111 1111 1111 1111"
TOKEN = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
VAULT = WindowInfo(title="Passwords - Vault", app="KeePassXC", box=Rect(100, 100, 300, 200))
MAIL = WindowInfo(title="Inbox - Mail", app="mail", box=Rect(0, 0, 200, 150))


def look(
    *stack: WindowInfo, window: WindowInfo | None = None, before: Sequence[WindowInfo] = (), at_ns: int = 0
) -> Snapshot:
    return Snapshot(
        started_ns=at_ns,
        ended_ns=at_ns + MS,
        screenshot=grab(0),
        window=window,
        stack=stack,
        stack_before=tuple(before),
    )


def draft(gesture: Gesture, *, before: Snapshot | None = None, after: Snapshot | None = None) -> PendingStep:
    last = gesture.events[-1].t_ns if gesture.events else gesture.start.t_ns
    return PendingStep(
        gesture=gesture,
        before=before,
        changed_before_event=None,
        after=after,
        settled=None,
        last_ns=last,
        until_ns=last + 300 * MS,
    )


def guarded(access: HandAccess | None, **settings: Any) -> PrivacyFilter:
    return PrivacyFilter(PrivacySettings(**settings), access=access or AccessSource())


def run(guard: PrivacyFilter, events: str | list[InputEvent]) -> list[str]:
    """Feed events as a session would; returns the texts and keys of the drafts that are left."""
    found = parse_events(events) if isinstance(events, str) else events
    assert not any(guard.hides(event, None) for event in found)
    left = [guard.scrub(draft(gesture)) for gesture in reduce_all(found, GestureThresholds())]
    return [d.gesture.text or d.gesture.key_info or d.gesture.kind for d in left if d is not None]


# Secure fields ----------------------------------------------------------------------------------------------------


def secure_guard() -> PrivacyFilter:
    access = HandAccess()
    access.focus(0, PASSWORD)
    return guarded(access)


def test_what_is_typed_where_a_program_with_a_password_field_tells_no_focus_is_a_secret() -> None:
    access = HandAccess()
    access.untold.add(7)
    (gesture,) = reduce_all(parse_events('"Hunter2"'), GestureThresholds())
    form = SeenWindow(title="Form", app="form", box=Rect(0, 0, 200, 150), process=7)
    other = SeenWindow(title="Form", app="form", box=Rect(200, 0, 400, 150), process=8)
    for window, text in ((form, "<secret:password>"), (other, "Hunter2")):
        active = WindowInfo(title=window.title, app=window.app, box=window.box)
        scrubbed = guarded(access).scrub(draft(gesture, before=look(form, other, window=active)))
        assert scrubbed is not None
        assert scrubbed.gesture.text == text


def test_a_field_that_is_told_while_a_program_is_waited_for_is_known() -> None:
    access = HandAccess()
    access.while_waiting = lambda: access.focus(0, PASSWORD)
    (gesture,) = reduce_all(parse_events('"Hunter2"'), GestureThresholds())
    scrubbed = guarded(access).scrub(draft(gesture))
    assert scrubbed is not None
    assert scrubbed.gesture.text == "<secret:master_password>"


def test_a_password_becomes_a_placeholder_and_leaves_no_key() -> None:
    guard = secure_guard()
    events = parse_events('"Hunter2"')
    (gesture,) = reduce_all(events, GestureThresholds())
    scrubbed = guard.scrub(draft(gesture))
    assert scrubbed is not None
    assert scrubbed.gesture.text == "<secret:master_password>"
    assert [(e.key, e.char) for e in (*scrubbed.gesture.events, scrubbed.gesture.start)] == [("", "")] * 3
    assert guard.secrets_hidden == 1


@pytest.mark.parametrize(
    ("events", "left"),
    [
        ('"hunter2" Enter', ["<secret:master_password>", "Enter"]),
        ('"hun" ArrowLeft "ter" Backspace "2" Tab', ["<secret:master_password>", "Tab"]),
        ('"wrong" +Ctrl a -Ctrl Delete "right" Escape', ["<secret:master_password>", "Escape"]),
        ('"part" ~6s "rest"', ["<secret:master_password>"]),
        ("+Ctrl a -Ctrl +Ctrl v -Ctrl", ["Ctrl+A", "<secret:master_password>"]),
        ("Space", ["<secret:master_password>"]),
        ('"hunter2" +Ctrl s -Ctrl', ["<secret:master_password>", "Ctrl+S"]),
        ('"one" Enter "two"', ["<secret:master_password>", "Enter", "<secret:master_password>"]),
    ],
)
def test_one_stay_in_a_secure_field_is_one_step(events: str, left: list[str]) -> None:
    assert run(secure_guard(), events) == left


def test_what_goes_into_a_field_of_which_nobody_tells_is_a_secret() -> None:
    access = HandAccess()
    access.unknown = True
    guard = guarded(access)
    assert run(guard, '"hunter2" Tab "Ada"') == ["<secret:password>", "Tab", "<secret:password>"]
    assert guard.secrets_hidden == 2
    access.focus(0, NAME)
    access.unknown = False
    assert run(guard, '"Ada" Tab') == ["Ada", "Tab"]


def test_a_field_that_is_named_while_it_is_filled_in_is_one_secret() -> None:
    access = HandAccess()
    access.unknown = True
    guard = guarded(access)
    assert run(guard, '"hunter2"') == ["<secret:password>"]
    access.focus(0, PASSWORD)
    access.unknown = False
    assert run(guard, 'Backspace "3"') == []
    assert guard.secrets_hidden == 1
    assert run(guard, '~2s Tab "other"') == ["Tab", "<secret:master_password>"]


def test_other_fields_are_left_alone() -> None:
    access = HandAccess()
    access.focus(0, NAME)
    guard = guarded(access)
    assert run(guard, '"Ada Lovelace" Tab Backspace') == ["Ada Lovelace", "Tab", "Backspace"]
    assert (guard.secrets_hidden, access.caught_up) == (0, 3)


def test_focus_news_that_comes_late_still_counts() -> None:
    events = parse_events('(10,10) L "hunter2"')
    access = HandAccess()
    access.focus(0, NAME)
    access.focus(events[-1].t_ns + 600 * MS, PASSWORD)
    assert run(guarded(access), events) == ["click", "<secret:master_password>"]


def test_news_after_the_focus_has_moved_on_belongs_to_the_next_field() -> None:
    events = parse_events('"ada" Tab ~50ms "hunter2"')
    tab = next(event.t_ns for event in events if event.key == "Tab")
    access = HandAccess()
    access.focus(0, NAME)
    access.focus(tab + 20 * MS, PASSWORD)
    assert run(guarded(access), events) == ["ada", "Tab", "<secret:master_password>"]


def test_the_field_after_the_password_is_typed_into_before_its_news_arrives() -> None:
    events = parse_events('"hunter2" Tab ~50ms "ada"')
    tab = next(event.t_ns for event in events if event.key == "Tab")
    access = HandAccess()
    access.focus(0, PASSWORD)
    access.focus(tab + 110 * MS, NAME)
    assert run(guarded(access), events) == ["<secret:master_password>", "Tab", "ada"]


def test_a_field_that_moves_on_by_itself_keeps_its_secret() -> None:
    events = parse_events('(10,10) L ~50ms "123456"')
    access = HandAccess()
    access.focus(0, NAME)
    access.focus(events[0].t_ns + 30 * MS, PASSWORD)
    access.focus(events[-1].t_ns + 5 * MS, NAME)
    assert run(guarded(access), events) == ["click", "<secret:master_password>"]


def test_a_press_into_a_secure_field_is_enough() -> None:
    access = HandAccess()
    access.focus(0, NAME)
    access.secure_box(Rect(0, 0, 50, 20))
    guard = guarded(access)
    assert run(guard, '(10,10) L "hunter2"') == ["click", "<secret:password>"]
    later = parse_events('~3s (90,90) L "ada"', start_ns=START * 9)
    assert run(guard, later) == ["click", "ada"]


def test_without_accessibility_nothing_is_invented() -> None:
    access = HandAccess()
    access.focus(0, PASSWORD)
    assert run(guarded(access, accessibility=False), '"hello you"') == ["hello you"]
    assert access.caught_up == 0
    assert run(guarded(None), '"hello you"') == ["hello you"]


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("Password", "password"),
        ("", "password"),
        ("Geheimzahl (PIN)", "geheimzahl_pin"),
        ("Mot de passé :", "mot_de_passe"),
        ("Only if you have an account", "password"),
        ("密码", "password"),
    ],
)
def test_a_secret_is_named_after_its_field(label: str, name: str) -> None:
    access = HandAccess()
    access.focus(0, PASSWORD.model_copy(update={"name": label}))
    assert run(guarded(access), '"hunter2"') == [f"<secret:{name}>"]


def test_a_secret_is_known_again_where_a_program_shows_it() -> None:
    guard = secure_guard()
    run(guard, '"hunter2-and-more"')
    shown = NAME.model_copy(update={"name": "hunter2-and-more", "value": "it is hunter2-and-more!"})
    cleaned = guard.clean_element(shown)
    assert cleaned is not None
    assert cleaned.value == "it is <secret:master_password>!"
    assert cleaned.name == guard.clean_text("hunter2-and-more") == "<secret:master_password>"


def test_a_secure_field_never_has_a_value() -> None:
    cleaned = guarded(None).clean_element(PASSWORD.model_copy(update={"value": "hunter2"}))
    assert cleaned is not None
    assert cleaned.value == ""


def test_what_is_around_a_secret_does_not_tell_it() -> None:
    guard = secure_guard()
    paste = draft(reduce_all(parse_events("+Ctrl v -Ctrl"), GestureThresholds())[0])
    shown = PASSWORD.model_copy(update={"value": "hunter2"})
    around = GestureContext(focused=shown, pointed=shown, clipboard="hunter2", text="hunter2")
    expected = GestureContext(focused=PASSWORD, pointed=PASSWORD)
    assert guard.clean(around, paste) == expected
    scrubbed = guard.scrub(paste)
    assert scrubbed is not None
    assert guard.clean(around, scrubbed) == expected


def test_what_is_around_anything_else_is_searched_for_secrets() -> None:
    text = draft(reduce_all(parse_events('"hello"'), GestureThresholds())[0])
    field = NAME.model_copy(update={"value": f"token {TOKEN}"})
    around = GestureContext(focused=field, pointed=None, clipboard=f"my {CARD}", text="héllo")
    cleaned = guarded(None).clean(around, text)
    assert cleaned.focused == NAME.model_copy(update={"value": "token <secret:token>"})
    assert (cleaned.clipboard, cleaned.text) == ("my <secret:card>", "héllo")


# Text that looks like a secret ------------------------------------------------------------------------------------


def test_typed_secrets_are_hidden_and_the_rest_stays() -> None:
    guard = guarded(None)
    assert run(guard, f'"pay with {CARD} now"') == ["pay with <secret:card> now"]
    assert run(guard, f'"{TOKEN}"') == ["<secret:token>"]
    assert guard.secrets_hidden == 2


def test_personal_data_is_not_a_secret() -> None:
    assert run(guarded(None), '"ada@example.com"') == ["ada@example.com"]


def test_a_secret_that_was_taken_back_is_in_no_event_either() -> None:
    guard = guarded(None)
    typed = " ".join(["Backspace"] * len(TOKEN))
    (gesture,) = reduce_all(parse_events(f'"see {TOKEN}" {typed} "it"'), GestureThresholds())
    scrubbed = guard.scrub(draft(gesture))
    assert scrubbed is not None
    assert scrubbed.gesture.text == "see it"
    assert "".join(event.char for event in scrubbed.gesture.events) == ""


def test_the_rule_can_be_switched_off() -> None:
    assert run(guarded(None, hide_secrets=False), f'"{CARD}"') == [CARD]


def test_a_secret_in_a_title_is_hidden() -> None:
    click = reduce_all(parse_events("(500,500) L"), GestureThresholds())[0]
    shown = WindowInfo(title=f"Token {TOKEN} - Editor", app="editor")
    scrubbed = guarded(None).scrub(draft(click, before=look(window=shown)))
    assert scrubbed is not None
    assert scrubbed.before is not None
    assert scrubbed.before.window == WindowInfo(title="Token <secret:token> - Editor", app="editor")


# Blocked applications, titles and regions -------------------------------------------------------------------------


def hidden(guard: PrivacyFilter, events: str, seen: Snapshot | None) -> list[bool]:
    return [guard.hides(event, seen) for event in parse_events(events) if event.kind != "move"]


def blocking(**settings: Any) -> PrivacyFilter:
    return guarded(None, **settings)


def test_a_press_in_a_blocked_window_takes_its_release_with_it() -> None:
    guard = blocking(blocked_apps=("keepassxc",))
    seen = look(VAULT, MAIL, window=MAIL)
    assert hidden(guard, "(150,120) L+ (20,20) L- L (150,120) w+1", seen) == [True, True, False, False, True]
    assert hidden(guard, "(20,20) L+ (150,120) L-", seen) == [False, False], "the press was meant for the mail"


def test_the_topmost_window_counts() -> None:
    guard = blocking(blocked_apps=("keepassxc",))
    assert hidden(guard, "(150,120) L", look(MAIL, VAULT, window=MAIL)) == [False, False]
    assert hidden(guard, "(250,180) L", look(MAIL, VAULT, window=MAIL)) == [True, True]


def test_keys_go_to_the_window_that_has_the_input() -> None:
    guard = blocking(blocked_titles=("passwords",))
    down, up = parse_events("a")
    assert guard.hides(down, look(VAULT, MAIL, window=VAULT))
    assert guard.hides(up, look(MAIL, window=MAIL)), "its press was hidden"
    assert not guard.hides(down, look(MAIL, window=MAIL))
    assert not guard.hides(up, look(VAULT, window=VAULT)), "its press was kept"
    assert guard.hides(down, look(VAULT, window=VAULT))
    assert guard.hides(down, look(window=None)), "not known for a moment: as before"


@pytest.mark.parametrize(
    ("settings", "window", "blocked"),
    [
        ({"blocked_apps": ("KEEPASS*",)}, VAULT, True),
        ({"blocked_apps": ("keepass",)}, VAULT, False),
        ({"blocked_apps": ("*pass*",)}, VAULT, True),
        ({"blocked_apps": ("k.epassxc",)}, VAULT, False),
        ({"blocked_apps": ("", "  ")}, VAULT, False),
        ({"blocked_titles": ("VAULT",)}, VAULT, True),
        ({"blocked_titles": ("pass*vault",)}, VAULT, True),
        ({"blocked_titles": ("vault*pass",)}, VAULT, False),
        ({"blocked_apps": ("mail",), "blocked_titles": ("x",)}, MAIL, True),
    ],
)
def test_patterns(settings: dict[str, tuple[str, ...]], window: WindowInfo, *, blocked: bool) -> None:
    assert hidden(blocking(**settings), "a", look(window, window=window)) == [blocked] * 2


def test_a_blocked_region() -> None:
    guard = blocking(blocked_regions=((40, 30, 20, 10),))
    assert hidden(guard, "(25,15) L (45,15) L", None) == [True, True, False, False]
    assert guard.boxes_to_mask(look()) == (Rect(20, 10, 40, 30),)


def test_blocked_windows_are_covered_where_they_can_be_seen() -> None:
    guard = blocking(blocked_apps=("keepassxc",))
    assert set(guard.boxes_to_mask(look(MAIL, VAULT))) == {Rect(100, 150, 300, 200), Rect(200, 100, 300, 150)}
    assert guard.boxes_to_mask(look(VAULT, MAIL)) == (VAULT.box,)
    assert guard.boxes_to_mask(look(MAIL)) == ()
    assert guard.boxes_to_mask(look(window=VAULT)) == (VAULT.box,), "nobody tells the windows, so the active one counts"


def test_what_lies_under_a_window_that_lets_it_shine_through_is_covered() -> None:
    guard = blocking(blocked_apps=("keepassxc",))
    mail = SeenWindow(title=MAIL.title, app=MAIL.app, box=MAIL.box, see_through=True)
    assert guard.boxes_to_mask(look(mail, VAULT)) == (VAULT.box,)


def test_a_window_that_moves_or_goes_during_the_grab_is_covered_all_the_way() -> None:
    guard = blocking(blocked_apps=("keepassxc",))
    moved = VAULT.model_copy(update={"box": Rect(140, 120, 340, 220)})
    assert Rect(100, 100, 340, 220) in guard.boxes_to_mask(look(moved, before=[VAULT]))
    assert guard.boxes_to_mask(look(MAIL, before=[VAULT, MAIL])) == (VAULT.box,)


def test_a_blocked_title_is_never_stored_and_its_pixels_are_still_covered() -> None:
    guard = blocking(blocked_titles=("passwords",))
    click = reduce_all(parse_events("(500,500) L"), GestureThresholds())[0]
    scrubbed = guard.scrub(draft(click, before=look(window=VAULT), after=look(VAULT, window=VAULT)))
    assert scrubbed is not None
    for seen in (scrubbed.before, scrubbed.after):
        assert seen is not None
        assert seen.window == WindowInfo()
        assert guard.boxes_to_mask(seen) == (VAULT.box,)


def test_what_only_later_news_tells_to_be_blocked_leaves_no_step() -> None:
    access = HandAccess()
    access.focus(START, NAME.model_copy(update={"app": "KeePassXC"}))
    guard = guarded(access, blocked_apps=("keepassxc",))
    (text,) = reduce_all(parse_events('"hunter2"'), GestureThresholds())
    assert guard.scrub(draft(text)) is None
    other = blocking(blocked_apps=("keepassxc",))
    assert other.scrub(draft(text, after=look(VAULT, window=VAULT))) is None
    (hover,) = reduce_all(parse_events("(150,120) L"), GestureThresholds())
    assert other.scrub(draft(hover, before=look(VAULT))) is None


def test_a_window_that_came_up_between_two_looks_is_blocked_too() -> None:
    guard = blocking(blocked_apps=("keepassxc",))
    events = parse_events('"hunter2" ~50ms Tab')
    tab = events[-2].t_ns
    stale, fresh = look(MAIL, window=MAIL), look(VAULT, window=VAULT, at_ns=tab - 20 * MS)
    for event in events:
        assert guard.hides(event, fresh if event.t_ns >= tab else stale) == (event.t_ns >= tab)
    text, _ = reduce_all(events, GestureThresholds())
    assert guard.scrub(draft(text)) is None

    for pause in ("50ms", "700ms"):  # a busy machine shows late what has long been there
        pointing = blocking(blocked_apps=("keepassxc",))
        click = parse_events(f"(150,120) L ~{pause} a")
        for event in click:
            pointing.hides(event, look(VAULT, at_ns=click[-2].t_ns - 20 * MS) if event.key else look(MAIL))
        assert pointing.scrub(draft(reduce_all(click, GestureThresholds())[0])) is None

    later = blocking(blocked_apps=("keepassxc",))
    opened = look(VAULT, window=VAULT, at_ns=tab + 100 * MS)
    following = parse_events("a", start_ns=tab + 300 * MS)
    for event in (*events, *following):
        later.hides(event, opened if event in following else stale)
    assert later.scrub(draft(text)) is not None, "the key after the text has opened it"


def test_elements_of_something_blocked_are_not_stored() -> None:
    guard = blocking(blocked_apps=("bank",), blocked_regions=((0, 0, 50, 50),))
    assert guard.clean_element(NAME) is None
    assert guard.clean_element(AccessibleElement(role="text", box=Rect(10, 10, 30, 20))) is None
    free = AccessibleElement(role="text", app="mail", value="hello", box=Rect(60, 10, 80, 20))
    assert guard.clean_element(free) == free


def test_secure_fields_are_covered_around_the_time_of_the_look() -> None:
    access = HandAccess()
    access.secure_box(Rect(10, 10, 30, 20), from_ns=START, to_ns=2 * START)
    guard = guarded(access)
    grown = (Rect(8, 8, 32, 22),)
    assert guard.boxes_to_mask(look(at_ns=START - 200 * MS)) == grown
    assert guard.boxes_to_mask(look(at_ns=2 * START + 200 * MS)) == grown
    assert guard.boxes_to_mask(look(at_ns=START - 400 * MS)) == ()


@pytest.mark.parametrize(("scale_factor", "margin"), [(1.0, 2), (1.25, 3), (2.0, 4)])
def test_the_frame_of_a_field_is_covered_too_however_large_programs_draw_it(scale_factor: float, margin: int) -> None:
    access = HandAccess()
    access.secure_box(Rect(10, 10, 30, 20))
    screenshot = replace(grab(0), scale_factor=scale_factor)
    found = guarded(access).boxes_to_mask(replace(look(at_ns=START), screenshot=screenshot))
    assert found == (Rect(10 - margin, 10 - margin, 30 + margin, 20 + margin),)


def test_a_field_on_another_monitor_that_draws_larger_is_covered_with_its_frame() -> None:
    access = HandAccess()
    access.secure_box(Rect(10, 10, 30, 20))
    monitors = tuple(Monitor(name=str(scale), box=Rect(0, 0, 40, 40), scale_factor=scale) for scale in (1.0, 2.0))
    screenshot = replace(grab(0), monitors=monitors)
    found = guarded(access).boxes_to_mask(replace(look(at_ns=START), screenshot=screenshot))
    assert found == (Rect(6, 6, 34, 24),)
