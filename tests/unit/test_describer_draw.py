from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demopack.domain.geometry import Rect, Size, iou
from demopack.errors import BadInputError, CancelledError
from demopack.jobs import CancelToken, JobControl
from models.training.augmentation import augmented
from models.training.describer.sample_selection import empty_box, shaken, weights_of
from models.training.describer.samples import PatchBatches, open_samples
from models.training.options import DescriberTraining, ModelSize
from models.vision.describer_words import END, PAD, DescriberTokenizer
from models.vision.patches import highlight
from tests.support.drawn_screens import draw_set

SIZE = Size(200, 150)
OPTIONS = DescriberTraining(size=ModelSize(patches=16), samples=40, validate_samples=10, batch=8, nothing=0.2)


@given(st.integers(0, 10_000))
def test_shaken_boxes_are_near_and_on_the_screen(seed: int) -> None:
    box = Rect(10, 10, 60, 30)
    moved = shaken(box, SIZE, np.random.default_rng(seed))
    assert moved.inside(SIZE)
    assert iou(moved, box) > 0.5


@given(st.integers(0, 10_000))
def test_an_empty_box_is_no_element(seed: int) -> None:
    truths = [Rect(10, 10, 60, 30), Rect(70, 10, 120, 30)]
    box = empty_box(truths, SIZE, np.random.default_rng(seed))
    assert box is None or (box.inside(SIZE) and all(iou(box, truth) < 0.3 for truth in truths))


def test_a_screen_that_is_full_has_no_empty_box() -> None:
    full = [Rect(x, y, x + 4, y + 4) for x in range(0, 20, 4) for y in range(0, 20, 4)]
    assert empty_box([Rect(0, 0, 20, 20), *full], Size(4, 4), np.random.default_rng(0)) is None


def test_rare_states_and_kinds_weigh_more() -> None:
    answers = ["checkbox checked=no"] * 90 + ["checkbox checked=yes"] * 10 + ["slider"] * 4
    weights = weights_of(answers, ["qt"] * len(answers))
    assert weights.sum() == pytest.approx(1)
    assert weights[95] / weights[0] == pytest.approx(3)  # the root of 90 to 10
    assert weights[-1] > weights[0]
    assert weights[-4:].sum() < 0.5


def test_samples_are_cut_once_and_are_the_same_again(tmp_path: Path) -> None:
    sets = [draw_set(tmp_path / "set", train=6, val=2)]
    first = open_samples(sets, tmp_path / "samples", OPTIONS, JobControl())
    changed = (tmp_path / "samples" / "samples.u8").stat().st_mtime_ns
    again = open_samples(sets, tmp_path / "samples", OPTIONS, JobControl())
    assert (tmp_path / "samples" / "samples.u8").stat().st_mtime_ns == changed
    assert again.answers == first.answers
    assert "nothing" in first.answers
    assert {a.split()[0] for a in first.answers} == {"button", "checkbox", "nothing"}
    assert 0 < first.validation.sum() <= 10
    assert {entry.side for entry in first.lineage} == {"train", "val"}
    other = open_samples(sets, tmp_path / "samples", OPTIONS.model_copy(update={"seed": 1}), JobControl())
    assert not np.array_equal(other.boxes, first.boxes)


def test_a_damaged_index_is_made_again(tmp_path: Path) -> None:
    sets = [draw_set(tmp_path / "set", train=2, val=1)]
    first = open_samples(sets, tmp_path / "samples", OPTIONS, JobControl())
    (tmp_path / "samples" / "samples.json").write_text('{"key": "', encoding="utf-8")
    assert open_samples(sets, tmp_path / "samples", OPTIONS, JobControl()).answers == first.answers


def test_stopping_while_cutting_leaves_nothing_half_done(tmp_path: Path) -> None:
    sets = [draw_set(tmp_path / "set", train=2, val=1)]
    token = CancelToken()
    token.cancel()
    with pytest.raises(CancelledError):
        open_samples(sets, tmp_path / "samples", OPTIONS, JobControl(token=token))
    assert open_samples(sets, tmp_path / "samples", OPTIONS, JobControl()).answers


def test_without_screens_there_is_nothing_to_learn(tmp_path: Path) -> None:
    sets = [draw_set(tmp_path / "set", train=0, val=2)]
    with pytest.raises(BadInputError, match="nothing to learn from"):
        open_samples(sets, tmp_path / "samples", OPTIONS, JobControl())


def test_batches_depend_on_the_step_alone_and_padding_is_not_learned(tmp_path: Path) -> None:
    samples = open_samples([draw_set(tmp_path / "set", train=6, val=2)], tmp_path / "s", OPTIONS, JobControl())
    batches = PatchBatches(samples, DescriberTokenizer.standard(), OPTIONS)
    batch = batches.learning(3)
    stream = batches.ahead(2)
    next(stream)
    later = next(stream)
    stream.close()
    assert np.array_equal(batch.patches, later.patches)
    assert np.array_equal(batch.labels, later.labels)
    assert not np.array_equal(batch.patches, batches.learning(4).patches)
    for inputs, labels in zip(batch.inputs, batch.labels, strict=True):
        length = int((labels != -100).sum())
        assert labels[length - 1] == END
        assert (labels[length:] == -100).all()
        assert inputs[0] == PAD
        assert inputs[1:length].tolist() == labels[: length - 1].tolist()


def test_varied_views_differ_but_keep_their_form(tmp_path: Path) -> None:
    samples = open_samples([draw_set(tmp_path / "set", train=6, val=2)], tmp_path / "s", OPTIONS, JobControl())
    cuts = samples.cuts(np.arange(len(samples.answers)))
    before = cuts.pixels.copy()
    varied = augmented(cuts, np.random.default_rng(1))
    assert varied.shape == before.shape
    assert np.array_equal(cuts.pixels, before)
    plain = highlight(cuts)
    assert (varied != plain).any(axis=1).mean() > 0.5
    assert json.dumps(samples.lineage[0].to_json())
