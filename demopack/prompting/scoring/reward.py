"""Reward functions for reinforcement learning on the rows of the format ``rl``; no pack is needed.

An answer is judged as ``demopack score`` judges it: 1 where object, operation and status are right, else 0. There is no
partial credit: half a right action does not do half the task, and a model would learn to collect it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from demopack.codecs.catalogue import decode_answer
from demopack.codecs.expected_action import ExpectedAction, parse_expected, status_of
from demopack.domain.actions import LLMResponse
from demopack.errors import ActionError
from demopack.prompting.scoring.answer_verdict import judge_action

REWARD_NAME: Final = "demopack"
REWARD_TYPE: Final = "batch"
"""What EasyR1 asks of the file: :func:`compute_scores` takes a list."""

# An answer that begins as JSON has no thoughts before it: such words inside it are a person's, typed or read.
_THOUGHT: Final = re.compile(r"^(?!\s*\{).*?</think>", re.DOTALL)
_ANSWER: Final = re.compile(r"<answer>(.*?)(?:</answer>|$)", re.DOTALL)


def compute_score(
    data_source: str,  # noqa: ARG001 - verl gives it
    solution_str: str,
    ground_truth: str,
    extra_info: Mapping[str, Any] | None = None,  # noqa: ARG001 - verl gives it
    *,
    dialect: str = "llmresponse",
    **more: Any,  # noqa: ANN401, ARG001 - whatever the trainer gives beside it
) -> float:
    """The reward function for verl: one answer.

    Args:
        data_source: not looked at.
        solution_str: what the model said; rubbish is worth 0. Thoughts up to ``</think>`` and the tags of
            ``<answer>`` are taken off.
        ground_truth: ``reward_model.ground_truth`` of the row.
        extra_info: not looked at.
        dialect: how the answer is written, one of :data:`demopack.codecs.catalogue.ANSWER_DIALECTS`; verl gives what
            ``custom_reward_function.reward_kwargs`` says.
        more: not looked at.

    Returns:
        1.0 for a right answer, else 0.0.

    Raises:
        BadInputError: the ground truth is not ours, or there is no such dialect.
    """
    truth = parse_expected(ground_truth)
    return float(_is_right(_responses(solution_str, truth, dialect), truth))


def compute_scores(
    reward_inputs: Sequence[Mapping[str, Any]], *, dialect: str = "llmresponse"
) -> list[dict[str, float]]:
    """The reward function for EasyR1: a batch of answers.

    Args:
        reward_inputs: each with ``response`` and ``ground_truth``, the row's ``answer``.
        dialect: as in :func:`compute_score`.

    Returns:
        For each ``overall`` and ``accuracy``, 1.0 for a right answer, else 0.0; ``format`` is 1.0 for one that can be
        read.

    Raises:
        BadInputError: as in :func:`compute_score`.
    """
    scores: list[dict[str, float]] = []
    for given in reward_inputs:
        truth = parse_expected(given["ground_truth"])
        responses = _responses(given["response"], truth, dialect)
        right = float(_is_right(responses, truth))
        scores.append({"overall": right, "accuracy": right, "format": float(bool(responses))})
    return scores


def _responses(said: object, truth: ExpectedAction, dialect: str) -> Sequence[LLMResponse]:
    """What the answer says is to be done; empty where it cannot be read, or a thought never came to its end."""
    if not isinstance(said, str):
        return ()
    said = _THOUGHT.sub("", said)
    if said.lstrip().startswith("<think>"):
        return ()
    tagged = None if said.lstrip().startswith("{") else _ANSWER.search(said)
    try:
        return decode_answer(
            tagged.group(1) if tagged else said, dialect=dialect, observation=truth.observation
        ).responses
    except ActionError:
        return ()


def _is_right(responses: Sequence[LLMResponse], truth: ExpectedAction) -> bool:
    return bool(responses) and status_of(responses) in truth.statuses and judge_action(responses[0].action, truth).right
