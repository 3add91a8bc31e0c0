"""Runs benchmarks: ``python -m benchmarks.run [NAME ...] [--json FILE]`` (by way of ``python3 dev.py bench``).

A benchmark is a module ``bench_NAME.py`` with a function ``rows()`` that returns a list of rows::

    name          what was measured
    value, unit   our figure; smaller is better, unless the unit says otherwise
    peer          what a user would take instead, or the fixed calibration kernel, timed in the same run
    peer_value    its figure, None where there is no peer
    ratio         value / peer_value
    answer_ok     whether the answer was right, by a reference that follows the same rules
"""

import argparse
import importlib
import json
import sys
import traceback
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
KEYS = ("name", "value", "unit", "peer", "peer_value", "ratio", "answer_ok")


def names() -> list[str]:
    """Names of all benchmarks."""
    return sorted(path.stem.removeprefix("bench_") for path in FOLDER.glob("bench_*.py"))


def run(name: str) -> list[dict[str, Any]]:
    """Rows of one benchmark; one that breaks gives a row that says so."""
    try:
        found = importlib.import_module(f"benchmarks.bench_{name}").rows()
    except Exception as error:
        traceback.print_exc()
        found = [
            {
                "name": f"{name}: broken ({error})",
                "value": None,
                "unit": "",
                "peer": "",
                "peer_value": None,
                "ratio": None,
                "answer_ok": False,
            }
        ]
    return [{key: row.get(key) for key in KEYS} for row in found]


def show(row: dict[str, Any]) -> str:
    """A row as a line of text."""

    def figure(value: Any) -> str:
        return "-" if value is None else f"{value:.4g}"

    answer = {True: "ok", False: "WRONG ANSWER", None: "-"}[row["answer_ok"]]
    return (
        f"{row['name']:<58} {figure(row['value']):>9} {row['unit'] or '':<8} "
        f"{row['peer'] or '':<34} {figure(row['peer_value']):>9} {figure(row['ratio']):>8}  {answer}"
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
    for name in options.names or names():
        for row in run(name):
            rows.append(row)
            print(show(row), flush=True)
    if options.json is not None:
        options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    return 0 if all(row["answer_ok"] is not False for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
