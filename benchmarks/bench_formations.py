"""Benchmarks of formations: slots of a drag, slots off bad ground, assignment beside scipy's, deaths.

Assignment: the squared distances of ours by those of the best assignment within row classes (scipy's) for 400 units, the worst
of six seeds, and the time beside scipy's for the same units; for 65,535 units, too many for scipy, beside numpy's lexsort of the
talk's keys alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment

from benchmarks.table import Row, row
from benchmarks.timing import best_ms
from pynav.formations import Army, ClassGround, DragGrid, FormationSlots, SlotAssignment, army_of, move_to_ground
from pynav.grid.navigation_layers import NavigationLayers
from pynav.grid.terrain import Terrain
from tests.unit.formations.filled_places import FilledPlaces

ALL = 65_535
SMALL = 400
SEEDS = 6
Floats = npt.NDArray[Any]


def _facing(degrees: float) -> tuple[float, float]:
    return float(np.cos(np.radians(degrees))), float(np.sin(np.radians(degrees)))


def _ring(count: int, generator: np.random.Generator, least: float) -> Floats:
    angle = generator.uniform(0, 2 * np.pi, count)
    return np.stack([np.cos(angle), np.sin(angle)], axis=1) * np.sqrt(generator.uniform(least, 1, (count, 1))) * count**0.5


def _case(name: str, count: int, seed: int) -> tuple[Floats, Army, FormationSlots]:
    generator = np.random.default_rng(seed)
    side = count**0.5
    types = 1 + ("two_types" in name)
    army = army_of(generator.integers(0, types, count), 0.3)
    turn = {"turn_45": 45, "turn_90": 90, "order_behind": 180, "two_types_behind": 180, "turn_on_the_spot": 180}.get(name)
    if turn is None:
        places = _ring(count, generator, 0.64 if "ring" in name else 0.0)
        where, degrees = ((side / 3, 0.0), 0.0) if "block" in name else ((2 * side, 0.5 * side), 17.0)
    else:
        places = np.empty((count, 2))
        block = DragGrid((0, 0), (1, 0), 1.6 * side - 1).slots(army.classes)
        places[np.argsort(army.class_of_unit, kind="stable")] = block.positions + generator.normal(0, 0.05, (count, 2))
        where = {45: (side, side), 90: (side, 1.5 * side)}.get(turn, (-2 * side, 0.0))
        where, degrees = ((-side / 1.6, 0.0) if "spot" in name else where), turn
    slots = DragGrid(where, _facing(degrees), 1.6 * side - 1).slots(army.classes)
    return places.astype(np.float32), army, slots


def _squares(places: Floats, slots: FormationSlots, found: npt.NDArray[Any]) -> float:
    return float(((places[found].astype(np.float64) - slots.positions) ** 2).sum())


def _best(places: Floats, army: Army, slots: FormationSlots) -> npt.NDArray[np.int64]:
    """scipy's assignment, class by class."""
    found = np.empty(len(slots), np.int64)
    for number in range(len(army.classes)):
        units, own = np.flatnonzero(army.class_of_unit == number), np.flatnonzero(slots.class_of_slot == number)
        apart = places[units].astype(np.float64)[:, None] - slots.positions[own].astype(np.float64)[None]
        rows, columns = linear_sum_assignment((apart**2).sum(axis=2))
        found[own[columns]] = units[rows]
    return found


def _sorted(places: Floats, army: Army, slots: FormationSlots) -> npt.NDArray[np.int64]:
    """The talk's sort, by numpy."""
    x, y = slots.facing
    along, across = places @ np.array([x, y], np.float32), places @ np.array([-y, x], np.float32)
    order = np.lexsort((-along, army.class_of_unit))
    return order[np.lexsort((across[order], slots.rows))]


def _is_whole(army: Army, slots: FormationSlots, found: npt.NDArray[Any]) -> bool:
    once = np.array_equal(np.sort(found), np.arange(len(slots)))
    return once and np.array_equal(army.class_of_unit[found], slots.class_of_slot)


CASES = (
    "blob_to_line", "ring_to_block", "turn_45", "turn_90", "order_behind", "turn_on_the_spot", "two_types_behind",
    "two_types_ring_to_block",
)  # fmt: skip


