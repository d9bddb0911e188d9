from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from demopack.errors import BadInputError, ModelError, NewerVersionError
from models.registry import (
    ModelCard,
    ModelFolder,
    add_model,
    known_models,
    models_dir,
    open_model,
    remove_model,
    resolve,
    write_model,
)


@pytest.fixture(autouse=True)
def own_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEMOPACK_MODELS", str(tmp_path / "models"))


def trained(folder: Path, *, name: str = "mine", data: bytes = b"weights") -> ModelFolder:
    weights = folder.parent / "w.onnx"
    folder.parent.mkdir(parents=True, exist_ok=True)
    weights.write_bytes(data)
    card = ModelCard(id=name, kind="detector", created="", files={}, classes=("button",), metrics={"f1": 0.9})
    return write_model(folder, card, [weights])


def test_a_written_model_opens_equal(tmp_path: Path) -> None:
    written = trained(tmp_path / "run" / "model")
    opened = open_model(tmp_path / "run" / "model", kind="detector")
    assert opened.card == written.card
    assert opened.file("w.onnx").read_bytes() == b"weights"
    assert opened.card.created
    assert len(opened.card.digest) == 8


def test_the_digest_follows_the_weights(tmp_path: Path) -> None:
    one = trained(tmp_path / "a" / "model").card
    two = trained(tmp_path / "b" / "model", data=b"others").card
    assert one.digest != two.digest


def test_a_name_a_folder_and_nothing_resolve(tmp_path: Path) -> None:
    folder = tmp_path / "run" / "model"
    added = add_model(trained(folder), name="office")
    assert added.folder == models_dir() / "detector" / "office"
    assert resolve("detector", "office") == added
    by_path = resolve("detector", str(folder))
    assert by_path is not None
    assert by_path.card.id == "mine"
    assert resolve("detector", "") is None
    assert [m.card.id for m in known_models("detector")] == ["office"]


def test_an_unknown_name_lists_the_known_ones(tmp_path: Path) -> None:
    add_model(trained(tmp_path / "run" / "model"))
    with pytest.raises(ModelError, match="no detector called nix") as caught:
        resolve("detector", "nix")
    assert "shipped, mine" in caught.value.hint


@pytest.mark.parametrize("name", ["../evil", "a/b", "shipped", ".", ""])
def test_names_that_would_leave_the_registry_are_refused(tmp_path: Path, name: str) -> None:
    model = trained(tmp_path / "run" / "model", name="ok")
    if not name:
        assert add_model(model, name=name).card.id == "ok"
        return
    with pytest.raises(BadInputError, match="cannot be a model's name"):
        add_model(model, name=name)


def test_a_taken_name_is_refused(tmp_path: Path) -> None:
    model = trained(tmp_path / "run" / "model")
    add_model(model)
    with pytest.raises(BadInputError, match="already"):
        add_model(model)


def test_a_changed_file_is_named(tmp_path: Path) -> None:
    model = trained(tmp_path / "run" / "model")
    (model.folder / "w.onnx").write_bytes(b"other")
    with pytest.raises(ModelError, match=r"The file w\.onnx of the model mine is missing or was changed"):
        open_model(model.folder)


def test_the_other_kind_is_refused(tmp_path: Path) -> None:
    model = trained(tmp_path / "run" / "model")
    with pytest.raises(ModelError, match="holds a detector, not a describer"):
        resolve("describer", str(model.folder))


def test_a_card_that_names_a_file_elsewhere_is_refused(tmp_path: Path) -> None:
    model = trained(tmp_path / "run" / "model")
    card = model.folder / "model.json"
    data = json.loads(card.read_text())
    data["files"] = {"../w.onnx": data["files"]["w.onnx"]}
    card.write_text(json.dumps(data))
    with pytest.raises(ModelError, match="missing or was changed"):
        open_model(model.folder)


def test_damaged_and_newer_cards_say_so(tmp_path: Path) -> None:
    model = trained(tmp_path / "run" / "model")
    card = model.folder / "model.json"
    text = card.read_text()
    card.write_text(text.replace('"schema_version": 1', '"schema_version": 2'))
    with pytest.raises(NewerVersionError):
        open_model(model.folder)
    card.write_text(text.replace('"detector"', '"oracle"'))
    with pytest.raises(ModelError, match="no model card: kind"):
        open_model(model.folder)
    card.unlink()
    with pytest.raises(ModelError, match="holds no model"):
        open_model(model.folder)


@pytest.mark.skipif(sys.platform == "win32", reason="FIFOs and devices")
@pytest.mark.timeout(30)
@pytest.mark.parametrize("name", ["model.json", "w.onnx"])
@pytest.mark.parametrize("kind", ["fifo", "device"])
def test_a_fifo_or_a_device_in_a_model_is_named_and_not_waited_for(tmp_path: Path, name: str, kind: str) -> None:
    bad = add_model(trained(tmp_path / "run" / "model"), name="bad").folder / name
    bad.unlink()
    if kind == "fifo":
        os.mkfifo(bad)
    else:
        bad.symlink_to("/dev/null")
    with pytest.raises(ModelError, match=rf"{name}.*cannot be read.*It is a FIFO, a socket or a device"):
        open_model(bad.parent)
    assert known_models("detector") == []


def test_a_card_that_is_far_too_large_is_not_read(tmp_path: Path) -> None:
    model = trained(tmp_path / "run" / "model")
    with (model.folder / "model.json").open("r+b") as file:
        file.truncate(1 << 40)
    with pytest.raises(ModelError, match=r"model\.json cannot be read \(It has more than"):
        open_model(model.folder)


def test_a_card_that_is_no_text_or_names_no_possible_file_is_refused(tmp_path: Path) -> None:
    card = trained(tmp_path / "run" / "model").folder / "model.json"
    text = card.read_text(encoding="utf-8")
    card.write_text(text.replace("w.onnx", "w\\u0000"), encoding="utf-8")
    with pytest.raises(ModelError, match="is missing or was changed"):
        open_model(card.parent)
    card.write_bytes(b"\xff\xfe{}")
    with pytest.raises(ModelError, match="is no model card"):
        open_model(card.parent)


def test_a_damaged_model_does_not_hide_the_others(tmp_path: Path) -> None:
    add_model(trained(tmp_path / "run" / "model"), name="good")
    bad = add_model(trained(tmp_path / "run" / "model"), name="bad")
    (bad.folder / "w.onnx").unlink()
    assert [m.card.id for m in known_models("detector")] == ["good"]
    with pytest.raises(ModelError, match="missing or was changed"):
        resolve("detector", "bad")


def test_removing(tmp_path: Path) -> None:
    add_model(trained(tmp_path / "run" / "model"))
    remove_model("detector", "mine")
    assert known_models("detector") == []
    with pytest.raises(ModelError, match="called mine"):
        remove_model("detector", "mine")
    with pytest.raises(ModelError, match="no detector of your own"):
        remove_model("detector", "../detector")


def test_a_card_that_names_no_files_is_no_model(tmp_path: Path) -> None:
    card = ModelCard(id="empty", kind="detector", created="2026-11-21", files={})
    (tmp_path / "model.json").write_text(card.model_dump_json(), encoding="utf-8")
    with pytest.raises(ModelError, match="no weights") as caught:
        open_model(tmp_path)
    assert "Copy" in caught.value.hint
