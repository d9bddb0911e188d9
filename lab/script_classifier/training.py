"""Trains the network that tells scripts apart on made-up lines, and writes it as one graph that runs without torch."""

from __future__ import annotations

import importlib
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from demopack.jobs import JobControl
from lab.script_classifier.line_drawing import HELD_OUT, LineDrawer
from lab.script_classifier.made_up_lines import CLASSES
from models.registry import Lineage, ModelCard, ModelFolder, write_model
from models.training.torch_support import Untyped, import_torch
from models.vision.reading.script_classifier import GRAPH, HEIGHT, MAX_WIDTH, to_input

Arrays: TypeAlias = "dict[str, npt.NDArray[np.float32]]"
_STAGES: Final = ((16, (2, 2), False), (24, (2, 2), False), (24, (1, 1), True), (48, (2, 1), False), (48, (1, 1), True))
"""Channels, stride and whether the input is added to the output, of each convolution but the last."""
_LAST: Final = 64
"""Channels of the last convolution, over all rows that are left."""
_SPREAD: Final = 0.02
_MIN_STEPS: Final = 20
"""The shortest cycle of the learning rate whose rise has a step."""
_LEVELS: Final = 170
"""Grey levels that stand for 1 while a line is kept."""


@dataclass(frozen=True, slots=True)
class Lines:
    """Drawn lines as the network sees them: shape (n, 24, 192), uint8, their widths and the places of their classes."""

    pixels: npt.NDArray[np.uint8]
    widths: npt.NDArray[np.int64]
    classes: npt.NDArray[np.int64]

    def batches(self, size: int, rng: random.Random) -> Iterator[tuple[npt.NDArray[np.float32], npt.NDArray[np.int64]]]:
        """All of them once, lines of one width together."""
        groups: list[npt.NDArray[np.int64]] = []
        for width in np.unique(self.widths):
            members = np.flatnonzero(self.widths == width)
            members = members[np.random.default_rng(rng.randrange(2**32)).permutation(len(members))]
            groups += [members[start : start + size] for start in range(0, len(members), size)]
        rng.shuffle(groups)
        for group in groups:
            width = int(self.widths[group[0]])
            yield _as_input(self.pixels[group, None, :, :width]), self.classes[group]


