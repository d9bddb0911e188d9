"""Libraries as failing disks, killed programs, other versions and mischief leave them behind."""

from __future__ import annotations

import json
import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from demopack.store import Library
from tests.support.demos import tiny_demo
from tests.support.many_demos import small_demo

_DATABASE = "library.db"
_ROWS = "rows of one demo"
_TABLES = ("entities", "originals")
_HUGE = (10**300, -(10**20), 2**63, 2**64 + 1, 1.5e308, -1, 0, 0.1, "1e999", None, True, [], {}, "", "\ud83d", "\x00")


def make_template(folder: Path) -> None:
    """Three small demos with pictures, elements, rationales, a film and edits that were undone."""
    from demopack.domain.frames import Frame
    from demopack.store.timeline import insert_keyframe
    from tests.support.store_demos import edit

    with Library.open(folder / "library") as library:
        ids = [tiny_demo(library), small_demo(library, 7), small_demo(library, 8)]
        for demo_id in ids:
            step = library.demo(demo_id).steps[0]
            library.commit(demo_id, edit((step, step.model_copy(update={"note": "a note"})), label="Write a note"))
            library.commit(demo_id, edit((step.model_copy(update={"note": "a note"}), step), label="Clear a note"))
            library.log.undo(demo_id)
            assert isinstance(step.before, Frame)
            with library.connection.writing() as db:  # a film comes from recordings only
                insert_keyframe(db, demo_id, step.before, shown_ns=1_000_000)
    (folder / "ids.json").write_text(json.dumps(ids), encoding="utf-8")


def mutate(template: Path, folder: Path, seed: int) -> str:
    """Half of the cases spoil rows of one demo, where all others must stay in reach; the others spoil anything."""
    dice = random.Random(seed)
    shutil.copytree(template / "library", folder / "library")
    ids = json.loads((template / "ids.json").read_text(encoding="utf-8"))
    victim = dice.choice(ids)
    file = folder / "library" / _DATABASE
    good: list[str] = []
    if dice.random() < 0.5:
        done = [_spoil_rows(file, dice, victim) for _ in range(dice.randint(1, 3))]
        good = [demo_id for demo_id in ids if demo_id != victim]
    else:
        done = [dice.choice(_WHOLE)(file, dice)]
    case = {"ids": ids, "victim": victim, "good": good}
    (folder / "case.json").write_text(json.dumps(case), encoding="utf-8")
    return f"{victim}: {'; '.join(done)}"


def trials(folder: Path, seed: int) -> Iterator[tuple[str, ...]]:
    """What a person does with a library, and what the good demos in it must still answer."""
    case = json.loads((folder / "case.json").read_text(encoding="utf-8"))
    at = ("--library", str(folder / "library"))
    yield ("list", *at)
    yield from _ask(folder, at, case["victim"], case["good"], seed)
    yield ("repair", *at)
    yield ("list", "--json", *at)
    yield from _ask(folder, at, case["victim"], case["good"], seed + 1)


def _ask(folder: Path, at: tuple[str, ...], victim: str, good: list[str], seed: int) -> Iterator[tuple[str, ...]]:
    yield ("show", victim, *at)
    yield ("show", victim, "--original", "--json", *at)
    yield ("export", victim, "-o", str(folder / f"victim-{seed}"), *at)
    yield ("replay", victim, "--dry-run", *at)
    if not good:
        return
    # Asked for by hand rather than yielded: what they answer is looked at.
    from tests.fuzz.run import run_command

    listed = run_command("list", "--json", *at)
    assert listed.code == 0, f"demopack list: {listed.err}{listed.crash}"
    there = {row["head"]["id"]: row for row in json.loads(listed.out)}
    for demo_id in good:
        assert demo_id in there, f"{demo_id} is not listed any more"
        assert not there[demo_id]["damage"], f"{demo_id} is listed as damaged: {there[demo_id]['damage']}"
    one = good[seed % len(good)]
    for args in (("show", one), ("export", one, "-o", str(folder / f"good-{seed}")), ("replay", one, "--dry-run")):
        answer = run_command(*args, *at)
        # A replay says by its exit code, too, that a target is not to be found: there is no screen here.
        refused = answer.code != 0 and args[0] != "replay"
        assert not refused, f"demopack {' '.join(args)}: {answer.err}{answer.crash}"
        assert not answer.crash, f"demopack {' '.join(args)}: {answer.crash}"


# Rows of one demo -----------------------------------------------------------------------------------------------------


