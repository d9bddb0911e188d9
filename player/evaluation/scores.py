"""Tables of episodes: how often each task was done, beside published figures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from player.evaluation.episodes import EpisodeResult

_SHARES: Final = (0.7, 0.8, 0.9)


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskScore:
    """One task.

    Attributes:
        task: its name.
        episodes: that were tried and judged.
        any_reward: share of them with a raw reward above 0, as the CAAP paper counts.
        full_reward: share of them with a raw reward of 1.
        published: the share above 0 that is compared with; None where there is none.
    """

    task: str
    episodes: int
    any_reward: float
    full_reward: float
    published: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreTable:
    """All tasks of one agent.

    Attributes:
        tasks: in the order asked for, those with an episode.
        absent: tasks asked for without an episode that was judged.
        unjudged: episodes that could not be tried or judged; they count nowhere.
        standard_set: the number of tasks over which a score counts absent ones as 0.
    """

    tasks: tuple[TaskScore, ...]
    absent: tuple[str, ...]
    unjudged: int
    standard_set: int

    @property
    def any_reward(self) -> float:
        """Mean over the tasks of the share of episodes with a raw reward above 0."""
        return _mean([task.any_reward for task in self.tasks])

    @property
    def full_reward(self) -> float:
        """Mean over the tasks of the share of episodes with a raw reward of 1."""
        return _mean([task.full_reward for task in self.tasks])

    @property
    def standard_score(self) -> float:
        """Success (raw reward above 0) on the standard set; tasks that have no published figure are no part of it."""
        return sum(task.any_reward for task in self.tasks if task.published is not None) / self.standard_set

    def tasks_over(self, share: float) -> int:
        """Number of tasks with more than this share of episodes above 0."""
        return sum(task.any_reward > share for task in self.tasks)

    def to_json(self) -> dict[str, Any]:
        """The plain JSON form."""
        return {
            "tasks": {
                t.task: {
                    "episodes": t.episodes,
                    "raw_reward_above_0": round(t.any_reward, 4),
                    "raw_reward_1": round(t.full_reward, 4),
                    "published": t.published,
                }
                for t in self.tasks
            },
            "absent": list(self.absent),
            "unjudged_episodes": self.unjudged,
            "mean_raw_reward_above_0": round(self.any_reward, 4),
            "mean_raw_reward_1": round(self.full_reward, 4),
            **{f"tasks_over_{share * 100:.0f}_percent": self.tasks_over(share) for share in _SHARES},
            "score_on_100_tasks": round(self.standard_score, 4),
        }

    def lines(self) -> list[str]:
        """The table for people."""
        rows = [f"{'task':<30}{'episodes':>9}{'raw > 0':>9}{'raw = 1':>9}{'CAAP':>7}"]
        rows += [
            f"{t.task:<30}{t.episodes:>9}{t.any_reward:>9.2f}{t.full_reward:>9.2f}"
            + ("      -" if t.published is None else f"{t.published:>7.2f}")
            for t in self.tasks
        ]
        published = [t.published for t in self.tasks if t.published is not None]
        episodes = sum(t.episodes for t in self.tasks)
        rows.append(
            f"{'mean of the tasks':<30}{episodes:>9}{self.any_reward:>9.3f}{self.full_reward:>9.3f}"
            + (f"{_mean(published):>7.3f}" if published else "      -")
        )
        over = ", ".join(f"{self.tasks_over(share)} over {share:.0%}" for share in _SHARES)
        rows.append(f"Of {len(self.tasks)} tasks (raw > 0): {over}.")
        rows.append(f"Score on {self.standard_set} tasks, absent ones as 0: {self.standard_score:.1%}.")
        if self.unjudged:
            rows.append(f"Not judged: {self.unjudged} episodes; the same command tries them again.")
        return rows


def score_table(
    results: Iterable[EpisodeResult], *, tasks: Sequence[str], published: Mapping[str, float], standard_set: int
) -> ScoreTable:
    """Count results; episodes that could not be tried or judged are left out."""
    listed = list(results)
    judged = [result for result in listed if not result.error]
    scores: list[TaskScore] = []
    for task in tasks:
        rewards = [result.reward for result in judged if result.task == task]
        if rewards:
            scores.append(
                TaskScore(
                    task=task,
                    episodes=len(rewards),
                    any_reward=_mean([reward > 0 for reward in rewards]),
                    full_reward=_mean([reward == 1 for reward in rewards]),
                    published=published.get(task),
                )
            )
    there = {score.task for score in scores}
    absent = tuple(task for task in tasks if task not in there)
    return ScoreTable(tasks=tuple(scores), absent=absent, unjudged=len(listed) - len(judged), standard_set=standard_set)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
