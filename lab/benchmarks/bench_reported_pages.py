"""How much of a page becomes elements where its browser tells: a real recording beside the page's own DOM.

    python lab/benchmarks/bench_reported_pages.py [--pages 18] [--seed 0] [--missed] [--keep DIR]

A private desktop (Xvfb, openbox, D-Bus, at-spi), Chromium as ``demopack launch`` starts it, and ``demopack record``.
A key is pressed on each page, at the top and further down, several times, because a tree is read within a budget; of
these steps the one counts whose tree is whole and proved; moments of which there was none in time are counted apart.
Pages are written by hand (``pages/``), galleries, and documentation of the sides train and val. The truth is what
the page's DOM says of what can be seen then; the tree has no part in it.

A control is right when an element lies on it (IoU of at least 0.5) with its type, its name and every state that shows.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from demopack.domain.elements import Element
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect, iou
from demopack.domain.text_likeness import letters_in
from demopack.errors import BadInputError
from demopack.jobs import JobControl
from demopack.pixels.foreground import foreground_box
from demopack.settings import PrivacySettings, VisionSettings
from demopack.store import Library
from lab.evaluation.matching import match
from lab.screens.browser.dom import page_script, truths
from lab.screens.web.site_packages import Site, SiteCache, read_sites
from models.training.labelled_screens import GroundTruth, LabelledScreen, with_labels
from models.vision.demo_parsing import parse_demo
from models.vision.finder import open_finder
from recorder.browsers import launch, wait_until_told
from recorder.desktop.private_display import PrivateDesktop
from tests.support.desktop_programs import until
from tests.support.injector import Injector
from tests.support.record_command import RecordCommand

if TYPE_CHECKING:
    from selenium import webdriver

_PAGES: Final = Path(__file__).with_name("pages")
_SIZE: Final = (1280, 900)
_PRESSES: Final = 4
_READS_S: Final = 3.5
"""A tree is read beside the recording once the screen rests, and not again before its program had time for itself."""
_PORT_FILE: Final = "DevToolsActivePort"
_QUIET: Final = """
const done = arguments[arguments.length - 1];
document.activeElement?.blur?.();
setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(() => done(document.readyState))), 500);
"""
_WATCH: Final = "addEventListener('mousemove', e => { window.__at = [e.screenX - e.clientX, e.screenY - e.clientY]; });"


@dataclass(frozen=True, slots=True, kw_only=True)
class Control:
    """A control of a page.

    Attributes:
        truth: type, box in pixels of the frame, states.
        name: as the page's markup says; empty where it has none.
        pictured: whether it is a button with nothing but a picture on it.
        ink: what is drawn of it; of one that has neither border nor ground this is what a person sees.
    """

    truth: GroundTruth
    name: str
    pictured: bool
    ink: Rect


@dataclass(slots=True)
class Moment:
    """One page at one place; ``frame`` is that of the step that was recorded there."""

    page: str
    kind: str
    said: list[Mapping[str, Any]]
    view: tuple[int, int, int, int]


@dataclass(slots=True)
class Counts:
    """What was right of what there is; ``proved`` of the moments had a tree that was proved."""

    moments: int = 0
    proved: int = 0
    of: int = 0
    found: int = 0
    told: int = 0
    type: int = 0
    name: int = 0
    states: int = 0
    right: int = 0
    missed: list[str] = field(default_factory=list[str])

    def parts(self) -> tuple[int, int, int, int]:
        """Of those found."""
        return self.told, self.type, self.name, self.states


def main() -> None:
    """Record, parse, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=18, help="besides those that were written by hand")
    parser.add_argument("--seed", type=int, default=0, help="another seed, other pages")
    parser.add_argument("--missed", action="store_true", help="print what was not right")
    parser.add_argument("--keep", type=Path, help="keep the recording here; one that is there is compared anew")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        kept = given.keep or Path(folder)
        if not (kept / "moments.json").exists():
            _record(pages(given.pages, given.seed), kept)
        counts = _compare(kept)
    _print(counts, missed=given.missed)


def pages(count: int, seed: int) -> list[tuple[str, Path]]:
    """Kind and file of the pages, each kind in its turn."""
    rng = Random(seed)
    sites = [site for site in read_sites() if site.side in {"train", "val"}]
    cache = SiteCache()

    def of_site(some: list[Site]) -> Path:
        while True:
            with contextlib.suppress(BadInputError):  # some packages hold no page
                return rng.choice(cache.pages(rng.choice(some)))

    found = [("by hand", path) for path in sorted(_PAGES.glob("*.html"))]
    for number in range(count):
        kind, registry = (("documentation", "debian"), ("gallery", "npm"))[number % 2]
        found.append((kind, of_site([site for site in sites if site.registry == registry])))
    return found


