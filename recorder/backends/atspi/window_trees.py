"""Reader of the accessibility trees of windows that can be seen, in a thread of its own, within each program's budget.

Nothing that is not shown is opened. What is as it was by its pixels, and of which its program told nothing, is not
asked again. What makes up its children as they are asked for, or has very many, is sampled by place.
"""

from __future__ import annotations

import contextlib
import logging
import math
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence, Set
from functools import partial
from typing import Any, Final

from demopack.domain.geometry import Rect, iou
from demopack.domain.steps import WindowInfo
from demopack.domain.trees import BoxTrust, ValueRange, WindowTree
from recorder.backends.atspi.budget import MOST_S, Budget, QueryThread
from recorder.backends.atspi.bus import BusQuery, Ref
from recorder.backends.atspi.element_queries import (
    MOST_CHILDREN,
    ROOT_PATH,
    about,
    child_count,
    children_of,
    first_action,
    number,
    prop,
    rect_of,
    refs_of,
    text_between,
    text_of,
    variant,
)
from recorder.backends.atspi.roles import (
    CELLS,
    EDITABLE,
    EXPANDABLE,
    FOCUSED,
    GRIDS,
    MANAGES_DESCENDANTS,
    NAMELESS,
    NUMERIC,
    PASSWORD_TEXT,
    POPPING_UP,
    ROOT_PANE,
    SECTION,
    TEXTS,
    has_state,
)
from recorder.backends.atspi.sampling import Sampler
from recorder.backends.atspi.tree_nodes import (
    ReadNode,
    flat_nodes,
    is_cut_off,
    partly_hidden,
    place_nodes,
    scaled_around_pages,
    walk_nodes,
)
from recorder.backends.atspi.walk import Walker
from recorder.backends.atspi.watch import SecureWatch
from recorder.backends.base import SeenWindow, WindowReading

_log = logging.getLogger(__name__)
_SPI: Final = "org.a11y.atspi."
_Answer = tuple[Any, ...] | None
_IsEnough = Callable[[], bool]
"""Whether a program has been asked enough at once."""
_MAX_NODES, _MAX_DEPTH = 1_500, 50
_MAX_CELLS = 200
"""More children of a table, list or tree are sampled by place, as those of what makes them up are."""
_BETWEEN_ROWS_PX = 4
_FEW_TOUCHED = 0.25
"""Share of the cells of a table that may have changed without its being sampled anew."""
_MAX_LOOKED_AT = 6_000
"""Of no window more elements are asked whether they are shown."""
_AT_ONCE = 100
_MAX_ROLES = 20_000
_MAX_TOLD = 2_000
_MAX_APPEARED = 16
_MAX_TEXT = 1_000
"""Characters of any text."""
_ANSWER_S, _WINDOW_S = 0.5, 1.5
_MIN_ROOM_S = 0.02
_READ_ON_S = 0.06
"""Room in a program's budget from which on a tree that was cut off or put off is worth going on with."""
_SAME_TOPS_S = 2.0
"""As long as the same windows can be seen, they are the same elements."""
_KEPT_LOOKS = 128
_MIN_SAME_WINDOW_IOU = 0.5
_TWICE, _AS_MUCH = 2, 1.1


class _Known:
    """What was read last of a window, and what of it may have changed since."""

    def __init__(
        self, top: ReadNode, is_touched: Callable[[ReadNode, ReadNode | None], bool], *, changed: Sequence[Rect]
    ) -> None:
        """Look through what was read.

        Args:
            top: the window.
            is_touched: whether a node itself, in the one around it, may be other than it was.
            changed: where pixels of the window changed. Where any did, what could not be seen whole may have moved.
        """
        self.changed = changed
        self.nodes = {node.ref: node for node in walk_nodes(top)}
        hidden = partly_hidden(top) if changed else frozenset[Ref]()
        around = {child.ref: node for node in self.nodes.values() for child in node.children}
        self.touched: set[Ref] = set()
        self.leads_on: set[Ref] = set()  # to what was cut off
        for node in reversed(list(walk_nodes(top))):  # what is in a node comes after it
            if node.is_cut or any(child.ref in self.leads_on for child in node.children):
                self.leads_on.add(node.ref)
            is_changed = node.ref in hidden or is_touched(node, around.get(node.ref))
            if is_changed or any(child.ref in self.touched for child in node.children):
                self.touched.add(node.ref)
        self.touched |= self.leads_on

    def unchanged(self, ref: Ref) -> ReadNode | None:
        """A node that need not be asked, with all that is in it; None where it must be."""
        return None if ref in self.touched else self.nodes.get(ref)


