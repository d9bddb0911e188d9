"""Answers are held against a recorded demo; every figure is worked out by hand here."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from demopack.codecs.expected_action import expected_action
from demopack.errors import BadInputError
from demopack.pack import export_pack
from demopack.pack.reader import open_packs
from demopack.prompting.scoring.answer_verdict import AnswerVerdict
from demopack.prompting.scoring.metrics import ScoreReport, figures
from demopack.prompting.scoring.predictions import Answer, Predictions, read_alternatives, read_predictions
from demopack.prompting.scoring.reward import compute_score
from demopack.prompting.scoring.step_scores import score, score_step
from demopack.store import Library
from demopack_cli.score import command
from tests.support.demos import sample_demo, tiny_demo
from tests.support.exports import export
from tests.support.packs import PackFolder, Row
from tests.support.pictures import swatch

CLICK, TYPE, LIST, OPTION, NEWS, DRAG, SCROLL, SPOT, KEY, SAVE, FINISH = range(11)


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> PackFolder:
    root = tmp_path_factory.mktemp("scored")
    with Library.open(root / "library") as library:
        export_pack(library, [sample_demo(library, draw=swatch), tiny_demo(library)], root / "pack")
    return PackFolder(root / "pack")


@pytest.fixture
def truth(pack: PackFolder) -> list[Row]:
    return [{"step": row["step"], "answer": copy.deepcopy(row["response"])} for row in pack.rows("steps")]


def write(folder: Path, rows: Sequence[Row]) -> Path:
    file = folder / "answers.jsonl"
    file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return file


def scored(pack: PackFolder, folder: Path, rows: Sequence[Row], **options: Any) -> ScoreReport:
    with open_packs([pack.path]) as demos:
        return score(read_predictions(write(folder, rows)), demos, pack="pack", **options)


def hits(report: ScoreReport) -> dict[str, tuple[int, int]]:
    return {name: (figure.hits, figure.of) for name, figure in report.figures.items()}


def action(row: Row) -> Row:
    found: Row = row["answer"]["action"]
    return found


def test_the_messages_of_a_training_row_are_an_answer_and_those_of_an_api_stay_as_they_are(tmp_path: Path) -> None:
    message = {"role": "assistant", "content": [{"type": "tool_use", "input": {}}]}
    talk = [{"role": "user", "content": "Now?"}, {"role": "assistant", "content": "Yes."}]
    rows = [{"step": "a", "completion": talk}, {"step": "b", "answers": [message]}, {"step": "c", "answers": talk}]
    found = read_predictions(write(tmp_path, rows)).answers
    assert [found[name].parts for name in "abc"] == [("Yes.",), (message,), tuple(talk)]


def test_the_recorded_answers_are_all_right(pack: PackFolder, truth: list[Row], tmp_path: Path) -> None:
    report = scored(pack, tmp_path, truth)
    assert hits(report) == {
        "object": (9, 9), "kind": (14, 14), "operation": (14, 14), "status": (14, 14), "step": (14, 14),
        "task": (2, 2), "precision": (14, 14), "recall": (14, 14), "inside": (10, 10),
    }  # fmt: skip
    assert all(figure.value == figure.low == figure.high == 1 for figure in report.figures.values())
    assert (report.tasks, report.steps, report.answered, report.unused) == (2, 14, 14, 0)
    assert {group.name: group.steps for group in report.by_action} == {
        "click": 7, "drag": 1, "finish_goal": 2, "press_key": 1, "scroll": 1, "type": 2,
    }  # fmt: skip


def test_no_answer_is_a_wrong_one(pack: PackFolder, truth: list[Row], tmp_path: Path) -> None:
    report = scored(pack, tmp_path, [*truth[:SAVE], *truth[FINISH:]])
    assert hits(report)["step"] == (13, 14)
    assert hits(report)["object"] == (8, 9)
    assert hits(report)["task"] == (1, 2)
    assert hits(report)["precision"] == (13, 13), "nothing that was answered is wrong"
    assert hits(report)["recall"] == (13, 14)


WRONG: list[tuple[str, int, Callable[[Row], object], dict[str, int]]] = [
    ("another button", SAVE, lambda a: a.update(target={"element_id": 1}), {"object": 1, "step": 1}),
    ("a place elsewhere", SAVE, lambda a: a.update(target={"bbox": [0.9, 0.9, 0, 0]}), {"object": 1, "step": 1}),
    ("the whole window", SAVE, lambda a: a.update(target={"bbox": [0.0, 0.45, 0.25, 0.53]}), {"object": 1, "step": 1}),
    ("the wrong button of the mouse", LIST, lambda a: a["parameters"].update(click_type="right"),
     {"operation": 1, "step": 1}),
    ("without the key held down", SAVE, lambda a: a["parameters"].clear(), {"operation": 1, "step": 1}),
    ("another text", TYPE, lambda a: a["parameters"].update(text_to_type="Ada"), {"operation": 1, "step": 1}),
    ("Enter after the text", TYPE, lambda a: a["parameters"].update(submit=True), {"operation": 1, "step": 1}),
    ("another key", KEY, lambda a: a["parameters"].update(key_info="Tab"), {"operation": 1, "step": 1}),
    ("the other way", SCROLL, lambda a: a["parameters"].update(scroll_direction="up"), {"operation": 1, "step": 1}),
    ("dragged too far", DRAG, lambda a: a["parameters"].update(end_target={"bbox": [0.9, 0.59, 0, 0]}),
     {"object": 1, "step": 1}),
    ("another action", KEY, lambda a: a.update(action_type="wait", parameters={"wait_duration_s": 1}),
     {"kind": 1, "operation": 1, "step": 1}),
]  # fmt: skip


@pytest.mark.parametrize(("number", "change", "fewer"), [pytest.param(n, c, f, id=i) for i, n, c, f in WRONG])
def test_what_is_wrong_is_counted_where_it_is_wrong(
    pack: PackFolder,
    truth: list[Row],
    tmp_path: Path,
    number: int,
    change: Callable[[Row], object],
    fewer: dict[str, int],
) -> None:
    change(action(truth[number]))
    found = hits(scored(pack, tmp_path, truth))
    whole = {"object": 9, "kind": 14, "operation": 14, "status": 14, "step": 14}
    assert {name: found[name][0] for name in whole} == {name: n - fewer.get(name, 0) for name, n in whole.items()}
    assert found["task"] == (1, 2)
    assert found["precision"] == found["recall"] == (13, 14)


def box(row: Row) -> list[float]:
    found: list[float] = action(row)["target"]["bbox"]
    return found


RIGHT: list[tuple[str, int, Callable[[Row], object]]] = [
    ("by number alone", SAVE, lambda r: action(r).update(target={"element_id": action(r)["target"]["element_id"]})),
    ("by track alone", SAVE, lambda r: action(r).update(target={"track_id": "save_0"})),
    ("by its text alone", SAVE, lambda r: action(r).update(target={"text": "Save customer"})),
    ("a point in the box", SAVE, lambda r: action(r).update(
        target={"bbox": [box(r)[0] + 0.001, box(r)[1] + 0.001, 0, 0]})),
    ("a box nearly the same", SAVE, lambda r: action(r).update(
        target={"bbox": [box(r)[0] - 0.004, box(r)[1], box(r)[2] + 0.01, box(r)[3]]})),
    ("a spot near the spot", SPOT, lambda r: action(r).update(target={"bbox": [0.735, 0.88, 0, 0]})),
    ("typing without saying where", TYPE, lambda r: action(r).update(target=None)),
    ("blanks around the text", TYPE, lambda r: action(r)["parameters"].update(text_to_type=" Ada Lovelace ")),
    ("scrolling further, elsewhere", SCROLL, lambda r: action(r).update(
        target=None, parameters={"scroll_direction": "down", "scroll_steps": 3})),
    ("done, said with the last action", SAVE, lambda r: r.update(answers=[
        r.pop("answer"), {"reasoning": "", "action": {"action_type": "finish_goal"}, "is_goal_complete": True}])),
]  # fmt: skip


@pytest.mark.parametrize(("number", "change"), [pytest.param(n, c, id=i) for i, n, c in RIGHT])
def test_what_means_the_same_is_right(
    pack: PackFolder, truth: list[Row], tmp_path: Path, number: int, change: Callable[[Row], object]
) -> None:
    change(truth[number])
    found = hits(scored(pack, tmp_path, truth))
    assert (found["step"], found["task"]) == ((14, 14), (2, 2))


def test_status_is_judged_by_itself(pack: PackFolder, truth: list[Row], tmp_path: Path) -> None:
    done = {"reasoning": "", "action": {"action_type": "finish_goal"}, "is_goal_complete": True}
    truth[TYPE] = {"step": truth[TYPE]["step"], "answers": [truth[TYPE]["answer"], done]}
    failed = {"reasoning": "", "action": {"action_type": "finish_goal", "parameters": {"status": "failure"}}}
    truth[FINISH]["answer"] = failed
    found = hits(scored(pack, tmp_path, truth))
    assert found["status"] == (12, 14)
    assert found["operation"] == (13, 14), "the end is a failure, and it was none"
    assert found["precision"] == (13, 15)


def test_rows_of_an_export_that_left_steps_out_still_say_which_step_they_are(pack: PackFolder, tmp_path: Path) -> None:
    changed = pack.copy(tmp_path / "pack")
    changed.edit_rows("steps", lambda rows: [row.update(review="rejected") for row in rows if row["index"] == TYPE])
    export(changed.path, "llmresponse", tmp_path / "out")
    rows = [json.loads(line) for line in (tmp_path / "out" / "steps.jsonl").read_text("utf-8").splitlines()]
    named = [{"demo": row["demo"], "index": row["index"], "answer": row["response"]} for row in rows]
    report = scored(pack, tmp_path, named)
    assert (report.answered, hits(report)["step"]) == (12, (12, 14))  # one of each demo is not there


def test_alternatives_are_as_good(pack: PackFolder, truth: list[Row], tmp_path: Path) -> None:
    cancel = next(r["element_id"] for r in pack.rows("elements") if r["text"] == "Cancel")
    action(truth[SAVE]).update(target={"text": "Cancel"})
    assert hits(scored(pack, tmp_path, truth))["object"] == (8, 9)
    file = tmp_path / "more.jsonl"
    file.write_text(json.dumps({"step": truth[SAVE]["step"], "targets": [{"element_id": cancel}, {"text": "Cancel"}]}))
    report = scored(pack, tmp_path, truth, alternatives=read_alternatives(file))
    assert hits(report)["object"] == (9, 9)


def by_name_alone(pack: PackFolder, number: int, text: str) -> None:
    """A step as other programs' recordings have it: its target is a text, and nobody knows of which element."""

    def change(row: Row) -> None:
        row.update(target_uid=None, target_box=None, alternatives=[])
        for part in (row["response"]["action"], row["recorded_action"]):
            part["target"] = {"text": text}

    pack.edit_row("steps", number, change)


