"""Evaluation without a screen: workers, the file of results that outlives a kill, and the table."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner

from demopack.errors import CancelledError, CaptureError
from demopack.jobs import CancelToken
from demopack.pack import check_pack, open_pack
from demopack.prompting.caap_prompts import TABLE_6
from demopack.resources import asset
from demopack_cli.bench import CONFIGURATIONS
from demopack_cli.bench import command as bench
from player.evaluation.episodes import (
    EpisodeResult,
    RunEpisode,
    append_result,
    read_results,
    resume_results,
    run_episodes,
)
from player.evaluation.miniwob import pages
from player.evaluation.miniwob.solvers import SOLVERS
from player.evaluation.miniwob.tasks import CAAP_CONFIGURATIONS, CAAP_SUCCESS, DEMO_SEEDS, FURTHER_TASKS
from player.evaluation.scores import score_table


def result(task: str, seed: int, reward: float = 0.0, **given: object) -> EpisodeResult:
    return EpisodeResult(agent="a", task=task, seed=seed, reward=reward, **given)  # type: ignore[arg-type]


@contextmanager
def worker() -> Generator[RunEpisode]:
    """Every episode gets its seed as reward, and tells the process; "crash" ends it, "break" fails in it."""

    def run(task: str, seed: int) -> EpisodeResult:
        if task == "crash":
            os._exit(3)
        return result(task, seed, seed, error="it broke" if task == "break" else "", notes={"process": os.getpid()})

    yield run


@contextmanager
def worker_without_browser() -> Generator[RunEpisode]:
    raise CaptureError("There is no browser.", hint="Install one.")
    yield


def test_workers_do_every_episode_once_each_in_its_own_process() -> None:
    todo = [("x", seed) for seed in range(6)]

    results = list(run_episodes(todo, open_worker=worker, agent="a", jobs=2))

    assert sorted((r.task, r.seed, r.reward) for r in results) == [("x", seed, seed) for seed in range(6)]
    processes = {r.notes["process"] for r in results}
    assert len(processes) == 2
    assert os.getpid() not in processes


def test_a_worker_that_dies_or_breaks_costs_one_episode() -> None:
    todo = [("x", 1), ("crash", 2), ("x", 3), ("break", 4), ("x", 5)]

    results = list(run_episodes(todo, open_worker=worker, agent="a", jobs=1))

    assert [(r.task, r.seed, r.error) for r in results] == [
        ("x", 1, ""), ("crash", 2, "The worker died."), ("x", 3, ""), ("break", 4, "it broke"), ("x", 5, ""),
    ]  # fmt: skip
    first, _, second, broken, third = [r.notes.get("process") for r in results]
    assert second == broken
    assert len({first, second, third}) == 3, "a broken one is not used again"


def test_what_a_worker_cannot_open_ends_the_run_with_its_words() -> None:
    with pytest.raises(CaptureError, match=r"There is no browser\. Install one\."):
        list(run_episodes([("x", 1)], open_worker=worker_without_browser, agent="a", jobs=1))


@dataclass(frozen=True)
class Endless:
    """Writes that it began, then waits for nothing; says on its way out that it closed what was open."""

    folder: Path

    @contextmanager
    def __call__(self) -> Generator[RunEpisode]:
        def run(task: str, seed: int) -> EpisodeResult:
            (self.folder / "begun").touch()
            threading.Event().wait()
            return result(task, seed)

        try:
            yield run
        finally:
            (self.folder / "closed").touch()


def test_a_run_that_is_stopped_closes_what_its_workers_opened(tmp_path: Path) -> None:
    token = CancelToken()
    episodes = run_episodes([("x", 1)], open_worker=Endless(tmp_path), agent="a", jobs=1, token=token)

    def stop_in_the_middle() -> None:
        while not (tmp_path / "begun").exists():
            threading.Event().wait(0.02)
        token.cancel()

    stopper = threading.Thread(target=stop_in_the_middle)
    stopper.start()
    with pytest.raises(CancelledError):
        next(episodes)
    stopper.join()
    assert (tmp_path / "closed").exists()


def test_what_was_done_before_a_kill_is_not_done_again(tmp_path: Path) -> None:
    path = tmp_path / "results" / "results.jsonl"
    wanted = [("x", 1), ("x", 2), ("y", 1)]
    assert resume_results(path, "a", wanted) == ([], wanted)

    append_result(path, result("x", 1, 1.0))
    append_result(path, result("x", 2, error="The worker died."))
    append_result(path, EpisodeResult(agent="another", task="y", seed=1))
    with path.open("a", encoding="utf-8") as file:
        file.write(result("y", 1).model_dump_json()[:40])

    done, todo = resume_results(path, "a", wanted)
    assert [(r.task, r.seed) for r in done] == [("x", 1)]
    assert todo == [("x", 2), ("y", 1)]

    for key in todo:
        append_result(path, result(*key, 0.5))
    assert resume_results(path, "a", wanted)[1] == []
    assert {key: r.reward for key, r in read_results(path, "a").items()} == {
        ("x", 1): 1.0,
        ("x", 2): 0.5,
        ("y", 1): 0.5,
    }


def test_the_table_counts_partial_reward_as_the_paper_does_and_full_reward_beside_it() -> None:
    rewards = {"x": [1.0, 1.0, 0.2, -1.0], "y": [1.0], "z": [0.0]}
    results = [result(task, seed, reward) for task, all_ in rewards.items() for seed, reward in enumerate(all_)]
    results.append(result("x", 9, error="The worker died."))

    table = score_table(results, tasks=["x", "y", "z", "w"], published={"x": 0.9, "z": 0.8}, standard_set=100)

    assert [(t.task, t.episodes, t.any_reward, t.full_reward) for t in table.tasks] == [
        ("x", 4, 0.75, 0.5), ("y", 1, 1.0, 1.0), ("z", 1, 0.0, 0.0),
    ]  # fmt: skip
    assert table.absent == ("w",)
    assert table.unjudged == 1
    assert table.tasks_over(0.7) == 2
    assert table.tasks_over(0.8) == 1
    assert table.standard_score == 0.0075, "x alone: y has no published figure, z and the other 98 count as 0"
    assert table.lines()[1].split() == ["x", "4", "0.75", "0.50", "0.90"]
    assert table.lines()[-1] == "Not judged: 1 episodes; the same command tries them again."


def test_every_task_of_the_paper_is_solved_by_somebody_and_has_its_page() -> None:
    pytest.importorskip("miniwob")
    assert len(CAAP_SUCCESS) == 67
    assert {*CAAP_SUCCESS, *FURTHER_TASKS} <= SOLVERS.keys()
    html = pages.html_folder() / "miniwob"
    assert [task for task in SOLVERS if not (html / f"{task}.html").is_file()] == []
    assert round(sum(CAAP_SUCCESS.values()) / 67, 3) == 0.944, "as the paper sums them up"


def test_the_command_shows_what_is_there_and_does_none_of_it_again(tmp_path: Path) -> None:
    for seed, reward in ((3, 1.0), (4, 0.5), (7, 1.0)):
        episode = EpisodeResult(agent="replay", task="click-button", seed=seed, reward=reward)
        append_result(tmp_path / "results.jsonl", episode)
    given = ["miniwob", "--agent", "replay", "--tasks", "click-button", "--seeds", "3-4,7", "--out", str(tmp_path)]

    shown = CliRunner().invoke(bench, given)
    told = CliRunner().invoke(bench, [*given, "--json"])

    assert shown.exit_code == 0, shown.output
    assert "3 of 3 episodes are there already." in shown.output
    assert ["click-button", "3", "1.00", "0.67", "0.98"] in [line.split() for line in shown.output.splitlines()]
    assert json.loads(told.stdout)["tasks"]["click-button"]["raw_reward_1"] == 0.6667


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [("--seeds", "9-3", "names no seeds"), ("--seeds", "a", "names no seeds"), ("--tasks", "fly", "no task 'fly'")],
)
def test_the_command_refuses_what_it_cannot_measure(tmp_path: Path, option: str, value: str, words: str) -> None:
    refused = CliRunner().invoke(bench, ["miniwob", "--agent", "replay", "--out", str(tmp_path), option, value])
    assert refused.exit_code == 2
    assert words in " ".join(refused.output.split())


def test_missing_pages_are_told_with_the_way_to_get_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "find_spec", lambda _name: None)
    with pytest.raises(CaptureError, match=r"pip install 'demopack\[bench\]'"):
        pages.html_folder()


def test_the_shipped_demos_are_one_of_each_task_of_the_paper_on_seeds_for_demos() -> None:
    pack = asset("demos/miniwob.zip")

    assert [finding for finding in check_pack(pack) if finding.severity == "error"] == []
    with open_pack(pack) as demos:
        heads = [whole.head for whole in demos.whole_demos()]

    said = [head.origin.said for head in heads if head.origin is not None]
    assert {head.proof.kind for head in heads if head.proof is not None} == {"reward"}
    assert all(head.proof is not None for head in heads), "every one was performed again from its pack"
    assert sorted(one["task"] for one in said) == sorted(CAAP_SUCCESS)
    assert all(one["seed"] in DEMO_SEEDS and one["raw_reward"] > 0.9 for one in said)


def test_a_configuration_is_refused_where_no_prompt_has_its_parts() -> None:
    told = CliRunner().invoke(bench, ["miniwob", "--agent", "replay", "--config", "no_cot_no_demo"])
    assert (told.exit_code, "--dialect caap" in told.output) == (2, True)


def test_the_five_configurations_are_those_of_the_prompts() -> None:
    assert list(CONFIGURATIONS) == list(TABLE_6) == list(CAAP_CONFIGURATIONS)


def test_five_configurations_are_told_beside_the_papers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked: list[str] = []

    def episodes(todo: list[tuple[str, int]], *, agent: str, **_: object) -> Generator[EpisodeResult]:
        asked.append(agent)
        yield from (
            result(task, seed, float(len(asked) > 2)).model_copy(update={"agent": agent}) for task, seed in todo
        )

    monkeypatch.setattr("player.evaluation.episodes.run_episodes", episodes)
    told = CliRunner().invoke(
        bench,
        ["miniwob", "--agent", "few-shot", "--model", "server:x", "--config", "all", "--tasks", "click-test",
         "--seeds", "0", "-o", str(tmp_path)],
    )  # fmt: skip

    assert told.exit_code == 0, told.output
    rows = {line.split()[0]: line.split()[1:] for line in told.stdout.splitlines() if line.split()[0] in CONFIGURATIONS}
    assert len(set(asked)) == len(rows) == 5
    assert rows["full"] == ["1", "0.000", "0.000", "0.944"]
    assert rows["no_cot_no_demo"] == ["1", "1.000", "1.000", "0.809"]
