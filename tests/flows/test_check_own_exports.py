"""Our own exports in other programs' forms are known again, and what spoils them is found, each by its own rule."""

from __future__ import annotations

import base64
import importlib
import io
import json
import os
import re
import shutil
import tarfile
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from demopack.annotations.export import export_annotations
from demopack.codecs.boxes.base import AnnotationFormat
from demopack.codecs.boxes.catalogue import COCO, YOLO
from demopack.codecs.files.base import ImportOptions
from demopack.codecs.output import Output
from demopack.codecs.sets.catalogue import NAMES, exporter
from demopack.codecs.sets.parquet import STRING, ParquetTable, list_of
from demopack.errors import BadInputError
from demopack.pack.check.exports_folder import check_path
from demopack.pack.check.private import PrivateScan, scan_value
from demopack.pack.import_demos import import_demos
from demopack.pack.rules import RULES
from demopack.pack.writer import export_pack
from demopack.store import Library
from tests.golden.inputs import unpack
from tests.support.demos import sample_demo, tiny_demo
from tests.support.exports import export, make_pack
from tests.support.kinds_demo import kinds_demo
from tests.support.packs import PackFolder

pa: Any = importlib.import_module("pyarrow")
pq: Any = importlib.import_module("pyarrow.parquet")  # it has no types
_FORMS = ("openai", "anthropic", "gemini", "atif", "openadapt", "huggingface", "webdataset")
_FILE = "demos/demo_0000000001.json"
Row = dict[str, Any]


