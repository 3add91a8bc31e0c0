"""One method asked of many objects at once: for what is read of hundreds of nodes each tick."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .errors import EngineCallError
from .interface import ffi, lib

if TYPE_CHECKING:  # the bridge starts without numpy
    import numpy as np
    import numpy.typing as npt


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
                self._bind, ffi.from_buffer("uint64_t[]", ids), count, 4 * self._floats, ffi.from_buffer("char[]", answers)
            )
        return answers
