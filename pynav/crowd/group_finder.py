"""Groups that stand close together when their way is sought, and are to go it together."""

import math

import numpy as np
import numpy.typing as npt

from pynav.crowd import _group_kernels as kernels
from pynav.crowd.agent_table import AgentTable
from pynav.crowd.crowd_table import CrowdTable
from pynav.crowd.group_table import GroupTable
from pynav.grid.clearance import anchor_offset
from pynav.kernels.kept_call import KeptCall
from pynav.sectors import Groups
from pynav.sectors.block_layout import STEP

GROUP_TILES = 48  # a group that is spread wider in x or y has no common way to begin with
_WIDTH = 1 << 20  # more than any map has columns of blocks


class GroupFinder:
    """Which groups stand together, and who leads them.

    Args:
        table: the agents.
        crowds: what is known of their crowds.
        groups: what is known of their groups.
    """

    def __init__(self, table: AgentTable, crowds: CrowdTable, groups: GroupTable) -> None:
        self._table = table
        self._crowds = crowds
        self._groups = groups
        self._spread: npt.NDArray[np.int64] = np.zeros((0, kernels.COLUMN_COUNT), dtype=np.int64)
        self._start: npt.NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self._measure = KeptCall(kernels.measure_groups)
        self._start_count: npt.NDArray[np.int64] = np.zeros(1, dtype=np.int64)

    def those_together(self, wanted: list[int]) -> Groups:
        """Those of some groups that stand together, on one layer. At most 150 us for 65,536 agents."""
        if not wanted:
            return Groups.none()
        spread = self._measured(wanted)
        leaders = [self._leader(group, spread[group]) for group in wanted if spread[group, kernels.WANTED]]
        if not leaders:
            return Groups.none()
        block, tile = np.divmod(np.unique(self._start[: self._start_count[0]]), STEP * STEP)  # each block is looked at once
        starts = np.empty((len(block), 2), dtype=np.int32)
        starts[:, 0] = block % _WIDTH * STEP + tile % STEP
        starts[:, 1] = block // _WIDTH * STEP + tile // STEP
        return Groups(np.array(leaders, dtype=np.int32), starts)

    def _measured(self, wanted: list[int]) -> npt.NDArray[np.int64]:
        if len(self._spread) != self._groups.row_count:
            self._spread = np.zeros((self._groups.row_count, kernels.COLUMN_COUNT), dtype=np.int64)
        if len(self._start) < self._table.count:
            self._start = np.empty(self._table.capacity, dtype=np.int64)
        self._spread[:, kernels.WANTED] = 0
        self._spread[wanted, kernels.WANTED] = 1
        self._measure.bound(
            *self._table.now, self._spread, self._crowds.settings, self._groups.counters, self._start,
            self._start_count, self._table.count, GROUP_TILES * int(kernels.UNITS), _WIDTH,
        ).run()  # fmt: skip
        return self._spread

    def _leader(self, group: int, row: npt.NDArray[np.int64]) -> tuple[int, int, int]:
        """Leader and radius of a compact group."""
        layer_key = self._groups.layer_key[group]
        assert layer_key is not None
        offset = anchor_offset(layer_key[1])
        places = [place / float(kernels.UNITS) - offset for place in row.tolist()]
        x, y = max(places[kernels.LEADER_X], 0.0), max(places[kernels.LEADER_Y], 0.0)
        radius = max(x - places[kernels.LEFT], y - places[kernels.TOP], places[kernels.RIGHT] - x, places[kernels.LOW] - y)
        return int(x), int(y), math.ceil(radius) + 1
