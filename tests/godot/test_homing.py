"""The nodes of the homing grid in the real engine: from GDScript, in 2D and 3D."""

from __future__ import annotations

import math

from pynav.snapshot import unpack

from .node_project import NodeProject


def test_five_lines_make_missiles_hit(project: NodeProject) -> None:
    run = project.run_script("""
func run():
	var grid := HomingGrid2D.new()
	var enemy := HomingSource2D.new()
	var missiles := HomingProjectiles2D.new()
	enemy.position = Vector2(900, 500)
	grid.add_child(enemy)
	grid.add_child(missiles)
	root.add_child(grid)
	var news := []
	missiles.hit.connect(func(ids, sources, places): news.append([ids.size(), sources[0] == enemy, places[0]]))
	enemy.hit.connect(func(count): news.append(count))
	var number: int = missiles.shoot(Vector2(100, 100), Vector2(300, 0))
	result("before", [missiles.get_count(), missiles.get_projectiles()[0] == number, missiles.get_positions()])
	await ticks(240)
	result("news", news)
	result("after", missiles.get_count())
	grid.free()
""")
    assert run.unexpected() == []
    assert run.results["before"] == [1, True, [[100.0, 100.0]]]
    (count, same, place), struck = run.results["news"]
    assert (count, same, struck) == (1, True, 1) and math.dist(place, (900, 500)) <= 21
    assert run.results["after"] == 0


def test_lives_end_and_numbers_are_not_mixed_up(project: NodeProject) -> None:
    run = project.run_script("""
func run():
	var grid := HomingGrid2D.new()
	root.add_child(grid)
	var missiles := HomingProjectiles2D.new()
	missiles.lifetime = 0.25
	grid.add_child(missiles)
	var gone := []
	missiles.expired.connect(func(ids): gone.append_array(ids))
	var ids := missiles.shoot_many(PackedVector2Array([Vector2(1, 1), Vector2(9, 9), Vector2(5, 5)]), PackedVector2Array([
			Vector2.ZERO,
	Vector2.RIGHT, Vector2.UP]))
	result("removed", [missiles.remove(ids.slice(1, 2)), missiles.remove(ids.slice(1, 2))])
	await ticks(20)
	result("gone", [gone == [ids[0], ids[2]], missiles.get_count()])
	missiles.shoot(Vector2.ONE, Vector2.ZERO)
	missiles.clear()
	result("cleared", missiles.get_count())
	grid.free()
""")
    assert run.unexpected() == []
    assert run.results == {"removed": [1, 0], "gone": [True, 0], "cleared": 0}


def test_the_grid_points_at_enemies_and_away_from_repellers(project: NodeProject) -> None:
    run = project.run_script("""
func run():
	for far in [HomingGrid2D.RELAXED, HomingGrid2D.EXACT]:
		var grid := HomingGrid2D.new()
		grid.position = Vector2(300, 40)
		grid.rotation = 0.5
		grid.area = Rect2(0, 0, 190, 190)
		grid.cell_count = Vector2i(19, 19)
		grid.far_field = far
		root.add_child(grid)
		var enemy := HomingSource2D.new()
		grid.add_child(enemy)
		enemy.position = Vector2(45, 95)
		await ticks(90)
		var towards: Vector2 = grid.get_direction(Vector2(150, 95))
		enemy.power = -1.0
		await ticks(120)
		result("far_%d" % far, [towards, grid.get_direction(Vector2(150, 95)), grid.get_strength(Vector2(45, 95))])
		enemy.power = 2.0
		enemy.global_position = grid.to_global(Vector2(95, 180))
		await ticks(240)
		result("moved_%d" % far, grid.get_direction(Vector2(95, 20)))
		var texture: ImageTexture = grid.get_strength_texture()
		result("texture_%d" % far, [texture.get_width(), texture.get_height(), texture.get_image().get_pixel(9, 18).r > 0.5])
		grid.free()
""")
    assert run.unexpected() == []
    towards, away, strength = run.results["far_0"]
    assert towards[0] < -0.95 and away[0] > 0.95 and strength < 0
    towards, away, strength = run.results["far_1"]
    assert math.dist(towards, (-1, 0)) < 1e-6 and away == [0.0, 0.0]
    assert strength == 0.0  # kept from the first question on; the texture, asked for later, has it
    assert run.results["moved_0"][1] > 0.9 and run.results["moved_1"][1] > 0.9
    assert run.results["texture_0"] == [19, 19, True] and run.results["texture_1"] == [19, 19, True]


