"""Packed arrays: the engine's typed arrays, seen by numpy without a copy.

Lifetime rules (the engine copies a packed array's storage on write when more than one holder has it):

- `view()` shares the storage with the array: read only, valid as long as the view lives, whatever happens
  to the array.
- `edit()` asks for storage of the array's own (a copy is made only if somebody else holds it) and gives
  it writable. The view keeps the array alive. While it is in use, `resize` and the like refuse; when the
  array is handed to the engine, the view becomes read only.
- A view from `edit()` that is still in use when `edit()` is called after a hand-over would be left with
  storage that the engine may drop; a share is kept for it then, which costs a copy: don't keep views over a
  hand-over.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

from . import strings
from . import variant_types as types
from .interface import ffi, lib
from .values import Color, Vector2, Vector3, Vector4
from .variant_types import BY_NAME, BY_PYTHON_TYPE, Codec, Reference, reference_codec

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

_INT = BY_NAME["int"]


class _Holder:
    """Base of a numpy view: where the memory lies, and what keeps it there."""

    __slots__ = ("__array_interface__", "keep", "share")

    def __init__(self, address: int, shape: tuple[int, ...], dtype: str, keep: Any, *, read_only: bool) -> None:
        self.__array_interface__ = {
            "version": 3,
            "typestr": f"<{dtype}" if dtype != "u1" else "|u1",
            "shape": shape,
            "data": (address, read_only),
        }
        self.keep = keep
        self.share: Any = None  # a share of the storage, once the array goes another way


@cache
def _index_function(engine_name: str, writable: bool) -> Any:
    """The engine's index operator of a packed type; the writable one takes the storage for its own."""
    return getattr(lib, f"gde_packed_{engine_name}_array_operator_index" + ("" if writable else "_const"))


