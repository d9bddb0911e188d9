"""What an agent sees of the screen, and where a response would act: secure fields and other windows stay out of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from demopack.clock import now_ns
from demopack.domain.actions import (
    Action,
    ActionTarget,
    ClickAction,
    DragAction,
    HoverAction,
    LLMResponse,
    PressKeyAction,
    TypeAction,
    WaitAction,
)
from demopack.domain.elements import Element, ElementType
from demopack.domain.events import Button
from demopack.domain.frames import MASK_COLOUR, Frame, RgbImage
from demopack.domain.geometry import Point, Rect, to_norm_xywh
from demopack.domain.screenshots import Screenshot
from demopack.domain.steps import AccessibleElement, WindowInfo
from demopack.domain.trees import TreeNode, WindowTree
from demopack.jobs import CancelToken, JobControl
from demopack.settings import PlayerSettings
from demopack.store import Library
from player.abort import AbortMonitor
from player.executor import Executor
from player.input_driver import InputDriver
from player.observing import AllowedWindow, ScreenObserver, any_window, windows_named
from player.run_recorder import RunRecorder
from player.value_check import typed_into
from recorder.backends.base import DesktopWindows, ScreenSource, SeenWindow, WindowReading, WindowSource
from tests.support.fake_performer import FakePerformer
from tests.support.hand_access import HandAccess
from tests.support.pictures import noise_image

SECRET = Rect(40, 30, 80, 50)
GREY = np.array(MASK_COLOUR, dtype=np.uint8)


class Still(ScreenSource):
    """Shows one picture."""

    def __init__(self, image: RgbImage) -> None:
        self.image = image

    def grab(self) -> Screenshot:
        now = now_ns()
        return Screenshot(image=self.image, started_ns=now - 1_000_000_000, ended_ns=now)

    def close(self) -> None:
        return


class Windows(WindowSource):
    """Tells of these, topmost first."""

    def __init__(self, *stack: WindowInfo) -> None:
        self.stack = stack

    def read(self) -> DesktopWindows:
        return DesktopWindows(active=self.stack[0] if self.stack else None, stack=self.stack)


class Finds:
    """Finds these elements, and remembers the picture that it was shown."""

    name = "test finder"

    def __init__(self, *found: Element) -> None:
        self.found = found
        self.seen: list[RgbImage] = []

    def find(self, image: RgbImage, frame: Frame, *, control: JobControl, near: Sequence[Point] = ()) -> list[Element]:  # noqa: ARG002 - the port's form
        self.seen.append(image)
        return list(self.found)


def button(text: str, box: Rect) -> Element:
    return Element(uid=f"el_{text}", frame="", type="button", text=text, box=box, source="detector")


def observer(
    *, finder: Finds | None = None, access: HandAccess | None = None, allowed: AllowedWindow = any_window,
    windows: WindowSource | None = None,
) -> ScreenObserver:  # fmt: skip
    quiet = HandAccess()
    quiet.answers = False
    return ScreenObserver(
        screen=Still(noise_image(200, 120, seed=1)),
        finder=finder or Finds(),
        windows=windows or Windows(),
        access=access or quiet,
        allowed=allowed,
        settle_s=0.1,
    )


def test_secure_fields_are_painted_over_before_anything_looks_at_the_picture() -> None:
    access, finder = HandAccess(), Finds()
    access.secure_box(SECRET)
    seen = observer(finder=finder, access=access).observe()
    inside = SECRET.grown(2)
    assert (seen.image[inside.y1 : inside.y2, inside.x1 : inside.x2] == GREY).all()
    assert not (seen.image[: inside.y1] == GREY).all(axis=2).any()
    assert seen.frame.covered == (inside,)
    assert finder.seen[0] is seen.image, "what reads texts gets the same picture"


def test_a_field_that_was_secure_long_ago_is_shown() -> None:
    access = HandAccess()
    access.secure_box(SECRET, to_ns=now_ns() - 10_000_000_000)
    assert observer(access=access).observe().frame.covered == ()


def test_of_other_windows_nothing_is_seen() -> None:
    front = WindowInfo(title="Mine", app="mine", box=Rect(20, 20, 90, 70))
    behind = WindowInfo(title="Other", app="other", box=Rect(60, 40, 180, 110))
    seen = observer(windows=Windows(front, behind), allowed=lambda window: window.app == "other").observe()
    shown = ~(seen.image == GREY).all(axis=2)
    assert not shown[:40].any()
    assert not shown[20:70, 20:90].any(), "the window in front may not be seen"
    assert shown[75:105, 65:175].all()
    assert shown[45:65, 95:175].all()


def test_what_has_the_input_in_another_window_is_not_told() -> None:
    access = HandAccess()
    access.focus(0, AccessibleElement(role="entry", name="Search", value="my own business", app="other"))
    other = Windows(WindowInfo(title="Other", app="other", box=Rect(0, 0, 200, 120)))
    told = observer(access=access, windows=other, allowed=lambda window: window.app == "other").observe()
    assert told.focused is not None
    assert observer(access=access, windows=other, allowed=lambda _: False).observe().focused is None


def test_a_picture_of_the_screen_afterwards_is_painted_over_too() -> None:
    access = HandAccess()
    access.secure_box(SECRET)
    watcher = observer(access=access)
    after = watcher.painted(watcher.screen.grab())
    assert (after.image[SECRET.y1 : SECRET.y2, SECRET.x1 : SECRET.x2] == GREY).all()


class Counted(Still):
    """Counts how often it is looked at; each time a tenth of a second has passed."""

    grabs = 0

    def grab(self) -> Screenshot:
        self.grabs += 1
        at = self.grabs * 100_000_000
        return Screenshot(image=self.image, started_ns=at, ended_ns=at)


class Impatient(CancelToken):
    """Waits for nothing."""

    def wait(self, seconds: float) -> bool:
        del seconds
        return self.cancelled


def test_a_screen_that_rests_is_not_waited_for_again() -> None:
    screen, control = Counted(noise_image(200, 120, seed=1)), JobControl(token=Impatient())
    watcher = replace(observer(), screen=screen, settle_s=60)
    counts: list[int] = []
    for seed in (1, 1, 2):
        screen.image = noise_image(200, 120, seed=seed)
        before = screen.grabs
        watcher.observe(control=control)
        counts.append(screen.grabs - before)
    assert counts == [4, 1, 5], "a grab that shows the same picture is enough"


def executor(watcher: ScreenObserver, performer: FakePerformer | None = None) -> tuple[Executor, FakePerformer]:
    performer, control = performer or FakePerformer(at=Point(100, 60)), JobControl()
    gate = AbortMonitor(
        performer, token=control.token, bounds=Rect(0, 0, 200, 120), hotkey="Ctrl+Alt+Escape", corner_px=2
    )
    settings = PlayerSettings(pause_s=0, pointer_px_s=100_000, typing_interval_ms=0, settle_timeout_s=0.1)
    driver = InputDriver(performer, gate=gate, settings=settings)
    return Executor(watcher, performer=performer, gate=gate, driver=driver, control=control), performer


def test_a_preview_tells_where_a_response_would_act_and_touches_nothing() -> None:
    hands, performer = executor(observer(finder=Finds(button("Save", Rect(20, 20, 60, 40)))))
    seen = hands.observe()
    told = hands.preview(LLMResponse.of(ClickAction(target=ActionTarget(text="Save"))), seen)
    assert (told.strategy, told.element_id, told.point) == ("text", 1, (40, 30))
    assert not told.performed
    drag = DragAction(target=ActionTarget(text="Save"), end_target=ActionTarget(bbox=(0.5, 0.5, 0, 0)))
    assert hands.preview(LLMResponse.of(drag), seen).end == (100, 60)
    missing = hands.preview(LLMResponse.of(ClickAction(target=ActionTarget(text="Open"))), seen)
    assert (missing.code, missing.point) == ("not_found", None)
    assert hands.preview(LLMResponse.of(WaitAction()), seen).code == ""
    assert performer.done == []


class Reopening(FakePerformer):
    """A click closes the window and opens one that looks the same."""

    number = 1

    def window_number(self) -> int:
        return self.number

    def release(self, button: Button) -> None:
        super().release(button)
        self.number += 1


@pytest.mark.parametrize(("performer", "code"), [(FakePerformer, "no_effect"), (Reopening, "")])
def test_a_form_that_opens_anew_after_a_click_is_an_effect(performer: type[FakePerformer], code: str) -> None:
    hands, _ = executor(observer(finder=Finds(button("Save", Rect(20, 20, 60, 40)))), performer(at=Point(100, 60)))
    done = hands.execute(LLMResponse.of(ClickAction(target=ActionTarget(element_id=1))), hands.observe())
    assert (done.result.performed, done.result.code) == (True, code)


def test_what_was_acted_on_is_confirmed_right_before_it() -> None:
    hands, _ = executor(observer(finder=Finds(button("Save", Rect(20, 20, 60, 40)))))
    seen = hands.observe()
    done = hands.execute(LLMResponse.of(ClickAction(target=ActionTarget(element_id=1))), seen)
    assert done.result.performed
    assert seen.frame.grab_ended_ns < done.confirmed_ns <= done.started_ns


@pytest.mark.parametrize(
    ("box", "dialog", "wanted"),
    [
        (Rect(59, 40, 121, 60), Rect(60, 20, 120, 90), Point(89, 49)),
        (Rect(60, 40, 126, 60), Rect(60, 20, 120, 90), Point(92, 49)),
        (Rect(40, 40, 120, 60), Rect(60, 20, 160, 90), Point(49, 49)),
    ],
    ids=["an item of the menu in front", "one that was seen too wide", "a button beneath a dialog"],
)
def test_a_click_goes_beside_what_lies_over_its_target(box: Rect, dialog: Rect, wanted: Point) -> None:
    """Items of menus are told or seen some pixels wider than the window of their menu."""
    windows = Windows(WindowInfo(title="Menu", box=dialog), WindowInfo(title="Form", box=Rect(0, 0, 200, 120)))
    hands, _ = executor(observer(finder=Finds(button("Spain", box)), windows=windows))
    result = hands.execute(LLMResponse.of(ClickAction(target=ActionTarget(text="Spain"))), hands.observe()).result
    assert result.point == (wanted.x, wanted.y)


@pytest.mark.parametrize(("kind", "moves"), [("menu_item", 1), ("button", 3)])
def test_the_pointer_passes_over_no_other_menu_on_its_way_to_an_item(kind: ElementType, moves: int) -> None:
    """On a straight way from a menu's name to an item far to the right lies the name of the next menu."""
    item = button("Rows", Rect(20, 20, 60, 40)).model_copy(update={"type": kind})
    hands, performer = executor(observer(finder=Finds(item)))
    hands.execute(LLMResponse.of(ClickAction(target=ActionTarget(text="Rows"))), hands.observe())
    way = [word for word in performer.done if word.startswith("m")]
    assert len(way) == 1 if moves == 1 else len(way) >= moves
    assert performer.gestures() == ["+left", "-left"]