# Recording --------------------------------------------------------------------------------------------------------


def _record(files: Sequence[tuple[str, Path]], kept: Path) -> None:
    import json

    kept.mkdir(parents=True, exist_ok=True)
    moments: list[dict[str, Any]] = []
    with ExitStack() as ends:
        desktop = ends.enter_context(PrivateDesktop(width=_SIZE[0], height=_SIZE[1]))
        ends.enter_context(_environment(desktop.environment()))
        profiles = Path(ends.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))
        process = launch(
            "chromium",
            ["--remote-debugging-port=0", "--start-maximized", "--disable-gpu", "--password-store=basic",
             "--host-resolver-rules=MAP * ~NOTFOUND", "about:blank"],
            profiles=profiles,
        )  # fmt: skip
        ends.callback(_end, process.pid)
        if not wait_until_told(process, display=desktop.name, timeout_s=60):
            raise SystemExit("Chromium tells nothing.")
        driver = _driver(profiles / "chromium" / _PORT_FILE)
        ends.callback(driver.quit)
        person = ends.enter_context(Injector(desktop.name))
        recording = ends.enter_context(RecordCommand(desktop, kept / "library", privacy=PrivacySettings()))
        for kind, path in files:
            driver.get(path.as_uri())
            for number in range(2):
                if number and not driver.execute_script(
                    "const before = scrollY; scrollBy(0, innerHeight * 0.8); return scrollY !== before"
                ):
                    break
                driver.execute_async_script(_QUIET)
                view = _view(driver, person)
                driver.execute_async_script(_QUIET)
                said = driver.execute_script(page_script(), "body", [0, 0, view[2], view[3]])
                before = len(recording.steps)
                for _ in range(_PRESSES):
                    person.wait(_READS_S)
                    person.key("Escape")
                ends_at = before + _PRESSES
                until(lambda ends_at=ends_at: len(recording.steps) >= ends_at, "the keys were recorded", timeout_s=60)
                moments.append({"page": path.stem, "kind": kind, "said": said, "view": view})
                print(f"{kind}: {path.stem}, {len(said)} things", flush=True)
    (kept / "moments.json").write_text(json.dumps(moments), encoding="utf-8")


