"""One response at a time on a live screen, judged by the window's own state."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from demopack.domain.actions import LLMResponse
from demopack.domain.elements import NumberedElement
from demopack.domain.geometry import Rect, Size, to_norm_xywh
from demopack.jobs import CancelToken, JobControl
from player.abort import AbortMonitor
from player.backends.x11 import X11Performer
from player.executor import Executor
from player.input_driver import InputDriver
from player.observing import AllowedWindow, LiveObservation, ScreenObserver, any_window, windows_named
from recorder.backends.x11.screen import X11Screen
from recorder.backends.x11.windows import X11Windows
from recorder.desktop.private_display import PrivateDisplay
from tests.support.desktop_programs import until
from tests.support.tape import FAST, TruthFinder
from tests.support.target_window import State, TargetWindow

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def display() -> Iterator[PrivateDisplay]:
    with PrivateDisplay() as display:
        yield display


class Hands:
    """An executor whose eyes know the target window's elements from the window itself."""

    def __init__(self, display: PrivateDisplay, window: TargetWindow, allowed: AllowedWindow = any_window) -> None:
        self._ends = contextlib.ExitStack()
        self.token = CancelToken()
        self.performer = self._ends.enter_context(X11Performer(display.name))
        self.performer.move(1200, 780)
        screen = self._ends.enter_context(contextlib.closing(X11Screen(display=display.name)))
        windows = self._ends.enter_context(contextlib.closing(X11Windows(display=display.name)))
        observer = ScreenObserver(
            screen=screen, finder=TruthFinder(window), windows=windows, allowed=allowed, settle_s=2.0
        )
        bounds = screen.grab().desktop_box
        gate = AbortMonitor(self.performer, token=self.token, bounds=bounds, hotkey="Ctrl+Alt+Escape", corner_px=4)
        driver = InputDriver(self.performer, gate=gate, settings=FAST)
        control = JobControl(token=self.token)
        self.executor = Executor(observer, performer=self.performer, gate=gate, driver=driver, control=control)

    def __enter__(self) -> Hands:
        return self

    def __exit__(self, *_: object) -> None:
        self._ends.close()

    def do(
        self, action: str, target: dict[str, Any] | None, seen: LiveObservation | None = None, **parameters: Any
    ) -> dict[str, Any]:
        wire = {"action_type": action, "target": target, "parameters": parameters}
        done = self.executor.execute(LLMResponse.model_validate({"reasoning": "", "action": wire}), seen)
        return {**done.result.to_json(), "ok": done.result.ok}


def named(seen: LiveObservation, text: str) -> NumberedElement:
    return next(one for one in seen.elements if one.text == text)


def kind(seen: LiveObservation, name: str) -> NumberedElement:
    return next(one for one in seen.elements if one.type == name)


def fractions(box: Rect, size: Size) -> list[float]:
    return list(to_norm_xywh(box, size))


def was_clicked(times: int, state: State) -> bool:
    return bool(state["clicks"] == times)


def is_focused(hands: Hands, title: str) -> bool:
    window = hands.performer.focused_window()
    return window is not None and window.title == title


def test_each_way_to_name_a_target_reaches_it(display: PrivateDisplay) -> None:
    with TargetWindow(display) as window, Hands(display, window) as hands:
        seen = hands.executor.observe()
        button = named(seen, "Submit")
        ways: list[tuple[str, dict[str, Any]]] = [
            ("track_id", {"track_id": button.track_id}),
            ("element_id", {"element_id": button.number}),
            ("text", {"text": "Submit"}),
            ("bbox", {"bbox": fractions(button.box, seen.frame.size)}),
        ]
        for number, (strategy, target) in enumerate(ways, start=1):
            result = hands.do("click", target)
            assert (result["strategy"], result["performed"]) == (strategy, True), result
            window.wait_for(partial(was_clicked, number))


def test_the_next_way_is_tried_where_one_fails_and_it_is_told_why(display: PrivateDisplay) -> None:
    with TargetWindow(display) as window, Hands(display, window) as hands:
        seen = hands.executor.observe()
        target = {"track_id": "gone_0", "element_id": named(seen, "Submit").number, "text": "Agree"}
        result = hands.do("click", target, seen)
        assert result["ok"], result
        assert result["strategy"] == "text"
        assert [why.split(":")[0] for why in result["failed"]] == ["track_id", "element_id"]
        assert "reads “Submit”" in result["failed"][1]
        window.wait_for(lambda s: s["agreed"] and not s["clicks"])


def test_text_goes_into_the_field_that_is_named(display: PrivateDisplay) -> None:
    with TargetWindow(display) as window, Hands(display, window) as hands:
        seen = hands.executor.observe()
        area, field = kind(seen, "text_area"), kind(seen, "input_field")
        assert hands.do("type", {"element_id": area.number}, seen, text_to_type="one\ntwo ß")["ok"]
        # The observation is older than what was typed: the field is found again.
        assert hands.do("type", {"track_id": field.track_id}, seen, text_to_type="Ada", submit=True)["ok"]
        window.wait_for(lambda s: (s["area"], s["field"]) == ("one\ntwo ß", "Ada") and "field submitted" in s["keys"])


def test_a_window_that_went_elsewhere_meanwhile_is_found_again(display: PrivateDisplay) -> None:
    with contextlib.ExitStack() as stack:
        first = stack.enter_context(TargetWindow(display))
        hands = stack.enter_context(Hands(display, first))
        seen = hands.executor.observe()
        stack.pop_all()
        first.__exit__(None, None, None)
        with hands, TargetWindow(display, at=(330, 50)) as window:
            hands.executor._observer.finder = TruthFinder(window)
            result = hands.do("click", {"element_id": named(seen, "Agree").number}, seen)
            assert result["ok"], result
            window.wait_for(lambda s: s["agreed"])


