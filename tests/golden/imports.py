"""Recordings and annotations of other programs, and our own exports of them, read again."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from tests.golden.doors import demopack
from tests.golden.inputs import HERE, library, unpack
from tests.golden.libraries import stored
from tests.golden.outputs import Outputs

ANNOTATIONS = HERE.parent / "data" / "annotations"


def foreign(work: Path, outputs: Outputs) -> None:
    """Each frozen recording with the options that it was read with: the report, and what is in the library then."""
    for case in sorted(unpack("foreign", work).iterdir()):
        given = json.loads((case / "options.json").read_text(encoding="utf-8"))
        options = ["--format", given["name"], "--coordinates", given["coordinates"], "--task", given["task"]]
        options += ["--skip-bad"] * given["skip_bad"]
        options += ["--screen", "{}x{}".format(*given["screen"])] if given["screen"] else []
        path = (case / "in" / given["path"]).relative_to(work)
        outputs.said(f"{case.name}/plan", demopack("import", path, *options, "--dry-run"))
        home = work / "libraries" / case.name
        outputs.said(f"{case.name}/said", demopack("import", path, *options, "--library", home, "--json"))
        if (home / "library.db").exists():
            outputs.text(f"{case.name}/stored", _stored(home))


def _stored(home: Path) -> str:
    found = stored(home)
    return "".join(f"{json.dumps(row, ensure_ascii=False, sort_keys=True)}\n" for row in found["entities"])


def round_trip(work: Path, outputs: Outputs) -> None:
    """Our own exports and packs, imported."""
    pack = unpack("hard-pack", work).relative_to(work)
    formats = ("agentnet", "osworld", "openadapt", "ufo")
    for name in formats:
        demopack("export", pack, "-o", f"as-{name}", "--format", name)
        outputs.said(
            f"{name}/said", demopack("import", f"as-{name}", "--skip-bad", "--library", f"from-{name}", "--json")
        )
        outputs.text(f"{name}/stored", _stored(work / f"from-{name}"))
    for again in ("first", "again"):
        outputs.said(f"pack/{again}", demopack("import", pack, "--library", "from-pack", "--json"))
    outputs.text("pack/stored", _stored(work / "from-pack"))


def annotations(work: Path, outputs: Outputs) -> None:
    """The elements of a demo in each format, and back; and what other programs wrote."""
    outputs.said("formats", demopack("annotations", "formats"))
    listed = demopack("annotations", "formats", "--json")
    outputs.said("formats.json", listed)
    home = library("hard-library", work).relative_to(work)
    demo = "demo_00000000e1"
    for form in [one["name"] for one in json.loads(listed.out)]:
        given = (demo, "--format", form, "--library", home)
        outputs.said(f"{form}/plan", demopack("annotations", "export", *given, "--dry-run"))
        outputs.said(f"{form}/plan.json", demopack("annotations", "export", *given, "--dry-run", "--json"))
        outputs.said(f"{form}/said", demopack("annotations", "export", *given, "-o", f"as-{form}", "--json"))
        outputs.folder(f"{form}/files", work / f"as-{form}")
        both = (demo, "demo_5a3b1e0c77", "--format", form, "--library", home, "--rejected", "--no-pictures")
        outputs.said(f"{form}/both", demopack("annotations", "export", *both, "-o", f"both-{form}"))
        outputs.folder(f"{form}/both-files", work / f"both-{form}")
        # Back into the demo, where nothing changes but what the format cannot carry, and into an empty library.
        again = library("hard-library", work / f"back-{form}")
        outputs.said(
            f"{form}/back", demopack("annotations", "import", f"as-{form}", "--library", again, "--theirs", "--json")
        )
        outputs.text(f"{form}/back-stored", _stored(again))
        outputs.said(
            f"{form}/new",
            demopack("annotations", "import", f"as-{form}", "--library", f"new-{form}", "--new", "--task", "x"),
        )
        outputs.text(f"{form}/new-stored", _stored(work / f"new-{form}"))
        outputs.said(f"{form}/compare", demopack("annotations", "compare", demo, f"as-{form}", "--library", home))
        outputs.said(
            f"{form}/compare.json", demopack("annotations", "compare", demo, f"as-{form}", "--library", home, "--json")
        )
    for folder in sorted(path for path in ANNOTATIONS.iterdir() if path.is_dir()):
        shutil.copytree(folder, work / "theirs" / folder.name)
        said = demopack(
            "annotations", "import", f"theirs/{folder.name}", "--library", f"of-{folder.name}", "--new", "--json"
        )
        outputs.said(f"theirs/{folder.name}", said)
        if (work / f"of-{folder.name}" / "library.db").exists():
            outputs.text(f"theirs/{folder.name}-stored", _stored(work / f"of-{folder.name}"))
