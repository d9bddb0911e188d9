"""Screens of real applications: a program is started once for each spec, and pictured in several states."""

from __future__ import annotations

import random
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect
from demopack.errors import DemopackError
from lab.screens.apps.contents import documents
from lab.screens.apps.desktop import AppDesktop, is_installed, open_desktop
from lab.screens.apps.desktop_state import Moment
from lab.screens.apps.desktop_style import TITLE_FAMILY, DesktopStyle, choose_look
from lab.screens.apps.explore import ExplorationStep, choose_deed, do
from lab.screens.apps.moments import Visit, has_visit, load_visit, save_visit
from lab.screens.apps.programs import PROGRAMS, Program, missing_packages
from lab.screens.apps.reading import TextFinder
from lab.screens.apps.truth import clean
from lab.screens.sources import Rendered, Renderer, SampleSpec
from models.training.labelled_screens import SourceName, Split

_STATES = 6
"""Screens of one start, at most."""
_DEEDS, _PATIENCE = 14, 2
_OUT = ExplorationStep("key", keys="Escape Escape", name="close")
_NEW = 0.004
"""Part of the picture that must differ from all earlier ones."""
_MOST_PAINTED = 0.16
_LEAST_ELEMENTS = 3
_UNTOLD = "GTK 4"
"""It does not tell what is shown, nor where."""


