"""Movement classes: what each kind of terrain costs those who walk, swim or fly."""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from pynav.grid.errors import GridError

KIND_COUNT = 256


class MovementClass:
    """A named table of what each kind of terrain costs a class of units.

    A map holds a byte a tile. For the plain class (identity table) that byte is the cost itself; where several classes
    share a map it is a kind of terrain, and the table of each class says what that kind costs it.

    Args:
        name: what crowds and questions call the class.
        costs: 256 whole numbers 0..255, one a kind, or a mapping from kinds to costs where all other kinds are solid; 0 is solid.
            None: each byte is its own cost.

    Raises:
        GridError: a name that is no text, or costs of another length, type or range.

    Example:
        >>> boat = MovementClass("boat", {3: 1, 4: 2})
        >>> int(boat.costs[3]), int(boat.costs[0]), boat.is_plain, MovementClass("ground").is_plain
        (1, 0, False, True)
    """

    def __init__(self, name: str, costs: npt.ArrayLike | Mapping[int, int] | None = None) -> None:
        if not isinstance(name, str):
            raise GridError(f"MovementClass: expected the name as text, got {name!r}")
        self.name = name
        plain = np.arange(KIND_COUNT, dtype=np.uint8)
        self.costs: npt.NDArray[np.uint8] = plain if costs is None else _checked(name, costs)
        self.costs.flags.writeable = False
        self.is_plain = bool((self.costs == plain).all())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MovementClass) and self.name == other.name and bool((self.costs == other.costs).all())

    def __hash__(self) -> int:
        return hash((self.name, self.costs.tobytes()))

    def __repr__(self) -> str:
        return f"MovementClass({self.name!r}, {np.count_nonzero(self.costs)} kinds can be entered)"


def _checked(name: str, costs: npt.ArrayLike | Mapping[int, int]) -> npt.NDArray[np.uint8]:
    """The table as uint8 (256,), or an error in words."""
    if isinstance(costs, Mapping):
        table = np.zeros(KIND_COUNT, dtype=np.uint8)
        for kind, cost in costs.items():
            if not (_is_byte(kind) and _is_byte(cost)):
                raise GridError(f"movement class {name!r}: expected kinds and costs 0..255, got {kind!r}: {cost!r}")
            table[kind] = cost
        return table
    values = np.asarray(costs)
    if values.shape != (KIND_COUNT,) or values.dtype.kind not in "iu":
        raise GridError(
            f"movement class {name!r}: expected {KIND_COUNT} whole numbers, got shape {values.shape} of type {values.dtype}"
        )
    if values.min() < 0 or values.max() > 255:
        raise GridError(f"movement class {name!r}: expected costs 0..255, got {int(values.min())}..{int(values.max())}")
    return values.astype(np.uint8)


def _is_byte(value: object) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool) and 0 <= int(value) <= 255


PLAIN = MovementClass("")


def class_index(classes: tuple[MovementClass, ...], name: str) -> int:
    """Index of a class by its name; the empty name is the first one. GridError, with the names there are, for another."""
    if name == "":
        return 0
    for index, found in enumerate(classes):
        if found.name == name:
            return index
    names = ", ".join(repr(found.name) for found in classes if found.name) or "none are set"
    raise GridError(f"there is no movement class {name!r}; the map's classes: {names}")
