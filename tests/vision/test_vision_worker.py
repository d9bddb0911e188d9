from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import models.vision.finder
from demopack.domain.frames import Frame, RgbImage
from demopack.domain.geometry import Point
from demopack.errors import CancelledError, ModelError
from demopack.jobs import CancelToken, JobControl
from demopack.settings import VisionSettings
from models.vision.finder import WorkerFinder, open_finder
from models.vision.worker import WorkerProcess, most_memory

BUILDER = "tests.support.echo_pipeline:build"


def picture(command: int = 0, answer: int = 7) -> RgbImage:
    image = np.zeros((20, 30, 3), dtype=np.uint8)
    image[0, 0, 0] = command
    image[-1, -1, 2] = answer
    return image


FRAME = Frame(id="f" * 64, width=30, height=20)


def finder(**options: Any) -> WorkerFinder:
    return WorkerFinder("echo-1", builder=BUILDER, options=options)


@pytest.fixture
def echo() -> Iterator[WorkerFinder]:
    with finder() as opened:
        yield opened


def texts(found: Any) -> list[str | None]:
    return [element.text for element in found]


def wait_for_worker(worker: WorkerFinder) -> int:
    deadline = time.monotonic() + 20
    while worker.worker_pid is None and time.monotonic() < deadline:
        threading.Event().wait(0.01)
    assert worker.worker_pid is not None
    return worker.worker_pid


def is_gone(pid: int) -> bool:
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        try:
            state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return True
        if state == "Z":
            return True
        threading.Event().wait(0.01)
    return False


def test_nothing_runs_before_the_first_picture_and_one_worker_serves_all(echo: WorkerFinder) -> None:
    assert echo.worker_pid is None
    found = echo.find(picture(answer=42), FRAME, control=JobControl())
    pid = echo.worker_pid
    assert texts(found) == ["42"]
    assert found[0].frame == FRAME.id
    assert found[0].source == "ocr"
    assert found[0].box.x2 == 30
    assert texts(echo.find(picture(answer=43), FRAME, control=JobControl())) == ["43"]
    assert echo.worker_pid == pid


def test_a_dead_worker_is_replaced_between_requests(echo: WorkerFinder) -> None:
    echo.find(picture(), FRAME, control=JobControl())
    pid = wait_for_worker(echo)
    os.kill(pid, signal.SIGKILL)
    assert is_gone(pid)
    assert texts(echo.find(picture(), FRAME, control=JobControl())) == ["7"]
    assert echo.worker_pid != pid


def test_a_worker_that_dies_in_a_request_is_replaced_once(tmp_path: Path) -> None:
    with finder(marker=str(tmp_path / "marker")) as opened:
        assert texts(opened.find(picture(3), FRAME, control=JobControl())) == ["7"]
        assert (tmp_path / "marker").exists()


def test_kill_nine_in_the_middle_of_a_request(echo: WorkerFinder, tmp_path: Path) -> None:
    outcome: list[object] = []

    def ask() -> None:
        try:
            outcome.append(echo.find(picture(1), FRAME, control=JobControl()))
        except ModelError as error:
            outcome.append(error)

    echo.find(picture(), FRAME, control=JobControl())
    first = wait_for_worker(echo)
    asking = threading.Thread(target=ask)
    asking.start()
    os.kill(first, signal.SIGKILL)
    # The second worker gets the same picture and sleeps on it; killing that one, too, ends the request.
    deadline = time.monotonic() + 20
    while echo.worker_pid in {None, first} and time.monotonic() < deadline:
        threading.Event().wait(0.01)
    second = wait_for_worker(echo)
    assert second != first
    os.kill(second, signal.SIGKILL)
    asking.join(5)
    if asking.is_alive():
        # The first one died before it had the request, which therefore had only one death so far.
        os.kill(wait_for_worker(echo), signal.SIGKILL)
        asking.join(20)
    assert isinstance(outcome[0], ModelError)
    assert "died twice" in str(outcome[0])


