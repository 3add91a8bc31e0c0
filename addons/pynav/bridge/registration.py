"""Telling the engine about a declared class."""

from __future__ import annotations

import enum
from typing import Any

from . import documentation, strings
from .annotations import type_of
from .api_table import table
from .class_declaration import PENDING
from .declarations import Export
from .engine_classes import add_class
from .errors import DeclarationError
from .interface import EngineState, calls, ffi, lib
from .methods import REQUIRED, Argument, ExposedMethod, VirtualMethod, exposed_method
from .objects import BY_PYTHON_TYPE, OBJECT_CODEC
from .properties import info_of_export, info_of_type, property_infos, type_of_export
from .variants import OwnedVariant

_OWN_CALLBACKS = {
    "_set": "SET",
    "_get": "GET",
    "_get_property_list": "LIST",
    "_property_can_revert": "REVERT",
    "validate_property": "VALIDATE",
    "_notification": "NOTIFICATION",
    "_to_string": "TO_STRING",
}
_registered: list[Any] = []
_kept: list[Any] = []  # what the engine points to as long as it runs


def registered_classes() -> list[Any]:
    """Registered Python classes, parents before children."""
    return list(_registered)


def native_base(python_class: Any) -> str:
    """Name of the engine's own class at the bottom of a Python class."""
    for owner in python_class.__mro__:
        if getattr(owner, "is_engine_class", False):
            return str(owner.engine_name)
    raise DeclarationError(f"class {python_class.__name__} extends no engine class")


def _parent_name(python_class: Any) -> str:
    for owner in python_class.__mro__[1:]:
        if getattr(owner, "is_engine_class", False) or getattr(owner, "declaration", None) is not None:
            return str(owner.engine_name)
    raise DeclarationError(f"class {python_class.__name__} extends no engine class")


def _python_function(python_class: Any, name: str) -> Any:
    """The Python function behind a name, where a Python class (not the engine) defines it."""
    for owner in python_class.__mro__:
        if getattr(owner, "is_engine_class", False) or owner.__name__ == "GodotObject":
            return None
        if name in vars(owner):
            found = vars(owner)[name]
            return found if callable(found) else None
    return None


def virtuals_of(python_class: Any) -> list[VirtualMethod]:
    """The engine's virtuals that the class or its Python parents override."""
    found: dict[str, VirtualMethod] = {}
    for ancestor in table().ancestry(native_base(python_class)):
        for name, (_, result, arguments) in table().piece(ancestor).get("v", {}).items():
            if name in found:
                continue
            function = _python_function(python_class, name)
            if function is not None:
                found[name] = VirtualMethod(name, function, result, arguments)
    return list(found.values())


def register(python_class: Any) -> None:
    """Register one declared class; DeclarationError in words where it cannot be."""
    declaration = python_class.declaration
    name = python_class.engine_name
    if name in table().parents or any(other.engine_name == name for other in _registered):
        raise DeclarationError(f"class {name}: the engine already has a class of that name")
    python_class.native_base = native_base(python_class)
    python_class.is_refcounted = "RefCounted" in table().ancestry(python_class.native_base)
    parent = _parent_name(python_class)
    # Read all of the declaration first: a class that is half right must not be half registered.
    for signal in declaration.signals.values():
        signal.types = [
            type_of(kind, f"{name}.{signal.name}, argument {argument}") for argument, kind in signal.arguments.items()
        ]
    exports = []
    for export in declaration.exports.values():
        export.type = type_of_export(python_class, export)
        try:
            export.fresh_default()
        except (TypeError, ValueError, OverflowError) as error:
            raise DeclarationError(f"{name}.{export.name}: the default does not fit: {error}") from None
        exports.append((export, info_of_export(python_class, export, export.type)))
    methods = [exposed_method(python_class, method, function) for method, function in declaration.methods.items()]
    virtuals = virtuals_of(python_class)
    _register_class(python_class, parent, virtuals)
    _registered.append(python_class)
    add_class(name, python_class)
    BY_PYTHON_TYPE[python_class] = OBJECT_CODEC
    _register_constants(python_class)
    for method in methods:
        _register_method(python_class, method)
    _register_properties(python_class, exports)
    for signal in declaration.signals.values():
        memory, keep = property_infos(
            [info_of_type(argument, kind, name) for argument, kind in zip(signal.arguments, signal.types, strict=True)]
        )
        lib.gde_classdb_register_extension_class_signal(
            EngineState.library,
            strings.string_name(name),
            strings.string_name(signal.name),
            memory,
            len(signal.types),
        )
        del keep
    documentation.publish(python_class, parent, methods, [export for export, _ in exports])


