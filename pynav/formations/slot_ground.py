"""Slots that are cut off move outward to reachable ground, in slices."""

from __future__ import annotations

from collections.abc import Generator, Sequence

import numpy as np
import numpy.typing as npt

from pynav.formations import _ground_kernels as kernels
from pynav.formations.class_ground import ClassGround, check_grounds
from pynav.formations.formation_slots import BEGIN, COUNT, FormationSlots

CLOSEST = 0.8  # of the wished distance; moved slots may stand that near, so that they fit on the tiles
AHEAD_PRICE = 4  # chamfer steps a tile that a place lies ahead of its class's front: archers stay behind if they can
SLICE_CHECKS = 16_384  # places of which it is found out in a slice whether they lie on ground
SLICE_PLACES = 4096  # that are taken in a slice
SLICE_TILES = 16_384  # that are looked at in a slice of a search
_FIRST_MARGIN_TILES = 8
_FAR = 1 << 29

Places = npt.NDArray[np.float32]


def move_to_ground(slots: FormationSlots, grounds: Sequence[ClassGround]) -> FormationSlots:
    """Slots on ground that their units can stand on and get to.

    Slots on good ground stay, up to a nudge off a wall that they would touch. The others move to the middles of free tiles, of
    the first class first: the nearest to any slot of the class that lost its ground, counting what lies ahead of the class's
    front as farther; equally near ones by row, then column of the tile. Nobody stands nearer than 0.8 of the wished distance.

    Args:
        slots: as dragged.
        grounds: one a row class, all of the same map.

    Returns:
        Slots with the same numbers, rows and files; ``is_moved`` marks those that moved, ``is_cut_off`` those for which the map
        has no room: they keep the place that was dragged.

    Raises:
        FormationError: another number of grounds, or grounds of maps of several sizes.

    Notes:
        Deterministic. 5 ms on open ground, up to 50, for 65,535 slots (`dev.py bench formations`), in proportion to them, done at
        once (``GroundMove`` does the same in slices). A search goes over a rectangle around the lost slots that doubles until
        there is room, at most the whole map.
    """
    move = GroundMove(slots, grounds)
    while not move.advance():
        pass
    return move.result


