"""Hot-keys are kept from other programs while they count, and only then."""

from __future__ import annotations

import contextlib
import subprocess
import threading
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

from demopack.domain.actions import LLMResponse, WaitAction
from demopack.domain.events import InputEvent
from demopack.settings import HotkeySettings, Settings
from demopack.store import Library
from player.executor import ActionResult, open_executor
from player.replay_stage import open_replay
from recorder.backends import open_input
from recorder.backends.x11.key_grab import KeyGrab
from recorder.desktop.private_display import PrivateDisplay
from recorder.hotkeys import HotkeyDetector, recording_hotkeys
from tests.support.demos import sample_demo
from tests.support.desktop_programs import until
from tests.support.injector import Injector
from tests.support.stage import Stage

pytestmark = pytest.mark.e2e

KEYS = recording_hotkeys(HotkeySettings())


@pytest.fixture
def screen() -> Generator[PrivateDisplay]:
    with PrivateDisplay(width=900, height=700) as display:
        yield display


class Ear:
    """Which hot-keys the recorder hears."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self._detector = HotkeyDetector(KEYS)
        self._condition = threading.Condition()

    def hear(self, event: InputEvent) -> None:
        meaning, _ = self._detector.feed(event)
        if meaning is not None:
            with self._condition:
                self.heard.append(meaning)
                self._condition.notify_all()

    def wait_for(self, count: int) -> None:
        with self._condition:
            assert self._condition.wait_for(lambda: len(self.heard) >= count, timeout=20), self.heard


def test_hotkeys_reach_the_recorder_and_nobody_else(screen: PrivateDisplay) -> None:
    ear = Ear()
    source = open_input(screen.name)
    source.start(ear.hear)
    with Stage(screen.name, width=700, height=400) as stage, Injector(screen.name) as person:
        person.key("f11")
        stage.wait_for(1, 1)
        grab = KeyGrab(KEYS, screen.name)
        assert grab.taken == []
        for key in ("f8", "f9", "f10", "f11", "ctrl+alt+r", "ctrl+alt+f", "ctrl+alt+p"):
            person.key(key)
        # The locks do not make it another key; the stage sees two keys, the locks themselves count as modifiers.
        person.key("Num_Lock")
        person.key("f11")
        person.key("Caps_Lock")
        person.key("f11")
        person.key("Caps_Lock")
        person.key("Num_Lock")
        # With another modifier it is another key.
        person.key("shift+f11")
        stage.wait_for(2, 2)
        grab.close()
        person.key("f11")
        stage.wait_for(3, 3)
        person.wait(0.2)
        assert stage.seen == (3, 3)
    ear.wait_for(11)
    source.stop()
    order = ["note", "pause", "shot", "variable", "note", "start_stop", "forget", "panic", "note", "note", "note"]
    assert ear.heard == order


def test_a_key_that_another_program_holds_is_named_and_the_others_are_held(screen: PrivateDisplay) -> None:
    first = KeyGrab({"theirs": "Ctrl+Alt+F"}, screen.name)
    ours = KeyGrab({**KEYS, "off": "", "wrong": "Foo", "bare": "Ctrl"}, screen.name)
    assert first.taken == []
    assert ours.taken == ["Ctrl+Alt+F"]
    with Stage(screen.name, width=700, height=400) as stage, Injector(screen.name) as person:
        person.key("f11")
        person.key("a")
        stage.wait_for(1, 1)
        assert stage.seen == (1, 1)
    first.close()
    ours.close()
    ours.close()


def test_a_key_that_another_program_lets_go_of_is_held_from_then_on(screen: PrivateDisplay) -> None:
    other = KeyGrab({"forget": "Ctrl+Alt+F"}, screen.name)
    grab = KeyGrab({"forget": "Ctrl+Alt+F"}, screen.name)
    assert grab.taken == ["Ctrl+Alt+F"]
    other.close()
    until(lambda: grab.taken == [], "the key is never ours")
    grab.close()


@contextlib.contextmanager
def acting(library: Library) -> Generator[None]:
    """Hands that wait, until they are stopped."""
    del library
    with open_executor(Settings(), eyes="picture") as hands:
        seen = hands.observe()
        results: list[ActionResult] = []
        waiting = LLMResponse.of(WaitAction(wait_duration_s=60))
        thread = threading.Thread(target=lambda: results.append(hands.execute(waiting, seen).result))
        thread.start()
        yield
        thread.join(20)
        assert [one.code for one in results] == ["stopped"]


@contextlib.contextmanager
def replaying(library: Library) -> Generator[None]:
    """What replays a demo, and is about to."""
    with open_replay(library.demo(sample_demo(library)), library, Settings()):
        yield


@pytest.mark.parametrize("at_work", [acting, replaying])
def test_the_key_that_stops_it_reaches_no_other_program_while_something_acts(
    screen: PrivateDisplay,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    at_work: Callable[[Library], contextlib.AbstractContextManager[None]],
) -> None:
    monkeypatch.setenv("DISPLAY", screen.name)
    with (
        Library.open(tmp_path) as library,
        Stage(screen.name, width=700, height=400) as stage,
        Injector(screen.name) as person,
    ):
        with at_work(library):
            person.key("ctrl+alt+Escape")
            person.key("a")
            stage.wait_for(1, 1)
            assert stage.seen == (1, 1)
        person.key("ctrl+alt+Escape")
        stage.wait_for(2, 2)


def test_a_held_key_follows_the_layout(screen: PrivateDisplay) -> None:
    with Stage(screen.name, width=700, height=400) as stage:
        grab = KeyGrab({"forget": "Ctrl+Alt+F"}, screen.name)
        # F lies elsewhere on this layout; the grab has followed when a newcomer finds the key taken.
        subprocess.run(["setxkbmap", "dvorak"], env=screen.environment(), check=True)
        taken: list[str] = []
        for _ in range(200):
            newcomer = KeyGrab({"forget": "Ctrl+Alt+F"}, screen.name)
            newcomer.close()
            taken = newcomer.taken
            if taken:
                break
            threading.Event().wait(0.05)
        assert taken == ["Ctrl+Alt+F"]
        with Injector(screen.name) as person:
            person.key("ctrl+alt+f")
            person.key("a")
            stage.wait_for(1, 1)
        assert stage.seen == (1, 1)
        grab.close()