def test_the_updates_constants_are_properties(project: NodeProject) -> None:
    """The quarter, the decay, the strength of a source, the sweeps and the padding: each changes the field of a running grid."""
    run = project.run_script("""
func run():
	var told := {}
	for change in [["", 0], ["share", 0.1], ["decay", 0.4], ["gain", 4.0], ["sweeps_per_update", 2], ["padding_cells", 0]]:
		var grid := HomingGrid2D.new()
		grid.area = Rect2(0, 0, 70, 70)
		grid.cell_count = Vector2i(7, 7)
		grid.updates_per_second = 0.0
		root.add_child(grid)
		var enemy := HomingSource2D.new()
		enemy.position = Vector2(15, 35)
		grid.add_child(enemy)
		await ticks(2)
		if change[0]:
			grid.set(change[0], change[1])
		await ticks(4)
		var strengths := [Vector2(15, 35), Vector2(35, 35)].map(func(place): return grid.get_strength(place))
		told[change[0]] = strengths + [grid.get_direction(Vector2(5, 5))]
		grid.free()
	result("told", told)
""")
    assert run.unexpected() == []
    told = run.results["told"]
    own, beside, corner = told.pop("")
    assert own > beside > 0
    assert told["share"][1] < 0.5 * beside and told["decay"][0] < own and told["sweeps_per_update"][1] < beside
    assert math.isclose(told["gain"][0], own / 2, rel_tol=0.05)
    assert math.dist(told["padding_cells"][2], corner) > 0.1  # the border bends the arrow in the corner


def test_arrows_of_a_floor_keep_their_colours_in_every_renderer(project: NodeProject) -> None:
    """The renderers of desktops take vertex colours for linear ones, unless told: pale blue would be white."""
    run = project.run_script("""
func run():
	var grid := HomingGrid3D.new()
	grid.debug_draw = true
	root.add_child(grid)
	grid.add_child(HomingSource3D.new())
	await ticks(30)
	for child in grid.get_children(true):
		if child is MeshInstance3D:
			result("arrows", [child.material_override.vertex_color_use_as_albedo, child.material_override.vertex_color_is_srgb])
	grid.free()
""")
    assert run.unexpected() == []
    assert run.results["arrows"] == [True, True]


def test_markers_make_the_area(project: NodeProject) -> None:
    run = project.run_script("""
func run():
	var grid := HomingGrid3D.new()
	for index in 2:
		var marker := Marker3D.new()
		marker.name = "Marker%d" % index
		marker.position = [Vector3(6, 3, -2), Vector3(-4, 0, 8)][index]
		grid.add_child(marker)
	grid.marker_minimum = NodePath("Marker0")
	grid.marker_maximum = NodePath("Marker1")
	root.add_child(grid)
	result("box", grid.get_box())
	grid.free()
""")
    assert run.unexpected() == []
    assert run.results["box"] == [[-4.0, -2.0], [10.0, 10.0]]


