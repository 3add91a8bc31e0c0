"""The exact solver on real maps: every route walked tile by tile has the published length, and none turns back."""

import json
from pathlib import Path

import pytest

from pynav.__main__ import main
from pynav.evaluation import octile_length, reversals
from pynav.evaluation.moving_units import walk_units, way_length, way_turning
from pynav.grid import ScenarioLine, TileGrid
from tests.maps.moving_ai import EXACT, maps_folder

LINES = "60"


@pytest.mark.parametrize("name", list(EXACT))
def test_every_route_is_the_shortest_and_never_turns_back(name: str, tmp_path: Path) -> None:
    folder = maps_folder()
    report = tmp_path / "report.json"
    map_file, scenario = folder / f"{name}.map", folder / EXACT[name]
    options = ["--limit", LINES, "--units", "4", "--moving-groups", "1", "--json", str(report)]
    assert main(["evaluate", str(map_file), str(scenario), *options]) == 0
    found = json.loads(report.read_text(encoding="utf-8"))
    assert found["arrived"] == found["pairs"] >= 20 and found["refused"] == 0
    assert abs(found["ratio_mean"] - 1.0) < 1e-5
    assert found["ratio_max"] < 1.0001
    assert found["reversals"] == 0
    assert found["groups"] > 0 and found["splits"] == 0
    assert found["units_arrived"] == found["units"] == 4 and found["units_in_walls"] == 0
    assert found["moving_splits"] == 0 and found["moving_units_arrived"] == 64 * found["moving_groups"]
    assert found["euclid_ratio_mean"] < 0.99 and found["turning_per_tile"] < 0.25
    assert found["unreachable_refused"] == found["unreachable"]


@pytest.mark.parametrize("name", list(EXACT))
def test_portals_lead_every_route_to_its_goal_nearly_as_short(name: str, tmp_path: Path) -> None:
    folder = maps_folder()
    report = tmp_path / "report.json"
    options = ["--solver", "portal", "--limit", LINES, "--groups", "3", "--json", str(report)]
    assert main(["evaluate", str(folder / f"{name}.map"), str(folder / EXACT[name]), *options]) == 0
    found = json.loads(report.read_text(encoding="utf-8"))
    assert found["arrived"] == found["pairs"] >= 20 and found["refused"] == 0
    assert found["ratio_mean"] <= 1.02 and found["ratio_p99"] <= 1.08 and found["ratio_max"] <= 1.15
    assert found["unreachable_refused"] == found["unreachable"]


def test_faulty_numbers_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for option, value in (
        ("--limit", "0"),
        ("--groups", "-1"),
        ("--groups", "1001"),
        ("--units", "-1"),
        ("--moving-groups", "-1"),
    ):
        assert main(["evaluate", str(tmp_path / "a.map"), str(tmp_path / "b.scen"), option, value]) == 2
        error = capsys.readouterr().err
        assert option in error and error.count("\n") == 1


def test_measures_of_a_route() -> None:
    import numpy as np

    route = np.array([[15, 0], [16, 0], [16, 1], [15, 1], [14, 2]], dtype=np.int32)
    assert octile_length(route) == pytest.approx(3 + 2**0.5)
    assert reversals(route) == 1
    assert reversals(route[:3]) == 0


def test_measures_of_a_way() -> None:
    import numpy as np

    square = np.array([[0, 0], [2, 0], [2, 2], [2, 2], [0, 2]], dtype=np.float64)
    assert way_length(square) == 6
    assert way_turning(square) == pytest.approx(np.pi)


def test_lines_of_one_goal_are_walked_one_after_the_other() -> None:
    import numpy as np

    lines = [ScenarioLine(0, "free", 30, 10, (x, 4), (25, 4), 25.0 - x) for x in (2, 12, 20)]
    found = walk_units(TileGrid(np.ones((10, 30), dtype=np.uint8)), lines)
    assert found["units"] == found["units_arrived"] == 3
    assert found["euclid_ratio_mean"] == pytest.approx(1.0, abs=0.01)


def test_faulty_files_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.map").write_text("type octile\n", encoding="utf-8")
    assert main(["evaluate", str(tmp_path / "a.map"), str(tmp_path / "b.scen")]) == 2
    assert "expected" in capsys.readouterr().err
