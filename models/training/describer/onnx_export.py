"""Export of a describer to two ONNX graphs that run without torch, and whose weights lie in its safetensors file."""

from __future__ import annotations

import importlib
import json
import warnings
from pathlib import Path
from typing import Any, Final

from models.training.torch_support import EXPORT_FAILURES, EXPORT_HINT, Untyped
from models.vision.weights import unusable

_OPSET: Final = 17
_WORDS_BEFORE: Final = 3
"""Words in the example that the decoder is traced with; any number is taken in use."""


def write_graphs(folder: Path, model: Untyped, weights: Path, *, patches: int) -> list[Path]:
    """Write ``encoder.onnx`` and ``decoder.onnx``, as ``models.vision.describer`` runs them.

    The encoder gives the decoder's keys and values of what is seen; the decoder takes one word, these, and the keys and
    values of the words before it.

    Args:
        folder: for the graphs; holds the weights.
        model: a ``Pix2StructForConditionalGeneration`` with exactly these weights.
        weights: the safetensors file, 16-bit numbers under transformers' names.
        patches: of a view.

    Returns:
        The two files.

    Raises:
        ModelError: onnx is missing, or the export failed.
    """
    torch: Any = importlib.import_module("torch")
    model = model.eval()
    model.set_attn_implementation("eager")
    encoder, decoder = _modules(torch, model)
    seen = [f"{part}_{layer}" for layer in range(len(model.decoder.layer)) for part in ("key", "value")]
    past = [f"past_{name}" for name in seen]
    new = [f"new_{name}" for name in past]
    view = torch.rand(2, patches, 770)
    view[:, :, :2] = 1
    message = "The trained describer could not be written as ONNX; the training is kept."
    with unusable(message, hint=EXPORT_HINT, failures=EXPORT_FAILURES):
        with torch.no_grad():
            kept = encoder(view)
        heads, depth = kept[1].shape[1], kept[1].shape[3]
        before = [torch.rand(2, heads, _WORDS_BEFORE, depth) for _ in past]
        word = torch.ones(2, 1, dtype=torch.int64)
        many: dict[str, dict[int, str]] = {name: {0: "n"} for name in ("patches", "word", "logits", *seen)}
        many |= {name: {0: "n", 2: "before"} for name in past} | {name: {0: "n", 2: "after"} for name in new}
        calls: tuple[tuple[str, Untyped, tuple[Any, ...], list[str], list[str]], ...] = (
            ("encoder.onnx", encoder, (view,), ["patches"], seen),
            ("decoder.onnx", decoder, (word, *kept, *before), ["word", *seen, *past], ["logits", *new]),
        )
        for name, module, example, inputs, outputs in calls:
            with warnings.catch_warnings(), torch.no_grad():
                warnings.simplefilter("ignore")  # of tracing: the sizes that it takes for constants are constants
                torch.onnx.export(
                    module, example, folder / name, input_names=inputs, output_names=outputs, opset_version=_OPSET,
                    dynamic_axes={one: many[one] for one in (*inputs, *outputs)}, dynamo=False,
                    do_constant_folding=False,
                )  # fmt: skip
            _refer_to(weights, folder / name)
    return [folder / call[0] for call in calls]


def _modules(torch: Untyped, model: Untyped) -> tuple[Untyped, Untyped]:
    """The two halves of an answer's step, as modules of torch."""
    memories: Any = importlib.import_module("transformers.cache_utils")
    eyes, decoder = model.encoder, model.decoder
    heads = decoder.layer[0].self_attention.attention.n_heads

    def see(patches: Untyped) -> tuple[Untyped, ...]:
        seen = eyes.layernorm(eyes.encoder(eyes.embeddings(patches), attention_mask=None).last_hidden_state)
        kept: list[Any] = []
        for layer in decoder.layer:
            attention = layer.encoder_decoder_attention.attention
            kept.append(attention.key(seen).unflatten(2, (heads, -1)).permute(0, 2, 3, 1))
            kept.append(attention.value(seen).unflatten(2, (heads, -1)).permute(0, 2, 1, 3))
        return tuple(kept)

    def answer(word: Untyped, *kept: Untyped) -> tuple[Untyped, ...]:
        memory = memories.EncoderDecoderCache(memories.DynamicCache(), memories.DynamicCache())
        past = kept[len(kept) // 2 :]
        for layer in range(len(decoder.layer)):
            memory.self_attention_cache.update(past[2 * layer], past[2 * layer + 1], layer)
            memory.cross_attention_cache.update(kept[2 * layer].transpose(2, 3), kept[2 * layer + 1], layer)
            memory.is_updated[layer] = True
        value, bias, seen_bias = decoder.embed_tokens(word), None, None
        # Layer by layer: the decoder as a whole would put a mask of later words into the graph; there are none.
        for layer in decoder.layer:
            value, bias, _, seen_bias, *_ = layer(
                value, None, bias, value, None, seen_bias, past_key_values=memory, use_cache=True
            )
        logits = decoder.lm_head(decoder.final_layer_norm(value))[:, 0]
        fresh = (part for layer in memory.self_attention_cache.layers for part in (layer.keys, layer.values))
        return (logits, *fresh)

    encoding, decoding = torch.nn.Module(), torch.nn.Module()
    for module, forward in ((encoding, see), (decoding, answer)):
        module.model, module.forward = model, forward
    return encoding.eval(), decoding.eval()


def _refer_to(weights: Path, path: Path) -> None:
    """Let a graph take its weights from the safetensors file beside it, by offset, instead of from a copy."""
    onnx: Any = importlib.import_module("onnx")
    with weights.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        header: dict[str, Any] = json.loads(file.read(length))
    proto = onnx.load(str(path))
    graph, casts = proto.graph, list[Any]()
    for tensor in graph.initializer:
        name = tensor.name
        entry = header[name.removeprefix("model.")]
        begin, end = entry["data_offsets"]
        tensor.Clear()
        tensor.name, tensor.data_type = f"half.{name}", onnx.TensorProto.FLOAT16
        tensor.dims.extend(entry["shape"])
        tensor.data_location = onnx.TensorProto.EXTERNAL
        for key, value in (("location", weights.name), ("offset", 8 + length + begin), ("length", end - begin)):
            tensor.external_data.add(key=key, value=str(value))
        casts.append(onnx.helper.make_node("Cast", [tensor.name], [name], to=onnx.TensorProto.FLOAT))
    nodes: list[Any] = [*casts, *graph.node]
    del graph.node[:]
    graph.node.extend(nodes)
    path.write_bytes(proto.SerializeToString(deterministic=True))