def test_a_well_holds_and_a_decoy_repels(project: NodeProject) -> None:
    run = project.run_script("""
func run():
	var grid := HomingGrid2D.new()
	root.add_child(grid)
	var well := HomingSource2D.new()
	well.position = Vector2(600, 300)
	well.hit_radius = 0.0
	well.reach = 400.0
	well.well_radius = 30.0
	grid.add_child(well)
	var missiles := HomingProjectiles2D.new()
	missiles.lifetime = 0.0
	grid.add_child(missiles)
	var caught := [0]
	missiles.caught.connect(func(ids): caught[0] += ids.size())
	for index in 40:
		missiles.shoot(Vector2(400, 120 + 9 * index), Vector2(200, 0))
	await ticks(300)
	var worst := 0.0
	for place in missiles.get_positions():
		worst = maxf(worst, place.distance_to(Vector2(600, 300)))
	result("held", [missiles.get_held_count(), caught[0], worst])
	well.position += Vector2(100, 0)
	await ticks(2)
	result("moved", missiles.get_positions()[0].distance_to(Vector2(700, 300)))
	well.free()
	await ticks(1)
	result("free", missiles.get_held_count())
	grid.free()
""")
    assert run.unexpected() == []
    held, caught, worst = run.results["held"]
    assert (held, caught) == (40, 40) and worst < 1.0
    assert run.results["moved"] < 1.0 and run.results["free"] == 0


def test_bodies_of_the_game_are_steered(project: NodeProject) -> None:
    run = project.run_script("""
func run():
	var grid := HomingGrid2D.new()
	root.add_child(grid)
	var enemy := HomingSource2D.new()
	enemy.position = Vector2(900, 500)
	grid.add_child(enemy)
	for kind in ["RigidBody2D", "CharacterBody2D"]:
		var body: Node2D = ClassDB.instantiate(kind)
		if body is RigidBody2D:
			body.gravity_scale = 0.0
			body.linear_velocity = Vector2(0, -200)
		body.position = Vector2(200, 200)
		var steering := HomingSteering2D.new()
		body.add_child(steering)
		grid.add_child(body)
		var struck := []
		steering.hit.connect(func(source): struck.append(source == enemy and body.position.distance_to(enemy.position) < 60.0))
		await ticks(60)
		result("way_" + kind, body.global_position)
		await ticks(240)
		result(kind, [struck, steering.is_steering()])
		steering.restart()
		result("again_" + kind, steering.is_steering())
		body.free()
	await ticks(2)
	grid.free()
""")
    assert run.unexpected() == []
    for kind in ("RigidBody2D", "CharacterBody2D"):
        assert run.results[kind] == [[True], False], kind
        assert run.results["way_" + kind][0] > 250 and run.results["again_" + kind] is True


def test_three_dimensions(project: NodeProject) -> None:
    run = project.run_script("""
func run():
	var grid := HomingGrid3D.new()
	grid.position = Vector3(5, 2, 1)
	grid.rotation.y = 0.7
	root.add_child(grid)
	var enemy := HomingSource3D.new()
	enemy.position = Vector3(10, 4, -9)
	grid.add_child(enemy)
	var missiles := HomingProjectiles3D.new()
	grid.add_child(missiles)
	var hits := [0]
	missiles.hit.connect(func(ids, sources, places): hits[0] += ids.size())
	missiles.shoot(Vector3(-10, 0, 9), Vector3(0, 0, -5))
	missiles.shoot_many(PackedVector3Array([Vector3(0, 0, 9)]), PackedVector3Array([Vector3(5, 0, 0)]))
	var body := RigidBody3D.new()
	body.gravity_scale = 0.0
	body.position = Vector3(-8, 1, 0)
	var steering := HomingSteering3D.new()
	body.add_child(steering)
	grid.add_child(body)
	var struck := [0]
	steering.hit.connect(func(source): struck[0] += 1 if source == enemy else 0)
	await ticks(2)
	result("count", [missiles.get_count(), missiles.get_positions()[0].y, missiles.get_multimesh().visible_instance_count])
	await ticks(300)
	result("hits", [hits[0], struck[0], grid.get_direction(Vector3(-10, 0, 11)).y])
	grid.free()
""")
    assert run.unexpected() == []
    assert run.results["count"] == [2, 1.0, 2]
    assert run.results["hits"] == [2, 1, 0.0]


