"""Rules for exported demos: ATIF and openadapt-types files, samples in parquet (Hugging Face) and tar (WebDataset)."""

from __future__ import annotations

import contextlib
import importlib
import json
import tarfile
from collections.abc import Iterator
from datetime import datetime
from itertools import pairwise
from typing import Any, Final

from demopack.codecs.expected_action import AnswerTarget, ExpectedAction, answer_target, parse_expected
from demopack.codecs.sets.rl import DATA_SOURCE, STYLE
from demopack.domain.actions import ActionTarget
from demopack.domain.geometry import from_norm_xywh
from demopack.errors import BadInputError, GeometryError, PackError
from demopack.file_names import is_portable, is_safe
from demopack.json_text import as_list, as_row, as_rows, object_in
from demopack.pack.check.exports import ExportedFile, ExportedFolder, as_number, numbers_in
from demopack.pack.check.exports_answers import ExportedAnswers, check_target_box
from demopack.pack.check.pictures import MAX_PICTURE_BYTES
from demopack.pack.source import MAX_LINE_BYTES, unfolds_too_far

Row = dict[str, Any]
_BATCH: Final = 16
_MAX_ROW_BYTES: Final = 128 << 20
"""Of one row with its pictures."""
_VALUE_BYTES: Final = 64
"""What a value takes in memory at least, however often it is repeated in a few bytes of a file."""
_MAX_MEMBER_BYTES: Final = {"json": MAX_LINE_BYTES, "png": MAX_PICTURE_BYTES}
_BROKEN: Final = (OSError, EOFError, ValueError, tarfile.TarError)


def check_atif(row: Row, file: ExportedFile) -> None:
    """G01, G02, H03, I01, P01, S01, S02 and X04 for one trajectory."""
    steps = as_rows(row["steps"])
    _check_order([step.get("step_id") for step in steps], 1, "step_id", file)
    _check_times([_moment(step.get("timestamp")) for step in steps], file)
    for number, step in enumerate(steps, start=1):
        results = as_rows(object_in(step.get("observation")).get("results"))
        calls = [call.get("tool_call_id") for call in as_rows(step.get("tool_calls"))]
        for result in results:
            if result.get("source_call_id") is not None and result["source_call_id"] not in calls:
                file.broken(
                    "X04", f"Step {number} has a result of {result['source_call_id']!r}, which it did not call."
                )
        for content in [step.get("message"), *(result.get("content") for result in results)]:
            for part in as_rows(content):
                if part.get("type") == "image":
                    _picture(object_in(part.get("source")), "path", number, file)
        # What our own export adds: the picture before, its size, and where the target is on it.
        extra = object_in(step.get("extra"))
        size = as_list(extra.get("image_size"))
        if isinstance(extra.get("before"), str):
            _check_size(file.picture(extra["before"]), size, number, file)
        if box := as_list(extra.get("target_box")):
            _check_box(box, size, f"The target of step {number}", file)


def check_openadapt(row: Row, file: ExportedFile) -> None:
    """G01, G02, H03, I01, P01, S01 and S02 for one episode."""
    steps = as_rows(row["steps"])
    _check_order([step.get("step_index") for step in steps], 0, "step_index", file)
    _check_times([as_number(step.get("timestamp")) for step in steps], file)
    for number, step in enumerate(steps):
        seen = object_in(step.get("observation"))
        view = as_list(seen.get("viewport"))
        if seen.get("screenshot_path") is not None:
            _check_size(_picture(seen, "screenshot_path", number, file), view, number, file)
        nodes = as_rows(seen.get("nodes"))
        for node in nodes:
            box = as_row(node.get("bbox"))
            if box is not None:
                left, top, width, height = (as_number(box.get(name)) or 0 for name in ("x", "y", "width", "height"))
                what = f"The node {node.get('node_id')} of step {number}"
                _check_box([left, top, left + width, top + height], view, what, file)
        action = object_in(step.get("action"))
        if "type" not in action:
            file.broken("H03", f"Step {number} has no action with a type.")
        target = object_in(action.get("target"))
        point = numbers_in([target.get("x"), target.get("y")])
        if len(point) == 2 and not target.get("is_normalized"):
            _check_box([*point, *point], view, f"The target of step {number}", file)
        wanted = target.get("node_id")
        if wanted is not None and nodes and wanted not in [node.get("node_id") for node in nodes]:
            file.broken("H03", f"Step {number} aims at the node {wanted!r}, which it does not show.")


def _check_order(numbers: list[object], first: int, name: str, file: ExportedFile) -> None:
    wrong = next(((one, due) for due, one in enumerate(numbers, start=first) if one != due), None)
    if wrong is not None:
        file.broken("S01", f"{name} is {wrong[0]!r} where {wrong[1]} is due.")


