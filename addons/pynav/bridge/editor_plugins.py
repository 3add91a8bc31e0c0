"""Editor plugins: classes that extend EditorPlugin, added to the editor and taken out of it again."""

from __future__ import annotations

from typing import Any

from . import strings
from .errors import DeclarationError
from .interface import RUNNING, lib

_added: list[str] = []
_added_at_start: list[str] = []


def add_editor_plugin(python_class: Any) -> None:
    """Have the editor make and add a registered `EditorPlugin` class; nothing happens if it was added before.

    For classes declared without `editor_plugin=True`, whose use is switched later. Not from within `_enter_tree` or `_exit_tree`
    of a node of the editor: call it deferred there.
    """
    name = python_class.engine_name
    if "EditorPlugin" not in [getattr(owner, "__name__", "") for owner in python_class.__mro__]:
        raise DeclarationError(f"class {name}: only a class that extends EditorPlugin can be added to the editor")
    if RUNNING and name not in _added:
        _added.append(name)
        lib.gde_editor_add_plugin(strings.string_name(name))


def remove_editor_plugin(python_class: Any) -> None:
    """Undo `add_editor_plugin`: the editor frees the plugin. Nothing happens if it was not added."""
    name = python_class.engine_name
    if name in _added:
        _added.remove(name)
        lib.gde_editor_remove_plugin(strings.string_name(name))


def add_at_start(python_class: Any) -> None:
    """Name a class to an editor that is still to come."""
    add_editor_plugin(python_class)
    _added_at_start.append(python_class.engine_name)


def end() -> None:
    """The editor is gone, and its plugins with it; it still has the names of those that were added before it came."""
    while _added:
        name = _added.pop()
        if name in _added_at_start:
            lib.gde_editor_remove_plugin(strings.string_name(name))
