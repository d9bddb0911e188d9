"""What a pack needs before it is given away: consent, applications, nothing undecided, no name of this machine."""

from __future__ import annotations

import getpass
import json
import socket
from collections.abc import Iterator

from demopack.errors import PackError
from demopack.pack.check.plain import as_row
from demopack.pack.findings import Finding
from demopack.pack.manifest import DEMOS, MANIFEST, Manifest
from demopack.pack.rules import RULES
from demopack.pack.source import PackSource, raw_lines

__all__ = ["check_publish", "machine_names"]

_COMMON = frozenset({
    "admin", "administrator", "debian", "default", "demo", "docker", "fedora", "guest", "home", "host", "laptop",
    "local", "localhost", "main", "name", "nobody", "owner", "public", "root", "runner", "server", "test", "tests",
    "ubuntu", "user", "users", "windows", "work", "worker", "desktop",
})  # fmt: skip
"""Names that say nothing about anybody, and stand in many texts."""


def machine_names() -> list[str]:
    """The names of this machine and its user, as far as they would give anybody away."""
    found = {socket.gethostname(), socket.gethostname().split(".")[0]}
    try:
        found.add(getpass.getuser())
    except (OSError, KeyError):  # an account without a name
        found.discard("")
    return sorted(name for name in found if len(name) >= 4 and name.lower() not in _COMMON)


def check_publish(source: PackSource, manifest: Manifest) -> Iterator[Finding]:
    """L02 to L04."""
    if not manifest.consent.strip():
        yield RULES["L02"].broken(MANIFEST, None, "consent is empty.")
    if "redaction" not in manifest.model_fields_set:
        yield RULES["L04"].broken(MANIFEST, None, "redaction is missing.")
    undecided = sum(manifest.redaction.open.values())
    if undecided:
        values = "value" if undecided == 1 else "values"
        yield RULES["L04"].broken(MANIFEST, None, f"Nobody decided about {undecided} {values} that may be private.")
    yield from _check_apps(source)


def _check_apps(source: PackSource) -> Iterator[Finding]:
    try:
        for number, line in enumerate(raw_lines(source, DEMOS), start=1):
            row = as_row(json.loads(line))
            if row is not None and not str(row.get("app", "")).strip():
                yield RULES["L03"].broken(DEMOS, number, "app is empty.")
    except (PackError, ValueError, RecursionError):
        return  # reported with the tables
