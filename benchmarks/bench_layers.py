"""Benchmarks of navigation layers: making one, an edit under many, and what classes times sizes take in memory."""

import numpy as np
from scipy.ndimage import maximum_filter, minimum_filter

from benchmarks.table import Row, row
from benchmarks.timing import best_ms
from pynav.grid import TileGrid, generate_map
from pynav.grid.clearance import footprint_costs
from pynav.grid.movement_class import MovementClass
from pynav.world import World

SIDE = 1024
CLASSES = 2
SIZES = (1, 2, 3)


def _world(classes: int, sizes: tuple[int, ...], kinds: np.ndarray) -> World:
    """A world with a crowd, its flow and the questions' structures on each layer."""
    world = World(seed=1)
    world.set_movement_classes([MovementClass(f"class {index}") for index in range(classes)])
    world.set_grid(TileGrid(kinds))
    goal = tuple(int(value) for value in np.argwhere(footprint_costs(kinds, (0, 0, SIDE, SIDE), 5))[0][::-1])
    for index in range(classes):
        for size in sizes:
            world.add_crowd(0, radius=size / 2, movement_class=f"class {index}").set_goal(goal)
    world.finish_builds()
    return world


def _megabytes(world: World) -> float:
    """What stands on the map for all of its layers, without the flows: tiles, connectivity, walls, blocks."""
    assert world._layers is not None and world._walls is not None
    total = world._walls.walls.nbytes
    for layer in world._layers.all:
        total += layer.grid.cost.nbytes + layer.grid.solid_mask.nbytes + layer.connectivity.label.nbytes
    for blocks in world._blocks.values():
        graph = blocks.graph
        total += graph.matrix.nbytes + graph.cost.nbytes + graph.border_of.nbytes + graph.owner_block.nbytes * 2
    return total / 1e6


def _edit(world: World) -> None:
    """A building of 3 x 3 tiles placed and removed: tiles, connectivity, walls and blocks of all layers (not the flows)."""
    for cost in (0, 1):
        world.edit_cost(500, 500, np.full((3, 3), cost, dtype=np.uint8))


def _is_right(world: World) -> bool:
    """Whether all layers are what they would be if made anew."""
    assert world._layers is not None and world._terrain is not None
    whole = world._terrain.bounds
    return all(
        bool((layer.grid.cost == footprint_costs(world._terrain.class_costs(layer.movement_class), whole, layer.size)).all())
        for layer in world._layers.all
    )


def rows() -> list[Row]:
    """Rows for the table."""
    kinds = generate_map("keep", SIDE, SIDE, 7).cost
    found = []
    for size in (2, 3, 5):
        # scipy's filters put an even window's middle one further right and below than an anchor.
        shift = 0 if size % 2 else -1
        least = minimum_filter(kinds, size, mode="constant", cval=0, origin=shift)
        peer = np.where(least == 0, 0, maximum_filter(kinds, size, mode="constant", cval=0, origin=shift))
        ours = footprint_costs(kinds, (0, 0, SIDE, SIDE), size)
        value = best_ms(lambda size=size: footprint_costs(kinds, (0, 0, SIDE, SIDE), size), 3)  # type: ignore[misc]
        peer_value = best_ms(
            lambda size=size: maximum_filter(minimum_filter(kinds, size, mode="constant"), size, mode="constant"),  # type: ignore[misc]
            3,
        )
        found.append(
            row(f"layers.footprints.{SIDE}.size_{size}", value, "ms", "scipy.ndimage", peer_value, bool((ours == peer).all()))
        )
    one, many = _world(1, (1,), kinds), _world(CLASSES, SIZES, kinds)
    one_edit, many_edit = best_ms(lambda: _edit(one), 20), best_ms(lambda: _edit(many), 20)
    name = f"{CLASSES}_classes_x_{len(SIZES)}_sizes"
    ok = _is_right(one) and _is_right(many)
    found.append(row(f"layers.edit.{SIDE}.{name}", many_edit, "ms", "the same with one layer", one_edit, ok))
    found.append(row(f"layers.memory.{SIDE}.{name}", _megabytes(many), "MB", "one layer", _megabytes(one), ok))
    return found
