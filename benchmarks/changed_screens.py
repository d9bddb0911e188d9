"""The same demo on another screen: how many of its steps are done right there, by the programs' own state.

    python benchmarks/changed_screens.py [--out DIR] [--programs zenity "page form"] [--changes dark 2.0] [--again]

Each program is recorded once, through the X server, with accessibility on. Then it is started anew with its window
moved, resized, at scale 1.25 and 2.0, in a dark theme, with larger writing, and with its rows in another order, and
the demo is replayed. After every step the program's own state (what it printed or saved, its accessibility tree as
libatspi reads it, the page's DOM) is held against the state after that step in the recording. Goes on where it was
stopped; ``--again`` measures what is named once more. Needs Xvfb, openbox, xdotool and the programs.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.screen_programs import CHANGES, PROGRAMS, RECORDED, Node, Page, Program, Screen, State, Work
from demopack.domain.geometry import Point, Rect
from demopack.jobs import JobControl
from demopack.processes import end_process
from demopack.settings import PlayerSettings, PrivacySettings, VisionSettings
from demopack.store import Library
from models.vision.demo_parsing import parse_demo
from models.vision.finder import WorkerFinder, open_finder
from player.backends.x11 import X11Performer
from player.replay import Replay
from player.report import StepReport
from player.scripted_user import MouseButton, PracticeUser
from recorder.backends import open_access, open_screen, open_windows
from recorder.desktop.private_display import PrivateDesktop, on_display
from tests.support.record_command import RecordCommand

SIZE = (1920, 1200)
NEUTRAL = Point(1890, 1150)
_PYTHON = "/usr/bin/python3"
_STARTED_S, _SETTLED_S, _STATE_S = 40.0, 1.2, 2.5
_CLOSE = 0.06


class Witness:
    """What programs say about themselves, through a process of the system's own Python."""

    def __init__(self, environment: dict[str, str]) -> None:
        reader = Path(__file__).with_name("program_state.py")
        self._process = subprocess.Popen(
            [_PYTHON, "-W", "ignore", str(reader)],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, **question: Any) -> Any:  # noqa: ANN401 - JSON
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def nodes(self, program: str) -> list[Node]:
        answer = self.ask(dump=program)
        return answer if isinstance(answer, list) else []

    def close(self) -> None:
        end_process(self._process)


