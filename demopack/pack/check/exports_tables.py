"""Where the answers of each format stand: lines of tables, and JSON files that are one demo each."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, get_args

from demopack.codecs.call_forms import call_problem
from demopack.codecs.catalogue import decode_answer
from demopack.codecs.code_calls import is_calls
from demopack.codecs.element_names import NamedBy
from demopack.codecs.llmresponse import format_action, parse_dsl_action
from demopack.codecs.observation import Observation
from demopack.codecs.sets.atif import ATIF_VERSION
from demopack.codecs.sets.fewshot import ANTHROPIC_TOOLS, GEMINI_TOOLS, OPENAI_TOOLS
from demopack.codecs.sets.grounding import INSTRUCTIONS, as_messages
from demopack.codecs.sets.questions import spaced
from demopack.codecs.ufo import ON_DOCUMENTS
from demopack.domain.actions import ActionTarget, parse_action
from demopack.domain.elements import ELEMENT_TYPES
from demopack.domain.geometry import Size, from_norm_xywh
from demopack.errors import ActionError
from demopack.json_lines import parse_object
from demopack.json_text import as_list, as_row, as_rows, object_in
from demopack.pack.check.exports import ExportedFile, as_number, numbers_in, size_of
from demopack.pack.check.exports_answers import ExportedAnswers, capital, check_target_box
from demopack.pack.check.private import PICTURE_URL

Row = dict[str, Any]


_NEAR_PX: Final = 3
"""As far beside a target's box the pointer of a pack may be."""
_ONE: Final = 1 + 1e-5
"""The far edge of a picture, and what rounding adds to it."""


def check_answers(answers: ExportedAnswers, row: Row, place: ExportedFile) -> None:
    """The answers of one line of a table, or of a file that is one demo; nothing where the format has none there."""
    read = (_DOCUMENTS if place.line is None else _ROWS).get(answers.name)
    if read is not None:
        if place.line is not None:
            answers.same_fields(row, place)
        read(answers, row, place)


def _size_of(path: object, place: ExportedFile) -> Size | None:
    """The size of a picture that a row names; None where it is not there, which is told elsewhere."""
    found = place.folder.find(path, place.name) if isinstance(path, str) else None
    size = None if found is None else place.folder.size(found)
    return None if size is None else Size(*size)


# Lines of tables --------------------------------------------------------------------------------------------------


def _llmresponse(check: ExportedAnswers, row: Row, place: ExportedFile) -> None:
    steps = as_rows(row["steps"]) if "steps" in row else [row]
    for step in steps:
        check.ordered(row.get("demo"), step.get("index"), place)
        what = f"the response of step {step.get('index')}"
        size = _size_of(step.get("image"), place)
        place.check_size(size, as_list(step.get("image_size")), f"The picture of step {step.get('index')}")
        elements = as_rows(step.get("elements"))
        for element in elements:
            box = numbers_in(element.get("bbox"))
            if len(box) != 4:
                place.broken("H03", f"Element {element.get('element_id')} has no bbox of four numbers.")
            elif min(box) < 0 or box[0] + box[2] > _ONE or box[1] + box[3] > _ONE:
                place.broken("G01", f"The bbox {box} of element {element.get('element_id')} is not within 0..1.")
        # Of the list only the target's line is needed, or any to know that there is a list.
        action = object_in(object_in(step.get("response")).get("action"))
        ends = (action.get("target"), object_in(action.get("parameters")).get("end_target"))
        wanted = [object_in(end).get("element_id") for end in ends]
        lines = [_line(one) for one in elements if one.get("element_id") in wanted] or map(_line, elements[:1])
        check.response(step.get("response"), what, place, listed=lines)


def _line(element: Row) -> str:
    """An element as other formats list it."""
    text = element.get("text")
    said = "" if text is None else f' "{" ".join(str(text).split())}"'
    box = ", ".join(f"{number:.6f}" for number in numbers_in(element.get("bbox")))
    return f"[{element.get('element_id')}] {element.get('type')}{said} at [{box}]"


