"""What runs when Godot opens the bridge: streams, levels, the modules to import, the end.

Order: the C part calls `start` once Python runs; the engine then calls `python_initialize` for its levels
SCENE and (in the editor's binary) EDITOR, later `python_deinitialize` in reverse. Node modules are imported
at SCENE, editor modules at EDITOR, and only in the editor itself.
"""

from __future__ import annotations

import gc
import importlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

# One thread for the BLAS that numpy may bring: it would start one for each core at import, in a process
# that has its own pool.
for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

from . import (  # noqa: E402
    callables,
    documentation,
    editor_plugins,
    engine_classes,
    errors,
    instances,
    main_loop,
    methods,
    objects,
    own_callbacks,
    registration,
    streams,
    strings,
)
from .class_declaration import GodotObject  # noqa: E402
from .interface import EngineState, calls, ffi, lib  # noqa: E402
from .variant_types import Reference, Slots  # noqa: E402
from .variants import OwnedVariant  # noqa: E402

SWITCH_INTERVAL_SECONDS = 0.0001  # a worker that holds the GIL delays the main thread by at most this (5 ms by default)
_scene_classes: list[Any] = []
_editor_classes: list[Any] = []


def start(library: int, initialization: int, settings: list[tuple[str, str]]) -> None:
    """Take over from the C part."""
    EngineState.library = ffi.cast("void *", library)
    EngineState.settings = settings
    EngineState.open = True
    sys.setswitchinterval(SWITCH_INTERVAL_SECONDS)
    calls.set_report(errors.report)
    _define_callbacks()
    level = ffi.cast("GDExtensionInitialization *", initialization)
    level.minimum_initialization_level = lib.GDEXTENSION_INITIALIZATION_SCENE
    level.initialize = lib.python_initialize
    level.deinitialize = lib.python_deinitialize


def _guard(function: Callable[..., Any], failure: Any = None) -> Callable[..., Any]:
    """A callback that stops every exception."""

    def guarded(*arguments: Any) -> Any:
        try:
            return function(*arguments)
        except BaseException as error:
            errors.report(error, function)
            return failure

    return guarded


def _define_callbacks() -> None:
    """Connect the functions that native.h calls."""
    null = ffi.NULL
    for name, function, failure in (
        ("python_initialize", _initialize, None),
        ("python_deinitialize", _deinitialize, None),
        ("python_create_instance", instances.on_create, null),
        ("python_recreate_instance", instances.on_recreate, null),
        ("python_free_instance", instances.on_free, None),
        ("python_reference", instances.on_reference, None),
        ("python_unreference", instances.on_unreference, None),
        ("python_call_virtual", methods.on_virtual, None),
        ("python_method_call", methods.on_method_call, None),
        ("python_method_ptrcall", methods.on_method_ptrcall, None),
        ("python_set", own_callbacks.on_set, 0),
        ("python_get", own_callbacks.on_get, 0),
        ("python_get_property_list", own_callbacks.on_get_property_list, null),
        ("python_free_property_list", own_callbacks.on_free_property_list, None),
        ("python_can_revert", own_callbacks.on_can_revert, 0),
        ("python_get_revert", own_callbacks.on_get_revert, 0),
        ("python_validate_property", own_callbacks.on_validate_property, 0),
        ("python_notification", own_callbacks.on_notification, None),
        ("python_to_string", own_callbacks.on_to_string, None),
        ("python_frame", main_loop.frame, None),
        ("python_main_loop_end", main_loop.end, None),
        ("python_callable_call", callables.on_call, None),
        ("python_callable_is_valid", callables.on_is_valid, 0),
        ("python_callable_free", callables.on_free, None),
        ("python_callable_hash", callables.on_hash, 0),
        ("python_callable_equal", callables.on_equal, 0),
        ("python_callable_less_than", callables.on_less_than, 0),
        ("python_callable_to_string", callables.on_to_string, None),
        ("python_callable_argument_count", callables.on_argument_count, 0),
    ):
        stops_its_own = function.__module__ == methods.__name__  # the hot ones stop their exceptions themselves
        ffi.def_extern(name=name, onerror=_report_conversion)(function if stops_its_own else _guard(function, failure))


