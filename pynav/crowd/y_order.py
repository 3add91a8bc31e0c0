"""Instances of a 2D multi-mesh in the order of their y: bound once, run after each filling."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pynav.crowd import _y_order_kernels as kernels
from pynav.crowd.errors import BufferSizeError
from pynav.kernels import Sequence, Step

_BLOCK = 4096


class YOrder:
    """Writes instances that were filled by id into a buffer by rising y, equal ones by id.

    Parameters
    ----------
    floats
        Of an instance.
    by_id, ordered
        float32, contiguous, of one length, a multiple of ``floats``: what is read, and what is written.
    previous_by_id, previous
        The same of the tick before, for interpolation: they take today's order, since the engine blends instances by their place.

    Raises
    ------
    BufferSizeError
        Lengths that don't fit.

    Notes
    -----
    A sort by digits on one thread, the rest in parallel; it allocates nothing when it runs, and touches no state of a world.
    """

    def __init__(
        self,
        floats: int,
        by_id: npt.NDArray[np.float32],
        ordered: npt.NDArray[np.float32],
        previous_by_id: npt.NDArray[np.float32] | None = None,
        previous: npt.NDArray[np.float32] | None = None,
    ) -> None:
        pairs = [(by_id, ordered)]
        if previous_by_id is not None and previous is not None:
            pairs.append((previous_by_id, previous))
        if floats <= kernels.ORIGIN_Y or by_id.size % floats or any(array.size != by_id.size for pair in pairs for array in pair):
            sizes = ", ".join(str(array.size) for pair in pairs for array in pair)
            raise BufferSizeError(f"expected buffers of one length, a multiple of {floats} floats, got {sizes}")
        count = by_id.size // floats
        rows = by_id.reshape(count, floats)
        key = np.zeros(count, dtype=np.int64)
        self._order: npt.NDArray[np.int32] = np.zeros(count, dtype=np.int32)
        start = np.zeros((kernels.DIGITS, kernels.DIGIT_VALUES), dtype=np.int64)
        every = np.array([count], dtype=np.int64)
        steps = [
            Step(kernels.note_keys.bind(rows.view(np.int32), key), every, _BLOCK),
            Step(kernels.order_by_key.bind(key, self._order, np.zeros_like(self._order), start)),
        ]
        for source, target in pairs:
            take = kernels.take_rows.bind(source.reshape(count, floats), self._order, target.reshape(count, floats))
            steps.append(Step(take, every, _BLOCK))
        self._sequence = Sequence(steps)

    def run(self) -> None:
        """Write the instances where they are now."""
        self._sequence.run()
