"""Exported properties as the engine's inspector wants them described."""

from __future__ import annotations

import enum
import inspect
from dataclasses import dataclass, replace
from typing import Any

from . import strings
from .annotations import USAGE_CLASS_IS_BITFIELD, USAGE_CLASS_IS_ENUM, TypeOfValue, evaluate, type_of
from .api_table import table
from .declarations import Export, ExportedProperty
from .engine_classes import known_classes
from .errors import DeclarationError
from .interface import ffi
from .variant_types import ARRAY, BY_PYTHON_TYPE, COLOR, FLOAT, INT, NODE_PATH, OBJECT, STRING


@dataclass(frozen=True)
class PropertyInfo:
    """What `GDExtensionPropertyInfo` says, in Python."""

    variant_type: int
    name: str = ""
    class_name: str = ""
    hint: int = 0
    hint_string: str = ""
    usage: int = 6

    def fill(self, memory: Any, keep: list[Any]) -> None:
        """Write it into the engine's structure; `keep` holds what it points to."""
        text = strings.OwnedString(self.hint_string)
        keep.append(text)
        memory.type = self.variant_type
        memory.name = strings.string_name(self.name)
        memory.class_name = strings.string_name(self.class_name)
        memory.hint = self.hint
        memory.hint_string = text.pointer
        memory.usage = self.usage


def property_infos(infos: list[PropertyInfo]) -> tuple[Any, list[Any]]:
    """An array of the engine's structures, and what must live as long."""
    memory = ffi.new("GDExtensionPropertyInfo[]", len(infos) or 1)
    keep: list[Any] = [memory]
    for index, info in enumerate(infos):
        info.fill(memory[index], keep)
    return memory, keep


def info_of_type(name: str, kind: TypeOfValue, owner: str = "") -> PropertyInfo:
    """An argument or result of that type."""
    if kind.enum_type is not None:
        usage = kind.usage | (USAGE_CLASS_IS_BITFIELD if issubclass(kind.enum_type, enum.IntFlag) else USAGE_CLASS_IS_ENUM)
        return PropertyInfo(INT, name, f"{owner}.{kind.enum_type.__name__}" if owner else "", usage=usage)
    return PropertyInfo(kind.variant_type, name, kind.class_name, usage=kind.usage)


def _constant(name: str) -> int:
    return int(table().piece("@constants")[name])


def enum_hint(enum_type: type[enum.Enum]) -> str:
    """``Stop:0,Remove:1`` from an IntEnum."""
    return ",".join(f"{member.name.replace('_', ' ').capitalize()}:{int(member.value)}" for member in enum_type)


def is_engine_kind(class_name: str, ancestor: str) -> bool:
    """Whether a class, of the engine or of Python, descends from an engine class."""
    python_class = known_classes().get(class_name)
    native = class_name if python_class is None or python_class.is_engine_class else python_class.native_base
    return ancestor in table().ancestry(native)


def type_of_export(python_class: Any, export: Export) -> TypeOfValue:
    """The type of an exported property: its annotation, or the getter's result."""
    where = f"{python_class.__name__}.{export.name}"
    namespace: dict[str, Any] = {}
    for owner in reversed(python_class.__mro__):
        namespace.update(vars(owner))
    if isinstance(export, ExportedProperty):
        annotation = export.getter_function.__annotations__.get("return")
        module = export.getter_function.__module__
    else:
        owners = [owner for owner in python_class.__mro__ if vars(owner).get(export.name) is export]
        annotation = inspect.get_annotations(owners[0]).get(export.name) if owners else None
        module = owners[0].__module__ if owners else python_class.__module__
    if annotation is None:
        raise DeclarationError(f"{where}: an exported property needs a type annotation")
    kind = type_of(evaluate(annotation, module, namespace, where), where)
    for hint in ("resource", "node"):
        if hint in export.hints and kind.variant_type == OBJECT and not kind.class_name:
            kind = replace(kind, class_name=str(export.hints[hint]).split(",")[0])
    return kind


_FILE_HINTS = {"file": "PROPERTY_HINT_FILE", "global_file": "PROPERTY_HINT_GLOBAL_FILE"}
_FITS = {
    "range": (INT, FLOAT),
    "unit": (INT, FLOAT),
    "flags": (INT,),
    "enum": (INT, STRING),
    "resource": (OBJECT,),
    "node": (OBJECT, NODE_PATH),
    "multiline": (STRING,),
    "placeholder": (STRING,),
    "file": (STRING,),
    "directory": (STRING,),
    "global_file": (STRING,),
    "exp_easing": (FLOAT,),
    "no_alpha": (COLOR,),
    "array_of": (ARRAY,),
}


