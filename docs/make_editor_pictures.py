"""Makes pictures of everything that can be opened in the editor: every tab, the comparison, searches, statistics.

Run: python docs/make_editor_pictures.py [FOLDER] [--language en|de] [--scale 1|2] [--theme light --theme dark]
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).parents[1]))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).parent / "pictures")
    parser.add_argument("--language", choices=("en", "de"), default="en")
    parser.add_argument("--scale", choices=("1", "2", "3"), default="1")
    parser.add_argument("--theme", action="append", choices=("light", "dark", "contrast"))
    return parser.parse_args()


def main() -> int:
    """Every tab in the themes that are asked for."""
    arguments = _arguments()
    os.environ["QT_SCALE_FACTOR"] = arguments.scale
    gc.disable()  # windows are taken away when one is closed, on this thread
    with tempfile.TemporaryDirectory() as name:
        os.environ["DEMOPACK_SETTINGS"] = str(Path(name) / "settings.json")
        from PySide6.QtWidgets import QApplication

        from annotator.ui.app import use_language

        app = QApplication([])
        use_language(app, arguments.language)
        _draw(app, arguments, Path(name))
    return 0


def _draw(app: object, arguments: argparse.Namespace, work: Path) -> None:
    # Only now: texts at module level are translated when their module is imported.
    from PySide6.QtWidgets import QApplication

    from annotator.ui.theme.manager import Theme
    from docs.make_pictures import Studio, fill

    assert isinstance(app, QApplication)
    mark = "" if arguments.language == "en" else f"{arguments.language}-"
    arguments.folder.mkdir(parents=True, exist_ok=True)
    theme = Theme(app)
    fill(work)
    for choice in arguments.theme or ("light", "dark"):
        studio = Studio(app, theme, arguments.folder, choice, work)
        studio.shoot(f"{mark}library")
        _editor(studio, mark)
        studio.close()
    theme.close()


def _editor(studio: object, mark: str) -> None:
    from PySide6.QtTest import QTest

    from annotator.attributes.element_attributes import SetAttribute
    from annotator.commands import MoveElements
    from docs.make_pictures import Studio

    assert isinstance(studio, Studio)
    page = studio.open()
    page.view.go_to(2)
    step = page.view.step
    assert step is not None
    assert step.before is not None
    assert step.target_uid is not None
    page.view.select((step.target_uid,))
    studio.shoot(f"{mark}editor-target")
    page.context.do(SetAttribute(uids=(step.target_uid,), name="text", value="Choose a country"))
    page.context.do(MoveElements(uids=(step.target_uid,), dx=2, dy=1, frame_size=step.before.size))
    studio.settle()
    for tab in page.panel.tabs:
        page.context.panel.show_tab(tab)
        studio.settle()
        QTest.qWait(250)  # what is gathered beside the window's thread has come
        studio.settle()
        if tab != "element":
            studio.shoot(f"{mark}editor-{tab}")
    page.context.panel.show_tab("element")
    page.context.keyring.actions["compare"].trigger()
    studio.settle()
    QTest.qWait(250)
    studio.shoot(f"{mark}editor-compare")
    page.context.keyring.actions["compare"].trigger()
    page.context.keyring.actions["compare"].trigger()
    page.context.keyring.actions["help"].trigger()
    studio.shoot(f"{mark}editor-keys")
    page.context.keyring.actions["help"].trigger()


if __name__ == "__main__":
    sys.exit(main())
