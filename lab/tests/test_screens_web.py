"""Generated pages in a real Chromium, without packages: their pictures and their truth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from demopack.domain.elements import ATTRIBUTES
from demopack.jobs import JobControl
from lab.screens.factory import make_screens
from lab.screens.sources import Rendered, SampleSpec
from lab.screens.web import WebSource, page, renderer, sides
from lab.screens.web.controls import button, checkbox, radios, select, slider, text_input, toggle, tool
from lab.screens.web.maker import Maker
from lab.screens.web.markup import div
from lab.screens.web.pages.windows import window
from lab.screens.web.parts import menubar, row, table, tabs, tree
from lab.screens.web.popups import dialog, menu
from lab.screens.web.renderer import WebRenderer
from models.training.labelled_screens import GroundTruth, LabelledScreenSet

SAMPLE = Path(__file__).parents[2] / "tests" / "data" / "screens" / "web"


@pytest.fixture(scope="module")
def drawing() -> Iterator[WebRenderer]:
    with renderer.web_renderer(None) as drawing:
        yield drawing


def _known(m: Maker) -> str:
    """A page of which everything is known."""
    opened = menu(m, entries=[(None, "Rename"), (None, "Archive")])
    dialog(m, title="Remove it?", body="<p>It cannot be undone.</p>", buttons=[button(m, label="Keep")], width=300)
    left = div(
        "", menubar(words=["File", "Edit"], pops=[opened, None]),
        button(m, label="Send", kind="primary"), button(m, label="Wait", disabled=True),
        tool(m, icon="print", framed=True), checkbox(m, label="Agree", on=True),
        radios(m, labels=["Yes", "No"], chosen=1),
        toggle(m, label="Sound", on=False), slider(m, value=40), select(m, options=["Lima", "Oslo"], chosen=1),
        text_input(m, value="Anna"), text_input(m, hint="Your city"), tabs(m, labels=["Day", "Week"], active=1),
        style="width:420px",
    )  # fmt: skip
    entries: list[tuple[int, str, bool | None, str]] = [(0, "docs", True, "folder"), (1, "a.txt", None, "file")]
    right = div(
        "", table(m, heads=["Name", "Size"], body=[["Tent", "9"], ["Bowl", "4"]], chosen=[1]),
        tree(m, entries=entries, active=1), row(m, content="Spam", on=True), row(m, content="Sent", off=True),
    )  # fmt: skip
    frame = window(m, title="Notes", body="<p>Later</p>", place=(20, 520, 300, 120), front=True)
    return div("", left, right, style="display:flex;gap:20px") + frame


@pytest.fixture(scope="module")
def moments(drawing: WebRenderer) -> list[Rendered]:
    """The known page as it is, with its menu open, with a dialog."""
    acts = ((), (("open", (0.0, 0.0, "menu")),), (("open", (0.0, 1.0, "dialog")),))
    fixed = {
        "_moments": acts, "draw_window": ((900, 700), 1.0), "_add_popups": None, "_pointer": "", "_icon_key": "own",
        "body_classes": "ring-tight",
    }  # fmt: skip
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sides.TEMPLATES, "known", _known)
        for name, value in fixed.items():
            patch.setattr(page, name, lambda *_, value=value, **__: value)
        return list(drawing.render(SampleSpec(group="known.own", side="train", seed=1)))


def _of(moment: Rendered, kind: str) -> list[GroundTruth]:
    return [one for one in moment.elements if one.type == kind]


def _texts(elements: Sequence[GroundTruth]) -> list[str | None]:
    return [one.text for one in sorted(elements, key=lambda one: (one.box.y1, one.box.x1))]


def test_controls_have_their_types_texts_and_states(moments: list[Rendered]) -> None:
    still = moments[0]
    send, wait = _of(still, "button")[:2]
    assert (send.text, send.states["disabled"]) == ("Send", False)
    assert (wait.text, wait.states["disabled"]) == ("Wait", True)
    assert [(one.text, one.states["checked"]) for one in _of(still, "checkbox")] == [("Agree", True)]
    assert {one.text: one.states["checked"] for one in _of(still, "radio")} == {"Yes": False, "No": True}
    assert [(one.text, one.states["checked"]) for one in _of(still, "toggle")] == [("Sound", False)]
    assert _texts(_of(still, "dropdown")) == ["Oslo"]
    assert sorted(_texts(_of(still, "input_field")), key=str) == ["Anna", "Your city"]
    assert {one.text: one.states["checked"] for one in _of(still, "tab")} == {"Day": False, "Week": True}
    assert len(_of(still, "slider")) == 1
    assert "print" in {one.subtype for one in _of(still, "icon")}
    assert {"Agree", "Yes", "No", "Sound"} <= set(_texts(_of(still, "text")))


def test_rows_cells_trees_and_windows_are_marked(moments: list[Rendered]) -> None:
    still = moments[0]
    assert {one.text: one.states["highlighted"] for one in _of(still, "tabled_text")} == {
        "Name": False, "Size": False, "Tent": False, "9": False, "Bowl": True, "4": True,
    }  # fmt: skip
    branch, leaf = _of(still, "tree_item")
    assert (branch.text, branch.states["expanded"]) == ("docs", True)
    assert (leaf.text, "expanded" in leaf.states, leaf.states["highlighted"]) == ("a.txt", False, True)
    assert leaf.leaf
    spam, sent = _of(still, "list_item")
    assert (spam.text, spam.states["highlighted"], sent.states["disabled"]) == ("Spam", True, True)
    (frame,) = _of(still, "window")
    assert (frame.box.x1, frame.box.y1, frame.box.width, frame.box.height) == (20, 520, 300, 120)
    assert not frame.leaf
    assert {"close"} <= {one.subtype for one in _of(still, "icon")}


def test_an_open_menu_has_rows_and_its_opener_says_so(moments: list[Rendered]) -> None:
    still, opened, _ = moments
    assert {one.text: one.states["expanded"] for one in _of(still, "menu")} == {"File": False, "Edit": False}
    assert {one.text: one.states["expanded"] for one in _of(opened, "menu")} == {"File": True, "Edit": False}
    rows = _of(opened, "menu_item")
    assert [str(one.text).split(" ")[0] for one in rows] == ["Rename", "Archive"]
    (file,) = [one for one in _of(opened, "menu") if one.text == "File"]
    assert all(one.box.y1 >= file.box.y2 for one in rows)


def test_what_lies_behind_a_dialog_is_gone_and_the_rest_stays(moments: list[Rendered]) -> None:
    last = moments[2]
    (box,) = _of(last, "dialog")
    assert "It cannot be undone." in _texts(_of(last, "text"))
    assert "Keep" in _texts(_of(last, "button"))
    assert not _of(last, "menu_item")
    for one in last.elements:
        common = one.box.intersection(box.box)
        behind = one.text in {"Send", "Wait", "Agree", "Tent", "Bowl"}
        assert not (behind and common is not None and common.area > one.box.area / 2)


@pytest.mark.parametrize("group", ["mail.own", "desktop.plain", "form.own"])
def test_equal_tickets_give_equal_screens_with_sound_truth(drawing: WebRenderer, group: str) -> None:
    spec = SampleSpec(group=group, side="train", seed=11)
    first, again = drawing.render(spec), drawing.render(spec)
    assert len(first) == len(again) >= 2
    for one, other in zip(first, again, strict=True):
        # The browser draws round corners in tiles; under load a few of their soft pixels come out one step lighter.
        assert (
            np.count_nonzero((one.image != other.image).any(axis=2)) <= one.image.shape[0] * one.image.shape[1] // 5000
        )
        assert one.elements == other.elements
        height, width = one.image.shape[:2]
        assert len(one.elements) >= 3
        for truth in one.elements:
            box = truth.box
            assert 0 <= box.x1 < box.x2 <= width
            assert 0 <= box.y1 < box.y2 <= height
            assert set(truth.states) <= ATTRIBUTES[truth.type].states
    assert len({one.image.tobytes() for one in first}) == len(first)


def test_the_factory_stores_them(tmp_path: Path) -> None:
    report = make_screens(
        WebSource(packages=False), folder=tmp_path, count=4, seed=4, side="val", workers=1, control=JobControl()
    )
    screens = [one for one in LabelledScreenSet(tmp_path).screens(sides=["val"]) if one.source == "web"]
    assert not report.failed
    assert len(screens) == report.made >= 2
    assert {screen.variant["kit"] for screen in screens} <= {"own", "plain"}


def test_the_sample_in_the_repository_is_whole() -> None:
    sample = LabelledScreenSet(SAMPLE)
    screens = list(sample.screens())
    assert len(screens) >= 3
    for screen in screens:
        assert sample.image(screen).shape == (screen.height, screen.width, 3)
        assert len(screen.elements) > 5
