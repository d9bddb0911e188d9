"""A good pack is spoiled in one way at a time: exactly that rule must speak, and no other."""

from __future__ import annotations

import functools
import io
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from demopack.domain.geometry import Point
from demopack.domain.trees import WindowTree, tree_bytes, tree_id
from demopack.pack import check_pack, export_pack
from demopack.pack.check import pictures as check_pictures
from demopack.pack.rules import RULES
from demopack.store import Library
from demopack_cli.check import command
from tests.support.demos import DemoBuilder, demo_head, sample_demo, tiny_demo
from tests.support.many_demos import small_demo
from tests.support.packs import PackFolder, Row
from tests.support.pictures import noise_image, swatch
from tests.support.private_cases import PRIVATE_CASES
from tests.support.wide_cases import PUBLISH_CASES, WIDE_CASES

SAMPLE = "demo_5a3b1e0c77"
# Rows of the sample demo, in the order of steps.jsonl.
CLICK, TYPE, DRAG, SCROLL, SPOT, KEY, FINISH = 0, 1, 5, 6, 7, 8, 10
FIRST = f"frames/{SAMPLE}/0001.png"


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> PackFolder:
    """The sample and a tiny demo, with a reasoning for every step, so that nothing at all is found."""
    root = tmp_path_factory.mktemp("good")
    with Library.open(root / "library") as library:
        ids = [sample_demo(library, draw=swatch), tiny_demo(library)]
        export_pack(library, ids, root / "pack", licence="CC-BY-4.0")
    pack = PackFolder(root / "pack")
    pack.edit_row("steps", KEY, lambda row: row["response"].update(reasoning="Escape leaves the field."))
    return pack


