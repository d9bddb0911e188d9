"""What a person does, on a stage whose pixels say what the screen showed when: every step must be exact."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.support.stage_script import QUICK, burners, perform, rests, sixty

pytestmark = [pytest.mark.e2e, pytest.mark.slow]


@pytest.mark.parametrize(
    ("load", "dpi", "monitors"), [(0, 96, 1), (os.cpu_count() or 2, 192, 2)], ids=["quiet", "loaded"]
)
def test_sixty_actions_are_recorded_exactly(tmp_path: Path, load: int, dpi: int, monitors: int) -> None:
    acts = sixty()
    assert len(acts) == 60
    with burners(load):
        verdict = perform(tmp_path / "library", acts, dpi=dpi, monitors=monitors)
    assert verdict.wrong_steps + verdict.wrong_frames == []
    steps = verdict.demo.steps
    assert len(steps) == 61
    assert steps[-1].action.action_type == "finish_goal"
    ages = sorted(step.quality.frame_age_ms or 0 for step in steps[:-1])
    # A frame that is older than this was not looked for while a person acted.
    assert ages[len(ages) // 2] <= 100


def test_rests_and_held_things_are_recorded_exactly(tmp_path: Path) -> None:
    with burners(os.cpu_count() or 2):
        verdict = perform(tmp_path / "library", rests(), settings=QUICK)
    assert verdict.wrong_steps + verdict.wrong_frames == []
    kinds = [step.action.action_type for step in verdict.demo.steps]
    assert (kinds.count("hover"), kinds.count("wait")) == (4, 3)
