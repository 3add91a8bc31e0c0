"""Obstacle nodes, doors, movement classes and unit sizes in the real engine."""

from __future__ import annotations

import pytest

from .node_project import NodeProject

# Rows of a map as text, "#" for solid tiles.
PICTURE = """
func picture(map) -> Array:
	var size = map.get_map_size()
	var rows := []
	for y in size.y:
		var row := ""
		for x in size.x:
			row += "#" if map.get_cost(Vector2i(x, y)) == 0 else ("." if map.get_cost(Vector2i(x, y)) == 1 else "+")
		rows.append(row)
	return rows

func named(title: String, costs: Dictionary, other := 0) -> FlowFieldMovementClass:
	var found := FlowFieldMovementClass.new()
	found.name = title
	found.terrain_costs = costs
	found.other_cost = other
	return found

"""


def test_an_obstacle_follows_its_node_and_leaves_what_was_there(project: NodeProject) -> None:
    run = project.run_script(
        PICTURE
        + """
func run():
	var map := FlowFieldMap2D.new()
	map.size = Vector2i(8, 4)
	map.position = Vector2(100, 50)
	root.add_child(map)
	var obstacle := FlowFieldObstacle2D.new()
	obstacle.position = Vector2(32, 32)
	map.add_child(obstacle)
	result("aligned", picture(map))
	var rects := []
	map.map_changed.connect(func(rect): rects.append(rect))
	obstacle.position.x += 0.1
	await ticks(2)
	result("silent", rects.duplicate())
	obstacle.position.x += 40
	await ticks(2)
	result("moved", picture(map))
	result("rects", rects)
	map.set_cost_rect(Rect2i(4, 0, 2, 4), 5)
	result("edited", [map.get_cost(Vector2i(4, 0)), map.get_cost(Vector2i(4, 1)), map.get_terrain_kind(Vector2i(4, 1)),
		map.get_costs(Rect2i(3, 1, 3, 1))])
	obstacle.visible = false
	result("hidden", picture(map))
	obstacle.visible = true
	obstacle.disabled = true
	result("disabled", picture(map))
	obstacle.disabled = false
	obstacle.extra_cost = 7
	result("dearer", [map.get_cost(Vector2i(3, 1)), map.get_cost(Vector2i(4, 1)), map.get_cost(Vector2i(0, 0))])
	obstacle.extra_cost = 0
	obstacle.position = Vector2(-500, 3)
	await ticks(2)
	result("outside", picture(map))
	obstacle.position = Vector2(8, 8)
	obstacle.shape = FlowFieldObstacle2D.CIRCLE
	obstacle.radius = 20
	await ticks(2)
	result("circle", picture(map))
	map.size = Vector2i(6, 3)
	await ticks(2)
	result("new_map", picture(map))
	obstacle.queue_free()
	await ticks(2)
	result("freed", picture(map))
	map.free()
"""
    )
    assert run.unexpected() == []
    found = run.results
    assert found["aligned"] == ["........", ".##.....", ".##.....", "........"]
    assert found["silent"] == []
    assert found["moved"] == ["........", "...###..", "...###..", "........"]
    assert found["rects"] == [[[1, 1], [2, 2]], [[3, 1], [3, 2]]]
    assert found["edited"] == [5, 0, 5, [1, 5, 5]]
    assert found["hidden"] == found["disabled"] == ["....++.."] * 4
    assert found["dearer"] == [8, 12, 1]
    assert found["outside"] == ["....++.."] * 4
    assert found["circle"] == ["##..++..", "##..++..", "....++..", "....++.."]
    assert found["new_map"] == ["##....", "##....", "......"]
    assert found["freed"] == ["......"] * 3