def _assignment_rows() -> list[Row]:
    found = []
    for name in CASES:
        worst, worst_sort, is_whole = 0.0, 0.0, True
        for seed in range(SEEDS):
            places, army, slots = _case(name, SMALL, seed)
            ours = SlotAssignment(places, army.class_of_unit, slots).finish()
            least = _squares(places, slots, _best(places, army, slots))
            worst = max(worst, _squares(places, slots, ours) / least)
            worst_sort = max(worst_sort, _squares(places, slots, _sorted(places, army, slots)) / least)
            is_whole = is_whole and _is_whole(army, slots, ours)
        ok = is_whole and 1.0 - 1e-9 <= worst <= 1.05
        title = f"formations.assign.{SMALL}_units.{name}"
        found.append(row(f"{title}.squares_by_least", worst, "", "the talk's sort alone", worst_sort, ok))
        value = best_ms(lambda p=places, a=army, s=slots: SlotAssignment(p, a.class_of_unit, s).finish())  # type: ignore[misc]
        peer = best_ms(lambda p=places, a=army, s=slots: _best(p, a, s))  # type: ignore[misc]
        found.append(row(title, value, "ms", "scipy linear_sum_assignment", peer, ok))
        places, army, slots = _case(name, ALL, 0)
        value = best_ms(lambda p=places, a=army, s=slots: SlotAssignment(p, a.class_of_unit, s).finish())  # type: ignore[misc]
        peer = best_ms(lambda p=places, a=army, s=slots: _sorted(p, a, s))  # type: ignore[misc]
        ours = SlotAssignment(places, army.class_of_unit, slots).finish()
        falls = _squares(places, slots, ours) <= _squares(places, slots, _sorted(places, army, slots)) * (1 + 1e-6)
        ok = _is_whole(army, slots, ours) and falls
        found.append(row(f"formations.assign.{ALL}_units.{name}", value, "ms", "numpy lexsort, no swaps", peer, ok))
    return found


def _ground_rows() -> list[Row]:
    found = []
    side = 512
    for name, share in (("open", 0.0), ("a_tenth_solid", 0.1), ("all_in_a_lake", 1.0)):
        cost = (np.random.default_rng(1).random((side, side)) >= min(share, 0.1)).astype(np.uint8)
        if share == 1.0:
            cost[128:384, 96:416] = 0
        cost[:8] = 1
        layer = NavigationLayers(Terrain(cost)).base
        army = army_of(np.arange(ALL) % 3, 0.3)
        grid = DragGrid((side / 2, side / 4), (0.0, -1.0), 300.0)
        grounds = [ClassGround(layer, [(4.5, 4.5)])] * 3
        slots = grid.slots(army.classes)
        after = move_to_ground(slots, grounds)
        ok = bool(grounds[0].is_open(grounds[0].tiles(after.positions[~after.is_cut_off])).all())
        value = best_ms(lambda s=slots, g=grounds: move_to_ground(s, g), 3)  # type: ignore[misc]
        moved = int(after.is_moved.sum())
        found.append(row(f"formations.ground.{ALL}_slots.{name}.{moved}_moved", value, "ms", None, None, ok))
    value = best_ms(lambda: grid.slots(army.classes))
    found.append(row(f"formations.slots.{ALL}", value, "ms", None, None, len(slots) == ALL))
    return found


def _death_rows() -> list[Row]:
    """A death beside a fresh sort of all who are left: how many walk, and how far the farthest goes."""
    places, army, slots = _case("blob_to_line", SMALL, 0)
    walkers, farthest, sorted_walkers, sorted_farthest = [], [], [], []
    for unit in range(SMALL):
        formation = FilledPlaces(slots, SlotAssignment(places, army.class_of_unit, slots).finish())
        before = formation.slot_of_unit
        moved = formation.remove_units([unit])
        ways = np.hypot(*(slots.positions[formation.slot_of_unit[moved]] - slots.positions[before[moved]]).T)
        walkers.append(len(ways))
        farthest.append(float(ways.max(initial=0.0)))
        left = np.delete(np.arange(SMALL), unit)
        fewer = army_of(np.zeros(SMALL - 1, int), 0.3)
        anew = DragGrid((40.0, 10.0), slots.facing, 31.0).slots(fewer.classes)
        stand = slots.positions[before[left]]
        ways = np.hypot(*(anew.positions - stand[_sorted(stand, fewer, anew)]).T)
        sorted_walkers.append(int((ways > 0.25).sum()))
        sorted_farthest.append(float(ways.max()))
    ok = max(farthest) < 1.6
    return [
        row("formations.death.farthest", float(np.mean(farthest)), "tiles", "a fresh sort", float(np.mean(sorted_farthest)), ok),
        row("formations.death.walkers", float(np.mean(walkers)), "units", "a fresh sort", float(np.mean(sorted_walkers)), ok),
    ]


def rows() -> list[Row]:
    """Rows for the table."""
    return [*_assignment_rows(), *_ground_rows(), *_death_rows()]
