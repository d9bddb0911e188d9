"""The recipes of the docs: their code is run here, with the harness that they are for or a stand-in for it."""

from __future__ import annotations

import asyncio
import importlib.util
import inspect
import json
import re
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from demopack.pack.reader import open_packs
from demopack.prompting.scoring.predictions import read_predictions
from demopack.prompting.scoring.step_scores import score
from tests.support.exports import export, lines, make_pack

DOCS = Path(__file__).parents[2] / "docs"
RECIPE = DOCS / "recipes" / "inspect_steps.py"


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_pack(tmp_path_factory.mktemp("pack"))


@dataclass
class Kept:
    """What a class of the harness was made with."""

    given: tuple[Any, ...] = ()
    named: dict[str, Any] = field(default_factory=dict)

    def __init__(self, *given: Any, **named: Any) -> None:
        self.given, self.named = given, named


def _plain(made: Callable[..., Any] | None = None, **_: Any) -> Any:
    """A decorator, with arguments or without, that leaves the function as it is."""
    return made if made is not None else lambda function: function


@pytest.fixture
def recipe(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The recipe; in place of inspect_ai a stand-in that keeps what it is given."""
    names = {
        "inspect_ai": {"Task": Kept, "task": _plain},
        "inspect_ai.dataset": {
            "Sample": Kept,
            "json_dataset": lambda file, sample: [sample(row) for row in lines(Path(file))],
        },
        "inspect_ai.model": dict.fromkeys(
            ["ChatMessageSystem", "ChatMessageUser", "ContentImage", "ContentText"], Kept
        ),
        "inspect_ai.scorer": {"Score": Kept, "Scorer": Kept, "Target": Kept, "mean": Kept, "scorer": _plain},
        "inspect_ai.solver": {"TaskState": Kept, "generate": Kept},
    }
    for name, members in names.items():
        module = ModuleType(name)
        vars(module).update(members)
        monkeypatch.setitem(sys.modules, name, module)
    spec = importlib.util.spec_from_file_location("inspect_steps", RECIPE)
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def test_the_page_says_what_the_recipe_is_called_with(recipe: ModuleType) -> None:
    page = (DOCS / "scoring.md").read_text(encoding="utf-8")
    (commands,) = [block for block in re.findall(r"```\n(.*?)```", page, re.DOTALL) if "inspect eval" in block]
    assert commands.strip() in (recipe.__doc__ or "")
    parameters = set(inspect.signature(recipe.recorded_demos).parameters)
    assert set(re.findall(r"-T (\w+)=", page)) == parameters


def test_samples_hold_the_question_the_picture_and_the_answer(recipe: ModuleType, pack: Path, tmp_path: Path) -> None:
    export(pack, "llmresponse", tmp_path / "steps")
    rows = lines(tmp_path / "steps" / "steps.jsonl")
    samples = recipe.recorded_demos(str(tmp_path / "steps"), str(pack)).named["dataset"]
    assert [sample.named["id"] for sample in samples] == [row["step"] for row in rows]
    assert [json.loads(sample.named["target"]) for sample in samples] == [row["response"] for row in rows]
    for sample, row in zip(samples, rows, strict=True):
        _, asked = sample.named["input"]
        picture, text = asked.named["content"]
        assert Path(picture.named["image"]).is_file()
        question = text.named["text"]
        assert question.startswith(f"Task: {row['task']}")
        assert all(line in question for line in row["history"])
        assert all(f"[{one['element_id']}] {one['type']} " in question for one in row["elements"])


@pytest.mark.parametrize(
    ("change", "all_right"),
    [
        (lambda text: text, True),
        (lambda _: "I do not know.", False),
        (lambda text: text.replace("element_id", "was"), False),
        (lambda text: text.replace("single", "double").replace("Ada", "Eve"), False),
    ],
    ids=["the recorded answers", "no answer at all", "answers that break the contract", "another text"],
)
def test_its_scorer_judges_as_the_command_does(
    change: Callable[[str], str], all_right: bool, recipe: ModuleType, pack: Path, tmp_path: Path
) -> None:
    export(pack, "llmresponse", tmp_path / "steps")
    judge = recipe.recorded_action(str(pack), "llmresponse")
    found: Counter[str] = Counter()
    answers: list[str] = []
    for row in lines(tmp_path / "steps" / "steps.jsonl"):
        answered = change(json.dumps(row["response"]))
        answers.append(json.dumps({"step": row["step"], "answer": answered}))
        state = SimpleNamespace(sample_id=row["step"], output=SimpleNamespace(completion=answered))
        found.update(asyncio.run(judge(state, SimpleNamespace(text=""))).named["value"])
    (tmp_path / "answers.jsonl").write_text("\n".join(answers))
    with open_packs([pack]) as demos:
        report = score(read_predictions(tmp_path / "answers.jsonl"), demos, pack="pack")
    assert found == {name: report.figures[name].hits for name in ("step", "kind", "operation", "status")}
    assert (found["step"] == len(answers)) is all_right
