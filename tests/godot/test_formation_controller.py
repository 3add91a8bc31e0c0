"""The formation controllers in the real engine, from GDScript: preview, orders, marches, signals, errors in words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.godot.node_project import NodeProject

_ARMY = """
func army(map: Node, kind: String) -> Array:
	var crowds := []
	for index in 2:
		var crowd = ClassDB.instantiate("FlowFieldCrowd" + kind)
		crowd.count = 0
		crowd.speed_variation = 0.0
		crowd.spawn_mode = 2
		map.add_child(crowd)
		crowds.append(crowd)
	return crowds
"""


def test_preview_order_and_march_in_2d(project: NodeProject) -> None:
    run = project.run_script(
        _ARMY
        + """
func run():
	var map := FlowFieldMap2D.new()
	map.size = Vector2i(60, 30)
	map.position = Vector2(100, 50)
	map.rotation = 0.3
	root.add_child(map)
	var crowds := army(map, "2D")
	var controller := FormationController2D.new()
	map.add_child(controller)
	await ticks(2)
	for index in 2:
		var places := PackedVector2Array()
		for unit in 12:
			places.append(Vector2(10 + unit % 6, 12 + unit / 6 + 2 * index) * 16.0)
		crowds[index].spawn(places)
	var heard := []
	for what in ["assigned", "arrived", "formed", "unformed", "broken"]:
		controller.connect("formation_" + what, func(number): heard.append([what, number]))
	var from := Vector2(45, 10) * 16.0
	var to := Vector2(45, 20) * 16.0
	var slots := controller.preview(from, to)
	result("preview", [slots.size(), slots[0].x == from.x, slots[0].y < slots[5].y, slots[23].x < slots[0].x])
	var drawn := map.get_children(true).filter(
		func(node): return node is MultiMeshInstance2D and node.visible and node.multimesh.instance_count == 25)
	result("drawn", drawn.size())
	controller.clear_preview()
	result("cleared", drawn[0].visible)
	var number := controller.order(from, to, FormationController2D.MARCH)
	result("number", [number, controller.get_formations()])
	await ticks(30)
	result("marches", [controller.is_marching(number), controller.get_unit_count(number), controller.get_dropped_count(number)])
	var owners := controller.get_owners(number)
	result("owners", [owners.size(), owners[0], owners[47 - 1]])
	var before := controller.get_targets(number)[0]
	await ticks(60)
	result("moves", controller.get_targets(number)[0].distance_to(before) > 16.0)
	for tick in 60 * 30:
		await ticks(1)
		if controller.is_formed(number):
			break
	result("formed", controller.is_formed(number))
	var worst := 0.0
	var places := controller.get_slots(number)
	for slot in 24:
		var crowd = crowds[owners[2 * slot]]
		owners = controller.get_owners(number)
		var unit = crowds[owners[2 * slot]].get_positions()[owners[2 * slot + 1]]
		worst = max(worst, unit.distance_to(places[slot]))
	result("near", worst < 12.0)
	controller.order(Vector2(100, 100), Vector2(200, 100))
	await ticks(20)
	controller.dismiss(2)
	await ticks(2)
	result("heard", heard)
	result("left", controller.get_formations().size())
	map.free()
"""
    )
    assert run.results == {
        "preview": [24, True, True, True], "drawn": 1, "cleared": False, "number": [1, [1]], "marches": [True, 24, 0],
        "owners": [48, 0, 1], "moves": True, "formed": True, "near": True,
        "heard": [["assigned", 1], ["arrived", 1], ["formed", 1], ["broken", 1], ["assigned", 2], ["broken", 2]], "left": 0,
    }, run.output  # fmt: skip
    assert run.errors() == []


def test_preview_and_run_in_3d(project: NodeProject) -> None:
    run = project.run_script(
        _ARMY
        + """
func run():
	var map := FlowFieldMap3D.new()
	map.size = Vector2i(60, 30)
	root.add_child(map)
	var crowds := army(map, "3D")
	var controller := FormationController3D.new()
	controller.row_priorities = PackedInt32Array([2, 1])
	controller.debug_draw = true
	map.add_child(controller)
	await ticks(2)
	for index in 2:
		var places := PackedVector3Array()
		for unit in 6:
			places.append(map.tile_to_local(Vector2i(10 + unit, 12 + index)))
		crowds[index].spawn(places)
	var from := map.tile_to_local(Vector2i(40, 10))
	var to := map.tile_to_local(Vector2i(40, 15))
	var slots := controller.preview(from, to)
	result("preview", [slots.size(), is_equal_approx(slots[0].z, from.z), slots[11].x < slots[0].x])
	var wide := controller.spacing
	result("wheel", [controller.change_spacing(2) > wide, is_equal_approx(controller.change_spacing(-2), wide)])
	var number := controller.order(from, to)
	for tick in 60 * 30:
		await ticks(1)
		if controller.is_formed(number):
			break
	var owners := controller.get_owners(number)
	result("formed", [controller.is_formed(number), owners[0], owners[22]])
	result("ended", [controller.dismiss(number), controller.get_formations().size()])
	map.free()
