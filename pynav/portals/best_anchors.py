"""What is seen of a search from afar: of each sector the anchor from which least remains."""

import numpy as np
import numpy.typing as npt

from pynav.kernels.kept_call import KeptCall
from pynav.portals._target_kernels import find_best_anchors
from pynav.portals.portal_search import PortalSearch


class BestAnchors:
    """The best anchors of some sectors, followed through edits and searches.

    Args:
        search: read while it is released.
        sector: int64 (n,), the sectors.

    Attributes:
        tile: int32 (n,), where the settled anchor of least value lies (y * width + x), the first of equal ones; -1: none.
        value: int64 (n,), what remains there; -1: none.
    """

    def __init__(self, search: PortalSearch, sector: npt.NDArray[np.int64]) -> None:
        self.sector = sector
        self.tile: npt.NDArray[np.int32] = np.full(len(sector), -1, dtype=np.int32)
        self.value: npt.NDArray[np.int64] = np.full(len(sector), -1, dtype=np.int64)
        self._search, self._finding = search, KeptCall(find_best_anchors)
        self._result: npt.NDArray[np.int64] = np.zeros(1, dtype=np.int64)

    def refresh(self) -> bool:
        """Bring them up to date; whether any are others now."""
        search, pool = self._search, self._search.sectors.pool
        arrays = (pool.side_start, pool.anchor_base, pool.anchor_tile, search.remaining, search.status)
        self._finding.bound(*arrays, self.sector, self.tile, self.value, self._result).run()
        return bool(self._result[0])
