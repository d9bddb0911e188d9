"""The commands of the laboratory."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from demopack.errors import BadInputError
from lab.__main__ import COMMANDS, main
from lab.icons.training import train_icons
from tests.support.drawn_screens import draw_set


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself_with_an_example(name: str) -> None:
    done = CliRunner().invoke(main, [name, "--help"])
    assert done.exit_code == 0, done.output
    assert f"Example: python -m lab {name}" in done.output


@pytest.mark.parametrize("kind", ["detector", "describer", "icons"])
def test_a_wrong_option_is_named(kind: str, tmp_path: Path) -> None:
    screens = draw_set(tmp_path / "set", train=1, val=1)
    done = CliRunner().invoke(main, ["train", kind, str(screens), "--run", str(tmp_path / "run"), "--set", "batch=-1"])
    assert isinstance(done.exception, BadInputError)
    assert "The option batch is wrong" in str(done.exception)


@pytest.mark.skipif(sys.platform == "win32", reason="FIFOs and devices")
@pytest.mark.timeout(30)
def test_a_fifo_in_a_training_of_icons_that_is_to_go_on_is_named_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "options.json")
    with pytest.raises(BadInputError, match="is a FIFO, a socket or a device"):
        train_icons([], tmp_path)
