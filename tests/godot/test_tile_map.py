"""FlowFieldMap2D over a TileMapLayer: square, isometric in every layout, hexagonal refused, edits taken over."""

from __future__ import annotations

import pytest

from .node_project import NodeProject

# A tile set of three tiles: cost 1, cost 0 (solid), cost 5.
TILE_SET = """
func make_layer(shape: int, layout: int, axis: int, data := true) -> TileMapLayer:
	var image := Image.create_empty(48, 16, false, Image.FORMAT_RGBA8)
	var source := TileSetAtlasSource.new()
	source.texture = ImageTexture.create_from_image(image)
	source.texture_region_size = Vector2i(16, 16)
	var tile_set := TileSet.new()
	tile_set.tile_shape = shape
	tile_set.tile_layout = layout
	tile_set.tile_offset_axis = axis
	tile_set.tile_size = Vector2i(32, 16)
	tile_set.add_source(source, 7)
	if data:
		tile_set.add_custom_data_layer()
		tile_set.set_custom_data_layer_name(0, "cost")
		tile_set.set_custom_data_layer_type(0, TYPE_INT)
	for index in 3:
		source.create_tile(Vector2i(index, 0))
		if data:
			source.get_tile_data(Vector2i(index, 0), 0).set_custom_data("cost", [1, 0, 5][index])
	var layer := TileMapLayer.new()
	layer.tile_set = tile_set
	return layer

"""


def test_square(project: NodeProject) -> None:
    run = project.run_script(
        TILE_SET
        + """
func run():
	var parent := Node2D.new()
	parent.position = Vector2(100, 50)
	parent.scale = Vector2(2, 2)
	var layer := make_layer(TileSet.TILE_SHAPE_SQUARE, 0, 0)
	layer.position = Vector2(10, 20)
	for cell in [Vector2i(-3, 4), Vector2i(-2, 4), Vector2i(-1, 4), Vector2i(-1, 6)]:
		layer.set_cell(cell, 7, Vector2i(0, 0))
	layer.set_cell(Vector2i(-2, 4), 7, Vector2i(1, 0))
	layer.set_cell(Vector2i(-3, 6), 7, Vector2i(2, 0), TileSetAtlasSource.TRANSFORM_FLIP_H)
	var map := FlowFieldMap2D.new()
	map.rotation = 0.3
	map.cost_source = FlowFieldMap2D.TILE_MAP_LAYER
	map.tile_map_layer = layer
	parent.add_child(layer)
	root.add_child(parent)
	root.add_child(map)
	result("size", map.get_map_size())
	result("costs", map.get_costs())
	result("cell", map.tile_to_cell(Vector2i(1, 0)))
	result("tile", map.cell_to_tile(Vector2i(-1, 6)))
	var same := true
	for cell in [Vector2i(-3, 4), Vector2i(-1, 6), Vector2i(5, 5)]:
		var there: Vector2 = layer.to_global(layer.map_to_local(cell))
		same = same and there.distance_to(map.tile_to_world(map.cell_to_tile(cell))) < 0.01
		same = same and map.world_to_tile(there) == map.cell_to_tile(cell)
	result("same_places", same)
	var rects := []
	map.map_changed.connect(func(rect): rects.append(rect))
	layer.set_cell(Vector2i(-2, 5), 7, Vector2i(2, 0))
	layer.set_cell(Vector2i(-2, 4), 7, Vector2i(0, 0))
	await ticks(3)
	result("edited", map.get_costs())
	result("rects", rects)
	map.empty_cost = 9
	result("empty", map.get_costs())
	map.region = Rect2i(-3, 4, 2, 1)
	result("region", map.get_costs())
	map.region = Rect2i()
	layer.set_cell(Vector2i(1, 4), 7, Vector2i(0, 0))
	await ticks(3)
	result("grown", map.get_map_size())
	map.free()
	parent.free()
"""
    )
    assert run.unexpected() == []
    found = run.results
    assert found["size"] == [3, 3]
    assert found["costs"] == [1, 0, 1, 0, 0, 0, 5, 0, 1]
    assert (found["cell"], found["tile"]) == ([-2, 4], [2, 2])
    assert found["same_places"] is True
    assert found["edited"] == [1, 1, 1, 0, 5, 0, 5, 0, 1]
    assert found["rects"] == [[[1, 0], [1, 2]]]
    assert found["empty"] == [1, 1, 1, 9, 5, 9, 5, 9, 1]
    assert found["region"] == [1, 1]
    assert found["grown"] == [5, 3]


def test_a_layer_that_is_read_in_several_steps(project: NodeProject) -> None:
    """90,000 cells, set from both ends inwards, so that no step holds the outermost ones of all sides."""
    run = project.run_script(
        TILE_SET
        + """
func run():
	var layer := make_layer(TileSet.TILE_SHAPE_SQUARE, 0, 0)
	for row in 300:
		var y := row / 2 if row % 2 == 0 else 299 - row / 2
		for x in 300:
			layer.set_cell(Vector2i(x - 120, y - 7), 7, Vector2i((x * 5 + y * 3) % 7 % 3, 0))
	var map := FlowFieldMap2D.new()
	map.cost_source = FlowFieldMap2D.TILE_MAP_LAYER
	map.tile_map_layer = layer
	root.add_child(layer)
	root.add_child(map)
	result("size", map.get_map_size())
	result("first", map.tile_to_cell(Vector2i(0, 0)))
	var costs := map.get_costs()
	var wrong := 0
	for y in 300:
		for x in 300:
			wrong += int(costs[y * 300 + x] != [1, 0, 5][(x * 5 + y * 3) % 7 % 3])
	result("wrong", wrong)
	map.region = Rect2i(100, 250, 5, 3)
	result("region", map.get_costs())
	map.free()
	layer.free()
"""
    )
    assert run.unexpected() == []
    found = run.results
    assert (found["size"], found["first"], found["wrong"]) == ([300, 300], [-120, -7], 0)
    places = [(x, y) for y in range(257, 260) for x in range(220, 225)]
    assert found["region"] == [[1, 0, 5][(x * 5 + y * 3) % 7 % 3] for x, y in places]


