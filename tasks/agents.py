"""The language models of a run: one for each part that asks, all of which may be the same."""

from __future__ import annotations

import contextlib
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, get_args

from demopack.errors import BadInputError, DemopackError
from demopack.settings import LanguageSettings, Settings
from models.language.client import LanguageClient
from models.language.prompts import PromptCatalogue
from models.language.writers import settings_for
from tasks.instantiation import TaskModel
from tasks.results import TaskLog

Agent = Literal["instantiation", "filter", "evaluation"]
AGENTS: Final[tuple[Agent, ...]] = get_args(Agent)
_ELSEWHERE: Final = {"base_url": "", "key": "", "input_price": -1.0, "output_price": -1.0}
"""What belongs to a server, and says nothing of another one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskAgents:
    """Who is asked in a run.

    Attributes:
        instantiation: chooses templates and makes tasks concrete.
        filter: says which of them can be done.
        evaluation: says which were done.
    """

    instantiation: TaskModel
    filter: TaskModel
    evaluation: TaskModel


def agent_settings(agent: Agent, model: str, settings: Settings, named: Mapping[str, str]) -> LanguageSettings:
    """The language settings of one agent: its own over those of all.

    Args:
        agent: which.
        model: for those without one of their own: a model, or ``model`` for the one in the settings.
        settings: the user's.
        named: models by agent, given for this run; such a model wins over the agent's settings.
    """
    common = settings_for(model, settings.language)
    own = getattr(settings.tasks, agent)
    said: dict[str, Any] = {
        name: value for name, value in own.model_dump().items() if value != "" and value != -1.0 and name != "model"
    }
    if wanted := named.get(agent):
        if own.model and wanted != own.model:
            said = {}  # its address, key and prices are of that model
    else:
        wanted = own.model
    found = settings_for(wanted, common) if wanted else common
    if wanted and wanted != common.model:
        found = found.model_copy(update={"sees": "auto"})
    if "base_url" in said:
        # A key for one server is sent to no other.
        found = found.model_copy(update=_ELSEWHERE)
    return found.model_copy(update=said)


@contextlib.contextmanager
def open_agents(
    model: str,
    settings: Settings,
    *,
    folder: Path,
    named: Mapping[str, str] | None = None,
    budget: float | None = None,
    max_steps: int = 30,
    log: TaskLog | None = None,
) -> Generator[TaskAgents]:
    """The agents of a run, closed at the end of the block; agents with the same settings share a client.

    Args:
        model: as for :func:`agent_settings`.
        settings: the user's.
        folder: the library's, where answers are kept.
        named: models by agent, given for this run.
        budget: dollars that all of them together may spend from now on; None for what the settings allow.
        max_steps: of a plan.
        log: of what they are asked.

    Raises:
        BadInputError: there is no such agent, no model, or a wrong address; it says whose.
        NoKeyError: a key is nowhere; likewise.
    """
    named = named or {}
    if unknown := set(named) - set(AGENTS):
        raise BadInputError(f"There is no agent {min(unknown)!r}.", hint=f"There is {', '.join(AGENTS)}.")
    with contextlib.ExitStack() as stack:
        clients: dict[str, LanguageClient] = {}
        models: dict[str, TaskModel] = {}
        for agent in AGENTS:
            chosen = agent_settings(agent, model, settings, named)
            key = chosen.model_dump_json()
            if key not in clients:
                try:
                    client = LanguageClient(chosen, folder=folder, allowance=budget)
                except DemopackError as error:
                    error.user_message = f"The model for the {agent} of tasks: {error.user_message}"
                    error.hint = f"{error.hint} It has settings of its own in tasks.{agent}.".strip()
                    raise
                clients[key] = stack.enter_context(contextlib.closing(client))
            models[agent] = TaskModel(port=clients[key], catalogue=PromptCatalogue(), max_steps=max_steps, log=log)
        yield TaskAgents(**models)
