"""What onnxruntime and numpy find equals what torch and ultralytics find."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import iou
from demopack.errors import ModelError
from demopack.settings import VisionSettings
from models.registry import ModelCard, model_names, open_model, write_model
from models.training.detector.network import export_onnx, read_weights
from models.training.detector.training import export_detector
from models.vision.detector import decode, network_input, open_detector, suppress
from models.vision.weights import load_onnx, load_yolo
from tests.support.train_rectangles import scene

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
WEIGHTS = ROOT / "tests" / "data" / "rectangles.pt"
BOX_PX, SCORE = 0.01, 0.0001
"""How far apart the two may be: pixels of an edge, and confidence."""


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models") / "rectangles"
    name, module = read_weights(WEIGHTS, threads=1)
    card = ModelCard(id=name, kind="detector", created="", files={}, classes=("button", "blob"))
    file = export_onnx(module, tmp_path_factory.mktemp("export") / "detector.onnx")
    return write_model(folder, card, [file]).folder


def wall(rows: int, columns: int, *, cut: int = 0) -> RgbImage:
    """Many scenes side by side."""
    lines = [np.concatenate([scene(100 * row + column)[0] for column in range(columns)], axis=1) for row in range(rows)]
    image = np.concatenate(lines)
    return np.ascontiguousarray(image[: image.shape[0] - cut, : image.shape[1] - cut])


def settings(model: Path, **given: Any) -> VisionSettings:
    return VisionSettings(detector=str(model), ocr=False, **given)


@pytest.mark.parametrize(("confidence", "overlap"), [(0.3, 0.4), (0.01, 0.7)])
def test_boxes_equal_those_of_ultralytics(model: Path, confidence: float, overlap: float) -> None:
    image = wall(4, 5)  # 640 x 800: neither side is padded, so both see the same pixels
    yolo = load_yolo(WEIGHTS, threads=1)
    theirs: Any = yolo.predict(
        np.ascontiguousarray(image[:, :, ::-1]), conf=confidence, iou=overlap, imgsz=(640, 800), max_det=1000,
        agnostic_nms=True, verbose=False,
    )[0].boxes  # fmt: skip
    onnx = load_onnx(model / "detector.onnx", threads=1)
    ours = suppress(decode(onnx.run(network_input(image, stride=32)), confidence=confidence), iou=overlap, most=1000)
    assert len(ours) == len(theirs.conf) > 40
    inside = ours[:, :4].clip(0, np.array([800, 640, 800, 640]))  # as theirs are
    order = np.lexsort(ours[:, :4].T)
    boxes, numbers = theirs.xyxy.numpy(), theirs.cls.numpy()
    other = np.lexsort(boxes.T)
    assert np.abs(inside[order] - boxes[other]).max() < BOX_PX
    assert np.abs(ours[:, 4][order] - theirs.conf.numpy()[other]).max() < SCORE
    assert (ours[:, 5][order] == numbers[other]).all()


def test_raw_output_equals_that_of_torch_for_any_size(model: Path) -> None:
    import torch

    onnx, module = load_onnx(model / "detector.onnx", threads=1), load_yolo(WEIGHTS, threads=1).model.float().eval()
    for height, width in ((1, 1), (33, 500), (210, 160)):
        image = np.random.default_rng(height).integers(0, 256, (height, width, 3), dtype=np.uint8)
        given = network_input(image, stride=32)
        with torch.no_grad():
            wanted = module(torch.from_numpy(given))[0][0].numpy()
        got = onnx.run(given)
        assert got.shape == wanted.shape
        assert np.abs(got[:4] - wanted[:4]).max() < BOX_PX
        assert np.abs(got[4:] - wanted[4:]).max() < SCORE


def test_every_rectangle_of_a_large_frame_is_found_once(model: Path) -> None:
    rows, columns = 8, 13  # 1280 x 2080: two tiles
    found = open_detector(settings(model), threads=1).detect(wall(rows, columns))
    truth = [
        (name, box.moved(160 * column, 160 * row))
        for row in range(rows)
        for column in range(columns)
        for name, box in scene(100 * row + column)[1]
    ]
    missed = [box for _, box in truth if not any(iou(one.box, box) >= 0.7 for one in found)]
    double = [box for _, box in truth if sum(iou(one.box, box) >= 0.5 for one in found) > 1]
    assert len(missed) <= len(truth) * 0.02
    assert double == []
    assert len(found) <= len(truth) * 1.02
    assert {(one.type, one.subtype) for one in found} == {("button", None), ("other", "blob")}


@pytest.mark.parametrize(("height", "width"), [(1, 1), (1, 2000), (2, 3), (4320, 7680)])
def test_a_frame_of_any_size_gives_boxes_inside_it(model: Path, height: int, width: int) -> None:
    image = np.full((height, width, 3), 130, dtype=np.uint8)
    image[height // 2 : height // 2 + 24, width // 2 : width // 2 + 50] = 30
    found = open_detector(settings(model, confidence=0.3 if height > 100 else 0.0), threads=2).detect(image)
    assert all(0 <= one.box.x1 < one.box.x2 <= width and 0 <= one.box.y1 < one.box.y2 <= height for one in found)
    assert height < 100 or len(found) == 1


def test_neither_torch_nor_ultralytics_is_loaded(model: Path) -> None:
    code = (
        "import sys, numpy as np\n"
        "from demopack.settings import VisionSettings\n"
        "from models.vision.detector import open_detector\n"
        f"detector = open_detector(VisionSettings(detector={str(model)!r}), threads=1)\n"
        "detector.detect(np.zeros((64, 64, 3), dtype=np.uint8))\n"
        "print(sorted({'torch', 'ultralytics', 'cv2', 'onnx'} & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_an_onnx_file_can_be_named_itself(model: Path) -> None:
    image, truth = scene(9001)
    found = open_detector(settings(model / "detector.onnx"), threads=1).detect(image)
    assert len(found) == len(truth)


def test_a_run_without_figures_cannot_be_exported(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no trained model yet"):
        export_detector(tmp_path)


def refused(weights: Path) -> str:
    with pytest.raises(ModelError) as caught:
        open_detector(settings(weights), threads=1)
    assert str(weights) in caught.value.user_message
    assert "vision.detector" in caught.value.hint
    return caught.value.details


def changed(model: Path, target: Path, **metadata: str) -> Path:
    """The same network with other metadata."""
    import onnx

    proto = onnx.load(str(model / "detector.onnx"))
    props = {prop.key: prop.value for prop in proto.metadata_props} | metadata
    del proto.metadata_props[:]
    onnx.helper.set_model_props(proto, props)
    target.write_bytes(proto.SerializeToString())
    return target


def test_text_damage_and_absence_are_refused_by_name(model: Path, tmp_path: Path) -> None:
    text, cut = tmp_path / "text.onnx", tmp_path / "cut.onnx"
    text.write_text("no network", encoding="utf-8")
    data = (model / "detector.onnx").read_bytes()
    cut.write_bytes(data[: len(data) // 2])
    empty = tmp_path / "empty.onnx"
    empty.touch()
    for weights in (text, cut, empty, tmp_path / "absent.onnx"):
        refused(weights)


@pytest.mark.skipif(sys.platform == "win32", reason="FIFOs")
@pytest.mark.timeout(60)
def test_a_fifo_in_the_place_of_weights_is_named_and_not_waited_for(tmp_path: Path) -> None:
    weights = tmp_path / "pipe.onnx"
    os.mkfifo(weights)
    refused(weights)
    with pytest.raises(ModelError, match="is a FIFO, a socket or a device"):
        load_onnx(weights, threads=1)
    with pytest.raises(ModelError, match="is a FIFO, a socket or a device"):
        model_names(settings(weights))


def test_networks_that_detect_nothing_or_other_classes_are_refused_by_name(model: Path, tmp_path: Path) -> None:
    assert "classify" in refused(changed(model, tmp_path / "classes.onnx", task="classify"))
    assert "3 classes" in refused(changed(model, tmp_path / "three.onnx", names="{0: 'a', 1: 'b', 2: 'c'}"))
    assert "0 classes" in refused(changed(model, tmp_path / "code.onnx", names="__import__('os').getcwd()"))


def test_a_network_of_another_kind_is_refused_by_name(tmp_path: Path) -> None:
    import onnx

    floats, shape = onnx.TensorProto.FLOAT, [1, 3]
    given = onnx.helper.make_tensor_value_info("x", floats, shape)
    back = onnx.helper.make_tensor_value_info("y", floats, shape)
    graph = onnx.helper.make_graph([onnx.helper.make_node("Relu", ["x"], ["y"])], "g", [given], [back])
    opset = [onnx.helper.make_opsetid("", 17)]
    path = tmp_path / "relu.onnx"
    path.write_bytes(onnx.helper.make_model(graph, opset_imports=opset, ir_version=8).SerializeToString())
    refused(path)


def test_a_folder_whose_card_names_other_classes_is_refused(model: Path, tmp_path: Path) -> None:
    card = open_model(model).card.model_copy(update={"classes": ("button", "icon")})
    write_model(tmp_path / "wrong", card, [model / "detector.onnx"])
    with pytest.raises(ModelError, match="not those of its card") as caught:
        open_detector(settings(tmp_path / "wrong"), threads=1)
    assert "blob" in caught.value.details


def test_a_changed_file_is_refused(model: Path, tmp_path: Path) -> None:
    folder = tmp_path / "changed"
    write_model(folder, open_model(model).card, [model / "detector.onnx"])
    (folder / "detector.onnx").write_bytes(b"other")
    with pytest.raises(ModelError, match=r"detector\.onnx"):
        open_detector(settings(folder), threads=1)


def test_no_detector_is_an_error_with_a_way_out() -> None:
    with pytest.raises(ModelError, match="no detector") as caught:
        open_detector(VisionSettings(detector=""), threads=1)
    assert "vision.detector" in caught.value.hint
