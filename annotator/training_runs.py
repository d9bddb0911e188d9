"""Trainings, each in a process and a folder of its own: started, found again, watched, stopped, continued.

The app may be closed or die meanwhile. All that is known about a training lies in its folder: what was wished
(``training.json``), how it goes (``progress.jsonl``), what it said (``training.log``), and its checkpoints.
"""

from __future__ import annotations

import datetime as dt
import re
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from pydantic import Field, ValidationError

from annotator.training_process import end, forget_ended, is_running, spawn
from annotator.words import tr
from demopack.atomic import disk_errors, write_text_atomic
from demopack.clock import utc_now
from demopack.domain.records import Record
from demopack.errors import BadInputError
from demopack.jobs import JobControl
from demopack.processes import process_start
from demopack.store import Library
from models.registry import SHIPPED, ModelKind, is_model, models_dir
from models.training.progress import PROGRESS_FILE, TrainingProgress, read_progress

RunState = Literal["running", "stopped", "failed", "broken", "finished", "elsewhere"]
JOB_FILE = "training.json"


class TrainingWish(Record):
    """What is wished of a training.

    Attributes:
        kind: detector, describer or icons.
        name: of the model to be; empty for kind and date.
        library: whether to learn from the approved annotations of the open library.
        folders: sets of screens, other libraries or ``data.yaml`` files to learn from as well.
        minutes: budget of time, over all starts.
        start_from: a model's name, or ``scratch``.
        seed: for everything that is drawn by chance.
    """

    kind: ModelKind
    name: str = ""
    library: bool = True
    folders: tuple[str, ...] = ()
    minutes: float = Field(default=30.0, gt=0)
    start_from: str = SHIPPED
    seed: int = 0


class TrainingJob(Record):
    """A wish, and the process that fulfils it."""

    schema_version: Literal[1] = 1
    wish: TrainingWish
    origins: tuple[str, ...]
    begun: dt.datetime
    pid: int = 0
    born: str = ""
    stopped: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingRun:
    """A training as it stands.

    Attributes:
        name: of its folder.
        folder: checkpoints, curves and log.
        state: ``broken`` was cut off, for instance by a power cut; ``elsewhere`` was started in a terminal.
        wish: what was wished; None when it was started in a terminal.
        begun: when it was first started; None when it was started in a terminal.
        reports: how it goes, oldest first.
        words: of a failed one, what went wrong.
    """

    name: str
    folder: Path
    state: RunState
    wish: TrainingWish | None
    begun: dt.datetime | None
    reports: tuple[TrainingProgress, ...]
    words: str = ""

    @property
    def seconds(self) -> float:
        """Spent so far, over all starts."""
        return self.reports[-1].seconds if self.reports else 0.0

    @property
    def seconds_left(self) -> float | None:
        """Of the budget; None when that is unknown."""
        return None if self.wish is None else max(0.0, 60 * self.wish.minutes - self.seconds)

    @property
    def can_go_on(self) -> bool:
        """Whether it can be gone on with."""
        return self.state in {"stopped", "failed", "broken"}


def read_job(folder: Path) -> TrainingJob | None:
    """What is written down in a run's folder; None for a training that was started in a terminal."""
    try:
        return TrainingJob.model_validate_json((folder / JOB_FILE).read_text(encoding="utf-8"))
    except (OSError, ValidationError):
        return None


def write_job(folder: Path, job: TrainingJob) -> None:
    """Write it down.

    Raises:
        DiskFullError: what was written before still stands.
    """
    write_text_atomic(folder / JOB_FILE, job.model_dump_json(indent=1) + "\n")


_LOG = "training.log"
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")
_STOP_TIMEOUT_S = 60.0
_DONE_SHARE = 0.98
"""Share of its budget from which a training that was stopped counts as done."""
_LOG_PREFIX: Final = "demopack: "
_TAIL = 16_000
"""Bytes at the end of a log that are read."""