@pytest.fixture(autouse=True, scope="module")
def _each_picture_is_decoded_once() -> Iterator[None]:
    """A hundred packs have the same pictures; the result for equal bytes is equal."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(check_pictures, "decode", functools.cache(check_pictures.decode))
        yield


@pytest.fixture
def pack(good: PackFolder, tmp_path: Path) -> PackFolder:
    return good.copy(tmp_path / "pack")


def test_a_good_pack_has_nothing_to_find(good: PackFolder) -> None:
    assert check_pack(good.path) == []


# Corruptions -------------------------------------------------------------------------------------------------------

Spoil = Callable[[PackFolder], object]
CASES: list[tuple[str, str, Spoil]] = []


def spoils(rule: str) -> Callable[[Spoil], Spoil]:
    def register(function: Spoil) -> Spoil:
        CASES.append((rule, function.__name__, function))
        return function

    return register


def step(number: int, change: Callable[[Row], object]) -> Spoil:
    return lambda pack: pack.edit_row("steps", number, change)


def case(rule: str, name: str, spoil: Spoil) -> None:
    CASES.append((rule, name, spoil))


def target(row: Row) -> Row:
    found: Row = row["response"]["action"]["target"]
    return found


def png(image: Image.Image, **options: object) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, format="PNG", **options)
    return buffer.getvalue()


def reopened(pack: PackFolder, name: str) -> Image.Image:
    image = Image.open(io.BytesIO((pack.path / name).read_bytes()))
    image.load()
    return image


# V01
case("V01", "from the future", lambda p: p.edit_manifest(lambda m: m.update(schema_version=5)))
case("V01", "no version", lambda p: p.edit_manifest(lambda m: m.pop("schema_version")))
case("V01", "another format", lambda p: p.edit_manifest(lambda m: m.update(format="other")))
case("V01", "version is text", lambda p: p.edit_manifest(lambda m: m.update(schema_version="1")))

# G01
case(
    "G01", "element beyond the right edge", lambda p: p.edit_row("elements", 0, lambda r: r["box"].__setitem__(2, 961))
)
case("G01", "element corners swapped", lambda p: p.edit_row("elements", 0, lambda r: r["box"].reverse()))
case("G01", "element without area", lambda p: p.edit_row("elements", 0, lambda r: r.update(box=[60, 62, 60, 90])))
case("G01", "element at a negative place", lambda p: p.edit_row("elements", 0, lambda r: r["box"].__setitem__(0, -1)))
case(
    "G01", "element's bbox is another box", lambda p: p.edit_row("elements", 0, lambda r: r["bbox"].__setitem__(0, 0.5))
)
case("G01", "element's bbox in pixels", lambda p: p.edit_row("elements", 0, lambda r: r.update(bbox=[60, 62, 202, 28])))
case("G01", "target box below the picture", step(CLICK, lambda r: r["target_box"].__setitem__(3, 601)))
case("G01", "target box disagrees with bbox", step(CLICK, lambda r: r["target_box"].__setitem__(0, 59)))
case("G01", "end box disagrees with bbox", step(DRAG, lambda r: r["end_box"].__setitem__(0, 49)))

# G02
case(
    "G02",
    "step with the size of another screen",
    step(
        CLICK,
        lambda r: (
            r.update(image_size=[1920, 1200], target_box=[120, 268, 840, 340]),
            r["pointer"].update(x=480, y=304),
        ),
    ),
)
case(
    "G02",
    "frame with the size of another screen",
    lambda p: p.edit_row("demos", 0, lambda r: r["frames"][2].update(width=961)),
)
case("G02", "after-frame with another height", step(CLICK, lambda r: r["after"].update(height=599)))
case(
    "G02",
    "element rows with another size",
    lambda p: p.edit_row("elements", 0, lambda r: r.update(image_size=[1920, 1200], box=[120, 124, 524, 180])),
)

# G03
case("G03", "coordinates not declared", lambda p: p.edit_manifest(lambda m: m.pop("coordinates")))
case(
    "G03",
    "coordinates declared otherwise",
    lambda p: p.edit_manifest(lambda m: m["coordinates"].update(pixel_boxes="xywh")),
)
case("G03", "phase not declared", lambda p: p.edit_manifest(lambda m: m.pop("observation")))

# G05
case("G05", "x and y swapped", step(CLICK, lambda r: r["pointer"].update(x=152, y=240)))
case("G05", "pointer left of the box", step(CLICK, lambda r: r["pointer"].update(x=59)))
case("G05", "drag starts elsewhere", step(DRAG, lambda r: r["pointer"].update(x=300)))
case("G05", "drag ends elsewhere", step(DRAG, lambda r: r["pointer"].update(end_y=100)))
case("G05", "scroll elsewhere", step(SCROLL, lambda r: r["pointer"].update(x=100)))
case("G05", "point target beside the pointer", step(SPOT, lambda r: r["pointer"].update(x=702)))

# I01
case("I01", "picture missing", lambda p: (p.path / FIRST).unlink())
case("I01", "picture missing and not listed", lambda p: ((p.path / FIRST).unlink(), p.seal()))
case("I01", "picture cut off", lambda p: p.replace(FIRST, _cut(p)))
case("I01", "picture is grey", lambda p: p.replace(FIRST, png(reopened(p, FIRST).convert("L"))))
case("I01", "image is null", step(CLICK, lambda r: r.update(image=None)))
case(
    "I01",
    "row names a picture that never was",
    step(TYPE, lambda r: r["after"].update(file=f"frames/{SAMPLE}/9999.png")),
)


def _cut(pack: PackFolder) -> bytes:
    return (pack.path / FIRST).read_bytes()[:1000]


@spoils("I01")
def an_element_on_an_unknown_picture(pack: PackFolder) -> None:
    # The last element of the sample belongs to no step's target.
    pack.edit_row("elements", 20, lambda row: row.update(frame="f" * 64))


# I02
case("I02", "table changed by hand", lambda p: _append(p.path / "README.md", b"\n"))
case("I02", "one byte flipped", lambda p: _flip(p.path / "README.md"))
case("I02", "listed file missing", lambda p: (p.path / "index.html").unlink())
case("I02", "table missing", lambda p: (p.path / "elements.jsonl").unlink())
case("I02", "table not listed", lambda p: ((p.path / "demos.jsonl").unlink(), p.seal()))


@spoils("I02")
def two_pictures_exchanged(pack: PackFolder) -> None:
    second = f"frames/{SAMPLE}/0002.png"
    one, two = (pack.path / FIRST).read_bytes(), (pack.path / second).read_bytes()
    pack.replace(FIRST, two)
    pack.replace(second, one)


@spoils("I02")
def a_picture_retouched(pack: PackFolder) -> None:
    image = reopened(pack, FIRST)
    image.putpixel((5, 5), (1, 2, 3))
    pack.replace(FIRST, png(image))


def _append(file: Path, data: bytes) -> None:
    file.write_bytes(file.read_bytes() + data)


def _flip(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[100] ^= 1
    file.write_bytes(bytes(data))


# I03, I04, I05
case(
    "I03", "picture that nobody names", lambda p: p.replace(f"frames/{SAMPLE}/0999.png", (p.path / FIRST).read_bytes())
)
case("I03", "not even listed", lambda p: _append_new(p.path / "frames" / "stray.png", (p.path / FIRST).read_bytes()))
case("I04", "a JPEG called PNG", lambda p: p.replace(FIRST, _jpeg(p)))
case("I04", "too large", lambda p: p.replace(FIRST, _large()))
case("I05", "a file that is not listed", lambda p: _append_new(p.path / "notes.txt", b"hello"))
case("I05", "a name that a pack would not have", lambda p: _append_new(p.path / "my notes é.txt", b"hello"))
case("I05", "what a file manager leaves", lambda p: _append_new(p.path / "frames" / SAMPLE / "Thumbs.db", b"\0" * 99))
case("I05", "a FIFO", lambda p: os.mkfifo(p.path / "pipe"))
case("I05", "a link to nothing", lambda p: (p.path / "link").symlink_to("nowhere"))
case("I06", "a program", lambda p: p.replace("media/setup.exe", b"MZ"))
case("I06", "a starter", lambda p: p.replace("run.desktop", b"[Desktop Entry]\n"))


def page(change: Callable[[str], str]) -> Spoil:
    return lambda p: p.replace("index.html", change((p.path / "index.html").read_text(encoding="utf-8")).encode())


case("I07", "another page", lambda p: p.replace("index.html", b"<!doctype html><script>alert(1)</script>"))
case("I07", "one more script", page(lambda text: text.replace("<main>", "<main><script>alert(1)</script>")))
case("I07", "a script of its own", page(lambda text: text.replace("</script>", "alert(1)</script>")))
case("I07", "no policy", page(lambda text: text.replace("default-src", "img-src")))
case("I07", "a handler", page(lambda text: text.replace('loading="lazy"', 'onload="alert(1)"', 1)))
case("I07", "a place elsewhere", page(lambda text: text.replace('href="#d1s1"', 'href="https://example.org"', 1)))
case("I07", "a script as a place", page(lambda text: text.replace('href="#d1s1"', 'href="javascript:alert(1)"', 1)))
case("I07", "a picture from elsewhere", page(lambda text: text.replace('src="frames', 'src="//host/frames', 1)))
case("I07", "a redirection", page(lambda text: text.replace("<main>", '<main><meta http-equiv="refresh">')))
case("I07", "a form", page(lambda text: text.replace("<main>", "<main><form>")))
case("I07", "no UTF-8", lambda p: p.replace("index.html", "é".encode("latin-1")))
case("H05", "another schema", lambda p: p.replace("schema/step.json", b"{}"))
case("H05", "no schema", lambda p: ((p.path / "schema" / "demo.json").unlink(), p.seal()))


def _append_new(file: Path, data: bytes) -> None:
    file.write_bytes(data)


def _jpeg(pack: PackFolder) -> bytes:
    buffer = io.BytesIO()
    reopened(pack, FIRST).save(buffer, format="JPEG")
    return buffer.getvalue()


@spoils("I04")
def a_png_called_jpg(pack: PackFolder) -> None:
    pack.rename(FIRST, FIRST.replace(".png", ".jpg"))


_LARGE = noise_image(2000, 1700, seed=3)


def _large() -> bytes:
    return png(Image.fromarray(_LARGE), compress_level=0)


# S01 to S06
case("S01", "number skipped", step(FINISH, lambda r: r.update(index=12)))
case(
    "S01",
    "from one instead of zero",
    lambda p: p.edit_rows("steps", lambda rows: [r.update(index=r["index"] + 1) for r in rows]),
)
case("S01", "two steps exchanged", lambda p: p.edit_rows("steps", lambda rows: _swap_numbers(rows, KEY, SPOT)))
case("S01", "one id for two steps", step(TYPE, lambda r: r.update(step=f"{SAMPLE}_step00")))
case("S02", "step ends before it starts", step(CLICK, lambda r: r.update(ended_ns=r["started_ns"] - 1)))
case(
    "S02",
    "step starts before the last",
    step(TYPE, lambda r: (r.update(started_ns=5_000_200_000_000), r["before"].update(grab_ended_ns=0))),
)
case("S03", "unknown demo", lambda p: p.edit_row("elements", 182, lambda r: r.update(demo="demo_gone")))
case("S03", "rows of two demos mixed", lambda p: p.edit_rows("elements", lambda rows: rows.insert(1, rows.pop())))
case("S03", "demo twice", lambda p: p.edit_rows("demos", _twice))
case(
    "S04", "picture taken after the event", step(CLICK, lambda r: r["before"].update(grab_ended_ns=r["started_ns"] + 1))
)


def test_a_wait_begins_with_nothing_that_its_picture_could_be_late_for(pack: PackFolder) -> None:
    step(CLICK, lambda r: r["before"].update(grab_ended_ns=r["started_ns"] + 1))(pack)
    assert "S04" in {finding.rule for finding in check_pack(pack.path)}
    action = {"action_type": "wait", "target": None, "parameters": {"wait_duration_s": 0.3}}
    step(CLICK, lambda r: r["response"].update(action=action))(pack)
    assert "S04" not in {finding.rule for finding in check_pack(pack.path)}


def _twice(rows: list[Row]) -> None:
    rows.append(dict(rows[0]))


def _swap_numbers(rows: list[Row], a: int, b: int) -> None:
    rows[a]["index"], rows[b]["index"] = rows[b]["index"], rows[a]["index"]


@spoils("S05")
def no_end(pack: PackFolder) -> None:
    waits = {"action_type": "wait", "target": None, "parameters": {"wait_duration_s": 1.0}}
    pack.edit_row("steps", FINISH, lambda r: r["response"].update(action=waits, is_goal_complete=False))


@spoils("S05")
def an_end_in_the_middle(pack: PackFolder) -> None:
    done = {"action_type": "finish_goal", "target": None, "parameters": {}}
    pack.edit_row("steps", KEY, lambda r: r["response"].update(action=done, is_goal_complete=True))


@spoils("S05")
def a_failure_in_the_middle(pack: PackFolder) -> None:
    failed = {"action_type": "finish_goal", "target": None, "parameters": {"status": "failure"}}
    pack.edit_row("steps", KEY, lambda r: r["response"].update(action=failed))


@spoils("S05")
def a_flag_in_the_middle(pack: PackFolder) -> None:
    pack.edit_row("steps", KEY, lambda r: r["response"].update(is_goal_complete=True))


@spoils("A07")
def an_end_without_the_flag(pack: PackFolder) -> None:
    pack.edit_row("steps", FINISH, lambda r: r["response"].update(is_goal_complete=False))


@spoils("A07")
def a_scroll_of_no_said_length(pack: PackFolder) -> None:
    pack.edit_row("steps", SCROLL, lambda r: r["response"]["action"]["parameters"].pop("scroll_steps"))


@spoils("S06")
def cut_off(pack: PackFolder) -> None:
    no_end(pack)
    pack.edit_row("demos", 0, lambda r: r.update(status="partial"))


# A03
case(
    "A03",
    "click at the origin",
    step(
        SPOT,
        lambda r: (
            target(r).update(bbox=[0, 0, 0, 0]),
            r.update(target_box=[0, 0, 0, 0]),
            r["pointer"].update(x=0, y=0),
        ),
    ),
)
case("A03", "click without a place", step(CLICK, lambda r: (target(r).pop("bbox"), r.update(target_box=None))))
case(
    "A03",
    "drag to the origin",
    step(
        DRAG,
        lambda r: (
            r["response"]["action"]["parameters"].update(end_target={"bbox": [0, 0, 0, 0]}),
            r.update(end_box=[0, 0, 0, 0]),
            r["pointer"].update(end_x=0, end_y=0),
        ),
    ),
)

# A04
case(
    "A08",
    "text that was not typed",
    step(TYPE, lambda r: r["response"]["action"]["parameters"].update(text_to_type="Adam Lovelace")),
)
case(
    "A08",
    "text that is none of the keys'",
    step(
        TYPE,
        lambda r: [
            action["parameters"].update(text_to_type="Ada Lovelac")
            for action in (r["response"]["action"], r["recorded_action"])
        ],
    ),
)
case("H06", "UTF-8 taken for Latin-1", step(TYPE, lambda r: r.update(task="Write to Zo\u00c3\u00ab")))
case(
    "H06",
    "a dash taken for Latin-1",
    step(CLICK, lambda r: r["response"].update(reasoning="Now \u00e2\u20ac\u201c first.")),
)
case("I03", "a stray file among the pictures", lambda p: p.replace("frames/Thumbs.db", b"\xd0\xcf\x11\xe0"))
case("A04", "unknown action", step(KEY, lambda r: r["response"]["action"].update(action_type="key")))
case("A04", "type without text", step(TYPE, lambda r: r["response"]["action"].update(parameters={})))
case(
    "A01",
    "direction as a sign",
    step(SCROLL, lambda r: r["response"]["action"]["parameters"].update(scroll_direction=-1)),
)
case("A04", "goal flag of a failure", step(FINISH, lambda r: r["response"]["action"].update(
    parameters={"status": "failure"})))  # fmt: skip
case("A04", "element before the first", step(CLICK, lambda r: target(r).update(element_id=0)))
case("A04", "empty text", step(CLICK, lambda r: target(r).update(text="")))
case("A04", "bbox in pixels", step(CLICK, lambda r: target(r).update(bbox=[60, 134, 360, 36])))
case("A04", "unknown key", step(KEY, lambda r: r["response"]["action"]["parameters"].update(key_info="Hyper+Q")))
case("A04", "recorded action broken", step(SPOT, lambda r: r["recorded_action"].update(target=None)))
case("A04", "extra field", step(CLICK, lambda r: r["response"].update(confidence=1)))

# A05
case("A05", "element that is not there", step(CLICK, lambda r: target(r).update(element_id=99)))
case("A05", "another element", step(CLICK, lambda r: target(r).update(element_id=5)))
case("A05", "track id of another", step(CLICK, lambda r: target(r).update(track_id="save_0")))
case("A05", "another text", step(CLICK + 2, lambda r: target(r).update(text="Choose")))
case(
    "A05",
    "box moved away from its element",
    step(
        CLICK,
        lambda r: (
            target(r)["bbox"].__setitem__(0, 0.05),
            r["target_box"].__setitem__(0, 48),
            r["target_box"].__setitem__(2, 408),
        ),
    ),
)
case("A05", "track id of nobody", step(SPOT, lambda r: target(r).update(track_id="ghost_0")))
case(
    "A05",
    "end target renamed",
    step(DRAG, lambda r: r["response"]["action"]["parameters"]["end_target"].update(track_id="x")),
)
case(
    "A05", "numbers not in reading order", lambda p: p.edit_rows("elements", lambda rows: rows[6].update(element_id=8))
)

# P01, P02, P03, P04
CASES += PRIVATE_CASES
case("P01", "absolute path in a row", step(CLICK, lambda r: r["after"].update(file="/etc/passwd.png")))
case("P01", "way out in a row", step(CLICK, lambda r: r["after"].update(file="../../secret.png")))
case("P01", "drive in a row", step(CLICK, lambda r: r["after"].update(file="C:/secret.png")))
case("P01", "backslash in a row", step(CLICK, lambda r: r["after"].update(file="frames\\0001.png")))
case(
    "P01",
    "way out in the manifest",
    lambda p: p.edit_manifest(lambda m: m["files"].append({"path": "../x", "size": 1, "sha256": "0" * 64})),
)


@spoils("P04")
def a_text_in_a_picture(pack: PackFolder) -> None:
    info = PngInfo()
    info.add_text("Software", "/home/ada/secret")
    pack.replace(FIRST, png(reopened(pack, FIRST), pnginfo=info))


@spoils("P04")
def exif_in_a_picture(pack: PackFolder) -> None:
    exif = Image.Exif()
    exif[0x010E] = "Ada's screen"
    pack.replace(FIRST, png(reopened(pack, FIRST), exif=exif))


@spoils("P04")
def bytes_after_the_end(pack: PackFolder) -> None:
    pack.replace(FIRST, (pack.path / FIRST).read_bytes() + b"hidden")


# H02, H03, H04
@spoils("H02")
def a_blank_in_a_name(pack: PackFolder) -> None:
    pack.rename(FIRST, f"frames/{SAMPLE}/my first.png")


case("H03", "field missing", step(CLICK, lambda r: r.pop("image_size")))
# T01, T02
case("T01", "a step names no tree", step(CLICK, lambda r: r["trees"][0].update(tree="0" * 64)))
case("T01", "a tree that was changed", lambda p: p.edit_row("trees", 0, lambda r: r["nodes"][1].update(name="Other")))
case("T01", "a tree that no step names", step(CLICK, lambda r: r.update(trees=[])))


@spoils("T02")
def a_password_is_told(pack: PackFolder) -> None:
    row = pack.rows("trees")[0]
    row["nodes"][-1].update(value="hunter2")
    content = {name: row[name] for name in WindowTree.model_fields}
    key = tree_id(tree_bytes(WindowTree.model_validate(content)))
    pack.edit_row("steps", CLICK, lambda r: r["trees"][0].update(tree=key))
    pack.edit_row("trees", 0, lambda r: r.update({**row, "tree": key}))


case("H03", "number as text", step(CLICK, lambda r: r.update(index="0")))
case("H03", "field that nobody knows", lambda p: p.edit_row("elements", 0, lambda r: r.update(colour="red")))
case("H03", "unknown element type", lambda p: p.edit_row("elements", 0, lambda r: r.update(type="knob")))
case("H03", "row from the future", lambda p: p.edit_row("demos", 1, lambda r: r.update(schema_version=5)))
case("H03", "manifest without counts", lambda p: p.edit_manifest(lambda m: m.pop("counts")))
case("H04", "not a number", lambda p: _replace_text(p, "steps.jsonl", '"t_ms": 660.0', '"t_ms": NaN'))
case("H04", "line ends with CR LF", lambda p: _replace_text(p, "demos.jsonl", "\n", "\r\n"))
case(
    "H04",
    "byte order mark",
    lambda p: p.replace("demos.jsonl", b"\xef\xbb\xbf" + (p.path / "demos.jsonl").read_bytes()),
)
case("H04", "line cut off", lambda p: p.replace("steps.jsonl", (p.path / "steps.jsonl").read_bytes()[:-30]))
case("H04", "last line end missing", lambda p: p.replace("steps.jsonl", (p.path / "steps.jsonl").read_bytes()[:-1]))
case("H04", "empty line", lambda p: _replace_text(p, "steps.jsonl", "\n", "\n\n"))
case("H04", "not UTF-8", lambda p: p.replace("elements.jsonl", b"\xff\xfe"))
case(
    "H04", "key twice", lambda p: _replace_text(p, "demos.jsonl", '{"schema_version"', '{"demo": "x", "schema_version"')
)
case("H04", "manifest is not JSON", lambda p: (p.path / "pack.json").write_text("{"))


def _replace_text(pack: PackFolder, name: str, old: str, new: str) -> None:
    text = (pack.path / name).read_text(encoding="utf-8")
    assert old in text
    pack.replace(name, text.replace(old, new).encode())


# X01
case("X01", "step lost", lambda p: p.edit_rows("steps", lambda rows: rows.pop(KEY) and _renumber(rows)))
case("X01", "elements lost", lambda p: p.edit_rows("elements", lambda rows: rows.pop(181)))
case("X01", "count wrong", lambda p: p.edit_manifest(lambda m: m["counts"].update(frames=1)))
case("X01", "rationale lost", step(SPOT, lambda r: r.update(rationale=None)))
case("X01", "demo's count wrong", lambda p: p.edit_row("demos", 1, lambda r: r.update(steps=4)))


def _renumber(rows: list[Row]) -> None:
    for number, row in enumerate(r for r in rows if r["demo"] == SAMPLE):
        row["index"] = number


# R01, L01
case("R01", "no reasoning", step(CLICK, lambda r: r["response"].update(reasoning="  ")))
case(
    "R01", "hindsight", step(CLICK, lambda r: r["response"].update(reasoning="Yes: " + r["rationale"]["actual_effect"]))
)
case("L01", "no licence", lambda p: p.edit_manifest(lambda m: m.update(licence="")))


@pytest.mark.parametrize(("rule", "spoil"), [pytest.param(r, s, id=f"{r}-{n}") for r, n, s in CASES])
def test_exactly_the_broken_rule_speaks(pack: PackFolder, rule: str, spoil: Spoil) -> None:
    spoil(pack)
    result = CliRunner().invoke(command, [str(pack.path), "--json", "--no-cache"])
    report = json.loads(result.output)
    assert {finding["rule"] for finding in report["findings"]} == {rule}
    assert all(finding["fix"] and finding["message"] for finding in report["findings"])
    fatal = RULES[rule].severity == "error"
    assert result.exit_code == (1 if fatal else 0)
    assert report["ok"] is not fatal


def test_a_masked_password_on_the_card_is_no_password(tmp_path: Path) -> None:
    """The card is Markdown, and in Markdown <secret:password> is written with backslashes."""
    with Library.open(tmp_path / "library") as library:
        key = small_demo(library, 1, task="Log in with <secret:password> as password: <secret:password>")
        export_pack(library, [key], tmp_path / "pack", licence="MIT")
    assert "\\<secret:password\\>" in (tmp_path / "pack" / "README.md").read_text(encoding="utf-8")
    assert check_pack(tmp_path / "pack") == []


def test_a_blinking_caret_is_no_change(tmp_path: Path) -> None:
    def told(caret: tuple[slice, slice]) -> list[str]:
        name = f"{caret[0].stop}-{caret[1].stop}"
        with Library.open(tmp_path / name) as library:
            builder = DemoBuilder(library=library, demo_id="demo_caret")
            picture = np.zeros((60, 80, 3), np.uint8)
            blinked = picture.copy()
            blinked[caret] = 255
            without, with_caret = builder.frame(picture), builder.frame(blinked)
            builder.step("click", without, with_caret, at=Point(10, 10), thought="Here.")
            builder.step("type", without, None, parameters={"text_to_type": "a"}, thought="A letter.")
            builder.step("finish_goal", without, None, thought="Done.")
            builder.store(demo_head("demo_caret", final_frame=without))
            export_pack(library, ["demo_caret"], tmp_path / f"{name}.pack", licence="MIT")
        return [finding.rule for finding in check_pack(tmp_path / f"{name}.pack")]

    assert "S08" not in told((slice(20, 40), slice(30, 32)))
    assert "S08" in told((slice(20, 40), slice(30, 50))), "a box is no caret"
    assert "S08" in told((slice(20, 22), slice(30, 50))), "neither is a line below a text"


def test_every_rule_is_tried() -> None:
    elsewhere = {rule for rule, _, _ in (*WIDE_CASES, *PUBLISH_CASES)}
    for_folders = {"H01", "X03", "X04", "X05"}
    assert {rule for rule, _, _ in CASES} | elsewhere == set(RULES) - for_folders
    assert len(CASES) + len(WIDE_CASES) + len(PUBLISH_CASES) >= 150


def test_a_stray_file_is_called_one(pack: PackFolder) -> None:
    pack.replace("frames/Thumbs.db", b"\xd0\xcf\x11\xe0")
    (finding,) = check_pack(pack.path)
    assert (finding.file, finding.message[:19]) == ("frames/Thumbs.db", "It is a stray file:")


def test_an_element_of_no_picture_is_told_as_that(pack: PackFolder) -> None:
    pack.edit_row("elements", 1, lambda row: row.update(frame="f" * 64))
    (first, *others) = [one for one in check_pack(pack.path) if one.rule != "X01"]
    assert (first.rule, first.file, first.line) == ("I01", "elements.jsonl", 2)
    assert "is no picture of" in first.message
    assert others == []


@pytest.mark.parametrize("text", ["NÃO", "MANHÃ…", "TERMINÉ…", "É»", "café…»", "«Â»", "Пример", "日本語", "naïve—yes"])
def test_letters_that_people_write_are_not_taken_for_misread_ones(pack: PackFolder, text: str) -> None:
    pack.edit_row("steps", TYPE, lambda row: row.update(description=f"Wrote {text}"))
    assert check_pack(pack.path) == []


def test_the_line_is_named(pack: PackFolder) -> None:
    pack.edit_row("steps", CLICK + 2, lambda row: row["pointer"].update(x=1))
    (finding,) = check_pack(pack.path)
    assert (finding.rule, finding.file, finding.line) == ("G05", "steps.jsonl", 3)
    assert "(1, " in finding.message


def test_the_schemas_of_another_version_are_told_once(pack: PackFolder) -> None:
    pack.replace("schema/demo.json", b"{}")
    pack.replace("schema/step.json", b"{}")
    (finding,) = check_pack(pack.path)
    assert (finding.rule, finding.file) == ("H05", "schema/demo.json")
    assert finding.message == "Not as this version writes it: demo.json, step.json."
    (pack.path / "schema" / "step.json").unlink()
    pack.seal()
    (finding,) = check_pack(pack.path)
    assert finding.message == "Missing: step.json. Not as this version writes it: demo.json."


def test_several_mistakes_are_all_found(pack: PackFolder) -> None:
    pack.edit_row("steps", CLICK, lambda row: row["pointer"].update(x=1))
    pack.edit_row("steps", KEY, lambda row: row["response"].update(reasoning=""))
    pack.edit_manifest(lambda manifest: manifest.update(licence=""))
    assert [f.rule for f in check_pack(pack.path)] == ["G05", "L01", "R01"], "errors first, then by rule"
