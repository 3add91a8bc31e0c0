"""FlowFieldMap2D in the real engine: costs, queries, places, sources, errors."""

from __future__ import annotations

from pathlib import Path

from .node_project import NodeProject


def test_defaults(project: NodeProject) -> None:
    run = project.run_script("""
func run():
	var map := FlowFieldMap2D.new()
	for property in ["cost_source", "size", "tile_size", "origin", "seed", "threads", "fill_cost", "cost_layer_name",
	"empty_cost", "map_file",
			"generator_kind", "generator_seed", "region"]:
		result(property, map.get(property))
	result("default_size", ClassDB.class_get_property_default_value("FlowFieldMap2D", "size"))
	result("is_node2d", map is Node2D)
	result("enum_value", FlowFieldMap2D.GENERATOR)
	root.add_child(map)
	result("map_size", map.get_map_size())
	result("costs", Array(map.get_costs()).count(1))
	map.free()
""")
    assert run.unexpected() == []
    assert run.results == {
        "cost_source": 0, "size": [64, 64], "tile_size": [16.0, 16.0], "origin": [0.0, 0.0], "seed": 0, "threads": 0,
        "fill_cost": 1,
        "cost_layer_name": "cost", "empty_cost": 0, "map_file": "", "generator_kind": 0, "generator_seed": 0, "region": [[0,
        0], [0, 0]],
        "default_size": [64, 64], "is_node2d": True, "enum_value": 4, "map_size": [64, 64], "costs": 4096,
    }  # fmt: skip
    assert run.code == 0


def test_costs_and_queries(project: NodeProject) -> None:
    run = project.run_script("""
func run():
	var map := FlowFieldMap2D.new()
	map.size = Vector2i(8, 6)
	root.add_child(map)
	var rects := []
	map.map_changed.connect(func(rect): rects.append(rect))
	result("changed", map.set_cost_rect(Rect2i(3, 0, 1, 5), 0))
	result("again", map.set_cost_rect(Rect2i(3, 0, 1, 5), 0))
	result("clipped", map.set_cost_rect(Rect2i(6, -3, 9, 4), 7))
	result("outside", map.set_cost_rect(Rect2i(20, 20, 2, 2), 7))
	result("one", map.set_cost(Vector2i(0, 5), 9))
	result("costs", map.set_costs(PackedByteArray([2, 3]), Rect2i(0, 0, 2, 1)))
	result("read", [map.get_cost(Vector2i(3, 2)), map.get_cost(Vector2i(7, 0)), map.get_cost(Vector2i(-1, 0)),
	map.get_cost(Vector2i(8, 0))])
	result("row", map.get_costs(Rect2i(0, 0, 8, 1)))
	result("rects", rects)
	result("inside", [map.is_inside(Vector2i(7, 5)), map.is_inside(Vector2i(8, 5))])
	map.set_cost_rect(Rect2i(0, 0, 8, 6), 1)
	map.set_cost_rect(Rect2i(3, 0, 1, 5), 0)
	result("straight", map.get_distance(Vector2i(0, 5), Vector2i(2, 5)))
	result("around", map.get_distance(Vector2i(2, 4), Vector2i(4, 4)))
	result("path", map.get_id_path(Vector2i(0, 5), Vector2i(2, 5)))
	result("no_path", [map.get_id_path(Vector2i(-1, 0), Vector2i(2, 5)), map.get_id_path(Vector2i(0, 5), Vector2i(9, 99))])
	result("flow", map.get_flow_direction(Vector2i(2, 4), Vector2i(4, 4)))
	result("diagonal", map.get_flow_direction(Vector2i(0, 0), Vector2i(1, 1)))
	result("at_goal", map.get_flow_direction(Vector2i(4, 4), Vector2i(4, 4)))
	result("sight", [map.has_line_of_sight(Vector2i(0, 0), Vector2i(2, 5)), map.has_line_of_sight(Vector2i(2, 0), Vector2i(4,
	0))])
	result("reach", map.is_reachable(Vector2i(0, 0), Vector2i(7, 0)))
	map.set_cost(Vector2i(3, 5), 0)
	result("sealed", [map.is_reachable(Vector2i(0, 0), Vector2i(7, 0)), map.get_distance(Vector2i(0, 0), Vector2i(7, 0)),
		map.get_nearest_reachable_tile(Vector2i(7, 2), Vector2i(0, 0)), map.get_nearest_free_tile(Vector2i(3, 3))])
	map.free()
""")
    assert run.unexpected() == []
    found = run.results
    assert (found["changed"], found["again"], found["clipped"], found["outside"], found["one"]) == (
        True,
        False,
        True,
        False,
        True,
    )
    assert found["costs"] is True
    assert found["read"] == [0, 7, 0, 0]
    assert found["row"] == [2, 3, 1, 0, 1, 1, 7, 7]
    assert found["rects"] == [[[3, 0], [1, 5]], [[6, 0], [2, 1]], [[0, 5], [1, 1]], [[0, 0], [2, 1]]]
    assert found["inside"] == [True, False]
    assert found["straight"] == 2.0
    assert found["around"] == 4.0  # down, two right, up: no corner is cut
    assert found["path"] == [[0, 5], [1, 5], [2, 5]]
    assert found["no_path"] == [[], []]
    assert found["flow"] == [0.0, 1.0]
    assert abs(found["diagonal"][0] - 0.70710678) < 1e-6 and found["diagonal"][0] == found["diagonal"][1]
    assert found["at_goal"] == [0.0, 0.0]
    assert found["sight"] == [True, False]
    assert found["reach"] is True
    assert found["sealed"] == [False, -1.0, [2, 2], [2, 3]]