def test_state_is_saved_and_goes_on_the_same(project: NodeProject) -> None:
    run = project.run_script("""
func run():
	var grid := HomingGrid2D.new()
	root.add_child(grid)
	var enemy := HomingSource2D.new()
	enemy.position = Vector2(900, 500)
	grid.add_child(enemy)
	var missiles := HomingProjectiles2D.new()
	grid.add_child(missiles)
	for index in 50:
		missiles.shoot(Vector2(20 * index, 40), Vector2(0, 100))
	await ticks(30)
	var state: PackedByteArray = grid.save_state()
	await ticks(60)
	var first: String = grid.get_state_hash()
	result("restored", grid.restore_state(state))
	await ticks(60)
	result("same", grid.get_state_hash() == first)
	result("refused", grid.restore_state(PackedByteArray([1, 2, 3])))
	grid.free()
""")
    assert run.results == {"restored": True, "same": True, "refused": False}
    assert len(run.errors()) == 1 and "not a snapshot" in run.errors()[0]


def test_what_was_freed_since_is_left_out_of_a_restored_state_in_words(project: NodeProject) -> None:
    run = project.run_script("""
func run():
	var grid := HomingGrid2D.new()
	root.add_child(grid)
	var enemies := []
	for index in 3:
		var enemy := HomingSource2D.new()
		enemy.position = Vector2(900, 100 + 200 * index)
		grid.add_child(enemy)
		enemies.append(enemy)
	var swarms := []
	for index in 2:
		var missiles := HomingProjectiles2D.new()
		grid.add_child(missiles)
		swarms.append(missiles)
		for shot in 5 + index:
			missiles.shoot(Vector2(100, 100 + 10 * shot), Vector2(0, 100))
	await ticks(5)
	var state: PackedByteArray = grid.save_state()
	enemies[1].free()
	swarms[0].free()
	swarms[1].clear()
	var late := HomingProjectiles2D.new()
	grid.add_child(late)
	late.shoot(Vector2(300, 300), Vector2.ZERO)
	await ticks(2)
	result("restored", grid.restore_state(state))
	result("counts", [swarms[1].get_count(), late.get_count()])
	var struck := []
	swarms[1].hit.connect(func(ids, sources, places): struck.append_array(sources))
	await ticks(300)
	result("struck", [struck.size(), struck.all(func(enemy): return enemy == enemies[0] or enemy == enemies[2])])
	grid.free()
""")
    assert run.results == {"restored": True, "counts": [6, 0], "struck": [6, True]}
    assert run.errors() == [] and len(run.warnings()) == 1
    assert "1 sources and 1 swarms" in run.warnings()[0]


def test_what_is_wrong_is_told_in_words(project: NodeProject) -> None:
    run = project.run_script("""
func run():
	var lonely := HomingProjectiles2D.new()
	result("shot", lonely.shoot(Vector2.ZERO, Vector2.ZERO))
	root.add_child(lonely)
	result("problems", lonely.get_problems())
	var body := Node2D.new()
	var steering := HomingSteering2D.new()
	body.add_child(steering)
	root.add_child(body)
	result("steering", steering.get_problems())
	var grid := HomingGrid2D.new()
	grid.area = Rect2(0, 0, 0, 10)
	result("area", grid.get_problems())
	grid.area = Rect2(0, 0, 10, 10)
	root.add_child(grid)
	var source := HomingSource2D.new()
	grid.add_child(source)
	source.power = NAN
	await ticks(4)
	lonely.shoot(Vector2(NAN, 0), Vector2.ZERO)
	await ticks(1)
	for node in [lonely, body, grid]:
		node.free()
""")
    assert "There is no homing grid" in run.results["problems"][0]
    assert len(run.results["steering"]) == 2 and "Nothing to steer" in run.results["steering"][1]
    assert "width and a height above 0" in run.results["area"][0]
    errors = "\n".join(run.errors())
    for words in ("no projectiles can be here", "power must be a finite number, got nan", "positions must be finite"):
        assert words in errors, (words, run.output)
    assert "Traceback" not in run.output


