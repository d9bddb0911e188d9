"""The list of models: what is in use, choosing, adding, removing, and where a frame stands in the editor."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.model_store import ModelStore, place_of
from annotator.step_words import FrameReference
from demopack.domain.elements import Element
from demopack.domain.frames import Frame
from demopack.errors import BadInputError, ModelError
from demopack.jobs import JobControl
from demopack.settings import load_settings
from demopack.store import Library
from models.registry import ModelCard, ModelFolder, ModelKind, add_model, write_model
from tests.support.demos import tiny_demo
from tests.support.editing import TINY, element


@pytest.fixture(autouse=True)
def own_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEMOPACK_MODELS", str(tmp_path / "models"))
    # Whatever comes with demopack one day changes nothing here.
    monkeypatch.setattr("models.registry.assets_root", lambda: tmp_path / "assets")
    # The weights here are no weights; tests/vision/test_model_trial.py tries real ones.
    monkeypatch.setattr("models.vision.finder.try_model", lambda model: model)


def trained(folder: Path, *, name: str = "office", kind: ModelKind = "detector") -> ModelFolder:
    folder.mkdir(parents=True, exist_ok=True)
    weights = folder / "weights.bin"
    weights.write_bytes(name.encode())
    return write_model(folder / "model", ModelCard(id=name, kind=kind, created="", files={}), [weights])


def rows() -> list[tuple[str, str, bool]]:
    return [(one.kind, one.name, one.used) for one in ModelStore().read().models]


def test_what_was_trained_is_listed_and_chosen(tmp_path: Path) -> None:
    shelf = ModelStore()
    assert rows() == []
    add_model(trained(tmp_path / "a"))
    add_model(trained(tmp_path / "b", name="mail", kind="describer"))
    assert rows() == [("detector", "office", False), ("describer", "mail", False)]
    settings = shelf.use("detector", "office")
    assert settings.vision.detector == load_settings().vision.detector == "office"
    assert rows() == [("detector", "office", True), ("describer", "mail", False)]
    assert shelf.use("detector", "").vision.detector == ""
    with pytest.raises(ModelError, match="no detector called mail"):
        shelf.use("detector", "mail")


def test_what_came_with_demopack_comes_first_and_stays(tmp_path: Path) -> None:
    add_model(trained(tmp_path / "a", name="aaa"))
    trained(tmp_path / "assets" / "weights" / "x", name="first")
    (tmp_path / "assets" / "weights" / "x" / "model").rename(tmp_path / "assets" / "weights" / "detector")
    assert rows() == [("detector", "shipped", True), ("detector", "aaa", False)]
    assert [one.own for one in ModelStore().read().models] == [False, True]
    with pytest.raises(BadInputError, match="stays"):
        ModelStore().remove("detector", "shipped")
    (tmp_path / "assets" / "weights" / "detector" / "weights.bin").write_bytes(b"other")
    first = ModelStore().read().models[0]
    assert "missing or was changed" in first.problem


def test_a_removed_model_is_followed_by_what_came_with_demopack(tmp_path: Path) -> None:
    shelf = ModelStore()
    for name in ("one", "two"):
        add_model(trained(tmp_path / name, name=name))
    shelf.use("detector", "one")
    assert shelf.remove("detector", "two").vision.detector == "one"
    assert shelf.remove("detector", "one").vision.detector == "shipped"
    assert rows() == []


def test_a_folder_is_added_under_a_free_name(tmp_path: Path) -> None:
    shelf = ModelStore()
    model = trained(tmp_path / "run")
    # The model's own folder, and that of the training around it.
    assert [shelf.add(folder).name for folder in (model.folder, tmp_path / "run")] == ["office", "office-2"]
    with pytest.raises(ModelError, match="holds no model"):
        shelf.add(tmp_path)


def test_what_is_in_use_without_a_card_is_listed(tmp_path: Path) -> None:
    weights = tmp_path / "yolo.pt"
    weights.write_bytes(b"weights")
    settings = load_settings()
    from demopack.settings import save_settings

    vision = settings.vision.model_copy(update={"detector": str(weights), "describer": "lost"})
    save_settings(settings.model_copy(update={"vision": vision}))
    detector, describer = ModelStore().read().models
    assert (detector.name, detector.used, detector.own, detector.problem) == (str(weights), True, False, "")
    assert "There is no describer called lost" in describer.problem


def test_a_frame_is_found_in_the_editor(tmp_path: Path) -> None:
    with Library.open(tmp_path / "library") as library:
        tiny_demo(library, demo_id=TINY)
        demo = library.demo(TINY)
        before, final = demo.steps[0].before, demo.head.final_frame
        assert before is not None
        assert place_of(demo, before.id) == FrameReference(step=1, side="before")
        assert place_of(demo, "f" * 64) == FrameReference(step=len(demo.steps), side="after")
        if final is not None:
            assert place_of(demo, final.id).step == len(demo.steps)
        ranked = ModelStore().suspects(library, limit=3)
        assert all(one.frame for one, _, _ in ranked)
        assert all(task == demo.head.task for _, task, _ in ranked)


class Eyes:
    """Sees one element, or none."""

    def __init__(self, *, name: str) -> None:
        self.name = name

    def __enter__(self) -> Eyes:
        return self

    def __exit__(self, *_: object) -> None:
        return

    def find(self, _image: object, frame: Frame, *, control: JobControl) -> list[Element]:
        control.token.check()
        return [element("el_one", frame=frame.id)] if self.name == "office" else []


def test_models_are_compared_on_every_screen_of_a_demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("models.vision.finder.open_finder", lambda vision: Eyes(name=vision.detector))
    with Library.open(tmp_path / "library") as library:
        tiny_demo(library, demo_id=TINY)
        found = ModelStore().differences(library, TINY, kind="detector", names=("mail", "office"), control=JobControl())
        demo = library.demo(TINY)
    assert {one.frame.id for one in found} == {frame.id for frame in demo.frames()}
    assert all([change.kind for change in one.changes.changes] == ["appeared"] for one in found)
    assert "before step 1" in {one.shown for one in found}
