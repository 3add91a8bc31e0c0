"""Engine classes as Python classes: methods, properties, constants and signals by their engine names.

`engine_class("Node2D")` makes the class and its parents when they are first asked for. A method becomes a
Python function at its first use: the method is bound by the hash of the engine's own dump, its arguments
get memory that is used again and again.
"""

from __future__ import annotations

import threading
from collections.abc import Callable as Function
from functools import cache
from typing import Any

from . import containers, objects, variants
from .api_table import STATIC, VARARG, table
from .callables import coerce_callable, raise_call_error
from .errors import EngineCallError
from .interface import RUNNING, EngineState, ffi, lib
from .objects import OBJECT_CODEC, REF_RESULT_CODEC
from .variant_types import BY_NAME, Codec, Slot, Slots

_ = (containers, coerce_callable)  # their codecs are looked up by name


@cache
def codec_of_engine_type(name: str, *, result: bool = False) -> Codec | None:
    """The codec of a type as the engine's dump names it; None for void and for raw pointers."""
    if name == "void" or name.endswith("*"):
        return None
    if name.startswith(("enum::", "bitfield::")):
        return BY_NAME["int"]
    if name.startswith("typedarray::"):
        return BY_NAME["Array"]
    if name.startswith("typeddictionary::"):
        return BY_NAME["Dictionary"]
    found = BY_NAME.get(name)
    if found is not None and found is not OBJECT_CODEC:
        return found
    return REF_RESULT_CODEC if result and name in table().refcounted else OBJECT_CODEC


