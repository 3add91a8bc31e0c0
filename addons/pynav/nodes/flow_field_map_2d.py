"""The map node of 2D games."""

from __future__ import annotations

from collections.abc import Generator
from enum import IntEnum
from typing import Any

from addons.pynav.bridge import GodotObject, Rect2i, Vector2, Vector2i, export, is_editor, method

from . import tile_map_costs
from .editor_preview import draw_map, tile_picture
from .flow_field_map import FlowFieldMap, MapContent
from .map_buildings import MapBuildings2D
from .map_commands import MapCommands2D
from .telling import told
from .tile_plane import TilePlane


class TileMapProperties(GodotObject, register=False):
    """Properties that come first in the inspector: the source and where tiles lie."""

    class CostSource(IntEnum):
        """Where the costs of the tiles come from.

        CODE: All tiles cost `fill_cost` until code, or a brush in the editor, says otherwise.
        TILE_MAP_LAYER: The cells of `tile_map_layer`.
        IMAGE: The pixels of `cost_image`.
        MAP_FILE: The octile file `map_file`.
        BAKED_MAP: What was painted in the editor, or baked from another source: `baked_map`.
        GENERATOR: A generated map, by `generator_kind` and `generator_seed`.
        """

        CODE = 0
        TILE_MAP_LAYER = 1
        IMAGE = 2
        MAP_FILE = 3
        GENERATOR = 4
        BAKED_MAP = 5

    cost_source: CostSource = export(
        CostSource.CODE,
        "Where the costs come from. Whatever the source, set_cost_rect() and its kin can change them in play.",
        changed="_source_kind_changed",
    )
    tile_map_layer: GodotObject | None = export(
        None,
        "Layer whose cells are the tiles: square, or isometric in any layout (hexagonal ones are refused). Where it "
        "lies and how large its cells are comes from the layer; edits of it are taken over at the next tick.",
        node="TileMapLayer",
        changed="_source_node_changed",
    )
    cost_layer_name: str = export(
        "cost",
        "Custom data layer of the tile set that holds the cost: 0 (or false) is solid, 1 to 255 the cost. If the tile "
        "set has none of that name, each painted tile costs 1.",
        changed="_source_changed",
    )
    terrain_layer_name: str = export(
        "terrain",
        "Custom data layer of the tile set that holds the kind of terrain, 0 to 255; read instead of the cost where the map has "
        "movement classes.",
        changed="_source_changed",
    )
    region: Rect2i = export(Rect2i(), "Cells to read; empty: all that are used.", changed="_source_changed")
    empty_cost: int = export(0, "Cost of places without a cell; 0 is solid.", range=(0, 255), changed="_source_changed")
    tile_size: Vector2 = export(
        Vector2(16.0, 16.0),
        "Size of a tile. A TileMapLayer brings its own.",
        hint_string="suffix:px",
        hint=0,
        changed="_plane_changed",
    )
    origin: Vector2 = export(
        Vector2(),
        "Where the top left corner of tile (0, 0) lies in this node's space. A TileMapLayer brings its own.",
        hint_string="suffix:px",
        hint=0,
        changed="_plane_changed",
    )