def test_what_lies_over_a_target_gets_no_click(display: PrivateDisplay) -> None:
    with TargetWindow(display) as window, Hands(display, window) as hands:
        seen = hands.executor.observe()
        button = named(seen, "Submit")
        with TargetWindow(display, at=(button.box.center.x, 30), title="In front", program="other") as other:
            # Half of the button can still be seen: that is where it is clicked.
            assert hands.do("click", {"element_id": button.number}, seen)["performed"]
            window.wait_for(lambda s: s["clicks"] == 1)
            assert not other.state["presses"]
        with TargetWindow(display, at=(50, 30), title="In front", program="other") as other:
            result = hands.do("click", {"element_id": button.number}, seen)
            assert (result["code"], result["performed"]) == ("occluded", False), result
            assert "In front" in result["error"]
            assert not other.state["presses"]
        assert window.state["clicks"] == 1


def test_what_may_be_several_is_not_guessed(display: PrivateDisplay) -> None:
    with TargetWindow(display, label="Agree") as window, Hands(display, window) as hands:
        seen = hands.executor.observe()
        result = hands.do("click", {"text": "Agree"})
        assert (result["code"], result["performed"]) == ("ambiguous", False), result
        near = fractions(kind(seen, "checkbox").box, seen.frame.size)
        assert hands.do("click", {"text": "Agree", "bbox": near})["ok"]
        window.wait_for(lambda s: s["agreed"] and not s["clicks"])
        result = hands.do("click", {"text": "Delete all"})
        assert (result["code"], result["performed"]) == ("not_found", False)


def test_an_action_without_any_effect_says_so(display: PrivateDisplay) -> None:
    with TargetWindow(display) as window, Hands(display, window) as hands:
        result = hands.do("click", {"text": "pad"})
        assert (result["code"], result["performed"]) == ("no_effect", True), result
        window.wait_for(lambda s: s["pad"] == ["press+left", "release+left"])


def test_keys_without_a_target_go_to_the_observed_window_alone(display: PrivateDisplay) -> None:
    with TargetWindow(display) as window, Hands(display, window) as hands:
        seen = hands.executor.observe()
        with TargetWindow(display, at=(600, 40), title="Other", program="other") as other:
            result = hands.do("type", None, seen, text_to_type="secret")
            assert (result["code"], result["performed"]) == ("other_window", False), result
            assert not other.state["field"]
        until(lambda: is_focused(hands, "Target"), "the window does not get the focus back")
        assert hands.do("type", None, seen, text_to_type="Ada")["ok"]
        window.wait_for(lambda s: s["field"] == "Ada")


def test_only_allowed_windows_are_seen_and_acted_in(display: PrivateDisplay) -> None:
    with (
        TargetWindow(display) as window,
        TargetWindow(display, at=(600, 40), title="Private", program="private") as private,
        Hands(display, private, windows_named(["target"])) as hands,
    ):
        seen = hands.executor.observe()
        shown = private.place("button").center
        assert (seen.image[shown.y - 5 : shown.y + 5, shown.x - 5 : shown.x + 5] == 128).all()
        own = window.place("button")
        assert len(set(map(tuple, seen.image[own.y1 : own.y2, own.x1 : own.x2].reshape(-1, 3).tolist()))) > 1
        point = fractions(private.place("button"), seen.frame.size)
        result = hands.do("click", {"bbox": point})
        assert (result["code"], result["performed"]) == ("not_allowed", False), result
        assert all("private" not in f"{one.app} {one.title}".casefold() for one in seen.stack)
        result = hands.do("type", None, text_to_type="x")
        assert result["code"] == "not_allowed", result
        assert "Private" not in result["error"]
        result = hands.do("launch", None, app="xterm")
        assert result["code"] == "not_allowed", result
        assert (private.state["presses"], private.state["field"]) == (0, "")


def test_it_stops_in_the_middle_of_a_text(display: PrivateDisplay) -> None:
    with TargetWindow(display) as window, Hands(display, window) as hands:
        field = kind(hands.executor.observe(), "input_field")

        def stop() -> None:
            window.wait_for(lambda s: len(s["field"]) > 5)
            hands.token.cancel()

        watcher = threading.Thread(target=stop)
        watcher.start()
        result = hands.do("type", {"element_id": field.number}, text_to_type="a" * 5000)
        watcher.join()
        assert (result["code"], result["performed"]) == ("stopped", False), result
        assert 5 <= result["sent"] < 5000
        # It is told before each character; the last one may have gone before it was stopped.
        window.wait_for(lambda s: len(s["field"]) - min(result["sent"], 1000) in {0, 1})
        assert not hands.performer.foreign_keys()


@pytest.mark.parametrize(
    ("action", "parameters"),
    [
        ("press_key", {"key_info": "Tab", "presses": 1_000_000_000}),
        ("scroll", {"scroll_direction": "down", "scroll_steps": 1_000_000_000}),
        ("press_key", {"key_info": "Ctrl+Alt+Escape"}),
    ],
    ids=["presses", "notches", "the hot-key"],
)
def test_what_nobody_can_mean_is_not_done(display: PrivateDisplay, action: str, parameters: dict[str, Any]) -> None:
    with TargetWindow(display) as window, Hands(display, window) as hands:
        result = hands.do(action, None, **parameters)
        assert (result["code"], result["performed"]) == ("not_allowed", False), result
        assert not window.state["keys"]
