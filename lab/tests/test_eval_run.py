"""Measuring a finder on sets: what is kept, what is chosen, what is said when a set is bad, and the page."""

from __future__ import annotations

import html.parser
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from demopack.errors import BadInputError, CancelledError, ModelError
from demopack.jobs import CancelToken, JobControl, Progress
from lab.cli.evaluation import command
from lab.evaluation.report import Report
from lab.evaluation.run import PAGE, REPORT, evaluate
from lab.evaluation.unseen import is_unseen
from models.vision import finder as finder_module
from models.vision.finder import WorkerFinder
from tests.support.truths import HandFinder, dark_boxes, found, put_screen, screen, truth

LABEL = truth("text", (10, 10, 40, 20))
BUTTON = truth("button", (50, 40, 90, 60), text="OK", states={"disabled": False})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Four screens of two groups, and one to train on."""
    put_screen(tmp_path / "set", screen(LABEL, name="a", seed=1))
    put_screen(tmp_path / "set", screen(LABEL, BUTTON, name="b", seed=2))
    put_screen(tmp_path / "set", screen(LABEL, name="c", seed=3))
    put_screen(tmp_path / "set", screen(BUTTON, name="d", group="style", source="qt", seed=4))
    put_screen(tmp_path / "set", screen(LABEL, name="e", group="other", side="train", seed=5))
    return tmp_path / "set"


def test_every_screen_is_asked_for_once_and_the_report_says_what_was_found(folder: Path, tmp_path: Path) -> None:
    finder = HandFinder(dark_boxes)
    said: list[Progress] = []
    out = tmp_path / "out"
    report = evaluate([folder], finder, out=out, control=JobControl(report=said.append))
    assert (report.overall.screens, report.overall.at50.f1) == (4, 1.0)
    assert (report.overall.type.right, report.overall.type.of) == (3, 5)
    assert (report.by_source["qt"].type.share, report.by_source["web"].type.share) == (0.0, 0.75)
    assert sorted(report.groups) == ["qt/style", "web/page"]
    assert report.unseen["web"].screens == 3
    assert [(row.name, row.mistyped) for row in report.worst] == [("d", 1), ("b", 1)]
    assert (said[0].done, said[-1].done, said[-1].total) == (0, 4, 4)
    assert Report.model_validate_json((out / REPORT).read_bytes()) == report
    # One picture more: the models are warmed up with one that does not count.
    assert finder.asked == 5


def test_a_measurement_goes_on_where_it_stopped(folder: Path, tmp_path: Path) -> None:
    token = CancelToken()
    finder = HandFinder(dark_boxes)

    def stop(progress: Progress) -> None:
        if progress.done == 2:
            token.cancel()

    out = tmp_path / "out"
    with pytest.raises(CancelledError):
        evaluate([folder], finder, out=out, control=JobControl(token=token, report=stop))
    assert not (out / REPORT).exists()
    # Three screens, the last one finished in spite of the order to stop, and one picture to warm the models up.
    assert finder.asked == 4
    report = evaluate([folder], finder, out=out, control=JobControl())
    assert (report.overall.screens, finder.asked) == (4, 6)
    again = evaluate([folder], finder, out=out, control=JobControl())
    assert (again.overall, finder.asked) == (report.overall, 6)
    other = HandFinder(dark_boxes, name="hand-2")
    evaluate([folder], other, out=out, control=JobControl())
    assert other.asked == 5


def test_what_was_kept_is_not_used_for_a_picture_that_was_drawn_anew(folder: Path, tmp_path: Path) -> None:
    finder = HandFinder(dark_boxes)
    evaluate([folder], finder, out=tmp_path / "out", control=JobControl())
    put_screen(folder, screen(LABEL, name="a", seed=77))
    before = finder.asked
    evaluate([folder], finder, out=tmp_path / "out", control=JobControl())
    assert finder.asked == before + 2  # with the warming up
    for kept in (tmp_path / "out" / "found").rglob("*.json"):
        kept.write_text("{", encoding="utf-8")
    evaluate([folder], finder, out=tmp_path / "out", control=JobControl())
    assert finder.asked == before + 7


def test_sides_sources_and_limits_choose_screens(folder: Path) -> None:
    def count(**options: object) -> int:
        report = evaluate([folder, folder], HandFinder(dark_boxes), control=JobControl(), **options)  # type: ignore[arg-type]
        return report.overall.screens

    assert count() == 4
    assert count(sides=("train",)) == 1
    assert count(sides=()) == 5
    assert count(sources=("qt",)) == 1
    assert count(limit=1) == 2


def test_a_bad_set_is_one_clear_error(folder: Path, tmp_path: Path) -> None:
    def error(*sets: Path, **options: object) -> str:
        with pytest.raises(BadInputError) as caught:
            evaluate(sets, HandFinder(dark_boxes), control=JobControl(), **options)  # type: ignore[arg-type]
        return str(caught.value)

    (tmp_path / "empty").mkdir()
    assert "There is no folder" in error(tmp_path / "nowhere")
    assert "There are no screens in" in error(tmp_path / "empty")
    assert "There are: qt test, web test, web train" in error(folder, sources=("apps",))
    assert "0 screens of a group" in error(folder, limit=0)
    picture = folder / "page" / "a.png"
    good = picture.read_bytes()
    picture.write_bytes(good[:100])
    assert str(picture) in error(folder)
    picture.unlink()
    assert str(picture) in error(folder)
    picture.write_bytes(good)
    data = json.loads(picture.with_suffix(".json").read_text(encoding="utf-8"))
    data["elements"][0]["box"] = [90, 10, 120, 20]
    picture.with_suffix(".json").write_text(json.dumps(data), encoding="utf-8")
    assert "elements.0.box: [90, 10, 120, 20] is empty or leaves the picture of 100 x 80" in error(folder)
    data["elements"][0]["type"] = "buton"
    picture.with_suffix(".json").write_text(json.dumps(data), encoding="utf-8")
    assert "is no screen: elements.0.type" in error(folder)


def test_a_finder_that_fails_names_the_screen(folder: Path) -> None:
    def fail(_: object) -> list[object]:
        raise ModelError("The worker died.", hint="Look at it.")

    with pytest.raises(ModelError, match=r"The screen style/d could not be measured.*The worker died") as caught:
        evaluate([folder], HandFinder(fail), sources=("qt",), control=JobControl())  # type: ignore[arg-type]
    assert caught.value.hint == "Look at it."


def test_tasks_that_were_never_trained_on_stand_apart() -> None:
    assert is_unseen(screen(source="miniwob", group="find-word"))
    assert not is_unseen(screen(source="miniwob", group="click-button"))
    assert not is_unseen(screen(source="miniwob", group="find-word", side="val"))
    assert is_unseen(screen(source="apps", group="mousepad"))
    assert not is_unseen(screen(source="library", group="look_1"))


class _Tags(html.parser.HTMLParser):
    """Closes what it opens, and counts."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.classes: list[str] = []
        self.sources: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        self.classes += (named.get("class") or "").split()
        self.sources += [named["src"] or ""] if "src" in named else []
        if tag not in {"meta", "img", "input"}:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_draws_every_kind_of_mistake_and_needs_nothing_else(tmp_path: Path) -> None:
    text = truth("text", (5, 5, 60, 15), text="<b>&\x00")
    put_screen(tmp_path / "set", screen(text, LABEL.model_copy(update={"box": BUTTON.box}), name="a"))
    put_screen(tmp_path / "set", screen(LABEL, name="large", width=700, height=600))

    def answer(image: object) -> list[object]:
        return [found("icon", (50, 40, 90, 60)), found("text", (0, 70, 30, 80))]

    out = tmp_path / "out"
    evaluate([tmp_path / "set"], HandFinder(answer), out=out, control=JobControl())  # type: ignore[arg-type]
    page = (out / PAGE).read_text(encoding="utf-8")
    tags = _Tags()
    tags.feed(page)
    tags.close()
    assert tags.open == []
    assert {"missed", "false", "mistyped", "small", "large"} <= set(tags.classes)
    assert all(source.startswith("data:image/") for source in tags.sources)
    assert len(tags.sources) == 2
    assert "<b>&" not in page
    assert "http" not in page.replace("http-equiv", "")


