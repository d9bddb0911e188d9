"""Asks for a folder that need not be there yet, and says what will be written where."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QDialog, QFileDialog, QGridLayout, QLabel, QLineEdit, QWidget

from annotator.words import tr

__all__ = ["NewFolderDialog"]


class NewFolderDialog(QFileDialog):
    """A dialog in which a folder is chosen, or named that will be made.

    Args:
        parent: the window it belongs to.
        title: what is asked.
        place: where something goes when a folder is chosen; it is shown while one is looked for.
    """

    def __init__(self, parent: QWidget | None, title: str, place: Callable[[Path], Path]) -> None:
        super().__init__(parent, title, str(Path.home()))
        self._place = place
        # The desktops' own dialogs take only folders that are there already.
        self.setOption(QFileDialog.Option.DontUseNativeDialog)
        self.setOption(QFileDialog.Option.ShowDirsOnly)
        self.setFileMode(QFileDialog.FileMode.Directory)
        self.setLabelText(QFileDialog.DialogLabel.Accept, tr("Write here"))
        self.told = QLabel()
        self.told.setWordWrap(True)
        layout = self.layout()
        assert isinstance(layout, QGridLayout)
        layout.addWidget(self.told, layout.rowCount(), 0, 1, -1)
        field = self.findChild(QLineEdit)
        assert field is not None
        self.field = field
        field.textChanged.connect(self._tell)
        self.directoryEntered.connect(self._tell)
        self._tell()

    @property
    def chosen(self) -> Path:
        """The folder that is named, whether it is there or not."""
        # Not what the dialog calls selected: that stays what was selected before while a new name is typed.
        return Path(self.directory().absolutePath()) / self.field.text().strip()

    def accept(self) -> None:
        """Take the folder; one that is not there is taken where it can be made."""
        if not self.chosen.exists() and self.chosen.parent.is_dir():
            QDialog.accept(self)
            return
        super().accept()

    def _tell(self) -> None:
        self.told.setText(tr("It will be written to {folder}.").format(folder=self._place(self.chosen)))
