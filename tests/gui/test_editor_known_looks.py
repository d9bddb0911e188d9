"""An icon that was named names the others of its look, here and on the next picture, until that is taken back."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from PySide6.QtCore import Qt

from annotator.attributes.element_attributes import SetAttribute
from annotator.commands import AddElement
from annotator.similar.known import load_looks
from annotator.ui.editor.similar_features import KnownLooksFeature
from demopack.domain.elements import Element
from demopack.domain.geometry import Rect
from demopack.settings import Settings, UiSettings
from tests.gui.conftest import App
from tests.support.services import with_calls


@pytest.fixture
def page(app: App) -> Any:
    return app.open()


def feature(app: App) -> KnownLooksFeature:
    found: KnownLooksFeature = app.page.context.feature(KnownLooksFeature)
    return found


def quiet(app: App) -> None:
    looks = feature(app)

    def rests() -> bool:
        compares = looks._busy or looks._soon.isActive() or not looks._ready
        return not compares and not app.window.workers.busy

    app.qtbot.waitUntil(rests, timeout=20_000)


def icons(app: App, prefix: str = "icon") -> list[str]:
    """Suggested icons where the sample has three round buttons."""
    page = app.page
    app.qtbot.waitUntil(lambda: page.canvas.pixels is not None)
    for i, box in enumerate(round_buttons(page)):
        page.session.do(
            AddElement(
                element=Element(
                    uid=f"{prefix}_{i}", frame=page.view.frame.id, type="icon", box=box, source="detector",
                    confidence=0.8,
                )
            )
        )  # fmt: skip
    quiet(app)
    return [f"{prefix}_{i}" for i in range(3)]


def round_buttons(page: Any) -> list[Rect]:
    """Where the title bar shows something at its right end."""
    pixels = page.canvas.pixels[2:30, 800:958, :3].astype(int)
    ground = pixels[2, 2]
    columns = (abs(pixels - ground).max(axis=2) > 60).any(axis=0).nonzero()[0] + 800
    starts = [int(columns[0]), *(int(b) for a, b in pairwise(columns) if b - a > 2)]
    assert len(starts) == 3
    return [Rect(x - 2, 4, x + 16, 28) for x in starts]


def subtypes(app: App, uids: list[str]) -> list[str | None]:
    return [None if (e := app.page.session.document.element(uid)) is None else e.subtype for uid in uids]


def name(app: App, uid: str, word: str) -> None:
    app.page.session.do(SetAttribute(uids=(uid,), name="subtype", value=word))
    quiet(app)


def undo(app: App) -> None:
    app.page.canvas.setFocus()
    app.qtbot.keyClick(app.page.canvas, "z", Qt.KeyboardModifier.ControlModifier)
    quiet(app)


def test_one_name_names_the_others_and_one_undo_takes_them_back(app: App, page: Any) -> None:
    uids = icons(app)
    name(app, uids[1], "dot")
    assert subtypes(app, uids) == ["dot"] * 3
    reviews = [page.session.document.element(uid).review for uid in uids]
    assert reviews == ["unreviewed", "approved", "unreviewed"]
    undo(app)
    assert subtypes(app, uids) == [None, "dot", None]
    name(app, uids[1], "dot again")
    assert subtypes(app, uids) == [None, "dot again", None], "what was taken back is not named again"


def test_a_better_name_goes_to_those_that_were_named_by_it(app: App, page: Any) -> None:
    uids = icons(app)
    name(app, uids[0], "dto")
    name(app, uids[0], "dot")
    assert subtypes(app, uids) == ["dot"] * 3


def test_it_is_known_in_the_next_demo_and_after_the_cache_was_deleted(app: App, page: Any) -> None:
    uids = icons(app)
    name(app, uids[0], "dot")
    path = feature(app)._path
    page.back_wanted.emit()
    app.settle()
    kept = load_looks(path)
    assert kept is not None
    assert len(kept) == 1
    path.unlink()
    app.open()
    quiet(app)
    assert len(feature(app).looks) == 1, "made anew from what was approved"
    again = icons(app, "later")
    app.qtbot.waitUntil(lambda: subtypes(app, again) == ["dot"] * 3)


def test_it_can_be_switched_off(app: App, page: Any) -> None:
    desk = page.context
    desk.services = with_calls(desk.services, settings=Settings(ui=UiSettings(known_looks=False)))
    uids = icons(app)
    name(app, uids[1], "dot")
    assert subtypes(app, uids) == [None, "dot", None]