@pytest.mark.parametrize("text", ["<secret:password>", "token <secret:api key>"])
def test_what_stands_for_a_secret_is_not_typed(text: str) -> None:
    hands, performer = executor(observer(finder=Finds()))
    done = hands.execute(LLMResponse.of(TypeAction(text_to_type=text)), hands.observe())
    assert (done.result.performed, done.result.code) == (False, "not_allowed")
    assert "stands for a secret that the demo does not hold" in done.result.error
    assert done.result.hint == "Give the text itself."
    assert performer.done == []


LABEL, FIELD = Rect(10, 20, 50, 34), Rect(60, 18, 150, 36)


def form() -> Finds:
    """A label, the field that it names, and a heading."""
    return Finds(
        Element(uid="el_label", frame="", type="text", text="Name:", box=LABEL, source="detector"),
        Element(uid="el_field", frame="", type="input_field", box=FIELD, source="detector"),
        Element(uid="el_head", frame="", type="text", text="Welcome", box=Rect(20, 90, 90, 104), source="detector"),
    )


LABELS = {
    "element_id": ActionTarget(element_id=1),
    "text": ActionTarget(text="Name:"),
    "bbox": ActionTarget(bbox=(0.1, 0.2, 0.05, 0.05)),
}


@pytest.mark.parametrize("target", LABELS.values(), ids=LABELS)
def test_keys_for_the_words_beside_a_field_go_to_the_field(target: ActionTarget) -> None:
    hands, performer = executor(observer(finder=form()))
    seen = hands.observe()
    typing = LLMResponse.of(TypeAction(target=target, text_to_type="Ada"))
    assert hands.preview(typing, seen).element_id == 2
    result = hands.execute(typing, seen).result
    assert (result.performed, result.element_id, result.clicked_first) == (True, 2, True)
    assert result.point is not None
    assert FIELD.contains(Point(*result.point))
    assert performer.gestures() == ["+left", "-left", "'A'", "'d'", "'a'"]


