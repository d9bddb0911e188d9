"""A language model that does MiniWoB++ tasks by the agent loop, on what it is shown and told."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from demopack.pack.reader import open_packs
from demopack.settings import LanguageSettings, Settings
from demopack.store import Library
from models.language.client import LanguageClient
from player.agent import Agent, AgentOptions, AgentWatcher
from player.evaluation.miniwob.bench import Episode
from player.evaluation.miniwob.pages import TaskBrowser
from player.executor import open_executor
from player.observing import Eyes
from player.run_recorder import RunRecorder


class _Page(AgentWatcher):
    """Ends the run when the page has judged."""

    def __init__(self, browser: TaskBrowser) -> None:
        self._browser = browser

    def is_over(self) -> bool:
        return self._browser.done


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelAgent:
    """Asks a model what to do, turn by turn; of the page it knows the utterance alone.

    Attributes:
        name: as results tell it.
        language: which model.
        folder: where its answers and costs are kept.
        options: of the loop; ``options.prompt`` says how demos are shown, and which of CAAP's parts.
        eyes: what observations are made from.
        demos: a pack with examples; None for none.
        allowance: dollars for each worker; None for no limit but the settings' own.
    """

    name: str
    language: LanguageSettings
    folder: Path
    options: AgentOptions
    eyes: Eyes = "pixels"
    demos: Path | None = None
    allowance: float | None = None

    def __call__(self, episode: Episode) -> dict[str, Any]:
        """Do the task, at most in so many steps as the options say."""
        with contextlib.ExitStack() as stack:
            port = stack.enter_context(
                contextlib.closing(LanguageClient(self.language, folder=self.folder, allowance=self.allowance))
            )
            source = None if self.demos is None else stack.enter_context(open_packs([self.demos]))
            hands = stack.enter_context(open_executor(Settings(), eyes=self.eyes, finder=episode.finder))
            library = stack.enter_context(Library.open(episode.folder / "library"))
            task = episode.browser.utterance
            recorder = stack.enter_context(RunRecorder(library, task=task))
            watcher = _Page(episode.browser)
            report = Agent(
                hands, port, task=task, options=self.options, demos=source, recorder=recorder, watcher=watcher
            ).run()
            return report.to_json()
