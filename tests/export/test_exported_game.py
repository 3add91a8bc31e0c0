"""The exported demo, moved to another folder and run without anything that the development tree has."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.export.elsewhere import PROGRAM_FOLDER, PROJECT, Elsewhere
from tools import export, runtime

ARGUMENTS = ("--headless", "--fixed-fps", "60", "--", "--units", "2000", "--ticks", "120", "--seed", "5", "--report")
SIZE_LIMIT_MB = 60

# Where an engine on Linux may look: libraries, fonts, devices, time zone, locale, the programs that it asks for folders.
SYSTEM_PLACES = (
    "/.flatpak-info",
    "/bin",
    PROGRAM_FOLDER,
    "/dev",
    "/etc",
    "/lib",
    "/lib64",
    "/proc",
    "/run",
    "/sys",
    "/usr",
    "/var/cache/fontconfig",
)


def read_report(path: Path) -> dict[str, object]:
    """The report that a run of the game wrote."""
    content = json.loads(path.read_text(encoding="utf-8"))
    assert isinstance(content, dict)
    return content


def engine_folder() -> Path:
    """Where the unpacked engine has its libraries; Debian's export template uses them."""
    return (PROJECT / ".dev" / "godot" / "godot").resolve().parent


def test_folder_holds_the_game_and_its_runtime_only(game: Path) -> None:
    names = {path.name for path in game.parent.iterdir()}
    library = next(name for name in names if name.startswith("libpynav"))
    wanted = {game.name, f"{export.GAME_NAME}.pck", library, runtime.RUNTIME_NAME, "LICENSE.txt", "LICENSE_GODOT.txt"}
    assert names == wanted
    assert os.access(game, os.X_OK)


def test_shaders_of_the_addon_are_in_the_game(game: Path) -> None:
    """The list of a pack's files is plain text in it."""
    packed = (game.parent / f"{export.GAME_NAME}.pck").read_bytes()
    shaders = [path.name for path in (export.PROJECT / "addons" / "pynav" / "shaders").glob("*.gdshader")]
    assert shaders
    assert [name for name in shaders if f"addons/pynav/shaders/{name}".encode() not in packed] == []


def test_runtime_is_small(game: Path) -> None:
    folder = game.parent / runtime.RUNTIME_NAME
    assert sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) < SIZE_LIMIT_MB * 1e6


def test_licences_of_the_engine_and_of_pynav_are_there(game: Path) -> None:
    engine_text = (game.parent / "LICENSE_GODOT.txt").read_text(encoding="utf-8")
    assert "Godot Engine contributors" in engine_text and "FreeType" in engine_text
    assert (game.parent / "LICENSE.txt").read_bytes() == (PROJECT / "LICENSE").read_bytes()


def test_same_state_hash_as_the_development_run(game: Path, engine: Path, elsewhere: Elsewhere, tmp_path: Path) -> None:
    """Read-only folder, blanks and a letter outside ASCII in its name, other working folder, hostile Python variables."""
    home_report, away_report = tmp_path / "development.json", elsewhere.home / "exported.json"
    development = subprocess.run(
        [str(engine), "--path", str(PROJECT), *ARGUMENTS, str(home_report)], capture_output=True, text=True, check=False
    )
    assert development.returncode == 0, development.stdout + development.stderr
    done = elsewhere.run(game, *ARGUMENTS, away_report, read_only=game.parent)
    assert done.code == 0, done.fail_text()
    assert "ERROR" not in done.output, done.fail_text()
    here, there = read_report(home_report), read_report(away_report)
    assert there["moved"], there
    assert there["units"] == here["units"] == 2000
    assert str(there["backend"]).startswith("library ")
    assert there["hash"] == here["hash"]


def test_only_own_and_system_libraries_are_loaded(game: Path, elsewhere: Elsewhere) -> None:
    """The C library's own log of what it loads: a race-free list of the process's mappings."""
    log = elsewhere.home / "loaded"
    done = elsewhere.run(
        game,
        *ARGUMENTS,
        elsewhere.home / "report.json",
        read_only=game.parent,
        environment={"LD_DEBUG": "files", "LD_DEBUG_OUTPUT": str(log)},
    )
    assert done.code == 0, done.fail_text()
    text = "".join(path.read_text(errors="replace") for path in elsewhere.home.glob("loaded.*"))
    loaded = set(re.findall(r"calling init: (.+)", text))
    ours = [name for name in loaded if name.startswith(str(game.parent))]
    assert any("libpython" in name for name in ours) and any("_multiarray_umath" in name for name in ours), sorted(loaded)
    assert any("/kernels/" in name for name in ours), "the kernel library was not loaded"
    others = [name for name in loaded if name not in ours and not name.startswith(str(engine_folder()))]
    assert all(name.startswith(("/lib", "/usr/lib")) for name in others), sorted(others)
    banned = re.compile("llvm|numba|openblas", re.IGNORECASE)
    assert not [name for name in loaded if banned.search(name.removeprefix(str(game.parent)))], sorted(loaded)


@pytest.mark.skipif(not shutil.which("strace"), reason="strace is missing: `apt-get install strace`")
def test_nothing_is_looked_for_outside_the_folder(game: Path, elsewhere: Elsewhere) -> None:
    """Even attempts that fail count: they would show a path of the build machine, or a search of the player's folders."""
    log = elsewhere.home / "opened"
    strace = shutil.which("strace")
    done = elsewhere.run(
        strace,
        "-f",
        "-qq",
        "-xx",
        "-e",
        "trace=open,openat,execve,stat,newfstatat,statx,access,readlink,readlinkat",
        "-o",
        log,
        game,
        *ARGUMENTS,
        elsewhere.home / "report.json",
        read_only=game.parent,
    )
    assert done.code == 0, done.fail_text()
    names = {
        bytes.fromhex(match.replace("\\x", "")).decode(errors="replace")
        for match in re.findall(r'"((?:\\x[0-9a-f]{2})+)"', log.read_text())
    }
    paths = {os.path.normpath(name) for name in names if name.startswith("/")}
    own = (str(game.parent), str(elsewhere.home), str(engine_folder()))
    strangers = [
        path
        for path in paths
        if not path.startswith((*own, *SYSTEM_PLACES))
        and not str(game.parent).startswith(path)
        and not str(engine_folder()).startswith(path)
        and not str(elsewhere.home).startswith(path)
    ]
    assert not strangers, sorted(strangers)
    pythons = [path for path in paths if re.search(r"python|numpy|cffi", path) and not path.startswith(own)]
    assert not pythons, sorted(pythons)


def test_missing_runtime_is_one_line_and_the_game_says_that_it_cannot_go_on(
    game: Path, elsewhere: Elsewhere, tmp_path: Path
) -> None:
    folder = tmp_path / "without runtime"
    shutil.copytree(game.parent, folder, ignore=shutil.ignore_patterns(runtime.RUNTIME_NAME))
    done = elsewhere.run(folder / game.name, "--headless", "--quit-after", "3", read_only=folder)
    assert done.code == 2, done.fail_text()  # what the demo ends with where its nodes are missing; nothing crashed
    assert "horde: the map of the scene could not be read" in done.output
    lines = [line for line in done.output.splitlines() if "no Python runtime" in line]
    assert len(lines) == 1 and str(folder / runtime.RUNTIME_NAME) in lines[0], done.fail_text()


def test_export_leaves_the_working_project_alone(game: Path) -> None:
    """A runtime beside the project's own library would be taken for a release by the next start of the editor."""
    assert game.is_file()
    assert not (PROJECT / "addons" / "pynav" / "bin" / runtime.RUNTIME_NAME).exists()
