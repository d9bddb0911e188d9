"""The training set of plans: what a model is asked and answers, divided so that nothing is tested that was trained."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from demopack.domain.provenance import by_human, by_program
from demopack.domain.tasks import FilterFinding, Task, TaskSource, WrittenParts
from demopack_cli.main import main
from tasks.bank import TaskBank, TaskQuery
from tasks.plan_sets import write_plan_set
from tests.support.tiny_llava import tiny_llava

BY, MODEL = by_human("Ada"), by_program("model", "server:tester")


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[TaskBank]:
    with TaskBank.open(tmp_path / "library") as bank:
        yield bank


def task(name: str, words: str, *plan: str, **more: Any) -> Task:
    kind = "evolved" if "evolved_from" in more else "manual"
    source = TaskSource.model_validate({"kind": kind, "name": "guide.html", "place": name})
    return Task.model_validate({"id": name, "task": words, "plan": plan, "source": source, "provenance": BY, **more})


def add(bank: TaskBank, *tasks: Task) -> None:
    bank.add(tasks, label="Add", provenance=BY)


def family(number: int) -> list[Task]:
    """A task, a harder form of it, a harder form of that, and one in the same words from elsewhere."""
    return [
        task(f"t{number}", f"Print page {number}", "Press Ctrl+P", f"Type {number}"),
        task(f"a{number}", f"Print page {number} twice", "Press Ctrl+P", evolved_from=f"t{number}", provenance=MODEL),
        task(f"b{number}", f"Print page {number} twice in grey", "Press it", evolved_from=f"a{number}"),
        task(f"s{number}", f"print  PAGE {number}", "Choose File > Print"),
    ]


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


def test_a_task_is_the_prompt_and_its_plan_the_completion(bank: TaskBank, tmp_path: Path) -> None:
    written = WrittenParts(query="bold text", plan=True, provenance=MODEL)
    add(
        bank,
        task("1", "Print\na page", "Choose File >\nPrint", "Choose OK", app="writer", platform="linux"),
        task("2", "Make the text bold", "Press Ctrl+B", written=written),
        task("3", "Save"),
        task("4", "Drucke", "Drücke", findings=(FilterFinding(rule="language", reason="It is German."),)),
        task("5", "Print a page", "Choose File > Print", "Choose OK", app="writer", platform="linux"),
    )
    report = write_plan_set(bank, TaskQuery(), tmp_path / "plans.jsonl")
    assert report.rows == {"train": 2, "test": 0}
    assert report.left_out == {"without_plan": 1, "filtered_out": 1, "twice": 1}
    first, second = rows(tmp_path / "plans.jsonl")
    assert first["prompt"][0]["content"].splitlines()[1:] == ["", "Task: Print a page", "Program: writer on linux"]
    assert first["completion"] == [{"role": "assistant", "content": "1. Choose File > Print\n2. Choose OK"}]
    assert [first[key] for key in ("task_id", "source_kind", "evolved_from", "root", "plan_by")] == [
        "1", "manual", "", "1", "source",
    ]  # fmt: skip
    assert second["plan_by"] == "model"
    assert list(first) == list(second)
    only = write_plan_set(bank, TaskQuery(state="filtered_out"), tmp_path / "out.jsonl")
    assert only.rows["train"] == 1


def test_what_belongs_together_is_on_one_side_and_stays_there(bank: TaskBank, tmp_path: Path) -> None:
    add(bank, *(one for number in range(60) for one in family(number)))

    def sides(seed: int = 0) -> dict[str, str]:
        write_plan_set(bank, TaskQuery(), tmp_path / "plans", test=0.3, seed=seed)
        found = {side: rows(tmp_path / "plans" / f"{side}.jsonl") for side in ("train", "test")}
        return {row["task_id"]: side for side, some in found.items() for row in some}

    before = sides()
    assert len(before) == 240
    assert all(len({before[f"{kind}{n}"] for kind in "tabs"}) == 1 for n in range(60))
    assert 8 <= sum(before[f"t{n}"] == "test" for n in range(60)) <= 28
    assert sides(seed=1) != before
    add(bank, *(one for number in range(60, 90) for one in family(number)))
    add(bank, *(task(f"0{n}", f"Print page {n} thrice", "Press", evolved_from=f"t{n}") for n in range(60)))
    after = sides()
    assert len(after) == 420
    assert all(after[name] == side for name, side in before.items()), "more tasks move none"
    assert all(after[f"0{n}"] == after[f"t{n}"] for n in range(60))
    written = [row for side in ("train", "test") for row in rows(tmp_path / "plans" / f"{side}.jsonl")]
    (b5,) = [row for row in written if row["task_id"] == "b5"]
    assert (b5["evolved_from"], b5["root"], b5["source_kind"]) == ("a5", "t5", "evolved")


def test_a_circle_of_originals_and_a_lost_one_do_no_harm(bank: TaskBank, tmp_path: Path) -> None:
    add(
        bank,
        task("a", "Print", "Press", evolved_from="b"),
        task("b", "Save", "Press", evolved_from="a"),
        task("c", "Open", "Press", evolved_from="gone"),
    )
    assert sum(write_plan_set(bank, TaskQuery(), tmp_path / "plans").rows.values()) == 3


def test_the_command_writes_a_folder_or_one_file_and_asks_before_it_replaces(bank: TaskBank, tmp_path: Path) -> None:
    add(bank, *family(1), task("3", "Save"))
    runner, out = CliRunner(), tmp_path / "plans"

    def export(*more: str, to: Path = out) -> Any:
        library = ["--library", str(bank.folder)]
        return runner.invoke(main, ["tasks", "export", "--form", "plans", "-o", str(to), *library, *more])

    done = export("--test", "1")
    assert done.output.splitlines() == [
        f"4 plans written to {out}: 4 for testing.",
        "       1  without a plan",
    ]
    assert [path.name for path in out.iterdir()] == ["test.jsonl"]
    assert export("--test", "0").exit_code == 1
    done = export("--test", "0", "--force", "--json")
    assert json.loads(done.output)["rows"] == {"train": 4, "test": 0}
    assert [path.name for path in out.iterdir()] == ["train.jsonl"], "loaders stumble over empty files"
    assert len(rows(tmp_path / "all.jsonl")) == 0
    assert export(to=tmp_path / "all.jsonl").output.startswith("4 plans written")
    assert len(rows(tmp_path / "all.jsonl")) == 4
    assert export(to=tmp_path / "all.json").exit_code == 2


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # the trainer's own warnings are its
def test_a_trainer_takes_a_real_step_and_learns_the_plans_alone(
    bank: TaskBank, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trl = pytest.importorskip("trl", reason="TRL is not installed")
    datasets = pytest.importorskip("datasets", reason="the loaders of data sets are not installed")
    transformers = pytest.importorskip("transformers", reason="TRL needs it")
    tqdm = pytest.importorskip("tqdm", reason="part of the loaders")
    monkeypatch.setattr(tqdm.tqdm, "monitor_interval", 0)
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    add(bank, *(one for number in range(12) for one in family(number)))
    write_plan_set(bank, TaskQuery(), tmp_path / "plans", test=0.3)
    sets: Any = datasets.load_dataset(str(tmp_path / "plans"))
    assert set(sets) == {"train", "test"}
    assert sets["train"].features == sets["test"].features
    _, processor = tiny_llava(tmp_path / "model")
    tokenizer = processor.tokenizer
    tokenizer.chat_template = (
        "{% for message in messages %}<{{ message['role'] }}>{{ message['content'] }}</s>{% endfor %}"
        "{% if add_generation_prompt %}<assistant>{% endif %}"
    )
    model = transformers.LlamaForCausalLM(
        transformers.LlamaConfig(
            vocab_size=len(tokenizer), hidden_size=32, intermediate_size=64, num_hidden_layers=1, num_attention_heads=2
        )
    )
    config = trl.SFTConfig(
        output_dir=str(tmp_path / "run"), max_steps=1, per_device_train_batch_size=2, report_to=[], use_cpu=True,
        bf16=False, save_strategy="no", max_length=None, eval_strategy="steps", eval_steps=1,
    )  # fmt: skip
    trainer = trl.SFTTrainer(
        model=model, args=config, train_dataset=sets["train"], eval_dataset=sets["test"], processing_class=tokenizer
    )
    batch = trainer.data_collator([trainer.train_dataset[0]])
    learnt = [number for number in batch["labels"][0].tolist() if number != -100]
    assert tokenizer.decode(learnt) == f"{sets['train'][0]['completion'][0]['content']}</s>"
    result = trainer.train()
    assert (result.global_step, result.training_loss > 0) == (1, True)
