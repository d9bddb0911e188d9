"""The icon network: as it comes with demopack, and trained in seconds on a few drawings."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect
from demopack.errors import BadInputError, CancelledError, ModelError
from demopack.jobs import CancelToken, JobControl
from demopack.settings import VisionSettings
from lab.icons.options import IconTraining
from lab.icons.pool import open_pool
from lab.icons.training import train_icons
from models.registry import ModelCard, open_model, resolve, write_model
from models.vision.icons import GRAPH, SIDE, IconNamer, open_icon_namer, open_network
from tests.support.drawn_icons import ICONS, draw_icon, draw_icon_set
from tests.support.tiny_describers import After
from tests.support.work import calls_made

pytestmark = pytest.mark.slow

FOUR = ("close", "menu", "home", "chart")
TINY = IconTraining(
    minutes=1e6, steps=40, batch=24, width=16, warmup_steps=4, drawn=0.0, smoothing=0.9, validate_s=1e6, save_s=1e-9,
    learning_rate=5e-3,
)  # fmt: skip


@pytest.fixture(scope="module")
def screens(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return draw_icon_set(tmp_path_factory.mktemp("screens"), train=6, val=2, meanings=FOUR)


@pytest.fixture(scope="module")
def whole(screens: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that was never interrupted."""
    run = tmp_path_factory.mktemp("whole")
    train_icons([screens], run, options=TINY)
    return run


def row_of_icons(*, ground: int, ink: int, size: int) -> tuple[RgbImage, list[Rect]]:
    image = Image.new("RGB", (len(ICONS) * 60, 80), (ground, ground, ground))
    boxes = [
        draw_icon(image, meaning, at=(20 + 60 * i, 24), size=size, colour=(ink, ink, ink))
        for i, meaning in enumerate(ICONS)
    ]
    return np.asarray(image, dtype=np.uint8), boxes


@pytest.fixture(scope="module")
def shipped() -> IconNamer:
    return open_icon_namer(VisionSettings(), threads=1)


@pytest.mark.parametrize(("ground", "ink", "size"), [(250, 30, 18), (40, 230, 24), (245, 150, 20)])
def test_the_shipped_network_names_icons_that_no_set_has(shipped: IconNamer, ground: int, ink: int, size: int) -> None:
    image, boxes = row_of_icons(ground=ground, ink=ink, size=size)
    right = sum(said == meaning for said, meaning in zip(shipped.meanings(image, boxes), ICONS, strict=True))
    # By chance one of 77 would be right.
    assert right >= 0.6 * len(ICONS)


def test_the_shipped_network_leaves_a_blank_square_open(shipped: IconNamer) -> None:
    assert shipped.meanings(np.full((60, 60, 3), 230, dtype=np.uint8), [Rect(20, 20, 40, 40)]) == [None]


def test_the_shipped_card_says_where_it_comes_from() -> None:
    model = resolve("icons", "shipped")
    assert model is not None
    card = model.card
    assert card.based_on == "icons-863e09d1"
    assert "two goes: 28 minutes from nothing (weights 863e09d1)" in card.notes
    assert {one.source for one in card.lineage} == {"miniwob", "web", "qt", "apps"}
    assert {"val_right/sets", "val_right/qt", "test_right/sets"} <= set(card.metrics)
    assert str(Path.home()) not in card.model_dump_json()


def test_many_icons_are_named_with_no_more_work_for_each(shipped: IconNamer) -> None:
    image, boxes = row_of_icons(ground=250, ink=30, size=18)
    sixty = (boxes * 12)[:60]
    assert len(shipped.meanings(image, sixty)) == 60
    assert calls_made(lambda: shipped.meanings(image, sixty)) < 60 * calls_made(
        lambda: shipped.meanings(image, sixty[:1])
    )


def test_a_training_learns_and_makes_a_model_that_names(whole: Path, screens: Path) -> None:
    model = open_model(whole / "model", kind="icons")
    assert model.card.metrics["val_right/qt"] > 0.6
    assert model.card.training["step"] == 40
    assert {entry.side for entry in model.card.lineage} == {"train", "val"}
    namer = open_icon_namer(VisionSettings(icons=str(whole / "model")), threads=1)
    image = Image.new("RGB", (240, 60), (240, 240, 240))
    boxes = [draw_icon(image, one, at=(15 + 50 * i, 15), size=22, colour=(30, 30, 30)) for i, one in enumerate(FOUR)]
    said = namer.meanings(np.asarray(image, dtype=np.uint8), boxes)
    assert sum(a == b for a, b in zip(said, FOUR, strict=True)) >= 3


