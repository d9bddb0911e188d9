"""Catalogue of codecs by name, and the decoding of models' answers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from demopack.codecs import (
    anthropic,
    caap,
    gemini,
    llmresponse,
    openadapt,
    openai,
    osworld,
    pyautogui,
    qwen,
    swift,
    ufo,
    ui_tars,
    uipath,
)
from demopack.codecs.base import Codec, Decoder
from demopack.codecs.decoded import DecodedAnswer
from demopack.codecs.observation import Observation
from demopack.codecs.texts import texts
from demopack.errors import ActionError, BadInputError
from demopack.json_text import whole_characters

CODECS: Final[Mapping[str, Codec]] = {
    codec.name: codec
    for codec in (
        openai.CODEC,
        anthropic.CODEC,
        gemini.CODEC,
        ui_tars.CODEC,
        ui_tars.PIXEL_CODEC,
        qwen.CODEC,
        qwen.PIXEL_CODEC,
        pyautogui.AGENTNET,
        pyautogui.SCRIPT,
        osworld.CODEC,
        uipath.CODEC,
        caap.CODEC,
        ufo.CODEC,
        openadapt.CODEC,
    )
}


_ERRORS_OF_WRONG_TYPES: Final = (TypeError, ValueError, KeyError, AttributeError, OverflowError, RecursionError)

# The contract itself comes first; the others in the order of docs/prompting.md.
_DECODED: Final = (
    "caap",
    "uipath",
    "ufo",
    "ui-tars",
    "ui-tars-1.5",
    "agentnet",
    "pyautogui",
    "qwen",
    "qwen2.5-vl",
    "openai",
    "anthropic",
    "gemini",
    "osworld",
)
_DECODERS: Final[Mapping[str, Decoder]] = {
    "llmresponse": llmresponse.decode,
    **{name: decode for name in _DECODED if (decode := CODECS[name].decode) is not None},
    "swift": swift.decode,
}
ANSWER_DIALECTS: Final = tuple(_DECODERS)
"""Dialects whose answers can be read."""

_ALIASES: Final = {"lam": "ufo", "native": "llmresponse", "uitars": "ui-tars", "ui_tars": "ui-tars"}
_FORMS: Final = {"llmresponse": "llmresponse", "swift": "llmresponse", "caap": "caap", "uipath": "uipath", "ufo": "ufo",
                 "ui-tars": "code", "ui-tars-1.5": "code", "agentnet": "code", "pyautogui": "code"}  # fmt: skip


def decode_answer(
    answer: str | dict[str, Any], *, dialect: str | Codec, observation: Observation | None = None
) -> DecodedAnswer:
    """Decode a model's answer.

    Args:
        answer: text, or the message as its API returns it.
        dialect: one of :data:`ANSWER_DIALECTS`, ``lam`` is ``ufo``; or a codec of one's own.
        observation: the screen that the model was shown.

    Raises:
        ActionError: the answer cannot be used; :func:`feedback` makes of it what the model is told.
        BadInputError: there is no such dialect.
    """
    name = dialect.name if isinstance(dialect, Codec) else _name(dialect)
    decode = (dialect.decode if isinstance(dialect, Codec) else None) or _DECODERS[name]
    if not isinstance(answer, str) and _FORMS.get(name) == "code":
        raise ActionError("The answer is an object, not text.", "wrong_type", "", "Give the answer as text.")
    try:
        parsed = decode(_storable(answer), observation or Observation())
        for response in parsed.responses:
            # Python reads 1e400 and NaN as numbers; no JSON has them.
            response.to_json_text()
        return parsed
    except _ERRORS_OF_WRONG_TYPES as error:
        # Models put lists where numbers belong, and worse. What is wrong then is the answer, wherever it shows.
        raise ActionError(
            "A value in the answer is of a kind that does not belong there.",
            code="wrong_type",
            field="",
            details=f"{type(error).__name__}: {error}",
            hint="Keep to the form, with plain numbers and texts.",
        ) from error


def _storable(answer: str | dict[str, Any]) -> str | dict[str, Any]:
    """The answer with � for each half of a character: some models cut an emoji in two, and no file can hold that."""
    if isinstance(answer, str):
        return whole_characters(answer)
    try:
        json.dumps(answer, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        mended: dict[str, Any] = json.loads(whole_characters(json.dumps(answer)))
        return mended
    return answer


def feedback(error: ActionError, *, dialect: str) -> str:
    """A message to the model so that it answers again: what was wrong, the way out, and the form of the answer."""
    words = texts("feedback")
    form = words.get(f"form_{_FORMS.get(_name(dialect), 'calls')}")
    return words.get("wrong", what=error.user_message, hint=error.hint, form=form).replace(" \n", "\n")


def _name(dialect: str) -> str:
    name = _ALIASES.get(dialect.lower(), dialect.lower())
    if name not in _DECODERS:
        raise BadInputError(f"There is no dialect “{dialect}”.", hint=f"Use one of {', '.join(ANSWER_DIALECTS)}.")
    return name