class GroundMove:
    """``move_to_ground`` in slices: call ``advance`` until it is True, then ``result`` is there.

    Args:
        slots: as dragged.
        grounds: one a row class, all of the same map, which must not be edited until all is done.

    Attributes:
        result: the slots on the ground, once ``advance`` was True.

    Raises:
        FormationError: as ``move_to_ground``.
    """

    def __init__(self, slots: FormationSlots, grounds: Sequence[ClassGround]) -> None:
        grounds = list(grounds)
        check_grounds(grounds, len(slots.classes))
        self._slots, self._grounds = slots, grounds
        count = len(slots)
        rows, columns = grounds[0].label.shape
        largest = max(found.radius for found in slots.classes)
        side = max(2.0 * largest + max(slots.spacing * CLOSEST, 0.0), 2.0)  # no pair that is too near spans more than two cells
        self._spacing = np.float32(slots.spacing)
        self._cells_per_tile = np.float32(1.0 / side)
        self._cell_first = np.full((int(rows / side) + 1, int(columns / side) + 1), -1, np.int32)
        self._taken = np.zeros((count, 2), np.float32)
        self._taken_radius = np.zeros(count, np.float32)
        self._next_taken = np.zeros(count, np.int32)
        self._taken_count = np.zeros(1, np.int64)
        self._slices = self._work()
        self.result = FormationSlots(slots.positions.copy(), slots.facing, slots.spacing, slots.classes, slots.files)

    def advance(self) -> bool:
        """Do a slice, some 0.2 ms on an ordinary map; whether all is done."""
        return next(self._slices, True) is True

    def _work(self) -> Generator[bool]:
        """Everything; each time it yields False a slice is done."""
        slots, found = self._slots, self.result
        lost = []
        for index in range(len(slots.classes)):
            lost.append((yield from self._keep(index, found)))
        for index, numbers in enumerate(lost):
            if len(numbers):
                yield from self._move(index, numbers, found)
        is_moved = found.positions != slots.positions
        found.is_moved[:] = is_moved[:, 0] | is_moved[:, 1]

    def _take(self, places: Places, radius: float, most: int) -> Generator[bool, None, npt.NDArray[np.bool_]]:
        """Take places in their order until ``most`` are taken; which."""
        is_taken = np.zeros(len(places), np.uint8)
        left = most
        for first in range(0, len(places), SLICE_PLACES):
            part = slice(first, first + SLICE_PLACES)
            wanted = np.ascontiguousarray(places[part])
            kernels.take_places(
                wanted, np.full(len(wanted), radius, np.float32), self._spacing, np.float32(CLOSEST), left, self._taken,
                self._taken_radius, self._next_taken, self._cell_first, self._cells_per_tile, self._taken_count, is_taken[part],
            )  # fmt: skip
            left -= int(np.count_nonzero(is_taken[part]))
            yield False
            if left == 0:
                break
        return is_taken.astype(np.bool_)

    def _keep(self, index: int, found: FormationSlots) -> Generator[bool, None, npt.NDArray[np.int64]]:
        """Have the slots of a class that have ground take their places; the numbers of the others."""
        begin, count = (int(found.class_table[index, column]) for column in (BEGIN, COUNT))
        ground, radius = self._grounds[index], found.classes[index].radius
        places = found.positions[begin : begin + count]
        good: npt.NDArray[np.bool_] = np.zeros(count, np.bool_)
        for first in range(0, count, SLICE_CHECKS):
            part = slice(first, first + SLICE_CHECKS)
            good[part] = ground.keep(places[part], radius)
            yield False
        kept = np.flatnonzero(good)
        taken = yield from self._take(places[kept], radius, len(kept))
        lost = kept[~taken]
        places[lost] = self._slots.positions[begin + lost]
        good[lost] = False
        return begin + np.flatnonzero(~good)

    def _move(self, index: int, numbers: npt.NDArray[np.int64], found: FormationSlots) -> Generator[bool]:
        """Places for the slots of a class that have none."""
        ground, radius = self._grounds[index], found.classes[index].radius
        rows, columns = ground.label.shape
        sources = np.clip(ground.tiles(found.positions[numbers]), 0, (columns - 1, rows - 1))
        front = self._front(index)
        places: list[Places] = []
        room, margin, beyond = len(numbers), _FIRST_MARGIN_TILES, -1
        while room > 0:
            left, top = (max(int(sources[:, axis].min()) - margin, 0) for axis in (0, 1))
            right, low = (min(int(sources[:, axis].max()) + margin + 1, (columns, rows)[axis]) for axis in (0, 1))
            is_whole = (left, top, right, low) == (0, 0, columns, rows)
            # What is that near lies in the rectangle for sure: a chamfer distance is at least twice the larger part.
            reach = _FAR if is_whole else kernels.STRAIGHT * margin
            window = (left, top, right - left, low - top)
            wanted = ground.middles((yield from self._nearest(ground, sources, window, front, beyond, reach)))
            taken = wanted[(yield from self._take(wanted, radius, room))]
            places.append(taken)
            room -= len(taken)
            if is_whole:
                break
            beyond, margin = reach, 2 * margin
        self._hand_out(np.concatenate(places), numbers, found)

    def _front(self, index: int) -> float:
        """Where the first row of a class was dragged to, along the facing."""
        x, y = self._slots.positions[int(self._slots.class_table[index, BEGIN])].astype(np.float64)
        return float(x * self._slots.facing[0] + y * self._slots.facing[1])

    def _nearest(
        self,
        ground: ClassGround,
        sources: npt.NDArray[np.int64],
        window: tuple[int, int, int, int],
        front: float,
        beyond: int,
        reach: int,
    ) -> Generator[bool, None, npt.NDArray[np.int64]]:
        """Free tiles (x, y) of a rectangle with a price above ``beyond`` up to ``reach``, the cheapest first."""
        left, top, width, height = window
        distance = np.full((height, width), _FAR, np.int32)
        distance[sources[:, 1] - top, sources[:, 0] - left] = 0
        kernels.spread(distance)
        yield False
        facing_x, facing_y = self._slots.facing
        ahead = (np.arange(width) + left + ground.offset) * facing_x - front
        parts, prices = [], []
        rows = max(SLICE_TILES // width, 1)
        for first in range(0, height, rows):
            part = distance[first : first + rows]
            y, x = np.nonzero(ground.open_window(left, top + first, width, len(part)) & (part <= reach))
            tiles_ahead = ahead[x] + (y + first + top + ground.offset) * facing_y
            price = part[y, x] + AHEAD_PRICE * np.ceil(np.maximum(tiles_ahead, 0.0)).astype(np.int64)
            is_wanted = (price > beyond) & (price <= reach)
            parts.append(np.stack([x[is_wanted] + left, y[is_wanted] + first + top], axis=1))
            prices.append(price[is_wanted])
            yield False
        price = np.concatenate(prices)
        if len(price) and price.max() < 1 << 16:
            price = price.astype(np.uint16)  # which numpy sorts by its digits
        order = np.argsort(price, kind="stable")
        yield False
        return np.concatenate(parts)[order]

    def _hand_out(self, places: Places, numbers: npt.NDArray[np.int64], found: FormationSlots) -> None:
        """Foremost places to foremost slots; who gets none is cut off."""
        x, y = places.astype(np.float64).T
        facing_x, facing_y = found.facing
        order = np.lexsort((y * facing_x - x * facing_y, -(x * facing_x + y * facing_y)))
        found.positions[numbers[: len(places)]] = places[order]
        found.is_cut_off[numbers[len(places) :]] = True
