"""Draws SVG pictures in a process of its own: takes them on its input, gives pixels on its output."""

from __future__ import annotations

import sys
from typing import BinaryIO

import numpy as np
from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from models.vision.worker import read_message, write_message


def main(orders: BinaryIO, answers: BinaryIO) -> None:
    """Serve until the input ends: an SVG and a side, answered by RGBA pixels, or by none where it is no picture."""
    while (message := read_message(orders)) is not None:
        header = message[0]
        pixels = _drawn(str(header["svg"]), int(header["side"]))
        write_message(answers, {"drawn": bool(pixels)}, pixels)


def _drawn(svg: str, side: int) -> bytes:
    """The picture in the middle of a square, as large as it fits; nothing where there is none."""
    renderer = QSvgRenderer(QByteArray(svg.encode()))
    size = renderer.defaultSize()
    if not renderer.isValid() or size.isEmpty():
        return b""
    image = QImage(side, side, QImage.Format.Format_RGBA8888)
    image.fill(QColor(Qt.GlobalColor.transparent))
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    scale = side / max(size.width(), size.height())
    width, height = size.width() * scale, size.height() * scale
    renderer.render(painter, QRectF((side - width) / 2, (side - height) / 2, width, height))
    painter.end()
    pixels = np.frombuffer(image.constBits(), dtype=np.uint8).reshape(side, image.bytesPerLine())[:, : 4 * side]
    return pixels.tobytes() if pixels[:, 3::4].any() else b""


if __name__ == "__main__":
    # Letters in a picture need one.
    _app = QGuiApplication(["demopack-icons"])
    main(sys.stdin.buffer, sys.stdout.buffer)
