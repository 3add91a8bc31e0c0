"""Variant: the engine's any-type box of 24 bytes."""

from __future__ import annotations

import enum
import sys
from typing import Any

from . import variant_types as types
from .interface import ffi, lib
from .variant_types import BY_PYTHON_TYPE, BY_VARIANT_TYPE, Codec

_from_type: dict[int, Any] = {}
_inside: dict[int, Any] = {}


def codec_of_value(value: Any) -> Codec:
    """The codec that a Python value crosses with when nothing says what is wanted. TypeError in words for
    what has none.
    """
    found = BY_PYTHON_TYPE.get(type(value))
    if found is not None:
        return found
    for base in type(value).__mro__[1:]:
        found = BY_PYTHON_TYPE.get(base)
        if found is not None:
            if not isinstance(value, enum.Enum):
                BY_PYTHON_TYPE[type(value)] = found
            return found
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        if isinstance(value, numpy.ndarray):
            from .packed_arrays import kind_of_numpy

            return kind_of_numpy(value)
        if isinstance(value, numpy.bool_):
            return BY_VARIANT_TYPE[types.BOOL]
        if isinstance(value, numpy.integer):
            return BY_VARIANT_TYPE[types.INT]
        if isinstance(value, numpy.floating):
            return BY_VARIANT_TYPE[types.FLOAT]
    if callable(value):
        return BY_VARIANT_TYPE[types.CALLABLE]
    raise TypeError(f"a {type(value).__name__} cannot cross into the engine: {value!r}")


def store(pointer: Any, value: Any) -> None:
    """Construct a Variant at `pointer`."""
    if value is None:
        lib.gde_variant_new_nil(pointer)
        return
    codec = codec_of_value(value)
    variant_type = codec.variant_type
    function = _from_type.get(variant_type)
    if function is None:
        function = _from_type[variant_type] = lib.gde_get_variant_from_type_constructor(variant_type)
    if codec.borrow is not None:
        owner = codec.borrow(value)  # may be new: it must live until its memory was read
        lib.pynav_to_variant(function, pointer, owner.memory)
        return
    slot = ffi.new("uint64_t[]", codec.words)
    typed = ffi.cast(codec.pointer, slot)
    codec.store(typed, codec.coerce(value))
    lib.pynav_to_variant(function, pointer, slot)
    if codec.destroy is not None:
        codec.destroy(typed)


def load(pointer: Any) -> Any:
    """The Python value of the Variant at `pointer`."""
    variant_type = lib.gde_variant_get_type(pointer)
    if variant_type == types.NIL:
        return None
    if variant_type == types.OBJECT:
        from .objects import object_of_id

        return object_of_id(lib.gde_variant_get_object_instance_id(pointer))
    codec = BY_VARIANT_TYPE[variant_type]
    function = _inside.get(variant_type)
    if function is None:
        function = _inside[variant_type] = lib.gde_variant_get_ptr_internal_getter(variant_type)
    return codec.load(ffi.cast(codec.pointer, lib.pynav_variant_inside(function, ffi.cast("void *", pointer))))


def destroy(pointer: Any) -> None:
    """End the Variant at `pointer`."""
    lib.gde_variant_destroy(pointer)


VARIANT_CODEC = types.register(
    Codec(
        "Variant",
        types.VARIANT,
        "uint64_t *",
        types.VARIANT_WORDS,
        load,
        store,
        destroy,
        lambda value: value,
        lambda: None,
    )
)


class OwnedVariant:
    """A Variant that lives as long as this object."""

    __slots__ = ("pointer",)

    def __init__(self, value: Any = None) -> None:
        self.pointer = ffi.new("uint64_t[]", types.VARIANT_WORDS)
        lib.gde_variant_new_nil(self.pointer)  # so that a value that cannot be stored leaves something to end
        store(self.pointer, value)

    def value(self) -> Any:
        """Its Python value."""
        return load(self.pointer)

    def release(self) -> None:
        """End it now."""
        pointer = getattr(self, "pointer", None)
        if pointer is not None:
            self.pointer = None
            lib.gde_variant_destroy(pointer)

    __del__ = release


class VariantArguments:
    """Variants and the array of pointers to them that a call takes. A context manager."""

    __slots__ = ("_count", "_memory", "pointers")

    def __init__(self, values: tuple[Any, ...] | list[Any]) -> None:
        count = len(values)
        self._memory = ffi.new("uint64_t[]", types.VARIANT_WORDS * count or 1)
        self._count = 0
        self.pointers = ffi.new("GDExtensionConstVariantPtr[]", count or 1)
        try:
            for index, value in enumerate(values):
                place = self._memory + types.VARIANT_WORDS * index
                store(place, value)
                self._count += 1
                self.pointers[index] = place
        except BaseException:
            self.clear()
            raise

    def clear(self) -> None:
        """End them."""
        for index in range(self._count):
            lib.gde_variant_destroy(self._memory + types.VARIANT_WORDS * index)
        self._count = 0

    def __enter__(self) -> VariantArguments:
        return self

    def __exit__(self, *ignored: object) -> None:
        self.clear()
