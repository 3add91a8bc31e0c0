#!/usr/bin/env python3
"""All commands of the project: ``python3 dev.py play``, ``test``, ``editor``, ``export``, ``package``, ``bench``, ``setup``.

Standard library only. Each command first sets up what is missing, shows progress, and fails with one line that says what to do.
"""

import sys

if sys.version_info < (3, 11):
    sys.exit(f"pynav: expected Python 3.11 or newer, got {sys.version.split()[0]}; run dev.py with a newer python3")

import argparse
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT))
sys.dont_write_bytecode = True

from tools import bench, check, display, play, setup
from tools.progress import SetupError, say


def main() -> int:
    """Read the command line and run the command."""
    parser = argparse.ArgumentParser(prog="dev.py", description="Play, test, edit, export and measure pynav.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    play.add_arguments(commands.add_parser("play", help="run a demo: horde, homing, skirmish"))
    tests = commands.add_parser("test", help="run the linter, the type checker and all tests")
    tests.add_argument("group", nargs="?", choices=["lint", *check.GROUPS], help="one group (default: all)")
    commands.add_parser("setup", help="set up what is missing, and nothing more")
    commands.add_parser("build", help="build the kernels and the bridge")
    commands.add_parser("editor", help="open the project in Godot's editor")
    for name, what in (("export", "export the demo as a game"), ("package", "make the zip of the addon")):
        commands.add_parser(name, help=what).add_argument("--out", type=Path, metavar="DIR", help="where to put it")
    bench.add_arguments(commands.add_parser("bench", help="measure beside peers"))
    options = parser.parse_args()
    folder = Path.cwd()
    try:
        return run(options, folder)
    except SetupError as error:
        print(f"pynav: {error}", file=sys.stderr, flush=True)
        return 1
    except KeyboardInterrupt:
        return 130


def run(options: argparse.Namespace, folder: Path) -> int:
    """Run one command and return its exit code."""
    if options.command == "play":
        return play.play(options, folder)
    if options.command == "test":
        return check.check(options.group)
    if options.command == "bench":
        return bench.bench(options, folder)
    ready = setup.prepare()
    if options.command in ("setup", "build"):
        return 0
    if ready.engine is None:
        raise SetupError(f"{options.command} needs the engine: {ready.engine_problem}")
    if options.command == "editor":
        if not display.has_display():
            raise SetupError("editor: there is no display to open it on")
        return subprocess.call([str(ready.engine), "--path", str(ROOT), "--editor"])
    return _release(options, folder, ready.engine)


def _release(options: argparse.Namespace, folder: Path, engine: Path) -> int:
    from tools import export, package, runtime

    out = None if options.out is None else (folder / options.out.expanduser()).resolve()
    try:
        made = export.export(out, engine=engine, say=say) if options.command == "export" else package.package(out, say=say)
    except (export.ExportError, package.PackageError, runtime.RuntimeBuildError) as error:
        raise SetupError(str(error)) from error
    say(f"{options.command}: {made}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
