"""What is seen of a search from afar: of each sector the anchor from which least remains."""

import numpy as np
import numpy.typing as npt

from pynav.kernels.kept_call import KeptCall
from pynav.portals._target_kernels import find_best_anchors
from pynav.portals.portal_search import PortalSearch

_ROWS_PER_BLOCK = 16

Rect = tuple[int, int, int, int]  # left, top, right, bottom, in sectors; the last two not included


class BestAnchors:
    """The best anchors of sectors, followed through edits and searches.

    Args:
        search: read while it is released.

    Attributes:
        tile: int32 (sectors,), where the settled anchor of least value lies (y * width + x), the first of equal ones; -1: none.
        value: int64 (sectors,), what remains there; -1: none, -2: never looked at.
    """

    def __init__(self, search: PortalSearch) -> None:
        count = search.sectors.sector_count
        self.tile: npt.NDArray[np.int32] = np.full(count, -1, dtype=np.int32)
        self.value: npt.NDArray[np.int64] = np.full(count, -2, dtype=np.int64)
        self._search, self._finding = search, KeptCall(find_best_anchors)
        self._is_other: npt.NDArray[np.uint8] = np.zeros(count, dtype=np.uint8)

    def refresh(self, rect: Rect) -> npt.NDArray[np.int64]:
        """Bring those of a rectangle of sectors up to date; int64 (n,): the sectors of which they are others now."""
        search, pool, (left, top, right, bottom) = self._search, self._search.sectors.pool, rect
        self._is_other[:] = 0
        self._finding.bound(
            pool.side_start, pool.anchor_base, pool.anchor_tile, search.remaining, search.status, left, top, right,
            search.sectors.column_count, self.tile, self.value, self._is_other,
        ).run(bottom - top, _ROWS_PER_BLOCK)  # fmt: skip
        return np.flatnonzero(self._is_other)
