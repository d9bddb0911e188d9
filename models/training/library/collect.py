"""From a library to a set of screens to train on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from demopack.atomic import write_text_atomic
from demopack.clock import utc_now
from demopack.errors import BadInputError
from demopack.jobs import JobControl, Progress
from demopack.store import Library
from models.training.library.approved import ApprovedFrame, approved_frames
from models.training.library.lineage import LINEAGE, LibraryLineage, LibraryScreen, read_lineage
from models.training.library.looks import Look, choose_val, look_of, nearly_same, same_looks
from models.training.screens.screen import Screen, ScreenSet

__all__ = ["LEAST", "LibraryScreens", "collect"]

LEAST = 4
"""Fewest different screens that anything can be learned from."""
_SAME_PIXELS = "the same pixels as another"
_SAME_SCREEN = "nearly the same as another"


@dataclass(frozen=True, slots=True, kw_only=True)
class LibraryScreens:
    """What was collected.

    Attributes:
        origin: the set, with source ``library``.
        lineage: where it came from; also in its ``lineage.json``.
        train: screens to learn from.
        val: screens that tell when to stop; 0 when all screens look alike, and then none can be held out.
        elements: on all screens.
    """

    origin: ScreenSet
    lineage: LibraryLineage
    train: int
    val: int
    elements: int


def collect(
    library: Library,
    demos: Sequence[str] | None = None,
    *,
    folder: Path,
    seed: int = 0,
    least: int = LEAST,
    control: JobControl | None = None,
) -> LibraryScreens:
    """Write the approved screens of a library as a set; of those that are nearly the same, one.

    Screens that look alike are on one side. What an earlier call wrote into the folder is replaced.

    Args:
        library: where the demos are.
        demos: their ids; all demos of the library when None.
        folder: of the set; must be empty, missing, or written by this function.
        seed: of the split.
        least: fewest screens that are enough.
        control: progress and cancelling.

    Raises:
        BadInputError: too little was approved, a demo is not there, or the folder holds something else.
        CorruptFrameError: a picture of the library is damaged.
        CancelledError: nothing is half-written; call it again.
        DiskFullError: call it again with more room.
    """
    control = control or JobControl()
    ids = [summary.head.id for summary in library.demos()] if demos is None else list(demos)
    earlier = _earlier(folder)
    left_out: Counter[str] = Counter()
    frames, looks = _look_through(library, ids, left_out, control)
    if len(frames) < least:
        raise _too_little(len(frames), least, left_out)
    groups = same_looks(looks)
    val = choose_val(groups, seed=seed)
    origin = ScreenSet(folder)
    for old in earlier.screens if earlier is not None else ():
        _remove(origin, old)
    rows = [_row(one, group=f"look_{key[:12]}", in_val=key in val) for one, key in zip(frames, groups, strict=True)]
    lineage = LibraryLineage(
        created=utc_now(), seed=seed, demos=tuple(ids), screens=tuple(rows), left_out=dict(sorted(left_out.items()))
    )
    # Written first, so that the next call knows what a broken one left behind.
    write_text_atomic(folder / LINEAGE, lineage.model_dump_json(indent=2) + "\n")
    for number, (approved, row) in enumerate(zip(frames, rows, strict=True)):
        control.token.check()
        control.report(Progress(done=number, total=len(frames), text="Writing screens"))
        origin.put(_screen(approved, row, seed), library.get_image(approved.frame.id))
    control.report(Progress(done=len(frames), total=len(frames), text="Screens written"))
    held = sum(row.side == "val" for row in rows)
    elements = sum(row.elements for row in rows)
    return LibraryScreens(origin=origin, lineage=lineage, train=len(rows) - held, val=held, elements=elements)


def _look_through(
    library: Library, ids: Sequence[str], left_out: Counter[str], control: JobControl
) -> tuple[list[ApprovedFrame], list[Look]]:
    frames: list[ApprovedFrame] = []
    looks: list[Look] = []
    of_truth: dict[str, list[Look]] = {}
    pixels: set[str] = set()
    for number, demo_id in enumerate(ids):
        control.report(Progress(done=number, total=len(ids), text="Looking through the demos"))
        for approved in approved_frames(library.demo(demo_id)):
            control.token.check()
            if approved.why_not:
                left_out[approved.why_not] += 1
                continue
            if approved.frame.id in pixels:
                left_out[_SAME_PIXELS] += 1
                continue
            pixels.add(approved.frame.id)
            look = look_of(approved.frame.id, library.get_image(approved.frame.id), approved.truth)
            alike = of_truth.setdefault(look.truth, [])
            if any(nearly_same(look, other) for other in alike):
                left_out[_SAME_SCREEN] += 1
                continue
            alike.append(look)
            looks.append(look)
            frames.append(approved)
    return frames, looks


def _too_little(found: int, least: int, left_out: Counter[str]) -> BadInputError:
    reasons = ", ".join(f"{count} {why}" for why, count in sorted(left_out.items()))
    return BadInputError(
        f"There are {found} approved screens, and at least {least} different ones are needed to train on."
        + (f" Left out: {reasons}." if reasons else ""),
        hint="Approve more steps in the editor, or every element on a screen: demopack annotate.",
    )


def _row(approved: ApprovedFrame, *, group: str, in_val: bool) -> LibraryScreen:
    return LibraryScreen(
        name=f"{approved.demo}_{approved.frame.id[:12]}",
        group=group,
        side="val" if in_val else "train",
        demo=approved.demo,
        frame=approved.frame.id,
        elements=len(approved.truth),
        approved=approved.approved,
        rejected=approved.rejected,
    )


def _screen(approved: ApprovedFrame, row: LibraryScreen, seed: int) -> Screen:
    return Screen(
        name=row.name,
        source="library",
        group=row.group,
        side=row.side,
        seed=seed,
        width=approved.frame.width,
        height=approved.frame.height,
        elements=approved.truth,
    )


def _earlier(folder: Path) -> LibraryLineage | None:
    """What this function wrote before."""
    if folder.is_file():
        raise BadInputError(f"{folder} is a file.", hint="Choose a folder for the screens.")
    lineage = read_lineage(folder)
    if lineage is None and folder.is_dir() and any(folder.iterdir()):
        raise BadInputError(
            f"The folder {folder} holds something else; nothing was written.", hint="Choose an empty folder."
        )
    return lineage


def _remove(origin: ScreenSet, row: LibraryScreen) -> None:
    path = origin.folder / row.group / f"{row.name}.json"
    # The truth first: a screen without it is not there.
    path.unlink(missing_ok=True)
    path.with_suffix(".png").unlink(missing_ok=True)
