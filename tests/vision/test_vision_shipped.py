"""The models that come with demopack, on screens that none of them was trained on."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from demopack.domain.elements import Element
from demopack.domain.frames import Frame, RgbImage, frame_id
from demopack.domain.geometry import Rect, iou
from demopack.jobs import JobControl
from demopack.resources import assets_root
from demopack.settings import VisionSettings
from models.registry import ModelKind, resolve, shipped_pipeline
from models.training.labelled_screens import LabelledScreen, LabelledScreenSet
from models.vision.finder import WorkerFinder, open_finder

pytestmark = pytest.mark.slow

KINDS: tuple[ModelKind, ...] = ("detector", "describer", "icons")
SAMPLES = Path(__file__).parents[1] / "data" / "screens"


@pytest.fixture(scope="module")
def finder() -> Iterator[WorkerFinder]:
    with open_finder(VisionSettings(describe_s=60.0, tesseract="")) as opened:
        yield opened


def find(finder: WorkerFinder, image: RgbImage) -> list[Element]:
    frame = Frame(id=frame_id(image), width=image.shape[1], height=image.shape[0])
    return finder.find(image, frame, control=JobControl())


def held_out() -> list[tuple[LabelledScreenSet, LabelledScreen]]:
    sets = [LabelledScreenSet(SAMPLES / name) for name in ("miniwob", "qt", "apps")]
    return [(home, screen) for home in sets for screen in home.screens(sides=["test"])]


@pytest.mark.parametrize("kind", ["detector", "describer", "icons"])
def test_the_models_are_there_and_their_cards_say_what_they_are_good_for(kind: ModelKind) -> None:
    model = resolve(kind, "shipped")
    assert model is not None
    card = model.card
    assert card.licence == "AGPL-3.0-or-later"
    assert {one.source for one in card.lineage} == {"miniwob", "web", "qt", "apps"}
    assert card.metrics
    assert "/" not in card.id
    assert str(Path.home()) not in card.model_dump_json()


@pytest.mark.parametrize("kind", ["detector", "describer", "icons"])
def test_no_card_names_a_command_that_did_not_make_the_weights_nor_figures_of_all_models(kind: ModelKind) -> None:
    model = resolve(kind, "shipped")
    assert model is not None
    card = model.card
    # They were trained on from earlier weights, so that no command from nothing has made them.
    assert card.based_on
    assert card.command == ""
    assert "two goes" in card.notes
    assert "No one command makes these weights again" in card.notes
    together = shipped_pipeline()
    assert together is not None
    assert not any(card.metrics.keys() & one.metrics.keys() for one in together.measurements)


def test_what_was_measured_of_all_models_together_says_of_which() -> None:
    together = shipped_pipeline()
    assert together is not None
    shipped = {kind: model.card.digest for kind in KINDS if (model := resolve(kind, "shipped")) is not None}
    assert together.measurements[-1].models == shipped
    wanted = {f"test/{source}/{figure}" for source in ("miniwob", "web", "qt", "apps") for figure in ("f1", "type")}
    for one in together.measurements:
        assert one.models.items() <= shipped.items()
        assert wanted <= set(one.metrics)
        assert one.notes


def test_together_they_are_small() -> None:
    assert sum(file.stat().st_size for file in (assets_root() / "weights").rglob("*")) <= 60e6


def test_what_did_not_change_is_the_same_and_what_changed_is_found(finder: WorkerFinder) -> None:
    home = LabelledScreenSet(SAMPLES / "apps")
    (screen,) = [one for one in home.screens() if one.group == "transmission-gtk"]
    image = home.image(screen)
    first = find(finder, image)
    box = next(one.box for one in screen.elements if one.type == "checkbox")
    changed = image.copy()
    changed[box.y1 : box.y2, box.x1 : box.x2] = np.array([90, 160, 220], dtype=np.uint8)
    second = find(finder, changed)
    near = Rect(box.x1 - 40, box.y1 - 40, box.x2 + 400, box.y2 + 40)
    far = [one for one in first if near.intersection(one.box) is None]
    kept = {(one.type, one.box, one.text) for one in second}
    assert len(far) > 15
    assert all((one.type, one.box, one.text) in kept for one in far)
    again = find(finder, image)
    assert [(one.type, one.box, one.text) for one in again] == [(one.type, one.box, one.text) for one in first]


def test_on_fixed_pictures_the_same_is_found_as_ever(finder: WorkerFinder) -> None:
    """Types, boxes and texts that were found before sources were told apart; processors differ in a last bit."""
    known = json.loads((SAMPLES.with_name("parsed") / "screens.json").read_text(encoding="utf-8"))
    total, other = 0, Counter[str]()
    for home in (LabelledScreenSet(SAMPLES / name) for name in ("miniwob", "web", "qt", "apps")):
        for screen in home.screens():
            name = f"{home.folder.name}/{screen.name}"
            true = Counter((kind, tuple(box), text) for kind, box, text in known[name])
            found = Counter(
                (e.type, (e.box.x1, e.box.y1, e.box.x2, e.box.y2), e.text) for e in find(finder, home.image(screen))
            )
            total += true.total()
            other[name] = max((true - found).total(), (found - true).total())
    assert total == 420
    assert other.total() <= 2, other


def test_elements_are_not_found_twice(finder: WorkerFinder) -> None:
    for home, screen in held_out():
        found = find(finder, home.image(screen))
        doubles = [
            (a.type, a.box, b.box)
            for i, a in enumerate(found)
            for b in found[i + 1 :]
            if a.type == b.type and iou(a.box, b.box) > 0.8
        ]
        assert doubles == [], screen.name
