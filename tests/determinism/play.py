"""Plays scenes in a process of its own, prints a line of JSON: ``python -m tests.determinism.play --level 1 raid``."""

from __future__ import annotations

import argparse
import json
from unittest import mock

from pynav.kernels import backend_in_use, pool, set_backend
from tests.determinism.scenes import SCENES, Circumstances, play


def main() -> None:
    """Play what the command line names: the hash of each scene, and which kernels ran."""
    parser = argparse.ArgumentParser(description="Play scenes and print their hashes.")
    parser.add_argument("scenes", nargs="+", choices=sorted(SCENES))
    parser.add_argument("--backend", choices=("python", "jit", "library"), default="library")
    parser.add_argument("--level", type=int, choices=(1, 3), help="take the processor for one of this level (x86-64-v3 is 3)")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--units", type=int)
    parser.add_argument("--ticks", type=int)
    options = parser.parse_args()
    level = pool.processor_level() if options.level is None else options.level
    with mock.patch.object(pool, "processor_level", return_value=level):
        set_backend(options.backend)
        given = Circumstances(options.threads)
        hashes = {name: play(SCENES[name], given, None, options.units, options.ticks).hash for name in options.scenes}
        print(json.dumps({"backend": backend_in_use(), "hashes": hashes}))


if __name__ == "__main__":
    main()
