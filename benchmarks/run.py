"""Runs benchmarks: ``python -m benchmarks.run [NAME ...] [--json FILE]`` (by way of ``python3 dev.py bench``).

A benchmark is a module ``bench_NAME.py`` with a function ``rows()`` that returns a list of rows::

    name          what was measured
    value, unit   our figure; smaller is better, unless the unit says otherwise
    peer          what a user would take instead, or the fixed calibration kernel, timed in the same run
    peer_value    its figure, None where there is no peer
    ratio         peer_value / value: above 1, we take less
    answer_ok     whether the answer was right, by a reference that follows the same rules
"""

import argparse
import importlib
import json
import sys
import traceback
from pathlib import Path
from typing import Any

from benchmarks.table import KEYS, row

FOLDER = Path(__file__).parent
LONG = ("determinism", "scenarios")  # a quarter of an hour and more: only by name


def names() -> list[str]:
    """Names of all benchmarks."""
    return sorted(path.stem.removeprefix("bench_") for path in FOLDER.glob("bench_*.py"))


def run(name: str) -> list[dict[str, Any]]:
    """Rows of one benchmark; one that breaks gives a row that says so."""
    try:
        found = importlib.import_module(f"benchmarks.bench_{name}").rows()
    except Exception as error:
        traceback.print_exc()
        found = [row(f"{name}: broken ({error})", None, "", "", None, False)]
    return [{key: one.get(key) for key in KEYS} for one in found]


def show(found: dict[str, Any]) -> str:
    """A row as a line of text."""

    def figure(value: Any) -> str:
        return "-" if value is None else f"{value:.4g}"

    answer = {True: "ok", False: "WRONG ANSWER", None: "-"}[found["answer_ok"]]
    return (
        f"{found['name']:<58} {figure(found['value']):>9} {found['unit'] or '':<8} "
        f"{found['peer'] or '':<34} {figure(found['peer_value']):>9} {figure(found['ratio']):>8}  {answer}"
    )


def main() -> int:
    """Run what the command line names; 1 if an answer was wrong."""
    parser = argparse.ArgumentParser(description="Run benchmarks.")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    unknown = [name for name in options.names if name not in names()]
    if unknown:
        print(f"bench: expected one of {', '.join(names())}, got {', '.join(unknown)}", file=sys.stderr)
        return 2
    rows: list[dict[str, Any]] = []
    print(f"{'name':<58} {'value':>9} {'unit':<8} {'peer':<34} {'peer':>9} {'ratio':>8}  answer", flush=True)
    for name in options.names or [name for name in names() if name not in LONG]:
        for found in run(name):
            rows.append(found)
            print(show(found), flush=True)
    if options.json is not None:
        options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    return 0 if all(found["answer_ok"] is not False for found in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
