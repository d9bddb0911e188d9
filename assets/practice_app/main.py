"""A small program to practise on: real widgets, and a log of its own state.

Run it with ``python main.py --state FILE``. The file always holds what the window holds, as JSON, so that anybody can
judge from outside whether a task was done. ``--map FILE`` writes where each widget is on the screen: the eyes of a
scripted person. Nothing leaves the computer.
"""

from __future__ import annotations

import argparse
import signal
import sys
from pathlib import Path

from practice_eyes import Eyes
from practice_log import StateLog
from practice_look import apply_look
from practice_window import PracticeWindow
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

# Python runs its signal handlers only when it gets a turn, and Qt's loop alone never gives it one.
_SIGNAL_TURN_MS = 200
_LOOK_AROUND_MS = 80


def main() -> int:
    """Show the window until it is closed; 0 when all went well."""
    parser = argparse.ArgumentParser(description="A small program to practise on.")
    parser.add_argument("--state", type=Path, required=True, help="JSON file that always holds the window's state")
    parser.add_argument("--map", type=Path, help="JSON file that always holds where the widgets are")
    given = parser.parse_args()

    app = QApplication(sys.argv[:1])
    app.setApplicationName("practice")
    apply_look(app)
    window = PracticeWindow()
    log = StateLog(window, given.state)
    window.show()

    signal.signal(signal.SIGTERM, lambda *_: window.close())
    turn = QTimer()
    turn.timeout.connect(lambda: None)
    turn.start(_SIGNAL_TURN_MS)
    if given.map is not None:
        eyes = Eyes(window, given.map)
        turn.timeout.connect(eyes.look)
        turn.setInterval(_LOOK_AROUND_MS)
    code = app.exec()
    log.closed()
    return code


if __name__ == "__main__":
    sys.exit(main())
