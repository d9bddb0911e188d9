"""What ``demopack check`` says of exports that were spoilt: every format, seventy-two spoils, one at a time.

Usage: python benchmarks/spoilt_exports.py [WORD...]. With words, only spoils whose format or description holds one.

Two packs (a form of eleven steps; one demo with every kind of action) are exported in all formats, for each step and
for each episode where a format knows both. The untouched exports are checked first: each error or warning there is a
false alarm; an answer that the folder is not known is counted by itself. Then a copy is spoilt in one place and checked
as a person does it, by the command; what the untouched export had anyway does not count.

A spoil is *named* if an error or a warning tells the file, and the row where the spoilt thing is a row, and says one of
the words that were written down with the spoil. Group a are the spoils of an earlier trial, b are others,
c are those of grounding rows and rows for reinforcement learning.
"""

from __future__ import annotations

import importlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from demopack.codecs.sets.base import ExportOptions
from demopack.codecs.sets.catalogue import NAMES, exporter
from demopack.pack.reader import open_packs
from demopack.pack.writer import export_pack
from demopack.store import Library

FORM, KINDS = "form", "kinds"
LOG = "EXPORT_LOG.json"
_GOAL = 67
_COUNTED = re.compile(r"\b\d+ (?:error|warning)s?\b")
_RULE = re.compile(r"^(error|warning) (\w+): ")
_FOUND = re.compile(r"^ {2}(?!-> |\.\.\. and )(\S.*?)(?::(\d+))? {2}(.*)$")


@dataclass(frozen=True)
class Place:
    """Where a spoil is: a finding has to tell one of the files and, if there are rows, one of them."""

    files: tuple[str, ...]
    rows: tuple[int, ...] = ()
    keys: tuple[str, ...] = ()
    """Names of the row that are as good as its number."""


@dataclass(frozen=True)
class Spoil:
    """One thing that is done to a copy of an export, and the words of which a finding must say one."""

    group: str
    format: str
    what: str
    do: Callable[[Path], Place]
    words: tuple[str, ...]
    pack: str = FORM
    publish: bool = False


@dataclass(frozen=True)
class Found:
    """An error or a warning as it is printed."""

    severity: str
    file: str
    row: int | None
    text: str


# How copies are spoilt. Each asserts that there was something to spoil.


def one(folder: Path, pattern: str) -> Path:
    """The first file of the folder that fits."""
    return min(folder.glob(pattern))


def named(folder: Path, file: Path) -> str:
    return file.relative_to(folder).as_posix()


def text_swap(pattern: str, old: str, new: str) -> Callable[[Path], Place]:
    """Replace the first occurrence in a file that is one document."""

    def do(folder: Path) -> Place:
        file = one(folder, pattern)
        text = file.read_text("utf-8")
        assert old in text, old
        file.write_text(text.replace(old, new, 1), "utf-8")
        return Place((named(folder, file),))

    return do


def row_swap(name: str, row: int, old: str, new: str) -> Callable[[Path], Place]:
    """Replace the last occurrence in a row of JSON Lines, or of any text with a thing on each line."""

    def do(folder: Path) -> Place:
        file = one(folder, name)
        lines = file.read_text("utf-8").split("\n")
        assert old in lines[row - 1], lines[row - 1][-600:]
        lines[row - 1] = new.join(lines[row - 1].rsplit(old, 1))
        file.write_text("\n".join(lines), "utf-8")
        return Place((named(folder, file),), (row,))

    return do


def json_change(pattern: str, change: Callable[[Any], object]) -> Callable[[Path], Place]:
    """Change a JSON document in place."""

    def do(folder: Path) -> Place:
        file = one(folder, pattern)
        value = json.loads(file.read_text("utf-8"))
        before = json.dumps(value)
        change(value)
        assert json.dumps(value) != before
        file.write_text(json.dumps(value, ensure_ascii=False, indent=2) + "\n", "utf-8")
        return Place((named(folder, file),))

    return do


