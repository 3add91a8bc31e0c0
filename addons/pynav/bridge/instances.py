"""Instances of Python classes: which Python object belongs to which engine object, and who keeps whom alive.

An engine object that is not reference counted owns its Python instance: it lives until the engine frees the
object.

A RefCounted one and its instance own each other, and that must not be for ever. The instance always holds
one reference. While others hold references too, the instance is kept strongly; when the instance's own is
the last (the engine tells us at 2 and at 1), it is only kept weakly, and when Python code has no use for it
either, it ends and its end drops the last reference. That step must not happen inside the engine's
`unreference`, which still touches the object after telling us: so the strong hold is let go one frame later
(`release_ripe`).
"""

from __future__ import annotations

import weakref
from typing import Any

from . import objects, strings
from .errors import report
from .interface import EngineState, calls, ffi, lib
from .objects import INSTANCES, REFCOUNTED_BIT


class Cell:
    """What the engine's instance handle stands for."""

    __slots__ = ("identity", "strong", "weak")

    def __init__(self, instance: Any, identity: int) -> None:
        self.identity = identity
        self.strong: Any = instance
        self.weak = weakref.ref(instance)

    def get(self) -> Any:
        """The Python instance, or None at its very end."""
        strong = self.strong
        return strong if strong is not None else self.weak()


_cells: dict[int, tuple[Any, Cell]] = {}
_by_identity: dict[int, Cell] = {}
_fresh: list[Any] = []
_ripe: list[Any] = []


def find(identity: int) -> Any:
    """The Python instance with this object id, or None."""
    cell = _by_identity.get(identity)
    return None if cell is None else cell.get()


INSTANCES.find = find


def instance_of(handle: Any) -> Any:
    """The Python instance behind the engine's handle."""
    return ffi.from_handle(handle).get()


def _attach(python_class: Any, pointer: Any) -> int:
    """Make the Python instance of an engine object; returns what the engine is to keep."""
    instance = python_class.__new__(python_class)
    identity = int(lib.gde_object_get_instance_id(pointer))
    instance._id = identity
    cell = Cell(instance, identity)
    handle = ffi.new_handle(cell)
    number = int(ffi.cast("uintptr_t", handle))
    _cells[number] = (handle, cell)
    _by_identity[identity] = cell
    return int(calls.new_instance(instance, number))


def _initialise(instance: Any) -> None:
    try:
        instance.__init__()
    except Exception as error:
        report(error, type(instance).__init__)
    instance.__dict__["_initialised"] = True


def on_create(class_handle: Any, notify: bool) -> Any:
    """The engine wants a new object of a Python class."""
    python_class = ffi.from_handle(class_handle)
    pointer = lib.gde_classdb_construct_object2(strings.string_name(python_class.native_base))
    if python_class.is_refcounted:
        objects.take_first_reference(pointer)  # ours; before the engine can tell us about it
    kept = _attach(python_class, pointer)
    lib.gde_object_set_instance(pointer, strings.string_name(python_class.engine_name), ffi.cast("void *", kept))
    instance = find(int(lib.gde_object_get_instance_id(pointer)))
    _initialise(instance)
    if notify:
        objects.notify(pointer, objects.NOTIFICATION_POSTINITIALIZE)
    return pointer


def on_recreate(class_handle: Any, pointer: Any) -> Any:
    """The engine has an object and wants a new instance for it (hot reload; we are not reloadable, but it
    may ask).
    """
    python_class = ffi.from_handle(class_handle)
    kept = _attach(python_class, pointer)
    _initialise(find(int(lib.gde_object_get_instance_id(pointer))))
    return ffi.cast("void *", kept)


def on_free(class_handle: Any, handle: Any) -> None:
    """The engine's object ends."""
    number = int(ffi.cast("uintptr_t", handle))
    _, cell = _cells.pop(number, (None, None))
    if cell is None:
        return
    _by_identity.pop(cell.identity, None)
    instance = cell.get()
    if instance is not None and cell.identity & REFCOUNTED_BIT:
        instance.__dict__["_id"] = 0  # its end must not drop a reference of an object that is ending already
    cell.strong = None


def on_reference(handle: Any) -> None:
    """Somebody took a reference (told at a count of 2 or less)."""
    cell = ffi.from_handle(handle)
    if cell.strong is None:
        cell.strong = cell.weak()


def on_unreference(handle: Any) -> None:
    """Somebody dropped a reference (told at a count of 1 or less): is ours the last?"""
    cell = ffi.from_handle(handle)
    if cell.strong is not None:
        _fresh.append(cell)
        lib.pynav_want_frame(1)


def _let_go(cell: Cell) -> None:
    pointer = lib.gde_object_get_instance_from_id(cell.identity)
    if pointer == ffi.NULL or objects.reference_count(pointer) <= 1:
        cell.strong = None


def release_ripe() -> bool:
    """Let go of instances whose object only Python held a frame ago; False when none is left waiting."""
    global _fresh, _ripe
    ripe, _ripe, _fresh = _ripe, _fresh, []
    while ripe:
        _let_go(ripe.pop())
    return bool(_ripe or _fresh)


def new_instance(python_class: Any) -> Any:
    """Construct an object of a registered Python class, from Python."""
    pointer = lib.gde_classdb_construct_object2(strings.string_name(python_class.engine_name))
    if pointer == ffi.NULL:
        raise TypeError(f"{python_class.engine_name} cannot be constructed: it is abstract, or its module failed to register")
    instance = objects.object_of_pointer(pointer)
    objects.notify(pointer, objects.NOTIFICATION_POSTINITIALIZE)
    if python_class.is_refcounted:
        cell = _by_identity.get(instance._id)
        if cell is not None:
            _let_go(cell)
    return instance


def live_count() -> int:
    """How many Python instances exist."""
    return len(_cells)


def close() -> None:
    """At the end: let go of everything, and end the RefCounted objects that only Python still holds."""
    while release_ripe():
        pass
    for _, cell in list(_cells.values()):
        instance = cell.get()
        if instance is not None and cell.identity & REFCOUNTED_BIT and EngineState.open:
            pointer = lib.gde_object_get_instance_from_id(cell.identity)
            instance.__dict__["_id"] = 0
            if pointer != ffi.NULL:
                objects.drop_reference(pointer)
