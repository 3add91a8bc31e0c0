"""A long play with edits, orders, spawning and removing: the same bits on any number of threads, through save and restore."""

from tests.godot.node_project import NodeProject

TICKS = 600

PLAY = """
func play(threads: int, restores: bool, luck := 5) -> String:
	var map := FlowFieldMap2D.new()
	map.cost_source = FlowFieldMap2D.GENERATOR
	map.size = Vector2i(128, 128)
	map.generator_kind = 2
	map.threads = threads
	root.add_child(map)
	var crowds: Array[FlowFieldCrowd2D] = []
	for index in 6:
		var crowd := FlowFieldCrowd2D.new()
		crowd.count = 400
		crowd.on_arrival = index % 2
		map.add_child(crowd)
		crowds.append(crowd)
	await ticks(1)
	var dice := RandomNumberGenerator.new()
	dice.seed = luck
	for tick in TICKS:
		if tick % 3 == 0:
			var edit := Rect2i(dice.randi_range(0, 122), dice.randi_range(0, 122), dice.randi_range(1, 6), dice.randi_range(1, 6))
			map.set_cost_rect(edit, dice.randi_range(0, 3))
		var crowd: FlowFieldCrowd2D = crowds[dice.randi_range(0, 5)]
		if tick % 17 == 0:
			crowd.set_goal(Vector2(dice.randf(), dice.randf()) * 2000.0)
		if tick % 41 == 0:
			crowd.spawn_in(dice.randi_range(1, 60)) if crowd.get_unreachable_count() == 0 else crowd.clear_goal()
			crowd.remove(crowd.get_agents_in_radius(Vector2(dice.randf(), dice.randf()) * 2000.0, 150.0))
		if tick % 97 == 0:
			map.get_id_path(Vector2i(3, 3), Vector2i(100, 100))
		if restores and tick % 150 == 149:
			map.restore_state(map.save_state())
		await ticks(1)
	var found: String = map.get_state_hash()
	var walking := 0
	for crowd in crowds:
		for velocity in crowd.get_velocities():
			walking += int(velocity.length() > 1.0)
	result("walking", walking > 50)
	map.free()
	return found

func run():
	await ticks(2)
	var first: String = await play(1, false)
	result("two_threads", (await play(2, false)) == first)
	result("restored", (await play(2, true)) == first)
	result("other_luck", (await play(2, false, 6)) != first)
"""


def test_play_is_the_same_on_any_threads_and_through_restores(project: NodeProject) -> None:
    run = project.run_script(PLAY.replace("TICKS", str(TICKS)))
    assert "Traceback" not in run.output
    told = [line for line in run.errors() if "lies in a solid tile" not in line and "no tile is free" not in line]
    assert told == []
    assert run.results == {"walking": True, "two_threads": True, "restored": True, "other_luck": True}
