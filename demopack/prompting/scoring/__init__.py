"""Holds a model's answers against recorded demos: how often, where, and how surely it is right."""

from demopack.prompting.scoring.metrics import MetricValue, ScoreReport
from demopack.prompting.scoring.predictions import Predictions, read_alternatives, read_predictions
from demopack.prompting.scoring.step_scores import StepScore, score

__all__ = [
    "MetricValue",
    "Predictions",
    "ScoreReport",
    "StepScore",
    "read_alternatives",
    "read_predictions",
    "score",
]
