"""Packs: checked, spoiled, written again from their library, and as sets."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.golden.doors import demopack
from tests.golden.inputs import library, unpack
from tests.golden.outputs import Outputs


def check(work: Path, outputs: Outputs) -> None:
    """Every form of the report on the good packs."""
    for name in ("quickstart-pack", "hard-pack"):
        pack = unpack(name, work).relative_to(work)
        forms = ((), ("--json",), ("--sarif",), ("--publish",), ("--publish", "--json"))
        for options in forms if name == "hard-pack" else (("--publish", "--json"),):
            # Whether the cache may trust a file hangs on when it was written; the report tells how many it trusted.
            form = "".join(options).replace("--", "-")
            outputs.said(f"{name}/check{form}", demopack("check", pack, "--no-cache", *options))
        outputs.said(f"{name}/cached", demopack("check", pack))
    shutil.make_archive(str(work / "zipped"), "zip", work / "hard-pack")
    outputs.said("zipped", demopack("check", "zipped.zip", "--no-cache"))
    (work / "hard-pack" / "frames" / "left-over.png").write_bytes(b"")
    outputs.said("fixed", demopack("check", "hard-pack", "--fix", "--no-cache"))
    outputs.said("fixed.json", demopack("check", "hard-pack", "--fix", "--json", "--no-cache"))
    outputs.said("nowhere", demopack("check", "nowhere"))
    outputs.said("both", demopack("check", "hard-pack", "--json", "--sarif"))


def damaged(work: Path, outputs: Outputs) -> None:
    """A good pack spoiled in one way at a time."""
    for pack in sorted(unpack("damaged", work).iterdir()):
        name, path = pack.name, pack.relative_to(work)
        # With the cache, as most pictures are the same in all of them; its report in JSON would tell how many.
        outputs.said(f"{name}/check", demopack("check", path, "--publish"))
        if name.startswith(("g04", "no-", "cut")):
            outputs.said(f"{name}/check.json", demopack("check", path, "--no-cache", "--json"))
            outputs.said(f"{name}/check.sarif", demopack("check", path, "--no-cache", "--sarif"))
    for name in ("no-pack-json", "future", "cut-steps", "a01-no-direction"):
        outputs.said(f"{name}/export", demopack("export", f"damaged/{name}", "-o", "out", "--format", "llmresponse"))
        outputs.said(f"{name}/import", demopack("import", f"damaged/{name}", "--dry-run"))


def rewritten(work: Path, outputs: Outputs) -> None:
    """The pack that each library gives now; see ``pack-sets`` for what a pack of a pack is."""
    for name in ("quickstart", "hard"):
        home = library(f"{name}-library", work).relative_to(work)
        frozen = unpack(f"{name}-pack", work).relative_to(work)
        demos = [line.split("\t")[0] for line in demopack("list", "--library", home).out.splitlines()]
        words = ("--licence", "CC-BY-4.0", "--consent", "Zoë agreed on paper.")
        said = demopack("export", *reversed(demos), "--library", home, "-o", f"{name}-again", "--json", *words)
        outputs.said(f"{name}/said", said)
        outputs.folder(f"{name}/pack", work / f"{name}-again")
        outputs.said(f"{name}/diff", demopack("pack", "diff", frozen, f"{name}-again"))
        outputs.said(f"{name}/zip", demopack("export", demos[0], "--library", home, "-o", f"{name}.zip"))
        outputs.data(f"{name}.zip", (work / f"{name}.zip").read_bytes())
        outputs.said(f"{name}/again", demopack("export", demos[0], "--library", home, "-o", str(home)))


def sets(work: Path, outputs: Outputs) -> None:
    """Split, merge, compare, count and version."""
    hard, long, short = (unpack("hard-pack", work).name, "long", "short")
    demopack("pack", "merge", hard, "-o", long, "--shortest", "28")
    demopack("pack", "merge", hard, "-o", short, "--longest", "16")
    for pack in (hard, short):
        outputs.said(f"stats/{pack}", demopack("pack", "stats", pack))
        outputs.said(f"stats/{pack}.json", demopack("pack", "stats", pack, "--json"))
    outputs.said("stats/both", demopack("pack", "stats", long, short, "--json"))
    outputs.said("merge/both", demopack("pack", "merge", long, short, "-o", "both", "--licence", "CC-BY-4.0", "--json"))
    outputs.folder("merge/both", work / "both")
    chosen = {
        "approved": ("--approved",),
        "sure": ("--sure",),
        "complete": ("--complete", "--longest", "20"),
        "failure": ("--outcome", "failure"),
        "verdict": ("--verdict", "yes"),
        "shortest": ("--shortest", "11"),
        "app": ("--app", "Customers"),
        "tag": ("--tag", "odd"),
        "task": ("--task", "ada"),
    }
    for name, options in chosen.items():
        outputs.said(f"merge/{name}", demopack("pack", "merge", hard, "-o", f"m-{name}", "--json", *options))
        if (work / f"m-{name}").exists():
            outputs.folder(f"merge/{name}", work / f"m-{name}")
    for seed in ("0", "1"):
        for by in ("task", "app"):
            given = ("--seed", seed, "--by", by, "--shares", "train=0.6,test=0.4", "--allow-leaks")
            outputs.said(f"split/plan-{by}-{seed}", demopack("pack", "split", hard, *given))
            outputs.said(f"split/plan-{by}-{seed}.json", demopack("pack", "split", hard, "--json", *given))
    outputs.said("split/leaks", demopack("pack", "split", hard))
    given = ("--by", "app", "--shares", "train=0.6,test=0.4")
    outputs.said("split/sides", demopack("pack", "split", hard, "-o", "sides", *given))
    outputs.folder("split/sides", work / "sides")
    formats = ("--format", "trl", "--format", "yolo", "--format", "huggingface", "--format", "coco")
    outputs.said("split/formats", demopack("export", "sides", "-o", "as", *formats, "--despite-errors"))
    outputs.folder("split/formats", work / "as")
    for old, new in ((hard, "both"), (short, hard), ("m-app", hard)):
        outputs.said(f"diff/{old}-{new}", demopack("pack", "diff", old, new))
        outputs.said(f"diff/{old}-{new}.json", demopack("pack", "diff", old, new, "--json"))
    outputs.said(
        "version/said", demopack("pack", "version", "both", "1.1.0", "--after", short, "-o", "v", "--note", "Mehr.")
    )
    outputs.folder("version", work / "v")
