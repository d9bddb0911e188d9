"""T03: a state that is claimed must be one that can be seen."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from demopack.domain.elements import ATTRIBUTES, Element, State
from models.language.check.base import Case, Hit, Said
from models.language.check.kinds import KIND, fits
from models.language.check.names import is_spoken
from models.language.check.references import Reference
from models.language.check.screen import LABELS, ScreenIndex
from models.language.check.text import Span, fold, words

__all__ = ["states_are_seen"]

_STATES: Final[dict[str, tuple[State | None, bool]]] = {
    r"unchecked|unticked|deselected|unselected|switched\s+off|turned\s+off": ("checked", False),
    r"checked|ticked|switched\s+on|turned\s+on|selected|chosen|picked|on(?=\s*(?:[.,;]|$))": ("checked", True),
    r"disabled|gr[ae]yed[\s-]out|inactive|not\s+clickable|unclickable": ("disabled", True),
    r"enabled|clickable": ("disabled", False),
    r"focus(?:s)?ed|in\s+focus": ("focused", True),
    r"unfocus(?:s)?ed|out\s+of\s+focus": ("focused", False),
    r"expanded|unfolded|opened\s+up|open": ("expanded", True),
    r"collapsed|folded|closed": ("expanded", False),
    r"highlighted": ("highlighted", True),
    r"empty|blank": (None, True),
}
_ONE: Final = "|".join(f"(?:{words})" for words in _STATES)
_FILLER: Final = (
    r"(?:still|already|currently|now|yet|both|clearly|visibly|shown\s+as|marked\s+as|always|also|apparently)"
)
_IS: Final = re.compile(
    rf"\b(?P<verb>is|are|was|were|stays?|remains?|looks?|appears?|seems?|shows\s+as|became|becomes|"
    r"(?:has|have|had)\s+been|stands?|sits?)"
    rf"(?P<no>n['’]t)?(?:\s+(?P<not>not|no\s+longer)|\s+{_FILLER})*\s+(?P<state>{_ONE})\b",  # noqa: RUF001
    re.IGNORECASE,
)
_HAS: Final = re.compile(
    r"\b(?:(?P<no>has\s+no|without|does\s+not\s+have|lacks)|has|holds|with)\s+(?:already\s+|now\s+|still\s+)?(?:the\s+)?"
    r"(?:keyboard\s+|input\s+)?(?:focus|cursor)\b",
    re.IGNORECASE,
)
_BEFORE: Final = re.compile(rf"\b(?P<state>{_ONE})(?:,)?\s+(?=(?:{KIND})\b|[“\"„«‘'`*]|[A-Z])", re.IGNORECASE)  # noqa: RUF001
_TICK: Final = re.compile(
    r"\b(?P<no>no\s+)?(?:tick|check\s?mark)\s+(?:(?:is\s+|stands\s+|was\s+)?(?:already\s+|now\s+)?)?"
    r"(?:in\s+front\s+of|before|beside|next\s+to|left\s+of|at|in|on|for)\s+(?:the\s+)?(?=[“\"„«‘'`*A-Z])",  # noqa: RUF001
    re.IGNORECASE,
)
_THERE: Final = re.compile(
    r"\b(?:there\s+(?:is|was)|see|sees|has|shows?|with)\s+(?:already\s+|still\s+)?(?:an?\s+|the\s+)?$", re.IGNORECASE
)
_GONE: Final = re.compile(
    r"\b(?:gone|removed|disappear\w*|vanish\w*|cleared|went\s+away|taken\s+away)\b", re.IGNORECASE
)
_CURSOR: Final = re.compile(
    r"\b(?:cursor|caret|focus)\s+(?P<no>is\s+not\s+)?(?:is\s+|stands\s+|sits\s+|blinks\s+|lies\s+)?(?:already\s+|now\s+)?"
    r"(?:in|on|inside)\s+(?:the\s+)?(?=[“\"„«‘'`*A-Z])",  # noqa: RUF001
    re.IGNORECASE,
)
_ARTICLE: Final = re.compile(r"\b(?:the|an?|this|that|one)\s+(?:still\s+|already\s+|currently\s+)?$", re.IGNORECASE)
_TOLD_BEFORE: Final = frozenset({"checked", "disabled", "expanded", "focused"})
_NEAR: Final = 24
"""Characters between an adjective and the name that it belongs to, at most."""
_UNREAL: Final = re.compile(
    r"\b(?:should|would|will|shall|must|may|might|can|could|to|if|whether|once|until|unless|when|so\s+that|before|needs?"
    r"|wants?|ought|be|being|get|gets|expect\w*|asks?|requires?)\b",
    re.IGNORECASE,
)
_HOLDS: Final = frozenset({"input_field", "text_area", "spinner"})
_NOT_SAID_OF: Final = re.compile(
    r"\b(?:task|window|program|application|app|screen|page|step|choice|entry)\s*$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Claim:
    """That a state is so or not so; the state None stands for an empty field."""

    span: Span
    state: State | None
    value: bool


def states_are_seen(case: Case) -> Iterator[Hit]:
    """T03: claims such as “is disabled”, held against the states of the element that they are about."""
    for said in case.parts:
        if said.part not in {"expected_effect", "plan"}:
            for claim in _claims(said):
                fault = _fault(case, said, claim)
                if fault:
                    yield Hit(said=said, span=claim.span, message=fault)


def _claims(said: Said) -> Iterator[_Claim]:
    for match in _IS.finditer(said.text):
        start = match.start()
        if _is_real(said, start) and not _NOT_SAID_OF.search(said.text, 0, start):
            state, value = _meaning(match["state"])
            denied = bool(match["no"] or match["not"])
            yield _Claim(span=Span(*match.span()), state=state, value=value != denied)
    for pattern in (_HAS, _CURSOR):
        for match in pattern.finditer(said.text):
            if _is_real(said, match.start()):
                yield _Claim(span=Span(*match.span()), state="focused", value=match["no"] is None)
    yield from _ticks(said)
    yield from _adjectives(said)


def _ticks(said: Said) -> Iterator[_Claim]:
    """“There is a tick in front of …”, “the tick in front of … is gone”."""
    for match in _TICK.finditer(said.text):
        rest = said.text[match.end() : said.sentence(Span(*match.span())).end]
        told = _THERE.search(said.text, 0, match.start()) or _GONE.search(rest) or re.search(r"\b(?:is|was)\b", rest)
        if told and _is_real(said, match.start()):
            yield _Claim(span=Span(*match.span()), state="checked", value=not (match["no"] or _GONE.search(rest)))


def _adjectives(said: Said) -> Iterator[_Claim]:
    """“The disabled button …”, where a name follows; “the Open button” is a name itself."""
    for match in _BEFORE.finditer(said.text):
        state, value = _meaning(match["state"])
        named = any(0 <= one.span.start - match.end() <= _NEAR for one in said.references)
        if not named or match["state"][0].isupper() or state not in _TOLD_BEFORE:
            continue
        if _ARTICLE.search(said.text[: match.start()]) and _is_real(said, match.start()):
            yield _Claim(span=Span(*match.span()), state=state, value=value)


def _meaning(words: str) -> tuple[State | None, bool]:
    return next(meaning for pattern, meaning in _STATES.items() if re.fullmatch(pattern, words, re.IGNORECASE))


def _is_real(said: Said, at: int) -> bool:
    """Whether a claim says how things are, not how they should become: looks at the clause before it."""
    sentence = next((s for s in said.sentences if s.start <= at < s.end), Span(0, len(said.text)))
    clause = re.split(r"[,;:]|\b(?:because|since|and|but|while)\b", said.text[sentence.start : at])[-1]
    quoteless = re.sub(r"“[^”]*”|\"[^\"]*\"|‘[^’]*’|`[^`]*`|\*\*[^*]*\*\*|'[^']*'", "", clause)  # noqa: RUF001
    return _UNREAL.search(quoteless) is None


def _fault(case: Case, said: Said, claim: _Claim) -> str:
    """Why the claim does not hold on any screen that the part may speak of; empty when it holds."""
    faults = [_on(case, said, claim, screen) for screen in said.screens]
    return "" if not faults or "" in faults else faults[-1]


def _on(case: Case, said: Said, claim: _Claim, screen: ScreenIndex) -> str:
    state = claim.state
    about = _about(case, said, claim.span, screen, state)
    if not about:
        return ""
    called = said.of(claim.span)
    if state is None:
        # What a field shows may be a hint in grey; it is filled with what was typed, or with what the task gives.
        filled = [e for e in about if e.text is not None and e.text.strip() and is_spoken(case, e.text)]
        return "" if len(filled) < len(about) else f"“{called}” is not so: it shows “{filled[0].text}”."
    if _holds(case, about, claim):
        return ""
    known = [e for e in about if state in e.states]
    if known:
        return f"“{called}” is not so: the screen shows the contrary."
    if not claim.value or state == "focused" or (state == "checked" and re.search(r"selected|chosen|picked", called)):
        return ""
    return f"Whether it “{called}” cannot be seen on the screen."


def _holds(case: Case, about: Sequence[Element], claim: _Claim) -> bool:
    state, value = claim.state, claim.value
    if state is not None and any(e.states.get(state) == value for e in about):
        return True
    if state == "checked":
        if any(e.states.get("highlighted") == value for e in about):
            return True
        return value and any(e.type in {"dropdown", "spinner"} and (e.text or "").strip() for e in about)
    typing = case.context.action.action_type in {"type", "press_key"}
    return state == "focused" and value and typing and any("focused" not in e.states for e in about)


def _about(case: Case, said: Said, span: Span, screen: ScreenIndex, state: State | None) -> list[Element]:
    """The elements that a claim may be about: what was named last before it, else what was acted on."""
    target = case.context.target if screen is case.before else screen.same(case.context.target)
    one = _subject(said, span) or _bare_subject(said, span, screen)
    if said.of(span).casefold().endswith("open") and not _is_subject(said, one, span):
        return []  # windows are open, too, and so is what is still to be done
    if one is None:
        return [target] if target is not None and _may(target, state) else []
    called = screen.called(one.name)
    able = [e for e in called if _may(e, state)]
    able = [e for e in able if state in e.states] or able
    found = [e for e in able if not one.kind or fits(e, one.kind)] or able
    if not found and said.of(span).endswith("open"):
        found = [e for label in called for e in screen.labelled(label) if _may(e, state)]
    elif not found or one.use == "landmark":
        near = [other for e in called for other in screen.around(e)]
        found += [e for e in near if _may(e, state) and (not one.kind or one.use == "landmark" or fits(e, one.kind))]
    if target is not None and any(e.uid == target.uid for e in [*found, *called]) and _may(target, state):
        return [target]
    return found


def _subject(said: Said, span: Span) -> Reference | None:
    """The name that a claim is about: the first behind an adjective, else the last before the verb."""
    sentence = next((s for s in said.sentences if s.start <= span.start < s.end), Span(0, len(said.text)))
    behind = [
        r for r in said.references if span.end <= r.span.start < sentence.end and r.span.start - span.end <= _NEAR
    ]
    if behind and any(pattern.match(said.text, span.start) for pattern in (_BEFORE, _TICK, _CURSOR)):
        return behind[0]
    inside = [r for r in said.references if sentence.start <= r.span.start < span.start]
    return inside[-1] if inside else None


def _is_subject(said: Said, one: Reference | None, span: Span) -> bool:
    """Whether a name stands right before a claim, its kind word aside."""
    if one is None or one.use == "landmark" or said.of(span).endswith("Open"):
        return False
    return re.fullmatch(rf"\s*(?:{KIND})?\s*", said.text[one.span.end : span.start], re.IGNORECASE) is not None


def _bare_subject(said: Said, span: Span, screen: ScreenIndex) -> Reference | None:
    """The longest run of words right before the claim that something on the screen is called."""
    sentence = next((s for s in said.sentences if s.start <= span.start < s.end), Span(0, span.start))
    before = [one for _, one in words(said.text[sentence.start : span.start])][-8:]
    texts = {fold(e.text) for e in screen.elements if e.text is not None and e.text.strip()}
    for first in before:
        piece = Span(sentence.start + first.start, sentence.start + before[-1].end)
        if fold(said.of(piece)) in texts:
            return Reference(name=said.of(piece), span=piece)
    return None


def _may(element: Element, state: State | None) -> bool:
    if state is None:
        return element.type in _HOLDS
    if state == "checked":
        chosen = bool({"checked", "highlighted"} & ATTRIBUTES[element.type].states) or element.type == "dropdown"
        return chosen and element.type not in LABELS
    return state in ATTRIBUTES[element.type].states
