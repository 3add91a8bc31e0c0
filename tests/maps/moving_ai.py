"""The folder of Moving AI maps: where it is, and what is exact in it.

N. R. Sturtevant, Benchmarks for Grid-Based Pathfinding, IEEE TCIAIG 4(2), 2012. The files are neither in the project nor in
what it ships.
"""

import os
from pathlib import Path

import pytest

# Map -> scenario file; all of these have exact optimal lengths.
EXACT = {
    "arena": "arena.map.scen",
    "lak303d": "lak303d.map.scen",
    "brc202d": "brc202d.map.scen",
    "ht_0_hightown": "ht_0_hightown.map.scen",
    "Berlin_0_256": "Berlin_0_256.map.scen",
    "BigGameHunters": "BigGameHunters.map.scen",
    "Aurora": "Aurora.map.scen",
    "maze512-8-0": "maze512-8-0.map.scen",
    "8room_000": "8room_000.map.scen",
    "random512-10-0": "random512-10-0.map.scen",
    "random-32-32-20": "random-32-32-20-random-1.scen",
    "warehouse-10-20-10-2-1": "warehouse-10-20-10-2-1-random-1.scen",
}
# AR0711SR.map.scen is a "version 1.0" file whose lengths are off by up to 0.12 % on some lines: no oracle.


def maps_folder() -> Path:
    """PYNAV_MAPS, else ../shared/maps beside the project; skips the test with the reason where there is none."""
    named = os.environ.get("PYNAV_MAPS")
    folder = Path(named) if named else Path(__file__).resolve().parents[2].parent / "shared" / "maps"
    if not (folder / "movingai").is_dir():
        pytest.skip(f"no folder movingai in {folder}; set PYNAV_MAPS to the folder of maps")
    return folder / "movingai"
