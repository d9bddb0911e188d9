"""What the commands say about themselves, the schemas that are shipped, and settings."""

from __future__ import annotations

import json
import re
from pathlib import Path

import click

from demopack_cli.main import main
from tests.golden.doors import demopack, settings_in
from tests.golden.inputs import INPUTS
from tests.golden.outputs import Outputs

ROOT = Path(__file__).parents[2]
_LISTED = re.compile(r"^  ([a-z][a-z-]*)(?: {2,}|$)", re.MULTILINE)


def help_texts(work: Path, outputs: Outputs) -> None:
    """``--help`` of every command, found by reading the help of the one above it."""
    del work
    _forget_help(main)
    _help(outputs, ())
    outputs.said("version", demopack("--version"))


def _forget_help(command: click.Command) -> None:
    """click keeps the help option as it was first asked for, perhaps by a test of one command alone."""
    command._help_option = None
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            if (inner := command.get_command(context, name)) is not None:
                _forget_help(inner)


def _help(outputs: Outputs, names: tuple[str, ...]) -> None:
    said = demopack(*names, "--help")
    outputs.said("/".join((*names, "help")), said)
    _, _, listed = said.out.partition("\nCommands:\n")
    for name in _LISTED.findall(listed):
        _help(outputs, (*names, name))


def schemas(work: Path, outputs: Outputs) -> None:
    """The JSON Schemas in ``assets/schema``, as they are shipped."""
    del work
    outputs.folder("assets", ROOT / "assets" / "schema")


def settings(work: Path, outputs: Outputs) -> None:
    """The defaults, and files of earlier versions: read, and written again."""
    old = json.loads((INPUTS / "settings-8f197c8.json").read_text(encoding="utf-8"))
    files: dict[str, object] = {
        "defaults": {"schema_version": 1},
        "old": old,
        "renamed": {"vision": {"icon": "shipped", "caption": "none"}},
        "wrong-value": {"ui": {"theme": "pink"}},
        "wrong-name": {"colour": 1},
        "future": {"schema_version": 99},
    }
    for name, data in files.items():
        path = work / f"{name}.json"
        path.write_text(json.dumps(data), encoding="utf-8")
        outputs.text(f"{name}/read", settings_in(path))
        outputs.text(f"{name}/written", path.read_text(encoding="utf-8"))
