"""Why an element was chosen: what the task says, what the element is for."""

from __future__ import annotations

import re
from typing import Final

from demopack.domain.elements import Element
from models.language.grounding import quote

__all__ = ["common_words", "named_in_task", "purpose"]

_WORD = re.compile(r"[^\W_]+", re.UNICODE)
_EMPTY: Final = frozenset({
    "a", "an", "and", "are", "as", "at", "be", "by", "do", "for", "from", "go", "i", "in", "into", "is", "it",
    "its", "me", "my", "of", "off", "on", "onto", "or", "our", "please", "so", "that", "the", "then", "there",
    "this", "to", "up", "us", "use", "using", "was", "we", "with", "you", "your", "click", "press", "open",
    "select", "choose", "enter", "type", "find",
})  # fmt: skip
_CONFIRM: Final = frozenset({
    "ok", "submit", "save", "apply", "send", "done", "finish", "yes", "confirm", "login", "log in", "sign in", "search",
    "next", "continue", "save changes", "create", "add", "go", "accept", "start", "run", "export", "import", "print",
})  # fmt: skip
_DISMISS: Final = frozenset({"cancel", "close", "x", "no", "not now", "skip", "dismiss", "later", "back"})


def named_in_task(text: str | None, task: str) -> str | None:
    """The element's text as it stands in the task, whole words only; None when it does not.

    Very short or wordless texts (``3``, ``x``) count only when the task has them as words of their own.
    """
    words = _WORD.findall((text or "").casefold())
    if not words or all(word in _EMPTY for word in words):
        return None
    found = re.search(r"(?<![^\W_])" + r"[\W_]+".join(map(re.escape, words)) + r"(?![^\W_])", task, re.IGNORECASE)
    return found.group(0) if found else None


def common_words(text: str | None, task: str) -> list[str]:
    """Words of the task that the element's text has, too, without the ones that say nothing; as in the task."""
    words = {word for word in _WORD.findall((text or "").casefold()) if word not in _EMPTY and len(word) > 2}
    seen: dict[str, str] = {}
    for word in _WORD.findall(task):
        if word.casefold() in words:
            seen.setdefault(word.casefold(), word)
    return list(seen.values())


def purpose(element: Element, task: str) -> str:
    """Why this element, as a clause without a full stop; empty when nothing but the order of steps tells."""
    named = named_in_task(element.text, task)
    if named is not None:
        same = " ".join(named.casefold().split()) == " ".join((element.text or "").casefold().split())
        return "the task asks for it by name" if same else f"the task names {quote(named)}"
    shared = common_words(element.text, task)
    if shared:
        return f"it is about {' and '.join(quote(word) for word in shared[:2])}, which the task asks for"
    label = " ".join((element.text or "").casefold().split()).strip(".!… ")
    if label in _CONFIRM:
        return "it confirms what has been set up so far"
    if label in _DISMISS:
        return "it leaves this view without doing more here"
    return _BY_TYPE.get(element.type, "")


_BY_TYPE: Final[dict[str, str]] = {
    "input_field": "it has to have the focus before anything can be typed into it",
    "text_area": "it has to have the focus before anything can be typed into it",
    "spinner": "its value has to be set",
    "dropdown": "its choices have to be shown before one can be picked",
    "checkbox": "this option has to be switched",
    "radio": "this choice has to be made",
    "toggle": "this option has to be switched",
    "menu": "the command that is needed has to be looked for in it",
    "tab": "what is needed lies on another page",
    "scrollbar": "the part that is needed is out of view",
}