class AppsSource:
    """See :class:`~lab.screens.sources.ScreenSource`.

    Equal specs give the same program in the same states with the same look. Not every pixel is the same: programs
    show the time, and the name of the folder they live in.
    """

    def __init__(self, programs: Sequence[Program] = PROGRAMS, *, raw: Path | None = None) -> None:
        """Take the programs to choose from.

        Args:
            programs: any.
            raw: folder that keeps what was read; what is kept there gives its truth anew without starting a program.
        """
        self._programs = tuple(programs)
        self._raw = raw

    @property
    def name(self) -> SourceName:
        """Names the source in every screen."""
        return "apps"

    @property
    def note(self) -> str:
        """How to get the programs that are not installed; empty when all are."""
        missing = tuple(p for p in self._programs if not is_installed(p.commands[0][0]))
        if not missing:
            return ""
        return f"{len(missing)} of {len(self._programs)} applications are not installed. {missing_packages(missing)}"

    def specs(self, *, count: int, seed: int, side: Split) -> Sequence[SampleSpec]:
        """One spec for each start of a program; those that are not installed get none.

        Raises:
            DemopackError: none of this side is installed; says how to get them.
        """
        there = [p for p in self._programs if p.side == side and (self._kept(p) or is_installed(p.commands[0][0]))]
        if not there:
            raise DemopackError(f"No application for the side “{side}” is installed.", hint=self.note)
        turns = [p for p in there for _ in range(p.weight)]
        specs: list[SampleSpec] = []
        for number in range(max(1, -(-count // (_STATES - 2)))):
            program = turns[number % len(turns)]
            specs.append(SampleSpec(group=program.name, side=side, seed=seed * 100_000 + number))
        return specs

    @contextmanager
    def renderer(self) -> Generator[Renderer]:
        """Draws; a desktop is opened anew for every spec, so there is nothing to start here."""
        yield _Renderer({program.name: program for program in self._programs}, self._raw)

    def _kept(self, program: Program) -> bool:
        return self._raw is not None and (self._raw / program.name).is_dir()


class _Renderer:
    def __init__(self, programs: dict[str, Program], raw: Path | None) -> None:
        self._programs = programs
        self._raw = raw

    def render(self, spec: SampleSpec) -> Sequence[Rendered]:
        """Start the program and look around in it, or take what was kept of it."""
        name = f"{spec.side}-{spec.seed}"
        if self._raw is not None and has_visit(self._raw / spec.group, name):
            return _known(load_visit(self._raw / spec.group, name))
        visit = self._visit(spec)
        if self._raw is not None:
            save_visit(visit, self._raw / spec.group, name)
        return _known(visit)

    def _visit(self, spec: SampleSpec) -> Visit:
        program = self._programs[spec.group]
        rng = random.Random(f"{spec.group} {spec.seed}")  # noqa: S311 - nothing secret
        look = choose_look(rng, qt=program.toolkit == "qt", side=spec.side)
        files = {**documents(rng.randrange(1 << 30)), **look.files()}
        command = rng.choice(program.commands)
        with open_desktop(size=look.size, scale=look.scale, files=files, backdrop=look.backdrop) as desktop:
            desktop.start(command, look.environment())
            _place(desktop, look, rng)
            return Visit(look, tuple(_Walk(desktop, look, rng).moments()))


class _Walk:
    """One start of a program."""

    def __init__(self, desktop: AppDesktop, look: DesktopStyle, rng: random.Random) -> None:
        self._desktop = desktop
        self._look = look
        self._rng = rng
        self._truth = _Truth(look)
        self._found: list[tuple[str, Moment]] = []
        self._good = 0

    def moments(self) -> list[tuple[str, Moment]]:
        """The states that differ enough, by what led there; until enough of them are known well enough.

        Raises:
            DemopackError: the program cannot be read.
        """
        moment = self._desktop.look()
        useless = 0 if self._take(moment, "start") else 1
        for _ in range(_DEEDS):
            if self._good >= _STATES:
                break
            # Where nothing new or readable comes, there is a way out.
            deed = choose_deed(moment, self._rng) if useless < _PATIENCE else _OUT
            useless = 0 if useless >= _PATIENCE else useless
            following = self._after(deed)
            if following is None:
                break
            moment = following
            useless = 0 if self._take(moment, deed.name) else useless + 1
        return self._found

    def _after(self, deed: ExplorationStep) -> Moment | None:
        do(self._desktop, deed)
        try:
            return self._desktop.look()
        except DemopackError:
            # Busy or gone; what was taken so far is good.
            return None

    def _take(self, moment: Moment, state: str) -> bool:
        if any(toolkit.startswith(_UNTOLD) for toolkit in moment.toolkits):
            return False
        if any(_share(moment.image, old.image) < _NEW for _, old in self._found):
            return False
        self._found.append((state, moment))
        good = self._truth.of(moment, state) is not None
        self._good += good
        return good


class _Truth:
    """What is true on moments that have one look."""

    def __init__(self, look: DesktopStyle) -> None:
        self._look = look
        self._finder = TextFinder(look.family, look.font_pixels)
        self._titles = TextFinder(TITLE_FAMILY, look.title_pixels)

    def of(self, moment: Moment, state: str) -> Rendered | None:
        """None when too little of it is known."""
        cleaned = clean(moment, self._finder, titles=self._titles, scale=self._look.scale)
        if cleaned.painted > _MOST_PAINTED or len(cleaned.elements) < _LEAST_ELEMENTS:
            return None
        return Rendered(image=cleaned.image, elements=cleaned.elements, variant={**self._look.variant, "state": state})


def _known(visit: Visit) -> list[Rendered]:
    """The screens whose truth is known well enough.

    Raises:
        DemopackError: there is none.
    """
    truth = _Truth(visit.look)
    found = [screen for state, moment in visit.moments if (screen := truth.of(moment, state)) is not None]
    if not found:
        raise DemopackError("No state of this program could be read well enough.")
    return found[:_STATES]


def _share(a: RgbImage, b: RgbImage) -> float:
    return float((a != b).any(axis=2).mean()) if np.shape(a) == np.shape(b) else 1.0


def _place(desktop: AppDesktop, look: DesktopStyle, rng: random.Random) -> None:
    """Somewhere on the screen, at even pixels so that scaled positions come out."""
    width, height = look.size
    if look.maximized:
        desktop.place(Rect(0, 0, width, height))
        return
    wide, high = int(width * rng.uniform(0.55, 0.95)) // 2 * 2, int(height * rng.uniform(0.55, 0.95)) // 2 * 2
    x, y = rng.randrange(0, width - wide + 1, 2), rng.randrange(0, height - high + 1, 2)
    desktop.place(Rect(x, y, x + wide, y + high))
