"""What goes into a pack comes out equal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from demopack.errors import LibraryError
from demopack.pack import check_pack, export_pack, import_pack, read_pack
from demopack.store import Library
from tests.support.demos import sample_demo, tiny_demo


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library") as opened:
        yield opened


@pytest.mark.parametrize("name", ["pack", "pack.zip"])
def test_demos_and_pictures_are_read_back_equal(library: Library, tmp_path: Path, name: str) -> None:
    ids = [sample_demo(library), tiny_demo(library)]
    out = tmp_path / name
    export_pack(library, ids, out, zipped=name.endswith(".zip"))
    assert [f for f in check_pack(out) if f.severity == "error"] == []
    with read_pack(out) as pack:
        assert pack.demos == [library.demo(key) for key in ids]
        for demo in pack.demos:
            for frame in demo.frames():
                np.testing.assert_array_equal(pack.get_image(frame.id), library.get_image(frame.id))


def test_a_pack_moves_a_demo_to_another_library(library: Library, tmp_path: Path) -> None:
    key = sample_demo(library)
    export_pack(library, [key], tmp_path / "pack")
    with Library.open(tmp_path / "other") as other:
        assert import_pack(tmp_path / "pack", other) == [key]
        assert other.demo(key) == library.demo(key)
        with pytest.raises(LibraryError, match="in this library already"):
            import_pack(tmp_path / "pack", other)
