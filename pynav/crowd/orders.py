"""Orders: which goal each crowd has, whether anyone of it can get there, and the flow that it follows.

An order is taken at once and costs the same for any number of agents, but for a look for one that can reach the goal; what
it changes in the agents is done in one pass for all orders before the next tick (or before somebody looks).
"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from pynav.crowd import _order_kernels as kernels
from pynav.crowd.agent_layout import (
    AGENTS,
    ANCHOR_OFFSET,
    ARRIVALS,
    ARRIVE_RADIUS,
    FLOW_NONE,
    FLOW_REFUSED,
    FLOW_SLOT,
    GOAL_X,
    GOAL_Y,
    HAS_GOAL,
    IDLE,
    LAYER,
    WALKING,
)
from pynav.crowd.agent_table import AgentTable
from pynav.crowd.crowd_table import CrowdTable
from pynav.crowd.flow import Flow
from pynav.crowd.flow_table import FlowTable
from pynav.grid.connectivity import Connectivity
from pynav.kernels import BoundCall


class Orders:
    """Goals and flows by crowd.

    Args:
        table: the agents.
        crowds: what kernels know of the crowds; orders write FLOW_SLOT, HAS_GOAL and ARRIVALS.
        connectivity_of: what is connected on the layer that a crowd walks on.
    """

    def __init__(self, table: AgentTable, crowds: CrowdTable, connectivity_of: Callable[[int], Connectivity]) -> None:
        self._table = table
        self._crowds = crowds
        self.connectivity_of = connectivity_of
        self._flows: FlowTable | None = None
        self.goal: list[npt.NDArray[np.float32] | None] = []  # (n, 2) points, tiles
        self.flow: list[Flow | None] = []
        self._new_status: dict[int, int] = {}  # of the agents of crowds whose orders have changed
        self._search: BoundCall | None = None
        self._found: npt.NDArray[np.int64] = np.zeros(1, dtype=np.int64)

    def add_crowd(self) -> None:
        """One crowd more, without a goal."""
        self.goal.append(None)
        self.flow.append(None)

    def take_map(self, flows: FlowTable) -> None:
        """Forget all goals: another map."""
        self.use_flows(flows)
        self._new_status.clear()
        count = len(self.goal)
        self.goal, self.flow = [None] * count, [None] * count
        self._crowds.numbers[FLOW_SLOT, :count] = FLOW_NONE
        self._crowds.numbers[HAS_GOAL, :count] = 0

    def use_flows(self, flows: FlowTable) -> None:
        """Ask for flows there from now on."""
        self._flows = flows

    # --- orders

    def order(self, crowd: int, points: npt.NDArray[np.float32], tick: int) -> bool:
        """Give a crowd its goal, points float32 (n, 2) inside the map; whether anyone of it can get there (or it is empty)."""
        goal = self.goal[crowd]
        if goal is not None and np.array_equal(goal, points):
            return not self.is_refused(crowd)
        old = self.flow[crowd]
        self.goal[crowd], self.flow[crowd] = points, None
        self._crowds.numbers[HAS_GOAL, crowd] = 1
        self._crowds.counters[ARRIVALS, crowd] = 0
        self._new_status[crowd] = WALKING
        if old is not None:  # before the new one is asked for: it may take the old one's place
            assert self._flows is not None
            self._flows.release(old)
        return self.try_to_reach(crowd, tick)

    def clear(self, crowd: int) -> None:
        """Take a crowd's goal."""
        if self.goal[crowd] is None:
            return
        flow = self.flow[crowd]
        if flow is not None:
            assert self._flows is not None
            self._flows.release(flow)
        self.goal[crowd] = self.flow[crowd] = None
        self._crowds.numbers[HAS_GOAL, crowd] = 0
        self._crowds.numbers[FLOW_SLOT, crowd] = FLOW_NONE
        self._new_status[crowd] = IDLE

    def seek_anew(self, crowd: int, tick: int) -> None:
        """Look for the way to a crowd's goal again: it walks on another layer than before."""
        if self.goal[crowd] is None or self._flows is None:
            return
        flow = self.flow[crowd]
        if flow is not None:
            self._flows.release(flow)
            self.flow[crowd] = None
        self.try_to_reach(crowd, tick)

    def restart_agents(self) -> bool:
        """Have the agents of crowds with new orders set out (or stop); whether there were any."""
        if not self._new_status:
            return False
        new_status = np.full(self._crowds.crowd_count, kernels.KEEP_STATUS, dtype=np.int32)
        new_status[list(self._new_status)] = list(self._new_status.values())
        self._new_status.clear()
        self._table.run_over(kernels.restart_crowds, new_status)
        return True

    # --- who can get there

    def is_refused(self, crowd: int) -> bool:
        """Whether nobody of the crowd can get to its goal."""
        return int(self._crowds.numbers[FLOW_SLOT, crowd]) == FLOW_REFUSED

    def try_to_reach(self, crowd: int, tick: int) -> bool:
        """Compare the components of the crowd's agents with those of its goal; on a match get it a flow."""
        goal, flows = self.goal[crowd], self._flows
        assert goal is not None and flows is not None
        points = np.maximum(goal - self._crowds.settings[ANCHOR_OFFSET, crowd], np.float32(0.0))
        if not self._is_reached_by_any(crowd, points):
            self._crowds.numbers[FLOW_SLOT, crowd] = FLOW_REFUSED
            return False
        self._crowds.settings[GOAL_X : GOAL_Y + 1, crowd] = _middle_goal(points)
        radius = float(self._crowds.settings[ARRIVE_RADIUS, crowd])
        flow = flows.acquire(points, radius, tick, int(self._crowds.numbers[LAYER, crowd]))
        self.flow[crowd] = flow
        self._crowds.numbers[FLOW_SLOT, crowd] = flow.index if flow.is_published else FLOW_NONE
        return True

    def _is_reached_by_any(self, crowd: int, points: npt.NDArray[np.float32]) -> bool:
        """Whether one of the crowd's agents is connected with one of some points among its layer's tiles (or there is none)."""
        connectivity = self.connectivity_of(crowd)
        roots = connectivity.roots(points.astype(np.int64))
        roots = roots[roots > 0]
        if len(roots) == 0 or self._crowds.counters[AGENTS, crowd] == 0:
            return len(roots) > 0
        values, tags = self._table.now
        arrays = {"values": values, "tags": tags, "label": connectivity.label, "root": connectivity.root, "goal_root": roots}
        if self._search is None:
            self._search = kernels.find_reaching_agent.bind(*arrays.values(), self._found, 0, 0, 0.0)
        else:
            self._search.set_arrays(**arrays)
        self._search.set("crowd", crowd)
        self._search.set("agent_count", self._table.count)
        self._search.set("offset", self._crowds.settings[ANCHOR_OFFSET, crowd])
        self._search.run()
        return bool(self._found[0])

    def test_refused(self, tick: int) -> None:
        """See whether crowds without a way have one now."""
        for crowd in range(len(self.goal)):
            if self.is_refused(crowd):
                self.try_to_reach(crowd, tick)

    def serve(self, flow: Flow) -> None:
        """Let the crowds with this flow's goal follow it."""
        for crowd, own in enumerate(self.flow):
            if own is flow:
                self._crowds.numbers[FLOW_SLOT, crowd] = flow.index


def _middle_goal(points: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """The one of some goals that lies nearest to the middle of all, the first of equal ones."""
    if len(points) == 1:
        return np.asarray(points[0])
    away = points - points.mean(axis=0, dtype=np.float64)
    return np.asarray(points[int(np.argmin((away * away).sum(axis=1)))])
