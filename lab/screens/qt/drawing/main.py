"""The drawing process: takes orders on its input, gives pictures with truth on its output."""

from __future__ import annotations

import random
import sys
import traceback
from pathlib import Path
from typing import Any, BinaryIO

from PySide6.QtCore import Qt
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QApplication

from lab.screens.qt.drawing.artist import Artist
from models.vision.worker import read_message, write_message


def main(folder: Path) -> None:
    """Serve until the input ends.

    Args:
        folder: for small files that style sheets need; it may be deleted afterwards.
    """
    # Whatever prints must not disturb the pictures.
    answers = sys.stdout.buffer
    sys.stdout = sys.stderr
    app = _application()
    artist = Artist(app, folder)
    while (message := read_message(sys.stdin.buffer)) is not None:
        header = message[0]
        if header["op"] == "hello":
            write_message(answers, {"ready": True})
        else:
            _serve(artist, header, answers)


def _application() -> QApplication:
    app = QApplication(["demopack-screens"])
    # A caret that does not blink is on every picture.
    app.setCursorFlashTime(0)
    app.setQuitOnLastWindowClosed(False)
    for effect in (
        Qt.UIEffect.UI_AnimateMenu,
        Qt.UIEffect.UI_FadeMenu,
        Qt.UIEffect.UI_AnimateCombo,
        Qt.UIEffect.UI_AnimateTooltip,
        Qt.UIEffect.UI_FadeTooltip,
        Qt.UIEffect.UI_AnimateToolBox,
    ):
        app.setEffectEnabled(effect, enable=False)
    QCursor.setPos(5990, 5990)
    return app


def _serve(artist: Artist, order: dict[str, Any], answers: BinaryIO) -> None:
    try:
        moments = artist.draw(seed=int(order["seed"]), variant=order["variant"])
    except Exception:  # noqa: BLE001 - told to the factory, which goes on with the next order
        write_message(answers, {"error": traceback.format_exc(limit=8)})
        return
    write_message(answers, {"moments": len(moments)})
    for image, truths, variant in moments:
        elements = [truth.model_dump(mode="json", exclude_defaults=True) for truth in truths]
        header = {"height": image.shape[0], "width": image.shape[1], "elements": elements, "variant": variant}
        write_message(answers, header, image.tobytes())


if __name__ == "__main__":
    random.seed(0)
    main(Path(sys.argv[1]))
