"""How soon the abort hot-key stops what is being performed: from the key to the last input that was injected, ms.

Times are those at which a hook of its own, a third client of the X server, gets the events::

    python benchmarks/bench_abort.py [--times 20]

Prints median and worst for typing, for a long drag, and for a wait (there: until the call has returned).
"""

from __future__ import annotations

import argparse
import contextlib
import statistics
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from demopack.clock import now_ns
from demopack.domain.actions import LLMResponse
from demopack.domain.events import InputEvent
from demopack.domain.geometry import Size, to_norm_xywh
from demopack.jobs import CancelToken, JobControl
from demopack.settings import PlayerSettings
from player.abort import AbortMonitor
from player.backends.x11 import X11Performer
from player.executor import Executor
from player.input_driver import InputDriver
from player.observing import ScreenObserver
from recorder.backends.x11.input import X11Input
from recorder.backends.x11.screen import X11Screen
from recorder.backends.x11.windows import X11Windows
from recorder.desktop.private_display import PrivateDisplay
from tests.support.tape import TruthFinder
from tests.support.target_window import TargetWindow

_OWN = frozenset({"Ctrl", "Alt", "Escape"})


class Watch:
    """Notes when the hot-key went down, and when anything else was last injected."""

    def __init__(self) -> None:
        self.pressed_ns = self.last_ns = 0
        self.inputs = 0
        self.begun = threading.Event()

    def on_event(self, event: InputEvent) -> None:
        if event.key in _OWN or (event.key or "").startswith(("Control", "Alt", "Esc")):
            if event.kind == "key_down" and event.key == "Escape":
                self.pressed_ns = event.t_ns
            return
        self.inputs += 1
        self.last_ns = event.t_ns
        if self.inputs > 30:
            self.begun.set()


def once(display: PrivateDisplay, wire: Mapping[str, object], *, waits: bool) -> float:
    """Milliseconds from the hot-key to the last injected input, or to the end of the call."""
    token, watch = CancelToken(), Watch()
    with contextlib.ExitStack() as stack:
        window = stack.enter_context(TargetWindow(display))
        performer = stack.enter_context(X11Performer(display.name))
        person = stack.enter_context(X11Performer(display.name))
        screen = stack.enter_context(contextlib.closing(X11Screen(display=display.name)))
        windows = stack.enter_context(contextlib.closing(X11Windows(display=display.name)))
        performer.move(900, 700)
        observer = ScreenObserver(screen=screen, finder=TruthFinder(window), windows=windows)
        gate = stack.enter_context(
            AbortMonitor(
                performer, token=token, bounds=screen.grab().desktop_box, hotkey="Ctrl+Alt+Escape", corner_px=4,
                inputs=X11Input(display=display.name),
            )
        )  # fmt: skip
        driver = InputDriver(performer, gate=gate, settings=PlayerSettings(pointer_px_s=500))
        control = JobControl(token=token)
        executor = Executor(observer, performer=performer, gate=gate, driver=driver, control=control)
        hook = X11Input(display=display.name)
        hook.start(watch.on_event)
        stack.callback(hook.stop)
        ended: list[int] = []

        def act() -> None:
            done = executor.execute(LLMResponse.model_validate({"reasoning": "", "action": wire}))
            ended.append(now_ns())
            assert done.result.code == "stopped", done.result

        player = threading.Thread(target=act)
        player.start()
        if waits:
            threading.Event().wait(1.0)
        else:
            assert watch.begun.wait(30)
        for key in ("Ctrl", "Alt", "Escape"):
            person.key_down(key)
        player.join(30)
        for key in ("Escape", "Alt", "Ctrl"):
            person.key_up(key)
        last = ended[0] if waits else watch.last_ns
    return (last - watch.pressed_ns) / 1e6


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=20)
    given = parser.parse_args()
    size = Size(1280, 800)

    def at(x: int, y: int) -> dict[str, object]:
        from demopack.domain.geometry import Point, Rect

        return {"bbox": list(to_norm_xywh(Rect.at_point(Point(x, y)), size))}

    drag = {"action_type": "drag", "target": at(200, 430), "parameters": {"end_target": at(1200, 780)}}
    typed = {"action_type": "type", "target": at(300, 250), "parameters": {"text_to_type": "a" * 3000}}
    waits = {"action_type": "wait", "target": None, "parameters": {"wait_duration_s": 30}}
    kinds: dict[str, Callable[[], float]] = {
        "typing": lambda: once(display, typed, waits=False),
        "a drag": lambda: once(display, drag, waits=False),
        "a wait": lambda: once(display, waits, waits=True),
    }
    with PrivateDisplay() as display:
        for name, measure in kinds.items():
            times = [measure() for _ in range(given.times)]
            print(f"{name:8} median {statistics.median(times):6.1f} ms, worst {max(times):6.1f} ms of {len(times)}")


if __name__ == "__main__":
    main()
