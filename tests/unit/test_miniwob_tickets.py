"""Which MiniWoB++ screens are ordered: what is measured is never learned."""

from __future__ import annotations

from collections import Counter

import pytest

from models.training.screens.miniwob import MiniwobSource
from models.training.screens.miniwob.tasks import NEVER_TRAINED, TASKS, tasks_of
from models.training.screens.screen import Side

BANDS: dict[Side, range] = {"test": range(1000), "train": range(1000, 2900), "val": range(2900, 3000)}


def test_there_are_67_tasks_and_20_of_them_are_never_trained_on() -> None:
    assert len(set(TASKS)) == 67
    assert len(NEVER_TRAINED) == 20
    assert set(TASKS) >= NEVER_TRAINED


@pytest.mark.parametrize("side", ["test", "train", "val"])
def test_each_side_keeps_to_its_seeds_and_tasks(side: Side) -> None:
    tickets = MiniwobSource().tickets(count=3000, seed=5, side=side)

    assert {ticket.seed for ticket in tickets} <= set(BANDS[side])
    assert {ticket.group for ticket in tickets} == set(tasks_of(side))
    assert side == "test" or not {ticket.group for ticket in tickets} & NEVER_TRAINED
    assert len({(ticket.group, ticket.seed) for ticket in tickets}) == len(tickets)


def test_tasks_are_balanced_and_orders_repeat() -> None:
    source = MiniwobSource()

    tickets = source.tickets(count=1000, seed=1, side="train")

    assert tickets == source.tickets(count=1000, seed=1, side="train")
    assert tickets != source.tickets(count=1000, seed=2, side="train")
    counts = Counter(ticket.group for ticket in tickets)
    assert max(counts.values()) - min(counts.values()) <= 1


def test_what_is_measured_is_drawn_as_the_task_is_played() -> None:
    assert all(ticket.variant == {"scale": "1"} for ticket in MiniwobSource().tickets(count=200, seed=0, side="test"))


def test_what_is_learned_varies() -> None:
    tickets = MiniwobSource().tickets(count=2000, seed=0, side="train")

    for key in ("scale", "part", "font", "ground", "caret"):
        assert len({ticket.variant[key] for ticket in tickets}) > 1
