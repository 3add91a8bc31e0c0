"""Buildings of a map node, from GDScript: units attack them, they are found, saved, and refused in words."""

from __future__ import annotations

import pytest

from .node_project import NodeProject

_RUN = """
func run():
	var map := FlowFieldMap{kind}.new()
	map.size = Vector2i(60, 40)
	root.add_child(map)
	var crowd := FlowFieldCrowd{kind}.new()
	crowd.autostart = false
	crowd.spawn_mode = 2
	crowd.speed = {tile} * 5.0
	crowd.radius = {tile} * 0.3
	crowd.sight_radius = {tile} * 8.0
	crowd.attack_range = {tile} * 0.4
	map.add_child(crowd)
	await ticks(1)
	map.set_cost_rect(Rect2i(30, 8, 3, 3), 0)
	var tower: int = map.add_building(Rect2i(30, 8, 3, 3), 1)
	var hall: int = map.add_building(Rect2i(2, 30, 5, 4), 3, 4)
	result("known", [map.is_building(tower), map.is_building(77)])
	result("asked", [map.get_building_rect(tower) == Rect2i(30, 8, 3, 3), map.get_building_team(hall)])
	result("nearest", map.get_nearest_buildings({near}, 5) == PackedInt64Array([tower, hall]))
	result("of_team", map.get_nearest_buildings({near}, 5, 0.0, 1 << 3) == PackedInt64Array([hall]))
	result("within", map.get_nearest_buildings({near}, 5, {tile} * 4.0) == PackedInt64Array([tower]))
	result("in_circle", [
		map.get_buildings_in_circle({near}, {tile} * 4.0) == PackedInt64Array([tower]),
		map.get_buildings_in_circle({near}, {tile} * 60.0, -1, 4) == PackedInt64Array([hall]),
		map.get_buildings_in_circle({near}, {tile} * 1.0).size(),
	])
	result("in_rect", [
		map.get_buildings_in_rect(Rect2i(0, 0, 60, 40)) == PackedInt64Array([tower, hall]),
		map.get_buildings_in_rect(Rect2i(6, 33, 1, 1)) == PackedInt64Array([hall]),
		map.get_buildings_in_rect(Rect2i(7, 30, 9, 9)).size(),
		map.get_buildings_in_rect(Rect2i(0, 0, 60, 40), 1 << 1) == PackedInt64Array([tower]),
	])
	crowd.spawn({places})
	await ticks(1)
	var units: PackedInt64Array = crowd.get_handles(crowd.get_agent_ids())
	map.command_attack_move(units, {goal})
	await ticks(500)
	result("engaged", map.get_engaged_units() == units)
	result("targets", map.get_unit_targets(units) == PackedInt64Array([tower, tower]))
	var state: PackedByteArray = map.save_state()
	result("gone", [map.remove_building(tower), map.get_buildings() == PackedInt64Array([hall]), map.get_engaged_units().size()])
	map.restore_state(state)
	result("restored", [map.is_building(tower), map.get_engaged_units() == units])
	result("turned", [map.set_building_team(tower, 0), map.get_building_team(tower)])
	await ticks(30)
	result("left_alone", map.get_engaged_units().size())
	print("NOTE refused from here")
	var outside: int = map.add_building(Rect2i(58, 1, 4, 2), 1)
	map.get_buildings_in_circle({near}, -1.0)
	result("refused", [outside, map.add_building(Rect2i(1, 1, 2, 2), 40), map.remove_building(5)])
	map.free()
"""


@pytest.mark.parametrize(
    ("kind", "tile", "near", "places", "goal"),
    [
        ("2D", "16.0", "Vector2(560, 150)", "PackedVector2Array([Vector2(72, 140), Vector2(72, 160)])", "Vector2(900, 150)"),
        ("3D", "1.0", "Vector3(35, 7, 9)", "PackedVector3Array([Vector3(4.5, 0, 9), Vector3(4.5, 0, 10)])", "Vector3(56, 0, 9)"),
    ],
)
def test_units_attack_buildings(project: NodeProject, kind: str, tile: str, near: str, places: str, goal: str) -> None:
    script = _RUN
    for name, value in (("kind", kind), ("tile", tile), ("near", near), ("places", places), ("goal", goal)):
        script = script.replace("{" + name + "}", value)
    run = project.run_script(script)
    assert run.results == {
        "known": [True, False], "asked": [True, 3], "nearest": True, "of_team": True, "within": True,
        "in_circle": [True, True, 0], "in_rect": [True, True, 0, True],
        "engaged": True, "targets": True, "gone": [True, True, 0], "restored": [True, True], "turned": [True, 0],
        "left_alone": 0, "refused": [0, 0, False],
    }  # fmt: skip
    assert [
        words in line
        for words, line in zip(
            ("inside the map", "a radius from 0", "team is 0 to 31", "that is there"), run.errors(), strict=True
        )
    ]
