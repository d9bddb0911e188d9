"""T05 and T06: what was acted on is named, and nothing else is said to be acted on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from demopack.domain.actions import Direction, ScrollAction, TypeAction
from demopack.domain.elements import Element
from models.language.check.names import is_spoken
from models.language.check.references import ACTS, KIND, Reference, fits
from models.language.check.screen_index import LABELS, beside_each_other
from models.language.check.text_spans import TextSpan, fold, same_name, spread, within
from models.language.check.truth_rule import CheckedRationale, Claim, RationaleFinding, RationalePart
from models.language.phrases import HOLDS_VALUE

_STORY: Final[tuple[RationalePart, ...]] = ("thought", "text", "hindsight")
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


def target_is_named(case: CheckedRationale) -> Iterator[RationaleFinding]:
    """T05: somebody who does not see the screen must learn what was acted on."""
    target, action = case.context.target, case.context.action
    if target is None or action.action_type not in {*_POINTING, "type"}:
        return
    parts = case.among(["thought", "observation"]) or case.among(["hindsight"])
    told = parts if case.rationale.text is None else case.among(["text"])
    typed = fold(action.typed_text or "")
    if told and not _is_named(case, target, told) and not (typed and _is_told_by_text(case, told, typed)):
        message = f"The text does not name what was acted on: {_named(target)}."
        yield told[0].wrong("T05", TextSpan(0, 0), message)


def _named(target: Element) -> str:
    return f"“{target.text}”" if (target.text or "").strip() else f"the {target.type.replace('_', ' ')}"


def _own_names(target: Element) -> list[tuple[str, ...]]:
    return [fold(text) for text in (target.text, target.subtype) if text is not None and text.strip()]


def _is_named(case: CheckedRationale, target: Element, told: list[Claim]) -> bool:
    """Whether it is told by a name of its own, by its label, or by its kind and what it stands beside of."""
    text = " ".join(said.text for said in told)
    folded = fold(text)
    if any(_is_named(case, whole, told) for whole in _wholes(case, target)):
        return True
    own = _own_names(target)
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


def _wholes(case: CheckedRationale, target: Element) -> list[Element]:
    """What the target is a part of: the slider of a knob, the entry of an icon."""
    return [
        e for e in case.before.elements
        if e.type in _WHOLE and e.type != target.type and e.box.encloses(target.box) and e.uid != target.uid
        and target.type not in _WHOLE
    ]  # fmt: skip


def _is_told_by_text(case: CheckedRationale, told: list[Claim], typed: tuple[str, ...]) -> bool:
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


def target_is_right(case: CheckedRationale) -> Iterator[RationaleFinding]:
    """T06: the thing, the place, the key and the direction of the act are those of the action."""
    action = case.context.action
    for said in case.among(_STORY):
        if action.action_type in _POINTING and case.context.target is not None:
            yield from _acted_on(case, said, case.context.target)
        elif isinstance(action, TypeAction):
            yield from _typed(case, said, action.text_to_type)
        elif isinstance(action, ScrollAction):
            yield from _scrolled(action.scroll_direction, said)


def _acted_on(case: CheckedRationale, said: Claim, target: Element) -> Iterator[RationaleFinding]:
    targets = [element for element in (target, case.context.end_target) if element is not None]
    for match in _ACT.finditer(said.text):
        if any(r.span.start <= match.start() < r.span.end for r in said.references):
            continue  # “Open” is the name of a button, too
        one = _object(said, match)
        if one is None or _is_past(case, said, match) or any(_is_target(case, said, one, e) for e in targets):
            continue
        yield said.wrong("T06", one.span, f"“{one.name}” was not acted on; it was {_named(target)}.")


def _object(said: Claim, verb: re.Match[str]) -> Reference | None:
    """The first name behind a verb, when nothing between them begins another thought."""
    before = said.text[: verb.start()]
    # “to pick” says what something is done for, “I have to pick” does not.
    if _NOT.search(before) or (re.search(r"\b[Tt]o\s+$", before) and not _MUST.search(before)):
        return None
    for one in said.references:
        if one.span.start >= verb.end():
            gap = said.text[verb.end() : one.span.start]
            return None if len(gap) > _REACH or _GAP.search(gap) else one
    return None


def _is_past(case: CheckedRationale, said: Claim, verb: re.Match[str]) -> bool:
    """Whether the verb tells of an earlier step."""
    if _NOUN.search(said.text, 0, verb.start()):
        return True
    if not _PAST.search(verb["verb"]):
        return False
    return case.tells_of_mistake(said.of(said.sentence(TextSpan.of(verb)))) or _is_earlier(said, verb.start())


def _is_earlier(said: Claim, at: int) -> bool:
    """Whether a word of the sentence that stands before a place says that what follows was done before this step."""
    return _EARLIER.search(said.text, said.sentence(TextSpan(at, at)).start, at) is not None


def _is_target(case: CheckedRationale, said: Claim, one: Reference, target: Element) -> bool:
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
    if _needs_label(target) and {e.uid for e in called} & {e.uid for e in case.before.labels(target)}:
        return True
    # An entry and its words: one is a part of the other, and not of half the screen.
    box = target.box
    parts = [e.box for e in called if e.box.encloses(box) or box.encloses(e.box)]
    return any(max(part.area, box.area) < 12 * min(part.area, box.area) for part in parts)


def _needs_label(target: Element) -> bool:
    return target.type in {"slider", *HOLDS_VALUE, *LABELS} or not (target.text or "").strip()


def _resembles(name: str, target: Element) -> bool:
    folded = fold(name)
    return any(within(folded, own) or same_name(folded, own) or within(own, folded) for own in _own_names(target))


def _typed(case: CheckedRationale, said: Claim, text: str) -> Iterator[RationaleFinding]:
    target, typed = case.context.target, fold(text)
    for match in _WRITE.finditer(said.text):
        for one in said.references:
            gap = said.text[match.end() : one.span.start]
            if one.span.start < match.end() or len(gap) > 2 * _REACH or _GAP.search(gap):
                continue
            into = _INTO.search(
                re.sub(rf"\b(?:{KIND})\s*(?:labell?ed|named|called|titled)?\s*$", "", gap, flags=re.IGNORECASE)
            )
            if target is not None and into and one.use != "landmark" and not _is_target(case, said, one, target):
                yield said.wrong("T06", one.span, f"The text was not typed into “{one.name}”.")
            if not gap.strip(" :") and not _is_typed(case, one, typed):
                yield said.wrong("T06", one.span, f"“{one.name}” is not what was typed.")


def _is_typed(case: CheckedRationale, one: Reference, typed: tuple[str, ...]) -> bool:
    name = fold(one.name.removesuffix("…").removesuffix("..."))
    glued, whole = "".join(name), "".join(typed)
    target = case.context.target
    return (
        within(name, typed) or same_name(name, typed) or glued in whole or not typed
        or (target is not None and _is_target(case, case.parts[0], one, target))
    )  # fmt: skip


def _scrolled(real: Direction, said: Claim) -> Iterator[RationaleFinding]:
    for match in _SCROLL.finditer(said.text):
        past = match.group().lower().startswith("scrolled") and _is_earlier(said, match.start())
        if match["way"].lower() != real and not past and not _NOT.search(said.text, 0, match.start()):
            yield said.wrong("T06", TextSpan.of(match), f"It was scrolled {real}.")