def test_places_under_moved_parents(project: NodeProject) -> None:
    run = project.run_script("""
func run():
	var parent := Node2D.new()
	parent.position = Vector2(300, -40)
	parent.rotation = 0.7
	parent.scale = Vector2(2, 3)
	var map := FlowFieldMap2D.new()
	map.position = Vector2(5, 6)
	map.tile_size = Vector2(10, 20)
	map.origin = Vector2(-50, 30)
	parent.add_child(map)
	root.add_child(parent)
	result("centre", map.tile_to_local(Vector2i(2, 3)))
	result("back", map.local_to_tile(Vector2(-50 + 25, 30 + 70)))
	result("before", map.local_to_tile(Vector2(-51, 29)))
	var world := map.to_global(Vector2(-25, 100))
	result("near", world.distance_to(map.tile_to_world(Vector2i(2, 3))) < 0.001)
	result("world", map.world_to_tile(world))
	map.tile_size = Vector2(1, 1)
	result("smaller", map.tile_to_local(Vector2i(2, 3)))
	parent.free()
""")
    assert run.unexpected() == []
    assert run.results == {
        "centre": [-25.0, 100.0], "back": [2, 3], "before": [-1, -1], "near": True, "world": [2, 3], "smaller": [-47.5, 33.5],
    }  # fmt: skip


def test_sources(project: NodeProject) -> None:
    project.write("maps/small.map", "type octile\nheight 2\nwidth 3\nmap\n.@.\n.G.\n")
    run = project.run_script("""
func run():
	var map := FlowFieldMap2D.new()
	var sizes := []
	map.map_changed.connect(func(rect): sizes.append(rect.size))
	map.cost_source = FlowFieldMap2D.MAP_FILE
	map.map_file = "res://maps/small.map"
	root.add_child(map)
	result("file", map.get_costs())
	map.map_file = ProjectSettings.globalize_path("res://maps/small.map")
	result("absolute", map.get_map_size())
	var image := Image.create_empty(3, 1, false, Image.FORMAT_RGBA8)
	image.set_pixel(0, 0, Color.WHITE)
	image.set_pixel(1, 0, Color.BLACK)
	image.set_pixel(2, 0, Color(0.5, 0.5, 0.5))
	map.cost_image = image
	map.cost_source = FlowFieldMap2D.IMAGE
	result("image", map.get_costs())
	map.cost_image = ImageTexture.create_from_image(image)
	result("texture", map.get_costs())
	image.set_pixel(0, 0, Color(1, 1, 1, 0.2))
	map.cost_image = ImageTexture.create_from_image(image)
	result("transparent", map.get_costs())
	map.cost_source = FlowFieldMap2D.GENERATOR
	map.size = Vector2i(64, 48)
	for kind in [FlowFieldMap2D.CAVERNS, FlowFieldMap2D.ROOMS, FlowFieldMap2D.CITY, FlowFieldMap2D.KEEP]:
		map.generator_kind = kind
		var free := map.get_costs().duplicate()
		result("generated_%d" % kind, [map.get_map_size(), free.count(0) > 100, free.count(0) < 64 * 48 - 100])
		result("goal_%d" % kind, map.get_cost(map.get_suggested_goal()) > 0)
	map.generator_seed = 0
	var one := map.get_costs()
	map.generator_seed = 5
	result("seeds_differ", one != map.get_costs())
	map.cost_source = FlowFieldMap2D.CODE
	map.fill_cost = 3
	result("code", [map.get_map_size(), map.get_costs().count(3)])
	map.free()
""")
    assert run.unexpected() == []
    found = run.results
    assert found["file"] == [1, 0, 1, 1, 1, 1]
    assert found["absolute"] == [3, 2]
    assert found["image"] == found["texture"] == [1, 0, 129] or found["image"] == found["texture"] == [1, 0, 128]
    assert found["transparent"][0] == 0
    for kind in range(4):
        assert found[f"generated_{kind}"] == [[64, 48], True, True]
        assert found[f"goal_{kind}"] is True
    assert found["seeds_differ"] is True
    assert found["code"] == [[64, 48], 64 * 48]