def test_keys_for_words_that_belong_to_no_field_are_refused_before_anything_is_sent() -> None:
    hands, performer = executor(observer(finder=form()))
    for action in (
        TypeAction(target=ActionTarget(text="Welcome"), text_to_type="Ada"),
        PressKeyAction(target=ActionTarget(text="Welcome"), key_info="Enter"),
    ):
        result = hands.execute(LLMResponse.of(action), hands.observe()).result
        assert (result.code, result.performed) == ("not_found", False)
        assert "“Welcome” is text on the screen and no field" in result.error
        assert "Name a field" in result.hint
    assert performer.done == []
    clicked = hands.execute(LLMResponse.of(ClickAction(target=ActionTarget(text="Name:"))), hands.observe()).result
    assert clicked.element_id == 1, "a click on a label is a click on the label"


def test_keys_are_sent_once_the_clicked_field_has_the_input() -> None:
    access = HandAccess()
    field = AccessibleElement(role="entry", box=FIELD, states=("editable", "focused"))
    hands, performer = executor(observer(finder=form(), access=access))
    typed_when: list[bool] = []
    asked = 0

    def focus_late(*, timeout_s: float, since_ns: int | None = None) -> bool:
        nonlocal asked
        del timeout_s, since_ns
        if "-left" in performer.done:
            asked += 1
            if asked == 3:
                access.focus(0, field)
        return True

    access.catch_up = focus_late  # type: ignore[method-assign]

    def before(_count: int) -> None:
        if "'" in performer.done[-1]:
            typed_when.append(access.focused(now_ns()) is field)

    performer.before = before
    hands.execute(LLMResponse.of(TypeAction(target=ActionTarget(element_id=2), text_to_type="Ada")), hands.observe())
    assert typed_when == [True] * 3


