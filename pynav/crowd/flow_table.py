"""The flow table: one direction map a goal that agents follow, and the queue that builds them.

A flow is asked for by its goal; crowds with the same goal share it. A request puts the flow in a queue. Each build works on the
costs as they were when it began, so that a player who paints walls without a pause still gets a new flow instead of one that is
restarted for ever; what was edited in the meantime is repaired when it is published. Builds are jobs on the background thread;
the tick of publication depends on counts alone (blocks to look at, builds before it), never on a clock. If a job is not done by
then, the rest of it is done at once.

An edit is repaired in the published flows themselves, in the tick after it; only where it changes too much is a flow queued for
a build from nothing, and the old one serves until then.

Flows of all navigation layers (movement classes and unit sizes) stand in one table: a layer has its own blocks, which are made
when the first flow on it is asked for; the rows of the table are the same for all, so that kernels know a flow by its row alone.

A published flow is the exact distance at the border tiles of blocks. The directions of a block are written in the tick in
which an agent first needs them (``wanted_steps``), and again after an edit has changed them.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from pynav.crowd import _wanted_block_kernels as wanted
from pynav.crowd._flow_table_kernels import mark_near_goals
from pynav.crowd.agent_table import AGENT_BLOCK, AgentTable
from pynav.crowd.crowd_table import CrowdTable
from pynav.crowd.flow_build import BlockBuild, FlowBuild, WholeBuild
from pynav.grid import DIRECTION_X, DIRECTION_Y, NO_WAY, SOLID_TILE, TileGrid
from pynav.kernels import Sequence, Step
from pynav.sectors import BlockGraph, GoalValues
from pynav.sectors.block_flow import PARTS, write_steps
from pynav.sectors.block_layout import EDGE, ITEM_COUNT_COUNT, MISSING, NOT_HERE, READY, UNREACHED
from pynav.sectors.flow_repair import FlowRepair

WORK_PER_TICK = 2_048  # blocks that the background thread is given a tick to look at
TILES_PER_BLOCK_LOOK = 6  # a whole build expands this many tiles in the time of a look at a block
MOST_BUILDS = 16  # in progress at a time
BLOCKS_PER_TICK = 256  # whose directions are written in one tick
_NEAR_MARGIN_TILES = 1.0
_DIAGONAL = 0.70710678


class Flow:
    """One goal on one layer: its points, who uses it, and what is published of it."""

    def __init__(
        self, index: int, points: npt.NDArray[np.float32], radius: float, goal_blocks: npt.NDArray[np.int32], layer: int = 0
    ) -> None:
        self.index = index
        self.layer = layer
        self.key = goal_key(points)
        self.points = points  # (n, 2) float32, tiles of its layer
        self.goal_blocks = goal_blocks  # blocks that hold a goal
        self._left, self._top = (float(side) for side in points.min(axis=0))
        self._right, self._low = (float(side) for side in points.max(axis=0))
        self.radius = radius  # largest arrive radius asked for, tiles
        self.user_count = 0
        self.published = False
        self.is_blockwise = False  # published as border values
        self.is_exact = False  # the published values are those of the map as it is, but for the edits of this tick
        self.near_is_due = False  # the marks around its goals have to be made anew

    def is_near(self, x: int, y: int, width: int, height: int) -> bool:
        """Whether a rectangle of tiles reaches into the box around the goals and what is marked as near to them."""
        reach = self.radius + _NEAR_MARGIN_TILES + 1.0
        return (
            self._left - reach < x + width
            and x < self._right + reach
            and self._top - reach < y + height
            and y < self._low + reach
        )


def goal_key(points: npt.NDArray[np.float32]) -> bytes:
    """What tells goals apart: the points' bytes."""
    return points.tobytes()


