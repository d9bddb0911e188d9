# /// script
# requires-python = ">=3.11"
# dependencies = ["verl>=0.9", "torch>=2.6", "torchvision>=0.21", "demopack"]
#
# [tool.uv]
# override-dependencies = ["evdev ; sys_platform == 'none'"]
#
# [tool.uv.sources]
# demopack = { path = "../..", editable = true }
# ///
"""``rl`` in verl: its RLHFDataset's prompts and pictures, and rewards by its loader of functions and its manager.

The reward function is our own, so this is the one script that has demopack, as a trainer's machine has.
"""

from __future__ import annotations

import copy
import json
import sys
import tempfile
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from told import ROOT, Step, Told, loaded, spaced

_LONGEST = 1 << 15


def main() -> None:
    """Every row, its right answer, and ten wrong ones."""
    with redirect_stdout(sys.stderr), tempfile.TemporaryDirectory() as folder:
        import torch
        from omegaconf import OmegaConf
        from verl import DataProto
        from verl.trainer.ppo.reward import get_custom_reward_fn, load_reward_manager
        from verl.utils.dataset.rl_dataset import RLHFDataset

        told = Told.of("verl's RLHFDataset and rewards", ("verl", "torch", "datasets"))
        _, processor = loaded(ROOT / "tests" / "support" / "tiny_llava.py").tiny_llava(Path(folder) / "model")
        files = [str(file) for file in sorted(told.folder.glob("train-*.parquet"))]
        config = OmegaConf.create({
            "cache_dir": folder, "max_prompt_length": _LONGEST, "filter_overlong_prompts": False,
            "reward": {
                "custom_reward_function": {"path": str(told.folder / "reward.py"), "name": "compute_score"},
                "reward_manager": {"source": "register", "name": "naive"},
            },
        })  # fmt: skip
        rows = RLHFDataset(files, processor.tokenizer, config, processor)
        steps = told.kept()
        told.count(len(rows), len(steps))
        reward = get_custom_reward_fn(config)
        manager, dropped = load_reward_manager(config, processor.tokenizer), 0
        for index, step in enumerate(steps):
            row, what = rows[index], f"step {step['step']}"
            parts = [part for message in row["raw_prompt"] for part in message["content"] if isinstance(part, dict)]
            told.picture(what, next(part["image"] for part in parts if part["type"] == "image"), step)
            said = "".join(part["text"] for part in parts if part["type"] == "text")
            told.true(f"{what}: its task is asked", holds=spaced(step["task"]) in said)
            after = steps[index + 1 : index + 2]
            is_last = bool(after) and after[0]["response"]["action"]["action_type"] == "finish_goal"
            expected = json.loads(row["reward_model"]["ground_truth"])
            for name, known in (("targets", step["target_box"]), ("ends", step["end_box"])):
                if known is not None:
                    told.place(f"{what}: {name}", nearest(expected[name], known), known, within=1)
            rewarded(told, what, reward, row, step, is_last=is_last)
            # It drops the tokenizer's own special tokens, whoever wrote them.
            tokens = processor.tokenizer(json.dumps(step["response"]), return_tensors="pt")["input_ids"]
            if processor.tokenizer.decode(tokens[0], skip_special_tokens=True) == json.dumps(step["response"]):
                batch = {"responses": tokens, "attention_mask": torch.ones_like(tokens)}
                names = ("data_source", "reward_model", "extra_info")
                data = DataProto.from_single_dict({**batch, **{name: _column(row[name]) for name in names}})
                score = manager.loop.run_until_complete(manager.run_single(data))
                told.same(f"{what}: by the manager", score["reward_score"], 1.0)
            else:
                dropped += 1
        told.not_tried.append(
            f"{dropped} answers with special tokens of the tokenizer, by the manager, which drops these"
        )
    told.finish()


def _column(value: object) -> Any:  # noqa: ANN401 - an array of objects
    import numpy as np

    return np.fromiter([value], dtype=object, count=1)


def nearest(targets: list[dict[str, Any]], known: list[int]) -> list[int] | None:
    """The box of those that are right to aim at which is most like the one that was recorded."""
    boxes: list[list[int]] = [target["box"] for target in targets if target.get("box")]
    return min(boxes, key=lambda box: sum(abs(a - b) for a, b in zip(box, known, strict=True)), default=None)


def rewarded(
    told: Told, what: str, reward: Callable[..., float], row: dict[str, Any], step: Step, *, is_last: bool
) -> None:
    """1 for what was recorded, 0 for ten others, each as verl calls the function."""

    def score(said: str) -> float:
        return reward(
            data_source=row["data_source"], solution_str=said, ground_truth=row["reward_model"]["ground_truth"],
            extra_info=row["extra_info"],
        )  # fmt: skip

    told.same(f"{what}: right", score(json.dumps(step["response"], ensure_ascii=False)), 1.0)
    for name, said in wrong(step, is_last=is_last).items():
        told.same(f"{what}: {name}", score(said), 0.0)


def wrong(step: Step, *, is_last: bool) -> dict[str, str]:
    """Ten wrong answers: six other actions, another status, and three that are no answer."""
    found: dict[str, str] = {}
    kinds = {
        "click": {}, "type": {"text_to_type": "something else"}, "press_key": {"key_info": "F11"},
        "launch": {"app": "no"}, "scroll": {"scroll_direction": "right", "scroll_steps": 7},
        "wait": {"wait_duration_s": 1.0}, "hover": {},
        "drag": {"end_target": {"bbox": [0.97, 0.01, 0.0, 0.0]}}, "finish_goal": {"status": "success"},
    }  # fmt: skip
    kind = step["response"]["action"]["action_type"]
    for name, parameters in kinds.items():
        if name != kind and len(found) < 6:
            needs = name in {"click", "hover", "drag", "scroll"}
            target = {"bbox": [0.5, 0.01, 0.0, 0.0]} if needs else None
            action = {"action_type": name, "target": target, "parameters": parameters}
            found[f"a {name}"] = _answer(action, is_over=name == "finish_goal")
    other = copy.deepcopy(step["response"])
    if kind == "finish_goal":
        status = "success" if other["action"]["parameters"].get("status") == "failure" else "failure"
        other["action"]["parameters"]["status"] = status
        other["is_goal_complete"] = status == "success"
    elif not is_last:
        other["is_goal_complete"] = True
    else:
        # After it the task is done, so it may say so; that it has failed it may not.
        other["action"] = {"action_type": "finish_goal", "target": None, "parameters": {"status": "failure"}}
    found["another status"] = json.dumps(other)
    return {**found, "half of it": json.dumps(step["response"])[:40], "nothing": "", "another language": "click(1, 2)"}


def _answer(action: dict[str, Any], *, is_over: bool) -> str:
    return json.dumps({"reasoning": "", "action": action, "is_goal_complete": is_over})


if __name__ == "__main__":
    main()
