"""Answers of models in every dialect, right, wrong and malformed, held against both packs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.golden.doors import demopack
from tests.golden.inputs import unpack
from tests.golden.outputs import Outputs

UNUSABLE = {
    "no-json": "nonsense\n",
    "no-answer": '{"step": "a"}\n',
    "no-step": '{"answer": "a"}\n',
    "twice": '{"step": "a", "answer": "x"}\n{"step": "a", "answer": "y"}\n',
    "huge": '{"step": "a", "answer": {"x": 1e308}}\n',
    "size": '{"step": "a", "answer": "x", "image_size": [0, "3"]}\n',
    "empty": "",
}


def scores(name: str) -> Callable[[Path, Outputs], None]:
    """Every file of frozen answers; the pages of failures for the wrong ones."""

    def fill(work: Path, outputs: Outputs) -> None:
        pack = unpack(f"{name}-pack", work).relative_to(work)
        for path in sorted((unpack("answers", work) / name).iterdir()):
            dialect, kind, _ = path.name.split(".")
            answers = path.relative_to(work)
            outputs.said(f"{dialect}/{kind}.json", demopack("score", answers, pack, "--dialect", dialect, "--json"))
            if kind == "wrong":
                outputs.said(f"{dialect}/{kind}", demopack("score", answers, pack, "--dialect", dialect, "-o", dialect))
                outputs.folder(f"{dialect}/page", work / dialect)
        for alias in ("lam", "uitars", "klingon"):
            answers = Path("answers") / name / "ufo.right.jsonl"
            outputs.said(f"alias/{alias}", demopack("score", answers, pack, "--dialect", alias, "--seed", "3"))
        for kind, text in UNUSABLE.items():
            Path(f"{kind}.jsonl").write_text(text, encoding="utf-8")
            outputs.said(f"unusable/{kind}", demopack("score", f"{kind}.jsonl", pack))
        others = (
            '{"step": "demo_00000000e1_step00", "targets": [{"element_id": 9}, {"bbox": [0.9, 0.9, 0.05, 0.05]}]}\n'
        )
        Path("others.jsonl").write_text(others, encoding="utf-8")
        answers = Path("answers") / name / "llmresponse.wrong.jsonl"
        outputs.said("alternatives", demopack("score", answers, pack, "--alternatives", "others.jsonl", "--json"))

    return fill
