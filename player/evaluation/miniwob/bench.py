"""Agents on MiniWoB++: one worker's display and browser, and the agents that act on them."""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

from demopack.errors import DemopackError
from demopack.replacing import scratch_folder
from demopack.settings import VisionSettings
from demopack.store import Library
from models.vision.finder import WorkerFinder, open_finder
from player.backends.x11 import X11Performer
from player.evaluation.closed_loop import make_pack, recording, replay_pack
from player.evaluation.episodes import EpisodeResult, RunEpisode
from player.evaluation.miniwob.pages import NEUTRAL, SCREEN, TaskBrowser
from player.evaluation.miniwob.solvers import SOLVERS
from player.scripted_user import PracticeUser
from recorder.desktop.private_display import PrivateDesktop, PrivateDisplay, on_display

_SPEED: Final = 1.5  # of the scripted person; their pauses are still longer than a frame


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """One task under way, as an agent meets it.

    Attributes:
        task: its name.
        seed: of the page.
        browser: shows the page. An agent that is measured as one that sees leaves it alone, but for the utterance.
        device: mouse and keyboard of the page's display, which is the display of this process.
        finder: parses screens.
        folder: for the agent's files; it is gone afterwards.
    """

    task: str
    seed: int
    browser: TaskBrowser
    device: X11Performer
    finder: WorkerFinder
    folder: Path

    def restart(self) -> None:
        """Show the page afresh, with the pointer on nothing."""
        self.device.move(NEUTRAL.x, NEUTRAL.y)
        self.browser.open(self.task, seed=self.seed)


class EpisodeAgent(Protocol):
    """Acts on an open page through the X server; called in a worker's process, so it can be pickled."""

    @property
    def name(self) -> str:
        """As results tell it."""
        ...

    def __call__(self, episode: Episode) -> dict[str, Any]:
        """Do the task; whoever calls asks the page for its reward.

        Returns:
            Notes for the results, plain JSON.
        """
        ...


@dataclass(frozen=True, slots=True)
class ReplayAgent:
    """Performs again, from its pack, what a scripted person did on the same seed and was recorded at."""

    name: str = "replay"

    def __call__(self, episode: Episode) -> dict[str, Any]:
        """Record, export, and replay on a fresh page."""
        pack = episode.folder / "pack"
        with Library.open(episode.folder / "library") as library:
            with recording(library, task=episode.browser.utterance) as demo_id:
                SOLVERS[episode.task](episode.browser, PracticeUser(episode.device, speed=_SPEED, seed=episode.seed))
                by_person = episode.browser.reward()
            rows = make_pack(library, demo_id(), episode.finder, pack)
        episode.restart()
        report = replay_pack(pack, episode.finder)
        return {
            "person": by_person,
            "steps": len(rows),
            "actions": [row["response"]["action"]["action_type"] for row in rows],
            "performed": report.performed,
            "first_difference": report.first_difference,
            "stopped": " ".join(filter(None, (report.stopped, *(s.error for s in report.steps if s.error)))),
            "strategies": [step.strategy for step in report.steps],
            "seconds": report.seconds,
        }


@dataclass(frozen=True, slots=True)
class BenchWorker:
    """Opens a display, a browser and a finder for one process, and runs an agent's episodes there.

    Attributes:
        agent: whose episodes.
        telling: the browser reports what its pages show, to programs that ask.
    """

    agent: EpisodeAgent
    telling: bool = False

    @contextmanager
    def __call__(self) -> Generator[RunEpisode]:
        """Everything stays open for the block.

        Raises:
            CaptureError: something that is needed is not installed.
        """
        with ExitStack() as stack:
            kind = PrivateDesktop if self.telling else PrivateDisplay
            display = stack.enter_context(kind(width=SCREEN[0], height=SCREEN[1]))
            stack.enter_context(on_display(display.environment()))
            browser = stack.enter_context(TaskBrowser(display.environment(), telling=self.telling))
            device = stack.enter_context(X11Performer(display.name))
            finder = stack.enter_context(open_finder(VisionSettings()))
            browser.calibrate(device)

            def run(task: str, seed: int) -> EpisodeResult:
                with scratch_folder() as folder:
                    episode = Episode(
                        task=task, seed=seed, browser=browser, device=device, finder=finder, folder=folder
                    )
                    return self._judged(episode)

            yield run

    def _judged(self, episode: Episode) -> EpisodeResult:
        result = EpisodeResult(agent=self.agent.name, task=episode.task, seed=episode.seed)
        started = time.monotonic()
        try:
            episode.restart()
            notes = self.agent(episode)
            judged: dict[str, Any] = {"reward": episode.browser.reward(), "notes": notes}
        except DemopackError as error:
            judged = {"error": f"{error} {error.details}".strip()}
        except Exception as error:  # noqa: BLE001 - a browser that breaks costs one episode, whatever it raises
            judged = {"error": repr(error)}
        return result.model_copy(update={**judged, "seconds": round(time.monotonic() - started, 1)})
