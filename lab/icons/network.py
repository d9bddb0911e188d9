"""The one place of the icons' training that touches torch: network, changes of the icons, loss, optimiser."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from lab.icons.options import IconTraining
from lab.icons.pool import CLASSES, WIDER
from models.training.torch_support import Untyped, import_torch, make_optimizer
from models.vision.icons import SIDE, Bytes, Floats, to_input

Ints: TypeAlias = "npt.NDArray[np.int64]"
_LEFT = math.ceil(SIDE / 16)
"""Side of what is left of the square after four halvings."""
_HALF, _SPREAD = 0.5, 0.05


def stages(width: int) -> tuple[tuple[int, int, bool], ...]:
    """Channels, stride and whether the input is added to the output, of each convolution."""
    return (
        (width // 2, 2, False),
        (width, 2, False),
        (width, 1, True),
        (width, 1, True),
        (2 * width, 2, False),
        (2 * width, 1, True),
        (2 * width, 1, True),
        (2 * width + 32, 2, False),
    )


class Network:
    """Weights, their average, and the optimiser."""

    def __init__(self, options: IconTraining) -> None:
        """A network with fresh weights.

        Raises:
            ModelError: torch is not installed.
        """
        self.torch = import_torch("safetensors")
        self.torch.manual_seed(options.seed)
        self.torch.set_num_threads(options.threads or os.cpu_count() or 1)
        self.options = options
        self.model = self._built(options.width)
        self.smooth = self._built(options.width)
        self.smooth.load_state_dict(self.model.state_dict())
        self.optimizer = make_optimizer(self.torch, self.model, options, betas=(0.9, 0.999))

    def _built(self, width: int) -> Untyped:
        nn = self.torch.nn
        parts: Untyped = nn.ModuleDict()
        channels = 3
        for number, (out, stride, _) in enumerate(stages(width)):
            parts[f"conv{number}"] = nn.Conv2d(channels, out, 3, stride=stride, padding=1, bias=False)
            parts[f"norm{number}"] = nn.BatchNorm2d(out)
            channels = out
        parts["last"] = nn.Linear(channels * _LEFT * _LEFT, len(CLASSES))
        return parts

    def _forward(self, pixels: Untyped) -> Untyped:
        relu, drop = self.torch.nn.functional.relu, self.torch.nn.functional.dropout
        for number, (_, _, added) in enumerate(stages(self.options.width)):
            seen = self.model[f"norm{number}"](self.model[f"conv{number}"](pixels))
            pixels = relu(seen + pixels if added else seen)
        flat = drop(pixels.flatten(1), self.options.dropout, self.model.training)
        return self.model["last"](flat)

    def step(self, squares: Bytes, meanings: Ints, step: int) -> float:
        """Learn from some icons; returns the loss.

        Args:
            squares: shape (n, 60, 60, 3), uint8, of the pool.
            meanings: shape (n,).
            step: finished steps, which the chance depends on.
        """
        torch = self.torch
        torch.manual_seed((self.options.seed << 32) + step)
        self.model.train()
        seen = self._forward(torch.from_numpy(to_input(self._varied(squares, step))))
        loss = torch.nn.functional.cross_entropy(seen, torch.from_numpy(meanings), label_smoothing=_SPREAD)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        self.optimizer.step()
        kept = min(self.options.smoothing, (1 + step) / (10 + step))
        with torch.no_grad():
            pairs = zip(self.smooth.state_dict().values(), self.model.state_dict().values(), strict=True)
            for slow, fast in pairs:
                if fast.is_floating_point():
                    slow.lerp_(fast, 1 - kept)
                else:
                    slow.copy_(fast)
        return float(loss.detach())

    def _varied(self, squares: Bytes, step: int) -> Bytes:
        """The icons as the network sees them, each moved, scaled, turned and coloured a little by chance."""
        torch = self.torch
        rng = np.random.default_rng((self.options.seed, step))
        count = len(squares)
        scale = np.exp(rng.normal(0, 0.09, count)) / WIDER
        wide = scale * np.exp(rng.normal(0, 0.04, count))
        turn = rng.normal(0, 0.03, count)
        shift = rng.normal(0, 1.4, (count, 2)) * 2 / (SIDE * WIDER)
        theta = np.empty((count, 2, 3), dtype=np.float32)
        theta[:, 0, 0], theta[:, 0, 1], theta[:, 0, 2] = wide * np.cos(turn), -scale * np.sin(turn), shift[:, 0]
        theta[:, 1, 0], theta[:, 1, 1], theta[:, 1, 2] = wide * np.sin(turn), scale * np.cos(turn), shift[:, 1]
        pixels = torch.from_numpy(np.ascontiguousarray(squares.transpose(0, 3, 1, 2))).float()
        grid = torch.nn.functional.affine_grid(torch.from_numpy(theta), (count, 3, SIDE, SIDE), align_corners=False)
        seen = torch.nn.functional.grid_sample(pixels, grid, padding_mode="border", align_corners=False)
        soft = torch.nn.functional.avg_pool2d(seen, 3, stride=1, padding=1, count_include_pad=False)
        much = np.where(rng.random(count) < 0.2, rng.uniform(0, 0.8, count), 0.0).astype(np.float32)
        seen = torch.lerp(seen, soft, torch.from_numpy(much)[:, None, None, None])
        return _coloured(seen.numpy(), rng)

    def probabilities(self, inputs: Floats, weights: Mapping[str, Untyped] | None = None) -> Floats:
        """How likely each meaning is by the averaged weights, shape (n, classes); for measuring."""
        torch = self.torch
        current = {name: value.clone() for name, value in self.model.state_dict().items()}
        self.model.load_state_dict(dict(weights or self.smooth.state_dict()))
        self.model.eval()
        with torch.inference_mode():
            parts = [
                torch.softmax(self._forward(torch.from_numpy(inputs[start : start + 256])), dim=1).numpy()
                for start in range(0, len(inputs), 256)
            ]
        self.model.load_state_dict(current)
        return np.concatenate(parts)

    def start(self, weights: Mapping[str, Untyped]) -> None:
        """Begin with these weights.

        Raises:
            RuntimeError: they are of another network.
        """
        self.model.load_state_dict(dict(weights))
        self.smooth.load_state_dict(dict(weights))


def _coloured(pixels: npt.NDArray[np.float32], rng: np.random.Generator) -> Bytes:
    """Some of the icons without colours, in exchanged ones or as negatives; a little noise on some.

    Args:
        pixels: shape (n, 3, side, side), 0..255; changed.
        rng: decides.

    Returns:
        Shape (n, side, side, 3), uint8.
    """
    for number in range(len(pixels)):
        one: Floats = pixels[number]
        drawn = rng.random(3)
        if drawn[0] < 0.25:
            one[:] = one.mean(axis=0, keepdims=True)
        elif drawn[0] < _HALF:
            one[:] = one[rng.permutation(3)]
        if drawn[1] < 0.2:
            np.subtract(255.0, one, out=one)
        if drawn[2] < 0.15:
            one += rng.normal(0, rng.uniform(1, 8), one.shape)
    return np.ascontiguousarray(np.clip(np.rint(pixels), 0, 255).astype(np.uint8).transpose(0, 2, 3, 1))