def test_one_clear_error(project: NodeProject) -> None:
    """Each mistake gives one error in words, and leaves all as it was."""
    project.write("maps/bad.map", "type octile\nheight 2\nwidth 3\nmap\n.@.\n.G\n")
    run = project.run_script("""
func run():
	var map := FlowFieldMap2D.new()
	map.name = "Land"
	map.size = Vector2i(4, 4)
	root.add_child(map)
	var before := map.get_state_hash()
	result("a", map.set_cost(Vector2i(1, 1), 256))
	result("b", map.set_costs(PackedByteArray([1, 2, 3])))
	result("c", map.get_costs(Rect2i(2, 2, 9, 9)))
	result("d", map.get_report())
	result("same", before == map.get_state_hash())
	map.cost_source = FlowFieldMap2D.MAP_FILE
	map.map_file = "res://maps/bad.map"
	result("kept", map.get_map_size())
	map.map_file = "res://maps/none.map"
	result("still", map.get_map_size())
	await ticks(3)
	map.free()
	var other := FlowFieldMap2D.new()
	other.cost_source = FlowFieldMap2D.IMAGE
	root.add_child(other)
	await ticks(3)
	result("nothing", other.get_map_size())
	other.free()
""")
    expected = [
        "a cost is 0 (solid) to 255, got 256",
        "4 x 4 tiles need 16 costs, got 3",
        "does not lie in the map of 4 x 4 tiles",
        "call start_recording(ticks) first",
        "bad.map, line 6: expected a row of 3 tiles, got only 2",
        "none.map",
        "assign `cost_image`",
        "there is no map: The costs come from an image",
    ]
    errors = run.errors()
    assert len(errors) == len(expected), run.output
    for error, text in zip(errors, expected, strict=True):
        assert text in error and (
            "FlowFieldMap2D 'Land'" in error or "FlowFieldMap2D 'FlowFieldMap2D'" in error or "@FlowFieldMap2D" in error
        )
    assert "Traceback" not in run.output
    found = run.results
    assert (found["a"], found["b"], found["c"], found["d"], found["same"]) == (False, False, [], {}, True)
    assert found["kept"] == found["still"] == [4, 4]
    assert found["nothing"] == [0, 0]
    assert run.code == 0


def test_map_file_of_the_shared_folder(project: NodeProject) -> None:
    """A real map, where the maps are there."""
    import os

    import pytest

    folder = Path(os.environ.get("PYNAV_MAPS", Path(__file__).resolve().parents[3] / "shared" / "maps"))
    path = folder / "movingai" / "Aurora.map"
    if not path.is_file():
        pytest.skip(f"no maps in {folder}")
    run = project.run_script(f"""
func run():
	var map := FlowFieldMap2D.new()
	map.cost_source = FlowFieldMap2D.MAP_FILE
	map.map_file = "{path}"
	root.add_child(map)
	result("size", map.get_map_size())
	map.free()
""")
    assert run.unexpected() == []
    assert run.results["size"] == [1024, 768]
