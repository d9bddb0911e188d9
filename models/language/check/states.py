"""T03: a state that is claimed must be one that can be seen."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from demopack.domain.elements import ATTRIBUTES, Element, State
from models.language.check.names import is_spoken
from models.language.check.references import KIND, Reference, fits
from models.language.check.screen_index import LABELS, ScreenIndex
from models.language.check.text_spans import TextSpan, fold, unquoted, words
from models.language.check.truth_rule import CheckedRationale, Claim, RationaleFinding

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
_MAX_GAP: Final = 24
"""Characters between an adjective and the name that it belongs to, at most."""
_UNREAL: Final = re.compile(
    r"\b(?:should|would|will|shall|must|may|might|can|could|to|if|whether|once|until|unless|when|so\s+that|before|needs?"
    r"|wants?|ought|be|being|get|gets|expect\w*|asks?|requires?)\b",
    re.IGNORECASE,
)
_CLAUSE: Final = re.compile(r"[,;:]|\b(?:because|since|and|but|while)\b")
_HOLDS: Final = frozenset({"input_field", "text_area", "spinner"})
_NOT_SAID_OF: Final = re.compile(
    r"\b(?:task|window|program|application|app|screen|page|step|choice|entry)\s*$", re.IGNORECASE
)


class _Told(NamedTuple):
    """That a state is so or not so; the state None stands for an empty field."""

    match: re.Match[str]
    state: State | None
    value: bool


def states_are_seen(case: CheckedRationale) -> Iterator[RationaleFinding]:
    """T03: claims such as “is disabled”, held against the states of the element that they are about."""
    for said in case.parts:
        if said.part in {"expected_effect", "plan"}:
            continue
        for told in (*_by_verbs(said), *_adjectives(said)):
            span = TextSpan.of(told.match)
            clause = _CLAUSE.split(said.text[said.sentence(span).start : span.start])[-1]
            if _UNREAL.search(unquoted(clause)):
                continue  # how things should become
            faults = [_fault_on(screen, case, said, told) for screen in said.screens]
            if faults and "" not in faults:
                yield said.wrong("T03", span, faults[-1])


def _by_verbs(said: Claim) -> Iterator[_Told]:
    """“… is disabled”, “… has the focus”, “the cursor is in …”, “the tick in front of … is gone”."""
    for match in _IS.finditer(said.text):
        if not _NOT_SAID_OF.search(said.text, 0, match.start()):
            state, value = _meaning(match["state"])
            yield _Told(match, state, value != bool(match["no"] or match["not"]))
    for pattern in (_HAS, _CURSOR):
        for match in pattern.finditer(said.text):
            yield _Told(match, "focused", match["no"] is None)
    for match in _TICK.finditer(said.text):
        rest = said.text[match.end() : said.sentence(TextSpan.of(match)).end]
        if _THERE.search(said.text, 0, match.start()) or _GONE.search(rest) or re.search(r"\b(?:is|was)\b", rest):
            yield _Told(match, "checked", not (match["no"] or _GONE.search(rest)))


def _adjectives(said: Claim) -> Iterator[_Told]:
    """“The disabled button …”, where a name follows; “the Open button” is a name itself."""
    for match in _BEFORE.finditer(said.text):
        state, value = _meaning(match["state"])
        named = any(0 <= one.span.start - match.end() <= _MAX_GAP for one in said.references)
        fits = named and not match["state"][0].isupper() and state in _TOLD_BEFORE
        if fits and _ARTICLE.search(said.text[: match.start()]):
            yield _Told(match, state, value)


def _meaning(words: str) -> tuple[State | None, bool]:
    return next(meaning for pattern, meaning in _STATES.items() if re.fullmatch(pattern, words, re.IGNORECASE))


def _fault_on(screen: ScreenIndex, case: CheckedRationale, said: Claim, told: _Told) -> str:
    state, called = told.state, told.match.group()
    about = _about(case, said, TextSpan.of(told.match), screen, state)
    if not about:
        return ""
    if state is None:
        # What a field shows may be a hint in grey; it is filled with what was typed, or with what the task gives.
        filled = [e for e in about if e.text is not None and e.text.strip() and is_spoken(case, e.text)]
        return "" if len(filled) < len(about) else f"“{called}” is not so: it shows “{filled[0].text}”."
    if _holds(case, about, state, value=told.value):
        return ""
    if any(state in e.states for e in about):
        return f"“{called}” is not so: the screen shows the contrary."
    if not told.value or state == "focused" or (state == "checked" and re.search(r"selected|chosen|picked", called)):
        return ""
    return f"Whether it “{called}” cannot be seen on the screen."


def _holds(case: CheckedRationale, about: Sequence[Element], state: State, *, value: bool) -> bool:
    if any(e.states.get(state) == value for e in about):
        return True
    if state == "checked":
        if any(e.states.get("highlighted") == value for e in about):
            return True
        return value and any(e.type in {"dropdown", "spinner"} and (e.text or "").strip() for e in about)
    typing = case.context.action.action_type in {"type", "press_key"}
    return state == "focused" and value and typing and any("focused" not in e.states for e in about)


def _about(
    case: CheckedRationale, said: Claim, span: TextSpan, screen: ScreenIndex, state: State | None
) -> list[Element]:
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


def _subject(said: Claim, span: TextSpan) -> Reference | None:
    """The name that a claim is about: the first behind an adjective, else the last before the verb."""
    inside = said.named_in(said.sentence(span))
    behind = [one for one in inside if 0 <= one.span.start - span.end <= _MAX_GAP]
    if behind and any(pattern.match(said.text, span.start) for pattern in (_BEFORE, _TICK, _CURSOR)):
        return behind[0]
    return next((one for one in reversed(inside) if one.span.start < span.start), None)


def _is_subject(said: Claim, one: Reference | None, span: TextSpan) -> bool:
    """Whether a name stands right before a claim, its kind word aside."""
    if one is None or one.use == "landmark" or said.of(span).endswith("Open"):
        return False
    return re.fullmatch(rf"\s*(?:{KIND})?\s*", said.text[one.span.end : span.start], re.IGNORECASE) is not None


def _bare_subject(said: Claim, span: TextSpan, screen: ScreenIndex) -> Reference | None:
    """The longest run of words right before the claim that something on the screen is called."""
    sentence = said.sentence(span)
    before = [one for _, one in words(said.text[sentence.start : span.start])][-8:]
    texts = {fold(e.text) for e in screen.elements if e.text is not None and e.text.strip()}
    for first in before:
        piece = TextSpan(sentence.start + first.start, sentence.start + before[-1].end)
        if fold(said.of(piece)) in texts:
            return Reference(said.of(piece), piece)
    return None


def _may(element: Element, state: State | None) -> bool:
    if state is None:
        return element.type in _HOLDS
    if state == "checked":
        chosen = bool({"checked", "highlighted"} & ATTRIBUTES[element.type].states) or element.type == "dropdown"
        return chosen and element.type not in LABELS
    return state in ATTRIBUTES[element.type].states
