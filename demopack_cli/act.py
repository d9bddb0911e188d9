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
    FOLDER,
    confirm,
    emit,
    error_json,
    json_option,
    library_option,
    on_signals,
    open_library,
    print_result,
    say,
    say_note,
    wants_json,
)

if TYPE_CHECKING:
    from demopack.domain.actions import LLMResponse
    from player.executor import ActionResult, ExecutedAction, Executor
    from player.observing import Eyes, LiveObservation
    from player.run_recorder import RunRecorder


@click.command(name="act")
@click.argument("answers", nargs=-1, required=True, metavar="RESPONSE...")
@click.option(
    "--observation", "folder", type=FOLDER,
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

    RESPONSE is the JSON of one, its one-line form, or "-" for JSON lines on standard input. Its target is looked
    for by track_id, then element_id, then text, then bbox; numbers are those of `demopack observe`. The abort
    hot-key (Ctrl+Alt+Escape) or the pointer in a corner of the screen stops it at once. Exit code 0 when all were
    performed and had an effect, 1 otherwise; the code tells why: not_found, ambiguous, occluded, no_effect,
    other_effect, other_window, not_allowed, stopped or failed. 2 when a RESPONSE cannot be read (code unreadable):
    then nothing is performed. What was done is kept as a demo, with a picture before and after each step.

    Example: demopack act 'click(text="Save")'

    Example: demopack act '{"reasoning": "", "action": {"action_type": "click", "target": {"element_id": 3}}}' --yes
    """
    responses = _read_all(answers)
    observation = None if folder is None else _read_observation(folder)
    if not yes:
        _ask(responses)
    from demopack.domain.actions import FinishGoalAction
    from demopack.jobs import CancelToken
    from demopack.settings import load_settings
    from player.consent import program_of
    from player.executor import open_executor
    from player.observing import EVERY_WINDOW, windows_named
    from player.run_recorder import RunRecorder

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
            results.append(_perform(response, observation, executor, recorder))
            if not results[-1].ok or isinstance(response.action, FinishGoalAction):
                break
        ok = len(results) == len(responses) and results[-1].ok
        if recorder is not None:
            ok = _finish(recorder, ok=results[-1].ok and not responses[len(results) - 1].action.gives_up) and ok
    left = len(responses) - len(results)
    lines = [f"{counted(left, 'response')} not performed."] if left else []
    print_result([result.to_json() for result in results], lines, ok=ok)


def _each(answers: tuple[str, ...]) -> list[str]:
    if "-" not in answers:
        return list(answers)
    lines = [line for line in sys.stdin.read().splitlines() if line.strip()]
    return [one for answer in answers for one in (lines if answer == "-" else [answer])]


def _read_all(answers: tuple[str, ...]) -> list[LLMResponse]:
    """The responses; where one cannot be read it is told, and the command ends with 2."""
    from demopack.codecs.llmresponse import decode
    from demopack.codecs.observation import Observation
    from demopack.domain.words import shorten
    from demopack.errors import ActionError

    responses: list[LLMResponse] = []
    for number, answer in enumerate(_each(answers), start=1):
        try:
            responses += decode(answer, Observation()).responses
        except ActionError as error:
            error.details = f"Response {number} is {shorten(answer, 120)!r}"
            error.hint = error.hint or 'Write an LLMResponse, or the one-line form, for instance click(text="Save").'
            if wants_json():
                emit({**error_json(error, error.whole), "response": number}, indent=None)
            else:
                say(f"demopack: {error.whole}", err=True)
            raise click.exceptions.Exit(2) from error
    if not responses:
        raise click.UsageError("There is no response on standard input.")
    return responses


def _read_observation(folder: Path) -> LiveObservation:
    from demopack.errors import BadInputError
    from player.observing import load_observation

    try:
        return load_observation(folder)
    except BadInputError as error:
        raise click.UsageError(error.whole) from error


def _perform(
    response: LLMResponse, observation: LiveObservation | None, executor: Executor, recorder: RunRecorder | None
) -> ActionResult:
    """Perform one response, keep it and show it; what keeps the screen or the library from it is told in the result."""
    from demopack.domain.words import as_order, describe_action
    from demopack.errors import DemopackError
    from player.executor import ActionResult
    from player.replay import code_of

    result, words = ActionResult(), describe_action(response.action, tr=as_order)
    try:
        done = executor.execute(response, observation)
        result, words = done.result, _words(done)
        if recorder is not None:
            recorder.add(done)
            result, words = recorder.hide_in(result), recorder.hide(words)
    except DemopackError as error:
        result = result.model_copy(update={"code": code_of(error), "error": error.whole})
    if not wants_json():
        say(words if result.ok else f"{words}\n  ! {result.code}: {result.told}")
    return result


def _finish(recorder: RunRecorder, *, ok: bool) -> bool:
    """End the demo of what was done; whether it could be kept."""
    from demopack.errors import DemopackError

    try:
        recorder.finish("success" if ok else "failure")
    except DemopackError as error:
        say(f"demopack: What was done could not be kept as a demo. {error.whole}", err=True)
        return False
    return True


def _at_terminal() -> bool:
    """Whether somebody can be asked."""
    return sys.stdin.isatty()


def _ask(responses: list[LLMResponse]) -> None:
    from demopack.domain.words import as_order, describe_action
    from demopack.redaction.credentials import names_secret
    from player.consent import printable

    if not _at_terminal():
        raise click.UsageError("This takes over mouse and keyboard. Outside a terminal, say so with --yes.")
    for response in responses:
        action, text = response.action, response.action.typed_text
        if text and action.target is not None and names_secret(action.target.text or ""):
            action = action.replace(text_to_type=f"({counted(len(text), 'character')})")
        say_note(f"  {printable(describe_action(action, tr=as_order))}")
    if not confirm("Do this on this screen?"):
        say_note("Nothing was done.")
        raise click.exceptions.Exit(1)


def _words(done: ExecutedAction) -> str:
    """What was done and where, or what was to be done where it was not."""
    from demopack.domain.words import as_order, describe_action
    from player.report import FOUND_WORDS

    result = done.result
    how = f" (found {FOUND_WORDS[result.strategy]})" if result.strategy else ""
    at = f" at {result.point[0]}, {result.point[1]}" if result.point else ""
    tr = str if result.performed else as_order
    return f"{describe_action(done.shown.action, done.target, tr=tr)}{how}{at}"
