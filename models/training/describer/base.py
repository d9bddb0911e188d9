"""Training that begins with a model that is there, so that a few corrected screens are enough."""

from __future__ import annotations

from pydantic import ValidationError

from demopack.errors import ModelError
from models.registry import ModelFolder, is_model, open_model
from models.training.describer.options import DescriberTraining, ModelSize

__all__ = ["base_of"]

_SIZE = "size_"


def base_of(options: DescriberTraining) -> tuple[DescriberTraining, ModelFolder | None]:
    """The options with the size of the model that training starts from, and that model; None for a fresh one.

    Raises:
        ModelError: there is no such model, or its card does not tell its size.
    """
    if options.start_from is None:
        return options, None
    run = options.start_from / "model"
    model = open_model(run if is_model(run) else options.start_from, kind="describer")
    told = model.card.training
    try:
        size = ModelSize.model_validate({n.removeprefix(_SIZE): v for n, v in told.items() if n.startswith(_SIZE)})
    except ValidationError as error:
        raise ModelError(
            f"The card of {model.card.id} does not tell the size of its network.",
            details=str(error),
            hint="Train a fresh model, or name another one.",
        ) from error
    return options.model_copy(update={"size": size}), model
