"""Maps with one-way tiles are refused by the portal solver, in words; what is drawn of it leads nowhere there."""

import numpy as np
import pytest

from pynav.drawing.probe_shapes import FlowProbe, PathProbe
from pynav.drawing.view import Chunk
from pynav.grid import GridError, TileGrid
from pynav.grid.exits import NORTH
from pynav.portals import PortalRouter, SectorFlood, SectorMap, ShortPaths
from pynav.router import SOLVERS


def test_each_way_in_is_refused() -> None:
    grid = TileGrid(np.ones((40, 40), dtype=np.uint8))
    sectors = SectorMap(grid)
    router = PortalRouter(sectors)
    router.set_goals([(5, 5)])
    assert len(router.path((30, 30)))
    grid.set_closed_exits(0, 20, np.full((1, 40), NORTH, dtype=np.uint8))
    for ask in (
        lambda: router.set_goals([(5, 5)]), lambda: SectorFlood(sectors).run([(5, 5)]),
        lambda: ShortPaths(sectors).find([(1, 1, 2, 2)]), lambda: SOLVERS["portal"](grid).set_goals([(5, 5)]),
    ):  # fmt: skip
        with pytest.raises(GridError, match="portal solver knows no one-way tiles"):
            ask()
    exact = SOLVERS["exact"](grid)
    exact.set_goals([(5, 5)])
    assert len(exact.path((30, 10))) and not len(exact.path((30, 30)))


def finish(flow: FlowProbe, path: PathProbe) -> None:
    while not (flow.search([Chunk(0, 0, 0)]) and path.search()):
        pass


def test_probes_lead_nowhere_from_the_edit_on() -> None:
    grid = TileGrid(np.ones((40, 40), dtype=np.uint8))
    sectors = SectorMap(grid)
    flow, path = FlowProbe(sectors), PathProbe(sectors)
    flow.set_goal((5, 5))
    path.set_ends((30, 30), (5, 5))
    finish(flow, path)
    assert len(path.walk)
    grid.set_closed_exits(0, 20, np.full((1, 40), NORTH, dtype=np.uint8))
    changed = sectors.update(0, 20, 40, 1)
    for probe in (flow, path):
        assert probe.let_go()
        probe.take_over(changed)
    finish(flow, path)
    assert len(path.walk) == 0
    path.set_ends((30, 30), (6, 5))
    finish(flow, path)
    assert len(flow.router.search.goals) == len(path.router.search.goals) == 0
