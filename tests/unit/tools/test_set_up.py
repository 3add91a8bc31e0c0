"""The set-up: what it takes for an engine, what it asks for in one line, and what runs where no engine can be had."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tools import build_bridge, engine, progress, virtual_environment
from tools.progress import ROOT, EngineUnavailable, SetupError

DEV = ROOT / "dev.py"
ROW = "." * 20 + "\n"
MAP = "type octile\nheight 12\nwidth 20\nmap\n" + ROW * 12


def program(path: Path, output: str, code: int = 0) -> Path:
    """A program that prints one thing, whatever it is asked."""
    path.write_text(f"#!/bin/sh\ncat <<'END'\n{output}\nEND\nexit {code}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def dev(*arguments: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """``dev.py`` as somebody without an engine calls it, from another folder."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PYNAV_", "GODOT"))}
    return subprocess.run(
        [sys.executable, str(DEV), *arguments], cwd=folder, env={**environment, "PYNAV_NO_ENGINE": "1", **variables},
        capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("output", "problem"),
    [
        ("3.6.stable.official", "expected Godot 4.6 or newer, got 3.6.stable.official"),
        ("4.5.1.stable.official", "expected Godot 4.6 or newer, got 4.5.1.stable.official"),
        ("4.6.stable.double.official", "expected single precision, got 4.6.stable.double.official"),
        ("a calculator", "expected a Godot that tells its version, got 'a calculator'"),
        ("", "expected a Godot that tells its version, got ''"),
        ("4.6.3.stable.debian", ""),
        ("a word of warning\n4.7.stable", ""),
    ],
)
def test_godot_by_its_variable_is_taken_or_refused_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, output: str, problem: str
) -> None:
    given = program(tmp_path / "my godot", output)
    monkeypatch.delenv("PYNAV_NO_ENGINE", raising=False)
    monkeypatch.setenv("GODOT", str(given))
    if not problem:
        assert engine.find() == given
        return
    with pytest.raises(SetupError, match=re.escape(f"GODOT={given}: {problem}")) as refused:
        engine.find()
    assert "\n" not in str(refused.value)


def test_godot_by_its_variable_has_to_be_a_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYNAV_NO_ENGINE", raising=False)
    no_program = tmp_path / "notes.txt"
    no_program.write_text("4.6", encoding="utf-8")
    for path in (no_program, tmp_path, tmp_path / "nothing"):
        monkeypatch.setenv("GODOT", str(path))
        with pytest.raises(SetupError, match="expected a program, found none there"):
            engine.find()


def test_an_engine_on_the_path_is_found_and_one_that_is_too_old_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GODOT", raising=False)
    monkeypatch.delenv("PYNAV_NO_ENGINE", raising=False)
    monkeypatch.setattr(engine, "_is_unpacked", lambda: False)
    monkeypatch.setenv("PATH", str(tmp_path) + os.pathsep + os.environ["PATH"])
    program(tmp_path / "godot", "4.2.1.stable")
    newer = program(tmp_path / "godot4", "4.6.1.stable")
    assert engine.find() == newer
    program(newer, "4.5.stable")
    assert engine.find() is None


def test_where_an_engine_cannot_be_fetched_the_reason_says_what_to_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EngineUnavailable, match=r"no engine: set GODOT=/path/to/godot \(4.6 or newer\).* no apt-get"):
        engine._unpack()


@pytest.mark.parametrize(
    ("facts", "problem"),
    [
        ({"version": [3, 10, 2], "library": True, "headers": True}, "is 3.10, expected 3.11 to 3.14"),
        ({"version": [3, 12, 1], "library": False, "headers": True}, "has no shared libpython"),
        ({"version": [3, 12, 1], "library": True, "headers": False}, "has no headers"),
        ({"version": [3, 11, 0], "library": True, "headers": True}, ""),
    ],
)
def test_a_python_is_judged_by_what_the_bridge_needs(tmp_path: Path, facts: dict[str, object], problem: str) -> None:
    python = program(tmp_path / "python3", json.dumps(facts))
    assert virtual_environment._judge(str(python)) == (not problem, f"{python} {problem}" if problem else "")


