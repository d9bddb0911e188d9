"""``demopack rationale`` against a server over real HTTP: written, checked, mended, paid once, killed and resumed."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from demopack.jobs import JobControl
from demopack.settings import LanguageSettings
from demopack.store import Library
from models.language.step_context import DemoStory
from models.language.writers import open_writer
from tests.support.demos import sample_demo
from tests.support.openai_server import Asked, OpenAIServer, Reply, good, hang, refusal

pytest.importorskip("pydantic_ai", reason="the client of language models is an extra")
pytest.importorskip("openai", reason="the client of language models is an extra")

ROOT = Path(__file__).parents[2]
DEMOS = ("demo_a", "demo_b")
STEPS = 11


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with Library.open(tmp_path / "library") as library:
        for demo in DEMOS:  # each with a task of its own, so that no two questions are the same
            sample_demo(library, demo_id=demo, task=f"Add Ada Lovelace as a customer, as in {demo}")
    return tmp_path


def start(folder: Path, server: OpenAIServer, *more: str) -> subprocess.Popen[str]:
    settings = {
        "language": {"model": "server:tester", "base_url": server.base_url, "input_price": 1, "output_price": 2}
    }
    (folder / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
    environment = {**os.environ, "DEMOPACK_SETTINGS": str(folder / "settings.json"), "DEMOPACK_REQUESTS": "local"}
    # Started from a script in the background, children would not hear Ctrl-C.
    heard = ["env", "--default-signal=INT"] if sys.platform == "linux" else []
    command = [*heard, sys.executable, "-m", "demopack", "rationale", *DEMOS, "--library", str(folder / "library")]
    return subprocess.Popen(
        [*command, "--writer", "model", "--overwrite", "--json", *more],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(run: subprocess.Popen[str], code: int = 0) -> list[dict[str, Any]]:
    out, wrong = run.communicate(timeout=180)
    assert run.returncode == code, wrong
    assert out, wrong
    reports: list[dict[str, Any]] = json.loads(out)
    return reports


def target(asked: Asked) -> str:
    """The action in question, as the prompt tells it."""
    return asked.texts.split("Explain why the next action was taken:\n")[1].split("\n")[0]


def key(asked: Asked) -> str:
    """What makes a question another one: all of its words."""
    return asked.texts


def words(asked: Asked, said: str = "") -> dict[str, Any]:
    """An answer that repeats the action's own line, so that the test sees whose answer was stored."""
    return {
        "observation": "The form is open.",
        "thought": said or f"I go on with the form, as the task asks; {len(target(asked))} say so.",
        "expected_effect": "It should go on.",
        "plan": ["Save the form"],
    }


def thoughts(folder: Path, demo: str) -> list[str]:
    with Library.open(folder / "library") as library:
        return [step.rationale.thought for step in library.demo(demo).steps if step.rationale is not None]


def test_two_demos_are_written_and_a_second_run_costs_nothing(folder: Path) -> None:
    with OpenAIServer(answer=lambda asked: good(words(asked))) as server:
        reports = finish(start(folder, server))
        first = len(server.paid)
        again = finish(start(folder, server))
        assert len(server.paid) == first
    assert [report["demo"] for report in reports] == list(DEMOS)
    for report in reports:
        assert report["written"] == STEPS
        assert report["failed"] == []
        assert report["calls"] >= STEPS
        assert report["input_tokens"] > 1000
        assert report["cost"] > 0
        assert all(step["lengths"]["reasoning"] > 10 for step in report["steps"])
    assert sum(report["calls"] - report["cached"] for report in reports) == first
    assert all(report["cost"] == 0 and report["calls"] == report["cached"] for report in again)
    assert all("I go on with the form" in thought for demo in DEMOS for thought in thoughts(folder, demo))
    with Library.open(folder / "library") as library:
        rationale = library.demo("demo_a").steps[0].rationale
    assert rationale is not None
    assert rationale.plan == ("Save the form",)
    assert rationale.provenance.name == "server:tester"
    assert rationale.provenance.reason.startswith("writer/thought@2")


def test_a_wrong_name_is_told_to_the_model_and_mended(folder: Path) -> None:
    def answer(asked: Asked) -> Reply:
        wrong = "held against the screen" not in asked.texts
        return good(words(asked, "I click the button “Log out”." if wrong else "I go on."))

    with OpenAIServer(answer=answer) as server:
        reports = finish(start(folder, server))
        asked_again = [asked for asked in server.paid if "held against the screen" in asked.texts]
    assert reports[0]["calls"] == 2 * STEPS
    assert all("Log out" in asked.texts for asked in asked_again)
    assert not any("Log out" in thought for thought in thoughts(folder, "demo_a"))


