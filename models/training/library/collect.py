"""Collects a library's screens into a set to train on, with where each screen came from and what was left out."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final, Literal

from pydantic import Field, ValidationError

from demopack.atomic import write_text_atomic
from demopack.clock import utc_now
from demopack.domain.demos import Demo
from demopack.domain.elements import Box, Element, ElementType, containment
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect, iou
from demopack.domain.records import Record
from demopack.domain.trees import TreeReading, WindowTree
from demopack.errors import BadInputError, LibraryError
from demopack.jobs import JobControl, Progress
from demopack.pixels.colours import to_gray
from demopack.regular_files import read_regular
from demopack.store import Library
from models.training.labelled_screens import GroundTruth, LabelledScreen, LabelledScreenSet
from models.training.library.signatures import ScreenSignature, choose_val, group_similar, nearly_same, signature_of
from models.vision.reading.text_lines import lines_inside

LINEAGE = "lineage.json"
_MAX_LINEAGE_BYTES: Final = 512 << 20


_SAME_PLACE = 0.5
"""Overlap (IoU) from which something true stands where another element was rejected."""


class LibraryScreen(Record):
    """Where one screen came from.

    Attributes:
        name: of the screen.
        group: its group of look-alikes.
        side: train or val.
        demo: id.
        frame: id.
        elements: how many are true.
        approved: of these, approved one by one; the others came with an approved step, or were reported.
        reported: of these, reported by programs; 0 for a screen that a person approved.
        rejected: boxes that a person rejected: nothing stands there.
    """

    name: str
    group: str = ""
    side: Literal["train", "val"] = "train"
    demo: str
    frame: str
    elements: int
    approved: int
    reported: int = 0
    rejected: tuple[Box, ...] = ()


class LibraryLineage(Record):
    """Where a set of screens came from.

    Attributes:
        schema_version: of this form.
        created: wall clock, UTC.
        seed: of the split.
        demos: ids of the demos that were looked through.
        screens: what was taken.
        left_out: why a frame was not taken -> how many.
    """

    schema_version: Literal[1] = 1
    created: datetime
    seed: int
    demos: tuple[str, ...]
    screens: tuple[LibraryScreen, ...]
    left_out: dict[str, int] = Field(default_factory=dict[str, int])


def true_frames(
    demo: Demo, left_out: Counter[str], *, with_reported: bool = True
) -> Iterator[tuple[LibraryScreen, tuple[GroundTruth, ...]]]:
    """The frames of a demo that can be learned from, group and side still open, and what is true on each.

    Why the others cannot be learned from is counted.

    Args:
        demo: which.
        left_out: takes the counts.
        with_reported: also those on which programs reported everything, if nobody has looked at them.

    A frame counts when all of its elements have been reviewed, or when a step that begins on it was approved: whoever
    approves a step has its screen with all boxes before their eyes. On such a frame everything counts that was not
    rejected; a frame that was reviewed in part is left out, because what nobody looked at would be learned as ground,
    and so is one with an element that a person doubts.

    A frame that nobody has looked at counts when the trees of all its windows were proved, and most of what can be used
    there was reported: then everything counts that was reported. So does what programs do not report, as words and
    pictures, just as the models see it now: learned as ground, a model would lose it.
    """
    proved = reported_frames(demo) if with_reported else frozenset[str]()
    by_step = {step.before.id for step in demo.steps if step.review == "approved" and step.before is not None}
    for frame in demo.frames():
        elements = demo.elements.get(frame.id, ())
        kept = [element for element in elements if element.review != "rejected"]
        if not elements:
            left_out["no elements on it"] += 1
            continue
        if not kept:
            left_out["everything on it was rejected"] += 1
            continue
        # A doubt keeps a frame from being learned even where the step was approved.
        unsettled = {"doubtful"} if frame.id in by_step else {"doubtful", "unreviewed"}
        reported = 0
        if any(element.review in unsettled for element in kept):
            kept = _reported_truth(kept) if frame.id in proved else []
            reported = sum(element.source == "accessibility" for element in kept)
            if not reported:
                left_out["not approved"] += 1
                continue
        rejected = [
            element.box.clamped(frame.size)
            for element in elements
            # A double, or a thing under a wrong name, was rejected where something does stand.
            if element.review == "rejected" and all(iou(element.box, other.box) < _SAME_PLACE for other in kept)
        ]
        holders = set(containment(kept).values())
        truth = tuple(
            GroundTruth(
                type=element.type,
                box=box,
                text=element.text or None,
                subtype=element.subtype or None,
                states=element.states,
                leaf=element.uid not in holders,
                mark_box=None if element.mark_box is None else element.mark_box.clamped(frame.size),
            )
            for element in (as_seen(one).cleaned() for one in kept)
            if (box := element.box.clamped(frame.size)).area
        )
        row = LibraryScreen(
            name=f"{demo.head.id}_{frame.id[:12]}",
            demo=demo.head.id,
            frame=frame.id,
            elements=len(truth),
            approved=sum(element.review == "approved" for element in kept),
            reported=reported,
            rejected=tuple(box for box in rejected if box.area),
        )
        yield row, truth


def as_seen(element: Element) -> Element:
    """An element as it is told by pixels alone: a reported button on which nothing is written is an icon.

    A wider one has words that nobody could read, as those of one that is greyed.
    """
    wordless = element.type == "button" and element.source == "accessibility" and element.review != "approved"
    is_compact = max(element.box.width, element.box.height) < 2 * min(element.box.width, element.box.height)
    if not wordless or not is_compact or any(said.source == "ocr" and said.text for said in element.evidence):
        return element
    return element.but(type="icon", text=None)


USED_TYPES: Final[frozenset[ElementType]] = frozenset({
    "button", "radio", "checkbox", "toggle", "dropdown", "input_field", "text_area", "spinner", "slider", "scrollbar",
    "menu", "menu_item", "tab", "list_item", "tree_item", "hyperlink",
})  # fmt: skip
"""Types of what a person uses, which programs report."""
_MOST_CHANGED = 0.3
"""Share of a window that may have changed since its tree was read."""
_LEAST_REPORTED = 5
_LEAST_SHARE = 0.8
"""Of what can be used on a screen, so much must have been reported: otherwise a program told nothing there."""


def reported_frames(demo: Demo) -> frozenset[str]:
    """The frames before whose steps all windows' trees were read, proved but for parts, and none of them empty."""
    found: set[str] = set()
    for step in demo.steps:
        if step.before is None or not step.trees:
            continue
        try:
            trees = [(_is_known(one, demo.trees[one.tree]), demo.trees[one.tree]) for one in step.trees]
        except (KeyError, LibraryError):
            continue
        owners = {tree.app for _, tree in trees if tree.nodes and not tree.is_title_bar}
        # A window without nodes is a menu of one that has some, or a program that told nothing.
        if owners and all(known if tree.nodes else tree.app in owners for known, tree in trees):
            found.add(step.before.id)
    return frozenset(found)