class TrainingRuns:
    """Every training below a folder. May be asked from any thread; keeps nothing in memory but what it has read."""

    def __init__(self, *, command: Sequence[str] = ()) -> None:
        """Nothing is read yet.

        Args:
            command: what trains, called with kind and options; ``demopack train`` when empty.
        """
        self._command = tuple(command) or (sys.executable, "-m", "demopack", "train")
        self._read: dict[Path, tuple[int, tuple[TrainingProgress, ...]]] = {}

    @property
    def folder(self) -> Path:
        """Where the runs lie: beside the models of one's own."""
        return models_dir() / "runs"

    def runs(self) -> list[TrainingRun]:
        """Every training, the newest first."""
        forget_ended()
        folder = self.folder
        if not folder.is_dir():
            return []
        found = [self._run(path) for path in sorted(folder.iterdir()) if _is_run(path)]
        epoch = dt.datetime.min.replace(tzinfo=dt.UTC)
        return sorted(found, key=lambda run: run.begun or epoch, reverse=True)

    def run(self, name: str) -> TrainingRun:
        """One training.

        Raises:
            BadInputError: there is none of that name.
        """
        path = self.folder / name
        if Path(name).name != name or not _is_run(path):
            raise BadInputError(tr("There is no training called {name}.").format(name=name))
        return self._run(path)

    def start(self, wish: TrainingWish, *, library: Library | None, control: JobControl) -> TrainingRun:
        """Begin a training.

        The approved annotations of the library are written out first, so that what is learned stays the same however
        often the training is stopped, and so that it is known at once whether they are enough.

        Raises:
            BadInputError: the name cannot be used, a folder is not there, or too little was approved. Nothing was
                started, and nothing is left.
            ModelError: the process could not be started.
            DiskFullError: nothing was started.
        """
        if not wish.folders and not (wish.library and library is not None):
            raise BadInputError(tr("There is nothing to learn from."), hint=tr("Choose the library, or add a folder."))
        for origin in wish.folders:
            if not Path(origin).exists():
                raise BadInputError(
                    tr("{origin} is not there.").format(origin=origin), hint=tr("Choose another folder.")
                )
        name = self._free(wish)
        path = self.folder / name
        # A data set in Ultralytics' form is named by its data.yaml.
        files = [(folder, Path(folder) / "data.yaml") for folder in wish.folders]
        origins = tuple(str(file) if file.is_file() else folder for folder, file in files)
        try:
            with disk_errors(path):
                path.mkdir(parents=True)
            if wish.library and library is not None:
                from models.training.library.collect import collect

                sets = path / "sets" / "library"
                collect(library, folder=sets, seed=wish.seed, control=control)
                origins = (str(sets), *origins)
            control.token.check()
            named = wish.model_copy(update={"name": name})
            self._launch(path, TrainingJob(wish=named, origins=origins, begun=utc_now()))
        except BaseException:
            shutil.rmtree(path, ignore_errors=True)
            raise
        return self._run(path)

    def go_on(self, name: str) -> TrainingRun:
        """Go on where a training was, also after a crash.

        Raises:
            BadInputError: it is running, or was started in a terminal.
            ModelError: the process could not be started.
        """
        run = self.run(name)
        job = read_job(run.folder)
        if job is None:
            raise BadInputError(
                tr("The training {name} was started in a terminal.").format(name=name),
                hint=tr("Go on with the same command there."),
            )
        if run.state == "running":
            raise BadInputError(tr("The training {name} is running already.").format(name=name))
        wish = job.wish
        # What a describer has learned when it is stopped is a model already; the longer training makes another one.
        if is_model(models_dir() / wish.kind / wish.name):
            wish = wish.model_copy(update={"name": self._numbered(wish.kind, name)})
        self._launch(run.folder, job.model_copy(update={"wish": wish, "stopped": False}))
        return self._run(run.folder)

    def stop(self, name: str, *, control: JobControl) -> TrainingRun:
        """Ask a training to stop with a checkpoint, and wait until it has; after a minute it is ended at once.

        Args:
            name: of the run.
            control: ends the waiting; the training was asked all the same.
        """
        run = self.run(name)
        job = read_job(run.folder)
        if job is not None and run.state == "running":
            write_job(run.folder, job.model_copy(update={"stopped": True}))
            end(job.pid, job.born, token=control.token, patience_s=_STOP_TIMEOUT_S)
        return self._run(run.folder)

    def remove(self, name: str) -> None:
        """Delete a training with its checkpoints; the model that it made stays.

        Raises:
            BadInputError: it is running, or was started in a terminal, where it may be.
        """
        run = self.run(name)
        if run.state in {"running", "elsewhere"}:
            raise BadInputError(tr("The training {name} may be running.").format(name=name), hint=tr("Stop it first."))
        shutil.rmtree(run.folder)

    # ----------------------------------------------------------------------------------------------------------

    def _launch(self, path: Path, job: TrainingJob) -> None:
        wish = job.wish
        # Written before as well: a folder without it would be a training of nobody.
        write_job(path, job.model_copy(update={"pid": 0, "born": ""}))
        options = ["--run", path, "--minutes", wish.minutes, "--start-from", wish.start_from, "--name", wish.name]
        origins = [part for origin in job.origins for part in ("--from", origin)]
        arguments = [wish.kind, *origins, *options, "--seed", wish.seed]
        pid = spawn([*self._command, *map(str, arguments)], log=path / _LOG)
        write_job(path, job.model_copy(update={"pid": pid, "born": process_start(pid)}))

    def _run(self, path: Path) -> TrainingRun:
        job = read_job(path)
        # Asked before the result is looked for: a process that ends in between has its result by then.
        alive = job is not None and job.pid > 0 and is_running(job.pid, job.born)
        words = "" if alive else _last_words(path / _LOG)
        reports = self._reports(path / PROGRESS_FILE)
        return TrainingRun(
            name=path.name,
            folder=path,
            state=_state(path, job, alive=alive, words=words, seconds=reports[-1].seconds if reports else 0.0),
            wish=None if job is None else job.wish,
            begun=None if job is None else job.begun,
            reports=reports,
            words=words,
        )

    def _reports(self, path: Path) -> tuple[TrainingProgress, ...]:
        size = path.stat().st_size if path.exists() else 0
        known = self._read.get(path)
        if known is None or known[0] != size:
            known = self._read[path] = (size, tuple(read_progress(path)))
        return known[1]

    def _free(self, wish: TrainingWish) -> str:
        if not wish.name:
            return self._numbered(wish.kind, f"{wish.kind}-{utc_now():%Y-%m-%d}")
        if not _NAME.fullmatch(wish.name) or wish.name == SHIPPED:
            raise BadInputError(
                tr("{name!r} cannot be a model's name.").format(name=wish.name),
                hint=tr("Use letters, digits, - and _, a letter first."),
            )
        if self._taken(wish.kind, wish.name):
            raise BadInputError(
                tr("There is a model or training called {name}.").format(name=wish.name),
                hint=tr("Choose another name."),
            )
        return wish.name

    def _numbered(self, kind: ModelKind, name: str) -> str:
        names = (f"{name}{mark}" for mark in ("", *(f"-{number}" for number in range(2, 10_000))))
        return next(one for one in names if not self._taken(kind, one))

    def _taken(self, kind: ModelKind, name: str) -> bool:
        return (self.folder / name).exists() or is_model(models_dir() / kind / name)


def _is_run(path: Path) -> bool:
    return path.is_dir() and ((path / JOB_FILE).is_file() or (path / PROGRESS_FILE).is_file())


def _state(path: Path, job: TrainingJob | None, *, alive: bool, words: str, seconds: float) -> RunState:
    if job is None:
        return "finished" if is_model(path / "model") else "elsewhere"
    if alive:
        return "running"
    made = is_model(models_dir() / job.wish.kind / job.wish.name)
    if made and not (job.stopped and seconds < _DONE_SHARE * 60 * job.wish.minutes):
        return "finished"
    if job.stopped:
        return "stopped"
    return "failed" if words else "broken"


def _last_words(path: Path) -> str:
    """What the process said it died of; empty when it died without a word."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - _TAIL))
            lines = [line for line in file.read().decode("utf-8", errors="replace").splitlines() if line.strip()]
    except OSError:
        return ""
    if not lines:
        return ""
    if any(line.startswith("Traceback ") for line in lines):
        return lines[-1].strip()
    return lines[-1].removeprefix(_LOG_PREFIX) if lines[-1].startswith((_LOG_PREFIX, "Error: ")) else ""
