"""Orders: which goal each group has, whether anyone of it can get there, and the flow that it follows.

An order is taken at once and costs the same for any number of agents, but for a look for one that can reach the goal; what
it changes in the agents is done in one pass for all orders before the next tick (or before somebody looks).

A goal that moves on a little (a player who is chased) is not a new start: agents follow the flow to where it was until the next
one is there. One search a group is under way at a time, towards the latest goal when it began; so a goal that moves each tick
costs no more searches than get done, and each of them is of use.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from pynav.crowd import _order_kernels as kernels
from pynav.crowd.agent_layout import (
    ARRIVALS,
    DESTINATION,
    FLOW_NONE,
    FLOW_REFUSED,
    FLOW_SLOT,
    GOAL_X,
    GOAL_Y,
    HAS_GOAL,
    IS_STAND_IN,
    MEMBERS,
    REACH,
    REST_STATUS,
    WALKING,
)
from pynav.crowd.agent_table import AgentTable
from pynav.crowd.crowd_table import CrowdTable
from pynav.crowd.destinations import Destinations
from pynav.crowd.flow import Flow, goal_key
from pynav.crowd.flow_table import FlowTable
from pynav.crowd.group_finder import GroupFinder
from pynav.crowd.group_table import GroupTable
from pynav.grid.clearance import anchor_offset
from pynav.grid.connectivity import Connectivity
from pynav.kernels.kept_call import KeptCall
from pynav.sectors import Groups

CHASE_TILES = 3.0  # a goal that moves no farther at a time is followed rather than sought anew
Points = npt.NDArray[np.float32]


class Orders:
    """Goals and flows by group.

    Args:
        table: the agents.
        crowds: what kernels know of their crowds.
        groups: what kernels know of the groups; orders write FLOW_SLOT, HAS_GOAL, the goal and ARRIVALS.
        connectivity_of: what is connected on the layer that a group walks on.
        layer_points: where points of the map lie among the tiles of a group's layer.
    """

    def __init__(
        self,
        table: AgentTable,
        crowds: CrowdTable,
        groups: GroupTable,
        connectivity_of: Callable[[int], Connectivity],
        layer_points: Callable[[int, Points], Points],
    ) -> None:
        self._table = table
        self._groups = groups
        self.connectivity_of = connectivity_of
        self.layer_points = layer_points
        self._flows: FlowTable | None = None
        self._finder = GroupFinder(table, crowds, groups)
        self.cohesion: list[bool] = []  # whether a group that stands together goes together
        self.goal: list[npt.NDArray[np.float32] | None] = []  # (n, 2) points, tiles
        self.flow: list[Flow | None] = []  # to the goal
        self.stand_ins: list[list[Flow]] = []  # to where it was: the one that agents follow, then the one under way
        self._destinations = Destinations()
        self._new_status: dict[int, int] = {}  # of the agents of groups whose orders have changed
        self._has_departures = False
        self._search = _AgentSearch(table)
        self._latest: dict[int, int] = {}  # where in the table one of a group was found: it moves there only slowly

    def add_group(self, group: int, cohesion: bool = True) -> None:
        """A group more, without a goal, in a row of the group table."""
        if group == len(self.goal):
            self.goal.append(None)
            self.flow.append(None)
            self.stand_ins.append([])
            self.cohesion.append(cohesion)
        self.cohesion[group] = cohesion

    def take_map(self, flows: FlowTable) -> None:
        """Forget all goals: another map."""
        self.use_flows(flows)
        self._new_status.clear()
        count = len(self.goal)
        self.goal, self.flow, self.stand_ins = [None] * count, [None] * count, [[] for _ in range(count)]
        self._groups.numbers[FLOW_SLOT, :count] = FLOW_NONE
        self._groups.numbers[HAS_GOAL, :count] = 0
        for group in range(count):
            self._drop_destination(group)

    def use_flows(self, flows: FlowTable) -> None:
        """Ask for flows there from now on."""
        self._flows = flows
        flows.groups_of = self.groups_of

    # --- orders

    def order(self, group: int, points: Points, tick: int, asked: Points | None = None) -> bool:
        """Give a group its goal, points float32 (n, 2) inside the map; whether anyone of it can get there (or it is empty).

        ``asked`` is what the points stand for where they are others: groups that are asked to the same place go to one.
        """
        goal = self.goal[group]
        if goal is not None and goal_key(goal) == goal_key(points):
            return not self.is_refused(group)
        is_chase = goal is not None and _are_near(goal, points)
        self.goal[group] = points
        self._groups.numbers[DESTINATION, group] = self._destinations.note(group, goal_key(points if asked is None else asked))
        self._groups.numbers[HAS_GOAL, group] = 1
        self._groups.counters[ARRIVALS, group] = 0
        self._new_status[group] = WALKING | (kernels.KEEP_WISH if is_chase else 0)
        if is_chase:
            self._keep_stand_ins(group)
        else:
            self._has_departures = True
            self._drop_flows(group)
        return self.try_to_reach(group, tick)

    def _drop_destination(self, group: int) -> None:
        self._groups.numbers[DESTINATION, group] = 0
        self._destinations.forget(group)

    def _keep_stand_ins(self, group: int) -> None:
        """Let what leads near to the new goal, or will, serve until the flow to it is there."""
        flow, flows = self.flow[group], self._flows
        if flow is None or flows is None:
            return
        self.flow[group] = None
        stand_ins = self.stand_ins[group]
        is_coming = any(not other.is_published for other in stand_ins)
        if flow.is_published:
            self.stand_ins[group] = [flow]
            for other in stand_ins:
                flows.release(other)
        elif flows.is_under_way(flow) and not is_coming:
            stand_ins.append(flow)
        else:
            flows.release(flow)

    def _drop_flows(self, group: int) -> None:
        """Let all flows of a group go."""
        flow = self.flow[group]
        for other in [*self.stand_ins[group], *([] if flow is None else [flow])]:
            assert self._flows is not None
            self._flows.release(other)
        self.flow[group], self.stand_ins[group] = None, []

    def clear(self, group: int) -> None:
        """Take a group's goal."""
        if self.goal[group] is None:
            return
        self._drop_flows(group)
        self.goal[group] = None
        self._groups.numbers[HAS_GOAL, group] = 0
        self._drop_destination(group)
        self._follow(group, FLOW_NONE)
        self.rest(group)

    def rest(self, group: int) -> None:
        """Have the agents of a group without a goal stand."""
        self._new_status[group] = int(self._groups.numbers[REST_STATUS, group])

    def forget(self, group: int) -> None:
        """Let all go that a group without members holds."""
        self._drop_flows(group)
        self.goal[group] = None
        self._groups.numbers[HAS_GOAL, group] = 0
        self._drop_destination(group)
        self._follow(group, FLOW_NONE)
        self._new_status.pop(group, None)
        self._latest.pop(group, None)

    def share(self, group: int, other: int) -> None:
        """Give a group the goal of another one, with all that leads there: its agents, who come from there, walk on."""
        self.goal[group] = self.goal[other]
        self.flow[group], self.stand_ins[group] = self.flow[other], list(self.stand_ins[other])
        for flow in [*self.stand_ins[group], *([] if self.flow[group] is None else [self.flow[group]])]:
            assert flow is not None
            flow.user_count += 1
            flow.groups.add(group)
        self._destinations.share(group, other)
        for row in (FLOW_SLOT, HAS_GOAL, IS_STAND_IN, DESTINATION):
            self._groups.numbers[row, group] = self._groups.numbers[row, other]
        self._groups.settings[GOAL_X : GOAL_Y + 1, group] = self._groups.settings[GOAL_X : GOAL_Y + 1, other]

    def seek_anew(self, group: int, tick: int) -> None:
        """Look for the way to a group's goal again: it walks on another layer than before."""
        if self.goal[group] is None or self._flows is None:
            return
        self._drop_flows(group)
        self.try_to_reach(group, tick)

    @property
    def has_news(self) -> bool:
        """Whether some are to set out or to stop, or were sent somewhere else."""
        return bool(self._new_status) or self._has_departures

    def restart_agents(self) -> bool:
        """Have the agents of groups with new orders set out (or stop); whether there were any."""
        if not self._new_status:
            return False
        new_status = np.full(self._groups.row_count, kernels.KEEP_STATUS, dtype=np.int32)
        new_status[list(self._new_status)] = list(self._new_status.values())
        for group, status in self._new_status.items():
            if status == WALKING:
                self._groups.set_off(group)
        self._new_status.clear()
        self._table.run_over(kernels.restart_groups, new_status)
        return True

    def take_departures(self) -> bool:
        """Whether a group was sent somewhere else since this was asked last."""
        has_departures, self._has_departures = self._has_departures, False
        return has_departures

    # --- who can get there

    def is_refused(self, group: int) -> bool:
        """Whether nobody of the group can get to its goal."""
        return int(self._groups.numbers[FLOW_SLOT, group]) == FLOW_REFUSED

    def try_to_reach(self, group: int, tick: int) -> bool:
        """Compare the components of the group's agents with those of its goal; on a match get it a flow."""
        goal, flows = self.goal[group], self._flows
        assert goal is not None and flows is not None
        points = self.layer_points(group, goal)
        if not self._is_reached_by_any(group, points):
            self._drop_flows(group)
            self._follow(group, FLOW_REFUSED)
            return False
        self._groups.settings[GOAL_X : GOAL_Y + 1, group] = _middle_goal(points)
        radius = float(self._groups.settings[REACH, group])
        is_coming = any(not stand_in.is_published for stand_in in self.stand_ins[group])
        flow = flows.acquire(points, radius, tick, self._groups.layer[group], not is_coming)
        self.flow[group] = flow
        flow.groups.add(group)
        if flow.is_published:
            self._arrive_at_goal_flow(group, flow)
            if self.cohesion[group] and len(self._finder.those_together([group]).leaders):
                flows.request(flow, tick)  # it was built without this group
        else:
            self._follow_stand_in(group)
        return True

    def groups_of(self, flow: Flow) -> Groups:
        """The groups that are to go to a flow's goals together; none of those that chase a moving goal."""
        groups = [
            group
            for group in sorted(flow.groups)
            if self.flow[group] is flow and self.cohesion[group] and not self.stand_ins[group]
        ]
        return self._finder.those_together(groups)

    def _follow(self, group: int, slot: int, is_stand_in: bool = False) -> None:
        self._groups.numbers[FLOW_SLOT, group] = slot
        self._groups.numbers[IS_STAND_IN, group] = is_stand_in

    def _follow_stand_in(self, group: int) -> None:
        """Follow the latest flow to where the goal was, if there is one."""
        published = [flow for flow in self.stand_ins[group] if flow.is_published]
        if published:
            self._follow(group, published[-1].index, is_stand_in=True)
        else:
            self._follow(group, FLOW_NONE)

    def _arrive_at_goal_flow(self, group: int, flow: Flow) -> None:
        """Follow the flow to the goal itself; nothing has to stand in any more."""
        assert self._flows is not None
        self._follow(group, flow.index)
        for other in self.stand_ins[group]:
            self._flows.release(other)
        self.stand_ins[group] = []

    def _is_reached_by_any(self, group: int, points: npt.NDArray[np.float32]) -> bool:
        """Whether one of the group's agents is connected with one of some points among its layer's tiles (or there is none)."""
        connectivity = self.connectivity_of(group)
        roots = connectivity.leading_to(_roots_of(connectivity, points))
        if not roots or self._groups.counters[MEMBERS, group] == 0:
            return bool(roots)
        layer_key = self._groups.layer_key[group]
        assert layer_key is not None
        first = min(self._latest.get(group, 0), self._table.count - 1)
        is_there, self._latest[group] = self._search.run(connectivity, sorted(roots), group, first, anchor_offset(layer_key[1]))
        return is_there

    def test_refused(self, tick: int) -> None:
        """See whether groups without a way have one now."""
        for group in range(len(self.goal)):
            if self.is_refused(group):
                self.try_to_reach(group, tick)

    def serve(self, flow: Flow, tick: int) -> None:
        """Let the groups with this flow's goal follow it."""
        assert self._flows is not None
        for group in sorted(flow.groups):
            own = self.flow[group]
            if own is flow:
                self._arrive_at_goal_flow(group, flow)
                self._groups.set_off(group)
            elif flow in self.stand_ins[group]:
                for other in self.stand_ins[group]:
                    if other is not flow:
                        self._flows.release(other)
                self.stand_ins[group] = [flow]
                self._follow_stand_in(group)
                if own is not None:
                    self._flows.request(own, tick)

    # --- state

    def state(self) -> dict[str, Any]:
        """What a snapshot needs beside the goals: the rows of each group's flows, and what was asked for."""
        asked, last = self._destinations.state(len(self.goal))
        return {"flows": self._flow_rows(), "asked": asked, "last_destination": last}

    def _flow_rows(self) -> list[list[int | None]]:
        return [
            [None if flow is None else flow.index, *(other.index for other in stand_ins)]
            for flow, stand_ins in zip(self.flow, self.stand_ins, strict=True)
        ]

    def load(self, state: dict[str, Any], flows: FlowTable) -> None:
        """Take up a state; the goals are there already."""
        self.use_flows(flows)
        self._destinations.load(state["asked"], self._groups.numbers[DESTINATION].tolist(), state["last_destination"])
        for group, rows in enumerate(state["flows"]):
            found = [None if row is None else flows.flows[row] for row in rows]
            self.flow[group], self.stand_ins[group] = found[0], [flow for flow in found[1:] if flow is not None]
            for flow in found:
                if flow is not None:
                    flow.user_count += 1
                    flow.groups.add(group)


