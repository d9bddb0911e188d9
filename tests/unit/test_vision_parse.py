from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from demopack.domain.demos import Demo
from demopack.domain.edits import Change, Edit
from demopack.domain.elements import Element, ElementType
from demopack.domain.frames import Frame, RgbImage
from demopack.domain.geometry import Point, Rect
from demopack.domain.provenance import by_human
from demopack.domain.records import new_id
from demopack.domain.steps import AccessibleElement, WindowInfo
from demopack.domain.trees import TreeNode, TreeReading, WindowTree, tree_bytes, tree_id
from demopack.errors import CancelledError, ModelError
from demopack.jobs import CancelToken, JobControl, Progress
from demopack.store import Library
from models.vision.demo_parsing import parse_demo
from tests.support.small_demos import painted, record

BUTTON, FIELD, LABEL = Rect(10, 10, 90, 40), Rect(100, 60, 300, 80), Rect(10, 60, 90, 80)
FIRST, SECOND, THIRD = painted(BUTTON), painted(BUTTON, FIELD), painted(BUTTON, FIELD, LABEL)
_Thing = tuple[ElementType, Rect, str | None]


class PaintedFinder:
    """Says what was painted: the port's other side, without a model."""

    name = "painted-1"

    def __init__(self, extra: Sequence[_Thing] = ()) -> None:
        self.calls = 0
        self.near: list[tuple[Point, ...]] = []
        self.extra = extra
        self.before_find: Mapping[int, CancelToken | Exception] = {}

    def find(self, image: RgbImage, frame: Frame, *, control: JobControl, near: Sequence[Point] = ()) -> list[Element]:
        self.calls += 1
        self.near.append(tuple(near))
        event = self.before_find.get(self.calls)
        if isinstance(event, CancelToken):
            event.cancel()
        elif event is not None:
            raise event
        control.token.check()
        things: list[_Thing] = [("button", BUTTON, "Save"), ("input_field", FIELD, None), ("text", LABEL, "Name")]
        return [
            Element(uid=new_id("el"), frame=frame.id, type=kind, box=box, text=text, source="detector", confidence=0.9)
            for kind, box, text in [*things, *self.extra]
            if image[box.y1, box.x1, 0] < 100
        ]


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with record(tmp_path, [FIRST, SECOND, THIRD], [Point(20, 20), Point(150, 70)]) as opened:
        yield opened


def elements(library: Library) -> list[list[Element]]:
    demo = library.demo("demo_1")
    return [list(demo.elements.get(frame.id, ())) for frame in demo.frames()]


def human_edit(library: Library, *changes: Change) -> None:
    library.commit("demo_1", Edit(id=new_id("edit"), label="by hand", changes=changes, provenance=by_human()))


def change(before: Element | None, after: Element | None) -> Change:
    key = (before or after).uid  # type: ignore[union-attr]
    return Change(
        kind="element",
        key=key,
        before=None if before is None else before.to_json(),
        after=None if after is None else after.to_json(),
    )