def _spoil_rows(file: Path, dice: random.Random, victim: str) -> str:
    with closing(sqlite3.connect(file)) as db, db:
        db.execute("PRAGMA foreign_keys = OFF")
        table = dice.choice((*_TABLES, *_TABLES, "log", "film", "demos"))
        if table == "demos":
            return _spoil_demo(db, dice, victim)
        column, key = {"log": ("edit", "seq"), "film": ("json", "shown_ns")}.get(table, ("json", "key"))
        rows = db.execute(
            f"SELECT rowid, {key}, CAST({column} AS BLOB) FROM {table} WHERE demo = ? AND {column} IS NOT NULL",
            (victim,),
        ).fetchall()
        if not rows:
            return f"nothing in {table}"
        row, name, blob = dice.choice(rows)
        text = blob.decode(errors="replace") or "{}"
        if dice.random() < 0.1:
            db.execute(f"DELETE FROM {table} WHERE rowid = ?", (row,))
            return f"{table} {name} deleted"
        if table in _TABLES and dice.random() < 0.1:
            column, value = dice.choice(
                [("kind", "step"), ("kind", "head"), ("kind", "odd"), ("key", "\x1b[31m"), ("position", 2**62)]
            )
            db.execute(f"UPDATE OR IGNORE {table} SET {column} = ? WHERE rowid = ?", (value, row))
            return f"{table} {name}: {column} = {value!r}"
        spoil = dice.choice(_TEXTS)
        spoilt = spoil(text, dice)
        data = spoilt if isinstance(spoilt, bytes) else spoilt.encode("utf-8", "surrogatepass")
        db.execute(f"UPDATE {table} SET {column} = CAST(? AS TEXT) WHERE rowid = ?", (data, row))
        return f"{table} {name}: {spoil.__name__.strip('_')}"


def _spoil_demo(db: sqlite3.Connection, dice: random.Random, victim: str) -> str:
    value = dice.choice(("", "yesterday", "\x00", "9999-99-99", "2026-01-01"))
    if dice.random() < 0.3:
        db.execute("UPDATE log SET op = ? WHERE demo = ?", (dice.choice(("undo", "redo", "odd")), victim))
        return "every entry of the log is an odd one"
    if dice.random() < 0.3:
        db.execute("DELETE FROM demos WHERE id = ?", (victim,))
        return "row of the demo deleted"
    db.execute("UPDATE demos SET created_at = ? WHERE id = ?", (value, victim))
    return f"created_at = {value!r}"


def _empty_object(_text: str, _dice: random.Random) -> str:
    return "{}"


def _no_json(text: str, dice: random.Random) -> str:
    return text[: dice.randrange(len(text))] + dice.choice(("", "}", '"', "\x00", ",,"))


def _flipped(text: str, dice: random.Random) -> bytes:
    data = bytearray(text.encode())
    for _ in range(dice.randint(1, 4)):
        data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
    return bytes(data)


def _no_utf8(text: str, dice: random.Random) -> bytes:
    at = dice.randrange(len(text))
    return text[:at].encode() + dice.choice((b"\xff", b"\x80\x80", b"\xed\xa0\x80")) + text[at:].encode()


def _not_finite(text: str, dice: random.Random) -> str:
    word = dice.choice(("Infinity", "-Infinity", "NaN", "1e999", "-1e999", "1" + "0" * 5000))
    return _with(text, dice, lambda _: "@@", numbers=True).replace('"@@"', word)


def _nested(text: str, dice: random.Random) -> str:
    deep = dice.choice((100, 2_000, 100_000))
    return _with(text, dice, lambda _: "@@").replace('"@@"', "[" * deep + "]" * deep)


def _other_value(text: str, dice: random.Random) -> str:
    return _with(text, dice, lambda _: dice.choice(_HUGE))


def _less(text: str, dice: random.Random) -> str:
    data = _read(text)
    if isinstance(data, dict) and data:
        data.pop(dice.choice(sorted(data)))
    return json.dumps(data)


def _more(text: str, dice: random.Random) -> str:
    data = _read(text)
    if isinstance(data, dict):
        data[dice.choice(("schema_version", "colour", "__proto__", ""))] = dice.choice((2, 99, "x", None))
    return json.dumps(data)


def _other_kind(_text: str, dice: random.Random) -> str:
    return dice.choice(("[]", "1", "null", '"text"', "", " ", "true", "-0.0", "[[]]"))


def _with(text: str, dice: random.Random, new: Callable[[Any], Any], *, numbers: bool = False) -> str:
    """The JSON text with one of its values replaced."""
    data = _read(text)
    places = [place for place in _places(data) if not numbers or isinstance(place[0][place[1]], (int, float))]
    if places:
        holder, key = dice.choice(places)
        holder[key] = new(holder[key])
    return json.dumps(data)


def _read(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):  # it was spoilt before
        return {}


def _places(data: Any) -> list[tuple[Any, Any]]:
    found: list[tuple[Any, Any]] = []
    keys = list(data) if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else ()
    for key in keys:
        found += [(data, key), *_places(data[key])]
    return found


_TEXTS = (
    _empty_object, _no_json, _flipped, _no_utf8, _not_finite, _nested, _other_value, _other_value, _less, _more,
    _other_kind,
)  # fmt: skip


