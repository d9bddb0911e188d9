"""Exports of rows, read by the programs that they are for: as many come out as went in, and they are equal."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest

from demopack.domain.actions import FinishGoalAction
from demopack.domain.steps import Step
from demopack.pack.writer import export_pack
from demopack.store import Library
from tests.support.demos import demo_head, sample_demo, tiny_demo
from tests.support.exports import export, make_pack, steps_of
from tests.support.small_demos import blank, keep, type_step

datasets = pytest.importorskip("datasets", reason="the loaders of data sets are not installed")
tqdm = pytest.importorskip("tqdm", reason="part of the loaders")


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_pack(tmp_path_factory.mktemp("pack"))


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Bars start a thread that stays.
    monkeypatch.setattr(tqdm.tqdm, "monitor_interval", 0)
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", True)


def _load(*given: Any, **more: Any) -> Any:
    return datasets.load_dataset(*given, split="train", **more)


def _pixels(image: Any) -> str:
    rgb = image.convert("RGB")
    return hashlib.sha256(f"{rgb.width}x{rgb.height}:".encode() + rgb.tobytes()).hexdigest()


def test_the_hub_folder_loads_with_pictures_and_equal_responses(pack: Path, tmp_path: Path) -> None:
    export(pack, "huggingface", tmp_path / "out")
    rows, steps = _load(str(tmp_path / "out"), "steps"), steps_of(pack)
    assert [json.loads(row["response"]) for row in rows] == [step["response"] for step in steps]
    # A frame's id in the pack is the sum of its pixels: the very same picture came out.
    assert [_pixels(row["image"]) for row in rows] == [step["before"]["id"] for step in steps]
    assert [row["target_box"] for row in rows] == [step["target_box"] for step in steps]
    episodes = _load(str(tmp_path / "out"), "episodes")
    assert [row["steps"] for row in episodes] == [11, 3]
    assert [json.loads(text) for row in episodes for text in row["responses"]] == [s["response"] for s in steps]


def test_the_card_is_read_by_the_hub(pack: Path, tmp_path: Path) -> None:
    hub = pytest.importorskip("huggingface_hub", reason="part of the loaders")
    export(pack, "huggingface", tmp_path / "out")
    data = hub.DatasetCard.load(tmp_path / "out" / "README.md").data.to_dict()
    assert data["license"] == "cc0-1.0"
    assert [config["config_name"] for config in data["configs"]] == ["steps", "episodes"]
    assert data["configs"][0]["default"] is True


def test_the_code_in_the_card_runs(pack: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    export(pack, "huggingface", tmp_path / "out")
    monkeypatch.chdir(tmp_path / "out")
    card = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"^```python\n(.*?)^```$", card, re.MULTILINE | re.DOTALL)
    said: list[tuple[Any, ...]] = []
    exec(compile(code, "card", "exec"), {"print": lambda *given: said.append(given)})
    assert said == [(steps_of(pack)[0]["task"], steps_of(pack)[0]["response"])]


@pytest.mark.parametrize("name", ["trl", "trl-messages"])
def test_trl_rows_load_as_an_image_folder(name: str, pack: Path, tmp_path: Path) -> None:
    export(pack, name, tmp_path / "out")
    rows, steps = _load("imagefolder", data_dir=str(tmp_path / "out")), steps_of(pack)
    talks = [row["messages"] if "messages" in row else row["prompt"] + row["completion"] for row in rows]
    said = [part["text"] for talk in talks for m in talk if m["role"] == "assistant" for part in m["content"]]
    assert [json.loads(text) for text in said] == [step["response"] for step in steps]
    for row, talk in zip(rows, talks, strict=True):
        parts = [part for message in talk for part in message["content"]]
        assert sum(part["type"] == "image" for part in parts) == len(row["images"])
        assert all("image" not in part for part in parts)
    assert [_pixels(image) for row in rows for image in row["images"]] == [step["before"]["id"] for step in steps]


# The reader leaves its archive open until it is collected.
@pytest.mark.filterwarnings("ignore:unclosed file", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_webdataset_reads_every_sample_as_it_was(pack: Path, tmp_path: Path) -> None:
    webdataset = pytest.importorskip("webdataset", reason="webdataset is not installed")
    export(pack, "webdataset", tmp_path / "out")
    shard = (tmp_path / "out" / "train-00000.tar").as_uri()
    samples = list(webdataset.WebDataset(shard, shardshuffle=False).decode("pil").to_tuple("png", "json"))
    steps = steps_of(pack)
    assert [json.loads(row["response"]) for _, row in samples] == [step["response"] for step in steps]
    assert [_pixels(image) for image, _ in samples] == [step["before"]["id"] for step in steps]


@pytest.mark.parametrize("elements", [True, False])
def test_datasets_reads_every_webdataset_row_as_it_was(elements: bool, tmp_path: Path) -> None:
    """It takes types from the first samples; those of the first demo here have no element and no target."""
    with Library.open(tmp_path / "library") as library:
        frame = keep(library, blank())
        with library.begin_recording(demo_head("demo_bare")) as recording:
            for number in range(6):
                recording.append_step(type_step(number, frame, frame, "abcdef"[number]))
            recording.append_step(Step(id="end", position=6, action=FinishGoalAction(), before=frame, after=frame))
            recording.finish(outcome="success", final_frame=frame)
        ids = ["demo_bare", sample_demo(library), tiny_demo(library)]
        export_pack(library, ids, tmp_path / "pack", licence="CC0-1.0")
    pack = tmp_path / "pack"
    export(pack, "webdataset", tmp_path / "out", elements=elements)
    rows, steps = _load("webdataset", data_files=str(tmp_path / "out" / "train-00000.tar")), steps_of(pack)
    assert [json.loads(row["json"]["response"]) for row in rows] == [step["response"] for step in steps]
    assert [json.loads(row["json"]["target_box"]) for row in rows] == [step["target_box"] for step in steps]
    assert any(json.loads(row["json"]["elements"]) for row in rows) is elements
    assert [_pixels(row["png"]) for row in rows] == [step["before"]["id"] for step in steps]


def test_pix2struct_rows_name_the_action_and_show_the_picture(pack: Path, tmp_path: Path) -> None:
    from demopack.codecs.llmresponse import parse_dsl_action

    export(pack, "pix2struct", tmp_path / "out")
    rows, steps = _load("imagefolder", data_dir=str(tmp_path / "out")), steps_of(pack)
    assert [_pixels(row["image"]) for row in rows] == [step["before"]["id"] for step in steps]
    for row, step in zip(rows, steps, strict=True):
        said, known = parse_dsl_action(row["text"]).to_wire(), step["response"]["action"]
        assert said["action_type"] == known["action_type"]
        if known["target"] is not None:
            assert said["target"] == {k: v for k, v in known["target"].items() if k in {"text", "bbox"}}


@pytest.mark.parametrize(("name", "file"), [("sharegpt", "demos.jsonl"), ("swift", "swift.jsonl"),
                                            ("ui-tars", "ui_tars.jsonl"), ("qwen", "qwen.jsonl"),
                                            ("agentnet", "agentnet.jsonl"), ("lam", "lam.jsonl"),
                                            ("openai-chat", "openai.jsonl"), ("uipath", "planner.jsonl")])  # fmt: skip
def test_json_lines_load_row_for_row(name: str, file: str, pack: Path, tmp_path: Path) -> None:
    log = export(pack, name, tmp_path / "out")
    rows = _load("json", data_files=str(tmp_path / "out" / file))
    text = (tmp_path / "out" / file).read_text(encoding="utf-8")
    assert len(rows) == len(text.splitlines()) > 0
    assert log.rows_in == 14
