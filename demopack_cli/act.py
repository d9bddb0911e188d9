"""``demopack act``."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from demopack.domain.words import counted
from demopack_cli.observe import eyes_option, windows_option
from demopack_cli.options import (
    PATH,
    json_option,
    library_option,
    on_signals,
    open_library,
    print_result,
    say,
    wants_json,
)

if TYPE_CHECKING:
    from demopack.domain.actions import LLMResponse
    from player.executor import ActionResult, ExecutedAction
    from player.observing import Eyes


@click.command(name="act")
@click.argument("answers", nargs=-1, required=True, metavar="RESPONSE...")
@click.option(
    "--observation", "folder", type=PATH,
    help="What the responses are about: a folder of `demopack observe -o`. Without it, the screen as it is then.",
)  # fmt: skip
@eyes_option
@windows_option
@click.option(
    "--allow-launch", "programs", multiple=True, metavar="PROGRAM",
    help="Let responses start this program, named exactly as they do; may be given several times.",
)  # fmt: skip
@click.option("--keep/--no-keep", default=True, help="Keep what is done as a demo in the library.", show_default=True)
@click.option("--yes", is_flag=True, help="Start at once, without asking; for scripts.")
@library_option
@json_option
def command(
    answers: tuple[str, ...],
    folder: Path | None,
    eyes: Eyes,
    windows: tuple[str, ...],
    programs: tuple[str, ...],
    keep: bool,
    yes: bool,
) -> None:
    """Perform LLMResponses on this screen, one after the other, until one goes wrong.

    RESPONSE is the JSON of one, its one-line form, or "-" for JSON lines on standard input. Its target is looked for by
    track_id, then element_id, then text, then bbox; numbers are those of `demopack observe`. The abort hot-key
    (Ctrl+Alt+Escape) or the pointer in a corner of the screen stops it at once. Exit code 0 when all were performed and
    had an effect, 1 otherwise; the code tells why: not_found, ambiguous, occluded, no_effect, other_window,
    not_allowed, stopped or failed. What was done is kept as a demo, with a picture before and after each step.

    Example: demopack act 'click(text="Save")'

    Example: demopack act '{"reasoning": "", "action": {"action_type": "click", "target": {"element_id": 3}}}' --yes
    """
    responses = [response for answer in _each(answers) for response in _read(answer)]
    if not yes:
        _ask(responses)
    from demopack.jobs import CancelToken
    from demopack.settings import load_settings
    from player.consent import program_of
    from player.executor import open_executor
    from player.observing import EVERY_WINDOW, load_observation, windows_named
    from player.run_recorder import RunRecorder

    observation = None if folder is None else load_observation(folder)
    token = CancelToken()
    results: list[ActionResult] = []
    with (
        contextlib.ExitStack() as stack,
        on_signals(lambda _: token.cancel(), "SIGINT", "SIGTERM"),
        open_executor(
            load_settings(),
            eyes=eyes,
            allowed=windows_named(windows or [EVERY_WINDOW]),
            may_launch=lambda line: line in programs or program_of(line) in programs,
            token=token,
        ) as executor,
    ):
        executor.require_window(windows)
        recorder = None
        if keep:
            library = stack.enter_context(open_library(create=True))
            task = f"{counted(len(responses), 'response')} of a program"
            recorder = stack.enter_context(
                RunRecorder(library, task=task, finder="" if eyes == "picture" else executor.finder)
            )
        for response in responses:
            done = executor.execute(response, observation)
            results.append(done.result)
            if recorder is not None:
                recorder.add(done)
            if not wants_json():
                say(_line(done))
            if not results[-1].ok:
                break
        ok = len(results) == len(responses) and results[-1].ok
        if recorder is not None:
            recorder.finish("success" if ok else "failure")
    left = len(responses) - len(results)
    lines = [f"{counted(left, 'response')} not performed."] if left else []
    print_result([result.to_json() for result in results], lines, ok=ok)


def _each(answers: tuple[str, ...]) -> list[str]:
    if "-" not in answers:
        return list(answers)
    lines = [line for line in sys.stdin.read().splitlines() if line.strip()]
    return [one for answer in answers for one in (lines if answer == "-" else [answer])]


def _read(answer: str) -> tuple[LLMResponse, ...]:
    from demopack.codecs.llmresponse import decode
    from demopack.codecs.observation import Observation
    from demopack.domain.words import shorten
    from demopack.errors import ActionError

    try:
        return decode(answer, Observation()).responses
    except ActionError as error:
        error.details = f"The response is {shorten(answer, 120)!r}; code {error.code}"
        error.hint = error.hint or 'Write an LLMResponse, or the one-line form, for instance click(text="Save").'
        raise


def _ask(responses: list[LLMResponse]) -> None:
    from demopack.domain.words import describe_action
    from player.consent import printable

    if not sys.stdin.isatty():
        raise click.UsageError("This takes over mouse and keyboard. Outside a terminal, say so with --yes.")
    for response in responses:
        say(f"  {printable(describe_action(response.action))}")
    if not click.confirm("Do this on this screen?", default=False):
        say("Nothing was done.")
        raise click.exceptions.Exit(1)


def _line(done: ExecutedAction) -> str:
    from demopack.domain.words import describe_action
    from player.report import FOUND_WORDS

    result = done.result
    how = f" (found {FOUND_WORDS[result.strategy]})" if result.strategy else ""
    at = f" at {result.point[0]}, {result.point[1]}" if result.point else ""
    words = f"{describe_action(done.response.action, done.target)}{how}{at}"
    return words if result.ok else f"{words}\n  ! {result.code}: {result.error}"
