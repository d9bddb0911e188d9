"""``demopack agent`` as a script runs it: a real program says whether it got the right click."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from demopack.store import Library
from recorder.backends import open_windows
from recorder.desktop.private_display import PrivateDisplay
from tests.support.desktop_programs import until
from tests.support.text_only_model import text_only_server

pytestmark = pytest.mark.e2e
pytest.importorskip("pydantic_ai", reason="the client of language models is an extra")
pytest.importorskip("openai", reason="the client of language models is an extra")


def agent(*arguments: str, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "demopack", "agent", *arguments],
        env=environment,
        cwd=Path(__file__).parents[2],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


def test_a_question_is_answered_in_the_allowed_window_and_kept_as_a_demo(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library, settings = tmp_path / "library", tmp_path / "settings.json"
    with PrivateDisplay(width=720, height=480) as display, text_only_server() as server:
        monkeypatch.setenv("DISPLAY", display.name)
        settings.write_text(json.dumps({"language": {"base_url": server.base_url}}), encoding="utf-8")
        environment = {
            **display.environment(), "DEMOPACK_SETTINGS": str(settings), "DEMOPACK_REQUESTS": "local",
            "PATH": os.environ["PATH"], "HOME": str(tmp_path),
        }  # fmt: skip
        asks = [
            "zenity", "--question", "--title=Keep it", "--text=Keep the file?", "--ok-label=Keep",
            "--cancel-label=Discard",
        ]  # fmt: skip
        question = subprocess.Popen(asks, env=display.environment())
        try:
            with contextlib.closing(open_windows()) as windows:
                until(lambda: any(one.title == "Keep it" for one in windows.read().stack), "there is no question")
            arguments = [
                "--task", 'Click on the "Discard" button.', "--model", "server:text-only", "--eyes", "pixels",
                "--library", str(library), "--yes", "--json",
            ]  # fmt: skip
            elsewhere = agent(*arguments, "--allow-window", "another program", environment=environment)
            assert elsewhere.returncode == 1, elsewhere.stderr
            assert "No open window is called another program" in elsewhere.stderr
            assert not server.asked, "no model is asked about windows that are not there"
            assert question.poll() is None
            shown = agent(*arguments, "--allow-window", "keep it", "--dry-run", environment=environment)
            assert shown.returncode == 0, shown.stderr
            first = json.loads(shown.stdout)
            (planned,) = first["actions"]
            assert "Discard" in planned["words"]
            assert any('Click on the "Discard" button.' in message["content"] for message in first["messages"])
            assert question.poll() is None, "a dry run does nothing"
            done = agent(*arguments, "--allow-window", "keep it", environment=environment)
            assert done.returncode == 0, (done.stdout, done.stderr)
            assert question.wait(10) == 1, "the program's own word for Discard"
        finally:
            question.kill()
            question.wait()
    report = json.loads(done.stdout)
    assert (report["end"], report["success"]) == ("complete", True)
    with Library.open(library) as opened:
        demo = opened.demo(report["demo"])
    assert [step.action.action_type for step in demo.steps] == ["click", "finish_goal"]
    assert demo.head.outcome == "success"
    target = next(one for found in demo.elements.values() for one in found if one.uid == demo.steps[0].target_uid)
    assert target.text == "Discard"
