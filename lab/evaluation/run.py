"""Measures a finder on screens with truth."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from demopack.atomic import write_text_atomic
from demopack.clock import utc_now
from demopack.domain.elements import Element
from demopack.domain.frames import Frame, RgbImage, frame_id
from demopack.domain.ports import ElementFinder
from demopack.errors import ModelError
from demopack.jobs import JobControl, Progress
from lab.evaluation.average import Averages
from lab.evaluation.choice import Chosen, choose
from lab.evaluation.figures import Figures
from lab.evaluation.judge import judge
from lab.evaluation.memory import peak_mb
from lab.evaluation.page import Drawn, render_page
from lab.evaluation.report import Report, WorkerFigures
from lab.evaluation.results import Results
from lab.evaluation.tally import Tally
from lab.evaluation.unseen import is_unseen
from lab.evaluation.worst import Worst
from models.training.labelled_screens import SourceName, Split

REPORT = "report.json"
PAGE = "index.html"


def evaluate(
    sets: Sequence[Path],
    finder: ElementFinder,
    *,
    sides: Sequence[Split] = ("test",),
    sources: Sequence[SourceName] = (),
    limit: int | None = None,
    worst: int = 30,
    out: Path | None = None,
    control: JobControl,
) -> Report:
    """Run the finder over every chosen screen, compare with the truth, count.

    With ``out`` what is found on each screen is kept there as soon as it is found, so that a measurement that was
    stopped goes on; at the end ``report.json`` and ``index.html`` are written.

    Args:
        sets: folders of screens with truth.
        finder: what is measured; screens must be independent of each other, so it must not be told to look only at what
            changed.
        sides: of the screens; empty for all.
        sources: of the screens; empty for all.
        limit: most screens of a group.
        worst: how many of the worst screens are listed and drawn.
        out: a folder; None to keep nothing.
        control: progress and cancelling.

    Raises:
        BadInputError: a set is none, is damaged, or holds nothing that fits.
        ModelError: the finder failed; the error names the screen. What was found before is kept.
        CancelledError: what was found before is kept.
        DiskFullError: what was found before is kept.
    """
    chosen = choose(sets, sides=sides, sources=sources, limit=limit)
    run = _Run(finder=finder, results=Results(out, finder.name), control=control, worst=Worst(worst))
    for number, one in enumerate(chosen):
        control.token.check()
        screen = one.screen
        text = f"Measuring {screen.source}/{screen.group}"
        control.report(Progress(done=number, total=len(chosen), text=text))
        run.measure(one)
    report = Report(
        finder=finder.name,
        created=utc_now(),
        sets=tuple(str(path) for path in sets),
        sides=tuple(sides),
        sources=tuple(sources),
        limit=limit,
        overall=run.all.figures(whole=True),
        by_source={name: part.figures(whole=True) for name, part in sorted(run.by_source.items())},
        unseen={name: part.figures(whole=True) for name, part in sorted(run.unseen.items())},
        groups={name: part.figures(whole=False) for name, part in sorted(run.groups.items())},
        worker=WorkerFigures(ready_s=run.ready_s, memory_mb=peak_mb(finder)),
        worst=tuple(one.row for one in run.worst.ranked()),
    )
    if out is not None:
        drawn = [Drawn(row=one.row, judged=one.judged, picture=one.picture) for one in run.worst.ranked()]
        write_text_atomic(out / PAGE, render_page(report, drawn))
        write_text_atomic(out / REPORT, report.model_dump_json(indent=2) + "\n")
    control.report(Progress(done=len(chosen), total=len(chosen), text="Measured"))
    return report


@dataclass(slots=True)
class _Part:
    """Some of the screens."""

    tally: Tally = field(default_factory=Tally)
    averages: Averages = field(default_factory=Averages)

    def figures(self, *, whole: bool) -> Figures:
        figures = self.tally.figures(whole=whole)
        if not whole:
            return figures
        typed, single = self.averages.typed()
        types = {name: row.model_copy(update={"ap50": single.get(name)}) for name, row in figures.types.items()}
        averages = {"agnostic": self.averages.agnostic(), "typed": typed, "types": types}
        return figures.model_copy(update=averages)


@dataclass(slots=True, kw_only=True)
class _Run:
    finder: ElementFinder
    results: Results
    control: JobControl
    worst: Worst
    ready_s: float | None = None
    all: _Part = field(default_factory=_Part)
    by_source: dict[str, _Part] = field(default_factory=dict[str, _Part])
    unseen: dict[str, _Part] = field(default_factory=dict[str, _Part])
    groups: dict[str, _Part] = field(default_factory=dict[str, _Part])

    def measure(self, chosen: Chosen) -> None:
        screen, picture = chosen.screen, chosen.origin.picture_path(chosen.screen)
        # Read first: the error of a missing or damaged picture names the file.
        image = chosen.origin.image(screen)
        kept = self.results.get(picture)
        if kept is None:
            elements, seconds = self._find(image, f"{screen.group}/{screen.name}")
            self.results.put(picture, elements, seconds=seconds)
        else:
            elements, seconds = list(kept.elements), kept.seconds
        judged = judge(screen, elements, seconds=seconds)
        parts = [
            self.all,
            self.by_source.setdefault(screen.source, _Part()),
            self.groups.setdefault(f"{screen.source}/{screen.group}", _Part()),
        ]
        if is_unseen(screen):
            parts.append(self.unseen.setdefault(screen.source, _Part()))
        for part in parts:
            part.tally.add(judged)
        # Groups are small and many: averages are made for the larger parts only.
        for part in (self.all, *parts[1:2], *parts[3:]):
            part.averages.add(judged)
        self.worst.add(judged, folder=str(chosen.origin.folder), picture=picture)

    def _find(self, image: RgbImage, name: str) -> tuple[list[Element], float]:
        if self.ready_s is None:
            # The models are loaded by the first request: it is made with a mirrored picture, and not counted.
            _, self.ready_s = self._timed(np.ascontiguousarray(image[:, ::-1]), name)
        return self._timed(image, name)

    def _timed(self, image: RgbImage, name: str) -> tuple[list[Element], float]:
        frame = Frame(id=frame_id(image), width=image.shape[1], height=image.shape[0])
        started = time.perf_counter()
        try:
            found = self.finder.find(image, frame, control=self.control)
        except ModelError as error:
            raise ModelError(
                f"The screen {name} could not be measured; what was found on others is kept. {error.user_message}",
                details=error.details,
                hint=error.hint,
            ) from error
        return found, round(time.perf_counter() - started, 4)