def judged(pack: PackFolder, number: int, target: Row | None = None, *, end: Row | None = None) -> AnswerVerdict:
    """What is said of an answer that does what was recorded, to this target or with this end of a drag.

    A reward function says the same.
    """
    with open_packs([pack.path]) as demos:
        demo = next(iter(demos.demos()))
    response = demo.steps[number].response.to_wire()
    if target is not None:
        response["action"]["target"] = target
    if end is not None:
        response["action"]["parameters"]["end_target"] = end
    one = score_step(demo, number, Answer(parts=(response,)))
    truth = expected_action(demo, number).to_json_text()
    assert compute_score("demopack", json.dumps(response), truth) == float(one.right)
    assert one.verdict is not None
    return one.verdict


def test_a_recorded_name_that_no_element_has_is_right_by_that_name(pack: PackFolder, tmp_path: Path) -> None:
    own = pack.copy(tmp_path / "own")
    by_name_alone(own, SAVE, "Send")
    assert judged(own, SAVE, {"text": " Send"}).right
    assert judged(own, SAVE, {"text": "Send", "bbox": [0.1, 0.1, 0.1, 0.1]}).right
    assert not judged(own, SAVE, {"text": "Save"}).right
    place = judged(own, SAVE, {"bbox": [0.1, 0.1, 0.1, 0.1]})
    assert (place.object, place.inside) == (False, None)
    by_name_alone(own, TYPE, "Street")
    assert judged(own, TYPE, {"text": "Street"}).right
    assert not judged(own, TYPE, {"text": "Name"}).right
    assert judged(own, TYPE, {"bbox": [0.1, 0.1, 0.1, 0.1]}).object is None, "a place says nothing of a name"