class FlowFieldMap2D(
    FlowFieldMap,
    MapCommands2D,
    MapBuildings2D,
    TileMapProperties,
    GodotObject,
    base="Node2D",
    icon="res://addons/pynav/icons/flow_field_map_2d.svg",
):
    """A map of tiles on which crowds find their way.

    The map holds what each tile costs: 0 is solid, 1 the cheapest ground, 255 the dearest. Crowds (FlowFieldCrowd2D) below or
    beside it walk on it; it steps them each physics tick, on all cores. The costs come from code, a TileMapLayer, an image, a
    .map file or a generator, and can be edited in play: fields are built anew in the background while the old ones serve, so
    nothing stalls.

    Positions of crowds are in this node's local space, whatever its parents' offset, rotation or scale. Tiles are counted from
    (0, 0), its x axis right, its y axis down; on an isometric layer along the two diagonals.
    """

    def __init__(self) -> None:
        super().__init__()
        self._layer_costs: tile_map_costs.TileMapCosts | None = None
        self._preview: tuple[MapContent | None, Any] | None = None  # in the editor: what is drawn there

    # --- in the editor

    def _show_in_editor(self) -> None:
        super()._show_in_editor()
        self._preview = None
        self.queue_redraw()

    def _draw(self) -> None:
        """In the editor only: the border, and the tiles of sources that are not seen otherwise."""
        if not is_editor():
            return
        if self._preview is None:
            self._preview = self._read_preview()
        content, picture = self._preview
        if content is not None:
            rows, columns = content.cost.shape
            draw_map(self, self._make_plane(content), columns, rows, picture)

    def _editor_plane(self) -> TilePlane | None:
        """Where the tiles lie, as far as the editor knows."""
        content = self._preview[0] if self._preview is not None else None
        return None if content is None else self._make_plane(content)

    def _read_preview(self) -> tuple[MapContent | None, Any]:
        """What the source gives now; nothing where a warning says what is wrong with it."""
        content: MapContent | None = self._editor_content()
        if content is None:
            return None, None
        return content, None if int(self.cost_source) in (self.CODE, self.LAYER) else tile_picture(content.cost)

    def _layer(self) -> Any:
        return self.tile_map_layer

    def _cell_problem(self) -> str:
        layer = self.tile_map_layer
        if layer is None:
            return "The costs come from a TileMapLayer, but there is none: assign `tile_map_layer`."
        problem = tile_map_costs.shape_problem(layer)
        if problem:
            return problem[0].upper() + problem[1:] + "."
        name = self._data_layer_name()
        if is_editor() and not tile_map_costs.has_custom_data(layer, name):
            if len(self.movement_classes):
                return (
                    f"The tile set of '{layer.name}' has no custom data layer '{name}': add one (int; the kind of terrain, 0 to "
                    "255) or set `terrain_layer_name`. Without it each painted tile is of kind 1."
                )
            return (
                f"The tile set of '{layer.name}' has no custom data layer '{name}': add one (int; 0 is "
                "solid, 1 to 255 the cost)"
                " or set `cost_layer_name`. Without it each painted tile costs 1."
            )
        return ""

    def _data_layer_name(self) -> str:
        """The custom data layer that is read."""
        return self.terrain_layer_name if len(self.movement_classes) else self.cost_layer_name

    def _reading_steps(self) -> Generator[float, None, MapContent]:
        if int(self.cost_source) != self.LAYER:
            cost, goal = yield from self._common_source_steps()
            self._layer_costs = None
            return MapContent(cost, self._own_plane(), goal=goal)
        layer: Any = self.tile_map_layer
        name, region = self._data_layer_name(), self._wanted_region()
        found = yield from tile_map_costs.tile_map_steps(layer, name, region, self.empty_cost)
        self._layer_costs = found
        relative = self.global_transform.inverse()
        x, y, origin = layer.global_transform
        plane = found.plane.moved(x, y, origin).moved(*relative)
        return MapContent(found.cost, plane, found.first)

    def _own_plane(self) -> TilePlane:
        return TilePlane(tuple(self.origin), (self.tile_size.x, 0.0), (0.0, self.tile_size.y))

    def _make_plane(self, content: MapContent) -> TilePlane:
        return content.plane if int(self.cost_source) == self.LAYER else self._own_plane()

    def _source_problem(self) -> str:
        if int(self.cost_source) != self.LAYER and not (self.tile_size.x > 0.0 and self.tile_size.y > 0.0):
            return f"Tiles must be larger than nothing, they are {self.tile_size.x:g} x {self.tile_size.y:g} px: set `tile_size`."
        return super()._source_problem()

    def _cell_of(self, tile: Vector2i) -> Vector2i:
        if self._layer_costs is None:
            return super()._cell_of(tile)
        centre = self._layer_costs.plane.to_local(tile.x + 0.5, tile.y + 0.5)
        layer: Any = self.tile_map_layer
        return Vector2i(*layer.local_to_map(centre))

    def _tile_of_cell(self, cell: Vector2i) -> Vector2i:
        if self._layer_costs is None:
            return super()._tile_of_cell(cell)
        return Vector2i(*self._layer_costs.tile_of(cell.x, cell.y))

    @method(const=True)
    @told
    def local_to_tile(self, position: Vector2) -> Vector2i:
        """Tile at a place in this node's local space; it may lie outside the map."""
        x, y = self._plane.to_tile(position.x, position.y)
        return Vector2i(int(x // 1), int(y // 1))

    @method(const=True)
    @told
    def tile_to_local(self, tile: Vector2i) -> Vector2:
        """Centre of a tile in this node's local space."""
        return Vector2(*self._plane.to_local(tile.x + 0.5, tile.y + 0.5))

    @method(const=True)
    @told
    def world_to_tile(self, position: Vector2) -> Vector2i:
        """Tile at a global position; it may lie outside the map."""
        local = self.to_local(position)
        x, y = self._plane.to_tile(local.x, local.y)
        return Vector2i(int(x // 1), int(y // 1))

    @method(const=True)
    @told
    def tile_to_world(self, tile: Vector2i) -> Vector2:
        """Global position of a tile's centre."""
        return Vector2(*self.to_global(self._plane.to_local(tile.x + 0.5, tile.y + 0.5)))
