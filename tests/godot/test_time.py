"""Pause, time_scale, physics rates, process modes and interpolation behave as for any Godot node."""

from __future__ import annotations

import math

import pytest

from .node_project import NodeProject

SCENE = """
func make_scene() -> Node2D:
	var scene := Node2D.new()
	var map := FlowFieldMap2D.new()
	map.name = "Map"
	map.size = Vector2i(200, 8)
	map.tile_size = Vector2(10, 10)
	var crowd := FlowFieldCrowd2D.new()
	crowd.name = "Crowd"
	crowd.count = 0
	crowd.radius = 3.0
	crowd.speed = 100.0
	crowd.speed_variation = 0.0
	scene.add_child(map)
	scene.add_child(crowd)
	root.add_child(scene)
	crowd.spawn(PackedVector2Array([Vector2(15, 45)]))
	crowd.set_goal(Vector2(1985, 45))
	return scene

func x(scene: Node) -> float:
	return scene.get_node("Crowd").get_positions()[0].x

"""


def test_pause_and_process_mode(project: NodeProject) -> None:
    run = project.run_script(
        SCENE
        + """
func run():
	var scene := make_scene()
	await ticks(60)
	paused = true
	await ticks(1)
	var before := x(scene)
	var tick: int = scene.get_node("Map").get_tick()
	await ticks(20)
	result("paused", [x(scene) == before, scene.get_node("Map").get_tick() - tick])
	paused = false
	await ticks(20)
	result("went_on", x(scene) > before + 20.0)
	scene.get_node("Map").process_mode = Node.PROCESS_MODE_DISABLED
	await ticks(1)
	before = x(scene)
	await ticks(20)
	result("disabled", x(scene) == before)
	scene.get_node("Map").process_mode = Node.PROCESS_MODE_ALWAYS
	paused = true
	await ticks(20)
	result("always", x(scene) > before + 20.0)
	paused = false
	scene.free()
"""
    )
    assert run.unexpected() == []
    assert run.results == {"paused": [True, 0], "went_on": True, "disabled": True, "always": True}


def test_time_scale(project: NodeProject) -> None:
    run = project.run_script(
        SCENE
        + """
func run():
	var scene := make_scene()
	await ticks(60)
	for scale in [1.0, 0.5, 4.0, 30.0]:
		Engine.time_scale = scale
		await ticks(2)
		var before := x(scene)
		await ticks(6)
		result("scale_%s" % str(scale).replace(".", "_"), (x(scene) - before) / scale)
	Engine.time_scale = 0.0
	await ticks(2)
	var before := x(scene)
	await ticks(6)
	result("stopped", x(scene) == before)
	Engine.time_scale = 1.0
	scene.free()
"""
    )
    assert run.unexpected() == []
    for name in ("scale_1_0", "scale_0_5", "scale_4_0", "scale_30_0"):
        assert math.isclose(run.results[name], 10.0, rel_tol=0.06), (name, run.results)
    assert run.results["stopped"] is True


@pytest.mark.parametrize("rate", [20, 144])
def test_other_physics_rates(project: NodeProject, rate: int) -> None:
    project.settings(physics__common__physics_ticks_per_second=str(rate))
    run = project.run_script(
        SCENE
        + """
func run():
	var scene := make_scene()
	var rate := Engine.physics_ticks_per_second
	result("rate", rate)
	await ticks(rate)
	var before := x(scene)
	await ticks(rate * 2)
	result("distance", x(scene) - before)
	scene.free()
""",
        fixed_fps=rate,
    )
    assert run.unexpected() == []
    assert run.results["rate"] == rate
    assert math.isclose(run.results["distance"], 200.0, rel_tol=0.03)


@pytest.mark.parametrize("plane", ["2D", "3D"])
def test_interpolation(project: NodeProject, plane: str) -> None:
    """With the project's physics interpolation on, the engine is given where each unit is and where it was a tick ago."""
    project.settings(physics__common__physics_interpolation="true")
    run = project.run_script("""
func run():
	var map := FlowFieldMap%s.new()
	map.size = Vector2i(200, 8)
	map.tile_size = %s
	var crowd := FlowFieldCrowd%s.new()
	crowd.count = 50
	crowd.radius = 0.3
	crowd.speed = 5.0
	map.add_child(crowd)
	root.add_child(map)
	await ticks(3)
	result("on", crowd.is_physics_interpolated_and_enabled())
	crowd.set_goal(map.tile_to_local(Vector2i(190, 4)))
	await ticks(30)
	crowd.physics_interpolation_mode = Node.PHYSICS_INTERPOLATION_MODE_OFF
	await ticks(3)
	crowd.physics_interpolation_mode = Node.PHYSICS_INTERPOLATION_MODE_ON
	await ticks(3)
	crowd.set("y_sort_agents", true)  # in 2D
	await ticks(3)
	crowd.spawn_in(30)
	await ticks(30)
	result("agents", crowd.get_agent_count())
	map.free()
""" % (plane, "Vector2(1, 1)" if plane == "2D" else "1.0", plane))  # fmt: skip
    assert run.unexpected() == []
    assert run.results == {"on": True, "agents": 80}
    assert run.code == 0
