"""What a person does on the stage, what it must be recorded as, and the judgement: exact steps on exact screens."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from demopack.domain.demos import Demo
from demopack.domain.frames import RgbImage
from demopack.domain.steps import Step
from demopack.settings import RecorderSettings
from demopack.store import Library
from recorder.backends import open_input, open_screen, open_windows
from recorder.desktop.private_display import PrivateDisplay
from recorder.session import RecordingSession
from tests.support.desktops import two_monitors
from tests.support.injector import Injector
from tests.support.stage import PANEL_KEY, SPOT, Place, Stage

PACE_S = 0.25
TEXTS = ("hello world", "It's 4 PM!", "café", "中文 ok", "a+b = C_d", "Straße & Öl", "x  y")
KEYS = ("Ctrl+S", "Ctrl+Shift+T", "Enter", "Tab", "Escape", "F5", "ArrowDown", "Shift+Tab", "Ctrl+A", "Delete")
QUICK = RecorderSettings(long_press_ms=500, hover_ms=300, wait_s=0.8)
"""Constants with which the script of rests does not take minutes."""
_SPOT = ((SPOT[0] + SPOT[2]) // 2, (SPOT[1] + SPOT[3]) // 2)


@dataclass(frozen=True, slots=True)
class Shown:
    """What the stage shows."""

    presses: int = 0
    releases: int = 0
    panels: int = 0
    popup: bool = False


@dataclass(frozen=True, kw_only=True)
class Act:
    """One thing to do, and what must come of it.

    Attributes:
        do: does it.
        kind: of the step; empty for what must leave none.
        parameters: of the step, but for durations.
        at: where, in pixels of the stage.
        end: where a drag ends.
        presses: that the stage will count; None for a key that is held down: as many as the stage says.
        releases: likewise.
        panels: that come meanwhile.
        popup: whether the pointer goes to the spot and opens the box; where it goes elsewhere the box closes.
        lasts: least and longest seconds that the step must name.
    """

    do: Callable[[Injector, Place], None]
    kind: str
    parameters: dict[str, Any] = field(default_factory=dict[str, Any])
    at: tuple[int, int] | None = None
    end: tuple[int, int] | None = None
    presses: int | None = 1
    releases: int = 1
    panels: int = 0
    popup: bool = False
    lasts: tuple[float, float] | None = None


_DURATIONS = {"click": "hold_s", "hover": "duration_s", "wait": "wait_duration_s"}


def click(at: tuple[int, int], *, button: str = "left", count: int = 1, modifiers: tuple[str, ...] = ()) -> Act:
    """One to three clicks."""
    kind = {1: "single", 2: "double", 3: "triple"}[count] if button == "left" else button
    parameters: dict[str, Any] = {} if kind == "single" else {"click_type": kind}
    if modifiers:
        parameters["modifiers"] = list(modifiers)

    def do(person: Injector, place: Place) -> None:
        person.click(place.x + at[0], place.y + at[1], button=button, count=count, modifiers=modifiers)

    return Act(do=do, kind="click", parameters=parameters, at=at, presses=count, releases=count)


def press_long(at: tuple[int, int], *, button: str = "left", seconds: float = 0.7) -> Act:
    """A button that is held."""

    def do(person: Injector, place: Place) -> None:
        person.move(place.x + at[0], place.y + at[1])
        person.press(button)
        person.wait(seconds)
        person.release(button)

    parameters = {} if button == "left" else {"click_type": button}
    return Act(do=do, kind="click", parameters=parameters, at=at, lasts=(seconds, seconds + 3))


def drag(at: tuple[int, int], end: tuple[int, int]) -> Act:
    """A drag in a straight line."""

    def do(person: Injector, place: Place) -> None:
        person.drag(place.x + at[0], place.y + at[1], place.x + end[0], place.y + end[1])

    return Act(do=do, kind="drag", at=at, end=end)


def scroll(at: tuple[int, int], direction: str, steps: int, modifiers: tuple[str, ...] = ()) -> Act:
    """Some notches of the wheel."""
    parameters: dict[str, Any] = {"scroll_direction": direction, "scroll_steps": steps}
    if modifiers:
        parameters["modifiers"] = list(modifiers)

    def do(person: Injector, place: Place) -> None:
        person.move(place.x + at[0], place.y + at[1])
        person.scroll(direction, steps, modifiers=modifiers)

    return Act(do=do, kind="scroll", parameters=parameters, at=at, presses=steps, releases=0)


def type_text(text: str) -> Act:
    """A text."""
    return Act(
        do=lambda p, _: p.type(text),
        kind="type",
        parameters={"text_to_type": text},
        presses=len(text),
        releases=len(text),
    )


def key(info: str) -> Act:
    """A key or a combination."""
    return Act(do=lambda p, _: p.key(info.lower()), kind="press_key", parameters={"key_info": info})


def hold_key(info: str, *, seconds: float = 1.0) -> Act:
    """A key that is held until it repeats."""
    return Act(
        do=lambda p, _: p.key(info.lower(), hold_s=seconds),
        kind="press_key",
        parameters={"key_info": info},
        presses=None,
    )


def side_button(button: str) -> Act:
    """Back or forward."""

    def do(person: Injector, _: Place) -> None:
        person.press(button)
        person.release(button)

    info = {"back": "Alt+ArrowLeft", "forward": "Alt+ArrowRight"}[button]
    return Act(do=do, kind="press_key", parameters={"key_info": info}, releases=0)


def hover() -> Act:
    """A rest on the spot that opens a box, long enough for it."""

    def do(person: Injector, place: Place) -> None:
        person.move(place.x + _SPOT[0], place.y + _SPOT[1])
        person.wait(0.9)

    return Act(do=do, kind="hover", at=_SPOT, presses=0, releases=0, popup=True, lasts=(0.2, 0.9))


def wait_for_panel() -> Act:
    """The panel comes after a while, and nothing is done meanwhile."""
    return Act(
        do=lambda p, _: p.wait(1.5), kind="wait", presses=0, releases=0, panels=1, lasts=(0.6, 1.5)
    )  # fmt: skip


def rest(seconds: float = 1.2) -> Act:
    """A rest in which nothing happens leaves no step."""
    return Act(do=lambda p, _: p.wait(seconds), kind="", presses=0, releases=0)


def sixty() -> list[Act]:
    """24 left, 4 right, 2 middle, 5 double, 2 triple clicks, 5 drags, 6 scrolls, 7 texts, 5 keys, well mixed."""
    spots = [(40 + 97 * n % 700, 60 + 61 * n % 440) for n in range(60)]
    place = iter(spots)
    acts = [click(next(place)) for _ in range(22)]
    acts += [click(next(place), modifiers=("ctrl",)), click(next(place), modifiers=("shift",))]
    acts += [click(next(place), button="right") for _ in range(4)]
    acts += [click(next(place), button="middle") for _ in range(2)]
    acts += [click(next(place), count=2) for _ in range(5)]
    acts += [click(next(place), count=3) for _ in range(2)]
    acts += [drag(next(place), (700 - 90 * n, 500 - 60 * n)) for n in range(5)]
    wheel = (("down", 3, ()), ("up", 2, ()), ("down", 1, ()), ("left", 2, ()), ("right", 1, ()), ("up", 4, ("ctrl",)))
    acts += [scroll(next(place), direction, steps, modifiers) for direction, steps, modifiers in wheel]
    acts += [type_text(text) for text in TEXTS]
    acts += [key(info) for info in KEYS[:5]]
    # 37 and 60 share no factor: every kind meets every other.
    return [acts[37 * n % 60] for n in range(60)]


def rests() -> list[Act]:
    """Hovers, waits, long presses, held keys and side buttons among ordinary things."""
    panel, wait = key(PANEL_KEY), wait_for_panel()
    at_the_spot = replace(click(_SPOT), do=_click_after_a_rest, popup=True)
    return [
        click((300, 200)), hover(), click((400, 300)), press_long((200, 150)), hold_key("ArrowDown"), panel, wait,
        type_text("so "), hover(), type_text("more"), at_the_spot, rest(), click((500, 100)),
        press_long((250, 350), button="right"), side_button("back"), drag((300, 300), (500, 400)), hover(), panel, wait,
        rest(), hold_key("Ctrl+Z"), side_button("forward"), scroll((400, 200), "down", 2), hover(), panel, wait,
    ]  # fmt: skip


def _click_after_a_rest(person: Injector, place: Place) -> None:
    person.move(place.x + _SPOT[0], place.y + _SPOT[1])
    person.wait(0.9)
    person.press()
    person.wait(0.04)
    person.release()


@contextmanager
def burners(count: int) -> Generator[None]:
    """Processes that keep the cores busy."""
    started = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for process in started:
            process.kill()
            process.wait()


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What a recording of a script was worth.

    Attributes:
        demo: what was recorded.
        acts: how many steps there should be.
        wrong_steps: what is wrong with actions, one line each.
        wrong_frames: what is wrong with the screens, one line each.
    """

    demo: Demo
    acts: int
    wrong_steps: list[str]
    wrong_frames: list[str]

    @property
    def exact_steps(self) -> int:
        """Actions that are exactly one step with the right words at the right place."""
        return self.acts - len(self.wrong_steps)

    def exact_frames(self, name: str) -> int:
        """Steps whose screen ``before`` or ``after`` is exact; a wrong step has none."""
        return self.exact_steps - sum(f"the screen {name} " in line for line in self.wrong_frames)


