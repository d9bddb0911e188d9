"""``demopack forget``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from demopack.domain.words import counted
from demopack_cli.options import json_option, library_option, open_library, print_result

if TYPE_CHECKING:
    from demopack.store import Library


@click.command(name="forget")
@click.option("--last", "last", required=True, metavar="TIME", help="How much: 30s, 2m, 1m30s.")
@click.option("--demo", default=None, help='The demo: its id, the beginning of it, or "last"; default: the newest.')
@library_option
@json_option
def command(last: str, demo: str | None) -> None:
    """Remove the last seconds of a recording from the disk for good, keys and pictures.

    While a recording runs, the time counts back from now, and the recording goes on. Otherwise it counts back from the
    end of the demo, and the end goes too: the demo has no "finished" step any more. Nothing can bring it back.

    Example: demopack forget --last 30s
    """
    from demopack.errors import BadInputError
    from recorder.privacy.purge import parse_duration

    try:
        seconds = parse_duration(last)
    except BadInputError as error:
        raise click.BadParameter(str(error), param_hint="--last") from error
    with open_library(create=False) as opened:
        key, removed, running = _forget(opened, demo, seconds)
    words = (
        f"Removed {counted(removed, 'step')} from {key} for good."
        if removed
        else f"Nothing was recorded in {key} in that time; nothing was removed."
    )
    print_result({"demo": key, "removed": removed, "recording": running}, [words])


def _forget(opened: Library, demo: str | None, seconds: float) -> tuple[str, int, bool]:
    """The demo, how many steps were removed from it, and whether it is being recorded."""
    from recorder.privacy.purge import request_purge

    running = _running(opened)
    key = running if demo is None and running is not None else opened.find(demo or "last")
    if key == running:
        removed = request_purge(opened.folder, seconds, is_recording=lambda: _running(opened) == key)
        if removed is not None:
            return key, removed, True
    return key, _from_end(opened, key, seconds), False


def _running(opened: Library) -> str | None:
    """The demo that is being recorded; the library marks those whose recorder died when it looks for them."""
    opened.recover()
    return next((row.head.id for row in opened.demos() if row.head.status == "recording"), None)


def _from_end(opened: Library, key: str, seconds: float) -> int:
    from recorder.privacy.purge import end_of, steps_since
    from tasks.forgetting import forget_demo

    demo = opened.demo(key)
    # What was deleted in the editor is still on the disk, and what was added there is not in the original.
    known = {step.id: step for step in (*opened.original(key).steps, *demo.steps)}
    end = end_of(demo.steps[-1:]) or end_of(known.values())
    cutoff = max(0, end - round(seconds * 1e9))
    # A part that was recorded again has a clock of its own if the machine was started anew in between.
    same_clock = [step for step in known.values() if step.ended_ns <= end]
    ids = steps_since(same_clock, cutoff)
    if ids:
        # What a language model said about other steps may tell of these, too, and so may a task that was made of them.
        forget_demo(opened.folder, key, keep_demo=True)
        opened.forget_steps(key, ids, since_ns=cutoff if len(same_clock) == len(known) else None)
    return len(ids)
