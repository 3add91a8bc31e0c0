"""Row classes: units whose types have one row priority share rows, as soldiers and pikemen do; the lowest stands in front."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pynav.formations import _army_kernels as kernels
from pynav.formations.errors import FormationError
from pynav.kernels import parallel_for

MOST_UNITS = 1_048_576
MOST_CLASSES = 256


@dataclass(frozen=True)
class RowClass:
    """What a formation must know of a row class.

    Attributes:
        priority: row priority; lower ones stand farther in front.
        count: units.
        radius: of the largest one, tiles.
    """

    priority: int
    count: int
    radius: float


class Army(NamedTuple):
    """Units by row class.

    Attributes:
        classes: the row classes, from the front.
        class_of_unit: int32 (n,), index into ``classes``.
    """

    classes: tuple[RowClass, ...]
    class_of_unit: npt.NDArray[np.int32]


def army_of(priorities: npt.ArrayLike, radii: npt.ArrayLike) -> Army:
    """Row classes of some units.

    Args:
        priorities: whole numbers (n,), the row priority of each unit; 1 to 1,048,576 units, at most 256 different ones.
        radii: (n,) or one number, tiles, more than 0.

    Raises:
        FormationError: other shapes, numbers or amounts.

    Notes:
        Deterministic; allocates in proportion to the units.

    Example:
        >>> army_of([2, 1, 1], [0.3, 0.3, 0.5]).classes
        (RowClass(priority=1, count=2, radius=0.5), RowClass(priority=2, count=1, radius=0.30000001192092896))
    """
    wanted = np.asarray(priorities)
    if wanted.size == 0:
        raise FormationError(f"expected 1 to {MOST_UNITS} units, got 0")
    if wanted.ndim != 1 or not np.issubdtype(wanted.dtype, np.integer):
        raise FormationError(f"expected priorities as whole numbers (n,), got {wanted.dtype} of shape {wanted.shape}")
    if len(wanted) > MOST_UNITS:
        raise FormationError(f"expected 1 to {MOST_UNITS} units, got {len(wanted)}")
    sizes = _as_radii(radii, len(wanted))
    priority, count = np.zeros(MOST_CLASSES, np.int64), np.zeros(MOST_CLASSES, np.int64)
    radius, class_of_unit = np.zeros(MOST_CLASSES, np.float32), np.empty(len(wanted), np.int32)
    result = np.zeros(2, np.int64)
    kernels.tell_classes(wanted.astype(np.int64), sizes, priority, count, radius, class_of_unit, result)
    found, wrong = result.tolist()
    if wrong >= 0:
        raise FormationError(f"expected radii as finite numbers above 0, got {sizes[wrong]:g}")
    if found > MOST_CLASSES:
        raise FormationError(f"expected at most {MOST_CLASSES} row priorities, got {len(np.unique(wanted))}")
    order = np.argsort(priority[:found])
    new_number = np.zeros(found, np.int32)
    new_number[order] = np.arange(found)
    parallel_for(kernels.renumber_classes, len(wanted), class_of_unit, new_number)
    classes = tuple(RowClass(int(priority[old]), int(count[old]), float(radius[old])) for old in order.tolist())
    return Army(classes, class_of_unit)


def _as_radii(radii: npt.ArrayLike, count: int) -> npt.NDArray[np.float32]:
    sizes = as_floats("radii", radii)
    if sizes.ndim > 1 or (sizes.ndim == 1 and len(sizes) != count):
        raise FormationError(f"expected one radius or ({count},) radii, got shape {sizes.shape}")
    return np.ascontiguousarray(np.broadcast_to(sizes, (count,)))


def as_floats(name: str, values: npt.ArrayLike) -> npt.NDArray[np.float32]:
    """Numbers as float32; FormationError for what is none."""
    try:
        return np.asarray(values, dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise FormationError(f"expected {name} as numbers, got {_short(values)}") from error


def as_points(name: str, values: npt.ArrayLike, count: int | None = None) -> npt.NDArray[np.float32]:
    """Finite points as float32 (n, 2), contiguous; FormationError for others."""
    points = as_floats(name, values)
    if points.ndim != 2 or points.shape[1] != 2 or (count is not None and len(points) != count):
        wanted = "(n, 2)" if count is None else f"({count}, 2)"
        raise FormationError(f"expected {name} of shape {wanted}, got {points.shape}")
    if not np.isfinite(points).all():
        bad = ~np.isfinite(points).all(axis=1)
        raise FormationError(f"expected {name} as finite numbers, got {points[bad][0].tolist()} at {int(np.argmax(bad))}")
    return np.ascontiguousarray(points)


def _short(values: Any) -> str:
    text = repr(values)
    return text if len(text) <= 60 else text[:57] + "..."
