"""How each Variant type crosses between Python and the engine's memory.

A `Codec` moves one type: ``load`` reads a Python value from typed memory (the memory keeps its own value),
``store`` constructs a value in uninitialised memory, ``destroy`` ends it (None where nothing is to be
done). References (Array, Dictionary, Callable, Signal, packed arrays) are Python objects that own a piece
of the engine's memory; for those ``borrow`` gives that object, so that a call can pass its memory without a
copy. ``coerce`` makes a value of the type from what Python code gave, or raises TypeError in words.
"""

from __future__ import annotations

import enum
from collections.abc import Callable as Function
from functools import cache
from typing import Any

from . import strings
from .errors import EngineCallError
from .interface import RUNNING, ffi, lib
from .values import RID, VALUE_TYPES, NodePath, StringName, Value

(
    NIL,
    BOOL,
    INT,
    FLOAT,
    STRING,
    VECTOR2,
    VECTOR2I,
    RECT2,
    RECT2I,
    VECTOR3,
    VECTOR3I,
    TRANSFORM2D,
    VECTOR4,
    VECTOR4I,
    PLANE,
    QUATERNION,
    AABB,
    BASIS,
    TRANSFORM3D,
    PROJECTION,
    COLOR,
    STRING_NAME,
    NODE_PATH,
    RID_TYPE,
    OBJECT,
    CALLABLE,
    SIGNAL,
    DICTIONARY,
    ARRAY,
    PACKED_BYTE,
    PACKED_INT32,
    PACKED_INT64,
    PACKED_FLOAT32,
    PACKED_FLOAT64,
    PACKED_STRING,
    PACKED_VECTOR2,
    PACKED_VECTOR3,
    PACKED_COLOR,
    PACKED_VECTOR4,
) = range(39)
VARIANT = -1
VARIANT_WORDS = 3  # 24 bytes in single precision


class Codec:
    """How one type crosses. See the module's text."""

    __slots__ = (
        "borrow",
        "coerce",
        "destroy",
        "is_reference",
        "load",
        "name",
        "pointer",
        "store",
        "variant_type",
        "words",
        "zero",
    )

    def __init__(
        self,
        name: str,
        variant_type: int,
        pointer: Any,
        words: int,
        load: Function[[Any], Any],
        store: Function[[Any, Any], None],
        destroy: Function[[Any], None] | None,
        coerce: Function[[Any], Any],
        zero: Function[[], Any],
        borrow: Function[[Any], Any] | None = None,
    ) -> None:
        self.name = name
        self.variant_type = variant_type
        self.pointer: Any = ffi.typeof(pointer) if RUNNING and isinstance(pointer, str) else pointer
        self.words = words
        self.load = load
        self.store = store
        self.destroy = destroy
        self.coerce = coerce
        self.zero = zero
        self.borrow = borrow
        self.is_reference = borrow is not None

    def assign(self, pointer: Any, value: Any) -> None:
        """Replace the value in memory that is constructed (or all zeros)."""
        typed = ffi.cast(self.pointer, pointer)
        if self.destroy is not None:
            self.destroy(typed)
        self.store(typed, value)

    def __repr__(self) -> str:
        return f"<Codec {self.name}>"


BY_VARIANT_TYPE: dict[int, Codec] = {}
BY_NAME: dict[str, Codec] = {}
BY_PYTHON_TYPE: dict[type, Codec] = {}


def register(codec: Codec, *python_types: type) -> Codec:
    """Make a codec known by its engine name, its Variant type and Python types."""
    BY_NAME[codec.name] = codec
    if codec.variant_type >= 0:
        BY_VARIANT_TYPE.setdefault(codec.variant_type, codec)
    for python_type in python_types:
        BY_PYTHON_TYPE[python_type] = codec
    return codec


def expect(name: str, kinds: tuple[type, ...], convert: Function[[Any], Any]) -> Function[[Any], Any]:
    """A coercion that takes the named kinds and refuses the rest in words."""

    def coerce(value: Any) -> Any:
        if not isinstance(value, kinds):
            raise TypeError(f"expected {name}, got {value!r} ({type(value).__name__})")
        return convert(value)

    return coerce


def _coerce_int(value: Any) -> int:
    if isinstance(value, (int, enum.IntEnum)):
        return value
    if isinstance(value, float) and value.is_integer():
        return int(value)
    index = getattr(value, "__index__", None)
    if index is None:
        raise TypeError(f"expected int, got {value!r} ({type(value).__name__})")
    return int(index())


def _coerce_float(value: Any) -> float:
    if isinstance(value, (str, bytes)) or not hasattr(value, "__float__"):
        raise TypeError(f"expected float, got {value!r} ({type(value).__name__})")
    return float(value)


