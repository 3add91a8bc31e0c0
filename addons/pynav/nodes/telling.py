"""Telling the user of a node what is wrong: one engine error in words, without a Python traceback."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

from addons.pynav.bridge import engine
from pynav.crowd.errors import WorldError
from pynav.formations import FormationError
from pynav.grid import GridError, MapFormatError
from pynav.homing import HomingError
from pynav.kernels import KernelError

_F = TypeVar("_F", bound=Callable[..., Any])


class NodeError(ValueError):
    """A call or property that a node cannot serve; the message says what was expected and what came."""


USER_ERRORS = (NodeError, FormationError, GridError, MapFormatError, WorldError, HomingError, KernelError)


def label(node: Any) -> str:
    """How a message names a node or resource: its class and, once it has one, its name (of a resource the file)."""
    name = str(node.resource_path if node.is_class("Resource") else node.name)
    return f"{type(node).__name__} '{name}'" if name else type(node).__name__


def tell(node: Any, error: Exception) -> None:
    """Print the error to the Output panel, with the GDScript lines that led to it."""
    engine.push_error(f"{label(node)}: {error}")


def told(method: _F) -> _F:
    """A method whose user errors become one engine error each; it then returns its type's zero value (None here).

    Other exceptions are bugs and go on to the bridge, which prints their traceback.
    """

    @functools.wraps(method)
    def guarded(self: Any, *arguments: Any) -> Any:
        try:
            return method(self, *arguments)
        except USER_ERRORS as error:
            tell(self, error)
            return None

    return guarded  # type: ignore[return-value]
