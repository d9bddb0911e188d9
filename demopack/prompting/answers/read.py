"""Every dialect's parser by name, and what to tell a model whose answer cannot be used."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from demopack.errors import ActionError, BadInputError
from demopack.json_text import whole_characters
from demopack.prompting.answers.caap import from_caap
from demopack.prompting.answers.computer_tools import from_anthropic, from_openai
from demopack.prompting.answers.grid_calls import from_gemini, from_qwen
from demopack.prompting.answers.native import from_native
from demopack.prompting.answers.osworld import from_osworld
from demopack.prompting.answers.parsed import ParsedAnswer
from demopack.prompting.answers.pyautogui import from_pyautogui
from demopack.prompting.answers.ufo import from_ufo
from demopack.prompting.answers.ui_tars import from_ui_tars
from demopack.prompting.answers.uipath import from_uipath
from demopack.prompting.scene import Scene
from demopack.prompting.texts import texts

__all__ = ["ANSWER_DIALECTS", "feedback", "parse_answer"]

_Parser = Callable[[Any, Scene], ParsedAnswer]


_TANGLED: Final = (TypeError, ValueError, KeyError, AttributeError, OverflowError, RecursionError)


def _text_only(parser: Callable[[str, Scene], ParsedAnswer]) -> _Parser:
    def parse(answer: Any, scene: Scene) -> ParsedAnswer:  # noqa: ANN401 - checked here
        if not isinstance(answer, str):
            raise ActionError(
                "The answer is an object, not text.", code="wrong_type", field="", hint="Give the answer as text."
            )
        return parser(answer, scene)

    return parse


# Names as in demopack.pack.formats; llmresponse is the contract itself.
_PARSERS: Final[Mapping[str, _Parser]] = {
    "llmresponse": from_native,
    "caap": from_caap,
    "uipath": from_uipath,
    "ufo": from_ufo,
    "ui-tars": _text_only(from_ui_tars),
    "agentnet": _text_only(from_pyautogui),
    "pyautogui": _text_only(from_pyautogui),
    "qwen": from_qwen,
    "openai": from_openai,
    "anthropic": from_anthropic,
    "gemini": from_gemini,
    "osworld": from_osworld,
}
ANSWER_DIALECTS: Final = tuple(_PARSERS)
"""Dialects whose answers can be read."""

_ALIASES: Final = {"lam": "ufo", "native": "llmresponse", "uitars": "ui-tars", "ui_tars": "ui-tars"}
_FORMS: Final = {"llmresponse": "llmresponse", "caap": "caap", "uipath": "uipath", "ufo": "ufo",
                 "ui-tars": "code", "agentnet": "code", "pyautogui": "code"}  # fmt: skip


def parse_answer(answer: str | dict[str, Any], *, dialect: str, scene: Scene | None = None) -> ParsedAnswer:
    """What a model wants to do.

    Args:
        answer: text, or the message as its API returns it.
        dialect: one of :data:`ANSWER_DIALECTS`; ``lam`` is ``ufo``.
        scene: the screen that the model was shown.

    Raises:
        ActionError: the answer cannot be used; :func:`feedback` makes of it what the model is told.
        BadInputError: there is no such dialect.
    """
    parser = _PARSERS[_name(dialect)]
    try:
        parsed = parser(_storable(answer), scene or Scene())
        for response in parsed.responses:
            # Python reads 1e400 and NaN as numbers; no JSON has them.
            response.to_json_text()
        return parsed
    except _TANGLED as error:
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
    """What to send to the model so that it answers again: what was wrong, the way out, and the form of the answer."""
    words = texts("feedback")
    form = words.get(f"form_{_FORMS.get(_name(dialect), 'calls')}")
    return words.get("wrong", what=error.user_message, hint=error.hint, form=form).replace(" \n", "\n")


def _name(dialect: str) -> str:
    name = _ALIASES.get(dialect.lower(), dialect.lower())
    if name not in _PARSERS:
        raise BadInputError(f"There is no dialect “{dialect}”.", hint=f"Use one of {', '.join(ANSWER_DIALECTS)}.")
    return name
