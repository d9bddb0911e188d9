"""Garbage is collected in the GUI thread, and nowhere else."""

from __future__ import annotations

import gc
import threading
import weakref

from pytestqt.qtbot import QtBot

from annotator.ui.app import GuiThreadCollector


class Knot:
    """Refers to itself, so that only the collector can take it away."""

    def __init__(self) -> None:
        self.me = self


def test_cycles_are_taken_away_in_the_gui_thread_alone(qtbot: QtBot) -> None:
    threads: list[threading.Thread] = []

    def note(phase: str, _: dict[str, int]) -> None:
        if phase == "start":
            threads.append(threading.current_thread())

    gc.set_threshold(700, 10, 10)
    gc.enable()
    frozen = gc.get_freeze_count()
    collector = GuiThreadCollector()
    assert gc.get_freeze_count() > frozen, "what was there before is not looked through each time"
    gc.callbacks.append(note)
    knot = weakref.ref(Knot())
    try:
        # A library that switches it on again makes no difference.
        gc.enable()
        worker = threading.Thread(target=lambda: [[] for _ in range(50_000)])
        worker.start()
        worker.join()
        assert threads == []
        kept = [[] for _ in range(5_000)]
        qtbot.waitUntil(lambda: knot() is None, timeout=20_000)
        assert set(threads) == {threading.main_thread()}
        assert len(kept) == 5_000
    finally:
        gc.callbacks.remove(note)
        collector.close()
    assert gc.get_freeze_count() == 0
    assert (gc.isenabled(), gc.get_threshold()) == (True, (700, 10, 10))
