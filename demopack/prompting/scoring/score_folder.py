"""The folder of a scoring: the page, the figures as JSON, every failure as a row, and the pictures that are shown."""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from collections.abc import Generator
from pathlib import Path
from typing import Any, Final

from demopack.codecs.output import staged
from demopack.codecs.recorded_demo import RecordedDemo
from demopack.errors import PackError
from demopack.json_lines import dump_line, dump_pretty
from demopack.prompting.scoring.metrics import ScoreReport
from demopack.prompting.scoring.score_page import FailureView, render_page
from demopack.prompting.scoring.step_scores import StepScore

_REPORT: Final = "score.json"
_OWN: Final = re.compile(r"score\.json|failures\.jsonl|index\.html|frames/\d+\.png")
_MAX_FAILURES = 120


class ScoreFolder:
    """Collects failures; of these the first are shown with their screens, at most one in three from one demo."""

    def __init__(self, folder: Path) -> None:
        self.failures = 0
        self._folder = folder
        self._shown: list[FailureView] = []
        self._of_demo = Counter[str]()
        self._rows = (folder / "failures.jsonl").open("w", encoding="utf-8", newline="\n")

    def add(self, demo: RecordedDemo, score: StepScore) -> None:
        """One step that is not right."""
        self.failures += 1
        self._rows.write(dump_line(_row(score)))
        if len(self._shown) < _MAX_FAILURES and self._of_demo[demo.head.id] < _MAX_FAILURES // 3:
            self._of_demo[demo.head.id] += 1
            self._shown.append(FailureView(score=score, task=demo.head.task, picture=self._picture(demo, score)))

    def _picture(self, demo: RecordedDemo, score: StepScore) -> str:
        if not score.step.observation.image:
            return ""
        name = f"frames/{self.failures:05}.png"
        try:
            data = demo.pictures.read(score.step.observation.image)
        except PackError:
            return ""  # the figures do not need it
        (self._folder / "frames").mkdir(exist_ok=True)
        (self._folder / name).write_bytes(data)
        return name

    def finish(self, report: ScoreReport) -> None:
        """Write the page and the figures."""
        self.close()
        (self._folder / _REPORT).write_text(dump_pretty(report.to_json()), encoding="utf-8", newline="\n")
        page = render_page(report, self._shown, failures=self.failures)
        (self._folder / "index.html").write_text(page, encoding="utf-8", newline="\n")

    def close(self) -> None:
        """Close the table; calling it twice is harmless."""
        self._rows.close()


def _row(score: StepScore) -> dict[str, Any]:
    verdict = score.verdict
    return {
        "demo": score.step.demo,
        "step": score.step.recorded.id,
        "index": score.step.index,
        "recorded": score.truth.action.to_wire(),
        "answered": [response.action.to_wire() for response in score.responses],
        "object": None if verdict is None else verdict.object,
        "kind": verdict is not None and verdict.kind,
        "operation": verdict is not None and verdict.operation,
        "status": score.status,
        "problem": score.problem,
    }


@contextlib.contextmanager
def score_folder(folder: Path) -> Generator[ScoreFolder]:
    """A folder beside the target; when the block ends well, it takes the target's place, others' files kept.

    Raises:
        BadInputError: the target is something that no scoring wrote.
        DiskFullError: no space left; what was there is still there.
    """
    with staged(folder, what="result", log=_REPORT, is_own=lambda name: _OWN.fullmatch(name) is not None) as new:
        result = ScoreFolder(new)
        with contextlib.closing(result):
            yield result
