"""Accessibility trees: their form, and how a library keeps them."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from demopack.domain.geometry import Rect
from demopack.domain.trees import TreeNode, TreeReading, WindowTree, tree_bytes, tree_id
from demopack.errors import LibraryError
from demopack.store import Library


def _tree(name: str = "Close") -> WindowTree:
    frame = TreeNode(role="frame", name="Notes", box=Rect(0, 0, 200, 100))
    button = TreeNode(parent=0, role="push button", name=name, box=Rect(10, 10, 60, 40), states=("enabled", "showing"))
    return WindowTree(app="notes", toolkit="gtk 3.24", title="Notes", box=Rect(0, 0, 200, 100), nodes=(frame, button))


def test_a_tree_comes_back_from_its_canonical_bytes() -> None:
    tree = _tree()
    assert WindowTree.model_validate_json(tree_bytes(tree)) == tree


def test_equal_trees_have_one_id_and_others_another() -> None:
    assert tree_id(tree_bytes(_tree())) == tree_id(tree_bytes(_tree()))
    assert tree_id(tree_bytes(_tree())) != tree_id(tree_bytes(_tree("Open")))


def test_a_node_before_its_parent_is_refused() -> None:
    with pytest.raises(ValidationError, match="stands before its parent"):
        WindowTree(nodes=(TreeNode(role="label", parent=0),))


def test_children_and_ancestors_follow_the_parents() -> None:
    nodes = tuple(TreeNode(role="panel", parent=parent) for parent in (None, 0, 1, 0))
    tree = WindowTree(nodes=nodes)
    assert tree.children() == [[1, 3], [2], [], []]
    assert list(tree.ancestors(2)) == [1, 0]


def test_a_library_keeps_an_equal_tree_once(tmp_path: Path) -> None:
    with Library.open(tmp_path) as library:
        key = library.put_tree(_tree())
        assert library.put_tree(_tree()) == key
        assert library.get_tree(key) == _tree()
        with library.connection.reading() as db:
            assert db.execute("SELECT count(*) FROM trees").fetchone() == (1,)


def test_a_damaged_or_missing_tree_is_named(tmp_path: Path) -> None:
    with Library.open(tmp_path) as library:
        key = library.put_tree(_tree())
        with library.connection.writing() as db:
            db.execute("UPDATE trees SET data = zeroblob(length(data))")
        with pytest.raises(LibraryError, match=f"tree {key[:12]} in the library is damaged"):
            library.get_tree(key)
        with pytest.raises(LibraryError, match="is missing"):
            library.get_tree("0" * 64)


def test_a_reading_names_its_tree() -> None:
    reading = TreeReading(tree="a" * 64, started_ns=1, ended_ns=2)
    assert not reading.proved