def test_a_faultless_measurement_has_a_page_without_screens(tmp_path: Path) -> None:
    put_screen(tmp_path / "set", screen(LABEL))
    evaluate([tmp_path / "set"], HandFinder(dark_boxes), out=tmp_path / "out", control=JobControl())
    assert "Not one mistake" in (tmp_path / "out" / PAGE).read_text(encoding="utf-8")


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The settings that the command opens a finder with; the finder needs no model."""
    settings: list[object] = []

    def open_echo(vision: object) -> WorkerFinder:
        settings.append(vision)
        return WorkerFinder("echo-1", builder="tests.support.echo_pipeline:build", options={})

    monkeypatch.setattr(finder_module, "open_finder", open_echo)
    return settings


def test_the_command_prints_a_table_or_json(folder: Path, tmp_path: Path, told: list[object]) -> None:
    def run(*arguments: str) -> str:
        result = CliRunner().invoke(command, [str(folder), *arguments], catch_exceptions=False, standalone_mode=False)
        if result.exception is not None:
            raise result.exception
        return result.output

    out = tmp_path / "out"
    lines = run("-o", str(out), "--detector", "mine", "--describe-s", "3").splitlines()
    assert lines[0] == "echo-1"
    assert lines[2].split()[:3] == ["all", "4", "5"]
    assert "never trained on" in "".join(lines)
    assert "First answer after" in lines[-2]
    assert lines[-1].endswith("index.html")
    data = json.loads(run("--json", "--side", "train", "--limit", "1"))
    assert (data["finder"], data["overall"]["screens"], data["overall"]["at50"]["f1"]) == ("echo-1", 1, 0.0)
    first, second = (vision.model_dump() for vision in told)  # type: ignore[attr-defined]
    assert (first["detector"], first["describe_s"], first["incremental"]) == ("mine", 3.0, False)
    assert (second["detector"], second["incremental"]) == ("shipped", False)