class FlowLayer:
    """What the flows of one navigation layer share."""

    def __init__(self, grid: TileGrid) -> None:
        self.grid = grid
        self.changed: set[int] = set()  # blocks that were edited since the last tick
        self.spare_values: list[GoalValues] = []  # of builds that have ended
        self._graph: BlockGraph | None = None
        self._blank: npt.NDArray[np.uint8] | None = None

    @property
    def is_used(self) -> bool:
        """Whether its blocks were made."""
        return self._graph is not None

    @property
    def graph(self) -> BlockGraph:
        """Its blocks, made when first asked for."""
        if self._graph is None:
            self._graph = BlockGraph(self.grid)
        return self._graph

    @property
    def blank(self) -> npt.NDArray[np.uint8]:
        """The direction map of a flow of which nothing is written yet."""
        if self._blank is None:
            self._blank = np.full((self.grid.height + 2, self.grid.width + 2), SOLID_TILE, dtype=np.uint8)
            self._blank[1:-1, 1:-1][self.grid.cost != 0] = NOT_HERE
        return self._blank

    def update(self, x: int, y: int, width: int, height: int) -> npt.NDArray[np.int32]:
        """Take over an edit of the grid; blocks whose costs changed."""
        if self._blank is not None:
            is_free = self.grid.cost[y : y + height, x : x + width] != 0
            self._blank[y + 1 : y + 1 + height, x + 1 : x + 1 + width] = np.where(is_free, NOT_HERE, SOLID_TILE)
        return self.graph.update(x, y, width, height)

    def update_unused(self, x: int, y: int, width: int, height: int) -> None:
        """The same where no flow stands on the layer."""
        if self._graph is not None:
            self.update(x, y, width, height)
            self._graph.release_retired()


