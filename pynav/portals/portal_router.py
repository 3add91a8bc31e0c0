"""The portal router: paths over region fields, never caught between two of them."""

from collections.abc import Generator

import numpy as np
import numpy.typing as npt

from pynav.grid.steps import DIAGONAL_FACTOR, DIRECTION_X, DIRECTION_Y, NO_DIRECTION, NO_WAY, SOLID_TILE, STRAIGHT_FACTOR
from pynav.jobs.step_by_step import run_through
from pynav.portals.portal_search import PortalSearch
from pynav.portals.region_fields import Field, RegionFields
from pynav.portals.sector_layout import FAR
from pynav.portals.sector_map import SectorMap
from pynav.portals.short_paths import RegionSearch

Tile = tuple[int, int]


class PortalRouter:
    """Paths to one set of goals at a time, with the calls of the exact router.

    Fields of neighbouring sectors are flooded over different regions, so that they need not agree: one may send a unit over
    a border and the other send it back (the talk's conflict between the layers). Here a field is followed over a border only
    while what remains falls by what was walked. Where it doesn't, a bounded A* over the region that was left leads to its best
    exit, as that region's field promised: from there on no more remains than it said. So what remains falls from promise to
    promise, and every route arrives.

    Args:
        sectors: the map's sectors; call ``update`` after each edit of the grid.
        reach: sectors around a sector that its field is flooded over. With 0 all fields are pieces of one potential (no conflict
            can come up, ``direction`` alone leads to the goal), with 1 routes are shorter.

    Attributes:
        fields: the cache of fields, with its ``hits`` and ``misses``.
        conflicts: how often the fields of two sectors did not agree on a path.

    Notes:
        Deterministic. ``set_goals`` costs a flood of the goals' sectors; the search goes as far as the asked tiles need.
    """

    def __init__(self, sectors: SectorMap, reach: int = 1) -> None:
        self.sectors = sectors
        self.search = PortalSearch(sectors)
        self.fields = RegionFields(sectors, reach)
        self.conflicts = 0
        self._region_search = RegionSearch(sectors)
        self._goals: npt.NDArray[np.int32] = np.zeros((0, 2), dtype=np.int32)
        self._field_of: dict[int, Field | None] = {}
        self._goal_components: set[int] = set()

    def set_goals(self, goals: npt.ArrayLike) -> None:
        """Make goal tiles (x, y), integers (n, 2), the goals of the paths from now on; solid ones count for nothing."""
        self._goals = np.asarray(goals, dtype=np.int32).reshape(-1, 2)
        self.search.set_goals(self._goals)
        self._begin_anew()

    def update(self, x: int, y: int, width: int, height: int) -> None:
        """Take over an edit of the grid: what does not depend on it stays."""
        self.take_over(self.sectors.update(x, y, width, height))

    def take_over(self, changed: npt.NDArray[np.int32]) -> None:
        """Take over an edit that the sectors know of already, where several routers share them.

        Args:
            changed: int32, the sectors that ``SectorMap.update`` named.
        """
        self.fields.forget(changed)
        if not self.search.keep(changed):
            self.search.set_goals(self._goals)
        self._begin_anew()

    def _begin_anew(self) -> None:
        self._field_of = {}
        self._goal_components = {self.sectors.component_of(int(x), int(y)) for x, y in self._goals} - {0}

    def _field(self, x: int, y: int) -> Field | None:
        """The field that leads a free tile, None if no way leads from it: then nothing is searched."""
        island = self.sectors.island_of(x, y)
        if int(self.sectors.component[island]) not in self._goal_components:
            return None
        if island not in self._field_of:
            sector = self.sectors.sector_of(x, y)
            self.search.settle([sector])
            self._field_of[island] = self.fields.field(self.search, sector, island)
        return self._field_of[island]

    def prepare(self, tiles: npt.NDArray[np.int32]) -> None:
        """Have the fields of some tiles (x, y), int32 (n, 2), at hand: for many of them cheaper than one after the other."""
        sectors, cost = self.sectors, self.sectors.grid.cost
        x, y = tiles[cost[tiles[:, 1], tiles[:, 0]] != 0].T
        sector = y // sectors.size * sectors.column_count + x // sectors.size
        island = sectors.island_start[sector] + sectors.island[y, x].astype(np.int64) - 1
        leads = np.isin(sectors.component[island], list(self._goal_components))
        wanted = dict(zip(island[leads].tolist(), sector[leads].tolist(), strict=True))
        missing = [(sector, island) for island, sector in wanted.items() if island not in self._field_of]
        self.search.settle([sector for sector, _ in missing])
        fields = self.fields.fields(self.search, missing)
        self._field_of.update({island: field for (_, island), field in zip(missing, fields, strict=True)})

    def _index(self, x: int, y: int) -> int:
        size = self.sectors.size
        return y % size * size + x % size

    def direction(self, x: int, y: int) -> int:
        """The code of a tile (steps.py): 0..7 the step to take, NO_DIRECTION at goals, NO_WAY, SOLID_TILE."""
        if not self.sectors.grid.is_free(x, y):
            return SOLID_TILE
        field = self._field(x, y)
        return NO_WAY if field is None else int(field.direction[self._index(x, y)])

    def remaining(self, x: int, y: int) -> int:
        """Length of the way that the tile's field promises, in units of cost (steps.py); -1 without a way."""
        return self._left_by(self._field(x, y) if self.sectors.grid.is_free(x, y) else None, x, y)

    def _left_by(self, field: Field | None, x: int, y: int) -> int:
        """As ``remaining``, by the tile's field."""
        value = FAR if field is None else int(field.value[self._index(x, y)])
        return -1 if field is None or value >= FAR else field.base + value

    def path(self, start: Tile) -> npt.NDArray[np.int32]:
        """Tiles (x, y) from ``start`` to a goal, both included, int32 (n, 2); empty where there is no way.

        Empty too where straight lines (``SectorMap``) lead in circles; with true distances every route arrives.
        """
        return run_through(self.path_steps(start))

    def path_steps(self, start: Tile) -> Generator[None, None, npt.NDArray[np.int32]]:
        """As ``path``, a sector a step; between the steps neither goals nor map may change."""
        if self.direction(*start) in (NO_WAY, SOLID_TILE):
            return np.zeros((0, 2), dtype=np.int32)
        tiles, field = [start], self._field(*start)
        most = self.sectors.grid.free_count
        while True:
            assert field is not None
            code = self._walk_sector(tiles, field)
            if code == NO_DIRECTION:
                return np.array(tiles, dtype=np.int32)
            here, ahead = tiles[-1], (tiles[-1][0] + DIRECTION_X[code], tiles[-1][1] + DIRECTION_Y[code])
            tiles.append(ahead)
            promised, field = self._left_by(field, *here), self._field(*ahead)
            if self._left_by(field, *ahead) > promised - self._walked(here, ahead, code):
                self.conflicts += 1
                tiles += self._lead_out(here, ahead)
                field = self._field(*tiles[-1])
            if len(tiles) > most:
                return np.zeros((0, 2), dtype=np.int32)
            yield

    def _walk_sector(self, tiles: list[Tile], field: Field) -> int:
        """Follow the field of the last tile to the goal or the last tile before a border; the code there."""
        (x, y), size = tiles[-1], self.sectors.size
        direction, column, row = field.direction, x // size, y // size
        while True:
            code = int(direction[y % size * size + x % size])
            if code == NO_DIRECTION:
                return code
            next_x, next_y = x + DIRECTION_X[code], y + DIRECTION_Y[code]
            if next_x // size != column or next_y // size != row:
                return code
            x, y = next_x, next_y
            tiles.append((x, y))

    def _walked(self, here: Tile, ahead: Tile, code: int) -> int:
        """Length of a step, in units of cost (steps.py)."""
        cost = self.sectors.grid.cost
        step = int(cost[here[1], here[0]]) + int(cost[ahead[1], ahead[0]])
        return step * (DIAGONAL_FACTOR if code % 2 else STRAIGHT_FACTOR)

    def _lead_out(self, left: Tile, at: Tile) -> list[Tile]:
        """Tiles behind ``at`` to the one across the best exit of the region around the tile ``left``, or to a goal."""
        sector = self.sectors.sector_of(*left)
        seeds = self.fields.seeds(self.search, sector, self.sectors.island_of(*left))
        assert seeds is not None
        path, code = self._region_search.to_seeds(sector, self.fields.reach, at, seeds)
        if code != NO_DIRECTION:
            x, y = path[-1]
            path.append((x + DIRECTION_X[code], y + DIRECTION_Y[code]))
        return path[1:]
