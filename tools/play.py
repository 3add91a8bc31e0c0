"""``dev.py play``: runs a demo in the engine; the horde, where no engine can be had, as the same world in the core alone."""

from __future__ import annotations

import argparse
import os
import subprocess
from pathlib import Path

from tools import display, setup
from tools.progress import ROOT, say

DEFAULT_SCENE = "horde"
SCENES = ROOT / "scenes"
FRAMES_PER_SECOND = 60


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``play``."""
    parser.add_argument("scene", nargs="?", default=DEFAULT_SCENE, help="horde (default), homing, skirmish, or a scene file")
    parser.add_argument("--headless", action="store_true", help="no window, as fast as it goes")
    parser.add_argument("--ticks", type=_positive, metavar="N", help="stop after N physics ticks")
    parser.add_argument("--units", type=_positive, metavar="N", help="number of units (default 65535)")
    parser.add_argument("--map", type=Path, metavar="FILE", help="an octile .map file instead of the generated map")
    parser.add_argument("--report", type=Path, metavar="FILE", help="write a report as JSON")
    parser.add_argument("--screenshot", type=Path, metavar="FILE", help="save a picture at the end (PNG)")
    parser.add_argument("--threads", type=_positive, metavar="T", help="threads that run kernels")
    parser.add_argument("--seed", type=int, metavar="S", help="seed of the map and the units")
    parser.add_argument("--goal", metavar="X,Y", help="goal tile")
    parser.add_argument("--record", type=Path, metavar="FILE", help="skirmish: write what was told, by tick")
    parser.add_argument("--replay", type=Path, metavar="FILE", help="skirmish: play what --record wrote")


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number of at least 1, got {text}")
    return value


def play(options: argparse.Namespace, folder: Path) -> int:
    """Run it.

    Parameters
    ----------
    options
        As ``add_arguments`` declares them.
    folder
        The caller's working directory: paths given are relative to it.

    Returns
    -------
    int
        The exit code.
    """
    for name in ("map", "report", "screenshot", "record", "replay"):
        path = getattr(options, name)
        if path is not None:
            setattr(options, name, (folder / path.expanduser()).resolve())
    if options.map is not None and not options.map.is_file():
        say(f"--map {options.map}: expected a file, found none")
        return 2
    scene = _scene_path(options.scene, folder)
    if scene is None:
        demos = ", ".join(sorted(path.parent.name for path in SCENES.glob("*/*.tscn")))
        say(f"play {options.scene}: expected one of {demos}, or a scene file")
        return 2
    ready = setup.prepare()
    if ready.engine is None:
        if scene != _demo_path(DEFAULT_SCENE):
            say(f"play {options.scene}: {ready.engine_problem}; without an engine there is the horde alone")
            return 1
        return _play_core(options, ready.engine_problem)
    arguments = _scene_arguments(options)
    command = [str(ready.engine), "--path", str(ROOT)]
    if options.screenshot and not display.has_display():
        say("no display: drawing on a virtual one, in software")
        with display.virtual_display() as environment:
            command += [*display.ENGINE_ARGUMENTS, "--fixed-fps", str(FRAMES_PER_SECOND), scene, "--", *arguments]
            return subprocess.call(command, env=environment)
    if not options.headless and not display.has_display():
        say("no display: running headless")
        options.headless = True
    if options.headless:
        command += ["--headless", "--audio-driver", "Dummy", "--fixed-fps", str(FRAMES_PER_SECOND)]
        if not options.ticks:
            say("without --ticks this runs until it is stopped (Ctrl+C)")
    return subprocess.call([*command, scene, "--", *arguments])


def _demo_path(name: str) -> str:
    return f"res://scenes/{name}/{name}.tscn"


def _scene_path(scene: str, folder: Path) -> str | None:
    """What the engine is told: a demo by its name, a file, a folder with a scene of its name; None if there is none."""
    if scene.startswith(("res://", "uid://")):
        return scene
    if (SCENES / scene / f"{scene}.tscn").is_file():
        return _demo_path(scene)
    path = (folder / scene).resolve()
    if path.is_dir():
        path = path / f"{path.name}.tscn"
    return str(path) if path.is_file() else None


def _scene_arguments(options: argparse.Namespace) -> list[str]:
    arguments: list[str] = []
    for name in ("ticks", "units", "map", "report", "screenshot", "threads", "seed", "goal", "record", "replay"):
        value = getattr(options, name)
        if value is not None:
            arguments += [f"--{name}", str(value)]
    return arguments


def _play_core(options: argparse.Namespace, why: str) -> int:
    say(f"running the same world in the core alone ({why})")
    picture = options.screenshot or ROOT / ".dev" / "horde.png"
    options.screenshot = None
    arguments = [*_scene_arguments(options), "--picture", str(picture)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.call([str(setup.PYTHON), "-m", "pynav.headless", *arguments], env=environment)
