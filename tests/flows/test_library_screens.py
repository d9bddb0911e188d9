"""From what a person approved to a set of screens, and which screens to correct first."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from PIL import Image, ImageDraw, ImageFont

from annotator.attributes.element_attributes import SetAttribute
from annotator.document import Document
from annotator.finding.review import DecideSuggestions
from demopack.domain.demos import Demo
from demopack.domain.elements import Element, Evidence
from demopack.domain.frames import Frame, RgbImage
from demopack.domain.geometry import Point, Rect
from demopack.domain.records import new_id
from demopack.domain.trees import TreeNode, WindowTree
from demopack.errors import BadInputError, CancelledError
from demopack.jobs import CancelToken, JobControl
from demopack.store import Library
from demopack_cli.train import command as train_command
from models.training.correction_order import correct_first, suspect_lines
from models.training.differences import compare
from models.training.labelled_screens import LabelledScreenSet
from models.training.library.collect import LINEAGE, LibraryLineage, collect
from models.training.library.signatures import choose_val, group_similar, is_similar, nearly_same, signature_of
from models.training.library.survey import survey
from tests.support.demos import demo_head
from tests.support.small_demos import blank, click_step
from tests.support.truths import HandFinder, found, truth

WIDTH, HEIGHT = 320, 200


def page(seed: int, *, caret: bool = False, tick: bool = False) -> RgbImage:
    """A picture with twelve bars of its own; a caret or a tick changes a little of it."""
    rng = np.random.default_rng(seed)
    image = blank(WIDTH, HEIGHT)
    for _ in range(12):
        x, y = int(rng.integers(0, WIDTH - 60)), int(rng.integers(0, HEIGHT - 20))
        image[y : y + 14, x : x + 60] = int(rng.integers(0, 160))
    if caret:
        image[100:112, 160:162] = 0
    if tick:
        image[20:30, 300:310] = 0
    return image


class Maker:
    """Demos whose frames are pages, their elements given with each."""

    def __init__(self, library: Library) -> None:
        self.library = library

    def frame(self, image: RgbImage) -> Frame:
        return Frame(id=self.library.put_image(image), width=image.shape[1], height=image.shape[0])

    def demo(
        self, demo_id: str, screens: list[tuple[RgbImage, list[Element]]], *, approved: tuple[int, ...] = ()
    ) -> str:
        frames = [self.frame(image) for image, _ in screens]
        steps = []
        for number, frame in enumerate(frames):
            step = click_step(number, frame, None, Point(5, 5))
            review = "approved" if number in approved else "unreviewed"
            steps.append(step.model_copy(update={"id": f"{demo_id}_{number}", "review": review}))
        elements = {
            frame.id: tuple(e.model_copy(update={"frame": frame.id, "uid": new_id("el")}) for e in given)
            for frame, (_, given) in zip(frames, screens, strict=True)
        }
        parsed = frozenset(frame.id for frame in frames)
        self.library.add_demo(Demo(head=demo_head(demo_id), steps=tuple(steps), elements=elements, parsed=parsed))
        return demo_id


@pytest.fixture
def maker(tmp_path: Path) -> Iterator[Maker]:
    with Library.open(tmp_path / "library") as library:
        yield Maker(library)


def button(text: str = "OK", review: str = "approved", **fields: object) -> Element:
    return found("button", (10, 10, 60, 30), text=text, review=review, **fields)


def pages(*seeds: int) -> list[tuple[RgbImage, list[Element]]]:
    return [(page(seed), [button(f"b{seed}")]) for seed in seeds]


def test_only_what_was_approved_becomes_a_screen(maker: Maker, tmp_path: Path) -> None:
    ghost = found("icon", (100, 100, 120, 120), review="rejected")
    row = found("list_item", (0, 40, 320, 60), review="unreviewed", states={"highlighted": True, "focused": True})
    inside = found("text", (10, 44, 60, 56), text="Row", review="unreviewed")
    over = found("text", (300, 180, 340, 220), text="cut", review="approved")
    maker.demo("demo_a", [
        (page(1), [button(), ghost, over]),
        (page(2), [button(), row, inside]),
        (page(3), [button(review="unreviewed")]),
        (page(4), [ghost]),
        (page(5), []),
        *pages(6, 7, 8),
    ], approved=(1, 5))  # fmt: skip
    made = collect(maker.library, folder=tmp_path / "set")
    assert (len(made.screens), sum(row.elements for row in made.screens)) == (5, 8)
    assert made.left_out == {
        "no elements on it": 1, "not approved": 1, "everything on it was rejected": 1,
    }  # fmt: skip
    screens = {screen.name: screen for screen in LabelledScreenSet(tmp_path / "set").screens()}
    rows = {row.frame: row for row in made.screens}
    assert {screen.source for screen in screens.values()} == {"library"}
    first = rows[maker.frame(page(1)).id]
    assert (first.elements, first.approved, first.rejected) == (2, 2, (Rect(100, 100, 120, 120),))
    assert {e.box for e in screens[first.name].elements} == {Rect(10, 10, 60, 30), Rect(300, 180, 320, 200)}
    second = rows[maker.frame(page(2)).id]
    assert (second.elements, second.approved) == (3, 1)
    by_type = {e.type: e for e in screens[second.name].elements}
    assert (by_type["list_item"].leaf, by_type["text"].leaf) == (False, True)
    assert by_type["list_item"].states == {"highlighted": True}
    assert (LabelledScreenSet(tmp_path / "set").image(screens[first.name]) == page(1)).all()
    assert LibraryLineage.model_validate_json((tmp_path / "set" / LINEAGE).read_bytes()) == made


def test_a_screen_that_programs_reported_is_one_without_anybody_having_looked(maker: Maker, tmp_path: Path) -> None:
    def told(number: int, source: str = "accessibility", **fields: object) -> Element:
        box = (10, 20 * number, 90 if number > 1 else 30, 20 * number + 16)
        read = (Evidence(source="ocr", text=f"b{number}"),) if number > 2 else ()  # the second is too grey to be read
        given = {"text": f"b{number}", "evidence": read, **fields}
        return found("button", box, review="unreviewed", source=source, **given)

    screens = [(page(seed), [told(n) for n in range(1, 7)]) for seed in range(1, 10)]
    screens[1][1].append(found("icon", (200, 10, 220, 30), review="unreviewed", confidence=0.9))
    screens[1][1].append(found("icon", (200, 50, 220, 70), review="unreviewed", confidence=0.2))
    screens[2][1][:] = [told(n, source="detector") for n in range(1, 7)]
    screens[3][1][:] = screens[3][1][:3]
    screens[4][1][0] = found("button", (10, 20, 90, 36), review="doubtful")
    demo_id = maker.demo("demo_a", screens)
    tree = WindowTree(app="notes", box=Rect(0, 0, WIDTH, HEIGHT), nodes=(TreeNode(role="frame"),))
    key = maker.library.put_tree(tree)
    changed = {0: [[10, 10, 20, 20]], 8: [[0, 0, WIDTH, HEIGHT // 2]]}
    with maker.library.connection.writing() as db:
        for number, proved in enumerate([True] * 7 + [False, True]):
            reading = {
                "tree": key,
                "started_ns": 1,
                "ended_ns": 2,
                "proved": proved,
                "changed": changed.get(number, []),
            }
            db.execute(
                "UPDATE entities SET json = json_set(json, '$.trees', json(?)) WHERE kind = 'step' AND key = ?",
                (json.dumps([reading]), f"{demo_id}_{number}"),
            )
    made = collect(maker.library, folder=tmp_path / "set")
    assert made.left_out == {"not approved": 5}, "found by pixels, too few, in doubt, much changed since, not proved"
    rows = {row.frame: row for row in made.screens}
    assert len(rows) == 4
    first, second = (rows[maker.frame(page(seed)).id] for seed in (1, 2))
    assert (first.elements, first.approved, first.reported) == (6, 0, 6)
    assert (second.elements, second.reported) == (8, 6), "what programs do not report stays as it was found"
    (shown,) = [one for one in LabelledScreenSet(tmp_path / "set").screens() if one.name == first.name]
    kinds = Counter((one.type, one.text is None) for one in shown.elements)
    assert kinds == {("button", False): 5, ("icon", True): 1}, "a button on which nothing is written is a picture"


def test_what_a_library_would_teach_is_counted_by_what_the_models_made_of_it(maker: Maker) -> None:
    def seen(kind: str, box: tuple[int, int, int, int], *said: str, **fields: object) -> Element:
        told = tuple(Evidence(source="detector", type=one, box=Rect(*box)) for one in said)  # type: ignore[arg-type]
        return found(kind, box, review="approved", source="accessibility", evidence=told, **fields)

    tab, row, beside = (10, 10, 60, 30), (0, 40, 320, 60), (90, 70, 120, 84)
    elsewhere = Evidence(source="detector", type="checkbox", box=Rect(200, 70, 214, 84))
    words = seen("text", (10, 150, 60, 160))
    maker.demo("demo_a", [
        (page(1), [seen("tab", tab, "button", "tab"), seen("list_item", row), words]),
        (page(2), [seen("slider", tab, "scrollbar"), seen("slider", row, "image")]),
        (page(3), [found("checkbox", beside, review="approved", source="accessibility", evidence=(elsewhere,))]),
        (page(4), [button(review="unreviewed")]),
    ])  # fmt: skip
    maker.demo("demo_b", [(page(1), [seen("tab", tab)])])
    told = survey(maker.library)
    assert (told.approved, told.reported, told.screens) == (3, 0, 3)
    assert (told.used, told.missed) == (5, {"list_item": 1, "checkbox": 1}), "words are not what a person uses"
    assert told.mistaken == {"slider": 2}
    assert told.left_out == {"not approved": 1}
    options = ["detector", "--from", str(maker.library.folder), "--dry-run"]
    said = CliRunner().invoke(train_command, options, catch_exceptions=False).output.splitlines()
    assert said[0].endswith(": 3 screens to learn from, 3 approved, 0 reported by their programs")
    assert [line.split() for line in said[2:]] == [
        ["missed", "by", "the", "models", "2", "(list_item", "1,", "checkbox", "1)"],
        ["taken", "for", "something", "else", "2", "(slider", "2)"],
        ["left", "out:", "1", "not", "approved"],
    ]


def test_a_mark_and_the_lines_of_its_label_are_learned_apart(maker: Maker, tmp_path: Path) -> None:
    image = Image.fromarray(blank(WIDTH, HEIGHT))
    draw, font = ImageDraw.Draw(image), ImageFont.load_default(12)
    draw.rectangle((20, 40, 33, 53), outline=0)
    draw.text((40, 40), "Keep a copy", fill=0, font=font)
    ticked = found(
        "checkbox", (20, 38, 112, 56), text="Keep a copy", review="approved", mark_box=Rect(20, 40, 34, 54),
        states={"checked": False},
    )  # fmt: skip
    drawn = np.asarray(image)
    maker.demo("demo_a", [(drawn, [ticked]), *pages(1, 2, 3)])
    made = collect(maker.library, folder=tmp_path / "set")
    (row,) = [row for row in made.screens if row.frame == maker.frame(drawn).id]
    origin = LabelledScreenSet(tmp_path / "set")
    mark, label = next(one for one in origin.screens(labels_apart=True) if one.name == row.name).elements
    assert (mark.type, mark.box, mark.states) == ("checkbox", Rect(20, 40, 34, 54), {"checked": False})
    assert (label.type, label.text, mark.text) == ("text", "Keep a copy", "Keep a copy")
    width = int(font.getlength("Keep a copy"))
    assert abs(label.box.x1 - 38) <= 2, "two pixels of air before the first letter"
    assert abs(label.box.x2 - 42 - width) <= 2
    assert label.box.y1 >= 38
    assert label.box.y2 <= 56
    (whole,) = next(one for one in origin.screens() if one.name == row.name).elements
    assert (whole.mark_box, whole.box) == (mark.box, mark.box.union(label.box)), "as a finished parse has it"


def test_what_was_fixed_is_learned_as_fixed_and_what_was_rejected_as_ground(maker: Maker, tmp_path: Path) -> None:
    wrong, ghost = found("icon", (100, 100, 120, 120)), found("button", (200, 100, 260, 120))
    double = found("hyperlink", (101, 100, 121, 120))
    demo_id = maker.demo("demo_a", [(page(1), [button(), wrong, ghost, double]), *pages(2, 3, 4)])
    demo = maker.library.demo(demo_id)
    by_type = {e.type: e.uid for e in demo.elements[demo.frames()[0].id]}
    for command in (
        SetAttribute(uids=(by_type["icon"],), name="type", value="checkbox"),
        DecideSuggestions(
            decision="reject", uids=tuple(e.uid for e in demo.elements[demo.frames()[0].id] if e.box.x1 > 100)
        ),
    ):
        edit = command.edit(Document(maker.library.demo(demo_id)))
        assert edit is not None
        maker.library.commit(demo_id, edit)
    made = collect(maker.library, folder=tmp_path / "set")
    (row,) = [row for row in made.screens if row.frame == maker.frame(page(1)).id]
    (screen,) = [screen for screen in LabelledScreenSet(tmp_path / "set").screens() if screen.name == row.name]
    assert {(e.type, e.box) for e in screen.elements} == {
        ("button", Rect(10, 10, 60, 30)),
        ("checkbox", Rect(100, 100, 120, 120)),
    }
    assert row.rejected == (Rect(200, 100, 260, 120),), "under the rejected double something does stand"


def test_a_doubt_keeps_a_screen_out_also_where_the_step_was_approved(maker: Maker, tmp_path: Path) -> None:
    doubted = (page(1), [button(), button("?", review="doubtful")])
    maker.demo("demo_a", [doubted, *pages(2, 3, 4, 5, 6)], approved=(0, 1))
    made = collect(maker.library, folder=tmp_path / "set")
    assert (len(made.screens), made.left_out) == (5, {"not approved": 1})


def test_a_picture_comes_once_and_a_caret_makes_no_new_one(maker: Maker, tmp_path: Path) -> None:
    same = [button("b1")]
    ticked = [button("b1"), found("checkbox", (300, 20, 310, 30), review="approved", states={"checked": True})]
    maker.demo("demo_a", [(page(1), same), *pages(2, 3)])
    maker.demo("demo_b", [
        (page(1), same),
        (page(1, caret=True), same),
        (page(1, tick=True), ticked),
    ])  # fmt: skip
    made = collect(maker.library, folder=tmp_path / "set")
    assert made.left_out == {"nearly the same as another": 1, "the same pixels as another": 1}
    assert len(made.screens) == 4
    group = {row.frame: row.group for row in made.screens}
    assert group[maker.frame(page(1)).id] == group[maker.frame(page(1, tick=True)).id]
    assert len(set(group.values())) == 3


def test_screens_that_look_alike_are_on_one_side(maker: Maker, tmp_path: Path) -> None:
    for seed in range(8):
        shots = [(page(seed), [button(f"{seed}")]), (page(seed, tick=True), [button(f"{seed} ticked")])]
        maker.demo(f"demo_{seed}", shots)
    made = collect(maker.library, folder=tmp_path / "set", seed=3)
    sides: dict[str, set[str]] = {}
    for row in made.screens:
        sides.setdefault(row.group, set()).add(row.side)
    assert len(sides) == 8
    assert all(len(side) == 1 for side in sides.values())
    assert Counter(row.side for row in made.screens) == {"train": 14, "val": 2}, "a second pair would be too many"
    again = collect(maker.library, folder=tmp_path / "set", seed=3)
    assert [row.side for row in again.screens] == [row.side for row in made.screens]


def test_too_little_is_said_with_what_is_needed(maker: Maker, tmp_path: Path) -> None:
    maker.demo("demo_a", [*pages(1, 2, 3), (page(9), [button(review="unreviewed")])])
    with pytest.raises(
        BadInputError,
        match=r"3 screens that were approved or that programs reported, and at least 4.*Left out: 1 not approved",
    ) as caught:
        collect(maker.library, folder=tmp_path / "set")
    assert "Approve more" in caught.value.hint
    assert not (tmp_path / "set").exists()


def test_a_second_time_replaces_the_first_and_nothing_else(maker: Maker, tmp_path: Path) -> None:
    maker.demo("demo_a", pages(1, 2, 3, 4))
    maker.demo("demo_b", pages(5, 6, 7, 8))
    folder = tmp_path / "set"
    collect(maker.library, folder=folder)
    maker.library.delete_demo("demo_b")
    made = collect(maker.library, folder=folder)
    assert sorted(s.name for s in LabelledScreenSet(folder).screens()) == sorted(row.name for row in made.screens)
    assert len(list(folder.rglob("*.png"))) == 4
    other = tmp_path / "other"
    other.mkdir()
    (other / "thesis.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(BadInputError, match="holds something else"):
        collect(maker.library, folder=other)
    (folder / LINEAGE).write_text(json.dumps({"seed": 1}), encoding="utf-8")
    with pytest.raises(BadInputError, match="cannot be read as the lineage"):
        collect(maker.library, folder=folder)


def test_a_cancelled_collection_is_done_again(maker: Maker, tmp_path: Path) -> None:
    maker.demo("demo_a", pages(1, 2, 3, 4))
    token = CancelToken()
    control = JobControl(
        token=token, report=lambda p: token.cancel() if p.text == "Writing screens" and p.done else None
    )
    with pytest.raises(CancelledError):
        collect(maker.library, folder=tmp_path / "set", control=control)
    assert len(list(LabelledScreenSet(tmp_path / "set").screens())) < 4
    collect(maker.library, folder=tmp_path / "set")
    assert len(list(LabelledScreenSet(tmp_path / "set").screens())) == 4


def test_looks_are_told_apart_by_what_is_drawn_not_by_empty_ground() -> None:
    one, other = signature_of("a", page(1), []), signature_of("b", page(2), [])
    assert is_similar(one, signature_of("c", page(1, tick=True), []))
    assert not is_similar(one, other)
    assert is_similar(signature_of("d", blank(), []), signature_of("e", blank(), []))
    assert not is_similar(one, signature_of("f", page(1)[:, :300], []))
    words = [truth("text", (n, 0, n + 5, 5), text=f"word {n}") for n in range(6)]
    assert is_similar(signature_of("g", page(1), words), signature_of("h", page(2)[:, :300], words[1:]))
    assert not is_similar(signature_of("g", page(1), words[:3]), signature_of("h", page(2), words[:3]))
    assert not nearly_same(one, signature_of("i", page(1), words))
    chain = [one, signature_of("c", page(1, tick=True), []), other]
    assert group_similar(chain) == ["a", "a", "b"]


def test_never_is_everything_held_out() -> None:
    assert choose_val([("a", "demo")] * 5, seed=1) == frozenset()
    assert choose_val([("a", "demo")] * 9 + [("b", "demo")], seed=1) == {("b", "demo")}
    looks = [(str(n), "demo") for n in range(100)]
    held = choose_val(looks, seed=1)
    assert len(held) == 15
    assert held != choose_val(looks, seed=2)


def test_of_a_program_that_was_recorded_several_times_one_recording_is_held_out() -> None:
    # Held out whole, a program would be what nothing is learned of, and what is learned would be judged on others.
    often = [("editor", f"demo {n}") for n in range(7) for _ in range(3)]
    once = [("player", "another")] * 4
    for seed in range(5):
        held = choose_val([*often, *once], seed=seed)
        assert {look for look, _ in held} == {"editor"}
        assert 0.1 <= sum(unit in held for unit in [*often, *once]) / 25 <= 0.2
    assert len(choose_val([("editor", "one"), ("editor", "two")], seed=1)) == 1


# What to correct first ----------------------------------------------------------------------------------------


def doubtful(track: str, confidence: float = 0.2, **fields: object) -> Element:
    return found("button", (10, 10, 60, 30), confidence=confidence, track_id=track, **fields)


def test_screens_with_the_most_doubt_come_first_and_nothing_is_asked_twice(maker: Maker) -> None:
    said = (
        Evidence(source="detector", type="icon", confidence=0.9),
        Evidence(source="describer", type="button", confidence=0.9),
    )
    maker.demo("demo_a", [
        (page(1), [doubtful("t1"), doubtful("t2"), doubtful("t3")]),
        (page(2), [doubtful("t1"), doubtful("t2"), doubtful("t3", confidence=0.3)]),
        (page(3), [doubtful("t4", confidence=0.97, evidence=said)]),
        (page(4), [doubtful("t5", review="approved"), button(review="rejected")]),
    ])  # fmt: skip
    ranked = correct_first(maker.library)
    assert [one.shown for one in ranked] == ["before step 1", "before step 3", "before step 2"]
    assert [one.score for one in ranked] == sorted((one.score for one in ranked), reverse=True)
    assert ranked[0].score == pytest.approx(2.4)
    assert ranked[0].reasons == {"unsure": 3}
    assert ranked[1].reasons == {"type": 1}
    assert ranked[2].score == pytest.approx(0.2 * 2.3)
    assert [one.frame for one in correct_first(maker.library, ["demo_a"], limit=1)] == [ranked[0].frame]
    head, first, *_ = suspect_lines(ranked)
    assert head.split() == ["doubt", "elements", "screen"]
    assert first.split(maxsplit=3) == ["1", "2.4", "3", "demo_a before step 1: 3 unsure"]


# What a new model sees differently ----------------------------------------------------------------------------


def test_what_a_new_model_sees_differently_is_told_by_box() -> None:
    old = [
        found("button", (0, 0, 20, 10), text="OK"),
        found("checkbox", (30, 0, 40, 10), states={"checked": False}),
        found("text", (0, 40, 60, 50), text="Teh"),
        found("icon", (80, 40, 90, 50)),
    ]
    new = [
        found("button", (0, 0, 20, 10), text="OK "),
        found("checkbox", (30, 0, 40, 10), states={"checked": True}),
        found("hyperlink", (0, 40, 60, 51), text="The"),
        found("icon", (0, 70, 10, 80), subtype="star"),
    ]
    pictures = [(name, page(seed)) for name, seed in (("changed", 1), ("same", 3))]

    def see(elements: list[Element]) -> HandFinder:
        return HandFinder(lambda image: old[:1] if (image == page(3)).all() else elements)

    changed, same = compare(see(old), see(new), pictures, control=JobControl())
    assert (same.name, same.same, same.changes) == ("same", 1, ())
    told = [(one.kind, one.before, one.after) for one in changed.changes]
    assert told == [
        ("states", "checked=no", "checked=yes"),
        ("text", "Teh", "The"),
        ("type", "text", "hyperlink"),
        ("vanished", "icon", ""),
        ("appeared", "", "icon (star)"),
    ]
    assert changed.same == 1
