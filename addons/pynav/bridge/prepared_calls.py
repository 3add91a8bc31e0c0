"""A call with its arguments converted once, for what is called each tick."""

from __future__ import annotations

from typing import Any

from . import objects
from .errors import EngineCallError
from .interface import ffi, lib
from .variant_types import Slot, Slots


class PreparedCall:
    """Made by `prepare`. `call()` makes the call, `call.set(index, value)` changes one argument."""

    __slots__ = (
        "_arrays",
        "_bind",
        "_call",
        "_given",
        "_identity",
        "_memory",
        "_owner",
        "_pointers",
        "_result",
        "_slots",
    )

    def __init__(self, owner: Any, call: Any, arguments: tuple[Any, ...]) -> None:
        if call.is_vararg:
            raise EngineCallError(f"{call.title} takes any number of arguments: it cannot be prepared")
        self._owner = owner
        self._call = call
        self._identity = owner._id
        self._bind = call.bind
        self._given = list(call.complete(arguments) if len(arguments) != len(call.codecs) else arguments)
        self._slots = Slots(call.codecs)
        self._result = call.result
        self._arrays: list[Any] = []
        self._fill()

    def _fill(self) -> None:
        self._slots.clear()
        try:
            values = self._call.coerced(self._given)
        except (TypeError, OverflowError, ValueError) as error:
            self._call.explain(tuple(self._given), error)
            raise
        self._slots.fill(values)
        self._arrays = [value for value in values if hasattr(value, "hand_over")]
        self._pointers = self._slots.pointers

    def set(self, index: int, value: Any) -> None:
        """Change an argument. Plain numbers and vectors are written in place; the rest is converted anew."""
        codec = self._call.codecs[index]
        self._given[index] = value
        if codec.borrow is None and codec.destroy is None:
            try:
                codec.store(self._slots.typed[index], codec.coerce(value))
            except (TypeError, OverflowError, ValueError) as error:
                self._call.explain(tuple(self._given), error)
            return
        self._fill()

    def __call__(self) -> Any:
        """Make the call."""
        for array in self._arrays:
            array.hand_over()
        if self._result is None:
            if not lib.pynav_ptrcall(self._bind, self._identity, self._pointers, ffi.NULL):
                raise objects.freed(self._owner, f"calling {self._call.title}")
            return None
        answer = Slot(self._result)
        if not lib.pynav_ptrcall(self._bind, self._identity, self._pointers, answer.pointer):
            raise objects.freed(self._owner, f"calling {self._call.title}")
        return answer.take()

    def __del__(self) -> None:
        slots = getattr(self, "_slots", None)
        if slots is not None:
            slots.clear()


def prepare(owner: Any, method: str, *arguments: Any) -> PreparedCall:
    """Resolve an engine method and convert its arguments once.

    Parameters
    ----------
    owner
        The object.
    method
        Name of a method of its engine class.
    arguments
        As for the method itself. A packed array is passed as it is at the time of each call, without a
        copy; object arguments are not kept alive by this, and their freeing is not noticed: set them anew.
    """
    function = getattr(owner, method, None)
    call = getattr(function, "engine_call", None)
    if call is None:
        raise EngineCallError(f"{type(owner).__name__} has no engine method {method!r}")
    return PreparedCall(owner, call, arguments)
