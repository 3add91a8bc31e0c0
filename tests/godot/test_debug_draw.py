"""`debug_draw` in the running game: it shows, it refuses in words, and it changes nothing in the simulation."""

from __future__ import annotations

from tests.godot.node_project import NodeProject

_PLAY = """
func play(layers: int, space: bool) -> String:
	var map: Node = FlowFieldMap3D.new() if space else FlowFieldMap2D.new()
	map.size = Vector2i(96, 64)
	map.cost_source = 4
	map.generator_kind = 2
	map.debug_draw = layers
	root.add_child(map)
	var crowd: Node = FlowFieldCrowd3D.new() if space else FlowFieldCrowd2D.new()
	crowd.count = 60
	map.add_child(crowd)
	crowd.set_goal(map.tile_to_local(Vector2i(40, 20)))
	if layers != 0:
		map.set_debug_probe(Vector2i(40, 20))
		map.set_debug_path(Vector2i(10, 60), Vector2i(90, 2))
	await ticks(20)
	map.set_cost_rect(Rect2i(30, 28, 12, 2), 0)
	map.debug_unit_size = 3
	await ticks(20)
	if layers != 0:
		map.debug_draw = 3
	await ticks(3)
	var hash: String = map.get_state_hash()
	root.remove_child(map)
	root.add_child(map)
	await ticks(3)
	map.free()
	await ticks(2)
	return hash
"""


def test_what_is_drawn_changes_nothing(project: NodeProject) -> None:
    run = project.run_script(
        """
func run() -> void:
	await ticks(2)
	for space in [false, true]:
		result("plain_%s" % space, await play(0, space))
		result("drawn_%s" % space, await play(1023, space))
"""
        + _PLAY
    )
    assert run.code == 0, run.output
    assert run.results["plain_false"] == run.results["drawn_false"]
    assert run.results["plain_true"] == run.results["drawn_true"]
    assert run.results["plain_true"] != ""
    assert run.unexpected() == []


def test_probes_outside_the_map_are_refused_in_words(project: NodeProject) -> None:
    run = project.run_script("""
func run() -> void:
	var map := FlowFieldMap2D.new()
	map.set_debug_probe(Vector2i(3, 3))
	map.debug_draw = 64
	root.add_child(map)
	map.set_debug_probe(Vector2i(64, 3))
	map.set_debug_path(Vector2i(1, 1), Vector2i(-1, 1))
	map.set_debug_probe(Vector2i(3, 3))
	map.free()
""")
    errors = [line for line in run.errors() if "debug" not in line or "expected" in line]
    assert len(run.errors()) == 3, run.output
    assert "add the map to the tree" in run.errors()[0]
    assert "expected a tile of the map, 64 x 64, got (64, 3)" in errors[-2]
    assert "got (-1, 1)" in errors[-1]
