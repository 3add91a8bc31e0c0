"""Groups: crowds that stand close together when their way is sought, and are to go it together."""

import numpy as np
import numpy.typing as npt

from pynav.crowd import _group_kernels as kernels
from pynav.crowd.agent_layout import ANCHOR_OFFSET
from pynav.crowd.agent_table import AgentTable
from pynav.crowd.crowd_table import CrowdTable
from pynav.sectors.common_route import GROUP_COLUMNS

GROUP_TILES = 48  # a crowd that is spread wider in x or y has no common way to begin with


class Groups:
    """Which crowds are groups, and who leads them.

    Args:
        table: the agents.
        crowds: what is known of their crowds.
    """

    def __init__(self, table: AgentTable, crowds: CrowdTable) -> None:
        self._table = table
        self._crowds = crowds
        self._spread: npt.NDArray[np.int64] = np.zeros((0, kernels.COLUMN_COUNT), dtype=np.int64)

    def of_crowds(self, wanted: list[int]) -> npt.NDArray[np.int32]:
        """Those of some crowds that are groups, int32 (n, 3): tile (x, y) of the leader, within how many tiles of it all stand.

        Tiles are those of the crowd's layer. About 100 us for 65,536 agents.
        """
        spread = self._measured(wanted)
        groups = [self._group(crowd, spread[crowd]) for crowd in wanted if spread[crowd, kernels.WANTED]]
        return np.array(groups, dtype=np.int32).reshape(-1, GROUP_COLUMNS)

    def _measured(self, wanted: list[int]) -> npt.NDArray[np.int64]:
        if len(self._spread) != self._crowds.crowd_count:
            self._spread = np.zeros((self._crowds.crowd_count, kernels.COLUMN_COUNT), dtype=np.int64)
        self._spread[:, kernels.WANTED] = 0
        self._spread[wanted, kernels.WANTED] = 1
        values, tags = self._table.now
        kernels.measure_crowds(values, tags, self._spread, self._table.count, GROUP_TILES * int(kernels.UNITS))
        return self._spread

    def _group(self, crowd: int, row: npt.NDArray[np.int64]) -> tuple[int, int, int]:
        """Leader and radius of a compact crowd."""
        unit = float(kernels.UNITS)
        offset = float(self._crowds.settings[ANCHOR_OFFSET, crowd])
        leader = np.maximum(row[[kernels.LEADER_X, kernels.LEADER_Y]] / unit - offset, 0.0)
        near, far = row[[kernels.LEFT, kernels.TOP]] / unit - offset, row[[kernels.RIGHT, kernels.LOW]] / unit - offset
        radius = int(np.ceil(max((leader - near).max(), (far - leader).max()))) + 1
        return int(leader[0]), int(leader[1]), radius
