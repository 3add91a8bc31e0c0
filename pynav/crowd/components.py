"""Connected components of the free tiles: whether a goal can be reached at all, without expanding a single tile."""

import numpy as np
import numpy.typing as npt

from pynav.crowd._component_kernels import label_components


class Components:
    """Labels of connected free tiles, made anew when first asked for after an edit (a few ns a tile, on one thread)."""

    def __init__(self, shape: tuple[int, int]) -> None:
        height, width = shape
        self._label: npt.NDArray[np.int32] = np.zeros(shape, dtype=np.int32)
        self._parent: npt.NDArray[np.int32] = np.zeros(height * ((width + 1) // 2) + 1, dtype=np.int32)
        self._result: npt.NDArray[np.int64] = np.zeros(1, dtype=np.int64)
        self._revision = -1

    def labels(self, cost: npt.NDArray[np.uint8], revision: int) -> npt.NDArray[np.int32]:
        """Labels (height, width), 0 for solid tiles; equal labels mean that a way exists."""
        if revision != self._revision:
            label_components(cost, self._label, self._parent, self._result)
            self._revision = revision
        return self._label

    @property
    def count(self) -> int:
        """Number of components at the last labelling."""
        return int(self._result[0])
