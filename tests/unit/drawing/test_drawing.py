"""Pictures by their content: what a canvas covers, what a layer shows, what the command refuses."""

from pathlib import Path

import numpy as np
import pytest

from pynav.__main__ import main
from pynav.drawing import LAYERS, draw_layer
from pynav.drawing.canvas import Canvas
from pynav.drawing.flow_reading import flow_of
from pynav.drawing.layers import default_goal
from pynav.grid import IntegrationField, TileGrid
from pynav.portals import PortalRouter, SectorMap
from tests.unit.sectors.maps import random_map

RED, WHITE = (255, 0, 0), (255, 255, 255)


def blank(tiles: int = 4, scale: int = 10) -> Canvas:
    return Canvas(np.full((tiles, tiles, 3), 255.0), scale)


def test_a_line_covers_its_width_and_no_more() -> None:
    canvas = blank()
    canvas.line((0.5, 2.0), (3.5, 2.0), 4.0, RED)
    found = canvas.pixels
    assert found.shape == (40, 40, 3)
    assert (found[18:22, 8:32] == RED).all() and (found[:16] == WHITE).all() and (found[24:] == WHITE).all()
    tilted = blank()
    tilted.line((0.0, 0.0), (4.0, 3.0), 2.0, RED)
    shades = np.unique(tilted.pixels[..., 1])
    assert len(shades) > 5  # soft edges
    covered = (255.0 - tilted.pixels[..., 1]).sum() / 255
    assert covered == pytest.approx(2.0 * 50, rel=0.05)


def test_drawing_beyond_the_edge_is_cut_off() -> None:
    canvas = blank()
    canvas.line((-1.0, -1.0), (5.0, 5.0), 3.0, RED)
    canvas.disc((4.0, 0.0), 8.0, RED)
    canvas.rectangle(-1.0, 3.5, 9.0, 9.0, RED)
    canvas.arrows(np.array([[0.0, 0.0], [4.0, 4.0]]), np.array([1, 5]), 12.0, RED)
    assert (canvas.pixels[20, 20] == RED).all() and (canvas.pixels[39] == RED).all()


@pytest.mark.parametrize("code", range(8))
def test_an_arrow_points_where_its_code_says(code: int) -> None:
    canvas = blank(1, 40)
    canvas.arrows(np.array([[0.5, 0.5]]), np.array([code]), 36.0, RED)
    cover = 255.0 - canvas.pixels[..., 1]
    rows, columns = np.indices(cover.shape) - 19.5
    angle = np.arctan2((cover * rows).sum(), (cover * columns).sum())  # the head is the heavier end
    assert abs((angle - code * np.pi / 4 + np.pi) % (2 * np.pi) - np.pi) < 0.15


def test_layers_show_walls_and_are_all_different() -> None:
    cost = np.ones((40, 50), dtype=np.uint8)
    cost[5:35, 20] = 0
    cost[10, 30:] = 5
    pictures = {name: draw_layer(TileGrid(cost), name, scale=8) for name in LAYERS}
    for picture in pictures.values():
        assert picture.shape == (320, 400, 3) and picture.dtype == np.uint8
        wall, ground = picture[160:168, 162:166].mean(), picture[40:44, 60:64].mean()
        assert wall < ground - 40
    names = list(pictures)
    assert all((pictures[one] != pictures[other]).any() for index, one in enumerate(names) for other in names[:index])
    goal = draw_layer(TileGrid(cost), "flow", (3, 3), 8)
    assert (goal != pictures["flow"]).any()


def test_the_flow_covers_what_a_way_leads_from() -> None:
    random = np.random.default_rng(3)
    for _ in range(5):
        grid = TileGrid(random_map(random, 10, 50))
        sectors = SectorMap(grid)
        router = PortalRouter(sectors)
        goal = default_goal(sectors)
        router.set_goals([goal])
        code, remaining = flow_of(router)
        field = IntegrationField(grid)
        field.build([goal])
        reached = field.distance != field.unreachable
        assert ((remaining >= 0) == reached).all() and ((code <= 8) == reached).all()
        assert (remaining[reached] >= field.distance[reached]).all() and remaining[goal[1], goal[0]] == 0


def test_the_command_writes_a_picture_and_refuses_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.map"
    file.write_text("type octile\nheight 2\nwidth 3\nmap\n...\n.@.\n", encoding="utf-8")
    out = tmp_path / "a.png"
    assert main(["draw", str(file), "--layer", "flow", "--goal", "2,1", "--out", str(out)]) == 0
    assert out.read_bytes().startswith(b"\x89PNG")
    capsys.readouterr()
    solid = tmp_path / "solid.map"
    solid.write_text("type octile\nheight 1\nwidth 1\nmap\n@\n", encoding="utf-8")
    given = ["draw", str(file), "--layer", "flow", "--out", str(out)]
    faulty = [
        ([*given, "--goal", "1,1"], "solid"),
        ([*given, "--goal", "9,1"], "outside"),
        ([*given, "--goal", "a,1"], "X,Y"),
        ([*given, "--goal", "1"], "X,Y"),
        ([*given, "--scale", "0"], "--scale"),
        (["draw", str(file), "--layer", "graph", "--goal", "0,0", "--out", str(out)], "--layer flow"),
        (["draw", str(tmp_path / "none.map"), "--layer", "graph", "--out", str(out)], "none.map"),
        (["draw", str(solid), "--layer", "graph", "--out", str(out)], "free tile"),
        (["draw", str(file), "--layer", "graph", "--out", str(tmp_path / "no" / "a.png")], "a.png"),
    ]
    for arguments, word in faulty:
        assert main(arguments) == 2, arguments
        error = capsys.readouterr().err
        assert word in error and error.startswith("pynav: ") and error.count("\n") == 1, error
    with pytest.raises(SystemExit) as left:
        main(["draw", str(file), "--layer", "none", "--out", str(out)])
    assert left.value.code == 2 and capsys.readouterr().err.count("\n") == 1
