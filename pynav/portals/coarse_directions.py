"""First directions of an order, cheap enough for the tick in which it is given."""

import numpy as np
import numpy.typing as npt

from pynav.kernels import Sequence, Step
from pynav.portals import _search_kernels as kernels
from pynav.portals import _target_kernels as target_kernels
from pynav.portals.portal_search import PortalSearch
from pynav.portals.sector_layout import NEVER
from pynav.portals.sector_map import SectorMap

_GREED = 150  # percent; about a quarter of the work, over ways that are some percent longer


class CoarseDirections:
    """First directions in the tick of an order: which tile the units of a sector's islands should head for.

    Args:
        sectors: the map's sectors, kept up to date by their owner.
        most_sectors: start sectors that a call can take.
        most_islands: islands a sector that get an answer; later ones have none.
        budget: anchors settled a call, at most.

    Attributes:
        goal: int32 (2,), the tile (x, y) of the order.
        starts: int32 (most_sectors,), the start sectors, distinct.
        start_count: int64 (1,), how many of them.
        target: int32 (most_sectors, most_islands): the tile y * width + x where the next portal is to be crossed, the goal
            itself in its own island, -1 where nothing is known.
        target_value: int64, the same shape: what remains from that tile on (NEVER where nothing is known).

    Notes:
        Deterministic; the work is counted, and where the budget ends it some sectors may have no answer. ``steps`` run without
        Python, over fixed arrays: fill ``goal``, ``starts`` and ``start_count`` before. ``refresh`` after each edit.
    """

    def __init__(self, sectors: SectorMap, most_sectors: int = 256, most_islands: int = 4, budget: int = 2048) -> None:
        self._search = PortalSearch(sectors, most_sectors, _GREED)
        self._budget = budget
        self.goal: npt.NDArray[np.int32] = np.zeros(2, dtype=np.int32)
        self.starts = self._search.listed
        self.start_count: npt.NDArray[np.int64] = self._search.progress[kernels.LISTED : kernels.LISTED + 1]
        self.target: npt.NDArray[np.int32] = np.full((most_sectors, most_islands), -1, dtype=np.int32)
        self.target_value: npt.NDArray[np.int64] = np.full((most_sectors, most_islands), NEVER, dtype=np.int64)
        self._asked: npt.NDArray[np.int64] = np.zeros(1, dtype=np.int64)
        self.refresh()

    def refresh(self) -> None:
        """Follow an edit of the map."""
        self._search.refresh()
        self._revision = self._search.sectors.revision
        self._run = Sequence(self.steps())

    def steps(self) -> list[Step]:
        """The work of a call, for a sequence; to be asked for again after ``refresh``."""
        search, sectors = self._search, self._search.sectors
        search.searching.set("budget", self._budget)
        take = target_kernels.take_goal.bind(
            sectors.grid.cost, self.goal, search.goal_room, sectors.size, sectors.column_count, search.progress
        )
        write = target_kernels.write_targets.bind(
            *search.graph, search.remaining, search.status, search.goal_room, search.progress, self.starts, self.target,
            self.target_value,
        )  # fmt: skip
        calls = [search.forgetting, take, search.widening, search.seeding, search.wanting, search.searching, write]
        return [Step(call) for call in calls]

    def run(self, goal: tuple[int, int], starts: npt.NDArray[np.int32]) -> int:
        """Fill the first rows of ``target`` for some start sectors, int32 (n,); the number of anchors settled.

        Raises:
            ValueError: more sectors than ``most_sectors``.
        """
        if len(starts) > len(self.starts):
            raise ValueError(f"CoarseDirections: expected at most {len(self.starts)} start sectors, got {len(starts)}")
        if self._revision != self._search.sectors.revision:
            self.refresh()
        self.goal[:] = goal
        self.starts[: len(starts)] = starts
        self.start_count[0] = len(starts)
        self._run.run()
        return self._search.expanded
