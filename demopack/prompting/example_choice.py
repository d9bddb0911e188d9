"""Choice of the demos that are shown as examples: instances of the task's kind first, then by similarity."""

from __future__ import annotations

import contextlib
import hashlib
import math
import re
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final, Literal, TypeAlias

from demopack.codecs.recorded_demo import RecordedDemo


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexedDemo:
    """What is known of a demo for finding it.

    Attributes:
        id: of the demo.
        task: what it shows.
        app: in which program.
        words: what its steps and their targets say.
        values: texts that differ between instances of its task.
    """

    id: str
    task: str
    app: str = ""
    words: str = ""
    values: tuple[str, ...] = ()


Similarity: TypeAlias = Callable[[Sequence[IndexedDemo], str], Mapping[str, float]]
"""Scores demos for a task: id -> 0..1; those that have nothing to do with it may be left out."""


def word_similarity(documents: Sequence[IndexedDemo], task: str) -> Mapping[str, float]:
    """Words in common, weighed by how rare they are (BM25), in memory; the task counts more than what the steps say.

    The best demo has 1; one without a common word is left out.
    """
    terms = sorted(set(re.findall(r"\w+", task.casefold())))
    if not terms or not documents:
        return {}
    with contextlib.closing(sqlite3.connect(":memory:")) as db:
        db.execute("CREATE VIRTUAL TABLE demos USING fts5(task, app, words, tokenize='porter unicode61')")
        rows = [(number, d.task, d.app, d.words) for number, d in enumerate(documents)]
        db.executemany("INSERT INTO demos(rowid, task, app, words) VALUES (?, ?, ?, ?)", rows)
        # bm25() is the smaller the better, and negative.
        found: list[tuple[int, float]] = db.execute(
            "SELECT rowid, -bm25(demos, 4.0, 2.0, 1.0) FROM demos WHERE demos MATCH ?",
            (" OR ".join(f'"{term}"' for term in terms),),
        ).fetchall()
    # Words that stand in more than half of the documents can weigh less than nothing; they are still common words.
    weights = {documents[number].id: max(weight, 1e-6) for number, weight in found}
    best = max(weights.values(), default=1.0)
    return {key: round(weight / best, 6) for key, weight in weights.items()}


def embedding_similarity(embed: Callable[[Sequence[str]], Sequence[Sequence[float]]]) -> Similarity:
    """The cosine of vectors that the caller's model makes of the tasks and their programs; negative ones count as 0.

    Args:
        embed: texts to vectors of one length.
    """

    def scores(documents: Sequence[IndexedDemo], task: str) -> Mapping[str, float]:
        if not documents:
            return {}
        query, *vectors = embed([task, *(f"{document.task} ({document.app})" for document in documents)])
        return {
            document.id: max(0.0, round(_cosine(query, vector), 6))
            for document, vector in zip(documents, vectors, strict=True)
        }

    return scores


def _cosine(a: Sequence[float], b: Sequence[float]) -> float:
    lengths = math.hypot(*a) * math.hypot(*b)
    return sum(x * y for x, y in zip(a, b, strict=True)) / lengths if lengths else 0.0


SLOT: Final = "◌"
"""Stands for whatever differs between instances."""

_QUOTED = re.compile("\"[^\"]*\"|“[^”]*”|«[^»]*»|(?<!\\w)'[^']*'(?!\\w)")
_TOKEN = re.compile(rf"{SLOT}|[\w@.+:/#-]*[\w{SLOT}]|[^\w\s]")
_MIN_WORDS: Final = 2


def skeleton(task: str, values: Iterable[str] = ()) -> str:
    """The task with a slot for every quoted text, number, name and known value; lower case, single spaces.

    A name is a word with a capital that does not begin a sentence. Slots in a row are one.

    Args:
        task: in the person's words.
        values: texts that are known to differ between instances.
    """
    text = _QUOTED.sub(SLOT, task)
    for value in sorted({value for value in values if value.strip()}, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(value)}(?!\w)", SLOT, text, flags=re.IGNORECASE)
    found: list[str] = []
    begins = True
    for piece in _TOKEN.findall(text):
        if piece in ".!?" or not any(char.isalnum() or char == SLOT for char in piece):
            begins = piece in ".!?:" or begins
            continue
        slot = SLOT in piece or any(char.isdigit() or char in "@/" for char in piece)
        slot = slot or (piece[0].isupper() and not begins)
        begins = False
        word = SLOT if slot else piece.casefold().rstrip(".:")
        if word != SLOT or found[-1:] != [SLOT]:
            found.append(word)
    return " ".join(found)


