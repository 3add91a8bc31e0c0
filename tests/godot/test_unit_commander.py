"""The unit commanders in the real engine, from GDScript: selections over crowds, commands, queues, recording, errors in words."""

from __future__ import annotations

from tests.godot.node_project import NodeProject

_ARMY = """
func army(map: Node, kind: String) -> Array:
	var crowds := []
	for index in 3:
		var crowd = ClassDB.instantiate("FlowFieldCrowd" + kind)
		crowd.count = 0
		crowd.spawn_mode = 2
		crowd.team = [0, 0, 5][index]
		map.add_child(crowd)
		crowds.append(crowd)
	return crowds
"""


def test_selections_commands_and_queues_in_2d(project: NodeProject) -> None:
    run = project.run_script(
        _ARMY
        + """
func run():
	var map := FlowFieldMap2D.new()
	map.size = Vector2i(50, 40)
	map.position = Vector2(70, -30)
	map.rotation = 0.4
	root.add_child(map)
	var crowds := army(map, "2D")
	var commander := UnitCommander2D.new()
	map.add_child(commander)
	await ticks(2)
	for index in 3:
		var places := PackedVector2Array()
		for unit in 6:
			places.append(Vector2(4 + unit, 5 + 3 * index) * 16.0)
		crowds[index].spawn(places)
	var own := commander.get_units_in_rect(Rect2(48, 60, 60, 90), 1 << 0)
	result("box", crowds.map(func(crowd): return commander.get_ids(crowd, own).size()))
	result("everybody", commander.get_units_in_circle(Vector2(100, 130), 500.0).size())
	var lasso := PackedVector2Array([Vector2(60, 60), Vector2(200, 60), Vector2(60, 100)])
	result("lasso", commander.get_units_in_polygon(lasso).size())
	var near := commander.get_nearest_units(Vector2(64, 176), 2, 0.0, 1 << 5)
	result("nearest", [commander.get_unit_crowd(near[0]) == crowds[2], commander.get_ids(crowds[2], near)])
	result("too_far", commander.get_nearest_units(Vector2(640, 176), 2, 10.0).size())
	var finished := []
	commander.command_finished.connect(func(command): finished.append(command))
	var first := commander.command_move(own, Vector2(400, 100))
	var second := commander.command_move(own, Vector2(400, 480), true)
	var third := commander.command_hold(commander.get_units_by_ids(crowds[0], PackedInt32Array([2])), false, true)
	result("kinds", [commander.get_command_kind(first), commander.get_command_kind(third), commander.get_command_kind(77)])
	result("queue", commander.get_queue(own[0]).size())
	result("target", commander.get_command_target(second).distance_to(Vector2(400, 480)) < 0.1)
	for tick in 1400:
		await ticks(1)
		if finished.size() == 2:
			break
	result("finished", finished == [first, second])
	var worst := 0.0
	for place in commander.get_unit_positions(own):
		worst = max(worst, place.distance_to(Vector2(400, 480)))
	result("there", worst < 48.0)
	result("others", [commander.get_unit_position(commander.get_units(crowds[2])[0]).distance_to(Vector2(64, 176)) < 8.0])
	result("state", crowds[0].get_agent_state(2) == FlowFieldCrowd2D.HOLDING)
	commander.command_patrol(own, Vector2(100, 480))
	commander.command_follow(commander.get_units(crowds[2]), own[0], 30.0)
	commander.command_follow_crowd(commander.get_units(crowds[2]), crowds[0])
	await ticks(30)
	result("patrols", commander.get_command_kind(commander.get_unit_commands(own)[0]) == UnitCommander2D.PATROL)
	crowds[0].remove(PackedInt32Array([2]))
	result("living", [own.size(), commander.keep_living(own).size(), commander.is_unit_alive(own[1])])
	commander.release_units(commander.keep_living(own))
	commander.command_stop(commander.get_units(crowds[2]))
	await ticks(2)
	result("released", commander.get_unit_commands(commander.keep_living(own))[0])
"""
    )
    assert "ERROR" not in run.output, run.output
    assert run.results["box"] == [3, 3, 0]
    assert run.results["everybody"] == 18 and run.results["lasso"] == 5
    assert run.results["nearest"] == [True, [0, 1]] and run.results["too_far"] == 0
    assert run.results["kinds"] == [0, 2, -1] and run.results["queue"] == 2
    for name in ("target", "finished", "there", "state", "patrols"):
        assert run.results[name] is True, name
    assert run.results["others"] == [True]
    assert run.results["living"][0] == run.results["living"][1] + 1
    assert run.results["released"] == 0


