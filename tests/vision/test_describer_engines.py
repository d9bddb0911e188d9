from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect
from demopack.errors import DemopackError, ModelError
from demopack.settings import VisionSettings
from models.registry import open_model, write_model
from models.training.labelled_screens import LabelledScreenSet
from models.vision.describer import OnnxReader, SmallEngine, decode, open_describer
from models.vision.describer_torch import ForeignEngine, load_pix2struct
from models.vision.describer_words import FILE, DescriberTokenizer
from models.vision.patches import Floats, PatchScales, cut, highlight, to_patches
from tests.support.drawn_screens import draw_set
from tests.support.tiny_describers import train_tiny

pytestmark = pytest.mark.slow

BOUND = 1e-3
"""Of the logits, whose size is about 5: sums in another order."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("describer")
    return train_tiny(draw_set(home / "screens", train=8, val=2), home / "run", steps=30, save_s=1e6)


@pytest.fixture(scope="module")
def scene(folder: Path) -> tuple[RgbImage, list[Rect]]:
    screens = LabelledScreenSet(folder.parent.parent / "screens")
    screen = next(screens.screens())
    return screens.image(screen), [truth.box for truth in screen.elements]


def views(scene: tuple[RgbImage, list[Rect]]) -> Floats:
    cuts = cut(PatchScales(scene[0]), scene[1], patches=16)
    return to_patches(highlight(cuts), cuts.grids, cuts.boxes)


class TorchReader:
    """Our own model through transformers: what the ONNX graphs must be equal to."""

    def __init__(self, folder: Path) -> None:
        self._model = load_pix2struct(str(folder), threads=1)

    def look(self, patches: Floats) -> Any:
        import torch
        from transformers import DynamicCache, EncoderDecoderCache

        with torch.inference_mode():
            seen = self._model.encoder(flattened_patches=torch.from_numpy(patches))[0]
        return seen, EncoderDecoderCache(DynamicCache(), DynamicCache())

    def next(self, words: npt.NDArray[np.int64], kept: Any) -> tuple[Floats, Any]:
        import torch

        with torch.inference_mode():
            out = self._model.decoder(
                input_ids=torch.from_numpy(words),
                encoder_hidden_states=kept[0],
                past_key_values=kept[1],
                use_cache=True,
            )
        return out.logits[:, -1].numpy(), (kept[0], out.past_key_values)


def test_the_graphs_see_and_say_the_same_as_the_network(folder: Path, scene: tuple[RgbImage, list[Rect]]) -> None:
    readers: tuple[Any, Any] = (OnnxReader(folder, threads=1), TorchReader(folder))
    patches = views(scene)
    kept: list[Any] = [reader.look(patches) for reader in readers]
    random = np.random.default_rng(3)
    # Any words will do; more of them than an answer has, so that far places are compared, too.
    for word in [0, *random.integers(2, 200, 40).tolist()]:
        words = np.full((len(patches), 1), word, dtype=np.int64)
        (left, kept[0]), (right, kept[1]) = (reader.next(words, one) for reader, one in zip(readers, kept, strict=True))
        assert left.shape == right.shape
        assert np.abs(left - right).max() < BOUND
    model = open_model(folder)
    tokenizer = DescriberTokenizer.load(model.file(FILE))
    ours = SmallEngine(model, threads=1, read=True).answers(PatchScales(scene[0]), scene[1])
    theirs = decode(TorchReader(folder), tokenizer, patches, characters=int(model.card.options["text_length"]))
    for a, b in zip(ours, theirs, strict=True):
        assert a is not None
        assert b is not None
        assert (a.type, a.subtype, a.states, a.text) == (b.type, b.subtype, b.states, b.text)
        assert a.type_confidence == pytest.approx(b.type_confidence, abs=1e-3)


def test_our_patches_are_those_of_transformers(scene: tuple[RgbImage, list[Rect]]) -> None:
    from transformers import Pix2StructImageProcessor

    image = np.kron(scene[0], np.ones((4, 4, 1), dtype=np.uint8))
    boxes = [Rect(10, 10, 30, 30), Rect(100, 100, 400, 120), Rect(300, 50, 320, 400), Rect(50, 50, 600, 450)]
    cuts = cut(PatchScales(image), boxes, patches=96)
    shown = highlight(cuts)
    ours = to_patches(shown, cuts.grids)
    processor = Pix2StructImageProcessor(max_patches=96)
    for row, (columns, rows) in enumerate(cuts.grids.tolist()):
        view = shown[row].reshape(rows * 16, columns * 16, 3)
        theirs = processor(images=[view], return_tensors="np")["flattened_patches"][0]
        assert np.abs(np.asarray(theirs) - ours[row]).max() < 1e-5, (columns, rows)


LIGHT = """
import json, sys
from pathlib import Path

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("torch", "transformers", "safetensors", "onnx", "tokenizers"):
            raise ModuleNotFoundError(name, name=name)
        return None