def same_kind(task: str, other: str, values: Iterable[str] = ()) -> bool:
    """Whether ``task`` is an instance of what ``other`` is an instance of.

    Args:
        task: the task to be done.
        other: the task of a demo.
        values: what is known to differ in the demo, for instance the texts of its variables.
    """
    ours, theirs = skeleton(task), skeleton(other)
    if _tells(ours) and ours == theirs:
        return True
    known = skeleton(other, values)
    if not _tells(known) or known == theirs:
        return False
    pattern = r"\S+(?: \S+)*".join(re.escape(part) for part in known.split(SLOT))
    return re.fullmatch(pattern, ours) is not None


def likeness(task: str, other: str) -> float:
    """How alike the sentences of two tasks are built, 0..1: words that stand in both in the same order, slots included.

    Values in lower case look like words of the sentence; here they cost only themselves.
    """
    ours, theirs = skeleton(task).split(), skeleton(other).split()
    if not ours or not theirs:
        return 0.0
    return SequenceMatcher(None, ours, theirs, autojunk=False).ratio()


def _tells(text: str) -> bool:
    """Whether enough fixed words are left to call two tasks alike."""
    return sum(word != SLOT for word in text.split()) >= _MIN_WORDS


Instance = Literal["any", "other"]
"""Whether a demo of the very same task may be shown. It holds the answer: ``any`` is for use, ``other`` to measure."""

_SAME_KIND, _SAME_APP = 1.0, 0.1


def indexed_demo(demo: RecordedDemo, *, any_outcome: bool = False) -> IndexedDemo | None:
    """What a demo is found by; None for one that is no example.

    Args:
        demo: without steps it never is one.
        any_outcome: also one that was cut off, that failed (a judge's word stands above the person's), or of which a
            step was rejected.
    """
    head = demo.head
    failed = head.outcome == "failure" if head.verdict is None else head.verdict.complete == "no"
    is_right = head.status == "complete" and not failed and not any(step.recorded.left_out for step in demo.steps)
    if not demo.steps or not (is_right or any_outcome):
        return None
    typed = [step.response.action.typed_text or "" for step in demo.steps if step.recorded.variable]
    words = " ".join(step.description for step in demo.steps)
    return IndexedDemo(id=head.id, task=head.task, app=head.app, words=words, values=tuple(typed))


def rank(
    documents: Sequence[IndexedDemo],
    task: str,
    *,
    app: str = "",
    limit: int = 5,
    exclude: Iterable[str] = (),
    instance: Instance = "any",
    diversity: float = 0.3,
    seed: int = 0,
    similarity: Similarity | None = None,
) -> list[IndexedDemo]:
    """The demos to show, the best first; the same for the same arguments, whatever the order of the documents.

    Args:
        documents: what there is.
        task: to be done.
        app: its program; demos of the same one are preferred a little.
        limit: at most so many.
        exclude: demos that must not be shown.
        instance: see :data:`Instance`.
        diversity: 0 takes the most similar ones; the nearer to 1, the more a demo counts that is unlike the others.
        seed: decides between demos that fit equally well.
        similarity: by default full text.
    """
    plain = " ".join(task.casefold().split())
    left_out = frozenset(exclude)
    pool = [d for d in documents if d.id not in left_out]
    if instance == "other":
        pool = [d for d in pool if " ".join(d.task.casefold().split()) != plain]
    pool.sort(key=lambda d: hashlib.sha256(f"{seed}:{d.id}".encode()).hexdigest())
    found = (similarity or word_similarity)(pool, task)
    scored: list[tuple[IndexedDemo, float]] = []
    for document in pool:
        kin = same_kind(task, document.task, document.values)
        near = found.get(document.id, 0.0)
        if not kin and near <= 0:
            continue
        bonus = (
            _SAME_KIND * kin
            + likeness(task, document.task)
            + _SAME_APP * bool(app and document.app.casefold() == app.casefold())
        )
        scored.append((document, round(near + bonus, 6)))
    return _diverse(scored, limit=limit, diversity=diversity)


def _diverse(scored: Sequence[tuple[IndexedDemo, float]], *, limit: int, diversity: float) -> list[IndexedDemo]:
    """Maximal marginal relevance: each next one is good, and unlike those that were taken."""
    left = list(scored)
    words = {d.id: set(re.findall(r"\w+", f"{d.task} {d.words}".casefold())) for d, _ in left}
    taken: list[IndexedDemo] = []

    def worth(one: tuple[IndexedDemo, float]) -> float:
        demo, score = one
        alike = max((_overlap(words[demo.id], words[other.id]) for other in taken), default=0.0)
        return (1 - diversity) * score - diversity * alike

    while left and len(taken) < limit:
        best = max(left, key=worth)
        left.remove(best)
        taken.append(best[0])
    return taken


def _overlap(a: set[str], b: set[str]) -> float:
    return len(a & b) / len(a | b) if a or b else 0.0
