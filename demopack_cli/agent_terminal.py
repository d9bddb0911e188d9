"""What a person sees of an agent's run in a terminal, and how an action is allowed there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

import click

from demopack.domain.words import counted, shorten
from demopack.jobs import CancelToken
from demopack_cli.options import say
from player.agent import AgentWatcher, PlannedAction
from player.agent_report import END_WORDS, AgentReport
from player.consent import printable
from player.executor import ExecutedAction

_DOES_NOTHING: Final = frozenset({"finish_goal", "extract_data", "wait"})
"""Actions that nobody has to allow: nothing is clicked or typed."""

_QUESTION: Final = "     Do it? [y]es, [N]o and tell the model, [s]top"
_Answer = Literal["yes", "no", "stop"]
_ANSWERS: Final[tuple[_Answer, ...]] = ("yes", "no", "stop")


def _answer(text: str) -> _Answer:
    """What a person answers; the first letters are enough.

    Raises:
        click.BadParameter: it is no answer.
    """
    given = text.strip().lower()
    for one in _ANSWERS:
        if given and one.startswith(given):
            return one
    raise click.BadParameter("write y, n or s.")


class TerminalWatcher(AgentWatcher):
    """Shows every action before it is done, and what came of it.

    Attributes:
        is_asking: whether the person is being asked; a signal then ends the question, too.
    """

    def __init__(self, token: CancelToken, *, confirm_each: bool, quiet: bool) -> None:
        """Show on standard output; where that is a program's (``quiet``), on standard error."""
        self.is_asking = False
        self._token = token
        self._confirm_each = confirm_each
        self._quiet = quiet

    def asks(self, turn: int) -> None:
        """As the base."""
        del turn
        self._say("  … asking the model")

    def allows(self, planned: PlannedAction) -> bool:
        """As the base; asks where each action is to be confirmed."""
        self._say(f"{planned.number:3}  {place_words(planned)}")
        if not self._confirm_each or planned.response.action.action_type in _DOES_NOTHING:
            return True
        self.is_asking = True
        try:
            answer = click.prompt(_QUESTION, default="n", value_proc=_answer, show_default=False, err=self._quiet)
        except (click.Abort, KeyboardInterrupt):
            self._say("")
            answer = "stop"
        finally:
            self.is_asking = False
        if answer == "stop":
            self._token.cancel()
        return answer == "yes"

    def did(self, planned: PlannedAction, executed: ExecutedAction) -> None:
        """As the base."""
        del planned
        if executed.result.error:
            self._say(f"     ! {executed.result.told}")

    def _say(self, words: str) -> None:
        say(words, err=self._quiet)


def place_words(planned: PlannedAction) -> str:
    """An action, why it is done, and where it would act, on one line."""
    place, found = planned.place, planned.observation
    words = printable(planned.words)
    if place.point is not None:
        window = found.top_window(found.frame.space.to_pixel(*place.point)) or found.window
        number = f"element {place.element_id}, " if place.element_id else ""
        words += f"  ({number}at {place.point[0]}, {place.point[1]}"
        words += f" in {printable(window.app or window.title)})" if window is not None else ")"
    elif found.window is not None and planned.response.action.action_type in {"type", "press_key"}:
        words += f"  (in {printable(found.window.app or found.window.title)})"
    if place.code:
        words += f"  ! {place.told}"
    reason = printable(shorten(planned.reason, 100))
    return f"{words}: {reason}" if reason else words


def summary(report: AgentReport) -> Iterator[str]:
    """A run, for a person."""
    failed = f", {report.failed} without success" if report.failed else ""
    paid = f"${report.cost:.4f}" if report.cost else "nothing paid"
    yield f"{counted(report.steps, 'action')}{failed}, {counted(report.turns, 'turn')}, {report.seconds:.1f} s, {paid}."
    for one in report.data:
        yield f"  {printable(str(one['description']))}: {printable(str(one['data']))}"
    why = END_WORDS[report.end]
    more = "" if why in report.reason.casefold() else f": {printable(report.reason)}"
    yield f"It ended because {why}{more or '.'}"
    if report.steps:
        yield f"The run is kept as {report.demo}."
