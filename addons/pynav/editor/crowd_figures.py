"""Figures of crowds and of formation controllers for the inspector: what they will be in the game, by their properties."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from addons.pynav.nodes.flow_field_crowd import LARGEST_RADIUS_TILES, SMALLEST_RADIUS_TILES
from addons.pynav.nodes.formation_controller import LEAST_SPACING_TILES, MOST_SPACING_TILES
from pynav.formations.drag_grid import DragGrid
from pynav.formations.row_class import MOST_UNITS, RowClass
from pynav.grid import TileGrid
from pynav.grid.clearance import size_of_radius
from pynav.world import World

from .figure_grid import Rows
from .held_bytes import bytes_text, held_bytes

_FLOAT_BYTES = 4
_MEASURED_AGENTS = 2048


@cache
def bytes_per_agent() -> float:
    """What a world keeps for each agent, measured on a small one."""
    held: list[int] = []
    for count in (1, _MEASURED_AGENTS):
        world = World(seed=0)
        world.set_grid(TileGrid(np.ones((64, 64), dtype=np.uint8)))
        world.add_crowd(count, 1.0, 0.3)
        world.step(0.01)
        held.append(held_bytes(world))
    return (held[1] - held[0]) / (_MEASURED_AGENTS - 1)


def tile_length(home: Any) -> float | None:
    """Side of a tile of a map, in its units; None where the map doesn't say yet."""
    drawn = getattr(home, "_drawn", None)
    plane = None if drawn is None or drawn.drawing is None else drawn.plane()
    if plane is None:
        content = None if home is None or int(home.cost_source) == home.LAYER else home._own_plane()
        plane = content
    return None if plane is None or not plane.tile_length > 0.0 else float(plane.tile_length)


def _radius_tiles(crowd: Any, tile: float) -> float:
    return float(min(max(crowd.radius / tile, SMALLEST_RADIUS_TILES), LARGEST_RADIUS_TILES))


class CrowdFigures:
    """Of a FlowFieldCrowd2D or 3D.

    Args:
        crowd: the node.
    """

    def __init__(self, crowd: Any) -> None:
        self._crowd = crowd

    def close(self) -> None:
        """Nothing is kept."""

    def rows(self) -> Rows:
        """Names and values."""
        crowd, home = self._crowd, self._crowd._find_map()
        count = max(crowd.count, 0)
        floats = (8 if crowd.is_class("Node2D") else 12) + crowd._floats_of_look
        memory = int(count * (bytes_per_agent() + floats * _FLOAT_BYTES))
        found = [
            ("Map", "none" if home is None else str(home.name)),
            ("Agents at start", "0 (placed by code)" if int(crowd.spawn_mode) == crowd.SpawnMode.NOWHERE else f"{count:,}"),
        ]
        tile = tile_length(home)
        if tile is not None:
            radius = _radius_tiles(crowd, tile)
            size = crowd.unit_size if 1 <= crowd.unit_size <= 5 else size_of_radius(radius)
            found += [
                ("Radius", f"{radius:.2f} tiles"),
                ("Needs free", f"{size} x {size} tiles"),
                ("Speed", f"{crowd.speed / tile:.2f} tiles/s"),
            ]
        return [*found, ("Memory", f"{bytes_text(memory)} for {count:,}")]


class _Block(NamedTuple):
    """A formation as a click orders it."""

    classes: int
    slots: int
    rows: int
    files: int


class FormationFigures:
    """Of a FormationController2D or 3D.

    Args:
        controller: the node.
    """

    def __init__(self, controller: Any) -> None:
        self._controller = controller

    def close(self) -> None:
        """Nothing is kept."""

    def rows(self) -> Rows:
        """Names and values."""
        home = self._controller._find_map()
        crowds = self._crowds(home)
        found = [("Map", "none" if home is None else str(home.name)), ("Crowds", f"{len(crowds)}")]
        tile = tile_length(home)
        block = None if tile is None else self._block(crowds, tile)
        if block is None:
            return found
        return [
            *found,
            ("Slots at start", f"{block.slots:,}"),
            ("Row classes", f"{block.classes}"),
            ("Rows", f"{block.rows:,} in a block"),
            ("Files", f"{block.files:,} in a block"),
        ]

    def _crowds(self, home: Any) -> list[Any]:
        """Those that will be ordered: the ones that are named, else all of the map."""
        node = self._controller
        given = [crowd for crowd in node.crowds if crowd is not None and node._is_own_crowd(crowd)]
        if given or home is None or not node.is_inside_tree():
            return given
        root = node.get_tree().edited_scene_root
        kind = "FlowFieldCrowd" + type(node).__name__[-2:]
        every = [] if root is None else list(root.find_children("*", kind, True, False))
        return [crowd for crowd in every if crowd._find_map() is home]

    def _block(self, crowds: list[Any], tile: float) -> _Block | None:
        """The rows in which the crowds stand if they are ordered by a click, at the size at which they start."""
        priorities = self._controller.row_priorities.to_list()
        classes: dict[int, tuple[int, float]] = {}
        for index, crowd in enumerate(crowds):
            if crowd.count < 1 or int(crowd.spawn_mode) == crowd.SpawnMode.NOWHERE:
                continue
            priority = priorities[index] if index < len(priorities) else index + 1
            units, radius = classes.get(priority, (0, 0.0))
            classes[priority] = units + crowd.count, max(radius, _radius_tiles(crowd, tile))
        listed = [RowClass(priority, *classes[priority]) for priority in sorted(classes)]
        units = sum(found.count for found in listed)
        if not 1 <= units <= MOST_UNITS:
            return None
        spacing = min(max(self._controller.spacing / tile, LEAST_SPACING_TILES), MOST_SPACING_TILES)
        files = DragGrid((0.0, 0.0), (0.0, -1.0), None, spacing).file_counts(listed)
        rows = sum(-(-found.count // side) for found, side in zip(listed, files, strict=True))
        return _Block(len(listed), units, rows, max(files))