def _view(driver: webdriver.Chrome, person: Injector) -> tuple[int, int, int, int]:
    """Where the page is on the screen: left, top, width, height. The page itself says where the pointer went."""
    driver.execute_script(_WATCH)
    for x in (_SIZE[0] // 2, _SIZE[0] // 2 + 3):
        person.move(x, _SIZE[1] - 12)
        person.wait(0.3)
    left, top = driver.execute_script("return window.__at")
    width, height = driver.execute_script("return [innerWidth, innerHeight]")
    person.move(_SIZE[0] - 2, 2)
    person.wait(0.3)
    return int(left), int(top), int(width), int(height)


@contextlib.contextmanager
def _environment(values: Mapping[str, str]) -> Iterator[None]:
    before = dict(os.environ)
    os.environ.update(values)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def _driver(port_file: Path) -> webdriver.Chrome:
    from selenium import webdriver

    until(port_file.exists, "the browser can be asked", timeout_s=60)
    options = webdriver.ChromeOptions()
    options.debugger_address = f"127.0.0.1:{port_file.read_text(encoding='utf-8').splitlines()[0]}"
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
    driver.set_script_timeout(60)
    return driver


def _end(process: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process, signal.SIGTERM)


# Comparing --------------------------------------------------------------------------------------------------------


def _compare(kept: Path) -> dict[str, Counts]:
    import json

    counts: dict[str, Counts] = {}
    moments = [Moment(**one) for one in json.loads((kept / "moments.json").read_text(encoding="utf-8"))]
    with ExitStack() as ends:
        # The recording stays as it was; what the models find in its pictures is kept beside it.
        work = Path(ends.enter_context(tempfile.TemporaryDirectory())) / "library"
        shutil.copytree(kept / "library", work)
        if (kept / "cache").is_dir():
            shutil.copytree(kept / "cache", work / "cache", dirs_exist_ok=True)
        library = ends.enter_context(Library.open(work))
        finder = ends.enter_context(open_finder(VisionSettings(incremental=False)))
        (demo,) = [one.head.id for one in library.demos()]
        trees = library.demo(demo).trees
        steps = [step for step in library.demo(demo).steps if step.action.action_type == "press_key"]
        steps = [
            max(
                steps[i : i + _PRESSES],
                key=lambda step: sum(one.proved for one in step.trees if trees[one.tree].complete),
            )
            for i in range(0, len(steps), _PRESSES)
        ]
        frames = {step.before.id for step in steps if step.before is not None}
        parse_demo(library, demo, finder, control=JobControl(), frames=frames)
        shutil.copytree(work / "cache", kept / "cache", dirs_exist_ok=True)
        document = library.demo(demo)
        for moment, step in zip(moments, steps, strict=True):
            assert step.before is not None
            controls = _controls(moment, library.get_image(step.before.id))
            read = any(one.proved and trees[one.tree].complete for one in step.trees)
            kind = counts.setdefault(moment.kind if read else f"{moment.kind}, late", Counts())
            kind.moments += 1
            kind.proved += read
            _count(kind, moment, controls, document.elements.get(step.before.id, ()))
    return counts


def _controls(moment: Moment, screen: RgbImage) -> list[Control]:
    left, top, width, height = moment.view
    page = screen[top : top + height, left : left + width]
    found: list[Control] = []
    made = LabelledScreen(
        name="page", source="web", group="page", side="val", seed=0, width=width, height=height,
        elements=tuple(truths(moment.said, page, origin=(0, 0), scale=1.0)),
    )  # fmt: skip
    for one in with_labels(made).elements:
        source = max(
            (said for said in moment.said if said["type"] == one.type),
            key=lambda said: iou(_rect(said["box"]), one.mark_box or one.box),
            default=None,
        )
        if source is None or (one.type != "hyperlink" and "name" not in source):
            continue
        name = (one.text or "") if one.type == "hyperlink" else str(source["name"])
        box = one.box.moved(left, top)
        truth = one.model_copy(update={"box": box})
        ink = None if source.get("frame", True) else foreground_box(screen, box)
        found.append(Control(truth=truth, name=" ".join(name.split()), pictured=one.type == "icon", ink=ink or box))
    return found


def _rect(box: Sequence[float]) -> Rect:
    return Rect(*(round(value) for value in box))


def _count(counts: Counts, moment: Moment, controls: Sequence[Control], elements: Sequence[Element]) -> None:
    boxes = [_nearest(one, elements) for one in controls]
    pairs = match(
        boxes,
        [one.box for one in elements],
        least=0.5,
        truth_kinds=[one.truth.type for one in controls],
        found_kinds=[one.type for one in elements],
    )
    of = {place: elements[number] for place, number, _ in pairs}
    for place, one in enumerate(controls):
        counts.of += 1
        element = of.get(place)
        wrong: list[str] = []
        if element is None:
            wrong.append("not found")
        else:
            counts.found += 1
            counts.told += any(part.source == "accessibility" for part in element.evidence)
            has_type = element.type == one.truth.type or (one.pictured and element.type == "button")
            has_name = _is_called(element, one)
            states = {name: value for name, value in one.truth.states.items() if element.states.get(name) != value}
            counts.type += has_type
            counts.name += has_name
            counts.states += not states
            wrong += [f"type {element.type}"] if not has_type else []
            wrong += [f"called {element.text!r}"] if not has_name else []
            wrong += [f"states {states}"] if states else []
        counts.right += not wrong
        if wrong:
            truth = one.truth
            told = element is not None and any(part.source == "accessibility" for part in element.evidence)
            who = "told" if told else "not told"
            counts.missed.append(f"{moment.page}: {truth.type} {one.name!r} {truth.box}: {', '.join(wrong)} ({who})")


def _nearest(control: Control, elements: Sequence[Element]) -> Rect:
    """Of the two boxes that it may have the one on which an element lies."""
    return max(
        (control.truth.box, control.ink), key=lambda box: max((iou(box, one.box) for one in elements), default=0.0)
    )


def _is_called(element: Element, control: Control) -> bool:
    """Whether an element has a control's name; one that its page gives no name needs none."""
    if not control.name:
        return True
    told = [part.text for part in element.evidence if part.source == "accessibility"]
    return letters_in(control.name) in {letters_in(text) for text in (element.text, element.placeholder, *told)}


def _print(counts: Mapping[str, Counts], *, missed: bool) -> None:
    whole = Counts()
    for one in counts.values():
        for name in ("moments", "proved", "of", "found", "told", "type", "name", "states", "right"):
            setattr(whole, name, getattr(whole, name) + getattr(one, name))
    columns = ("moments", "proved", "controls", "found", "told", "type", "name", "states", "all right")
    print(f"{'pages':16}" + "".join(f"{name:>10}" for name in columns))
    for kind, one in (*counts.items(), ("all", whole)):
        shares = (one.found / max(1, one.of), *(part / max(1, one.found) for part in one.parts()))
        shown = "".join(f"{share:10.3f}" for share in (*shares, one.right / max(1, one.of)))
        print(f"{kind:16}{one.moments:10}{one.proved:10}{one.of:10}{shown}")
    for one in counts.values() if missed else ():
        for line in one.missed:
            print(f"  {line}")


if __name__ == "__main__":
    main()
