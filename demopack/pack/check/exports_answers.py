"""The answers in our own exports: each is parsed back with the codec that wrote it, and held against its picture.

Where each format has its answers stands in :mod:`demopack.pack.check.exports_tables` and ``exports_texts``; what an
answer must be is asked of the codecs alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from demopack.codecs.call_forms import call_problem
from demopack.codecs.catalogue import decode_answer
from demopack.codecs.observation import CoordinateSpace, Observation
from demopack.codecs.sets.base import Format
from demopack.domain.actions import ActionTarget, LLMResponse, parse_response
from demopack.domain.geometry import Size, from_norm_xywh
from demopack.errors import ActionError
from demopack.json_lines import parse_object
from demopack.json_text import object_in
from demopack.pack.check.exports import ExportedFile, as_number, numbers_in
from demopack.pack.check.steps import form_words

Row = dict[str, Any]
_TOLERANCE: Final = 0.0016
"""Lists of elements tell fractions with three digits."""
_ANY: Final = Size(1 << 20, 1 << 20)
"""Where nobody knows the picture's size, no place is beyond it."""
_NEAR: Final = 10
"""Widths of a window; what is further away is no fraction."""
_OFF_PICTURE: Final = frozenset({"off_screen", "bbox_out_of_range"})
_LISTED: Final = re.compile(r"^\[\d+\] ", re.MULTILINE)
_BOX: Final = re.compile(r" at \[([0-9.]+), ([0-9.]+), ([0-9.]+), ([0-9.]+)\]")
_AGENTNET: Final = frozenset({"task_id", "instruction", "traj"})
_COUNTED: Final = frozenset({
    "llmresponse", "sharegpt", "trl", "trl-messages", "swift", "ui-tars", "ui-tars-1.5", "qwen", "qwen2.5-vl",
    "agentnet", "atif",
})  # fmt: skip
"""Formats that have one answer for each row of their log."""


