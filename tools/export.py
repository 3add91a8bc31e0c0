"""Exports the demo as a Linux game that carries its own Python: the binary, its .pck, the bridge library and `pynav_runtime/`.

The export runs on a copy of the project (`.dev/build/export/project`) that holds the addon as it ships (see `package.py`), for
two reasons: the working project's bridge must go on finding the development Python, not a runtime left beside it by the last
export, and a demo that is exported from the packaged addon proves the package.

The engine copies the runtime by the `[dependencies]` section of `pynav.gdextension`: no export plugin is needed.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from tools import engine as engine_tools
from tools import licences, package, runtime
from tools.progress import DEVELOPMENT, SetupError
from tools.progress import ROOT as PROJECT
from tools.progress import say as say_progress

STAGE = DEVELOPMENT / "build" / "export" / "project"
EXPORT_FOLDER = DEVELOPMENT / "build" / "export" / "out"
PRESET = "Linux"
GAME_NAME = "pynav_horde"

# Of the project's top folder, what belongs to the game besides the addon.
_GAME_FOLDERS = ("scenes",)
_GAME_FILE_SUFFIXES = {".cfg", ".godot", ".import", ".png", ".svg", ".tres", ".uid"}


class ExportError(SetupError):
    """The game can't be exported; the message says what is missing and what to do."""


def export(out_dir: Path | None = None, *, engine: Path | None = None, say: Callable[[str], None] = say_progress) -> Path:
    """Exports the demo into `out_dir` (by default `.dev/build/export/out`) and returns the path of the game's binary.

    Parameters
    ----------
    out_dir
        Folder of the game. What an earlier export put there is replaced, other files stay.
    engine
        The Godot to export with, by default `GODOT`, then the one in `.dev/godot`.
    say
        Takes a line of progress.

    Raises
    ------
    ExportError, package.PackageError, runtime.RuntimeBuildError
        Each with one line that says what to do.
    """
    folder = EXPORT_FOLDER if out_dir is None else Path(out_dir).absolute()
    godot = find_engine() if engine is None else engine
    template = find_template(godot)
    _stage_project(template, say)
    folder.mkdir(parents=True, exist_ok=True)
    game = folder / f"{GAME_NAME}.x86_64"
    for old in (game, folder / f"{GAME_NAME}.pck", folder / runtime.RUNTIME_NAME, *folder.glob("libpynav*.so")):
        _remove(old)
    say(f"export: {game}")
    if not (STAGE / ".godot" / "imported").is_dir():
        _run_engine(godot, "--import")
    output = _run_engine(godot, "--export-release", PRESET, str(game))
    _check(folder, game, output)
    _restore_modes(folder, game)
    _write_engine_licence(godot, folder / "LICENSE_GODOT.txt")
    shutil.copyfile(PROJECT / "LICENSE", folder / "LICENSE.txt")
    say(f"export: {sum(path.stat().st_size for path in folder.rglob('*') if path.is_file()) / 1e6:.0f} MB")
    return game


def find_engine() -> Path:
    """The Godot to export with."""
    found = engine_tools.find()
    if found is None:
        raise ExportError("No Godot: set GODOT=/path/to/godot, or run `python3 dev.py setup`.")
    return found


def find_template(godot: Path) -> Path:
    """The release template: `GODOT_TEMPLATE`, the one beside an unpacked engine, or one that the editor has installed.

    Raises `ExportError` where there is none.
    """
    given = os.environ.get("GODOT_TEMPLATE")
    if given:
        if not Path(given).is_file():
            raise ExportError(f"GODOT_TEMPLATE names {given}, which is not a file.")
        return Path(given).absolute()
    unpacked = godot.resolve().parent / "root" / "usr" / "bin" / "godot-template-release"
    if unpacked.is_file():
        return unpacked
    version = _run_engine_version(godot)
    data = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    installed = data / "godot" / "export_templates" / version / "linux_release.x86_64"
    if installed.is_file():
        return installed
    raise ExportError(
        f"No export template for Godot {version}: install it in the editor (Editor, Manage Export Templates), "
        "or set GODOT_TEMPLATE=/path/to/linux_release.x86_64."
    )


