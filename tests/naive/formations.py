"""Slow, obvious references of formations: slots, ground, assignment, gaps; written without a look at the kernels."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

Point = tuple[float, float]


def drag_slots(
    position: Point, facing: Point, files: Sequence[int], spacing: float, classes: Sequence[tuple[int, float]]
) -> list[tuple[float, float, int]]:
    """(x, y, row) of each slot, by walking back from the front; classes as (count, radius)."""
    length = math.hypot(*facing)
    ahead = (facing[0] / length, facing[1] / length)
    right = (-ahead[1], ahead[0])
    found = []
    depth, row, last_radius = 0.0, 0, None
    for (count, radius), most in zip(classes, files, strict=True):
        left_over = count
        while left_over > 0:
            in_row = min(most, left_over)
            if last_radius is not None:
                depth += last_radius + radius + spacing
            for number in range(in_row):
                aside = (number - (in_row - 1) / 2) * (2 * radius + spacing)
                found.append((
                    position[0] - depth * ahead[0] + aside * right[0], position[1] - depth * ahead[1] + aside * right[1], row,
                ))  # fmt: skip
            left_over -= in_row
            row += 1
            last_radius = radius
    return found


def talk_order(positions: Any, class_of_unit: Any, facing: Point, rows: Sequence[int]) -> list[int]:
    """The talk's sort, the unit of each slot: class, along the facing, cut into rows, across. Equals by number."""
    face = np.array(facing, np.float32)
    along = [np.float32(x * face[0] + y * face[1]) for x, y in positions]
    across = [np.float32(y * face[0] - x * face[1]) for x, y in positions]
    order = sorted(range(len(positions)), key=lambda unit: (class_of_unit[unit], -along[unit]))
    found = []
    for row in sorted(set(rows)):
        members = [unit for unit, own in zip(order, rows, strict=True) if own == row]
        found += sorted(members, key=lambda unit: across[unit])
    return found


def squared_distance(positions: Any, places: Any, unit_of_slot: Any) -> float:
    """Sum over all slots of the squared way of its unit."""
    return float(((np.asarray(positions, np.float64)[unit_of_slot] - np.asarray(places, np.float64)) ** 2).sum())


def least_squared_distance(positions: Any, places: Any, class_of_unit: Any, class_of_slot: Any) -> float:
    """The least sum that any assignment within row classes has (Hungarian method)."""
    total = 0.0
    starts, ends = np.asarray(positions, np.float64), np.asarray(places, np.float64)
    for number in np.unique(class_of_unit):
        cost = ((starts[class_of_unit == number][:, None] - ends[class_of_slot == number][None]) ** 2).sum(axis=2)
        total += float(cost[linear_sum_assignment(cost)].sum())
    return total


def closed_gaps(unit_of_slot: Sequence[int], cells: Sequence[tuple[int, int, int]], dead: Sequence[int]) -> list[int]:
    """Slots after deaths, on open ground; cells as (class, row, file), the rearmost gap first."""
    units = list(unit_of_slot)
    slot_at = {cell: slot for slot, cell in enumerate(cells)}
    gaps = sorted(slot for slot, unit in enumerate(units) if unit in set(dead))
    for gap in gaps:
        units[gap] = -1
    for gap in reversed(gaps):
        while True:
            number, row, file = cells[gap]
            candidates = [slot_at.get((number, row + 1, file + step), -1) for step in (0, -1, 1)]
            candidates = [slot for slot in candidates if slot >= 0 and units[slot] >= 0]
            if not candidates:
                break
            units[gap], units[candidates[0]] = units[candidates[0]], -1
            gap = candidates[0]
    return units


def outward_places(
    lost: Sequence[tuple[int, int]],
    is_open: Callable[[int, int], bool],
    shape: tuple[int, int],
    taken: list[tuple[float, float, float]],
    radius: float,
    spacing: float,
    offset: float,
    ahead: Callable[[float, float], float],
) -> list[tuple[float, float]]:
    """Middles of tiles for slots that lost their ground, every tile of the map looked at; ``taken`` grows."""
    priced = []
    for y in range(shape[0]):
        for x in range(shape[1]):
            if is_open(x, y):
                steps = min(2 * max(abs(x - a), abs(y - b)) + min(abs(x - a), abs(y - b)) for a, b in lost)
                price = steps + 4 * math.ceil(max(ahead(x + offset, y + offset), 0.0))
                priced.append((price, y, x))
    found: list[tuple[float, float]] = []
    for _, y, x in sorted(priced):
        place = (x + offset, y + offset)
        if len(found) < len(lost) and all(
            math.dist(place, other[:2]) >= max(radius + other[2], 0.8 * (radius + other[2] + spacing)) - 1e-4 for other in taken
        ):
            taken.append((*place, radius))
            found.append(place)
    return found


def lanes_of_files(files: int, lanes: int) -> list[tuple[int, int]]:
    """(lane, rank) of each file where ``files`` fall in behind one another in lanes: the file nearest to its lane's middle goes
    first, of two equally near ones the left one.
    """
    found = [(0, 0)] * files
    for lane in range(lanes):
        own = [file for file in range(files) if file * lanes // files == lane]
        middle = sum(own) / len(own)
        for rank, file in enumerate(sorted(own, key=lambda one: (abs(one - middle), one))):
            found[file] = (lane, rank)
    return found


def crossing(one: tuple[Point, Point], two: tuple[Point, Point]) -> bool:
    """Whether two units, each as (where it is, where it goes), get into each other's way when both walk in step."""
    (a, b), (c, d) = one, two
    return (a[0] - c[0]) * (b[0] - d[0]) + (a[1] - c[1]) * (b[1] - d[1]) < 0


def is_tree(cost: Any, x: int, y: int) -> bool:
    """Whether a solid tile lies in a box of 3 x 3 tiles with a ring of free tiles on the map around it."""
    rows, columns = cost.shape
    for top in range(y - 3, y):
        for left in range(x - 3, x):
            if top < 0 or left < 0 or top + 5 > rows or left + 5 > columns:
                continue
            ring = [(top + down, left + right) for down in range(5) for right in range(5) if down in (0, 4) or right in (0, 4)]
            if all(cost[place] for place in ring):
                return True
    return False
