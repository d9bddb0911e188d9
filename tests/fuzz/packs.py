"""Packs that are damaged, careless or mean harm, as folders and as zips, tried beside a library with a good demo."""

from __future__ import annotations

import hashlib
import json
import os
import random
import shutil
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from demopack.pack import export_pack
from demopack.store import Library
from tests.support.demos import sample_demo
from tests.support.many_demos import small_demo
from tests.support.packs import PackFolder, Row
from tests.support.pictures import swatch

TABLES = ("demos", "steps", "elements")
GOOD = "demo_0000000009"
Place = tuple[Any, ...]


class _Spoilable(PackFolder):
    """A pack that may hold a FIFO by now, which is not to be waited for."""

    def manifest(self) -> Row:
        if not (self.path / "pack.json").is_file():
            raise OSError("no manifest any more")
        return super().manifest()

    def rows(self, table: str) -> list[Row]:
        if not (self.path / f"{table}.jsonl").is_file():
            raise OSError("no table any more")
        return super().rows(table)


Spoil = Callable[[PackFolder, random.Random], str]


def make_template(folder: Path) -> None:
    """A recorded demo and a tiny one as packs, and a library with a good demo that no pack has."""
    with Library.open(folder / "library") as library:
        small_demo(library, 9)
    with Library.open(folder / "source") as library:
        export_pack(
            library, [sample_demo(library, draw=swatch), small_demo(library, 1)], folder / "both", licence="MIT"
        )
        export_pack(library, ["demo_0000000001"], folder / "small", licence="MIT")
    shutil.rmtree(folder / "source")
    # Monitors and what programs tell come from recordings only.
    told = {"role": "entry", "name": "Name", "value": "v", "box": [1, 1, 9, 9], "states": ["focused"], "app": "App",
            "secure": False}  # fmt: skip
    monitor = {"name": "HDMI-1", "box": [0, 0, 1040, 760], "scale_factor": 1.0, "primary": True}
    for name in ("both", "small"):
        PackFolder(folder / name).edit_rows("steps", lambda rows: [
            row.update(focused=told, pointed=told, before={**row["before"], "monitors": [monitor]})
            for row in rows if row["before"]
        ])  # fmt: skip


def mutate(template: Path, folder: Path, seed: int) -> str:
    """One pack: JSON, bytes or files of it are spoilt, mostly with sums made right again; a third becomes a zip."""
    dice = random.Random(seed)
    shutil.copytree(template / "library", folder / "library")
    shutil.copytree(template / dice.choice(("both", *["small"] * 5)), folder / "pack")
    pack = _Spoilable(folder / "pack")
    spoils = [dice.choice(_SPOILS) for _ in range(dice.choice((1, 1, 1, 2, 3)))]
    done = [_spoilt(pack, dice, spoil) for spoil in spoils]
    if dice.random() < 0.8:
        done.append(_seal(pack))
    if dice.random() < 0.33:
        done.append(_zip(folder, dice))
    return "; ".join(done)


def _spoilt(pack: PackFolder, dice: random.Random, spoil: Spoil) -> str:
    try:
        return spoil(pack, dice)
    except (OSError, ValueError, TypeError, LookupError, RecursionError) as error:
        return f"nothing, after what was done before: {type(error).__name__}"


def trials(folder: Path, seed: int) -> Iterator[tuple[str, ...]]:
    """Everything that reads packs, then what reads the library that one was imported into."""
    pack = str(folder / "pack.zip" if (folder / "pack.zip").exists() else folder / "pack")
    at = ("--library", str(folder / "library"))
    yield ("check", pack, "--no-cache", *(("--publish", "--json") if seed % 2 else ()))
    yield ("prompt", pack, "--task", "Add Ada")
    yield ("export", pack, "-o", str(folder / "trl"), "--format", "trl")
    yield ("replay", pack, "--dry-run", "--yes")
    yield ("import", pack, *at)
    yield ("list", *at)
    yield from _all_in_reach(folder, pack, at)
    yield ("check", pack, "--fix")


