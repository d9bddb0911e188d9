"""What spoils an export is named, with its file and its row: a function for each spoil, over all formats."""

from __future__ import annotations

import importlib
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from demopack.codecs.sets.catalogue import NAMES, exporter
from demopack.pack.check.exports_folder import check_path
from demopack.pack.writer import export_pack
from demopack.store import Library
from tests.support.demos import sample_demo, tiny_demo
from tests.support.exports import export
from tests.support.kinds_demo import kinds_demo

pq: Any = importlib.import_module("pyarrow.parquet")  # it has no types
Row = dict[str, Any]
Spoil = Callable[[Path], object]
SAMPLE, TINY, KINDS = "demo_5a3b1e0c77", "demo_0000000001", "demo_00000000aa"


class Case(NamedTuple):
    """One spoil.

    Attributes:
        format: that is spoilt.
        unit: of its samples; empty for the format's own.
        rule: that must speak.
        file: that must be named.
        line: of it; None for the file as a whole.
        spoil: changes the export.
    """

    format: str
    unit: str
    rule: str
    file: str
    line: int | None
    spoil: Spoil


CASES: list[Case] = []


def spoils(format: str, rule: str, file: str, line: int | None = None, *, unit: str = "") -> Callable[[Spoil], Spoil]:
    def register(function: Spoil) -> Spoil:
        CASES.append(Case(format, unit, rule, file, line, function))
        return function

    return register


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A demo that fills in a form, a small one, and one with every action and texts that are hard to quote."""
    folder = tmp_path_factory.mktemp("pack")
    with Library.open(folder / "library") as library:
        ids = [sample_demo(library), tiny_demo(library), kinds_demo(library)]
        export_pack(library, ids, folder / "pack", licence="CC0-1.0")
    return folder / "pack"


@pytest.fixture(scope="module")
def exports(pack: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("exports")
    for name in NAMES:
        found = exporter(name)
        options = {"any_outcome": True} if "any_outcome" in found.uses else {}
        for unit in found.units:
            export(pack, name, folder / f"{name}-{unit}", unit=unit, **options)
    return folder


def of(exports: Path, name: str, unit: str = "") -> Path:
    return exports / f"{name}-{unit or exporter(name).units[0]}"


# Hands ------------------------------------------------------------------------------------------------------------


def edit_json(file: Path, change: Callable[[Any], object]) -> None:
    data = json.loads(file.read_text(encoding="utf-8"))
    change(data)
    file.write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")


def edit_line(file: Path, line: int, change: Callable[[Row], object]) -> None:
    rows = [json.loads(one) for one in file.read_text(encoding="utf-8").split("\n") if one]
    change(rows[line - 1])
    file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def edit_text(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


def line_with(file: Path, words: str) -> int:
    """The first line with some words, from 1."""
    return 1 + file.read_text(encoding="utf-8").split(words)[0].count("\n")


def edit_said(row: Row, change: Callable[[Row], object]) -> None:
    """The response in the last turn of a chat."""
    turns = row.get("messages") or row.get("completion") or row["conversations"]
    turn, key = turns[-1], "content"
    if isinstance(turn[key], list):
        turn, key = turn[key][0], "text"
    data = json.loads(turn[key])
    change(data)
    turn[key] = json.dumps(data, ensure_ascii=False)


def parquet(folder: Path, change: Callable[[list[Row]], object]) -> None:
    file = next((folder / "data").glob("*.parquet"))
    table = pq.read_table(file)
    rows = table.to_pylist()
    change(rows)
    pq.write_table(table.schema.empty_table().from_pylist(rows, schema=table.schema), file)


def action(data: Row, kind: str) -> Row:
    """The first call of a kind in a chat with OpenAI's tool."""
    found: Row = next(one for item in data["input"] for one in item.get("actions", ()) if one["type"] == kind)
    return found


# Boxes ------------------------------------------------------------------------------------------------------------

LABEL = f"labels/train/{TINY}--0001.txt"


@spoils("yolo", "H03", LABEL, 1)
def yolo_class_without_a_name(out: Path) -> None:
    edit_text(out / LABEL, "4 ", "77 ")


@spoils("yolo", "X02", LABEL)
def yolo_label_file_that_is_missing(out: Path) -> None:
    (out / LABEL).unlink()


@spoils("yolo", "G01", LABEL, 1)
def yolo_centre_beyond_the_picture(out: Path) -> None:
    words = (out / LABEL).read_text().split("\n")[0].split()
    (out / LABEL).write_text(" ".join([words[0], "1.5", *words[2:]]) + "\n")


@spoils("yolo", "H03", "data.yaml")
def yolo_names_with_a_gap(out: Path) -> None:
    edit_text(out / "data.yaml", "  3: draggable_text\n", "")


@spoils("yolo", "I01", "data.yaml")
def yolo_side_where_nothing_lies(out: Path) -> None:
    edit_text(out / "data.yaml", "train: images/train", "train: images/all")


BOXES = "annotations/instances.json"


@spoils("coco", "H03", BOXES)
def coco_annotation_ids_twice(out: Path) -> None:
    edit_json(out / BOXES, lambda data: data["annotations"][1].update(id=data["annotations"][0]["id"]))


@spoils("coco", "H03", BOXES)
def coco_image_ids_twice(out: Path) -> None:
    edit_json(out / BOXES, lambda data: data["images"][1].update(id=data["images"][0]["id"]))


