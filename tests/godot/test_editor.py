"""The nodes in the editor: they idle, draw what they stand for, and warn."""

from tests.godot.node_project import NodeProject

SCENE = """[gd_scene format=3]
[node name="Level" type="Node2D"]
[node name="Map" type="FlowFieldMap2D" parent="."]
rotation = 0.3
cost_source = 4
size = Vector2i(96, 64)
generator_kind = 2
[node name="Raiders" type="FlowFieldCrowd2D" parent="Map"]
scale = Vector2(2, 2)
goal_mode = 1
goal_position = Vector2(560, 744)
spawn_mode = 1
spawn_area = Rect2i(8, 3, 32, 14)
[node name="Flat" type="FlowFieldCrowd2D" parent="Map"]
scale = Vector2(0, 0)
goal_mode = 1
[node name="Broken" type="FlowFieldMap2D" parent="."]
cost_source = 3
map_file = "res://none.map"
[node name="Plain" type="FlowFieldMap3D" parent="."]
[node name="Jobs" type="NavJobScheduler" parent="."]
[node name="MoreJobs" type="NavJobScheduler" parent="."]
worker_units = -1
[node name="Troop" type="FlowFieldCrowd3D" parent="Plain"]
"""


def test_the_editor_opens_a_scene_and_leaves_without_a_word(project: NodeProject) -> None:
    project.write("level.tscn", SCENE)
    run = project.run("--editor", "--quit-after", "90", "res://level.tscn", fixed_fps=0)
    assert run.code == 0
    told = [line for line in run.output.splitlines() if any(word in line for word in ("ERROR", "WARNING", "leaked", "orphan"))]
    assert told == []
    assert "Traceback" not in run.output
