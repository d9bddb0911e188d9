"""Checks a pack against the rules, whoever wrote it: from its files alone, without anything of the writer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path

from demopack.errors import PackError
from demopack.file_names import UnsafePathError
from demopack.pack.check.cache import CheckCache, PackMemory
from demopack.pack.check.exports import check_exports
from demopack.pack.check.files import check_kinds, check_listing, check_page, check_sum, load_manifest
from demopack.pack.check.lines import check_schemas
from demopack.pack.check.pictures import PictureReference, PictureReferences, check_picture, each
from demopack.pack.check.private import PrivateScan, check_publish, scan_file
from demopack.pack.check.tables import check_tables
from demopack.pack.manifest import MANIFEST, TABLES, FileEntry, is_foreign
from demopack.pack.rules import RULES, CheckReport, Finding, Findings
from demopack.pack.source import PackSource, open_source


def check_pack(path: Path) -> list[Finding]:
    """Everything that is wrong with a pack, errors first, then by file and line; empty for a perfect one.

    Raises:
        PackError: it is not a pack at all.
    """
    return list(report_on(path).findings)


def report_on(
    path: Path, *, publish: bool = False, names: Sequence[str] = (), cache: CheckCache | None = None
) -> CheckReport:
    """What :func:`check_pack` finds, and how it was found.

    At most a demo's rows and a dozen pictures are in memory, however large the pack is.

    Args:
        path: the folder or the zip.
        publish: whether to ask for what giving it away needs: licence, consent, applications, nothing undecided.
        names: of this machine and its user, not to be found in any text.
        cache: remembers files that did not change since an earlier check.

    Raises:
        PackError: it is not a pack at all.
    """
    try:
        source = open_source(path)
    except UnsafePathError as error:
        return CheckReport(kind="demopack", findings=[RULES["P01"].broken(path.name, None, error.user_message)],
                           checked=["P01"])  # fmt: skip
    with source:
        memory = PackMemory(cache, source)
        found = memory.recall(publish=publish, names=names)
        if found is None:
            found = _check(source, memory, names, publish=publish)
            memory.remember(found, publish=publish, names=names)
        return CheckReport(
            kind="demopack", findings=found, checked=list(RULES), files=memory.files, unchanged=memory.unchanged
        )


def refuse_broken(path: Path, what: str, *, hint: str = "") -> None:
    """Refuse a pack that breaks a rule: what ``demopack check`` calls an error, nobody takes.

    Args:
        path: the folder or the zip.
        what: was not done, for instance ``exported``.
        hint: another way out.

    Raises:
        PackError: it breaks a rule; the first place and the way out are named.
    """
    errors = [finding for finding in check_pack(path) if finding.severity == "error"]
    if not errors:
        return
    first = errors[0]
    where = first.file if first.line is None else f"{first.file}, line {first.line}"
    hint = f"{first.fix} `demopack check {path}` lists everything{hint}."
    raise refusal(f"Nothing was {what}, because {path} breaks rule {first.rule} in {where}", errors, hint=hint)


def refusal(why: str, errors: Sequence[Finding], *, hint: str) -> PackError:
    """The error for a pack that is not taken: ``why`` leads up to the message of the first of the rules it breaks."""
    more = f" {len(errors) - 1} more places break a rule." if len(errors) > 1 else ""
    details = "\n".join(f"{f.rule} {f.file}:{f.line} {f.message}" for f in errors)
    return PackError(f"{why}: {errors[0].message}{more}", details=details, hint=hint)


def _check(source: PackSource, memory: PackMemory, names: Sequence[str], *, publish: bool) -> list[Finding]:
    findings = Findings()
    manifest = load_manifest(source, findings)
    if manifest is None:
        return findings.all()
    scan = PrivateScan(manifest.redaction.kept_digests, names=names)
    findings.add(*check_listing(source, manifest, memory))
    named = PictureReferences()
    rows = check_tables(source, manifest, findings, scan, named)
    listed = {entry.path: entry for entry in manifest.files}
    own = [name for name in source.names() if not is_foreign(name, listed)]
    # The pack's pictures that no row names come when all rows have been read.
    others = (
        PictureReference(name, "", (0, 0), (name, 0))
        for name in own
        if name.endswith(".png") and name not in named.pictures
    )
    for found in _check_pictures(source, listed, chain(rows, others), memory):
        findings.add(found)
    for name in own:
        if name.startswith("frames/") and (name not in named.pictures):
            stray = "It is a stray file: no picture, and no part of a demo."
            message = "No demo uses this picture." if name.endswith(".png") else stray
            findings.add(RULES["I03"].broken(name, None, message))
    for name in source.names():
        # A hidden folder of somebody else, as that of a version control, is told as such and looked at by nobody.
        if name not in TABLES and not (name.startswith(".") and is_foreign(name, listed)):
            scan_file(source, name, scan)
    findings.add(*scan.findings(), *check_exports(source), *check_kinds(manifest), *check_page(source))
    findings.add(*check_schemas(source))
    if not manifest.licence:
        findings.add(RULES["L01"].broken(MANIFEST, None, "licence is empty."))
    if publish:
        findings.add(*check_publish(source, manifest))
    return findings.all(publish=publish)


def _check_pictures(
    source: PackSource, listed: Mapping[str, FileEntry], pictures: Iterable[PictureReference], memory: PackMemory
) -> Iterator[Finding]:
    limits = {path: entry.size for path, entry in listed.items()}
    for picture, facts in each(pictures, source, limits, memory):
        yield from check_picture(source, picture, facts)
        entry = listed.get(picture.file)
        if entry is not None and source.size(entry.path) == entry.size:
            if isinstance(facts, str):
                yield RULES["I02"].broken(entry.path, None, facts)
            else:
                yield from check_sum(entry, facts.sha256)
