"""How models and trainings are told, and round marks on axes."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from annotator.model_store import KnownModel
from annotator.model_words import (
    chart_figures,
    date_words,
    facts_of_model,
    figure_name,
    figure_rows,
    length_words,
    name_words,
    reason_words,
    size_words,
    state_words,
    survey_words,
)
from annotator.training_runs import RunState, TrainingRun, TrainingWish
from annotator.ui.models.curves import round_marks
from models.registry import ModelCard, ModelFolder
from models.training.correction_order import UncertainScreen
from models.training.library.survey import LibrarySurvey
from models.training.progress import TrainingProgress


def card(**metrics: float) -> ModelCard:
    return ModelCard(id="office", kind="detector", created="2026-03-07", files={}, metrics=metrics)


def run(state: RunState, *seconds: float, minutes: float = 30, words: str = "") -> TrainingRun:
    reports = [
        TrainingProgress(
            epoch=1, epochs=2, step=10 * n, steps=100, seconds=s, losses={"box_loss": 1.0 / n, "bad": float("nan")},
            metrics={"f1": 0.5, "f1/qt": 0.4} if n % 2 == 0 else {},
        )
        for n, s in enumerate(seconds, start=1)
    ]  # fmt: skip
    return TrainingRun(
        name="office", folder=Path("office"), state=state, words=words, reports=tuple(reports),
        wish=None if state == "elsewhere" else TrainingWish(kind="detector", minutes=minutes),
        begun=dt.datetime(2026, 3, 7, tzinfo=dt.UTC),
    )  # fmt: skip


def test_figures_have_names() -> None:
    assert figure_name("f1") == "F1 of boxes"
    assert figure_name("f1/qt") == "F1 of boxes, qt"
    assert figure_name("val_type_mean") == "Validation: type mean"
    assert figure_name("state_yes") == "State yes"


def test_a_model_is_told_in_one_line() -> None:
    model = KnownModel(
        kind="detector", name="shipped", used=True, size=5_300_000, model=ModelFolder(Path(), card(f1=0.871, loss=2))
    )
    assert name_words(model) == "Came with demopack"
    assert facts_of_model(model) == "5.3 MB · 7 Mar 2026 · F1 of boxes 0.87"
    lost = KnownModel(kind="detector", name="x.pt", used=True, model=None)
    assert facts_of_model(lost).startswith("No card")


def test_sizes_dates_and_lengths() -> None:
    assert [size_words(12_345_678), size_words(9_999)] == ["12.3 MB", "10 kB"]
    assert [date_words("2026-03-07T10:00"), date_words("soon")] == ["7 Mar 2026", "soon"]
    assert [length_words(s) for s in (0, 89, 90, 3600, 9000)] == ["0 s", "89 s", "2 min", "60 min", "2 h 30 min"]


def test_figures_side_by_side() -> None:
    rows = figure_rows(card(f1=0.8, only=0.1), card(map=0.3, f1=0.9))
    assert [(row.name, row.first, row.second) for row in rows] == [
        ("f1", 0.8, 0.9), ("only", 0.1, None), ("map", None, 0.3),
    ]  # fmt: skip
    assert rows[0].change == pytest.approx(0.1)
    assert rows[1].change is None


def test_how_a_training_stands() -> None:
    assert state_words(run("running")) == "Preparing the screens …"
    assert state_words(run("running", 300, 600)) == "Step 20 · 10 min spent · about 20 min left"
    assert state_words(run("stopped", 600)) == "Stopped after 10 min; its last checkpoint is kept."
    assert state_words(run("failed", words="The disk is full.")) == "The disk is full."
    assert state_words(run("broken")) == "Cut off; what its last checkpoint holds is safe."
    assert state_words(run("finished", 1800)) == "Finished after 30 min."
    assert state_words(run("elsewhere")) == "Started in a terminal."
    assert run("elsewhere", 5).seconds_left is None


def test_curves_leave_out_sources_and_what_is_no_number() -> None:
    training = run("running", 60, 120)
    assert chart_figures(training, losses=True) == {"box_loss": [(1.0, 1.0), (2.0, 0.5)]}
    assert chart_figures(training, losses=False) == {"f1": [(2.0, 0.5)]}


def test_why_a_screen_is_worth_correcting() -> None:
    suspect = UncertainScreen(
        demo="d", frame="f", shown="before step 1", score=2, elements=5, reasons={"unsure": 2, "box": 1}
    )
    assert reason_words(suspect) == "2 unsure, 1 with a disputed box"


@pytest.mark.parametrize(
    ("values", "low", "high", "words"),
    [
        ([0.4, 4.9], 0, 5, ["0", "1", "2", "3", "4", "5"]),
        ([0.31, 0.74], 0, 0.8, ["0.0", "0.2", "0.4", "0.6", "0.8"]),
        ([0.001], 0, 0.001, ["0.0000", "0.0002", "0.0004", "0.0006", "0.0008", "0.0010"]),
        ([0.0], 0, 1, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        ([], 0, 1, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        ([-3.0, 5.0], -4, 6, ["-4", "-2", "0", "2", "4", "6"]),
    ],
)
def test_marks_are_round_and_hold_every_value(values: list[float], low: float, high: float, words: list[str]) -> None:
    marks = round_marks(values)
    assert (min(marks), max(marks)) == (pytest.approx(low), pytest.approx(high))
    assert list(marks.values()) == words
    assert all(min(marks) <= value <= max(marks) for value in values)


def test_what_a_library_would_teach_is_told_by_type() -> None:
    missed = {"slider": 9, "tab": 4, "button": 2, "menu": 2, "spinner": 1}
    taught = LibrarySurvey(approved=3, reported=40, used=700, missed=missed, mistaken={"tree_item": 5})  # type: ignore[arg-type]
    assert survey_words(taught) == (
        "Screens: 3 approved + 40 reported by their programs. Of 700 elements the models missed 18 "
        "(slider 9, tab 4, button 2, menu 2, …) and mistook 5 (tree item 5)."
    )
    assert survey_words(LibrarySurvey(reported=2, used=8)) == (
        "Screens: 2 reported by their programs. The models found all 8 elements on them: little to learn."
    )
