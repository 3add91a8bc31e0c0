"""The addon's zip, unzipped into an empty project the way a game developer does it."""

from __future__ import annotations

import re
import stat
import subprocess
import zipfile
from pathlib import Path

import pytest

from tests.export.elsewhere import Elsewhere
from tools import package, runtime

FRAMES = 90
ROOT = Path(__file__).resolve().parents[2]

PROJECT_FILE = """config_version=5

[application]

config/name="An empty project"
run/main_scene="res://field.tscn"
config/features=PackedStringArray("4.6")
"""

# What a person does in the editor: one map node, one crowd below it, its goal set; the script only looks on.
SCENE = """[gd_scene load_steps=2 format=3]

[ext_resource type="Script" path="res://field.gd" id="1"]

[node name="Field" type="Node2D"]
script = ExtResource("1")

[node name="Map" type="FlowFieldMap2D" parent="."]

[node name="Crowd" type="FlowFieldCrowd2D" parent="Map"]
count = 500
goal_mode = 1
goal_position = Vector2(512, 512)
"""

SCRIPT = """extends Node2D

var frames := 0
var first: PackedVector2Array


func _process(_delta: float) -> void:
	frames += 1
	var positions: PackedVector2Array = $Map/Crowd.get_positions()
	if frames == 1:
		print("FIRST_FRAME_MS ", Time.get_ticks_msec())
	if first.is_empty():
		first = positions.duplicate()
	if frames < FRAMES:
		return
	var moved := 0
	for index in positions.size():
		moved += int(positions[index].distance_to(first[index]) > 1.0)
	print("UNITS ", positions.size(), " MOVED ", moved)
	var maps := FileAccess.open("/proc/self/maps", FileAccess.READ)
	while not maps.eof_reached():
		print("MAPPED ", maps.get_line())
	get_tree().quit()
""".replace("FRAMES", str(FRAMES))


@pytest.fixture(scope="module")
def empty_project(packaged: Path, engine: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new project with the addon and one scene, opened once by the editor as every project is."""
    project = tmp_path_factory.mktemp("games") / "Leeres Projekt é"
    project.mkdir()
    with zipfile.ZipFile(packaged) as archive:
        archive.extractall(project)  # Drops the modes, as most unzipping programs do.
    (project / "project.godot").write_text(PROJECT_FILE, encoding="utf-8")
    (project / "field.tscn").write_text(SCENE, encoding="utf-8")
    (project / "field.gd").write_text(SCRIPT, encoding="utf-8")
    # A headless engine that meets an extension for the first time crashes when it ends (godotengine/godot issue 111048), one
    # with a window does not: the list that it would write is written here.
    (project / ".godot").mkdir()
    (project / ".godot" / "extension_list.cfg").write_text("res://addons/pynav/pynav.gdextension\n", encoding="utf-8")
    done = subprocess.run(
        [str(engine), "--headless", "--path", str(project), "--import"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "ERROR" not in done.stdout + done.stderr, done.stdout + done.stderr
    return project


def test_zip_holds_the_addon_and_nothing_else(packaged: Path) -> None:
    with zipfile.ZipFile(packaged) as archive:
        names = archive.namelist()
        modes = {entry.filename: entry.external_attr >> 16 for entry in archive.infolist()}
    assert packaged.name == f"pynav-{runtime.project_version()}-{package.PLATFORM}.zip"
    assert names == sorted(names)
    assert all(name.startswith("addons/pynav/") for name in names)
    inside = {name.removeprefix("addons/pynav/") for name in names}
    assert {"pynav.gdextension", "LICENSE", "README.md"} <= inside
    assert {f"bin/{runtime.RUNTIME_NAME}/{name}" for name in ("pynav_python.cfg", ".gdignore", "runtime.json")} <= inside
    assert any(name.startswith(f"bin/{runtime.RUNTIME_NAME}/{runtime.LICENCE_FOLDER}/") for name in inside)
    assert any(re.fullmatch(r"icons/\w+\.svg", name) for name in inside)
    shaders = {f"shaders/{path.name}" for path in (ROOT / "addons" / "pynav" / "shaders").glob("*.gdshader")}
    assert shaders and shaders <= inside
    assert not [name for name in inside if name.endswith(".py") or "numba" in name or "llvm" in name.lower()]
    assert all(modes[name] & stat.S_IXUSR for name in names if name.endswith(".so"))


def test_every_file_that_the_extension_names_is_in_the_zip(packaged: Path) -> None:
    with zipfile.ZipFile(packaged) as archive:
        names = archive.namelist()
        text = archive.read("addons/pynav/pynav.gdextension").decode()
    quoted = [path for path in re.findall(r'"([^"\s]+/[^"\s]+)"', text) if "arm64" not in path]
    named = [path.removeprefix("res://") if path.startswith("res://") else f"addons/pynav/{path}" for path in quoted]
    assert named
    missing = [path for path in named if path not in names and not any(name.startswith(path + "/") for name in names)]
    assert not missing, missing


def test_same_inputs_same_bytes(packaged: Path, tmp_path: Path) -> None:
    again = package.package(tmp_path)
    assert again.read_bytes() == packaged.read_bytes()


def test_crowd_walks_in_an_empty_project(empty_project: Path, engine: Path, elsewhere: Elsewhere) -> None:
    done = elsewhere.run(
        engine,
        "--headless",
        "--path",
        empty_project,
        "--fixed-fps",
        "60",
        read_only=empty_project,
    )
    assert done.code == 0, done.fail_text()
    assert "ERROR" not in done.output, done.fail_text()
    seen = re.search(r"UNITS (\d+) MOVED (\d+)", done.output)
    assert seen, done.fail_text()
    assert int(seen[1]) == 500 and int(seen[2]) > 400, seen[0]
    mapped = {line.split(maxsplit=5)[5] for line in re.findall(r"MAPPED (.*/.*)", done.output)}
    folder = str(empty_project / "addons" / "pynav" / "bin" / runtime.RUNTIME_NAME)
    assert any(name.startswith(folder) and "libpython" in name for name in mapped), sorted(mapped)
    assert not [name for name in mapped if re.search("llvm|numba|openblas", name.removeprefix(folder), re.IGNORECASE)]