def _all_in_reach(folder: Path, pack: str, at: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Every demo that is listed can be shown, exported and planned to be replayed, and the good one most of all."""
    from tests.fuzz.run import run_command

    listed = run_command("list", "--json", *at)
    assert listed.code == 0, f"demopack list: {listed.err}{listed.crash}"
    ids = [row["head"]["id"] for row in json.loads(listed.out)]
    assert GOOD in ids, "the good demo is gone"
    if ids != [GOOD]:
        assert run_command("check", pack, "--no-cache").code == 0, "what the check refuses was imported"
    for number, demo in enumerate(ids):
        yield ("show", demo, *at)
        yield ("show", demo, "--json", *at)
        yield ("replay", demo, "--dry-run", *at)
        out = folder / f"out-{number}"
        answer = run_command("export", demo, "-o", str(out), *at)
        assert answer.code == 0, f"{demo} cannot be exported: {answer.err}{answer.crash}"


# JSON -----------------------------------------------------------------------------------------------------------------

_VALUES: tuple[Any, ...] = (
    None, True, -1, 0, 1, 0.5, 1e15, 2**31, 2**53, 2**61, 2**62, 2**63, 2**80, 10**30, 1e300, -1e300, "", "x", " ",
    "../secret", "/etc/passwd", "\u202e", "\x00", "\x1b[31m", "�" * 3, "a" * 100_000, [], {}, [None], [[]],
    [0, 0, 0, 0], [5, 5, 1, 1], [-5, -5, -1, -1], [1e308, 0, 1, 1], [0.5, 0.5, 0.5, 0.5],
    {"x1": 0, "y1": 0, "x2": 9, "y2": 9}, "click", "drag", "type", "finish_goal", "failure", "partial", "recording",
    "complete", "2026-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z", "yesterday",
    "<secret:pin>", "[/bold]", "</script>",
    "demo_0000000009", "e" * 64, "0" * 64, 10**9, -(10**9), 10**10, 1e-320,
)  # fmt: skip
_WORDS = ("1e999", "-1e999", "NaN", "Infinity", "1e-999", "9" * 5000, '"\\ud83d"', '"\\udc00x"', "[" * 3000, "{}}", "",
          "[" * 150 + "]" * 150, "0" * 30, "-", "'x'", "1.0", "tru")  # fmt: skip


def _places(value: Any, at: Place = ()) -> list[Place]:
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    return [at, *(place for key in keys for place in _places(value[key], (*at, key)))]


def _spot(dice: random.Random, value: Any) -> tuple[Any, Any, str]:
    """A place in a value, by what holds it and its key, and its name."""
    *way, last = dice.choice([place for place in _places(value) if place] or [()]) or (None,)
    for key in way:
        value = value[key]
    return value, last, ".".join(str(key) for key in (*way, last))


def _value(pack: PackFolder, dice: random.Random) -> str:
    """A value becomes another, in one row or in all of them."""
    table = dice.choice((*TABLES, "steps"))
    rows = pack.rows(table)
    number = dice.randrange(len(rows))
    inside, key, name = _spot(dice, rows[number])
    inside[key] = value = dice.choice(_VALUES)
    if dice.random() < 0.2:
        for row in rows:
            top = name.partition(".")[0]
            row[top] = rows[number][top]
    _write(pack, table, rows)
    return f"{table} {number} {name} = {str(value)[:30]!r}"


def _word(pack: PackFolder, dice: random.Random) -> str:
    """A value becomes what no JSON library would write."""
    table = dice.choice((*TABLES, "pack"))
    rows = [pack.manifest()] if table == "pack" else pack.rows(table)
    number = dice.randrange(len(rows))
    inside, key, name = _spot(dice, rows[number])
    inside[key] = "\u0001here\u0001"
    word = dice.choice(_WORDS)
    lines = [json.dumps(row, ensure_ascii=False).replace('"\\u0001here\\u0001"', word) for row in rows]
    file = pack.path / ("pack.json" if table == "pack" else f"{table}.jsonl")
    file.write_text("".join(line + "\n" for line in lines), encoding="utf-8", errors="surrogatepass")
    return f"{table} {number} {name} = {word[:20]}"


def _key_gone(pack: PackFolder, dice: random.Random) -> str:
    table = dice.choice(TABLES)
    rows = pack.rows(table)
    number = dice.randrange(len(rows))
    inside, key, name = _spot(dice, rows[number])
    del inside[key]
    _write(pack, table, rows)
    return f"{table} {number} without {name}"


def _key_new(pack: PackFolder, dice: random.Random) -> str:
    table = dice.choice(TABLES)
    rows = pack.rows(table)
    inside, _, name = _spot(dice, dice.choice(rows))
    if not isinstance(inside, dict):
        return "nothing"
    inside[dice.choice(("more", "\x00", "", "type", "__class__", "\ud83d"))] = dice.choice(_VALUES)
    _write(pack, table, rows)
    return f"{table} with a key more beside {name}"


def _swapped(pack: PackFolder, dice: random.Random) -> str:
    """Values of two places change their places: ids that are twice there, boxes of other pictures."""
    table = dice.choice(TABLES)
    rows = pack.rows(table)
    one, key, name = _spot(dice, dice.choice(rows))
    other, to, and_to = _spot(dice, dice.choice(rows))
    one[key], other[to] = other[to], one[key]
    try:
        _write(pack, table, rows)
    except (RecursionError, ValueError):  # one held the other
        return "nothing"
    return f"{table}: {name} and {and_to} swapped"


def _rows_moved(pack: PackFolder, dice: random.Random) -> str:
    table = dice.choice(TABLES)
    rows = pack.rows(table)
    what = dice.choice(("doubled", "dropped", "turned round", "shuffled", "many"))
    number = dice.randrange(len(rows))
    match what:
        case "doubled":
            rows.insert(dice.randrange(len(rows)), rows[number])
        case "dropped":
            del rows[number]
        case "turned round":
            rows.reverse()
        case "shuffled":
            dice.shuffle(rows)
        case _:
            rows *= 200
    _write(pack, table, rows)
    return f"rows of {table} {what}"


def _manifest(pack: PackFolder, dice: random.Random) -> str:
    data = pack.manifest()
    inside, key, name = _spot(dice, data)
    if dice.random() < 0.3:
        del inside[key]
    else:
        inside[key] = dice.choice(_VALUES)
    text = json.dumps(data, ensure_ascii=dice.random() < 0.5)
    (pack.path / "pack.json").write_text(text, encoding="utf-8", errors="surrogatepass")
    return f"pack.json {name}"


def _write(pack: PackFolder, table: str, rows: list[Any]) -> None:
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (pack.path / f"{table}.jsonl").write_text(text, encoding="utf-8")


# Bytes ----------------------------------------------------------------------------------------------------------------


def _files(pack: PackFolder) -> list[Path]:
    return sorted(path for path in pack.path.rglob("*") if path.is_file())


def _bytes(pack: PackFolder, dice: random.Random) -> str:
    files = _files(pack)
    file = dice.choice([*files, *(path for path in files if path.suffix in {".jsonl", ".png"})])
    data = bytearray(file.read_bytes())
    what = dice.choice(("flip", "cut", "insert", "end", "empty", "bom", "crlf", "utf-16", "latin-1", "no end"))
    at = dice.randrange(len(data)) if data else 0
    match what:
        case "flip":
            data[at : at + 1] = bytes([dice.randrange(256)])
        case "cut":
            del data[at : at + dice.randint(1, 400)]
        case "insert":
            data[at:at] = dice.randbytes(dice.randint(1, 40))
        case "end":
            del data[at:]
        case "empty":
            data = bytearray()
        case "bom":
            data[:0] = b"\xef\xbb\xbf"
        case "crlf":
            data = data.replace(b"\n", b"\r\n")
        case "utf-16":
            data = bytearray(bytes(data).decode("utf-8", "replace").encode("utf-16"))
        case "latin-1":
            data[at:at] = b"\xe9"
        case _:
            data = data.rstrip(b"\n")
    file.write_bytes(bytes(data))
    return f"{file.name} {what}"


def _huge(pack: PackFolder, dice: random.Random) -> str:
    """Files that have no end worth waiting for; thin ones, so that a case costs little room."""
    file = pack.path / dice.choice(
        ("steps.jsonl", "demos.jsonl", "elements.jsonl", "README.md", "index.html", "pack.json")
    )
    what = dice.choice(("empty lines", "one line", "zeros", "brackets", "spaces"))
    piece, size = {
        "empty lines": (b"\n", 60 << 20), "one line": (b"x", 40 << 20), "zeros": (b"\0", 200 << 20),
        "brackets": (b"[],", 40 << 20), "spaces": (b" ", 60 << 20),
    }[what]  # fmt: skip
    if not file.is_file():
        return "nothing"
    with file.open("ab") as stream:
        if what == "zeros":
            stream.truncate(size)  # a hole: it takes no room on the disk
        else:
            if what == "brackets":
                stream.write(b'{"a": [')
            block = piece * (1 << 18)
            for _ in range(size // len(block)):
                stream.write(block)
    return f"{file.name} with {what}"


# Files ----------------------------------------------------------------------------------------------------------------


def _file_odd(pack: PackFolder, dice: random.Random) -> str:
    """Something else stands in a file's place."""
    file = dice.choice(_files(pack))
    file.unlink()
    what = dice.choice(("gone", "FIFO", "link out", "link to nothing", "link to itself", "link to a device", "folder"))
    match what:
        case "FIFO":
            os.mkfifo(file)
        case "link out":
            file.symlink_to("/etc/passwd")
        case "link to nothing":
            file.symlink_to("nowhere")
        case "link to itself":
            file.symlink_to(file.name)
        case "link to a device":
            file.symlink_to(dice.choice(("/dev/zero", "/dev/stdin", "/dev/tty")))
        case "folder":
            file.mkdir()
        case _:
            pass
    return f"{file.name}: {what}"


def _file_more(pack: PackFolder, dice: random.Random) -> str:
    """Something else lies beside the files."""
    name = dice.choice(
        ("notes.txt", ".git/HEAD", "frames/Thumbs.db", "frames/x.png", "media/setup.exe", "exports/trl/a.jsonl",
         "é ü.txt", "exports/trl/EXPORT_LOG.json", "a\nb.txt", "\x1b[31m.txt", "-rf", "CON", "schema/more.json",
         "x" * 200, "more/steps.jsonl", "index.htm")
    )  # fmt: skip
    file = pack.path / name
    if os.path.lexists(file):
        return "nothing"
    file.parent.mkdir(parents=True, exist_ok=True)
    what = dice.choice(("text", "bytes", "FIFO", "link", "JSON"))
    match what:
        case "text":
            file.write_text("password: hunter2\n" * dice.randint(1, 2000))
        case "bytes":
            file.write_bytes(dice.randbytes(5000))
        case "FIFO":
            os.mkfifo(file)
        case "link":
            file.symlink_to(dice.choice(("/etc/passwd", "/dev/zero", "..", "pack.json")))
        case _:
            file.write_text(json.dumps({"rows_in": dice.choice(_VALUES), "left_out": dice.choice(_VALUES)}))
    return f"{name!r} more, {what}"


def _pictures(pack: PackFolder, dice: random.Random) -> str:
    files = sorted((pack.path / "frames").rglob("*.png"))
    one, other = dice.choice(files), dice.choice(files)
    if not (one.is_file() and other.is_file()):
        return "nothing"
    data = one.read_bytes()
    what = dice.choice(("swapped", "wide", "cut", "text"))
    if what == "swapped":
        one.write_bytes(other.read_bytes())
        other.write_bytes(data)
    elif what == "wide":
        one.write_bytes(data[:16] + dice.randbytes(8) + data[24:])
    elif what == "cut":
        one.write_bytes(data[: dice.randrange(len(data) or 1)])
    else:
        one.write_bytes(data + b"more")
    return f"pictures {what}"


def _seal(pack: PackFolder) -> str:
    """Sizes and sums as an honest writer would have them, where there still is a manifest to write them into."""
    file = pack.path / "pack.json"
    try:
        data = pack.manifest()
        data["files"] = [
            {"path": path.relative_to(pack.path).as_posix(), "size": path.stat().st_size, "sha256": _sum(path)}
            for path in _files(pack)
            if path != file and not path.is_symlink()
        ]
        file.write_text(json.dumps(data), encoding="utf-8", errors="surrogatepass")
    except (OSError, ValueError, TypeError, RecursionError):
        return "sums as they were"
    return "sums made right"


def _sum(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _zip(folder: Path, dice: random.Random) -> str:
    """The folder as a zip, with names and bytes that no honest one has."""
    pack, file = folder / "pack", folder / "pack.zip"
    what = dice.choice(("plain", "plain", "top folder", "name out", "twice", "flip", "cut", "link"))
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as archive:
        for path in _files(PackFolder(pack)):
            if not path.is_symlink():
                name = path.relative_to(pack).as_posix()
                archive.write(path, f"pack/{name}" if what == "top folder" else name)
        if what in {"name out", "link"}:
            info = zipfile.ZipInfo(dice.choice(("../out", "/out", "C:/out", "a\\..\\out", "frames/../out", "a//b")))
            info.external_attr = 0o120777 << 16 if what == "link" else 0
            archive.writestr(info, "/etc/passwd")
    data = bytearray(file.read_bytes())
    if what == "flip":
        data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
    elif what == "cut":
        del data[dice.randrange(len(data)) :]
    elif what == "twice":
        data.extend(bytes(data))
    file.write_bytes(bytes(data))
    shutil.rmtree(pack)
    return f"as a zip, {what}"


_SPOILS: tuple[Spoil, ...] = (
    _value, _value, _value, _value, _word, _word, _key_gone, _key_new, _swapped, _swapped, _rows_moved, _manifest,
    _bytes, _bytes, _file_odd, _file_more, _pictures, _huge,
)  # fmt: skip
