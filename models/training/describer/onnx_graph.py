"""An ONNX graph that grows node by node, its weights left in a safetensors file."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeAlias

__all__ = ["Graph", "Untyped", "places_of"]

Untyped: TypeAlias = Any
"""Something of onnx, which is untyped."""
Constant: TypeAlias = "int | float | str | Sequence[int]"
_OPSET: Final = 17
_IR: Final = 8

Place = tuple[list[int], int, int]


def places_of(path: Path) -> dict[str, Place]:
    """Shape, first byte and number of bytes of each tensor in a safetensors file."""
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        header: Any = json.loads(file.read(length))
    return {
        name: (entry["shape"], 8 + length + begin, end - begin)
        for name, entry in header.items()
        if name != "__metadata__"
        for begin, end in [entry["data_offsets"]]
    }


@dataclass
class Graph:
    """A graph that grows; every value is named by its number.

    Attributes:
        onnx: the library.
        weights: name of the safetensors file, in the folder that the graph is written to.
        places: where each tensor lies in it.
        nodes: so far.
        constants: so far.
    """

    onnx: Any
    weights: str
    places: Mapping[str, Place]
    nodes: list[Any] = field(default_factory=list[Any])
    constants: list[Any] = field(default_factory=list[Any])
    _loaded: dict[str, str] = field(default_factory=dict[str, str])

    def op(self, kind: str, *inputs: str, **attributes: Constant) -> str:
        """Add a node; returns the name of its output."""
        name = f"v{len(self.nodes)}"
        self.nodes.append(self.onnx.helper.make_node(kind, list(inputs), [name], **attributes))
        return name

    def split(self, value: str, parts: int) -> list[str]:
        """Equal parts along the last axis."""
        names = [f"v{len(self.nodes)}_{i}" for i in range(parts)]
        self.nodes.append(self.onnx.helper.make_node("Split", [value], names, axis=-1))
        return names

    def ints(self, *values: int) -> str:
        """A row of whole numbers."""
        return self._constant(self.onnx.TensorProto.INT64, [len(values)], values)

    def whole(self, value: int) -> str:
        """One whole number."""
        return self._constant(self.onnx.TensorProto.INT64, [], [value])

    def number(self, value: float) -> str:
        """One number."""
        return self._constant(self.onnx.TensorProto.FLOAT, [], [value])

    def _constant(self, kind: int, dims: list[int], values: Sequence[float]) -> str:
        name = f"c{len(self.constants)}"
        self.constants.append(self.onnx.helper.make_tensor(name, kind, dims, values))
        return name

    def weight(self, name: str) -> str:
        """A tensor of the weights, as 32-bit numbers."""
        if name not in self._loaded:
            dims, offset, length = self.places[name]
            tensor = self.onnx.TensorProto(name=name, dims=dims, data_type=self.onnx.TensorProto.FLOAT16)
            tensor.data_location = self.onnx.TensorProto.EXTERNAL
            for key, value in (("location", self.weights), ("offset", offset), ("length", length)):
                tensor.external_data.add(key=key, value=str(value))
            self.constants.append(tensor)
            self._loaded[name] = self.op("Cast", name, to=self.onnx.TensorProto.FLOAT)
        return self._loaded[name]

    def linear(self, value: str, *names: str) -> str:
        """One multiplication with one or several layers' weights side by side."""
        turned = [self.op("Transpose", self.weight(f"{name}.weight"), perm=[1, 0]) for name in names]
        joined = turned[0] if len(turned) == 1 else self.op("Concat", *turned, axis=1)
        return self.op("MatMul", value, joined)

    def norm(self, value: str, name: str, epsilon: float) -> str:
        """Division by the root of the mean square, then a gain for each number."""
        square = self.op("Pow", value, self.number(2.0))
        mean = self.op("ReduceMean", square, axes=[-1], keepdims=1)
        root = self.op("Sqrt", self.op("Add", mean, self.number(epsilon)))
        return self.op("Mul", self.op("Div", value, root), self.weight(f"{name}.weight"))

    def gated(self, value: str, name: str) -> str:
        """The gated layer with the tanh form of GELU."""
        gate, straight = self.split(self.linear(value, f"{name}.wi_0", f"{name}.wi_1"), 2)
        cube = self.op("Mul", self.op("Mul", self.op("Mul", gate, gate), gate), self.number(0.044715))
        inner = self.op("Mul", self.op("Add", gate, cube), self.number(math.sqrt(2 / math.pi)))
        bent = self.op("Add", self.op("Tanh", inner), self.number(1.0))
        gelu = self.op("Mul", self.op("Mul", gate, self.number(0.5)), bent)
        return self.linear(self.op("Mul", gelu, straight), f"{name}.wo")

    def by_head(self, value: str, heads: int, depth: int, *, turned: bool = False) -> str:
        """(n, length, width) to (n, heads, length, depth); ``turned`` swaps the last two."""
        parts = self.op("Reshape", value, self.ints(0, 0, heads, depth))
        return self.op("Transpose", parts, perm=[0, 2, 3, 1] if turned else [0, 2, 1, 3])

    def attended(self, scores: str, values: str, width: int) -> str:
        """The values mixed by the scores, the heads side by side again."""
        mixed = self.op("MatMul", self.op("Softmax", scores, axis=-1), values)
        return self.op("Reshape", self.op("Transpose", mixed, perm=[0, 2, 1, 3]), self.ints(0, 0, width))

    def finished(self, name: str, inputs: Sequence[Untyped], outputs: Sequence[Untyped]) -> Untyped:
        """The whole, as an ``onnx.ModelProto``."""
        helper = self.onnx.helper
        graph = helper.make_graph(self.nodes, name, list(inputs), list(outputs), self.constants)
        opset = helper.make_opsetid("", _OPSET)
        return helper.make_model(graph, opset_imports=[opset], ir_version=_IR, producer_name="demopack")

    def float_value(self, name: str, dims: Sequence[int | str]) -> Untyped:
        """What an input or output of 32-bit numbers looks like."""
        return self.onnx.helper.make_tensor_value_info(name, self.onnx.TensorProto.FLOAT, dims)

    def named(self, value: str, name: str) -> None:
        """Give a value the name of an output."""
        self.nodes.append(self.onnx.helper.make_node("Identity", [value], [name]))
