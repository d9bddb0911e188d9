"""Screens to measure with: the pixel-coded stage, and a busy desktop at 1920x1080.

On the busy desktop there are a wallpaper, two terminals, a browser with photographs and a form, all in use. Needs Xvfb,
openbox, xdotool, xterm and chromium.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

sys.path.insert(0, str(Path(__file__).parents[1]))

from demopack.domain.frames import RgbImage
from demopack.processes import end_process
from demopack.resources import asset
from recorder.desktop.private_display import PrivateDisplay
from tests.support.injector import Injector
from tests.support.stage import Stage

SIZE = (1920, 1080)
_SETTLE_S = 0.6
_STARTED_S = 12.0

OnStep = Callable[[RgbImage, RgbImage], None]
"""Gets the screens before and after a step."""


def photograph(width: int, height: int, *, seed: int) -> RgbImage:
    """What a photograph is like for a compressor: smooth shapes of many sizes, sharp edges, grain of the sensor."""
    dice = np.random.default_rng(seed)
    total = np.zeros((height, width, 3))
    for octave in range(1, 7):
        cells = dice.random((2**octave + 1, 2**octave + 1, 3)) * 255
        layer = Image.fromarray(cells.astype(np.uint8)).resize((width, height), Image.Resampling.BICUBIC)
        total += np.asarray(layer, dtype=float) / 1.6**octave
    y, x = np.mgrid[:height, :width]
    for _ in range(6):
        cx, cy, r = dice.random(3) * (width, height, height / 4)
        total[(x - cx) ** 2 + (y - cy) ** 2 < r * r] *= dice.uniform(0.6, 1.4)
    total = total / total.max() * 255 + dice.normal(0, 2.5, total.shape)
    return np.clip(total, 0, 255).astype(np.uint8)


_TEXT = """the report on the harbour was late again and nobody had asked for the tables that were missing from it
while prices rose and ships waited for a week before they could be unloaded by the crews of the night shift"""
_WORDS = _TEXT.split()
_HEAD = """<!doctype html><meta charset=utf-8><title>Harbour news</title><style>
body { font: 16px/1.5 sans-serif; max-width: 900px; margin: 20px auto; background: linear-gradient(#fff, #eef) }
h2 { color: #135 } img { width: 100% }
nav { background: linear-gradient(90deg, #024, #48c); color: #fff; padding: 16px }
</style><nav>News Mail Maps</nav>"""


def article(folder: Path, *, seed: int, photos: int) -> Path:
    """A long page of text and pictures."""
    dice = np.random.default_rng(seed)
    parts = [_HEAD]
    for number in range(24):
        parts.append(f"<h2>{' '.join(dice.choice(_WORDS, 5)).capitalize()}</h2>")
        if number < photos:
            Image.fromarray(photograph(900, 420, seed=seed * 100 + number)).save(folder / f"{seed}-{number}.png")
            parts.append(f'<img src="{seed}-{number}.png">')
        parts += [f"<p>{' '.join(dice.choice(_WORDS, 90))}.</p>" for _ in range(2)]
    page = folder / f"page-{seed}.html"
    page.write_text("\n".join(parts), encoding="utf-8")
    return page


@contextmanager
def _desktop(folder: Path) -> Iterator[PrivateDisplay]:
    with PrivateDisplay(width=SIZE[0], height=SIZE[1]) as screen, ExitStack() as stack:
        environment = screen.environment()

        def start(*command: str) -> None:
            process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            stack.callback(end_process, process)

        _paint_wallpaper(screen.name)
        log = folder / "notes.txt"
        dice = np.random.default_rng(5)
        log.write_text("\n".join(" ".join(dice.choice(_WORDS, 12)) for _ in range(400)), encoding="utf-8")
        start("xterm", "-geometry", "100x36+20+30", "-fa", "Monospace", "-fs", "11", "-e", "bash", "--norc")
        start("xterm", "-geometry", "90x24+60+640", "-bg", "#1c1f26", "-fg", "#d8dee9", "-e", "less", str(log))
        start(sys.executable, str(asset("practice_app/main.py")), "--state", str(folder / "state.json"))
        pages = [article(folder, seed=1, photos=8), article(folder, seed=2, photos=1)]
        start("chromium", "--no-sandbox", "--no-first-run", "--disable-gpu", f"--user-data-dir={folder / 'profile'}",
              "--window-position=700,20", "--window-size=1180,980", *[page.as_uri() for page in pages])  # fmt: skip
        threading.Event().wait(_STARTED_S)
        where = ["search", "--onlyvisible", "--name", "^Practice", "windowmove", "560", "330"]
        subprocess.run(["xdotool", *where], env=environment, check=True)
        yield screen


def _paint_wallpaper(name: str) -> None:
    """A photograph on the root window, in strips that fit into one request each."""
    from Xlib import X, display

    connection = display.Display(name)
    screen = connection.screen()
    picture = photograph(*SIZE, seed=9)[:, :, ::-1]
    pixels = np.dstack([picture, np.zeros(picture.shape[:2], dtype=np.uint8)])
    pixmap = screen.root.create_pixmap(*SIZE, screen.root_depth)
    graphics = pixmap.create_gc()
    for y in range(0, SIZE[1], 8):
        strip = np.ascontiguousarray(pixels[y : y + 8])
        pixmap.put_image(graphics, 0, y, SIZE[0], strip.shape[0], X.ZPixmap, screen.root_depth, 0, strip.tobytes())
    screen.root.change_attributes(background_pixmap=pixmap)
    screen.root.clear_area()
    connection.set_close_down_mode(X.RetainPermanent)
    connection.sync()
    connection.close()


def _deeds(person: Injector) -> list[Callable[[], None]]:
    """What the person does, one step each."""

    def click(x: int, y: int, **more: int) -> Callable[[], None]:
        return lambda: person.click(x, y, **more)

    def type_(text: str) -> Callable[[], None]:
        return lambda: person.type(text)

    def key(name: str) -> Callable[[], None]:
        return lambda: person.key(name)

    def scroll(x: int, y: int, direction: str, steps: int) -> Callable[[], None]:
        return lambda: (person.move(x, y), person.scroll(direction, steps))[0]

    browser = [scroll(1250, 600, "down", 3), scroll(1250, 600, "down", 5), click(1250, 500), scroll(1250, 600, "up", 2)]
    terminal = [click(300, 300), type_("ls -la /usr/lib"), key("enter"), type_("echo done"), key("enter")]
    reading = [click(300, 850), key("space"), scroll(300, 850, "down", 3), key("pagedown")]
    address = [click(1600, 45), key("ctrl+l"), type_("chrome://version"), key("enter"), key("alt+arrowleft")]
    tabs = [key("ctrl+tab"), scroll(1250, 600, "down", 4), key("ctrl+tab")]
    form = [click(630, 900), key("tab"), type_("Anna"), key("tab"), type_("anna at home"), key("tab"), key("tab")]
    window = [click(1600, 45), scroll(1250, 600, "down", 6), lambda: person.drag(400, 42, 520, 120)]
    return [*terminal, *browser, *reading, *address, *tabs, *form, *window, *reading, *terminal, *address[:1], *browser]


def _grab(camera: Any) -> RgbImage:  # noqa: ANN401 - the library has no types
    shot = camera.grab(camera.monitors[0])
    return np.frombuffer(shot.rgb, dtype=np.uint8).reshape(shot.height, shot.width, 3)


def play_busy(on_step: OnStep) -> None:
    """About fifty steps of a person who works with several programs."""
    import mss

    pause = threading.Event()
    with (
        tempfile.TemporaryDirectory(prefix="busy-") as name,
        _desktop(Path(name)) as screen,
        mss.MSS(display=screen.name) as camera,
        Injector(screen.name, between_s=0.02) as person,
    ):
        before = _grab(camera)
        for deed in _deeds(person):
            deed()
            pause.wait(_SETTLE_S)
            after = _grab(camera)
            on_step(before, after)
            before = after


def play_stage(on_step: OnStep, *, steps: int = 60) -> None:
    """Clicks and keys on the stage; with each its numbers change, and nothing else but the pointer's place."""
    import mss

    with (
        PrivateDisplay() as screen,
        Stage(screen.name) as stage,
        mss.MSS(display=screen.name) as camera,
        Injector(screen.name, between_s=0.02) as person,
    ):
        before = _grab(camera)
        for number in range(1, steps + 1):
            if number % 3:
                person.click(stage.place.x + 30 + 37 * number % 700, stage.place.y + 40 + 23 * number % 480)
            else:
                person.key("f5")
            stage.wait_for(number, number)
            after = _grab(camera)
            on_step(before, after)
            before = after
