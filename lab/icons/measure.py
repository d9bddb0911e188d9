"""How good the icon network is on icons that it never learned from, and from which confidence on it should speak."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from lab.icons.batches import Measured
from lab.icons.pool import CLASSES
from models.vision.icons import Floats, to_input

_NOTHING = len(CLASSES) - 1


def measure(ask: Callable[[Floats], Floats], measured: Sequence[Measured], *, sure_at: float = 0.0) -> dict[str, float]:
    """Figures by source, and their means: how many icons are right and named, how many of those named are right.

    What means nothing counts as ``left_open``: the share that rightly got no name.

    Args:
        ask: the network: shape (n, 3, 40, 40) to (n, classes).
        measured: the icons.
        sure_at: least confidence of a name.
    """
    figures: dict[str, float] = {}
    losses: list[float] = []
    for part in measured:
        likely = ask(to_input(part.squares))
        chance = likely[np.arange(len(likely)), part.meanings]
        losses.append(float(-np.log(np.maximum(chance, 1e-6)).mean()))
        meant = part.meanings != _NOTHING
        best, sure = likely.argmax(axis=1), likely.max(axis=1)
        named = (best != _NOTHING) & (sure >= sure_at)
        right = named & (best == part.meanings)
        if meant.any():
            figures[f"right/{part.kind}"] = float(right[meant].mean())
            figures[f"named/{part.kind}"] = float(named[meant].mean())
        if named.any():
            figures[f"right_of_named/{part.kind}"] = float(right[named].mean())
        if not meant.all():
            figures[f"left_open/{part.kind}"] = float((~named)[~meant].mean())
    for name in ("right", "named", "right_of_named"):
        parts = [value for key, value in figures.items() if key.startswith(f"{name}/")]
        if parts:
            figures[name] = float(np.mean(parts))
    if losses:
        figures["loss"] = float(np.mean(losses))
    return {name: round(value, 4) for name, value in figures.items()}


def sure_from(ask: Callable[[Floats], Floats], measured: Sequence[Measured]) -> float:
    """The least confidence from which on names are more often right than wrong, every source counted alike.

    A wrong name costs a person as much as a missing one, and misleads on top; so a name is said where it saves more
    than it costs.
    """
    confidences: list[Floats] = []
    gains: list[Floats] = []
    for part in measured:
        likely = ask(to_input(part.squares))
        best = likely.argmax(axis=1)
        named = best != _NOTHING
        gain = np.where(best == part.meanings, 1.0, -1.0)[named] / max(1, len(likely))
        confidences.append(likely.max(axis=1)[named])
        gains.append(gain.astype(np.float32))
    if not confidences or not sum(map(len, confidences)):
        return 0.5
    sure = np.concatenate(confidences)
    order = np.argsort(-sure)
    best_at = int(np.cumsum(np.concatenate(gains)[order]).argmax())
    return round(float(sure[order[best_at]]), 3)