class _Call:
    """A bound engine method with its types; makes the call."""

    def __init__(self, class_name: str, name: str, piece: list[Any]) -> None:
        hash_value, flags, result, argument_types, argument_names, defaults = piece
        self.title = f"{class_name}.{name}"
        self.bind = objects.method_bind(class_name, name, hash_value)
        self.is_static = bool(flags & STATIC)
        self.is_vararg = bool(flags & VARARG)
        self.codecs: list[Any] = [codec_of_engine_type(t) for t in argument_types]
        self.names: list[str] = argument_names
        self.result = codec_of_engine_type(result, result=True)
        self.has_result = result != "void"
        self.least = len(argument_types) - len(defaults)
        self._default_texts: list[str] = defaults
        self._defaults: list[Any] | None = None
        self.free: list[Slots] = []
        if None in self.codecs:
            raise EngineCallError(f"{self.title} takes raw pointers ({argument_types}): it cannot be called from Python")

    def is_plain(self) -> bool:
        """Whether nothing that moves has to be ended afterwards."""
        moving = [*self.codecs, *([self.result] if self.result is not None else [])]
        return not (self.is_static or self.is_vararg) and all(codec.borrow is None and codec.destroy is None for codec in moving)

    def complete(self, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        """The arguments with the engine's defaults behind them; EngineCallError for a wrong number."""
        given, most = len(arguments), len(self.codecs)
        if not self.least <= given <= most:
            count = str(most) if self.least == most else f"{self.least} to {most}"
            raise EngineCallError(f"{self.title}({', '.join(self.names)}) takes {count} arguments, got {given}")
        if self._defaults is None:
            self._defaults = [_default_value(text) for text in self._default_texts]
        return arguments + tuple(self._defaults[given - self.least :])

    def forget(self) -> None:
        """Let go of kept default values and memory."""
        self._defaults = None
        self.free.clear()

    def slots(self) -> Slots:
        """Memory for the arguments: from an earlier call, or new."""
        try:
            return self.free.pop()
        except IndexError:
            return Slots(self.codecs, self.result)

    def explain(self, arguments: tuple[Any, ...], error: Exception) -> None:
        """Raise EngineCallError naming the argument that does not fit."""
        for codec, name, value in zip(self.codecs, self.names, arguments, strict=True):
            try:
                codec.coerce(value)
            except (TypeError, OverflowError, ValueError) as reason:
                raise EngineCallError(f"{self.title}: argument '{name}': {reason}") from None
        raise EngineCallError(f"{self.title}: {error}") from None

    def coerced(self, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        """The arguments in the form their memory takes."""
        return tuple(codec.coerce(value) for codec, value in zip(self.codecs, arguments, strict=True))

    def filled(self, arguments: tuple[Any, ...]) -> Slots:
        """Memory with the arguments in it; an unfit one is named."""
        slots = self.slots()
        try:
            slots.fill(arguments)
        except (TypeError, OverflowError, ValueError) as error:
            slots.clear()
            try:
                slots.fill(self.coerced(arguments))
            except (TypeError, OverflowError, ValueError):
                slots.clear()
                self.explain(arguments, error)
        return slots

    def invoke(self, identity: int, owner: Any, arguments: tuple[Any, ...]) -> Any:
        """Call with exactly the right number of arguments; `identity` 0 for a static method."""
        slots = self.filled(arguments)
        codec = self.result
        if codec is None or codec.destroy is None:
            # Nothing to end in the result: its memory is part of the slots, and used again.
            answer = None
            memory = slots.result
        else:
            answer = Slot(codec)
            memory = answer.pointer
        if self.is_static:
            lib.gde_object_method_bind_ptrcall(self.bind, ffi.NULL, slots.pointers, memory)
        elif not lib.pynav_ptrcall(self.bind, identity, slots.pointers, memory):
            slots.clear()
            raise objects.freed(owner, f"calling {self.title}")
        value = answer.take() if answer is not None else codec.load(memory) if codec is not None else None
        slots.clear()
        self.free.append(slots)
        return value

    def invoke_variants(self, identity: int, owner: Any, arguments: tuple[Any, ...]) -> Any:
        """The call for methods that take any number of arguments."""
        result, error = ffi.new("uint64_t[3]"), ffi.new("GDExtensionCallError *")
        with variants.VariantArguments(arguments) as passed:
            if self.is_static:
                lib.gde_object_method_bind_call(self.bind, ffi.NULL, passed.pointers, len(arguments), result, error)
            elif not lib.pynav_varcall(self.bind, identity, passed.pointers, len(arguments), result, error):
                raise objects.freed(owner, f"calling {self.title}")
        try:
            if error.error != 0:
                raise_call_error(error, self.title, arguments)
            return variants.load(result)
        finally:
            lib.gde_variant_destroy(result)


def _default_value(text: str) -> Any:
    if text in ("null", "true", "false"):
        return {"null": None, "true": True, "false": False}[text]
    try:
        return int(text)
    except ValueError:
        pass
    return utility("str_to_var")(text)


def _plain_function_of(call: _Call) -> Function[..., Any]:
    """The function of a method that moves only numbers, vectors and objects: the same as `invoke`, in one
    piece, since these are called often.
    """
    count, bind, slots_of, free = len(call.codecs), call.bind, call.slots, call.free
    load = call.result.load if call.result is not None else None
    ptrcall = lib.pynav_ptrcall

    def method(self: Any, *arguments: Any) -> Any:
        if len(arguments) != count:
            arguments = call.complete(arguments)
        slots = slots_of()
        try:
            for (store, _, typed), value in zip(slots.steps, arguments, strict=True):
                store(typed, value)
        except (TypeError, OverflowError, ValueError):
            free.append(slots)
            slots = call.filled(arguments)
        if not ptrcall(bind, self._id, slots.pointers, slots.result):
            raise objects.freed(self, f"calling {call.title}")
        result = load(slots.result) if load is not None else None
        free.append(slots)
        return result

    return method


def _function_of(call: _Call) -> Function[..., Any]:
    """The Python function of an engine method."""
    count = len(call.codecs)
    invoke = call.invoke_variants if call.is_vararg else call.invoke
    is_vararg = call.is_vararg
    if call.is_static:

        def static(*arguments: Any) -> Any:
            if not is_vararg and len(arguments) != count:
                arguments = call.complete(arguments)
            return invoke(0, None, arguments)

        return static

    if call.is_plain():
        return _plain_function_of(call)

    def method(self: Any, *arguments: Any) -> Any:
        if not is_vararg and len(arguments) != count:
            arguments = call.complete(arguments)
        return invoke(self._id, self, arguments)

    return method


class EngineMethod:
    """A method that has not been used yet: replaces itself in its class at first use."""

    __slots__ = ("class_name", "name", "owner", "piece")

    def __init__(self, owner: Any, class_name: str, name: str, piece: list[Any]) -> None:
        self.owner = owner
        self.class_name = class_name
        self.name = name
        self.piece = piece

    def bind(self) -> Any:
        """Bind it and put the function into the class."""
        call = _Call(self.class_name, self.name, self.piece)
        function = _function_of(call)
        function.__name__ = self.name
        function.__qualname__ = call.title
        function.__doc__ = f"Engine method {call.title}({', '.join(call.names)})."
        function.engine_call = call  # type: ignore[attr-defined]
        ready: Any = staticmethod(function) if call.is_static else function
        type.__setattr__(self.owner, self.name, ready)
        return ready

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self.bind().__get__(instance, owner)


class EngineProperty:
    """A property of an engine class, through the engine's own setter and getter.

    Some the engine keeps to itself (``Control.position``): these are set and read by their name.
    """

    __slots__ = ("getter", "index", "name", "setter", "type_name")

    def __init__(self, name: str, piece: list[Any]) -> None:
        self.name = name
        self.type_name, self.setter, self.getter, self.index = piece

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        getter = getattr(instance, self.getter, None)
        if getter is None:
            return instance.get(self.name)
        return getter() if self.index < 0 else getter(self.index)

    def __set__(self, instance: Any, value: Any) -> None:
        if not self.setter:
            raise AttributeError(f"{type(instance).__name__}.{self.name} is read only")
        setter = getattr(instance, self.setter, None)
        if setter is None:
            instance.set(self.name, value)
        elif self.index < 0:
            setter(value)
        else:
            setter(self.index, value)


class EngineSignal:
    """A signal of an engine class; gives a bound signal on an object."""

    __slots__ = ("arguments", "name")

    def __init__(self, name: str, arguments: list[str]) -> None:
        self.name = name
        self.arguments = arguments

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        from .signals import BoundSignal

        return self if instance is None else BoundSignal(instance, self.name)


def _members(name: str) -> dict[str, Any]:
    """Signals, constants, methods and properties of one class; in this order, so that a method wins over a
    signal of its name.
    """
    piece = table().piece(name)
    members: dict[str, Any] = {signal: EngineSignal(signal, arguments) for signal, arguments in piece.get("s", {}).items()}
    members.update(piece.get("c", {}))
    for property_name, found in piece.get("p", {}).items():
        if property_name.isidentifier() and found[2]:
            members[property_name] = EngineProperty(property_name, found)
    return members


_classes: dict[str, Any] = {}
_lock = threading.RLock()


def known_classes() -> dict[str, Any]:
    """Engine classes and Python classes by name."""
    return _classes


def add_class(name: str, python_class: Any) -> None:
    """Make a Python class findable by its engine name."""
    _classes[name] = python_class


def engine_class(name: str) -> Any:
    """The Python class of an engine class; of an unknown one (another extension's) its nearest known
    parent.
    """
    found = _classes.get(name)
    if found is not None:
        return found
    with _lock:
        return _classes.get(name) or _make_class(name)


def _make_class(name: str) -> Any:
    from .class_declaration import GodotClass, GodotObject

    if not RUNNING or not EngineState.settings:
        made: Any = GodotClass.make_engine_class(name, GodotObject, {})
        _classes[name] = made
        return made
    if name not in table().parents:
        return _foreign_class(name)
    parent = table().parents[name]
    base = engine_class(parent) if parent else GodotObject
    members = _members(name)
    if name == "RefCounted":
        members["__del__"] = objects.release_proxy
    made = GodotClass.make_engine_class(name, base, members)
    methods = table().piece(name).get("m", {})
    for method, piece in methods.items():
        type.__setattr__(made, method, EngineMethod(made, name, method, piece))
    _classes[name] = made
    return made


def _foreign_class(name: str) -> Any:
    parent = singleton("ClassDB").get_parent_class(name) if name not in ("", "ClassDB") else ""
    return engine_class(str(parent)) if parent else engine_class("Object")


@cache
def singleton(name: str) -> Any:
    """A singleton of the engine, by its name. EngineCallError for an unknown one."""
    from . import strings

    if name not in table().singletons:
        raise EngineCallError(f"the engine has no singleton {name!r}")
    pointer = lib.gde_global_get_singleton(strings.string_name(name))
    if pointer == ffi.NULL:
        raise EngineCallError(f"the singleton {name!r} does not exist here (the editor's exist only in the editor)")
    return objects.object_of_pointer(pointer)


@cache
def utility(name: str) -> Function[..., Any]:
    """A utility function of the engine (`print`, `str_to_var`, ...). EngineCallError for an unknown one."""
    from . import strings

    piece = table().piece("@utilities").get(name)
    if piece is None:
        raise EngineCallError(f"the engine has no utility function {name!r}")
    hash_value, result_type, is_vararg, argument_types = piece
    function = lib.gde_variant_get_ptr_utility_function(strings.string_name(name), hash_value)
    if function == ffi.NULL:
        raise EngineCallError(f"this engine has no utility function {name!r} as this addon knows it")
    result = codec_of_engine_type(result_type, result=True)
    codecs: list[Any] = [codec_of_engine_type(t) for t in argument_types]

    def call(*arguments: Any) -> Any:
        if not is_vararg and len(arguments) != len(codecs):
            raise EngineCallError(f"{name}() takes {len(codecs)} arguments, got {len(arguments)}")
        wanted = [BY_NAME["Variant"]] * len(arguments) if is_vararg else codecs
        with Slots(wanted) as slots:
            slots.fill([codec.coerce(value) for codec, value in zip(wanted, arguments, strict=True)])
            answer = Slot(result) if result is not None else None
            lib.pynav_call_utility(function, ffi.NULL if answer is None else answer.pointer, slots.pointers, len(arguments))
        return None if answer is None else answer.take()

    return call


def new_object(python_class: Any, name: str) -> Any:
    """Construct an engine object and its proxy."""
    from . import strings

    if name in table().abstract:
        raise EngineCallError(f"{name} cannot be constructed: it is abstract")
    pointer = lib.gde_classdb_construct_object2(strings.string_name(name))
    if pointer == ffi.NULL:
        raise EngineCallError(f"{name} cannot be constructed: this build of the engine has none")
    new = objects.adopt_new(pointer, python_class)
    objects.notify(pointer, objects.NOTIFICATION_POSTINITIALIZE)
    return new


def forget() -> None:
    """Let go of what is kept for later calls (at the end)."""
    singleton.cache_clear()
    utility.cache_clear()
    for python_class in _classes.values():
        for member in list(vars(python_class).values()):
            call = getattr(getattr(member, "__func__", member), "engine_call", None)
            if call is not None:
                call.forget()
