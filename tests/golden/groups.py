"""The groups of golden files: each fills :class:`Outputs` from the frozen inputs, through the product's doors alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.golden.commands import help_texts, schemas, settings
from tests.golden.exports import OPTIONS, export_options, export_pack
from tests.golden.imports import annotations, foreign, round_trip
from tests.golden.libraries import commands, history
from tests.golden.outputs import Outputs
from tests.golden.packs import check, damaged, rewritten, sets
from tests.golden.prompts import prompts
from tests.golden.scores import scores
from tests.golden.vision import found

Group = Callable[[Path, Outputs], None]

GROUPS: dict[str, Group] = {
    "help": help_texts,
    "schemas": schemas,
    "settings": settings,
    "export-quickstart": export_pack("quickstart-pack"),
    "export-hard": export_pack("hard-pack"),
    **{f"export-hard-{name}": export_options(name) for name in OPTIONS},
    "prompt-quickstart": prompts("quickstart"),
    "prompt-hard": prompts("hard"),
    "score-quickstart": scores("quickstart"),
    "score-hard": scores("hard"),
    "library-quickstart": commands("quickstart"),
    "library-hard": commands("hard"),
    "history-8f197c8": history("library-8f197c8"),
    "import-foreign": foreign,
    "import-again": round_trip,
    "annotations": annotations,
    "check": check,
    "check-damaged": damaged,
    "pack-rewritten": rewritten,
    "pack-sets": sets,
    "vision": found,
}
"""By name; in each the work folder is empty, and the current one."""
