"""``python -m demopack``."""

from demopack.cli.main import run

run()