PIN = AccessibleElement(role="password text", name="PIN:", box=SECRET, states=("editable", "focused"), secure=True)


def test_a_text_that_went_into_a_secure_field_is_a_secret_whatever_was_named() -> None:
    access = HandAccess()
    hands, _ = executor(observer(finder=form(), access=access))
    seen = hands.observe()
    access.focus(now_ns(), PIN)  # it has got the input meanwhile, and keeps it
    action = TypeAction(target=ActionTarget(element_id=2), text_to_type="hunter2")
    typing = LLMResponse.of(action).model_copy(update={"reasoning": "I type hunter2."})
    done = hands.execute(typing, seen)
    assert (done.result.performed, done.secret) == (True, "<secret:pin>")
    assert "hunter2" not in done.shown.model_dump_json()
    assert done.response.action.typed_text == "hunter2"


@pytest.mark.parametrize(("field", "code"), [(PIN, ""), (PIN.but(secure=False, role="entry"), "no_effect")])
def test_a_password_field_that_looks_the_same_is_no_proof_that_nothing_was_typed(
    field: AccessibleElement, code: str
) -> None:
    access = HandAccess()
    hands, _ = executor(observer(finder=form(), access=access))
    access.focus(0, field)
    result = hands.execute(LLMResponse.of(TypeAction(text_to_type="1")), hands.observe()).result
    assert (result.performed, result.code) == (True, code)


def test_a_text_for_another_field_is_a_secret_only_while_a_secure_one_has_the_input() -> None:
    access = HandAccess()
    hands, performer = executor(observer(finder=form(), access=access))
    access.focus(0, PIN)
    seen = hands.observe()
    field = AccessibleElement(role="entry", name="Name", box=FIELD, states=("editable", "focused"))

    def before(_count: int) -> None:
        if performer.done[-1] == "-left":
            access.focus(now_ns(), field)  # the click has given it the input
        if performer.done[-1] == "'a'":
            access.focus(now_ns() + 1_000_000, PIN)  # after the last key

    performer.before = before
    done = hands.execute(LLMResponse.of(TypeAction(target=ActionTarget(element_id=2), text_to_type="Ada")), seen)
    assert (done.focused, done.secret) == (field, "")
    assert done.shown is done.response


