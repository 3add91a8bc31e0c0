"""The flow table: one direction map a goal that agents follow, and how it is kept right.

A flow is asked for by its goal; crowds with the same goal share it. A build waits for its turn with the job scheduler and works
on the costs as they were when it began, so that a player who paints walls without a pause still gets a new flow instead of one
that is restarted for ever; what was edited in the meantime is repaired after it is published.

An edit is repaired in the published flows themselves, in the ticks after it, those that wait longest first, as many a tick as
the builds that begin or are published leave of the budget; only where it changes too much is a flow queued for a build from
nothing, and the old one serves until then.

Flows of all navigation layers (movement classes and unit sizes) stand in one table: a layer has its own blocks, which are made
when the first flow on it is asked for; the rows of the table are the same for all, so that kernels know a flow by its row alone.

A published flow is the exact distance at the border tiles of blocks. The directions of a block are written in the tick in
which an agent first needs them (``wanted_steps``), and again after an edit has changed them.
"""

import heapq
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from pynav.crowd import _wanted_block_kernels as wanted
from pynav.crowd.agent_table import AGENT_BLOCK, AgentTable
from pynav.crowd.crowd_table import CrowdTable
from pynav.crowd.flow import Flow, goal_key
from pynav.crowd.flow_build import BlockBuild, FlowBuild, WholeBuild
from pynav.crowd.flow_layer import FlowLayer
from pynav.crowd.flow_rows import ROWS, FlowRows
from pynav.crowd.goal_table import GoalTable
from pynav.crowd.group_table import GroupTable
from pynav.crowd.near_marks import NearMarks
from pynav.grid import DIRECTION_X, DIRECTION_Y, NO_WAY, SOLID_TILE, TileGrid
from pynav.jobs import CacheCounts, JobScheduler, Ticket
from pynav.kernels import Sequence, Step
from pynav.sectors import BlockGraph, CommonRoute, GoalValues, Groups
from pynav.sectors.block_flow import PARTS, write_steps
from pynav.sectors.block_layout import HELD, ITEM_COUNT_COUNT, MISSING, NOT_HERE, READY, UNREACHED
from pynav.sectors.common_route import REACH_STEPS
from pynav.sectors.flow_repair import NOT_TRIED, TOO_MUCH, FlowRepair

TILES_PER_UNIT = 6  # a whole build expands this many tiles in the time of a look at a block
UNITS_OF_A_BUILD = 400  # of the main thread, when it begins and when it is published
LEAST_REPAIR = 4  # one part in so many of the budget, whatever begins
BLOCKS_PER_TICK = 256  # whose directions are written in one tick
ORDER_PRIORITY = 1  # of flows that nobody can follow yet, over those of which an old one serves
CORRIDOR_TILES_PER_UNIT = 4
LAST_SERIAL = 32_767
_DIAGONAL = 0.70710678


