"""A few answers of the engine that are looked at each tick, only to see whether they changed."""

from __future__ import annotations

from typing import Any

from . import objects
from .errors import EngineCallError
from .interface import ffi, lib

_WORDS = 8  # 64 bytes, as native.h has it: a Transform3D fits


class WatchedAnswers:
    """Methods without arguments, all asked in one call from Python, that makes no values of the answers.

    Parameters
    ----------
    asked
        Pairs of an object and the name of a method whose answer is plain (numbers, vectors, transforms, RIDs).

    Raises
    ------
    EngineCallError
        No such method, one that takes arguments, or one whose answer is not plain.
    """

    def __init__(self, *asked: tuple[Any, str]) -> None:
        methods = []
        for owner, method in asked:
            call: Any = getattr(getattr(owner, method, None), "engine_call", None)
            result = None if call is None or call.is_vararg or call.codecs else call.result
            if result is None or result.destroy is not None or result.words > _WORDS:
                raise EngineCallError(
                    f"{type(owner).__name__}.{method}: expected an engine method without arguments, with a plain result"
                )
            methods.append(call.bind)
        self._owners = [owner for owner, _ in asked]
        self._methods = ffi.new("GDExtensionMethodBindPtr[]", methods)
        self._ids = ffi.new("uint64_t[]", [owner._id for owner in self._owners])
        self._count = len(methods)
        self._answers = ffi.new("char[]", b"\xff" * (8 * _WORDS * len(methods)))  # no answer: the first time all have changed

    def changed(self) -> bool:
        """Ask them all; whether an answer is another than last time. True the first time. FreedObjectError for a freed object."""
        found = lib.pynav_ptrcall_watch(self._methods, self._ids, self._count, self._answers)
        if found < 0:
            raise objects.freed(next(owner for owner in self._owners if not objects.is_valid(owner)), "watching it")
        return bool(found)

    def is_true(self, index: int) -> bool:
        """What the method with this number, which answers with a bool, said last."""
        return bool(self._answers[8 * _WORDS * index] != b"\0")