def test_who_is_not_root_is_told_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(virtual_environment, "_candidates", lambda: [str(program(tmp_path / "python3", "", 1))])
    with pytest.raises(SetupError) as refused:
        virtual_environment.find_base_python()
    assert "run 'apt-get install python3-dev python3-venv libpython3-dev' as root" in str(refused.value)
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    monkeypatch.delenv("CC", raising=False)
    with pytest.raises(SetupError) as refused:
        virtual_environment._ensure_compiler()
    assert str(refused.value) == ("a C compiler is missing: run 'apt-get install gcc libc6-dev' as root, then this command again")
    with pytest.raises(build_bridge.BuildError, match="no C compiler: apt-get install gcc libc6-dev"):
        build_bridge.compiler()


def test_a_step_that_fails_says_why_in_one_line_and_where_its_log_is(tmp_path: Path) -> None:
    failing = program(tmp_path / "builder", "first this\nthen that went wrong\n", 3)
    with pytest.raises(SetupError) as refused:
        progress.run_logged([str(failing)], "test_set_up.log", what="building", advice="Do this.")
    assert str(refused.value) == "building failed: then that went wrong (log: .dev/logs/test_set_up.log) Do this."
    with pytest.raises(SetupError, match=r"^building: .*nothing cannot be started \(No such file or directory\)\. Do this\.$"):
        progress.run_logged([str(tmp_path / "nothing")], "test_set_up.log", what="building", advice="Do this.")


def test_without_an_engine_play_runs_the_core_alone_and_draws_it(tmp_path: Path) -> None:
    (tmp_path / "small.map").write_text(MAP, encoding="ascii")
    common = ("play", "--map", "small.map", "--units", "40", "--ticks", "30", "--goal", "10,6")
    done = dev(*common, "--report", "one.json", "--screenshot", "one.png", "--threads", "1", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "running the same world in the core alone (no engine: PYNAV_NO_ENGINE is set)" in done.stdout
    assert (tmp_path / "one.png").read_bytes().startswith(b"\x89PNG")
    one = json.loads((tmp_path / "one.json").read_text(encoding="utf-8"))
    assert {
        "units", "arrived", "ticks", "tick_ms_p50", "tick_ms_p99", "tick_ms_max", "python_ms_p99", "hash", "threads",
        "threads_used", "backend", "moved", "versions",
    } <= set(one)  # fmt: skip
    assert (one["units"], one["ticks"], one["threads"]) == (40, 30, 1) and one["moved"] > 20
    assert dev(*common, "--report", "two.json", "--threads", "2", folder=tmp_path).returncode == 0
    two = json.loads((tmp_path / "two.json").read_text(encoding="utf-8"))
    assert two["hash"] == one["hash"]


def test_without_an_engine_the_other_commands_say_why_in_one_line(tmp_path: Path) -> None:
    for arguments in (("play", "skirmish"), ("editor",), ("export",)):
        done = dev(*arguments, folder=tmp_path)
        assert done.returncode == 1
        assert "no engine: PYNAV_NO_ENGINE is set" in done.stdout + done.stderr
        assert "Traceback" not in done.stderr


def test_a_scene_or_a_map_that_is_not_there_is_named(tmp_path: Path) -> None:
    done = dev("play", "chess", folder=tmp_path)
    assert done.returncode == 2 and "play chess: expected one of homing, horde, skirmish, or a scene file" in done.stdout
    done = dev("play", "--map", "no.map", folder=tmp_path)
    assert done.returncode == 2 and f"--map {tmp_path / 'no.map'}: expected a file, found none" in done.stdout
    assert "expected a whole number of at least 1, got 0" in dev("play", "--units", "0", folder=tmp_path).stderr


def test_tests_that_need_the_engine_are_skipped_loudly_and_fail_where_it_is_required(tmp_path: Path) -> None:
    done = dev("test", "bridge", folder=tmp_path)
    assert done.returncode == 0
    assert "SKIPPED, NOT TESTED: bridge. Reason: no engine: PYNAV_NO_ENGINE is set" in done.stdout
    assert dev("test", "bridge", folder=tmp_path, PYNAV_REQUIRE_ENGINE="1").returncode == 1


def test_a_second_set_up_finds_nothing_to_do(tmp_path: Path) -> None:
    done = dev("setup", folder=tmp_path)
    assert done.returncode == 0
    assert done.stdout.splitlines() == ["pynav: no engine: PYNAV_NO_ENGINE is set"]
