"""The homing demo without a display: played with injected keys and clicks, and its commands."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.bridge.engine_project import GODOT

ROOT = Path(__file__).resolve().parents[2]
SCENE = "res://scenes/homing/homing.tscn"


def run(before: list[str], after: list[str]) -> tuple[int, str]:
    """Exit code and output of the engine on the project with arguments before and after ``--``."""
    if not GODOT.exists():
        pytest.skip(f"no engine at {GODOT}: run `python3 dev.py play` once")
    how = ["--headless", "--audio-driver", "Dummy", "--fixed-fps", "60"]
    command = [str(GODOT), "--path", str(ROOT), *how, *before, "--", *after]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def seen() -> dict[str, Any]:
    """What came of the game that ``drive_homing.gd`` plays."""
    code, output = run(["--script", "res://tests/godot/drive_homing.gd"], [])
    lines = [line for line in output.splitlines() if line.startswith("HOMING ")]
    assert code == 0 and len(lines) == 1, output
    assert "ERROR" not in output and "WARNING" not in output, output
    found: dict[str, Any] = json.loads(lines[0][7:])
    return found


def test_keys_move_the_lantern_inside_the_court(seen: dict[str, Any]) -> None:
    assert min(seen["glided"]) > 20
    assert seen["stays_inside"]


def test_fireflies_kill_and_the_score_grows(seen: dict[str, Any]) -> None:
    assert seen["flying"] > 0
    assert seen["killed"] > 10 and seen["hits"] > 40
    assert seen["scores"] == sorted(seen["scores"]) and seen["scores"][-1] > seen["scores"][0] + 100
    assert seen["wave"] >= 2
    assert seen["holds_fire"]


def test_switches(seen: dict[str, Any]) -> None:
    assert seen["debug_draw"] == [True, False]
    assert seen["show_glow"] == [False, True]
    assert seen["far_field"] == [1, 0]
    assert seen["paused"] and seen["goes_on"]


def test_a_click_flips_polarity(seen: dict[str, Any]) -> None:
    assert seen["bug_repels"] and seen["bug_attracts"] and not seen["nothing_there"]


def test_a_ward_turns_fireflies_away_until_it_is_flipped(seen: dict[str, Any]) -> None:
    assert seen["ward_turns_away"] > 0.5
    assert seen["ward_power"] > 0
    assert seen["ward_kills"] >= 5


def test_the_well_holds_and_looses_all(seen: dict[str, Any]) -> None:
    assert seen["held"] == seen["kept"] == 30
    assert seen["held_after"] == 0 and seen["none_lost"]
    assert seen["farthest"] > 150


def test_a_false_light_lures_bugs_and_bursts_or_keeps_them_off(seen: dict[str, Any]) -> None:
    assert seen["lights"] == 1  # the second one comes too soon
    assert seen["lured"] > 20 and seen["light_power"] < 0 and seen["kept_off"] > 10
    assert seen["light_kills"] == 8 and seen["lights_left"] == [0, True]


def test_who_outlasts_the_last_wave_sees_the_dawn(seen: dict[str, Any]) -> None:
    assert not seen["not_yet"]
    assert seen["dawn"] == [True, True, 4 * 500]
    assert seen["another_night"] == [False, False, 0]


def test_the_game_ends_and_begins_anew(seen: dict[str, Any]) -> None:
    assert seen["over"] and seen["score_stays"]
    assert seen["restarted"] == [True, 0, False, 5]


def test_the_keys_give_way_to_the_lantern_and_one_bug_is_one(seen: dict[str, Any]) -> None:
    assert seen["left"] == ["0 bugs", "1 bug", "2 bugs"]
    behind, clear = seen["keys"]
    assert len(behind) == 2 and max(behind) < 0.2 and min(clear) == 1.0


def test_a_run_with_ticks_is_played_and_told_of(tmp_path: Path) -> None:
    found = []
    for name in ("one", "two"):
        report = tmp_path / f"{name}.json"
        code, output = run([SCENE], ["--ticks", "700", "--seed", "3", "--report", str(report)])
        assert code == 0 and "ERROR" not in output, output
        found.append(json.loads(report.read_text()))
    assert found[0] == found[1]  # the same seed is the same game
    assert found[0]["ticks"] == 700 and found[0]["shot"] > found[0]["hits"] > 0 and found[0]["killed"] > 0


@pytest.mark.parametrize("words", [["--ticks", "none"], ["--units", "4"], ["--screenshot", "shot.jpg"], ["--report"]])
def test_arguments_that_are_wrong_are_refused(words: list[str]) -> None:
    code, output = run([SCENE], words)
    assert code == 2
    lines = [line for line in output.splitlines() if line.startswith("homing: ")]
    assert len(lines) == 1 and words[0] in lines[0]