def test_a_text_aimed_at_a_place_is_a_step_of_the_field_there(tmp_path: Path) -> None:
    access = HandAccess()
    other = Element(
        uid="el_other", frame="", type="input_field", box=SECRET, source="detector", states={"focused": True}
    )
    hands, performer = executor(observer(finder=Finds(*form().found, other), access=access))
    old = AccessibleElement(role="entry", name="Other", box=SECRET, states=("editable", "focused"))
    field = AccessibleElement(role="entry", name="Name", box=FIELD, states=("editable", "focused"))
    access.focus(0, old)
    seen = hands.observe()

    def before(_count: int) -> None:
        if performer.done[-1] == "-left":
            access.focus(now_ns(), field)

    performer.before = before
    place = ActionTarget(bbox=to_norm_xywh(FIELD, seen.frame.size))
    done = hands.execute(LLMResponse.of(TypeAction(target=place, text_to_type="Bob")), seen)
    assert (done.result.performed, done.result.clicked_first, done.focused) == (True, True, field)
    with Library.open(tmp_path) as library, RunRecorder(library, task="Fill in") as recorder:
        step = recorder.add(done)
    assert step is not None
    assert (step.focused, step.action.typed_text) == (field, "Bob")
    assert (step.target_uid or "").startswith(next(one.uid for one in seen.elements if one.box == FIELD))


@pytest.mark.parametrize(
    ("before", "text", "after", "agrees"),
    [
        ("", "new", "new", True),
        ("old", "new", "oldnew", True),
        ("old", "new", "newold", True),
        ("old", "new", "new", True),
        ("an old one", "new", "a new one", True),
        ("", "1234.5", "1,234.50", False),
        ("", "1234567", "1,234,567", True),
        ("", "new", "", False),
        ("old", "new", "old", False),
        ("", "new", "newnew", False),
        ("", "Par", "Paris", False),
        ("", "teh", "the", False),
        ("", "?!", "?!", True),
        (None, "new", "somewhere new", True),
        (None, "new", "old", False),
    ],
)
def test_a_value_is_the_one_before_with_the_text_in_it(before: str | None, text: str, after: str, agrees: bool) -> None:
    assert typed_into(before, text, after) is agrees


@pytest.mark.parametrize(
    ("value", "change", "code"),
    [("oldnew", ("old", "oldnew"), ""), ("old", ("old", "old"), "other_effect"), ("Newton", None, ""),
     ("old", None, "other_effect"), ("", None, "no_effect"), ("", ("", ""), "no_effect"),
     ("", ("old", ""), "other_effect")],
)  # fmt: skip
def test_a_text_that_its_field_does_not_hold_did_not_arrive(
    value: str, change: tuple[str, str] | None, code: str
) -> None:
    access = HandAccess()
    hands, _ = executor(observer(finder=form(), access=access))
    access.focus(0, AccessibleElement(role="entry", box=FIELD, value=value, states=("editable", "focused")))
    access.change = change
    typing = LLMResponse.of(TypeAction(target=ActionTarget(element_id=2), text_to_type="new"))
    result = hands.execute(typing, hands.observe()).result
    assert (result.performed, result.code) == (True, code)
    assert ("“new” was typed, but its field holds “" in result.error) == (code == "other_effect")


FORM_WINDOW = WindowInfo(title="Deploy to staging", app="deploy", box=Rect(0, 0, 200, 120))
OTHER_TITLE = FORM_WINDOW.model_copy(update={"title": "Deploy to production"})