def _is_known(reading: TreeReading, tree: WindowTree) -> bool:
    """Whether a window's tree is proved, and little of it may be otherwise."""
    area = 0 if tree.box is None else tree.box.area
    return reading.proved and sum(box.area for box in reading.changed) <= _MOST_CHANGED * area


def _reported_truth(elements: Sequence[Element]) -> list[Element]:
    """What is true on a screen that nobody has looked at; empty where too little of it was reported."""
    used = [element for element in elements if element.type in USED_TYPES]
    reported = sum(element.source == "accessibility" for element in used)
    if reported < max(_LEAST_REPORTED, _LEAST_SHARE * len(used)):
        return []
    if any(element.review == "doubtful" for element in elements):
        return []
    return [
        one
        for one in elements
        if one.source in {"accessibility", "human"} or one.review == "approved" or one.type not in USED_TYPES
    ]


_MIN_SCREENS = 4
"""Fewest different screens that anything can be learned from."""


def collect(
    library: Library,
    *,
    folder: Path,
    seed: int = 0,
    with_reported: bool = True,
    control: JobControl | None = None,
) -> LibraryLineage:
    """Write the true screens of a library as a set; of those that are nearly the same, one.

    Screens of one recording that look alike are on one side. What an earlier call wrote into the folder is replaced.

    Args:
        library: where the demos are.
        folder: of the set; must be empty, missing, or written by this function.
        seed: of the split.
        with_reported: see :func:`true_frames`.
        control: progress and cancelling.

    Returns:
        Where each screen came from, as in ``lineage.json``. The val side is empty when all screens are of one
        recording and look alike.

    Raises:
        BadInputError: too little was approved, or the folder holds something else.
        CorruptFrameError: a picture of the library is damaged.
        CancelledError: nothing is half-written; call it again.
        DiskFullError: call it again with more room.
    """
    control = control or JobControl()
    ids = [summary.head.id for summary in library.demos()]
    earlier = _earlier(folder)
    left_out: Counter[str] = Counter()
    frames = list(_different_frames(library, ids, left_out, control, with_reported=with_reported))
    if len(frames) < _MIN_SCREENS:
        reasons = ", ".join(f"{count} {why}" for why, count in sorted(left_out.items()))
        raise BadInputError(
            f"There are {len(frames)} screens that were approved or that programs reported, and at least "
            f"{_MIN_SCREENS} different ones are needed to train on." + (f" Left out: {reasons}." if reasons else ""),
            hint="Approve more steps in the editor, or every element on a screen: demopack annotate.",
        )
    groups = group_similar([look for _, _, look in frames])
    val = choose_val([(key, row.demo) for (row, _, _), key in zip(frames, groups, strict=True)], seed=seed)
    origin = LabelledScreenSet(folder)
    for old in earlier:
        # The truth first: a screen without it is not there.
        for suffix in ("json", "png"):
            (folder / old.group / f"{old.name}.{suffix}").unlink(missing_ok=True)
    rows = [
        row.model_copy(update={"group": f"look_{key[:12]}", "side": "val" if (key, row.demo) in val else "train"})
        for (row, _, _), key in zip(frames, groups, strict=True)
    ]
    lineage = LibraryLineage(
        created=utc_now(), seed=seed, demos=tuple(ids), screens=tuple(rows), left_out=dict(sorted(left_out.items()))
    )
    # Written first, so that the next call knows what a broken one left behind.
    write_text_atomic(folder / LINEAGE, lineage.model_dump_json(indent=2) + "\n")
    for number, (row, (_, truth, look)) in enumerate(zip(rows, frames, strict=True)):
        control.step(number, len(frames), "Writing screens")
        image = library.get_image(row.frame)
        screen = LabelledScreen(
            name=row.name,
            source="library",
            group=row.group,
            side=row.side,
            seed=seed,
            width=look.size.width,
            height=look.size.height,
            elements=tuple(part for one in truth for part in _labels_apart(one, image)),
        )
        origin.put(screen, image)
    control.report(Progress(done=len(frames), total=len(frames), text="Screens written"))
    return lineage