def test_the_demo_is_not_read_again_for_every_screen(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    reads = 0
    real = library.demo

    def demo(demo_id: str) -> Demo:
        nonlocal reads
        reads += 1
        return real(demo_id)

    monkeypatch.setattr(library, "demo", demo)
    parse_demo(library, "demo_1", PaintedFinder(), control=JobControl())
    assert reads == 3, "at the beginning, at the first screen, and to bind the steps"


def test_every_screen_once_tracked_bound_and_reported(library: Library) -> None:
    finder = PaintedFinder()
    seen: list[Progress] = []
    report = parse_demo(library, "demo_1", finder, control=JobControl(report=seen.append))
    assert (report.frames, report.cached, report.skipped, report.elements, report.bound) == (3, 0, 0, 6, 2)
    assert report.unbound == ()
    assert finder.calls == 3
    assert finder.near == [(Point(20, 20),), (Point(150, 70),), ()]
    assert [len(found) for found in elements(library)] == [1, 2, 3]
    assert {e.track_id for found in elements(library) for e in found} == {"btn_save_0", "input_0", "text_name_0"}
    demo = library.demo("demo_1")
    by_uid = {e.uid: e for found in demo.elements.values() for e in found}
    assert [by_uid[s.target_uid or ""].track_id for s in demo.steps] == ["btn_save_0", "input_0"]
    assert [(p.done, p.total) for p in seen] == [(0, 3), (1, 3), (2, 3), (3, 3)]


def test_what_accessibility_told_is_an_element_where_nothing_was_found(tmp_path: Path) -> None:
    with record(tmp_path, [FIRST, SECOND], [Point(200, 150)]) as library:
        step = library.demo("demo_1").steps[0]
        told = AccessibleElement(role="check box", name="Send", box=Rect(190, 140, 214, 164), states=("checked",))
        human_edit(
            library,
            Change(
                kind="step",
                key=step.id,
                before=step.to_json(),
                after=step.model_copy(update={"pointed": told}).to_json(),
            ),
        )
        report = parse_demo(library, "demo_1", PaintedFinder(), control=JobControl())
        assert report.unbound == ()
        target = library.demo("demo_1").steps[0].target_uid
        bound = next(e for e in elements(library)[0] if e.uid == target)
        assert (bound.type, bound.text, bound.source, bound.states) == (
            "checkbox",
            "Send",
            "accessibility",
            {"checked": True},
        )


def test_a_search_leaves_nothing_there_twice(library: Library) -> None:
    again, other = Rect(12, 10, 90, 41), Rect(10, 10, 90, 40)
    parse_demo(library, "demo_1", PaintedFinder([("button", again, None), ("tab", other, None)]), control=JobControl())
    assert [sorted(e.type for e in found) for found in elements(library)] == [
        ["button"],
        ["button", "input_field"],
        ["button", "input_field", "text"],
    ]
    step = library.demo("demo_1").steps[0]
    told = AccessibleElement(role="push button", name="Save", box=again)
    human_edit(
        library,
        Change(
            kind="step", key=step.id, before=step.to_json(), after=step.model_copy(update={"pointed": told}).to_json()
        ),
    )
    parse_demo(library, "demo_1", PaintedFinder([("tab", again, None)]), control=JobControl(), force=True)
    # What the program calls a button is one, and then it stands there once.
    assert [e.type for e in elements(library)[0]] == ["button"]
    assert [said.source for said in elements(library)[0][0].evidence][-1] == "accessibility"


def test_a_click_on_nothing_is_reported(tmp_path: Path) -> None:
    with record(tmp_path, [FIRST, SECOND], [Point(200, 150)]) as library:
        report = parse_demo(library, "demo_1", PaintedFinder(), control=JobControl())
        assert report.unbound == (1,)
        assert library.demo("demo_1").steps[0].target_uid is None


@pytest.mark.parametrize(("nodes", "silent"), [((), ("plot",)), ((TreeNode(role="frame"),), ())])
def test_a_program_that_tells_nothing_is_named(
    library: Library, nodes: tuple[TreeNode, ...], silent: tuple[str, ...]
) -> None:
    tree = WindowTree(app="plot", title="Plot", box=Rect(0, 0, 320, 200), nodes=nodes)
    bar = WindowTree(app="plot", title="Plot", nodes=(TreeNode(role="title bar"),))
    beside = WindowTree(app="panel", title="Panel", box=Rect(0, 200, 320, 240))
    keys = {tree_id(tree_bytes(one)): one for one in (tree, bar, beside)}
    demo = library.demo("demo_1")
    step = demo.steps[0].model_copy(
        update={
            "window": WindowInfo(app="plot", title="Plot"),
            "trees": tuple(TreeReading(tree=key, started_ns=1, ended_ns=2, proved=True) for key in keys),
        }
    )
    head = demo.head.model_copy(update={"id": "demo_2"})
    library.add_demo(
        replace(demo, head=head, steps=(step, *demo.steps[1:]), elements={}, parsed=frozenset(), trees=keys)
    )
    assert parse_demo(library, "demo_2", PaintedFinder(), control=JobControl()).silent == silent


def test_parsed_screens_are_skipped_also_when_nothing_was_found(tmp_path: Path) -> None:
    with record(tmp_path, [painted(), FIRST], [Point(20, 20)]) as library:
        parse_demo(library, "demo_1", PaintedFinder(), control=JobControl())
        again = PaintedFinder()
        report = parse_demo(library, "demo_1", again, control=JobControl())
        assert (again.calls, report.frames, report.skipped) == (0, 0, 2)


def test_force_asks_again_and_changes_nothing_that_is_the_same(library: Library) -> None:
    parse_demo(library, "demo_1", PaintedFinder(), control=JobControl())
    before, log = elements(library), len(library.log.entries("demo_1"))
    finder = PaintedFinder()
    parse_demo(library, "demo_1", finder, control=JobControl(), force=True)
    assert finder.calls == 3
    assert elements(library) == before
    assert len(library.log.entries("demo_1")) == log


def test_results_are_shared_by_demos_and_kept_apart_by_finder(library: Library) -> None:
    parse_demo(library, "demo_1", PaintedFinder(), control=JobControl())
    demo = library.demo("demo_1")
    head = demo.head.model_copy(update={"id": "demo_2"})
    library.add_demo(type(demo)(head=head, steps=demo.steps, elements={}))
    finder = PaintedFinder()
    report = parse_demo(library, "demo_2", finder, control=JobControl())
    assert (finder.calls, report.cached) == (0, 3)
    uids = {e.uid for found in library.demo("demo_2").elements.values() for e in found}
    assert uids.isdisjoint({e.uid for found in demo.elements.values() for e in found})
    other = PaintedFinder()
    other.name = "painted-2"
    assert parse_demo(library, "demo_2", other, control=JobControl(), force=True).cached == 0


def test_a_damaged_cache_is_made_again(library: Library) -> None:
    parse_demo(library, "demo_1", PaintedFinder(), control=JobControl())
    library.log.undo("demo_1")
    files = sorted((library.folder / "cache").rglob("*.json"))
    assert len(files) == 3
    files[0].write_text("{", encoding="utf-8")
    files[1].write_text('{"finder": "painted-1", "found": [{"type": "nonsense"}]}', encoding="utf-8")
    finder = PaintedFinder()
    assert parse_demo(library, "demo_1", finder, control=JobControl()).cached == 1
    assert finder.calls == 2


def test_one_undo_takes_the_whole_parse_back_and_one_redo_brings_it(library: Library) -> None:
    untouched = library.demo("demo_1")
    parse_demo(library, "demo_1", PaintedFinder(), control=JobControl())
    parsed = library.demo("demo_1")
    library.log.undo("demo_1")
    assert library.demo("demo_1") == untouched
    library.log.redo("demo_1")
    assert library.demo("demo_1") == parsed


def test_the_log_says_which_model_did_it(library: Library) -> None:
    parse_demo(library, "demo_1", PaintedFinder(), control=JobControl())
    assert {(e.edit.provenance.kind, e.edit.provenance.name) for e in library.log.entries("demo_1")} == {
        ("model", "painted-1")
    }


def test_a_box_drawn_by_hand_does_not_keep_the_rest_of_the_screen_from_being_read(library: Library) -> None:
    frame = library.demo("demo_1").frames()[1]
    human_edit(library, change(None, Element(uid="el_mine", frame=frame.id, type="icon", box=Rect(1, 1, 9, 9))))
    parse_demo(library, "demo_1", PaintedFinder(), control=JobControl())
    assert {e.type for e in elements(library)[1]} == {"icon", "button", "input_field"}


def test_what_a_person_drew_or_approved_stays(library: Library) -> None:
    parse_demo(library, "demo_1", PaintedFinder(), control=JobControl())
    frame = library.demo("demo_1").frames()[2]
    button = next(e for e in elements(library)[2] if e.type == "button")
    label = next(e for e in elements(library)[2] if e.type == "text")
    approved = button.changed(text="Save all", review="approved")
    rejected = label.changed(review="rejected")
    drawn = Element(uid="el_mine", frame=frame.id, type="slider", box=Rect(100, 61, 300, 80))
    human_edit(library, change(button, approved), change(label, rejected), change(None, drawn))
    parse_demo(library, "demo_1", PaintedFinder(), control=JobControl(), force=True)
    now = {e.uid: e for e in elements(library)[2]}
    assert now[approved.uid] == approved
    assert now[rejected.uid] == rejected
    assert now["el_mine"].changed(track_id=None) == drawn
    assert now["el_mine"].track_id == "slider_0"
    assert len(now) == 3, "the proposals under them are dropped"


def test_a_target_that_a_person_chose_stays(library: Library) -> None:
    parse_demo(library, "demo_1", PaintedFinder(), control=JobControl())
    step = library.demo("demo_1").steps[1]
    button = next(e for e in elements(library)[1] if e.type == "button")
    chosen = step.model_copy(update={"target_uid": button.uid})
    human_edit(library, Change(kind="step", key=step.id, before=step.to_json(), after=chosen.to_json()))
    parse_demo(library, "demo_1", PaintedFinder(), control=JobControl(), force=True)
    assert library.demo("demo_1").steps[1] == chosen


def test_a_target_that_only_followed_a_corrected_box_is_not_taken_for_a_choice(library: Library) -> None:
    parse_demo(library, "demo_1", PaintedFinder(), control=JobControl())
    step = library.demo("demo_1").steps[1]
    assert step.before is not None
    drawn = Element(uid="el_mine", frame=step.before.id, type="icon", box=Rect(145, 65, 155, 75))
    follows = step.model_copy(update={"target_uid": drawn.uid})
    there = Change(kind="step", key=step.id, before=step.to_json(), after=follows.to_json())
    human_edit(library, change(None, drawn), there)
    nowhere = follows.model_copy(update={"target_uid": None})
    human_edit(
        library,
        change(drawn, None),
        Change(kind="step", key=step.id, before=follows.to_json(), after=nowhere.to_json()),
    )
    parse_demo(library, "demo_1", PaintedFinder(), control=JobControl(), force=True)
    assert library.demo("demo_1").steps[1].target_uid == step.target_uid


def test_cancel_keeps_finished_screens_and_goes_on_later(library: Library) -> None:
    token = CancelToken()
    finder = PaintedFinder()
    finder.before_find = {2: token}
    with pytest.raises(CancelledError):
        parse_demo(library, "demo_1", finder, control=JobControl(token=token))
    demo = library.demo("demo_1")
    assert demo.parsed == {demo.frames()[0].id}
    assert demo.steps[0].target_uid is not None, "finished screens have their steps bound"
    report = parse_demo(library, "demo_1", PaintedFinder(), control=JobControl())
    assert (report.frames, report.skipped, report.bound) == (2, 1, 2)


def test_a_failing_model_keeps_finished_screens(library: Library) -> None:
    finder = PaintedFinder()
    finder.before_find = {3: ModelError("The model broke.")}
    with pytest.raises(ModelError):
        parse_demo(library, "demo_1", finder, control=JobControl())
    assert len(library.demo("demo_1").parsed) == 2


def test_a_new_proposal_on_a_forced_parse_replaces_the_old_ones_only(library: Library) -> None:
    parse_demo(library, "demo_1", PaintedFinder(), control=JobControl())
    before = {e.uid for found in elements(library) for e in found}
    parse_demo(
        library,
        "demo_1",
        PaintedFinder(extra=[("icon", Rect(100, 60, 120, 80), None)]),
        control=JobControl(),
        force=True,
    )
    after = {e.uid for found in elements(library) for e in found}
    assert before < after
    assert len(after - before) == 2
