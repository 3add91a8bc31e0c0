"""Callable and Signal values; a Python function as a Callable."""

from __future__ import annotations

import inspect
import weakref
from collections.abc import Callable as Function
from typing import Any

from . import strings, variants
from .errors import EngineCallError, report
from .interface import EngineState, ffi, lib
from .objects import INSTANCES, coerce_object, object_of_id, pointer_of
from .variant_types import BY_NAME, BY_PYTHON_TYPE, CALLABLE, SIGNAL, Reference, reference_codec

_STRING_NAME, _BOOL, _INT = BY_NAME["StringName"], BY_NAME["bool"], BY_NAME["int"]


class _Record:
    """What the engine's custom callable holds: the function, weakly where it is a method of a Python
    instance of an engine class.
    """

    __slots__ = ("_strong", "_weak", "hash", "name")

    def __init__(self, function: Function[..., Any]) -> None:
        owner = getattr(function, "__self__", None)
        own = owner is not None and INSTANCES.find(getattr(owner, "_id", 0)) is owner
        self._weak: Any = weakref.WeakMethod(function) if own else None
        self._strong = None if own else function
        self.hash = hash(function) & 0xFFFFFFFF
        self.name = getattr(function, "__qualname__", repr(function))

    def function(self) -> Any:
        return self._strong if self._weak is None else self._weak()


_records: dict[int, tuple[Any, _Record]] = {}


class Callable(Reference):
    """The engine's Callable. `Callable(function)` wraps a Python function; any Callable can be called."""

    __slots__ = ()
    variant_type = CALLABLE

    def __init__(self, function: Function[..., Any] | None = None) -> None:
        if function is None:
            super().__init__()
            return
        if not callable(function):
            raise TypeError(f"Callable() takes a function, got {function!r}")
        self.memory = ffi.new("uint64_t[2]")
        record = _Record(function)
        handle = ffi.new_handle(record)
        _records[int(ffi.cast("uintptr_t", handle))] = (handle, record)
        info = ffi.new("GDExtensionCallableCustomInfo2 *")
        info.callable_userdata = handle
        info.token = EngineState.library
        owner = getattr(function, "__self__", None)
        info.object_id = owner._id if owner is not None and hasattr(owner, "_id") else 0
        info.call_func = lib.python_callable_call
        info.is_valid_func = lib.python_callable_is_valid
        info.free_func = lib.python_callable_free
        info.hash_func = lib.python_callable_hash
        info.equal_func = lib.python_callable_equal
        info.less_than_func = lib.python_callable_less_than
        info.to_string_func = lib.python_callable_to_string
        info.get_argument_count_func = lib.python_callable_argument_count
        lib.gde_callable_custom_create2(self.memory, info)

    def __call__(self, *arguments: Any) -> Any:
        return call_variant(self, "call", arguments)

    def is_valid(self) -> bool:
        """Whether calling it can work."""
        return bool(self.call_builtin("is_valid", _BOOL))

    def get_object(self) -> Any:
        """The object that it belongs to, or None."""
        return object_of_id(int(self.call_builtin("get_object_id", _INT)))

    def get_method(self) -> str:
        """Name of the method."""
        return str(self.call_builtin("get_method", _STRING_NAME))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Callable):
            return NotImplemented
        a, b = variants.OwnedVariant(self), variants.OwnedVariant(other)
        return bool(lib.gde_variant_hash_compare(a.pointer, b.pointer))

    def __hash__(self) -> int:
        return int(lib.gde_variant_hash(variants.OwnedVariant(self).pointer))

    def __repr__(self) -> str:
        return f"<Callable {stringify(self)}>"


class Signal(Reference):
    """The engine's Signal value: an object and the name of one of its signals."""

    __slots__ = ()
    variant_type = SIGNAL

    def __init__(self, owner: Any = None, name: str = "") -> None:
        if owner is None:
            super().__init__()
            return
        self.memory = ffi.new("uint64_t[2]")
        pointer = ffi.new("void **", pointer_of(coerce_object(owner)))
        text = ffi.new("uint64_t *")
        strings.write_string_name(text, name)
        lib.pynav_call_constructor(
            strings.constructor(SIGNAL, 2),
            self.memory,
            ffi.new("GDExtensionConstTypePtr[2]", [pointer, text]),
        )
        _STRING_NAME.destroy(text)  # type: ignore[misc]

    def get_object(self) -> Any:
        """The object that emits it."""
        return object_of_id(int(self.call_builtin("get_object_id", _INT)))

    def get_name(self) -> str:
        """Its name."""
        return str(self.call_builtin("get_name", _STRING_NAME))

    def emit(self, *arguments: Any) -> None:
        """Emit it."""
        call_variant(self, "emit", arguments)

    def connect(self, function: Any, flags: int = 0) -> int:
        """Connect a Python function or a Callable."""
        return int(call_variant(self, "connect", (coerce_callable(function), flags)))

    def disconnect(self, function: Any) -> None:
        """Undo `connect`."""
        call_variant(self, "disconnect", (coerce_callable(function),))

    def is_connected(self, function: Any) -> bool:
        """Whether the function is connected."""
        return bool(call_variant(self, "is_connected", (coerce_callable(function),)))

    def __repr__(self) -> str:
        return f"<Signal {self.get_name()}>"


