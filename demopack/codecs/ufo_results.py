"""What an evaluator of UFO writes about a run, and the same as a demo says it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from demopack.codecs.files.json_object import unpacked
from demopack.domain.verdicts import Answer, SubScore
from demopack.json_text import as_list, object_in

ANSWERS: Final[Mapping[str, Answer]] = {"yes": "yes", "no": "no", "unsure": "unsure"}


def sub_scores_in(written: Any) -> tuple[SubScore, ...] | None:  # noqa: ANN401 - any JSON value
    """The parts of the task, by name or as a list, as the evaluator writes it; None where one is no answer."""
    given, _ = unpacked(written)
    pairs: list[tuple[object, object]] = [*object_in(given).items()]
    pairs += [(row.get("name"), row.get("evaluation")) for row in map(object_in, as_list(given))]
    found: list[SubScore] = []
    for name, said in pairs:
        met = ANSWERS.get(str(said).strip().lower())
        if not isinstance(name, str) or met is None:
            return None
        found.append(SubScore(name=name, met=met))
    return None if given and not found else tuple(found)


def named(parts: Iterable[SubScore]) -> dict[str, Answer]:
    """Parts of the task by name; of several of one name each later one has its number behind it."""
    found: dict[str, Answer] = {}
    for part in parts:
        name, number = part.name, 2
        while name in found:
            name, number = f"{part.name} ({number})", number + 1
        found[name] = part.met
    return found


def _text(written: Any) -> str:  # noqa: ANN401 - any JSON value
    return "" if written is None else str(written)


_PLAIN: Final[Mapping[str, Callable[[Any], object]]] = {
    "reason": _text,
    "complete": lambda written: ANSWERS.get(_text(written).strip().lower(), "unsure"),
    "sub_scores": lambda written: named(sub_scores_in(written) or ()),
}


def unlike_ours(row: Mapping[str, Any]) -> dict[str, Any]:
    """Those fields of a result that an export would write otherwise, though a demo says all that they say.

    How it ended is one of three words, by which UFO files a result: only null stays beside them.
    """
    found = {name: row[name] for name, plain in _PLAIN.items() if name in row and plain(row[name]) != row[name]}
    return {name: value for name, value in found.items() if name != "complete" or value is None}


def outdated(row: Mapping[str, Any], ours: Mapping[str, Any]) -> set[str]:
    """Those fields of a result that say something else than the demo does by now.

    Args:
        row: as the source says it.
        ours: what an export writes without a source.
    """
    return {name for name, plain in _PLAIN.items() if name in row and name in ours and plain(row[name]) != ours[name]}
