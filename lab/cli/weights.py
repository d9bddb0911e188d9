"""``python -m lab weights``: every stage that makes weights from nothing, in order; ``make weights`` calls it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from demopack_cli.options import job_control
from demopack_cli.train import stoppable

if TYPE_CHECKING:
    from demopack.jobs import JobControl
    from models.registry import ModelKind
    from models.training.labelled_screens import SourceName, Split

_KINDS: Final[tuple[ModelKind, ...]] = ("detector", "describer", "icons")


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightsRecipe:
    """All that is chosen about weights that are made from nothing.

    Attributes:
        screens: how many of each source, by split.
        training: options of each model's recipe that are not its defaults.
        script_lines: how many made-up lines tell the scripts apart.
        limit: most test screens of a group that are measured; None for all.
        icon_sets: whether the icon network is also measured on icon sets that are fetched for it.
    """

    screens: Mapping[SourceName, Mapping[Split, int]]
    training: Mapping[ModelKind, Mapping[str, Any]]
    script_lines: int = 40_000
    limit: int | None = None
    icon_sets: bool = True


_EACH: Final[Mapping[Split, int]] = {"train": 1600, "val": 200, "test": 100}
SIZES: Final[Mapping[str, WeightsRecipe]] = {
    "full": WeightsRecipe(
        screens={
            "miniwob": {**_EACH, "test": 140},
            "web": _EACH,
            "qt": _EACH,
            "apps": {"train": 600, "val": 60, "test": 20},
        },
        training={"detector": {"minutes": 240.0}, "describer": {"minutes": 240.0}, "icons": {"minutes": 60.0}},
    ),
    # Shows that every stage works; what comes out knows nothing.
    "tiny": WeightsRecipe(
        screens={"qt": {"train": 4, "val": 2, "test": 1}, "miniwob": {"train": 4, "val": 2, "test": 1}},
        training={
            "detector": {"steps": 4, "batch": 2, "crops": {320: 1.0}, "epoch_steps": 2, "warmup_steps": 1},
            "describer": {
                "steps": 4, "batch": 4, "samples": 40, "validate_samples": 10, "warmup_steps": 1,
                "size": {
                    "patches": 16, "width": 32, "hidden": 32, "heads": 2, "encoder_layers": 1, "decoder_layers": 1
                },
            },
            "icons": {"steps": 4, "batch": 8, "width": 8, "warmup_steps": 1, "drawn": 0.0, "fetch": False},
        },
        script_lines=200,
        limit=1,
        icon_sets=False,
    ),
}  # fmt: skip


@click.command(name="weights")
@click.option("--size", type=click.Choice(list(SIZES)), default="full", show_default=True, help="How much of all.")
@click.option("-o", "--out", type=click.Path(path_type=Path, file_okay=False), required=True, help="For everything.")
@click.option("--seed", type=int, default=0, show_default=True, help="For everything drawn by chance.")
def command(size: str, out: Path, seed: int) -> None:
    """Make the weights from nothing: screens, detector, describer, icons, evaluation, cards.

    Stopped at any time, the same command goes on. What comes out lies in OUT/weights, as in assets/weights.

    Example: python -m lab weights --size tiny -o out/weights-tiny
    """
    making = _Making(recipe=SIZES[size], size=size, out=out, seed=seed)
    with stoppable() as control:
        making.draw_screens(control)
        for kind in _KINDS:
            making.train(kind, control)
        making.tell_scripts(control)
    making.measure(job_control())
    making.write_cards()
    click.echo(f"{out / 'weights'}: what assets/weights holds of weights that are shipped")


@dataclass(slots=True, kw_only=True)
class _Making:
    recipe: WeightsRecipe
    size: str
    out: Path
    seed: int
    icon_figures: dict[str, float] = field(default_factory=dict[str, float])

    @property
    def sets(self) -> list[Path]:
        return [self.out / "screens" / source for source in self.recipe.screens]

    def model(self, kind: ModelKind) -> Path:
        return self.out / "runs" / kind / "model"

    def draw_screens(self, control: JobControl) -> None:
        from lab.cli.screens import open_source
        from lab.screens.factory import make_screens

        for source, wanted in self.recipe.screens.items():
            for split, count in wanted.items():
                _say(f"screens: {count} of {source} for {split}")
                report = make_screens(
                    open_source(source),
                    folder=self.out / "screens" / source,
                    count=count,
                    seed=self.seed,
                    side=split,
                    control=control,
                )
                for line in report.failed:
                    click.echo(f"  ! {line}", err=True)

    def train(self, kind: ModelKind, control: JobControl) -> None:
        from lab.cli.train import train_model
        from models.registry import is_model

        if is_model(self.model(kind)):
            _say(f"{kind}: made before")
            return
        _say(f"{kind}: training")
        given = {"seed": self.seed, **self.recipe.training[kind]}
        train_model(kind, self.sets, self.out / "runs" / kind, given, control=control)
        control.token.check()

    def tell_scripts(self, control: JobControl) -> None:
        from lab.script_classifier.training import train_script_classifier
        from models.registry import is_model

        folder, lines = self.out / "weights" / "scripts", self.recipe.script_lines
        if is_model(folder):
            _say("scripts: made before")
            return
        _say("scripts: training")
        train_script_classifier(folder, lines=lines, epochs=4, seed=self.seed, command=self.command, control=control)

    def measure(self, control: JobControl) -> None:
        from demopack.settings import VisionSettings
        from lab.cli.icons import icon_figures
        from lab.evaluation.run import evaluate
        from models.vision.finder import open_finder

        _say("evaluation: the whole parse on the test screens")
        settings = VisionSettings.model_validate(
            {"incremental": False, **{kind: str(self.model(kind).resolve()) for kind in _KINDS}}
        )
        with open_finder(settings) as finder:
            evaluate(self.sets, finder, limit=self.recipe.limit, out=self.out / "measured", control=control)
        if self.recipe.icon_sets:
            kept = self.out / "runs" / "icons" / "measured"
            self.icon_figures = icon_figures(self.model("icons"), self.sets, kept, control)

    def write_cards(self) -> None:
        from lab.cli.ship import ship, write_pipeline
        from lab.evaluation.run import REPORT

        _say("cards")
        digests: dict[str, str] = {}
        for kind in _KINDS:
            shipped = ship(
                self.model(kind),
                root=self.out / "weights",
                notes=self.notes,
                command=self.command,
                figures=self.icon_figures if kind == "icons" else {},
            )
            digests[kind] = shipped.card.digest
        report = json.loads((self.out / "measured" / REPORT).read_text(encoding="utf-8"))
        write_pipeline(self.out / "weights", report, notes=self.notes, models=digests, before=())

    @property
    def command(self) -> str:
        return f"make weights SIZE={self.size}" + (f" SEED={self.seed}" if self.seed else "")

    @property
    def notes(self) -> str:
        counts = ", ".join(f"{source} {wanted['train']}" for source, wanted in self.recipe.screens.items())
        return f"Trained from nothing by `{self.command}` at {_commit()}, on screens that it drew: {counts}."


def _commit() -> str:
    """The commit of the checkout, as Git names it; that it is unknown where Git does not tell."""
    asked: Sequence[str] = ("git", "describe", "--always", "--dirty", "--abbrev=12")
    root = Path(__file__).parents[2]
    try:
        done = subprocess.run(asked, cwd=root, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return "an unknown commit"
    return f"commit {done.stdout.strip()}"


def _say(words: str) -> None:
    click.echo(f"== {words}", err=True)