"""
    )
    assert run.results == {
        "preview": [12, True, True], "wheel": [True, True], "formed": [True, 1, 0], "ended": [True, 0],
    }, run.output  # fmt: skip
    assert run.errors() == []


def test_clusters_leaders_and_slots_that_are_cut_off(project: NodeProject) -> None:
    """Of units that are spread, then of units in a walled yard too small for all."""
    run = project.run_script(
        _ARMY
        + """
func block(crowds: Array, x: int, y: int, soldiers: int, archers: int) -> void:
	var places := PackedVector2Array()
	for unit in soldiers + archers:
		places.append(Vector2(x + unit % 4, y + unit / 4) * 16.0)
	crowds[0].spawn(places.slice(0, soldiers))
	crowds[1].spawn(places.slice(soldiers))

func run():
	var map := FlowFieldMap2D.new()
	map.size = Vector2i(90, 50)
	root.add_child(map)
	var crowds := army(map, "2D")
	var commander := UnitCommander2D.new()
	map.add_child(commander)
	var controller := FormationController2D.new()
	controller.debug_draw = true
	map.add_child(controller)
	await ticks(2)
	block(crowds, 5, 5, 10, 6)
	block(crowds, 5, 40, 8, 4)
	var number := controller.order(Vector2(80, 10) * 16.0, Vector2(80, 18) * 16.0, FormationController2D.MARCH)
	result("before", [controller.get_cluster_sizes(number), controller.get_cluster_leaders(number).size(),
		controller.get_cluster_of_slots(number)])
	await ticks(120)
	result("sizes", controller.get_cluster_sizes(number))
	var of_slots := controller.get_cluster_of_slots(number)
	result("of_slots", [of_slots.size(), of_slots.count(0), of_slots.count(1)])
	var leaders := controller.get_cluster_leaders(number)
	result("alive", commander.keep_living(leaders).size())
	var owners := controller.get_owners(number)
	for cluster in 2:
		for crowd in 2:
			for id in commander.get_ids(crowds[crowd], leaders.slice(cluster, cluster + 1)):
				for slot in of_slots.size():
					if owners[2 * slot] == crowd and owners[2 * slot + 1] == id:
						result("led_%d" % cluster, of_slots[slot])
	for crowd in crowds:
		var ids := commander.get_ids(crowd, leaders.slice(0, 1))
		if ids.size():
			crowd.remove(ids)
	await ticks(1)
	var next := controller.get_cluster_leaders(number)
	result("replaced", [next[0] != leaders[0], next[1] == leaders[1], commander.keep_living(next).size()])
	var stars := map.get_children(true).filter(
		func(node): return node is MultiMeshInstance2D and node.visible and node.multimesh.instance_count == 2)
	result("stars", stars.size())
	for tick in 60 * 60:
		await ticks(1)
		if controller.is_formed(number):
			break
	result("formed", [controller.is_formed(number), controller.get_cluster_sizes(number).size(),
		controller.get_cluster_of_slots(number).count(-1), controller.get_cut_off_slots(number).size(), stars[0].visible])
	for wall in [Rect2i(60, 25, 6, 1), Rect2i(60, 30, 6, 1), Rect2i(60, 25, 1, 6), Rect2i(65, 25, 1, 6)]:
		map.set_cost_rect(wall, 0)
	var yard := PackedVector2Array()
	for unit in 20:
		yard.append(Vector2(61.5 + 0.7 * (unit % 5), 26.5 + 0.7 * (unit / 5)) * 16.0)
	var ids = crowds[0].spawn(yard)
	controller.set_units(crowds[0], ids)
	var second := controller.order(Vector2(62, 27) * 16.0, Vector2(64, 27) * 16.0)
	await ticks(60)
	var lost := controller.get_cut_off_slots(second)
	result("cut_off", [lost.size() > 0, lost.size() < 20, controller.get_slots(second).size()])
	result("wrong", controller.get_cluster_sizes(99).size())
	map.free()
"""
    )
    assert run.results == {
        "before": [[], 0, []], "sizes": [16, 12], "of_slots": [28, 16, 12], "alive": 2, "led_0": 0, "led_1": 1,
        "replaced": [True, True, 2], "stars": 1, "formed": [True, 0, 28, 0, False], "cut_off": [True, True, 20], "wrong": 0,
    }, run.output  # fmt: skip
    assert len(run.errors()) == 1 and "there is no formation 99" in run.errors()[0]


def test_what_is_wrong_is_told_in_words(project: NodeProject) -> None:
    run = project.run_script(
        _ARMY
        + """
