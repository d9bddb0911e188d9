"""Exports: what goes in comes out, or the log says why not."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from demopack.codecs.sets.base import ExportOptions
from demopack.codecs.sets.catalogue import NAMES, exporter
from demopack.domain.words import counted
from demopack.errors import BadInputError, PackError
from demopack.jobs import CancelToken, JobControl
from demopack.pack.export import export_formats
from demopack.pack.reader import open_packs
from demopack.resources import asset
from demopack_cli.check import command as check
from tests.support.exports import export, lines, make_pack, steps_of
from tests.support.packs import PackFolder


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_pack(tmp_path_factory.mktemp("pack"))


def test_every_response_comes_out_as_it_is(pack: Path, tmp_path: Path) -> None:
    log = export(pack, "llmresponse", tmp_path / "out")
    rows, steps = lines(tmp_path / "out" / "steps.jsonl"), steps_of(pack)
    assert [row["response"] for row in rows] == [step["response"] for step in steps]
    assert log.rows_in == log.rows_out == len(steps)
    for row, step in zip(rows, steps, strict=True):
        assert (tmp_path / "out" / row["image"]).samefile(pack / step["image"])


def test_an_episode_holds_its_steps_in_order(pack: Path, tmp_path: Path) -> None:
    export(pack, "llmresponse", tmp_path / "out", unit="episode", rationale="none", elements=False, history=2)
    episodes = lines(tmp_path / "out" / "episodes.jsonl")
    assert [len(episode["steps"]) for episode in episodes] == [11, 3]
    for episode in episodes:
        assert [step["index"] for step in episode["steps"]] == list(range(len(episode["steps"])))
        assert {step["response"]["reasoning"] for step in episode["steps"]} == {""}
        assert [len(step["history"]) for step in episode["steps"]][:4] == [0, 1, 2, 2][: len(episode["steps"])]
        assert all("elements" not in step for step in episode["steps"])


def test_hindsight_is_told_only_when_it_is_wanted(pack: Path, tmp_path: Path) -> None:
    export(pack, "llmresponse", tmp_path / "with", rationale="hindsight")
    export(pack, "llmresponse", tmp_path / "without")
    told, untold = (lines(tmp_path / name / "steps.jsonl") for name in ("with", "without"))
    assert any("changed as expected" in row["response"]["reasoning"] for row in told)
    assert not any("changed as expected" in row["response"]["reasoning"] for row in untold)


def test_words_of_one_who_knew_the_end_are_not_for_training(pack: Path, tmp_path: Path) -> None:
    spoiled = PackFolder(pack).copy(tmp_path / "pack")
    spoiled.edit_row("steps", 0, lambda row: row["rationale"].update(mode="hindsight"))
    export(spoiled.path, "llmresponse", tmp_path / "out")
    assert lines(tmp_path / "out" / "steps.jsonl")[0]["response"]["reasoning"] == ""


def test_marks_are_drawn_on_the_pictures(pack: Path, tmp_path: Path) -> None:
    export(pack, "llmresponse", tmp_path / "out", marks=True)
    rows, steps = lines(tmp_path / "out" / "steps.jsonl"), steps_of(pack)
    marked = [(tmp_path / "out" / row["image"]).read_bytes() for row in rows if row["elements"]]
    plain = [(pack / step["image"]).read_bytes() for row, step in zip(rows, steps, strict=True) if row["elements"]]
    assert marked
    assert all(one != other for one, other in zip(marked, plain, strict=True))


def test_swift_has_one_box_for_each_placeholder(pack: Path, tmp_path: Path) -> None:
    export(pack, "swift", tmp_path / "out", unit="episode")
    rows, steps = lines(tmp_path / "out" / "swift.jsonl"), steps_of(pack)
    listed = [row for row in lines(pack / "elements.jsonl") if row["element_id"] is not None]
    placed = [box for step in steps for box in (step["target_box"], step["end_box"]) if box is not None]
    way = [point for step in steps for point in step["response"]["action"]["parameters"].get("path", [])]
    answered, asked = 0, 0
    for row in rows:
        for message in row["messages"]:
            count = message["content"].count("<bbox>")
            answered += count * (message["role"] == "assistant")
            asked += count * (message["role"] == "user")
            assert '"<bbox>"' not in message["content"], "a place is no text"
            if message["role"] == "assistant":
                assert json.loads(message["content"].replace("<bbox>", "[1, 2, 3, 4]"))["action"]
        total = sum(message["content"].count("<bbox>") for message in row["messages"])
        assert total == len(row["objects"]["bbox"]) == len(row["objects"]["image_id"])
        assert len(row["images"]) == sum(message["content"].count("<image>") for message in row["messages"])
        assert row["objects"]["image_id"] == sorted(row["objects"]["image_id"])
    assert answered == len(placed) + len(way)
    shown = [step["before"]["id"] for step in steps]
    assert asked == sum(len([row for row in listed if row["frame"] == frame]) for frame in shown)


def test_messages_are_one_picture_a_sample_unless_whole_demos_are_asked_for(pack: Path, tmp_path: Path) -> None:
    """axolotl reads the first picture of a sample alone, and puts it into the last question."""
    log = export(pack, "trl-messages", tmp_path / "steps")
    assert {len(row["file_names"]) for row in lines(tmp_path / "steps" / "train" / "metadata.jsonl")} == {1}
    assert not any("axolotl" in note for note in log.notes)
    log = export(pack, "trl-messages", tmp_path / "demos", unit="episode")
    assert [len(row["file_names"]) for row in lines(tmp_path / "demos" / "train" / "metadata.jsonl")] == [11, 3]
    assert any("axolotl" in note and "--per step" in note for note in log.notes)


@pytest.mark.parametrize("unit", ["step", "episode"])
def test_people_and_models_take_turns(unit: str, pack: Path, tmp_path: Path) -> None:
    # LLaMA-Factory drops a row whose roles do not alternate, with nothing but a warning.
    export(pack, "sharegpt", tmp_path / "out", unit=unit)
    info = json.loads((tmp_path / "out" / "dataset_info.json").read_text(encoding="utf-8"))["demos"]
    rows = lines(tmp_path / "out" / info["file_name"])
    said: list[dict[str, object]] = []
    for row in rows:
        messages = row[info["columns"]["messages"]]
        roles = [message[info["tags"]["role_tag"]] for message in messages]
        assert roles == ["system", *(["user", "assistant"] * (len(roles) // 2))]
        assert isinstance(row["images"], list)
        assert all((tmp_path / "out" / image).is_file() for image in row["images"])
        said += [json.loads(message["content"]) for message in messages[2::2]]
    assert said == [step["response"] for step in steps_of(pack)]


def test_a_text_on_the_screen_is_never_a_placeholder(pack: Path, tmp_path: Path) -> None:
    spoiled = PackFolder(pack).copy(tmp_path / "pack")
    for table in ("demos", "steps"):
        spoiled.edit_rows(table, lambda rows: [row.update(task="Draw <image> and <bbox>") for row in rows])
    for name, file in (("sharegpt", "demos.jsonl"), ("swift", "swift.jsonl")):
        log = export(spoiled.path, name, tmp_path / name)
        for row in lines(tmp_path / name / file):
            assert sum(message["content"].count("<image>") for message in row["messages"]) == len(row["images"])
        assert [item.code for item in log.lost] == ["placeholder"]


@pytest.mark.parametrize("name", NAMES)
def test_a_step_without_a_picture_is_written_or_named(name: str, pack: Path, tmp_path: Path) -> None:
    spoiled = PackFolder(pack).copy(tmp_path / "pack")
    spoiled.edit_row("steps", 1, lambda row: row.update(before=None, image=None, image_size=None))
    export(spoiled.path, name, tmp_path / "out")


@pytest.mark.parametrize("name", NAMES)
def test_the_same_pack_gives_the_same_bytes(name: str, pack: Path, tmp_path: Path) -> None:
    contents: list[dict[str, bytes]] = []
    for number in (1, 2):
        folder = tmp_path / f"out{number}"
        export(pack, name, folder)
        contents.append({p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()})
    assert contents[0] == contents[1]
    assert str(tmp_path).encode() not in b"".join(contents[0].values())


def test_a_zip_exports_like_its_folder(pack: Path, tmp_path: Path) -> None:
    import shutil

    shutil.make_archive(str(tmp_path / "pack"), "zip", pack)
    export(tmp_path / "pack.zip", "trl", tmp_path / "zip")
    export(pack, "trl", tmp_path / "folder")
    files = sorted(p.relative_to(tmp_path / "zip") for p in (tmp_path / "zip").rglob("*") if p.is_file())
    assert files == sorted(p.relative_to(tmp_path / "folder") for p in (tmp_path / "folder").rglob("*") if p.is_file())
    assert all((tmp_path / "zip" / f).read_bytes() == (tmp_path / "folder" / f).read_bytes() for f in files)


def test_what_is_no_export_is_left_alone(pack: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("Dear", encoding="utf-8")
    with open_packs([pack]) as demos, pytest.raises(BadInputError, match="left as it is"):
        exporter("trl").export(demos, tmp_path / "mine", options=ExportOptions())
    assert [p.name for p in (tmp_path / "mine").iterdir()] == ["letter.txt"]


def test_a_cancelled_export_leaves_nothing(pack: Path, tmp_path: Path) -> None:
    from demopack.errors import CancelledError

    token = CancelToken()
    control = JobControl(token=token, report=lambda progress: token.cancel() if progress.done else None)
    with open_packs([pack]) as demos, pytest.raises(CancelledError):
        exporter("trl").export(demos, tmp_path / "out", options=ExportOptions(), control=control)
    assert [p.name for p in tmp_path.iterdir()] == []


def test_a_pack_that_breaks_rules_is_refused_unless_told(pack: Path, tmp_path: Path) -> None:
    spoiled = PackFolder(pack).copy(tmp_path / "pack")
    spoiled.edit_row("steps", 0, lambda row: row["response"]["action"]["target"].update(bbox=[0.9, 0.9, 0.05, 0.05]))
    formats = [exporter("llmresponse")]
    with pytest.raises(PackError, match="breaks rule"):
        export_formats([spoiled.path], formats, tmp_path / "out", options=ExportOptions())
    assert not (tmp_path / "out").exists()
    done = export_formats([spoiled.path], formats, tmp_path / "out", options=ExportOptions(), despite_errors=True)
    assert done[tmp_path / "out"].rows_out == 14


def test_a_demo_in_two_packs_is_refused(pack: Path, tmp_path: Path) -> None:
    with open_packs([pack, pack]) as demos, pytest.raises(BadInputError, match="several of the packs"):
        exporter("trl").export(demos, tmp_path / "out", options=ExportOptions())


def test_rows_that_do_not_stand_together_are_named(pack: Path, tmp_path: Path) -> None:
    spoiled = PackFolder(pack).copy(tmp_path / "pack")
    spoiled.edit_rows("steps", lambda rows: rows.append(rows.pop(2)))
    with open_packs([spoiled.path]) as demos, pytest.raises(PackError, match=r"steps\.jsonl, line"):
        exporter("trl").export(demos, tmp_path / "out", options=ExportOptions())


def test_a_response_keeps_its_published_schema(pack: Path, tmp_path: Path) -> None:
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")
    schema = json.loads(asset("schema/llmresponse.json").read_text(encoding="utf-8"))
    check = jsonschema.validators.validator_for(schema)(schema)
    export(pack, "llmresponse", tmp_path / "out", rationale="hindsight")
    for row in lines(tmp_path / "out" / "steps.jsonl"):
        check.validate(row["response"])
    with pytest.raises(jsonschema.ValidationError):
        check.validate({"reasoning": "", "action": {"action_type": "jump"}, "is_goal_complete": False})


@pytest.mark.parametrize("name", ["llmresponse", "trl", "trl-messages", "sharegpt", "swift", "ui-tars", "qwen",
                                  "ui-tars-1.5", "qwen2.5-vl", "lam",
                                  "agentnet", "uipath", "coco", "yolo", "pix2struct", "osworld"])  # fmt: skip
def test_our_own_check_finds_nothing_wrong_with_an_export(name: str, pack: Path, tmp_path: Path) -> None:
    export(pack, name, tmp_path / "out")
    done = CliRunner().invoke(check, [str(tmp_path / "out"), "--json"], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    assert json.loads(done.output)["findings"] == []


def test_a_picture_that_demos_share_is_drawn_anew_and_the_packs_stays_as_it_is(pack: Path, tmp_path: Path) -> None:
    from demopack.codecs.output import Output

    (tmp_path / "out").mkdir()
    output = Output(tmp_path / "out")
    with open_packs([pack]) as source:
        demo = next(source.demos())
        file = demo.files[demo.frames[0].id]
        before = (pack / file).read_bytes()
        for _ in range(2):
            assert output.picture(demo, file, "images/a.png") == "images/a.png"
            output.forget_pictures()
        assert (tmp_path / "out" / "images" / "a.png").samefile(pack / file)
        output.draw("images/a.png", b"drawn")
        assert (tmp_path / "out" / "images" / "a.png").read_bytes() == b"drawn"
        assert (pack / file).read_bytes() == before


@pytest.mark.parametrize("name", NAMES)
def test_beside_each_export_lies_how_it_is_loaded(
    name: str, pack: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    export(pack, name, tmp_path / "out")
    page = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    language, _, code = page.split("```")[1].partition("\n")
    monkeypatch.chdir(tmp_path / "out")
    for file in re.findall(r"[\w*./-]+\.(?:jsonl|json|txt|tar|py|html|yaml|parquet)\b", code):
        assert list(Path().glob(file)), f"{file} is not there"
    imported = set(re.findall(r"^(?:from|import) (\w+)", code, re.MULTILINE))
    if language == "python" and imported <= {"json", "pathlib"}:
        values: dict[str, Any] = {}
        exec(code, values)
        assert list(values.values())[-1]
    else:
        assert language == "sh" or imported & {"atif", "datasets", "openadapt_types", "pycocotools", "webdataset"}


def test_a_folder_of_demos_holds_nothing_else(pack: Path, tmp_path: Path) -> None:
    for name in ("openai", "anthropic", "gemini", "atif", "openadapt"):
        export(pack, name, tmp_path / name)
        documents = [json.loads(file.read_bytes()) for file in (tmp_path / name / "demos").glob("*.json")]
        assert len(documents) == 2
        assert len({frozenset(document) for document in documents}) == 1


def test_the_page_beside_an_export_says_what_is_not_in_it(pack: Path, tmp_path: Path) -> None:
    log = export(pack, "caap", tmp_path / "out")
    page = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    assert log.left_out
    for item in log.left_out:
        assert f"- {counted(item.count, 'step')} left out: {item.why}" in page
    assert "Licence: CC0-1.0." in page


def test_what_is_there_once_is_counted_in_the_singular(tmp_path: Path) -> None:
    pack = make_pack(tmp_path, sample=False)
    for name in NAMES:
        export(pack, name, tmp_path / name)
    told = {page.parent.name: page.read_text(encoding="utf-8") for page in tmp_path.glob("*/README.md")}
    assert told.keys() == {"pack", *NAMES}
    once = re.compile(r"\b1 (?:GUI )?(?:demonstrations|demos|steps|pictures|elements)\b")
    assert {name: once.findall(text) for name, text in told.items() if once.search(text)} == {}
    assert "# 1 GUI demonstration\n\n3 steps of 1 demonstration. " in told["huggingface"]
