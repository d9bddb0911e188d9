"""The line against a program that nobody here wrote: MiniWoB++ in Chromium, which judges by its own reward.

A person solves a task through the X server; that is recorded from outside the page, exported, and performed again from
the pack on a fresh page of the same seed. All tasks are `demopack bench miniwob`; here is one of each way to act.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from demopack.settings import VisionSettings
from demopack.store import Library
from models.vision.finder import WorkerFinder, open_finder
from player.backends.x11 import X11Performer
from player.evaluation.closed_loop import make_pack, recording, replay_pack
from player.evaluation.miniwob.pages import NEUTRAL, SCREEN, TaskBrowser
from player.evaluation.miniwob.solvers import SOLVERS
from player.scripted_user import PracticeUser
from recorder.desktop.private_display import PrivateDisplay, on_display
from tests.support.noted_person import NotedPerson, compare, done

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

SEED = 1004
# Faster than a person, so that the whole table takes a few minutes; the pauses are still longer than a frame.
SPEED = 1.5
TASKS = (
    "choose-list",  # a list in a window of its own, by keyboard
    "click-menu",  # resting on entries until further menus open
    "click-scroll-list",  # wheel, and clicks with Ctrl
    "copy-paste-2",
    "drag-box",
    "drag-items-grid",
    "email-inbox-forward-nl",  # several screens, wheel, typing
    "highlight-text-2",  # a drag that selects text
    "login-user-popup",  # something in front, passwords
    "scroll-text",
    "use-autocomplete",  # suggestions while typing
    "use-slider",
)


@dataclass
class Bench:
    """What all tasks share, and the table that they fill."""

    page: TaskBrowser
    device: X11Performer
    finder: WorkerFinder
    rows: list[str] = field(default_factory=list)


@pytest.fixture(scope="module")
def bench(request: pytest.FixtureRequest) -> Iterator[Bench]:
    with (
        PrivateDisplay(width=SCREEN[0], height=SCREEN[1]) as display,
        on_display(display.environment()),
        TaskBrowser(display.environment()) as page,
        X11Performer(display.name) as device,
        open_finder(VisionSettings()) as finder,
    ):
        page.calibrate(device)
        made = Bench(page=page, device=device, finder=finder)
        yield made
    reporter = request.config.pluginmanager.getplugin("terminalreporter")
    with request.config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
        for line in ["", f"{'task':24} {'person':>7} {'replay':>7}  how the targets were found", *made.rows]:
            reporter.write_line(line)


@pytest.mark.parametrize("task", TASKS)
def test_a_task_that_was_solved_once_is_solved_again_from_its_pack(bench: Bench, task: str, tmp_path: Path) -> None:
    page, person = bench.page, NotedPerson(bench.device, speed=SPEED, seed=SEED)
    show(bench, task)
    with Library.open(tmp_path / "library") as library:
        with recording(library, task=page.utterance) as demo_id:
            SOLVERS[task](page, person)
            by_person = page.reward()
        assert by_person == 1, "the person did not solve it"
        rows = make_pack(library, demo_id(), bench.finder, tmp_path / "pack")
    assert compare(person.meant, done(rows)) == []

    show(bench, task)
    played = replay_pack(tmp_path / "pack", bench.finder)
    by_replay = page.reward()
    found = " ".join(str(step.strategy) for step in played.steps)
    bench.rows.append(f"{task:24} {by_person:7.2f} {by_replay:7.2f}  {found}")
    assert by_replay == 1


def test_a_page_that_nobody_touches_gives_no_reward(bench: Bench) -> None:
    show(bench, "click-button")
    assert bench.page.reward(seconds=0.5) == 0


def test_the_page_tells_a_wrong_click_from_a_right_one(bench: Bench) -> None:
    show(bench, "click-checkboxes")
    PracticeUser(bench.device, speed=SPEED).click(bench.page.one("#subbtn").point)
    assert bench.page.reward() < 1, "nothing was ticked"


def show(bench: Bench, task: str) -> None:
    """A fresh page, the pointer on nothing."""
    bench.device.move(NEUTRAL.x, NEUTRAL.y)
    bench.page.open(task, seed=SEED)
