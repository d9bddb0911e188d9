"""Sampling by place of what has very many parts, or makes them up as they are asked for.

Along one row and one column first, then where these cross. No program is ever asked to search itself
(``docs/adr/0037-asking-programs.md``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from demopack.domain.geometry import Point, Rect
from recorder.backends.atspi.bus import BusQuery, Ref
from recorder.backends.atspi.element_queries import (
    ElementQueries,
    child_at,
    child_of_number,
    children_of,
    column_header,
    prop,
    rect_of,
    refs_of,
    variant,
)
from recorder.backends.atspi.roles import GRIDS, LIST_BOX, MANAGES_DESCENDANTS, TABLE, TREE, has_state
from recorder.backends.atspi.tree_nodes import ReadNode

_MAX_LISTED, _MAX_MANAGED = 100, 500
"""More parts of what says that it makes them up, and has no rows, are sampled by place as well."""
_MAX_SAMPLED = 300
_MAX_ALONG = 60
"""Rows, or columns, that are sampled."""
_COVERED = 3
"""Rows that may lie below the headers of a list that was scrolled."""
_STEP: Final = 12
"""Units of a program from one place that is asked to the next: no row is lower."""
_MAX_ASKED_ALONG: Final = 100
_UNTOLD: Final = -1
_ANSWER_S: Final = 0.5


class Sampler:
    """Asks what lies at some places of a table, a list or a tree; for one thread."""

    def __init__(self, asker: ElementQueries, *, is_qt: Callable[[str], bool]) -> None:
        """Nothing is asked yet.

        Args:
            asker: asks programs.
            is_qt: whether a program, by its name on the bus, is drawn by Qt.
        """
        self._asker = asker
        self._is_qt = is_qt

    def children_of_some_places(self, node: ReadNode) -> list[Ref]:
        """The children that lie at some places, of what makes them up as they are asked for; of no other."""
        box = node.raw
        if box is None or not has_state(node.states, MANAGES_DESCENDANTS):
            return []
        rows_told = columns = _UNTOLD
        if node.role in GRIDS:
            size = [prop(node.ref, "Table", "NRows"), prop(node.ref, "Table", "NColumns")]
            rows_told, columns = (variant(answer, _UNTOLD) for answer in self._asker.ask(size, _ANSWER_S))
        if self._is_made_up_of_parts(node, rows_told):
            return refs_of(self._asker.ask([children_of(node.ref)], _ANSWER_S)[0])
        headers = self._headers(node, columns, rows=rows_told)
        if rows_told == 0:
            return headers
        # Rows may begin further to the right, as branches of a tree do, and columns are as many as the first row has
        # that the headers do not cover: the middle of a list may be below its last row.
        places = (box.x1 + 3, box.x1 + box.width // 4, box.x1 + box.width // 2)
        none: list[int] = []
        rows = next((rows for x in places if (rows := self._along(node, box, down=True, beside=x))), none)
        across = next((found for y in rows[:_COVERED] if (found := self._along(node, box, down=False, beside=y))), none)
        points = [Point(x, y) for y in rows for x in across][:_MAX_SAMPLED]
        origin = self._asker.origin_of(node.ref.bus)
        seen = dict.fromkeys([*headers, *self._refs([child_at(node.ref, at, origin) for at in points])])
        seen.pop(node.ref, None)
        return list(seen)

    def _is_made_up_of_parts(self, node: ReadNode, rows: int) -> bool:
        """Whether its parts are there anyway, as those of GTK's lists of rows and boxes that flow.

        What lies at a place of such a thing is dear to ask.
        """
        most = _MAX_LISTED if node.role == LIST_BOX else _MAX_MANAGED if node.role in GRIDS else 0
        return rows == _UNTOLD and 0 < node.count <= most

    def _headers(self, node: ReadNode, columns: int, *, rows: int) -> list[Ref]:
        """The headers of a table's columns, which lie at no place of its own."""
        if not 0 < columns <= _MAX_ALONG:
            return []
        # Qt looks for them above the first row, and complains in its program's own log where there is none.
        none = rows == 0 and self._is_qt(node.ref.bus)
        heads = [] if none else self._refs([column_header(node.ref, column) for column in range(columns)])
        if not heads and node.role in {TREE, TABLE} and columns <= node.count:
            # Those of Qt come first, in a table behind the corner; it tells of none where there is no row.
            first = min(columns + (node.role == TABLE), node.count)
            heads = self._refs([child_of_number(node.ref, column) for column in range(first)])
        return heads

    def _refs(self, questions: Sequence[BusQuery]) -> list[Ref]:
        """What each question tells one element of, without those that tell none."""
        answers = self._asker.ask(questions, _ANSWER_S)
        return [ref for answer in answers if answer for ref in refs_of(([answer[0]],))]

    def _along(self, node: ReadNode, box: Rect, *, down: bool, beside: int) -> list[int]:
        """The middles of the cells of one column, or row, the one at ``beside``; in the program's units."""
        first, end = (box.y1 + 3, box.y2) if down else (box.x1 + 3, box.x2)
        places = range(first, end, max(_STEP, (end - first) // _MAX_ASKED_ALONG))
        origin = self._asker.origin_of(node.ref.bus)
        points = [Point(beside, at) if down else Point(at, beside) for at in places]
        cells = dict.fromkeys(self._refs([child_at(node.ref, at, origin) for at in points]))
        cells.pop(node.ref, None)
        answers = self._asker.ask([self._asker.extents_of(ref) for ref in cells], _ANSWER_S)
        boxes = [cell for answer in answers if (cell := rect_of(answer)) is not None]
        sides = dict.fromkeys((cell.y1, cell.y2) if down else (cell.x1, cell.x2) for cell in boxes)
        return [(max(low, first) + min(high, end)) // 2 for low, high in sides if low < end and high > first][
            :_MAX_ALONG
        ]
