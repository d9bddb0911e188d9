"""``python -m lab``: draws labelled screens, trains on them and measures what is shipped, see ``lab/README.md``."""

from __future__ import annotations

import click

from demopack_cli.main import LazyGroup, run_group

# Name -> (module with a click command called ``command``, the line that `python -m lab --help` shows).
COMMANDS: dict[str, tuple[str, str]] = {
    "screens": ("lab.cli.screens", "Draw screens whose truth is known, to train and measure the models."),
    "train": ("lab.cli.train", "Train a model on sets of screens, with any option of its recipe."),
    "eval": ("lab.cli.evaluation", "Measure how well elements are found on screens with truth."),
    "ablate": ("lab.cli.ablation", "Measure what each rule of parsing is worth."),
    "eval-icons": ("lab.cli.icons", "Measure an icon network on icons that it never saw."),
    "train-scripts": ("lab.cli.scripts", "Make the network that tells scripts apart, from the fonts of this machine."),
    "pictures": ("lab.cli.pictures", "Draw the README's pictures of parsed screens anew."),
    "weights": ("lab.cli.weights", "Make the weights from nothing: every stage in order."),
    "ship": ("lab.cli.ship", "Make a trained model the one that comes with demopack."),
}


@click.group(cls=LazyGroup, table=COMMANDS, moved={}, context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Make and measure the weights that come with demopack.

    Example: python -m lab screens make qt -o screens/qt --count 200
    """


if __name__ == "__main__":
    run_group(main)