def test_a_recording_is_played_again_and_wrong_commands_are_told_in_words(project: NodeProject) -> None:
    run = project.run_script(
        _ARMY
        + """
func run():
	var map := FlowFieldMap3D.new()
	map.size = Vector2i(40, 30)
	root.add_child(map)
	var crowds := army(map, "3D")
	var commander := UnitCommander3D.new()
	map.add_child(commander)
	await ticks(2)
	for index in 3:
		crowds[index].spawn(PackedVector3Array([Vector3(4.5, 0, 5.5 + 3 * index), Vector3(5.5, 0, 5.5 + 3 * index)]))
	var start = map.save_state()
	commander.start_recording()
	var corners := PackedVector3Array([Vector3.ZERO, Vector3(39, 0, 0), Vector3(39, 0, 29), Vector3(0, 0, 29)])
	var everybody := commander.get_units_in_polygon(corners)
	await ticks(3)
	commander.command_move(everybody, Vector3(30, 0, 20))
	await ticks(20)
	commander.command_hold(everybody.slice(0, 2))
	await ticks(20)
	var played = map.get_state_hash()
	var recording := commander.stop_recording()
	var gone := []
	commander.recording_played.connect(func(): gone.append(true))
	map.restore_state(start)
	result("back", map.get_state_hash() != played)
	result("plays", [commander.play_recording(recording), commander.is_playing_recording()])
	for tick in 60:
		if map.get_state_hash() == played:
			break
		await ticks(1)
	result("again", [map.get_state_hash() == played, gone.size(), commander.is_playing_recording()])
	crowds[0].remove(PackedInt32Array([0]))
	result("refused", [
		commander.command_move(everybody, Vector3(30, 0, 20)),
		commander.command_move(commander.keep_living(everybody), Vector3(NAN, 0, 20)),
		commander.command_move(commander.keep_living(everybody), Vector3(30, 0, 200)),
		commander.command_stop(PackedInt64Array()),
		commander.play_recording(PackedByteArray([1, 2, 3])),
		commander.get_units(null).size(),
		commander.get_nearest_units(Vector3.ZERO, 0).size(),
		commander.get_units_in_circle(Vector3.ZERO, -1.0).size(),
	])
	var lost := UnitCommander3D.new()
	result("lost", lost.command_stop(everybody))
	lost.free()
"""
    )
    assert run.results["back"] is True and run.results["plays"] == [True, True]
    assert run.results["again"] == [True, 1, False]
    assert run.results["refused"] == [0, 0, 0, 0, False, 0, 0, 0] and run.results["lost"] == 0
    for words in (
        "UnitCommander3D",
        "expected units that live, got handle",
        "unit 0 of crowd 0 is dead",
        "expected a place on the map of 40 x 30 tiles, got (nan, nan)",
        "got (30.0, 200.0)",
        "a command needs at least one unit, got none",
        "expected a recording of commands: not a snapshot",
        "get_units needs a crowd of the map",
        "expected a count of 1 to 1024, got 0",
        "expected a radius from 0, got -1.0",
        "This commander has no map",
    ):
        assert words in run.output, (words, run.output)


def test_attack_moves_tell_who_strikes_whom(project: NodeProject) -> None:
    run = project.run_script(
        _ARMY
        + """
func run():
	var map := FlowFieldMap2D.new()
	map.size = Vector2i(50, 20)
	root.add_child(map)
	var crowds := army(map, "2D")
	crowds[2].speed = 0.0
	crowds[0].sight_radius = 100.0
	crowds[1].enemy_teams = 1 << 7
	var commander := UnitCommander2D.new()
	map.add_child(commander)
	await ticks(2)
	for index in 3:
		crowds[index].spawn(PackedVector2Array([Vector2(60 + 100 * index, 100), Vector2(60 + 100 * index, 140)]))
	var units := commander.get_units(crowds[0])
	units.append_array(commander.get_units(crowds[1]))
	var command := commander.command_attack_move(units, Vector2(700, 120))
	result("kind", commander.get_command_kind(command) == UnitCommander2D.ATTACK_MOVE)
	await ticks(300)
	var engaged := commander.get_engaged_units()
	result("engaged", [engaged == commander.get_units(crowds[0]), commander.get_unit_targets(engaged).size()])
	result("targets", commander.keep_living(commander.get_unit_targets(engaged)).size())
	result("state", [crowds[0].get_agent_state(0), commander.get_unit_commands(engaged)[0] == command])
	result("passed_by", commander.get_unit_position(units[2]).x > 300.0)
	var health := {}
	for unit in commander.get_units(crowds[2]):
		health[unit] = 100.0
	for tick in 600:
		var strikers := commander.get_engaged_units()
		var targets := commander.get_unit_targets(strikers)
		for index in strikers.size():
			health[targets[index]] -= 1.0
		for unit in health.keys():
			if health[unit] <= 0.0:
				crowds[2].remove(commander.get_ids(crowds[2], PackedInt64Array([unit])))
				health.erase(unit)
		await ticks(1)
	result("fallen", crowds[2].get_agent_count())
	result("resumed", commander.get_unit_position(units[0]).x > 600.0)
	result("nobody", [commander.get_engaged_units().size(), commander.get_unit_targets(PackedInt64Array()).size()])
	result("by_map", map.command_attack_move(units, Vector2(100, 120)) > 0)
	print("NOTE refused from here")
	result("refused", [
		commander.command_attack_move(units, Vector2(-5, 0)),
		commander.get_unit_targets(PackedInt64Array([5])).size(),
	])
"""
    )
    assert run.results["engaged"] == [True, 2] and run.results["targets"] == 2, run.output
    assert run.results["kind"] is True and run.results["state"] == [6, True] and run.results["passed_by"] is True
    assert run.results["fallen"] == 0 and run.results["resumed"] is True and run.results["nobody"] == [0, 0]
    assert run.results["by_map"] is True and run.results["refused"] == [0, 0]
    assert [("expected a place" in line, "handle 5" in line) for line in run.errors()] == [(True, False), (False, True)]
