"""The drawing in the real editor: what gizmos and canvas items are given is what the solver's arrays say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.bridge.engine_project import EngineProject
from tests.godot.editor_project import EditorProject, told

SCENE = """[gd_scene format=3]
[node name="Level" type="Node3D"]
[node name="Space" type="FlowFieldMap3D" parent="."]
transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 3, 2, 1)
cost_source = 4
size = Vector2i(96, 64)
generator_kind = 2
[node name="Plane" type="FlowFieldMap2D" parent="."]
cost_source = 4
size = Vector2i(80, 50)
generator_kind = 1
[node name="Ledge" type="FlowFieldOneWay3D" parent="Space"]
transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 20, 0, 20)
size = Vector2(8, 2)
"""


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """One run of the editor for all tests of this file."""
    from tests.bridge.engine_project import GODOT

    if not GODOT.exists():
        pytest.skip("the engine is not here: python3 dev.py test sets it up")
    project = EngineProject(tmp_path_factory.mktemp("editor") / "project")
    project.python_module("drawing_driver", (Path(__file__).parent / "drive_editor_drawing.py").read_text(encoding="utf-8"))
    project.modules("addons.pynav.nodes", editor=("addons.pynav.editor", "drawing_driver"))
    project.write("level.tscn", SCENE)
    home = {f"XDG_{kind}_HOME": str(project.folder / ".home" / kind.lower()) for kind in ("CONFIG", "DATA", "CACHE")}
    run = project.run("--editor", fixed_fps=False, environment=home)
    assert run.code == 0, run.output
    assert "Traceback" not in run.output, run.output
    assert run.leaks() == [], run.output
    return json.loads(run.results["seen"])  # type: ignore[no-any-return]


def test_bars_of_the_gizmo_are_the_portals(seen: dict[str, object]) -> None:
    assert seen["bars"][1] is True  # type: ignore[index]
    assert seen["bars"][0] > 20  # type: ignore[index]
    assert seen["on the ground"] is True
    assert seen["the editor has our gizmo"] >= 1  # type: ignore[operator]


def test_nothing_of_the_game_is_made_in_the_editor(seen: dict[str, object]) -> None:
    assert seen["no world in the editor"] == [True, True]


def test_marks_are_dragged_in_space(seen: dict[str, object]) -> None:
    assert [seen[name] for name in ("handles", "ray", "dragged", "cancelled", "dragged on a hill")] == [True] * 5


def test_marks_are_dragged_on_the_canvas(seen: dict[str, object]) -> None:
    assert [seen[name] for name in ("canvas items", "selected", "grabbed", "kept", "let go")] == [True] * 5
    assert seen["moved"] == [10, 8]


def test_the_drawing_follows_the_node(seen: dict[str, object]) -> None:
    assert seen["edited"] is True
    assert seen["edited sectors"] is True


def test_the_toolbar_is_remembered_and_colours_come_from_the_settings(seen: dict[str, object]) -> None:
    assert seen["toolbar"] == [True, True, True]
    assert seen["colour"] == [255, 0, 0, 255]
    assert seen["layers at first"] != 0


def test_marks_are_kept_with_the_project(seen: dict[str, object]) -> None:
    assert seen["marks again"] == [seen["moved"], True]
    assert seen["mark in the smaller map"] is True
    assert seen["marks outside"] is None


def test_one_way_nodes_show_the_closed_sides_in_space(seen: dict[str, object]) -> None:
    assert seen["one way"][0] >= 1  # type: ignore[index]
    assert seen["one way"][1] == [[0.0, 1.0]]  # type: ignore[index]
    assert seen["one way, sides too"] == [[-4.0, 0.0], [0.0, 1.0], [4.0, 0.0]]


def test_switched_off_nothing_is_drawn_and_on_again_it_is(seen: dict[str, object]) -> None:
    assert seen["off"] == [True, True, 0]
    assert seen["on again"] == [True, True]


def test_scenes_open_and_close_and_nodes_come_and_go_without_a_word(editor_project: EditorProject) -> None:
    editor_project.write("level.tscn", SCENE)
    run = editor_project.drive("""
	var level := await open("res://level.tscn")
	for name in ["Space", "Plane"]:
		await select(level.get_node(name))
	var copy := level.get_node("Plane").duplicate()
	level.add_child(copy)
	copy.owner = level
	await frames(10)
	level.remove_child(copy)
	await frames(4)
	level.get_node("Space").add_child(copy)
	await frames(10)
	copy.queue_free()
	EditorInterface.set_plugin_enabled("pynav", false)
	await frames(6)
	EditorInterface.set_plugin_enabled("pynav", true)
	await frames(10)
	EditorInterface.reload_scene_from_path("res://level.tscn")
	await frames(10)
	EditorInterface.close_scene()
	await frames(6)
	result("done", true)
""")
    assert run.code == 0, run.output
    assert run.results == {"done": True}, run.output
    assert told(run) == []
