"""Buildings: rectangles of tiles that units attack like agents. They stand still, so what is where is listed once a change.

A building says nothing of the ground: whether its tiles are solid is the map's (an edit, an obstacle). Health is the game's.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from pynav.crowd.agent_queries import Found, checked_radius, checked_rectangles, checked_rows
from pynav.crowd.building_layout import (
    BUILDING_ROWS,
    CELL_TILES,
    FOUND_ON,
    GONE_BEFORE,
    IS_THERE,
    LEFT,
    LOW,
    OWNER,
    RIGHT,
    TOP,
)
from pynav.crowd.errors import WorldError
from pynav.crowd.masks import ALL_BITS, TEAM_COUNT, checked_mask, signed_mask
from pynav.crowd.unit_handles import BUILDINGS, Handles, packed, unpacked

MOST_BUILDINGS = 1 << 16
_ROWS_AT_ONCE = 1 << 20  # distances that are measured at a time

Integers = npt.NDArray[np.int64]


class Buildings:
    """The buildings of a world. Made by the world.

    Attributes:
        table: int32 (BUILDING_ROWS, capacity), see building_layout.py; replaced when it grows.
        cell_start: int32 (cells + 1,): where the buildings of each cell of 16 x 16 tiles begin in ``cell_list``.
        cell_list: int32, ids of buildings.
        cell_columns: cells in a row.

    Notes:
        Buildings are named by handles, as units are: that of one that is gone never names another one.
    """

    def __init__(self) -> None:
        self.table: npt.NDArray[np.int32] = np.zeros((BUILDING_ROWS, 0), dtype=np.int32)
        self.cell_start: npt.NDArray[np.int32] = np.zeros(2, dtype=np.int32)
        self.cell_list: npt.NDArray[np.int32] = np.zeros(0, dtype=np.int32)
        self.cell_columns = 1
        self._width = self._height = 0
        self._is_listed = True

    def fit(self, width: int, height: int) -> None:
        """Stand on a map of so many tiles; parts of buildings outside it count for nothing."""
        self._width, self._height = width, height
        self._is_listed = False

    # --- coming and going

    def add(self, x: int, y: int, width: int, height: int, team: int = 0, layers: int = 1) -> int:
        """A new building on a rectangle of tiles; its handle.

        Args:
            x: left column.
            y: top row.
            width: columns, 1 or more.
            height: rows, 1 or more.
            team: 0..31, whose it is: who has that team among its enemies attacks it.
            layers: mask of the layers that it is found on; 0: nobody finds it.

        Raises:
            WorldError: without a map, a rectangle that isn't inside it, a team or mask out of range, or too many buildings.
        """
        rect = [_whole(name, given) for name, given in zip("xywh", (x, y, width, height), strict=True)]
        if not self._width:
            raise WorldError("the world has no map yet: call set_grid first")
        if min(rect) < 0 or min(rect[2:]) < 1 or rect[0] + rect[2] > self._width or rect[1] + rect[3] > self._height:
            raise WorldError(
                f"expected a building of 1 x 1 tiles or more inside the map of {self._width} x {self._height} tiles, got "
                f"{rect[2]} x {rect[3]} at ({rect[0]}, {rect[1]})"
            )
        own_team, own_layers = _checked_team(team), signed_mask("layers", layers)
        free = np.flatnonzero(self.table[IS_THERE] == 0)
        building = int(free[0]) if len(free) else self._grow()
        table = self.table
        table[[LEFT, TOP, RIGHT, LOW], building] = [rect[0], rect[1], rect[0] + rect[2], rect[1] + rect[3]]
        table[[OWNER, FOUND_ON, IS_THERE], building] = [own_team, own_layers, 1]
        self._is_listed = False
        return int(self._handles_of(np.array([building]))[0])

    def _grow(self) -> int:
        """More columns; the first new one."""
        count = int(self.table.shape[1])
        if count >= MOST_BUILDINGS:
            raise WorldError(f"a world has at most {MOST_BUILDINGS} buildings")
        more = np.zeros((BUILDING_ROWS, max(count, 16)), dtype=np.int32)
        self.table = np.ascontiguousarray(np.concatenate([self.table, more], axis=1))
        return count

    def remove(self, building: int) -> None:
        """Take a building away; who went for it looks for another foe. WorldError for one that isn't there."""
        found = self._index(building)
        self.table[IS_THERE, found] = 0
        self.table[GONE_BEFORE, found] += 1
        self._is_listed = False

    def set_team(self, building: int, team: int) -> None:
        """Give a building to another team. WorldError for one that isn't there, or a team out of range."""
        found = self._index(building)
        self.table[OWNER, found] = _checked_team(team)

    # --- questions

    @property
    def count(self) -> int:
        """Buildings that are there."""
        return int(np.count_nonzero(self.table[IS_THERE]))

    def handles(self) -> Handles:
        """All buildings that are there, in rising order of ids."""
        return self._handles_of(np.flatnonzero(self.table[IS_THERE]))

    def are_there(self, handles: npt.ArrayLike) -> npt.NDArray[np.bool_]:
        """Whether each handle is that of a building that is there, (n,) bool; any numbers may be asked."""
        crowds, ids, generations = unpacked(np.asarray(handles, dtype=np.int64))
        is_known: npt.NDArray[np.bool_] = np.asarray((crowds == BUILDINGS) & (ids < self.table.shape[1]), dtype=np.bool_)
        if not is_known.any():
            return is_known
        columns = np.where(is_known, ids, 0)
        is_known &= (self.table[IS_THERE, columns] != 0) & (self.table[GONE_BEFORE, columns] == generations)
        return is_known

    def rect_of(self, building: int) -> tuple[int, int, int, int]:
        """Tiles of a building: x, y, width, height. WorldError for one that isn't there."""
        left, top, right, low = self.table[[LEFT, TOP, RIGHT, LOW], self._index(building)].tolist()
        return left, top, right - left, low - top

    def team_of(self, building: int) -> int:
        """Whose a building is. WorldError for one that isn't there."""
        return int(self.table[OWNER, self._index(building)])

    def nearest(
        self,
        points: npt.ArrayLike,
        count: int = 1,
        *,
        within: float | None = None,
        teams: int = ALL_BITS,
        layers: int = ALL_BITS,
    ) -> tuple[Handles, npt.NDArray[np.float32]]:
        """The buildings nearest to points, by the distance to their edges, 0 inside; equally near ones by id.

        Args:
            points: (n, 2) tiles, anywhere.
            count: how many for each, 1 or more.
            within: tiles that they may be away at most; None: any distance.
            teams: mask of teams.
            layers: mask of layers.

        Returns:
            Handles, int64 (n, count), 0 where there are no more; distances, float32 (n, count), infinite there.

        Raises:
            WorldError: points that aren't finite or of another shape, a count or distance that is none, masks that are none.
        """
        places = checked_rows("points", points, 2)
        if not (isinstance(count, int | np.integer) and count >= 1):
            raise WorldError(f"expected a count from 1, got {count!r}")
        if within is not None and not within >= 0:
            raise WorldError(f"expected a distance from 0, got {within!r}")
        found = np.zeros((len(places), int(count)), dtype=np.int64)
        away = np.full(found.shape, np.inf, dtype=np.float32)
        wanted = self._wanted(teams, layers)
        kept = min(int(count), len(wanted))
        if not kept:
            return found, away
        handles = self._handles_of(wanted)
        rows = max(_ROWS_AT_ONCE // len(wanted), 1)
        for first in range(0, len(places), rows):
            part = slice(first, first + rows)
            distance = self._distances(wanted, places[part])
            order = np.argsort(distance, axis=1, kind="stable")[:, :kept]
            near = np.take_along_axis(distance, order, axis=1)
            is_near = near <= (np.inf if within is None else np.float32(within))
            found[part, :kept] = np.where(is_near, handles[order], 0)
            away[part, :kept] = np.where(is_near, near, np.float32(np.inf))
        return found, away

    def in_circles(
        self, centres: npt.ArrayLike, radius: npt.ArrayLike, *, teams: int = ALL_BITS, layers: int = ALL_BITS
    ) -> Found:
        """The buildings whose edges are no farther from points than a radius, of each point by id. Arguments and errors are those
        of ``AgentQueries.in_circles``.
        """
        places = checked_rows("centres", centres, 2)
        reach = checked_radius(radius, len(places))
        wanted = self._wanted(teams, layers)
        return self._matching(wanted, len(places), lambda part: self._distances(wanted, places[part]) <= reach[part, None])

    def in_rectangles(self, rectangles: npt.ArrayLike, *, teams: int = ALL_BITS, layers: int = ALL_BITS) -> Found:
        """The buildings that stand in rectangles (n, 4) with some part: x, y, width, height in tiles. Those that only touch an
        edge from outside don't. Others as ``in_circles``.
        """
        given = checked_rectangles(rectangles)
        wanted = self._wanted(teams, layers)
        left, top, right, low = self.table[[LEFT, TOP, RIGHT, LOW]][:, wanted].astype(np.float32)

        def are_inside(part: slice) -> npt.NDArray[np.bool_]:
            x, y, width, height = given[part].T[:, :, None]
            return np.asarray((left < x + width) & (right > x) & (top < y + height) & (low > y))

        return self._matching(wanted, len(given), are_inside)

    def _matching(self, wanted: Integers, questions: int, match: Callable[[slice], npt.NDArray[np.bool_]]) -> Found:
        """The wanted buildings that match each question; ``match`` tells it of a part of the questions, bool (part, wanted)."""
        rows = max(_ROWS_AT_ONCE // max(len(wanted), 1), 1)
        parts = [np.nonzero(match(slice(first, first + rows))) for first in range(0, questions, rows)]
        counts = [np.bincount(question, minlength=min(rows, questions - at * rows)) for at, (question, _) in enumerate(parts)]
        ids = np.concatenate([np.zeros(0, dtype=np.int64), *(wanted[which] for _, which in parts)])
        return Found(np.concatenate([[0], np.cumsum(np.concatenate([[], *counts]))]).astype(np.int64), self._handles_of(ids))

    def _wanted(self, teams: int, layers: int) -> Integers:
        """Ids of the buildings of some teams on some layers."""
        of_team = (np.int64(1) << self.table[OWNER].astype(np.int64)) & checked_mask("teams", teams)
        on_layer = self.table[FOUND_ON].astype(np.int64) & ALL_BITS & checked_mask("layers", layers)
        return np.flatnonzero((self.table[IS_THERE] != 0) & (of_team != 0) & (on_layer != 0))

    def _distances(self, buildings: Integers, places: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """From places (n, 2) to the edges of buildings (m,), float32 (n, m)."""
        rect = self.table[[LEFT, TOP, RIGHT, LOW]][:, buildings].astype(np.float32)
        x, y = places[:, :1], places[:, 1:]
        away_x, away_y = x - np.clip(x, rect[0], rect[2]), y - np.clip(y, rect[1], rect[3])
        return np.asarray(np.sqrt(away_x * away_x + away_y * away_y), dtype=np.float32)

    def _handles_of(self, ids: Integers) -> Handles:
        return packed(BUILDINGS, ids, self.table[GONE_BEFORE, ids])

    def _index(self, building: int) -> int:
        """The id of a building that is there; WorldError for any other handle."""
        handle = np.array([_whole("building", building)], dtype=np.int64)
        if not self.are_there(handle)[0]:
            raise WorldError(f"expected the handle of a building that is there, got {building!r}")
        return int(unpacked(handle)[1][0])

    # --- for kernels

    def list_by_cell(self) -> None:
        """Bring ``cell_start`` and ``cell_list`` up to date; both are replaced if anything changed."""
        if self._is_listed:
            return
        self._is_listed = True
        self.cell_columns = columns = -(-self._width // CELL_TILES)
        rows = -(-self._height // CELL_TILES)
        there = np.flatnonzero(self.table[IS_THERE])
        left, top, right, low = self.table[[LEFT, TOP, RIGHT, LOW]][:, there].astype(np.int64)
        across = np.maximum(np.minimum((right - 1) // CELL_TILES + 1, columns) - left // CELL_TILES, 0)
        down = np.maximum(np.minimum((low - 1) // CELL_TILES + 1, rows) - top // CELL_TILES, 0)
        count = across * down
        of = np.repeat(np.arange(len(there)), count)
        place = np.arange(len(of)) - np.repeat(np.cumsum(count) - count, count)  # among the cells of its building
        cell = (top[of] // CELL_TILES + place // across[of]) * columns + left[of] // CELL_TILES + place % across[of]
        in_cells = np.bincount(cell, minlength=max(columns * rows, 1))
        self.cell_start = np.concatenate([[0], np.cumsum(in_cells)]).astype(np.int32)
        self.cell_list = there[of[np.argsort(cell, kind="stable")]].astype(np.int32)

    # --- state

    def load(self, table: npt.NDArray[np.int32]) -> None:
        """Take over a saved table, or that of a world whose place this one takes; handles stay.

        ValueError for a table of another shape.
        """
        if table.ndim != 2 or len(table) != BUILDING_ROWS:
            raise ValueError(f"expected {BUILDING_ROWS} rows of buildings, got shape {table.shape}")
        self.table = np.array(table, dtype=np.int32, order="C")
        self._is_listed = False

    def digest(self) -> bytes:
        """What a hash of the state covers: nothing before the first building."""
        if not (self.table[IS_THERE] | self.table[GONE_BEFORE]).any():
            return b""
        table = self.table.astype("<i4")
        table[:IS_THERE, table[IS_THERE] == 0] = 0
        return table[:, : int(np.flatnonzero(table[IS_THERE] | table[GONE_BEFORE])[-1]) + 1].tobytes()


def _whole(name: str, given: int) -> int:
    if not isinstance(given, int | np.integer) or isinstance(given, bool):
        raise WorldError(f"{name} of a building is a whole number, got {given!r}")
    return int(given)


def _checked_team(team: int) -> int:
    found = _whole("team", team)
    if not 0 <= found < TEAM_COUNT:
        raise WorldError(f"team is 0 to {TEAM_COUNT - 1}, got {team!r}")
    return found
