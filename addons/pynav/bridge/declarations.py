"""What a class body says about its engine class: exported properties, methods, signals, constants."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, overload

from .annotations import TypeOfValue
from .errors import DeclarationError

_F = TypeVar("_F", bound=Callable[..., Any])

HINTS = frozenset(
    {
        "range",
        "unit",
        "flags",
        "enum",
        "resource",
        "node",
        "multiline",
        "placeholder",
        "file",
        "directory",
        "global_file",
        "exp_easing",
        "no_alpha",
        "array_of",
        "group",
        "subgroup",
        "category",
        "storage",
        "editor",
        "read_only",
        "update_all",
        "hint",
        "hint_string",
        "usage",
    }
)


class Export:
    """An exported property; its value lives in the instance. Also its descriptor in Python."""

    def __init__(self, default: Any, doc: str, changed: str, hints: dict[str, Any]) -> None:
        unknown = set(hints) - HINTS
        if unknown:
            raise DeclarationError(
                f"export() has no hint named {', '.join(sorted(unknown))}; known are {', '.join(sorted(HINTS))}"
            )
        self.default = default
        self.doc = doc
        self.changed = changed
        self.hints = hints
        self.name = ""
        self.owner_name = ""
        self.type: TypeOfValue | None = None  # known once its class is read
        self.is_read_only = bool(hints.get("read_only"))

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name
        self.owner_name = owner.__name__

    def fresh_default(self) -> Any:
        """The default as a value of its own (containers are not shared between instances)."""
        assert self.type is not None
        value = self.default
        if value is None or self.type.codec.is_reference:
            return self.type.codec.zero() if value is None else self.type.codec.coerce(_copied(value))
        return self.type.codec.coerce(value)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        values = instance.__dict__
        try:
            value = values[self.name]
        except KeyError:
            value = values[self.name] = self.fresh_default()
        if hasattr(value, "_id"):
            from .objects import is_valid

            return value if is_valid(value) else None
        return value

    def __set__(self, instance: Any, value: Any) -> None:
        if self.type is not None:
            try:
                value = self.type.codec.coerce(value)
            except (TypeError, ValueError, OverflowError) as error:
                raise TypeError(f"{type(instance).__name__}.{self.name}: {error}") from None
        values = instance.__dict__
        before = values.get(self.name, _MISSING)
        values[self.name] = value
        if self.changed and instance.__dict__.get("_initialised"):
            try:
                same = before is not _MISSING and bool(before == value)
            except (TypeError, ValueError):
                same = False
            if not same:
                getattr(instance, self.changed)()

    def read(self, instance: Any) -> Any:
        """For the engine's getter."""
        return self.__get__(instance)

    def write(self, instance: Any, value: Any) -> None:
        """For the engine's setter."""
        self.__set__(instance, value)


_MISSING = object()


def _copied(value: Any) -> Any:
    if hasattr(value, "to_list"):
        return value.to_list()
    if hasattr(value, "to_dict"):
        return value.to_dict()
    return value


class ExportedProperty(Export):
    """An exported property with a getter and a setter of its own."""

    def __init__(self, getter: Callable[[Any], Any], default: Any, hints: dict[str, Any]) -> None:
        super().__init__(default, (getter.__doc__ or "").strip(), "", hints)
        self.getter_function = getter
        self.setter_function: Callable[[Any, Any], None] | None = None
        self.is_read_only = True

    def setter(self, function: Callable[[Any, Any], None]) -> ExportedProperty:
        """Decorator for the setter."""
        self.setter_function = function
        self.is_read_only = bool(self.hints.get("read_only"))
        return self

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else self.getter_function(instance)

    def __set__(self, instance: Any, value: Any) -> None:
        if self.setter_function is None:
            raise AttributeError(f"{type(instance).__name__}.{self.name} is read only")
        if self.type is not None:
            try:
                value = self.type.codec.coerce(value)
            except (TypeError, ValueError, OverflowError) as error:
                raise TypeError(f"{type(instance).__name__}.{self.name}: {error}") from None
        self.setter_function(instance, value)


class Method:
    """Mark of a method that the engine can call; kept on the function as `godot_method`."""

    def __init__(self, *, is_const: bool) -> None:
        self.is_static = False  # set when the class is read: `@staticmethod` may stand above or below `@method`
        self.is_const = is_const


class Constant:
    """An integer constant of the class."""

    def __init__(self, value: int, doc: str) -> None:
        if not isinstance(value, int):
            raise DeclarationError(f"constant() takes an int, got {value!r}: the engine's class constants are integers")
        self.value = value
        self.doc = doc

    def __get__(self, instance: Any, owner: Any = None) -> int:
        return self.value


def export(default: Any = None, doc: str = "", *, changed: str = "", **hints: Any) -> Any:
    """Declare an exported property; its type is its annotation.

    Parameters
    ----------
    default
        Value of a new instance, and what the inspector reverts to. None means the type's zero (null for
        objects).
    doc
        Text for the editor's help.
    changed
        Name of a method, called without arguments after the value really changed.
    hints
        See the table in the bridge's README.
    """
    return Export(default, doc, changed, hints)


def exported_property(*, default: Any = None, **hints: Any) -> Callable[[Callable[[Any], Any]], Any]:
    """Declare an exported property by its getter (a decorator, like `property`); `default` is what the
    inspector reverts to.
    """

    def declare(getter: Callable[[Any], Any]) -> Any:
        return ExportedProperty(getter, default, hints)

    return declare


@overload
def method(function: _F) -> _F: ...


@overload
def method(*, const: bool = False) -> Callable[[_F], _F]: ...


def method(function: Any = None, *, const: bool = False) -> Any:
    """Let the engine and GDScript call a method. Types, defaults and result come from the annotations; on a
    staticmethod it is static.
    """

    def declare(target: Any) -> Any:
        inner: Any = target.__func__ if isinstance(target, staticmethod) else target
        inner.godot_method = Method(is_const=const)
        return target

    return declare if function is None else declare(function)


def constant(value: int, doc: str = "") -> Any:
    """Declare an integer constant."""
    return Constant(value, doc)
