"""Hovers and waits: what a rest between two events was, on screens that are painted by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from demopack.domain.events import InputEvent
from demopack.domain.geometry import Rect
from demopack.domain.screenshots import Screenshot, Snapshot
from demopack.reduction.gestures import GestureThresholds
from demopack.reduction.steps import PendingStep
from recorder.capture import Capture
from recorder.hotkeys import HotkeyDetector
from recorder.idle.hover import changed_blocks, changed_regions
from recorder.screen.snapshots import SnapshotRing
from tests.support.notation import render
from tests.support.sources import seen

MS = 1_000_000
WIDTH, HEIGHT = 640, 480
TIP = Rect(210, 220, 290, 240)
MENU = Rect(180, 216, 300, 360)
BUTTON = Rect(180, 190, 230, 215)
PAGE = Rect(0, 300, 640, 480)


class Desk:
    """A screen, its recorder, and a person; time passes in milliseconds, a look is taken every 50."""

    def __init__(self, *, raw: bool = True, ring: SnapshotRing | None = None) -> None:
        self.ring = ring or SnapshotRing()
        self.capture = Capture(self.ring, thresholds=GestureThresholds(), settle_timeout_ms=3000)
        self.keys = HotkeyDetector({"note": "F11"})
        self.drafts: list[PendingStep] = []
        self.now = 1000
        self.own: tuple[Rect, ...] = ()
        self.at = (0, 0)
        self._raw = raw
        self._pixels = np.zeros((HEIGHT, WIDTH, 4), dtype=np.uint8)
        self._blinks: Rect | None = None
        self._looked = self._polled = 0
        self.rest(100)

    def paint(self, box: Rect, value: int = 200) -> None:
        self._pixels[box.y1 : box.y2, box.x1 : box.x2] = value

    def clear(self, box: Rect) -> None:
        self.paint(box, 0)

    def blink(self, box: Rect | None) -> None:
        self._blinks = box

    def rest(self, milliseconds: int) -> None:
        end = self.now + milliseconds
        while self.now < end:
            self.now += 10
            if self.now - self._looked >= 50:
                self._look()
        self.drafts += self.capture.poll(self.now * MS)

    def _look(self) -> None:
        self._looked = self.now
        if self._blinks is not None:
            self.paint(self._blinks, 0 if self._pixels[self._blinks.y1, self._blinks.x1, 0] else 255)
        pixels = self._pixels.copy()
        grab = Screenshot(
            image=pixels[:, :, 2::-1],
            started_ns=self.now * MS,
            ended_ns=self.now * MS + MS,
            raw=bytearray(pixels.tobytes()) if self._raw else None,
        )
        self.ring.add(replace(seen(grab), own=self.own))
        if self.now - self._polled >= 250:
            self._polled = self.now
            self.drafts += self.capture.poll(self.now * MS)

    def _event(self, kind: str, **fields: object) -> None:
        self.now += 5
        event = InputEvent(t_ns=self.now * MS, kind=kind, x=self.at[0], y=self.at[1], **fields)  # type: ignore[arg-type]
        self.capture.take(event, self.keys, paused=False)

    def move(self, x: int, y: int) -> None:
        """Twelve moves in 120 ms."""
        start = self.at
        for n in range(1, 13):
            self.rest(5)
            self.at = (start[0] + (x - start[0]) * n // 12, start[1] + (y - start[1]) * n // 12)
            self._event("move")

    def click(self) -> None:
        self._event("down", button="left")
        self._event("up", button="left")

    def key(self, key: str, char: str = "") -> None:
        self._event("key_down", key=key, char=char)
        self._event("key_up", key=key)

    def end(self) -> list[str]:
        self.capture.flush(self.now * MS)
        self.drafts += self.capture.poll(self.now * MS)
        return [render(draft.gesture) for draft in self.drafts]


def colour(look: Snapshot | None, box: Rect) -> int:
    assert look is not None
    return int(look.screenshot.image[box.center.y, box.center.x, 0])


@pytest.fixture
def quiet() -> Desk:
    return Desk()


def hovered(desk: Desk, box: Rect, *, after_ms: int = 500) -> None:
    """To the button, and the box opens."""
    desk.move(205, 202)
    desk.rest(after_ms)
    desk.paint(box)
    desk.rest(600)


@pytest.mark.parametrize("box", [TIP, MENU, Rect(330, 195, 500, 300)], ids=["tooltip", "menu", "submenu"])
def test_a_pointer_that_rests_opens_something(quiet: Desk, box: Rect) -> None:
    hovered(quiet, box)
    quiet.move(600, 400)
    assert quiet.end() == ["hover 205,202 for 0.6s"]
    (draft,) = quiet.drafts
    assert (colour(draft.before, box), colour(draft.after, box), draft.settled) == (0, 200, True)
    assert draft.before is not None
    assert draft.before.ended_ns < draft.gesture.start.t_ns
    assert draft.gesture.events == (draft.gesture.start,)


def test_it_works_on_pictures_without_raw_pixels() -> None:
    desk = Desk(raw=False)
    hovered(desk, TIP)
    desk.move(600, 400)
    assert desk.end() == ["hover 205,202 for 0.6s"]


def test_a_menu_that_opens_while_the_pointer_is_still_coming(quiet: Desk) -> None:
    quiet.move(190, 202)
    quiet.paint(MENU)
    quiet.rest(60)
    quiet.move(205, 202)
    quiet.rest(600)
    quiet.move(220, 300)
    assert quiet.end() == ["hover 205,202 for 0.1s"]
    assert colour(quiet.drafts[0].before, MENU) == 0


def test_a_tooltip_under_a_button_that_lights_up(quiet: Desk) -> None:
    quiet.move(205, 202)
    quiet.paint(BUTTON, 90)
    quiet.rest(500)
    quiet.paint(Rect(190, 216, 270, 234))
    quiet.rest(500)
    quiet.move(600, 400)
    assert quiet.end() == ["hover 205,202 for 0.6s"]
    assert colour(quiet.drafts[0].before, BUTTON) == 0


def test_a_button_that_only_lights_up_is_no_hover(quiet: Desk) -> None:
    hovered(quiet, BUTTON, after_ms=50)
    quiet.move(600, 400)
    assert quiet.end() == []


def test_what_stops_glowing_on_the_way_is_no_hover(quiet: Desk) -> None:
    quiet.paint(Rect(160, 140, 260, 165))
    quiet.move(200, 150)
    quiet.rest(100)
    quiet.move(205, 202)
    quiet.rest(50)
    quiet.clear(Rect(160, 140, 260, 165))
    quiet.rest(600)
    quiet.move(600, 400)
    assert quiet.end() == []


@pytest.mark.parametrize("box", [Rect(560, 10, 630, 40), Rect(20, 430, 120, 470)], ids=["clock", "status"])
def test_what_changes_elsewhere_is_no_hover(quiet: Desk, box: Rect) -> None:
    hovered(quiet, box)
    quiet.move(600, 400)
    assert quiet.end() == []


def test_what_was_in_motion_anyway_is_no_hover(quiet: Desk) -> None:
    quiet.blink(Rect(210, 220, 290, 290))
    quiet.rest(1000)
    quiet.move(205, 202)
    quiet.rest(900)
    quiet.move(600, 400)
    assert quiet.end() == []


def test_a_hover_beside_something_in_motion(quiet: Desk) -> None:
    quiet.blink(Rect(400, 20, 500, 60))
    quiet.rest(1000)
    hovered(quiet, TIP)
    quiet.move(600, 400)
    assert quiet.end() == ["hover 205,202 for 0.6s"]


def test_a_click_at_the_same_place_says_it_all(quiet: Desk) -> None:
    hovered(quiet, TIP)
    quiet.click()
    assert quiet.end() == ["click 205,202"]


def test_a_click_after_a_little_way_and_back_says_it_all(quiet: Desk) -> None:
    hovered(quiet, TIP)
    quiet.move(216, 202)
    quiet.move(206, 203)
    quiet.click()
    assert quiet.end() == ["click 206,203"]


def test_a_hover_comes_before_the_click_that_follows(quiet: Desk) -> None:
    hovered(quiet, MENU)
    quiet.move(220, 300)
    quiet.click()
    quiet.clear(MENU)
    quiet.rest(800)
    assert quiet.end() == ["hover 205,202 for 0.6s", "click 220,300"]
    hover, click = quiet.drafts
    assert colour(hover.after, MENU) == colour(click.before, MENU) == 200
    assert colour(click.after, MENU) == 0


def test_a_hover_comes_after_the_typing_before_it(quiet: Desk) -> None:
    quiet.key("a", "a")
    quiet.paint(Rect(20, 20, 60, 60))
    quiet.rest(300)
    hovered(quiet, TIP)
    quiet.key("b", "b")
    quiet.rest(300)
    assert quiet.end() == ['type "a"', "hover 205,202 for 0.6s", 'type "b"']


def test_the_answer_to_a_click_is_no_hover(quiet: Desk) -> None:
    quiet.click()
    quiet.rest(300)
    hovered(quiet, MENU)
    quiet.move(600, 400)
    assert quiet.end() == ["click 0,0"]
    assert colour(quiet.drafts[0].after, MENU) == 200


def test_a_menu_that_closes_when_the_pointer_leaves_it_is_no_hover(quiet: Desk) -> None:
    quiet.move(205, 202)
    quiet.paint(MENU)
    quiet.move(220, 300)
    quiet.click()
    quiet.paint(Rect(20, 20, 60, 60))
    quiet.rest(400)
    quiet.move(380, 280)
    quiet.clear(MENU)
    quiet.rest(600)
    assert quiet.end() == ["click 220,300"]


def test_a_menu_that_opens_where_the_pointer_came_from(quiet: Desk) -> None:
    quiet.move(240, 300)
    quiet.rest(500)
    hovered(quiet, MENU)
    quiet.move(600, 400)
    assert quiet.end() == ["hover 205,202 for 0.6s"]


def test_a_tooltip_that_goes_is_no_hover_and_one_that_comes_again_is(quiet: Desk) -> None:
    hovered(quiet, TIP)
    quiet.move(260, 202)
    quiet.rest(60)
    quiet.clear(TIP)
    quiet.rest(600)
    quiet.move(300, 400)
    hovered(quiet, TIP)
    quiet.move(600, 400)
    assert quiet.end() == ["hover 205,202 for 0.6s"] * 2


def test_a_hover_at_the_end_of_a_recording(quiet: Desk) -> None:
    hovered(quiet, TIP)
    assert quiet.end() == ["hover 205,202 for 0.6s"]


def test_a_hover_is_told_without_waiting_for_the_next_click(quiet: Desk) -> None:
    hovered(quiet, TIP)
    quiet.move(600, 400)
    quiet.rest(1200)
    assert [render(draft.gesture) for draft in quiet.drafts] == ["hover 205,202 for 0.6s"]


def test_a_drag_is_no_rest(quiet: Desk) -> None:
    quiet.move(205, 202)
    quiet._event("down", button="left")
    quiet.rest(300)
    quiet.paint(MENU)
    quiet.rest(600)
    quiet.move(400, 400)
    quiet._event("up", button="left")
    quiet.rest(300)
    assert quiet.end() == ["drag 205,202>400,400"]


# Waiting ------------------------------------------------------------------------------------------------------------


def loaded(desk: Desk, *, at_ms: int, rest_ms: int) -> None:
    """A click that shows a mark at once, and a page later."""
    desk.click()
    desk.paint(Rect(10, 10, 40, 40))
    desk.rest(at_ms)
    desk.paint(PAGE)
    desk.rest(rest_ms)


def test_a_page_that_is_waited_for(quiet: Desk) -> None:
    loaded(quiet, at_ms=1400, rest_ms=1000)
    quiet.click()
    quiet.rest(600)
    assert quiet.end() == ["click 0,0", "wait 1.5s", "click 0,0"]
    first, wait, last = quiet.drafts
    assert wait.before is first.after
    assert (colour(wait.before, PAGE), colour(wait.after, PAGE), wait.settled) == (0, 200, True)
    assert colour(last.before, PAGE) == 200
    assert wait.gesture.start.t_ns == first.last_ns
    assert wait.last_ns - first.last_ns == pytest.approx(1450 * MS, abs=100 * MS)


def test_a_short_rest_is_no_wait(quiet: Desk) -> None:
    loaded(quiet, at_ms=1000, rest_ms=800)
    quiet.click()
    assert quiet.end() == ["click 0,0", "click 0,0"]


@pytest.mark.parametrize("box", [Rect(100, 100, 102, 118), Rect(560, 10, 600, 22)], ids=["cursor", "clock"])
def test_little_things_are_not_waited_for(quiet: Desk, box: Rect) -> None:
    quiet.click()
    quiet.paint(Rect(10, 10, 40, 40))
    quiet.rest(300)
    quiet.blink(box)
    quiet.rest(2500)
    quiet.click()
    assert quiet.end() == ["click 0,0", "click 0,0"]


def test_the_end_of_a_change_is_known_after_a_long_rest_with_a_blinking_cursor() -> None:
    desk = Desk(ring=SnapshotRing(max_bytes=1, min_pictures=6))
    desk.click()
    desk.paint(Rect(10, 10, 40, 40))
    desk.rest(300)
    desk.blink(Rect(100, 100, 102, 118))
    desk.rest(1700)
    desk.paint(PAGE)
    desk.rest(8000)
    desk.click()
    assert desk.end() == ["click 0,0", "wait 2.1s", "click 0,0"]


def test_what_never_comes_to_an_end_is_not_waited_for(quiet: Desk) -> None:
    quiet.click()
    quiet.paint(Rect(10, 10, 40, 40))
    quiet.rest(300)
    quiet.blink(PAGE)
    quiet.rest(2500)
    quiet.click()
    assert quiet.end() == ["click 0,0", "click 0,0"]


def test_the_slow_answer_to_a_click_belongs_to_the_click(quiet: Desk) -> None:
    quiet.click()
    quiet.rest(1500)
    quiet.paint(PAGE)
    quiet.rest(1500)
    quiet.click()
    assert quiet.end() == ["click 0,0", "click 0,0"]
    assert colour(quiet.drafts[0].after, PAGE) == 200


def test_a_wait_that_ends_with_a_move(quiet: Desk) -> None:
    loaded(quiet, at_ms=1400, rest_ms=1000)
    quiet.move(300, 350)
    quiet.click()
    assert quiet.end() == ["click 0,0", "wait 1.5s", "click 300,350"]


def test_a_wait_at_the_end(quiet: Desk) -> None:
    loaded(quiet, at_ms=1400, rest_ms=1000)
    assert quiet.end() == ["click 0,0", "wait 1.5s"]


def test_a_wait_that_a_hotkey_ends(quiet: Desk) -> None:
    loaded(quiet, at_ms=1400, rest_ms=1000)
    quiet.key("F11")
    assert quiet.end() == ["click 0,0", "wait 1.5s"]


def test_a_pause_for_thought_within_a_text_is_no_wait(quiet: Desk) -> None:
    quiet.key("a", "a")
    quiet.paint(Rect(10, 10, 40, 40))
    quiet.rest(300)
    quiet.paint(PAGE)
    quiet.rest(2500)
    quiet.key("b", "b")
    quiet.rest(300)
    assert quiet.end() == ['type "ab"']


@pytest.mark.parametrize(("late_ms", "waits"), [(1300, ["wait 1.4s"]), (300, [])])
def test_a_wait_between_a_text_and_a_key_is_one_where_it_took_a_second(
    quiet: Desk, late_ms: int, waits: list[str]
) -> None:
    quiet.key("a", "a")
    quiet.paint(Rect(10, 10, 40, 40))
    quiet.rest(late_ms)
    quiet.paint(PAGE)
    quiet.rest(2500)
    quiet.key("ArrowDown")
    quiet.rest(300)
    assert quiet.end() == ['type "a"', *waits, "key ArrowDown"]


def test_a_tooltip_that_goes_is_no_wait(quiet: Desk) -> None:
    hovered(quiet, TIP)
    quiet.move(600, 400)
    quiet.rest(60)
    quiet.clear(TIP)
    quiet.rest(2500)
    quiet.click()
    assert quiet.end() == ["hover 205,202 for 0.6s", "click 600,400"]


def test_our_own_windows_are_neither_hovered_nor_waited_for(quiet: Desk) -> None:
    quiet.own = (Rect(150, 150, 400, 300),)
    quiet.click()
    quiet.paint(Rect(10, 10, 40, 40))
    quiet.rest(500)
    quiet.paint(Rect(150, 150, 400, 300), 90)
    quiet.rest(2500)
    hovered(quiet, TIP)
    quiet.move(600, 400)
    assert quiet.end() == ["click 0,0"]


def test_nothing_is_waited_for_across_a_pause(quiet: Desk) -> None:
    quiet.click()
    quiet.paint(Rect(10, 10, 40, 40))
    quiet.rest(300)
    quiet.capture.flush(quiet.now * MS)
    quiet.rest(1000)
    quiet.paint(PAGE)
    quiet.rest(1500)
    quiet.click()
    assert quiet.end() == ["click 0,0", "click 0,0"]


def test_blocks() -> None:
    def shown(value: int, width: int = 70) -> Snapshot:
        image = np.zeros((40, width, 3), dtype=np.uint8)
        image[17:33, 30:33] = value
        return Snapshot(started_ns=0, ended_ns=1, screenshot=Screenshot(image=image, started_ns=0, ended_ns=1))

    old, new = shown(0), shown(1)
    found = changed_blocks(old, new)
    assert found.shape == (3, 5)
    (patch,) = changed_regions(found)
    assert (patch.blocks, patch.box) == (4, Rect(16, 16, 48, 48))
    beside = changed_blocks(old, new, crop=Rect(32, 0, 70, 40))
    assert beside.tolist() == [[False, False, False], [True, False, False], [True, False, False]]
    assert changed_blocks(old, shown(0, width=80)).all()
    assert not changed_blocks(old, old).any()
