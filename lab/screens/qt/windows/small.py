"""Small windows: a calculator, a login, messages, a search, an about box, a wizard, work in progress."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QFormLayout,
    QGridLayout,
    QGroupBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMessageBox,
    QPlainTextEdit,
    QProgressBar,
    QPushButton,
    QRadioButton,
    QSizePolicy,
    QTabWidget,
    QVBoxLayout,
    QWidget,
    QWizard,
    QWizardPage,
)

from lab.screens.qt.drawing.pictures import framed, photo
from lab.screens.qt.drawing.widget_builder import WidgetBuilder
from lab.screens.qt.windows.form import field
from lab.screens.qt.windows.mail import prose

_KEYS = (
    ("7", "8", "9", "/", "4", "5", "6", "*", "1", "2", "3", "-", "0", ".", "=", "+"),
    ("C", "(", ")", "÷", "7", "8", "9", "×", "4", "5", "6", "−", "1", "2", "3", "+", "±", "0", ",", "="),  # noqa: RUF001
    ("MC", "MR", "M+", "sin", "cos", "tan", "7", "8", "9", "4", "5", "6", "1", "2", "3", "0", ".", "="),
)


def calculator(kit: WidgetBuilder) -> QWidget:
    """A display and a grid of keys."""
    window = QWidget()
    window.setWindowTitle(kit.say.noun())
    column = QVBoxLayout(window)
    display = QLineEdit(kit.say.number(10**9))
    display.setAlignment(Qt.AlignmentFlag.AlignRight)
    font = display.font()
    font.setPointSize(font.pointSize() + kit.rng.randint(2, 14))
    display.setFont(font)
    column.addWidget(display)
    grid = QGridLayout()
    grid.setSpacing(kit.pick((0, 2, 4, 8)))
    keys = kit.pick(_KEYS)
    columns = 3 if len(keys) == 18 else 4
    for number, text in enumerate(keys):
        key = QPushButton(text)
        key.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        key.setMinimumSize(28, 24)
        grid.addWidget(key, number // columns, number % columns)
    column.addLayout(grid, 1)
    return window


def login(kit: WidgetBuilder) -> QWidget:
    """A name, a password, a button."""
    dialog = QDialog()
    dialog.setWindowTitle(kit.say.action())
    column = QVBoxLayout(dialog)
    if kit.maybe(0.6):
        picture = kit.picture(kit.pick(("logo", "user", "lock")), kit.pick((32, 48, 64)))
        picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        column.addWidget(picture)
    title = kit.heading(kit.say.phrase(3))
    title.setAlignment(kit.pick((Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignHCenter)))
    column.addWidget(title)
    name, password = QLineEdit(), QLineEdit()
    password.setEchoMode(QLineEdit.EchoMode.Password)
    labels = kit.say.fields(2)
    if kit.maybe(0.5):
        form = QFormLayout()
        form.addRow(labels[0], name)
        form.addRow(labels[1], password)
        column.addLayout(form)
    else:
        name.setPlaceholderText(labels[0])
        password.setPlaceholderText(labels[1])
        column.addWidget(name)
        column.addWidget(password)
    if kit.maybe(0.6):
        name.setText(kit.say.email())
        password.setText("x" * kit.rng.randint(4, 12))
    if kit.maybe(0.6):
        column.addWidget(QCheckBox(kit.say.option()))
    if kit.maybe(0.5):
        link = QLabel(f'<a href="x">{kit.say.phrase(3)}</a>')
        link.setTextFormat(Qt.TextFormat.RichText)
        column.addWidget(link)
    row = QHBoxLayout()
    for text in kit.say.actions(kit.rng.randint(1, 3)):
        row.addWidget(kit.button(text))
    column.addLayout(row)
    column.addStretch(1)
    return dialog


def message(kit: WidgetBuilder) -> QWidget:
    """A question or a piece of news."""
    box = QMessageBox()
    box.setWindowTitle(kit.say.noun())
    box.setIconPixmap(kit.icons.pixmap(kit.pick(("warning", "info", "error", "help")), kit.pick((32, 48, 64))))
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(kit.say.sentence())
    if kit.maybe(0.6):
        box.setInformativeText(kit.say.paragraph(kit.rng.randint(1, 4)))
    roles = (QMessageBox.ButtonRole.AcceptRole, QMessageBox.ButtonRole.RejectRole, QMessageBox.ButtonRole.HelpRole)
    for text, role in zip(kit.say.answers(kit.rng.randint(1, 3)), roles, strict=False):
        box.addButton(text, role)
    if kit.maybe(0.3):
        box.setCheckBox(QCheckBox(kit.say.option()))
    return box


def find(kit: WidgetBuilder) -> QWidget:
    """Looking for words and replacing them."""
    dialog = QDialog()
    dialog.setWindowTitle(kit.say.action())
    row = QHBoxLayout(dialog)
    left = QVBoxLayout()
    form = QFormLayout()
    for text in kit.say.fields(kit.rng.randint(1, 3)):
        form.addRow(text + ":", QLineEdit(kit.say.phrase(2) if kit.maybe(0.6) else ""))
    left.addLayout(form)
    group = QGroupBox(kit.say.noun())
    inside = QGridLayout(group)
    for number, text in enumerate(kit.say.options(kit.count(2, 6))):
        inside.addWidget(QCheckBox(text), number // 2, number % 2)
    left.addWidget(group)
    if kit.maybe(0.5):
        choice = QGroupBox(kit.say.noun())
        radios = QHBoxLayout(choice)
        for number, text in enumerate(kit.say.nouns(2)):
            radio = QRadioButton(text)
            radio.setChecked(number == 0)
            radios.addWidget(radio)
        left.addWidget(choice)
    left.addStretch(1)
    row.addLayout(left, 1)
    buttons = QVBoxLayout()
    for text in kit.say.actions(kit.count(2, 5)):
        buttons.addWidget(kit.button(text))
    buttons.addStretch(1)
    row.addLayout(buttons)
    return dialog


def about(kit: WidgetBuilder) -> QWidget:
    """Who made a program."""
    dialog = QDialog()
    dialog.setWindowTitle(kit.say.action())
    column = QVBoxLayout(dialog)
    top = QHBoxLayout()
    top.addWidget(kit.picture("logo", kit.pick((32, 48, 64))))
    words = QVBoxLayout()
    words.addWidget(kit.heading(kit.say.noun()))
    words.addWidget(kit.label(f"{kit.say.field()} {kit.rng.randint(0, 9)}.{kit.rng.randint(0, 20)}"))
    link = QLabel(f'<a href="x">{kit.say.url()}</a>')
    link.setTextFormat(Qt.TextFormat.RichText)
    words.addWidget(link)
    top.addLayout(words, 1)
    column.addLayout(top)
    tabs = QTabWidget()
    for text in kit.say.nouns(kit.rng.randint(2, 4)):
        tabs.addTab(prose(kit), text)
    column.addWidget(tabs, 1)
    row = QHBoxLayout()
    row.addStretch(1)
    row.addWidget(kit.button(kit.say.answers(1)[0]))
    column.addLayout(row)
    return dialog


def progress(kit: WidgetBuilder) -> QWidget:
    """Something that takes its time."""
    dialog = QDialog()
    dialog.setWindowTitle(kit.say.action())
    column = QVBoxLayout(dialog)
    column.addWidget(kit.label(kit.say.sentence(), wrap=True))
    for _ in range(kit.count(1, 4)):
        row = QHBoxLayout()
        row.addWidget(kit.label(kit.say.file_name()))
        bar = QProgressBar()
        bar.setValue(kit.rng.randint(0, 100))
        bar.setTextVisible(kit.maybe(0.7))
        row.addWidget(bar, 1)
        if kit.maybe(0.4):
            row.addWidget(kit.tool("close", size=14))
        column.addLayout(row)
    if kit.maybe(0.5):
        log = QPlainTextEdit("\n".join(kit.say.path() for _ in range(kit.count(2, 30))))
        column.addWidget(log, 1)
    row = QHBoxLayout()
    row.addStretch(1)
    for text in kit.say.answers(2):
        row.addWidget(kit.button(text))
    column.addLayout(row)
    return dialog


def wizard(kit: WidgetBuilder) -> QWidget:
    """One step after the other."""
    window = QWizard()
    window.setWindowTitle(kit.say.noun())
    style = QWizard.WizardStyle
    window.setWizardStyle(kit.pick((style.ClassicStyle, style.ModernStyle)))
    for _ in range(3):
        page = QWizardPage()
        page.setTitle(kit.say.phrase(3))
        page.setSubTitle(kit.say.sentence())
        if kit.maybe(0.4):
            row = QHBoxLayout(page)
            row.addWidget(framed(photo(kit, kit.rng.randint(80, 160), kit.rng.randint(150, 260))))
            inner = QFormLayout()
            row.addLayout(inner, 1)
        else:
            inner = QFormLayout(page)
        for text in kit.say.fields(kit.count(2, 6)):
            inner.addRow(text + ":", field(kit))
        window.addPage(page)
    button = QWizard.WizardButton
    ways = (button.BackButton, button.NextButton, button.FinishButton, button.CancelButton)
    for way, text in zip(ways, kit.say.actions(4), strict=True):
        window.setButtonText(way, text)
    window.restart()
    if kit.maybe(0.5):
        window.next()
    return window
