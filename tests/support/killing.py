"""Kills recorders in the middle of things, and judges what they left."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from demopack.store import Library
from recorder.desktop.private_display import PrivateDisplay
from tests.support.injector import Injector
from tests.support.stage import Stage

AT_ONCE = 4
PACE_S = 0.35
COMMIT_S = 0.6  # from the moment a step is over (the next one begins) until it must be on the disk


@dataclass(frozen=True, slots=True, kw_only=True)
class Killed:
    """What one killed recorder left.

    Attributes:
        begun: steps that had begun before it was killed; the last of them was under way.
        over: of these, the ones that the next had followed long enough ago to be on the disk.
        saved: steps in the library.
        after_s: when it was killed, seconds after it had begun to record.
    """

    begun: int
    over: int
    saved: int
    after_s: float


@dataclass
class Worker:
    """Clicks at ever new places until told to stop, and knows when it pressed where."""

    person: Injector
    stage: Stage
    presses: list[tuple[float, tuple[int, int]]] = field(default_factory=list)
    enough: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        n = 0
        while not self.enough.wait(PACE_S):
            place = self.stage.place
            at = (place.x + 20 + 37 * n % 560, place.y + 40 + 23 * n % 380)
            self.person.move(*at, steps=2)
            self.presses.append((time.monotonic(), at))
            self.person.press()
            self.person.wait(0.03)
            self.person.release()
            n += 1


def _start(display: PrivateDisplay, library: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "demopack", "record", "--task", "until killed", "--library", str(library)],
        env=display.environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # several at once, and each says that the others have its hot-keys
        text=True,
    )


def _kill_at_random(process: subprocess.Popen[str], moment: random.Random) -> tuple[float, float]:
    """Wait until it records, then for a while, then kill; returns both times."""
    assert process.stdout is not None
    assert process.stdout.readline().startswith("Recording")
    began = time.monotonic()
    threading.Event().wait(moment.uniform(0.1, 3.5))
    process.send_signal(signal.SIGKILL)
    killed = time.monotonic()
    process.wait(10)
    process.stdout.close()
    return began, killed


def _judge(library_dir: Path, presses: list[tuple[float, tuple[int, int]]], began: float, killed: float) -> Killed:
    """Check one library: it opens, says what is missing, and lacks at most the step that was under way."""
    with Library.open(library_dir, create=False) as library:
        (summary,) = library.demos()
        demo = library.demo(summary.head.id)
        for frame in demo.frames():
            library.get_image(frame.id)
    assert demo.head.status == "partial"
    assert demo.head.outcome is None
    assert demo.head.missing.startswith("The recorder ended without being stopped; ")
    saved = [(step.pointer.x, step.pointer.y) for step in demo.steps if step.pointer is not None]
    assert len(saved) == len(demo.steps)
    # It began to record at some moment before it was heard to say so: the first press that it saw may be any up to the
    # second from then on. From there on none may be missing.
    heard = sum(t <= began for t, _ in presses)
    places = [at for _, at in presses]
    firsts = range(heard + 2) if saved else [heard]
    first = next((n for n in firsts if places[n : n + len(saved)] == saved), None)
    assert first is not None, (saved, presses, began, killed)
    seen = [t for t, _ in presses[first:] if t < killed]
    in_progress = 1
    over = max(0, sum(t < killed - COMMIT_S for t in seen) - in_progress)
    assert len(saved) >= over
    return Killed(begun=len(seen), over=over, saved=len(saved), after_s=killed - began)


def kill_recorders(folder: Path, *, rounds: int, seed: int) -> list[Killed]:
    """Kill ``rounds * AT_ONCE`` recorders, each at its own random moment, and check every library.

    Raises:
        AssertionError: a library lacks more than the step that was under way.
    """
    dice = random.Random(seed)
    found: list[Killed] = []
    with (
        PrivateDisplay(width=800, height=600) as screen,
        Stage(screen.name, width=600, height=440) as stage,
        Injector(screen.name) as person,
    ):
        for turn in range(rounds):
            folders = [folder / f"library-{turn}-{n}" for n in range(AT_ONCE)]
            recorders = [_start(screen, one) for one in folders]
            worker = Worker(person, stage)
            hand = threading.Thread(target=worker.run)
            hand.start()
            times: dict[int, tuple[float, float]] = {}

            def end(
                n: int, process: subprocess.Popen[str], seed: int, times: dict[int, tuple[float, float]] = times
            ) -> None:
                times[n] = _kill_at_random(process, random.Random(seed))

            killers = [
                threading.Thread(target=end, args=(n, process, dice.randrange(1 << 30)))
                for n, process in enumerate(recorders)
            ]
            for killer in killers:
                killer.start()
            for killer in killers:
                killer.join()
            worker.enough.set()
            hand.join()
            assert len(times) == AT_ONCE
            found += [_judge(one, worker.presses, *times[n]) for n, one in enumerate(folders)]
    return found
