"""Questions about who is where: agents in circles and rectangles, the nearest ones; many at once, by teams and layers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pynav.crowd import _query_kernels as kernels
from pynav.crowd.agent_layout import MASK_LAYERS, TEAM
from pynav.crowd.agent_table import AgentTable
from pynav.crowd.crowd_table import CrowdTable
from pynav.crowd.errors import WorldError
from pynav.crowd.masks import ALL_BITS, checked_mask
from pynav.crowd.unit_handles import NO_UNIT, Handles, UnitIndex
from pynav.kernels import parallel_for

CELL_TILES = 2.0  # a power of two: cells are found without rounding
MOST_NEAREST = 1024
_BLOCK = 8
_ROOM = 64  # results of a query that are found without asking twice


class Found(NamedTuple):
    """Answers to a batch of questions.

    Attributes:
        first: int64 (n + 1,): where the units of each question begin in ``units``.
        units: handles, int64, of each question in rising order of crowd and id.
    """

    first: npt.NDArray[np.int64]
    units: Handles

    def of(self, question: int) -> Handles:
        """Units of one question."""
        return self.units[self.first[question] : self.first[question + 1]]


class AgentQueries:
    """Questions to a world's agents as they stand now. Made by the world.

    Notes:
        ``teams`` and ``layers`` are masks of 32 bits; an agent counts if its crowd's team is among the teams and one of its
        crowd's layers among the layers. An agent is where its middle is. Asking changes nothing. The first question after a
        change sorts the agents into cells, which questions until the next change share. Deterministic.
    """

    def __init__(self, table: AgentTable, crowds: CrowdTable, units: UnitIndex) -> None:
        self._table, self._crowds, self._units = table, crowds, units
        self._is_current = False
        self._columns = self._rows = 1
        self._start: npt.NDArray[np.int32] = np.zeros(3, dtype=np.int32)
        self._place: npt.NDArray[np.float32] = np.zeros((2, 0), dtype=np.float32)
        self._owner: npt.NDArray[np.int32] = np.zeros((2, 0), dtype=np.int32)

    def note_change(self) -> None:
        """Agents have moved, came or went."""
        self._is_current = False

    def fit(self, width: int, height: int) -> None:
        """Lay cells over a map of so many tiles."""
        self._columns, self._rows = int(width / CELL_TILES) + 1, int(height / CELL_TILES) + 1
        self._start = np.zeros(self._columns * self._rows + 2, dtype=np.int32)
        self._is_current = False

    # --- questions

    def in_circles(
        self, centres: npt.ArrayLike, radius: npt.ArrayLike, *, teams: int = ALL_BITS, layers: int = ALL_BITS
    ) -> Found:
        """Agents no farther from points than a radius.

        Args:
            centres: (n, 2) tiles, anywhere.
            radius: tiles, from 0, one for all or (n,).
            teams: mask of teams.
            layers: mask of layers.

        Raises:
            WorldError: wrong shapes, numbers that are not finite, a negative radius, masks that are none.
        """
        points = checked_rows("centres", centres, 2)
        reach = checked_radius(radius, len(points))
        box = np.concatenate([points - reach[:, None], points + reach[:, None], points], axis=1).astype(np.float32)
        box[:, :2] = np.nextafter(box[:, :2], np.float32(-np.inf))  # the circle decides
        box[:, 2:4] = np.nextafter(box[:, 2:4], np.float32(np.inf))
        return self._inside(box, reach, teams, layers)

    def in_rectangles(self, rectangles: npt.ArrayLike, *, teams: int = ALL_BITS, layers: int = ALL_BITS) -> Found:
        """Agents in rectangles (n, 4): x, y, width, height in tiles; the edges belong to them. Others as ``in_circles``."""
        given = checked_rectangles(rectangles)
        box = np.concatenate([given[:, :2], given[:, :2] + given[:, 2:], given[:, :2]], axis=1).astype(np.float32)
        return self._inside(box, np.full(len(box), -1.0, dtype=np.float32), teams, layers)

    def nearest(
        self,
        points: npt.ArrayLike,
        count: int = 1,
        *,
        within: float | None = None,
        teams: int = ALL_BITS,
        layers: int = ALL_BITS,
    ) -> tuple[Handles, npt.NDArray[np.float32]]:
        """The agents nearest to points, the nearest first, equally near ones by crowd and id.

        Args:
            points: (n, 2) tiles, anywhere.
            count: how many for each, 1..1024.
            within: tiles that they may be away at most; None: any distance.
            teams: mask of teams.
            layers: mask of layers.

        Returns:
            Handles, int64 (n, count), 0 where there are no more; distances, float32 (n, count), infinite there.

        Raises:
            WorldError: as ``in_circles``, and for a count or distance that is none.
        """
        places = checked_rows("points", points, 2)
        if not (isinstance(count, int | np.integer) and 1 <= count <= MOST_NEAREST):
            raise WorldError(f"expected a count of 1 to {MOST_NEAREST}, got {count!r}")
        furthest = np.float32(np.inf) if within is None else np.float32(within)
        if not furthest >= 0:
            raise WorldError(f"expected a distance from 0, got {within!r}")
        is_wanted = self._wanted(teams, layers)
        self._index()
        found = np.full((len(places), int(count)), kernels.NOBODY, dtype=np.int32)
        squared = np.full(found.shape, np.inf, dtype=np.float32)
        if len(places):
            parallel_for(
                kernels.find_nearest, len(places), self._start, self._place, self._owner, is_wanted, places, found, squared,
                furthest * furthest, self._columns, self._rows, 1.0 / CELL_TILES, block_size=_BLOCK,
            )  # fmt: skip
        is_there = found != kernels.NOBODY
        handles = np.full(found.shape, NO_UNIT, dtype=np.int64)
        handles[is_there] = self._units.handles_at(found[is_there].astype(np.int64))
        return handles, np.where(is_there, np.sqrt(squared), np.float32(np.inf)).astype(np.float32)

    # --- the work

    def _wanted(self, teams: int, layers: int) -> npt.NDArray[np.uint8]:
        """Which crowds count, uint8 (crowds, at least 1)."""
        numbers = self._crowds.numbers[:, : max(self._crowds.crowd_count, 1)]
        team_bits = np.int64(1) << numbers[TEAM].astype(np.int64)
        is_of_team = (team_bits & checked_mask("teams", teams)) != 0
        own_layers = numbers[MASK_LAYERS].astype(np.int64) & ALL_BITS
        return np.asarray(is_of_team & ((own_layers & checked_mask("layers", layers)) != 0), dtype=np.uint8)

    def _index(self) -> None:
        if self._is_current:
            return
        table = self._table
        if self._place.shape[1] < table.count:
            self._place = np.zeros((2, table.capacity), dtype=np.float32)
            self._owner = np.zeros((2, table.capacity), dtype=np.int32)
        kernels.index_agents(
            *table.now, self._crowds.numbers, self._start, self._place, self._owner, table.count, self._columns, self._rows,
            1.0 / CELL_TILES,
        )  # fmt: skip
        self._is_current = True

    def _inside(self, box: npt.NDArray[np.float32], reach: npt.NDArray[np.float32], teams: int, layers: int) -> Found:
        is_wanted = self._wanted(teams, layers)
        self._index()
        count = len(box)
        if count == 0:
            return Found(np.zeros(1, dtype=np.int64), np.zeros(0, dtype=np.int64))
        room = np.full(count, min(_ROOM, self._table.count), dtype=np.int64)
        while True:
            first = np.concatenate([[0], np.cumsum(room)]).astype(np.int64)
            found = np.zeros(max(int(first[-1]), 1), dtype=np.int32)
            counts = np.zeros(count, dtype=np.int64)
            parallel_for(
                kernels.find_inside, count, self._start, self._place, self._owner, is_wanted, box, reach, first, found, counts,
                self._columns, self._rows, 1.0 / CELL_TILES, block_size=_BLOCK,
            )  # fmt: skip
            if (counts <= room).all():
                break
            room = counts
        question = np.repeat(np.arange(count, dtype=np.int64), counts)
        within = np.arange(len(question)) - np.repeat(np.cumsum(counts) - counts, counts)
        slots = found[first[question] + within].astype(np.int64)
        order = np.argsort(question << 32 | slots, kind="stable")
        starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        return Found(starts, self._units.handles_at(slots[order]))


def checked_rows(name: str, given: npt.ArrayLike, width: int) -> npt.NDArray[np.float32]:
    """Finite float32 rows (n, width)."""
    try:
        rows = np.asarray(given, dtype=np.float32)
    except (TypeError, ValueError):
        raise WorldError(f"expected {name} as numbers (n, {width}), got {given!r}") from None
    if rows.size == 0:
        return np.zeros((0, width), dtype=np.float32)
    if rows.ndim != 2 or rows.shape[1] != width:
        raise WorldError(f"expected {name} of shape (n, {width}), got {rows.shape}")
    if not np.isfinite(rows).all():
        raise WorldError(f"expected {name} that are finite, got {rows[~np.isfinite(rows).all(axis=1)][0]}")
    return np.ascontiguousarray(rows)


def checked_radius(radius: npt.ArrayLike, count: int) -> npt.NDArray[np.float32]:
    """Radii from 0 of so many circles, float32 (count,)."""
    reach = np.asarray(radius, dtype=np.float32)
    if reach.shape not in ((), (1,), (count,)) or not np.isfinite(reach).all() or (reach < 0).any():
        raise WorldError(f"expected a radius from 0 for each of {count} centres, got {radius!r}")
    return np.ascontiguousarray(np.broadcast_to(reach, count))


def checked_rectangles(rectangles: npt.ArrayLike) -> npt.NDArray[np.float32]:
    """Rectangles (n, 4): x, y, width and height from 0, float32."""
    given = checked_rows("rectangles", rectangles, 4)
    if (given[:, 2:] < 0).any():
        raise WorldError(f"expected rectangles of a width and height from 0, got {given[(given[:, 2:] < 0).any(axis=1)][0]}")
    return given
