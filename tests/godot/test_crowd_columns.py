"""Columns of the game on a crowd node, from GDScript: packed arrays, deaths, a saved state, leaving the tree, a map made anew."""

from __future__ import annotations

from .node_project import NodeProject
from .test_crowd_2d import MAP


def test_columns_from_gdscript(project: NodeProject) -> None:
    run = project.run_script(
        MAP
        + """
func run():
	var map := make_map()
	var crowd := make_crowd(map)
	root.add_child(map)
	crowd.spawn(PackedVector2Array([Vector2(15, 15), Vector2(35, 15), Vector2(55, 15)]))
	result("added", [crowd.add_column("health", FlowFieldCrowd2D.INT, 100), crowd.add_column("fury"),
		crowd.add_column("rank", FlowFieldCrowd2D.BYTE, 3)])
	crowd.set_column_at("health", PackedInt32Array([2, 0]), PackedInt32Array([20, 50]))
	crowd.set_column("fury", PackedFloat32Array([0.5, 1.5, 2.5]))
	crowd.set_column_at("rank", PackedInt32Array([1]), 9)
	result("types", [crowd.get_column("health") is PackedInt32Array, crowd.get_column("fury") is PackedFloat32Array,
		crowd.get_column("rank") is PackedByteArray])
	result("health", crowd.get_column("health"))
	result("some", crowd.get_column_at("fury", PackedInt32Array([2, 0])))
	result("rank", Array(crowd.get_column("rank")))
	var saved: PackedByteArray = map.save_state()
	crowd.remove(PackedInt32Array([1]))
	crowd.spawn(PackedVector2Array([Vector2(75, 15)]))
	result("born", [crowd.get_column("health"), Array(crowd.get_column("rank"))])
	map.restore_state(saved)
	result("restored", crowd.get_column("fury"))
	crowd.remove(PackedInt32Array([0]))
	map.remove_child(crowd)
	map.add_child(crowd)
	result("moved", [crowd.get_column("health"), crowd.get_column_names()])
	map.size = Vector2i(30, 8)
	await ticks(1)
	result("anew", [crowd.get_column_names(), crowd.get_agent_count()])
"""
    )
    assert run.unexpected() == []
    assert run.results == {
        "added": [True, True, True], "types": [True, True, True], "health": [50, 100, 20], "some": [2.5, 0.5],
        "rank": [3, 9, 3], "born": [[50, 100, 20], [3, 3, 3]], "restored": [0.5, 1.5, 2.5],
        "moved": [[100, 20, 100], ["health", "fury", "rank"]], "anew": [["health", "fury", "rank"], 0],
    }  # fmt: skip


def test_colours_from_gdscript(project: NodeProject) -> None:
    run = project.run_script(
        MAP
        + """
func run():
	var map := make_map()
	var crowd := make_crowd(map)
	root.add_child(map)
	crowd.spawn(PackedVector2Array([Vector2(15, 15), Vector2(35, 15), Vector2(55, 15)]))
	result("added", [crowd.add_column("tint", FlowFieldCrowd2D.COLOR),
		crowd.add_column("flag", FlowFieldCrowd2D.COLOR, Color.RED)])
	result("default", [crowd.get_column("tint") == PackedColorArray([Color.WHITE, Color.WHITE, Color.WHITE]),
		crowd.get_column("flag")[2] == Color.RED])
	crowd.set_column_at("tint", PackedInt32Array([2, 0]), PackedColorArray([Color.BLUE, Color.GREEN]))
	crowd.set_column("flag", Color.YELLOW)
	result("set", [crowd.get_column("tint") == PackedColorArray([Color.GREEN, Color.WHITE, Color.BLUE]),
		crowd.get_column_at("flag", PackedInt32Array([1])) == PackedColorArray([Color.YELLOW])])
	crowd.set_column("tint", [Color.RED, Color.RED, Color.BLACK])
	map.remove_child(crowd)
	map.add_child(crowd)
	result("moved", crowd.get_column("tint") == PackedColorArray([Color.RED, Color.RED, Color.BLACK]))
	result("refused", [crowd.set_column("tint", 0.5), crowd.add_column("rank", FlowFieldCrowd2D.INT, Color.RED)])
"""
    )
    assert run.results == {
        "added": [True, True], "default": [True, True], "set": [True, True], "moved": True, "refused": [False, False],
    }  # fmt: skip
    told = run.errors()
    assert len(told) == 2, told
    assert "expected colours (red, green, blue, alpha) for column 'tint', got 0.5" in str(told[0])
    assert "expected one number as the default of column 'rank'" in str(told[1])


def test_one_clear_error_and_nothing_set(project: NodeProject) -> None:
    run = project.run_script(
        MAP
        + """
func run():
	var map := make_map()
	var crowd := make_crowd(map)
	root.add_child(map)
	crowd.spawn(PackedVector2Array([Vector2(15, 15), Vector2(35, 15)]))
	crowd.add_column("health", FlowFieldCrowd2D.INT, 100)
	result("refused", [crowd.add_column("health"), crowd.set_column("health", PackedInt32Array([1])),
		crowd.set_column_at("health", PackedInt32Array([0, 7]), 5), crowd.set_column("mana", 1), crowd.remove_column("mana"),
		crowd.set_column("health", "much")])
	result("health", crowd.get_column("health"))
"""
    )
    assert run.results == {"refused": [False] * 6, "health": [100, 100]}
    told = run.errors()
    assert len(told) == 6, told
    for words, line in zip(
        ("already", "expected 2 values", "got 7", "(health), got 'mana'", "(health), got 'mana'", "expected numbers"),
        told,
        strict=True,
    ):
        assert words in str(line)
