"""How long a line of a pack's table may be."""

from __future__ import annotations

from pathlib import Path

import pytest

from demopack.errors import PackError
from demopack.pack import source
from demopack.pack.source import open_source, raw_lines


def test_the_limit_is_the_text_of_a_line_without_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "MAX_LINE_BYTES", 8)
    (tmp_path / "pack.json").write_text("{}", "utf-8")
    table = tmp_path / "steps.jsonl"
    table.write_bytes(b"12345678\nx\n")
    with open_source(tmp_path) as opened:
        assert list(raw_lines(opened, "steps.jsonl")) == [b"12345678\n", b"x\n"]
        table.write_bytes(b"123456789\n")
        with pytest.raises(PackError, match="a line is longer"):
            list(raw_lines(opened, "steps.jsonl"))