def test_obstacles_anywhere_and_turned(project: NodeProject) -> None:
    """Under other parents, rotated, in 3D; two that overlap; a map that is not there."""
    run = project.run_script(
        PICTURE
        + """
func run():
	var parent := Node2D.new()
	parent.rotation = 0.5
	parent.scale = Vector2(2, 2)
	root.add_child(parent)
	var map := FlowFieldMap2D.new()
	map.size = Vector2i(7, 5)
	parent.add_child(map)
	var turned := FlowFieldObstacle2D.new()
	turned.size = Vector2(100, 4)
	turned.map = map
	root.add_child(turned)
	turned.global_transform = map.global_transform * Transform2D(PI / 4, Vector2(56, 40))
	await ticks(2)
	result("turned", picture(map))
	var second := FlowFieldObstacle2D.new()
	second.position = Vector2(56, 40)
	second.size = Vector2(16, 16)
	map.add_child(second)
	second.free()
	result("still", picture(map))
	var lost := FlowFieldObstacle2D.new()
	parent.remove_child(map)
	root.add_child(lost)
	result("problem", lost.get_problems())
	parent.add_child(map)
	root.remove_child(lost)
	lost.free()
	map.free()
	await ticks(2)
	result("map_gone", turned.get_map_node())
	turned.free()
	var land := FlowFieldMap3D.new()
	land.size = Vector2i(6, 4)
	land.position = Vector3(3, 7, -2)
	root.add_child(land)
	var box := FlowFieldObstacle3D.new()
	box.position = Vector3(2, 30, 2)
	box.size = Vector2(2, 1)
	land.add_child(box)
	result("box", picture(land))
	box.rotation.y = PI / 2
	box.size = Vector2(2.9, 0.9)
	box.position = Vector3(2.5, 0, 2.5)
	await ticks(2)
	result("box_turned", picture(land))
	land.free()
"""
    )
    assert [line for line in run.unexpected() if "has no map" not in line and "at:" not in line] == []
    found = run.results
    # A strip along the diagonal through the corners of tiles: each corner's four tiles.
    assert found["turned"] == [".##....", ".###...", "..###..", "...###.", "....##."]
    assert found["still"] == found["turned"]
    assert found["map_gone"] == "<Object#null>"
    assert found["box"] == ["......", ".##...", ".##...", "......"]
    assert found["box_turned"] == ["......", "..#...", "..#...", "..#..."]


def test_movement_classes_doors_and_queries(project: NodeProject) -> None:
    run = project.run_script(
        PICTURE
        + """
func run():
	var map := FlowFieldMap2D.new()
	map.size = Vector2i(12, 5)
	map.movement_classes = [named("ground", {1: 1, 2: 4}), named("boat", {3: 1}), named("bird", {}, 1)]
	root.add_child(map)
	map.set_terrain_rect(Rect2i(5, 0, 2, 5), 3)
	result("costs", [map.get_cost(Vector2i(5, 0)), map.get_cost(Vector2i(5, 0), "boat"), map.get_cost(Vector2i(5, 0), "bird"),
		map.get_terrain_kind(Vector2i(5, 0))])
	var west := Vector2i(1, 2)
	var east := Vector2i(10, 2)
	result("reach", ["ground", "boat", "bird"].map(func(title): return map.is_reachable(west, east, 1, title)))
	result("ford", map.set_terrain_rect(Rect2i(5, 2, 2, 1), 2))
	result("distance", [map.get_distance(west, east), map.get_distance(west, east, 1, "bird"), map.get_distance(west, east, 2)])
	var places := PackedVector2Array([Vector2(1.9, 2.2), Vector2(10, 2), Vector2(-3, 1), Vector2(NAN, 1)])
	result("many", map.get_distances(places, east, 1, "bird"))
	result("nearest", map.get_nearest_reachable_tile(Vector2i(5, 1), west))
	result("nearest_wide", map.get_nearest_reachable_tile(Vector2i(11, 4), west, 2))
	result("sight", [map.has_line_of_sight(west, east), map.has_line_of_sight(west, east, 2),
		map.has_line_of_sight(west, east, 2, "bird")])
	result("path", map.get_id_path(west, Vector2i(4, 2)).size())
	result("direction", map.get_flow_direction(west, east, 1, "ground"))
	result("door", map.add_door("gate", Rect2i(5, 2, 1, 1), false, ["bird"]))
	result("closed", ["ground", "bird"].map(func(title): return map.is_reachable(west, east, 1, title)))
	result("turn", [map.set_door_open("gate", true, ["ground"]), map.set_door_open("gate", true),
		map.set_door_open("gate", true)])
	result("open", [map.is_door_open("gate"), map.is_door_open("gate", "boat"), map.get_door_names()])
	var crowd := FlowFieldCrowd2D.new()
	crowd.count = 10
	crowd.movement_class = "boat"
	map.add_child(crowd)
	await ticks(2)
	result("boats", Array(crowd.get_positions()).all(func(place): return map.get_terrain_kind(map.local_to_tile(place)) == 3))
	crowd.movement_class = "bird"
	crowd.unit_size = 3
	crowd.set_goal(Vector2(150, 40))
	await ticks(300)
	result("arrived", crowd.get_arrived_count() > 0)
	map.size = Vector2i(13, 5)
	await ticks(1)
	result("kept", map.get_door_names())
	result("gone", map.remove_door("gate"))
	map.free()
"""
    )
    assert run.unexpected() == []
    found = run.results
    assert found["costs"] == [0, 1, 1, 3]
    assert found["reach"] == [False, False, True]
    assert found["distance"] == [15.0, 9.0, -1.0]
    assert found["many"] == [9.0, 0.0, -1.0, -1.0]
    assert found["nearest"] == [4, 1]  # as near as (5, 2), and above it
    assert found["nearest_wide"] == [3, 3]
    assert found["sight"] == [True, False, True]
    assert found["path"] == 4
    assert found["direction"] == [1.0, 0.0]
    assert found["door"] is True
    assert found["closed"] == [False, True]
    assert found["turn"] == [True, True, False]
    assert found["open"] == [True, True, ["gate"]]
    assert found["boats"] is True
    assert found["arrived"] is True
    assert found["kept"] == ["gate"] and found["gone"] is True


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("map.get_distance(Vector2i(), Vector2i(1, 1), 6)", "unit size of 1 to 5 tiles, got 6"),
        ("map.is_reachable(Vector2i(), Vector2i(1, 1), 1, 'boat')", "no movement class 'boat'"),
        ("map.set_door_open('gate', true)", "no door 'gate'"),
        ("map.add_door('gate', Rect2i(2, 2, 9, 1))", "within 4 x 4 tiles"),
        ("map.set_terrain_rect(Rect2i(0, 0, 1, 1), 256)", "0 (solid) to 255"),
        ("map.movement_classes = [FlowFieldMovementClass.new()]; map.get_costs()", "has no name"),
    ],
)
def test_what_is_refused_is_told_in_one_error(project: NodeProject, call: str, words: str) -> None:
    run = project.run_script(f"""
func run():
	var map := FlowFieldMap2D.new()
	map.size = Vector2i(4, 4)
	root.add_child(map)
	{call}
	map.free()
""")
    assert len(run.errors()) == 1 and words in run.errors()[0]


