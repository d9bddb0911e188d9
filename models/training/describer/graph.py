"""Pix2Struct written down as ONNX graphs, so that a small describer runs without torch.

Two graphs: the encoder looks once and hands over the keys and values of every decoder layer; the decoder makes one word
from the last one and what it kept. Their weights are not in them: they point into the model's ``model.safetensors``, so
that the weights are shipped once and both engines read the same numbers. The few operators used have been in ONNX for
years; onnxruntime fuses them and folds what is constant when it loads them.
"""

from __future__ import annotations

import importlib
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from models.training.describer.onnx_graph import Graph, Untyped, places_of

__all__ = ["DECODER", "ENCODER", "LONGEST", "Shape", "write_graphs"]

ENCODER: Final = "encoder.onnx"
DECODER: Final = "decoder.onnx"
LONGEST: Final = 128
"""Words of an answer: relative places beyond are not written into the graph."""
_EYES = "encoder.embeddings"
_BUCKETS, _FURTHEST = 32, 128


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What of the configuration the graphs depend on."""

    patches: int
    width: int
    hidden: int
    heads: int
    encoder_layers: int
    decoder_layers: int
    epsilon: float


def write_graphs(folder: Path, weights: str, shape: Shape) -> list[Path]:
    """Write both graphs beside a safetensors file.

    Args:
        folder: holds the weights.
        weights: name of the safetensors file, 16-bit numbers under transformers' names.
        shape: of the model.

    Returns:
        The two files.
    """
    where = places_of(folder / weights)
    paths: list[Path] = []
    for name, build in ((ENCODER, _encoder), (DECODER, _decoder)):
        graph = Graph(importlib.import_module("onnx"), weights, where)
        model = build(graph, shape)
        path = folder / name
        path.write_bytes(model.SerializeToString(deterministic=True))
        paths.append(path)
    return paths


def _encoder(graph: Graph, shape: Shape) -> Untyped:
    depth = shape.width // shape.heads
    flat = "patches"
    whole = graph.onnx.TensorProto.INT64
    pixels = graph.op("Slice", flat, graph.ints(2), graph.ints(770), graph.ints(2))
    value = graph.linear(pixels, f"{_EYES}.patch_projection")
    value = graph.op("Add", value, graph.weight(f"{_EYES}.patch_projection.bias"))
    for place, table in enumerate(("row_embedder", "column_embedder")):
        index = graph.op("Gather", flat, graph.whole(place), axis=2)
        index = graph.op("Cast", index, to=whole)
        value = graph.op("Add", value, graph.op("Gather", graph.weight(f"{_EYES}.{table}.weight"), index, axis=0))
    for layer in range(shape.encoder_layers):
        name = f"encoder.encoder.layer.{layer}"
        normed = graph.norm(value, f"{name}.pre_attention_layer_norm", shape.epsilon)
        ways = [f"{name}.attention.{way}" for way in ("query", "key", "value")]
        query, key, content = graph.split(graph.linear(normed, *ways), 3)
        scores = graph.op(
            "MatMul", graph.by_head(query, shape.heads, depth), graph.by_head(key, shape.heads, depth, turned=True)
        )
        mixed = graph.attended(scores, graph.by_head(content, shape.heads, depth), shape.width)
        value = graph.op("Add", value, graph.linear(mixed, f"{name}.attention.output"))
        normed = graph.norm(value, f"{name}.pre_mlp_layer_norm", shape.epsilon)
        value = graph.op("Add", value, graph.gated(normed, f"{name}.mlp"))
    seen = graph.norm(value, "encoder.layernorm", shape.epsilon)
    outputs: list[Untyped] = []
    for layer in range(shape.decoder_layers):
        name = f"decoder.layer.{layer}.encoder_decoder_attention.attention"
        for way, turned in (("key", True), ("value", False)):
            kept = graph.by_head(graph.linear(seen, f"{name}.{way}"), shape.heads, depth, turned=turned)
            graph.named(kept, f"{way}_{layer}")
            tail = (depth, shape.patches) if turned else (shape.patches, depth)
            outputs.append(graph.float_value(f"{way}_{layer}", ("n", shape.heads, *tail)))
    inputs = [graph.float_value(flat, ("n", shape.patches, 770))]
    return graph.finished("encoder", inputs, outputs)


def _decoder(graph: Graph, shape: Shape) -> Untyped:
    depth, heads = shape.width // shape.heads, shape.heads
    helper, whole = graph.onnx.helper, graph.onnx.TensorProto.INT64
    inputs = [helper.make_tensor_value_info("word", whole, ("n", 1))]
    outputs: list[Untyped] = []
    value = graph.op("Gather", graph.weight("decoder.embed_tokens.weight"), "word", axis=0)
    bias = _bias(graph)
    for layer in range(shape.decoder_layers):
        name = f"decoder.layer.{layer}"
        normed = graph.norm(value, f"{name}.self_attention.layer_norm", shape.epsilon)
        ways = [f"{name}.self_attention.attention.{way}" for way in ("query", "key", "value")]
        query, key, content = graph.split(graph.linear(normed, *ways), 3)
        kept: list[str] = []
        for way, fresh in (("past_key", key), ("past_value", content)):
            own = f"{way}_{layer}"
            joined = graph.op("Concat", own, graph.by_head(fresh, heads, depth), axis=2)
            graph.named(joined, f"new_{own}")
            inputs.append(graph.float_value(own, ("n", heads, "before", depth)))
            outputs.append(graph.float_value(f"new_{own}", ("n", heads, "after", depth)))
            kept.append(joined)
        turned = graph.op("Transpose", kept[0], perm=[0, 1, 3, 2])
        scores = graph.op("Add", graph.op("MatMul", graph.by_head(query, heads, depth), turned), bias)
        mixed = graph.attended(scores, kept[1], shape.width)
        value = graph.op("Add", value, graph.linear(mixed, f"{name}.self_attention.attention.output"))
        value = _looked(graph, value, layer, shape)
        inputs.append(graph.float_value(f"key_{layer}", ("n", heads, depth, shape.patches)))
        inputs.append(graph.float_value(f"value_{layer}", ("n", heads, shape.patches, depth)))
        normed = graph.norm(value, f"{name}.mlp.layer_norm", shape.epsilon)
        value = graph.op("Add", value, graph.gated(normed, f"{name}.mlp.DenseReluDense"))
    last = graph.norm(value, "decoder.final_layer_norm", shape.epsilon)
    graph.named(graph.op("Squeeze", graph.linear(last, "decoder.lm_head"), graph.ints(1)), "logits")
    outputs.insert(0, graph.float_value("logits", ("n", graph.places["decoder.lm_head.weight"][0][0])))
    return graph.finished("decoder", inputs, outputs)


def _looked(graph: Graph, value: str, layer: int, shape: Shape) -> str:
    """Attention to what the encoder saw."""
    name = f"decoder.layer.{layer}.encoder_decoder_attention"
    normed = graph.norm(value, f"{name}.layer_norm", shape.epsilon)
    query = graph.by_head(graph.linear(normed, f"{name}.attention.query"), shape.heads, shape.width // shape.heads)
    scores = graph.op("MatMul", query, f"key_{layer}")
    mixed = graph.attended(scores, f"value_{layer}", shape.width)
    return graph.op("Add", value, graph.linear(mixed, f"{name}.attention.output"))


def _bias(graph: Graph) -> str:
    """What the first layer adds to the scores by distance, shape (1, heads, 1, words so far); the others share it."""
    table = graph.weight("decoder.layer.0.self_attention.attention.relative_attention_bias.weight")
    far_to_near = [_bucket(distance) for distance in range(LONGEST - 1, -1, -1)]
    rows = graph.op("Gather", table, graph.ints(*far_to_near), axis=0)
    before = graph.op("Slice", graph.op("Shape", "past_key_0"), graph.ints(2), graph.ints(3))
    start = graph.op("Sub", graph.ints(LONGEST - 1), before)
    some = graph.op("Slice", rows, start, graph.ints(LONGEST), graph.ints(0))
    return graph.op("Unsqueeze", graph.op("Transpose", some, perm=[1, 0]), graph.ints(0, 2))


def _bucket(distance: int) -> int:
    """T5's bucket of a distance back: near ones have their own, far ones share by the logarithm."""
    exact = _BUCKETS // 2
    if distance < exact:
        return distance
    share = math.log(distance / exact) / math.log(_FURTHEST / exact)
    return min(_BUCKETS - 1, exact + int(share * (_BUCKETS - exact)))
