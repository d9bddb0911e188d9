"""A picture-and-text model of some fifty thousand numbers, built here: real enough for a trainer's every step."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

_TEMPLATE = (
    "{% for message in messages %}<|{{ message['role'] }}|>{% if message['role'] == 'assistant' %}{% generation %}"
    "{% for part in message['content'] %}{{ part['text'] }}{% endfor %}</s>{% endgeneration %}{% else %}"
    "{% for part in message['content'] %}{% if part['type'] == 'image' %}<image>{% else %}{{ part['text'] }}{% endif %}"
    "{% endfor %}</s>{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
_SIDE, _PATCH = 28, 14


def tiny_llava(folder: Path) -> tuple[Any, Any]:
    """The model and its processor; the tokens are bytes, so that any text can be said."""
    # Through importlib: the types of these libraries say less than they know.
    torch, transformers = import_module("torch"), import_module("transformers")
    tokenizers = import_module("tokenizers")

    alphabet = sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet())
    special = ["<pad>", "<s>", "</s>", "<image>"]
    vocabulary = {token: number for number, token in enumerate([*special, *alphabet])}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE(vocab=vocabulary, merges=[]))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = tokenizers.decoders.ByteLevel()
    tokenizer.add_special_tokens(special)
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", bos_token="<s>", eos_token="</s>", model_max_length=1 << 20
    )
    pictures = transformers.CLIPImageProcessorPil(
        size={"shortest_edge": _SIDE}, crop_size={"height": _SIDE, "width": _SIDE}, do_center_crop=True
    )
    processor = transformers.LlavaProcessor(
        image_processor=pictures,
        tokenizer=fast,
        patch_size=_PATCH,
        vision_feature_select_strategy="default",
        chat_template=_TEMPLATE,
        num_additional_image_tokens=1,
    )
    small: dict[str, int] = {
        "hidden_size": 32,
        "intermediate_size": 64,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
    }
    torch.manual_seed(0)
    config = transformers.LlavaConfig(
        vision_config=transformers.CLIPVisionConfig(image_size=_SIDE, patch_size=_PATCH, projection_dim=32, **small),
        text_config=transformers.LlamaConfig(vocab_size=len(vocabulary), max_position_embeddings=1 << 14, **small),
        image_token_id=vocabulary["<image>"],
        vision_feature_layer=-1,
        pad_token_id=0,
    )
    model = transformers.LlavaForConditionalGeneration(config)
    processor.save_pretrained(folder)
    return model, processor
