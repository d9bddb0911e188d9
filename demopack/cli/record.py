"""``demopack record``."""

from __future__ import annotations

import contextlib
import json
import signal
import threading
import time
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from demopack.cli.options import json_option, library_option, open_library, stop_output

if TYPE_CHECKING:
    from demopack.domain.steps import Step
    from recorder.session import RecordingSession

__all__ = ["command"]

_LOOK_S = 0.2


@click.command(name="record")
@click.option("--task", required=True, help="What you are going to do, in your own words.")
@click.option("--app", default="", help="The main application; found out when left out.")
@click.option("--seconds", type=click.FloatRange(min=0.1), default=None, help="Stop by itself after so long.")
@click.option("--failed", is_flag=True, help="Mark the task as failed at the end.")
@click.option("--reason", default="", help="With --failed: why.")
@library_option
@json_option
def command(
    task: str, app: str, seconds: float | None, failed: bool, reason: str, library: Path | None, as_json: bool
) -> None:
    """Record what you do on this screen, until Ctrl-C or the hot-key.

    Every step is saved as soon as it is known. With --json each line of the output is one JSON object with an
    "event": state, step, problem, and at the end done.

    Example: demopack record --task "Log in and export the report"
    """
    if not task.strip():
        raise click.BadParameter("Say what you are going to do.", param_hint="--task")
    if reason and not failed:
        raise click.BadParameter("A reason goes with --failed.", param_hint="--reason")
    from demopack.settings import load_settings
    from recorder.session import RecordingSession

    settings = load_settings().recorder
    with open_library(library, create=True) as opened:
        session = RecordingSession(opened, settings=settings, task=task, app=app)
        talk = _Talk(as_json=as_json, hotkeys=(settings.hotkeys.start_stop, settings.hotkeys.pause))
        session.on_step, session.on_state = talk.step, talk.state
        order = _StopOrder()
        session.on_hotkey = lambda meaning: _obey(session, order, meaning)
        with order.on_signals():
            session.start()
            _wait(session, order, talk, seconds)
            demo = session.stop(outcome="failure" if failed else "success", reason=reason, own_key=order.own_key)
        talk.done(session, demo, opened.folder)
    if session.error is not None:
        raise session.error


def _obey(session: RecordingSession, order: _StopOrder, meaning: str) -> None:
    if meaning == "start_stop":
        order.given.set()
    elif session.state == "paused":
        session.resume()
    else:
        session.pause()


def _wait(session: RecordingSession, order: _StopOrder, talk: _Talk, seconds: float | None) -> None:
    """Until the user, a signal or the clock says stop, or the session ends by itself."""
    end = None if seconds is None else time.monotonic() + seconds
    while session.state != "stopped":
        left = _LOOK_S if end is None else min(_LOOK_S, end - time.monotonic())
        if left <= 0 or order.given.wait(left):
            return
        talk.problems(session.health)


class _StopOrder:
    """Set by the hot-key, SIGINT or SIGTERM.

    Attributes:
        given: whether to stop.
        own_key: the key combination that was the order; it was typed on the recorded screen, but is no step.
    """

    def __init__(self) -> None:
        self.given = threading.Event()
        self.own_key: str | None = None

    @contextlib.contextmanager
    def on_signals(self) -> Generator[None]:
        """Take both signals for as long as the block runs, so that a stop leaves everything whole."""

        def stop(number: int, _frame: object) -> None:
            if number == signal.SIGINT:
                self.own_key = "Ctrl+C"
            self.given.set()

        before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


class _Talk:
    """Tells the user, or a program, what is going on. Called from several threads."""

    def __init__(self, *, as_json: bool, hotkeys: tuple[str, str]) -> None:
        self._as_json = as_json
        self._hotkeys = hotkeys
        self._lock = threading.Lock()
        self._steps = 0
        self._told: set[str] = set()

    def _say(self, words: str, *, err: bool = False, **data: Any) -> None:  # noqa: ANN401 - JSON
        # A reader that went away, or a full disk behind the output, is no reason to lose a recording.
        with self._lock:
            try:
                if self._as_json:
                    click.echo(json.dumps(data, ensure_ascii=False))
                elif words:
                    click.echo(words, err=err)
            except OSError:
                stop_output()

    def state(self, state: str) -> None:
        """A new state."""
        stop, pause = self._hotkeys
        words = {
            "recording": f"Recording. Stop with {stop} or Ctrl-C, pause with {pause}.",
            "paused": f"Paused. Go on with {pause}.",
        }
        self._say(words.get(state, ""), event="state", state=state)

    def step(self, step: Step) -> None:
        """A step that is saved."""
        from demopack.domain.words import DOUBT_WORDS, describe_action

        self._steps += 1
        words = [f"{self._steps:3}  {describe_action(step.action)}"]
        words += [f"     ! {DOUBT_WORDS[doubt]}" for doubt in step.doubts(parsed=False)]
        self._say("\n".join(words), event="step", number=self._steps, id=step.id, action=step.action.to_wire())

    def problems(self, problems: list[str]) -> None:
        """What is wrong, each problem once while it lasts."""
        for text in problems:
            if text not in self._told:
                self._say(f"     ! {text}", err=True, event="problem", text=text)
        self._told = set(problems)

    def done(self, session: RecordingSession, demo: str, folder: Path) -> None:
        """The end."""
        counters = session.counters
        lost = f", {counters.events_dropped} events lost" if counters.events_dropped else ""
        self._say(
            f"Saved as {demo} in {folder}: {self._steps} steps{lost}.",
            event="done",
            demo=demo,
            library=str(folder),
            steps=self._steps,
            counters=counters.to_json(),
        )