def _check_times(times: list[float | None], file: ExportedFile) -> None:
    if any(later < earlier for earlier, later in pairwise(time for time in times if time is not None)):
        file.broken("S02", "A step begins before the one before it.")


def _moment(value: object) -> float | None:
    try:
        return datetime.fromisoformat(value).timestamp() if isinstance(value, str) else None
    except ValueError:
        return None


def _picture(row: Row, name: str, number: int, file: ExportedFile) -> str | None:
    if isinstance(row.get(name), str):
        return file.picture(row[name])
    file.broken("H03", f"A picture of step {number} has no {name}.")
    return None


def _check_size(picture: str | None, size: list[object], number: int, file: ExportedFile) -> None:
    if picture is not None:
        file.check_size(file.folder.size(picture), size, f"The picture of step {number}")


def _check_box(box: list[Any], size: list[object], what: str, file: ExportedFile) -> None:
    corners, sides = numbers_in(box), numbers_in(size)
    if (len(corners), len(sides)) == (4, 2):
        file.check_box(corners, sides, f"{what}:")
    else:
        file.broken("H03", f"{what} has no box of four numbers on a picture with a size.")


class _Samples:
    """Samples of all files of a folder, in order.

    Attributes:
        folder: where they are.
        whole: whether no step of a demo may be missing.
        count: how many there were.
    """

    def __init__(self, folder: ExportedFolder, answers: ExportedAnswers, *, whole: bool) -> None:
        self.folder = folder
        self._answers = answers
        self.whole = whole
        self.count = 0
        self._last: dict[str, int] = {}

    def check(self, row: Row, picture: bytes | None, called: str, place: ExportedFile) -> None:
        """One sample: its row, and the bytes of its picture where it has one."""
        self.count += 1
        self.folder.scan.row(place.name, place.line, row)
        size = as_list(row.get("image_size"))
        if picture is not None:
            real = place.check_bytes(picture, "image/png", f"The picture of {called}")
            place.check_size(real, size, f"The picture of {called}")
            size = list(real or size)
        sides = numbers_in(size)
        for name in ("target_box", "end_box"):
            corners = numbers_in(row.get(name))
            if row.get(name) is None or len(sides) != 2:
                continue
            if len(corners) == 4:
                place.check_box(corners, sides, f"{name} of {called}")
            else:
                place.broken("H03", f"{name} of {called} is no box of four numbers.")
        self._check_order(row.get("demo"), row.get("index"), place)
        lines = as_list(row.get("elements"))
        response = self._answers.response(
            row.get("response"), f"the response of {called}", place, listed=map(str, lines)
        )
        if response is not None and len(sides) == 2:
            check_target_box(response, row, sides, called, place)

    def check_reward(self, row: Row, called: str, place: ExportedFile) -> None:
        """One row for reinforcement learning: its pictures, and whether what is right can be read and lies on them."""
        self.count += 1
        pictures = as_rows(row.pop("images", None))
        self.folder.scan.row(place.name, place.line, row)
        more = object_in(row.get("extra_info"))
        self._check_order(more.get("demo"), more.get("number"), place)
        sizes = [
            place.check_bytes(one.get("bytes") or b"", "image/png", f"The picture of {called}") for one in pictures
        ]
        try:
            truth = parse_expected(str(object_in(row.get("reward_model")).get("ground_truth")))
        except BadInputError as error:
            place.broken("A04", f"The ground truth of {called} cannot be read: {error.details}")
            return
        self._check_told(row, truth, len(pictures), called, place)
        _check_truth(truth, called, place)
        for real in sizes:
            place.check_size(real, list(truth.size or ()), f"The picture of {called}")
        for goal in (*truth.goals, *truth.ends):
            if goal.box is not None and truth.size is not None:
                place.check_box(
                    list(map(float, goal.box.corners)), list(map(float, truth.size)), f"A target of {called}"
                )

    def _check_told(self, row: Row, truth: ExpectedAction, pictures: int, called: str, place: ExportedFile) -> None:
        """S01, X03 and X05 for what is told of a row beside its ground truth, and told twice."""
        more = object_in(row.get("extra_info"))
        self._answers.once(more.get("step"), place)
        asked = "".join(str(turn.get("content")) for turn in as_rows(row.get("prompt")))
        for name, text in (("prompt", asked), ("problem", str(row.get("problem")))):
            if text.count("<image>") != pictures:
                place.broken("X03", f"{text.count('<image>')} places for pictures in {name}, {pictures} pictures.")
        system, _, asks = asked.partition("<image>")
        if row.get("problem") != f"<image>{system}\n\n{asks}":
            place.broken("X05", f"problem of {called} is not its prompt.")
        if row.get("answer") != object_in(row.get("reward_model")).get("ground_truth"):
            place.broken("X05", f"answer and ground_truth of {called} are not the same.")
        for name, found, due in (
            ("data_source", row.get("data_source"), DATA_SOURCE),
            ("style of reward_model", object_in(row.get("reward_model")).get("style"), STYLE),
        ):
            if found != due:
                place.broken("X05", f"{name} of {called} is {found!r}, not {due!r}.")
        if more.get("action_type") != truth.action.action_type:
            message = f"action_type of {called} is {more.get('action_type')!r}, not {truth.action.action_type!r}."
            place.broken("X05", message)

    def _check_order(self, demo_id: object, index: object, place: ExportedFile) -> None:
        demo = str(demo_id)
        if not isinstance(index, int):
            place.broken("H03", "The sample has no index.")
            return
        last = self._last.get(demo, -1)
        if index != last + 1 if self.whole else index <= last:
            place.broken("S01", f"Step {index} of {demo} comes after step {last}.")
        self._last[demo] = index