def test_a_place_in_a_window_of_another_title_gets_no_click() -> None:
    windows = Windows(FORM_WINDOW)
    hands, performer = executor(observer(windows=windows))
    seen = hands.observe()
    windows.stack = (OTHER_TITLE,)
    place = ClickAction(target=ActionTarget(bbox=(0.2, 0.25, 0.2, 0.1)))
    result = hands.execute(LLMResponse.of(place), seen).result
    assert (result.code, result.performed) == ("other_window", False)
    assert "“Deploy to production” (deploy) is there now, and not “Deploy to staging” (deploy)" in result.error
    assert performer.done == []
    windows.stack = (FORM_WINDOW.model_copy(update={"title": "*Deploy to staging"}),)
    assert hands.execute(LLMResponse.of(place), seen).result.performed, "a mark of changes is no other title"


AT = ActionTarget(bbox=(0.2, 0.25, 0, 0))


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (WaitAction(wait_duration_s=1e9), "wait_duration_s is 1000000000.0; at most 600 are done"),
        (ClickAction(target=AT, hold_s=61), "hold_s is 61.0; at most 60 are done"),
        (HoverAction(target=AT, duration_s=61), "duration_s is 61.0; at most 60 are done"),
        (PressKeyAction(key_info="A", presses=201), "presses is 201; at most 200 are done"),
        (
            DragAction(target=AT, end_target=AT, path=((0.5, 0.5),) * 1001),
            "path has 1001; at most 1000 are done",
        ),
    ],
    ids=lambda one: getattr(one, "action_type", ""),
)
def test_what_would_keep_the_person_from_their_screen_is_refused(action: Action, words: str) -> None:
    hands, performer = executor(observer())
    result = hands.execute(LLMResponse.of(action), hands.observe()).result
    assert (result.code, performer.done) == ("not_allowed", [])
    assert words in result.error


BANK = WindowInfo(title="Bank transfer", app="bank", box=Rect(120, 0, 200, 120))
LEFT = FORM_WINDOW.model_copy(update={"box": Rect(0, 0, 120, 120)})


def drag_to(x: float, y: float, *, path: tuple[tuple[float, float], ...] = ()) -> LLMResponse:
    """A drag of what is at (40, 30) of the 200 x 120 pixels."""
    return LLMResponse.of(
        DragAction(target=ActionTarget(bbox=(0.2, 0.25, 0, 0)), end_target=ActionTarget(bbox=(x, y, 0, 0)), path=path)
    )


@pytest.mark.parametrize(
    "drag", [drag_to(0.8, 0.5), drag_to(0.4, 0.5, path=((0.8, 0.2),))], ids=["its end", "a way-point"]
)
def test_a_drag_into_a_window_that_is_not_allowed_is_refused_before_the_button_goes_down(drag: LLMResponse) -> None:
    windows = Windows(LEFT, BANK)
    hands, performer = executor(observer(windows=windows, allowed=windows_named(["deploy"])))
    result = hands.execute(drag, hands.observe()).result
    assert (result.code, result.performed, performer.gestures()) == ("not_allowed", False, [])
    both, performer = executor(observer(windows=windows, allowed=windows_named(["deploy", "bank"])))
    assert both.execute(drag, both.observe()).result.performed


def test_a_drag_to_a_place_where_another_window_lies_by_now_is_refused() -> None:
    right = LEFT.model_copy(update={"box": Rect(120, 0, 200, 120)})
    windows = Windows(LEFT, right)
    hands, performer = executor(observer(windows=windows))
    seen = hands.observe()
    for there in (BANK, OTHER_TITLE.model_copy(update={"box": right.box})):
        windows.stack = (LEFT, there)
        result = hands.execute(drag_to(0.8, 0.5), seen).result
        assert (result.code, result.performed, performer.gestures()) == ("other_window", False, [])


def test_a_drag_ends_beside_a_window_that_lies_over_its_end_or_not_at_all() -> None:
    windows = Windows(BANK, FORM_WINDOW)
    found = Finds(button("File", Rect(20, 20, 60, 40)), button("Bin", Rect(60, 60, 198, 80)))
    hands, performer = executor(observer(windows=windows, finder=found))
    drag = DragAction(target=ActionTarget(text="File"), end_target=ActionTarget(text="Bin"))
    seen = hands.observe()
    result = hands.execute(LLMResponse.of(drag), seen).result
    assert (result.element_id, result.end) == (1, (89, 69)), "the element is the one that was dragged"
    performer.done.clear()
    windows.stack = (WindowInfo(title="Chat", app="chat", box=Rect(50, 50, 200, 120)), FORM_WINDOW)
    result = hands.execute(LLMResponse.of(drag), seen).result
    assert (result.code, performer.gestures()) == ("occluded", [])


