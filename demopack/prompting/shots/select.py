"""Ranks demos for a task: instances of its kind first, then by similarity, each next one unlike those before it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from demopack.pack.stream import DemoRows
from demopack.prompting.shots.kinds import likeness, same_kind, words_of
from demopack.prompting.shots.similarity import Document, FtsSimilarity, Similarity

__all__ = ["Choice", "Instance", "document_of", "documents_of", "rank"]

Instance = Literal["any", "other"]
"""Whether a demo of the very same task may be shown. It holds the answer: ``any`` is for use, ``other`` to measure."""

_SAME_KIND, _SAME_APP = 1.0, 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A demo that was chosen.

    Attributes:
        id: of the demo.
        score: how well it fits, 0 to about 3: words in common, the shape of the sentence, the kind.
        same_kind: whether its task is another instance of the same kind.
    """

    id: str
    score: float
    same_kind: bool


def document_of(demo: DemoRows) -> Document | None:
    """What a demo is found by; None for one that is no example: cut off, failed, without steps, or one rejected."""
    head = demo.head
    if head.status != "complete" or head.outcome == "failure" or not demo.steps:
        return None
    if any(step.review == "rejected" for step in demo.steps):
        return None
    typed = [str(step.response["action"]["parameters"].get("text_to_type", "")) for step in demo.steps if step.variable]
    words = " ".join(step.description for step in demo.steps)
    return Document(id=head.demo, task=head.task, app=head.app, words=words, values=tuple(typed))


def documents_of(demos: Iterable[DemoRows]) -> Iterator[Document]:
    """Of every demo that is an example."""
    for demo in demos:
        document = document_of(demo)
        if document is not None:
            yield document


def rank(
    documents: Sequence[Document],
    task: str,
    *,
    app: str = "",
    limit: int = 5,
    exclude: Iterable[str] = (),
    instance: Instance = "any",
    diversity: float = 0.3,
    seed: int = 0,
    similarity: Similarity | None = None,
) -> list[Choice]:
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
    banned = set(exclude)
    plain = " ".join(task.casefold().split())
    pool = [d for d in documents if d.id not in banned]
    if instance == "other":
        pool = [d for d in pool if " ".join(d.task.casefold().split()) != plain]
    pool.sort(key=lambda d: hashlib.sha256(f"{seed}:{d.id}".encode()).hexdigest())
    engine = similarity or FtsSimilarity()
    engine.fit(pool)
    found = engine.scores(task)
    scored: list[tuple[Document, Choice]] = []
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
        scored.append((document, Choice(id=document.id, score=round(near + bonus, 6), same_kind=kin)))
    return _diverse(scored, limit=limit, diversity=diversity)


def _diverse(scored: Sequence[tuple[Document, Choice]], *, limit: int, diversity: float) -> list[Choice]:
    """Maximal marginal relevance: each next one is good, and unlike those that were taken."""
    left = list(scored)
    words = {document.id: words_of(f"{document.task} {document.words}") for document, _ in left}
    taken: list[Choice] = []
    while left and len(taken) < limit:
        best = max(
            range(len(left)),
            key=lambda i: (
                (1 - diversity) * left[i][1].score
                - diversity * max((_overlap(words[left[i][1].id], words[choice.id]) for choice in taken), default=0.0)
            ),
        )
        taken.append(left.pop(best)[1])
    return taken


def _overlap(a: set[str], b: set[str]) -> float:
    return len(a & b) / len(a | b) if a or b else 0.0
