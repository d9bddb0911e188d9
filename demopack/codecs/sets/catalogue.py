"""Formats of training and few-shot files by name."""

from __future__ import annotations

import importlib
from typing import Final

from demopack.codecs.sets.base import Format
from demopack.errors import BadInputError

# Name -> module of demopack.codecs and attribute; imported when asked for, so that a list of names costs nothing.
_WHERE: Final[dict[str, str]] = {
    "llmresponse": "sets.llmresponse:FORMAT",
    "huggingface": "sets.hub:FORMAT",
    "trl": "sets.chats:TRL",
    "trl-messages": "sets.chats:TRL_MESSAGES",
    "sharegpt": "sets.chats:SHAREGPT",
    "swift": "sets.chats:SWIFT",
    "openai": "sets.fewshot:OPENAI",
    "anthropic": "sets.fewshot:ANTHROPIC",
    "gemini": "sets.fewshot:GEMINI",
    "openai-chat": "sets.chats:OPENAI_CHAT",
    "ui-tars": "sets.chats:UI_TARS",
    "qwen": "sets.chats:QWEN",
    "agentnet": "sets.agentnet:FORMAT",
    "pyautogui": "sets.script:FORMAT",
    "osworld": "sets.osworld:FORMAT",
    "atif": "sets.atif:FORMAT",
    "openadapt": "sets.openadapt:FORMAT",
    "caap": "sets.caap:FORMAT",
    "uipath": "sets.uipath:FORMAT",
    "lam": "sets.lam:LAM",
    "ufo": "sets.lam:UFO",
    "coco": "boxes.demo_pictures:COCO",
    "yolo": "boxes.demo_pictures:YOLO",
    "pix2struct": "sets.pix2struct:FORMAT",
    "webdataset": "sets.webdataset:FORMAT",
    "skill": "sets.how_to:SKILL",
    "tutorial": "sets.how_to:TUTORIAL",
}
NAMES: Final = tuple(_WHERE)
"""In the order in which they are shown."""


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
