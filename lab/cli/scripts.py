"""``python -m lab train-scripts``: makes the network that tells scripts apart, from this machine's fonts alone."""

from __future__ import annotations

from pathlib import Path

import click

from demopack_cli.options import job_control


@click.command(name="train-scripts")
@click.option("-o", "--out", type=click.Path(path_type=Path, file_okay=False), required=True, help="For the model.")
@click.option("--lines", type=click.IntRange(min=100), default=40_000, show_default=True, help="Lines that are drawn.")
@click.option("--epochs", type=click.IntRange(min=1), default=4, show_default=True, help="How often each is learned.")
@click.option("--seed", type=int, default=0, show_default=True, help="For everything drawn by chance.")
def command(out: Path, lines: int, epochs: int, seed: int) -> None:
    """Draw made-up lines in every font of this machine, learn their scripts, and measure on fonts that were left out.

    The shipped one learned Debian's fonts-dejavu fonts-freefont-ttf fonts-noto-core fonts-noto-cjk fonts-roboto
    fonts-open-sans fonts-lato fonts-inter fonts-cantarell fonts-urw-base35, and was measured on fonts-liberation.

    Example: python -m lab train-scripts -o assets/weights/scripts
    """
    from lab.script_classifier.training import train_script_classifier

    typed = f"python -m lab train-scripts --lines {lines} --epochs {epochs} --seed {seed}"
    model = train_script_classifier(out, lines=lines, epochs=epochs, seed=seed, command=typed, control=job_control())
    for name, share in model.card.metrics.items():
        click.echo(f"{name}: {share:.3f}")
