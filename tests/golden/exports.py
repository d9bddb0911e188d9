"""Every format that packs are exported to, with every option."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from tests.golden.doors import demopack
from tests.golden.inputs import unpack
from tests.golden.outputs import Outputs

EITHER = ("llmresponse", "qwen", "qwen2.5-vl", "sharegpt", "swift", "trl-messages", "ui-tars", "ui-tars-1.5")
"""Formats that have a sample for each step as well as for each episode."""
OPTIONS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "bare": (("--rationale", "none", "--no-elements", "--history", "0", "--leave-out", "none"), ()),
    "hindsight": (("--rationale", "hindsight", "--history", "2", "--leave-out", "redundant"), ()),
    "step": (("--per", "step", "--leave-out", "wrong"), EITHER),
    "episode": (("--per", "episode"), EITHER),
    "marks": (("--marks",), ()),
}
"""Options that change what is written, and the formats that are asked; none for all."""


def export_pack(pack: str) -> Callable[[Path, Outputs], None]:
    """All formats as usual."""
    return _exported(pack, (), ())


def export_options(name: str) -> Callable[[Path, Outputs], None]:
    """The hard pack with some of :data:`OPTIONS`; where marks are drawn on each picture, two short demos of it."""
    options, formats = OPTIONS[name]
    return _exported("hard-pack", options, formats, longest=3 if name == "marks" else 0)


def _exported(
    name: str, options: tuple[str, ...], formats: tuple[str, ...], *, longest: int = 0
) -> Callable[[Path, Outputs], None]:
    def fill(work: Path, outputs: Outputs) -> None:
        pack = unpack(name, work)
        if longest:
            demopack("pack", "merge", pack, "-o", "short", "--longest", str(longest))
            pack = work / "short"
        listed = demopack("export", "--format", "list", "--json")
        outputs.said("list.json", listed)
        outputs.said("list.txt", demopack("export", "--format", "list"))
        every = [one["name"] for one in json.loads(listed.out)]
        asked = [part for one in formats or every for part in ("--format", one)]
        outputs.said("said.txt", demopack("export", pack, "-o", "all", *asked, *options, "--despite-errors"))
        outputs.folder("all", work / "all")
        if formats:
            for one in ("agentnet", "coco"):
                outputs.said(f"refused-{one}", demopack("export", pack, "-o", one, "--format", one, *options))

    return fill