class Person:
    """Does what the demo is to show, at the places that the witness names, through the X server."""

    def __init__(self, program: Program, witness: Witness, user: PracticeUser, work: Work) -> None:
        self._program, self._witness, self._user, self._work = program, witness, user, work

    def _node(self, role: str, name: str | None = None, *, nth: int = 0, beside: str = "") -> Node:
        deadline = time.monotonic() + 8
        while True:
            nodes = self._witness.nodes(self._program.access)
            fitting = [n for n in nodes if n["role"] == role and (name is None or n["name"] == name) and _is_seen(n)]
            if beside and fitting:
                rows = [n for n in nodes if beside in (n["name"], n.get("text")) and _is_seen(n)]
                if rows:
                    fitting.sort(key=lambda n: abs(_box(n).center.y - _box(rows[0]).center.y))
                else:
                    fitting = []
            if len(fitting) > nth:
                return fitting[nth]
            assert time.monotonic() < deadline, (role, name, sorted({(n["role"], n["name"]) for n in nodes}))
            time.sleep(0.2)

    def click(self, role: str, name: str | None = None, *, nth: int = 0, beside: str = "",
              at: tuple[float, float] = (0.5, 0.5),
              button: MouseButton = "left", holding: str = "") -> None:  # fmt: skip
        box = _box(self._node(role, name, nth=nth, beside=beside))
        x = box.x1 + 8 if at[0] == 0 else box.x1 + round(box.width * at[0])
        self._user.click(Point(x, box.y1 + round(box.height * at[1])), button=button, holding=holding)

    def click_text(self, text: str, word: str, *, times: int = 1, button: MouseButton = "left") -> None:
        self._user.click(self._word(text, word).center, times=times, button=button)

    def drag_text(self, text: str, first: str, last: str) -> None:
        start, end = self._word(text, first), self._word(text, last)
        self._user.drag(Point(start.x1 + 1, start.center.y), Point(end.x2, end.center.y))

    def click_mark(self, role: str, mark: str) -> None:
        box, em = _box(self._node(role)), 16
        at = {
            "first": Point(box.x1 + 2 * em, box.y1 + 2 * em),
            "second": Point(box.x1 + 5 * em, box.y1 + 2 * em),
            "corner": Point(box.x2 - 2 * em, box.y2 - 2 * em),
            "last": Point(box.x2 - 5 * em, box.y2 - 2 * em),
        }
        self._user.click(at[mark])

    def slide(self, role: str, name: str, value: float) -> None:
        node = self._node(role, name)
        box, (least, now, most) = _box(node), node["value"]
        margin = 8

        def at(part: float) -> Point:
            return Point(
                round(box.x1 + margin + (box.width - 2 * margin) * (part - least) / (most - least)), box.y2 - 9
            )

        self._user.drag(at(now), at(value))

    def scroll(self, role: str, name: str, *, down: int) -> None:
        self._user.scroll(_box(self._node(role, name)).center, down=down)

    def type(self, text: str) -> None:
        self._user.type_text(text)

    def press(self, keys: str) -> None:
        self._user.press(keys)

    def _word(self, text: str, word: str) -> Rect:
        every = self._witness.nodes(self._program.access)
        nodes = [n for n in every if text in n.get("text", "")]
        assert nodes, (text, [n["text"] for n in every if "text" in n])
        node = nodes[-1]
        at = node["text"].index(word)
        found = Rect(*self._witness.ask(extents=[node["path"], at, at + len(word)]))
        if self._program.line_px is None:
            return found
        # Qt tells of every line of a plain text that it stands at the top.
        top = _box(node).y1 + 4 + node["text"][:at].count("\n") * self._program.line_px
        return Rect(found.x1, top, found.x2, top + self._program.line_px)


def _box(node: Node) -> Rect:
    return Rect(*node["box"])


def _is_seen(node: Node) -> bool:
    return "box" in node and _box(node).area > 0 and _box(node).x1 >= 0


# A program on a screen -----------------------------------------------------------------------------------------------


def _look(screen: Screen, folder: Path) -> dict[str, str]:
    """The environment that makes programs look so."""
    config = folder / "config"
    for part in ("gtk-3.0", "gtk-4.0", "qt5ct"):
        (config / part).mkdir(parents=True, exist_ok=True)
    look = {"XDG_CONFIG_HOME": str(config), "HOME": str(folder)}
    if screen.scale >= 2:
        look |= {"GDK_SCALE": "2", "GDK_DPI_SCALE": "0.5"}
    if screen.scale != 1:
        look |= {"QT_SCREEN_SCALE_FACTORS": str(screen.scale), "QT_AUTO_SCREEN_SCALE_FACTOR": "0"}
    if screen.dark:
        look |= {"GTK_THEME": "Adwaita:dark", "ADW_DEBUG_COLOR_SCHEME": "prefer-dark", "QT_QPA_PLATFORMTHEME": "qt5ct"}
        (config / "qt5ct" / "qt5ct.conf").write_text(
            "[Appearance]\ncolor_scheme_path=/usr/share/qt5ct/colors/darker.conf\ncustom_palette=true\nstyle=Fusion\n"
        )
    if screen.font is not None:
        for part in ("gtk-3.0", "gtk-4.0"):
            (config / part / "settings.ini").write_text(f"[Settings]\ngtk-font-name=Sans {screen.font}\n")
        look |= {"QT_FONT_DPI": str(round(96 * screen.font / 10))}
    return look


def _browser(screen: Screen) -> list[str]:
    flags: list[str] = []
    if screen.scale != 1:
        flags.append(f"--force-device-scale-factor={screen.scale}")
    if screen.dark:
        flags += ["--force-dark-mode", "--enable-features=WebContentsForceDark"]
    if screen.font is not None:
        flags.append(f"--blink-settings=defaultFontSize={round(16 * screen.font / 10)}")
    return flags