def test_an_element_that_is_found_anew_in_a_window_of_another_title_is_clicked() -> None:
    windows = Windows(FORM_WINDOW)
    hands, _ = executor(observer(windows=windows, finder=Finds(button("Save", Rect(20, 20, 60, 40)))))
    seen = hands.observe()
    windows.stack = (OTHER_TITLE,)
    saving = LLMResponse.of(ClickAction(target=ActionTarget(text="Save")))
    assert hands.execute(saving, seen).result.performed


class Reports(HandAccess):
    """Programs report one button each, in the middle of their windows."""

    def trees_now(self, stack: Sequence[SeenWindow], *, timeout_s: float) -> tuple[WindowReading, ...]:  # noqa: ARG002 - the source's form
        return tuple(WindowReading(tree=self._tree(one), started_ns=0, ended_ns=1) for one in stack)

    def _tree(self, window: SeenWindow) -> WindowTree:
        assert window.box is not None
        middle, states = window.box.center, ("showing", "visible")
        nodes = (
            TreeNode(role="frame", name=window.title, box=window.box, states=states),
            TreeNode(
                role="push button",
                name=f"Send {window.title}",
                box=Rect.at_point(middle).grown(12),
                parent=0,
                states=states,
            ),
        )
        return WindowTree(app=window.app, title=window.title, box=window.box, nodes=nodes)


def test_what_lies_under_another_window_from_the_start_is_covered_and_not_missing() -> None:
    back = SeenWindow(title="Mail", app="mail", box=Rect(20, 20, 120, 100))
    front = SeenWindow(title="Chat", app="chat", box=Rect(40, 10, 190, 110))
    hands, performer = executor(observer(windows=Windows(front, back), access=Reports()))
    seen = hands.observe()
    assert [one.text for one in seen.elements] == ["Send Chat"]
    result = hands.execute(LLMResponse.of(ClickAction(target=ActionTarget(text="Send Mail"))), seen).result
    assert (result.code, performer.done) == ("occluded", [])
    assert "“Chat” (chat) lies over the target" in result.error
    assert hands.preview(LLMResponse.of(ClickAction(target=ActionTarget(text="Send Post"))), seen).code == "not_found"


@pytest.mark.parametrize("may_be_seen", [True, False])
def test_a_target_under_another_window_is_covered_and_not_gone(may_be_seen: bool) -> None:
    front = WindowInfo(title="Chat", app="chat", box=Rect(0, 0, 120, 120))
    windows, finder = Windows(FORM_WINDOW), Finds(button("Save", Rect(20, 20, 60, 40)))
    allowed = any_window if may_be_seen else windows_named(["deploy"])
    watcher = observer(windows=windows, finder=finder, allowed=allowed)
    hands, performer = executor(watcher)
    seen = hands.observe()
    windows.stack, finder.found = (front, FORM_WINDOW), ()
    assert isinstance(watcher.screen, Still)
    watcher.screen.image = noise_image(200, 120, seed=2)
    result = hands.execute(LLMResponse.of(ClickAction(target=ActionTarget(text="Save"))), seen).result
    assert (result.code, result.performed) == ("occluded", False)
    assert ("“Chat” (chat) lies over the target" in result.error) is may_be_seen
    assert ("A window that may not be seen lies over the target" in result.error) is not may_be_seen
    assert performer.done == []


def test_only_what_a_target_says_is_told_to_have_failed() -> None:
    hands, _ = executor(observer(finder=form()))
    long = "A label that is longer than any terminal is wide, and stands nowhere on this screen at all"
    result = hands.execute(LLMResponse.of(ClickAction(target=ActionTarget(text=long))), hands.observe()).result
    assert (
        result.error == f"On this screen “{long}” was not found; nothing was clicked. text: no element reads “{long}”"
    )
    assert result.hint == "Observe the screen again, and name an element that is on it."
    found = hands.preview(
        LLMResponse.of(ClickAction(target=ActionTarget(track_id="gone", text="Name:"))), hands.observe()
    )
    assert [why.partition(":")[0] for why in found.failed] == ["track_id"]
