"""Python functions that the engine calls: exposed methods (both call paths), getters and setters, virtual
methods.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from . import variants
from .annotations import TypeOfValue, evaluate, type_of
from .engine_classes import codec_of_engine_type
from .errors import DeclarationError, report
from .instances import instance_of
from .interface import RUNNING, ffi, lib
from .objects import write_object_result
from .variant_types import OBJECT, VARIANT, Codec

_FLAG_NORMAL, _FLAG_CONST, _FLAG_STATIC = 1, 4, 32
REQUIRED = object()
cast: Any = ffi.cast if RUNNING else None


class Argument:
    """One argument of an exposed method."""

    __slots__ = ("default", "name", "type")

    def __init__(self, name: str, kind: TypeOfValue, default: Any = REQUIRED) -> None:
        self.name = name
        self.type = kind
        self.default = default


class ExposedMethod:
    """A function with its types, as the engine calls it."""

    def __init__(
        self,
        name: str,
        function: Callable[..., Any],
        arguments: list[Argument],
        result: TypeOfValue | None,
        *,
        is_static: bool = False,
        is_const: bool = False,
    ) -> None:
        self.name = name
        self.function = function
        self.arguments = arguments
        self.result = result
        self.is_static = is_static
        self.flags = _FLAG_NORMAL | (_FLAG_STATIC if is_static else 0) | (_FLAG_CONST if is_const else 0)
        codecs = [argument.type.codec for argument in arguments]
        self._steps = [(index, codec.pointer, codec.load) for index, codec in enumerate(codecs)]
        self.handle = ffi.new_handle(self)

    def required_count(self) -> int:
        """How many arguments have no default."""
        return sum(argument.default is REQUIRED for argument in self.arguments)

    def invoke(self, instance_handle: Any, values: list[Any]) -> Any:
        """Call the function. Exceptions are the caller's to stop."""
        if self.is_static:
            answer = self.function(*values)
        else:
            answer = self.function(instance_of(instance_handle), *values)
        return self.checked(answer)

    def checked(self, answer: Any) -> Any:
        """The result as its declared type; nothing returned means the type's zero."""
        if self.result is None:
            return None
        codec = self.result.codec
        if answer is None and codec.variant_type not in (OBJECT, VARIANT):
            return codec.zero()
        try:
            return codec.coerce(answer)
        except (TypeError, ValueError, OverflowError) as error:
            raise TypeError(f"{self.name}() must return {codec.name}: {error}") from None

    def call(self, instance_handle: Any, arguments: Any, count: int, result: Any, error: Any) -> None:
        """The Variant path."""
        lib.gde_variant_new_nil(result)
        error.error = 0
        total = len(self.arguments)
        if count > total:
            error.error, error.expected = lib.GDEXTENSION_CALL_ERROR_TOO_MANY_ARGUMENTS, total
            return
        if count < self.required_count():
            error.error, error.expected = lib.GDEXTENSION_CALL_ERROR_TOO_FEW_ARGUMENTS, self.required_count()
            return
        values = []
        for index in range(total):
            argument = self.arguments[index]
            codec = argument.type.codec
            try:
                values.append(codec.coerce(variants.load(arguments[index]) if index < count else _fresh(argument.default)))
            except (TypeError, ValueError, OverflowError):
                error.error, error.argument, error.expected = (
                    lib.GDEXTENSION_CALL_ERROR_INVALID_ARGUMENT,
                    index,
                    codec.variant_type,
                )
                return
        answer = self.invoke(
            instance_handle,
            [_plain(argument, value) for argument, value in zip(self.arguments, values, strict=True)],
        )
        if answer is not None:
            variants.store(result, answer)

    def ptrcall(self, instance_handle: Any, arguments: Any, result: Any) -> None:
        """The typed path."""
        values = [load(cast(kind, arguments[index])) for index, kind, load in self._steps]
        if self.is_static:
            answer = self.function(*values)
        else:
            answer = self.function(instance_of(instance_handle), *values)
        if self.result is not None:
            write_result(self.result.codec, result, self.checked(answer))


def _fresh(default: Any) -> Any:
    return list(default) if isinstance(default, list) else dict(default) if isinstance(default, dict) else default


def _plain(argument: Argument, value: Any) -> Any:
    zero = argument.type.codec.zero
    if zero is list:
        return value.to_list()
    return value.to_dict() if zero is dict else value


def _loader(codec: Codec) -> Callable[[Any], Any]:
    load, kind = codec.load, codec.pointer

    def from_memory(pointer: Any) -> Any:
        return load(ffi.cast(kind, pointer))

    return from_memory