class FlowTable:
    """Flows of one map, on all of its layers.

    Args:
        grid: the costs of the first layer; call ``map_changed`` after each edit.
        scheduler: who gives builds their turns.

    Attributes:
        groups_of: the groups that are to go to a flow's goals together, on its layer.
        goals: the points of all flows, by row.
    """

    def __init__(self, grid: TileGrid, scheduler: JobScheduler) -> None:
        self.groups_of: Callable[[Flow], Groups] = no_groups
        self.layers = [FlowLayer(grid)]
        self.scheduler = scheduler
        self.direction_vector: npt.NDArray[np.float32] = _direction_vectors()
        self.flows: list[Flow | None] = []  # by row; None for a free one
        self._free: list[int] = []  # heap of these
        self._flow_of_key: dict[tuple[int, bytes], Flow] = {}
        self.flow_counts = CacheCounts()  # goals that had a flow already, those that got a new one
        self._allocate(1)
        self.near = NearMarks(self.rows.count)
        self.goals = GoalTable()
        self._goals_are_due = False
        self._to_repair: list[Flow] = []  # those that wait longest first
        self._dismissed: list[FlowBuild] = []  # the background thread may still be at a slice of them
        self._last_serial = 0
        self._is_something_due = True  # goals or marks, or matrices to be let go
        self._repair: FlowRepair | None = None
        self.item_slot: npt.NDArray[np.int32] = np.zeros(BLOCKS_PER_TICK, dtype=np.int32)
        self.item_block: npt.NDArray[np.int32] = np.zeros(BLOCKS_PER_TICK, dtype=np.int32)
        self._item_counts: npt.NDArray[np.int64] = np.zeros(ITEM_COUNT_COUNT, dtype=np.int64)

    @property
    def graph(self) -> BlockGraph:
        """Blocks of the first layer; those of all layers have the same places and numbers."""
        return self.layers[0].graph

    def add_layer(self, layer: FlowLayer) -> None:
        """One more layer, of a grid of the same size. Its blocks are made when a flow on it is asked for."""
        self.layers.append(layer)

    def _allocate(self, count: int) -> None:
        """Arrays with a row a flow, with room for ``count`` at least."""
        self.rows = FlowRows(self.graph, count)
        self.layer_of: npt.NDArray[np.int32] = np.zeros(self.rows.count, dtype=np.int32)
        self.common = self.rows.common
        # Tells targets that agents found on a flow as it is now from older ones (_string_pulling_kernels.py); 1..32767.
        self.route_serial: npt.NDArray[np.int32] = np.zeros(self.rows.count, dtype=np.int32)
        self.flow, self.value, self.edge, self.ready = self.rows.flow, self.rows.value, self.rows.edge, self.rows.ready

    def _grow(self) -> None:
        serials, layers, rows, common = self.route_serial, self.layer_of, self.rows, self.common
        self._allocate(2 * rows.count)
        self.route_serial[: len(serials)] = serials
        self.layer_of[: len(layers)] = layers
        self.near.grow(self.rows.count)
        self.common.take_rows(common)
        self.rows.take(rows, [flow.index for flow in self._present() if flow.is_published])

    def _free_row(self) -> int:
        """The lowest row that is free; arrays may be replaced."""
        if self._free:
            return heapq.heappop(self._free)
        if len(self.flows) == self.rows.count:
            self._grow()
        self.flows.append(None)
        return len(self.flows) - 1

    def take_grids(self, grids: list[TileGrid], tick: int) -> None:
        """Build from other grids of the same size from now on, one a layer; builds in progress go on with the costs that they
        have.
        """
        counts = [layer.flow_count for layer in self.layers]
        self.layers = [FlowLayer(grid) for grid in grids]
        for layer, count in zip(self.layers, counts, strict=True):
            layer.flow_count = count
        self.layer_of = self.layer_of.copy()  # replaced: calls must be bound anew
        self.common.has_code[:] = 0
        self._repair = None
        self._to_repair.clear()
        for flow in self._present():
            flow.changed.clear()
            flow.is_exact = flow.is_blockwise = False  # its next values are written over everything
            self.request(flow, tick)
        for ticket in self.scheduler.begun:
            ticket.work.is_outdated = True

    def _present(self) -> list[Flow]:
        return [flow for flow in self.flows if flow is not None]

    # --- requests

    def acquire(
        self, points: npt.NDArray[np.float32], radius: float, tick: int, layer: int = 0, is_wanted_now: bool = True
    ) -> Flow:
        """The flow of a goal (points among the layer's tiles), with a ticket for its build; arrays may be replaced.

        Without ``is_wanted_now`` it gets none: ``request`` it later.
        """
        flow = self._flow_of_key.get((layer, goal_key(points)))
        self.flow_counts.note(flow is not None)
        if flow is None:
            flow = self._new_flow(self._free_row(), points, radius, layer)
        if is_wanted_now and not flow.is_published and not self.is_under_way(flow):
            self.request(flow, tick)
        flow.user_count += 1
        self.widen(flow, radius)
        return flow

    def _new_flow(self, index: int, points: npt.NDArray[np.float32], radius: float, layer: int) -> Flow:
        goal_blocks = self.layers[layer].graph.blocks_of_points(points)
        flow = Flow(index, points, radius, goal_blocks, layer)
        self.layers[layer].flow_count += 1
        if self.layers[layer].flow_count == 1:
            self.layer_of = self.layer_of.copy()  # the first one on its layer: calls must be bound anew
        self.flows[index] = self._flow_of_key[flow.key] = flow
        self.layer_of[index] = layer
        self._goals_are_due = self._is_something_due = True
        return flow

    def widen(self, flow: Flow, radius: float) -> None:
        """Have the surroundings of the flow's goals marked up to a larger arrive radius."""
        if radius > flow.radius:
            flow.radius = radius
            flow.near_is_due = self._is_something_due = True

    def release(self, flow: Flow) -> None:
        """One user less; the last one frees the flow and drops its builds."""
        flow.user_count -= 1
        if flow.user_count > 0:
            return
        self.flows[flow.index] = None
        heapq.heappush(self._free, flow.index)
        self.common.has_code[flow.index] = 0
        self.layers[flow.layer].flow_count -= 1
        del self._flow_of_key[flow.key]
        if flow.changed:
            self._to_repair.remove(flow)
        self._dismissed += [ticket.work for ticket in self.scheduler.drop(flow)]
        self._goals_are_due = self._is_something_due = True

    def request(self, flow: Flow, tick: int) -> None:
        """Have the flow built from nothing, unless that waits for its turn already."""
        if not self.scheduler.is_waiting(flow):
            self.scheduler.submit(flow, self._units_of_build(flow), tick, 0 if flow.is_published else ORDER_PRIORITY)

    def is_under_way(self, flow: Flow) -> bool:
        """Whether a build of the flow has begun."""
        return self.scheduler.has_begun(flow)

    def _units_of_build(self, flow: Flow) -> int:
        """What a build is likely to take, in looks at a block: from counts alone."""
        graph = self.layers[flow.layer].graph
        return graph.block_count if graph.fits else graph.grid.height * graph.grid.width * 2 // TILES_PER_UNIT

    def map_changed(self, x: int, y: int, width: int, height: int, tick: int, layer: int = 0) -> None:
        """A layer's costs in a rectangle have changed: take them over; the next ticks repair its flows.

        The directions of the blocks there are written anew in any case, so that nobody is led into a new wall.
        """
        own = self.layers[layer]
        if not own.is_used or own.graph.revision == own.grid.revision:
            return
        changed = own.update(x, y, width, height)
        self._is_something_due = True
        blocks = changed.tolist()
        for ticket in self.scheduler.begun:
            if ticket.owner.layer == layer:
                ticket.work.changed.update(blocks)
        live = [flow for flow in self._present() if flow.is_published and flow.layer == layer]
        blockwise = np.array([flow.index for flow in live if flow.is_blockwise], dtype=np.int64)
        self._renew_serials(blockwise[(self.ready[blockwise[:, None], changed] == READY).any(axis=1)])
        self.ready[blockwise[:, None], changed] = MISSING
        self._drop_broken_routes(blockwise, tick)
        for flow in live:
            if not flow.is_blockwise:
                self.request(flow, tick)
            elif flow.is_exact:
                self._note_changed(flow, blocks, tick)
            flow.near_is_due |= flow.is_near(x, y, width, height)

    def _note_changed(self, flow: Flow, blocks: list[int], tick: int) -> None:
        if blocks and not flow.changed:
            self._to_repair.append(flow)
            flow.changed_tick = tick
        flow.changed.update(blocks)

    def written_blocks(self) -> npt.NDArray[np.int32]:
        """int32 (blocks,): for how many published flows the directions of each block are written now."""
        slots = [flow.index for flow in self._present() if flow.is_published]
        return np.asarray((self.ready[slots] == READY).sum(axis=0), dtype=np.int32)

    @property
    def waiting_count(self) -> int:
        """Builds queued or in progress, and flows to be repaired."""
        return self.scheduler.job_count + len(self._to_repair)

    # --- upkeep, each tick

    @property
    def is_idle(self) -> bool:
        """Whether ``advance`` has nothing to do."""
        scheduler = self.scheduler
        return not (scheduler.begun or scheduler.turns or self._to_repair or self._is_something_due)

    def advance(self, tick: int, walls: npt.NDArray[np.uint16]) -> list[Flow]:
        """Publish the builds that are due, begin those whose turn has come, repair after edits with what these leave of the
        budget; returns the flows that were published.

        ``walls`` are the wall maps of all layers.
        """
        scheduler = self.scheduler
        if self.is_idle:
            return []
        self._is_something_due = False
        began = time.perf_counter()
        if self._dismissed:
            self._collect_dismissed()
        if self._goals_are_due:
            self.goals.lay_out([None if flow is None else (flow.points, flow.goal_blocks) for flow in self.flows])
            self._goals_are_due = False
        published = []
        for ticket in scheduler.take_due(tick):
            self._publish(ticket.work, tick)
            self._take_back(ticket.work)
            published.append(ticket.owner)
        begun = scheduler.begin(tick, self._start)
        units = scheduler.budget.frame_units
        self._repair_flows(tick, max(units - UNITS_OF_A_BUILD * (len(published) + begun), units // LEAST_REPAIR))
        self._release_matrices()
        for flow in self._present():
            if flow.is_published and flow.near_is_due:
                first, last = int(self.goals.start[flow.index]), int(self.goals.start[flow.index + 1])
                closed = self.layers[flow.layer].grid.closed_if_any
                self.near.make(flow, walls[flow.layer], self.goals.point, first, last, closed)
        scheduler.statistics.note_frame((time.perf_counter() - began) * 1e6, scheduler.budget)
        return published

    def _release_matrices(self) -> None:
        """Let matrices be used again that no block has any more and no build reads."""
        oldest: dict[BlockGraph, int] = {}
        for build in [*self._dismissed, *(ticket.work for ticket in self.scheduler.begun)]:
            if isinstance(build, BlockBuild):
                graph = build.values.graph
                oldest[graph] = min(oldest.get(graph, build.revision), build.revision)
        for layer in self.layers:
            if layer.is_used:
                layer.graph.release_retired(oldest.get(layer.graph))

    def finish_all(self, tick: int, walls: npt.NDArray[np.uint16]) -> list[Flow]:
        """Build, repair and publish everything that waits, now."""
        done = []
        while self.waiting_count:
            self.scheduler.hurry(tick)
            done += self.advance(tick, walls)
        self.scheduler.hurry(tick)
        return done

    def _repair_flows(self, tick: int, units: int) -> None:
        """Bring published values up to date after blocks have changed, those that wait longest first (of one layer)."""
        if not self._to_repair:
            return
        layer = self._to_repair[0].layer
        flows = [flow for flow in self._to_repair if flow.layer == layer]
        graph = self.layers[layer].graph
        if self._repair is None:
            self._repair = FlowRepair(graph)
        self._repair.graph = graph
        slots = np.array([flow.index for flow in flows], dtype=np.int32)
        blocks = np.array(sorted(set().union(*(flow.changed for flow in flows))), dtype=np.int32)
        before = self.ready[slots]
        outcomes = self._repair.run(slots, blocks, self.value, self.ready, self.goals.of_repair(), units).tolist()
        changed_slots = slots[(self.ready[slots] != before).any(axis=1)]
        self._renew_serials(changed_slots)
        self._drop_broken_routes(changed_slots, tick)
        for flow, outcome in zip(flows, outcomes, strict=True):
            if outcome == NOT_TRIED:
                continue
            flow.changed.clear()
            self.scheduler.statistics.repair_ticks.append(tick - flow.changed_tick + 1)
            flow.is_exact = graph.fits and outcome != TOO_MUCH
            if not flow.is_exact:
                self.request(flow, tick)
        self._to_repair = [flow for flow in self._to_repair if flow.changed]

    def _drop_broken_routes(self, slots: npt.NDArray[np.integer[Any]], tick: int) -> None:
        """Do without common routes that an edit has changed something of, until a build finds others."""
        for slot in self.common.broken(slots, self.ready).tolist():
            self.common.drop(slot, self.ready)
            self.request(self._at(slot), tick)

    def _start(self, ticket: Ticket) -> FlowBuild:
        """Set a build off."""
        layer = self.layers[ticket.owner.layer]
        if not layer.graph.fits:
            return WholeBuild(ticket.owner, layer.grid)
        groups = self.groups_of(ticket.owner)
        ticket.units += _corridor_tiles(ticket.owner, groups) // CORRIDOR_TILES_PER_UNIT
        return self._block_build(ticket.owner, layer.graph, groups)

    def _block_build(self, flow: Flow, graph: BlockGraph, groups: Groups) -> BlockBuild:
        """Set a build by blocks off, with what one before has worked with where there is such."""
        layer = self.layers[flow.layer]
        is_own = graph is layer.graph
        values = layer.spare_values.pop() if is_own and layer.spare_values else GoalValues(graph)
        self.rows.touch(flow.index)
        if not len(groups.leaders):
            return BlockBuild(flow, values, groups, None)
        return BlockBuild(flow, values, groups, layer.spare_routes.pop() if is_own and layer.spare_routes else CommonRoute(graph))

    def _collect_dismissed(self) -> None:
        """Take back what the background thread has let go of."""
        released = [build for build in self._dismissed if build.is_released]
        self._dismissed = [build for build in self._dismissed if build not in released]
        for build in released:
            self._take_back(build)
        self._is_something_due = bool(self._dismissed)

    def _take_back(self, build: FlowBuild) -> None:
        """Keep what a build worked with for the next one."""
        layer = self.layers[build.flow.layer]
        if isinstance(build, BlockBuild) and layer.is_used and build.values.graph is layer.graph:
            layer.spare_values.append(build.values)
            if build.common is not None:
                layer.spare_routes.append(build.common)

    def _publish(self, build: FlowBuild, tick: int) -> None:
        flow = build.flow
        if flow.changed:
            flow.changed.clear()
            self._to_repair.remove(flow)
        if isinstance(build, BlockBuild):
            self._publish_values(build, tick)
            flow.is_exact = not build.is_outdated
            if flow.is_exact and build.changed:
                self._note_changed(flow, sorted(build.changed), tick)
        else:
            assert isinstance(build, WholeBuild)
            self._publish_field(build)
            if build.changed:
                self.request(flow, tick)
        self._last_serial = self._last_serial % LAST_SERIAL + 1
        self.route_serial[flow.index] = self._last_serial
        flow.is_published = flow.near_is_due = True

    def _renew_serials(self, slots: npt.NDArray[np.integer[Any]]) -> None:
        """Routes of these flows have changed where somebody may have made them out: what agents saw there is out of date."""
        self.route_serial[slots] = (self._last_serial + np.arange(len(slots))) % LAST_SERIAL + 1
        self._last_serial = (self._last_serial + len(slots)) % LAST_SERIAL

    def _publish_values(self, build: BlockBuild, tick: int) -> None:
        """Serve new border values; directions of blocks are written anew when they are needed, those there serve until then."""
        flow = build.flow
        self.rows.settle(flow.index)
        if not flow.is_blockwise:
            self.rows.blank(flow.index, self.layers[flow.layer].blank)
        else:
            self.ready[flow.index] = MISSING
        self.value[flow.index] = build.values.value
        self.common.has_code[flow.index] = 0
        if build.common is not None and not build.is_outdated:
            self.common.put(flow.index, build.common.blocks, build.common.codes, self.ready)
            if build.changed:
                self.ready[flow.index, sorted(build.changed)] = MISSING
                self._drop_broken_routes(np.array([flow.index]), tick)
        flow.is_blockwise = True

    def _publish_field(self, build: WholeBuild) -> None:
        """Serve a whole direction map: every block is there."""
        index = build.flow.index
        self.rows.settle(index)
        if build.field is None:
            # Every goal tile is solid: nothing can be reached until an edit opens one.
            self.flow[index] = SOLID_TILE
            self.flow[index, 1:-1, 1:-1][build.cost != 0] = NO_WAY
        else:
            build.field.publish()
            np.copyto(self.flow[index], build.field.flow)
        self.ready[index] = READY
        self.common.has_code[index] = 0
        self.value[index] = UNREACHED
        self.edge[index] = NOT_HERE
        build.flow.is_exact = build.flow.is_blockwise = False

    # --- the directions of wanted blocks, each tick

    def wanted_steps(self, table: AgentTable, side: int, crowds: CrowdTable, groups: GroupTable) -> list[Step]:
        """Steps that find the blocks that agents on a side of the table need, and write their directions."""
        graph = self.graph
        want: npt.NDArray[np.int32] = np.zeros((table.capacity // AGENT_BLOCK + 1, wanted.WANTS), dtype=np.int32)
        want_count: npt.NDArray[np.int32] = np.zeros(len(want), dtype=np.int32)
        counts = self._item_counts
        want_blocks = wanted.want_blocks.bind(
            table.values[side], table.tags[side], crowds.settings, groups.numbers, self.ready, self.route_serial, want,
            want_count, table.rows_per_tile, graph.column_count, graph.row_count, 0, 0, AGENT_BLOCK,
        )  # fmt: skip
        gather = wanted.gather_wanted.bind(
            want, want_count, table.sorted_count, self.ready, self.item_slot, self.item_block, counts, PARTS, AGENT_BLOCK
        )
        write = self._write_steps(self.item_slot, self.item_block, counts)
        return [Step(want_blocks, table.sorted_count, AGENT_BLOCK), Step(gather), *write]

    def _write_steps(
        self, slot: npt.NDArray[np.int32], block: npt.NDArray[np.int32], counts: npt.NDArray[np.int64]
    ) -> list[Step]:
        """Steps that write the listed blocks, each layer those of its flows."""
        graphs = [(index, layer.graph) for index, layer in enumerate(self.layers) if layer.is_used]
        goals = self.goals.of_steps()
        common = (self.common.code, self.common.has_code)
        return write_steps(
            graphs, self.layer_of, slot, block, counts, self.value, goals, self.flow, self.edge, self.ready, common
        )

    def write_all(self) -> None:
        """Write the directions of every missing block, wanted or not: for tests and tools."""
        slot, block = np.nonzero((self.ready == MISSING) | (self.ready == HELD))
        counts = np.array([PARTS, len(slot), -(-len(slot) // PARTS)], dtype=np.int64)
        steps = self._write_steps(slot.astype(np.int32), block.astype(np.int32), counts)
        if len(slot):
            Sequence(steps).run()

    # --- state

    def state(self) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
        """What a snapshot needs: flows, the scheduler, and the builds in progress by their costs."""
        flows: list[dict[str, Any] | None] = []
        arrays: dict[str, npt.NDArray[Any]] = {}
        for flow in self.flows:
            if flow is None:
                flows.append(None)
                continue
            flows.append({name: getattr(flow, name) for name in _FLOW_STATE} | {"changed": sorted(flow.changed)})
            arrays[f"flow_{flow.index}_points"] = flow.points
            if flow.is_published:
                rows = {name: getattr(self, name)[flow.index] for name in ROWS} | self.near.state(flow.index)
                rows |= self.common.state(flow.index)
                arrays.update({f"flow_{flow.index}_{name}": row for name, row in rows.items()})
        builds: list[FlowBuild] = [ticket.work for ticket in self.scheduler.begun]
        for number, build in enumerate(builds):
            arrays[f"build_{number}_cost"] = build.cost
            groups = build.groups if isinstance(build, BlockBuild) else Groups.none()
            arrays.update({f"build_{number}_leaders": groups.leaders, f"build_{number}_starts": groups.starts})
            if build.closed is not None:
                arrays[f"build_{number}_closed"] = build.closed
        meta: dict[str, Any] = {
            "flows": flows,
            "to_repair": [flow.index for flow in self._to_repair],
            "scheduler": self.scheduler.state(lambda flow: int(flow.index)),
            "builds": [[isinstance(b, BlockBuild), b.is_outdated, sorted(b.changed)] for b in builds],
            "route_serials": self.route_serial[: len(self.flows)].tolist(),
            "last_serial": self._last_serial,
        }
        return meta, arrays

    def load(self, meta: dict[str, Any], arrays: dict[str, npt.NDArray[Any]]) -> None:
        """Take up a state. How much of a build was done doesn't show in its result, so it begins again from its costs."""
        self._allocate(len(meta["flows"]))
        self.near.grow(self.rows.count)
        self.flows = [None] * len(meta["flows"])
        self._free = [index for index, entry in enumerate(meta["flows"]) if entry is None]
        for index, entry in enumerate(meta["flows"]):
            if entry is None:
                continue
            flow = self._new_flow(index, arrays[f"flow_{index}_points"], entry["radius"], entry["layer"])
            for name in _FLOW_STATE:
                setattr(flow, name, entry[name])
            flow.changed = set(entry["changed"])
            if flow.is_published:
                self.rows.settle(index)
                for name in ROWS:
                    getattr(self, name)[index] = arrays[f"flow_{index}_{name}"]
                self.near.load(index, arrays[f"flow_{index}_near_box"], arrays[f"flow_{index}_near"])
                self.common.load(index, arrays[f"flow_{index}_common_blocks"], arrays[f"flow_{index}_common_codes"])
        self._to_repair = [self._at(index) for index in meta["to_repair"]]
        self.route_serial[: len(self.flows)] = meta["route_serials"]
        self._last_serial = meta["last_serial"]
        self.scheduler.load(meta["scheduler"], self._at)
        for number, (ticket, entry) in enumerate(zip(self.scheduler.begun, meta["builds"], strict=True)):
            is_blockwise, is_outdated, changed = entry
            groups = Groups(arrays[f"build_{number}_leaders"], arrays[f"build_{number}_starts"])
            grid = TileGrid(arrays[f"build_{number}_cost"], arrays.get(f"build_{number}_closed"))
            ticket.work = self._restart(ticket.owner, grid, is_blockwise, groups)
            ticket.work.is_outdated, ticket.work.changed = is_outdated, set(changed)

    def _restart(self, flow: Flow, grid: TileGrid, is_blockwise: bool, groups: Groups) -> FlowBuild:
        """A build of a flow from tiles that may not be those of now."""
        own = self.layers[flow.layer].graph
        is_own = np.array_equal(grid.cost, own.grid.cost) and np.array_equal(grid.closed_exits, own.grid.closed_exits)
        graph = own if is_own else BlockGraph(grid)
        return self._block_build(flow, graph, groups) if is_blockwise else WholeBuild(flow, graph.grid)

    def _at(self, index: int) -> Flow:
        flow = self.flows[index]
        assert flow is not None
        return flow


_FLOW_STATE = ("layer", "radius", "changed_tick", "is_published", "is_blockwise", "is_exact", "near_is_due")


def no_groups(flow: Flow) -> Groups:
    """Nobody who is to go together."""
    return Groups.none()


def _corridor_tiles(flow: Flow, groups: Groups) -> int:
    """About how many tiles the corridors of some groups have, from how far it is as the crow flies."""
    if not len(groups.leaders):
        return 0
    away = np.abs(groups.leaders[:, None, :2] - np.floor(flow.points).astype(np.int64)).max(axis=2).min(axis=1)
    return int(away.sum()) * (2 * REACH_STEPS + 1)


def _direction_vectors() -> npt.NDArray[np.float32]:
    """(16, 4) float32: heading of each flow code (unit, or zero), then its step in tiles."""
    table = np.zeros((16, 4), dtype=np.float32)
    for code, (x, y) in enumerate(zip(DIRECTION_X, DIRECTION_Y, strict=True)):
        length = _DIAGONAL if x and y else 1.0
        table[code] = (x * length, y * length, x, y)
    return table