class _AgentSearch:
    """Looks for an agent of a group that stands in one of some components."""

    def __init__(self, table: AgentTable) -> None:
        self._table = table
        self._found: npt.NDArray[np.int64] = np.zeros(2, dtype=np.int64)
        self._one_root: npt.NDArray[np.int32] = np.zeros(1, dtype=np.int32)  # nearly always there is one: no new array
        self._calls = [KeptCall(kernels.find_reaching_agent) for _ in range(2)]  # by the side of the table

    def run(self, connectivity: Connectivity, roots: list[int], group: int, first: int, offset: float) -> tuple[bool, int]:
        """Whether there is one, and where in the table; the look begins with the agent ``first``."""
        sources = self._one_root if len(roots) == 1 else np.zeros(len(roots), dtype=np.int32)
        sources[:] = roots
        self._calls[self._table.side].bound(
            *self._table.now, connectivity.label, connectivity.root, sources, self._found, group, self._table.count, first, offset
        ).run()
        is_there, where = self._found.tolist()
        return bool(is_there), where


def _roots_of(connectivity: Connectivity, points: Points) -> list[int]:
    """Components of points inside the map; 0 for solid tiles."""
    if len(points) == 1:  # by far the most frequent question
        ((x, y),) = points.tolist()
        return [connectivity.root_at(int(x), int(y))]
    return [int(root) for root in connectivity.roots(points.astype(np.int64))]


def _are_near(goal: Points, other: Points) -> bool:
    """Whether both are single points, not farther apart than a goal that is chased moves."""
    if len(goal) != 1 or len(other) != 1:
        return False
    ((x, y),), ((other_x, other_y),) = goal.tolist(), other.tolist()
    return bool(abs(x - other_x) <= CHASE_TILES and abs(y - other_y) <= CHASE_TILES)


def _middle_goal(points: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """The one of some goals that lies nearest to the middle of all, the first of equal ones."""
    if len(points) == 1:
        return np.asarray(points[0])
    away = points - points.mean(axis=0, dtype=np.float64)
    return np.asarray(points[int(np.argmin((away * away).sum(axis=1)))])
