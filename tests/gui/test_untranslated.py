"""In another language nothing is left in English: every page is opened in one of full-width letters."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from scripts.write_translations import faults_of_app
from tests.support.editing import sample_library

ROOT = Path(__file__).parents[2]


def test_whatever_the_app_shows_is_translated(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.pseudo_language", str(sample_library(tmp_path))],
        cwd=ROOT, env={**os.environ, "QT_QPA_PLATFORM": "offscreen"}, capture_output=True, text=True, check=False,
        timeout=300,
    )  # fmt: skip
    assert (done.stdout, done.returncode) == ("", 0), done.stderr[-2000:]


def test_no_text_goes_round_the_translation_and_none_is_bent_as_only_english_allows() -> None:
    assert faults_of_app() == []