def test_a_saved_state_brings_doors_back_and_obstacles_stand_where_their_nodes_are(project: NodeProject) -> None:
    run = project.run_script(
        PICTURE
        + """
func run():
	var map := FlowFieldMap2D.new()
	map.size = Vector2i(6, 3)
	root.add_child(map)
	var first := FlowFieldObstacle2D.new()
	first.size = Vector2(16, 16)
	first.position = Vector2(8, 8)
	map.add_child(first)
	map.add_door("gate", Rect2i(5, 0, 1, 3))
	var state = map.save_state()
	var second := FlowFieldObstacle2D.new()
	second.size = Vector2(16, 16)
	second.position = Vector2(24, 24)
	map.add_child(second)
	map.set_door_open("gate", true)
	first.free()
	await ticks(1)
	result("before", picture(map))
	result("restored", map.restore_state(state))
	result("after", picture(map))
	second.position.x += 16
	await ticks(2)
	result("goes_on", picture(map))
	map.free()
"""
    )
    assert run.unexpected() == []
    assert run.results["before"] == ["......", ".#....", "......"]
    assert run.results["restored"] is True
    assert run.results["after"] == [".....#", ".#...#", ".....#"]
    assert run.results["goes_on"] == [".....#", "..#..#", ".....#"]


def test_terrain_kinds_come_from_custom_data(project: NodeProject) -> None:
    run = project.run_script(
        PICTURE
        + """
func run():
	var source := TileSetAtlasSource.new()
	source.texture = ImageTexture.create_from_image(Image.create_empty(48, 16, false, Image.FORMAT_RGBA8))
	source.texture_region_size = Vector2i(16, 16)
	var tile_set := TileSet.new()
	tile_set.tile_size = Vector2i(16, 16)
	tile_set.add_source(source, 0)
	tile_set.add_custom_data_layer()
	tile_set.set_custom_data_layer_name(0, "terrain")
	tile_set.set_custom_data_layer_type(0, TYPE_INT)
	for index in 3:
		source.create_tile(Vector2i(index, 0))
		source.get_tile_data(Vector2i(index, 0), 0).set_custom_data("terrain", [1, 4, 9][index])
	var layer := TileMapLayer.new()
	layer.tile_set = tile_set
	for x in 3:
		layer.set_cell(Vector2i(x, 0), 0, Vector2i(x, 0))
	root.add_child(layer)
	var map := FlowFieldMap2D.new()
	map.cost_source = FlowFieldMap2D.TILE_MAP_LAYER
	map.tile_map_layer = layer
	map.movement_classes = [named("foot", {1: 1, 4: 6}), named("boat", {9: 2})]
	root.add_child(map)
	result("foot", range(3).map(func(x): return map.get_cost(Vector2i(x, 0))))
	result("boat", range(3).map(func(x): return map.get_cost(Vector2i(x, 0), "boat")))
	layer.set_cell(Vector2i(0, 0), 0, Vector2i(2, 0))
	await ticks(2)
	result("edited", range(3).map(func(x): return map.get_cost(Vector2i(x, 0), "boat")))
	map.free()
	layer.free()
"""
    )
    assert run.unexpected() == []
    assert run.results == {"foot": [1, 6, 0], "boat": [0, 0, 2], "edited": [2, 0, 2]}
