"""Store, packs and exports once more under Windows' rule for open files; see ``open_files``."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PLUGIN = "tests.support.open_files"

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="asks /proc; Windows has the rule itself")

RULE = """
import mmap, os, sys
from pathlib import Path
import pytest
import tests.support.open_files

folder = Path(sys.argv[1])
file, other = folder / "inside" / "a", folder / "b"
file.parent.mkdir()
file.write_bytes(b"x" * 5000)
other.write_bytes(b"")
refused = [file.unlink, lambda: file.rename(folder / "c"), lambda: other.replace(file),
           lambda: file.parent.rename(folder / "d")]
with file.open("rb"):
    for step in refused:
        pytest.raises(PermissionError, step)
with file.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ):
    stream.close()
    for step in refused:
        pytest.raises(PermissionError, step)
pytest.raises(FileExistsError, lambda: other.rename(file))
other.replace(file)
file.unlink()
"""


def test_what_is_open_or_mapped_stays_where_it_is(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", RULE, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


STORE_TESTS = (
    "test_store_sources.py", "test_store_recording.py", "test_store_forgetting.py", "test_repair.py",
    "test_replacing.py",
)  # fmt: skip
PACK_TESTS = (
    "test_pack_mutations.py", "test_pack_cli.py", "test_pack_writer.py", "test_pack_round_trip.py",
    "test_edited_pack.py", "test_export_formats.py", "test_annotations_flow.py",
)  # fmt: skip


BREAKS_THE_RULE = "tests/flows/test_store_recording.py::test_deleting_the_folder_ends_a_recording_with_a_sentence"
"""Moves a library away from under its recorder, as Windows never would."""


@pytest.mark.parametrize("files", [STORE_TESTS, PACK_TESTS], ids=["store", "packs"])
def test_nothing_is_moved_or_deleted_while_it_is_open(files: tuple[str, ...]) -> None:
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", PLUGIN, "-p", "no:xdist", "-p", "no:cacheprovider",
         "--deselect", BREAKS_THE_RULE,
         *(f"tests/flows/{name}" for name in files)],
        cwd=ROOT, env=kept, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-4000:]
    passed = int(done.stdout.rpartition(" passed")[0].split()[-1])
    assert passed > 100
