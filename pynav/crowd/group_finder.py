"""Groups: crowds that stand close together when their way is sought, and are to go it together."""

import numpy as np
import numpy.typing as npt

from pynav.crowd import _group_kernels as kernels
from pynav.crowd.agent_layout import ANCHOR_OFFSET
from pynav.crowd.agent_table import AgentTable
from pynav.crowd.crowd_table import CrowdTable
from pynav.sectors import Groups
from pynav.sectors.block_layout import STEP

GROUP_TILES = 48  # a crowd that is spread wider in x or y has no common way to begin with
_WIDTH = 1 << 20  # more than any map has columns


class GroupFinder:
    """Which crowds are groups, and who leads them.

    Args:
        table: the agents.
        crowds: what is known of their crowds.
    """

    def __init__(self, table: AgentTable, crowds: CrowdTable) -> None:
        self._table = table
        self._crowds = crowds
        self._spread: npt.NDArray[np.int64] = np.zeros((0, kernels.COLUMN_COUNT), dtype=np.int64)
        self._start: npt.NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self._start_count: npt.NDArray[np.int64] = np.zeros(1, dtype=np.int64)

    def of_crowds(self, wanted: list[int]) -> Groups:
        """Those of some crowds that are groups, on one layer. At most 150 us for 65,536 agents."""
        if not wanted:
            return Groups.none()
        spread = self._measured(wanted)
        leaders = [self._leader(crowd, spread[crowd]) for crowd in wanted if spread[crowd, kernels.WANTED]]
        if not leaders:
            return Groups.none()
        y, x = np.divmod(np.unique(self._start[: self._start_count[0]]), _WIDTH)
        by_block = np.lexsort((x // STEP, y // STEP))  # so that each block is looked at once
        starts = np.stack([x, y], axis=1)[by_block].astype(np.int32)
        return Groups(np.array(leaders, dtype=np.int32), starts)

    def _measured(self, wanted: list[int]) -> npt.NDArray[np.int64]:
        if len(self._spread) != self._crowds.crowd_count:
            self._spread = np.zeros((self._crowds.crowd_count, kernels.COLUMN_COUNT), dtype=np.int64)
        if len(self._start) < self._table.count:
            self._start = np.empty(self._table.capacity, dtype=np.int64)
        self._spread[:, kernels.WANTED] = 0
        self._spread[wanted, kernels.WANTED] = 1
        kernels.measure_crowds(
            *self._table.now, self._spread, self._crowds.settings, self._crowds.counters, self._start,
            self._start_count, self._table.count, GROUP_TILES * int(kernels.UNITS), _WIDTH,
        )  # fmt: skip
        return self._spread

    def _leader(self, crowd: int, row: npt.NDArray[np.int64]) -> tuple[int, int, int]:
        """Leader and radius of a compact crowd."""
        unit = float(kernels.UNITS)
        offset = float(self._crowds.settings[ANCHOR_OFFSET, crowd])
        leader = np.maximum(row[[kernels.LEADER_X, kernels.LEADER_Y]] / unit - offset, 0.0)
        near, far = row[[kernels.LEFT, kernels.TOP]] / unit - offset, row[[kernels.RIGHT, kernels.LOW]] / unit - offset
        radius = int(np.ceil(max((leader - near).max(), (far - leader).max()))) + 1
        return int(leader[0]), int(leader[1]), radius