func run():
	var lost := FormationController2D.new()
	root.add_child(lost)
	await ticks(2)
	result("lost", [lost.order(Vector2(), Vector2()), lost.preview(Vector2(), Vector2(9, 9)).size()])
	var map := FlowFieldMap2D.new()
	map.size = Vector2i(60, 30)
	root.add_child(map)
	var crowds := army(map, "2D")
	var controller := FormationController2D.new()
	map.add_child(controller)
	await ticks(2)
	result("nobody", controller.order(Vector2(100, 100), Vector2(200, 100)))
	crowds[0].spawn(PackedVector2Array([Vector2(80, 80)]))
	result("mode", controller.order(Vector2(100, 100), Vector2(200, 100), 7))
	result("number", [controller.is_formed(5), controller.get_slots(5).size(), controller.dismiss(5)])
	result("place", controller.order(Vector2(NAN, 100), Vector2(200, 100)))
	result("good", controller.order(Vector2(100, 100), Vector2(200, 100)) > 0)
	controller.set_units(null, PackedInt32Array([0]))
	controller.set_units(crowds[0], PackedInt32Array([9]))
	result("none", controller.order(Vector2(100, 100), Vector2(200, 100)))
	controller.clear_units()
	map.free()
"""
    )
    assert run.results == {
        "lost": [0, 0], "nobody": 0, "mode": 0, "number": [False, 0, False], "place": 0, "good": True, "none": 0,
    }, run.output  # fmt: skip
    told = [line for line in run.errors() if "FormationController2D" in line]
    for words in ("no map", "no unit to order", "a mode is", "there is no formation 5", "finite numbers", "needs a crowd"):
        assert any(words in line for line in told), (words, run.output)


@pytest.mark.parametrize("kind", ["2D", "3D"])
def test_a_saved_game_keeps_its_formations(project: NodeProject, kind: str) -> None:
    vector = "Vector2(480, 160), Vector2(480, 240)" if kind == "2D" else "Vector3(30, 0, 10), Vector3(30, 0, 15)"
    spawn = "PackedVector2Array([Vector2(80, 80), Vector2(80, 100)])" if kind == "2D" else (
        "PackedVector3Array([Vector3(5, 0, 5), Vector3(5, 0, 6.3)])"
    )  # fmt: skip
    run = project.run_script(
        _ARMY
        + f"""
func run():
	var map := FlowFieldMap{kind}.new()
	map.size = Vector2i(60, 30)
	root.add_child(map)
	var crowds := army(map, "{kind}")
	var controller := FormationController{kind}.new()
	map.add_child(controller)
	await ticks(2)
	crowds[0].spawn({spawn})
	var number := controller.order({vector}, FormationController{kind}.MARCH)
	await ticks(40)
	var state: PackedByteArray = map.save_state()
	await ticks(60)
	var hash := map.get_state_hash()
	map.restore_state(state)
	result("still", [controller.get_formations(), controller.is_marching(number)])
	await ticks(60)
	result("same", map.get_state_hash() == hash)
	map.free()
"""
    )
    assert run.results == {"still": [[1], True], "same": True}, run.output
    assert run.errors() == []


def test_the_readme_s_drag_orders_a_march(project: NodeProject) -> None:
    text = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")
    (example,) = [found for found in re.findall(r"```gdscript\n(.*?)```", text, re.DOTALL) if "FormationController2D" in found]
    project.write("drag.gd", "extends Node2D\n" + example)
    run = project.run_script(
        _ARMY
        + """
func button(pressed: bool, place: Vector2) -> InputEventMouseButton:
	var event := InputEventMouseButton.new()
	event.button_index = MOUSE_BUTTON_RIGHT
	event.pressed = pressed
	event.position = place
	event.global_position = place
	return event

func run():
	var level = load("res://drag.gd").new()
	var map := FlowFieldMap2D.new()
	map.name = "Map"
	map.size = Vector2i(60, 30)
	level.add_child(map)
	root.add_child(level)
	var crowds := army(map, "2D")
	await ticks(2)
	crowds[0].spawn(PackedVector2Array([Vector2(80, 80), Vector2(80, 100), Vector2(80, 120)]))
	level._unhandled_input(button(true, Vector2(400, 80)))
	var motion := InputEventMouseMotion.new()
	motion.button_mask = MOUSE_BUTTON_MASK_RIGHT
	level._unhandled_input(motion)
	level._unhandled_input(button(false, Vector2(400, 160)))
	await ticks(20)
	result("marches", level.formations.is_marching(1))
	level.free()
"""
    )
    assert run.results == {"marches": True}, run.output
    assert run.errors() == []