def row_change(name: str, row: int, change: Callable[[Any], object]) -> Callable[[Path], Place]:
    """Change a row of JSON Lines in place."""

    def do(folder: Path) -> Place:
        file = folder / name
        lines = file.read_text("utf-8").split("\n")
        value = json.loads(lines[row - 1])
        change(value)
        changed = json.dumps(value, ensure_ascii=False)
        assert changed != lines[row - 1]
        lines[row - 1] = changed
        file.write_text("\n".join(lines), "utf-8")
        return Place((name,), (row,))

    return do


def without_file(pattern: str, *users: str) -> Callable[[Path], Place]:
    """Remove a file. Either it is named, or a user of it, and then the row there that uses it."""

    def do(folder: Path) -> Place:
        gone = one(folder, pattern)
        gone.unlink()
        files, rows = [named(folder, gone)], list[int]()
        for user in users:
            file = one(folder, user)
            files.append(named(folder, file))
            lines = file.read_text("utf-8").split("\n")
            if file.suffix == ".jsonl":
                rows += [number for number, line in enumerate(lines, start=1) if gone.name in line]
        return Place(tuple(files), tuple(rows))

    return do


def without_row(name: str, row: int) -> Callable[[Path], Place]:
    """Remove a row; the log still counts it."""

    def do(folder: Path) -> Place:
        lines = (folder / name).read_text("utf-8").split("\n")
        del lines[row - 1]
        (folder / name).write_text("\n".join(lines), "utf-8")
        return Place((name, LOG))

    return do


def doubled_row(name: str, row: int) -> Callable[[Path], Place]:
    """Put a row in the place of the next, so that there are as many as before."""

    def do(folder: Path) -> Place:
        lines = (folder / name).read_text("utf-8").split("\n")
        lines[row] = lines[row - 1]
        (folder / name).write_text("\n".join(lines), "utf-8")
        return Place((name,), (row, row + 1))

    return do


