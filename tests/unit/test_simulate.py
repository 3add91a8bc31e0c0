"""``python -m pynav simulate``: the report on a small map."""

import json
from pathlib import Path

import numpy as np

from pynav.__main__ import main

ROW = "." * 20 + "\n"
MAP = "type octile\nheight 12\nwidth 20\nmap\n" + ROW * 5 + "." * 4 + "@" * 12 + "." * 4 + "\n" + ROW * 6


def simulated(folder: Path, *options: str) -> dict[str, object]:
    """The report of a run of 30 units over 200 ticks."""
    map_file, report = folder / "small.map", folder / "report.json"
    map_file.write_text(MAP, encoding="ascii")
    common = ["simulate", "--map", str(map_file), "--units", "30", "--ticks", "200", "--json", str(report)]
    assert main([*common, *options]) == 0
    found = json.loads(report.read_text(encoding="utf-8"))
    assert isinstance(found, dict)
    return found


def test_the_report_has_its_keys_and_the_hash_depends_on_the_seed_alone(tmp_path: Path) -> None:
    one = simulated(tmp_path, "--threads", "1", "--seed", "4", "--goal", "2,2")
    two = simulated(tmp_path, "--threads", "2", "--seed", "4", "--goal", "2,2")
    other = simulated(tmp_path, "--threads", "2", "--seed", "5", "--goal", "2,2")
    assert {"hash", "tick_ms_p50", "tick_ms_p99", "tick_ms_max", "arrived", "units", "ticks"} <= set(one)
    assert one["hash"] == two["hash"] != other["hash"]
    assert one["units"] == 30 and one["ticks"] == 200 and np.isfinite(float(str(one["tick_ms_p99"])))
    assert int(str(one["arrived"])) + int(str(other["arrived"])) > 0
