"""What the solver sees, on pictures of the real editor: each layer in the 2D and the 3D view."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from pynav.drawing import Layer, Role, palette
from tests.bridge.engine_project import GODOT
from tests.godot.editor_project import EditorProject, Run
from tools import display

SCENE = """[gd_scene format=3]
[node name="Level" type="Node"]
[node name="Plane" type="FlowFieldMap2D" parent="."]
cost_source = 4
size = Vector2i(64, 48)
generator_kind = 2
generator_seed = 11
tile_size = Vector2(12, 12)
[node name="Space" type="FlowFieldMap3D" parent="."]
cost_source = 4
size = Vector2i(64, 48)
generator_kind = 2
generator_seed = 11
"""
VIEW = (300, 130, 1300, 850)  # of the editor's window of 1600 x 900: what lies in the 2D or 3D view
DRIVE = """
	var level := await open("res://level.tscn")
	for space in [false, true]:
		EditorInterface.set_main_screen_editor("3D" if space else "2D")
		await select(level.get_node("Space" if space else "Plane"))
		var buttons := get_tree().root.find_children("PynavDrawing*", "MenuButton", true, false)
		var popup: PopupMenu = buttons[1 if space else 0].get_popup()
		for layers in LAYERS:
			popup.id_pressed.emit(0)
			for bit in 10:
				if layers & (1 << bit):
					popup.id_pressed.emit(1 << bit)
			if layers == 513:
				level.get_node("Space" if space else "Plane").generator_seed += 1
			for frame in 45:
				look()
				await frames(1)
			await picture("res://%s_%d.png" % ["space" if space else "plane", layers])
	result("done", true)

func look() -> void:
	var camera := EditorInterface.get_editor_viewport_3d(0).get_camera_3d()
	camera.look_at_from_position(Vector3(32, 38, 60), Vector3(32, 0, 27))
"""
NOTHING = 0
BASE = int(Layer.TILES)
WITH_TILES = [BASE | int(layer) for layer in Layer if layer is not Layer.TILES]
EVERYTHING = sum(Layer) & ~int(Layer.CLEARANCE | Layer.ISLANDS)
Pixels = npt.NDArray[np.int16]


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Run]:
    """The folder with all pictures, and the run that made them."""
    if not GODOT.exists():
        pytest.skip(f"no engine at {GODOT}: run `python3 dev.py play` once")
    if shutil.which("Xvfb") is None:
        pytest.skip("no virtual display: apt-get install xvfb")
    project = EditorProject(tmp_path_factory.mktemp("drawing") / "project")
    project.write("level.tscn", SCENE)
    layers = [NOTHING, BASE, *WITH_TILES, EVERYTHING]
    with display.virtual_display("1600x900") as environment:
        run = project.drive(
            DRIVE.replace("LAYERS", str(layers)), "--resolution", "1600x900", environment=environment, timeout=400.0
        )
    assert run.results == {"done": True}, run.output
    kept = os.environ.get("PYNAV_PICTURES")  # a folder where somebody wants to look at them
    if kept:
        for path in project.folder.glob("*.png"):
            shutil.copy(path, kept)
    return project.folder, run


def view(pictures: tuple[Path, Run], space: bool, layers: int) -> Pixels:
    """A picture's view, (height, width, 3)."""
    picture = Image.open(pictures[0] / f"{'space' if space else 'plane'}_{layers}.png").convert("RGB").crop(VIEW)
    return np.asarray(picture).astype(np.int16)


def near(picture: Pixels, role: Role, reach: int = 45) -> int:
    """How many pixels have about the colour of a role."""
    return int((np.abs(picture - palette()[role, :3].astype(np.int16)).max(axis=2) <= reach).sum())


@pytest.mark.parametrize("space", [False, True], ids=["2D", "3D"])
def test_each_layer_shows(pictures: tuple[Path, Run], space: bool) -> None:
    seen = {layers: view(pictures, space, layers) for layers in [NOTHING, BASE, *WITH_TILES, EVERYTHING]}
    changed = (np.abs(seen[BASE] - seen[NOTHING]).max(axis=2) > 20).mean()
    assert changed > 0.1, "blocked tiles"
    for layers in WITH_TILES:
        differs = (np.abs(seen[layers] - seen[BASE]).max(axis=2) > 12).sum()
        assert differs > 400, Layer(layers)


@pytest.mark.parametrize("space", [False, True], ids=["2D", "3D"])
def test_colours_are_those_of_the_roles(pictures: tuple[Path, Run], space: bool) -> None:
    bare = view(pictures, space, BASE)
    for layer, role, least in (
        (Layer.PORTALS, Role.PORTAL, 800),
        (Layer.GRAPH, Role.WINDING_EDGE, 150),
        (Layer.PATH, Role.WALK, 250),
        (Layer.PATH, Role.GOAL, 40),
        (Layer.FLOW, Role.ARROW, 300),
        (Layer.REBUILT, Role.EDIT_OUTLINE, 200),
    ):
        found = near(view(pictures, space, BASE | int(layer)), role) - near(bare, role)
        assert found > least, (layer, role, found)


@pytest.mark.parametrize("space", [False, True], ids=["2D", "3D"])
def test_walls_are_dark_and_stay_dark_below_the_flow(pictures: tuple[Path, Run], space: bool) -> None:
    tiles, flow = (view(pictures, space, layers) for layers in (BASE, BASE | int(Layer.FLOW)))
    is_wall = (tiles.max(axis=2) < 45) & (view(pictures, space, NOTHING).max(axis=2) > 45)
    assert is_wall.sum() > 20_000
    assert (flow[is_wall].max(axis=1) < 70).mean() > 0.9


def test_the_editor_has_nothing_to_say(pictures: tuple[Path, Run]) -> None:
    words = ("pynav", "Traceback", "SCRIPT ERROR", "leaked", "gizmo")
    assert [line for line in pictures[1].output.splitlines() if any(word in line for word in words)] == []