@spoils("coco", "H03", BOXES)
def coco_category_that_is_not_there(out: Path) -> None:
    edit_json(out / BOXES, lambda data: data["annotations"][3].update(category_id=99))


@spoils("coco", "G01", BOXES)
def coco_box_of_corners(out: Path) -> None:
    edit_json(out / BOXES, lambda data: data["annotations"][0].update(bbox=[900, 500, 950, 590]))


@spoils("coco", "I01", f"images/{TINY}--0001.png")
def coco_picture_that_was_cut_off(out: Path) -> None:
    file = out / f"images/{TINY}--0001.png"
    data = file.read_bytes()
    file.unlink()  # it may be one with that of the pack
    file.write_bytes(data[: len(data) // 2])


# Chats ------------------------------------------------------------------------------------------------------------


@spoils("swift", "X03", "swift.jsonl", 2)
def swift_box_too_few(out: Path) -> None:
    edit_line(out / "swift.jsonl", 2, lambda row: row["objects"]["bbox"].pop())


@spoils("swift", "G01", "swift.jsonl", 1)
def swift_box_beyond_the_picture(out: Path) -> None:
    edit_line(out / "swift.jsonl", 1, lambda row: row["objects"]["bbox"].__setitem__(-1, [900, 10, 1200, 40]))


@spoils("swift", "A04", "swift.jsonl", 1)
def swift_action_of_another_name(out: Path) -> None:
    edit_text(out / "swift.jsonl", '\\"action_type\\": \\"click\\"', '\\"action_type\\": \\"tap\\"')


@spoils("sharegpt", "H03", "dataset_info.json")
def sharegpt_table_that_is_not_there(out: Path) -> None:
    edit_json(out / "dataset_info.json", lambda data: data["demos"].update(file_name="demo.jsonl"))


@spoils("sharegpt", "H03", "dataset_info.json")
def sharegpt_column_that_is_not_there(out: Path) -> None:
    edit_json(out / "dataset_info.json", lambda data: data["demos"]["columns"].update(messages="conversations"))


@spoils("sharegpt", "A04", "demos.jsonl", 3)
def sharegpt_box_in_pixels(out: Path) -> None:
    edit_line(out / "demos.jsonl", 3, lambda row: edit_said(
        row, lambda data: data["action"]["target"].update(bbox=[60, 208, 360, 36])))  # fmt: skip


@spoils("sharegpt", "A05", "demos.jsonl", 1)
def sharegpt_element_that_is_not_in_the_list(out: Path) -> None:
    edit_line(out / "demos.jsonl", 1, lambda row: edit_said(
        row, lambda data: data["action"]["target"].update(element_id=400)))  # fmt: skip


@spoils("sharegpt", "H04", "demos.jsonl", 2)
def sharegpt_answer_that_was_cut_off(out: Path) -> None:
    def cut(row: Row) -> None:
        row["messages"][-1]["content"] = row["messages"][-1]["content"][:-20]

    edit_line(out / "demos.jsonl", 2, cut)


@spoils("sharegpt", "X02", "EXPORT_LOG.json", unit="episode")
def sharegpt_turn_too_few(out: Path) -> None:
    def drop(row: Row) -> None:
        del row["messages"][-2:]
        row["images"].pop()

    edit_line(out / "demos.jsonl", 1, drop)


@spoils("trl", "A04", "train/metadata.jsonl", 4)
def trl_unknown_action(out: Path) -> None:
    edit_line(out / "train/metadata.jsonl", 4, lambda row: edit_said(
        row, lambda data: data["action"].update(action_type="double_click")))  # fmt: skip


@spoils("trl", "X03", "train/metadata.jsonl", 5)
def trl_two_pictures_for_one_place(out: Path) -> None:
    edit_line(out / "train/metadata.jsonl", 5, lambda row: row["file_names"].append(row["file_names"][0]))


@spoils("trl", "S01", "train/metadata.jsonl", 2)
def trl_sample_twice(out: Path) -> None:
    file = out / "train/metadata.jsonl"
    rows = file.read_text(encoding="utf-8").split("\n")
    file.write_text("\n".join([rows[0], rows[0], *rows[2:]]), encoding="utf-8")


@spoils("trl-messages", "A05", "train/metadata.jsonl", 3, unit="step")
def trl_messages_text_of_another_element(out: Path) -> None:
    edit_line(out / "train/metadata.jsonl", 3, lambda row: edit_said(
        row, lambda data: data["action"]["target"].update(text="Chosen")))  # fmt: skip


@spoils("openai-chat", "I01", "openai.jsonl", 2)
def openai_chat_base64_that_is_broken(out: Path) -> None:
    def cut(row: Row) -> None:
        image = row["messages"][1]["content"][1]["image_url"]
        image["url"] = image["url"][:200] + "*" + image["url"][201:]

    edit_line(out / "openai.jsonl", 2, cut)


@spoils("openai-chat", "I04", "openai.jsonl", 1)
def openai_chat_picture_of_another_kind(out: Path) -> None:
    def rename(row: Row) -> None:
        image = row["messages"][1]["content"][1]["image_url"]
        image["url"] = image["url"].replace("image/png", "image/jpeg")

    edit_line(out / "openai.jsonl", 1, rename)


@spoils("ui-tars", "X05", "ui_tars.jsonl", 1, unit="step")
def ui_tars_unknown_action(out: Path) -> None:
    edit_text(out / "ui_tars.jsonl", "Action: click(", "Action: tap(")


@spoils("ui-tars", "G01", "ui_tars.jsonl", 1, unit="step")
def ui_tars_place_beyond_a_thousand(out: Path) -> None:
    edit_text(out / "ui_tars.jsonl", "(start_box='(250,", "(start_box='(1250,")


@spoils("ui-tars", "X05", "ui_tars.jsonl", 2)
def ui_tars_bracket_left_open(out: Path) -> None:
    edit_line(out / "ui_tars.jsonl", 2, lambda row: row["messages"][2].update(
        content=row["messages"][2]["content"].removesuffix(")")))  # fmt: skip


@spoils("qwen", "X05", "qwen.jsonl", 1)
def qwen_place_with_a_dot(out: Path) -> None:
    edit_text(out / "qwen.jsonl", '\\"coordinate\\": [250,', '\\"coordinate\\": [250.5,')


@spoils("qwen", "X05", "qwen.jsonl", 1)
def qwen_call_without_its_end(out: Path) -> None:
    edit_line(out / "qwen.jsonl", 1, lambda row: row["conversations"][-1].update(
        value=row["conversations"][-1]["value"].removesuffix("\n</tool_call>")))  # fmt: skip


@spoils("ui-tars-1.5", "G01", "ui_tars.jsonl", 1, unit="step")
def ui_tars_pixels_beyond_the_resized_picture(out: Path) -> None:
    edit_line(out / "ui_tars.jsonl", 1, lambda row: row["messages"][-1].update(
        content=re.sub(r"\(\d+,", "(4000,", row["messages"][-1]["content"])))  # fmt: skip


@spoils("qwen2.5-vl", "X05", "qwen.jsonl", 3)
def qwen_pixels_unknown_action(out: Path) -> None:
    edit_line(out / "qwen.jsonl", 3, lambda row: row["conversations"][-1].update(
        value=row["conversations"][-1]["value"].replace("left_click", "tap")))  # fmt: skip


@spoils("lam", "A05", "lam.jsonl", 1)
def lam_control_that_is_not_listed(out: Path) -> None:
    edit_line(out / "lam.jsonl", 1, lambda row: edit_said(row, lambda data: data.update(control_label="1")))


@spoils("lam", "A05", "lam.jsonl", 3)
def lam_name_of_another_control(out: Path) -> None:
    edit_line(out / "lam.jsonl", 3, lambda row: edit_said(row, lambda data: data.update(control_name="Save customer")))


@spoils("lam", "A05", "lam.jsonl", 8)
def lam_name_without_a_control(out: Path) -> None:
    edit_line(out / "lam.jsonl", 8, lambda row: edit_said(row, lambda data: data.update(control_name="Save customer")))


@spoils("lam", "X05", "lam.jsonl", 2)
def lam_unknown_function(out: Path) -> None:
    edit_line(out / "lam.jsonl", 2, lambda row: edit_said(row, lambda data: data.update(function="write")))


@spoils("lam", "X05", "lam.jsonl", 3)
def lam_unknown_status(out: Path) -> None:
    edit_line(out / "lam.jsonl", 3, lambda row: edit_said(row, lambda data: data.update(status="GO ON")))


# Providers' tools -------------------------------------------------------------------------------------------------

EVERY = f"demos/{KINDS}.json"
FORM = f"demos/{SAMPLE}.json"


@spoils("openai", "X05", FORM)
def openai_place_with_a_dot(out: Path) -> None:
    edit_json(out / FORM, lambda data: action(data, "click").update(x=240.5))


@spoils("openai", "X05", EVERY)
def openai_double_click_without_keys(out: Path) -> None:
    edit_json(out / EVERY, lambda data: action(data, "double_click").pop("keys"))


@spoils("openai", "X05", FORM)
def openai_unknown_action(out: Path) -> None:
    edit_json(out / FORM, lambda data: action(data, "type").update(type="input"))


@spoils("openai", "I01", FORM)
def openai_base64_that_is_broken(out: Path) -> None:
    def cut(data: Row) -> None:
        image = data["input"][0]["content"][1]
        image["image_url"] = image["image_url"][:-9] + "?" * 9

    edit_json(out / FORM, cut)


def _tool_use(data: Row, name: str) -> Row:
    found: Row = next(part for turn in data["messages"] for part in turn["content"] if part.get("name") == name)
    return found


@spoils("anthropic", "X05", EVERY)
def anthropic_scroll_without_a_direction(out: Path) -> None:
    edit_json(out / EVERY, lambda data: _tool_use(data, "scroll")["input"].pop("scroll_direction"))


@spoils("anthropic", "X05", EVERY)
def anthropic_place_of_text(out: Path) -> None:
    edit_json(out / EVERY, lambda data: _tool_use(data, "double_click")["input"].update(coordinate=["25", "14"]))


@spoils("anthropic", "X05", EVERY)
def anthropic_unknown_tool(out: Path) -> None:
    edit_json(out / EVERY, lambda data: _tool_use(data, "middle_click").update(name="wheel_click"))


@spoils("anthropic", "X05", FORM)
def anthropic_unknown_key(out: Path) -> None:
    edit_json(out / FORM, lambda data: _tool_use(data, "key")["input"].update(text="Escapade"))


def _function(data: Row, name: str) -> Row:
    found: Row = next(
        part["function_call"]
        for turn in data["contents"]
        for part in turn["parts"]
        if part.get("function_call", {}).get("name") == name
    )
    return found


@spoils("gemini", "X05", EVERY)
def gemini_drag_without_an_end(out: Path) -> None:
    edit_json(out / EVERY, lambda data: _function(data, "drag_and_drop")["args"].pop("destination_y"))


@spoils("gemini", "X05", EVERY)
def gemini_press_enter_as_text(out: Path) -> None:
    edit_json(out / EVERY, lambda data: _function(data, "type")["args"].update(press_enter="true"))


@spoils("gemini", "G01", FORM)
def gemini_pixels_for_the_grid(out: Path) -> None:
    edit_json(out / FORM, lambda data: _function(data, "click")["args"].update(x=1700))


# Tables and documents ---------------------------------------------------------------------------------------------


@spoils("llmresponse", "A04", "steps.jsonl", 2)
def llmresponse_unknown_action(out: Path) -> None:
    edit_line(out / "steps.jsonl", 2, lambda row: row["response"]["action"].update(action_type="write"))


@spoils("llmresponse", "S01", "steps.jsonl", 4)
def llmresponse_steps_exchanged(out: Path) -> None:
    file = out / "steps.jsonl"
    rows = file.read_text(encoding="utf-8").split("\n")
    file.write_text("\n".join([*rows[:3], rows[4], rows[3], *rows[5:]]), encoding="utf-8")


@spoils("llmresponse", "G02", "steps.jsonl", 5)
def llmresponse_size_of_another_picture(out: Path) -> None:
    edit_line(out / "steps.jsonl", 5, lambda row: row.update(image_size=[1920, 1080]))


@spoils("llmresponse", "A05", "steps.jsonl", 1)
def llmresponse_box_of_another_element(out: Path) -> None:
    edit_line(out / "steps.jsonl", 1, lambda row: row["response"]["action"]["target"].update(
        bbox=row["elements"][0]["bbox"]))  # fmt: skip


@spoils("llmresponse", "A04", "episodes.jsonl", 3, unit="episode")
def llmresponse_key_that_is_none(out: Path) -> None:
    edit_line(out / "episodes.jsonl", 3, lambda row: row["steps"][6]["response"]["action"]["parameters"].update(
        key_info="Ctrl+Shift+Tee"))  # fmt: skip


@spoils("llmresponse", "H06", "steps.jsonl", 3)
def llmresponse_latin_1(out: Path) -> None:
    edit_line(out / "steps.jsonl", 3, lambda row: row.update(task="Write to Zo\u00c3\u00ab"))


@spoils("agentnet", "X05", "agentnet.jsonl", 1)
def agentnet_code_that_is_no_python(out: Path) -> None:
    edit_line(out / "agentnet.jsonl", 1, lambda row: row["traj"][0]["value"].update(code="click at (0.2, 0.3)"))


@spoils("agentnet", "X05", "agentnet.jsonl", 2)
def agentnet_words_behind_the_call(out: Path) -> None:
    def more(row: Row) -> None:
        row["traj"][0]["value"]["code"] += "\nthen wait a little"

    edit_line(out / "agentnet.jsonl", 2, more)


@spoils("agentnet", "I01", "agentnet.jsonl", 1)
def agentnet_picture_that_is_missing(out: Path) -> None:
    (out / f"images/{SAMPLE}/0003.png").unlink()


@spoils("agentnet", "G01", "agentnet.jsonl", 1)
def agentnet_place_in_pixels(out: Path) -> None:
    edit_text(out / "agentnet.jsonl", "click(x=0.25, y=0.2533)", "click(x=240, y=152)")


@spoils("agentnet", "S01", "agentnet.jsonl", 1)
def agentnet_step_that_is_missing(out: Path) -> None:
    edit_line(out / "agentnet.jsonl", 1, lambda row: row["traj"].pop(4))


@spoils("uipath", "X05", "planner.jsonl", 1)
def uipath_unknown_action(out: Path) -> None:
    edit_line(out / "planner.jsonl", 1, lambda row: row["answer"]["action"].update(type="tap"))


@spoils("uipath", "X05", "planner.jsonl", 2)
def uipath_type_without_a_text(out: Path) -> None:
    edit_line(out / "planner.jsonl", 2, lambda row: row["answer"]["action"].pop("parameters"))


@spoils("uipath", "X05", f"steps/{SAMPLE}.json")
def uipath_record_of_another_action(out: Path) -> None:
    def rename(data: Row) -> None:
        more = data["steps"][0]["additional_parameters"]
        more["plan_action"] = more["plan_action"].replace('"click"', '"press"')

    edit_json(out / f"steps/{SAMPLE}.json", rename)


TRAJECTORY = f"results/{KINDS}/traj.jsonl"


@spoils("osworld", "X05", TRAJECTORY, 1)
def osworld_unknown_action(out: Path) -> None:
    edit_line(out / TRAJECTORY, 1, lambda row: row["action"].update(action_type="DOUBLECLICK"))


@spoils("osworld", "I01", TRAJECTORY, 2)
def osworld_picture_that_is_missing(out: Path) -> None:
    edit_line(out / TRAJECTORY, 2, lambda row: row.update(screenshot_file="step_99.png"))


@spoils("osworld", "G01", TRAJECTORY, 2)
def osworld_place_of_a_larger_screen(out: Path) -> None:
    edit_line(out / TRAJECTORY, 2, lambda row: row["action"]["parameters"].update(x=1500))


@spoils("osworld", "S01", TRAJECTORY, 3)
def osworld_numbers_with_a_gap(out: Path) -> None:
    edit_line(out / TRAJECTORY, 3, lambda row: row.update(step_num=7))


@spoils("pix2struct", "A04", "train/metadata.jsonl", 1)
def pix2struct_unknown_action(out: Path) -> None:
    edit_line(out / "train/metadata.jsonl", 1, lambda row: row.update(text=row["text"].replace("click", "tap")))


@spoils("pix2struct", "A04", "train/metadata.jsonl", 2)
def pix2struct_bracket_left_open(out: Path) -> None:
    edit_line(out / "train/metadata.jsonl", 2, lambda row: row.update(text=row["text"][:-1]))


@spoils("atif", "A04", FORM)
def atif_unknown_function(out: Path) -> None:
    edit_json(out / FORM, lambda data: data["steps"][1]["tool_calls"][0].update(function_name="press"))


@spoils("atif", "G01", FORM)
def atif_box_of_another_target(out: Path) -> None:
    edit_json(out / FORM, lambda data: data["steps"][1]["extra"].update(target_box=[10, 10, 50, 20]))


@spoils("openadapt", "X05", EVERY)
def openadapt_unknown_type(out: Path) -> None:
    edit_json(out / EVERY, lambda data: data["steps"][0]["action"].update(type="dblclick"))


@spoils("openadapt", "G01", FORM)
def openadapt_drag_the_other_way_round(out: Path) -> None:
    def turn(data: Row) -> None:
        drag = next(step["action"] for step in data["steps"] if step["action"]["type"] == "drag")
        start, end = drag["target"], drag["drag_end"]
        start["x"], start["y"], end["x"], end["y"] = end["x"], end["y"], start["x"], start["y"]
        shares = drag["normalized_end"], drag["normalized_coordinates"]
        drag["normalized_coordinates"], drag["normalized_end"] = shares

    edit_json(out / FORM, turn)


@spoils("openadapt", "G01", FORM)
def openadapt_fractions_of_another_place(out: Path) -> None:
    edit_json(out / FORM, lambda data: data["steps"][0]["action"].update(normalized_coordinates=[0.9, 0.9]))


@spoils("huggingface", "A04", "data/train-00000.parquet", 2)
def huggingface_unknown_action(out: Path) -> None:
    parquet(out, lambda rows: rows[1].update(response=rows[1]["response"].replace('"type"', '"write"')))


@spoils("huggingface", "G01", "data/train-00000.parquet", 1)
def huggingface_box_of_another_target(out: Path) -> None:
    parquet(out, lambda rows: rows[0].update(target_box=[0, 0, 10, 10]))


@spoils("huggingface", "A05", "data/train-00000.parquet", 1)
def huggingface_element_that_is_not_in_the_list(out: Path) -> None:
    parquet(out, lambda rows: rows[0].update(elements=rows[0]["elements"][:2]))


@spoils("webdataset", "A05", "train-00000.tar", 2)
def webdataset_element_that_is_not_in_the_list(out: Path) -> None:
    file = out / "train-00000.tar"
    data = file.read_bytes()
    assert b'\\"element_id\\": 4' in data
    file.write_bytes(data.replace(b'\\"element_id\\": 4', b'\\"element_id\\": 0', 1).replace(
        b'\\"element_id\\": 0', b'\\"element_id\\":44', 1))  # fmt: skip


GROUNDS = "train/metadata.jsonl"


@spoils("grounding", "G01", GROUNDS, 3)
def grounding_point_beside_its_box(out: Path) -> None:
    edit_line(out / GROUNDS, 3, lambda row: row.update(point=[1, 1]))


@spoils("grounding", "G01", GROUNDS, 4)
def grounding_thousandths_of_another_box(out: Path) -> None:
    edit_line(out / GROUNDS, 4, lambda row: row.update(box_1000=[0, 0, 10, 10]))


@spoils("grounding", "X05", "train.jsonl", 5)
def grounding_answer_of_another_row(out: Path) -> None:
    edit_line(out / "train.jsonl", 5, lambda row: row["messages"][1].update(content="(7,8)"))


@spoils("grounding", "X05", GROUNDS, 6)
def grounding_instruction_of_another_name(out: Path) -> None:
    edit_line(out / GROUNDS, 6, lambda row: row.update(instruction='Point at the button "Nothing".'))


@spoils("grounding", "X05", GROUNDS, 6)
def grounding_name_that_is_not_asked_for(out: Path) -> None:
    edit_line(out / GROUNDS, 6, lambda row: row.update(name=row["name"] + ' beside "Ada"'))


@spoils("grounding", "X05", "train.jsonl", 4)
def grounding_question_of_another_row(out: Path) -> None:
    edit_line(out / "train.jsonl", 4, lambda row: row["messages"][0].update(
        content=row["messages"][0]["content"].replace("Point at", "Click")))  # fmt: skip


@spoils("grounding", "X05", "train.jsonl", 5)
def grounding_question_about_another_picture(out: Path) -> None:
    other = f"train/images/{SAMPLE}/0002.png"
    edit_line(out / "train.jsonl", 5, lambda row: row.update(images=[other]))


@spoils("grounding", "H03", GROUNDS, 7)
def grounding_distractors_that_are_not_there(out: Path) -> None:
    edit_line(out / GROUNDS, 7, lambda row: row.update(distractors=row["distractors"] + 1))


@spoils("grounding", "G01", GROUNDS, 7)
def grounding_distractor_off_the_picture(out: Path) -> None:
    edit_line(out / GROUNDS, 7, lambda row: row.update(distractors=1, distractor_boxes=[[1, 1, 9000, 9]]))


@spoils("grounding", "A05", GROUNDS, 4)
def grounding_number_of_a_foreign_element(out: Path) -> None:
    edit_line(out / GROUNDS, 3, lambda row: row.update(element_id=77))


@spoils("grounding", "A05", GROUNDS, 3)
def grounding_number_of_an_element_before(out: Path) -> None:
    edit_line(out / GROUNDS, 3, lambda row: row.update(element_id=1))


@spoils("grounding", "A05", GROUNDS, 5)
def grounding_step_on_another_element(out: Path) -> None:
    edit_line(out / GROUNDS, 5, lambda row: row.update(element_id=row["element_id"] + (row["kind"] == "step")))


@spoils("grounding", "H03", GROUNDS, 2)
def grounding_way_of_naming_that_is_none(out: Path) -> None:
    edit_line(out / GROUNDS, 2, lambda row: row.update(named_by="guess"))


@spoils("grounding", "A05", GROUNDS, 6)
def grounding_text_of_another_element(out: Path) -> None:
    edit_line(out / GROUNDS, 6, lambda row: row.update(text="Order 1007"))


@spoils("grounding", "H03", GROUNDS, 6)
def grounding_type_that_is_none(out: Path) -> None:
    edit_line(out / GROUNDS, 6, lambda row: row.update(type="banana"))


@spoils("grounding", "A05", GROUNDS, 7)
def grounding_distractor_that_is_the_element(out: Path) -> None:
    edit_line(out / GROUNDS, 7, lambda row: row.update(distractors=1, distractor_boxes=[row["box"]]))


def rewards(folder: Path, change: Callable[[list[Row]], object]) -> None:
    file = folder / "train-00000.parquet"
    table = pq.read_table(file)
    rows = table.to_pylist()
    change(rows)
    pq.write_table(table.schema.empty_table().from_pylist(rows, schema=table.schema), file)


@spoils("rl", "X05", "train-00000.parquet", 2)
def rl_answer_of_another_row(out: Path) -> None:
    rewards(out, lambda rows: rows[1].update(answer=rows[0]["answer"]))


@spoils("rl", "X03", "train-00000.parquet", 1)
def rl_prompt_without_a_place_for_its_picture(out: Path) -> None:
    rewards(out, lambda rows: rows[0]["prompt"][1].update(content="Task: nothing to see"))


def truths(folder: Path, row: int, change: Callable[[Row], object]) -> None:
    """Change what is right at a row, in both places where it stands."""

    def edit(rows: list[Row]) -> None:
        truth = json.loads(rows[row - 1]["answer"])
        change(truth)
        rows[row - 1]["answer"] = rows[row - 1]["reward_model"]["ground_truth"] = json.dumps(truth)

    rewards(folder, edit)


TRUTHS = "train-00000.parquet"


@spoils("rl", "A05", TRUTHS, 1)
def rl_nothing_is_right(out: Path) -> None:
    truths(out, 1, lambda truth: truth.update(targets=[]))


@spoils("rl", "A05", TRUTHS, 1)
def rl_target_without_its_box(out: Path) -> None:
    truths(out, 1, lambda truth: truth["targets"][0].update(box=None))


@spoils("rl", "A05", TRUTHS, 1)
def rl_target_that_is_another_element(out: Path) -> None:
    truths(out, 1, lambda truth: truth.update(targets=[{"box": (other := truth["elements"][-1])["box"],
                                                       "element_id": other["element_id"]}]))  # fmt: skip


@spoils("rl", "X05", TRUTHS, 3)
def rl_task_that_is_done_too_early(out: Path) -> None:
    truths(out, 3, lambda truth: truth.update(statuses=["success"]))


@spoils("rl", "X05", TRUTHS, 11)
def rl_end_that_goes_on(out: Path) -> None:
    truths(out, 11, lambda truth: truth.update(statuses=["continue"]))


@spoils("rl", "X05", TRUTHS, 2)
def rl_problem_of_another_row(out: Path) -> None:
    rewards(out, lambda rows: rows[1].update(problem=rows[0]["problem"]))


@spoils("rl", "S01", TRUTHS, 4)
def rl_number_of_another_step(out: Path) -> None:
    rewards(out, lambda rows: rows[3]["extra_info"].update(number=7))


def aims(out: Path, row: int, **fields: Any) -> None:
    """Change what the action of a row was done to."""
    truths(out, row, lambda truth: truth["action"]["target"].update(fields))


@spoils("rl", "A05", TRUTHS, 4)
def rl_action_on_an_element_that_is_not_listed(out: Path) -> None:
    aims(out, 4, element_id=999)


@spoils("rl", "A05", TRUTHS, 4)
def rl_action_on_the_number_of_another_element(out: Path) -> None:
    aims(out, 4, element_id=13)


@spoils("rl", "A05", TRUTHS, 2)
def rl_action_on_the_name_of_another_element(out: Path) -> None:
    aims(out, 2, track_id="country_0")


@spoils("rl", "A05", TRUTHS, 4)
def rl_action_on_another_box(out: Path) -> None:
    aims(out, 4, bbox=[0.7, 0.7, 0.1, 0.1])


@spoils("rl", "A05", TRUTHS, 4)
def rl_action_on_another_text(out: Path) -> None:
    aims(out, 4, text="Nowhere")


@spoils("rl", "A05", TRUTHS, 6)
def rl_drag_that_ends_on_another_element(out: Path) -> None:
    truths(out, 6, lambda truth: truth["action"]["parameters"]["end_target"].update(element_id=3))


@spoils("rl", "A05", TRUTHS, 4)
def rl_ends_of_an_action_that_has_none(out: Path) -> None:
    truths(out, 4, lambda truth: truth.update(ends=truth["targets"]))


@spoils("rl", "X05", TRUTHS, 2)
def rl_row_of_another_source(out: Path) -> None:
    rewards(out, lambda rows: rows[1].update(data_source="gsm8k"))


@spoils("rl", "X05", TRUTHS, 2)
def rl_reward_of_another_style(out: Path) -> None:
    rewards(out, lambda rows: rows[1]["reward_model"].update(style="model"))


@spoils("rl", "X05", "reward.py")
def rl_reward_of_another_name(out: Path) -> None:
    edit_text(out / "reward.py", "import REWARD_NAME", "import REWARD_NAME as")


# Texts ------------------------------------------------------------------------------------------------------------

SCRIPT = f"scripts/{SAMPLE}.txt"


@spoils("caap", "X05", SCRIPT, 4)
def caap_unknown_action(out: Path) -> None:
    edit_text(out / SCRIPT, "action_2: {name: click_element", "action_2: {name: tap_element")


@spoils("caap", "S01", SCRIPT, 5)
def caap_numbers_with_a_gap(out: Path) -> None:
    edit_text(out / SCRIPT, "action_3:", "action_9:")


@spoils("caap", "G01", SCRIPT, 4)
def caap_middle_beside_its_edges(out: Path) -> None:
    edit_text(out / SCRIPT, "X: 240 [60-420]", "X: 500 [60-420]")


@spoils("caap", "X05", SCRIPT, 4)
def caap_line_that_was_cut_off(out: Path) -> None:
    edit_text(out / SCRIPT, 'A cursor appears in the field."}', "A cur")


PROGRAM = f"{TINY}.py"


@spoils("pyautogui", "X05", PROGRAM, 12)
def pyautogui_bracket_left_open(out: Path) -> None:
    edit_text(out / PROGRAM, "click(x=15, y=15)", "click(x=15, y=15")


@spoils("pyautogui", "X05", PROGRAM, 12)
def pyautogui_unknown_call(out: Path) -> None:
    edit_text(out / PROGRAM, "pyautogui.click(", "pyautogui.tap(")


@spoils("pyautogui", "X05", PROGRAM, 12)
def pyautogui_fractions_for_pixels(out: Path) -> None:
    edit_text(out / PROGRAM, "x=15, y=15", "x=0.2, y=0.3")


def _skill(out: Path) -> Path:
    return next(file for file in out.glob("*/SKILL.md") if "Go and greet" in file.read_text(encoding="utf-8"))


@spoils("skill", "A04", "go-and-greet/SKILL.md", 17)
def skill_unknown_action(out: Path) -> None:
    edit_text(_skill(out), '"action_type": "click"', '"action_type": "tap"')


@spoils("skill", "H03", "go-and-greet/SKILL.md", 2)
def skill_of_another_name(out: Path) -> None:
    edit_text(_skill(out), "name: go-and-greet", "name: Go and greet")


@spoils("skill", "I01", "go-and-greet/SKILL.md", 14)
def skill_picture_that_is_missing(out: Path) -> None:
    (out / "go-and-greet/images/001.png").unlink()


@spoils("tutorial", "I01", f"{TINY}.md", 7)
def tutorial_picture_that_is_missing(out: Path) -> None:
    (out / f"{TINY}-images/001.png").unlink()


@spoils("tutorial", "H04", f"{TINY}.html")
def tutorial_page_that_was_cut_off(out: Path) -> None:
    file = out / f"{TINY}.html"
    file.write_text(file.read_text(encoding="utf-8")[:-100], encoding="utf-8")


RESULT = f"dataflow/execution_pass/{TINY}.json"


def _plan(data: Row) -> list[Row]:
    plan: list[Row] = data["instantiation_result"]["prefill"]["result"]["instantiated_plan"]
    return plan


@spoils("ufo", "X05", RESULT)
def ufo_unknown_function(out: Path) -> None:
    edit_json(out / RESULT, lambda data: _plan(data)[0].update(Function="tap"))


@spoils("ufo", "S01", RESULT)
def ufo_step_twice(out: Path) -> None:
    edit_json(out / RESULT, lambda data: _plan(data)[1].update(Step=1))


@spoils("ufo", "X05", RESULT)
def ufo_result_in_the_wrong_folder(out: Path) -> None:
    edit_json(out / RESULT, lambda data: data["execution_result"]["result"].update(complete="no"))


# What is said once for all ----------------------------------------------------------------------------------------


@spoils("yolo", "X05", "data.yaml")
def yolo_names_exchanged(out: Path) -> None:
    edit_text(out / "data.yaml", "4: button", "4: radio")


@spoils("coco", "X05", BOXES)
def coco_categories_renamed(out: Path) -> None:
    edit_json(out / BOXES, lambda data: data["categories"][4].update(name="knob"))


@spoils("gemini", "X05", FORM)
def gemini_tool_of_another_interface(out: Path) -> None:
    edit_json(out / FORM, lambda data: data.update(tools=[{"type": "computer_use"}]))


@spoils("anthropic", "X05", FORM)
def anthropic_toolset_of_another_name(out: Path) -> None:
    edit_json(out / FORM, lambda data: _tool_use(data, "key").update(toolset_name="browser"))


@spoils("atif", "X05", FORM)
def atif_version_that_is_none(out: Path) -> None:
    edit_json(out / FORM, lambda data: data.update(schema_version="ATIF-v9"))


@spoils("ui-tars", "X05", "ui_tars.jsonl", 2)
def ui_tars_loss_on_the_question(out: Path) -> None:
    edit_line(out / "ui_tars.jsonl", 2, lambda row: row["messages"][1].update(loss_mask=1))


@spoils("swift", "X05", "swift.jsonl", 3)
def swift_boxes_of_another_scale(out: Path) -> None:
    edit_line(out / "swift.jsonl", 3, lambda row: row["objects"].update(bbox_type="norm1"))


@spoils("openadapt", "H03", FORM)
def openadapt_parent_that_is_not_shown(out: Path) -> None:
    edit_json(out / FORM, lambda data: data["steps"][1]["observation"]["nodes"][0].update(parent_id="99"))


# Whatever the format is -------------------------------------------------------------------------------------------


@spoils("trl", "I05", "train/Thumbs.db")
def a_stray_file(out: Path) -> None:
    (out / "train/Thumbs.db").write_bytes(b"\xd0\xcf\x11\xe0")


@spoils("uipath", "X02", f"steps/{TINY}.json")
def a_file_that_is_missing(out: Path) -> None:
    (out / f"steps/{TINY}.json").unlink()


@spoils("qwen", "X02", "EXPORT_LOG.json")
def a_row_that_is_missing(out: Path) -> None:
    file = out / "qwen.jsonl"
    file.write_text(file.read_text(encoding="utf-8").partition("\n")[2], encoding="utf-8")


@spoils("ui-tars-1.5", "X02", "EXPORT_LOG.json", unit="episode")
def an_answer_that_is_missing(out: Path) -> None:
    edit_line(
        out / "ui_tars.jsonl", 1, lambda row: row.update(messages=row["messages"][:-2], images=row["images"][:-1])
    )


@spoils("qwen2.5-vl", "X02", "EXPORT_LOG.json", unit="episode")
def another_answer_that_is_missing(out: Path) -> None:
    edit_line(out / "qwen.jsonl", 1, lambda row: row.update(
        conversations=row["conversations"][:-2], image=row["image"][:-1]))  # fmt: skip


@spoils("llmresponse", "H03", "steps.jsonl", 1)
def a_field_that_is_missing(out: Path) -> None:
    edit_line(out / "steps.jsonl", 1, lambda row: row.pop("task"))


@spoils("lam", "H03", "lam.jsonl", 3)
def a_field_of_another_name(out: Path) -> None:
    edit_line(out / "lam.jsonl", 3, lambda row: row.update(meta=row.pop("metadata")))


@spoils("atif", "X02", "EXPORT_LOG.json")
def a_log_of_no_format(out: Path) -> None:
    edit_json(out / "EXPORT_LOG.json", lambda log: log.update(format="atiff"))


# ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES, ids=[case.spoil.__name__ for case in CASES])
def test_what_is_wrong_is_named(exports: Path, tmp_path: Path, case: Case) -> None:
    shutil.copytree(of(exports, case.format, case.unit), tmp_path / "out", copy_function=shutil.copyfile)
    case.spoil(tmp_path / "out")
    found = {(one.rule, one.file, one.line) for one in check_path(tmp_path / "out").findings}
    assert (case.rule, case.file, case.line) in found
    assert {file for _, file, _ in found} <= {case.file, "EXPORT_LOG.json", *_also(case)}


@pytest.mark.parametrize("fields", [{"point": [1, 1]}, {"text": "Nothing"}, {"box": None}, {"name": "it"}])
def test_a_step_on_an_element_of_which_something_is_told_is_no_error(
    exports: Path, tmp_path: Path, fields: Row
) -> None:
    out = tmp_path / "out"
    shutil.copytree(of(exports, "grounding"), out, copy_function=shutil.copyfile)
    edit_line(out / GROUNDS, 77, lambda row: row.update(fields))
    assert {(one.file, one.line) for one in check_path(out).findings if one.rule != "X05"} <= {(GROUNDS, 77)}


def test_places_boxes_and_pictures_are_counted_each_by_themselves(exports: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    shutil.copytree(of(exports, "swift"), out, copy_function=shutil.copyfile)
    edit_text(out / "swift.jsonl", "<bbox>", "[1, 2]")
    (found,) = [one for one in check_path(out).findings if one.rule == "X03"]
    assert re.fullmatch(
        r"(\d+) places for boxes \(<bbox>\), (\d+) boxes, \2 numbers of pictures in image_id\.", found.message
    )


def _also(case: Case) -> set[str]:
    """Files that hold the same, or name it: a picture of two pages, a demo of two texts."""
    return {"grounding": {"train.jsonl"}, "tutorial": {f"{TINY}.html"}, "skill": {"go-and-greet/images/001.png"}}.get(
        case.format, set()
    ) | {f"train/images/{SAMPLE}/0002.png"}


@pytest.mark.parametrize("name", NAMES)
def test_every_format_has_its_spoils(name: str) -> None:
    assert any(case.format == name for case in CASES)
