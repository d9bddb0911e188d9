"""Parts of torch that every training uses: import, device, optimiser, and tensors as bytes."""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from demopack.errors import ModelError
from models.training.options import TrainingOptions
from models.vision.weights import import_ultralytics, library_needed, unusable

Untyped: TypeAlias = Any
"""Something of torch, ultralytics or transformers, which are untyped here."""
EXPORT_FAILURES: Final = (ImportError, OSError, RuntimeError, ValueError, AttributeError, TypeError, AssertionError)
"""What torch and onnx fail with where a network cannot be written."""
EXPORT_HINT: Final = "Is onnx installed? pip install '.[train]'. Then call the training again."


def import_torch(library: str) -> Untyped:
    """The torch package, with another library that is needed importable, offline and quiet.

    Args:
        library: ``ultralytics`` or ``transformers``.

    Raises:
        ModelError: one of them is not installed.
    """
    os.environ.setdefault("YOLO_VERBOSE", "False")
    # Threads that wait for work let others have the core; costs nothing on a quiet machine.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    with library_needed(f"torch and {library}", task="Training this model", extra="train"):
        torch: Any = importlib.import_module("torch")
        if library == "ultralytics":
            import_ultralytics()
        else:
            importlib.import_module(library)
    return torch


def begin_torch(library: str, options: TrainingOptions) -> tuple[Untyped, str]:
    """The torch package with the threads and the chance of a training, and the device that it computes on.

    Args:
        library: as for :func:`import_torch`.
        options: the recipe; its device ``auto`` is ``cuda`` where torch sees a GPU, ``cpu`` otherwise.

    Raises:
        ModelError: a library is not installed, or a GPU is asked for and there is none.
    """
    torch = import_torch(library)
    there, device = bool(torch.cuda.is_available()), options.device
    if device.startswith("cuda") and not there:
        raise ModelError("There is no graphics card that torch can use.", hint='Train with device "auto" or "cpu".')
    torch.set_num_threads(options.threads or os.cpu_count() or 1)
    torch.manual_seed(options.seed)
    return torch, device if device != "auto" else "cuda" if there else "cpu"


def make_optimizer(torch: Untyped, model: Untyped, options: TrainingOptions, *, betas: tuple[float, float]) -> Untyped:
    """AdamW over all parameters that learn; weights decay, biases, norms and embeddings do not."""
    decayed, free = list[Untyped](), list[Untyped]()
    for name, value in model.named_parameters():
        if value.requires_grad:
            (free if value.ndim < 2 or "embed" in name else decayed).append(value)
    groups = [{"params": decayed, "weight_decay": options.weight_decay}, {"params": free, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=options.learning_rate, betas=betas)


def encode_half(state: Mapping[str, Untyped]) -> bytes:
    """Weights in half precision, as safetensors."""
    safetensors: Any = importlib.import_module("safetensors.torch")
    half = {
        name: (value.half() if value.is_floating_point() else value).contiguous().cpu() for name, value in state.items()
    }
    data: bytes = safetensors.save(half, metadata={"format": "pt"})
    return data


def load_safetensors(module: Untyped, weights: bytes, *, name: str) -> None:
    """Put weights into a module, as 32-bit numbers.

    Args:
        module: of torch.
        weights: a file of safetensors.
        name: of the model, for the error.

    Raises:
        ModelError: they are damaged, or of another network.
    """
    safetensors: Any = importlib.import_module("safetensors.torch")
    message = f"The weights of {name} are damaged, or do not fit its structure."
    with unusable(message, hint="Choose another model, or copy it again."):
        loaded = safetensors.load(weights)
        module.load_state_dict({key: v.float() if v.is_floating_point() else v for key, v in loaded.items()})