def _hint(export: Export, kind: TypeOfValue, where: str) -> tuple[int, str]:
    """Hint and hint string of a property."""
    hints = export.hints
    for name, fitting in _FITS.items():
        if name in hints and kind.variant_type not in fitting:
            raise DeclarationError(f"{where}: the hint {name}= does not fit a property of type {kind.codec.name}")
    if "hint" in hints:
        return int(hints["hint"]), str(hints.get("hint_string", ""))
    if "range" in hints or "unit" in hints:
        parts = list(hints.get("range", ()))
        if "range" in hints and len([p for p in parts if not isinstance(p, str)]) not in (2, 3):
            raise DeclarationError(f"{where}: range=(min, max[, step][, words...]), got {hints['range']!r}")
        if parts and len([p for p in parts if not isinstance(p, str)]) == 2:
            parts.insert(2, 1 if kind.variant_type == INT else 0.001)
        if "range" not in hints:
            parts = [
                -999999,
                999999,
                1 if kind.variant_type == INT else 0.001,
                "or_greater",
                "or_less",
                "hide_slider",
            ]
        if "unit" in hints:
            parts.append(f"suffix:{hints['unit']}")
        return _constant("PROPERTY_HINT_RANGE"), ",".join(str(part) for part in parts)
    if "flags" in hints:
        layers = str(hints["flags"])
        if layers in ("2d_physics", "2d_navigation", "2d_render", "3d_physics", "3d_navigation", "3d_render"):
            return _constant(f"PROPERTY_HINT_LAYERS_{layers.upper()}"), ""
        return _constant("PROPERTY_HINT_FLAGS"), layers
    if "enum" in hints:
        return _constant("PROPERTY_HINT_ENUM"), str(hints["enum"])
    if kind.enum_type is not None:
        is_flags = issubclass(kind.enum_type, enum.IntFlag)
        return _constant("PROPERTY_HINT_FLAGS" if is_flags else "PROPERTY_HINT_ENUM"), enum_hint(kind.enum_type)
    if "node" in hints:
        name = "PROPERTY_HINT_NODE_TYPE" if kind.variant_type == OBJECT else "PROPERTY_HINT_NODE_PATH_VALID_TYPES"
        return _constant(name), str(hints["node"])
    if "resource" in hints:
        return _constant("PROPERTY_HINT_RESOURCE_TYPE"), str(hints["resource"])
    if kind.variant_type == OBJECT and kind.class_name:
        if is_engine_kind(kind.class_name, "Resource"):
            return _constant("PROPERTY_HINT_RESOURCE_TYPE"), kind.class_name
        if is_engine_kind(kind.class_name, "Node"):
            return _constant("PROPERTY_HINT_NODE_TYPE"), kind.class_name
    if hints.get("multiline"):
        return _constant("PROPERTY_HINT_MULTILINE_TEXT"), ""
    if "placeholder" in hints:
        return _constant("PROPERTY_HINT_PLACEHOLDER_TEXT"), str(hints["placeholder"])
    for name, constant in _FILE_HINTS.items():
        if name in hints:
            return _constant(constant), str(hints[name])
    if hints.get("directory"):
        return _constant("PROPERTY_HINT_DIR"), ""
    if hints.get("exp_easing"):
        return _constant("PROPERTY_HINT_EXP_EASING"), ""
    if hints.get("no_alpha"):
        return _constant("PROPERTY_HINT_COLOR_NO_ALPHA"), ""
    if "array_of" in hints:
        element = hints["array_of"]
        codec = BY_PYTHON_TYPE.get(element)
        if codec is None:
            name = getattr(element, "engine_name", str(element))
            return _constant("PROPERTY_HINT_TYPE_STRING"), f"{OBJECT}/{_constant('PROPERTY_HINT_RESOURCE_TYPE')}:{name}"
        return _constant("PROPERTY_HINT_TYPE_STRING"), f"{codec.variant_type}:"
    return 0, ""


def info_of_export(python_class: Any, export: Export, kind: TypeOfValue) -> PropertyInfo:
    """The inspector's description of an exported property."""
    where = f"{python_class.__name__}.{export.name}"
    hint, hint_string = _hint(export, kind, where)
    hints = export.hints
    usage = int(hints.get("usage", kind.usage))
    if hints.get("storage") is False or export.is_read_only:
        usage &= ~_constant("PROPERTY_USAGE_STORAGE")
    if hints.get("editor") is False:
        usage &= ~_constant("PROPERTY_USAGE_EDITOR")
    if export.is_read_only:
        usage |= _constant("PROPERTY_USAGE_READ_ONLY")
    if hints.get("update_all"):
        usage |= _constant("PROPERTY_USAGE_UPDATE_ALL_IF_MODIFIED")
    class_name = kind.class_name
    if kind.enum_type is not None and kind.enum_type in python_class.declaration.enums.values():
        class_name = f"{python_class.engine_name}.{kind.enum_type.__name__}"
        usage |= USAGE_CLASS_IS_BITFIELD if issubclass(kind.enum_type, enum.IntFlag) else USAGE_CLASS_IS_ENUM
    return PropertyInfo(kind.variant_type, export.name, class_name, hint, hint_string, usage)
