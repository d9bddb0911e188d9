"""``demopack record``."""

from __future__ import annotations

import json
import signal
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from demopack.domain.words import counted
from demopack_cli.desktop import desktop_option, enter_desktop
from demopack_cli.options import json_option, library_option, on_signals, open_library, stop_output, wants_json

if TYPE_CHECKING:
    from demopack.domain.steps import Step
    from demopack.settings import RecorderSettings
    from demopack.store import Library
    from recorder.selftest import CheckResult
    from recorder.session import RecordingSession

_POLL_INTERVAL_S = 0.2


@click.command(name="record")
@click.option("--task", default="", help="What you are going to do, in your own words.")
@click.option("--app", default="", help="The main application; found out when left out.")
@click.option("--area", default="all", help="all, monitor:NAME, window:TITLE or region:X,Y,WIDTHxHEIGHT.")
@desktop_option
@click.option("--film/--no-film", default=None, help="Keep every distinct picture of the screen as well.")
@click.option(
    "--trees/--no-trees", default=None, help="Keep what programs report of their windows beside each step (default)."
)
@click.option(
    "--unknown-fields",
    type=click.Choice(["store", "hold"]),
    default=None,
    help="Where programs do not tell which fields hold passwords: store typed text (default), or hold it back.",
)
@click.option("--of", "of", default="", help="Record the end of this demo anew, with --after-step.")
@click.option("--after-step", type=click.IntRange(min=0), default=None, help="With --of: go on after this step.")
@click.option("--seconds", type=click.FloatRange(min=0.1), default=None, help="Stop by itself after so long.")
@click.option("--failed", is_flag=True, help="Mark the task as failed at the end.")
@click.option("--reason", default="", help="With --failed: why.")
@library_option
@json_option
def command(
    task: str,
    app: str,
    area: str,
    desktop: bool,
    film: bool | None,
    trees: bool | None,
    unknown_fields: str | None,
    of: str,
    after_step: int | None,
    seconds: float | None,
    failed: bool,
    reason: str,
) -> None:
    """Record what you do on this screen, until Ctrl-C or the hot-key.

    Every step is saved as soon as it is known. With --json each line of the output is one JSON object with an
    "event": state, step, changed, forgotten, problem, text, and at the end done.

    When programs stop telling which fields hold passwords, what you type is held back as a secret from then on; the
    hot-key Ctrl+Alt+H lets it be stored again.

    With --of and --after-step the rest of a demo is recorded anew: the old end makes way for the new one in one edit,
    and one undo brings it back.

    On Wayland no program may watch others: record with --desktop there, see `demopack desktop --help`.

    Example: demopack record --task "Log in and export the report"
    """
    if not task.strip() and not of:
        raise click.BadParameter("Say what you are going to do.", param_hint="--task")
    if bool(of) != (after_step is not None):
        raise click.BadParameter("--of and --after-step go together.", param_hint="--of")
    if reason and not failed:
        raise click.BadParameter("A reason goes with --failed.", param_hint="--reason")
    if desktop:
        enter_desktop()
    from recorder.area import CaptureArea
    from recorder.selftest import run_selftest
    from recorder.session import RecordingSession

    settings = _settings(film, trees, unknown_fields)
    with open_library(create=not of) as opened:
        take_of, take_after, task = _take(opened, of, after_step, task)
        session = RecordingSession(
            opened,
            settings=settings,
            task=task,
            app=app,
            area=CaptureArea.parse(area),
            take_of=take_of,
            take_after=take_after,
        )
        terminal = _Terminal(session, settings)
        with on_signals(terminal.stop, "SIGINT", "SIGTERM"):
            # What keeps a recording from beginning is said by its start.
            results = run_selftest(library=opened.folder, settings=settings)
            doubtful = [result for result in results if not result.ok]
            before = [result for result in doubtful if result.name == "accessibility"]
            if all(result.ok or not result.needed for result in results):
                # That passwords will be stored must be known before anything can be typed.
                terminal.warn(before)
            session.start()
            terminal.warn([result for result in doubtful if result not in before])
            terminal.wait(seconds)
            demo = session.stop(outcome="failure" if failed else "success", reason=reason, own_key=terminal.own_key)
        if session.error is None and take_of:
            from demopack.store.retakes import join_retake

            join_retake(opened, demo)
            demo = take_of
        terminal.tell_end(demo, opened.folder)
    if session.error is not None:
        raise session.error


def _settings(film: bool | None, trees: bool | None, unknown_fields: str | None) -> RecorderSettings:
    """The user's settings; a terminal has no window for writing a note, so that key stays the program's."""
    from demopack.settings import load_settings

    settings = load_settings().recorder
    update: dict[str, object] = {"hotkeys": settings.hotkeys.model_copy(update={"note": ""})}
    if film is not None:
        update["timeline"] = film
    if trees is not None:
        update["trees"] = trees
    if unknown_fields is not None:
        update["privacy"] = settings.privacy.model_copy(update={"hold_unknown": unknown_fields == "hold"})
    return settings.model_copy(update=update)