@contextlib.contextmanager
def running(program: Program, screen: Screen, desktop: PrivateDesktop, at: Rect | None) -> Generator[Work]:
    """The program on a desktop; ``at`` is where its window was in the recording."""
    # Titles name the folder, so it is the same each time.
    name = Path(tempfile.gettempdir()) / "changed-screens"
    shutil.rmtree(name, ignore_errors=True)
    name.mkdir()
    with contextlib.ExitStack() as stack:
        stack.callback(shutil.rmtree, name, ignore_errors=True)
        work = Work(folder=name, screen=screen, output=name / "printed")
        work.env = {**desktop.environment(), **_look(screen, work.folder)}
        command = program.command(work)
        if program.html is not None:
            work.page = Page(program.html(work))
            stack.callback(work.page.close)
            command += [*_browser(screen), work.page.address]
        with (work.folder / "printed").open("wb") as printed:
            work.process = subprocess.Popen(command, env=work.env, stdout=printed, stderr=subprocess.DEVNULL, cwd=name)
        stack.callback(end_process, work.process)
        window = _window(program, desktop)
        if screen.moved and at is not None:
            _xdotool(desktop, "windowmove", "--sync", window, str(at.x1 + 230), str(at.y1 + 140))
        if screen.grown and at is not None:
            _xdotool(desktop, "windowsize", "--sync", window, str(round(at.width * 1.35)), str(round(at.height * 1.25)))
        time.sleep(3 if program.html is not None else 1.5)
        yield work


def _xdotool(desktop: PrivateDesktop, *arguments: str) -> str:
    done = subprocess.run(
        ["xdotool", *arguments], env=desktop.environment(), capture_output=True, text=True, timeout=15, check=False
    )
    return done.stdout


def _window(program: Program, desktop: PrivateDesktop) -> str:
    deadline = time.monotonic() + _STARTED_S
    while not (found := _xdotool(desktop, "search", "--onlyvisible", "--name", program.window).split()):
        assert time.monotonic() < deadline, f"no window {program.window}"
        time.sleep(0.2)
    return found[-1]


def _geometry(program: Program, desktop: PrivateDesktop) -> Rect:
    lines = _xdotool(desktop, "getwindowgeometry", "--shell", _window(program, desktop)).splitlines()
    told = dict(line.split("=") for line in lines)
    x, y, width, height = (int(told[key]) for key in ("X", "Y", "WIDTH", "HEIGHT"))
    return Rect(x, y, x + width, y + height)


@contextlib.contextmanager
def desktop_of(screen: Screen) -> Iterator[tuple[PrivateDesktop, Witness]]:
    dpi = None if screen.scale == 1 else round(96 * screen.scale)
    with PrivateDesktop(width=SIZE[0], height=SIZE[1], dpi=dpi) as desktop:
        witness = Witness(desktop.environment())
        try:
            yield desktop, witness
        finally:
            witness.close()


def state_of(program: Program, witness: Witness, work: Work) -> State:
    return program.state([] if work.ended else witness.nodes(program.access), work)