def test_grids_made_anew_and_scenes_torn_down_in_any_order(project: NodeProject) -> None:
    run = project.run_script("""
func run():
	for order in 6:
		var grid := HomingGrid2D.new()
		var enemy := HomingSource2D.new()
		var missiles := HomingProjectiles2D.new()
		enemy.grid = grid
		missiles.grid = grid
		var nodes: Array = [[grid, enemy, missiles], [enemy, missiles, grid], [missiles, grid, enemy]][order % 3]
		for node in nodes:
			root.add_child(node)
		enemy.position = Vector2(600, 300)
		await ticks(3)
		missiles.shoot(Vector2(100, 300), Vector2(100, 0))
		await ticks(3)
		grid.cell_count = Vector2i(10 + order, 7)
		grid.far_field = order % 2
		await ticks(3)
		result("kept_%d" % order, missiles.get_count())
		grid.debug_draw = true
		grid.show_glow = true
		await ticks(8)
		enemy.disabled = true
		await ticks(2)
		enemy.disabled = false
		if order < 3:
			root.remove_child(grid)
			await ticks(2)
			root.add_child(grid)
			await ticks(4)
			result("again_%d" % order, missiles.shoot(Vector2(500, 300), Vector2(100, 0)) > 0)
			await ticks(60)
			result("hit_%d" % order, missiles.get_count())
		nodes.reverse()
		for node in nodes:
			node.free()
		await ticks(2)
""")
    assert run.errors() == [] and "Traceback" not in run.output, run.output
    assert all(run.results[f"kept_{order}"] == 1 for order in range(6))
    assert all(run.results[f"again_{order}"] is True and run.results[f"hit_{order}"] == 0 for order in range(3))


def test_many_sources_are_followed_on_turned_grids_and_lost_ones_are_told_once(project: NodeProject) -> None:
    run = project.run_script("""
func run():
	for kind in ["2D", "3D"]:
		var grid: Node = ClassDB.instantiate("HomingGrid" + kind)
		grid.area = Rect2(0, 0, 100, 100)
		grid.cell_count = Vector2i(100, 100)
		grid.far_field = 1
		root.add_child(grid)
		var sources := []
		for index in 150:
			var source: Node = ClassDB.instantiate("HomingSource" + kind)
			grid.add_child(source)
			sources.append(source)
		if kind == "2D":
			grid.rotation = 0.4
			grid.scale = Vector2(2, 3)
			grid.position = Vector2(70, -20)
		else:
			grid.rotation = Vector3(0.1, 0.4, 0)
			grid.scale = Vector3(2, 1, 3)
			grid.position = Vector3(70, 5, -20)
		var missed := 0
		for round in 3:
			for index in sources.size():
				var x := fmod(index * 7.31 + round * 13.0, 100.0)
				var y := fmod(index * 3.77 + round * 29.0, 100.0)
				sources[index].position = Vector2(x, y) if kind == "2D" else Vector3(x, 2.0, y)
			if round == 1:
				sources.pop_at(20).free()
				sources[30].disabled = true
			await ticks(2)
			for cell in 60:
				var middle := Vector2(cell * 37 % 100 + 0.5, cell * 61 % 100 + 0.5)
				var nearest := Vector2(INF, INF)
				for source in sources:
					var flat := Vector2(source.position.x, source.position.y if kind == "2D" else source.position.z)
					if not source.disabled and middle.distance_to(flat) < middle.distance_to(nearest):
						nearest = flat
				var asked = middle if kind == "2D" else Vector3(middle.x, 0, middle.y)
				var way = grid.get_direction(asked)
				var flat_way := Vector2(way.x, way.y if kind == "2D" else way.z)
				if flat_way.dot(middle.direction_to(nearest)) < 0.99:
					missed += 1
		result("missed_" + kind, missed)
		sources[3].position *= NAN
		await ticks(3)
		result("still_there_" + kind, grid.get_state_hash().length())
		grid.free()
""")
    assert run.results == {"missed_2D": 0, "still_there_2D": 32, "missed_3D": 0, "still_there_3D": 32}
    told = [error for error in run.errors() if "expected a global_position of finite numbers" in error]
    assert len(told) == 2 and "Traceback" not in run.output, run.output


