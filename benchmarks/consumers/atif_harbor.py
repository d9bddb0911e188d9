# /// script
# requires-python = ">=3.12"
# dependencies = ["harbor>=0.20", "atif>=1.8"]
# ///
"""``atif`` in Harbor's own validator, which looks for the pictures too, and in the atif package's models."""

from __future__ import annotations

from told import Told


def main() -> None:
    """Every trajectory, step by step."""
    from atif import Trajectory
    from harbor.utils.trajectory_validator import TrajectoryValidator

    told = Told.of("Harbor's validator", ("harbor", "atif"))
    steps = {step["step"]: step for step in told.kept(pictured=False)}
    seen = 0
    for file in sorted((told.folder / "demos").glob("*.json")):
        validator = TrajectoryValidator()
        told.true(f"{file.name}: {validator.errors}", holds=validator.validate(file))
        trajectory = Trajectory.model_validate_json(file.read_bytes())
        for one in trajectory.steps[1:]:
            step = steps[one.extra["step"]]
            (call,) = one.tool_calls
            said = {
                "reasoning": one.reasoning_content or "",
                "action": {"action_type": call.function_name, **call.arguments},
                "is_goal_complete": one.extra["is_goal_complete"],
            }
            told.response(f"step {step['step']}", said, step)
            told.same(f"step {step['step']}: target_box", one.extra.get("target_box"), step["target_box"])
            seen += 1
    told.count(seen, len(steps))
    told.finish()


if __name__ == "__main__":
    main()
