"""Makes the files of a group, in an empty folder."""

from __future__ import annotations

from pathlib import Path

from tests.golden.doors import pinned
from tests.golden.groups import GROUPS
from tests.golden.outputs import Outputs, read_expected
from tests.golden.vision import within_tolerance


def made(group: str, folder: Path) -> dict[str, str]:
    """What the product makes of the inputs now; by name, as texts."""
    folder.mkdir(parents=True, exist_ok=True)
    with pinned(folder):
        outputs = Outputs(folder)
        GROUPS[group](folder, outputs)
    return within_tolerance(read_expected(group), outputs.texts) if group == "vision" else outputs.texts
