from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from lab.__main__ import main
from lab.script_classifier.line_drawing import HELD_OUT, LineDrawer
from lab.script_classifier.made_up_lines import CLASSES
from models.registry import open_model
from models.vision.reading.script_classifier import open_script_classifier

pytestmark = pytest.mark.slow


def test_a_network_is_made_from_made_up_lines_and_opens_in_the_product(tmp_path: Path) -> None:
    asked = ["train-scripts", "-o", str(tmp_path / "model"), "--lines", "120", "--epochs", "1"]
    done = CliRunner().invoke(main, asked, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    card = open_model(tmp_path / "model", kind="scripts").card
    assert card.classes == CLASSES
    assert card.command == "python -m lab train-scripts --lines 120 --epochs 1 --seed 0"
    classifier = open_script_classifier(tmp_path / "model")
    assert classifier is not None
    drawer = LineDrawer(5)
    likely = classifier.likely([drawer.draw(script) for script in CLASSES])
    np.testing.assert_allclose(likely.sum(axis=1), 1, atol=1e-5)


def test_the_shipped_network_tells_most_lines_in_fonts_of_this_machine() -> None:
    classifier = open_script_classifier()
    assert classifier is not None
    drawer = LineDrawer(7)
    for place, script in enumerate(("latin", "cyrillic", "greek", "arabic", "hebrew")):
        lines = [drawer.draw(script) for _ in range(40)]
        told = classifier.likely(lines).argmax(axis=1) == classifier.classes.index(script)
        assert told.mean() >= 0.7, (place, script)


def test_lines_are_the_same_again_and_fonts_are_held_out() -> None:
    first, again = (LineDrawer(3).draw("latin") for _ in range(2))
    np.testing.assert_array_equal(first, again)
    assert not any(font.startswith(HELD_OUT) for font in LineDrawer(3).fonts("latin"))
