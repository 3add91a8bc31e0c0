"""What an annotation says about a value that crosses into the engine."""

from __future__ import annotations

import enum
import sys
import types
import typing
from collections.abc import Callable as Function
from dataclasses import dataclass
from typing import Any

from . import callables, containers, packed_arrays, variants
from .errors import DeclarationError
from .objects import OBJECT_CODEC
from .variant_types import BY_NAME, BY_PYTHON_TYPE, VARIANT, Codec

_ = (callables, packed_arrays)  # their codecs are found through BY_PYTHON_TYPE

USAGE_DEFAULT, USAGE_NIL_IS_VARIANT, USAGE_CLASS_IS_ENUM, USAGE_CLASS_IS_BITFIELD = (
    6,
    1 << 17,
    1 << 16,
    1 << 9,
)


@dataclass(frozen=True)
class TypeOfValue:
    """A type as the engine wants to know it, and the codec that moves its values."""

    codec: Codec
    class_name: str = ""
    enum_type: type[enum.Enum] | None = None
    usage: int = USAGE_DEFAULT

    @property
    def variant_type(self) -> int:
        """Variant type; 0 for Variant itself."""
        return 0 if self.codec.variant_type == VARIANT else self.codec.variant_type


def evaluate(annotation: Any, module: str, namespace: dict[str, Any], where: str) -> Any:
    """The object that an annotation (a string, by `from __future__ import annotations`) stands for."""
    if not isinstance(annotation, str):
        return annotation
    scope = dict(vars(sys.modules[module])) if module in sys.modules else {}
    scope.update({name: value for name, value in namespace.items() if isinstance(value, type)})
    try:
        return eval(annotation, scope)
    except Exception as error:
        raise DeclarationError(
            f"{where}: the annotation {annotation!r} cannot be read ({type(error).__name__}: {error}); "
            "its names must "
            "exist at run time in the module"
        ) from None


def type_of(annotation: Any, where: str) -> TypeOfValue:
    """What an evaluated annotation means; DeclarationError in words for what cannot cross."""
    from .class_declaration import GodotObject

    origin = typing.get_origin(annotation)
    if origin is typing.Annotated:
        base, name = typing.get_args(annotation)[:2]
        if isinstance(name, str) and _is_object(_strip_none(base), GodotObject):
            return TypeOfValue(OBJECT_CODEC, name)
        return type_of(base, where)
    annotation = _strip_none(annotation)
    origin = typing.get_origin(annotation) or annotation
    if annotation is Any or annotation is object:
        return TypeOfValue(variants.VARIANT_CODEC, usage=USAGE_DEFAULT | USAGE_NIL_IS_VARIANT)
    if typing.get_origin(annotation) is typing.Annotated:
        return type_of(annotation, where)
    if origin is list or origin is tuple:
        return TypeOfValue(containers.LIST_CODEC)
    if origin is dict:
        return TypeOfValue(containers.DICT_CODEC)
    if isinstance(origin, type):
        if issubclass(origin, enum.IntEnum | enum.IntFlag):
            return TypeOfValue(_enum_codec(origin), enum_type=origin)
        if issubclass(origin, GodotObject):
            name = origin._engine_name()
            return TypeOfValue(OBJECT_CODEC, "" if name == "Object" else name)
        found = BY_PYTHON_TYPE.get(origin)
        if found is not None:
            return TypeOfValue(found)
    if origin in (Function, typing.Callable):
        return TypeOfValue(BY_NAME["Callable"])
    raise DeclarationError(
        f"{where}: values of type {annotation!r} cannot cross into the engine; see the table of types in the bridge's README"
    )


def _is_object(python_type: Any, root: type) -> bool:
    return isinstance(python_type, type) and issubclass(python_type, root)


def _strip_none(annotation: Any) -> Any:
    """`X | None` as X."""
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        rest = [a for a in typing.get_args(annotation) if a is not type(None)]
        if len(rest) == 1:
            return rest[0]
        return Any
    return annotation


def _enum_codec(enum_type: type[Any]) -> Codec:
    """An int that arrives as a member of the enum (or as a plain int, where the enum has no such value)."""
    number = BY_NAME["int"]

    def load(pointer: Any) -> Any:
        try:
            return enum_type(pointer[0])
        except ValueError:
            return int(pointer[0])

    def coerce(value: Any) -> Any:
        whole = number.coerce(value)
        try:
            return enum_type(whole)
        except ValueError:
            return whole

    return Codec(
        "int",
        number.variant_type,
        number.pointer,
        number.words,
        load,
        number.store,
        None,
        coerce,
        lambda: enum_type(0),
    )