def _report_conversion(kind: Any, error: Any, trace: Any) -> None:
    """A callback's result did not fit its C type."""
    errors.report(error, "callback")


def module_list(path: str) -> list[tuple[str, str]]:
    """The lines ``scene = module`` and ``editor = module`` of the entry file; unknown lines are told."""
    found = []
    with Path(path).open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            text = line.partition("#")[0].strip()
            if not text:
                continue
            level, equals, module = (part.strip() for part in text.partition("="))
            if level in ("scene", "editor") and equals and module:
                found.append((level, module))
            else:
                errors.print_engine_error(f"{path}, line {number}: expected 'scene = module' or 'editor = module', got {text!r}")
    return found


def _import_level(level: str) -> list[Any]:
    """Import the modules of a level and register what they declare."""
    path = EngineState.setting("modules")
    try:
        modules = module_list(path)
    except OSError as error:
        errors.print_engine_error(f"the list of Python modules cannot be read: {error}")
        return []
    registered = []
    for wanted, module in modules:
        if wanted != level:
            continue
        try:
            importlib.import_module(module)
        except BaseException as error:
            file, line, function = errors.place_of(error)
            errors.print_engine_error(
                f"the Python module {module} did not load, its classes are missing: {type(error).__name__}: "
                f"{error}\n{errors.traceback_text(error)}",
                function,
                file,
                line,
            )
        registered += registration.register_pending(lambda name: name in sys.modules, _tell_refused)
    return registered


def _tell_refused(python_class: Any, error: Exception) -> None:
    text = "" if isinstance(error, errors.BridgeError) else "\n" + errors.traceback_text(error)
    file, line, function = errors.place_of(error)
    errors.print_engine_error(f"the Python class {python_class.__name__} is not registered: {error}{text}", function, file, line)


def _initialize(userdata: Any, level: int) -> None:
    if level == lib.GDEXTENSION_INITIALIZATION_SCENE:
        streams.install(engine_classes.utility("print"), engine_classes.utility("printerr"))
        lib.pynav_register_main_loop(EngineState.library)
        _scene_classes.extend(_import_level("scene"))
    elif level == lib.GDEXTENSION_INITIALIZATION_EDITOR and engine_classes.singleton("Engine").is_editor_hint():
        # The editor's binary reaches this level when it plays a project, too: hence the question.
        _editor_classes.extend(_import_level("editor"))
        documentation.hand_over()
        for python_class in _editor_classes:
            if python_class.declaration.is_editor_plugin:
                editor_plugins.add_at_start(python_class)
    _set_aside()


def _set_aside() -> None:
    """Spare the collector all that stays as long as the process: looking through it took 10 to 25 ms in the middle of a tick."""
    gc.freeze()


def _deinitialize(userdata: Any, level: int) -> None:
    if level == lib.GDEXTENSION_INITIALIZATION_EDITOR:
        editor_plugins.end()
        main_loop.end()
        instances.close()
        registration.unregister(_editor_classes)
        _editor_classes.clear()
    elif level == lib.GDEXTENSION_INITIALIZATION_SCENE:
        _close()


def _release_what_is_left() -> None:
    """End the engine's values that Python globals, threads or cycles still hold: the engine counts them as leaks otherwise."""
    for kept in gc.get_objects():
        if isinstance(kept, (Reference, Slots, OwnedVariant, strings.OwnedString)):
            kept.release()
        elif isinstance(kept, GodotObject) and type(kept).is_engine_class and kept._id & objects.REFCOUNTED_BIT:
            objects.release_proxy(kept)


def _close() -> None:
    """The end of the bridge in this process. Python itself is never finalised: numpy and running threads
    would not survive it.
    """
    main_loop.end()
    engine_classes.forget()
    gc.unfreeze()
    gc.collect()
    _release_what_is_left()
    instances.close()
    gc.collect()
    registration.unregister(_scene_classes)
    _scene_classes.clear()
    streams.flush()
    EngineState.open = False
    strings.release_names()
