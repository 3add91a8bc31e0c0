"""The demo without a display: bands with goals of their own, villages, the militia; and what a measured run leaves out."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.bridge.engine_project import GODOT

ROOT = Path(__file__).resolve().parents[2]
SCENE = "res://scenes/horde/horde.tscn"
OPEN_MAP = "type octile\nheight 60\nwidth 60\nmap\n" + ("." * 60 + "\n") * 60


def run(before: list[str], after: list[str]) -> str:
    """What the engine prints on the project with arguments before and after ``--``."""
    how = ["--headless", "--audio-driver", "Dummy", "--fixed-fps", "60"]
    command = [str(GODOT), "--path", str(ROOT), *how, *before, "--", *after]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def seen() -> dict[str, Any]:
    """What came of the scenes that ``drive_demo.gd`` plays."""
    if not GODOT.exists():
        pytest.skip(f"no engine at {GODOT}: run `python3 dev.py play` once")
    output = run(["--script", "res://tests/godot/drive_demo.gd"], ["--units", "1200"])
    lines = [line for line in output.splitlines() if line.startswith("DEMO ")]
    assert len(lines) == 1, output
    assert "ERROR" not in output, output
    found: dict[str, Any] = json.loads(lines[0][5:])
    return found


def test_units_are_shared_out_exactly(seen: dict[str, Any]) -> None:
    assert seen["villages"] == 3
    assert seen["bands"] == 5
    for count in (1, 2, 13, 1000, 65535):
        assert seen[f"set_out_{count}"] == count
        assert seen[f"there_{count}"] == count


def test_villages_can_be_left_and_reached(seen: dict[str, Any]) -> None:
    assert seen["greens_lead_to_the_keep"]


def test_the_militia_goes_where_it_is_sent_round_a_wall(seen: dict[str, Any]) -> None:
    assert seen["order_is_taken"]
    assert seen["militia_marches"] == "marches"
    assert seen["militia_holds"] == "holds"
    assert seen["militia_from_target"] < 25  # tiles: the banner is in the middle of six hundred men
    assert seen["men_beyond_the_wall"] > 190  # the rest queues round its end


def test_orders_into_walls_and_off_the_map(seen: dict[str, Any]) -> None:
    assert not seen["order_outside"]
    assert seen["order_into_a_wall"]
    assert seen["target_is_free"]


def test_outriders_chase_the_militia_and_give_up_when_it_is_gone(seen: dict[str, Any]) -> None:
    assert seen["riders_hunt"]
    assert seen["riders_caught"] > 0
    assert seen["men_lost"] > 0
    assert seen["riders_turn_to_the_keep"]


def test_a_village_that_is_walled_in_is_passed_by(seen: dict[str, Any]) -> None:
    assert seen["shut_out_goes_on"]
    assert seen["shut_out_stands"]


def test_a_wall_on_the_way_turns_a_band(seen: dict[str, Any]) -> None:
    assert seen["passed"] > 40
    assert seen["passed_through_the_wall"] == 0
    assert seen["walled_village_fell"]


def test_a_band_sacks_its_village_and_is_sent_on_to_the_keep(seen: dict[str, Any]) -> None:
    assert seen["sacks_first"]
    assert seen["fell"]
    assert seen["marches_on"]
    assert seen["all_march_on"]
    assert (seen["house_before"], seen["house_after"]) == (0, 1)
    assert seen["at_the_keep"] > 50
    assert seen["next_wave_spares_ruins"]


@pytest.mark.parametrize("kind", ["keep", "map file", "goal"])
def test_a_measured_run_counts_the_raiders_alone(tmp_path: Path, kind: str) -> None:
    if not GODOT.exists():
        pytest.skip(f"no engine at {GODOT}: run `python3 dev.py play` once")
    report, field = tmp_path / "report.json", tmp_path / "field.map"
    field.write_text(OPEN_MAP, encoding="ascii")
    more = {"keep": [], "map file": ["--map", str(field)], "goal": ["--goal", "512,622"]}[kind]
    run([SCENE], ["--units", "700", "--ticks", "40", "--report", str(report), *more])
    found = json.loads(report.read_text(encoding="utf-8"))
    assert found["units"] == 700
    assert found["ticks"] == 40
    assert found["moved"] > 600
    assert 0 <= found["arrived"] <= 700
    assert found["map"] == ("field.map" if kind == "map file" else "keep")
