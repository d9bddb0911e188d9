"""``python -m demopack``."""

from demopack_cli.main import run

run()