def write_result(codec: Codec, pointer: Any, value: Any) -> None:
    """Put a result into the engine's memory."""
    if pointer == ffi.NULL:
        return
    if codec.variant_type == OBJECT:
        write_object_result(pointer, value)
    else:
        codec.assign(pointer, value)


def exposed_method(python_class: Any, name: str, function: Any) -> ExposedMethod:
    """Read the annotations of a method marked with `@method`."""
    mark = function.godot_method
    where = f"{python_class.__name__}.{name}"
    namespace: dict[str, Any] = {}
    for owner in reversed(python_class.__mro__):
        namespace.update(vars(owner))
    parameters = list(inspect.signature(function).parameters.values())
    if not mark.is_static:
        parameters = parameters[1:]
    arguments = []
    for parameter in parameters:
        if parameter.kind not in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            raise DeclarationError(f"{where}: the engine passes positional arguments only; '{parameter}' cannot be exposed")
        annotation = parameter.annotation
        kind = type_of(
            Any if annotation is parameter.empty else evaluate(annotation, function.__module__, namespace, where),
            f"{where}, argument {parameter.name}",
        )
        arguments.append(Argument(parameter.name, kind, REQUIRED if parameter.default is parameter.empty else parameter.default))
    returned = inspect.signature(function).return_annotation
    result: TypeOfValue | None = None
    if returned is not inspect.Signature.empty:
        evaluated = evaluate(returned, function.__module__, namespace, where)
        if evaluated is not None and evaluated is not type(None):
            result = type_of(evaluated, f"{where}, result")
    return ExposedMethod(name, function, arguments, result, is_static=mark.is_static, is_const=mark.is_const)


class VirtualMethod:
    """A Python function that overrides a virtual of the engine, typed by the engine's dump."""

    def __init__(self, name: str, function: Callable[..., Any], result: str, argument_types: list[str]) -> None:
        self.name = name
        self.function = function
        self.argument_types = argument_types
        self.result = codec_of_engine_type(result)
        self.has_result = result != "void"
        self._loads = []
        for type_name in argument_types:
            codec = codec_of_engine_type(type_name)
            self._loads.append(_loader(codec) if codec is not None else _load_address)
        self.handle = ffi.new_handle(self)

    def kind(self) -> int:
        """How native.h calls it."""
        if self.has_result:
            return int(lib.PYNAV_VIRTUAL_GENERIC)
        if not self.argument_types:
            return int(lib.PYNAV_VIRTUAL_PLAIN)
        return int(lib.PYNAV_VIRTUAL_FLOAT if self.argument_types == ["float"] else lib.PYNAV_VIRTUAL_GENERIC)

    def call(self, instance: Any, arguments: Any, result: Any) -> None:
        """Called by the engine."""
        answer = self.function(instance, *[load(arguments[index]) for index, load in enumerate(self._loads)])
        codec = self.result
        if codec is None:
            return
        try:
            value = codec.zero() if answer is None else codec.coerce(answer)
        except (TypeError, ValueError, OverflowError) as error:
            raise TypeError(f"{self.name}() must return {codec.name}: {error}") from None
        write_result(codec, result, value)


def _load_address(pointer: Any) -> int:
    return int(ffi.cast("uintptr_t", ffi.cast("void **", pointer)[0]))


def on_virtual(instance_handle: Any, method_handle: Any, arguments: Any, result: Any) -> None:
    """The engine calls an overridden virtual."""
    method = ffi.from_handle(method_handle)
    try:
        method.call(instance_of(instance_handle), arguments, result)
    except BaseException as error:
        report(error, method.function)
        if method.result is not None:
            write_result(method.result, result, method.result.zero())


def on_method_call(method_handle: Any, instance_handle: Any, arguments: Any, count: int, result: Any, error: Any) -> None:
    """The engine calls an exposed method with Variants."""
    method = ffi.from_handle(method_handle)
    try:
        method.call(instance_handle, arguments, count, result, error)
    except BaseException as exception:
        report(exception, method.function)


def on_method_ptrcall(method_handle: Any, instance_handle: Any, arguments: Any, result: Any) -> None:
    """The engine calls an exposed method with typed memory."""
    method = ffi.from_handle(method_handle)
    try:
        method.ptrcall(instance_handle, arguments, result)
    except BaseException as exception:
        report(exception, method.function)
        if method.result is not None:
            write_result(method.result.codec, result, method.result.codec.zero())