def _turns(row: Row) -> list[Row]:
    if "prompt" in row or "completion" in row:
        return [*as_rows(row.get("prompt")), *as_rows(row.get("completion"))]
    return as_rows(row.get("messages", row.get("conversations")))


def _text(turn: Row) -> str:
    content = turn.get("content", turn.get("value"))
    if isinstance(content, str):
        return content
    return "\n".join(str(part["text"]) for part in as_rows(content) if "text" in part)


def _pairs(row: Row) -> Iterator[tuple[str, str]]:
    """Each question of a chat with its answer."""
    asked = ""
    for turn in _turns(row):
        role = turn.get("role", turn.get("from"))
        if role in {"assistant", "gpt"}:
            yield asked, _text(turn)
        elif role != "system":
            asked = _text(turn)


def _chat(check: ExportedAnswers, row: Row, place: ExportedFile) -> None:
    check.once(row.get("sample", row.get("id")), place)
    for number, turn in enumerate(_turns(row), start=1):
        if "loss_mask" in turn and turn["loss_mask"] != int(turn.get("role") == "assistant"):
            place.broken(
                "X05", f"loss_mask of turn {number} is {turn['loss_mask']!r}: the loss is on the answers alone."
            )
    given = row.get("images", row.get("image", row.get("file_names")))
    pictures = [given] if isinstance(given, str) else as_list(given)
    pairs = list(_pairs(row))
    if not pairs:
        place.broken("H03", "It has no answer.")
    read = _SAID[check.name]
    for number, (asked, said) in enumerate(pairs):
        what = "the answer" if len(pairs) == 1 else f"answer {number + 1}"
        picture = pictures[number] if len(pictures) == len(pairs) else _inline(row, place)
        size = picture if isinstance(picture, Size) else _size_of(picture, place)
        read(check, asked, said, what, place, size)


def _inline(row: Row, place: ExportedFile) -> Size | None:
    """I01, I04 and P04 for the one picture that stands in a chat itself; returns its size."""
    size = None
    for turn in _turns(row):
        for part in as_rows(turn.get("content")):
            url = object_in(part.get("image_url")).get("url")
            found = PICTURE_URL.match(url) if isinstance(url, str) else None
            if found is not None:
                size = place.check_bytes(picture_in(url), found["kind"], "The picture")
    return None if size is None else Size(*size)


def picture_in(url: object) -> bytes | None:
    """The bytes of a picture that stands in a URL; None where there is none, or its base64 cannot be read."""
    found = PICTURE_URL.match(url) if isinstance(url, str) else None
    try:
        return None if found is None else base64.b64decode(found.string[found.end() :], validate=True)
    except (binascii.Error, ValueError):
        return None


Said = Callable[[ExportedAnswers, str, str, str, ExportedFile, Size | None], None]


def _said_response(
    check: ExportedAnswers, asked: str, said: str, what: str, place: ExportedFile, size: Size | None
) -> None:
    del size
    check.response(said, what, place, listed=[asked])


_ACTION: Final = re.compile(r"^Action:[ \t]*", re.MULTILINE)


def _said_ui_tars(
    check: ExportedAnswers, asked: str, said: str, what: str, place: ExportedFile, size: Size | None
) -> None:
    del asked
    found = _ACTION.search(said)
    if found is None:
        check.count += 1
        place.broken("X05", f"{capital(what)} has no action.")
    else:
        check.calls(said, [line for line in said[found.end() :].split("\n\n") if line], capital(what), place, size)


_CALL: Final = re.compile(r"<tool_call>\n(.*?)\n</tool_call>", re.DOTALL)


def _said_qwen(
    check: ExportedAnswers, asked: str, said: str, what: str, place: ExportedFile, size: Size | None
) -> None:
    del asked
    try:
        calls = [object_in(json.loads(block)) for block in _CALL.findall(said)]
    except (ValueError, RecursionError) as error:
        check.count += 1
        place.broken("X05", f"{capital(what)} has a call that is no JSON: {error}.")
        return
    if not calls or len(calls) != said.count("<tool_call>"):
        check.count += 1
        place.broken("X05", f"{capital(what)} has no call between <tool_call> and </tool_call>.")
        return
    check.calls(said, calls, capital(what), place, size)


