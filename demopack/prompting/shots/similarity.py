"""How similar demos are to a task: a full-text index of SQLite, or embeddings that the caller brings."""

from __future__ import annotations

import math
import re
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

__all__ = ["Document", "EmbeddingSimilarity", "FtsSimilarity", "Similarity"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
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


class Similarity(Protocol):
    """Scores documents against a task. The only thing that an embedding model has to satisfy."""

    @property
    def name(self) -> str:
        """For the record of how a prompt was made."""
        ...

    def fit(self, documents: Sequence[Document]) -> None:
        """Take the documents in; replaces those of before."""
        ...

    def scores(self, task: str) -> Mapping[str, float]:
        """Document id -> 0..1; documents that have nothing to do with the task may be left out."""
        ...


class FtsSimilarity:
    """Words in common, weighed by how rare they are (BM25), in memory; the task counts more than what the steps say."""

    name = "sqlite-fts5"

    def __init__(self) -> None:
        self._db = sqlite3.connect(":memory:", check_same_thread=False)
        self._ids: list[str] = []

    def fit(self, documents: Sequence[Document]) -> None:
        """Build the index."""
        self._ids = [document.id for document in documents]
        self._db.execute("DROP TABLE IF EXISTS demos")
        self._db.execute("CREATE VIRTUAL TABLE demos USING fts5(task, app, words, tokenize='porter unicode61')")
        self._db.executemany(
            "INSERT INTO demos(rowid, task, app, words) VALUES (?, ?, ?, ?)",
            [(number, d.task, d.app, d.words) for number, d in enumerate(documents, start=1)],
        )

    def scores(self, task: str) -> Mapping[str, float]:
        """The best document has 1; one without a common word is left out."""
        terms = sorted(set(re.findall(r"\w+", task.casefold())))
        if not terms or not self._ids:
            return {}
        query = " OR ".join(f'"{term}"' for term in terms)
        # bm25() is the smaller the better, and negative.
        rows: list[tuple[int, float]] = self._db.execute(
            "SELECT rowid, -bm25(demos, 4.0, 2.0, 1.0) FROM demos WHERE demos MATCH ?", (query,)
        ).fetchall()
        # Words that stand in more than half of the documents can weigh less than nothing; they are still common words.
        weights: dict[str, float] = {self._ids[rowid - 1]: max(weight, 1e-6) for rowid, weight in rows}
        best = max(weights.values(), default=1.0)
        return {key: round(weight / best, 6) for key, weight in weights.items()}

    def close(self) -> None:
        """Let go of the index."""
        self._db.close()


class EmbeddingSimilarity:
    """The cosine of vectors that the caller's model makes of the tasks.

    Args:
        embed: texts to vectors of one length; called once for the documents and once for each task.
        name: of the model, for the record.
    """

    def __init__(self, embed: Callable[[Sequence[str]], Sequence[Sequence[float]]], *, name: str) -> None:
        self._embed = embed
        self._name = name
        self._vectors: dict[str, Sequence[float]] = {}

    @property
    def name(self) -> str:
        """Of the model."""
        return self._name

    def fit(self, documents: Sequence[Document]) -> None:
        """Embed the tasks, with their program."""
        self._vectors = {}
        if documents:
            vectors = self._embed([f"{document.task} ({document.app})" for document in documents])
            self._vectors = {document.id: vector for document, vector in zip(documents, vectors, strict=True)}

    def scores(self, task: str) -> Mapping[str, float]:
        """Cosines; negative ones count as 0."""
        if not self._vectors:
            return {}
        (query,) = self._embed([task])
        return {key: max(0.0, round(_cosine(query, vector), 6)) for key, vector in self._vectors.items()}


def _cosine(a: Sequence[float], b: Sequence[float]) -> float:
    lengths = math.hypot(*a) * math.hypot(*b)
    return sum(x * y for x, y in zip(a, b, strict=True)) / lengths if lengths else 0.0
