"""How much half an hour of training on screens that their programs reported teaches a detector.

Three programs that no model has seen are recorded with demopack's own recorder while somebody looks around in them; the
recordings are parsed with their trees, and the detector is trained further on that library, as ``demopack train`` does
it, with nobody having approved anything. Measured before and after, by pixels alone: other screens of the three, drawn
in other looks and read by the laboratory's own rule of truth, and screens of a fourth program, which must not suffer.

Each stage is kept in the folder, and not done again::

    python lab/benchmarks/bench_learning.py -o out/learning [--minutes 30] [--screens 40] [--programs A B C]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from demopack.errors import DemopackError
from demopack.jobs import JobControl
from demopack.settings import Settings, VisionSettings, save_settings
from demopack.store import Library
from lab.evaluation.figures import Figures
from lab.evaluation.run import evaluate
from lab.screens.apps.contents import documents
from lab.screens.apps.desktop import AppDesktop, open_desktop
from lab.screens.apps.desktop_style import choose_look
from lab.screens.apps.explore import choose_deed, do
from lab.screens.apps.programs import PROGRAMS, Program
from lab.screens.apps.source import AppsSource
from lab.screens.factory import make_screens
from models.training.library.survey import survey
from models.vision.finder import open_finder

LEARNED: Final = ("easytag", "kolourpaint", "kig")
"""Programs whose screens are never trained on when weights are made, those of the frozen side that the shipped detector
knows least: who trains further has such a program."""
OTHER: Final = "transmission-gtk"
_DEEDS: Final = 12
_MAX_STARTS: Final = 12
_MEASURED: Final = 12
"""Screens of each program that are measured, about."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--screens", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--programs", nargs=3, default=LEARNED, help="other three")
    given = parser.parse_args()
    out: Path = given.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    programs = {program.name: program for program in PROGRAMS}
    learned_from: list[str] = list(given.programs)
    library = out / "library"
    _record([programs[name] for name in learned_from], library, screens=given.screens, seed=given.seed)
    _command(out, "parse", *_unparsed(library), "--library", str(library))
    with Library.open(library, create=False) as opened:
        learned = survey(opened)
    print(
        f"{learned.reported} screens that programs reported, of {given.screens} wanted; missed {dict(learned.missed)}"
    )
    sets = out / "measured"
    source = AppsSource([replace(programs[name], side="test") for name in (*learned_from, OTHER)])
    count = _MEASURED * (len(learned_from) + 1)
    make_screens(source, folder=sets, count=count, seed=given.seed + 1, side="test", control=JobControl())
    unread = [name for name in (*learned_from, OTHER) if not (sets / name).is_dir()]
    if unread:
        parser.error(f"No screen of {', '.join(unread)} can be read well enough to be measured: choose others.")
    model = out / "run" / "model"
    if not model.is_dir():
        arguments = ["--from", str(library), "--minutes", str(given.minutes), "--run", str(out / "run")]
        _command(out, "train", "detector", *arguments)
    before, after = (_measured(sets, detector) for detector in ("shipped", str(model)))
    rows = {name: (before[name], after[name]) for name in (*learned_from, OTHER)}
    print(f"{'interactive elements':24}{'found':>16}{'centre':>16}{'type':>16}")
    for name, pair in rows.items():
        print(f"{name:24}" + "".join(f"{_change(pair, figure):>16}" for figure in ("recall", "centre", "type")))
    whole = {name: [one.interactive.to_json() for one in pair] for name, pair in rows.items()}
    print(json.dumps({"benchmark": "learning", "reported": learned.reported, **whole}))
    gains = [_share(after[name], "recall") - _share(before[name], "recall") for name in learned_from]
    return 0 if sum(gains) / len(gains) >= 0.1 else 1


def _record(programs: list[Program], library: Path, *, screens: int, seed: int) -> None:
    """Record starts of the programs in turn until the library has about so many different screens before a step."""
    for start in range(_MAX_STARTS):
        for program in programs:
            if _screens_in(library) >= screens:
                return
            rng = random.Random(f"{program.name} {seed} {start}")
            look = choose_look(rng, qt=program.toolkit == "qt", side="train")
            files = {**documents(rng.randrange(1 << 30)), **look.files()}
            with (
                suppress(DemopackError),
                open_desktop(size=look.size, scale=look.scale, files=files, backdrop=look.backdrop) as desktop,
            ):
                desktop.start(rng.choice(program.commands), look.environment())
                moment = desktop.look()
                with _recording(desktop, library, task=f"Look around in {program.name}"):
                    for _ in range(_DEEDS):
                        do(desktop, choose_deed(moment, rng))
                        moment = desktop.look()


@contextmanager
def _recording(desktop: AppDesktop, library: Path, *, task: str) -> Iterator[None]:
    """``demopack record`` on a desktop, from when it records until it has stored everything."""
    command = [sys.executable, "-m", "demopack", "record", "--task", task, "--json", "--library", str(library)]
    settings = {"DEMOPACK_SETTINGS": str(library.parent / "settings.json")}
    process = subprocess.Popen(command, env={**desktop.environment, **settings}, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    with process.stdout as lines:
        for line in lines:
            if json.loads(line) == {"event": "state", "state": "recording"}:
                break
        try:
            yield
        finally:
            process.send_signal(signal.SIGINT)
            lines.read()
            process.wait(60)


def _screens_in(library: Path) -> int:
    if not library.exists():
        return 0
    with Library.open(library, create=False) as opened:
        demos = [opened.demo(one.head.id) for one in opened.demos()]
    return len({step.before.id for demo in demos for step in demo.steps if step.before is not None and step.trees})


def _unparsed(library: Path) -> list[str]:
    with Library.open(library, create=False) as opened:
        return [one.head.id for one in opened.demos()]


def _command(out: Path, *arguments: str) -> None:
    """A command of demopack, with settings and models of its own."""
    settings = out / "settings.json"
    if not settings.exists():
        save_settings(Settings(), settings)
    environment = {**os.environ, "DEMOPACK_SETTINGS": str(settings), "DEMOPACK_MODELS": str(out / "models")}
    subprocess.run([sys.executable, "-m", "demopack", *arguments], env=environment, check=True)


def _measured(sets: Path, detector: str) -> dict[str, Figures]:
    """The figures of each program, with a detector."""
    vision = VisionSettings.model_validate({"incremental": False, "detector": detector})
    with open_finder(vision) as finder:
        report = evaluate([sets], finder, sides=["test"], control=JobControl())
    return {name.removeprefix("apps/"): figures for name, figures in report.groups.items()}


def _share(figures: Figures, name: str) -> float:
    share: float | None = getattr(figures.interactive, name).share
    return share or 0.0


def _change(pair: tuple[Figures, Figures], name: str) -> str:
    return f"{_share(pair[0], name):.3f} -> {_share(pair[1], name):.3f}"


if __name__ == "__main__":
    sys.exit(main())
