"""T07, T10 to T13: what no rationale says: marks that were drawn for the writer, another language, too much, excuses.

The language is told by the commonest words, so that it needs no model and no data file.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from models.language.check.text_spans import TextSpan, compiled, fold, quotes, words
from models.language.check.truth_rule import CheckedRationale, RationaleFinding, RationalePart

_COLOUR: Final = r"(?:red|green|yellow|blue|orange|pink|magenta|purple|cyan|colou?red|bright|bold|thick|dashed|dotted)"
_FIGURE: Final = (
    r"(?:circle|dot|box|rectangle|square|outline|border|frame|ring|cross|crosshair|arrow|mark|marker|marking|highlight|overlay|"
    r"line|x|pin|ellipse|spot)"
)
_DRAWN: Final = frozenset({"shape", "icon", "image"})
_SHOWN: Final = r"(?:marked|highlighted|indicated|shown|surrounded|enclosed|emphasi[sz]ed)"
_PLACE: Final = r"(?:element|area|region|target|position|location|spot|control|point|place)"
_MARKERS: Final = compiled(
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


def marker_is_silent(case: CheckedRationale) -> Iterator[RationaleFinding]:
    """T07: the mark on the target was drawn for the writer; on the real screen there is none."""
    drawn = [
        e for screen in (case.before, case.after) if screen is not None for e in screen.elements if e.type in _DRAWN
    ]
    known = {word for e in drawn for word in fold(f"{e.subtype or ''} {e.text or ''}")} | set(fold(case.context.task))
    for said in case.parts:
        found: list[TextSpan] = []
        for span in said.find(*_MARKERS):
            if fold(said.of(span))[-1] not in known and not span.overlaps(found):
                found.append(span)
                yield said.wrong("T07", span, f"“{said.of(span)}” is on no screen.")


LENGTHS: Final[Mapping[RationalePart, tuple[int, int]]] = {
    "observation": (700, 10),
    "thought": (900, 10),
    "expected_effect": (400, 4),
    "plan": (2000, 30),
    "text": (2000, 20),
    "actual_effect": (700, 10),
    "hindsight": (2500, 20),
}
"""The most characters and sentences of each part, in the order in which findings are told."""


def length_is_right(case: CheckedRationale) -> Iterator[RationaleFinding]:
    """T11: nothing is too long, and nothing is said over and over."""
    for said in case.parts:
        most, sentences = LENGTHS[said.part]
        if said.length > most:
            end = TextSpan(min(most, len(said.text) - 1), len(said.text))
            yield said.wrong("T11", end, f"{said.length} characters are too many: at most {most}.", "warning")
        elif len(said.sentences) > sentences:
            end = TextSpan(said.sentences[sentences].start, len(said.text))
            yield said.wrong(
                "T11", end, f"{len(said.sentences)} sentences are too many: at most {sentences}.", "warning"
            )
        counts = Counter(fold(said.of(s)) for s in said.sentences)
        again = next((s for s in said.sentences if counts[fold(said.of(s))] > 2 and said.part != "plan"), None)
        if again is not None:
            yield said.wrong("T11", again, "The same sentence stands here more than twice.", "warning")


_EXCUSES: Final = compiled(
    r"\bas\s+an?\s+(?:ai|language\s+model|assistant)\b",
    r"\bI(?:['’]m|\s+am)\s+(?:sorry|unable|not\s+able)\b|\bI\s+apologi[sz]e\b|\bI\s+can(?:no|['’])t\s+(?:help|assist|view|determine|access)\b",  # noqa: RUF001
    r"\bI\s+can(?:no|['’])t\s+see\s+(?:the|any|an)\s+(?:image|screenshot|picture|screen)\b",  # noqa: RUF001
    r"\(?reason(?:ing)?\s+omitted\)?|[\[<{]\s*(?:insert|placeholder)\b[^\]>}]{0,40}[\]>}]|\blorem\s+ipsum\b|\bN/A\b",
    r"\bTraceback\s+\(most\s+recent|\b\w+(?:Error|Exception):\s",
    r"^\s*(?:None|null|undefined|\{\}|\[\]|\.{3}|…)\s*$",
    r"^\s*(?:```|\{\s*\")|<\|[a-z_]+\|>|</?think>",
    r"\bpredicted\s+action\b|\bground[\s-]truth\b|\bthe\s+(?:given|provided)\s+action\b|\bthe\s+JSON\b",
)


def is_a_rationale(case: CheckedRationale) -> Iterator[RationaleFinding]:
    """T12: it is an explanation, not an excuse, a placeholder or an error message."""
    for said in case.parts:
        for span in said.find(*_EXCUSES):
            yield said.wrong("T12", span, f"“{said.of(span).strip()}” explains nothing.")


_NUMBER: Final = re.compile(
    r"\b(?:demo_)?element[\s_#-]*(?:id|number|no\.?)?[\s_:#-]*\d+\b|\b(?:element|track)_?id\b|\b(?:el|track)_[0-9a-z_]+\b|"
    r"\bID:?\s*\d+\b|\bstep_[0-9a-f]{6,}\b",
    re.IGNORECASE,
)


def no_list_numbers(case: CheckedRationale) -> Iterator[RationaleFinding]:
    """T13: numbers of the element list are not on the screen; who reads the rationale may have another list."""
    task = case.context.task.casefold()
    for said in case.parts:
        for span in said.find(_NUMBER):
            if said.of(span).casefold() not in task:
                yield said.wrong(
                    "T13", span, f"“{said.of(span)}” is a number of the list, not of the screen.", "warning"
                )


_COMMON: Final[dict[str, frozenset[str]]] = {
    language: frozenset(text.split())
    for language, text in {
        "en": "a an such up all no do one can will has had been more here first after before only than other out now"
              " when what get go does did still by just some any each both how where who they them then if else"
              " the and of to in is that it for on with as this be at by from are or an have not should will i which so"
              " because its there was what then next click button screen must they open mark my me into",
        "de": "der die das und ist nicht ich zu den dem ein eine einen mit auf für von im sich auch als dass weil wird"
              " soll sollte es hier noch nun klicke wird werden steht damit sie an dann aus bei nach oder durch muss",
        "fr": "le la les de des et est un une je que qui dans pour pas sur au aux ce cette il elle avec par du en se"
              " sont doit car ici bouton clique afin plus donc son sa mon être ou où va",
        "es": "el la los las de y que en un una es por con para se su al lo del no hago clic porque está como esta este"
              " debe aquí botón más sobre pulso ahora tarea ha",
        "it": "il lo la gli le di che è e un una per con non del della nel sul si su come questo questa perché clicco"
              " pulsante deve qui sono anche più alla al ora faccio dal",
        "pt": "o a os as de que e do da em um uma para com não se no na por mais ao está porque clico botão deve aqui"
              " este esta isso foi são tarefa agora",
        "nl": "de het een en van ik te dat die in is op niet met voor zijn er aan om ook als maar naar wordt moet knop"
              " klik omdat hier deze dit nu door zodat",
        "sv": "och att det som en på är av för med den inte jag till ett har i om här knappen klickar eftersom ska"
              " denna nu",
        "da": "og at det som en på er af for med den ikke jeg til et har i om her knappen klikker fordi skal denne nu",
        "pl": "i w na z do nie się jest to że o jak po ale za od przez przycisk klikam ponieważ aby tutaj ten ta pole",
        "tr": "ve bir bu için ile da de çok olarak düğmesine tıklıyorum çünkü burada gerekiyor görev olan var şimdi",  # noqa: RUF001
        "cs": "a v na se je že to s z do o tlačítko klikám protože zde aby který jako pro musí úkol po",
    }.items()
}  # fmt: skip
_SCRIPTS: Final = {
    "CJK": "zh", "HIRAGANA": "ja", "KATAKANA": "ja", "HANGUL": "ko", "CYRILLIC": "ru", "GREEK": "el", "ARABIC": "ar",
    "HEBREW": "he", "DEVANAGARI": "hi", "THAI": "th",
}  # fmt: skip
_MIN_WORDS: Final = 4
"""Words below which a sentence in Latin letters has no language."""


def language_of(text: str, *, likely: str = "en") -> str:
    """The language, ISO 639-1; ``la`` for Latin letters that tell no more; empty where nothing tells.

    Of Han characters with kana among them the answer is ``ja``.

    Args:
        text: a few words at least.
        likely: the language that is taken when another one is not clearly ahead.
    """
    script = _script(text)
    if script:
        return script
    found = [word.casefold() for word, _ in words(text)]
    if len(found) < _MIN_WORDS:
        return "la" if found else ""
    scores = {language: sum(word in common for word in found) for language, common in _COMMON.items()}
    best = max(scores, key=lambda language: (scores[language], language == likely))
    second = max(score for language, score in scores.items() if language != best)
    ahead = best == likely or scores[best] - scores.get(likely, 0) >= 2
    clear = scores[best] >= 2 and scores[best] > second and ahead and scores[best] * 6 >= len(found)
    return best if clear else "la"


def _script(text: str) -> str:
    letters = [char for char in text if char.isalpha()]
    names = (unicodedata.name(char, "").split(" ", 1)[0].split("-", 1)[0] for char in letters if char > "\u036f")
    counts = Counter(_SCRIPTS[name] for name in names if name in _SCRIPTS)
    if not counts or counts.total() * 3 < len(letters):
        return ""
    return "ja" if counts["ja"] * 10 >= counts.total() else counts.most_common(1)[0][0]


def language_is_right(case: CheckedRationale) -> Iterator[RationaleFinding]:
    """T10: every sentence is in the language of the task; the template writer knows English only and is left alone."""
    if case.rationale.provenance.kind == "template" and case.rationale.text is None:
        return
    wanted = language_of(case.context.task)
    named = "in another language" if wanted in {"", "la"} else wanted
    for said in case.parts:
        bare = said.text
        for one in quotes(bare):  # what is quoted has any language
            bare = bare[: one.start()] + " " * len(one.group()) + bare[one.end() :]
        for sentence in said.sentences:
            language = language_of(bare[sentence.start : sentence.end], likely=wanted)
            # A task of a few names tells only its letters; English goes with every task of that kind.
            allowed = {"", "la", wanted, "en" if wanted == "la" else wanted}
            if wanted and language not in allowed:
                yield said.wrong("T10", sentence, f"This is {language}, but the task is {named}.", "warning")