def stringify(value: Any) -> str:
    """The engine's text for a value."""
    boxed = variants.OwnedVariant(value)
    text = ffi.new("uint64_t *")
    lib.gde_variant_stringify(boxed.pointer, text)
    result = strings.read_string(text)
    strings.destroy_string(text)
    return result


_CALL_ERRORS = {
    1: "no such method",
    2: "wrong type of argument {argument}: expected {expected}",
    3: "too many arguments (expected {expected})",
    4: "too few arguments (expected {expected})",
    5: "the instance is null",
    6: "the method is not const",
}


def raise_call_error(error: Any, what: str, arguments: tuple[Any, ...] = ()) -> None:
    """EngineCallError in words for a failed call."""
    from .variant_types import BY_VARIANT_TYPE

    expected: Any = error.expected
    if error.error == 2:
        codec = BY_VARIANT_TYPE.get(error.expected)
        expected = codec.name if codec is not None else "nothing"
        if 0 <= error.argument < len(arguments):
            expected += f", got {arguments[error.argument]!r}"
    text = _CALL_ERRORS.get(error.error, "it was refused").format(argument=error.argument + 1, expected=expected)
    raise EngineCallError(f"{what}: {text}")


def call_variant(value: Any, method: str, arguments: tuple[Any, ...]) -> Any:
    """Call any method of any value, as GDScript does."""
    boxed = variants.OwnedVariant(value)
    result = ffi.new("uint64_t[3]")
    error = ffi.new("GDExtensionCallError *")
    with variants.VariantArguments(arguments) as passed:
        lib.gde_variant_call(boxed.pointer, strings.string_name(method), passed.pointers, len(arguments), result, error)
    try:
        if error.error != 0:
            raise_call_error(error, f"{type(value).__name__}.{method}", arguments)
        return variants.load(result)
    finally:
        lib.gde_variant_destroy(result)


def coerce_callable(value: Any) -> Callable:
    """A Callable from itself or a Python function."""
    if isinstance(value, Callable):
        return value
    if value is None:
        return Callable()
    if not callable(value):
        raise TypeError(f"expected a Callable or a function, got {value!r} ({type(value).__name__})")
    return Callable(value)


def _coerce_signal(value: Any) -> Signal:
    if isinstance(value, Signal):
        return value
    as_value = getattr(value, "as_signal", None)
    if as_value is None:
        raise TypeError(f"expected a Signal, got {value!r} ({type(value).__name__})")
    found: Signal = as_value()
    return found


reference_codec("Callable", Callable, coerce_callable)
SIGNAL_CODEC = reference_codec("Signal", Signal, _coerce_signal)


def register_bound_signal(python_type: type) -> None:
    """Let the signals of declared classes cross as Signal values."""
    BY_PYTHON_TYPE[python_type] = SIGNAL_CODEC


def _record(userdata: Any) -> _Record:
    found: _Record = ffi.from_handle(userdata)
    return found


def on_call(userdata: Any, arguments: Any, count: int, result: Any, error: Any) -> None:
    """A custom callable is called."""
    record = _record(userdata)
    function = record.function()
    lib.gde_variant_new_nil(result)
    if function is None:
        error.error = lib.GDEXTENSION_CALL_ERROR_INSTANCE_IS_NULL
        return
    error.error = 0
    try:
        answer = function(*[variants.load(arguments[index]) for index in range(count)])
        if answer is not None:
            variants.store(result, answer)
    except Exception as exception:
        report(exception, function)


def on_is_valid(userdata: Any) -> bool:
    """Does the function still exist?"""
    return _record(userdata).function() is not None


def on_free(userdata: Any) -> None:
    """The engine has no more use for it."""
    _records.pop(int(ffi.cast("uintptr_t", userdata)), None)


def on_hash(userdata: Any) -> int:
    """Equal functions have equal hashes, so that disconnect finds them."""
    return _record(userdata).hash


def on_equal(a: Any, b: Any) -> bool:
    """Same function?"""
    return bool(_record(a).function() == _record(b).function())


def on_less_than(a: Any, b: Any) -> bool:
    """Any order will do."""
    return int(ffi.cast("uintptr_t", a)) < int(ffi.cast("uintptr_t", b))


def on_to_string(userdata: Any, valid: Any, result: Any) -> None:
    """Its name."""
    strings.destroy_string(result)
    strings.write_string(result, _record(userdata).name)
    valid[0] = 1


def on_argument_count(userdata: Any, valid: Any) -> int:
    """How many arguments the function takes, where that can be known."""
    function = _record(userdata).function()
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        valid[0] = 0
        return 0
    valid[0] = 1
    return sum(p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in parameters)


def live_callables() -> int:
    """How many Python functions the engine holds."""
    return len(_records)
