"""Where a training stands, on disk: whole at any moment, and read without trusting it."""

from __future__ import annotations

import io
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from demopack.atomic import write_bytes_atomic, write_text_atomic
from demopack.errors import BadInputError
from models.training.describer.network import Network
from models.training.describer.options import DescriberTraining
from models.training.describer.samples import Samples

__all__ = ["BEST", "BEST_CARD", "Standing", "load_checkpoint", "save_best", "save_checkpoint"]

_LAST: Final = "last.pt"
BEST: Final = "best.pt"
BEST_CARD: Final = "best.json"


@dataclass
class Standing:
    """How far a training is.

    Attributes:
        identity: of the network; another one cannot go on from here.
        step: finished steps.
        seconds: spent, over all starts.
        best: lowest loss on the validation screens.
        has_best: whether a best model was kept.
        waited: looks since then.
        looks: at the validation screens.
        measured_s: seconds at the last look.
        measured_step: step of the last look.
        validated_on: digest of the validation samples; figures of others cannot be compared.
    """

    identity: str
    step: int = 0
    seconds: float = 0.0
    best: float = float("inf")
    has_best: bool = False
    waited: int = 0
    looks: int = 0
    measured_s: float = 0.0
    measured_step: int = -1
    validated_on: str = ""


def save_checkpoint(run: Path, network: Network, standing: Standing) -> None:
    """Keep everything that going on needs.

    Raises:
        DiskFullError: the checkpoint before is untouched.
    """
    data = io.BytesIO()
    network.torch.save({"standing": asdict(standing), **network.state()}, data)
    write_bytes_atomic(run / _LAST, data.getvalue())


def load_checkpoint(run: Path, network: Network) -> Standing | None:
    """Put the network where it was; None when nothing was kept yet.

    Raises:
        BadInputError: the checkpoint is damaged or of another network.
    """
    path = run / _LAST
    if not path.exists():
        return None
    try:
        # weights_only: a checkpoint holds tensors and numbers; whatever else is in the file is not run.
        data: Any = network.torch.load(path, map_location=network.device, weights_only=True)
        standing = Standing(**data["standing"])
        network.restore(data)
    except Exception as error:  # a damaged file fails in as many ways as there are
        raise BadInputError(
            f"The checkpoint {path} is damaged, or of another network.",
            details=f"{type(error).__name__}: {error}",
            hint="Train in another folder, or delete the file to begin again.",
        ) from error
    return standing


def save_best(
    run: Path,
    network: Network,
    standing: Standing,
    figures: dict[str, float],
    options: DescriberTraining,
    samples: Samples,
    based_on: str,
) -> None:
    """Keep the best model so far, and what its card will say.

    Raises:
        DiskFullError: the best before is untouched.
    """
    data = io.BytesIO()
    network.torch.save(network.smooth.state_dict(), data)
    write_bytes_atomic(run / BEST, data.getvalue())
    card = {
        "step": standing.step,
        "seconds": round(standing.measured_s, 1),
        "metrics": {f"val_{name}": value for name, value in figures.items()},
        "options": options.model_dump(mode="json"),
        "based_on": based_on,
        "lineage": [entry.to_json() for entry in samples.lineage],
    }
    write_text_atomic(run / BEST_CARD, json.dumps(card, indent=1) + "\n")
