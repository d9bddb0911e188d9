"""T05 and T06: what was acted on is named, and nothing else is said to be acted on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from demopack.domain.elements import Element
from models.language.check.base import Case, Hit, Part, Said
from models.language.check.kinds import KIND, fits
from models.language.check.names import is_spoken
from models.language.check.references import ACTS, Reference
from models.language.check.screen import LABELS, beside_each_other
from models.language.check.text import Span, fold, same_name, spread, within
from models.language.recovery import OF_A_MISTAKE

__all__ = ["target_is_named", "target_is_right"]

_STORY: Final[tuple[Part, ...]] = ("thought", "text", "hindsight")
_POINTING: Final = frozenset({"click", "hover", "drag"})
_ACT: Final = re.compile(rf"\b(?P<verb>{ACTS}|put(?:s|ting)?|set(?:s|ting)?)\b", re.IGNORECASE)
_PAST: Final = re.compile(r"(?:ed|chose|clicked|put)$", re.IGNORECASE)
_EARLIER: Final = re.compile(
    r"\b(?:previous(?:ly)?|already|earlier|before|last|after|once|having|just|since|now\s+that|when|had|has|have|was|"
    r"were|been)\b",
    re.IGNORECASE,
)
_NOUN: Final = re.compile(
    r"\b(?:previous|last|earlier|former|preceding|mistaken|wrong|accidental|needless)\s*$", re.IGNORECASE
)
"""Before a verb that is a noun: “the last click on …”."""
_NOT: Final = re.compile(
    r"\b(?:not|n't|never|instead\s+of|rather\s+than|without|avoid\w*|no\s+need\s+to)\b[^.]{0,30}$|n't\s+$",
    re.IGNORECASE,
)
_GAP: Final = re.compile(
    r"[;:!?]|[.]\s|\b(?:it|them|here|there|because|since|so|as|to\s+(?!the\b|a\b|an\b)\w+|which|that|where|and\s+(?!the\b)|but|in\s+order|"
    r"for\s+\w+ing|with\s+the\s+task|towards|when|until|while|after|before|until|if|whose)\b",
    re.IGNORECASE,
)
_MUST: Final = re.compile(
    r"\b(?:need(?:s|ed)?|ha(?:ve|s|d)|want(?:s|ed)?|going|decided?|required|necessary|ought|used|time|step|choose|chose|is|was|plan|able)"
    r"(?:\s+\w+)?\s+to\s+$",
    re.IGNORECASE,
)
_INTO: Final = re.compile(r"\b(?:into|onto|in|to)\s+(?:the\s+|this\s+)?$", re.IGNORECASE)
_WRITE: Final = re.compile(
    r"\b(?:typ(?:e|es|ing)|enter(?:s|ing)?|writ(?:e|es|ing)|input(?:s|ting)?|fill(?:s|ing)?)\b", re.IGNORECASE
)
_SCROLL: Final = re.compile(
    r"\bscroll(?:s|ing|ed)?\s+(?:(?!up|down|left|right)[\w-]+\s+){0,4}?(?P<way>up|down|left|right)(?:wards?)?\b",
    re.IGNORECASE,
)
_VIEWS: Final = frozenset({"window", "dialog", "dialogue", "form", "page", "section", "panel", "table"})
_WHOLE: Final = frozenset({
    "slider", "scrollbar", "list_item", "tree_item", "menu_item", "button", "checkbox", "radio", "dropdown", "tab",
    "input_field", "spinner",
})  # fmt: skip
_REACH: Final = 60
"""Characters between the verb and the name of what it acts on, at most."""


def target_is_named(case: Case) -> Iterator[Hit]:
    """T05: somebody who does not see the screen must learn what was acted on."""
    target, action = case.context.target, case.context.action
    if target is None or action.action_type not in {*_POINTING, "type"}:
        return
    if case.rationale.text is not None:
        told = case.among(["text"])
    else:
        told = case.among(["thought", "observation"]) or case.among(["hindsight"])
    if not told:
        return
    typed = fold(str(action.parameters.get("text_to_type", "")))
    if _is_named(case, target, told) or (typed and _is_told_by_text(case, told, typed)):
        return
    last = told[-1] if case.rationale.text is not None else told[0]
    called = f"“{target.text}”" if (target.text or "").strip() else f"the {target.type.replace('_', ' ')}"
    yield Hit(said=last, span=Span(0, 0), message=f"The text does not name what was acted on: {called}.")


def _is_named(case: Case, target: Element, told: list[Said]) -> bool:
    """Whether it is told by a name of its own, by its label, or by its kind and what it stands beside of."""
    text = " ".join(said.text for said in told)
    folded = fold(text)
    if any(_is_named(case, whole, told) for whole in _wholes(case, target)):
        return True
    own = [fold(name) for name in (target.text, target.subtype) if name is not None and name.strip()]
    if any(_tells(name, folded) for name in own):
        return True
    labels = [fold(e.text) for e in case.before.labels(target) if e.text is not None]
    if _needs_label(target) and any(_tells(name, folded) for name in labels):
        return True
    kind = any(fits(target, match.group()) for match in re.finditer(rf"\b(?:{KIND})\b", text, re.IGNORECASE))
    beside = any(
        beside_each_other(e.box, target.box)
        for said in told
        for one in said.references
        if one.use == "landmark"
        for e in case.before.called(one.name)
    )
    return kind and (beside or not (own or labels))


def _wholes(case: Case, target: Element) -> list[Element]:
    """What the target is a part of: the slider of a knob, the entry of an icon."""
    return [
        e for e in case.before.elements
        if e.type in _WHOLE and e.type != target.type and e.box.encloses(target.box) and e.uid != target.uid
        and target.type not in _WHOLE
    ]  # fmt: skip


def _is_told_by_text(case: Case, told: list[Said], typed: tuple[str, ...]) -> bool:
    """Whether what was typed is told, and nothing that it was not typed into."""
    others = [
        one for said in told for one in said.references
        if said.part != "observation" and one.use == "direct"
        and not within(fold(one.name), typed) and not _glued(typed, fold(one.name))
        and one.kind.casefold() not in _VIEWS and not within(fold(one.name), fold(case.context.task))
    ]  # fmt: skip
    return not others and _tells(typed, fold(" ".join(said.text for said in told)))


def _tells(name: tuple[str, ...], text: tuple[str, ...]) -> bool:
    """Whether a folded text tells a folded name; of a long one its beginning, or most of its words."""
    if within(name, text) or (len(name) > 1 and len("".join(name)) >= 5 and _glued(name, text)):
        return True
    if len(name) > 4:
        return within(name[:3], text) or sum(word in text for word in name) * 3 >= len(name) * 2
    return len(name) > 1 and spread(name, text) and all(len(word) > 2 or word in text for word in name)


def _glued(name: tuple[str, ...], text: tuple[str, ...]) -> bool:
    return any(same_name(name, text[i : i + n]) for n in (len(name) - 1, len(name), len(name) + 1) if n > 0
               for i in range(len(text) - n + 1))  # fmt: skip


def target_is_right(case: Case) -> Iterator[Hit]:
    """T06: the thing, the place, the key and the direction of the act are those of the action."""
    kind = case.context.action.action_type
    for said in case.among(_STORY):
        if kind in _POINTING and case.context.target is not None:
            yield from _acted_on(case, said, case.context.target)
        elif kind == "type":
            yield from _typed(case, said)
        elif kind == "scroll":
            yield from _scrolled(case, said)


def _acted_on(case: Case, said: Said, target: Element) -> Iterator[Hit]:
    for match in _ACT.finditer(said.text):
        if any(r.span.start <= match.start() < r.span.end for r in said.references):
            continue  # “Open” is the name of a button, too
        one = _object(said, match)
        if one is None or _is_past(case, said, match) or _is_target(case, said, one, target):
            continue
        if case.context.end_target is not None and _is_target(case, said, one, case.context.end_target):
            continue
        real = f"“{target.text}”" if (target.text or "").strip() else f"the {target.type.replace('_', ' ')}"
        yield Hit(said=said, span=one.span, message=f"“{one.name}” was not acted on; it was {real}.")


def _object(said: Said, verb: re.Match[str]) -> Reference | None:
    """The first name behind a verb, when nothing between them begins another thought."""
    if _NOT.search(said.text, 0, verb.start()) or _is_purpose(said.text, verb.start()):
        return None
    for one in said.references:
        if one.span.start >= verb.end():
            gap = said.text[verb.end() : one.span.start]
            return None if len(gap) > _REACH or _GAP.search(gap) else one
    return None


def _is_purpose(text: str, at: int) -> bool:
    """Whether a verb says what something is done for: “to pick”, but not “I have to pick”."""
    return re.search(r"\b[Tt]o\s+$", text[:at]) is not None and not _MUST.search(text, 0, at)


def _is_past(case: Case, said: Said, verb: re.Match[str]) -> bool:
    """Whether the verb tells of an earlier step."""
    if _NOUN.search(said.text, 0, verb.start()):
        return True
    if not _PAST.search(verb["verb"]):
        return False
    sentence = said.sentence(Span(*verb.span()))
    of_a_mistake = case.context.mistake is not None and OF_A_MISTAKE.search(said.of(sentence)) is not None
    return of_a_mistake or _is_earlier(said, verb.start())


def _is_earlier(said: Said, at: int) -> bool:
    """Whether a word of the sentence that stands before a place says that what follows was done before this step."""
    return _EARLIER.search(said.text, said.sentence(Span(at, at)).start, at) is not None


def _is_target(case: Case, said: Said, one: Reference, target: Element) -> bool:
    called = [e for screen in (case.before, *said.screens) for e in screen.called(one.name)]
    if one.use == "guess" and not called:
        return True  # no name at all; T01 says what is to be said
    if not called:
        # Not on the screen: T01's business, unless it is quoted from the task for something else.
        return not is_spoken(case, one.name) or _resembles(one.name, target)
    if any(e.uid == target.uid for e in called) or _resembles(one.name, target):
        return True
    if one.use == "landmark":
        return any(beside_each_other(e.box, target.box) for e in called)
    labels = {e.uid for e in case.before.labels(target)} if _needs_label(target) else set[str]()
    return any(e.uid in labels or _one_in_other(e, target) for e in called)


def _one_in_other(a: Element, b: Element) -> bool:
    """Whether one is a part of the other and not of half the screen: an entry and its words."""
    return (a.box.encloses(b.box) or b.box.encloses(a.box)) and max(a.box.area, b.box.area) < 12 * min(
        a.box.area, b.box.area
    )


def _needs_label(target: Element) -> bool:
    holds = target.type in {"input_field", "text_area", "spinner", "dropdown", "slider", *LABELS}
    return holds or not (target.text or "").strip()


def _resembles(name: str, target: Element) -> bool:
    folded = fold(name)
    own = [fold(text) for text in (target.text, target.subtype) if text is not None and text.strip()]
    return any(within(folded, text) or same_name(folded, text) or within(text, folded) for text in own)


def _typed(case: Case, said: Said) -> Iterator[Hit]:
    target, typed = case.context.target, fold(str(case.context.action.parameters["text_to_type"]))
    for match in _WRITE.finditer(said.text):
        for one in said.references:
            gap = said.text[match.end() : one.span.start]
            if one.span.start < match.end() or len(gap) > 2 * _REACH or _GAP.search(gap):
                continue
            into = _INTO.search(
                re.sub(rf"\b(?:{KIND})\s*(?:labell?ed|named|called|titled)?\s*$", "", gap, flags=re.IGNORECASE)
            )
            if target is not None and into and one.use != "landmark" and not _is_target(case, said, one, target):
                yield Hit(said=said, span=one.span, message=f"The text was not typed into “{one.name}”.")
            if not gap.strip(" :") and not _is_typed(case, one, typed):
                yield Hit(said=said, span=one.span, message=f"“{one.name}” is not what was typed.")


def _is_typed(case: Case, one: Reference, typed: tuple[str, ...]) -> bool:
    name = fold(one.name.removesuffix("…").removesuffix("..."))
    glued, whole = "".join(name), "".join(typed)
    target = case.context.target
    return (
        within(name, typed) or same_name(name, typed) or glued in whole or not typed
        or (target is not None and _is_target(case, case.parts[0], one, target))
    )  # fmt: skip


def _scrolled(case: Case, said: Said) -> Iterator[Hit]:
    real = case.context.action.parameters["scroll_direction"]
    for match in _SCROLL.finditer(said.text):
        past = match.group().lower().startswith("scrolled") and _is_earlier(said, match.start())
        if match["way"].lower() != real and not past and not _NOT.search(said.text, 0, match.start()):
            yield Hit(said=said, span=Span(*match.span()), message=f"It was scrolled {real}.")