def cut_line(name: str) -> Callable[[Path], Place]:
    """The file ends in the middle of its last row."""

    def do(folder: Path) -> Place:
        lines = (folder / name).read_text("utf-8").rstrip("\n").split("\n")
        lines[-1] = lines[-1][: len(lines[-1]) // 2]
        (folder / name).write_text("\n".join(lines), "utf-8")
        return Place((name,), (len(lines),))

    return do


def stray(name: str) -> Callable[[Path], Place]:
    """A file that nobody asked for."""

    def do(folder: Path) -> Place:
        (folder / name).write_bytes(b"\xd0\xcf\x11\xe0 made by a file manager")
        return Place((name,))

    return do


def jpeg_as_png(pattern: str) -> Callable[[Path], Place]:
    """Another type of picture under the same name."""

    def do(folder: Path) -> Place:
        from PIL import Image

        file = one(folder, pattern)
        with Image.open(file) as opened:
            image = opened.convert("RGB")
        file.unlink()
        image.save(file, format="JPEG", quality=95)
        return Place((named(folder, file),))

    return do


def text_in_png(pattern: str) -> Callable[[Path], Place]:
    """The same pixels with a note about the author inside."""

    def do(folder: Path) -> Place:
        from PIL import Image, PngImagePlugin

        file = one(folder, pattern)
        with Image.open(file) as opened:
            image = opened.convert("RGB")
        note = PngImagePlugin.PngInfo()
        note.add_text("Author", "Ada Lovelace, St James's Square 12, London")
        file.unlink()
        image.save(file, format="PNG", pnginfo=note)
        return Place((named(folder, file),))

    return do


def tar_change(name: str, member: str, row: int, change: Callable[[bytes], bytes | None]) -> Callable[[Path], Place]:
    """Write a shard anew with one member changed, or left out where the change gives None."""

    def do(folder: Path) -> Place:
        with tarfile.open(folder / name) as shard:
            members = [(info, shard.extractfile(info)) for info in shard.getmembers()]
            content = [(info, stream.read()) for info, stream in members if stream is not None]
        assert any(info.name == member for info, _ in content), [info.name for info, _ in content]
        with tarfile.open(folder / name, "w") as shard:
            for info, data in content:
                kept = change(data) if info.name == member else data
                if kept is not None:
                    info.size = len(kept)
                    shard.addfile(info, io.BytesIO(kept))
        return Place((name,), (row,), (member.split(".", maxsplit=1)[0],))

    return do


def parquet_change(
    name: str, row: int | None, change: Callable[[list[dict[str, Any]]], object]
) -> Callable[[Path], Place]:
    """Write a table anew after its rows were changed in place; its schema stays."""

    def do(folder: Path) -> Place:
        # By name, because they have no types.
        pa: Any = importlib.import_module("pyarrow")
        pq: Any = importlib.import_module("pyarrow.parquet")
        table: Any = pq.read_table(folder / name)
        rows: list[dict[str, Any]] = table.to_pylist()
        change(rows)
        pq.write_table(pa.Table.from_pylist(rows, schema=table.schema), folder / name)
        return Place((name, LOG)) if row is None else Place((name,), (row,))

    return do


# What is changed where a replaced text does not say it.


def float_x(example: dict[str, Any]) -> None:
    call = next(item for item in example["input"] if item.get("type") == "computer_call")
    call["actions"][0]["x"] += 0.5


def unanswered(example: dict[str, Any]) -> None:
    """The first call of Anthropic's tool gets words instead of its result."""
    messages = example["messages"]
    at = next(n for n, turn in enumerate(messages) if any(part["type"] == "tool_result" for part in turn["content"]))
    messages[at]["content"] = [{"type": "text", "text": "Done."}]


def far_right(example: dict[str, Any]) -> None:
    """Gemini's first click goes to x = 1500 of 1000."""
    parts = [part for turn in example["contents"] for part in turn["parts"]]
    call = next(part["function_call"] for part in parts if "x" in part.get("function_call", {}).get("args", {}))
    call["args"]["x"] = 1500


def turned_drag(episode: dict[str, Any]) -> None:
    """The drag of OpenAdapt's episode goes from its end to its start; the elements that it names stay."""
    action = next(step["action"] for step in episode["steps"] if step["action"]["type"] == "drag")
    start, end = action["target"], action["drag_end"]
    for axis in ("x", "y"):
        start[axis], end[axis] = end[axis], start[axis]
    pair = action["normalized_coordinates"], action["normalized_end"]
    action["normalized_end"], action["normalized_coordinates"] = pair


def half_picture(rows: list[dict[str, Any]]) -> None:
    data = rows[2]["image"]["bytes"]
    rows[2]["image"]["bytes"] = data[: len(data) // 2]


def foreign_element(rows: list[dict[str, Any]]) -> None:
    assert '"element_id": 4' in rows[1]["response"]
    rows[1]["response"] = rows[1]["response"].replace('"element_id": 4', '"element_id": 77')


def python_for_json(rows: list[dict[str, Any]]) -> None:
    """The truth of the third row is Python's repr, as it comes of str() instead of json.dumps()."""
    text = str(json.loads(rows[2]["answer"]))
    rows[2]["reward_model"]["ground_truth"] = rows[2]["answer"] = text


def row_of(number: int, change: Callable[[Any], object]) -> Callable[[list[dict[str, Any]]], object]:
    """Change a row of a table."""
    return lambda rows: change(rows[number - 1])


def truth_of(number: int, change: Callable[[Any], object]) -> Callable[[list[dict[str, Any]]], object]:
    """Change what is right at a row, in both places where it stands."""

    def both(rows: list[dict[str, Any]]) -> None:
        row = rows[number - 1]
        truth = json.loads(row["answer"])
        change(truth)
        row["answer"] = row["reward_model"]["ground_truth"] = json.dumps(truth)

    return both


def plan_step(number: int, change: Callable[[Any], object]) -> Callable[[Any], object]:
    """Change a step of UFO's plan."""
    return lambda result: change(result["instantiation_result"]["prefill"]["result"]["instantiated_plan"][number])


OFF = ("beyond", "outside", "off the")
META = "train/metadata.jsonl"

EARLIER: tuple[tuple[str, str, Callable[[Path], Place], tuple[str, ...]], ...] = (
    ("yolo", "a class beyond the names", row_swap("labels/train/*0002.txt", 1, "0 0.167708", "99 0.167708"),
     ("99", "class")),
    ("yolo", "a label file is missing", without_file("labels/train/*0002.txt"), ("label", "missing")),
    ("yolo", "a box's middle at 1.5", row_swap("labels/train/*0002.txt", 2, "0 0.098958", "0 1.5"),
     ("1.5", "0..1", *OFF)),
    ("coco", "two annotations of one id", json_change(
        "annotations/instances.json", lambda coco: coco["annotations"][1].update(id=1)),
     ("twice", "double", "duplicate", "same id", "two annotations", "two ids", "more than once", "unique", "again")),
    ("coco", "a box off its picture", json_change(
        "annotations/instances.json", lambda coco: coco["annotations"][0].update(bbox=[900, 62, 202, 28])),
     (*OFF, "900", "960")),
    ("coco", "width and height changed about", json_change(
        "annotations/instances.json", lambda coco: coco["images"][0].update(width=600, height=960)),
     ("size", "600", "960")),
    ("swift", "one <bbox> less than boxes",
     row_swap("swift.jsonl", 2, '\\"bbox\\": <bbox>', '\\"bbox\\": [60, 134]'), ("bbox", "boxes")),
    ("swift", "a box beyond the picture",
     row_swap("swift.jsonl", 2, "[60, 62, 262, 90]", "[60, 62, 1262, 90]"), ("1262", *OFF)),
    ("openai", "x is no whole number", json_change("demos/*.json", float_x), ("240.5", "whole", "integer")),
    ("openai-chat", "broken base64", row_swap("openai.jsonl", 2, "base64,iVBOR", "base64,@@@@@"),
     ("base64", "decode", "picture")),
    ("llmresponse", "an unknown action_type",
     row_swap("steps.jsonl", 1, '"action_type": "click"', '"action_type": "poke"'), ("poke",)),
    ("ui-tars", "an unknown action", row_swap("ui_tars.jsonl", 1, "click(start_box='(250,253)')",
                                              "press_hard(start_box='(250,253)')"), ("press_hard",)),
    ("agentnet", "code that is no Python", row_swap("agentnet.jsonl", 1, "click(x=0.25, y=0.2533)",
                                                    "click(x=0.25, y=0.2533"),
     ("python", "code", "parse", "syntax", "pyautogui.click")),
    ("agentnet", "a picture is missing", without_file("images/*/0003.png", "agentnet.jsonl"), ("0003.png",)),
    ("sharegpt", "dataset_info.json names no file", text_swap("dataset_info.json", '"demos.jsonl"', '"demo.jsonl"'),
     ("demo.jsonl", "file_name")),
    ("caap", "an unknown function", text_swap("scripts/*.txt", "name: click_element", "name: clik_element"),
     ("clik_element",)),
    ("pyautogui", "a bracket is not closed", text_swap("demo_*.py", "click(x=240, y=152)", "click(x=240, y=152"),
     ("python", "parse", "syntax", "closed", "pyautogui.click", "compile")),
    ("skill", "a picture is missing", without_file("*/images/003.png", "*/SKILL.md"), ("003.png",)),
    ("tutorial", "a picture is missing", without_file("*-images/003.png", "demo_*.html", "demo_*.md"), ("003.png",)),
    ("ufo", "an unknown function", json_change(
        "dataflow/*/*.json", plan_step(0, lambda step: step.update(Function="clik_input"))), ("clik_input",)),
    ("trl", "a picture is missing", without_file("train/images/*/0003.png", META), ("0003.png",)),
    ("sharegpt", "a row less than the log counts", without_row("demos.jsonl", 4), ("rows", "lines")),
    ("trl-messages", "the last line is cut", cut_line(META), ("json", "cut")),
    ("sharegpt", "the assistant asks", row_swap("demos.jsonl", 4, '"role": "user"', '"role": "assistant"'),
     ("user", "assistant", "turn", "role")),
    ("trl", "a JPEG called .png", jpeg_as_png("train/images/*/0002.png"), ("jpeg", "jpg", "no png", "not a png")),
    ("pix2struct", "a note inside a PNG", text_in_png("train/images/*/0002.png"),
     ("text", "exif", "author", "comment", "chunk", "more than pixels")),
    ("sharegpt", "a path that leaves the folder",
     row_swap("demos.jsonl", 5, '"images/', '"../../images/'), ("..", "leave", "outside")),
    ("atif", "a result of an unknown call", json_change(
        "demos/*.json",
        lambda it: it["steps"][2]["observation"]["results"][0].update(source_call_id="call_99")), ("call_99",)),
    ("webdataset", "a member that is no JSON",
     tar_change("train-00000.tar", "d00001_s00002.json", 3, lambda data: data[: len(data) // 2]), ("json",)),
    ("huggingface", "a row less than the log counts",
     parquet_change("data/train-00000.parquet", None, lambda rows: rows.pop()), ("rows", "lines")),
)  # fmt: skip

OTHERS: tuple[tuple[str, str, Callable[[Path], Place], tuple[str, ...]], ...] = (
    ("grounding", "a point outside its box", row_swap(META, 2, '"point": [95, 121]', '"point": [895, 121]'),
     ("point", "895")),
    ("grounding", "an answer beyond 1000", row_swap("train.jsonl", 2, "(99,202)", "(1299,202)"),
     ("1299", "1000", *OFF)),
    ("rl", "a ground truth that is no JSON", parquet_change("train-00000.parquet", 3, python_for_json),
     ("ground_truth", "ground truth", "json")),
    ("rl", "reward.py is missing", without_file("reward.py"), ("reward.py", "missing")),
    ("ui-tars-1.5", "a click beyond the resized picture",
     row_swap("ui_tars.jsonl", 1, "click(start_box='(238,149)')", "click(start_box='(958,149)')"), ("958", *OFF)),
    ("ui-tars", "an unknown key", row_swap("ui_tars.jsonl", 1, "hotkey(key='esc')", "hotkey(key='blorp')"),
     ("blorp",)),
    ("qwen", "a click beyond 999", row_swap("qwen.jsonl", 1, "[250, 253]", "[1250, 253]"), ("1250", "999", *OFF)),
    ("qwen2.5-vl", "no <image> for the picture", row_swap("qwen.jsonl", 3, "<image>", ""), ("image", "picture")),
    ("lam", "a label that is not in the list",
     row_swap("lam.jsonl", 3, '\\"control_label\\": \\"8\\"', '\\"control_label\\": \\"999\\"'), ("999", "label")),
    ("ufo", "a step without its function", json_change(
        "dataflow/*/*.json", plan_step(1, lambda step: step.pop("Function"))), ("function",)),
    ("uipath", "a click as a key", row_swap("planner.jsonl", 9, '"key": "Escape"', '"key": "Ctrl + Click"'),
     ("ctrl", "click")),
    ("caap", "a middle outside its span", text_swap("scripts/*.txt", "X: 240 [60-420]", "X: 1240 [60-420]"),
     ("1240", "60-420")),
    ("osworld", "a click beyond the picture", row_swap("results/*/traj.jsonl", 1, '"x": 240', '"x": 1960'),
     ("1960", *OFF)),
    ("atif", "a place that is not a number", text_swap("demos/*.json", "0.0625", "NaN"), ("nan",)),
    ("atif", "two steps of one number", json_change(
        "demos/*.json", lambda it: it["steps"][4].update(step_id=4)), ("step_id", "order", "sequen", "number")),
    ("openadapt", "a drag the other way round", json_change("demos/*.json", turned_drag),
     ("drag", "target", "node", "raw")),
    ("webdataset", "a sample without its picture",
     tar_change("train-00000.tar", "d00001_s00001.png", 2, lambda _: None), ("picture", "png", "pair", "image")),
    ("pix2struct", "an unknown function", row_swap(META, 1, '"click(', '"clik('), ("clik",)),
    ("pix2struct", "a stray file", stray("train/Thumbs.db"),
     ("stray", "belong", "no row", "nothing", "nobody", "not named", "not in", "not part", "log", "names", "thumbs")),
    ("trl", "a task that ends with its second step",
     row_swap(META, 2, '\\"is_goal_complete\\": false', '\\"is_goal_complete\\": true'), ("goal", "complete")),
    ("trl", "mojibake in a typed text", row_swap(META, 6, "Grüße", "Grüße".encode().decode("cp1252")),
     ("mojibake", "utf-8", "encod", "decod", "garbled", "misread", "Ã")),
    ("trl-messages", "two pictures for one place", row_change(
        META, 4, lambda row: row["file_names"].append(row["file_names"][0])), ("picture", "image", "placeholder")),
    ("huggingface", "half a picture", parquet_change("data/train-00000.parquet", 3, half_picture),
     ("decode", "truncated", "broken", "cut", "damaged", "incomplete", "not whole", "cannot be read")),
    ("huggingface", "a target that is not on the picture",
     parquet_change("data/train-00000.parquet", 2, foreign_element), ("77",)),
    ("anthropic", "a call without its result", json_change("demos/*.json", unanswered),
     ("tool_use", "tool_result", "result", "toolu_")),
    ("llmresponse", "half a character",
     row_swap("steps.jsonl", 2, '"text_to_type": "Ada Lovelace"', '"text_to_type": "Ada \\ud83d"'),
     ("surrogate", "unicode", "utf-8", "ud83d", "character")),
    ("gemini", "a click beyond 1000", json_change("demos/*.json", far_right), ("1500", "1000", *OFF)),
    ("sharegpt", "a sample twice", doubled_row("demos.jsonl", 2),
     ("twice", "double", "duplicate", "same", "repeat", "again", "more than once")),
    ("agentnet", "pixels for fractions",
     row_swap("agentnet.jsonl", 1, "click(x=0.25, y=0.2533)", "click(x=240, y=152)"),
     ("240", "fraction", "0..1", *OFF)),
)  # fmt: skip

ROWS = "train-00000.parquet"
POINTED: tuple[tuple[str, str, Callable[[Path], Place], tuple[str, ...]], ...] = (
    ("grounding", "an instruction for another name", row_change(
        META, 3, lambda row: row.update(instruction='Point at the button "Nothing".')), ("instruction", "name")),
    ("grounding", "a question of another row", row_swap("train.jsonl", 3, "<image>Point at", "<image>Click"),
     ("question", "instruction", "metadata")),
    ("grounding", "a distractor less", row_change(
        META, 3, lambda row: row.update(distractors=row["distractors"] + 1)), ("distractors",)),
    ("grounding", "a foreign element_id", row_change(META, 3, lambda row: row.update(element_id=77)), ("77",)),
    ("grounding", "an unknown named_by", row_change(META, 3, lambda row: row.update(named_by="guess")),
     ("named_by", "guess")),
    ("rl", "no target is right", parquet_change(ROWS, 1, truth_of(1, lambda truth: truth.update(targets=[]))),
     ("target",)),
    ("rl", "a target without its box", parquet_change(
        ROWS, 1, truth_of(1, lambda truth: truth["targets"][0].update(box=None))), ("target", "box")),
    ("rl", "a task that is done too early", parquet_change(
        ROWS, 3, truth_of(3, lambda truth: truth.update(statuses=["success"]))), ("status",)),
    ("rl", "a problem of another row", parquet_change(
        ROWS, 3, row_of(3, lambda row: row.update(problem="<image>Task: nothing"))), ("problem",)),
    ("rl", "a number of another step", parquet_change(
        ROWS, 4, row_of(4, lambda row: row["extra_info"].update(number=8))), ("number", "step 8")),
    ("rl", "reward.py that is no Python", text_swap("reward.py", "import REWARD_NAME", "import REWARD_NAME as"),
     ("reward", "python", "syntax")),
    ("rl", "reward.py of somebody else", text_swap("reward.py", "scoring.reward import", "scoring.rewards import"),
     ("reward",)),
)  # fmt: skip

PUBLISHED = Spoil(
    "a", "llmresponse", "an e-mail address, with --publish",
    row_swap("steps.jsonl", 2, '"text_to_type": "Ada Lovelace"', '"text_to_type": "ada@london-engines.co.uk"'),
    ("e-mail", "mail", "address"), publish=True,
)  # fmt: skip


def spoils() -> Iterator[Spoil]:
    """All of them, the earlier ones first."""
    for group, table in (("a", EARLIER), ("b", OTHERS), ("c", POINTED)):
        for name, what, do, words in table:
            yield Spoil(group, name, what, do, words, pack=KINDS if "mojibake" in what else FORM)
        if group == "a":
            yield PUBLISHED


def packs(folder: Path) -> dict[str, Path]:
    """A pack of a form that is filled in, and one with every kind of action."""
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from tests.support.demos import sample_demo
    from tests.support.kinds_demo import kinds_demo

    for name, demo in ((FORM, sample_demo), (KINDS, kinds_demo)):
        with Library.open(folder / f"library-{name}") as library:
            export_pack(library, [demo(library)], folder / name)
    return {name: folder / name for name in (FORM, KINDS)}


def exports(given: dict[str, Path], folder: Path) -> dict[tuple[str, str, str], Path]:
    """Each pack in each format, for each unit that it knows; the one that it takes by itself is called "own"."""
    made: dict[tuple[str, str, str], Path] = {}
    for name, pack in given.items():
        for form in NAMES:
            writer = exporter(form)
            for unit in (None, *writer.units[1:]):
                out = folder / f"{name}-{unit or 'own'}" / form
                options = ExportOptions(unit=unit, any_outcome=writer.successful_only)
                with open_packs([pack]) as demos:
                    writer.export(demos, out, options=options)
                made[name, form, unit or "own"] = out
    return made


def checked(folder: Path, cache: Path, *, publish: bool = False) -> tuple[int, str]:
    """What a person sees: the exit code, and what is printed."""
    command = [sys.executable, "-m", "demopack", "check", str(folder), *(["--publish"] if publish else [])]
    environment = {**os.environ, "DEMOPACK_CACHE": str(cache), "PYTHONUTF8": "1", "COLUMNS": "400"}
    ran = subprocess.run(command, capture_output=True, check=False, encoding="utf-8", env=environment)
    return ran.returncode, ran.stdout + ran.stderr


def findings(printed: str) -> list[Found]:
    """The errors and warnings of what was printed; a refusal of the whole folder is none."""
    found: list[Found] = []
    severity = ""
    for line in printed.splitlines():
        if rule := _RULE.match(line):
            severity = rule[1]
        elif severity and (told := _FOUND.match(line)):
            found.append(Found(severity, told[1], int(told[2]) if told[2] else None, told[3]))
    if not found and _COUNTED.search(printed):
        raise RuntimeError(f"the check prints its findings in another way: {printed[:500]}")
    return found


def names_it(found: Found, place: Place, words: tuple[str, ...]) -> bool:
    """Whether a finding tells where it is, and is about what was spoilt."""
    if found.file not in place.files and not any(file in found.text for file in place.files):
        return False
    text = found.text.lower()
    if not any(word.lower() in text for word in words):
        return False
    told = {int(number) for number in re.findall(r"\b(?:row|line|sample)s? (\d+)\b", text)}
    told |= set() if found.row is None else {found.row}
    if told & set(place.rows) or any(key in found.text for key in place.keys) or not place.rows:
        return True
    # A missing picture may be named by its user's row, or by itself, and then there is no row to tell.
    return len(place.files) > 1 and (found.file == place.files[0] or place.files[0] in found.text)


def untouched(
    made: dict[tuple[str, str, str], Path], cache: Path
) -> tuple[list[str], list[str], dict[Path, list[Found]]]:
    """False alarms, exports that are not known, and what is said of each export anyway."""
    alarms: list[str] = []
    refused: list[str] = []
    said: dict[Path, list[Found]] = {}
    for (pack, form, unit), folder in made.items():
        code, printed = checked(folder, cache)
        said[folder] = findings(printed)
        which = f"{form} ({pack}, {unit})"
        alarms += [f"{which}: {found.severity} {found.file}:{found.row} {found.text}" for found in said[folder]]
        if code and not said[folder]:
            refused.append(f"{which}: exit {code}, {' '.join(printed.split()).replace(str(folder), 'FOLDER')[:150]}")
    return alarms, refused, said


def judged(spoil: Spoil, folder: Path, before: list[Found], work: Path) -> dict[str, Any]:
    """Spoil a copy and check it."""
    copy = work / "copy" / folder.name
    shutil.copytree(folder, copy)
    place = spoil.do(copy)
    code, printed = checked(copy, work / "cache", publish=spoil.publish)
    shutil.rmtree(copy)
    new = [found for found in findings(printed) if found not in before]
    right = [found for found in new if names_it(found, place, spoil.words)]
    best = next(iter(right or new), None)
    text = " ".join(printed.split()) if best is None else f"{best.file}:{best.row} {best.text}"
    row = {"group": spoil.group, "format": spoil.format, "what": spoil.what, "exit": code, "named": bool(right)}
    return {**row, "text": text.replace(str(copy), "FOLDER")}


def main() -> None:
    wanted = [one_of for one_of in spoils() if not sys.argv[1:] or any(
        word in one_of.format or word in one_of.what for word in sys.argv[1:])]  # fmt: skip
    with tempfile.TemporaryDirectory() as scratch:
        work = Path(scratch)
        made = exports(packs(work), work / "exports")
        alarms, refused, said = untouched(made, work / "cache")
        print(f"{len(made)} untouched exports, {len(alarms)} false alarms, {len(refused)} not known")
        for alarm in (*alarms, *refused):
            print(f"  {alarm}")
        rows: list[dict[str, Any]] = []
        print(f"\n{'':1} {'format':12} {'what was spoilt':40} {'exit':>4} {'named':5} first finding")
        for spoil in wanted:
            folder = made[spoil.pack, spoil.format, "own"]
            row = judged(spoil, folder, said[folder], work)
            rows.append(row)
            told = "yes" if row["named"] else "NO"
            print(
                f"{row['group']} {row['format']:12} {row['what']:40} {row['exit']:4} {told:5} {row['text'][:150]}",
                flush=True,
            )
    counts = {
        group: [sum(row["named"] for row in rows if row["group"] == group), sum(row["group"] == group for row in rows)]
        for group in ("a", "b", "c")
    }
    for group, (right, total) in counts.items():
        print(f"{group}: {right} of {total} named")
    result = {"benchmark": "spoilt exports", "named": counts, "false_alarms": len(alarms), "not_known": len(refused)}
    print(json.dumps(result))
    if not sys.argv[1:] and (alarms or refused or sum(right for right, _ in counts.values()) < _GOAL):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
