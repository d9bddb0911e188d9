"""T09: what is told to have happened is not denied by the difference of the frames."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from demopack.domain.geometry import Rect, Size
from models.language.check.references import Reference
from models.language.check.screen_index import ScreenIndex
from models.language.check.text_spans import TextSpan, fold
from models.language.check.truth_rule import CheckedRationale, Claim, RationaleFinding

_NOTHING: Final = re.compile(
    r"\b(?:nothing|no)\s+(?:(?:visible|apparent|noticeable|obvious|real|visual)\s+)?(?:has\s+|have\s+|was\s+)?"
    r"(?:happen(?:s|ed)?|changed?|changes|change|effect|reaction|response|moved|difference)\b|"
    r"\b(?:did|does|has|have|was)\s*(?:not|n['’]t)\s+(?:visibly\s+|noticeably\s+)?(?:change|changed|react|reacted|respond|have\s+any\s+(?:visible\s+)?effect|do\s+anything)\b|"  # noqa: RUF001
    r"\b(?:stay(?:s|ed)|remain(?:s|ed))\s+(?:exactly\s+)?(?:the\s+same|as\s+it\s+(?:is|was)|unchanged|identical)\b|\bunchanged\b|"
    r"\bwithout\s+(?:any\s+)?(?:visible\s+)?(?:effect|change)\b|\blooks?\s+(?:exactly\s+)?(?:the\s+same|as\s+before)\b",
    re.IGNORECASE,
)
_ELSE: Final = re.compile(
    r"\b(?:else|other|rest|otherwise|besides|apart|except|beyond|remaining|only|elsewhere|part|parts|background|outside)\b",
    re.IGNORECASE,
)
_CHANGE: Final = re.compile(
    r"\b(?:open(?:s|ed)|appear(?:s|ed)|show(?:s|ed|n)\s+up|popp?ed\s+up|pops\s+up|c[ao]mes?\s+up|came\s+(?:up|into\s+view)|"
    r"changed|changes|clos(?:es|ed)|vanish(?:es|ed)|disappear(?:s|ed)|is\s+gone|was\s+replaced|became|becomes|turned|"
    r"switched|moved|scrolled|shifted|expand(?:s|ed)|collaps(?:es|ed)|unfolded|loaded|refreshed|updated|got\s+(?:the\s+focus|checked|ticked|selected)|"
    r"is\s+now|are\s+now|now\s+(?:shows|reads|stands|has|holds|contains|displays|says)|was\s+(?:saved|added|removed|selected|checked|ticked|opened|closed|inserted|filled|deleted|sent)|"
    r"has\s+(?:been\s+)?(?:opened|appeared|changed|closed|moved|gone|disappeared|saved|added|removed|become)|brought\s+up|revealed|filled\s+with)\b",
    re.IGNORECASE,
)
_NO: Final = re.compile(r"\b(?:not|no|nothing|never|neither|none|without|hardly)\b|n['’]t\b", re.IGNORECASE)  # noqa: RUF001
_SAME: Final = re.compile(
    r"\b(?:no|not|nothing|none|never|same|unchanged|identical|as\s+before|remain\w*|stay\w*|still|without|clipboard|copied|"
    r"background)\b|n['’]t\b",  # noqa: RUF001
    re.IGNORECASE,
)
"""What a true sentence says where nothing changed, or where it changed out of sight."""
_MODAL: Final = re.compile(r"\b(?:should|will|would|may|might|can|could|must|expected|supposed)\b", re.IGNORECASE)
_COMES: Final = re.compile(
    r"\b(?:appear(?:s|ed)|show(?:s|ed)\s+up|popped\s+up|came\s+(?:up|into\s+view)|(?:was|were|been)\s+(?:added|inserted)|is\s+new|are\s+new|opened\s+up)\b",
    re.IGNORECASE,
)
_GOES: Final = re.compile(
    r"\b(?:disappear(?:s|ed)|vanish(?:es|ed)|(?:is|are|was|were)\s+(?:now\s+)?(?:gone|removed|closed|deleted|no\s+longer\s+(?:there|shown|visible))|went\s+away|closed)\b",
    re.IGNORECASE,
)
_THING: Final = re.compile(
    r"\b(?:a|an|the|another|its)\s+(?:new\s+|modal\s+|small\s+|pop-?up\s+|confirmation\s+|error\s+|context\s+|success\s+|warning\s+|file\s+|drop-?down\s+|save\s+|large\s+|separate\s+|settings\s+|green\s+|red\s+)*"
    r"(?:dialog(?:ue)?|window|menu|message|pop-?up|notification|banner|page|list|panel|tab|sub-?menu|toast|alert|tooltip|hint)\s+"
    r"(?:(?:has|have|then|now|immediately|has\s+just)\s+)*(?:open(?:s|ed)|appear(?:s|ed)|popp?ed\s+up|came\s+up|shows?\s+up|showed\s+up|was\s+(?:opened|shown|displayed)|slid\s+in|loaded)\b|"
    r"\b(?:opened|brought\s+up|showed|displayed|opens|shows)\s+(?:a|an|another)\s+(?:new\s+)?(?:[\w-]+\s+){0,2}?(?:dialog(?:ue)?|window|menu|message|pop-?up|notification|banner|page|list|panel|toast|alert)\b",
    re.IGNORECASE,
)
_WHOLE: Final = re.compile(
    r"\b(?:whole|entire|most\s+of\s+the|complete)\s+(?:screen|window|page|view|desktop)\s+(?:was\s+|has\s+|is\s+)?(?:changed|changes|replaced|refreshed|redrawn|different|new)\b|"
    r"\b(?:a|an)\s+(?:completely\s+|entirely\s+)?(?:new|different|another)\s+(?:page|screen|view|application|program)\s+(?:was\s+|is\s+|has\s+)?(?:loaded|opened|appeared|shown|appears|opens|displayed)\b",
    re.IGNORECASE,
)
_TURNED: Final = re.compile(
    r"\b(?:program|app\w*|page|screen|view|wizard|form|browser)\s+(?:\w+ly\s+)?(?:jump\w*|mov\w+|went|goes|switch\w*|chang\w+|advanc\w+)"
    r"\s+(?:on\s+|over\s+|back\s+)?to\s+(?:the\s+|a\s+)?(?:next|new|another|other|previous|different|second|following)\b",
    re.IGNORECASE,
)
_PLACES: Final[dict[str, tuple[int, int]]] = {
    r"(?:in|at)\s+the\s+(?:upper|top)[\s-]+left": (0, 0), r"(?:in|at)\s+the\s+(?:upper|top)[\s-]+right": (2, 0),
    r"(?:in|at)\s+the\s+(?:lower|bottom)[\s-]+left": (0, 2), r"(?:in|at)\s+the\s+(?:lower|bottom)[\s-]+right": (2, 2),
}  # fmt: skip


def effects_are_real(case: CheckedRationale) -> Iterator[RationaleFinding]:
    """T09: holds every told effect against the boxes that differ and the names that came and went."""
    changed = case.context.changed
    if changed is None:
        return
    for said in case.among(["actual_effect", "hindsight"]):
        for sentence in said.sentences:
            text = said.of(sentence)
            if said.part == "hindsight" and case.tells_of_mistake(text):
                continue  # it tells what the wrong step before did
            message = _denied(case, said, text, changed) or (_names(case, said, sentence) if changed else "")
            if message:
                yield said.wrong("T09", sentence, message)


def _denied(case: CheckedRationale, said: Claim, text: str, changed: tuple[Rect, ...]) -> str:
    nothing = _NOTHING.search(text) is not None and not _ELSE.search(text)
    if not changed:
        return "Nothing on the screen changed." if _tells_change(said, text) else ""
    if nothing and not _CHANGE.search(_NOTHING.sub("", text)):
        return "The screen did change."
    size = case.context.size
    if size is None or _NO.search(text):
        return ""
    whole = size.width * size.height
    share = sum(box.area for box in changed) / whole
    if (_WHOLE.search(text) or _TURNED.search(text)) and share < 0.02:
        return f"Only {share:.1%} of the screen changed."
    # More than a mark, a cursor or a frame around a field has to differ outside what was acted on.
    own = [e.box for e in (case.context.target, case.context.end_target) if e is not None]
    outside = sum(box.area for box in changed if not any(one.grown(8).encloses(box) for one in own))
    if _THING.search(text) and own and outside <= 0.004 * whole:
        return "Nothing but what was acted on changed; nothing opened there."
    return _elsewhere(text, changed, size)


def _tells_change(said: Claim, text: str) -> bool:
    """Whether a sentence tells of a change; one that tells what an act did, and does not deny it, is taken to."""
    if _NO.search(text) or _MODAL.search(text):
        return False
    if _CHANGE.search(text) or _THING.search(text) or _WHOLE.search(text):
        return True
    return said.part == "actual_effect" and not _SAME.search(said.text)


def _elsewhere(text: str, changed: tuple[Rect, ...], size: Size) -> str:
    if not _CHANGE.search(text) and not _COMES.search(text):
        return ""
    for words, (column, row) in _PLACES.items():
        match = re.search(words, text, re.IGNORECASE)
        if match:
            # A third of the screen each, with a margin: people are not exact.
            x1, y1 = int(size.width * max(0, column / 3 - 0.12)), int(size.height * max(0, row / 3 - 0.12))
            x2, y2 = int(size.width * ((column + 1) / 3 + 0.12)), int(size.height * ((row + 1) / 3 + 0.12))
            if not any(box.intersection(Rect(x1, y1, x2, y2)) for box in changed):
                return f"Nothing changed {match.group()}."
    return ""


def _names(case: CheckedRationale, said: Claim, sentence: TextSpan) -> str:
    """Names that are told to have come or gone and did not."""
    text = said.of(sentence)
    if case.after is None or _NO.search(text):
        return ""
    inside = [one for one in said.named_in(sentence) if one.use == "direct"]
    for pattern, ahead in ((_GOES, False), (_COMES, True)):
        for match in pattern.finditer(text):
            for one in _subjects(said, inside, sentence, match):
                was, now = _count(case.before, one, loose=not ahead), _count(case.after, one, loose=not ahead)
                if not ahead and 0 < was <= now:
                    return f"“{one.name}” is still there."
                # What scrolled or was typed again did appear where it stands now.
                if ahead and 0 < now <= was and _places(case.after, one) <= _places(case.before, one):
                    return f"“{one.name}” was there before."
    return ""


def _subjects(said: Claim, inside: list[Reference], sentence: TextSpan, verb: re.Match[str]) -> list[Reference]:
    """The names right before a verb, joined by commas and “and”."""
    found: list[Reference] = []
    edge = sentence.start + verb.start()
    for one in reversed([one for one in inside if one.span.end <= edge]):
        gap = said.text[one.span.end : edge]
        if not re.fullmatch(r"[\s,]*(?:(?:and|[a-z-]+)\s*){0,2}", gap, re.IGNORECASE):
            break
        found.append(one)
        edge = one.span.start
    return found


def _places(screen: ScreenIndex, one: Reference) -> set[tuple[int, int]]:
    # In steps of eight pixels: two readings of one picture differ by a little.
    return {(e.box.x1 // 8, e.box.y1 // 8) for e in screen.called(one.name)}


def _count(screen: ScreenIndex, one: Reference, *, loose: bool) -> int:
    """How often a name is there; loosely also what it may be a part or a misreading of."""
    folded = fold(one.name)
    same = [e for e in screen.elements if e.text and fold(e.text) == folded]
    return len(same) or (len(screen.called(one.name)) if loose else 0)