def at(x: int, y: int) -> Row:
    """A place in pixels of the sample's pictures."""
    return {"bbox": [x / 960, y / 600, 0, 0]}


def test_a_knob_is_dragged_to_a_place_of_its_bar(pack: PackFolder) -> None:
    """It was let go at (300, 354), and the bar goes from (50, 340) to (400, 368)."""
    bar = next(row for row in pack.rows("elements") if row["track_id"] == "budget_0" and row["element_id"])
    for end in (at(300, 354), at(310, 364), at(286, 348)):
        assert judged(pack, DRAG, end=end).right
    for end in (at(120, 354), at(380, 360), at(225, 354), at(300, 400)):
        assert not judged(pack, DRAG, end=end).right
    for name in ("element_id", "track_id"):
        assert judged(pack, DRAG, end={name: bar[name]}).right, "who names the bar can say no more"
    assert judged(pack, DRAG, end={"bbox": bar["bbox"]}).right, "its own box is its name, too"
    assert not judged(pack, DRAG, end={"bbox": [0, 0, 1, 1]}).right


def test_a_drag_onto_another_element_may_end_anywhere_on_it(pack: PackFolder, tmp_path: Path) -> None:
    own = pack.copy(tmp_path / "own")

    def begun_elsewhere(row: Row) -> None:
        row["pointer"].update(x=600, y=100)

    own.edit_row("steps", DRAG, begun_elsewhere)
    for end in (at(60, 345), at(300, 354), at(390, 360)):
        assert judged(own, DRAG, end=end).right
    assert not judged(own, DRAG, end=at(420, 354)).right