def test_dying_twice_is_an_error_and_the_next_picture_works(echo: WorkerFinder) -> None:
    with pytest.raises(ModelError, match="died twice") as caught:
        echo.find(picture(2), FRAME, control=JobControl())
    assert "exit code -9" in caught.value.details
    assert texts(echo.find(picture(), FRAME, control=JobControl())) == ["7"]


def test_cancel_ends_the_worker_at_once(echo: WorkerFinder) -> None:
    echo.find(picture(), FRAME, control=JobControl())
    pid = wait_for_worker(echo)
    token = CancelToken()
    threading.Timer(0.1, token.cancel).start()
    with pytest.raises(CancelledError):
        echo.find(picture(1), FRAME, control=JobControl(token=token))
    assert is_gone(pid), "it would have slept for ever"
    assert texts(echo.find(picture(), FRAME, control=JobControl())) == ["7"]


def test_a_cancelled_job_starts_no_worker(echo: WorkerFinder) -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(CancelledError):
        echo.find(picture(), FRAME, control=JobControl(token=token))
    assert echo.worker_pid is None


def test_an_exception_in_a_model_is_told_and_the_worker_lives_on(echo: WorkerFinder) -> None:
    with pytest.raises(ModelError, match="odd picture") as caught:
        echo.find(picture(4), FRAME, control=JobControl())
    assert "ZeroDivisionError" in caught.value.details
    pid = echo.worker_pid
    assert texts(echo.find(picture(), FRAME, control=JobControl())) == ["7"]
    assert echo.worker_pid == pid


def test_printing_libraries_do_not_disturb(echo: WorkerFinder) -> None:
    assert texts(echo.find(picture(5), FRAME, control=JobControl())) == ["7"]


def test_an_error_while_loading_keeps_its_words() -> None:
    with finder(fail=True) as opened, pytest.raises(ModelError) as caught:
        opened.find(picture(), FRAME, control=JobControl())
    assert caught.value.user_message == "The weights file x.pt is not a YOLO model."
    assert caught.value.hint == "Name another."


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[WorkerProcess]:
    """Every worker that is started."""
    workers: list[WorkerProcess] = []

    def start(**given: Any) -> WorkerProcess:
        workers.append(WorkerProcess(**given))
        return workers[-1]

    monkeypatch.setattr(models.vision.finder, "WorkerProcess", start)
    return workers


def test_a_hanging_worker_is_ended_and_no_other_is_tried_on_the_same_picture(started: list[WorkerProcess]) -> None:
    with WorkerFinder("echo-1", builder=BUILDER, options={}, limit_s=0.3) as opened:
        with pytest.raises(ModelError, match=r"longer than 0\.3 s") as caught:
            opened.find(picture(1), FRAME, control=JobControl())
        assert "models use" in caught.value.hint
        assert len(started) == 1
        assert is_gone(started[0].pid)


def test_a_worker_that_takes_too_much_memory_is_ended_and_the_next_picture_works(started: list[WorkerProcess]) -> None:
    with WorkerFinder("echo-1", builder=BUILDER, options={}, most_bytes=300_000_000) as opened:
        with pytest.raises(ModelError, match=r"more than 0\.3 GB of memory"):
            opened.find(picture(8), FRAME, control=JobControl())
        assert len(started) == 1
        assert is_gone(started[0].pid)
        assert texts(opened.find(picture(), FRAME, control=JobControl())) == ["7"]


def test_a_worker_may_take_most_of_the_memory_and_never_all() -> None:
    bound = most_memory()
    assert bound is not None
    total = int(Path("/proc/meminfo").read_text(encoding="ascii").split()[1]) * 1024
    assert 0.5 * total < bound < 0.9 * total


def test_the_time_that_describing_may_take_is_no_hanging() -> None:
    with finder(describe_s=600.0) as patient, finder() as usual:
        assert patient.limit_s(width=1280, height=800) == usual.limit_s(width=1280, height=800) + 600


