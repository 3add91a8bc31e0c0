"""The map node of 3D games: tiles on the XZ plane."""

from __future__ import annotations

from collections.abc import Generator
from enum import IntEnum
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt

from addons.pynav.bridge import (
    Dictionary,
    GodotObject,
    PackedFloat32Array,
    Rect2i,
    Vector2i,
    Vector3,
    engine,
    export,
    is_editor,
    method,
)
from pynav.grid.generator import GeneratedMap

from . import picture_reading
from .flow_field_map import FlowFieldMap, MapContent
from .grid_map_costs import grid_map_steps
from .ground import heights_on
from .map_buildings import MapBuildings3D
from .map_commands import MapCommands3D
from .telling import USER_ERRORS, NodeError, tell, told
from .tile_plane import TilePlane

_TILT = 1e-4  # how far, of its length, an axis may leave the plane


class GridMapProperties(GodotObject, register=False):
    """Properties that come first in the inspector: the source and where tiles lie."""

    class CostSource(IntEnum):
        """Where the costs of the tiles come from.

        CODE: All tiles cost `fill_cost` until code, or a brush in the editor, says otherwise.
        GRID_MAP: One floor of `grid_map`.
        IMAGE: The pixels of `cost_image`.
        MAP_FILE: The octile file `map_file`.
        BAKED_MAP: What was painted in the editor, or baked from another source: `baked_map`.
        GENERATOR: A generated map, by `generator_kind` and `generator_seed`.
        """

        CODE = 0
        GRID_MAP = 1
        IMAGE = 2
        MAP_FILE = 3
        GENERATOR = 4
        BAKED_MAP = 5

    cost_source: CostSource = export(
        CostSource.CODE,
        "Where the costs come from. Whatever the source, set_cost_rect() and its kin can change them in play.",
        changed="_source_kind_changed",
    )
    grid_map: GodotObject | None = export(
        None,
        "GridMap of which one floor gives the tiles. Where it lies and how large its cells are comes from it. It "
        "doesn't tell when a cell is set: call update_from_source() then.",
        node="GridMap",
        changed="_source_node_changed",
    )
    grid_map_floor: int = export(
        0, "Which floor of the GridMap: the y of its cells.", range=(-1024, 1024), changed="_source_changed"
    )
    item_costs: Dictionary = export(
        {},
        "Cost of each item of the mesh library: item number to cost, 0 (solid) to 255; items that are missing here are "
        "solid. Empty: every occupied cell is solid.",
        changed="_source_changed",
    )
    region: Rect2i = export(
        Rect2i(), "Cells to read (x and z); empty: all that are used on the floor.", changed="_source_changed"
    )
    empty_cost: int = export(1, "Cost of places without a cell; 0 is solid.", range=(0, 255), changed="_source_changed")
    tile_size: float = export(
        1.0,
        "Side of a tile. A GridMap brings its own.",
        range=(0.01, 100.0, 0.01, "or_greater"),
        unit="m",
        changed="_plane_changed",
    )
    origin: Vector3 = export(
        Vector3(),
        "Where the corner of tile (0, 0) with the least x and z lies in this node's space. A GridMap brings its own.",
        hint=0,
        hint_string="suffix:m",
        changed="_plane_changed",
    )


class HeightProperties(GodotObject, register=False):
    """Properties of the ground, behind those of the source in the inspector."""

    heights: PackedFloat32Array = export(
        [],
        "Height of each tile's middle above the origin, row by row; empty is flat. Agents are drawn on it, slopes cost nothing.",
        group="Heights",
        changed="_heights_changed",
    )
    height_image: Annotated[GodotObject, "Resource"] | None = export(
        None,
        "Heights from an image instead: red times the scale.",
        resource="Texture2D,Image",
        group="Heights",
        changed="_heights_changed",
    )
    height_scale: float = export(
        1.0,
        "Height of a fully red pixel.",
        range=(-100.0, 100.0, 0.01, "or_greater", "or_less"),
        unit="m",
        group="Heights",
        changed="_heights_changed",
    )


