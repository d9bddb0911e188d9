"""The editor's features, in the order in which they take their places: one line each."""

from __future__ import annotations

from annotator.ui.editor.across.carry_feature import CarryFeature
from annotator.ui.editor.across.range_feature import RangeFeature
from annotator.ui.editor.across.template_feature import TemplateFeature
from annotator.ui.editor.across.track_feature import TrackFeature
from annotator.ui.editor.alike.feature import AlikeFeature
from annotator.ui.editor.alike.known_feature import KnownLooksFeature
from annotator.ui.editor.attributes.feature import AttributesFeature
from annotator.ui.editor.attributes.palette_feature import TypePaletteFeature
from annotator.ui.editor.attributes.targets import TargetsFeature
from annotator.ui.editor.batch.feature import BatchFeature
from annotator.ui.editor.boxes.aids_feature import AidsFeature
from annotator.ui.editor.boxes.feature import BoxesFeature
from annotator.ui.editor.boxes.menu_feature import BoxMenuFeature
from annotator.ui.editor.compare.feature import CompareFeature
from annotator.ui.editor.feature import Feature
from annotator.ui.editor.finding.feature import FindingFeature
from annotator.ui.editor.history.feature import HistoryFeature
from annotator.ui.editor.interchange.feature import ExchangeFeature
from annotator.ui.editor.keys import KEYS, Key
from annotator.ui.editor.opinion.feature import OpinionFeature
from annotator.ui.editor.prompting.feature import PromptFeature
from annotator.ui.editor.rationales.feature import RationalesFeature
from annotator.ui.editor.shortcuts.feature import ShortcutsFeature
from annotator.ui.editor.suggestions.feature import SuggestionsFeature

__all__ = ["FEATURES", "editor_keys"]

FEATURES: tuple[type[Feature], ...] = (
    BoxesFeature,
    AidsFeature,
    BoxMenuFeature,
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
    OpinionFeature,
    AttributesFeature,
    TypePaletteFeature,
    AlikeFeature,
    KnownLooksFeature,
    TargetsFeature,
    ShortcutsFeature,
)


def editor_keys() -> tuple[Key, ...]:
    """Every key of the editor: its own, and those that the features bring along."""
    return (*KEYS, *(key for feature in FEATURES for key in feature.KEYS))
