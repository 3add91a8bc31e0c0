"""Baking: what a map's source gives, with physics shapes laid over it, kept as a resource."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from addons.pynav.bridge import GodotObject, engine, export, method

from .baked_map import baked
from .shape_outlines import clouds_3d, convex_outline, outlines_2d
from .telling import NodeError, told
from .tile_cover import covered_tiles

Costs = npt.NDArray[np.uint8]
# From how far above the ground to how high a shape in 3D stands in the way, metres.
STEP_HEIGHT, HEAD_HEIGHT = 0.3, 2.0
_SHAPES_PER_STEP = 16
_READING = 0.3  # of a bake with physics shapes


class MapBaking(GodotObject, register=False):
    """Properties and methods of a map node that concern baking."""

    bake_collision_mask: int = export(
        0,
        "Baking turns the tiles under static bodies on these physics layers solid: all bodies of the scene that the map belongs "
        "to. In 3D those count that are in the way between 0.3 m and 2 m above the map's plane.",
        flags="2d_physics",
        group="Baking",
    )

    BAKED: ClassVar[int]
    _source_problem: Any
    _reading_steps: Any
    _generated_behind: Any
    _is_large_generated: Any
    _make_plane: Any
    baked_map: Any
    cost_source: Any

    @method
    @told
    def bake(self) -> bool:
        """Keep what the source gives now, with static bodies (bake_collision_mask), as the baked map, and use that from now on:
        baked_map is made or filled, cost_source becomes BAKED_MAP. True if it was done.
        """
        made = None
        for _, _, costs in self._bake_steps():
            made = costs
        assert made is not None
        self._take_baked(baked(made))
        return True

    def _take_baked(self, resource: Any) -> None:
        self.baked_map = resource
        self.cost_source = self.BAKED

    def _bake_steps(self, is_patient: bool = False) -> Generator[tuple[float, str, Costs | None], None, None]:
        """Bake in steps, for those who must not stall: the part that is done, what is being done, at the end the costs.

        Who is patient gets steps without work (and `_is_reading`) as long as a large map is generated in the background.
        NodeError and the core's errors say what is wrong with the source; nothing has changed then, nor if it is left off.
        """
        problem = self._source_problem()
        if problem:
            raise NodeError(problem)
        if is_patient and self._is_large_generated():
            while (content := self._generated_behind()) is None:
                yield 0.0, "Generating the map", None
        else:
            content = yield from self._read_with_progress(_READING if self.bake_collision_mask else 1.0)
        costs, plane = content.cost.copy(), self._make_plane(content)
        if self.bake_collision_mask:
            yield _READING, "Looking for physics shapes", None
            shapes = self._shapes_to_bake()
            for number, shape in enumerate(shapes):
                if number % _SHAPES_PER_STEP == 0:
                    yield _READING + 0.6 * number / len(shapes), f"Physics shapes: {number} of {len(shapes)}", None
                for outline in self._outlines(shape, plane):
                    _lay(costs, outline)
        yield 1.0, "Done", costs

    def _read_with_progress(self, whole: float) -> Generator[tuple[float, str, Costs | None], None, Any]:
        """What the source gives (MapContent); reading it is so much of the bake."""
        steps = self._reading_steps()
        while True:
            try:
                part = next(steps)
            except StopIteration as end:
                return end.value
            yield whole * part, "Reading the costs", None

    def _shapes_to_bake(self) -> list[Any]:
        """Shapes of the static bodies on the chosen layers, in the map's scene."""
        root = self.owner or (self.get_parent() if self.is_inside_tree() else None) or self
        is_flat = self.is_class("Node2D")
        kinds = (engine.CollisionShape2D, engine.CollisionPolygon2D) if is_flat else (engine.CollisionShape3D,)
        found = []
        for body in root.find_children("*", "StaticBody2D" if is_flat else "StaticBody3D", True, False):
            if not body.collision_layer & self.bake_collision_mask:
                continue
            for child in body.get_children():
                if isinstance(child, kinds) and not child.disabled:
                    found.append(child)
        return found

    def _outlines(self, shape: Any, plane: Any) -> list[npt.NDArray[np.float64]]:
        """Outlines of a shape in tile coordinates."""
        inverse, place = self.global_transform.inverse(), shape.global_transform
        found = []
        if self.is_class("Node2D"):
            for outline in outlines_2d(shape):
                points = [inverse.apply(place.apply(tuple(point))) for point in outline.tolist()]
                found.append(np.array([plane.to_tile(point[0], point[1]) for point in points]))
            return found
        for cloud in clouds_3d(shape):
            points = [inverse.apply(place.apply(tuple(point))) for point in cloud.tolist()]
            heights = [point[1] - plane.elevation for point in points]
            if max(heights) > STEP_HEIGHT and min(heights) < HEAD_HEIGHT:
                found.append(convex_outline(np.array([plane.to_tile(point[0], point[2]) for point in points])))
        return found


def _lay(costs: Costs, outline: npt.NDArray[np.float64]) -> None:
    """Turn the tiles under an outline solid."""
    if len(outline) < 3:
        return
    left, top, tiles = covered_tiles(outline)
    rows, columns = costs.shape
    first_x, first_y = max(left, 0), max(top, 0)
    last_x, last_y = min(left + tiles.shape[1], columns), min(top + tiles.shape[0], rows)
    if first_x < last_x and first_y < last_y:
        part = tiles[first_y - top : last_y - top, first_x - left : last_x - left]
        costs[first_y:last_y, first_x:last_x][part] = 0