def test_how_long_a_worker_may_take_depends_on_the_size_of_the_screen() -> None:
    with finder() as opened:
        desktop, wall = (opened.limit_s(width=w, height=h) for w, h in ((1280, 800), (7680, 4320)))
    assert 60 < desktop < 120
    assert desktop < wall < 1800


def test_a_screen_that_is_too_large_is_refused_before_anything_starts(echo: WorkerFinder) -> None:
    huge = np.broadcast_to(np.zeros((1, 1, 3), dtype=np.uint8), (9000, 9000, 3))
    with pytest.raises(ModelError, match="9000 x 9000 pixels is too large") as caught:
        echo.find(huge, FRAME, control=JobControl())
    assert "region" in caught.value.hint
    assert echo.worker_pid is None


def test_a_single_pixel_is_a_picture(echo: WorkerFinder) -> None:
    dot = np.zeros((1, 1, 3), dtype=np.uint8)
    assert texts(echo.find(dot, FRAME, control=JobControl())) == ["0"]


def test_points_that_matter_reach_the_worker(echo: WorkerFinder) -> None:
    found = echo.find(picture(6), FRAME, control=JobControl(), near=[Point(3, 4), Point(7, 9)])
    assert texts(found) == ["(3, 4) (7, 9)"]


def test_closing_twice_and_asking_again(echo: WorkerFinder) -> None:
    echo.find(picture(), FRAME, control=JobControl())
    pid = wait_for_worker(echo)
    echo.close()
    echo.close()
    assert is_gone(pid)
    assert texts(echo.find(picture(), FRAME, control=JobControl())) == ["7"]


_PARENT = """
import sys, numpy as np
from demopack.domain.frames import Frame
from demopack.jobs import JobControl
from models.vision.finder import WorkerFinder
image = np.zeros((20, 30, 3), dtype=np.uint8)
frame = Frame(id="f" * 64, width=30, height=20)
finder = WorkerFinder("echo-1", builder="tests.support.echo_pipeline:build", options={})
finder.find(image, frame, control=JobControl())
print(finder.worker_pid, flush=True)
image[0, 0, 0] = 1
finder.find(image, frame, control=JobControl())
"""


def test_a_killed_app_leaves_no_worker_even_in_the_middle_of_a_request() -> None:
    root = Path(__file__).resolve().parents[2]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    parent = subprocess.Popen([sys.executable, "-c", _PARENT], stdout=subprocess.PIPE, env=environment, cwd=root)
    try:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
    finally:
        parent.kill()
        parent.wait()
        if parent.stdout is not None:
            parent.stdout.close()
    assert is_gone(worker)


_NOTHING_HEAVY = """
import sys
import models.vision.finder, models.vision.demo_parsing, models.vision.tracker
from demopack.settings import VisionSettings
models.vision.finder.open_finder(VisionSettings()).close()
heavy = {"torch", "cv2", "onnxruntime", "rapidocr", "ultralytics", "transformers", "scipy", "PySide6", "pynput"}
print(sorted(heavy & {name.partition(".")[0] for name in sys.modules}))
"""


def test_the_app_loads_no_heavy_module() -> None:
    done = subprocess.run([sys.executable, "-c", _NOTHING_HEAVY], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_settings_that_find_nothing_are_refused() -> None:
    with pytest.raises(ModelError, match="nothing can be found"):
        open_finder(VisionSettings(ocr=False, detector=""))


def test_missing_weights_are_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"gone\.pt") as caught:
        open_finder(VisionSettings(detector=str(tmp_path / "gone.pt")))
    assert "vision.detector" in caught.value.hint


def test_the_name_tells_models_and_changed_thresholds_apart() -> None:
    plain = open_finder(VisionSettings()).name
    assert plain.startswith("rapidocr-")
    strict = open_finder(VisionSettings(ocr_confidence=0.9)).name
    assert strict.startswith(f"{plain}#")
    assert strict != open_finder(VisionSettings(ocr_confidence=0.8)).name
