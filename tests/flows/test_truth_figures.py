from __future__ import annotations

import pytest

from demopack.domain.ports import StepContext
from demopack.jobs import JobControl
from models.language.check.findings import check_rationale
from models.language.template import TemplateWriter
from tests.support.editing import sample_library
from tests.support.truth_figures import figures
from tests.support.truth_hand import by_hand, false_by_hand
from tests.support.truth_spoils import CLASSES, RULES_OF
from tests.support.truth_steps import practice_steps, sample_steps, screen_steps


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> list[StepContext]:
    return sample_steps(sample_library(tmp_path_factory.mktemp("sample")))


def test_every_class_of_fault_is_found_and_true_rationales_are_left_alone(sample: list[StepContext]) -> None:
    """The whole set is counted by ``benchmarks/bench_truth.py``; here every third step of it."""
    found = figures([*practice_steps(), *sample, *screen_steps()][::3])
    for half, data in found.items():
        assert data["false_alarm_rate"] <= 0.03, (half, data["voices"])
        assert data["true"] > 100
        for name in set(CLASSES) - {"wrong kind"}:
            row = data["classes"][name]
            assert row["made"] >= 15, (half, name)
            assert row["found"] >= 0.95 * row["made"] - 1, (half, name, row["missed"])


def test_true_rationales_that_were_written_by_hand_are_left_alone(sample: list[StepContext]) -> None:
    written = by_hand(sample)
    found = [check_rationale(one.rationale, one.context, after_visible=False) for one in written]
    alarms = [(one.set, one.where, told) for one, told in zip(written, found, strict=True) if told]
    assert len(alarms) <= 0.03 * len(written), alarms


def test_faults_that_were_written_by_hand_are_found(sample: list[StepContext]) -> None:
    written = false_by_hand(sample)
    missed = [
        (one.where, one.rationale)
        for one in written
        if not RULES_OF[one.fault] & {f.rule for f in check_rationale(one.rationale, one.context, after_visible=False)}
    ]
    assert len(missed) <= 0.05 * len(written), missed


def test_the_template_writer_passes_everywhere(sample: list[StepContext]) -> None:
    for context in [*practice_steps(), *sample, *screen_steps(each=20)]:
        rationale = TemplateWriter().write(context, control=JobControl())
        assert check_rationale(rationale, context, after_visible=False) == []