class TreeThread(QueryThread):
    """Reads the trees of the windows that it is told of; what was read is asked for by time."""

    def __init__(
        self,
        walker: Walker,
        budget: Budget,
        *,
        watch: SecureWatch,
        title_bar: Callable[[SeenWindow], WindowTree | None] = lambda _: None,
        focused: Callable[[], Ref | None] = lambda: None,
    ) -> None:
        """As a :class:`QueryThread`.

        Args:
            walker: asks programs.
            budget: how much they may be asked.
            watch: knows secure fields.
            title_bar: what the window manager tells of the frame around a window; asked in this thread.
            focused: the element that has the input now.
        """
        super().__init__("accessibility trees", walker, budget)
        self._watch = watch
        self._title_bar = title_bar
        self._focused = focused
        self._popups: dict[str, Sequence[Ref]] = {}
        self._stack: tuple[SeenWindow, ...] = ()
        self._tops_of: dict[int, Ref] = {}
        self._tops_until_s = 0.0
        self._roles: dict[Ref, int] = {}
        self._is_text: dict[Ref, bool] = {}
        self._toolkits: dict[str, str] = {}
        self._sampler = Sampler(self._asker, is_qt=self._is_qt)
        self._pending: list[tuple[tuple[SeenWindow, ...], tuple[Sequence[Rect] | None, ...]]] = []
        self._unread: dict[SeenWindow, tuple[Rect, ...] | None] = {}
        self._looks: deque[tuple[int, tuple[WindowReading, ...]]] = deque(maxlen=_KEPT_LOOKS)
        self._last: dict[Ref, tuple[WindowReading, ReadNode]] = {}
        self._cut: frozenset[str] = frozenset()
        self._put_off: set[str] = set()
        self._news: dict[str, int] = {}
        self._told: dict[str, set[Ref]] = {}
        self._appeared: dict[str, deque[Ref]] = {}
        self._news_lock = threading.Lock()

    # Any thread -------------------------------------------------------------------------------------------------

    def note(self, ref: Ref, t_ns: int) -> None:
        """A program has told that an element has changed."""
        with self._news_lock:
            self._news[ref.bus] = t_ns
            told = self._told.setdefault(ref.bus, set())
            told.add(ref if len(told) < _MAX_TOLD else _anything(ref.bus))

    def appeared(self, ref: Ref) -> None:
        """A program has told that it shows an element; it may be a window that it names nowhere else."""
        with self._news_lock:
            self._appeared.setdefault(ref.bus, deque(maxlen=_MAX_APPEARED)).append(ref)

    @property
    def news_ns(self) -> int:
        """When a program last told that something had changed; 0 for never."""
        with self._news_lock:
            return max(self._news.values(), default=0)

    @property
    def can_go_on(self) -> bool:
        """Whether a tree was cut off or put off for want of time, and its program may be asked for it now."""
        with self._changed:
            cut = () if self._busy or self._waiting else self._cut
        return any(self._budget.room_s(bus) >= _READ_ON_S for bus in cut)

    def look(self, stack: Sequence[SeenWindow], *, changed: Sequence[Sequence[Rect] | None]) -> None:
        """Read the trees of windows; a request that still waits is done with it.

        Args:
            stack: what can be seen, topmost first.
            changed: for each of these where its pixels have changed since the last look was asked for, boxes of the
                virtual desktop; None for anywhere.
        """
        with self._changed:
            self._pending.append((tuple(stack), tuple(changed)))
        self._put("look", self._look_at_pending)

    def before(self, t_ns: int) -> tuple[WindowReading, ...]:
        """What the newest look found that had ended before a time, topmost window first; empty where there is none."""
        with self._changed:
            return next((found for ended, found in reversed(self._looks) if ended < t_ns), ())

    # The thread -------------------------------------------------------------------------------------------------

    def _look_at_pending(self) -> None:
        with self._changed:
            pending, self._pending = self._pending, []
        # What changed before a look that was never made has changed all the same.
        for stack, changed in pending:
            for window, boxes in zip(stack, changed, strict=True):
                known = self._unread.get(window, ())
                self._unread[window] = None if boxes is None or known is None else (*known, *boxes)
        if pending:
            self._look_at(pending[-1][0])

    def _look_at(self, stack: tuple[SeenWindow, ...]) -> None:
        is_known = self._knows_tops(stack)
        if not is_known:
            self._stack, self._tops_of, self._tops_until_s = stack, self._tops(stack), time.monotonic() + _SAME_TOPS_S
        tops = self._tops_of
        readings: list[WindowReading] = []
        self._put_off = set()
        self._unread = {window: boxes for window, boxes in self._unread.items() if window in stack}
        for place, window in enumerate(stack):
            reading = None
            with _told_apart(window.app):
                readings += self._frame_of(window)
            with _told_apart(window.app):
                ref = tops.get(place)
                reading = None if ref is None else self._reading(ref, window)
            if reading is None:
                if ref is not None and is_known:  # perhaps another element is the window now: to be looked up soon
                    self._tops_until_s = 0.0
                    self._put_off.add(ref.bus)
                now = time.monotonic_ns()
                empty = WindowTree(app=window.app, title=window.title, box=window.box, complete=False)
                reading = WindowReading(tree=empty, started_ns=now, ended_ns=now)
            readings.append(reading)
        with self._changed:
            self._last = {ref: last for ref, last in self._last.items() if ref in tops.values()}
            self._cut = frozenset(ref.bus for ref, (_, top) in self._last.items() if is_cut_off(top)) | self._put_off
            self._looks.append((time.monotonic_ns(), tuple(readings)))

    def _knows_tops(self, stack: tuple[SeenWindow, ...]) -> bool:
        """Whether all windows are those of the last look, and each was told; one that was not may be, by now."""
        all_told = all(place in self._tops_of for place, window in enumerate(stack) if window.process)
        return stack == self._stack and all_told and time.monotonic() <= self._tops_until_s

    def _frame_of(self, window: SeenWindow) -> Iterator[WindowReading]:
        """What the window manager put around a window, which lies on it."""
        started = time.monotonic_ns()
        tree = self._title_bar(window)
        if tree is not None:
            yield WindowReading(tree=tree, started_ns=started, ended_ns=time.monotonic_ns())

    def _tops(self, stack: Sequence[SeenWindow]) -> dict[int, Ref]:
        """The accessible window of each window of the server that has one, by its place in the stack."""
        found: dict[int, Ref] = {}
        processes = {window.process for window in stack if window.process}
        for program in self._asker.programs(timeout_s=_ANSWER_S):
            bus = program.bus
            process = 0 if self._asker.bus.is_silent(bus) else self._asker.process(bus, timeout_s=_ANSWER_S)
            if process not in processes:
                continue
            mine = {place: window for place, window in enumerate(stack) if window.process == process}
            with _told_apart(bus):
                taken: set[Ref] = set()
                for _, place, ref in self._likely_tops(program, mine):
                    if place not in found and ref not in taken:
                        found[place] = ref
                        taken.add(ref)
        return found

    def _likely_tops(self, program: Ref, mine: Mapping[int, SeenWindow]) -> list[tuple[float, int, Ref]]:
        """How well each accessible window of a program that is shown fits each of its windows, best first."""
        self._asker.measure(program.bus, timeout_s=_ANSWER_S)
        shown = self._shown_names(self._asker.children(program, timeout_s=_ANSWER_S))
        pairs = self._pairs(shown, mine, alone=len(mine) == len(shown) == 1)
        if len(shown) < len(mine) or any(all(place != one for _, one, _ in pairs) for place in mine):
            popups = self._shown_names(self._popped_up(program.bus, {ref for ref, _ in shown}))
            pairs += self._pairs(popups, mine, alone=False)
        return sorted(pairs, key=lambda pair: -pair[0])

    def _pairs(
        self, shown: Sequence[tuple[Ref, str]], mine: Mapping[int, SeenWindow], *, alone: bool
    ) -> list[tuple[float, int, Ref]]:
        """How well each of some elements fits each of some windows, where it fits at all."""
        boxes = self._asker.boxes([ref for ref, _ in shown], timeout_s=_ANSWER_S)
        return [
            (likeness, place, ref)
            for (ref, name), box in zip(shown, boxes, strict=True)
            for place, window in mine.items()
            if (likeness := _likeness(window, name, box, alone=alone)) > 0
        ]

    def _shown_names(self, windows: Sequence[Ref]) -> list[tuple[Ref, str]]:
        """Those of some accessible windows that are shown, with their names."""
        questions = [q for ref in windows for q in (about(ref, "GetState"), prop(ref, "Accessible", "Name"))]
        answers = self._asker.ask(questions, _ANSWER_S)
        return [
            (ref, text_of(name))
            for ref, states, name in zip(windows, answers[::2], answers[1::2], strict=True)
            if states is not None and self._asker.is_shown(ref.bus, states[0])
        ]

    def _popped_up(self, bus: str, windows: Set[Ref]) -> Sequence[Ref]:
        """What was shown last, or is around the element that has the input or had it, in windows never named.

        Qt leaves context menus, and lists and menus that buttons open, out of what it tells of its windows. The
        innermost comes first: a menu that shows a list does not count that as a part of it.
        """
        with self._news_lock:
            appeared = [ref for ref in reversed(self._appeared.get(bus, ())) if ref not in windows]
        around: list[Ref] = []
        ref = self._focused()
        while ref is not None and ref.bus == bus and ref.path != ROOT_PATH and len(around) < _MAX_DEPTH:
            around.append(ref)
            ref = self._asker.parent(ref, timeout_s=_ANSWER_S)
        own = next((place for place, one in enumerate(around) if one in windows), None)
        if around and ref is not None and (own is None or self._is_qt(bus)):
            self._popups[bus] = list(dict.fromkeys((*around[:own], *self._popups.get(bus, ()))))[:_MAX_DEPTH]
        roles = self._asker.ask([about(ref, "GetRole") for ref in appeared], _ANSWER_S)
        menus = [ref for ref, role in zip(appeared, roles, strict=True) if role and number(role) in POPPING_UP]
        return list(dict.fromkeys((*menus, *self._popups.get(bus, ()))))

    def _reading(self, ref: Ref, window: SeenWindow) -> WindowReading | None:
        """The tree of a window: read now where anything has changed and its program may be asked, else as it was."""
        last, top = self._last.get(ref, (None, None))
        boxes = self._unread.get(window, ())
        with self._news_lock:
            told = frozenset(self._told.get(ref.bus, ()))
        same = last is not None and last.tree.title == window.title and last.tree.box == window.box
        was_cut = top is not None and is_cut_off(top)
        if same and boxes is not None and not boxes and not told and not was_cut:
            return last
        is_silent = self._asker.bus.is_silent(ref.bus)
        if is_silent or self._budget.room_s(ref.bus) < _MIN_ROOM_S:
            self._put_off |= set[str]() if is_silent else {ref.bus}
            return last if same else None
        known = None
        is_narrow = boxes is not None and _anything(ref.bus) not in told
        is_known = last is not None and (last.tree.complete or was_cut)
        if same and top is not None and boxes is not None and is_narrow and is_known:
            known = _Known(top, partial(self._is_touched, boxes, told | {ref}), changed=boxes)
        with self._news_lock:
            self._told.get(ref.bus, set()).difference_update(told)
        room_s = max(self._budget.room_s(ref.bus), MOST_S / 4)
        unanswered = self._asker.bus.times_unanswered(ref.bus)
        with self._spending(ref.bus, timeout_s=_ANSWER_S) as spent:
            started = time.monotonic_ns()
            tree, top = self._read(ref, window, known, lambda: spent.cost_s > room_s or spent.passed_s > _WINDOW_S)
            ended = time.monotonic_ns()
        if tree is None or top is None:
            return None
        if self._asker.bus.times_unanswered(ref.bus) != unanswered:
            # What it did not tell in time is not there; nobody knows what that was, so all of it is read again.
            tree, top.is_cut = tree.but(complete=False), True
            with self._news_lock:
                self._told.setdefault(ref.bus, set()).add(_anything(ref.bus))
        self._unread[window] = ()
        reading = WindowReading(tree=tree, started_ns=started, ended_ns=ended)
        self._last[ref] = reading, top
        return reading

    def _is_touched(self, boxes: Sequence[Rect], told: frozenset[Ref], node: ReadNode, around: ReadNode | None) -> bool:
        """Whether a node may be other than it was: its pixels changed, its program said so, or it had the input.

        What a row is opened and closed with lies before it, in no box.
        """
        if node.ref in told or node.role in POPPING_UP or node.role == ROOT_PANE or has_state(node.states, FOCUSED):
            return True
        box = self._to_pixels(node)
        row = None if around is None or not has_state(node.states, EXPANDABLE) else self._to_pixels(around)
        if box is not None and row is not None and row.x1 < box.x1:
            box = Rect(row.x1, box.y1, box.x2, box.y2)
        inside = [part for each in boxes if box is not None and (part := each.intersection(box)) is not None]
        if not inside or not node.children:
            return bool(inside) or (bool(boxes) and box is None)
        # What changed within a part of it concerns that part; what changed beside them may be a new one.
        parts = [place for child in node.children if (place := self._to_pixels(child)) is not None]
        return any(not any(place.encloses(change) for place in parts) for change in inside)

    def _is_qt(self, bus: str) -> bool:
        return self._toolkits.get(bus, "").lower().startswith("qt")

    def _to_pixels(self, node: ReadNode) -> Rect | None:
        return self._asker.scales.to_pixels(node.ref.bus, node.box)

    def _read(
        self, ref: Ref, window: SeenWindow, known: _Known | None, is_enough: _IsEnough
    ) -> tuple[WindowTree | None, ReadNode | None]:
        bus = ref.bus
        if bus not in self._toolkits:
            root = Ref(bus, ROOT_PATH)
            asked = [prop(root, "Application", "ToolkitName"), prop(root, "Application", "Version")]
            self._toolkits[bus] = " ".join(text_of(answer) for answer in self._asker.ask(asked, _ANSWER_S)).strip()
        top, complete = self._nodes(ref, is_enough, known)
        if top is None:
            return None, None
        place_nodes(top)
        self._asker.note_panes(ref, {node.ref: node.pane for node in walk_nodes(top)})
        scales = self._asker.scales
        trust: BoxTrust = "none" if self._asker.is_gtk_4(bus) else "pixels" if scales.is_sure(bus) else "window"

        def to_pixels(raw: Rect | None) -> Rect | None:
            return scales.to_pixels(bus, raw) if trust == "pixels" else None

        tree = WindowTree(
            app=window.app,
            toolkit=self._toolkits[bus],
            title=window.title,
            box=window.box,
            boxes=trust,
            complete=complete,
            nodes=tuple(scaled_around_pages(flat_nodes(top, to_pixels))),
        )
        return tree, top

    # Nodes ------------------------------------------------------------------------------------------------------

    def _nodes(self, ref: Ref, is_enough: _IsEnough, known: _Known | None) -> tuple[ReadNode | None, bool]:
        """A window with everything in it that is shown, and whether that is all."""
        level = self._shown([ref])
        top = next(iter(level), None)
        count, looked_at, complete = 1, 1, True
        met = {ref}
        for _ in range(_MAX_DEPTH):
            if not level:
                break
            self._describe(level)
            whole = [node for node in level if 0 < node.count <= _most(node)]
            answers = self._asker.ask([children_of(node.ref) for node in whole], _ANSWER_S)
            below = [(node, refs_of(answer)[: _most(node)]) for node, answer in zip(whole, answers, strict=True)]
            # Some tell of more children than a number can hold: then it is negative.
            many = [node for node in level if node.count < 0 or node.count > _most(node)]
            below += [(node, self._some(node, known)) for node in many]
            complete = not (many and is_enough())
            # What tells that it is within itself is read once.
            parents = {child: node for node, refs in below for child in refs if child not in met}
            if looked_at + len(parents) > _MAX_LOOKED_AT:
                complete = False
                break
            met.update(parents)
            looked_at += len(parents)
            kept = {} if known is None else {ref: node for ref in parents if (node := known.unchanged(ref)) is not None}
            asked = iter(self._shown([ref for ref in parents if ref not in kept]))
            fresh = {node.ref: node for node in asked}
            met.update(node.ref for top_kept in kept.values() for node in walk_nodes(top_kept))
            count += len(fresh) + sum(sum(1 for _ in walk_nodes(node)) for node in kept.values())
            found = [node for ref in parents if (node := kept.get(ref) or fresh.get(ref)) is not None]
            is_new = known is None or not known.leads_on.issuperset(fresh)
            is_late = is_new and is_enough()
            if count > _MAX_NODES:
                found, complete = found[: max(0, _MAX_NODES - count + len(found))], False
            for node in found:
                parents[node.ref].children.append(node)
            level = [node for node in found if node.ref in fresh]
            if is_late or not complete:
                self._describe(level)
                for node in level:
                    node.is_cut = complete and node.count != 0  # of too many nodes none is gone on with
                complete = complete and not any(node.is_cut for node in level)
                break
        return top, complete

    def _shown(self, refs: Sequence[Ref]) -> list[ReadNode]:
        """Those of some elements that are shown, with role, states and box."""
        unknown = [ref for ref in refs if ref not in self._roles]
        questions: list[BusQuery] = [about(ref, "GetState") for ref in refs]
        questions += [about(ref, "GetRole") for ref in unknown]
        answers = self._asker.ask(questions, _ANSWER_S)
        if len(self._roles) > _MAX_ROLES:
            self._roles.clear()
        for ref, answer in zip(unknown, answers[len(refs) :], strict=True):
            if answer is not None:
                self._roles[ref] = number(answer)
        nodes: list[ReadNode] = []
        for ref, states in zip(refs, answers, strict=False):
            role = self._roles.get(ref)
            if states is None or role is None:
                continue
            if self._asker.is_shown(ref.bus, states[0]):
                nodes.append(ReadNode(ref, role, states[0], secure=role == PASSWORD_TEXT or self._watch.is_secure(ref)))
        return nodes

    def _describe(self, nodes: Sequence[ReadNode]) -> None:
        """Ask what is said of nodes, and their texts and numbers; of a secure field neither text nor children."""
        for first in range(0, len(nodes), _AT_ONCE):  # what they say may be long
            self._describe_some(nodes[first : first + _AT_ONCE])

    def _describe_some(self, nodes: Sequence[ReadNode]) -> None:
        self._learn_interfaces([node.ref for node in nodes if node.role in NAMELESS and not node.secure])
        asked = [(node, part, query) for node in nodes for part, query in self._questions(node).items()]
        answers = self._asker.ask([query for _, _, query in asked], _ANSWER_S)
        told: dict[int, dict[str, _Answer]] = {}
        for (node, part, _), answer in zip(asked, answers, strict=True):
            told.setdefault(id(node), {})[part] = answer
        # Qt complains of a text that is asked for beyond its end.
        lengths = [(node, min(variant(told[id(node)].get("length"), 0), _MAX_TEXT)) for node in nodes]
        texts = [(node, text_between(node.ref, 0, length)) for node, length in lengths if length > 0]
        for (node, _), text in zip(texts, self._asker.ask([query for _, query in texts], _ANSWER_S), strict=True):
            node.value = str(text[0])[:_MAX_TEXT] if text else ""
        for node in nodes:
            said = told[id(node)].get
            node.name, node.raw = text_of(said("name"))[:_MAX_TEXT], rect_of(said("box"))
            node.count = variant(said("count"), 0)
            node.clickable = said("action") == (_CLICK,)
            attributes = said("attributes")
            if attributes:
                more: dict[str, str] = dict(attributes[0])
                node.placeholder = str(more.get("placeholder-text") or more.get("placeholder") or "")[:_MAX_TEXT]
            numbers = [said(part) for part in _NUMBERS]
            minimum, value, maximum = (variant(number_of, 0.0) for number_of in numbers)
            if None not in numbers and all(map(math.isfinite, (minimum, value, maximum))):
                node.range = ValueRange(minimum=minimum, value=value, maximum=maximum)
                node.value = f"{value:g}"

    def _learn_interfaces(self, refs: Sequence[Ref]) -> None:
        """Ask which of some elements hold text, where their roles do not say it."""
        if len(self._is_text) > _MAX_ROLES:
            self._is_text.clear()
        unknown = [ref for ref in refs if ref not in self._is_text]
        for ref, answer in zip(
            unknown, self._asker.ask([about(ref, "GetInterfaces") for ref in unknown], _ANSWER_S), strict=True
        ):
            self._is_text[ref] = answer is not None and f"{_SPI}Text" in answer[0]

    def _questions(self, node: ReadNode) -> dict[str, BusQuery]:
        ref = node.ref
        asked = {"name": prop(ref, "Accessible", "Name"), "box": self._asker.extents_of(ref)}
        if node.secure or node.role == PASSWORD_TEXT:
            return asked
        asked["count"] = child_count(ref)
        if (node.role in TEXTS or has_state(node.states, EDITABLE)) and self._is_text.get(node.ref, True):
            asked["length"] = prop(ref, "Text", "CharacterCount")
            asked["attributes"] = BusQuery(ref, f"{_SPI}Accessible", "GetAttributes", reply="a{ss}")
        elif node.role in NUMERIC:
            asked |= {part: prop(ref, "Value", part) for part in _NUMBERS}
        elif node.role == SECTION:
            asked["action"] = first_action(ref)
        return asked

    # What is sampled --------------------------------------------------------------------------------------------

    def _some(self, node: ReadNode, known: _Known | None) -> list[Ref]:
        """Those children of very many that are asked: as last time, where little of them has changed."""
        last = None if known is None else known.nodes.get(node.ref)
        if known is not None and last is not None and last.children and last.raw == node.raw:
            touched = sum(child.ref in known.touched for child in last.children)
            if touched <= _FEW_TOUCHED * len(last.children) and not self._may_have_more(last, known.changed):
                return [child.ref for child in last.children]
        return self._sampler.children_of_some_places(node)

    def _may_have_more(self, node: ReadNode, changed: Sequence[Rect]) -> bool:
        """Whether anything changed in it where none of its rows was, as where one is opened or a new one comes."""
        box = self._to_pixels(node)
        rows = [place for child in node.children if (place := self._to_pixels(child)) is not None]
        if box is not None and node.role in GRIDS:
            rows = [Rect(box.x1, row.y1, box.x2, row.y2) for row in rows]
        inside = [part for each in changed if box is not None and (part := each.intersection(box)) is not None]
        return any(_is_bare(part, [row.grown(_BETWEEN_ROWS_PX) for row in rows]) for part in inside)


