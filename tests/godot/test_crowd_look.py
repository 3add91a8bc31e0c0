"""Columns of the game in a crowd's multi-mesh, from GDScript: colours, numbers for the shader, facing; wrong names told."""

from __future__ import annotations

import math
from typing import Any

import pytest

from .node_project import NodeProject
from .test_crowd_2d import MAP

# The dummy renderer of headless runs keeps the buffer, but decodes no instance from it.
ROW = """
func row(crowd: Node, id: int) -> Array:
	var mesh: MultiMesh = crowd.get_multimesh()
	var transform := 8 if mesh.transform_format == MultiMesh.TRANSFORM_2D else 12
	var width := transform + 4 * int(mesh.use_colors) + 4 * int(mesh.use_custom_data)
	return Array(RenderingServer.multimesh_get_buffer(mesh.get_rid()).slice(id * width, (id + 1) * width))

func name_columns(crowd: Node) -> void:
	crowd.color_column = "tint"
	crowd.custom_columns = PackedStringArray(["frame", "", "health"])
	crowd.facing_column = "look"

func add_columns(crowd: Node) -> void:
	crowd.add_column("tint", FlowFieldCrowd2D.COLOR)
	crowd.add_column("frame")
	crowd.add_column("health", FlowFieldCrowd2D.FLOAT, 0.5)
	crowd.add_column("look", FlowFieldCrowd2D.FLOAT, INF)
	crowd.set_column_at("tint", PackedInt32Array([1]), Color(0.25, 0.5, 0.75, 1.0))
	crowd.set_column_at("frame", PackedInt32Array([1]), 7)

"""


def _ahead_2d(row: list[float]) -> list[float]:
    return [row[0], row[4]]


def _ahead_3d(row: list[float]) -> list[float]:
    return [-row[2], -row[10]]


def test_columns_in_2d(project: NodeProject) -> None:
    run = project.run_script(
        MAP
        + ROW
        + """
func run():
	var map := make_map()
	var crowd := make_crowd(map)
	name_columns(crowd)
	root.add_child(map)
	crowd.spawn(PackedVector2Array([Vector2(15, 15), Vector2(15, 35)]))
	add_columns(crowd)
	crowd.set_goal(Vector2(235, 15))
	await ticks(20)
	result("first", row(crowd, 0))
	result("second", row(crowd, 1))
	map.rotation = 0.25
	crowd.set_column("look", PackedFloat32Array([2.0, -1.0]))
	crowd.rotates = false
	crowd.use_custom_data = true
	await ticks(1)
	result("turned", [row(crowd, 0), row(crowd, 1)])
	crowd.spawn(PackedVector2Array([Vector2(55, 55)]))
	await ticks(1)
	result("born", row(crowd, 2))
	crowd.top_level = true
	await ticks(1)
	result("apart", row(crowd, 1))
	map.remove_child(crowd)
	map.add_child(crowd)
	await ticks(2)
	result("back", row(crowd, 1))
	crowd.color_column = ""
	crowd.custom_columns = PackedStringArray()
	crowd.use_custom_data = false
	await ticks(1)
	result("plain", row(crowd, 1).size())
	map.free()
"""
    )
    assert run.unexpected() == []
    found = run.results
    assert found["first"][8:] == [1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.5, 0.0]
    assert found["second"][8:] == [0.25, 0.5, 0.75, 1.0, 7.0, 0.0, 0.5, 0.0]
    assert _ahead_2d(found["first"]) == pytest.approx([6.0, 0.0], abs=0.3)  # to where it walks
    for angle, row in zip((2.0, -1.0), found["turned"], strict=True):
        assert _ahead_2d(row) == pytest.approx([6 * math.cos(angle), 6 * math.sin(angle)], abs=1e-4)
        assert row[13] > 0.5 and row[15] == 1.0  # its pace and state
    assert found["born"][8:13] == [1.0, 1.0, 1.0, 1.0, 0.0] and _ahead_2d(found["born"]) == pytest.approx([6.0, 0.0])
    assert _ahead_2d(found["apart"]) == pytest.approx([6 * math.cos(-0.75), 6 * math.sin(-0.75)], abs=1e-4)
    assert found["back"][8:13] == [0.25, 0.5, 0.75, 1.0, 7.0]
    assert found["plain"] == 8


