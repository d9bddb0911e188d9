from __future__ import annotations

import io
import json
import tarfile
from pathlib import Path

import numpy as np
import pytest

from demopack.errors import BadInputError
from lab.icons.batches import Measured
from lab.icons.meanings import MEANINGS, NOTHING, meaning_of
from lab.icons.measure import measure, sure_from
from lab.icons.pool import CLASSES
from lab.icons.sets import SETS, TEST_SETS, VAL_SETS, drawings_of, own_drawings
from lab.icons.themes import theme_files
from lab.screens.web.packages import Package
from models.vision.describer_words import SUBTYPES
from models.vision.icons import SIDE, Floats

PACKAGE = Package("tiny", "@iconify-json/tiny", "1.0.0", "MIT", "icons")
BODY = '<path fill="currentColor" d="M0 0h24v24z"/>'


class Registry:
    """Gives one archive, and counts how often it is asked."""

    def __init__(self, icons: object) -> None:
        self.asked = 0
        self._data = json.dumps({"prefix": "tiny", "width": 24, "height": 24, "icons": icons}).encode()

    def fetch(self, package: Package, folder: Path) -> Path:
        assert package == PACKAGE
        self.asked += 1
        path = folder / "tiny.tgz"
        with tarfile.open(path, "w:gz") as archive:
            info = tarfile.TarInfo("package/icons.json")
            info.size = len(self._data)
            archive.addfile(info, io.BytesIO(self._data))
        return path


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        ("trash", "delete"),
        ("outline-delete-24", "delete"),
        ("magnifying-glass-bold", "search"),
        ("x-circle-fill", "error"),
        ("x", "close"),
        ("minus-square", "collapse"),
        ("minus", "remove"),
        ("chevron-left-16-filled", "left"),
        ("arrow-left", "back"),
        ("umbrella", NOTHING),
        ("quantum-flux", None),
        ("list", None),
    ],
)
def test_names_of_sets_are_understood(name: str, meaning: str | None) -> None:
    assert meaning_of(name) == meaning


def test_a_set_may_mean_something_else_by_a_name() -> None:
    assert (meaning_of("cancel", prefix="ic"), meaning_of("alert-20-regular", prefix="fluent")) == ("error", "bell")


def test_every_meaning_has_a_word_in_the_describers_list() -> None:
    assert set(MEANINGS) <= set(SUBTYPES)


def test_what_is_learned_is_not_what_is_measured() -> None:
    keys = [*SETS, *VAL_SETS, *TEST_SETS]
    assert len(keys) == len(set(keys))
    # The sets that are kept from pages must not be learned under another name.
    assert not {"ion", "octicon", "famicons", "nonicons"} & set(SETS)


def test_a_set_is_fetched_once_and_its_known_pictures_are_taken(tmp_path: Path) -> None:
    masked = '<mask id="a"/><path d="M0 0"/>'
    icons = {"trash": {"body": BODY}, "blob": {"body": BODY}, "sun": {"body": "<path/>"}, "home": {"body": masked}}
    registry = Registry(icons)
    first = drawings_of(PACKAGE, folder=tmp_path, source=registry)
    assert [(one.name, one.meaning, one.coloured) for one in first] == [
        ("trash", "delete", False),
        ("sun", NOTHING, True),
    ]
    assert "currentColor" not in first[0].svg
    assert drawings_of(PACKAGE, folder=tmp_path, source=registry) == first
    assert registry.asked == 1


def test_a_damaged_set_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match=r"@iconify-json/tiny 1\.0\.0"):
        drawings_of(PACKAGE, folder=tmp_path, source=Registry({"home": {}}))
    (tmp_path / f"{PACKAGE.folder}.json").write_text("{", encoding="utf-8")
    with pytest.raises(BadInputError, match="damaged"):
        drawings_of(PACKAGE, folder=tmp_path, source=Registry({}))


def test_our_own_drawings_show_every_meaning() -> None:
    assert {one.meaning for one in own_drawings()} == set(MEANINGS)


def test_icons_of_themes_are_known_by_their_files(tmp_path: Path) -> None:
    for name in ("22x22/actions/edit-cut.svg", "symbolic/actions/edit-cut-symbolic.svg", "22x22/actions/weird.svg"):
        path = tmp_path / "Tango" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("<svg/>", encoding="utf-8")
    (tmp_path / "Tango" / "edit-cut.svg").symlink_to("22x22/actions/edit-cut.svg")
    assert [(theme, meaning, path.name) for theme, meaning, path in theme_files(tmp_path)] == [
        ("Tango", "cut", "edit-cut.svg"),
        ("Tango", "cut", "edit-cut-symbolic.svg"),
    ]


def measured(meanings: list[str]) -> Measured:
    squares = np.zeros((len(meanings), SIDE, SIDE, 3), dtype=np.uint8)
    return Measured(squares, np.array([CLASSES.index(one) for one in meanings]), "qt")


def answers(*said: tuple[str, float]) -> Floats:
    likely = np.zeros((len(said), len(CLASSES)), dtype=np.float32)
    for row, (name, sure) in zip(likely, said, strict=True):
        row[:] = (1 - sure) / (len(CLASSES) - 1)
        row[CLASSES.index(name)] = sure
    return likely


def test_figures_tell_right_from_named() -> None:
    part = measured(["save", "close", "home", NOTHING])
    likely = answers(("save", 0.9), ("save", 0.9), ("home", 0.4), (NOTHING, 0.9))
    figures = measure(lambda _: likely, [part], sure_at=0.5)
    assert figures["right/qt"] == pytest.approx(1 / 3, abs=1e-4)
    assert figures["named/qt"] == pytest.approx(2 / 3, abs=1e-4)
    assert figures["right_of_named/qt"] == 0.5
    assert figures["left_open/qt"] == 1.0
    assert (figures["right"], figures["named"]) == (figures["right/qt"], figures["named/qt"])


def test_it_speaks_from_where_it_is_more_often_right_than_wrong() -> None:
    part = measured(["save", "save", "close", "close", "close"])
    likely = answers(("save", 0.9), ("save", 0.8), ("save", 0.7), ("close", 0.6), ("save", 0.5))
    assert sure_from(lambda _: likely, [part]) in {0.8, 0.6}
    worse = answers(("save", 0.9), ("save", 0.8), ("save", 0.7), ("save", 0.6), ("save", 0.5))
    assert sure_from(lambda _: worse, [part]) == pytest.approx(0.8)


def test_a_network_that_names_nothing_speaks_from_a_half_on() -> None:
    assert sure_from(lambda _: answers((NOTHING, 1.0)), [measured(["save"])]) == 0.5
