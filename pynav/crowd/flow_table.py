"""The flow table: one byte map a goal that agents follow, and the queue that builds them.

A flow is asked for by its goal; crowds with the same goal share it. A request, and every edit of the map, puts the flow in a
queue.
One flow is built at a time, from a copy of the costs taken when its build begins, so that a player who paints walls without a
pause still gets a new flow every few ticks instead of one that is restarted for ever. Until the new one is published the old one
serves. The work is a job on the background thread; the tick of publication depends on the size of the map alone, never on a
clock. If the job is not done by then, the rest of it is done at once.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from pynav.crowd._flow_table_kernels import mark_near_goals
from pynav.grid import NO_WAY, SOLID_TILE, FlowField, TileGrid
from pynav.jobs import SlicedJob

TILES_PER_TICK = 32_768  # of work that a build is given time for, about a millisecond of the background thread
TILES_PER_SLICE = 4_096  # work of the job between two looks at whether it is wanted back
_DONE = 1  # entry of a field's progress
_NEAR_MARGIN_TILES = 1.0
_DIAGONAL = 0.70710678


class Flow:
    """One goal: its points, who uses it, and how far its build is."""

    def __init__(self, index: int, key: bytes, points: npt.NDArray[np.float32], radius: float) -> None:
        self.index = index
        self.key = key
        self.points = points  # (n, 2) float32, tiles
        self.radius = radius  # largest arrive radius asked for, tiles
        self.field: FlowField | None = None
        self.user_count = 0
        self.published = False


class FlowBuild:
    """A build in progress: of which flow, begun and due at which tick, from which costs."""

    def __init__(self, flow: Flow, begin_tick: int, due_tick: int, cost: npt.NDArray[np.uint8]) -> None:
        self.flow = flow
        self.begin_tick = begin_tick
        self.due_tick = due_tick
        self.cost = cost
        self.field: FlowField | None = None  # None where every goal tile is solid
        self.job: SlicedJob | None = None


def goal_key(points: npt.NDArray[np.float32]) -> bytes:
    """What tells goals apart: the points' bytes."""
    return points.tobytes()