def _said_lam(check: ExportedAnswers, asked: str, said: str, what: str, place: ExportedFile, size: Size | None) -> None:
    try:
        answer = parse_object(said)
    except (ValueError, RecursionError) as error:
        place.broken("H04", f"{capital(what)} is no JSON: {error}.")
        return
    for name in ("thought", "control_label", "control_name", "function", "args", "status", "plan"):
        if name not in answer:
            place.broken("X05", f"{capital(what)} lacks {name}.")
            return
    if answer["status"] not in {"CONTINUE", "FINISH"}:
        place.broken("X05", f"{capital(what)} has the status {answer['status']!r}.")
    label = answer["control_label"]
    name = answer["control_name"]
    known = f'"label": {json.dumps(label)}, "control_text": {json.dumps(name, ensure_ascii=False)}'
    if label and f'"label": {json.dumps(label)}' not in asked:
        place.broken("A05", f"{capital(what)} names control {label!r}, which is not in the list that stands with it.")
    elif (known not in asked) if label else name:
        place.broken("A05", f"{capital(what)} calls control {label!r} {name!r}; the list says something else.")
    check.calls(answer, (), capital(what), place, size)


def _swift(check: ExportedAnswers, row: Row, place: ExportedFile) -> None:
    """The placeholders are filled as the trainer does, with corners in 0..1000."""
    check.once(row.get("sample"), place)
    objects = object_in(row.get("objects"))
    if objects.get("bbox_type") != "real":
        place.broken("X05", f"bbox_type is {objects.get('bbox_type')!r}, but the boxes are in pixels (real).")
    boxes = [numbers_in(box) for box in as_list(objects.get("bbox"))]
    numbers = as_list(objects.get("image_id")) or [0] * len(boxes)
    sizes = [_size_of(path, place) for path in as_list(row.get("images"))]
    texts = [_text(turn) for turn in _turns(row)]
    marks = sum(text.count("<bbox>") for text in texts)
    if marks != len(boxes) or len(numbers) != len(boxes):
        numbered = f"{len(numbers)} numbers of pictures in image_id"
        place.broken("X03", f"{marks} places for boxes (<bbox>), {len(boxes)} boxes, {numbered}.")
        return
    filled: list[list[int]] = []
    for box, number in zip(boxes, numbers, strict=True):
        size = sizes[number] if isinstance(number, int) and 0 <= number < len(sizes) else None
        if len(box) not in {2, 4} or not isinstance(number, int) or not 0 <= number < len(sizes):
            place.broken("H03", f"The box {box} of picture {number} is no point or box on a picture of the row.")
            return
        if size is not None:
            place.check_box([*box[:2], *box[-2:]], size, "The box")
        sides = size or (1000, 1000)
        filled.append([round(min(1.0, max(0.0, one / sides[n % 2])) * 1000) for n, one in enumerate(box)])
    left = iter(filled)
    turn = 0
    for asked, text in zip(_turns(row), texts, strict=True):
        whole = re.sub("<bbox>", lambda _: json.dumps(next(left)), text)
        if asked.get("role") == "assistant":
            what = f"Answer {turn + 1}"
            check.count += 1
            try:
                decode_answer(
                    parse_object(whole),
                    dialect="swift",
                    observation=Observation(size=sizes[turn : turn + 1][0] if turn < len(sizes) else None),
                )
            except ActionError as error:
                place.broken("A04", f"{what}: {error} ({error.code})")
            except (ValueError, RecursionError) as error:
                place.broken("H04", f"{what} is no JSON: {error}.")
            turn += 1


def _agentnet(check: ExportedAnswers, row: Row, place: ExportedFile) -> None:
    check.once(row.get("task_id"), place)
    for due, step in enumerate(as_rows(row.get("traj"))):
        what = f"The code of step {due}"
        if step.get("index") != due:
            place.broken("S01", f"index is {step.get('index')!r}, expected is {due}.")
        code = object_in(step.get("value")).get("code")
        calls = _code(code, what, place)
        if calls is None:
            check.count += 1
            continue
        check.calls(code, calls, what, place, _size_of(step.get("image"), place))


