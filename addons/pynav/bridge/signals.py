"""Signals: declared in a class body, and bound to an object."""

from __future__ import annotations

from typing import Any

from .annotations import TypeOfValue
from .callables import Signal, coerce_callable, register_bound_signal
from .errors import EngineCallError


class SignalDeclaration:
    """A signal of a Python class; gives a `BoundSignal` on an instance."""

    def __init__(self, doc: str, arguments: dict[str, Any]) -> None:
        self.doc = doc
        self.arguments = arguments
        self.name = ""
        self.types: list[TypeOfValue] = []

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else BoundSignal(instance, self.name, self)


class BoundSignal:
    """A signal of one object."""

    __slots__ = ("_declaration", "name", "owner")

    def __init__(self, owner: Any, name: str, declaration: SignalDeclaration | None = None) -> None:
        self.owner = owner
        self.name = name
        self._declaration = declaration

    def emit(self, *arguments: Any) -> None:
        """Emit it; for a declared signal the arguments are checked and converted to its types."""
        declaration = self._declaration
        if declaration is not None:
            names = list(declaration.arguments)
            if len(arguments) != len(names):
                raise EngineCallError(
                    f"signal {self.name}({', '.join(names)}) takes {len(names)} arguments, got {len(arguments)}"
                )
            converted = []
            for name, kind, value in zip(names, declaration.types, arguments, strict=True):
                try:
                    converted.append(kind.codec.coerce(value))
                except (TypeError, ValueError, OverflowError) as error:
                    raise EngineCallError(f"signal {self.name}: argument '{name}': {error}") from None
            arguments = tuple(converted)
        self.owner.emit_signal(self.name, *arguments)

    def connect(self, function: Any, flags: int = 0) -> int:
        """Connect a Python function or a Callable; returns the engine's error code (0 is good)."""
        return int(self.owner.connect(self.name, coerce_callable(function), flags))

    def disconnect(self, function: Any) -> None:
        """Undo `connect`."""
        self.owner.disconnect(self.name, coerce_callable(function))

    def is_connected(self, function: Any) -> bool:
        """Whether the function is connected."""
        return bool(self.owner.is_connected(self.name, coerce_callable(function)))

    def as_signal(self) -> Signal:
        """The engine's Signal value."""
        return Signal(self.owner, self.name)


register_bound_signal(BoundSignal)


def signal(doc: str = "", **arguments: Any) -> Any:
    """Declare a signal; the arguments are named types, in order: ``signal("Docs.",
    units=PackedInt32Array)``.
    """
    return SignalDeclaration(doc, arguments)