class ExportedAnswers:
    """The answers of one exported folder.

    Attributes:
        name: of the format that the folder's log names; empty without one, and then nothing is known of its answers.
        whole: whether the log says that no step was left out.
        empty: whether it says that there is no row.
        count: how many answers were looked at.
    """

    def __init__(self, format: Format | None, *, whole: bool = False, empty: bool = False) -> None:
        self.whole = whole
        self.empty = empty
        self.name = "" if format is None else format.name
        self.count = 0
        self._dialect = "" if format is None else format.dialect
        self._samples = set[str]()
        self._last: dict[str, int] = {}
        self._waiting: tuple[ExportedFile, str, list[Any], Size | None] | None = None
        self._shown: dict[str, Size | None] = {}
        self._fields: dict[str, tuple[frozenset[str], ExportedFile]] = {}
        self._rows: dict[tuple[str, int | None], int] = {}
        self._element: tuple[Row, int | None, bool] = ({}, None, True)

    @property
    def counted(self) -> int | None:
        """How many rows the answers are; None where a row may have several, or none."""
        return self.count if self.name in _COUNTED else None

    def finish(self) -> None:
        """What waited for the lines after it."""
        self.group(None, "", None)

    # What an answer is held against ------------------------------------------------------------------------------

    def once(self, key: object, place: ExportedFile) -> None:
        """S01 where a sample stands there twice."""
        if isinstance(key, str):
            if key in self._samples:
                place.broken("S01", f"The sample {key!r} stands there twice.")
            self._samples.add(key)

    def same_fields(self, row: Row, place: ExportedFile) -> None:
        """H03 where a row has other fields than those before it; AgentNet's may be left out but for three."""
        own = frozenset(row) & _AGENTNET if self.name == "agentnet" else frozenset(row)
        due, first = self._fields.setdefault(place.name, (own, place))
        if own == due:
            return
        if due < own and place.line == 2:  # then it is the first that lacks one
            self._fields[place.name] = (own, first)
            first.broken("H03", f"It lacks {', '.join(sorted(own - due))}.")
            return
        for words, names in (("lacks", due - own), ("has another field,", own - due)):
            if names:
                place.broken("H03", f"It {words} {', '.join(sorted(names))}.")

    def ordered(self, demo: object, index: object, place: ExportedFile) -> None:
        """S01 where the steps of a demo, a row each, are out of order; or one is missing, where none was left out."""
        if not isinstance(index, int):
            place.broken("H03", "The step has no index.")
            return
        due = self._last.get(str(demo), -1) + 1
        if index < due or (self.whole and index != due):
            place.broken("S01", f"index of {demo} is {index}, expected is {due}.")
        self._last[str(demo)] = index

    def response(
        self, value: object, what: str, place: ExportedFile, *, listed: Iterable[str] = ()
    ) -> LLMResponse | None:
        """A01, A04, A05, A07 and H04 for an answer in the contract's own form; None for one that breaks it.

        Args:
            value: the response, or its text.
            what: which answer, for people.
            place: where it stands.
            listed: the elements that stand beside it, as lines of text.
        """
        self.count += 1
        response = read_response(value, what, place)
        if response is not None:
            for name, target in _targets(response):
                _check_listed(target, f"The {name} of {what}", listed, place)
        return response

    def calls(
        self,
        said: Any,  # noqa: ANN401 - text, or any JSON
        calls: Sequence[Any],
        what: str,
        place: ExportedFile,
        size: Size | None,
    ) -> tuple[LLMResponse, ...]:
        """G01 and X05 for an answer in another program's vocabulary.

        Args:
            said: the answer as its parser takes it.
            calls: of the answer, each as the encoder makes it; those of the vocabulary's exact form.
            what: which answer, for people.
            place: where it stands.
            size: of its picture.
        """
        self.count += 1
        space: CoordinateSpace | None = "fraction" if self._dialect == "agentnet" else None
        try:
            for call in calls:
                problem = call_problem(self._dialect, call)
                if problem is not None:
                    place.broken("X05", f"{what}: {problem}")
                    return ()
            return decode_answer(
                said, dialect=self._dialect, observation=Observation(size=size or _ANY, space=space)
            ).responses
        except ActionError as error:
            # UFO's fractions are of the window that had the input; the target may lie beside it.
            if self._dialect == "ufo" and error.code == "off_screen" and _is_near_window(said):
                return ()
            rule = "G01" if error.code in _OFF_PICTURE else "X05"
            place.broken(rule, f"{what}: {error.user_message} ({error.code})")
            return ()

    def group(self, place: ExportedFile | None, step: str, call: Any, size: Size | None = None) -> None:  # noqa: ANN401
        """One of several lines of a step: they are read together, when the next step begins."""
        waiting = self._waiting
        if waiting is not None and place is not None and (waiting[0].name, waiting[1]) == (place.name, step):
            waiting[2].append(call)
            return
        if waiting is not None:
            first, name, calls, seen = waiting
            self.calls(calls, calls, f"The step {name}", first, seen)
        self._waiting = None if place is None else (place, step, [call], size)

    def shown(self, name: str, size: Size | None) -> Size | None:
        """The picture that a file showed before this one, which is noted."""
        before = self._shown.get(name)
        self._shown[name] = size or before
        return before

    def same_row(self, table: str, place: ExportedFile, said: Row) -> None:
        """X05 where a line of a table is not ``said``; ``place`` is it, or the line of its number of metadata.jsonl."""
        found = hash(json.dumps(said, sort_keys=True))
        known = self._rows.pop((table, place.line), None)
        if known is None:
            self._rows[table, place.line] = found
        elif known != found:
            message = "Its question, point or picture is not that of metadata.jsonl on the line of the same number."
            replace(place, name=table).broken("X05", message)

    def element(self, row: Row, place: ExportedFile, *, sound: bool) -> None:
        """A05 where the elements of a picture do not stand in their order, each followed by what was done to it.

        Args:
            row: an element, or a step that was done to the one before.
            place: where it stands.
            sound: whether nothing is wrong with the row by itself; no step has to be as one with which something is.
        """
        own = {name: value for name, value in row.items() if name not in {"kind", "step", "instruction"}}
        number, (before, line, is_sound) = row.get("element_id"), self._element
        if row.get("step"):
            known = before if is_sound else {name: before.get(name) for name in ("file_name", "element_id")}
            if any(own.get(name) != value for name, value in known.items()) or (
                is_sound and own.keys() != known.keys()
            ):
                place.broken("A05", f"A step was done to element {number}, which is not the one of the rows before.")
            return
        last = before.get("element_id") if before.get("file_name") == row.get("file_name") else 0
        if not isinstance(number, int) or (isinstance(last, int) and number <= last):
            place.broken("A05", f"Element {number!r} comes after element {last!r} on line {line}.")
        self._element = own, place.line, sound