class PackedArray(Reference):
    """Base of the packed arrays that numpy can see. See the module's text for the lifetime of views."""

    __slots__ = ("_edit_view", "_given")
    dtype: ClassVar[str] = "u1"
    columns: ClassVar[int] = 1
    engine_name: ClassVar[str] = ""
    element: ClassVar[Any] = int

    def __init__(self, content: Any = 0) -> None:
        super().__init__()
        self._edit_view: weakref.ref[Any] | None = None
        self._given = False
        if isinstance(content, int):
            if content < 0:
                raise ValueError(f"{type(self).__name__}: a length must not be negative, got {content}")
            if content:
                self._set_size(content)
                lib_zero(self, content)
            return
        self.copy_from(content)

    @classmethod
    def share(cls, pointer: Any) -> Any:
        """A new array object on the storage of the value at `pointer`."""
        new = super().share(pointer)
        new._edit_view = None
        new._given = True  # somebody else has the storage
        return new

    def __len__(self) -> int:
        return self._size()

    def _set_size(self, length: int) -> None:
        self.call_builtin("resize", _INT, (_INT, length))

    @classmethod
    def item_bytes(cls) -> int:
        """Bytes of one element."""
        return int(cls.dtype[1:]) * cls.columns

    def _pointer(self, *, writable: bool) -> Any:
        return _index_function(self.engine_name, writable)(self.memory, 0)

    def _numpy(self, keep: Any, *, writable: bool) -> Any:
        import numpy

        length = len(self)
        shape = (length, self.columns) if self.columns > 1 else (length,)
        if length == 0:
            return numpy.zeros(shape, self.dtype)
        address = int(ffi.cast("uintptr_t", self._pointer(writable=writable)))
        return numpy.asarray(_Holder(address, shape, self.dtype, keep, read_only=not writable))

    def _peek(self) -> Any:
        """The content for a short look: it must not outlive the next call into this array."""
        return self._numpy(self, writable=False)

    def _edited(self) -> Any:
        """The view from `edit()`, while somebody uses it."""
        return None if self._edit_view is None else self._edit_view()

    def view(self) -> NDArray[Any]:
        """A read-only numpy view of the present content, without a copy.

        Returns
        -------
        numpy.ndarray
            Shape (n,), or (n, 2|3|4) float32 for vectors and colours. It shares the storage, keeps it
            alive, and never changes.
        """
        shared = type(self).share(self.memory)
        self.hand_over()
        view: NDArray[Any] = shared._numpy(shared, writable=False)
        view.setflags(write=False)
        return view

    def edit(self) -> NDArray[Any]:
        """A writable numpy view, without a copy unless somebody else holds the storage.

        Valid until the array is handed to the engine or edited again; a kept one is read only from then on.
        Take it anew each tick.

        Returns
        -------
        numpy.ndarray
            Shape (n,), or (n, 2|3|4) float32 for vectors and colours.
        """
        old: Any = self._edited()
        if old is not None:
            if not self._given:
                same: NDArray[Any] = old
                return same
            old.base.share = type(self).share(self.memory)
            old.setflags(write=False)
        view: NDArray[Any] = self._numpy(self, writable=True)
        self._given = False
        self._edit_view = weakref.ref(view)
        return view

    def edit_address(self) -> int:
        """Address of writable storage of the array's own, for native code that fills it each frame; 0 for an empty array.

        Ask anew before each filling: the storage moves when somebody else holds it or the length changes.
        BufferError while a view from `edit()` is in use.
        """
        if self._edit_view is not None and self._edit_view() is not None:
            raise BufferError(f"{type(self).__name__}: a numpy view from edit() is in use: drop the view first")
        return int(ffi.cast("uintptr_t", self._pointer(writable=True))) if self._size() else 0

    def hand_over(self) -> None:
        """Note that somebody else gets the storage: the view from `edit()` that is in use becomes read
        only.
        """
        self._given = True
        if self._edit_view is not None:
            old = self._edit_view()
            if old is not None:
                old.setflags(write=False)

    def resize(self, length: int) -> None:
        """Set the length; new elements are zero. BufferError while a view from `edit()` is in use."""
        if self._edited() is not None:
            raise BufferError(
                f"{type(self).__name__} cannot be resized while a numpy view from edit() is in use: "
                "drop the view first "
                f"(it has {len(self)} elements, {length} were asked for)"
            )
        old = len(self)
        self._set_size(length)
        if length > old:
            self.edit()[old:] = 0

    def copy_from(self, content: Any) -> None:
        """Replace the content by a copy of a numpy array, bytes, or a sequence."""
        import numpy

        if isinstance(content, (bytes, bytearray, memoryview)):
            content = numpy.frombuffer(content, "u1")
        if isinstance(content, PackedArray):
            content = content.view()
        array = numpy.asarray(content if isinstance(content, numpy.ndarray) else list(content))
        if array.size == 0:
            array = array.reshape((0, self.columns) if self.columns > 1 else 0)
        if self.columns > 1 and array.ndim == 1 and array.size % self.columns == 0 and isinstance(content, numpy.ndarray):
            array = array.reshape(-1, self.columns)
        expected = 2 if self.columns > 1 else 1
        if array.ndim != expected or (expected == 2 and array.shape[1] != self.columns):
            shape = f"(n, {self.columns})" if expected == 2 else "(n,)"
            raise TypeError(f"{type(self).__name__} takes {shape} of {self.dtype}, got {array.dtype} of shape {array.shape}")
        if array.dtype.kind not in "biuf" or (array.dtype.kind == "f" and self.dtype[0] in "iu"):
            raise TypeError(f"{type(self).__name__} takes numbers of {self.dtype}, got {array.dtype}")
        if len(array) != len(self):
            self.resize(len(array))
        if len(array):
            self.edit()[...] = array

    def __getitem__(self, index: int) -> Any:
        row: Any = self._peek()[index]
        return self.element(*row.tolist()) if self.columns > 1 else row.item()

    def __setitem__(self, index: int, value: Any) -> None:
        self.edit()[index] = value

    def __iter__(self) -> Iterator[Any]:
        return iter(self.to_list())

    def to_list(self) -> list[Any]:
        """A plain copy: numbers, or vectors."""
        rows = self._peek().tolist()
        return [self.element(*row) for row in rows] if self.columns > 1 else rows

    def __array__(self, dtype: Any = None, copy: Any = None) -> NDArray[Any]:
        view = self.view()
        return view.astype(dtype) if dtype is not None or copy else view

    def __eq__(self, other: object) -> bool:
        if isinstance(other, (PackedArray, list, tuple)):
            return self.to_list() == list(other)
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self)}>"


def lib_zero(array: PackedArray, length: int) -> None:
    """Fill fresh storage with zeros."""
    ffi.memmove(
        ffi.cast("char *", array._pointer(writable=True)),
        bytes(length * array.item_bytes()),
        length * array.item_bytes(),
    )


def _make(name: str, variant_type: int, engine_name: str, dtype: str, columns: int, element: Any) -> type[PackedArray]:
    return type(
        name,
        (PackedArray,),
        {
            "__doc__": f"The engine's {name}: {dtype} in numpy" + (f", {columns} columns." if columns > 1 else "."),
            "__slots__": (),
            "__module__": __name__,
            "variant_type": variant_type,
            "engine_name": engine_name,
            "dtype": dtype,
            "columns": columns,
            "element": element,
        },
    )


if TYPE_CHECKING:

    class PackedByteArray(PackedArray): ...

    class PackedInt32Array(PackedArray): ...

    class PackedInt64Array(PackedArray): ...

    class PackedFloat32Array(PackedArray): ...

    class PackedFloat64Array(PackedArray): ...

    class PackedVector2Array(PackedArray): ...

    class PackedVector3Array(PackedArray): ...

    class PackedVector4Array(PackedArray): ...

    class PackedColorArray(PackedArray): ...
