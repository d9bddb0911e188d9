"""What every test shares: its own home, no display by accident, no network."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from PIL import Image

# Wall-clock deadlines fail on busy machines; the suite's own time-out catches what hangs.
# The same examples every time, or a change would be blamed for what another day finds; `make fuzz` looks for new ones.
settings.register_profile(
    "demopack",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize="DEMOPACK_TEST_EXPLORE" not in os.environ,
    print_blob=True,
)
settings.load_profile("demopack")

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("YOLO_OFFLINE", "true")
os.environ.setdefault("DEMOPACK_REQUESTS", "local")  # a language model is only asked on this machine


if "DEMOPACK_TEST_DPI" in os.environ:
    from tests.support.desktops import use_desktop

    use_desktop()

_ORDER = ("unit", "golden", "flows", "gui", "vision", "e2e")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Fast tests first, so that a mistake shows in seconds."""
    root = Path(__file__).parent

    def rank(item: pytest.Item) -> int:
        folder = item.path.relative_to(root).parts[0] if item.path.is_relative_to(root) else ""
        return _ORDER.index(folder) if folder in _ORDER else len(_ORDER)

    items.sort(key=rank)


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for the homes of all tests; numbering each by itself would read an ever longer folder."""
    return tmp_path_factory.mktemp("homes")


@pytest.fixture(autouse=True)
def own_home(homes: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Settings, caches and the default library live in a folder of the test's own."""
    home = homes / secrets.token_hex(6)
    home.mkdir()
    monkeypatch.setenv("DEMOPACK_SETTINGS", str(home / "settings.json"))
    monkeypatch.setenv("DEMOPACK_LIBRARY", str(home / "library"))
    monkeypatch.setenv("DEMOPACK_CACHE", str(home / "cache"))
    return home


@pytest.fixture(autouse=True)
def pillow_as_it_is() -> Iterator[None]:
    """Some of the libraries that tests load exports with replace a function of Pillow for the whole process."""
    opened = Image.open
    yield
    Image.open = opened
