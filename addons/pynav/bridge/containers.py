"""Array and Dictionary: references to the engine's containers, with the manners of list and dict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from . import strings, variants
from .interface import ffi, lib
from .variant_types import ARRAY, BY_NAME, DICTIONARY, OBJECT, Codec, Reference, reference_codec

_INT, _BOOL = BY_NAME["int"], BY_NAME["bool"]
_VARIANT = BY_NAME["Variant"]


class Array(Reference):
    """The engine's Array. Copies of it in the engine or here are the same array."""

    __slots__ = ()
    variant_type = ARRAY

    def __init__(self, items: Iterable[Any] = (), *, type_of: Codec | None = None, class_name: str = "") -> None:
        super().__init__()
        if type_of is not None:
            nil = variants.OwnedVariant(None)
            lib.gde_array_set_typed(
                self.memory,
                type_of.variant_type,
                strings.string_name(class_name if type_of.variant_type == OBJECT else ""),
                nil.pointer,
            )
        values = list(items)
        if values:
            self.call_builtin("resize", _INT, (_INT, len(values)))
            for index, value in enumerate(values):
                self[index] = value

    def __len__(self) -> int:
        return self._size()

    def _position(self, index: int) -> int:
        size = len(self)
        position = index + size if index < 0 else index
        if not 0 <= position < size:
            raise IndexError(f"index {index} outside an Array of {size}")
        return position

    def __getitem__(self, index: int) -> Any:
        return variants.load(lib.gde_array_operator_index_const(self.memory, self._position(index)))

    def __setitem__(self, index: int, value: Any) -> None:
        # Through the Variant interface, which keeps a typed array's promise; the index operator would not.
        valid, outside = ffi.new("uint8_t *"), ffi.new("uint8_t *")
        own, boxed = variants.OwnedVariant(self), variants.OwnedVariant(value)
        lib.gde_variant_set_indexed(own.pointer, self._position(index), boxed.pointer, valid, outside)
        if not valid[0]:
            raise TypeError(f"this typed Array does not take {value!r}")

    def __iter__(self) -> Iterator[Any]:
        for index in range(len(self)):
            yield self[index]

    def append(self, value: Any) -> None:
        """Add at the end."""
        self.call_builtin("append", None, (_VARIANT, value))

    def clear(self) -> None:
        """Remove all."""
        self.call_builtin("clear", None)

    def to_list(self) -> list[Any]:
        """A plain copy, nested containers too."""
        return [_plain(item) for item in self]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, (Array, list, tuple)):
            return self.to_list() == [_plain(x) for x in other]
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Array({self.to_list()!r})"


class Dictionary(Reference):
    """The engine's Dictionary. Copies of it in the engine or here are the same dictionary."""

    __slots__ = ()
    variant_type = DICTIONARY

    def __init__(self, items: Mapping[Any, Any] | Iterable[tuple[Any, Any]] = ()) -> None:
        super().__init__()
        for key, value in dict(items).items():
            self[key] = value

    def __len__(self) -> int:
        return self._size()

    def __contains__(self, key: Any) -> bool:
        return bool(self.call_builtin("has", _BOOL, (_VARIANT, key)))

    def __getitem__(self, key: Any) -> Any:
        if key not in self:
            raise KeyError(key)
        boxed = variants.OwnedVariant(key)
        return variants.load(lib.gde_dictionary_operator_index_const(self.memory, boxed.pointer))

    def get(self, key: Any, default: Any = None) -> Any:
        """The value, or `default` where there is none."""
        return self[key] if key in self else default  # noqa: SIM401 - this is the get that it asks for

    def __setitem__(self, key: Any, value: Any) -> None:
        own, boxed_key, boxed_value = (
            variants.OwnedVariant(self),
            variants.OwnedVariant(key),
            variants.OwnedVariant(value),
        )
        valid = ffi.new("uint8_t *")
        lib.gde_variant_set(own.pointer, boxed_key.pointer, boxed_value.pointer, valid)
        if not valid[0]:
            raise TypeError(f"this Dictionary does not take {key!r}: {value!r}")

    def __delitem__(self, key: Any) -> None:
        if not self.call_builtin("erase", _BOOL, (_VARIANT, key)):
            raise KeyError(key)

    def keys(self) -> list[Any]:
        """All keys, in order."""
        return list(self.call_builtin("keys", BY_NAME["Array"]))

    def values(self) -> list[Any]:
        """All values, in order."""
        return list(self.call_builtin("values", BY_NAME["Array"]))

    def items(self) -> list[tuple[Any, Any]]:
        """All pairs, in order."""
        return list(zip(self.keys(), self.values(), strict=True))

    def __iter__(self) -> Iterator[Any]:
        return iter(self.keys())

    def to_dict(self) -> dict[Any, Any]:
        """A plain copy, nested containers too."""
        return {_plain(key): _plain(value) for key, value in self.items()}

    def __eq__(self, other: object) -> bool:
        if isinstance(other, (Dictionary, dict)):
            return self.to_dict() == {_plain(k): _plain(v) for k, v in other.items()}
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Dictionary({self.to_dict()!r})"


def _plain(value: Any) -> Any:
    if isinstance(value, Array):
        return value.to_list()
    if isinstance(value, Dictionary):
        return value.to_dict()
    return value


def _coerce_array(value: Any) -> Array:
    if isinstance(value, Array):
        return value
    if isinstance(value, (str, bytes, Mapping)) or not hasattr(value, "__iter__"):
        raise TypeError(f"expected Array (or a list), got {value!r} ({type(value).__name__})")
    return Array(value)


def _coerce_dictionary(value: Any) -> Dictionary:
    if isinstance(value, Dictionary):
        return value
    if not isinstance(value, Mapping):
        raise TypeError(f"expected Dictionary (or a dict), got {value!r} ({type(value).__name__})")
    return Dictionary(value)


ARRAY_CODEC = reference_codec("Array", Array, _coerce_array)
DICTIONARY_CODEC = reference_codec("Dictionary", Dictionary, _coerce_dictionary)


def _plain_codec(of: Codec, python_type: type, to_plain: str) -> Codec:
    """Like `of`, but the engine's container arrives as a plain copy."""
    load = of.load

    def load_plain(pointer: Any) -> Any:
        return getattr(load(pointer), to_plain)()

    return Codec(
        of.name,
        of.variant_type,
        of.pointer,
        of.words,
        load_plain,
        of.store,
        of.destroy,
        of.coerce,
        python_type,
        of.borrow,
    )


LIST_CODEC = _plain_codec(ARRAY_CODEC, list, "to_list")
DICT_CODEC = _plain_codec(DICTIONARY_CODEC, dict, "to_dict")
for _python_type, _codec in ((list, ARRAY_CODEC), (tuple, ARRAY_CODEC), (dict, DICTIONARY_CODEC)):
    from .variant_types import BY_PYTHON_TYPE

    BY_PYTHON_TYPE[_python_type] = _codec