def _stage_project(template: Path, say: Callable[[str], None]) -> None:
    """Lays the game's project and the packaged addon out in the stage. The import cache of the last time is kept."""
    STAGE.mkdir(parents=True, exist_ok=True)
    for old in STAGE.iterdir():
        if old.name != ".godot":
            _remove(old)
    for entry in sorted(PROJECT.iterdir()):
        if entry.is_dir() and entry.name in _GAME_FOLDERS:
            shutil.copytree(entry, STAGE / entry.name, ignore=shutil.ignore_patterns("__pycache__"))
        elif entry.is_file() and entry.suffix in _GAME_FILE_SUFFIXES and not entry.name.startswith("."):
            shutil.copyfile(entry, STAGE / entry.name)
    for needed in ("project.godot", "export_presets.cfg"):
        if not (STAGE / needed).is_file():
            raise ExportError(f"{needed} is missing in the project: restore it from git.")
    packages = [name for name in _GAME_FOLDERS if any((PROJECT / name).rglob("*.py"))]
    package.lay_out_addon(STAGE / "addons" / "pynav", game_packages=packages, say=say)
    presets = STAGE / "export_presets.cfg"
    line = f'custom_template/release="{template}"'
    text, count = re.subn(r"^custom_template/release=.*$", lambda _: line, presets.read_text("utf-8"), flags=re.MULTILINE)
    if not count:
        raise ExportError("export_presets.cfg has no line custom_template/release=: restore it from git.")
    presets.write_text(text, encoding="utf-8")
    # As the editor would write it. A headless engine that meets an extension for the first time crashes when it ends
    # (godotengine/godot issue 111048); with this list it loads the extension at start, as in every later session.
    (STAGE / ".godot").mkdir(exist_ok=True)
    (STAGE / ".godot" / "extension_list.cfg").write_text("res://addons/pynav/pynav.gdextension\n", encoding="utf-8")


def _environment() -> dict[str, str]:
    """The engine's own settings and caches of an export stay in `.dev`, too."""
    home = STAGE.parent / "home"
    environment = dict(os.environ)
    for name in ("DATA", "CONFIG", "CACHE"):
        folder = home / name.lower()
        folder.mkdir(parents=True, exist_ok=True)
        environment[f"XDG_{name}_HOME"] = str(folder)
    return environment


def _run_engine(godot: Path, *arguments: str) -> str:
    command = [str(godot), "--headless", "--path", str(STAGE), *arguments]
    result = subprocess.run(command, capture_output=True, text=True, env=_environment(), check=False, stdin=subprocess.DEVNULL)
    output = result.stdout + result.stderr
    if result.returncode:
        raise ExportError(f"Godot failed ({result.returncode}) with {' '.join(arguments)}:\n{output.strip()[-2000:]}")
    return output


def _run_engine_version(godot: Path) -> str:
    answer = subprocess.run([str(godot), "--version"], capture_output=True, text=True, check=False).stdout.strip()
    match = re.match(r"(\d+\.\d+(?:\.\d+)?)\.(\w+)", answer)
    if not match:
        raise ExportError(f"{godot} does not say its version (it says {answer!r}).")
    return f"{match[1]}.{match[2]}"


def _check(folder: Path, game: Path, output: str) -> None:
    """Godot reports success after some failures, so what it made is looked at."""
    wanted = [game, folder / f"{GAME_NAME}.pck", folder / runtime.RUNTIME_NAME / "pynav_python.cfg"]
    missing = [path.name for path in wanted if not path.exists()]
    if not list(folder.glob("libpynav*.so")):
        missing.append("libpynav*.so")
    if missing:
        raise ExportError(f"The export lacks {', '.join(missing)}. Godot said:\n{output.strip()[-2000:]}")


def _restore_modes(folder: Path, game: Path) -> None:
    """An export drops the modes of the files it copies."""
    game.chmod(0o755)
    for library in folder.rglob("*.so*"):
        library.chmod(0o755)


def _write_engine_licence(godot: Path, target: Path) -> None:
    script = STAGE.parent / "print_licence.gd"
    script.write_text(licences.ENGINE_SCRIPT, encoding="utf-8")
    # In a folder without a project, so that neither the game nor the addon starts.
    command = [str(godot), "--headless", "--path", str(script.parent), "--script", str(script), "--", str(target)]
    subprocess.run(command, capture_output=True, env=_environment(), check=False, stdin=subprocess.DEVNULL)
    if not target.is_file() or not target.stat().st_size:
        raise ExportError("The engine did not print its licence, without which no game may ship.")


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


if __name__ == "__main__":
    export()
