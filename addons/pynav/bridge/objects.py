"""Engine objects in Python: identity, lifetime, references.

A proxy holds the object's instance id, never its pointer: each call looks the id up, and a freed object is
`FreedObjectError`, not a crash. An instance of a Python class (`instances.py`) is found by the same id, so
the engine handing one back gives the very same Python object.

RefCounted objects: a proxy owns one reference from its making to its end.
"""

from __future__ import annotations

from typing import Any

from . import strings, variant_types
from .errors import EngineCallError, FreedObjectError
from .interface import EngineState, address, ffi, lib
from .variant_types import BY_PYTHON_TYPE, Codec, register

REFCOUNTED_BIT = 1 << 63
REFERENCE_HASH = 2240911060
NOTIFICATION_HASH = 4023243586
NOTIFICATION_POSTINITIALIZE = 0


class _Instances:
    """Python instances by their object id; filled by instances.py, which also decides what keeps them
    alive.
    """

    def __init__(self) -> None:
        self.find: Any = lambda identity: None


INSTANCES = _Instances()
_method_binds: dict[tuple[str, str], Any] = {}
_class_of_key: dict[int, Any] = {}


def method_bind(class_name: str, method: str, hash_value: int) -> Any:
    """The engine's method, bound once. EngineCallError where the engine has none with that hash."""
    key = (class_name, method)
    found = _method_binds.get(key)
    if found is None:
        found = lib.gde_classdb_get_method_bind(strings.string_name(class_name), strings.string_name(method), hash_value)
        if found == ffi.NULL:
            raise EngineCallError(f"this engine has no {class_name}.{method} as this addon knows it (hash {hash_value})")
        _method_binds[key] = found
    return found


def _reference_call(pointer: Any, method: str) -> bool:
    result = ffi.new("uint8_t *")
    lib.gde_object_method_bind_ptrcall(method_bind("RefCounted", method, REFERENCE_HASH), pointer, ffi.NULL, result)
    return bool(result[0])


def take_first_reference(pointer: Any) -> None:
    """`init_ref`: a new object's first owner takes it."""
    _reference_call(pointer, "init_ref")


def add_reference(pointer: Any) -> None:
    """One more owner."""
    _reference_call(pointer, "reference")


def drop_reference(pointer: Any) -> None:
    """One owner less; the last one ends the object."""
    if _reference_call(pointer, "unreference"):
        lib.gde_object_destroy(pointer)


def reference_count(pointer: Any) -> int:
    """How many owners a RefCounted object has."""
    result = ffi.new("int64_t *")
    lib.gde_object_method_bind_ptrcall(method_bind("RefCounted", "get_reference_count", 3905245786), pointer, ffi.NULL, result)
    return int(result[0])


def notify(pointer: Any, what: int) -> None:
    """Send a notification."""
    number, reverse = ffi.new("int32_t[2]", [what, 0]), ffi.new("uint8_t *", 0)
    whole = ffi.new("int64_t *", what)
    del number
    lib.gde_object_method_bind_ptrcall(
        method_bind("Object", "notification", NOTIFICATION_HASH),
        pointer,
        ffi.new("GDExtensionConstTypePtr[2]", [whole, reverse]),
        ffi.NULL,
    )


def pointer_of(value: Any) -> Any:
    """The engine's pointer of a proxy or instance; FreedObjectError in words when it is gone."""
    pointer = lib.gde_object_get_instance_from_id(value._id)
    if pointer == ffi.NULL:
        raise freed(value)
    return pointer


def freed(value: Any, doing: str = "") -> FreedObjectError:
    """The error for using a freed object."""
    what = f" ({doing})" if doing else ""
    return FreedObjectError(f"this {type(value).__name__} was freed by the engine{what}: check is_valid(object) before using it")


def is_valid(value: Any) -> bool:
    """Whether there is an object and it was not freed."""
    return value is not None and lib.gde_object_get_instance_from_id(value._id) != ffi.NULL


