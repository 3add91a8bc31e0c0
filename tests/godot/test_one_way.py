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


def test_nodes_follow_their_place_and_turn(project: NodeProject) -> None:
    run = project.run_script("""
func run():
	var map := FlowFieldMap2D.new()
	map.size = Vector2i(40, 30)
	root.add_child(map)
	map.set_cost_rect(Rect2i(20, 0, 1, 30), 0)
	map.set_cost_rect(Rect2i(20, 10, 1, 2), 1)
	var gate := FlowFieldOneWay2D.new()
	gate.size = Vector2(16, 32)
	gate.position = Vector2(20.5, 11) * 16
	map.add_child(gate)
	await ticks(1)
	var both := func() -> Array:
		return [map.is_reachable(Vector2i(5, 5), Vector2i(35, 5)), map.is_reachable(Vector2i(35, 5), Vector2i(5, 5))]
	result("east", [both.call(), map.get_closed_exits(Vector2i(20, 10)), map.get_closed_exits(Vector2i(20, 11)),
		map.get_closed_exits(Vector2i(20, 12))])
	gate.rotation = PI
	await ticks(1)
	result("turned", [both.call(), map.get_closed_exits(Vector2i(20, 10))])
	gate.closes = FlowFieldOneWay2D.ALL_BUT_FRONT
	result("conveyor", [both.call(), map.get_closed_exits(Vector2i(20, 10))])
	gate.disabled = true
	result("disabled", [both.call(), map.get_closed_exits(Vector2i(20, 10))])
	gate.disabled = false
	var state: PackedByteArray = map.save_state()
	gate.position.x += 160
	await ticks(1)
	result("moved", [both.call(), map.get_closed_exits(Vector2i(20, 10)), map.get_closed_exits(Vector2i(30, 10))])
	map.restore_state(state)
	result("restored", [map.get_closed_exits(Vector2i(20, 10)), map.get_closed_exits(Vector2i(30, 10))])
	gate.free()
	result("freed", [both.call(), map.get_closed_exits(Vector2i(30, 10))])
	var lost := FlowFieldOneWay2D.new()
	root.add_child(lost)
	map.free()
	result("lost", lost.get_problems())
	lost.free()

	var land := FlowFieldMap3D.new()
	land.size = Vector2i(20, 20)
	root.add_child(land)
	var ledge := FlowFieldOneWay3D.new()
	ledge.size = Vector2(20, 1)
	ledge.position = land.tile_to_local(Vector2i(10, 8))
	ledge.position.x -= 0.5
	land.add_child(ledge)
	await ticks(1)
	result("north", [land.get_closed_exits(Vector2i(0, 8)), land.get_closed_exits(Vector2i(19, 8)),
		land.is_reachable(Vector2i(3, 12), Vector2i(3, 3)), land.is_reachable(Vector2i(3, 3), Vector2i(3, 12))])
	land.free()
""")
    assert run.results == {
        "east": [[True, False], 4, 4, 0], "turned": [[False, True], 1], "conveyor": [[False, True], 11],
        "disabled": [[True, True], 0], "moved": [[True, True], 0, 11], "restored": [0, 11], "freed": [[True, True], 0],
        "lost": ["This one-way node has no map: put it below or beside a FlowFieldMap2D, or assign `map`."],
        "north": [2, 2, True, False],
    }, run.output  # fmt: skip
    assert run.errors() == []