def test_large_updates_go_to_the_background_thread_and_weak_arrows_point_nowhere(project: NodeProject) -> None:
    run = project.run_script("""
func run():
	var first_seen := {}
	for work in [-1, 0]:
		await ticks(1)
		var grid := HomingGrid2D.new()
		grid.area = Rect2(0, 0, 400, 400)
		grid.cell_count = Vector2i(40, 40)
		grid.inline_work = work
		root.add_child(grid)
		var enemy := HomingSource2D.new()
		enemy.position = Vector2(200, 200)
		grid.add_child(enemy)
		for tick in 30:
			if grid.get_strength(enemy.position) > 0.0 and not first_seen.has(work):
				first_seen[work] = tick
			await ticks(1)
		await ticks(300)
		var far: float = grid.get_direction(Vector2(15, 205)).length()
		grid.weakest_arrow = 0.01
		await ticks(300)
		var gone: float = grid.get_direction(Vector2(15, 205)).length()
		result("arrows_%d" % (work + 1), [far, gone, grid.get_direction(Vector2(165, 205)).length()])
		grid.free()
	result("later", first_seen[0] - first_seen[-1])
""")
    assert run.unexpected() == []
    assert run.results["later"] == 4
    for work in (0, 1):
        far, gone, near = run.results[f"arrows_{work}"]
        assert abs(far - 1) < 1e-5 and gone == 0 and abs(near - 1) < 1e-5


def test_many_bodies_of_all_kinds_are_steered_at_once(project: NodeProject) -> None:
    """Rigid bodies and characters, in both planes; some are steered anew or freed in the signal of a hit."""
    run = project.run_script("""
func run():
	for kind in ["2D", "3D"]:
		var grid: Node = ClassDB.instantiate("HomingGrid" + kind)
		grid.position = Vector2(30, 20) if kind == "2D" else Vector3(3, 1, 2)
		grid.rotation = 0.4 if kind == "2D" else Vector3(0, 0.4, 0)
		root.add_child(grid)
		var enemy: Node = ClassDB.instantiate("HomingSource" + kind)
		grid.add_child(enemy)
		enemy.position = spot(kind, 0.5, 0.5)
		var bodies: Array[Node] = []
		var news := {hits = 0, expired = 0, right = 0}
		for index in 160:
			var body: Node = ClassDB.instantiate(("RigidBody" if index % 2 == 0 else "CharacterBody") + kind)
			if index % 2 == 0:
				body.gravity_scale = 0.0
			body.collision_layer = 0
			body.collision_mask = 0
			var steering: Node = ClassDB.instantiate("HomingSteering" + kind)
			steering.moves_body = index % 4 != 3
			steering.lifetime = 0.25 if index >= 120 else 0.0
			body.add_child(steering)
			steering.hit.connect(func(source):
				news.hits += 1
				news.right += int(source == enemy and not steering.is_steering())
				if index < 20:
					steering.restart()
				elif index < 40:
					body.queue_free()
				elif index < 60 and is_instance_valid(bodies[index + 60]):
					bodies[index + 60].free())
			steering.expired.connect(func(): news.expired += 1)
			grid.add_child(body)
			body.position = spot(kind, 0.05 + 0.9 * fmod(index * 0.37, 1.0), 0.05 + 0.9 * fmod(index * 0.61, 1.0))
			bodies.append(body)
		await ticks(3)
		var before := [bodies[60].position, bodies[61].position, bodies[63].position]
		await ticks(10)
		result("moved_" + kind, bodies[60].position != before[0] and bodies[61].position != before[1])
		result("left_alone_" + kind, bodies[63].position == before[2])
		result("speed_" + kind, bodies[63].velocity.length() > 0.0)
		bodies[63].get_child(0).moves_body = true
		await ticks(2)
		result("told_later_" + kind, bodies[63].position != before[2])
		await ticks(400)
		result("news_" + kind, news)
		result("left_" + kind, bodies.filter(func(body): return is_instance_valid(body)).size())
		grid.free()

func spot(kind, x, y):
	return Vector2(1152 * x, 648 * y) if kind == "2D" else Vector3(32 * x - 16, 0, 32 * y - 16)
""")
    assert run.unexpected() == []
    for kind in ("2D", "3D"):
        news = run.results[f"news_{kind}"]
        assert all(run.results[f"{what}_{kind}"] for what in ("moved", "left_alone", "speed", "told_later"))
        assert news["expired"] >= 30 and news["hits"] == news["right"] > 120  # those that are steered anew hit time and again
        assert run.results[f"left_{kind}"] == 160 - 2 * 15  # one of four is not moved and never gets there


