"""The first fifty of the thousands of packs that `make fuzz` tries: nobody trips over one, nor is a good demo lost."""

from __future__ import annotations

from pathlib import Path

from tests.fuzz.run import try_cases


def test_spoilt_packs_are_refused_or_taken_and_never_tripped_over(tmp_path: Path) -> None:
    assert try_cases("packs", range(50), tmp_path) == []
