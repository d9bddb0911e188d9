"""What a training learns from, whatever it was given as: libraries, sets of screens, other people's data sets."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from demopack.errors import BadInputError
from demopack.jobs import JobControl
from demopack.store import Library
from models.training.library.collect import collect

__all__ = ["training_sets"]

_LIBRARY_FILE = "library.db"


def training_sets(origins: Sequence[Path], *, folder: Path, seed: int, control: JobControl) -> list[Path]:
    """Folders of screens for everything that was named.

    Args:
        origins: a library (its approved annotations are collected), a set of screens (taken as it is), or a data set in
            Ultralytics' form (its ``data.yaml``, converted).
        folder: where what has to be collected or converted is put.
        seed: of the split of a library.
        control: progress and cancelling.

    Raises:
        BadInputError: an origin is none of these, or holds too little; it is named.
    """
    sets: list[Path] = []
    for origin in origins:
        own = folder / f"{origin.stem or 'set'}-{hashlib.sha256(str(origin.resolve()).encode()).hexdigest()[:6]}"
        if (origin / _LIBRARY_FILE).is_file():
            with Library.open(origin, create=False) as library:
                collect(library, folder=own, seed=seed, control=control)
            sets.append(own)
        elif origin.suffix in {".yaml", ".yml"} and origin.is_file():
            from models.training.formats.ultralytics_reader import read_ultralytics

            if not own.exists():
                read_ultralytics(origin, own, control=control)
            sets.append(own)
        elif next(origin.glob("*/*.json"), None) is not None:
            sets.append(origin)
        else:
            raise BadInputError(
                f"There is nothing to train on in {origin}.",
                hint="Name a library, a set made with `demopack screens make`, or a data.yaml of Ultralytics.",
            )
    return sets
