"""One method called on many objects at once: for what is read of hundreds of nodes each tick, or told to them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .errors import EngineCallError
from .interface import ffi, lib

if TYPE_CHECKING:  # the bridge starts without numpy
    import numpy as np
    import numpy.typing as npt

_FLOATS = {"Vector2": 2, "Vector3": 3, "Vector4": 4}


class GatheredAnswers:
    """A method without arguments whose answer is made of floats, asked of many objects in one call from Python.

    Parameters
    ----------
    like
        One of the objects, or another of their engine class.
    method
        Name of the method.

    Raises
    ------
    EngineCallError
        No such method, one that takes arguments, or one whose answer is not plain.
    """

    def __init__(self, like: Any, method: str) -> None:
        import numpy as np

        call = getattr(getattr(like, method, None), "engine_call", None)
        if call is None or call.is_vararg or call.codecs or call.result is None or call.result.destroy is not None:
            raise EngineCallError(f"{type(like).__name__}.{method}: expected an engine method without arguments, plain result")
        self._bind = call.bind
        self._floats = 2 * call.result.words
        self._numpy = np
        self._answers: npt.NDArray[np.float32] = np.zeros((0, self._floats), np.float32)

    def ask(self, ids: npt.NDArray[np.uint64]) -> npt.NDArray[np.float32]:
        """(n, floats) float32: the answers of the objects with these instance ids (contiguous), valid until asked again.

        NaN for an object that was freed; columns beyond the answer's own are NaN too.
        """
        np, count = self._numpy, len(ids)
        if len(self._answers) < count:
            self._answers = np.empty((2 * count, self._floats), np.float32)
        answers = self._answers[:count]
        answers[:] = np.nan
        if count:
            lib.pynav_ptrcall_each(
                self._bind, _memory("uint64_t[]", ids), count, ffi.NULL, 0, _memory("char[]", answers), 4 * self._floats
            )
        return answers


class ScatteredArguments:
    """A method that takes one vector and has no result, called on many objects in one call from Python.

    Parameters
    ----------
    like
        One of the objects, or another of their engine class.
    method
        Name of the method.

    Raises
    ------
    EngineCallError
        No such method, or another number or kind of arguments.
    """

    def __init__(self, like: Any, method: str) -> None:
        call: Any = getattr(getattr(like, method, None), "engine_call", None)
        taken = [] if call is None else [codec.name for codec in call.codecs]
        if len(taken) != 1 or taken[0] not in _FLOATS or call.is_vararg or call.result is not None:
            raise EngineCallError(f"{type(like).__name__}.{method}: expected an engine method that takes one vector, no result")
        self._bind = call.bind
        self._title = call.title
        self._floats = _FLOATS[taken[0]]

    def give(self, ids: npt.NDArray[np.uint64], arguments: npt.NDArray[np.float32]) -> None:
        """Call it with a row of (n, floats) float32 on each of the objects with these instance ids, both contiguous.

        Freed objects are passed over. EngineCallError for another shape; nothing is called then.
        """
        if arguments.shape != (len(ids), self._floats):
            raise EngineCallError(f"{self._title}: expected arguments of shape {(len(ids), self._floats)}, got {arguments.shape}")
        if len(ids):
            given = _memory("char[]", arguments)
            lib.pynav_ptrcall_each(self._bind, _memory("uint64_t[]", ids), len(ids), given, 4 * self._floats, ffi.NULL, 0)


def _memory(kind: str, array: npt.NDArray[Any]) -> Any:
    return ffi.from_buffer(kind, array)