# The file, its tables, and what lies beside it ------------------------------------------------------------------------


def _flip_bytes(file: Path, dice: random.Random) -> str:
    data = bytearray(file.read_bytes())
    count = dice.choice((1, 1, 5, 50))
    first = dice.choice((0, 100, 8192))
    for _ in range(count):
        data[dice.randrange(min(first, len(data) - 1), len(data))] ^= 1 << dice.randrange(8)
    file.write_bytes(data)
    return f"{count} bits flipped from byte {first} on"


def _cut(file: Path, dice: random.Random) -> str:
    data = file.read_bytes()
    size = int(len(data) * dice.choice((0.99, 0.9, 0.5, 0.1, 0.001, 0)))
    file.write_bytes(data[:size])
    return f"cut to {size} bytes"


def _wipe_pages(file: Path, dice: random.Random) -> str:
    data = bytearray(file.read_bytes())
    filler = dice.choice((b"\x00", b"\xff"))
    pages = sorted(dice.sample(range(len(data) // 8192), k=dice.choice((1, 1, 3))))
    for page in pages:
        data[page * 8192 : (page + 1) * 8192] = filler * 8192
    file.write_bytes(data)
    return f"pages {pages} wiped with {filler!r}"


def _swap_pages(file: Path, dice: random.Random) -> str:
    data = bytearray(file.read_bytes())
    one, other = dice.sample(range(len(data) // 8192), k=2)
    a, b = slice(one * 8192, (one + 1) * 8192), slice(other * 8192, (other + 1) * 8192)
    data[a], data[b] = data[b], data[a]
    file.write_bytes(data)
    return f"pages {one} and {other} swapped"


def _odd_log(file: Path, dice: random.Random) -> str:
    for ending in ("-wal", "-shm"):
        file.with_name(file.name + ending).write_bytes(dice.randbytes(dice.choice((0, 31, 5000, 40_000))))
    if dice.random() < 0.3:
        file.write_bytes(b"")
        return "odd -wal and -shm beside an empty library.db"
    return "odd -wal and -shm"


def _grow(file: Path, dice: random.Random) -> str:
    with file.open("ab") as end:
        end.write(dice.randbytes(dice.choice((1, 8192, 100_000))))
    return "bytes behind the end"


def _change_tables(file: Path, dice: random.Random) -> str:
    statement = dice.choice(
        (
            "UPDATE meta SET value = '99' WHERE key = 'schema_version'",
            "UPDATE meta SET value = '1' WHERE key = 'schema_version'",
            "UPDATE meta SET value = 'x' WHERE key = 'schema_version'",
            "UPDATE meta SET value = CAST(x'ff' AS TEXT) WHERE key = 'schema_version'",
            "DELETE FROM meta WHERE key = 'schema_version'",
            "UPDATE meta SET value = 'other' WHERE key = 'format'",
            "UPDATE meta SET value = 'many' WHERE key = 'erasures'",
            "DELETE FROM meta WHERE key = 'erasures'",
            "UPDATE meta SET value = '2' WHERE key = 'erasing'",
            "DELETE FROM meta",
            "DROP TABLE meta",
            "DROP TABLE entities",
            "DROP TABLE originals",
            "DROP TABLE log",
            "DROP TABLE frames",
            "DROP TABLE tiles",
            "DROP TABLE film",
            "DELETE FROM demos",
            "DELETE FROM entities WHERE kind = 'head'",
            "UPDATE tiles SET data = x''",
            "UPDATE tiles SET data = zeroblob(100)",
            "UPDATE frames SET tiles = x'28b52ffd'",
            "UPDATE frames SET width = 1 << 40",
            "UPDATE frames SET side = 0",
            "DELETE FROM _sqlite_migrations",
            "CREATE TABLE listing (demo TEXT)",
            "CREATE TABLE foreign_thing (a)",
            "CREATE TRIGGER listing_odd AFTER INSERT ON entities BEGIN DELETE FROM demos; END",
            "CREATE VIEW listing AS SELECT 1 AS demo",
            "ALTER TABLE entities RENAME COLUMN json TO text",
            "ALTER TABLE log ADD COLUMN colour TEXT",
            "UPDATE entities SET json = json || x'ff'",
        )
    )
    with closing(sqlite3.connect(file)) as db:
        db.execute("PRAGMA foreign_keys = OFF")
        with db:
            if statement.startswith(("CREATE TABLE listing", "CREATE VIEW listing")):
                db.execute("DROP TABLE IF EXISTS listing")
            db.execute(statement)
    return statement


_WHOLE: tuple[Callable[[Path, random.Random], str], ...] = (
    _flip_bytes, _flip_bytes, _cut, _wipe_pages, _swap_pages, _odd_log, _grow, _change_tables, _change_tables,
)  # fmt: skip
