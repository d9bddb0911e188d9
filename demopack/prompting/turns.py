"""What all talks are made of: messages of named parts, JSON on one line, the thought behind a step."""

from __future__ import annotations

import json
from typing import Any

from demopack.domain.renderings import lam_thought
from demopack.prompting.prompt import Image, Message, Part, Role
from demopack.prompting.scene import Scene
from demopack.prompting.situation import Recorded

__all__ = ["json_text", "message", "said", "thought_of"]


def json_text(value: Any) -> str:  # noqa: ANN401 - any JSON value
    """JSON on one line, letters as they are."""
    return json.dumps(value, ensure_ascii=False)


def message(role: Role, scene: Scene | None = None, **parts: str) -> Message:
    """A message of parts, those without text left out, with the picture of a scene where it has one."""
    images: tuple[Image, ...] = ()
    if scene is not None and scene.image and scene.size is not None:
        images = (Image(path=scene.image, width=scene.size.width, height=scene.size.height),)
    return Message(
        role=role, parts=tuple(Part(name=name, text=text) for name, text in parts.items() if text), images=images
    )


def said(role: Role, name: str, text: str) -> Message:
    """A message of one part."""
    return Message(role=role, parts=(Part(name=name, text=text),))


def thought_of(step: Recorded) -> str:
    """Why the step was taken, as far as it could be known before it; empty where nobody said."""
    return lam_thought(step.rationale) if step.rationale is not None else ""