def _as_input(pixels: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
    return pixels.astype(np.float32) / np.float32(_LEVELS)


def draw_lines(count: int, *, seed: int, held_out: bool, control: JobControl) -> Lines:
    """Lines by chance; ``held_out`` in fonts that are only measured."""
    drawer = LineDrawer(seed, held_out=held_out)
    pixels = np.zeros((count, HEIGHT, MAX_WIDTH), dtype=np.uint8)
    widths, classes = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
    for i, (image, place) in enumerate(drawer.samples(count)):
        control.step(i, count, "lines drawn")
        seen = to_input(image)[0, 0]
        pixels[i, :, : seen.shape[1]] = np.clip(seen * _LEVELS, 0, 255).astype(np.uint8)
        widths[i], classes[i] = seen.shape[1], place
    return Lines(pixels, widths, classes)


class _Network:
    def __init__(self, seed: int) -> None:
        self.torch = import_torch("onnx")
        self.torch.manual_seed(seed)
        nn = self.torch.nn
        self.parts: Untyped = nn.ModuleDict()
        channels = 1
        for number, (out, stride, _) in enumerate(_STAGES):
            self.parts[f"conv{number}"] = nn.Conv2d(channels, out, 3, stride=stride, padding=1, bias=False)
            self.parts[f"norm{number}"] = nn.BatchNorm2d(out)
            channels = out
        number = len(_STAGES)
        self.parts[f"conv{number}"] = nn.Conv2d(channels, _LAST, 3, padding=(0, 1), bias=False)
        self.parts[f"norm{number}"] = nn.BatchNorm2d(_LAST)
        self.parts["last"] = nn.Linear(2 * _LAST, len(CLASSES))

    def __call__(self, pixels: Untyped, *, dropout: float = 0.0) -> Untyped:
        functional = self.torch.nn.functional
        for number, added in enumerate((*(added for _, _, added in _STAGES), False)):
            seen = self.parts[f"norm{number}"](self.parts[f"conv{number}"](pixels))
            pixels = functional.relu(seen + pixels if added else seen)
        pooled = self.torch.cat((pixels.mean(dim=(2, 3)), pixels.amax(dim=(2, 3))), dim=1)
        return self.parts["last"](functional.dropout(pooled, dropout, self.parts.training))


def train_script_classifier(
    folder: Path, *, lines: int, epochs: int, seed: int, command: str, control: JobControl
) -> ModelFolder:
    """Draw lines, learn them, measure on other fonts, and write a model.

    Args:
        folder: for the model.
        lines: how many are drawn for learning.
        epochs: how often each is learned.
        seed: of everything by chance.
        command: what was typed, for the card.
        control: progress and cancelling.

    Raises:
        ModelError: a library is missing.
        CancelledError: the user stopped it; nothing is written.
    """
    network = _Network(seed)
    learned = draw_lines(lines, seed=seed, held_out=False, control=control)
    measured = draw_lines(max(200, lines // 30), seed=seed + 1, held_out=True, control=control)
    learn(network, learned, epochs=epochs, seed=seed, control=control)
    return _write(folder, network, learned, measured, epochs=epochs, seed=seed, command=command)


def learn(network: _Network, lines: Lines, *, epochs: int, seed: int, control: JobControl, batch: int = 64) -> None:
    """Train with one cycle of the learning rate."""
    torch, rng = network.torch, random.Random(seed)  # noqa: S311 - no secret
    groups = np.unique(lines.widths, return_counts=True)[1]
    steps = epochs * int(sum(-(-count // batch) for count in groups))
    optimizer = torch.optim.AdamW(network.parts.parameters(), lr=3e-3, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 3e-3, total_steps=max(_MIN_STEPS, steps), pct_start=0.1)
    network.parts.train()
    done = 0
    for _ in range(epochs):
        total, count = 0.0, 0
        for pixels, classes in lines.batches(batch, rng):
            scores = network(torch.from_numpy(pixels), dropout=0.2)
            loss = torch.nn.functional.cross_entropy(scores, torch.from_numpy(classes), label_smoothing=_SPREAD)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            schedule.step()
            total, count, done = total + float(loss.detach()), count + 1, done + 1
            control.step(done, steps, f"loss {total / count:.3f}")
    network.parts.eval()


def likely(network: _Network, lines: Lines) -> npt.NDArray[np.float32]:
    """How likely each class is for each line, shape (n, classes), in the order of the lines."""
    torch = network.torch
    found = np.zeros((len(lines.classes), len(CLASSES)), dtype=np.float32)
    with torch.inference_mode():
        for i, width in enumerate(lines.widths):
            pixels = _as_input(lines.pixels[i : i + 1, None, :, :width])
            found[i] = torch.softmax(network(torch.from_numpy(pixels)), dim=1).numpy()[0]
    return found


def figures(found: npt.NDArray[np.float32], classes: npt.NDArray[np.int64]) -> dict[str, float]:
    """Of each class the share that is told right, and of all of them."""
    right = found.argmax(axis=1) == classes
    shares = {name: float(right[classes == place].mean()) for place, name in enumerate(CLASSES)}
    return {"all": round(float(right.mean()), 4), **{name: round(share, 4) for name, share in shares.items()}}


def _write(
    folder: Path, network: _Network, learned: Lines, measured: Lines, *, epochs: int, seed: int, command: str
) -> ModelFolder:
    weights: Arrays = {name: value.float().numpy() for name, value in network.parts.state_dict().items()}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / GRAPH).write_bytes(graph(weights))
    measures = figures(likely(network, measured), measured.classes)
    card = ModelCard(
        id="demopack-scripts",
        kind="scripts",
        created="",
        files={},
        classes=CLASSES,
        options={"height": HEIGHT},
        lineage=(
            Lineage(
                source="made-up lines", side="train", groups=len(CLASSES), screens=0, elements=len(learned.classes)
            ),
        ),
        training={"epochs": epochs, "seed": seed, "lines": len(learned.classes)},
        command=command,
        metrics={f"other_fonts_{name}": value for name, value in measures.items()},
        notes=f"Learned from letters by chance in the fonts of one machine, all but {', '.join(HELD_OUT)}.",
    )
    return write_model(folder, card, [folder / GRAPH])


def graph(weights: Arrays) -> bytes:
    """An ONNX graph, operator by operator: no exporter is involved, so none can change the result."""
    onnx: Any = importlib.import_module("onnx")
    make, as_tensor = onnx.helper.make_node, onnx.numpy_helper.from_array
    nodes: list[Any] = []
    constants: list[Any] = []
    seen = "lines"
    for number, (_, stride, added) in enumerate((*_STAGES, (_LAST, (1, 1), False))):
        kernel, shift = _folded(weights, number)
        constants += [as_tensor(kernel, f"kernel{number}"), as_tensor(shift, f"shift{number}")]
        pads = [1, 1, 1, 1] if number < len(_STAGES) else [0, 1, 0, 1]
        inputs, result = [seen, f"kernel{number}", f"shift{number}"], f"conv{number}"
        nodes.append(make("Conv", inputs, [result], kernel_shape=[3, 3], pads=pads, strides=list(stride)))
        if added:
            nodes.append(make("Add", [result, seen], [f"sum{number}"]))
            result = f"sum{number}"
        seen = f"seen{number}"
        nodes.append(make("Relu", [result], [seen]))
    constants += [as_tensor(weights["last.weight"], "last"), as_tensor(weights["last.bias"], "bias")]
    nodes += [
        make("GlobalAveragePool", [seen], ["mean"]),
        make("GlobalMaxPool", [seen], ["most"]),
        make("Concat", ["mean", "most"], ["pooled"], axis=1),
        make("Flatten", ["pooled"], ["flat"], axis=1),
        make("Gemm", ["flat", "last", "bias"], ["scores"], transB=1),
        make("Softmax", ["scores"], ["likely"], axis=1),
    ]
    number_type = onnx.TensorProto.FLOAT
    made = onnx.helper.make_graph(
        nodes,
        "scripts",
        [onnx.helper.make_tensor_value_info("lines", number_type, ["n", 1, HEIGHT, "width"])],
        [onnx.helper.make_tensor_value_info("likely", number_type, ["n", len(CLASSES)])],
        constants,
    )
    model = onnx.helper.make_model(made, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    return bytes(model.SerializeToString())


def _folded(weights: Arrays, number: int) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """A convolution with the normalisation behind it as one."""
    norm = f"norm{number}."
    scale = weights[norm + "weight"] / np.sqrt(weights[norm + "running_var"] + 1e-5)
    kernel = weights[f"conv{number}.weight"] * scale[:, None, None, None]
    shift = weights[norm + "bias"] - weights[norm + "running_mean"] * scale
    return kernel.astype(np.float32), shift.astype(np.float32)
