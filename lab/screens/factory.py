"""Runs a source of screens: several renderers at once, goes on where it was stopped, never makes a screen twice."""

from __future__ import annotations

import queue
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from demopack.errors import BadInputError, DemopackError
from demopack.jobs import JobControl, Progress
from lab.screens.sources import Rendered, Renderer, SampleSpec, ScreenSource
from models.training.labelled_screens import LabelledScreen, LabelledScreenSet, Split

_TRIES_PER_STUDIO = 3
"""Specs that may fail one after the other before a renderer is given up and started again."""


@dataclass(slots=True)
class FactoryReport:
    """What a run made.

    Attributes:
        made: screens that were drawn now.
        elements: on these.
        skipped: specs that had been done before.
        failed: what went wrong, a sentence for each spec that gave no screen.
    """

    made: int = 0
    elements: int = 0
    skipped: int = 0
    failed: list[str] = field(default_factory=list[str])


def make_screens(
    source: ScreenSource,
    *,
    folder: Path,
    count: int,
    seed: int = 0,
    side: Split = "train",
    workers: int = 2,
    control: JobControl,
) -> FactoryReport:
    """Draw about ``count`` screens into a set; what is there already is not drawn again.

    A spec that cannot be drawn is reported and left out; when every spec of a renderer fails, the run ends.

    Args:
        source: what draws.
        folder: of the set; created where it is missing.
        count: screens wanted on this side, the ones that are there included.
        seed: another seed, other screens.
        side: what they may be used for.
        workers: renderers at once.
        control: progress and cancelling.

    Raises:
        CancelledError: finished screens are kept.
        DemopackError: no renderer could be started, or nothing can be drawn; the first cause.
        DiskFullError: finished screens are kept.
    """
    if count < 1:
        raise BadInputError(f"{count} screens cannot be made.", hint="Ask for at least one.")
    specs = source.specs(count=count, seed=seed, side=side)
    run = _Run(source, LabelledScreenSet(folder), specs, control)
    threads = [threading.Thread(target=run.work, name=f"renderer-{i}", daemon=True) for i in range(max(1, workers))]
    for thread in threads:
        thread.start()
    try:
        for thread in threads:
            thread.join()
    except BaseException:
        # Ctrl-C: renderers hold browsers and displays, which must end with us.
        run.give_up()
        for thread in threads:
            thread.join()
        raise
    if run.broken is not None:
        raise run.broken
    control.token.check()
    return run.report


class _Run:
    def __init__(
        self, source: ScreenSource, screens: LabelledScreenSet, specs: Sequence[SampleSpec], control: JobControl
    ) -> None:
        self._source = source
        self._screens = screens
        self._control = control
        self._total = len(specs)
        self._done = 0
        self._given_up = False
        self._lock = threading.Lock()
        self._todo: queue.SimpleQueue[SampleSpec] = queue.SimpleQueue()
        self.report = FactoryReport()
        self.broken: BaseException | None = None
        for spec in specs:
            if screens.has(spec.group, _name(spec, 0)):
                self.report.skipped += 1
                self._done += 1
            else:
                self._todo.put(spec)

    def work(self) -> None:
        """One renderer after the other until nothing is left to do; runs in a thread of its own."""
        try:
            while not self._over():
                with self._source.renderer() as renderer:
                    self._with(renderer)
        except BaseException as error:  # noqa: BLE001 - carried to the caller's thread
            with self._lock:
                self.broken = self.broken or error

    def give_up(self) -> None:
        """Begin nothing more."""
        self._given_up = True

    def _over(self) -> bool:
        stopped = self._given_up or self._control.token.cancelled or self.broken is not None
        return stopped or self._todo.empty()

    def _with(self, renderer: Renderer) -> None:
        """Draw with one renderer until it is no good any more."""
        failures = 0
        while not self._over() and failures < _TRIES_PER_STUDIO:
            try:
                spec = self._todo.get_nowait()
            except queue.Empty:
                return
            try:
                self._keep(spec, renderer.render(spec))
                failures = 0
            except DemopackError as error:
                failures += 1
                self._note_failure(spec, error)
        if failures >= _TRIES_PER_STUDIO and not (self.report.made or self.report.skipped):
            raise DemopackError(
                f"None of the first {failures} {self._source.name} screens could be drawn.",
                details="\n".join(self.report.failed[-failures:]),
            )

    def _keep(self, spec: SampleSpec, moments: Sequence[Rendered]) -> None:
        # The first moment last: where it is, the whole spec is.
        for number in reversed(range(len(moments))):
            rendered = moments[number]
            screen = LabelledScreen(
                name=_name(spec, number),
                source=self._source.name,
                group=spec.group,
                side=spec.side,
                seed=spec.seed,
                variant={**spec.variant, **rendered.variant},
                width=rendered.image.shape[1],
                height=rendered.image.shape[0],
                elements=tuple(rendered.elements),
            )
            self._screens.put(screen, rendered.image)
            with self._lock:
                self.report.made += 1
                self.report.elements += len(screen.elements)
        self._tell(spec)

    def _note_failure(self, spec: SampleSpec, error: DemopackError) -> None:
        with self._lock:
            self.report.failed.append(f"{spec.group} {spec.seed}: {error.user_message}")
        self._tell(spec)

    def _tell(self, spec: SampleSpec) -> None:
        with self._lock:
            self._done += 1
            text = f"{self._source.name}: {spec.group}"
            self._control.report(Progress(done=self._done, total=self._total, text=text))


def _name(spec: SampleSpec, number: int) -> str:
    return f"{spec.group.replace('.', '_')}-{spec.side}-{spec.seed}-{number}"