def test_stopped_and_continued_is_the_same_as_never_stopped(screens: Path, whole: Path, tmp_path: Path) -> None:
    train_icons([screens], tmp_path, options=TINY, control=JobControl(token=After(15)))
    train_icons([screens], tmp_path, options=TINY)
    assert open_model(tmp_path / "model").card.files == open_model(whole / "model").card.files


def test_the_graph_answers_like_the_network_that_was_trained(whole: Path) -> None:
    from lab.icons.export import read_weights
    from lab.icons.network import Network
    from models.training.torch_support import import_torch

    model = open_model(whole / "model")
    network = Network(TINY)
    weights = read_weights(model, import_torch("safetensors"))
    icons = np.random.default_rng(0).normal(0, 0.5, (5, 3, SIDE, SIDE)).astype(np.float32)
    graph = open_network(model.file(GRAPH), classes=len(model.card.classes), threads=1)
    assert np.abs(graph(icons) - network.probabilities(icons, weights)).max() < 1e-5


def test_a_training_goes_on_from_a_model(screens: Path, whole: Path, tmp_path: Path) -> None:
    options = TINY.model_copy(update={"steps": 1, "learning_rate": 1e-9, "width": 8, "start_from": whole / "model"})
    folder = train_icons([screens], tmp_path, options=options)
    card = open_model(folder).card
    assert card.options["width"] == 16
    assert card.based_on.startswith("icons-")
    assert card.metrics["val_right/qt"] > 0.6


def test_further_training_fetches_nothing_and_sees_drawings_all_the_same(
    screens: Path, whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEMOPACK_WEB_PACKAGES", str(tmp_path / "packages"))
    monkeypatch.setenv("PATH", "")  # no npm
    monkeypatch.setattr("lab.icons.drawings.theme_files", lambda: iter(()))
    further = {"steps": 1, "drawn": 0.5, "fetch": False, "looks": 1, "start_from": whole / "model"}
    folder = train_icons([screens], tmp_path / "run", options=TINY.model_copy(update=further))
    # What is said from which confidence on stays where few icons tell it.
    before, after = open_model(whole / "model").card, open_model(folder).card
    assert after.options["sure_at"] == before.options["sure_at"]
    drawn = open_pool(tmp_path / "run" / "drawn")
    assert set(drawn.names) == {"own", "lines"}
    assert len(drawn) >= 200
    # Drawings show something; few are flat.
    assert (drawn.pixels[:].reshape(len(drawn), -1).std(axis=1) > 5).mean() > 0.95


def test_a_training_stopped_before_its_first_step_makes_nothing(screens: Path, tmp_path: Path) -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(CancelledError):
        train_icons([screens], tmp_path, options=TINY, control=JobControl(token=token))
    assert not (tmp_path / "model").exists()


def test_a_run_of_another_width_is_not_continued(screens: Path, whole: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    shutil.copytree(whole, run)
    with pytest.raises(BadInputError, match="begun with width"):
        train_icons([screens], run, options=TINY.model_copy(update={"width": 24}))


def test_screens_without_icons_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="no icons"):
        train_icons([tmp_path / "none"], tmp_path / "run", options=TINY)


@pytest.mark.parametrize("content", [b"", b"no graph at all", b"\x08\x08\x12\x00"])
def test_a_damaged_graph_is_refused_by_name(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / GRAPH
    path.write_bytes(content)
    with pytest.raises(ModelError, match="cannot be used to name icons") as caught:
        open_network(path, classes=78, threads=1)
    assert "vision.icons" in caught.value.hint


def test_a_graph_with_other_classes_than_its_card_is_refused(whole: Path) -> None:
    with pytest.raises(ModelError, match="cannot be used"):
        open_network(whole / "model" / GRAPH, classes=3, threads=1)


def test_changed_weights_are_noticed(whole: Path, tmp_path: Path) -> None:
    broken = tmp_path / "model"
    shutil.copytree(whole / "model", broken)
    (broken / GRAPH).write_bytes((broken / GRAPH).read_bytes()[:-1])
    with pytest.raises(ModelError, match="missing or was changed"):
        open_icon_namer(VisionSettings(icons=str(broken)), threads=1)


def test_a_card_of_another_version_is_refused(whole: Path, tmp_path: Path) -> None:
    card = ModelCard(id="old", kind="icons", created="", files={}, classes=("a", "b"), options={"side": 24})
    write_model(tmp_path / "old", card, [whole / "model" / GRAPH])
    with pytest.raises(ModelError, match="another version"):
        open_icon_namer(VisionSettings(icons=str(tmp_path / "old")), threads=1)
