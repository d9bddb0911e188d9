"""What a record says that our own form of it does not, as data: so that what came in goes out equal.

A difference holds as long as the value beside it is the one that it was noted against: what was edited since wins.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

from demopack.domain.tasks import SourceDifference

_Path = tuple[str | int, ...]


def differences(ours: object, theirs: object, path: _Path = ()) -> Iterator[SourceDifference]:
    """The differences from our JSON value to theirs, objects key by key and lists of one length item by item."""
    if isinstance(ours, Mapping) and isinstance(theirs, Mapping):
        ours, theirs = cast("Mapping[str, object]", ours), cast("Mapping[str, object]", theirs)
        for key, value in ours.items():
            if key in theirs:
                yield from differences(value, theirs[key], (*path, key))
            else:
                yield SourceDifference(path=(*path, key), ours=value, is_absent=True)
        for key in theirs.keys() - ours.keys():
            yield SourceDifference(path=(*path, key), theirs=theirs[key], is_added=True)
    elif isinstance(ours, list) and isinstance(theirs, list):
        ours, theirs = cast("list[object]", ours), cast("list[object]", theirs)
        if len(ours) == len(theirs):
            for index, (one, other) in enumerate(zip(ours, theirs, strict=True)):
                yield from differences(one, other, (*path, index))
        else:
            yield SourceDifference(path=path, ours=ours, theirs=theirs)
    elif not _equal(ours, theirs):
        yield SourceDifference(path=path, ours=ours, theirs=theirs)


def with_differences(ours: dict[str, Any], noted: Iterable[SourceDifference]) -> dict[str, Any]:
    """Our JSON object as the source had it, where it was not edited since."""
    found: Any = copy.deepcopy(ours)
    for one in noted:
        if not one.path:
            continue
        inside: Any = found
        for key in one.path[:-1]:
            inside = _item(inside, key)
        last = one.path[-1]
        if one.is_added:
            if isinstance(inside, dict) and last not in inside:
                inside[last] = copy.deepcopy(one.theirs)
        elif _has(inside, last) and _equal(inside[last], one.ours):
            if one.is_absent:
                del inside[last]
            else:
                inside[last] = copy.deepcopy(one.theirs)
    return cast("dict[str, Any]", found)


def _has(inside: object, key: str | int) -> bool:
    if isinstance(inside, list):
        return isinstance(key, int) and key < len(cast("Sequence[object]", inside))
    return isinstance(inside, dict) and key in inside


def _item(inside: Any, key: str | int) -> Any:  # noqa: ANN401 - any JSON value
    return inside[key] if _has(inside, key) else None


def _equal(one: Any, other: Any) -> bool:  # noqa: ANN401 - any JSON value
    """Whether two JSON values are the same; 1 and true are not."""
    return type(one) is type(other) and one == other
