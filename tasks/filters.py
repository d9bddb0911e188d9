"""Filters of the task bank: what leaves a task out, each with its reason. Nothing is deleted."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Protocol

from demopack.domain.provenance import Provenance
from demopack.domain.tasks import FilterFinding, Task
from demopack.domain.words import counted, shorten
from demopack.errors import BadInputError
from demopack.jobs import JobControl
from tasks.bank import TaskBank

LANGUAGES: Final = (
    "ar", "bg", "bn", "cs", "da", "de", "el", "en", "es", "fa", "fi", "fr", "he", "hi", "hu", "id", "it", "ja", "ko",
    "nl", "no", "pl", "pt", "ro", "ru", "sk", "sv", "th", "tr", "uk", "vi", "zh",
)  # fmt: skip
"""Languages that are told apart: those that programs are documented in."""
_MARGIN, _SHORT_MARGIN, _SHORT_LETTERS = 7.0, 12.0, 25
"""How much likelier (natural logarithm) another language has to be, and how much in a text with fewer letters."""
_SIGNS: Final = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
"""Chinese and Japanese are written without spaces: a sign counts as a word."""
WORD: Final = re.compile(rf"[{_SIGNS}]|[^\W_{_SIGNS}]+")
_STOP: Final = frozenset({
    "a", "an", "the", "to", "in", "on", "of", "for", "from", "with", "and", "or", "your", "you", "how", "do", "i", "my",
    "is", "it", "that", "this", "by", "at", "into",
})  # fmt: skip
"""Words that tell nothing of what a task is about."""
_NOUN_ENDINGS: Final = ("tion", "ment", "ness", "ity", "ance", "ence", "ism")
_INFORMATION: Final = re.compile(
    r"^(?:what(?:'s| is| are| does| happens)|why|who|where (?:is|are)|when|overview|about|introduction|"
    r"understanding|differences? between|glossary|known (?:issues|limitations)|troubleshooting|faq|release notes|"
    r"system requirements|keyboard shortcuts|see also|contents|index|copyright|licen[cs]e|acknowledg)\b",
    re.IGNORECASE,
)
"""Beginnings of headings that explain instead of ask."""
PLATFORM_WORDS: Final[dict[str, re.Pattern[str]]] = {
    name: re.compile(rf"\b(?:{words})\b", re.IGNORECASE)
    for name, words in {
        "android": "android(?: phone| tablet)?|google play",
        "ios": "iphone|ipad|ios|app store",
        "macos": "macos|mac os(?: x)?|os x|macbook|finder|(?:on|for) (?:a |your )?mac|command key|⌘\\w?",
        "windows": "windows (?:xp|vista|7|8|10|11)|start menu|control panel|taskbar|windows explorer|regedit",
        "linux": "linux|ubuntu|debian|fedora|gnome|kde|apt(?:-get)? install",
        "web": "word online|excel online|(?:for|on) the web|google docs|google sheets|web app",
        "phone": "smartphone|mobile (?:app|phone|device)|tap (?:and hold|the)|swipe",
    }.items()
}
"""Words by which a task tells what it is for."""
PROGRAM_NAMES: Final = (
    "word", "excel", "powerpoint", "outlook", "onenote", "access", "publisher", "visio", "writer", "calc", "impress",
    "draw", "gimp", "inkscape", "firefox", "chrome", "edge", "thunderbird", "photoshop", "google docs", "google sheets",
)  # fmt: skip
_IN_PROGRAM: Final = re.compile(
    rf"\b(?:in|with|using) (?:microsoft |ms |libreoffice )?({'|'.join(PROGRAM_NAMES)})\b", re.IGNORECASE
)


class _LanguageIdentifier(Protocol):
    def set_languages(self, langs: list[str]) -> None: ...
    def rank(self, text: str) -> list[tuple[str, float]]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterRules:
    """Which tasks are kept.

    Attributes:
        language: of task and plan, two letters; empty for any.
        min_words: of the task.
        max_words: likewise.
        max_steps: of its plan.
        needs_plan: whether one without a plan is left out; search queries never have one.
        platforms: that the tasks may be for; empty for any.
        apps: programs that they may be for; empty for any.
        likeness: share of words from which two tasks of one program are the same, 0..1; 0 for no comparison.
    """

    language: str = "en"
    min_words: int = 2
    max_words: int = 60
    max_steps: int = 40
    needs_plan: bool = False
    platforms: tuple[str, ...] = ()
    apps: tuple[str, ...] = ()
    likeness: float = 0.9

    def check(self) -> None:
        """See that the rules can be kept.

        Raises:
            BadInputError: one cannot.
        """
        if self.language and self.language not in LANGUAGES:
            raise BadInputError(
                f"The language {self.language!r} is none that can be told.", hint=f"One of {', '.join(LANGUAGES)}."
            )
        if not 0 <= self.likeness <= 1:
            raise BadInputError(f"The likeness {self.likeness:g} is not between 0 and 1.", hint="0.9 is usual.")
        unknown = [one for one in self.platforms if one not in PLATFORM_WORDS]
        if unknown:
            raise BadInputError(
                f"The platform {unknown[0]!r} is not known.", hint=f"One of {', '.join(PLATFORM_WORDS)}."
            )


def find_reasons(task: Task, rules: FilterRules) -> Iterator[FilterFinding]:
    """Why a task by itself is left out, a finding for each rule that it breaks; see also :func:`duplicates`.

    Raises:
        BadInputError: what tells languages apart is not installed.
    """
    words = WORD.findall(task.task)
    if rules.language and (other := _other_language("\n".join((task.task, *task.plan)), rules.language)):
        yield FilterFinding(rule="language", reason=f"It reads as “{other}”, not as “{rules.language}”.")
    if len(words) < rules.min_words:
        yield FilterFinding(rule="too_short", reason=f"Its task has {counted(len(words), 'word')}.")
    if len(words) > rules.max_words:
        yield FilterFinding(rule="too_long", reason=f"Its task has {counted(len(words), 'word')}.")
    if len(task.plan) > rules.max_steps:
        yield FilterFinding(rule="too_long", reason=f"Its plan has {counted(len(task.plan), 'step')}.")
    if rules.needs_plan and not task.plan and task.source.kind != "query":
        yield FilterFinding(rule="no_plan", reason="It has no plan.")
    if why := _not_actionable(task):
        yield FilterFinding(rule="not_actionable", reason=why)
    yield from _elsewhere(task, rules)


@cache
def _identifier() -> _LanguageIdentifier:
    try:
        from py3langid import langid
    except ImportError as error:
        raise BadInputError(
            "Telling languages apart needs py3langid, which is not installed.",
            hint="Install it: pip install 'demopack[tasks]'. A filter can also keep every language (--language '').",
        ) from error
    untyped: Any = langid
    identifier: _LanguageIdentifier = untyped.LanguageIdentifier.from_model_file(untyped.MODEL_FILE)
    identifier.set_languages(list(LANGUAGES))
    return identifier


def tell_languages_apart() -> None:
    """See that languages can be told apart, before anything is done that needs it.

    Raises:
        BadInputError: what does it is not installed.
    """
    _identifier()


def _other_language(text: str, wanted: str) -> str:
    """The language that a text clearly is in, where that is another one; empty where it is not, or not certain."""
    ranked = _identifier().rank(text)
    likelihood = dict(ranked)
    best, score = ranked[0]
    margin = _SHORT_MARGIN if sum(map(str.isalpha, text)) < _SHORT_LETTERS else _MARGIN
    return best if best != wanted and score - likelihood[wanted] >= margin else ""


def reads_as_another(text: str, original: str) -> str:
    """The language that a text clearly is in, where its original clearly is in another one; else empty.

    Raises:
        BadInputError: what tells languages apart is not installed.
    """
    language = _identifier().rank(text)[0][0]
    told = _other_language(original, language)
    return language if told and _other_language(text, told) else ""


def programs_in(text: str) -> set[str]:
    """The known programs that a text says it is done in ("in Excel", "with Calc"), in small letters."""
    return {said.casefold() for said in _IN_PROGRAM.findall(text)}


def _not_actionable(task: Task) -> str:
    """Why nobody can do the task; empty where somebody may."""
    if not any(step.strip() for step in task.plan) and (said := _INFORMATION.match(task.task)):
        return f"It asks for an explanation (“{shorten(said.group(), 30)}”), and has no steps."
    words = [word.casefold() for word in WORD.findall(task.task)]
    if not task.plan and task.source.kind != "query" and len(words) <= 2 and words and _is_noun(words[0]):
        return "It is the name of a subject, and has no steps."
    return ""


def _is_noun(word: str) -> bool:
    return word.endswith(_NOUN_ENDINGS)


def _elsewhere(task: Task, rules: FilterRules) -> Iterator[FilterFinding]:
    """What says that a task is for another platform or program."""
    text = "\n".join((task.task, *task.plan))
    if rules.platforms:
        told = {task.platform} if task.platform in PLATFORM_WORDS else set[str]()
        found = {name: said.group() for name, words in PLATFORM_WORDS.items() if (said := words.search(text))}
        if not (told | found.keys()) & set(rules.platforms) and (told or found):
            what = f"It is for {task.platform}." if told else f"It speaks of “{next(iter(found.values()))}”."
            yield FilterFinding(rule="other_platform", reason=what)
    if rules.apps:
        wanted = {one.casefold() for one in rules.apps}
        said = _IN_PROGRAM.search(task.task)
        program = task.app.casefold() or ("" if said is None else said[1].casefold())
        if program and program not in wanted:
            yield FilterFinding(rule="other_app", reason=f"It is for {program}.")


# Duplicates ---------------------------------------------------------------------------------------------------------


def duplicates(tasks: Iterable[Task], likeness: float) -> dict[str, FilterFinding]:
    """Tasks that say the same as an earlier one of the same program, by id.

    Two tasks are as like as the share of their words that both have (Jaccard), small words aside. Which pairs can be as
    like is told by their rarest words, so that a hundred thousand tasks take seconds.

    Args:
        tasks: in the order in which they count; the first of several alike stays.
        likeness: from which two are the same, 0..1; with 0 nothing is compared.
    """
    if not likeness:
        return {}
    known = [(task.id, task.app.casefold(), task.task, content_words(task.task)) for task in tasks]
    frequency = Counter(term for _, _, _, terms in known for term in terms)
    index: dict[tuple[str, str], list[int]] = {}
    found: dict[str, FilterFinding] = {}
    for number, (name, app, _, terms) in enumerate(known):
        rarest = sorted(terms, key=lambda term: (frequency[term], term))
        # As alike as that, two sets have one of these in common.
        prefix = rarest[: len(rarest) - _least_common(len(rarest), likeness) + 1]
        near = dict.fromkeys(other for term in prefix for other in index.get((app, term), ()))
        best = max(((share_in_common(terms, known[other][3]), -other) for other in near), default=(0.0, 0))
        if best[0] >= likeness:
            other = known[-best[1]]
            found[name] = FilterFinding(
                rule="duplicate", reason=f"It is {best[0]:.0%} like {other[0]}, “{shorten(other[2], 60)}”."
            )
            continue
        for term in prefix:
            index.setdefault((app, term), []).append(number)
    return found


def content_words(text: str) -> frozenset[str]:
    """The words of a text that tell what it is about, folded; all of them where there is no such."""
    words = [word.casefold() for word in WORD.findall(text)]
    return frozenset(word for word in words if word not in _STOP) or frozenset(words)


def _least_common(size: int, likeness: float) -> int:
    """How many words a set of ``size`` has in common with one that is as like, at least."""
    return max(1, -int(-likeness * size // 1))


def share_in_common(one: frozenset[str], other: frozenset[str]) -> float:
    """The share of the words of both that both have (Jaccard), 0..1."""
    common = len(one & other)
    return common / (len(one) + len(other) - common) if common else 0.0


def filter_bank(
    bank: TaskBank, rules: FilterRules, *, provenance: Provenance, control: JobControl | None = None
) -> int:
    """Filter every task that was collected; what an earlier run found is found anew, what a person set aside stays so.

    Args:
        bank: with the tasks.
        rules: that they have to keep.
        provenance: of whoever filters.
        control: progress and cancelling; what was written before stays.

    Returns:
        How many tasks are filtered out now.

    Raises:
        BadInputError: the rules cannot be kept.
        CancelledError: it was stopped.
    """
    rules.check()
    control = control or JobControl()
    found: dict[str, tuple[FilterFinding, ...]] = {}
    kept: list[Task] = []
    total = bank.count()
    for number, task in enumerate(bank.tasks()):
        control.step(number, total, "Filtering tasks")
        aside = [one for one in task.findings or () if one.rule == "set_aside"]
        found[task.id] = (*aside, *find_reasons(task, rules))
        if not found[task.id]:
            kept.append(task)
    found |= {name: (one,) for name, one in duplicates(kept, rules.likeness).items()}
    pairs = ((task, task.but(findings=found[task.id])) for task in bank.tasks() if task.id in found)
    bank.change(pairs, label="Filter tasks", provenance=provenance)
    return sum(map(bool, found.values()))
