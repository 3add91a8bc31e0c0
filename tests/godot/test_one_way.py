"""One-way tiles in the real engine: the map's methods, crowds that go by them, names, states, errors in words."""

from __future__ import annotations

from tests.godot.node_project import NodeProject


def test_a_ledge_from_code(project: NodeProject) -> None:
    run = project.run_script("""
func run():
	var map := FlowFieldMap2D.new()
	map.size = Vector2i(40, 30)
	root.add_child(map)
	var changed := []
	map.map_changed.connect(func(rect: Rect2i): changed.append(rect))
	result("added", map.add_one_way("ledge", Rect2i(0, 10, 40, 1), FlowFieldMap2D.EXIT_NORTH))
	result("changed", changed[-1])
	result("exits", [map.get_closed_exits(Vector2i(4, 10)), map.get_closed_exits(Vector2i(4, 9)),
		map.get_closed_exits(Vector2i(-1, 0))])
	result("ways", [map.is_reachable(Vector2i(5, 5), Vector2i(5, 20)), map.is_reachable(Vector2i(5, 20), Vector2i(5, 5)),
		map.get_distance(Vector2i(5, 5), Vector2i(5, 20)), map.get_distance(Vector2i(5, 20), Vector2i(5, 5)),
		map.get_id_path(Vector2i(5, 9), Vector2i(5, 11)).size(), map.get_id_path(Vector2i(5, 11), Vector2i(5, 9)).size(),
		map.get_nearest_reachable_tile(Vector2i(5, 5), Vector2i(5, 20)),
		map.has_line_of_sight(Vector2i(5, 5), Vector2i(5, 20)), map.has_line_of_sight(Vector2i(5, 20), Vector2i(5, 5))])
	var crowd := FlowFieldCrowd2D.new()
	crowd.count = 50
	map.add_child(crowd)
	await ticks(1)
	result("goal", crowd.set_goal(map.tile_to_local(Vector2i(20, 25))))
	var state: PackedByteArray = map.save_state()
	map.remove_one_way("ledge")
	result("open", [map.is_reachable(Vector2i(5, 20), Vector2i(5, 5)), map.get_one_way_names()])
	map.restore_state(state)
	result("restored", [map.is_reachable(Vector2i(5, 20), Vector2i(5, 5)), map.get_one_way_names()])
	map.fill_cost = 2
	await ticks(1)
	result("made_anew", [map.is_reachable(Vector2i(5, 20), Vector2i(5, 5)), map.get_one_way_names()])
	result("twice", map.add_one_way("ledge", Rect2i(0, 3, 4, 1), 1))
	result("bad", [map.add_one_way("x", Rect2i(0, 3, 4, 1), 16), map.add_one_way("", Rect2i(0, 3, 4, 1), 1),
		map.add_one_way("y", Rect2i(0, 3, 0, 1), 1), map.remove_one_way("z")])
	map.free()
""")
    assert run.results == {
        "added": True, "changed": [[0, 10], [40, 1]], "exits": [8, 0, 0],
        "ways": [True, False, 15.0, -1.0, 3, 0, [5, 10], True, False], "goal": True,
        "open": [True, []], "restored": [False, ["ledge"]], "made_anew": [False, ["ledge"]], "twice": False,
        "bad": [False, False, False, False],
    }, run.output  # fmt: skip
    told = [line for line in run.errors() if "FlowFieldMap2D" in line]
    assert len(told) == 5 == len(run.errors())
    for line, words in zip(
        told,
        ("already", "closed exits are 1 to 15", "need a name", "a rectangle of one tile or more", "there are: 'ledge'"),
        strict=True,
    ):
        assert words in line