def _code(code: object, what: str, place: ExportedFile) -> list[str] | None:
    """The code as calls; None, and X05, for anything else."""
    if isinstance(code, str) and is_calls(code):
        return [code]
    place.broken("X05", f"{what} is no Python, or not made of calls alone.")
    return None


def _uipath(check: ExportedAnswers, row: Row, place: ExportedFile) -> None:
    _planner(check, row.get("answer"), "The answer", place)


def _planner(check: ExportedAnswers, answer: object, what: str, place: ExportedFile) -> None:
    data = object_in(answer)
    for name in ("previous_action_result", "thought", "action_description", "update_memory", "action"):
        if name not in data:
            place.broken("X05", f"{what} lacks {name}.")
            return
    check.calls(data, [data["action"]], what, place, None)


def _osworld(check: ExportedAnswers, row: Row, place: ExportedFile) -> None:
    if place.line is not None and row.get("step_num") != place.line:
        place.broken("S01", f"step_num is {row.get('step_num')!r}, expected is {place.line}.")
    shot = row.get("screenshot_file")
    found = place.picture(shot) if isinstance(shot, str) else None
    real = None if found is None else place.folder.size(found)
    before = check.shown(place.name, None if real is None else Size(*real))
    if before is None:
        before = _size_of("initial.png", place)
    step = object_in(row.get("info")).get("step")
    check.group(place, str(step), row.get("action"), before)


def _pix2struct(check: ExportedAnswers, row: Row, place: ExportedFile) -> None:
    check.once(row.get("step"), place)
    check.count += 1
    text = row.get("text")
    try:
        action = parse_dsl_action(str(text))
    except ActionError as error:
        place.broken(
            "A01" if error.field.endswith("scroll_direction") else "A04", f"The action: {error} ({error.code})"
        )
        return
    if format_action(action) != text:
        place.broken("A07", f"The action is not written as demopack writes it: {format_action(action)}.")


_POINT: Final = re.compile(r"\((\d+),(\d+)\)")


def _grounding(check: ExportedAnswers, row: Row, place: ExportedFile) -> None:
    """A row of numbers, or the same row as a question and its answer, which stand on lines of one number."""
    if "messages" not in row:
        _placed_row(check, row, place)
        return
    check.same_row(place.name, place, row)
    for _, said in _pairs(row):
        found = _POINT.fullmatch(said)
        if found is None:
            place.broken("X05", f"The answer {said!r} is no point (x,y).")
        elif max(int(found[1]), int(found[2])) > 1000:
            place.broken("G01", f"The point {said} is not within 0 to 1000.")


def _placed_row(check: ExportedAnswers, row: Row, place: ExportedFile) -> None:
    told_before = place.folder.findings.total
    size, box, point = (numbers_in(row.get(name)) for name in ("image_size", "box", "point"))
    if (len(size), len(box), len(point)) != (2, 4, 2) or 0 in size:
        place.broken("H03", "It lacks image_size, box or point.")
        check.element(row, place, sound=False)
        return
    check.once(f"{row.get('file_name')}, element {row.get('element_id')} {row.get('step')}", place)
    place.check_size(_size_of(row.get("file_name"), place), as_list(row.get("image_size")), "The picture")
    place.check_box(box, size, "The box", may_be_point=False)
    if not (box[0] <= point[0] < box[2] and box[1] <= point[1] < box[3]):
        place.broken("G01", f"The point {row['point']} is not in the box {row['box']}.")
    for pixels, name in ((point, "point"), (box, "box")):
        for scale, slack, field in ((1.0, 1e-5, f"{name}_fraction"), (1000.0, 1.0, f"{name}_1000")):
            told = numbers_in(row.get(field))
            due = [one / size[number % 2] * scale for number, one in enumerate(pixels)]
            if len(told) != len(due) or any(abs(one - other) > slack for one, other in zip(told, due, strict=True)):
                place.broken("G01", f"{field} {row.get(field)} is not the {name} {row[name]}.")
    _named_row(row, size, place)
    check.element(row, place, sound=place.folder.findings.total == told_before)
    folder, _, _ = place.name.partition("/")
    asked, picture = spaced(str(row.get("instruction"))), f"{folder}/{row.get('file_name')}"
    check.same_row(f"{folder}.jsonl", place, as_messages(asked, as_list(row.get("point_1000")), picture))