def test_every_element_that_a_recorded_name_stands_on_is_right(pack: PackFolder, tmp_path: Path) -> None:
    own = pack.copy(tmp_path / "own")
    frame = own.rows("steps")[SAVE]["before"]["id"]
    here = [row for row in own.rows("elements") if row["frame"] == frame and row["element_id"] is not None]
    first, second, other = (row["uid"] for row in here[:3])

    def rename(row: Row) -> None:
        if row["frame"] == frame:
            row["text"] = "Open" if row["uid"] in {first, second} else "Close"

    own.edit_rows("elements", lambda rows: [rename(row) for row in rows])
    by_name_alone(own, SAVE, "Open")
    numbers = {row["uid"]: row["element_id"] for row in here}
    boxes = {row["uid"]: row["bbox"] for row in here}
    for uid, right in ((first, True), (second, True), (other, False)):
        assert judged(own, SAVE, {"element_id": numbers[uid]}).right is right
    assert judged(own, SAVE, {"bbox": boxes[second]}).right
    assert judged(own, SAVE, {"text": "Open"}).right
    assert not judged(own, SAVE, {"text": "Close"}).right


def test_the_order_counts_for_precision_and_recall(pack: PackFolder, truth: list[Row], tmp_path: Path) -> None:
    truth[SPOT]["answer"], truth[KEY]["answer"] = truth[KEY]["answer"], truth[SPOT]["answer"]
    found = hits(scored(pack, tmp_path, truth))
    assert found["step"] == (12, 14)
    assert found["precision"] == found["recall"] == (13, 14), "one of the two is in its place in the order"


