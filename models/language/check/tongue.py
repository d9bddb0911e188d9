"""T10: the language is that of the task. Told by the commonest words, so that it needs no model and no data file."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from models.language.check.base import Case, Hit, Said
from models.language.check.text import Span, quotes, words

__all__ = ["language_is_right", "language_of"]

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
_LEAST: Final = 4
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
    if len(found) < _LEAST:
        return "la" if found else ""
    scores = {language: sum(word in common for word in found) for language, common in _COMMON.items()}
    best = max(scores, key=lambda language: (scores[language], language == likely))
    second = max(score for language, score in scores.items() if language != best)
    lead = scores[best] - scores.get(likely, 0)
    clear = (
        scores[best] >= 2 and scores[best] > second and (best == likely or lead >= 2) and scores[best] * 6 >= len(found)
    )
    return best if clear else "la"


def _script(text: str) -> str:
    letters = [char for char in text if char.isalpha()]
    counts: dict[str, int] = {}
    for char in letters:
        if char > "\u036f":
            name = unicodedata.name(char, "").split(" ", 1)[0].split("-", 1)[0]
            if name in _SCRIPTS:
                counts[_SCRIPTS[name]] = counts.get(_SCRIPTS[name], 0) + 1
    if sum(counts.values()) * 3 < len(letters) or not counts:
        return ""
    return "ja" if counts.get("ja", 0) * 10 >= sum(counts.values()) else max(counts, key=lambda key: counts[key])


def language_is_right(case: Case) -> Iterator[Hit]:
    """T10: every sentence is in the language of the task; the template writer knows English only and is left alone."""
    if case.rationale.provenance.kind == "template" and case.rationale.text is None:
        return
    wanted = language_of(case.context.task)
    for said in case.parts:
        for span, language in _told(said, wanted):
            if _differs(language, wanted):
                yield Hit(said=said, span=span, message=f"This is {language}, but the task is {_named(wanted)}.")


def _named(language: str) -> str:
    return "in another language" if language in {"", "la"} else language


def _differs(language: str, wanted: str) -> bool:
    if language in {"", "la"} or language == wanted:
        return False
    if wanted in {"", "la"}:  # a task of a few names tells only its letters; English goes with every task of that kind
        return language != "en" and (wanted == "la")
    return True


def _told(said: Said, wanted: str) -> Iterator[tuple[Span, str]]:
    """The part as a whole when it is foreign, else each of its sentences; what is quoted has any language."""
    bare = list(said.text)
    for one in quotes(said.text):
        bare[one.outer.start : one.outer.end] = " " * (one.outer.end - one.outer.start)
    text = re.sub(r"\s", " ", "".join(bare))
    for sentence in said.sentences:
        yield sentence, language_of(text[sentence.start : sentence.end], likely=wanted)
