"""The wheel holds our packages and our assets, nothing else, and works without the checkout beside it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from demopack.__main__ import run, run_app

ROOT = Path(__file__).parents[2]
OURS = {"demopack", "demopack_cli", "recorder", "annotator", "models", "player", "tasks"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT, check=True, capture_output=True,
    )  # fmt: skip
    return next(folder.glob("*.whl"))


def test_the_wheel_holds_our_packages_and_no_tests(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert {name.split("/")[0] for name in names if ".dist-info/" not in name} == OURS
    assert not [name for name in names if "/tests/" in name or name.endswith((".pyc", ".pt.tmp"))]
    for package in OURS:
        assert f"{package}/py.typed" in names
    tracked = subprocess.run(["git", "ls-files", "assets"], cwd=ROOT, capture_output=True, text=True, check=False)
    for asset in tracked.stdout.split():
        assert f"demopack/_assets/{asset.removeprefix('assets/')}" in names


def test_the_programs_of_the_wheel_exist(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith("entry_points.txt")]
        entries = archive.read(name).decode()
    assert "[console_scripts]\ndemopack = demopack.__main__:run" in entries
    assert "[gui_scripts]\ndemopack-app = demopack.__main__:run_app" in entries
    assert callable(run)
    assert callable(run_app)


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl+C is no signal there")
@pytest.mark.parametrize("start", [("-m", "demopack"), ("-c", "run"), ("-c", "run_app")])
def test_ctrl_c_while_it_imports_ends_it_without_a_word(start: tuple[str, str], tmp_path: Path) -> None:
    # What the commands import first says so, and waits.
    waits = "import signal\nprint('importing', flush=True)\nsignal.pause()\n"
    (tmp_path / "click.py").write_text(waits, encoding="utf-8")
    code = start[1] if start[0] == "-m" else f"from demopack.__main__ import {start[1]} as begin; begin()"
    with subprocess.Popen(
        [sys.executable, start[0], code],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        # Also where whoever started the tests ignores the signal, as a shell does for what runs behind it.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stdout.readline() == "importing\n"
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=60)
    assert (process.returncode, *said) == (130, "", "")


def test_the_workflow_names_tests_and_targets_that_exist() -> None:
    text = (ROOT / ".github" / "workflows" / "systems.yml").read_text(encoding="utf-8")
    tests = re.findall(r"tests/\w+/test_\w+\.py", text)
    assert len(tests) > 20
    assert [name for name in tests if not (ROOT / name).is_file()] == []
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert [
        target for target in re.findall(r"lint-[\w-]+", text) if target not in makefile and target != "lint-imports"
    ] == []


def test_the_wheel_works_without_the_checkout(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "import demopack; from demopack.resources import asset, assets_root\n"
        "from demopack.domain.actions import parse_response\n"
        "assert demopack.__file__.startswith(sys.argv[1]), demopack.__file__\n"
        "assert assets_root().is_relative_to(sys.argv[1]), assets_root()\n"
        "print(asset('practice_app/main.py').name)"
    )
    # -P keeps the working folder off the path, so the checkout cannot stand in for the wheel.
    done = subprocess.run(
        [sys.executable, "-P", "-c", code, str(tmp_path / "site")],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "main.py"


def test_no_model_client_with_a_bad_history_is_locked() -> None:
    lock = tomllib.loads((ROOT / "uv.lock").read_text(encoding="utf-8"))
    names = {package["name"] for package in lock["package"]}
    assert "litellm" not in names
    # The OpenCV build with a GUI brings Qt plug-ins that break ours.
    assert "opencv-python" not in names


def test_weights_cannot_mistake_our_folder_for_theirs() -> None:
    forbidden = {"yolo.py", "common.py", "experimental.py"}
    assert not {path.name for path in (ROOT / "models").rglob("*.py")} & forbidden
