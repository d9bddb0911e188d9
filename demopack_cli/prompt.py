"""``demopack prompt``."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Generator
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from demopack.domain.words import counted
from demopack_cli.options import PATH, emit, json_option, library_option, open_library, say, wants_json

if TYPE_CHECKING:
    from demopack.codecs.recorded_demo import DemoSource
    from demopack.prompting.agent_state import AgentState
    from demopack.prompting.prompt import Prompt


@click.command(name="prompt")
@click.argument("pack", type=PATH, required=False)
@click.option("--task", default="", metavar="TEXT", help="What is to be done; by default the task of --screen.")
@click.option(
    "--dialect",
    default="llmresponse",
    show_default=True,
    metavar="NAME",
    help="llmresponse, caap, uipath, lam, ui-tars, ui-tars-1.5, qwen or qwen2.5-vl.",
)
@click.option("--shots", default=2, show_default=True, type=click.IntRange(0, 50), help="At most so many demos.")
@click.option("--budget", default=8000, show_default=True, type=click.IntRange(1), help="Tokens, about.")
@click.option(
    "--screen", default="", metavar="DEMO:STEP", help="The screen now and what was done before it, from the pack."
)
@click.option("--app", default="", metavar="NAME", help="Prefer demos of this program.")
@click.option("--other-instances", is_flag=True, help="No demo of the very same task: for measuring.")
@click.option(
    "--any-outcome", is_flag=True, help="Also demos that were cut off, that failed, or of which a step was rejected."
)
@click.option("--seed", default=0, show_default=True, help="Decides between demos that fit equally well.")
@click.option("--shot-elements", is_flag=True, help="List the elements in the turns of demos, too.")
@click.option("--history-in-words", is_flag=True, help="UiPath: what was done in words, not as a talk.")
@click.option("--date", default="", metavar="DATE", help="UiPath: the day, as YYYY-MM-DD, or “today”.")
@click.option("--last-turn", is_flag=True, help="UiPath: the model has to finish with its next action.")
@click.option("--no-plan", is_flag=True, help="LAM: without the demo's own plan, which tells the step: for measuring.")
@click.option("--failure", default="", metavar="TEXT", help="Why the last answer could not be carried out.")
@click.option("--config", default="full", show_default=True, metavar="NAME", help="CAAP: a configuration of Table 6.")
@click.option("--without", default="", metavar="PART,...", help="CAAP: parts to leave out.")
@click.option("--copy", "copies", is_flag=True, help="Put the prompt on the clipboard, too.")
@library_option
@json_option
def command(
    pack: Path | None,
    task: str,
    screen: str,
    copies: bool,
    **given: Any,  # noqa: ANN401 - click's values
) -> None:
    """Print a prompt with the demos of PACK, or of the library, that fit a task best.

    Tokens are counted by a rule of thumb; nothing is sent anywhere.

    Example: demopack prompt last-pack --screen demo_5a3b:4 --copy

    Example: demopack prompt my-pack --task "Log in as Ada" --dialect caap --shots 1
    """
    from demopack.prompting.prompt import PromptOptions
    from demopack.prompting.prompt_builder import build_prompt

    told = {"date": _day(given.pop("date")), "last_turn": given.pop("last_turn"), "failure": given.pop("failure")}
    with _source(pack, any_outcome=given["any_outcome"]) as source:
        situation, own = _situation(source, task, screen)
        situation = replace(situation, **told)
        if given.pop("no_plan"):
            situation = replace(situation, plan=())
        dialect = given.pop("dialect")
        options = PromptOptions(
            instance="other" if given.pop("other_instances") else "any",
            talk=not given.pop("history_in_words"),
            exclude=own,
            **given,
        )
        prompt = build_prompt(source, situation, dialect=dialect, options=options)
    if wants_json():
        emit(prompt.to_json())
    else:
        # In a pipe it goes to a model, to the letter.
        (say if sys.stdout.isatty() else click.echo)(prompt.to_text())
        _tell(prompt)
    if copies:
        from demopack_cli.clipboard import copy_text

        program = copy_text(prompt.to_text())
        say(f"The prompt is on the clipboard ({program}).", err=True)


def _tell(prompt: Prompt) -> None:
    shown = ", ".join(prompt.shots) or "none that fits"
    left = f"; too long for the budget: {', '.join(prompt.left_out)}" if prompt.left_out else ""
    for note in prompt.notes:
        say(note, err=True)
    say(f"\n{prompt.version}, about {counted(prompt.tokens, 'token')}; demos: {shown}{left}", err=True)


@contextlib.contextmanager
def _source(pack: Path | None, *, any_outcome: bool) -> Generator[DemoSource]:
    from demopack.pack.reader import open_packs
    from demopack.prompting.library_demos import LibraryDemos

    if pack is not None:
        with open_packs([pack]) as source:
            yield source
    else:
        with open_library(create=False) as opened:
            heads = [summary.head for summary in opened.demos()]
            ended = [head.id for head in heads if head.status != "recording"]
            yield LibraryDemos(opened, ended if any_outcome else None)


def _day(written: str) -> str:
    """The day as YYYY-MM-DD; empty for none."""
    from demopack.clock import utc_now
    from demopack.errors import BadInputError

    if written == "today":
        return utc_now().astimezone().date().isoformat()
    try:
        return date.fromisoformat(written).isoformat() if written else ""
    except ValueError as error:
        raise BadInputError(f"“{written}” is no day.", hint="Write --date 2026-01-31, or --date today.") from error


def _situation(source: DemoSource, task: str, screen: str) -> tuple[AgentState, tuple[str, ...]]:
    """What is asked about, and the demo that must not be shown because it is the one that is asked about."""
    from demopack.errors import BadInputError
    from demopack.prompting.agent_state import AgentState, agent_state_at

    if screen:
        return agent_state_at(source, screen, task=task)
    if not task.strip():
        raise BadInputError("There is no task.", hint="Give --task, or --screen DEMO:STEP of the pack.")
    return AgentState(task=task), ()
