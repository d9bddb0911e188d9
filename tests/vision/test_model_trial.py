"""A model from elsewhere is tried before it is taken: in a worker that is ended when it never answers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from demopack.errors import ModelError
from demopack_cli.models import command
from models.registry import ModelCard, ModelFolder, ModelKind, known_models, resolve, write_model
from models.vision.finder import try_model

onnx: Any = pytest.importorskip("onnx")

_FLOAT: int = onnx.TensorProto.FLOAT


def tensor(name: str, value: Any) -> Any:
    return onnx.numpy_helper.from_array(value, name)


def detector(folder: Path, nodes: list[Any], constants: list[Any]) -> ModelFolder:
    """A detection model of one class that does this with its picture."""
    helper = onnx.helper
    graph = helper.make_graph(
        nodes,
        "detector",
        [helper.make_tensor_value_info("images", _FLOAT, [1, 3, "height", "width"])],
        [helper.make_tensor_value_info("output", _FLOAT, None)],
        constants,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    helper.set_model_props(model, {"task": "detect", "names": "{0: 'button'}", "stride": "32"})
    folder.mkdir(exist_ok=True)
    onnx.save(model, str(folder / "detector.onnx"))
    card = ModelCard(id="strange", kind="detector", created="", files={}, classes=("button",))
    return write_model(folder, card, [folder / "detector.onnx"])


def endless(folder: Path) -> ModelFolder:
    """It goes round 2^62 times before it answers."""
    helper = onnx.helper
    body = helper.make_graph(
        [
            helper.make_node("Identity", ["on"], ["still_on"]),
            helper.make_node("Sin", ["value"], ["next"]),
        ],
        "body",
        [
            helper.make_tensor_value_info("turn", onnx.TensorProto.INT64, []),
            helper.make_tensor_value_info("on", onnx.TensorProto.BOOL, []),
            helper.make_tensor_value_info("value", _FLOAT, None),
        ],
        [
            helper.make_tensor_value_info("still_on", onnx.TensorProto.BOOL, []),
            helper.make_tensor_value_info("next", _FLOAT, None),
        ],
    )
    return detector(
        folder,
        [helper.make_node("Loop", ["turns", "yes", "start"], ["output"], body=body)],
        [
            tensor("turns", np.array(2**62, dtype=np.int64)),
            tensor("yes", np.array(True)),
            tensor("start", np.zeros((1, 5, 2), dtype=np.float32)),
        ],
    )


def not_a_number(folder: Path) -> ModelFolder:
    """Its boxes are nowhere, and it is sure of them."""
    raw = np.full((1, 5, 2), np.nan, dtype=np.float32)
    raw[0, 4] = 0.9
    return detector(folder, [onnx.helper.make_node("Identity", ["boxes"], ["output"])], [tensor("boxes", raw)])


def no_boxes(folder: Path) -> ModelFolder:
    """It answers with something that is no list of boxes."""
    raw = np.zeros((1, 7, 2), dtype=np.float32)
    return detector(folder, [onnx.helper.make_node("Identity", ["boxes"], ["output"])], [tensor("boxes", raw)])


def test_a_model_without_end_is_ended_and_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"The detector strange cannot be used: .* took too long") as caught:
        try_model(endless(tmp_path / "model"), limit_s=1.0)
    assert "within 1 s" in caught.value.details


@pytest.mark.parametrize("make", [not_a_number, no_boxes])
def test_a_model_that_answers_nonsense_is_refused(tmp_path: Path, make: Callable[[Path], ModelFolder]) -> None:
    with pytest.raises(ModelError, match="The detector strange cannot be used, and nothing was changed"):
        try_model(make(tmp_path / "model"))


def test_it_is_not_added_nor_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEMOPACK_MODELS", str(tmp_path / "registry"))
    folder = str(no_boxes(tmp_path / "model").folder)
    for words in (["add", folder], ["use", folder]):
        result = CliRunner().invoke(command, words)
        assert isinstance(result.exception, ModelError)
    assert known_models("detector") == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["detector", "describer", "icons"])
def test_what_is_shipped_works(kind: ModelKind) -> None:
    model = resolve(kind, "shipped")
    assert model is not None
    try_model(model)