def test_a_body_that_falls_keeps_its_fall_and_one_that_is_nowhere_is_told_of_once(project: NodeProject) -> None:
    run = project.run_script("""
func run():
	var grid := HomingGrid3D.new()
	root.add_child(grid)
	var enemy := HomingSource3D.new()
	enemy.position = Vector3(10, 0, 10)
	grid.add_child(enemy)
	var bodies: Array[CharacterBody3D] = []
	for index in 2:
		var body := CharacterBody3D.new()
		body.add_child(HomingSteering3D.new())
		body.velocity = Vector3(0, -7, 0)
		grid.add_child(body)
		bodies.append(body)
	await ticks(60)
	result("fall", [bodies[0].velocity.y, bodies[0].velocity.x > 0.5, bodies[0].position.y < -0.3])
	bodies[1].velocity = Vector3(NAN, 0, 0)
	await ticks(5)
	result("other", bodies[0].velocity.x > 1.0)
	grid.free()
""")
    assert run.results["fall"] == [-7.0, True, True] and run.results["other"]
    told = [line for line in run.unexpected() if "expected a body whose place and velocity are finite numbers" in line]
    assert len(told) == 1


def test_a_saved_state_goes_on_with_the_bodies_that_are_there(project: NodeProject) -> None:
    run = project.run_script("""
func run():
	var grid := HomingGrid2D.new()
	root.add_child(grid)
	var enemy := HomingSource2D.new()
	enemy.position = Vector2(900, 500)
	grid.add_child(enemy)
	var bodies: Array[Node] = [added(grid), added(grid)]
	await ticks(5)
	var state := grid.save_state()
	bodies[0].free()
	bodies[1].get_child(0).restart()
	bodies.append(added(grid))
	await ticks(5)
	result("restored", grid.restore_state(state))
	await ticks(60)
	result("places", [bodies[1].position.x > 250, bodies[2].position.x > 250])
	await ticks(200)
	result("steering", [bodies[1].get_child(0).is_steering(), bodies[2].get_child(0).is_steering()])
	result("restored_later", grid.restore_state(state))  # the batch is gone by now
	grid.free()

func added(grid: Node) -> Node:
	var body := CharacterBody2D.new()
	body.collision_layer = 0
	body.collision_mask = 0
	body.position = Vector2(200, 200)
	body.add_child(HomingSteering2D.new())
	grid.add_child(body)
	return body
""")
    assert run.unexpected() == []
    assert run.results == {"restored": True, "places": [True, True], "steering": [False, False], "restored_later": True}


def test_ways_of_flying_that_nobody_has_any_more_are_not_kept(project: NodeProject) -> None:
    run = project.run_script("""
func run():
	var grid := HomingGrid2D.new()
	root.add_child(grid)
	var enemy := HomingSource2D.new()
	enemy.position = Vector2(300, 200)
	grid.add_child(enemy)
	await ticks(2)
	var states := [grid.save_state().hex_encode()]
	var body := RigidBody2D.new()
	body.gravity_scale = 0.0
	var steering := HomingSteering2D.new()
	body.add_child(steering)
	grid.add_child(body)
	for tick in 40:
		steering.damping = 0.1 + 0.01 * tick
		await ticks(1)
	states.append(grid.save_state().hex_encode())
	result("steers", [steering.is_steering(), body.linear_velocity.length() > 1.0])
	body.free()
	await ticks(1)
	states.append(grid.save_state().hex_encode())
	result("states", states)
	grid.free()
""")
    assert run.unexpected() == []
    assert run.results["steers"] == [True, True]
    assert [len(unpack(bytes.fromhex(state))[0]["batches"]) for state in run.results["states"]] == [0, 1, 0]
