"""Commands of a map node to any of its units, from GDScript."""

from __future__ import annotations

from .node_project import NodeProject


def test_units_of_two_crowds_move_hold_patrol_and_are_released(project: NodeProject) -> None:
    run = project.run_script("""
func run():
	var map := FlowFieldMap2D.new()
	map.size = Vector2i(60, 40)
	root.add_child(map)
	var crowds: Array[FlowFieldCrowd2D] = []
	for index in 2:
		var crowd := FlowFieldCrowd2D.new()
		crowd.autostart = false
		crowd.spawn_mode = 2
		crowd.speed = 80.0
		map.add_child(crowd)
		crowd.spawn(PackedVector2Array([Vector2(100, 100 + 100 * index), Vector2(100, 130 + 100 * index)]))
		crowds.append(crowd)
	await ticks(2)
	var some := PackedInt64Array()
	for crowd in crowds:
		some.append_array(crowd.get_handles(PackedInt32Array([1])))
	result("command", map.command_move(some, Vector2(400, 200)) > 0)
	map.command_move(some, Vector2(400, 400), true)
	await ticks(500)
	var queued := []
	for crowd in crowds:
		queued.append(crowd.get_positions()[1].distance_to(Vector2(400, 400)) < 40.0)
		queued.append(crowd.get_positions()[0].x < 110.0)
	result("queued", queued)
	map.command_patrol(some, Vector2(600, 400))
	await ticks(120)
	map.command_hold(some)
	await ticks(30)
	var held: Vector2 = crowds[0].get_positions()[1]
	await ticks(30)
	result("held", [held.x > 420.0, crowds[0].get_positions()[1].distance_to(held) < 0.5])
	crowds[0].set_goal(Vector2(100, 600))
	map.release_units(crowds[0].get_handles(PackedInt32Array([1])))
	await ticks(60)
	result("released", crowds[0].get_positions()[1].distance_to(held) > 20.0)
	map.command_stop(some)
	crowds[1].remove(PackedInt32Array([1]))
	await ticks(2)
	print("NOTE refused from here")
	result("dead", map.command_move(some, Vector2(400, 200)))
	result("outside", map.command_move(crowds[0].get_handles(PackedInt32Array([0])), Vector2(-50, 200)))
	result("no_such_id", Array(crowds[0].get_handles(PackedInt32Array([7]))))
	map.free()
""")
    assert run.results == {
        "command": True, "queued": [True] * 4, "held": [True, True], "released": True, "dead": 0, "outside": 0, "no_such_id": [],
    }  # fmt: skip
    assert [("dead" in line, "expected a place" in line, "expected ids" in line) for line in run.errors()] == [
        (True, False, False), (False, True, False), (False, False, True),
    ]  # fmt: skip