sys.meta_path.insert(0, Absent())
import numpy as np
from demopack.domain.geometry import Rect
from demopack.settings import VisionSettings
from models.vision.describer import open_describer

describer = open_describer(VisionSettings(describer=sys.argv[1]), threads=1)
image = np.zeros((60, 80, 3), dtype=np.uint8)
said = describer.describe(image, [Rect(5, 5, 30, 20), Rect(0, 0, 1, 1)], limit_s=60.0)
print(json.dumps([one is not None for one in said]))
"""


def test_the_light_installation_describes_without_torch(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LIGHT, str(folder)],
        cwd=Path(__file__).parents[2], capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [True, True]


def changed(folder: Path, target: Path, name: str, data: bytes) -> Path:
    """A model with another file in it, whose card agrees."""
    shutil.copytree(folder, target)
    (target / name).write_bytes(data)
    card = open_model(folder).card
    write_model(target, card, [target / file for file in card.files])
    return target


@pytest.mark.parametrize("name", ["encoder.onnx", "decoder.onnx", "model.safetensors", "vocabulary.json"])
def test_a_truncated_file_of_our_own_is_named(folder: Path, tmp_path: Path, name: str) -> None:
    whole = (folder / name).read_bytes()
    broken = changed(folder, tmp_path / "model", name, whole[: len(whole) // 2])
    with pytest.raises(ModelError) as caught:
        open_describer(VisionSettings(describer=str(broken)), threads=1)
    assert str(broken) in caught.value.user_message


def test_graphs_of_another_model_are_refused(folder: Path, tmp_path: Path) -> None:
    swapped = changed(folder, tmp_path / "model", "decoder.onnx", (folder / "encoder.onnx").read_bytes())
    with pytest.raises(ModelError, match="damaged or of another program"):
        open_describer(VisionSettings(describer=str(swapped)), threads=1)


@pytest.fixture(scope="module")
def foreign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkpoint as others publish it: model, tokenizer and picture settings, and words that are types."""
    import tokenizers
    import transformers

    folder = tmp_path_factory.mktemp("foreign")
    words = {"<pad>": 0, "</s>": 1, "<unk>": 2, "button": 3, "icon": 4, "radio": 5, "checkbox": 6}
    raw = tokenizers.Tokenizer(tokenizers.models.WordLevel(words, unk_token="<unk>"))
    raw.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=raw, pad_token="<pad>", eos_token="</s>", unk_token="<unk>"
    )
    transformers.Pix2StructProcessor(
        transformers.Pix2StructImageProcessor(max_patches=24, is_vqa=True), tokenizer
    ).save_pretrained(folder)
    shared = {"hidden_size": 16, "d_ff": 16, "d_kv": 8}
    config = transformers.Pix2StructConfig(
        text_config={**shared, "vocab_size": len(words), "num_layers": 1, "num_heads": 2, "pad_token_id": 0,
                     "eos_token_id": 1, "decoder_start_token_id": 0},
        vision_config={**shared, "num_hidden_layers": 1, "num_attention_heads": 2, "seq_len": 64,
                       "initializer_range": 0.02},
        tie_word_embeddings=False,
    )  # fmt: skip
    transformers.Pix2StructForConditionalGeneration(config).save_pretrained(folder)
    return folder