def _named_row(row: Row, size: list[float], place: ExportedFile) -> None:
    """What a row says in words, and the elements that it is not."""
    box = numbers_in(row.get("box"))
    others = [one for one in map(numbers_in, as_list(row.get("distractor_boxes"))) if len(one) == 4]
    if row.get("distractors") != len(others):
        place.broken("H03", f"distractors is {row.get('distractors')!r}; there are {len(others)} boxes.")
    for other in others:
        place.check_box(other, size, "A distractor", may_be_point=False)
        if other == box and min(box[2] - box[0], box[3] - box[1]) > 1:  # whose middle, rounded, lies in it
            place.broken("A05", f"A distractor is at {row['box']}, where the element itself is.")
    if row.get("named_by") not in get_args(NamedBy):
        place.broken("H03", f"named_by is {row.get('named_by')!r}, not one of {', '.join(get_args(NamedBy))}.")
    kind = "step" if row.get("step") else "element"
    asked, name = str(row.get("instruction")), str(row.get("name"))
    if row.get("kind") != kind:
        place.broken("H03", f"Its kind is {row.get('kind')!r}, not {kind}.")
    if asked.replace(name, "{}", 1) not in INSTRUCTIONS[kind]:
        place.broken("X05", f"The instruction {asked!r} does not ask for {name!r}.")
    if row.get("type") not in ELEMENT_TYPES:
        place.broken("H03", f"Its type is {row.get('type')!r}, which no element has.")
    elif row.get("named_by") in ("text", "type"):
        called = "element" if row["type"] == "other" else str(row["type"]).replace("_", " ")
        due = f'the {called} "{" ".join(str(row.get("text")).split())}"'
        if name != due:
            place.broken("A05", f"It is called {name!r}; by its type and text it is {due!r}.")


_SAID: Final[Mapping[str, Said]] = {
    **dict.fromkeys(("sharegpt", "trl", "trl-messages", "openai-chat"), _said_response),
    **dict.fromkeys(("ui-tars", "ui-tars-1.5"), _said_ui_tars),
    **dict.fromkeys(("qwen", "qwen2.5-vl"), _said_qwen),
    "lam": _said_lam,
}
_ROWS: Final[Mapping[str, Callable[[ExportedAnswers, Row, ExportedFile], None]]] = {
    **dict.fromkeys(_SAID, _chat),
    "llmresponse": _llmresponse,
    "swift": _swift,
    "agentnet": _agentnet,
    "uipath": _uipath,
    "osworld": _osworld,
    "pix2struct": _pix2struct,
    "grounding": _grounding,
}


# Files that are one demo ------------------------------------------------------------------------------------------


def _pictures_so_far(kind: str, item: Row) -> Iterator[object]:
    """The pictures that an item of a chat with computer tools shows."""
    if kind == "openai":
        yield from (part.get("image_url") for part in [*as_rows(item.get("content")), object_in(item.get("output"))])
    parts = as_rows(item.get("content" if kind == "anthropic" else "parts"))
    for part in parts:
        for one in [
            part,
            *as_rows(part.get("content")),
            *as_rows(object_in(part.get("function_response")).get("parts")),
        ]:
            source = as_row(one.get("source")) or as_row(one.get("inline_data"))
            if source is not None:
                yield f"data:image/png;base64,{source.get('data')}"


def _seen(kind: str, item: Row, size: Size | None) -> Size | None:
    for url in _pictures_so_far(kind, item):
        data = picture_in(url)
        found = None if data is None else size_of(data)
        size = size if found is None else Size(*found)
    return size


def _check_tools(row: Row, due: object, file: ExportedFile) -> None:
    if row.get("tools") != due:
        file.broken("X05", f"tools are {json.dumps(row.get('tools'))}, not {json.dumps(due)}.")