@pytest.mark.parametrize(
    ("dialect", "answer"),
    [
        ("ui-tars", "Thought: Save it.\nAction: click(start_box='<|box_start|>(125,716)<|box_end|>')"),
        # The picture has 960 x 600 pixels; the model sees 952 x 588.
        ("ui-tars-1.5", "Thought: Save it.\nAction: click(start_box='(119,421)')"),
        ("qwen2.5-vl", {"name": "computer_use", "arguments": {"action": "left_click", "coordinate": [119, 421]}}),
        ("pyautogui", "pyautogui.click(120, 430)"),
        ("openai", {"type": "computer_call", "action": {"type": "click", "x": 120, "y": 430, "button": "left"}}),
        ("openai", [{"type": "reasoning", "summary": [{"type": "summary_text", "text": "Save it."}]},
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "I save it."}]},
            {"type": "computer_call", "action": {"type": "click", "x": 120, "y": 430, "button": "left"}}]),
        ("anthropic", {"type": "message", "content": [{"type": "tool_use", "name": "computer", "input": {
            "action": "left_click", "coordinate": [120, 430]}}]}),
        ("gemini", {"candidates": [{"finishReason": "STOP", "content": {"role": "model", "parts": [
            {"functionCall": {"name": "click", "args": {"x": 125, "y": 716}}}]}}]}),
    ],
)  # fmt: skip
def test_other_dialects_are_read(pack: PackFolder, tmp_path: Path, dialect: str, answer: object) -> None:
    save = pack.rows("steps")[SAVE]
    report = scored(pack, tmp_path, [{"demo": save["demo"], "index": SAVE, "answer": answer, "dialect": dialect}])
    assert hits(report)["inside"] == (1, 1)
    assert hits(report)["kind"] == (1, 14)
    assert hits(report)["object"] == (1, 8)
    assert report.unreadable == {}


def test_pixels_of_a_smaller_picture(pack: PackFolder, tmp_path: Path) -> None:
    row = {"step": pack.rows("steps")[SAVE]["step"], "answer": "pyautogui.click(60, 215)", "image_size": [480, 300]}
    assert hits(scored(pack, tmp_path, [row], dialect="pyautogui"))["inside"] == (1, 1)
    del row["image_size"]
    assert hits(scored(pack, tmp_path, [row], dialect="pyautogui"))["inside"] == (0, 1)


def test_what_cannot_be_read_is_counted_by_its_mistake(pack: PackFolder, truth: list[Row], tmp_path: Path) -> None:
    truth[KEY]["answer"] = "I would press Escape."
    action(truth[TYPE]).update(parameters={})
    action(truth[SAVE]).update(target={"element_id": 99})
    report = scored(pack, tmp_path, truth)
    assert sum(report.unreadable.values()) == 3
    assert report.unreadable["type_without_text"] == report.unreadable["no_such_element"] == 1
    assert report.answered == 11


def test_intervals_are_drawn_by_tasks_and_repeat() -> None:
    tasks = [{"step": (n % 5, 5)} for n in range(40)]
    one, same, other = figures(tasks, seed=1)["step"], figures(tasks, seed=1)["step"], figures(tasks, seed=2)["step"]
    assert one == same != other
    assert one.value == pytest.approx(0.4)
    assert one.low is not None
    assert one.high is not None
    # The spread of a mean over 40 tasks of 0, 0.2, ..., 0.8: 1.96 * 0.283 / sqrt(40) = 0.088.
    assert (one.low, one.high) == (pytest.approx(0.312, abs=0.02), pytest.approx(0.488, abs=0.02))
    assert figures(tasks[:1], seed=1)["step"].low is None
    assert figures([], seed=1) == {}


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{", "Line 2 of answers.jsonl cannot be used: it is no JSON object"),
        ('{"answer": "x"}', "names no step"),
        ('{"step": "s"}', "has no answer"),
        ('{"step": "s", "answer": 3}', "has no answer"),
        ('{"step": "a", "answer": "x"}', "line 1 is about the same step"),
        ('{"step": "s", "answer": "x", "image_size": [0, 1]}', "image_size is"),
    ],
)
def test_a_line_that_cannot_be_used_is_named(tmp_path: Path, line: str, says: str) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text('{"step": "a", "answer": "x"}\n' + line + "\n")
    with pytest.raises(BadInputError) as caught:
        read_predictions(file)
    assert says in str(caught.value)