_NUMBERS: Final = ("MinimumValue", "CurrentValue", "MaximumValue")
_CLICK: Final = "click"
"""What browsers call what a page does by a handler of its own; whatever lies in such an element tells another word."""


@contextlib.contextmanager
def _told_apart(program: str) -> Generator[None]:
    """Whatever one program answers that cannot be understood costs none of the others its tree."""
    try:
        yield
    except Exception:  # noqa: BLE001 - programs say what they like; the log has it
        _log.warning("What “%s” reports could not be read.", program, exc_info=True)


def _anything(bus: str) -> Ref:
    """Stands for all elements of a program that told of too many changes to keep them apart."""
    return Ref(bus, "")


def _is_bare(part: Rect, rows: Sequence[Rect]) -> bool:
    """Whether some of a box's height is beside all of some rows."""
    y = part.y1
    for row in sorted((row for row in rows if row.x1 < part.x2 and part.x1 < row.x2), key=lambda row: row.y1):
        if row.y1 > y:
            break
        y = max(y, row.y2)
    return y < part.y2


def _most(node: ReadNode) -> int:
    """How many children are asked for at once."""
    if has_state(node.states, MANAGES_DESCENDANTS):
        return 0
    return _MAX_CELLS if node.role in CELLS else MOST_CHILDREN


def _likeness(window: WindowInfo, name: str, box: Rect | None, *, alone: bool) -> float:
    """How well an accessible window fits one of the server's; 0 where it does not."""
    # Qt gives what it pops up the title of the program, which its main window may have as well.
    sized = box is None or window.box is None or not box.area or _is_of_size(box, window.box)
    titled = bool(name) and name.strip() == window.title.strip() and sized
    overlap = 0.0 if box is None or window.box is None else iou(box, window.box)
    if alone or titled or overlap >= _MIN_SAME_WINDOW_IOU:
        return 0.1 + titled + overlap
    return 0.0


def _is_of_size(box: Rect, other: Rect) -> bool:
    """Whether neither of two boxes is twice as wide or high as the other, or both sides are larger by as much.

    Where they are does not matter. The other way it is on a scaled desktop, with a frame around the window or not.
    """
    sides = ((box.width, other.width), (box.height, other.height))
    shares = sorted(b / a for a, b in sides)
    return all(max(pair) <= _TWICE * min(pair) for pair in sides) or shares[1] <= _AS_MUCH * shares[0]