def perform(
    folder: Path, acts: Sequence[Act], *, settings: RecorderSettings | None = None, dpi: int = 96, monitors: int = 1
) -> Verdict:
    """Do it all while a recording runs, and judge it.

    Args:
        folder: of the library.
        acts: what to do.
        settings: of the recorder.
        dpi: for which programs lay out their text: 192 on a desktop that is drawn twice as large.
        monitors: 1 or 2.
    """
    with PrivateDisplay(dpi=dpi) as screen, Injector(screen.name) as person:
        if monitors == 2:
            two_monitors(screen)
        return perform_on(folder, acts, screen.name, person, settings=settings)


def perform_on(
    folder: Path, acts: Sequence[Act], display: str, person: Injector, *, settings: RecorderSettings | None = None
) -> Verdict:
    """Do it all on a stage of an X server while a recording of it runs, and judge it.

    Args:
        folder: of the library.
        acts: what to do.
        display: the X server, as in ``DISPLAY``.
        person: whose devices lead there.
        settings: of the recorder.
    """
    with Stage(display) as stage, Library.open(folder) as library:
        source, windows = open_screen(display), open_windows(display)
        session = RecordingSession(
            library,
            settings=settings or RecorderSettings(),
            task="things to do",
            screen=source,
            windows=windows,
            inputs=open_input(display),
        )
        session.start()
        done: list[Act] = []
        states = [Shown()]
        for act in acts:
            person.wait(PACE_S)
            act.do(person, stage.place)
            was_done, shown = _counted(act, states[-1], stage)
            if act.kind:
                done.append(was_done)
                states.append(shown)
        person.wait(PACE_S)
        demo_id = session.stop()
        source.close()
        windows.close()
        assert session.error is None
        assert session.counters.events_dropped == 0
        return _judge(library.demo(demo_id), done, states, stage, library)


