"""Our own packs, of this version and of every earlier one that the reader knows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from demopack.importing.building import Imported, ImportOptions
from demopack.importing.files import Files
from demopack.importing.importer import Importer, Skipped
from demopack.importing.report import Ledger
from demopack.pack.check.run import refuse_broken
from demopack.pack.manifest import MANIFEST
from demopack.pack.reader import Pack, read_manifest, read_pack
from demopack.pack.source import open_source

__all__ = ["IMPORTER"]


def sniff(files: Files) -> bool:
    """Whether there is a manifest: at the top, or in a zip's only folder."""
    return files.has(MANIFEST) and files.only in {"", MANIFEST}


def read(files: Files, options: ImportOptions, skipped: Skipped) -> Iterator[Imported]:
    """Every demo of the pack.

    Raises:
        PackError: it cannot be read, or breaks a rule of a good pack; file, line, field and way out are named.
        CorruptFrameError: a picture is missing or damaged.
    """
    del options, skipped  # a pack is whole or it is none: its sums say so
    files.taken.update(files.tables)
    where = files.path.parent if files.only else files.path
    with open_source(where) as source:
        read_manifest(source)  # a newer version, or none at all, is told as such
    refuse_broken(where, "imported")
    pack: Pack = files.keep(read_pack(where))
    for demo in pack.demos:
        ledger = Ledger(f"{MANIFEST}, {demo.head.id}")
        ledger.rows_in = ledger.rows_used = len(demo.steps)
        frames = demo.frames()
        for frame in frames:
            pack.get_image(frame.id)
        report = ledger.report(demo=demo.head.id, task=demo.head.task, steps=len(demo.steps), pictures=len(frames))
        yield Imported(demo=demo, image=pack.get_image, report=report)


IMPORTER: Final = Importer(
    name="pack",
    title="demo pack",
    files=f"{MANIFEST} and what it lists, a folder or a zip",
    before="as it was recorded",
    sniff=sniff,
    read=read,
)
