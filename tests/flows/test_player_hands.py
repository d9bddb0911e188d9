"""Gestures, the way of the pointer, and how a person stops both."""

from __future__ import annotations

import itertools
import threading
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demopack.domain.events import InputEvent
from demopack.domain.geometry import Point, Rect
from demopack.errors import CancelledError, ReplayError
from demopack.jobs import CancelToken, JobControl
from demopack.settings import PlayerSettings
from player.abort import AbortMonitor
from player.input_driver import InputDriver, eased_path, through
from tests.support.fake_performer import FakePerformer

DESKTOP = Rect(0, 0, 800, 600)
FAST = PlayerSettings(pointer_px_s=100_000, typing_interval_ms=0)
coordinates = st.integers(-2000, 4000)
points = st.builds(Point, coordinates, coordinates)


class Scene:
    """InputDriver under a watch, over a fake performer."""

    def __init__(self) -> None:
        self.performer = FakePerformer()
        self.token = CancelToken()
        self.watch = AbortMonitor(
            self.performer, token=self.token, bounds=DESKTOP, hotkey="Ctrl+Alt+Escape", corner_px=4
        )
        self.hands = InputDriver(self.performer, gate=self.watch, settings=FAST)

    def interfere(self, after: int, **what: Any) -> None:
        """A person does something right after the nth input."""

        def before(count: int) -> None:
            if count == after:
                for name, value in what.items():
                    setattr(self.performer, name, value)

        self.performer.before = before


@pytest.fixture
def scene() -> Scene:
    return Scene()


class TestMotion:
    @given(points, points, st.floats(100, 50_000))
    def test_it_ends_where_it_should(self, start: Point, end: Point, px_s: float) -> None:
        way = eased_path(start, end, px_s=px_s)
        assert way[-1] == end
        assert all(a != b for a, b in itertools.pairwise(way))
        assert all(min(start.x, end.x) <= p.x <= max(start.x, end.x) for p in way)

    def test_a_long_way_has_points_between(self) -> None:
        assert len(eased_path(Point(0, 0), Point(600, 400), px_s=3000)) > 20

    @given(st.lists(points, min_size=2, max_size=8), points, points)
    def test_a_recorded_way_leads_to_the_new_ends(self, way: list[Point], start: Point, end: Point) -> None:
        moved = through(way, start, end)
        assert (moved[0], moved[-1], len(moved)) == (start, end, len(way))

    def test_an_unmoved_way_stays(self) -> None:
        way = [Point(0, 0), Point(5, 9), Point(10, 0)]
        assert through(way, way[0], way[-1]) == way


class TestGestures:
    def test_a_click_with_modifiers(self, scene: Scene) -> None:
        scene.hands.click(Point(50, 60), button="right", modifiers=["ctrl", "shift"])
        assert scene.performer.gestures() == ["+Ctrl", "+Shift", "+right", "-right", "-Shift", "-Ctrl"]
        assert scene.performer.at == Point(50, 60)

    def test_a_triple_click(self, scene: Scene) -> None:
        scene.hands.click(Point(50, 60), count=3)
        assert scene.performer.gestures() == ["+left", "-left"] * 3

    def test_two_single_clicks_do_not_become_a_double_click(self, scene: Scene) -> None:
        waits: list[float] = []
        scene.watch.wait = waits.append  # type: ignore[method-assign]
        scene.hands.click(Point(50, 60))
        assert max(waits) < 0.1
        scene.hands.click(Point(52, 60))
        assert max(waits) > 0.5
        waits.clear()
        scene.hands.click(Point(300, 60))
        assert max(waits) < 0.1

    def test_a_drag_goes_all_the_way(self, scene: Scene) -> None:
        scene.hands.drag([Point(10, 10), Point(100, 10), Point(100, 90)])
        done = scene.performer.done
        assert done.index("+left") < done.index("m100,10") < done.index("m100,90") < done.index("-left")

    def test_scrolling_is_one_notch_at_a_time(self, scene: Scene) -> None:
        scene.hands.scroll(dy=-3, modifiers=["ctrl"])
        assert scene.performer.gestures() == ["+Ctrl", "w0,-1", "w0,-1", "w0,-1", "-Ctrl"]

    def test_a_chord_is_released_backwards(self, scene: Scene) -> None:
        scene.hands.press_keys(["Ctrl", "Shift", "T"])
        assert scene.performer.gestures() == ["+Ctrl", "+Shift", "+T", "-T", "-Shift", "-Ctrl"]

    def test_a_pointer_that_cannot_be_moved_clicks_nothing(self, scene: Scene) -> None:
        scene.performer.at = Point(51, 60)
        scene.performer.frozen = True
        with pytest.raises(ReplayError, match="could not be brought to"):
            scene.hands.click(Point(50, 60))
        assert scene.performer.gestures() == []