def object_of_pointer(pointer: Any) -> Any:
    """The Python object for an engine object; None for null."""
    if pointer == ffi.NULL:
        return None
    identity = int(lib.gde_object_get_instance_id(pointer))
    own = INSTANCES.find(identity)
    return own if own is not None else _proxy(pointer, identity)


def object_of_id(identity: int) -> Any:
    """The Python object for an instance id; None where it was freed."""
    own = INSTANCES.find(identity)
    if own is not None:
        return own
    pointer = lib.gde_object_get_instance_from_id(identity)
    return None if pointer == ffi.NULL else _proxy(pointer, int(identity))


def _proxy(pointer: Any, identity: int) -> Any:
    proxy_class = _class_of(pointer)
    new = proxy_class.__new__(proxy_class)
    new._id = identity
    if identity & REFCOUNTED_BIT:
        add_reference(pointer)
    return new


def adopt_new(pointer: Any, proxy_class: Any) -> Any:
    """The proxy of an object that was just constructed."""
    new = proxy_class.__new__(proxy_class)
    new._id = int(lib.gde_object_get_instance_id(pointer))
    if new._id & REFCOUNTED_BIT:
        take_first_reference(pointer)
    return new


def class_name_of(pointer: Any) -> str:
    """Name of an object's engine class."""
    name = ffi.new("uint64_t *")
    if not lib.gde_object_get_class_name(pointer, EngineState.library, name):
        return "Object"
    text = strings.KNOWN_NAMES.text(name)
    lib.pynav_call_destructor(strings.destructor(variant_types.STRING_NAME), name)
    return text


def _class_of(pointer: Any) -> Any:
    from .engine_classes import engine_class

    found = engine_class(class_name_of(pointer))
    if found.declaration is not None:
        # An object of a Python class without its instance: a placeholder in the editor. It has the engine's part only.
        return engine_class(found.native_base)
    return found


def release_proxy(proxy: Any) -> None:
    """What the end of a RefCounted proxy does. Called by the garbage collector, on any thread."""
    identity = proxy.__dict__.get("_id", 0)
    if not identity or not EngineState.open:
        return
    proxy.__dict__["_id"] = 0
    pointer = lib.gde_object_get_instance_from_id(identity)
    if pointer != ffi.NULL:
        drop_reference(pointer)


def _load_object(pointer: Any) -> Any:
    return object_of_pointer(pointer[0])


def _store_object(pointer: Any, value: Any) -> None:
    pointer[0] = ffi.NULL if value is None else pointer_of(coerce_object(value))


def coerce_object(value: Any) -> Any:
    """An object or None; TypeError in words otherwise."""
    if value is not None and not hasattr(value, "_id"):
        raise TypeError(f"expected an engine object or None, got {value!r} ({type(value).__name__})")
    return value


def _end_reference(pointer: Any) -> None:
    if pointer[0] != ffi.NULL:
        drop_reference(pointer[0])


OBJECT_CODEC = register(
    Codec(
        "Object",
        variant_types.OBJECT,
        "void **",
        1,
        _load_object,
        _store_object,
        None,
        coerce_object,
        lambda: None,
    )
)
# What a call returns as Ref: the slot owns a reference, which ends with it.
REF_RESULT_CODEC = Codec(
    "RefCounted",
    variant_types.OBJECT,
    "void **",
    1,
    _load_object,
    _store_object,
    _end_reference,
    coerce_object,
    lambda: None,
)


def write_object_result(pointer: Any, value: Any) -> None:
    """Hand an object to the engine as the result of a method or virtual: a RefCounted one as a Ref that
    counts.
    """
    value = coerce_object(value)
    if value is None:
        ffi.cast("void **", pointer)[0] = ffi.NULL
    elif value._id & REFCOUNTED_BIT:
        lib.gde_ref_set_object(pointer, pointer_of(value))
    else:
        ffi.cast("void **", pointer)[0] = pointer_of(value)


__all__ = [
    "BY_PYTHON_TYPE",
    "INSTANCES",
    "OBJECT_CODEC",
    "REF_RESULT_CODEC",
    "address",
    "is_valid",
    "object_of_id",
    "object_of_pointer",
]