def test_columns_in_3d(project: NodeProject) -> None:
    run = project.run_script(
        ROW
        + """
func run():
	var map := FlowFieldMap3D.new()
	map.size = Vector2i(20, 10)
	var crowd := FlowFieldCrowd3D.new()
	crowd.count = 0
	name_columns(crowd)
	map.add_child(crowd)
	root.add_child(map)
	crowd.spawn(PackedVector3Array([Vector3(1.5, 0, 1.5), Vector3(1.5, 0, 3.5)]))
	add_columns(crowd)
	crowd.set_column_at("look", PackedInt32Array([1]), 0.5)
	await ticks(2)
	result("rows", [row(crowd, 0), row(crowd, 1)])
	var aimed := Node3D.new()
	aimed.rotation.y = 0.5
	result("wanted", -aimed.basis.z)
	aimed.free()
	crowd.rotation.x = 0.3
	await ticks(2)
	result("tilted", row(crowd, 1))
	result("material", crowd.get_multimesh().mesh.surface_get_material(0).vertex_color_use_as_albedo)
	map.free()
"""
    )
    assert run.unexpected() == []
    found = run.results
    first, second = found["rows"]
    wanted = [found["wanted"][0], found["wanted"][2]]
    size = math.hypot(*_ahead_3d(second))
    assert first[12:] == [1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.5, 0.0]
    assert second[12:] == [0.25, 0.5, 0.75, 1.0, 7.0, 0.0, 0.5, 0.0] == found["tilted"][12:]
    assert [number / size for number in _ahead_3d(second)] == pytest.approx(wanted, abs=1e-5)
    assert -found["tilted"][2] == pytest.approx(wanted[0] * size, abs=1e-4)  # about the axis that it was tilted by
    assert found["material"] is True


def test_wrong_columns_are_told_once_and_the_rest_is_drawn(project: NodeProject) -> None:
    run = project.run_script(
        MAP
        + ROW
        + """
func run():
	var map := make_map()
	var crowd := make_crowd(map)
	name_columns(crowd)
	root.add_child(map)
	crowd.add_column("health", FlowFieldCrowd2D.INT)
	crowd.add_column("frame", FlowFieldCrowd2D.FLOAT, 3)
	crowd.spawn(PackedVector2Array([Vector2(15, 15), Vector2(15, 35)]))
	await ticks(30)
	result("row", row(crowd, 0))
	crowd.remove_column("health")
	crowd.custom_columns = PackedStringArray(["frame", "frame", "frame", "frame", "frame"])
	crowd.color_column = "frame"
	crowd.facing_column = ""
	await ticks(30)
	result("named_anew", row(crowd, 0))
	map.free()
"""
    )
    rows: dict[str, Any] = run.results
    assert rows["row"][8:] == [1.0, 1.0, 1.0, 1.0, 3.0, 0.0, 0.0, 0.0]
    assert rows["named_anew"][8:] == [1.0, 1.0, 1.0, 1.0, 3.0, 3.0, 3.0, 3.0]
    told = sorted(str(line) for line in run.errors())
    assert len(told) == 5, told
    for words in (
        "color_column: expected the name of a column that was added (health, frame), got 'tint'",
        "facing_column: expected the name of a column that was added (health, frame), got 'look'",
        "custom_columns: expected a column of kind 'float', got 'health', which is of kind 'int'",
        "custom_columns: expected at most 4 names, got 5",
        "color_column: expected a column of kind 'color', got 'frame', which is of kind 'float'",
    ):
        assert any(words in line for line in told), (words, told)


def test_y_sort(project: NodeProject) -> None:
    run = project.run_script(
        MAP
        + ROW
        + """
func run():
	var map := make_map()
	var crowd := make_crowd(map)
	crowd.custom_columns = PackedStringArray(["who"])
	root.add_child(map)
	var places := PackedVector2Array()
	for index in 12:
		places.append(Vector2(15, 75 - 5 * index))
	crowd.spawn(places)
	crowd.add_column("who")
	crowd.set_column("who", PackedFloat32Array(range(12)))
	await ticks(3)
	result("by_id", who(crowd, 12))
	crowd.y_sort_agents = true
	await ticks(3)
	result("by_y", who(crowd, 12))
	crowd.set_positions(PackedInt32Array([0]), PackedVector2Array([Vector2(55, 5)]))
	await ticks(2)
	result("moved", who(crowd, 12)[0])
	crowd.spawn(PackedVector2Array([Vector2(95, 2)]))
	crowd.set_column_at("who", PackedInt32Array([12]), 12)
	await ticks(2)
	result("born", who(crowd, 13).slice(0, 2))
	crowd.y_sort_agents = false
	await ticks(2)
	result("again", who(crowd, 13))
	map.free()

func who(crowd: Node, count: int) -> Array:
	return range(count).map(func(index: int): return int(row(crowd, index)[8]))
"""
    )
    assert run.unexpected() == []
    by_id = list(range(12))
    assert run.results == {"by_id": by_id, "by_y": by_id[::-1], "moved": 0, "born": [12, 0], "again": [*by_id, 12]}