def alike(wanted: object, found: object) -> bool:
    """Equal, but for numbers of a slider, which may differ by some hundredths of a hundred."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        return wanted.keys() == found.keys() and all(alike(wanted[key], found[key]) for key in wanted)
    if isinstance(wanted, list) and isinstance(found, list):
        return len(wanted) == len(found) and all(map(alike, wanted, found))
    if isinstance(wanted, (int, float)) and isinstance(found, (int, float)) and not isinstance(wanted, bool):
        return abs(wanted - found) <= 100 * _CLOSE
    if isinstance(wanted, str) and isinstance(found, str) and "|" in wanted:
        return alike([_number(one) for one in wanted.split("|")], [_number(one) for one in found.split("|")])
    return bool(wanted == found)


def _has(wanted: State, found: State) -> bool:
    return all(alike(wanted[key], found.get(key)) for key in wanted)


def _number(text: str) -> object:
    try:
        return float(text)
    except ValueError:
        return text.strip()


def record(program: Program, folder: Path, finder: WorkerFinder) -> dict[str, Any]:
    """Record the demo and what the program said after each step; the library lies in the folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    states: list[State] = []
    with desktop_of(RECORDED) as (desktop, witness), X11Performer(desktop.name) as device:
        device.move(NEUTRAL.x, NEUTRAL.y)
        with running(program, RECORDED, desktop, None) as work:
            at = _geometry(program, desktop)
            with RecordCommand(desktop, folder / "library", privacy=PrivacySettings()):
                person = Person(program, witness, PracticeUser(device, seed=1), work)
                start = state_of(program, witness, work)
                time.sleep(1)
                for act in program.acts:
                    try:
                        act(person)
                    except AssertionError:
                        _picture(desktop, folder / "not_recorded.png")
                        raise
                    time.sleep(_SETTLED_S)
                    states.append(state_of(program, witness, work))
    with Library.open(folder / "library") as library:
        key = library.find("last")
        parse_demo(library, key, finder, control=JobControl())
        demo = library.demo(key)
    steps = [step.action.model_dump(mode="json", exclude_none=True) for step in demo.steps]
    made = {"start": start, "states": states, "steps": steps, "at": [at.x1, at.y1, at.x2, at.y2]}
    (folder / "recorded.json").write_text(json.dumps(made, indent=1))
    done = [step for step in demo.steps if step.action.action_type != "finish_goal"]
    if len(done) != len(states):
        kinds = [step.action.action_type for step in done]
        (folder / "recorded.json").unlink()
        raise AssertionError(f"{len(states)} acts were recorded as {len(done)} steps: {kinds}")
    return made


def replay(program: Program, screen: Screen, folder: Path, finder: WorkerFinder) -> dict[str, Any]:
    """Replay the demo on the screen and judge each step."""
    made = json.loads((folder / "recorded.json").read_text())
    at = Rect(*made["at"])
    started = time.monotonic()
    found: list[dict[str, Any]] = []
    with desktop_of(screen) as (desktop, witness), on_display(desktop.environment()), contextlib.ExitStack() as stack:
        device = stack.enter_context(X11Performer(desktop.name))
        device.move(NEUTRAL.x, NEUTRAL.y)
        library = stack.enter_context(Library.open(folder / "library"))
        work = stack.enter_context(running(program, screen, desktop, at))
        shot = folder / f"{screen.name}.png"

        def judge(step: StepReport) -> None:
            if step.action_type == "finish_goal":
                return
            wanted = made["states"][step.index - 1]
            if wanted.get("scrolled") is False:
                # Where less of a page is in sight, it has to be scrolled earlier.
                wanted = {key: value for key, value in wanted.items() if key != "scrolled"}
            deadline = time.monotonic() + _STATE_S
            while not (right := step.performed and _has(wanted, state_of(program, witness, work))):
                if not step.performed or time.monotonic() > deadline:
                    break
                time.sleep(0.1)
            now = state_of(program, witness, work)
            row: dict[str, Any] = {
                "right": right,
                "says": step.matched_after,
                "how": step.strategy or step.checked,
                "action": step.action,
            }
            if not right and all(one["right"] for one in found):
                _picture(desktop, shot)
                differing = {key: (wanted[key], now.get(key)) for key in wanted if not alike(wanted[key], now.get(key))}
                row |= {"differs": differing, "error": step.error, "failed": step.failed, "point": step.point}
            found.append(row)

        windows = open_windows(desktop.name)
        stack.callback(windows.close)
        grabbed = open_screen(desktop.name)
        stack.callback(grabbed.close)
        report = Replay(
            library.demo(library.find("last")), library, finder=finder, screen=grabbed, performer=device,
            settings=PlayerSettings(), access=open_access(desktop.name), windows=windows,
        ).run(on_step=judge)  # fmt: skip
    total = len(made["states"])
    return {
        "program": program.name,
        "change": screen.name,
        "right": sum(row["right"] for row in found),
        "steps": total,
        "success": report.success,
        "stopped": report.stopped,
        "rows": found,
        "seconds": round(time.monotonic() - started, 1),
    }