def _take(library: Library, of: str, after_step: int | None, task: str) -> tuple[str, str, str]:
    """Which demo is continued, after which of its steps, and the task."""
    if after_step is None:
        return "", "", task
    demo = library.demo(library.find(of))
    if after_step > len(demo.steps):
        raise click.BadParameter(f"The demo has only {counted(len(demo.steps), 'step')}.", param_hint="--after-step")
    return demo.head.id, demo.steps[after_step - 1].id if after_step else "", task.strip() or demo.head.task


class _Terminal:
    """Tells the user, or a program, what is going on, and obeys hot-keys and signals; called from several threads.

    Attributes:
        own_key: the key combination that ended it; it was typed on the recorded screen, but is no step.
    """

    def __init__(self, session: RecordingSession, settings: RecorderSettings) -> None:
        self.own_key: str | None = None
        self._session = session
        self._settings = settings
        self._as_json = wants_json()
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._steps = self._variables = 0
        self._told: set[str] = set()
        self._known: set[str] = set()
        session.on_step, session.on_state = self._tell_step, self._tell_state
        session.on_changed, session.on_forgotten = self._tell_changed, self._tell_forgotten
        session.on_hotkey = self._obey

    def stop(self, number: int) -> None:
        """A signal is an order, too: a stop leaves everything whole."""
        if number == signal.SIGINT:
            self.own_key = "Ctrl+C"
        self._stop.set()

    def wait(self, seconds: float | None) -> None:
        """Until the user, a signal or the clock says stop, or the session ends by itself."""
        end = None if seconds is None else time.monotonic() + seconds
        while self._session.state != "stopped":
            left = _POLL_INTERVAL_S if end is None else min(_POLL_INTERVAL_S, end - time.monotonic())
            if left <= 0 or self._stop.wait(left):
                return
            self._tell_problems(self._session.health)

    def _obey(self, meaning: str) -> None:
        """What a hot-key means here. Variables get the names text_1, text_2, ..."""
        session, settings = self._session, self._settings
        if meaning == "start_stop":
            self._stop.set()
        elif meaning == "pause":
            (session.resume if session.state == "paused" else session.pause)()
        elif meaning == "shot":
            session.add_shot(delay_s=settings.shot_delay_s)
        elif meaning == "variable":
            self._variables += 1
            session.mark_variable(f"text_{self._variables}")
        elif meaning == "forget":
            session.forget(settings.privacy.forget_s)
        elif meaning == "panic":
            session.panic()
        elif meaning == "hold_text":
            hold = not session.holds_text
            session.hold_text(hold)
            words = "Typed text is held back from now on." if hold else "Typed text is stored again."
            self._say(f"     - {words}", event="text", held=hold)

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

    def _tell_state(self, state: str) -> None:
        keys = self._settings.hotkeys
        words = {
            "recording": f"Recording. Stop with {keys.start_stop} or Ctrl-C, pause with {keys.pause}.",
            "paused": f"Paused. Go on with {keys.pause}.",
        }
        self._say(words.get(state, ""), event="state", state=state)

    def _tell_step(self, step: Step) -> None:
        from demopack.domain.words import DOUBT_WORDS, describe_step

        self._steps += 1
        words = [f"{self._steps:3}  {describe_step(step)}"]
        words += [f"     ! {DOUBT_WORDS[doubt]}" for doubt in step.doubts(parsed=False)]
        self._say("\n".join(words), event="step", number=self._steps, id=step.id, action=step.action.to_wire())

    def _tell_changed(self, step: Step) -> None:
        words = f"     = {{{step.variable}}}" if step.variable else f"     = {step.note}"
        self._say(words, event="changed", id=step.id, variable=step.variable, note=step.note)

    def _tell_forgotten(self, ids: Sequence[str]) -> None:
        self._steps -= len(ids)
        what = "nothing was there" if not ids else "1 step is gone" if len(ids) == 1 else f"{len(ids)} steps are gone"
        self._say(f"     - Forgotten: {what} for good.", event="forgotten", ids=list(ids))

    def warn(self, doubtful: Sequence[CheckResult]) -> None:
        """What does not work here, before the first step; the recording need not say the same again."""
        from recorder.privacy.text_hold import ABSENT_HELD, ABSENT_STORED

        self._tell_problems([f"{result.words} {result.hint}".strip() for result in doubtful])
        if any(result.name == "accessibility" for result in doubtful):
            self._known = {ABSENT_HELD, ABSENT_STORED}

    def _tell_problems(self, problems: list[str]) -> None:
        """What is wrong, each problem once while it lasts."""
        for text in problems:
            if text not in self._told | self._known:
                self._say(f"     ! {text}", err=True, event="problem", text=text)
        self._told = set(problems)

    def tell_end(self, demo: str, folder: Path) -> None:
        """Say what was saved, and where."""
        counters = self._session.counters
        lost = f", {counted(counters.events_dropped, 'event')} lost" if counters.events_dropped else ""
        # A recording that broke off says itself, as the error, what is safe.
        kept = "What was saved until then is" if self._session.error is not None else "Saved as"
        self._say(
            f"{kept} {demo} in {folder}: {counted(self._steps, 'step')}{lost}.",
            event="done",
            demo=demo,
            library=str(folder),
            steps=self._steps,
            counters=counters.to_json(),
        )