class FlowFieldMap3D(
    HeightProperties,
    FlowFieldMap,
    MapCommands3D,
    MapBuildings3D,
    GridMapProperties,
    GodotObject,
    base="Node3D",
    icon="res://addons/pynav/icons/flow_field_map_3d.svg",
):
    """A map of tiles on the XZ plane on which crowds find their way.

    The map holds what each tile costs: 0 is solid, 1 the cheapest ground, 255 the dearest. Crowds (FlowFieldCrowd3D) below or
    beside it walk on it; it steps them each physics tick, on all cores. The costs come from code, one floor of a GridMap, an
    image, a .map file or a generator, and can be edited in play: fields are built anew in the background while the old ones
    serve, so nothing stalls.

    Positions of crowds are in this node's local space, whatever its parents' offset, rotation or scale. Tile x runs along x,
    tile y along z. Heights lift the agents, they don't change the way.
    """

    def __init__(self) -> None:
        super().__init__()
        self._ground: npt.NDArray[np.float32] | None = None  # (rows, columns), or None: flat
        self._ground_is_due = True

    def validate_property(self, info: Any) -> None:
        """Show what the chosen source uses, and layers by their names in 3D."""
        super().validate_property(info)
        if info.name == "bake_collision_mask":
            info.hint = engine.PROPERTY_HINT_LAYERS_3D_PHYSICS

    def _layer(self) -> Any:
        return self.grid_map

    def _cell_problem(self) -> str:
        if self.grid_map is None:
            return "The costs come from a GridMap, but there is none: assign `grid_map`."
        return ""

    def _source_problem(self) -> str:
        if int(self.cost_source) != self.LAYER and not self.tile_size > 0.0:
            return f"Tiles must be larger than nothing, they are {self.tile_size:g} m: set `tile_size`."
        return super()._source_problem()

    def _reading_steps(self) -> Generator[float, None, MapContent]:
        self._ground_is_due = True
        if int(self.cost_source) != self.LAYER:
            cost, goal = yield from self._common_source_steps()
            return MapContent(cost, self._own_plane(), goal=goal)
        grid_map = self.grid_map
        floor, item_costs, region = self.grid_map_floor, self.item_costs.to_dict(), self._wanted_region()
        found = yield from grid_map_steps(grid_map, floor, item_costs, region, self.empty_cost)
        return MapContent(found.cost, self._plane_of_grid_map(grid_map, found.first), found.first)

    def _get_configuration_warnings(self) -> list[str]:
        found = super()._get_configuration_warnings()
        problem = "" if found else self._height_problem()
        return [*found, problem] if problem else found

    def _height_problem(self) -> str:
        """What is wrong with the heights, as far as the size of the map is known."""
        count, shape = len(self.heights), self._known_shape()
        if self.height_image is not None or count == 0 or shape is None or count == shape[0] * shape[1]:
            return ""
        return (
            f"`heights` has {count} numbers, {shape[1]} x {shape[0]} tiles need {shape[0] * shape[1]}: the ground is flat until "
            "it has as many, or is cleared."
        )

    def _known_shape(self) -> tuple[int, int] | None:
        """(rows, columns) of the map, without reading its source."""
        if is_editor():
            drawing = None if self._drawn is None else self._drawn.drawing
            return None if drawing is None else (drawing.grid.height, drawing.grid.width)
        grid = None if self._world is None else self._world.grid
        return None if grid is None else (grid.height, grid.width)

    def _generated_content(self, made: GeneratedMap) -> MapContent:
        self._ground_is_due = True
        return super()._generated_content(made)

    def _plane_of_grid_map(self, grid_map: Any, first: tuple[int, int]) -> TilePlane:
        """Where the floor's tiles lie in this node's space; the floor must be parallel to its XZ plane."""
        width, _, depth = grid_map.cell_size
        floor = self.grid_map_floor
        to_own, from_map = self.global_transform.inverse(), grid_map.global_transform

        def place(cell: tuple[int, int, int]) -> Any:
            return to_own.apply(from_map.apply(grid_map.map_to_local(cell)))

        start = place((first[0], floor, first[1]))
        x_axis = place((first[0] + 1, floor, first[1])) - start
        z_axis = place((first[0], floor, first[1] + 1)) - start
        if max(abs(x_axis.y), abs(z_axis.y)) > _TILT * max(width, depth):
            raise NodeError(f"the floor of the GridMap '{grid_map.name}' is tilted against this node's XZ plane: turn both alike")
        middle_x = 0.5 if grid_map.cell_center_x else 0.0
        middle_z = 0.5 if grid_map.cell_center_z else 0.0
        corner = start - x_axis * middle_x - z_axis * middle_z
        below = place((first[0], floor + 1, first[1])) - start
        ground = corner.y - (below.y * 0.5 if grid_map.cell_center_y else 0.0)
        return TilePlane((corner.x, corner.z), (x_axis.x, x_axis.z), (z_axis.x, z_axis.z), ground)

    def _own_plane(self) -> TilePlane:
        x, y, z = self.origin
        return TilePlane((x, z), (self.tile_size, 0.0), (0.0, self.tile_size), y)

    def _make_plane(self, content: MapContent) -> TilePlane:
        return content.plane if int(self.cost_source) == self.LAYER else self._own_plane()

    # --- heights

    def _heights_changed(self) -> None:
        self._ground_is_due = True
        if self._drawn is not None:
            self._drawn.draw_again()
        for crowd in list(self._crowds):
            crowd._plane_changed()

    def _read_ground(self) -> npt.NDArray[np.float32] | None:
        """(rows, columns) heights above the plane, None where it is flat; what is wrong is told once, and it is flat then."""
        if self._ground_is_due:
            self._ground = None
            try:
                shape = self._ground_shape()
                self._ground_is_due = shape is None
                self._ground = None if shape is None else self._find_ground(*shape)
            except USER_ERRORS as error:
                self._ground_is_due = False
                tell(self, error)
        return self._ground

    def _ground_shape(self) -> tuple[int, int] | None:
        """Rows and columns of the map; None as long as the editor can't tell."""
        if is_editor():
            content = self._editor_content()
            return None if content is None else content.cost.shape
        grid = self._need_grid()
        return grid.height, grid.width

    def _find_ground(self, rows: int, columns: int) -> npt.NDArray[np.float32] | None:
        if self.height_image is not None:
            return picture_reading.read_heights(self.height_image, columns, rows, self.height_scale)
        count = len(self.heights)
        if count == 0:
            return None
        if count != columns * rows:
            raise NodeError(f"heights: {columns} x {rows} tiles need {columns * rows} numbers, got {count}")
        return np.array(self.heights.view(), dtype=np.float32).reshape(rows, columns)

    def _heights_at(self, tiles: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """(n,) y in this node's space of places in tile coordinates (n, 2), blended as the drawing does it."""
        return heights_on(self._read_ground(), self._plane.elevation, tiles)

    def _drawn_heights(self, tiles: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """The same for the drawing of the solver, which in the editor has no world."""
        assert self._drawn is not None
        return heights_on(self._read_ground(), self._drawn.plane().elevation, tiles)

    def _is_drawn_flat(self) -> bool:
        """Whether the drawing of the solver lies on flat ground."""
        return self._read_ground() is None

    @method(const=True)
    @told
    def get_height(self, position: Vector3) -> float:
        """Height of the ground (y in this node's space) at a place; only its x and z count."""
        tile = self._plane.to_tile(position.x, position.z)
        return float(self._heights_at(np.array([tile], dtype=np.float32))[0])

    # --- places

    @method(const=True)
    @told
    def local_to_tile(self, position: Vector3) -> Vector2i:
        """Tile at a place in this node's local space (its y doesn't count); it may lie outside the map."""
        x, y = self._plane.to_tile(position.x, position.z)
        return Vector2i(int(x // 1), int(y // 1))

    @method(const=True)
    @told
    def tile_to_local(self, tile: Vector2i) -> Vector3:
        """Centre of a tile in this node's local space, on the ground."""
        x, z = self._plane.to_local(tile.x + 0.5, tile.y + 0.5)
        height = self._heights_at(np.array([[tile.x + 0.5, tile.y + 0.5]], dtype=np.float32))[0]
        return Vector3(x, float(height), z)

    @method(const=True)
    @told
    def world_to_tile(self, position: Vector3) -> Vector2i:
        """Tile at a global position; it may lie outside the map."""
        local = self.to_local(position)
        x, y = self._plane.to_tile(local.x, local.z)
        return Vector2i(int(x // 1), int(y // 1))

    @method(const=True)
    @told
    def tile_to_world(self, tile: Vector2i) -> Vector3:
        """Global position of a tile's centre, on the ground."""
        x, z = self._plane.to_local(tile.x + 0.5, tile.y + 0.5)
        height = self._heights_at(np.array([[tile.x + 0.5, tile.y + 0.5]], dtype=np.float32))[0]
        return Vector3(*self.to_global(Vector3(x, float(height), z)))
