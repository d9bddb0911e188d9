"""Sixty things a person does, on a stage whose pixels say what the screen showed when: every step must be exact."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from demopack.domain.demos import Demo
from demopack.settings import RecorderSettings
from demopack.store import Library
from recorder.backends import open_input, open_screen, open_windows
from recorder.backends.private_display import PrivateDisplay
from recorder.session import RecordingSession
from tests.support.injector import Injector
from tests.support.stage import Place, Stage

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

PACE_S = 0.25
TEXTS = ("hello world", "It's 4 PM!", "café", "中文 ok", "a+b = C_d", "Straße & Öl", "x  y")
KEYS = ("Ctrl+S", "Ctrl+Shift+T", "Enter", "Tab", "Escape", "F5", "ArrowDown", "Shift+Tab", "Ctrl+A", "Delete")


@dataclass
class Act:
    """One thing to do, what it must be recorded as, and how many presses and releases the stage will count."""

    do: Callable[[Injector, Place], None]
    kind: str
    parameters: dict[str, Any] = field(default_factory=dict)
    at: tuple[int, int] | None = None
    end: tuple[int, int] | None = None
    presses: int = 1
    releases: int = 1


def _click(at: tuple[int, int], *, button: str = "left", count: int = 1, modifiers: tuple[str, ...] = ()) -> Act:
    kind = {1: "single", 2: "double", 3: "triple"}[count] if button == "left" else button
    parameters: dict[str, Any] = {} if kind == "single" else {"click_type": kind}
    if modifiers:
        parameters["modifiers"] = list(modifiers)

    def do(person: Injector, place: Place) -> None:
        person.click(place.x + at[0], place.y + at[1], button=button, count=count, modifiers=modifiers)

    return Act(do, "click", parameters, at, presses=count, releases=count)


def _drag(at: tuple[int, int], end: tuple[int, int]) -> Act:
    def do(person: Injector, place: Place) -> None:
        person.drag(place.x + at[0], place.y + at[1], place.x + end[0], place.y + end[1])

    return Act(do, "drag", at=at, end=end)


def _scroll(at: tuple[int, int], direction: str, steps: int, modifiers: tuple[str, ...] = ()) -> Act:
    parameters: dict[str, Any] = {"scroll_direction": direction, "scroll_steps": steps}
    if modifiers:
        parameters["modifiers"] = list(modifiers)

    def do(person: Injector, place: Place) -> None:
        person.move(place.x + at[0], place.y + at[1])
        person.scroll(direction, steps, modifiers=modifiers)

    return Act(do, "scroll", parameters, at, presses=steps, releases=0)


def _type(text: str) -> Act:
    return Act(lambda p, _: p.type(text), "type", {"text_to_type": text}, presses=len(text), releases=len(text))


def _key(info: str) -> Act:
    return Act(lambda p, _: p.key(info.lower()), "press_key", {"key_info": info})


def sixty() -> list[Act]:
    """24 left, 4 right, 2 middle, 5 double, 2 triple clicks, 5 drags, 6 scrolls, 7 texts, 5 keys, well mixed."""
    spots = [(40 + 97 * n % 700, 60 + 61 * n % 440) for n in range(60)]
    place = iter(spots)
    acts = [_click(next(place)) for _ in range(22)]
    acts += [_click(next(place), modifiers=("ctrl",)), _click(next(place), modifiers=("shift",))]
    acts += [_click(next(place), button="right") for _ in range(4)]
    acts += [_click(next(place), button="middle") for _ in range(2)]
    acts += [_click(next(place), count=2) for _ in range(5)]
    acts += [_click(next(place), count=3) for _ in range(2)]
    acts += [_drag(next(place), (700 - 90 * n, 500 - 60 * n)) for n in range(5)]
    wheel = (("down", 3, ()), ("up", 2, ()), ("down", 1, ()), ("left", 2, ()), ("right", 1, ()), ("up", 4, ("ctrl",)))
    acts += [_scroll(next(place), direction, steps, modifiers) for direction, steps, modifiers in wheel]
    acts += [_type(text) for text in TEXTS]
    acts += [_key(info) for info in KEYS[:5]]
    # 37 and 60 share no factor: every kind meets every other.
    return [acts[37 * n % 60] for n in range(60)]


@contextmanager
def burners(count: int) -> Generator[None]:
    """Processes that keep the cores busy."""
    started = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for process in started:
            process.kill()
            process.wait()


def perform(folder: Path, acts: list[Act]) -> tuple[Demo, list[str]]:
    """Do it all while a recording runs; returns the demo, and for each step what is wrong with it."""
    with (
        PrivateDisplay() as screen,
        Stage(screen.name) as stage,
        Injector(screen.name) as person,
        Library.open(folder) as library,
    ):
        source, windows = open_screen(screen.name), open_windows(screen.name)
        session = RecordingSession(
            library,
            settings=RecorderSettings(),
            task="sixty things",
            screen=source,
            windows=windows,
            inputs=open_input(screen.name),
        )
        session.start()
        presses = releases = 0
        states: list[tuple[int, int]] = [(0, 0)]
        for act in acts:
            person.wait(PACE_S)
            act.do(person, stage.place)
            presses, releases = presses + act.presses, releases + act.releases
            stage.wait_for(presses, releases)
            states.append((presses, releases))
        person.wait(PACE_S)
        demo_id = session.stop()
        source.close()
        windows.close()
        assert session.error is None
        assert session.counters.events_dropped == 0
        demo = library.demo(demo_id)
        return demo, _judge(demo, acts, states, stage, library)


def _judge(demo: Demo, acts: list[Act], states: list[tuple[int, int]], stage: Stage, library: Library) -> list[str]:
    wrong: list[str] = []
    for n, (step, act) in enumerate(zip(demo.steps, acts, strict=False)):
        place = stage.place
        if (step.action.action_type, _plain(step.action.parameters)) != (act.kind, act.parameters):
            wrong.append(f"{n}: {step.action.action_type} {step.action.parameters}, not {act.kind} {act.parameters}")
            continue
        if act.at is not None:
            assert step.pointer is not None
            if (step.pointer.x - place.x, step.pointer.y - place.y) != act.at:
                wrong.append(f"{n}: at {step.pointer}, not {act.at}")
            if act.end is not None and (step.pointer.end_x, step.pointer.end_y) != (
                act.end[0] + place.x,
                act.end[1] + place.y,
            ):
                wrong.append(f"{n}: ends at {step.pointer}, not {act.end}")
        assert step.before is not None
        assert step.after is not None
        before, after = (stage.read(library.get_image(frame.id)) for frame in (step.before, step.after))
        if before != states[n]:
            wrong.append(f"{n} ({act.kind}): the screen before shows {before}, not {states[n]}; {step.quality}")
        if after != states[n + 1]:
            wrong.append(f"{n} ({act.kind}): the screen after shows {after}, not {states[n + 1]}; {step.quality}")
        if step.quality.changed_before_event is not False:
            wrong.append(f"{n}: changed_before_event is {step.quality.changed_before_event}")
    return wrong


def _plain(parameters: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in parameters.items() if name not in {"end_target", "path"}}


@pytest.mark.parametrize("load", [0, os.cpu_count() or 2], ids=["quiet", "loaded"])
def test_sixty_actions_are_recorded_exactly(tmp_path: Path, load: int) -> None:
    acts = sixty()
    assert len(acts) == 60
    with burners(load):
        demo, wrong = perform(tmp_path / "library", acts)
    assert wrong == []
    assert len(demo.steps) == 61
    assert demo.steps[-1].action.action_type == "finish_goal"
    ages = sorted(step.quality.frame_age_ms or 0 for step in demo.steps[:-1])
    # A frame that is older than this was not looked for while a person acted.
    assert ages[len(ages) // 2] <= 100