def _picture(desktop: PrivateDesktop, path: Path) -> None:
    from PIL import Image

    with contextlib.closing(open_screen(desktop.name)) as screen:
        Image.fromarray(screen.grab().image).save(path)


def why(result: dict[str, Any]) -> str:
    """Why the first wrong step is wrong."""
    wrong = next((row for row in result["rows"] if not row["right"]), None)
    if wrong is None:
        return "" if result["right"] == result["steps"] else result["stopped"]
    place = result["rows"].index(wrong) + 1
    return f"step {place} ({wrong['action']}) {wrong.get('error') or wrong.get('differs')} [{wrong['how']}]"


def _share(one: dict[str, Any]) -> str:
    return f"{one['right']}/{one['steps']}"


def table(results: Sequence[dict[str, Any]]) -> str:
    """Steps right of steps, program by change."""
    names = [program.name for program in PROGRAMS]
    cells = {(one["program"], one["change"]): one for one in results}
    lines = [f"{'':14}" + "".join(f"{change.name:>9}" for change in CHANGES)]
    for name in names:
        row = [cells.get((name, change.name)) for change in CHANGES]
        lines.append(f"{name:14}" + "".join("        -" if one is None else f"{_share(one):>9}" for one in row))
    for part, chosen in (("tuned on", False), ("held out", True), ("all", None)):
        some = {program.name for program in PROGRAMS if chosen is None or program.held_out is chosen}
        right = sum(one["right"] for one in results if one["program"] in some)
        steps = sum(one["steps"] for one in results if one["program"] in some)
        if steps:
            lines.append(f"{part}: {right} of {steps} steps right ({right / steps:.1%})")
    said = [(row["says"], row["right"]) for one in results for row in one["rows"]]
    good, bad = ([told for told, right in said if right is wanted] for wanted in (True, False))
    lines.append(f"of {len(good)} right steps {good.count(False)} were called wrong, ")
    lines[-1] += f"of {len(bad)} wrong ones {bad.count(True)} were called right"
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("out/changed_screens"))
    parser.add_argument("--programs", nargs="*", default=[one.name for one in PROGRAMS if not one.held_out])
    parser.add_argument("--held-out", action="store_true", help="also the programs that nothing was tuned on")
    parser.add_argument("--changes", nargs="*", default=[one.name for one in CHANGES])
    parser.add_argument("--again", action="store_true", help="replay once more what is named")
    parser.add_argument("--record", action="store_true", help="record once more what is named")
    given = parser.parse_args()
    names = {*given.programs, *(one.name for one in PROGRAMS if one.held_out and given.held_out)}
    given.out.mkdir(parents=True, exist_ok=True)
    with open_finder(VisionSettings()) as finder:
        for program in (one for one in PROGRAMS if one.name in names):
            folder = given.out / program.name.replace(" ", "_")
            if given.record or not (folder / "recorded.json").exists():
                try:
                    record(program, folder, finder)
                except AssertionError as error:
                    print(f"{program.name}: not recorded: {error}", flush=True)
                    continue
            for change in (RECORDED, *CHANGES):
                path = folder / f"{change.name}.json"
                if change.name not in given.changes or (path.exists() and not given.again):
                    continue
                if change.reordered and not program.has_rows:
                    continue
                result = replay(program, change, folder, finder)
                path.write_text(json.dumps(result, indent=1))
                line = f"{program.name:12} {change.name:8} {_share(result)} {result['seconds']:5.0f} s  "
                line += why(result)[:400]
                print(line, flush=True)
    paths = [path for change in CHANGES for path in sorted(given.out.glob(f"*/{change.name}.json"))]
    print(table([json.loads(path.read_text()) for path in paths]))


if __name__ == "__main__":
    main()