def test_a_refusal_is_a_state_and_the_old_words_stay(folder: Path) -> None:
    before = thoughts(folder, "demo_a")

    def answer(asked: Asked) -> Reply:
        return refusal() if "name: drag" in target(asked) else good(words(asked))

    with OpenAIServer(answer=answer) as server:
        reports = finish(start(folder, server), code=1)
    assert [report["failed"] for report in reports] == [[6], [6]]
    assert reports[0]["steps"][5]["message"]
    assert thoughts(folder, "demo_a")[5] == before[5]


def test_the_budget_ends_the_run_and_the_next_one_goes_on(folder: Path) -> None:
    with OpenAIServer(answer=lambda asked: good(words(asked))) as server:
        ended = finish(start(folder, server, "--budget", "0.03"), code=1)
        assert sum((report["cost"] or 0) for report in ended) <= 0.03
        assert all("budget" in report["trouble"].lower() for report in ended)
        done = sum(report["written"] for report in ended)
        assert 0 < done < 2 * STEPS
        finish(start(folder, server))
        paid = Counter(key(asked) for asked in server.paid)
    assert max(paid.values()) == 1


def test_after_a_kill_the_next_run_loses_nothing_and_pays_nothing_twice(folder: Path) -> None:
    answered, release, lock, served = 9, threading.Event(), threading.Lock(), [0]

    def answer(asked: Asked) -> Reply:
        with lock:
            served[0] += 1
            return good(words(asked)) if served[0] <= answered else hang(release)

    with OpenAIServer(answer=answer) as server:
        run = start(folder, server)
        server.wait_asked(answered + len(DEMOS))  # every demo waits for its next answer
        run.send_signal(signal.SIGKILL)
        assert run.wait(30) == -signal.SIGKILL
        for pipe in (run.stdout, run.stderr):
            assert pipe is not None
            pipe.close()
        release.set()
        stored = [sum("I go on" in one for one in thoughts(folder, demo)) for demo in DEMOS]
        served[0] = -1000
        reports = finish(start(folder, server))
        paid = Counter(key(asked) for asked in server.paid)
    assert max(paid.values()) == 1
    assert sum(report["cached"] for report in reports) == answered
    assert sum(stored) <= answered
    assert all("I go on with the form" in thought for demo in DEMOS for thought in thoughts(folder, demo))


def test_ctrl_c_ends_at_once_and_keeps_what_is_written(folder: Path) -> None:
    release, lock, served = threading.Event(), threading.Lock(), [0]

    def answer(asked: Asked) -> Reply:
        with lock:
            served[0] += 1
            return good(words(asked)) if served[0] <= 6 else hang(release)

    with OpenAIServer(answer=answer) as server:
        run = start(folder, server)
        server.wait_asked(6 + len(DEMOS))
        run.send_signal(signal.SIGINT)
        out, wrong = run.communicate(timeout=60)
        release.set()
    assert (run.returncode, json.loads(out)["code"]) == (130, "stopped"), "a program is told what ended it"
    assert "everything saved so far is kept" in wrong
    assert "Traceback" not in wrong
    written = [one for demo in DEMOS for one in thoughts(folder, demo) if "I go on" in one]
    assert 1 <= len(written) <= 6


def test_a_model_that_sees_gets_the_marked_frame_and_its_part(folder: Path) -> None:
    with OpenAIServer(answer=lambda asked: good(words(asked))) as server, Library.open(folder / "library") as library:
        settings = LanguageSettings(
            model="server:eyes", base_url=server.base_url, sees="yes", input_price=0, output_price=0
        )
        with open_writer("model", settings, folder=library.folder) as (writer, _):
            story = DemoStory(library, library.demo("demo_a"))
            explained = writer.explain(story.context(0), subject="demo_a/first", control=JobControl())
    sizes = [Image.open(io.BytesIO(png)).size for png in server.asked[0].pictures]
    assert sizes == [(960, 600), (512, 320)]
    assert explained.rationale.thought.startswith("I go on")
    assert thoughts(folder, "demo_a")[0].startswith("The name comes first"), "looking at a version stores nothing"


def test_the_preview_shows_the_whole_prompt_and_asks_nothing(folder: Path) -> None:
    with OpenAIServer() as server:
        shown = finish(start(folder, server, "--preview", "2"))
        assert server.asked == []
    names = [section["name"] for section in shown[0]["sections"]]
    assert names == ["premise", "record", "question", "screen before", "instructions"]
    assert "Ada Lovelace" in shown[0]["sections"][2]["text"]
