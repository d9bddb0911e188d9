"""The whole line, once: record a person at work, find elements, explain, export, check, replay; and its report."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Generator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from demopack.domain.words import describe_action
from demopack.errors import CaptureError
from demopack.jobs import JobControl
from demopack.settings import PlayerSettings, RecorderSettings, VisionSettings
from demopack.store import Library
from demopack_cli.quickstart.practice import CHARACTERS, TASK, PracticeApp, differences, perform
from player.scripted_user import PracticeUser
from recorder.desktop.private_display import on_display

_CONSENT = "A scripted person in a practice app; nobody's data."
_LICENCE = "CC0-1.0"


STAGES = ("record", "parse", "rationale", "export", "replay")


@dataclass(kw_only=True)
class Stage:
    """One part of the line.

    Attributes:
        name: ``record``, ``parse``, ``rationale``, ``export`` or ``replay``.
        seconds: how long it took.
        figures: what it made.
    """

    name: str
    seconds: float = 0.0
    figures: dict[str, int] = field(default_factory=dict[str, int])


@dataclass(kw_only=True)
class QuickstartReport:
    """Everything that can be judged.

    Attributes:
        demo_id: what was recorded.
        stages: in order.
        steps: of the demo, in words.
        not_done: where the practice app's own state after the person's work is not what the task asks for.
        not_redone: the same after the replay.
        state_recorded: the practice app's own state after the person's work.
        state_replayed: the same after the replay.
        findings: of the pack's check, one line each.
        pack_errors: how many of them are errors.
        replay: the player's own report.
        seconds: in all.
        problem: the sentence of the error that ended it; empty when it came to its end.
    """

    demo_id: str = ""
    stages: list[Stage] = field(default_factory=list[Stage])
    steps: list[str] = field(default_factory=list[str])
    not_done: list[str] = field(default_factory=list[str])
    not_redone: list[str] = field(default_factory=list[str])
    state_recorded: dict[str, Any] = field(default_factory=dict[str, Any])
    state_replayed: dict[str, Any] = field(default_factory=dict[str, Any])
    findings: list[str] = field(default_factory=list[str])
    pack_errors: int = 0
    replay: dict[str, Any] = field(default_factory=dict[str, Any])
    seconds: float = 0.0
    problem: str = ""

    @property
    def complete(self) -> bool:
        """Whether every stage came to its end."""
        return not self.problem and [stage.name for stage in self.stages] == list(STAGES)

    @property
    def same_state(self) -> bool:
        """Whether the replay left the practice app as the person had left it."""
        return _judged(self.state_recorded) == _judged(self.state_replayed)

    def faults(self) -> list[str]:
        """Why it does not hold, in words; empty when it does."""
        found = [f"After the recording: {line}" for line in self.not_done]
        found += [f"After the replay: {line}" for line in self.not_redone]
        found += [line for line in self.findings if " error " in line]
        if not self.complete:
            found.append(self.problem or "It did not come to its end.")
        elif not self.same_state:
            found.append("The replay left the practice app in another state than the person did.")
        return found

    def to_json(self) -> dict[str, Any]:
        """Everything, with the verdict."""
        faults = self.faults()
        return {"ok": not faults, "faults": faults, "same_state": self.same_state, **asdict(self)}


def _judged(state: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(state.get(key) for key in ("fields", "submitted", "submissions", "result"))


def _screen_lost() -> tuple[type[Exception], ...]:
    """What is raised when the screen of the work has ended."""
    from recorder.backends import has_x11

    if not has_x11():
        return ()
    from Xlib.error import ConnectionClosedError

    return (ConnectionClosedError,)


@dataclass(kw_only=True)
class Quickstart:
    """Everything lies under one folder: ``library/``, ``pack/``, ``practice/``.

    Attributes:
        out: that folder; ``library`` and ``pack`` are not there yet.
        environment: of the display to work on.
        control: stops everything at its next safe point.
        say: told in plain words what is being done.
        speed: of the person.
        report: is filled in.
    """

    out: Path
    environment: Mapping[str, str]
    control: JobControl
    say: Callable[[str], None]
    speed: float
    report: QuickstartReport

    def run(self) -> None:
        """Do all of it; the report says how it went.

        Raises:
            DemopackError: a part could not do its work; what was finished before lies in the folder.
            CancelledError: it was stopped.
        """
        from models.vision.finder import open_finder

        started = time.monotonic()
        with (
            on_display(self.environment),
            Library.open(self.out / "library") as library,
            open_finder(VisionSettings()) as finder,
        ):
            demo_id = self._record(library)
            self._parse(library, demo_id, finder)
            self._explain(library, demo_id)
            self._export(library, demo_id)
            self._replay(finder)
        self.report.seconds = round(time.monotonic() - started, 1)

    # The stages -----------------------------------------------------------------------------------------------

    def _record(self, library: Library) -> str:
        from recorder.session import RecordingSession

        begun = f"A scripted person works in a practice app, and is recorded. Task: {TASK}"
        told = "{steps} steps, {frames} screenshots, {events} input events, {dropped} lost"
        with self._stage("record", begun, told) as stage, self._practice_app("recorded") as app:
            session = RecordingSession(library, settings=RecorderSettings(), task=TASK, app="practice")
            with self._person() as person:
                session.start()
                try:
                    perform(person, app)
                    person.wait(0.5)
                except BaseException:
                    session.stop(outcome=None, reason="The quickstart was interrupted.")
                    raise
                demo_id = session.stop(outcome="success")
            self.report.state_recorded = app.state()
            demo = library.demo(demo_id)
            counters = demo.head.counters
            stage.figures = {
                "steps": len(demo.steps),
                "frames": len(demo.frames()),
                "events": counters.events_seen,
                "dropped": counters.events_dropped,
            }
        self.report.demo_id = demo_id
        self.report.not_done = differences(self.report.state_recorded)
        return demo_id

    def _parse(self, library: Library, demo_id: str, finder: Any) -> None:  # noqa: ANN401 - imported in run()
        from models.vision.demo_parsing import parse_demo

        told = "{elements} elements on {frames} screenshots, {bound} steps know their element"
        with self._stage("parse", "The screenshots are read.", told) as stage:
            found = parse_demo(library, demo_id, finder, control=self.control)
            stage.figures = {"frames": found.frames, "elements": found.elements, "bound": found.bound}

    def _explain(self, library: Library, demo_id: str) -> None:
        from models.language.rationale_run import write_demos
        from models.language.template import TemplateWriter

        with self._stage("rationale", "Every step gets a rationale.", "{rationales} rationales") as stage:
            write_demos(library, [demo_id], TemplateWriter(), control=self.control)
            demo = library.demo(demo_id)
            stage.figures = {"rationales": sum(step.rationale is not None for step in demo.steps)}
        by_uid = {element.uid: element for elements in demo.elements.values() for element in elements}
        self.report.steps = [
            describe_action(step.action, by_uid.get(step.target_uid or ""), by_uid.get(step.end_uid or ""))
            for step in demo.steps
        ]

    def _export(self, library: Library, demo_id: str) -> None:
        from demopack.pack import check_pack, export_pack
        from demopack.redaction.apply import redact
        from demopack.redaction.scan import decided, open_findings

        # Name and address are made up, so all that was found may stay; a real export asks the person.
        found = open_findings(library.demo(demo_id))
        if found:
            redact(library, demo_id, decided(found, "keep"))
        begun = "The demo becomes a pack, and the pack is checked."
        with self._stage("export", begun, "{errors} errors, {warnings} warnings") as stage:
            pack = self.out / "pack"
            export_pack(library, [demo_id], pack, licence=_LICENCE, consent=_CONSENT, control=self.control)
            findings = check_pack(pack)
            self.report.findings = [f"{f.rule} {f.severity} {f.file}: {f.message}" for f in findings]
            errors = sum(f.severity == "error" for f in findings)
            stage.figures = {"errors": errors, "warnings": len(findings) - errors}
        self.report.pack_errors = errors

    def _replay(self, finder: Any) -> None:  # noqa: ANN401 - imported in run()
        from demopack.pack import open_pack
        from player.backends import open_performer
        from player.replay import Replay
        from recorder.backends import open_screen

        with (
            self._stage("replay", "The pack is performed again, in a fresh practice app.", "{steps} steps") as stage,
            self._practice_app("replayed") as app,
            open_pack(self.out / "pack") as pack,
            contextlib.closing(open_screen()) as screen,
            contextlib.closing(open_performer()) as performer,
        ):
            (demo,) = pack.whole_demos()
            replay = Replay(demo, pack, finder=finder, screen=screen, performer=performer, settings=PlayerSettings())
            played = replay.run(control=self.control)
            self.report.state_replayed = app.wait_for_state(lambda state: bool(state["submitted"]))
            self.report.replay = played.to_json()
            stage.figures = {"steps": len(played.steps)}
        self.report.not_redone = differences(self.report.state_replayed)

    # Tools ----------------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def _stage(self, name: str, begun: str, told: str) -> Generator[Stage]:
        """Time a stage, and say that it has begun and, of one that came to its end, what it made."""
        self.control.token.check()
        self.say(begun)
        stage = Stage(name=name)
        self.report.stages.append(stage)
        started = time.monotonic()
        try:
            yield stage
        finally:
            stage.seconds = round(time.monotonic() - started, 1)
        self.say(f"  {told.format(**stage.figures)} ({stage.seconds:g} s)")

    def _practice_app(self, name: str) -> PracticeApp:
        return PracticeApp(self.out / "practice" / name, environment=self.environment, token=self.control.token)

    @contextlib.contextmanager
    def _person(self) -> Generator[PracticeUser]:
        from player.backends import open_performer

        try:
            with open_performer() as device:
                # Before the recording starts: a keyboard does not change its keys while somebody types.
                device.lend_keys(CHARACTERS)
                yield PracticeUser(device, speed=self.speed, token=self.control.token)
        except _screen_lost() as error:
            raise CaptureError(
                "The screen went away in the middle of the work; what was recorded is kept.",
                details=str(error),
                hint="Run the quickstart again.",
            ) from error