def _openai(check: ExportedAnswers, row: Row, file: ExportedFile) -> None:
    _check_tools(row, OPENAI_TOOLS, file)
    size: Size | None = None
    number = 0
    for item in as_rows(row.get("input")):
        if item.get("type") == "computer_call":
            number += 1
            calls = as_rows(item.get("actions"))
            if len(calls) != len(as_list(item.get("actions"))) or not calls:
                file.broken("H03", f"Call {number} has no actions.")
                continue
            if any("type" not in call for call in calls):
                continue  # told with the chat
            check.calls(item, calls, f"Call {number} ({item.get('call_id')})", file, size)
        size = _seen("openai", item, size)


def _anthropic(check: ExportedAnswers, row: Row, file: ExportedFile) -> None:
    _check_tools(row, ANTHROPIC_TOOLS, file)
    size: Size | None = None
    for number, turn in enumerate(as_rows(row.get("messages")), start=1):
        used = [part for part in as_rows(turn.get("content")) if part.get("type") == "tool_use"]
        if any(part.get("toolset_name") != "computer" for part in used):
            file.broken("X05", f"Turn {number} names another toolset than computer.")
        if used:
            calls = [{"name": part.get("name"), "input": part.get("input")} for part in used]
            check.calls(turn, calls, f"Turn {number}", file, size)
        size = _seen("anthropic", turn, size)


def _gemini(check: ExportedAnswers, row: Row, file: ExportedFile) -> None:
    _check_tools(row, GEMINI_TOOLS, file)
    size: Size | None = None
    for number, turn in enumerate(as_rows(row.get("contents")), start=1):
        calls: list[Row] = []
        for part in as_rows(turn.get("parts")):
            call = as_row(part.get("function_call"))
            if call is not None:
                # The reason is an argument, made for it.
                given = {key: value for key, value in object_in(call.get("args")).items() if key != "intent"}
                calls.append({"name": call.get("name"), "args": given})
        if calls:
            check.calls(turn, calls, f"Turn {number}", file, size)
        size = _seen("gemini", turn, size)


def _atif(check: ExportedAnswers, row: Row, file: ExportedFile) -> None:
    if row.get("schema_version") != ATIF_VERSION:
        file.broken("X05", f"schema_version is {row.get('schema_version')!r}, not {ATIF_VERSION}.")
    for number, step in enumerate(as_rows(row.get("steps")), start=1):
        if step.get("source") != "agent":
            continue
        calls = as_rows(step.get("tool_calls"))
        if len(calls) != 1:
            file.broken("X05", f"Step {number} has {len(calls)} calls, not one.")
            check.count += 1
            continue
        extra = object_in(step.get("extra"))
        given = object_in(calls[0].get("arguments"))
        data = {
            "reasoning": str(step.get("reasoning_content", "")),
            "action": {"action_type": calls[0].get("function_name"), **given},
            "is_goal_complete": extra.get("is_goal_complete"),
        }
        lines = [str(line) for line in as_list(extra.get("elements"))]
        response = check.response(data, f"the call of step {number}", file, listed=lines)
        size = numbers_in(extra.get("image_size"))
        if response is not None and len(size) == 2:
            check_target_box(response, extra, size, f"step {number}", file)