def _load_bool(pointer: Any) -> bool:
    return bool(pointer[0])


def _store_bool(pointer: Any, value: Any) -> None:
    pointer[0] = 1 if value else 0


def _load_number(pointer: Any) -> Any:
    return pointer[0]


def _store_number(pointer: Any, value: Any) -> None:
    pointer[0] = value


def _destroyer(variant_type: int) -> Function[[Any], None]:
    def destroy(pointer: Any) -> None:
        lib.pynav_call_destructor(strings.destructor(variant_type), pointer)

    return destroy


register(
    Codec("bool", BOOL, "uint8_t *", 1, _load_bool, _store_bool, None, expect("bool", (bool, int), bool), bool),
    bool,
)
register(Codec("int", INT, "int64_t *", 1, _load_number, _store_number, None, _coerce_int, int), int)
register(Codec("float", FLOAT, "double *", 1, _load_number, _store_number, None, _coerce_float, float), float)
register(
    Codec(
        "RID",
        RID_TYPE,
        "uint64_t *",
        1,
        lambda p: RID(p[0]),
        _store_number,
        None,
        expect("RID", (int,), RID),
        RID,
    ),
    RID,
)
register(
    Codec(
        "String",
        STRING,
        "uint64_t *",
        1,
        strings.read_string,
        strings.write_string,
        _destroyer(STRING),
        expect("str", (str,), str),
        str,
    ),
    str,
)
register(
    Codec(
        "StringName",
        STRING_NAME,
        "uint64_t *",
        1,
        lambda p: StringName(strings.read_string_name(p)),
        strings.write_string_name,
        _destroyer(STRING_NAME),
        expect("str", (str,), StringName),
        StringName,
    ),
    StringName,
)
register(
    Codec(
        "NodePath",
        NODE_PATH,
        "uint64_t *",
        1,
        lambda p: NodePath(strings.read_node_path(p)),
        strings.write_node_path,
        _destroyer(NODE_PATH),
        expect("str (a node path)", (str,), NodePath),
        NodePath,
    ),
    NodePath,
)


def _value_codec(variant_type: int, python_type: type[Value]) -> Codec:
    """Codec of a type that is a fixed number of 32-bit numbers."""
    count = python_type.length
    from_flat = python_type.from_flat
    pointer = "int32_t *" if python_type.scalar is int else "float *"

    def load(memory: Any) -> Any:
        return from_flat(ffi.unpack(memory, count))

    def store(memory: Any, value: Any) -> None:
        memory[0:count] = python_type.coerce(value).flat()

    def load_two(memory: Any) -> Any:
        return python_type(memory[0], memory[1])  # type: ignore[call-arg]

    def store_two(memory: Any, value: Any) -> None:
        memory[0], memory[1] = value

    if count == 2:
        load, store = load_two, store_two
    return register(
        Codec(
            python_type.__name__,
            variant_type,
            pointer,
            (count + 1) // 2,
            load,
            store,
            None,
            python_type.coerce,
            python_type,
        ),
        python_type,
    )


_VALUE_NUMBERS = (
    VECTOR2,
    VECTOR2I,
    RECT2,
    RECT2I,
    VECTOR3,
    VECTOR3I,
    TRANSFORM2D,
    VECTOR4,
    VECTOR4I,
    PLANE,
    QUATERNION,
    AABB,
    BASIS,
    TRANSFORM3D,
    PROJECTION,
    COLOR,
)
for _number, _python_type in zip(_VALUE_NUMBERS, VALUE_TYPES, strict=True):
    _value_codec(_number, _python_type)


class Reference:
    """Base of the Python objects that own one engine value: a container, a callable, a signal, a packed
    array.
    """

    __slots__ = ("__weakref__", "memory")
    variant_type: int = NIL

    def __init__(self) -> None:
        self.memory = ffi.new("uint64_t[2]")
        lib.pynav_call_constructor(strings.constructor(self.variant_type, 0), self.memory, ffi.NULL)

    @classmethod
    def share(cls, pointer: Any) -> Any:
        """A new Python object for the value at `pointer`: the same container, shared storage for a packed
        array.
        """
        new = cls.__new__(cls)
        new.memory = ffi.new("uint64_t[2]")
        lib.pynav_call_constructor(
            strings.constructor(cls.variant_type, 1),
            new.memory,
            ffi.new("GDExtensionConstTypePtr[1]", [pointer]),
        )
        return new

    def release(self) -> None:
        """End the engine's value now; the object is of no use any more."""
        memory = getattr(self, "memory", None)
        if memory is not None:
            self.memory = None
            lib.pynav_call_destructor(strings.destructor(self.variant_type), memory)

    __del__ = release

    def _size(self) -> int:
        return int(lib.pynav_builtin_size(builtin_method(self.variant_type, "size"), self.memory))

    def call_builtin(self, name: str, result: Codec | None, *arguments: tuple[Codec, Any]) -> Any:
        """Call a builtin method of the type with typed arguments."""
        method = builtin_method(self.variant_type, name)
        with Slots([codec for codec, _ in arguments]) as slots:
            slots.fill([value for _, value in arguments])
            if result is None:
                lib.pynav_call_builtin(method, self.memory, slots.pointers, ffi.NULL, len(arguments))
                return None
            answer = Slot(result)
            lib.pynav_call_builtin(method, self.memory, slots.pointers, answer.pointer, len(arguments))
            return answer.take()


