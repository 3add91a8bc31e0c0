"""Peers inside the engine: a script of ``peers``, run headless in a project of its own, where nothing of ours is loaded beside it
unless the script measures ours as well.
"""

import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]


def _engine() -> str | None:
    for candidate in (os.environ.get("PYNAV_ENGINE"), os.environ.get("GODOT"), str(ROOT / ".dev" / "godot" / "godot")):
        if candidate and Path(candidate).exists():
            return candidate
    return shutil.which("godot")


def engine_answers(
    script: str, tasks: list[dict[str, Any]], timeout: float = 300.0, *, with_addon: bool = False
) -> list[dict[str, Any]] | None:
    """One answer a task; None, with a line that says why, where the engine is not there or gives others.

    Args:
        script: file name in ``peers``; it reads the tasks from the file that PYNAV_PEER_TASKS names and prints a JSON line each.
        tasks: what it is given.
        timeout: seconds.
        with_addon: load the addon of this checkout.
    """
    engine = _engine()
    if engine is None:
        print(f"{script}: no engine found; its rows are missing")
        return None
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "project.godot").write_text('config_version=5\n[application]\nconfig/name="peer"\n', encoding="utf-8")
        for file in (ROOT / "benchmarks" / "peers").glob("*.gd"):
            shutil.copy(file, folder)
        if with_addon:
            (Path(folder) / "addons").symlink_to(ROOT / "addons")
            (Path(folder) / ".godot").mkdir()
            (Path(folder) / ".godot" / "extension_list.cfg").write_text(
                "res://addons/pynav/pynav.gdextension\n", encoding="utf-8"
            )
        (Path(folder) / "tasks.json").write_text(json.dumps(tasks), encoding="utf-8")
        environment = {**os.environ, "PYNAV_PEER_TASKS": str(Path(folder) / "tasks.json")}
        done = subprocess.run(
            [engine, "--headless", "--fixed-fps", "60", "--path", folder, "-s", script],
            capture_output=True, text=True, env=environment, timeout=timeout, check=False,
        )  # fmt: skip
    answers = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    if len(answers) != len(tasks):
        print(f"{script}: the engine gave {len(answers)} of {len(tasks)} answers: {done.stderr.strip()[:300]}")
        return None
    return answers
