"""Fifty damaged libraries of ``make fuzz``, and those of which something was learned."""

from __future__ import annotations

from pathlib import Path

from tests.fuzz.run import Find, try_cases


def in_words(finds: list[Find]) -> str:
    return "\n".join(f"--libraries 1 --first {find.seed}: {find.done}\n{find.command}\n{find.text}" for find in finds)


def test_whatever_happens_to_a_library_is_told_in_words_and_costs_no_other_demo(tmp_path: Path) -> None:
    finds = try_cases("libraries", range(50), tmp_path)
    assert not finds, in_words(finds)
