"""The editor's features, in the order in which they take their places: one line each."""

from __future__ import annotations

from annotator.ui.editor.attributes.attributes_feature import AttributesFeature
from annotator.ui.editor.attributes.targets_feature import TargetsFeature
from annotator.ui.editor.attributes.type_palette import TypePaletteFeature
from annotator.ui.editor.batch_feature import BatchFeature
from annotator.ui.editor.boxes.boxes_feature import BoxesFeature
from annotator.ui.editor.boxes.drawing_aids import DrawingAidsFeature
from annotator.ui.editor.compare_feature import CompareFeature
from annotator.ui.editor.editor_context import Feature
from annotator.ui.editor.exchange_feature import ExchangeFeature
from annotator.ui.editor.export_feature import ExportFeature
from annotator.ui.editor.finding.finding_feature import FindingFeature
from annotator.ui.editor.history.history_feature import HistoryFeature
from annotator.ui.editor.prompt_feature import PromptFeature
from annotator.ui.editor.propagate.carry_feature import CarryFeature
from annotator.ui.editor.propagate.range_feature import RangeFeature
from annotator.ui.editor.propagate.template_feature import TemplateFeature
from annotator.ui.editor.propagate.track_feature import TrackFeature
from annotator.ui.editor.rationales_feature import RationalesFeature
from annotator.ui.editor.second_annotator_feature import SecondAnnotatorFeature
from annotator.ui.editor.shortcuts_panel import ShortcutsFeature
from annotator.ui.editor.similar_features import KnownLooksFeature, SelectSimilarFeature
from annotator.ui.editor.suggestions_feature import SuggestionsFeature
from annotator.ui.keys.key import Key

FEATURES: tuple[type[Feature], ...] = (
    BoxesFeature,
    DrawingAidsFeature,
    FindingFeature,
    SuggestionsFeature,
    BatchFeature,
    CarryFeature,
    RangeFeature,
    TemplateFeature,
    TrackFeature,
    CompareFeature,
    RationalesFeature,
    PromptFeature,
    HistoryFeature,
    ExchangeFeature,
    ExportFeature,
    SecondAnnotatorFeature,
    AttributesFeature,
    TypePaletteFeature,
    SelectSimilarFeature,
    KnownLooksFeature,
    TargetsFeature,
    ShortcutsFeature,
)
"""Made in this order, which is that of their layers on the picture and of their keys in lists."""


def keys() -> tuple[Key, ...]:
    """The keys that the features bring along."""
    return tuple(key for feature in FEATURES for key in feature.KEYS)
