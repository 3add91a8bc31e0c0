"""The engine's names as attributes: classes, global constants, utility functions. ``from
addons.pynav.bridge import engine``.
"""

from __future__ import annotations

from typing import Any

from . import engine_classes
from .api_table import table
from .interface import RUNNING


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    if not RUNNING:
        return engine_classes.engine_class(name)
    found = engine_classes.known_classes().get(name)
    if found is not None:
        return found
    if name in table().parents:
        return engine_classes.engine_class(name)
    constants = table().piece("@constants")
    if name in constants:
        return constants[name]
    if name in table().piece("@utilities"):
        return engine_classes.utility(name)
    raise AttributeError(f"the engine has no class, global constant or utility function {name!r}")