def _openadapt(check: ExportedAnswers, row: Row, file: ExportedFile) -> None:
    del check
    for number, step in enumerate(as_rows(row.get("steps"))):
        action = object_in(step.get("action"))
        what = f"The action of step {number}"
        # Beside OpenAdapt's own fields stand places as fractions, and the contract's action.
        own = {k: v for k, v in action.items() if k not in {"raw", "normalized_coordinates", "normalized_end"}}
        problem = call_problem("openadapt", own)
        if problem is not None:
            file.broken("X05", f"{what}: {problem}")
        seen = object_in(step.get("observation"))
        there = {None, *(str(node.get("node_id")) for node in as_rows(seen.get("nodes")))}
        named = [node.get("parent_id") for node in as_rows(seen.get("nodes"))]
        for one in (*named, seen.get("focused_node_id")):
            if not isinstance(one, str | None) or one not in there:
                file.broken("H03", f"The state of step {number} names the node {one!r}, which it does not show.")
        view = numbers_in(object_in(step.get("observation")).get("viewport"))
        for name, share in (("target", "normalized_coordinates"), ("drag_end", "normalized_end")):
            shares, place = numbers_in(action.get(share)), object_in(action.get(name))
            at = [as_number(place.get("x")), as_number(place.get("y"))]
            if share in action and (
                len(shares) != 2
                or len(view) != 2
                or any(
                    one is None or abs(part * side - one) > 1 for part, side, one in zip(shares, view, at, strict=True)
                )
            ):
                file.broken("G01", f"{share} of step {number} is not the place of its {name}.")
        raw = object_in(action.get("raw"))
        try:
            said = parse_action({key: value for key, value in raw.items() if key != "step"}) if raw else None
        except ActionError as error:
            file.broken("A04", f"raw of step {number}: {error} ({error.code})")
            continue
        if said is not None and len(view) == 2 and all(0 < side < 1 << 20 for side in view):
            size = Size(int(view[0]), int(view[1]))
            for name, target in (("target", said.target), ("drag_end", said.end)):
                _check_beside(object_in(action.get(name)), target, size, f"The {name} of step {number}", file)


def _check_beside(place: Row, target: ActionTarget | None, size: Size, what: str, file: ExportedFile) -> None:
    """G01 for a place that is not in the box of the target that it stands for."""
    at = numbers_in([place.get("x"), place.get("y")])
    if target is None or target.bbox is None or len(at) != 2:
        return
    x1, y1, x2, y2 = box = from_norm_xywh(target.bbox, size).corners
    if not (x1 - _NEAR_PX <= at[0] <= x2 + _NEAR_PX and y1 - _NEAR_PX <= at[1] <= y2 + _NEAR_PX):
        file.broken("G01", f"{what} is at {at}, beside the box {box} that raw has.")


def _ufo(check: ExportedAnswers, row: Row, file: ExportedFile) -> None:
    made = object_in(object_in(row.get("instantiation_result")).get("prefill"))
    plan = as_rows(object_in(made.get("result")).get("instantiated_plan"))
    for due, step in enumerate(plan, start=1):
        if step.get("Step") != due:
            file.broken("S01", f"Step is {step.get('Step')!r}, expected is {due}.")
        name = str(step.get("Function") or "").strip().partition("(")[0]
        if name in ON_DOCUMENTS:
            continue
        check.calls(step, (), f"Step {due}", file, None)
    complete = object_in(object_in(row.get("execution_result")).get("result")).get("complete")
    folder = {"yes": "execution_pass", "no": "execution_fail", "unsure": "execution_unsure"}.get(str(complete))
    if complete is not None and folder is None:
        file.broken("X05", f"complete is {complete!r}, not yes, no or unsure.")
    elif folder is not None and f"/{folder}/" not in f"/{file.name}":
        file.broken("X05", f"complete is {complete!r}, but the file does not lie in {folder}.")


def _uipath_steps(check: ExportedAnswers, row: Row, file: ExportedFile) -> None:
    for due, step in enumerate(as_rows(row.get("steps")), start=1):
        more = object_in(step.get("additional_parameters"))
        image = step.get("image")
        if isinstance(image, str):
            file.picture(image)
        ids = [one.get("id") for one in as_rows(step.get("actions"))]
        if ids != [str(due)]:
            file.broken("S01", f"The action ids are {ids}, expected is {due}.")
        try:
            call = parse_object(str(more.get("plan_action")))
        except (ValueError, RecursionError) as error:
            file.broken("H04", f"plan_action of step {due} is no JSON: {error}.")
            continue
        check.calls(call, [call], f"plan_action of step {due}", file, None)


_DOCUMENTS: Final[Mapping[str, Callable[[ExportedAnswers, Row, ExportedFile], None]]] = {
    "openai": _openai,
    "anthropic": _anthropic,
    "gemini": _gemini,
    "atif": _atif,
    "openadapt": _openadapt,
    "ufo": _ufo,
    "uipath": _uipath_steps,
}