@pytest.fixture(scope="module")
def exports(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("exports")
    pack = make_pack(folder, sample=False)
    for name in (*_FORMS, "openai-chat"):
        export(pack, name, folder / name)
    return folder


@pytest.mark.parametrize("name", NAMES)
def test_no_export_of_ours_of_one_demo_is_found_fault_with(exports: Path, tmp_path: Path, name: str) -> None:
    export(exports / "pack", name, tmp_path / "out")
    assert check_path(tmp_path / "out").findings == []


_DONE: list[Row] = [
    {"type": "click", "normalized_coordinates": [0.5, 0.25], "raw": {"button": "left"}},
    {"type": "type", "text": "Ada"},
    {"type": "key", "key": "escape", "modifiers": []},
    {"type": "done"},
]
_BLIND: Row = {
    "episode_id": "blind", "instruction": "Save it", "success": True, "metadata": {},
    "steps": [
        {"step_index": number, "timestamp": 1.5 + number, "reasoning": None, "action": action, "observation": {}}
        for number, action in enumerate(_DONE)
    ],
}  # fmt: skip
"""An episode of openadapt-ml without a picture."""


@pytest.fixture(scope="module")
def packs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A form, a small demo and every action; demos of texts that are hard to quote; and demos without any picture."""
    folder = tmp_path_factory.mktemp("packs")
    with Library.open(folder / "library") as library:
        ids = [sample_demo(library), tiny_demo(library), kinds_demo(library)]
        export_pack(library, ids, folder / "pack", licence="CC0-1.0")
        (folder / "blind.json").write_text(json.dumps([_BLIND]), encoding="utf-8")
        files = [folder / "blind.json", *sorted((Path(__file__).parents[1] / "data" / "ufo").glob("[0-9]*.json"))]
        made = [import_demos([file], library, options=ImportOptions()).demos for file in files]
        blind = [report.demo for reports in made for report in reports]
        export_pack(library, blind, folder / "blind", licence="CC0-1.0")
    hard = unpack("hard-pack", folder / "hard")
    return {"every action": folder / "pack", "hard texts": hard, "no picture": folder / "blind"}


_OPTIONS: dict[str, dict[str, Any]] = {
    "as usual": {},
    "bare": {"rationale": "none", "elements": False, "history": 0, "leave_out": ("none",)},
    "more and less": {
        "rationale": "hindsight", "history": 2, "leave_out": ("redundant", "wrong"), "any_outcome": True,
    },
}  # fmt: skip


@pytest.mark.parametrize("options", _OPTIONS)
@pytest.mark.parametrize("pack", ["every action", "hard texts", "no picture"])
@pytest.mark.parametrize("name", NAMES)
def test_no_export_of_ours_is_found_fault_with(
    packs: dict[str, Path], tmp_path: Path, name: str, pack: str, options: str
) -> None:
    chosen = _OPTIONS[options]
    for unit in exporter(name).units:
        export(packs[pack], name, tmp_path / unit, unit=unit, **chosen)
        found = check_path(tmp_path / unit).findings
        # There are addresses in the hard texts; that they are told is another matter.
        assert [one for one in found if one.rule not in {"P02", "P03"}] == []


@pytest.mark.parametrize("name", ["sharegpt", "ui-tars", "rl", "grounding", "yolo"])
def test_an_export_without_rows_is_not_found_fault_with(exports: Path, tmp_path: Path, name: str) -> None:
    pack = PackFolder(exports / "pack").copy(tmp_path / "pack")
    pack.edit_rows("steps", lambda rows: [row.update(review="rejected") for row in rows])
    export(pack.path, name, tmp_path / "out")
    assert check_path(tmp_path / "out").findings == []


@pytest.mark.parametrize("form", [COCO, YOLO])
def test_an_export_for_labelling_programs_is_not_found_fault_with(tmp_path: Path, form: AnnotationFormat) -> None:
    with Library.open(tmp_path / "library") as library:
        export_annotations(library, [sample_demo(library)], form, tmp_path / "boxes")
    assert check_path(tmp_path / "boxes").findings == []


def test_exports_of_several_formats_are_each_checked_by_themselves(exports: Path, tmp_path: Path) -> None:
    for name in ("atif", "openai"):
        shutil.copytree(exports / name, tmp_path / "sets" / name)
    with pytest.raises(BadInputError, match="holds 2 exports") as caught:
        check_path(tmp_path / "sets")
    assert caught.value.hint == "Check each by itself: atif, openai."


@pytest.mark.parametrize("name", NAMES)
def test_a_step_of_unknown_time_begins_before_no_other(packs: dict[str, Path], tmp_path: Path, name: str) -> None:
    pack = PackFolder(packs["every action"]).copy(tmp_path / "pack")
    pack.edit_rows(
        "steps", lambda rows: [row.update(t_ms=None, started_ns=0, ended_ns=0) for row in rows if row["index"] % 2]
    )
    export(pack.path, name, tmp_path / "out")
    assert check_path(tmp_path / "out").findings == []


def png(**options: Any) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (64, 48), (200, 10, 10)).save(buffer, "PNG", **options)
    return buffer.getvalue()


def more(folder: Path) -> None:
    (folder / _FILE).with_name("more.png").write_bytes(png())


def told() -> bytes:
    info = PngInfo()
    info.add_text("Author", "somebody")
    return png(pnginfo=info)


def document(change: Callable[[Row], object]) -> Callable[[Path], None]:
    """A change of the demo's JSON file."""

    def spoil(folder: Path) -> None:
        data = json.loads((folder / _FILE).read_text(encoding="utf-8"))
        change(data)
        (folder / _FILE).write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")

    return spoil


def sample(change: Callable[[Row], object], number: int = 0) -> Callable[[Path], None]:
    """A change of one sample of the tar."""

    def edit(members: list[tuple[str, bytes]]) -> None:
        name, data = [one for one in members if one[0].endswith(".json")][number]
        row = json.loads(data)
        change(row)
        members[[one[0] for one in members].index(name)] = (name, json.dumps(row).encode())

    return tar(edit)


def tar(change: Callable[[list[tuple[str, bytes]]], object]) -> Callable[[Path], None]:
    def spoil(folder: Path) -> None:
        file = folder / "train-00000.tar"
        with tarfile.open(file) as old:
            members = [(one.name, inside.read()) for one in old if (inside := old.extractfile(one)) is not None]
        change(members)
        with tarfile.open(file, "w", format=tarfile.USTAR_FORMAT) as new:
            for name, data in members:
                info = tarfile.TarInfo(name)
                info.size = len(data)
                new.addfile(info, io.BytesIO(data))

    return spoil


def parquet(change: Callable[[list[Row]], object]) -> Callable[[Path], None]:
    def spoil(folder: Path) -> None:
        file = next((folder / "data").glob("*.parquet"))
        table = pq.read_table(file)
        rows = table.to_pylist()
        change(rows)
        pq.write_table(table.schema.empty_table().from_pylist(rows, schema=table.schema), file)

    return spoil


def _openai(data: Row, number: int) -> Row:
    row: Row = [item for item in data["input"] if item.get("type") == "computer_call"][number]
    return row


def _tool(data: Row) -> Row:
    row: Row = data["messages"][1]["content"][-1]
    return row


def _encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()


_CASES: list[tuple[str, str, str, Callable[[Path], None]]] = [
    ("openai", "G01", "a click beside the picture", document(lambda d: _openai(d, 0)["actions"][0].update(x=65))),
    ("openai", "X04", "an output of another call", document(lambda d: _openai(d, 0).update(call_id="other"))),
    ("openai", "H03", "an action without a type", document(lambda d: _openai(d, 0)["actions"][0].pop("type"))),
    ("openai", "P04", "a picture with an author", document(lambda d: d["input"][0]["content"][1].update(
        image_url=f"data:image/png;base64,{_encoded(told())}"))),
    ("openai", "X03", "a picture that is nowhere", document(lambda d: d["input"][0]["content"][1].pop("image_url"))),
    ("anthropic", "G01", "a click above the picture", document(lambda d: _tool(d)["input"].update(coordinate=[1, -1]))),
    ("anthropic", "X04", "a call without a result", document(lambda d: _tool(d).update(id="toolu_9"))),
    ("anthropic", "X04", "two turns of one side", document(lambda d: d["messages"].insert(0, d["messages"][0]))),
    ("anthropic", "I04", "a JPEG called PNG", document(lambda d: d["messages"][0]["content"][1]["source"].update(
        data=_encoded(b"\xff\xd8\xff" + bytes(80))))),
    ("gemini", "G01", "beyond a thousand", document(
        lambda d: d["contents"][1]["parts"][0]["function_call"]["args"].update(x=1500))),
    ("gemini", "X04", "no answer to a call", document(lambda d: d["contents"][2]["parts"].pop(0))),
    ("gemini", "I01", "a picture that was cut off", document(
        lambda d: d["contents"][0]["parts"][1]["inline_data"].update(data=_encoded(png()[:20])))),
    ("gemini", "I01", "a picture after a step that was cut off", document(
        lambda d: d["contents"][2]["parts"][0]["function_response"]["parts"][0]["inline_data"].update(
            data=_encoded(png()[:20])))),
    ("atif", "S01", "a step is missing", document(lambda d: d["steps"].pop(1))),
    ("atif", "S02", "time goes back", document(lambda d: d["steps"][2].update(timestamp="2020-01-01T00:00:00+00:00"))),
    ("atif", "G01", "a target beside the picture", document(
        lambda d: d["steps"][1]["extra"].update(target_box=[10, 10, 300, 20]))),
    ("atif", "G02", "another size", document(lambda d: d["steps"][2]["extra"].update(image_size=[640, 480]))),
    ("atif", "X04", "a result of nothing", document(
        lambda d: d["steps"][1]["observation"]["results"][0].update(source_call_id="call_7"))),
    ("atif", "I03", "a picture of nobody", more),
    ("openadapt", "S01", "steps exchanged", document(
        lambda d: d["steps"].__setitem__(slice(0, 2), [{**d["steps"][1], "timestamp": None},
                                                       {**d["steps"][0], "timestamp": None}]))),
    ("openadapt", "S02", "time goes back", document(lambda d: d["steps"][1].update(timestamp=1.0))),
    ("openadapt", "G01", "a node beside the screen", document(
        lambda d: d["steps"][0]["observation"]["nodes"][0]["bbox"].update(width=500))),
    ("openadapt", "H03", "a node that is not there", document(
        lambda d: d["steps"][0]["action"]["target"].update(node_id="99"))),
    ("atif", "P01", "an absolute path", document(lambda d: d["steps"][2]["extra"].update(before="/data/0002.png"))),
    ("huggingface", "S01", "a step is missing", parquet(lambda rows: rows[2].update(index=5))),
    ("huggingface", "A04", "another response", parquet(lambda rows: rows[0].update(response='{"action": {}}'))),
    ("huggingface", "H04", "a response that is no JSON", parquet(lambda rows: rows[0].update(response="click"))),
    ("huggingface", "G01", "a target beside it", parquet(lambda rows: rows[0].update(target_box=[1, 1, 99, 9]))),
    ("huggingface", "I01", "no picture", parquet(lambda rows: rows[0]["image"].update(bytes=b"\x89PNG\r\n\x1a\n"))),
    ("huggingface", "X02", "a row less", parquet(lambda rows: rows.pop())),
    ("huggingface", "P02", "a password", parquet(lambda rows: rows[0].update(task="password: hunter2!"))),
    ("webdataset", "H03", "a sample without its row", tar(lambda members: members.pop(1))),
    ("webdataset", "P01", "a name that leads out", tar(lambda members: members.append(("../x.json", b"{}")))),
    ("webdataset", "S01", "a step twice", sample(lambda row: row.update(index=0), 1)),
    ("webdataset", "G01", "a target beside the picture", sample(lambda row: row.update(target_box="[1, 1, 99, 9]"))),
    ("webdataset", "A04", "a response of another kind", sample(lambda row: row.update(response='{"reasoning": ""}'))),
    ("webdataset", "P03", "an address", sample(lambda row: row.update(task="Write to jane.doe@example.com"))),
]  # fmt: skip


@pytest.mark.parametrize("name", _FORMS)
def test_our_own_exports_are_known_and_good(exports: Path, name: str) -> None:
    report = check_path(exports / name)
    assert (report.kind, report.findings) == (name, [])
    assert {*report.checked, *report.skipped} == set(RULES)
    assert all(RULES[rule].folders for rule in report.checked)
    assert "X02" in report.checked


@pytest.mark.parametrize(
    ("name", "rule", "spoil"), [pytest.param(n, r, s, id=f"{n}-{r}-{what}") for n, r, what, s in _CASES]
)
def test_exactly_the_broken_rule_speaks(
    exports: Path, tmp_path: Path, name: str, rule: str, spoil: Callable[[Path], None]
) -> None:
    shutil.copytree(exports / name, tmp_path / "out", copy_function=shutil.copyfile)
    spoil(tmp_path / "out")
    report = check_path(tmp_path / "out")
    found = {finding.rule for finding in report.findings}
    # A sample that lacks its row is also one sample less than the log says.
    assert (report.kind, found - ({"X02"} if (name, rule) == ("webdataset", "H03") else set())) == (name, {rule})
    assert rule in report.checked


def test_files_that_cannot_be_read_say_so(exports: Path, tmp_path: Path) -> None:
    for name, file in (("webdataset", "train-00000.tar"), ("huggingface", "data/train-00000.parquet"), ("atif", _FILE)):
        shutil.copytree(exports / name, tmp_path / name, copy_function=shutil.copyfile)
        whole = (tmp_path / name / file).read_bytes()
        (tmp_path / name / file).write_bytes(whole[: len(whole) // 2])
        if name == "atif":
            (tmp_path / name / file).with_name("other.json").write_bytes(whole)
        assert "H04" in {finding.rule for finding in check_path(tmp_path / name).findings}


def heavy_member(ending: str, data: bytes) -> Callable[[Path], None]:
    """Something in the place of the first member of a kind."""

    def edit(members: list[tuple[str, bytes]]) -> None:
        number = next(n for n, (name, _) in enumerate(members) if name.endswith(ending))
        members[number] = (members[number][0], data)

    return tar(edit)


@pytest.mark.parametrize(("ending", "megabytes", "line"), [(".png", 65, 1), (".json", 17, 2)])
def test_what_is_too_large_for_a_sample_is_told_and_not_read(
    exports: Path, tmp_path: Path, ending: str, megabytes: int, line: int
) -> None:
    shutil.copytree(exports / "webdataset", tmp_path / "out", copy_function=shutil.copyfile)
    heavy_member(ending, bytes(megabytes << 20))(tmp_path / "out")
    tracemalloc.start()
    try:
        (found,) = check_path(tmp_path / "out").findings
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (found.rule, found.file, found.line) == ("H04", "train-00000.tar", line)
    assert "was not read" in found.message
    assert peak < 16 << 20


_LONG = "a word " * 3_000_000
_BOMBS: dict[str, Callable[[], Any]] = {
    "long texts": lambda: pa.table({"task": [_LONG] * 4}),
    "one text again and again": lambda: pa.table({
        "task": pa.DictionaryArray.from_arrays(pa.array([0] * 400, pa.int32()), pa.array(["a word " * 10_000])),
    }),
    "many rows": lambda: pa.table({"task": ["x"] * 1_000_000}),
    "a long list": lambda: pa.table({"task": [[7] * 1_000_000]}),
}  # fmt: skip


@pytest.mark.parametrize("what", _BOMBS)
def test_a_small_parquet_file_that_unfolds_to_much_is_not_read_to_its_end(
    exports: Path, tmp_path: Path, what: str
) -> None:
    shutil.copytree(exports / "huggingface", tmp_path / "out", copy_function=shutil.copyfile)
    name = "data/train-00000.parquet"
    pq.write_table(_BOMBS[what](), tmp_path / "out" / name, compression="zstd")
    (found,) = [one for one in check_path(tmp_path / "out").findings if one.rule == "H04"]
    assert found.file == name
    assert re.search(r"rows? .* unfold to \d+ MB", found.message)


def test_a_long_demo_on_a_screen_that_stays_as_it_is_is_read(tmp_path: Path) -> None:
    earlier = [f"{number}. I click on the button with the number {number}" for number in range(900)]
    output = Output(tmp_path)
    table = ParquetTable(output, "data/train", {"history": list_of(STRING), "elements": list_of(STRING)})
    for number in range(900):
        table.add({"history": earlier[:number], "elements": earlier[:60]})
    table.close()
    output.close()
    assert [one for one in check_path(tmp_path).findings if one.rule == "H04"] == []


def test_a_line_that_is_too_long_is_told_with_its_file(exports: Path, tmp_path: Path) -> None:
    export(exports / "pack", "sharegpt", tmp_path / "out")
    (table,) = (tmp_path / "out").glob("*.jsonl")
    with table.open("a", encoding="utf-8") as stream:
        stream.write(json.dumps({"more": "x" * (17 << 20)}) + "\n")
    found = check_path(tmp_path / "out").findings
    assert ("H04", table.name) in {(one.rule, one.file) for one in found}


def test_pictures_in_base64_are_no_keys(exports: Path) -> None:
    assert check_path(exports / "openai-chat").findings == []


def test_what_is_nested_too_deeply_is_told_once_and_soon_read(exports: Path, tmp_path: Path) -> None:
    shutil.copytree(exports / "openai", tmp_path / "out", copy_function=shutil.copyfile)
    (tmp_path / "out/demos/deep.json").write_text("[" * 1_000_000 + '"jane.doe@example.com', encoding="utf-8")
    found = check_path(tmp_path / "out").findings
    assert {(one.rule, one.file) for one in found} == {(rule, "demos/deep.json") for rule in ("H04", "I05", "P03")}


def test_brackets_are_no_text_to_look_through(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []

    def text(_: PrivateScan, *given: object) -> None:
        looked.append(str(given[-1]))

    monkeypatch.setattr(PrivateScan, "text", text)
    for deep in ("[" * 1_000_000, '{"a":' * 200_000, "[1, [ " * 200_000, "]" * 1_000_000):
        scan_value("deep.json", None, deep, PrivateScan())
    assert max(len(one) for one in looked) < 20


def test_links_that_lead_nowhere_and_what_is_no_file_are_strays(exports: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    shutil.copytree(exports / "openai", out, copy_function=shutil.copyfile)
    (out / "a").symlink_to("b")
    (out / "b").symlink_to("a")
    (out / "demos/zero.json").symlink_to("/dev/zero")
    (out / "demos/gone.json").symlink_to("nowhere.json")
    os.mkfifo(out / "demos/pipe.json")
    found = check_path(out).findings
    assert [(one.rule, one.file) for one in found] == [
        ("I05", name) for name in ("a", "b", "demos/gone.json", "demos/pipe.json", "demos/zero.json")
    ]