@pytest.mark.parametrize("axis", [0, 1], ids=["horizontal", "vertical"])
def test_isometric_layouts(project: NodeProject, axis: int) -> None:
    """Whatever the layout: neighbours over an edge of the diamond are straight neighbours among the tiles, and places agree."""
    run = project.run_script(
        TILE_SET
        + """
func run():
	for layout in 6:
		var layer := make_layer(TileSet.TILE_SHAPE_ISOMETRIC, layout, %d)
		for y in range(-3, 4):
			for x in range(-2, 5):
				layer.set_cell(Vector2i(x, y), 7, Vector2i(0, 0))
		layer.set_cell(Vector2i(1, 1), 7, Vector2i(2, 0))
		var map := FlowFieldMap2D.new()
		map.cost_source = FlowFieldMap2D.TILE_MAP_LAYER
		map.tile_map_layer = layer
		root.add_child(layer)
		root.add_child(map)
		var places := true
		var steps := true
		var back := true
		for cell in layer.get_used_cells():
			var tile: Vector2i = map.cell_to_tile(cell)
			places = places and map.tile_to_world(tile).distance_to(layer.map_to_local(cell)) < 0.01
			places = places and map.get_cost(tile) == (5 if cell == Vector2i(1, 1) else 1)
			back = back and map.tile_to_cell(tile) == cell
			for side in [TileSet.CELL_NEIGHBOR_BOTTOM_RIGHT_SIDE, TileSet.CELL_NEIGHBOR_BOTTOM_LEFT_SIDE,
			TileSet.CELL_NEIGHBOR_TOP_LEFT_SIDE,
					TileSet.CELL_NEIGHBOR_TOP_RIGHT_SIDE]:
				var step: Vector2i = map.cell_to_tile(layer.get_neighbor_cell(cell, side)) - tile
				steps = steps and absi(step.x) + absi(step.y) == 1
		result("layout_%%d" %% layout, [places, steps, back, map.get_costs().count(1)])
		map.free()
		layer.free()
"""
        % axis
    )
    assert run.unexpected() == []
    assert run.results == {f"layout_{layout}": [True, True, True, 48] for layout in range(6)}


def test_hexagonal_is_refused_in_words(project: NodeProject) -> None:
    run = project.run_script(
        TILE_SET
        + """
func run():
	for shape in [TileSet.TILE_SHAPE_HEXAGON, TileSet.TILE_SHAPE_HALF_OFFSET_SQUARE]:
		var layer := make_layer(shape, 0, 0)
		layer.name = "Ground"
		layer.set_cell(Vector2i(0, 0), 7, Vector2i(0, 0))
		var map := FlowFieldMap2D.new()
		map.cost_source = FlowFieldMap2D.TILE_MAP_LAYER
		map.tile_map_layer = layer
		root.add_child(layer)
		root.add_child(map)
		result("size_%d" % shape, map.get_map_size())
		result("warning_%d" % shape, map.get_problems())
		map.free()
		layer.free()
"""
    )
    errors = run.errors()
    assert any("TileMapLayer 'Ground' is hexagonal: its cells have six neighbours" in error for error in errors)
    assert any("half-offset squares" in error for error in errors)
    assert "Traceback" not in run.output
    for shape in (2, 3):
        assert run.results[f"size_{shape}"] == [0, 0]
        assert "use a square or isometric tile set" in run.results[f"warning_{shape}"][0]


def test_problems_with_a_layer(project: NodeProject) -> None:
    run = project.run_script(
        TILE_SET
        + """
func run():
	var map := FlowFieldMap2D.new()
	map.name = "Land"
	map.cost_source = FlowFieldMap2D.TILE_MAP_LAYER
	root.add_child(map)
	var bare := TileMapLayer.new()
	bare.name = "Bare"
	root.add_child(bare)
	map.tile_map_layer = bare
	result("bare", map.get_map_size())
	var empty := make_layer(TileSet.TILE_SHAPE_SQUARE, 0, 0)
	empty.name = "Empty"
	root.add_child(empty)
	map.tile_map_layer = empty
	result("empty", map.get_map_size())
	var plain := make_layer(TileSet.TILE_SHAPE_SQUARE, 0, 0, false)
	plain.set_cell(Vector2i(4, 4), 7, Vector2i(1, 0))
	root.add_child(plain)
	map.tile_map_layer = plain
	result("plain", map.get_costs())
	plain.tile_set.add_custom_data_layer()
	plain.tile_set.set_custom_data_layer_name(0, "cost")
	plain.tile_set.set_custom_data_layer_type(0, TYPE_INT)
	plain.tile_set.get_source(7).get_tile_data(Vector2i(1, 0), 0).set_custom_data("cost", 300)
	map.cost_layer_name = "x"
	map.cost_layer_name = "cost"
	result("too_dear", map.get_costs())
	plain.free()
	await ticks(2)
	map.free()
	bare.free()
	empty.free()
"""
    )
    texts = ["assign `tile_map_layer`", "'Bare' has no tile set", "'Empty' has no cells", "must be a cost 0..255, got 300"]
    errors = [error for error in run.errors() if "there is no map" not in error]
    for text in texts:
        assert sum(text in error for error in errors) == 1, (text, run.output)
    assert len(errors) == len(texts), run.output
    assert run.results["plain"] == [1]
    assert run.results["too_dear"] == [1]
    assert run.code == 0
