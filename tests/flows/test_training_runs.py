"""Trainings in processes of their own: started, found again, stopped, continued; nothing is left of what failed."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from annotator import training_process
from annotator.training_process import is_running
from annotator.training_runs import TrainingJob, TrainingRun, TrainingRuns, TrainingWish, read_job, write_job
from demopack.clock import utc_now
from demopack.errors import BadInputError, ModelError
from demopack.jobs import JobControl
from demopack.processes import process_start
from demopack.store import Library
from models.registry import is_model, models_dir
from tests.support.editing import sample_library
from tests.support.fake_training import COMMAND, report

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and fifos")


@pytest.fixture(autouse=True)
def own_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEMOPACK_MODELS", str(tmp_path / "models"))


@pytest.fixture
def runs() -> TrainingRuns:
    return TrainingRuns(command=COMMAND)


def wish(tmp_path: Path, **fields: object) -> TrainingWish:
    (tmp_path / "set").mkdir(exist_ok=True)
    given = {"kind": "detector", "name": "office", "library": False, "folders": (str(tmp_path / "set"),), **fields}
    return TrainingWish.model_validate(given)


def start(runs: TrainingRuns, wished: TrainingWish) -> TrainingRun:
    return runs.start(wished, library=None, control=JobControl())


def started(runs: TrainingRuns, wished: TrainingWish, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TrainingRun:
    """A training that has reported three times and waits."""
    ready = tmp_path / "ready"
    os.mkfifo(ready)
    monkeypatch.setenv("FAKE_TRAINING_READY", str(ready))
    run = start(runs, wished)
    assert ready.read_text(encoding="utf-8") == "ready"
    return run


def ended(runs: TrainingRuns, name: str) -> TrainingRun:
    """As it stands after its process has ended by itself."""
    job = read_job(runs.folder / name)
    assert job is not None
    process = training_process._ours.get(job.pid)
    if process is not None:
        process.wait(timeout=20)
    return runs.run(name)


def test_the_command_is_the_one_of_the_terminal(runs: TrainingRuns, tmp_path: Path) -> None:
    run = start(runs, wish(tmp_path, minutes=1, start_from="scratch", seed=4))
    assert ended(runs, "office").state == "finished"
    assert json.loads((run.folder / "arguments.json").read_text()) == [
        "detector", "--from", str(tmp_path / "set"), "--run", str(models_dir() / "runs" / "office"),
        "--minutes", "1.0", "--start-from", "scratch", "--name", "office", "--seed", "4",
    ]  # fmt: skip
    assert TrainingRuns()._command[1:] == ("-m", "demopack", "train")


def test_a_data_set_is_named_by_its_file(runs: TrainingRuns, tmp_path: Path) -> None:
    wished = wish(tmp_path, minutes=1)
    (tmp_path / "set" / "data.yaml").write_text("names: []", encoding="utf-8")
    run = start(runs, wished)
    ended(runs, "office")
    assert json.loads((run.folder / "arguments.json").read_text())[2] == str(tmp_path / "set" / "data.yaml")


def test_a_training_is_stopped_and_continued(
    runs: TrainingRuns, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = started(runs, wish(tmp_path, minutes=20), tmp_path, monkeypatch)
    assert (run.name, runs.run("office").state) == ("office", "running")
    assert [one.step for one in runs.run("office").reports] == [100, 200, 300]
    assert runs.run("office").seconds_left == 20 * 60 - 60
    with pytest.raises(BadInputError, match="running"):
        runs.go_on("office")
    with pytest.raises(BadInputError, match="may be running"):
        runs.remove("office")
    stopped = runs.stop("office", control=JobControl())
    assert (stopped.state, stopped.can_go_on, stopped.reports[-1].step) == ("stopped", True, 320)
    assert stopped.words == ""
    runs.go_on("office")
    done = ended(runs, "office")
    assert (done.state, done.reports[-1].step) == ("finished", 500)
    assert is_model(models_dir() / "detector" / "office")
    runs.remove("office")
    assert runs.runs() == []
    assert is_model(models_dir() / "detector" / "office")


def test_it_is_found_again_after_the_app_was_closed(
    runs: TrainingRuns, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = started(runs, wish(tmp_path, minutes=20), tmp_path, monkeypatch)
    ours = training_process._ours.copy()
    training_process._ours.clear()
    try:
        again = TrainingRuns(command=COMMAND)
        assert [(one.name, one.state) for one in again.runs()] == [("office", "running")]
        assert again.runs()[0].wish == run.wish
        assert again.stop("office", control=JobControl()).state == "stopped"
    finally:
        training_process._ours.update(ours)
        training_process.forget_ended()
    assert training_process._ours.keys().isdisjoint(ours)


def test_the_process_has_a_session_of_its_own(
    runs: TrainingRuns, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started(runs, wish(tmp_path, minutes=20), tmp_path, monkeypatch)
    job = read_job(runs.folder / "office")
    assert job is not None
    assert os.getsid(job.pid) == job.pid != os.getsid(0)
    runs.stop("office", control=JobControl())


def test_waiting_for_a_stop_can_be_left(runs: TrainingRuns, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started(runs, wish(tmp_path, minutes=20), tmp_path, monkeypatch)
    control = JobControl()
    control.token.cancel()
    runs.stop("office", control=control)
    # It was asked all the same.
    assert ended(runs, "office").state == "stopped"


def test_what_failed_says_why(runs: TrainingRuns, tmp_path: Path) -> None:
    start(runs, wish(tmp_path, minutes=7))
    run = ended(runs, "office")
    assert (run.state, run.words, run.can_go_on) == ("failed", "There are no screens to learn from.", True)


def test_what_was_killed_was_cut_off(runs: TrainingRuns, tmp_path: Path) -> None:
    start(runs, wish(tmp_path, minutes=3))
    run = ended(runs, "office")
    assert (run.state, run.words, run.can_go_on) == ("broken", "", True)
    assert len(run.reports) == 3


def test_a_describer_that_was_stopped_is_a_model_and_its_continuation_another(
    runs: TrainingRuns, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started(runs, wish(tmp_path, kind="describer", minutes=20), tmp_path, monkeypatch)
    assert runs.stop("office", control=JobControl()).state == "stopped"
    assert is_model(models_dir() / "describer" / "office")
    runs.go_on("office")
    done = ended(runs, "office")
    assert done.state == "finished"
    assert done.wish is not None
    assert done.wish.name == "office-2"
    assert is_model(models_dir() / "describer" / "office-2")


def test_another_process_of_the_same_id_is_not_the_training(runs: TrainingRuns, tmp_path: Path) -> None:
    folder = runs.folder / "office"
    folder.mkdir(parents=True)
    write_job(folder, TrainingJob(wish=wish(tmp_path), origins=(), begun=utc_now(), pid=os.getpid(), born="17"))
    assert runs.run("office").state == "broken"
    assert is_running(os.getpid(), process_start(os.getpid()))
    assert not is_running(os.getpid(), "17")


def test_a_training_of_a_terminal_is_shown_and_left_alone(runs: TrainingRuns) -> None:
    folder = runs.folder / "by-hand"
    folder.mkdir(parents=True)
    report(folder, 100)
    (runs.folder / "something else").mkdir()
    assert [(one.name, one.state) for one in runs.runs()] == [("by-hand", "elsewhere")]
    with pytest.raises(BadInputError, match="started in a terminal"):
        runs.go_on("by-hand")
    with pytest.raises(BadInputError):
        runs.remove("by-hand")


def test_progress_is_read_again_only_when_it_grew(runs: TrainingRuns) -> None:
    folder = runs.folder / "by-hand"
    folder.mkdir(parents=True)
    report(folder, 100)
    first = runs.run("by-hand").reports
    assert runs.run("by-hand").reports is first
    report(folder, 200)
    assert [one.step for one in runs.run("by-hand").reports] == [100, 200]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"folders": ()}, "nothing to learn from"),
        ({"folders": ("/no/such/folder",)}, "is not there"),
        ({"name": "../out"}, "cannot be a model's name"),
        ({"name": "shipped"}, "cannot be a model's name"),
    ],
)
def test_what_cannot_be_started_leaves_nothing(
    runs: TrainingRuns, tmp_path: Path, fields: dict[str, object], words: str
) -> None:
    with pytest.raises(BadInputError, match=words):
        start(runs, wish(tmp_path, **fields))
    assert not runs.folder.exists()


def test_too_little_approved_is_said_at_once_and_leaves_nothing(runs: TrainingRuns, tmp_path: Path) -> None:
    with (
        Library.open(sample_library(tmp_path)) as library,
        pytest.raises(
            BadInputError,
            match=r"that programs reported, and at least \d+ different ones are needed",
        ),
    ):
        runs.start(wish(tmp_path, library=True), library=library, control=JobControl())
    assert runs.runs() == []
    assert list(runs.folder.iterdir()) == []


def test_a_program_that_is_not_there_leaves_nothing(tmp_path: Path) -> None:
    runs = TrainingRuns(command=(str(tmp_path / "no-such-program"),))
    with pytest.raises(ModelError, match="could not be started"):
        start(runs, wish(tmp_path))
    assert list(runs.folder.iterdir()) == []


def test_names_are_found_and_kept_apart(runs: TrainingRuns, tmp_path: Path) -> None:
    first = start(runs, wish(tmp_path, name="", minutes=1))
    second = start(runs, wish(tmp_path, name="", minutes=1))
    assert first.name.startswith("detector-2")
    assert second.name == f"{first.name}-2"
    with pytest.raises(BadInputError, match="There is a model or training called"):
        start(runs, wish(tmp_path, name=first.name))
    for run in (first, second):
        assert ended(runs, run.name).state == "finished"
