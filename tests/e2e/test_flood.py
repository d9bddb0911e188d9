"""A thousand pointer events a second and fast typing: nothing is lost, and the text is exact."""

from __future__ import annotations

from pathlib import Path

import pytest

from demopack.settings import RecorderSettings
from demopack.store import Library
from recorder.backends import open_input, open_screen, open_windows
from recorder.desktop.private_display import PrivateDisplay
from recorder.session import RecordingSession
from tests.support.flood import start_flood, wait_for_flood
from tests.support.stage import Stage

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

SECONDS = 6


def test_nothing_is_lost_in_a_flood(tmp_path: Path) -> None:
    with PrivateDisplay() as screen, Stage(screen.name) as stage, Library.open(tmp_path / "library") as library:
        source, windows = open_screen(screen.name), open_windows(screen.name)
        session = RecordingSession(
            library,
            settings=RecorderSettings(),
            task="a flood",
            screen=source,
            windows=windows,
            inputs=open_input(screen.name),
        )
        session.start()
        done = wait_for_flood(start_flood(screen.name, seconds=SECONDS))
        stage.wait_for(len(done.text), len(done.text))
        demo_id = session.stop()
        source.close()
        windows.close()
        counters = session.counters
        demo = library.demo(demo_id)
    assert session.error is None
    assert counters.events_dropped == 0
    assert counters.events_seen == done.moves + 2 * len(done.text)
    assert done.moves >= 0.9 * 1000 * SECONDS
    assert [step.action.typed_text for step in demo.steps] == [done.text, None]
    text = demo.steps[0]
    assert text.quality.changed_before_event is False
    assert text.before is not None
