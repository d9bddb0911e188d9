"""Makes a model folder of an icon training: one graph that runs without torch, the weights for going on, the card."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from demopack.atomic import disk_errors
from demopack.errors import ModelError
from demopack.replacing import made_beside
from lab.icons.network import Network, stages
from lab.icons.options import IconTraining
from lab.icons.pool import CLASSES
from lab.icons.sets import SETS
from models.registry import ModelFolder, write_model
from models.training.run_folder import RunFolder
from models.training.torch_support import Untyped, encode_half
from models.vision.icons import GRAPH, SIDE

WEIGHTS: Final = "icons.safetensors"
Arrays = dict[str, "npt.NDArray[np.float32]"]
_EPSILON = 1e-5


def export_icons(
    run: Path, network: Network, options: IconTraining, *, sure_at: float, figures: Mapping[str, float]
) -> Path:
    """The averaged weights of a training as ``run/model``.

    Args:
        run: the folder of the training, which holds the card.
        network: as it was trained.
        options: the recipe.
        sure_at: least confidence of a name.
        figures: with that confidence, on the icons that are only measured.

    Raises:
        ModelError: a library is missing.
        DiskFullError: no model was made.
    """
    card, _ = RunFolder(run).read_best()
    sets = f"{len(SETS)} icon sets" if options.fetch else "the icon sets at hand"
    drawn = f"{sets}, the desktop's themes and our own drawings" if options.drawn else "none"
    card = card.model_copy(
        update={
            "options": {**card.options, "sure_at": sure_at},
            "training": {**card.training, "drawings": drawn},
            "metrics": {f"val_{name}": value for name, value in figures.items()},
        }
    )
    with disk_errors(run), made_beside(run / "export") as aside:
        return write_model(run / "model", card, _write(aside, network, options.width)).folder


def read_weights(model: ModelFolder, torch: Untyped) -> dict[str, Untyped]:
    """The weights of a model for training it further.

    Raises:
        ModelError: the model has none, or they are damaged.
    """
    path = model.file(WEIGHTS)
    try:
        safetensors: Any = importlib.import_module("safetensors.torch")
        loaded: Any = safetensors.load_file(path)
    except Exception as error:  # a damaged file fails in as many ways as there are
        raise ModelError(f"{path} holds no weights.", details=f"{type(error).__name__}: {error}") from error
    return {name: value.to(torch.float32) if value.is_floating_point() else value for name, value in loaded.items()}


def _write(folder: Path, network: Network, width: int) -> list[Path]:
    (folder / WEIGHTS).write_bytes(encode_half(network.smooth.state_dict()))
    # The graph has the weights that training would go on with.
    weights = {name: value.half().float().numpy() for name, value in network.smooth.state_dict().items()}
    (folder / GRAPH).write_bytes(_graph(weights, width))
    return [folder / WEIGHTS, folder / GRAPH]


def _graph(weights: Arrays, width: int) -> bytes:
    """An ONNX graph, operator by operator: no exporter is involved, so none can change the result."""
    onnx: Any = importlib.import_module("onnx")
    make, as_tensor = onnx.helper.make_node, onnx.numpy_helper.from_array
    nodes: list[Any] = []
    constants: list[Any] = []
    seen = "icons"
    for number, (_, stride, added) in enumerate(stages(width)):
        kernel, shift = _folded(weights, number)
        constants += [as_tensor(kernel, f"kernel{number}"), as_tensor(shift, f"shift{number}")]
        nodes.append(
            make(
                "Conv",
                [seen, f"kernel{number}", f"shift{number}"],
                [f"conv{number}"],
                kernel_shape=[3, 3],
                pads=[1, 1, 1, 1],
                strides=[stride, stride],
            )
        )
        result = f"conv{number}"
        if added:
            nodes.append(make("Add", [result, seen], [f"sum{number}"]))
            result = f"sum{number}"
        seen = f"seen{number}"
        nodes.append(make("Relu", [result], [seen]))
    constants += [as_tensor(weights["last.weight"], "last"), as_tensor(weights["last.bias"], "bias")]
    nodes += [
        make("Flatten", [seen], ["flat"], axis=1),
        make("Gemm", ["flat", "last", "bias"], ["logits"], transB=1),
        make("Softmax", ["logits"], ["likely"], axis=1),
    ]
    number_type = onnx.TensorProto.FLOAT
    graph = onnx.helper.make_graph(
        nodes,
        "icons",
        [onnx.helper.make_tensor_value_info("icons", number_type, ["n", 3, SIDE, SIDE])],
        [onnx.helper.make_tensor_value_info("likely", number_type, ["n", len(CLASSES)])],
        constants,
    )
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    return bytes(model.SerializeToString())


def _folded(weights: Arrays, number: int) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """A convolution with the normalisation behind it as one."""
    norm = f"norm{number}."
    scale = weights[norm + "weight"] / np.sqrt(weights[norm + "running_var"] + _EPSILON)
    kernel = weights[f"conv{number}.weight"] * scale[:, None, None, None]
    shift = weights[norm + "bias"] - weights[norm + "running_mean"] * scale
    return kernel.astype(np.float32), shift.astype(np.float32)