class FlowTable:
    """Flows of one map and the build queue."""

    def __init__(self, grid: TileGrid) -> None:
        height, width = grid.cost.shape
        self._grid = grid
        self.flow: npt.NDArray[np.uint8] = np.zeros((1, height + 2, width + 2), dtype=np.uint8)
        self.near: npt.NDArray[np.uint8] = np.zeros_like(self.flow)
        self.goal_start: npt.NDArray[np.int32] = np.zeros(2, dtype=np.int32)
        self.goal_point: npt.NDArray[np.float32] = np.zeros((0, 2), dtype=np.float32)
        self.direction_vector: npt.NDArray[np.float32] = _direction_vectors()
        self.flows: list[Flow | None] = [None]
        self.queue: list[Flow] = []
        self.build: FlowBuild | None = None
        # Expanding every tile, a quarter of that for writing bytes, a little for clearing, and the slices' ends.
        self.latency_ticks = 2 + height * width * 21 // (16 * TILES_PER_TICK)

    def take_grid(self, grid: TileGrid) -> None:
        """Build from another grid of the same size from now on; a build in progress goes on with the costs that it has."""
        self._grid = grid
        for flow in self.flows:
            if flow is not None:
                flow.field = None

    # --- requests

    def find(self, key: bytes) -> Flow | None:
        """The flow of a goal, if some crowd uses it."""
        for flow in self.flows:
            if flow is not None and flow.key == key:
                return flow
        return None

    def acquire(self, points: npt.NDArray[np.float32], radius: float) -> Flow:
        """The flow of a goal, new ones at the end of the queue; arrays may be replaced (``goal_point`` always)."""
        key = goal_key(points)
        flow = self.find(key)
        if flow is None:
            if None not in self.flows:
                self.flow = np.concatenate([self.flow, np.zeros_like(self.flow)])
                self.near = np.concatenate([self.near, np.zeros_like(self.near)])
                self.flows.extend([None] * len(self.flows))
            index = self.flows.index(None)
            flow = Flow(index, key, points, radius)
            self.flows[index] = flow
            self.queue.append(flow)
            self._lay_out_goals()
        flow.user_count += 1
        self.widen(flow, radius)
        return flow

    def widen(self, flow: Flow, radius: float) -> None:
        """Have the surroundings of the flow's goals marked up to a larger arrive radius."""
        if radius > flow.radius:
            flow.radius = radius
            self.request(flow)

    def release(self, flow: Flow) -> None:
        """One user less; the last one frees the flow and its place in the queue."""
        flow.user_count -= 1
        if flow.user_count > 0:
            return
        self.flows[flow.index] = None
        self.queue = [waiting for waiting in self.queue if waiting is not flow]
        if self.build is not None and self.build.flow is flow:
            if self.build.job is not None:
                self.build.job.cancel()
            self.build = None
        self._lay_out_goals()

    def request(self, flow: Flow) -> None:
        """Queue a build of the flow, unless one is queued already."""
        if flow not in self.queue:
            self.queue.append(flow)

    def map_changed(self) -> None:
        """Queue every flow: the costs have changed."""
        for flow in self.flows:
            if flow is not None:
                self.request(flow)

    @property
    def waiting_count(self) -> int:
        """Builds queued or in progress."""
        return len(self.queue) + (self.build is not None)

    def _lay_out_goals(self) -> None:
        starts, points, total = [0], [], 0
        for flow in self.flows:
            if flow is not None:
                points.append(flow.points)
                total += len(flow.points)
            starts.append(total)
        self.goal_start = np.array(starts, dtype=np.int32)
        self.goal_point = np.ascontiguousarray(np.concatenate(points)) if points else np.zeros((0, 2), dtype=np.float32)

    # --- builds

    def advance(self, tick: int, cost: npt.NDArray[np.uint8], walls: npt.NDArray[np.uint16]) -> Flow | None:
        """Begin the next build, or publish the one that is due; returns the flow that was published."""
        if self.build is None and self.queue:
            flow = self.queue.pop(0)
            self._begin(FlowBuild(flow, tick, tick + self.latency_ticks - 1, cost.copy()))
        build = self.build
        if build is None:
            return None
        if tick < build.due_tick:
            return None
        self._publish(build, walls)
        self.build = None
        return build.flow

    def finish_all(self, tick: int, cost: npt.NDArray[np.uint8], walls: npt.NDArray[np.uint16]) -> list[Flow]:
        """Build and publish everything that waits, now."""
        done = []
        while self.build is not None or self.queue:
            if self.build is not None:
                self.build.due_tick = tick
            flow = self.advance(tick, cost, walls)
            if flow is not None:
                done.append(flow)
            elif self.build is not None:
                self.build.due_tick = tick
        return done

    def state(self) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
        """What a snapshot needs: flows, queue, and the build in progress by its costs."""
        flows: list[dict[str, Any] | None] = []
        arrays: dict[str, npt.NDArray[Any]] = {}
        for flow in self.flows:
            if flow is None:
                flows.append(None)
                continue
            flows.append({"radius": flow.radius, "published": flow.published})
            arrays[f"flow_{flow.index}_points"] = flow.points
            if flow.published:
                arrays[f"flow_{flow.index}_bytes"] = self.flow[flow.index]
                arrays[f"flow_{flow.index}_near"] = self.near[flow.index]
        meta: dict[str, Any] = {"flows": flows, "queue": [flow.index for flow in self.queue], "build": None}
        if self.build is not None:
            meta["build"] = [self.build.flow.index, self.build.begin_tick, self.build.due_tick]
            arrays["build_cost"] = self.build.cost
        return meta, arrays

    def load(self, meta: dict[str, Any], arrays: dict[str, npt.NDArray[Any]]) -> None:
        """Take up a state. How much of a build was done doesn't show in its result, so it begins again from its costs."""
        count = len(meta["flows"])
        self.flow = np.zeros((count, *self.flow.shape[1:]), dtype=np.uint8)
        self.near = np.zeros_like(self.flow)
        self.flows = [None] * count
        for index, entry in enumerate(meta["flows"]):
            if entry is None:
                continue
            points = arrays[f"flow_{index}_points"]
            flow = Flow(index, goal_key(points), points, entry["radius"])
            flow.published = entry["published"]
            if flow.published:
                self.flow[index] = arrays[f"flow_{index}_bytes"]
                self.near[index] = arrays[f"flow_{index}_near"]
            self.flows[index] = flow
        self._lay_out_goals()
        self.queue = [self._at(index) for index in meta["queue"]]
        if meta["build"] is not None:
            index, begin_tick, due_tick = meta["build"]
            build = FlowBuild(self._at(index), begin_tick, due_tick, arrays["build_cost"])
            self._begin(build, FlowField(TileGrid(build.cost), [(0, 0)]))

    def _at(self, index: int) -> Flow:
        flow = self.flows[index]
        assert flow is not None
        return flow

    def _begin(self, build: FlowBuild, field: FlowField | None = None) -> None:
        """Begin a build, in the flow's own field or in one over a snapshot's costs."""
        self.build = build
        tiles = np.floor(build.flow.points).astype(np.int64)
        tiles = tiles[build.cost[tiles[:, 1], tiles[:, 0]] != 0]
        if len(tiles):
            if field is None:
                field = build.flow.field or FlowField(self._grid, tiles)
                build.flow.field = field
            build.field = field
            field.goals = tiles
            field.begin()
            call, progress = field.bound_slice(TILES_PER_SLICE)
            build.job = SlicedJob(call, progress, _DONE)
            build.job.start()

    def _publish(self, build: FlowBuild, walls: npt.NDArray[np.uint16]) -> None:
        flow = build.flow
        index = flow.index
        self.near[index] = 0
        if build.field is None:
            # Every goal tile is solid: nothing can be reached until an edit opens one.
            self.flow[index] = SOLID_TILE
            self.flow[index, 1:-1, 1:-1][build.cost != 0] = NO_WAY
        else:
            assert build.job is not None
            build.job.finish()
            build.field.publish()
            np.copyto(self.flow[index], build.field.flow)
            first, last = int(self.goal_start[index]), int(self.goal_start[index + 1])
            reach = flow.radius + _NEAR_MARGIN_TILES
            mark_near_goals(self.flow, self.near, walls, self.goal_point, index, first, last, reach)
        flow.published = True


def _direction_vectors() -> npt.NDArray[np.float32]:
    """(16, 4) float32: heading of each flow code (unit, or zero), then its step in tiles."""
    steps = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]
    table = np.zeros((16, 4), dtype=np.float32)
    for code, (x, y) in enumerate(steps):
        length = _DIAGONAL if x and y else 1.0
        table[code] = (x * length, y * length, x, y)
    return table