class TestAbort:
    def test_a_corner_stops_typing_at_that_character(self, scene: Scene) -> None:
        scene.interfere(5, at=Point(0, 599))
        with pytest.raises(CancelledError, match="the pointer in a corner"):
            scene.hands.type_text("0123456789")
        assert scene.performer.done == ["'0'", "'1'", "'2'", "'3'", "'4'"]
        assert scene.token.cancelled

    def test_the_hot_key_stops_typing_at_that_character(self, scene: Scene) -> None:
        scene.interfere(3, person={"Ctrl", "Alt", "Escape"})
        with pytest.raises(CancelledError, match=r"the hot-key Ctrl\+Alt\+Escape"):
            scene.hands.type_text("0123456789")
        assert len(scene.performer.done) == 3

    @pytest.mark.parametrize("after", range(1, 8))
    def test_nothing_stays_down_wherever_it_is_stopped(self, scene: Scene, after: int) -> None:
        scene.performer.at = Point(50, 60)
        scene.interfere(after, at=Point(799, 0))
        with pytest.raises(CancelledError):
            scene.hands.drag([Point(50, 60), Point(200, 300)], modifiers=["ctrl", "shift"])
        assert scene.performer.held() == frozenset()
        # Nothing but releases after the person was noticed.
        assert all(word.startswith("-") for word in scene.performer.done[after:])

    def test_the_players_own_way_into_a_corner_is_no_abort(self, scene: Scene) -> None:
        scene.hands.click(Point(0, 0))
        scene.hands.click(Point(799, 599))
        assert scene.performer.gestures() == ["+left", "-left"] * 2

    def test_a_pointer_that_rests_in_a_corner_from_the_start_is_no_abort(self) -> None:
        performer = FakePerformer(at=Point(0, 0))
        watch = AbortMonitor(performer, token=CancelToken(), bounds=DESKTOP, hotkey="F12", corner_px=4)
        watch.check()

    def test_the_hook_stops_it_too(self, scene: Scene) -> None:
        for name in ("Ctrl", "Alt", "Escape"):
            scene.watch.on_event(InputEvent(t_ns=0, kind="key_down", key=name))
        assert scene.token.cancelled
        assert scene.watch.reason == "the hot-key Ctrl+Alt+Escape"

    def test_the_hook_does_not_mind_other_keys_or_own_moves(self, scene: Scene) -> None:
        for name in ("Ctrl", "Escape"):
            scene.watch.on_event(InputEvent(t_ns=0, kind="key_down", key=name))
        scene.watch.on_event(InputEvent(t_ns=0, kind="key_up", key="Ctrl"))
        scene.watch.on_event(InputEvent(t_ns=0, kind="key_down", key="Alt"))
        scene.watch.expect(Point(0, 0))
        scene.watch.expect(Point(300, 300))
        scene.watch.on_event(InputEvent(t_ns=0, kind="move", x=0, y=0))
        assert not scene.token.cancelled
        scene.watch.on_event(InputEvent(t_ns=0, kind="move", x=1, y=1))
        assert scene.token.cancelled

    def test_it_holds_still_while_a_person_holds_a_modifier(self, scene: Scene) -> None:
        scene.performer.person = {"Shift"}
        release = threading.Timer(0.1, lambda: scene.performer.person.clear())
        release.start()
        scene.hands.type_text("a")
        release.join()
        assert scene.performer.done == ["'a'"]
        assert not scene.performer.person

    def test_work_that_waits_is_stopped_through_its_token(self, scene: Scene) -> None:
        control = scene.watch.watched(JobControl(token=scene.token))
        assert control.token.wait(0.001) is False
        control.token.check()
        scene.performer.person = {"Ctrl", "Alt", "Escape"}
        assert control.token.wait(30) is True
        with pytest.raises(CancelledError):
            control.token.check()

    def test_someone_else_may_cancel(self, scene: Scene) -> None:
        scene.token.cancel()
        with pytest.raises(CancelledError, match=r"It was stopped\."):
            scene.hands.click(Point(1, 1))
        assert scene.performer.done == []


def test_a_person_who_does_not_let_go_ends_everything(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("player.abort._PATIENCE_S", 0.0)
    scene.performer.person = {"Ctrl"}
    with scene.watch, pytest.raises(ReplayError, match="gave way to a person, but Ctrl did not come to rest"):
        scene.hands.click(Point(100, 100))
    assert scene.token.cancelled  # so that no other row of a table is begun