@cache
def builtin_method(variant_type: int, name: str) -> Any:
    """A method of a builtin type, bound once. EngineCallError where the type has none."""
    from .api_table import table

    engine_name = BY_VARIANT_TYPE[variant_type].name
    found = table().builtins[engine_name]["methods"].get(name)
    if found is None:
        raise EngineCallError(f"{engine_name} has no method {name}")
    return lib.gde_variant_get_ptr_builtin_method(variant_type, strings.string_name(name), found)


def reference_codec(name: str, python_type: type[Reference], coerce: Function[[Any], Any]) -> Codec:
    """Codec of a type whose Python objects are `Reference` objects."""
    variant_type = python_type.variant_type

    def store(pointer: Any, value: Any) -> None:
        owner = coerce(value)
        lib.pynav_call_constructor(
            strings.constructor(variant_type, 1),
            pointer,
            ffi.new("GDExtensionConstTypePtr[1]", [owner.memory]),
        )

    return register(
        Codec(
            name,
            variant_type,
            "uint64_t *",
            2,
            python_type.share,
            store,
            _destroyer(variant_type),
            coerce,
            python_type,
            borrow=coerce,
        ),
        python_type,
    )


class Slot:
    """Memory for one value, zeroed: enough for a result of any type but Array and Dictionary, which start
    as empty ones.
    """

    __slots__ = ("codec", "memory", "pointer")

    def __init__(self, codec: Codec) -> None:
        self.codec = codec
        self.memory = ffi.new("uint64_t[]", codec.words)
        self.pointer = ffi.cast(codec.pointer, self.memory)
        if codec.variant_type in (ARRAY, DICTIONARY):
            lib.pynav_call_constructor(strings.constructor(codec.variant_type, 0), self.memory, ffi.NULL)

    def take(self) -> Any:
        """Read the value and end it."""
        codec = self.codec
        try:
            return codec.load(self.pointer)
        finally:
            if codec.destroy is not None:
                codec.destroy(self.pointer)


class Slots:
    """Memory for the arguments of a call. A context manager: leaving it ends what was constructed."""

    __slots__ = ("_ends", "_filled", "_kept", "_memory", "pointers", "result", "steps", "typed")

    def __init__(self, codecs: list[Codec], result: Codec | None = None) -> None:
        words = sum(codec.words for codec in codecs)
        self._memory = ffi.new("uint64_t[]", words + (result.words if result is not None else 0) or 1)
        self.typed = []
        start = 0
        for codec in codecs:
            self.typed.append(ffi.cast(codec.pointer, self._memory + start))
            start += codec.words
        self.result = ffi.NULL if result is None else ffi.cast(result.pointer, self._memory + words)
        self.pointers = ffi.new("GDExtensionConstTypePtr[]", self.typed or 1)
        self.steps = [(codec.store, codec.borrow, typed) for codec, typed in zip(codecs, self.typed, strict=True)]
        self._ends = [
            (index, codec.destroy) for index, codec in enumerate(codecs) if codec.borrow is None and codec.destroy is not None
        ]
        self._filled = 0
        self._kept: list[Any] = []

    def fill(self, values: Any) -> None:
        """Convert and construct; TypeError leaves what was done to be ended by `clear`."""
        for index, ((store, borrow, typed), value) in enumerate(zip(self.steps, values, strict=True)):
            if borrow is None:
                store(typed, value)
            else:
                owner = borrow(value)
                self._kept.append(owner)
                self.pointers[index] = owner.memory
            self._filled = index + 1

    def clear(self) -> None:
        """End what was constructed; the slots can be filled again."""
        if self._ends:
            for index, destroy in self._ends:
                if index < self._filled:
                    destroy(self.typed[index])
        self._filled = 0
        if self._kept:
            self._kept.clear()

    release = clear

    def __enter__(self) -> Slots:
        return self

    def __exit__(self, *ignored: object) -> None:
        self.clear()
