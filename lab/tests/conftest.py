"""The tests of the laboratory live as those of the product do: in a home of their own, without network."""

from __future__ import annotations

import pytest

from tests.conftest import homes, own_home, pillow_as_it_is

__all__ = ["homes", "own_home", "pillow_as_it_is"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest tests first: what is short fills the gaps beside them."""
    items.sort(key=lambda item: (item.get_closest_marker("slow") is None, item.path.name != "test_weights.py"))
