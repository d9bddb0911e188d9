"""Ids of demos are no keys, whatever exports hang on to them and whatever the field is called; keys stay keys."""

from __future__ import annotations

import random

import pytest

from demopack.pack.check.private import PrivateScan


def found(**fields: str) -> list[str]:
    scan = PrivateScan()
    scan.row("rows.jsonl", 1, fields)
    return [finding.rule for finding in scan.findings()]


@pytest.mark.parametrize("suffix", ["", "_2", "-copy", "_s00001", "--0001", "_take_2"])
def test_ids_with_a_suffix_are_no_keys(suffix: str) -> None:
    dice = random.Random(7)
    for _ in range(100):
        name = f"demo_{dice.getrandbits(40):010x}{suffix}"
        assert found(task_id=name, sample=name, screenshot_path=f"images/{name}/0001.png", text=f"see {name}.") == []


@pytest.mark.parametrize("text", ["demo_9fe4d1bca3Xk29sLq8", "sk_live_9fe4d1bca39fe4d1bca39fe4"])
def test_what_only_begins_so_is_still_found(text: str) -> None:
    assert found(note=text) == ["P02"]
