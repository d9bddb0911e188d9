"""The frozen inputs, unpacked where they are needed."""

from __future__ import annotations

import lzma
import tarfile
from pathlib import Path

HERE = Path(__file__).parent
INPUTS = HERE / "inputs"


def unpack(name: str, into: Path) -> Path:
    """The folder in an archive of ``inputs/``, unpacked into a folder; all archives hold one folder."""
    with tarfile.open(INPUTS / f"{name}.tar.xz") as archive:
        top = archive.getnames()[0].split("/")[0]
        archive.extractall(into, filter="data")
    return (into / top).rename(into / name)


def library(name: str, into: Path) -> Path:
    """A library of ``inputs/``, as its folder."""
    folder = into / name
    folder.mkdir(parents=True, mode=0o700)
    (folder / "library.db").write_bytes(lzma.decompress((INPUTS / f"{name}.db.xz").read_bytes()))
    return folder
