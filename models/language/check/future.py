"""T08: what is told from before the action knows nothing of what came after it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from models.language.check.names import missing_names
from models.language.check.text_spans import TextSpan, compiled, unquoted
from models.language.check.truth_rule import AHEAD, CheckedRationale, Claim, RationaleFinding

_DONE: Final = (
    r"(?:opened|appeared|showed|displayed|revealed|popped\s+up|came\s+up|came|closed|vanished|disappeared|changed|switched|"
    r"turned|became|loaded|updated|expanded|collapsed|got|gave|brought|led|took|caused|made|saved|triggered|started|"
    r"moved|scrolled|jumped|confirmed|produced|resulted|worked|succeeded|was|were|went|went\s+through|filled|selected|"
    r"submitted|accepted|did|had|received|returned|ended|completed|finished|set|put|stood|unfolded|responded|reacted)"
)
_NOW: Final = r"is\s+now"
_DOING: Final = (
    r"(?:(?:double-|right-|triple-)?click\w*|press\w*|tap\w*|select\w*|choos\w*|chos\w+|pick\w*|open\w*|tick\w*|check\w*|"
    r"toggl\w*|typ(?:e|ed|ing)|enter\w*|submit\w*|scroll\w*|drag\w*|hover\w*|switch\w*|doing|(?:this|that|the|my)\s+"
    r"(?:click|press|step|action|input|drag|move|scroll|choice|selection|change|typing)\w*|this|that|it)"
)
_IN_PAST: Final = re.compile(rf"\b(?:{_DONE}|has\s+(?:\w+\s+)?\w+(?:ed|en))\b", re.IGNORECASE)
_CONDITION: Final = re.compile(r"\b(?:if|whether|so\s+that|until|where|that)\s+(?:\S+\s+){0,4}$")
_MODAL: Final = re.compile(
    r"\b(?:should|will|would|shall|may|might|can|could|must|ought|expect\w*|to|want|need|hope|likely|probably)\b",
    re.IGNORECASE,
)
_PAST_STEP: Final = re.compile(
    r"\b(?:previous(?:ly)?|earlier|already|last|so\s+far|until\s+now|before\s+this|just|in\s+the\s+step\s+before|up\s+to\s+now|"
    r"since)\b",
    re.IGNORECASE,
)
_AFTER: Final = re.compile(
    rf"\b(?:after|upon|once|when|as\s+soon\s+as|by|on|with)\s+(?:I\s+(?:had\s+|have\s+)?|the\s+user\s+)?{_DOING}\b[^.;!?]*?"
    rf"(?:,|\b(?:the|a|an|it|this|my|everything|nothing)\b)[^.;!?]*?\b(?P<what>{_DONE}|has\s+(?:\w+\s+)?\w+(?:ed|en)|{_NOW})\b",
    re.IGNORECASE,
)
_WHICH: Final = re.compile(
    rf"\b(?:I|user|and|by)\b[^.;!?]*?\b{_DOING}\b[^.;!?]*?(?:,\s*(?:which|and\s+(?:this|it|that|the|a|an)|and|then)|\b(?:which|and\s+(?:then\s+)?(?:this|it|the|a|an)))"
    rf"\s+(?:[\w“”\"'-]+\s+){{0,4}}?(?P<what>{_DONE})\b",
    re.IGNORECASE,
)
_LEAD: Final = re.compile(
    r"(?:^|(?<=[.!?]\s)|(?<=[.!?][”\"]\s))(?:(?:as\s+(?:a\s+result|expected|intended|hoped|planned|a\s+consequence)|indeed|consequently|"
    r"afterwards?|subsequently|eventually|in\s+the\s+end|immediately|then|finally|later|later\s+on),?\s+)"
    rf"[^.;!?]*?\b(?P<what>{_DONE}|has\s+\w+(?:ed|en)|{_NOW})\b",
    re.IGNORECASE,
)
_THIS: Final = re.compile(
    rf"(?:^|(?<=[.!?]\s)|(?<=[.!?][”\"]\s))(?:this|that|it|doing\s+(?:so|this|that)|the\s+(?:click|press|action|step|drag|scroll|input|selection|choice))\s+"
    rf"(?:then\s+|has\s+|also\s+|successfully\s+|immediately\s+|indeed\s+|correctly\s+|promptly\s+)*(?P<what>{_DONE})\b",
    re.IGNORECASE,
)
_NEXT: Final = r"(?:next|later|following|subsequent)"
_SHOWS: Final = (
    r"(?:shows?|showed|confirms?|confirmed|reveals?|revealed|displays?|displayed|contains?|proves?|has|had|is|was)"
)
_DID: Final = r"(?:\w+ed|chose|went|was|were|got|saw|found|did|is|are|clicks|types|presses|selects|chooses)"
_ACT_NOW: Final = re.compile(
    r"\b(?:I|to|will|must|should|I'll|is|are)\s+(?:now\s+|then\s+|first\s+|simply\s+|just\s+)?(?:(?:double-|right-)?click|press|tap|tick|"
    r"type|enter|open|select|choose|choosing|pick|picked|clicked|pressed|scroll|drag|toggle|go|take)\b|"
    r"^(?:click|press|type|open|select|choose|tick)\b|\b(?:clicking|pressing|typing|choosing|selecting|opening)\b",
    re.IGNORECASE,
)
_REPORT: Final = re.compile(
    r"(?:^|[.;,:]\s*|\bwhich\s+|\band\s+|\bbecause\s+|\bas\s+)(?:after\s+which\s+|and\s+|so\s+)?"
    r"(?:(?:the|its|this|that|these|all|everything|a|an|there|it|later|N+)\s+)(?:[\w-]+\s+){0,4}?"
    r"(?P<what>opened|appeared|showed(?:\s+up)?|popped|came|went|got|closed|changed|turned|folded|unfolded|became|ended|moved|"
    r"jumped|vanished|disappeared|loaded|was|were|accepted|confirmed|filled|switched|reacted|responded|started|took|gave|"
    r"brought|led|revealed|returned|finished|worked|slid|rose|fell|scrolled)\b",
    re.IGNORECASE,
)
_EXCUSE: Final = re.compile(
    r"\b(?:task|instruction\w*|asked|told|request\w*|wanted|named|before|after(?!\s+which)|first|when|(?<!at\s)once|yet|step|steps|if|whether|had|"
    r"would|should|could|must|might|may)\b",
    re.IGNORECASE,
)
_SEEN: Final = compiled(
    rf"\b(?:the\s+)?(?:{_NEXT}|after|resulting)[\s-]+(?:screenshot|frame|screen|image|picture|state)s?\s+(?:\w+ly\s+|then\s+)?{_SHOWS}\b",
    r"\b(?:as\s+)?(?:can\s+be\s+)?seen\s+(?:in|from|on)\s+the\s+(?:next|following|later|after|resulting)\b",
    r"\bafter-?(?:frame|screen|screenshot|image)\b|\bscreen\s+after(?:wards)?\s+(?:shows|showed)\b",
    rf"\b(?:in|at)\s+(?:a\s+|the\s+)?{_NEXT}\s+steps?,?\s+(?:the\s+user|they|he|she|I|it|the\s+\w+)\s+(?:then\s+)?{_DID}\b",
    r"\b(?:that|which)\s+follow(?:s|ed)\b[^.;]*\b(?:shows?|proves?|confirms?|tells?|says?|demonstrates?|makes?)\b",
    r",\s*(?:thereby\s+|thus\s+)?(?:revealing|bringing\s+up|causing|triggering)\b",
    r"\blater(?:\s+on)?,?\s+(?:\S+\s+){1,5}?(?:was|were|\w{3,}ed)\b",
    r"\bthe\s+user\s+(?:later|then|subsequently|eventually|afterwards)\s+\w+",
    r"\b(?:turned|turns)\s+out\b|\bit\s+later\b|\bwas\s+(?:a\s+)?success(?:ful|fully)?\b|\bsuccessfully\s+\w+ed\b|\b\w+ed\s+successfully\b",
    r"\b(?:and|which)\s+(?:it|this|that)?\s*(?:worked|succeeded)\b|\bworked\s+(?:as\s+)?(?:expected|intended|fine|well)\b",
    r"\bwe\s+(?:then\s+)?(?:saw|see\s+afterwards|got|landed)\b|\bknowing\s+(?:that\s+)?(?:it|this)\s+(?:will\s+have|opened|led)\b",
)


def nothing_from_later(case: CheckedRationale) -> Iterator[RationaleFinding]:
    """T08: no result, no later step and nothing that only the after-screen shows."""
    if case.after_visible:
        return
    for said, name, later in missing_names(case):
        if later:
            yield said.wrong("T08", name.span, f"“{name.name}” is on the screen only after the step.")
    for said in case.among(AHEAD - {"plan"}):
        for sentence in said.sentences:
            bare = unquoted(said.of(sentence))
            span = _told_as_result(sentence, bare) or _told_in_past(said, sentence, bare)
            if span is not None and not case.tells_of_mistake(bare):
                yield said.wrong("T08", span, f"“{said.of(span)}” tells what came of it.")


def _told_as_result(sentence: TextSpan, bare: str) -> TextSpan | None:
    """A result in words that always tell of one, unless the sentence speaks of what was done before this step."""
    for pattern in (*_SEEN, _AFTER, _WHICH, _LEAD, _THIS):
        match = pattern.search(bare)
        if match and not _PAST_STEP.search(bare, 0, match.end()) and (pattern in _SEEN or _not_expected(bare, match)):
            return TextSpan.of(match, offset=sentence.start)
    return None


def _told_in_past(said: Claim, sentence: TextSpan, bare: str) -> TextSpan | None:
    """A report: an expectation in the past tense, or something else than “I” in it, behind what is done now."""
    if said.part == "expected_effect":
        match = _IN_PAST.search(bare)
        if match is None or _MODAL.search(bare):
            return None
        passive = re.search(rf"\b(?:is|are|be|being|been|gets?)\s+(?:\w+\s+)?{re.escape(match.group())}", bare)
        return None if passive else TextSpan.of(match, offset=sentence.start)
    if said.part == "observation" or _PAST_STEP.search(bare) or _EXCUSE.search(bare):
        return None
    act = _ACT_NOW.search(unquoted(said.text[: sentence.end]))
    for match in _REPORT.finditer(bare) if act is not None else ():
        if act is not None and sentence.start + match.start() >= act.end() and _not_expected(bare, match):
            return TextSpan(sentence.start + match.start("what"), sentence.start + match.end())
    return None


def _not_expected(bare: str, match: re.Match[str]) -> bool:
    """Whether the result is told as a fact: nothing like “should” stands before it."""
    clause = re.split(r"[,;:]", bare[match.start() : match.start("what")])[-1]
    return _MODAL.search(clause) is None and _CONDITION.search(clause) is None
