"""Every exporter by name."""

from __future__ import annotations

import importlib
from typing import Final

from demopack.errors import BadInputError
from demopack.pack.formats.base import Format

__all__ = ["NAMES", "exporter", "exporters"]

# Name -> module and attribute; imported when asked for, so that a list of names costs nothing.
_WHERE: Final[dict[str, tuple[str, str]]] = {
    "llmresponse": ("llmresponse", "FORMAT"),
    "huggingface": ("hub", "FORMAT"),
    "trl": ("trl", "PROMPT_COMPLETION"),
    "trl-messages": ("trl", "MESSAGES"),
    "sharegpt": ("sharegpt", "SHAREGPT"),
    "swift": ("sharegpt", "SWIFT"),
    "openai": ("fewshot", "OPENAI"),
    "anthropic": ("fewshot", "ANTHROPIC"),
    "gemini": ("fewshot", "GEMINI"),
    "openai-chat": ("openai_chat", "FORMAT"),
    "ui-tars": ("agents", "UI_TARS"),
    "qwen": ("agents", "QWEN"),
    "agentnet": ("agentnet", "FORMAT"),
    "pyautogui": ("script", "FORMAT"),
    "osworld": ("osworld", "FORMAT"),
    "atif": ("atif", "FORMAT"),
    "openadapt": ("openadapt", "FORMAT"),
    "caap": ("caap", "FORMAT"),
    "uipath": ("uipath", "FORMAT"),
    "lam": ("lam", "FORMAT"),
    "ufo": ("ufo", "FORMAT"),
    "coco": ("coco", "COCO"),
    "yolo": ("coco", "YOLO"),
    "pix2struct": ("pix2struct", "FORMAT"),
    "webdataset": ("webdataset", "FORMAT"),
    "skill": ("lessons", "SKILL"),
    "tutorial": ("tutorial", "FORMAT"),
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
    module, attribute = _WHERE[name]
    found: Format = getattr(importlib.import_module(f"demopack.pack.formats.{module}"), attribute)
    return found


def exporters() -> dict[str, Format]:
    """All of them."""
    return {name: exporter(name) for name in NAMES}