def _is_near_window(said: Row) -> bool:
    args = object_in(said.get("Args", said.get("args")))
    places = (as_number(args.get(name)) for name in ("x", "y", "start_x", "start_y", "end_x", "end_y"))
    return all(abs(one) <= _NEAR for one in places if one is not None)


def read_response(value: object, what: str, place: ExportedFile) -> LLMResponse | None:
    """A01, A04, A07 and H04 for a response of the contract, or the text of one; None where it cannot be read."""
    try:
        data = parse_object(value) if isinstance(value, str) else object_in(value)
        response = parse_response(data)
    except ActionError as error:
        rule = "A01" if error.field.endswith("scroll_direction") else "A04"
        place.broken(rule, f"{capital(what)}: {error} ({error.code})")
        return None
    except (ValueError, RecursionError) as error:
        place.broken("H04", f"{capital(what)} is no JSON: {error}.")
        return None
    words = form_words(response)
    for word in words:
        place.broken("A07", f"{capital(what)}: {word}.")
    if not words and response.to_wire() != data:
        place.broken("A07", f"{capital(what)} is not written as demopack writes it.")
    return response


def check_target_box(response: LLMResponse, row: Row, size: Sequence[float], what: str, place: ExportedFile) -> None:
    """G01 where a column of pixels says another place than the response."""
    width, height = int(size[0]), int(size[1])
    for (name, target), column in zip(_targets(response), ("target_box", "end_box"), strict=False):
        box = numbers_in(row.get(column))
        if (
            target.bbox is not None
            and len(box) == 4
            and from_norm_xywh(target.bbox, Size(width, height)).corners != box
        ):
            place.broken("G01", f"{column} {[int(one) for one in box]} is not the bbox of the {name} of {what}.")


def capital(text: str) -> str:
    """The text as the beginning of a sentence."""
    return text[:1].upper() + text[1:]


def _targets(response: LLMResponse) -> Iterator[tuple[str, ActionTarget]]:
    for name, target in (("target", response.action.target), ("end_target", response.action.end)):
        if target is not None:
            yield name, target


def _check_listed(target: ActionTarget, what: str, listed: Iterable[str], place: ExportedFile) -> None:
    """A05 where the list of elements that stands beside an answer says something else of its target."""
    if target.element_id is None:
        return
    texts = list(listed)
    wanted = re.compile(rf"^\[{target.element_id}\] (.*)$", re.MULTILINE)
    line = next((found[1] for text in texts if (found := wanted.search(text)) is not None), None)
    if line is None:
        if any(_LISTED.search(text) for text in texts):
            number = target.element_id
            place.broken("A05", f"{what} is element {number}, which is not in the list of elements.")
        return
    if target.text is not None and f'"{" ".join(target.text.split())}"' not in line.replace("< ", "<"):
        place.broken("A05", f"{what} has the text {target.text!r}; element {target.element_id} is {line!r}.")
    box = _BOX.search(line)
    if box is not None and target.bbox is not None:
        there = [float(number) for number in box.groups()]
        if any(abs(one - other) > _TOLERANCE for one, other in zip(there, target.bbox, strict=True)):
            place.broken("A05", f"{what} has the bbox {list(target.bbox)}; element {target.element_id} is at {there}.")
