"""What goes into a pack comes out equal."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from tempfile import TemporaryDirectory

import jsonschema
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demopack.domain.demos import Demo
from demopack.domain.geometry import Point
from demopack.domain.records import Record
from demopack.json_lines import dump_line, parse_object
from demopack.pack import check_pack, export_pack, open_pack
from demopack.pack.card import render_card
from demopack.pack.convert import build_demo, demo_row, element_rows, frame_files, pruned, step_rows
from demopack.pack.import_demos import import_demos
from demopack.pack.manifest import Counts
from demopack.pack.page import render_page
from demopack.pack.rows import DemoRow, ElementRow, StepRow
from demopack.pack.schemas import schema_files
from demopack.pack.sets.statistics import RowCounter
from demopack.store import Library
from tests.support.demo_strategies import demos
from tests.support.demos import DemoBuilder, demo_head, sample_demo, tiny_demo
from tests.support.pictures import noise_image, swatch


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library") as opened:
        yield opened


@pytest.mark.parametrize("name", ["pack", "pack.zip"])
def test_demos_and_pictures_are_read_back_equal(library: Library, tmp_path: Path, name: str) -> None:
    ids = [sample_demo(library, draw=swatch), tiny_demo(library)]
    out = tmp_path / name
    export_pack(library, ids, out, zipped=name.endswith(".zip"))
    assert [f for f in check_pack(out) if f.severity == "error"] == []
    with open_pack(out) as pack:
        assert list(pack.whole_demos()) == [library.demo(key) for key in ids]
        for demo in pack.whole_demos():
            for frame in demo.frames():
                np.testing.assert_array_equal(pack.get_image(frame.id), library.get_image(frame.id))


def test_a_pack_moves_a_demo_to_another_library(library: Library, tmp_path: Path) -> None:
    key = sample_demo(library, draw=swatch)
    export_pack(library, [key], tmp_path / "pack")
    with Library.open(tmp_path / "other") as other:
        (told,) = import_demos([tmp_path / "pack"], other).demos
        assert (told.demo, told.status) == (key, "imported")
        assert other.demo(key) == library.demo(key)
        for frame in other.demo(key).frames():
            np.testing.assert_array_equal(other.get_image(frame.id), library.get_image(frame.id))
        assert import_demos([tmp_path / "pack"], other).demos[0].status == "already_there"


# Any demo ----------------------------------------------------------------------------------------------------------


def through_text(row: Record) -> Record:
    line = dump_line(row)
    assert line.endswith("\n")
    assert len(line.splitlines()) == 1, "no reader may see two lines"
    return type(row).model_validate(parse_object(line))


def rows_of(demo: Demo) -> tuple[DemoRow, list[StepRow], list[ElementRow]]:
    files = frame_files(demo)
    return demo_row(demo, files), step_rows(demo, files), element_rows(demo, files)


@given(demos())
@settings(max_examples=40, deadline=None)
def test_any_demo_survives_its_rows(demo: Demo) -> None:
    head, steps, elements = rows_of(pruned(demo))
    back = build_demo(
        through_text(head),  # type: ignore[arg-type]
        [through_text(row) for row in steps],  # type: ignore[misc]
        [through_text(row) for row in elements],  # type: ignore[misc]
    )
    assert back == pruned(demo) == demo


_SCHEMAS = {name: jsonschema.Draft202012Validator(json.loads(text)) for name, text in schema_files().items()}


@given(demos())
@settings(max_examples=15, deadline=None)
def test_any_row_fulfils_the_shipped_schema(demo: Demo) -> None:
    head, steps, elements = rows_of(demo)
    for name, rows in (("demo.json", [head]), ("step.json", steps), ("element.json", elements)):
        for row in rows:
            _SCHEMAS[name].validate(json.loads(dump_line(row)))


class Outline(HTMLParser):
    """Remembers which elements a page has, and that each is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: set[str] = set()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        assert not any(name.startswith("on") for name, _ in attrs)
        if tag not in {"meta", "img"}:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


_ALLOWED = {
    "html", "head", "meta", "title", "style", "body", "div", "nav", "span", "kbd", "h1", "h2", "h3", "h4", "ol", "ul",
    "li", "a", "img", "b", "main", "section", "header", "article", "figure", "figcaption", "svg", "g", "rect", "circle",
    "polyline", "aside", "p", "small", "dl", "dt", "dd", "pre", "button", "script",
}  # fmt: skip


@given(demos())
@settings(max_examples=15, deadline=None)
def test_any_demo_makes_a_sound_page_and_card(demo: Demo) -> None:
    head, steps, elements = rows_of(demo)
    outline = Outline()
    tally = RowCounter()
    tally.demo(head, steps)
    tally.elements(elements)
    numbers = tally.result()
    outline.feed(render_page([head], steps, elements, numbers=numbers))
    outline.close()
    assert outline.open == []
    assert outline.seen <= _ALLOWED
    counts = Counts(demos=1, steps=len(steps), elements=len(elements), frames=len(head.frames), rationales=0)
    card = render_card([head], counts, [], licence="", numbers=numbers)
    assert card.count("\n# ") == 1


# Lawful demos, with pictures ---------------------------------------------------------------------------------------

_STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("click"), st.integers(0, 31), st.integers(0, 23)),
        st.tuples(st.just("type"), st.text(min_size=1, max_size=8), st.none()),
        st.tuples(st.just("press_key"), st.sampled_from(["Enter", "Ctrl+C", "é"]), st.none()),
    ),
    max_size=3,
)


@given(steps=_STEPS, seed=st.integers(0, 10**6), zipped=st.booleans())
@settings(max_examples=8, deadline=None)
def test_generated_demos_survive_the_whole_way(
    steps: list[tuple[str, object, object]], seed: int, zipped: bool
) -> None:
    with TemporaryDirectory() as folder, Library.open(Path(folder) / "library") as library:
        builder = DemoBuilder(library=library, demo_id="demo_gen")
        frame = builder.frame(noise_image(32, 24, seed=seed))
        for kind, first, second in steps:
            if kind == "click":
                builder.step("click", frame, None, at=Point(first, second))  # type: ignore[arg-type]
            else:
                name = "text_to_type" if kind == "type" else "key_info"
                builder.step(kind, frame, None, parameters={name: first})
            frame = builder.frame(noise_image(32, 24, seed=builder.now_ns % 1000 + seed))
        builder.step("finish_goal", frame, None)
        builder.store(demo_head("demo_gen", final_frame=frame))
        out = Path(folder) / "out.zip"
        if [1 for kind, x, y in steps if kind == "click" and (x, y) == (0, 0)]:
            return  # rule A03 refuses a press at the origin
        export_pack(library, ["demo_gen"], out, zipped=zipped)
        with open_pack(out) as pack:
            assert list(pack.whole_demos()) == [library.demo("demo_gen")]
