"""Holds what a language model answers about tasks against what it was asked for; each fault is a sentence.

The sentences are for the model, which is told them and asked again, and for a person, who reads them in a report.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Final

from demopack.codecs.tasks.records import without_numbers
from demopack.domain.tasks import Task
from demopack.domain.words import counted, shorten
from tasks.filters import WORD, content_words, programs_in, reads_as_another, share_in_common

MAX_STEPS: Final = 40
MAX_STEP_WORDS, MAX_LETTERS = 80, 1000
MAX_EXTRA_WORDS: Final = 20
"""Words that an evolved task may have more than its original, as in the LAM paper."""
MAX_REQUEST_WORDS: Final = 60
_SAME: Final = 0.9
"""Share of words from which two tasks are the same, as in a filter."""
_KEPT, _KEPT_OF_QUERY = 0.5, 1 / 3
"""Share of the words of an original that have to stand in what is made of it; queries are full of short forms."""
_MISSPELT: Final = 0.8
"""Likeness from which a word of a query was mended, 0..1."""
_BOLD: Final = re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1")
_DECLINES: Final = re.compile(
    r"^(?:i.?m sorry|i am sorry|sorry|i (?:cannot|can.t|am unable)|as an ai)\b", re.IGNORECASE
)
_STEM: Final = 4
"""Letters in which two forms of a word are the same at least."""


def clean_steps(steps: Iterable[str]) -> tuple[str, ...]:
    """Steps without empty ones, bold type and their numbers."""
    return without_numbers([text for step in steps if (text := _BOLD.sub(r"\2", step).strip())])


def faults_of_plan(steps: Sequence[str]) -> list[str]:
    """What is wrong with a plan by itself."""
    if not steps:
        return ["The plan has no steps."]
    if len(steps) > MAX_STEPS:
        return [f"The plan has {len(steps)} steps or more; at most {MAX_STEPS} are wanted."]
    found: list[str] = []
    for number, step in enumerate(steps, start=1):
        words = len(WORD.findall(step))
        if not words:
            found.append(f"Step {number} says nothing.")
        elif words > MAX_STEP_WORDS or len(step) > MAX_LETTERS:
            found.append(f"Step {number} has {counted(words, 'word')}, {len(step)} letters; a step is one order.")
    if _DECLINES.match(steps[0]):
        found.append(f"It is no plan: “{shorten(steps[0], 60)}”")
    return found


def faults_of_request(request: str, query: str) -> list[str]:
    """What is wrong with a search query as a request.

    Raises:
        BadInputError: what tells languages apart is not installed.
    """
    words = WORD.findall(request)
    found: list[str] = []
    if len(words) < 3:
        found.append("It is no whole sentence.")
    if len(words) > MAX_REQUEST_WORDS or len(request) > MAX_LETTERS:
        found.append(f"It has {counted(len(words), 'word')}; at most {MAX_REQUEST_WORDS} are wanted.")
    terms = content_words(request)
    near = {word for word in content_words(query) if get_close_matches(word, terms, n=1, cutoff=_MISSPELT)}
    return found + _faults_of_subject(request, query, "query", there=terms | near, kept=_KEPT_OF_QUERY)


def faults_of_evolution(task: str, steps: Sequence[str], original: Task, known: Sequence[str]) -> list[str]:
    """What is wrong with a harder form of a task and its plan.

    Args:
        task: the harder form.
        steps: its plan.
        original: what it is a form of.
        known: other forms that there are already.

    Raises:
        BadInputError: what tells languages apart is not installed.
    """
    if not task:
        return ["There is no harder task."]
    found: list[str] = []
    words, most = len(WORD.findall(task)), most_words(original)
    if words > most or len(task) > MAX_LETTERS:
        found.append(f"The task has {counted(words, 'word')}; at most {most} are wanted.")
    terms = content_words(task)
    if terms <= content_words(original.task):
        found.append("The task asks for nothing more than the original.")
    for other, name in ((original.task, "the original"), *((one, "one that there is already") for one in known)):
        if share_in_common(terms, content_words(other)) >= _SAME:
            found.append(f"The task says the same as {name}.")
    found += _faults_of_subject(task, original.task, "original", there=terms)
    told = "\n".join((original.task, *original.plan, original.app)).casefold()
    for program in sorted(programs_in(task)):
        if program not in told:
            found.append(f"The task is for {program}, the original is not.")
    if steps and _folded(steps) == _folded(original.plan):
        found.append("The plan is that of the original.")
    return found + faults_of_plan(steps)


def most_words(original: Task) -> int:
    """Words that a harder form of a task may have."""
    return len(WORD.findall(original.task)) + MAX_EXTRA_WORDS


def faults_of_extract(task: str, steps: Sequence[str], page: str) -> list[str]:
    """What is wrong with a task and its plan that a page is said to tell; ``page`` is its text."""
    said = f"“{shorten(task, 60)}”"
    if not task:
        return ["A task is empty."]
    if len(task) > MAX_LETTERS:
        return [f"{said} is too long for a task."]
    there = content_words(page)
    found = [f"{said}: {fault}" for fault in faults_of_plan(steps)]
    for name, text in (("The task", task), *((f"Step {n}", step) for n, step in enumerate(steps, start=1))):
        if missing := _missing(text, there):
            found.append(f"{said}: {name} speaks of what the page does not say ({', '.join(missing)}).")
    return found


def _faults_of_subject(text: str, original: str, name: str, *, there: frozenset[str], kept: float = _KEPT) -> list[str]:
    """Whether a text with the words ``there`` is about something else than its original, or in another language."""
    found: list[str] = []
    if missing := _missing(original, there, kept):
        found.append(f"It is about something else: of the {name} it leaves out {', '.join(missing)}.")
    if language := reads_as_another(text, original):
        found.append(f"It reads as “{language}”, the {name} does not.")
    return found


def _missing(text: str, there: frozenset[str], kept: float = _KEPT) -> list[str]:
    """The words of a text that are not there, in its order, where fewer than the share ``kept`` are."""
    terms = content_words(text)
    gone = [word for word in terms if word not in there and not any(_is_form(word, other) for other in there)]
    order = text.casefold()
    return sorted(gone, key=lambda word: (order.find(word), word)) if len(terms) - len(gone) < kept * len(terms) else []


def _is_form(word: str, other: str) -> bool:
    """Whether two words begin alike, as "border" and "borders" do, or "print" and "printing"."""
    length = max(_STEM, min(len(word), len(other)) - 2)
    return len(word) >= _STEM and word[:length] == other[:length]


def _folded(steps: Sequence[str]) -> list[str]:
    return [" ".join(WORD.findall(step.casefold())) for step in steps]
