"""Every kernel gives equal bits in every backend, on the arguments of real calls.

A small scene that touches all parts of the core runs under the plain Python backend while the calls of every kernel are noted
with copies of their arguments. Each noted call is then run again by each backend on copies, and all arrays are compared byte by
byte. A kernel that the scene never calls fails the test: extend the scene.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest

from pynav import kernels
from pynav.crowd._flow_table_kernels import touch_row
from pynav.crowd._string_pulling_kernels import pull_targets
from pynav.crowd.instance_buffer import DrawnColumns
from pynav.crowd.wall_map import WallMap
from pynav.crowd.waypoints import waypoints
from pynav.crowd.y_order import YOrder
from pynav.drawing.flow_reading import flow_of
from pynav.drawing.map_drawing import MapDrawing
from pynav.drawing.portal_shapes import PortalLists
from pynav.drawing.probe_shapes import FlowProbe
from pynav.drawing.view import Chunk, Layer, View
from pynav.formations import ClassGround, DragGrid, SlotAssignment, army_of, move_to_ground
from pynav.formations.place_layout import MARCHING
from pynav.grid import FlowField, IntegrationField, TileGrid, lines_of_sight, path_to_goal
from pynav.grid._sampling_kernels import sample_many
from pynav.grid.exits import NORTH, WEST
from pynav.grid.navigation_layers import NavigationLayers
from pynav.grid.terrain import Terrain
from pynav.homing import FieldSettings, GridBox, HomingWorld, ProjectileSettings, fill_of_2d, fill_of_3d
from pynav.kernels.build import import_kernel_modules
from pynav.kernels.kernel import BoundCall, Kernel
from pynav.portals import CoarseDirections, PortalRouter, SectorFlood, SectorMap, ShortPaths
from pynav.portals.short_paths import RegionSearch
from pynav.world import World

CALLS_KEPT = 6  # of each kernel; evenly over the run would need all of them, so powers of two are kept


class Call(NamedTuple):
    """A noted call."""

    kernel: Kernel
    arguments: list[Any]
    count: int | None
    block_size: int


class Recorder:
    """Notes the 1st, 2nd, 4th, 8th ... call of each kernel."""

    def __init__(self) -> None:
        self.seen: dict[str, int] = {}
        self.calls: list[Call] = []

    def note(self, bound: BoundCall, count: int | None, block_size: int) -> None:
        kernel = bound._kernel
        number = self.seen[kernel.name] = self.seen.get(kernel.name, 0) + 1
        if number & (number - 1) == 0 and number < 2**CALLS_KEPT:
            self.calls.append(Call(kernel, copies(bound._arguments), count, block_size))


def copies(arguments: list[Any]) -> list[Any]:
    return [value.copy() if isinstance(value, np.ndarray) else value for value in arguments]


def run_scene() -> None:
    """A walled map with two crowds, edits, removals, drawing, and the queries of the grid."""
    cost = np.ones((24, 30), np.uint8)
    cost[4:20, 12] = 0
    cost[10, 3:9] = 0
    cost[0:5, 20:25] = 7
    world = World(seed=5)
    world.set_grid(TileGrid(cost))
    walkers = world.add_crowd(40, speed=4.0, radius=0.3, arrive_radius=1.0)
    giants = world.add_crowd(6, speed=2.0, radius=0.9, on_arrival="remove", arrive_radius=2.0, area=(0, 0, 10, 10))
    walkers.set_goal([(27, 20), (28, 20)])
    giants.set_goal_point(20.5, 12.5)
    world.finish_builds()
    for tick in range(24):
        if tick == 6:
            world.edit_cost(14, 0, np.zeros((3, 2), np.uint8))
        if tick == 9:
            walkers.remove([1, 5])
            walkers.spawn([(2.5, 2.5), (3.5, 2.5)])
            walkers.radius = 0.35
        if tick == 12:
            walkers.set_goal([(1, 1)])
        if tick == 14:
            world.commands.move(walkers.handles([0, 2, 3]), (9.5, 20.5))
            world.commands.hold(walkers.handles([2, 3]), queued=True)
        if tick == 16:
            walkers.set_goal([walkers.positions[7].astype(int)])
        if tick == 20:
            bodies = world.bodies.add([(4.5, 13.5), (5.3, 13.5)], [0.4, 0.5])
        world.step(1 / 60)
        if tick >= 20:
            safe = world.bodies.safe_velocities(bodies, [(3.0, 1.0), (-3.0, 0.5)], [3.0, 2.0], 1 / 60)
            assert np.isfinite(safe).all() and safe.any()
    assert walkers.positions.shape[1] == 2
    assert 7 in walkers.take_arrived() and not len(walkers.take_arrived())
    assert len(world.agents.in_circles([[10, 10], [20, 5]], [6.0, 20.0]).units)
    assert world.agents.nearest([[10, 10], [29, 2]], 3)[0].all()
    affine = np.array([[16, 0, 3], [0, 16, -2]], np.float32)
    flat = np.zeros(walkers.slot_count * 16, np.float32)
    walkers.fill_buffer_2d(flat, affine, size=9.0, color=(1, 0.5, 0.25, 1), custom=True)
    ordered = np.zeros_like(flat)
    YOrder(16, flat, ordered).run()
    assert (np.diff(ordered.reshape(-1, 16)[:, 7]) >= 0).all()
    solid = np.zeros(giants.slot_count * 16, np.float32)
    heights = np.linspace(0, 3, cost.size, dtype=np.float32).reshape(cost.shape)
    giants.fill_buffer_3d(solid, affine, size=2.0, elevation=0.5, heights=heights, custom=True)
    for crowd, fill, width in ((walkers, walkers.fill_buffer_2d, 8), (giants, giants.fill_buffer_3d, 12)):
        crowd.add_column("tint", "color", (0.5, 1.0, 0.25, 1.0))
        for name in ("look", "frame"):
            crowd.add_column(name)
            crowd.set_column(name, np.linspace(-9, 9, crowd.slot_count))
        drawn = np.zeros((crowd.slot_count, width + 8), np.float32)
        fill(drawn, affine, custom=True, columns=DrawnColumns("tint", ("frame", "", "look", "frame"), "look"))
        assert drawn[crowd.alive, width + 1].all()
    assert (world.routes_for("", 2).distances([[1, 1], [20, 20]], (20, 12)) >= -1).all()
    run_queries(TileGrid(cost))
    run_portals(TileGrid(cost))
    run_homing()
    run_one_way(cost)
    run_formations(cost)
    run_attack(cost)
    run_large(cost)
    dear = np.full((210, 210), 255, np.uint8)  # so many dear tiles that 32-bit distances could overflow
    dear[3:20, 7] = 0
    run_queries(TileGrid(dear))
    run_memory()


def run_memory() -> None:
    """Rows of a flow table that the background thread touches: under the plain backend there is none, so directly."""
    progress = np.zeros(2, dtype=np.int64)
    arrays = (np.ones((2, 9000), dtype=np.uint8), np.ones((2, 3000), dtype=np.int32), np.ones((2, 5000), dtype=np.uint8))
    touch_row.bind(*arrays, progress, 1, 4096, 3).run()
    touch_row.bind(*arrays, progress, 1, 4096, 99).run()
    assert progress.tolist() == [8, 1]


def run_queries(grid: TileGrid) -> None:
    """Distances, directions, ways, sight, sampling."""
    field = IntegrationField(grid)
    field.build([(25, 18)])
    assert len(path_to_goal(field, (1, 1)))
    lines = np.array([[0, 0, x, y] for x in range(0, 30, 3) for y in range(0, 24, 3)])
    assert lines_of_sight(grid, lines).any()
    flow = FlowField(grid, [(25, 18)])
    flow.build()
    assert grid.is_connected((0, 0), (29, 23))
    angles = np.arange(16, dtype=np.float32)
    heading = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    points = np.stack(np.meshgrid(np.linspace(0.2, 29.7, 17), np.linspace(0.1, 23.6, 13)), axis=-1).reshape(-1, 2)
    sample_many(flow.flow, heading, points.astype(np.float32), np.zeros((len(points), 2), np.float32))
    inside = points[grid.cost[points[:, 1].astype(int), points[:, 0].astype(int)] != 0].astype(np.float32)
    pull_targets.bind(
        flow.flow, np.ones(200, np.uint8), WallMap(grid.cost).walls[0], inside, np.full(len(inside), 0.3, np.float32),
        np.zeros(len(inside), np.int32), np.zeros((len(inside), 2), np.float32), 7,
    ).run(len(inside))  # fmt: skip
    path = path_to_goal(field, (1, 1))
    assert len(waypoints(grid, path, path[0] + np.float32(0.4), path[-1] + np.float32(0.6), 0.3)) > 1


def run_one_way(cost: np.ndarray) -> None:
    """Ways and sight on a map with closed exits, and a crowd that goes by them."""
    world = World(seed=6)
    world.set_grid(TileGrid(cost))
    world.add_one_way(0, 8, np.ones((1, 30), bool), NORTH)
    crowd = world.add_crowd(30, speed=4.0, area=(0, 0, 12, 7))
    crowd.set_goal((3, 20))
    world.finish_builds()
    for _ in range(20):
        world.step(1 / 60)
    world.add_one_way(3, 12, np.ones((2, 2), bool), WEST)
    world.step(1 / 60)
    assert world.routes.is_reachable((3, 3), (3, 20)) and not world.routes.is_reachable((3, 20), (3, 3))
    assert len(world.routes.path((3, 3), (3, 20))) and world.routes.has_line_of_sight((3, 3), (3, 9))


def run_large(cost: np.ndarray) -> None:
    """A crowd whose moves two ticks share."""
    world = World(seed=7)
    world.large_world_agents = 10
    world.set_grid(TileGrid(cost))
    world.add_crowd(30, speed=4.0, area=(0, 0, 12, 7)).set_goal((3, 20))
    world.finish_builds()
    for _ in range(12):
        world.step(1 / 60)


def run_attack(cost: np.ndarray) -> None:
    """Two teams that go for one another and for a building, round walls too."""
    world = World(seed=8)
    world.set_grid(TileGrid(cost))
    for team in range(2):
        crowd = world.add_crowd(6, speed=4.0, area=(9 + 4 * team, 5, 3, 6))
        crowd.team, crowd.sight_radius, crowd.attack_range = team, 9.0, 1.0
    world.crowds[1].spawn(world.crowds[0].positions[:1] + np.float32([0.0, 0.6]))
    tower = world.buildings.add(24, 18, 2, 2, team=1)
    world.crowds[0].spawn([(22.5, 18.5)], snap=True)
    for crowd in world.crowds:
        world.commands.attack_move(crowd, (11.5, 2.5))
    for _ in range(20):
        world.step(1 / 60)
    assert len(world.commands.engaged()[0]) and (world._crowds.chase[:, 1] != 0).any()
    assert (world._crowds.foe == tower).any()


def run_homing() -> None:
    """Both kinds of field, in place and as jobs, missiles, repellers, wells, drawing."""
    generator = np.random.default_rng(2)
    for mode, inline_work in (("relaxed", 1 << 30), ("relaxed", 0), ("exact", 1 << 30), ("exact", 0)):
        settings = FieldSettings(mode=mode, inline_work=inline_work, reading="engine", updates_per_second=30)
        world = HomingWorld(GridBox((-1, 0), (21, 30), 20, 33), settings)
        world.add_sources(generator.uniform(0, 20, (9, 2)), radius=0.4)
        world.add_sources([(8, 9)], power=-1, reach=4.0)
        world.add_sources([(15, 9)], power=0.0, reach=5.0, capture_radius=2.0, pull=20.0)
        world.add_sources([(5, 19)], power=0.0, reach=5.0, capture_radius=2.0, pull=20.0, dense=True)
        batch = world.add_projectiles(ProjectileSettings(bilinear=mode == "relaxed", lead=0.2, lifetime=0.3))
        batch.spawn(generator.uniform(0, 20, (60, 2)), generator.uniform(-12, 12, (60, 2)))
        for _ in range(20):
            world.step(1 / 60)
        affine = np.array([[4, 0.5, 3], [0, 5, -2]], np.float32)
        batch.spawn([(1, 1), (2, 2)], (1.0, 0.0))
        flat, before = np.ones((2, batch.slot_count * 12), np.float32)
        fill_of_2d(batch, flat, affine, 3.0, True, before).run()
        batch.spawn([(1, 1), (2, 2)], (0.0, 0.0))
        solid, before = np.ones((2, batch.slot_count * 16), np.float32)
        fill_of_3d(batch, solid, affine, 3.0, 0.5, True, before).run()
        for felt in (False, True):
            run_homing_swarm(mode, felt)


def run_homing_swarm(mode: str, felt: bool) -> None:
    """More missiles than cells, which share notes."""
    generator = np.random.default_rng(3)
    world = HomingWorld(GridBox((0, 0), (9, 6), 9, 6), FieldSettings(mode=mode))
    world.add_sources(generator.uniform(0, 6, (6, 2)), radius=0.2)
    if felt:
        world.add_sources([(2, 3)], power=-1, reach=1.0)
    batch = world.add_projectiles(ProjectileSettings(snap_distance=0.2))
    batch.spawn(generator.uniform(0, 6, (70, 2)), generator.uniform(-9, 9, (70, 2)))
    for _ in range(6):
        world.step(1 / 60)


def run_formations(cost: np.ndarray) -> None:
    """A drag over walls, slots assigned in slices."""
    generator = np.random.default_rng(8)
    army = army_of(generator.integers(1, 4, 60), 0.3)
    places = generator.uniform((0, 6), (8, 22), (60, 2)).astype(np.float32)
    layer = NavigationLayers(Terrain(cost)).base
    grounds = [ClassGround(layer, places[army.class_of_unit == number]) for number in range(3)]
    slots = move_to_ground(DragGrid((13, 9), (0.8, 0.6), 6.0).slots(army.classes), grounds)
    assignment = SlotAssignment(places, army.class_of_unit, slots)
    while not assignment.advance(1, 300):
        pass
    assert slots.is_moved.any()
    run_ordered_formation(cost)


def run_ordered_formation(cost: np.ndarray) -> None:
    """Units run to their slots and settle; one dies."""
    world = World(seed=5)
    world.set_grid(TileGrid(cost))
    world.add_crowd(0, speed=4.0, radius=0.3)
    world.crowds[0].spawn([(2.5 + 0.7 * (unit % 3), 12.5 + 0.7 * (unit // 3)) for unit in range(9)])
    world.finish_builds()
    formation = world.formations.order([(0, 1)], DragGrid((6.0, 14.0), (0.8, -0.6), 2.0))
    for tick in range(200):
        if tick == 100:
            world.crowds[0].remove([4])
        world.step(1 / 60)
    assert formation.is_formed and formation.unit_count == 8
    formation = world.formations.order([(0, 1)], DragGrid((20.0, 6.0), (0.8, -0.6), 2.0), "march")
    for _ in range(60):
        world.step(1 / 60)
    assert formation.stage == MARCHING
    run_clusters(cost)


def run_clusters(cost: np.ndarray) -> None:
    """A march in two clusters; one's leader dies, they are surveyed, and go home."""
    world = World(seed=5)
    world.set_grid(TileGrid(cost))
    world.add_crowd(0, speed=4.0, radius=0.3)
    world.crowds[0].spawn([(2.5 + unit % 4, 2.5 + 18.0 * (unit // 4)) for unit in range(8)])
    world.finish_builds()
    formation = world.formations.order([(0, 1)], DragGrid((26.0, 9.0), (0.8, -0.6), 2.0), "march")
    while len(formation.clusters) < 2:
        world.step(1 / 60)
    leader = formation.clusters[0].leader
    world.crowds[0].remove([int(formation.members.ids[leader])])
    world.step(1 / 60)
    assert formation.clusters[0].leader != leader
    for _ in range(60):
        world.step(1 / 60)
    formation.dismiss()


def run_portals(grid: TileGrid) -> None:
    """Sectors, a search, routes before and after an edit, short ways, first directions."""
    SectorMap(grid, 8, straight_lines=True)
    sectors = SectorMap(grid, 8)
    router = PortalRouter(sectors)
    router.set_goals([(27, 20), (28, 3)])
    assert len(router.path((1, 12)))
    grid.set_cost_rect(14, 6, np.zeros((5, 2), np.uint8))
    router.update(14, 6, 2, 5)
    assert len(router.path((1, 12)))
    seeds = router.fields.seeds(router.search, 0, 0)
    assert seeds is not None
    assert (flow_of(router)[0] < 8).any()
    lists = PortalLists(sectors)
    assert len(lists.portals((0, 0, 2, 2)).sector) and len(lists.edges((0, 0, 2, 2)).cost)
    flow = FlowProbe(sectors)
    flow.set_goal((27, 20))
    chunks = [Chunk(0, 0, 0), Chunk(2, 0, 0)]
    for value in (1, 0):
        while not flow.search(chunks):
            pass
        assert all(len(flow.draw(chunk).arrow_codes) for chunk in chunks)
        grid.set_cost_rect(16, 7, np.full((3, 1), value, np.uint8))
        assert flow.let_go()
        flow.take_over(sectors.update(16, 7, 1, 3))
    drawing = MapDrawing(grid, 8)
    drawing.layers = Layer.TILES | Layer.CLEARANCE | Layer.ISLANDS
    drawing.look_at(View(0.0, 0.0, 32.0, 32.0, 16.0))
    while drawing.is_busy:
        assert len(drawing.advance(0.01)) < 4
    assert SectorFlood(sectors).run([(27, 20)]).any()
    assert RegionSearch(sectors).to_seeds(0, 1, (5, 5), seeds)[0]
    assert ShortPaths(sectors).find([(11, 5, 13, 5), (1, 1, 6, 7), (4, 9, 4, 11)]).kind.all()
    assert CoarseDirections(sectors, 4, 2).run((27, 20), np.array([0, 8], np.int32)) > 0


@pytest.fixture(scope="module")
def noted() -> Iterator[Recorder]:
    before = kernels.get_backend()
    recorder = Recorder()
    plain_run, plain_range = BoundCall.run, BoundCall.run_range

    def run(self: BoundCall, count: int | None = None, block_size: int = 1024) -> None:
        recorder.note(self, count, block_size)
        plain_run(self, count, block_size)

    kernels.set_backend("python")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BoundCall, "run", run)
        run_scene()
    assert BoundCall.run_range is plain_range
    kernels.set_backend(before)
    yield recorder


def results(call: Call, backend: str) -> list[bytes]:
    kernels.set_backend(backend)
    arguments = copies(call.arguments)
    bound = call.kernel.bind(*arguments)
    if call.count is None:
        bound.run()
    else:
        bound.run(call.count, call.block_size)
    return [value.tobytes() for value in arguments if isinstance(value, np.ndarray)]


def test_every_kernel_is_called(noted: Recorder) -> None:
    import_kernel_modules()
    declared = {name for name in kernels.registered_kernels() if name.startswith("pynav.")}
    assert declared - set(noted.seen) == set(), "extend run_scene so that it calls these kernels"


@pytest.mark.parametrize("backend", ["jit", "library"])
def test_equal_bits(noted: Recorder, backend: str) -> None:
    before = kernels.get_backend()
    different: list[str] = []
    changed: set[str] = set()
    try:
        for call in noted.calls:
            untouched = [value.tobytes() for value in call.arguments if isinstance(value, np.ndarray)]
            plain = results(call, "python")
            if plain != untouched:
                changed.add(call.kernel.name)
            for name, left, right in zip(array_names(call.kernel), plain, results(call, backend), strict=True):
                if left != right:
                    different.append(f"{call.kernel.name}: {name}")
    finally:
        kernels.set_backend(before)
    assert not different, sorted(set(different))
    assert len(changed) > len(noted.seen) * 0.8, "most calls should change something, or equality says nothing"


def array_names(kernel: Kernel) -> list[str]:
    return [parameter.name for parameter in kernel.parameters if parameter.dimensions]
