"""All map and scenario files of the Moving AI folder can be read, and fit each other."""

from pynav.grid import TileGrid, load_octile_map, load_scenario
from tests.maps.moving_ai import EXACT, maps_folder


def test_all_files_can_be_read() -> None:
    folder = maps_folder()
    sizes = {path.name: load_octile_map(path).shape for path in sorted(folder.glob("*.map"))}
    assert len(sizes) >= len(EXACT)
    for path in sorted(folder.glob("*.scen")):
        for line in load_scenario(path):
            assert sizes[line.map_name.rsplit("/", 1)[-1]] == (line.height, line.width), path.name


def test_aurora_has_as_many_free_tiles_as_its_mesh_has_area() -> None:
    folder = maps_folder()
    assert TileGrid(load_octile_map(folder / "Aurora.map")).free_count == 493_772
    assert TileGrid(load_octile_map(folder / "arena.map")).free_count == 2054