def _check_truth(truth: ExpectedAction, called: str, place: ExportedFile) -> None:
    """A05 and X05 where the recorded action is not right by its own truth."""
    action, boxes = truth.action, {element.uid: element.box for element in truth.elements}
    due = action.status if action.action_type == "finish_goal" else "continue"
    if due not in truth.statuses or not truth.statuses <= {"continue", "success", "failure"}:
        place.broken("X05", f"statuses of {called} are {sorted(map(str, truth.statuses))}; the action says {due}.")
    for name, target, goals in (("targets", action.target, truth.goals), ("ends", action.end, truth.ends)):
        aim = answer_target(target, truth.elements, truth.size)
        if aim is not None and not any(_is_one(aim, goal) for goal in goals):
            place.broken("A05", f"The {name} of {called} do not have what the action was done to.")
        other = "" if target is None else _other_element(target, truth)
        if other:
            place.broken("A05", f"What the action of {called} was done to is {other}.")
        for goal in goals:
            if goal.uid and goal.box != boxes.get(goal.uid):
                place.broken("A05", f"A box of {name} of {called} is not that of element {goal.uid}.")
    if truth.ends and action.action_type != "drag":
        place.broken("A05", f"The action of {called} is no drag, but has ends.")


def _other_element(target: ActionTarget, truth: ExpectedAction) -> str:
    """What is said of a target that its element is not, in words; empty where they fit, or nobody lists elements."""
    number = target.element_id
    if number is None or not truth.elements:
        return ""
    own = next((element for element in truth.elements if element.number == number), None)
    if own is None:
        return f"element {number}, which is not in the list of elements"
    if target.track_id and own.track_id and target.track_id != own.track_id:
        return f"{target.track_id!r}; element {number} is {own.track_id!r}"
    if target.text is not None and target.text.split() != (own.text or "").split():
        return f"called {target.text!r}; element {number} has the text {own.text or ''!r}"
    if target.bbox is not None and truth.size is not None:
        with contextlib.suppress(GeometryError):
            box, due = from_norm_xywh(target.bbox, truth.size), own.box.clamped(truth.size)
            if any(abs(one - other) > 1 for one, other in zip(box.corners, due.corners, strict=True)):
                return f"at {box.corners}; element {number} is at {due.corners}"
    return ""


def _is_one(aim: AnswerTarget, goal: AnswerTarget) -> bool:
    """Whether they have the same name, or the same place."""
    named = ((aim.uid, goal.uid), (aim.track_id, goal.track_id), (aim.text, goal.text), (aim.box, goal.box))
    return any(one and one == other for one, other in named)


def check_shards(kind: str, folder: ExportedFolder, answers: ExportedAnswers) -> int | None:
    """A01, A04, A07, G01, G02, H03, H04, I01, I04, P01, P04 and S01; returns how many samples there are.

    Args:
        kind: ``huggingface`` or ``webdataset``.
        folder: that is checked.
        answers: of the folder.

    Returns:
        The number of samples; None where a file could not be read to its end.

    Raises:
        BadInputError: parquet cannot be read, because pyarrow is not installed.
    """
    dense = kind == "huggingface" and (answers.whole or not answers.name)
    samples = _Samples(folder, answers, whole=dense)
    ending, check = (".parquet", _check_parquet) if kind == "huggingface" else (".tar", _check_tar)
    whole = True
    for file in (ExportedFile(folder, name) for name in folder.names if name.endswith(ending)):
        try:
            check(file, samples)
        except (PackError, *_BROKEN) as error:
            whole = False
            file.broken("H04", f"It cannot be read to its end: {error}.")
    return samples.count if whole else None


