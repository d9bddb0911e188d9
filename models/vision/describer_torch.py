"""Runs any Pix2Struct checkpoint from elsewhere, with transformers.

The one module of the describer that touches torch and transformers when elements are described.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

from demopack.domain.geometry import Rect, Size
from demopack.errors import BadInputError, ModelError
from demopack.regular_files import check_regular, read_regular
from models.vision.description import Description, parse_description
from models.vision.patches import PatchScales, masked_region
from models.vision.weights import library_needed, unusable

Untyped: TypeAlias = Any
_SETTING = 'Set "vision.describer" to "shipped", or to a Pix2Struct checkpoint.'
_ANSWER = 128
"""Words of a foreign model's answer at most."""
_LARGEST_CONFIG = 16 << 20
"""Bytes; a configuration takes some thousands."""


def _libraries(threads: int) -> tuple[Untyped, Untyped]:
    otherwise = ' Or set "vision.describer" to "shipped".'
    both = "torch and transformers"
    with library_needed(both, task="Using a Pix2Struct checkpoint", extra="vision", otherwise=otherwise):
        torch: Any = importlib.import_module("torch")
        transformers: Any = importlib.import_module("transformers")
    torch.set_num_threads(threads)
    return torch, transformers


def load_pix2struct(name: str, *, threads: int) -> Untyped:
    """A ``Pix2StructForConditionalGeneration``, ready to answer.

    Args:
        name: a folder, or a model's name on the hub, which is looked for on this machine first.
        threads: for torch.

    Raises:
        ModelError: a library is missing, there is no such checkpoint, it is of another architecture, damaged, or holds
            code.
    """
    _, transformers = _libraries(threads)
    if Path(name).is_dir():
        _check_folder(Path(name))
    message = f"{name} cannot be used as a describer: it was not found, is damaged, or holds something else."
    with unusable(message, hint=_SETTING):
        model, report = _local_first(
            transformers.Pix2StructForConditionalGeneration.from_pretrained,
            name,
            # A pickle is read as tensors and nothing else; code in it is refused.
            weights_only=True,
            output_loading_info=True,
            dtype="float32",
        )
    if str(model.config.model_type) != "pix2struct" or report["missing_keys"]:
        raise ModelError(
            f"{name} is no whole Pix2Struct checkpoint.",
            details=f"Missing: {', '.join(sorted(report['missing_keys'])[:5])}",
            hint=_SETTING,
        )
    return model.eval()


def _check_folder(folder: Path) -> None:
    """Say early and plainly what is wrong with a folder."""
    path = folder / "config.json"
    message = f"{folder} holds no Pix2Struct checkpoint: {path.name} is missing or damaged."
    try:
        check_regular(folder)
        with unusable(message, hint=_SETTING, failures=(OSError, ValueError, KeyError, TypeError)):
            config: Any = json.loads(read_regular(path, limit=_LARGEST_CONFIG))
            kind = str(config["model_type"])
    except BadInputError as error:
        raise ModelError(error.user_message, hint=_SETTING) from error
    if kind != "pix2struct":
        raise ModelError(f"{folder} holds a model of the kind {kind}, not pix2struct.", hint=_SETTING)


def _local_first(load: Untyped, name: str, **options: Untyped) -> Untyped:
    """What is on this machine; only where it is not, and the name is no folder, the hub is asked."""
    try:
        return load(name, local_files_only=True, **options)
    except OSError:
        if Path(name).exists():
            raise
    return load(name, **options)


class ForeignEngine:
    """Any Pix2Struct checkpoint with its own processor; it is shown what CAAP showed: the region, semi-masked."""

    batch = 8

    def __init__(self, name: str, *, threads: int) -> None:
        """Load model and processor.

        Raises:
            ModelError: they cannot be used.
        """
        self._torch, transformers = _libraries(threads)
        self._model = load_pix2struct(name, threads=threads)
        message = f"The checkpoint {name} has no processor that can be used"
        with unusable(f"{message}: its tokenizer or its picture settings are missing or damaged.", hint=_SETTING):
            self._processor = _local_first(transformers.AutoProcessor.from_pretrained, name)
            self._processor.image_processor.is_vqa = False

    def answers(self, scales: PatchScales, boxes: Sequence[Rect]) -> list[Description | None]:
        """What the model says about each box; None where its answer cannot be read."""
        image = scales.at(0)
        size = Size(image.shape[1], image.shape[0])
        views = [masked_region(image, box.clamped(size)) for box in boxes]
        with self._torch.inference_mode():
            inputs = self._processor.image_processor(images=views, return_tensors="pt")
            out = self._model.generate(
                **inputs, max_new_tokens=_ANSWER, do_sample=False, return_dict_in_generate=True, output_scores=True
            )
            # The least sure word of each answer: its words cannot be told apart by field.
            scores = self._model.compute_transition_scores(out.sequences, out.scores, normalize_logits=True)
            words = out.sequences[:, -scores.shape[1] :]
            scores = scores.masked_fill(words == self._model.config.text_config.pad_token_id, 0.0)
            sure = [float(value) for value in scores.min(dim=1).values.exp()]
            texts = self._processor.tokenizer.batch_decode(out.sequences, skip_special_tokens=True)
        return [_with_confidence(parse_description(text), value) for text, value in zip(texts, sure, strict=True)]


def _with_confidence(known: Description | None, value: float) -> Description | None:
    if known is None:
        return None
    return replace(
        known,
        type_confidence=value,
        subtype_confidence=value if known.subtype else 1.0,
        state_confidence=dict.fromkeys(known.states, value),
        text_confidence=value if known.text else 1.0,
    )
