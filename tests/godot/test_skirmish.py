"""The skirmish without a display: the same playbook gives the same game, on any number of threads."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.bridge.engine_project import GODOT

ROOT = Path(__file__).resolve().parents[2]
SCENE = "res://scenes/skirmish/skirmish.tscn"
PLAYBOOK = [
    {"tick": 2, "do": "all", "with": []},
    {"tick": 4, "do": "wave", "with": []},
    {"tick": 8, "do": "attack", "with": [1500, 900, False]},
    {"tick": 10, "do": "tower", "with": [84, 64]},
    {"tick": 12, "do": "wall", "with": [90, 44, 90, 50]},
]


def run(before: list[str], after: list[str], code: int = 0) -> str:
    """What the engine prints on the project with arguments before and after ``--``."""
    if not GODOT.exists():
        pytest.skip(f"no engine at {GODOT}: run `python3 dev.py play` once")
    how = ["--headless", "--audio-driver", "Dummy", "--fixed-fps", "60"]
    command = [str(GODOT), "--path", str(ROOT), *how, *before, "--", *after]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


def play(folder: Path, name: str, playbook: Path, *more: str) -> dict[str, Any]:
    """The report of a game that is played from a file."""
    report = folder / f"{name}.json"
    output = run([SCENE], ["--replay", str(playbook), "--report", str(report), *more])
    assert "ERROR" not in output and "WARNING" not in output, output
    found: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
    return found


def test_a_playbook_gives_the_same_game_on_one_and_two_threads(tmp_path: Path) -> None:
    playbook = tmp_path / "book.jsonl"
    playbook.write_text("\n".join(json.dumps(line) for line in PLAYBOOK), encoding="utf-8")
    runs = [play(tmp_path, f"threads{threads}", playbook, "--ticks", "1500", "--threads", str(threads)) for threads in (1, 2)]
    assert runs[0]["game_hash"] == runs[1]["game_hash"]
    assert runs[0]["struck"] > 20
    assert runs[0]["wave"] == 1
    other = play(tmp_path, "other", playbook, "--ticks", "1500", "--seed", "1")
    assert other["game_hash"] != runs[0]["game_hash"]


MINUTE_TICKS = 3600


def test_a_recorded_minute_is_the_same_game_again_on_one_and_two_threads(tmp_path: Path) -> None:
    book, report = tmp_path / "minute.jsonl", tmp_path / "played.json"
    how = ["--ticks", str(MINUTE_TICKS), "--threads", "2"]
    told = ["--record", str(book), "--report", str(report), *how]
    output = run(["--script", "res://tests/godot/drive_skirmish_minute.gd"], told)
    assert "ERROR" not in output and "WARNING" not in output, output
    played = json.loads(report.read_text(encoding="utf-8"))
    assert played["commands"] > 40
    assert played["states"] == MINUTE_TICKS // 600
    assert played["struck"] > 200 and played["killed"] > 20  # a game in which something happens
    for threads in (1, 2):
        again = play(tmp_path, f"minute{threads}", book, "--ticks", str(MINUTE_TICKS), "--threads", str(threads))
        assert again["differs_at"] == -1
        assert (again["game_hash"], again["struck"], again["killed"]) == (
            played["game_hash"], played["struck"], played["killed"],
        )  # fmt: skip


def test_a_replay_that_is_another_game_says_since_when(tmp_path: Path) -> None:
    lines = [*PLAYBOOK, {"tick": 600, "do": "state", "with": ["another"]}]
    playbook = tmp_path / "book.jsonl"
    playbook.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    output = run([SCENE], ["--replay", str(playbook), "--ticks", "610"], code=3)
    assert "skirmish: book.jsonl: at tick 600 this is another game than the one that was recorded" in output


@pytest.mark.parametrize(
    "line", ["{", '{"tick": 3, "do": "stop"}', '{"tick": 3, "do": "stop", "with": []}\n{"tick": 2, "do": "stop", "with": []}']
)
def test_a_bad_playbook_is_refused_in_words(tmp_path: Path, line: str) -> None:
    playbook = tmp_path / "book.jsonl"
    playbook.write_text(line, encoding="utf-8")
    output = run([SCENE], ["--replay", str(playbook), "--ticks", "5"], code=2)
    assert "skirmish: book.jsonl, line" in output


@pytest.fixture(scope="module")
def seen() -> dict[str, Any]:
    """What came of the scenes that ``drive_skirmish.gd`` plays."""
    output = run(["--script", "res://tests/godot/drive_skirmish.gd"], ["--units", "900"])
    lines = [line for line in output.splitlines() if line.startswith("SKIRMISH ")]
    assert len(lines) == 1, output
    assert "ERROR" not in output, output
    found: dict[str, Any] = json.loads(lines[0][9:])
    return found


def test_boxes_clicks_and_groups_select(seen: dict[str, Any]) -> None:
    assert seen["all"] == seen["at_start"] == 184
    selected, inside = seen["box"]
    assert selected == inside >= 6
    assert seen["pick"] == [20]
    assert seen["all_alike"] == [70, 70]
    assert seen["group"] == selected
    assert seen["without_the_dead"] == [selected - 1, selected - 1]


def test_orders_move_the_selected_alone(seen: dict[str, Any]) -> None:
    assert 100 < seen["went"] < 330
    assert seen["left_behind"] < 12
    assert seen["after_stop"] < 3
    assert seen["queued"][0] < 60 < 100 < seen["queued"][1]  # by way of the first place, then at the second
    assert seen["patrolled"][0] > 80 and seen["patrolled"][1] > 30  # there, and on the way back


def test_units_follow_one_of_their_own(seen: dict[str, Any]) -> None:
    before, after = seen["followed"]
    assert before > 120 and after < 90


def test_a_queue_outlasts_a_fight(seen: dict[str, Any]) -> None:
    killed, by_the_way, at_the_end = seen["fought_and_went_on"]
    assert killed == 3
    assert by_the_way < 140  # straight from the fight to the end would be 154 away
    assert at_the_end < 160  # who comes one behind another settles in a long row before the place; from the fight it is 310


def test_a_formation_stands_in_its_slots_with_its_rows_in_order(seen: dict[str, Any]) -> None:
    assert seen["slots"] == 184
    assert seen["formed"] > 0.85
    soldiers, pikemen, archers, _ = seen["rows"]  # mean distance behind the front line
    assert pikemen < soldiers < archers


def test_who_attacks_turns_on_foes_and_who_holds_does_not(seen: dict[str, Any]) -> None:
    assert seen["chased"] > 60
    assert seen["came_back"] < 60
    assert seen["held"] < 6
    assert seen["foes_turned"] > 3  # blows: raiders came to those who held


def test_towers_and_walls_are_solid_and_leave_a_way(seen: dict[str, Any]) -> None:
    assert seen["tower"] == [1, 0, True]
    assert seen["tower_on_a_tower"] == 1
    assert seen["wall"] == [20, 0]
    before, after = seen["gates"]
    assert before > 60
    assert after == before  # the third gate would have been the last
    assert seen["without_supplies"] == 1


def test_a_wave_marches_and_a_tower_shoots(seen: dict[str, Any]) -> None:
    assert seen["wave"] == 90
    assert seen["shot"] > 1
    assert seen["marched"] > 100


def test_the_game_is_lost_and_won(seen: dict[str, Any]) -> None:
    assert seen["keep"] == 0
    assert seen["lost"] == [False]
    assert seen["no_orders_after_the_end"]
    assert seen["won"] == [True]
    assert seen["nobody_left"] == 0
