"""The editor's features, in the order in which they take their places: one line each."""

from __future__ import annotations

from annotator.ui.editor.across.carry_feature import CarryFeature
from annotator.ui.editor.attributes.feature import AttributesFeature
from annotator.ui.editor.attributes.targets import TargetsFeature
from annotator.ui.editor.batch.feature import BatchFeature
from annotator.ui.editor.feature import Feature
from annotator.ui.editor.history.feature import HistoryFeature
from annotator.ui.editor.suggestions.feature import SuggestionsFeature

__all__ = ["FEATURES"]

FEATURES: tuple[type[Feature], ...] = (
    SuggestionsFeature,
    BatchFeature,
    CarryFeature,
    HistoryFeature,
    AttributesFeature,
    TargetsFeature,
)
