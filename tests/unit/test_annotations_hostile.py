"""Annotations that mean harm end in one sentence, at once: none is waited for, unfolded or followed."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import pytest

from demopack.codecs.boxes.base import DecodedPicture
from demopack.codecs.boxes.catalogue import FORMATS, detect_format
from demopack.codecs.boxes.yolo import class_names
from demopack.errors import BadInputError
from tests.support.annotations import read

ENTITY = '<?xml version="1.0" encoding="{0}"?><!DOCTYPE a [<!ENTITY x "told by an entity">]><annotations><image id="0" name="a.png"><box label="&x;" xtl="1" ytl="1" xbr="9" ybr="9"/></image></annotations>'  # noqa: E501
LINK = "lol: &a [x, x]\n" + "".join(f"l{n}: &l{n} [*a, *a, *a, *a]\n" for n in range(1, 12)) + "names: [a]\n"


def pictures(path: Path, name: str) -> list[DecodedPicture]:
    return read(FORMATS[name], path)[0]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le", "utf-16-be"])
def test_an_entity_is_refused_in_every_encoding(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "cvat.xml"
    mark = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}.get(encoding, b"")
    file.write_bytes(mark + ENTITY.format(encoding[:6]).encode(encoding))
    assert detect_format(file) is FORMATS["cvat"]
    with pytest.raises(BadInputError, match="declares entities"):
        pictures(file, "cvat")


def test_the_word_doctype_in_a_text_is_no_declaration(tmp_path: Path) -> None:
    file = tmp_path / "cvat.xml"
    file.write_text('<annotations><!-- <!DOCTYPE a> --><image id="0" name="a.png"/></annotations>')
    assert len(pictures(file, "cvat")) == 1


def test_aliases_of_yaml_are_not_unfolded(tmp_path: Path) -> None:
    (tmp_path / "data.yaml").write_text(LINK)
    with pytest.raises(BadInputError, match="aliases"):
        class_names(tmp_path)


def test_a_yaml_that_is_far_too_large_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "data.yaml").write_text("names: [a]\n" + "# more\n" * 100_000)
    with pytest.raises(BadInputError, match="more than"):
        class_names(tmp_path)


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_fifos_among_the_files_are_not_waited_for(tmp_path: Path, name: str) -> None:
    for ending in ("json", "xml", "txt", "yaml", "png"):
        os.mkfifo(tmp_path / f"pipe.{ending}")
    os.mkfifo(tmp_path / "data.yaml")
    os.mkfifo(tmp_path / "EXPORT_LOG.json")
    (tmp_path / "classes.txt").write_text("button\n")
    with contextlib.suppress(BadInputError):
        assert pictures(tmp_path, name) == []
    with pytest.raises(BadInputError):
        detect_format(tmp_path / "pipe.json")


def test_labels_of_nothing_but_empty_lines_are_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "classes.txt").write_text("button\n")
    (tmp_path / "labels").mkdir()
    (tmp_path / "labels" / "a.txt").write_bytes(b"\n" * (5 << 20))
    with pytest.raises(BadInputError, match="more than 4 MB"):
        pictures(tmp_path, "yolo")
