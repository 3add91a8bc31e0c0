"""``dev.py bench``: runs the benchmarks, prints each beside its peer, and checks every answer."""

from __future__ import annotations

import argparse
import os
import subprocess
from pathlib import Path

from tools import setup
from tools.progress import ROOT


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``bench``."""
    parser.add_argument("names", nargs="*", metavar="NAME", help="benchmarks to run (default: all)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the rows as JSON")


def bench(options: argparse.Namespace, folder: Path) -> int:
    """Set up what is missing and run the benchmarks in the project's environment."""
    ready = setup.prepare("test")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    if ready.engine is not None:
        environment["PYNAV_ENGINE"] = str(ready.engine)
    command = [str(setup.PYTHON), "-m", "benchmarks.run", *options.names]
    if options.json is not None:
        command += ["--json", str((folder / options.json.expanduser()).resolve())]
    return subprocess.call(command, cwd=ROOT, env=environment)
