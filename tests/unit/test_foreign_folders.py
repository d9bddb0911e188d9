"""Folders that are no packs: small good ones of every kind, spoilt in one way at a time."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from demopack.errors import PackError
from demopack.pack.check.exports_folder import check_path
from demopack.pack.rules import RULES
from demopack_cli.check import command

Spoil = Callable[[Path], object]


def png(width: int = 1200, height: int = 80, **options: Any) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (width, height), (200, 10, 10)).save(buffer, format="PNG", **options)
    return buffer.getvalue()


def put(file: Path, data: bytes | str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data.encode() if isinstance(data, str) else data)


def coco(root: Path) -> None:
    put(root / "images" / "a.png", png())
    marks = [{"id": n, "image_id": 1, "category_id": 1, "bbox": [n * 40, 5, 30, 20]} for n in range(29)]
    edit_coco(root, images=[{"id": 1, "file_name": "a.png", "width": 1200, "height": 80}], annotations=marks,
              categories=[{"id": 1, "name": "button"}])  # fmt: skip


def edit_coco(root: Path, **fields: Any) -> None:
    file = root / "instances.json"
    data: dict[str, Any] = json.loads(file.read_text()) if file.exists() else {}
    put(file, json.dumps({**data, **fields}))


def yolo(root: Path) -> None:
    put(root / "images" / "train" / "a.png", png())
    put(root / "labels" / "train" / "a.txt", "0 0.5 0.5 0.2 0.2\n1 0.05 0.1 0.1 0.2\n")
    put(root / "data.yaml", "train: images/train\nnames: [button, text]\n")


def chats(root: Path) -> None:
    put(root / "pictures" / "a.png", png())
    edit_chat(root, [])


TURNS = [{"role": "system", "content": "Help."}, {"role": "user", "content": "<image>What now?"},
         {"role": "assistant", "content": "Click."}]  # fmt: skip


def edit_chat(root: Path, turns: list[dict[str, Any]], **fields: Any) -> None:
    row = {"messages": turns or TURNS, "images": ["pictures/a.png"], **fields}
    put(root / "demo.json", json.dumps([row, {"messages": TURNS, "images": ["pictures/a.png"]}]))


def imagefolder(root: Path) -> None:
    put(root / "train" / "a.png", png())
    put(root / "train" / "metadata.jsonl", '{"file_name": "a.png", "text": "Go"}\n')


def lines(root: Path) -> None:
    put(root / "rows.jsonl", '{"question": "What?", "n": 1}\n{"question": "Who?", "n": 2.5}\n')


KINDS: dict[str, Spoil] = {
    "coco": coco, "yolo": yolo, "sharegpt": chats, "imagefolder": imagefolder, "jsonl": lines,
}  # fmt: skip


def secret(root: Path) -> None:
    info = PngInfo()
    info.add_text("Author", "ada")
    put(next(root.rglob("a.png")), png(pnginfo=info))


CASES: list[tuple[str, str, str, Spoil]] = [
    ("coco", "G01", "box beyond the picture", lambda p: mark(p, bbox=[1190, 5, 30, 20])),
    ("coco", "G01", "box without area", lambda p: mark(p, bbox=[10, 5, 0, 20])),
    ("coco", "G04", "fractions for pixels", lambda p: edit_coco(p, annotations=[
        {"id": n, "image_id": 1, "category_id": 1, "bbox": [0.1, 0.1, 0.2, 0.2]} for n in range(9)])),
    ("coco", "G02", "another size", lambda p: edit_coco(p, images=[
        {"id": 1, "file_name": "a.png", "width": 1280, "height": 80}])),
    ("coco", "H03", "bbox of three numbers", lambda p: mark(p, bbox=[1, 2, 3])),
    ("coco", "H03", "unknown category", lambda p: mark(p, category_id=7)),
    ("coco", "H03", "list for an id", lambda p: mark(p, category_id=[7])),
    ("coco", "I01", "picture missing", lambda p: edit_coco(p, images=[
        {"id": 1, "file_name": "a.png", "width": 1200, "height": 80},
        {"id": 2, "file_name": "b.png", "width": 1200, "height": 80}])),
    ("coco", "I03", "picture of nobody", lambda p: put(p / "images" / "b.png", png())),
    ("coco", "P01", "absolute path", lambda p: edit_coco(p, images=[
        {"id": 1, "file_name": "a.png", "width": 1200, "height": 80},
        {"id": 2, "file_name": "/cpfs01/x/a.png", "width": 1200, "height": 80}])),
    ("coco", "I04", "a JPEG called PNG", lambda p: (put(p / "images" / "b.png", b"\xff\xd8\xff"), also(p))),
    ("coco", "P04", "text in a picture", secret),
    ("yolo", "G01", "box beyond the picture", lambda p: put(p / "labels/train/a.txt", "0 0.95 0.5 0.2 0.2\n")),
    ("yolo", "G04", "pixels for fractions", lambda p: put(p / "labels/train/a.txt", "0 600 40 100 20\n")),
    ("yolo", "H03", "class as a word", lambda p: put(p / "labels/train/a.txt", "button 0.5 0.5 0.2 0.2\n")),
    ("yolo", "I01", "labels without a picture", lambda p: put(p / "labels/train/b.txt", "0 0.5 0.5 0.2 0.2\n")),
    ("yolo", "P01", "absolute path", lambda p: put(p / "data.yaml", "path: /data/ui\nnames: [a, b]\n")),
    ("yolo", "I01", "damaged picture", lambda p: put(p / "images/train/a.png", png()[:40])),
    ("sharegpt", "X03", "a place too many", lambda p: edit_chat(p, [
        {"role": "user", "content": "<image><image>What?"}, {"role": "assistant", "content": "Click."}])),
    ("sharegpt", "X03", "no place", lambda p: edit_chat(p, [
        {"role": "user", "content": "What?"}, {"role": "assistant", "content": "Click."}])),
    ("sharegpt", "X04", "no answer", lambda p: edit_chat(p, TURNS[:2])),
    ("sharegpt", "X04", "two questions", lambda p: edit_chat(p, [TURNS[1], {"role": "user", "content": "?"}])),
    ("sharegpt", "I01", "picture missing", lambda p: edit_chat(p, [], images=["pictures/b.png"])),
    ("sharegpt", "H03", "text for a list", lambda p: edit_chat(p, [], images="pictures/a.png")),
    ("sharegpt", "P01", "absolute path", lambda p: edit_chat(p, [], images=["/cpfs01/a.png"])),
    ("sharegpt", "P02", "a secret", lambda p: put(p / "README.md", "password: hunter2!\n")),
    ("imagefolder", "I01", "picture missing", lambda p: append(p, '{"file_name": "b.png", "text": "Go"}\n')),
    ("imagefolder", "H03", "another type", lambda p: append(p, '{"file_name": "a.png", "text": 3}\n')),
    ("imagefolder", "H04", "no number", lambda p: append(p, '{"file_name": "a.png", "score": NaN}\n')),
    ("imagefolder", "H01", "looks like a log", lambda p: append(p, '{"type": "a", "message": "b"}\n')),
    ("imagefolder", "P03", "an address", lambda p: append(p, '{"text": "jane.doe@example.com"}\n')),
    ("imagefolder", "H02", "odd name", lambda p: put(p / "my notes.txt", "hello\n")),
    ("jsonl", "H04", "byte order mark", lambda p: put(p / "rows.jsonl", "\ufeff{}\n")),
    ("jsonl", "H04", "Windows lines", lambda p: put(p / "rows.jsonl", "{}\r\n")),
    ("jsonl", "H04", "cut off", lambda p: put(p / "rows.jsonl", '{"a": 1}\n{"a": ')),
    ("jsonl", "H01", "payload", lambda p: put(p / "rows.jsonl", '{"type": "x", "payload": {}}\n')),
    ("jsonl", "X02", "log that does not add up", lambda p: put(
        p / "EXPORT_LOG.json", '{"rows_in": 3, "rows_out": 2, "left_out": []}')),
]  # fmt: skip


def mark(root: Path, **fields: Any) -> None:
    data = json.loads((root / "instances.json").read_text())
    data["annotations"][3].update(fields)
    edit_coco(root, annotations=data["annotations"])


def also(root: Path) -> None:
    images = [{"id": n, "file_name": f"{name}.png", "width": 1200, "height": 80} for n, name in ((1, "a"), (2, "b"))]
    edit_coco(root, images=images)


def append(root: Path, text: str) -> None:
    file = root / "train" / "metadata.jsonl"
    put(file, file.read_text() + text)


@pytest.mark.parametrize("kind", KINDS)
def test_a_good_folder_is_known_and_says_what_was_not_checked(kind: str, tmp_path: Path) -> None:
    KINDS[kind](tmp_path)
    report = check_path(tmp_path)
    assert (report.kind, report.findings) == (kind, [])
    assert {*report.checked, *report.skipped} == set(RULES)
    assert not set(report.checked) & set(report.skipped)
    assert "A04" in report.skipped, "the contract can be checked on packs only"
    assert all(RULES[rule].folders for rule in report.checked)


@pytest.mark.parametrize(("kind", "rule", "spoil"), [pytest.param(k, r, s, id=f"{k}-{r}-{n}") for k, r, n, s in CASES])
def test_exactly_the_broken_rule_speaks(kind: str, rule: str, spoil: Spoil, tmp_path: Path) -> None:
    KINDS[kind](tmp_path)
    spoil(tmp_path)
    report = check_path(tmp_path)
    assert (report.kind, {finding.rule for finding in report.findings}) == (kind, {rule})
    assert rule in report.checked


def test_the_command_says_what_was_left_unchecked(tmp_path: Path) -> None:
    lines(tmp_path)
    result = CliRunner().invoke(command, [str(tmp_path)])
    assert result.exit_code == 0, result.output
    assert "a folder of JSON Lines; rules applied: H01," in result.output
    assert "Not checked, because only a demo pack holds what they look at: A02," in result.output


def test_a_folder_of_something_else_is_no_pack(tmp_path: Path) -> None:
    put(tmp_path / "chapter.txt", "years of work")
    with pytest.raises(PackError, match="is not a demo pack"):
        check_path(tmp_path)


def test_names_of_this_machine_are_errors_where_it_is_published(tmp_path: Path) -> None:
    lines(tmp_path)
    put(tmp_path / "README.md", "made on thinkpad-of-ada\n")
    report = check_path(tmp_path, publish=True, names=["thinkpad-of-ada"])
    assert [(finding.rule, finding.severity) for finding in report.findings] == [("P06", "error")]
