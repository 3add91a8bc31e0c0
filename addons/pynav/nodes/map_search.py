"""How crowds and obstacles find their map."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def find_map(node: Any, given: Any, is_own_map: Callable[[Any], bool]) -> Any:
    """The given map, else the nearest one on the way up: an ancestor, or a child of one. None if there is none."""
    if given is not None:
        return given if is_own_map(given) else None
    if not node.is_inside_tree():
        return None
    parent = node.get_parent()
    while parent is not None:
        if is_own_map(parent):
            return parent
        for child in parent.get_children():
            if is_own_map(child):
                return child
        parent = parent.get_parent()
    return None
