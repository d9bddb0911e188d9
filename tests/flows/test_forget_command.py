"""``demopack forget`` on a real library: what was forgotten is in no byte of it, and the rest is whole."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from demopack.clock import utc_now
from demopack.domain.actions import TypeAction
from demopack.domain.demos import DemoHead
from demopack.domain.frames import Frame
from demopack.domain.steps import Step
from demopack.errors import CorruptFrameError
from demopack.settings import LanguageSettings
from demopack.store import Library, Recording
from demopack_cli.main import main
from models.language.port import LanguageAnswer, LanguageRequest, Usage
from models.language.servers import server_of
from models.language.usage_log import UsageLog, address_of
from recorder.privacy.purge import take_purge_request
from tests.support.language import Reason
from tests.support.leaks import traces

S = 1_000_000_000


def frame(library: Library, second: float) -> Frame:
    image = np.random.default_rng(round(second * 10)).integers(0, 255, (48, 64, 3), dtype=np.uint8)
    at = round(second * S)
    return Frame(id=library.put_image(image), width=64, height=48, grab_started_ns=at - 1, grab_ended_ns=at)


def typing(library: Library, text: str, second: float, *, position: int) -> Step:
    return Step(
        id=f"step_{position}",
        position=position,
        action=TypeAction(text_to_type=text),
        before=frame(library, second - 0.2),
        after=frame(library, second + 0.2),
        started_ns=round((second - 0.1) * S),
        ended_ns=round(second * S),
    )


def begin(library: Library, texts: Sequence[tuple[str, float]]) -> Recording:
    recording = library.begin_recording(DemoHead(id="demo_notes", task="notes", created_at=utc_now()))
    for position, (text, second) in enumerate(texts, start=1):
        recording.append_step(typing(library, text, second, position=position))
    return recording


NOTES = (("apples", 100.0), ("bananas", 120.0), ("cherries", 140.0), ("dates", 150.0))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    where = tmp_path / "library"
    with Library.open(where) as library:
        begin(library, NOTES).finish(outcome="success", final_frame=frame(library, 150.5))
    return where


def forget(folder: Path, *options: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["forget", "--library", str(folder), *options])
    return result.exit_code, result.output


def test_what_a_language_model_said_goes_too(folder: Path) -> None:
    log = UsageLog(folder)
    usage = Usage(input_tokens=1, output_tokens=1, cost=0.0)
    request = LanguageRequest(prompt="p@1", system="", parts=("?",), answer=Reason, subject="demo_notes/step_1")
    key = address_of(request, server_of(LanguageSettings(model="ollama:x")))
    attempt = log.reserve(request, key, model="ollama:x", most=0, limits=())
    answer = LanguageAnswer(value='{"thought": "dates come next"}', usage=usage, model="x")
    log.settle(attempt, outcome="answered", usage=usage, seconds=1, answer=answer)
    log.close()
    assert traces(folder, "dates come next")
    assert forget(folder, "--last", "15s")[0] == 0
    assert traces(folder, "dates come next") == []


def test_the_last_seconds_are_gone_from_every_byte(folder: Path) -> None:
    with Library.open(folder) as library:
        before = library.demo("demo_notes")
    assert forget(folder, "--last", "15s") == (0, "Removed 2 steps from demo_notes for good.\n")
    with Library.open(folder) as library:
        after = library.demo("demo_notes")
        assert [step.action.text_to_type for step in after.steps] == ["apples", "bananas"]
        assert after.steps == before.steps[:2]
        assert after.head.final_frame is None
        for step in after.steps:
            for kept in (step.before, step.after):
                assert kept is not None
                library.get_image(kept.id)
        for step in before.steps[2:]:
            for gone in (step.before, step.after):
                assert gone is not None
                with pytest.raises(CorruptFrameError):
                    library.get_image(gone.id)
    for word in ("cherries", "dates"):
        assert traces(folder, word) == []
    for word in ("apples", "bananas"):
        assert traces(folder, word)


def test_json_and_a_time_longer_than_the_demo(folder: Path) -> None:
    code, out = forget(folder, "--last", "10m", "--demo", "notes", "--json")
    assert (code, json.loads(out)) == (0, {"demo": "demo_notes", "removed": 4, "recording": False})
    assert traces(folder, "apples") == []
    code, out = forget(folder, "--last", "10m")
    assert (code, out) == (0, "Nothing was recorded in demo_notes in that time; nothing was removed.\n")


def test_bad_usage_and_a_library_that_is_not_there(folder: Path, tmp_path: Path) -> None:
    code, out = forget(folder, "--last", "a while")
    assert code == 2
    assert "'a while' is not a duration. Write for instance 30s, 2m or 1m30s." in " ".join(out.split())
    assert forget(folder)[0] == 2
    assert CliRunner().invoke(main, ["forget", "--last", "5s", "--library", str(tmp_path / "none")]).exit_code == 1


def test_a_running_recording_is_asked_and_its_files_are_left_to_it(tmp_path: Path) -> None:
    folder = tmp_path / "library"
    taken = list[float]()
    with Library.open(folder) as library, begin(library, NOTES) as recording:
        stop = threading.Event()

        def session() -> None:
            while not stop.wait(0.02):
                order = take_purge_request(folder)
                if order is not None:
                    taken.append(order.seconds)
                    recording.forget_steps(["step_4"])
                    order.answer(removed=1)

        thread = threading.Thread(target=session)
        thread.start()
        try:
            assert forget(folder, "--last", "2m") == (0, "Removed 1 step from demo_notes for good.\n")
        finally:
            stop.set()
            thread.join()
        recording.finish()
    assert taken == [120]
    assert traces(folder, "dates") == []
    assert traces(folder, "cherries")
    assert [path.name for path in folder.iterdir() if path.name.startswith(("forget", ".forget"))] == []