def _labels_apart(one: GroundTruth, image: RgbImage) -> list[GroundTruth]:
    """A box to tick and the lines of its label as elements of their own, as sets keep them; any other element alone."""
    if one.mark_box is None or not one.mark_box.area:
        return [one.but(mark_box=None)]
    whole, mark = one.box, one.mark_box
    sides = (
        (mark.x2, whole.y1, whole.x2, whole.y2),
        (whole.x1, whole.y1, mark.x1, whole.y2),
        (whole.x1, mark.y2, whole.x2, whole.y2),
        (whole.x1, whole.y1, whole.x2, mark.y1),
    )
    strips = [Rect(*side) for side in sides if side[0] < side[2] and side[1] < side[3]]
    label = max(strips, key=lambda strip: strip.area, default=None)
    lines = lines_inside(to_gray(image), label) if label is not None and one.text else []
    return [
        one.but(box=mark, mark_box=None),
        *(GroundTruth(type="text", box=line, text=one.text if len(lines) == 1 else None) for line in lines),
    ]


def _different_frames(
    library: Library, ids: Sequence[str], left_out: Counter[str], control: JobControl, *, with_reported: bool
) -> Iterator[tuple[LibraryScreen, tuple[GroundTruth, ...], ScreenSignature]]:
    """The true frames of some demos; of those that are nearly the same, the first."""
    of_truth: defaultdict[str, list[ScreenSignature]] = defaultdict(list)
    pixels: set[str] = set()
    for number, demo_id in enumerate(ids):
        control.report(Progress(done=number, total=len(ids), text="Looking through the demos"))
        for row, truth in true_frames(library.demo(demo_id), left_out, with_reported=with_reported):
            control.token.check()
            if row.frame in pixels:
                left_out["the same pixels as another"] += 1
                continue
            pixels.add(row.frame)
            look = signature_of(row.frame, library.get_image(row.frame), truth)
            if any(nearly_same(look, other) for other in of_truth[look.truth]):
                left_out["nearly the same as another"] += 1
                continue
            of_truth[look.truth].append(look)
            yield row, truth, look


