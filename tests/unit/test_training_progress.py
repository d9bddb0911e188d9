from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from demopack.errors import BadInputError
from models.training.describer.training import export_describer, train_describer
from models.training.detector.training import export_detector, train_detector
from models.training.options import DetectorTraining
from models.training.progress import TrainingProgress, append_progress, forget_progress_after, read_progress
from models.training.run_folder import RunFolder


def report(step: int) -> TrainingProgress:
    return TrainingProgress(epoch=1, epochs=2, step=step, steps=10, losses={"box": 0.5}, metrics={}, seconds=1.5)


def test_reports_come_back(tmp_path: Path) -> None:
    file = tmp_path / "progress.jsonl"
    for step in (1, 2):
        append_progress(file, report(step))
    assert list(read_progress(file)) == [report(1), report(2)]


def test_a_half_written_line_is_passed_over(tmp_path: Path) -> None:
    file = tmp_path / "progress.jsonl"
    append_progress(file, report(1))
    with file.open("a", encoding="utf-8") as opened:
        opened.write('{"epoch": 1, "st')
    assert [one.step for one in read_progress(file)] == [1]


@pytest.mark.parametrize(("step", "left"), [(0, []), (2, [1, 2]), (9, [1, 2, 3])])
def test_steps_that_are_done_again_are_forgotten(tmp_path: Path, step: int, left: list[int]) -> None:
    file = tmp_path / "progress.jsonl"
    for number in (1, 2, 3):
        append_progress(file, report(number))
    forget_progress_after(file, step)
    assert [one.step for one in read_progress(file)] == left


def test_without_a_file_there_is_nothing_to_read_or_forget(tmp_path: Path) -> None:
    file = tmp_path / "progress.jsonl"
    forget_progress_after(file, 3)
    assert list(read_progress(file)) == []
    assert not file.exists()


@pytest.mark.parametrize(
    ("name", "text"), [("options.json", '{"optimizer": "auto", "learning_rate": 0.0}'), ("last.pt", "")]
)
def test_a_training_of_an_earlier_version_is_named_and_kept(tmp_path: Path, name: str, text: str) -> None:
    run = tmp_path / "run"
    run.mkdir()
    (run / name).write_text(text, encoding="utf-8")
    kept = sorted(run.iterdir())
    with pytest.raises(BadInputError, match="begun by an earlier demopack"), RunFolder.opened(run, DetectorTraining()):
        pass
    assert [path for path in sorted(run.iterdir()) if path.name != ".lock"] == kept


@pytest.mark.skipif(sys.platform == "win32", reason="FIFOs and devices")
@pytest.mark.timeout(30)
@pytest.mark.parametrize("name", ["options.json", "progress.jsonl", "checkpoint.pt", "samples/index.json"])
def test_a_fifo_in_a_training_that_is_to_go_on_is_named_and_not_waited_for(tmp_path: Path, name: str) -> None:
    run = tmp_path / "run"
    (run / name).parent.mkdir(parents=True)
    os.mkfifo(run / name)
    works: tuple[Callable[[], object], ...] = (
        lambda: train_detector([], run, options=DetectorTraining()),
        lambda: train_describer([], run),
        lambda: export_detector(run),
        lambda: export_describer(run),
    )
    for work in works:
        with pytest.raises(BadInputError, match="is a FIFO, a socket or a device") as caught:
            work()
        assert str(run / name) in caught.value.user_message
    assert list(read_progress(run / name)) == []