else:
    PackedByteArray = _make("PackedByteArray", types.PACKED_BYTE, "byte", "u1", 1, int)
    PackedInt32Array = _make("PackedInt32Array", types.PACKED_INT32, "int32", "i4", 1, int)
    PackedInt64Array = _make("PackedInt64Array", types.PACKED_INT64, "int64", "i8", 1, int)
    PackedFloat32Array = _make("PackedFloat32Array", types.PACKED_FLOAT32, "float32", "f4", 1, float)
    PackedFloat64Array = _make("PackedFloat64Array", types.PACKED_FLOAT64, "float64", "f8", 1, float)
    PackedVector2Array = _make("PackedVector2Array", types.PACKED_VECTOR2, "vector2", "f4", 2, Vector2)
    PackedVector3Array = _make("PackedVector3Array", types.PACKED_VECTOR3, "vector3", "f4", 3, Vector3)
    PackedVector4Array = _make("PackedVector4Array", types.PACKED_VECTOR4, "vector4", "f4", 4, Vector4)
    PackedColorArray = _make("PackedColorArray", types.PACKED_COLOR, "color", "f4", 4, Color)


class PackedStringArray(Reference):
    """The engine's PackedStringArray; strings have no numpy view."""

    __slots__ = ()
    variant_type = types.PACKED_STRING

    def __init__(self, content: Iterable[str] = ()) -> None:
        super().__init__()
        texts = list(content)
        if texts:
            self.call_builtin("resize", _INT, (_INT, len(texts)))
            for index, text in enumerate(texts):
                if not isinstance(text, str):
                    raise TypeError(f"PackedStringArray takes str, got {text!r} ({type(text).__name__})")
                pointer = lib.gde_packed_string_array_operator_index(self.memory, index)
                strings.destroy_string(pointer)
                strings.write_string(pointer, text)

    def __len__(self) -> int:
        return self._size()

    def __getitem__(self, index: int) -> str:
        size = len(self)
        position = index + size if index < 0 else index
        if not 0 <= position < size:
            raise IndexError(f"index {index} outside a PackedStringArray of {size}")
        return strings.read_string(lib.gde_packed_string_array_operator_index_const(self.memory, position))

    def to_list(self) -> list[str]:
        """A plain copy."""
        return [self[index] for index in range(len(self))]

    def __iter__(self) -> Iterator[str]:
        return iter(self.to_list())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, (PackedStringArray, list, tuple)):
            return self.to_list() == list(other)
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"PackedStringArray({self.to_list()!r})"


def _coercion(python_type: type[Any]) -> Any:
    def coerce(value: Any) -> Any:
        if type(value) is python_type:
            return value
        if isinstance(value, (str, int, float)) or value is None:
            raise TypeError(f"expected {python_type.__name__} (or a numpy array or sequence), got {value!r}")
        return python_type(value)

    return coerce


def _codec(python_type: type[Any]) -> None:
    coerce = _coercion(python_type)

    def give(value: Any) -> Any:
        array = coerce(value)
        array.hand_over()
        return array

    codec = reference_codec(python_type.__name__, python_type, give if issubclass(python_type, PackedArray) else coerce)
    codec.coerce = coerce


PACKED_TYPES: tuple[type[Any], ...] = (
    PackedByteArray,
    PackedInt32Array,
    PackedInt64Array,
    PackedFloat32Array,
    PackedFloat64Array,
    PackedStringArray,
    PackedVector2Array,
    PackedVector3Array,
    PackedVector4Array,
    PackedColorArray,
)
for _type in PACKED_TYPES:
    _codec(_type)
for _bytes_type in (bytes, bytearray):
    BY_PYTHON_TYPE[_bytes_type] = BY_NAME["PackedByteArray"]

_BY_DTYPE = {
    "u1": PackedByteArray,
    "b1": PackedByteArray,
    "i4": PackedInt32Array,
    "i8": PackedInt64Array,
    "f4": PackedFloat32Array,
    "f8": PackedFloat64Array,
}
_BY_COLUMNS = {2: PackedVector2Array, 3: PackedVector3Array, 4: PackedVector4Array}


def kind_of_numpy(array: numpy.ndarray[Any, Any]) -> Codec:
    """The packed type that a numpy array becomes where nothing says what is wanted; TypeError in words for
    what has none.
    """
    found = None
    if array.ndim == 1:
        found = _BY_DTYPE.get(f"{array.dtype.kind}{array.dtype.itemsize}")
    elif array.ndim == 2 and array.dtype == "f4":
        found = _BY_COLUMNS.get(array.shape[1])
    if found is None:
        raise TypeError(
            f"no packed array holds {array.dtype} of shape {array.shape}: "
            "use uint8, int32, int64, float32 or float64 of one "
            "dimension, or (n, 2|3|4) float32"
        )
    return BY_PYTHON_TYPE[found]
