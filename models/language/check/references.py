"""Finds where a text names something on the screen, in quotes or not: the name, its kind, and how it is used.

A kind is told by a word of people, such as “button”, which may mean several types of elements.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import Final, Literal, NamedTuple

from demopack.domain.elements import Element, ElementType
from models.language.check.screen_index import ScreenIndex
from models.language.check.text_spans import TextSpan, fold, quotes, words
from models.language.phrases import HOLDS_VALUE, kind_word

Types = frozenset[ElementType]

_BUTTONS: Final[Types] = frozenset({
    "button", "icon", "image", "toggle", "menu", "tab", "scrollbar_up_button", "scrollbar_down_button",
    "scrollbar_left_button", "scrollbar_right_button", "dropdown", "shape",
})  # fmt: skip
_FIELDS: Final[Types] = HOLDS_VALUE
_ENTRIES: Final[Types] = frozenset({
    "list_item", "tree_item", "menu_item", "menu", "tabled_text", "radio", "checkbox", "text", "hyperlink", "dropdown",
    "tab", "button", "draggable_text", "toggle", "icon", "image",
})  # fmt: skip
_BARS: Final[Types] = frozenset({
    "scrollbar", "scrollbar_thumb", "scrollbar_up_button", "scrollbar_down_button", "scrollbar_left_button",
    "scrollbar_right_button",
})  # fmt: skip
_LISTS: Final[Types] = frozenset({"dropdown", "input_field", "list_item"})
_BOXES: Final[Types] = _FIELDS | frozenset[ElementType](
    {"checkbox", "toggle", "other", "shape", "image", "button", "radio"}
)
_MARKS: Final[Types] = frozenset({"checkbox", "toggle"})
_ANY: Final[Types] = frozenset()

_KINDS: Final[dict[str, Types]] = {
    "radio button": frozenset({"radio"}), "radio option": frozenset({"radio"}), "radio": frozenset({"radio"}),
    "check box": _MARKS, "checkbox": _MARKS, "check-box": _MARKS, "tick box": _MARKS, "tickbox": _MARKS,
    "toggle": _MARKS, "switch": _MARKS,
    "drop-down list": _LISTS, "dropdown list": _LISTS, "drop-down menu": _LISTS, "dropdown menu": _LISTS,
    "drop-down": _LISTS, "dropdown": _LISTS, "combo box": _LISTS, "combobox": _LISTS, "select box": _LISTS,
    "input field": _FIELDS, "text field": _FIELDS, "text box": _FIELDS, "textbox": _FIELDS, "entry field": _FIELDS,
    "edit field": _FIELDS, "search field": _FIELDS, "search box": _FIELDS, "input box": _FIELDS, "input": _FIELDS,
    "text area": _FIELDS, "textarea": _FIELDS, "number field": _FIELDS, "spinner": _FIELDS, "spin box": _FIELDS,
    "field": _FIELDS, "scroll bar": _BARS, "scrollbar": _BARS, "slider": frozenset({"slider", "shape", "other"}),
    "menu item": _ENTRIES, "menu entry": _ENTRIES, "list entry": _ENTRIES, "list item": _ENTRIES,
    "tree entry": _ENTRIES, "entry": _ENTRIES, "item": _ENTRIES, "option": _ENTRIES, "choice": _ENTRIES,
    "table cell": _ENTRIES, "cell": _ENTRIES, "row": _ENTRIES,
    "menu": frozenset({"menu", "menu_item", "dropdown", "button", "list_item"}),
    "tab": frozenset({"tab"}), "link": frozenset({"hyperlink", "text", "tab", "menu_item"}),
    "hyperlink": frozenset({"hyperlink"}), "icon": frozenset({"icon", "button", "image", "shape"}),
    "image": frozenset({"image", "icon", "shape"}), "picture": frozenset({"image", "icon", "shape"}),
    "button": _BUTTONS, "box": _BOXES,
    "resize handle": frozenset({"resize_handle", "slider", "scrollbar_thumb"}),
    # Anything may be called so, but the words before them name something.
    "label": _ANY, "heading": _ANY, "text": _ANY, "title": _ANY, "message": _ANY, "banner": _ANY, "window": _ANY,
    "dialog": _ANY, "dialogue": _ANY, "form": _ANY, "page": _ANY, "section": _ANY, "panel": _ANY, "list": _ANY,
    "table": _ANY, "column": _ANY, "toolbar": _ANY, "bar": _ANY, "area": _ANY, "control": _ANY, "element": _ANY,
}  # fmt: skip

_UNKNOWN: Final[Types] = frozenset({"text", "other"})
KIND: Final = "|".join(
    re.escape(word).replace(r"\ ", r"\s+").replace(r"\-", "-") for word in sorted(_KINDS, key=len, reverse=True)
)
"""A regular expression of every kind word in the singular, longest first; to be used without regard to case."""


def types_of(kind: str) -> Types:
    """The types that a kind word may mean; empty when it may mean any."""
    return _KINDS.get(" ".join(kind.casefold().split()), _ANY)


def fits(element: Element, kind: str) -> bool:
    """Whether an element may be called by this kind word.

    What a program took for a mere text may be the words of anything: it was read, and no more is known of it.
    """
    types = types_of(kind)
    if types is _MARKS and "checked" in element.states and element.type not in {"radio", "tab"}:
        return True
    if not types or element.type in types or kind_word(element) == " ".join(kind.casefold().split()):
        return True
    return (
        element.type in _UNKNOWN and element.source not in {"human", "accessibility"} and element.review != "approved"
    )


Use = Literal["direct", "landmark", "guess"]


class Reference(NamedTuple):
    """A name in a text.

    Attributes:
        name: as it stands, without quotes.
        span: where, with its quotes.
        kind: the kind word beside it, for instance ``button``; empty for none.
        use: ``landmark`` says where something else is; ``guess`` is a lower-case word that may be no name at all.
        quoted: whether it stands in quotes.
    """

    name: str
    span: TextSpan
    kind: str = ""
    use: Use = "direct"
    quoted: bool = False


ACTS: Final = (
    r"(?:double|right|triple|middle|left)?[- ]?click(?:s|ing|ed)?|press(?:es|ing|ed)?|tap(?:s|ping|ped)?|"
    r"hit(?:s|ting)?|push(?:es|ing|ed)?|select(?:s|ing|ed)?|choos(?:e|es|ing)|chose|pick(?:s|ing|ed)?|open(?:s|ing)?|"
    r"tick(?:s|ing|ed)?|check(?:s|ing)?|uncheck(?:s|ing)?|untick(?:s|ing)?|toggl(?:e|es|ing|ed)|activat(?:e|es|ing|ed)|"
    r"us(?:e|es|ing)|focus(?:es|ing)?|follow(?:s|ing)?|switch(?:es|ing)?\s+to|go(?:es|ing)?\s+to|"
    r"point(?:s|ing|ed)?|hover(?:s|ing|ed)?|drag(?:s|ging|ged)?|mov(?:e|es|ing|ed)|slid(?:e|es|ing)|pull(?:s|ing|ed)?"
)
"""Verbs of acting on an element, as a regular expression."""
_CAP = r"(?!I\b)[^\W\d_a-z][\w'’&/+-]*(?:\.[\w]+)*"  # noqa: RUF001
_NAME = rf"{_CAP}(?:\s+(?:{_CAP}|\d[\w:/-]*))*"
_LOOSE = rf"(?:{_CAP}|\d[\w:/-]*)(?:\s+[\w'’&/+-]+){{0,5}}?"  # noqa: RUF001
_CALLED = (
    r"(?:labell?ed|named|called|titled|captioned|reading|saying|that\s+(?:says|reads)|which\s+(?:says|reads)|"
    r"with\s+the\s+(?:text|label|name|title|caption|words?)|for)"
)
_PATTERNS: Final = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b(?:[Tt]he|[Aa]n?|[Tt]his|[Tt]hat|[Ii]ts|[Mm]y|on|under|in|of)\s+(?P<name>{_LOOSE})\s+(?P<kind>(?i:{KIND}))\b",
        rf"\b(?P<kind>(?i:{KIND}))\s+{_CALLED}\s+(?:the\s+)?(?P<name>{_NAME})",
        rf"(?i:\b(?:{ACTS}))(?:\s+(?:on|at|into|in|to|the|a|an))*\s+(?P<name>{_NAME})",
        rf"\b(?:into|onto|under)\s+(?:the\s+)?(?P<name>{_NAME})",
    )
)
_OPENING: Final = re.compile(
    rf"(?:^|(?<=[.!?]\s)|(?<=\n))(?P<name>{_LOOSE})\s+(?P<kind>(?i:{KIND}))\s+(?:is|has|shows|stands|lies|reads|holds|sits|can|will|should|must)\b"
)
"""A name at the beginning of a sentence."""
_FIRST: Final = re.compile(_NAME)
_NAME_OF_TWO: Final = re.compile(rf"{_CAP}\s+(?:{_CAP}|\d)")
_GUESS: Final = re.compile(
    r"\b[Tt]he\s+(?P<name>[a-z][a-z-]{2,})\s+(?P<kind>button|link|tab|menu\s+item|check\s?box|radio\s+button|icon)\b"
)
_LIST: Final = re.compile(
    r"\b(?:buttons?|tabs|links|menus|fields|check\s?boxes|options|entries|items|icons|folders|columns)\s*"
    r"(?::|called|named|labell?ed|for|reading)?\s+(?P<names>"
    rf"{_NAME}(?:\s*,\s*{_NAME})*\s*,?\s+(?:and|or)\s+{_NAME})"
)
_KIND_AFTER: Final = re.compile(rf"\s*(?P<kind>{KIND})\b", re.IGNORECASE)
_KIND_BEFORE: Final = re.compile(rf"\b(?P<kind>{KIND})s?\s*(?:{_CALLED}\s+(?:the\s+)?|[:(]\s*|,\s*)?$", re.IGNORECASE)
_LANDMARK: Final = re.compile(
    r"(?:\b(?:right|left)\s+of|\bbelow|\babove|\bunder(?:neath)?|\bbeneath|\bbeside|\bnext\s+to|\bnear(?:\s+to)?|"
    r"\bclose\s+to|\bbehind|\bin\s+front\s+of|\bbetween|\bfollowing|\bafter|\bbefore|\bfrom|\bof|\binside|\bwithin|"
    r"\bopposite|\bby|\bunder\s+the\s+heading|\bin|\bbelongs\s+to)"
    rf"\s+(?:the\s+)?(?:(?:label|words?|text|heading|title|caption|{KIND})\s+)?$",
    re.IGNORECASE,
)
_AND: Final = re.compile(r"\b(?:and|or)\s+(?:the\s+)?$")
_NO_NAME_WORDS: Final = (
    "a after all an another as because before both each first for fourth here i if in it its last my next no now"
    " on once one only screen second since so that the then there these third this those to ui what when which"
    " while with"
)
_NO_NAME: Final = frozenset(_NO_NAME_WORDS.split())
_GENERIC_WORDS: Final = (
    "accompanying active actual adjacent appropriate arrow available big black blue bottom called check checked"
    " collapsed confirm confirmation correct corresponding current default desired desktop disabled down drop-down"
    " dropdown empty enabled entire expanded fifth final first focused fourth given gray green grey highlighted"
    " inactive input intended labeled labelled large last leading left leftmost list little lower main matching"
    " menu middle minus mouse named nearby needed new next normal old one only orange other plus previous primary"
    " push radio red regular relevant required resulting right rightmost round rounded same scroll second"
    " secondary selected single small small-looking square standard submit target text third three tick ticked"
    " toggle toolbar top topmost trailing two unchecked unticked up upper usual very visible wanted white whole"
    " yellow"
)
_GENERIC: Final = frozenset(_GENERIC_WORDS.split())


def references(text: str, screens: Sequence[ScreenIndex]) -> list[Reference]:
    """Every name in a text, in order; those in quotes, and those that grammar gives away.

    Args:
        text: what is said.
        screens: of what; a name without quotes reaches as far as something there is called so.
    """
    found: list[Reference] = []
    for quoted in quotes(text):
        kind = _KIND_AFTER.match(text, quoted.end()) or _KIND_BEFORE.search(text, 0, quoted.start())
        use, span = _use(text, quoted.start(), found), TextSpan.of(quoted)
        found.append(Reference(quoted[1], span, kind=kind["kind"] if kind else "", use=use, quoted=True))
    matches = (match for pattern in (*_PATTERNS, _OPENING) for match in pattern.finditer(text))
    bare = (_unquoted(text, match, screens, found) for match in matches)
    guesses = (
        Reference(match["name"], TextSpan(*match.span("name")), kind=match["kind"], use="guess")
        for match in _GUESS.finditer(text)
        if match["name"] not in _GENERIC
    )
    for one in itertools.chain(bare, _listed(text, found), guesses):
        if one is not None and not one.span.overlaps(other.span for other in found):
            found.append(one)
    return sorted(found, key=lambda one: one.span.start)


def _use(text: str, start: int, earlier: Sequence[Reference]) -> Use:
    if _LANDMARK.search(text, 0, start):
        return "landmark"
    joined = _AND.search(text, 0, start) is not None and bool(earlier) and earlier[-1].use == "landmark"
    return "landmark" if joined and start - earlier[-1].span.end <= 8 else "direct"


def _unquoted(
    text: str, match: re.Match[str], screens: Sequence[ScreenIndex], earlier: Sequence[Reference]
) -> Reference | None:
    start, end = match.span("name")
    while (first := re.match(r"\S+\s*", text[start:end])) and first.group().strip().casefold() in _NO_NAME:
        start += first.end()
    if start >= end or not re.match(r"[^\W\d_a-z]|\d", text[start:end]):
        return None
    kind = match.groupdict().get("kind") or ""
    if text[start:end].endswith(("'s", "’s")):  # noqa: RUF001 - both apostrophes
        end, kind = end - 2, ""
    if not any(screen.has(text[start:end]) for screen in screens):
        if match.re is _OPENING and not _NAME_OF_TWO.match(text, start, end):
            return None  # every sentence begins with a capital
        # Words that lead from a name to a kind word that belongs to something else.
        bare = _FIRST.match(text, start, end)
        if bare is not None and bare.end() < end:
            end, kind = bare.end(), ""
    if not kind:
        end = max(end, _reach(text, start, end, screens))
        after = _KIND_AFTER.match(text, end)
        kind = after["kind"] if after else ""
    article = re.search(r"(?:\bthe\s+|\ban?\s+)$", text[:start], re.IGNORECASE)
    use = _use(text, article.start() if article else start, earlier)
    return Reference(text[start:end], TextSpan(start, end), kind=kind, use=use)


def _reach(text: str, start: int, end: int, screens: Sequence[ScreenIndex]) -> int:
    """How far a name goes that begins here: to the longest run of words that something on a screen is called."""
    texts = {fold(e.text) for screen in screens for e in screen.elements if (e.text or "").strip() and e.text}
    tail = [span for _, span in words(text[start : start + 80])]
    for span in reversed(tail[:8]):
        if start + span.end > end and fold(text[start : start + span.end]) in texts:
            return start + span.end
    return end


def _listed(text: str, earlier: Sequence[Reference]) -> Iterator[Reference]:
    """Names in a list behind a kind word in the plural: “the tabs General, Details and History”."""
    for match in _LIST.finditer(text):
        for one in re.finditer(_NAME, match["names"]):
            span = TextSpan.of(one, offset=match.start("names"))
            yield Reference(one.group(), span, use=_use(text, match.start(), earlier))
