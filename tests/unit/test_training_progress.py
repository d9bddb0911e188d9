from __future__ import annotations

from pathlib import Path

import pytest

from models.training.progress import TrainingProgress, append_progress, forget_progress_after, read_progress


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
