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
    {"tick": 8, "do": "move", "with": [1500, 900]},
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


@pytest.mark.parametrize(
    "line", ["{", '{"tick": 3, "do": "stop"}', '{"tick": 3, "do": "stop", "with": []}\n{"tick": 2, "do": "stop", "with": []}']
)
def test_a_bad_playbook_is_refused_in_words(tmp_path: Path, line: str) -> None:
    playbook = tmp_path / "book.jsonl"
    playbook.write_text(line, encoding="utf-8")
    output = run([SCENE], ["--replay", str(playbook), "--ticks", "5"], code=2)
    assert "skirmish: book.jsonl, line" in output
