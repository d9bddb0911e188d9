"""The screen of this session and everything that acts on it, opened for replays and closed after them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Generator

from demopack.domain.demos import Demo
from demopack.domain.frames import Frame
from demopack.domain.ports import FrameStore
from demopack.errors import CaptureError
from demopack.settings import Settings
from models.vision.finder import open_finder
from player.backends import open_performer
from player.consent import program_of
from player.replay import Replay
from player.screen_matcher import LazyFinder, ScreenView
from player.step_gate import StepGate
from player.variables import FilledDemo
from player.windows_in_front import WindowsInFront
from recorder.backends import open_access, open_input, open_screen, open_windows
from recorder.backends.x11.key_grab import KeyGrab


@contextlib.contextmanager
def open_replay(
    demo: Demo,
    images: FrameStore,
    settings: Settings,
    *,
    may_launch: Collection[str] = (),
    unchecked_keys: bool = False,
    dry_run: bool = False,
    step_gate: StepGate | None = None,
    in_front: WindowsInFront | None = None,
    on_view: Callable[[int, Frame | None, ScreenView], None] | None = None,
) -> Generator[Callable[[FilledDemo], Replay]]:
    """Open what a demo needs; gives what makes a replay of it with its values, once or many times.

    Args:
        demo: tells whether programs have to be asked about their elements.
        images: its recorded frames.
        settings: of the player, the hot-key that stops it, and the finder.
        may_launch: command lines, or programs, that the demo may start.
        unchecked_keys: see :class:`Replay`.
        dry_run: nothing acts on the screen, and it is enough if there is none.
        step_gate: see :class:`Replay`.
        in_front: as above.
        on_view: as above.

    Raises:
        CaptureError: the screen cannot be read or acted on; says why and what to do.
    """
    # Programs are asked only where the recording knows what they told then, and where that is allowed.
    told = any(step.focused or step.pointed for step in demo.steps) and settings.recorder.privacy.accessibility
    with contextlib.ExitStack() as stack:
        screen = performer = windows = None
        with contextlib.suppress(*((CaptureError,) if dry_run else ())):
            screen = open_screen()
            stack.callback(screen.close)
        if not dry_run:
            performer = stack.enter_context(open_performer())
            # The program in front would close on an Escape, with what was typed into it.
            stack.enter_context(contextlib.closing(KeyGrab({"abort": settings.recorder.hotkeys.abort_replay})))
            windows = open_windows()
            stack.callback(windows.close)
        finder = stack.enter_context(LazyFinder(lambda: open_finder(settings.vision)))
        gate = step_gate or StepGate()

        def make(filled: FilledDemo) -> Replay:
            inputs = None
            if performer is not None:
                # The hook hears a hot-key that is pressed while elements are looked for.
                with contextlib.suppress(*((CaptureError,) if performer.sees_keys else ())):
                    inputs = open_input()
            return Replay(
                filled.demo,
                images,
                finder=finder,
                screen=screen,
                performer=performer,
                settings=settings.player,
                abort_hotkey=settings.recorder.hotkeys.abort_replay,
                inputs=inputs,
                may_launch=lambda command: command in may_launch or program_of(command) in may_launch,
                access=open_access() if told and not dry_run else None,
                windows=windows,
                unchecked_keys=unchecked_keys,
                step_gate=gate,
                in_front=in_front or WindowsInFront(),
                on_view=on_view,
                filled=filled,
            )

        yield make
