"""T07, T11, T12, T13: what no rationale says: marks that were drawn for the writer, list numbers, excuses, too much."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from models.language.check.base import Case, Hit, Part
from models.language.check.text import Span, fold, overlapping

__all__ = ["LENGTHS", "is_a_rationale", "length_is_right", "marker_is_silent", "no_list_numbers"]

_COLOUR: Final = r"(?:red|green|yellow|blue|orange|pink|magenta|purple|cyan|colou?red|bright|bold|thick|dashed|dotted)"
_FIGURE: Final = (
    r"(?:circle|dot|box|rectangle|square|outline|border|frame|ring|cross|crosshair|arrow|mark|marker|marking|highlight|overlay|"
    r"line|x|pin|ellipse|spot)"
)
_DRAWN: Final = frozenset({"shape", "icon", "image"})
_SHOWN: Final = r"(?:marked|highlighted|indicated|shown|surrounded|enclosed|emphasi[sz]ed)"
_PLACE: Final = r"(?:element|area|region|target|position|location|spot|control|point|place)"
_MARKERS: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b{_COLOUR}(?:[\s,-]+{_COLOUR})?[\s-]+(?:bounding\s+)?{_FIGURE}s?\b",
        r"\bbounding[\s-]?box(?:es)?\b",
        r"\b(?:visual\s+)?(?:marker|crosshair|annotation)s?\b",
        r"\b(?:outlined|encircled|circled|boxed|annotated|framed|ringed|delineated|demarcated)\b",
        rf"\b{_SHOWN}\s+(?:(?:here|clearly|visibly|right)\s+)?(?:by|in|with)\s+(?:an?\s+|the\s+)?(?:{_COLOUR}|{_FIGURE}|outline|overlay)\b",
        rf"\b(?:marked|highlighted|indicated|pointed[\s-]to)\s+(?:{_PLACE}|{_FIGURE})\b",
        rf"\b(?:drawn|overlaid|superimposed)\b.{{0,30}}\b{_FIGURE}\b",
        rf"\b{_FIGURE}\b.{{0,20}}\b(?:drawn|overlaid|superimposed)\b",
        r"\b(?:cropped|zoomed(?:-in)?)\s+(?:image|picture|view|region|part|screenshot|crop|area)\b",
        r"\b(?:the|a|this)\s+(?:crop|close-?up)\b|\bcut-?out\b|\binset\b",
        r"\b(?:enlarged|magnified)\s+(?:image|picture|view|region|part|section|area|detail|crop)\b",
        r"\bhighlight(?:ed|ing)?\s+(?:box|frame|rectangle|circle|overlay)\b",
        r"\boutline\s+(?:around|drawn)\b|\b(?:the|an?|its)\s+outline\b",
        r"\b(?:rote[rsnm]?|grüne[rsnm]?)\s+(?:Kreis|Rahmen|Kasten|Punkt|Markierung)\b|\bMarkierung\b",
        r"\bcercle\s+rouge\b|\b(?:círculo|recuadro)\s+rojo\b",
    )
)


def marker_is_silent(case: Case) -> Iterator[Hit]:
    """T07: the mark on the target was drawn for the writer; on the real screen there is none."""
    drawn = [
        e for screen in (case.before, case.after) if screen is not None for e in screen.elements if e.type in _DRAWN
    ]
    known = {word for e in drawn for word in fold(f"{e.subtype or ''} {e.text or ''}")} | set(fold(case.context.task))
    for said in case.parts:
        found: list[Span] = []
        quoted = [one.span for one in said.references if one.quoted]
        for pattern in _MARKERS:
            for span in said.find(pattern):
                real = fold(said.of(span))[-1] in known
                if not real and not any(overlapping(span, other) for other in [*found, *quoted]):
                    found.append(span)
                    yield Hit(said=said, span=span, message=f"“{said.of(span)}” is on no screen.")


LENGTHS: Final[Mapping[Part, tuple[int, int]]] = {
    "observation": (700, 10),
    "thought": (900, 10),
    "expected_effect": (400, 4),
    "actual_effect": (700, 10),
    "plan": (2000, 30),
    "hindsight": (2500, 20),
    "text": (2000, 20),
}
"""The most characters and sentences of each part."""


def length_is_right(case: Case) -> Iterator[Hit]:
    """T11: nothing is too long, and nothing is said over and over."""
    for said in case.parts:
        most, sentences = LENGTHS[said.part]
        if said.length > most:
            end = Span(min(most, len(said.text) - 1), len(said.text))
            yield Hit(said=said, span=end, message=f"{said.length} characters are too many: at most {most}.")
        elif len(said.sentences) > sentences:
            end = Span(said.sentences[sentences].start, len(said.text))
            yield Hit(
                said=said, span=end, message=f"{len(said.sentences)} sentences are too many: at most {sentences}."
            )
        counts = Counter(fold(said.of(s)) for s in said.sentences)
        again = next((s for s in said.sentences if counts[fold(said.of(s))] > 2 and said.part != "plan"), None)
        if again is not None:
            yield Hit(said=said, span=again, message="The same sentence stands here more than twice.")


_EXCUSES: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\bas\s+an?\s+(?:ai|language\s+model|assistant)\b",
        r"\bI(?:['’]m|\s+am)\s+(?:sorry|unable|not\s+able)\b|\bI\s+apologi[sz]e\b|\bI\s+can(?:no|['’])t\s+(?:help|assist|view|determine|access)\b",  # noqa: RUF001
        r"\bI\s+can(?:no|['’])t\s+see\s+(?:the|any|an)\s+(?:image|screenshot|picture|screen)\b",  # noqa: RUF001
        r"\(?reason(?:ing)?\s+omitted\)?|[\[<{]\s*(?:insert|placeholder)\b[^\]>}]{0,40}[\]>}]|\blorem\s+ipsum\b|\bN/A\b",
        r"\bTraceback\s+\(most\s+recent|\b\w+(?:Error|Exception):\s",
        r"^\s*(?:None|null|undefined|\{\}|\[\]|\.{3}|…)\s*$",
        r"^\s*(?:```|\{\s*\")|<\|[a-z_]+\|>|</?think>",
        r"\bpredicted\s+action\b|\bground[\s-]truth\b|\bthe\s+(?:given|provided)\s+action\b|\bthe\s+JSON\b",
    )
)


def is_a_rationale(case: Case) -> Iterator[Hit]:
    """T12: it is an explanation, not an excuse, a placeholder or an error message."""
    for said in case.parts:
        spans = [span for pattern in _EXCUSES for span in said.find(pattern)]
        quoted = [one.span for one in said.references if one.quoted]
        for span in spans:
            if not any(overlapping(span, other) for other in quoted):
                yield Hit(said=said, span=span, message=f"“{said.of(span).strip()}” explains nothing.")


_NUMBER: Final = re.compile(
    r"\b(?:demo_)?element[\s_#-]*(?:id|number|no\.?)?[\s_:#-]*\d+\b|\b(?:element|track)_?id\b|\b(?:el|track)_[0-9a-z_]+\b|"
    r"\bID:?\s*\d+\b|\bstep_[0-9a-f]{6,}\b",
    re.IGNORECASE,
)


def no_list_numbers(case: Case) -> Iterator[Hit]:
    """T13: numbers of the element list are not on the screen; who reads the rationale may have another list."""
    task = case.context.task.casefold()
    for said in case.parts:
        quoted = [one.span for one in said.references if one.quoted]
        for span in said.find(_NUMBER):
            if said.of(span).casefold() not in task and not any(overlapping(span, other) for other in quoted):
                yield Hit(
                    said=said, span=span, message=f"“{said.of(span)}” is a number of the list, not of the screen."
                )