def _register_class(python_class: Any, parent: str, virtuals: list[VirtualMethod]) -> None:
    declaration = python_class.declaration
    class_handle = ffi.new_handle(python_class)
    own = lib.pynav_new_class(class_handle, len(virtuals))
    _kept.extend((class_handle, virtuals))
    address = int(ffi.cast("uintptr_t", own))
    for index, virtual in enumerate(virtuals):
        calls.set_virtual(
            address,
            index,
            strings.name_key(virtual.name),
            virtual.kind(),
            virtual.function,
            int(ffi.cast("uintptr_t", virtual.handle)),
        )
    wants = 0
    for function, flag in _OWN_CALLBACKS.items():
        if _python_function(python_class, function) is not None:
            wants |= int(getattr(lib, f"PYNAV_WANTS_{flag}"))
    if python_class.is_refcounted:
        wants |= int(lib.PYNAV_WANTS_REFERENCE)
    icon = strings.OwnedString(declaration.icon)
    lib.pynav_register_class(
        EngineState.library,
        strings.string_name(python_class.engine_name),
        strings.string_name(parent),
        icon.pointer if declaration.icon else ffi.NULL,
        own,
        wants,
        declaration.is_abstract,
        not declaration.is_internal,
        declaration.is_runtime,
    )


def _register_constants(python_class: Any) -> None:
    name = strings.string_name(python_class.engine_name)
    nothing = strings.string_name("")
    for constant, value in python_class.declaration.constants.items():
        lib.gde_classdb_register_extension_class_integer_constant(
            EngineState.library, name, nothing, strings.string_name(constant), value.value, 0
        )
    for enum_name, enum_type in python_class.declaration.enums.items():
        for member in enum_type:
            lib.gde_classdb_register_extension_class_integer_constant(
                EngineState.library,
                name,
                strings.string_name(enum_name),
                strings.string_name(member.name),
                int(member),
                issubclass(enum_type, enum.IntFlag),
            )


def _register_method(python_class: Any, method: ExposedMethod) -> None:
    owner = python_class.engine_name
    info = ffi.new("GDExtensionClassMethodInfo *")
    arguments, keep = property_infos([info_of_type(argument.name, argument.type, owner) for argument in method.arguments])
    info.name = strings.string_name(method.name)
    info.method_flags = method.flags
    lib.pynav_fill_method_info(info, method.handle)
    count = len(method.arguments)
    metadata = ffi.new("GDExtensionClassMethodArgumentMetadata[]", count or 1)
    info.argument_count = count
    info.arguments_info = arguments
    info.arguments_metadata = metadata
    if method.result is not None:
        result, result_keep = property_infos([info_of_type("", method.result, owner)])
        keep.extend(result_keep)
        info.has_return_value = 1
        info.return_value_info = result
    defaults = [
        OwnedVariant(argument.type.codec.coerce(argument.default))
        for argument in method.arguments
        if argument.default is not REQUIRED
    ]
    pointers = ffi.new("GDExtensionVariantPtr[]", [default.pointer for default in defaults] or 1)
    info.default_argument_count = len(defaults)
    info.default_arguments = pointers
    lib.gde_classdb_register_extension_class_method(EngineState.library, strings.string_name(owner), info)
    _kept.append(method)


def _accessors(python_class: Any, export: Export) -> tuple[str, str]:
    """Setter's and getter's names; registers them unless the class exposes methods of these names itself."""
    declared = python_class.declaration.methods
    kind = export.type
    assert kind is not None
    getter, setter = f"get_{export.name}", f"set_{export.name}"
    if getter not in declared:
        _register_method(python_class, ExposedMethod(getter, export.__get__, [], kind, is_const=True))
    if export.is_read_only:
        return "", getter
    if setter not in declared:
        _register_method(python_class, ExposedMethod(setter, export.write, [Argument("value", kind)], None))
    return setter, getter


def _register_properties(python_class: Any, exports: list[tuple[Export, Any]]) -> None:
    name = strings.string_name(python_class.engine_name)
    group = subgroup = ""
    for export, info in exports:
        setter, getter = _accessors(python_class, export)
        wanted, wanted_subgroup = str(export.hints.get("group", "")), str(export.hints.get("subgroup", ""))
        if wanted != group:
            text, prefix = strings.OwnedString(wanted), strings.OwnedString("")
            lib.gde_classdb_register_extension_class_property_group(EngineState.library, name, text.pointer, prefix.pointer)
            group, subgroup = wanted, ""
        if wanted_subgroup != subgroup:
            text, prefix = strings.OwnedString(wanted_subgroup), strings.OwnedString("")
            lib.gde_classdb_register_extension_class_property_subgroup(EngineState.library, name, text.pointer, prefix.pointer)
            subgroup = wanted_subgroup
        memory, keep = property_infos([info])
        lib.gde_classdb_register_extension_class_property(
            EngineState.library, name, memory, strings.string_name(setter), strings.string_name(getter)
        )
        del keep


def register_pending(is_loaded: Any, on_error: Any) -> list[Any]:
    """Register the classes declared since the last time whose modules loaded; an unfit one is told and left
    out, the rest goes on.
    """
    done = []
    while PENDING:
        python_class = PENDING.pop(0)
        if not is_loaded(python_class.__module__):
            continue
        try:
            register(python_class)
            done.append(python_class)
        except Exception as error:
            on_error(python_class, error)
    return done


def unregister(python_classes: list[Any]) -> None:
    """Take classes out of the engine again, children before parents."""
    for python_class in reversed(python_classes):
        lib.gde_classdb_unregister_extension_class(EngineState.library, strings.string_name(python_class.engine_name))
        if python_class in _registered:
            _registered.remove(python_class)