def _earlier(folder: Path) -> tuple[LibraryScreen, ...]:
    """The screens that :func:`collect` wrote there before; none in a folder that is empty or not there."""
    if folder.is_file():
        raise BadInputError(f"{folder} is a file.", hint="Choose a folder for the screens.")
    path = folder / LINEAGE
    if path.exists():
        try:
            return LibraryLineage.model_validate_json(read_regular(path, limit=_MAX_LINEAGE_BYTES)).screens
        except (OSError, ValidationError) as error:
            raise BadInputError(
                f"{path} cannot be read as the lineage of a set.", details=str(error), hint="Choose another folder."
            ) from error
    if folder.is_dir() and any(folder.iterdir()):
        raise BadInputError(
            f"The folder {folder} holds something else; nothing was written.", hint="Choose an empty folder."
        )
    return ()


_LIBRARY_FILE = "library.db"


def training_sets(
    origins: Sequence[Path], *, folder: Path, seed: int, control: JobControl, with_reported: bool = True
) -> list[Path]:
    """Folders of screens for everything that was named.

    Args:
        origins: a library (its approved annotations are collected), a set of screens (taken as it is), or a data set in
            Ultralytics' form (its ``data.yaml``, converted).
        folder: where what has to be collected or converted is put.
        seed: of the split of a library.
        control: progress and cancelling.
        with_reported: see :func:`true_frames`.

    Raises:
        BadInputError: an origin is none of these, or holds too little; it is named.
    """
    sets: list[Path] = []
    for origin in origins:
        own = folder / f"{origin.stem or 'set'}-{hashlib.sha256(str(origin.resolve()).encode()).hexdigest()[:6]}"
        if (origin / _LIBRARY_FILE).is_file():
            with Library.open(origin, create=False) as library:
                collect(library, folder=own, seed=seed, with_reported=with_reported, control=control)
            sets.append(own)
        elif origin.suffix in {".yaml", ".yml"} and origin.is_file():
            from models.training.ultralytics_data import read_ultralytics

            if not own.exists():
                read_ultralytics(origin, own, control=control)
            sets.append(own)
        elif next(origin.glob("*/*.json"), None) is not None:
            sets.append(origin)
        else:
            raise BadInputError(
                f"There is nothing to train on in {origin}.",
                hint="Name a library, a set of labelled screens, or a data.yaml of Ultralytics.",
            )
    return sets