def _counted(act: Act, before: Shown, stage: Stage) -> tuple[Act, Shown]:
    """The act with what the stage has counted, and what the stage shows once it has answered."""
    if act.presses is None:
        presses, releases = stage.calm()
        assert presses - before.presses > 1, "the key did not repeat"
        act = replace(act, parameters={**act.parameters, "presses": presses - before.presses})
    else:
        presses, releases = before.presses + act.presses, before.releases + act.releases
        stage.wait_for(presses, releases)
    popup = before.popup if act.at is None else act.popup
    return act, Shown(presses, releases, before.panels + act.panels, popup)


def _judge(demo: Demo, acts: Sequence[Act], states: Sequence[Shown], stage: Stage, library: Library) -> Verdict:
    steps: list[str] = []
    frames: list[str] = []
    if len(demo.steps) != len(acts) + 1:
        steps.append(f"{len(demo.steps) - 1} steps, not {len(acts)}")
    for n, (step, act) in enumerate(zip(demo.steps, acts, strict=False)):
        wrong = _wrong_action(step, act, stage.place)
        if wrong:
            steps.append(f"{n}: {wrong}")
            continue
        # The pointer is where it acts before it does: a click on the spot finds the box open.
        popup = states[n].popup if act.at is None else act.popup and act.kind == "click"
        expected = (("before", replace(states[n], popup=popup)), ("after", states[n + 1]))
        for name, state in expected:
            frame = getattr(step, name)
            seen = None if frame is None else _seen(library.get_image(frame.id), stage)
            if seen != state:
                frames.append(f"{n} ({act.kind}): the screen {name} shows {seen}, not {state}; {step.quality}")
        if step.quality.changed_before_event is not False:
            frames.append(f"{n}: changed_before_event is {step.quality.changed_before_event}")
    return Verdict(demo=demo, acts=len(acts), wrong_steps=steps, wrong_frames=frames)


def _seen(image: RgbImage, stage: Stage) -> Shown:
    presses, releases = stage.read(image)
    return Shown(presses, releases, stage.panels(image), stage.popup(image))


def _wrong_action(step: Step, act: Act, place: Place) -> str:
    kind, parameters = step.action.action_type, dict(step.action.parameters)
    for name in ("end_target", "path"):
        parameters.pop(name, None)
    seconds = parameters.pop(_DURATIONS.get(act.kind, ""), None)
    if (kind, parameters) != (act.kind, act.parameters):
        return f"{kind} {parameters}, not {act.kind} {act.parameters}"
    least, longest = act.lasts or (0.0, 0.0)
    if (seconds is None) != (act.lasts is None) or (seconds is not None and not least <= seconds <= longest):
        return f"{kind} lasts {seconds}, not {act.lasts}"
    pointer = step.pointer
    if act.at is not None and (pointer is None or (pointer.x - place.x, pointer.y - place.y) != act.at):
        return f"{kind} at {pointer}, not {act.at}"
    end = None if act.end is None else (act.end[0] + place.x, act.end[1] + place.y)
    if end is not None and (pointer is None or (pointer.end_x, pointer.end_y) != end):
        return f"{kind} ends at {pointer}, not {act.end}"
    return ""