def test_any_pix2struct_folder_describes(foreign: Path, scene: tuple[RgbImage, list[Rect]]) -> None:
    describer = open_describer(VisionSettings(describer=str(foreign)), threads=1)
    said = describer.describe(scene[0], scene[1][:3], limit_s=600.0)
    assert describer.reads_text
    assert len(said) == 3
    for one in said:  # fresh weights say anything; whatever is no type is None
        assert one is None or (one.type in {"button", "icon", "radio", "checkbox"} and 0 <= one.type_confidence <= 1)


def refused(folder: Path | str) -> str:
    with pytest.raises(ModelError) as caught:
        open_describer(VisionSettings(describer=str(folder)), threads=1)
    assert str(folder) in caught.value.user_message
    assert "vision.describer" in caught.value.hint
    return caught.value.user_message


def test_a_checkpoint_of_another_architecture_is_refused(foreign: Path, tmp_path: Path) -> None:
    target = tmp_path / "other"
    shutil.copytree(foreign, target)
    config = json.loads((target / "config.json").read_text(encoding="utf-8"))
    (target / "config.json").write_text(json.dumps({**config, "model_type": "t5"}), encoding="utf-8")
    assert "of the kind t5, not pix2struct" in refused(target)


def test_a_truncated_checkpoint_is_refused(foreign: Path, tmp_path: Path) -> None:
    target = tmp_path / "cut"
    shutil.copytree(foreign, target)
    weights = target / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:2000])
    refused(target)


def test_weights_that_lack_a_layer_are_refused(foreign: Path, tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    target = tmp_path / "less"
    shutil.copytree(foreign, target)
    weights = load_file(target / "model.safetensors")
    save_file({name: t for name, t in weights.items() if "lm_head" not in name}, target / "model.safetensors",
              metadata={"format": "pt"})  # fmt: skip
    assert "no whole Pix2Struct" in refused(target)


def test_a_pickle_that_would_run_code_is_refused_and_runs_nothing(foreign: Path, tmp_path: Path) -> None:
    target = tmp_path / "evil"
    shutil.copytree(foreign, target)
    (target / "model.safetensors").unlink()
    ran = target / "ran"
    code = f"open({ran.as_posix()!r}, 'w').close()".encode()
    with zipfile.ZipFile(target / "pytorch_model.bin", "w") as archive:
        archive.writestr(
            "archive/data.pkl", b"\x80\x02cbuiltins\nexec\n(X" + len(code).to_bytes(4, "little") + code + b"tR."
        )
        archive.writestr("archive/version", b"3\n")
    refused(target)
    assert not ran.exists()


def test_an_empty_folder_and_a_missing_processor_are_refused(foreign: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert "config.json is missing" in refused(tmp_path / "empty")
    target = tmp_path / "bare"
    shutil.copytree(foreign, target)
    (target / "preprocessor_config.json").unlink(missing_ok=True)
    for path in [*target.glob("*token*"), *target.glob("*processor*")]:
        path.unlink()
    assert "no processor" in refused(target)


@pytest.mark.skipif(sys.platform == "win32", reason="FIFOs")
@pytest.mark.timeout(60)
@pytest.mark.parametrize("name", ["config.json", "model.safetensors"])
def test_a_fifo_in_a_checkpoint_is_named_and_not_waited_for(foreign: Path, tmp_path: Path, name: str) -> None:
    folder = tmp_path / "checkpoint"
    shutil.copytree(foreign, folder)
    (folder / name).unlink()
    os.mkfifo(folder / name)
    assert str(folder / name) in refused(folder)


def test_a_name_on_the_hub_that_is_not_on_this_machine_is_refused() -> None:
    refused("nobody/no-such-describer")


def test_without_the_libraries_it_says_what_to_install(foreign: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(DemopackError) as caught:
        ForeignEngine(str(foreign), threads=1)
    assert "--extra vision" in caught.value.hint