def _check_parquet(file: ExportedFile, samples: _Samples) -> None:
    try:
        parquet: Any = importlib.import_module("pyarrow.parquet")
    except ModuleNotFoundError as error:
        raise BadInputError(
            f"{file.name} cannot be checked, because pyarrow is not installed; nothing was changed.",
            hint="Install it: pip install 'demopack[formats]'",
        ) from error
    with file.folder.source.open(file.name) as stream, parquet.ParquetFile(stream) as table:
        names = table.schema_arrow.names
        steps, rewards = "response" in names, "reward_model" in names
        for number, row in enumerate(_rows(table, file.folder.source.size(file.name) or 0), start=1):
            if rewards:
                samples.check_reward(row, f"row {number}", file.at(number))
                continue
            if not steps:
                file.folder.scan.row(file.name, number, row)
                continue
            place, image = file.at(number), as_row(row.pop("image", None))
            if image is not None and not is_safe(str(image.get("path") or "x")):
                place.broken("P01", f"The path {image['path']!r} leaves the folder.")
            data = None if image is None else image.get("bytes") or b""
            samples.check(row, data, f"row {number}", place)


def _rows(table: Any, size: int) -> Iterator[Row]:  # noqa: ANN401 - the library has no types
    """The rows of a parquet file of ``size`` bytes; what unfolds to a multiple of any honest table is not read.

    Raises:
        ValueError: rows are too large; the message names them.
    """
    first, told, read = 1, 0, 0
    for number in range(table.num_row_groups):
        group = table.metadata.row_group(number)
        columns = [group.column(n) for n in range(group.num_columns)]
        own = sum(max(one.total_uncompressed_size, one.num_values * _VALUE_BYTES) for one in columns)
        told += own
        if unfolds_too_far(told, size):
            last = first + group.num_rows - 1
            raise ValueError(f"rows {first} to {last} unfold to {own / 1e6:.0f} MB, from a file of {size:,} bytes")
        at_once = max(1, min(_BATCH, _MAX_ROW_BYTES // max(1, own)))
        for batch in table.iter_batches(batch_size=at_once, row_groups=[number]):
            # A value that is written once and repeated shows its size only here.
            plain = [one.dictionary_decode() if hasattr(one, "dictionary_decode") else one for one in batch.columns]
            here = sum(column.nbytes for column in plain)
            read += here
            if unfolds_too_far(read, size) or here > batch.num_rows * _MAX_ROW_BYTES:
                raise ValueError(f"the rows up to row {first} unfold to {read / 1e6:.0f} MB")
            yield from batch.to_pylist()
            first += batch.num_rows


def _check_tar(file: ExportedFile, samples: _Samples) -> None:
    key, held, last = "", dict[str, bytes | None](), file
    with file.folder.source.open(file.name) as stream, tarfile.open(fileobj=stream, mode="r:") as tar:
        for number, member in enumerate(tar, start=1):
            place = file.at(number)
            if not member.isfile() or not is_safe(member.name):
                place.broken("P01", f"{member.name!r} is no file inside the folder.")
                continue
            if not is_portable(member.name):
                place.broken("H02", f"The name {member.name!r} is not portable.")
            own, _, ending = member.name.partition(".")
            if own != key:
                _check_sample(key, held, last, samples)
                key, held = own, {}
            last = place
            held[ending] = None
            if member.size > _MAX_MEMBER_BYTES.get(ending, 0):
                if ending in _MAX_MEMBER_BYTES:
                    place.broken("H04", f"{member.name} has {member.size / 1e6:.0f} MB and was not read.")
            elif (inside := tar.extractfile(member)) is not None:
                held[ending] = inside.read()
        _check_sample(key, held, last, samples)


def _check_sample(key: str, held: dict[str, bytes | None], place: ExportedFile, samples: _Samples) -> None:
    """A sample is all files in a row that have the same name up to the first dot."""
    if not held:
        return
    for ending, word in (("json", "json"), ("png", "picture")):
        if ending not in held:
            place.broken("H03", f"The sample {key} has no {word}.")
            return
    text, picture = held["json"], held["png"]
    if text is None or picture is None:  # told already
        samples.count += 1
        return
    try:
        row = object_in(json.loads(text))
        # Lists stand there as JSON text; those of earlier exports are lists.
        box = row.get("target_box")
        row["target_box"] = json.loads(box) if isinstance(box, str) else box
        lines = row.get("elements")
        row["elements"] = json.loads(lines) if isinstance(lines, str) else lines
    except (ValueError, RecursionError) as error:
        place.broken("H04", f"The JSON of {key} cannot be read: {error}.")
        return
    samples.check(row, picture, key, place)
