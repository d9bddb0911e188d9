"""What the product makes of frozen inputs is what it made before, to the byte; see README.md."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.golden.groups import GROUPS
from tests.golden.making import made
from tests.golden.outputs import differences, read_expected


@pytest.mark.parametrize("group", GROUPS)
def test_as_it_was(group: str, tmp_path: Path) -> None:
    expected, found = read_expected(group), made(group, tmp_path / "golden")
    assert expected, "nothing is expected yet: python -m tests.golden.write"
    if said := differences(expected, found):
        pytest.fail("\n".join([f"{len(said)} lines of differences in {group}:", *said[:120]]), pytrace=False)
