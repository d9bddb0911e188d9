"""Which MiniWoB++ screens are ordered: what is measured is never learned."""

from __future__ import annotations

from collections import Counter

import pytest

from lab.screens.miniwob import MiniwobSource
from lab.screens.miniwob.tasks import NEVER_TRAINED, TASKS, tasks_of
from models.training.labelled_screens import Split

BANDS: dict[Split, range] = {"test": range(1000), "train": range(1000, 2900), "val": range(2900, 3000)}


def test_there_are_67_tasks_and_20_of_them_are_never_trained_on() -> None:
    assert len(set(TASKS)) == 67
    assert len(NEVER_TRAINED) == 20
    assert set(TASKS) >= NEVER_TRAINED


@pytest.mark.parametrize("side", ["test", "train", "val"])
def test_each_side_keeps_to_its_seeds_and_tasks(side: Split) -> None:
    specs = MiniwobSource().specs(count=3000, seed=5, side=side)

    assert {spec.seed for spec in specs} <= set(BANDS[side])
    assert {spec.group for spec in specs} == set(tasks_of(side))
    assert side == "test" or not {spec.group for spec in specs} & NEVER_TRAINED
    assert len({(spec.group, spec.seed) for spec in specs}) == len(specs)


def test_tasks_are_balanced_and_orders_repeat() -> None:
    source = MiniwobSource()

    specs = source.specs(count=1000, seed=1, side="train")

    assert specs == source.specs(count=1000, seed=1, side="train")
    assert specs != source.specs(count=1000, seed=2, side="train")
    counts = Counter(spec.group for spec in specs)
    assert max(counts.values()) - min(counts.values()) <= 1


def test_what_is_measured_is_drawn_as_the_task_is_played() -> None:
    assert all(spec.variant == {"scale": "1"} for spec in MiniwobSource().specs(count=200, seed=0, side="test"))


def test_what_is_learned_varies() -> None:
    specs = MiniwobSource().specs(count=2000, seed=0, side="train")

    for key in ("scale", "part", "font", "ground", "caret"):
        assert len({spec.variant[key] for spec in specs}) > 1
