"""Damaged files end in one clear sentence or are read; nothing else comes out of a reader."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from demopack.annotations.importing import read_annotations
from demopack.annotations.merging import DemoMerge
from demopack.annotations.picture_matching import match_pictures
from demopack.codecs.boxes.catalogue import FORMATS
from demopack.domain.elements import Element
from demopack.domain.geometry import Rect
from demopack.errors import DemopackError
from tests.support.annotations import FRAME, through

MINE = (
    Element(uid="a", frame=FRAME.id, type="icon", box=Rect(1, 2, 30, 40), text="x", subtype="send", source="ocr",
            states={"checked": True}, confidence=0.5, track_id="t", parent="b"),
    Element(uid="b", frame=FRAME.id, type="button", box=Rect(0, 0, 300, 140), review="approved"),
)  # fmt: skip
JUNK = [None, [], {}, "", "x", -1, 1e308, True, [[]], {"a": 1}, "\ud800", float("inf"), [None], ["a", "b"], "NaN"]
BYTES = [b"", b"\xff", b"9", b"<", b" ", b"nan", b"-", b"\x00"]


def _places(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield (*place, key)
        yield from _places(value[key], (*place, key))


def _spoil_json(text: str, dice: random.Random) -> str:
    data = json.loads(text)
    places = list(_places(data))
    if places:
        *way, last = dice.choice(places)
        inside = data
        for key in way:
            inside = inside[key]
        if isinstance(inside, dict) and dice.random() < 0.25:
            del inside[last]
        else:
            inside[last] = dice.choice(JUNK)
    return json.dumps(data)


def _spoil_bytes(data: bytes, dice: random.Random) -> bytes:
    at = dice.randrange(len(data)) if data else 0
    return data[:at] + dice.choice(BYTES) + data[at + dice.choice((0, 1, 5)) :]


@pytest.mark.parametrize("name", FORMATS)
def test_damage_is_told_or_passed_over(name: str, tmp_path: Path) -> None:
    form, dice = FORMATS[name], random.Random(name)
    through(form, MINE, tmp_path)
    files = sorted(path for path in tmp_path.rglob("*") if path.is_file())
    told: list[tuple[str, str]] = []
    for _ in range(40):
        file = dice.choice(files)
        whole = file.read_bytes()
        if file.suffix == ".json":
            file.write_text(_spoil_json(whole.decode(), dice))
        else:
            file.write_bytes(_spoil_bytes(whole, dice))
        try:
            read = read_annotations(tmp_path, form=name)
            for frame, picture in match_pictures(read.pictures, [FRAME])[0]:
                DemoMerge(capabilities=form.capabilities, taken=lambda _: False).merge(frame, MINE, picture.boxes)
        except DemopackError as error:
            told.append((error.user_message, error.hint))
        file.write_bytes(whole)
    assert len(told) > 3
    assert all(message and hint for message, hint in told)
