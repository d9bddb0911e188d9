"""Samples of the lines that boxes on the picture have, for legends; apart, since they need numpy."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QImage, QPixmap

from annotator.outlines import LINE_KINDS, draw_outlines
from annotator.ui.theme.tokens import LineStyle

__all__ = ["SAMPLE_SIZE", "line_sample"]

SAMPLE_SIZE = QSize(26, 12)
"""Of a sample of a line; room for a whole period of each."""


def line_sample(style: LineStyle, colour: str, *, ratio: float = 1.0) -> QPixmap:
    """A small box with an outline as boxes on the picture have it, for legends."""
    width, height = round(SAMPLE_SIZE.width() * ratio), round(SAMPLE_SIZE.height() * ratio)
    made = QImage(width, height, QImage.Format.Format_ARGB32)
    made.fill(Qt.GlobalColor.transparent)
    pixels = np.frombuffer(made.bits(), dtype=np.uint32).reshape(height, made.bytesPerLine() // 4)
    draw_outlines(
        pixels,
        np.array([[0, 0, width, height]], dtype=np.int64),
        np.array([QColor(colour).rgb()], dtype=np.uint32),
        kinds=np.array([LINE_KINDS.index(style)], dtype=np.int64),
        width=max(round(ratio), 1),
    )
    made.setDevicePixelRatio(ratio)
    return QPixmap.fromImage(made)
