"""Formats of training and few-shot files by name."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Final

from demopack.codecs.sets.base import Format
from demopack.errors import BadInputError

# Name -> module of demopack.codecs and attribute; imported when asked for, so that a list of names costs nothing.
_FIRST: Final[dict[str, str]] = {
    "huggingface": "sets.hub:FORMAT",
    "trl": "sets.chats:TRL",
    "sharegpt": "sets.chats:SHAREGPT",
    "llmresponse": "sets.llmresponse:FORMAT",
    "atif": "sets.atif:FORMAT",
    "agentnet": "sets.agentnet:FORMAT",
    "coco": "boxes.demo_pictures:COCO",
    "yolo": "boxes.demo_pictures:YOLO",
    "openai": "sets.fewshot:OPENAI",
    "anthropic": "sets.fewshot:ANTHROPIC",
    "gemini": "sets.fewshot:GEMINI",
}
_MORE: Final[dict[str, str]] = {
    "grounding": "sets.grounding:FORMAT",
    "rl": "sets.rl:FORMAT",
    "trl-messages": "sets.chats:TRL_MESSAGES",
    "swift": "sets.chats:SWIFT",
    "openai-chat": "sets.chats:OPENAI_CHAT",
    "ui-tars": "sets.chats:UI_TARS",
    "ui-tars-1.5": "sets.chats:UI_TARS_PIXELS",
    "qwen": "sets.chats:QWEN",
    "qwen2.5-vl": "sets.chats:QWEN_PIXELS",
    "openadapt": "sets.openadapt:FORMAT",
    "webdataset": "sets.webdataset:FORMAT",
    "pix2struct": "sets.pix2struct:FORMAT",
    "skill": "sets.how_to:SKILL",
    "tutorial": "sets.how_to:TUTORIAL",
}
_PEERS: Final[dict[str, str]] = {
    "caap": "sets.caap:FORMAT",
    "uipath": "sets.uipath:FORMAT",
    "lam": "sets.lam:LAM",
    "ufo": "sets.ufo:FORMAT",
    "osworld": "sets.osworld:FORMAT",
    "pyautogui": "sets.script:FORMAT",
}
_WHERE: Final = {**_FIRST, **_MORE, **_PEERS}
NAMES: Final = tuple(_WHERE)
"""In the order in which they are shown."""
GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "First choice": tuple(_FIRST),
    "More": tuple(_MORE),
    "Papers and peers": tuple(_PEERS),
}
"""Heading -> names under it. Those of the first are tried with their own readers, on every action and hard texts."""


def exporter(name: str) -> Format:
    """One exporter.

    Raises:
        BadInputError: there is none of this name.
    """
    if name not in _WHERE:
        raise BadInputError(f"There is no format called {name!r}.", hint=f"Choose one of {', '.join(NAMES)}.")
    module, attribute = _WHERE[name].split(":")
    found: Format = getattr(importlib.import_module(f"demopack.codecs.{module}"), attribute)
    return found


def exporters() -> dict[str, Format]:
    """All of them."""
    return {name: exporter(name) for name in NAMES}
