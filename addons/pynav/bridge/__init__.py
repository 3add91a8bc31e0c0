"""The bridge: Godot classes written in Python. See README.md in this folder."""

from __future__ import annotations

from typing import Any

from . import engine as engine
from .callables import Callable, Signal
from .class_declaration import GodotObject
from .containers import Array, Dictionary
from .declarations import constant, export, exported_property, method
from .editor_plugins import add_editor_plugin, remove_editor_plugin
from .engine_classes import engine_class, singleton, utility
from .errors import (
    BridgeError,
    DeclarationError,
    EngineCallError,
    EngineMissingError,
    FreedObjectError,
    report,
)
from .gathered_answers import GatheredAnswers, ScatteredArguments
from .interface import RUNNING
from .main_loop import on_frame, on_shutdown, remove_on_frame
from .objects import is_valid
from .own_callbacks import EditableProperty
from .packed_arrays import (
    PackedByteArray,
    PackedColorArray,
    PackedFloat32Array,
    PackedFloat64Array,
    PackedInt32Array,
    PackedInt64Array,
    PackedStringArray,
    PackedVector2Array,
    PackedVector3Array,
    PackedVector4Array,
)
from .prepared_calls import PreparedCall, prepare
from .properties import PropertyInfo
from .signals import BoundSignal, signal
from .values import (
    AABB,
    RID,
    Basis,
    Color,
    NodePath,
    Plane,
    Projection,
    Quaternion,
    Rect2,
    Rect2i,
    StringName,
    Transform2D,
    Transform3D,
    Vector2,
    Vector2i,
    Vector3,
    Vector3i,
    Vector4,
    Vector4i,
)
from .watched_answers import WatchedAnswers


def is_editor() -> bool:
    """Whether this is the editor (and not a running game). False outside the engine."""
    return RUNNING and bool(singleton("Engine").is_editor_hint())


def load(path: str, type_hint: str = "") -> Any:
    """Load a resource by its `res://` path; None where that fails (the engine has said why)."""
    return singleton("ResourceLoader").load(path, type_hint)


__all__ = [
    "AABB",
    "RID",
    "RUNNING",
    "Array",
    "Basis",
    "BoundSignal",
    "BridgeError",
    "Callable",
    "Color",
    "DeclarationError",
    "Dictionary",
    "EditableProperty",
    "EngineCallError",
    "EngineMissingError",
    "FreedObjectError",
    "GatheredAnswers",
    "GodotObject",
    "NodePath",
    "PackedByteArray",
    "PackedColorArray",
    "PackedFloat32Array",
    "PackedFloat64Array",
    "PackedInt32Array",
    "PackedInt64Array",
    "PackedStringArray",
    "PackedVector2Array",
    "PackedVector3Array",
    "PackedVector4Array",
    "Plane",
    "PreparedCall",
    "Projection",
    "PropertyInfo",
    "Quaternion",
    "Rect2",
    "Rect2i",
    "ScatteredArguments",
    "Signal",
    "StringName",
    "Transform2D",
    "Transform3D",
    "Vector2",
    "Vector2i",
    "Vector3",
    "Vector3i",
    "Vector4",
    "Vector4i",
    "WatchedAnswers",
    "add_editor_plugin",
    "constant",
    "engine",
    "engine_class",
    "export",
    "exported_property",
    "is_editor",
    "is_valid",
    "load",
    "method",
    "on_frame",
    "on_shutdown",
    "prepare",
    "remove_editor_plugin",
    "remove_on_frame",
    "report",
    "signal",
    "singleton",
    "utility",
]
