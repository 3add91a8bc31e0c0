"""Homing grids in the real editor: arrows of the field as it would settle, which follow every change; the gizmo in 3D."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from addons.pynav.nodes.homing.field_shapes import arrow_colors
from tests.bridge.engine_project import GODOT, EngineProject

ROOT = Path(__file__).resolve().parents[2]
SCENE = """[gd_scene format=3]
[node name="Level" type="Node3D"]
[node name="Space" type="HomingGrid3D" parent="."]
area = Rect2(-8, -8, 16, 16)
cell_count = Vector2i(16, 16)
debug_draw = true
[node name="Enemy" type="HomingSource3D" parent="Space"]
transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, -3.5, 0, 2.5)
[node name="Plane" type="HomingGrid2D" parent="."]
area = Rect2(0, 0, 200, 200)
cell_count = Vector2i(20, 20)
debug_draw = true
[node name="Enemy" type="HomingSource2D" parent="Plane"]
position = Vector2(45, 155)
"""


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """One run of the editor for all tests of this file."""
    if not GODOT.exists():
        pytest.skip("the engine is not here: python3 dev.py test sets it up")
    project = EngineProject(tmp_path_factory.mktemp("editor") / "project")
    project.python_module("homing_driver", (Path(__file__).parent / "drive_homing_editor.py").read_text(encoding="utf-8"))
    project.modules("addons.pynav.nodes", editor=("addons.pynav.editor", "homing_driver"))
    project.write("level.tscn", SCENE)
    glow = "addons/pynav/shaders/homing_glow_2d.gdshader"
    project.write(glow, (ROOT / glow).read_text(encoding="utf-8"))
    home = {f"XDG_{kind}_HOME": str(project.folder / ".home" / kind.lower()) for kind in ("CONFIG", "DATA", "CACHE")}
    run = project.run("--editor", fixed_fps=False, environment=home)
    assert run.code == 0, run.output
    assert "Traceback" not in run.output and "ERROR" not in run.output, run.output
    assert run.leaks() == [], run.output
    return json.loads(run.results["seen"])  # type: ignore[no-any-return]


def test_the_gizmo_shows_border_cells_and_arrows(seen: dict[str, object]) -> None:
    assert seen["no world"] is True
    assert seen["the editor has our gizmo"] >= 1  # type: ignore[operator]
    assert seen["lines"] == [[8, 60], 8]  # ends of lines: four sides; fifteen lines each way
    assert seen["line colours"] == [[0.55, 0.75, 1.0, 0.9], [0.55, 0.75, 1.0, 0.25]]
    assert seen["arrows"] >= 255  # the enemy's own cell may have none
    assert seen["raised"] > 0.0  # type: ignore[operator]


def test_circles_round_a_source_in_3d(seen: dict[str, object]) -> None:
    assert seen["the editor has circles"] == 1
    hit, repelled, reach = [1.0, 0.55, 0.35, 0.9], [0.55, 0.75, 1.0, 0.9], [0.75, 0.55, 1.0, 0.6]
    assert seen["circles"] == [
        [[0.5], [hit]], [[0.5], [repelled]], [[0.5, 3.0], [repelled, reach]], [[0.5, 3.0, 1.5], [repelled, reach, reach]],
    ]  # fmt: skip


def test_arrows_are_as_long_as_the_smaller_side_of_their_cells_allows(seen: dict[str, object]) -> None:
    assert seen["length"] == pytest.approx(0.84 * 5)


def test_colours_of_arrows_between_the_weakest_and_the_strongest_or_in_a_fixed_range() -> None:
    pale, magenta = [0.74, 0.88, 1.0, 0.85], [1.0, 0.1, 0.85, 1.0]
    strength = np.array([3.0, 0.5, 1.0, 8.0], np.float32)
    of_the_moment, fixed = arrow_colors(strength, 0.0, 0.0), arrow_colors(strength, 1.0, 3.0)
    np.testing.assert_allclose(of_the_moment[[1, 3]], [pale, magenta], atol=1e-6)
    np.testing.assert_allclose(fixed, [magenta, pale, pale, magenta], atol=1e-6)
    assert (np.diff(arrow_colors(np.linspace(0, 1, 50, dtype=np.float32), 0.0, 0.0)[:, 1]) < 0).all()


@pytest.mark.parametrize("name", ["to the enemy", "followed", "exact", "2D", "2D followed"])
def test_arrows_point_to_the_enemy(seen: dict[str, object], name: str) -> None:
    assert seen[name] > 0.6  # type: ignore[operator]


def test_arrows_come_go_and_rest(seen: dict[str, object]) -> None:
    names = ("made only when something changed", "without sources", "with one again", "moved in the tree", "too large for arrows")
    assert [seen[name] for name in names] == [True] * 5
    assert seen["switched off"] == [True, [8, 60]]


def test_the_glow_is_seen_in_the_editor_and_is_no_part_of_the_scene(seen: dict[str, object]) -> None:
    shown = [1, [200], False]
    assert seen["glow"] == [shown, [15, 4]]
    assert seen["glow alone"] == [True, shown]
    assert seen["glow followed"] == seen["glow exact"] == [2, 1]
    assert seen["glow off"] == [0, [], False]