def test_the_command_writes_figures_and_a_page(pack: PackFolder, truth: list[Row], tmp_path: Path) -> None:
    action(truth[SAVE]).update(target={"text": "Cancel"})
    file, out = write(tmp_path, [*truth, {"step": "nowhere", "answer": "x"}]), tmp_path / "result"
    result = CliRunner().invoke(command, [str(file), str(pack.path), "-o", str(out)])
    assert result.exit_code == 0, result.output
    assert "Object accuracy    88.9 %" in result.output
    assert "1 answer belongs to no step" in result.output
    page = (out / "index.html").read_text(encoding="utf-8")
    assert page.count("<figure") == 1
    assert "wrong: object" in page
    assert "frames/00001.png" in page
    assert (out / "frames" / "00001.png").read_bytes() == (pack.path / pack.rows("steps")[SAVE]["image"]).read_bytes()
    page = (out / "index.html").read_text(encoding="utf-8")
    assert "<h2>1 failure</h2>" in page
    (failure,) = [json.loads(line) for line in (out / "failures.jsonl").read_text(encoding="utf-8").splitlines()]
    assert (failure["index"], failure["object"], failure["operation"]) == (SAVE, False, True)
    report = json.loads(CliRunner().invoke(command, [str(file), str(pack.path), "--json", "-o", str(out)]).output)
    assert report["figures"]["object"]["hits"] == 8
    assert json.loads((out / "score.json").read_text()) == report
    assert sorted(p.name for p in tmp_path.iterdir()) == ["answers.jsonl", "result"]


def test_a_folder_of_something_else_is_left_alone(pack: PackFolder, truth: list[Row], tmp_path: Path) -> None:
    thesis = tmp_path / "thesis"
    thesis.mkdir()
    (thesis / "chapter.txt").write_text("years of work")
    result = CliRunner().invoke(command, [str(write(tmp_path, truth)), str(pack.path), "-o", str(thesis)])
    assert result.exit_code == 1
    assert "is no earlier result" in str(result.exception)
    assert [p.name for p in thesis.iterdir()] == ["chapter.txt"]


def test_nothing_is_predicted() -> None:
    assert not Predictions("none").answers


@pytest.mark.parametrize("space", ["thousand", "pixels"])
def test_answers_of_a_model_trained_through_ms_swift_are_read(
    space: str, pack: PackFolder, truth: list[Row], tmp_path: Path
) -> None:
    """By their places alone; a Qwen2.5-VL writes pixels of the picture as it was resized for it."""
    sent = {"space": "pixels", "image_size": [2800, 1400]} if space == "pixels" else {}
    width, height = sent.get("image_size", (1000, 1000))
    for row in truth:
        its = action(row)
        for target in (its["target"], its["parameters"].get("end_target")):
            if target is not None and "bbox" in target:
                x, y, w, h = target["bbox"]
                corners = [round(x * width), round(y * height), round((x + w) * width), round((y + h) * height)]
                target.clear()
                target["bbox"] = "<|box_start|>({},{}),({},{})<|box_end|>".format(*corners)
        if "path" in its["parameters"]:
            its["parameters"]["path"] = [[round(x * width), round(y * height)] for x, y in its["parameters"]["path"]]
        row["answer"] = json.dumps(row["answer"]).replace('"<|box', "<|box").replace('box_end|>"', "box_end|>")
        row |= sent
    report = scored(pack, tmp_path, truth, dialect="swift")
    assert report.unreadable == {}
    assert hits(report)["step"] == (14, 14)
    assert hits(report)["inside"] == (10, 10)


def test_an_unknown_way_to_write_places_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="space is 'yards'"):
        read_predictions(write(tmp_path, [{"step": "s", "answer": "x", "space": "yards"}]))


def test_an_end_that_is_said_with_the_last_call_answers_the_last_step(
    pack: PackFolder, truth: list[Row], tmp_path: Path
) -> None:
    answer = {
        "control_label": "18", "control_name": "Save customer", "function": "click_input",
        "args": {"button": "left", "double": False, "pressed": "CONTROL"}, "status": "FINISH", "plan": [],
    }  # fmt: skip
    truth[SAVE] = {"step": truth[SAVE]["step"], "answer": json.dumps(answer), "dialect": "lam"}
    told = scored(pack, tmp_path, [row for number, row in enumerate(truth) if number != FINISH])
    assert hits(told)["task"] == (2, 2)
    assert hits(told)["precision"] == (14, 14)
    missing = scored(pack, tmp_path, [row for number, row in enumerate(truth) if number not in {SAVE, FINISH}])
    assert hits(missing)["step"] == (12, 14)
