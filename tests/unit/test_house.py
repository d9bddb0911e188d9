"""The house stays as small and plain as it was made (docs/adr/0039-one-house.md).

The limits leave room for what is built next. A change that needs more raises one in a commit of its own, which says
what was looked at for deleting instead; names that stand twice and the depth of folders are never raised.
"""

from __future__ import annotations

import pytest

from tests.support.house import Census, census, importers_of

LIMITS = {"lines": 160_000, "code": 99_500, "files": 795, "short": 26, "depth": 4}


@pytest.fixture(scope="module")
def counted() -> Census:
    return census()


@pytest.mark.parametrize("name", LIMITS)
def test_the_house_keeps_its_size(counted: Census, name: str) -> None:
    assert getattr(counted, name) <= LIMITS[name], f"{name}: python -m tests.support.house"


def test_no_public_class_name_stands_twice(counted: Census) -> None:
    assert counted.twice == {}


def test_nothing_of_the_product_imports_the_laboratory() -> None:
    assert importers_of("lab") == []
