from __future__ import annotations

import io
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image, UnidentifiedImageError

from demopack.domain.frames import Frame, frame_id
from demopack.domain.geometry import iou
from demopack.errors import ModelError
from demopack.jobs import JobControl
from demopack.settings import VisionSettings
from models.vision.finder import WorkerFinder, open_finder
from models.vision.weights import import_ultralytics
from tests.support.train_rectangles import SIZE, scene

pytestmark = pytest.mark.slow

WEIGHTS = Path(__file__).resolve().parents[1] / "data" / "rectangles.pt"
FRAME = Frame(id="f" * 64, width=SIZE.width, height=SIZE.height)


@pytest.fixture(scope="module")
def detector() -> Iterator[WorkerFinder]:
    with open_finder(VisionSettings(detector=str(WEIGHTS), describer="", ocr=False)) as opened:
        yield opened


def test_rectangles_of_unseen_pictures_are_found(detector: WorkerFinder) -> None:
    for seed in range(9000, 9010):
        image, truth = scene(seed)
        found = detector.find(image, FRAME.model_copy(update={"id": frame_id(image)}), control=JobControl())
        assert len(found) == len(truth), seed
        for name, box in truth:
            best = max(found, key=lambda e: iou(e.box, box))
            assert iou(best.box, box) >= 0.7, (seed, box, best.box)
            assert best.source == "detector"
            assert (best.type, best.subtype) == (("button", None) if name == "button" else ("other", "blob"))
            assert (best.confidence or 0) >= 0.3


def test_the_name_holds_the_weights(detector: WorkerFinder) -> None:
    assert detector.name.startswith("yolo:rectangles-")


def test_a_higher_threshold_finds_less() -> None:
    image, _ = scene(9000)
    with open_finder(VisionSettings(detector=str(WEIGHTS), describer="", ocr=False, confidence=1.0)) as strict:
        assert strict.find(image, FRAME, control=JobControl()) == []


def _foreign_pickle(path: Path) -> None:
    """A file in torch's own format whose pickle asks for ``models.yolo.Model``."""
    stream = b"cmodels.yolo\nModel\n)\x81."  # GLOBAL, EMPTY_TUPLE, NEWOBJ, STOP
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("archive/data.pkl", b"\x80\x02" + stream)
        archive.writestr("archive/version", b"3\n")


def _runs_code(path: Path) -> None:
    """A file in torch's own format whose pickle would make a file."""
    code = f"open({path.with_suffix('.ran').as_posix()!r}, 'w').close()".encode()
    with zipfile.ZipFile(path, "w") as archive:
        stream = b"\x80\x02cbuiltins\nexec\n(X" + len(code).to_bytes(4, "little") + code + b"tR."
        archive.writestr("archive/data.pkl", stream)
        archive.writestr("archive/version", b"3\n")


def error_for(weights: Path) -> ModelError:
    image, _ = scene(1)
    with (
        open_finder(VisionSettings(detector=str(weights), describer="", ocr=False)) as opened,
        pytest.raises(ModelError) as caught,
    ):
        opened.find(image, FRAME, control=JobControl())
    assert str(weights) in caught.value.user_message
    assert "vision.detector" in caught.value.hint
    return caught.value


def test_a_pickle_of_an_old_yolo_is_refused_by_name(tmp_path: Path) -> None:
    weights = tmp_path / "old.pt"
    _foreign_pickle(weights)
    assert "cannot be used" in str(error_for(weights))


def test_a_pickle_that_would_run_code_is_refused_and_runs_nothing(tmp_path: Path) -> None:
    weights = tmp_path / "evil.pt"
    _runs_code(weights)
    error_for(weights)
    assert not weights.with_suffix(".ran").exists()


def test_a_network_for_another_task_is_refused_by_name(tmp_path: Path) -> None:
    from ultralytics import YOLO

    weights = tmp_path / "classes.pt"
    YOLO("yolo11n-cls.yaml", task="classify").save(str(weights))
    assert "for classify, not for detection" in str(error_for(weights))


def test_text_and_damage_are_refused_by_name(tmp_path: Path) -> None:
    text = tmp_path / "notes.pt"
    text.write_text("not weights", encoding="utf-8")
    assert "not a YOLO weights file" in str(error_for(text))
    cut = tmp_path / "cut.pt"
    cut.write_bytes(WEIGHTS.read_bytes()[: WEIGHTS.stat().st_size // 2])
    error_for(cut)


def test_weights_that_vanish_after_opening_are_named(tmp_path: Path) -> None:
    weights = tmp_path / "gone.pt"
    weights.write_bytes(WEIGHTS.read_bytes())
    image, _ = scene(1)
    with open_finder(VisionSettings(detector=str(weights), describer="", ocr=False)) as opened:
        weights.unlink()
        with pytest.raises(ModelError, match="do not exist"):
            opened.find(image, FRAME, control=JobControl())


def test_a_damaged_picture_is_told_as_before_once_ultralytics_is_loaded() -> None:
    opened = Image.open
    import_ultralytics()
    assert Image.open is opened
    with pytest.raises(UnidentifiedImageError):
        Image.open(io.BytesIO(b"no picture"))


def test_onnxruntime_writes_nothing_down_and_sends_nothing(tmp_path: Path) -> None:
    """It keeps a device's number and what it will send in the home folder, where nobody forbids it."""
    program = (
        "from models.vision.icons import open_icon_namer\n"
        "from demopack.settings import VisionSettings\n"
        "open_icon_namer(VisionSettings(), threads=1)\n"
    )
    home = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, **home}, check=True, cwd=Path(__file__).parents[2]
    )
    assert [one for one in tmp_path.rglob("*") if "onnxruntime" in one.name] == []
