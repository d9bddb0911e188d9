"""What each rule of parsing is worth: the figures with all rules, and without each of them, on screens with truth."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import cast

import numpy as np

from demopack.domain.elements import Element
from demopack.domain.frames import Frame, RgbImage
from demopack.domain.geometry import Point, Rect, Size
from demopack.domain.records import Record
from demopack.jobs import JobControl, Progress
from demopack.pixels.colours import Gray
from demopack.settings import VisionSettings
from lab.evaluation.figures import Figures
from lab.evaluation.run import evaluate
from models.training.labelled_screens import SourceName, Split
from models.vision.describer import Describer, open_describer
from models.vision.description import Description
from models.vision.detection import Detection, to_element
from models.vision.detector import Detector, open_detector
from models.vision.fusion import Rules
from models.vision.icons import open_icon_namer
from models.vision.pipeline import Pipeline
from models.vision.reading.ocr import OcrReader
from models.vision.reading.text_reader import TextReader
from models.vision.rules import CORRECTIONS, RULES, Switches
from models.vision.screen_parser import ScreenParser

MIN_POINTS = 0.5
"""A rule that brings less in every figure, on every source, goes (docs/adr/0039-one-house.md)."""
_DESCRIBE_S = 3600.0


class AblationRow(Record):
    """Points (hundredths) that are lost without a rule; below 0 where the result is better without it.

    Attributes:
        rule: which one; empty for the figures with all rules, in hundredths.
        points: by source, then by figure: ``f1`` (IoU 0.5), ``f1_75``, ``leaves``, ``type``, ``states``, ``text``;
            None where no screen shows it.
    """

    rule: str
    points: dict[str, dict[str, float | None]]

    @property
    def worth(self) -> float:
        """The most that the rule brings in any figure on any source, points."""
        return max((value for row in self.points.values() for value in row.values() if value is not None), default=0.0)


class Ablation(Record):
    """The table.

    Attributes:
        screens: by source, how many were measured.
        rows: with all rules first, then a row for each rule, the least worth first.
    """

    screens: dict[str, int]
    rows: tuple[AblationRow, ...]


def ablate(
    sets: Sequence[Path],
    settings: VisionSettings,
    *,
    sides: Sequence[Split] = ("val",),
    sources: Sequence[SourceName] = (),
    limit: int | None = None,
    rules: Sequence[str] = (*RULES, *CORRECTIONS),
    control: JobControl,
) -> Ablation:
    """Measure with all rules, and with each of them switched off.

    The models see each picture, area and box once: what they said is remembered for all rows.

    Args:
        sets: folders of screens with truth.
        settings: which models.
        sides: of the screens; never those that report how good a release is.
        sources: of the screens; empty for all.
        limit: most screens of a group.
        rules: which to switch off, one after the other; ``a+b`` switches two off together.
        control: progress and cancelling.

    Raises:
        BadInputError: a set is none, is damaged, or holds nothing that fits.
        ModelError: a model cannot be loaded or failed.
        CancelledError: the user stopped it.
    """
    finder = _Finder(settings)
    quiet = JobControl(token=control.token)
    figures: dict[str, dict[str, Figures]] = {}
    for number, rule in enumerate(["", *rules]):
        control.report(Progress(done=number, total=len(rules) + 1, text=f"Without {rule}" if rule else "All rules"))
        finder.switch_off(frozenset(rule.split("+")) if rule else frozenset())
        report = evaluate(sets, finder, sides=sides, sources=sources, limit=limit, worst=0, control=quiet)
        figures[rule] = dict(report.by_source)
    whole = {source: _shares(one) for source, one in figures[""].items()}
    rows = [
        AblationRow(
            rule=rule,
            points={source: _lost(whole[source], _shares(one)) for source, one in found.items()},
        )
        for rule, found in figures.items()
        if rule
    ]
    return Ablation(
        screens={source: one.screens for source, one in figures[""].items()},
        rows=(AblationRow(rule="", points=whole), *sorted(rows, key=lambda row: row.worth)),
    )


def _shares(figures: Figures) -> dict[str, float | None]:
    shares = {
        "f1": figures.at50.f1,
        "f1_75": figures.at75.f1,
        "leaves": figures.leaves.f1,
        "type": figures.type.share,
        "states": figures.states.share,
        "text": figures.text.exact.share,
    }
    return {name: None if share is None else round(100 * share, 2) for name, share in shares.items()}


def _lost(whole: dict[str, float | None], without: dict[str, float | None]) -> dict[str, float | None]:
    pairs = {name: (value, without[name]) for name, value in whole.items()}
    return {name: None if a is None or b is None else round(a - b, 2) for name, (a, b) in pairs.items()}


class _Finder:
    """Satisfies ``ElementFinder`` in this process, with rules that can be switched off."""

    name = "ablation"

    def __init__(self, settings: VisionSettings) -> None:
        self._detector = _RememberedDetector(open_detector(settings, threads=2))
        self._describer = _RememberedDescriber(open_describer(settings, threads=2))
        self._ocr = _RememberedOcr(threads=2)
        self._icons = open_icon_namer(settings, threads=2)
        self._settings = settings
        self.switch_off(frozenset())

    def switch_off(self, rules: frozenset[str]) -> None:
        """Work without these rules from now on."""
        settings, without = self._settings, cast("Switches", rules)
        self._pipeline = Pipeline(
            ScreenParser(
                detector=self._detector.detect,
                reader=TextReader(self._ocr, min_confidence=settings.ocr_confidence, without=without),
                describer=self._describer,
                rules=Rules.model_validate({**self._describer.options, "without": without}),
                describe_s=_DESCRIBE_S,
                with_shapes=bool(self._detector.options.get("with_shapes", True)),
            ),
            incremental=False,
            icons=self._icons,
        )

    def find(self, image: RgbImage, frame: Frame, *, control: JobControl, near: Sequence[Point] = ()) -> list[Element]:
        """See ``ElementFinder``."""
        control.token.check()
        return [to_element(one.to_json(), frame_id=frame.id) for one in self._pipeline(image, near)]


def _key(image: RgbImage) -> bytes:
    return hashlib.blake2b(np.ascontiguousarray(image).data, digest_size=16).digest()


class _RememberedDetector:
    def __init__(self, detector: Detector) -> None:
        self._detector, self.options = detector, detector.options
        self._seen: dict[bytes, list[Detection]] = {}

    def detect(self, image: RgbImage) -> list[Detection]:
        key = _key(image)
        if key not in self._seen:
            self._seen[key] = self._detector.detect(image)
        return list(self._seen[key])


class _RememberedDescriber(Describer):
    def __init__(self, describer: Describer) -> None:
        self.reads_text, self.options = describer.reads_text, describer.options
        self._describer = describer
        self._said: dict[tuple[bytes, Rect], Description | None] = {}

    def describe(
        self, image: RgbImage, boxes: Sequence[Rect], *, limit_s: float, near: Sequence[Point] = ()
    ) -> list[Description | None]:
        key = _key(image)
        new = [box for box in dict.fromkeys(boxes) if (key, box) not in self._said]
        if new:
            said = self._describer.describe(image, new, limit_s=limit_s, near=near)
            self._said.update({(key, box): one for box, one in zip(new, said, strict=True)})
        return [self._said[key, box] for box in boxes]


class _RememberedOcr(OcrReader):
    """Remembers where text is; what it says is remembered by the reader itself."""

    def __init__(self, *, threads: int) -> None:
        super().__init__(threads=threads)
        self._found: dict[tuple[bytes, tuple[Rect, ...] | None, Size], list[Rect]] = {}

    def boxes(self, image: RgbImage, gray: Gray, areas: Sequence[Rect] | None, screen: Size) -> list[Rect]:
        key = (_key(image), None if areas is None else tuple(areas), screen)
        if key not in self._found:
            self._found[key] = super().boxes(image, gray, areas, screen)
        return self._found[key]
