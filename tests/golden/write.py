"""Writes what is expected anew, and says what changed: only for a change that is meant.

python -m tests.golden.write [GROUP ...]
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.golden.groups import GROUPS
from tests.golden.making import made
from tests.golden.outputs import differences, read_expected, write_expected


def main(names: list[str]) -> None:
    """Write the groups that are named, or all."""
    if unknown := set(names) - GROUPS.keys():
        sys.exit(f"There is no group {', '.join(sorted(unknown))}; there are {', '.join(GROUPS)}.")
    for name in names or GROUPS:
        with tempfile.TemporaryDirectory() as folder:
            texts = made(name, Path(folder))
        said = differences(read_expected(name), texts)
        print("\n".join([f"{name}: {len(texts)} files, {'as they were' if not said else 'changed:'}", *said[:200]]))
        if said:
            write_expected(name, texts)


if __name__ == "__main__":
    main(sys.argv[1:])