class FlowTable:
    """Flows of one map, on all of its layers, and the build queue."""

    def __init__(self, grid: TileGrid) -> None:
        self.layers = [FlowLayer(grid)]
        self.layer_of: npt.NDArray[np.int32]  # (flows,)
        self.direction_vector: npt.NDArray[np.float32] = _direction_vectors()
        self.flows: list[Flow | None] = []
        self._allocate(1)
        self._lay_out_goals()
        self.queue: list[Flow] = []
        self.builds: list[FlowBuild] = []  # in the order in which they are due
        self.extra_ticks = 0  # of waiting for each build: for tests
        self._free_at = 0  # when the background thread is free, in work done since tick 0
        self._repair: FlowRepair | None = None
        self._is_something_due = True  # goals or marks, or matrices to be let go
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
        """Arrays with a row a flow."""
        height, width = self.layers[0].grid.height, self.layers[0].grid.width
        blocks = self.graph.block_count
        # Rows are filled when a flow is published; until then they cost no memory.
        self.flow: npt.NDArray[np.uint8] = np.empty((count, height + 2, width + 2), dtype=np.uint8)
        self.near: npt.NDArray[np.uint8] = np.empty_like(self.flow)
        self.value: npt.NDArray[np.int32] = np.empty((count, self.graph.border_count), dtype=np.int32)
        self.edge: npt.NDArray[np.uint8] = np.empty((count, blocks, EDGE), dtype=np.uint8)
        self.ready: npt.NDArray[np.uint8] = np.full((count, blocks), READY, dtype=np.uint8)
        self.layer_of = np.zeros(count, dtype=np.int32)
        self.flows = [None] * count

    def _grow(self) -> None:
        old, old_flows, old_layers = {name: getattr(self, name) for name in _ROWS}, self.flows, self.layer_of
        self._allocate(2 * len(old_flows))
        self.layer_of[: len(old_layers)] = old_layers
        for name, rows in old.items():
            for flow in old_flows:
                if flow is not None and flow.published:
                    getattr(self, name)[flow.index] = rows[flow.index]
        self.flows[: len(old_flows)] = old_flows

    def take_grids(self, grids: list[TileGrid]) -> None:
        """Build from other grids of the same size from now on, one a layer; builds in progress go on with the costs that they
        have.
        """
        self.layers = [FlowLayer(grid) for grid in grids]
        self.layer_of = self.layer_of.copy()  # replaced: calls must be bound anew
        self._repair = None
        for flow in self.flows:
            if flow is not None:
                flow.is_exact = flow.is_blockwise = False  # its next values are written over everything
                self.request(flow)
        for build in self.builds:
            build.is_outdated = True

    # --- requests

    def find(self, key: bytes, layer: int = 0) -> Flow | None:
        """The flow of a goal on a layer, if some crowd uses it."""
        for flow in self.flows:
            if flow is not None and flow.key == key and flow.layer == layer:
                return flow
        return None

    def acquire(self, points: npt.NDArray[np.float32], radius: float, layer: int = 0) -> Flow:
        """The flow of a goal (points among the layer's tiles), new ones at the end of the queue; arrays may be replaced
        (``goal_point`` always).
        """
        key = goal_key(points)
        flow = self.find(key, layer)
        if flow is None:
            if None not in self.flows:
                self._grow()
            index = self.flows.index(None)
            flow = self._new_flow(index, points, radius, layer)
            self.queue.append(flow)
        flow.user_count += 1
        self.widen(flow, radius)
        return flow

    def _new_flow(self, index: int, points: npt.NDArray[np.float32], radius: float, layer: int) -> Flow:
        goal_blocks = self.layers[layer].graph.blocks_of_tiles(np.floor(points).astype(np.int32))
        flow = Flow(index, points, radius, goal_blocks, layer)
        if not any(other is not None and other.layer == layer for other in self.flows):
            self.layer_of = self.layer_of.copy()  # the first one on its layer: calls must be bound anew
        self.flows[index] = flow
        self.layer_of[index] = layer
        self._goals_are_due = self._is_something_due = True
        return flow

    def widen(self, flow: Flow, radius: float) -> None:
        """Have the surroundings of the flow's goals marked up to a larger arrive radius."""
        if radius > flow.radius:
            flow.radius = radius
            flow.near_is_due = self._is_something_due = True

    def release(self, flow: Flow) -> None:
        """One user less; the last one frees the flow and its place in the queue."""
        flow.user_count -= 1
        if flow.user_count > 0:
            return
        self.flows[flow.index] = None
        self.queue = [waiting for waiting in self.queue if waiting is not flow]
        for build in [build for build in self.builds if build.flow is flow]:
            build.cancel()
            self._end(build)
        self._goals_are_due = self._is_something_due = True

    def request(self, flow: Flow) -> None:
        """Queue a build of the flow, unless one is queued already."""
        if flow not in self.queue:
            self.queue.append(flow)

    def map_changed(self, x: int, y: int, width: int, height: int, layer: int = 0) -> None:
        """A layer's costs in a rectangle have changed: take them over; the next tick repairs its flows.

        The directions of the blocks there are written anew in any case, so that nobody is led into a new wall.
        """
        own = self.layers[layer]
        if not own.is_used or own.graph.revision == own.grid.revision:
            return
        changed = own.update(x, y, width, height)
        own.changed.update(changed.tolist())
        self._is_something_due = True
        for build in self.builds:
            if build.flow.layer == layer:
                build.changed.update(changed.tolist())
        live = [flow for flow in self.flows if flow is not None and flow.published and flow.layer == layer]
        blockwise = np.array([flow.index for flow in live if flow.is_blockwise], dtype=np.int64)
        self.ready[blockwise[:, None], changed] = MISSING
        for flow in live:
            if not flow.is_blockwise:
                self.request(flow)
            flow.near_is_due |= flow.is_near(x, y, width, height)

    @property
    def waiting_count(self) -> int:
        """Builds queued or in progress, and flows to be repaired in the next tick."""
        changed = [index for index, layer in enumerate(self.layers) if layer.changed]
        repairs = sum(flow is not None and flow.is_exact and flow.layer in changed for flow in self.flows) if changed else 0
        return len(self.queue) + len(self.builds) + repairs

    def _lay_out_goals(self) -> None:
        starts, points, total = [0], [], 0
        for flow in self.flows:
            if flow is not None:
                points.append(flow.points)
                total += len(flow.points)
            starts.append(total)
        self.goal_start: npt.NDArray[np.int32] = np.array(starts, dtype=np.int32)
        none: npt.NDArray[np.float32] = np.zeros((0, 2), dtype=np.float32)
        self.goal_point = np.ascontiguousarray(np.concatenate(points)) if points else none
        tiles = np.floor(self.goal_point).astype(np.int32)
        self.goal_x, self.goal_y = np.ascontiguousarray(tiles[:, 0]), np.ascontiguousarray(tiles[:, 1])
        nothing: npt.NDArray[np.int32] = np.zeros(0, dtype=np.int32)
        blocks = [nothing if flow is None else flow.goal_blocks for flow in self.flows]
        self._goal_block_start: npt.NDArray[np.int32] = np.cumsum([0, *map(len, blocks)]).astype(np.int32)
        self._goal_block: npt.NDArray[np.int32] = np.concatenate(blocks)
        self._goals_are_due = False

    # --- builds

    def advance(self, tick: int, walls: npt.NDArray[np.uint16]) -> list[Flow]:
        """Repair after edits, begin the builds that wait, publish those that are due; returns the flows that were published.

        ``walls`` are the wall maps of all layers.
        """
        if not (self.builds or self.queue or self._is_something_due):
            return []
        self._is_something_due = False
        if self._goals_are_due:
            self._lay_out_goals()
        for layer in self.layers:
            if layer.changed:
                flows = [flow for flow in self.flows if flow is not None and flow.is_exact]
                self._repair_flows([flow for flow in flows if self.layers[flow.layer] is layer], layer, layer.changed)
                layer.changed.clear()
        busy = [build.flow for build in self.builds]
        for flow in [flow for flow in self.queue if flow not in busy][: MOST_BUILDS - len(busy)]:
            self.queue.remove(flow)
            build = self._new_build(flow, self.layers[flow.layer].graph.fits)
            self._free_at = max(self._free_at, tick * WORK_PER_TICK) + self._work_of(build)
            build.due_tick = -(-self._free_at // WORK_PER_TICK) + 1 + self.extra_ticks
            self.builds.append(build)
        published = []
        while self.builds and self.builds[0].due_tick <= tick:
            build = self.builds.pop(0)
            self._publish(build)
            self._end(build)
            published.append(build.flow)
        if not self.builds:
            for layer in self.layers:
                if layer.is_used:
                    layer.graph.release_retired()
        for due in self.flows:
            if due is not None and due.published and due.near_is_due:
                self._mark_near(due, walls)
        return published

    def _repair_flows(self, flows: list[Flow], layer: FlowLayer, changed: set[int]) -> None:
        """Bring published values of a layer up to date after blocks have changed; queue those for which that would be too
        much.
        """
        if self._repair is None:
            self._repair = FlowRepair(self.graph)
        self._repair.graph = layer.graph
        goals = (self.goal_start, self.goal_x, self.goal_y, self._goal_block_start, self._goal_block)
        slots = np.array([flow.index for flow in flows], dtype=np.int32)
        blocks = np.array(sorted(changed), dtype=np.int32)
        failed = self._repair.run(slots, blocks, self.value, self.ready, goals)
        fits = layer.graph.fits
        for flow, has_failed in zip(flows, failed.tolist(), strict=True):
            flow.is_exact = fits and not has_failed
            if not flow.is_exact:
                self.request(flow)

    def _new_build(self, flow: Flow, is_blockwise: bool, graph: BlockGraph | None = None) -> FlowBuild:
        own = self.layers[flow.layer].graph if graph is None else graph
        if not is_blockwise:
            return WholeBuild(flow, own.grid)
        layer = self.layers[flow.layer]
        is_spare = graph is None and bool(layer.spare_values)
        return BlockBuild(flow, layer.spare_values.pop() if is_spare else GoalValues(own))

    def _work_of(self, build: FlowBuild) -> int:
        """What a build is likely to take, in looks at a block: from counts alone."""
        if isinstance(build, BlockBuild):
            return self.graph.block_count
        grid = self.layers[0].grid
        return grid.height * grid.width * 2 // TILES_PER_BLOCK_LOOK

    def _end(self, build: FlowBuild) -> None:
        """Take back what a build worked with."""
        if build in self.builds:
            self.builds.remove(build)
        layer = self.layers[build.flow.layer]
        if isinstance(build, BlockBuild) and layer.is_used and build.values.graph is layer.graph:
            layer.spare_values.append(build.values)

    def finish_all(self, tick: int, walls: npt.NDArray[np.uint16]) -> list[Flow]:
        """Build and publish everything that waits, now."""
        done = []
        while self.builds or self.queue:
            for build in self.builds:
                build.due_tick = tick
            done += self.advance(tick, walls)
            for build in self.builds:
                build.due_tick = tick
        self._free_at = tick * WORK_PER_TICK
        return done

    def _publish(self, build: FlowBuild) -> None:
        build.finish()
        flow = build.flow
        if isinstance(build, BlockBuild):
            self._publish_values(build)
            flow.is_exact = not build.is_outdated
            if build.changed and flow.is_exact:
                self._repair_flows([flow], self.layers[flow.layer], build.changed)
        else:
            assert isinstance(build, WholeBuild)
            self._publish_field(build)
            if build.changed:
                self.request(flow)
        flow.published = flow.near_is_due = True

    def _mark_near(self, flow: Flow, walls: npt.NDArray[np.uint16]) -> None:
        """Mark the tiles around a flow's goals from which they are seen."""
        self.near[flow.index] = 0
        first, last = int(self.goal_start[flow.index]), int(self.goal_start[flow.index + 1])
        reach = flow.radius + _NEAR_MARGIN_TILES
        mark_near_goals(self.near, walls[flow.layer], self.goal_point, flow.index, first, last, reach)
        flow.near_is_due = False

    def _publish_values(self, build: BlockBuild) -> None:
        """Serve new border values; directions of blocks are written anew when they are needed, those there serve until then."""
        flow = build.flow
        if not flow.is_blockwise:
            self.flow[flow.index] = self.layers[flow.layer].blank
            self.edge[flow.index] = NOT_HERE
        self.ready[flow.index] = MISSING
        self.value[flow.index] = build.values.value
        flow.is_blockwise = True

    def _publish_field(self, build: WholeBuild) -> None:
        """Serve a whole direction map: every block is there."""
        index = build.flow.index
        if build.field is None:
            # Every goal tile is solid: nothing can be reached until an edit opens one.
            self.flow[index] = SOLID_TILE
            self.flow[index, 1:-1, 1:-1][build.cost != 0] = NO_WAY
        else:
            build.field.publish()
            np.copyto(self.flow[index], build.field.flow)
        self.ready[index] = READY
        self.value[index] = UNREACHED
        self.edge[index] = NOT_HERE
        build.flow.is_exact = build.flow.is_blockwise = False

    # --- the directions of wanted blocks, each tick

    def wanted_steps(self, table: AgentTable, side: int, crowds: CrowdTable) -> list[Step]:
        """Steps that find the blocks that agents on a side of the table need, and write their directions."""
        graph = self.graph
        want: npt.NDArray[np.int32] = np.zeros((table.capacity // AGENT_BLOCK + 1, wanted.WANTS), dtype=np.int32)
        want_count: npt.NDArray[np.int32] = np.zeros(len(want), dtype=np.int32)
        counts = self._item_counts
        want_blocks = wanted.want_blocks.bind(
            table.values[side], table.tags[side], crowds.numbers, crowds.settings, self.ready, want, want_count,
            table.rows_per_tile, graph.column_count, graph.row_count, 0, 0, AGENT_BLOCK,
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
        goals = (self.goal_start, self.goal_x, self.goal_y)
        return write_steps(graphs, self.layer_of, slot, block, counts, self.value, goals, self.flow, self.edge, self.ready)

    def write_all(self) -> None:
        """Write the directions of every missing block, wanted or not: for tests and tools."""
        slot, block = np.nonzero(self.ready == MISSING)
        counts = np.array([PARTS, len(slot), -(-len(slot) // PARTS)], dtype=np.int64)
        steps = self._write_steps(slot.astype(np.int32), block.astype(np.int32), counts)
        if len(slot):
            Sequence(steps).run()

    # --- state

    def state(self) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
        """What a snapshot needs: flows, queue, and the builds in progress by their costs."""
        flows: list[dict[str, Any] | None] = []
        arrays: dict[str, npt.NDArray[Any]] = {}
        for flow in self.flows:
            if flow is None:
                flows.append(None)
                continue
            flows.append(
                {
                    "radius": flow.radius,
                    "layer": flow.layer,
                    "published": flow.published,
                    "blockwise": flow.is_blockwise,
                    "exact": flow.is_exact,
                    "near_is_due": flow.near_is_due,
                }
            )
            arrays[f"flow_{flow.index}_points"] = flow.points
            if flow.published:
                for name in _ROWS:
                    arrays[f"flow_{flow.index}_{name}"] = getattr(self, name)[flow.index]
        meta: dict[str, Any] = {
            "flows": flows,
            "queue": [flow.index for flow in self.queue],
            "builds": [
                [b.flow.index, b.due_tick, isinstance(b, BlockBuild), b.is_outdated, sorted(b.changed)] for b in self.builds
            ],
            "changed": [sorted(layer.changed) for layer in self.layers],
            "free_at": self._free_at,
        }
        for number, build in enumerate(self.builds):
            arrays[f"build_{number}_cost"] = build.cost
        return meta, arrays

    def load(self, meta: dict[str, Any], arrays: dict[str, npt.NDArray[Any]]) -> None:
        """Take up a state. How much of a build was done doesn't show in its result, so it begins again from its costs."""
        self._allocate(len(meta["flows"]))
        for index, entry in enumerate(meta["flows"]):
            if entry is None:
                continue
            flow = self._new_flow(index, arrays[f"flow_{index}_points"], entry["radius"], entry["layer"])
            flow.published = entry["published"]
            if flow.published:
                for name in _ROWS:
                    getattr(self, name)[index] = arrays[f"flow_{index}_{name}"]
            flow.is_blockwise, flow.is_exact = entry["blockwise"], entry["exact"]
            flow.near_is_due = entry["near_is_due"]
        self._lay_out_goals()
        self.queue = [self._at(index) for index in meta["queue"]]
        self._free_at = meta["free_at"]
        for layer, changed in zip(self.layers, meta["changed"], strict=True):
            layer.changed = set(changed)
        for number, (index, due_tick, is_blockwise, is_outdated, changed) in enumerate(meta["builds"]):
            cost = arrays[f"build_{number}_cost"]
            graph = self.layers[self._at(index).layer].graph
            if not np.array_equal(cost, graph.grid.cost):
                graph = BlockGraph(TileGrid(cost))
            build = self._new_build(self._at(index), is_blockwise, graph)
            build.due_tick, build.is_outdated, build.changed = due_tick, is_outdated, set(changed)
            self.builds.append(build)

    def _at(self, index: int) -> Flow:
        flow = self.flows[index]
        assert flow is not None
        return flow


_ROWS = ("flow", "near", "value", "edge", "ready")


def _direction_vectors() -> npt.NDArray[np.float32]:
    """(16, 4) float32: heading of each flow code (unit, or zero), then its step in tiles."""
    table = np.zeros((16, 4), dtype=np.float32)
    for code, (x, y) in enumerate(zip(DIRECTION_X, DIRECTION_Y, strict=True)):
        length = _DIAGONAL if x and y else 1.0
        table[code] = (x * length, y * length, x, y)
    return table
