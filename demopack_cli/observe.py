"""``demopack observe``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from demopack_cli.options import FOLDER, json_option, print_result

if TYPE_CHECKING:
    from player.observing import Eyes, LiveObservation

eyes_option = click.option(
    "--eyes",
    type=click.Choice(["all", "pixels", "picture"]),
    default="all",
    show_default=True,
    help="What finds the elements: what programs report and models for the rest, models alone, or nobody.",
)
windows_option = click.option(
    "--allow-window",
    "windows",
    multiple=True,
    metavar="NAME",
    help="See and act in this window alone, by its program or a part of its title; may be given several times.",
)


@click.command(name="observe")
@click.option(
    "--out", "-o", type=FOLDER, help="Write the picture and its elements into this folder, for `demopack act`."
)
@eyes_option
@windows_option
@json_option
def command(out: Path | None, eyes: Eyes, windows: tuple[str, ...]) -> None:
    """List what is on this screen now: each element with the number that `demopack act` takes as its element_id.

    Nothing is performed.

    Example: demopack observe -o now
    """
    from demopack.settings import load_settings
    from player.executor import open_observer
    from player.observing import EVERY_WINDOW, observation_json, save_observation, windows_named

    with open_observer(load_settings(), eyes=eyes, allowed=windows_named(windows or [EVERY_WINDOW])) as observer:
        seen = observer.observe()
    if out is not None:
        save_observation(seen, out)
    print_result(observation_json(seen), _lines(seen))


def _lines(seen: LiveObservation) -> list[str]:
    from demopack.domain.words import counted, shorten

    lines = [
        f"{one.number:4}  {one.type:14} {_at(one.box.corners):24} {shorten(one.text or one.placeholder or '', 60)}"
        for one in seen.elements
    ]
    from player.focus_match import name_window

    return [*lines, f"{counted(len(seen.elements), 'element')}; {name_window(seen.window)} has the input."]


def _at(corners: list[int]) -> str:
    x1, y1, x2, y2 = corners
    return f"{x2 - x1}x{y2 - y1} at {x1}, {y1}"
